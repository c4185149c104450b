//! What a command is: a row that says once what stands behind it. It is read, completed, explained and run by its
//! row.

use super::output::Output;
use super::session::Session;
use crate::report::{Problem, Problems};

/// What came of a command.
pub(super) type Done = Result<Output, Problems>;

/// One command.
pub struct Command {
    /// Its name, without the `:`.
    pub name: &'static str,
    /// What stands behind it, and what it does with that.
    pub(super) takes: Takes,
    /// What is missing where nothing stands behind it though something must, and a hint; both may be empty.
    pub(super) needs: (&'static str, &'static str),
    /// What it does, in one line.
    pub help: &'static str,
    /// More about it, for `:help NAME`; may be empty.
    pub more: &'static str,
    /// What an argument may be whose word says nothing by itself.
    pub(super) known: fn(&Session) -> Vec<String>,
    /// Whether it only looks.
    pub(super) looks: Looks,
    /// Whether it can be run while the game is stopped within a step.
    pub(super) at_stop: bool,
}

/// A row to begin others with: it changes something, between two steps.
pub(super) const ROW: Command = Command {
    name: "",
    takes: Takes::Line("", |_, _| Ok(Output::text(""))),
    needs: ("", ""),
    help: "",
    more: "",
    known: |_| Vec::new(),
    looks: Looks::Never,
    at_stop: false,
};

/// The arguments of a command. Where help shows them by words of their own, those in capitals say what stands there
/// and are completed by what they say (see `complete`), those in brackets may be left out, and those of
/// [`super::arguments`] that mean code read on while a bracket is open.
#[derive(Clone, Copy)]
pub(super) enum Takes {
    /// None.
    Nothing(fn(&mut Session) -> Done),
    /// A number from 1; this one where it is left out.
    Count(usize, fn(&mut Session, usize) -> Done),
    /// Whether something is turned on; it is where nothing is written.
    Switch(fn(&mut Session, bool) -> Done),
    /// A seed, or none.
    Seed(fn(&mut Session, Option<u64>) -> Done),
    /// Names with blanks or commas between them.
    Names(&'static str, fn(&mut Session, &[&str]) -> Done),
    /// What the command itself reads: an expression, a script, a path, the name of a phase.
    Line(&'static str, fn(&mut Session, &str) -> Done),
}

/// Whether a command only looks: it changes nothing on the table, writes no file, and play does not go on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Looks {
    Never,
    Always,
    /// With so many words behind it; another would be a file.
    With(usize),
}

impl Command {
    /// Its arguments, as help shows them.
    pub fn args(&self) -> &'static str {
        match self.takes {
            Takes::Nothing(_) => "",
            Takes::Count(..) | Takes::Seed(_) => "[N]",
            Takes::Switch(_) => "[off]",
            Takes::Names(args, _) | Takes::Line(args, _) => args,
        }
    }

    /// What its arguments may be whose word says nothing by itself.
    pub(super) fn known(&self, session: &Session) -> Vec<String> {
        match self.takes {
            Takes::Switch(_) => vec!["off".to_owned()],
            _ => (self.known)(session),
        }
    }

    /// Reads what stands behind it, and runs it.
    ///
    /// # Errors
    ///
    /// What it does not take; what came of it.
    pub(super) fn run(&self, session: &mut Session, typed: &str) -> Done {
        let (needs, hint) = self.needs;
        if typed.is_empty() && !needs.is_empty() {
            let missing = Problem::new(needs);
            return Err(if hint.is_empty() {
                missing
            } else {
                missing.hint(hint)
            }
            .into());
        }
        match self.takes {
            Takes::Nothing(run) if typed.is_empty() => run(session),
            Takes::Nothing(_) => {
                Err(Problem::new(format!("this command takes nothing more, not `{typed}`")).into())
            }
            Takes::Count(left_out, run) => run(session, count(typed, left_out)?),
            Takes::Switch(run) => match typed {
                "" | "on" => run(session, true),
                "off" => run(session, false),
                _ => Err(Problem::new(format!("`{typed}` is neither `on` nor `off`")).into()),
            },
            Takes::Seed(run) => match typed.parse() {
                Ok(seed) => run(session, Some(seed)),
                Err(_) if typed.is_empty() => run(session, None),
                Err(_) => Err(Problem::new(format!("`{typed}` is no seed"))
                    .hint("a seed is a whole number from 0")
                    .into()),
            },
            Takes::Names(_, run) => {
                let names = typed.split([' ', ',', '\t']).filter(|name| !name.is_empty());
                run(session, &names.collect::<Vec<_>>())
            }
            Takes::Line(_, run) => run(session, typed),
        }
    }
}

/// A number from 1, or the default when nothing is written.
pub(super) fn count(typed: &str, left_out: usize) -> Result<usize, Problem> {
    match typed.parse() {
        Ok(n) if n > 0 => Ok(n),
        _ if typed.is_empty() => Ok(left_out),
        _ => Err(Problem::new(format!("`{typed}` is no number from 1"))),
    }
}
