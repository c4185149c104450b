//! Drawings to the letter, and that every part of a position is found in them.

use super::cells::CellMetrics;
use super::look::paints;
use super::*;
use crate::kernel::board::Zone;
use crate::kernel::grid::Grid;
use crate::kernel::ids::MAX_FACTIONS;
use crate::kernel::rules::{Hidden, Relation, Schema, Terrain, UnitType};
use crate::lines::fitted;
use std::collections::{HashMap, HashSet};

fn slot(name: &str, quiet: bool) -> Slot {
    Slot {
        name: name.to_owned(),
        kind: SlotKind::Number,
        start: 0,
        from_stat: None,
        lasts: None,
        at_zero: None,
        falls: None,
        hit: (name == "life").then_some(true),
        rises: None,
        fell: None,
        rose: None,
        quiet,
        mark: None,
        inner: false,
        arc: None,
        says: None,
        hidden: Hidden::Never,
        hides: false,
        texts: Vec::new(),
    }
}

fn rules(columns: usize, rows: usize, factions: &[&str]) -> Rules {
    rules_on(Grid::Hexes, columns, rows, factions)
}

fn rules_on(grid: Grid, columns: usize, rows: usize, factions: &[&str]) -> Rules {
    let mut board = grid.rectangle(columns, rows);
    let edges = [0, rows - 1];
    let row = |f: usize| edges.get(f).map_or(PlaceSet::EMPTY, |&r| board.row(r));
    let half = |f: usize| row(f) | board.row(if f == 0 { 1 } else { rows.saturating_sub(2) });
    let zone = |name: &str, places: &dyn Fn(usize) -> PlaceSet| Zone {
        name: name.to_owned(),
        places: std::array::from_fn(|f| if f < 2 { places(f) } else { PlaceSet::EMPTY }),
        shared: false,
    };
    let zones = vec![zone("half", &half), zone("gate", &row)];
    board.zones = zones;
    let kind = |name: &str, symbol: &str| UnitType {
        name: name.to_owned(),
        symbol: symbol.to_owned(),
        stats: vec![Some(5)],
        ranges: Vec::new(),
    };
    Rules {
        game: "test".to_owned(),
        factions: factions.iter().map(|f| (*f).to_owned()).collect(),
        types: vec![kind("arrowmen", "Ar"), kind("spearmen", "Sp")],
        terrains: Vec::new(),
        stats: vec!["life".to_owned()],
        flags: vec![false],
        board,
        ground: std::sync::Arc::new(crate::kernel::ground::Places),
        plane: None,
        drawn_terrain: Vec::new(),
        stack: 2,
        relation: Relation::SamePlace,
        arbiter: 0,
        slots: Schema {
            unit: vec![Slot {
                from_stat: Some(0),
                ..slot("life", false)
            }],
            faction: vec![slot("damage", false), slot("behind", true), slot("wins", false)],
            ..Schema::default()
        },
        phases: vec![Default::default()],
        hooks: Default::default(),
    }
}

/// Units as (faction, type, place); an empty place is the reserve.
fn world(rules: &Rules, units: &[(u8, u8, &str)]) -> World {
    let mut world = World::new(rules);
    for &(faction, kind, place) in units {
        let unit = world
            .enlist(rules, FactionId(faction), TypeId(kind))
            .expect("fewer than 64");
        if let Some(place) = rules.board.place(place) {
            world.put(unit, place);
        }
    }
    world
}

/// A game of tiles on a hexagon of places, `c3` in its middle: bare land, woods and forts.
pub(super) fn lands() -> Rules {
    let mut rules = rules(3, 3, &["red", "blue"]);
    rules.board = Grid::Hexes.around(2);
    let kind = |name: &str, symbol: &str| Terrain {
        name: name.to_owned(),
        symbol: symbol.to_owned(),
        colour: None,
        on_edges: None,
        stats: vec![None],
    };
    rules.terrains = vec![kind("bare", "."), kind("fort", "F"), kind("wood", "W")];
    rules.slots.faction = vec![Slot {
        kind: SlotKind::Place,
        start: crate::kernel::rules::NOTHING,
        ..slot("way_in", false)
    }];
    rules
}

/// A world with these places bare, and the kinds that some names give after colons besides.
pub(super) fn laid(rules: &Rules, tiles: &str) -> World {
    let mut world = World::new(rules);
    for tile in tiles.split(' ') {
        let mut parts = tile.split(':');
        let place = parts.next().and_then(|name| rules.board.place(name));
        for kind in parts.chain(["bare"]) {
            let kind = rules.terrain(kind).expect("a kind of terrain");
            world.lay(rules, place.expect("a place"), kind);
        }
    }
    world
}

fn enter(rules: &Rules, world: &mut World, faction: u8, place: &str) {
    let place = rules.board.place(place).expect("a place");
    world.set_slot(Thing::Faction(FactionId(faction)), 0, place.0 as i64);
}

fn enlist(rules: &Rules, world: &mut World, units: &[(u8, u8, &str)]) {
    for &(faction, kind, place) in units {
        let unit = world
            .enlist(rules, FactionId(faction), TypeId(kind))
            .expect("few");
        if let Some(place) = rules.board.place(place) {
            world.put(unit, place);
        }
    }
}

fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("\u{1b}[") {
        plain.push_str(&rest[..at]);
        let end = rest[at..].find('m').expect("a code ends with m");
        rest = &rest[at + end + 1..];
    }
    plain + rest
}

const COLOUR: Style = Style {
    colour: true,
    names: true,
    width: 80,
    ascii: true,
    low: false,
    letters: false,
};

const ARMIES: [(u8, u8, &str); 6] = [
    (0, 0, "b2"),
    (0, 1, "b2"),
    (0, 0, "c1"),
    (1, 0, "b2"),
    (1, 1, "a3"),
    (1, 1, ""),
];

#[test]
fn a_small_board_exactly() {
    let rules = rules(3, 3, &["red", "blue"]);
    let drawn = board(&rules, &world(&rules, &ARMIES), &Style::default());
    let expected = r"
  ___________               ___________
 / a3*       \             / c3*       \
/    sp1:5    \___________/             \
\             / b3*       \             /
 \___________/             \___________/
 / a2        \             / c2        \
/             \___________/             \
\             / b2        \             /
 \___________/    ar:5     \___________/
 / a1*       \ AR1:5 SP:5  / c1*       \
/             \___________/             \
\             / b1*       \    AR2:5    /
 \___________/             \___________/
             \             /
              \___________/

RED upper case, blue lower case   * gate   :n life";
    assert_eq!(drawn, expected.trim_start_matches('\n'));
}

#[test]
fn high_hexagons_where_there_is_less_room() {
    let rules = rules(3, 2, &["red", "blue"]);
    let units = [
        (0, 0, "b1"),
        (0, 1, "b1"),
        (1, 0, "b1"),
        (1, 1, "b1"),
        (0, 1, "a1"),
    ];
    let style = Style {
        width: 21,
        ..Style::default()
    };
    let drawn = board(&rules, &world(&rules, &units), &style);
    let expected = r"
   ___         ___
  /a2*\       /c2*\
 /     \     /     \
/       \___/       \
\       /b2*\       /
 \     /     \     /
  \___/       \___/
  /a1*\       /c1*\
 /     \     /     \
/       \___/       \
\       /b1*\       /
 \SP2:5/ar:5 \     /
  \___/ sp:5  \___/
      \ AR:5  /
       \SP1:5/
        \___/
";
    assert_eq!(
        drawn.split("\n\n").next(),
        Some(expected.trim_matches('\n')),
        "{drawn}"
    );
}

#[test]
fn neighbours_and_only_they_share_an_edge() {
    let board = Grid::Hexes.rectangle(5, 4);
    for shape in [(2, 11), (3, 3)].map(|(slant, flat)| CellMetrics {
        slant,
        flat,
        height: 2 * slant,
        short: false,
    }) {
        let edges: Vec<HashSet<(usize, usize, char)>> = board
            .places()
            .iter()
            .map(|p| {
                let (x, y) = shape.corner(board.cell(p), board.rows());
                let outline = shape.outline();
                outline
                    .into_iter()
                    .map(|(dx, dy, c)| (x + dx, y + dy, c))
                    .collect()
            })
            .collect();
        for a in board.places() {
            for b in board.places().iter().filter(|&b| b != a) {
                let shared = edges[a.index()].intersection(&edges[b.index()]).count();
                let same_column = board.cell(a).column == board.cell(b).column;
                let expected = match (board.distance(a, b), same_column) {
                    (1, true) => shape.flat,
                    (1, false) => shape.slant,
                    _ => 0,
                };
                assert_eq!(shared, expected, "{} {}", board.name(a), board.name(b));
            }
        }
        // No two hexagons draw different characters at the same spot.
        let mut drawn = HashMap::new();
        for &(x, y, c) in edges.iter().flatten() {
            assert_eq!(*drawn.entry((x, y)).or_insert(c), c);
        }
    }
}

#[test]
fn six_and_eight_columns_fit_the_terminal() {
    for (columns, width) in [(6, 80), (8, 80), (11, 80), (6, 39), (3, 21)] {
        let rules = rules(columns, 6, &["red", "blue"]);
        let style = Style {
            width,
            ..Style::default()
        };
        let drawn = board(&rules, &world(&rules, &ARMIES), &style);
        assert!(drawn.contains("\\___"), "{columns} in {width}");
        // The factions' entry of the legend is never broken.
        assert!(drawn.lines().all(|l| shown_width(l) <= width.max(31)), "{drawn}");
    }
}

#[test]
fn four_units_of_two_factions_fit_one_hexagon() {
    let rules = rules(6, 6, &["red", "blue"]);
    let units = [(0, 0, "c4"), (0, 0, "c4"), (1, 1, "c4"), (1, 1, "c4")];
    let drawn = board(&rules, &world(&rules, &units), &Style::default());
    assert!(drawn.contains("/ sp1:5 sp2:5 \\"), "{drawn}");
    assert!(drawn.contains("\\ AR1:5 AR2:5 /"), "{drawn}");
}

#[test]
fn what_does_not_fit_is_counted_by_faction() {
    let rules = rules(6, 6, &["red", "blue"]);
    let units: Vec<_> = (0..7).map(|i| (i % 2, 0, "c4")).collect();
    let drawn = board(&rules, &world(&rules, &units), &Style::default());
    assert!(drawn.contains("/  ar1:5 +2   \\"), "{drawn}");
    assert!(drawn.contains("\\  AR1:5 +3   /"), "{drawn}");
    let crowd: Vec<_> = (0..64).map(|_| (0, 0, "c4")).collect();
    let drawn = board(&rules, &world(&rules, &crowd), &Style::default());
    assert!(drawn.contains("AR3:5 +61"), "{drawn}");
}

#[test]
fn three_of_one_faction_leave_room_for_one_of_the_other() {
    let rules = rules(6, 6, &["red", "blue"]);
    let units = [(0, 0, "c4"), (0, 0, "c4"), (0, 0, "c4"), (1, 1, "c4")];
    let drawn = board(&rules, &world(&rules, &units), &Style::default());
    assert!(!drawn.contains('+'), "{drawn}");
    assert!(
        drawn.contains("sp:5 AR1:5") && drawn.contains("AR2:5 AR3:5"),
        "{drawn}"
    );
}

#[test]
fn colour_adds_codes_and_nothing_else_to_the_drawing() {
    let rules = rules(4, 3, &["red", "blue"]);
    let world = world(&rules, &ARMIES);
    let without = board(&rules, &world, &Style::default());
    let with = board(&rules, &world, &COLOUR);
    assert!(!without.contains('\u{1b}'));
    assert!(with.contains('\u{1b}'));
    let hexagons = |text: &str| text.split("\n\n").next().unwrap_or_default().to_lowercase();
    assert_eq!(hexagons(&plain(&with)), hexagons(&without));
    assert!(plain(&with).ends_with("red, blue   * gate   :n life"));
    for text in [
        status(&rules, &world, &Style::default()),
        status(&rules, &world, &COLOUR),
    ] {
        assert_eq!(plain(&text), "red   damage 0  wins 0\nblue  damage 0  wins 0");
    }
}

#[test]
fn many_factions_have_letters_or_digits_and_colours_of_their_own() {
    let units: Vec<_> = (0..4).map(|f| (f, 0, "c2")).collect();
    let coloured = rules(6, 3, &["red", "blue", "green", "yellow"]);
    let drawn = board(&coloured, &world(&coloured, &units), &Style::default());
    for token in [
        "rAr:5",
        "bAr:5",
        "gAr:5",
        "yAr:5",
        "r red, b blue, g green, y yellow",
    ] {
        assert!(drawn.contains(token), "{drawn}");
    }
    let others = rules(6, 3, &["wolves", "witches", "ravens", "bears"]);
    let drawn = board(&others, &world(&others, &units), &Style::default());
    assert!(drawn.contains("1Ar:5") && drawn.contains("2 witches"), "{drawn}");
    let names = [
        "wolves", "witches", "ravens", "bears", "owls", "hares", "stoats", "eels",
    ];
    let many = rules(6, 3, &names[..MAX_FACTIONS]);
    let paints = paints(&many, &COLOUR);
    assert_eq!(
        paints
            .iter()
            .map(|p| p.render().to_string())
            .collect::<HashSet<_>>()
            .len(),
        MAX_FACTIONS
    );
}

#[test]
fn symbols_without_case_get_a_prefix_and_control_characters_are_not_drawn() {
    let mut rules = rules(3, 3, &["red", "blue"]);
    rules.types[0].symbol = "7".to_owned();
    rules.types[1].symbol = "\u{1b}[".to_owned();
    let drawn = board(&rules, &world(&rules, &ARMIES), &Style::default());
    assert!(drawn.contains("r71:5") && drawn.contains("b7:5"), "{drawn}");
    assert!(drawn.contains("rsp:5") && !drawn.contains('\u{1b}'), "{drawn}");
}

#[test]
fn a_board_too_wide_is_a_list() {
    let rules = rules(26, 4, &["red", "blue"]);
    let mut units = ARMIES.to_vec();
    units.push((1, 0, "z4"));
    let drawn = board(&rules, &world(&rules, &units), &Style::default());
    let expected = "\
c1*  red Ar2:5
b2   blue Ar1:5  red Ar1:5 Sp:5
a3   blue Sp1:5
z4*  blue Ar2:5

* gate   :n life";
    assert_eq!(drawn, expected);
    let drawn = board(&rules, &world(&rules, &[]), &Style::default());
    assert!(drawn.starts_with("no units on the board"));
}

#[test]
fn any_board_and_width_can_be_drawn() {
    let sizes = [(1, 1), (1, 6), (2, 1), (26, 4), (3, 3)];
    for (columns, rows) in sizes {
        for factions in [&["red"][..], &["red", "blue"], &["a", "b", "c"]] {
            let rules = rules(columns, rows, factions);
            let world = world(&rules, &[(0, 0, "a1"), (0, 1, "a1"), (0, 1, "")]);
            for width in [0, 1, 5, 9, 10, 40, 80, 1000] {
                for (names, ascii, low) in [(true, true, false), (false, false, true), (true, true, true)] {
                    let style = Style {
                        colour: false,
                        names,
                        width,
                        ascii,
                        low,
                        letters: low && !names,
                    };
                    assert!(board(&rules, &world, &style).is_ascii() || !ascii);
                    reserve(&rules, &world, &style);
                }
            }
        }
    }
    let mut none = rules(1, 1, &["red", "blue"]);
    none.board = crate::kernel::board::Board::new(Vec::new(), 0, 0, |_, _| 0);
    none.factions.clear();
    none.types.clear();
    none.slots = Schema::default();
    let world = World::new(&none);
    assert_eq!(board(&none, &world, &COLOUR), "");
    assert_eq!(reserve(&none, &world, &COLOUR), None);
    assert_eq!(status(&none, &world, &COLOUR), "");
}

#[test]
fn one_hexagon() {
    let rules = rules(1, 1, &["red", "blue"]);
    let style = Style {
        names: false,
        ..Style::default()
    };
    let drawn = board(&rules, &world(&rules, &[(0, 0, "a1"), (1, 0, "a1")]), &style);
    let expected = r"
  ___________
 /           \
/    ar:5     \
\    AR:5     /
 \___________/
";
    assert!(drawn.starts_with(expected.trim_matches('\n')), "{drawn}");
}

#[test]
fn reserve_names_those_who_wait() {
    let rules = rules(3, 3, &["red", "blue"]);
    let style = Style::default();
    let waiting = reserve(&rules, &world(&rules, &ARMIES), &style);
    assert_eq!(waiting.as_deref(), Some("blue  reserve  spearmen2:5"));
    let many: Vec<_> = (0..9).map(|i| (i / 8, 0, "")).collect();
    let expected = "\
blue  reserve  arrowmen:5
red   reserve  Ar1:5  Ar2:5  Ar3:5  Ar4:5  Ar5:5  Ar6:5  Ar7:5  Ar8:5";
    let waiting = reserve(&rules, &world(&rules, &many), &style).unwrap_or_default();
    assert_eq!(waiting.lines().rev().collect::<Vec<_>>().join("\n"), expected);
    assert_eq!(reserve(&rules, &world(&rules, &[(0, 0, "a1")]), &style), None);
}

#[test]
fn a_name_that_is_set_apart_from_its_number_is_bare_without_one() {
    let mut named = rules(3, 3, &["red", "blue"]);
    named.types[0].name = "pikes_".to_owned();
    let listing = |rules: &Rules, units: &[(u8, u8, &str)]| {
        reserve(rules, &world(rules, units), &Style::default()).unwrap_or_default()
    };
    assert_eq!(listing(&named, &[(0, 0, "")]), "red   reserve  pikes:5");
    let two = [(0, 0, ""), (0, 0, "")];
    assert_eq!(listing(&named, &two), "red   reserve  pikes_1:5  pikes_2:5");
    named.terrains = lands().terrains;
    assert_eq!(listing(&named, &two), "red   reserve  pikes:5 x2");
}

#[test]
fn status_shows_numbers_in_turn_order() {
    let rules = rules(3, 3, &["red", "blue"]);
    let mut world = world(&rules, &ARMIES);
    let start = "red   damage 0  wins 0\nblue  damage 0  wins 0";
    assert_eq!(status(&rules, &world, &Style::default()), start);
    world.set_slot(Thing::Faction(FactionId(0)), 0, 1);
    world.set_slot(Thing::Faction(FactionId(0)), 1, 7);
    world.set_slot(Thing::Faction(FactionId(0)), 2, 2);
    let style = Style::default();
    assert_eq!(
        status(&rules, &world, &style),
        "red   damage 1  wins 2\nblue  damage 0  wins 0"
    );
    world.set_first(FactionId(1), 2);
    assert_eq!(
        status(&rules, &world, &style),
        "blue  damage 0  wins 0\nred   damage 1  wins 2"
    );
}

#[test]
fn a_text_fits_a_screen_without_breaking_words_or_wrapping_boards() {
    assert_eq!(fitted("as it is\n  so", 10), "as it is\n  so");
    assert_eq!(fitted("  one two three", 10), "  one two\n    three");
    assert_eq!(
        fitted("\u{1b}[1mone\u{1b}[0m two three", 8),
        "\u{1b}[1mone\u{1b}[0m two\n  three"
    );
    assert_eq!(fitted("unbreakable", 4), "unbreakable");
    // A board moves as a whole.
    let board = "= head\n| /\\\n|\n| \\________/\n= foot";
    assert_eq!(fitted(board, 12), board);
    assert_eq!(fitted(board, 11), "= head\n/\\\n\n\\________/\n= foot");
    assert_eq!(fitted("- | \\____/\n+ | \\_/", 8), "- \\____/\n+ \\_/");
    assert_eq!(fitted("| 123456789", 5), "12345");
}

#[test]
fn low_hexagons_take_two_lines_and_join() {
    let rules = rules(3, 3, &["red", "blue"]);
    let world = world(&rules, &[(0, 0, "a1"), (0, 1, "a1"), (1, 1, "a1"), (1, 0, "b2")]);
    let low = Style {
        low: true,
        ..Style::default()
    };
    let drawn = board(&rules, &world, &low);
    let full = board(&rules, &world, &Style::default());
    // Two lines for each of three rows, the upper edge, and the half row that the second column is lower.
    assert_eq!(drawn.split("\n\n").next().map(|b| b.lines().count()), Some(8));
    assert!(full.lines().count() > drawn.lines().count());
    insta::assert_snapshot!(drawn);
}

const SQUARES: Grid = Grid::Squares { diagonals: false };

#[test]
fn squares_have_upright_edges_and_corners_that_join() {
    let rules = rules_on(SQUARES, 3, 3, &["red", "blue"]);
    let world = world(&rules, &[(0, 0, "a1"), (0, 1, "a1"), (1, 1, "a1"), (1, 0, "b2")]);
    let drawn = |ascii, low| {
        let style = Style {
            ascii,
            low,
            ..Style::default()
        };
        board(&rules, &world, &style)
    };
    let first = |text: &str| text.lines().next().map(str::to_owned);
    assert_eq!(
        first(&drawn(true, false)).as_deref(),
        Some("+-------------+-------------+-------------+")
    );
    assert_eq!(
        first(&drawn(false, false)).as_deref(),
        Some("┌─────────────┬─────────────┬─────────────┐")
    );
    // Two lines for each row, and the upper edge.
    assert_eq!(
        drawn(true, true).split("\n\n").next().map(|b| b.lines().count()),
        Some(7)
    );
    insta::assert_snapshot!([drawn(true, false), drawn(false, true)].join("\n\n"));
}

#[test]
fn whom_a_low_cell_does_not_show_is_told_below() {
    let rules = rules_on(SQUARES, 3, 3, &["red", "blue", "green"]);
    let world = world(
        &rules,
        &[
            (0, 0, "a1"),
            (0, 1, "a1"),
            (1, 1, "a1"),
            (2, 1, "a1"),
            (1, 0, "b2"),
        ],
    );
    let style = Style {
        low: true,
        width: 40,
        ..Style::default()
    };
    insta::assert_snapshot!(board(&rules, &world, &style));
}

#[test]
fn squares_are_drawn_as_wide_as_the_terminal_lets_them_be() {
    for (columns, width, fits) in [
        (7, 80, true),
        (13, 80, true),
        (14, 80, false),
        (3, 19, true),
        (3, 18, false),
    ] {
        let rules = rules_on(SQUARES, columns, 6, &["red", "blue"]);
        let style = Style {
            width,
            ..Style::default()
        };
        let drawn = board(&rules, &world(&rules, &ARMIES), &style);
        assert_eq!(drawn.starts_with("+-"), fits, "{columns} in {width}\n{drawn}");
        assert_eq!(
            drawn.trim_start().starts_with("a "),
            !fits,
            "{columns} in {width}\n{drawn}"
        );
        let cells = drawn.split("\n\n").next().unwrap_or_default();
        assert!(!fits || cells.lines().all(|l| shown_width(l) <= width), "{drawn}");
    }
}

#[test]
fn squares_that_are_too_many_are_rows_of_letters_with_a_list_of_who_stands_where() {
    let mut rules = lands();
    rules.board = SQUARES.rectangle(16, 6);
    let mut world = laid(
        &rules,
        "c3:fort c2 c4:wood b3 d3 e3 f3 g3 h3 i3:wood j3 k3 l3 m3 n3 o3 p3 p4:fort",
    );
    enter(&rules, &mut world, 1, "p4");
    enlist(
        &rules,
        &mut world,
        &[(0, 0, "b3"), (1, 1, "c4"), (1, 0, "c4"), (0, 1, "h3")],
    );
    let marks = Marks {
        reach: rules.board.place("d3").into_iter().collect(),
        gaps: rules.board.place("a3").into_iter().collect(),
        ..Marks::default()
    };
    let style = Style {
        width: 60,
        ..Style::default()
    };
    let narrow = Style {
        width: 20,
        ..Style::default()
    };
    let all = [
        whole(&rules, &world, &style, &marks),
        whole(&rules, &world, &narrow, &marks),
    ];
    insta::assert_snapshot!(all.join("\n\n"));
}

#[test]
fn hexagons_that_are_too_many_are_rows_of_letters_and_few_are_a_list() {
    let mut rules = lands();
    rules.board = Grid::Hexes.rectangle(24, 5);
    let all: Vec<&str> = rules.board.places().iter().map(|p| rules.board.name(p)).collect();
    let mut world = laid(&rules, &all.join(" "));
    enlist(&rules, &mut world, &[(0, 0, "b3"), (1, 1, "c4"), (1, 0, "x1")]);
    insta::assert_snapshot!(board(&rules, &world, &Style::default()));
    let few = laid(&rules, &all[..30].join(" "));
    assert!(board(&rules, &few, &Style::default()).starts_with("a1  bare\n"));
}

#[test]
fn a_map_of_squares_shows_gaps_and_ways_in_at_each_side() {
    let mut rules = lands();
    rules.board = SQUARES.rectangle(5, 5);
    let mut world = laid(&rules, "c3:fort c2 c4:wood b3 d3");
    enter(&rules, &mut world, 0, "b3");
    enter(&rules, &mut world, 1, "c4");
    enlist(&rules, &mut world, &[(0, 0, "b3"), (1, 1, "c4")]);
    let marks = Marks {
        gaps: rules.board.place("b4").into_iter().collect(),
        ..Marks::default()
    };
    insta::assert_snapshot!(whole(&rules, &world, &Style::default(), &marks));
}

#[test]
fn side_by_side_ignores_codes_and_keeps_every_line() {
    let left = "\u{1b}[1m\u{1b}[31mab\u{1b}[0m\nabcd\nx";
    assert_eq!(
        side_by_side(left, "1\n2", 2),
        "\u{1b}[1m\u{1b}[31mab\u{1b}[0m    1\nabcd  2\nx"
    );
    assert_eq!(side_by_side("a", "1\n2", 1), "a 1\n  2");
    assert_eq!(side_by_side("", "", 3), "");
}

/// Everything that a map can have.
fn full_map(rules: &Rules) -> World {
    let mut world = laid(
        rules,
        "c3:fort c2 c4:wood b3 b4:fort:wood d3 d4:wood c1 c5 b2 d5 e3 a3",
    );
    enter(rules, &mut world, 0, "a3");
    enter(rules, &mut world, 1, "d5");
    let units = [
        (0, 0, "a3"),
        (0, 1, "b3"),
        (1, 0, "d5"),
        (1, 1, "b3"),
        (0, 1, ""),
        (0, 1, ""),
        (0, 0, ""),
        (1, 1, ""),
    ];
    enlist(rules, &mut world, &units);
    world
}

fn whole(rules: &Rules, world: &World, style: &Style, marks: &Marks) -> String {
    let reserve = reserve(rules, world, style).unwrap_or_default();
    format!("{}\n{reserve}", marked_board(rules, world, style, marks))
}

#[test]
fn a_map_shows_tiles_terrain_ways_in_and_the_reserve() {
    let rules = lands();
    let world = full_map(&rules);
    insta::assert_snapshot!(whole(&rules, &world, &Style::default(), &Marks::default()));
}

#[test]
fn a_map_in_colour_differs_by_codes_only() {
    let rules = lands();
    let world = full_map(&rules);
    let coloured = whole(&rules, &world, &COLOUR, &Marks::default());
    let without = whole(&rules, &world, &Style::default(), &Marks::default());
    let hexagons = |text: &str| text.split("\n\n").next().unwrap_or_default().to_lowercase();
    assert_eq!(hexagons(&plain(&coloured)), hexagons(&without));
    insta::assert_snapshot!(coloured.replace('\u{1b}', "^"));
}

#[test]
fn a_growing_map_shows_what_can_be_laid() {
    let rules = lands();
    let mut output = String::new();
    for tiles in ["c3", "c3 d4:wood", "c3 d4:wood b3 c4 d3"] {
        let world = laid(&rules, tiles);
        let ground = world.ground();
        let near = ground
            .clone()
            .fold(PlaceSet::EMPTY, |all, p| all | rules.board.neighbours(p));
        let marks = Marks {
            gaps: near - ground,
            ..Marks::default()
        };
        output += &marked_board(&rules, &world, &Style::default(), &marks);
        output += "\n\n";
    }
    insta::assert_snapshot!(output);
}

#[test]
fn before_anything_is_laid_the_board_says_so() {
    let rules = lands();
    let world = World::new(&rules);
    let drawn = board(&rules, &world, &Style::default());
    assert_eq!(drawn, "no terrain is laid yet");
    let marks = Marks {
        gaps: rules.board.place("c3").into_iter().collect(),
        ..Marks::default()
    };
    let drawn = marked_board(&rules, &world, &Style::default(), &marks);
    assert!(drawn.contains("c3") && !drawn.contains("c4"), "{drawn}");
}

#[test]
fn a_map_that_is_too_wide_is_a_list_with_its_terrain() {
    let rules = lands();
    let world = full_map(&rules);
    let style = Style {
        width: 30,
        ..Style::default()
    };
    insta::assert_snapshot!(board(&rules, &world, &style));
}

#[test]
fn reach_and_threat_are_marked_on_a_map() {
    let rules = lands();
    let world = full_map(&rules);
    let place = |name: &str| rules.board.place(name).expect("a place");
    let marks = Marks {
        reach: [place("c3"), place("c2")].into_iter().collect(),
        threat: [place("d4"), place("c3")].into_iter().collect(),
        ..Marks::default()
    };
    let drawn = marked_board(&rules, &world, &Style::default(), &marks);
    assert!(
        drawn.contains("[c3!]") && drawn.contains("[c2]") && drawn.contains("!d4!"),
        "{drawn}"
    );
    assert!(drawn.lines().all(|l| l.chars().count() <= 80), "{drawn}");
}

#[test]
fn any_map_can_be_drawn_in_any_width() {
    let rules = lands();
    let all = rules.board.places();
    let names: Vec<&str> = all.clone().map(|p| rules.board.name(p)).collect();
    for tiles in [&names[..1], &names[..5], &names[7..9], &names[14..], &names[..]] {
        let mut world = laid(&rules, &tiles.join(" "));
        for faction in 0..2 {
            enter(
                &rules,
                &mut world,
                faction,
                tiles[tiles.len() / 2 * faction as usize],
            );
        }
        for width in [0, 1, 9, 20, 39, 60, 80, 200] {
            let style = Style {
                width,
                ..Style::default()
            };
            let marks = Marks {
                gaps: all - world.ground(),
                ..Marks::default()
            };
            for marks in [marks, Marks::default()] {
                let drawn = marked_board(&rules, &world, &style, &marks);
                let hexagons = drawn.split("\n\n").next().unwrap_or_default();
                if hexagons.contains("\\_") {
                    assert!(hexagons.lines().all(|l| l.chars().count() <= width), "{drawn}");
                    // Cropped: something stands in the first column and in the first line.
                    assert!(hexagons.lines().any(|l| !l.starts_with(' ')), "{drawn}");
                    assert!(hexagons.lines().next().is_some_and(|l| !l.is_empty()), "{drawn}");
                }
            }
        }
    }
}

/// A unit carries a mark for each slot that is not at its start, and the legend says what those mean that are there.
#[test]
fn units_are_marked_for_what_is_remembered_of_them() {
    let mut rules = rules(3, 3, &["red", "blue"]);
    let marked = |name: &str, mark: &str, kind: SlotKind| Slot {
        kind,
        mark: Some(mark.to_owned()),
        ..slot(name, true)
    };
    rules.slots.unit.extend([
        marked("left", "orders left", SlotKind::Number),
        marked("hurt", "is hurt", SlotKind::Flag),
        slot("hidden", true),
    ]);
    let mut world = world(&rules, &[(0, 0, "a1"), (0, 1, "b2"), (1, 0, "")]);
    let drawn = |world: &World| board_and_legend(&rules, world, &Style::default(), &Marks::default());
    let (plain, legend) = drawn(&world);
    assert!(plain.contains("SP:5 ") && !legend.contains("orders left") && !legend.contains("is hurt"));
    let units: Vec<UnitId> = world.alive().collect();
    // Who waits in reserve has its mark there, and none on the board.
    world.set_slot(Thing::Unit(units[2]), 1, 9);
    assert_eq!(drawn(&world).1, legend);
    world.set_slot(Thing::Unit(units[1]), 2, 1);
    world.set_slot(Thing::Unit(units[1]), 3, 1);
    let (board, legend) = drawn(&world);
    assert!(board.contains("SP:5~ ") && board.contains("AR:5 "), "{board}");
    assert!(
        legend.contains("~ is hurt") && !legend.contains("orders left"),
        "{legend}"
    );
    world.set_slot(Thing::Unit(units[1]), 1, 2);
    let (board, legend) = drawn(&world);
    assert!(board.contains("SP:5~%2 "), "{board}");
    assert!(
        legend.contains("~ is hurt") && legend.contains("%n orders left"),
        "{legend}"
    );
}

#[test]
fn status_shows_what_places_hold() {
    let mut rules = rules(3, 3, &["red", "blue"]);
    rules.slots.place = vec![
        slot("gold", false),
        slot("traps", true),
        Slot {
            kind: SlotKind::Place,
            start: crate::kernel::rules::NOTHING,
            ..slot("way", false)
        },
    ];
    let mut world = world(&rules, &ARMIES);
    let named = |name: &str| rules.board.place(name).expect("a place");
    let (one, other) = (Thing::Place(named("b2")), Thing::Place(named("c1")));
    world.set_slot(one, 0, 5);
    world.set_slot(one, 1, 5);
    world.set_slot(other, 0, 2);
    world.set_slot(other, 2, named("b2").index() as i64);
    let text = status(&rules, &world, &Style::default());
    assert!(text.contains("\nplaces "), "{text}");
    assert!(text.contains("b2 gold 5") && !text.contains("traps"), "{text}");
    assert!(text.contains("c1 gold 2, way b2"), "{text}");
}
