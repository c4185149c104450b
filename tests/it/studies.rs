//! Many games between agents: the same bytes however they are played, nothing lost, and no study mixed with another.

use crate::support::{Copy, Ran, root, run_in_with};
use rulebench::designs::compare::{CompareOptions, Comparison, Unchanged, compare};
use rulebench::designs::health;
use rulebench::designs::matchups::matchups;
use rulebench::experiment::Experiment;
use rulebench::experiment::arm::{Arm, ArmOptions};
use rulebench::experiment::change::Change;
use rulebench::experiment::measure::Measure;
use rulebench::scenario::file::{DialValue, ScenarioFile};
use rulebench::stage::run::Overrides;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The game that every new workspace has, for studies that are over soon.
pub(crate) fn ford() -> Copy {
    let copied = Copy::of_nothing();
    crate::support::copy(&root().join("starter"), &copied.path("."));
    copied
}

fn sim(copy: &Copy, more: &[&str]) -> Ran {
    copy.run(&[&["sim", "ford", "--games", "60", "--seed", "7"], more].concat())
}

fn bytes(copy: &Copy, file: &str) -> String {
    std::fs::read_to_string(copy.path(file)).expect("the file is there")
}

pub(crate) fn fine(ran: &Ran) {
    assert_eq!(ran.status, 0, "{}", ran.page());
}

#[test]
fn agents_that_change_seats_are_told_by_their_names() {
    let copy = ford();
    let ran = sim(&copy, &["--agent", "red=greedy"]);
    fine(&ran);
    let lines = ran.out.lines().filter(|line| !line.starts_with("note: "));
    let rows: Vec<&str> = lines.filter(|l| l.contains(" wins ")).collect();
    let name = |row: &&str| row.split(" wins").next().unwrap_or_default().to_owned();
    let names: Vec<String> = rows.iter().map(name).collect();
    assert_eq!(
        names,
        ["first faction", "blue", "red", "greedy", "random"],
        "{}",
        ran.out
    );
    let games = |row: &str| row.split_whitespace().nth(2).and_then(|n| n.parse::<u32>().ok());
    // The better one wins more of both seats than any seat does.
    assert!(
        games(rows[3]) > games(rows[4]) && games(rows[3]) > games(rows[2]),
        "{}",
        ran.out
    );
    let fixed = sim(&copy, &["--agent", "red=greedy", "--no-swap"]);
    assert!(!fixed.out.contains("greedy wins"), "{}", fixed.out);
    fine(&fixed);
    // What positions are worth is no secret to be found out by losing.
    assert!(!ran.out.contains("no hook `worth`"), "{}", ran.out);
    copy.replace("scripts/ford/agents.rhai", "fn worth(side)", "fn standings(side)");
    for (line, who) in [
        (
            &["sim", "ford", "--games", "4", "--agent", "greedy"][..],
            "greedy goes",
        ),
        (
            &[
                "ladder",
                "ford",
                "--games",
                "2",
                "--agents",
                "mcts:2,random,greedy",
            ],
            "mcts:2 and greedy go",
        ),
    ] {
        let ran = copy.run(line);
        let note = format!("note: the game has no hook `worth`, so {who} by who wins");
        assert!(ran.out.contains(&note), "{}", ran.out);
    }
}

#[test]
fn types_that_all_field_alike_have_the_same_share_of_wins() {
    let three = root().join("examples/three-powers");
    let copied = Copy::of_nothing();
    crate::support::copy(&three, &copied.path("."));
    let ran = copied.run(&["sim", "three-powers", "--games", "60"]);
    fine(&ran);
    let drawn = ran.out.lines().find(|l| l.starts_with("draws")).expect("the row");
    assert!(!drawn.contains(" 0.0 %"), "some are drawn, some not: {drawn}");
    for unit in ["captains", "spears"] {
        let row = ran.out.lines().find(|l| l.starts_with(unit)).expect("the row");
        assert!(row.contains("33.3 %"), "{row}");
    }
}

#[test]
fn a_game_that_fails_in_a_study_is_told_with_its_number_and_its_line() {
    let copy = ford();
    copy.replace(
        "units/ford/slingers.rhai",
        "{ me.sling }",
        "{ me.sling / (me.life - 1) }",
    );
    for line in [
        &["health", "ford", "--games", "60"][..],
        &["compare", "ford", "--set", "max_rounds=3", "--games", "60"],
        &["ladder", "ford", "--games", "20"],
        &["profile", "ford"],
    ] {
        let ran = copy.run(line);
        assert_ne!(ran.status, 0);
        let page = ran.page();
        assert!(page.contains("game") && page.contains("seed"), "{page}");
        assert!(
            page.contains(" fails") && page.contains("a division by zero"),
            "{page}"
        );
        assert!(page.contains("--> units/ford/slingers.rhai:9:"), "{page}");
    }
    // The first game tries whether all can be played.
    let first = ford();
    first.replace("units/ford/slingers.rhai", "{ me.sling }", "{ me.sling / 0 }");
    for study in ["sim", "health"] {
        let page = first.run(&[study, "ford", "--games", "4"]).page();
        assert!(page.contains("game 0 fails (seed "), "{page}");
    }
    let ran = sim(&copy, &["--out", "games"]);
    let game = ran
        .out
        .split("the first is game ")
        .nth(1)
        .and_then(|t| t.split(':').next());
    let game = game.expect("some games fail").to_owned();
    let again = copy.run(&["sim", "replay", "games", &game]);
    assert!(
        again.page().contains("--> units/ford/slingers.rhai:9:"),
        "{}",
        again.page()
    );
}

#[test]
fn a_study_is_the_same_bytes_on_any_number_of_threads_in_shards_and_after_a_cut() {
    let copy = ford();
    fine(&sim(&copy, &["--out", "one", "--threads", "1"]));
    let whole = bytes(&copy, "one");
    assert_eq!(whole.lines().count(), 61);
    fine(&sim(&copy, &["--out", "three", "--threads", "3"]));
    assert_eq!(bytes(&copy, "three"), whole);
    // Cut off anywhere: in a line, between two, in the head, before it.
    let (head, line) = (whole.find('\n').unwrap_or(0), whole.match_indices('\n').nth(20));
    let line = line.map_or(0, |(at, _)| at);
    for cut in [
        0,
        head / 2,
        head,
        head + 1,
        line - 5,
        line,
        line + 1,
        whole.len() - 1,
        whole.len(),
    ] {
        copy.write("cut", &whole[..cut]);
        let resumed = sim(&copy, &["--out", "cut", "--resume"]);
        fine(&resumed);
        assert_eq!(bytes(&copy, "cut"), whole, "cut at {cut}");
        let begun = head + 1 < cut && cut < whole.len();
        let halved = begun && whole.as_bytes()[cut - 1] != b'\n';
        let says = resumed
            .out
            .contains("the last line was no game, which was played again: cut:");
        assert_eq!(says, halved, "cut at {cut}: {}", resumed.out);
    }
    for shard in ["1/3", "2/3", "3/3"] {
        fine(&sim(
            &copy,
            &["--out", &shard.replace('/', "-"), "--shard", shard],
        ));
    }
    fine(&copy.run(&["sim", "merge", "3-3", "1-3", "2-3", "--out", "merged"]));
    assert_eq!(bytes(&copy, "merged"), whole);
    let again = copy.run(&["sim", "summary", "merged"]);
    let first = sim(&copy, &[]);
    assert_eq!(again.out, first.out, "the file says what the run said");
}

#[test]
fn every_game_of_a_file_is_played_again_from_its_line() {
    let copy = ford();
    fine(&sim(
        &copy,
        &[
            "--out",
            "games",
            "--agent",
            "red=greedy",
            "--agent",
            "blue=random",
        ],
    ));
    for game in ["0", "1", "59"] {
        let again = copy.run(&["sim", "replay", "games", game]);
        fine(&again);
        copy.write("again.txt", &again.out);
        let run = copy.run(&["run", "again.txt"]);
        fine(&run);
    }
    let text = bytes(&copy, "games");
    assert!(
        text.contains("\"agents\":[\"greedy\",\"random\"]") && text.contains("\"swap\":true"),
        "{text}"
    );
    // A line that was changed is found out.
    copy.write("changed", text.replacen("\"rounds\":", "\"rounds\":1", 1));
    let changed = copy.run(&["sim", "replay", "changed", "0"]);
    assert_eq!(changed.status, 1, "{}", changed.page());
    copy.replace(
        "scripts/ford/game.rhai",
        "max_rounds: number(8",
        "max_rounds: number(7",
    );
    let other = copy.run(&["sim", "replay", "games", "0"]);
    assert!(
        other.status == 2 && other.flat().contains("was played under the rules"),
        "{}",
        other.page()
    );
}

/// The events of a transcript up to its last answer occur in every game that is played on from it.
#[test]
fn a_transcript_is_played_on_from_where_its_answers_end() {
    let copy = Copy::of_rules();
    let half = "game = \"pocket-tactics\"\nterrain.field = \"g5 g6 f5 f6 g7 f7\"\n\
                units.red = [\"footman g5\", \"mage f5\"]\nunits.blue = [\"footman g6\", \"mage f6\"]\n\
                open = \"random\"\nuntil = \"turn 6\"\n";
    copy.write("half.toml", half);
    let told = copy.run(&["run", "half.toml"]);
    fine(&told);
    copy.write("half.txt", &told.out);
    let lines = |text: &str| -> Vec<String> {
        let record = text.splitn(3, "+++").nth(2).unwrap_or_default();
        let record = record.lines().filter(|l| !l.starts_with('='));
        record.map(str::to_owned).collect()
    };
    let told = lines(&told.out);
    let last = told
        .iter()
        .rposition(|l| l.contains(" chose ") && !l.ends_with("(only option)"));
    let last = last.expect("somebody chose");
    assert!(told[..last].iter().any(|l| l.contains("rolled")), "{told:?}");
    fine(&copy.run(&["sim", "half.txt", "--games", "3", "--out", "half.jsonl"]));
    for game in ["0", "2"] {
        let again = copy.run(&["sim", "replay", "half.jsonl", game]);
        assert_eq!(lines(&again.out)[..=last], told[..=last], "{}", again.page());
    }
    // A game that is over cannot be gone on with, nor are its answers left out in silence.
    copy.write("over.txt", copy.run(&["sim", "replay", "half.jsonl", "0"]).out);
    for command in ["sim", "health", "profile"] {
        assert_eq!(
            copy.problems(&[command, "over.txt", "--games", "2"]),
            ["finished-transcript(over.txt)"]
        );
    }
    assert_eq!(
        copy.problems(&["ladder", "pocket-tactics", "--scenario", "half.txt"]),
        ["transcript-on-ladder(half.txt)"]
    );
}

/// Rules that roll more than was scripted play the answers with other dice.
#[test]
fn dice_beyond_those_that_are_scripted_are_told_where_the_answers_go_on() {
    let copy = Copy::of_nothing();
    copy.write("scripts/dicey/game.rhai", crate::prompt::DICEY)
        .write("units/dicey/token.rhai", "fn stats() { #{} }\n")
        .write(
            "scripts/dicey/variants/twice.rhai",
            "// Luck comes twice.\nfn gamble(side) { base(side); side.sum += roll(side, \"luck\", 1, 6).total; }\n",
        )
        .write(
            "scenarios/dicey/one.toml",
            "game = \"dicey\"\nrolls.luck = [6]\nanswers = [\"on\", \"on\"]\n",
        );
    let note =
        "note: the scenario scripts 1 of `luck`; the other rolls before its last answer come from the seed";
    let sim = |more: &[&str]| copy.run(&[&["sim", "one", "--games", "4", "--cut-off", "20"], more].concat());
    let as_it_is = sim(&[]);
    assert!(
        as_it_is.status == 0 && !as_it_is.out.contains("note: the scenario"),
        "{}",
        as_it_is.page()
    );
    let twice = sim(&["--variant", "twice"]);
    assert!(
        twice.status == 0 && twice.flat().contains(note),
        "{}",
        twice.page()
    );
    let twice = sim(&["--variant", "twice", "--json"]);
    assert!(
        twice.out.contains("the scenario scripts 1 of `luck`"),
        "{}",
        twice.page()
    );
}

/// A transcript is refused if it depends on the seed, or on rules that changed after its start.
#[test]
fn a_transcript_that_answers_and_dice_do_not_make_is_refused() {
    let typed = |lines: &str| {
        let copy = Copy::of_rules();
        let input = format!("{lines}\n:save it.txt\n:quit\n");
        let game = if lines.contains("16") {
            "smashdodes"
        } else {
            "smalltricks"
        };
        fine(&run_in_with(&copy.path("."), &["repl", game], &input));
        copy.problems(&["sim", "it.txt", "--games", "2"])
    };
    assert_eq!(typed(":auto random 16"), ["unwritable-position(it.txt)"]);
    assert_eq!(
        typed(":auto random 9\n:set max_rounds=3\n:auto random 4"),
        ["several-chapters(2, played on)"]
    );
}

#[test]
fn shards_that_are_not_whole_leave_nothing() {
    let copy = ford();
    fine(&sim(&copy, &["--out", "whole"]));
    fine(&sim(&copy, &["--out", "a", "--shard", "1/2"]));
    fine(&sim(&copy, &["--out", "b", "--shard", "2/2"]));
    let lines = bytes(&copy, "b");
    let cut: Vec<&str> = lines.split_inclusive('\n').take(9).collect();
    copy.write("cut", cut.concat());
    copy.write("corrupt", lines.replacen("\"game\":33", "\"game\":\"33\"", 1));
    for (shard, why) in [
        ("cut", "cut is not complete: it lacks 22 games"),
        ("corrupt", "corrupt:5 is corrupt"),
    ] {
        let ran = copy.run(&["sim", "merge", "a", shard, "--out", "joined"]);
        assert!(ran.status == 2 && ran.flat().contains(why), "{}", ran.page());
        assert!(!copy.path("joined").exists());
    }
    // What can be read is joined where that is asked for, and what is left out is told.
    let first = bytes(&copy, "a");
    copy.write("spoilt", first.replacen("\"game\":3,", "\"game\":\"3\",", 1));
    let named = copy.run(&["sim", "merge", "spoilt", "b", "--out", "joined"]);
    assert!(named.flat().contains("spoilt:5 is corrupt"), "{}", named.page());
    assert!(!copy.path("joined").exists());
    let ran = copy.run(&[
        "sim",
        "merge",
        "spoilt",
        "corrupt",
        "--out",
        "lines",
        "--skip-corrupt",
    ]);
    let told = "lines: 58 games\nspoilt: 1 corrupt line was passed over, 1 game is missing\n\
                corrupt: 1 corrupt line was passed over, 1 game is missing\n";
    assert_eq!((ran.status, ran.out.as_str()), (1, told), "{}", ran.page());
    let summary = copy.run(&["sim", "summary", "lines", "--skip-corrupt"]);
    assert!(
        summary.out.contains("58 games") && summary.out.contains("2 games are missing"),
        "{}",
        summary.page()
    );
    fine(&copy.run(&["sim", "merge", "a", "b", "--out", "joined"]));
    assert_eq!(bytes(&copy, "joined"), bytes(&copy, "whole"));
    let there = copy.run(&["sim", "merge", "a", "b", "--out", "joined"]);
    let page = there.page();
    assert!(
        there.status == 2 && !page.contains("--resume") && !page.contains("error: error"),
        "{page}"
    );
}

/// Errors that would prevent a result are reported before any game is played, with their actual cause.
#[test]
fn errors_that_can_be_seen_first_are_told_first() {
    let copy = ford();
    copy.write("file", "").write("played/ford.toml", "x = [");
    copy.write("studies/ford/none.toml", "game = \"ford\"\ntargets = []\n");
    copy.write(
        "studies/ford/wide.toml",
        "game = \"ford\"\ntargets = [\"draws at most 200 %\"]\n",
    );
    let many = ["--games", "100000000"];
    let refused = |args: &[&str], why: &str| {
        let ran = copy.run(args);
        assert!(ran.status == 2 && ran.flat().contains(why), "{}", ran.page());
    };
    refused(&[&["health", "ford"], &many[..]].concat(), "played/ford.toml:1");
    let dial = ["compare", "ford", "--set", "max_rounds=5"];
    refused(&[&dial[..], &many].concat(), "played/ford.toml:1");
    copy.write("played/ford.toml", "");
    refused(
        &[&["health", "ford", "--games-out", "file"], &many[..]].concat(),
        "file cannot be written",
    );
    // Whether a folder can be written is tried with no file of anybody's.
    copy.write("looks/probe", "mine");
    assert_eq!(
        copy.run(&["health", "ford", "--games", "4", "--games-out", "looks"])
            .status,
        0
    );
    assert_eq!(bytes(&copy, "looks/probe"), "mine");
    let sweep = ["sweep", "ford", "max_rounds=5,6", "--measure", "zzz"];
    assert_eq!(
        copy.problems(&[&sweep[..], &many].concat()),
        ["unknown-name(measure, zzz)"]
    );
    assert_eq!(
        copy.problems(&["test", "--studies", "studies/ford/none.toml"]),
        ["no-targets at studies/ford/none.toml:2:11"]
    );
    assert_eq!(
        copy.problems(&["test", "--studies", "studies/ford/wide.toml"]),
        ["not-a-target(draws at most 200 %) at studies/ford/wide.toml:2:12"]
    );
    assert_eq!(
        copy.problems(&["sim", "ford", "--army", "drawn*6"]),
        ["unknown-name(unit type, drawn)"]
    );
    let several = Copy::of_rules();
    several.write(
        "scripts/smalltricks/tweaks.toml",
        "[fire-unmoved]\nstate = \"maybe\"\n",
    );
    let ran = several.run(&["variants", "adopt", "fire-unmoved"]);
    assert!(
        ran.status == 2 && ran.page().contains("smalltricks/tweaks.toml:2"),
        "{}",
        ran.page()
    );
}

/// An agent for one seat takes precedence over one for all seats, in either order of the arguments.
#[test]
fn an_agent_for_one_seat_goes_before_one_for_all() {
    let copy = ford();
    for agents in [["red=first", "random"], ["random", "red=first"]] {
        let ran = sim(&copy, &["--agent", agents[0], "--agent", agents[1]]);
        assert!(ran.out.contains("first against random"), "{}", ran.out);
    }
}

#[test]
fn games_of_agents_with_a_budget_in_time_are_said_to_be_no_others() {
    let copy = ford();
    let timed = ["ford", "--agent", "mcts:1ms", "--games", "2"];
    let told = copy.run(&[&["sim"], &timed[..], &["--out", "timed"]].concat());
    fine(&told);
    assert!(
        told.flat()
            .contains("a budget in time is another on each machine"),
        "{}",
        told.out
    );
    copy.write(
        "timed",
        bytes(&copy, "timed").replacen("\"digest\":\"", "\"digest\":\"0", 1),
    );
    let again = copy.run(&["sim", "replay", "timed", "0"]);
    let says = again
        .flat()
        .contains("an agent with a budget in time plays otherwise each time");
    assert!(again.status == 1 && says, "{}", again.page());
}

#[test]
fn what_is_not_one_study_is_not_put_together() {
    let copy = ford();
    fine(&sim(&copy, &["--out", "a", "--shard", "1/2"]));
    let refused = |args: &[&str], why: &str| {
        let ran = copy.run(args);
        assert!(ran.status == 2 && ran.flat().contains(why), "{}", ran.page());
    };
    refused(&["sim", "merge", "a", "--out", "m"], "0 files of shard 2/2");
    refused(&["sim", "merge", "a", "a", "--out", "m"], "2 files of shard 1/2");
    let part = |seed: &str| {
        let args = [
            "sim", "ford", "--games", "60", "--seed", seed, "--shard", "2/2", "--out",
        ];
        let out = format!("b{seed}");
        fine(&copy.run(&[&args[..], &[&out]].concat()));
    };
    part("8");
    refused(&["sim", "merge", "a", "b8", "--out", "m"], "its seed is 8, not 7");
    copy.replace(
        "scripts/ford/game.rhai",
        "max_rounds: number(8",
        "max_rounds: number(7",
    );
    part("7");
    refused(
        &["sim", "merge", "a", "b7", "--out", "m"],
        "the fingerprint of its rules is",
    );
    let resumed = sim(&copy, &["--out", "a", "--shard", "1/2", "--resume"]);
    assert!(
        resumed.flat().contains("the fingerprint of its rules"),
        "{}",
        resumed.page()
    );
    let there = sim(&copy, &["--out", "a", "--json"]);
    assert_eq!(there.problems(), ["existing-file(a)"]);
    fine(&sim(&copy, &["--out", "whole"]));
    refused(&["sim", "merge", "whole", "--out", "m"], "is a whole study");
    assert_eq!(
        copy.problems(&["sim", "ford", "--out", "/dev/full"]),
        ["not-a-file(/dev/full)"]
    );
    refused(&["sim", "ford", "--resume"], "--out <FILE>");
    refused(&["sim", "merge", "a", "b7"], "--out <FILE>");
}

#[test]
fn a_corrupt_line_is_named_and_passed_over_only_when_asked() {
    let copy = ford();
    fine(&sim(&copy, &["--out", "games"]));
    let text = bytes(&copy, "games");
    let lines: Vec<&str> = text.lines().collect();
    let broken = [&lines[..5], &["{\"game\":4,"], &lines[6..], &[""]]
        .concat()
        .join("\n");
    copy.write("games", &broken);
    let named = copy.run(&["sim", "summary", "games"]);
    assert!(
        named.status == 2 && named.flat().contains("games:6 is corrupt: EOF"),
        "{}",
        named.page()
    );
    let resumed = sim(&copy, &["--out", "games", "--resume"]);
    assert!(
        resumed.status == 2 && resumed.flat().contains("because games:6 is corrupt"),
        "{}",
        resumed.page()
    );
    assert_eq!(bytes(&copy, "games"), broken, "nothing is lost");
    let skipped = copy.run(&["sim", "summary", "games", "--skip-corrupt"]);
    assert!(
        skipped.out.contains("59 games") && skipped.out.contains("1 corrupt line was passed over"),
        "{}",
        skipped.out
    );
    assert_eq!(skipped.status, 1);
    let said = "games:6 is corrupt: EOF while parsing a value at column 10: `{\"game\":4,`";
    let replay = copy.run(&["sim", "replay", "games", "7"]);
    assert!(replay.flat().contains(said), "{}", replay.page());
    assert!(replay.flat().contains("`--skip-corrupt`"), "{}", replay.page());
    let replay = copy.run(&["sim", "replay", "games", "7", "--skip-corrupt"]);
    assert_eq!(replay.status, 0, "{}", replay.page());
    assert!(
        replay.out.starts_with("rulebench transcript")
            && replay.err.contains("1 corrupt line was passed over before it"),
        "{}",
        replay.page()
    );
    let gone = copy.run(&["sim", "replay", "games", "4", "--skip-corrupt"]);
    assert!(
        gone.status == 2 && gone.flat().contains("game 4 is not in games"),
        "{}",
        gone.page()
    );
    copy.write("other", "not a results file\n");
    let other = copy.run(&["sim", "summary", "other"]);
    assert!(
        other.status == 2 && other.flat().contains("other is not a results file"),
        "{}",
        other.page()
    );
    for (was, is) in [
        ("\"study\"", "\"shard\":[0,0],\"study\""),
        ("\"agents\":[\"random\",\"random\"]", "\"agents\":[]"),
        ("\"games\":60", "\"games\":0"),
    ] {
        assert!(text.contains(was), "{was}");
        copy.write("other", text.replacen(was, is, 1));
        for of in [&["summary", "other"][..], &["replay", "other", "0"]] {
            let other = copy.run(&[&["sim"], of].concat());
            assert!(
                other.status == 2 && other.flat().contains("other is not a results file"),
                "{}",
                other.page()
            );
        }
    }
    copy.write(
        "other",
        text.replacen("[\"random\",\"random\"]", "[\"random\"]", 1),
    );
    let other = copy.run(&["sim", "replay", "other", "0"]);
    assert!(
        other
            .flat()
            .contains("the study has 1 agents, but the game has 2 factions"),
        "{}",
        other.page()
    );
    fine(&copy.run(&["sim", "ford", "--games", "2", "--shard", "1/4", "--out", "none"]));
    let of_none = copy.run(&["sim", "replay", "none", "0"]);
    assert!(
        of_none.flat().contains("game 0 is not in none"),
        "{}",
        of_none.page()
    );
}

#[test]
fn bad_usage_is_told_before_anything_is_played() {
    let copy = ford();
    let refused = |args: &[&str], why: &str| {
        let ran = copy.run(&[&["sim"], args].concat());
        assert!(ran.status == 2 && ran.flat().contains(why), "{}", ran.page());
        assert!(ran.out.is_empty(), "{}", ran.page());
    };
    for (args, problem) in [
        (&["ford", "--games", "0"][..], "no-games"),
        (&["ford", "--agent", "greedi"], "unknown-name(agent, greedi)"),
        (
            &["ford", "--agent", "green=first"],
            "unknown-name(faction, green)",
        ),
        (
            &["ford", "--army", "slinger*2"],
            "unknown-name(unit type, slinger)",
        ),
        (&["ford", "--army", "slingers*0"], "wrong-count(slingers*0)"),
        (&["fords"], "unknown-name(scenario, fords)"),
        (&["ford", "--shard", "3/2", "--out", "x"], "not-a-shard(3/2)"),
        (&["ford", "--out", "."], "not-a-file(.)"),
        (&["ford", "--armies", "missing"], "missing-file(missing)"),
    ] {
        assert_eq!(copy.problems(&[&["sim"], args].concat()), [problem]);
    }
    refused(&["ford", "--set", "max_rounds=200"], "max_rounds");
    refused(&["ford", "--out", "no/such/x"], "no/such/x cannot be written");
}

#[test]
fn endless_games_are_cut_off_counted_and_kept() {
    let copy = ford();
    // Nobody ever wins, nor does it end: the kernel's own limit holds, or the study's.
    copy.replace(
        "scripts/ford/game.rhai",
        "fn end_of_round() {",
        "fn end_of_round() {\n    return;",
    );
    let kernel = copy.run(&["sim", "ford", "--games", "4"]);
    assert!(kernel.flat().contains("cut off 4 100.0 %"), "{}", kernel.page());
    let ran = copy.run(&["sim", "ford", "--games", "4", "--cut-off", "50", "--out", "short"]);
    fine(&ran);
    assert!(ran.flat().contains("cut off 4 100.0 %"), "{}", ran.out);
    assert_eq!(bytes(&copy, "short").matches("\"end\":\"cut_off\"").count(), 4);
    let again = copy.run(&["sim", "replay", "short", "3"]);
    fine(&again);
    assert!(again.out.contains("end: cut off after 50 steps"), "{}", again.out);
}

/// A run of many games with a file, stopped with this signal when some of them are there.
fn stopped(copy: &Copy, signal: &str) -> String {
    let mut it = Command::new(env!("CARGO_BIN_EXE_rulebench"))
        .args(["sim", "ford", "--games", "2500", "--out", "many"])
        .current_dir(copy.path("."))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let grown = || std::fs::metadata(copy.path("many")).is_ok_and(|about| about.len() > 20_000);
    for _ in 0..1000 {
        if grown() {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let killed = Command::new("kill").args([signal, &it.id().to_string()]).status();
    assert!(killed.is_ok_and(|status| status.success()));
    it.wait().expect("it ends");
    bytes(copy, "many")
}

#[test]
fn a_run_that_is_stopped_or_killed_keeps_what_is_done_and_goes_on() {
    let copy = ford();
    let whole = |out: &str| {
        fine(&copy.run(&["sim", "ford", "--games", "2500", "--out", out]));
        bytes(&copy, out)
    };
    let wanted = whole("whole");
    for signal in ["-KILL", "-INT"] {
        let kept = stopped(&copy, signal);
        assert!(kept.len() < wanted.len(), "{signal} came too late");
        assert!(wanted.starts_with(&kept), "{signal}");
        if signal == "-INT" {
            assert!(kept.ends_with('\n'), "it is stopped between two games");
        }
        fine(&copy.run(&["sim", "ford", "--games", "2500", "--out", "many", "--resume"]));
        assert_eq!(bytes(&copy, "many"), wanted, "{signal}");
        std::fs::remove_file(copy.path("many")).expect("it is there");
    }
}

#[test]
fn a_full_disk_is_told_and_what_is_there_is_gone_on_with() {
    let copy = ford();
    // A limit on the size of files is told like a disk without room.
    let command = format!(
        "trap '' XFSZ; ulimit -f 8; exec {} sim ford --games 200 --out small",
        env!("CARGO_BIN_EXE_rulebench")
    );
    let ran = Command::new("bash")
        .args(["-c", &command])
        .current_dir(copy.path("."))
        .output();
    let ran = ran.expect("bash runs");
    let err = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!(ran.status.code(), Some(2), "{err}");
    assert!(
        err.contains("small cannot be written: File too large") && err.contains("--resume"),
        "{err}"
    );
    fine(&copy.run(&["sim", "ford", "--games", "200", "--out", "small", "--resume"]));
    fine(&copy.run(&["sim", "ford", "--games", "200", "--out", "large"]));
    assert_eq!(bytes(&copy, "small"), bytes(&copy, "large"));
}

#[test]
fn armies_are_fielded_as_they_are_asked_for_and_change_seats() {
    let copy = Copy::of_all();
    let six = |name: &str| format!("\"unit\":\"{name}\",\"fielded\":6");
    let ran = copy.run(&[
        "sim",
        "smalltricks",
        "--games",
        "2",
        "--army",
        "red=spears*6",
        "--army",
        "blue=muskets*6",
        "--out",
        "games",
    ]);
    fine(&ran);
    let text = bytes(&copy, "games");
    let games: Vec<&str> = text.lines().skip(1).collect();
    for (game, (red, blue)) in games.iter().zip([("spears", "muskets"), ("muskets", "spears")]) {
        let at =
            |faction: &str, name: &str| game.contains(&format!("\"faction\":\"{faction}\",{}", six(name)));
        assert!(at("red", red) && at("blue", blue), "{game}");
    }
    copy.write("list", "# two armies\nspears*6\nmounted*3 archers*3\n");
    fine(&copy.run(&[
        "sim",
        "smalltricks",
        "--games",
        "20",
        "--armies",
        "list",
        "--out",
        "drawn",
    ]));
    let text = bytes(&copy, "drawn");
    let whole = text.matches(&six("spears")).count();
    let half = text.matches("\"unit\":\"archers\",\"fielded\":3").count();
    assert!(whole > 0 && half > 0 && whole + half == 40, "{whole} and {half}");
    let army = |army: &str| copy.run(&["sim", "smalltricks", "--games", "2", "--army", army]);
    for (odd, why) in [
        (
            "spears*5 muskets cannons",
            "cannot field spears*5 muskets cannons: the game asks for 6, and the army has 7",
        ),
        (
            "muskets spears*4",
            "cannot field muskets spears*4: the army has 5, and the game asks for 6 or more",
        ),
        ("red=drawn", "`--army red=drawn` draws the army of one faction"),
    ] {
        let odd = army(odd);
        assert!(odd.status == 2 && odd.flat().contains(why), "{}", odd.page());
    }
    fine(&army("red=asked"));
}

/// A script that is saved while a study runs takes effect in the next study.
#[test]
fn a_study_is_of_the_rules_as_they_were_when_it_began() {
    let spears = "units/smalltricks/spears.rhai";
    let begun = |copy: &Copy| {
        let types = ["matchups", "smalltricks", "--types", "spears,mounted,archers"];
        Command::new(env!("CARGO_BIN_EXE_rulebench"))
            .args([&types[..], &["--games", "120", "--json"]].concat())
            .current_dir(copy.path("."))
            .stdout(Stdio::piped())
            .spawn()
            .expect("the command starts")
    };
    let copies = [Copy::of_rules(), Copy::of_rules(), Copy::of_rules()];
    copies[1].replace(spears, "spear: 1,", "spear: 4,");
    copies[2].write("saved", bytes(&copies[1], spears));
    let all = copies.each_ref().map(begun);
    std::thread::sleep(Duration::from_millis(600));
    // It is there whole at once: on a machine that is slow to begin it may be read.
    std::fs::rename(copies[2].path("saved"), copies[2].path(spears)).expect("saved");
    let [before, after, between] = all.map(|it| it.wait_with_output().expect("it ends").stdout);
    assert!(before != after && !before.is_empty());
    assert!(
        between == before || between == after,
        "two rule sets in one study"
    );
}

#[test]
fn every_study_says_what_it_played() {
    let copy = ford();
    let all = Copy::of_all();
    let with = "ford with steady-slings, points_to_win=1";
    let changed = ["--variant", "steady-slings", "--set", "points_to_win=1"];
    let slings = ["--variant", "steady-slings"];
    let muskets = ["--variant", "fire-unmoved"];
    let scenario = format!("{with},").replace("ford", "ford from two-warbands-meet");
    let muskets_told = "smalltricks with fire-unmoved, random agents";
    for (copy, args, more, told) in [
        (&copy, &["sim", "ford"][..], &changed[..], with),
        (&copy, &["sim", "two-warbands-meet"], &changed, &scenario),
        (&copy, &["health", "ford", "--duels", "0"], &changed, with),
        (
            &copy,
            &["ladder", "ford", "--agents", "random,first"],
            &changed,
            with,
        ),
        (&copy, &["profile", "ford"], &changed, with),
        (
            &copy,
            &["sweep", "ford", "points_to_win=1..2"],
            &slings,
            "ford with steady-slings, random",
        ),
        (
            &copy,
            &["compare", "ford", "--against", "steady-slings"],
            &["--set", "points_to_win=1"],
            "without and with points_to_win=1: 4 games of ford with steady-slings, random",
        ),
        (&all, &["value", "smalltricks"], &muskets, muskets_told),
        (
            &all,
            &["matchups", "smalltricks", "--types", "spears,archers"],
            &muskets,
            muskets_told,
        ),
    ] {
        // What a unit is worth is not seen in few games.
        let games = ["--games", if args[0] == "value" { "40" } else { "4" }];
        let args = [args, more, &games].concat();
        let ran = copy.run(&args);
        fine(&ran);
        assert!(ran.flat().contains(told), "{args:?}: {}", ran.out);
        let ran = copy.run(&[&args[..], &["--json"]].concat());
        let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        let lists = [&json["comparisons"], &json["matchups"]];
        let found = lists.iter().find_map(|list| list.get(0)).unwrap_or(&json);
        let played = &found["played"];
        assert!(
            told.contains(played["game"].as_str().expect("a game"))
                && played["seed"] == 1
                && played["without"] == serde_json::json!([]),
            "{args:?}: {played}"
        );
        let variant = played["variants"][0].as_str().expect("a variant");
        assert!(told.contains(variant), "{args:?}: {played}");
        assert_eq!(
            played["dials"]["points_to_win"] == 1,
            told.contains(with) || told == scenario,
            "{played}"
        );
    }
    // What it has by itself is not told.
    let plain = copy.run(&["sim", "ford", "--games", "4", "--set", "points_to_win=3"]);
    assert!(
        plain.out.starts_with("4 games of ford, random agents"),
        "{}",
        plain.out
    );
}

#[test]
fn a_comparison_says_as_data_what_its_page_says() {
    let copy = ford();
    fine(&copy.run(&["log", "ford", "--winner", "red", "--first", "red"]));
    let args = ["compare", "ford", "--set", "points_to_win=1", "--games", "20"];
    let (page, json) = (copy.run(&args), copy.run(&[&args[..], &["--json"]].concat()));
    let found: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    let told = &found["comparisons"][0];
    for note in told["notes"].as_array().expect("notes") {
        let note = note.as_str().expect("a sentence");
        assert!(page.flat().contains(note), "{note}: {}", page.out);
    }
    assert!(
        page.out.contains("1 game by people") && told["people"]["without"]["games"] == 1,
        "{}{}",
        page.out,
        json.out
    );
    assert!(json.out.contains("is first in every game") == page.flat().contains("is first in every game"));
    assert_eq!(found["tweaks"], serde_json::json!(["points_to_win=1"]));
}

/// A game of one toss and a few dice, whose answers are known: the first faction wins in `bias` of 20 cases.
/// The variant `other` throws other dice for everything, and changes nothing else.
fn toss() -> crate::support::Small {
    let game = r#"
        fn board() { #{ factions: ["red", "blue"], hexes: [2, 2] } }
        fn dials() { #{ bias: number(10, 0, 20), bonus: number(0, 0, 6) } }
        fn slots() { #{ faction: #{ high: 0, low: 0, sum: 0 } } }
        fn phases() { [
            #{ phase: "game", contest: "game", phases: [#{ phase: "toss", each: "game", step: "toss" }] },
        ] }
        fn coin(what) { what }
        fn toss() {
            for side in [first(), second()] {
                let dice = roll(side, coin("dice"), 3, 6);
                side.high = dice.highest;
                side.low = dice.lowest;
                side.sum = dice.total + bonus;
            }
            if roll(first(), coin("coin"), 1, 20).total <= bias { win(first(), "toss"); }
            else { win(second(), "toss"); }
        }
        fn measures(side) { #{ highest: side.high, lowest: side.low, sum: side.sum } }
    "#;
    crate::support::Small::new(game).with(
        "variants/other",
        "// Other dice.\nfn variant() { #{} }\nfn coin(what) { \"other \" + what }\n",
    )
}

/// Measures that are not numbers are reported before anything is counted, at their place in the rules.
#[test]
fn measures_that_are_no_numbers_are_refused() {
    for (measures, why) in [
        ("3", "`measures` must give whole numbers by name, not a number"),
        (
            "#{ sum: \"much\" }",
            "`measures` must give whole numbers by name; `sum` is a text",
        ),
        ("#{ sum: 1 / (side.sum - side.sum) }", "division by zero"),
        (
            "side.sum = 1; #{ sum: 1 }",
            "the position can only be read here, not changed",
        ),
    ] {
        let wrong = format!("// Wrong.\nfn variant() {{ #{{}} }}\nfn measures(side) {{ {measures} }}\n");
        let workspace = toss().with("variants/wrong", &wrong).workspace();
        let overrides = Overrides {
            variants: vec!["wrong".to_owned()],
            ..Overrides::default()
        };
        let setting = Arm::new(
            &workspace,
            &ScenarioFile::new("tiny"),
            &overrides,
            &ArmOptions {
                games: 2,
                ..ArmOptions::default()
            },
        );
        let problem = setting.err().unwrap_or_else(|| panic!("{measures}")).to_string();
        let problem = problem.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            problem.contains(why) && problem.contains("wrong.rhai:3"),
            "{problem}"
        );
    }
}

/// The game compared with a tweak of it.
fn compared(variants: &[&str], dials: &[(&str, i64)], games: u64, seed: u64, stop_early: bool) -> Comparison {
    let workspace = toss().workspace();
    let file = ScenarioFile::new("tiny");
    let wanted = ArmOptions {
        games,
        seed: Some(seed),
        ..ArmOptions::default()
    };
    let overrides = Overrides {
        variants: variants.iter().map(|v| (*v).to_owned()).collect(),
        dials: dials
            .iter()
            .map(|(n, v)| ((*n).to_owned(), DialValue::Number(*v)))
            .collect(),
        ..Overrides::default()
    };
    let arm = |o: &Overrides| Arm::new(&workspace, &file, o, &wanted).unwrap_or_else(|p| panic!("{p}"));
    let arms = vec![arm(&Overrides::default()), arm(&overrides)];
    let options = CompareOptions {
        stop_early,
        ..CompareOptions::default()
    };
    let experiment = Experiment::new(&workspace, arms, Some(1)).unwrap_or_else(|p| panic!("{p}"));
    compare(&experiment, &options).unwrap_or_else(|p| panic!("{p}"))
}

/// The change of the share of games that the first faction wins.
fn of_first(found: &Comparison) -> &Change {
    found.change(&Measure::First).expect("it is measured")
}

/// The change of the sum of dice.
fn of_sum(found: &Comparison) -> &Change {
    found
        .change(&Measure::Declared("sum".to_owned()))
        .expect("it is measured")
}

#[test]
fn a_planted_effect_is_found_at_its_size_and_told_in_words() {
    // 3 of 20 more, on the same dice: 15 points.
    let found = compared(&[], &[("bias", 13)], 2000, 1, false);
    let row = of_first(&found);
    assert!(row.changed && row.interval.holds(0.15), "{row:?}");
    assert!(
        row.verdict
            .starts_with("the first faction wins 14.0 to 17.2 points")
            && row.verdict.ends_with("more often"),
        "{row:?}"
    );
    assert!(
        found.same.iter().any(|m| m == "sum"),
        "dice are the same: {:?}",
        found.same
    );
    // On other dice it is the same effect, less surely.
    let other = compared(&["other"], &[("bias", 13)], 2000, 1, false);
    let less = of_first(&other);
    assert!(less.changed && less.interval.holds(0.15), "{less:?}");
    assert!(less.interval.high - less.interval.low > 1.5 * (row.interval.high - row.interval.low));
    // A number that grows by one in every game, and by nothing else.
    let bonus = compared(&[], &[("bonus", 1)], 50, 1, false);
    let sum = of_sum(&bonus);
    assert!(
        sum.changed && sum.interval.low > 0.9 && sum.interval.high < 1.1,
        "{sum:?}"
    );
    // Few games that agree are no certainty.
    let few = compared(&[], &[("bonus", 1)], 2, 1, false);
    let sum = of_sum(&few);
    assert!(!sum.changed && sum.interval.low < 0.0, "{sum:?}");
    assert_eq!(bonus.changes.len(), 1);
}

#[test]
fn what_cannot_be_seen_yet_says_how_many_games_it_would_take() {
    let found = compared(&["other"], &[], 200, 3, false);
    let row = of_first(&found);
    assert!(!row.changed, "{row:?}");
    // Two tosses differ by 0.7 in the mean; sure among four measures: (3.34 * 0.7 / 0.03)^2 = 6070.
    assert_eq!(found.changes.len(), 4);
    let more: String = row.verdict.chars().filter(char::is_ascii_digit).collect();
    let start = "no detectable change; about ";
    assert!(
        row.verdict.starts_with(start) && row.verdict.ends_with("to see 3 points"),
        "{row:?}"
    );
    let more: f64 = more.trim_end_matches('3').parse().expect("a number");
    assert!((5200.0..6600.0).contains(&more), "{}", row.verdict);
    // Notes are each told, however alike they are.
    let page = found.report(["without", "with"], Unchanged::Counted).text();
    assert!(
        page.contains("significant among 4 measures") && page.contains("of 200 games go otherwise with it"),
        "{page}"
    );
    assert_eq!(page.matches("red is first in every game").count(), 1, "{page}");
}

#[test]
fn a_sequential_test_ends_early_where_the_effect_is_large() {
    let found = compared(&["other"], &[("bias", 18)], 5000, 2, true);
    assert!(found.decided_early && found.seeds < 500, "{}", found.seeds);
    let row = of_first(&found);
    assert!(row.changed && row.interval.holds(0.4), "{row:?}");
}

/// Nothing ends early that is not told as sure then, or as too small to matter; what is still needed is told by the test
/// that is used.
#[test]
fn what_ends_early_is_decided_among_all_measures() {
    for seed in 1..=6 {
        let found = compared(&["other"], &[("bias", 13)], 4000, seed, true);
        let row = of_first(&found);
        assert!(found.decided_early && row.changed, "{row:?}");
    }
    let (once, looks) = [false, true]
        .map(|early| compared(&["other"], &[], 200, 3, early))
        .map(|found| of_first(&found).clone())
        .into();
    let more = |row: &Change| -> f64 {
        let digits: String = row.verdict.chars().filter(char::is_ascii_digit).collect();
        digits.trim_end_matches('3').parse().expect("a number")
    };
    assert!(more(&looks) > 1.4 * more(&once), "{once:?} {looks:?}");
}

#[test]
fn commands_tell_what_they_found_and_refuse_what_cannot_be() {
    let copy = ford();
    let base = ["--games", "40"];
    let compare = copy.run(
        &[
            &[
                "compare",
                "ford",
                "--set",
                "points_to_win=1",
                "--agents",
                "random,first",
            ],
            &base[..],
        ]
        .concat(),
    );
    fine(&compare);
    assert!(
        compare.out.contains("rounds") && compare.out.contains("first agents"),
        "{}",
        compare.out
    );
    let sweep = copy.run(&[&["sweep", "ford", "points_to_win=1..3"], &base[..]].concat());
    fine(&sweep);
    assert!(sweep.out.contains("rounds by points_to_win"), "{}", sweep.out);
    let refused = |args: &[&str], why: &str| {
        let ran = copy.run(args);
        assert!(ran.status == 2 && ran.flat().contains(why), "{}", ran.page());
    };
    refused(
        &["compare", "ford", "--variant", "nothing"],
        "there is no variant `nothing`",
    );
    assert_eq!(
        copy.problems(&["compare", "ford", "--set", "points_to_win=1", "--measure", "luck"]),
        ["unknown-name(measure, luck)"]
    );
    refused(&["sweep", "ford", "points_to_win=0..3"], "points_to_win");
    for (line, problem) in [
        ("compare ford", "nothing-to-compare"),
        (
            "compare ford --set points_to_win=1 --agents random,random",
            "repeated(random)",
        ),
        ("report ford --agents random=2,random=3", "repeated(random)"),
        ("sweep ford points=0..3", "unknown-name(dial, points)"),
        ("sweep ford points_to_win=3..1", "wrong-value-count(3..1, 0, 100)"),
        (
            "sweep ford points_to_win=1..4/2",
            "missed-end(1..4/2, 4, 2, 3, 5)",
        ),
        (
            "sweep ford points_to_win=1,2,1",
            "repeated-value(points_to_win, 1)",
        ),
        (
            "sweep ford points_to_win=1..3 --set points_to_win=2",
            "swept-dial(points_to_win, 2)",
        ),
        (
            "matchups ford --types slinger",
            "unknown-name(unit type, slinger)",
        ),
        ("matchups ford", "no-types-in-setup(ford)"),
        (
            "matchups ford --types slingers,shieldmen --circle",
            "too-few-types(2, 3)",
        ),
    ] {
        let args: Vec<&str> = line.split(' ').chain(["--json"]).collect();
        assert_eq!(copy.run(&args).problems(), [problem]);
    }
    for (option, value, id) in [
        ("--army", "slingers*3", "conflict"),
        ("--band", "70..20", "wrong-value"),
    ] {
        let problems = copy
            .run(&["matchups", "ford", option, value, "--json"])
            .problems();
        assert!(problems[0].starts_with(id), "{problems:?}");
    }
    let copy = Copy::of_all();
    // That no pair differs does not say by how much another might.
    let charge = ["sweep", "smalltricks", "mounted.charge=1..2"];
    let sweep = copy.run(&[&charge[..], &["--games", "10", "--measure", "rounds"]].concat());
    fine(&sweep);
    assert!(
        sweep
            .out
            .contains("no detectable change; it was the same in every pair of games"),
        "{}",
        sweep.out
    );
    let args = [
        "matchups",
        "smalltricks",
        "--types",
        "spears,muskets,mounted",
        "--games",
        "20",
    ];
    let matrix = copy.run(&args);
    fine(&matrix);
    assert!(
        matrix.out.contains("cyclic share") && matrix.out.contains("mirror"),
        "{}",
        matrix.out
    );
}

#[test]
fn of_two_types_that_both_sides_have_each_gets_its_own_sides_points() {
    // Both sides field both types, whatever they choose; red always wins, so that every type wins half.
    let unit = |symbol: &str| format!("fn stats() {{ #{{ symbol: \"{symbol}\" }} }}\n");
    let workspace = crate::support::Small::new(
        r#"
        fn board() { #{ factions: ["red", "blue"], hexes: [2, 2] } }
        fn phases() { [
            #{ phase: "game", contest: "game", phases: [
                #{ phase: "muster", setup: true, each: "faction", step: "muster" },
                #{ phase: "fight", each: "game", step: "fight" },
            ] },
        ] }
        fn muster(side) {
            enlist(side, choose(side, "unit", unit_types()));
            for kind in unit_types() { enlist(side, kind); }
        }
        fn fight() { win(first(), "always"); }
        "#,
    )
    .with("units/aa", &unit("Aa"))
    .with("units/bb", &unit("Bb"))
    .workspace();
    let wanted = ArmOptions {
        games: 20,
        ..ArmOptions::default()
    };
    let file = ScenarioFile::new("tiny");
    let setting =
        Arm::new(&workspace, &file, &Overrides::default(), &wanted).unwrap_or_else(|p| panic!("{p}"));
    let types = ["aa", "bb"].map(str::to_owned);
    let found =
        matchups(&workspace, &setting, &types, (0.35, 0.65), Some(1)).unwrap_or_else(|p| panic!("{p}"));
    assert_eq!(found.cells[0].share, Some(0.5), "{:?}", found.cells);
    assert!(!found.cells[0].outside, "{:?}", found.cells);
    // What was not played is not known.
    assert_eq!(found.circle(&types[..1]).1, None);
    let copy = ford();
    for (args, what) in [
        (&["--agents", "red=greedy"][..], "`--agents red=greedy`"),
        (&["--no-swap"], "`--no-swap`"),
    ] {
        let problems = copy
            .run(&[&["matchups", "ford", "--json"], args].concat())
            .problems();
        assert!(
            problems[0].starts_with(&format!("conflict({what}, `matchups`")),
            "{problems:?}"
        );
    }
}

/// The health card of the game of a toss.
fn card(game: &crate::support::Small, games: u64) -> health::HealthCard {
    let workspace = game.workspace();
    let wanted = ArmOptions {
        games,
        ..ArmOptions::default()
    };
    let setting = Arm::new(
        &workspace,
        &ScenarioFile::new("tiny"),
        &Overrides::default(),
        &wanted,
    );
    let setting = setting.unwrap_or_else(|p| panic!("{p}"));
    let duel = health::duel(&setting, "first", "random", games);
    health::health(&workspace, &setting, Some(duel), Some(1)).unwrap_or_else(|p| panic!("{p}"))
}

#[test]
fn a_health_card_says_what_is_known_of_small_games() {
    let toss = card(&toss(), 400);
    let value = |card: &health::HealthCard, name: &str| {
        card.metric(name).unwrap_or_else(|| panic!("no {name}")).value
    };
    let mover = toss.metric("first-mover advantage").expect("it is told");
    assert!(mover.interval.is_some_and(|i| i.holds(0.5)), "{mover:?}");
    assert_eq!(
        (
            value(&toss, "decisiveness"),
            value(&toss, "draws"),
            value(&toss, "decisions")
        ),
        (1.0, 0.0, 0.0)
    );
    // Nobody decides anything, so skill never helps.
    assert!(
        value(&toss, "luck share") > 0.85,
        "{:?}",
        toss.metric("luck share")
    );
    assert!(toss.dead.is_empty(), "{:?}", toss.dead);
    // It has no rounds, so nobody looks who leads.
    assert!(toss.metric("lead changes").is_none() && toss.metric("drama").is_none());
    // A game of three rounds in which the first faction leads, is behind, and wins; with a rule and a type that
    // nobody uses, and one question with two options each round.
    let rounds = crate::support::Small::new(
        r#"
        fn board() { #{ factions: ["red", "blue"], hexes: [2, 2] } }
        fn slots() { #{ faction: #{ score: 0 } } }
        fn phases() { [
            #{ phase: "game", contest: "game", phases: [
                #{ phase: "round", repeat: true, phases: [
                    #{ phase: "turn", each: "game", step: "play" }, #{ phase: "rest", each: "game", step: "rest" },
                ] },
            ] },
        ] }
        // A step that does nothing is passed over: that nobody calls it is no fault.
        fn rest() { }
        fn play() {
            choose(first(), "nod", ["yes", "no"]);
            let one = first();
            let other = second();
            switch count("round") {
                1 => { one.score = 1; },
                2 => { other.score = 3; },
                _ => { win(one, "three rounds"); },
            }
        }
        fn bow(me) {}
        // What it is worth is not what it is worth to the other, turned round.
        fn worth(side) { side.score - side.foe.score - 10 }
        "#,
    )
    .with(
        "units/ghosts",
        "fn stats() { #{ symbol: \"Gh\" } }\nfn bow(me) { base(me); }\n",
    );
    let card = card(&rounds, 20);
    assert_eq!(value(&card, "first-mover advantage"), 1.0);
    assert_eq!(
        card.metric("first-mover advantage").expect("it is told").mark(),
        "high"
    );
    // As rounds begin it stands 0, +1, -2.
    assert_eq!((value(&card, "length"), value(&card, "lead changes")), (3.0, 1.0));
    assert!((value(&card, "drama") - 1.0 / 3.0).abs() < 1e-9 && value(&card, "comebacks") == 0.0);
    assert_eq!((value(&card, "decisions"), value(&card, "branching")), (3.0, 2.0));
    assert!(
        card.dead.iter().any(|d| d == "unit type ghosts: never fielded"),
        "{:?}",
        card.dead
    );
    assert!(
        card.dead
            .iter()
            .any(|d| d.starts_with("rule bow (scripts/tiny/game.rhai:")),
        "{:?}",
        card.dead
    );
    assert!(!card.dead.iter().any(|d| d.contains("rest")), "{:?}", card.dead);
    assert!(
        card.notes.iter().any(|n| n.contains("only")),
        "games are alike: {:?}",
        card.notes
    );
}

#[test]
fn a_health_card_tells_nothing_by_a_worth_that_no_game_gives() {
    let copy = ford();
    let line = &["health", "ford", "--games", "12", "--duels", "4"][..];
    let told = ["lead changes", "drama", "comebacks", "luck share"];
    let ran = copy.run(line);
    fine(&ran);
    assert!(told.iter().all(|name| ran.out.contains(name)), "{}", ran.out);
    assert!(!ran.out.contains("no hook `worth`"), "{}", ran.out);
    copy.replace("scripts/ford/agents.rhai", "fn worth(side)", "fn standings(side)");
    let ran = copy.run(line);
    fine(&ran);
    let note = format!("so these are not measured: {};", told.join(", "));
    assert!(
        ran.flat().contains("note: the game has no hook `worth`"),
        "{}",
        ran.out
    );
    assert!(ran.flat().contains(&note), "{}", ran.out);
    for name in told {
        assert!(
            !ran.out.lines().any(|l| l.starts_with(name)),
            "{name}: {}",
            ran.out
        );
    }
}

#[test]
fn a_health_card_of_one_side_or_three_asks_for_what_is_fair_among_so_many() {
    let game = |factions: &str, sides: u32| {
        crate::support::Small::new(&format!(
            r#"
            fn board() {{ #{{ factions: [{factions}], hexes: [2, 2] }} }}
            fn phases() {{ [
                #{{ phase: "game", contest: "game", phases: [
                    #{{ phase: "round", repeat: true, phases: [#{{ phase: "turn", each: "game", step: "play" }}] }},
                ] }},
            ] }}
            fn play() {{
                if count("round") < 3 {{ return; }}
                let nth = 0;
                let lucky = 1 + roll(first(), "die", 1, 6 * {sides}).total % {sides};
                for side in factions() {{
                    nth += 1;
                    if nth == lucky {{ win(side, "the die"); }}
                }}
            }}
            fn worth(side) {{ 0 }}
            "#
        ))
    };
    let three = card(&game(r#""red", "blue", "green""#, 3), 600);
    let mover = three.metric("first-mover advantage").expect("it is told");
    // Three standard deviations of 600 tosses with three sides.
    let far = 3.0 * (2.0 / 9.0 / 600.0f64).sqrt();
    assert!(
        (mover.value - 1.0 / 3.0).abs() < far && mover.wanted.is_some_and(|w| w.1 < 0.4),
        "{mover:?}"
    );
    assert_ne!(mover.mark(), "low");
    let luck = three.metric("luck share").expect("it is told");
    assert!(luck.value > 0.85, "nobody decides anything: {luck:?}");
    assert!(three.metric("lead changes").is_some());
    let alone = card(&game(r#""red""#, 1), 20);
    let mover = alone.metric("first-mover advantage").expect("it is told");
    assert_eq!((mover.value, mover.mark()), (1.0, ""));
    for name in ["lead changes", "drama", "comebacks", "luck share"] {
        assert!(alone.metric(name).is_none(), "{name}");
    }
    assert!(
        !alone.notes.iter().any(|n| n.contains("is first in every game")),
        "{:?}",
        alone.notes
    );
}

#[test]
fn games_worth_a_look_are_transcripts() {
    let copy = ford();
    fine(&copy.run(&[
        "health",
        "ford",
        "--games",
        "30",
        "--duels",
        "4",
        "--games-out",
        "looks",
    ]));
    for name in ["shortest", "longest", "most-typical"] {
        fine(&copy.run(&["run", &format!("looks/{name}.txt")]));
    }
}

#[test]
fn targets_are_met_missed_or_cannot_be_told_yet() {
    let copy = ford();
    let study =
        |targets: &str, games: u64| format!("game = \"ford\"\ngames = {games}\ntargets = [{targets}]\n");
    copy.write(
        "studies/ford/a.toml",
        study("\"rounds at least 1\", \"draws at most 100 %\"", 20),
    );
    let met = copy.run(&["test", "--studies"]);
    fine(&met);
    assert!(met.out.contains("rounds at least 1: met"), "{}", met.out);
    copy.write(
        "studies/ford/b.toml",
        study("\"rounds at least 50\", \"first faction wins 40 % to 60 %\"", 20),
    );
    let open = copy.run(&["test", "--studies"]);
    assert_eq!(open.status, 1, "{}", open.page());
    assert!(open.out.contains("rounds at least 50: missed"), "{}", open.out);
    let untold = open
        .out
        .lines()
        .find(|l| l.contains("first faction wins 40 % to 60 %"));
    assert!(
        untold.is_some_and(|l| l.contains("cannot tell yet") && l.contains("more games could say")),
        "{}",
        open.out
    );
    // What did not happen in few games may happen yet.
    copy.write("studies/ford/b.toml", study("\"cut off at most 0.1 %\"", 4));
    let few = copy.run(&["test", "--studies"]);
    assert!(
        few.status == 1
            && few
                .out
                .contains("cut off at most 0.1 %: cannot tell yet (0.0 % to "),
        "{}",
        few.page()
    );
    for (target, why) in [
        (
            "first faction wins at most 0.54",
            "the target of `first faction wins` has the wrong unit",
        ),
        ("rounds at most 8 %", "the target of `rounds` has the wrong unit"),
    ] {
        copy.write("studies/ford/b.toml", study(&format!("\"{target}\""), 20));
        let ran = copy.run(&["test", "--studies"]);
        assert!(ran.status == 2 && ran.flat().contains(why), "{}", ran.page());
    }
    copy.write("studies/ford/b.toml", study("\"luck at least 50 %\"", 20));
    let unknown = copy.run(&["test", "--studies"]);
    assert!(
        unknown.status == 2 && unknown.flat().contains("there is no measure `luck`"),
        "{}",
        unknown.page()
    );
    copy.write("studies/ford/b.toml", study("\"rounds about 7\"", 20));
    let odd = copy.run(&["test", "--studies"]);
    assert!(
        odd.status == 2 && odd.flat().contains("is not a target"),
        "{}",
        odd.page()
    );
}

#[test]
fn a_faulty_study_is_told_at_its_place_and_keeps_no_other_from_being_played() {
    let copy = ford();
    let whole = "game = \"ford\"\ngames = 4\n";
    copy.write(
        "studies/ford/good.toml",
        format!("{whole}targets = [\"rounds at least 1\"]\n"),
    );
    let faulty = [
        ("game", "game = \"fjord\"\ntargets = []\n".to_owned(), 1, "fjord"),
        (
            "games",
            "game = \"ford\"\ngames = 0\ntargets = []\n".to_owned(),
            2,
            "the number of games is 0",
        ),
        (
            "variant",
            format!("{whole}variants = [\"no-mud\"]\ntargets = []\n"),
            3,
            "no-mud",
        ),
        (
            "dial",
            format!("{whole}targets = []\n[dials]\nmax_round = 3\n"),
            5,
            "max_round",
        ),
        (
            "value",
            format!("{whole}targets = []\n[dials]\nmax_rounds = 100000\n"),
            5,
            "100000",
        ),
        (
            "agent",
            format!("{whole}agents = [\"gredy\"]\ntargets = []\n"),
            3,
            "gredy",
        ),
        (
            "side",
            format!("{whole}agents = [\"green=greedy\"]\ntargets = []\n"),
            3,
            "there is no faction `green`",
        ),
        (
            "target",
            format!("{whole}targets = [\"rounds 10 to 6\"]\n"),
            3,
            "`rounds 10 to 6` is not a target",
        ),
    ];
    for (name, text, _, _) in &faulty {
        copy.write(&format!("studies/ford/{name}.toml"), text);
    }
    let (checked, played) = (copy.run(&["check"]), copy.run(&["test", "--studies"]));
    for ran in [&checked, &played] {
        assert_eq!(ran.status, 2, "{}", ran.page());
        for (name, _, line, why) in &faulty {
            let place = format!("studies/ford/{name}.toml:{line}:");
            assert!(
                ran.out.contains(&place) && ran.flat().contains(why),
                "{place} {why}: {}",
                ran.page()
            );
        }
    }
    assert!(played.out.contains("rounds at least 1: met"), "{}", played.page());
    let found: serde_json::Value =
        serde_json::from_str(&copy.run(&["test", "--studies", "--json"]).out).expect("JSON");
    let game = found["studies"]
        .as_array()
        .expect("studies")
        .iter()
        .find(|s| s["study"] == "studies/ford/game.toml");
    assert_eq!(
        game.expect("it is told")["problems"][0]["file"],
        "studies/ford/game.toml"
    );
    // One alone.
    let one = copy.run(&["test", "--studies", "good"]);
    fine(&one);
    assert!(!one.out.contains("agent.toml"), "{}", one.page());
    let none = copy.run(&["test", "--studies", "goood"]);
    assert!(
        none.status == 2
            && none.flat().contains("there is no study `goood`")
            && none.flat().contains("`good`"),
        "{}",
        none.page()
    );
}

#[test]
fn what_a_study_names_is_looked_for_before_it_is_played() {
    let copy = ford();
    let whole = "game = \"ford\"\ngames = 4\n";
    let faulty = [
        (
            "army",
            format!("{whole}armies = [\"slinger*3\"]\n"),
            3,
            "there is no unit type `slinger`",
        ),
        (
            "scenario",
            format!("{whole}scenario = \"two-warband\"\n"),
            3,
            "there is no scenario `two-warband`",
        ),
        (
            "tune",
            format!("{whole}tune = [\"points_to_win=1..90\"]\n"),
            3,
            "points_to_win",
        ),
        ("without", format!("{whole}without = [\"mud\"]\n"), 3, "mud"),
        (
            "arm",
            format!("{whole}[arms.long]\ndials = {{ max_round = 9 }}\n"),
            4,
            "there is no dial `max_round`",
        ),
        (
            "arm-target",
            format!("{whole}[arms.long]\nvariants = []\ntargets = [\"few draws\"]\n"),
            5,
            "`few draws` is not a target",
        ),
        ("arm-key", format!("{whole}[arms.long]\ngames = 9\n"), 4, "games"),
        (
            "arm-name",
            format!("{whole}[arms.\"as it is\"]\n"),
            3,
            "an arm is named `as it is`",
        ),
    ];
    for (name, text, line, why) in &faulty {
        let path = format!("studies/ford/{name}.toml");
        copy.write(&path, text);
        for args in [&["check"][..], &["test", "--studies", name], &["report", name]] {
            let ran = copy.run(args);
            assert!(
                ran.status == 2
                    && ran.page().contains(&format!("{path}:{line}:"))
                    && ran.flat().contains(why),
                "{why}: {}",
                ran.page()
            );
        }
        std::fs::remove_file(copy.path(&path)).expect("it is there");
    }
}

/// A study with a question, two arms besides the first one, measures and targets.
const LONGER: &str = "game = \"ford\"\nabout = \"Does a longer game change who wins?\"\ngames = 40\nseed = 3\n\
    dials = { max_rounds = 6 }\nmeasures = [\"decisions\"]\ntargets = [\"rounds at most 6\"]\n\
    [arms.longer]\ndials = { max_rounds = 20 }\ntargets = [\"rounds at least 1\"]\n\
    [arms.better]\nagents = [\"greedy\"]\n";

#[test]
fn a_study_of_several_arms_is_one_report() {
    let copy = ford();
    copy.write("studies/ford/longer.toml", LONGER);
    let ran = copy.run(&["report", "longer", "--out", "longer"]);
    fine(&ran);
    for text in [
        "Does a longer game change who wins?",
        "40 games of ford with max_rounds=6, random agents, seed 3 in each arm",
        "  longer: ford with max_rounds=20, random agents",
        "  better: ford with max_rounds=6, greedy agents",
        "  rounds at most 6: met (",
        "  longer: rounds at least 1: met (",
        "as it is  ",
        "change from as it is",
        "wrote longer.md, longer.html",
    ] {
        assert!(ran.out.contains(text), "{text}: {}", ran.out);
    }
    assert!(bytes(&copy, "longer.md").starts_with("# longer\n"), "{}", ran.out);
    let found: serde_json::Value =
        serde_json::from_str(&copy.run(&["report", "longer", "--json"]).out).expect("JSON");
    let level = |arm: &str, measure: &str| {
        let levels = found["levels"].as_array().expect("levels").iter();
        let mut own = levels.filter(|l| l["value"] == arm && l["measure"] == measure);
        own.next().expect("it is measured")["level"]
            .as_f64()
            .expect("a number")
    };
    // The negative control: the arm that may go on for longer does, the other agents play another game.
    assert!(level("longer", "rounds") > level("as it is", "rounds"), "{found}");
    assert!(
        level("better", "decisions") != level("as it is", "decisions"),
        "{found}"
    );
    assert_eq!(found["targets"][1]["arm"], "longer");
    // `test --studies` says the same of the same games.
    let tested = copy.run(&["test", "--studies"]);
    fine(&tested);
    let targets = |text: &str| {
        let lines = text.lines().filter(|l| l.contains(": met ("));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(targets(&tested.out), targets(&ran.out));
}

#[test]
fn a_study_may_begin_with_a_scenario_and_have_no_targets() {
    let copy = ford();
    copy.write(
        "studies/ford/meet.toml",
        "game = \"ford\"\ngames = 6\nscenario = \"two-warbands-meet\"\n",
    );
    let ran = copy.run(&["report", "meet"]);
    fine(&ran);
    assert!(
        ran.out.contains("6 games of ford from two-warbands-meet"),
        "{}",
        ran.out
    );
    let tested = copy.run(&["test", "--studies"]);
    fine(&tested);
    assert!(
        tested.out.contains("no targets; `rulebench report meet`"),
        "{}",
        tested.out
    );
    for (args, problem) in [
        (&["report", "met"][..], "unknown-name(game or study, met)"),
        (
            &["report", "meet", "--seed", "3"],
            "conflict(`--seed`, a study, write it in studies/ford/meet.toml)",
        ),
    ] {
        assert_eq!(copy.problems(args), [problem]);
    }
}

#[test]
fn a_measure_that_a_study_misspells_is_told_at_its_place() {
    let copy = ford();
    copy.write(
        "studies/ford/odd.toml",
        "game = \"ford\"\ngames = 60\nmeasures = [\"rouns\"]\n",
    );
    let ran = copy.run(&["report", "odd"]);
    assert!(
        ran.status == 2 && ran.err.contains("studies/ford/odd.toml:3:13") && ran.flat().contains("`rounds`"),
        "{}",
        ran.page()
    );
}

#[test]
fn agents_and_threads_are_said_alike_everywhere() {
    let copy = ford();
    for args in [
        &["sim", "ford", "--games", "4", "--agents", "first"][..],
        &[
            "compare",
            "ford",
            "--set",
            "max_rounds=4",
            "--games",
            "4",
            "--agent",
            "first",
        ],
        &[
            "ladder",
            "ford",
            "--games",
            "2",
            "--agent",
            "random,first",
            "--threads",
            "1",
        ],
    ] {
        fine(&copy.run(args));
    }
    let ladder = |threads: &str| {
        let ran = copy.run(&[
            "ladder",
            "ford",
            "--games",
            "4",
            "--agents",
            "random,first",
            "--threads",
            threads,
        ]);
        fine(&ran);
        ran.out
    };
    assert_eq!(ladder("1"), ladder("2"));
    let scenario = std::fs::read_dir(copy.path("scenarios/ford"))
        .expect("scenarios")
        .flatten()
        .next();
    let scenario = scenario.expect("one").path().display().to_string();
    let odds = |more: &[&str]| copy.run(&[&["odds", &scenario, "--sample", "8"], more].concat());
    fine(&odds(&[]));
    assert_eq!(odds(&["--threads", "1"]).out, odds(&[]).out);
    let help = copy.run(&["variants", "new", "--help"]).out;
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("--game <GAME> The game"), "{help}");
}

#[test]
fn a_report_takes_every_open_note_with_its_script_and_what_it_changes() {
    let copy = Copy::of_rules();
    let ran = copy.run(&["report", "smalltricks", "--agents", "random=24", "--out", "notes"]);
    fine(&ran);
    assert_eq!(ran.out, "wrote notes.md\nwrote notes.html\n");
    let (page, text) = (bytes(&copy, "notes.html"), bytes(&copy, "notes.md"));
    // The five conclusions are below the title.
    let rows: Vec<&str> = text.lines().skip(4).take(6).collect();
    let cells = |row: &str| row.split(" | ").map(str::to_owned).collect::<Vec<_>>();
    let heads: Vec<String> = rows.iter().map(|row| cells(row).swap_remove(0)).collect();
    let wanted = [
        "| surely change the game or a win share",
        "| changes the first faction's wins most",
        "| cannot tell yet: nothing is sure",
        "| change the outcome of no scenario",
        "| notes that no tweak plays",
        "",
    ];
    assert_eq!(heads, wanted, "{text}");
    // Each tweak is in the first or in the third, as the table below says.
    let overview = text.lines().filter(|line| line.starts_with("| ST-"));
    let unsure = overview.filter(|line| line.ends_with("agents: nothing sure |"));
    let unsure: Vec<String> = unsure.map(|line| cells(line).swap_remove(1)).collect();
    assert!(unsure.len() > 2, "{text}");
    let is_in = |row: usize, name: &String| rows[row].contains(name.as_str());
    assert!(
        unsure
            .iter()
            .take(8)
            .all(|name| is_in(2, name) && !is_in(0, name)),
        "{text}"
    );
    let book = bytes(&copy, "scripts/smalltricks/rulebook.toml");
    let notes = book.split("[[clause]]").filter(|c| c.contains("kind = \"todo\""));
    let ids: Vec<&str> = notes.filter_map(|c| c.split('"').nth(1)).collect();
    assert!(ids.len() >= 7, "{ids:?}");
    for id in &ids {
        assert!(
            text.contains(&format!("## {id}\n")) && page.contains(&format!("<h2>{id}</h2>")),
            "{id}"
        );
    }
    assert!(
        text.contains("fn muskets.may_target(me, foe)")
            && page.contains("<polygon")
            && page.ends_with("</html>\n")
    );
    assert!(
        !page.contains("http://") || !page.contains("src=\"http"),
        "it needs nothing else"
    );
    assert!(
        page.contains("<code>") && page.contains("name=\"viewport\""),
        "it can be read on a phone"
    );
}

#[test]
fn games_that_nobody_plays_tell_nothing() {
    let copy = ford();
    // Nobody lines up.
    copy.replace(
        "scripts/ford/game.rhai",
        "[\"shieldmen\", \"shieldmen\", \"slingers\"]",
        "[]",
    );
    for args in [
        &["sim", "ford", "--games", "4"][..],
        &["compare", "ford", "--variant", "steady-slings", "--games", "4"],
        &["health", "ford", "--games", "4"],
        &["ladder", "ford", "--agents", "random,greedy", "--games", "2"],
        &["profile", "ford"],
    ] {
        let ran = copy.run(args);
        assert_eq!(ran.status, 2, "{args:?}: {}", ran.page());
        let told = ran.flat();
        assert!(
            told.contains("nobody has units") && told.contains("name a scenario"),
            "{told}"
        );
    }
    fine(&copy.run(&["sim", "two-warbands-meet", "--games", "4"]));
    let ran = copy.run(&["profile", "two-warbands-meet", "--games", "2"]);
    fine(&ran);
    let told = ran.flat();
    assert!(
        told.contains("2 random games of ford from two-warbands-meet, "),
        "{told}"
    );
}

/// Two sides of five, each a dragon as often as the dial says and else a man; a toss decides.
const SELDOM: &str = r#"
fn board() { #{ factions: ["red", "blue"], hexes: [2, 1], stack: 9 } }
fn dials() { #{ seldom: number(2, 1, 1000) } }
fn slots() { #{ unit: #{ life: #{ start: 9, hit: true } } } }
fn phases() {
    [#{ phase: "game", contest: "game", phases: [
        #{ phase: "line-up", setup: true, each: "faction", step: "line_up" },
        #{ phase: "fight", each: "faction", step: "fight" },
    ] }]
}
fn line_up(side) {
    for n in 1..=5 {
        let is_dragon = roll(side, `kind ${n}`, 1, seldom).total == 1;
        enlist(side, unit_type(if is_dragon { "dragons" } else { "men" }));
        put(side.units.last, if side == first() { place("a1") } else { place("b1") });
    }
}
fn fight(side) {
    for unit in side.foe.units { hit(unit, roll(unit, "blow", 1, 6).total, "blow"); }
    if side == second() { win(if roll(side, "toss", 1, 2).total == 1 { side } else { side.foe }, "toss"); }
}
"#;

#[test]
fn of_a_type_that_few_games_have_nothing_is_sure() {
    let copy = Copy::of_nothing();
    copy.write("scripts/toss/game.rhai", SELDOM)
        .write("scripts/toss/variants/never.rhai", "// No dragon comes.\n\nfn line_up(side) { for n in 1..=5 { enlist(side, unit_type(\"men\")); } }\n")
        .write("units/toss/dragons.rhai", "fn stats() { #{ symbol: \"D\" } }\n")
        .write("units/toss/men.rhai", "fn stats() { #{ symbol: \"M\" } }\n");
    let never = copy.run(&["compare", "toss", "--variant", "never", "--games", "40"]);
    assert!(
        never.out.contains("dragons: never fielded with it"),
        "{}",
        never.page()
    );
    // One army in hundreds has a dragon: whatever it did, it is no news of the dial.
    let rare = ["compare", "toss", "--set", "seldom=800", "--games", "60", "--all"];
    let rare = copy.run(&rare);
    assert!(!rare.out.contains("dragons: damage"), "{}", rare.page());
    assert!(
        rare.out.contains("dragons: never fielded with it")
            || rare.out.contains("dragons: fielded in too few games"),
        "{}",
        rare.page()
    );
    let swept = copy.run(&[
        "sweep",
        "toss",
        "seldom=2,800",
        "--games",
        "60",
        "--measure",
        "dragons: damage taken",
    ]);
    let told = "dragons: fielded in too few games to say anything of it at seldom=800";
    assert!(swept.out.contains(told), "{}", swept.page());
}

/// Everything that limits the numbers of `sim` is in one block at its end.
#[test]
fn sim_notes_at_its_end_what_limits_its_numbers() {
    let copy = ford();
    let notes = |more: &[&str]| {
        let (page, json) = (sim(&copy, more), sim(&copy, &[more, &["--json"]].concat()));
        fine(&page);
        let report: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
        let all = report["notes"].as_array().cloned().unwrap_or_default();
        let notes: Vec<String> = all
            .iter()
            .filter_map(|note| Some(format!("note: {}", note.as_str()?)))
            .collect();
        let lines: Vec<&str> = page.out.lines().collect();
        assert_eq!(lines[lines.len() - notes.len()..], notes, "{}", page.out);
        assert_eq!(page.out.matches("note: ").count(), notes.len(), "{}", page.out);
        notes
    };
    let has = |notes: &[String], words: &str| notes.iter().any(|note| note.contains(words));
    let random = notes(&["--cut-off", "9"]);
    assert!(
        has(&random, "random agents choose without looking ahead"),
        "{random:?}"
    );
    assert!(has(&random, "60 of 60 games were cut off"), "{random:?}");
    let few = notes(&[]);
    assert!(
        has(&few, "60 games give the wins of the first faction to within "),
        "{few:?}"
    );
    assert!(!has(&few, "cut off"), "{few:?}");
    let greedy = notes(&["--agent", "greedy:1"]);
    assert!(!has(&greedy, "looking ahead"), "{greedy:?}");
}

/// The measures of a sweep are those of the unit type whose dial it is.
#[test]
fn a_sweep_of_a_units_dial_is_about_that_unit() {
    let copy = Copy::of_all();
    let measures = |dial: &str| {
        let ran = copy.run(&["sweep", "smalltricks", dial, "--games", "20", "--json"]);
        let report: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        let levels = report["levels"].as_array().cloned().unwrap_or_default();
        let names = levels.iter().filter_map(|level| level["measure"].as_str());
        let mut names: Vec<String> = names.map(str::to_owned).collect();
        names.truncate(levels.len() / 2);
        names
    };
    let charge = measures("mounted.charge=1,2");
    let (unit, game): (Vec<&str>, Vec<&str>) = charge
        .iter()
        .map(String::as_str)
        .partition(|name| name.starts_with("mounted: "));
    assert_eq!(unit.first(), Some(&"mounted: win share"));
    assert!(unit.contains(&"mounted: uses of charge"), "{charge:?}");
    assert!(
        unit[1..].iter().all(|name| name.contains(": uses of ")),
        "{charge:?}"
    );
    assert_eq!(game, ["draws", "rounds"]);
    assert_eq!(
        measures("max_rounds=9,10"),
        ["first faction wins", "draws", "rounds"]
    );
}

/// A draft in three phases, each of which asks either side once.
const DRAFT: &str = r#"
fn board() { #{ factions: ["red", "blue"], hexes: [6, 1] } }
fn phases() { [
    #{ phase: "first pick", setup: true, each: "faction", step: "pick" },
    #{ phase: "second pick", setup: true, each: "faction", step: "pick" },
    #{ phase: "third pick", setup: true, each: "faction", step: "pick" },
    #{ phase: "over", each: "game", step: "finish" },
] }
fn pick(side) { enlist(side, choose(side, "type", unit_types())); }
fn finish() { draw("it is over"); }
"#;

#[test]
fn armies_are_drawn_anew_in_each_step_that_asks() {
    let copy = Copy::of_nothing();
    copy.write("scripts/draft/game.rhai", DRAFT);
    for (name, symbol) in [("archers", "A"), ("beasts", "B"), ("crows", "C")] {
        let stats = format!("fn stats() {{ #{{ symbol: \"{symbol}\" }} }}\n");
        copy.write(&format!("units/draft/{name}.rhai"), stats);
    }
    fine(&copy.run(&["sim", "draft", "--games", "40", "--out", "games.jsonl"]));
    let games = bytes(&copy, "games.jsonl");
    let fielded = games.lines().filter_map(|line| {
        let game: serde_json::Value = serde_json::from_str(line).ok()?;
        let units = game["units"].as_array()?.clone();
        Some(
            units
                .iter()
                .filter(|row| row["fielded"].as_u64() > Some(0))
                .count(),
        )
    });
    let kinds: Vec<usize> = fielded.collect();
    // Of three draws one in nine is of one type alone.
    let alone = kinds.iter().filter(|kinds| **kinds == 1).count();
    assert!(
        kinds.len() == 40 && alone < 20,
        "{alone} of {}: {games}",
        kinds.len()
    );
}
