//! The commands of the REPL: one table with their names, arguments, help and functions. Adding one
//! is adding a row. Knows the session and nothing of how its replies are printed.

use super::auto::Goal;
use super::debug;
use super::session::{Reply, Session};
use super::show::table;
use crate::agents::Agent;
use crate::report::{Problem, Problems, hint_for};
use crate::script::declare::DialValue;

/// One command.
pub struct Command {
    /// Its name, without the `:`.
    pub name: &'static str,
    /// Its arguments, as help shows them; those in brackets may be left out.
    pub args: &'static str,
    /// What it does, in one line.
    pub help: &'static str,
    /// More about it, for `:help NAME`; may be empty.
    pub more: &'static str,
    pub(super) run: fn(&mut Session, &str) -> Result<Reply, Problems>,
    /// What an argument may be.
    pub(super) known: fn(&Session) -> Vec<String>,
}

/// All commands, in the order in which help lists them.
pub const COMMANDS: &[Command] = &[
    Command {
        name: "help",
        args: "[NAME]",
        help: "lists the commands, or explains one",
        more: "",
        run: help,
        known: |_| names().map(str::to_owned).collect(),
    },
    Command {
        name: "board",
        args: "",
        help: "draws the board",
        more: "While something is chosen in secret, it shows what the one who is asked may see.",
        run: |s, args| Ok(none(args).map(|()| Reply::text(s.board()))?),
        known: nothing,
    },
    Command {
        name: "options",
        args: "",
        help: "asks the open question again, with its options",
        more: "Answer with an option's name or its number.",
        run: options,
        known: nothing,
    },
    Command {
        name: "units",
        args: "",
        help: "lists all units with their places and slots",
        more: "",
        run: |s, args| Ok(none(args).map(|()| Reply::text(s.units()))?),
        known: nothing,
    },
    Command {
        name: "events",
        args: "[N]",
        help: "shows the last N lines of the record, 20 without N",
        more: "",
        run: |s, args| Ok(Reply::text(s.events(count(args, 20)?))),
        known: nothing,
    },
    Command {
        name: "why",
        args: "[N | FUNCTION]",
        help: "tells which rules led to something",
        more: "\
:why                the last thing that followed from a rule
:why 12             event 12; `:events` shows the numbers
:why damage         the last call of the function `damage`
Each line is a call: with what, the file and line it came to, what it said, and the variant whose
layer it is.",
        run: super::why::why,
        known: |s| {
            let functions = s.play.host.functions().iter();
            functions.map(|f| f.name.clone()).collect()
        },
    },
    Command {
        name: "why-not",
        args: "[UNIT] OPTION",
        help: "tells which rule leaves out an option",
        more: "\
:why-not c5                  why the open question does not offer c5
:why-not red.scouts1 c5      why that unit could not go there, also before it is activated",
        run: super::why::why_not,
        known: Session::things,
    },
    Command {
        name: "auto",
        args: "[AGENT] [N] [PHASE]",
        help: "lets an agent answer: one question, N, rounds, or all",
        more: "\
:auto               the random agent answers the open question
:auto greedy        the greedy agent does; agents are random, greedy and first
:auto 5             five questions
:auto 10 steps      ten steps
:auto 2 rounds      until the second round from now begins; any phase's name will do
:auto end           to the end of the game
Ctrl-C stops it between two steps.",
        run: auto,
        known: |s| {
            let phases = s.play.host.rules.phases.iter().skip(1).map(|p| p.name.clone());
            let agents = Agent::NAMES.iter().map(|(n, _)| (*n).to_owned());
            agents
                .chain(["steps", "turns", "end"].map(str::to_owned))
                .chain(phases)
                .collect()
        },
    },
    Command {
        name: "undo",
        args: "[N]",
        help: "takes back the last N answers, 1 without N",
        more: "Answers of agents count; a choice with a single option does not. Right after `:open`, `:load`,\n`:new`, `:restart` or `:retell` it brings the game before that back.",
        run: |s, args| {
            let times = count(args, 1)?;
            s.undo(times)
        },
        known: nothing,
    },
    Command {
        name: "restart",
        args: "",
        help: "begins again from the start of the scenario or game",
        more: "",
        run: |s, args| {
            none(args)?;
            s.restart()
        },
        known: nothing,
    },
    Command {
        name: "new",
        args: "GAME",
        help: "begins a game from its beginning",
        more: "",
        run: |s, args| s.begin(one(args, "the name of a game")?),
        known: |s| s.workspace.games(),
    },
    Command {
        name: "open",
        args: "SCENARIO",
        help: "lays out the position of a scenario or transcript",
        more: "By name or path. The answers in it are played first; the questions after them are yours.",
        run: |s, args| s.open(one(args, "the name or path of a scenario")?),
        known: |s| {
            let paths = s.workspace.list("scenarios", ".toml");
            let stem = |p: &String| Some(p.rsplit('/').next()?.strip_suffix(".toml")?.to_owned());
            paths.iter().filter_map(stem).collect()
        },
    },
    Command {
        name: "save",
        args: "FILE",
        help: "writes the play so far as a transcript",
        more: "`:load`, `rulebench run` and `rulebench repl` read it again. Only transcripts are overwritten.",
        run: |s, args| s.save(one(args, "the name of a file")?),
        known: nothing,
    },
    Command {
        name: "load",
        args: "FILE",
        help: "plays a transcript again and goes on from its end",
        more: "",
        run: |s, args| s.open(one(args, "the name of a file")?),
        known: nothing,
    },
    Command {
        name: "seed",
        args: "[N]",
        help: "shows the seed; with N begins again under that seed",
        more: "",
        run: seed,
        known: nothing,
    },
    Command {
        name: "dials",
        args: "",
        help: "lists the dials: what is set, what could be",
        more: "",
        run: dials,
        known: nothing,
    },
    Command {
        name: "set",
        args: "DIAL=VALUE",
        help: "turns a dial; the board is kept",
        more: "`:retell` plays the past again under it, `:restart` begins again.",
        run: set,
        known: |s| s.play.host.dials.iter().map(|d| d.name.clone()).collect(),
    },
    Command {
        name: "variants",
        args: "",
        help: "lists the variants: which are on, what they are",
        more: "",
        run: |s, args| {
            none(args)?;
            s.variants()
        },
        known: nothing,
    },
    Command {
        name: "with",
        args: "VARIANT...",
        help: "puts variants on; the board is kept",
        more: "`:retell` plays the past again with them, `:restart` begins again.",
        run: |s, args| s.with(&words(args)),
        known: tweaks,
    },
    Command {
        name: "without",
        args: "VARIANT...",
        help: "takes variants off; the board is kept",
        more: "",
        run: |s, args| s.without(&words(args)),
        known: tweaks,
    },
    Command {
        name: "retell",
        args: "",
        help: "plays the past again under the rules in force",
        more: "\
Gives the same answers from the start and marks the first line that differs.
If all of them still fit, the game goes on from its new end, and `:undo` brings
the old one back. If one does not, the game on the table stays as it is.",
        run: |s, args| {
            none(args)?;
            s.retell()
        },
        known: nothing,
    },
    Command {
        name: "reload",
        args: "",
        help: "looks for saved files now; the board is kept",
        more: "Saved scripts and scenarios are noticed by themselves.",
        run: |s, args| {
            none(args)?;
            s.reload()
        },
        known: nothing,
    },
    Command {
        name: "quit",
        args: "",
        help: "leaves; so does Ctrl-D",
        more: "",
        run: |_, args| {
            Ok(none(args).map(|()| Reply {
                pieces: Vec::new(),
                quit: true,
            })?)
        },
        known: nothing,
    },
];

/// The names of all variants; none when they cannot be read.
fn tweaks(session: &Session) -> Vec<String> {
    let game = &session.play.host.rules.game;
    crate::script::tweaks::all(&session.workspace, game).unwrap_or_default()
}

/// Names with blanks or commas between them.
fn words(args: &str) -> Vec<&str> {
    args.split([' ', ',', '\t']).filter(|w| !w.is_empty()).collect()
}

fn nothing(_: &Session) -> Vec<String> {
    Vec::new()
}

/// The names of all commands.
pub fn names() -> impl Iterator<Item = &'static str> {
    all().map(|c| c.name)
}

/// The names of the commands that a beginning may mean; all for an empty one.
pub fn meant(beginning_of: &str, stopped: bool) -> Vec<String> {
    if beginning_of.is_empty() {
        return names().map(str::to_owned).collect();
    }
    let meant = beginning(beginning_of, stopped);
    meant.iter().map(|c| c.name.to_owned()).collect()
}

/// The commands that begin so: those that matter now, or the others if none of them does.
fn beginning(name: &str, stopped: bool) -> Vec<&'static Command> {
    let (first, second) = match stopped {
        true => (debug::COMMANDS, COMMANDS),
        false => (COMMANDS, debug::COMMANDS),
    };
    let begin = |commands: &'static [Command]| -> Vec<&'static Command> {
        commands.iter().filter(|c| c.name.starts_with(name)).collect()
    };
    let begin_first = begin(first);
    match begin_first.is_empty() {
        true => begin(second),
        false => begin_first,
    }
}

fn all() -> impl Iterator<Item = &'static Command> {
    COMMANDS.iter().chain(debug::COMMANDS)
}

/// What the arguments of a command may be, for completion.
pub fn arguments(session: &Session, name: &str) -> Vec<String> {
    find_now(name, session.is_stopped()).map_or_else(|_| Vec::new(), |c| (c.known)(session))
}

/// Runs a command line without its `:`.
///
/// # Errors
///
/// An unknown command, arguments that it does not take, or what came of it.
pub fn run(session: &mut Session, line: &str) -> Result<Reply, Problems> {
    let line = line.trim_start();
    let (name, args) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let command = find_now(name, session.is_stopped())?;
    session.check_stopped(command.name)?;
    (command.run)(session, args.trim())
}

/// The command of that name, or the only one that begins so. Short forms mean the commands that
/// matter now before the others: where the game is stopped within a step, those that go on from there.
fn find_now(name: &str, stopped: bool) -> Result<&'static Command, Problem> {
    let alias = debug::ALIASES.iter().find(|(short, _)| stopped && *short == name);
    let name = alias.map_or(name, |(_, long)| long);
    if let Some(exact) = all().find(|c| c.name == name) {
        return Ok(exact);
    }
    let begin = beginning(name, stopped);
    match &begin[..] {
        _ if name.is_empty() => {
            Err(Problem::new("a command's name follows the `:`").hint("`:help` lists them"))
        }
        [only] => Ok(only),
        [] => Err(Problem::new(format!("there is no command `:{name}`"))
            .hint(format!("{} `:help` lists all", hint_for(name, names())))),
        several => {
            let several: Vec<String> = several.iter().map(|c| format!("`:{}`", c.name)).collect();
            Err(Problem::new(format!(
                "`:{name}` could be {}",
                several.join(" or ")
            )))
        }
    }
}

pub(super) fn none(args: &str) -> Result<(), Problem> {
    match args {
        "" => Ok(()),
        _ => Err(Problem::new(format!(
            "this command takes nothing more, not `{args}`"
        ))),
    }
}

fn one<'a>(args: &'a str, what: &str) -> Result<&'a str, Problem> {
    match args {
        "" => Err(Problem::new(format!("this command needs {what}"))),
        args => Ok(args),
    }
}

/// A number from 1, or the default when nothing is written.
pub(super) fn count(args: &str, default: usize) -> Result<usize, Problem> {
    match args.parse() {
        Ok(n) if n > 0 => Ok(n),
        _ if args.is_empty() => Ok(default),
        _ => Err(Problem::new(format!("`{args}` is no number from 1"))),
    }
}

fn help(session: &mut Session, args: &str) -> Result<Reply, Problems> {
    let rows = |commands: &[Command]| -> Vec<Vec<String>> {
        let row = |c: &Command| vec![format!(":{} {}", c.name, c.args), c.help.to_owned()];
        commands.iter().map(row).collect()
    };
    if args == "debug" || args.is_empty() && session.is_stopped() {
        let commands = table(&rows(debug::COMMANDS));
        return Ok(Reply::text(format!("{}\n{commands}", debug::HELP)));
    }
    if !args.is_empty() {
        let Command {
            name,
            args,
            help,
            more,
            ..
        } = find_now(args.trim_start_matches(':'), session.is_stopped())?;
        let head = format!(":{name} {args}");
        let more = if more.is_empty() {
            String::new()
        } else {
            format!("\n{more}")
        };
        return Ok(Reply::text(format!("{}\n{help}{more}", head.trim_end())));
    }
    let debugging: Vec<String> = debug::COMMANDS.iter().map(|c| format!(":{}", c.name)).collect();
    Ok(Reply::text(format!(
        "{}\n\n\
         To stop within a step, see `:help debug`:\n{}.\n\n\
         An option's name or number answers the question. Anything else is an\n\
         expression that reads the position, such as `count(\"round\")`; a `=` before it\n\
         says so. Commands may be shortened while they are clear. `:help NAME` says more.",
        table(&rows(COMMANDS)),
        debugging.join(" ")
    )))
}

fn options(session: &mut Session, args: &str) -> Result<Reply, Problems> {
    none(args)?;
    let question = session.question();
    Ok(Reply::text(
        question.unwrap_or_else(|| "nothing is asked now".to_owned()),
    ))
}

fn auto(session: &mut Session, args: &str) -> Result<Reply, Problems> {
    let mut agent = None;
    let mut number = None;
    let mut rest = Vec::new();
    for word in args.split_whitespace() {
        match (Agent::find(word), word.parse::<usize>()) {
            (Ok(found), _) if agent.is_none() && rest.is_empty() && !is_phase(session, args, word) => {
                agent = Some(found);
            }
            (_, Ok(n)) if number.is_none() && rest.is_empty() => number = Some(n),
            _ => rest.push(word),
        }
    }
    if number == Some(0) {
        return Err(Problem::new("0 is nothing to play").into());
    }
    let times = number.unwrap_or(1);
    let goal = match rest.join(" ").as_str() {
        "" => Goal::Answers(times),
        "end" if number.is_none() => Goal::End,
        "step" | "steps" => Goal::Steps(times),
        word => Goal::Phases(session.phases(word)?, times),
    };
    session.auto(agent.unwrap_or(Agent::Random), &goal)
}

/// Whether a word that is an agent's name begins the name of a phase here, such as "first turn".
fn is_phase(session: &Session, args: &str, word: &str) -> bool {
    let from = args.find(word).map_or("", |at| &args[at..]);
    from.contains(' ') && session.phases(from).is_ok()
}

fn seed(session: &mut Session, args: &str) -> Result<Reply, Problems> {
    if args.is_empty() {
        return Ok(Reply::text(session.file.seed.to_string()));
    }
    match args.parse() {
        Ok(seed) => session.reseed(seed),
        Err(_) => Err(Problem::new(format!("`{args}` is no seed"))
            .hint("a seed is a whole number from 0")
            .into()),
    }
}

fn dials(session: &mut Session, args: &str) -> Result<Reply, Problems> {
    none(args)?;
    let dials = &session.play.host.dials;
    let rows: Vec<Vec<String>> = dials
        .iter()
        .map(|d| {
            let turned = if d.value == d.default {
                String::new()
            } else {
                format!(", not {}", d.default)
            };
            vec![
                d.name.clone(),
                format!("{}{turned}", d.value),
                d.range.to_string(),
            ]
        })
        .collect();
    Ok(Reply::text(if rows.is_empty() {
        "this game has no dials".to_owned()
    } else {
        table(&rows)
    }))
}

fn set(session: &mut Session, args: &str) -> Result<Reply, Problems> {
    let Some((dial, value)) = args.split_once('=') else {
        return Err(Problem::new("write `:set DIAL=VALUE`")
            .hint("`:dials` lists the dials")
            .into());
    };
    session.turn(dial.trim(), DialValue::read(value.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::Style;
    use crate::scenario::run::Overrides;
    use crate::script::workspace::Workspace;

    fn find(name: &str) -> Result<&'static Command, Problem> {
        find_now(name, false)
    }

    fn message(name: &str) -> String {
        find(name).err().map(|p| p.page(false)).expect("it is refused")
    }

    #[test]
    fn names_may_be_shortened_while_they_are_clear() {
        assert_eq!(find("b").map(|c| c.name), Ok("board"));
        assert!(find("se").is_err());
        assert_eq!(find("set").map(|c| c.name), Ok("set"));
        assert!(message("u").contains("`:units` or `:undo`"));
    }

    #[test]
    fn where_the_game_is_stopped_short_forms_go_on_from_there() {
        let name = |short: &str, stopped| find_now(short, stopped).map(|c| c.name);
        for (short, long) in [
            ("s", "step"),
            ("n", "next"),
            ("f", "finish"),
            ("c", "continue"),
            ("b", "break"),
            ("l", "list"),
            ("bt", "where"),
        ] {
            assert_eq!(name(short, true), Ok(long));
        }
        // At a question they mean what they did before.
        assert_eq!(name("b", false), Ok("board"));
        assert_eq!(name("n", false), Ok("new"));
        assert!(name("bt", false).is_err() && name("s", false).is_err());
        assert_eq!(name("br", false), Ok("break"));
        assert_eq!(name("board", true), Ok("board"));
    }

    #[test]
    fn unknown_names_get_the_nearest() {
        assert!(message("bord").contains("did you mean `board`?"));
        assert!(message("").contains("`:help`"));
    }

    #[test]
    fn every_command_is_explained_and_none_twice() {
        let mut session = Session::new(&Workspace::Embedded, None, Overrides::default(), Style::default())
            .expect("it opens");
        let all = session.line(":help").print();
        for command in COMMANDS {
            assert!(all.contains(&format!(":{} ", command.name)), "{}", command.name);
            let one = session.line(&format!(":help {}", command.name)).print();
            assert!(one.contains(command.help), "{one}");
            assert_eq!(names().filter(|n| *n == command.name).count(), 1);
        }
        assert!(all.lines().all(|l| l.chars().count() <= 80), "{all}");
    }

    #[test]
    fn arguments_that_are_none_are_refused() {
        let mut session = Session::new(&Workspace::Embedded, None, Overrides::default(), Style::default())
            .expect("it opens");
        session.greeting();
        for line in [
            ":board x",
            ":undo 0",
            ":undo x",
            ":undo -1",
            ":events many",
            ":auto 0 rounds",
            ":auto 3 end",
            ":new",
            ":new x",
            ":open",
            ":load /no/such/file",
            ":save",
            ":set",
            ":set x",
            ":set =",
            ":with",
            ":with x",
            ":without x",
            ":variants x",
            ":retell x",
            ":reload x",
            ":seed x",
            ":help x",
            ":auto 99999999999999999999999 rounds",
        ] {
            let reply = session.line(line);
            assert!(reply.failed(), "{line}: {}", reply.print());
        }
        assert!(session.line(":quit").quit);
    }
}
