//! What functions said that go through something and do nothing: while nothing has changed, the same question need
//! not be worked out again.
//!
//! Nobody can tell: what is remembered costs the same fuel, and somebody who watches sees everything worked out.

use super::value::Value;

/// Functions with more parameters are not remembered.
pub const MOST: usize = 3;
/// So many answers are kept, each at the one place where its question belongs.
const ROOM: usize = 64;

/// A question, and what was said.
#[derive(Debug, Clone, Copy)]
struct Answer {
    /// Since when nothing had changed.
    since: u64,
    function: u32,
    args: [Value; MOST],
    known: Known,
}

/// What a function said.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// What it said.
    pub said: Value,
    /// The fuel that it took.
    pub fuel: u32,
    /// By how much it made the heap grow.
    pub items: u32,
    /// How deep calls were nested where it was called.
    pub depth: u32,
}

/// The answers of a step, as long as nothing changes.
#[derive(Debug, Clone)]
pub struct Memo {
    answers: Box<[Answer; ROOM]>,
    now: u64,
}

impl Default for Memo {
    fn default() -> Self {
        let known = Known {
            said: Value::NOTHING,
            fuel: 0,
            items: 0,
            depth: 0,
        };
        let none = Answer {
            since: 0,
            function: 0,
            args: [Value::NOTHING; MOST],
            known,
        };
        Self {
            answers: Box::new([none; ROOM]),
            now: 1,
        }
    }
}

impl Memo {
    /// Something has changed, or another step begins: nothing is known any more.
    #[inline]
    pub fn forget(&mut self) {
        self.now += 1;
    }

    fn place(function: u32, args: &[Value; MOST]) -> usize {
        let mixed = args.iter().fold(u64::from(function), |all, arg| {
            let (head, data) = arg.bits();
            (all.rotate_left(23) ^ head.rotate_left(32) ^ data).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        });
        (mixed >> 58) as usize % ROOM
    }

    /// What the function has said to these arguments since something changed.
    #[inline]
    pub fn find(&self, function: u32, args: &[Value; MOST]) -> Option<Known> {
        let answer = &self.answers[Self::place(function, args)];
        let same = |(a, b): (&Value, &Value)| a.bits() == b.bits();
        let is =
            answer.since == self.now && answer.function == function && answer.args.iter().zip(args).all(same);
        is.then_some(answer.known)
    }

    /// Keeps what it said.
    #[inline]
    pub fn keep(&mut self, function: u32, args: &[Value; MOST], known: Known) {
        self.answers[Self::place(function, args)] = Answer {
            since: self.now,
            function,
            args: *args,
            known,
        };
    }
}
