//! Many games that a page asks for, over plain HTTP and in a real browser: their numbers are those of the command line.

use crate::browser::Browser;
use crate::page::{Page, Table};
use crate::support::{Copy, root, run_in};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn measure(table: &Page, request: &Value) -> Value {
    table.post("measure", request).json()
}

/// Returns the lines of an answer as text, without empty ones: those of the report, which are indented below its heading.
fn lines(answer: &Value) -> Vec<String> {
    let text = answer["pieces"][0]["text"].as_str();
    let text = text.unwrap_or_else(|| panic!("{answer}"));
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| line.strip_prefix("    ").unwrap_or(line).to_owned())
        .collect()
}

/// Returns what the command line prints, without empty lines.
fn printed(args: &[&str]) -> Vec<String> {
    let ran = run_in(root(), args);
    assert_eq!(ran.status, 0, "{}", ran.page());
    let lines = ran.out.lines().filter(|line| !line.trim().is_empty());
    lines.map(str::to_owned).collect()
}

/// Returns the cells of the row of a table that begins with this text.
fn row(answer: &Value, name: &str) -> Vec<String> {
    let parts = answer["pieces"][0]["parts"][0]["parts"]
        .as_array()
        .expect("parts");
    let mut rows = parts
        .iter()
        .flat_map(|part| part["rows"].as_array().into_iter().flatten());
    let row = rows
        .find(|row| row[0] == name)
        .unwrap_or_else(|| panic!("{name}: {answer}"));
    let cells = row.as_array().expect("cells").iter();
    cells
        .map(|cell| cell.as_str().expect("text").to_owned())
        .collect()
}

#[test]
fn games_of_the_table_have_the_numbers_of_the_command_line() {
    let table = Table::serve(root(), &["smalltricks"]);
    let before = table.state();
    let answer = measure(&table, &json!({ "games": 200, "seed": 3 }));
    assert_eq!(
        lines(&answer),
        printed(&["sim", "smalltricks", "--games", "200", "--seed", "3"])
    );
    let first = row(&answer, "first faction wins");
    assert_eq!((first.len(), first[2].ends_with(" %")), (4, true), "{first:?}");
    // Nothing has happened on the table.
    assert_eq!(table.state(), before);
    // The rules as they are now, and who plays.
    for line in [":with fire-unmoved", ":set max_rounds=5", ":seed 7"] {
        table.line(line);
    }
    let agents = json!({ "red": "first" });
    let answer = measure(&table, &json!({ "games": 30, "agents": agents }));
    let args = ["sim", "smalltricks", "--games", "30", "--agent", "red=first"];
    let changes = ["--variant", "fire-unmoved", "--set", "max_rounds=5"];
    assert_eq!(lines(&answer), printed(&[&args[..], &changes].concat()));
    // A scenario begins with its position, however far play has come.
    let table = Table::serve(root(), &["charge-into-spears"]);
    table.line("1");
    let answer = measure(&table, &json!({ "games": 10 }));
    assert_eq!(
        lines(&answer),
        printed(&["sim", "charge-into-spears", "--games", "10"])
    );
}

#[test]
fn a_puzzle_is_played_without_its_solution() {
    let copy = Copy::of_all();
    let puzzle =
        std::fs::read_to_string(copy.path("scenarios/smalltricks/puzzle-the-open-gate.toml")).expect("text");
    let unsolved = |line: &&str| !line.starts_with("puzzle") && !line.starts_with("answers");
    let start: Vec<&str> = puzzle.lines().filter(unsolved).collect();
    copy.write("scenarios/smalltricks/open-gate.toml", start.join("\n"));
    let table = Table::serve(&copy.path(""), &["puzzle-the-open-gate"]);
    let of_puzzle = row(&measure(&table, &json!({ "games": 20 })), "decisions");
    let table = Table::serve(&copy.path(""), &["open-gate"]);
    assert_eq!(
        of_puzzle,
        row(&measure(&table, &json!({ "games": 20 })), "decisions")
    );
    // With the solution the games are others.
    let solved = run_in(&copy.path(""), &["sim", "puzzle-the-open-gate", "--games", "20"]).out;
    assert!(
        solved.contains("decisions") && !solved.contains(&of_puzzle[1]),
        "{solved}"
    );
}

#[test]
fn a_variant_is_compared_switched_on_or_off() {
    let table = Table::serve(root(), &["smalltricks"]);
    let request = json!({ "games": 60, "variant": "fire-unmoved" });
    let on = measure(&table, &request);
    let page = lines(&on);
    let command = printed(&[
        "compare",
        "smalltricks",
        "--games",
        "60",
        "--variant",
        "fire-unmoved",
    ]);
    let is_hint = |line: &&String| line.contains("(--all lists them)");
    assert_eq!(command.iter().filter(is_hint).count(), 1);
    for line in command.iter().filter(|line| !is_hint(line)) {
        assert!(page.contains(line), "{line}\n{page:#?}");
    }
    assert!(!page.iter().any(|line| line.contains("--")), "{page:#?}");
    // What has not changed can be unfolded.
    let parts = on["pieces"][0]["parts"][0]["parts"].as_array().expect("parts");
    let fold = parts.iter().find(|part| part["open"] == false).expect("a fold");
    let rows = fold["parts"][0]["rows"].as_array().expect("rows").len() - 1;
    assert!(
        fold["head"]
            .as_str()
            .is_some_and(|head| head.starts_with(&format!("{rows} more measures"))),
        "{fold}"
    );
    // Switched on already, it is switched off: the same games the other way round.
    table.line(":with fire-unmoved");
    let off = measure(&table, &request);
    assert!(
        lines(&off)[0].starts_with("as it is and without fire-unmoved: 60 games"),
        "{off}"
    );
    for name in ["rounds", "unit power left"] {
        let (on, off) = (row(&on, name), row(&off, name));
        assert_eq!((&on[1], &on[2]), (&off[2], &off[1]), "{name}");
    }
}

#[test]
fn what_was_patched_or_broken_is_played_as_it_is_in_force() {
    let copy = Copy::of_all();
    let table = Table::serve(&copy.path(""), &["smalltricks"]);
    let request = json!({ "games": 20 });
    let plain = measure(&table, &request);
    table.line(":patch spears fn melee(me) {}");
    let patched = measure(&table, &request);
    assert!(
        lines(&patched)[0].starts_with("20 games of smalltricks with scratch"),
        "{patched}"
    );
    assert_ne!(row(&patched, "spears"), row(&plain, "spears"));
    // Without the patch, or after the file has been broken, the games are as before.
    let without = measure(&table, &json!({ "games": 20, "variant": "scratch" }));
    assert!(
        lines(&without)[0].starts_with("as it is and without scratch: 20 games of smalltricks, random"),
        "{without}"
    );
    table.line(":drop");
    copy.replace("scripts/smalltricks/game.rhai", "fn board() {", "fn board( {");
    table.line(":reload");
    assert_eq!(lines(&measure(&table, &request)), lines(&plain));
}

#[test]
fn what_cannot_be_played_is_refused_with_the_reason() {
    let table = Table::serve(root(), &["smalltricks"]);
    for (request, wanted) in [
        (json!({ "games": 0 }), "the number of games is 0"),
        (json!({ "games": 1_000_001 }), "out of range"),
        (
            json!({ "games": 5, "agents": { "red": "gredy" } }),
            "did you mean `greedy`",
        ),
        (json!({ "games": 5, "agents": { "green": "greedy" } }), "faction"),
        (
            json!({ "games": 5, "variant": "fire-unmovd" }),
            "did you mean `fire-unmoved`",
        ),
    ] {
        let answer = measure(&table, &request);
        let piece = &answer["pieces"][0];
        assert!(
            piece["kind"] == "error" && piece["text"].as_str().is_some_and(|text| text.contains(wanted)),
            "{request}: {answer}"
        );
    }
    for request in [
        json!({}),
        json!({ "games": "many" }),
        json!({ "games": 1, "sees": 2 }),
    ] {
        assert_eq!(table.post("measure", &request).status, 400, "{request}");
    }
}

#[test]
fn games_that_take_long_are_stopped_with_what_there_is() {
    let table = Table::serve(root(), &["smalltricks"]);
    let page: &Page = &table;
    // Many short games, and games each of which is far too long.
    for (agent, has_games) in [("random", true), ("mcts:1000000", false)] {
        let request = json!({ "games": 1_000_000, "agents": { "red": agent, "blue": agent } });
        let began = Instant::now();
        let answer = std::thread::scope(|scope| {
            let asked = scope.spawn(|| measure(page, &request));
            std::thread::sleep(Duration::from_secs(if has_games { 5 } else { 1 }));
            while !asked.is_finished() {
                page.post("stop", &json!({}));
                assert!(began.elapsed() < Duration::from_secs(50), "it is not stopped");
                std::thread::sleep(Duration::from_millis(100));
            }
            asked.join().expect("no panic")
        });
        let text = answer.to_string();
        assert!(text.contains("stopped before the end; done were "), "{text}");
        assert_eq!(
            text.contains("games of smalltricks, random agents"),
            has_games,
            "{text}"
        );
    }
    // It is as if nothing had been asked.
    let answer = measure(&table, &json!({ "games": 4 }));
    assert!(lines(&answer)[0].starts_with("4 games"), "{answer}");
}

#[test]
fn games_are_played_and_compared_in_a_browser_by_mouse_and_by_keys() {
    let Some(browser) = Browser::start() else { return };
    let table = Table::serve(root(), &["charge-into-spears"]);
    let count = |what: &str| {
        browser.eval(&format!(
            "document.querySelectorAll('#measure-results {what}').length"
        ))
    };
    for (scheme, width, height) in [("light", 1280, 860), ("dark", 390, 844), ("light", 390, 844)] {
        browser.scheme(scheme);
        browser.width(width, height);
        browser.go(&table);
        browser.click("#tab-measure");
        browser.eval("document.querySelector('#measure-form [name=games]').value = 60");
        browser.click("#measure-form > button");
        browser.wait("document.querySelectorAll('#measure-results section').length === 1");
        assert_eq!(
            browser.eval("document.getElementById('measure-status').textContent"),
            ""
        );
        let head = browser.eval("document.querySelector('#measure-results summary').textContent");
        assert!(head.as_str().is_some_and(|head| {
            head.starts_with("60 games of smalltricks from charge-into-spears, random agents")
        }));
        let first = browser.eval(
            "[...document.querySelectorAll('#measure-results tr')].find((r) => r.cells[0].textContent === 'red wins').cells.length",
        );
        assert_eq!(first, 4);
        browser.shot(&format!("measure-{scheme}-{width}"));
        // With keys: a choice by its first letters, and Enter in a field.
        browser.eval("document.getElementById('measure-variant').focus()");
        for key in [
            "t", "h", "e", " ", "s", "a", "m", "e", " ", "w", "i", "t", "h", " ", "f", "i",
        ] {
            browser.key(key);
        }
        assert_eq!(
            browser.eval("document.getElementById('measure-variant').value"),
            "fighters-stay-engaged"
        );
        browser.eval("document.getElementById('measure-variant').value = 'combats-last'");
        browser.eval("document.querySelector('#measure-form [name=games]').focus()");
        browser.key("Enter");
        browser.wait("document.querySelectorAll('#measure-results section').length === 2");
        // The last result is first and open; the one before is folded.
        assert_eq!(count("section:first-child > .trace > details[open]"), 1);
        assert_eq!(count("section:last-child > .trace > details[open]"), 0);
        let fits = browser.eval(
            "[document.documentElement, document.getElementById('tabs'), document.getElementById('measure')] \
             .every((part) => part.scrollWidth <= Math.min(part.clientWidth, innerWidth))",
        );
        assert_eq!(fits, json!(true), "at {width}");
        browser.eval("document.getElementById('measure-results').scrollIntoView()");
        browser.shot(&format!("measure-compared-{scheme}-{width}"));
    }
    // The progress is shown, if the session tells it, and a button stops the games.
    browser.call(
        "Page.addScriptToEvaluateOnNewDocument",
        json!({ "source": "let own; Object.defineProperty(globalThis, 'session', { get: () => own, set: (session) => { \
                own = { ...session, listen: (on) => { globalThis.heard = on; session.listen(on); } }; } })" }),
    );
    browser.go(&table);
    browser.click("#tab-measure");
    browser.eval("document.querySelector('#measure-form [name=games]').value = 1000000");
    browser.click("#measure-form > button");
    browser.wait("document.getElementById('measure-status').textContent === 'runningStop'");
    browser.eval("heard.progress({ what: 'games', done: 7, count: 1000000 })");
    let status = browser.eval("document.getElementById('measure-status').textContent");
    assert_eq!(status, "7 of 1000000 gamesStop");
    std::thread::sleep(Duration::from_secs(1));
    browser.click("#measure-status button");
    browser.wait(
        "document.getElementById('measure-results').textContent.includes('stopped before the end; done were games')",
    );
    // What is refused is shown.
    browser.eval("document.querySelector('#measure-form [name=games]').value = 0");
    browser.eval("document.querySelector('#measure-form').noValidate = true");
    browser.click("#measure-form > button");
    browser.wait("document.querySelector('#measure-results .error')");
    browser.no_complaints();
}
