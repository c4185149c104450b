//! Words of scripts other than calls: the declarations with their keys, the hooks that the kernel asks, the words for
//! nothing, the kinds of values. The reader of declarations checks keys against these tables, and the reference is
//! printed from them. Knows nothing of the rest.

/// Functions that declare data; they are read at load and are no hooks.
pub const DECLARED: [&str; 6] = ["dials", "stats", "slots", "board", "phases", "card"];

use crate::grounds::KINDS;
pub use crate::kernel::declared_key::DeclaredKey;
use rulebench_kernel::keys;

/// Every function that the kernel and its agents call by name.
pub fn hooks() -> impl Iterator<Item = &'static DeclaredKey> {
    HOOKS.iter().chain(REACTIONS)
}

keys! {
    DECLARATIONS "The functions that declare; those of [`DECLARED`] and `variant`.":
    /// Declares the factions, the places and the condition for engagement. Every game has this function.
    /// - gives: map with the keys of board()
    /// - `fn board() { #{ factions: ["red", "blue"], hexes: [4, 3] } }`
    "board";
    /// Declares the phases of the game, in order. Every game has this function.
    /// - gives: list of maps with the keys of a phase
    /// - `fn phases() { [#{ phase: "turn", turn: "first", step: "activate" }] }`
    "phases";
    /// Declares the state that a game stores.
    /// - gives: map with the keys of slots()
    /// - `fn slots() { #{ unit: #{ life: 3, stunned: false }, faction: #{ score: 0 }, game: #{ wind: 0 } } }`
    "slots";
    /// Declares the stats of unit types and terrain. A stat in game.rhai belongs to every unit type. A stat in a
    /// unit's or a terrain's script belongs to that one alone. Each stat is a property, `me.life`, and a dial,
    /// `scouts.life`. A stat can also be a flag, true or false: cards print it as a word, and its dial is 1 or 0.
    /// `number(start, low, high)` sets the range of a number; in game.rhai the range holds for every unit type.
    /// - gives: map of numbers, flags and the keys of stats(); a number is a dial from 0 to 99 unless it has its own range
    /// - error: a stat is neither a number nor a flag, is a flag in one script and a number in another, or is outside its range
    /// - `fn stats() { #{ move: number(2, 0, 4), life: 3, cost: 1, infantry: true } }`
    "stats";
    /// Declares the dials that players or designers can change. Scripts read a dial by its name, with `_` in place of
    /// dots.
    /// - gives: map of dials by name: number(...), one_of(...) or a plain number
    /// - error: a value is none of these, or its start is outside its range
    /// - `fn dials() { #{ max_rounds: number(12, 1, 99), "match.length": one_of("single", ["single", "best_of_3"]) } }`
    "dials";
    /// Returns the card text of a unit type, a terrain or the game: the sentences that players read on cards. Each line is
    /// a paragraph. A paragraph that begins with a few words and a colon, as in `Charge: ...`, has these words as its
    /// name. Braces hold live numbers: stats, dials and whole numbers with `+ - * /` and brackets. The stats of another
    /// type are written as `{scouts.range}`. A script without this function has no text on its card.
    /// - gives: text
    /// - error: it returns no text, or braces have a name that is no stat and no dial
    /// - `fn card() { "Goal: bring scouts to the far edge. They run up to {scouts.move * 2} hexagons." }`
    "card";
    /// Describes a variant. A variant does not need this function.
    /// - gives: map with the keys of variant()
    /// - `fn variant() { #{ requires: ["fog"] } }`
    "variant";

    BOARD "What `board()` may say.":
    /// The factions, in turn order.
    /// - takes: list of 1 to 8 names; a name has letters, digits, `-` and `_`
    /// - error: there are too few or too many names, two are equal, or one is also the name of a place
    /// - `factions: ["red", "blue"]`
    "factions";
    /// Size of a board of hexagons.
    /// - takes: list of two numbers: columns and rows of hexagons
    /// - error: the board has no hexagons or too many
    /// - `hexes: [6, 6]`
    "hexes";
    /// Size of a hexagon-shaped board, in place of `hexes`: the number of steps from its middle to its edge. Columns
    /// are named `a`, `b` and so on from the left. Numbers are rows, counted across all columns: `rulebench render`
    /// shows them.
    /// - takes: number of steps, from 0 to 36
    /// - error: the number is too large, or the board has `hexes` too
    /// - `hexagon: 6`
    "hexagon";
    /// Size of a board of squares, in place of `hexes`.
    /// - takes: list of two numbers: columns and rows of squares
    /// - error: the board has no squares or too many, or it has `hexes` too
    /// - `squares: [8, 8]`
    "squares";
    /// Whether squares also touch at their corners; false if left out. With true, each square has eight neighbours,
    /// otherwise four. Steps, contact and everything else about touching places follow this.
    /// - takes: true or false
    /// - error: the board is made of hexagons
    /// - `squares: [8, 8], diagonals: true`
    "diagonals";
    /// Width and depth of a table top, in place of a board. Units stand on round bases, at any point of the table.
    /// - takes: list of two lengths, in the game's own unit
    /// - error: a length is not from 1 to 10000, or there is a board too
    /// - `tabletop: [24, 24], unit: "inch"`
    "tabletop";
    /// Unit of length on the table top; `"mm"` if left out. Pictures use it to draw to scale.
    /// - takes: text: `"mm"`, `"cm"`, `"inch"` or `"inches"`. With any other word, pictures have no true size
    /// - `tabletop: [900, 900], unit: "mm"`
    "unit";
    /// Largest gap between two bases that are still in contact; 0 if left out.
    /// - takes: length from 0 to 10
    /// - `tabletop: [24, 24], hair: 0.02`
    "hair";
    /// Name of the stat that holds the width of a unit's base; `"diameter"` if left out.
    /// - takes: text
    /// - `tabletop: [24, 24], bases: "diameter"`
    "bases";
    /// Maximum number of pieces of terrain on the table top; 24 if left out. The pieces are the places of the game:
    /// `piece1`, `piece2`, ...
    /// - takes: number from 0 to 200
    /// - `tabletop: [24, 24], pieces: 40`
    "pieces";
    /// Approximate number of spots proposed when a unit can go to more spots than can be listed; 48 if left out.
    /// Agents consider only these spots.
    /// - takes: number from 1 to 1000
    /// - `tabletop: [24, 24], candidates: 90`
    "candidates";
    /// Distances that matter between opponents, such as shooting ranges. Spots just inside and just outside these
    /// distances are among the proposed spots.
    /// - takes: list of lengths
    /// - error: a length is below 0 or longer than a table
    /// - `tabletop: [24, 24], ranges: [6, 7.5]`
    "ranges";
    /// Named lengths that the game uses. The printed sheet has a page that shows each one as an arrow, beside a
    /// ruler.
    /// - takes: map from names to lengths above 0
    /// - error: a value is not a length
    /// - `tabletop: [24, 24], unit: "inch", measures: #{ move: 6, "long shot": 10 }`
    "measures";
    /// An arena, in place of a board: a raised octagon on which dice are thrown and from which they can fall. Lengths
    /// are in centimetres. Each unit type is a die (its stat `die`). A unit lies at a point `x,y`, measured from the
    /// lower left corner of the square around the octagon.
    /// - takes: map with the keys of an arena
    /// - error: there is another board too
    /// - `arena: #{ octagon: 50 }`
    "arena";
    /// Drawing of a board, in place of `hexes`: one line of text for each row, the top row first. As on every board
    /// of hexagons, every second column (b, d, f, ...) lies half a hexagon lower.
    /// - takes: list of texts of equal length: `.` is a place and a blank is a gap; `legend` or a zone defines every other character
    /// - error: the map has no place or too many, has a character that nothing defines, has lines of different lengths, or the board has `hexes` or `hexagon` too
    /// - `map: [" ... ", ".....", " ... "]`
    "map";
    /// Terrain for the characters of `map`. A game starts with this terrain, unless a scenario lays its own. A place
    /// drawn with the letter of a zone alone gets the terrain of `.`.
    /// - takes: map from a character to a terrain, to a list of several, or to `"gap"`
    /// - error: no terrain has this name, a key is longer than one character, or the board has no `map`
    /// - `map: ["...", ".~.", "..."], legend: #{ ".": "grass", "~": ["grass", "mud"] }`
    "legend";
    /// Terrain for the characters that `map` has between places. With this key, places are every second character of
    /// every second line of `map`, and what stands in the middle between two places that touch lies on their edge.
    /// - takes: map from a character to a terrain with `blocks`, or to a list of several
    /// - error: no terrain has this name, the terrain has no `blocks`, or the board has no `map`
    /// - `map: [". .|.", "  -  ", ". . .", "-    ", ". . ."], cells: "squares", edges: #{ "|": "wall", "-": "wall" }`
    "edges";
    /// Shape of the places of a `map`; hexagons if left out.
    /// - takes: text: `"hexagons"` or `"squares"`
    /// - error: the board has no `map`
    /// - `map: ["...", ". .", "..."], cells: "squares"`
    "cells";
    /// Rule for a straight line that runs along the edge between two places, or through a corner; `"either"` if left
    /// out. `line` and `in_sight` use it.
    /// - takes: text: `"left"` or `"right"`, the line meets the place on that side, as seen from its start; `"both"`, the line meets both places, and each blocks sight alone; `"either"`, the line meets both places, and they block sight only together
    /// - `lines: "both"`
    "lines";
    /// Named parts of the board. A zone has places for each faction, or places for all. `side.home` are the places of
    /// one faction, and `zone("home")` are those of all.
    /// - takes: map of zones; each is a map from factions to areas, or one area for all. An area is rows(...), columns(...), a text with letters that mark its places in `map`, a list of names of places, a map with the keys of an area (a place must meet all of them), or a list of areas (a place must be in one of them)
    /// - error: no faction has this name, or an area names something that is not on the board
    /// - `zones: #{ home: #{ red: rows(1, 1), blue: rows(3, 3) } }`
    /// - `zones: #{ home: #{ red: ["a1", "b1"], blue: ["c3"] }, heart: #{ near: ["middle", 1] } }`
    /// - `zones: #{ home: #{ red: rows(1, 1), blue: rows(3, 3) }, sides: [columns(1, 1), columns(4, 4), "b2"] }`
    "zones";
    /// Condition under which opposing units are engaged; `"same place"` if left out.
    /// - takes: text: `"same place"` or `"adjacent"`; on a table top `"base contact"`
    /// - `engaged: "adjacent"`
    "engaged";
    /// Maximum number of units of one faction in a place; 1 if left out. A step that moves one more unit there is an
    /// error of the rules. If units come to a place at the same time and not all have room, the faction named by
    /// `conflicts` chooses which ones do. The others stay where they are, and this is recorded.
    /// - takes: number from 1 to 32
    /// - `stack: 2`
    "stack";
    /// Faction that decides the order of effects of a simultaneous phase that cannot all happen; the first faction if
    /// left out.
    /// - takes: text: `"first"`, `"second"` and so on up to `"eighth"`
    /// - `conflicts: "second"`
    "conflicts";

    AREA "What a zone's area may say.":
    /// The rows of a zone.
    /// - takes: list of two numbers from 1: the first row and the last. rows(1, 2) means the same
    /// - error: a row is not on the board
    /// - `zones: #{ home: #{ red: #{ rows: [1, 1] }, blue: rows(3, 3) } }`
    "rows";
    /// The columns of a zone.
    /// - takes: list of two numbers from 1: the first column and the last. columns(1, 2) means the same
    /// - error: a column is not on the board
    /// - `zones: #{ home: #{ red: #{ columns: [1, 2], rows: [1, 1] }, blue: columns(3, 4) } }`
    "columns";

    /// The letters that mark the places of a zone in `map`. The text alone means the same.
    /// - takes: text of one or more letters
    /// - error: the map has no place with this letter
    /// - `map: ["bbb", "...", "rrr"], zones: #{ home: #{ red: "r", blue: #{ drawn: "b" } } }`
    "drawn";
    /// The places of a zone, by name. The list alone means the same.
    /// - takes: list of texts
    /// - error: no place has this name; the message suggests the closest name
    /// - `zones: #{ home: #{ red: #{ places: ["a1"] }, blue: ["c3"] } }`
    "places";
    /// The places of a zone around a place, including the place itself. A board with an even number of columns or
    /// rows has no place exactly in its middle. `"middle"` is then a place beside the middle, on squares to the lower
    /// left; `middle()` shows which one.
    /// - takes: list of a place and a number of steps; the place is a name, `"middle"`, `"rim"` (the places at the outer edge of the board) or `"corners"`. With 0 steps the zone is those places alone
    /// - error: no place has this name, or the board has no corners: a rectangle has four, a hexagon has six
    /// - `zones: #{ home: #{ red: #{ near: ["a1", 1] }, blue: #{ near: ["c3", 1] } } }`
    /// - `zones: #{ home: #{ red: rows(1, 1), blue: rows(3, 3) }, rim: #{ near: ["rim", 0] }, nooks: #{ near: ["corners", 0] } }`
    "near";
    /// The places of a zone at exactly a number of steps from a place, or from the nearest of several places.
    /// - takes: list of a place and a number of steps, as for `near`
    /// - error: no place has this name, or no place is that far away
    /// - `zones: #{ home: #{ red: rows(1, 1), blue: rows(3, 3) }, shore: #{ ring: ["b2", 1] } }`
    "ring";

    ARENA "What an `arena` may say.":
    /// Width of the octagon. `measured` states how it is measured.
    /// - takes: length from 10 to 1000
    /// - error: the key is missing
    /// - `arena: #{ octagon: 50 }`
    "octagon";
    /// Way to measure the width of octagons; `"flat to flat"` if left out.
    /// - takes: text: `"flat to flat"` or `"corner to corner"`
    /// - `arena: #{ octagon: 50, measured: "corner to corner" }`
    "measured";
    /// Named parts of the arena, centred on its middle. They are the places of the game: `place("target")`.
    /// - takes: map from a name to `#{ octagon: width }` or `#{ circle: width }`
    /// - error: a zone is wider than the board, or has no width
    /// - `arena: #{ octagon: 50, zones: #{ bounds: #{ octagon: 42 }, target: #{ circle: 6 } } }`
    "zones";
    /// Thickness of the board; 2 if left out.
    /// - takes: length from 0.1 to 20
    /// - `arena: #{ octagon: 50, thickness: 1.8 }`
    "thickness";
    /// Friction of the board, in per cent; 40 if left out. Between two objects, the mean of their values counts.
    /// - takes: number from 0 to 200
    /// - `arena: #{ octagon: 50, friction: 60 }`
    "friction";
    /// Part of its speed that an object keeps when it bounces off the board, in per cent; 35 if left out. Between two
    /// objects, the mean of their values counts.
    /// - takes: number from 0 to 100
    /// - `arena: #{ octagon: 50, bounce: 20 }`
    "bounce";
    /// Time in seconds after which a throw is stopped if dice are still moving; 10 if left out.
    /// - takes: length from 0.1 to 60
    /// - `arena: #{ octagon: 50, limit: 5 }`
    "limit";

    SLOTS "What `slots()` may say.":
    /// Slots of the game itself: `game().wind`. To change one, write `let g = game(); g.wind = 1;`.
    /// - takes: map of slots by name
    /// - `game: #{ wind: 0 }`
    "game";
    /// Slots of each faction: `side.score`.
    /// - takes: map of slots by name
    /// - `faction: #{ score: 0 }`
    "faction";
    /// Slots of each place: `here.fire`.
    /// - takes: map of slots by name
    /// - `place: #{ fire: 0 }`
    "place";
    /// Slots of each unit: `me.stunned`. A slot with the name of a stat starts with the value of that stat.
    /// - takes: map of slots by name
    /// - `unit: #{ life: #{ start: 0, at_zero: "death" }, stunned: false }`
    "unit";

    SLOT "What a slot may say. A plain number or `true` and `false` in its place are its start.":
    /// Starting value.
    /// - takes: whole number, or true or false
    /// - error: the slot `holds` anything but a direction; such a slot always starts with nothing
    /// - `ammo: #{ start: 3 }`
    "start";
    /// Kind of thing that the slot stores, in place of a number or flag. The slot starts with nothing.
    /// - takes: text: `"unit"`, `"place"`, `"faction"`, `"direction"` (one of those that `directions()` returns), or `"dice"` for a pool of dice, which starts empty
    /// - `last_target: #{ holds: "unit" }`
    /// - `facing: #{ holds: "direction" }`
    /// - `attack: #{ holds: "dice" }`
    "holds";
    /// Makes the slot a set: nothing is in it twice, and its items are in order. Scripts read and change it as a list, and
    /// `at_most` is its limit. It starts empty.
    /// - takes: text: the kind of its items: `"number"`, `"text"`, `"unit"`, `"place"` or `"faction"`, or two of them joined by ` and ` for pairs
    /// - error: the slot has a key that only belongs to one value, such as `start` or `holds`
    /// - `visited: #{ set: "place", at_most: 20 }`
    /// - `bonds: #{ set: "unit and unit", at_most: 6 }`
    "set";
    /// Makes the slot a list, in which items keep the order in which rules put them. It works like `set`.
    /// - takes: text: the kind of its items, as for `set`
    /// - error: the slot has a key that only belongs to one value, such as `start` or `holds`
    /// - `queue: #{ list: "unit", at_most: 8 }`
    "list";
    /// Maximum number of items of a set or list. Room is kept for so many in every position, so keep it small.
    /// - takes: number from 1 to 1,000 for slots of the game and of factions, and to 64 for those of units and places
    /// - error: the slot is no set or list
    /// - `hand: #{ list: "number", at_most: 10 }`
    "at_most";
    /// The texts that a set or list of texts may hold.
    /// - takes: list of texts, without `,` and `:`
    /// - error: the slot is no set or list of texts
    /// - `spells: #{ set: "text", texts: ["fire", "ice"], at_most: 2 }`
    "texts";
    /// Phase at whose end the slot is reset to its start. If the phase repeats or can be won, the slot is reset when
    /// the phase next begins. If left out, the slot is never reset.
    /// - takes: text: the name of a phase
    /// - error: no phase has this name
    /// - `stunned: #{ start: false, lasts: "round" }`
    "lasts";
    /// Function that is called when the slot falls to 0 or further below. It is called about the owner of the slot: a
    /// unit, place, faction or the game.
    /// - takes: text: the name of a function of game.rhai with one parameter, the unit
    /// - error: game.rhai has no function with this name
    /// - `courage: #{ start: 2, at_zero: "death" }`
    "at_zero";
    /// Function that decides how much counts when something is taken from the slot, by `hit`, `add` or `=`. In a
    /// simultaneous phase it is called when the loss is gathered, and reads the world as it stood when the phase
    /// began.
    /// - takes: text: the name of a function of game.rhai with up to three parameters: the owner of the slot, the amount taken, and the one who takes it (a unit, a faction, a place or nobody). The function returns how much counts, a number from 0
    /// - error: game.rhai has no function with this name, or the slot is not a number
    /// - `courage: #{ start: 2, falls: "wounded" }`
    "falls";
    /// Function that decides how much counts when something is added to the slot. It works like `falls`.
    /// - takes: text: the name of a function of game.rhai with up to three parameters: the owner of the slot, the amount added, and the one who adds it. The function returns how much counts, a number from 0
    /// - error: game.rhai has no function with this name, or the slot is not a number
    /// - `courage: #{ start: 2, rises: "wounded" }`
    "rises";
    /// Function that is called after something was taken from the slot, and after its `at_zero`. It is not called
    /// about a unit that was removed by then. In a simultaneous phase it is called once, with the total that the
    /// phase took.
    /// - takes: text: the name of a function of game.rhai with up to two parameters: the owner of the slot, and the amount by which it fell
    /// - error: game.rhai has no function with this name, or the slot is not a number
    /// - `courage: #{ start: 2, fell: "rally" }`
    "fell";
    /// Function that is called after something was added to the slot. It works like `fell`.
    /// - takes: text: the name of a function of game.rhai with up to two parameters: the owner of the slot, and the amount by which it rose
    /// - error: game.rhai has no function with this name, or the slot is not a number
    /// - `courage: #{ start: 2, rose: "rally" }`
    "rose";
    /// Marks the slot from which `hit` takes. Units are shown with its number. If no slot has this key, it is the
    /// only number slot of units that has `at_zero` and does not state `hit: false`.
    /// - takes: true or false
    /// - error: the slot is not a number slot of units, or another slot has this key too
    /// - `armour: #{ start: 2, hit: true }`
    "hit";
    /// Leaves changes of the slot out of the record. Slots that hold things or dice are quiet by default; `quiet:
    /// false` records them. If a slot of a faction holds a place of a board and states `quiet: false`, pictures mark
    /// the outer edge of that place, for example as the place where the faction's units enter. A quiet slot marks
    /// nothing, so it may hold a secret.
    /// - takes: true or false
    /// - `rounds_behind: #{ start: 0, quiet: true }`
    /// - `carrier: #{ holds: "unit", quiet: false }`
    /// - `gate: #{ holds: "place", quiet: false }`
    "quiet";
    /// Words for a unit's mark in the legend of the board. The mark is drawn while the slot is not at its start, and
    /// shows its value if that is a number. Numbers and flags use the slot's name as words, unless they are quiet.
    /// With `false` there is no mark; use this for slots that only the rules need. Changes of such a slot are in
    /// transcripts, but not in the record at the prompt and on the page.
    /// - takes: text: a few words; or false
    /// - error: the value is neither, or the slot holds a thing, a direction or dice
    /// - `armour: #{ start: 2, quiet: true, mark: "armour left" }`
    /// - `rounds_behind: #{ start: 0, mark: false }`
    "mark";
    /// Says that the number is the direction in which a unit on a table top looks, in degrees as `angle` counts them. Boards
    /// and pictures show it, pictures with an arc of this width in degrees; 0 draws the direction alone.
    /// - takes: number from 0 to 360
    /// - error: the slot is not a number of units, or the game is not played on a table top
    /// - `heading: #{ start: 90, arc: 120 }`
    "arc";
    /// Text for the record when the slot becomes true, in place of its name and values. Its end is then not recorded.
    /// - takes: text: a few words about the owner of the slot
    /// - error: the slot is not a flag
    /// - `stunned: #{ start: false, says: "is stunned" }`
    "says";
    /// Keeps the unit from being engaged while the slot is true, whatever units are in contact with it.
    /// `becomes_engaged` is called when a rule sets the slot to false, but not when a phase resets it (`lasts`).
    /// - takes: true or false
    /// - error: the slot is not a flag of units, or another slot has this key too
    /// - `apart: #{ start: false, frees: true }`
    "frees";
    /// Hides the value of the slot from every faction but the one that owns the thing. The slots of places and of the
    /// game are hidden from all factions. Rules read hidden slots as any other. Boards, lists, pictures, the record and
    /// agents show others the starting value, and leave out its changes. A text names a slot of the same thing that is
    /// true or false: the value is hidden while that slot is true, so a rule reveals it by setting that slot to false.
    /// - takes: true, false, or text: the name of a slot
    /// - error: no slot of the same thing that is true or false has this name, or the slot is `quiet` or has `says`
    /// - `objective: #{ start: 0, hidden: true }`
    /// - `face_down: true, rank: #{ start: 0, hidden: "face_down" }`
    "hidden";
    /// Hides a unit from other factions while the slot is true: its place, its slots and all that happens to it. Rules
    /// read the unit as any other, so they must not offer it to another faction. All factions see the slot change. A rule
    /// reveals the unit by setting the slot to false.
    /// - takes: true or false
    /// - error: the slot is not a flag of units, or it is `quiet`, has `lasts`, `says` or `hidden`
    /// - `lurks: #{ start: false, hides: true }`
    "hides";

    STATS "What `stats()` may say besides numbers.":
    /// Letters that stand for the type or terrain on the board. If left out, the symbol is the first two letters of
    /// the name; for a unit type, the first letter and the next one that makes it unique. Two types must not have the
    /// same symbol.
    /// - takes: text of one or two letters
    /// - `symbol: "Sc"`
    "symbol";
    /// Colour of a terrain in pictures; chosen automatically if left out. Kinds of the same colour are told apart by
    /// their symbols.
    /// - takes: text: red, green and blue as six hexadecimal digits after `#`
    /// - `colour: "#8fbf6a"`
    "colour";
    /// Lets a terrain lie on edges between places instead of in places: a wall, a door, a fence. What blocks steps also
    /// keeps the two places from touching, so units do not meet across it.
    /// - takes: text: `"steps"`, `"sight"`, `"both"` or `"nothing"`
    /// - error: the script is not a terrain's, the word is another one, or the game is played on a table top or in an arena
    /// - `blocks: "both"`
    "blocks";
    /// Stats that players do not need, such as the weight of a die. Cards leave them out, and `rulebench check` does not
    /// ask for a card text that explains them. In game.rhai the list holds for every unit type.
    /// - takes: list of names of stats
    /// - error: no stat has this name
    /// - `weight: 4, unprinted: ["weight"]`
    "unprinted";

    PHASE "What a phase may say.":
    /// Name of the phase. Stored answers are matched by it.
    /// - takes: text: words that begin with a letter. The last word is not a number, and the name is not `end`
    /// - error: the name is missing, or another phase has it
    /// - `#{ phase: "wind", each: "game", step: "blow" }`
    "phase";
    /// Phases inside this one, in order. It replaces `each` and `turn`.
    /// - takes: list of phases
    /// - error: phases are nested too deep
    /// - `#{ phase: "evening", phases: [#{ phase: "wind", each: "game", step: "blow" }] }`
    "phases";
    /// Kind of thing that gets a step: one step for each. It replaces `phases` and `turn`.
    /// - takes: text: `"game"`, `"faction"`, `"place"` or `"unit"`; units are those on the board
    /// - `#{ phase: "rally", each: "unit", step: "rally" }`
    "each";
    /// Faction that activates its units on the board, one by one, in any order. It replaces `phases` and `each`.
    /// Units in reserve have no turn; a phase with `each: "faction"` can go through `side.reserve`. With `"each"`,
    /// all factions take turns with one unit a turn, until every unit has been activated.
    /// - takes: text: `"first"`, `"second"` and so on up to `"eighth"`, in turn order; or `"each"`
    /// - `#{ phase: "second turn", turn: "second", step: "activate" }`
    /// - `#{ phase: "activations", turn: "each", step: "activate" }`
    "turn";
    /// Number of units that a faction activates in a turn. If left out, it is 1 where the turn is `"each"`, otherwise
    /// all units. After the minimum, the faction may end its turn.
    /// - takes: number from 1 to 999, list of two numbers (minimum and maximum), or the text `"all"`
    /// - error: it is none of these, or the phase has `each` or `phases` in place of a turn
    /// - `#{ phase: "activations", turn: "each", quota: [1, 3], step: "activate" }`
    "quota";
    /// Order of turns if the turn is `"each"`; `"order"` if left out. With `"order"`, each faction has a turn before
    /// any has another. `"asked"` is the same, but the faction named by `conflicts` chooses who is next. `"drawn"`
    /// draws the card of a faction; a faction has as many cards as its `points`, or as units that can be activated.
    /// `"drawn unit"` draws the card of a unit; a unit has as many cards as its own `points`, or one. A draw is a
    /// roll of `card`, a die with one side for each card, in turn order and the order of the units.
    /// - takes: text: `"order"`, `"asked"`, `"drawn"` or `"drawn unit"`
    /// - error: the turn belongs to one faction, cards are drawn in a simultaneous phase, or the phase has `each` or `phases` in place of a turn
    /// - `#{ phase: "activations", turn: "each", next: "drawn", step: "activate" }`
    "next";
    /// Stat or slot that decides who may be next: only those with the highest value. Units are compared by a stat or
    /// slot of theirs, factions by a slot. If several are equal, `next` decides.
    /// - takes: text: the name of a stat, or of a slot that is a number
    /// - error: no stat or slot has this name, both units and factions have one, the turn belongs to one faction, or the phase has `each` or `phases` in place of a turn
    /// - `#{ phase: "activations", turn: "each", initiative: "move", step: "activate" }`
    "initiative";
    /// Slot of the unit or of its faction that an activation takes from. A unit can be activated again while enough
    /// is left.
    /// - takes: text: the name of a slot that is a number
    /// - error: no slot has this name, the phase is simultaneous, or the phase has `each` or `phases` in place of a turn
    /// - `#{ phase: "activations", turn: "each", points: "score", step: "activate" }`
    "points";
    /// Number of `points` that an activation takes; 1 if left out, and never less than 1.
    /// - takes: text: the name of a stat, or of a slot that is a number
    /// - error: no stat or slot has this name, there are no `points`, the `points` are the number of cards that are drawn, or the phase has `each` or `phases` in place of a turn
    /// - `#{ phase: "activations", turn: "each", points: "score", cost: "move", step: "activate" }`
    "cost";
    /// Allows a faction to pass in place of activating a unit. `"turn"` ends its turn, and ends the phase if all
    /// factions pass one after the other. `"phase"` ends its part in the phase. `"all"` ends the phase for all
    /// factions. A faction that has activated the minimum of its `quota` ends only its turn.
    /// - takes: text: `"turn"`, `"phase"` or `"all"`
    /// - error: it is none of these, or the phase has `each` or `phases` in place of a turn
    /// - `#{ phase: "activations", turn: "each", pass: "turn", step: "activate" }`
    "pass";
    /// Function that asks the other factions, one by one, after a step in which a unit moved or one of its slots
    /// changed. Its parameters are the faction that is asked, and the unit. Each call is a step of its own, before
    /// the phase goes on. It also applies to phases inside this one, unless they have their own.
    /// - takes: text: the name of a function of game.rhai, called after a move; or a map from `moved` and names of units' slots to names of functions
    /// - error: no function has this name, the function has other parameters, the phase is simultaneous or hidden, or the map is empty
    /// - `#{ phase: "moves", turn: "each", step: "activate", interrupts: "watch" }`
    /// - `#{ phase: "moves", turn: "each", step: "activate", interrupts: #{ moved: "watch", life: "watch" } }`
    "interrupts";
    /// Function that is called for each step of the phase. A unit's script may define its own.
    /// - takes: text: the name of a function of game.rhai, with the unit, place or faction as parameter, or no parameter for `each: "game"`
    /// - error: game.rhai has no function with this name, or the phase has `phases`
    /// - `#{ phase: "rally", each: "unit", step: "rally" }`
    "step";
    /// Conditions for the units, places or factions that get a step. All conditions must hold. They are checked again
    /// before each step, so a rule can end a turn early. For example, with `filters: ["steady"]` and a slot of units
    /// `steady: #{ start: true, lasts: "round" }`, write `for mate in me.owner.units { mate.steady = false; }`. Units
    /// that enter the game during a phase with `each` or `turn` get no step in it.
    /// - takes: list of texts: `"free"`, `"engaged"`, `"contested"` (a place with units of several factions), `"in ZONE"` (the zone of its own faction), `"in foe ZONE"`, or the name of one of its slots: the slot must be true, not 0, or hold something. Factions can have only conditions about slots
    /// - error: the phase has `phases`
    /// - `#{ phase: "raid", each: "unit", filters: ["free", "in foe home"], step: "rally" }`
    "filters";
    /// Repeats the phase until a faction wins or the contest is a draw. For a fixed number of repeats, let `phases()`
    /// make a list with a name for each: `for name in ["first", "second"] { all.push(day(name)); }`. If a dial or a
    /// slot decides the number, give the phase its own `contest` and a last step with `each: "game"`, which counts
    /// and calls `draw` at the end. The game then goes on after the phase.
    /// - takes: true or false
    /// - `#{ phase: "day", repeat: true, phases: [#{ phase: "wind", each: "game", step: "blow" }] }`
    "repeat";
    /// Contest that is won or drawn in this phase. `win` and `draw` end the innermost contest.
    /// - takes: text, such as `"game"` or `"match"`
    /// - `#{ phase: "bout", contest: "bout", phases: [#{ phase: "wind", each: "game", step: "blow" }] }`
    "contest";
    /// Skips the phase if a scenario places the units.
    /// - takes: true or false
    /// - `#{ phase: "set-up", setup: true, each: "faction", step: "settle" }`
    "setup";
    /// Gathers the effects of all steps and applies them together at the end of the phase. Each step sees the world
    /// as it stood at the start. The amounts of `hit`, `add`, `+=` and `-=` are added up. Setting one slot to
    /// different values with `=` in two steps is an error.
    /// - takes: true or false
    /// - `#{ phase: "volleys", each: "unit", step: "rally", simultaneous: true }`
    "simultaneous";
    /// Hides the answers and actions of the other factions from a faction until the phase ends. Options are still
    /// computed from the true position. If they depend on what others did in the phase, such as free places, they
    /// give it away, unless the phase is `simultaneous: true` too.
    /// - takes: true or false
    /// - `#{ phase: "secret", each: "faction", step: "settle", hidden: true }`
    "hidden";
    /// Marks a phase that only does bookkeeping. A step is recorded only if something in it is recorded, and sheets
    /// for players leave the phase out.
    /// - takes: true or false
    /// - `#{ phase: "upkeep", each: "unit", step: "rally", quiet: true }`
    "quiet";
    /// Treats a question about one of its steps as a question about the whole phase. `odds` then looks ahead to the
    /// end of the phase, also from a step that leads to it.
    /// - takes: true or false
    /// - `#{ phase: "duel", whole: true, phases: [#{ phase: "blows", each: "unit", step: "rally" }] }`
    "whole";

    VARIANT "What `variant()` may say.":
    /// Clause of the rulebook that the variant is about.
    /// - takes: text: the id of a clause
    /// - `clause: "EX-3"`
    "clause";
    /// Number of the alternative reading of that clause that the variant implements.
    /// - takes: number from 1
    /// - `clause: "EX-3", reading: 1`
    "reading";
    /// Variants that are applied before this one, if they are on.
    /// - takes: list of names of variants
    /// - `after: ["fog"]`
    "after";
    /// Variants that must be on together with this one.
    /// - takes: list of names of variants
    /// - `requires: ["fog"]`
    "requires";
    /// Variants that must not be on together with this one.
    /// - takes: list of names of variants
    /// - `conflicts: ["drought"]`
    "conflicts";
    /// Variants whose functions this one may replace without calling `base`.
    /// - takes: list of names of variants
    /// - `overrides: ["fog"]`
    "overrides";

    HOOKS "The functions of game.rhai that the kernel and its agents ask by name.":
    /// Decides if a unit may end its movement in a place.
    /// - gives: true or text: the reason why not, which `:why-not` shows; or false, without a reason
    /// - error: it returns any other value
    /// - `fn may_enter(me, place) { if place.fire > 0 { "it burns" } else { true } }`
    "may_enter";
    /// Decides if a unit may end its movement where other units stand. It is called in addition to `may_enter`. If a
    /// scenario places several units in one place, it is called for each unit as if it came after those before it in
    /// the file.
    /// - gives: true or text: the reason why not; or false, without a reason
    /// - error: it returns any other value
    /// - `fn may_join(me, place) { if place.foes(me).len > 1 { "too many" } else { true } }`
    "may_join";
    /// Decides if a unit in contact with foes may move away.
    /// - gives: true or text: the reason why not; or false, without a reason
    /// - error: it returns any other value
    /// - `fn may_leave(me) { "an engaged unit stays" }`
    "may_leave";
    /// Returns the cost of a step into a place, for a unit in a place beside it. Without this hook, each step costs
    /// 1. The limit of `walk` is the maximum total cost. If `game.rhai` defines this hook, a terrain's script may
    /// define its own, on one line.
    /// - gives: whole number from 0 to 1,000,000,000, or nothing if no step leads there
    /// - error: it returns any other value
    /// - `fn cost_to_enter(here, me, from) { if here.fire > 0 { nothing } else { 1 } }`
    "cost_to_enter";
    /// Decides if a place blocks sight. `in_sight` calls it for all places on the line. If `game.rhai` defines this
    /// hook, a terrain's script may define its own, on one line.
    /// - gives: true or false
    /// - error: it returns any other value
    /// - `fn blocks_sight(here) { here.units.len > 2 }`
    "blocks_sight";
    /// Decides if a piece of terrain on a table top blocks the movement of a unit. Without this hook, nothing does.
    /// If `game.rhai` defines it, a terrain's script may define its own, on one line.
    /// - gives: true or false
    /// - error: it returns any other value
    /// - `fn blocks_movement(here, me) { true }`
    "blocks_movement";
    /// Decides if a game may start from the position of a scenario.
    /// - gives: true or text: the reason why not, shown at the line of the scenario that it names; or false, without a reason
    /// - error: it returns any other value
    /// - `fn may_start() { if places().len < 2 { "there are too few places" } else { true } }`
    "may_start";
    /// Returns the value of a position for a faction. Agents that look ahead try to make it as high as possible.
    /// - gives: number; higher is better
    /// - `fn worth(side) { side.units.total("life") - side.foe.units.total("life") }`
    "worth";
    /// Returns how promising an answer is, for agents that look ahead with many playouts, in units of `worth`. It is
    /// called for each answer of a question. `me` is the unit, place or faction that the question is about; if there
    /// is none, it is the faction that answers. The other arguments are the question's words and the answer. A hint is
    /// advice, not a rule: results of playouts outweigh it. But playouts follow it, so it should describe good play. A
    /// unit's script may define its own.
    /// - gives: whole number; 0 for an ordinary answer
    /// - error: it returns any other value
    /// - `fn hint(me, question, answer) { if question == "order" && answer == "hold" { 2 } else { 0 } }`
    "hint";
    /// Returns measures of a faction at the end of a game, for studies of many games. They are whole numbers by name,
    /// reported in addition to the winner.
    /// - gives: map
    /// - `fn measures(side) { #{ "life left": side.units.total("life") } }`
    "measures";

    REACTIONS "Hooks that the kernel calls because something happens. A game need not define them.":
    /// Reacts when a unit is no longer in a place: it moved away, went into reserve or was removed.
    /// - gives: nothing
    /// - `fn leaves(me, place) { add(place, "fire", 1, "camp fire"); }`
    "leaves";
    /// Reacts to the same event, but is called about the place, so that terrain can define it.
    /// - gives: nothing
    /// - `fn left(here, who) { add(here, "fire", 1, "trodden"); }`
    "left";
    /// Reacts when a unit comes to a place, from another place or from reserve. It is not called when a scenario
    /// places units.
    /// - gives: nothing
    /// - `fn arrives(me, place) { if place.fire > 0 { hit(me, 1, "fire"); } }`
    "arrives";
    /// Reacts to the same event, but is called about the place, so that terrain can define it. It is called for every
    /// kind of terrain there that defines it.
    /// - gives: nothing
    /// - `fn entered(here, who) { hit(who, 1, "trap", here); }`
    "entered";
    /// Decides if a unit may be removed. If not, the unit stays and this is recorded. It is called before `remove`;
    /// in a simultaneous phase, when the removal is gathered.
    /// - gives: true or text: the reason why not
    /// - error: it returns any other value
    /// - `fn may_remove(me) { if me.stunned { true } else { "it only falls down" } }`
    "may_remove";
    /// Reacts when a unit is removed. The place is the one where it stood, or nowhere.
    /// - gives: nothing
    /// - `fn removed(me, place) { add(me.owner.foe, "score", 1, "kill"); }`
    "removed";
    /// Reacts when a unit and a foe are no longer in contact. It is called twice, with each of them as `me` once.
    /// - gives: nothing
    /// - `fn loses_contact(me, foe) { me.stunned = false; }`
    "loses_contact";
    /// Reacts when a unit and a foe come into contact. It is called twice, with each of them as `me` once.
    /// - gives: nothing
    /// - `fn comes_into_contact(me, foe) { me.target = foe; }`
    "comes_into_contact";
    /// Reacts when an engaged unit on the board becomes free: its foes left, it left, or a slot now keeps it apart
    /// (`frees`).
    /// - gives: nothing
    /// - `fn becomes_free(me) { me.stunned = false; }`
    "becomes_free";
    /// Reacts when a free unit becomes engaged: units came together, or a slot that kept it apart (`frees`) is no
    /// longer true.
    /// - gives: nothing
    /// - `fn becomes_engaged(me) { me.stunned = true; }`
    "becomes_engaged";
    /// Returns the dice that a roll counts as. It is called after every roll, with the dice rolled. If the result is
    /// different, it is recorded after the roll. A roll made inside this hook does not call it again.
    /// - gives: dice
    /// - error: it returns anything else
    /// - `fn rolled(who, label, dice) { if dice.highest == 1 { roll(who, "again", dice.len, 6) } else { dice } }`
    "rolled";

    WORDS "Words that scripts can say without declaring them.":
    /// No unit and no faction. A slot for a unit or faction holds this until something is stored in it. `nowhere` and
    /// `nothing` are the same value.
    /// - gives: nothing
    /// - `me.target == nobody` = true
    "nobody";
    /// No place: the place of a unit in reserve.
    /// - gives: nothing
    /// - `me.place == nowhere` = false
    "nowhere";
    /// No value at all.
    /// - gives: nothing
    /// - `pool.without(2).without(3).without(6).highest == nothing` = true
    "nothing";
    /// Calls the previous definition of a function, from a variant or a unit's script that redefines it.
    /// - gives: what that function returns
    /// - error: there is no previous definition, or it takes another number of arguments
    /// - `fn may_leave(me) { if me.life > 2 { true } else { base(me) } }`
    "base";

    TYPES "What values can be.":
    /// A unit of the game, with a type, an owner and slots. Scripts store units in slots and compare them with `==`.
    /// - `unit("red.scouts1") == me` = true
    "unit";
    /// A hexagon or square of the board. Its slots are properties: `here.fire`.
    /// - `place("b2") == here` = true
    "place";
    /// A faction: a player's side in the game. Its zones and slots are properties: `side.home`, `side.score`.
    /// - `side.home` = [a1, b1, c1, d1]
    "faction";
    /// A unit type, declared by a unit's script. Its stats are properties.
    /// - `me.type.cost` = 1
    "unit type";
    /// A kind of terrain, declared by a terrain's script. Places can have terrain. Its stats are properties.
    /// - `here.terrains` = [mud]
    "terrain";
    /// An edge between two places that touch. Terrain with `blocks` lies there. Scenarios and answers name an edge by its
    /// places: `c2|c3`.
    /// - `edge(place("c2"), place("c3"))` = c2|c3
    "edge";
    /// A set of units in a fixed order: by faction, then in the order in which they were enlisted. `for unit in
    /// units` loops over them.
    /// - `me.foes | me` = [red.scouts1, blue.scouts1, blue.guards1]
    "units";
    /// A set of places in a fixed order. `for place in places` loops over them.
    /// - `side.home & me.column` = [a1]
    "places";
    /// Rolled dice, sorted from low to high. Equal dice cannot be told apart. `dice[0]` is the lowest; `for die in
    /// dice` loops over them.
    /// - error: `dice[n]` has no die with that number
    /// - `pool[0]` = 2
    "dice";
    /// The result of `game()`. Its slots are properties. To change one, store the game in a variable first.
    /// - `game().wind` = 0
    "the game";
    /// A whole number. `/` drops the fraction of the result. Numbers with a fraction are lengths on a table top.
    /// - `7 / 2` = 3
    "number";
    /// Text in quotes.
    /// - `"wind " + 3` = wind 3
    "text";
    /// A truth value: the result of `==`, `<`, `&&`, `||`, `!` and similar operators.
    /// - `1 < 2 && !me.engaged` = true
    "true or false";
    /// A sequence of values, in square brackets.
    /// - `[1, 2, 3].len` = 3
    "list";
    /// Values by name. Declarations are maps. Maps cannot be stored during a game: use slots.
    /// - `#{ low: 1, high: 6 }.high` = 6
    "map";
    /// A row of numbers: `0..3` is 0, 1 and 2; `0..=3` includes 3. Used by `for` and `choose`.
    /// - `choose(side, "damage", 0..=2)` asks: 0, 1, 2
    /// - `choose(side, "damage", 0..2)` asks: 0, 1
    /// - `let all = 0; for n in 0..=3 { all += n; } all` = 6
    "range";

    STATEMENTS "What functions are made of; as in Rhai, but for what the reference lists.":
    /// Defines a function. It returns the value of its last line, or of `return`. Arguments are copies: changing a
    /// list inside does not change the list of the caller.
    /// - `fn twice(n) { n * 2 }`
    "fn";
    /// Defines a variable, which exists to the end of the block in braces. `=`, `+=` and similar operators change its
    /// value; `x.key = 1` and `x[0] = 1` change a part of it. Without a value it holds nothing. Using the same name
    /// again defines another variable.
    /// - `let n = 3; n += 1; n` = 4
    /// - `let n = 3; if n > 2 { let n = 9; } n` = 3
    /// - `let all = [1, 2]; all[0] = 5; all` = [5, 2]
    "let";
    /// Defines a value that cannot change.
    /// - `const MOST = 3; MOST * 2` = 6
    /// - `const MOST = 3; MOST = 4` fails: cannot be changed
    "const";
    /// Runs one block if a condition is true, and another if it is false. Its value is the value of the block that
    /// runs, or nothing.
    /// - error: the condition is not true or false
    /// - `if me.life > 2 { "well" } else if me.life > 0 { "hurt" } else { "dead" }` = well
    /// - `let steps = if me.engaged { 1 } else { 2 }; steps` = 2
    /// - `if me.life { 1 }` fails: this must be true or false
    "if";
    /// Runs the first case that matches a value. A case is a number, a text, true or false, several of these with
    /// `|`, or a range. A condition can follow with `if`; `_` matches everything else. Single numbers are tried
    /// before ranges. The value of the switch is the value of its case, or nothing.
    /// - error: a case is computed; use `if` for that
    /// - `switch me.life { 0 => "dead", 1 | 2 => "hurt", _ => "well" }` = well
    /// - `switch me.life { 0 => "dead", 1..=2 => "hurt", 3.. => "well" }` = well
    /// - `switch me.life { 3 if me.engaged => "fights", 3 => "waits", _ => "rests" }` = waits
    "switch";
    /// Loops over a list, units, places, dice, a range or the letters of a text. A second name counts the rounds,
    /// from 0.
    /// - error: it is something else. To loop over a map, use its `keys()`
    /// - `let all = 0; for unit in units() { all += unit.life; } all` = 16
    /// - `let all = []; for (die, nth) in pool { all.push(die * nth); } all` = [0, 3, 12]
    /// - `let m = #{ low: 1, high: 6 }; let all = 0; for key in m.keys() { all += m[key]; } all` = 7
    "for";
    /// Repeats a block while a condition is true.
    /// - error: it takes too long
    /// - `let n = 1; while n < 10 { n *= 2; } n` = 16
    "while";
    /// Repeats a block until `break` or `return` leaves it.
    /// - error: it takes too long
    /// - `let n = 1; loop { n *= 2; if n > 9 { break; } } n` = 16
    "loop";
    /// Runs a block once, then repeats it while a condition is true, or until it is.
    /// - error: it takes too long
    /// - `let n = 9; do { n += 1; } while n < 3; n` = 10
    /// - `let n = 0; do { n += 1; } until n == 3; n` = 3
    "do";
    /// Leaves the innermost loop. The value after `break` is the value of the loop; without one it is nothing.
    /// - `for place in places() { if place.units.len > 1 { break place; } }` = b2
    /// - `let n = 1; let power = loop { n *= 2; if n > 9 { break n; } }; power` = 16
    "break";
    /// Goes on with the next round of the innermost loop.
    /// - `let n = 0; for it in 1..=4 { if it == 2 { continue; } n += it; } n` = 8
    "continue";
    /// Leaves the function with the value after `return`; without one, with nothing.
    /// - `if me.life > 2 { return "well"; } "hurt"` = well
    "return";
    /// Stops play with an error of the rules. Use it for situations that must never occur. Errors cannot be caught:
    /// there is no `try`.
    /// - `throw "nobody is left"` fails: nobody is left
    "throw";
    /// A function without a name: `|it| it.life`. Variables, lists and maps can hold it, and functions such as
    /// `filter` take it. It can read and change the variables around it. Slots cannot hold it.
    /// - `units().filter(|unit| unit.life > 3)` = [red.guards1, blue.guards1]
    /// - `let n = 0; let next = || { n += 1; n }; next.call(); next.call()` = 2
    "closure";
    /// Calls a closure that a variable, list or map holds. A function with a name is called by its name.
    /// - error: the closure takes another number of arguments
    /// - `let both = |a, b| a + b; both.call(2, 3)` = 5
    /// - `let both = |a, b| a + b; both(2, 3)` fails: `both` is a variable, not a function
    "call";
    /// Returns the value on the left, or the value on the right if the left one is nothing. A missing key of a map is
    /// an error, not nothing: use `get` for a key that may be missing.
    /// - `me.target ?? foe` = blue.scouts1
    /// - `let m = #{ low: 1 }; m.get("high") ?? 6` = 6
    "??";
    /// Reads a property or calls a function of a value that may be nothing. If it is nothing, the result is nothing.
    /// `?[` does the same for an item.
    /// - `me.target?.life` = nothing
    /// - `me.target?.life ?? 0` = 0
    "?.";
    /// Reads the property that a text names: `me["life"]` is `me.life`. With it, one rule can serve several slots or
    /// stats. A slot can be set in the same way. After a list, dice or a text, the brackets hold the index of an item;
    /// after a map, they hold a key.
    /// - error: no property has this name, or the property to set is not a slot; the message suggests the closest name
    /// - `let what = "life"; me[what]` = 3
    /// - `["life", "move"].map(|stat| me[stat])` = [3, 2]
    /// - `me["lief"]` fails: a unit has no property `.lief`
    "[]";
    /// Inserts a value into a text. In a text between backticks, `${ }` is replaced by the value inside it. Such a
    /// text can have several lines.
    /// - `` `life ${me.life + 1}` `` = life 4
    "interpolation";

    STUDY "What a study file may say, `studies/<game>/<name>.toml`. `rulebench report NAME` plays it and shows its \
        measures, `rulebench test --studies` checks its targets, and `rulebench tune NAME` looks for settings that meet \
        them.":
    /// Name of the game to play.
    /// - takes: text: the name of a game
    /// - `game = "duel"`
    "game";
    /// The question that the study answers. The report begins with it.
    /// - takes: text, of one or several lines
    /// - `about = "Does the first faction win too often?"`
    "about";
    /// Scenario in whose position the games begin; if left out, they begin with the set-up of the game.
    /// - takes: text: the name of a scenario of the game
    /// - `scenario = "two-warbands-meet"`
    "scenario";
    /// Number of games of each arm; 1000 if left out.
    /// - takes: whole number above 0
    /// - `games = 4000`
    "games";
    /// Seed of the study; 1 if left out. All arms have the same seeds.
    /// - takes: whole number
    /// - `seed = 7`
    "seed";
    /// Agents that play; random agents if left out.
    /// - takes: list of `NAME` for all factions, or `FACTION=NAME` for one
    /// - `agents = ["greedy"]`
    "agents";
    /// Armies, if the game asks for unit types; drawn at random if left out.
    /// - takes: list of `TYPE*N TYPE ...` for all factions, or with `FACTION=` in front for one; or `asked`: the agents
    ///   decide
    /// - `armies = ["red=scouts*3 guards", "blue=guards*4"]`
    "armies";
    /// Variants that are on.
    /// - takes: list of names
    /// - `variants = ["fog"]`
    "variants";
    /// Variants that are off although the game has adopted them.
    /// - takes: list of names
    /// - `without = ["fog"]`
    "without";
    /// Values of dials.
    /// - takes: map from names of dials to numbers or words
    /// - `dials = { max_rounds = 8 }`
    "dials";
    /// Measures that the report shows, besides those of the targets. `rulebench compare --all` lists their names.
    /// - takes: list of names
    /// - error: no measure has this name
    /// - `measures = ["scouts: win share", "scouts: uses of shoot"]`
    "measures";
    /// Targets that the results must meet.
    /// - takes: list of `MEASURE at most X`, `MEASURE at least X`, `MEASURE X to Y`; shares have a `%` after the number.
    ///   `<=`, `>=` and `X..Y` are the same
    /// - error: no measure has this name
    /// - `targets = ["first faction wins at most 54 %", "rounds 8 to 12"]`
    "targets";
    /// Dials that `rulebench tune` may turn, and the values that each may have besides its own.
    /// - takes: list of `DIAL=LOW..HIGH`, `DIAL=LOW..HIGH/STEP` or `DIAL=A,B`
    /// - error: no dial has this name, or the dial cannot have this value
    /// - `tune = ["scouts.life=2..4", "max_rounds=8,10"]`
    "tune";
    /// Further arms by name, which are compared with the game as the top of the file has it. An arm adds `variants`,
    /// `without` and `dials` to those at the top. Its `agents` and `armies` replace those at the top. Its `targets` are
    /// its own.
    /// - takes: tables `[arms.NAME]` with the keys `agents`, `armies`, `variants`, `without`, `dials`, `targets`
    /// - `arms.tougher = { dials = { max_rounds = 12 }, targets = ["draws at most 5 %"] }`
    "arms";

    TWEAK "What an entry of `tweaks.toml` may say.":
    /// Decision about the tweak; `"idea"` if left out. The commands `variants adopt`, `reject`, `try` and `shelve`
    /// write it. `variants undo` reverts the last decision.
    /// - takes: text: `"idea"`, `"on trial"`, `"adopted"` or `"rejected"`
    /// - `state = "on trial"`
    "state";
    /// Reason for the decision.
    /// - takes: text
    /// - `reason = "it plays faster"`
    "reason";
    /// Date of the decision.
    /// - takes: date, not in quotes
    /// - `date = 2026-03-01`
    "date";
    /// Previous decision, stored for `variants undo`.
    /// - takes: map: the earlier `state`, `reason` and `date`
    /// - `before = { state = "on trial", date = 2026-02-01 }`
    "before";
    /// Dial that the tweak changes, in place of a script.
    /// - takes: text: `NAME=VALUE`
    /// - error: the value is missing, or no dial has this name
    /// - `dial = "max_rounds=8"`
    "dial";
    /// Clause of the rulebook that the tweak is about, if it has no script.
    /// - takes: text: the id of a clause
    /// - `clause = "EX-3"`
    "clause";
    /// Number of the alternative reading of the clause that the tweak implements, if it has no script.
    /// - takes: number from 1
    /// - `reading = 1`
    "reading";
}

/// Parts of declarations beside `board()`: owners of keys, the headings under which the keys are listed, and the keys.
pub const DECLARED_PARTS: &[(&str, &str, &[DeclaredKey])] = &[
    ("a zone", "Keys of a zone", AREA),
    ("an arena", "Keys of an arena", ARENA),
    ("slots()", "Keys of slots()", SLOTS),
    ("a slot", "Keys of a slot", SLOT),
    ("stats()", "Keys of stats()", STATS),
    ("a phase", "Keys of a phase", PHASE),
    ("variant()", "Keys of variant()", VARIANT),
];

/// The keys of `board()`, those of the listed grounds among them.
pub fn board() -> impl Iterator<Item = &'static DeclaredKey> + Clone {
    BOARD.iter().chain(KINDS.iter().flat_map(|kind| kind.keys))
}

/// The names of keys, for messages.
pub fn names(keys: impl IntoIterator<Item = &'static DeclaredKey>) -> impl Iterator<Item = &'static str> {
    keys.into_iter().map(|k| k.name)
}
