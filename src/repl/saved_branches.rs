//! The lines of play that a session keeps besides the one on its table. How one comes from line to line is
//! [`super::branches`]'s.

use super::branch_text::{AnswerText, LONGEST_NAME, LineHead, common};
use super::output::Output;
use super::problems;
use crate::kernel::table::Position;
use crate::play::Play;
use crate::report::{Problem, Problems, hint_for};

/// The most lines that are kept; then the oldest that nobody has named is forgotten.
pub(super) const MOST: usize = 64;

/// A line of play that is kept.
#[derive(Clone)]
pub(super) struct SavedBranch {
    pub(super) id: u32,
    pub(super) name: String,
    /// Whether somebody has named it.
    pub(super) named: bool,
    /// The number of the game on the table that it belongs to; branches of one game have a common beginning.
    pub(super) table: u32,
    pub(super) tip: LineHead,
    /// The number of answers that were undone when it was left.
    pub(super) back: usize,
    /// Nobody had answered anything: it is there for `:undo` alone, until somebody plays on.
    pub(super) untouched: bool,
}

/// The line that play was taken back on.
pub(super) struct RedoTarget {
    pub(super) tip: LineHead,
    /// The number of its answers that are given now.
    pub(super) at: usize,
    /// The position to which it was undone.
    pub(super) stood: Position,
}

/// The lines of a session besides the play on its table.
pub struct Branches {
    /// Oldest first.
    pub(super) saved: Vec<SavedBranch>,
    pub(super) ahead: Option<RedoTarget>,
    /// The name of the present line, and whether somebody gave it.
    pub(super) name: Option<(String, bool)>,
    /// The number of the game on the table.
    pub(super) table: u32,
    pub(super) next_id: u32,
    /// The branch that `:undo` returns to after another game was opened, and the message.
    pub(super) returns: Option<(u32, String)>,
    /// The branch that `:redo` returns to after such an `:undo`.
    pub(super) forth: Option<u32>,
    /// The line that was left last.
    pub(super) last: Option<u32>,
    /// Answers given and chapters begun when the game was laid on the table.
    pub(super) laid: (usize, usize),
    /// Notes for the next reply.
    pub(super) notes: Vec<String>,
}

impl Branches {
    /// No line but the play.
    pub(super) fn new(play: &Play) -> Self {
        Self {
            saved: Vec::new(),
            ahead: None,
            name: None,
            table: 0,
            next_id: 0,
            returns: None,
            forth: None,
            last: None,
            laid: (play.given_count(), play.chapters().len()),
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
        self.saved.retain(|k| !k.untouched);
    }

    pub(super) fn find(&self, id: u32) -> Option<usize> {
        self.saved.iter().position(|k| k.id == id)
    }

    /// A name that no line has yet, begun like this.
    pub(super) fn free_name(&self, wanted: &str) -> String {
        let taken = |name: &str| {
            self.saved.iter().any(|k| k.name == name) || self.name.as_ref().is_some_and(|(n, _)| n == name)
        };
        let wanted = if wanted.is_empty() { "line" } else { wanted };
        let more = (2..).map(|n| format!("{wanted}-{n}"));
        let mut names = std::iter::once(wanted.to_owned()).chain(more);
        names.find(|n| !taken(n)).unwrap_or_default()
    }

    /// Forgets the oldest lines without a given name that are too many.
    pub(super) fn bound(&mut self) {
        while self.saved.len() > MOST {
            let Some(oldest) = self.saved.iter().position(|k| !k.named) else {
                return;
            };
            let gone = self.saved.remove(oldest);
            self.notes.push(format!(
                "more than {MOST} lines: the oldest without a name of your own, `{}`, is forgotten",
                gone.name
            ));
        }
    }

    /// Whether somebody has played since the game was laid on the table.
    pub(super) fn is_touched(&self, play: &Play) -> bool {
        self.ahead.is_some()
            || self.name.is_some()
            || (play.given_count(), play.chapters().len()) != self.laid
    }

    /// Keeps a line that play leaves. `beside` are the answers of the line that it parts from.
    pub(super) fn keep(
        &mut self,
        left: (LineHead, usize),
        beside: Option<&[AnswerText]>,
        untouched: bool,
    ) -> u32 {
        let id = self.add(left, beside, untouched);
        self.bound();
        id
    }

    /// The same where another line is taken out at once, so that there are not more than before.
    pub(super) fn add(
        &mut self,
        (tip, back): (LineHead, usize),
        beside: Option<&[AnswerText]>,
        untouched: bool,
    ) -> u32 {
        let (name, named) = self.name.take().unwrap_or_else(|| {
            let first = beside.and_then(|b| tip.answers().get(common(b, tip.answers())));
            let wanted = first.map(AnswerText::name).unwrap_or_else(|| {
                let path = &tip.opened.source.name;
                let stem = path.rsplit('/').next().and_then(|f| f.strip_suffix(".toml"));
                stem.unwrap_or(&tip.file.game.value).to_owned()
            });
            (self.free_name(&wanted), false)
        });
        let id = self.next_id;
        self.next_id += 1;
        self.saved.push(SavedBranch {
            id,
            name,
            named,
            table: self.table,
            tip,
            back,
            untouched,
        });
        if !untouched {
            self.last = Some(id);
        }
        id
    }

    /// Keeps a line that could not be played again to its end.
    pub(super) fn keep_as_it_was(&mut self, tip: LineHead) {
        let name = self.free_name("as-it-was");
        let present = self.name.replace((name, false));
        self.keep((tip, 0), None, false);
        self.name = present;
    }

    pub(super) fn name_of(&self, id: u32) -> String {
        let found = self.find(id);
        found.map_or_else(String::new, |i| self.saved[i].name.clone())
    }

    /// The names of the lines that are kept.
    pub fn names(&self) -> Vec<String> {
        let branches = self.saved.iter().filter(|k| !k.untouched);
        branches.map(|k| k.name.clone()).collect()
    }

    pub(super) fn by_name(&self, name: &str) -> Result<u32, Problem> {
        if let Some(branch) = self.saved.iter().find(|k| k.name == name) {
            return Ok(branch.id);
        }
        let names = self.names();
        Err(if self.name.as_ref().is_some_and(|(n, _)| n == name) {
            problems::present_branch(name)
        } else {
            problems::unknown_name("branch", name).hint(hint_for(name, names.iter().map(String::as_str)))
        })
    }

    /// Names the present line; without a name says what it is called.
    ///
    /// # Errors
    ///
    /// A name that cannot be one, or that another line has.
    pub(super) fn give_name(&mut self, name: &str) -> Result<Output, Problems> {
        if name.is_empty() {
            return Ok(Output::text(match &self.name {
                Some((name, _)) => format!("this line is `{name}`"),
                None => "this line has no name yet; `:branch NAME` gives it one".to_owned(),
            }));
        }
        let plain = |c: char| c.is_alphanumeric() || ".-_".contains(c);
        if !name.chars().all(plain) || name.starts_with('-') || name.chars().count() > LONGEST_NAME {
            return Err(problems::wrong_branch_name(name, LONGEST_NAME).into());
        }
        if self.saved.iter().any(|k| k.name == name) {
            return Err(problems::repeated_branch_name(name).into());
        }
        self.name = Some((name.to_owned(), true));
        Ok(Output::text(format!("this line is `{name}` now")))
    }

    /// Forgets a line.
    ///
    /// # Errors
    ///
    /// A name that no line has.
    pub(super) fn forget(&mut self, name: &str) -> Result<Output, Problems> {
        let id = self.by_name(name)?;
        self.saved.retain(|k| k.id != id);
        if self.returns.as_ref().is_some_and(|(r, _)| *r == id) {
            self.returns = None;
        }
        Ok(Output::text(format!("`{name}` is forgotten")))
    }
}
