//! The world: units, where they stand, and every slot, flat so that copies are cheap.

use super::dice::Pool;
use super::dice_access::{DiceRead, DiceRecorder, LogMark};
use super::ids::{
    FactionId, MAX_FACTIONS, MAX_UNITS, PlaceId, PlaceSet, RecordedThing, TerrainId, TerrainSet, Thing,
    TypeId, UnitId, UnitName, UnitSet, WordId,
};
use super::ignored_in_eq::IgnoredInEq;
use super::plane::Shape;
use super::pose::{Pose, Turn};
use super::ranks::{self, Ranks};
use super::rules::{Hidden, Item, ItemKind, Items, NOTHING, Rules, Schema, Slot, SlotKind};
use super::spot::{Form, Point, Spot};
use crate::adjacency::Adjacency;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A unit's fixed parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Unit {
    /// Its type.
    pub kind: TypeId,
    /// Its faction.
    pub owner: FactionId,
    /// Its number among its faction's units of that type, from 1.
    pub nth: u16,
    /// Place of the unit; [`OFF`] when it is in reserve or removed.
    place: u16,
}

/// Offsets of the slots of each kind of thing, and the number of slots of each thing with the cells of its sets and
/// lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SlotLayout {
    factions: usize,
    faction: usize,
    places: usize,
    place: usize,
    units: usize,
    unit: usize,
}

impl SlotLayout {
    fn of(rules: &Rules) -> Self {
        let schema = &rules.slots;
        let [factions, faction, place, unit] = [&schema.game, &schema.faction, &schema.place, &schema.unit]
            .map(|slots| slots.len() + Schema::cells(slots));
        let places = factions + rules.factions.len() * faction;
        let units = places + rules.board.len() * place;
        Self {
            factions,
            faction,
            places,
            place,
            units,
            unit,
        }
    }
}

const OFF: u16 = u16::MAX;
/// On boards with more places than this, only those where somebody stands are copied.
const SPARSE: usize = 64;

/// Outcome of a contest (a game, a match).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The winner; `None` for a draw.
    pub winner: Option<FactionId>,
    /// Why, in the script's words.
    pub reason: WordId,
    /// The contest that ended, by name.
    pub contest: WordId,
}

/// Everything that can change in a game, between steps and within one.
#[derive(Debug, PartialEq, Eq)]
pub struct World {
    units: Vec<Unit>,
    /// Sets of the units that exist and of those in each place.
    sets: Ranks,
    /// Places with units in them.
    occupied: PlaceSet,
    /// Those of them with units of more than one faction.
    contested: PlaceSet,
    /// Points of the units on a plane, by unit; empty on a board. Nobody off the plane has a point.
    points: Vec<Option<Point>>,
    /// Height and turn of each die at its point; empty where there are no dice.
    lies: Vec<(i32, Turn)>,
    /// The names that units had before they came to another faction or type; nobody else gets them.
    former: Vec<(UnitName, UnitId)>,
    /// Pieces of terrain on a plane, by place; empty on a board.
    pieces: Arc<Vec<Option<Shape>>>,
    /// Terrain by place; empty in a game without terrain. Copies of a world share it until it changes.
    terrain: Arc<Vec<TerrainSet>>,
    /// The places that touch, walls considered; shared like terrain.
    adjacency: Arc<Adjacency>,
    /// Places where somebody can stand: all of them, or those with terrain.
    ground: PlaceSet,
    /// Slots of the game, then of each faction, each place, each unit.
    slots: Vec<i64>,
    layout: SlotLayout,
    /// Factions in turn order.
    order: [FactionId; MAX_FACTIONS],
    /// The last contest that ended.
    pub outcome: Option<Outcome>,
    /// Whether the innermost running contest is decided.
    pub decided: bool,
    /// Recorder of the use of its dice; not copied.
    recorder: IgnoredInEq<Option<DiceRecorder>>,
    /// The faction that sees the world so, where what is hidden from it has been left out.
    viewer: IgnoredInEq<Option<FactionId>>,
}

/// Copies a list that is mostly empty.
#[inline]
fn copy_rare<T: Clone>(to: &mut Vec<T>, from: &Vec<T>) {
    if !(to.is_empty() && from.is_empty()) {
        to.clone_from(from);
    }
}

/// By all that differs between worlds that differ; where units stand tells the rest.
impl Hash for World {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.units.hash(state);
        self.slots.hash(state);
        for row in (0..ranks::AT).filter(|row| *row != ranks::ON_BOARD) {
            self.sets.of(row).hash(state);
        }
        self.former.hash(state);
        self.points.hash(state);
        self.lies.hash(state);
        self.pieces.hash(state);
        (self.order, self.outcome, self.decided).hash(state);
        for place in self.ground().iter().filter(|p| !self.terrain(*p).is_empty()) {
            (place, self.terrain(place)).hash(state);
        }
        let edges = self.terrain.iter().enumerate().skip(self.sets.places());
        edges
            .filter(|(_, laid)| !laid.is_empty())
            .for_each(|edge| edge.hash(state));
    }
}

impl Clone for World {
    fn clone(&self) -> Self {
        Self {
            units: self.units.clone(),
            sets: self.sets.clone(),
            occupied: self.occupied.clone(),
            contested: self.contested.clone(),
            points: self.points.clone(),
            lies: self.lies.clone(),
            former: self.former.clone(),
            pieces: Arc::clone(&self.pieces),
            terrain: Arc::clone(&self.terrain),
            adjacency: Arc::clone(&self.adjacency),
            ground: self.ground.clone(),
            slots: self.slots.clone(),
            recorder: IgnoredInEq(None),
            ..*self
        }
    }

    /// Copies without allocating where the room is there.
    fn clone_from(&mut self, source: &Self) {
        self.units.clear();
        self.units.extend_from_slice(&source.units);
        copy_rare(&mut self.former, &source.former);
        copy_rare(&mut self.points, &source.points);
        copy_rare(&mut self.lies, &source.lies);
        if self.sets.places() == source.sets.places() && source.sets.places() > SPARSE {
            let either = &self.occupied | &source.occupied;
            self.sets.copy(&source.sets, either.map(PlaceId::index));
        } else {
            self.sets.clone_from(&source.sets);
        }
        // Counting who shares them costs more than looking whether they do.
        if !Arc::ptr_eq(&self.pieces, &source.pieces) {
            self.pieces = Arc::clone(&source.pieces);
        }
        if !Arc::ptr_eq(&self.terrain, &source.terrain) {
            self.terrain = Arc::clone(&source.terrain);
        }
        if !Arc::ptr_eq(&self.adjacency, &source.adjacency) {
            self.adjacency = Arc::clone(&source.adjacency);
        }
        self.ground.clone_from(&source.ground);
        self.slots.clear();
        self.slots.extend_from_slice(&source.slots);
        self.layout = source.layout;
        self.occupied.clone_from(&source.occupied);
        self.contested.clone_from(&source.contested);
        self.order = source.order;
        self.outcome = source.outcome;
        self.decided = source.decided;
    }
}

impl World {
    /// The world of a game as it begins: no units, every slot at its starting value, and the terrain that the
    /// board is drawn with.
    pub fn new(rules: &Rules) -> Self {
        let mut world = Self::bare(rules);
        for &(place, terrain) in &rules.drawn_terrain {
            world.lay(rules, place, terrain);
        }
        world
    }

    /// The same without any terrain.
    pub fn bare(rules: &Rules) -> Self {
        let mut world = Self {
            units: Vec::new(),
            sets: Ranks::new(rules.board.len()),
            occupied: PlaceSet::EMPTY,
            contested: PlaceSet::EMPTY,
            points: Vec::new(),
            lies: Vec::new(),
            former: Vec::new(),
            pieces: Arc::default(),
            terrain: Arc::default(),
            adjacency: Arc::clone(&rules.board.adjacency),
            ground: rules.board.places().clone(),
            slots: Vec::new(),
            layout: SlotLayout::of(rules),
            order: std::array::from_fn(|i| FactionId(i as u8)),
            outcome: None,
            decided: false,
            recorder: IgnoredInEq(None),
            viewer: IgnoredInEq(None),
        };
        if !rules.terrains.is_empty() {
            let size = rules.board.len() + rules.board.edges().count();
            world.terrain = Arc::new(vec![TerrainSet::default(); size]);
            if rules.terrains.iter().any(|kind| kind.on_edges.is_none()) {
                world.ground = PlaceSet::EMPTY;
            }
        }
        let pieces = rules.ground.first_pieces();
        if !pieces.is_empty() {
            world.pieces = Arc::new(pieces.iter().cloned().map(Some).collect());
            world.ground = rules.board.places().clone();
        }
        let of = |thing| {
            let slots = rules.slots.of(thing);
            let cells = std::iter::repeat_n(0, Schema::cells(slots));
            slots.iter().map(|slot| slot.start).chain(cells)
        };
        world.slots = world.things(rules).flat_map(of).collect();
        world
    }

    /// A unit's fixed parts. Ids come from the world, so they are always in range.
    #[inline]
    pub fn unit(&self, unit: UnitId) -> &Unit {
        &self.units[unit.index()]
    }

    /// Returns the number of unit ids given out so far.
    pub fn unit_count(&self) -> usize {
        self.units.len()
    }

    /// Returns the location of a unit; `None` in reserve or removed.
    #[inline]
    pub fn place(&self, unit: UnitId) -> Option<PlaceId> {
        match self.units[unit.index()].place {
            OFF => None,
            place => Some(PlaceId(place)),
        }
    }

    /// Returns the point of a unit on a plane; `None` in reserve or removed, and on a board.
    #[inline]
    pub fn point(&self, unit: UnitId) -> Option<Point> {
        self.points.get(unit.index()).copied().flatten()
    }

    /// Returns the pose of a die on the table; `None` in reserve or removed, and for units that are not dice.
    pub fn pose(&self, unit: UnitId) -> Option<Pose> {
        let (point, (height, turn)) = (self.point(unit)?, *self.lies.get(unit.index())?);
        Some(Pose {
            at: [point.x, point.y, height],
            turn,
        })
    }

    /// Lays a die down.
    pub fn lay_die(&mut self, unit: UnitId, pose: Pose) {
        let [x, y, height] = pose.at;
        self.put_at(unit, Point { x, y });
        if let Some(lies) = self.lies.get_mut(unit.index()) {
            *lies = (height, pose.turn);
        }
    }

    /// Returns the location of a unit; `None` in reserve or removed.
    #[inline]
    pub fn spot(&self, unit: UnitId) -> Option<Spot> {
        match self.place(unit) {
            Some(place) => Some(Spot::Place(place)),
            None => self.point(unit).map(Spot::Point),
        }
    }

    /// The units that stand in a place.
    #[inline]
    pub fn at(&self, place: PlaceId) -> UnitSet {
        self.sets.of(ranks::AT + place.index())
    }

    /// The units that stand in any of these places.
    #[inline]
    pub fn in_places(&self, places: PlaceSet) -> UnitSet {
        let stood_on = places & &self.occupied;
        self.sets.of_all(stood_on.map(|p| ranks::AT + p.index()))
    }

    /// The places where anybody stands.
    #[inline]
    pub fn occupied(&self) -> &PlaceSet {
        &self.occupied
    }

    /// The places where units of more than one faction stand.
    #[inline]
    pub fn contested(&self) -> &PlaceSet {
        &self.contested
    }

    /// Finds out whether units of more than one faction stand in a place.
    #[inline]
    fn renew_contested(&mut self, place: PlaceId) {
        let one = self.at(place).first();
        match one.is_some_and(|one| self.has_others(place, self.unit(one).owner)) {
            true => self.contested.insert(place),
            false => self.contested.remove(place),
        }
    }

    /// The outline of a piece of terrain on a plane.
    pub fn piece(&self, place: PlaceId) -> Option<&Shape> {
        self.pieces.get(place.index())?.as_ref()
    }

    /// Puts a piece of terrain where its outline says, or takes it away.
    pub fn set_piece(&mut self, place: PlaceId, shape: Option<Shape>) {
        let pieces = Arc::make_mut(&mut self.pieces);
        if pieces.len() <= place.index() {
            pieces.resize(place.index() + 1, None);
        }
        pieces[place.index()] = shape;
        // Where none lies behind it there is nothing: equal worlds are equal however they came about.
        let used = pieces
            .iter()
            .rposition(Option::is_some)
            .map_or(0, |last| last + 1);
        pieces.truncate(used);
    }

    /// The terrain of a place or an edge; empty for a gap, and everywhere in a game without terrain.
    #[inline]
    pub fn terrain(&self, place: PlaceId) -> TerrainSet {
        self.terrain.get(place.index()).copied().unwrap_or_default()
    }

    /// The places where somebody can stand: all of the board, or those with terrain in a game that
    /// has any.
    #[inline]
    pub fn ground(&self) -> &PlaceSet {
        &self.ground
    }

    /// The places that touch, so that units step from one to the other and meet: those of the board without those that
    /// walls separate.
    #[inline]
    pub fn adjacency(&self) -> &Adjacency {
        &self.adjacency
    }

    /// Lays a kind of terrain in a place or on an edge, besides what lies there.
    pub fn lay(&mut self, rules: &Rules, place: PlaceId, terrain: TerrainId) {
        if let Some(here) = Arc::make_mut(&mut self.terrain).get_mut(place.index()) {
            *here = here.with(terrain);
            match rules.board.ends(place) {
                Some(_) => self.renew_edge(rules, place),
                None => self.ground.insert(place),
            }
        }
    }

    /// Lays a kind of terrain as a piece with an outline, or without one in a place or on an edge.
    pub fn lay_as(&mut self, rules: &Rules, place: PlaceId, terrain: TerrainId, form: Option<Form>) {
        if let Some(shape) = form.and_then(Form::shape) {
            self.set_piece(place, Some(shape));
        }
        self.lay(rules, place, terrain);
    }

    /// Takes a kind of terrain away from a place, which is a gap when nothing is left, or from an edge.
    pub fn lift(&mut self, rules: &Rules, place: PlaceId, terrain: TerrainId) {
        if let Some(here) = Arc::make_mut(&mut self.terrain).get_mut(place.index()) {
            *here = here.without(terrain);
            if rules.board.ends(place).is_some() {
                self.renew_edge(rules, place);
            } else if here.is_empty() {
                self.ground.remove(place);
                if self.pieces.len() > place.index() {
                    self.set_piece(place, None);
                }
            }
        }
    }

    /// Separates the two places of an edge if something there blocks steps, and lets them touch otherwise.
    fn renew_edge(&mut self, rules: &Rules, edge: PlaceId) {
        let Some([a, b]) = rules.board.ends(edge) else {
            return;
        };
        let blocks = |kind: TerrainId| {
            rules.terrains[kind.index()]
                .on_edges
                .is_some_and(|on| on.blocks_steps)
        };
        let touch = !self.terrain(edge).any(blocks);
        if self.adjacency.touch(a, b) != touch {
            Arc::make_mut(&mut self.adjacency).set(a, b, touch);
        }
    }

    /// The edges with terrain that blocks sight.
    pub fn opaque_edges(&self, rules: &Rules) -> PlaceSet {
        let blocks = |kind: TerrainId| {
            rules.terrains[kind.index()]
                .on_edges
                .is_some_and(|on| on.blocks_sight)
        };
        let edges = rules.board.edges();
        edges.filter(|edge| self.terrain(*edge).any(blocks)).collect()
    }

    /// The gaps from which one comes beyond the board over gaps. A gap that ground encloses is none.
    pub fn outside(&self, rules: &Rules) -> PlaceSet {
        let (board, gaps) = (&rules.board, rules.board.places() - &self.ground);
        let mut outside = &gaps & board.rim();
        let mut new = outside.clone();
        while !new.is_empty() {
            new = (board.around_with_holes(new) & &gaps) - &outside;
            outside = outside | &new;
        }
        outside
    }

    /// The places of the ground that touch the outside: what lies beyond the board, or one of
    /// [`outside`](World::outside).
    pub fn rim(&self, rules: &Rules) -> PlaceSet {
        let board = &rules.board;
        &self.ground & (board.rim() | board.around_with_holes(self.outside(rules)))
    }

    /// The places where any of these units stand.
    pub fn places_of(&self, units: UnitSet) -> PlaceSet {
        units.filter_map(|u| self.place(u)).collect()
    }

    /// The units that exist, on the board or in reserve.
    #[inline]
    pub fn alive(&self) -> UnitSet {
        self.sets.of(ranks::ALIVE)
    }

    /// The units on the board.
    #[inline]
    pub fn on_board(&self) -> UnitSet {
        self.sets.of(ranks::ON_BOARD)
    }

    /// The units that came from one place on the board to another since the innermost repeating
    /// phase began.
    #[inline]
    pub fn moved(&self) -> UnitSet {
        self.sets.of(ranks::MOVED)
    }

    /// Whether a unit is one of [`Self::moved`].
    #[inline]
    pub fn has_moved(&self, unit: UnitId) -> bool {
        self.sets.contains(ranks::MOVED, unit)
    }

    /// Whether a unit stands on the board.
    #[inline]
    pub fn is_on_board(&self, unit: UnitId) -> bool {
        self.sets.contains(ranks::ON_BOARD, unit)
    }

    /// Whether a unit exists.
    #[inline]
    pub fn is_alive(&self, unit: UnitId) -> bool {
        self.sets.contains(ranks::ALIVE, unit)
    }

    /// Whether others than a faction's own units stand in a place.
    #[inline]
    pub fn has_others(&self, place: PlaceId, faction: FactionId) -> bool {
        let at = ranks::AT + place.index();
        !self.sets.is_within(at, ranks::OWNED + faction.index())
    }

    /// Those of some places where others than a faction's own units stand.
    #[inline]
    pub fn with_others(&self, places: &PlaceSet, faction: FactionId) -> PlaceSet {
        let stood_on = places & &self.occupied;
        if stood_on.is_empty() {
            return stood_on;
        }
        self.sets.with_others(stood_on, ranks::OWNED + faction.index())
    }

    /// Those of some places where at least so many of a faction's own units stand, 1 or more.
    #[inline]
    pub fn with_so_many(&self, places: &PlaceSet, faction: FactionId, least: usize) -> PlaceSet {
        let stood_on = places & &self.occupied;
        if stood_on.is_empty() {
            return stood_on;
        }
        let own = ranks::OWNED + faction.index();
        self.sets.with_so_many(stood_on, own, least)
    }

    /// Returns the number of a faction's own units in a place.
    #[inline]
    pub fn own_in(&self, place: PlaceId, faction: FactionId) -> usize {
        self.sets
            .in_both(ranks::AT + place.index(), ranks::OWNED + faction.index())
    }

    /// Every unit that was ever a faction's, removed ones too.
    #[inline]
    pub fn owned(&self, faction: FactionId) -> UnitSet {
        self.sets.of(ranks::OWNED + faction.index())
    }

    /// Every unit that is or was a faction's.
    pub fn ever_owned(&self) -> UnitSet {
        self.sets.of_all(ranks::OWNED..ranks::AT)
    }

    /// The units of a type that exist.
    pub fn of_type(&self, kind: TypeId) -> UnitSet {
        self.alive().filter(|&u| self.unit(u).kind == kind).collect()
    }

    /// A unit's name.
    #[inline]
    pub fn name(&self, unit: UnitId) -> UnitName {
        let Unit { kind, owner, nth, .. } = *self.unit(unit);
        UnitName { owner, kind, nth }
    }

    /// The unit of that name, or that had it before, if it was ever enlisted.
    pub fn find(&self, name: UnitName) -> Option<UnitId> {
        (0..self.units.len())
            .map(UnitId::new)
            .find(|&u| self.owned(name.owner).contains(u) && self.name(u) == name)
            .or_else(|| Some(self.former.iter().find(|(was, _)| *was == name)?.1))
    }

    /// The name that the next unit of a faction and type gets; `None` when there were too many.
    pub fn next_name(&self, owner: FactionId, kind: TypeId) -> Option<UnitName> {
        let now = self.owned(owner).map(|u| self.name(u));
        let before = self.former.iter().map(|(name, _)| *name);
        let same = now.chain(before).filter(|n| n.owner == owner && n.kind == kind);
        let nth = same.map(|n| n.nth).max().unwrap_or(0).checked_add(1)?;
        Some(UnitName { owner, kind, nth })
    }

    /// Gives a unit another name, and with it another faction or type. Its place and slots stay.
    pub fn rename(&mut self, unit: UnitId, name: UnitName) {
        self.remember(self.name(unit), unit);
        self.call(unit, name);
    }

    /// A unit had a name before, which nobody else gets.
    pub fn remember(&mut self, name: UnitName, unit: UnitId) {
        self.former.push((name, unit));
    }

    /// The names that units had before, oldest first.
    pub fn former(&self) -> &[(UnitName, UnitId)] {
        &self.former
    }

    fn call(&mut self, unit: UnitId, name: UnitName) {
        let own = &mut self.units[unit.index()];
        self.sets.remove(ranks::OWNED + own.owner.index(), unit);
        (own.owner, own.kind, own.nth) = (name.owner, name.kind, name.nth);
        self.sets.insert(ranks::OWNED + name.owner.index(), unit);
        if let Some(place) = self.place(unit) {
            self.renew_contested(place);
        }
    }

    /// A thing as records name it.
    #[inline]
    pub fn who(&self, thing: Thing) -> RecordedThing {
        thing.map(|unit| Some(self.name(unit))).unwrap_or_default()
    }

    /// The faction whose turn comes `nth` (from 0).
    #[inline]
    pub fn in_order(&self, nth: usize) -> FactionId {
        self.order[nth % MAX_FACTIONS]
    }

    /// The factions in turn order; those that do not play come last.
    #[inline]
    pub fn order(&self) -> [FactionId; MAX_FACTIONS] {
        self.order
    }

    /// Makes a faction the first in turn order; the others follow in the order of their ids.
    pub fn set_first(&mut self, faction: FactionId, count: usize) {
        for i in 0..count {
            self.order[i] = FactionId(((faction.index() + i) % count) as u8);
        }
    }

    /// Returns the location of a unit in one word: its place or point, `reserve` or `removed`.
    pub fn whereabouts(&self, rules: &Rules, unit: UnitId) -> String {
        match self.spot(unit) {
            Some(spot) => spot.name(rules),
            None if self.is_alive(unit) => "reserve".to_owned(),
            None => "removed".to_owned(),
        }
    }

    /// Makes a new unit, in reserve, with its slots at their starting values. `None` when there
    /// are [`MAX_UNITS`] already.
    pub fn enlist(&mut self, rules: &Rules, owner: FactionId, kind: TypeId) -> Option<UnitId> {
        let name = self.next_name(owner, kind)?;
        let taken = self.ever_owned();
        let id = (0..MAX_UNITS).map(UnitId::new).find(|&u| !taken.contains(u))?;
        self.admit(rules, id, name);
        Some(id)
    }

    /// Makes a unit of this name, in reserve, with its slots at their starting values: one that nobody has yet, or
    /// the next.
    pub fn admit(&mut self, rules: &Rules, id: UnitId, name: UnitName) {
        let UnitName { owner, kind, nth } = name;
        let unit = Unit {
            kind,
            owner,
            nth,
            place: OFF,
        };
        if id.index() == self.units.len() {
            self.units.push(unit);
            self.slots.resize(self.slots.len() + self.layout.unit, 0);
            if rules.plane().is_some() {
                self.points.push(None);
            }
            if rules.ground.dice().is_some() {
                self.lies.push(Default::default());
            }
        } else {
            self.units[id.index()] = unit;
        }
        self.sets.insert(ranks::ALIVE, id);
        self.sets.insert(ranks::OWNED + owner.index(), id);
        for (index, slot) in rules.slots.unit.iter().enumerate() {
            let start = starting_value(rules, kind, slot.from_stat, slot.start);
            self.set_slot(Thing::Unit(id), index, start);
            if let Some(items) = slot.kind.items() {
                self.set_items(rules, Thing::Unit(id), index, items, &[]);
            }
        }
    }

    /// Nobody knows a unit any more: its id is free for another.
    pub fn forget(&mut self, unit: UnitId) {
        self.remove(unit);
        let owner = self.unit(unit).owner;
        self.sets.remove(ranks::OWNED + owner.index(), unit);
    }

    /// Forgets every unit of a faction, so that it can be enlisted anew. Slots that name one of
    /// them name nobody: their ids will be others'.
    pub fn disband(&mut self, rules: &Rules, faction: FactionId) {
        let gone = self.owned(faction);
        for unit in &gone {
            self.forget(unit);
        }
        self.former
            .retain(|(name, unit)| name.owner != faction && !gone.contains(*unit));
        let names = |slot: &Slot, value: i64| {
            slot.kind == SlotKind::Unit && value != NOTHING && gone.contains(UnitId(value as u16))
        };
        for thing in self.things(rules) {
            for (index, slot) in rules.slots.of(thing).iter().enumerate() {
                if names(slot, self.slot(thing, index)) {
                    self.set_slot(thing, index, NOTHING);
                }
                if let Some(items) = slot.kind.items() {
                    self.take_units(rules, thing, index, items, &gone);
                }
            }
        }
    }

    /// Puts a unit that exists where it is to be, from wherever it was.
    #[inline]
    pub fn put(&mut self, unit: UnitId, spot: impl Into<Spot>) {
        match spot.into() {
            Spot::Place(place) => self.put_in(unit, place),
            Spot::Point(point) => self.put_at(unit, point),
        }
    }

    #[cold]
    fn put_at(&mut self, unit: UnitId, point: Point) {
        let moved = self.has_moved(unit) || self.point(unit).is_some_and(|from| from != point);
        self.take_off(unit);
        // Only a plane has points.
        let Some(own) = self.points.get_mut(unit.index()) else {
            return;
        };
        *own = Some(point);
        self.enter(unit, moved);
    }

    fn put_in(&mut self, unit: UnitId, place: PlaceId) {
        let moved = self.has_moved(unit) || self.place(unit).is_some_and(|from| from != place);
        self.take_off(unit);
        self.units[unit.index()].place = place.0;
        self.sets.insert(ranks::AT + place.index(), unit);
        self.occupied.insert(place);
        if self.has_others(place, self.unit(unit).owner) {
            self.contested.insert(place);
        }
        self.enter(unit, moved);
    }

    /// A unit comes to stand on the board; whether it has moved since a phase began is said with it.
    #[inline]
    fn enter(&mut self, unit: UnitId, moved: bool) {
        self.sets.insert(ranks::ON_BOARD, unit);
        if moved {
            self.mark_moved(unit);
        }
    }

    /// Stands a unit that exists onto a spot by hand, a die so that it lies there as the pose says: that is no movement
    /// of its own, and whether it has moved before stays as it is.
    pub fn stand(&mut self, unit: UnitId, spot: Spot, pose: Option<Pose>) {
        let moved = self.has_moved(unit);
        self.take_off(unit);
        match pose {
            Some(pose) => self.lay_die(unit, pose),
            None => self.put(unit, spot),
        }
        if moved {
            self.mark_moved(unit);
        }
    }

    /// Notes that a unit has moved since the innermost repeating phase began.
    pub fn mark_moved(&mut self, unit: UnitId) {
        self.sets.insert(ranks::MOVED, unit);
    }

    /// Takes a unit off the board into reserve; a removed unit exists again.
    pub fn reserve(&mut self, unit: UnitId) {
        self.take_off(unit);
        self.sets.insert(ranks::ALIVE, unit);
    }

    /// Removes a unit from play.
    pub fn remove(&mut self, unit: UnitId) {
        self.take_off(unit);
        self.sets.remove(ranks::ALIVE, unit);
    }

    fn take_off(&mut self, unit: UnitId) {
        self.sets.remove(ranks::ON_BOARD, unit);
        self.sets.remove(ranks::MOVED, unit);
        if let Some(place) = self.place(unit) {
            if self.sets.remove(ranks::AT + place.index(), unit) {
                self.occupied.remove(place);
            }
            if self.contested.contains(place) {
                self.renew_contested(place);
            }
        }
        self.units[unit.index()].place = OFF;
        if let Some(point) = self.points.get_mut(unit.index()) {
            *point = None;
        }
        if let Some(lies) = self.lies.get_mut(unit.index()) {
            *lies = Default::default();
        }
    }

    /// A repeating phase begins (again): nobody has moved yet.
    pub fn begin_anew(&mut self) {
        self.sets.set(ranks::MOVED, UnitSet::EMPTY);
    }

    #[inline]
    fn slot_index(&self, thing: Thing, slot: usize) -> usize {
        let at = &self.layout;
        slot + match thing {
            Thing::Game => 0,
            Thing::Faction(f) => at.factions + f.index() * at.faction,
            Thing::Place(p) => at.places + p.index() * at.place,
            Thing::Unit(u) => at.units + u.index() * at.unit,
        }
    }

    /// The stored value of a slot, by its index in the schema.
    #[inline]
    pub fn slot(&self, thing: Thing, slot: usize) -> i64 {
        let index = self.slot_index(thing, slot);
        if let Some(recorder) = &self.recorder.0 {
            recorder.read(index, DiceRead::WHOLE);
        }
        self.slots[index]
    }

    /// The dice in a slot as they are lent out: with the mark by which is noted what is asked of them.
    #[inline]
    pub fn lend(&self, thing: Thing, slot: usize) -> (Pool, LogMark) {
        let index = self.slot_index(thing, slot);
        let mark = self
            .recorder
            .0
            .as_ref()
            .map_or(LogMark(0), |recorder| recorder.lend(index));
        (Pool::from_stored(self.slots[index]), mark)
    }

    /// The stored value of a slot for those who only record it; nothing may depend on it.
    pub(super) fn recorded(&self, thing: Thing, slot: usize) -> i64 {
        self.slots[self.slot_index(thing, slot)]
    }

    /// Sets or takes away the recorder of the use of its dice.
    pub fn record_dice(&mut self, recorder: Option<DiceRecorder>) {
        self.recorder = IgnoredInEq(recorder);
    }

    /// Returns the recorder of the use of its dice.
    #[inline]
    pub fn dice_recorder(&self) -> Option<&DiceRecorder> {
        self.recorder.0.as_ref()
    }

    /// The places of all dice among the slots.
    pub fn dice_slots(&self, rules: &Rules) -> Vec<usize> {
        let of = |thing: Thing| {
            let slots = rules.slots.of(thing).iter().enumerate();
            let dice = slots.filter(|(_, slot)| slot.kind == SlotKind::Dice);
            dice.map(move |(index, _)| self.slot_index(thing, index))
        };
        self.things(rules).flat_map(of).collect()
    }

    /// The places among the slots of those whose values a faction does not see.
    pub fn hidden_slots(&self, rules: &Rules, viewer: FactionId) -> Vec<usize> {
        let of = |thing: Thing| {
            let slots = 0..rules.slots.of(thing).len();
            let hidden = slots.filter(move |slot| self.hides_slot(rules, thing, *slot, viewer));
            hidden.map(move |slot| self.slot_index(thing, slot))
        };
        self.things(rules).flat_map(of).collect()
    }

    /// Returns the slot at a place among the slots in words, with the thing that it belongs to.
    pub fn slot_name(&self, rules: &Rules, at: usize) -> String {
        let has = |thing: &Thing| {
            let first = self.slot_index(*thing, 0);
            (first..first + rules.slots.of(*thing).len()).contains(&at)
        };
        let Some(thing) = self.things(rules).find(has) else {
            return String::new();
        };
        let name = &rules.slots.of(thing)[at - self.slot_index(thing, 0)].name;
        match rules.who(self.who(thing)).as_str() {
            "" => format!("`{name}` of the game"),
            who => format!("`{name}` of {who}"),
        }
    }

    /// The dice in a slot, by its place among the slots.
    pub fn dice_at(&self, slot: usize) -> Pool {
        Pool::from_stored(self.slots[slot])
    }

    /// Puts dice into a slot, by its place among the slots.
    pub fn set_dice_at(&mut self, slot: usize, dice: Pool) {
        self.slots[slot] = dice.stored().unwrap_or_default();
    }

    /// Whether a slot is set: it holds a thing, dice, true or a number other than 0.
    #[inline]
    pub fn is_set(&self, rules: &Rules, thing: Thing, slot: usize) -> bool {
        let index = self.slot_index(thing, slot);
        if let Some(recorder) = &self.recorder.0 {
            recorder.read(index, DiceRead::EMPTY);
        }
        self.slots[index] != rules.slots.of(thing)[slot].kind.unset()
    }

    /// Those of some units of which a slot is set.
    pub fn with_set(&self, rules: &Rules, units: UnitSet, slot: usize) -> UnitSet {
        let (first, unset) = (self.layout.units + slot, rules.slots.unit[slot].kind.unset());
        if let Some(recorder) = &self.recorder.0 {
            units
                .iter()
                .for_each(|u| recorder.read(first + u.index() * self.layout.unit, DiceRead::EMPTY));
        }
        units.only(|u| self.slots[first + u.index() * self.layout.unit] != unset)
    }

    /// Stores a slot's value.
    #[inline]
    pub fn set_slot(&mut self, thing: Thing, slot: usize, value: i64) {
        self.set_slot_at(self.slot_index(thing, slot), value);
    }

    #[inline]
    fn set_slot_at(&mut self, index: usize, value: i64) {
        if let Some(recorder) = &self.recorder.0 {
            recorder.write(index);
        }
        self.slots[index] = value;
    }

    /// Index of the first cell of a set or list.
    fn first_cell(&self, rules: &Rules, thing: Thing, items: Items) -> usize {
        self.slot_index(thing, rules.slots.of(thing).len()) + items.first as usize
    }

    /// The items of a set or list, in order.
    pub fn items(&self, rules: &Rules, thing: Thing, slot: usize, items: Items) -> Vec<Item> {
        let (first, width) = (self.first_cell(rules, thing, items), items.width());
        let len = usize::try_from(self.slot(thing, slot)).unwrap_or_default();
        let cells = &self.slots[first..first + len * width];
        let item = |cells: &[i64]| [cells[0], cells.get(1).copied().unwrap_or_default()];
        cells.chunks_exact(width).map(item).collect()
    }

    /// Fills a set, which is put in order, or a list; with the first items only, where there are more than its limit.
    pub fn set_items(&mut self, rules: &Rules, thing: Thing, slot: usize, items: Items, all: &[Item]) {
        let mut all = all.to_vec();
        if items.is_set {
            all.sort_unstable();
            all.dedup();
        }
        all.truncate(items.at_most.into());
        let (first, width) = (self.first_cell(rules, thing, items), items.width());
        let parts = all.iter().flat_map(|item| item.iter().take(width));
        // Equal sets are equal positions: nothing is left behind the last item.
        let cells = parts.copied().chain(std::iter::repeat(0));
        for (cell, value) in self.slots[first..first + items.cells()].iter_mut().zip(cells) {
            *cell = value;
        }
        self.set_slot(thing, slot, all.len() as i64);
    }

    /// Takes what names one of some units out of a set or list.
    fn take_units(&mut self, rules: &Rules, thing: Thing, slot: usize, items: Items, units: &UnitSet) {
        if !items.names_units() || units.is_empty() {
            return;
        }
        let names_one = |item: &Item| {
            let mut parts = items.parts().zip(item);
            parts.any(|(kind, id)| kind == ItemKind::Unit && units.contains(UnitId(*id as u16)))
        };
        let mut left = self.items(rules, thing, slot, items);
        left.retain(|item| !names_one(item));
        self.set_items(rules, thing, slot, items, &left);
    }

    /// All that has slots: the game, the factions, the places, and every unit that ever was.
    pub fn things(&self, rules: &Rules) -> impl Iterator<Item = Thing> + use<> {
        let factions = rules.all_factions().map(Thing::Faction);
        let places = (0..rules.board.len()).map(|p| Thing::Place(PlaceId::new(p)));
        let units = (0..self.units.len()).map(|u| Thing::Unit(UnitId::new(u)));
        [Thing::Game]
            .into_iter()
            .chain(factions)
            .chain(places)
            .chain(units)
    }

    /// Returns the starting value of a slot of a thing.
    pub fn start_of(&self, rules: &Rules, thing: Thing, slot: &Slot) -> i64 {
        match thing {
            Thing::Unit(unit) => starting_value(rules, self.unit(unit).kind, slot.from_stat, slot.start),
            _ => slot.start,
        }
    }

    /// Returns these slots of all that have them, told as [`Schema::lasting`](super::rules::Schema::lasting) does, to
    /// their starting values.
    pub fn reset(&mut self, rules: &Rules, slots: &[(Thing, u8)]) {
        for &(kind, index) in slots {
            let slot = &rules.slots.of(kind)[index as usize];
            let first = self.slot_index(kind, index.into());
            let (each, count) = match kind {
                Thing::Game => (0, 1),
                Thing::Faction(_) => (self.layout.faction, rules.factions.len()),
                Thing::Place(_) => (self.layout.place, rules.board.len()),
                Thing::Unit(_) => (self.layout.unit, self.units.len()),
            };
            let is_plain = slot.from_stat.is_none() && slot.kind.items().is_none();
            if is_plain && self.recorder.0.is_none() {
                (0..count).for_each(|thing| self.slots[first + each * thing] = slot.start);
                continue;
            }
            for thing in 0..count {
                // Only units have stats.
                let start = match slot.from_stat {
                    None => slot.start,
                    stat => starting_value(rules, self.units[thing].kind, stat, slot.start),
                };
                self.set_slot_at(first + each * thing, start);
                if let Some(items) = slot.kind.items() {
                    let behind = rules.slots.of(kind).len() - usize::from(index) + items.first as usize;
                    let cells = first + each * thing + behind;
                    self.slots[cells..cells + items.cells()].fill(0);
                }
            }
        }
    }

    /// This world as one faction sees it within a hidden phase that began at `start`: other
    /// factions' units and slots are as they were then, and units that they have made since are
    /// not there. The slots of places and of the game, and the turn order, are as they were then
    /// too: who changed them is not known here (see [`super::table::View`]).
    pub(crate) fn masked(&self, rules: &Rules, start: &World, faction: FactionId) -> World {
        let mut view = self.clone();
        // A unit that others have brought to another faction or type is still what it was.
        let turned = |(name, unit): &(UnitName, UnitId)| {
            let own = self.unit(*unit).owner == faction;
            (!own && !start.former.contains(&(*name, *unit)) && start.find(*name) == Some(*unit))
                .then_some(*unit)
        };
        let turned: UnitSet = self.former.iter().filter_map(turned).collect();
        for unit in &turned {
            view.call(unit, start.name(unit));
            if start.unit(unit).owner == faction {
                view.be_as(rules, start, unit);
            }
        }
        let renamed = (!turned.is_empty()).then(|| view.clone());
        let now = renamed.as_ref().unwrap_or(self);
        view.order = start.order;
        let shared = rules.board.places().iter().map(Thing::Place);
        for thing in shared.chain([Thing::Game]) {
            view.slots_as(rules, start, thing);
        }
        view.terrain.clone_from(&start.terrain);
        view.adjacency.clone_from(&start.adjacency);
        view.ground.clone_from(&start.ground);
        view.pieces.clone_from(&start.pieces);
        for other in rules.all_factions() {
            if other == faction {
                continue;
            }
            view.slots_as(rules, start, Thing::Faction(other));
            // An id that was given anew within the phase is what the viewer knows it as.
            for unit in (now.owned(other) | start.owned(other)) - now.owned(faction) {
                let was = start.owned(other).contains(unit);
                if !was || start.unit(unit).kind != now.unit(unit).kind {
                    view.forget(unit);
                    continue;
                }
                view.sets.insert(ranks::OWNED + other.index(), unit);
                view.be_as(rules, start, unit);
            }
        }
        view.occupied.iter().for_each(|place| view.renew_contested(place));
        view
    }

    /// Whether a faction does not see that a unit is there: a slot hides it.
    pub fn hides_unit(&self, rules: &Rules, unit: UnitId, viewer: FactionId) -> bool {
        let hides = |(_, slot): &(usize, &Slot)| slot.hides;
        let mut hiding = rules.slots.unit.iter().enumerate().filter(hides);
        self.unit(unit).owner != viewer && hiding.any(|(slot, _)| self.recorded(Thing::Unit(unit), slot) != 0)
    }

    /// Whether a faction does not see the value of a slot: it is hidden now, and the thing is not the faction's.
    pub fn hides_slot(&self, rules: &Rules, thing: Thing, slot: usize, viewer: FactionId) -> bool {
        let hidden = match rules.slots.of(thing)[slot].hidden {
            Hidden::Never => false,
            Hidden::Always => true,
            Hidden::While(flag) => self.recorded(thing, flag.into()) != 0,
        };
        hidden && self.who(thing).faction() != Some(viewer)
    }

    /// Leaves out what a faction does not see: hidden units are not there, and hidden slots have their starting
    /// values. Slots that hold a hidden unit hold nobody.
    pub(crate) fn leave_out_secrets(&mut self, rules: &Rules, viewer: FactionId) {
        let hidden: UnitSet = self
            .ever_owned()
            .filter(|unit| self.hides_unit(rules, *unit, viewer))
            .collect();
        for thing in self.things(rules) {
            let gone = matches!(thing, Thing::Unit(unit) if hidden.contains(unit));
            for (index, slot) in rules.slots.of(thing).iter().enumerate() {
                if gone || self.hides_slot(rules, thing, index, viewer) {
                    self.set_slot(thing, index, self.start_of(rules, thing, slot));
                    if let Some(items) = slot.kind.items() {
                        self.set_items(rules, thing, index, items, &[]);
                    }
                } else if let Some(items) = slot.kind.items() {
                    self.take_units(rules, thing, index, items, &hidden);
                } else if slot.kind == SlotKind::Unit
                    && let Ok(unit) = u16::try_from(self.recorded(thing, index))
                    && hidden.contains(UnitId(unit))
                {
                    self.set_slot(thing, index, NOTHING);
                }
            }
        }
        hidden.iter().for_each(|unit| self.forget(unit));
        self.viewer = IgnoredInEq(Some(viewer));
    }

    /// Whether the value of a slot can be told: it has not been left out of this world as hidden.
    pub fn knows_slot(&self, rules: &Rules, thing: Thing, slot: usize) -> bool {
        self.viewer
            .0
            .is_none_or(|viewer| !self.hides_slot(rules, thing, slot, viewer))
    }

    /// Gives units from an id on that differ only by their number a fixed order, for a hash: the same one for worlds in
    /// which they stand in each other's places. The sets of units by place are left as they were. Nothing may refer to
    /// these units by id or by name.
    pub fn order_units_from(&mut self, first: usize) {
        if !self.former.is_empty() {
            return;
        }
        let rows = [ranks::ALIVE, ranks::MOVED];
        let mut groups: BTreeMap<(FactionId, TypeId), Vec<UnitId>> = BTreeMap::new();
        for unit in (first..self.units.len()).map(UnitId::new) {
            let Unit { owner, kind, .. } = *self.unit(unit);
            groups.entry((owner, kind)).or_default().push(unit);
        }
        for units in groups.into_values().filter(|units| units.len() > 1) {
            let content = |unit: &UnitId| {
                let unit = *unit;
                let index = self.slot_index(Thing::Unit(unit), 0);
                (
                    self.units[unit.index()].place,
                    rows.map(|row| self.sets.contains(row, unit)),
                    self.slots[index..index + self.layout.unit].to_vec(),
                    self.points.get(unit.index()).copied().flatten(),
                    self.lies.get(unit.index()).copied(),
                )
            };
            let mut contents: Vec<_> = units.iter().map(content).collect();
            contents.sort();
            for (unit, (place, is_in, slots, point, lies)) in units.into_iter().zip(contents) {
                self.units[unit.index()].place = place;
                for (row, is_in) in rows.into_iter().zip(is_in) {
                    match is_in {
                        true => self.sets.insert(row, unit),
                        false => {
                            self.sets.remove(row, unit);
                        }
                    }
                }
                let index = self.slot_index(Thing::Unit(unit), 0);
                self.slots[index..index + self.layout.unit].copy_from_slice(&slots);
                if let Some(own) = self.points.get_mut(unit.index()) {
                    *own = point;
                }
                if let (Some(own), Some(lies)) = (self.lies.get_mut(unit.index()), lies) {
                    *own = lies;
                }
            }
        }
    }

    /// Puts a unit where it was in another world, as it was there, its slots too.
    fn be_as(&mut self, rules: &Rules, start: &World, unit: UnitId) {
        self.stand_as(start, unit, start.spot(unit));
        self.slots_as(rules, start, Thing::Unit(unit));
    }

    /// Gives a thing's slots the values that they have in another world.
    fn slots_as(&mut self, rules: &Rules, start: &World, thing: Thing) {
        for slot in 0..rules.slots.of(thing).len() {
            self.copy_slot(rules, start, thing, slot);
        }
    }

    /// Gives a slot the content that it has in another world.
    pub fn copy_slot(&mut self, rules: &Rules, from: &World, thing: Thing, slot: usize) {
        self.set_slot(thing, slot, from.slot(thing, slot));
        if let Some(items) = rules.slots.of(thing)[slot].kind.items() {
            let all = from.items(rules, thing, slot, items);
            self.set_items(rules, thing, slot, items, &all);
        }
    }

    /// Puts a unit to a spot as it stood in another world.
    fn stand_as(&mut self, start: &World, unit: UnitId, spot: Option<Spot>) {
        match (start.pose(unit), spot) {
            (Some(pose), _) => self.lay_die(unit, pose),
            (None, Some(spot)) => self.put(unit, spot),
            (None, None) => self.take_off(unit),
        }
        for row in [ranks::MOVED, ranks::ALIVE] {
            if start.sets.contains(row, unit) {
                self.sets.insert(row, unit);
            } else {
                self.sets.remove(row, unit);
            }
        }
    }
}

/// Returns the starting value of a unit's slot: the stat of the same name where its type has it.
pub fn starting_value(rules: &Rules, kind: TypeId, from_stat: Option<usize>, start: i64) -> i64 {
    let stat = from_stat.and_then(|s| rules.types.get(kind.index())?.stats[s]);
    stat.unwrap_or(start)
}
