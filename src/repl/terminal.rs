//! The front end for a terminal: line editing, history, completion and colour around a session.
//!
//! The history is kept in the user's state folder, never in the workspace, and holds no answer
//! that was given in secret.

use super::session::{Piece, Reply, Session};
use super::watch::Watcher;
use crate::report::{Problem, Problems};
use crate::script::workspace::Workspace;
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, ExternalPrinter as _, Helper};
use std::borrow::Cow;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// Lines that push what was seen in secret off the screen.
const COVER_LINES: usize = 60;
/// A terminal that says it is narrower is not believed: nothing could be read on it.
const LEAST_COLUMNS: usize = 20;
/// How long a completion waits for a busy session.
const PATIENCE: Duration = Duration::from_secs(1);
/// Commands whose argument is the path of a file.
const TAKE_FILES: [&str; 5] = [":save ", ":load ", ":open ", ":board svg ", ":board png "];

/// What the session hears of.
enum Message {
    /// A line was typed.
    Line(String),
    /// A line was typed that is no text.
    Unreadable,
    /// The user leaves.
    Leave,
    /// The terminal cannot be used, and why.
    Broken(String),
    /// What could stand at the end of an unfinished line?
    Complete(String, Sender<(usize, Vec<String>)>),
    /// Files may have changed.
    Changed,
}

/// What the editor needs to read a line.
struct Prompt {
    text: String,
    styled: String,
    /// What is typed is somebody's secret.
    secret: bool,
}

/// Completes from the session, or from the file system behind commands that take files.
struct Completion {
    session: Sender<Message>,
    files: FilenameCompleter,
}

impl Completion {
    /// What the session says; nothing when it is busy for too long.
    fn ask(&self, typed: &str) -> (usize, Vec<String>) {
        let (sender, answer) = channel();
        let asked = self.session.send(Message::Complete(typed.to_owned(), sender));
        let answer = asked.ok().and_then(|()| answer.recv_timeout(PATIENCE).ok());
        answer.unwrap_or((typed.len(), Vec::new()))
    }
}

impl Completer for Completion {
    type Candidate = Pair;

    fn complete(&self, line: &str, pos: usize, ctx: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let typed = line.get(..pos).unwrap_or(line);
        let (start, words) = self.ask(typed);
        if words.is_empty() && TAKE_FILES.iter().any(|c| typed.starts_with(c)) {
            return self.files.complete(line, pos, ctx);
        }
        let pair = |word: String| Pair {
            display: word.clone(),
            replacement: word,
        };
        Ok((start, words.into_iter().map(pair).collect()))
    }
}

impl Hinter for Completion {
    type Hint = String;
}

impl Highlighter for Completion {
    fn highlight_candidate<'c>(&self, candidate: &'c str, _: CompletionType) -> Cow<'c, str> {
        Cow::Borrowed(candidate)
    }
}

impl Validator for Completion {}
impl Helper for Completion {}

/// Plays a session at the terminal until the user leaves; returns the exit status.
///
/// The session stays on this thread and hears of everything by messages: lines and questions for
/// completions from the thread that edits, changed files from the one that watches.
///
/// # Errors
///
/// A terminal that cannot be used.
pub fn run(mut session: Session) -> Result<(), Problems> {
    let broken = |error: ReadlineError| Problem::new(format!("the terminal cannot be used: {error}"));
    let history = history_file(&session.workspace);
    let stop = Arc::clone(&session.stop);
    // At the prompt Ctrl-C is a key; this is for the time between two prompts. Without the handler
    // Ctrl-C ends the program, which is no reason not to start it.
    let _ = ctrlc::set_handler(move || stop.store(true, Ordering::Relaxed));
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .history_ignore_space(true)
        .max_history_size(1_000)
        .map_err(broken)?
        .build();
    let mut editor: Editor<Completion, DefaultHistory> = Editor::with_config(config).map_err(broken)?;
    let (sender, messages) = channel();
    editor.set_helper(Some(Completion {
        session: sender.clone(),
        files: FilenameCompleter::new(),
    }));
    // Without one, notices wait for the next line.
    let mut printer = editor.create_external_printer().ok();
    let changed = sender.clone();
    let mut watcher = Watcher::new(&session.workspace, move || changed.send(Message::Changed).is_ok());
    fit(&mut session);
    let greeting = session.greeting();
    print(&greeting);
    let (prompts, wanted) = channel();
    let typing = std::thread::Builder::new()
        .name("typing".to_owned())
        .spawn(move || edit(editor, history.as_deref(), &wanted, &sender))
        .map_err(|error| Problem::new(format!("the terminal cannot be used: {error}")))?;
    let mut told = Ok(());
    // The editor has gone when a prompt cannot be sent or no message comes any more.
    let mut listens = prompts.send(prompt(&session)).is_ok();
    while listens {
        let reply = match messages.recv() {
            Ok(Message::Line(line)) => {
                fit(&mut session);
                // What was saved before the line was sent counts for it.
                if printer.is_none()
                    && let Some(notice) = session.look_for_changes()
                {
                    print(&notice);
                }
                session.line(&line)
            }
            Ok(Message::Unreadable) => Reply {
                pieces: vec![Piece::Error("error: the line is not valid text".to_owned())],
                quit: false,
            },
            Ok(Message::Complete(typed, answer)) => {
                // Whoever asked may have stopped waiting.
                let _ = answer.send(session.complete(&typed));
                continue;
            }
            Ok(Message::Changed) => {
                if let Some(watcher) = &mut watcher {
                    watcher.renew();
                }
                if let Some(printer) = &mut printer
                    && let Some(notice) = session.look_for_changes()
                {
                    // A terminal that has gone away is noticed at the next prompt.
                    let _ = printer.print(spelled(&notice));
                }
                continue;
            }
            Ok(Message::Leave) | Err(_) => break,
            Ok(Message::Broken(why)) => {
                told = Err(Problem::new(format!("the terminal cannot be used: {why}")).into());
                break;
            }
        };
        print(&reply);
        listens = !reply.quit && prompts.send(prompt(&session)).is_ok();
    }
    if let Some(last) = session.close() {
        print(&Reply::text(last));
    }
    // Without prompts the editor saves its history and ends.
    drop(prompts);
    let _ = typing.join();
    told
}

/// Reads a line for each prompt that comes, until none comes any more.
fn edit(
    mut editor: Editor<Completion, DefaultHistory>,
    history: Option<&Path>,
    wanted: &Receiver<Prompt>,
    session: &Sender<Message>,
) {
    if let Some(file) = history {
        // None is there the first time.
        let _ = editor.load_history(file);
    }
    'prompts: while let Ok(prompt) = wanted.recv() {
        let message = loop {
            match editor.readline(&(prompt.text.as_str(), prompt.styled.as_str())) {
                Ok(line) => {
                    if line.starts_with(':') || !prompt.secret {
                        // What cannot be remembered is no reason to stop.
                        let _ = editor.add_history_entry(line.as_str());
                    }
                    break Message::Line(line);
                }
                // The line is abandoned.
                Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) => {}
                Err(ReadlineError::Eof) => break Message::Leave,
                Err(ReadlineError::Io(error)) if error.kind() == std::io::ErrorKind::InvalidData => {
                    break Message::Unreadable;
                }
                Err(error) => break Message::Broken(error.to_string()),
            }
        };
        if session.send(message).is_err() {
            break 'prompts;
        }
    }
    if let Some(file) = history {
        let _ = editor.save_history(file);
    }
}

/// The prompt without and with colour.
fn prompt(session: &Session) -> Prompt {
    let (text, faction) = session.prompt();
    let paint = faction.map_or_else(String::new, |f| session.paint(f));
    let styled = if paint.is_empty() {
        text.clone()
    } else {
        format!("{paint}{text}\x1b[0m")
    };
    Prompt {
        text,
        styled,
        secret: session.is_secret(),
    }
}

fn print(reply: &Reply) {
    // A terminal that has gone away is noticed at the next prompt.
    let _ = std::io::stdout().lock().write_all(spelled(reply).as_bytes());
}

/// Asks the terminal how wide it is now: it may have been made wider or narrower since the last line.
/// Lists and sentences keep to 80 columns; boards use what there is.
fn fit(session: &mut Session) {
    let Some((width, _)) = terminal_size::terminal_size() else {
        return;
    };
    let columns = usize::from(width.0).max(LEAST_COLUMNS);
    session.columns = Some(columns);
    session.style.width = columns.min(crate::render::Style::default().width);
}

/// A reply as it is printed, with a newline at its end.
fn spelled(reply: &Reply) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Text(text) | Piece::Error(text) => format!("{text}\n"),
        Piece::Cover(text) => format!("{}{text}\n", "\n".repeat(COVER_LINES)),
    };
    reply.pieces.iter().map(piece).collect()
}

/// Whether the terminal's language settings say that it shows more than ASCII.
pub fn speaks_unicode() -> bool {
    let set = |name: &str| std::env::var(name).ok().filter(|v| !v.is_empty());
    let locale = set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG"));
    locale.is_some_and(|l| {
        let l = l.to_ascii_lowercase();
        l.contains("utf-8") || l.contains("utf8")
    })
}

/// Where the history is kept.
fn history_file(workspace: &Workspace) -> Option<PathBuf> {
    Some(state_folder(workspace)?.join("history"))
}

/// The user's folder for what is remembered between sessions: in the XDG state folder, or else the
/// config folder, when there is one; never in the workspace.
pub fn state_folder(workspace: &Workspace) -> Option<PathBuf> {
    let absolute = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|p| p.is_absolute())
    };
    let home = absolute("HOME");
    let in_home = |folder: &str| home.as_ref().map(|h| h.join(folder)).filter(|p| p.is_dir());
    let base = absolute("XDG_STATE_HOME")
        .or_else(|| in_home(".local/state"))
        .or_else(|| absolute("XDG_CONFIG_HOME"))
        .or_else(|| in_home(".config"))?;
    if let Workspace::Folder(root) = workspace {
        let full = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if full(&base).starts_with(full(root)) {
            return None;
        }
    }
    let folder = base.join("rulebench");
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder)
}
