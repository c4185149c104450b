//! The front end for piped input: reads lines, echoes them behind the prompt, prints the replies.
//! What it prints reads like a session at the terminal. It knows no colour.

use crate::commands::wants_more;
use crate::repl::output::Output;
use crate::repl::session::Session;
use crate::repl::typed::MAX_LINE;
use crate::visible::visible;
use std::io::{self, BufRead, Write};

/// The byte order mark.
const MARK: char = '\u{feff}';

/// One line of the input.
enum Input {
    Line(String),
    /// It cannot be used, and why.
    Bad(String),
    End,
}

/// Plays a session to the end of the input. True when every line could be used.
pub fn run(mut session: Session, input: &mut impl BufRead, output: &mut impl Write) -> bool {
    crate::repl::equip(&mut session);
    let all_well = play(&mut session, input, output);
    if let Some(last) = session.close() {
        // A reader that has gone away needs no last word.
        let _ = print(output, &Output::text(last));
    }
    all_well
}

fn play(session: &mut Session, input: &mut impl BufRead, output: &mut impl Write) -> bool {
    let mut all_well = true;
    let greeting = session.greeting();
    all_well &= !greeting.failed();
    // A reader that has gone away ends the session.
    if print(output, &greeting).is_err() {
        return all_well;
    }
    // What was read on the look-out for a closing bracket and does not belong to it.
    let mut next = None;
    let mut first = true;
    loop {
        let first = std::mem::replace(&mut first, false);
        let line = match next.take().unwrap_or_else(|| read(input)) {
            Input::End => return all_well,
            Input::Line(mut line) => {
                // Some editors begin a file with a mark of its encoding.
                if first && line.starts_with(MARK) {
                    line.drain(..MARK.len_utf8());
                }
                next = read_on(&mut line, input);
                line
            }
            Input::Bad(why) => {
                all_well = false;
                if write(output, &format!("{}\nerror: {why}", session.prompt().0)).is_err() {
                    return all_well;
                }
                continue;
            }
        };
        // What was saved since the last line counts for this one.
        if let Some(notice) = session.look_for_changes() {
            all_well &= !notice.failed();
            if print(output, &notice).is_err() {
                return all_well;
            }
        }
        let echoed = write(output, &format!("{}{line}", session.prompt().0));
        let reply = session.line(&line);
        all_well &= !reply.failed();
        if echoed.is_err() || print(output, &reply).is_err() || reply.quit {
            return all_well;
        }
        while let Some(reply) = session.machine_answers() {
            all_well &= !reply.failed();
            if print(output, &reply).is_err() {
                return all_well;
            }
        }
    }
}

fn print(output: &mut impl Write, reply: &Output) -> io::Result<()> {
    for piece in &reply.pieces {
        write(output, &piece.text())?;
    }
    output.flush()
}

/// Writes text for a reader that may be a terminal.
fn write(output: &mut impl Write, text: &str) -> io::Result<()> {
    writeln!(output, "{}", visible(text, false))
}

/// Reads the lines that belong to one that leaves a bracket open; returns what came instead of the
/// next: a command, which is never part of an expression, or what is no text.
fn read_on(line: &mut String, input: &mut impl BufRead) -> Option<Input> {
    while line.len() <= MAX_LINE && wants_more(line) {
        match read(input) {
            Input::Line(more) if !more.starts_with(':') => {
                line.push('\n');
                line.push_str(&more);
            }
            other => return Some(other),
        }
    }
    None
}

/// Reads a line without keeping more of it than may be used.
fn read(input: &mut impl BufRead) -> Input {
    let mut line = Vec::new();
    let mut length = 0;
    loop {
        let piece = match input.fill_buf() {
            Ok(piece) => piece,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return Input::End,
        };
        if piece.is_empty() {
            if length == 0 {
                return Input::End;
            }
            break;
        }
        let end = piece.iter().position(|&b| b == b'\n');
        let (part, used) = end.map_or((piece.len(), piece.len()), |at| (at, at + 1));
        if line.len() <= MAX_LINE {
            line.extend_from_slice(&piece[..part]);
        }
        length += used;
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    if length > MAX_LINE + 2 {
        return Input::Bad(format!(
            "a line of {length} bytes is too long: {MAX_LINE} at most"
        ));
    }
    match String::from_utf8(line) {
        Err(_) => Input::Bad("the line is not valid UTF-8 text".to_owned()),
        Ok(text) if text.contains('\0') => Input::Bad("the line has a NUL byte in it".to_owned()),
        Ok(text) => {
            let text = text.trim_end_matches('\r');
            // Whatever else is no text must not reach a terminal by way of the echo.
            if text.chars().any(|c| c.is_control() && c != '\t') {
                return Input::Bad("the line has control characters in it".to_owned());
            }
            Input::Line(text.to_owned())
        }
    }
}
