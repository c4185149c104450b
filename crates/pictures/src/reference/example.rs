//! The small game in which the reference's examples are played, and how each is laid into it.

use super::{Entry, Sort};
use crate::script::declare::TABLETOP_KEYS;
use crate::script::run::value::Kind;
use crate::script::workspace::Workspace;
use std::collections::BTreeMap;

/// The rules of the game.
pub const GAME: &str = include_str!("example/game.rhai");
/// The rules of the same on a table top.
pub const TABLE: &str = include_str!("example/table.rhai");
/// The rules of the same in an arena.
pub const ARENA: &str = include_str!("example/arena.rhai");
/// Its unit types, by name.
pub const UNITS: [(&str, &str); 2] = [
    ("guards", include_str!("example/guards.rhai")),
    ("scouts", include_str!("example/scouts.rhai")),
];
/// Its terrain, by name.
pub const TERRAIN: [(&str, &str); 2] = [
    ("grass", include_str!("example/grass.rhai")),
    ("mud", include_str!("example/mud.rhai")),
];
/// The position at the start of every example.
pub const POSITION: &str = include_str!("example/position.toml");
/// The same on the table top.
pub const TABLE_POSITION: &str = include_str!("example/table.toml");
/// The same in the arena.
pub const ARENA_POSITION: &str = include_str!("example/arena.toml");
/// What the names in examples stand for, as script and in words.
pub const NAMES: [(&str, &str, &str); 5] = [
    ("me", "unit(\"red.scouts1\")", "`red.scouts1`, in `a1`"),
    ("foe", "unit(\"blue.scouts1\")", "`blue.scouts1`, in `b2`"),
    ("side", "faction(\"red\")", "the faction `red`"),
    (
        "here",
        "place(\"b2\")",
        "the hexagon `b2`, where `red.guards1` and `foe` stand",
    ),
    (
        "pool",
        "roll(side, \"luck\", 3, 6)",
        "three dice that came up 2, 3 and 6",
    ),
];

/// The files of the game, with this as its `game.rhai`, under the name `example`.
pub fn workspace(game: &str) -> Workspace {
    let mut files = BTreeMap::new();
    files.insert("scripts/example/game.rhai".to_owned(), game.to_owned());
    let position = match () {
        () if game.contains("arena:") => ARENA_POSITION,
        () if game.contains("tabletop:") => TABLE_POSITION,
        () => POSITION,
    };
    files.insert("scenarios/example/position.toml".to_owned(), position.to_owned());
    for (name, text) in UNITS {
        files.insert(format!("units/example/{name}.rhai"), text.to_owned());
    }
    for (name, text) in TERRAIN {
        files.insert(format!("scripts/example/terrain/{name}.rhai"), text.to_owned());
    }
    // A folder that cannot be: there is nothing but these files.
    Workspace::Folder("\0".into()).with(files)
}

/// The `let`s that give an example its names; only those that it says.
pub fn lets(code: &str) -> String {
    let says = |name: &str| {
        let inside = |c: char| c.is_alphanumeric() || c == '_';
        code.match_indices(name).any(|(at, _)| {
            let before = code[..at].chars().next_back();
            let after = code[at + name.len()..].chars().next();
            !before.is_some_and(|c| inside(c) || c == '"' || c == '.') && !after.is_some_and(inside)
        })
    };
    let mut needed: Vec<bool> = NAMES.iter().map(|(name, _, _)| says(name)).collect();
    // The dice are rolled by the side.
    needed[2] |= needed[4];
    let names = NAMES.iter().zip(needed).filter(|(_, needed)| *needed);
    names
        .map(|((name, value, _), _)| format!("let {name} = {value}; "))
        .collect()
}

/// The game in which the examples of an entry are played.
pub fn game_of(entry: &Entry) -> &'static str {
    let is_key = entry.sort == Sort::Key;
    if entry.group == IN_ARENA
        || is_key && (entry.of == AN_ARENA || entry.name == "arena")
        || entry.sort == Sort::Property && ARENA_NAMES.contains(&entry.name)
    {
        return ARENA;
    }
    let of_tables = [SPOT, REGION];
    let plays_there = entry.group == TABLE_TOP
        || of_tables.contains(&entry.of)
        || matches!(entry.sort, Sort::Key | Sort::Hook | Sort::Property)
            && (TABLE_NAMES.contains(&entry.name) || TABLETOP_KEYS.contains(&entry.name));
    if plays_there { TABLE } else { GAME }
}

/// The heading under which the functions of the table top stand.
const TABLE_TOP: &str = "The table top";
/// That of dice.
const IN_ARENA: &str = "The arena";
/// Whose keys are said of an arena alone.
pub const AN_ARENA: &str = "an arena";
/// What else is.
const ARENA_NAMES: [&str; 2] = ["face", "nearest_face"];
const SPOT: &str = Kind::Spot.word();
const REGION: &str = Kind::Region.word();
/// What is said of table tops alone, besides their keys.
const TABLE_NAMES: [&str; 3] = ["spot", "tabletop", "blocks_movement"];

/// The rules with an example in the step that is there for it.
pub fn game_with(game: &str, code: &str) -> String {
    game.replace(
        "fn example() {}",
        &format!("fn example() {{ {}{code} }}", lets(code)),
    )
}
