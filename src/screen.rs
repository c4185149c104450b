//! The one place that writes to terminals. Texts are made visible first, by [`crate::visible`].

use crate::lines::{fitted, shortened};
use crate::visible::{is_odd, visible};
use std::io::{IsTerminal, Write as _};
use std::sync::Mutex;

/// A terminal that says it is narrower is not believed: nothing could be read on it.
pub const LEAST_COLUMNS: usize = 20;

/// Whether to use colour on a stream: a terminal, and nobody said no.
pub fn wants_colour(terminal: bool) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    terminal && !set("NO_COLOR") && !is_dumb()
}

/// Whether the terminal only prints what it gets.
fn is_dumb() -> bool {
    std::env::var("TERM").is_ok_and(|t| t == "dumb")
}

/// Whether Ctrl-Z may stop the program in this thread, and in those that it starts from now on.
///
/// The line editor stops the program and draws its line again when it goes on. Were another thread stopped
/// first, the line would be drawn before the shell is there, and not again.
pub fn stops_at_ctrl_z(here: bool) {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigSet, Signal};
        let stop: SigSet = [Signal::SIGTSTP].into_iter().collect();
        // Where it cannot be said, the line may have to be drawn by Ctrl-L.
        let _ = if here {
            stop.thread_unblock()
        } else {
            stop.thread_block()
        };
    }
    #[cfg(not(unix))]
    let _ = here;
}

/// Makes a write beyond the limit of file sizes (`ulimit -f`) fail like one to a full disk, in this thread and in those
/// that it starts from now on. Without this the signal SIGXFSZ ends the program.
pub fn survives_file_limits() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigSet, Signal};
        let limit: SigSet = [Signal::SIGXFSZ].into_iter().collect();
        // A system that refuses this ends the program at the limit.
        let _ = limit.thread_block();
    }
}

/// Output to which text is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    /// Width in columns; `None` where it is no screen.
    pub columns: Option<usize>,
    /// Whether colours are wanted.
    pub colour: bool,
    /// Whether it obeys escape sequences.
    obeys: bool,
}

impl Screen {
    /// The one behind a stream.
    pub fn of(stream: &impl IsTerminal) -> Self {
        let terminal = stream.is_terminal();
        let size = terminal_size::terminal_size().filter(|_| terminal);
        let columns = size.map(|(width, _)| usize::from(width.0));
        Self {
            columns: columns.filter(|columns| *columns >= LEAST_COLUMNS),
            colour: wants_colour(terminal),
            obeys: terminal && !is_dumb(),
        }
    }

    /// Returns the escape sequence that clears the scrollback; empty where it would only be printed.
    pub fn forgets(&self) -> &'static str {
        if self.obeys { "\x1b[3J" } else { "" }
    }

    /// A text as it can be printed there.
    pub fn printable(&self, text: &str) -> String {
        let text = visible(text, self.colour);
        match self.columns {
            Some(columns) => fitted(&text, columns),
            None => text,
        }
    }
}

/// Prints to standard output; a reader that has gone away ends the output, not the program.
pub fn print(text: &str) {
    let screen = Screen::of(&std::io::stdout());
    write(&format!("{}\n", screen.printable(text)));
}

/// Prints what may be read again as data: only a terminal gets it otherwise than it is.
pub fn print_data(text: &str) {
    match std::io::stdout().is_terminal() {
        true => print(text),
        false => write(&format!("{text}\n")),
    }
}

/// Prints to the standard output of errors.
pub fn print_error(text: &str) {
    let mut out = std::io::stderr().lock();
    let _ = writeln!(out, "{}", Screen::of(&out).printable(text));
}

/// Prints for programs: the lines stay as they are, and what is not plain is escaped as JSON does it.
pub fn print_json(value: &impl serde::Serialize) {
    match serde_json::to_string_pretty(value) {
        Ok(text) => {
            let escaped = |c: char| match is_odd(c) && c != '\n' {
                true => c
                    .encode_utf16(&mut [0; 2])
                    .iter()
                    .map(|u| format!("\\u{u:04x}"))
                    .collect(),
                false => c.to_string(),
            };
            write(&format!("{}\n", text.chars().map(escaped).collect::<String>()));
        }
        Err(error) => print_error(&format!("error: {error}")),
    }
}

/// Why something that was to be printed is lost.
static LOST: Mutex<Option<String>> = Mutex::new(None);

/// Writes a text that can be shown to standard output.
pub fn write(text: &str) {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // A reader that has gone away needs nothing more.
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            if let Ok(mut lost) = LOST.lock() {
                lost.get_or_insert_with(|| error.to_string());
            }
        }
        _ => {}
    }
}

/// Why not all that was printed came to where it was to come.
pub fn lost() -> Option<String> {
    LOST.lock().ok()?.clone()
}

/// Tells how far work has come in a line of its own, which the next one replaces. Where not all of it fits, what there
/// is so far is left out, then the end, and the words are cut short; the count stays.
pub fn print_progress(words: &str, count: &str, so_far: &str, end: &str) {
    // Of a line that fills the screen only the last row would be replaced.
    let columns = terminal_size::terminal_size().map_or(usize::MAX, |(width, _)| width.0.into());
    let line = passing(
        words,
        count,
        &[&format!("{so_far}{end}"), end],
        columns.saturating_sub(1),
    );
    let mut out = std::io::stderr().lock();
    let _ = write!(out, "\r{line}\x1b[K").and_then(|()| out.flush());
}

fn passing(words: &str, count: &str, ends: &[&str], room: usize) -> String {
    const FEWEST: usize = 8;
    let (words, long) = (visible(words, false), |text: &str| text.chars().count());
    let least = long(&words).min(FEWEST) + long(count);
    let fits = |end: &&&str| least + long(end) <= room;
    let end = ends.iter().find(fits).copied().unwrap_or_default();
    let words = shortened(&words, room.saturating_sub(long(count) + long(end)).max(1));
    format!("{words}{count}{end}").chars().take(room).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_what_passes_the_count_stays_longest() {
        let line = |room| {
            let end = " (5 s, Ctrl-C stops)";
            passing(
                "odds, runs of steps",
                ": 512",
                &[&format!(", red 5 %{end}"), end],
                room,
            )
        };
        assert_eq!(line(80), "odds, runs of steps: 512, red 5 % (5 s, Ctrl-C stops)");
        assert_eq!(line(40), "odds, runs o...: 512 (5 s, Ctrl-C stops)");
        assert_eq!(line(30), "odds, runs of steps: 512");
        assert_eq!(line(20), "odds, runs o...: 512");
    }
}
