//! Every sentence about a study that cannot be played, stored or read.

use std::fmt::Display;

rulebench_lang::problems! {
    // Settings.
    fn no_games() = "the number of games is 0";
    fn stopped_early() = "the run was stopped before the first result";
    /// A game that failed, with the reason.
    fn failed_game(why: String) = "{why}";
    fn failed_set_up(why: String) = "the table cannot be set up: {why}";
    fn nobody_has_units() = "nobody has units", help "name a scenario that has some";
    fn wrong_agent_count(agents: usize, factions: usize) = "the study has {agents} agents, but the game has {factions} factions";
    fn too_few_agents() = "a ladder needs two or more different agents", help "write `--agents random,greedy,mcts:400`";
    fn transcript_on_ladder(path: &str) = "{path} is a transcript, and a ladder leaves out its answers",
        help "name the scenario that it was played from";
    fn unused_armies(game: &str) = "{game} asks nobody for unit types in set-up, so an army changes nothing",
        help "put the units in a scenario";
    fn empty_army_list(path: &str) = "{path} has no army", help "write one army a line, such as `scouts*3 guards`";
    fn empty_army() = "the army has no units", help "write unit types, such as `scouts*3 guards`";
    fn drawn_for_one(word: &str) = "`--army {word}` draws the army of one faction",
        help "leave out `--army` to draw all armies, or write `--army FACTION=\"TYPE*N TYPE\"`";
    fn wrong_count(word: &str) = "`{word}` has no valid count", expected "expected a number from 1 to 1000";

    // Targets and measures.
    fn no_targets() = "the study has no targets", help "write `targets = [\"draws at most 10 %\"]`";
    fn not_a_target(text: &str) = "`{text}` is not a target",
        expected "expected `MEASURE at most X`, `MEASURE at least X` or `MEASURE X to Y`, with `%` behind shares";
    fn wrong_target_unit(measure: &str, help: &str) = "the target of `{measure}` has the wrong unit", help "{help}";
    fn rarely_measured(measure: &str) = "`{measure}` is measured in too few games";
    fn too_few_games(games: u64, least: u64) = "{games} games are too few to value units", help "play {least} or more";
    fn constant_armies() = "all games have the same armies, so no unit can be valued",
        help "write `--army drawn` or `--armies FILE`";

    fn scenario_of_other_game(name: &str, found: &str, game: &str) = "`{name}` is a scenario of {found}, not of {game}";
    fn taken_arm_name(name: &str) = "an arm is named `{name}`, as the first one is", help "give it another name";

    // Values of dials.
    fn no_dial_values(text: &str) = "`{text}` has no value", help "write `DIAL=LOW..HIGH` or `DIAL=A,B`";
    fn not_a_dial_range(range: &str) = "`{range}` is not a range of whole numbers",
        help "write LOW..HIGH or LOW..HIGH/STEP";
    fn dial_of_words(dial: &str, words: String) = "the values of `{dial}` are words, not numbers",
        help "write `{dial}={words}`";
    fn repeated_value(dial: &str, value: impl Display) = "`{dial}` has the value {value} twice", help "name it once";
    fn wrong_value_count(range: &str, count: i64, most: i64) = "`{range}` has {count} values",
        help "name 1 to {most} values: LOW..HIGH/STEP";
    fn missed_end(range: &str, high: i64, step: i64, less: i64, more: i64) =
        "`{range}` does not reach {high} by steps of {step}", help "end it at {less} or {more}";
    fn no_dials_to_turn() = "there is no dial to turn",
        help "write `--dials DIAL=LOW..HIGH,...`, or `tune = [\"DIAL=LOW..HIGH\"]` in a study";
    fn nothing_to_meet() = "there is no target",
        help "write `--target \"draws at most 10 %\"`, or `targets = [...]` in a study";
    fn dial_twice(dial: &str) = "the dial `{dial}` is named twice", help "name all of its values at once: `{dial}=A,B`";
    fn too_many_settings(count: u128, most: u128) = "the dials have {count} settings together",
        expected "expected {most} or fewer, since each of them plays games",
        help "narrow the ranges, use steps (LOW..HIGH/STEP), or turn fewer dials at once (`--most-changes 2`)";

    // Results files.
    fn existing_file(path: impl Display) = "the file {path} already exists", help "add `--resume` to continue it";
    fn not_a_file(path: impl Display) = "{path} is not a regular file";
    fn not_a_results_file(path: impl Display, why: impl Display) = "{path} is not a results file: {why}",
        help "write one: `rulebench sim GAME --out FILE`";
    fn locked(path: &str) = "{path} is being written by another run";
    fn unwritable(path: &str, error: impl Display) = "{path} cannot be written: {error}",
        help "make room on the disk and continue the run: `--resume`";
    fn corrupt_game(place: impl Display, why: impl Display) = "{place} is corrupt: {why}",
        help "leave out such games: `--skip-corrupt`";
    fn cut_off_game(place: impl Display, why: impl Display) = "{place} is cut off: {why}", help "continue the run: `sim --resume`";
    fn not_resumable(place: impl Display, why: impl Display) = "the run cannot be continued, because {place} is corrupt: {why}";
    fn not_a_shard(text: &str) = "`--shard {text}` is not a part of a study", expected "expected `I/N`, such as 1/4";
    fn other_study(path: &str, difference: String) = "{path} belongs to another study: {difference}";
    fn whole_study(path: &str) = "{path} is a whole study, not a shard";
    fn nothing_to_merge() = "there is nothing to merge", help "write `rulebench sim merge SHARD... --out FILE`";
    fn wrong_shard_files(nth: u64, of: u64, count: usize) = "there are {count} files of shard {nth}/{of}", expected "expected one";
    fn incomplete_shard(path: &str, missing: u64, nth: u64, of: u64) = "{path} is not complete: it lacks {missing} games",
        help "continue it: `sim --shard {nth}/{of} --resume`";
}

rulebench_lang::every_sentence! {
    [
        no_games(),
        stopped_early(),
        failed_game("division by zero".to_owned()),
        failed_set_up("there is no scenario `charge`".to_owned()),
        nobody_has_units(),
        wrong_agent_count(3, 2),
        too_few_agents(),
        transcript_on_ladder("game.txt"),
        unused_armies("ford"),
        empty_army_list("armies.txt"),
        empty_army(),
        drawn_for_one("red=drawn"),
        wrong_count("scouts*0"),
        no_targets(),
        not_a_target("few draws"),
        wrong_target_unit("draws", "write `%` behind the number"),
        rarely_measured("lead"),
        too_few_games(8, 20),
        constant_armies(),
        scenario_of_other_game("duel", "ford", "race"),
        taken_arm_name("as it is"),
        no_dial_values("speed"),
        not_a_dial_range("1..fast"),
        dial_of_words("weather", "sun,rain".to_owned()),
        repeated_value("speed", 2),
        wrong_value_count("1..900", 900, 100),
        missed_end("1..4/2", 4, 2, 3, 5),
        no_dials_to_turn(),
        nothing_to_meet(),
        dial_twice("speed"),
        too_many_settings(14_641, 500),
        existing_file("games.jsonl"),
        not_a_file("/dev/full"),
        not_a_results_file("games.txt", "expected value"),
        locked("games.jsonl"),
        unwritable("games.jsonl", "disk full"),
        corrupt_game("games.jsonl:7", "expected value"),
        cut_off_game("games.jsonl:7", "expected value"),
        not_resumable("games.jsonl:7", "expected value"),
        not_a_shard("5/4"),
        other_study("games.jsonl", "its seed is 8, not 7".to_owned()),
        whole_study("games.jsonl"),
        nothing_to_merge(),
        wrong_shard_files(2, 4, 0),
        incomplete_shard("a.jsonl", 12, 2, 4),
    ]
}
