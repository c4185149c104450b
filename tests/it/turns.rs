//! Turns of factions, as games declare them: who acts, who is next, what ends a turn, who may interrupt.

use crate::support::{Small, play_greedily, record, root, start};
use proptest::prelude::*;
use rulebench::agents::Agent;
use rulebench::kernel::ids::{FactionId, Thing};
use rulebench::kernel::table::{Answerer, Position, Question, Reply};
use rulebench::kernel::world::World;
use rulebench::play::{Play, Progress};
use rulebench::rules::ruleset::{LoadOptions, Ruleset};
use rulebench::rules::workspace::Workspace;
use rulebench::transcript::{Line, Stored, lines_of};

/// Three powers with two units each on one board; an activation is told by its mark.
const GAME: &str = r##"
fn board() { #{ factions: ["red", "blue", "green"], hexes: [5, 5], stack: 9, conflicts: "second" } }
fn stats() { #{ life: 2, speed: 1 } }
fn slots() { #{
    unit: #{ life: #{ start: 0, at_zero: "death" }, mark: 0, cards: #{ start: 2, quiet: true } },
    faction: #{ luck: 0, points: #{ start: 3, lasts: "day" } },
} }
fn phases() { [
    #{ phase: "opening", each: "game", step: "open" },
    #{ phase: "year", contest: "harvest", phases: [
        #{ phase: "day", repeat: true, phases: [
            #{ phase: "acts", turn: "each", step: "act" },
            #{ phase: "evening", each: "game", step: "sleep" },
        ] },
    ] },
] }
fn open() {
    for side in factions() {
        enlist(side, unit_type("slow"));
        enlist(side, unit_type("fast"));
        for unit in side.units { put(unit, place(if unit.speed == 1 { "a1" } else { "e5" })); }
        add(side, "luck", if side.name == "blue" { 2 } else { 1 }, "luck");
    }
}
fn act(me) { add(me, "mark", 1, "act"); }
fn watch(side, mover) {}
fn sleep() { if count("day") > 1 { draw("it is late"); } }
fn death(me) { remove(me); }
"##;

/// The game with a phase of acts that says this too, and with these functions in place of its own.
fn game(says: &str, functions: &str) -> Small {
    let declared = "turn: \"each\", step: \"act\"";
    let mut text = GAME.replace(declared, &says.replace("STEP", "step: \"act\""));
    for function in functions.split("fn ").skip(1) {
        let head = function.split('(').next().unwrap_or_default();
        let old = text
            .lines()
            .find(|l| l.starts_with(&format!("fn {head}(")))
            .map(str::to_owned);
        if let Some(old) = old {
            text = text.replace(&format!("{old}\n"), "");
        }
    }
    Small::new(&format!("{text}\n{functions}"))
        .with("units/slow", "fn stats() { #{ symbol: \"S\" } }")
        .with("units/fast", "fn stats() { #{ symbol: \"F\", speed: 2 } }")
}

fn lines(play: &Play) -> Vec<Line> {
    let table = play.table();
    lines_of(&table.rules, &table.words, &table.events)
}

/// Plays a game that a random agent answers, as far as its rules let it, and again from its own record; from
/// each of its positions too. What it came to.
fn played(game: &Small, seed: u64) -> (String, Progress) {
    plays_again(&|| game.play(&[]), seed)
}

fn plays_again(start: &dyn Fn() -> Play, seed: u64) -> (String, Progress) {
    let mut play = start();
    play.keep_trail();
    play.set_source(Agent::Random.source(seed).expect("it answers at once"));
    let end = play.run_on();
    let told = record(&play);
    let mut again = start();
    let stored = Stored::new(&lines(&play));
    let unused = stored.unused();
    again.set_source(Box::new(stored));
    assert_eq!(again.run_on(), end);
    assert_eq!(record(&again), told);
    assert_eq!(unused.list(), Vec::<String>::new(), "{told}");
    // Nobody answers: every question waits, is answered from the record, and its step runs again.
    let mut asked = start();
    let mut stored: Box<dyn Answerer> = Box::new(Stored::new(&lines(&play)));
    let mut answers = 0;
    let came = loop {
        match asked.run_on() {
            Progress::Asks => {
                let reply = asked.with_question(|a| stored.answer(a));
                let Some(Reply::Take(index)) = reply else {
                    panic!("{reply:?}\n{told}")
                };
                assert!(asked.answer(index));
                answers += 1;
            }
            other => break other,
        }
    };
    assert_eq!((&came, record(&asked)), (&end, told.clone()), "{answers} answers");
    // The rest from some of its positions is the same rest.
    let trail = play.trail().to_vec();
    for checkpoint in trail.iter().step_by(trail.len() / 8 + 1) {
        again.set_source(Box::new(Stored::new(&lines(&play))));
        again.go_to(checkpoint);
        assert_eq!(again.run_on(), end);
        assert_eq!(record(&again), told);
    }
    (told, end)
}

/// Returns the order in which units act on the first day of a game, each as the first letters of faction and type.
fn order(told: &str) -> String {
    let day = told.split("= day 2\n").next().unwrap_or_default();
    let acts = day.lines().filter_map(|line| {
        let (side, unit) = line.split_once(" activates ")?;
        let kind = unit.split_once('.')?.1;
        Some(format!("{}{}", &side[..1], &kind[..1]))
    });
    acts.collect::<Vec<_>>().join(" ")
}

/// Only the factions of that.
fn sides(told: &str) -> String {
    order(told).split(' ').map(|act| &act[..1]).collect()
}

fn over(says: &str, functions: &str, seed: u64) -> String {
    let (told, end) = played(&game(says, functions), seed);
    assert_eq!(end, Progress::Over, "{told}");
    told
}

#[test]
fn all_take_turns_a_unit_each_or_as_many_as_the_quota_says() {
    assert_eq!(sides(&over("turn: \"each\", STEP", "", 1)), "rbgrbg");
    assert_eq!(sides(&over("turn: \"each\", quota: 2, STEP", "", 1)), "rrbbgg");
    assert_eq!(
        sides(&over("turn: \"each\", quota: \"all\", STEP", "", 1)),
        "rrbbgg"
    );
    // One faction's turn may have a quota too.
    assert_eq!(sides(&over("turn: \"second\", quota: 1, STEP", "", 1)), "b");
    // Whoever has fewer units is skipped when they are done.
    let fewer = "fn act(me) { if me.owner == second() { for unit in first().units - me.owner.units { \
                 if unit.mark == 0 { remove(unit); } } } add(me, \"mark\", 1, \"act\"); }";
    assert_eq!(sides(&over("turn: \"each\", STEP", fewer, 1)), "rbgbg");
}

#[test]
fn initiative_is_a_number_of_units_or_of_factions() {
    let units = over("turn: \"each\", initiative: \"speed\", STEP", "", 3);
    assert_eq!(order(&units), "rf bf gf rs bs gs");
    let sides_first = "turn: \"each\", quota: \"all\", initiative: \"luck\", STEP";
    assert_eq!(sides(&over(sides_first, "", 3)), "bbrrgg");
    let rounds = "turn: \"each\", initiative: \"luck\", STEP";
    assert_eq!(sides(&over(rounds, "", 3)), "brgbrg");
    // Equals are asked about, or drawn.
    let asked = over(
        "turn: \"each\", initiative: \"luck\", next: \"asked\", STEP",
        "",
        3,
    );
    assert!(asked.contains("acts, turn 1\nblue chose next: "), "{asked}");
    assert!(order(&asked).starts_with('b'), "{asked}");
    let drawn = over(
        "turn: \"each\", initiative: \"speed\", next: \"drawn\", STEP",
        "",
        3,
    );
    assert!(drawn.contains("acts, turn 1\ngame rolled card: "), "{drawn}");
    assert_eq!(order(&drawn).matches('f').count(), 3);
    assert!(order(&drawn)[..8].matches('f').count() == 3, "{drawn}");
}

#[test]
fn points_are_spent_in_any_order() {
    let told = over("turn: \"each\", quota: \"all\", points: \"points\", STEP", "", 5);
    assert_eq!(sides(&told), "rrrbbbggg");
    assert!(told.contains("red  points 3->2  (by activates)"), "{told}");
    assert_eq!(
        sides(&over("turn: \"each\", points: \"points\", STEP", "", 5)),
        "rbgrbgrbg"
    );
    // A unit has its own, and a dear activation needs enough of them.
    let own = over("turn: \"first\", points: \"cards\", cost: \"speed\", STEP", "", 5);
    let mut acts: Vec<&str> = Vec::new();
    let told = order(&own);
    acts.extend(told.split(' '));
    acts.sort_unstable();
    assert_eq!(acts, ["rf", "rs", "rs"], "{own}");
    // The same unit's activations have dice of their own.
    let dice = "fn act(me) { add(me, \"mark\", roll(me, \"luck\", 3, 6).total, \"act\"); }";
    let rolled = over("turn: \"first\", points: \"points\", STEP", dice, 5);
    let rolls: Vec<&str> = rolled.lines().filter(|l| l.contains("rolled luck")).collect();
    assert!(
        rolls.len() == 6 && (rolls[0] != rolls[1] || rolls[1] != rolls[2]),
        "{rolled}"
    );
}

/// Steps are counted by the names that records have.
#[test]
fn who_has_another_name_since_the_last_activation_is_found_again() {
    let act = "fn act(me) { roll(me, \"luck\", 1, 6); \
               if choose(me, \"what\", [\"change\", \"wait\"]) == \"change\" \
               { change_type(me, unit_type(if me.speed == 1 { \"fast\" } else { \"slow\" })); } }";
    for seed in 0..10 {
        let told = over("turn: \"each\", points: \"points\", STEP", act, seed);
        assert!(told.contains(" becomes "), "{told}");
    }
}

/// The effects of taking points or a card follow at once, in a step with its own name.
#[test]
fn slots_hear_when_an_activation_or_a_card_takes_from_them() {
    let with = |slots: [(&str, &str); 2], says: &str, functions: &str| {
        let mut game = game(says, functions);
        for (old, new) in slots {
            game = game.replaced("scripts/tiny/game.rhai", old, new);
        }
        let (told, end) = played(&game, 4);
        assert_eq!(end, Progress::Over, "{told}");
        told
    };
    let same = ("", "");
    // The last point of a faction tires the unit that it is spent for, which acts no more.
    let points = ("lasts: \"day\" }", "lasts: \"day\", at_zero: \"spent\" }");
    let spent = "fn spent(side) { for unit in side.units { remove(unit); } }";
    let says = "turn: \"each\", quota: \"all\", points: \"points\", STEP";
    let told = with([points, same], says, spent);
    let removed = "red  points 1->0  (by activates)\nred.slow1  removed from a1";
    let last = told.lines().skip_while(|l| !l.contains("red  points 1->0"));
    let last: Vec<&str> = last.take(4).map(str::trim).collect();
    assert_eq!(last[..2].join("\n"), removed, "{told}");
    assert!(last[3].starts_with("blue activates"), "{told}");
    // A card too; and of what is asked and rolled the record is found again.
    let cards = ("quiet: true }", "at_zero: \"empty\" }");
    let empty = "fn empty(me) { if choose(me.owner, \"shuffle\", [\"yes\", \"no\"]) == \"yes\" \
                 { add(me, \"mark\", roll(me, \"luck\", 1, 6).total, \"empty\"); } }";
    let drawn = "turn: \"each\", next: \"drawn unit\", points: \"cards\", STEP";
    let told = with([cards, same], drawn, empty);
    assert_eq!(told.matches("chose shuffle: ").count(), 6, "{told}");
    let own = "turn: \"each\", points: \"cards\", STEP";
    let told = with([cards, same], own, empty);
    let asked = told.lines().position(|l| l.contains("chose shuffle"));
    let asked = asked.expect("it is asked");
    let before: Vec<&str> = told.lines().skip(asked - 2).take(2).collect();
    assert!(
        before[0].contains(" activates ") && before[1].contains("cards 1->0"),
        "{told}"
    );
    // Whoever is asked how much of it counts is asked here as well.
    let dear = ("lasts: \"day\" }", "lasts: \"day\", falls: \"thrift\" }");
    let thrift = "fn thrift(side, n) { if side == first() { 3 } else { n } }";
    let told = with([dear, same], "turn: \"each\", points: \"points\", STEP", thrift);
    assert_eq!(sides(&told), "rbgbgbg", "{told}");
}

#[test]
fn who_passes_ends_a_turn_a_part_or_the_phase() {
    let answers = |says: &str, keys: &[&str]| {
        let mut play = game(says, "").play(&[]);
        for key in keys {
            assert_eq!(play.run_on(), Progress::Asks, "{}", record(&play));
            let offered = play.with_question(|a| a.keys()).unwrap_or_default();
            let index = offered.iter().position(|k| k == key);
            assert!(play.answer(index.unwrap_or_else(|| panic!("{key}: {offered:?}"))));
        }
        assert_eq!(play.run_on(), Progress::Asks);
        record(&play)
    };
    // All pass one after the other: the next day begins.
    let told = answers(
        "turn: \"each\", pass: \"turn\", STEP",
        &["red.slow1", "pass", "pass", "pass"],
    );
    assert!(told.contains("blue passes\ngreen passes\nred passes\n"), "{told}");
    assert!(told.contains("day 2"), "{told}");
    let told = answers(
        "turn: \"each\", pass: \"turn\", STEP",
        &["pass", "pass", "green.slow1", "red.slow1"],
    );
    assert!(!told.contains("day 2"), "{told}");
    // A part: the others go on without.
    let told = answers(
        "turn: \"each\", pass: \"phase\", STEP",
        &["pass", "pass", "green.slow1", "green.fast1"],
    );
    assert!(told.contains("day 2"), "{told}");
    let told = answers("turn: \"each\", pass: \"all\", STEP", &["red.slow1", "pass"]);
    assert!(told.contains("day 2"), "{told}");
    // After the least of a quota the turn may end; that is no pass in a row.
    let told = answers(
        "turn: \"each\", quota: [1, 2], STEP",
        &["red.slow1", "pass", "blue.fast1"],
    );
    assert!(told.contains("red passes\nblue activates blue.fast1"), "{told}");
}

#[test]
fn cards_are_drawn_without_putting_them_back_until_the_deck_is_told_to() {
    // Each faction has as many cards as points; they come back with the day.
    let told = over("turn: \"each\", next: \"drawn\", points: \"points\", STEP", "", 7);
    for side in ["r", "b", "g"] {
        assert_eq!(sides(&told).matches(side).count(), 3, "{told}");
    }
    assert!(
        told.contains("points 3->2") && told.matches("points 1->0").count() == 6,
        "{told}"
    );
    // Each unit has two cards, and they stay drawn.
    let told = over(
        "turn: \"each\", next: \"drawn unit\", points: \"cards\", STEP",
        "",
        7,
    );
    assert_eq!(order(&told).split(' ').count(), 12, "{told}");
    assert!(
        !told
            .split("= day 2\n")
            .nth(1)
            .unwrap_or_default()
            .contains("activates"),
        "{told}"
    );
    // Without points each unit has one.
    let told = over("turn: \"each\", next: \"drawn unit\", STEP", "", 7);
    assert_eq!(order(&told).split(' ').count(), 6, "{told}");
}

/// A unit moves; others may strike the mover, or step away themselves.
const WATCH: &str = "fn act(me) { put(me, place(choose(me.owner, \"to\", [\"b2\", \"c3\"]))); add(me, \"mark\", 1, \"act\"); }\n\
    fn watch(side, mover) { if choose(side, \"watch\", [\"strike\", \"hold\"]) == \"strike\" { add(mover, \"life\", -1, \"watch\"); } }";

#[test]
fn others_interrupt_after_a_move_as_steps_of_their_own() {
    let says = "turn: \"each\", interrupts: \"watch\", STEP";
    for seed in 0..4 {
        let told = over(says, WATCH, seed);
        assert!(told.contains("watch: blue after red."), "{told}");
        assert!(told.contains("watch: red after green."), "{told}");
    }
    // One that moves sets off another, which comes first; here it ends where nobody is left to react.
    let flee = "fn act(me) { put(me, place(\"b2\")); }\n\
        fn watch(side, mover) { let own = side.units.first; \
        if own.place != place(\"c3\") && choose(side, \"flee\", [\"yes\", \"no\"]) == \"yes\" { put(own, place(\"c3\")); } }";
    let told = over(says, flee, 2);
    assert!(told.contains("watch: "), "{told}");
    // After a change of a slot.
    let hurt = "fn act(me) { add(me, \"mark\", 1, \"act\"); }\nfn watch(side, mover) { add(side, \"luck\", 1, \"watch\"); }";
    let told = over("turn: \"each\", interrupts: #{ mark: \"watch\" }, STEP", hurt, 2);
    assert_eq!(told.matches("watch: ").count(), 2 * 12, "{told}");
}

#[test]
fn interruptions_without_an_end_are_stopped_and_told() {
    let endless = "fn act(me) { put(me, place(\"b2\")); }\n\
        fn watch(side, mover) { let own = side.units.first; \
        put(own, place(if own.place == place(\"c3\") { \"d4\" } else { \"c3\" })); }";
    let game = game("turn: \"each\", interrupts: \"watch\", STEP", endless);
    let mut play = game.play(&[]);
    play.set_source(Agent::Random.source(1).expect("it answers at once"));
    let Progress::Failed(problem) = play.run_on() else {
        panic!("{}", record(&play))
    };
    let page = problem.message.clone();
    assert!(
        page.contains("interruptions of `acts` cause each other without end: watch: "),
        "{page}"
    );
    assert!(
        page.contains("watch: green after blue.") || page.contains("watch: red after "),
        "{page}"
    );
}

#[test]
fn points_that_come_back_each_time_are_stopped_and_told() {
    let back = "fn act(me) { add(me.owner, \"points\", 1, \"back\"); }";
    let game = game("turn: \"first\", points: \"points\", STEP", back);
    let mut play = game.play(&[]);
    play.set_source(Agent::Random.source(1).expect("it answers at once"));
    let Progress::Failed(problem) = play.run_on() else {
        panic!("{}", record(&play))
    };
    let why = "the phase `acts` has no end: one unit has been activated 1000 times, the most there can be";
    assert_eq!(problem.message, why);
}

#[test]
fn turns_are_undone_and_their_rules_changed_under_way() {
    let says = "turn: \"each\", points: \"points\", pass: \"turn\", interrupts: \"watch\", STEP";
    let text = game(says, WATCH);
    let mut play = text.play(&[]);
    play.keep_trail();
    let mut positions = Vec::new();
    for _ in 0..12 {
        assert_eq!(play.run_on(), Progress::Asks);
        positions.push((record(&play), play.position(), play.with_question(|a| a.keys())));
        assert!(play.answer(0));
    }
    for (told, position, keys) in positions.into_iter().rev() {
        assert_eq!(play.undo(1).0, 1);
        assert_eq!(play.run_on(), Progress::Asks);
        assert_eq!((record(&play), play.with_question(|a| a.keys())), (told, keys));
        assert_eq!(play.position(), position);
    }
    // In the middle of an interruption the rules change and the step stays.
    while play.with_question(|a| a.label() == "watch") != Some(true) {
        assert!(play.answer(0));
        assert_eq!(play.run_on(), Progress::Asks);
    }
    let before = play.position();
    let changed = text.replaced(
        "scripts/tiny/game.rhai",
        "[\"strike\", \"hold\"]",
        "[\"strike\", \"wait\"]",
    );
    let ruleset = changed
        .load(&Default::default())
        .unwrap_or_else(|page| panic!("{page}"));
    play.change_rules(ruleset, "trial").expect("it is carried over");
    assert_eq!(play.run_on(), Progress::Asks);
    assert_eq!(play.position().step, before.step);
    assert_eq!(
        play.with_question(|a| a.keys()),
        Some(vec!["strike".to_owned(), "wait".to_owned()])
    );
}

/// The open pick of a unit follows a change of rules: whose turn it is, whose card was drawn, who may pass.
#[test]
fn the_pick_that_is_open_follows_a_change_of_rules() {
    let asks = |says: &str, functions: &str, then: &str, answers: usize| {
        let fast = "enlist(side, unit_type(\"fast\"));";
        let text = game(says, functions).replaced("scripts/tiny/game.rhai", fast, &fast.repeat(3));
        let mut play = text.play(&[]);
        for _ in 0..answers {
            assert_eq!(play.run_on(), Progress::Asks);
            assert!(play.answer(0));
        }
        assert_eq!(play.run_on(), Progress::Asks);
        let before = play.with_question(|a| a.keys()).unwrap_or_default();
        let said = says.replace("STEP", "step: \"act\"");
        let changed = text.replaced(
            "scripts/tiny/game.rhai",
            &said,
            &then.replace("STEP", "step: \"act\""),
        );
        let ruleset = changed
            .load(&Default::default())
            .unwrap_or_else(|page| panic!("{page}"));
        play.change_rules(ruleset, "trial").expect("it is carried over");
        assert_eq!(play.run_on(), Progress::Asks);
        (before, play.with_question(|a| a.keys()).unwrap_or_default())
    };
    // A unit that was given away in the turn is another's.
    let gives = "fn act(me) { change_owner(me.owner.units.filter(|u| u.mark == 0 && u != me).first, second()); \
                 add(me, \"mark\", 1, \"act\"); }";
    let plain = "turn: \"first\", STEP";
    let (before, after) = asks(plain, gives, "turn: \"first\", simultaneous: false, STEP", 1);
    assert_eq!((before.len(), &after), (2, &before));
    let drawn = "turn: \"each\", next: \"drawn unit\", pass: \"turn\", STEP";
    let (before, after) = asks(
        drawn,
        "",
        "turn: \"each\", next: \"drawn unit\", pass: \"all\", STEP",
        0,
    );
    assert_eq!((before.len(), &after), (2, &before));
    let (before, after) = asks(
        "turn: \"each\", pass: \"turn\", STEP",
        "",
        "turn: \"each\", STEP",
        0,
    );
    assert_eq!((before.len(), &after[..]), (5, &before[..4]));
}

/// Passes whenever it can.
struct Passes;

impl Answerer for Passes {
    fn answer(&mut self, asked: &Question<'_>) -> Reply {
        Reply::Take(asked.request.options.len() - 1)
    }
}

/// A faction whose card is drawn again and again does not pass for the others.
#[test]
fn all_must_pass_before_a_phase_is_over() {
    for seed in 0..8 {
        let game = game("turn: \"each\", next: \"drawn\", pass: \"turn\", STEP", "");
        let ruleset = game
            .load(&LoadOptions::default())
            .unwrap_or_else(|page| panic!("{page}"));
        let start = Position::start(World::new(&ruleset.rules), false, seed, 0);
        let mut play = Play::new(ruleset, &start);
        play.set_source(Box::new(Passes));
        assert_eq!(play.run_on(), Progress::Over);
        let told = record(&play);
        let day = told.split("= day 2\n").next().unwrap_or_default();
        for side in ["red", "blue", "green"] {
            assert!(day.contains(&format!("{side} passes")), "{told}");
        }
    }
}

/// A unit that joins a faction during that faction's turn acts for it only in the next one.
#[test]
fn whoever_changes_sides_waits_for_another_turn() {
    let charm = "fn act(me) { add(me, \"mark\", 1, \"act\"); \
        if me.owner == first() { for foe in second().units { if foe.mark == 0 { change_owner(foe, first()); } } } }";
    let told = over("turn: \"each\", quota: 3, STEP", charm, 2);
    assert_eq!(order(&told).matches('r').count(), 4, "{told}");
    assert_eq!(sides(&told), "rrggrr", "{told}");
}

/// A change by hand leaves whoever has the turn without points: that is no pass.
#[test]
fn whose_points_are_taken_by_hand_has_not_passed() {
    let mut play = game("turn: \"each\", points: \"points\", pass: \"turn\", STEP", "").play(&[]);
    assert_eq!(play.run_on(), Progress::Asks);
    let mut changed = play.before_step().expect("there is a step");
    let points = play
        .ruleset()
        .rules
        .slots
        .faction
        .iter()
        .position(|s| s.name == "points")
        .expect("declared");
    for side in ["red", "green"] {
        let faction = play.ruleset().rules.faction(side).expect("it plays");
        changed.world.set_slot(Thing::Faction(faction), points, 0);
    }
    play.go_on_from(&changed, vec!["by hand".to_owned()]);
    assert_eq!(play.run_on(), Progress::Asks);
    assert_eq!(
        play.with_question(|a| a.keys()),
        Some(["blue.slow1", "blue.fast1", "pass"].map(str::to_owned).to_vec())
    );
}

#[test]
fn what_cannot_be_declared_of_turns_is_told() {
    let mut pages = String::new();
    for says in [
        "turn: \"every\", STEP",
        "turn: \"each\", quota: 0, STEP",
        "turn: \"each\", quota: [3, 2], STEP",
        "turn: \"each\", next: \"random\", STEP",
        "turn: \"first\", next: \"drawn\", STEP",
        "turn: \"each\", initiative: \"sped\", STEP",
        "turn: \"each\", points: \"speed\", STEP",
        "turn: \"each\", points: \"pionts\", STEP",
        "turn: \"each\", cost: \"speed\", STEP",
        "turn: \"each\", pass: \"yes\", STEP",
        "turn: \"each\", points: \"points\", simultaneous: true, STEP",
        "turn: \"each\", interrupts: \"wach\", STEP",
        "turn: \"each\", interrupts: \"sleep\", STEP",
        "turn: \"each\", interrupts: #{ cards: \"watch\" }, STEP",
        "turn: \"each\", interrupts: #{ moved: 3 }, STEP",
        "turn: \"each\", interrupts: #{ life_: \"watch\" }, STEP",
        "turn: \"each\", interrupts: \"watch\", hidden: true, STEP",
    ] {
        pages += &format!("{says}\n  {}\n", game(says, "").problems(&[]).join("\n  "));
    }
    insta::assert_snapshot!(pages);
    // More cards than a draw can tell apart.
    let many = game("turn: \"each\", next: \"drawn\", points: \"points\", STEP", "");
    let many = many.replaced(
        "scripts/tiny/game.rhai",
        "points: #{ start: 3,",
        "points: #{ start: 3000,",
    );
    let mut play = many.play(&[]);
    let Progress::Failed(problem) = play.run_on() else {
        panic!("{}", record(&play))
    };
    assert_eq!(
        problem.message,
        "a card is drawn from at most 1000, and there are 9000"
    );
}

#[test]
fn the_examples_end_and_play_again() {
    for game in ["three-powers", "decks"] {
        let workspace = Workspace::at(root().join("examples").join(game));
        let start = || {
            start(Ruleset::load(&workspace, game, &LoadOptions::default()).unwrap_or_else(|p| panic!("{p}")))
        };
        for seed in 0..6 {
            let (told, end) = plays_again(&start, seed);
            assert_eq!(end, Progress::Over, "{told}");
        }
    }
}

/// In its corner the captain can do nothing: orders go to who comes nearer to the hill.
#[test]
fn the_greedy_agent_gives_orders_to_whom_they_are_worth_most() {
    let workspace = Workspace::at(root().join("examples/three-powers"));
    let load = || {
        Ruleset::load(&workspace, "three-powers", &LoadOptions::default()).unwrap_or_else(|p| panic!("{p}"))
    };
    let mut won = 0;
    for seed in 0..4 {
        let mut play = start(load());
        play_greedily(&mut play, FactionId(0), seed);
        let told = record(&play);
        let first = told
            .lines()
            .find(|l| l.starts_with("red activates"))
            .unwrap_or_default();
        assert!(first.contains("red.spears"), "{first}");
        won += usize::from(told.contains("red  wins the war"));
    }
    assert_eq!(won, 4);
}

fn declared() -> impl Strategy<Value = String> {
    let turn = prop::sample::select(vec!["\"each\"", "\"each\"", "\"each\"", "\"first\"", "\"third\""]);
    let quota = prop::sample::select(vec![
        "",
        "quota: 2, ",
        "quota: [0, 2], ",
        "quota: [1, 3], ",
        "quota: \"all\", ",
    ]);
    let next = prop::sample::select(vec![
        "",
        "next: \"asked\", ",
        "next: \"drawn\", ",
        "next: \"drawn unit\", ",
    ]);
    let initiative = prop::sample::select(vec![
        "",
        "initiative: \"speed\", ",
        "initiative: \"luck\", ",
        "initiative: \"mark\", ",
    ]);
    let points = prop::sample::select(vec![
        "",
        "points: \"points\", ",
        "points: \"cards\", ",
        "points: \"points\", cost: \"speed\", ",
    ]);
    let pass = prop::sample::select(vec![
        "",
        "pass: \"turn\", ",
        "pass: \"phase\", ",
        "pass: \"all\", ",
    ]);
    let interrupts = prop::sample::select(vec![
        "",
        "interrupts: \"watch\", ",
        "interrupts: #{ moved: \"watch\", life: \"watch\" }, ",
    ]);
    let flag = prop::sample::select(vec!["", "", "hidden: true, ", "simultaneous: true, "]);
    (turn, quota, next, initiative, points, pass, interrupts, flag).prop_map(
        |(turn, quota, next, initiative, points, pass, interrupts, flag)| {
            // Who is next is said where that is everybody's turn.
            let (next, initiative) = if turn == "\"each\"" {
                (next, initiative)
            } else {
                ("", "")
            };
            // A card is one of the points.
            let points = match next.contains("drawn") {
                true => points.replace("cost: \"speed\", ", ""),
                false => points.to_owned(),
            };
            // What is done in secret or at once is interrupted by nobody, and what happens at once is not paid for.
            let open = interrupts.is_empty();
            let free = points.is_empty() && !next.contains("drawn");
            let flag = if open && (free || !flag.starts_with("sim")) {
                flag
            } else {
                ""
            };
            format!("turn: {turn}, {quota}{next}{initiative}{points}{pass}{interrupts}{flag}STEP")
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, max_shrink_iters: 0, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is declared: a game ends or is stopped with a sentence, plays again from its own record, asked or
    /// answering at once, and from each position on.
    #[test]
    fn turns_of_every_kind_end_and_play_again(says in declared(), seed in 0u64..1_000_000) {
        let (told, end) = played(&game(&says, WATCH), seed);
        prop_assert!(matches!(end, Progress::Over | Progress::Failed(_)), "{says}: {end:?}\n{told}");
    }
}

/// A volley: each of red's shoots blue's first, one of them by `hit` and the others by this.
fn volley(other: &str) -> Small {
    let game = r#"
fn board() { #{ factions: ["red", "blue"], squares: [4, 1] } }
fn slots() { #{ unit: #{ life: #{ start: 9, at_zero: "dies" }, mark: 0 }, game: #{ shots: 0 } } }
fn phases() { [
    #{ phase: "line-up", each: "game", step: "line_up" },
    #{ phase: "volley", each: "unit", step: "shoot", simultaneous: true },
] }
fn line_up() {
    for at in ["a1", "b1", "d1"] { enlist(first(), unit_type("men")); put(first().units.last, place(at)); }
    enlist(second(), unit_type("men"));
    put(second().units.last, place("c1"));
}
fn shoot(me) {
    if me.owner != first() { return; }
    let foe = second().units.first;
    if me == first().units.first { hit(foe, 4, "bow"); } else { OTHER }
}
fn dies(me) { remove(me); }
"#;
    Small::new(&game.replace("OTHER", other)).with("units/men", "fn stats() { #{} }\n")
}

/// All read the slot as it was before, and each counts.
#[test]
fn what_is_taken_and_added_at_the_same_time_adds_up() {
    let mut play = volley("foe.life -= 1; let g = game(); g.shots += 2; g.shots += 1;").play(&[]);
    assert_eq!(play.run_on(), Progress::Over);
    let told: Vec<String> = lines(&play)
        .iter()
        .map(Line::text)
        .filter(|l| l.contains("->"))
        .collect();
    let of = |what: &str| -> Vec<&str> {
        let about = |l: &&String| l.contains(what);
        told.iter().filter(about).map(|l| l.trim()).collect()
    };
    assert_eq!(
        of("life"),
        [
            "blue.men1  life 9->5  (by bow, red.men1)",
            "blue.men1  life 5->4",
            "blue.men1  life 4->3"
        ]
    );
    assert_eq!(of("shots").last(), Some(&"game  shots 5->6"), "{told:?}");
}

#[test]
fn a_slot_that_two_steps_set_differently_at_the_same_time_is_refused() {
    let mut play = volley("foe.mark = if me == first().units.last { 1 } else { 2 };").play(&[]);
    match play.run_on() {
        Progress::Failed(problem) => {
            let page = problem
                .page(false)
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ");
            assert!(
                page.contains(
                    "`mark` of blue.men1 is set by one step (of red.men2) and set otherwise or added to"
                ),
                "{page}"
            );
        }
        other => panic!("{other:?}"),
    }
    // One that sets and one that adds hang on the order as well.
    let mut play = volley("if me == first().units.last { foe.mark = 2; } else { foe.mark += 1; }").play(&[]);
    assert!(matches!(play.run_on(), Progress::Failed(_)));
    // The same value in the end is no question, and neither is what one step sets again.
    let mut play = volley("foe.mark = 1; foe.mark = 3; me.mark = 1; me.mark = 2;").play(&[]);
    assert_eq!(play.run_on(), Progress::Over);
    let told = lines(&play).iter().map(Line::text).collect::<Vec<_>>().join("\n");
    assert!(
        told.contains("blue.men1  mark 1->3") && told.contains("red.men2  mark 1->2"),
        "{told}"
    );
    // Nor can two say who goes first; what each says last counts.
    let mut play = volley(
        "goes_first(me.owner); goes_first(if me == first().units.last { second() } else { first() });",
    )
    .play(&[]);
    assert!(
        matches!(play.run_on(), Progress::Failed(problem) if problem.message.starts_with("who goes first is said"))
    );
    let mut play = volley("goes_first(me.owner); goes_first(second());").play(&[]);
    assert_eq!(play.run_on(), Progress::Over);
}
