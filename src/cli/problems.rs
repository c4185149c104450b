//! Every sentence about a command line that cannot be carried out.

use std::fmt::Display;

pub(crate) use crate::report::problems::unknown_name;

rulebench_lang::problems! {
    // The command, the workspace and the game.
    /// A command line that clap refuses, with its text.
    fn refused_arguments(why: &str) = "{why}";
    fn no_scripts(folder: impl Display) = "{folder} has no folder `scripts`",
        help "name a folder that has the folders scripts, units and scenarios";
    fn missing_game(games: String, how: &str) = "this command needs the name of a game",
        help "name one of {games}: {how}";
    fn ambiguous_variant(name: &str, games: String, first: &str) = "{games} have a variant `{name}`",
        help "add `--game {first}`";
    fn scenario_of_other_game(name: &str, found: &str, game: &str) = "`{name}` is a scenario of {found}, not of {game}";

    // Values of options.
    fn missing_value(text: String, form: &str) = "`{text}` has no value", help "write `{form}`";
    fn wrong_value(text: impl Display, kind: &str, form: &str) = "`{text}` is not {kind}", help "write {form}";
    fn repeated(name: impl Display) = "`{name}` is named twice", help "name it once";
    fn conflict(what: &str, with: &str, help: &str) = "{what} cannot be used with {with}", help "{help}";
    fn two_values(dial: &str, first: impl Display, second: impl Display) =
        "`--set` gives `{dial}` two values: {first} and {second}", help "give one value; `sweep` plays several";
    fn on_and_off(variant: &str) = "`{variant}` is in both `--variant` and `--without`", help "leave one of them out";

    // Studies.
    fn nothing_to_compare() = "there is nothing to compare with",
        help "add `--variant NAME`, `--without NAME` or `--set DIAL=VALUE`";
    fn rows_of_a_game(game: &str) = "`--rows` is for one scenario, and `{game}` is a game",
        help "name a scenario: `--all SCENARIO --rows`";
    fn wrong_set_count(count: usize, most: usize) = "`--factorial` needs 2 to {most} variants and dials, not {count}";
    fn ambiguous_study(name: &str, paths: String) = "`{name}` names several studies: {paths}",
        help "write the path of one";
    fn swept_dial(dial: &str, value: impl Display) = "`--set {dial}={value}` sets the dial that is swept",
        help "leave it out";
    fn too_few_types(count: usize, least: usize) = "this study needs {least} unit types or more, not {count}",
        help "write `--types A,B,C`";
    fn not_two_factions(game: &str, count: usize) = "matchups need a game of two factions, and {game} has {count}";
    fn no_types_in_setup(game: &str) = "{game} does not ask for unit types in set-up",
        help "write scenarios with armies of one type, and compare them by `sim SCENARIO`";

    // Files of results.
    fn existing_file(file: &str) = "the file {file} already exists", help "name a new file";
    fn missing_folder(folder: impl Display) = "there is no folder {folder}", help "name a file in an existing folder";
    fn not_a_folder(name: impl Display) = "{name} is not a folder that can be read", help "name a new folder";
    fn filled_folder(name: impl Display, file: impl Display) = "{name} is not empty: it has `{file}`",
        help "name a new folder";
    /// A game that cannot be played, with the reason.
    fn unplayed_game(why: String) = "{why}";
    fn other_rules(file: impl Display, then: &str, now: String) =
        "{file} was played under the rules {then}, and the present rules are {now}",
        help "replay it under the rules of that time";
    fn game_not_in_file(game: u64, file: impl Display) = "game {game} is not in {file}";
    fn faction_of_other_game(file: impl Display, number: u64, name: &str, game: &str) =
        "game {number} of {file} has the faction `{name}`, and {game} has no such faction";

    // Pictures.
    fn board_without_size() = "`--true-size` needs a table top whose `unit` is mm, cm or inch",
        help "leave `--true-size` out";
    fn missing_browser(names: &str) = "`--pdf` needs Chromium, and `PATH` has none of {names}",
        help "install Chromium, or open the page in any browser and print it";
    fn unreached_moment(moment: &str, end: String) = "play ends before `{moment}`: {end}";
    fn secret_event(number: usize) = "the board at event {number} is secret now";

    // Decisions, logged games and sessions.
    fn missing_scenarios() = "this command needs names of scenarios, or `--all`";
    fn stopped_decision() = "the command was stopped, and nothing was decided";
    fn idle_variant(name: &str, path: String) = "`{name}` changes nothing yet", help "write its changes into {path}";
    fn missing_winner(names: String) = "the winner is missing", help "name one of {names} (`--winner NAME`)";
    fn unfinished_log() = "the input ends before the last question, and no game is logged",
        help "give the answers as options: `--winner FACTION --minutes N`";
    fn unreadable_answer(error: std::io::Error) = "the answer cannot be read: {error}";
    fn no_session_folder() = "there is no folder for sessions", help "add `--journal DIR`";
}

rulebench_lang::every_sentence! {
    let text = |text: &str| text.to_owned();
    [
        refused_arguments("unexpected argument '--sed' found"),
        no_scripts("docs"),
        missing_game(text("ford, race"), "--game GAME"),
        ambiguous_variant("further", text("race and walk"), "race"),
        scenario_of_other_game("duel", "ford", "race"),
        missing_value(text("--set speed"), "--set DIAL=VALUE"),
        wrong_value(
            "--band 70..20",
            "a range in per cent",
            "LOW..HIGH, such as 35..65",
        ),
        repeated("random"),
        conflict("`-o -`", "`--json`", "leave one of them out"),
        two_values("speed", 1, 2),
        on_and_off("windy"),
        nothing_to_compare(),
        rows_of_a_game("ford"),
        wrong_set_count(1, 6),
        ambiguous_study("balance", text("studies/ford/balance.toml, studies/race/balance.toml")),
        swept_dial("speed", 2),
        too_few_types(1, 2),
        not_two_factions("ford", 3),
        no_types_in_setup("ford"),
        existing_file("games.jsonl"),
        missing_folder("no/such"),
        not_a_folder("mine"),
        filled_folder("mine", "notes.txt"),
        unplayed_game(text("the rules do not load")),
        other_rules("games.jsonl", "0123", text("4567")),
        game_not_in_file(4, "games.jsonl"),
        faction_of_other_game("games.jsonl", 4, "green", "ford"),
        board_without_size(),
        missing_browser("chromium, chrome"),
        unreached_moment("round 99", text("red wins")),
        secret_event(3),
        missing_scenarios(),
        stopped_decision(),
        idle_variant("windy", text("scripts/ford/variants/windy.rhai")),
        missing_winner(text("red, blue, draw")),
        unfinished_log(),
        unreadable_answer(std::io::Error::other("no device")),
        no_session_folder(),
    ]
}
