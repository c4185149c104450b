// Play by link: the game as a link to hand on, and what this browser has seen of games by link.
//
// All of it is shown only where the session says that its page can be opened by a link:
//   session.link               true
//   session.ask("link", { id })  resolves to { link, id, answers, hash, secret, hides } or { problems }
//   session.kept               { get(key), set(key, value) }: texts that outlive a visit; may be absent
// Whoever opens the session with the link in the page's address uses
//   link.text()                the link in the address, which stays there (`Link::read`), or null
//   link.seen()                { ID: HASH } of the links that this browser has seen (`seen` of `Session::of_link`)
//   link.opened(answer)        to be called with `Link::summary`, { id, answers, hash }, or with { problems, id? }
"use strict";

(() => {
const NAME = "#game=";
const KEY = "links";
// Maximum number of games of which it is kept what was seen.
const MOST = 100;
// A hash has so many digits for the start of the game, and as many for each answer.
const DIGEST = 16;
const id = (name) => document.getElementById(name);
const counted = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;
// The number of answers when the message was shown: a later one ends it.
let shownAt = null;
let given = null;

function text() {
  return location.hash.startsWith(NAME) ? location.hash.slice(NAME.length) : null;
}

// What was seen, by the game's id; the game that was seen last stands last.
function stored() {
  try { return new Map(JSON.parse(session.kept?.get(KEY) ?? "[]")); } catch { return new Map(); }
}
const store = (games) => session.kept?.set(KEY, JSON.stringify([...games].slice(-MOST)));
const seen = () => Object.fromEntries(stored());

// Keeps what was seen of a game, unless more of the same is known already.
function remember(game, hash) {
  const games = stored();
  const before = games.get(game);
  games.delete(game);
  store(games.set(game, before?.startsWith(hash) ? before : hash));
}

// Shows a message with what can be done about it. `address` is shown to be copied by hand.
function say(message, { address, act, name } = {}) {
  shownAt = given;
  id("linked").hidden = false;
  id("linked-text").textContent = message;
  id("linked-address").hidden = !address;
  id("linked-address").value = address ?? "";
  if (address) id("linked-address").select();
  id("linked-act").hidden = !act;
  id("linked-act").textContent = name ?? "";
  id("linked-act").onclick = act ?? null;
}

const explain = (problems) => problems.map(({ message, help }) => [message, help].filter(Boolean).join("; ")).join("\n");

async function copy() {
  const drawn = [...crypto.getRandomValues(new Uint32Array(3))].map((number) => number.toString(36)).join("");
  const answer = await session.ask("link", { id: drawn });
  if (!answer.link) return say(answer.problems ? explain(answer.problems) : answer.refused ?? "there is no link");
  remember(answer.id, answer.hash);
  const address = location.href.split("#")[0] + NAME + answer.link;
  const secret = answer.secret === 0 ? "" : `\n${answer.secret === 1 ? "The last answer is" : `The last ${answer.secret} answers are`} `
    + "secret: the page that opens the link does not show them before the phase ends, but somebody who decodes the link can read them. "
    + "They cannot be changed later without being noticed, because the browser that opens the link keeps a hash of them.";
  const hides = answer.hides ? "\nThe page shows each side what it sees, but somebody who decodes the link can read all that is hidden." : "";
  try {
    await navigator.clipboard.writeText(address);
    say(`copied: ${counted(answer.answers, "answer")}${secret}${hides}`);
  } catch {
    say(`${counted(answer.answers, "answer")}; copy this address:${secret}${hides}`, { address });
  }
}

function opened({ problems, id: game, answers, hash }) {
  if (problems) {
    // What was seen may be forgotten, so that the game goes on from the link.
    const changed = game && problems.some((problem) => problem.id.startsWith("changed-"));
    const act = () => {
      const games = stored();
      games.delete(game);
      store(games);
      location.reload();
    };
    return say(`The link was not opened: ${explain(problems)}`, changed ? { act, name: "Open it all the same" } : {});
  }
  const before = stored().get(game);
  remember(game, hash);
  const more = before && answers - (before.length / DIGEST - 1);
  say(!before ? `This browser sees this game for the first time: ${counted(answers, "answer")}.`
    : more > 0 ? `The game goes on: ${counted(more, "answer")} more than before.`
    : "This browser has seen all answers of this link before.");
}

// Shows the buttons, with whose secret choice comes next.
function render(next) {
  id("copy-link").hidden = id("copy-link-for").hidden = !session.link;
  id("copy-link-for").textContent = `Copy link for ${next.secret}`;
  given = next.line.given;
  shownAt ??= given;
  if (given > shownAt) id("linked").hidden = true;
}

id("copy-link").addEventListener("click", copy);
id("copy-link-for").addEventListener("click", copy);
id("linked-close").addEventListener("click", () => { id("linked").hidden = true; });

globalThis.link = { text, seen, opened, render };
})();
