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

macro_rules! refused {
    ($( $name:ident $written:literal: $what:literal; $instead:literal; )*) => {
        $( pub const $name: &Refused = &Refused { written: $written, what: $what, instead: $instead }; )*
        /// What rules do not say; the reference lists it.
        pub const REFUSED: [&Refused; 7] = [$($name),*];
    };
}

refused! {
    EXPORT "export let x = 1":
        "rules have nothing to export";
        "leave `export` out";
    TRY "try { } catch { }":
        "rules do not catch errors";
        "ask before you do what may fail: `if ... { ... }`";
    IMPORT "import, and other::name":
        "scripts of a game see each other without being imported";
        "write the name alone";
    CASE "a `switch` case that is worked out":
        "a case compares with a number, a text, true or false, or a range that has numbers in it";
        "write `if` for what is worked out";
    FRACTION "0.0005":
        "a length has three decimals at most";
        "lengths such as 7.5 are exact; count anything else in whole numbers";
    THIS "this":
        "`this` means nothing here";
        "the thing that a function is about is its first parameter, such as `me`";
    POINTER "Fn(\"name\"), curry, eval, is_shared":
        "rules do not use it";
        "a function is handed over as `|it| ...`, and called by its name";
}

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

macro_rules! otherwise {
    ($( $written:literal: $here:literal, not $rhai:literal: $why:literal; )*) => {
        /// What rules say otherwise than Rhai; the reference lists it, and a test asks both.
        pub const OTHERWISE: [Otherwise; 11] = [
            $( Otherwise { written: $written, here: $here, rhai: $rhai, why: $why } ),*
        ];
    };
}

otherwise! {
    "0.1 + 0.2": "0.3", not "0.30000000000000004":
        "a length is exact";
    "0.007 / -2": "-0.004", not "-0.0035":
        "a length has three decimals: a part of one is rounded down";
    "type_of(1)": "number", not "i64":
        "kinds have the names of this page";
    "type_of(\"abc\"[0])": "text", not "char":
        "a letter is a text";
    "let l = [1, 5]; l.filter(|n| n < l.len)": "[1]", not "":
        "a closure can read the variable that its chain begins with";
    "let l = []; for i in 0..2 { l.push(|| i); } l.map(|f| f.call())": "[0, 1]", not "[1, 1]":
        "each turn of a loop has an item of its own";
    "\"abc\" - \"c\"": "", not "ab":
        "texts are joined, and not taken from each other";
    "let l = [1]; l += 2; l": "", not "[1, 2]":
        "`+` joins lists; `push` adds an item";
    "let l = [1]; l += \"a\"; l": "", not "[1, \"a\"]":
        "the same";
    "\"to \" + ()": "to nothing", not "to ":
        "a record says that there is nothing";
    "to_string([1, \"a\"])": "[1, a]", not "[1, \"a\"]":
        "a text in a record has no quotes, wherever it stands";
}

/// What may be meant where something is changed that stays as it is.
pub const UNCHANGED: &str =
    "it is a constant, a dial or a word of the language; a variable begins with `let`";
