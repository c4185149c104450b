// The panel "Scripts": the scripts and settings of the game in an editor. What is typed is written after a short pause,
// and the table goes on under it at once. While a text is broken its problems are shown, and the last good rules stay.
"use strict";

(() => {
// Milliseconds without a key after which a text is written.
const PAUSE = 400;
const KINDS = { game: "Game", "unit type": "Unit types", terrain: "Terrain", variant: "Variants", settings: "Settings" };

// `page` has what the panel needs of the page: `id`, `make`, `button`, `send`, `look` and `compare`.
globalThis.scriptsPanel = ({ id, make, button, send, look, compare }) => {
  let editor = null;
  // By path: what the session has (`text`, `version`), and in `typed` what it does not have yet.
  const files = new Map();
  let shown = null;
  let problems = [];
  // The game and how often its files have changed: in the session, and when the texts here were read.
  let [changes, loaded] = ["", null];
  let [timer, writing, writes, failed] = [null, false, 0, false];
  const isOpen = () => !id("scripts").hidden;

  function status(text, kind = "") {
    id("script-status").textContent = text;
    id("script-status").className = kind;
  }

  async function help(word) {
    const answer = await look(`:help ${word}`, true);
    const pieces = answer.pieces ?? [];
    return pieces.some((piece) => piece.kind === "error") ? null : pieces.map((piece) => piece.text).join("\n\n") || null;
  }

  // Reads the texts that the session has. One that is being changed here stays as it is.
  async function load() {
    loaded = changes;
    const before = writes;
    const answer = await send("sources");
    if (!answer.files) return status(answer.refused ?? "", "wrong");
    // A text was sent meanwhile.
    if (before !== writes) return void (loaded = null);
    const paths = new Set(answer.files.map((file) => file.path));
    for (const path of files.keys()) if (!paths.has(path)) files.delete(path);
    for (const file of answer.files) {
      const here = files.get(file.path);
      files.set(file.path, here?.typed !== undefined ? here : { ...file, fixed: Boolean(answer.fixed) });
    }
    list();
    id("script-note").textContent = answer.fixed?.map(({ message, help }) => [message, help].filter(Boolean).join("; ")).join()
      ?? (answer.folder ? `Changes are written to the files in ${answer.folder}` : "");
    editor ??= makeEditor(id("script-text"), { change, save: write, help, label: "editor; Escape and then Tab leaves it:" });
    editor.setWords(answer.words);
    show(files.has(shown) ? shown : files.keys().next().value);
    showProblems(answer.problems);
  }

  function list() {
    const choice = id("script");
    const wanted = JSON.stringify([...files.keys()]);
    if (choice.dataset.paths === wanted) return;
    choice.dataset.paths = wanted;
    choice.replaceChildren();
    for (const [kind, title] of Object.entries(KINDS)) {
      const own = [...files.values()].filter((file) => file.kind === kind);
      if (!own.length) continue;
      const group = make("optgroup", choice);
      group.label = title;
      for (const { path } of own) make("option", group, path.split("/").at(-1)).value = path;
    }
  }

  function show(path) {
    const file = files.get(path);
    if (!file) return;
    // What was typed elsewhere is not left behind.
    if (path !== shown) write();
    shown = path;
    id("script").value = path;
    id("script-path").textContent = path;
    editor.open(path, file.typed ?? file.text, file.fixed);
    underline();
  }

  function underline() {
    editor.setProblems(problems.filter((problem) => problem.path === shown).map((problem) => ({
      ...problem, message: [problem.message, problem.expected].filter(Boolean).join(": "),
    })));
  }

  function showProblems(found) {
    problems = found;
    const box = id("script-problems");
    box.replaceChildren();
    for (const problem of problems) {
      const item = make("li", box);
      if (problem.path && files.has(problem.path)) {
        button(item, `${problem.path}:${problem.line}:${problem.column}`, () => {
          show(problem.path);
          editor.goTo(problem.line, problem.column);
        });
      } else if (problem.path) make("code", item, `${problem.path}:${problem.line}:${problem.column}`);
      make("span", item, problem.message);
      if (problem.expected) make("span", item, problem.expected);
      if (problem.help) make("span", item, `help: ${problem.help}`, "about");
    }
    underline();
  }

  function change(text) {
    const file = files.get(shown);
    file.typed = text;
    if (file.newer) return;
    status("...");
    clearTimeout(timer);
    timer = setTimeout(write, PAUSE);
  }

  // Writes what was typed: one text after the other, each as it is then.
  async function write() {
    clearTimeout(timer);
    const file = [...files.values()].find((file) => file.typed !== undefined && !file.newer);
    if (writing || !file) return;
    writing = true;
    writes += 1;
    const { path, version, typed } = file;
    const answer = await send("write", { path, text: typed, version });
    writing = false;
    failed = !answer.problems;
    if (failed) return status(answer.refused ?? answer.late ?? "not written", "wrong");
    if (answer.problems[0]?.id === "changed-elsewhere") return choose(file);
    if (answer.version) {
      Object.assign(file, { text: typed, version: answer.version });
      if (file.typed === typed) delete file.typed;
    }
    showProblems(answer.problems);
    if (!answer.version) status("not written", "wrong");
    else if (answer.problems.length) status("the last good rules play on", "wrong");
    else status(answer.live ? "live on the board" : "written", "good");
    if (answer.version) await write();
    if (isOpen() && loaded !== changes && !writing) load();
  }

  // Somebody else has changed the file: whose text counts is for the person here to say.
  function choose(file) {
    file.newer = true;
    status(`${file.path} was changed elsewhere meanwhile.`, "wrong");
    const decide = (act) => () => {
      delete file.newer;
      act();
      status("");
    };
    button(id("script-status"), "take that text", decide(() => { delete file.typed; load(); }));
    button(id("script-status"), "write mine over it", decide(() => { delete file.version; write(); }));
  }

  id("script").addEventListener("change", () => show(id("script").value));
  id("script-help").addEventListener("click", () => editor?.help());
  id("script-diff").addEventListener("click", async () => {
    await write();
    compare("");
  });

  return {
    // The tab was chosen.
    open() {
      if (loaded !== changes) load();
    },
    // A state came.
    render(next) {
      changes = `${next.game} ${next.changes}`;
      if (failed) write();
      if (isOpen() && loaded !== changes) load();
    },
  };
};
})();
