//! The front end for piped input: reads lines, echoes them behind the prompt, prints the replies.
//! What it prints reads like a session at the terminal. It knows no colour.

use super::commands::wants_more;
use super::lines::MAX_LINE;
use super::output::{Output, Piece};
use super::session::Session;
use crate::screen::visible;
use std::io::{self, BufRead, Write};

/// One line of the input.
enum Input {
    Line(String),
    /// It cannot be used, and why.
    Bad(String),
    End,
}

/// Plays a session to the end of the input. True when every line could be used.
pub fn run(mut session: Session, input: &mut impl BufRead, output: &mut impl Write) -> bool {
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
    loop {
        let line = match next.take().unwrap_or_else(|| read(input)) {
            Input::End => return all_well,
            Input::Line(mut line) => {
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
        let (Piece::Text(text) | Piece::Error(text) | Piece::Cover(text)) = piece;
        write(output, text)?;
    }
    output.flush()
}

/// Whoever reads it may be a terminal.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::Style;
    use crate::script::workspace::Workspace;
    use crate::stage::run::Overrides;

    fn played(input: &[u8]) -> (bool, String) {
        let session = Session::new(
            &Workspace::Embedded,
            Some("smalltricks"),
            Overrides::default(),
            Style::default(),
        );
        let session = session.expect("it opens");
        let mut output = Vec::new();
        let all_well = run(session, &mut &input[..], &mut output);
        (all_well, String::from_utf8(output).expect("text"))
    }

    #[test]
    fn piped_lines_are_echoed_behind_the_prompt() {
        let (all_well, printed) = played(b"= 1 + 1\n1\r\n:undo");
        assert!(all_well, "{printed}");
        assert!(
            printed.contains("\nred> = 1 + 1\n2\nred> 1\nmuster: red\nred chose"),
            "{printed}"
        );
        assert!(
            printed.contains("\nred> :undo\ntook back 1 answer\n"),
            "{printed}"
        );
        assert!(!printed.contains('\u{1b}'));
    }

    #[test]
    fn an_open_bracket_reads_on_until_it_is_closed_or_a_command_comes() {
        let (all_well, printed) = played(b"max(\n  20,\n\n  22 // )\n) + 1\n= 2 + 2\n");
        assert!(all_well, "{printed}");
        let echoed = "red> max(\n  20,\n\n  22 // )\n) + 1\n23\nred> = 2 + 2\n4\n";
        assert!(printed.ends_with(echoed), "{printed}");
        // What is never closed takes no command with it, and the end of the input ends it.
        let (all_well, printed) = played(b"max(1,\n2\n:seed\nmax(1,");
        assert!(!all_well);
        assert_eq!(printed.matches("error").count(), 2, "{printed}");
        assert!(printed.contains("\nred> :seed\n"), "{printed}");
    }

    #[test]
    fn a_line_in_error_is_told_in_place_and_at_the_end() {
        let (all_well, printed) = played(b":bord\n= 2 + 2\n");
        assert!(!all_well);
        let error = printed.find("there is no command `:bord`").expect("told");
        assert!(printed[error..].ends_with("red> = 2 + 2\n4\n"), "{printed}");
    }

    #[test]
    fn input_that_is_no_text_is_refused_in_a_sentence_and_play_goes_on() {
        let mut input = vec![b'x'; 10 << 20];
        input.extend(b"\na\0b\n\xff\xfe\n\x1b[2J\n= 40 + 2\n");
        let (all_well, printed) = played(&input);
        assert!(!all_well && printed.len() < 20_000);
        let last: Vec<&str> = printed.lines().rev().take(10).collect();
        assert_eq!(
            last,
            [
                "42",
                "red> = 40 + 2",
                "error: the line has control characters in it",
                "red> ",
                "error: the line is not valid UTF-8 text",
                "red> ",
                "error: the line has a NUL byte in it",
                "red> ",
                "error: a line of 10485761 bytes is too long: 65536 at most",
                "red> ",
            ]
        );
    }

    #[test]
    fn quit_ends_before_the_rest() {
        let (all_well, printed) = played(b":quit\n:bord\n");
        assert!(all_well && printed.ends_with("red> :quit\n"), "{printed}");
    }

    #[test]
    fn a_reader_that_goes_away_ends_the_session() {
        struct Gone;
        impl Write for Gone {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let session = Session::new(
            &Workspace::Embedded,
            Some("smalltricks"),
            Overrides::default(),
            Style::default(),
        );
        assert!(run(session.expect("it opens"), &mut &b"1\n1\n"[..], &mut Gone));
    }
}
