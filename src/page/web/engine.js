// The session of a page without a server: it runs in a thread of its own, as a module that stands in the page. It is the
// same small object that a served page has (`ask`, `listen`), and has besides what only such a page needs: links
// (`link`), what the browser keeps (`kept`), the files (`files`, `changed`, `name`), `page` and `reset`.
//
// A thread cannot be interrupted. To stop what takes long, the thread is ended and another one opens the session again
// from its journal, which the page keeps. With the files that were changed, it is kept between visits as well.
"use strict";

(() => {
// The page as it was loaded, before any script has changed it.
const original = `<!doctype html>\n${document.documentElement.outerHTML}`;
const block = (name) => document.getElementById(name).textContent.trim();
const LOST = "This page cannot run here: ";

// --- what stands in the page --------------------------------------------------------------------------------------

const bytesOf = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
const through = (bytes, stream) => new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer();
const unzipped = (name) => through(bytesOf(block(name)), new DecompressionStream("gzip"));
function base64Of(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

// Says in a sentence what the browser lacks; nothing if it has all.
function lacks() {
  if (typeof WebAssembly !== "object") return "WebAssembly is switched off in this browser.";
  if (typeof DecompressionStream !== "function") return "the browser is too old to unpack the game. A browser of 2023 or later can.";
  if (typeof Worker !== "function") return "the browser has no threads for pages (Web Workers).";
  return null;
}

// --- what the browser keeps ---------------------------------------------------------------------------------------

// What is kept for this page, by key. Where nothing can be kept, `kept.failed` says why.
const kept = {
  failed: null,
  prefix: "",
  get(key) {
    try {
      return JSON.parse(localStorage.getItem(this.prefix + key));
    } catch (error) {
      if (!(error instanceof SyntaxError)) this.fail(error);
      return null;
    }
  },
  set(key, value) {
    try {
      if (value === null) localStorage.removeItem(this.prefix + key);
      else {
        localStorage.setItem(this.prefix + key, JSON.stringify(value));
        this.failed = null;
      }
    } catch (error) {
      this.fail(error);
    }
  },
  fail(error) {
    const full = error?.name === "QuotaExceededError" || error?.name === "NS_ERROR_DOM_QUOTA_REACHED";
    this.failed = full ? "the storage of this browser is full" : "this browser keeps nothing for this page";
  },
};

// --- a thread -----------------------------------------------------------------------------------------------------

let module;
let pack;
let source;

// A session in a thread. `open` returns the message that opens it; `heard` is called with what each reply shows, and
// `progress` with reports of long work.
class Thread {
  constructor({ open, heard, progress }) {
    Object.assign(this, { open, heard, progress });
    this.number = 0;
    this.waiting = [];
    this.running = null;
    this.worker = null;
  }

  // Starts a thread and opens the session in it; resolves to the reply.
  start() {
    this.end();
    this.worker = new Worker(source);
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = (event) => this.hear({ number: this.running?.number, failed: event.message });
    this.worker.postMessage({ module });
    return this.call({ open: this.open() });
  }

  // Ends the thread; what waited for it is told so.
  end(why = "stopped") {
    this.worker?.terminate();
    this.worker = null;
    const left = [this.running, ...this.waiting].filter(Boolean);
    this.running = null;
    this.waiting = [];
    for (const call of left) call.resolve({ stopped: why });
  }

  get busy() { return this.running !== null; }

  // Sends a message; resolves to its reply: `answer`, `problems`, `stopped` or `failed`.
  call(message, kind = null) {
    this.number += 1;
    const call = { number: this.number, message, kind };
    call.done = new Promise((resolve) => { call.resolve = resolve; });
    this.waiting.push(call);
    this.next();
    return call.done;
  }

  // Leaves out calls that nobody waits for any more.
  skip(kinds) {
    const out = this.waiting.filter((call) => kinds.includes(call.kind));
    this.waiting = this.waiting.filter((call) => !out.includes(call));
    for (const call of out) call.resolve({ stopped: "something else was asked meanwhile" });
  }

  next() {
    if (this.running || !this.worker) return;
    this.running = this.waiting.shift() ?? null;
    if (this.running) this.worker.postMessage({ number: this.running.number, message: JSON.stringify(this.running.message) });
  }

  hear({ number, reply, failed, progress }) {
    if (progress) { this.progress?.(progress); return; }
    if (!this.running || number !== this.running.number) return;
    const { resolve } = this.running;
    this.running = null;
    const told = failed === undefined ? JSON.parse(reply) : { failed };
    if (told.answer) {
      const [answer, shown] = told.answer;
      this.heard?.(shown);
      resolve({ answer });
    } else resolve(told);
    this.next();
  }
}

// --- the session --------------------------------------------------------------------------------------------------

const sentences = (problems) => problems.map(({ message, hint }) => [message, hint].filter(Boolean).join("; ")).join("\n");
// The journal, and the files that are not as they are in the page.
let journal = "";
let changed = {};
let listener = {};
let turn = null;
// How often the session was opened: each one counts its changes of files anew.
let starts = 0;
// What was said before the thread was started again.
let told = [];
let toldBefore = [];

const files = () => {
  const all = { ...pack.files };
  for (const [path, text] of Object.entries(changed)) {
    if (text === null) delete all[path];
    else all[path] = text;
  }
  return all;
};
const opening = () => ({ ...pack.open, files: files(), ...(journal && { journal }) });

function heard(shown) {
  for (const [path, text] of Object.entries(shown.files)) {
    if (pack.files[path] === text || (text === null && !(path in pack.files))) delete changed[path];
    else changed[path] = text;
  }
  if (shown.journal) journal = shown.journal.whole ? shown.journal.text : journal + shown.journal.text;
  if (Object.keys(shown.files).length || shown.journal) keepSoon();
  if (shown.state) {
    const covers = shown.state.told.some((said) => said.pieces?.some((piece) => piece.kind === "cover"));
    if (covers) toldBefore = [];
    const last = toldBefore.at(-1)?.id ?? 0;
    told = [...toldBefore, ...shown.state.told.map((said) => ({ ...said, id: said.id + last }))];
    listener.state?.({ ...shown.state, told, changes: `${starts} ${shown.state.changes}` });
  }
  clearTimeout(turn);
  if (shown.turn !== null) turn = setTimeout(() => main.call({ turn: {} }).then(mend), shown.turn);
}

// A fault of the program loses nothing: the session opens again, as it was before.
async function mend(reply) {
  if (!reply.failed) return reply;
  const why = `the program failed: ${reply.failed.split("\n").slice(0, 2).join(" ")}; the game stands where it was before`;
  await again();
  await main.call({ stop: {} });
  return { stopped: why };
}

const main = new Thread({ open: opening, heard, progress: (report) => listener.progress?.(report) });
// What is measured runs beside the game, from the same journal.
const aside = new Thread({ open: opening, progress: (report) => listener.progress?.(report) });

async function again() {
  clearTimeout(turn);
  starts += 1;
  toldBefore = told;
  return main.start();
}

const LOOKS = ["look", "glance"];
async function ask(kind, body = {}) {
  if (kind === "leave") { main.skip(LOOKS); return {}; }
  if (kind === "stop") {
    if (aside.busy) aside.end();
    if (main.busy) await again();
    await main.call({ stop: {} });
    return {};
  }
  const { page, glance, ...fields } = body;
  const request = { ask: { kind, ...fields } };
  if (kind === "measure") {
    const opened = await aside.start();
    const reply = opened.answer === undefined ? opened : await aside.call(request);
    aside.end();
    return answered(reply);
  }
  if (kind === "look") main.skip(glance ? ["glance"] : LOOKS);
  else {
    main.skip(LOOKS);
    // Whoever plays on does not wait for what was only looked at.
    if (LOOKS.includes(main.running?.kind)) {
      await Promise.race([new Promise((late) => { setTimeout(late, 300); }), main.running.done]);
      if (LOOKS.includes(main.running?.kind)) await again();
    }
  }
  return answered(await main.call(request, kind === "look" && glance ? "glance" : kind).then(mend));
}

function answered(reply) {
  if (reply.answer !== undefined) return reply.answer;
  return reply.problems ? { refused: sentences(reply.problems) } : { late: reply.stopped ?? reply.failed };
}

// --- keeping ------------------------------------------------------------------------------------------------------

let keeping = null;
let warned = false;
function keepSoon() {
  keeping ??= setTimeout(keep, 200);
}
function keep() {
  clearTimeout(keeping);
  keeping = null;
  kept.set("files", Object.keys(changed).length ? changed : null);
  kept.set("journal", journal || null);
  listener.kept?.();
  if (kept.failed && !warned) listener.note?.(`${kept.failed}: what you do is lost when you leave, unless you save it (tab Save)`);
  warned = Boolean(kept.failed);
}
addEventListener("pagehide", () => { if (keeping) keep(); });

// Forgets what was changed and played, and begins anew.
async function reset() {
  clearTimeout(keeping);
  keeping = null;
  [journal, changed, told, toldBefore] = ["", {}, [], []];
  for (const key of ["files", "journal", "linked"]) kept.set(key, null);
  aside.end();
  return opened(await again());
}

// The page with the files as they are by now in it.
async function page() {
  // Another page: what the browser keeps for this one is not meant for it.
  const drawn = [...crypto.getRandomValues(new Uint32Array(2))].map((number) => number.toString(16)).join("");
  const text = JSON.stringify({ ...pack, id: `${pack.name}-${drawn}`, files: files() });
  const zipped = await through(new TextEncoder().encode(text), new CompressionStream("gzip"));
  const before = block("pack");
  return original.replace(before, () => base64Of(new Uint8Array(zipped)));
}

// --- opening ------------------------------------------------------------------------------------------------------

function opened(reply) {
  if (reply.answer !== undefined) return true;
  listener.lost?.(LOST + (reply.problems ? sentences(reply.problems) : reply.failed ?? reply.stopped));
  return false;
}

// Puts the game of a link on the table, where the address of the page has one. One that was opened before has gone on
// since.
async function openLink() {
  const text = globalThis.link?.text();
  if (!text || text === kept.get("linked")) return;
  const reply = await main.call({ ask: { kind: "open_link", link: text, seen: globalThis.link.seen() } }).then(mend);
  const answer = answered(reply);
  if (!answer.problems && answer.id) kept.set("linked", text);
  globalThis.link.opened(answer.late ? { problems: [{ id: "failed", message: answer.late }] } : answer);
}

async function begin() {
  const lacking = lacks();
  if (lacking) { listener.lost?.(LOST + lacking); return; }
  try {
    const [bytes, text] = await Promise.all([unzipped("engine"), unzipped("pack")]);
    pack = JSON.parse(new TextDecoder().decode(text));
    module = await WebAssembly.compile(bytes);
    const script = URL.createObjectURL(new Blob([pack.worker], { type: "text/javascript" }));
    // A browser that checks where scripts come from is told that this one is the page's own.
    const policy = globalThis.trustedTypes?.createPolicy("rulebench", { createScriptURL: (url) => url });
    source = policy?.createScriptURL(script) ?? script;
  } catch (error) {
    const refused = error instanceof WebAssembly.CompileError || error instanceof EvalError || /wasm|WebAssembly/i.test(error?.message);
    listener.lost?.(LOST + (refused ? "WebAssembly is switched off in this browser." : `the file is damaged or cut off (${error}).`));
    return;
  }
  kept.prefix = `rulebench/${pack.id}/`;
  changed = kept.get("files") ?? {};
  journal = kept.get("journal") ?? "";
  await restore();
  if (main.worker) await openLink();
  addEventListener("hashchange", openLink);
}

// Opens the session as it was left in this browser.
async function restore() {
  const reply = await main.start();
  if (reply.answer !== undefined || (!journal && !Object.keys(changed).length)) { opened(reply); return; }
  // What was kept cannot be opened. It begins from the page's own files, and what was changed is put in again, where it
  // is told what is wrong with it.
  const texts = changed;
  [journal, changed] = ["", {}];
  if (!opened(await main.start())) return;
  for (const [path, text] of Object.entries(texts)) {
    if (text !== null) await main.call({ ask: { kind: "write", path, text, version: null } });
  }
  listener.note?.("the game that was kept in this browser cannot be opened again; your changes of scripts are kept");
}

function listen(to) {
  listener = to;
  begin();
}

globalThis.session = {
  ask, listen, link: true, kept, reset, page, files: () => files(), changed: () => changed, name: () => pack.name,
};
})();
