// How scripts and settings are coloured and indented. A reader of lines is enough for that; the session alone knows
// what a script means.
import { StreamLanguage } from "@codemirror/language";

const WORD = /^[\p{L}\p{N}_]+/u;
const closing = { "}": "{", ")": "(", "]": "[" };

// What the reader is inside of, the innermost last: "{" and the other brackets, "${" for code in a text, "`" for a text
// of several lines, "/*" for a comment.
const inside = (state) => state.open.at(-1);

function comment(stream, state) {
  while (!stream.eol()) {
    if (stream.match("/*")) state.open.push("/*");
    else if (stream.match("*/")) {
      state.open.pop();
      if (inside(state) !== "/*") break;
    } else stream.next();
  }
  return "comment";
}

function backticks(stream, state) {
  while (!stream.eol()) {
    if (stream.match("${", false)) break;
    if (stream.next() === "`") {
      state.open.pop();
      break;
    }
  }
  return "string";
}

function quoted(stream, quote) {
  let escaped = false;
  for (let c = stream.next(); c; c = stream.next()) {
    if (c === quote && !escaped) break;
    escaped = c === "\\" && !escaped;
  }
  return "string";
}

// `words` says what a word is: a keyword, or a function of the program.
export const rhai = (words) => StreamLanguage.define({
  name: "rhai",
  startState: () => ({ open: [], dotted: false, defines: false }),
  copyState: (state) => ({ ...state, open: [...state.open] }),
  token(stream, state) {
    if (inside(state) === "/*") return comment(stream, state);
    if (inside(state) === "`") {
      if (!stream.match("${")) return backticks(stream, state);
      state.open.push("${");
      return "brace";
    }
    if (stream.eatSpace()) return null;
    const { dotted, defines } = state;
    state.dotted = state.defines = false;
    if (stream.match("//")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match("/*")) {
      state.open.push("/*");
      return comment(stream, state);
    }
    if (stream.match(/^(#+)".*?"\1/) || stream.match(/^'(\\.|[^'\\])'/)) return "string";
    if (stream.match(/^\d[\w.]*?(?=\.\.|\.\D|[^\w.]|$)/)) return "number";
    const word = stream.match(WORD)?.[0];
    if (word) {
      const kind = dotted ? null : words.get(word);
      state.defines = word === "fn";
      if (defines) return "variableName.definition";
      if (kind === "keyword") return word === "true" || word === "false" ? "bool" : "keyword";
      if (stream.match(/^\s*\(/, false)) return kind ? "variableName.standard" : "variableName.function";
      return dotted ? "propertyName" : "variableName";
    }
    const c = stream.next();
    if (c === '"') return quoted(stream, '"');
    if (c === "`") {
      state.open.push("`");
      return backticks(stream, state);
    }
    if ("{([".includes(c)) state.open.push(c);
    else if (closing[c]) {
      const code = c === "}" && inside(state) === "${";
      if (code || inside(state) === closing[c]) state.open.pop();
      if (code) return "brace";
    }
    state.dotted = c === "." && stream.peek() !== ".";
    return "{}()[]".includes(c) ? "bracket" : "operator";
  },
  indent(state, after, context) {
    if (["`", "/*"].includes(inside(state))) return null;
    const depth = state.open.length - (closing[after.trim()[0]] ? 1 : 0);
    return Math.max(0, depth) * context.unit;
  },
  languageData: {
    commentTokens: { line: "//", block: { open: "/*", close: "*/" } },
    closeBrackets: { brackets: ["(", "[", "{", '"', "`"] },
    indentOnInput: /^\s*[}\])]$/,
  },
});

export const toml = StreamLanguage.define({
  name: "toml",
  startState: () => ({ quotes: "" }),
  token(stream, state) {
    const opened = state.quotes || stream.match(/^('''|""")/)?.[0];
    if (opened) {
      state.quotes = stream.match(new RegExp(`^.*?${opened}`)) ? "" : opened;
      if (state.quotes) stream.skipToEnd();
      return "string";
    }
    if (stream.sol() && stream.match(/^\s*\[.*\]/)) return "heading";
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return "comment";
    if (stream.match(/^[\w.-]+(?=\s*=)/)) return "propertyName";
    if (stream.match(/^[+-]?\d[\w.:+-]*/)) return "number";
    if (stream.match(/^(true|false)\b/)) return "bool";
    const c = stream.next();
    return c === '"' || c === "'" ? quoted(stream, c) : null;
  },
  languageData: { commentTokens: { line: "#" } },
});
