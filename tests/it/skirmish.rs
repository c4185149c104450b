//! The skirmish under `examples/`: its scripts, and the same rules by hand, play the same games.

#[path = "../../benches/skirmish/rules.rs"]
mod rules;

use rulebench::agents::Agent;
use rulebench::kernel::choice::OfferedOption;
use rulebench::kernel::ids::FactionId;
use rulebench::kernel::table::{Answerer, Position, Question, Reply};
use rulebench::kernel::world::World;
use rulebench::play::{Play, Progress};
use rulebench::rules::ruleset::{LoadOptions, Ruleset};
use rulebench::rules::workspace::Workspace;
use rules::{Deed, Ended, Game, UNITS};
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/skirmish")
}

/// A random agent whose questions are put to the rules by hand too.
struct Both {
    agent: Box<dyn Answerer>,
    game: Rc<RefCell<(Game, Option<Ended>)>>,
}

/// The hexagon of a place by its name: columns are the rows of the rhombus, and begin lower by and by.
fn cell(name: &str) -> u8 {
    let row = name.as_bytes()[0] - b'a';
    let up: u8 = name[1..].parse().expect("a number");
    6 * row + (up - 1 + row / 2 - 2)
}

impl Answerer for Both {
    fn answer(&mut self, asked: &Question<'_>) -> Reply {
        let board = &asked.rules.board;
        let deed = |option: OfferedOption| {
            let things: Vec<OfferedOption> = option.things().collect();
            match things[..] {
                [OfferedOption::Unit(unit), OfferedOption::Place(place)] => {
                    Deed::Step(unit.index() as u8, cell(board.name(place)))
                }
                [OfferedOption::Unit(unit), OfferedOption::Unit(foe)] => {
                    Deed::Strike(unit.index() as u8, foe.index() as u8)
                }
                _ => panic!("{:?}", asked.keys()),
            }
        };
        let mut offered: Vec<Deed> = asked.request.options.iter().map(deed).collect();
        let reply = self.agent.answer(asked);
        let Reply::Take(index) = reply else {
            panic!("it answers at once")
        };
        let taken = offered[index];
        let (game, ended) = &mut *self.game.borrow_mut();
        let mut by_hand = Vec::new();
        game.deeds(&mut by_hand);
        offered.sort_unstable();
        by_hand.sort_unstable();
        assert_eq!(offered, by_hand, "{:?}", asked.keys());
        assert_eq!(game.side(), asked.request.asker.index());
        *ended = game.act(Some(taken));
        reply
    }
}

#[test]
fn scripts_and_rules_by_hand_play_the_same_games() {
    let ruleset = match Ruleset::load(&Workspace::at(folder()), "skirmish", &LoadOptions::default()) {
        Ok(ruleset) => ruleset,
        Err(problems) => panic!("{}", problems.page(false)),
    };
    assert_eq!(UNITS, 12);
    let mut start = Position::start(World::new(&ruleset.rules), false, 1, 0);
    let mut play = Play::new(ruleset, &start);
    for seed in 0..300 {
        start.seed = seed;
        play.restart(&start);
        let game = Rc::new(RefCell::new((Game::start(), None)));
        play.set_source(Box::new(Both {
            agent: Agent::Random.source(seed).expect("it answers at once"),
            game: Rc::clone(&game),
        }));
        assert_eq!(play.run_on(), Progress::Over);
        let winner = play.table().world.outcome.and_then(|o| o.winner);
        let by_hand = match game.borrow().1 {
            Some(Ended::Won(side)) => Some(FactionId(side as u8)),
            Some(Ended::Drawn) => None,
            None => panic!("seed {seed}: by hand it goes on"),
        };
        assert_eq!(winner, by_hand, "seed {seed}");
    }
}
