//! Placement of each example of the reference in the small game that plays it.

use rulebench::reference::{Article, ArticleKind, example};
use rulebench::rules::declare::TABLETOP_KEYS;
use rulebench::rules::run::value::Kind;
use rulebench::rules::workspace::Workspace;
use std::collections::BTreeMap;

/// The rules of the game on a table top.
const TABLE: &str = include_str!("examples/table.rhai");
/// The rules of the same in an arena.
const ARENA: &str = include_str!("examples/arena.rhai");
/// The position at the start of every example on the table top.
const TABLE_POSITION: &str = include_str!("examples/table.toml");
/// The same in the arena.
const ARENA_POSITION: &str = include_str!("examples/arena.toml");

/// The files of the game, with this as its `game.rhai`, under the name `example`.
pub fn workspace(game: &str) -> Workspace {
    let mut files = BTreeMap::new();
    files.insert("scripts/example/game.rhai".to_owned(), game.to_owned());
    let position = match () {
        () if game.contains("arena:") => ARENA_POSITION,
        () if game.contains("tabletop:") => TABLE_POSITION,
        () => example::POSITION,
    };
    files.insert("scenarios/example/position.toml".to_owned(), position.to_owned());
    for (name, text) in example::UNITS {
        files.insert(format!("units/example/{name}.rhai"), text.to_owned());
    }
    // Only on a board there are edges.
    let on_board = position == example::POSITION;
    for (name, text) in example::TERRAIN
        .into_iter()
        .filter(|(name, _)| on_board || *name != "wall")
    {
        files.insert(format!("scripts/example/terrain/{name}.rhai"), text.to_owned());
    }
    // A folder that cannot be: there is nothing but these files.
    Workspace::at("\0").with(files)
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
    let mut needed: Vec<bool> = example::NAMES.iter().map(|(name, _, _)| says(name)).collect();
    // The dice are rolled by the side.
    needed[2] |= needed[4];
    let names = example::NAMES.iter().zip(needed).filter(|(_, needed)| *needed);
    names
        .map(|((name, value, _), _)| format!("let {name} = {value}; "))
        .collect()
}

/// The game in which the examples of an entry are played.
pub fn game_of(entry: &Article) -> &'static str {
    let is_key = entry.sort == ArticleKind::Key;
    if entry.group == IN_ARENA
        || is_key && (entry.of == "an arena" || entry.name == "arena")
        || entry.sort == ArticleKind::Property && ARENA_NAMES.contains(&entry.name)
    {
        return ARENA;
    }
    let of_tables = [SPOT, REGION];
    let plays_there = entry.group == TABLE_TOP
        || of_tables.contains(&entry.of)
        || matches!(
            entry.sort,
            ArticleKind::Key | ArticleKind::Hook | ArticleKind::Property
        ) && (TABLE_NAMES.contains(&entry.name) || TABLETOP_KEYS.contains(&entry.name));
    if plays_there { TABLE } else { example::GAME }
}

/// The heading under which the functions of the table top stand.
const TABLE_TOP: &str = "The table top";
/// That of dice.
const IN_ARENA: &str = "The arena";
/// Names that belong only to arenas, besides their keys.
const ARENA_NAMES: [&str; 3] = ["face", "nearest_face", "between_faces"];
const SPOT: &str = Kind::Spot.word();
const REGION: &str = Kind::Region.word();
/// Names that belong only to tabletops, besides their keys.
const TABLE_NAMES: [&str; 4] = ["spot", "tabletop", "blocks_movement", "arc"];

/// The rules with an example in the step that is there for it.
pub fn game_with(game: &str, code: &str) -> String {
    game.replace(
        "fn example() {}",
        &format!("fn example() {{ {}{code} }}", lets(code)),
    )
}
