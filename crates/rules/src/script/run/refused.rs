//! What Rhai can say and rules do not, and what rules say otherwise: the reference lists both.

/// What Rhai can say and rules do not.
pub struct Refused {
    /// How it is written.
    pub written: &'static str,
    /// What is told of it.
    pub what: &'static str,
    /// What to write instead.
    pub instead: &'static str,
}

/// What rules do not say; the reference lists it.
pub const REFUSED: [Refused; 7] = [
    Refused {
        written: "export let x = 1",
        what: "rules have nothing to export",
        instead: "leave `export` out",
    },
    Refused {
        written: "try { } catch { }",
        what: "rules do not catch errors",
        instead: "ask before you do what may fail: `if ... { ... }`",
    },
    Refused {
        written: "import, and other::name",
        what: "scripts of a game see each other without being imported",
        instead: "write the name alone",
    },
    Refused {
        written: "a `switch` case that is worked out",
        what: "a case compares with a number, a text, true or false, or a range of numbers",
        instead: "write `if` for what is worked out",
    },
    Refused {
        written: "0.0005",
        what: "a length has three decimals at most",
        instead: "lengths such as 7.5 are exact; count anything else in whole numbers",
    },
    Refused {
        written: "this",
        what: "`this` means nothing here",
        instead: "the thing that a function is about is its first parameter, such as `me`",
    },
    Refused {
        written: "Fn(\"name\"), curry, eval, is_shared",
        what: "rules do not use it",
        instead: "a function is handed over as `|it| ...`, and called by its name",
    },
];

/// What rules say otherwise than Rhai by itself; each says both, for the text as it stands here.
pub struct Otherwise {
    /// A text.
    pub written: &'static str,
    /// What it comes to in rules; nothing for an error.
    pub here: &'static str,
    /// What it comes to in Rhai; nothing for an error.
    pub rhai: &'static str,
    /// Why.
    pub why: &'static str,
}

/// What rules say otherwise than Rhai; the reference lists it, and a test asks both.
pub const OTHERWISE: [Otherwise; 6] = [
    Otherwise {
        written: "0.1 + 0.2",
        here: "0.3",
        rhai: "0.30000000000000004",
        why: "a length is exact",
    },
    Otherwise {
        written: "type_of(1)",
        here: "number",
        rhai: "i64",
        why: "kinds have the names of this page",
    },
    Otherwise {
        written: "type_of(\"abc\"[0])",
        here: "text",
        rhai: "char",
        why: "a letter is a text",
    },
    Otherwise {
        written: "let l = [1, 5]; l.filter(|n| n < l.len)",
        here: "[1]",
        rhai: "",
        why: "a closure can read the variable that its chain begins with",
    },
    Otherwise {
        written: "\"abc\" - \"c\"",
        here: "",
        rhai: "ab",
        why: "texts are joined, and not taken from each other",
    },
    Otherwise {
        written: "let l = [1]; l += 2; l",
        here: "",
        rhai: "[1, 2]",
        why: "`+` joins lists; `push` adds an item",
    },
];

/// Those of the list by name.
pub(super) const EXPORT: &Refused = &REFUSED[0];
pub(super) const TRY: &Refused = &REFUSED[1];
pub(super) const IMPORT: &Refused = &REFUSED[2];
pub(super) const CASE: &Refused = &REFUSED[3];
pub(super) const FRACTION: &Refused = &REFUSED[4];
pub(super) const THIS: &Refused = &REFUSED[5];
pub(super) const POINTER: &Refused = &REFUSED[6];
