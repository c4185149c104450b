//! The games of a workspace as a page offers them to somebody who begins: what they are, how they look, from where they
//! can be started and with which variants. Each start is a line that a person could type.

use super::board::clean;
use crate::agents::Agent;
use crate::commands::rules::about_tweak;
use crate::kernel::phase::sets_up;
use crate::opening::title_of;
use crate::picture::scene::{Scene, SceneInput};
use crate::picture::svg::{self, PictureExtent};
use crate::play::{Play, Progress};
use crate::report::Problems;
use crate::rulebook::Rulebook;
use crate::rules::register::{self, Register};
use crate::rules::workspace::Workspace;
use crate::scenario::file::ScenarioFile;
use crate::stage::run::{self, Overrides};
use serde_json::{Value, json};

/// Maximum number of steps that are played to find a position to draw.
const MOST_STEPS: usize = 500;

/// Returns the games of a workspace.
pub fn of(workspace: &Workspace) -> Value {
    let games: Vec<Value> = workspace.games().iter().map(|g| game(workspace, g)).collect();
    let mut value = json!({ "games": games });
    clean(&mut value);
    value
}

fn game(workspace: &Workspace, name: &str) -> Value {
    let book = Rulebook::read(workspace, name)
        .ok()
        .map(|(book, _)| book.rulebook);
    let (factions, picture, problem) = match opening(workspace, name) {
        Ok((factions, picture)) => (factions, picture, None),
        Err(problems) => (
            Vec::new(),
            String::new(),
            problems.0.first().map(|p| p.page(false)),
        ),
    };
    json!({
        "name": name,
        "title": title_of(workspace, name),
        "about": book.as_ref().map_or("", |book| &book.about),
        "minutes": book.as_ref().and_then(|book| book.minutes),
        "players": factions.len(),
        "factions": factions,
        "picture": picture,
        "problem": problem,
        "starts": starts(workspace, name),
        "variants": variants(workspace, name),
    })
}

/// Returns the factions of a game, and the picture of a position near its beginning.
fn opening(workspace: &Workspace, game: &str) -> Result<(Vec<String>, String), Problems> {
    let setup = run::lay(workspace, &ScenarioFile::new(game), &Overrides::default())?;
    let mut play = setup.playable()?.play;
    set_out(&mut play);
    let (table, rules) = (play.table(), &play.ruleset().rules);
    let scene = Scene::of(&SceneInput::position(rules, &table.words, &table.world));
    let (picture, _) = svg::document(&scene, PictureExtent::Board);
    Ok((rules.factions.clone(), picture))
}

/// Plays with random answers until set-up is over and each faction has a unit on the board.
fn set_out(play: &mut Play) {
    if let Some(source) = Agent::Random.source(1) {
        play.set_source(source);
    }
    for _ in 0..MOST_STEPS {
        let is_next = play.prepare() == Progress::Stepped;
        let (world, rules) = (&play.table().world, &play.ruleset().rules);
        let has_unit = |faction| !(world.on_board() & world.owned(faction)).is_empty();
        let in_setup = sets_up(&rules.phases, play.table().checkpoint.step.phase);
        if !is_next || !in_setup && rules.all_factions().all(has_unit) {
            return;
        }
        if play.advance() != Progress::Stepped {
            return;
        }
    }
}

/// Returns the scenarios from which a game can be started.
fn starts(workspace: &Workspace, game: &str) -> Vec<Value> {
    let paths = workspace.list(&format!("scenarios/{game}"), ".toml");
    let files = paths.iter().filter_map(|path| {
        let file = ScenarioFile::parse(workspace.read(path).ok()?).ok()?;
        (file.game.value == game && file.refused.is_none()).then_some((path, file))
    });
    let start = |(path, file): (&String, ScenarioFile)| {
        json!({
            "name": path,
            "title": file.title.as_ref().map_or(path.as_str(), |title| title.as_str()),
            "puzzle": file.puzzle.as_ref().map(|puzzle| puzzle.as_str()),
        })
    };
    files.map(start).collect()
}

fn variants(workspace: &Workspace, game: &str) -> Vec<Value> {
    let register = Register::read(workspace, game).unwrap_or_default();
    let names = register::all(workspace, game).unwrap_or_default();
    let on: Vec<&str> = register.adopted().collect();
    let variant = |name: &String| {
        let note = about_tweak(workspace, &register, game, name);
        json!({ "name": name, "note": note, "on": on.contains(&name.as_str()) })
    };
    names.iter().map(variant).collect()
}
