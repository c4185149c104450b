//! The front end for piped input, as lines and replies.

use rulebench::render::Style;
use rulebench::repl::plain::run;
use rulebench::repl::session::Session;
use rulebench::stage::run::Overrides;
use std::io::{self, Write};

fn opened() -> Session {
    let opened = Session::new(
        &rulebench::embedded::games(),
        Some("smalltricks"),
        Overrides::default(),
        Style::default(),
    );
    opened.expect("it opens")
}

fn played(input: &[u8]) -> (bool, String) {
    let mut output = Vec::new();
    let all_well = run(opened(), &mut &input[..], &mut output);
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
fn a_mark_of_the_encoding_begins_no_command() {
    let (well, told) = played(b"\xef\xbb\xbf= 40 + 2\n");
    assert!(well && told.contains("> = 40 + 2\n42\n"), "{told}");
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
    assert!(run(opened(), &mut &b"1\n1\n"[..], &mut Gone));
}
