//! The table on a page, over plain HTTP: what a page is given, what it may do, and what is refused.

use crate::support::{Copy, root, run_in};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// A table that is served somewhere.
pub struct Page {
    pub port: u16,
    pub secret: String,
}

/// `rulebench table`, running.
pub struct Table {
    child: Child,
    page: Page,
    /// Lines that it has printed since it started.
    said: Receiver<String>,
}

impl std::ops::Deref for Table {
    type Target = Page;

    fn deref(&self) -> &Page {
        &self.page
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Answer of the server.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("{self:?} is JSON"))
    }
}

impl Table {
    /// Serves a scenario of a folder.
    pub fn serve(folder: &Path, args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rulebench"))
            .arg("table")
            .args(args)
            .current_dir(folder)
            .env("NO_COLOR", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        let page = loop {
            let line = lines.next().expect("it says where it is").expect("text");
            if let Some((_, address)) = line.split_once("the table is at http://127.0.0.1:") {
                break Page::at(address);
            }
        };
        // What else it says is read, so that it never waits.
        let (sender, said) = channel();
        std::thread::spawn(move || {
            lines.map_while(Result::ok).for_each(|line| {
                // Nobody may want to hear it.
                let _ = sender.send(line);
            });
        });
        Self { child, page, said }
    }
}

impl Page {
    /// The page of an address, from its port on.
    pub fn at(address: &str) -> Self {
        let (port, rest) = address.split_once('/').expect("a secret");
        Self {
            port: port.parse().expect("a port"),
            secret: rest.split('/').next().unwrap_or_default().to_owned(),
        }
    }

    fn host(&self) -> String {
        format!("Host: 127.0.0.1:{}", self.port)
    }

    /// Sends bytes as they are, and reads the answer to its end.
    fn raw(&self, bytes: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .expect("set");
        stream.write_all(bytes).expect("sent");
        let mut text = Vec::new();
        let _ = stream.read_to_end(&mut text);
        let text = String::from_utf8(text).expect("text");
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|s| s.parse().ok());
        Answer {
            status: status.unwrap_or(0),
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }

    fn ask(&self, method: &str, path: &str, headers: &[&str], body: &str) -> Answer {
        let mut head = format!("{method} {path} HTTP/1.1\r\n");
        for header in headers {
            head.push_str(&format!("{header}\r\n"));
        }
        head.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        self.raw(head.as_bytes())
    }

    pub fn get(&self, path: &str) -> Answer {
        self.ask("GET", &format!("/{}/{path}", self.secret), &[&self.host()], "")
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        let headers = [self.host(), "Content-Type: application/json".to_owned()];
        let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
        let path = format!("/{}/{path}", self.secret);
        self.ask("POST", &path, &headers, &body.to_string())
    }

    pub fn state(&self) -> Value {
        self.get("state").json()
    }

    pub fn line(&self, line: &str) -> Value {
        self.post("line", &json!({ "line": line })).json()
    }

    /// Sends a request of this kind.
    pub fn ask_session(&self, kind: &str, body: &Value) -> Value {
        self.post(kind, body).json()
    }

    pub fn look(&self, line: &str) -> Value {
        self.post("look", &json!({ "line": line })).json()
    }

    /// A page that listens to what is pushed.
    fn listen(&self) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .expect("set");
        let asked = format!("GET /{}/events HTTP/1.1\r\n{}\r\n\r\n", self.secret, self.host());
        stream.write_all(asked.as_bytes()).expect("sent");
        BufReader::new(stream)
    }
}

/// The next state that a page is sent.
fn pushed(page: &mut BufReader<TcpStream>) -> Value {
    let mut line = String::new();
    loop {
        line.clear();
        assert!(
            page.read_line(&mut line).expect("it comes") > 0,
            "the stream has ended"
        );
        if let Some(state) = line.strip_prefix("data: ") {
            return serde_json::from_str(state).expect("JSON");
        }
    }
}

pub fn keys(state: &Value) -> Vec<&str> {
    let options = state["question"]["options"].as_array();
    let options = options.unwrap_or_else(|| panic!("nothing is asked: {}", state["stands"]));
    options.iter().filter_map(|o| o["key"].as_str()).collect()
}

const ANSWERS: [&str; 5] = ["red.mounted1", "c4", "red.archers1", "stay", "blue.spears1"];

#[test]
fn a_game_is_played_on_a_page_as_it_is_typed() {
    let copy = Copy::of_all();
    let table = Table::serve(&copy.path(""), &["charge-into-spears"]);
    table.line(":restart");
    table.line(":back");
    let state = table.state();
    assert_eq!(state["game"], "smalltricks");
    assert_eq!(keys(&state), ["red.mounted1", "red.archers1"]);
    assert_eq!(
        state["question"]["options"][0]["on"],
        json!([{ "unit": "red.mounted1" }])
    );
    for answer in ANSWERS {
        let state = table.state();
        if keys(&state).contains(&answer) {
            let told = table
                .post("line", &json!({ "line": answer, "seen": state["number"] }))
                .json();
            assert!(told["late"].is_null(), "{told}");
        }
    }
    let saved = copy.path("clicked.txt").display().to_string();
    table.line(&format!(":save {saved}"));
    // The same at the prompt.
    let typed = copy.path("typed.txt").display().to_string();
    let lines = format!(":restart\n:back\nred.mounted1\nc4\nstay\nblue.spears1\n:save {typed}\n");
    let ran = crate::support::run_in_with(&copy.path(""), &["repl", "charge-into-spears"], &lines);
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_else(|_| panic!("{}", ran.page()));
    assert_eq!(read(&saved), read(&typed));
    assert!(read(&saved).contains("red chose move: c4"));
}

#[test]
fn ten_pages_agree_and_one_that_is_closed_loses_nothing() {
    let table = Table::serve(root(), &["charge-into-spears"]);
    let mut pages: Vec<_> = (0..10).map(|_| table.listen()).collect();
    let first: Vec<Value> = pages.iter_mut().map(pushed).collect();
    assert!(first.iter().all(|state| *state == first[0]));
    drop(pages.pop());
    let key = keys(&first[0])[0].to_owned();
    table.line(&key);
    let next: Vec<Value> = pages.iter_mut().map(pushed).collect();
    assert!(next.iter().all(|state| *state == next[0]));
    assert_eq!(next[0], table.state());
    let before = first[0]["number"].as_u64().expect("a number");
    assert_eq!(next[0]["number"], before + 1);
    assert_eq!(
        next[0]["line"]["given"],
        first[0]["line"]["given"].as_u64().expect("a number") + 1
    );
    // A page that comes later sees the same.
    assert_eq!(pushed(&mut table.listen()), next[0]);
    // Who clicks on what is no longer there changes nothing.
    let late = table.post("line", &json!({ "line": "1", "seen": before })).json();
    assert!(late["late"].is_string(), "{late}");
    assert_eq!(table.state(), next[0]);
}

#[test]
fn a_closer_look_changes_nothing() {
    let copy = Copy::of_all();
    let table = Table::serve(&copy.path(""), &["charge-into-spears"]);
    table.line(":back");
    let before = table.state();
    let reach = table.look(":reach red.mounted1");
    let (said, board) = (&reach["drawn"]["said"], &reach["drawn"]["board"]);
    assert!(said.as_str().expect("a text").contains("c4"), "{reach}");
    assert!(board.as_str().expect("a board").starts_with("<svg"), "{reach}");
    let threat = table.look(":threat blue.cannons1");
    assert!(
        threat["drawn"]["said"]
            .as_str()
            .expect("a text")
            .contains("blue.cannons1 can"),
        "{threat}"
    );
    let text = |answer: &Value| answer["pieces"][0]["text"].as_str().expect("a text").to_owned();
    let card = text(&table.look(":card red.mounted1"));
    assert!(
        card.starts_with("red.mounted1: c2\n") && card.contains("Charge: "),
        "{card}"
    );
    assert!(text(&table.look(":card c2")).starts_with("c2: red.mounted1"));
    assert!(text(&table.look(":why-not red.mounted1 f6")).contains("f6"));
    let odds = table.look(":odds");
    assert_eq!(
        odds["drawn"]["arms"][0]["choice"]["options"][0]["option"],
        "red.mounted1"
    );
    table.line("red.mounted1 c4");
    let before = [before, table.state()];
    let diff = &table.look(":diff mounted.charge=3")["drawn"]["diff"];
    assert_eq!((&diff["same"], &diff["functions"]), (&json!(false), &json!([])));
    assert!(
        diff["sides"][0]["event"]
            .as_str()
            .expect("an event")
            .contains("life 5->3"),
        "{diff}"
    );
    assert!(
        diff["sides"][1]["event"]
            .as_str()
            .expect("an event")
            .contains("life 5->2"),
        "{diff}"
    );
    let idle = &table.look(":diff fire-unmoved")["drawn"]["diff"];
    assert_eq!(idle["same"], true);
    assert_eq!(
        idle["functions"],
        json!(["`muskets.may_target` was never called"])
    );
    let number = before[1]["record"].as_array().expect("lines").iter().rev();
    let number = number
        .clone()
        .find_map(|row| row["number"].as_u64())
        .expect("something followed");
    assert!(text(&table.look(&format!(":why {number}"))).contains(".rhai:"));
    assert_eq!(before[1], table.state());
    // What does more than look does nothing, and says so.
    for line in [
        ":undo",
        "1",
        "red.archers1",
        ":board svg a.svg",
        ":reach red.mounted1 a.svg",
        ":save a",
        ":q",
        "",
    ] {
        let told = table.look(line);
        assert!(text(&told).contains("more than look"), "{line}: {told}");
    }
    assert_eq!(before[1], table.state());
    assert!(!copy.path("a.svg").exists() && !copy.path("a").exists());
}

#[test]
fn whoever_has_no_secret_or_comes_from_elsewhere_is_refused() {
    let table = Table::serve(root(), &["charge-into-spears"]);
    let before = table.state();
    let own = table.host();
    let path = |rest: &str| format!("/{}/{rest}", table.secret);
    let wrong = "0".repeat(table.secret.len());
    let json_body = json!({ "line": ":undo" }).to_string();
    let kind = "Content-Type: application/json";
    let mut refusals = Vec::new();
    let mut refused = |method: &str, path: &str, headers: &[&str]| {
        let answer = table.ask(method, path, headers, &json_body);
        assert_eq!(answer.status, 403, "{method} {path} {headers:?}: {answer:?}");
        refusals.push(answer.body);
    };
    for method in ["GET", "POST", "PUT", "OPTIONS"] {
        for other in [
            "/",
            "/line",
            "/state",
            "//",
            &format!("/{wrong}/line"),
            &format!("/{}", table.secret),
        ] {
            refused(method, other, &[&own, kind]);
        }
    }
    for host in [
        "Host: example.org",
        "Host: 127.0.0.1",
        "Host: 127.0.0.1:1",
        "Host: rulebench.example:80",
    ] {
        refused("POST", &path("line"), &[host, kind]);
    }
    refused("POST", &path("line"), &[kind]);
    refused("POST", &path("line"), &[&own, &own, kind]);
    let port = table.port;
    for origin in [
        "null".to_owned(),
        "http://example.org".to_owned(),
        format!("https://127.0.0.1:{port}"),
        format!("http://127.0.0.1:{port}.example.org"),
        "http://127.0.0.1:1".to_owned(),
    ] {
        refused("POST", &path("line"), &[&own, kind, &format!("Origin: {origin}")]);
        refused("GET", &path("events"), &[&own, &format!("Origin: {origin}")]);
    }
    refused("POST", &path("line"), &[&own, kind, "Sec-Fetch-Site: cross-site"]);
    refused("GET", &path("state"), &[&own, "Sec-Fetch-Site: same-site"]);
    // Every refusal reads the same.
    assert!(refusals.iter().all(|r| *r == refusals[0]));
    // What is no JSON, no HTTP, or too much.
    let answer = table.ask(
        "POST",
        &path("line"),
        &[&own, "Content-Type: text/plain"],
        &json_body,
    );
    assert_eq!(answer.status, 415);
    assert_eq!(table.ask("GET", &path("line"), &[&own], "").status, 405);
    for method in ["HEAD", "POST", "PUT", "DELETE", "OPTIONS"] {
        let answer = table.ask(method, &path("events"), &[&own], "");
        assert_eq!(answer.status, 405, "{method}");
    }
    for seen in [json!("x"), json!(-1), json!(1e300), json!(0.5), json!([])] {
        let answer = table.post("line", &json!({ "line": "1", "seen": seen }));
        assert_eq!(answer.status, 400, "{answer:?}");
        assert!(answer.body.contains("no request"), "{answer:?}");
    }
    let encoded = "content-type: Application/JSON; charset=utf-8";
    let answer = table.ask("POST", &path("look"), &[&own, encoded], "{\"line\": \":units\"}");
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(
        table.ask("GET", &path("../../Cargo.toml"), &[&own], "").status,
        404
    );
    assert_eq!(table.ask("POST", &path("line"), &[&own, kind], "{").status, 400);
    assert_eq!(table.raw(b"\x16\x03\x01 nonsense\r\n\r\n").status, 400);
    assert_eq!(table.raw(&[b'a'; 40_000]).status, 400);
    let long = format!(
        "POST {} HTTP/1.1\r\n{own}\r\n{kind}\r\nContent-Length: 99999999\r\n\r\n",
        path("line")
    );
    assert_eq!(table.raw(long.as_bytes()).status, 400);
    assert_eq!(table.state(), before);
    // The browser is told to trust nothing but the page's own files.
    let page = table.get("");
    for part in [
        "default-src 'none'",
        "script-src 'self'",
        "require-trusted-types-for 'script'",
        "X-Content-Type-Options: nosniff",
        "Referrer-Policy: no-referrer",
    ] {
        assert!(page.head.contains(part), "{part} is missing in {}", page.head);
    }
    assert!(!page.body.contains("http://") && !page.body.contains("https://"));
    // The scripts that the page names.
    let named = page.body.split("src=\"").skip(1);
    let named = named.filter_map(|rest| rest.split('"').next());
    let script: String = named.map(|name| table.get(name).body).collect();
    assert!(script.len() > 10_000, "{script}");
    for sink in [
        "innerHTML",
        "outerHTML",
        "insertAdjacent",
        "document.write",
        "eval(",
        "parseFromString",
    ] {
        assert!(!script.contains(sink), "the page's script has `{sink}`");
    }
    let elsewhere = |text: &str| text.replace("http://www.w3.org/2000/svg", "").contains("://");
    assert!(
        !elsewhere(&script)
            && !elsewhere(&table.get("page.css").body)
            && !elsewhere(&table.get("look.css").body)
    );
}

#[test]
fn of_a_line_that_is_far_too_long_the_beginning_is_shown_where_the_table_is_served() {
    let table = Table::serve(root(), &["charge-into-spears"]);
    assert!(
        table
            .line(&"x".repeat(400_000))
            .to_string()
            .contains("is too long")
    );
    let said: Vec<String> = std::iter::from_fn(|| table.said.recv_timeout(Duration::from_secs(60)).ok())
        .take_while(|line| !line.contains("is too long"))
        .collect();
    assert!(said.iter().any(|line| line.ends_with("xxx...")), "{said:?}");
    assert!(said.iter().all(|line| line.len() < 200));
}

#[test]
fn what_is_chosen_in_secret_is_on_no_page_of_the_others() {
    let table = Table::serve(root(), &["smalltricks"]);
    let mut seen = 0;
    for _ in 0..60 {
        let state = table.state();
        let Some(who) = state["secret"].as_str() else {
            break;
        };
        if who == "red" {
            table.line(state["question"]["options"][0]["say"].as_str().expect("a key"));
            continue;
        }
        // Red has chosen its types: blue's page knows of none.
        let told = format!("{}{}{}", state["record"], state["told"], state["board"]["units"]);
        assert!(!told.contains("red chose") && !told.contains("red."), "{told}");
        let last = state["told"]
            .as_array()
            .and_then(|t| t.last())
            .cloned()
            .unwrap_or_default();
        assert_eq!(
            (&last["line"], &last["pieces"][0]["kind"]),
            (&json!(""), &json!("cover")),
            "{last}"
        );
        seen += 1;
        break;
    }
    assert_eq!(seen, 1, "blue was never asked in secret");
}

#[test]
fn what_is_hidden_whatever_the_phase_is_on_no_page_of_the_others() {
    let table = Table::serve(&root().join("examples/ambush"), &["a-scout-in-the-way"]);
    let shown = |state: &Value| format!("{}{}{}", state["record"], state["told"], state["board"]);
    let state = table.state();
    assert_eq!(state["secret"], "blue");
    let seen = shown(&state);
    assert!(
        seen.contains("red.tokens1") && !seen.contains("red.scouts1"),
        "{seen}"
    );
    // The negative control: red sees its scout.
    table.line("blue.tokens1 b3");
    let state = table.state();
    assert_eq!(state["secret"], "red");
    assert!(shown(&state).contains("red.scouts1"));
}

#[test]
fn whoever_says_nothing_or_nonsense_keeps_nobody_waiting() {
    let table = Table::serve(root(), &["charge-into-spears"]);
    table.line(":back");
    // Those that say nothing, those that stop in the middle, and those that go without waiting.
    let connect = || TcpStream::connect(("127.0.0.1", table.port)).expect("it listens");
    let silent: Vec<TcpStream> = (0..40).map(|_| connect()).collect();
    let path = format!("/{}/line", table.secret);
    let mut halves: Vec<TcpStream> = (0..20).map(|_| connect()).collect();
    for half in &mut halves {
        half.write_all(format!("POST {path} HTTP/1.1\r\nHost: 127").as_bytes())
            .expect("sent");
    }
    let body = json!({ "line": "1" }).to_string();
    let head = format!(
        "POST {path} HTTP/1.1\r\n{}\r\nContent-Type: application/json\r\n",
        table.host()
    );
    let mut short = connect();
    short
        .write_all(format!("{head}Content-Length: 500\r\n\r\n{body}").as_bytes())
        .expect("sent");
    let began = Instant::now();
    assert_eq!(keys(&table.state()), ["red.mounted1", "red.archers1"]);
    table.line("red.mounted1");
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    // A page that asks and goes: what it sent counts, and nothing hangs.
    let mut gone = connect();
    let whole = json!({ "line": "c4" }).to_string();
    gone.write_all(format!("{head}Content-Length: {}\r\n\r\n{whole}", whole.len()).as_bytes())
        .expect("sent");
    drop(gone);
    let deadline = Instant::now() + Duration::from_secs(20);
    while !table.state()["record"].to_string().contains("red chose move: c4") {
        assert!(Instant::now() < deadline, "{}", table.state()["record"]);
        std::thread::sleep(Duration::from_millis(20));
    }
    // What is no request, or none that can be read.
    assert_eq!(table.raw(b"GET / HTTP/1.0\r\n\r\n").status, 403);
    assert_eq!(table.raw(b"GET\r\n\r\n").status, 400);
    let long = format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "a".repeat(20_000));
    assert_eq!(table.raw(long.as_bytes()).status, 400);
    let many: String = (0..70).map(|n| format!("X{n}: y\r\n")).collect();
    assert_eq!(
        table
            .raw(format!("GET / HTTP/1.1\r\n{many}\r\n").as_bytes())
            .status,
        400
    );
    let negative = format!("{head}Content-Length: -1\r\n\r\n");
    assert_eq!(table.raw(negative.as_bytes()).status, 400);
    let twice = format!("{head}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd");
    assert_eq!(table.raw(twice.as_bytes()).status, 400);
    drop((silent, halves, short));
    assert!(table.line(":undo")["pieces"][0]["kind"] == "text");
}

#[test]
fn a_thousand_slow_strangers_do_not_keep_a_page_waiting() {
    let table = Table::serve(root(), &["charge-into-spears"]);
    table.line(":back");
    let address = ("127.0.0.1", table.port);
    // The machine has no thousand free handles everywhere, so that they come in turns.
    let mut strangers: Vec<TcpStream> = Vec::new();
    for _ in 0..4 {
        strangers.truncate(100);
        for _ in 0..250 {
            let mut stranger = TcpStream::connect(address).expect("it listens");
            let _ = stranger.write_all(b"POST /");
            strangers.push(stranger);
        }
        let began = Instant::now();
        assert_eq!(keys(&table.state()), ["red.mounted1", "red.archers1"]);
        assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    }
    // Whoever named the secret keeps its place.
    let mut page = table.listen();
    let first = pushed(&mut page);
    for _ in 0..50 {
        strangers.push(TcpStream::connect(address).expect("it listens"));
    }
    table.line("red.mounted1");
    assert_ne!(pushed(&mut page)["number"], first["number"]);
    // A stranger that stays slow is sent away, and does not wait for long.
    let began = Instant::now();
    let mut rest = Vec::new();
    let _ = strangers.pop().expect("there are some").read_to_end(&mut rest);
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}

#[test]
fn of_ten_pages_that_answer_at_once_one_is_heard() {
    let table = Table::serve(root(), &["charge-into-spears"]);
    table.line(":back");
    let seen = table.state()["number"].clone();
    let answer = json!({ "line": "red.mounted1", "seen": seen });
    let page: &Page = &table;
    let late: Vec<bool> = std::thread::scope(|scope| {
        let pages: Vec<_> = (0..10)
            .map(|_| scope.spawn(|| page.post("line", &answer).json()["late"].is_string()))
            .collect();
        pages
            .into_iter()
            .map(|page| page.join().expect("it is answered"))
            .collect()
    });
    assert_eq!(late.iter().filter(|late| !**late).count(), 1, "{late:?}");
    let state = table.state();
    assert_eq!(state["number"].as_u64(), seen.as_u64().map(|seen| seen + 1));
    assert!(keys(&state).contains(&"c4"), "{state}");
}

#[test]
fn what_changed_for_a_unit_does_not_cover_its_letters() {
    let table = Table::serve(root(), &["charge-into-spears"]);
    table.line(":restart");
    table.line(":back");
    table.line("red.mounted1 c4");
    let state = table.state();
    let units = state["board"]["units"].as_array().expect("units");
    let unit = units
        .iter()
        .find(|unit| unit["name"] == "red.mounted1")
        .expect("it is there");
    let svg = state["board"]["svg"].as_str().expect("a picture");
    let badge = svg
        .split("class=\"badge\" data-unit=\"red.mounted1\"")
        .nth(1)
        .expect("a badge");
    let star = badge
        .split("translate(")
        .nth(1)
        .and_then(|star| star.split(')').next());
    let star: Vec<f64> = star
        .expect("a place")
        .split(' ')
        .filter_map(|n| n.parse().ok())
        .collect();
    let away = |n: usize, axis: &str| star[n] - unit["at"][axis].as_f64().expect("a number");
    // Two letters are at most 25 wide and 13 high, around a point a little above the middle.
    let (x, y) = (
        (away(0, "x").abs() - 13.0).max(0.0),
        (-8.0 - away(1, "y")).max(0.0),
    );
    assert!(x.hypot(y) >= 11.0, "{star:?} of {unit}");
    assert!(
        state["board"]["legend"].to_string().contains("Mo = mounted"),
        "{}",
        state["board"]["legend"]
    );
}

#[test]
fn a_line_does_not_wait_for_what_is_only_looked_at() {
    let table = Table::serve(root(), &["very-quick-violence"]);
    table.line("both");
    table.line(":auto random 12");
    let state = table.state();
    let unit = state["board"]["units"][0]["name"]
        .as_str()
        .expect("a unit")
        .to_owned();
    // Where spots are offered, a unit is not, and the rules say why.
    let mover = state["question"]["region"].as_str();
    assert!(
        mover.is_some_and(|name| name.contains('.')),
        "{}",
        state["question"]
    );
    let svg = state["board"]["svg"].as_str().expect("a board");
    assert!(svg.contains("class=\"over\""), "the region is lit");
    let why = table.look(&format!(":why-not {unit}"));
    assert!(
        why["pieces"][0]["text"]
            .as_str()
            .expect("a text")
            .contains("is not offered"),
        "{why}"
    );
    let page = Page {
        port: table.port,
        secret: table.secret.clone(),
    };
    let asked = format!(":threat {unit}");
    let began = Instant::now();
    let looked = std::thread::spawn(move || page.look(&asked));
    std::thread::sleep(Duration::from_millis(60));
    let sent = Instant::now();
    table.line("1");
    let waited = sent.elapsed();
    let told = looked.join().expect("it is answered");
    eprintln!(
        "a line beside a look: {waited:?}; the look ended after {:?}",
        began.elapsed()
    );
    assert!(
        told["late"].is_string() || told["drawn"]["said"].is_string(),
        "{told}"
    );
    // The game is where the line has brought it.
    assert_eq!(
        table.state()["line"]["given"],
        state["line"]["given"].as_u64().expect("a number") + 1
    );
}

#[test]
fn a_trace_can_be_folded_on_the_page() {
    let table = Table::serve(root(), &["charge-into-spears"]);
    let told = table.look(":trace counter_charge");
    let fold = &told["pieces"][0]["parts"][1];
    let head = fold["head"].as_str().expect("a head");
    assert!(
        head.starts_with("counter_charge(blue.spears1, red.mounted1)"),
        "{told}"
    );
    assert_eq!(fold["open"], true);
    let statement = fold["parts"][0]["text"].as_str().expect("a statement");
    assert!(
        statement.contains("in_counter_range(me, rider)") && statement.contains("me = blue.spears1"),
        "{told}"
    );
    let inner = &fold["parts"][1];
    assert!(
        inner["head"]
            .as_str()
            .is_some_and(|head| head.starts_with("in_counter_range(")),
        "{told}"
    );
    assert_eq!(inner["open"], false);
    assert!(
        told["pieces"][0]["text"]
            .as_str()
            .is_some_and(|text| text.contains(head))
    );
}

#[test]
fn two_tables_have_different_secrets() {
    let (one, two) = (Table::serve(root(), &[]), Table::serve(root(), &[]));
    assert_eq!(one.secret.len(), 48);
    assert_ne!(one.secret, two.secret);
}

#[test]
fn a_saved_script_is_live_on_the_page_with_its_notice_or_its_error() {
    let copy = Copy::of_all();
    let table = Table::serve(&copy.path(""), &["charge-into-spears"]);
    let mut page = table.listen();
    pushed(&mut page);
    let script = "units/smalltricks/spears.rhai";
    copy.replace(script, "fn melee(me) {", "fn melee(me) {\n    let twice = 2;");
    let told = |state: &Value| {
        state["told"]
            .as_array()
            .and_then(|t| t.last())
            .cloned()
            .unwrap_or_default()
    };
    let reloaded = told(&pushed(&mut page));
    assert!(
        reloaded["pieces"][0]["text"]
            .as_str()
            .expect("a text")
            .contains("(melee changed); board kept")
    );
    copy.replace(script, "let twice = 2;", "let twice = ;");
    let broken = told(&pushed(&mut page));
    assert_eq!(broken["pieces"][0]["kind"], "error", "{broken}");
    assert!(
        broken["pieces"][0]["text"]
            .as_str()
            .expect("a text")
            .contains("let twice = ;")
    );
    // The last good rules stay.
    assert_eq!(table.line(":options")["pieces"][0]["kind"], "text");
}

#[test]
fn a_machine_plays_a_side_at_a_pace_that_can_be_followed_and_is_stopped() {
    let table = Table::serve(root(), &["charge-into-spears"]);
    let mut page = table.listen();
    pushed(&mut page);
    let began = Instant::now();
    table.line(":plays blue random");
    assert_eq!(pushed(&mut page)["sides"][1]["agent"], "random");
    let mut given = Vec::new();
    for _ in 0..2 {
        let state = pushed(&mut page);
        assert!(state["told"].as_array().expect("a list").last().expect("one")["line"] == "");
        given.push(state["line"]["given"].clone());
    }
    assert_ne!(given[0], given[1]);
    assert!(
        began.elapsed() > Duration::from_millis(900),
        "{:?}",
        began.elapsed()
    );
    let table = Table::serve(root(), &["charge-into-spears"]);
    table.line(":plays blue mcts:100000000");
    assert_eq!(table.post("stop", &json!({})).status, 200);
    let deadline = Instant::now() + Duration::from_secs(30);
    while !table.state()["sides"][1]["agent"].is_null() {
        assert!(Instant::now() < deadline, "it was not stopped");
        table.post("stop", &json!({}));
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn what_is_wrong_with_a_table_is_said() {
    let ran = run_in(root(), &["table", "chrage-into-spears"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("charge-into-spears"), "{}", ran.page());
    // Lines that are piped in cannot be listened to beside a page.
    let ran = crate::support::run_in_with(root(), &["repl", "charge-into-spears"], ":page\n:page off\n");
    assert_eq!(ran.status, 2);
    assert!(
        ran.flat().contains("`rulebench table SCENARIO` serves one"),
        "{}",
        ran.page()
    );
    assert!(ran.out.contains("no page is served"), "{}", ran.page());
}

/// The state as soon as it is as wanted.
fn state_when(table: &Table, wanted: impl Fn(&Value) -> bool) -> Value {
    let until = Instant::now() + Duration::from_secs(30);
    loop {
        let state = table.state();
        if wanted(&state) {
            return state;
        }
        assert!(Instant::now() < until, "{}", state["told"]);
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn between_two_answers_of_agents_questions_and_who_plays_are_heard() {
    let table = Table::serve(root(), &["charge-into-spears"]);
    // Agents take their time where somebody looks on.
    let _page = table.listen();
    table.line(":restart");
    table.line(":plays blue random");
    table.line(":plays red random");
    let given = |state: &Value| state["line"]["given"].as_u64().expect("a number");
    let first = state_when(&table, |state| given(state) > 0);
    state_when(&table, |state| given(state) > given(&first));
    // All of this is sent from a page that shows a state of long ago.
    let send = |line: &str| {
        table
            .post("line", &json!({ "line": line, "seen": first["number"] }))
            .json()
    };
    let told = send("unit(\"red.archers1\").name");
    assert_eq!(told["pieces"][0]["text"], "red.archers1", "{told}");
    assert!(send(":units")["pieces"][0]["text"].is_string());
    for line in [
        "red.archers1",
        "1",
        "c4",
        "\"c4\", \"stay\"",
        ":undo",
        ":set max_rounds=8",
    ] {
        let late = send(line);
        let said = late["late"].as_str().unwrap_or_else(|| panic!("{line}: {late}"));
        assert!(said.contains("look again") && said.contains("Stop"), "{said}");
    }
    // None of it has kept the agents from going on.
    let now = table.state();
    assert!(now["thinking"].is_string(), "{now}");
    let told = send(":plays red me");
    assert!(told["late"].is_null(), "{told}");
    let state = state_when(&table, |state| state["thinking"].is_null());
    assert_eq!(state["sides"][0]["agent"], Value::Null);
    assert_eq!(state["sides"][1]["agent"], "random");
    assert!(!keys(&state).is_empty(), "a person is asked: {state}");
    // They had not played to the end before they heard of it.
    assert!(given(&state) < given(&first) + 20, "{state}");
}

#[test]
fn what_changes_the_table_that_is_seen_has_agents_wait() {
    let table = Table::serve(root(), &["charge-into-spears"]);
    let _page = table.listen();
    table.line(":restart");
    table.line(":plays blue random");
    table.line(":plays red random");
    let told = table.line("red.archers1").to_string();
    assert!(told.contains(" is asked now, and random plays it"), "{told}");
    let told = table.line(":set max_rounds=8").to_string();
    assert!(told.contains("waits; `:plays "), "{told}");
    let state = table.state();
    assert!(state["thinking"].is_null() && !keys(&state).is_empty(), "{state}");
}
