// What a page shows when a game is over: who has won and how, and what can be done now.
"use strict";

(() => {
const percent = (share) => `${Math.round(share * 100)} %`;

// `page` has what it needs of the page: `make`, `button`, `line`, `show` and `door`.
globalThis.gameOver = ({ make, button, line, show, door }) => {
  const again = (state) => line(`:seed ${state.seed + 1}`);

  // Each player takes the next faction.
  async function swap(state) {
    const { sides } = state;
    for (const [nth, side] of sides.entries()) {
      const agent = sides[(nth + sides.length - 1) % sides.length].agent ?? "me";
      if (agent !== (side.agent ?? "me") && !await line(`:plays ${side.name} ${agent}`)) return;
    }
    await again(state);
  }

  const headline = ({ winner, drawn }) => (winner ? `${winner} wins` : drawn ? "A draw" : "The game is over");

  function render(state, box) {
    const { sides, over, puzzle, expected } = state;
    if (over.how) make("p", box, over.how, "how");
    if (puzzle && expected.length) {
      const solved = expected.every(([, holds]) => holds === "true now");
      make("p", box, solved ? "\u2713 The puzzle is solved." : "\u2717 The puzzle is not solved.", solved ? "holds" : "fails");
    }
    const table = make("ul", box, null, "scores");
    for (const side of sides) {
      const item = make("li", table);
      item.style.setProperty("--side", side.colour);
      make("i", item, null, `shape${side.shape}`).setAttribute("aria-hidden", "true");
      make("b", item, side.name);
      const numbers = side.numbers.map(([what, value]) => `${what.replaceAll("_", " ")} ${value}`);
      make("span", item, [side.agent ? `played by ${side.agent}` : "played here", ...numbers].join(", "), "numbers");
    }
    button(box, "Again", () => again(state)).title = "The same start with other dice";
    if (sides.some((side) => side.agent !== sides[0].agent)) {
      button(box, "Swap seats", () => swap(state)).title = "Machines and persons change factions, and it begins again";
    }
    button(box, "Look at the turning point", () => show(":turning-point", "The turning point"));
    button(box, "New game", () => door.open());
  }

  // The answer to `:turning-point`.
  function turning(box, found) {
    make("p", box, found.step).className = "step";
    if (found.answers.length) make("p", box, found.answers.join(", "), "answers");
    const rows = make("div", box, null, "bars");
    make("span", rows, `${found.faction} wins`, "head");
    for (const [what, share] of [["before it", found.before], ["after it", found.after]]) {
      make("span", rows, what);
      make("span", make("span", rows, null, "bar")).style.width = `${share * 100}%`;
      make("span", rows, percent(share), "share");
    }
    make("p", box, `Estimated with ${found.games} games with random answers from each of ${found.positions} positions.`);
    if (found.undo) {
      button(box, "Go to it", () => line(`:undo ${found.undo}`)).title = "To the last answer of a person until then; redo goes forward again";
    }
  }

  return { headline, render, turning };
};
})();
