// The editor of scripts on the page: CodeMirror with the language of rules, in the colours of the page. It knows texts,
// places in them and words; the page says what they mean. It lives in a shadow root: there its styles are adopted style
// sheets, which a content security policy without inline styles allows.
import { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { HighlightStyle, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, nextDiagnostic, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Annotation, EditorSelection, EditorState, StateEffect, StateField } from "@codemirror/state";
import {
  EditorView, highlightActiveLine, highlightSpecialChars, hoverTooltip, keymap, lineNumbers,
  showTooltip,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { rhai, toml } from "./languages.js";
import { strToU8, zipSync } from "fflate";

const colours = syntaxHighlighting(HighlightStyle.define([
  { tag: tags.keyword, color: "var(--strong)", fontWeight: "600" },
  { tag: [tags.string], color: "var(--good)" },
  { tag: [tags.number, tags.bool], color: "var(--threat)" },
  { tag: tags.comment, color: "var(--faint)", fontStyle: "italic" },
  { tag: tags.definition(tags.variableName), fontWeight: "600", textDecoration: "underline dotted" },
  { tag: tags.function(tags.variableName), fontWeight: "600" },
  { tag: tags.standard(tags.variableName), color: "var(--strong)" },
  { tag: tags.heading, color: "var(--strong)", fontWeight: "600" },
]));

const edge = "1px solid var(--line)";
const look = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--raised)", fontSize: "0.8125rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--faint)", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--strong) 9%, transparent)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--lit-pale)", outline: "1px solid var(--lit)" },
  ".cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--wrong-pale)" },
  ".cm-selectionMatch, .cm-searchMatch": { backgroundColor: "var(--lit-pale)" },
  ".cm-searchMatch-selected": { outline: "2px solid var(--lit)" },
  ".cm-specialChar": { color: "var(--wrong)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--wrong)", backgroundColor: "var(--wrong-pale)" },
  ".cm-lintPoint-error:after": { borderBottomColor: "var(--wrong)" },
  ".cm-gutter-lint": { width: "1.2em" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--ink)", border: edge, borderRadius: "6px", maxWidth: "min(40rem, 92vw)" },
  ".help, .cm-tooltip.cm-completionInfo": { margin: "0", padding: "6px 10px", font: "0.75rem/1.45 var(--mono)", whiteSpace: "pre-wrap", overflow: "auto", maxHeight: "16rem" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap", padding: "4px 10px", borderLeftColor: "var(--wrong)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", maxHeight: "14rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "2px 8px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--strong)", color: "var(--on-strong)" },
  // Beside the words there is no room for it.
  "@media (max-width: 760px)": { ".cm-tooltip.cm-completionInfo": { display: "none" } },
  ".cm-completionDetail": { color: "inherit", opacity: "0.75" },
  ".cm-panels": { backgroundColor: "var(--paper)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-panels.cm-panels-top": { borderBottom: edge },
  ".cm-panel.cm-search label": { whiteSpace: "nowrap" },
  ".cm-textfield, .cm-button": { backgroundColor: "var(--raised)", backgroundImage: "none", color: "inherit", border: edge, borderRadius: "6px", font: "inherit" },
  ".cm-panel.cm-search [name=close]": { color: "inherit" },
});

// The word at a place, and whether it stands in a text in quotes or behind a dot.
function wordAt(state, at, side = 0) {
  const line = state.doc.lineAt(at);
  for (const found of line.text.matchAll(/[\p{L}\p{N}_]+/gu)) {
    const [from, to] = [line.from + found.index, line.from + found.index + found[0].length];
    const within = from <= at && at <= to && !(from === at && side < 0) && !(to === at && side > 0);
    if (within && /[^\d]/.test(found[0])) return { from, to, text: found[0] };
  }
  return null;
}

// A place of the session, whose lines and columns count characters from 1.
function offset(doc, line, column) {
  const there = doc.line(Math.max(1, Math.min(doc.lines, line)));
  const before = [...there.text].slice(0, Math.max(0, column - 1)).join("");
  return there.from + before.length;
}

// Marks changes that the page made, not a person.
const ours = Annotation.define();
const helpEffect = StateEffect.define();
// Help that was asked for by a key; it goes when anything is typed or the cursor moves.
const helpField = StateField.define({
  create: () => null,
  update(tip, transaction) {
    for (const effect of transaction.effects) if (effect.is(helpEffect)) return effect.value;
    return transaction.docChanged || transaction.selection ? null : tip;
  },
  provide: (field) => showTooltip.from(field),
});
const tooltip = (word, text) => text && {
  pos: word.from, end: word.to, above: true,
  create() {
    const dom = document.createElement("pre");
    dom.className = "help";
    dom.textContent = text;
    return { dom };
  },
};

// Returns the bytes of a .zip archive with these texts by path. The same texts give the same bytes.
globalThis.zipTexts = (texts) => {
  const files = Object.entries(texts).map(([path, text]) => [path, strToU8(text)]);
  return zipSync(Object.fromEntries(files), { mtime: "1980-01-01T12:00:00" });
};

// Makes an editor in an element of the page.
//   change(text)    is called for each change that a person makes
//   save()          is called for Ctrl-S
//   help(word)      gives the help of a word or a promise of it, nothing where there is none
//   words           list of { label, detail, kind }: what can be written. The kinds "keyword" and "function" are
//                   coloured; "property" is offered behind a dot, "name" between quotes, and the others elsewhere
//   label           name of the editor for those who do not see it
globalThis.makeEditor = (parent, { text = "", change, save, help = () => null, words = [], label = "script" }) => {
  const host = document.createElement("div");
  // What is typed here is no key of the page.
  for (const kind of ["keydown", "keypress", "keyup"]) host.addEventListener(kind, (event) => event.stopPropagation());
  host.style.height = "100%";
  parent.append(host);
  const root = host.attachShadow({ mode: "open" });

  let known = words;
  // The colours of words read this; it is the same map while the words change.
  const kinds = new Map();
  const learn = () => {
    kinds.clear();
    for (const word of known) if (word.kind === "keyword" || word.kind === "function") kinds.set(word.label, word.kind);
  };
  learn();
  const script = rhai(kinds);

  function complete(context) {
    const line = context.state.doc.lineAt(context.pos);
    const before = line.text.slice(0, context.pos - line.from);
    const word = /[\p{L}\p{N}_.-]*$/u.exec(before)[0].split(".").at(-1);
    const code = before.replaceAll(/"(?:[^"\\]|\\.)*"/g, (quoted) => "_".repeat(quoted.length));
    if (/\/\//.test(code) && !code.includes('"')) return null;
    const quoted = code.includes('"') || (code.match(/`/g) ?? []).length % 2 === 1 && !/\$\{[^}]*$/.test(code);
    const dotted = !quoted && /\.[\p{L}\p{N}_]*$/u.test(code) && !/\d\.[\p{L}\p{N}_]*$|\.\.[\p{L}\p{N}_]*$/u.test(code);
    if (!word && !dotted && !context.explicit && !quoted) return null;
    const fits = (kind) => quoted ? kind === "name" : dotted ? kind === "property"
      : kind !== "name" && kind !== "property";
    const options = known.filter(({ kind }) => fits(kind)).map((word) => ({
      label: word.label, detail: word.detail, type: word.kind,
      info: async () => {
        const said = await help(word.label);
        return said ? document.createTextNode(said) : null;
      },
    }));
    return { from: context.pos - word.length, options, validFor: /^[\p{L}\p{N}_-]*$/u };
  }

  // By a key, at the cursor.
  async function helpHere(view) {
    const word = wordAt(view.state, view.state.selection.main.head);
    const said = word && await help(word.text);
    if (said) view.dispatch({ effects: helpEffect.of(tooltip(word, said)) });
    return Boolean(said);
  }
  const keys = [
    { key: "F1", run: (view) => { helpHere(view); return true; } },
    { key: "F8", run: nextDiagnostic },
    { key: "Mod-s", run: () => { save?.(); return true; } },
    { key: "Escape", run: (view) => {
      if (!view.state.field(helpField)) return false;
      view.dispatch({ effects: helpEffect.of(null) });
      return true;
    } },
    { key: "Tab", run: acceptCompletion },
  ];

  const extensions = (path, fixed) => [
    keymap.of([...keys, ...closeBracketsKeymap, ...completionKeymap, ...searchKeymap, ...historyKeymap,
      ...defaultKeymap, indentWithTab]),
    lineNumbers(), lintGutter(), history(), highlightSpecialChars(), highlightActiveLine(), highlightSelectionMatches(),
    bracketMatching(), closeBrackets(), indentOnInput(), indentUnit.of("    "), search({ top: true }),
    autocompletion({ override: [complete], icons: false }),
    hoverTooltip(async (view, at, side) => {
      const word = wordAt(view.state, at, side);
      return word && tooltip(word, await help(word.text)) || null;
    }),
    helpField, path.endsWith(".toml") ? toml : script, colours, look,
    EditorView.lineWrapping,
    EditorState.readOnly.of(fixed),
    EditorView.contentAttributes.of({ "aria-label": `${label} ${path}`.trim(), autocapitalize: "off", spellcheck: "false" }),
    EditorView.updateListener.of((update) => {
      const typed = update.transactions.some((transaction) => transaction.docChanged && !transaction.annotation(ours));
      if (typed) change?.(update.state.doc.toString());
    }),
  ];
  const stateOf = (path, text, fixed) => EditorState.create({ doc: text, extensions: extensions(path, fixed) });

  let shown = "";
  const states = new Map();
  const view = new EditorView({ state: stateOf(shown, text, false), root, parent: root });

  // The parts that a text and another one have not in common, so that the cursor stays where it is.
  function setText(text) {
    const before = view.state.doc.toString();
    if (before === text) return;
    let [from, end] = [0, 0];
    const most = Math.min(before.length, text.length);
    while (from < most && before[from] === text[from]) from += 1;
    while (end < most - from && before.at(-1 - end) === text.at(-1 - end)) end += 1;
    const changes = { from, to: before.length - end, insert: text.slice(from, text.length - end) };
    view.dispatch({ changes, annotations: ours.of(true) });
  }

  return {
    // Shows a file. Each has its own history, which stays while others are shown.
    open(path, text, fixed = false) {
      if (path !== shown) {
        states.set(shown, [view.state, view.scrollSnapshot()]);
        shown = path;
        const [state, scroll] = states.get(path) ?? [];
        view.setState(state ?? stateOf(path, text, fixed));
        if (scroll) view.dispatch({ effects: scroll });
      }
      setText(text);
    },
    setText,
    getText: () => view.state.doc.toString(),
    setWords(words) {
      known = words;
      learn();
    },
    setProblems(problems) {
      const { doc } = view.state;
      const found = problems.map(({ line = 1, column = 1, end_line, end_column, message, help }) => {
        const from = offset(doc, line, column);
        const end = end_column === undefined ? wordAt(view.state, from, 1)?.to : offset(doc, end_line ?? line, end_column);
        const to = Math.max(end ?? 0, Math.min(from + 1, doc.lineAt(from).to));
        return { from, to, severity: "error", message: help ? `${message}\nhelp: ${help}` : message };
      });
      view.dispatch(setDiagnostics(view.state, found.sort((a, b) => a.from - b.from)));
      // A list of problems beside the editor may have taken room from it.
      if (view.hasFocus) requestAnimationFrame(() => {
        view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head) });
      });
    },
    goTo(line, column = 1) {
      const at = offset(view.state.doc, line, column);
      view.dispatch({ selection: EditorSelection.cursor(at), effects: EditorView.scrollIntoView(at, { y: "center" }) });
      view.focus();
    },
    help: () => helpHere(view),
    focus: () => view.focus(),
    destroy() {
      view.destroy();
      host.remove();
    },
  };
};
