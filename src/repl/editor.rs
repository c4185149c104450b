//! The line editor's callbacks: completions, hints, colours, whether the line is complete, and the meaning of Enter and
//! of a paste.
//!
//! The session lives on another thread. It is asked for completions and hints, never for long;
//! colours come from the [`Lexicon`] that it hands out.

use super::highlight::{self, Lexicon};
use crate::commands;
use crate::lexer;
use crate::repl::complete::{Completions, EndHint};
use crate::repl::typed;
use crate::repl::typed::MAX_LINE;
use crate::repl::typed::MUCH;
use crate::visible::is_plain;
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::{Hint, Hinter};
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{
    Cmd, CompletionType, ConditionalEventHandler, Context, Event, EventContext, Helper, KeyCode, KeyEvent,
    Modifiers,
};
use std::borrow::Cow;
use std::cell::Cell;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Maximum time that a completion waits for a busy session.
const PATIENCE: Duration = Duration::from_secs(1);
/// Maximum time that a hint waits, short enough not to be felt while typing.
const SHORT: Duration = Duration::from_millis(60);
/// Indentation inside of a bracket.
const INDENT: usize = 4;

/// A request of the editor to the session.
pub enum EditorRequest {
    /// The completions at the end of an unfinished line.
    Complete(String, Sender<Completions>),
    /// The hint behind it.
    Hint(String, Sender<Option<EndHint>>),
}

/// The words that mean something now, where both threads find them.
#[derive(Clone, Default)]
pub struct SharedLexicon(Arc<Mutex<Lexicon>>);

impl SharedLexicon {
    /// The words as they are now.
    pub fn get(&self) -> MutexGuard<'_, Lexicon> {
        // A lexicon is replaced whole; one that was being replaced is whole too.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Other words from now on.
    pub fn set(&self, lexicon: Lexicon) {
        *self.get() = lexicon;
    }
}

/// The editor's helper. See the module's comment.
pub struct Assistant<A> {
    ask: A,
    words: SharedLexicon,
    files: FilenameCompleter,
    /// The prompt that the editor has measured.
    prompt: String,
    /// The line is shown for the last time.
    last: Cell<bool>,
}

impl<A: Fn(EditorRequest) -> bool> Assistant<A> {
    /// A helper that asks the session in this way.
    pub fn new(ask: A, words: SharedLexicon) -> Self {
        Self {
            ask,
            words,
            files: FilenameCompleter::new(),
            prompt: String::new(),
            last: Cell::new(false),
        }
    }

    /// The prompt that is about to be shown.
    pub fn begin(&mut self, prompt: &str) {
        prompt.clone_into(&mut self.prompt);
        self.last.set(false);
    }
}

/// A hint as it is shown.
pub struct ShownHint(EndHint);

impl Hint for ShownHint {
    fn display(&self) -> &str {
        &self.0.text
    }

    fn completion(&self) -> Option<&str> {
        self.0.takes.then_some(self.0.text.as_str())
    }
}

impl<A: Fn(EditorRequest) -> bool> Completer for Assistant<A> {
    type Candidate = Pair;

    fn complete(&self, line: &str, pos: usize, ctx: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let typed = line.get(..pos).unwrap_or(line);
        let (sender, answer) = channel();
        let sent = (self.ask)(EditorRequest::Complete(typed.to_owned(), sender));
        let found = sent.then(|| answer.recv_timeout(PATIENCE).ok()).flatten();
        let Some(Completions { start, words, files }) = found else {
            return Ok((pos, Vec::new()));
        };
        if files && words.is_empty() {
            let (start, mut files) = self.files.complete(line, pos, ctx)?;
            files.retain(|file| is_plain(&file.replacement));
            return Ok((start, files));
        }
        let pair = |word: String| Pair {
            display: word.clone(),
            replacement: word,
        };
        Ok((start, words.into_iter().map(pair).collect()))
    }
}

impl<A: Fn(EditorRequest) -> bool> Hinter for Assistant<A> {
    type Hint = ShownHint;

    fn hint(&self, line: &str, pos: usize, _: &Context<'_>) -> Option<ShownHint> {
        if pos < line.len() || line.trim().is_empty() || line.len() > MUCH {
            return None;
        }
        let (sender, answer) = channel();
        if !(self.ask)(EditorRequest::Hint(line.to_owned(), sender)) {
            return None;
        }
        let hint = answer.recv_timeout(SHORT).ok().flatten()?;
        Some(ShownHint(hint))
    }
}

impl<A: Fn(EditorRequest) -> bool> Highlighter for Assistant<A> {
    fn highlight<'l>(&self, line: &'l str, pos: usize) -> Cow<'l, str> {
        if line.len() > MUCH {
            return Cow::Borrowed(line);
        }
        let cursor = (!self.last.get()).then_some(pos);
        Cow::Owned(self.words.get().paint(line, cursor))
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, default: bool) -> Cow<'b, str> {
        if !default {
            return Cow::Borrowed(prompt);
        }
        // Who is asked may have changed since the prompt was shown: the new one takes its place
        // where it fits, for the editor knows the old one's width.
        let words = self.words.get();
        let (now, styled) = &words.prompt;
        if *now == self.prompt {
            return Cow::Borrowed(prompt);
        }
        let room = self.prompt.chars().count();
        let width = now.trim_end().chars().count();
        if width > room || now.is_empty() {
            return Cow::Borrowed(prompt);
        }
        let styled = styled.replacen(now.as_str(), now.trim_end(), 1);
        Cow::Owned(format!("{styled}{}", " ".repeat(room - width)))
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        Cow::Owned(highlight::hint(hint))
    }

    fn highlight_candidate<'c>(&self, candidate: &'c str, _: CompletionType) -> Cow<'c, str> {
        Cow::Borrowed(candidate)
    }

    fn highlight_char(&self, line: &str, pos: usize, kind: CmdKind) -> bool {
        self.last.set(kind == CmdKind::ForcedRefresh);
        if line.len() > MUCH || !self.words.get().colour {
            return false;
        }
        match kind {
            CmdKind::MoveCursor => {
                let near = |at: usize| line.as_bytes().get(at).is_some_and(|b| b"()[]{}".contains(b));
                near(pos) || pos.checked_sub(1).is_some_and(near)
            }
            _ => true,
        }
    }
}

impl<A: Fn(EditorRequest) -> bool> Validator for Assistant<A> {
    fn validate(&self, ctx: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(match is_unfinished(ctx.input()) {
            true => ValidationResult::Incomplete,
            false => ValidationResult::Valid(None),
        })
    }
}

impl<A: Fn(EditorRequest) -> bool> Helper for Assistant<A> {}

/// Whether Enter begins another line. A blank line ends whatever is open.
fn is_unfinished(text: &str) -> bool {
    text.len() <= MAX_LINE && !typed::ends_blank(text) && commands::wants_more(text)
}

/// Returns the number of open brackets at the end of a text; `None` within a text of the rules' language, which keeps
/// its blanks.
fn depth(text: &str) -> Option<usize> {
    let shape = lexer::shape(text, &lexer::tokens(text));
    (!shape.inside).then_some(shape.brackets.len())
}

/// Keys with a meaning that the editor does not have: Enter goes on in a line below, aligned with the first, while a
/// bracket is open; what is typed there stands further in, but a bracket that closes; a paste is one thing, and no
/// longer than a line may be.
#[derive(Default)]
pub struct Keys {
    words: SharedLexicon,
    /// The part of a paste that has come so far.
    paste: Mutex<Option<String>>,
}

impl Keys {
    /// Keys at a prompt whose width these words know.
    pub fn new(words: SharedLexicon) -> Self {
        Self {
            words,
            paste: Mutex::default(),
        }
    }

    /// A key within a paste.
    fn pasted(key: KeyEvent, text: &mut String) {
        let c = match key {
            KeyEvent(KeyCode::Char(c), Modifiers::NONE | Modifiers::SHIFT) => c,
            KeyEvent(KeyCode::Enter, _) | KeyEvent(KeyCode::Char('M'), Modifiers::CTRL) => '\r',
            KeyEvent(KeyCode::Char('J'), Modifiers::CTRL) => '\n',
            KeyEvent(KeyCode::Tab, _) | KeyEvent(KeyCode::Char('I'), Modifiers::CTRL) => '\t',
            _ => return,
        };
        // One more than is taken, so that it is said to be too long.
        if text.len() <= MAX_LINE {
            text.push(c);
        }
    }

    /// The blanks that align a line below with the first one.
    fn aligns(&self) -> usize {
        self.words.get().prompt.0.chars().count()
    }

    /// Returns the editor command for the first character in a line below, with the indentation of the open brackets.
    fn indented(&self, line: &str, c: char) -> Option<Cmd> {
        let (above, last) = line.rsplit_once('\n')?;
        if c.is_whitespace() || last.len() != self.aligns() || !last.trim().is_empty() {
            return None;
        }
        let depth = depth(above)?.saturating_sub(usize::from("})]".contains(c)));
        (depth > 0).then(|| Cmd::Insert(1, format!("{}{c}", " ".repeat(INDENT * depth))))
    }
}

impl ConditionalEventHandler for Keys {
    fn handle(&self, evt: &Event, n: rustyline::RepeatCount, _: bool, ctx: &EventContext<'_>) -> Option<Cmd> {
        let key = *evt.get(0)?;
        let mut paste = self.paste.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(text) = paste.as_mut() {
            return match key {
                KeyEvent(KeyCode::BracketedPasteEnd, _) => {
                    let text = paste.take().unwrap_or_default();
                    let text = text.replace("\r\n", "\n").replace('\r', "\n");
                    let text = aligned(text.trim_end_matches('\n'), &self.words.get().prompt.0);
                    Some(if text.is_empty() {
                        Cmd::Noop
                    } else {
                        Cmd::Insert(1, text)
                    })
                }
                KeyEvent(KeyCode::Char('C'), Modifiers::CTRL) => {
                    *paste = None;
                    None
                }
                key => {
                    Self::pasted(key, text);
                    Some(Cmd::Noop)
                }
            };
        }
        let line = ctx.line();
        match key {
            KeyEvent(KeyCode::BracketedPasteStart, _) => {
                *paste = Some(String::new());
                Some(Cmd::Noop)
            }
            KeyEvent(KeyCode::Enter, Modifiers::NONE)
            | KeyEvent(KeyCode::Char('J' | 'M'), Modifiers::CTRL)
                if is_unfinished(line) =>
            {
                // What stands behind the cursor goes along.
                let depth = match ctx.pos() == line.len() {
                    true => 0,
                    false => depth(&line[..ctx.pos()]).unwrap_or(0),
                };
                let blanks = " ".repeat(self.aligns() + INDENT * depth);
                Some(Cmd::Insert(1, format!("\n{blanks}")))
            }
            KeyEvent(KeyCode::Char(_), Modifiers::NONE) if line.len() > MAX_LINE => Some(Cmd::Noop),
            KeyEvent(KeyCode::Char(c), Modifiers::NONE) if n == 1 && ctx.pos() == line.len() => {
                self.indented(line, c)
            }
            _ => None,
        }
    }
}

/// A text with its lines below the first moved right, to stand below the first one's at a prompt.
fn aligned(text: &str, prompt: &str) -> String {
    text.replace('\n', &format!("\n{}", " ".repeat(prompt.chars().count())))
}

/// A line as it was meant: without the blanks that aligned all its lines below the first with it.
pub fn unaligned(line: &str, prompt: &str) -> String {
    let blanks = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let below = line.split('\n').skip(1).filter(|l| !l.trim().is_empty());
    let common = below.map(blanks).min().unwrap_or(0);
    let width = common.min(prompt.chars().count());
    let mut lines = line.split('\n');
    let mut text = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        text.push('\n');
        text.push_str(&line[blanks(line).min(width)..]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blank_line_ends_what_is_open() {
        assert!(is_unfinished("unit("));
        assert!(!is_unfinished("unit(\n") && !is_unfinished("unit(\n     "));
        assert!(!is_unfinished("unit()") && !is_unfinished(""));
        assert!(!is_unfinished(&"(".repeat(MAX_LINE + 1)));
    }

    #[test]
    fn aligned_lines_lose_their_alignment_and_keep_their_indent() {
        assert_eq!(
            unaligned("if x {\n         1\n     }", "red> "),
            "if x {\n    1\n}"
        );
        assert_eq!(unaligned("a", "red> "), "a");
        // What was never aligned keeps all of it.
        for whole in ["a\nb\n  c", "fn a() {\n    b();\n\n    c();\n}"] {
            assert_eq!(unaligned(whole, "red> "), whole);
            assert_eq!(unaligned(&aligned(whole, "red> "), "red> "), whole);
        }
    }

    #[test]
    fn a_paste_keeps_its_lines_and_no_more_than_is_read() {
        let mut text = String::new();
        let key = |c| KeyEvent(KeyCode::Char(c), Modifiers::NONE);
        for c in "fn a() {".chars() {
            Keys::pasted(key(c), &mut text);
        }
        Keys::pasted(KeyEvent(KeyCode::Enter, Modifiers::NONE), &mut text);
        Keys::pasted(KeyEvent(KeyCode::Up, Modifiers::NONE), &mut text);
        Keys::pasted(key('}'), &mut text);
        assert_eq!(text, "fn a() {\r}");
        for _ in 0..2 * MAX_LINE {
            Keys::pasted(key('x'), &mut text);
        }
        assert_eq!(text.len(), MAX_LINE + 1);
    }
}
