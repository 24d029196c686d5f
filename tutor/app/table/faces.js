// Card faces: ranks are stroked paths and suits own outlines, so no font is needed and every size is crisp.
// Below them, what the table and the coach's panel share.
const RANKS = {
  A: [18, "M1.5 27.5 9 1.5 16.500 27.500M4.200 18.500H13.800"],
  2: [17, "M2 8C2 3.500 5 1.500 8.500 1.500S15 4 15 8C15 13 10.500 16.500 2 27H15.500"],
  3: [17, "M2.500 1.500H14.500L7.800 11C12.500 10.800 15.500 14 15.500 19S12.500 27 8.300 27C4.800 27 2.500 25.500 1.500 22.500"],
  4: [18, "M12.800 27.500V1.500L1.500 19.500H16.500"],
  5: [17, "M14.500 1.500H4L3 12.200C5 10.800 6.500 10.400 8.500 10.400C12.800 10.400 15.500 13.800 15.500 18.600S12.600 27 8.200 27C4.800 27 2.600 25.500 1.500 22.800"],
  6: [17, "M12.500 1.500C6.500 5.500 1.500 11.500 1.500 19C1.500 24 4.500 27 8.500 27S15.500 24 15.500 19.300S12.500 11.800 8.500 11.800S1.800 14.600 1.600 19"],
  7: [17, "M1.500 1.500H15.500L6.500 27.500"],
  8: [17, "M8.500 1.500C4.800 1.500 2.600 4 2.600 7.200S5 13 8.500 13S14.400 10.400 14.400 7.200S12.200 1.500 8.500 1.500ZM8.500 13C4.300 13 1.500 16 1.500 20S4.300 27 8.500 27S15.500 24 15.500 20S12.700 13 8.500 13Z"],
  9: [17, "M4.500 27C10.500 23 15.500 17 15.500 9.500C15.500 4.500 12.500 1.500 8.500 1.500S1.500 4.500 1.500 9.200S4.500 16.700 8.500 16.700S15.200 13.900 15.400 9.500"],
  T: [27, "M1.500 5.500 6 1.500V27.500M18.200 1.500C14 1.500 11.200 6 11.200 14.300S14 27 18.200 27S25.200 22.500 25.200 14.300S22.400 1.500 18.200 1.500Z"],
  J: [14, "M12 1.500V19.500C12 24.500 9.800 27 6.600 27C3.800 27 2 25.300 1.500 22"],
  Q: [19, "M9 1.500C4.300 1.500 1.500 6 1.500 14.300S4.300 27 9 27S16.500 22.500 16.500 14.300S13.700 1.500 9 1.500ZM10.500 20 17 28"],
  K: [18, "M2 1.500V27.500M15.500 1.500 2.500 16.500M7.500 11 16.500 27.500"],
};
const SUITS = {
  s: "M50 4C68 29 95 46 95 67C95 79 87 87 76 87C67 87 59 82 55 74C56 84 59 91 67 97H33C41 91 44 84 45 74C41 82 33 87 24 87C13 87 5 79 5 67C5 46 32 29 50 4Z",
  h: "M50 94C20 68 4 51 4 31C4 16 15 6 28 6C38 6 46 12 50 22C54 12 62 6 72 6C85 6 96 16 96 31C96 51 80 68 50 94Z",
  d: "M50 2C58 22 72 39 90 50C72 61 58 78 50 98C42 78 28 61 10 50C28 39 42 22 50 2Z",
  c: "M50 4A22 22 0 0 1 67 40A22 22 0 1 1 56 70C57 82 60 90 68 97H32C40 90 43 82 44 70A22 22 0 1 1 33 40A22 22 0 0 1 50 4Z",
};
const CRESTS = {
  J: '<path d="M34 24V88" stroke-width="6"/><path d="M36 26H76L66 40 76 54H36Z" fill="#fff" stroke="none"/><circle cx="34" cy="20" r="5" fill="#fff" stroke="none"/>',
  Q: '<path d="M20 44C30 56 38 50 50 30C62 50 70 56 80 44L74 72H26Z" fill="#fff" stroke="none"/><circle cx="50" cy="22" r="6" fill="#fff" stroke="none"/><circle cx="18" cy="38" r="5" fill="#fff" stroke="none"/><circle cx="82" cy="38" r="5" fill="#fff" stroke="none"/><path d="M26 82H74" stroke-width="6"/>',
  K: '<path d="M22 70V34L38 50 50 28 62 50 78 34V70Z" fill="#fff" stroke="none"/><path d="M22 82H78" stroke-width="7"/>',
};

function rank(letter, x, y, height, centred) {
  const [width, path] = RANKS[letter];
  const k = height / 28.6;
  const left = centred ? x - (width * k) / 2 : x;
  return `<path d="${path}" transform="translate(${left} ${y}) scale(${k})" fill="none" stroke="currentColor" stroke-width="4.400" stroke-linecap="round" stroke-linejoin="round"/>`;
}

function suit(letter, x, y, size, fill = "currentColor") {
  return `<path d="${SUITS[letter]}" transform="translate(${x} ${y}) scale(${size / 100})" fill="${fill}"/>`;
}

function corner(card) {
  const [letter, of] = card;
  if (letter === "A") {
    return `<circle cx="69" cy="107" r="26" fill="none" stroke="currentColor" stroke-width="3"/>${suit(of, 50, 88, 38)}`;
  }
  if (CRESTS[letter]) {
    return `<rect x="44" y="66" width="48" height="66" rx="5" fill="currentColor"/><g transform="translate(46 66) scale(.44)" fill="none" stroke="#fff" stroke-linecap="round" stroke-linejoin="round">${CRESTS[letter]}</g>${suit(of, 58, 110, 20, "#fff")}`;
  }
  return suit(of, 42, 82, 50);
}

function face(card, compact) {
  const [letter, of] = card;
  const inside = compact
    ? rank(letter, 50, 12, 62, true) + suit(of, 28, 86, 44)
    : rank(letter, 9, 9, 42, false) + suit(of, 8, 60, 28) + corner(card);
  return `<svg viewBox="0 0 100 140" aria-hidden="true" focusable="false">${inside}</svg>`;
}

function back() {
  return '<span class="lattice" aria-hidden="true"></span>';
}

function chip(card) {
  const label = (card[0] === "T" ? "10" : card[0]) + { c: "♣", d: "♦", h: "♥", s: "♠" }[card[1]];
  return `<span class="chip ${card[1]}" role="img" aria-label="${spoken(card)}"><b aria-hidden="true">${card[0] === "T" ? "10" : card[0]}</b><svg viewBox="0 0 100 100" aria-hidden="true">${suit(card[1], 0, 0, 100)}</svg><i hidden>${label}</i></span>`;
}

const NAMES = { A: "ace", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", T: "ten", J: "jack", Q: "queen", K: "king" };
const SUIT_NAMES = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };

function spoken(card) {
  return `${NAMES[card[0]]} of ${SUIT_NAMES[card[1]]}`;
}

// Sentences in pieces: text, and cards as {card: "7h"}.
function html(words) {
  return words.map((piece) => (typeof piece === "string" ? escape(piece) : chip(piece.card))).join("");
}

function plain(words) {
  return words.map((piece) => (typeof piece === "string" ? piece : spoken(piece.card))).join("");
}

function escape(text) {
  return String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

function dark(colour) {
  const digits = colour.trim().match(/^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i);
  const rgb = digits ? digits.slice(1, 4).map((pair) => parseInt(pair, 16)) : (colour.match(/\d+/g) || [255, 255, 255]).map(Number);
  return rgb[0] * 0.3 + rgb[1] * 0.59 + rgb[2] * 0.11 < 110;
}
