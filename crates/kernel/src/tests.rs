//! Properties of the kernel under rules made by hand: no script runs here.

use super::effect::{self, Effect};
use super::grid::Grid;
use super::ids::{
    Cause, FactionId, HookId, PlaceId, PlaceSet, TerrainId, Thing, TypeId, UnitId, UnitName, UnitSet,
};
use super::phase::{ActivatedUnits, EachKind, Phase, PhaseBody};
use super::rules::{Hidden, KernelHooks, Relation, Rules, Schema, Slot, SlotKind, UnitType};
use super::schedule::{Cursor, NextStep};
use super::spot::{Form, Point};
use super::world::World;
use super::{engagement, movement};
use proptest::prelude::*;

fn slot(name: &str, lasts: Option<&str>) -> Slot {
    Slot {
        name: name.to_owned(),
        kind: SlotKind::Number,
        start: 0,
        from_stat: (name == "life").then_some(0),
        lasts: lasts.map(str::to_owned),
        at_zero: None,
        falls: None,
        hit: None,
        rises: None,
        fell: None,
        rose: None,
        quiet: false,
        mark: None,
        inner: false,
        arc: None,
        says: None,
        hidden: Hidden::Never,
        hides: false,
        texts: Vec::new(),
    }
}

/// Two factions, two types, a board of 5 by 4, and a game of rounds: a turn each, then a phase for
/// every unit in which effects are gathered.
fn rules(relation: Relation) -> Rules {
    let kind = |name: &str, life| UnitType {
        name: name.to_owned(),
        symbol: name[..2].to_owned(),
        stats: vec![Some(life)],
        ranges: Vec::new(),
    };
    let phase = |name: &str, work| Phase {
        name: name.to_owned(),
        work,
        ..Phase::default()
    };
    let turn = |whose| PhaseBody::Turn {
        whose: ActivatedUnits::Nth(whose),
        turns: None,
        filters: Vec::new(),
        hook: HookId(0),
    };
    let mut round = phase("round", PhaseBody::Sequence(vec![2, 3, 4]));
    round.repeat = true;
    round.clears = vec![(Thing::Unit(UnitId(0)), 1)];
    let each = PhaseBody::Each {
        kind: EachKind::Unit,
        filters: Vec::new(),
        hook: HookId(1),
        idle: 0,
    };
    let mut together = phase("together", each);
    together.simultaneous = true;
    Rules {
        game: "sample".to_owned(),
        factions: vec!["red".to_owned(), "blue".to_owned()],
        types: vec![kind("guards", 3), kind("scouts", 2)],
        terrains: Vec::new(),
        stats: vec!["life".to_owned()],
        flags: vec![false],
        board: Grid::Hexes.rectangle(5, 4),
        ground: std::sync::Arc::new(super::ground::Places),
        plane: None,
        drawn_terrain: Vec::new(),
        stack: 2,
        relation,
        arbiter: 1,
        slots: Schema {
            unit: vec![
                slot("life", None),
                slot("tired", Some("round")),
                slot("apart", None),
            ],
            frees: Some(2),
            faction: vec![slot("score", None)],
            ..Schema::default()
        },
        phases: vec![
            phase("play", PhaseBody::Sequence(vec![1])),
            round,
            phase("first turn", turn(0)),
            phase("second turn", turn(1)),
            together,
        ],
        hooks: KernelHooks::default(),
    }
}

/// Action of a test on a world.
#[derive(Debug, Clone, Copy)]
enum WorldAction {
    Enlist(u8, u8),
    Put(u8, u8),
    Reserve(u8),
    Remove(u8),
    Apart(u8, bool),
    Set(u8, i64),
    Own(u8, u8),
    Disband(u8),
}

fn acts() -> impl Strategy<Value = Vec<WorldAction>> {
    let act = prop_oneof![
        4 => (0u8..2, 0u8..2).prop_map(|(f, k)| WorldAction::Enlist(f, k)),
        8 => (0u8..16, 0u8..20).prop_map(|(u, p)| WorldAction::Put(u, p)),
        1 => (0u8..16).prop_map(WorldAction::Reserve),
        1 => (0u8..16).prop_map(WorldAction::Remove),
        2 => (0u8..16, any::<bool>()).prop_map(|(u, is)| WorldAction::Apart(u, is)),
        1 => (0u8..16, -9i64..9).prop_map(|(u, n)| WorldAction::Set(u, n)),
        1 => (0u8..16, 0u8..2).prop_map(|(u, f)| WorldAction::Own(u, f)),
        1 => (0u8..8).prop_map(WorldAction::Disband),
    ];
    prop::collection::vec(act, 0..60)
}

fn act(rules: &Rules, world: &mut World, act: WorldAction) {
    let known = |world: &World, u: u8| ((u as usize) < world.unit_count()).then_some(UnitId(u.into()));
    match act {
        WorldAction::Enlist(f, k) => {
            world.enlist(rules, FactionId(f), TypeId(k));
        }
        WorldAction::Put(u, p) => {
            if let Some(unit) = known(world, u).filter(|&u| world.is_alive(u)) {
                world.put(unit, PlaceId(p.into()));
            }
        }
        WorldAction::Reserve(u) => {
            if let Some(unit) = known(world, u).filter(|&u| world.is_alive(u)) {
                world.reserve(unit);
            }
        }
        WorldAction::Remove(u) => {
            if let Some(unit) = known(world, u) {
                world.remove(unit);
            }
        }
        WorldAction::Apart(u, is) => {
            if let Some(unit) = known(world, u) {
                world.set_slot(Thing::Unit(unit), 2, is.into());
            }
        }
        WorldAction::Set(u, n) => {
            if let Some(unit) = known(world, u) {
                world.set_slot(Thing::Unit(unit), 1, n);
            }
        }
        WorldAction::Own(u, f) => {
            if let Some(unit) = known(world, u).filter(|&u| world.is_alive(u)) {
                effect::apply(rules, world, Effect::Own(unit, FactionId(f)), Cause::default());
            }
        }
        // Rarely: a faction of 2 out of 8.
        WorldAction::Disband(f) => {
            if f < 2 {
                world.disband(rules, FactionId(f));
            }
        }
    }
}

/// The places where units of both factions stand.
fn shared(rules: &Rules, world: &World) -> PlaceSet {
    let with = |place, faction| world.at(place).any(|u| world.unit(u).owner == FactionId(faction));
    let places = rules.board.places().iter();
    places.filter(|p| with(*p, 0) && with(*p, 1)).collect()
}

fn after(rules: &Rules, list: &[WorldAction]) -> World {
    let mut world = World::new(rules);
    for &one in list {
        act(rules, &mut world, one);
    }
    world
}

/// The neighbours of a place are those one step away, on boards of any size.
#[test]
fn one_step_leads_to_neighbours() {
    for board in [Grid::Hexes.rectangle(9, 9), Grid::Hexes.rectangle(20, 20)] {
        for place in board.places() {
            let near = board
                .places()
                .into_iter()
                .filter(|p| board.distance(place, *p) <= 1);
            assert_eq!(board.within(place, 1), near.collect::<PlaceSet>());
        }
    }
}

/// A unit whose name cannot be told from others' is not made, and that is said.
#[test]
fn names_that_run_out_are_told() {
    let rules = rules(Relation::SamePlace);
    let mut world = World::new(&rules);
    let (red, kind) = (FactionId(0), TypeId(0));
    let one = world.enlist(&rules, red, kind).expect("there is room");
    let foe = world.enlist(&rules, FactionId(1), kind).expect("there is room");
    let effects = [Effect::Enlist(red, kind), Effect::Own(foe, red)];
    let why = |world: &World| effects.map(|effect| effect::refusal(&rules, world, effect));
    assert_eq!(why(&world), [None, None]);
    let last = UnitName {
        nth: u16::MAX,
        ..world.name(one)
    };
    world.rename(one, last);
    let [enlist, own] = why(&world).map(Option::unwrap_or_default);
    let name = &rules.types[0].name;
    assert_eq!(
        enlist,
        format!("red cannot get another unit: no {name} of it can have a number above 65535")
    );
    assert!(
        own.starts_with(&format!("blue.{name}1 cannot become one of red's {name}: no ")),
        "{own}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_world_keeps_its_lists_in_step(list in acts()) {
        let rules = rules(Relation::SamePlace);
        let world = after(&rules, &list);
        let mut on_board = UnitSet::EMPTY;
        for place in rules.board.places() {
            for unit in world.at(place) {
                prop_assert_eq!(world.place(unit), Some(place));
                prop_assert!(!on_board.contains(unit), "a unit in two places");
                on_board.insert(unit);
            }
        }
        prop_assert_eq!(world.contested(), &shared(&rules, &world));
        prop_assert_eq!(world.on_board(), on_board.clone());
        prop_assert!((&on_board - world.alive()).is_empty());
        let red = &world.owned(FactionId(0));
        let blue = &world.owned(FactionId(1));
        prop_assert!((red & blue).is_empty());
        prop_assert!((world.alive() - (red | blue)).is_empty());
        let mut names: Vec<_> = (red | blue).map(|u| world.name(u)).collect();
        names.sort();
        names.dedup();
        prop_assert_eq!(names.len(), (red | blue).len(), "two units of one name");
        for unit in red | blue {
            prop_assert_eq!(world.find(world.name(unit)), Some(unit));
            let text = rules.unit_name(world.name(unit));
            prop_assert_eq!(rules.parse_unit_name(&text), Some(world.name(unit)));
        }
    }

    #[test]
    fn a_copy_is_equal_and_apart(list in acts(), more in acts()) {
        let rules = rules(Relation::SamePlace);
        let mut world = after(&rules, &list);
        let copy = world.clone();
        prop_assert_eq!(&copy, &world);
        let before = format!("{copy:?}");
        for one in more {
            act(&rules, &mut world, one);
        }
        prop_assert_eq!(format!("{copy:?}"), before);
        world.clone_from(&copy);
        prop_assert_eq!(&copy, &world);
    }

    #[test]
    fn engagement_is_what_it_says(list in acts(), adjacent in any::<bool>()) {
        let relation = if adjacent { Relation::Adjacent } else { Relation::SamePlace };
        let rules = rules(relation);
        let world = after(&rules, &list);
        let near = |a: UnitId, b: UnitId| match (world.place(a), world.place(b)) {
            (Some(a), Some(b)) => rules.board.distance(a, b) <= usize::from(adjacent),
            _ => false,
        };
        for unit in world.alive() {
            let foes: UnitSet = world
                .alive()
                .filter(|&f| world.unit(f).owner != world.unit(unit).owner && near(unit, f))
                .collect();
            prop_assert_eq!(engagement::contact(&rules, &world, unit), foes.clone());
            let engaged = !foes.is_empty() && world.slot(Thing::Unit(unit), 2) == 0;
            prop_assert_eq!(engagement::engaged(&rules, &world, unit), engaged);
            prop_assert_eq!(engagement::engaged_of(&rules, &world, world.on_board()).contains(unit), engaged);
        }
    }

    #[test]
    fn a_walk_goes_step_by_step_and_ends_at_foes(list in acts(), steps in 0usize..5) {
        let rules = rules(Relation::SamePlace);
        let world = after(&rules, &list);
        for unit in world.on_board() {
            let start = world.place(unit).expect("on the board");
            let foe_in = |p: PlaceId| world.at(p).any(|u| world.unit(u).owner != world.unit(unit).owner);
            // Walk by hand, path by path.
            let mut ends = PlaceSet::EMPTY;
            let mut last = vec![start];
            for _ in 0..steps {
                let mut next = Vec::new();
                for &place in &last {
                    if place != start && foe_in(place) {
                        continue;
                    }
                    next.extend(rules.board.neighbours(place));
                }
                next.sort();
                next.dedup();
                ends = next.iter().fold(ends, |all, &p| all | PlaceSet::one(p));
                last = next;
            }
            let exactly: PlaceSet = last.into_iter().collect();
            let reach = movement::reach(&world, unit, steps);
            prop_assert_eq!(reach, ends - PlaceSet::one(start));
            // With foes at the start, a walk that comes back there cannot go on from there.
            if !foe_in(start) {
                prop_assert_eq!(movement::reach_exactly(&world, unit, steps), exactly);
            }
        }
    }

    #[test]
    fn every_round_activates_each_unit_once_and_resets_what_lasts_a_round(list in acts(), order in any::<u64>()) {
        let rules = rules(Relation::SamePlace);
        let mut world = after(&rules, &list);
        let mut cursor = Cursor::start(false);
        let mut random = order;
        for round in 1..=3u16 {
            let mut activated = UnitSet::EMPTY;
            let mut stepped = UnitSet::EMPTY;
            let mut closed = 0;
            let on_board = world.on_board();
            while closed == 0 {
                match cursor.next(&rules, &mut world) {
                    NextStep::Begin { phase: 1, iteration, .. } => {
                        prop_assert_eq!(iteration, round);
                        for unit in &on_board {
                            let tired = world.slot(Thing::Unit(unit), 1);
                            prop_assert!(round == 1 || tired == 0);
                        }
                    }
                    NextStep::Pick { units, faction, .. } if units.is_empty() => {
                        let own = world.owned(faction) & on_board.clone();
                        prop_assert!(own.is_empty(), "somebody could be activated");
                        cursor.pass(&rules, faction);
                    }
                    NextStep::Pick { units, faction, .. } => {
                        prop_assert!((units.clone() - world.owned(faction)).is_empty());
                        prop_assert!((units.clone() & activated.clone()).is_empty(), "offered twice");
                        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                        let nth = (random >> 33) as usize % units.len();
                        let unit = { units }.nth(nth).expect("counted");
                        cursor.pick(&rules, &world, unit);
                        let next = cursor.next(&rules, &mut world);
                        prop_assert_eq!(next, NextStep::Step { hook: HookId(0), about: Thing::Unit(unit) });
                        activated.insert(unit);
                        world.set_slot(Thing::Unit(unit), 1, 7);
                    }
                    NextStep::Step { hook: HookId(1), about: Thing::Unit(unit) } => {
                        prop_assert!(cursor.gathers() && !stepped.contains(unit));
                        stepped.insert(unit);
                    }
                    NextStep::Close => closed += 1,
                    NextStep::Begin { .. } => {}
                    other => panic!("{other:?}"),
                }
            }
            prop_assert_eq!(activated, on_board.clone());
            prop_assert_eq!(&stepped, &on_board);
        }
    }

    #[test]
    fn a_view_has_nothing_of_the_other_faction_since_the_start(list in acts(), more in acts()) {
        let rules = rules(Relation::SamePlace);
        let start = after(&rules, &list);
        let mut world = start.clone();
        for one in more {
            act(&rules, &mut world, one);
        }
        let (red, blue) = (FactionId(0), FactionId(1));
        let view = world.masked(&rules, &start, red);
        prop_assert_eq!(view.contested(), &shared(&rules, &view));
        for unit in world.owned(red) {
            prop_assert_eq!(view.place(unit), world.place(unit));
        }
        for unit in view.owned(blue) & view.alive() {
            prop_assert!(start.is_alive(unit));
            prop_assert_eq!(view.place(unit), start.place(unit));
            prop_assert_eq!(view.slot(Thing::Unit(unit), 1), start.slot(Thing::Unit(unit), 1));
        }
    }
}

#[test]
fn a_game_that_never_ends_is_noticed() {
    let rules = rules(Relation::SamePlace);
    let mut world = World::new(&rules);
    let mut cursor = Cursor::start(false);
    let mut next = || {
        let next = cursor.next(&rules, &mut world);
        if let NextStep::Pick { faction, .. } = next {
            cursor.pass(&rules, faction);
        }
        next
    };
    let endless = (0..100_000)
        .map(|_| next())
        .find(|n| matches!(n, NextStep::Endless { .. }));
    assert_eq!(endless, Some(NextStep::Endless { phase: 1 }));
}

#[test]
fn of_pieces_that_are_laid_in_secret_nobody_else_sees_the_outline() {
    let rules = rules(Relation::SamePlace);
    let start = World::new(&rules);
    let mut world = start.clone();
    let piece = PlaceId(3);
    world.lay_as(
        &rules,
        piece,
        TerrainId(0),
        Some(Form::Disc(Point { x: 5_000, y: 5_000 }, 3_000)),
    );
    assert!(world.piece(piece).is_some());
    assert!(world.masked(&rules, &start, FactionId(0)).piece(piece).is_none());
    assert!(start.masked(&rules, &world, FactionId(0)).piece(piece).is_some());
    // Laid and lifted it leaves nothing behind.
    world.lift(&rules, piece, TerrainId(0));
    world.set_piece(piece, None);
    assert!(world == start);
}
