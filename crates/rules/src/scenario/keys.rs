//! The keys of a scenario file, documented: the reader accepts these and no others, and the reference
//! and the JSON schema are made from them.

use crate::script::keys::{DeclaredKey, keys};

/// The names of the keys, in the order in which files are printed.
pub const NAMES: [&str; TABLE.len()] = {
    let mut names = [""; TABLE.len()];
    let mut index = 0;
    while index < TABLE.len() {
        names[index] = TABLE[index].name;
        index += 1;
    }
    names
};

keys! {
    TABLE "What a scenario file may say.":
    /// Name of the game; the one key that every scenario has.
    /// - takes: text: the name of a folder in `scripts`
    /// - error: there is no such game
    /// - `game = "example"`
    "game";
    /// Title of the scenario, in one line.
    /// - takes: text without line breaks
    /// - `title = "A volley stops the charge"`
    "title";
    /// Description of the scenario, at length.
    /// - takes: text, also over several lines in three quotes
    /// - `about = "The riders never reach the gate."`
    "about";
    /// The clauses of the rulebook that it proves.
    /// - takes: list of clauses' ids
    /// - error: the rulebook has no such clause
    /// - `proves = ["EX-3"]`
    "proves";
    /// Seed of the dice; 1 if left out.
    /// - takes: whole number from 0
    /// - `seed = 7`
    "seed";
    /// The variants that are on.
    /// - takes: list of variants' names
    /// - error: there is no such variant
    /// - `variants = ["fog"]`
    "variants";
    /// Point at which play stops; without it, play goes on as long as there are answers.
    /// - takes: text: the name of a phase, which ends it when it begins, or `end of` and a phase and its number
    /// - error: no phase is called so, or something is expected and a question is open before it
    /// - `until = "end of round 1"`
    "until";
    /// Agent that answers what the answers leave open; `"stop"` if left out.
    /// - takes: text: `"stop"`, `"first"`, `"random"`, `"greedy"` or `"mcts"`, with a budget in playouts such as `"mcts:400"`
    /// - error: there is no such agent
    /// - `open = "first"`
    "open";
    /// The map of a game with terrain: where each kind of terrain lies. A place may have several kinds; one
    /// that is not named is a gap.
    /// - takes: for each kind of terrain the names of places, as one text with blanks between them or as a list of texts
    /// - error: there is no such terrain or place, or a place has the same kind twice
    /// - `terrain.mud = "b2 c2"`
    "terrain";
    /// The units of each faction, in the order in which they are numbered. Dice in an arena say what they show, and how
    /// their edges are turned: `shows=6 angle=30`; or, as records have it, their whole `pose`.
    /// - takes: for each faction a list of texts `type place slot=value flag`; the place `reserve` is off the board
    /// - error: there is no such faction, type, place or slot, or the place is full
    /// - `units.red = ["scouts a1", "scouts b1 life=2 stunned"]`
    /// - `units.red = ["scouts 12,20.5 shows=6 angle=30"]`
    "units";
    /// Values of slots at the start, of each faction and each place, and under `game` of the game. Those of units stand
    /// behind the unit, in `units`.
    /// - takes: for each a table of slots with a number, a text, or true or false
    /// - error: there is no such faction, place or slot
    /// - `slots.red = { score = 1 }`
    /// - `slots.b2 = { fire = 2 }`
    "slots";
    /// The dials that are turned, by their names.
    /// - takes: number or text for each
    /// - error: there is no such dial, or it cannot be set so
    /// - `dials.scouts.life = 4`
    "dials";
    /// The answers, in the order in which they are given. A text may hold several; `LABEL: KEY` waits for its
    /// question, `UNIT LABEL: KEY` for that unit's, which picks nobody to act, and `!KEY` says that the key is not offered: of things that are
    /// offered together all words, and where several are chosen all that stand behind it. A question with one option
    /// answers itself, and takes the next answer if that is this option: where it is meant for a later question, name
    /// that, as in `activates: red.scouts2`.
    /// - takes: list of texts
    /// - error: an answer is not offered, or is never asked for
    /// - `answers = ["red.scouts1 b1", "move: stay"]`
    "answers";
    /// Values of rolls, by the label of the roll. `odds` asks about the position behind the last answer: rolls that
    /// come after that are open there, whatever stands here. At the prompt, play goes on with the seed's dice where
    /// these end.
    /// - takes: for each label a list of rolls, each a number or a list of numbers
    /// - error: a roll does not fit, is left over, or is one more than there are
    /// - `rolls.luck = [[2, 3, 6]]`
    "rolls";
    /// Results of throws in an arena, by the label of the throw: nothing is simulated then. First what the die touches
    /// in order, `hits nothing` or `hits board NAME NAME`, then where each die that moves stops: `NAME x,y`, perhaps
    /// `shows N` and `angle DEGREES` behind it, or `NAME off`. Nothing comes of throws beyond those that are stated,
    /// also where somebody plays on at the prompt: that fails, and `:undo` takes it back.
    /// - takes: for each label a list of texts, one for each throw
    /// - error: a result cannot be: there is no such die or face, two dice in one spot; or it is left over
    /// - `throws.attack = ["hits blue.scouts1; red.scouts1 20,21 shows 6; blue.scouts1 off"]`
    "throws";
    /// That the rules do not let the game start from this position, and why: a part of the reason that they give.
    /// - takes: text
    /// - error: they let it start so, or give another reason
    /// - `refused = "there are too few places"`
    "refused";
    /// Expectations at the end: expressions of script that are true.
    /// - takes: list of texts
    /// - error: one is not true
    /// - `expect = ['unit("red.scouts1").life == 3']`
    "expect";
}
