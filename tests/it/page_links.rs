//! Games that are handed on as links, over plain HTTP and in a real browser.

use crate::browser::Browser;
use crate::page::{Table, keys};
use crate::support::Copy;
use rulebench::repl::session::Session;
use rulebench::rules::workspace::Workspace;
use rulebench_session::page::link::Link;
use serde_json::{Value, json};

fn link(table: &Table, id: &str) -> Value {
    table.post("link", &json!({ "id": id })).json()
}

/// The first option of the open question.
fn first_option(table: &Table) -> String {
    keys(&table.state())[0].to_owned()
}

/// A session with a link of this folder's games.
fn opened(copy: &Copy, text: &str) -> Session {
    let link = Link::read(text).unwrap_or_else(|problem| panic!("{problem}"));
    let workspace = Workspace::at(copy.path(""));
    Session::of_link(&workspace, &link, None, Default::default())
        .unwrap_or_else(|problems| panic!("{problems}"))
}

#[test]
fn a_link_opens_the_game_that_is_on_the_page() {
    let copy = Copy::of_all();
    let table = Table::serve(&copy.path(""), &["smalltricks", "--seed", "9"]);
    table.line(":alone on");
    table.line(":auto 30 random");
    let answer = link(&table, "drawn");
    assert_eq!(
        (&answer["id"], &answer["answers"]),
        (&json!("drawn"), &table.state()["line"]["given"])
    );
    let mut there = opened(&copy, answer["link"].as_str().expect("a link"));
    let save = |name: &str| copy.path(name).display().to_string();
    let read = |name: &str| std::fs::read_to_string(copy.path(name)).expect("a transcript");
    table.line(&format!(":save {}", save("here.txt")));
    there
        .save(&save("there.txt"))
        .unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(read("here.txt"), read("there.txt"));
    // Both play on alike.
    let key = first_option(&table);
    table.line(&key);
    assert!(!there.line(&key).failed());
    table.line(&format!(":save {}", save("here.txt")));
    there
        .save(&save("there.txt"))
        .unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(read("here.txt"), read("there.txt"));
    assert!(read("here.txt").contains("seed = 9"));
    // The same game keeps its id, and its hash goes on.
    let later = link(&table, "another");
    let hash = |answer: &Value| answer["hash"].as_str().expect("a hash").to_owned();
    assert_eq!(later["id"], "drawn");
    assert!(hash(&later).starts_with(&hash(&answer)) && hash(&later).len() > hash(&answer).len());
    table.line(":restart");
    assert_eq!(link(&table, "another")["id"], "another");
}

#[test]
fn what_no_link_can_carry_is_told() {
    let copy = Copy::of_all();
    let table = Table::serve(&copy.path(""), &["charge-into-spears"]);
    assert!(link(&table, "1")["link"].is_string());
    table.line(":edit reserve red.archers1");
    let answer = link(&table, "1");
    assert_eq!(
        (&answer["link"], &answer["problems"][0]["id"]),
        (&Value::Null, &json!("edited-game-in-link"))
    );
    table.line(":undo");
    assert!(link(&table, "1")["link"].is_string());
    assert_eq!(table.post("link", &json!({})).status, 400);
    assert_eq!(table.post("link", &json!({ "id": 1 })).status, 400);
}

/// Gives a page the abilities of one without a server: games by link, and texts that outlive a visit.
const BY_LINK: &str = "(() => { const kept = new Map(); session.link = true; \
    session.kept = { get: (key) => kept.get(key) ?? null, set: (key, value) => kept.set(key, value) }; })()";

pub fn message(browser: &Browser) -> String {
    let text = browser.eval(
        "document.getElementById('linked').hidden ? '' : document.getElementById('linked-text').textContent",
    );
    text.as_str().expect("a text").to_owned()
}

#[test]
fn the_page_hands_on_a_link_and_remembers_what_it_has_seen() {
    let Some(browser) = Browser::start() else { return };
    let copy = Copy::of_all();
    let table = Table::serve(&copy.path(""), &["smalltricks"]);
    browser.width(1280, 860);
    browser.go(&table);
    assert_eq!(
        browser.eval("document.getElementById('copy-link').hidden"),
        true,
        "no link leads to a server"
    );
    browser.eval(BY_LINK);
    browser.eval(
        "globalThis.copied = []; navigator.clipboard.writeText = async (text) => { copied.push(text); }",
    );
    let of = |side: usize| table.state()["sides"][side]["name"].clone();
    // The first faction chooses in secret, and hands the link to the second.
    while table.state()["secret"] == of(0) {
        let key = first_option(&table);
        table.line(&key);
    }
    let wanted = format!("Copy link for {}", of(1).as_str().expect("a name"));
    let button = "document.getElementById('copy-link-for')";
    browser.wait(&format!(
        "{button}.checkVisibility() && {button}.textContent === {}",
        json!(wanted)
    ));
    browser.shot("link-cover");
    browser.click("#copy-link-for");
    browser.wait("copied.length === 1 && !document.getElementById('linked').hidden");
    let told = message(&browser);
    let given = table.state()["line"]["given"].clone();
    assert!(told.starts_with(&format!("copied: {given} answer")), "{told}");
    assert!(
        told.contains("decodes the link") && told.contains("keeps a hash"),
        "{told}"
    );
    browser.shot("link-secret");
    let address = browser.eval("copied[0]");
    let (before, text) = address
        .as_str()
        .and_then(|a| a.split_once("#game="))
        .expect("an address");
    assert_eq!(
        before,
        format!("http://127.0.0.1:{}/{}/", table.port, table.secret)
    );
    let there = Link::read(text).unwrap_or_else(|problem| panic!("{problem}"));
    let summary = there.summary();
    assert_eq!(
        browser.eval("link.seen()"),
        json!({ there.id.as_str(): summary["hash"] })
    );
    drop(opened(&copy, text));
    // An answer ends the message; without secrets nothing is said of them, and a refused clipboard shows the address.
    browser.eval("document.getElementById('uncover').click()");
    while !table.state()["secret"].is_null() {
        let key = first_option(&table);
        table.line(&key);
    }
    browser.wait("document.getElementById('linked').hidden && document.getElementById('cover').hidden");
    browser.eval("navigator.clipboard.writeText = async () => { throw new Error('refused'); }");
    browser.click("#copy-link");
    browser.wait("document.getElementById('linked-address').checkVisibility()");
    assert!(!message(&browser).contains("secret"), "{}", message(&browser));
    let field = "(() => { const f = document.getElementById('linked-address'); return [f.value, f.selectionEnd - f.selectionStart]; })()";
    let field = browser.eval(field);
    let shown = field[0].as_str().expect("an address");
    assert_eq!(field[1], shown.len());
    browser.shot("link-refused");
    let later = Link::read(shown.split_once("#game=").expect("a link").1).expect("it can be read");
    assert_eq!(later.id, there.id);
    // What a browser says of a link that it opens.
    let opens = |answer: &Value| {
        browser.eval(&format!("link.opened({answer})"));
        message(&browser)
    };
    assert_eq!(
        opens(&later.summary()),
        "This browser has seen all answers of this link before."
    );
    browser.eval("session.kept.set('links', null)");
    assert!(opens(&summary).contains("for the first time"));
    let more = later.summary()["answers"]
        .as_u64()
        .zip(summary["answers"].as_u64())
        .map(|(later, before)| later - before);
    assert!(opens(&later.summary()).contains(&format!("{} answers more", more.expect("numbers"))));
    assert_eq!(
        opens(&summary),
        "This browser has seen all answers of this link before."
    );
    let seen = browser.eval("link.seen()");
    assert_eq!(
        seen,
        json!({ later.id.as_str(): later.hash() }),
        "what was seen stays"
    );
    // No id stands for anything else.
    for id in ["__proto__", "constructor"] {
        let strange = json!({ "id": id, "answers": 1, "hash": "0".repeat(32) });
        assert!(opens(&strange).contains("for the first time"));
        assert!(opens(&strange).contains("seen all answers"));
    }
    // A link that changes what was seen is opened only when somebody wants it.
    let problem = json!({ "id": "changed-answer-of-link", "message": "answer 7 is another than before" });
    let changed = opens(&json!({ "id": later.id, "problems": [problem] }));
    assert!(changed.contains("answer 7 is another than before"), "{changed}");
    browser.shot("link-changed");
    browser.width(390, 844);
    browser.scheme("dark");
    browser.shot("link-phone");
    assert_eq!(browser.eval("document.documentElement.scrollWidth"), 390);
    assert_eq!(
        browser.eval("document.getElementById('linked-act').checkVisibility()"),
        true
    );
    let foreign =
        json!({ "id": "damaged-link", "message": "the link is damaged", "help": "copy the whole address" });
    let damaged = opens(&json!({ "problems": [foreign] }));
    assert!(
        damaged.ends_with("the link is damaged; copy the whole address"),
        "{damaged}"
    );
    assert_eq!(
        browser.eval("document.getElementById('linked-act').checkVisibility()"),
        false
    );
    browser.eval("location.hash = '#game=1.abc'");
    assert_eq!(browser.eval("link.text()"), "1.abc");
    browser.eval("location.hash = '#other'");
    assert_eq!(browser.eval("link.text()"), Value::Null);
    browser.no_complaints();
}
