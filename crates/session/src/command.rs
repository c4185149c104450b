//! Commands: a command is one row that declares its arguments, help and function. It is read, completed, explained and
//! run by its row.

use crate::arguments::{self, Args, ArgumentError, called};
use crate::naming;
use crate::output::Output;
use crate::problems;
use crate::report::{Problem, Problems, hint_for};
use crate::session::Session;

/// The result of a command.
pub(crate) type CommandResult = Result<Output, Problems>;

/// One command.
pub struct Command {
    /// Its name, without the `:`.
    pub name: &'static str,
    /// The group that lists show it in.
    pub group: Group,
    /// Whether the prompt and the page have it.
    pub at_prompt: bool,
    /// Whether the command line has it.
    pub on_line: bool,
    /// The arguments and the function of the command.
    pub(crate) takes: CommandArguments,
    /// The error for a missing argument, instead of the general one.
    pub(crate) needs: fn(&Session) -> Option<Problem>,
    /// The summary in one line.
    pub help: &'static str,
    /// More about it, for `:help NAME`; may be empty.
    pub more: &'static str,
    /// Values of an argument whose kind alone does not tell them.
    pub(crate) known: fn(&Session) -> Vec<String>,
    /// Whether it only looks.
    pub(crate) looks: ReadOnly,
    /// Whether it means the same whatever lies on the table by now: it is heard while agents play.
    pub(crate) any_time: bool,
}

/// Groups of commands, in the order of lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    Play,
    Look,
    Ask,
    Branches,
    Table,
    Rules,
    Test,
    Measure,
    Publish,
    Maintain,
}

impl Group {
    /// All groups.
    pub const ALL: [Group; 10] = [
        Group::Play,
        Group::Look,
        Group::Ask,
        Group::Branches,
        Group::Table,
        Group::Rules,
        Group::Test,
        Group::Measure,
        Group::Publish,
        Group::Maintain,
    ];

    /// Returns the title of the group.
    pub fn title(self) -> &'static str {
        match self {
            Group::Play => "Play",
            Group::Look => "Look",
            Group::Ask => "Ask",
            Group::Branches => "Branches and files",
            Group::Table => "Change the table",
            Group::Rules => "Change the rules",
            Group::Test => "Test",
            Group::Measure => "Measure",
            Group::Publish => "Publish",
            Group::Maintain => "Maintain",
        }
    }
}

/// A table of commands in groups. What is said of one stands above it: its help, and below that what more there is to say, as
/// [`more`] reads it. Then come the row that it begins with, its name, what stands behind it, behind `else` what is
/// said where that is missing, and what it does.
macro_rules! commands {
    ($(#[$about:meta])* $vis:vis $table:ident: $($group:ident { $(
        #[doc = $help:literal] $(#[doc = $more:literal])*
        $row:ident $name:literal $takes:tt $(else $missing:literal, $such:literal)?
        $run:expr $(, $field:ident: $value:expr)*;
    )* })*) => {
        $(#[$about])*
        $vis const $table: &[Command] = &[$($(
            Command {
                group: $crate::command::Group::$group,
                name: $name,
                help: $help.trim_ascii_start(),
                more: concat!($($more, "\n"),*),
                takes: $crate::command::CommandArguments($takes, $run),
                $(needs: |_| Some($crate::problems::missing_argument($missing).hint($such)),)?
                $($field: $value,)*
                ..$row
            },
        )*)*];
    };
}
pub(crate) use commands;

/// Returns the details of a command's help: each example and each paragraph is one line, however it is wrapped in the
/// table. Whatever shows it wraps it once.
pub fn more(command: &Command) -> String {
    let mut lines: Vec<String> = Vec::new();
    // Whether a line of running text continues the last one; behind an example it begins a paragraph.
    let mut in_paragraph = false;
    for line in command.more.lines() {
        let line = line.strip_prefix(' ').unwrap_or(line);
        let is_example = line.starts_with(':');
        let continues = line.starts_with(' ') || in_paragraph && !is_example;
        match lines.last_mut().filter(|_| continues) {
            Some(last) => {
                last.push(' ');
                last.push_str(line.trim_start());
            }
            None => lines.push(line.to_owned()),
        }
        in_paragraph = !is_example && !line.starts_with(' ');
    }
    lines.join("\n")
}

/// A row to begin others with: it takes nothing and changes something.
pub(crate) const ROW: Command = Command {
    name: "",
    group: Group::Play,
    at_prompt: true,
    on_line: false,
    takes: CommandArguments("", |_, _| Ok(Output::default())),
    needs: |_| None,
    help: "",
    more: "",
    known: |_| Vec::new(),
    looks: ReadOnly::Never,
    any_time: false,
};

/// The same, of one that only looks.
pub(crate) const LOOK: Command = Command {
    looks: ReadOnly::Always,
    ..ROW
};

/// A row of a command that only the command line has.
pub(crate) const LINE: Command = Command {
    at_prompt: false,
    on_line: true,
    ..ROW
};

/// The usage text of the arguments, as [`arguments`] reads it, and the function of the command.
pub(crate) struct CommandArguments(
    pub(crate) &'static str,
    pub(crate) fn(&mut Session, &Args<'_>) -> CommandResult,
);

/// Whether a command only looks: it changes nothing on the table, writes no file, and play does not go on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReadOnly {
    Never,
    Always,
    /// With so many words behind it; another would be a file.
    With(usize),
}

impl Command {
    /// The command with its arguments, as lists show it.
    pub fn head(&self) -> String {
        format!(":{} {}", self.name, arguments::short(self.takes.0))
    }

    /// Returns the command with its arguments and options, as its reference shows it.
    pub fn usage(&self) -> String {
        format!(":{} {}", self.name, self.takes.0)
    }

    /// Returns the usage text of its arguments.
    pub fn takes(&self) -> &'static str {
        self.takes.0
    }

    /// Reads what stands behind it, and runs it.
    ///
    /// # Errors
    ///
    /// What it does not take; what came of it.
    pub(crate) fn run(&self, session: &mut Session, typed: &str) -> CommandResult {
        let fits = |kind: &str, text: &str, optional| naming::fit(session, kind, text, optional);
        match arguments::read(self.takes.0, typed, &fits) {
            Ok(args) => (self.takes.1)(session, &args),
            Err(why) => Err(self.refused(session, typed, why).into()),
        }
    }

    /// Why what stands behind it cannot be read.
    fn refused(&self, session: &Session, typed: &str, why: ArgumentError) -> Problem {
        let more = format!("`:help {}` shows what stands behind it", self.name);
        match why {
            ArgumentError::Missing(wanted) => {
                let last = typed.split_whitespace().next_back();
                if let Some(option) = last.filter(|word| word.starts_with("--")) {
                    return problems::missing_value(option).hint(more);
                }
                (self.needs)(session).unwrap_or_else(|| {
                    let some = wanted.iter().filter_map(|kind| session.of_kind(kind));
                    problems::missing_argument(one_of(&wanted, "or")).hint(match some.flatten().next() {
                        Some(name) => {
                            format!("such as `{} {name}`", format!(":{} {typed}", self.name).trim())
                        }
                        None => more,
                    })
                })
            }
            ArgumentError::Wrong(at, wanted) => {
                let word = typed[at..].split_whitespace().next().unwrap_or_default();
                if word.len() > 2 && word.starts_with("--") {
                    let options = arguments::words(self.takes.0).filter(|word| word.starts_with("--"));
                    let unknown = problems::unknown_option(self.name, word);
                    return unknown.hint(hint_for(word, options));
                }
                if let Some(out) = arguments::out_of_range(word, &wanted) {
                    return problems::number_out_of_range(out).hint(more);
                }
                let problem = wanted.iter().find_map(|kind| naming::unfit(session, kind, word));
                problem.unwrap_or_else(|| problems::wrong_argument(word, one_of(&wanted, "or")).hint(more))
            }
            ArgumentError::More(at) => problems::unexpected_word(&typed[at..]),
        }
    }
}

/// Joins the phrases for words of the usage text, with a word before the last.
fn one_of(wanted: &[&str], before_last: &str) -> String {
    let mut all: Vec<String> = wanted.iter().map(|kind| called(kind)).collect();
    all.dedup();
    let last = all.pop().unwrap_or_default();
    match all.is_empty() {
        true => last,
        false => format!("{} {before_last} {last}", all.join(", ")),
    }
}
