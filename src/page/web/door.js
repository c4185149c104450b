// The front door: which game, from where, who plays it, with which variants. What it starts are lines that a person
// could type, sent one after the other.
"use strict";

(() => {
const PLAYERS = [["me", "a person"], ["random", "machine, weak"], ["greedy", "machine, middle"], ["mcts", "machine, strong"]];
const many = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

// The puzzle of a day: they take turns, a day each.
function ofDay(puzzles, now = new Date()) {
  const day = Math.floor(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / 864e5);
  return puzzles[day % puzzles.length];
}

// `page` has what the door needs of the page: `id`, `make`, `pictured`, `send`, `errors` and `notice`; `closed` is
// called when it has closed.
globalThis.frontDoor = ({ id, make, pictured, send, errors, notice, closed }) => {
  let state = null;
  let games = null;
  let game = null;
  // Opened because the session says so, and not by its button.
  let unasked = false;
  let dismissed = false;
  const isOpen = () => !id("door").hidden;

  async function open() {
    id("door").hidden = false;
    document.body.classList.add("choosing");
    id("door-back").hidden = false;
    if (!games) {
      const answer = await send("door");
      if (!answer.games) return notice(answer.refused ?? "");
      games = answer.games;
      list();
    }
    const now = games.find((one) => one.name === state?.game) ?? games[0];
    if (now) choose(now);
    if (isOpen()) id("games").querySelector("input:checked")?.focus({ preventScroll: true });
    document.body.dataset.door = "ready";
  }
  // `next` is what has the keys from now on.
  function close(next = "new") {
    if (!isOpen()) return;
    id("door").hidden = true;
    document.body.classList.remove("choosing");
    unasked = false;
    dismissed = true;
    id(next).focus({ preventScroll: true });
    closed();
  }
  function update(next) {
    state = next;
    if (next.door && !dismissed && !isOpen()) {
      unasked = true;
      open();
    } else if (!next.door && unasked && !id("begin").inert) close("options");
  }

  function list() {
    for (const one of games) {
      const item = make("li", id("games"));
      const label = make("label", item);
      const input = make("input", label);
      Object.assign(input, { type: "radio", name: "game", value: one.name });
      // A click on the one that is chosen already counts, too.
      input.addEventListener("click", () => {
        if (one !== game) choose(one);
        // On a narrow screen what comes next lies below the games.
        if (matchMedia("(max-width: 760px)").matches) id("begin").scrollIntoView({ block: "nearest" });
      });
      const image = make("img", label);
      image.alt = "";
      if (one.picture) image.src = pictured(one.picture);
      const text = make("div", label);
      make("b", text, one.title);
      const facts = [one.players ? many(one.players, "player") : "", one.minutes ? many(one.minutes, "minute") : ""];
      make("small", text, facts.filter(Boolean).join(", "));
      if (one.about) make("p", text, one.about);
      if (one.problem) make("pre", text, one.problem, "error");
    }
  }

  function choose(one) {
    game = one;
    for (const input of id("games").querySelectorAll("input")) input.checked = input.value === one.name;
    id("begin").hidden = Boolean(one.problem);
    const puzzles = one.starts.filter((start) => start.puzzle);
    const today = puzzles.length ? ofDay(puzzles) : null;
    id("start-puzzle").hidden = !today;
    id("start-puzzle").querySelector("input").value = today?.name ?? "";
    id("puzzle-of-day").textContent = today ? `${today.title}: ${today.puzzle}` : "";
    id("start-position").hidden = !one.starts.length;
    id("position-sought").value = "";
    positions();
    id("begin").elements.start[0].checked = true;
    const seats = id("seats");
    seats.replaceChildren();
    one.factions.forEach((faction, nth) => {
      const label = make("label", seats, `${faction} `);
      const choice = make("select", label);
      choice.name = faction;
      for (const [agent, text] of PLAYERS) make("option", choice, text).value = agent;
      choice.value = nth ? "greedy" : "me";
    });
    const variants = id("door-variants");
    variants.replaceChildren();
    id("door-rules").hidden = !one.variants.length;
    id("door-rules").querySelector("summary").textContent = `Rules: ${many(one.variants.length, "variant")}`;
    for (const variant of one.variants) {
      const label = make("label", make("li", variants));
      const box = make("input", label);
      Object.assign(box, { type: "checkbox", value: variant.name, checked: variant.on, defaultChecked: variant.on });
      box.setAttribute("role", "switch");
      make("b", label, variant.name);
      make("span", label, variant.note, "about");
    }
  }

  function positions() {
    const words = id("position-sought").value.toLowerCase().split(/\s+/).filter(Boolean);
    const choice = id("position");
    choice.replaceChildren();
    for (const { name, title } of game.starts) {
      const text = `${title} ${name}`.toLowerCase();
      if (words.every((word) => text.includes(word))) make("option", choice, title).value = name;
    }
    if (choice.options.length) choice.selectedIndex = 0;
  }

  // The lines that start what is chosen.
  function lines() {
    const form = id("begin");
    const kind = [...form.elements.start].find((input) => input.checked);
    const start = { game: `:new ${game.name}`, position: `:open ${id("position").value}` }[kind.id.replace("start-at-", "")]
      ?? `:open ${kind.value}`;
    // Nobody answers before everybody has a seat.
    const all = state.sides.filter((side) => side.agent).map((side) => `:plays ${side.name} me`);
    all.push(start);
    const turned = [...id("door-variants").querySelectorAll("input")].filter((box) => box.checked !== box.defaultChecked);
    const names = (on) => turned.filter((box) => box.checked === on).map((box) => box.value);
    if (names(true).length) all.push(`:with ${names(true).join(" ")}`);
    if (names(false).length) all.push(`:without ${names(false).join(" ")}`);
    // What the variants change at the beginning counts as well.
    if (turned.length) all.push(":restart");
    for (const seat of id("seats").querySelectorAll("select")) {
      if (seat.value !== "me") all.push(`:plays ${seat.name} ${seat.value}`);
    }
    return all;
  }
  async function begin() {
    notice("");
    id("begin").inert = true;
    let wrong = "";
    for (const line of lines()) {
      const answer = await send("line", { line });
      wrong = answer.late ?? answer.refused ?? errors(answer).join("\n");
      if (wrong) break;
    }
    id("begin").inert = false;
    notice(wrong);
    if (!wrong) close("options");
  }

  id("begin").addEventListener("submit", (event) => { event.preventDefault(); begin(); });
  id("position-sought").addEventListener("input", positions);
  for (const name of ["position", "position-sought"]) {
    id(name).addEventListener("input", () => { id("start-at-position").checked = true; });
  }
  id("door-back").addEventListener("click", () => close());
  return { open, close, update, isOpen };
};
})();
