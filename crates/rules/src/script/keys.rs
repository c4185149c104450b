//! Words of scripts other than calls: the declarations with their keys, the hooks that the kernel asks, the words for
//! nothing, the kinds of values. The reader of declarations checks keys against these tables, and the reference is
//! printed from them. Knows nothing of the rest.

/// Functions that declare data; they are read at load and are no hooks.
pub const DECLARED: [&str; 5] = ["dials", "stats", "slots", "board", "phases"];

/// A key of something that scripts or files declare.
pub struct DeclaredKey {
    /// Its name.
    pub name: &'static str,
    /// Description, in the form of [`super::natives::Native::doc`]; its examples are written as the declaration has
    /// them.
    pub doc: &'static str,
}

impl DeclaredKey {
    /// The head of the function that a hook's example defines, `worth(side)`: what it is called with.
    pub fn head(&self) -> Option<&'static str> {
        let (_, example) = self.doc.split_once("`fn ")?;
        example.split_once(" {").map(|(head, _)| head)
    }

    /// Returns the description of the value that it gives, if that cannot be nothing.
    pub fn must_give(&self) -> Option<&'static str> {
        let (_, gives) = self.doc.split_once("- gives: ")?;
        let gives = gives.lines().next()?;
        (!gives.contains("nothing")).then_some(gives)
    }

    /// Returns the parameters of a hook's function.
    pub fn params(&self) -> Option<impl Iterator<Item = &'static str> + use<>> {
        let (_, params) = self.head()?.strip_suffix(')')?.split_once('(')?;
        Some(params.split_terminator(',').map(str::trim))
    }
}

/// A table of keys, each documented where it is listed.
macro_rules! keys {
    ($( $table:ident $about:literal: $( $(#[doc = $doc:literal])+ $name:literal; )+ )+) => {$(
        #[doc = $about]
        pub const $table: &[DeclaredKey] = &[$(
            DeclaredKey { name: $name, doc: concat!($($doc, "\n"),+) }
        ),+];
    )+};
}
pub(crate) use keys;

/// Every function that the kernel and its agents call by name.
pub fn hooks() -> impl Iterator<Item = &'static DeclaredKey> {
    HOOKS.iter().chain(REACTIONS)
}

keys! {
    DECLARATIONS "The functions that declare; those of [`DECLARED`] and `variant`.":
    /// Declares factions, places and what engages; every game has one.
    /// - gives: map with the keys of board()
    /// - `fn board() { #{ factions: ["red", "blue"], hexes: [4, 3] } }`
    "board";
    /// Declares what happens in which order, as a list of phases; every game has one.
    /// - gives: list of maps with the keys of a phase
    /// - `fn phases() { [#{ phase: "turn", turn: "first", step: "activate" }] }`
    "phases";
    /// Declares what a game remembers.
    /// - gives: map with the keys of slots()
    /// - `fn slots() { #{ unit: #{ life: 3, stunned: false }, faction: #{ score: 0 }, game: #{ wind: 0 } } }`
    "slots";
    /// Declares the numbers of unit types and terrain: in game.rhai those that every unit type has, in a
    /// unit's or a terrain's script its own. Each is a property, `me.life`, and a dial, `scouts.life`.
    /// What a type is or is not is a flag, true or false; cards print it as a word. Its dial is 1 or 0.
    /// `number(start, low, high)` says what a number can be at least and at most: in game.rhai of every unit type.
    /// - gives: map of numbers, from 0 to 99 as dials if they say nothing else, flags, and the keys of stats()
    /// - error: a stat is neither, or a flag in one script and a number in another, or outside its range
    /// - `fn stats() { #{ move: number(2, 0, 4), life: 3, cost: 1, infantry: true } }`
    "stats";
    /// Declares what players or designers can set. Scripts read a dial by its name, with `_` in place of dots.
    /// - gives: map of number(...), one_of(...) or a plain number by name
    /// - error: a value is none of these, or starts outside its own range
    /// - `fn dials() { #{ max_rounds: number(12, 1, 99), "match.length": one_of("single", ["single", "best_of_3"]) } }`
    "dials";
    /// Says what a variant is about; a variant without it is fine.
    /// - gives: map with the keys of variant()
    /// - `fn variant() { #{ requires: ["fog"] } }`
    "variant";

    BOARD "What `board()` may say.":
    /// The factions, in turn order.
    /// - takes: list of 1 to 8 names: letters, digits, `-` and `_`
    /// - error: fewer or more, two alike, or one that is called like a place
    /// - `factions: ["red", "blue"]`
    "factions";
    /// Size of the board.
    /// - takes: list of two numbers: columns and rows of hexagons
    /// - error: it has too many hexagons, or none
    /// - `hexes: [6, 6]`
    "hexes";
    /// A board in the shape of a hexagon, in place of `hexes`: how far it reaches from its middle. Its columns are `a`,
    /// `b` and so on from the left, the numbers are those of rows across all columns: `rulebench render` shows them.
    /// - takes: number of steps, from 0 to 36
    /// - error: it is larger, or the board has `hexes` too
    /// - `hexagon: 6`
    "hexagon";
    /// Size of a board of squares, in place of `hexes`.
    /// - takes: list of two numbers: columns and rows of squares
    /// - error: it has too many squares, or none, or the board has `hexes` too
    /// - `squares: [8, 8]`
    "squares";
    /// Whether squares touch at their corners, too: each has eight neighbours then, and four if left out. Steps, contact and
    /// whatever else is about touching follow it.
    /// - takes: true or false
    /// - error: the board is made of hexagons
    /// - `squares: [8, 8], diagonals: true`
    "diagonals";
    /// A table top, in place of a board: how wide it is and how deep. Units stand at points of it, on round bases.
    /// - takes: list of two lengths, in the game's own unit
    /// - error: one is not from 1 to 10000, or there is a board, too
    /// - `tabletop: [24, 24], unit: "inch"`
    "tabletop";
    /// Unit of length on the table top; `"mm"` if left out. Pictures are drawn to scale by it.
    /// - takes: text: `"mm"`, `"cm"`, `"inch"` or `"inches"`, or another word: pictures then have no true size
    /// - `tabletop: [900, 900], unit: "mm"`
    "unit";
    /// Bases with no more than this between them are in contact; 0 if left out.
    /// - takes: length from 0 to 10
    /// - `tabletop: [24, 24], hair: 0.02`
    "hair";
    /// The stat that says how wide a unit's base is; `"diameter"` if left out.
    /// - takes: text
    /// - `tabletop: [24, 24], bases: "diameter"`
    "bases";
    /// Maximum number of pieces of terrain on the table top; 24 if left out. They are its places: `piece1`, `piece2`,
    /// ...
    /// - takes: number from 0 to 200
    /// - `tabletop: [24, 24], pieces: 40`
    "pieces";
    /// About how many spots are proposed where a unit can come to more than can be listed; 48 if left out. Agents look at
    /// these alone.
    /// - takes: number from 1 to 1000
    /// - `tabletop: [24, 24], candidates: 90`
    "candidates";
    /// Lengths that matter between opponents, such as how far they shoot: spots just within and just out of them are
    /// among those that are proposed.
    /// - takes: list of lengths
    /// - error: one is below 0 or longer than a table
    /// - `tabletop: [24, 24], ranges: [6, 7.5]`
    "ranges";
    /// Named lengths that the game measures: an arrow of each length stands on a page of the printed sheet, beside a
    /// ruler.
    /// - takes: map from what is measured to a length above 0
    /// - error: one is no length
    /// - `tabletop: [24, 24], unit: "inch", measures: #{ move: 6, "long shot": 10 }`
    "measures";
    /// An arena, in place of a board: a raised octagon on which dice are thrown, so wide that they fall off. Lengths are
    /// centimetres; unit types are dice (their stat `die`) and lie at points, `x,y` from the lower left corner of the
    /// square around it.
    /// - takes: map with the keys of an arena
    /// - error: there is another board, too
    /// - `arena: #{ octagon: 50 }`
    "arena";
    /// A board as it is drawn, in place of `hexes`: a line of text a row, the top row first. As on every
    /// board of hexagons, each second column (b, d, f, ...) lies half a hexagon lower.
    /// - takes: list of texts, all as long: `.` is a place, a blank a gap, and so is each other character what `legend` or a zone says
    /// - error: it has no place or too many, a character that nothing names, or lines that are not as long, or the board has `hexes` or `hexagon` too
    /// - `map: [" ... ", ".....", " ... "]`
    "map";
    /// Terrain on the board as its `map` draws it. It lies there when a game begins, and in a scenario that lays no
    /// terrain of its own. A place that is drawn with the letter of a zone alone has what `.` has.
    /// - takes: map from a character to a terrain, to a list of several, or to `"gap"`
    /// - error: there is no such terrain, more than one character, or the board has no `map`
    /// - `map: ["...", ".~.", "..."], legend: #{ ".": "grass", "~": ["grass", "mud"] }`
    "legend";
    /// Shape of the places of a `map`; hexagons if left out.
    /// - takes: text: `"hexagons"` or `"squares"`
    /// - error: the board has no `map`
    /// - `map: ["...", ". .", "..."], cells: "squares"`
    "cells";
    /// Places that a straight line meets where it runs along the edge between two places, or through a corner;
    /// `"either"` if left out. `line` and `in_sight` go by it.
    /// - takes: text: `"left"` or `"right"`, the place at that side as seen from where the line begins; `"both"`, both places, each of which blocks sight alone; `"either"`, both places, which block sight only together
    /// - `lines: "both"`
    "lines";
    /// Parts of the board by name, each with its places for each faction or for all; a faction has them as properties,
    /// `side.home`, and `zone("home")` are those of all.
    /// - takes: map of zones; each a map from a faction to its area, or one area for all. An area is rows(...), columns(...), a text with the letters that its places have in `map`, a list of places by name, a map with the keys of an area, which all must hold, or a list of areas, of which one must
    /// - error: there is no such faction, or what an area says is not on the board
    /// - `zones: #{ home: #{ red: rows(1, 1), blue: rows(3, 3) } }`
    /// - `zones: #{ home: #{ red: ["a1", "b1"], blue: ["c3"] }, heart: #{ near: ["middle", 1] } }`
    /// - `zones: #{ home: #{ red: rows(1, 1), blue: rows(3, 3) }, sides: [columns(1, 1), columns(4, 4), "b2"] }`
    "zones";
    /// Condition that makes opposing units engaged; `"same place"` if left out.
    /// - takes: text: `"same place"` or `"adjacent"`; on a table top `"base contact"`
    /// - `engaged: "adjacent"`
    "engaged";
    /// Maximum number of units of one faction in a place; 1 if left out. A step that brings another to a full place is
    /// an error of the rules. Of those that come at the same time to a place without room for all, the faction that
    /// `conflicts` names chooses who does; the others stay where they are, which is on record.
    /// - takes: number from 1 to 32
    /// - `stack: 2`
    "stack";
    /// Faction that decides what comes first when effects of a simultaneous phase cannot all happen; the first faction
    /// if left out.
    /// - takes: text: `"first"`, `"second"` and so on up to `"eighth"`
    /// - `conflicts: "second"`
    "conflicts";

    AREA "What a zone's area may say.":
    /// The rows of a zone.
    /// - takes: list of two numbers from 1, the first row and the last; rows(1, 2) says the same
    /// - error: a row is not on the board
    /// - `zones: #{ home: #{ red: #{ rows: [1, 1] }, blue: rows(3, 3) } }`
    "rows";
    /// The columns of a zone.
    /// - takes: list of two numbers from 1, the first column and the last; columns(1, 2) says the same
    /// - error: a column is not on the board
    /// - `zones: #{ home: #{ red: #{ columns: [1, 2], rows: [1, 1] }, blue: columns(3, 4) } }`
    "columns";

    /// The letters with which the places of a zone are drawn in `map`; the text alone says the same.
    /// - takes: text of one letter or several
    /// - error: no place of the map is drawn so
    /// - `map: ["bbb", "...", "rrr"], zones: #{ home: #{ red: "r", blue: #{ drawn: "b" } } }`
    "drawn";
    /// The places of a zone by name; the list alone says the same.
    /// - takes: list of texts
    /// - error: the board has no such place; the nearest name is told
    /// - `zones: #{ home: #{ red: #{ places: ["a1"] }, blue: ["c3"] } }`
    "places";
    /// The places of a zone around one of them, itself with them. A board with an even number of columns or rows has no
    /// place in its middle: `"middle"` is then one beside it, on squares to the lower left; `middle()` says which.
    /// - takes: list of a place by name, or `"middle"`, `"rim"` (the places that touch what lies beyond the board) or `"corners"`, and the number of steps: from 0, those places alone
    /// - error: the board has no such place, or is drawn so that it has no corners: a rectangle has four, a hexagon six
    /// - `zones: #{ home: #{ red: #{ near: ["a1", 1] }, blue: #{ near: ["c3", 1] } } }`
    /// - `zones: #{ home: #{ red: rows(1, 1), blue: rows(3, 3) }, rim: #{ near: ["rim", 0] }, nooks: #{ near: ["corners", 0] } }`
    "near";
    /// The places of a zone exactly so many steps from one of them, or from the nearest of several.
    /// - takes: list of a place and the number of steps, as `near` takes it
    /// - error: the board has no such place, or none that is so far from it
    /// - `zones: #{ home: #{ red: rows(1, 1), blue: rows(3, 3) }, shore: #{ ring: ["b2", 1] } }`
    "ring";

    ARENA "What an `arena` may say.":
    /// Width, from side to side.
    /// - takes: length from 10 to 1000
    /// - error: it is left out
    /// - `arena: #{ octagon: 50 }`
    "octagon";
    /// Measurement method for octagons; `"flat to flat"` if left out.
    /// - takes: text: `"flat to flat"` or `"corner to corner"`
    /// - `arena: #{ octagon: 50, measured: "corner to corner" }`
    "measured";
    /// Parts of it by name, around its middle. They are the places of the game: `place("target")`.
    /// - takes: map from a name to `#{ octagon: width }` or `#{ circle: width }`
    /// - error: one is wider than the board, or has no width
    /// - `arena: #{ octagon: 50, zones: #{ bounds: #{ octagon: 42 }, target: #{ circle: 6 } } }`
    "zones";
    /// Thickness of the board; 2 if left out.
    /// - takes: length from 0.1 to 20
    /// - `arena: #{ octagon: 50, thickness: 1.8 }`
    "thickness";
    /// Friction of the board, in per cent; 40 if left out. Between two things the mean counts of what both say.
    /// - takes: number from 0 to 200
    /// - `arena: #{ octagon: 50, friction: 60 }`
    "friction";
    /// Share of its speed that a bounce off the board leaves, in per cent; 35 if left out. Between two things the mean
    /// counts of what both say.
    /// - takes: number from 0 to 100
    /// - `arena: #{ octagon: 50, bounce: 20 }`
    "bounce";
    /// After so many seconds a throw is stopped that has not come to rest; 10 if left out.
    /// - takes: length from 0.1 to 60
    /// - `arena: #{ octagon: 50, limit: 5 }`
    "limit";

    SLOTS "What `slots()` may say.":
    /// Slots of the game itself: `game().wind`; it is changed by `let g = game(); g.wind = 1;`.
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
    /// Slots of each unit: `me.stunned`. One that is called like a stat starts with that stat.
    /// - takes: map of slots by name
    /// - `unit: #{ life: #{ start: 0, at_zero: "death" }, stunned: false }`
    "unit";

    SLOT "What a slot may say. A plain number or `true` and `false` in its place are its start.":
    /// Starting value.
    /// - takes: whole number, or true or false
    /// - error: a slot that `holds` a thing starts with nothing, but for a direction, which may be any
    /// - `ammo: #{ start: 3 }`
    "start";
    /// Kind of thing that it remembers, in place of a number or flag; it starts with nothing.
    /// - takes: text: `"unit"`, `"place"`, `"faction"`, `"direction"`, one of those that `directions()` gives, or `"dice"` for a pool of dice, which starts empty
    /// - `last_target: #{ holds: "unit" }`
    /// - `facing: #{ holds: "direction" }`
    /// - `attack: #{ holds: "dice" }`
    "holds";
    /// The phase at whose end it starts anew, or at whose next beginning if that repeats or is won; without it, it stays.
    /// - takes: text: a phase's name
    /// - error: no phase is called so
    /// - `stunned: #{ start: false, lasts: "round" }`
    "lasts";
    /// The function that is called about a unit when the slot falls to 0, or further below; where the slot is a place's,
    /// a faction's or the game's, about that.
    /// - takes: text: the name of a function of game.rhai with one parameter, the unit
    /// - error: there is no function of that name in game.rhai
    /// - `courage: #{ start: 2, at_zero: "death" }`
    "at_zero";
    /// The function that is asked how much counts before something is taken from the slot, however that happens:
    /// by `hit`, `add` or `=`. In a simultaneous phase it is asked when the loss is gathered, and reads the world
    /// as it stood when the phase began.
    /// - takes: text: the name of a function of game.rhai with up to three parameters: whose slot it is, how much is taken, and by whom (a unit, a faction, a place or nobody); it gives how much counts, a number from 0
    /// - error: there is no function of that name in game.rhai, or the slot is no number
    /// - `courage: #{ start: 2, falls: "wounded" }`
    "falls";
    /// The function that is asked how much counts before something is added to the slot, as `falls` is.
    /// - takes: text: the name of a function of game.rhai with up to three parameters: whose slot it is, how much is added, and by whom; it gives how much counts, a number from 0
    /// - error: there is no function of that name in game.rhai, or the slot is no number
    /// - `courage: #{ start: 2, rises: "wounded" }`
    "rises";
    /// The function that is called when something was taken from the slot, behind its `at_zero`; who is removed by then
    /// is left out. In a simultaneous phase it is called once, for all that the phase took in the end.
    /// - takes: text: the name of a function of game.rhai with up to two parameters: whose slot it is, and by how much it fell
    /// - error: there is no function of that name in game.rhai, or the slot is no number
    /// - `courage: #{ start: 2, fell: "rally" }`
    "fell";
    /// The function that is called when something was added to the slot, as `fell` is.
    /// - takes: text: the name of a function of game.rhai with up to two parameters: whose slot it is, and by how much it rose
    /// - error: there is no function of that name in game.rhai, or the slot is no number
    /// - `courage: #{ start: 2, rose: "rally" }`
    "rose";
    /// `hit` takes from it, and units are shown with its number. Where no slot says so it is the only number of
    /// units that has `at_zero` and does not say `hit: false`.
    /// - takes: true or false
    /// - error: it is no number of units, or another slot says so too
    /// - `armour: #{ start: 2, hit: true }`
    "hit";
    /// Changes of it are left out of the record; slots that hold things or dice are quiet by themselves, but for those
    /// that say `quiet: false`. Where a slot of a faction that says `quiet: false` holds a place of a board, the place's
    /// outer edge is marked, as where the faction's units come in; a quiet one marks nothing, and may hold what is secret.
    /// - takes: true or false
    /// - `rounds_behind: #{ start: 0, quiet: true }`
    /// - `carrier: #{ holds: "unit", quiet: false }`
    /// - `gate: #{ holds: "place", quiet: false }`
    "quiet";
    /// Words for a unit's mark in the legend of the board; the mark is drawn while the slot is not at its starting
    /// value, and numbers stand in it. Numbers, and what is true or false, have the slot's name as their words unless
    /// they are quiet. `false` is for what only rules need: there is no mark, and its changes stand in transcripts but
    /// not in the record at the prompt and on the page.
    /// - takes: text: a few words; or false
    /// - error: it is neither, or the slot holds a thing, a direction or dice
    /// - `armour: #{ start: 2, quiet: true, mark: "armour left" }`
    /// - `rounds_behind: #{ start: 0, mark: false }`
    "mark";
    /// Text of the record when it becomes true, in place of its name and values; its end is left out then.
    /// - takes: text: what is said of the thing, in a few words
    /// - error: it is not true or false
    /// - `stunned: #{ start: false, says: "is stunned" }`
    "says";
    /// While it is true the unit is not engaged, whoever it is in contact with. `becomes_engaged` hears of it when a
    /// rule sets it to false, and not when it starts anew with a phase (`lasts`).
    /// - takes: true or false
    /// - error: it is not true or false of a unit, or another slot says so too
    /// - `apart: #{ start: false, frees: true }`
    "frees";

    STATS "What `stats()` may say besides numbers.":
    /// The letters that stand for the type or terrain on the board; the first two of its name if left out, or of a
    /// unit type the first and the next that no other has. Two types with one symbol are refused.
    /// - takes: text of one or two letters
    /// - `symbol: "Sc"`
    "symbol";
    /// The colour of a terrain in pictures; one of their own if left out. Kinds of one colour, such as belts that differ
    /// by where they lead, are told apart by their symbols there.
    /// - takes: text: red, green and blue as six hexadecimal digits behind `#`
    /// - `colour: "#8fbf6a"`
    "colour";

    PHASE "What a phase may say.":
    /// The phase's name; answers are found again by it.
    /// - takes: text: words that begin with a letter, of which the last is no number; not `end`
    /// - error: there is none, or another phase has it
    /// - `#{ phase: "wind", each: "game", step: "blow" }`
    "phase";
    /// Other phases, one after the other, in place of `each` and `turn`.
    /// - takes: list of phases
    /// - error: they nest too deep
    /// - `#{ phase: "evening", phases: [#{ phase: "wind", each: "game", step: "blow" }] }`
    "phases";
    /// One step for each thing of a kind, in place of `phases` and `turn`.
    /// - takes: text: `"game"`, `"faction"`, `"place"` or `"unit"`; units are those on the board
    /// - `#{ phase: "rally", each: "unit", step: "rally" }`
    "each";
    /// A faction activates its units on the board one by one, in the order it likes, in place of `phases` and `each`:
    /// those in reserve have no turn, and a phase with `each: "faction"` may go through `side.reserve`. With
    /// `"each"` all factions take turns, a unit a turn, until everybody has activated every unit.
    /// - takes: text: `"first"`, `"second"` and so on up to `"eighth"`, in turn order; or `"each"`
    /// - `#{ phase: "second turn", turn: "second", step: "activate" }`
    /// - `#{ phase: "activations", turn: "each", step: "activate" }`
    "turn";
    /// Number of units that a turn activates; 1 if left out where the turn is `"each"`, otherwise all. After the least
    /// the faction may end its turn.
    /// - takes: number from 1 to 999, list of two numbers, the least and the most, or the text `"all"`
    /// - error: it is none of these, or the phase has `each` or `phases` in place of a turn
    /// - `#{ phase: "activations", turn: "each", quota: [1, 3], step: "activate" }`
    "quota";
    /// Order of turns, where the turn is `"each"`; `"order"` if left out. In `"order"` everybody has a turn before
    /// anybody has another; with `"asked"` too, but the faction that `conflicts` names says who is next. `"drawn"`
    /// draws the card of a faction, which has as many as its `points`, or as units that can be activated; `"drawn
    /// unit"` draws the card of a unit, which has as many as its own `points`, or one. A draw is a roll of `card`, a
    /// die with a side for each card, in turn order and the order of the units.
    /// - takes: text: `"order"`, `"asked"`, `"drawn"` or `"drawn unit"`
    /// - error: the turn is one faction's, or what is drawn happens in a simultaneous phase, or the phase has `each` or `phases` in place of a turn
    /// - `#{ phase: "activations", turn: "each", next: "drawn", step: "activate" }`
    "next";
    /// Only those who have the most of it may be next: units by a stat or slot of theirs, factions by a slot. Of
    /// several that are equal, `next` says who.
    /// - takes: text: the name of a stat, or of a slot that is a number
    /// - error: there is none, both units and factions have one, or the turn is one faction's, or the phase has `each` or `phases` in place of a turn
    /// - `#{ phase: "activations", turn: "each", initiative: "move", step: "activate" }`
    "initiative";
    /// Slot that an activation takes from, of the unit or its faction: a unit is activated again while there is enough.
    /// - takes: text: the name of a slot that is a number
    /// - error: there is none, or the phase is simultaneous, or the phase has `each` or `phases` in place of a turn
    /// - `#{ phase: "activations", turn: "each", points: "score", step: "activate" }`
    "points";
    /// Amount of its `points` that an activation takes; 1 if left out, and never less.
    /// - takes: text: the name of a stat, or of a slot that is a number
    /// - error: there is none, or no `points`, or cards are drawn that are the `points`, or the phase has `each` or `phases` in place of a turn
    /// - `#{ phase: "activations", turn: "each", points: "score", cost: "move", step: "activate" }`
    "cost";
    /// That a faction may pass in place of activating a unit, and what ends then: its `"turn"` (and the phase, when
    /// all pass one after the other), its part in the `"phase"`, or the phase for `"all"`. Who has activated the least of
    /// its `quota` only ends its turn.
    /// - takes: text: `"turn"`, `"phase"` or `"all"`
    /// - error: it is none of these, or the phase has `each` or `phases` in place of a turn
    /// - `#{ phase: "activations", turn: "each", pass: "turn", step: "activate" }`
    "pass";
    /// The function that asks the other factions, one after the other, after a step in which a unit moved, or a slot
    /// of it changed: with the faction that is asked, and the unit. Each is a step of its own, before the phase goes
    /// on. It holds for the phases inside that name no others.
    /// - takes: text: the name of a function of game.rhai, for `moved`; or a map from `moved` and names of units' slots to such names
    /// - error: there is none, it has other parameters, or the phase is simultaneous or hidden, or the map is empty
    /// - `#{ phase: "moves", turn: "each", step: "activate", interrupts: "watch" }`
    /// - `#{ phase: "moves", turn: "each", step: "activate", interrupts: #{ moved: "watch", life: "watch" } }`
    "interrupts";
    /// The function that is each step of the phase; a unit's script may have its own.
    /// - takes: text: the name of a function of game.rhai, with the unit, place or faction as parameter, or none for `each: "game"`
    /// - error: there is no function of that name in game.rhai, or the phase has `phases`
    /// - `#{ phase: "rally", each: "unit", step: "rally" }`
    "step";
    /// Conditions for the units, places or factions that get a step: all must hold. They are asked anew before each
    /// step, and so a rule can end a turn early: with `filters: ["steady"]`, and `steady: #{ start: true, lasts:
    /// "round" }` of units, it says `for mate in me.owner.units { mate.steady = false; }`. Units that come into the
    /// game during a phase of `each` or `turn` get no step in it.
    /// - takes: list of texts: `"free"`, `"engaged"`, `"contested"` (of places: with units of several factions), `"in ZONE"` (its own faction's), `"in foe ZONE"`, or the name of a slot of theirs: it is true, not 0, or holds something; of factions only that
    /// - error: the phase has `phases`
    /// - `#{ phase: "raid", each: "unit", filters: ["free", "in foe home"], step: "rally" }`
    "filters";
    /// It begins again whenever it ends, until somebody wins or the contest is a draw. What comes a few times is a list
    /// that `phases()` makes, a name for each: `for name in ["first", "second"] { all.push(day(name)); }`. What comes as
    /// often as a dial or a slot says has a `contest` of its own, and a last step of `each: "game"` that counts and calls
    /// `draw` when it is enough: the game goes on behind it.
    /// - takes: true or false
    /// - `#{ phase: "day", repeat: true, phases: [#{ phase: "wind", each: "game", step: "blow" }] }`
    "repeat";
    /// Contest that is won or drawn in the phase; `win` and `draw` end the innermost one.
    /// - takes: text, such as `"game"` or `"match"`
    /// - `#{ phase: "bout", contest: "bout", phases: [#{ phase: "wind", each: "game", step: "blow" }] }`
    "contest";
    /// It is left out when a scenario lays the units.
    /// - takes: true or false
    /// - `#{ phase: "set-up", setup: true, each: "faction", step: "settle" }`
    "setup";
    /// Gathers what its steps do and applies it together at its end; each step sees the world as it stood before. The
    /// amounts of `hit`, `add`, `+=` and `-=` add up; a slot that two steps set by `=` to different values is an error.
    /// - takes: true or false
    /// - `#{ phase: "volleys", each: "unit", step: "rally", simultaneous: true }`
    "simultaneous";
    /// Until it ends, a faction does not see what others answered and did in it. What a step asks is worked out from
    /// the true position all the same: where what it offers hangs on what others did in the phase (free places, say),
    /// the options would give that away, unless the phase is `simultaneous: true` too.
    /// - takes: true or false
    /// - `#{ phase: "secret", each: "faction", step: "settle", hidden: true }`
    "hidden";
    /// Marks a phase that keeps the books: its steps are recorded only where something that they do is, and sheets for
    /// players leave it out.
    /// - takes: true or false
    /// - `#{ phase: "upkeep", each: "unit", step: "rally", quiet: true }`
    "quiet";
    /// Treats a question about one of its steps as a question about the whole phase: `odds` looks to its end, from a
    /// step that leads to it too.
    /// - takes: true or false
    /// - `#{ phase: "duel", whole: true, phases: [#{ phase: "blows", each: "unit", step: "rally" }] }`
    "whole";

    VARIANT "What `variant()` may say.":
    /// The clause of the rulebook that it is about.
    /// - takes: text: a clause's id
    /// - `clause: "EX-3"`
    "clause";
    /// Number of the other reading of that clause.
    /// - takes: number from 1
    /// - `clause: "EX-3", reading: 1`
    "reading";
    /// Variants that lie below it when they are on.
    /// - takes: list of variants' names
    /// - `after: ["fog"]`
    "after";
    /// Variants that must be on with it.
    /// - takes: list of variants' names
    /// - `requires: ["fog"]`
    "requires";
    /// Variants that must not be on with it.
    /// - takes: list of variants' names
    /// - `conflicts: ["drought"]`
    "conflicts";
    /// Variants whose functions it may replace without calling `base`.
    /// - takes: list of variants' names
    /// - `overrides: ["fog"]`
    "overrides";

    HOOKS "The functions of game.rhai that the kernel and its agents ask by name.":
    /// Whether a unit may end its movement in a place, or why not.
    /// - gives: true or text: the reason, which `:why-not` tells; or false, without a reason
    /// - error: it gives something else
    /// - `fn may_enter(me, place) { if place.fire > 0 { "it burns" } else { true } }`
    "may_enter";
    /// Whether a unit may end its movement where other units stand, or why not; asked besides `may_enter`. Where a
    /// scenario lays several units in one place it is asked about each as if it came after those before it in the file.
    /// - gives: true or text: the reason; or false, without a reason
    /// - error: it gives something else
    /// - `fn may_join(me, place) { if place.foes(me).len > 1 { "too many" } else { true } }`
    "may_join";
    /// Whether a unit in contact with foes may move away, or why not.
    /// - gives: true or text: the reason; or false, without a reason
    /// - error: it gives something else
    /// - `fn may_leave(me) { "an engaged unit stays" }`
    "may_leave";
    /// Cost of a step into a place for a unit that comes from a place beside it; without it, each step costs 1. The
    /// number that `walk` is given is spent on it. Where `game.rhai` has it, a terrain's script may have its own, in a
    /// line.
    /// - gives: whole number from 0 to 1,000,000,000, or nothing where no step leads
    /// - error: it gives something else
    /// - `fn cost_to_enter(here, me, from) { if here.fire > 0 { nothing } else { 1 } }`
    "cost_to_enter";
    /// Whether nobody sees through a place; `in_sight` asks it about all that lies on a line. Where `game.rhai` has it, a
    /// terrain's script may have its own, in a line.
    /// - gives: true or false
    /// - error: it gives something else
    /// - `fn blocks_sight(here) { here.units.len > 2 }`
    "blocks_sight";
    /// Whether a unit cannot move over a piece of terrain on a table top; without it, it can. Where `game.rhai` has it, a
    /// terrain's script may have its own, in a line.
    /// - gives: true or false
    /// - error: it gives something else
    /// - `fn blocks_movement(here, me) { true }`
    "blocks_movement";
    /// Whether a game may start from what a scenario lays, or why not.
    /// - gives: true or text: the reason, told where the scenario has what it names; or false, without a reason
    /// - error: it gives something else
    /// - `fn may_start() { if places().len < 2 { "there are too few places" } else { true } }`
    "may_start";
    /// Value of a position for a faction: the goal of agents that look ahead.
    /// - gives: number, larger is better
    /// - `fn worth(side) { side.units.total("life") - side.foe.units.total("life") }`
    "worth";
    /// Priority of an answer for agents that look ahead with many playouts, in units of `worth`. It is asked about each
    /// answer of a question: `me` is who or what `choose` asks about, a side where it is a side's turn or the game's;
    /// then come the question's words and the answer. It is advice and no rule: what playouts show outweighs it. But
    /// playouts go on by it, so it says how the game is played well. A unit's script may have its own.
    /// - gives: whole number, 0 for an answer like any other
    /// - error: it gives something else
    /// - `fn hint(me, question, answer) { if question == "order" && answer == "hold" { 2 } else { 0 } }`
    "hint";
    /// Measures of each faction at the end of a game, for studies of many games, besides who wins: whole numbers by
    /// name.
    /// - gives: map
    /// - `fn measures(side) { #{ "life left": side.units.total("life") } }`
    "measures";

    REACTIONS "Hooks that the kernel calls because something happens. A game need not define them.":
    /// A unit is no longer in a place: it came elsewhere, went into reserve or was removed.
    /// - gives: nothing
    /// - `fn leaves(me, place) { add(place, "fire", 1, "camp fire"); }`
    "leaves";
    /// The same about the place, so that terrain can say it.
    /// - gives: nothing
    /// - `fn left(here, who) { add(here, "fire", 1, "trodden"); }`
    "left";
    /// A unit has come to a place, from another or from reserve. Not called where scenarios lay units.
    /// - gives: nothing
    /// - `fn arrives(me, place) { if place.fire > 0 { hit(me, 1, "fire"); } }`
    "arrives";
    /// The same about the place, so that terrain can say it: every kind that lies there and has a function for it.
    /// - gives: nothing
    /// - `fn entered(here, who) { hit(who, 1, "trap", here); }`
    "entered";
    /// Whether a unit may be removed, or why not: then it stays, which is on record. Asked before `remove`; in
    /// a simultaneous phase when the removal is gathered.
    /// - gives: true or text: the reason
    /// - error: it is neither
    /// - `fn may_remove(me) { if me.stunned { true } else { "it only falls down" } }`
    "may_remove";
    /// A unit was removed; it stood in that place, or nowhere.
    /// - gives: nothing
    /// - `fn removed(me, place) { add(me.owner.foe, "score", 1, "kill"); }`
    "removed";
    /// A unit and a foe were in contact and are no longer; called about both, each of them as `me` once.
    /// - gives: nothing
    /// - `fn loses_contact(me, foe) { me.stunned = false; }`
    "loses_contact";
    /// A unit and a foe have come into contact; called about both, each of them as `me` once.
    /// - gives: nothing
    /// - `fn comes_into_contact(me, foe) { me.target = foe; }`
    "comes_into_contact";
    /// A unit on the board was engaged and is no longer: its foes are gone, it is, or a slot keeps it apart (`frees`).
    /// - gives: nothing
    /// - `fn becomes_free(me) { me.stunned = false; }`
    "becomes_free";
    /// Reacts when a free unit becomes engaged: when units come together, and when a slot that kept it apart (`frees`)
    /// is no longer true.
    /// - gives: nothing
    /// - `fn becomes_engaged(me) { me.stunned = true; }`
    "becomes_engaged";
    /// Dice that a roll counts as: called after every roll with what it shows. Where that is something else, it is on
    /// record behind the roll. A roll that is made within it is not asked about again.
    /// - gives: dice
    /// - error: it is something else
    /// - `fn rolled(who, label, dice) { if dice.highest == 1 { roll(who, "again", dice.len, 6) } else { dice } }`
    "rolled";

    WORDS "Words that scripts can say without declaring them.":
    /// No unit, no faction: what a slot holds before it holds anybody. The same as `nowhere` and `nothing`.
    /// - gives: nothing
    /// - `me.target == nobody` = true
    "nobody";
    /// No place: where a unit in reserve stands.
    /// - gives: nothing
    /// - `me.place == nowhere` = false
    "nowhere";
    /// No value at all.
    /// - gives: nothing
    /// - `pool.without(2).without(3).without(6).highest == nothing` = true
    "nothing";
    /// In a function that a variant or a unit's script defines anew: what it was before.
    /// - gives: what that function gives
    /// - error: there is nothing below, or the number of arguments is another
    /// - `fn may_leave(me) { if me.life > 2 { true } else { base(me) } }`
    "base";

    TYPES "What values can be.":
    /// Somebody with a type, an owner and slots. Scripts keep it in slots and compare it with `==`.
    /// - `unit("red.scouts1") == me` = true
    "unit";
    /// A hexagon or square of the board. Its slots are properties: `here.fire`.
    /// - `place("b2") == here` = true
    "place";
    /// A side of the game. Its zones and slots are properties: `side.home`, `side.score`.
    /// - `side.home` = [a1, b1, c1, d1]
    "faction";
    /// Unit type, as its script describes it. Its stats are properties.
    /// - `me.type.cost` = 1
    "unit type";
    /// Kind of terrain, as its script describes it: the ground of a place is made of terrain. Its stats are properties.
    /// - `here.terrains` = [mud]
    "terrain";
    /// A set of units, always in the same order: by faction, then as they were enlisted. `for unit in units` takes them one by one.
    /// - `me.foes | me` = [red.scouts1, blue.scouts1, blue.guards1]
    "units";
    /// A set of places, always in the same order. `for place in places` takes them one by one.
    /// - `side.home & me.column` = [a1]
    "places";
    /// Rolled dice, sorted from low to high; equal dice cannot be told apart. `dice[0]` is the lowest; `for die in dice` takes them one by one.
    /// - error: there is no die of that number in `dice[n]`
    /// - `pool[0]` = 2
    "dice";
    /// Result of `game()`: its slots are properties. To change one, it is kept in a variable first.
    /// - `game().wind` = 0
    "the game";
    /// A whole number; `/` between two of them leaves the rest out. Fractions are lengths of table tops.
    /// - `7 / 2` = 3
    "number";
    /// Letters in quotes.
    /// - `"wind " + 3` = wind 3
    "text";
    /// A yes or no, from `==`, `<`, `&&`, `||`, `!` and the like.
    /// - `1 < 2 && !me.engaged` = true
    "true or false";
    /// Any values in an order, in brackets.
    /// - `[1, 2, 3].len` = 3
    "list";
    /// Values by name; declarations are maps. Not to be kept in play: that is what slots are for.
    /// - `#{ low: 1, high: 6 }.high` = 6
    "map";
    /// Numbers in a row: `0..3` is 0, 1 and 2; `0..=3` has 3 with them. For `for` and `choose`.
    /// - `choose(side, "damage", 0..=2)` asks: 0, 1, 2
    /// - `choose(side, "damage", 0..2)` asks: 0, 1
    /// - `let all = 0; for n in 0..=3 { all += n; } all` = 6
    "range";

    STATEMENTS "What functions are made of; as in Rhai, but for what the reference lists.":
    /// Defines a function. It says what its last line comes to, or what `return` says before.
    /// What it is called with is its own: a list that it changes is another than the caller's.
    /// - `fn twice(n) { n * 2 }`
    "fn";
    /// Keeps a value under a name, up to the end of the block in braces that it stands in. `=`, `+=` and the like change what
    /// it holds, `x.key = 1` and `x[0] = 1` a part of it; without a value it holds nothing. The same name again is another
    /// variable.
    /// - `let n = 3; n += 1; n` = 4
    /// - `let n = 3; if n > 2 { let n = 9; } n` = 3
    /// - `let all = [1, 2]; all[0] = 5; all` = [5, 2]
    "let";
    /// Keeps a value that stays as it is.
    /// - `const MOST = 3; MOST * 2` = 6
    /// - `const MOST = 3; MOST = 4` fails: cannot be changed
    "const";
    /// Does something where a condition is true, and something else where it is false. It comes to what its branch comes to,
    /// or to nothing.
    /// - error: the condition is neither true nor false
    /// - `if me.life > 2 { "well" } else if me.life > 0 { "hurt" } else { "dead" }` = well
    /// - `let steps = if me.engaged { 1 } else { 2 }; steps` = 2
    /// - `if me.life { 1 }` fails: this must be true or false
    "if";
    /// Takes the first case that fits a value: a number, a text, true or false, several of them with `|`, or a range. A
    /// condition may stand behind it with `if`; `_` is whatever is left. Single numbers come before ranges. It comes to what
    /// the case comes to, or to nothing.
    /// - error: a case is worked out, which is for `if`
    /// - `switch me.life { 0 => "dead", 1 | 2 => "hurt", _ => "well" }` = well
    /// - `switch me.life { 0 => "dead", 1..=2 => "hurt", 3.. => "well" }` = well
    /// - `switch me.life { 3 if me.engaged => "fights", 3 => "waits", _ => "rests" }` = waits
    "switch";
    /// Goes through a list, units, places, dice, a range or the letters of a text. A second name counts, from 0.
    /// - error: it is something else; a map is gone through by its `keys()`
    /// - `let all = 0; for unit in units() { all += unit.life; } all` = 16
    /// - `let all = []; for (die, nth) in pool { all.push(die * nth); } all` = [0, 3, 12]
    /// - `let m = #{ low: 1, high: 6 }; let all = 0; for key in m.keys() { all += m[key]; } all` = 7
    "for";
    /// Repeats something while a condition is true.
    /// - error: it takes too long
    /// - `let n = 1; while n < 10 { n *= 2; } n` = 16
    "while";
    /// Repeats something until `break` or `return` leaves it.
    /// - error: it takes too long
    /// - `let n = 1; loop { n *= 2; if n > 9 { break; } } n` = 16
    "loop";
    /// Does something once, then again while a condition is true, or until it is.
    /// - error: it takes too long
    /// - `let n = 9; do { n += 1; } while n < 3; n` = 10
    /// - `let n = 0; do { n += 1; } until n == 3; n` = 3
    "do";
    /// Leaves the innermost loop. The loop comes to what stands behind it; else to nothing.
    /// - `for place in places() { if place.units.len > 1 { break place; } }` = b2
    /// - `let n = 1; let power = loop { n *= 2; if n > 9 { break n; } }; power` = 16
    "break";
    /// Goes on with the next turn of the innermost loop.
    /// - `let n = 0; for it in 1..=4 { if it == 2 { continue; } n += it; } n` = 8
    "continue";
    /// Leaves the function, which says what stands behind it; else nothing.
    /// - `if me.life > 2 { return "well"; } "hurt"` = well
    "return";
    /// Stops play with an error of the rules, for what must not be. Errors are not caught: there is no `try`.
    /// - `throw "nobody is left"` fails: nobody is left
    "throw";
    /// A function without a name, `|it| it.life`: a value that variables, lists and maps hold and `filter` and the like
    /// take. It reads and changes the variables around it. Slots hold none.
    /// - `units().filter(|unit| unit.life > 3)` = [red.guards1, blue.guards1]
    /// - `let n = 0; let next = || { n += 1; n }; next.call(); next.call()` = 2
    "closure";
    /// Calls a closure that something holds; a function with a name is called by that.
    /// - error: it takes more or fewer arguments
    /// - `let both = |a, b| a + b; both.call(2, 3)` = 5
    /// - `let both = |a, b| a + b; both(2, 3)` fails: `both` is a variable and no function
    "call";
    /// Comes to what stands before it, or where that is nothing, to what stands behind it. A key that a map does not have is
    /// an error, not nothing: `get` asks for one that may be missing.
    /// - `me.target ?? foe` = blue.scouts1
    /// - `let m = #{ low: 1 }; m.get("high") ?? 6` = 6
    "??";
    /// A property or function of what may be nothing: it then comes to nothing itself. `?[` is the same for an item.
    /// - `me.target?.life` = nothing
    /// - `me.target?.life ?? 0` = 0
    "?.";
    /// Reads the property that a text names, so that one rule can serve several slots or stats: `me["life"]` is `me.life`.
    /// A slot can be set the same way. Behind a list, dice or a text the brackets hold the number of an item, behind a map
    /// a key.
    /// - error: it has no such property, or what is set is no slot; the nearest name is told
    /// - `let what = "life"; me[what]` = 3
    /// - `["life", "move"].map(|stat| me[stat])` = [3, 2]
    /// - `me["lief"]` fails: a unit has no property `.lief`
    "[]";
    /// In a text between backticks, what stands in `${ }` is worked out. Such a text may have several lines.
    /// - `` `life ${me.life + 1}` `` = life 4
    "interpolation";

    STUDY "What a study file may say, `studies/<game>/<name>.toml`; `rulebench test --studies` checks its targets.":
    /// The game that is played.
    /// - takes: text: a game's name
    /// - `game = "duel"`
    "game";
    /// Number of games; 1000 if left out.
    /// - takes: whole number above 0
    /// - `games = 4000`
    "games";
    /// The seed; 1 if left out.
    /// - takes: whole number
    /// - `seed = 7`
    "seed";
    /// Agents that answer; random agents if left out.
    /// - takes: list of `NAME` for all, or `FACTION=NAME`
    /// - `agents = ["greedy"]`
    "agents";
    /// Variants that are on.
    /// - takes: list of names
    /// - `variants = ["fog"]`
    "variants";
    /// Dials that are turned.
    /// - takes: map of numbers and words by the dial's name
    /// - `dials = { max_rounds = 8 }`
    "dials";
    /// Targets for the games; measures are called as `rulebench compare --all` lists them.
    /// - takes: list of `MEASURE at most X`, `MEASURE at least X`, `MEASURE X to Y`; with `%` behind shares
    /// - error: nothing that is called so is measured
    /// - `targets = ["first faction wins at most 54 %", "rounds 8 to 12"]`
    "targets";

    TWEAK "What an entry of `tweaks.toml` may say.":
    /// Decision about it; `"idea"` if left out. The commands `variants adopt`, `reject`, `try` and `shelve` write it,
    /// and `variants undo` takes the last one back.
    /// - takes: text: `"idea"`, `"on trial"`, `"adopted"` or `"rejected"`
    /// - `state = "on trial"`
    "state";
    /// Why.
    /// - takes: text
    /// - `reason = "it plays faster"`
    "reason";
    /// When that was.
    /// - takes: date, not in quotes
    /// - `date = 2026-03-01`
    "date";
    /// Previous decision, kept for `variants undo`.
    /// - takes: map of what `state`, `reason` and `date` were
    /// - `before = { state = "on trial", date = 2026-02-01 }`
    "before";
    /// The dial that the tweak turns, in place of a script.
    /// - takes: text: `NAME=VALUE`
    /// - error: it has no value, or there is no such dial
    /// - `dial = "max_rounds=8"`
    "dial";
    /// The clause of the rulebook that it is about, for a tweak without a script.
    /// - takes: text: a clause's id
    /// - `clause = "EX-3"`
    "clause";
    /// Number of the other reading of the clause, for a variant without a script.
    /// - takes: number from 1
    /// - `reading = 1`
    "reading";
}

/// The names of keys, for messages.
pub fn names(keys: &[DeclaredKey]) -> impl Iterator<Item = &'static str> {
    keys.iter().map(|k| k.name)
}
