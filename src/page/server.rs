//! A small server for one table: HTTP on this machine's loopback address, one answer to a connection, and a
//! stream of states to each page that is open. It knows no game and no session: it hands on what pages ask,
//! and pushes what it is given.
//!
//! Who has no secret gets the same refusal whatever is asked. The secret stands in the address's path, so that
//! everything that a page fetches is named relative to it; no cookie is needed, and no other site knows it.

use super::browser;
use crate::progress::interrupt_soon;
use crate::repl::output::Output;
use crate::repl::session::Session;
use crate::report::Problem;
use crate::work::Work;
use rulebench_session::page::PageRequest;
use rulebench_session::page::page_session::{OpenPages, PageHost};
use serde_json::{Value, json};
use std::collections::{HashMap, VecDeque};
use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

rulebench_lang::problems! {
    fn unserved_page(error: impl std::fmt::Display) = "no page can be served: {error}";
}

/// Maximum size of the HTTP header, in bytes.
const MOST_HEAD: usize = 16 << 10;
/// Maximum size of the body, in bytes: the longest line, with every character escaped.
const MOST_BODY: usize = 512 << 10;
/// Maximum number of header lines.
const MOST_HEADERS: usize = 64;
/// Maximum number of open connections that have named the secret: those of a hundred pages.
const MOST_OPEN: usize = 200;
/// Maximum number of connections that have not named the secret yet. The oldest one gives way to a new one.
const MOST_STRANGERS: usize = 16;
/// Time in which a connection must send its whole request.
const TIME_TO_ASK: Duration = Duration::from_secs(2);
/// Time after which an answer that nobody reads is given up.
const PATIENCE: Duration = Duration::from_secs(10);
/// Interval at which a stream is tested, to notice that a page was closed.
const BEAT: Duration = Duration::from_secs(10);
/// The page may run its own script and show its own pictures, and nothing from anywhere else. Whatever becomes
/// markup or script by accident is refused by the browser.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
                      require-trusted-types-for 'script'; trusted-types 'none'";

/// The requests that came before this one. Nobody waits for it any more where something later is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EarlierRequests {
    /// The page that it came from.
    page: u64,
    /// The number of the last look that somebody asked for there, itself if it is one.
    look: usize,
    /// The number of this glance, if it is one.
    glance: Option<usize>,
}

/// A request, and the channel for its answer.
pub struct PendingRequest {
    request: PageRequest,
    /// For a look: the requests before it.
    since: Option<EarlierRequests>,
    hub: Arc<Hub>,
    answer: Sender<Value>,
}

impl PendingRequest {
    /// Lets the session answer. For a line that was sent, returns that line and its output.
    pub fn answer_by(self, session: &mut Session) -> Option<(String, Output)> {
        let hub = Arc::clone(&self.hub);
        let ask = || session.page_asks(self.request);
        let (answer, told) = match self.since {
            None => ask(),
            Some(since) => hub
                .look(since, ask)
                .unwrap_or_else(|| (json!({ "late": "something else was asked meanwhile" }), None)),
        };
        // Whoever asked may have gone; what was sent counts all the same.
        let _ = self.answer.send(answer);
        told
    }
}

/// Hands what pages want to the session; false when there is none any more.
pub type AskSession = Arc<dyn Fn(PendingRequest) -> bool + Send + Sync>;

/// The state that the threads of the server share.
struct Hub {
    secret: String,
    port: u16,
    ask: AskSession,
    /// Stops what takes long.
    stop: Arc<AtomicBool>,
    work: Work,
    open: AtomicUsize,
    strangers: Mutex<Strangers>,
    closed: AtomicBool,
    shown: Mutex<SharedState>,
    /// The number of lines that wait for the session.
    lines: AtomicUsize,
    /// By page, the number of the last look that somebody asked for, or closed.
    looks: Mutex<HashMap<u64, usize>>,
    /// The number of the last glance.
    glances: AtomicUsize,
    /// The view that the session computes now, and for which page.
    looking: Mutex<(LookState, u64)>,
}

/// Requests that may interrupt the view that the session computes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum LookState {
    /// It does not.
    #[default]
    Nothing,
    /// By a line or another look.
    Look,
    /// By those or another glance.
    Glance,
}

/// The connections that have not named the secret yet, the oldest first.
#[derive(Default)]
struct Strangers {
    /// The number of the last one.
    last: u64,
    waiting: VecDeque<(u64, TcpStream)>,
}

impl Strangers {
    /// Takes a connection in and returns its number; where there is no place left, the oldest one is closed.
    fn take_in(&mut self, stream: TcpStream) -> u64 {
        self.last += 1;
        self.waiting.push_back((self.last, stream));
        if self.waiting.len() > MOST_STRANGERS
            && let Some((_, oldest)) = self.waiting.pop_front()
        {
            let _ = oldest.shutdown(Shutdown::Both);
        }
        self.last
    }

    fn take_out(&mut self, number: u64) {
        self.waiting.retain(|(other, _)| *other != number);
    }
}

/// The state that pages show, and who shows it.
#[derive(Default)]
struct SharedState {
    state: Arc<str>,
    pages: Vec<Sender<Arc<str>>>,
}

impl Hub {
    fn shared_state(&self) -> MutexGuard<'_, SharedState> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn strangers(&self) -> MutexGuard<'_, Strangers> {
        self.strangers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn looking(&self) -> MutexGuard<'_, (LookState, u64)> {
        self.looking.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of a page's last look; with `next` another one begins.
    fn last_look(&self, page: u64, next: bool) -> usize {
        let mut looks = self.looks.lock().unwrap_or_else(PoisonError::into_inner);
        // Pages that have gone for long are no longer told apart.
        if looks.len() > MOST_OPEN {
            looks.clear();
        }
        let last = looks.entry(page).or_default();
        *last += usize::from(next);
        *last
    }

    /// Stops what the session looks at, where it can be stopped by what has come: from a page, or whatever it looks at.
    fn hurry(&self, by: &[LookState], page: Option<u64>) {
        let (looking, whose) = *self.looking();
        if by.contains(&looking) && page.is_none_or(|page| page == whose) {
            self.work.stop();
        }
    }

    /// Looks at something, unless nobody waits for it any more: what was done, if it came to an end.
    fn look<T>(&self, since: EarlierRequests, look: impl FnOnce() -> T) -> Option<T> {
        let overtaken = || {
            let last = |count: &AtomicUsize| count.load(Ordering::SeqCst);
            let later = |glance| glance != last(&self.glances);
            let looked = since.look != self.last_look(since.page, false);
            last(&self.lines) > 0 || looked || since.glance.is_some_and(later)
        };
        let looking = match since.glance {
            Some(_) => LookState::Glance,
            None => LookState::Look,
        };
        *self.looking() = (looking, since.page);
        let found = (!overtaken()).then(look);
        *self.looking() = (LookState::Nothing, 0);
        let left = self.work.take_undone();
        found.filter(|_| left.is_empty() || !overtaken())
    }

    /// Hands a request to the session and waits for its answer.
    fn request(self: &Arc<Self>, request: PageRequest, since: Option<EarlierRequests>) -> HttpResponse {
        let (sender, answer) = channel();
        let sent = (self.ask)(PendingRequest {
            request,
            since,
            hub: Arc::clone(self),
            answer: sender,
        });
        match answer.recv() {
            Ok(value) if sent => HttpResponse::json(200, &value),
            _ => HttpResponse::refused(503, "the session is over"),
        }
    }
}

/// A table that is served until it is dropped.
pub struct Server {
    hub: Arc<Hub>,
}

impl Server {
    /// Returns what opens the pages of a session whose requests come to `ask`.
    pub fn opener(ask: AskSession) -> OpenPages {
        Box::new(move |stop, work| Ok(Box::new(Self::open(Arc::clone(&ask), stop, work)?)))
    }

    /// Serves pages on a free port. `stop` is raised when a page wants to stop what takes long.
    ///
    /// # Errors
    ///
    /// No port, no thread or no random numbers to be had.
    pub fn open(ask: AskSession, stop: Arc<AtomicBool>, work: Work) -> Result<Self, Problem> {
        let mut secret = [0u8; 24];
        getrandom::fill(&mut secret).map_err(unserved_page)?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(unserved_page)?;
        let port = listener.local_addr().map_err(unserved_page)?.port();
        let hub = Arc::new(Hub {
            secret: secret.iter().map(|byte| format!("{byte:02x}")).collect(),
            port,
            ask,
            stop,
            work,
            open: AtomicUsize::new(0),
            strangers: Mutex::default(),
            closed: AtomicBool::new(false),
            shown: Mutex::default(),
            lines: AtomicUsize::new(0),
            looks: Mutex::default(),
            glances: AtomicUsize::new(0),
            looking: Mutex::default(),
        });
        let shared = Arc::clone(&hub);
        std::thread::Builder::new()
            .name("page".to_owned())
            .spawn(move || listen(&listener, &shared))
            .map_err(unserved_page)?;
        Ok(Self { hub })
    }
}

impl PageHost for Server {
    /// The address has the secret in it.
    fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.hub.port, self.hub.secret)
    }

    fn browse(&self) -> bool {
        browser::open(&self.address())
    }

    fn show(&self, state: &Value) {
        let state: Arc<str> = state.to_string().into();
        let mut shown = self.hub.shared_state();
        shown.pages.retain(|page| page.send(Arc::clone(&state)).is_ok());
        shown.state = state;
    }

    fn pages(&self) -> usize {
        self.hub.shared_state().pages.len()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.hub.closed.store(true, Ordering::SeqCst);
        self.hub.shared_state().pages.clear();
        // Whoever listens wakes up, and sees that it is over.
        drop(TcpStream::connect((Ipv4Addr::LOCALHOST, self.hub.port)));
    }
}

fn listen(listener: &TcpListener, hub: &Arc<Hub>) {
    for stream in listener.incoming() {
        if hub.closed.load(Ordering::SeqCst) {
            return;
        }
        let Ok(stream) = stream else { continue };
        let Ok(same) = stream.try_clone() else { continue };
        let number = hub.strangers().take_in(same);
        let shared = Arc::clone(hub);
        let served = std::thread::Builder::new()
            .name("page".to_owned())
            .spawn(move || {
                // A page that has gone away is told nothing more.
                let _ = serve(stream, number, &shared);
                shared.strangers().take_out(number);
            });
        if served.is_err() {
            hub.strangers().take_out(number);
        }
    }
}

/// The request of a connection.
#[derive(Default)]
struct HttpRequest {
    method: String,
    path: String,
    host: Option<String>,
    origin: Option<String>,
    site: Option<String>,
    content: Option<String>,
    body: Vec<u8>,
}

/// An answer: its status, the type of what it holds, and that.
struct HttpResponse(u16, &'static str, String);

impl HttpResponse {
    fn json(status: u16, value: &Value) -> Self {
        Self(status, "application/json", value.to_string())
    }

    fn refused(status: u16, why: &str) -> Self {
        Self::json(status, &json!({ "refused": why }))
    }
}

/// A place among the open connections that have named the secret, until it is dropped.
struct Place<'h>(&'h AtomicUsize);

impl<'h> Place<'h> {
    fn take(open: &'h AtomicUsize) -> Option<Self> {
        let place = Self(open);
        (open.fetch_add(1, Ordering::SeqCst) < MOST_OPEN).then_some(place)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Answers a connection, which is a stranger with this number until it has named the secret.
fn serve(mut stream: TcpStream, number: u64, hub: &Arc<Hub>) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.set_nodelay(true)?;
    let local = |address: SocketAddr| address.ip().is_loopback();
    let read = read(&mut stream)?;
    let answer = match &read {
        _ if !stream.peer_addr().is_ok_and(local) => forbidden(),
        Err(why) => HttpResponse::refused(400, why),
        Ok(request) => match path_of(request, hub) {
            Err(answer) => answer,
            Ok(path) => {
                hub.strangers().take_out(number);
                match (Place::take(&hub.open), path) {
                    (None, _) => HttpResponse::refused(503, "too many pages are open"),
                    (Some(_place), "events") if request.method == "GET" => return push(stream, hub),
                    (Some(_place), path) => answered(request, path, hub),
                }
            }
        },
    };
    let HttpResponse(status, kind, body) = answer;
    let head = head(status, kind, &format!("Content-Length: {}\r\n", body.len()));
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())?;
    stream.flush()?;
    stream.shutdown(Shutdown::Write)
}

/// The same for whoever may not ask, whatever was asked.
fn forbidden() -> HttpResponse {
    HttpResponse::refused(403, "this is no page of yours")
}

/// Returns the path below the secret, if the request is allowed.
fn path_of<'r>(request: &'r HttpRequest, hub: &Arc<Hub>) -> Result<&'r str, HttpResponse> {
    let here = [
        format!("127.0.0.1:{}", hub.port),
        format!("localhost:{}", hub.port),
    ];
    let own_host = request.host.as_ref().is_some_and(|host| here.contains(host));
    let own_origin = request.origin.as_ref().is_none_or(|origin| {
        origin
            .strip_prefix("http://")
            .is_some_and(|host| here.iter().any(|h| h == host))
    });
    let sites = ["same-origin", "none"];
    let own_site = request
        .site
        .as_ref()
        .is_none_or(|site| sites.contains(&site.as_str()));
    // Whoever follows a link to the page from elsewhere has been given its address.
    let own_site =
        own_site || request.method == "GET" && request.origin.is_none() && request.path.ends_with('/');
    let (secret, path) = request
        .path
        .strip_prefix('/')
        .and_then(|p| p.split_once('/'))
        .unwrap_or_default();
    if own_host && own_origin && own_site && is_same(secret, &hub.secret) {
        return Ok(path);
    }
    Err(forbidden())
}

/// Whether two texts are the same, in a time that does not tell where they differ.
fn is_same(a: &str, b: &str) -> bool {
    let differ = a.bytes().zip(b.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
    a.len() == b.len() && differ == 0
}

fn answered(request: &HttpRequest, path: &str, hub: &Arc<Hub>) -> HttpResponse {
    let file = super::file(path);
    match (request.method.as_str(), path, file) {
        ("GET", _, Some((kind, text))) => HttpResponse(200, kind, text),
        ("GET", "state", _) => HttpResponse(200, "application/json", hub.shared_state().state.to_string()),
        (
            "POST",
            "line" | "look" | "measure" | "door" | "sources" | "write" | "link" | "leave" | "stop",
            _,
        ) => {
            // What stands behind the kind, such as how it is encoded, JSON leaves no choice of.
            let kind = request.content.as_deref().and_then(|kind| kind.split(';').next());
            if !kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json")) {
                return HttpResponse::refused(415, "what is sent is JSON");
            }
            if path == "stop" {
                hub.stop.store(true, Ordering::SeqCst);
                hub.work.stop();
                let work = hub.work.clone();
                interrupt_soon(&hub.work, move || work.is_active() && work.is_stopped());
                return HttpResponse::json(200, &json!({}));
            }
            let mut sent: Value = serde_json::from_slice(&request.body).unwrap_or_default();
            let page = sent["page"].as_u64().unwrap_or_default();
            if path == "leave" {
                hub.last_look(page, true);
                hub.hurry(&[LookState::Look, LookState::Glance], Some(page));
                return HttpResponse::json(200, &json!({}));
            }
            let glances = sent["glance"] == true;
            if let Some(fields) = sent.as_object_mut() {
                fields.insert("kind".to_owned(), path.into());
                // They are for the server.
                fields.retain(|field, _| field != "page" && field != "glance");
            }
            let wish = match serde_json::from_value(sent) {
                Ok(wish) => wish,
                Err(why) => return HttpResponse::refused(400, &format!("that is no request: {why}")),
            };
            if path != "look" {
                hub.lines.fetch_add(1, Ordering::SeqCst);
                hub.hurry(&[LookState::Look, LookState::Glance], None);
                let answer = hub.request(wish, None);
                hub.lines.fetch_sub(1, Ordering::SeqCst);
                return answer;
            }
            let since = EarlierRequests {
                page,
                look: hub.last_look(page, !glances),
                glance: glances.then(|| hub.glances.fetch_add(1, Ordering::SeqCst) + 1),
            };
            match glances {
                true => hub.hurry(&[LookState::Glance], None),
                false => hub.hurry(&[LookState::Look, LookState::Glance], Some(page)),
            }
            hub.request(wish, Some(since))
        }
        (
            _,
            "" | "state" | "events" | "line" | "look" | "measure" | "door" | "sources" | "write" | "link"
            | "leave" | "stop",
            _,
        )
        | (_, _, Some(_)) => HttpResponse::refused(405, "not in this way"),
        _ => HttpResponse::refused(404, "there is nothing of that name"),
    }
}

/// Sends every state as it comes, until the page or the session is gone.
fn push(mut stream: TcpStream, hub: &Arc<Hub>) -> io::Result<()> {
    let (sender, states) = channel();
    {
        let mut shown = hub.shared_state();
        // The first is the one that is there.
        let _ = sender.send(Arc::clone(&shown.state));
        shown.pages.push(sender);
    }
    stream.write_all(head(200, "text/event-stream", "").as_bytes())?;
    loop {
        match states.recv_timeout(BEAT) {
            // JSON has no line ends of its own.
            Ok(state) => stream.write_all(format!("data: {state}\n\n").as_bytes())?,
            Err(RecvTimeoutError::Timeout) => stream.write_all(b": still here\n\n")?,
            Err(RecvTimeoutError::Disconnected) => break,
        }
        stream.flush()?;
    }
    stream.write_all(b"event: over\ndata: {}\n\n")?;
    stream.shutdown(Shutdown::Write)
}

fn head(status: u16, kind: &str, more: &str) -> String {
    let reason = match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        415 => "Unsupported Media Type",
        _ => "Service Unavailable",
    };
    format!(
        "HTTP/1.1 {status} {reason}\r\nContent-Type: {kind}; charset=utf-8\r\n{more}\
         Content-Security-Policy: {POLICY}\r\nX-Content-Type-Options: nosniff\r\n\
         Referrer-Policy: no-referrer\r\nCache-Control: no-store\r\n\
         Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin\r\n\
         Connection: close\r\n\r\n"
    )
}

/// Reads what is asked, or says why it is nothing that can be.
fn read(stream: &mut TcpStream) -> io::Result<Result<HttpRequest, &'static str>> {
    let until = Instant::now() + TIME_TO_ASK;
    // Whoever says a letter now and then has no more time than others.
    let mut next = |piece: &mut [u8]| {
        let left = until.saturating_duration_since(Instant::now());
        stream.set_read_timeout(Some(left.max(Duration::from_millis(1))))?;
        match left.is_zero() {
            true => Err(io::Error::from(io::ErrorKind::TimedOut)),
            false => stream.read(piece),
        }
    };
    let mut bytes = Vec::new();
    let mut piece = [0u8; 4096];
    loop {
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut parsed = httparse::Request::new(&mut headers);
        match parsed.parse(&bytes) {
            Err(_) => return Ok(Err("that is no HTTP")),
            Ok(httparse::Status::Partial) if bytes.len() > MOST_HEAD => return Ok(Err("that is too long")),
            Ok(httparse::Status::Partial) => {}
            Ok(httparse::Status::Complete(end)) if end > MOST_HEAD => return Ok(Err("that is too long")),
            Ok(httparse::Status::Complete(end)) => {
                let header = |name: &str| {
                    let mut found = parsed
                        .headers
                        .iter()
                        .filter(|h| h.name.eq_ignore_ascii_case(name));
                    let value = found
                        .next()
                        .map(|h| String::from_utf8_lossy(h.value).into_owned());
                    // What is said twice is said by somebody who means two things by it.
                    if found.next().is_some() {
                        Some(String::new())
                    } else {
                        value
                    }
                };
                let length = match header("content-length").map(|l| l.parse::<usize>()) {
                    None => 0,
                    Some(Ok(length)) if length <= MOST_BODY => length,
                    Some(_) => return Ok(Err("that is too long")),
                };
                if header("transfer-encoding").is_some() {
                    return Ok(Err("what is sent has a length"));
                }
                let mut request = HttpRequest {
                    method: parsed.method.unwrap_or_default().to_owned(),
                    path: parsed.path.unwrap_or_default().to_owned(),
                    host: header("host"),
                    origin: header("origin"),
                    site: header("sec-fetch-site"),
                    content: header("content-type"),
                    body: bytes.split_off(end),
                };
                while request.body.len() < length {
                    match next(&mut piece)? {
                        0 => return Ok(Err("that has no end")),
                        read => request.body.extend_from_slice(&piece[..read]),
                    }
                }
                request.body.truncate(length);
                return Ok(Ok(request));
            }
        }
        match next(&mut piece)? {
            0 => return Ok(Err("that has no end")),
            read => bytes.extend_from_slice(&piece[..read]),
        }
    }
}
