//! Card text: sentences for players with live numbers, on every card.

use crate::support::{Copy, Small};
use rulebench::rules::ruleset::{LoadOptions, Ruleset};
use rulebench::rules::workspace::Workspace;
use rulebench::scenario::file::DialValue;
use rulebench::sheet::Sheet;

const BOARD: &str = r#"
    fn board() { #{ factions: ["red", "blue"], hexes: [3, 3] } }
    fn phases() { [#{ phase: "turn", turn: "first", step: "act" }] }
    fn stats() { #{ move: 2, life: 3 } }
    fn dials() { #{ "match.length": 4, mood: one_of("very_good", ["very_good", "bad"]) } }
    fn act(me) { me.move; me.life; }
    fn aim(me, word) { choose(me, word, me.foes); }
    fn ask(me, word) { aim(me, word); }
"#;

fn text(sheet: &Sheet, kind: &str) -> Vec<String> {
    let card = sheet.cards.iter().find(|card| card.name == kind);
    card.expect("a card").text.clone()
}

fn game(card: &str) -> Small {
    Small::new(BOARD).with(
        "units/scouts",
        &format!("fn stats() {{ #{{ jump: 5, secret: 7 }} }}\nfn act(me) {{ ask(me, \"sling\"); me.jump; me.secret; }}\n{card}"),
    )
}

fn sheet(game: &Small, options: &LoadOptions) -> Sheet {
    Sheet::of(&game.load(options).expect("a game"), None)
}

#[test]
fn numbers_on_cards_follow_dials() {
    let small = game(
        "fn card() { `\n  Leap: {move + jump} or {(move + 1) * jump - 9 / 2} of {scouts.life}.\n\n  {match.length}, {match_length}, {mood}.` }",
    );
    let usual = text(&sheet(&small, &LoadOptions::default()), "Scouts");
    assert_eq!(usual, ["Leap: 7 or 11 of 3.", "4, 4, very good."]);
    let turned = LoadOptions {
        dials: [
            ("scouts.jump".to_owned(), DialValue::Number(6)),
            ("match.length".to_owned(), DialValue::Number(9)),
        ]
        .into(),
        ..LoadOptions::default()
    };
    let turned = text(&sheet(&small, &turned), "Scouts");
    assert_eq!(turned, ["Leap: 8 or 14 of 3.", "9, 9, very good."]);
}

#[test]
fn comments_are_on_no_card() {
    let small = game("").replaced(
        "units/tiny/scouts.rhai",
        "fn act",
        "// Scouts: a comment.\n/// Run: another.\nfn act",
    );
    assert_eq!(text(&sheet(&small, &LoadOptions::default()), "Scouts"), [""; 0]);
}

#[test]
fn braces_that_are_no_number_are_errors_at_their_place() {
    for (text, expected) in [
        ("{jimp}", "there is no stat or dial `jimp`"),
        ("{jump + }", "`{jump + }` is not a number"),
        ("{mood + 1}", "`{mood + 1}` is not a number"),
        ("{}", "`{}` is not a number"),
        ("{jump", "this brace is not closed"),
        ("{jump / (move - 2)}", "`{jump / (move - 2)}` has no value"),
        (
            "{99999999999 * 99999999999}",
            "`{99999999999 * 99999999999}` has no value",
        ),
    ] {
        let small = game(&format!("fn card() {{ \"They {text}\" }}"));
        let error = small.error(&[]);
        assert!(
            error.contains(expected) && error.contains("scouts.rhai"),
            "{text}: {error}"
        );
    }
    let error = game("fn card() { 7 }").error(&[]);
    assert!(error.contains("card() must be a text, not a number"), "{error}");
    // The place is that of the name.
    let problems = game("\n\nfn card() { \"They {jimp}\" }")
        .load(&LoadOptions::default())
        .expect_err("a problem");
    let place = problems.0[0].place.as_ref().expect("a place");
    assert_eq!(&place.source.text[place.span.clone()], "jimp");
    assert_eq!(problems.0[0].hint.as_deref(), Some("did you mean `jump`?"));
}

#[test]
fn what_no_card_tells_is_listed() {
    let untold = |card: &str| game(card).load(&LoadOptions::default()).expect("a game").untold();
    // A game without any card text has none to complete.
    assert_eq!(untold(""), [""; 0]);
    let missing = untold("fn card() { \"Life and move. Secret {secret}.\" }");
    assert_eq!(
        missing,
        [
            "no card text explains the stat `jump`",
            "no card text names `sling`, which units/tiny/scouts.rhai asks about"
        ]
    );
    let all = "fn card() { \"Sling: a unit with {life} life and {move} moves goes {jump}. Its secret.\" }";
    assert_eq!(untold(all), [""; 0]);
}

#[test]
fn a_stat_that_is_not_for_players_is_on_no_card() {
    let text = "fn stats() { #{ jump: 5, secret: 7, unprinted: [\"secret\"] } }\n\
                fn act(me) { me.jump; me.secret; }\nfn card() { \"Life, move, jump.\" }";
    let small = Small::new(BOARD).with("units/scouts", text);
    let ruleset = small.load(&LoadOptions::default()).expect("a game");
    assert_eq!(ruleset.untold(), [""; 0]);
    let sheet = Sheet::of(&ruleset, None);
    assert!(
        !sheet.cards[0].own.iter().any(|(name, _)| name == "secret"),
        "{sheet:?}"
    );
    let wrong = Small::new(BOARD).with("units/scouts", &text.replace("[\"secret\"]", "[\"secrets\"]"));
    assert!(
        wrong.error(&[]).contains("there is no stat `secrets`"),
        "{}",
        wrong.error(&[])
    );
}

#[test]
fn a_variant_changes_the_text() {
    let copy = Copy::of_rules();
    let workspace = Workspace::at(copy.path(""));
    let shrine = |variants: &[&str]| {
        let options = LoadOptions {
            variants: variants.iter().map(|name| (*name).to_owned()).collect(),
            ..LoadOptions::default()
        };
        let sheet = Sheet::of(
            &Ruleset::load(&workspace, "the-wager", &options).expect("a game"),
            None,
        );
        let shrine = sheet
            .terrains
            .into_iter()
            .find(|terrain| terrain.name == "Shrine");
        shrine.expect("a shrine").text
    };
    let both = shrine(&["shrines-give-dice", "shrines-raise-attacks"]);
    assert_eq!(both[..2], shrine(&[]));
    assert!(both.iter().any(|text| text.starts_with("Dice: ")), "{both:?}");
    assert!(both.iter().any(|text| text.starts_with("Attacks: ")), "{both:?}");
}

#[test]
fn paragraphs_named_after_a_phase_stand_with_it() {
    let copy = Copy::of_rules();
    let workspace = Workspace::at(copy.path(""));
    let sheet = Sheet::of(
        &Ruleset::load(&workspace, "smalltricks", &LoadOptions::default()).expect("a game"),
        None,
    );
    let storm = sheet
        .phases
        .iter()
        .find(|phase| phase.name == "castle damage")
        .expect("a phase");
    assert!(storm.text.contains("does 1 damage"), "{}", storm.text);
    assert!(!sheet.text.iter().any(|text| text.starts_with("Castle damage")));
}

#[test]
fn a_rulebook_holds_the_pictures_that_it_names() {
    let copy = Copy::of_all();
    let ran = copy.run(&[
        "rulebook",
        "smalltricks",
        "-o",
        "print",
        "--set",
        "mounted.charge=4",
    ]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    let read =
        |file: &str| std::fs::read_to_string(copy.path(&format!("print/{file}"))).expect("it was written");
    let (page, text) = (read("smalltricks-rulebook.html"), read("smalltricks-rulebook.md"));
    assert_eq!(page.matches("<figure>").count(), 3);
    assert_eq!(text.matches("](smalltricks-rulebook-").count(), 3);
    assert!(read("smalltricks-rulebook-1.svg").contains("<svg"));
    for told in [
        "for 4 damage",
        "A charge that meets Spears hurts the rider",
        "Castle damage",
        "best of 3",
    ] {
        assert!(page.contains(told) && text.contains(told), "{told}");
    }
    // Names that only scripts use.
    assert!(!page.contains("rolled_per_match") && !page.contains("castle_damage"));
    copy.replace(
        "scripts/smalltricks/rulebook.toml",
        "\"charge-into-spears\"",
        "\"charge-into-spear\"",
    );
    for command in [&["rulebook", "smalltricks"][..], &["check"]] {
        let ran = copy.run(command);
        let page = ran.page();
        assert!(
            ran.status != 0 && page.contains("there is no scenario `charge-into-spear`"),
            "{page}"
        );
        assert!(page.contains("did you mean `charge-into-spears`?"), "{page}");
    }
}
