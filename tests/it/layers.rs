//! Layers: a variant behaves as if what it patches had been edited, whatever the order of naming;
//! what cannot be meant is told at load, what goes wrong in play is told and undone.

use crate::support::{Copy, Small, brief, record, root, start};
use proptest::prelude::*;
use proptest::sample::{Index, subsequence};
use rulebench::agents::Agent;
use rulebench::kernel::event::Event;
use rulebench::parse::Parser;
use rulebench::play::{Play, Progress};
use rulebench::report::Source;
use rulebench::rules::declare::VariantInfo;
use rulebench::rules::layers::{Layers, read_variant};
use rulebench::rules::register;
use rulebench::rules::ruleset::{LoadOptions, Ruleset};
use rulebench::rules::runtime::Runtime;
use rulebench::rules::workspace::Workspace;
use rulebench::scenario::file::DialValue;
use rulebench::stage::run::{self, Overrides};
use std::collections::BTreeMap;

/// A game in which every unit acts once; scouts do it their own way, guards as the game says. What
/// each did stands in its mark.
const GAME: &str = r##"fn board() { #{ factions: ["red", "blue"], hexes: [3, 3], stack: 4 } }
fn dials() { #{ bonus: number(1, 0, 9), mode: one_of("soft", ["soft", "hard"]) } }
fn stats() { #{ life: 2 } }
fn slots() { #{
    unit: #{ life: #{ start: 0, at_zero: "death" }, mark: 0 },
    game: #{ mark: 0 },
} }
fn phases() { [
    #{ phase: "opening", each: "game", step: "open" },
    #{ phase: "work", each: "unit", step: "act" },
    #{ phase: "rest", each: "game", step: "pause" },
] }
fn open() { lay(first(), "scouts", "a1"); lay(second(), "guards", "c1"); }
fn lay(side, kind, at) { enlist(side, unit_type(kind)); put(side.units.last, place(at)); }
fn act(me) { add(me, "mark", worth_of(me, 1), "act"); }
fn worth_of(me, n) { n }
fn sum(n) { if n == 0 { 0 } else { n + sum(n - 1) } }
fn pause() { add(game(), "mark", 1, "rest"); }
fn death(me) { remove(me, "death"); }
"##;

const SCOUTS: &str = r##"fn stats() { #{ symbol: "Sc" } }
fn act(me) { strike(me); }
fn strike(me) { add(me, "mark", worth_of(me, strength()), "strike"); }
fn strength() { 2 }
"##;

const GUARDS: &str = "fn stats() { #{ symbol: \"Gu\" } }\n";

fn small() -> Small {
    Small::new(GAME)
        .with("units/scouts", SCOUTS)
        .with("units/guards", GUARDS)
}

/// The game with one variant, `it`.
fn it(text: &str) -> Small {
    small().with("variants/it", text)
}

fn look(play: &mut Play, expression: &str) -> String {
    let source = Source::new("test", expression);
    play.look(&source, None, Runtime::value_text)
        .unwrap_or_else(|problem| panic!("{}", problem.page(false)))
}

/// The marks of the scouts, the guards and the game after the whole game.
fn marks(small: &Small, variants: &[&str]) -> [String; 3] {
    let mut play = small.play(variants);
    assert_eq!(play.run_on(), Progress::Over, "{}", record(&play));
    let mut of = |who: &str| look(&mut play, &format!("{who}.mark"));
    [
        of("unit(\"red.scouts1\")"),
        of("unit(\"blue.guards1\")"),
        of("game()"),
    ]
}

/// The variants that are on, innermost first.
fn order(ruleset: &Ruleset) -> Vec<&str> {
    ruleset.layers.variants().map(|(name, _)| name).collect()
}

/// The files that a call about a thing of this script passes, outermost first.
fn chain<'a>(layers: &'a Layers, script: &str, function: &str) -> Vec<&'a str> {
    let script = layers.scripts.iter().position(|s| s.name == script);
    let params = layers.functions(0).find(|f| f.name == function);
    let params = params.expect("the game has it").params.len();
    let chain = layers.chain(script.expect("there is such a script"), function, params);
    let files = chain.iter().map(|(_, l)| layers.texts[l.text].name.as_str());
    files.collect()
}

// --- as if edited ----------------------------------------------------------------------------

#[test]
fn without_a_variant_each_unit_acts_as_its_script_says() {
    assert_eq!(marks(&small(), &[]), ["2", "1", "1"]);
}

#[test]
fn a_scripts_own_function_comes_before_the_games_where_no_thing_says_whose() {
    let own = SCOUTS.to_owned() + "fn size() { 50 }\nfn twice(n) { 1000 * n }\n";
    let own = own.replace("strength())", "strength() + size() + twice(3))");
    let game = GAME.to_owned() + "fn size() { 1 }\nfn twice(n) { 2 * n }\n";
    let game = game.replace(
        "fn act(me) { add(me, \"mark\", worth_of(me, 1)",
        "fn act(me) { add(me, \"mark\", size() + twice(3)",
    );
    let small = small().with("game", &game).with("units/scouts", &own);
    assert_eq!(marks(&small, &[]), ["3052", "7", "1"]);
}

#[test]
fn functions_of_one_name_are_told_apart_by_their_number_of_parameters() {
    let game = GAME.to_owned() + "fn sum(n, m) { sum(n) + m }\nfn worth_of(me) { worth_of(me, 10) }\n";
    let game = game.replace("worth_of(me, 1)", "worth_of(me) + sum(1, 2)");
    let scouts = SCOUTS.to_owned() + "fn strength(n) { n * strength() }\n";
    let scouts = scouts.replace("worth_of(me, strength())", "worth_of(me, strength(20))");
    let small = small().with("game", &game).with("units/scouts", &scouts);
    assert_eq!(marks(&small, &[]), ["40", "13", "1"]);
    // Each has layers of its own.
    for (variant, expected) in [
        ("fn worth_of(me) { base(me) + 100 }", ["40", "113", "1"]),
        ("fn worth_of(me, n) { base(me, n) + 100 }", ["140", "113", "1"]),
        ("fn guards.worth_of(me) { 7 * base(me) }", ["40", "73", "1"]),
        (
            "fn scouts.strength(n) { base(n) + strength() }",
            ["42", "13", "1"],
        ),
        ("fn scouts.strength() { 3 }", ["60", "13", "1"]),
        // A variant may add one that is called.
        (
            "fn sum(n, m) { base(n, m) + sum(1, 1, 1) } fn sum(a, b, c) { a + b + c }",
            ["40", "16", "1"],
        ),
    ] {
        let small = small.clone().with("variants/it", variant);
        assert_eq!(marks(&small, &["it"]), expected, "{variant}");
    }
}

#[test]
fn a_name_alone_is_a_function_of_the_script_it_stands_in() {
    let scouts = SCOUTS.to_owned() + "fn doubled(n) { n * 2 }\n";
    let scouts = scouts.replace("worth_of(me, strength())", "[strength()].map(doubled)[0]");
    let game = GAME.to_owned() + "fn tripled(n) { n * 3 }\n";
    let game = game.replace(
        "worth_of(me, 1)",
        "[1].map(|n| [n].map(tripled)[0])[0] + units().map(worth_of).len",
    );
    let small = small().with("game", &game).with("units/scouts", &scouts);
    assert_eq!(marks(&small, &[]), ["4", "5", "1"]);
    // A hook goes to whatever it is about.
    let game = GAME.replace(
        "\"mark\", worth_of(me, 1)",
        "\"mark\", units().map(size).reduce(|a, b| a + b, 0)",
    );
    let small = Small::new(&(game + "fn size(me) { 1 }\n"))
        .with("units/scouts", &(SCOUTS.to_owned() + "fn size(me) { 30 }\n"))
        .with("units/guards", GUARDS);
    assert_eq!(marks(&small, &[]), ["2", "31", "1"]);
}

#[test]
fn words_that_rhai_keeps_for_itself_are_names_of_functions_phases_and_variables() {
    let game = GAME
        .replace(
            "\"rest\", each: \"game\", step: \"pause\"",
            "\"end\", each: \"game\", step: \"end\"",
        )
        .replace(
            "fn pause() {",
            "fn match(new, is) { new + is }\nfn go(use) { use }\nfn end() {",
        )
        .replace(
            "\"mark\", 1, \"rest\"",
            "\"mark\", match(go(2), #{ default: 3 }.default), \"rest\"",
        );
    let scouts = SCOUTS.replace(
        "fn strength() { 2 }",
        "fn strength() { let static = new(); static }\nfn new() { 4 }",
    );
    let small = small().with("game", &game).with("units/scouts", &scouts);
    assert_eq!(marks(&small, &[]), ["4", "1", "5"]);
}

#[test]
fn natives_called_with_things_that_they_do_not_take_are_told_at_load() {
    for (call, told) in [
        (
            "places().foes(me)",
            "wrong-kind(foes, (place, unit), (places, anything))",
        ),
        (
            "let all = places(); all.foes(me)",
            "wrong-kind(foes, (place, unit), (places, anything))",
        ),
        ("distance(me.place, \"a1\")", "wrong-kind(distance,"),
        ("units().to_upper()", "wrong-kind(to_upper, (text), (units))"),
        (
            "to_upper(places().len > 1 && true)",
            "wrong-kind(to_upper, (text), (true or false))",
        ),
        ("[3, 1].sort_by(|a, b| a - b)", "comparing-sort"),
        (
            "let n = me.mark; [3, 1].sort_by(|a, b| a - b + n)",
            "comparing-sort",
        ),
    ] {
        let game = GAME.replace("fn act(me) {", &format!("fn act(me) {{ {call};"));
        let Err(found) = small().with("game", &game).load_with(&[]) else {
            panic!("it loads: {call}");
        };
        let found: Vec<String> = found.0.iter().map(brief).collect();
        assert!(
            found.len() == 1 && found[0].starts_with(told),
            "{call}: {found:?}"
        );
    }
    for call in [
        "let it = places(); it = me.place; it.foes(me)",
        "let it = me.mark; it.max(1.5)",
        "me.foes.total(\"life\")",
        "distance(me.place, place(\"a1\"))",
        "units().filter(|it| it.owner == me.owner).total(\"life\")",
    ] {
        let game = GAME.replace("fn act(me) {", &format!("fn act(me) {{ {call};"));
        let loaded = small().with("game", &game).load_with(&[]);
        assert!(loaded.is_ok(), "{call}");
    }
}

#[test]
fn maps_take_keys_by_every_form_of_assignment() {
    for change in [
        "let all = base(); all.unit.life.fell = \"f\"; all",
        "let all = base(); all[\"unit\"].life.fell = \"f\"; all",
        "let all = base(); all[\"unit\"][\"life\"][\"fell\"] = \"f\"; all",
        "let all = base(); all.unit[\"life\"].fell = \"f\"; all",
        "let all = base(); let unit = all.unit; unit.life.fell = \"f\"; all.unit = unit; all",
        "let all = base(); all.unit.life.set(\"fell\", \"f\"); all",
        "let all = base(); all.unit.life += #{ fell: \"f\" }; all",
        "grown(base())",
    ] {
        let grown = "fn grown(all) { all[\"unit\"].life.fell = \"f\"; all }";
        let grown = grown
            .split_at(if change.starts_with("grown") {
                grown.len()
            } else {
                0
            })
            .0;
        let text = format!("fn slots() {{ {change} }} {grown} fn f(me) {{ }}");
        if let Err(problems) = it(&text).load_with(&["it"]) {
            panic!("{change}\n{}", problems.page(false));
        }
    }
    let grown = "fn pause() { let m = #{}; m[\"z\"] = 4; for n in 1..3 { m[\"k\" + n] = n; } \
                 add(game(), \"mark\", m.z + m.k1 + m.k2, \"rest\"); }";
    assert_eq!(marks(&it(grown), &["it"])[2], "7");
}

#[test]
fn what_a_name_of_several_functions_means_is_told_at_load() {
    let found = |game: String| small().with("game", &game).problems(&[]);
    let ambiguous = "fn pause(n) { n }\n";
    assert_eq!(
        found(GAME.replace("fn pause() {", "fn pause() { pause(1);") + ambiguous),
        ["ambiguous-function(pause) at scripts/tiny/game.rhai:11:44"]
    );
    assert_eq!(
        found(GAME.replace("fn pause() {", "fn pause() { [1].map(sum);") + "fn sum(a, b) { sum(a) + b }\n"),
        ["ambiguous-function(sum) at scripts/tiny/game.rhai:18:22"]
    );
    assert_eq!(
        found(GAME.replace("fn pause() {", "fn pause() { [1].map(abs);")),
        ["native-as-value(abs) at scripts/tiny/game.rhai:18:22"]
    );
    assert_eq!(
        found(GAME.to_owned() + "fn stats(me) { #{} }\n"),
        ["repeated-function(stats, scripts/tiny/game.rhai, 3) at scripts/tiny/game.rhai:20:4"]
    );
}

#[test]
fn a_variant_that_lies_there_and_is_not_on_changes_nothing() {
    assert_eq!(
        marks(&it("fn sum(n) { 9 }\nfn act(me) { }"), &[]),
        ["2", "1", "1"]
    );
}

#[test]
fn calls_inside_the_patched_unit_script_reach_the_redefined_function() {
    let small = it("fn scouts.strength() { base() + 40 }");
    assert_eq!(marks(&small, &["it"]), ["42", "1", "1"]);
}

#[test]
fn calls_inside_the_patched_game_script_reach_the_redefined_function() {
    let small = it("fn worth_of(me, n) { base(me, n) * 100 }");
    assert_eq!(marks(&small, &["it"]), ["200", "100", "1"]);
}

#[test]
fn a_variant_on_a_unit_type_leaves_the_others_alone() {
    let small = it("fn guards.worth_of(me, n) { base(me, n) + 5 }");
    assert_eq!(marks(&small, &["it"]), ["2", "6", "1"]);
}

#[test]
fn a_variant_is_the_same_as_an_edit_of_the_script() {
    let variants = [
        (
            "game",
            "fn worth_of(me, n) { n }",
            "fn worth_of(me, n) { 3 * n + bonus }",
        ),
        (
            "scouts",
            "fn strike(me) { add(me, \"mark\", worth_of(me, strength()), \"strike\"); }",
            "fn strike(me) { add(me, \"mark\", strength() + 7, \"strike\"); }",
        ),
        ("scouts", "fn strength() { 2 }", "fn strength() { sum(4) }"),
        (
            "game",
            "fn sum(n) { if n == 0 { 0 } else { n + sum(n - 1) } }",
            "fn sum(n) { if n == 0 { 1 } else { 2 * sum(n - 1) } }",
        ),
    ];
    for (script, old, new) in variants {
        let path = match script {
            "game" => "scripts/tiny/game.rhai",
            _ => "units/tiny/scouts.rhai",
        };
        let owner = if script == "game" { "fn " } else { "fn scouts." };
        let mut edited = small().replaced(path, old, new).play(&[]);
        let mut patched = it(&new.replacen("fn ", owner, 1)).play(&["it"]);
        assert_eq!(edited.run_on(), Progress::Over);
        assert_eq!(patched.run_on(), Progress::Over);
        assert_eq!(record(&patched), record(&edited), "{new}");
    }
}

#[test]
fn a_unit_passes_its_variants_its_script_the_games_variants_and_the_game() {
    let small = small()
        .with(
            "units/scouts",
            &format!("{SCOUTS}fn worth_of(me, n) {{ base(me, n) + 10 }}"),
        )
        .with(
            "variants/one",
            "fn worth_of(me, n) { 2 * base(me, n) }\nfn scouts.worth_of(me, n) { base(me, n) * 3 }",
        )
        .with(
            "variants/two",
            "fn worth_of(me, n) { base(me, n) + 7 }\nfn scouts.worth_of(me, n) { base(me, n) + 1 }",
        );
    let ruleset = small.load_with(&["one", "two"]).unwrap_or_else(|p| panic!("{p}"));
    assert_eq!(
        chain(&ruleset.layers, "scouts", "worth_of"),
        ["two", "one", "scouts", "two", "one", "game"]
    );
    assert_eq!(
        chain(&ruleset.layers, "guards", "worth_of"),
        ["two", "one", "game"]
    );
    // Scouts: 2, doubled, 7 more; 10 more; three times, 1 more. Guards: 1, doubled, 7 more.
    assert_eq!(marks(&small, &["one", "two"]), ["64", "9", "1"]);
    assert_eq!(marks(&small, &["two"]), ["20", "8", "1"]);
}

/// The game with `worth_of`, and a helper of it, in a file beside `game.rhai`.
fn split() -> Small {
    small()
        .replaced("scripts/tiny/game.rhai", "fn worth_of(me, n) { n }\n", "")
        .with(
            "values",
            "// Values.\n\nfn worth_of(me, n) { sum(n) + twice(n) - 3 * n }\nfn twice(n) { 2 * n }\n",
        )
}

#[test]
fn a_file_beside_the_games_script_is_part_of_it() {
    let small = split();
    // sum(2) = 3, sum(1) = 1.
    assert_eq!(marks(&small, &[]), ["1", "0", "1"]);
    let small = small.with(
        "variants/it",
        "fn worth_of(me, n) { base(me, n) + 5 }\nfn twice(n) { 3 * n }",
    );
    assert_eq!(marks(&small, &["it"]), ["8", "6", "1"]);
    let ruleset = small.load_with(&["it"]).unwrap_or_else(|p| panic!("{p}"));
    assert_eq!(chain(&ruleset.layers, "guards", "worth_of"), ["it", "values"]);
    // Its hooks are the game's: a unit type may have its own, before that which the kernel brings along.
    let own = split()
        .with(
            "arrivals",
            "fn arrives(me, place) { add(me, \"mark\", 10, \"game\"); }",
        )
        .with(
            "units/guards",
            &format!("{GUARDS}fn arrives(me, place) {{ base(me, place); add(me, \"mark\", 4, \"own\"); }}"),
        );
    assert_eq!(marks(&own, &[]), ["11", "14", "1"]);
}

#[test]
fn what_is_wrong_in_a_file_beside_the_games_script_is_told_there() {
    let of = |name: &str, text: &str| split().with(name, text).problems(&[]);
    assert_eq!(
        of("values", "fn worth_of(me, n) {\n    total_of(n, 1)\n}\n"),
        ["unknown-name(function, total_of) at scripts/tiny/values.rhai:2:5"]
    );
    assert_eq!(
        of("more", "// More.\n\nfn twice(n) { n }\nfn sum(n) { n }\n"),
        [
            "repeated-function(sum, scripts/tiny/game.rhai, 16) at scripts/tiny/more.rhai:4:4",
            "repeated-function(twice, scripts/tiny/more.rhai, 3) at scripts/tiny/values.rhai:4:4"
        ]
    );
    assert_eq!(
        of("more", "fn twice(n) { n }\n"),
        ["repeated-function(twice, scripts/tiny/more.rhai, 1) at scripts/tiny/values.rhai:4:4"]
    );
    assert_eq!(
        of("more", "fn worth(side, n) { n }\n"),
        ["wrong-parameters(worth, 2 parameters, 1, side) at scripts/tiny/more.rhai:1:4"]
    );
    // What fails in play is told there too.
    let small = split().replaced("scripts/tiny/values.rhai", "3 * n", "3 * n / 0");
    let mut play = small.play(&[]);
    let Progress::Failed(problem) = play.run_on() else {
        panic!("it goes well");
    };
    assert!(
        problem.page(false).contains("scripts/tiny/values.rhai:3:"),
        "{}",
        problem.page(false)
    );
}

#[test]
fn a_variant_on_a_unit_type_that_has_no_such_function_lies_over_the_games() {
    let small = it("fn guards.act(me) { base(me); base(me); }");
    assert_eq!(marks(&small, &["it"]), ["2", "2", "1"]);
}

#[test]
fn a_recursion_passes_the_outermost_layer_every_time() {
    let small =
        it("fn sum(n) { base(n) + 100 }\nfn pause() { add(game(), \"mark\", sum(2), \"rest\"); base(); }");
    // sum(0) = 100, sum(1) = 1 + 100 + 100, sum(2) = 2 + 201 + 100.
    assert_eq!(marks(&small, &["it"]), ["2", "1", "304"]);
}

#[test]
fn base_is_called_with_other_arguments_twice_or_not_at_all() {
    let small = it("fn worth_of(me, n) { base(me, n + 1) + base(me, 10 * n) }\nfn pause() { }");
    assert_eq!(marks(&small, &["it"]), ["23", "12", "0"]);
}

#[test]
fn a_variant_brings_helpers_of_its_own_for_the_game_and_for_a_unit_type() {
    let small = it(
        "fn scouts.strength() { doubled(base()) + extra() }\nfn doubled(n) { 2 * n }\nfn scouts.extra() { 1 }",
    );
    assert_eq!(marks(&small, &["it"]), ["5", "1", "1"]);
}

#[test]
fn the_helpers_of_one_variant_are_known_to_another() {
    let small = small()
        .with(
            "variants/one",
            "fn helper() { 5 }\nfn pause() { add(game(), \"mark\", helper(), \"one\"); }",
        )
        .with("variants/two", "fn helper() { base() + 1 }");
    assert_eq!(marks(&small, &["one", "two"]), ["2", "1", "6"]);
    assert!(small.load_with(&["two"]).is_err());
}

// --- declarations ----------------------------------------------------------------------------

#[test]
fn a_variant_adds_a_dial_that_is_turned_like_any_other() {
    let small = it(
        "fn dials() { base() + #{ extra: number(3, 0, 9) } }\nfn pause() { add(game(), \"mark\", extra, \"rest\"); }",
    );
    assert_eq!(marks(&small, &["it"])[2], "3");
    let ruleset = small.load(&LoadOptions {
        variants: vec!["it".to_owned()],
        dials: [("extra".to_owned(), DialValue::Number(8))].into(),
        ..LoadOptions::default()
    });
    let mut play = start(ruleset.unwrap_or_else(|p| panic!("{p}")));
    play.run_on();
    assert_eq!(look(&mut play, "game().mark"), "8");
}

#[test]
fn a_variant_adds_slots_and_stats() {
    let small = it("fn slots() { let all = base(); all[\"unit\"].haste = 0; all }\n\
                    fn scouts.stats() { base() + #{ speed: 4 } }\n\
                    fn scouts.strike(me) { base(me); add(me, \"haste\", me.speed, \"speed\"); }");
    let mut play = small.play(&["it"]);
    assert_eq!(play.run_on(), Progress::Over);
    assert_eq!(look(&mut play, "unit(\"red.scouts1\").haste"), "4");
    assert_eq!(look(&mut play, "unit(\"red.scouts1\").mark"), "2");
}

#[test]
fn a_variant_turns_a_stat_of_every_type_and_of_one() {
    let small = it("fn stats() { base() + #{ life: 7 } }\nfn guards.stats() { base() + #{ life: 9 } }");
    let mut play = small.play(&["it"]);
    play.run_on();
    assert_eq!(look(&mut play, "unit(\"red.scouts1\").life"), "7");
    assert_eq!(look(&mut play, "unit(\"blue.guards1\").life"), "9");
}

/// The names of the steps of a whole game, phases apart.
fn phases(text: &str) -> String {
    let mut play = it(&format!(
        "{text}\nfn count_two() {{ add(game(), \"mark\", 10, \"two\"); }}"
    ))
    .play(&["it"]);
    assert_eq!(play.run_on(), Progress::Over);
    // The name of each phase stands where it begins.
    let begun = play
        .table()
        .events
        .iter()
        .filter(|e| matches!(e, Event::Phase { .. }))
        .count();
    assert!(begun > 0);
    let table = play.table();
    let begins = table.events.iter().filter(|e| matches!(e, Event::Phase { .. }));
    let lines = begins.map(|e| rulebench::event_text::line(e, &table.rules, &table.words));
    let words: Vec<String> = lines
        .map(|l| l.trim_matches(|c: char| !c.is_alphanumeric()).to_owned())
        .collect();
    words.join(" ")
}

#[test]
fn a_stat_has_the_range_that_the_game_says() {
    let small = small().replaced("scripts/tiny/game.rhai", "life: 2 }", "life: number(2, -1, 3) }");
    let life = |n: i64| {
        let dials = [("scouts.life".to_owned(), DialValue::Number(n))].into();
        let options = LoadOptions {
            dials,
            ..LoadOptions::default()
        };
        small.load(&options).err().map(|problems| brief(&problems.0[0]))
    };
    assert_eq!([life(-1), life(3)], [None, None]);
    let problem = life(4).expect("it is out of range");
    assert_eq!(
        problem,
        "wrong-dial-value(scouts.life, 4, a whole number from -1 to 3)"
    );
    let own = |stats: &str| {
        small
            .clone()
            .with("units/guards", &format!("fn stats() {{ #{{ {stats} }} }}"))
    };
    assert_eq!(
        own("symbol: \"G\", life: 4").problems(&[]),
        ["stat-out-of-range(life, 4, -1, 3) at units/tiny/guards.rhai:1:30"]
    );
    assert!(own("symbol: \"G\", life: number(4, 0, 9)").load_with(&[]).is_ok());
    assert_eq!(
        own("symbol: \"G\", life: number(4, 0, 3)").problems(&[]),
        ["out-of-range(the start of `life`, 0, 3, 4) at units/tiny/guards.rhai:1:30"]
    );
}

#[test]
fn no_two_types_look_the_same_on_the_board() {
    let types = |all: &[(&str, &str)]| {
        let none = small()
            .with("units/scouts", "fn stats() { #{} }")
            .with("units/guards", "fn stats() { #{ symbol: \"Zz\" } }");
        all.iter().fold(none, |small, (name, stats)| {
            small.with(
                &format!("units/{name}"),
                &format!("fn stats() {{ #{{ {stats} }} }}"),
            )
        })
    };
    let ruleset = types(&[("spears", "cost: 1"), ("spies", ""), ("spikes", ""), ("s", "")]).load_with(&[]);
    let ruleset = ruleset.unwrap_or_else(|page| panic!("{page}"));
    let all = ruleset.rules.types.iter();
    let all: Vec<(&str, &str)> = all.map(|t| (t.name.as_str(), t.symbol.as_str())).collect();
    assert_eq!(
        all,
        [
            ("guards", "Zz"),
            ("s", "s"),
            ("scouts", "sc"),
            ("spears", "sp"),
            ("spies", "si"),
            ("spikes", "sk")
        ]
    );
    assert_eq!(
        types(&[("spears", "symbol: \"zZ\"")]).problems(&[]),
        ["repeated-symbol(zZ, guards) at units/tiny/spears.rhai:1:17"]
    );
}

#[test]
fn a_variant_edits_the_list_of_phases() {
    let unused = "fn pause() { count_two(); }";
    assert_eq!(phases(unused), "opening work rest");
    assert_eq!(
        phases(&format!(
            "{unused}fn phases() {{ base().phase_before(\"rest\", \"work\") }}"
        )),
        "opening rest work"
    );
    assert_eq!(
        phases(&format!(
            "{unused}fn phases() {{ base().phase_after(\"work\", \"rest\") }}"
        )),
        "opening rest work"
    );
    assert_eq!(
        phases(&format!(
            "{unused}fn phases() {{ base().without_phase(\"rest\") }}"
        )),
        "opening work"
    );
    let map = "#{ phase: \"extra\", each: \"game\", step: \"count_two\" }";
    assert_eq!(
        phases(&format!("fn phases() {{ base().phase_after({map}, \"work\") }}")),
        "opening work extra rest"
    );
    assert_eq!(
        phases(&format!("fn phases() {{ base().phase_before({map}, \"work\") }}")),
        "opening extra work rest"
    );
    assert_eq!(
        phases(&format!(
            "{unused}fn phases() {{ base().phase_with(\"rest\", #{{ phase: \"extra\" }}) }}"
        )),
        "opening work extra"
    );
}

#[test]
fn the_step_of_a_variants_own_phase_runs() {
    let small = it(
        "fn phases() { base().phase_after(#{ phase: \"extra\", each: \"unit\", step: \"polish\" }, \"work\") }\n\
                    fn polish(me) { add(me, \"mark\", 20, \"polish\"); }\n\
                    fn guards.polish(me) { base(me); base(me); }",
    );
    assert_eq!(marks(&small, &["it"]), ["22", "41", "1"]);
}

// --- the register ----------------------------------------------------------------------------

#[test]
fn a_tweak_without_a_script_turns_its_dial_and_a_dial_by_name_wins() {
    let small = small()
        .replaced(
            "scripts/tiny/game.rhai",
            "\"mark\", 1, \"rest\"",
            "\"mark\", bonus, \"rest\"",
        )
        .with(
            "tweaks",
            "[generous]\ndial = \"bonus=4\"\n[stern]\ndial = \"mode = hard\"\n",
        );
    assert_eq!(marks(&small, &[])[2], "1");
    assert_eq!(marks(&small, &["generous", "stern"])[2], "4");
    let options = LoadOptions {
        variants: vec!["generous".to_owned()],
        dials: [("bonus".to_owned(), DialValue::Number(9))].into(),
        ..LoadOptions::default()
    };
    let mut play = start(small.load(&options).unwrap_or_else(|p| panic!("{p}")));
    play.run_on();
    assert_eq!(look(&mut play, "game().mark"), "9");
    let ruleset = small.load_with(&["stern"]).unwrap_or_else(|p| panic!("{p}"));
    let mode = ruleset.dials.iter().find(|d| d.name == "mode").expect("declared");
    assert_eq!(mode.value, DialValue::Word("hard".to_owned()));
}

#[test]
fn adopted_tweaks_are_on_until_somebody_takes_them_off() {
    let small = it("fn act(me) { base(me); base(me); }")
        .replaced(
            "scripts/tiny/game.rhai",
            "\"mark\", 1, \"rest\"",
            "\"mark\", bonus, \"rest\"",
        )
        .with(
            "tweaks",
            "[it]\nstate = \"adopted\"\ndate = 2026-01-31\nreason = \"quicker\"\n\
                         [generous]\nstate = \"adopted\"\ndial = \"bonus=4\"\n\
                         [mean]\nstate = \"rejected\"\ndial = \"bonus=0\"\n",
        );
    assert_eq!(marks(&small, &[]), ["2", "2", "4"]);
    let without = |names: &[&str]| {
        let without = names.iter().map(|&n| n.to_owned()).collect();
        let ruleset = small.load(&LoadOptions {
            without,
            ..LoadOptions::default()
        });
        let mut play = start(ruleset.unwrap_or_else(|p| panic!("{p}")));
        play.run_on();
        (
            look(&mut play, "unit(\"blue.guards1\").mark"),
            look(&mut play, "game().mark"),
        )
    };
    assert_eq!(without(&["it"]), ("1".to_owned(), "4".to_owned()));
    assert_eq!(without(&["it", "generous"]), ("1".to_owned(), "1".to_owned()));
}

// --- order -----------------------------------------------------------------------------------

/// Variants that lie over each other on one function, so that their order tells; `b` says that it
/// lies over `d`.
fn stacked() -> Small {
    small()
        .with(
            "variants/a",
            "fn worth_of(me, n) { base(me, n) + 1 }\nfn scouts.strength() { base() * 2 }",
        )
        .with(
            "variants/b",
            "fn variant() { #{ after: [\"d\"] } }\nfn worth_of(me, n) { base(me, n) * 10 }",
        )
        .with(
            "variants/c",
            "fn worth_of(me, n) { base(me, n) + 3 }\nfn slots() { base() }",
        )
        .with(
            "variants/d",
            "fn worth_of(me, n) { base(me, n) * 3 }\nfn scouts.strength() { base() + 5 }",
        )
        .with(
            "variants/e",
            "fn variant() { #{ requires: [\"b\"] } }\nfn worth_of(me, n) { base(me, n) - 1 }",
        )
}

#[test]
fn whatever_a_variant_comes_after_lies_below_it_and_else_the_name_decides() {
    let ruleset = |names: &[&str]| stacked().load_with(names).unwrap_or_else(|p| panic!("{p}"));
    assert_eq!(order(&ruleset(&["d", "c", "b", "a"])), ["a", "c", "d", "b"]);
    assert_eq!(order(&ruleset(&["c", "b", "a"])), ["a", "b", "c"]);
    assert_eq!(order(&ruleset(&["e", "b", "d", "b"])), ["d", "b", "e"]);
}

/// Whether loading the game is refused in these words.
fn refused(small: Small, problem: &str) {
    assert_eq!(small.problems(&[])[0], problem);
}

#[test]
fn functions_that_nobody_would_call_are_told() {
    let scouts = |more: &str| small().with("units/scouts", &format!("{SCOUTS}{more}"));
    let game = |more: &str| small().with("game", &format!("{GAME}{more}"));
    for (small, problem) in [
        (
            game("fn arives(me, place) { }"),
            "unused-function(arives) at scripts/tiny/game.rhai:20:4",
        ),
        (
            game("fn may_entre(me, place) { false }"),
            "unused-function(may_entre) at scripts/tiny/game.rhai:20:4",
        ),
        (
            scouts("fn slots() { #{} }"),
            "misplaced-function(slots, a unit, the game, game.rhai or a variant) at units/tiny/scouts.rhai:5:4",
        ),
        (
            scouts("fn pause() { }"),
            "misplaced-function(pause, a unit, a faction, or the game, game.rhai or a variant) at units/tiny/scouts.rhai:5:4",
        ),
        (
            scouts("fn sum() { 0 }"),
            "unused-function(sum) at units/tiny/scouts.rhai:5:4",
        ),
        (
            small().with("terrain/mud", "fn stats() { #{ symbol: \"m\" } }\nfn act(me) { }"),
            "misplaced-function(act, a place, units, a unit's script or game.rhai) at scripts/tiny/terrain/mud.rhai:2:4",
        ),
        (
            it("fn scouts.phases() { [] }"),
            "misplaced-function(phases, a unit, the game, game.rhai or a variant) at scripts/tiny/variants/it.rhai:1:11",
        ),
        (
            small().with("game", &GAME.replace("fn death(me)", "fn death(me, why)")),
            "wrong-parameters(death, 2 parameters, 1, me) at scripts/tiny/game.rhai:5:43",
        ),
        (
            small().with("game", &GAME.replace("fn pause()", "fn pause(game)")),
            "wrong-parameters(pause, 1 parameter, 0, ) at scripts/tiny/game.rhai:11:44",
        ),
        (
            small().with(
                "game",
                &GAME.replace("bonus:", "\"the.bonus\": 3, the_bonus: 5, bonus:"),
            ),
            "repeated-name(two dials, the_bonus) at scripts/tiny/game.rhai:2:33",
        ),
    ] {
        let variants = small.files().keys().filter(|path| path.contains("/variants/"));
        let names: Vec<&str> = variants.map(|_| "it").collect();
        assert_eq!(small.problems(&names)[0], problem);
    }
}

#[test]
fn names_in_quotes_that_nothing_has_are_told_before_their_line_is_played() {
    let problems = |code: &str| {
        let game = format!("{GAME}fn never(me) {{ {code} }}\n");
        let game = small().with("game", &game);
        game.load_with(&[])
            .err()
            .map(|p| p.0.iter().map(brief).collect::<Vec<_>>())
    };
    for (code, problem) in [
        (
            "unit_type(\"scoutts\")",
            "unknown-name(unit type, scoutts) at scripts/tiny/game.rhai:20:26",
        ),
        (
            "me.foes.of_type(\"gards\")",
            "unknown-name(unit type, gards) at scripts/tiny/game.rhai:20:32",
        ),
        (
            "faction(\"rad\")",
            "unknown-name(faction, rad) at scripts/tiny/game.rhai:20:24",
        ),
        (
            "place(\"a9\")",
            "unknown-name(place, a9) at scripts/tiny/game.rhai:20:22",
        ),
        (
            "zone(\"home\")",
            "unknown-name(zone, home) at scripts/tiny/game.rhai:20:21",
        ),
        (
            "terrain(\"hill\")",
            "unknown-name(terrain, hill) at scripts/tiny/game.rhai:20:24",
        ),
        (
            "me.owner.units.total(\"lif\")",
            "unknown-name(stat or slot, lif) at scripts/tiny/game.rhai:20:37",
        ),
        (
            "total(me.foes, \"lif\")",
            "unknown-name(stat or slot, lif) at scripts/tiny/game.rhai:20:31",
        ),
        (
            "add(me, \"marks\", 1, \"x\")",
            "unknown-name(slot, marks) at scripts/tiny/game.rhai:20:24",
        ),
        (
            "me.add(\"marks\", 1, \"x\")",
            "unknown-name(slot, marks) at scripts/tiny/game.rhai:20:23",
        ),
        (
            "count(\"wark\")",
            "unknown-name(phase, wark) at scripts/tiny/game.rhai:20:22",
        ),
        (
            "if sight(me, me.foes.first) != \"hiden\" { }",
            "impossible-word(`sight`, hiden) at scripts/tiny/game.rhai:20:47",
        ),
        (
            "[1].filter(|it| mode == \"hrad\")",
            "impossible-word(the dial `mode`, hrad) at scripts/tiny/game.rhai:20:40",
        ),
        (
            "if me.owner == \"red\" { }",
            "impossible-word(`.owner`, red) at scripts/tiny/game.rhai:20:31",
        ),
        (
            "if me.place != \"a1\" { }",
            "impossible-word(`.place`, a1) at scripts/tiny/game.rhai:20:31",
        ),
        (
            "if \"hrad\" == mode { }",
            "impossible-word(the dial `mode`, hrad) at scripts/tiny/game.rhai:20:19",
        ),
        (
            "if mode in [\"easy\", \"hrad\"] { }",
            "impossible-word(the dial `mode`, hrad) at scripts/tiny/game.rhai:20:36",
        ),
        (
            "let a = switch mode { \"easy\" => #{ b: 1 }, \"hrad\" => #{ b: 2 }, _ => () };",
            "impossible-word(the dial `mode`, hrad) at scripts/tiny/game.rhai:20:59",
        ),
        (
            "switch sight(me, me.foes.first) { \"free\" => { return; } /* or */ \"partly\" | \"hiden\" => 1 }",
            "impossible-word(`sight`, hiden) at scripts/tiny/game.rhai:20:92",
        ),
        (
            "switch me.owner { \"red\" if me.mark == 1 => 1, _ => 2 }",
            "impossible-word(`.owner`, red) at scripts/tiny/game.rhai:20:34",
        ),
    ] {
        assert_eq!(problems(code).unwrap_or_default(), [problem], "{code}");
    }
    for code in [
        "unit_type(\"scouts\"); place(\"a1\"); count(\"work\"); add(game(), \"mark\", 1, \"x\"); total(me.foes, \"life\")",
        "let mode = \"hrad\"; if mode == \"hrad\" { }",
        "if mode == \"hard\" { }",
        "if mode in [\"hard\"] { }",
        "switch mode { \"hard\" => \"hrad\", _ => switch me { _ => \"hrad\" } }",
        "let mode = \"hrad\"; switch mode { \"hrad\" => 1 }",
        "let name = \"scoutts\"; unit_type(name)",
        "[\"hrad\"].filter(|mode| mode == \"hrad\")",
        "for (mode, nth) in [\"hrad\"] { if mode == \"hrad\" { } }",
        "let m = #{}; m.tally = 2; m.tally + 1",
        "if mode == \"never like it\" { }",
        "let deed = #{ place: \"a1\" }; if deed.place == \"a1\" { }",
    ] {
        assert_eq!(problems(code), None, "{code}");
    }
    // What a dial or a variant makes another is told where it is played.
    let by_dial = small().replaced("scripts/tiny/game.rhai", "hexes: [3, 3]", "hexes: [3, bonus + 2]");
    let by_dial = by_dial.replaced(
        "scripts/tiny/game.rhai",
        "fn pause() {",
        "fn pause() { if bonus > 5 { let far = place(\"a7\"); }",
    );
    assert!(by_dial.load_with(&[]).is_ok());
    let larger =
        it("fn board() { base() + #{ hexes: [4, 4] } }\nfn pause() { let far = place(\"d4\"); base(); }");
    assert!(larger.load_with(&["it"]).is_ok());
    // What a game calls so itself takes what it likes.
    let own = small().with(
        "game",
        &format!("{GAME}fn count(what) {{ 1 }}\nfn never(me) {{ count(\"wark\") }}\n"),
    );
    assert!(own.load_with(&[]).is_ok());
}

#[test]
fn nothing_that_a_game_declares_hides_what_every_game_asks() {
    let hidden = refused;
    let scouts = |stats: &str| small().with("units/scouts", stats);
    hidden(
        scouts("fn stats() { #{ symbol: \"Sc\", owner: 7 } }"),
        "hidden-property(stat, owner, a unit) at units/tiny/scouts.rhai:1:31",
    );
    hidden(
        small().with(
            "game",
            &GAME.replace("mark: 0 },\n    game", "mark: 0, place: 1 },\n    game"),
        ),
        "hidden-property(slot, place, a unit) at scripts/tiny/game.rhai:5:62",
    );
    hidden(
        small().with(
            "game",
            &GAME.replace(
                "stack: 4",
                "stack: 4, zones: #{ units: #{ red: [1, 1], blue: [3, 3] } }",
            ),
        ),
        "wrong-value(the zone `units`, a list of names of places, such as `[\"a1\", \"b2\"]`) at scripts/tiny/game.rhai:1:79",
    );
}

#[test]
fn what_is_hidden_further_down_is_told_too() {
    // `a` replaces, `b` changes that, and `c` overrides `b` alone.
    let game = small()
        .with("variants/a", "fn worth_of(me, n) { 10 }")
        .with("variants/b", "fn worth_of(me, n) { base(me, n) + 1 }")
        .with(
            "variants/c",
            "fn variant() { #{ overrides: [\"b\"] } }\nfn worth_of(me, n) { 50 }",
        );
    assert_eq!(
        game.problems(&["a", "b", "c"]),
        ["hidden-variant(c, worth_of, a) at scripts/tiny/variants/c.rhai:2:4"]
    );
    assert!(game.load_with(&["b", "c"]).is_ok());
}

#[test]
fn a_variant_that_overrides_another_lies_over_it() {
    let small = small()
        .with(
            "variants/a",
            "fn variant() { #{ overrides: [\"b\"] } }\nfn worth_of(me, n) { 50 }",
        )
        .with("variants/b", "fn worth_of(me, n) { 70 }");
    let ruleset = small.load_with(&["a", "b"]).unwrap_or_else(|p| panic!("{p}"));
    assert_eq!(order(&ruleset), ["b", "a"]);
    assert_eq!(marks(&small, &["a", "b"]), ["50", "50", "1"]);
    assert_eq!(marks(&small, &["b"]), ["70", "70", "1"]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// The order of naming means nothing: the same chain and the same record.
    #[test]
    fn the_order_of_naming_means_nothing(
        names in subsequence(vec!["a", "b", "c", "d"], 2..=4),
        swaps in prop::collection::vec((any::<Index>(), any::<Index>()), 0..8),
    ) {
        let small = stacked();
        let played = |names: &[&str]| {
            let mut play = small.play(names);
            assert_eq!(play.run_on(), Progress::Over);
            let files: Vec<String> = ["scouts", "guards"].iter()
                .flat_map(|s| chain(&play.ruleset().layers, s, "worth_of"))
                .map(str::to_owned).collect();
            let functions: Vec<(String, usize)> = play.ruleset().functions().iter()
                .map(|f| (f.name.clone(), f.text)).collect();
            (files, functions, record(&play))
        };
        let mut shuffled = names.clone();
        for (one, other) in swaps {
            let (one, other) = (one.index(shuffled.len()), other.index(shuffled.len()));
            shuffled.swap(one, other);
        }
        prop_assert_eq!(played(&names), played(&shuffled));
    }
}

// --- what is told at load --------------------------------------------------------------------

#[test]
fn an_unknown_variant() {
    assert_eq!(
        it("fn act(me) { }").problems(&["itt"]),
        ["unknown-name(variant, itt)"]
    );
}

#[test]
fn an_unknown_script_to_patch() {
    assert_eq!(
        it("fn scoutss.act(me) { }").problems(&["it"]),
        ["unknown-name(script, scoutss) at scripts/tiny/variants/it.rhai:1:4"]
    );
}

#[test]
fn an_unknown_function_to_redefine() {
    assert_eq!(
        it("fn actt(me) { }").problems(&["it"]),
        ["nothing-to-redefine(game, actt) at scripts/tiny/variants/it.rhai:1:4"]
    );
    assert_eq!(
        it("fn scouts.strenght() { 3 }").problems(&["it"]),
        ["nothing-to-redefine(scouts, strenght) at scripts/tiny/variants/it.rhai:1:11"]
    );
    assert_eq!(
        it("fn entirely_new(x) { entirely_new(x) }").problems(&["it"]),
        ["nothing-to-redefine(game, entirely_new) at scripts/tiny/variants/it.rhai:1:4"]
    );
}

#[test]
fn a_hook_that_the_game_does_not_have() {
    // The game may get it by a layer: it is asked as if the game's script had it.
    let walk = "fn act(me) { travel(me, walk(me, 9)); }\n";
    let ended = |hook: &str| {
        let mut play = it(&format!("{walk}{hook}")).play(&["it"]);
        assert_eq!(play.run_on(), Progress::Asks);
        play.with_question(|asked| asked.keys().len())
    };
    assert!(ended("fn may_enter(me, place) { place.name == \"a2\" }") < ended(""));
    assert_eq!(
        it("fn may_enter(me) { true }").problems(&["it"]),
        ["wrong-parameters(may_enter, 1 parameter, 2, me, place) at scripts/tiny/variants/it.rhai:1:4"]
    );
    assert_eq!(
        it("fn scouts.may_enter(me, place) { true }").problems(&["it"]),
        ["nothing-to-redefine(scouts, may_enter) at scripts/tiny/variants/it.rhai:1:11"]
    );
    assert_eq!(
        it("fn may_entr(me, place) { true }").problems(&["it"]),
        ["nothing-to-redefine(game, may_entr) at scripts/tiny/variants/it.rhai:1:4"]
    );
    let both = "fn may_enter(me, place) { true }\nfn scouts.may_enter(me, place) { false }";
    assert!(it(both).load_with(&["it"]).is_ok());
    let scouts = |hook: &str| {
        let small = small().with("units/scouts", &format!("{SCOUTS}{hook}\n"));
        small.problems(&[])
    };
    assert_eq!(
        scouts("fn may_enter(me, place) { true }"),
        ["unused-function(may_enter) at units/tiny/scouts.rhai:5:4"]
    );
    assert_eq!(
        scouts("fn becomes_engagd(me) { }"),
        ["unused-function(becomes_engagd) at units/tiny/scouts.rhai:5:4"]
    );
}

#[test]
fn a_wrong_number_of_parameters() {
    assert_eq!(
        it("fn worth_of(me) { 3 }").problems(&["it"]),
        ["wrong-parameters(worth_of, 1 parameter, 2, me, n) at scripts/tiny/variants/it.rhai:1:4"]
    );
    assert_eq!(
        it("fn guards.worth_of(me, n, m) { 3 }").problems(&["it"]),
        ["wrong-parameters(worth_of, 3 parameters, 2, me, n) at scripts/tiny/variants/it.rhai:1:11"]
    );
}

#[test]
fn two_variants_that_replace_one_function() {
    let small = it("fn worth_of(me, n) { 3 }").with("variants/other", "fn worth_of(me, n) { 4 }");
    assert_eq!(
        small.problems(&["it", "other"]),
        ["hidden-variant(other, worth_of, it) at scripts/tiny/variants/other.rhai:1:4"]
    );
    // One of them in a unit's script is a layer of its own.
    let small = it("fn worth_of(me, n) { 3 }").with("variants/other", "fn scouts.worth_of(me, n) { 4 }");
    assert_eq!(marks(&small, &["it", "other"]), ["4", "3", "1"]);
}

#[test]
fn a_variant_that_hides_the_change_of_another() {
    let small =
        it("fn worth_of(me, n) { base(me, n) + 3 }").with("variants/other", "fn worth_of(me, n) { 4 }");
    assert_eq!(
        small.problems(&["it", "other"]),
        ["hidden-variant(other, worth_of, it) at scripts/tiny/variants/other.rhai:1:4"]
    );
    // The other way around nothing is hidden.
    let small =
        it("fn worth_of(me, n) { 4 }").with("variants/other", "fn worth_of(me, n) { base(me, n) + 3 }");
    assert_eq!(marks(&small, &["it", "other"]), ["7", "7", "1"]);
}

#[test]
fn a_base_where_there_is_none() {
    assert_eq!(
        it("fn act(me) { helper(); }\nfn helper() { base(); }").problems(&["it"]),
        ["nothing-below(helper) at scripts/tiny/variants/it.rhai:2:15"]
    );
    let path = "scripts/tiny/game.rhai";
    assert_eq!(
        small()
            .replaced(
                path,
                "fn worth_of(me, n) { n }",
                "fn worth_of(me, n) { base(me, n) }"
            )
            .problems(&[]),
        ["nothing-below(worth_of) at scripts/tiny/game.rhai:16:22"]
    );
    assert_eq!(
        it("fn strike(me) { base(me); }").problems(&["it"]),
        ["nothing-below(strike) at scripts/tiny/variants/it.rhai:1:17"]
    );
}

#[test]
fn what_nothing_has_is_said_to_be_declared() {
    assert_eq!(
        it("fn act(me) { me.dazed = true; }").problems(&["it"]),
        ["unknown-name(property, dazed) at scripts/tiny/variants/it.rhai:1:17"]
    );
}

#[test]
fn a_base_with_a_wrong_number_of_arguments() {
    assert_eq!(
        it("fn worth_of(me, n) { base(n) }").problems(&["it"]),
        ["wrong-arguments(base, 1 argument) at scripts/tiny/variants/it.rhai:1:22"]
    );
    assert_eq!(
        it("fn guards.worth_of(me, n) { base() }").problems(&["it"]),
        ["wrong-arguments(base, no arguments) at scripts/tiny/variants/it.rhai:1:29"]
    );
}

#[test]
fn an_unmet_requirement() {
    assert_eq!(
        stacked().problems(&["e"]),
        ["missing-requirement(e, b) at scripts/tiny/variants/e.rhai:1:31"]
    );
}

#[test]
fn a_declared_conflict() {
    let small = it("// Either this.\nfn variant() { #{ conflicts: [\"other\"] } }\nfn act(me) { }")
        .with("variants/other", "fn pause() { }");
    assert_eq!(
        small.problems(&["other", "it"]),
        ["conflicting-variants(it, other) at scripts/tiny/variants/it.rhai:2:32"]
    );
    assert!(small.load_with(&["it"]).is_ok() && small.load_with(&["other"]).is_ok());
}

#[test]
fn a_circle_of_variants_that_come_after_each_other() {
    let after = |name: &str| {
        format!("fn variant() {{ #{{ after: [\"{name}\"] }} }}\nfn worth_of(me, n) {{ base(me, n) }}")
    };
    let small = small()
        .with("variants/a", &after("c"))
        .with("variants/b", &after("a"))
        .with("variants/c", &after("b"))
        .with("variants/d", &after("a"));
    assert_eq!(
        small.problems(&["a", "b", "c", "d"]),
        ["circular-variants(`a`, `b`, `c`) at scripts/tiny/variants/a.rhai:1:28"]
    );
    assert!(small.load_with(&["a", "b", "d"]).is_ok());
}

#[test]
fn an_unknown_name_in_what_a_variant_says_of_itself() {
    for key in ["after", "requires", "conflicts", "overrides"] {
        let small = it(&format!(
            "fn variant() {{ #{{ {key}: [\"othr\"] }} }}\nfn act(me) {{ }}"
        ))
        .with("variants/other", "fn pause() { }");
        assert!(small.problems(&["it"])[0].starts_with("unknown-name(variant, othr) at "));
    }
}

#[test]
fn what_a_variant_says_of_itself_is_no_map_or_has_a_strange_key_or_fails() {
    let said = |body: &str| it(&format!("fn variant() {{ {body} }}\nfn act(me) {{ }}")).problems(&["it"]);
    assert_eq!(said("7"), ["wrong-variant at scripts/tiny/variants/it.rhai:1:4"]);
    assert_eq!(
        said("#{ claus: \"T1\" }"),
        ["unknown-key(variant(), claus) at scripts/tiny/variants/it.rhai:1:19"]
    );
    assert_eq!(
        said("#{ after: \"other\" }"),
        ["wrong-value(`after`, a list `[ ... ]`) at scripts/tiny/variants/it.rhai:1:19"]
    );
    assert_eq!(
        said("#{ reading: 0 }"),
        ["wrong-value(`reading`, a number from 1) at scripts/tiny/variants/it.rhai:1:19"]
    );
    assert_eq!(
        said("throw \"no\""),
        ["wrong-variant at scripts/tiny/variants/it.rhai:1:4"]
    );
    assert_eq!(
        said("loop { }"),
        ["wrong-variant at scripts/tiny/variants/it.rhai:1:4"]
    );
}

#[test]
fn a_variants_file_is_empty_or_not_text_or_has_a_syntax_error() {
    assert_eq!(
        it("  \n\n").problems(&["it"]),
        ["empty-script(scripts/tiny/variants/it.rhai)"]
    );
    assert_eq!(
        it("fn act(me) { hit(me, 1 \"x\"); }").problems(&["it"]),
        ["missing(,) at scripts/tiny/variants/it.rhai:1:23"]
    );
    let copy = Copy::of_nothing();
    for (path, text) in small().files() {
        copy.write(path, text);
    }
    copy.write("scripts/tiny/variants/it.rhai", [0x66, 0x6e, 0xff, 0xfe, 0x00]);
    let options = LoadOptions {
        variants: vec!["it".to_owned()],
        ..LoadOptions::default()
    };
    let page = |options: &LoadOptions| {
        let loaded = Ruleset::load(&Workspace::at(copy.path("")), "tiny", options);
        loaded.err().map(|problems| problems.page(false))
    };
    let told = page(&options).expect("it does not load");
    assert!(told.contains("it.rhai") && told.contains("text"), "{told}");
    // A variant that is not on may be as broken as it likes.
    assert_eq!(page(&LoadOptions::default()), None);
}

#[test]
fn broken_entries_of_the_register() {
    let told = |entry: &str| small().with("tweaks", entry).problems(&[]);
    assert_eq!(
        told("[nothing]\nstate = \"adopted\"\n"),
        ["unknown-name(variant, nothing) at scripts/tiny/tweaks.toml:1:1"]
    );
    assert_eq!(
        told("[it]\ndial = \"bonus\"\n"),
        ["missing-part(the dial of `it`, value) at scripts/tiny/tweaks.toml:2:8"]
    );
    assert_eq!(
        told("[it]\ndial = \"bonus=1\"\nstate = \"perhaps\"\n"),
        ["unknown-name(state, perhaps) at scripts/tiny/tweaks.toml:3:9"]
    );
    assert_eq!(
        told("[it]\ndial = \"bonus=1\"\ncolour = \"red\"\n"),
        ["unknown-key(colour) at scripts/tiny/tweaks.toml:3:1"]
    );
    assert_eq!(
        told("[it]\nstate = \"adopted\"\ndial = \"bonsu=1\"\n"),
        ["unknown-name(dial, bonsu) at scripts/tiny/tweaks.toml:3:8"]
    );
    assert_eq!(
        told("[it]\nstate = \"adopted\"\ndial = \"bonus=77\"\n"),
        ["wrong-dial-value(bonus, 77, a whole number from 0 to 9) at scripts/tiny/tweaks.toml:3:8"]
    );
    assert_eq!(
        told("[it\n"),
        ["not-toml(unclosed table) at scripts/tiny/tweaks.toml:1:4"]
    );
}

#[test]
fn a_phase_that_is_not_there_is_told_where_the_variant_names_it() {
    assert_eq!(
        it("fn phases() { base().phase_before(\"wrok\", \"rest\") }").problems(&["it"]),
        ["unknown-name(phase, wrok) at scripts/tiny/variants/it.rhai:1:22"]
    );
    assert_eq!(
        it("fn phases() { base().phase_with(\"rest\", #{ step: \"pasue\" }) }").problems(&["it"]),
        ["unknown-name(function, pasue) at scripts/tiny/variants/it.rhai:1:51"]
    );
}

#[test]
fn what_is_deleted_between_two_loads_is_missed() {
    let small = it("fn scouts.strength() { base() + 1 }");
    assert!(small.load_with(&["it"]).is_ok());
    let mut files = small.files().clone();
    files.remove("units/tiny/scouts.rhai");
    let load = |files: BTreeMap<String, String>| {
        let workspace = Workspace::at("no such folder").with(files);
        let options = LoadOptions {
            variants: vec!["it".to_owned()],
            ..LoadOptions::default()
        };
        Ruleset::load(&workspace, "tiny", &options)
            .err()
            .map(|p| p.0.iter().map(brief).collect::<Vec<_>>())
    };
    assert_eq!(
        load(files).expect("its unit is missing"),
        ["unknown-name(script, scouts) at scripts/tiny/variants/it.rhai:1:4"]
    );
    let mut files = small.files().clone();
    files.remove("scripts/tiny/variants/it.rhai");
    assert_eq!(load(files).expect("it is missing"), ["unknown-name(variant, it)"]);
}

// --- what goes wrong in play -----------------------------------------------------------------

/// Plays until the variant fails: the page, with the position as it was before the step.
fn fails(text: &str) -> String {
    let mut play = it(text).play(&["it"]);
    loop {
        let progress = play.prepare();
        assert_eq!(progress, Progress::Stepped, "{}", record(&play));
        let (before, events) = (play.position(), play.events());
        match play.advance() {
            Progress::Stepped => {}
            Progress::Failed(problem) => {
                assert_eq!(play.position(), before);
                assert_eq!(play.events(), events);
                let page = problem.page(false);
                assert!(page.contains("scripts/tiny/variants/it.rhai:"), "{page}");
                // It fails the same way once more.
                assert_eq!(play.advance(), Progress::Failed(problem));
                assert_eq!(play.position(), before);
                return page;
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_variant_that_throws() {
    insta::assert_snapshot!(fails("fn scouts.strength() {\n    throw \"no strength left\"\n}"));
    // What it did before is undone.
    insta::assert_snapshot!(fails(
        "fn act(me) { base(me); hit(me, 1, \"ache\"); throw \"done\"; }"
    ));
}

#[test]
fn a_variant_that_calls_itself_through_base_for_ever() {
    insta::assert_snapshot!(fails("fn worth_of(me, n) { act(me); base(me, n) }"));
    insta::assert_snapshot!(fails("fn act(me) { base(me); act(me); }"));
}

#[test]
fn a_variant_that_loops_for_ever() {
    insta::assert_snapshot!(fails(
        "fn act(me) {\n    base(me);\n    loop { add(me, \"mark\", 1, \"more\"); }\n}"
    ));
}

#[test]
fn a_loop_without_end_is_told_where_it_is_however_deep() {
    insta::assert_snapshot!(fails(
        "fn scouts.strength() {\n    let n = base();\n    loop { n += 1; }\n    n\n}"
    ));
}

#[test]
fn a_variant_that_uses_what_is_not_there() {
    insta::assert_snapshot!(fails(
        "fn scouts.strength() { base() + unit(\"red.scouts9\").mark }"
    ));
}

// --- the games that are here -----------------------------------------------------------------

fn shipped() -> Workspace {
    Workspace::at(root())
}

/// Returns the description that each variant of a game gives of itself.
fn abouts(game: &str) -> BTreeMap<String, VariantInfo> {
    let parser = Parser::default();
    let read = |name: String| {
        let path = format!("scripts/{game}/variants/{name}.rhai");
        let source = shipped().read(&path).unwrap_or_else(|p| panic!("{p:?}"));
        let text = read_variant(&name, &source, &parser).unwrap_or_else(|p| panic!("{p}"));
        (name, text.about.unwrap_or_default())
    };
    register::names(&shipped(), game).into_iter().map(read).collect()
}

/// Those of the variants, one after the other, that get along with those before; what they require
/// comes with them.
fn that_get_along(wanted: &[String], abouts: &BTreeMap<String, VariantInfo>) -> Vec<String> {
    let mut chosen: Vec<String> = Vec::new();
    for name in wanted {
        let mut more = vec![name.clone()];
        let mut next = 0;
        while next < more.len() {
            more.extend(abouts[&more[next]].requires.clone());
            next += 1;
        }
        let all: Vec<&String> = chosen.iter().chain(&more).collect();
        let clash = all.iter().any(|one| {
            let about = &abouts[*one];
            about.conflicts.iter().any(|c| all.contains(&c))
        });
        if !clash {
            chosen.extend(more);
        }
    }
    chosen.sort();
    chosen.dedup();
    chosen
}

#[test]
fn every_variant_of_every_game_loads_with_what_it_requires() {
    for game in shipped().games() {
        let abouts = abouts(&game);
        for name in abouts.keys() {
            let variants = that_get_along(std::slice::from_ref(name), &abouts);
            assert!(variants.contains(name), "{name} conflicts with what it requires");
            let options = LoadOptions {
                variants,
                ..LoadOptions::default()
            };
            if let Err(problems) = Ruleset::load(&shipped(), &game, &options) {
                panic!("{name}: {problems}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any set of variants without a declared conflict loads, whole games run under it, and naming
    /// it backwards is the same game.
    #[test]
    fn any_set_of_variants_that_get_along_plays_whole_games(
        seed in 0u64..1_000_000,
        picks in prop::collection::vec(any::<Index>(), 1..10),
    ) {
        for game in shipped().games() {
            let abouts = abouts(&game);
            let names: Vec<String> = abouts.keys().cloned().collect();
            if names.is_empty() { continue }
            let wanted: Vec<String> = picks.iter().map(|i| i.get(&names).clone()).collect();
            let mut variants = that_get_along(&wanted, &abouts);
            let mut played = Vec::new();
            for _ in 0..2 {
                let file = crate::support::short_game(&game, seed, 3);
                let overrides = Overrides { variants: variants.clone(), ..Overrides::default() };
                let mut laid = run::lay(&shipped(), &file, &overrides)
                    .unwrap_or_else(|p| panic!("{variants:?}: {p}"));
                let source = Agent::Random.source(seed).expect("it answers at once");
                laid.play.set_source(source);
                prop_assert_eq!(laid.play.run_on(), Progress::Over, "{:?}", variants);
                played.push(record(&laid.play));
                variants.reverse();
            }
            prop_assert_eq!(&played[0], &played[1], "{:?}", variants);
        }
    }
}
