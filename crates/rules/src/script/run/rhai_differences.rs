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
        pub const OTHERWISE: [DiffersFromRhai; 14] = [
            $( DiffersFromRhai { written: $written, here: $here, rhai: $rhai, why: $why } ),*
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
    "let m = #{}; m.x ?? 5": "", not "5":
        "a key that a map does not have is an error; `m.get(\"x\") ?? 5` may miss it, and `\"x\" in m` asks for it";
    "let n = 5; n[0]": "", not "true":
        "a number is no row of bits; `((n >> 0) & 1) == 1` asks for one";
    "let s = \"hello\"; s[0] = 'J'; s": "", not "Jello":
        "a text stays as it is; `\"J\" + s.sub_string(1, s.len - 1)` is another";
}

/// Message about a letter that is to be changed, and the replacement.
pub const LETTER: [&str; 2] = [
    "a letter of a text cannot be changed",
    "make another text, such as `\"J\" + it.sub_string(1, it.len - 1)`",
];

/// Message about a number with an index, and the replacement.
pub const BIT: [&str; 2] = [
    "a number has no items for `[ ]`",
    "a bit of a number is `(it >> 1) & 1`",
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
        "the ends of a range stand in variables of their own: `let last = 3; for it in 0..last { n += it; }`";
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
    "to_json" "parse_json": "a map is written `#{ life: 3 }`, and told by `to_string(map)`";
    // Texts.
    "chars": "for letter in text { n += 1; }" for "for letter in text.chars() { n += 1; }";
    "to_chars": "(0..text.len).map(|nth| text[nth])" for "text.to_chars()";
    "bytes": "of a text the letters are counted, not its bytes: `text.len`";
    "crop": "text = text.sub_string(1, 2)" for "text.crop(1, 2)";
    "trim": "the words of a text without blanks are `text.split(\" \").filter(|it| it != \"\")`";
    "replace":
        "text = text.split(\"b\").reduce(|all, it| if all == nothing { it } else { all + \"x\" + it }, nothing)"
        for "text.replace(\"b\", \"x\")";
    "split_rev": "let parts = text.split(\"b\"); parts.reverse(); parts" for "text.split_rev(\"b\")";
    "make_upper": "text = text.to_upper()" for "text.make_upper()";
    "make_lower": "text = text.to_lower()" for "text.make_lower()";
    "to_debug": "to_string(list)" for "list.to_debug()";
    "to_hex" "to_octal" "to_binary": "numbers are told in tens alone: `to_string(n)`";
    "parse_float" "parse_decimal": "`parse_int(\"7\")` reads a whole number; a length is written without quotes: `7.5`";
    "blob" "to_blob" "to_array" "as_string" "parse_be_int" "parse_le_int" "parse_be_float" "parse_le_float" "write_be"
    "write_le" "write_utf8" "write_ascii":
        "bytes are numbers in a list: `[0, 255]`";
    // Numbers.
    "is_odd": "n % 2 != 0" for "n.is_odd()";
    "is_even": "n % 2 == 0" for "n.is_even()";
    "is_zero": "n == 0" for "n.is_zero()";
    "floor": "rounded_down(x)" for "x.floor()";
    "int" "to_int": "if x < 0 { rounded_up(x) } else { rounded_down(x) }" for "x.to_int()";
    "ceiling": "rounded_up(x)" for "x.ceiling()";
    "round": "if x < 0 { rounded_up(x - 0.5) } else { rounded_down(x + 0.5) }" for "x.round()";
    "fraction": "if x < 0 { x - rounded_up(x) } else { x - rounded_down(x) }" for "x.fraction()";
    "to_float" "to_decimal": "a number does where a length is wanted: `n + 0.5`";
    "hypot": "diagonal(3, 4)" for "hypot(3.0, 4.0)";
    "sqrt": "`diagonal(3, 4)` is the root of both squares together";
    "sin" "cos" "tan" "asin" "acos" "atan" "sinh" "cosh" "tanh" "asinh" "acosh" "atanh" "exp" "ln" "log" "to_degrees"
    "to_radians" "PI" "E":
        "rules have whole numbers and lengths alone; what is worked out beforehand stands in a list: `[0, 1, 3, 6][2]`";
    "is_nan" "is_finite" "is_infinite": "every number and length is finite; ask what matters: `x > 0`";
    "get_bit": "((n >> 1) & 1) == 1" for "n.get_bit(1)";
    "set_bit": "n |= 1 << 1" for "n.set_bit(1, true)";
    "get_bits": "(n >> 1) & 3" for "n.get_bits(1, 2)";
    "set_bits": "n = n - (n & 6) + (2 << 1)" for "n.set_bits(1, 2, 2)";
    "bits": "(0..3).map(|bit| ((n >> bit) & 1) == 1)" for "n.bits(0, 3)";
    // What is outside of the table.
    "rand" "rand_float" "rand_bool" "rand_decimal" "shuffle" "sample":
        "chance comes from dice alone: `roll(first(), \"luck\", 1, 6)`";
    "timestamp" "elapsed": "rules see no clock; `count` counts rounds, and what else is counted is a slot";
    "exit": "to leave a function, write `return`; what cannot go on is an error, `throw \"why\"`";
    "tag" "set_tag": "what is remembered of a thing is a slot, declared in `slots()`";
    "is_anonymous" "get_fn_metadata_list": "rules do not look at functions; one is handed over as `|it| it > 1`";
    "back_trace": "an error tells the calls that led to it; `print(n)` prints what a rule has in hand";
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
    "it is a constant, a dial or a word of the language; a variable begins with `let`";
