// The panel "Measure": agents play many games of the game on the table, as it is or with a variant switched as well.
"use strict";

(() => {
const AGENTS = ["random", "greedy", "mcts", "first"];

// `page` has what the panel needs of the page: `id`, `make`, `button`, `send` and `addPieces`.
globalThis.measurePanel = ({ id, make, button, send, addPieces }) => {
  const [form, status, results] = ["measure-form", "measure-status", "measure-results"].map(id);
  let [running, shown] = [false, ""];

  // Fills a list of choices; what was chosen stays chosen as long as it is there.
  function fill(select, options) {
    const chosen = select.value;
    select.replaceChildren();
    for (const [value, text] of options) make("option", select, text).value = value;
    if (options.some(([value]) => value === chosen)) select.value = chosen;
  }

  function say(text, kind = "") {
    status.textContent = text;
    status.className = kind;
  }

  async function play() {
    if (running) return;
    running = true;
    form.querySelector("button").disabled = true;
    say("running");
    button(status, "Stop", () => send("stop"));
    const fields = new FormData(form);
    const agents = [...id("measure-agents").querySelectorAll("select")].map(({ name, value }) => [name, value]);
    const answer = await send("measure", {
      games: Number(fields.get("games")), seed: Number(fields.get("seed")),
      agents: Object.fromEntries(agents), variant: fields.get("variant") || null,
    });
    running = false;
    form.querySelector("button").disabled = false;
    say(answer.refused ?? answer.late ?? "", "wrong");
    if (!answer.pieces) return;
    for (const before of results.querySelectorAll("details")) before.open = false;
    const result = make("section");
    addPieces(result, answer.pieces);
    results.prepend(result);
    result.firstChild?.scrollIntoView({ block: "nearest" });
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    play();
  });

  return {
    // A state came.
    render(next) {
      const sides = next.sides.map((side) => side.name);
      const shows = JSON.stringify([next.game, sides, next.tweaks.map(([name, on]) => [name, on])]);
      if (shows === shown) return;
      shown = shows;
      const box = id("measure-agents");
      const before = new Map([...box.querySelectorAll("select")].map(({ name, value }) => [name, value]));
      box.replaceChildren();
      for (const side of sides) {
        const select = make("select", make("label", box, `${side} `));
        select.name = side;
        fill(select, AGENTS.map((agent) => [agent, agent]));
        select.value = before.get(side) ?? AGENTS[0];
      }
      const variants = next.tweaks.map(([name, on]) => [name, `the same with ${name} ${on === "on" ? "off" : "on"}`]);
      fill(id("measure-variant"), [["", "nothing"], ...variants]);
    },
    // How far the games are.
    progress({ what, done, count }) {
      if (!running) return;
      status.firstChild.textContent = count === null || count === undefined ? `${done} ${what}` : `${done} of ${count} ${what}`;
    },
  };
};
})();
