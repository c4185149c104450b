//! Scripts that are shown and changed on the page, over plain HTTP and in a real browser.

use crate::browser::Browser;
use crate::page::{Table, keys};
use crate::support::Copy;
use serde_json::{Value, json};

const SPEARS: &str = "units/smalltricks/spears.rhai";
const MOUNTED: &str = "units/smalltricks/mounted.rhai";

fn sources(table: &Table) -> Value {
    table.post("sources", &json!({})).json()
}

/// Returns a file among the sources.
fn file(sources: &Value, path: &str) -> Value {
    let mut files = sources["files"].as_array().expect("files").iter();
    let found = files.find(|file| file["path"] == path);
    found.unwrap_or_else(|| panic!("{path}: {sources}")).clone()
}

/// Writes a file with a change in its text, as the page does.
fn change(table: &Table, path: &str, from: &str, to: &str) -> Value {
    let file = file(&sources(table), path);
    let text = file["text"].as_str().expect("a text");
    assert!(text.contains(from), "{text}");
    let body = json!({ "path": path, "text": text.replacen(from, to, 1), "version": file["version"] });
    table.post("write", &body).json()
}

fn places(problems: &Value) -> Vec<String> {
    let all = problems.as_array().expect("problems").iter();
    let at = |problem: &Value| {
        let [path, id] = ["path", "id"].map(|key| problem[key].as_str().unwrap_or_default().to_owned());
        format!("{id} {path}:{}:{}", problem["line"], problem["column"])
    };
    all.map(at).collect()
}

#[test]
fn a_script_that_is_written_is_live_with_the_position_kept() {
    let copy = Copy::of_all();
    let table = Table::serve(&copy.path(""), &["charge-into-spears"]);
    let before = table.state();
    let all = sources(&table);
    let kinds = [
        ("scripts/smalltricks/game.rhai", "game"),
        (SPEARS, "unit type"),
        ("scripts/smalltricks/variants/ranged-first.rhai", "variant"),
        ("scripts/smalltricks/tweaks.toml", "settings"),
    ];
    for (path, kind) in kinds {
        assert_eq!(file(&all, path)["kind"], kind);
        let text = std::fs::read_to_string(copy.path(path)).expect("text");
        assert_eq!(file(&all, path)["text"], text);
    }
    assert_eq!(all["problems"], json!([]));
    let words = all["words"].as_array().expect("words");
    for (kind, label, detail) in [
        ("keyword", "let", ""),
        ("function", "faction", "(name: text) -> faction"),
        ("hook", "may_enter", "(me, place) -> true or text"),
        ("rule", "charge_one", "(me, short_rides)"),
        ("dial", "max_rounds", "dial"),
        ("property", "contact", ""),
        ("name", "spears", "unit type"),
    ] {
        let word = json!({ "kind": kind, "label": label, "detail": detail });
        assert!(words.contains(&word), "{word}");
    }
    let written = change(&table, SPEARS, "symbol: \"Sp\"", "symbol: \"Sx\"");
    assert_eq!(
        (&written["problems"], &written["live"]),
        (&json!([]), &json!(true))
    );
    assert_eq!(written["version"], file(&sources(&table), SPEARS)["version"]);
    let text = std::fs::read_to_string(copy.path(SPEARS)).expect("text");
    assert!(text.contains("symbol: \"Sx\""), "{text}");
    let after = table.state();
    assert!(
        after["board"]["legend"].to_string().contains("Sx = spears"),
        "{}",
        after["board"]["legend"]
    );
    assert_eq!(keys(&after), keys(&before));
    assert_eq!(after["line"], before["line"]);
    let number = |state: &Value| state["number"].as_u64();
    assert_eq!(number(&after), number(&before).map(|number| number + 1));
}

#[test]
fn a_broken_script_is_shown_where_it_is_broken_and_the_last_good_rules_stay() {
    let copy = Copy::of_all();
    let table = Table::serve(&copy.path(""), &["charge-into-spears"]);
    let before = table.state();
    let broken = change(&table, MOUNTED, "fn full_ride(me) {", "fn full_ride(me {");
    assert_eq!(places(&broken["problems"]), [format!("missing {MOUNTED}:15:16")]);
    assert_eq!(broken["live"], false);
    assert_eq!(table.state(), before);
    // Whoever opens the page now sees it, too.
    assert_eq!(sources(&table)["problems"], broken["problems"]);
    table.line("blue.spears1");
    assert_ne!(table.state()["line"], before["line"]);
    let mended = change(&table, MOUNTED, "fn full_ride(me {", "fn full_ride(me) {");
    assert_eq!(mended["problems"], json!([]));
    // A variant that is off is checked as well.
    let variant = "scripts/smalltricks/variants/ranged-first.rhai";
    let broken = change(&table, variant, "{", "{ no_such_function();");
    assert!(places(&broken["problems"])[0].contains(variant), "{broken}");
    assert_eq!(broken["live"], false);
}

#[test]
fn nothing_but_scripts_and_settings_is_written_and_no_newer_text_is_lost() {
    let copy = Copy::of_all();
    let table = Table::serve(&copy.path(""), &["charge-into-spears"]);
    let write = |body: &Value| table.post("write", body).json();
    for path in [
        "scenarios/smalltricks/charge-into-spears.toml",
        "../x.rhai",
        "units/pocket-tactics/x.rhai",
    ] {
        let refused = write(&json!({ "path": path, "text": "" }));
        assert_eq!(
            places(&refused["problems"]),
            ["unknown-name :null:null"],
            "{path}"
        );
        assert!(refused["version"].is_null());
    }
    let seen = file(&sources(&table), SPEARS);
    let newer = format!("{}\n// newer\n", seen["text"].as_str().expect("a text"));
    copy.write(SPEARS, &newer);
    let refused = write(&json!({ "path": SPEARS, "text": "// mine", "version": seen["version"] }));
    assert_eq!(places(&refused["problems"]), ["changed-elsewhere :null:null"]);
    assert_eq!(std::fs::read_to_string(copy.path(SPEARS)).expect("text"), newer);
    // Ends of lines stay as they are in the file.
    let crlf = std::fs::read_to_string(copy.path(MOUNTED))
        .expect("text")
        .replace('\n', "\r\n");
    copy.write(MOUNTED, &crlf);
    assert!(
        !file(&sources(&table), MOUNTED)["text"]
            .to_string()
            .contains("\\r")
    );
    for (from, to) in [("charge: 2", "charge: 1"), ("charge: 1", "charge: 3")] {
        assert_eq!(change(&table, MOUNTED, from, to)["live"], true);
    }
    let text = std::fs::read_to_string(copy.path(MOUNTED)).expect("text");
    assert_eq!(text, crlf.replace("charge: 2", "charge: 3"));
    // The games in the program are shown, and stay as they are.
    let nowhere = Copy::of_nothing();
    let table = Table::serve(&nowhere.path(""), &["charge-into-spears"]);
    let all = sources(&table);
    assert_eq!(places(&all["fixed"]), ["embedded-workspace :null:null"]);
    assert_eq!(all["folder"], Value::Null);
    let refused = change(&table, SPEARS, "Sp", "Sx");
    assert_eq!(refused["problems"], all["fixed"]);
}

#[test]
fn what_was_written_in_one_step_is_compared_with_the_rules_before_all_of_it() {
    let copy = Copy::of_all();
    let table = Table::serve(&copy.path(""), &["charge-into-spears"]);
    let changes = || table.look(":diff")["drawn"]["diff"]["changes"].to_string();
    let condition = "&& !fought_before(me, rider)";
    change(
        &table,
        SPEARS,
        condition,
        "&& me.life > 9 && !fought_before(me, rider)",
    );
    let first = changes();
    assert!(first.contains("life: 5 | 3"), "{first}");
    // The second text changes nothing in this game; the first one still counts.
    change(&table, SPEARS, "face: 5", "face: 4");
    assert_eq!(changes(), first);
    table.line("blue.spears1");
    change(&table, SPEARS, "face: 4", "face: 5");
    assert_eq!(changes(), "[]");
}

/// Opens the panel with a file.
pub fn open_script(browser: &Browser, path: &str) {
    browser.click("#tab-scripts");
    browser.wait("document.querySelectorAll('#script option').length > 9");
    browser.eval(&format!(
        "(() => {{ const s = document.getElementById('script'); s.value = '{path}'; \
         s.dispatchEvent(new Event('change')); }})()"
    ));
    browser.wait(&format!(
        "document.getElementById('script-path').textContent === '{path}'"
    ));
}

/// Returns where a text of the editor is seen: its left and right end, and its height.
fn place(browser: &Browser, text: &str) -> (f64, f64, f64) {
    let at = browser.eval(&format!(
        "(() => {{ const content = document.querySelector('#script-text > div').shadowRoot.querySelector('.cm-content'); \
         const line = [...content.querySelectorAll('.cm-line')].find((l) => l.textContent.includes({text})); \
         line.scrollIntoView({{ block: 'center' }}); \
         const at = line.textContent.indexOf({text}); \
         const spot = (offset) => {{ const walk = document.createTreeWalker(line, NodeFilter.SHOW_TEXT); let node; \
         while ((node = walk.nextNode()) && node.length < offset) offset -= node.length; return [node, offset]; }}; \
         const range = document.createRange(); range.setStart(...spot(at)); range.setEnd(...spot(at + {text}.length)); \
         const b = range.getBoundingClientRect(); return [b.left, b.right, b.top + b.height / 2]; }})()",
        text = json!(text)
    ));
    let number = |n: usize| at[n].as_f64().expect("a place");
    (number(0), number(1), number(2))
}

/// Selects a text of the editor with the mouse, from its beginning to its end, and types another one.
pub fn retype(browser: &Browser, from: &str, to: &str) {
    let (left, right, height) = place(browser, from);
    browser.mouse("mousePressed", (left, height));
    browser.mouse("mouseMoved", (right, height));
    browser.mouse("mouseReleased", (right, height));
    browser.call("Input.insertText", json!({ "text": to }));
}

pub const EDITOR: &str = "document.querySelector('#script-text > div').shadowRoot";

#[test]
fn a_script_is_edited_on_the_page_and_the_board_changes() {
    let Some(browser) = Browser::start() else { return };
    let copy = Copy::of_all();
    let table = Table::serve(&copy.path(""), &["charge-into-spears"]);
    browser.width(1280, 860);
    browser.go(&table);
    open_script(&browser, MOUNTED);
    let symbol = "document.getElementById('legend').textContent.includes('Mz = mounted')";
    assert_eq!(browser.eval(symbol), false);
    retype(&browser, "\"Mo\"", "\"Mz\"");
    browser.wait(symbol);
    browser.wait("document.getElementById('script-status').textContent === 'live on the board'");
    let text = std::fs::read_to_string(copy.path(MOUNTED)).expect("text");
    assert!(text.contains("symbol: \"Mz\""), "{text}");
    browser.shot("script");
    // Help that is long covers a part of the page.
    let help = format!("{EDITOR}.querySelector('.cm-tooltip-hover .help')");
    // A text that is read anew meanwhile stands elsewhere and forgets what was pointed at.
    for turn in 0..10 {
        let (left, _, height) = place(&browser, "move + me");
        browser.mouse("mouseMoved", (left + 5.0 + f64::from(turn % 2), height));
        std::thread::sleep(std::time::Duration::from_secs(1));
        if browser.eval(&format!("Boolean({help})")) == json!(true) {
            break;
        }
    }
    browser.wait(&help);
    let height = browser.eval(&format!("{help}.getBoundingClientRect().height"));
    browser.shot("script-pointed");
    assert!(height.as_f64() < Some(300.0), "{height}");
    browser.mouse("mouseMoved", (2.0, 2.0));
    browser.wait(&format!("!{help}"));
    // Broken: it says where, underlines it, and play goes on under the last good rules.
    retype(&browser, "\"Mz\"", "\"Mq");
    browser.wait("document.querySelectorAll('#script-problems li').length > 0");
    browser.wait(&format!("{EDITOR}.querySelector('.cm-lintRange-error')"));
    browser.shot("script-broken");
    assert_eq!(browser.eval(symbol), true);
    let given = table.state()["line"]["given"].as_u64();
    browser.click("#options button");
    browser.wait(&format!(
        "document.getElementById('given').textContent.startsWith('{}')",
        given.unwrap_or_default() + 1
    ));
    // The list goes to the place.
    browser.click("#script-problems button");
    assert_eq!(
        browser.eval(&format!(
            "{EDITOR}.activeElement.className.includes('cm-content')"
        )),
        true
    );
    let line = browser.eval(&format!("{EDITOR}.querySelector('.cm-activeLine').textContent"));
    assert!(line.to_string().contains("Mq"), "{line}");
    // Another game has other scripts.
    table.line(":new pocket-tactics");
    browser.wait("document.getElementById('script-path').textContent === 'scripts/pocket-tactics/game.rhai'");
    browser.no_complaints();
}

#[test]
fn help_and_words_come_in_the_editor_and_keys_leave_it() {
    let Some(browser) = Browser::start() else { return };
    let copy = Copy::of_all();
    let table = Table::serve(&copy.path(""), &["charge-into-spears"]);
    browser.width(390, 844);
    browser.go(&table);
    open_script(&browser, SPEARS);
    let in_editor = format!("Boolean({EDITOR}.activeElement)");
    // By Tab into the editor and by Escape and Tab out of it.
    browser.eval("document.getElementById('script-help').focus()");
    browser.key("Tab");
    assert_eq!(browser.eval(&in_editor), true);
    browser.key("Escape");
    browser.key("Tab");
    assert_eq!(browser.eval(&in_editor), false);
    // Keys of the page are letters here.
    let number = browser.number();
    retype(&browser, "let foe", "let foe");
    browser.key("F1");
    browser.wait(&format!("{EDITOR}.querySelector('.help')"));
    assert!(
        browser
            .eval(&format!("{EDITOR}.querySelector('.help').textContent"))
            .to_string()
            .contains("foe")
    );
    retype(&browser, "me.range", "me.range.toward_");
    for key in ["u", "r", "?"] {
        browser.key(key);
    }
    assert_eq!(
        browser.eval("Boolean(document.querySelector('dialog[open]'))"),
        false
    );
    assert_eq!(browser.number(), number);
    retype(&browser, "me.range.toward_ur?", "me.ra");
    browser.key("n");
    browser.wait(&format!("{EDITOR}.querySelector('.cm-tooltip-autocomplete li')"));
    let words = browser.eval(&format!(
        "{EDITOR}.querySelector('.cm-tooltip-autocomplete').textContent"
    ));
    assert!(words.to_string().contains("range"), "{words}");
    let wide = "document.documentElement.scrollWidth <= innerWidth";
    assert_eq!(browser.eval(wide), true);
    browser.scheme("dark");
    browser.shot("script-phone-dark");
    browser.no_complaints();
}
