//! Why a rule could not go on: what was met, and where. How it is told is
//! [`crate::failures`]'s to say.

use super::node::Loc;
use super::value::Kind;
use crate::declare::problems::unknown_name;
use crate::kernel::table::Halt;
use crate::problems::rule_failure;
use crate::report::{Problem, hint_for};
use std::sync::Arc;

/// Cause of a failure.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum FaultKind {
    /// The table has halted, or a function that was called has failed: everything unwinds.
    #[default]
    Halted,
    /// The arguments are of other kinds than a native function takes.
    Mismatch,
    /// The rules did something impossible, or stop with an error of their own.
    Rule(Box<Problem>),
    /// A native function was called with these.
    Unfit(&'static str, Vec<Kind>),
    /// An operator does not work on these.
    Operator(&'static str, Vec<Kind>),
    /// Nothing of that kind has a property of that name; or it cannot be changed.
    Property {
        /// Its name.
        name: Arc<str>,
        /// Kind of the thing that was asked for it.
        of: Kind,
        /// Whether it was to be changed.
        changed: bool,
    },
    /// A map has no such key, asked by name.
    NoKey(String),
    /// A map has no such key, asked in brackets.
    NothingUnder(String),
    /// This must be of the first kind and is of the second.
    NotA(Kind, Kind),
    /// There are no items in such a thing.
    NoItems(Kind),
    /// Contents of such a thing cannot be changed in it.
    Kept(Kind),
    /// A list or text of so many has no item of this number.
    OutOf(Kind, usize, i64),
    /// `for` cannot go through this.
    NotThrough,
    /// A constant of this name was to be changed.
    Constant(String),
    /// A sum that leaves the whole numbers.
    TooLarge(String),
    /// A division by zero.
    ByZero(String),
    /// The step takes too long.
    Fuel,
    /// Functions call each other too deep.
    Deep,
    /// One list, map or text becomes too large.
    Large,
    /// The lists and maps of the step take too much room together.
    Full,
    /// The game has come to know too many texts, or too long ones together.
    Texts,
    /// Nesting too deep, or too much content, in a value that is shown or compared.
    Nested,
    /// Somebody stops the program.
    Interrupted,
    /// There is no such name.
    NoName(String),
    /// There is no such function for these.
    NoFunction(String, Vec<Kind>),
    /// A function is called with a wrong number of arguments: which it takes, and how many there are.
    Arguments(String, usize, usize),
}

/// Why a native function did not come to its end; a pointer, since it is rare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault(pub Box<FaultKind>);

/// Result of a native function.
pub type NativeResult<T = super::value::Value> = Result<T, Fault>;

/// Something failed, or the table has halted; why, the run knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unwinding;

/// Result of an evaluation.
pub type Eval<T = super::value::Value> = Result<T, Unwinding>;

/// A rule that cannot be followed, in one sentence.
#[cold]
pub fn rule(why: impl Into<String>) -> Fault {
    rule_failure(why.into()).into()
}

/// A name that nothing has, and the names that it may be a slip of.
#[cold]
pub fn unknown<'k>(kind: &str, name: &str, known: impl IntoIterator<Item = &'k str>) -> Fault {
    unknown_name(kind, name).hint(hint_for(name, known)).into()
}

impl From<Problem> for FaultKind {
    #[cold]
    fn from(problem: Problem) -> Self {
        FaultKind::Rule(Box::new(problem))
    }
}

impl From<Problem> for Fault {
    #[cold]
    fn from(problem: Problem) -> Self {
        Fault(Box::new(problem.into()))
    }
}

impl Fault {
    /// The arguments do not fit.
    #[cold]
    pub fn mismatch() -> Self {
        Fault(Box::new(FaultKind::Mismatch))
    }

    /// Everything unwinds.
    #[cold]
    pub fn halted() -> Self {
        Fault(Box::new(FaultKind::Halted))
    }
}

impl From<FaultKind> for Fault {
    #[cold]
    fn from(why: FaultKind) -> Self {
        Fault(Box::new(why))
    }
}

impl From<Halt> for Fault {
    #[cold]
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Rule(message) => rule(message),
            Halt::Waiting | Halt::Diverged(_) | Halt::NotOffered(_) => Fault::halted(),
        }
    }
}

/// A failure of the rules: what was met, where, and the calls that led there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Failure {
    /// Cause of a failure.
    pub why: FaultKind,
    /// In which function, by its index among the ruleset's.
    pub function: usize,
    /// Position in its text.
    pub spot: Loc,
    /// The calls that led there, innermost first: the function that calls, and where.
    pub calls: Vec<(usize, Loc)>,
}

impl Failure {
    /// Whether it stops what would never end.
    pub fn runs_away(&self) -> bool {
        matches!(
            self.why,
            FaultKind::Fuel
                | FaultKind::Deep
                | FaultKind::Large
                | FaultKind::Full
                | FaultKind::Texts
                | FaultKind::Nested
        )
    }
}
