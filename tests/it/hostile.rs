//! Scripts that want to take for ever, all room or the program with them: each of their steps ends in
//! time, and one that fails leaves the position as it was.

use crate::support::{Small, record, root, spent};
use rulebench::kernel::table::{Answerer, Question, Reply};
use rulebench::play::Progress;
use rulebench::rules::ruleset::LoadOptions;
use std::time::{Duration, Instant};

/// Answerer that always takes the first option.
struct First;

impl Answerer for First {
    fn answer(&mut self, _: &Question<'_>) -> Reply {
        Reply::Take(0)
    }
}

/// The games, by their names.
fn games() -> Vec<(String, Small)> {
    let text = std::fs::read_to_string(root().join("fuzz/hostile.rhai")).expect("it is there");
    let mut parts = text.split("\n//// ").skip(1).map(|part| {
        let (name, body) = part.split_once('\n').expect("a name");
        (name.to_owned(), body.to_owned())
    });
    let (_, head) = parts.next().expect("the head");
    let own = |body: &str| -> String {
        // A part that declares something again does so in the head's place.
        let declared = |line: &&str| {
            let name = line.split('(').next().unwrap_or_default();
            !body.lines().any(|own| own.split('(').next() == Some(name))
        };
        head.lines()
            .filter(declared)
            .map(|line| format!("{line}\n"))
            .collect()
    };
    let game = |body: &str| {
        Small::new(&format!("{}\n{body}", own(body)))
            .with("units/scout", "fn stats() { #{ life: 2 } }\n")
            .with("terrain/mud", "fn stats() { #{} }\n")
    };
    parts.map(|(name, body)| (name, game(&body))).collect()
}

/// Measures how long this thread works, whatever else the machine does.
struct Clock {
    began: Instant,
    spent: Duration,
}

impl Clock {
    fn new() -> Self {
        let began = Instant::now();
        Self {
            began,
            spent: spent(began),
        }
    }

    fn elapsed(&self) -> Duration {
        spent(self.began).saturating_sub(self.spent)
    }
}

/// Maximum time of a step. Without optimisation it takes about ten times as long.
const MOST: Duration = Duration::from_secs(if cfg!(debug_assertions) { 20 } else { 2 });

/// Plays a game and returns the faults found, and the time of its slowest step.
fn played(name: &str, small: &Small) -> (Vec<String>, Duration) {
    let mut wrong = Vec::new();
    let begun = Clock::new();
    let ruleset = small.load(&LoadOptions::default());
    let mut slowest = begun.elapsed();
    let Ok(ruleset) = ruleset else {
        return (wrong, slowest);
    };
    let mut play = crate::support::start(ruleset);
    play.set_source(Box::new(First));
    let all = Instant::now();
    // Some go on for ever in short steps: whoever plays them can stop between any two.
    while all.elapsed() < Duration::from_secs(2) {
        let opened = matches!(play.prepare(), Progress::Stepped);
        let before = (play.table().position(), play.table().events.len());
        let begun = Clock::new();
        let progress = play.advance();
        slowest = slowest.max(begun.elapsed());
        match progress {
            Progress::Stepped => {}
            Progress::Failed(problem) => {
                if problem.page(false).len() > 200_000 {
                    wrong.push(format!("{name}: its page is too long"));
                }
                let mut now = (play.table().position(), play.table().events.len());
                // What was answered in the step stays, for when the script is mended.
                now.0.answers.clear();
                if opened && before != now {
                    wrong.push(format!(
                        "{name}: the position is another after {}",
                        problem.message
                    ));
                }
                break;
            }
            _ => break,
        }
    }
    if play.table().events.len() < 10_000 {
        record(&play);
    }
    (wrong, slowest)
}

#[test]
fn every_step_of_a_hostile_script_ends_in_time() {
    let games = games();
    assert!(games.len() >= 60, "{}", games.len());
    let all: Vec<(Duration, String, Vec<String>)> = std::thread::scope(|scope| {
        let half = games.len() / 2;
        let workers = [&games[..half], &games[half..]].map(|games| {
            scope.spawn(|| {
                let played = games.iter().map(|(name, small)| {
                    let (wrong, slowest) = played(name, small);
                    (slowest, name.clone(), wrong)
                });
                played.collect::<Vec<_>>()
            })
        });
        workers
            .into_iter()
            .flat_map(|w| w.join().expect("none panics"))
            .collect()
    });
    let mut wrong: Vec<String> = all.iter().flat_map(|(_, _, wrong)| wrong.clone()).collect();
    let mut times: Vec<(Duration, &str)> = all.iter().map(|(took, name, _)| (*took, name.as_str())).collect();
    times.sort();
    for (took, name) in times.iter().rev().take(8) {
        println!("{took:?}: a step of `{name}`");
        if *took > MOST {
            wrong.push(format!("{name}: a step takes {took:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
