//! The page of the table in a real browser, wherever it comes from: served by `rulebench table`, as a file that
//! `rulebench share` writes, and that file from a server of files. One list of cases runs against each.
//!
//! Without Chromium, or without a module for WebAssembly (see `wasm`), these tests say that they were skipped.

use crate::browser::{Browser, answer_by_clicks};
use crate::page::Table;
use crate::page_scripts::{EDITOR, open_script, retype};
use crate::support::{Copy, root, run_in, said, session};
use rulebench::rules::workspace::Workspace;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The source of the page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Where {
    /// `rulebench table`.
    Table,
    /// A shared file on the disk.
    File,
    /// A shared file on a server of files.
    Server,
}

/// A page that is open in the browser, with what it needs.
pub struct Opened {
    /// Its address.
    pub address: String,
    _table: Option<Table>,
    server: Option<Server>,
    /// The folder of the file.
    pub folder: Copy,
}

/// A server of one file.
struct Server {
    port: u16,
    /// First lines of the requests.
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn start(text: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let requests: Arc<Mutex<Vec<String>>> = Arc::default();
        let heard = Arc::clone(&requests);
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
                let Some(first) = lines.next() else { continue };
                // The rest of the head is read, so that the browser can send it.
                lines.take_while(|line| !line.is_empty()).for_each(drop);
                let found = first.starts_with("GET /game.html ");
                heard.lock().expect("nobody panics").push(first);
                let (status, body) = if found {
                    ("200 OK", text.as_str())
                } else {
                    ("404 Not Found", "")
                };
                let head = format!(
                    "HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                    body.len()
                );
                // A browser that has gone away wants nothing.
                let _ = stream
                    .write_all(head.as_bytes())
                    .and_then(|()| stream.write_all(body.as_bytes()));
            }
        });
        Self { port, requests }
    }
}

/// Writes the page of a game to a file.
pub fn share(folder: &Path, args: &[&str], file: &Path) {
    let file = file.display().to_string();
    let ran = run_in(folder, &[&["share"], args, &["-o", &file]].concat());
    assert_eq!(ran.status, 0, "{}", ran.page());
}

/// The condition that there is a game on the page.
pub const READY: &str = "document.body?.dataset.number && document.getElementById('picture')?.src";

impl Where {
    /// Opens a game of a folder in the browser.
    pub fn open(self, browser: &Browser, folder: &Path, args: &[&str]) -> Opened {
        let copy = Copy::of_nothing();
        let file = copy.path("game.html");
        let (mut table, mut server) = (None, None);
        let address = match self {
            Self::Table => {
                let table = table.insert(Table::serve(folder, args));
                format!("http://127.0.0.1:{}/{}/", table.port, table.secret)
            }
            Self::File => {
                share(folder, args, &file);
                format!("file://{}", file.display())
            }
            Self::Server => {
                share(folder, args, &file);
                let text = std::fs::read_to_string(&file).expect("a page");
                let server = server.insert(Server::start(text));
                format!("http://127.0.0.1:{}/game.html", server.port)
            }
        };
        go(browser, &address);
        Opened {
            address,
            _table: table,
            server,
            folder: copy,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::File => "file",
            Self::Server => "server",
        }
    }
}

impl Opened {
    /// Checks that the page has asked for nothing but itself.
    fn asked_for_itself_alone(&self, browser: &Browser) {
        if self._table.is_none() {
            let asked = std::mem::take(&mut *browser.fetched.borrow_mut());
            let own =
                |url: &String| *url == self.address || url.starts_with("data:") || url.starts_with("blob:");
            let others: Vec<&String> = asked.iter().filter(|url| !own(url)).collect();
            assert_eq!(others, [] as [&String; 0]);
        }
        if let Some(server) = &self.server {
            let requests = server.requests.lock().expect("nobody panics");
            assert!(!requests.is_empty());
            assert!(
                requests.iter().all(|line| line == "GET /game.html HTTP/1.1"),
                "{requests:?}"
            );
        }
    }
}

/// Goes to an address and waits until there is a game on its page.
pub fn go(browser: &Browser, address: &str) {
    browser.call("Page.navigate", json!({ "url": "about:blank" }));
    browser.fetched.borrow_mut().clear();
    browser.call("Page.navigate", json!({ "url": address }));
    browser.wait(READY);
}

/// Lets one person play all sides, where the page asks.
pub fn uncover(browser: &Browser) {
    if browser.eval("document.getElementById('cover').hidden") == json!(false) {
        browser.then(|| browser.click("#both"));
    }
}

/// Types a line into the page.
pub fn say(browser: &Browser, line: &str) {
    browser.then(|| {
        browser.eval(&format!(
            "document.getElementById('typed').value = {}; document.getElementById('say').requestSubmit(); true",
            json!(line)
        ));
    });
}

pub fn text(browser: &Browser, selector: &str) -> String {
    let text = browser.eval(&format!(
        "document.querySelector({}).textContent",
        json!(selector)
    ));
    text.as_str().unwrap_or_default().to_owned()
}

/// Number of answers that were given.
pub fn given(browser: &Browser) -> u64 {
    let given = browser.eval("Number(document.getElementById('moment').value)");
    given.as_u64().expect("a number")
}

/// Returns the lines of the game on the page.
pub fn events(browser: &Browser) -> String {
    let told = browser.eval(
        "session.ask('look', { line: ':events 100000' }).then((a) => a.pieces.map((piece) => piece.text).join('\\n'))",
    );
    told.as_str()
        .unwrap_or_else(|| panic!("no text: {told}"))
        .to_owned()
}

/// A game for each ground: its folder, what is opened, and the line before the clicks.
const GROUNDS: [(&str, &str, &str); 6] = [
    ("examples/custodial", "nobody-slides-over-another", ""),
    ("", "smalltricks", ""),
    ("", "very-quick-violence", ""),
    ("", "the-wager", ""),
    ("", "smashdodes", ""),
    ("examples/ring", "who-is-driven-out-is-gone", ":new ring"),
];

/// Keeps the lines that the page sends and that are not refused.
const NOTE_LINES: &str = "(() => { globalThis.sent = []; const ask = session.ask; \
    session.ask = async (kind, body) => { const answer = await ask(kind, body); \
    const wrong = answer.refused || answer.late || (answer.pieces ?? []).some((piece) => piece.kind === 'error'); \
    if (kind === 'line' && !wrong) sent.push(body.line); return answer; }; })()";

fn a_game_on_each_ground_is_played_to_its_end_by_clicks(browser: &Browser, at: Where) {
    browser.width(1280, 860);
    for (folder, start, before) in GROUNDS {
        let folder = root().join(folder);
        let opened = at.open(browser, &folder, &[start]);
        browser.eval(NOTE_LINES);
        if browser.eval("document.getElementById('door').hidden") == json!(false) {
            browser.wait("document.body.dataset.door === 'ready'");
            browser
                .eval("document.querySelectorAll('#seats select').forEach((seat) => { seat.value = 'me'; })");
            browser.click("#start");
            browser
                .wait("document.getElementById('door').hidden && document.querySelector('#options button')");
        }
        uncover(browser);
        if !before.is_empty() {
            say(browser, before);
        }
        let mut clicks = 0;
        while browser.eval("Boolean(document.querySelector('#options .how'))") == json!(false) {
            assert!(clicks < 400, "{start} does not end: {}", events(browser));
            answer_by_clicks(browser, clicks);
            clicks += 1;
        }
        browser.shot(&format!("{}-played-{start}", at.name()));
        let played = events(browser);
        let sent = browser.eval("sent");
        let sent: Vec<&str> = sent
            .as_array()
            .expect("lines")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        assert!(clicks > 4 && sent.len() >= clicks, "{start}: {sent:?}");
        let mut native = session(&Workspace::at(&folder), start);
        for line in &sent {
            said(&mut native, line);
        }
        assert_eq!(played, said(&mut native, ":events 100000"), "{start}: {sent:?}");
        eprintln!("{}: {start}: {clicks} clicks", at.name());
        opened.asked_for_itself_alone(browser);
    }
}

pub const MOUNTED: &str = "units/smalltricks/mounted.rhai";

fn a_script_is_changed_broken_and_mended(browser: &Browser, at: Where) {
    browser.width(1280, 860);
    let copy = Copy::of_all();
    let opened = at.open(browser, &copy.path(""), &["charge-into-spears"]);
    open_script(browser, MOUNTED);
    let symbol = |symbol: &str| {
        format!("document.getElementById('legend').textContent.includes('{symbol} = mounted')")
    };
    let before = given(browser);
    assert_eq!(browser.eval(&symbol("Mz")), false);
    retype(browser, "\"Mo\"", "\"Mz\"");
    browser.wait(&symbol("Mz"));
    browser.wait("document.getElementById('script-status').textContent === 'live on the board'");
    assert_eq!(given(browser), before, "the position is kept");
    // Broken: the problem is listed and underlined, and play goes on under the last good rules.
    retype(browser, "\"Mz\"", "\"Mq");
    browser.wait("document.querySelectorAll('#script-problems li').length > 0");
    browser.wait(&format!("{EDITOR}.querySelector('.cm-lintRange-error')"));
    assert!(text(browser, "#script-problems button").starts_with(&format!("{MOUNTED}:")));
    browser.shot(&format!("{}-broken", at.name()));
    assert_eq!(browser.eval(&symbol("Mz")), true);
    browser.then(|| browser.click("#options button"));
    assert_eq!(given(browser), before + 1);
    retype(browser, "\"Mq", "\"Mw\"");
    browser.wait(&symbol("Mw"));
    browser.wait("document.querySelectorAll('#script-problems li').length === 0");
    assert_eq!(given(browser), before + 1);
    opened.asked_for_itself_alone(browser);
}

/// Chooses who plays a side.
fn plays(browser: &Browser, side: &str, agent: &str) {
    browser.eval(&format!(
        "{{ const plays = document.querySelector(\"#sides select[aria-label='who plays {side}']\"); \
         plays.value = '{agent}'; plays.dispatchEvent(new Event('change')); true }}"
    ));
}

fn a_machine_answers_until_it_is_stopped(browser: &Browser, at: Where) {
    browser.width(1280, 860);
    let opened = at.open(browser, root(), &["smalltricks", "--seed", "2"]);
    uncover(browser);
    say(browser, ":auto 60");
    let of_blue = || events(browser).matches("blue activates").count();
    let before = of_blue();
    browser.then(|| plays(browser, "blue", "greedy"));
    let asked = "document.querySelector('#options button') && document.getElementById('stop').hidden \
        && document.getElementById('cover').hidden";
    let mut answers = 0;
    while of_blue() == before {
        browser.wait(asked);
        assert!(answers < 30, "{}", events(browser));
        assert_eq!(text(browser, "#sides .turn b"), "red");
        answer_by_clicks(browser, answers);
        answers += 1;
    }
    browser.wait(asked);
    browser.shot(&format!("{}-machine", at.name()));
    // Both sides by machines, until somebody stops them.
    plays(browser, "red", "greedy");
    let before = given(browser);
    browser.wait(&format!(
        "!document.getElementById('stop').hidden && Number(document.getElementById('moment').value) > {}",
        before + 1
    ));
    browser.click("#stop");
    browser.wait("document.getElementById('stop').hidden && document.querySelector('#options button')");
    let stopped = browser.number();
    std::thread::sleep(Duration::from_millis(800));
    assert_eq!(browser.number(), stopped, "nobody plays on");
    opened.asked_for_itself_alone(browser);
}

fn a_game_is_begun_and_played_by_keys_alone(browser: &Browser, at: Where) {
    browser.width(1280, 860);
    // A table opens with the door where no game is named, a file where a game is.
    let names: &[&str] = if at == Where::Table { &[] } else { &["smalltricks"] };
    let opened = at.open(browser, root(), names);
    browser.wait("document.body.dataset.door === 'ready'");
    let mut steps = 0;
    while browser.eval("document.activeElement.id") != json!("start") {
        browser.key("Tab");
        steps += 1;
        assert!(steps < 40, "{}", browser.eval("document.activeElement.outerHTML"));
    }
    browser.key("Enter");
    browser.wait("document.getElementById('door').hidden");
    for _ in 0..3 {
        browser.wait("document.querySelector('#options button') && document.getElementById('stop').hidden");
        if browser.eval("document.getElementById('cover').hidden") == json!(false) {
            browser.key("Enter");
            browser.wait("document.getElementById('cover').hidden");
        }
        let before = given(browser);
        let mut steps = 0;
        // With Tab to the options, and along them where several are taken.
        while given(browser) == before {
            steps += 1;
            assert!(steps < 60, "{}", browser.eval("document.activeElement.outerHTML"));
            let on_option = "document.activeElement.matches('#options button:not([aria-pressed=true])')";
            if browser.eval(on_option) == json!(true) {
                browser.key("Enter");
                std::thread::sleep(Duration::from_millis(300));
            }
            if given(browser) == before {
                browser.key("Tab");
            }
        }
    }
    browser.shot(&format!("{}-keys", at.name()));
    opened.asked_for_itself_alone(browser);
}

fn it_fits_on_a_phone_in_light_and_dark(browser: &Browser, at: Where) {
    browser.width(390, 844);
    for (start, before) in [
        ("charge-into-spears", ":back"),
        ("smashdodes", ":auto random 9"),
        ("the-wager", ":auto random 40"),
    ] {
        let opened = at.open(browser, root(), &[start]);
        uncover(browser);
        say(browser, before);
        browser.wait("document.querySelector('#options button')");
        // Nothing that was typed has moved it.
        browser.eval("scrollTo(0, 0); document.activeElement.blur()");
        for scheme in ["light", "dark"] {
            browser.scheme(scheme);
            let fits = browser.eval("document.documentElement.scrollWidth <= innerWidth");
            assert_eq!(fits, json!(true), "{start}");
            let bottoms = browser.eval(
                "['#question', '#options button'].map((s) => document.querySelector(s).getBoundingClientRect().bottom)\
                 .concat(document.getElementById('say').getBoundingClientRect().top)",
            );
            let number = |n: usize| bottoms[n].as_f64().expect("a height");
            assert!(
                number(0) < number(1) && number(1) <= number(2),
                "{start}: {bottoms}"
            );
            browser.shot(&format!("{}-phone-{start}-{scheme}", at.name()));
        }
        opened.asked_for_itself_alone(browser);
    }
}

type Case = (&'static str, fn(&Browser, Where));

const CASES: [Case; 5] = [
    ("clicks", a_game_on_each_ground_is_played_to_its_end_by_clicks),
    ("scripts", a_script_is_changed_broken_and_mended),
    ("machine", a_machine_answers_until_it_is_stopped),
    ("keys", a_game_is_begun_and_played_by_keys_alone),
    ("phone", it_fits_on_a_phone_in_light_and_dark),
];

/// Runs all cases, each in a browser of its own, which has kept nothing.
fn run(at: Where) {
    if at != Where::Table && crate::wasm::module().is_none() {
        return;
    }
    for (name, case) in CASES {
        let Some(browser) = Browser::start() else { return };
        eprintln!("{}: {name}", at.name());
        case(&browser, at);
        browser.no_complaints();
    }
}

#[test]
fn the_served_page_passes_all_cases() {
    run(Where::Table);
}

#[test]
fn a_page_in_a_file_passes_all_cases() {
    run(Where::File);
}

#[test]
fn a_page_in_a_file_on_a_server_passes_all_cases() {
    run(Where::Server);
}
