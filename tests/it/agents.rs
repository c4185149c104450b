//! Agents that search play well enough to be worth playing against, and fair.

use crate::support::{Small, brief, play_greedily, root, short_game};
use rulebench::agents::{Agent, Mind};
use rulebench::kernel::event::Event;
use rulebench::kernel::ids::FactionId;
use rulebench::play::{Play, Progress};
use rulebench::report::Source;
use rulebench::rules::workspace::Workspace;
use rulebench::stage::run::{self, Overrides};

/// Plays a whole game in which one faction is greedy and the other answers at random, and returns the winner; `None`
/// for a draw. `SHOW=1` prints how each game ended.
fn winner(game: &str, seed: u64, side: FactionId) -> Option<FactionId> {
    let workspace = Workspace::at(root());
    let laid = run::lay(&workspace, &short_game(game, seed, 12), &Overrides::default());
    let mut play = laid.unwrap_or_else(|p| panic!("{p}")).play;
    play_greedily(&mut play, side, seed);
    if std::env::var_os("SHOW").is_some() {
        let told = play.lines_from(0);
        let end = told.iter().rfind(|l| l.contains("wins the game")).cloned();
        println!(
            "{game} seed {seed}, faction {} is greedy: {}",
            side.0,
            end.unwrap_or_default()
        );
    }
    let events = play.events();
    let ends = events.iter().find_map(|e| match e {
        Event::Finished { outcome, .. } => Some(outcome.winner),
        _ => None,
    });
    ends.expect("somebody wins, or nobody does")
}

/// Games from set-up to end, seats swapped: how many greedy won, nobody, random.
fn score(game: &str, games: u64) -> [u64; 3] {
    let mut score = [0; 3];
    for n in 0..games {
        let side = FactionId((n % 2) as u8);
        match winner(game, n / 2, side) {
            None => score[1] += 1,
            Some(winner) if winner == side => score[0] += 1,
            Some(_) => score[2] += 1,
        }
    }
    score
}

/// An agent that looks no further than its own step stays where it stands and wins nothing.
/// `GAMES=100 cargo test --test it greedy_beats -- --nocapture` measures it.
fn is_better(game: &str) {
    let games = std::env::var("GAMES").ok().and_then(|n| n.parse().ok());
    let games: u64 = games.unwrap_or(8);
    let [won, drawn, lost] = score(game, games);
    println!("{game}: {won} won, {drawn} drawn, {lost} lost");
    assert!(
        won > games / 2 && lost <= games / 4,
        "{game}: {won} won, {lost} lost"
    );
}

#[test]
fn greedy_beats_random_in_smalltricks() {
    is_better("smalltricks");
}

#[test]
fn greedy_beats_random_in_pocket_tactics() {
    is_better("pocket-tactics");
}

const WAGER: &str = r##"
fn board() { #{ factions: ["red", "blue"], hexes: [2, 1] } }
fn slots() { #{ faction: #{ points: 0, armed: 0, stake: 0 } } }
fn phases() { [#{ phase: "round", repeat: true, contest: "game", phases: [
    #{ phase: "arms", each: "faction", step: "arm" },
    #{ phase: "wager", each: "faction", step: "wager" },
    #{ phase: "pay", each: "game", step: "pay" },
] }] }
/// Nothing comes of it before the round's end.
fn arm(side) { if choose(side, "arms", ["rest", "arm"]) == "arm" { side.armed = 1; } }
fn wager(side) {
    let stake = choose(side, "stake", [0, 6]);
    side.points += if roll(side, "wager", 1, 6).total == 6 { stake } else { 0 - stake };
}
fn pay() {
    for side in factions() {
        side.points += side.armed;
        side.armed = 0;
    }
    if count("round") == 3 { draw("enough"); }
}
fn worth(side) { side.points }
"##;

/// It sees what comes of its answer by the end of the round, and no die before it is rolled, whatever the seed.
#[test]
fn greedy_looks_to_the_end_of_the_round_and_foresees_no_dice() {
    let small = Small::new(WAGER);
    let mut sixes = 0;
    for seed in 1..=12 {
        let text = format!("game = \"tiny\"\nseed = {seed}\nopen = \"greedy\"\n");
        let file = run::open(&Source::new("it.toml", text)).expect("it is read");
        let ran = run::run(&small.workspace(), &file, &Overrides::default());
        let lines = ran.unwrap_or_else(|p| panic!("{p}")).play.lines_from(0);
        let times = |what: &str| lines.iter().filter(|l| l.contains(what)).count();
        // In the last round, which ends in a draw, points are worth nothing.
        assert_eq!(
            (times("chose arms: arm"), times("chose stake: 0")),
            (4, 6),
            "{lines:?}"
        );
        sixes += times("wager: 6");
    }
    assert!(sixes > 0, "some who saw it coming would have staked");
}

/// A blow costs its strength, and wins ten points unless it is parried.
const PARRIED: &str = r#"
fn board() { #{ factions: ["red", "blue"], hexes: [2, 1] } }
fn slots() { #{ faction: #{ points: 0 }, unit: #{ strength: 0, blows: 0 } } }
fn phases() { [#{ phase: "game", contest: "game", phases: [
    #{ phase: "line-up", setup: true, each: "faction", step: "line_up" },
    #{ phase: "round", repeat: true, phases: [
        #{ phase: "blows", turn: "first", step: "strike", interrupts: #{ blows: "parry" } },
        #{ phase: "dusk", each: "game", step: "dusk" },
    ] },
] }] }
fn line_up(side) {
    enlist(side, unit_type("knights"));
    put(side.units.last, place(if side == first() { "a1" } else { "b1" }));
}
fn strike(me) { me.strength = choose(me, "strength", 1..=6); me.blows += 1; }
fn parry(side, striker) {
    let parry = choose(side, "parry", 0..=4);
    striker.owner.points += (if striker.strength > parry { 10 } else { -3 }) - striker.strength;
}
fn dusk() { if count("round") == 3 { draw("it is over"); } }
fn worth(side) { side.points - side.foe.points }
"#;

/// Checks that the greedy agent considers every possible reaction, not only the first option.
#[test]
fn greedy_reckons_with_every_reaction() {
    let small = Small::new(PARRIED).with("units/knights", "fn stats() { #{ symbol: \"K\" } }");
    let mut play = opened(&small, "game = \"tiny\"\n");
    assert_eq!(play.run_on(), Progress::Asks);
    assert_eq!(chosen(&mut play, "greedy").0, "5");
}

fn opened(small: &Small, text: &str) -> Play {
    let file = run::open(&Source::new("it.toml", text)).expect("it is read").file;
    let laid = run::lay(&small.workspace(), &file, &Overrides::default());
    laid.unwrap_or_else(|p| panic!("{p}")).play
}

fn chosen(play: &mut Play, agent: &str) -> (String, String) {
    let agent = Agent::find(agent).unwrap_or_else(|p| panic!("{p}"));
    let before = (play.position(), play.events());
    let decision = agent.choose(play, 1).unwrap_or_else(|p| panic!("{p}"));
    assert_eq!((play.position(), play.events()), before, "it only looks");
    let key = play.with_question(|a| a.keys()[decision.index].clone());
    (key.expect("it is asked"), decision.why)
}

/// Points are won by arming and lost by staking, and no die is known before it is rolled.
#[test]
fn mcts_weighs_dice_and_foresees_none() {
    let small = Small::new(&WAGER.replace("== 3", "== 9").replace("[0, 6]", "[0, 3]"));
    for seed in 1..=6 {
        let text =
            format!("game = \"tiny\"\nseed = {seed}\nopen = \"mcts:600:1\"\nuntil = \"end of round 2\"\n");
        let file = run::open(&Source::new("it.toml", text)).expect("it is read");
        let ran = run::run(&small.workspace(), &file, &Overrides::default());
        let lines = ran.unwrap_or_else(|p| panic!("{p}")).play.lines_from(0);
        let times = |what: &str| lines.iter().filter(|l| l.contains(what)).count();
        assert_eq!(
            (times("chose arms: arm"), times("chose stake: 0")),
            (4, 4),
            "seed {seed}: {lines:?}"
        );
    }
}

const DOORS: &str = r#"
fn board() { #{ factions: ["red", "blue"], hexes: [3, 1] } }
fn slots() { #{ faction: #{ points: 0 } } }
fn phases() { [#{ phase: "game", contest: "game", phases: [
    #{ phase: "line-up", setup: true, each: "faction", step: "line_up" },
    #{ phase: "round", repeat: true, phases: [
        #{ phase: "search", turn: "first", quota: 1, step: "search" },
        #{ phase: "answer", turn: "second", step: "rest" },
        #{ phase: "dusk", each: "game", step: "dusk" },
    ] },
] }] }
fn line_up(side) {
    for place in ["a1", "b1", "c1"] {
        enlist(side, unit_type("knights"));
        if side == first() { put(side.units.last, place(place)); }
    }
}
/// Behind one door of four, and there on one floor of four, lies a treasure; and only the second knight finds it. On
/// all other ways something is lost, but for a little behind the first door.
fn search(me) {
    let side = me.owner;
    let door = choose(me, "door", ["first", "second", "third", "fourth"]);
    let floor = choose(me, "floor", 1..=4);
    let luck = roll(me, "luck", 1, 6).total;
    let take = choose(me, "take", ["little", "all"]);
    if door == "third" && floor == 3 && me.place.name == "b1" { side.points += 20; }
    else if door == "first" { side.points += 2; }
    else { side.points -= 5; }
    if take == "all" { side.points += luck - 3; }
}
fn rest(me) {}
fn dusk() { if count("round") == 3 { draw("it is over"); } }
fn worth(side) { side.points - side.foe.points }
"#;

fn doors() -> (Small, Play) {
    let small = Small::new(DOORS).with("units/knights", "fn stats() { #{ symbol: \"K\" } }");
    let play = opened(&small, "game = \"tiny\"\n");
    (small, play)
}

/// A glance rates an answer by the best result that can follow in its step, and a unit by its best action.
#[test]
fn mcts_sees_to_the_end_of_a_step_at_a_glance() {
    let (_small, mut play) = doors();
    let agent = Agent::find("mcts:60").unwrap_or_else(|p| panic!("{p}"));
    let mut mind = Mind::default();
    while play.run_on() == Progress::Asks {
        let decision = agent.answer(&mut play, &mut mind, 1);
        decision.unwrap_or_else(|p| panic!("{p}"));
    }
    let lines = play.lines_from(0);
    for answer in ["red activates red.knights2", "door: third", "floor: 3"] {
        let times = lines.iter().filter(|l| l.contains(answer)).count();
        assert_eq!(times, 3, "{answer}: {lines:?}");
    }
}

/// Checks that the agent gives the same answers whether it keeps its findings for the next questions of the step or
/// forgets them.
#[test]
fn mcts_answers_alike_with_and_without_what_it_has_in_mind() {
    for agent in ["mcts:40", "mcts:40:1", "mcts:40:end"] {
        let agent = Agent::find(agent).unwrap_or_else(|p| panic!("{p}"));
        let played = |forgets: bool| {
            let (_small, mut play) = doors();
            let mut mind = Mind::default();
            let mut told = Vec::new();
            while play.run_on() == Progress::Asks {
                if forgets {
                    mind = Mind::default();
                }
                let decision = agent.answer(&mut play, &mut mind, 1);
                told.push(decision.unwrap_or_else(|p| panic!("{p}")).why);
            }
            (told, play.lines_from(0))
        };
        let (told, lines) = played(false);
        assert!(told.len() > 10, "{lines:?}");
        assert_eq!((told, lines), played(true), "{agent}");
    }
}

const PILE: &str = r##"
fn board() { #{ factions: ["red", "blue"], hexes: [2, 1] } }
fn slots() { #{ game: #{ pile: 10 } } }
fn phases() { [#{ phase: "game", contest: "game", phases: [
    #{ phase: "turns", repeat: true, each: "faction", step: "take" },
] }] }
/// Takes stones from the pile; the faction that takes the last one wins.
fn take(side) {
    let stones = [];
    for n in 1..=3 { if n <= game().pile { stones.push(n); } }
    let all = game();
    all.pile -= choose(side, "take", stones);
    if all.pile == 0 { win(side, "the last stone"); }
}
"##;

/// Nobody can say what half a pile is worth; who leaves a multiple of four wins.
#[test]
fn mcts_finds_the_answer_that_wins_against_every_reply() {
    for pile in [5, 6, 7, 9, 10, 11] {
        let small = Small::new(&PILE.replace("10", &pile.to_string()));
        let mut play = opened(&small, "game = \"tiny\"\n");
        assert_eq!(play.run_on(), Progress::Asks);
        let (key, why) = chosen(&mut play, "mcts:1500:end");
        assert_eq!(key, (pile % 4).to_string(), "of {pile}: {why}");
        assert!(
            why.starts_with("wins ") && why.contains("of 1500 playouts; next best "),
            "{why}"
        );
        // The same again, to the letter.
        assert_eq!(chosen(&mut play, "mcts:1500:end"), (key, why));
    }
}

const LATER: &str = r##"
fn board() { #{ factions: ["red", "blue"], hexes: [2, 1] } }
fn phases() { [#{ phase: "round", repeat: true, contest: "game", phases: [
    #{ phase: "turn", each: "faction", step: "end_it" },
] }] }
/// Red wins whatever it answers, now or later.
fn end_it(side) {
    let ends = side == first() && choose(side, "end", ["wait", "now"]) == "now";
    if ends || count("round") == 9 { win(first(), "it is over"); }
}
"##;

/// It is told how many playouts were won; what they count says how soon, too.
#[test]
fn of_answers_that_all_win_mcts_takes_the_one_that_wins_sooner() {
    let small = Small::new(LATER);
    let mut play = opened(&small, "game = \"tiny\"\n");
    assert_eq!(play.run_on(), Progress::Asks);
    let (key, why) = chosen(&mut play, "mcts:200:end");
    assert_eq!(key, "now", "{why}");
    assert!(why.starts_with("wins 100 % in "), "{why}");
    assert!(why.ends_with("next best wait, 100 %"), "{why}");
}

const MANY: &str = r##"
fn board() { #{ factions: ["red", "blue"], hexes: [2, 1] } }
fn slots() { #{ faction: #{ points: 0 } } }
fn phases() { [#{ phase: "round", repeat: true, contest: "game", phases: [
    #{ phase: "draw", each: "faction", step: "draw_one" },
] }] }
/// One of sixty is better than the others.
fn draw_one(side) {
    let all = [];
    for n in 1..=60 { all.push(n); }
    if choose(side, "number", all) == 43 { side.points += 1; }
    if count("round") == 3 && side == second() { draw("enough"); }
}
fn worth(side) { side.points - side.foe.points }
"##;

/// Fewer playouts than there are options: a glance at what each comes to says which to try.
#[test]
fn mcts_glances_at_options_before_it_tries_them() {
    let small = Small::new(MANY);
    let mut play = opened(&small, "game = \"tiny\"\n");
    for _ in 0..2 {
        assert_eq!(play.run_on(), Progress::Asks);
        let (key, why) = chosen(&mut play, "mcts:30:1");
        assert_eq!(key, "43", "{why}");
        assert!(play.answer(42));
    }
}

/// One number of sixty wins at the end of the third round, and one loses; until then nothing is worth anything.
const BLIND: &str = r##"
fn board() { #{ factions: ["red", "blue"], hexes: [2, 1] } }
fn slots() { #{ faction: #{ lucky: 0 } } }
fn phases() { [#{ phase: "round", repeat: true, contest: "game", phases: [
    #{ phase: "draw", each: "faction", step: "draw_one" },
    #{ phase: "dusk", each: "game", step: "dusk" },
] }] }
fn draw_one(side) {
    if side != first() || count("round") > 1 { return; }
    let number = choose(side, "number", numbers());
    if number == 43 { side.lucky = 1; }
    if number == 7 { side.lucky = -1; }
}
fn numbers() { let all = []; for n in 1..=60 { all.push(n); } all }
fn dusk() {
    if count("round") < 3 { return; }
    if first().lucky > 0 { win(first(), "lucky"); }
    else if first().lucky < 0 { win(second(), "unlucky"); }
    else { draw("enough"); }
}
fn worth(side) { 0 }
"##;

/// Options that the game hints at are tried first if a glance sees nothing, but the results of playouts outweigh a
/// hint.
#[test]
fn mcts_tries_what_is_hinted_at_and_believes_what_it_sees() {
    let answered = |hint: &str, agent: &str| {
        let small = Small::new(&format!("{BLIND}{hint}"));
        let mut play = opened(&small, "game = \"tiny\"\n");
        assert_eq!(play.run_on(), Progress::Asks);
        chosen(&mut play, agent)
    };
    let hint = |number: i64| {
        let is = format!("type_of(me) == \"faction\" && question == \"number\" && answer == {number}");
        format!("fn hint(me, question, answer) {{ if {is} {{ 5 }} else {{ 0 }} }}")
    };
    let (key, why) = answered(&hint(43), "mcts:30:1");
    assert_eq!(key, "43", "{why}");
    let (other, why) = answered(&hint(12), "mcts:30:1");
    assert_eq!(other, "12", "{why}");
    let (key, why) = answered(&hint(7), "mcts:600:end");
    assert_eq!(key, "43", "{why}");
}

/// Cash wins one game of three. Trust wins where one number of twenty is kept to three times.
const TRUST: &str = r##"
fn board() { #{ factions: ["red", "blue"], hexes: [2, 1] } }
fn slots() { #{ faction: #{ trusts: false, broke: false } } }
fn phases() { [#{ phase: "round", repeat: true, contest: "game", phases: [
    #{ phase: "deal", each: "game", step: "deal" },
] }] }
fn deal() {
    let red = first();
    if count("round") == 1 { red.trusts = choose(red, "deal", ["cash", "trust"]) == "trust"; }
    else if choose(red, "watch", numbers()) != 13 { red.broke = true; }
    if count("round") < 4 { return; }
    let wins = if red.trusts { !red.broke } else { roll(red, "cash", 1, 6).total > 4 };
    if wins { win(red, "kept"); } else { win(red.foe, "lost"); }
}
fn numbers() { let all = []; for n in 1..=20 { all.push(n); } all }
fn worth(side) { 0 }
"##;

/// Playouts go on as the game hints: so a plan is worth what comes of it in good hands.
#[test]
fn playouts_answer_what_is_hinted_at() {
    let answered = |hint: &str| {
        let small = Small::new(&format!("{TRUST}{hint}"));
        let mut play = opened(&small, "game = \"tiny\"\n");
        assert_eq!(play.run_on(), Progress::Asks);
        chosen(&mut play, "mcts:60:end")
    };
    let (key, why) = answered("");
    assert_eq!(key, "cash", "{why}");
    let hint = "fn hint(me, question, answer) { if question == \"watch\" && answer == 13 { 5 } else { 0 } }";
    let (key, why) = answered(hint);
    assert_eq!(key, "trust", "{why}");
}

/// A hint is about whom the question is about, a unit's script may have its own, and several things at once come as
/// a list.
#[test]
fn a_hint_hears_what_the_question_is_about() {
    const GUARDS: &str = r##"
fn board() { #{ factions: ["red", "blue"], hexes: [2, 1] } }
fn phases() { [#{ phase: "round", repeat: true, contest: "game", phases: [
    #{ phase: "turn", each: "faction", step: "act" },
    #{ phase: "way", each: "unit", step: "stroll" },
] }] }
fn stroll(me) { choose(me, "pace", ["walk", "run"]); }
fn act(side) {
    if side.units.is_empty { enlist(side, unit_type("scouts")); put(side.units.first, place(if side == first() { "a1" } else { "b1" })); }
    choose(side.units.first, "post", ["left", "middle", "right"]);
    choose_several(side, "hours", [1, 2, 3, 4], 2);
    if count("round") == 9 { draw("enough"); }
}
fn hint(me, question, answer) {
    if question == "hours" && type_of(me) == "faction" && answer == [2, 4] { 9 } else { 0 }
}
"##;
    let own = "fn hint(me, question, answer) { \
        if me.name == \"red.scouts1\" && (answer == \"middle\" || answer == \"run\") { 9 } else { 0 } }";
    let small = Small::new(GUARDS).with("units/scouts", own);
    let mut play = opened(&small, "game = \"tiny\"\n");
    // Blue's own answers are not hinted at; and whoever the step is about is not named in what is asked.
    for wanted in [Some("middle"), Some("2 4"), None, None, Some("run")] {
        assert_eq!(play.run_on(), Progress::Asks);
        let (key, why) = chosen(&mut play, "mcts:30:1");
        assert!(wanted.is_none_or(|wanted| key == wanted), "{key}: {why}");
        let index = play.with_question(|a| a.keys().iter().position(|k| *k == key));
        assert!(play.answer(index.flatten().expect("it is offered")));
    }
}

/// A hook result that is not a number is reported at the hook, and so is a hook that the kernel could not call.
#[test]
fn advice_that_cannot_be_taken_is_refused() {
    for (advice, agent) in [
        ("fn hint(me, question, answer) { \"much\" }", "mcts:30:1"),
        ("fn worth(side) { \"much\" }", "greedy"),
    ] {
        let small = Small::new(&format!("{}{advice}", BLIND.replace("fn worth(side) { 0 }", "")));
        let mut play = opened(&small, "game = \"tiny\"\n");
        assert_eq!(play.run_on(), Progress::Asks);
        let agent = Agent::find(agent).unwrap_or_else(|p| panic!("{p}"));
        let problem = agent.choose(&mut play, 1).expect_err(advice).to_string();
        let said = "must return a whole number, not `much`";
        assert!(
            problem.contains(said) && problem.contains("game.rhai:"),
            "{problem}"
        );
        // The question waits as before.
        assert_eq!(play.run_on(), Progress::Asks);
    }
    for (advice, why) in [
        ("fn hint(me) { 0 }", "`hint` has 1 parameter"),
        ("fn worth() { 0 }", "`worth` has no parameters"),
    ] {
        let small = Small::new(&format!("{}{advice}", BLIND.replace("fn worth(side) { 0 }", "")));
        let file = run::open(&Source::new("it.toml", "game = \"tiny\"\n"))
            .expect("it is read")
            .file;
        let laid = run::lay(&small.workspace(), &file, &Overrides::default());
        let problem = laid.err().expect(advice).to_string();
        assert!(problem.contains(why), "{problem}");
    }
}

const SECRET: &str = r##"
fn board() { #{ factions: ["red", "blue"], hexes: [2, 1] } }
fn slots() { #{ faction: #{ hand: 0, told: 0, points: 0 } } }
fn phases() { [#{ phase: "round", repeat: true, contest: "game", phases: [
    #{ phase: "secret", hidden: true, phases: [
        #{ phase: "first", each: "faction", step: "hide" },
        #{ phase: "second", each: "faction", step: "tell" },
    ] },
    #{ phase: "pay", each: "game", step: "pay" },
] }] }
fn hide(side) { side.hand = choose(side, "hand", [1, 2, 3, 4]) + roll(side, "luck", 1, 6).total; }
fn tell(side) { side.told = choose(side, "guess", numbers(2, 10)); }
fn numbers(from, to) { let all = []; for n in from..=to { all.push(n); } all }
/// Gives a point to each faction that guessed the hand of the other.
fn pay() {
    for side in factions() { if side.told == side.foe.hand { side.points += 1; } }
    if count("round") == 5 { draw("enough"); }
}
fn worth(side) { side.points - side.foe.points }
fn hint(side, question, answer) { if answer == side.foe.hand { 3 } else { 0 } }
"##;

/// Secret answers and rolls of the other faction change neither the answer of an agent nor the text of its reason.
#[test]
fn no_agent_that_samples_sees_what_is_hidden_from_it() {
    // A step may say of itself what is secret: whoever looks ahead must not hear of it.
    let telling = SECRET.replace(
        "numbers(2, 10)); }",
        "numbers(2, 10)); if side.told == side.foe.hand { side.points += 1; } }",
    );
    assert_ne!(telling, SECRET);
    for (game, agent) in [
        (SECRET, "mcts:60"),
        (SECRET, "greedy"),
        (&telling, "mcts:60"),
        (&telling, "greedy"),
    ] {
        answers_alike(&Small::new(game), agent);
    }
}

fn answers_alike(small: &Small, agent: &str) {
    let asked = |secret: i64, own: i64| {
        let text = format!("game = \"tiny\"\nrolls = {{ luck = [[{secret}], [6]] }}\n");
        let mut play = opened(small, &text);
        for _ in 0..3 {
            assert_eq!(play.run_on(), Progress::Asks);
            let (label, asker) = play
                .with_question(|a| (a.label().to_owned(), a.request.asker))
                .expect("it asks");
            let wanted = match (label.as_str(), asker.index()) {
                ("hand", 0) => secret,
                ("hand", _) => own,
                _ => 5,
            };
            let index = play.with_question(|a| a.keys().iter().position(|k| *k == wanted.to_string()));
            assert!(play.answer(index.flatten().expect("it is offered")));
        }
        assert_eq!(play.run_on(), Progress::Asks);
        let rolled = play.lines_from(0).iter().filter(|l| l.contains("luck")).count();
        assert_eq!(rolled, 2);
        play
    };
    let first = chosen(&mut asked(1, 2), agent);
    for secret in 2..=4 {
        let mut play = asked(secret, 2);
        assert_eq!(chosen(&mut play, agent), first, "{agent}: red hid {secret}");
    }
}

#[test]
fn agents_are_named_with_their_budgets() {
    for name in [
        "random",
        "first",
        "greedy",
        "greedy:50",
        "mcts",
        "mcts:400",
        "mcts:500ms",
        "mcts:400:2",
        "mcts:250ms:end",
    ] {
        let agent = Agent::find(name).unwrap_or_else(|p| panic!("{p}"));
        assert_eq!(agent.to_string(), name);
        assert_eq!(agent.is_timed(), name.contains("ms"));
    }
    assert_eq!(Agent::find("mcts:2s"), Agent::find("mcts:2000ms"));
    for (wrong, why) in [
        ("mtcs", "unknown-name(agent, mtcs)"),
        ("first:3", "unexpected-budget(first, 3)"),
        ("greedy:0", "wrong-looks(greedy:0)"),
        ("mcts:0", "wrong-budget(mcts:0)"),
        ("mcts:", "wrong-budget(mcts:)"),
        ("mcts:4x", "wrong-budget(mcts:4x)"),
        ("mcts:400:0", "wrong-budget(mcts:400:0)"),
        ("mcts:400:x", "wrong-budget(mcts:400:x)"),
        ("mcts:9999999s", "wrong-budget(mcts:9999999s)"),
    ] {
        assert_eq!(brief(&Agent::find(wrong).expect_err(wrong)), why);
    }
}

/// Seats are swapped, the better agent is above, and the games are the same the second time.
#[test]
fn a_ladder_rates_agents_by_their_games() {
    let small = Small::new(PILE);
    let agents = ["random", "first", "mcts:200:end"].map(|a| Agent::find(a).expect("it is there"));
    let ask = rulebench::designs::ladder::LadderPlan {
        game: "tiny".to_owned(),
        scenario: None,
        changes: Overrides::default(),
        agents: agents.to_vec(),
        games: 12,
        threads: None,
    };
    let ladder =
        rulebench::designs::ladder::ladder(&small.workspace(), &ask).unwrap_or_else(|p| panic!("{p}"));
    assert_eq!((ladder.games, ladder.too_long, ladder.pairs.len()), (36, 0, 3));
    let best = &ladder.standings[0];
    assert_eq!(best.agent, "mcts:200:end", "{ladder:?}");
    assert!(ladder.standings[1..].iter().all(|s| s.rating < best.rating));
    assert_eq!(
        rulebench::designs::ladder::ladder(&small.workspace(), &ask),
        Ok(ladder)
    );
    let one = rulebench::designs::ladder::LadderPlan {
        agents: agents[..1].to_vec(),
        ..ask
    };
    assert!(rulebench::designs::ladder::ladder(&small.workspace(), &one).is_err());
}

/// A game that never ends counts as drawn, and is told of.
#[test]
fn a_ladder_counts_endless_games_as_drawn() {
    let small = Small::new(
        r#"
        fn board() { #{ factions: ["red", "blue"], hexes: [2, 2] } }
        fn phases() { [
            #{ phase: "game", contest: "game", phases: [
                #{ phase: "round", repeat: true, phases: [#{ phase: "turn", each: "game", step: "play" }] },
            ] },
        ] }
        fn play() { return; }
        "#,
    );
    let ask = rulebench::designs::ladder::LadderPlan {
        game: "tiny".to_owned(),
        scenario: None,
        changes: Overrides::default(),
        agents: ["random", "first"]
            .map(|a| Agent::find(a).expect("it is there"))
            .to_vec(),
        games: 2,
        threads: Some(1),
    };
    let ladder =
        rulebench::designs::ladder::ladder(&small.workspace(), &ask).unwrap_or_else(|p| panic!("{p}"));
    assert_eq!((ladder.games, ladder.too_long), (2, 2));
    assert_eq!(ladder.pairs[0].drawn, 2);
}

/// Of three sides one agent has one seat and the other the rest; who never takes the win has none.
#[test]
fn a_ladder_of_three_sides_counts_every_seat() {
    let small = Small::new(
        r#"
        fn board() { #{ factions: ["red", "blue", "green"], hexes: [2, 2] } }
        fn slots() { #{ game: #{ winner: #{ holds: "faction" } } } }
        fn phases() { [
            #{ phase: "game", contest: "game", phases: [
                #{ phase: "turn", each: "faction", step: "pick" },
                #{ phase: "judging", each: "game", step: "judge" },
            ] },
        ] }
        fn pick(side) {
            let taken = choose(side, "pick", ["pass", "win"]);
            let g = game();
            if taken == "win" && g.winner == nobody { g.winner = side; }
        }
        fn judge() {
            let winner = game().winner;
            if winner == nobody { draw("nobody took it"); } else { win(winner, "took it"); }
        }
        "#,
    );
    let ask = rulebench::designs::ladder::LadderPlan {
        game: "tiny".to_owned(),
        scenario: None,
        changes: Overrides::default(),
        agents: ["first", "random"]
            .map(|a| Agent::find(a).expect("it is there"))
            .to_vec(),
        games: 60,
        threads: None,
    };
    let ladder =
        rulebench::designs::ladder::ladder(&small.workspace(), &ask).unwrap_or_else(|p| panic!("{p}"));
    let pair = &ladder.pairs[0];
    assert_eq!(ladder.games, 60, "{ladder:?}");
    // Each game counts for each seat of the one against each of the other, two times in all.
    assert_eq!(pair.won + pair.drawn + pair.lost, 120, "{ladder:?}");
    // Whoever passes never wins; the one among two random ones loses where one of them won.
    assert!(pair.won == 0 && pair.lost > 40, "{ladder:?}");
    let better = &ladder.standings[0];
    assert!(
        better.agent == "random" && better.rating - better.within > 0.0,
        "{ladder:?}"
    );
}
