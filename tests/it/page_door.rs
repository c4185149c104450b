//! The front door of a page and the end of a game there, in a real browser (see `browser`).

use crate::browser::Browser;
use crate::page::Table;
use crate::support::{Copy, root};
use rulebench::rules::workspace::Workspace;
use serde_json::{Value, json};

/// A table that was opened without naming a game, with its door open.
fn at_the_door(browser: &Browser, folder: &std::path::Path) -> Table {
    let table = Table::serve(folder, &[]);
    browser.go(&table);
    browser.wait("document.body.dataset.door === 'ready'");
    table
}

/// Chooses an element of the door's form and tells the page.
fn set(browser: &Browser, selector: &str, value: &str) {
    browser.eval(&format!(
        "(() => {{ const e = document.querySelector({}); e.value = {}; e.dispatchEvent(new Event('change')); }})()",
        json!(selector),
        json!(value)
    ));
}

fn names(list: &Value, key: &str) -> Vec<String> {
    let list = list.as_array().expect("a list");
    list.iter()
        .map(|one| one[key].as_str().expect("a text").to_owned())
        .collect()
}

#[test]
fn the_door_lists_each_game_with_what_it_is() {
    let table = Table::serve(root(), &[]);
    assert_eq!(table.state()["door"], true);
    let answer = table.ask_session("door", &json!({}));
    let games = answer["games"].as_array().expect("games");
    assert_eq!(
        names(&answer["games"], "name"),
        Workspace::at(root()).games(),
        "all games of the workspace"
    );
    for game in games {
        let name = &game["name"];
        let picture = game["picture"].as_str().expect("a picture");
        assert!(
            picture.starts_with("<svg") && picture.contains("data-unit="),
            "{name}"
        );
        assert!(
            game["about"]
                .as_str()
                .is_some_and(|about| about.matches('.').count() == 2),
            "{name}"
        );
        assert_eq!(game["players"], 2, "{name}");
        assert!(
            game["minutes"].as_u64().is_some_and(|minutes| minutes > 0),
            "{name}"
        );
        assert_eq!(game["problem"], Value::Null, "{name}");
        let starts = game["starts"].as_array().expect("starts");
        assert!(
            starts.iter().filter(|start| start["puzzle"].is_string()).count() >= 2,
            "{name} has puzzles"
        );
        assert!(
            !game["variants"].as_array().expect("variants").is_empty(),
            "{name}"
        );
    }
    // A table that was asked for is there at once.
    assert_eq!(
        Table::serve(root(), &["charge-into-spears"]).state()["door"],
        false
    );
}

#[test]
fn a_game_whose_rules_are_broken_says_so_at_the_door() {
    let copy = Copy::of_all();
    let table = Table::serve(&copy.path(""), &["charge-into-spears"]);
    copy.write("scripts/the-wager/game.rhai", "fn board( {\n");
    let answer = table.ask_session("door", &json!({}));
    for game in answer["games"].as_array().expect("games") {
        let broken = game["name"] == "the-wager";
        assert_eq!(game["problem"].is_string(), broken, "{}", game["name"]);
    }
}

#[test]
fn a_game_is_begun_at_the_door_with_seats_and_variants() {
    let Some(browser) = Browser::start() else { return };
    browser.width(1280, 860);
    let table = at_the_door(&browser, root());
    browser.shot("door");
    assert_eq!(
        browser.eval("getComputedStyle(document.querySelector('main')).display"),
        "none"
    );
    browser.click("#games input[value='smalltricks']");
    set(&browser, "#seats select[name='red']", "random");
    set(&browser, "#seats select[name='blue']", "me");
    browser.eval("document.getElementById('door-rules').open = true");
    browser.eval("document.querySelector('#door-variants input[value=\"aerial-take-off\"]').click()");
    browser.click("#start");
    browser.wait("document.getElementById('door').hidden");
    let state = table.state();
    assert_eq!(
        (&state["game"], &state["scenario"]),
        (&json!("smalltricks"), &json!(""))
    );
    let agents: Vec<&Value> = state["sides"]
        .as_array()
        .expect("sides")
        .iter()
        .map(|s| &s["agent"])
        .collect();
    assert_eq!(agents, [&json!("random"), &Value::Null]);
    let on: Vec<&Value> = state["tweaks"]
        .as_array()
        .expect("variants")
        .iter()
        .filter(|row| row[1] == "on")
        .map(|row| &row[0])
        .collect();
    assert_eq!(on, [&json!("aerial-take-off")]);
    // The door can be opened again, and left.
    browser.click("#new");
    browser.wait("!document.getElementById('door').hidden");
    browser.key("Escape");
    browser.wait("document.getElementById('door').hidden");
    // Whoever comes later finds the game that was begun.
    browser.go(&table);
    assert_eq!(browser.eval("document.getElementById('door').hidden"), true);
    browser.no_complaints();
}

#[test]
fn a_position_is_found_by_its_words_and_opened_by_keys_alone() {
    let Some(browser) = Browser::start() else { return };
    browser.width(1280, 860);
    let table = at_the_door(&browser, root());
    browser.click("#games input[value='smalltricks']");
    browser.eval("document.getElementById('position-sought').focus()");
    for letter in "meets Spears hurts".chars() {
        browser.key(&letter.to_string());
    }
    browser.wait("document.getElementById('position').options.length === 1");
    browser.key("Enter");
    browser.wait("document.getElementById('door').hidden");
    assert_eq!(table.state()["scenario"], "charge-into-spears");
    browser.no_complaints();
}

#[test]
fn going_through_the_door_with_keys_chooses_nothing_on_the_way() {
    let Some(browser) = Browser::start() else { return };
    browser.width(1280, 860);
    let table = at_the_door(&browser, root());
    let name = table.state()["game"].clone();
    // From the chosen game by way of the positions, the seats and the rules.
    let mut passed = Vec::new();
    while passed.last() != Some(&json!("start")) {
        assert!(passed.len() < 20, "{passed:?}");
        browser.key("Tab");
        passed.push(browser.eval("document.activeElement.id"));
    }
    assert!(passed.contains(&json!("position")), "{passed:?}");
    browser.key("Enter");
    browser.wait("document.getElementById('door').hidden");
    let state = table.state();
    assert_eq!((&state["game"], &state["scenario"]), (&name, &json!("")));
    // The keys go on at the options, or where the door was opened.
    let focused = "document.activeElement.id";
    assert_eq!(browser.eval(focused), "options");
    browser.click("#new");
    browser.wait("!document.getElementById('door').hidden");
    browser.key("Escape");
    assert_eq!(browser.eval(focused), "new");
    browser.no_complaints();
}

#[test]
fn the_puzzle_of_the_day_is_opened_without_its_solution() {
    let Some(browser) = Browser::start() else { return };
    browser.width(1280, 860);
    let table = at_the_door(&browser, root());
    browser.click("#games input[value='very-quick-violence']");
    let today = browser.eval("document.getElementById('start-at-puzzle').value");
    let answer = table.ask_session("door", &json!({}));
    let games = answer["games"].as_array().expect("games");
    let game = games
        .iter()
        .find(|game| game["name"] == "very-quick-violence")
        .expect("it is there");
    let starts = game["starts"].as_array().expect("starts");
    let puzzles: Vec<&Value> = starts
        .iter()
        .filter(|start| start["puzzle"].is_string())
        .collect();
    assert!(puzzles.iter().any(|puzzle| puzzle["name"] == today), "{today}");
    browser.click("#start-at-puzzle");
    browser.click("#start");
    browser.wait("document.getElementById('door').hidden && !document.getElementById('puzzle').hidden");
    let state = table.state();
    assert_eq!(state["line"]["given"], 0);
    assert!(
        state["puzzle"].is_string() && state["question"].is_object(),
        "{state}"
    );
    browser.shot("puzzle");
    browser.no_complaints();
}

/// Plays the game on the table to its end: red by a machine, blue by a person who answers at random.
fn to_the_end(table: &Table) {
    table.line("both");
    table.line(":auto random end");
    table.line(":plays red greedy");
    assert!(table.state()["over"].is_object(), "{}", table.state()["stands"]);
}

#[test]
fn the_end_of_a_game_says_who_has_won_and_what_can_be_done() {
    let Some(browser) = Browser::start() else { return };
    browser.width(1280, 860);
    let table = Table::serve(root(), &["smalltricks"]);
    to_the_end(&table);
    browser.go(&table);
    let over = table.state()["over"].clone();
    let winner = over["winner"].as_str().expect("somebody has won");
    assert_eq!(
        browser.eval("document.getElementById('question').textContent"),
        json!(format!("{winner} wins"))
    );
    let how = over["how"].as_str().expect("a reason");
    assert_eq!(
        browser.eval("document.querySelector('#options .how').textContent"),
        json!(how)
    );
    let button = |text: &str| {
        browser.eval(&format!(
            "[...document.querySelectorAll('#options button, #look button')].find((b) => b.textContent === {}).click()",
            json!(text)
        ));
    };
    // The turning point: before it the game has fewer answers, and redo goes forward again.
    let given = table.state()["line"]["given"].as_u64().expect("a number");
    button("Look at the turning point");
    browser.wait("document.querySelectorAll('#look .bar').length === 2");
    browser.shot("over");
    browser.then(|| button("Go to it"));
    let line = table.state()["line"].clone();
    let back = line["given"].as_u64().expect("a number");
    assert!(back < given, "{line}");
    assert_eq!(line["ahead"], given - back);
    table.line(&format!(":redo {}", given - back));
    browser.wait("document.getElementById('options').textContent.includes('Swap seats')");
    // Swapped seats, and the same start with other dice.
    button("Swap seats");
    browser.wait("document.getElementById('question').textContent && !document.querySelector('.scores')");
    let state = table.state();
    assert_eq!(state["seed"], 2);
    let agents: Vec<&Value> = state["sides"]
        .as_array()
        .expect("sides")
        .iter()
        .map(|s| &s["agent"])
        .collect();
    assert_eq!(agents, [&Value::Null, &json!("greedy")]);
    browser.no_complaints();
}

#[test]
fn the_door_and_the_end_fit_on_a_phone_and_in_the_dark() {
    let Some(browser) = Browser::start() else { return };
    for (scheme, width) in [("light", 1280), ("dark", 1280), ("light", 390), ("dark", 390)] {
        browser.scheme(scheme);
        browser.width(width, 844);
        let table = at_the_door(&browser, root());
        let fits = "document.documentElement.scrollWidth <= innerWidth";
        assert_eq!(browser.eval(fits), json!(true), "the door at {width}");
        browser.shot(&format!("door-{scheme}-{width}"));
        // Whoever takes the game that is chosen already sees what comes next, too.
        browser.click("#games label:has(:checked)");
        let begin = browser.eval("document.getElementById('start').getBoundingClientRect().bottom");
        assert!(begin.as_f64().expect("a height") < 844.0, "{begin} at {width}");
        for game in ["very-quick-violence", "smashdodes"] {
            table.line(&format!(":new {game}"));
            to_the_end(&table);
            browser.go(&table);
            assert_eq!(browser.eval(fits), json!(true), "the end at {width}");
            // What can be done next is seen without scrolling, well above the line that is typed.
            let space = browser.eval(
                "(innerWidth > 760 ? innerHeight : document.getElementById('say').getBoundingClientRect().top) \
                 - Math.max(...[...document.querySelectorAll('#options button')].map((b) => b.getBoundingClientRect().bottom))",
            );
            assert!(
                space.as_f64().expect("a height") >= 16.0,
                "{game}: {space} at {width}"
            );
            browser.shot(&format!("over-{game}-{scheme}-{width}"));
            if (scheme, width, game) == ("light", 390, "very-quick-violence") {
                // What was asked for comes into view when it is there.
                browser.eval("[...document.querySelectorAll('#options button')].find((b) => b.textContent.includes('turning')).click()");
                browser.wait("document.querySelectorAll('#look .bar').length === 2");
                let space = browser.eval(
                    "document.getElementById('say').getBoundingClientRect().top \
                     - document.querySelectorAll('#look .bar')[1].getBoundingClientRect().bottom",
                );
                assert!(space.as_f64().expect("a height") >= 0.0, "{space}");
            }
        }
    }
    browser.no_complaints();
}

/// The solution of a puzzle is for `run` and `test`; who opens it begins before it.
#[test]
fn a_puzzle_is_tested_with_its_solution_and_opened_without_it() {
    let puzzle = "puzzle-two-of-four";
    let ran = crate::support::run_in(root(), &["run", puzzle]);
    assert!(ran.out.contains("end: red wins the game"), "{}", ran.page());
    let opened = crate::support::run_in_with(root(), &["repl", puzzle], ":events 50\n");
    assert!(
        !opened.out.contains("chose") && opened.out.contains("red activates: "),
        "{}",
        opened.page()
    );
}

#[test]
fn check_refuses_a_rulebook_whose_minutes_are_no_time() {
    let copy = Copy::of_all();
    let path = "scripts/the-wager/rulebook.toml";
    let text = std::fs::read_to_string(copy.path(path)).expect("it is there");
    copy.write(path, text.replace("minutes = 100", "minutes = 0"));
    let ran = crate::support::run_in(&copy.path(""), &["check"]);
    assert_eq!(ran.status, 2, "{}", ran.page());
    assert!(
        ran.page().contains(&format!("{path}:")) && ran.page().contains("minutes = 0"),
        "{}",
        ran.page()
    );
}
