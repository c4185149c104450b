//! The instructions against Rhai's own interpreter, which reads the same texts: operators,
//! statements and generated programs come to the same value, or both fail.

use crate::agents::Agent;
use crate::engine;
use crate::kernel::ids::Thing;
use crate::kernel::table::Position;
use crate::lexer;
use crate::play::{Play, Progress};
use crate::report::{Problem, Source};
use crate::rhai_differences::{BIT, ELSEWHERE, LETTER, OTHERWISE, REFUSED, elsewhere};
use crate::rules::ruleset::{LoadOptions, Ruleset};
use crate::rules::run::fuel;
use crate::rules::run::view::ValueView;
use crate::rules::runtime::Runtime;
use crate::rules::workspace::Workspace;
use proptest::prelude::*;
use rhai::packages::{
    BasicArrayPackage, BasicMapPackage, BasicMathPackage, CorePackage, LogicPackage, MoreStringPackage,
    Package,
};
use rhai::{Dynamic, Engine, ImmutableString};
use std::any::TypeId;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A game of one step, `begin`, with these functions.
fn game(functions: &str) -> (tempfile::TempDir, Runtime) {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("in a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    };
    let rules = r##"
        fn board() { #{ factions: ["red", "blue"], hexes: [3, 3] } }
        fn stats() { #{ life: 3 } }
        fn slots() { #{ unit: #{ life: 0 }, faction: #{ score: 0, ally: #{ holds: "faction" } } } }
        fn phases() { [#{ phase: "go", each: "game", step: "begin" }] }
    "##;
    write("scripts/tiny/game.rhai", &format!("{rules}\n{functions}"));
    write("units/tiny/scout.rhai", "fn stats() { #{ life: 2 } }");
    let workspace = Workspace::at(folder.path());
    let ruleset = Ruleset::load(&workspace, "tiny", &LoadOptions::default());
    let ruleset = ruleset.unwrap_or_else(|p| panic!("{}", p.page(false)));
    (folder, Runtime::new(ruleset))
}

/// Returns the result of a function without parameters, or the page of its problem.
fn result_text(runtime: &mut Runtime, function: &str) -> String {
    match runtime.ask(function, Thing::Game).expect("a function") {
        Ok(value) => runtime.value_text(&value),
        Err(problem) => problem.page(false),
    }
}

/// Rhai's interpreter with its own functions.
fn interpreter() -> Engine {
    let mut engine = Engine::new_raw();
    CorePackage::new().register_into_engine(&mut engine);
    LogicPackage::new().register_into_engine(&mut engine);
    MoreStringPackage::new().register_into_engine(&mut engine);
    BasicArrayPackage::new().register_into_engine(&mut engine);
    BasicMapPackage::new().register_into_engine(&mut engine);
    BasicMathPackage::new().register_into_engine(&mut engine);
    // What is of different kinds is neither less nor more: rules refuse to ask.
    engine.set_fast_operators(false);
    let kinds = [
        TypeId::of::<()>(),
        TypeId::of::<bool>(),
        TypeId::of::<i64>(),
        TypeId::of::<ImmutableString>(),
        TypeId::of::<rhai::Array>(),
        TypeId::of::<rhai::Map>(),
    ];
    for (a, b) in kinds.iter().flat_map(|a| kinds.iter().map(move |b| (*a, *b))) {
        let is_unlike = a != b || a == TypeId::of::<()>();
        for sign in ["<", "<=", ">", ">="].into_iter().filter(|_| is_unlike) {
            engine.register_raw_fn(sign, [a, b], |_, _| -> Result<bool, _> { Err("unlike".into()) });
        }
    }
    engine.set_max_call_levels(engine::MAX_CALL_LEVELS);
    engine.set_max_operations(100_000);
    engine.set_max_expr_depths(64, 48);
    engine.set_fail_on_invalid_map_property(true);
    engine
}

/// A value of the interpreter's as ours; `None` for kinds that rules do not have.
fn view(value: &Dynamic) -> Option<ValueView> {
    if let Ok(n) = value.as_int() {
        return Some(ValueView::Int(n));
    }
    if let Ok(it) = value.as_bool() {
        return Some(ValueView::Bool(it));
    }
    if value.is_unit() {
        return Some(ValueView::Nothing);
    }
    if let Some(text) = value.read_lock::<rhai::ImmutableString>() {
        return Some(ValueView::Text(text.to_string()));
    }
    if let Ok(letter) = value.as_char() {
        return Some(ValueView::Text(letter.to_string()));
    }
    if let Some(list) = value.read_lock::<rhai::Array>() {
        return Some(ValueView::List(list.iter().map(view).collect::<Option<_>>()?));
    }
    if let Some(map) = value.read_lock::<rhai::Map>() {
        let entries = map.iter().map(|(k, v)| Some((k.to_string(), view(v)?)));
        return Some(ValueView::Map(entries.collect::<Option<_>>()?));
    }
    None
}

/// Returns the results of both interpreters; `None` for a failure.
fn both(runtime: &mut Runtime, engine: &Engine, text: &str) -> [Option<ValueView>; 2] {
    let own = runtime.evaluate(&Source::new("test", text)).ok();
    let reference = engine.eval::<Dynamic>(text).ok();
    [own, reference.and_then(|value| view(&value))]
}

#[test]
fn operators_mean_the_same_on_every_pair_of_values() {
    let (_folder, mut runtime) = game("fn begin() {}");
    let engine = interpreter();
    let values = [
        "()",
        "true",
        "false",
        "3",
        "-7",
        "0",
        "62",
        "9223372036854775807",
        "\"x\"",
        "\"\"",
        "[]",
        "[1]",
        "[1, 2]",
        "#{}",
        "#{ a: 1 }",
    ];
    for op in [
        "+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "&", "|", "^", "&&", "||", "??", "<<",
        ">>",
    ] {
        for a in values {
            for b in values {
                // Texts can be taken from texts in Rhai alone, and lists joined with what is no list; what is joined
                // with a text is told as records tell it.
                let texts = |v: &str| v.starts_with('"') || v.starts_with('[');
                if matches!(op, "-") && (texts(a) || texts(b)) || op == "+" && (a == "()" || b == "()") {
                    continue;
                }
                if op == "+" && (a.starts_with('"') != b.starts_with('"')) {
                    continue;
                }
                let text = format!("let a = {a}; let b = {b}; a {op} b");
                let [own, reference] = both(&mut runtime, &engine, &text);
                assert_eq!(own, reference, "{text}");
            }
        }
    }
}

#[test]
fn statements_mean_the_same() {
    let (_folder, mut runtime) = game("fn begin() {}");
    let engine = interpreter();
    for text in [
        "let x = 1; { let x = 2; x += 5; } x",
        "let x = 1; let x = x + 1; x",
        "let sum = 0; for n in 1..=4 { if n == 2 { continue; } if n == 4 { break; } sum += n; } sum",
        "let found = for n in 0..9 { if n * n > 20 { break n; } }; found",
        "let n = 0; let at = loop { n += 1; if n > 3 { break n * 10; } }; at",
        "let n = 10; while n > 3 { n -= 2; } n",
        "let n = 0; do { n += 1; } while n < 3; n",
        "let n = 0; do { n += 1; } until n > 3; n",
        "let sum = 0; for (n, i) in [5, 6, 7] { sum += n * i; } sum",
        "let all = []; for n in 0..3 { all.push(n); } let other = all; other.push(9); all",
        "let all = [1]; let more = all; all.push(2); more.push(3); all[1] * 10 + more[1]",
        "let all = [1]; let more = all; all.append([2]); more.append([3, 4]); [all, more]",
        "let all = [1]; all.append(all); all.append([]); all.append(all); all",
        "let a = [1, 2]; let b = [3]; b.append(a); a.append(b); b.push(4); [a, b]",
        "let l = [1, 2, 3]; l[l.len - 1] + l[0]",
        "let l = [1, 2, 3]; let m = l; l.pop(); l.push(4); m.truncate(2); m.push(5); m.pop(); m.push(6); [l, m]",
        "let l = [1, 2, 3]; l.truncate(-1); l.push(4); l.truncate(9); l",
        "let l = [1]; [l.pop(), l.pop(), l]",
        "let m = #{ a: 1 }; let o = m; m.b = 2; o.c = 3; m.d = 4; o.b = 5; m.d = 6; [m, o]",
        "let m = #{}; for n in 1000..2000 { m[\"k\" + n] = n; } m.len() + m.k1999",
        "let l = []; for n in 0..1500 { l.push(n); } let sum = 0; while l.len > 0 { sum += l.pop(); } sum",
        "let l = [1, 2, 3]; l[-1]",
        "3 in 0..5 && !(5 in 0..5) && 5 in 0..=5",
        "let l = [1]; l[5]",
        "let l = [[1, 2], [3]]; l[0][1] = 9; l",
        "let l = [1, 2]; l[0] += 5; l",
        "let m = #{ a: #{ b: 1 } }; m.a.b = 5; m.a.c = [1]; m.a.c.push(2); m",
        "let m = #{ a: 1 }; m[\"b\"] = 2; m.a += 3; m",
        "let m = #{ b: 1, a: 2 }; m.keys()",
        "let m = #{ a: 1 }; m.x",
        "let m = #{ a: 1 }; \"a\" in m && !(\"b\" in m)",
        "switch 2 { 1 => \"a\", 2 => \"b\", _ => \"c\" }",
        "switch \"two\" { \"one\" => 1, \"two\" => { let x = 5; x + 1 }, _ => 3 }",
        "switch 7 { 0..5 => \"low\", 5..=9 => \"high\" }",
        "switch 3 { 1 | 3 => \"odd\", _ => \"?\" }",
        "let n = 5; switch 3 { 3 if n > 9 => 1, 3 if n > 4 => 2, _ => 3 }",
        "switch true { true => 1, false => 2 }",
        "switch -1 { -1 => 1, _ => 2 }",
        "switch 4 { 1 => 2 }",
        "let a = if 3 > 2 { 1 } else { 2 }; a",
        "if 3 > 4 { 1 }",
        "if 1 { 2 }",
        "{ 5; }",
        "1 < 2 && (2 > 3 || !false)",
        "false && 1",
        "true && 1",
        "() ?? 4",
        "9223372036854775807 + 1",
        "4 / 0",
        "-9223372036854775807 - 2",
        "-(3)",
        "\"face \" + 2",
        "`${1 + 2} apples`",
        "let f = |x| x * 2; f.call(4)",
        "let n = 3; let f = |x| x * n; f.call(4)",
        "let n = 3; let f = |x| x * n; n = 5; f.call(4)",
        "let n = 3; let f = || { n += 1; }; f.call(); f.call(); n",
        "[4, 5, 6].filter(|n| n > 4)",
        "let least = 4; [4, 5, 6].filter(|n| n > least).map(|n| n * 10)",
        "[1, 2, 3].reduce(|sum, n| sum + n, 0)",
        "[1, 2].some(|n| n == 2)",
        "[1, 2].all(|n| n == 2)",
        "let l = [3, 1, 2]; l.sort(|a, b| a - b); l",
        "switch \"abc\"[0] { 'b' => 1, 'a' => 2, _ => 3 }",
        "switch 'a' { 'a' if 1 > 2 => 1, 'a' => 2 }",
        "`a ${`/*`} b`",
        "#\"one \" /* quote\"#",
        "##\"one \"# two\"##",
        "let f = |x| x * 2; f.call(4, 5)",
        "let f = |x| x * 2; f.call()",
        "let n = 0; let l = [[1], [2], [3]]; l[{ n += 1; n }].push({ n += 1; n }); l",
        "let n = 0; let l = [[1], [2], [3]]; l[{ n += 1; n }][0] = { n += 1; n }; l",
        "let l = [1]; l += [2]; l",
        "let x = -0.5; -x == 0.5 && +x == x && -x > 0",
        "[1] == [1.0]",
        "[1.0, [2]] == [1, [2.0]]",
        "[1.5] == [1]",
        "1 in [1.0]",
        "1.0 in [2, 1]",
        "#{ a: 1 } == #{ a: 1.0 }",
        "[1].contains(1.0)",
        "[2, 1.0].index_of(1)",
        "[1, 2, 2].index_of(|n| n == 2)",
        "[1, 2, 2].index_of(|n| n == 3)",
        "\"abcabc\".sub_string(-1, 1)",
        "\"abcabc\".sub_string(-3, 2)",
        "\"abcabc\".sub_string(-9, 2)",
        "\"abcabc\".sub_string(9, 2)",
        "\"abcabc\".sub_string(-9223372036854775807 - 1, 2)",
        "\"\".split(\"\")",
        "\"\".split(\"-\")",
        "\"ab\".split(\"\")",
        "let l = [[1, 2], [3]]; [l.pop().len, l]",
        "let l = [#{ a: 1 }, #{ a: 2 }]; [l.remove(0).a, l.shift().a, l]",
        "let l = [[1, 2], [3, 4]]; let n = 0; [l.remove(1)[n], l]",
        "let m = #{ a: [1, 2] }; [m.a.pop() + m.a.pop(), m]",
        "let l = [[5, 6], [7]]; [l[0].pop().max(3), l]",
        "let m = #{ a: [4, 5] }; [m.remove(\"a\")[1], m]",
        "[1, 2, 3].filter(|n| n > 1).pop()",
        "let m = #{ a: 1, b: 2 }; m.values().pop() + m.keys().remove(0).len",
        "let l = [[1, 2], [3]]; let f = || l.pop().len; f.call(); l",
        "const L = [1, 2]; L.len + L[1]",
        "const X = 1; let f = |n| n + X; f.call(2)",
        "const L = [1, 2]; { let L = [3]; L.push(4); L }",
        "let l = [3, 1, 2]; l.sort(); l.reverse(); l",
        "let l = [1, 2, 3]; l.remove(1); l.insert(0, 9); l.pop() + l.shift()",
        "max(2, 5) - min(1, 2) + abs(-3)",
        "\"volley\".len",
        "\"volley\"[1]",
        "\"a-b\".split(\"-\")",
        "\"volley\".sub_string(1, 3)",
        "\"volley\".contains(\"ll\")",
        "return 8; 9",
        "const N = 4; N + 1",
        "[1, [2, 3]][1][0]",
        "let s = 0; for c in \"abc\" { s += 1; } s",
        "fn twice(n) { n * 2 } twice(4)",
        "throw 5",
        "2 ** 5",
        "7 >> 1 << 3",
    ] {
        // A user's expression has no functions of its own.
        if text.contains("fn twice") {
            continue;
        }
        let [own, reference] = both(&mut runtime, &engine, text);
        assert_eq!(own, reference, "{text}");
    }
}

/// Scripts of one line each, which use what Rhai's own tests use.
const SNIPPETS: &str = include_str!("snippets.rhai");

/// Whether a problem is one of those that the reference lists: a form, or a function of Rhai that rules do not have.
fn is_listed(problem: &Problem) -> bool {
    let brief = problem.brief();
    let (id, rest) = brief.split_once('(').unwrap_or((&*brief, ""));
    let about = rest.strip_suffix(')').unwrap_or(rest);
    let forms = REFUSED.iter().map(|it| it.what).chain([LETTER[0], BIT[0]]);
    match id {
        "refused-form" => forms.into_iter().any(|what| what == about),
        "unsupported-name" => REFUSED.iter().any(|it| it.written.contains(about)),
        "unknown-name" => {
            let name = about.split(", ").last().unwrap_or_default();
            elsewhere(name).is_some()
        }
        _ => false,
    }
}

#[test]
fn the_reference_lists_every_difference_from_rhai() {
    let (_folder, mut runtime) = game("fn begin() {}");
    let engine = Engine::new();
    let (mut same, mut failed, mut refused) = (0, 0, 0);
    for text in SNIPPETS.lines() {
        let own = runtime.evaluate(&Source::new("test", text));
        let theirs = engine.eval::<Dynamic>(text);
        match (own, theirs) {
            (Ok(own), Ok(theirs)) => {
                assert_eq!(Some(own), view(&theirs), "{text}");
                same += 1;
            }
            (Err(_), Err(_)) => failed += 1,
            (Err(problem), Ok(_)) if is_listed(&problem) => refused += 1,
            (own, theirs) => panic!(
                "{text}\n{:?}\n{theirs:?}",
                own.map_err(|problem| problem.page(false))
            ),
        }
    }
    assert!(
        same > 80 && failed > 8 && refused > 15,
        "{same} {failed} {refused}"
    );
}

#[test]
fn what_rules_say_otherwise_than_rhai_is_as_the_reference_lists_it() {
    let (_folder, mut runtime) = game("fn begin() {}");
    let engine = Engine::new();
    for it in OTHERWISE {
        let own = runtime.evaluate(&Source::new("test", it.written)).ok();
        let own = own.map_or_else(String::new, |value| runtime.value_text(&value));
        let theirs = engine.eval::<Dynamic>(it.written);
        let theirs = theirs.map_or_else(|_| String::new(), |value| value.to_string());
        assert_eq!((&*own, &*theirs), (it.here, it.rhai), "{}", it.written);
    }
}

#[test]
fn what_stands_in_the_place_of_a_function_of_rhai_says_the_same() {
    let (_folder, mut runtime) = game("fn begin() {}");
    let engine = Engine::new();
    let below = Cell::new(false);
    let ruleset = Arc::clone(&runtime.ruleset);
    let mut run = |code: &str, then: &str| {
        const THERE: &str = "let n = 5; let list = [3, 1, 1, 3]; let other = [4, 5, 6, 7]; let text = \"abc\"; \
            let map = #{ a: 1 }; let f = |it| it + 1;";
        let x = if below.get() { "-7.5" } else { "7.5" };
        let text = format!("{THERE} let x = {x}; {code}{then}");
        let own = runtime
            .evaluate(&Source::new("test", &*text))
            .map_err(|p| p.page(false));
        (own, engine.eval::<Dynamic>(&text).map(|value| view(&value)))
    };
    let mut names = BTreeSet::new();
    for it in ELSEWHERE {
        for name in it.names {
            assert!(names.insert(*name), "`{name}` stands there twice");
            let known = ruleset.function_names().any(|n| n == *name);
            assert!(!known, "there is a function `{name}`");
        }
        if it.written.is_empty() {
            for code in it.instead.split('`').skip(1).step_by(2) {
                let is_name = ruleset.function_names().any(|n| n == code);
                match run(code, "").0 {
                    Ok(_) => {}
                    Err(_) if is_name || code.starts_with("throw") => {}
                    Err(why) if why.contains("can only be read here") => {}
                    Err(why) => panic!("{code}\n{why}"),
                }
            }
            continue;
        }
        assert!(it.names.iter().any(|n| it.written.contains(n)), "{}", it.written);
        for sign in [false, true] {
            below.set(sign);
            let theirs = run(it.written, "")
                .1
                .unwrap_or_else(|why| panic!("{}\n{why}", it.written));
            match run(it.instead, "").0.unwrap_or_else(|why| panic!("{why}")) {
                // What only changes something is looked at behind it.
                ValueView::Nothing => {
                    let then = "; [n, list, text, map]";
                    let (own, theirs) = (run(it.instead, then).0, run(it.written, then).1);
                    assert_eq!(own.ok(), theirs.ok().flatten(), "{}", it.instead);
                }
                // Rhai has kinds that rules do not have.
                own => assert_eq!(own, theirs.unwrap_or_else(|| own.clone()), "{}", it.instead),
            }
        }
    }
}

#[test]
fn every_function_of_rhai_is_known_or_has_something_in_its_place() {
    let (_folder, runtime) = game("fn begin() {}");
    let known: BTreeSet<String> = runtime
        .ruleset
        .function_names()
        .map(str::to_owned)
        .chain(runtime.ruleset.members(None))
        .collect();
    for (name, _) in packaged() {
        let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        // What waits is refused by its name alone.
        let is_known = known.contains(&name) || elsewhere(&name).is_some() || name == "sleep";
        assert!(
            is_known || !is_name || lexer::reserved().contains(&&*name),
            "{name}"
        );
    }
}

#[test]
fn a_function_of_rhai_is_told_with_what_to_write_where_nothing_has_its_name() {
    let (_folder, mut runtime) = game("fn trim(text) { text }  fn begin() {}");
    let hint = |text: &str| {
        let problems = runtime.ruleset.check_expression(&Source::new("test", text), &[]);
        problems.first().and_then(|problem| problem.hint.clone())
    };
    assert_eq!(hint("trim(\"a\")"), None);
    for (text, name) in [
        ("range(0, 9, 3)", "range"),
        ("\"a\".replace(\"a\", \"b\")", "replace"),
        ("let n = 3; n.is_odd", "is_odd"),
        ("timestamp()", "timestamp"),
    ] {
        assert_eq!(hint(text), elsewhere(name), "{text}");
        assert!(hint(text).is_some());
    }
    // A game may mean its own by such a word.
    assert_ne!(hint("game().round"), elsewhere("round"));
    let failed = runtime.evaluate(&Source::new("test", "timestamp()"));
    assert_eq!(failed.expect_err("no clock").hint, elsewhere("timestamp"));
}

#[test]
fn what_rules_cannot_say_is_told_with_what_to_say_instead() {
    for (body, wanted) in [
        (
            "let x = 0.0005;",
            "refused-form(a length has three decimals at most)",
        ),
        ("try { 1 } catch { 2 }", "refused-form(rules do not catch errors)"),
        ("let x = this;", "refused-form(`this` has no meaning here)"),
        (
            "import \"x\" as y;",
            "refused-form(scripts of a game see each other without an import)",
        ),
        ("export let x = 1;", "refused-form(rules do not export names)"),
        ("[1].map(|n| this);", "refused-form(`this` has no meaning here)"),
        ("let x = [1]; push(x, 2);", "lost-change(push)"),
        ("let f = |x| x; f(1);", "called-variable(f)"),
        ("let f = |x| x; call(f, 1);", "unknown-name(function, call)"),
        ("let a = 1; a.begin();", "wrong-arguments(begin, no arguments)"),
        (
            "let a = -9223372036854775808;",
            "number-too-large(9223372036854775808, 9223372036854775807)",
        ),
        (
            "switch 1 { 0..0 => 1 }",
            "refused-form(a case is a number, a text, true or false, or a range of numbers)",
        ),
        ("let f = Fn(\"begin\");", "unsupported-name(Fn)"),
        ("const N = 1; N = 2;", "unchangeable(`N`)"),
        ("nobody = 1;", "unchangeable(`nobody`)"),
        ("const L = [1]; L[0] = 2;", "unchangeable(`L`)"),
        ("const L = [1]; L.push(2);", "unchangeable(`L`)"),
        ("const L = [[1]]; L[0].push(2);", "unchangeable(`L`)"),
        ("const M = #{ a: 1 }; M.a = 2;", "unchangeable(`M`)"),
        ("const M = #{ a: [1] }; M.a.push(2);", "unchangeable(`M`)"),
        ("const X = 1; let f = || { X += 2; X };", "unchangeable(`X`)"),
        ("const L = [1]; let f = || L.push(2);", "unchangeable(`L`)"),
        ("let l = [1]; l.filter(|n| n > 1).sort();", "lost-change(sort)"),
        (
            "let l = [[1]]; let n = 0; l.remove({ n += 1; 0 }).index_of({ n += 1; n });",
            "change-within-chain()",
        ),
        (
            "nothing_such = 1;",
            "unknown-name(variable or dial, nothing_such)",
        ),
        (
            "let s = \"ab\"; s[0] = \"c\";",
            "refused-form(a letter of a text cannot be changed)",
        ),
        (
            "let s = `a${1}`; for n in 0..1 { s[n] += \"c\"; }",
            "refused-form(a letter of a text cannot be changed)",
        ),
        (
            "let n = 5; if n[0] { }",
            "refused-form(a number has no items for `[ ]`)",
        ),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("scripts/tiny/game.rhai");
        std::fs::create_dir_all(path.parent().expect("in a folder")).expect("a folder");
        let text = format!(
            "fn board() {{ #{{ factions: [\"red\", \"blue\"], hexes: [1, 1] }} }}\n\
             fn phases() {{ [#{{ phase: \"go\", each: \"game\", step: \"begin\" }}] }}\nfn begin() {{ {body} }}\n"
        );
        std::fs::write(path, text).expect("a file");
        let workspace = Workspace::at(folder.path());
        let Err(problems) = Ruleset::load(&workspace, "tiny", &LoadOptions::default()) else {
            panic!("{body} loads");
        };
        assert_eq!(
            (&*problems.0[0].brief(), problems.0[0].line()),
            (wanted, Some(3)),
            "{body}"
        );
    }
}

#[test]
fn an_expression_is_checked_as_it_is_run() {
    let (_folder, mut runtime) = game("fn begin() {}");
    for (text, wanted) in [
        ("[1, 2].all(|y| [1, 2].some(|z| z == y))", vec![]),
        ("let n = 1; [1].some(|y| n == y) && first() != nobody", vec![]),
        (
            "pionts == 3 && [1].some(|y| y == foo)",
            vec![
                "unknown-name(variable or dial, pionts)",
                "unknown-name(variable or dial, foo)",
            ],
        ),
        (
            "try { } catch { }",
            vec!["refused-form(rules do not catch errors)"],
        ),
        (
            "0.0005 == 1",
            vec!["refused-form(a length has three decimals at most)"],
        ),
        ("const L = [1]; L[0] = 2", vec!["unchangeable(`L`)"]),
        ("let f = |x| x; f(1) == 1", vec!["called-variable(f)"]),
        ("this == 1", vec!["refused-form(`this` has no meaning here)"]),
        ("win(first(), \"it\")", vec!["read-only(win)"]),
        ("first().roll(\"it\", 1, 6).total > 3", vec!["read-only(roll)"]),
        ("let l = [1, 2]; l.remove(0); l.len == 1", vec![]),
    ] {
        let source = Source::new("expectation", text);
        let found = runtime.ruleset.check_expression(&source, &[]);
        let mut found: Vec<String> = found.iter().map(Problem::brief).collect();
        found.dedup();
        assert_eq!(found, wanted, "{text}");
        assert_eq!(found.is_empty(), runtime.evaluate(&source).is_ok(), "{text}");
    }
    let mut own = |text| {
        runtime
            .evaluate(&Source::new("test", text))
            .expect_err("it is refused")
            .hint
    };
    assert_eq!(
        own("this").as_deref(),
        Some("the subject of a function is its first parameter, such as `me`")
    );
}

#[test]
fn failures_are_told_in_words_of_the_table() {
    let (_folder, mut runtime) = game("fn begin() {}");
    for (text, wanted) in [
        ("[1, 2][2]", "missing-item(item, 2, 2, list)"),
        ("let l = []; l[0]", "missing-item(item, 0, 0, list)"),
        ("let l = \"ab\"; l[9]", "missing-item(letter, 9, 2, text)"),
        ("let n = 0; 5 / n", "division-by-zero(5 / 0)"),
        ("let n = 0; 5 % n", "division-by-zero(5 % 0)"),
        (
            "let n = -9223372036854775807 - 1; n / -1",
            "number-too-large(-9223372036854775808 / -1)",
        ),
        (
            "let n = 9223372036854775807; n + 1",
            "number-too-large(9223372036854775807 + 1)",
        ),
        ("let n = 3; if n { 1 }", "wrong-kind(true or false, a number)"),
        ("let n = 3; for x in n { }", "not-a-sequence()"),
        ("let n = 3; n.life", "missing-property(a number, has, life)"),
        ("let n = (); n.life", "property-of-nothing(nobody, life)"),
        ("let n = (); n.adjacent", "property-of-nothing(nowhere, adjacent)"),
        ("let n = (); n.units", "property-of-nothing(nothing, units)"),
        (
            "let n = (); n == 3 || n + 1",
            "wrong-operand(+, nothing and a number)",
        ),
        ("let n = (); n < 3", "wrong-operand(<, nothing and a number)"),
        ("let n = \"2\"; n >= 2", "wrong-operand(>=, a text and a number)"),
        ("units() > 0", "wrong-operand(>, units and a number)"),
        ("units() == 0", "wrong-operand(==, units and a number)"),
        (
            "let n = 3.5; n != places()",
            "wrong-operand(!=, a length and places)",
        ),
        (
            "switch units() { 2 => 1, _ => 0 }",
            "wrong-operand(switch, units and a number)",
        ),
        ("let n = \"2\"; n * 2", "wrong-operand(*, a text and a number)"),
        ("let n = true; n[0]", "no-items(true or false, has)"),
        (
            "let n = 4 + [1].len; n[0]",
            "refused-form(a number has no items for `[ ]`)",
        ),
        ("first()[0]", "no-items(a faction, has)"),
        ("first()[\"scoer\"]", "missing-property(a faction, has, scoer)"),
        ("first()[\"life\"]", "missing-property(a faction, has, life)"),
        ("let n = (); n[\"life\"]", "property-of-nothing(nobody, life)"),
        (
            "let s = 3; s = \"ab\"; s[0] = \"c\"",
            "refused-form(a letter of a text cannot be changed)",
        ),
        (
            "let m = #{ a: \"ab\" }; m.a[0] = \"c\"",
            "refused-form(a letter of a text cannot be changed)",
        ),
        ("let m = #{ a: 1 }; m.b", "missing-key(b)"),
        (
            "max(\"a\", [1])",
            "wrong-arguments(max, (number, number) or (length, length) or (length, number) or (number, length), (text, list))",
        ),
        ("nothing_such(1)", "unknown-name(function, nothing_such)"),
        ("None", "unknown-name(variable or dial, None)"),
        (
            "let f = |x, y| x; f.call(1)",
            "wrong-count(the function `|x, y|`, 2 parameters, 1)",
        ),
        (
            "let n = 1; let f = |x| x + n; f.call(4, 5)",
            "wrong-count(the function `|x|`, 1 parameter, 2)",
        ),
        ("let l = [1]; l += \"a\"", "wrong-operand(+, a list and a text)"),
        (
            "let m = #{ l: [[1]] }; m.l[0] += \"a\"",
            "wrong-operand(+, a list and a text)",
        ),
        ("const M = #{ life: 1 }; M.life = 2", "unchangeable(`M`)"),
        ("const L = [1]; L.remove(0)", "unchangeable(`L`)"),
        (
            "let x = -922337203685.477 * 10000 - 5.808; x / -1",
            "number-too-large(-9223372036854775.808 / -1)",
        ),
        (
            "let x = -922337203685.477 * 10000 - 5.808; -x",
            "number-too-large(--9223372036854775.808)",
        ),
        ("let x = \"a\"; -x", "wrong-operand(-, a text)"),
        ("throw \"no way\"", "rule-failure(no way)"),
        ("loop { }", "too-many-operations(2000000)"),
        (
            "let n = 1; let a = 0; loop { a = [n, n, n, n, n, n, n, n, n, n, n, n]; }",
            "too-many-values(1000000)",
        ),
        (
            "let n = 0; loop { n += 1; let t = \"a\" + n; }",
            "too-many-texts(60000, 67108864)",
        ),
        (
            "let a = [1]; for n in 0..70 { a = [a]; } to_string(a)",
            "too-deep(64, 65536)",
        ),
        ("let s = \"ab\"; loop { s += s; }", "too-large(4096, 1024, 65536)"),
        (
            "let all = []; loop { all.push(1); }",
            "too-large(4096, 1024, 65536)",
        ),
        ("[1, \"a\"].filter(|n| n)", "wrong-kind(true or false, a number)"),
        ("let l = [me]; l", "unknown-name(variable or dial, me)"),
        (
            "let l = [first(), second()]; l.sort(); l",
            "rule-failure(a faction and a faction cannot be put in order; say what counts: `list.sort_by(|unit| unit.life)`)",
        ),
    ] {
        let problem = match runtime.evaluate(&Source::new("test", text)) {
            Ok(value) => panic!("{text} is {}", runtime.value_text(&value)),
            Err(problem) => problem.brief(),
        };
        assert_eq!(problem, wanted, "{text}");
    }
}

#[test]
fn what_fails_in_a_function_that_an_expression_calls_is_told_there() {
    let (_folder, mut runtime) = game("fn begin() {}\nfn odd() { let m = #{}; m.x }\nfn ask(f) { f.call() }");
    for (text, place, calls) in [
        ("1 + odd()", "game.rhai:8:27", &["test:1:5"][..]),
        ("[1].map(|n| odd())", "game.rhai:8:27", &["test:1:13"]),
        ("let m = #{}; m.x", "test:1:16", &[]),
        ("[1].map(|n| n.x)", "test:1:15", &[]),
        ("ask(|| odd())", "game.rhai:8:27", &["game.rhai:9:15", "test:1:8"]),
    ] {
        let failed = runtime.evaluate(&Source::new("test", text)).expect_err(text);
        let location = failed.place.map(|place| place.to_string()).unwrap_or_default();
        assert!(location.ends_with(place), "{text}: {location}");
        let called: Vec<String> = failed.chain.iter().map(|call| call.place.to_string()).collect();
        assert_eq!(called.len(), calls.len(), "{text}: {called:?}");
        assert!(
            called.iter().zip(calls).all(|(is, call)| is.ends_with(call)),
            "{called:?}"
        );
    }
}

#[test]
fn lengths_are_divided_by_numbers_and_rounded_down() {
    let (_folder, mut runtime) = game("fn begin() {}");
    for (text, wanted) in [
        ("let x = 0.007; x / 2", "0.003"),
        ("let x = 0.007; x / -2", "-0.004"),
        ("let x = -0.007; x / 2", "-0.004"),
        ("let x = -0.007; x / -2", "0.003"),
        ("let x = -0.006; x / 2", "-0.003"),
    ] {
        let value = runtime.evaluate(&Source::new("test", text)).expect("a length");
        assert_eq!(runtime.value_text(&value), wanted, "{text}");
    }
}

#[test]
fn a_function_that_shares_a_variable_with_a_closure_makes_another_each_time() {
    let makers = "
        fn make() { let n = 0; let f = || { n += 1; n }; f }
        fn given(n) { for it in [1] { } || { n += 1; n } }
        fn held() { let n = 0; #{ f: || { n += 1; n } } }
        fn deep() { let n = 0; let f = || { let g = || { n += 1; n }; g }; f.call() }
        fn around() { for it in [1] { return given(0); } }
    ";
    let both =
        |make: &str| format!("let a = {make}; let b = {make}; a.call(); a.call(); [a.call(), b.call()]");
    let begin = format!(
        "fn begin() {{ throw [{{ {} }}, {{ {} }}, {{ {} }}, {{ {} }}, {{ {} }}]; }}",
        both("make()"),
        both("given(0)"),
        both("held().f"),
        both("deep()"),
        both("around()"),
    );
    assert_eq!(
        thrown(&format!("{makers}{begin}")).as_deref(),
        Some("[[3, 1], [3, 1], [3, 1], [3, 1], [3, 1]]")
    );
}

#[test]
fn an_expression_leaves_no_words_behind() {
    let (_folder, mut runtime) = game("fn begin() {}");
    let before = runtime.table.words.len();
    for n in 0..50 {
        let text = format!("let all = []; for n in 0..20 {{ all.push(\"word {n} \" + n); }} all.len");
        let value = runtime
            .evaluate(&Source::new("test", text))
            .expect("it says something");
        assert_eq!(value, ValueView::Int(20));
    }
    assert_eq!(runtime.table.words.len(), before);
}

/// Plays the one step of a game whose rules fail; says how.
fn failure(functions: &str) -> Problem {
    let (_folder, runtime) = game(functions);
    let start = Position::start(runtime.table.world.clone(), false, 1, 0);
    let mut play = Play::new(runtime.ruleset, &start);
    play.prepare();
    let before = (play.position(), play.events());
    let problem = match play.advance() {
        Progress::Failed(problem) => problem,
        other => panic!("{other:?} of {functions}"),
    };
    assert_eq!((play.position(), play.events()), before);
    *problem
}

#[test]
fn what_changes_a_list_or_map_says_what_it_takes() {
    for (body, takes, hint) in [
        (
            "[1].append(3)",
            "(list, list), not (list, number)",
            "list.append(more: list)",
        ),
        (
            "#{ a: 1 }.remove(3)",
            "(map, text), not (map, number)",
            "map.remove(key: text)",
        ),
        (
            "#{ a: 1 }.remove()",
            "(map, text), not (map)",
            "map.remove(key: text)",
        ),
        (
            "[1].remove(\"a\")",
            "(list, number), not (list, text)",
            "list.remove(at: number)",
        ),
    ] {
        let (it, call) = body.split_once('.').expect("a call");
        let page = failure(&format!("fn begin() {{ let it = {it}; it.{call}; }}")).page(false);
        assert!(page.contains(takes) && page.contains(hint), "{body}: {page}");
    }
}

#[test]
fn what_runs_away_is_stopped_and_leaves_the_position_alone() {
    for (body, wanted) in [
        ("loop { }", "too-many-operations"),
        ("let n = 0; while true { n += 1; n -= 1; }", "too-many-operations"),
        ("for n in 0..9999999999 { helper(n); }", "too-many-operations"),
        ("fn_that_calls_itself();", "too-many-calls"),
        ("ping();", "too-many-calls"),
        ("let f = |g| g.call(g); f.call(f);", "too-many-calls"),
        ("let all = []; loop { all.push(1); }", "too-large"),
        ("let all = [1]; loop { all.append(all); }", "too-large"),
        ("let text = \"x\"; loop { text += text; }", "too-large"),
        (
            "let m = #{}; let n = 0; loop { m[\"k\" + n] = n; n += 1; }",
            "too-many-values",
        ),
        (
            "add(first(), \"score\", 1, \"x\"); first().score / 0;",
            "division-by-zero",
        ),
    ] {
        let problem = failure(&format!(
            "fn begin() {{ enlist(first(), unit_type(\"scout\")); {body} }}\n\
             fn helper(x) {{ x }}\n\
             fn fn_that_calls_itself() {{ fn_that_calls_itself() + 1 }}\n\
             fn ping() {{ pong(1) }}\nfn pong(x) {{ ping() }}\n"
        ));
        assert_eq!(problem.id(), wanted, "{body}");
    }
}

#[test]
fn an_error_names_its_place_and_the_calls() {
    let page = failure(
        "fn begin() { outer(3); }\nfn outer(n) {\n    inner(n - 3);\n}\nfn inner(n) {\n    let x = 4 / n;\n}\n",
    )
    .page(false);
    assert!(page.contains("outer") && page.contains("4 / n"), "{page}");
}

#[test]
fn the_same_fuel_whoever_watches() {
    let text = "fn begin() { let n = 0; while n < 300000 { n += 1; } }\nfn count() { let n = 0; while n < 30000 { n += 1; } n }";
    let (_folder, mut runtime) = game(text);
    assert_eq!(result_text(&mut runtime, "count"), "30000");
    runtime.start_trace(crate::rules::trace::TraceLevel::Lines);
    assert_eq!(result_text(&mut runtime, "count"), "30000");
    assert!(!runtime.take_trace().expect("a trace").lines.is_empty());
}

/// Returns the message with which the step `begin` of such a game fails, given this much fuel.
fn first_step(functions: &str, watched: bool, fuel: u64) -> Option<String> {
    fuel::less::set(fuel);
    let (_folder, mut runtime) = game(functions);
    if watched {
        runtime.start_trace(crate::rules::trace::TraceLevel::Lines);
    }
    let world = runtime.table.world.clone();
    let mut play = Play::new(runtime.ruleset, &Position::start(world, false, 1, 0));
    if let Some(source) = Agent::First.source(1) {
        play.set_source(source);
    }
    let end = play.advance();
    fuel::less::set(fuel::MAX_OPERATIONS);
    match end {
        Progress::Failed(problem) => Some(problem.message.clone()),
        _ => None,
    }
}

/// Returns the message with which the step fails under the normal fuel limit.
fn thrown(functions: &str) -> Option<String> {
    first_step(functions, false, fuel::MAX_OPERATIONS)
}

/// The least fuel with which it does not fail.
fn least_fuel(functions: &str, watched: bool) -> u64 {
    let (mut less, mut enough) = (0, 1 << 20);
    while less + 1 < enough {
        let fuel = (less + enough) / 2;
        match first_step(functions, watched, fuel) {
            None => enough = fuel,
            Some(_) => less = fuel,
        }
    }
    enough
}

const SUMS: &str = "
    fn sum() { let n = 0; for side in [first(), second()] { n += side.score; } n }
    fn sums(all) { let n = 0; for it in all { n += it + sum(); } n }
";

#[test]
fn what_is_remembered_is_forgotten_when_something_changes() {
    let begin = "
        fn begin() {
            let before = sum() + sum();
            let one = first();
            one.score += 2;
            let between = sum();
            add(second(), \"score\", 3, \"more\");
            throw `${before} ${between} ${sum()} ${sums([1, 2])} ${sums([1, 3])} ${sums([1, 2])}`;
        }
    ";
    let end = thrown(&format!("{SUMS}{begin}"));
    assert_eq!(end.as_deref(), Some("0 2 5 13 14 13"));
}

#[test]
fn a_text_in_brackets_names_a_property() {
    let begin = "
        fn begin() {
            let one = first();
            let slot = \"sc\" + \"ore\";
            one[slot] = 2;
            one[slot] += 3;
            let had = one[slot];
            one.foe[slot] = 4;
            one[\"foe\"].score += 1;
            one[\"ally\"] = one.foe;
            one[\"ally\"][slot] *= 2;
            throw `${had} ${one.score} ${second().score} ${one.ally.name} ${[one, second()].map(|it| it[slot])}`;
        }
    ";
    assert_eq!(thrown(begin).as_deref(), Some("5 5 10 blue [5, 10]"));
    for (change, wanted) in [
        ("one[\"scoer\"] = 1", "missing-property(a faction, has, scoer)"),
        ("one[\"name\"] = \"x\"", "unchangeable(`.name` of a faction)"),
        (
            "one[\"score\"] = \"x\"",
            "rule-failure(the slot `score` cannot hold text)",
        ),
        (
            "one[\"score\"] += nobody",
            "wrong-operand(+, a number and nothing)",
        ),
        (
            "let n = nobody; n[\"score\"] = 1",
            "property-of-nothing(nobody, score)",
        ),
        ("one[1] = 1", "no-items(a faction, has)"),
    ] {
        let problem = failure(&format!("fn begin() {{ let one = first(); {change}; }}"));
        assert_eq!(problem.brief(), wanted, "{change}");
    }
    let near = failure("fn begin() { let one = first(); one[\"sco\" + \"er\"] = 1; }").page(false);
    assert!(
        near.contains("did you mean `.score`?") && near.contains("game.rhai"),
        "{near}"
    );
}

#[test]
fn what_does_something_is_done_each_time() {
    let begin = "
        fn adds() { for side in [first(), second()] { side.score += 1; } sum() }
        fn rolls() { let n = 0; for nth in 0..2 { n += roll(first(), \"die\", 1, 6).len; } n }
        fn counted() { let n = 0; [1, 2].map(|it| n += it); n }
        fn begin() {
            let before = times(\"die\");
            throw `${adds()} ${adds()} ${rolls() + rolls()} ${counted() + counted()} ${times(\"die\") - before}`;
        }
    ";
    let end = thrown(&format!("{SUMS}{begin}"));
    assert_eq!(end.as_deref(), Some("2 4 4 6 4"));
}

#[test]
fn what_reads_the_record_is_worked_out_each_time() {
    let begin = "
        fn told() { for it in [1] { return times(\"odd\"); } }
        fn seen() { for it in [1] { return sees(second(), \"odd\"); } }
        fn begin() {
            let before = `${told()} ${seen()}`;
            choose(first(), \"number\", [\"odd\", \"even\"]);
            throw `${before} ${told()} ${seen()}`;
        }
    ";
    assert_eq!(thrown(begin).as_deref(), Some("0 false 1 true"));
}

#[test]
fn what_nothing_has_changed_is_worked_out_once() {
    fuel::drift::begin();
    let begin = "
        fn drifts() { let n = 0; for it in [1, 2] { n += test_drift(); } n }
        fn begin() {
            let one = first();
            let twice = `${drifts()} ${drifts()}`;
            one.score += 1;
            throw `${twice} ${drifts()}`;
        }
    ";
    assert_eq!(thrown(begin).as_deref(), Some("3 3 7"));
}

#[test]
fn what_is_remembered_costs_the_same_fuel() {
    let begin = "
        fn begin() {
            let n = 0;
            while n < 40 { n += 1 + sums([0, 0, 0]); sums([n]); }
        }
    ";
    let rules = format!("{SUMS}{begin}");
    let fuel = least_fuel(&rules, false);
    assert_eq!(fuel, least_fuel(&rules, true));
    assert!(fuel > 1_000, "{fuel}");
}

const SMALL: &str = "
    fn one() { 1 }
    fn more(n) { if n > 8 { return n; } n + one() }
    fn both(a, b) { let c = more(a); c + 10 * more(b) }
    fn swapped(a, b) { both(b, both(a, more(b))) }
    fn down(n) { if n == 0 { 0 } else { more(0) + down(n - 1) } }
    fn wide(a, b, c, d, e, f, g, h) { a + b + c + d + e + f + g + h }
    fn deep(a, b, c, d, e, f, g, h) {
        let left = a - 1;
        let o = b;
        let p = c;
        let q = d;
        if a == 0 { b + h } else { more(0) + deep(left, o, p, q, e, f, g, h) }
    }
";

#[test]
fn what_stands_in_for_a_call_says_what_the_call_says() {
    // More variables wait for each other than there is room for where a function is called.
    let (before, behind) = ("wide(1, 1, 1, 1, 1, 1, 1, ".repeat(12), ")".repeat(12));
    let functions = format!(
        "fn a() {{ swapped(2, 9) }} fn b() {{ down(20) }} fn c() {{ {before}0{behind} }}
         fn d() {{ deep(24, 1, 2, 3, 4, 5, 6, 7) }}"
    );
    let (_folder, mut runtime) = game(&format!("{SMALL}{functions} fn begin() {{ }}"));
    for watched in [false, true] {
        if watched {
            runtime.start_trace(crate::rules::trace::TraceLevel::Lines);
        }
        for (function, value) in [("a", "939"), ("b", "20"), ("c", "84"), ("d", "32")] {
            assert_eq!(result_text(&mut runtime, function), value, "{function}");
        }
    }
}

#[test]
fn what_stands_in_for_a_call_costs_the_same_fuel_and_goes_as_deep() {
    let rules = format!("{SMALL} fn begin() {{ for n in 0..20 {{ swapped(n, 3); down(9); }} }}");
    assert_eq!(least_fuel(&rules, false), least_fuel(&rules, true));
    let deep = format!("{SMALL} fn begin() {{ down(1000); }}");
    let why = thrown(&deep);
    assert!(why.as_ref().is_some_and(|why| why.contains("deep")), "{why:?}");
    assert_eq!(why, first_step(&deep, true, fuel::MAX_OPERATIONS));
}

/// The names and operators that Rhai's own packages know, each with the numbers of its arguments.
fn packaged() -> Vec<(String, usize)> {
    let signatures = Engine::new().gen_fn_signatures(true);
    let mut all: Vec<(String, usize)> = signatures
        .iter()
        .filter_map(|signature| {
            let (name, rest) = signature.split_once('(')?;
            let params = rest.split_once(')').map_or("", |(params, _)| params);
            let count = params.split(", ").filter(|p| !p.is_empty()).count();
            Some((name.to_owned(), count))
        })
        .collect();
    all.sort();
    all.dedup();
    all
}

#[test]
fn what_rhai_knows_is_in_the_reference_or_does_not_load() {
    let packaged = packaged();
    let plain = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let (names, others): (Vec<_>, Vec<_>) = packaged.into_iter().partition(|(name, _)| plain(name));
    assert!(names.len() > 100, "{names:?}");
    for wanted in ["abs", "sleep", "push", "to_string", "parse_json"] {
        assert!(
            names.iter().any(|(name, _)| name == wanted),
            "{wanted} in {names:?}"
        );
    }
    let reference =
        std::fs::read_to_string(super::root().join("docs/reference.md")).expect("the page is there");
    // What the page says that rules do not have is not listed by that.
    let (before, missing) = reference
        .split_once("## Functions of Rhai that rules do not have\n")
        .expect("the page has them");
    let behind = missing.split_once("\n## ").map_or("", |(_, behind)| behind);
    let listed = |name: &str| {
        let called = |text: &str| before.contains(text) || behind.contains(text);
        (!plain(name) && called(name))
            || called(&format!("`{name}("))
            || called(&format!(".{name}("))
            || called(&format!("`{name}`"))
    };
    let mut unlisted = Vec::new();
    let mut call = |name: &str, text: &str| {
        let rules = "fn board() { #{ factions: [\"red\", \"blue\"], hexes: [3, 3] } }\n\
                     fn phases() { [#{ phase: \"go\", each: \"game\", step: \"begin\" }] }\n";
        let text = format!("{rules}fn begin() {{\nlet a = 1;\n{text};\n}}\n");
        let texts = [("scripts/tiny/game.rhai".to_owned(), text)].into();
        let workspace = Workspace::at("no such folder").with(texts);
        match Ruleset::load(&workspace, "tiny", &LoadOptions::default()) {
            Ok(_) if !listed(name) => unlisted.push(format!("{name}: it loads")),
            Ok(_) => {}
            Err(problems) => assert!(
                problems.0.iter().all(|p| p.place.is_some()),
                "{}",
                problems.page(false)
            ),
        }
    };
    for (name, count) in &names {
        call(name, &format!("{name}({})", vec!["a"; *count].join(", ")));
        if *count > 0 {
            call(name, &format!("a.{name}({})", vec!["a"; count - 1].join(", ")));
        }
    }
    // What the parser knows by itself.
    for text in [
        "eval(\"1\")",
        "sleep(1)",
        "timestamp()",
        "import \"x\" as x",
        "export a",
        "Fn(\"begin\")",
        "curry(a, a)",
        "a.curry(1)",
        "is_shared(a)",
        "is_def_var(\"a\")",
        "is_def_fn(\"a\", 1)",
        "spawn(a)",
        "thread(a)",
        "go(a)",
        "sync(a)",
        "async(a)",
        "await(a)",
        "yield(a)",
        "exit(1)",
        "open(\"x\")",
        "std::fs::read(\"x\")",
        "global::x",
        "this",
        "a.type_of().eval()",
        "try { sleep(1) } catch { }",
    ] {
        let name = text.split(['(', ' ', '.', ':']).next().unwrap_or(text);
        call(if text.contains('.') { "no name" } else { name }, text);
    }
    let mut signs: Vec<String> = others
        .into_iter()
        .map(|(sign, _)| sign)
        .filter(|s| !s.contains('$'))
        .collect();
    signs.extend(
        [
            "&&", "||", "??", "in", "!in", "..", "..=", "**", "<<", ">>", "^", "?.",
        ]
        .map(str::to_owned),
    );
    signs.sort();
    signs.dedup();
    assert!(signs.len() > 15, "{signs:?}");
    for sign in &signs {
        for text in [format!("a {sign} a"), format!("a {sign}= a"), format!("{sign}a")] {
            call(sign, &text);
        }
    }
    assert!(
        unlisted.is_empty(),
        "{} of them:\n{}",
        unlisted.len(),
        unlisted.join("\n")
    );
}

// --- generated programs --------------------------------------------------------------------------

fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        (-9i64..10).prop_map(|n| if n < 0 { format!("({n})") } else { n.to_string() }),
        Just("9223372036854775807".to_owned()),
        Just("a".to_owned()),
        Just("b".to_owned()),
        Just("l[0]".to_owned()),
        Just("l.len".to_owned()),
        Just("m.k".to_owned()),
    ]
}

fn expression() -> impl Strategy<Value = String> {
    number().prop_recursive(4, 24, 3, |inner| {
        let test = (
            inner.clone(),
            inner.clone(),
            prop::sample::select(vec!["<", ">=", "==", "!="]),
        )
            .prop_map(|(a, b, op)| format!("{a} {op} {b}"));
        prop_oneof![
            (
                inner.clone(),
                inner.clone(),
                prop::sample::select(vec!["+", "-", "*", "/", "%", "&", "|"])
            )
                .prop_map(|(a, b, op)| format!("({a} {op} {b})")),
            (test.clone(), inner.clone(), inner.clone())
                .prop_map(|(t, a, b)| format!("(if {t} {{ {a} }} else {{ {b} }})")),
            (test.clone(), test.clone(), inner.clone())
                .prop_map(|(s, t, a)| format!("(if {s} && !({t}) || {t} {{ {a} }})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("max({a}, {b})")),
            (inner.clone(), inner.clone())
                .prop_map(|(a, b)| format!("[{a}, {b}].map(|n| n + a).reduce(|s, n| s - n, 0)")),
            (inner.clone(), inner)
                .prop_map(|(a, b)| format!("(switch {a} {{ 0 => {b}, 1 | 2 => a, 3..7 => b, _ => {b} }})")),
        ]
    })
}

fn statement() -> impl Strategy<Value = String> {
    prop_oneof![
        expression().prop_map(|e| format!("a = {e};")),
        expression().prop_map(|e| format!("b += {e};")),
        expression().prop_map(|e| format!("l.push({e});")),
        expression().prop_map(|e| format!("l.append([{e}, 1]);")),
        expression().prop_map(|e| format!("l[0] = {e};")),
        expression().prop_map(|e| format!("m.k = {e};")),
        expression().prop_map(|e| format!("m[\"x\"] = {e};")),
        (expression(), expression())
            .prop_map(|(e, f)| format!("if {e} == {f} {{ a = b; }} else {{ b = {f}; }}")),
        expression().prop_map(|e| format!("for n in 0..3 {{ if n == 2 {{ continue; }} a = {e}; }}")),
        expression().prop_map(|e| format!("for n in l {{ b = n; if b == {e} {{ break; }} }}")),
        expression().prop_map(|e| format!("let a = {e};")),
        expression().prop_map(|e| format!("{{ let b = {e}; a = b; }}")),
        expression().prop_map(|e| format!("let f = |n| n + b; a = f.call({e});")),
        (expression(), expression()).prop_map(|(e, f)| {
            format!("let n = [[{e}], [1]]; n[{{ b -= 1; 0 }}].push({{ b += 2; {f} }}); a = n[0].pop() + b;")
        }),
        (expression(), expression())
            .prop_map(|(e, f)| format!("let n = [[{e}, {f}], [b]]; a = n.remove(0).len + n.pop()[0];")),
        expression().prop_map(|e| format!("a = [1, 2].map(|n| [n, {e}]).pop()[1];")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// The same value, or a failure in both.
    #[test]
    fn generated_programs_mean_the_same(program in prop::collection::vec(statement(), 1..8)) {
        thread_local! {
            static RUNTIME: RefCell<(tempfile::TempDir, Runtime)> = RefCell::new(game("fn begin() {}"));
            static ENGINE: Engine = interpreter();
        }
        let text = format!("let a = 2; let b = 5; let l = [3]; let m = #{{ k: 1 }}; {} [a, b, l, m]", program.join(" "));
        let [own, reference] = RUNTIME.with_borrow_mut(|(_, runtime)| ENGINE.with(|engine| both(runtime, engine, &text)));
        prop_assert_eq!(own, reference, "{}", text);
    }
}
