//! The keys of a scenario file, documented: the reader accepts these and no others, and the reference
//! and the JSON schema are made from them.

use crate::rules::keys::DeclaredKey;
use rulebench_kernel::keys;

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
    /// Name of the game. Every scenario has this key.
    /// - takes: text: the name of a folder in `scripts`
    /// - error: no game has this name
    /// - `game = "example"`
    "game";
    /// Title of the scenario, on one line.
    /// - takes: text without line breaks
    /// - `title = "A volley stops the charge"`
    "title";
    /// Longer description of the scenario.
    /// - takes: text; three quotes allow several lines
    /// - `about = "The riders never reach the gate."`
    "about";
    /// Task for a person. At the prompt and on the page the scenario then opens without its answers: they are the
    /// solution, and the expectations say when it is solved. `test` plays the solution. The page offers one of these
    /// scenarios each day.
    /// - takes: text
    /// - `puzzle = "Red loses in the next round. How do you stop blue?"`
    "puzzle";
    /// Clauses of the rulebook that the scenario proves.
    /// - takes: list of ids of clauses
    /// - error: the rulebook has no clause with this id
    /// - `proves = ["EX-3"]`
    "proves";
    /// Seed of the dice; 1 if left out.
    /// - takes: whole number from 0
    /// - `seed = 7`
    "seed";
    /// The variants that are on.
    /// - takes: list of names of variants
    /// - error: no variant has this name
    /// - `variants = ["fog"]`
    "variants";
    /// Point at which play stops. Without it, play goes on as long as there are answers.
    /// - takes: text: the name of a phase, to stop when it begins, or `end of` with a phase and its number
    /// - error: no phase has this name, or there are expectations and a question is still open before this point
    /// - `until = "end of round 1"`
    "until";
    /// Leaves out the set-up although the scenario states no units. At the prompt and on the page the game then waits
    /// for `:start`, so that you can put units on the board with `:edit`.
    /// - takes: `true` or `false`; `false` if left out
    /// - `empty = true`
    "empty";
    /// Agent that answers questions for which the scenario has no answer; `"stop"` if left out.
    /// - takes: text: `"stop"`, `"first"`, `"random"`, `"greedy"` or `"mcts"`; a number of playouts can follow, such as `"mcts:400"`
    /// - error: no agent has this name
    /// - `open = "first"`
    "open";
    /// Map of a game with terrain: the places of each kind of terrain. A place can have several kinds. A place that
    /// is not listed is a gap.
    /// - takes: for each kind of terrain the names of places, as one text with spaces in between or as a list of texts
    /// - error: no terrain or place has this name, or a place has the same kind twice
    /// - `terrain.mud = "b2 c2"`
    "terrain";
    /// Units of each faction, in the order of their numbers. For dice in an arena, state the number shown and how far
    /// the edges are turned: `shows=6 angle=30`. Or give the complete `pose`, as
    /// transcripts do.
    /// - takes: for each faction a list of texts `type place slot=value flag`; the place `reserve` is off the board
    /// - error: no faction, type, place or slot has this name, or the place is full
    /// - `units.red = ["scouts a1", "scouts b1 life=2 stunned"]`
    /// - `units.red = ["scouts 12,20.5 shows=6 angle=30"]`
    "units";
    /// Values of slots at the start, for factions and places, and for the game under `game`. State the slots of a
    /// unit after the unit, in `units`.
    /// - takes: for each a table of slots; a value is a number, a text, or true or false
    /// - error: no faction, place or slot has this name
    /// - `slots.red = { score = 1 }`
    /// - `slots.b2 = { fire = 2 }`
    "slots";
    /// Values of dials, by name.
    /// - takes: number or text for each
    /// - error: no dial has this name, or the value is not allowed
    /// - `dials.scouts.life = 4`
    "dials";
    /// Answers, in the order in which they are given. A text can hold several answers. `LABEL: KEY` waits for the
    /// question with that label. `UNIT LABEL: KEY` waits for the question about that unit, and does not choose the
    /// unit to act. `!KEY` states that the key is not offered; if things are offered together, write all the words,
    /// and if several things are chosen, write all of them after it. A question with one option answers itself, and
    /// uses the next answer if it is this option. If that answer is for a later question, name the question:
    /// `activates: red.scouts2`.
    /// - takes: list of texts
    /// - error: an answer is not offered, or its question is never asked
    /// - `answers = ["red.scouts1 b1", "move: stay"]`
    "answers";
    /// Results of rolls, by the label of the roll. `odds` looks at the position after the last answer: later rolls
    /// are open there, even if they are stated here. When you play on at the prompt, rolls beyond these come from the
    /// seed.
    /// - takes: for each label a list of rolls; each is a number or a list of numbers
    /// - error: a result does not fit its roll, is not used, or a roll has no result left
    /// - `rolls.luck = [[2, 3, 6]]`
    "rolls";
    /// Results of throws in an arena, by the label of the throw. A stated throw is not simulated. First state what
    /// the die touches, in order: `hits nothing` or `hits board NAME NAME`. Then state where each die that moves
    /// stops: `NAME x,y`, optionally with `shows N` and `angle DEGREES`, or `NAME off`. A throw beyond those stated
    /// is an error, also when you play on at the prompt; `:undo` takes it back.
    /// - takes: for each label a list of texts, one for each throw
    /// - error: a result is impossible (no such die or face, or two dice in one spot), or it is not used
    /// - `throws.attack = ["hits blue.scouts1; red.scouts1 20,21 shows 6; blue.scouts1 off"]`
    "throws";
    /// Reason why the rules do not let the game start from this position. State a part of the reason that they give.
    /// The scenario then tests that the start is refused.
    /// - takes: text
    /// - error: the rules allow the start, or give another reason
    /// - `refused = "there are too few places"`
    "refused";
    /// Expectations at the end: script expressions that must be true.
    /// - takes: list of texts
    /// - error: an expression is not true
    /// - `expect = ['unit("red.scouts1").life == 3']`
    "expect";
    /// Expected numbers of sequences of one answer, of two answers, and so on, from where the scenario stops. Answers
    /// with one option do not count. `rulebench perft` prints these numbers.
    /// - takes: list of whole numbers from 0
    /// - error: another number is counted, or the rules fail on the way
    /// - `perft = [9, 72, 504]`
    "perft";
    /// The same if answers with one option count as answers, too.
    /// - takes: list of whole numbers from 0
    /// - error: another number is counted, or the rules fail on the way
    /// - `perft_forced = [9, 72, 504]`
    "perft_forced";
}
