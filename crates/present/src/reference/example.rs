//! The small game in which the reference's examples are played.

/// The rules of the game.
pub const GAME: &str = include_str!("example/game.rhai");
/// Its unit types, by name.
pub const UNITS: [(&str, &str); 2] = [
    ("guards", include_str!("example/guards.rhai")),
    ("scouts", include_str!("example/scouts.rhai")),
];
/// Its terrain, by name.
pub const TERRAIN: [(&str, &str); 3] = [
    ("grass", include_str!("example/grass.rhai")),
    ("mud", include_str!("example/mud.rhai")),
    ("wall", include_str!("example/wall.rhai")),
];
/// The position at the start of every example.
pub const POSITION: &str = include_str!("example/position.toml");
/// Meanings of the names in examples, as script and in words.
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
        "a roll of three dice: 2, 3 and 6",
    ),
];
