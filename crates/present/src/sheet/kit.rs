//! Pieces that a game needs on the table: units of its armies, tiles that are laid, and its empty board.

use crate::agents::Random;
use crate::kernel::ids::{FactionId, PlaceId, TerrainId, TypeId};
use crate::kernel::phase;
use crate::kernel::table::{Answerer as _, Position};
use crate::kernel::world::World;
use crate::picture::scene::{Scene, SceneInput};
use crate::play::{Play, Progress};
use crate::rules::ruleset::Ruleset;
use std::sync::Arc;

/// Number of set-ups that are drawn to see what armies and maps need.
const SET_UPS: u64 = 12;

/// Limit on the answers of one set-up.
const ANSWERS: usize = 2_000;

/// Pieces that a game needs on the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Kit {
    /// Number of units, by faction and type.
    pub units: Vec<Vec<usize>>,
    /// Number of tiles of each kind of terrain.
    pub tiles: Vec<usize>,
    /// The board before the game, without units.
    pub board: Scene,
}

impl Kit {
    /// Draws some set-ups and takes of each piece as many as the one that needs most of it; one unit of each type where
    /// set-up makes none. `copies` is a number of units of each type instead.
    pub fn of(ruleset: &Arc<Ruleset>, copies: Option<usize>) -> Self {
        let rules = &ruleset.rules;
        let (factions, kinds) = (rules.factions.len(), rules.types.len());
        let mut play = Play::at_start(Arc::clone(ruleset));
        let start = play.table().world.clone();
        let mut board = Scene::of(&SceneInput::position(rules, &play.table().words, &start));
        board.tokens.clear();
        let mut units = vec![vec![0; kinds]; factions];
        let mut tiles = vec![0; rules.terrains.len()];
        for seed in 1..=SET_UPS {
            play.restart(&Position::start(start.clone(), false, seed, 0));
            set_up(&mut play, seed);
            let world = &play.table().world;
            for (faction, units) in units.iter_mut().enumerate() {
                for (kind, most) in units.iter_mut().enumerate() {
                    *most = count_units(world, faction, kind).max(*most);
                }
            }
            for (kind, most) in tiles.iter_mut().enumerate() {
                let lie = |world: &World| count_tiles(world, rules.board.places().iter(), kind);
                *most = lie(world).saturating_sub(lie(&start)).max(*most);
            }
        }
        // The factions that have a type have the same number of it.
        for kind in 0..kinds {
            let most = units.iter().map(|units| units[kind]).max().unwrap_or(0);
            for units in units.iter_mut().filter(|units| units[kind] > 0) {
                units[kind] = most;
            }
        }
        let none = units.iter().flatten().all(|count| *count == 0);
        if let Some(copies) = copies.or(none.then_some(1)) {
            units = vec![vec![copies; kinds]; factions];
        }
        Self { units, tiles, board }
    }
}

/// Plays until the first question after set-up, with random answers.
fn set_up(play: &mut Play, seed: u64) {
    let mut agent = Random::new(seed);
    for _ in 0..ANSWERS {
        if play.run_on() != Progress::Asks {
            return;
        }
        let phases = &play.ruleset().rules.phases;
        let reply = play.with_question(|question| {
            let sets_up = phase::sets_up(phases, question.request.step.phase);
            sets_up.then(|| agent.answer(question))
        });
        match reply.flatten() {
            Some(reply) => play.answer_by(&reply),
            None => return,
        };
    }
}

fn count_units(world: &World, faction: usize, kind: usize) -> usize {
    let own = world.owned(FactionId::new(faction)) & world.alive();
    own.iter()
        .filter(|unit| world.unit(*unit).kind == TypeId::new(kind))
        .count()
}

fn count_tiles(world: &World, places: impl Iterator<Item = PlaceId>, kind: usize) -> usize {
    let lies = |place: &PlaceId| world.terrain(*place).contains(TerrainId::new(kind));
    places.filter(lies).count()
}
