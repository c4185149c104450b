//! Pages to print: what is on them, how many pieces there are, and in a browser how large everything is on its paper.
//!
//! Without Chromium the tests of sizes say that they were skipped.

use crate::browser::{Browser, from_base64};
use crate::support::Copy;
use serde_json::{Value, json};
use std::process::Command;

/// Returns a printed page of a game.
fn sheet(copy: &Copy, game: &str, layout: &str, options: &[&str]) -> String {
    let ran = copy.run(&[&["sheet", game, "--out", "print"], options].concat());
    assert_eq!(ran.status, 0, "{}", ran.page());
    std::fs::read_to_string(copy.path(&format!("print/{game}-{layout}.html"))).expect("it was written")
}

#[test]
fn every_unit_of_a_normal_game_has_a_token_and_a_standee() {
    let copy = Copy::of_rules();
    let count = |options: &[&str]| {
        let page = sheet(&copy, "smalltricks", "tokens", options);
        let (tokens, standees) = (
            page.matches("class=\"disc\"").count(),
            page.matches("class=\"standee\"").count(),
        );
        assert_eq!(tokens, standees);
        // Both armies can be the same.
        assert_eq!(tokens % 2, 0);
        tokens / 2
    };
    // An army of six of nine types needs several of some; an army of one never does.
    assert!(count(&[]) > 9);
    assert!(count(&["--set", "faction_size=1"]) <= 9);
    assert_eq!(count(&["--copies", "2"]), 2 * 9);
    // The map that the players lay has as many tiles as the scripts say: 16 and 3 are in stock of field and water.
    let page = sheet(&copy, "pocket-tactics", "tokens", &[]);
    assert_eq!(
        (page.matches(">Field<").count(), page.matches(">Water<").count()),
        (16, 3)
    );
}

#[test]
fn a_game_has_no_pages_for_what_it_does_not_need() {
    let copy = Copy::of_rules();
    let files = |game: &str| {
        let ran = copy.run(&["sheet", game, "--out", "print", "--json"]);
        let told: Value = serde_json::from_str(&ran.out).expect("JSON");
        let files = told["files"].as_array().expect("a list").iter();
        let names = files.map(|file| {
            file.as_str()
                .expect("a path")
                .rsplit(['-', '/'])
                .next()
                .expect("a name")
        });
        names
            .map(|name| name.trim_end_matches(".html").to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(files("smalltricks"), ["reference", "cards", "tokens", "board"]);
    // Its dice are thrown, its board lies in centimetres.
    assert_eq!(files("smashdodes"), ["reference", "cards", "board", "measures"]);
    assert_eq!(files("the-wager"), ["reference", "cards", "tokens", "measures"]);
    // Its players lay the map.
    assert_eq!(files("pocket-tactics"), ["reference", "cards", "tokens"]);
}

#[test]
fn a_picture_beside_the_script_is_in_place_of_the_symbol() {
    let copy = Copy::of_rules();
    let embedded = |page: &str| page.matches("src=\"data:image/svg+xml;base64,").count();
    assert_eq!(embedded(&sheet(&copy, "smalltricks", "cards", &[])), 0);
    let drawing =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1 1\"><path d=\"M0 0h1v1z\"/></svg>";
    copy.write("units/smalltricks/spears.svg", drawing);
    std::fs::write(copy.path("units/smalltricks/archers.png"), b"\x89PNG\r\n").expect("written");
    let page = sheet(&copy, "smalltricks", "cards", &[]);
    // One of each faction.
    assert_eq!(embedded(&page), 2);
    assert_eq!(page.matches("src=\"data:image/png;base64,iVBORw0K\"").count(), 2);
    assert!(sheet(&copy, "smalltricks", "tokens", &["--copies", "1"]).contains("data:image/png"));
    // Such files are no faults of the workspace.
    let ran = copy.run(&["check"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
}

#[test]
fn without_a_browser_pdf_says_what_is_missing() {
    let copy = Copy::of_rules();
    let ran = Command::new(env!("CARGO_BIN_EXE_rulebench"))
        .args(["sheet", "smalltricks", "--pdf"])
        .current_dir(copy.path(""))
        .env("PATH", "")
        .env_remove("CHROMIUM")
        .output()
        .expect("it runs");
    assert_eq!(ran.status.code(), Some(2));
    let err = String::from_utf8_lossy(&ran.stderr);
    assert!(err.contains("`--pdf` needs Chromium"), "{err}");
}

#[test]
fn pages_are_printed_as_pdf_where_there_is_a_browser() {
    if Browser::start().is_none() {
        return;
    }
    let copy = Copy::of_rules();
    let ran = copy.run(&["sheet", "the-wager", "--out", "print", "--pdf"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    for layout in ["reference", "cards", "tokens", "measures"] {
        let file =
            std::fs::read(copy.path(&format!("print/the-wager-{layout}.pdf"))).expect("it was written");
        assert!(file.starts_with(b"%PDF"), "{layout}");
    }
    assert!(
        ran.out.contains("wrote print/the-wager-cards.pdf"),
        "{}",
        ran.page()
    );
}

/// Elements whose content does not fit, and sizes of the first elements of some kinds, in tenths of millimetres.
const LOOK: &str = "(() => { \
    const of = (kind) => [...document.querySelectorAll(kind)]; \
    const wide = (e) => e.clientWidth && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1); \
    const over = of('section, .face, .text, dl div, dt, header, header div, td, th, .disc, .standee, figure').filter(wide); \
    const size = (kind) => { const e = document.querySelector(kind)?.getBoundingClientRect(); \
        return e && [e.width, e.height].map((n) => Math.round(n * 254 / 96)); }; \
    return { over: over.map((e) => e.outerHTML.slice(0, 120)), card: size('.card'), token: size('.disc'), \
        control: size('.control span'), window: size('.window'), arrow: size('figure > div:not([class])') }; })()";

#[test]
fn every_page_keeps_to_its_paper_and_to_its_size() {
    let Some(browser) = Browser::start() else { return };
    let copy = Copy::of_rules();
    let papers = [("a4", [595, 842]), ("letter", [612, 792])];
    // Fronts and backs of each faction; the board of six by six hexagons on two sheets, the arena on six.
    let pages = [
        ("smalltricks", "reference", 1),
        ("smalltricks", "cards", 4),
        ("smalltricks", "tokens", 3),
        ("smalltricks", "board", 2),
        ("smashdodes", "board", 6),
        ("very-quick-violence", "reference", 1),
        ("very-quick-violence", "measures", 1),
        ("the-wager", "reference", 1),
        ("the-wager", "tokens", 6),
        ("pocket-tactics", "reference", 1),
    ];
    let mut printed = "";
    for (paper, [wide, high]) in papers {
        for (game, layout, count) in pages {
            if printed != game {
                sheet(&copy, game, layout, &["--paper", paper]);
                printed = game;
            }
            let name = format!("{game}-{layout} on {paper}");
            let page = copy.path(&format!("print/{game}-{layout}.html"));
            let title = format!("document.title.endsWith('{layout}') && document.readyState === 'complete'");
            browser.load(&page, &title);
            let look = browser.eval(LOOK);
            assert_eq!(look["over"], json!([]), "{name}");
            let is = |what: &str, size: Value| {
                assert!(look[what].is_null() || look[what] == size, "{name}: {look}")
            };
            is("card", json!([630, 880]));
            is(
                "token",
                json!(if game == "the-wager" {
                    [254, 254]
                } else {
                    [150, 150]
                }),
            );
            is("control", json!([1000, 20]));
            is("arrow", json!([140, 1480]));
            let pdf = browser.call("Page.printToPDF", json!({ "preferCSSPageSize": true }));
            let pdf = from_base64(pdf["data"].as_str().expect("a file"));
            let pdf = String::from_utf8_lossy(&pdf);
            assert_eq!(pdf.matches("/Type /Page\n").count(), count, "{name}");
            let lies = layout == "board" && game == "smalltricks";
            let size = if lies { [high, wide] } else { [wide, high] };
            let found = pdf
                .split("/MediaBox [0 0 ")
                .nth(1)
                .and_then(|rest| rest.split(']').next());
            let found = found
                .expect("a size")
                .split(' ')
                .map(|n| n.parse::<f64>().expect("a number").round() as i64);
            assert_eq!(found.collect::<Vec<_>>(), size, "{name}");
        }
    }
}

#[test]
fn cards_and_reference_say_what_the_scripts_say() {
    let copy = Copy::of_rules();
    let cards = sheet(&copy, "smalltricks", "cards", &[]);
    let reference = sheet(&copy, "smalltricks", "reference", &[]);
    for part in ["Assault Beasts", "charge 2, charge move 1"] {
        assert!(
            reference.contains(part) && cards.contains(part),
            "{part} is missing"
        );
    }
    assert!(
        sheet(&copy, "smalltricks", "cards", &["--set", "mounted.charge=3"])
            .contains("charge 3, charge move 1")
    );
    let ran = copy.run(&["sheet", "smaltricks"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("did you mean `smalltricks`?"), "{}", ran.page());
}

#[test]
fn a_sheet_has_words_for_flags_and_nothing_for_designers() {
    let copy = Copy::of_rules();
    copy.replace(
        "scripts/smalltricks/game.rhai",
        "#{ move: 1, range: 0, combat: 2, life: 5 }",
        "#{ move: 1, range: 0, combat: 2, life: 5, wit: 1, luck: 2, cost: 3, on_foot: true, flying: false }",
    );
    copy.replace(
        "units/smalltricks/spears.rhai",
        "counter_range: 0 }",
        "counter_range: 0, patience: 7, in_ranks: true }",
    );
    let ran = copy.run(&["sheet", "smalltricks", "--out", "print", "--json"]);
    assert_eq!(ran.status, 0, "{}", ran.page());
    let told: Value = serde_json::from_str(&ran.out).expect("JSON");
    // In the order of the script; what is 0 for everybody is on no card.
    let sheet = &told["sheet"];
    let stats = json!(["move", "range", "combat", "life", "wit", "luck", "cost", "face"]);
    assert_eq!(sheet["stats"], stats);
    assert!(sheet["zeros"].is_null());
    let cards = sheet["cards"].as_array().expect("cards");
    let spears = cards.iter().find(|c| c["name"] == "Spears").expect("a card");
    assert_eq!(spears["flags"], json!(["on foot", "in ranks"]));
    assert_eq!(spears["own"], json!([["spear", 1], ["patience", 7]]));
    let page = std::fs::read_to_string(copy.path("print/smalltricks-cards.html")).expect("it was written");
    assert!(page.contains(">On foot, in ranks<") && !page.contains("counter range"));
    // Two decks of nine cards.
    assert_eq!(page.matches("<dt>").count(), 2 * 8 * 9);
}

#[test]
fn a_text_that_is_too_long_for_its_card_is_smaller_and_then_reported() {
    let Some(browser) = Browser::start() else { return };
    let copy = Copy::of_rules();
    let spears = "units/smalltricks/spears.rhai";
    let script = std::fs::read_to_string(copy.path(spears)).expect("the script is there");
    // Numbers of its own, which are written below its text.
    let printed = |numbers: usize| {
        let numbers: String = (0..numbers)
            .map(|nth| format!(", sharpness_in_round_{nth}: 1"))
            .collect();
        copy.write(
            spears,
            script.replacen("counter_range: 0", &format!("counter_range: 0{numbers}"), 1),
        );
        let ran = copy.run(&["sheet", "smalltricks", "--out", "print"]);
        browser.load(
            &copy.path("print/smalltricks-cards.html"),
            "document.querySelector('.card')",
        );
        let letters = "Math.min(...[...document.querySelectorAll('.card')].filter((c) => c.querySelector('h2').textContent === 'Spears') \
             .map((c) => parseFloat(c.querySelector('.text').style.fontSize)))";
        (
            ran,
            browser.eval(letters),
            browser.eval(LOOK)["over"].as_array().expect("a list").len(),
        )
    };
    let (ran, letters, over) = printed(0);
    assert_eq!((ran.status, over), (0, 0), "{}", ran.page());
    let usual = letters.as_f64();
    assert!(usual > Some(7.0), "{letters}");
    let (ran, letters, over) = printed(6);
    assert_eq!((ran.status, over), (0, 0), "{}", ran.page());
    assert!(
        letters.as_f64() < usual && letters.as_f64() >= Some(6.0),
        "{letters}"
    );
    let (ran, letters, _) = printed(100);
    assert_eq!((ran.status, letters), (1, json!(6)), "{}", ran.page());
    assert!(
        ran.out.contains("the card Spears has more text than fits"),
        "{}",
        ran.page()
    );
    let page = std::fs::read_to_string(copy.path("print/smalltricks-cards.html")).expect("it was written");
    assert_eq!(page.matches("too long for the card").count(), 2);
}
