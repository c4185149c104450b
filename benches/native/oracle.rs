//! The same game twice: the scripts play it and what they ask and are answered is written down; then the
//! rules by hand play it from those answers. They must ask the same, option for option, and end the same.

use super::rules::variant::*;
use super::rules::{Answers, End, Game, KINDS, SideQuestion, UNITS, Unit};
use rulebench::agents::Agent;
use rulebench::kernel::choice::OfferedOption;
use rulebench::kernel::event::Event;
use rulebench::kernel::ids::{FactionId, PlaceId, Thing, UnitId};
use rulebench::kernel::table::{Answerer, Position, Question, Reply, Table};
use rulebench::kernel::world::World;
use rulebench::play::{Play, Progress};
use rulebench::report::Source;
use rulebench::rules::ruleset::{LoadOptions, Ruleset};
use rulebench::stage::run::{self, Overrides};
use std::cell::RefCell;
use std::rc::Rc;

/// Armies of all nine types, laid where they can meet in the first round.
pub const LAID: &str = r#"
game = "smalltricks"
units.red  = ["archers b2", "cannons c1", "mounted d3", "aerial a1", "spears c3", "militia e2"]
units.blue = ["archers e5", "muskets d6", "mounted b4", "assault_beasts c4", "spears d5", "battery_ram f5"]
"#;

/// Plays a game both ways: see [`compare`].
pub type Compare = fn(&mut Play, &mut Position, u64) -> usize;

/// The base rules, every variant that is known by hand, and all that go together.
pub const RULES: &[(&[&str], Compare)] = &[
    (&[], compare::<0>),
    (&["abilities-must-be-used"], compare::<ABILITIES_MUST_BE_USED>),
    (&["aerial-only-assault"], compare::<AERIAL_ONLY_ASSAULT>),
    (&["charge-leads-away"], compare::<CHARGE_LEADS_AWAY>),
    (&["charges-may-be-declined"], compare::<CHARGES_MAY_BE_DECLINED>),
    (&["combats-last"], compare::<COMBATS_LAST>),
    (&["fire-unmoved"], compare::<FIRE_UNMOVED>),
    (&["first-volley-aimed"], compare::<FIRST_VOLLEY_AIMED>),
    (
        &["free-unit-spares-the-castle"],
        compare::<FREE_UNIT_SPARES_THE_CASTLE>,
    ),
    (&["friendly-fire"], compare::<FRIENDLY_FIRE>),
    (&["idle-archers-forget"], compare::<IDLE_ARCHERS_FORGET>),
    (&["last-army-standing"], compare::<LAST_ARMY_STANDING>),
    (&["ranged-first"], compare::<RANGED_FIRST>),
    (&["trample-damage"], compare::<TRAMPLE_DAMAGE>),
    (
        &[
            "aerial-only-assault",
            "charge-leads-away",
            "charges-may-be-declined",
            "combats-last",
            "fire-unmoved",
            "first-volley-aimed",
            "free-unit-spares-the-castle",
            "friendly-fire",
            "last-army-standing",
            "ranged-first",
            "trample-damage",
        ],
        compare::<
            {
                AERIAL_ONLY_ASSAULT
                    | CHARGE_LEADS_AWAY
                    | CHARGES_MAY_BE_DECLINED
                    | COMBATS_LAST
                    | FIRE_UNMOVED
                    | FIRST_VOLLEY_AIMED
                    | FREE_UNIT_SPARES_THE_CASTLE
                    | FRIENDLY_FIRE
                    | LAST_ARMY_STANDING
                    | RANGED_FIRST
                    | TRAMPLE_DAMAGE
            },
        >,
    ),
];

/// Questions that the scripts asked, with their answers.
type Record = Rc<RefCell<Vec<(SideQuestion, u32)>>>;

/// The random agent, whose answers are written down.
struct Recorder {
    agent: Box<dyn Answerer>,
    record: Record,
}

impl Answerer for Recorder {
    fn answer(&mut self, asked: &Question<'_>) -> Reply {
        let reply = self.agent.answer(asked);
        if let Reply::Take(index) = reply {
            self.record.borrow_mut().push((question(asked), index as u32));
        }
        reply
    }
}

/// A question of the scripts as the rules by hand put it.
fn question(asked: &Question<'_>) -> SideQuestion {
    let side = asked.request.asker.index();
    let mut question = SideQuestion {
        side,
        words: 0,
        set: 0,
    };
    for option in asked.request.options.iter() {
        let bit = match option {
            OfferedOption::Unit(UnitId(id)) | OfferedOption::Place(PlaceId(id)) => 1 << id,
            OfferedOption::Word(_) => 0,
            OfferedOption::Number(n) if n == i64::from(question.words) => 0,
            _ => panic!("no such option by hand: {:?}", asked.keys()),
        };
        // Words come first, then units or hexagons from the lowest.
        assert!(bit > question.set || question.set == 0, "{:?}", asked.keys());
        question.words += u32::from(bit == 0);
        question.set |= bit;
    }
    // None is there twice.
    assert_eq!(question.len() as usize, asked.request.options.len());
    question
}

/// Answers as they were written down, as long as the questions are the same.
struct Recorded<'a> {
    record: std::slice::Iter<'a, (SideQuestion, u32)>,
    seed: u64,
}

impl Answers for Recorded<'_> {
    fn answer(&mut self, question: SideQuestion) -> u32 {
        let seed = self.seed;
        let Some((asked, index)) = self.record.next() else {
            panic!("seed {seed}: by hand more is asked than by the scripts: {question:?}");
        };
        assert_eq!(
            question, *asked,
            "seed {seed}: by hand (left), by the scripts (right)"
        );
        *index
    }
}

/// Loads the game with these variants, to be played from the start.
pub fn whole(variants: &[&str]) -> (Play, Position) {
    let options = LoadOptions {
        variants: variants.iter().map(|v| (*v).to_owned()).collect(),
        ..LoadOptions::default()
    };
    let ruleset = match Ruleset::load(&rulebench::embedded::games(), "smalltricks", &options) {
        Ok(ruleset) => ruleset,
        Err(problems) => panic!("{}", problems.page(false)),
    };
    let start = Position::start(World::new(&ruleset.rules), false, 1, 0);
    (Play::new(ruleset, &start), start)
}

/// The same from [`LAID`].
pub fn laid(variants: &[&str]) -> (Play, Position) {
    set_up(LAID, variants)
}

/// The same from a scenario.
///
/// # Panics
///
/// It cannot be set up.
pub fn set_up(scenario: &str, variants: &[&str]) -> (Play, Position) {
    let overrides = Overrides {
        variants: variants.iter().map(|v| (*v).to_owned()).collect(),
        ..Overrides::default()
    };
    let file = run::open(&Source::new("laid.toml", scenario));
    let laid = file.and_then(|opened| run::lay(&rulebench::embedded::games(), &opened.file, &overrides));
    let laid = laid.unwrap_or_else(|problems| panic!("{}", problems.page(false)));
    (laid.play, laid.start)
}

/// The units on the table, by their ids.
pub fn units(table: &Table) -> Vec<Unit> {
    let world = &table.world;
    let life = table.rules.slots.find(Thing::Unit(UnitId(0)), "life");
    let life = life.expect("the game has the slot");
    let unit = |id: UnitId| {
        let kind = &table.rules.types[world.unit(id).kind.index()].name;
        let kind = KINDS.iter().position(|k| k == kind);
        Unit {
            kind: kind.expect("a type known by hand"),
            side: world.unit(id).owner.index(),
            place: world.place(id).expect("on the board").index(),
            life: world.slot(Thing::Unit(id), life) as i8,
        }
    };
    let ids = 0..world.unit_count() as u16;
    assert!(ids.len() <= UNITS);
    ids.map(|id| unit(UnitId(id))).collect()
}

/// Plays up to the first round.
pub fn up_to_the_first_round(play: &mut Play) {
    let begun = |play: &Play| {
        let table = play.table();
        table
            .checkpoint
            .cursor
            .iteration(&play.ruleset().rules, "round")
            .is_some()
    };
    loop {
        assert_eq!(play.prepare(), Progress::Stepped);
        if begun(play) {
            return;
        }
        assert_eq!(play.advance(), Progress::Stepped);
    }
}

/// Plays one game both ways from a position at the game's start; how many questions that is.
///
/// # Panics
///
/// The two differ.
pub fn compare<const V: u32>(play: &mut Play, start: &mut Position, seed: u64) -> usize {
    compare_under::<V>(V, play, start, seed)
}

/// The same under these variants, which count where `V` is [`ANY`].
///
/// # Panics
///
/// The two differ.
pub fn compare_under<const V: u32>(variants: u32, play: &mut Play, start: &mut Position, seed: u64) -> usize {
    let agent = || Agent::Random.source(seed).expect("it answers at once");
    start.seed = seed;
    play.restart(start);
    play.set_source(agent());
    up_to_the_first_round(play);
    let laid = units(play.table());
    let mut game = Game::<V>::under(variants, &laid);
    let record = Record::default();
    play.set_source(Box::new(Recorder {
        agent: agent(),
        record: Rc::clone(&record),
    }));
    assert_eq!(play.run_on(), Progress::Over);
    play.clear_source();

    let record = record.borrow();
    let mut answers = Recorded {
        record: record.iter(),
        seed,
    };
    let end = game.play(&mut answers);
    assert_eq!(
        answers.record.len(),
        0,
        "seed {seed}: by hand the game ends early"
    );
    assert_eq!(by_hand(&game, laid.len(), end), by_scripts(play), "seed {seed}");
    record.len()
}

/// All that can be told of a game that is over.
#[derive(Debug, PartialEq, Eq)]
struct Told {
    winner: Option<usize>,
    reason: String,
    rounds: u32,
    damage: [i64; 2],
    /// Place, remaining life and last target of each unit.
    units: Vec<(Option<usize>, i64, Option<i64>)>,
}

fn by_hand<const V: u32>(game: &Game<V>, units: usize, end: End) -> Told {
    let told = |me: usize| {
        let last = i64::from(game.last_target[me]);
        let last = (last < UNITS as i64).then_some(last);
        (game.place(me), i64::from(game.life[me]), last)
    };
    Told {
        winner: end.winner,
        reason: end.reason.to_owned(),
        rounds: game.rounds,
        damage: game.damage.map(i64::from),
        units: (0..units).map(told).collect(),
    }
}

fn by_scripts(play: &Play) -> Told {
    let table = play.table();
    let (rules, world) = (&table.rules, &table.world);
    let slot = |thing, name| {
        let slot = rules.slots.find(thing, name).expect("the game has the slot");
        world.slot(thing, slot)
    };
    let mut rounds = 0;
    let mut ends = Vec::new();
    for event in &table.events {
        match event {
            Event::Phase { phase, iteration } if rules.phases[*phase as usize].name == "round" => {
                rounds = u32::from(*iteration);
            }
            Event::Finished { outcome, .. } => ends.push(*outcome),
            _ => {}
        }
    }
    // The game, and then the match.
    assert_eq!(ends.len(), 2);
    let told = |id: u8| {
        let unit = Thing::Unit(UnitId(id.into()));
        let last = slot(unit, "last_target");
        let place = world.place(UnitId(id.into())).map(PlaceId::index);
        (
            place,
            slot(unit, "life"),
            (0..UNITS as i64).contains(&last).then_some(last),
        )
    };
    Told {
        winner: ends[0].winner.map(FactionId::index),
        reason: table.words.text(ends[0].reason).to_owned(),
        rounds,
        damage: [0, 1].map(|f| slot(Thing::Faction(FactionId(f)), "damage")),
        units: (0..world.unit_count() as u8).map(told).collect(),
    }
}
