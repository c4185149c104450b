//! Memory for the results of functions that go through something and do nothing: while nothing has changed, the same
//! question need not be worked out again.
//!
//! Nobody can tell: what is remembered costs the same fuel, and somebody who watches sees everything worked out.

/// Functions with more parameters are not remembered.
pub const MOST: usize = 3;
/// Number of remembered answers, each in the one place to which its question belongs.
const ROOM: usize = 64;

/// A function, and the words of its arguments: all that they are within a step.
#[derive(Debug, Clone, Copy, Default)]
pub struct CallKey {
    function: u32,
    /// Place of its answer.
    place: u32,
    args: [(u64, u64); MOST],
}

impl CallKey {
    /// Creates the question to a function with these arguments, [`MOST`] at most.
    #[inline]
    pub fn of(function: u32, given: impl Iterator<Item = (u64, u64)>) -> Self {
        let mut args = [(0, 0); MOST];
        let mut mixed = u64::from(function);
        for (arg, (head, data)) in args.iter_mut().zip(given) {
            *arg = (head, data);
            mixed = (mixed.rotate_left(23) ^ head.rotate_left(32) ^ data).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        Self {
            function,
            place: (mixed >> 58) as u32,
            args,
        }
    }

    /// Whether the same is asked; their places are the same.
    #[inline]
    fn is(&self, other: &Self) -> bool {
        let mut both = self.args.iter().zip(&other.args);
        self.function == other.function && both.all(|(one, other)| one.0 == other.0 && one.1 == other.1)
    }
}

/// Known result of a function.
#[derive(Debug, Clone, Copy, Default)]
pub struct CachedResult<V> {
    /// Return value.
    pub value: V,
    /// The fuel that it took.
    pub fuel: u32,
    /// By how much it made the heap grow.
    pub items: u32,
    /// Nesting depth of calls where it was called.
    pub depth: u32,
}

/// A question, and what was said.
#[derive(Debug, Clone, Copy, Default)]
struct MemoEntry<V> {
    /// Since when nothing had changed.
    since: u64,
    question: CallKey,
    known: CachedResult<V>,
}

/// The answers of a step, as long as nothing changes.
#[derive(Debug, Clone)]
pub struct Memo<V> {
    answers: Box<[MemoEntry<V>; ROOM]>,
    now: u64,
}

impl<V: Copy + Default> Default for Memo<V> {
    fn default() -> Self {
        Self {
            answers: Box::new([MemoEntry::default(); ROOM]),
            now: 1,
        }
    }
}

impl<V: Copy> Memo<V> {
    /// Something has changed, or another step begins: nothing is known any more.
    #[inline]
    pub fn forget(&mut self) {
        self.now += 1;
    }

    /// Returns the answer to the question, if there is one since the last change.
    #[inline]
    pub fn find(&self, question: &CallKey) -> Option<CachedResult<V>> {
        let answer = &self.answers[question.place as usize % ROOM];
        (answer.since == self.now && answer.question.is(question)).then_some(answer.known)
    }

    /// Keeps what was said.
    #[inline]
    pub fn keep(&mut self, question: CallKey, known: CachedResult<V>) {
        self.answers[question.place as usize % ROOM] = MemoEntry {
            since: self.now,
            question,
            known,
        };
    }
}
