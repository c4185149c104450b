//! Every sentence about odds that cannot be computed.

use std::fmt::Display;

rulebench_lang::problems! {
    fn inexact_policy() = "the policy `greedy` gives no exact odds", help "add `--sample 1000`";
    fn policy_without_samples() = "the policy `best` cannot be sampled", help "write `--policy first`, `random` or `greedy`";
    fn empty_chance() = "the chance of nothing is asked for", help "name a cause or a label: `--chance hit`";
    fn chance_and_by() = "`--chance` and `--by` cannot be combined", help "leave one of them out";
    fn no_samples() = "the number of samples is 0", help "write `--sample 10000`";
    fn too_large(why: impl Display, option: &str) = "the odds are too large to compute: {why}",
        help "shorten `--until`, raise `{option}`, or sample: `--sample 10000 --policy first`";
    fn endless_step(most: usize) = "one step has more than {most} rolls and choices",
        help "put each try in a step of its own (a phase with `repeat`), or sample: `--sample 10000 --policy first`";
    fn uncounted_throw(label: &str) = "the throw `{label}` has too many results for exact odds", help "add `--sample 1000`";
    fn stopped_early() = "the odds were stopped before the first result";
    fn endless_sample(steps: usize) = "a sample has not ended after {steps} steps", help "shorten `--until`";
    fn failed_sample(seed: usize, why: &str) = "sample {seed} fails: {why}";
    fn secret_choice() = "the policy `best` would see secret choices of the others",
        help "shorten `--until`, or write `--policy first` or `--policy random`";
    fn game_over() = "the game is over";
    /// An answer that the rules do not accept, with their reason.
    fn refused_answer(why: impl Display) = "{why}";
    fn unasked_answer(answer: &str) = "no question asks for `{answer}`";
    fn unknown_option(answer: &str, faction: &str, label: &str) = "`{answer}` is not offered to {faction} (`{label}`)";
    fn other_question(faction: &str, place: impl Display) = "the last answer belongs to another question: of {faction}, in {place}";
    fn finished_transcript(name: &str) = "the game in {name} is over",
        help "name the scenario that it was played from, or a transcript that ends earlier";
    fn unwritable_position(name: &str) = "no scenario with answers and dice leads to the end of {name}",
        help "open it with `rulebench repl`, and write the position: `:save-scenario --here`";
    fn replaced_in_transcript() = "a unit of a transcript cannot be replaced",
        help "name the scenario that it was played from";
    fn grid_without_factions() = "a grid needs a scenario with units of two factions";
    fn wrong_grid_units(count: usize) = "a grid is of two units, not {count}", help "write `--as UNIT --as UNIT`";
    fn no_unit_types(game: &str) = "{game} has no unit types", help "write one: units/{game}/TYPE.rhai";
    fn refused_pair(why: String) = "the row's unit cannot choose the column's unit: {why}";
    fn not_a_number(value: &str) = "the goal is {value}, not a whole number",
        help "write a number, such as `side.units.len` or `if CONDITION {{ 1 }} else {{ 0 }}`";
    fn phase_without_number(phase: &str, text: &str) = "the phase `{phase}` does not repeat", help "write `{text}`";
}

rulebench_lang::every_sentence! {
    [
        inexact_policy(),
        policy_without_samples(),
        empty_chance(),
        chance_and_by(),
        no_samples(),
        too_large("more than 1000 runs of steps", "--limit"),
        endless_step(100),
        uncounted_throw("luck"),
        stopped_early(),
        endless_sample(10000),
        failed_sample(7, "division by zero"),
        secret_choice(),
        game_over(),
        refused_answer("`3,4` is not offered"),
        unasked_answer("stay"),
        unknown_option("c9", "red", "move"),
        other_question("blue", "round 2"),
        finished_transcript("game.txt"),
        unwritable_position("game.txt"),
        replaced_in_transcript(),
        grid_without_factions(),
        wrong_grid_units(1),
        no_unit_types("ford"),
        refused_pair("they are not in contact".to_owned()),
        not_a_number("true"),
        phase_without_number("march", "end of march"),
    ]
}
