//! Differences between Rhai and rules, which the reference lists: constructs of Rhai that rules do not have, constructs
//! that differ, and Rhai's functions that rules do not have, each with a replacement.

/// Construct of Rhai that rules do not have.
pub struct Refused {
    /// Spelling of the construct.
    pub written: &'static str,
    /// Message about the construct.
    pub what: &'static str,
    /// Replacement to write instead.
    pub instead: &'static str,
}

macro_rules! refused {
    ($( $name:ident $written:literal: $what:literal; $instead:literal; )*) => {
        $( pub const $name: &Refused = &Refused { written: $written, what: $what, instead: $instead }; )*
        /// Constructs that rules do not have; the reference lists them.
        pub const REFUSED: [&Refused; 7] = [$($name),*];
    };
}

refused! {
    EXPORT "export let x = 1":
        "rules do not export names";
        "leave `export` out";
    TRY "try { } catch { }":
        "rules do not catch errors";
        "check first if the call can fail: `if ... { ... }`";
    IMPORT "import, and other::name":
        "scripts of a game see each other without an import";
        "write the name alone";
    CASE "a `switch` case that is computed":
        "a case is a number, a text, true or false, or a range of numbers";
        "use `if` for a computed value";
    FRACTION "0.0005":
        "a length has three decimals at most";
        "use lengths such as 7.5, which are exact, and whole numbers for anything else";
    THIS "this":
        "`this` has no meaning here";
        "the subject of a function is its first parameter, such as `me`";
    POINTER "Fn(\"name\"), curry, eval, is_shared, is_def_fn, is_def_var":
        "rules do not have it";
        "pass a function by its name alone, or as `|it| ...`, and call a function by its name";
}

/// Text that rules evaluate otherwise than Rhai by itself; with the result of each.
pub struct DiffersFromRhai {
    /// A text.
    pub written: &'static str,
    /// Result in rules; nothing for an error.
    pub here: &'static str,
    /// Result in Rhai; nothing for an error.
    pub rhai: &'static str,
    /// Why.
    pub why: &'static str,
}

macro_rules! otherwise {
    ($( $written:literal: $here:literal, not $rhai:literal: $why:literal; )*) => {
        /// Texts that rules evaluate otherwise than Rhai; the reference lists them, and a test evaluates both ways.
        pub const OTHERWISE: &[DiffersFromRhai] = &[
            $( DiffersFromRhai { written: $written, here: $here, rhai: $rhai, why: $why } ),*
        ];
    };
}

otherwise! {
    "0.1 + 0.2": "0.3", not "0.30000000000000004":
        "lengths are exact";
    "0.007 / -2": "-0.004", not "-0.0035":
        "a length has three decimals; a result is rounded down";
    "type_of(1)": "number", not "i64":
        "kinds of values have the names of this page";
    "type_of(\"abc\"[0])": "text", not "char":
        "a letter is a text";
    "let l = [1, 5]; l.filter(|n| n < l.len)": "[1]", not "":
        "a closure can read the variable at the start of its call chain";
    "let l = []; for i in 0..2 { l.push(|| i); } l.map(|f| f.call())": "[0, 1]", not "[1, 1]":
        "each round of a loop has its own variable";
    "\"abc\" - \"c\"": "", not "ab":
        "texts can be joined but not subtracted";
    "let l = [1]; l += 2; l": "", not "[1, 2]":
        "`+` joins two lists; use `push` to add an item";
    "let l = [1]; l += \"a\"; l": "", not "[1, \"a\"]":
        "the same";
    "type_of(())": "nothing", not "()":
        "the same";
    "type_of(1.5)": "length", not "f64":
        "the same";
    "type_of([])": "list", not "array":
        "the same";
    "type_of(\"a\")": "text", not "string":
        "the same";
    "\"to \" + ()": "to nothing", not "to ":
        "a record shows nothing as a word";
    "`to ${}`": "to nothing", not "to ":
        "the same";
    "to_string(1.0)": "1", not "1.0":
        "a length that is a whole number is written as one";
    "7 / 2.0": "", not "3.5":
        "a length can be divided by a whole number only: `7.0 / 2`";
    "10.5 % 3": "", not "1.5":
        "`%` is for whole numbers; the rest of a length is `x - n * rounded_down(x / n)`";
    "1.5 * 1.5": "", not "2.25":
        "a length can be multiplied by a whole number only";
    "2.0 ** 2": "", not "4.0":
        "`**` is for whole numbers";
    "\"42\" > 42": "", not "false":
        "values of different kinds cannot be put in order";
    "true < 1": "", not "false":
        "the same";
    "\"hello\"[1..=1]": "e", not "":
        "a range with its last number has that letter";
    "let l = [1, 3, 2]; l.sort_by(|a, b| b - a); l": "", not "[3, 2, 1]":
        "`sort_by` takes a function of one item; use `sort(|a, b| b - a)` to compare two";
    "max(\"a\", \"b\")": "", not "b":
        "`max` and `min` take numbers; for texts compare them: `if a > b { a } else { b }`";
    "parse_int(\"12\", 8)": "", not "10":
        "numbers are always read in base ten";
    "\"a-b-c\".split(\"-\", 2)": "", not "[\"a\", \"b-c\"]":
        "`split` always splits at all places";
    "\"hello\".split(2)": "", not "[\"he\", \"llo\"]":
        "use `[s.sub_string(0, 2), s.sub_string(2)]`";
    "[1, 2, 3].get(1)": "", not "2":
        "only maps have `get` and `set`; use `list[1]`";
    "[3, 5, 8].find(|n| n > 2, 1)": "", not "5":
        "`find` begins with the first item; use `index_of(|n| n > 2, 1)`";
    "let s = \"ab\"; s.pop(); s": "", not "a":
        "a text cannot change; make a new one: `s.sub_string(0, s.len - 1)`";
    "let s = \"a b\"; s.remove(\" \"); s": "", not "ab":
        "the same";
    "let s = \"hello\"; s.truncate(2); s": "", not "he":
        "the same";
    "[1, 2, 3].split(1)": "", not "[2, 3]":
        "`split` takes a text; for the rest of a list write `(1..list.len).map(|nth| list[nth])`";
    "0xffffffffffffffff": "", not "-1":
        "a number that is too large is an error, in whichever base it is written";
    "to_string([1, \"a\"])": "[1, a]", not "[1, \"a\"]":
        "a text in a record never has quotes";
    "let m = #{}; m.x ?? 5": "", not "5":
        "a missing key of a map is an error; use `m.get(\"x\") ?? 5`, or check with `\"x\" in m`";
    "let n = 5; n[0]": "", not "true":
        "a number cannot be indexed by bits; use `((n >> 0) & 1) == 1`";
    "let s = \"hello\"; s[0] = 'J'; s": "", not "Jello":
        "a text cannot change; make a new one: `\"J\" + s.sub_string(1, s.len - 1)`";
}

/// Message about a letter that is to be changed, and the replacement.
pub const LETTER: [&str; 2] = [
    "a letter of a text cannot be changed",
    "make a new text, such as `\"J\" + it.sub_string(1, it.len - 1)`",
];

/// Message about a number with an index, and the replacement.
pub const BIT: [&str; 2] = [
    "a number has no items for `[ ]`",
    "to read a bit of a number, write `(it >> 1) & 1`",
];

/// Functions of Rhai's own packages, as its book has them, that rules do not have.
pub struct MissingFunction {
    /// Their names.
    pub names: &'static [&'static str],
    /// A call of one of them; empty where nothing stands in its place word for word.
    pub written: &'static str,
    /// The script that stands in the place of the call; else a sentence, whose script stands in backticks.
    pub instead: &'static str,
}

macro_rules! elsewhere {
    ($( $($name:literal)+: $instead:literal $(for $written:literal)?; )*) => {
        /// Functions of Rhai that rules write otherwise; a test runs the replacements.
        pub const ELSEWHERE: &[MissingFunction] = &[
            $( MissingFunction { names: &[$($name),+], written: concat!($($written)?), instead: $instead } ),*
        ];
    };
}

elsewhere! {
    "call": "f.call(1)" for "call(f, 1)";
    "range": "(0..3).map(|n| n * 3)" for "range(0, 9, 3)";
    "start" "end" "is_exclusive" "is_inclusive":
        "keep the ends of a range in variables: `let last = 3; for it in 0..last { n += it; }`";
    "take": "let taken = list; list = nothing" for "let taken = take(list)";
    // Lists.
    "for_each": "for it in list { n += it; }" for "list.for_each(|| n += this)";
    "retain": "list = list.filter(|it| it > 1)" for "list.retain(|it| it > 1)";
    "drain": "list = list.filter(|it| it <= 1)" for "list.drain(|it| it > 1)";
    "dedup":
        "list = list.reduce(|all, it| if all.len > 0 && all[-1] == it { all } else { all + [it] }, [])" for "list.dedup()";
    "zip": "(0..list.len).map(|nth| [list[nth], other[nth]])" for "list.zip(other, |a, b| [a, b])";
    "find_map": "list.map(|it| it * 2).find(|it| it != nothing)" for "list.find_map(|it| it * 2)";
    "extract": "(1..list.len).map(|nth| list[nth])" for "list.extract(1)";
    "chop": "while list.len > 2 { list.shift(); }" for "list.chop(2)";
    "pad": "while list.len < 5 { list.push(0); }" for "list.pad(5, 0)";
    "splice": "list.remove(1); list.insert(1, 8)" for "list.splice(1, 1, [8])";
    "order": "list.sort_by(|it| it)" for "list.order()";
    "order_desc": "list.sort_by(|it| -it)" for "list.order_desc()";
    "order_by": "list.sort_by(|it| -it)" for "list.order_by(|a, b| b - a)";
    "sort_desc": "list.sort(|a, b| b - a)" for "list.sort_desc()";
    "reduce_rev":
        "let back = list; back.reverse(); back.reduce(|all, it| all - it, 0)"
        for "list.reduce_rev(|all, it| all - it, 0)";
    // Maps.
    "mixin": "map += #{ b: 2 }" for "map.mixin(#{ b: 2 })";
    "fill_with": "map = #{ a: 9, b: 2 } + map" for "map.fill_with(#{ a: 9, b: 2 })";
    "to_json" "parse_json": "write a map as `#{ life: 3 }`, and convert it to a text with `to_string(map)`";
    // Texts.
    "chars": "for letter in text { n += 1; }" for "for letter in text.chars() { n += 1; }";
    "to_chars": "(0..text.len).map(|nth| text[nth])" for "text.to_chars()";
    "bytes": "count letters instead of bytes: `text.len`";
    "crop": "text = text.sub_string(1, 2)" for "text.crop(1, 2)";
    "trim": "to get the words of a text without spaces, write `text.split(\" \").filter(|it| it != \"\")`";
    "replace":
        "text = text.split(\"b\").reduce(|all, it| if all == nothing { it } else { all + \"x\" + it }, nothing)"
        for "text.replace(\"b\", \"x\")";
    "split_rev": "let parts = text.split(\"b\"); parts.reverse(); parts" for "text.split_rev(\"b\")";
    "make_upper": "text = text.to_upper()" for "text.make_upper()";
    "make_lower": "text = text.to_lower()" for "text.make_lower()";
    "to_debug": "to_string(list)" for "list.to_debug()";
    "to_hex" "to_octal" "to_binary": "numbers are always written in base ten: `to_string(n)`";
    "parse_float" "parse_decimal": "`parse_int(\"7\")` reads a whole number; write a length without quotes: `7.5`";
    "blob" "to_blob" "to_array" "as_string" "parse_be_int" "parse_le_int" "parse_be_float" "parse_le_float" "write_be"
    "write_le" "write_utf8" "write_ascii":
        "use a list of numbers for bytes: `[0, 255]`";
    // Numbers.
    "is_odd": "n % 2 != 0" for "n.is_odd()";
    "is_even": "n % 2 == 0" for "n.is_even()";
    "is_zero": "n == 0" for "n.is_zero()";
    "floor": "rounded_down(x)" for "x.floor()";
    "int" "to_int": "if x < 0 { rounded_up(x) } else { rounded_down(x) }" for "x.to_int()";
    "ceiling": "rounded_up(x)" for "x.ceiling()";
    "round": "if x < 0 { rounded_up(x - 0.5) } else { rounded_down(x + 0.5) }" for "x.round()";
    "fraction": "if x < 0 { x - rounded_up(x) } else { x - rounded_down(x) }" for "x.fraction()";
    "to_float" "to_decimal": "a number can be used as a length: `n + 0.5`";
    "hypot": "diagonal(3, 4)" for "hypot(3.0, 4.0)";
    "sqrt": "`diagonal(3, 4)` is the square root of the sum of both squares";
    "sin" "cos" "tan" "asin" "acos" "atan" "sinh" "cosh" "tanh" "asinh" "acosh" "atanh" "exp" "ln" "log" "to_degrees"
    "to_radians" "PI" "E":
        "rules have only whole numbers and lengths; put values computed in advance in a list: `[0, 1, 3, 6][2]`";
    "is_nan" "is_finite" "is_infinite": "every number and length is finite; compare it directly: `x > 0`";
    "get_bit": "((n >> 1) & 1) == 1" for "n.get_bit(1)";
    "set_bit": "n |= 1 << 1" for "n.set_bit(1, true)";
    "get_bits": "(n >> 1) & 3" for "n.get_bits(1, 2)";
    "set_bits": "n = n - (n & 6) + (2 << 1)" for "n.set_bits(1, 2, 2)";
    "bits": "(0..3).map(|bit| ((n >> bit) & 1) == 1)" for "n.bits(0, 3)";
    // What is outside of the table.
    "rand" "rand_float" "rand_bool" "rand_decimal" "shuffle" "sample":
        "dice are the only source of chance: `roll(first(), \"luck\", 1, 6)`";
    "timestamp" "elapsed": "rules have no clock; `count` counts rounds, and a slot can count anything else";
    "exit": "to leave a function, write `return`; to stop with an error, write `throw \"why\"`";
    "tag" "set_tag": "store data about a thing in a slot, declared in `slots()`";
    "is_anonymous" "get_fn_metadata_list": "rules cannot inspect functions; pass one as `|it| it > 1`";
    "back_trace": "an error lists the calls that led to it; `print(n)` prints a value";
}

/// Words that as properties are rather what a game has not declared.
const OF_GAMES: [&str; 5] = ["round", "start", "end", "tag", "order"];

/// Returns the replacement for a property of Rhai's that rules do not have.
pub fn property_elsewhere(name: &str) -> Option<String> {
    elsewhere(name).filter(|_| !OF_GAMES.contains(&name))
}

/// Returns the replacement for a function of Rhai's that rules do not have.
pub fn elsewhere(name: &str) -> Option<String> {
    let it = ELSEWHERE.iter().find(|it| it.names.contains(&name))?;
    Some(match it.written {
        "" => it.instead.to_owned(),
        written => format!("for `{written}` write `{}`", it.instead),
    })
}

/// Hint for an attempt to change something that cannot change.
pub const UNCHANGED: &str =
    "it is a constant, a dial or a word of the language; define a variable with `let`";
