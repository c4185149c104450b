//! The front end for a terminal: the line editor, its history and colour around a session.
//!
//! The history is kept in the user's state folder, never in the workspace, and holds no answer
//! that was given in secret.

use super::agent_lines::{AgentLines, AgentPace};
use super::editor::{Assistant, EditorRequest, Keys, SharedLexicon, unaligned};
use super::highlight::Lexicon;
use super::typed_lines::InputHistory;
use crate::commands;
use crate::lines::counted;
use crate::page::server::{PendingRequest, Server};
use crate::progress;
use crate::repl::output::{Output, OutputPiece};
use crate::repl::session::Session;
use crate::repl::typed;
use crate::repl::watch::FileWatcher;
use crate::report::Problems;
use crate::rules::workspace::{Workspace, WorkspaceFiles};
use crate::screen::{self, LEAST_COLUMNS, Screen};
use crate::visible::{is_plain, visible};
use rustyline::config::BellStyle;
use rustyline::error::ReadlineError;
use rustyline::{ColorMode, CompletionType, Config, Editor, Event, EventHandler, ExternalPrinter as _};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

rulebench_lang::problems! {
    fn invalid_text() = "the line is not valid text";
    fn broken_terminal(why: impl std::fmt::Display) = "the terminal cannot be used: {why}";
}

/// Lines that push what was seen in secret off the screen, at least.
const COVER_LINES: usize = 60;
/// Nor is one that says it is lower: no board could be drawn on it.
const LEAST_ROWS: usize = 8;
/// More completions than these are listed only when the user says so.
const MANY: usize = 200;

/// Minimum time between two answers of agents.
const PACE: Duration = Duration::from_millis(400);

/// A message to the session.
enum TerminalMessage {
    /// A line was typed.
    Line(TypedLine),
    /// Nothing was typed: the next prompt is wanted.
    Nothing(&'static str),
    /// A line was typed that is no text.
    Unreadable,
    /// The user leaves.
    Leave,
    /// The terminal cannot be used, and why.
    Broken(String),
    /// The editor asks while a line is typed.
    Asked(EditorRequest),
    /// Files may have changed.
    Changed,
    /// A page in the browser wants something.
    Page(PendingRequest),
}

/// A line as it comes from the editor.
struct TypedLine {
    text: String,
    /// It came with others, behind the first of them: the editor has shown no prompt for it.
    later: bool,
    /// Others that came with it follow.
    more: bool,
}

/// The data that the editor needs to read a line.
struct Prompt {
    text: String,
    styled: String,
    /// The input is a secret of one person.
    secret: bool,
}

/// Plays a session at the terminal until the user leaves; returns the exit status.
///
/// The session stays on this thread and hears of everything by messages: lines and questions for
/// completions from the thread that edits, changed files from the one that watches.
///
/// # Errors
///
/// A terminal that cannot be used.
pub fn run(mut session: Session) -> Result<(), Problems> {
    let broken = |error: ReadlineError| broken_terminal(error);
    // Only the thread that edits does.
    screen::stops_at_ctrl_z(false);
    let history = InputHistory::of(history_file(&session.rules.workspace));
    let stop = Arc::clone(&session.stop);
    let work = session.rules.workspace.work().clone();
    // Whether the terminal has shown a `^C` since something was told.
    let echoed = Arc::new(AtomicBool::new(false));
    let echoes = Arc::clone(&echoed);
    // At the prompt Ctrl-C is a key; this is for the time between two prompts. Without the handler
    // Ctrl-C ends the program, which is no reason not to start it.
    let _ = ctrlc::set_handler(move || {
        stop.store(true, Ordering::Relaxed);
        echoes.store(true, Ordering::Relaxed);
        work.stop();
        let stop = Arc::clone(&stop);
        progress::interrupt_soon(&work, move || stop.load(Ordering::SeqCst));
    });
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .completion_show_all_if_ambiguous(true)
        .completion_prompt_limit(MANY)
        .bell_style(BellStyle::None)
        // Hints are told apart from what is typed even where nobody wants colours: they are dim.
        .color_mode(ColorMode::Enabled)
        .build();
    let words = SharedLexicon::default();
    let (sender, messages) = channel();
    let asking = sender.clone();
    let ask = move |question| asking.send(TerminalMessage::Asked(question)).is_ok();
    let mut editor = Editor::with_history(config, history).map_err(broken)?;
    editor.set_helper(Some(Assistant::new(ask, words.clone())));
    let keys = EventHandler::Conditional(Box::new(Keys::new(words.clone())));
    editor.bind_sequence(Event::Any, keys);
    // Without one, notices wait for the next line.
    let printer = editor.create_external_printer().ok();
    let notices = printer.and_then(|mut printer| {
        notices(move |notice| {
            // A terminal that has gone away is noticed at the next prompt.
            let _ = printer.print(notice);
        })
    });
    let changed = sender.clone();
    let mut watcher = FileWatcher::new(&session.rules.workspace, move || {
        changed.send(TerminalMessage::Changed).is_ok()
    });
    let wishes = sender.clone();
    session.pages.commands = commands::help_texts();
    session.pages.open = Some(Server::opener(Arc::new(move |request| {
        wishes.send(TerminalMessage::Page(request)).is_ok()
    })));
    fit(&mut session);
    session.face.completes = true;
    crate::repl::equip(&mut session);
    let greeting = session.greeting();
    print(&session, &greeting);
    let (prompts, wanted) = channel();
    let typing = std::thread::Builder::new()
        .name("typing".to_owned())
        .spawn(move || edit(editor, &wanted, &sender))
        .map_err(broken_terminal)?;
    let mut result = Ok(());
    let ready = |session: &Session| {
        let lexicon = lexicon(session);
        let (text, styled) = lexicon.prompt.clone();
        words.set(lexicon);
        Prompt {
            text,
            styled,
            secret: session.is_secret(),
        }
    };
    let print = |session: &Session, reply: &Output| {
        if echoed.swap(false, Ordering::Relaxed) {
            screen::print_progress("", "", "", "");
        }
        print(session, reply);
    };
    let mut turns = AgentPace::new();
    // Whether the editor waits for its prompt, and whether it reads a line.
    let (mut waits, mut reads) = (true, false);
    // Lines that came behind others may be the next answers: they wait until no agent is asked.
    let mut later = VecDeque::new();
    loop {
        let plays = session.is_machine_asked();
        if waits && !plays {
            // The editor has gone when a prompt cannot be sent or no message comes any more.
            if prompts.send(ready(&session)).is_err() {
                break;
            }
            (waits, reads) = (false, true);
        }
        // While a line is being typed, everything stands above it.
        let say = |session: &Session, reply: &Output| match notices.as_ref().filter(|_| reads) {
            Some(notices) => drop(notices.send(spelled(session, reply))),
            None => print(session, reply),
        };
        let next = match plays {
            false => later.pop_front(),
            true => None,
        };
        let received = match next {
            Some(line) => AgentLines::Message(TerminalMessage::Line(line)),
            None => turns.hear(&session, &messages),
        };
        let message = match received {
            AgentLines::Message(message) => message,
            AgentLines::Turn => {
                let stopped = session.stop.load(Ordering::SeqCst);
                let reply = turns.answer(&mut session, PACE);
                reply.iter().for_each(|reply| say(&session, reply));
                // They were to follow what was stopped.
                if stopped && !later.is_empty() {
                    let dropped = counted(later.drain(..).count(), "line");
                    say(
                        &session,
                        &Output::text(format!("{dropped} behind that were dropped")),
                    );
                    waits = true;
                }
                words.set(lexicon(&session));
                continue;
            }
            AgentLines::Gone => break,
        };
        // What was to stop has ended.
        session.rules.workspace.work().resume();
        let mut more = false;
        let reply = match message {
            TerminalMessage::Line(line) if line.later && plays => {
                later.push_back(line);
                continue;
            }
            TerminalMessage::Line(line) => {
                fit(&mut session);
                more = line.more;
                if line.later {
                    print(
                        &session,
                        &Output::text(format!("{}{}", session.prompt().0, line.text)),
                    );
                }
                // What was saved before the line was sent counts for it.
                if notices.is_none()
                    && let Some(notice) = session.look_for_changes()
                {
                    print(&session, &notice);
                }
                session.line(&line.text)
            }
            TerminalMessage::Nothing(why) => Output::text(why),
            TerminalMessage::Unreadable => Output {
                pieces: vec![OutputPiece::error(invalid_text(), false)],
                ..Output::default()
            },
            // Whoever asked may have stopped waiting.
            TerminalMessage::Asked(EditorRequest::Complete(typed, answer)) => {
                let mut found = session.completions(&typed);
                // What cannot be seen cannot be typed either.
                found.words.retain(|word| is_plain(word));
                let _ = answer.send(found);
                continue;
            }
            TerminalMessage::Asked(EditorRequest::Hint(typed, answer)) => {
                let hint = session.hint(&typed);
                let _ = answer.send(hint.filter(|hint| is_plain(&hint.text)));
                continue;
            }
            TerminalMessage::Changed => {
                if let Some(watcher) = &mut watcher {
                    watcher.renew();
                }
                // Without its thread nothing can be told while a line is typed.
                if notices.is_some()
                    && let Some(notice) = session.look_for_changes()
                {
                    words.set(lexicon(&session));
                    say(&session, &notice);
                }
                continue;
            }
            TerminalMessage::Page(request) => {
                if let Some((line, reply)) = request.answer_by(&mut session) {
                    say(&session, &Output::text(line));
                    say(&session, &reply);
                    words.set(lexicon(&session));
                }
                continue;
            }
            TerminalMessage::Leave => break,
            TerminalMessage::Broken(why) => {
                result = Err(broken_terminal(why).into());
                break;
            }
        };
        print(&session, &reply);
        if reply.quit {
            break;
        }
        (waits, reads) = (!more, false);
    }
    if let Some(last) = session.close() {
        print(&session, &Output::text(last));
    }
    // Without prompts the editor ends.
    drop(prompts);
    let _ = typing.join();
    result
}

/// A way to tell something while a line is typed, which never waits: the editor takes a notice only while
/// it reads, and it does not read before the session has sent its prompt. `None` where there is no thread
/// for it.
fn notices(mut print: impl FnMut(String) + Send + 'static) -> Option<Sender<String>> {
    let (sender, messages) = channel();
    std::thread::Builder::new()
        .name("notices".to_owned())
        .spawn(move || messages.into_iter().for_each(&mut print))
        .ok()?;
    Some(sender)
}

/// Reads a line for each prompt that comes, until none comes any more.
fn edit<A: Fn(EditorRequest) -> bool>(
    mut editor: Editor<Assistant<A>, InputHistory>,
    wanted: &Receiver<Prompt>,
    session: &Sender<TerminalMessage>,
) {
    screen::stops_at_ctrl_z(true);
    'prompts: while let Ok(prompt) = wanted.recv() {
        let sent = loop {
            if let Some(helper) = editor.helper_mut() {
                helper.begin(&prompt.text);
            }
            match editor.readline(&(prompt.text.as_str(), prompt.styled.as_str())) {
                Ok(line) => break send(&mut editor, &line, &prompt, session),
                // The line is abandoned.
                Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) => {}
                Err(ReadlineError::Eof) => break session.send(TerminalMessage::Leave).is_ok(),
                Err(ReadlineError::Io(error)) if error.kind() == std::io::ErrorKind::InvalidData => {
                    break session.send(TerminalMessage::Unreadable).is_ok();
                }
                Err(error) => break session.send(TerminalMessage::Broken(error.to_string())).is_ok(),
            }
        };
        if !sent {
            break 'prompts;
        }
    }
}

/// Hands what was typed or pasted to the session, one line or several, and remembers it. False when
/// nobody listens any more.
fn send<A: Fn(EditorRequest) -> bool>(
    editor: &mut Editor<Assistant<A>, InputHistory>,
    typed: &str,
    prompt: &Prompt,
    session: &Sender<TerminalMessage>,
) -> bool {
    let typed = unaligned(typed, &prompt.text);
    if typed::ends_blank(&typed) && typed::is_open(&typed) && !typed.starts_with(':') {
        return session
            .send(TerminalMessage::Nothing("abandoned: a bracket was open"))
            .is_ok();
    }
    let mut inputs = typed::inputs(&typed, &commands::wants_more);
    if inputs.is_empty() {
        inputs.push(String::new());
    }
    let last = inputs.len() - 1;
    for (index, text) in inputs.into_iter().enumerate() {
        // What is typed in secret may name a secret; a bare command does not. Secrecy may begin
        // between the lines of a paste.
        let bare = text.starts_with(':') && !text.contains(char::is_whitespace);
        if bare || !prompt.secret && index == 0 {
            // What cannot be remembered is no reason to stop.
            let _ = editor.add_history_entry(text.as_str());
        }
        let line = TerminalMessage::Line(TypedLine {
            text,
            later: index > 0,
            more: index < last,
        });
        if session.send(line).is_err() {
            return false;
        }
    }
    true
}

fn print(session: &Session, reply: &Output) {
    screen::write(&spelled(session, reply));
}

/// The words that mean something now, with a prompt that can be shown.
fn lexicon(session: &Session) -> Lexicon {
    let mut lexicon = Lexicon::of(session);
    let (text, styled) = &mut lexicon.prompt;
    *text = visible(text, false);
    *styled = visible(styled, lexicon.colour);
    lexicon
}

/// Asks the terminal how large it is now: that may have changed since the last line. Lists and sentences
/// keep to 80 columns; boards use what there is.
fn fit(session: &mut Session) {
    let Some((width, height)) = terminal_size::terminal_size() else {
        return;
    };
    let columns = usize::from(width.0).max(LEAST_COLUMNS);
    session.face.columns = Some(columns);
    session.face.rows = Some(usize::from(height.0)).filter(|rows| *rows >= LEAST_ROWS);
    session.face.style.width = columns.min(crate::render::Style::default().width);
}

/// A reply as it is printed, with a newline at its end.
fn spelled(session: &Session, reply: &Output) -> String {
    let paints = session.paints();
    let screen = Screen::of(&std::io::stdout());
    let piece = |piece: &OutputPiece| {
        let shown = screen.printable(&format!("{}\n", piece.painted(paints.as_deref())));
        match piece {
            OutputPiece::Cover(_) => {
                let rows = session.face.rows.unwrap_or(0).max(COVER_LINES);
                format!("{}{}{shown}", "\n".repeat(rows), screen.forgets())
            }
            _ => shown,
        }
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

/// Returns the file of the history.
fn history_file(workspace: &Workspace) -> Option<PathBuf> {
    Some(state_folder(workspace)?.join("history"))
}

/// The user's folder for what is remembered between sessions: in the XDG state folder, or else the
/// config folder, when there is one; else the usual one is made. Never in the workspace.
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
        .or_else(|| in_home(".config"))
        .or_else(|| {
            home.as_ref()
                .filter(|h| h.is_dir())
                .map(|h| h.join(".local/state"))
        })?;
    if let WorkspaceFiles::Folder(root) = &workspace.files {
        let full = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if full(&base).starts_with(full(root)) {
            return None;
        }
    }
    let folder = base.join("rulebench");
    crate::files::make_way(&folder).ok()?;
    Some(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_tells_of_a_save_waits_for_nobody() {
        let (release, hold) = channel::<()>();
        let (sender, printed) = channel();
        let notices = notices(move |notice| {
            // An editor that does not read.
            let _ = hold.recv();
            let _ = sender.send(notice);
        });
        let notices = notices.expect("a thread");
        for n in 0..100 {
            notices.send(n.to_string()).expect("it listens");
        }
        assert!(printed.try_recv().is_err());
        drop(release);
        let all: Vec<String> = (0..100).map(|n| n.to_string()).collect();
        assert_eq!(printed.into_iter().take(100).collect::<Vec<_>>(), all);
    }
}
