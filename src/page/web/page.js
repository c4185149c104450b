// The table on a page. It shows the state that the session sends, and sends lines as a person would type them.
// Without a session it shows the states of a game that was played, which stand in the page itself.
// Every text is put in as text; the boards are pictures. Nothing here knows a rule.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const id = (name) => document.getElementById(name);
// A game that was played, where the page has one in it.
const kept = id("data") && JSON.parse(id("data").textContent);
document.body.classList.toggle("kept", Boolean(kept));
let state = null;
// What has been pointed at of an option that is several things, and what is taken where several are chosen.
let picked = [];
let taken = [];
let editing = false;
let held = null;
let pointed = null;
let uncovered = null;
const looked = new Map();
const typed = { lines: [], at: 0 };

function make(tag, parent, text, className) {
  const element = document.createElement(tag);
  if (text !== undefined && text !== null) element.textContent = text;
  if (className) element.className = className;
  if (parent) parent.append(element);
  return element;
}
// The pieces of an answer, each as text or with the parts that can be folded.
function addPieces(box, pieces) {
  for (const piece of pieces) {
    if (piece.parts) addParts(make("div", box, null, "trace"), piece.parts);
    else make("pre", box, piece.text, piece.kind === "error" ? "error" : "");
  }
}
function addParts(box, parts) {
  for (const part of parts) {
    if (part.rows) { addTable(box, part); continue; }
    const fold = part.parts && make("details", box);
    if (!fold) { make("pre", box, part.text); continue; }
    fold.open = part.open;
    make("summary", fold, part.head);
    addParts(fold, part.parts);
  }
}
// Numbers and ranges stand at the end of their cells; only ranges may be broken.
function addTable(box, { rows, headed }) {
  const table = make("table", make("div", box, null, "wide"));
  rows.forEach((cells, nth) => {
    const row = make("tr", table);
    for (const [at, cell] of cells.entries()) {
      const head = headed && nth === 0 ? "col" : at === 0 ? "row" : "";
      const kind = /^[-+]?[\d.,]+( %)?$/.test(cell) ? "number" : /^[-+\d]/.test(cell) ? "range" : "";
      const made = make(head && cell ? "th" : "td", row, cell, kind);
      if (head && cell) made.scope = head;
    }
  });
}
function draw(tag, parent, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  parent.append(element);
  return element;
}
const button = (parent, text, act, className) => {
  const made = make("button", parent, text, className);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
};
const pictured = (svg) => "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg);

// --- to the session and back ------------------------------------------------------------------------------------

let busy = 0;
// So many looks that somebody asked for have not been answered yet.
let asking = 0;
// Which of several pages this is, so that a look here ends none there.
const own = Math.floor(Math.random() * 2 ** 52);
async function send(kind, body) {
  const slow = setTimeout(() => { id("stop").hidden = false; }, 400);
  busy += 1;
  const answer = await session.ask(kind, body);
  clearTimeout(slow);
  busy -= 1;
  if (busy === 0) id("stop").hidden = !state?.thinking;
  return answer;
}

const errors = (answer) => (answer.pieces ?? []).filter((p) => p.kind === "error").map((p) => p.text);

// Sends a line; what it brings about comes with the next state.
async function line(text, byHand) {
  if (kept) return false;
  notice("");
  const answer = await send("line", { line: text, seen: state?.number });
  const wrong = answer.late ?? answer.refused ?? errors(answer).join("\n");
  if (wrong) notice(wrong);
  // What was said and changed nothing on the table would else be seen by nobody.
  if (!wrong && byHand && !answer.played) {
    choose("told");
    id("told").scrollIntoView({ block: "nearest" });
  }
  return !wrong;
}

// Asks what a line would tell; the same question about the same state is asked once.
// At what is only glanced at, such as what is pointed at, nobody waits long: the next glance takes its place.
function look(text, glance) {
  if (kept) return Promise.resolve({ pieces: keptAnswer(text).map((said) => ({ kind: "text", text: said })) });
  const key = `${state?.number}|${text}`;
  if (!looked.has(key)) {
    if (looked.size > 200) looked.clear();
    looked.set(key, send("look", { line: text, glance: Boolean(glance), page: own }).then((answer) => {
      if (answer.late) looked.delete(key);
      return answer;
    }));
  }
  return looked.get(key);
}

function notice(text) {
  id("notice").textContent = text;
  id("notice").hidden = !text;
}

// A state that comes ends what was said about a lost connection.
function found(next) {
  if (document.body.classList.contains("lost")) {
    document.body.classList.remove("lost");
    notice("");
  }
  arrive(next);
}
function lost(text) {
  id("where").textContent = text;
  document.body.classList.add("lost");
  notice(text);
}

// --- what is shown ----------------------------------------------------------------------------------------------

// Shows a state that came. A throw on its board is shown first: what came of it is not told before. Of the states that
// come meanwhile the last one counts.
let coming = null;
let throwOnShow = null;
async function arrive(next) {
  const waits = coming !== null || throwOnShow !== null;
  coming = next;
  while (!waits && coming) {
    const shown = coming;
    coming = null;
    await showThrow(shown);
    if (!coming) render(shown);
  }
}

// Plays the throw that a state's board tells of, where an answer has brought it and movement is welcome.
async function showThrow(next) {
  const before = id("sheet").throwing;
  const answered = state && next.line.given > state.line.given;
  if (!answered || next.secret || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  offerThrow(id("sheet"), next.board);
  const thrown = id("sheet").throwing;
  if (!thrown || thrown.key === before?.key) return;
  throwOnShow = thrown;
  document.body.classList.add("throws");
  // Neither do ways and marks tell before how it ends.
  const bare = thrown.bare;
  thrown.bare = throwing.without(next.board.svg, thrown.film, [".throw", ".touched", ".badge"]);
  await thrown.play();
  thrown.bare = bare;
  document.body.classList.remove("throws");
  throwOnShow = null;
  thrown.clear();
}

// Whoever does not want to see it to its end presses anything; what is pressed does nothing else.
for (const kind of ["pointerdown", "keydown"]) {
  addEventListener(kind, (event) => {
    if (!throwOnShow || event.target.closest?.(".throwing, #say, #stop")) return;
    event.stopImmediatePropagation();
    if (kind === "keydown") event.preventDefault();
    throwOnShow.pause();
  }, { capture: true });
}

// Buttons and forms have the help of their command.
function renderCommands(next) {
  const list = id("commands");
  if (!next.commands || list.options.length) return;
  for (const [name, help] of Object.entries(next.commands)) {
    const option = make("option", list);
    option.value = `:${name}`;
    option.label = help;
  }
  for (const element of document.querySelectorAll("[data-command]")) {
    element.title = next.commands[element.dataset.command];
  }
}

function render(next) {
  renderCommands(next);
  door?.update(next);
  // A session that was begun anew counts anew: the last that comes is the one that is.
  const before = state;
  state = next;
  looked.clear();
  const same = before && JSON.stringify(before.question) === JSON.stringify(next.question);
  if (!same) { picked = []; taken = []; }
  const inOptions = id("options").contains(document.activeElement);
  const onBoard = id("over").contains(document.activeElement);
  const name = next.title || next.scenario || next.game;
  document.title = `${name} - rulebench`;
  id("title").textContent = name;
  const { caption } = next.board;
  const when = caption.includes(next.at) ? caption : [next.at, caption].filter(Boolean).join(", ");
  id("where").textContent = [next.game, when].filter((part) => part && part !== name).join(" \u00b7 ");
  document.body.dataset.number = next.number;
  if (busy === 0) id("stop").hidden = !next.thinking;
  renderCover(next);
  renderSides(next);
  renderBoard(next, before);
  renderQuestion(next);
  renderRecord(next);
  renderTime(next);
  renderRules(next, before);
  scripts?.render(next);
  globalThis.link?.render(next);
  measure?.render(next);
  shared?.render();
  renderKeep(next);
  renderTold(next);
  if (!before || before.number !== next.number) hideLook();
  if (!same && inOptions) (id("options").querySelector("button") ?? id("options")).focus();
  if (onBoard) (id("over").querySelector("[tabindex='0']") ?? id("options")).focus();
}

function renderCover(next) {
  if (!next.secret) uncovered = null;
  // Nothing is kept from machines.
  const others = next.sides.some((side) => !side.agent && side.name !== next.secret);
  const covered = Boolean(next.secret) && others && next.secret !== uncovered && !door?.isOpen();
  // What was typed is as secret as what it answered.
  if (covered && id("cover").hidden) {
    typed.lines = [];
    typed.at = 0;
    id("typed").value = "";
  }
  id("cover").hidden = !covered;
  for (const part of document.querySelectorAll("main, header, .skip")) part.inert = covered;
  if (covered) {
    id("whose").textContent = `${next.secret} chooses in secret`;
    id("uncover").focus();
  }
}

// The choice of who plays a side. It stays the same element while states come, so that a list that is open stays open.
const choices = new Map();
function choiceOfPlayer(side) {
  const plays = make("select");
  plays.setAttribute("aria-label", `who plays ${side.name}`);
  plays.addEventListener("change", async () => {
    plays.sent = true;
    await line(`:plays ${side.name} ${plays.value}`);
    plays.sent = false;
    const now = state.sides.find((s) => s.name === side.name);
    if (now) showPlayer(plays, now);
  });
  choices.set(side.name, plays);
  return plays;
}
function showPlayer(plays, side) {
  // What was chosen and has not been heard yet is shown as it was chosen.
  if (plays.sent) return;
  const agents = ["me", "random", "greedy", "mcts", "first"];
  if (side.agent && !agents.includes(side.agent)) agents.push(side.agent);
  if (agents.some((agent, at) => plays.options[at]?.value !== agent) || plays.options.length !== agents.length) {
    plays.replaceChildren();
    for (const agent of agents) {
      const option = make("option", plays, agent === "me" ? "played here" : `played by ${agent}`);
      option.value = agent;
    }
  }
  plays.value = side.agent ?? "me";
}

function renderSides(next) {
  const list = id("sides");
  const items = next.sides.map((side) => choices.get(side.name)?.closest("li") ?? make("li"));
  if (items.length !== list.children.length || items.some((item, at) => list.children[at] !== item)) list.replaceChildren(...items);
  for (const [at, side] of next.sides.entries()) {
    const item = items[at];
    const shows = JSON.stringify([side, editing, held]);
    if (item.shows === shows) continue;
    item.shows = shows;
    item.className = side.asked ? "turn" : "";
    const plays = kept ? null : choices.get(side.name) ?? choiceOfPlayer(side);
    for (const part of [...item.childNodes]) if (part !== plays) part.remove();
    const front = document.createDocumentFragment();
    item.style.setProperty("--side", side.colour);
    make("i", front, null, `shape${side.shape}`).setAttribute("aria-hidden", "true");
    make("b", front, side.name);
    if (side.asked) make("span", front, "is asked", "unseen");
    const numbers = side.numbers.map(([what, value]) => `${what.replaceAll("_", " ")} ${value}`);
    if (numbers.length) make("span", front, numbers.join(", "), "numbers");
    if (side.reserve.length && !editing) {
      const waiting = make("details", front, null, "numbers");
      make("summary", waiting, `reserve ${side.reserve.length}`);
      waiting.append(side.reserve.join(", "));
    }
    if (!kept && editing) {
      for (const unit of side.reserve) {
        const chip = button(front, unit, () => hold(unit));
        chip.setAttribute("aria-pressed", held === unit);
      }
    }
    item.prepend(front);
    if (kept) continue;
    showPlayer(plays, side);
    if (plays.parentNode !== item) item.append(plays);
    const threat = button(item, "threat", () => show(`:threat ${side.name}`, `What ${side.name} could do now`));
    threat.setAttribute("aria-label", `threat of ${side.name}`);
  }
}

function renderBoard(next) {
  // Where dice are thrown there is room for what plays the throw, whether there is one or not.
  document.body.classList.toggle("arena", Boolean(next.board.table?.around));
  const legend = id("legend");
  legend.replaceChildren();
  for (const [name, colour] of next.board.grounds) {
    make("i", legend, null, "ground").style.background = colour;
    legend.append(name);
  }
  const both = next.board.grounds.length && next.board.legend.length;
  legend.append(`${both ? ", " : ""}${next.board.legend.join(", ")}`);
  renderOver();
  picture(id("sheet"), next.board);
  id("beside").hidden = !next.beside;
  document.body.classList.toggle("two", Boolean(next.beside));
  if (next.beside) picture(id("beside"), next.beside);
}

// Shows a board; not before it is drawn, so that nothing flickers.
async function picture(sheet, board) {
  if (throwOnShow) return;
  const [caption, image] = [sheet.querySelector("figcaption"), sheet.querySelector("img")];
  caption.textContent = board.name ?? "";
  caption.hidden = !board.name;
  sheet.style.setProperty("--ratio", `${board.size[0]} / ${board.size[1]}`);
  const units = board.units.map(standing).join(", ");
  image.alt = `The board. ${board.caption}. On it: ${units || "nobody"}.`;
  offerThrow(sheet, board);
  await drawn(sheet, sheet.throwing?.shown ? sheet.throwing.bare : board.svg);
}

// A unit and where it stands, in words.
const standing = (unit) => (unit.cell === undefined || unit.cell === null ? unit.name : `${unit.name} on ${unit.cell}`);

async function drawn(sheet, svg) {
  const image = sheet.querySelector("img");
  const wanted = pictured(svg);
  if (image.wanted === wanted) return;
  image.wanted = wanted;
  const made = new Image();
  made.src = wanted;
  try { await made.decode(); } catch { /* it is shown all the same */ }
  if (image.wanted === wanted) image.src = wanted;
}

// The throw that a board tells of can be played over it.
function offerThrow(sheet, board) {
  if (sheet.offered === board.svg) return;
  sheet.offered = board.svg;
  sheet.throwing?.clear();
  const stage = sheet.querySelector(".stage");
  stage.setAttribute("viewBox", `0 0 ${board.size[0]} ${board.size[1]}`);
  stage.replaceChildren();
  const root = draw("g", stage, { transform: `translate(${board.edge} ${board.edge})` });
  const thrown = throwing.offer(sheet.querySelector(".throwing"), board.svg, root, (svg) => drawn(sheet, svg));
  sheet.throwing = thrown;
}
const flying = () => [id("sheet"), id("beside")].map((sheet) => sheet.throwing).filter(Boolean);

// The options that still fit what was pointed at.
function fitting() {
  const question = state?.question;
  if (!question || question.takes) return [];
  return question.options.filter((option) => picked.every((p) => option.on.some((o) => isSame(o, p))));
}
const isSame = (a, b) => a.place === b.place && a.unit === b.unit && a.spot?.x === b.spot?.x && a.spot?.y === b.spot?.y;

function lit() {
  const question = state?.question;
  if (!question) return [];
  const things = question.takes ? question.takes.things.flatMap((t) => t.on) : fitting().flatMap((o) => o.on);
  return things.filter((t) => !picked.some((p) => isSame(t, p)));
}

function renderOver() {
  const over = id("over");
  const { size, edge, cells, units, table } = state.board;
  over.replaceChildren();
  over.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
  const root = draw("g", over, { transform: `translate(${edge} ${edge})` });
  const offered = editing ? [] : lit();
  const isLit = (thing) => offered.some((o) => isSame(o, thing));
  const isPicked = (thing) => picked.some((p) => isSame(p, thing)) || (editing && thing.unit && thing.unit === held);
  const points = (outline) => outline.map((p) => `${p.x},${p.y}`).join(" ");
  let first = true;
  const hit = (tag, attributes, thing, name, unit) => {
    const on = isLit(thing) || (editing && (unit || held));
    const classes = ["hit", unit ? "unit" : "place", on && !editing ? "lit" : "", isPicked(thing) ? "picked" : ""];
    const element = draw(tag, root, { ...attributes, class: classes.filter(Boolean).join(" "), role: "button" });
    element.setAttribute("aria-label", on && !editing ? `${name}, offered` : name);
    element.setAttribute("tabindex", on && first ? "0" : "-1");
    if (on) first = false;
    element.dataset.name = thing.unit ?? thing.place ?? name;
    element.thing = thing;
    element.addEventListener("click", (event) => { event.stopPropagation(); press(thing, spotAt(event, root)); });
    element.addEventListener("keydown", (event) => boardKey(event, element));
    element.addEventListener("pointerenter", (event) => { if (event.pointerType !== "touch") point(thing, 260); });
    element.addEventListener("pointerleave", () => clearTimeout(pointed));
    element.addEventListener("focus", () => { if (element.matches(":focus-visible")) point(thing, 500); });
    element.addEventListener("pointerdown", (event) => longPress(event, thing));
    if (unit) element.addEventListener("pointerdown", (event) => drag(event, thing.unit));
    return element;
  };
  if (table) {
    const ground = draw("rect", root, { x: table.beside, y: table.around ?? 0, width: table.size[0], height: table.size[1], class: "hit" });
    if (state.question?.region && !editing) ground.style.cursor = "crosshair";
    ground.addEventListener("click", (event) => pressSpot(event, root));
  }
  for (const cell of cells) {
    const there = units.filter((unit) => unit.cell === cell.name).map((unit) => unit.name);
    const name = [cell.name, there.join(", ")].filter(Boolean).join(": ");
    hit("polygon", { points: points(cell.outline) }, { place: cell.name }, name, false);
  }
  for (const unit of units) {
    const base = hit("circle", { cx: unit.at.x, cy: unit.at.y, r: unit.radius }, { unit: unit.name }, standing(unit), true);
    const gap = ringAround(unit);
    if (gap) {
      base.setAttribute("transform", `rotate(${gap.turn} ${unit.at.x} ${unit.at.y})`);
      base.style.setProperty("--dashes", gap.dashes);
      base.style.setProperty("--solid", gap.solid);
    }
    if (unit.name === state.question?.region && !editing) base.style.cursor = "crosshair";
  }
  // Whoever moves a little moves within its own base.
  for (const thing of offered.filter((o) => o.spot)) {
    hit("circle", { cx: thing.spot.x, cy: thing.spot.y, r: 7 }, thing, spotName(thing.spot), false);
  }
}

// The dashes of a ring around a unit that leave out the number beside it, and how far the ring is turned so that they
// begin behind it; nothing where the ring does not meet it.
function ringAround({ at, radius, beside }) {
  if (!beside) return null;
  const far = Math.hypot(beside.at.x - at.x, beside.at.y - at.y);
  const reach = beside.radius + 2;
  if (Math.abs(far - radius) >= reach) return null;
  const half = Math.acos(Math.max(-1, (far * far + radius * radius - reach * reach) / (2 * far * radius)));
  const [length, gap] = [2 * (Math.PI - half) * radius, 2 * half * radius];
  const count = Math.max(1, Math.round((length + 3) / 10));
  const dash = length / (count - 0.3);
  const dashes = Array.from({ length: count }, (_, nth) => [dash * 0.7, nth + 1 < count ? dash * 0.3 : gap]);
  const turn = (Math.atan2(beside.at.y - at.y, beside.at.x - at.x) + half) * 180 / Math.PI;
  return { turn, dashes: dashes.flat().join(" "), solid: `${length} ${gap}` };
}

// A spot as it is typed: to a hundredth of the table's unit, from the lower left corner.
function spotName(at) {
  const { table } = state.board;
  const text = (length) => String(Math.round(length * 1000) / 1000);
  return `${text((at.x - table.beside) / table.scale)},${text(((table.around ?? 0) + table.size[1] - at.y) / table.scale)}`;
}
function spotAt(event, root) {
  if (!state.board.table) return null;
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(root.getScreenCTM().inverse());
  const round = (length) => Math.round(length * 100) / 100;
  const { table } = state.board;
  const x = round((point.x - table.beside) / table.scale);
  const y = round(((table.around ?? 0) + table.size[1] - point.y) / table.scale);
  return `${x},${y}`;
}
function pressSpot(event, root) {
  if (editing && held) return put(spotAt(event, root));
  if (state.question?.region) line(spotAt(event, root));
}

// A click on something of the board, or Enter.
function press(thing, spot) {
  if (editing) return pressEditing(thing, spot);
  const question = state?.question;
  if (!question) return closer(thing, true);
  if (question.takes) {
    const index = question.takes.things.findIndex((t) => t.on.some((o) => isSame(o, thing)));
    return index < 0 ? closer(thing) : take(index);
  }
  let options = fitting().filter((o) => o.on.some((one) => isSame(one, thing)));
  if (!options.length && thing.unit) {
    // Where the unit itself is not meant, the place is where it stands.
    const cell = state.board.units.find((u) => u.name === thing.unit)?.cell;
    options = fitting().filter((o) => o.on.some((one) => one.place !== undefined && one.place === cell));
    if (options.length) thing = { place: cell };
  }
  // Within a zone or a piece of terrain lie spots, and where the mover's own base is.
  const holds = thing.place !== undefined || thing.unit === question.region;
  if (!options.length && question.region && spot && holds) return line(spot);
  if (!options.length) return closer(thing);
  if (options.length === 1) return line(options[0].say);
  picked.push(thing);
  renderOver();
  renderQuestion(state);
  const still = lit();
  (still.length ? id("over").querySelector("[tabindex='0']") : id("options").querySelector("button"))?.focus();
}

function take(index) {
  const { takes } = state.question;
  const times = taken.filter((t) => t === index).length;
  if (times >= takes.things[index].times) taken = taken.filter((t) => t !== index);
  else taken.push(index);
  picked = taken.flatMap((t) => takes.things[t].on);
  renderOver();
  renderQuestion(state);
}

function renderQuestion(next) {
  const box = id("options");
  const at = [...box.querySelectorAll("button")].indexOf(document.activeElement);
  renderOptions(next, box);
  // Whoever goes through the options with keys stays where they were.
  if (at >= 0) [...box.querySelectorAll("button")].at(Math.min(at, box.querySelectorAll("button").length - 1))?.focus();
}

function renderOptions(next, box) {
  const question = next.question;
  box.replaceChildren();
  id("puzzle").hidden = !next.puzzle;
  id("puzzle").textContent = next.puzzle ?? "";
  id("chances").hidden = !question || Boolean(next.secret);
  id("clear").hidden = !picked.length && !taken.length;
  id("edge").hidden = true;
  if (kept) return renderMoment(next);
  const waits = !next.thinking && next.sides.find((side) => side.asked && side.agent);
  if (waits) {
    make("p", box, `${waits.name} is played by ${waits.agent}, which waits.`);
    button(box, "continue", () => line(`:plays ${waits.name} ${waits.agent}`));
  }
  if (next.over) {
    id("question").textContent = over.headline(next.over);
    return over.render(next, box);
  }
  if (!question) {
    id("question").textContent = next.failed ? "The rules fail here"
      : next.thinking ? `${next.thinking} is thinking` : next.stands;
    if (next.failed) make("pre", box, next.failed, "error");
    return;
  }
  id("question").textContent = question.head;
  if (question.edge) {
    id("edge").hidden = false;
    id("edge").textContent = `the board ends at ${question.edge}; nothing can be placed beyond it`;
  }
  if (question.takes) renderTakes(question, box);
  else renderEach(question, box);
  for (const card of question.cards) make("p", box, card, "card");
}

function renderEach(question, box) {
  const fit = fitting();
  for (const option of question.options.filter((option) => fit.includes(option))) {
    // The second click of two would answer the next question.
    const choice = button(box, null, (event) => { if (event.detail < 2) line(option.say); });
    if (option.number) make("small", choice, option.number);
    make("span", choice, option.key);
    choice.addEventListener("keydown", alongOptions);
    choice.addEventListener("pointerenter", () => highlight(option, true));
    choice.addEventListener("pointerleave", () => highlight(option, false));
    choice.addEventListener("focus", () => highlight(option, true));
    choice.addEventListener("blur", () => highlight(option, false));
  }
  if (question.count > question.options.length) make("p", box, `... and ${question.count - question.options.length} more; type one of them`);
  if (question.region) make("p", box, "or click a point that can be reached, or type it as x,y");
  else if (question.besides) make("p", box, `or type ${question.besides}`);
}

function renderTakes(question, box) {
  const { things, least, most, order } = question.takes;
  things.forEach((thing, index) => {
    const count = taken.filter((t) => t === index).length;
    const choice = button(box, null, () => take(index), count ? "taken" : "");
    choice.setAttribute("aria-pressed", count > 0);
    const turns = taken.flatMap((t, nth) => (t === index ? [`${nth + 1}.`] : []));
    const nth = order && count ? ` (${turns.join(" ")})` : thing.times > 1 ? ` ${count}/${thing.times}` : "";
    make("span", choice, thing.key + nth);
    choice.addEventListener("keydown", alongOptions);
  });
  const chosen = order ? taken : [...taken].sort((a, b) => a - b);
  const answer = chosen.map((t) => things[t].key).join(" ") || "none";
  const enough = taken.length >= least && taken.length <= most;
  const done = button(box, enough ? `answer: ${answer}` : `choose ${least === most ? least : `${least} to ${most}`}`, () => line(answer));
  done.disabled = !enough;
}

function highlight(option, on) {
  for (const element of id("over").querySelectorAll(".hit")) {
    const is = element.thing && option.on.some((o) => isSame(o, element.thing));
    if (is) element.classList.toggle("picked", on);
  }
}

function alongOptions(event) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const all = [...id("options").querySelectorAll("button")];
  all[(all.indexOf(event.currentTarget) + step + all.length) % all.length]?.focus();
}

// Keys on the board: to what lies next in that direction, and what a click does.
function boardKey(event, element) {
  const towards = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    press(element.thing);
  } else if (event.key === "i") {
    event.preventDefault();
    event.stopPropagation();
    closer(element.thing);
  } else if (event.key === "Delete" && editing && element.thing.unit) {
    line(`:edit reserve ${element.thing.unit}`);
  } else if (towards) {
    event.preventDefault();
    const middle = (e) => { const b = e.getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; };
    const [x, y] = middle(element);
    const all = [...id("over").querySelectorAll("[role=button]")].filter((e) => e !== element);
    const marked = all.filter((e) => e.classList.contains("lit"));
    const near = (event.shiftKey || editing || !marked.length ? all : marked).map((e) => {
      const [ex, ey] = middle(e);
      const along = (ex - x) * towards[0] + (ey - y) * towards[1];
      const aside = Math.abs((ex - x) * towards[1]) + Math.abs((ey - y) * towards[0]);
      return { e, along, far: along + 2 * aside };
    }).filter((n) => n.along > 2);
    near.sort((a, b) => a.far - b.far);
    if (near[0]) {
      element.setAttribute("tabindex", "-1");
      near[0].e.setAttribute("tabindex", "0");
      near[0].e.focus();
    }
  }
}

// --- a closer look ----------------------------------------------------------------------------------------------

function point(thing, after) {
  clearTimeout(pointed);
  pointed = setTimeout(() => closer(thing), after);
}

// A finger that stays looks, and does not choose.
function longPress(event, thing) {
  if (event.pointerType !== "touch" || editing) return;
  const start = [event.clientX, event.clientY];
  const swallow = (click) => { click.stopPropagation(); click.preventDefault(); };
  const timer = setTimeout(() => {
    closer(thing);
    addEventListener("click", swallow, { capture: true, once: true });
  }, 500);
  follow((e) => { if (Math.hypot(e.clientX - start[0], e.clientY - start[1]) > 8) clearTimeout(timer); }, () => {
    clearTimeout(timer);
    // Where no click followed there is none to swallow.
    setTimeout(() => removeEventListener("click", swallow, { capture: true }), 400);
  });
}
// Hears of a pointer that is down until it is up.
function follow(move, end) {
  const done = (event) => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", done);
    removeEventListener("pointercancel", done);
    end(event);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", done);
  addEventListener("pointercancel", done);
}

async function closer(thing, clicked) {
  const name = thing.unit ?? thing.place;
  if (name === undefined || !state) return;
  if (kept && clicked) {
    ringed = thing.unit !== ringed ? thing.unit : null;
    rings();
  }
  const number = state.number;
  const box = openLook(name);
  const add = (answer) => {
    if (state.number !== number || !box.isConnected) return;
    box.querySelector(".waits")?.remove();
    addPieces(box, answer.pieces ?? []);
    seen(id("look"));
  };
  add(await look(`:card ${name}`, true));
  const standing = state.board.units.some((u) => u.name === thing.unit);
  if (standing && !kept) {
    const answer = await look(`:threat ${name}`, true);
    if (state.number !== number || !box.isConnected || answer.late) return;
    // Where dice are thrown nobody knows before.
    if (answer.drawn) marked(box, answer.drawn);
  }
  const question = state.question;
  const onBoard = question && (question.takes ? question.takes.things : question.options).some((o) => o.on.length);
  if (onBoard && !question.region && !lit().some((l) => isSame(l, thing)) && !picked.length) {
    const kind = thing.unit ? "unit" : "place";
    if (question.options.some((o) => o.on.some((one) => one[kind] !== undefined))) add(await look(`:why-not ${name}`, true));
  }
}

function openLook(title) {
  const box = id("look");
  box.replaceChildren();
  box.hidden = false;
  picture(id("sheet"), state.board);
  const head = make("h3", box);
  make("span", head, title);
  button(head, "close", () => closeLook()).setAttribute("aria-label", "close the closer look");
  const inner = make("div", box);
  make("p", inner, "...", "waits");
  seen(box);
  return inner;
}
function hideLook() {
  clearTimeout(pointed);
  id("look").hidden = true;
  if (state) picture(id("sheet"), state.board);
}
// On a narrow screen a closer look lies below what was pointed at.
function seen(box) {
  if (matchMedia("(max-width: 760px)").matches) box.scrollIntoView({ block: "nearest" });
}
function closeLook(quietly) {
  // Nobody waits any more for what it was to tell.
  if (asking > 0) {
    send("leave", { page: own });
    looked.clear();
  }
  hideLook();
  if (!quietly) id("options").querySelector("button")?.focus();
}

async function show(text, title) {
  const number = state.number;
  const box = openLook(title);
  asking += 1;
  const answer = await look(text);
  asking -= 1;
  if (state.number !== number || !box.isConnected) return;
  box.replaceChildren();
  showAnswer(box, answer);
  seen(id("look"));
}

function showAnswer(box, answer) {
  if (answer.drawn?.board) return marked(box, answer.drawn);
  if (answer.drawn?.arms) return bars(box, answer);
  if (answer.drawn?.turning) return over.turning(box, answer.drawn.turning);
  addPieces(box, answer.pieces ?? []);
  if (answer.refused ?? answer.late) make("pre", box, answer.refused ?? answer.late, "error");
}

// What is pointed out, on the board and in words.
function marked(box, found) {
  drawn(id("sheet"), found.board);
  make("pre", box, found.said);
}

// Odds: a bar for each outcome, with its share beside it.
function bars(box, answer) {
  const spread = (parent, outcomes) => {
    for (const { outcome, share: sampled, chance } of outcomes) {
      const share = sampled ?? chance.value;
      make("span", parent, outcome);
      const bar = make("span", parent, null, "bar");
      make("span", bar).style.width = `${share * 100}%`;
      make("span", parent, `${(share * 100).toFixed(1)} %`, "share").title = chance?.exact ?? "";
    }
  };
  for (const arm of answer.drawn.arms) {
    const rows = make("div", box, null, "bars");
    if (answer.drawn.arms.length > 1) make("span", rows, arm.arm, "head");
    const choice = arm.choice;
    if (!choice) spread(rows, arm.outcomes);
    for (const option of choice?.options ?? []) {
      const mean = option.mean ? `, mean ${option.mean.exact}` : "";
      make("span", rows, `${option.taken ? "\u2605 " : ""}${option.option}${mean}`, "head");
      spread(rows, option.outcomes);
    }
  }
  const more = make("details", box);
  make("summary", more, "details");
  addPieces(more, answer.pieces);
}

// --- the record and the line of time ----------------------------------------------------------------------------

let rows = [];
function renderRecord(next) {
  if (kept) return;
  const list = id("rows");
  const same = (a, b) => a.text === b.text && a.kind === b.kind && a.number === b.number;
  let common = 0;
  while (common < rows.length && common < next.record.length && same(rows[common], next.record[common])) common += 1;
  while (list.children.length > common) list.lastElementChild.remove();
  for (const row of next.record.slice(common)) {
    const item = addRow(list, row, row.number !== null ? () => why(item, row) : row.kind === "phase" ? () => goBack(item) : null);
  }
  if (common < next.record.length || rows.length > common) id("record").scrollTop = id("record").scrollHeight;
  // Whoever does not see the record hears what came last.
  const fresh = next.record.slice(Math.max(common, next.record.length - 8));
  if (rows.length) id("heard").textContent = fresh.map((row) => row.text.replace(/=+/g, "").trim()).join("; ");
  rows = next.record;
}
function addRow(list, row, act) {
  const depth = /^=*/.exec(row.text)[0].length;
  const item = make("li", list, null, row.kind);
  const text = row.text.replace(/^=+/, "").trim();
  if (row.kind === "phase") item.style.fontSize = `${Math.max(12.5, 15 - depth / 2) / 16}rem`;
  if (!act) {
    item.textContent = text;
    return item;
  }
  const told = button(item, text, () => {});
  told.title = kept ? "to this moment" : row.number !== null ? "why?" : "go back to here";
  item.addEventListener("click", act);
  return item;
}
function why(item, row) {
  for (const other of id("rows").querySelectorAll(".now")) other.classList.remove("now");
  item.classList.add("now");
  show(`:why ${row.number}`, `Why? ${row.text.trim()}`);
}
function goBack(item) {
  const name = item.textContent.replace(/=/g, "").trim();
  // The last of several is meant where nothing is said; the others are counted from there.
  const same = [...id("rows").querySelectorAll("li.phase")].filter((one) => one.textContent === item.textContent);
  const ago = same.length - same.indexOf(item);
  const box = openLook(name);
  box.replaceChildren();
  const go = button(box, "go back to its beginning", () => line(ago > 1 ? `:back ${ago} ${name}` : `:back ${name}`));
  make("p", box, "Redo goes forward again. Other answers begin a new branch.");
  go.focus();
}

function renderTime(next) {
  if (kept) return;
  const { given, ahead, name } = next.line;
  const slider = id("moment");
  slider.max = given + ahead;
  slider.value = given;
  slider.disabled = given + ahead === 0;
  id("given").textContent = ahead ? `${given} of ${given + ahead}` : `${given} ${given === 1 ? "answer" : "answers"}`;
  id("earlier").disabled = id("undo").disabled = given === 0 && next.record.every((r) => r.kind !== "chapter");
  id("later").disabled = id("redo").disabled = ahead === 0;
  const lines = id("lines");
  lines.replaceChildren();
  if (name) make("span", lines, `branch ${name}`);
  for (const [other, parted] of next.lines) {
    const there = button(lines, other, () => line(`:switch ${other}`));
    there.title = parted;
    there.setAttribute("aria-label", `go to the branch ${other}: ${parted}`);
  }
}

// --- rules ------------------------------------------------------------------------------------------------------

function renderRules(next, before) {
  const same = (what) => before && JSON.stringify(before[what]) === JSON.stringify(next[what]);
  if (!same("tweaks")) {
    const list = id("tweaks");
    list.replaceChildren();
    if (!next.tweaks.length) make("li", list, "this game has no variants");
    for (const [name, on, decided, about] of next.tweaks) {
      const item = make("li", list);
      const label = make("label", item);
      const box = make("input", label);
      box.type = "checkbox";
      box.setAttribute("role", "switch");
      box.checked = on === "on";
      label.append(` ${name}`);
      box.addEventListener("change", async () => {
        if (!await line(`${box.checked ? ":with" : ":without"} ${name}`)) box.checked = !box.checked;
      });
      button(item, "what does it change here?", () => compare(name));
      make("span", item, `${decided}${about ? `: ${about}` : ""}`, "about");
    }
  }
  if (!same("dials")) renderDials(next);
}

function renderDials(next) {
  const list = id("dials");
  list.replaceChildren();
  const sought = id("sought").value.trim().toLowerCase();
  const found = next.dials.filter((d) => d.name.toLowerCase().includes(sought));
  // The game's own first, those of unit types after.
  found.sort((a, b) => a.name.includes(".") - b.name.includes("."));
  if (!found.length) make("li", list, "no dial has this name");
  for (const dial of found) {
    const item = make("li", list, null, dial.value === dial.usual ? "" : "turned");
    make("label", item, dial.name);
    let value = () => dial.value;
    const changed = () => { turn.disabled = value() === "" || value() === dial.value; };
    if (dial.words) {
      const choice = make("select", item);
      for (const word of dial.words) make("option", choice, word).value = word;
      choice.value = dial.value;
      choice.setAttribute("aria-label", dial.name);
      choice.addEventListener("change", () => changed());
      value = () => choice.value;
    } else {
      const number = make("input", item);
      const slider = make("input", item);
      number.type = "number";
      slider.type = "range";
      for (const input of [number, slider]) {
        [input.min, input.max, input.value] = [dial.least, dial.most, dial.value];
        input.setAttribute("aria-label", dial.name);
      }
      slider.addEventListener("input", () => { number.value = slider.value; changed(); });
      number.addEventListener("input", () => { slider.value = number.value; changed(); });
      value = () => number.value;
    }
    const turn = button(item, "set", () => line(`:set ${dial.name}=${value()}`));
    button(item, "what does it change here?", () => compare(`${dial.name}=${value()}`));
    if (dial.value !== dial.usual) make("span", item, `else ${dial.usual}`, "usual");
    changed();
  }
}

// The game so far without and with a tweak, board beside board.
async function compare(what) {
  const answer = await look(`:diff ${what}`);
  const diff = answer.drawn?.diff;
  if (!diff) return notice(answer.late ?? answer.refused ?? errors(answer).join("\n") ?? "");
  id("compared").textContent = `${diff.names}: ${diff.headline}`;
  const boards = id("boards");
  boards.replaceChildren();
  for (const side of diff.same ? [] : diff.sides) {
    const figure = make("figure", boards);
    const caption = make("figcaption", figure, side.name);
    if (side.event !== null) make("code", caption, side.event);
    const picture = make("img", figure);
    picture.alt = `the board ${side.name}`;
    picture.src = pictured(side.board);
  }
  const changes = id("changes");
  changes.replaceChildren();
  if (diff.same) make("li", changes, "No difference: the same events and the same end.");
  else if (diff.changes.length) make("li", changes, "the present position, without | with:");
  for (const line of diff.functions) make("li", changes, line);
  for (const change of diff.changes.slice(0, 40)) make("li", changes, change);
  if (diff.changes.length > 40) make("li", changes, `and ${diff.changes.length - 40} more`);
  const dialog = id("compare");
  if (!dialog.open) dialog.showModal();
}

// A page without a session has no editor, and begins and plays no games.
const scripts = globalThis.scriptsPanel?.({ id, make, button, send, look, compare });
const door = globalThis.frontDoor?.({ id, make, pictured, send, errors, notice, closed: () => renderCover(state) });
const over = globalThis.gameOver?.({ make, button, line, show, door });
const measure = globalThis.measurePanel?.({ id, make, button, send, addPieces });
const shared = globalThis.sharedPanel?.({ id, notice });

// --- what is kept -----------------------------------------------------------------------------------------------

function renderKeep(next) {
  const list = id("expected");
  list.replaceChildren();
  if (!next.expected.length) make("li", list, "there are no expectations");
  next.expected.forEach(([what, holds], index) => {
    const item = make("li", list);
    const good = holds === "true now";
    make("span", item, good ? "\u2713 true" : "\u2717 not true", good ? "holds" : "fails");
    make("code", item, what).title = holds;
    if (!kept) button(item, "remove", () => line(`:expect -${index + 1}`));
  });
}

let lastTold = 0;
function renderTold(next) {
  const list = id("talk");
  const first = next.told[0]?.id ?? 0;
  while (list.firstElementChild && Number(list.firstElementChild.dataset.id) < first) list.firstElementChild.remove();
  if (next.told.every((t) => t.id < lastTold)) { list.replaceChildren(); lastTold = 0; }
  const fresh = next.told.filter((t) => t.id > lastTold);
  for (const told of fresh) {
    const item = make("li", list);
    item.dataset.id = told.id;
    if (told.line) make("p", item, `> ${told.line}${told.page ? "" : "   (at the prompt)"}`, "line");
    addPieces(item, told.pieces);
    lastTold = told.id;
  }
  if (fresh.length) id("told").scrollTop = id("told").scrollHeight;
  // What came by itself and went wrong is worth more than a line in a list: a script that cannot be read.
  const last = fresh.at(-1);
  if (last && !last.line && !last.page) {
    const wrong = last.pieces.filter((p) => p.kind === "error").map((p) => p.text);
    const reloaded = last.pieces.filter((p) => p.text.startsWith("reloaded "));
    if (wrong.length) notice(wrong.join("\n"));
    // What came of itself and is well again needs no word that it was not.
    else notice(reloaded.map((p) => p.text).join("\n"));
  }
}

// --- by hand ----------------------------------------------------------------------------------------------------

function setEditing(on) {
  editing = on;
  held = null;
  id("edit").setAttribute("aria-pressed", on);
  document.body.classList.toggle("editing", on);
  if (!state) return;
  renderSides(state);
  renderOver();
  if (on) {
    const box = openLook("Move by hand");
    box.replaceChildren();
    make("p", box, "Drag a unit, or choose it and then its new place. Delete, or dragging it off the board, puts it in the reserve. The rules must allow the new place. Undo moves it back.");
  } else closeLook(true);
}
function hold(unit) {
  held = held === unit ? null : unit;
  renderSides(state);
  renderOver();
  [...id("over").querySelectorAll(".unit")].find((e) => e.thing.unit === unit)?.focus();
}
const put = (where) => { const unit = held; held = null; return line(`:edit move ${unit} ${where}`); };
function pressEditing(thing, spot) {
  if (thing.unit && (!held || thing.unit === held)) return hold(thing.unit);
  if (!held) return closer(thing);
  const cell = thing.place ?? state.board.units.find((u) => u.name === thing.unit)?.cell;
  if (cell !== undefined && !state.board.table) return put(cell);
  if (spot && thing.place !== undefined) return put(spot);
}
function drag(event, unit) {
  if (!editing || event.button !== 0) return;
  const over = id("over");
  const root = over.querySelector("g");
  const start = [event.clientX, event.clientY];
  let ghost = null;
  const inside = (e) => new DOMPoint(e.clientX, e.clientY).matrixTransform(root.getScreenCTM().inverse());
  const move = (e) => {
    if (!ghost && Math.hypot(e.clientX - start[0], e.clientY - start[1]) < 6) return;
    const at = inside(e);
    ghost ??= draw("circle", root, { r: state.board.units.find((u) => u.name === unit)?.radius ?? 14, class: "ghost" });
    ghost.setAttribute("cx", at.x);
    ghost.setAttribute("cy", at.y);
  };
  const end = (e) => {
    if (!ghost) return;
    ghost.remove();
    // Nobody clicks what the browser has taken to scroll.
    if (e.type === "pointercancel") return;
    // The click that follows belongs to the drag.
    addEventListener("click", (c) => c.stopPropagation(), { capture: true, once: true });
    setTimeout(() => { held = null; }, 0);
    const below = document.elementsFromPoint(e.clientX, e.clientY);
    const box = id("sheet").getBoundingClientRect();
    const within = e.clientX >= box.left && e.clientX <= box.right && e.clientY >= box.top && e.clientY <= box.bottom;
    held = unit;
    if (state.board.table && within) put(spotAt(e, root));
    else {
      const cell = below.find((b) => b.thing?.place !== undefined)?.thing.place;
      if (cell !== undefined) put(cell);
      else line(`:edit reserve ${unit}`);
    }
  };
  follow(move, end);
}

// --- buttons and keys -------------------------------------------------------------------------------------------

id("new").addEventListener("click", () => door.open());
id("undo").addEventListener("click", () => line(":undo"));
id("redo").addEventListener("click", () => line(":redo"));
id("earlier").addEventListener("click", () => kept ? go(now - 1) : line(":undo"));
id("later").addEventListener("click", () => kept ? go(now + 1) : line(":redo"));
id("edit").addEventListener("click", () => setEditing(!editing));
id("help").addEventListener("click", () => id("keys").showModal());
id("notice").addEventListener("click", () => notice(""));
id("stop").addEventListener("click", () => send("stop"));
id("chances").addEventListener("click", () => show(":odds", "The odds"));
id("clear").addEventListener("click", () => anew());
id("sought").addEventListener("input", () => renderDials(state));
id("moment").addEventListener("input", () => {
  if (kept) go(Number(id("moment").value));
  else id("given").textContent = `to ${id("moment").value}`;
});
let sliding = null;
id("moment").addEventListener("change", () => {
  if (kept) return;
  // With keys it comes step by step.
  clearTimeout(sliding);
  sliding = setTimeout(() => {
    const by = Number(id("moment").value) - state.line.given;
    if (by) line(by < 0 ? `:undo ${-by}` : `:redo ${by}`);
  }, 150);
});
id("uncover").addEventListener("click", () => { uncovered = state.secret; renderCover(state); id("options").querySelector("button")?.focus(); });
id("both").addEventListener("click", () => { uncovered = state.secret; renderCover(state); line("both"); });

function anew() {
  picked = [];
  taken = [];
  held = null;
  renderOver();
  renderQuestion(state);
}

const form = (name, act) => id(name).addEventListener("submit", async (event) => {
  event.preventDefault();
  const fields = new FormData(event.target);
  if (await act((field) => (fields.get(field) ?? "").trim())) event.target.reset();
});
form("expect", (get) => line(`:expect ${get("what")}`));
form("save", (get) => line(`:save-scenario ${get("name")}${get("here") ? " --here" : ""} ${get("title")}`.trim(), true));
form("branch", (get) => line(`:branch ${get("name")}`));
form("say", () => {
  const text = id("typed").value;
  typed.lines.push(text);
  typed.at = typed.lines.length;
  return line(text, true);
});
id("typed").addEventListener("keydown", (event) => {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!step) return;
  event.preventDefault();
  typed.at = Math.max(0, Math.min(typed.lines.length, typed.at + step));
  id("typed").value = typed.lines[typed.at] ?? "";
});

const tabs = [...id("tabs").querySelectorAll("button")];
function choose(name, focus) {
  for (const tab of tabs) {
    const on = tab.getAttribute("aria-controls") === name;
    tab.setAttribute("aria-selected", on);
    tab.tabIndex = on ? 0 : -1;
    id(tab.getAttribute("aria-controls")).hidden = !on;
    if (on && focus) tab.focus();
  }
  for (const list of ["record", "told"]) id(list).scrollTop = id(list).scrollHeight;
  if (name === "scripts") scripts?.open();
  if (name === "keep") shared?.render();
}
tabs.forEach((tab) => {
  tab.addEventListener("click", () => choose(tab.getAttribute("aria-controls")));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const there = tabs.filter((t) => t.offsetParent);
    choose(there[(there.indexOf(tab) + step + there.length) % there.length].getAttribute("aria-controls"), true);
  });
});

document.addEventListener("keydown", (event) => {
  const inField = event.target.closest?.("input, select, textarea, dialog[open]");
  if (event.key === "Escape" && door?.isOpen()) return door.close();
  if (event.key === "Escape" && !document.querySelector("dialog[open]")) {
    closeLook(true);
    notice("");
    if (state) anew();
    if (inField) event.target.blur();
    return;
  }
  if (inField || event.ctrlKey || event.metaKey || event.altKey || !id("cover").hidden || door?.isOpen()) return;
  const onBoard = () => (id("over").querySelector("[tabindex='0']") ?? id("over").querySelector(".unit")
    ?? id("over").querySelector("[role=button]"))?.focus();
  if (kept) return event.defaultPrevented ? undefined : keptKey(event, onBoard);
  const keys = {
    u: () => line(":undo"),
    r: () => line(":redo"),
    o: () => { if (!id("chances").hidden) show(":odds", "The odds"); },
    e: () => setEditing(!editing),
    b: onBoard,
    "?": () => id("keys").showModal(),
    "/": () => id("typed").focus(),
    ":": () => { id("typed").focus(); id("typed").value = ":"; },
  };
  // Where numbers are what is answered, a digit is itself.
  const { options = [], takes } = state?.question ?? {};
  const digit = /^[0-9]$/.test(event.key) && !takes;
  const option = digit && options.find((o) => String(o.number ?? o.say) === event.key);
  const act = keys[event.key] ?? (option ? () => line(option.say) : null);
  if (!act) return;
  event.preventDefault();
  act();
});

// --- a game that was played, without a session ------------------------------------------------------------------

let now = -1;
let timer = null;
let ringed = null;
const keptRows = [];
const last = kept ? kept.steps.length - 1 : 0;

// A moment of a game as the session would send it.
function keptBoard(reel, moment) {
  const row = reel.lines[moment];
  const [wide, high] = reel.size;
  const parts = row.board.map((part) => kept.parts[part]).join("");
  return {
    svg: `<svg xmlns="${SVG}" viewBox="0 0 ${wide} ${high}" width="${wide}" height="${high}" font-family="${kept.fonts}">`
      + `<g transform="translate(${kept.edge} ${kept.edge})">${parts}</g></svg>`,
    name: reel.name, size: reel.size, edge: kept.edge, caption: row.caption, table: reel.table,
    cells: kept.things[row.cells], units: row.units.map((unit) => kept.things[unit]),
    legend: [...reel.legend, ...(reel.ranges.length ? ["click a unit to see its ranges"] : [])], grounds: reel.grounds,
    ranges: reel.ranges,
  };
}
function keptState(step) {
  const [moment, other] = kept.steps[step];
  const [reel, beside] = kept.reels;
  const row = reel.lines[moment];
  return {
    number: step, game: kept.game, title: kept.title, scenario: "", at: "", question: null, secret: null,
    board: keptBoard(reel, moment), beside: beside && keptBoard(beside, other),
    sides: kept.sides.map((side, nth) => ({ ...side, ...row.sides[nth], asked: false })),
    record: [], told: [], tweaks: [], dials: [], lines: [], line: {}, expected: reel.expected, row,
  };
}

// What the session would say.
function keptAnswer(text) {
  const [command, name] = text.split(/ (.*)/);
  const reel = kept.reels[0];
  if (command === ":why") return [reel.lines[Number(name)]?.why].filter(Boolean);
  const unit = state.board.units.find((u) => u.name === name);
  if (command === ":card" && unit) return [unit.told, reel.cards[unit.type]].filter(Boolean);
  const there = state.board.units.filter((u) => u.cell === name).map((u) => u.name);
  return command === ":card" ? [`${name}: ${there.join(", ") || "nobody"}`] : [];
}

// Where no question waits stands what happened, and why.
function renderMoment(next) {
  const { row } = next;
  const end = now === last ? ` End: ${kept.reels[0].end}.` : "";
  id("question").textContent = row.kind === "start" ? "The start" : row.text.replace(/=+/g, "").trim();
  const parts = kept.first !== null && now === kept.first ? "first difference"
    : kept.reels.length < 2 || now > kept.first && kept.first !== null ? ""
    : kept.first === null ? "no difference" : "the same so far";
  id("edge").hidden = !parts && !end;
  id("edge").textContent = `${parts}${end}`;
  if (row.why) {
    const box = id("options");
    const text = row.why.split("\n").slice(1).join("\n");
    make("pre", box, text, "why");
  }
}

function go(step) {
  const next = Math.max(0, Math.min(last, step));
  if (next === now) return;
  now = next;
  render(keptState(now));
  rings();
  id("moment").value = now;
  id("given").textContent = `${now} of ${last}`;
  id("earlier").disabled = id("first").disabled = now === 0;
  id("later").disabled = id("last").disabled = now === last;
  keptRows.forEach((rows, nth) => {
    const moment = kept.steps[now][nth];
    rows.forEach((row, index) => {
      row?.classList.toggle("now", index === moment);
      row?.classList.toggle("later", index > moment);
    });
    const row = rows[moment] ?? rows[1];
    const box = id("record");
    const top = row ? row.offsetTop - box.offsetTop : 0;
    if (top < box.scrollTop + 20 || top > box.scrollTop + box.clientHeight - 40) box.scrollTop = top - box.clientHeight / 2;
  });
  document.body.dataset.step = now;
}

function pause() {
  clearTimeout(timer);
  timer = null;
  id("play").textContent = "play";
  for (const thrown of flying()) thrown.pause();
}
function playOn() {
  if (timer) return pause();
  if (now === last) go(0);
  id("play").textContent = "pause";
  const on = async () => {
    if (now === last) return pause();
    const before = flying().map((thrown) => thrown.key);
    go(now + 1);
    const own = timer;
    // A throw is seen to its end.
    await Promise.all(flying().filter((thrown) => !before.includes(thrown.key)).map((thrown) => thrown.play()));
    if (timer === own) timer = setTimeout(on, 700);
  };
  timer = setTimeout(on, 700);
}

// The next place, in a direction, at which a step or a phase begins on any board.
function seek(direction, kinds) {
  let step = now + direction;
  const begins = (s) => kept.steps[s].some((moment, nth) => {
    const before = s > 0 ? kept.steps[s - 1][nth] : -1;
    return moment !== before && kinds.includes(kept.reels[nth].lines[moment].kind);
  });
  while (step > 0 && step < last && !begins(step)) step += direction;
  go(step);
}

// On a table top: the ranges around the unit that was clicked, on each board.
function rings() {
  for (const old of document.querySelectorAll(".ring, .ring-word")) old.remove();
  const boards = [[id("over"), state.board], [id("beside").querySelector(".over"), state.beside]];
  for (const [over, board] of boards) {
    if (!board) continue;
    const { size, edge, table } = board;
    over.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
    const root = over.querySelector("g") ?? draw("g", over, { transform: `translate(${edge} ${edge})` });
    const unit = board.units.find((u) => u.name === ringed && u.base);
    for (const [length, word] of unit && table ? board.ranges : []) {
      const { x, y } = unit.at;
      const r = unit.base / 2 + length;
      draw("circle", root, { cx: x, cy: y, r, class: "ring" });
      draw("text", root, { x, y: y - r > 8 ? y - r - 3 : y + r + 11, class: "ring-word" }).textContent = word;
    }
  }
}

function keptKey(event, onBoard) {
  const act = {
    ArrowLeft: () => go(now - 1),
    ArrowRight: () => go(now + 1),
    ArrowUp: () => seek(-1, ["step", "phase"]),
    ArrowDown: () => seek(1, ["step", "phase"]),
    PageUp: () => seek(-1, ["phase"]),
    PageDown: () => seek(1, ["phase"]),
    Home: () => go(0),
    End: () => go(last),
    // A button of a dialog that was just closed still has the focus until the page is drawn again.
    " ": event.target instanceof HTMLButtonElement && event.target.checkVisibility() ? null : playOn,
    d: () => { if (kept.first !== null) go(kept.first); },
    b: onBoard,
    "?": () => id("keys").showModal(),
  }[event.key];
  if (!act) return;
  event.preventDefault();
  if (act !== playOn) pause();
  act();
}

function replay() {
  id("about").textContent = kept.note;
  id("about").hidden = !kept.note;
  id("tab-keep").textContent = "Expected";
  id("tab-keep").hidden = kept.reels.every((reel) => !reel.expected.length);
  id("moment").max = last;
  kept.reels.forEach((reel, nth) => {
    const list = id(nth ? "rows-beside" : "rows");
    list.hidden = false;
    list.setAttribute("aria-label", reel.name || "what happened");
    const rows = reel.lines.map((row, moment) => {
      if (moment === 0) return null;
      const item = addRow(list, row, () => { pause(); go(kept.steps.findIndex((step) => step[nth] === moment)); });
      if (row.own) item.classList.add("own");
      if (row.own && kept.first !== null && kept.steps[kept.first][nth] === moment) item.classList.add("first");
      return item;
    });
    make("li", list, `end: ${reel.end}`, "phase");
    keptRows.push(rows);
  });
  if (kept.first !== null) {
    id("difference").hidden = false;
    id("tick").hidden = false;
    id("tick").style.left = `calc(8px + ${kept.first / Math.max(1, last)} * (100% - 16px) - 1px)`;
  }
  for (const [name, act] of [["first", () => go(0)], ["last", () => go(last)], ["play", playOn], ["difference", () => go(kept.first)]]) {
    id(name).addEventListener("click", () => {
      if (act !== playOn) pause();
      act();
    });
  }
  go(0);
}

if (kept) replay();
else session.listen({ state: found, lost, note: notice, kept: () => shared?.render(), progress: (task) => measure?.progress(task) });
