//! The lines of play that a session keeps besides the one on its table. How one comes from line to line is
//! [`super::branches`]'s.

use super::parting::Tip;
use crate::kernel::table::Position;
use crate::play::Play;

/// The most lines that are kept; then the oldest that nobody has named is forgotten.
pub(super) const MOST: usize = 64;

/// A line of play that is kept.
#[derive(Clone)]
pub(super) struct Keeping {
    pub(super) id: u32,
    pub(super) name: String,
    /// Whether somebody has named it.
    pub(super) named: bool,
    /// Which game on the table it is a line of; lines of one parted from each other.
    pub(super) table: u32,
    pub(super) tip: Tip,
    /// How many of its answers were taken back when it was left.
    pub(super) back: usize,
    /// Nobody had answered anything: it is there for `:undo` alone, until somebody plays on.
    pub(super) untouched: bool,
}

/// The line that play was taken back on.
pub(super) struct Ahead {
    pub(super) tip: Tip,
    /// How many of its answers are given now.
    pub(super) at: usize,
    /// Where it was taken back to.
    pub(super) stood: Position,
}

/// The lines of a session besides the play on its table.
pub(super) struct Branches {
    /// Oldest first.
    pub(super) kept: Vec<Keeping>,
    pub(super) ahead: Option<Ahead>,
    /// The name of the present line, and whether somebody gave it.
    pub(super) name: Option<(String, bool)>,
    /// Which game is on the table.
    pub(super) table: u32,
    pub(super) next_id: u32,
    /// Where `:undo` goes back to: a line that another game has taken the place of, and what is said.
    pub(super) returns: Option<(u32, String)>,
    /// Where `:redo` goes after such an `:undo`.
    pub(super) forth: Option<u32>,
    /// The line that was left last.
    pub(super) last: Option<u32>,
    /// Answers given and chapters begun when the game was laid on the table.
    pub(super) laid: (usize, usize),
    /// What has to be said with the next reply.
    pub(super) notes: Vec<String>,
}

impl Branches {
    /// No line but the play.
    pub(super) fn new(play: &Play) -> Self {
        Self {
            kept: Vec::new(),
            ahead: None,
            name: None,
            table: 0,
            next_id: 0,
            returns: None,
            forth: None,
            last: None,
            laid: (play.given(), play.chapters().len()),
            notes: Vec::new(),
        }
    }

    /// The play on the table is not as a game is laid: it counts as played in.
    pub(super) fn set_played(&mut self) {
        self.laid = (usize::MAX, 0);
    }

    /// Somebody plays on: the game before is a line as any other.
    pub(super) fn play_on(&mut self) {
        self.returns = None;
        self.forth = None;
        self.kept.retain(|k| !k.untouched);
    }

    pub(super) fn find(&self, id: u32) -> Option<usize> {
        self.kept.iter().position(|k| k.id == id)
    }

    /// A name that no line has yet, begun like this.
    pub(super) fn free_name(&self, wanted: &str) -> String {
        let taken = |name: &str| {
            self.kept.iter().any(|k| k.name == name) || self.name.as_ref().is_some_and(|(n, _)| n == name)
        };
        let wanted = if wanted.is_empty() { "line" } else { wanted };
        let more = (2..).map(|n| format!("{wanted}-{n}"));
        let mut names = std::iter::once(wanted.to_owned()).chain(more);
        names.find(|n| !taken(n)).unwrap_or_default()
    }

    /// Forgets the oldest lines without a given name that are too many.
    pub(super) fn bound(&mut self) {
        while self.kept.len() > MOST {
            let Some(oldest) = self.kept.iter().position(|k| !k.named) else {
                return;
            };
            let gone = self.kept.remove(oldest);
            self.notes.push(format!(
                "more than {MOST} lines: the oldest without a name of your own, `{}`, is forgotten",
                gone.name
            ));
        }
    }
}
