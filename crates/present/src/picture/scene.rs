//! Content of a picture in plain geometry: cells with outlines, units in them, reserves, arrows, marks.
//!
//! Nothing here knows how it is drawn. Lengths are picture units, see [`ground`](super::ground).

use super::dice::{DieDrawing, DrawnThrow, ThrowScene};
use super::drawn_plane::DrawnPlane;
use super::ground::{self, PaperPoint};
use super::plane::Overlay;
use super::story::{Arrow, ArrowKind, BentLine, DepictedAct, deeds, laid_last};
use crate::kernel::choice::OfferedOption;
use crate::kernel::event::Event;
use crate::kernel::ids::{FactionId, PlaceId, PlaceSet, TerrainId, Thing, TypeId, UnitId, UnitName, UnitSet};
use crate::kernel::plane::Shape;
use crate::kernel::rules::{Rules, SlotKind, Words};
use crate::kernel::scene::base_of;
use crate::kernel::spot::{self, Spot};
use crate::kernel::table::{Halt, Table};
use crate::kernel::world::World;
use crate::render;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The most units that one cell shows; a number stands for those beyond.
const MOST_IN_CELL: usize = 12;
/// The room around a map for arrows at the edges where factions come in, in picture units.
const ENTRY_ROOM: f64 = 24.0;

/// Data from which a picture is made.
#[derive(Clone)]
pub struct SceneInput<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// Their words.
    pub words: &'a Words,
    /// The world; for a viewer who must not see everything, that of a view.
    pub world: &'a World,
    /// The events that are told by arrows and badges, up to this world; see
    /// [`Span::of`](super::story::Span::of). None for the position alone.
    pub events: &'a [Event],
    /// The ways of moves among them that led around something.
    pub ways: &'a [BentLine],
    /// The last throw among them, in an arena.
    pub threw: Option<&'a ThrowScene>,
    /// Places that the picture has room for, besides those where there is ground: those of a series of
    /// pictures of a map that grows.
    pub room: PlaceSet,
}

impl<'a> SceneInput<'a> {
    /// The position alone.
    pub fn position(rules: &'a Rules, words: &'a Words, world: &'a World) -> Self {
        Self {
            rules,
            words,
            world,
            events: &[],
            ways: &[],
            threw: None,
            room: PlaceSet::EMPTY,
        }
    }
}

/// A picture.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
pub struct Scene {
    /// Title; not drawn when empty.
    pub title: String,
    /// A line below the title; not drawn when empty.
    pub caption: String,
    /// The width of the ground.
    pub width: f64,
    /// The height of the ground.
    pub height: f64,
    /// The table top, where there is one; its pieces of terrain are the cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<DrawnPlane>,
    /// The factions, by index.
    pub sides: Vec<FactionView>,
    /// The cells, by place id.
    pub cells: Vec<SceneCell>,
    /// The kinds of terrain, by their index in [`SceneCell::terrain`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub terrains: Vec<TerrainView>,
    /// The edges by which factions come in.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<EntryMark>,
    /// The terrain between cells.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<SceneEdge>,
    /// Lines between cells where a zone ends.
    pub borders: Vec<Border>,
    /// The units in the cells.
    pub tokens: Vec<UnitToken>,
    /// The units that exist and are not on the board.
    pub reserves: Vec<Reserve>,
    /// Moves and attacks.
    pub arrows: Vec<Arrow>,
    /// Changes at places.
    pub badges: Vec<Badge>,
    /// Marks drawn over a tabletop.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub over: Vec<Overlay>,
    /// The last throw, in an arena.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throw: Option<DrawnThrow>,
    /// Unit types in the picture: symbol and name.
    pub types: Vec<(String, String)>,
    /// Meaning of the number on a unit; empty when units have none.
    pub number: String,
    /// Meaning of the direction in which units look; empty when they have none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub facing: String,
    /// The marks that units carry: the sign of each and what it means.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<(String, String)>,
}

/// A faction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FactionView {
    /// Its name.
    pub name: String,
    /// Its numbers, by name.
    pub numbers: Vec<(String, i64)>,
    /// The zone whose cells are marked as its own; empty for none.
    pub home: String,
}

/// One cell.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SceneCell {
    /// Its name.
    pub name: String,
    /// Its middle.
    pub centre: PaperPoint,
    /// Its corners, clockwise.
    pub outline: Vec<PaperPoint>,
    /// The faction whose marked zone it lies in, by index.
    pub home: Option<usize>,
    /// Other features: its slots that are not at their start.
    pub features: Vec<String>,
    /// Mark on it, if it has one.
    pub mark: Option<Tint>,
    /// Nobody can stand there; it is not drawn.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub gap: bool,
    /// Its kinds of terrain, by index: the common ground first, what stands on it after.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub terrain: Vec<usize>,
    /// Its terrain was laid since the last choice that is told.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub fresh: bool,
}

/// An edge between two cells, with what lies there.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SceneEdge {
    /// Its name.
    pub name: String,
    /// Its kinds of terrain, by index.
    pub terrain: Vec<usize>,
    /// One end.
    pub from: PaperPoint,
    /// The other end.
    pub to: PaperPoint,
}

/// A kind of terrain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TerrainView {
    /// Its name.
    pub name: String,
    /// Its colour, `#rrggbb`.
    pub colour: String,
    /// Bare ground, which is not named where it lies.
    pub plain: bool,
    /// Its symbol, where its colour does not tell it from another kind.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub sign: String,
}

/// The edge by which a faction's units come onto the board.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EntryMark {
    /// Owner, by faction index.
    pub side: usize,
    /// Name in the game.
    pub name: String,
    /// The cell's index.
    pub cell: usize,
    /// One end of the edge.
    pub from: PaperPoint,
    /// The other end.
    pub to: PaperPoint,
}

/// Reason for marking a cell or a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tint {
    /// It can be reached.
    Reach,
    /// It can be hit.
    Threat,
}

/// A line where a zone ends.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Border {
    /// The zone.
    pub zone: String,
    /// Faction whose zone alone ends there, by index; `None` if the zone is the same for all, or if the zones of
    /// several factions end there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<usize>,
    /// One end.
    pub from: PaperPoint,
    /// The other end.
    pub to: PaperPoint,
}

/// A unit in a cell.
#[derive(Debug, Clone, PartialEq, Serialize, Default)]
pub struct UnitToken {
    /// Its full name; empty for a number of units that are not shown one by one.
    pub name: String,
    /// Its type's symbol, or the number of units.
    pub symbol: String,
    /// Its number where its faction has others of its type; empty otherwise.
    pub number: String,
    /// Its life, if it has any.
    pub life: Option<i64>,
    /// Owner, by faction index.
    pub side: usize,
    /// Index of the cell where it stands; `None` on a tabletop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<usize>,
    /// Its middle.
    pub at: PaperPoint,
    /// Width of its base, on a tabletop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<f64>,
    /// Look of the unit as a die in an arena.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub die: Option<DieDrawing>,
    /// Size at which it is drawn; 1 is full size.
    pub size: f64,
    /// It was removed in what the picture tells.
    pub fallen: bool,
    /// Mark on it, if it has one.
    pub mark: Option<Tint>,
    /// Direction in which it looks: to the right and downwards, of length 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facing: Option<PaperPoint>,
    /// Width in degrees of the arc drawn around that direction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arc: Option<u16>,
    /// The signs of its marks, each with its number.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<String>,
}

/// The units of a faction that wait.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reserve {
    /// Owner, by faction index.
    pub side: usize,
    /// Name of each unit, with its life; in a game with terrain, each type once, with its number.
    pub units: Vec<String>,
    /// The symbol of each type that waits and how many do, in a game with terrain.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chips: Vec<(String, usize)>,
}

/// A change at a place, in a few letters, such as `-2`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Badge {
    /// The text.
    pub text: String,
    /// Faction that has the loss or gain, by index.
    pub side: usize,
    /// The unit that it is about.
    pub unit: String,
    /// The middle of the unit.
    pub at: PaperPoint,
    /// Size at which the unit is drawn.
    pub size: f64,
}

impl Scene {
    /// The picture of a position, with what led to it.
    pub fn of(shown: &SceneInput<'_>) -> Self {
        Builder::new(shown).scene()
    }

    /// The two ends of the side that two cells share, by their indices; where they touch in a corner, that corner twice.
    pub fn side_between(&self, a: usize, b: usize) -> Option<(PaperPoint, PaperPoint)> {
        ground::shared_edge(&self.cells.get(a)?.outline, &self.cells.get(b)?.outline)
    }

    /// Marks places and units; units by name.
    pub fn mark(&mut self, mark: Tint, places: PlaceSet, units: &[String]) {
        for place in places {
            if let Some(cell) = self.cells.get_mut(place.index()) {
                cell.mark = Some(mark);
            }
        }
        for token in self.tokens.iter_mut().filter(|t| units.contains(&t.name)) {
            token.mark = Some(mark);
        }
    }

    /// Numbers the spots that are proposed where a table's open question offers a region.
    pub fn offer(&mut self, now: &Table) {
        let Some(table) = self.table.as_ref().filter(|_| now.halt() == Some(&Halt::Waiting)) else {
            return;
        };
        let options = &now.request.options;
        if options.region().is_some() {
            let spot = |(nth, option)| match option {
                OfferedOption::Point(at) => Some(Overlay::Spot {
                    at: table.at(at),
                    number: Some(nth + 1),
                }),
                _ => None,
            };
            self.over.extend(options.iter().enumerate().filter_map(spot));
        }
    }

    /// Whether the ground is drawn as in another picture: all that lies below what happened, and the names above it.
    pub fn has_ground_of(&self, other: &Scene) -> bool {
        let sides = |scene: &Scene| {
            scene
                .sides
                .iter()
                .map(|faction| faction.name.clone())
                .collect::<Vec<_>>()
        };
        (&self.cells, &self.terrains, &self.table) == (&other.cells, &other.terrains, &other.table)
            && (&self.entries, &self.edges, &self.borders) == (&other.entries, &other.edges, &other.borders)
            && sides(self) == sides(other)
    }

    /// The unit of that name, where it is shown.
    pub fn token(&self, name: &str) -> Option<&UnitToken> {
        self.tokens.iter().find(|t| t.name == name)
    }
}

struct Builder<'a> {
    shown: &'a SceneInput<'a>,
    spots: Vec<ground::PlaceOutline>,
    table: Option<DrawnPlane>,
    size: (f64, f64),
    homes: Vec<Option<usize>>,
    life: Option<usize>,
    deeds: Vec<DepictedAct>,
    /// Places where terrain was laid since the last choice shown.
    fresh: PlaceSet,
    /// In how many places each kind of terrain lies.
    spread: Vec<usize>,
}

impl<'a> Builder<'a> {
    fn new(shown: &'a SceneInput<'a>) -> Self {
        let table = DrawnPlane::of(shown.rules);
        let (mut spots, _) = match &table {
            None => ground::spots(&shown.rules.board),
            Some(table) => (pieces(shown, table), table.size),
        };
        let mut visible = render::ground::drawn(shown.world) | &shown.room;
        if visible.is_empty() {
            visible = shown.rules.board.middle().into_iter().collect();
        }
        // Arrows stand outside of the edges where factions come in.
        let comes_in = render::ground::ways_in(shown.rules).next().is_some();
        let beside = if comes_in { ENTRY_ROOM } else { 0.0 };
        let size = match &table {
            None => ground::crop(&mut spots, visible, beside),
            Some(table) => table.whole(),
        };
        Self {
            shown,
            spots,
            table,
            size,
            homes: render::homes(shown.rules),
            life: shown.rules.hit_slot(),
            deeds: deeds(shown.rules, shown.world, shown.events),
            fresh: laid_last(shown.events),
            spread: spread(shown),
        }
    }

    fn scene(&self) -> Scene {
        let SceneInput { rules, world, .. } = *self.shown;
        let tokens = self.tokens();
        let mut scene = Scene {
            width: self.size.0,
            height: self.size.1,
            table: self.table.clone(),
            sides: self.sides(),
            cells: rules.board.places().iter().map(|p| self.cell(p)).collect(),
            terrains: self.terrains(),
            entries: self.entries(),
            edges: self.edges(),
            borders: self.borders(),
            reserves: self.reserves(),
            types: self.types(),
            number: match self.life {
                Some(slot) if !world.alive().is_empty() => rules.slots.unit[slot].name.clone(),
                _ => String::new(),
            },
            facing: match render::facing_slot(rules) {
                Some(slot) if tokens.iter().any(|t| t.facing.is_some()) => {
                    rules.slots.unit[slot].name.replace('_', " ")
                }
                _ => String::new(),
            },
            tokens,
            marks: render::marks_there(rules, world),
            ..Scene::default()
        };
        if let (Some(table), Some(threw)) = (&self.table, self.shown.threw) {
            scene.throw = Some(DrawnThrow::of(rules, world, table, threw));
        }
        self.add_story(&mut scene);
        scene
    }

    fn sides(&self) -> Vec<FactionView> {
        let SceneInput { rules, world, .. } = *self.shown;
        let numbers = |faction: FactionId| {
            let slots = rules.slots.faction.iter().enumerate();
            slots
                .filter_map(|(index, slot)| {
                    let value = world.slot(Thing::Faction(faction), index);
                    let visible = slot.kind == SlotKind::Number && !slot.quiet;
                    visible.then(|| (slot.name.clone(), value))
                })
                .collect()
        };
        let named = rules.factions.iter().enumerate();
        named
            .map(|(index, name)| FactionView {
                name: name.clone(),
                numbers: numbers(FactionId(index as u8)),
                home: self.homes[index].map_or_else(String::new, |z| rules.board.zones[z].name.clone()),
            })
            .collect()
    }

    fn cell(&self, place: PlaceId) -> SceneCell {
        let SceneInput { rules, world, .. } = *self.shown;
        let home = (0..rules.factions.len()).find(|&f| {
            self.homes[f].is_some_and(|zone| rules.board.zone(zone, FactionId(f as u8)).contains(place))
        });
        SceneCell {
            name: rules.board.name(place).to_owned(),
            centre: self.spots[place.index()].centre,
            outline: self.spots[place.index()].outline.clone(),
            home,
            features: render::place_slots(rules, world, place),
            mark: None,
            gap: !render::ground::drawn(world).contains(place),
            terrain: self.terrain(place),
            fresh: self.fresh.contains(place),
        }
    }

    /// A place's kinds of terrain: first the bare one or the one that lies in most places.
    fn terrain(&self, place: PlaceId) -> Vec<usize> {
        let SceneInput { rules, world, .. } = *self.shown;
        let mut kinds: Vec<TerrainId> = world.terrain(place).collect();
        let base = |t: &TerrainId| (render::ground::is_plain(rules, *t), self.spread[t.index()]);
        // Of several the first.
        if let Some(base) = kinds.iter().copied().rev().max_by_key(base) {
            kinds.sort_by_key(|t| *t != base);
        }
        kinds.into_iter().map(TerrainId::index).collect()
    }

    fn terrains(&self) -> Vec<TerrainView> {
        let rules = self.shown.rules;
        let colours = render::ground::terrain_colours(rules);
        let alike = |colour: &String| {
            let same = colours.iter().filter(|other| other.eq_ignore_ascii_case(colour));
            same.count() > 1
        };
        let ground = |(index, colour): (usize, &String)| {
            let kind = TerrainId(index as u8);
            let plain = render::ground::is_plain(rules, kind);
            TerrainView {
                name: rules.terrains[index].name.replace('_', " "),
                sign: match alike(colour) && !plain {
                    true => render::ground::terrain_symbol(rules, kind, false),
                    false => String::new(),
                },
                colour: colour.clone(),
                plain,
            }
        };
        colours.iter().enumerate().map(ground).collect()
    }

    fn entries(&self) -> Vec<EntryMark> {
        let SceneInput { rules, world, .. } = *self.shown;
        let entries = render::ground::entries(rules, world).into_iter();
        entries
            .map(|entry| {
                let spot = &self.spots[entry.place.index()];
                let (from, to) = ground::side_towards(rules.board.grid, spot, entry.edge.0);
                EntryMark {
                    side: entry.faction.index(),
                    name: entry.slot,
                    cell: entry.place.index(),
                    from,
                    to,
                }
            })
            .collect()
    }

    /// The edges on which something lies, between cells that are drawn.
    fn edges(&self) -> Vec<SceneEdge> {
        let SceneInput { rules, world, .. } = *self.shown;
        let visible = render::ground::drawn(world);
        let edge = |(edge, [a, b]): (PlaceId, [PlaceId; 2])| {
            let (a, b) = Some((a, b)).filter(|(a, b)| visible.contains(*a) && visible.contains(*b))?;
            let (from, to) =
                ground::shared_edge(&self.spots[a.index()].outline, &self.spots[b.index()].outline)?;
            Some(SceneEdge {
                name: rules.board.name(edge).to_owned(),
                terrain: world.terrain(edge).map(TerrainId::index).collect(),
                from,
                to,
            })
        };
        render::ground::laid_edges(rules, world)
            .filter_map(edge)
            .collect()
    }

    /// Returns the borders of zones that are not drawn as a faction's home.
    fn borders(&self) -> Vec<Border> {
        let board = &self.shown.rules.board;
        let mut borders: Vec<Border> = Vec::new();
        for (index, zone) in board.zones.iter().enumerate() {
            if self.homes.contains(&Some(index)) {
                continue;
            }
            let factions = self.shown.rules.factions.len();
            let is_own = zone.places[..factions]
                .iter()
                .any(|places| *places != zone.places[0]);
            for faction in 0..factions {
                let inside = zone.places[faction].clone();
                let owner = is_own.then_some(faction);
                let visible = render::ground::drawn(self.shown.world);
                for place in &inside & visible {
                    for outside in board.neighbours(place) - &inside {
                        let (a, b) = (&self.spots[place.index()], &self.spots[outside.index()]);
                        let Some((from, to)) = ground::shared_side(&a.outline, &b.outline) else {
                            continue;
                        };
                        let same = |o: &Border| {
                            (o.from.distance(from) < 1.0 && o.to.distance(to) < 1.0)
                                || (o.from.distance(to) < 1.0 && o.to.distance(from) < 1.0)
                        };
                        let zone = zone.name.clone();
                        match borders.iter_mut().find(|border| same(border)) {
                            // Both sides' zones end here.
                            Some(known) if known.zone == zone && known.side != owner => known.side = None,
                            Some(_) => {}
                            None => borders.push(Border {
                                zone,
                                side: owner,
                                from,
                                to,
                            }),
                        }
                    }
                }
            }
        }
        borders
    }

    /// The units of a place by faction, the uppermost first: those that stand there, and those that
    /// fell there.
    fn groups(&self, place: PlaceId) -> Vec<(FactionId, Vec<(UnitName, bool)>)> {
        let SceneInput { rules, world, .. } = *self.shown;
        let fallen: BTreeSet<UnitName> = self
            .deeds
            .iter()
            .filter_map(|deed| match deed {
                DepictedAct::Fell { unit, at } if *at == Spot::Place(place) => Some(*unit),
                _ => None,
            })
            .collect();
        let here: Vec<UnitId> = world.at(place).collect();
        let mut groups = Vec::new();
        for faction in render::factions_from_top(rules) {
            let mut units: Vec<(UnitName, bool)> = here
                .iter()
                .map(|u| (world.name(*u), false))
                .chain(fallen.iter().map(|name| (*name, true)))
                .filter(|(name, _)| name.owner == faction)
                .collect();
            // A unit that fell and came back stands there once.
            units.sort_by_key(|(name, fallen)| (name.kind, name.nth, *fallen));
            units.dedup_by_key(|(name, _)| *name);
            if !units.is_empty() {
                groups.push((faction, units));
            }
        }
        groups
    }

    fn tokens(&self) -> Vec<UnitToken> {
        let board = &self.shown.rules.board;
        let mut tokens = Vec::new();
        for place in board.places() {
            let groups = self.groups(place);
            let all: usize = groups.iter().map(|(_, units)| units.len()).sum();
            // More than fit are counted: each faction shows its share, the last as a number.
            let share = (MOST_IN_CELL / groups.len().max(1)).max(1);
            let shown = |n: usize| if all > MOST_IN_CELL { n.min(share) } else { n };
            let counts: Vec<usize> = groups.iter().map(|(_, units)| shown(units.len())).collect();
            let (points, size) = ground::stand(&self.spots[place.index()], &counts);
            let mut points = points.into_iter();
            for ((faction, units), count) in groups.iter().zip(counts) {
                let one_by_one = if units.len() > count { count - 1 } else { count };
                for (name, fallen) in &units[..one_by_one] {
                    let Some(at) = points.next() else { break };
                    let cell = Some(place.index());
                    tokens.push(UnitToken {
                        cell,
                        ..self.token(*name, *fallen, at, size)
                    });
                }
                if let Some(at) = (units.len() > one_by_one).then(|| points.next()).flatten() {
                    tokens.push(UnitToken {
                        symbol: format!("+{}", units.len() - one_by_one),
                        side: faction.index(),
                        cell: Some(place.index()),
                        at,
                        size,
                        ..UnitToken::default()
                    });
                }
            }
        }
        if let Some(table) = &self.table {
            tokens.extend(self.bases(table));
        }
        tokens
    }

    /// The units of a table top: those that fell below those that stand.
    fn bases(&self, table: &DrawnPlane) -> Vec<UnitToken> {
        /// A base so wide, in picture units, has room for a unit at full size.
        const ROOM: f64 = 46.0;
        const SMALLEST: f64 = 0.3;
        let SceneInput { rules, world, .. } = *self.shown;
        let based = |name: UnitName, fallen: bool, at: spot::Point| {
            let base = table.length(rules.ground.base(name.kind));
            let size = (base / ROOM).clamp(SMALLEST, 1.0);
            UnitToken {
                base: Some(base),
                die: self.die(table, name, fallen.then_some(at)),
                ..self.token(name, fallen, table.at(at), size)
            }
        };
        let fallen = self.deeds.iter().filter_map(|deed| match deed {
            DepictedAct::Fell {
                unit,
                at: Spot::Point(at),
            } => Some(based(*unit, true, *at)),
            _ => None,
        });
        let there = world.on_board().iter();
        let there = there.filter_map(|u| Some(based(world.name(u), false, base_of(rules, world, u)?.at)));
        fallen.chain(there).collect()
    }

    /// Returns the look of a unit if it is a die: as it lies, or as it lay where it fell.
    fn die(&self, table: &DrawnPlane, name: UnitName, fell: Option<spot::Point>) -> Option<DieDrawing> {
        let SceneInput {
            rules, world, events, ..
        } = *self.shown;
        let lay = |at: spot::Point| {
            let lay = events.iter().rev().filter_map(|event| match event {
                Event::Lay { unit, to, .. } if *unit == name && to.point() == at => Some(*to),
                _ => None,
            });
            let die = rules.die(name.kind)?;
            lay.chain(die.lying(at, *die.faces().start(), 0)).next()
        };
        let pose = match fell {
            Some(at) => lay(at),
            None => world.pose(world.find(name)?),
        };
        DieDrawing::of(rules, world, table, name, pose?)
    }

    fn token(&self, name: UnitName, fallen: bool, at: PaperPoint, size: f64) -> UnitToken {
        let SceneInput { rules, world, .. } = *self.shown;
        let unit = world.find(name).filter(|_| !fallen);
        let life = unit.and_then(|u| Some(world.slot(Thing::Unit(u), self.life?)));
        UnitToken {
            name: rules.unit_name(name),
            symbol: render::symbol(rules, name.kind, false),
            number: render::number(world, name),
            life,
            side: name.owner.index(),
            at,
            size,
            fallen,
            facing: unit.and_then(|u| self.facing(u)),
            arc: render::facing_slot(rules).and_then(|slot| rules.slots.unit[slot].arc),
            marks: unit.map_or_else(Vec::new, |u| {
                let marks = render::marks_of(rules, world, u).into_iter();
                marks.map(|mark| mark.text()).collect()
            }),
            ..UnitToken::default()
        }
    }

    /// Returns the direction in which a unit looks.
    fn facing(&self, unit: UnitId) -> Option<PaperPoint> {
        let SceneInput { rules, world, .. } = *self.shown;
        let slot = render::facing_slot(rules)?;
        let held = world.slot(Thing::Unit(unit), slot);
        if rules.slots.unit[slot].arc.is_some() {
            let (up, right) = (held.rem_euclid(360) as f64).to_radians().sin_cos();
            return Some(PaperPoint::new(right, -up));
        }
        let direction = rules.board.directions().get(usize::try_from(held).ok()?)?;
        Some(ground::pointing(rules.board.grid, *direction))
    }

    fn reserves(&self) -> Vec<Reserve> {
        let SceneInput { rules, world, .. } = *self.shown;
        let waiting: UnitSet = world.alive() - world.on_board();
        let mut reserves = Vec::new();
        for faction in render::factions_from_top(rules) {
            let mut units: Vec<UnitId> = (&waiting & world.owned(faction)).collect();
            units.sort_by_key(|&u| (world.unit(u).kind, world.unit(u).nth));
            let called = |&u: &UnitId| {
                let name = world.name(u);
                let life = self.life.map_or_else(String::new, |slot| {
                    format!(" ({})", world.slot(Thing::Unit(u), slot))
                });
                let kind = &rules.types[name.kind.index()].name;
                format!("{}{}{life}", kind.replace('_', " "), render::number(world, name))
            };
            if units.is_empty() {
                continue;
            }
            let mut reserve = Reserve {
                side: faction.index(),
                units: Vec::new(),
                chips: Vec::new(),
            };
            if rules.terrains.is_empty() {
                reserve.units.extend(units.iter().map(called));
            } else {
                // Armies that come in from outside wait in numbers.
                for alike in units.chunk_by(|&a, &b| world.unit(a).kind == world.unit(b).kind) {
                    let kind = world.unit(alike[0]).kind;
                    let name = type_name(rules, kind);
                    reserve.units.push(match alike.len() {
                        1 => name,
                        several => format!("{name} \u{d7}{several}"),
                    });
                    reserve
                        .chips
                        .push((render::symbol(rules, kind, false), alike.len()));
                }
            }
            reserves.push(reserve);
        }
        reserves
    }

    fn types(&self) -> Vec<(String, String)> {
        let SceneInput { rules, world, .. } = *self.shown;
        let fallen = self.deeds.iter().filter_map(|deed| match deed {
            DepictedAct::Fell { unit, .. } => Some(unit.kind),
            _ => None,
        });
        let there = world.alive().iter().map(|u| world.unit(u).kind);
        let kinds: BTreeSet<_> = there.chain(fallen).collect();
        kinds
            .into_iter()
            .map(|kind| {
                let name = type_name(rules, kind);
                (render::symbol(rules, kind, false), name)
            })
            .collect()
    }

    /// Returns the position of a place's middle or a point on the paper.
    fn paper_point(&self, spot: Spot) -> PaperPoint {
        match (spot, &self.table) {
            (Spot::Point(point), Some(table)) => table.at(point),
            // There are no points without a table top.
            (Spot::Point(_), None) => PaperPoint::new(0.0, 0.0),
            (Spot::Place(place), _) => self.spots[place.index()].centre,
        }
    }

    /// The corners of the way of a move, on the paper.
    fn way(&self, unit: UnitName, (from, to): (Spot, Spot)) -> Vec<PaperPoint> {
        let is_it =
            |way: &&BentLine| way.unit == unit && (Spot::Point(way.from), Spot::Point(way.to)) == (from, to);
        let by = self.shown.ways.iter().find(is_it).map_or(&[][..], |way| &way.by);
        by.iter()
            .map(|corner| self.paper_point(Spot::Point(*corner)))
            .collect()
    }

    /// Arrows and badges of what happened.
    fn add_story(&self, scene: &mut Scene) {
        let SceneInput { rules, words, .. } = *self.shown;
        let spot_of = |scene: &Scene, unit: UnitName, spot: Spot| {
            let name = rules.unit_name(unit);
            let here = |token: &&UnitToken| match spot {
                Spot::Place(place) => token.cell == Some(place.index()),
                Spot::Point(_) => token.at == self.paper_point(spot),
            };
            let token = scene.token(&name).filter(here);
            token.map_or((self.paper_point(spot), 1.0), |t| (t.at, t.size))
        };
        let mut losses: BTreeMap<(UnitName, Spot), i64> = BTreeMap::new();
        let mut gains: BTreeMap<(UnitName, Spot, usize, u8), i64> = BTreeMap::new();
        // The ways of a throw are drawn as they were.
        let is_thrown = |unit: UnitName, ends: (Spot, Spot)| match (self.shown.threw, ends) {
            (Some(threw), (Spot::Point(from), Spot::Point(to))) => threw.depicts(unit, from, to),
            _ => false,
        };
        for deed in &self.deeds {
            match deed {
                DepictedAct::Went { unit, from, to } if is_thrown(*unit, (*from, *to)) => {}
                DepictedAct::Went { unit, from, to } => scene.arrows.push(Arrow {
                    kind: ArrowKind::Move,
                    side: unit.owner.index(),
                    unit: rules.unit_name(*unit),
                    from: self.paper_point(*from),
                    to: spot_of(scene, *unit, *to).0,
                    by: self.way(*unit, (*from, *to)),
                    word: String::new(),
                }),
                DepictedAct::Hit {
                    unit,
                    at,
                    by,
                    by_how_much,
                    word,
                } => {
                    *losses.entry((*unit, *at)).or_default() += by_how_much;
                    // Who stands beside its target needs no arrow.
                    if let Some((by, from)) = by.filter(|(_, from)| from != at) {
                        scene.arrows.push(Arrow {
                            kind: ArrowKind::Hit,
                            side: by.owner.index(),
                            unit: rules.unit_name(by),
                            from: spot_of(scene, by, from).0,
                            to: spot_of(scene, *unit, *at).0,
                            by: Vec::new(),
                            word: word.map_or_else(String::new, |w| words.text(w).to_owned()),
                        });
                    }
                }
                DepictedAct::Gained {
                    unit,
                    at,
                    faction,
                    slot,
                    by_how_much,
                } => *gains.entry((*unit, *at, *faction, *slot)).or_default() += by_how_much,
                DepictedAct::Fell { .. } => {}
            }
        }
        let losses = losses.into_iter().map(|((unit, place), change)| {
            let text = format!("{change:+}").replace('-', "\u{2212}");
            (unit, place, unit.owner.index(), change, text)
        });
        let gains = gains.into_iter().map(|((unit, place, faction, slot), change)| {
            let slot = rules.slots.faction[slot as usize].name.replace('_', " ");
            let text = format!("{} {slot} {change:+}", rules.factions[faction]);
            (unit, place, faction, change, text)
        });
        for (unit, place, side, change, text) in losses.chain(gains) {
            if change != 0 {
                let (at, size) = spot_of(scene, unit, place);
                scene.badges.push(Badge {
                    text,
                    side,
                    unit: rules.unit_name(unit),
                    at,
                    size,
                });
            }
        }
    }
}

/// In how many places each kind of terrain lies.
fn spread(shown: &SceneInput<'_>) -> Vec<usize> {
    let mut spread = vec![0; shown.rules.terrains.len()];
    for place in shown.rules.board.places() {
        for kind in shown.world.terrain(place) {
            spread[kind.index()] += 1;
        }
    }
    spread
}

/// The outlines of the pieces of terrain on a table top, by place; discs have many corners.
fn pieces(shown: &SceneInput<'_>, table: &DrawnPlane) -> Vec<ground::PlaceOutline> {
    const CORNERS: i64 = 60;
    let SceneInput { rules, world, .. } = *shown;
    let spot = |place: PlaceId| {
        let Some(shape) = world.piece(place) else {
            let centre = PaperPoint::new(0.0, 0.0);
            return ground::PlaceOutline {
                centre,
                outline: Vec::new(),
            };
        };
        let corners = match shape {
            Shape::Disc { at, diameter } => {
                let corner = |n| at.at_angle(-360 / CORNERS * n, i64::from(*diameter) / 2);
                (0..CORNERS).map(corner).collect()
            }
            Shape::Polygon(corners) => corners.to_vec(),
        };
        ground::PlaceOutline {
            centre: table.at(shape.middle()),
            outline: corners.into_iter().map(|corner| table.at(corner)).collect(),
        }
    };
    rules.board.places().iter().map(spot).collect()
}

/// A unit type as people read it.
fn type_name(rules: &Rules, kind: TypeId) -> String {
    rules.types[kind.index()]
        .name
        .replace('_', " ")
        .trim_end()
        .to_owned()
}
