//! The front end for a terminal: line editing, history, completion and colour around a session.
//!
//! The history is kept in the user's state folder, never in the workspace, and holds no answer
//! that was given in secret.

use super::session::{Piece, Reply, Session};
use crate::report::{Problem, Problems};
use crate::script::workspace::Workspace;
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use std::borrow::Cow;
use std::cell::RefCell;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Lines that push what was seen in secret off the screen.
const COVER_LINES: usize = 60;
/// Commands whose argument is the path of a file.
const TAKE_FILES: [&str; 3] = [":save ", ":load ", ":open "];

/// Completes from the session, or from the file system behind commands that take files.
struct Completion {
    session: Rc<RefCell<Session>>,
    files: FilenameCompleter,
}

impl Completer for Completion {
    type Candidate = Pair;

    fn complete(&self, line: &str, pos: usize, ctx: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let typed = line.get(..pos).unwrap_or(line);
        let (start, words) = self.session.borrow().complete(typed);
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
/// # Errors
///
/// A terminal that cannot be used.
pub fn run(session: Session) -> Result<(), Problems> {
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
    let session = Rc::new(RefCell::new(session));
    editor.set_helper(Some(Completion {
        session: Rc::clone(&session),
        files: FilenameCompleter::new(),
    }));
    if let Some(file) = &history {
        // None is there the first time.
        let _ = editor.load_history(file);
    }
    let greeting = session.borrow_mut().greeting();
    print(&greeting);
    loop {
        let prompt = prompt(&session.borrow());
        let line = match editor.readline(&prompt) {
            Ok(line) => line,
            // The line is abandoned.
            Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) => continue,
            Err(ReadlineError::Eof) => break,
            Err(ReadlineError::Io(error)) if error.kind() == std::io::ErrorKind::InvalidData => {
                print(&Reply {
                    pieces: vec![Piece::Error("error: the line is not valid text".to_owned())],
                    quit: false,
                });
                continue;
            }
            Err(error) => return Err(broken(error).into()),
        };
        if line.starts_with(':') || !session.borrow().is_secret() {
            // What cannot be remembered is no reason to stop.
            let _ = editor.add_history_entry(line.as_str());
        }
        let reply = session.borrow_mut().line(&line);
        print(&reply);
        if reply.quit {
            break;
        }
    }
    if let Some(file) = &history {
        let _ = editor.save_history(file);
    }
    Ok(())
}

/// The prompt without and with colour.
fn prompt(session: &Session) -> (String, String) {
    let (text, faction) = session.prompt();
    let paint = faction.map_or_else(String::new, |f| session.paint(f));
    let styled = if paint.is_empty() {
        text.clone()
    } else {
        format!("{paint}{text}\x1b[0m")
    };
    (text, styled)
}

fn print(reply: &Reply) {
    let mut out = std::io::stdout().lock();
    for piece in &reply.pieces {
        // A terminal that has gone away is noticed at the next prompt.
        let _ = match piece {
            Piece::Text(text) | Piece::Error(text) => writeln!(out, "{text}"),
            Piece::Cover(text) => writeln!(out, "{}{text}", "\n".repeat(COVER_LINES)),
        };
    }
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

/// Where the history is kept: in the XDG state folder, or else the config folder, when there is one.
fn history_file(workspace: &Workspace) -> Option<PathBuf> {
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
    Some(folder.join("history"))
}
