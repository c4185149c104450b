//! A function's code: instructions on registers, one after the other.
//!
//! The first registers are the local variables, those behind them hold values on their way. What an instruction needs
//! besides registers lies in tables of the code. Instructions for what rules do most check only what cannot be known
//! when they are made; each goes on to the general way where that does not hold.

use super::node::{Growth, Loc, Mutation, Op, Overloads, PropertyAccess};
use super::value::{Kind, Value};
use std::sync::Arc;

/// Number of registers of a function that runs.
pub const REGISTERS: usize = 256;

/// The registers of a function that runs.
pub type Registers = [Value; REGISTERS];

/// A register, by its index.
pub type Reg = u8;

/// Results of a comparison for which something holds, as bits: less, equal, more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcomes(u8);

impl Outcomes {
    const OPS: [(Op, u8); 6] = [
        (Op::Lt, 1),
        (Op::Eq, 2),
        (Op::Le, 3),
        (Op::Gt, 4),
        (Op::Ne, 5),
        (Op::Ge, 6),
    ];

    /// Those for which an operator says `wanted`; `None` of an operator that does not compare.
    pub fn of(op: Op, wanted: bool) -> Option<Self> {
        let bits = Self::OPS.iter().find(|(known, _)| *known == op)?.1;
        // Which value is wanted stands in a bit of its own: what is neither less nor more has only `==` and `!=`.
        Some(Self(if wanted { bits | 8 } else { bits }))
    }

    /// Whether a number beside another is one of them.
    #[inline(always)]
    pub fn has(self, left: i64, right: i64) -> bool {
        let order = 1 + i8::from(left > right) - i8::from(left < right);
        (self.0 >> order & 1 == 1) == self.wanted()
    }

    /// Value of the operator for which something is done.
    #[inline(always)]
    pub fn wanted(self) -> bool {
        self.0 & 8 != 0
    }

    /// The operator.
    #[inline]
    pub fn op(self) -> Op {
        let known = Self::OPS.iter().find(|(_, bits)| *bits == self.0 & 7);
        known.map_or(Op::Eq, |(op, _)| *op)
    }
}

/// Index in one of the tables of [`Code`], or among those of the ruleset.
pub type Index = u32;

/// Index of an instruction to which it goes on.
pub type Target = u32;

/// One step of a function. First stands the register that it sets, then those that it reads in their order; of a row of
/// registers the first and their number.
#[derive(Debug, Clone, Copy)]
pub enum Instruction {
    /// Sets a register to a constant.
    Const(Reg, Index),
    /// Copies a register.
    Move(Reg, Reg),
    /// Reads a variable that closures share, into the first register.
    Read(Reg, Reg),
    /// Writes a variable that closures share, from the second register.
    Write(Reg, Reg),
    /// Makes a variable one that closures share.
    Share(Reg),
    /// Goes elsewhere.
    Jump(Target),
    /// Goes elsewhere if a value is true or not, as said; and whether `!` stands before it.
    JumpIf(Reg, bool, bool, Target),
    /// Goes elsewhere if a value is nothing or not, as said.
    JumpNothing(Reg, bool, Target),
    /// Goes elsewhere by how two values compare.
    JumpCompare(Reg, Reg, Outcomes, Target),
    /// The same with a constant.
    JumpCompareTo(Reg, Outcomes, Index, Target),
    /// Adds two values.
    Add(Reg, Reg, Reg),
    /// Takes a value from another.
    Subtract(Reg, Reg, Reg),
    /// Any operator between two values.
    Operate(Reg, Reg, Reg, Op),
    /// The same with a constant.
    OperateTo(Reg, Reg, Op, Index),
    /// The new value of a variable, by an operator with `=`.
    Changed(Reg, Reg, Reg, Op),
    /// The other of true and false.
    Not(Reg, Reg),
    /// A sign before a number: whether it is `-`.
    Sign(Reg, Reg, bool),
    /// Reads a property, by its index.
    Get(Reg, Reg, Index),
    /// Reads a property that only one kind of thing has, by the index of its reader and its own.
    GetNative(Reg, Reg, Kind, u16, Index),
    /// Reads a slot of one kind of thing, which holds a number, a flag, a unit, a place or a faction:
    /// by the indices of slot and property.
    GetSlot(Reg, Reg, Kind, u16, Index),
    /// Reads a stat of a unit that is a number: by the indices of stat and property.
    GetStat(Reg, Reg, u16, Index),
    /// Reads an item in brackets.
    Index(Reg, Reg, Reg),
    /// Calls a native function with one argument.
    Native1(Reg, Reg, Index),
    /// Calls a native function with two arguments.
    Native2(Reg, Reg, Reg, Index),
    /// Calls a native function with arguments that stand in a row.
    Native(Reg, Reg, u8, Index),
    /// Calls a function.
    Call(Reg, Reg, u8, Index),
    /// Calls a closure, which lies before its arguments.
    CallValue(Reg, Reg, u8),
    /// Calls a hook.
    Hook(Reg, Reg, u8, Index),
    /// A function whose instructions follow here begins, and costs so much fuel.
    Enter(Index, u32),
    /// It has ended.
    Leave,
    /// Goes through something: two registers know how far.
    Each(Reg, Reg),
    /// Goes through numbers.
    EachNumber(Reg, Reg, Reg, bool),
    /// Takes the next item, which costs so much fuel, and goes elsewhere with it; goes on when there is none.
    Next(Reg, Reg, u32, Target),
    /// Takes fuel.
    Spend(u32),
    /// Lays the value of a register aside, on top of so many.
    Keep(Reg, Index),
    /// A list of a few registers.
    List(Reg, Reg, u8),
    /// A list of what was laid aside on top of so many.
    ListKept(Reg, Index),
    /// A map of that, by its keys.
    MapKept(Reg, Index, Index),
    /// A text of that.
    TextKept(Reg, Index),
    /// The refusal of a call of what is no function, with that, by its name.
    NoFunction(Index, Index),
    /// A name stands for nothing.
    NoName(Index),
    /// A closure.
    Closure(Reg, Index),
    /// Makes the list in a variable longer, by what stands behind the first register.
    Grow(Reg, Reg, Growth, Index),
    /// Adds a thing with each of a set to the list in a variable and goes elsewhere, for what it costs to make the pairs
    /// and to append them; goes on with these where that is not possible.
    GrowByPairs(Reg, Reg, Reg, Target),
    /// Changes a part of something: the new value, or room and the arguments, and of each step its index
    /// stand in a row.
    Change(Reg, Reg, Reg, Index),
    /// Takes something out of a list or map that no variable holds.
    Take(Reg, Reg, u8, u16, Index),
    /// Goes on with a case of a `switch`, of those from this one on.
    Switch(Reg, Index, Index),
    /// The function ends.
    Return(Reg),
    /// The rules stop with an error of their own.
    Throw(Reg),
    /// A statement is reached.
    Reach(Index),
    /// There is more at once in an expression than there are registers.
    TooMuch,
    /// Value that drifts between plays.
    #[cfg(any(test, feature = "trials"))]
    Drift(Reg),
}

impl Instruction {
    /// The instruction to which it may go on besides the next one.
    pub fn target(&mut self) -> Option<&mut u32> {
        match self {
            Self::Jump(target)
            | Self::JumpIf(_, _, _, target)
            | Self::JumpNothing(_, _, target)
            | Self::JumpCompare(_, _, _, target)
            | Self::JumpCompareTo(_, _, _, target)
            | Self::GrowByPairs(_, _, _, target)
            | Self::Next(_, _, _, target) => Some(target),
            _ => None,
        }
    }
}

/// A function whose instructions stand in another's.
#[derive(Debug, Clone, Copy)]
pub struct Within {
    /// Its index.
    pub function: usize,
    /// Place of its call, and the index of the function around it in [`Code::within`].
    pub called: Option<(usize, Loc)>,
}

/// The cases of a `switch`.
#[derive(Debug, Clone)]
pub struct SwitchTable {
    /// Values, then ranges, each with the index of its instruction.
    pub cases: Vec<(SwitchCase, u32)>,
    /// Fuel that it takes to look through it.
    pub cost: u32,
    /// Index of the instruction where nothing is met.
    pub otherwise: u32,
    /// Whether it asks for numbers.
    pub of_numbers: bool,
}

/// Values that one case of a `switch` meets.
#[derive(Debug, Clone, Copy)]
pub enum SwitchCase {
    /// A value.
    Is(Value),
    /// A number from one to another, and whether the last is one of them.
    Within(i64, i64, bool),
}

/// A change of a part of something.
#[derive(Debug, Clone)]
pub struct Change {
    /// The variable at the root.
    pub root: ChangeRoot,
    /// The way from there to what is changed.
    pub path: Vec<PathStep>,
    /// Way in which it changes.
    pub how: ChangeHow,
    /// Number of registers before those for the steps.
    pub before: usize,
}

/// The beginning of a change.
#[derive(Debug, Clone)]
pub enum ChangeRoot {
    /// A variable, and whether closures share it.
    Variable(Reg, bool),
    /// A variable that stays as it is, by its name.
    Constant(Arc<str>),
    /// A value that was worked out.
    Value,
}

/// A step on the way to what is changed.
#[derive(Debug, Clone)]
pub enum PathStep {
    /// A property.
    Property(PropertyAccess),
    /// Something in brackets, and where they stand.
    Index(Loc),
}

/// Way in which a part changes.
#[derive(Debug, Clone)]
pub enum ChangeHow {
    /// It is set, to what an operator makes of it where there is one.
    Set(Option<Op>),
    /// By a function that changes a list or map in place.
    Mutate(Mutation),
}

/// A closure: its function, and the registers that it takes along.
#[derive(Debug, Clone)]
pub struct ClosureCode {
    /// Index of its function.
    pub function: u32,
    /// Registers.
    pub captures: Vec<Reg>,
}

/// A function's instructions, with what they refer to.
#[derive(Debug, Clone, Default)]
pub struct Code {
    /// Instructions.
    pub all: Vec<Instruction>,
    /// Of each instruction the function that it belongs to, by its index in [`Self::within`], and its place.
    pub places: Vec<(u32, Loc)>,
    /// The functions whose instructions these are: first the one that is called.
    pub within: Vec<Within>,
    /// Whether something is laid aside.
    pub keeps: bool,
    /// Values.
    pub constants: Vec<Value>,
    /// Properties that are read.
    pub properties: Vec<PropertyAccess>,
    /// Native functions that are called.
    pub choices: Vec<Overloads>,
    /// Changes.
    pub changes: Vec<Change>,
    /// Tables of `switch`.
    pub switches: Vec<SwitchTable>,
    /// Keys of maps as they are written, and the order in which they are kept.
    pub maps: Vec<(Vec<Value>, Box<[u32]>)>,
    /// Closures.
    pub closures: Vec<ClosureCode>,
    /// Names of what is not there.
    pub names: Vec<Arc<str>>,
    /// Statements, for whoever watches: where each stands and which variables are visible there.
    pub statements: Vec<(Loc, u32)>,
}

impl Code {
    /// The function that an instruction belongs to and its place, by how many instructions are left behind it.
    pub fn place(&self, left: usize) -> (u32, Loc) {
        self.places[self.all.len() - left - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_those_of_their_operator() {
        for op in [Op::Lt, Op::Le, Op::Eq, Op::Ne, Op::Gt, Op::Ge] {
            for (left, right) in [(1, 2), (2, 2), (3, 2), (i64::MIN, i64::MAX)] {
                let is = match op {
                    Op::Lt => left < right,
                    Op::Le => left <= right,
                    Op::Eq => left == right,
                    Op::Ne => left != right,
                    Op::Gt => left > right,
                    _ => left >= right,
                };
                for wanted in [true, false] {
                    let when = Outcomes::of(op, wanted).expect("it compares");
                    assert_eq!((when.op(), when.wanted()), (op, wanted));
                    assert_eq!(when.has(left, right), is == wanted, "{left} {op:?} {right}");
                }
            }
        }
        assert_eq!(Outcomes::of(Op::Add, true), None);
    }

    #[test]
    fn an_instruction_is_twelve_bytes() {
        assert_eq!(size_of::<Instruction>(), 12);
    }
}
