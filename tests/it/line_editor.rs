//! The line editor in a real pseudo-terminal, seen as a screen: completion, hints, several lines,
//! pastes, Ctrl-C, Ctrl-D, Ctrl-Z, a window that changes, and what is remembered.

use crate::support::Copy;
use rexpect::process::{PtyProcess, Signal};
use rexpect::session::{Options, PtySession};
use std::io::Write as _;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Maximum wait for a screen; machines that run tests are busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// Number of times that several lines are typed in a row.
const ROUNDS: usize = 20;

const SCENARIO: &str = "game = \"smalltricks\"\nunits.red = [\"mounted c3\", \"archers a1\"]\n\
                        units.blue = [\"spears c4\", \"cannons f6\"]\n";

/// A terminal of 60 rows and 80 columns with the prompt in it.
struct Terminal {
    session: PtySession,
    screen: vt100::Parser,
    /// All that came, as it came.
    came: Vec<u8>,
}

impl Terminal {
    /// The prompt with the scenario on the table.
    fn new(copy: &Copy) -> Self {
        Self::with(copy, "xterm-256color", false)
    }

    fn with(copy: &Copy, term: &str, colour: bool) -> Self {
        let mut it = Self::running(copy, repl(copy, term, colour));
        it.shows("red activates: 1 red.mounted1").prompt();
        it
    }

    fn running(copy: &Copy, command: Command) -> Self {
        copy.write("scenarios/smalltricks/it.toml", SCENARIO);
        let mut process = PtyProcess::new(command).expect("it starts");
        // A shell does not end because it is asked to.
        process.set_kill_timeout(Some(500));
        let options = Options::new().timeout_ms(Some(PATIENCE.as_millis() as u64));
        let session = PtySession::new(process, options).expect("it has a terminal");
        let mut it = Self {
            session,
            screen: vt100::Parser::default(),
            came: Vec::new(),
        };
        it.resize(60, 80);
        it
    }

    fn resize(&mut self, rows: u16, columns: u16) {
        let terminal = self.session.process().get_file_handle().expect("a terminal");
        let size = rustix::termios::Winsize {
            ws_row: rows,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        rustix::termios::tcsetwinsize(&terminal, size).expect("it takes the size");
        let some = |n| NonZero::new(n).expect("a window has a size");
        self.screen.screen_mut().set_size(some(rows), some(columns));
    }

    /// Types, whatever it is.
    fn types(&mut self, bytes: impl AsRef<[u8]>) -> &mut Self {
        // Reading has to go on, or both sides would wait for each other.
        let mut terminal = self.session.process().get_file_handle().expect("a terminal");
        terminal.write_all(bytes.as_ref()).expect("typed");
        self
    }

    /// Types a line and Enter.
    fn line(&mut self, text: &str) -> &mut Self {
        self.types(format!("{text}\r"))
    }

    fn look(&mut self) -> String {
        let mut bytes = Vec::new();
        while let Some(c) = self.session.try_read() {
            // The reader hands out bytes as characters.
            bytes.extend(u8::try_from(u32::from(c)));
        }
        self.screen.process(&bytes);
        self.came.extend(bytes);
        let contents = self.screen.screen().contents();
        let lines: Vec<&str> = contents.lines().map(str::trim_end).collect();
        lines.join("\n")
    }

    /// Waits until the screen is as it should be.
    fn until(&mut self, what: &str, is: impl Fn(&str) -> bool) -> String {
        let began = Instant::now();
        loop {
            let screen = self.look();
            if is(&screen) {
                return screen;
            }
            assert!(began.elapsed() < PATIENCE, "never {what}:\n{screen}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until the screen has a text in it.
    fn shows(&mut self, text: &str) -> &mut Self {
        self.until(&format!("`{text}`"), |screen| screen.contains(text));
        self
    }

    /// Waits until the last line is this.
    fn ends(&mut self, text: &str) -> &mut Self {
        self.until(&format!("`{text}` at the end"), |screen| {
            screen.trim_end().ends_with(text.trim_end())
        });
        self
    }

    /// Waits until the prompt is there and nothing behind it: what is typed before is read as lines.
    fn prompt(&mut self) -> &mut Self {
        self.until("a prompt", |screen| {
            let last = screen.trim_end().lines().last().unwrap_or_default();
            last.strip_suffix('>')
                .is_some_and(|name| !name.contains([' ', '>']))
        });
        self
    }

    /// Ctrl-L: an empty screen with the prompt.
    fn cleared(&mut self) {
        self.types("\x0c");
        self.until("cleared", |s| s.trim().ends_with('>') && !s.trim().contains('\n'));
    }

    /// Types a line anew until its hint is there: a machine that is busy may leave one out.
    fn hints(&mut self, typed: &str, hint: &str) {
        let whole = format!("red> {typed}{hint}");
        for _ in 0..20 {
            self.types("\x15").types(typed);
            let last = self.last();
            if last == whole {
                return;
            }
        }
        panic!("`{hint}` never stood behind `{typed}`: {}", self.last());
    }

    /// Nothing changes any more; then the last line.
    fn last(&mut self) -> String {
        let mut before = self.look();
        loop {
            std::thread::sleep(Duration::from_millis(400));
            let now = self.look();
            if now == before {
                return now.trim_end().lines().last().unwrap_or_default().to_owned();
            }
            before = now;
        }
    }

    fn quits(&mut self) {
        self.types(":quit\r");
        self.session.exp_eof().expect("it ends");
    }
}

fn repl(copy: &Copy, term: &str, colour: bool) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rulebench"));
    command
        .args(["repl", "it"])
        .current_dir(copy.path("."))
        .env("TERM", term)
        .env("LC_ALL", "C")
        .env("XDG_STATE_HOME", copy.path("state"))
        .env("XDG_CONFIG_HOME", copy.path("config"));
    if colour {
        command.env_remove("NO_COLOR");
    } else {
        command.env("NO_COLOR", "1");
    }
    command
}

const UP: &str = "\x1b[A";
/// Ctrl-P.
const BACK: &str = "\x10";
const RIGHT: &str = "\x1b[C";

#[test]
fn tab_completes_by_what_stands_before() {
    let copy = Copy::of_rules();
    let mut it = Terminal::new(&copy);
    it.types(":set max\t").shows("red> :set max_rounds=");
    it.types("\x15:dia\t").ends("red> :dials [TEXT]");
    it.types("\x15unit(\"blue.s\t").ends("red> unit(\"blue.spears1");
    it.types("\").lif\t").ends("red> unit(\"blue.spears1\").life");
    it.line("").shows("\n5\nred>");
    // Several: a list, and what was typed is still there.
    it.types(":re\t").shows("reload").ends("red> :re");
    it.types("\x15:auto gr\t").ends("red> :auto greedy");
    it.types("\x15").quits();
}

#[test]
fn hints_stand_behind_the_cursor_and_can_be_taken_over() {
    let copy = Copy::of_rules();
    let mut it = Terminal::new(&copy);
    it.hints(":set ", "DIAL=VALUE");
    it.hints("hit(", "unit, damage, word)");
    it.hints("hit(x, ", "damage, word)");
    it.hints(":boa", "rd");
    it.types(RIGHT).types("\r").shows("red> :board\n  ___");
    it.hints("red.m", "ounted1");
    // What is shown is not typed.
    it.line("").shows("there is no unit");
    // Numbers are left alone.
    it.types("1");
    assert_eq!(it.last(), "red> 1");
    it.types("\x15").quits();
}

#[test]
fn an_open_bracket_goes_on_below_and_aligned() {
    let copy = Copy::of_rules();
    let mut it = Terminal::new(&copy);
    it.line("max(").line("20,").line("42)");
    it.shows("red> max(\n         20,\n         42)\n42\nred>");
    // A bracket that closes moves back out.
    it.line("if true {").types("7").types("\r").types("}");
    it.ends("red> if true {\n         7\n     }");
    it.line("").shows("\n7\nred>");
    // In a text it is no bracket.
    it.line("\"(\"").shows("\n(\nred>");
    // A blank line gives up, and so does Ctrl-C.
    it.line("max(")
        .line("1")
        .line("")
        .shows("abandoned: a bracket was open\nred>");
    it.line("max(").types("777").ends("777").types("\x03");
    it.until("a new prompt", |s| s.trim_end().ends_with("red>"));
    it.line("40 + 2").shows("\n42\nred>");
    // All of it comes back as one.
    it.types(BACK).types(BACK).types(BACK).types(BACK);
    it.ends("red> max(\n    20,\n    42)");
    it.line("").shows("42)\n42\nred>").quits();
}

#[test]
fn what_is_typed_behind_a_bracket_that_closes_stays_behind_it() {
    let copy = Copy::of_rules();
    let mut it = Terminal::new(&copy);
    it.line("[").line("[1").line("], 2").line("]");
    it.shows("red> [\n         [1\n         ], 2\n     ]\n[[1], 2]\nred>");
    it.line("if false {")
        .line("1")
        .line("} else {")
        .line("2")
        .line("}");
    it.shows("\n     } else {\n         2\n     }\n2\nred>");
    // What is behind the cursor goes along.
    it.types("max(20, 42").types("\x1b[D\x1b[D").line("");
    it.ends("red> max(20,\n         42");
    it.types("\x05").line(")").shows("\n42\nred>").quits();
}

#[test]
fn what_was_chosen_in_secret_is_not_left_above_the_screen() {
    const FORGET: &[u8] = b"\x1b[3J";
    let forgets = |it: &Terminal| it.came.windows(FORGET.len()).any(|bytes| bytes == FORGET);
    let copy = Copy::of_rules();
    let mut it = Terminal::new(&copy);
    it.line(":new smalltricks").shows("choose in secret").prompt();
    assert!(!forgets(&it));
    for _ in 0..40 {
        it.cleared();
        it.line("1").prompt();
        if it.last() == "blue>" {
            break;
        }
    }
    it.shows("blue's turn to choose in secret");
    assert!(forgets(&it) && !it.look().contains("chose face"));
    it.quits();
}

#[test]
fn a_paste_of_several_lines_is_one_input_and_commands_in_it_are_several() {
    let copy = Copy::of_rules();
    let mut it = Terminal::new(&copy);
    it.types("\x1b[200~max(\r    1,\r\r    2)\r\x1b[201~");
    it.ends("red> max(\n         1,\n\n         2)");
    it.line("").shows("\n2\nred>");
    it.types("\x1b[200~max(\r\n    1,\r\n    3)\x1b[201~");
    it.ends("red> max(\n         1,\n         3)");
    it.line("").shows("\n3\nred>");
    it.types("\x1b[200~:seed\r= 40 +\t2\r1\x1b[201~");
    it.line("")
        .shows("red> = 40 +")
        .shows("\n42\nred> 1\n")
        .shows("stay");
    it.quits();
}

#[test]
fn a_function_is_patched_over_several_lines() {
    let copy = Copy::of_rules();
    let mut it = Terminal::new(&copy);
    it.line(":patch spears fn melee(me) {")
        .line("base(me);")
        .line("}");
    it.shows("patched spears.melee");
    it.line(":patch spears")
        .line("fn melee(me) { }")
        .shows("patched spears.melee");
    it.quits();
}

#[test]
fn lines_that_are_typed_ahead_are_all_read() {
    let copy = Copy::of_rules();
    let mut it = Terminal::new(&copy);
    it.types(":auto 2 rounds\r= 40 + 2\r= 50 + 5\r");
    it.shows("\n42\n").shows("\n55\n");
    it.quits();
}

#[test]
fn a_paste_that_is_far_too_long_is_refused_in_a_sentence() {
    let copy = Copy::of_rules();
    let mut it = Terminal::new(&copy);
    let mut text = "\x1b[200~".to_owned();
    text.push_str(&"x".repeat(1 << 20));
    text.push_str("\x1b[201~");
    it.types(text).line("").shows("is too long: 65536 at most");
    it.line("40 + 2").shows("\n42\nred>").quits();
}

#[test]
fn a_file_saved_in_the_middle_of_several_lines_disturbs_none() {
    let copy = Copy::of_rules();
    let mut it = Terminal::new(&copy);
    // What the function takes next stands behind the cursor.
    it.line("max(").types("20, ").ends("         20, b)");
    copy.replace(
        "units/smalltricks/spears.rhai",
        "fn melee(me) {",
        "fn melee(me) {\n    let twice = 2;",
    );
    it.shows("reloaded units/smalltricks/spears.rhai (melee changed); board kept");
    it.ends("red> max(\n         20, b)");
    it.line("42)").shows("\n42\nred>").quits();
}

#[test]
fn what_is_shown_fits_the_window_as_it_is_now() {
    let copy = Copy::of_rules();
    let mut it = Terminal::new(&copy);
    it.line("1").shows("18 stay");
    it.resize(60, 40);
    let widest = |s: &str| s.lines().map(|l| l.trim_end().len()).max().unwrap_or(0);
    it.cleared();
    it.line(":options").shows("stay").prompt();
    let screen = it.look();
    assert!(
        screen.contains("red chooses move") && widest(&screen) <= 40,
        "{screen}"
    );
    it.resize(60, 120);
    it.cleared();
    it.line(":board").shows("___").prompt();
    it.line("40 + 2").shows("\n42\n").quits();
}

#[test]
fn ctrl_c_stops_a_run_and_the_game_goes_on() {
    let copy = Copy::of_rules();
    let mut it = Terminal::new(&copy);
    it.line(":new smalltricks");
    it.shows("choose in secret").prompt();
    it.line(":auto greedy end");
    std::thread::sleep(Duration::from_millis(500));
    it.types("\x03");
    it.until("an end", |s| {
        s.contains("stopped after") || s.contains("the game is over")
    });
    // At the prompt it is a key like others.
    it.last();
    it.prompt().types("7").ends("> 7").types("\x03");
    it.until("the next prompt", |s| !s.trim_end().ends_with('7'));
    it.prompt();
    it.line("40 + 2").shows("\n42\n");
    // What never ends is stopped by the rules' own limits.
    it.line("loop {}").shows("error").line("= 50 + 5").shows("\n55\n");
    it.quits();
}

#[test]
fn ctrl_d_deletes_in_a_line_and_leaves_from_an_empty_one() {
    let copy = Copy::of_rules();
    let mut it = Terminal::new(&copy);
    it.types("140 + 2").ends("140 + 2").types("\x04");
    it.types("\x01\x04\r").shows("\n42\nred>");
    it.types("\x04");
    it.session.exp_eof().expect("it ends");
}

#[test]
fn what_was_typed_is_remembered_though_the_program_was_killed() {
    let copy = Copy::of_rules();
    // Never within the workspace, where it would not be written.
    let state = Copy::of_nothing();
    let start = || {
        let mut command = repl(&copy, "xterm-256color", false);
        command.env("XDG_STATE_HOME", state.path("."));
        let mut it = Terminal::running(&copy, command);
        it.shows("red activates").prompt();
        it
    };
    let (mut first, mut second) = (start(), start());
    first.line("1000 + 1").shows("1001");
    second.line("2000 + 2").shows("2002");
    first.line("1000 + 3").shows("1003");
    first.line("1000 + 3").prompt();
    first
        .session
        .process_mut()
        .signal(Signal::SIGKILL)
        .expect("killed");
    second.quits();
    let mut third = start();
    third.types(UP).ends("red> :quit");
    third.types(UP).ends("red> 1000 + 3");
    third.types(UP).ends("red> 2000 + 2");
    // Searched backwards.
    third.types("\x15\x12").shows("reverse-i-search");
    third.types("+ 1").shows("1000 + 1");
    third.line("").shows("\n1001\nred>").quits();
}

#[test]
fn bytes_that_are_no_text_are_refused_in_a_sentence() {
    let copy = Copy::of_rules();
    let mut it = Terminal::new(&copy);
    it.types(b"\xff\r").shows("error: the line is not valid text");
    it.line("").line("40 + 2").shows("\n42\nred>").quits();
}

#[test]
fn ctrl_z_and_fg_keep_what_is_typed() {
    let copy = Copy::of_rules();
    let mut shell = Command::new("bash");
    shell
        .args(["--norc", "--noprofile", "-i"])
        .current_dir(copy.path("."))
        .env("TERM", "xterm-256color")
        .env("LC_ALL", "C")
        .env("NO_COLOR", "1")
        .env("PS1", "shell% ")
        .env("HISTFILE", "")
        .env("XDG_STATE_HOME", copy.path("state"));
    let mut it = Terminal::running(&copy, shell);
    it.shows("shell%");
    it.line(&format!("{} repl it", env!("CARGO_BIN_EXE_rulebench")));
    it.shows("red activates").ends("red>");
    it.types("40 + ").ends("red> 40 +");
    it.types("\x1a").ends("shell%");
    it.line("fg").ends("red> 40 +");
    it.types("2\r").shows("\n42\nred>");
    it.line(":quit").ends("shell%");
    it.types("exit\r");
    it.session.exp_eof().expect("it ends");
}

#[test]
fn a_dumb_terminal_reads_lines_too() {
    let copy = Copy::of_rules();
    let mut it = Terminal::with(&copy, "dumb", false);
    it.line("40 + 2").shows("42\nred>");
    it.line("max(").line("43,").line("1)").shows("43\nred>");
    it.line(":quit");
    it.session.exp_eof().expect("it ends");
}

#[test]
fn colours_tell_what_is_known_where_they_are_wanted() {
    let copy = Copy::of_rules();
    let mut it = Terminal::running(&copy, repl(&copy, "xterm-256color", true));
    it.shows("red activates");
    it.types(":bord x").ends("red> :bord x");
    let colour = |it: &mut Terminal, column: u16| {
        // A hint reads like what is typed until the last key is there.
        it.last();
        let screen = it.screen.screen();
        let row = screen.cursor_position().0;
        screen.cell(row, column).map(|c| (c.fgcolor(), c.bold()))
    };
    let red = vt100::Color::Idx(1);
    assert_eq!(colour(&mut it, 5), Some((red, false)));
    it.types("\x15:units").ends("red> :units");
    assert_eq!(colour(&mut it, 5).map(|c| c.1), Some(true));
    it.types("\x15").quits();
    // Without colours nothing that is typed has one.
    let mut it = Terminal::new(&copy);
    it.types(":bord x").ends("red> :bord x");
    assert_eq!(colour(&mut it, 5), Some((vt100::Color::Default, false)));
    it.types("\x15").quits();
}

#[test]
fn lines_that_come_fast_while_files_are_saved_are_all_read() {
    let copy = Copy::of_rules();
    let mut it = Terminal::new(&copy);
    let file = "units/smalltricks/spears.rhai";
    let text = std::fs::read_to_string(copy.path(file)).expect("it is there");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for round in 0.. {
                if done.load(Ordering::Relaxed) {
                    break;
                }
                let more = format!("fn melee(me) {{\n    let twice = {round};");
                copy.write(file, text.replace("fn melee(me) {", &more));
                std::thread::sleep(Duration::from_millis(200));
            }
        });
        // The editor prefers what is typed to what it is told of, so that notices pile up while it reads.
        let long = " + 1".repeat(80);
        let read = catch_unwind(AssertUnwindSafe(|| {
            for round in 1..=ROUNDS {
                for _ in 0..3 {
                    it.line(&format!("1000{long}"));
                }
                // What is typed while the terminal changes its mode may be lost.
                let answer = format!("\n{round}7777");
                let mut tries = 0;
                while !it.look().contains(&answer) {
                    tries += 1;
                    assert!(tries < 100, "it does not go on:\n{}", it.look());
                    it.line(&format!("\x15{round}7776 + 1"));
                    std::thread::sleep(Duration::from_millis(300));
                }
            }
        }));
        done.store(true, Ordering::Relaxed);
        read.unwrap_or_else(|why| resume_unwind(why));
    });
    it.prompt();
}
