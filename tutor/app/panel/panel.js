// The coach's panel. It holds no game logic: words come in as blocks, what the learner asks for goes out.
const KEPT = new WeakMap();
const NARROW = 500; // pixels
const FEW = 5; // moments shown before "all" is asked for

export default function ({ data, parentElement, setTriggerValue }) {
  let panel = KEPT.get(parentElement);
  if (!panel) {
    panel = new Panel(parentElement.querySelector(".panel"));
    KEPT.set(parentElement, panel);
  }
  panel.send = (event) => setTriggerValue("action", event);
  panel.show(data);
  return () => panel.leave();
}

class Panel {
  constructor(root) {
    this.root = root;
    this.aloud = root.querySelector(".aloud");
    this.place = root.querySelector(".blocks");
    this.shown = []; // one element a block, with the text it was made from
    this.opened = new Set(); // verdicts with their reasons open, lists with all their moments
    this.spot = [0, 0]; // row and column of the grid that Tab reaches
    this.said = {};
    this.width = 0;
    root.onclick = (event) => this.click(event);
    root.onkeydown = (event) => this.key(event);
    root.onpointerover = (event) => this.tell(event.target.closest("[data-cell]"));
    root.onpointerleave = () => this.tell(null);
    root.addEventListener("focusin", (event) => this.reach(event.target.closest("[data-cell]")));
    root.addEventListener("focusout", () => this.tell(null));
    this.watch = new ResizeObserver(() => this.resized());
    this.watch.observe(root);
  }

  leave() {
    this.watch.disconnect();
    clearTimeout(this.patience);
  }

  resized() {
    const width = this.root.clientWidth;
    if (width && width !== this.width && this.data) this.draw();
  }

  show(data) {
    if (!this.data || this.data.ack !== data.ack) this.waiting = false;
    this.data = data;
    this.draw();
    this.announce();
  }

  // A verdict, or a hint just asked for, is told once; a redraw says nothing.
  announce() {
    const verdict = this.data.blocks.find((block) => block.kind === "verdict" && block.grade !== "waiting");
    const step = this.data.blocks.find((block) => block.kind === "hint")?.steps?.slice(-1)[0];
    const now = {
      verdict: verdict ? [verdict.over, verdict.title, verdict.lines?.[0]].map((words) => plain(words || []).replace(/\.$/, "")).filter(Boolean).join(". ") : "",
      step: step ? `${step.label}: ${plain(step.words)}` : "",
    };
    const fresh = ["verdict", "step"].filter((name) => now[name] && now[name] !== this.said[name] && (name === "verdict" || name in this.said));
    const waits = this.data.blocks.some((block) => block.kind === "verdict" && block.grade === "waiting");
    this.said = { verdict: waits ? this.said.verdict : now.verdict, step: now.step };
    if (fresh.length) this.aloud.textContent = fresh.map((name) => now[name]).join(" ");
  }

  draw() {
    const { data, root, place } = this;
    const host = getComputedStyle(root);
    root.classList.toggle("dark", dark(host.getPropertyValue("--st-background-color")));
    root.classList.toggle("two", data.look?.deck === "two");
    root.classList.toggle("still", data.look?.still === true);
    this.width = root.clientWidth || this.width;
    root.classList.toggle("narrow", this.width < NARROW);
    const held = root.getRootNode().activeElement;
    const focused = held && held !== root && root.contains(held) ? address(held) : null;
    data.blocks.forEach((block, at) => {
      const text = DRAW[block.kind]?.(block, this) ?? "";
      let one = this.shown[at];
      if (!one) {
        one = this.shown[at] = { box: document.createElement("div"), text: null };
        place.append(one.box);
      }
      if (one.text === text) return;
      one.text = text;
      one.box.innerHTML = text;
    });
    for (const one of this.shown.splice(data.blocks.length)) one.box.remove();
    if (focused && !root.contains(root.getRootNode().activeElement)) {
      const again = focused.map((selector) => root.querySelector(selector)).find(Boolean);
      (again || root).focus({ preventScroll: true });
    }
  }

  click(event) {
    const target = event.target.closest("button, [data-cell]");
    if (!target || event.detail > 1) return undefined;
    if (target.dataset.cell) return target.focus();
    const { do: what, open, step } = target.dataset;
    if (open) return this.toggle(open);
    if (step) return this.move(Number(step), false);
    return this.act(what, JSON.parse(target.dataset.extra || "{}"));
  }

  toggle(what) {
    if (!this.opened.delete(what)) this.opened.add(what);
    this.draw();
  }

  // One event at a time; should its answer get lost, the panel opens again and the learner can repeat it.
  act(kind, extra) {
    if (this.waiting || !kind) return;
    this.waiting = true;
    clearTimeout(this.patience);
    this.patience = setTimeout(() => (this.waiting = false), 2000);
    this.send({ ply: this.data.ply ?? null, ...extra, kind });
  }

  // The moment before or after the chosen one.
  move(step, follow) {
    const block = this.data.blocks.find((one) => one.kind === "moments");
    const item = block?.items[block.at + step];
    if (!item || this.waiting) return;
    if (follow) this.root.querySelector(`[data-do="moment"][data-ply="${item.ply}"]`)?.focus();
    this.act("moment", { ply: item.ply });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
    const cell = event.target.closest("[data-cell]");
    if (cell) return this.walk(event, cell);
    const step = { ArrowUp: -1, ArrowDown: 1, "[": -1, "]": 1 }[event.key];
    if (!step || event.repeat || !event.target.closest(".moments")) return undefined;
    event.preventDefault();
    return this.move(step, Boolean(event.target.dataset.ply));
  }

  walk(event, cell) {
    const grid = cell.closest("[role=grid]");
    const [row, column] = cell.dataset.cell.split(",").map(Number);
    const rows = grid.querySelectorAll(".cells").length, columns = cell.parentElement.querySelectorAll("[data-cell]").length;
    const all = event.key === "Home" ? [row, 0] : event.key === "End" ? [row, columns - 1] : null;
    const by = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!all && !by) return;
    event.preventDefault();
    const within = (value, count) => Math.min(count - 1, Math.max(0, value));
    const to = all || [within(row + by[0], rows), within(column + by[1], columns)];
    grid.querySelector(`[data-cell="${to}"]`)?.focus();
  }

  reach(cell) {
    if (!cell) return this.tell(null);
    this.spot = cell.dataset.cell.split(",").map(Number);
    for (const other of cell.closest("[role=grid]").querySelectorAll("[data-cell]")) other.tabIndex = other === cell ? 0 : -1;
    return this.tell(cell);
  }

  // The figure of a card, in the line under the grid: of the one pointed at, else of the one with the focus.
  tell(cell) {
    const line = this.root.querySelector(".figure");
    if (!line) return;
    const held = this.root.getRootNode().activeElement;
    const one = cell || (held?.dataset?.cell ? held : null);
    line.textContent = one ? capital(one.getAttribute("aria-label")) : line.dataset.rest;
  }
}

const ICONS = {
  best: '<path d="M12 2.500 14.800 8.900 21.700 9.600 16.500 14.200 18 21 12 17.400 6 21 7.500 14.200 2.300 9.600 9.200 8.900Z" fill="currentColor"/>',
  good: '<path d="M3.500 12.500 9.500 18.500 20.500 6" fill="none" stroke="currentColor" stroke-width="3"/>',
  inaccuracy: '<path d="M2.500 14.500C5 8.500 8.500 8.500 12 12S19 15.500 21.500 9.500" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round"/>',
  mistake: '<path fill-rule="evenodd" d="M5 3H19A2 2 0 0 1 21 5V19A2 2 0 0 1 19 21H5A2 2 0 0 1 3 19V5A2 2 0 0 1 5 3ZM7 10.500V13.500H17V10.500Z" fill="currentColor"/>',
  blunder: '<path fill-rule="evenodd" d="M12 1 23 12 12 23 1 12ZM10.700 6.500V13.500H13.300V6.500ZM10.700 15.300V17.800H13.300V15.300Z" fill="currentColor"/>',
  depends: '<path d="M3 8H20M15.500 3.500 20 8 15.500 12.500M21 16H4M8.500 11.500 4 16 8.500 20.500" fill="none" stroke="currentColor" stroke-width="2.400"/>',
  waiting: "",
};
ICONS.costly = ICONS.mistake;
const MARKS = {
  known: '<circle cx="10" cy="10" r="8" fill="none" stroke="currentColor" stroke-width="2"/><circle cx="10" cy="10" r="4.500" fill="currentColor"/>',
  likely: '<circle cx="10" cy="10" r="6.500" fill="currentColor"/>',
  unlikely: '<circle cx="10" cy="10" r="2.600" fill="currentColor"/>',
  impossible: '<path d="M5.500 10H14.500" stroke="currentColor" stroke-width="1.800"/>',
};
const HEADS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const UP = arrow("M5 15.500 12 8.500 19 15.500"), DOWN = arrow("M5 8.500 12 15.500 19 8.500");

const DRAW = { verdict, warning, hint, bars, grid, moments, ledger, box };

function verdict(block, panel) {
  const over = plain(block.over || []);
  const more = block.more || [], candidates = block.candidates || [];
  const open = panel.opened.has(over);
  const rows = candidates.map((one) => `<tr class="${one.played ? "played" : ""}"><th scope="row">${html(one.words)}${one.played ? ' <span class="quiet">played</span>' : ""}${one.note ? ` <span class="quiet">${escape(one.note)}</span>` : ""}</th><td>${escape(one.cost)}</td></tr>`);
  const table = rows.length ? `<table><thead><tr><th scope="col">Move</th><th scope="col">Points lost</th></tr></thead><tbody>${rows.join("")}</tbody></table>` : "";
  const reasons = more.length || rows.length
    ? `<button type="button" class="link" data-open="${escape(over)}" aria-expanded="${open}">More reasons${open ? UP : DOWN}</button>${open ? `<div class="more">${lines(more)}${table}</div>` : ""}`
    : "";
  return `<article class="block verdict ${grade(block)}">${over ? `<p class="over">${html(block.over)}</p>` : ""}
    ${title(block.title, block.grade)}${lines(block.lines)}${reasons}${note(block)}${row(block.buttons)}</article>`;
}

function warning(block) {
  const near = block.buttons.filter((one) => !one.far), far = block.buttons.filter((one) => one.far);
  return `<article class="block warning ${grade(block)}"><div role="alert">${title(block.title, block.grade)}<p>${html(block.words)}</p></div>
    <div class="acts apart"><span class="acts">${near.map(button).join("")}</span><span class="acts far">${far.map(button).join("")}</span></div></article>`;
}

function hint(block) {
  const steps = (block.steps || []).map((step, at) => `<li><b>${at + 1} · ${escape(step.label)}</b> <span>${html(step.words)}</span></li>`);
  const buttons = [...(block.next ? [block.next] : []), ...(block.buttons || [])];
  const after = block.note ? `<span class="note">${escape(block.note)}</span>` : "";
  return `<article class="block hint">${title(block.title)}${block.words?.length ? `<p class="quiet">${html(block.words)}</p>` : ""}
    ${steps.length ? `<ol>${steps.join("")}</ol>` : ""}${buttons.length || after ? `<div class="acts">${buttons.map(button).join("")}${after}</div>` : ""}</article>`;
}

function bars(block, panel) {
  const narrow = panel.width < NARROW;
  const track = panel.width - (narrow ? 26 : 42 + 146);
  const rows = block.rows.map((one) => {
    const total = one.parts.reduce((sum, part) => sum + part.share, 0) || 1;
    const parts = one.parts.map((part) => ({ ...part, wide: (track * part.share) / total - 2 }));
    const fits = (part) => measured(part.name, panel) + 6 <= part.wide;
    const spoken = `${one.label}, ${one.value}: ${parts.map((part) => `${part.name} ${part.share}`).join(", ")} of 100`;
    const segments = parts.map((part) => `<span class="${escape(part.outcome)}" style="flex-grow:${part.share}">${part.share >= 4 && part.wide >= 20 ? part.share : ""}</span>`);
    const names = parts.map((part) => `<span style="flex-grow:${part.share}">${fits(part) ? escape(part.name) : ""}</span>`);
    const rest = parts.filter((part) => !fits(part)).map((part) => `<span><i class="${escape(part.outcome)}"></i>${escape(part.name)} ${part.share}</span>`);
    return `<div class="outcomes"><p class="label"><b>${escape(one.label)}</b><b>${escape(one.value)}</b></p>
      <div class="track"><div class="segments" role="img" aria-label="${escape(spoken)}">${segments.join("")}</div>
      ${parts.some(fits) ? `<div class="names" aria-hidden="true">${names.join("")}</div>` : ""}${rest.length ? `<p class="rest" aria-hidden="true">${rest.join("")}</p>` : ""}</div></div>`;
  });
  return `<article class="block bars">${title(block.title)}${rows.join("")}${note(block)}</article>`;
}

function grid(block, panel) {
  const { button: opener } = block;
  if (!block.open) return `<button type="button" class="opener" data-do="${escape(opener.do)}" aria-expanded="false">${html(opener.label)}${DOWN}</button>`;
  const [atRow, atColumn] = panel.spot;
  const heads = HEADS.map((head) => `<span role="columnheader">${head}</span>`);
  const rows = block.rows.map((line, y) => `<div role="row" class="cells"><span role="rowheader" class="suit ${line.suit}">${glyph(line.suit)}<span class="aloud">${SUIT_NAMES[line.suit]}</span></span>${line.cells
    .map((cell, x) => `<span role="gridcell" class="${escape(cell.level)}" data-cell="${y},${x}" tabindex="${y === atRow && x === atColumn ? 0 : -1}" aria-label="${escape(cell.say)}">${mark(cell.level)}</span>`)
    .join("")}</div>`);
  const legend = Object.keys(MARKS).map((level) => `<span class="${level}">${mark(level)}<span>${level}</span></span>`);
  const rest = "Point at a card, or walk with the arrow keys.";
  return `<article class="block grid"><header><h2>${escape(block.title)}</h2><button type="button" class="round" data-do="${escape(opener.do)}" aria-expanded="true" aria-label="${escape(block.title)}">${UP}</button></header>
    <div role="grid" aria-label="${escape(block.title)}"><div role="row" class="heads"><span aria-hidden="true"></span>${heads.join("")}</div>${rows.join("")}</div>
    <p class="figure" aria-hidden="true" data-rest="${rest}">${rest}</p><p class="legend">${legend.join("")}</p>${note(block)}</article>`;
}

function moments(block, panel) {
  const { items, at } = block;
  const all = block.all || panel.opened.has("moments") || items.length <= FEW + 1 || at >= FEW;
  const list = (all ? items : items.slice(0, FEW)).map((one, place) => `<li><button type="button" class="moment ${grade(one)}" data-do="moment" data-ply="${one.ply}" data-extra='{"ply":${Number(one.ply)}}' ${place === at ? 'aria-current="true"' : ""}>
    ${icon(one.grade)}<span class="what"><span class="over">${html(one.over)}</span><b>${html(one.title)}</b>${one.ledger?.length ? `<span class="over">${html(one.ledger)}</span>` : ""}</span>
    ${one.cost ? `<span class="cost"><b>${escape(one.cost)}</b><span>points</span></span>` : ""}</button></li>`);
  const step = (by, name, sign) => `<button type="button" class="round" data-step="${by}" aria-label="${name} moment" aria-disabled="${!items[at + by]}">${sign}</button>`;
  const through = items.length > 1 ? `<span class="through">${step(-1, "Previous", UP)}<span>${at < 0 ? "" : `${at + 1} of ${items.length}`}</span>${step(1, "Next", DOWN)}</span>` : "";
  return `<article class="block moments"><header>${title(block.title)}${through}</header>${block.tally?.length ? `<p class="quiet">${html(block.tally)}</p>` : ""}
    <ol>${list.join("")}</ol>${all ? "" : `<button type="button" class="link" data-open="moments" aria-expanded="false">All ${items.length}${DOWN}</button>`}</article>`;
}

function ledger(block) {
  const rows = block.rows.map((one) => `<div><dt>${escape(one.label)}</dt><dd><b>${escape(one.value)}</b> <span class="quiet">${escape(one.error || "")}</span></dd>${one.words?.length ? `<dd class="words">${html(one.words)}</dd>` : ""}</div>`);
  return `<article class="block ledger">${title(block.title)}<dl>${rows.join("")}</dl>${note(block)}</article>`;
}

function box(block) {
  return `<article class="block">${title(block.title)}${lines(block.lines)}${row(block.buttons)}</article>`;
}

function title(words, of) {
  return words?.length ? `<h2>${of ? icon(of) : ""}<span>${html(words)}</span></h2>` : "";
}

function lines(all) {
  return (all || []).map((words) => `<p>${html(words)}</p>`).join("");
}

function note(block) {
  return block.note ? `<p class="note">${escape(block.note)}</p>` : "";
}

function row(buttons) {
  return buttons?.length ? `<div class="acts">${buttons.map(button).join("")}</div>` : "";
}

// What a button has besides its name and looks goes out with its event.
function button(one) {
  const { do: what, label, primary, far, off, ...extra } = one;
  return `<button type="button" class="${primary ? "primary" : "plain"}" data-do="${escape(what)}" data-extra="${escape(JSON.stringify(extra))}" ${off ? "disabled" : ""}>${html(label)}</button>`;
}

function grade(block) {
  return block.grade in ICONS ? block.grade : "depends";
}

function icon(of) {
  return ICONS[of] ? `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${ICONS[of]}</svg>` : "";
}

function mark(level) {
  return `<svg viewBox="0 0 20 20" aria-hidden="true">${MARKS[level] || MARKS.impossible}</svg>`;
}

function glyph(of) {
  return `<svg viewBox="0 0 100 100" aria-hidden="true">${suit(of, 0, 0, 100)}</svg>`;
}

function arrow(path) {
  return `<svg class="arrow" viewBox="0 0 24 24" aria-hidden="true"><path d="${path}" fill="none" stroke="currentColor" stroke-width="2.500"/></svg>`;
}

// The width of a name under a bar, in pixels.
function measured(text, panel) {
  const pen = (measured.pen ||= document.createElement("canvas").getContext("2d"));
  pen.font = `400 14px ${getComputedStyle(panel.root).fontFamily}`;
  return pen.measureText(text).width;
}

// Where an element stands, so that its successor after a redraw can be found: the same one, else one of its kind.
function address(element) {
  const { do: what, extra, open, step, cell } = element.dataset;
  if (cell) return [`[data-cell="${cell}"]`];
  if (step) return [`[data-step="${step}"]`];
  if (open) return [`[data-open="${CSS.escape(open)}"]`, "[data-open]"];
  return what ? [`[data-do="${what}"][data-extra="${CSS.escape(extra || "")}"]`, `[data-do="${what}"]`] : [];
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
