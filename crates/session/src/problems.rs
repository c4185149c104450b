//! Every sentence about a line at the prompt that cannot be read or done.

use std::fmt::Display;

pub(crate) use crate::report::problems::{unknown_name, unknown_thing};

rulebench_lang::problems! {
    // Lines and expressions.
    fn line_too_long(length: usize, most: usize) = "a line of {length} bytes is too long: {most} at most";
    fn control_characters() = "the line has control characters in it", help "type it as plain text";
    fn not_read_only(line: &str) = "`{line}` does more than look";
    fn empty_expression() = "there is no expression after the `=`";
    fn ambiguous(text: &str, meanings: String) = "`{text}` could be {meanings}";
    fn command_without_colon(line: &str, command: String) = "`{line}` is not an answer or an expression",
        help "a command begins with a colon: `{command}`";

    // Commands and their arguments.
    fn missing_command() = "a command's name follows the `:`", help "`:help` lists the commands";
    fn unknown_command(name: &str) = "there is no command `:{name}`";
    fn missing_argument(what: impl Display) = "this command needs {what}";
    fn missing_value(option: &str) = "the option `{option}` has no value";
    fn unknown_option(command: &str, option: &str) = "`:{command}` has no option `{option}`";
    fn unexpected_word(word: &str) = "unexpected `{word}` after the command";
    fn wrong_argument(word: &str, expected: impl Display) = "`{word}` is not {expected}";
    /// A number beyond its range, with the range.
    fn number_out_of_range(why: String) = "{why}";

    // Answers.
    fn not_offered(text: &str) = "`{text}` is not offered";
    /// An answer that the rules refuse, with their reason.
    fn refused_answer(why: impl Display) = "{why}";
    fn nothing_asked() = "nothing is asked now";
    fn agent_asked(faction: String, agent: String) = "{faction} is asked now, and {agent} plays it",
        help "`:plays {faction} me` gives {faction} back to you";
    fn game_not_begun() = "the game has not begun", help "`:start` begins it";
    fn no_unit_laid() = "no unit is on the board", help "`:edit place` puts one there; `:help edit` shows how";
    fn game_begun() = "the game has begun", help "`:new GAME empty` puts an empty board on the table";
    fn game_over() = "the game is over", help "`:undo` takes the last answer back";
    fn secret_choice() = "this is hidden while something is chosen in secret",
        help "if you play all sides yourself, `:alone on` hides nothing";
    fn phase_never_begins(phase: &str) = "`{phase}` does not begin any more in this game",
        help "`:auto N` answers N questions, `:auto end` plays to the end";

    // Branches.
    fn nothing_to_undo() = "there is no answer to take back";
    fn nothing_to_redo() = "there is no answer to give again", help "`:redo` follows `:undo` and `:back`";
    fn too_far_back(phase: &str) = "the beginning of {phase} is further back than can be taken back";
    fn unanswered_since(phase: &str) = "nothing has been answered since the beginning of {phase}",
        help "`:undo` takes the last answer back";
    fn not_begun(phase: &str) = "no such {phase} has begun yet";
    fn no_last_branch() = "no branch was left yet", help "`:branches` lists the branches";
    fn unplayable_branch() = "that branch cannot be played again";

    // Rules.
    fn variant_on(name: &str) = "`{name}` is on already", help "`:variants` lists what is on";
    fn variant_off(name: &str) = "`{name}` is not on", help "`:variants` lists what is on";
    fn variant_without_script(name: &str) = "`{name}` is on, but its script is gone",
        help "`:without {name}` takes it off";
    fn changed_elsewhere(path: &str) = "`{path}` has been changed elsewhere meanwhile";
    fn several_dial_values(dial: &str, value: &str) = "`{dial}` cannot be `{value}`",
        help "write `;` between two dials: `:edit set A=1; set B=2`";
    fn unset_dial(dial: &str) = "`{dial}` has its own value", help "`:set {dial}=VALUE` sets it";
    fn nothing_to_compare() = "no rule has changed, so there is nothing to compare with",
        help "name a variant or a dial, such as `:diff max_rounds=8`; `:variants` lists them";
    fn nothing_patched() = "nothing is patched", help "`:patch SCRIPT fn ...` patches";
    fn reserved_variant(name: &str) = "`{name}` is the name of the layer at the prompt", help "choose another name";
    fn patch_of_no_rule(name: &str) = "`{name}` describes a variant and is not a rule",
        help "`:save-variant NAME` writes it";
    fn function_as_script(owner: &str, function: &str) = "`{owner}.{function}` is not a script",
        help "write `:patch {owner} fn {function}(...) {{ ... }}`";
    fn no_consequence() = "nothing has followed from a rule yet", help "`:why FUNCTION` explains a call";

    // Changes of the board and the dice.
    fn dial_in_edit() = "`set` sets a dial, which changes the rules and not the board", help "write it in a line of its own";
    fn same_seed(seed: u64) = "the seed is {seed} already", help "`:reseed` without a number takes another";
    /// Dice that no roll shows, with the reason.
    fn wrong_dice(why: String) = "{why}";

    // Scenarios, expectations and files.
    fn not_a_truth(value: impl Display) = "this is {value}, not true or false",
        help "compare it with something, such as `== 3`";
    fn no_game() = "there is no game here", help "a game is a file scripts/<game>/game.rhai";
    fn several_scenarios(name: &str, count: usize, one: &str) = "`{name}` means {count} scenarios",
        help "name one of them, such as {one}";
    /// A set-up that the rules refuse, with their reason.
    fn refused_set_up(why: impl Display) = "{why}";
    fn changed_scripts() = "the scripts have changed since this was saved, but the game is the same";
    fn not_a_transcript(name: &str) = "{name} exists and is not a transcript",
        help "choose another name; `:save` overwrites only transcripts";
    fn no_scenario_file() = "the game on the table comes from no scenario file",
        help "`:save-scenario NAME` writes one";
    fn no_new_expectation(path: &str) = "{path} has all of them already";
    fn unreadable_file(path: &str, why: String) = "{path} cannot be read: {why}";
    fn patched_scenario() = "a scenario cannot name a patch of the prompt",
        help "`:save-variant NAME` writes a variant that a scenario can name";
    fn wrong_scenario_name(name: &str) = "a scenario cannot be called `{name}`",
        help "its file is named in small letters, digits, - and _, such as `lost-at-the-gate`";
    fn existing_scenario(path: &str) = "there is a scenario {path} already", help "choose another name";
    fn other_game() = "the rules in force give another game when it is played from its beginning";
    /// An event that differs in that game.
    fn difference(text: String) = "{text}";
    fn position_without_units() = "there are no units in this position yet",
        help "without `--here` the scenario has the answers so far";
    fn wrong_picture_name(file: &str, ending: &str) = "`{file}` is not the name of a .{ending} file",
        help "leave out the `{ending}`, or end the name in .{ending}";

    // Sessions, terminals and pages.
    fn damaged_session(why: &str) = "the journal of the session is damaged: {why}";
    fn session_elsewhere() = "that session was just opened elsewhere";
    fn interrupted_session(command: &str) = "the session before was cut off; `{command}` goes on with it";
    fn resumed_session(changes: String) = "the session goes on where it was: {changes}";
    /// A report of what changed while a session was resumed.
    fn resumed_with(report: String) = "{report}";
    fn rules_of_session() = "the rules of the session stay in force";
    fn no_tour() = "there is no tour here";
    fn page_without_terminal() = "lines that are piped in have no page",
        help "`rulebench table SCENARIO` serves one without a prompt";
    fn only_page() = "nothing but this page shows the table", help "`:quit` ends the game";
    fn no_page() = "no page is served", help "`:page` serves one";

    // Links.
    fn not_a_link() = "this is no link to a game", help "copy the whole address";
    fn damaged_link() = "the link is damaged: a part of it was cut off or changed", help "copy the whole address";
    fn newer_link(version: u32) = "the link is of the later version {version}",
        help "open it with a page that a newer rulebench has written";
    fn long_link(length: usize, most: usize) = "a link of {length} bytes is too long: {most} at most";
    fn large_link(most: usize) = "the link contains more than {most} bytes";
    fn link_for_other_game(game: &str, games: String) = "the link is for the game `{game}`, and this page has {games}";
    fn link_for_missing_scenario(path: &str) = "the link is for {path}, which is missing here";
    fn link_for_other_scenario(path: &str) = "the link is for another version of {path}";
    fn link_for_other_rules(differences: String) = "the link is for other rules: {differences}",
        help "open it with the page of whoever sent it";
    fn unfit_answer_of_link(number: usize, why: String) = "answer {number} of the link does not fit: {why}";
    fn changed_answer_of_link(number: usize) = "answer {number} is another than before";
    fn changed_start_of_link() = "the game begins otherwise than before: with another seed, other rules or another scenario";
    fn failed_game_in_link() = "a link cannot carry a game whose rules fail", help "`:undo` takes the last answer back";
    fn edited_game_in_link() = "a link cannot carry changes by hand", help "`:undo` takes them back";
    fn changed_rules_in_link() = "a link cannot carry a game whose rules were changed during play",
        help "`:retell` gives its answers again under the rules in force";
    fn patched_rules_in_link() = "a link cannot carry a patch of the prompt",
        help "`:save-variant NAME` writes a variant that a link can name";
    fn unnamed_start_in_link(path: &str) = "a link cannot name {path}, which is no file of this workspace";
}

rulebench_lang::every_sentence! {
    let text = |text: &str| text.to_owned();
    [
        line_too_long(70_000, 65_536),
        control_characters(),
        not_read_only(":undo"),
        empty_expression(),
        ambiguous("spears", text("`blue.spears1` or `blue.spears2`")),
        command_without_colon("undo 2", text(":undo 2")),
        missing_command(),
        unknown_command("bord"),
        missing_argument("the name of a variant"),
        missing_value("--of"),
        unknown_option("odds", "--fo"),
        unexpected_word("again"),
        wrong_argument("x", "a number"),
        number_out_of_range(text("`0` is out of range: 1 to 9")),
        not_offered("f6"),
        refused_answer("`f6` cannot be reached"),
        nothing_asked(),
        agent_asked(text("blue"), text("greedy")),
        game_not_begun(),
        no_unit_laid(),
        game_begun(),
        game_over(),
        secret_choice(),
        phase_never_begins("shoot"),
        nothing_to_undo(),
        nothing_to_redo(),
        too_far_back("round 2"),
        unanswered_since("round 2"),
        not_begun("round"),
        no_last_branch(),
        unplayable_branch(),
        variant_on("fire-unmoved"),
        variant_off("fire-unmoved"),
        variant_without_script("fire-unmoved"),
        changed_elsewhere("units/duel/riders.rhai"),
        several_dial_values("a", "1 b=2"),
        unset_dial("max_rounds"),
        nothing_to_compare(),
        nothing_patched(),
        reserved_variant("prompt"),
        patch_of_no_rule("about"),
        function_as_script("spears", "melee"),
        no_consequence(),
        dial_in_edit(),
        same_seed(7),
        wrong_dice(text("`luck` rolls one die, not 2")),
        not_a_truth(3),
        no_game(),
        several_scenarios("duel", 3, "scenarios/duel/charge.toml"),
        refused_set_up("c9 is off the board"),
        changed_scripts(),
        not_a_transcript("notes.txt"),
        no_scenario_file(),
        no_new_expectation("scenarios/duel/charge.toml"),
        unreadable_file("scenarios/duel/charge.toml", text("a key is given twice")),
        patched_scenario(),
        wrong_scenario_name("A"),
        existing_scenario("scenarios/duel/charge.toml"),
        other_game(),
        difference(text("red.mounted1 moves to c4, not c5")),
        position_without_units(),
        wrong_picture_name("a.png", "svg"),
        damaged_session("line 3 cannot be read"),
        session_elsewhere(),
        interrupted_session("rulebench --resume"),
        resumed_session(text("12 answers")),
        resumed_with(text("the board is kept")),
        rules_of_session(),
        no_tour(),
        page_without_terminal(),
        only_page(),
        no_page(),
        not_a_link(),
        damaged_link(),
        newer_link(2),
        long_link(70_000, 65_536),
        large_link(4_194_304),
        link_for_other_game("duel", text("smalltricks")),
        link_for_missing_scenario("scenarios/duel/charge.toml"),
        link_for_other_scenario("scenarios/duel/charge.toml"),
        link_for_other_rules(text("units/duel/riders.rhai differs")),
        unfit_answer_of_link(7, text("`c5` is not offered")),
        changed_answer_of_link(7),
        changed_start_of_link(),
        failed_game_in_link(),
        edited_game_in_link(),
        changed_rules_in_link(),
        patched_rules_in_link(),
        unnamed_start_in_link("/tmp/charge.toml"),
    ]
}
