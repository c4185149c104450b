//! Drawable parts of a board: its ground without the gaps, the terrain that lies there, and the edges by which factions
//! come in. Text and pictures read the same here.

use crate::kernel::grid::GridStep;
use crate::kernel::ids::{FactionId, PlaceId, PlaceSet, TerrainId, Thing};
use crate::kernel::rules::{Rules, Slot, SlotKind};
use crate::kernel::world::World;

/// The places that are drawn: those where somebody can stand, and those where somebody does.
pub fn drawn(world: &World) -> PlaceSet {
    world.ground() | world.occupied()
}

/// The terrain of a place in the order in which it is written, the plainest kinds (see [`is_plain`]) only
/// where there are no others.
pub fn shown_terrain(rules: &Rules, world: &World, place: PlaceId) -> Vec<TerrainId> {
    let (plain, others): (Vec<_>, Vec<_>) = world.terrain(place).partition(|&t| is_plain(rules, t));
    if others.is_empty() { plain } else { others }
}

/// Whether a kind of terrain is bare ground as its symbol has it: a dot or a blank.
pub fn is_plain(rules: &Rules, terrain: TerrainId) -> bool {
    let symbol = rules.terrains.get(terrain.index()).map(|t| t.symbol.trim());
    matches!(symbol, Some("." | "" | "\u{b7}"))
}

/// A kind's symbol, or the first letters of its name where that cannot be drawn.
pub fn terrain_symbol(rules: &Rules, terrain: TerrainId, ascii: bool) -> String {
    let declared = rules.terrains.get(terrain.index());
    super::drawable_symbol(declared.map(|t| (t.symbol.as_str(), t.name.as_str())), ascii)
}

/// The edges on which something lies, each with its two places.
pub fn laid_edges<'a>(
    rules: &'a Rules,
    world: &'a World,
) -> impl Iterator<Item = (PlaceId, [PlaceId; 2])> + 'a {
    let edges = rules.board.edges();
    let laid = edges.filter(|edge| !world.terrain(*edge).is_empty());
    laid.filter_map(|edge| Some((edge, rules.board.ends(edge)?)))
}

/// The kinds that lie somewhere among these places, or on edges, in the order of their names.
pub fn terrains_in(rules: &Rules, world: &World, places: PlaceSet) -> Vec<TerrainId> {
    let all = (0..rules.terrains.len()).map(|t| TerrainId(t as u8));
    let somewhere = |t| {
        places
            .iter()
            .chain(rules.board.edges())
            .any(|p| world.terrain(p).contains(t))
    };
    all.filter(|&t| somewhere(t)).collect()
}

/// The colours of the kinds of terrain as `#rrggbb`: what they declare, and otherwise the first of a row
/// of soft ones that nobody has. Black can be read on each, and factions' colours are seen on them.
pub fn terrain_colours(rules: &Rules) -> Vec<String> {
    const SOFT: [&str; 8] = [
        "#cfe3b4", "#a9c9a0", "#e8d3a2", "#b9d6ea", "#d9c3dd", "#e6bfae", "#c9c9c0", "#f0e6a0",
    ];
    let declared = |colour: &str| {
        rules.terrains.iter().any(|t| {
            t.colour
                .as_deref()
                .is_some_and(|c| c.eq_ignore_ascii_case(colour))
        })
    };
    let mut free = SOFT.into_iter().filter(|c| !declared(c)).cycle();
    rules
        .terrains
        .iter()
        .map(|t| t.colour.clone().or_else(|| free.next().map(str::to_owned)))
        .map(|colour| colour.unwrap_or_else(|| "#ffffff".to_owned()))
        .collect()
}

/// One of a cell's sides, by the way across it: to the right and downwards, see
/// [`Grid::across`](crate::kernel::grid::Grid::across).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CellEdge(pub GridStep);

impl CellEdge {
    /// Whether it is the flat one at the top.
    pub fn is_top(self) -> bool {
        self.0.0 == 0 && self.is_upper()
    }

    /// Whether it is the flat one at the bottom.
    pub fn is_bottom(self) -> bool {
        self.0.0 == 0 && self.0.1 > 0
    }

    /// Whether it faces left.
    pub fn is_left(self) -> bool {
        self.0.0 < 0
    }

    /// Whether it faces right.
    pub fn is_right(self) -> bool {
        self.0.0 > 0
    }

    /// Whether it faces upwards.
    pub fn is_upper(self) -> bool {
        self.0.1 < 0
    }
}

/// The edge by which a faction's units come onto the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryEdge {
    /// Faction that comes in.
    pub faction: FactionId,
    /// The place.
    pub place: PlaceId,
    /// Edge of the place.
    pub edge: CellEdge,
    /// The slot that says so, by name.
    pub slot: String,
}

/// The slots of factions that say to all by which place of the board they come in, each with its index.
pub fn ways_in(rules: &Rules) -> impl Iterator<Item = (usize, &Slot)> {
    let slots = rules.slots.faction.iter().enumerate();
    slots.filter(|(_, slot)| slot.kind == SlotKind::Place && !slot.quiet && rules.plane().is_none())
}

/// The entries of all factions: of the edges of a place beyond which lies the outside, the one that is
/// farthest from the middle of the ground. A place with ground all around has none.
pub fn entries(rules: &Rules, world: &World) -> Vec<EntryEdge> {
    let board = &rules.board;
    let (ground, outside) = (world.ground(), world.outside(rules));
    let grid = board.grid;
    let at = |place: PlaceId| grid.middle(board.cell(place), board.rows());
    let count = ground.len() as i64;
    let sum = ground.iter().fold((0, 0), |(x, y), p| (x + at(p).0, y + at(p).1));
    let beyond = |place: PlaceId, edge: CellEdge| {
        let ((x, y), (dx, dy)) = (at(place), edge.0);
        let mut near = board.neighbours(place).iter();
        near.find(|&p| at(p) == (x + dx, y + dy))
    };
    let mut entries: Vec<EntryEdge> = Vec::new();
    for faction in rules.all_factions() {
        for (index, slot) in ways_in(rules) {
            let value = world.slot(Thing::Faction(faction), index);
            let Some(place) = u16::try_from(value).ok().map(PlaceId) else {
                continue;
            };
            if !ground.contains(place) {
                continue;
            }
            let taken = |edge: &CellEdge| entries.iter().any(|e| e.place == place && e.edge == *edge);
            let edges = grid.sides().iter().map(|side| CellEdge(*side));
            let free = edges
                .filter(|&e| beyond(place, e).is_none_or(|p| outside.contains(p)))
                .filter(|e| !taken(e));
            // The middle of the edge is half-way to the middle beyond: everything twice as large, and
            // times the number of places, so that whole numbers do.
            let far = |edge: CellEdge| {
                let ((x, y), (dx, dy)) = (at(place), edge.0);
                let (x, y) = (count * (2 * x + dx) - 2 * sum.0, count * (2 * y + dy) - 2 * sum.1);
                x * x + grid.steepness() * y * y
            };
            if let Some(edge) = free.min_by_key(|&e| std::cmp::Reverse(far(e))) {
                entries.push(EntryEdge {
                    faction,
                    place,
                    edge,
                    slot: slot.name.replace('_', " "),
                });
            }
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::super::tests::{laid, lands};
    use super::*;

    #[test]
    fn an_entry_is_the_outermost_free_edge() {
        let rules = lands();
        let edge = |place: &str, tiles: &str| {
            let mut world = laid(&rules, tiles);
            let at = rules.board.place(place).expect("a place");
            world.set_slot(Thing::Faction(FactionId(0)), 0, at.0 as i64);
            entries(&rules, &world).first().map(|e| e.edge)
        };
        assert_eq!(edge("c4", "c4 c3 c2"), Some(CellEdge((0, -2))));
        assert_eq!(edge("c2", "c4 c3 c2"), Some(CellEdge((0, 2))));
        assert_eq!(edge("b3", "b3 c3 d3"), Some(CellEdge((-3, 1))));
        assert_eq!(edge("d3", "b3 c3 d3"), Some(CellEdge((3, 1))));
        // A gap with ground all around is not outside: nobody comes in there.
        let ring = "b3 b4 c2 c4 d3 d4";
        assert_eq!(edge("c4", ring), Some(CellEdge((0, -2))));
        // What is no ground has no entry, and neither has what has ground all around.
        assert_eq!(edge("a3", "c3"), None);
        assert_eq!(edge("c3", &format!("c3 {ring}")), None);
    }

    #[test]
    fn plain_terrain_is_told_only_alone() {
        let rules = lands();
        let world = laid(&rules, "c3 c4:wood");
        let symbols = |name: &str| -> Vec<String> {
            let place = rules.board.place(name).expect("a place");
            let kinds = shown_terrain(&rules, &world, place).into_iter();
            kinds.map(|t| terrain_symbol(&rules, t, true)).collect()
        };
        assert_eq!(symbols("c3"), ["."]);
        assert_eq!(symbols("c4"), ["W"]);
        assert!(symbols("c1").is_empty());
    }

    #[test]
    fn every_kind_has_a_colour_of_its_own() {
        let mut rules = lands();
        rules.terrains[1].colour = Some("#CFE3B4".to_owned());
        let colours = terrain_colours(&rules);
        for (nth, colour) in colours.iter().enumerate() {
            let others = colours[..nth].iter();
            assert!(
                others.clone().all(|o| !o.eq_ignore_ascii_case(colour)),
                "{colours:?}"
            );
        }
    }
}
