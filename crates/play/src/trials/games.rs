//! Whole random games by the rules' own interpreter and by Rhai's ([`crate::rules::run::oracle`]): from the same seeds and
//! answers, the same events and the same position at the end. The own interpreter plays each game three times: with
//! answers that are there at once, with a step that is cut off and run again at every question, and watched.

use crate::agents::Agent;
use crate::kernel::table::{Answerer, Position, Question, Reply};
use crate::play::Progress;
use crate::report::Problems;
use crate::rules::run::fuel::drift;
use crate::rules::run::observe::{RunPlace, RunView, Watcher};
use crate::rules::run::oracle::Oracle;
use crate::rules::workspace::Workspace;
use crate::scenario::file::ScenarioFile;
use crate::stage::run::{self, Overrides, Setup};
use crate::variants::{Tweak, Tweaks, required};
use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Maximum number of wrong answers that are tried, each in a game of its own, until one is noticed.
const SLIPS: u64 = 40;

/// This repository's games and the workspaces of its examples.
fn workspaces() -> Vec<Workspace> {
    let root = super::root();
    let examples = std::fs::read_dir(root.join("examples")).expect("the examples");
    let examples = examples.map(|entry| entry.expect("an entry").path());
    let mut examples: Vec<_> = examples
        .filter(|folder| folder.join("scripts").is_dir())
        .collect();
    examples.sort();
    let folders = std::iter::once(root.to_owned()).chain(examples);
    folders.map(Workspace::at).collect()
}

/// Runs this with room for calls in one another: the interpreter takes more of the stack.
fn with_room(act: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(act);
    if let Err(panic) = thread.expect("a thread").join() {
        std::panic::resume_unwind(panic);
    }
}

/// A game with these variants, at its start.
fn laid(workspace: &Workspace, game: &str, variants: &[String]) -> Result<Setup, Problems> {
    let overrides = Overrides {
        variants: variants.to_vec(),
        ..Overrides::default()
    };
    run::lay(workspace, &ScenarioFile::new(game), &overrides)
}

/// The random agent, and how often it was asked.
struct CountedAgent(Box<dyn Answerer>, Rc<Cell<u64>>);

impl Answerer for CountedAgent {
    fn answer(&mut self, question: &Question<'_>) -> Reply {
        self.1.set(self.1.get() + 1);
        self.0.answer(question)
    }
}

/// Way in which a game is played.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    /// Each question has its answer at once.
    AtOnce,
    /// Each question ends the run of its step, which begins again with the answer.
    Anew,
    /// At once, while somebody watches.
    Watched,
}

/// Counts the statements that are reached.
struct StatementCount(Rc<Cell<u64>>);

impl Watcher for StatementCount {
    fn reach(&mut self, _: &RunView<'_>, _: &RunPlace<'_>) {
        self.0.set(self.0.get() + 1);
    }
}

/// Result of a game.
#[derive(PartialEq)]
struct PlayedGame {
    lines: Vec<String>,
    position: Position,
    decisions: u64,
}

/// The game of a seed from its start to its end, with random answers. What fails is its last line.
fn played(setup: &mut Setup, seed: u64, way: Way) -> PlayedGame {
    let mut start = setup.start.clone();
    start.seed = seed;
    let play = &mut setup.play;
    play.restart(&start);
    let random = Agent::Random.source(seed).expect("it answers at once");
    let decisions = Rc::default();
    let mut agent = CountedAgent(random, Rc::clone(&decisions));
    let statements = Rc::default();
    if way == Way::Watched {
        let watcher = StatementCount(Rc::clone(&statements));
        play.runtime.watch_with(Box::new(watcher));
    }
    let end = if way == Way::Anew {
        loop {
            let progress = play.run_on();
            let reply = play.with_question(|question| agent.answer(question));
            if !reply.is_some_and(|reply| play.answer_by(&reply)) {
                break progress;
            }
        }
    } else {
        play.set_source(Box::new(agent));
        let end = play.run_on();
        play.clear_source();
        end
    };
    play.runtime.unwatch();
    assert_eq!(statements.get() > 0, way == Way::Watched);
    let mut lines = play.lines_from(0);
    match end {
        Progress::Over => {}
        Progress::Failed(problem) => lines.push(problem.page(false)),
        other => lines.push(format!("{other:?}")),
    }
    PlayedGame {
        lines,
        position: setup.play.position(),
        decisions: decisions.get(),
    }
}

impl PlayedGame {
    /// Tells both records from where they part.
    fn compare(&self, other: &Self, seed: u64, way: &str) -> Result<(), String> {
        if self == other {
            return Ok(());
        }
        let pairs = self.lines.iter().zip(&other.lines);
        let at = pairs.take_while(|(a, b)| a == b).count();
        let from = at.saturating_sub(5);
        let around = |lines: &[String]| lines[from..lines.len().min(at + 3)].join("\n");
        Err(format!(
            "seed {seed}, line {at} of {} and {}\n-- at once:\n{}\n-- {way}:\n{}",
            self.lines.len(),
            other.lines.len(),
            around(&self.lines),
            around(&other.lines)
        ))
    }
}

/// Totals of the comparison.
#[derive(Default)]
struct GameTally {
    games: u64,
    lines: usize,
    decisions: u64,
    own: Duration,
    theirs: Duration,
}

impl GameTally {
    /// Plays a game in all ways.
    fn compare(&mut self, setup: &mut Setup, oracle: &Rc<Oracle>, seed: u64) -> Result<(), String> {
        let began = Instant::now();
        let own = played(setup, seed, Way::AtOnce);
        self.own += began.elapsed();
        for way in [Way::Anew, Way::Watched] {
            own.compare(&played(setup, seed, way), seed, &format!("{way:?}"))?;
        }
        let began = Instant::now();
        let on = oracle.begin();
        let theirs = played(setup, seed, Way::AtOnce);
        drop(on);
        self.theirs += began.elapsed();
        self.games += 1;
        self.lines += own.lines.len();
        self.decisions += own.decisions;
        own.compare(&theirs, seed, "Rhai's interpreter")
    }

    /// The first games of these rules; panics where two part.
    fn games(&mut self, workspace: &Workspace, game: &str, variants: &[String], games: u64) {
        let laid = laid(workspace, game, variants);
        let mut laid = laid.unwrap_or_else(|p| panic!("{game} with {variants:?}: {p}"));
        let oracle = Oracle::of(laid.play.ruleset());
        for seed in 0..games {
            if let Err(why) = self.compare(&mut laid, &oracle, seed) {
                panic!("{game} with {variants:?}: {why}");
            }
        }
        assert!(oracle.calls() > games, "{game}: the interpreter ran nothing");
    }

    fn summary(&self) -> String {
        format!(
            "{} games, {} decisions, {} lines; {:.1} s by our interpreter, {:.1} s by Rhai's",
            self.games,
            self.decisions,
            self.lines,
            self.own.as_secs_f64(),
            self.theirs.as_secs_f64()
        )
    }
}

/// Every tweak of a game in as few sets as were found in which they fit together, by name.
fn sets(workspace: &Workspace, game: &str) -> Vec<Vec<String>> {
    let variants = Tweaks::read(workspace, game).expect("the tweaks").all;
    let mut sets: Vec<Vec<String>> = Vec::new();
    for Tweak { name, .. } in &variants {
        let with = |set: &[String]| {
            let mut set = set.to_vec();
            set.extend(required(&variants, name).into_iter().chain([name.clone()]));
            set.sort();
            set.dedup();
            laid(workspace, game, &set).ok().map(|_| set)
        };
        match sets
            .iter()
            .enumerate()
            .find_map(|(at, set)| Some((at, with(set)?)))
        {
            Some((at, set)) => sets[at] = set,
            None => sets.extend(with(&[])),
        }
    }
    sets
}

#[test]
fn whole_games_are_the_same_by_rhais_own_interpreter() {
    with_room(|| {
        for workspace in workspaces() {
            for game in workspace.games() {
                let mut tally = GameTally::default();
                tally.games(&workspace, &game, &[], 3);
                for set in sets(&workspace, &game) {
                    tally.games(&workspace, &game, &set, 1);
                }
            }
        }
    });
}

/// `cargo test --lib a_thousand_whole_games -- --ignored --nocapture`; docs/reliability.md has its result.
/// `GAMES=100` plays so many of each game, `ONLY=a,b` those whose name has one of these in it.
#[test]
#[ignore = "most of an hour; docs/reliability.md has its result"]
fn a_thousand_whole_games_of_each() {
    with_room(|| {
        let setting = |name: &str| std::env::var(name).ok();
        let games = setting("GAMES").and_then(|n| n.parse().ok()).unwrap_or(1_000);
        let only = setting("ONLY").unwrap_or_default();
        let is_wanted = |game: &String| only.split(',').any(|name| game.contains(name));
        for workspace in workspaces() {
            for game in workspace.games().into_iter().filter(is_wanted) {
                let mut tally = GameTally::default();
                tally.games(&workspace, &game, &[], games);
                println!("{game}: {}", tally.summary());
                let sets = sets(&workspace, &game);
                let mut tally = GameTally::default();
                for set in &sets {
                    tally.games(&workspace, &game, set, games / 20);
                }
                let variant_count: usize = sets.iter().map(Vec::len).sum();
                if variant_count > 0 {
                    println!(
                        "{game}, {variant_count} variants in {} sets: {}",
                        sets.len(),
                        tally.summary()
                    );
                }
            }
        }
    });
}

/// Tests that comparing whole games reveals a single wrong return value of a function; not every time, since many
/// values have no effect.
#[test]
fn what_the_interpreter_says_otherwise_is_noticed() {
    with_room(|| {
        let mut noticed = 0;
        for workspace in workspaces() {
            'games: for game in workspace.games() {
                let mut laid = laid(&workspace, &game, &[]).expect("it loads");
                let oracle = Oracle::of(laid.play.ruleset());
                let on = oracle.begin();
                played(&mut laid, 1, Way::AtOnce);
                drop(on);
                let all = oracle.calls();
                for nth in 0..SLIPS {
                    oracle.slip_after(Some(all * (nth * 7 % SLIPS) / SLIPS));
                    let result = GameTally::default().compare(&mut laid, &oracle, 1);
                    if result.is_err() {
                        noticed += 1;
                        continue 'games;
                    }
                    // There are rules in which no function says anything.
                    if oracle.slip_after(None) && nth == 0 {
                        continue 'games;
                    }
                }
                panic!("{game}: nobody noticed any of {SLIPS} slips among {all} calls");
            }
        }
        assert!(noticed > 8, "in {noticed} games alone");
    });
}

/// A game in whose layers there is whatever is called by name, and a rule that drifts where it is told to.
#[test]
fn what_drifts_between_two_plays_is_noticed() {
    with_room(|| {
        let game = r##"
            fn board() { #{ factions: ["red", "blue"], hexes: [3, 3] } }
            fn stats() { #{ life: 3 } }
            fn slots() { #{ faction: #{ score: 0 } } }
            fn phases() { [#{ phase: "go", each: "faction", step: "begin" }] }
            fn begin(side) { side.score += worth(side) + DRIFT; }
            fn worth(side) { 2 }
        "##;
        let over = "// More.\nfn worth(side) { base(side) * 10 + 1 }\n";
        drift::begin();
        for (rule, same) in [("0", true), ("test_drift()", false)] {
            let texts = [
                ("scripts/tiny/game.rhai", game.replace("DRIFT", rule)),
                ("scripts/tiny/variants/more.rhai", over.to_owned()),
                ("units/tiny/scout.rhai", "fn stats() { #{ life: 2 } }".to_owned()),
            ];
            let texts = texts.map(|(path, text)| (path.to_owned(), text)).into();
            let workspace = Workspace::at("no such folder").with(texts);
            let mut laid = laid(&workspace, "tiny", &["more".to_owned()]).unwrap_or_else(|p| panic!("{p}"));
            let oracle = Oracle::of(laid.play.ruleset());
            let result = GameTally::default().compare(&mut laid, &oracle, 1);
            assert_eq!(result.is_ok(), same, "{result:?}");
            assert!(
                laid.play
                    .lines_from(0)
                    .iter()
                    .any(|line| line.contains("score 0->2"))
            );
        }
    });
}
