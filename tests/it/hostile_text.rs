//! Texts that were written by others and would steer a terminal, in every place where a text can stand:
//! none of it may reach a screen as it is, be it a terminal or a pipe behind which one may stand.

use crate::support::{Copy, root};
use rexpect::process::PtyProcess;
use rexpect::session::{Options, PtySession};
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Clears the screen, sets the window's title, colours, hides; the same by C1; turns the direction; is unseen.
const ODD: &str = "a\u{1b}[2Jb\u{1b}]0;c\u{7}d\u{1b}[30md\u{1b}[8me\u{9b}31mf\u{90}g\u{202e}h\u{2066}i\u{200b}j\u{8}\u{7f}k";
/// Without control characters: those a choice's label, a word or a cause cannot have.
const TURNED: &str = "a\u{202e}b\u{2066}c\u{200b}d\u{feff}e";
const MILLISECONDS: u64 = 60_000;

/// As a string of a script spells it, or one of a TOML file.
fn spelled() -> String {
    let spell = |c: char| match c.is_ascii() && !c.is_control() {
        true => c.to_string(),
        false => format!("\\u{:04x}", u32::from(c)),
    };
    ODD.chars().map(spell).collect()
}

/// Returns the odd text without the characters that a file name cannot contain.
fn in_a_name() -> String {
    ODD.replace('/', "")
}

/// The example of a new workspace with the odd text wherever there is one.
fn workspace() -> Copy {
    let copy = Copy::of_nothing();
    crate::support::copy(&root().join("starter"), &copy.path("."));
    let odd = spelled();
    let game = "scripts/ford/game.rhai";
    copy.replace(
        game,
        "max_rounds: number(8, 1, 99)",
        &format!("max_rounds: number(8, 1, 99), pace: one_of(\"slow\", [\"slow\", \"x{odd}\"])"),
    );
    copy.replace(
        game,
        "\"place\", may_end",
        &format!("\"place {TURNED}\", may_end"),
    );
    copy.replace(
        game,
        "\"attack\", foes, \"nobody\"",
        &format!("\"attack {TURNED}\", foes, \"nobody{TURNED}\""),
    );
    copy.replace(game, "foe != \"nobody\"", &format!("foe != \"nobody{TURNED}\""));
    copy.replace(
        game,
        "    march(me);",
        &format!("    print(\"p{odd}\"); debug(\"d{odd}\");\n    march(me);"),
    );
    copy.replace(game, "\"holds the ford\"", &format!("\"holds {TURNED}\""));
    copy.replace(game, "\"the ford is held\"", &format!("\"held {TURNED}\""));
    copy.replace(game, "/// Attacks one", &format!("/// {ODD} Attacks one"));
    let book = "scripts/ford/rulebook.toml";
    copy.replace(book, "title = \"Ford\"", &format!("title = \"Ford {odd}\""));
    copy.replace(book, "source = \"", &format!("source = \"{odd}"));
    copy.replace(
        book,
        "says = \"Slingers that",
        &format!("says = \"{odd}Slingers that"),
    );
    copy.replace(book, "says = \"A unit", &format!("says = \"{odd}A unit"));
    copy.write(
        "scripts/ford/tweaks.toml",
        format!(
            "[steady-slings]\nstate = \"rejected\"\nreason = \"r{odd}\"\n\n[words]\ndial = \"pace=x{odd}\"\n"
        ),
    );
    for (at, name) in [
        "slingers-stand-to-throw",
        "stones-and-shields",
        "two-warbands-meet",
    ]
    .iter()
    .enumerate()
    {
        let file = format!("scenarios/ford/{name}.toml");
        copy.replace(&file, "title = \"", &format!("title = \"{at}{odd}"));
        copy.replace(&file, "about = \"", &format!("about = \"{odd}"));
        let snap = format!("snapshots/ford/{name}.snap");
        if copy.path(&snap).exists() {
            let text = std::fs::read_to_string(copy.path(&snap)).expect("it is there");
            copy.write(&snap, text.replace("red", &format!("red{ODD}")));
        }
    }
    copy.write(
        "scenarios/ford/fails.toml",
        format!("game = \"ford\"\nexpect = ['\"{odd}\" == \"\"']\nanswers = [\"{odd}\"]\n"),
    );
    copy.write(
        "scenarios/ford/bad.toml",
        format!("game = \"ford\"\nuntil = \"{odd}\"\n\"key{odd}\" = 1\n"),
    );
    copy.write(
        "scenarios/ford/worse.toml",
        format!("game = \"ford\"\nx = {ODD}\n"),
    );
    copy.write(
        &format!("scenarios/ford/named{}.toml", in_a_name()),
        "game = \"ford\"\nnonsense = 1\n",
    );
    copy.write("told.txt", format!("game ford\n{ODD}\n"));
    copy.write(
        "scripts/ford/variants/far.rhai",
        format!(
            "// {ODD}
fn reach(me) {{ 2 }}
"
        ),
    );
    copy
}

/// The same, where a rule fails with such a text.
fn failing() -> Copy {
    let copy = workspace();
    copy.replace(
        "scripts/ford/game.rhai",
        "fn activate(me) {",
        &format!(
            "fn activate(me) {{\n    if me.life > 0 {{ let odd = \"{}\"; throw \"t{}\" + unit_type(odd); }} // {ODD}",
            spelled(),
            spelled()
        ),
    );
    copy
}

/// The same, where the script cannot be read.
fn broken() -> Copy {
    let copy = workspace();
    copy.replace(
        "scripts/ford/game.rhai",
        "fn reach(me) {",
        &format!("fn reach(me) {{ let x{ODD} = ;"),
    );
    copy.write(
        &format!("scripts/ford/variants/v{}.rhai", in_a_name()),
        "fn reach(me) { 2 }",
    );
    copy.write(
        &format!("units/ford/u{}.rhai", in_a_name()),
        format!("fn stats() {{ {ODD}"),
    );
    copy
}

/// The odd characters of a text, with what stands around the first: those of [`ODD`] and all others alike.
fn steering(text: &str) -> Option<String> {
    let odd = |c: char| {
        let turns = matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}');
        turns || c.is_control() && c != '\n' && c != '\t'
    };
    let (at, _) = text.char_indices().find(|(_, c)| odd(*c))?;
    let around: String = text[at..].chars().take(60).collect();
    Some(format!("{around:?}"))
}

/// A text without the colours that the program itself writes.
fn uncoloured(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let code = piece.split_once('m').filter(|(codes, _)| {
            let own =
                |c: &str| ["0", "1", "2", "4", "7"].contains(&c) || c.len() == 2 && c.starts_with(['3', '9']);
            *codes != "30" && codes.split(';').all(own)
        });
        match code {
            Some((_, rest)) => plain.push_str(rest),
            None => {
                plain.push_str("\u{1b}[");
                plain.push_str(piece);
            }
        }
    }
    plain
}

fn command(copy: &Copy, args: &[&str], colour: bool) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rulebench"));
    command
        .args(args)
        .current_dir(copy.path("."))
        .env("TERM", "xterm-256color")
        .env("LANG", "en_US.UTF-8")
        .env("XDG_STATE_HOME", copy.path("state"))
        .env_remove("NO_COLOR")
        .env_remove("CI");
    if !colour {
        command.env("NO_COLOR", "1");
    }
    command
}

/// All that a command writes to a terminal.
fn on_a_terminal(copy: &Copy, args: &[&str], colour: bool) -> String {
    let process = PtyProcess::new(command(copy, args, colour)).expect("it starts");
    let options = Options::new().timeout_ms(Some(MILLISECONDS));
    let mut session = PtySession::new(process, options).expect("it has a terminal");
    let told = session.exp_eof().unwrap_or_else(|e| panic!("{args:?}: {e}"));
    text_of(&told).replace("\r\u{1b}[K", "")
}

/// The reader hands out bytes as characters; lines end with both signs.
fn text_of(told: &str) -> String {
    let bytes = told.chars().filter_map(|c| u8::try_from(u32::from(c)).ok());
    String::from_utf8(bytes.collect())
        .expect("text")
        .replace("\r\n", "\n")
}

/// All that a command writes to pipes.
fn through_pipes(copy: &Copy, args: &[&str]) -> String {
    let done = command(copy, args, true)
        .stdin(Stdio::null())
        .output()
        .expect("it starts");
    String::from_utf8([done.stdout, done.stderr].concat()).expect("text")
}

/// With `ODD` for what is odd.
const COMMANDS: &str = "\
    test; test --json; check; check --json; check --combos; check --combos --json; run fails;\
    run bad; run worse; run fails --json; run two-warbands-meet; run told.txt;\
    run slingers-stand-to-throw --json; run stones-and-shields --variant ODD;\
    diff slingers-stand-to-throw --set pace=xODD; diff stones-and-shields --variant far;\
    diff stones-and-shields --variant far --json; diff --all ford; diff --all ford --json;\
    diff stones-and-shields --variant far --bisect;\
    diff stones-and-shields --then ODD --variant ODD; variants ford; variants ford --json;\
    variants ford --changes; variants adopt ODD; variants new ODD --clause ODD; variants undo words;\
    variants reject words --reason ODD; coverage ford; coverage ford --json;\
    odds stones-and-shields; odds stones-and-shields --json; odds stones-and-shields --goal ODD;\
    odds slingers-stand-to-throw; mutate ford --only ODD; mutate ford --only slingers;\
    profile ford --games 2; render stones-and-shields --out -; render stones-and-shields --at ODD;\
    render stones-and-shields --arrows ODD; render stones-and-shields --html --out -;\
    sheet ford --out sheets; sheet ford --json --out sheets; accept ODD; accept; reject --all;\
    reject --unreferenced; doc --check --out ODD; new ODD/x; ODD; run ODD; repl ODD; --ODD;\
    repl --variant ODD; repl --set ODD=1; repl --set pace=ODD; --workspace ODD check";

/// Returns the commands to run in the odd workspace, each as its arguments.
fn commands() -> Vec<Vec<String>> {
    let odd = ODD.to_owned();
    let words = |line: &str| {
        line.trim()
            .split(' ')
            .map(|word| word.replace("ODD", &odd))
            .collect()
    };
    COMMANDS.split(';').map(words).collect()
}

/// Lines typed at the prompt.
const LINES: &str = "\
    :open two-warbands-meet | :board | :units | :dials | :variants | :options | 1 | :events | 1 |\
    1 | :events 40 | :why 1 | :why activate | :why-not a1 | :help choose | :auto random 6 |\
    :events 40 | :why 8 | :branches | :set pace=slow | :clause FD-1 | :clause FD-5 | :test |\
    :diff steady-slings | :with far | :odds | :reach red.shieldmen1 | :threat red | :retell |\
    :open fails | :open bad | :open worse | :load told.txt | :reload | :accept |\
    dials() | \"a\\u009bb\\x1b]0;c\" | throw \"a\\u009bb\" |\
    :patch ford fn reach(me) { throw \"a\\u009bb\\u202e\" } | :expect \"a\\u009bb\" == 1 |\
    :save saved.txt | :load saved.txt | :restart | :new ford | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1 |\
    :branch x\\u009b | :switch | :help \u{202e} | \u{9b}x\u{200b} | :undo 3 | :quit";

/// Counts the odd characters that are shown in a visible form.
fn seen(told: &str) -> usize {
    ["\\u{1b}", "\\u001b", "\u{241b}"]
        .iter()
        .map(|odd| told.matches(odd).count())
        .sum()
}

#[test]
fn no_command_hands_on_what_would_steer_a_terminal() {
    let looked = std::thread::scope(|scope| {
        let all = [workspace(), failing(), broken()].map(|copy| {
            scope.spawn(move || {
                let (mut steered, mut shown) = (Vec::new(), 0);
                for args in commands() {
                    let args: Vec<&str> = args.iter().map(String::as_str).collect();
                    let piped = through_pipes(&copy, &args);
                    let coloured = uncoloured(&on_a_terminal(&copy, &args, true));
                    // A transcript or a page in a pipe is data.
                    let is_data = args[0] == "run" || args.contains(&"-");
                    let piped = match is_data && !args.contains(&"--json") {
                        true => piped.replace(
                            |c: char| !c.is_control() && steering(&c.to_string()).is_some(),
                            "",
                        ),
                        false => piped,
                    };
                    for (what, told) in [("piped", piped), ("on a terminal", coloured)] {
                        assert!(!told.is_empty(), "{args:?} says nothing");
                        shown += usize::from(seen(&told) > 0);
                        steered.extend(steering(&told).map(|found| format!("{what}: {args:?}: {found}")));
                    }
                }
                (steered, shown)
            })
        });
        all.map(|thread| thread.join().expect("it looked"))
    });
    let steered: Vec<&String> = looked.iter().flat_map(|(steered, _)| steered).collect();
    assert!(steered.is_empty(), "{steered:#?}");
    // The texts do come there.
    assert!(looked.iter().all(|(_, shown)| *shown > 50), "{looked:?}");
}

#[test]
fn nothing_at_the_prompt_steers_a_terminal() {
    for copy in [workspace(), failing()] {
        let mut child = command(&copy, &["repl"], true)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let lines = LINES.replace(" | ", "\n");
        child
            .stdin
            .take()
            .expect("a pipe")
            .write_all(lines.as_bytes())
            .expect("it reads");
        let done = child.wait_with_output().expect("it ends");
        let told = String::from_utf8([done.stdout, done.stderr].concat()).expect("text");
        assert_eq!(steering(&told), None);
        assert!(seen(&told) > 20, "{told}");

        let process = PtyProcess::new(command(&copy, &["repl"], true)).expect("it starts");
        let options = Options::new().timeout_ms(Some(MILLISECONDS));
        let mut session = PtySession::new(process, options).expect("it has a terminal");
        // What is typed is the user's own.
        for line in lines.lines().filter(|line| steering(line).is_none()) {
            std::thread::sleep(Duration::from_millis(100));
            session.send_line(line).expect("typed");
        }
        let told = uncoloured(&text_of(&session.exp_eof().expect("it ends")));
        // The editor moves the cursor, and does nothing of these.
        let found: Vec<&str> = ["\u{1b}]", "\u{1b}[2J", "\u{1b}[8m", "\u{1b}[30m"]
            .into_iter()
            .filter(|odd| told.contains(odd))
            .collect();
        assert!(found.is_empty(), "{found:?}");
        assert_eq!(steering(&told.replace(['\u{1b}', '\r'], "")), None);
        assert!(seen(&told) > 20, "{told}");
    }
}
