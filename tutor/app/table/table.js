// The card table. It holds no game logic: what may be done comes in with the data, what the player does goes out.
const KEPT = new WeakMap();
const LONG = 6; // pixels a pointer moves before a press becomes a drag

export default function ({ data, parentElement, setTriggerValue }) {
  let table = KEPT.get(parentElement);
  if (!table) {
    table = new Table(parentElement.querySelector(".table"));
    KEPT.set(parentElement, table);
  }
  table.send = (event) => setTriggerValue("action", event);
  table.show(data);
  return () => table.leave();
}

class Table {
  constructor(root) {
    this.root = root;
    this.part = Object.fromEntries(["head", "upper", "say", "hand", "result", "bar", "aloud"].map((name) => [name, root.querySelector("." + name)]));
    this.cards = new Map();
    this.selected = null;
    this.order = [];
    this.open = null; // "sort", "pile", "knock", "settle" or nothing
    this.watch = new ResizeObserver(() => this.resized());
    this.watch.observe(root);
    this.width = 0;
    root.onkeydown = (event) => this.key(event);
  }

  leave() {
    this.watch.disconnect();
  }

  resized() {
    const width = this.root.clientWidth;
    if (width && width !== this.width && this.data) {
      this.width = width;
      this.draw();
    }
  }

  show(data) {
    const fresh = !this.data || this.data.hand_id !== data.hand_id;
    const moved = fresh || this.data.ply !== data.ply;
    this.before = fresh ? null : new Set(this.order);
    this.data = data;
    this.waiting = false;
    const names = (data.hand || []).map((card) => card.card);
    const same = names.length === this.order.length && names.every((name) => this.order.includes(name));
    if (fresh || !same) this.order = names;
    if (moved) this.open = null;
    if (!names.includes(this.selected)) this.selected = null;
    if (moved && data.throws && this.selected && !data.throws[this.selected]) this.selected = null;
    this.draw();
    if (fresh && data.steps) this.root.focus({ preventScroll: true });
    const words = plain(data.notice ? [data.notice] : data.say || []) + (data.done ? ` ${data.done.title} ${data.done.words}` : "");
    if (this.part.aloud.textContent !== words) this.part.aloud.textContent = words;
  }

  act(text) {
    if (this.waiting) return;
    this.wait();
    this.open = null;
    this.send({ kind: "act", ply: this.data.ply, text });
    this.root.focus({ preventScroll: true });
  }

  // One event at a time; should its answer get lost, the table opens again and the player can repeat it.
  wait() {
    this.waiting = true;
    clearTimeout(this.patience);
    this.patience = setTimeout(() => (this.waiting = false), 2000);
  }

  tell(kind) {
    if (this.waiting) return;
    this.wait();
    this.send({ kind, ply: this.data.ply });
    this.root.focus({ preventScroll: true });
  }

  draw() {
    const { data, root } = this;
    const host = getComputedStyle(root);
    root.classList.toggle("dark", dark(host.getPropertyValue("--st-background-color")));
    root.classList.toggle("two", data.look?.deck === "two");
    root.classList.toggle("still", data.look?.still === true);
    this.width = root.clientWidth || this.width;
    root.classList.toggle("narrow", this.width < 620);
    const held = root.getRootNode().activeElement;
    const focused = held && root.contains(held) && address(held);
    if (data.band) this.drawBand();
    else this.drawTable();
    if (focused && !root.contains(root.getRootNode().activeElement)) {
      const again = root.querySelector(focused);
      (again && !again.disabled ? again : root).focus({ preventScroll: true });
    }
  }

  drawBand() {
    const { band, hand } = this.data;
    this.part.head.hidden = this.part.bar.hidden = true;
    this.part.say.hidden = true;
    this.part.result.innerHTML = "";
    this.part.upper.innerHTML = `<div class="band"><div><p class="quiet">${escape(band.over)}</p><h1>${escape(band.title)}</h1>
      <p class="quiet">${escape(band.words)}</p><div class="acts">${band.acts.map((act) => `<button type="button" data-do="${act.kind}" class="${act.link ? "link" : ""}">${escape(act.label)}</button>`).join("")}</div></div>
      <div class="bandhand"></div></div>`;
    const place = this.part.upper.querySelector(".bandhand");
    this.part.hand.hidden = !hand.length;
    place.append(this.part.hand);
    if (!hand.length) place.insertAdjacentHTML("beforeend", `<div class="deck" aria-hidden="true">${`<div class="back">${back()}</div>`.repeat(10)}</div>`);
    for (const button of this.part.upper.querySelectorAll("button")) button.onclick = () => this.tell(button.dataset.do);
    this.drawHand((this.width < 620 ? this.width - 28 : (this.width - 60) * 0.56) || 300, hand);
  }

  drawTable() {
    const { data } = this;
    this.part.head.innerHTML = this.headHtml();
    this.part.upper.innerHTML = data.showdown ? this.showdownHtml() : this.opponentHtml() + this.pilesHtml();
    this.part.say.innerHTML = (data.notice ? escape(data.notice) : html(this.sayWords())) + this.toolsHtml();
    this.part.hand.hidden = Boolean(data.done && data.showdown);
    this.part.say.hidden = Boolean(data.done && !data.notice && !(data.say || []).length);
    this.drawHand(this.width - (this.width < 620 ? 12 : 36), data.hand);
    this.part.result.innerHTML = this.resultHtml();
    this.part.bar.innerHTML = this.barHtml();
    this.part.bar.className = "bar" + (this.open === "knock" || this.open === "settle" ? " wide" : "") + (data.done && !data.steps ? " over" : "");
    for (const button of this.root.querySelectorAll("button[data-do]")) button.onclick = (event) => event.detail > 1 || this.press(button.dataset.do, button.dataset.act);
  }

  headHtml() {
    const { head } = this.data;
    const score = `<span class="score"><span>${escape(head.me[0])} <b>${head.me[1]}</b></span><span class="quiet">${escape(head.them[0])} <b>${head.them[1]}</b></span></span>`;
    if (this.width < 620) return `${score}<span class="quiet">${escape(head.hand)} · ${escape(head.limit)}</span>`;
    return `<span>${escape(head.hand)} · ${escape(head.game)}</span>${score}<span class="quiet">${escape(head.limit)}</span>`;
  }

  opponentHtml() {
    const { opponent } = this.data;
    const shown = opponent.cards ? opponent.cards.map((card) => `<div class="card open ${card[1]}" role="img" aria-label="${spoken(card)}">${face(card, true)}</div>`) : Array(opponent.count).fill(`<div class="back">${back()}</div>`);
    const took = opponent.took.length ? `<span class="took">took ${opponent.took.map(chip).join(" ")}</span>` : "";
    return `<div class="opponent"><span class="who"><b>${escape(opponent.name)}</b><span>${opponent.count} cards</span></span>
      <div class="backs" ${opponent.cards ? "" : 'aria-hidden="true"'}>${shown.join("")}</div>${took}</div>`;
  }

  pilesHtml() {
    const { data } = this;
    const may = Object.fromEntries((data.draws || []).map((draw) => [draw.label, draw.act]));
    const fan = data.pile.slice(this.width < 620 ? -4 : -5);
    if (data.held) fan.push(data.held);
    const top = fan[fan.length - 1];
    const cards = fan.map((card, place) => {
      const last = place === fan.length - 1;
      const inside = face(card, false);
      if (last && may.Take) return `<button type="button" class="card ${card[1]}" data-do="act" data-act="${may.Take}" aria-label="Take the ${spoken(card)} from the discard pile">${inside}</button>`;
      const held = last && data.held;
      return `<div class="card ${card[1]}${held ? " held" : ""}" role="img" aria-label="${spoken(card)}${held ? ", not thrown yet" : ""}">${inside}</div>`;
    });
    const stock = may.Draw
      ? `<button type="button" class="back under" data-do="act" data-act="${may.Draw}" aria-label="Draw from the stock, ${data.stock} cards">${back()}</button>`
      : `<div class="back under">${back()}</div>`;
    const all = data.pileCount > 1 && data.pile.length > 1 ? `<button type="button" class="link" data-do="pile" aria-expanded="${this.open === "pile"}">${this.open === "pile" ? "close" : "see all"}</button>` : "";
    const whole = this.open === "pile" ? `<div class="seeall">${data.pile.map(chip).join(" ")}</div>` : "";
    return `<div class="piles"><div class="pile"><div class="fan">${stock}</div><span class="label">Stock <b>${data.stock}</b></span></div>
      <div class="pile"><div class="fan">${top ? cards.join("") : '<div class="place"></div>'}</div><span class="label">Discards <b>${data.pileCount}</b>${all}</span></div></div>${whole}`;
  }

  // On a phone a line is short, and that someone drew goes without saying.
  sayWords() {
    const words = this.data.say || [], drew = "drew from the stock";
    if (this.width >= 620) return words;
    return words.filter((piece, place) => !(piece === drew && words[place + 1] === " and ") && !(piece === " and " && words[place - 1] === drew));
  }

  toolsHtml() {
    const { data } = this;
    if (!data.mine && !data.canSort) return "";
    const menu = this.open === "sort"
      ? `<div class="menu" role="group" aria-label="Sort the hand">${["rank", "suit", "melds"].map((by) => `<button type="button" class="small" data-do="by-${by}">By ${by}</button>`).join("")}
        <button type="button" class="small" data-do="left" ${this.selected ? "" : "disabled"}>Move ◂</button><button type="button" class="small" data-do="right" ${this.selected ? "" : "disabled"}>Move ▸</button></div>`
      : "";
    const back = data.canTakeBack ? '<button type="button" class="link" data-do="takeback">Take back</button>' : "";
    return `<span class="tools-inline"> <button type="button" class="link" data-do="sort" aria-expanded="${this.open === "sort"}">Sort</button>${back}</span>${menu}`;
  }

  showdownHtml() {
    const { showdown } = this.data;
    const knocker = this.sideHtml(showdown.knocker, showdown.knocker.knockCard ? ` · knock card ${chip(showdown.knocker.knockCard)}` : "");
    if (!showdown.defender) return knocker;
    const laid = showdown.laid.length ? ` · had ${showdown.defender.had}, laid off ${showdown.laid.map(chip).join(" ")}` : "";
    const defender = this.sideHtml(showdown.defender, laid);
    return showdown.mine ? defender + knocker : knocker + defender;
  }

  sideHtml(side, more) {
    const compact = this.width < 620;
    let late = 0;
    const melds = side.melds.map((meld) => `<div class="group"><div class="row">${meld.cards
      .map(({ card, laid }) => `<div class="card ${card[1]}${laid ? " laid" : ""}" ${laid ? `style="animation-delay:${400 + 570 * late++}ms"` : ""} role="img" aria-label="${spoken(card)}${laid ? ", laid off" : ""}">${face(card, compact)}</div>`)
      .join("")}</div><span class="name">${escape(meld.name)}</span></div>`);
    const loose = side.loose.length
      ? `<div class="group loose"><div class="row">${side.loose.map((card) => `<div class="card ${card[1]}" role="img" aria-label="${spoken(card)}">${face(card, compact)}</div>`).join("")}</div><span class="name">${escape(side.sum)}</span></div>`
      : "";
    return `<div class="side"><p class="title"><b>${escape(side.title)}</b><span class="quiet">${more}</span></p>
      <div class="lay">${melds.join("")}${loose}<span class="count">count<b>${side.count}</b></span></div></div>`;
  }

  resultHtml() {
    const { done } = this.data;
    if (!done || !done.title) return "";
    const lines = (done.tally || []).map((line) => `<li>${escape(line)}</li>`).join("");
    return `<h2>${escape(done.title)}</h2><p>${escape(done.words)}</p>${lines ? `<ul>${lines}</ul>` : ""}${done.total ? `<p class="total">${escape(done.total)}</p>` : ""}`;
  }

  barHtml() {
    const { data } = this;
    if (this.open === "knock") return this.knockChoiceHtml();
    if (this.open === "settle") {
      return `<p>${html(data.settle.warning)}</p><div class="choices"><button type="button" data-do="best">Lay it off</button><button type="button" class="ghost" data-do="act" data-act="settle">Settle anyway</button></div>`;
    }
    let left = "", middle = "", right = "";
    const button = (label, act, kind = "", name = "act") => `<button type="button" class="${kind}" data-do="${name}" data-act="${escape(act || "")}" ${act === null ? "disabled" : ""}>${label}</button>`;
    if (data.steps) {
      const { ply, plies } = data.steps;
      const step = (label, kind, may) => `<button type="button" class="${kind === "forward" ? "" : "ghost"}" data-do="${kind}" aria-label="${kind}" ${may ? "" : "disabled"}>${label}</button>`;
      left = step("|◂", "first", ply > 0) + step("◂ Back", "back", ply > 0);
      right = step("Forward ▸", "forward", ply < plies) + step("▸|", "last", ply < plies);
      return `<div class="left">${left}</div><div class="middle"><b>${ply} of ${plies}</b><span>Deadwood ${data.deadwood}</span></div><div class="right">${right}</div>`;
    }
    if (data.done) {
      left = data.done.buttons.map((one, place) => button(escape(one.label), "", place ? "ghost" : "", one.kind)).join("");
      return `<div class="left">${left}</div><div></div><div></div>`;
    }
    if (!data.mine) {
      right = data.step ? button("Go on", "", "", "step") : "";
      middle = this.deadwoodHtml();
    } else if (data.draws) {
      const by = Object.fromEntries(data.draws.map((draw) => [draw.label, draw.act]));
      const top = data.pile[data.pile.length - 1];
      if (by.Pass) left = button("Pass", by.Pass, "ghost");
      right = (by.Take ? button(`Take ${chip(top)}`, by.Take) : "") + (by.Draw ? button("Draw", by.Draw) : "");
      middle = this.deadwoodHtml();
    } else if (data.throws) {
      const choice = this.selected && data.throws[this.selected];
      const can = Object.values(data.throws).some((one) => one.knock);
      if (data.big) left += button(data.big.label, data.big.act, "end");
      if (choice?.knock) left += button(choice.knock.label, "", "end", "knock");
      else if (can) left += button("Knock", null, "end");
      right = data.mustEnd ? "" : choice?.act ? button(`Discard ${chip(this.selected)}`, choice.act, "", "act") : button("Choose a card", null);
      middle = this.deadwoodHtml(choice);
    } else if (data.layOffs) {
      const places = (this.selected && data.layOffs[this.selected]) || [];
      left = button("Settle", "", "end", "settle") + (data.settle.best < data.settle.deadwood ? button("Lay off for me", "", "ghost", "best") : "");
      right = places.map((place) => button(`Lay ${chip(this.selected)} on ${escape(place.label)}`, place.act)).join("") || button(Object.keys(data.layOffs).length ? "Choose a card to lay off" : "Nothing fits", null);
      middle = `<b>Deadwood ${data.settle.deadwood}</b>`;
    }
    return `<div class="left">${left}</div><div class="middle">${middle}</div><div class="right">${right}</div>`;
  }

  deadwoodHtml(choice) {
    const { data } = this;
    const limit = data.limit ? `limit ${data.limit}` : "gin only";
    if (!choice) return `<b>Deadwood ${data.deadwood}</b><span>${limit}</span>`;
    const stay = choice.stay.length ? `<span class="stay">${choice.stay.map(chip).join("")} stay · </span>` : "";
    return `<b>Deadwood ${data.deadwood} → ${choice.deadwood}</b><span>${stay}${limit}</span>`;
  }

  knockChoiceHtml() {
    const { ways, label } = this.data.throws[this.selected].knock;
    const title = ways.length > 1 ? "These count the same. Which do you show?" : `${label}?`;
    const buttons = ways.map((way, place) => `<button type="button" class="${place ? "ghost" : "end"}" data-do="act" data-act="${way.act}">${way.melds.map((meld) => meld.match(/../g).map(chip).join("")).join(" ")}
      ${ways.length > 1 ? `<span>${way.open ? ` ${way.open} could be laid off` : " nothing can be laid off"}</span>` : ""}</button>`);
    return `<p>${title}</p><div class="choices">${buttons.join("")}<button type="button" class="ghost" data-do="close">Back</button></div>`;
  }

  press(what, act) {
    if (what === "act") return this.act(act);
    if (what === "sort" || what === "pile") return this.toggle(what);
    if (what === "close") return this.toggle(this.open);
    if (what.startsWith("by-")) return this.reorder(this.data.sorts[what.slice(3)]);
    if (what === "left" || what === "right") return this.shift(what === "left" ? -1 : 1);
    if (what === "knock") return this.knock();
    if (what === "settle") return this.data.settle.warning.length ? this.toggle("settle") : this.act("settle");
    return this.tell(what);
  }

  knock() {
    const { ways } = this.data.throws[this.selected].knock;
    if (ways.length > 1 || this.data.look?.confirm) return this.toggle("knock");
    return this.act(ways[0].act);
  }

  toggle(what) {
    this.open = this.open === what ? null : what;
    this.draw();
    if (this.open === "knock" || this.open === "settle") this.part.bar.querySelector("button")?.focus();
  }

  reorder(order) {
    this.order = order.filter((card) => this.cards.has(card));
    this.draw();
    this.send({ kind: "order", ply: this.data.ply, order: this.order.join(" ") });
  }

  shift(step) {
    const from = this.order.indexOf(this.selected || this.focusedCard());
    const to = from + step;
    if (from < 0 || to < 0 || to >= this.order.length) return;
    const order = this.order.slice();
    order.splice(to, 0, order.splice(from, 1)[0]);
    this.reorder(order);
  }

  focusedCard() {
    return this.root.getRootNode().activeElement?.dataset?.card;
  }

  select(card) {
    const { data } = this;
    if (!data.mine && !data.canSort) return;
    this.selected = this.selected === card ? null : card;
    this.open = null;
    this.draw();
  }

  // The hand: cards keep their elements, so that they travel instead of jumping, and keep the focus.
  drawHand(width, hand) {
    const info = Object.fromEntries((hand || []).map((card) => [card.card, card]));
    const order = this.order.filter((card) => info[card]);
    const plan = layout(order.map((card) => info[card]), width, { small: 0.8, large: 1.2 }[this.data.look?.size] || 1);
    const box = this.part.hand;
    for (const [card, element] of this.cards) {
      if (!info[card]) {
        element.remove();
        this.cards.delete(card);
      }
    }
    box.querySelectorAll(".tab, .tag").forEach((old) => old.remove());
    const lift = plan.rows > 1 ? 10 : 16;
    const focusable = this.focusedCard() || this.selected || order[0];
    order.forEach((card, place) => {
      let element = this.cards.get(card);
      if (!element) {
        element = document.createElement("button");
        element.type = "button";
        element.dataset.card = card;
        this.dragging(element);
        this.cards.set(card, element);
        if (this.before && this.before.size) element.classList.add("new");
      }
      const { x, y } = plan.spots[place];
      const chosen = card === this.selected;
      element.className = `card ${card[1]}${chosen ? " selected" : ""}${info[card].stays ? " stays" : ""}${element.classList.contains("new") ? " new" : ""}`;
      if (element.dataset.face !== `${plan.compact}`) {
        element.innerHTML = face(card, plan.compact);
        element.dataset.face = `${plan.compact}`;
      }
      element.style.cssText = `left:${x}px;top:${y - (chosen ? lift : 0)}px;width:${plan.w}px;height:${plan.h}px;z-index:${place + 1}`;
      element.setAttribute("aria-label", info[card].name);
      element.setAttribute("aria-pressed", String(chosen));
      element.tabIndex = card === focusable ? 0 : -1;
      if (box.children[place] !== element) box.insertBefore(element, box.children[place] || null);
    });
    box.style.height = `${plan.height}px`;
    box.style.marginTop = `${lift + 12}px`;
    for (const tab of plan.tabs) this.label("tab", short(this.data.melds[tab.meld] || "", tab.w), tab.x, tab.y, tab.w);
    order.forEach((card, place) => {
      const { x, y } = plan.spots[place];
      const above = y - 28 - (card === this.selected ? lift : 0);
      if (info[card].drawn) this.label("tag", "drawn", x + plan.w / 2 - 30, above, 60);
      if (info[card].stays && card === this.selected) this.label("tag quiet", "stays this turn", Math.min(x + plan.w / 2 - 60, width - 120), y + plan.h, 120);
    });
  }

  label(kind, text, x, y, width) {
    const element = document.createElement("span");
    element.className = kind;
    element.textContent = text;
    element.setAttribute("aria-hidden", "true");
    element.style.cssText = `left:${x}px;top:${y}px;width:${width}px`;
    this.part.hand.append(element);
  }

  dragging(element) {
    let begin = null;
    element.onpointerdown = (event) => {
      if (event.button) return;
      begin = { x: event.clientX, y: event.clientY, left: element.offsetLeft, top: element.offsetTop, far: false };
      element.setPointerCapture(event.pointerId);
    };
    element.onpointermove = (event) => {
      if (!begin) return;
      const dx = event.clientX - begin.x, dy = event.clientY - begin.y;
      if (!begin.far && Math.hypot(dx, dy) < LONG) return;
      begin.far = true;
      element.classList.add("dragging");
      element.style.left = `${begin.left + dx}px`;
      element.style.top = `${begin.top + dy}px`;
    };
    const end = (event) => {
      const was = begin;
      begin = null;
      element.classList.remove("dragging");
      if (!was?.far) return;
      element.dataset.dragged = "yes";
      setTimeout(() => delete element.dataset.dragged);
      if (event.type === "pointerup") this.drop(element);
      else this.draw();
    };
    element.onpointerup = end;
    element.onpointercancel = end;
    element.onclick = () => element.dataset.dragged || this.select(element.dataset.card);
  }

  drop(element) {
    const card = element.dataset.card;
    const x = element.offsetLeft + element.offsetWidth / 2, y = element.offsetTop + element.offsetHeight / 2;
    const others = this.order.filter((other) => other !== card);
    const middle = (other) => {
      const it = this.cards.get(other);
      return { x: parseFloat(it.style.left) + it.offsetWidth / 2, y: parseFloat(it.style.top) + it.offsetHeight / 2, h: it.offsetHeight };
    };
    let place = others.findIndex((other) => {
      const at = middle(other);
      return Math.abs(at.y - y) < at.h * 0.6 ? at.x > x : at.y > y;
    });
    if (place < 0) place = others.length;
    others.splice(place, 0, card);
    this.reorder(others);
  }

  key(event) {
    const { data } = this;
    if (!data || event.ctrlKey || event.metaKey || (event.repeat && event.key.length === 1)) return;
    if (data.steps) {
      const step = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", s: "showdown" }[event.key];
      if (!step || event.altKey) return undefined;
      event.preventDefault();
      return this.tell(step);
    }
    const card = this.focusedCard();
    const arrow = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (arrow && (card || event.target === this.root)) {
      event.preventDefault();
      if (event.altKey || event.shiftKey) return this.shiftFocused(arrow);
      const at = Math.max(0, this.order.indexOf(card));
      const to = card ? Math.min(this.order.length - 1, Math.max(0, at + arrow)) : 0;
      const next = this.cards.get(this.order[to]);
      this.cards.forEach((other) => (other.tabIndex = other === next ? 0 : -1));
      next?.focus();
      return undefined;
    }
    if (event.key === "Escape" && this.open) return this.toggle(this.open);
    if (event.altKey) return undefined;
    const wanted = { d: "Draw", t: "Take", p: "Pass" }[event.key];
    const draw = wanted && data.draws?.find((one) => one.label === wanted);
    if (draw) return this.act(draw.act);
    const chosen = data.throws?.[this.selected];
    if (event.key === "x" && chosen?.act) return this.act(chosen.act);
    if (event.key === "k" && chosen?.knock) return this.knock();
    if (event.key === "b" && data.big) return this.act(data.big.act);
    if (event.key === "l" && data.layOffs?.[this.selected]) return this.act(data.layOffs[this.selected][0].act);
    if (event.key === "e" && data.settle) return this.press("settle");
    if (event.key === "n" && data.done) return this.tell(data.done.buttons[0].kind);
    if (event.key === "u" && data.canTakeBack) return this.tell("takeback");
    if (event.key === "g" && data.step) return this.tell("step");
    const sort = { 1: "rank", 2: "suit", 3: "melds" }[event.key];
    if (sort && data.sorts && (data.mine || data.canSort)) return this.reorder(data.sorts[sort]);
    return undefined;
  }

  shiftFocused(step) {
    const kept = this.selected;
    const card = this.focusedCard();
    this.selected = card;
    this.shift(step);
    this.selected = kept;
    this.draw();
    this.cards.get(card)?.focus();
  }
}

// Where each card stands: one row that overlaps where there is room, else two rows without overlap.
function layout(hand, width, size) {
  const n = hand.length;
  if (!n) return { spots: [], tabs: [], rows: 0, height: 0, w: 0, h: 0, compact: true };
  const breaks = hand.map((card, i) => i > 0 && (card.meld !== hand[i - 1].meld || (card.drawn && card.meld === null)));
  if (width >= 560) {
    const w = Math.min(92 * size, (width / 8.4) * Math.max(1, size)), b = breaks.filter(Boolean).length;
    let gap = w + 10;
    let step = Math.min(w + 6, (width - w - b * gap) / Math.max(1, n - 1 - b));
    const least = Math.max(44, w / 2);
    if (step < least) {
      step = Math.min(w + 6, (width - w - 18 * b) / Math.max(1, n - 1));
      gap = step + 18;
    }
    if (step >= 40) {
      let x = 0;
      const xs = hand.map((_, i) => (i ? (x += breaks[i] ? gap : step) : 0));
      const left = Math.max(0, (width - x - w) / 2);
      const spots = xs.map((at) => ({ x: at + left, y: 0 }));
      return finish(hand, spots, w, w * 1.4, 1, w < 60, 24);
    }
  }
  const g = width < 300 ? 2 : 4;
  const w = Math.min(72 * size, (width - 5 * g) / 6), h = w * 1.4;
  const middle = Math.ceil(n / 2);
  const cut = n <= 6 ? n : [middle, middle - 1, middle + 1].find((at) => at <= 6 && n - at <= 6 && breaks[at]) || middle;
  const spots = hand.map((_, i) => {
    const row = i < cut ? 0 : 1, inRow = row ? n - cut : cut, place = row ? i - cut : i;
    return { x: (width - inRow * w - (inRow - 1) * g) / 2 + place * (w + g), y: row * (h + 22 + 30) };
  });
  return finish(hand, spots, w, h, n <= 6 ? 1 : 2, true, 22);
}

function finish(hand, spots, w, h, rows, compact, tabHeight) {
  const tabs = [];
  for (let i = 0; i < hand.length; ) {
    let j = i;
    while (j + 1 < hand.length && hand[j + 1].meld !== null && hand[j + 1].meld === hand[i].meld && spots[j + 1].y === spots[i].y) j += 1;
    const next = spots[j + 1];
    const end = next && next.y === spots[j].y ? Math.min(next.x, spots[j].x + w) : spots[j].x + w;
    if (hand[i].meld !== null) tabs.push({ meld: hand[i].meld, x: spots[i].x + 3, y: spots[i].y + h - 1, w: end - spots[i].x - 6 });
    i = j + 1;
  }
  const height = Math.max(...spots.map((spot) => spot.y)) + h + tabHeight;
  return { spots, tabs, rows, height, w, h, compact };
}

// A meld's name where there is little room: "Run ♠" for "Run 5–7 ♠", "Set" for "Set of nines".
function short(name, width) {
  if (width >= 9 * name.length) return name;
  return name.startsWith("Run") ? `Run ${name.slice(-1)}` : "Set";
}

// Where an element stands, so that its successor after a redraw can be found.
function address(element) {
  if (element.dataset.card) return `[data-card="${element.dataset.card}"]`;
  const part = ["bar", "upper", "say"].find((name) => element.closest(`.${name}`));
  return part && element.dataset.do ? `.${part} [data-do="${element.dataset.do}"][data-act="${element.dataset.act || ""}"]` : ".table";
}
