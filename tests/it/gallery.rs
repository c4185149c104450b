//! A gallery of error pages: broken scripts and scenarios of every kind, each page as a designer reads
//! it. What is wrong is told all at once, never more than is wrong, and nothing wider than a page.

use crate::support::{Copy, Small};
use rulebench::report::Source;
use rulebench::stage::run::{self, Overrides};
use std::fmt::Write as _;

const GAME: &str = "\
fn board() { #{ factions: [\"red\", \"blue\"], hexes: [3, 3], engaged: \"same place\", stack: 2 } }
fn dials() { #{ max_rounds: number(3, 1, 9) } }
fn stats() { #{ move: 1, life: 3, reach: 1 } }
fn slots() { #{ unit: #{ life: #{ start: 0, hit: true }, fired: false } } }
fn phases() { [#{ phase: \"round\", each: \"unit\", step: \"act\" }] }
fn act(me) { }
fn strike(me, foe, strength) { hit(foe, strength, \"blow\"); }
";

const SCOUTS: &str = "\
fn stats() { #{ life: 2 } }
fn act(me) {
    for foe in me.foes_within(me.reach) {
        strike(me, foe, 1);
    }
}
";

const LAID: &str =
    "game = \"tiny\"\nunits.red = [\"scouts a1\"]\nunits.blue = [\"scouts a2\"]\nopen = \"first\"\n";

fn tiny() -> Small {
    Small::new(GAME).with("units/scouts", SCOUTS)
}

/// Loads a game with this script of the scouts and returns the problems, or a note that it loads.
fn loaded(scouts: &str) -> String {
    match tiny().with("units/scouts", scouts).load_with(&[]) {
        Ok(_) => "it loads".to_owned(),
        Err(problems) => problems.page(false),
    }
}

/// The script of the scouts with this body of its action, which stands on line 3.
fn acting(body: &str) -> String {
    format!("fn stats() {{ #{{ life: 2 }} }}\nfn act(me) {{\n    {body}\n}}\n")
}

/// Plays a game in which the scouts act by this code, and returns the result as text.
fn played(body: &str) -> String {
    let small = tiny().with("units/scouts", &acting(body));
    said(&small, LAID)
}

/// Plays a scenario of a game and returns the problems, or a note that it is played.
fn said(small: &Small, scenario: &str) -> String {
    let source = Source::new("scenarios/tiny/it.toml", scenario);
    let ran = run::open_in(&small.workspace(), &source)
        .and_then(|opened| run::run(&small.workspace(), &opened, &Overrides::default()));
    match ran {
        Err(problems) => problems.page(false),
        Ok(ran) if ran.passed() => "it is played".to_owned(),
        Ok(ran) => {
            let pages = ran.problems.iter().chain(&ran.unmet).map(|p| p.page(false));
            pages.collect::<Vec<_>>().join("\n\n")
        }
    }
}

/// The pages one after the other, each under what was written.
fn gallery<'a>(written: impl IntoIterator<Item = &'a str>, page: impl Fn(&str) -> String) -> String {
    let mut all = String::new();
    for text in written {
        let page = page(text);
        for line in page.lines() {
            assert!(line.chars().count() <= 100, "wider than a page: {line}");
        }
        // Writing to a string cannot fail.
        let _ = write!(
            all,
            "### {}\n{page}\n\n",
            text.escape_debug().to_string().replace("\\\"", "\"")
        );
    }
    all
}

#[test]
fn a_game_and_a_scenario_without_a_fault_have_no_page() {
    assert_eq!(loaded(SCOUTS), "it loads");
    assert_eq!(played("strike(me, me, 1);"), "it is played");
    assert_eq!(said(&tiny(), LAID), "it is played");
    for fine in [
        "let a = 'x'; if a == 'x' { }",
        "// don't\n    let text = `1 ${me.life}`; /* { */ print(text);",
    ] {
        assert_eq!(loaded(&acting(fine)), "it loads", "{fine}");
    }
}

#[test]
fn what_is_missing_in_a_script() {
    insta::assert_snapshot!(gallery(
        [
            "let n = 1\n    strike(me, me, n);",
            "if me.life > 1\n        strike(me, me, 1);\n    }",
            "if me.life > 1 {\n        strike(me, me, 1);\n",
            "strike(me, me, 1;",
            "strike(me me, 1);",
            "strike(me, me, 1));",
            "let list = [1, 2;",
            "let map = #{ a: 1, b };",
            "let n = ;",
            "let n = 1 + ;",
            "print(\"no end);",
            "}\n    strike(me, me, 1);",
            "for unit units() { }",
            "switch me.life { 1 2, _ => 3 }",
            "me.;",
            "/* no end",
        ],
        |body| loaded(&acting(body)),
    ));
}

#[test]
fn habits_of_other_languages() {
    insta::assert_snapshot!(gallery(
        [
            "let foe = null;",
            "let foe = None;",
            "if me.fired { } elif me.life > 1 { }",
            "if me.fired and me.life > 1 { }",
            "if not me.fired { }",
            "if me.life = 1 { }",
            "me.life++;",
            "hit(me, 1, 'volley');",
            "if me.fired:\n        hit(me, 1, \"x\");",
            "if me.fired then { }",
            "let match = 1;",
            "let default = 1;",
            "switch me.life { case 1 => 2 }",
            "let n = me.fired ? 1 : 2;",
            "var n = 1;",
            "# a note",
            "hit(me, 1, “volley”);",
            "if me.life ≥ 2 { }",
            "hit(me, 1 – 1, \"x\");",
            "hit(me,\u{a0}1, \"x\");",
            "hit(me,\u{200b} 1, \"x\");",
            "let n = 2d6;",
            "if me.life === 1 { }",
            "for (let i = 0; i < 3; i++) { }",
            "self.life = 1;",
            "let flag = True;",
            "return if me.fired 1 else 2;",
            "let n: int = 1;",
            "fn inner() { 1 }",
        ],
        |body| loaded(&acting(body)),
    ));
    insta::assert_snapshot!(gallery(
        [
            "function act(me) {\n    hit(me, 1, \"x\");\n}\n",
            "def act(me):\n    hit(me, 1, \"x\")\n",
            "fn act {\n}\n",
            "fn act(me)\n    hit(me, 1, \"x\");\n",
            "fn act(me, me) { }\n",
            "fn act(me) { }\nfn act(me) { }\n",
            "fn act(me) { }\n}\n",
            "let bonus = 2;\nfn act(me) { }\n",
            "fn (me) { }\n",
        ],
        loaded,
    ));
}

#[test]
fn all_faults_of_a_game_are_told_at_once_and_nothing_that_follows_from_them() {
    let scouts = "\
fn stats() { #{ life: 2 } }
fn act(me) {
    if me.fired {
        strike(me, me, help(me));
}
fn help(me) { let n = 1 m }
fn helpp(me) { me.lief + strik(me, me, 1) }
fn becomes_engaged(me) { maxrounds + other }
";
    let game = GAME.replace(
        "fn act(me) { }",
        "fn act(me) { helper(me); }\nfn helper(me) { aim(; }",
    );
    let small = Small::new(&game).with("units/scouts", scouts).with(
        "variants/odd",
        "fn scouts.act(me) { base(me) }\nfn scout.act(me) { }\nfn helper(me) { base(me, 1) }",
    );
    insta::assert_snapshot!(small.error(&["odd"]));
}

#[test]
fn what_only_follows_from_a_fault_of_the_game_is_left_out() {
    let game = GAME.replace(
        "stack: 2",
        "stack: 2, zones: #{ home: #{ red: [\"a1\"], blue: [\"c3\", \"b3\"] } }",
    );
    let game = game.replace("fired: false", "fired: #{ start: false, lasts: \"round\" }");
    let whole = Small::new(&game).with("units/scouts", SCOUTS);
    assert!(whole.load_with(&[]).is_ok());
    let pages = [
        ("hexes: [3, 3]", "hexes: [1000000, 1000000]"),
        ("hexes: [3, 3]", "hexes: [0, 3]"),
        ("hexes: [3, 3]", "hexes: [-3, 3]"),
        ("hexes: [3, 3]", "hexes: [3]"),
        ("[\"red\", \"blue\"]", "[]"),
        ("[\"red\", \"blue\"]", "[\"red\", \"red\"]"),
        (
            "[\"red\", \"blue\"]",
            "[\"red\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\", \"blue\"]",
        ),
        ("fn phases() { ", "fn phases() { return 3; "),
    ];
    let with = |(from, to): (&str, &str)| whole.clone().replaced("scripts/tiny/game.rhai", from, to);
    for page in pages.map(|change| with(change).error(&[])) {
        assert_eq!(page.matches("error: ").count(), 1, "{page}");
    }
    // One of two functions of a name stands in the way; the others are there.
    let twice = with(("fn strike", "fn act(me) { }\nfn strike"));
    let twice = twice.with(
        "units/scouts",
        "fn strike(me, foe, strength) { base(me, foe, strength); }\nfn act(me) { strik(me, me, 1); }\n",
    );
    insta::assert_snapshot!(twice.error(&[]));
}

#[test]
fn keys_that_nested_maps_are_given_are_known() {
    for act in [
        "let m = #{}; m[\"z\"] = 4; m.z",
        "let m = #{ unit: #{} }; m[\"unit\"].zeal = 4; m.unit.zeal",
        "let m = #{ unit: #{} }; m.unit.zeal = #{}; m.unit.zeal[\"fell\"] = 4; m.unit.zeal.fell",
    ] {
        let script = format!("fn stats() {{ #{{ life: 2 }} }}\nfn act(me) {{ {act} }}\n");
        assert_eq!(loaded(&script), "it loads", "{act}");
    }
    let other = "fn stats() { #{ life: 2 } }\nfn act(me) { let m = #{}; m[\"z\"] = 4; m.zz }\n";
    assert!(loaded(other).contains("there is no property `zz`"));
}

#[test]
fn a_stat_that_nobody_reads() {
    insta::assert_snapshot!(gallery(["#{ lief: 2 }", "#{ life: 2, mvoe: true }"], |stats| {
        loaded(&format!("fn stats() {{ {stats} }}\n"))
    }));
    // What is like no other may be for a study. Its own script may read it, a variant that is not on, a name in quotes, and the kernel.
    let own = "fn stats() { #{ lief: 2 } }\nfn act(me) { hit(me, me.lief, \"lief\"); }\n";
    assert_eq!(loaded(own), "it loads");
    assert_eq!(loaded("fn stats() { #{ zeal: 2 } }\n"), "it loads");
    let lief = tiny().with("units/scouts", "fn stats() { #{ lief: 2 } }\n");
    assert!(lief.load_with(&[]).is_err());
    let variant = lief
        .clone()
        .with("variants/keen", "fn act(me) { hit(me, me.lief, \"lief\"); }\n");
    assert!(variant.load_with(&[]).is_ok() && variant.load_with(&["keen"]).is_ok());
    let quoted = lief.replaced(
        "scripts/tiny/game.rhai",
        "fn act(me) { }",
        "fn act(me) { types_with(\"lief\", 2); }",
    );
    assert!(quoted.load_with(&[]).is_ok());
    let moves = tiny().replaced("scripts/tiny/game.rhai", "move: 1, ", "");
    assert!(
        moves
            .with("units/scouts", "fn stats() { #{ move: 2 } }\n")
            .load_with(&[])
            .is_ok()
    );
}

#[test]
fn very_many_faults_are_cut_off_with_their_number() {
    let body: String = (0..30).map(|n| format!("missing_{n}(); ")).collect();
    let page = loaded(&acting(&body));
    assert_eq!(page.matches("error: ").count(), 20);
    assert!(page.ends_with("\n\n... and 10 more problems"), "{page}");
}

#[test]
fn a_broken_declaration_says_nothing_of_what_needs_it() {
    let small = tiny().replaced("scripts/tiny/game.rhai", "hexes: [3, 3]", "hexes: [3, 3");
    insta::assert_snapshot!(small.error(&[]));
    let small = tiny().replaced("scripts/tiny/game.rhai", "life: 3", "life: \"3\"");
    insta::assert_snapshot!(small.error(&[]));
}

#[test]
fn what_fails_while_it_is_played() {
    insta::assert_snapshot!(gallery(
        [
            "let list = [1, 2]; hit(me, list[2], \"x\");",
            "let list = []; hit(me, list[0], \"x\");",
            "let n = me.life - 2; hit(me, 5 / n, \"x\");",
            "let n = 9223372036854775807; hit(me, n + me.life, \"x\");",
            "hit(me, \"1\", \"x\");",
            "hit(me.place, 1, \"x\");",
            "strike(me, nobody, 1);",
            "if me.life { strike(me, me, 1); }",
            "if me.foes_within(1) { strike(me, me, 1); }",
            "for n in me.life { }",
            "let foe = nobody; hit(me, foe.life, \"x\");",
            "let n = me.place; hit(me, n.life, \"x\");",
            "let n = me + 1;",
            "if me.fired + 1 > 2 { }",
            "let n = \"2\" * 2;",
            "me.reach = 2;",
            "me.place = place(\"a3\");",
            "let m = #{ a: 1 }; hit(me, m.b, \"x\");",
            "let all = me.foes_within(1); hit(all[0], 1, \"x\");",
            "hit(unit(\"red.scout1\"), 1, \"x\");",
            "place(\"z9\");",
            "max(\"a\", [1]);",
            "this.life;",
            "throw \"out of order\";",
            "choose(me, \"aim\", []);",
            "loop { }",
            "act(me);",
            "let s = \"ab\"; loop { s += s; }",
            "let list = [1]; loop { list += list; }",
            "[1, 2].filter(|u| u.lief > 1);",
            "roll(me, \"x\", 0, 6);",
            "roll(me, \"\", 1, 6);",
            "me.life = 9223372036854775807; hit(me, -5, \"x\"); add(me, \"life\", 5, \"x\");",
            "places() - \"b1\";",
            "me.foes_within(1).len.in_order(); in_order(21);",
        ],
        played,
    ));
}

#[test]
fn words_of_the_language_and_functions_of_scripts_stand_where_they_can() {
    insta::assert_snapshot!(gallery(
        [
            "let m = #{ if: 1 };",
            "[1].map(|if| 1);",
            "let a = `open;",
            "let far = 1234567890123.5;",
            "for k in #{ a: 1 } { }",
            "me.strike(me, 1);",
        ],
        |body| loaded(&acting(body)),
    ));
    let own = |game: &str| tiny().replaced("scripts/tiny/game.rhai", "fn act(me) { }", game);
    // Behind a dot the other function would be called; the one of the scouts nobody calls.
    insta::assert_snapshot!(
        own("fn act(me) { me.place.distance(me.place); }\nfn distance(a, b) { 42 }").error(&[])
    );
    let scouts = format!("{SCOUTS}fn units_within(me, n) {{ no_units() }}\n");
    let shadowed = own("fn act(me) { units_within(me, 1); }").with("units/scouts", &scouts);
    insta::assert_snapshot!(shadowed.error(&[]));
    let called =
        format!("{SCOUTS}fn units_within(me, n) {{ no_units() }}\nfn all(me) {{ units_within(me, 1) }}\n");
    let called = own("fn act(me) { all(me); }\nfn all(me) { no_units() }").with("units/scouts", &called);
    assert!(called.load_with(&[]).is_ok());
}

#[test]
fn what_is_declared_has_a_name_that_can_be_said() {
    let with = |from: &str, to: &str| tiny().replaced("scripts/tiny/game.rhai", from, to).error(&[]);
    let pages = [
        with("max_rounds:", "\"max rounds\": number(1, 1, 2), max_rounds:"),
        with(
            "max_rounds:",
            "weather: one_of(\"fair\", [\"fair\", 5]), max_rounds:",
        ),
        with("#{ phase: \"round\", each: \"unit\", step: \"act\" }", ""),
        with("[\"red\", \"blue\"]", "[\"game\", \"blue\"]"),
        with("stack: 2", "stack: 2, zones: #{ \"a b\": [\"a1\"] }"),
    ];
    insta::assert_snapshot!(pages.join("\n\n"));
}

#[test]
fn no_more_slots_than_are_counted() {
    let slots = |many: usize| (0..many).map(|n| format!("s{n}: 0, ")).collect::<String>();
    let with = |many: usize| {
        tiny().replaced(
            "scripts/tiny/game.rhai",
            "fired: false",
            &format!("fired: false, {}", slots(many)),
        )
    };
    assert!(with(252).load_with(&[]).is_ok());
    let problems = with(300).problems(&[]);
    assert!(problems[0].starts_with("wrong-count(a unit, at most 254 slots, 302)"));
}

#[test]
fn a_failure_names_the_layers_it_went_through() {
    let small = tiny()
        .with("variants/first", "fn strike(me, foe, strength) { base(me, foe, strength / (me.life - 2)); }")
        .with("variants/second", "// Over the first.\nfn variant() { #{ after: [\"first\"] } }\nfn strike(me, foe, strength) {\n    base(me, foe, strength);\n}\n");
    insta::assert_snapshot!(said(
        &small,
        &format!("{LAID}variants = [\"first\", \"second\"]\n")
    ));
}

#[test]
fn a_place_is_underlined_where_it_is_however_the_line_is_written() {
    let long = format!(
        "let text = \"{}\"; strik(me, me, 1); let more = \"{}\";",
        "é".repeat(150),
        "y".repeat(150)
    );
    insta::assert_snapshot!(gallery(
        [
            "let größe = 1;",
            "let a = \"äöü 漢字\"; strik(me, me, 1);",
            "\tlet n\t= 1;\tstrik(me,\tme, 1);",
            &long,
            "let text = \"e\u{301}\u{1f600}\"; strik(me, me, 1);",
        ],
        |body| loaded(&acting(body)),
    ));
    assert_eq!(loaded(&SCOUTS.replace('\n', "\r\n")), "it loads");
    let crlf = loaded(&SCOUTS.replace("strike(me", "strik(me").replace('\n', "\r\n"));
    assert!(
        crlf.contains("4 |         strik(me, foe, 1);\n  |         ^^^^^"),
        "{crlf}"
    );
}

#[test]
fn a_scenario_with_many_faults_tells_them_together() {
    insta::assert_snapshot!(said(
        &tiny(),
        "game = \"tiny\"\ntitle = \"A\nunits.red = [\"scouts a1\", \"scout a2\", \"scouts z9\"]\n\
         units.blu = [\"scouts a2\" \"scouts a3\"]\nunits.blue = [\"scouts a3 lief=2\"]\nwhen = 3\n\
         dials.max_round = 4\nuntil = \"end of rond\"\nopen = \"randon\"\nanswers = [\"x:\"]\n\
         slots.red = { wins = 1 }\n",
    ));
    insta::assert_snapshot!(said(
        &tiny(),
        &format!(
            "{LAID}expect = [\n  'unit(\"red.scouts1\").lief == 2',\n  'unt(\"red.scouts1\").life == 2',\n  \
         'unit(\"red.scouts1\").life == ',\n  'max_round == 2',\n  'unit(\"red.scouts1\").life == 2',\n]\n"
        ),
    ));
}

#[test]
fn what_fails_in_a_function_that_an_expectation_calls_is_told_where_it_fails() {
    let odd = "fn odd() {\n    let m = #{};\n    m.x\n}\n";
    insta::assert_snapshot!(said(
        &Small::new(&format!("{GAME}{odd}")).with("units/scouts", SCOUTS),
        &format!(
            "{LAID}expect = [\n  'odd() == 5',\n  'units().filter(|it| it.life > odd()).len == 1',\n  \
             'units()[0] == 1',\n]\n"
        ),
    ));
}

#[test]
fn what_hooks_say_that_are_asked_whether_something_may_be() {
    insta::assert_snapshot!(gallery(
        [
            "fn may_enter(me, place) { \"it burns\" }",
            "fn may_enter(me, place) { false }",
            "fn may_enter(me, place) { 7 }",
            "fn may_enter(me, place) { if place == me.place { \"it burns\" } }",
            "fn may_enter(me, place) { roll(me, \"way\", 1, 6).total > 3 }",
            "fn may_enter(me, place) { may_enter(me, place) }",
            "fn may_start() { \"no scouts in a1\" }",
            "fn may_start() { 3 }",
        ],
        |hook| said(
            &Small::new(&format!("{GAME}{hook}\n")).with("units/scouts", SCOUTS),
            LAID
        ),
    ));
    // Whoever shares a place is asked about the others as well; whoever is alone there is not.
    let narrow = Small::new(&format!("{GAME}fn may_join(me, place) {{ \"it is narrow\" }}\n"));
    let narrow = narrow.with("units/scouts", SCOUTS);
    assert_eq!(said(&narrow, LAID), "it is played");
    let page = said(&narrow, &LAID.replace("scouts a2", "scouts a1"));
    assert!(
        page.contains("scouts1 may not stand in a1: it is narrow"),
        "{page}"
    );
    // As in play: the second is asked before it stands there, and the first is not asked about the second.
    let two = "fn may_join(me, place) { if place.units.len < 2 { true } else { \"two are enough\" } }";
    let two =
        Small::new(&format!("{GAME}{two}\n").replace("stack: 2", "stack: 3")).with("units/scouts", SCOUTS);
    let units = |units: &str| LAID.replace("\"scouts a1\"", units);
    assert_eq!(said(&two, &units("\"scouts a1\", \"scouts a1\"")), "it is played");
    let page = said(&two, &units("\"scouts a1\", \"scouts a1\", \"scouts a1\""));
    assert!(
        page.contains("red.scouts3 may not stand in a1: two are enough") && !page.contains("red.scouts2"),
        "{page}"
    );
    // Nor is who needs others refused because they are laid after it.
    let close =
        "fn may_enter(me, place) { if place.adjacent.units.len > 0 { true } else { \"it is lonely\" } }";
    let close = Small::new(&format!("{GAME}{close}\n")).with("units/scouts", SCOUTS);
    let page = said(&close, &units("\"scouts a1\", \"scouts a2\""));
    assert_eq!(page, "it is played");
    let falls = GAME.replace("hit: true", "hit: true, falls: \"hurt\"");
    let hurt = "fn hurt(me, n, by) { if by.place == me.place { 0 } else { n } }";
    let small = Small::new(&format!("{falls}{hurt}\n")).with("units/scouts", SCOUTS);
    let page = said(
        &small,
        &format!("{LAID}expect = ['hit(unit(\"red.scouts1\"), 1, \"x\") == nothing']\n"),
    );
    assert!(page.contains("the position can only be read here"), "{page}");
}

#[test]
fn moments_that_never_come() {
    let small = tiny().replaced(
        "scripts/tiny/game.rhai",
        "[#{ phase: \"round\", each: \"unit\", step: \"act\" }]",
        "[#{ phase: \"muster\", each: \"unit\", step: \"act\" }, #{ phase: \"age\", repeat: true, contest: \"game\", \
         phases: [#{ phase: \"round\", each: \"unit\", step: \"act\" }] }]",
    );
    insta::assert_snapshot!(gallery(
        [
            "end of round 0",
            "end of round 65536",
            "end of round 99999999999999999999999",
            "age 65536",
            "muster 2",
        ],
        |until| said(&small, &format!("{LAID}until = \"{until}\"\n")),
    ));
}

#[test]
fn what_is_not_toml() {
    insta::assert_snapshot!(gallery(
        [
            "game = tiny\n",
            "game = \"tiny\nopen = \"first\"\n",
            "game: \"tiny\"\n",
            "game = \"tiny\"\nunits.red = [\"scouts a1\"\nunits.blue = [\"scouts a2\"]\n",
            "game = \"tiny\"\nunits.red = [\"scouts a1\" \"scouts a2\"]\n",
            "game = \"tiny\"\nopen =\n",
            "game = \"tiny\"\nopen\n",
            "game = “tiny”\n",
            "game = \"tiny\"\ngame = \"tiny\"\n",
            "game = \"tiny\"\nslots.red = { wins = 1\nopen = \"first\"\n",
            "game = \"tiny\"\n[units\nred = []\n",
            "game = \"tiny\"\nopen = 'first\n",
            "game = \"tiny\"; open = \"first\"\n",
            "// game\ngame = \"tiny\"\n",
            "\u{feff}game = \"tiny\"\r\nopen = \"randon\"\r\n",
            "",
        ],
        |text| said(&tiny(), text),
    ));
}

#[test]
fn files_that_are_no_scripts_and_no_scenarios() {
    let copy = Copy::of_rules();
    copy.write("units/smalltricks/binary.rhai", [0xff, 0xfe, 0x00, 0x01])
        .write("units/smalltricks/blank.rhai", " \n")
        .write("units/smalltricks/Bad Name.rhai", "fn act(me) { }\n")
        .write("units/smalltricks/folder.rhai/x.txt", "")
        .write(
            "scripts/smalltricks/variants/Odd Name.rhai",
            "// Odd.\nfn activate(me) { base(me); }\n",
        )
        .write("scenarios/smalltricks/binary.toml", [b'a', 0xff])
        .write("scenarios/smalltricks/empty.toml", "");
    let ran = copy.run(&["check"]);
    assert_eq!(ran.status, 2, "{}", ran.page());
    insta::assert_snapshot!(ran.out);
}

#[test]
fn all_broken_files_are_checked_at_once() {
    let copy = Copy::of_rules();
    copy.replace(
        "units/smalltricks/spears.rhai",
        "if foe != nobody {",
        "if foe != nobody",
    )
    .replace("units/smalltricks/archers.rhai", "fn ", "fn broken( { }\nfn ")
    .replace(
        "scripts/smalltricks/variants/fire-unmoved.rhai",
        "base(me, foe)",
        "bas(me, foe)",
    )
    .write(
        "scenarios/smalltricks/it.toml",
        "game = \"smalltricks\"\nunits.red = [\"spers c1\"]\n",
    );
    let ran = copy.run(&["check"]);
    assert_eq!(ran.status, 2, "{}", ran.page());
    insta::assert_snapshot!(ran.out);
}

#[test]
fn a_variant_that_names_a_tweak_without_a_script() {
    let small = tiny().with("tweaks", "[longer]\ndial = \"max_rounds=5\"\n").with(
        "variants/odd",
        "fn variant() { #{ requires: [\"longer\"] } }\nfn strike(me, foe, strength) { }\n",
    );
    insta::assert_snapshot!(small.error(&["odd"]));
}

#[test]
fn a_reserved_word_as_a_name_is_one_problem() {
    let copy = crate::support::Copy::of_rules();
    copy.replace(
        "scripts/smalltricks/game.rhai",
        "fn shift(side, dice)",
        "fn null(side, dice)",
    );
    copy.replace("scripts/smalltricks/game.rhai", "= shift(side, ", "= null(side, ");
    let ran = copy.run(&["check", "--json"]);
    let parsed: serde_json::Value = serde_json::from_str(&ran.out).expect("it is JSON");
    let problems = parsed["problems"].as_array().expect("a list");
    assert_eq!(problems.len(), 1, "{problems:#?}");
    assert_eq!(problems[0]["message"], "`null` is a reserved word");
    let hint = problems[0]["hint"].as_str().unwrap_or_default();
    assert!(hint.contains("on line "), "{hint}");
}

#[test]
fn reserved_words_and_fractions_are_refused_where_they_stand() {
    for (script, told) in [
        (
            "fn stats() { #{ life: 2 } }\nfn act(null) { helper(null); }\nfn helper(me) { }",
            "`null` is a reserved word",
        ),
        (&*acting("let curry = 1;"), "`curry` is a reserved word"),
        (&*acting("let in = 1;"), "`in` is a reserved word"),
        (&*acting("for nil in units() { }"), "`nil` is a reserved word"),
        (&*acting("let m = #{ switch: 1 };"), "`switch` is a reserved word"),
        (
            &*acting("let half = 0.0005;"),
            "a length has three decimals at most",
        ),
        (
            &*acting("let small = 0.0000000001;"),
            "a length has three decimals at most",
        ),
        (
            &*acting("let small = 1e-10;"),
            "a length has three decimals at most",
        ),
        (
            &*acting("let near = 7.3000000001;"),
            "a length has three decimals at most",
        ),
    ] {
        let page = loaded(script);
        assert_eq!(page.matches("error: ").count(), 1, "{page}");
        assert!(page.starts_with(&format!("error: {told}")), "{script}\n{page}");
    }
}

#[test]
fn play_stops_at_the_first_phase_of_that_name_in_which_somebody_acts() {
    let game = r##"
        fn board() { #{ factions: ["red", "blue"], hexes: [2, 2] } }
        fn slots() { #{ unit: #{ angry: false } } }
        fn phases() { [#{ phase: "round", repeat: true, phases: [
            #{ phase: "storms", each: "unit", filters: ["angry"], step: "storm" },
            #{ phase: "talk", each: "unit", step: "talk" },
        ] }] }
        fn storm(me) { win(me.owner, "storm"); }
        fn talk(me) { if count("round") == 2 { me.angry = true; } }
    "##;
    let small = Small::new(game).with("units/scouts", "fn stats() { #{ symbol: \"Sc\" } }");
    let until = |until: &str, round: u8| {
        format!(
            "game = \"tiny\"\nunits.red = [\"scouts a1\"]\nuntil = \"{until}\"\nexpect = ['count(\"round\") == {round}']\n"
        )
    };
    for (phase, round) in [("storms", 3), ("storms 2", 2), ("talk", 1)] {
        assert_eq!(said(&small, &until(phase, round)), "it is played", "{phase}");
    }
}
