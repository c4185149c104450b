//! The scenario file as it is written: a position, the layers, the answers, the rolls and the expectations, in TOML.
//!
//! This module reads and writes the file and checks its form. It may not know any game: whether a unit type, a place, a
//! slot or an answer exists is checked elsewhere, which is why every item keeps its span. It knows texts, problems
//! ([`crate::report`]) and the position ([`crate::description`]), and nothing else of the crate.

mod parse;
mod print;

pub use parse::Dials;

use crate::description::{Description, NamedEntries, Spanned};
use crate::report::{Problem, Problems, Source};
use std::sync::Arc;

/// The keys that stand at the top of a scenario, in the order in which they are printed.
pub const KEYS: &[&str] = &super::keys::NAMES;

/// The seed of a scenario that names none.
pub const DEFAULT_SEED: u64 = 1;

/// The agent of a scenario that names none: it answers nothing, so play stops at the first open choice.
pub const DEFAULT_OPEN: &str = "stop";

pub use crate::rules::declare::DialValue;

/// A scenario as it is written. Two are equal if they say the same, whatever their texts look like.
#[derive(Clone, Debug, Default)]
pub struct ScenarioFile {
    /// The text that all spans point into.
    pub source: Arc<Source>,
    /// Name of the game.
    pub game: Spanned<String>,
    /// Title of the scenario, in one line.
    pub title: Option<Spanned<String>>,
    /// Description of the scenario, at length.
    pub about: Option<Spanned<String>>,
    /// Task for a person who opens it; its answers are then the solution.
    pub puzzle: Option<Spanned<String>>,
    /// Ids of the rulebook's clauses that it proves.
    pub proves: Vec<Spanned<String>>,
    /// Seed of the dice; [`DEFAULT_SEED`] if it is left out.
    pub seed: u64,
    /// Names of the variants that are on.
    pub variants: Vec<Spanned<String>>,
    /// Point at which play stops.
    pub until: Option<Spanned<String>>,
    /// Whether the set-up is left out although nothing is stated to stand on the board.
    pub empty: bool,
    /// The agent for the choices that the answers leave open; [`DEFAULT_OPEN`] if it is left out.
    pub open: Spanned<String>,
    /// The position: terrain, units and slots.
    pub position: Description,
    /// The dials that are turned, under their full names (`a.b`).
    pub dials: NamedEntries<Spanned<DialValue>>,
    /// The answers in the order in which they are given.
    pub answers: Vec<Spanned<String>>,
    /// Scripted rolls by label; one entry holds the dice of one roll.
    pub rolls: NamedEntries<Vec<Spanned<Vec<i64>>>>,
    /// Results of throws, by label; one entry is the result of one throw.
    pub throws: NamedEntries<Vec<Spanned<String>>>,
    /// A part of the reason for which the rules do not let the game start so.
    pub refused: Option<Spanned<String>>,
    /// Script expressions that hold at the end.
    pub expect: Vec<Spanned<String>>,
    /// Expected numbers of sequences of answers from the end, by their length from 1.
    pub perft: Vec<Spanned<u64>>,
    /// The same where forced answers count as answers.
    pub perft_forced: Vec<Spanned<u64>>,
}

impl PartialEq for ScenarioFile {
    fn eq(&self, other: &Self) -> bool {
        // Taken apart, so that a field that is added later is not forgotten here.
        let ScenarioFile {
            source: _,
            game,
            title,
            about,
            puzzle,
            proves,
            seed,
            variants,
            until,
            empty,
            open,
            position,
            dials,
            answers,
            rolls,
            throws,
            refused,
            expect,
            perft,
            perft_forced,
        } = self;
        (game, title, about, proves, seed, variants)
            == (
                &other.game,
                &other.title,
                &other.about,
                &other.proves,
                &other.seed,
                &other.variants,
            )
            && (until, empty, open, position) == (&other.until, &other.empty, &other.open, &other.position)
            && (throws, refused, puzzle) == (&other.throws, &other.refused, &other.puzzle)
            && (dials, answers, rolls, expect) == (&other.dials, &other.answers, &other.rolls, &other.expect)
            && (perft, perft_forced) == (&other.perft, &other.perft_forced)
    }
}

impl Eq for ScenarioFile {}

impl ScenarioFile {
    /// A scenario that says only which game it is for, and that is written nowhere.
    pub fn new(game: impl Into<String>) -> Self {
        ScenarioFile::blank(Source::new("", ""), Spanned::from(game.into()))
    }

    /// A scenario with nothing but its game.
    fn blank(source: Arc<Source>, game: Spanned<String>) -> Self {
        ScenarioFile {
            source,
            game,
            seed: DEFAULT_SEED,
            open: DEFAULT_OPEN.to_owned().into(),
            ..ScenarioFile::default()
        }
    }

    /// Reads a scenario.
    ///
    /// # Errors
    ///
    /// Every problem of form that can be found, in the order of the text: what is not TOML, unknown keys, values of the
    /// wrong type, keys that have slipped into a table, unit lines that cannot be read, and a missing `game`.
    pub fn parse(source: Arc<Source>) -> Result<Self, Problems> {
        let (file, found) = ScenarioFile::parse_as_far(source);
        Problems::check(found)?;
        Ok(file)
    }

    /// Reads a scenario as far as it can be read, with every problem of form. What could not be read is left out; the
    /// name of the game is empty when even that is.
    pub fn parse_as_far(source: Arc<Source>) -> (Self, Vec<Problem>) {
        parse::read(source)
    }

    /// The scenario in its canonical form: keys in the order of [`KEYS`], defaults left out, tables as dotted keys.
    ///
    /// Reading it gives the same scenario again, if its words are such as can be read: no empty names, no spaces in the
    /// words of a unit line, none of [`KEYS`] as the name of a faction or dial (`game` may have slots).
    pub fn to_toml(&self) -> String {
        print::to_toml(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::{SlotValue, UnitLine};
    use proptest::collection::{btree_map, vec};
    use proptest::prelude::*;
    use std::{fmt, ops::Range};

    const WHOLE: &str = r#"
game = "smalltricks"
title = "A charge that meets spears"
about = """
First line,
second line."""
proves = ["ST-U5a", "ST-U14"]
seed = 7
variants = ["reach"]
until = "end of round 1"
open = "random"
units.red  = ["mounted c2", "archers b2 life=3 moved aim=red.mounted1 hurt=false"]
units.blue = ["spears c4", "spears reserve"]
slots.red = { damage = 1 }
slots.game = { first = "red", done = true }
dials.max_rounds = 3
dials.archers.life = 4
dials."match.length" = "best_of_3"
answers = ["red.mounted1 c4 blue.spears1", "volley: blue.spears1", "red.archers1 move: !c4"]
rolls = { "first faction" = [6], "reroll" = [1, [2, 3]] }
expect = ['unit("red.mounted1").life == 3']
"#;

    fn parse(text: &str) -> Result<ScenarioFile, Problems> {
        ScenarioFile::parse(Source::new("s.toml", text))
    }

    fn good(text: &str) -> ScenarioFile {
        parse(text).unwrap_or_else(|problems| panic!("{problems}"))
    }

    fn bad(text: &str) -> Vec<Problem> {
        match parse(text) {
            Ok(file) => panic!("this was accepted: {file:?}"),
            Err(problems) => problems.0,
        }
    }

    /// The only problem of a text that begins with a line for the game.
    fn one(text: &str) -> Problem {
        let mut found = bad(&format!("game = \"g\"\n{text}"));
        assert_eq!(found.len(), 1, "{}", Problems(found.clone()));
        found.remove(0)
    }

    fn pointed(problem: &Problem) -> &str {
        let place = problem
            .place
            .as_ref()
            .expect("every problem of a file has a place");
        place.source.slice(place.span.clone())
    }

    fn hint(problem: &Problem) -> &str {
        problem.hint.as_deref().unwrap_or_default()
    }

    fn values<T: Clone>(list: &[Spanned<T>]) -> Vec<T> {
        list.iter().map(|item| item.value.clone()).collect()
    }

    #[test]
    fn a_whole_scenario_is_read() {
        let file = good(WHOLE);
        assert_eq!(file.game.value, "smalltricks");
        assert_eq!(
            file.about.as_ref().map(|about| about.as_str()),
            Some("First line,\nsecond line.")
        );
        assert_eq!(values(&file.proves), ["ST-U5a", "ST-U14"]);
        assert_eq!(file.seed, 7);
        assert_eq!(file.open.value, "random");
        let factions: Vec<&str> = file
            .position
            .units
            .iter()
            .map(|(faction, _)| faction.as_str())
            .collect();
        assert_eq!(factions, ["red", "blue"], "factions keep the order of the file");
        let archers = &file.position.units[0].1[1];
        assert_eq!(archers.kind.value, "archers");
        assert_eq!(archers.place.value, "b2");
        let slots: Vec<(&str, &SlotValue)> = archers
            .slots
            .iter()
            .map(|(n, v)| (n.as_str(), &v.value))
            .collect();
        assert_eq!(
            slots,
            [
                ("life", &SlotValue::Number(3)),
                ("moved", &SlotValue::Flag(true)),
                ("aim", &SlotValue::Word("red.mounted1".to_owned())),
                ("hurt", &SlotValue::Flag(false)),
            ]
        );
        assert_eq!(
            file.position.slots[1].1[0].1.value,
            SlotValue::Word("red".to_owned())
        );
        let dials: Vec<(&str, &DialValue)> = file.dials.iter().map(|(n, v)| (n.as_str(), &v.value)).collect();
        assert_eq!(
            dials,
            [
                ("max_rounds", &DialValue::Number(3)),
                ("archers.life", &DialValue::Number(4)),
                ("match.length", &DialValue::Word("best_of_3".to_owned())),
            ]
        );
        assert_eq!(file.rolls[0].0.value, "first faction");
        assert_eq!(values(&file.rolls[1].1), [vec![1], vec![2, 3]]);
        assert_eq!(values(&file.expect), ["unit(\"red.mounted1\").life == 3"]);
    }

    #[test]
    fn what_is_left_out_has_its_default() {
        let file = good("game = 'g'");
        assert_eq!((file.seed, file.open.value.as_str()), (1, "stop"));
        assert_eq!(file, ScenarioFile::new("g"));
        assert_eq!(file.to_toml(), "game = \"g\"\n");
        assert_eq!(good("game = 'g'\nseed = 18446744073709551615").seed, u64::MAX);
        assert_eq!(good("game = 'g'\nseed = 0x1f").seed, 31);
    }

    #[test]
    fn spans_point_at_the_very_words() {
        let file = good(WHOLE);
        let at = |span: &Range<usize>| file.source.slice(span.clone()).to_owned();
        let archers = &file.position.units[0].1[1];
        assert_eq!(at(&archers.kind.span), "archers");
        assert_eq!(at(&archers.place.span), "b2");
        assert_eq!(at(&archers.slots[0].0.span), "life");
        assert_eq!(at(&archers.slots[0].1.span), "3");
        assert_eq!(at(&archers.slots[1].0.span), "moved");
        assert_eq!(at(&file.dials[1].0.span), "archers.life");
        assert_eq!(at(&file.answers[1].span), "\"volley: blue.spears1\"");
        assert_eq!(at(&file.rolls[1].1[1].span), "[2, 3]");
    }

    #[test]
    fn words_of_a_string_with_escapes_share_its_span() {
        let text = r#"game = "g"
units.red = ["a\u0062 c2", '''
é c3 x=1''']"#;
        let file = good(text);
        let units = &file.position.units[0].1;
        assert_eq!(units[0].kind.value, "ab");
        assert_eq!(file.source.slice(units[0].place.span.clone()), r#""a\u0062 c2""#);
        assert_eq!(file.source.slice(units[1].kind.span.clone()), "é");
        assert_eq!(file.source.slice(units[1].slots[0].1.span.clone()), "1");
    }

    #[test]
    fn an_empty_file_is_told_the_smallest_scenario() {
        for text in ["", "\n\n", "# nothing yet\n"] {
            let found = bad(text);
            assert_eq!(found[0].id(), "empty-scenario");
            let smallest = hint(&found[0])
                .split_once('\n')
                .map(|(_, line)| line)
                .unwrap_or_default();
            good(smallest);
        }
        let found = bad("seed = 3");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].id(), "missing-game");
    }

    #[test]
    fn an_unknown_key_gets_the_nearest_known_one() {
        let problem = one("anwsers = []");
        assert_eq!((problem.id(), pointed(&problem)), ("unknown-key", "anwsers"));
        assert_eq!(hint(&problem), "did you mean `answers`?");
        let far = one("zzz = 1");
        assert!(
            hint(&far).starts_with("known: game, title") && hint(&far).ends_with("perft_forced"),
            "{far}"
        );
    }

    #[test]
    fn a_value_of_the_wrong_type_says_what_was_expected() {
        for (text, at, id) in [
            ("seed = 'x'", "'x'", "wrong-type"),
            ("seed = -1", "-1", "number-out-of-range"),
            (
                "seed = 99999999999999999999",
                "99999999999999999999",
                "number-out-of-range",
            ),
            ("title = 3", "3", "wrong-type"),
            ("title = \"a\\nb\"", "\"a\\nb\"", "title-of-several-lines"),
            ("variants = 'v'", "'v'", "wrong-type"),
            ("variants = ['v', 3]", "3", "wrong-type"),
            ("answers = ['']", "''", "empty-text"),
            ("units = ['a b']", "['a b']", "wrong-type"),
            ("units.red = 'a b'", "'a b'", "wrong-type"),
            ("units.red = [{}]", "{}", "wrong-type"),
            ("slots.red = 3", "3", "wrong-type"),
            ("slots.red = { a = 1.5 }", "1.5", "wrong-type"),
            ("dials.a.b = true", "true", "wrong-type"),
            (
                "dials.a = 9223372036854775808",
                "9223372036854775808",
                "number-out-of-range",
            ),
            ("rolls.a = 6", "6", "wrong-type"),
            ("rolls.a = ['x']", "'x'", "wrong-type"),
            ("rolls.a = [[1, 'x']]", "'x'", "wrong-type"),
            ("rolls.a.b = [1]", "a", "wrong-type"),
            ("perft = 20", "20", "wrong-type"),
            ("perft = [20, 'x']", "'x'", "wrong-type"),
            ("perft_forced = [-1]", "-1", "number-out-of-range"),
        ] {
            let problem = one(text);
            assert_eq!((pointed(&problem), problem.id()), (at, id), "{problem}");
            assert!(problem.expected.is_some(), "{problem}");
        }
        assert_eq!(hint(&one("variants = 'v'")), "write [\"v\"]");
    }

    #[test]
    fn a_unit_line_that_cannot_be_read_points_at_the_word() {
        for (line, at, id) in [
            ("", "''", "incomplete-unit"),
            ("life=3 c2", "life=3", "incomplete-unit"),
            ("archers", "archers", "incomplete-unit"),
            ("archers life=3", "life=3", "incomplete-unit"),
            ("archers c2 life=", "life=", "incomplete-slot"),
            ("archers c2 =3", "=3", "incomplete-slot"),
            ("archers c2 a a=3", "a", "repeated"),
            (
                "archers c2 a=99999999999999999999",
                "a=99999999999999999999",
                "number-out-of-range",
            ),
        ] {
            let problem = one(&format!("units.red = ['{line}']"));
            assert_eq!((pointed(&problem), problem.id()), (at, id));
        }
    }

    #[test]
    fn a_key_that_slipped_into_a_table_is_sent_above_the_first_table() {
        for (text, name, table) in [
            ("[units]\nred = []\nanswers = ['a']", "answers", "units"),
            ("[dials]\nmax = 3\nseed = 7", "seed", "dials"),
            (
                "[dials.archers]\nlife = 3\nexpect = ['x']",
                "expect",
                "dials.archers",
            ),
            ("[slots.red]\ndamage = 3\nexpect = ['x']", "expect", "slots.red"),
            ("[slots]\nred = {}\nopen = 'x'", "open", "slots"),
            ("[rolls]\na = [3]\nexpect = ['x']", "expect", "rolls"),
        ] {
            let problem = one(text);
            assert_eq!((problem.id(), pointed(&problem)), ("misplaced-key", name));
            assert!(problem.message.contains(table), "{problem}");
        }
        let found = bad("[units]\nred = []\ngame = 'g'");
        assert_eq!(found.len(), 1, "a slipped `game` is not missing as well");
    }

    #[test]
    fn the_game_may_have_slots_and_rolls_any_label() {
        let file = good("game = 'g'\n[slots.game]\nseed = 1\n[rolls]\nopen = [[1, 2]]");
        assert_eq!(file.position.slots[0].0.value, "game");
        assert_eq!(file.rolls[0].0.value, "open");
    }

    #[test]
    fn text_that_is_not_toml_is_shown_where_it_breaks() {
        let problem = one("title = charge");
        assert_eq!(pointed(&problem), "charge");
        assert_eq!(hint(&problem), "write \"charge\"");
        assert!(one("seed = 1\nseed = 2").message.contains("duplicate key"));
        let open = bad("game = 'g'\nanswers = ['a\nx=3\n=4");
        let lines: Vec<Option<usize>> = open.iter().map(Problem::line).collect();
        assert_eq!(
            lines,
            [Some(2), Some(3), Some(4)],
            "one open bracket is one problem, and hides no other"
        );
        let deep = bad(&format!("game = 'g'\n{}x = 1", "a.".repeat(500)));
        assert_eq!(deep[0].id(), "nested-too-deeply");
    }

    #[test]
    fn all_problems_are_reported_in_the_order_of_the_text() {
        let found =
            bad("game = 'g'\nseed = 'x'\ntitle = word\nsead = 1\nunits.red = ['a', 'b']\ndials.x = 1.5");
        let lines: Vec<usize> = found.iter().filter_map(Problem::line).collect();
        assert_eq!(lines, [2, 3, 4, 5, 5, 6], "{}", Problems(found));
    }

    #[test]
    fn one_dial_under_two_spellings_is_turned_twice() {
        let problem = one("dials.a.b = 1\ndials.\"a.b\" = 2");
        assert_eq!((problem.id(), pointed(&problem)), ("repeated", "\"a.b\""));
    }

    #[test]
    fn tables_and_dotted_keys_say_the_same() {
        let dotted =
            good("game = 'g'\nunits.b = ['x c1']\nunits.a = []\ndials.archers.life = 4\nslots.b.n = 1");
        let tables = good(
            "game = 'g'\r\n[units]\r\nb = ['x c1']\r\na = []\r\n[dials]\r\n\"archers.life\" = 4\r\n[slots.b]\r\nn = 1\r\n",
        );
        assert_eq!(dotted, tables);
        assert_ne!(dotted, ScenarioFile::new("g"));
    }

    #[test]
    fn the_canonical_form_is_pinned() {
        let expected = r#"game = "smalltricks"
title = "A charge that meets spears"
about = """
First line,
second line."""
proves = ["ST-U5a", "ST-U14"]
seed = 7
variants = ["reach"]
until = "end of round 1"
open = "random"
units.red = ["mounted c2", "archers b2 life=3 moved aim=red.mounted1 hurt=false"]
units.blue = ["spears c4", "spears reserve"]
slots.red = { damage = 1 }
slots.game = { first = "red", done = true }
dials.max_rounds = 3
dials."archers.life" = 4
dials."match.length" = "best_of_3"
answers = ["red.mounted1 c4 blue.spears1", "volley: blue.spears1", "red.archers1 move: !c4"]
rolls."first faction" = [6]
rolls.reroll = [1, [2, 3]]
expect = ['unit("red.mounted1").life == 3']
"#;
        let file = good(WHOLE);
        assert_eq!(file.to_toml(), expected);
        assert_eq!(good(expected), file);
    }

    #[test]
    fn a_long_list_gets_a_line_for_each_entry() {
        let mut file = ScenarioFile::new("g");
        file.answers = (0..8)
            .map(|n| format!("red.archers{n} move: c{n}").into())
            .collect();
        let text = file.to_toml();
        assert!(
            text.contains("answers = [\n    \"red.archers0 move: c0\",\n"),
            "{text}"
        );
        assert_eq!(good(&text), file);
    }

    #[test]
    fn the_deepest_nesting_that_toml_allows_is_no_danger() {
        let level = format!("{}x = {{ ", "a.".repeat(78));
        for depth in [1, 10, 78, 200] {
            let line = format!("dials.{}y = 1{}\n", level.repeat(depth), " }".repeat(depth));
            for text in [
                line.clone(),
                line.repeat(2),
                format!("game = 'g'\nrolls.x = {}", "[".repeat(500)),
            ] {
                assert!(parse(&text).is_err());
            }
        }
    }

    /// Text with whatever makes quoting hard.
    fn any_text() -> impl Strategy<Value = String> {
        prop_oneof!["[a-z\"'\\\\ \n\r\t#é\u{7f}\u{85}\u{0}\u{1b}]{0,20}", ".{0,12}"]
    }

    fn some_text() -> impl Strategy<Value = String> {
        any_text().prop_filter("blank", |text| !text.trim().is_empty())
    }

    fn a_word() -> impl Strategy<Value = String> {
        "[a-z\"'\\\\#.:é!]{1,8}"
    }

    fn spanned<T: fmt::Debug>(values: impl Strategy<Value = T>) -> impl Strategy<Value = Spanned<T>> {
        values.prop_map(Spanned::from)
    }

    /// Things under different names.
    fn named<T: fmt::Debug>(
        names: impl Strategy<Value = String>,
        things: impl Strategy<Value = T>,
    ) -> impl Strategy<Value = NamedEntries<T>> {
        btree_map(names, things, 0..4).prop_map(|map| {
            map.into_iter()
                .rev()
                .map(|(name, thing)| (name.into(), thing))
                .collect()
        })
    }

    fn a_free_name() -> impl Strategy<Value = String> {
        any_text().prop_filter("taken", |name| !KEYS.contains(&name.as_str()))
    }

    fn a_unit() -> impl Strategy<Value = UnitLine> {
        // What begins with a quotation mark ends with the next.
        let plain = || a_word().prop_filter("quotes", |word| !word.contains('"'));
        let word = plain().prop_filter("reads as a flag", |word| word != "true" && word != "false");
        let value = prop_oneof![
            any::<bool>().prop_map(SlotValue::Flag),
            any::<i64>().prop_map(SlotValue::Number),
            word.prop_map(SlotValue::Word),
        ];
        (
            spanned(a_word()),
            spanned(a_word()),
            named(plain(), spanned(value)),
        )
            .prop_map(|(kind, place, slots)| UnitLine {
                kind,
                place,
                slots,
                known: None,
            })
    }

    fn a_scenario() -> impl Strategy<Value = ScenarioFile> {
        let slot = prop_oneof![
            any::<bool>().prop_map(SlotValue::Flag),
            any::<i64>().prop_map(SlotValue::Number),
            any_text().prop_map(SlotValue::Word),
        ];
        let dial = prop_oneof![
            any::<i64>().prop_map(DialValue::Number),
            any_text().prop_map(DialValue::Word)
        ];
        let texts = || vec(spanned(some_text()), 0..4);
        let counts = || vec(spanned(0..=i64::MAX as u64), 0..4);
        let title = any_text().prop_map(|text| text.replace('\n', " "));
        let owner = prop_oneof![a_free_name(), Just("game".to_owned())];
        let label = prop_oneof![any_text(), Just("expect".to_owned())];
        let heads = (
            spanned(some_text()),
            proptest::option::of(spanned(title)),
            proptest::option::of(spanned(any_text())),
            (proptest::option::of(spanned(some_text())), texts()),
            any::<u64>(),
            texts(),
            (proptest::option::of(spanned(some_text())), any::<bool>()),
            spanned(some_text()),
        );
        let some_words = proptest::collection::btree_set(a_word(), 0..4)
            .prop_map(|words| words.into_iter().map(Spanned::from).collect::<Vec<_>>());
        let tables = (
            named(a_free_name(), some_words),
            named(a_free_name(), vec(spanned(a_unit()), 0..4)),
            named(owner, named(any_text(), spanned(slot))),
            named(a_free_name(), spanned(dial)),
            texts(),
            (
                named(label.clone(), vec(spanned(vec(any::<i64>(), 0..3)), 0..4)),
                named(label, vec(spanned(some_text()), 0..3)),
            ),
            proptest::option::of(spanned(some_text())),
            (texts(), counts(), counts()),
        );
        (heads, tables).prop_map(|(heads, tables)| {
            let (game, title, about, (puzzle, proves), seed, variants, (until, empty), open) = heads;
            let (
                terrain,
                units,
                slots,
                dials,
                answers,
                (rolls, throws),
                refused,
                (expect, perft, perft_forced),
            ) = tables;
            ScenarioFile {
                source: Source::new("", ""),
                game,
                title,
                about,
                puzzle,
                proves,
                seed,
                variants,
                until,
                empty,
                open,
                position: Description {
                    terrain,
                    units,
                    slots,
                    in_play: None,
                },
                dials,
                answers,
                rolls,
                throws,
                refused,
                expect,
                perft,
                perft_forced,
            }
        })
    }

    proptest! {
        #[test]
        fn what_is_printed_reads_as_the_same_scenario(file in a_scenario()) {
            let text = file.to_toml();
            let again = parse(&text);
            prop_assert!(again.is_ok(), "{}\n{}", text, again.err().map(|found| found.to_string()).unwrap_or_default());
            let again = good(&text);
            prop_assert_eq!(&again, &file, "{}", text);
            prop_assert_eq!(again.to_toml(), text);
        }

        #[test]
        fn no_text_is_too_strange(text in "[a-z\"'\\[\\]{}=.,# \n\r\té0-9\u{feff}]{0,80}") {
            if let Err(problems) = parse(&text) {
                prop_assert!(!problems.0.is_empty());
                problems.page(true);
            }
        }

        #[test]
        fn no_damage_to_a_scenario_is_too_strange(
            at in 0..WHOLE.len(), length in 0usize..30, put in "[\"'\\[\\]{}=. \n]{0,3}"
        ) {
            let mut text = WHOLE.to_owned();
            text.replace_range(at..(at + length).min(WHOLE.len()), &put);
            if let Err(problems) = parse(&text) {
                prop_assert!(problems.0.iter().all(|problem| problem.place.is_some()));
                problems.page(false);
            }
        }
    }
}
