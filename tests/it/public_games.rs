//! The workspace of public games: in random games of OpenSpiel, each game offers what OpenSpiel offers. Needs Python with
//! the package `open_spiel`; without it the test says that it skips this.

use crate::support::{root, run_in};
use rulebench::play::{Play, Progress};
use rulebench::report::Source;
use rulebench::rules::workspace::Workspace;
use rulebench::stage::run::{self, Overrides};
use serde::Deserialize;
use std::fmt::Write as _;
use std::process::Command;

/// The Python that has the package, if it is not the usual one.
const PYTHON: &str = "OPEN_SPIEL_PYTHON";
/// Number of random games of each kind; 2 without it.
const GAMES: &str = "OPEN_SPIEL_GAMES";

#[derive(Deserialize)]
struct Game {
    game: String,
    seed: u64,
    units: Option<std::collections::BTreeMap<String, Vec<String>>>,
    rolls: Vec<i64>,
    steps: Vec<Step>,
    winner: Option<String>,
    over: bool,
}

#[derive(Deserialize)]
struct Step {
    options: Vec<String>,
    pick: String,
}

impl Game {
    /// A scenario from which the game begins.
    fn scenario(&self) -> String {
        let mut text = format!("game = {:?}\n", self.game);
        for (side, units) in self.units.iter().flatten() {
            let _ = writeln!(text, "units.{side} = {units:?}");
        }
        if !self.rolls.is_empty() {
            let _ = writeln!(text, "rolls.cube = {:?}", self.rolls);
        }
        text
    }

    /// Plays the game and compares what is offered.
    fn play(&self, workspace: &Workspace) -> Result<(), String> {
        let source = Source::new("game.toml", self.scenario());
        let opened = run::open(&source).map_err(|problems| problems.to_string())?;
        let setup = run::lay(workspace, &opened.file, &Overrides::default());
        let mut play = setup.map_err(|problems| problems.to_string())?.play;
        for (nth, step) in self.steps.iter().enumerate() {
            // What has one option answers itself.
            if let [_] = step.options[..] {
                continue;
            }
            let progress = play.run_on();
            if progress != Progress::Asks {
                return Err(format!("move {nth}: {progress:?}, not {:?}", step.options));
            }
            let keys = keys_by_place(&play);
            let mut offered = keys.clone();
            offered.sort();
            if offered != step.options {
                return Err(format!("move {nth}: {offered:?}, not {:?}", step.options));
            }
            let pick = keys.iter().position(|key| *key == step.pick);
            play.answer(pick.ok_or("it is offered")?);
        }
        let progress = play.run_on();
        let outcome = play.table().world.outcome;
        if progress == Progress::Over && self.over {
            let winner = outcome.and_then(|outcome| outcome.winner);
            let winner = winner.map(|faction| ["first", "second"][faction.index()]);
            if winner != self.winner.as_deref() {
                return Err(format!("{winner:?} wins, not {:?}", self.winner));
            }
        }
        Ok(())
    }
}

/// The keys of the options, with the place of each unit for its name.
fn keys_by_place(play: &Play) -> Vec<String> {
    let table = play.table();
    let place = |word: &str| -> Option<String> {
        let unit = table.world.find(table.rules.parse_unit_name(word)?)?;
        Some(table.rules.board.name(table.world.place(unit)?).to_owned())
    };
    let of = |key: &String| -> String {
        let words = key
            .split(' ')
            .map(|word| place(word).unwrap_or_else(|| word.to_owned()));
        words.collect::<Vec<_>>().join(" ")
    };
    let keys = play.with_question(|question| question.keys()).unwrap_or_default();
    keys.iter().map(of).collect()
}

/// The workspace of public games.
fn workspace() -> Workspace {
    Workspace::at(root().join("examples/gallery"))
}

#[test]
fn each_public_game_is_short_and_has_a_picture_as_it_is_drawn_and_a_place_on_the_page() {
    let page = std::fs::read_to_string(root().join("docs/gallery.md")).expect("the page is there");
    for game in workspace().games() {
        let script = workspace()
            .read(&format!("scripts/{game}/game.rhai"))
            .expect("it is there");
        let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
        let lines = script.text.lines().filter(is_code).count();
        assert!(lines < 60, "{game} has {lines} lines");
        let position = format!("{game}-in-play");
        let drawn = run_in(
            &root().join("examples/gallery"),
            &["render", &position, "--out", "-"],
        );
        let kept = std::fs::read_to_string(root().join(format!("docs/gallery/{game}.svg")));
        assert_eq!(drawn.out, kept.expect("its picture is there"), "{game}");
        for part in [
            format!("(gallery/{game}.svg)"),
            format!("from=scripts/{game}/game.rhai"),
        ] {
            assert!(page.contains(&part), "the page has no {part}");
        }
    }
}

/// Random play of tic-tac-toe, whose chances are known: marks that differ by their number alone are one, so that as many
/// positions are looked at as if places held the marks.
#[test]
fn units_that_differ_by_their_number_alone_are_one_in_odds() {
    let gallery = root().join("examples/gallery");
    let asked = [
        "odds",
        "tic-tac-toe-opening",
        "--until",
        "end of game",
        "--policy",
        "random",
    ];
    let ran = run_in(
        &gallery,
        &[&asked[..], &["--chance", "cross  wins", "--limit", "20000"]].concat(),
    );
    assert_eq!(ran.status, 0, "{}", ran.page());
    for told in ["b2  97/140", "a1   17/28", "c2   15/28", "exact: 4520 positions"] {
        assert!(ran.out.contains(told), "{told}\n{}", ran.page());
    }
}

#[test]
fn public_games_offer_what_open_spiel_offers() {
    let python = std::env::var(PYTHON).unwrap_or_else(|_| "python3".to_owned());
    let has_package = |python: &str| {
        let ran = Command::new(python).args(["-c", "import pyspiel"]).output();
        ran.is_ok_and(|ran| ran.status.success())
    };
    if !has_package(&python) {
        eprintln!("skipped: {python} does not have the package open_spiel ({PYTHON} names another Python)");
        return;
    }
    let script = root().join("tests/it/open_spiel.py");
    let games = std::env::var(GAMES).unwrap_or_else(|_| "2".to_owned());
    let ran = Command::new(&python)
        .arg(script)
        .arg(games)
        .output()
        .expect("it runs");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let workspace = workspace();
    let (mut games, mut different) = (0, Vec::new());
    for line in String::from_utf8(ran.stdout).expect("it prints text").lines() {
        let game: Game = serde_json::from_str(line).expect("a game");
        games += 1;
        if let Err(why) = game.play(&workspace) {
            different.push(format!("{} {}: {why}", game.game, game.seed));
        }
    }
    assert!(games > 0);
    assert!(different.is_empty(), "{}", different.join("\n"));
}
