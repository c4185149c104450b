//! The history of a session: one tree of lines, the branches that end in it, and a cursor.
//!
//! A node is a line of a transcript, or the scenario above the lines. The path from a scenario to a node is a
//! transcript. Nothing is removed from the tree. Undo, redo and switch move the cursor; an answer adds nodes behind
//! it. A journal stores what was added ([`log`]).

use crate::event_text::Entry;
use crate::play::{self, Play};
use crate::report::problems::unknown_name;
use crate::report::{Problem, hint_for};
use crate::scenario::file::ScenarioFile;
use crate::transcript::{Line, Transcript};
use branch_text::{AnswerText, LONGEST_NAME, Summary, common};
use std::cell::OnceCell;
use std::sync::Arc;

pub mod branch_text;
pub mod log;
pub mod problems;

/// Maximum number of branches besides the present one; the oldest unnamed one is forgotten for another.
pub const MAX_BRANCHES: usize = 64;

/// Index of a node in the tree.
pub type NodeId = u32;

/// A node of the tree.
struct Node {
    parent: Option<NodeId>,
    children: Vec<NodeId>,
    content: Content,
    /// Number of answers given up to here.
    answers: usize,
    /// Number of changes made by hand up to here.
    edits: usize,
}

/// Content of a node.
#[expect(clippy::large_enum_variant, reason = "nearly all nodes are lines")]
#[derive(Debug, Clone, PartialEq)]
enum Content {
    Start(Box<Start>),
    Line(Line),
}

/// The scenario that a transcript begins with.
#[derive(Debug, Clone)]
struct Start {
    /// Number of the game in the session; branches of one game have a common beginning.
    game: u32,
    scenario: ScenarioFile,
    text: String,
}

impl PartialEq for Start {
    fn eq(&self, other: &Self) -> bool {
        (self.game, &self.text) == (other.game, &other.text)
    }
}

/// A branch: a line of the game that can be continued.
#[derive(Clone, Default)]
pub struct Branch {
    pub id: u32,
    /// Its name; empty if the present branch has none yet.
    pub name: String,
    /// Whether a person gave the name.
    pub is_named: bool,
    /// Its last node.
    pub tip: NodeId,
    /// The node where it was left; before the tip if answers were undone.
    pub cursor: NodeId,
    /// Number of answers and changes by hand between these that are undone.
    pub undone: usize,
    /// The last line of its transcript.
    pub end: String,
    /// Its position at the cursor, for lists.
    pub summary: Summary,
    /// Its position at the tip.
    pub tip_summary: Summary,
    /// Its scenario, with the expectations for its end.
    pub file: ScenarioFile,
    /// The scenario that was opened.
    pub opened: ScenarioFile,
    /// The id by which links that were made of the game name it, if any were.
    pub link: Option<String>,
    /// Whether nobody has answered anything in it: it exists only for `:undo`, until somebody plays on.
    pub is_untouched: bool,
    /// The play at the tip, if it is at hand; the path gives it otherwise.
    pub play: Option<play::Branch>,
    answers: OnceCell<Arc<[AnswerText]>>,
}

/// The tree with its branches. See the module's comment.
#[derive(Default)]
pub struct History {
    nodes: Vec<Node>,
    starts: Vec<NodeId>,
    /// The branches besides the present one, oldest first.
    pub branches: Vec<Branch>,
    /// The present branch. Its cursor is the cursor of the history.
    pub present: Branch,
    /// Number of the game on the table.
    game: u32,
    next_id: u32,
    /// The branch that `:undo` returns to after another game was opened, and the message.
    pub returns: Option<(u32, String)>,
    /// The branch that `:redo` returns to after such an `:undo`.
    pub forth: Option<u32>,
    /// The branch that was left last.
    last: Option<u32>,
    /// Answers given and chapters begun when the game was put on the table; `None` if it counts as played.
    laid: Option<(usize, usize)>,
    /// Notes for the next reply.
    pub notes: Vec<String>,
}

impl History {
    /// Returns the node that a transcript of the present game ends in. Adds the nodes that are missing.
    fn place(&mut self, transcript: &Transcript) -> NodeId {
        let start = Start {
            game: self.game,
            text: transcript.scenario.to_toml(),
            scenario: transcript.scenario.clone(),
        };
        let mut node = self.child(None, Content::Start(Box::new(start)));
        for line in transcript
            .lines
            .iter()
            .filter(|line| !matches!(line, Line::End(_)))
        {
            node = self.child(Some(node), Content::Line(line.clone()));
        }
        node
    }

    /// Returns the child of a node with this content. Adds it if it is missing.
    fn child(&mut self, parent: Option<NodeId>, content: Content) -> NodeId {
        let siblings = match parent {
            Some(parent) => &self.nodes[parent as usize].children,
            None => &self.starts,
        };
        let same = |node: &&NodeId| self.nodes[**node as usize].content == content;
        match siblings.iter().rev().find(same) {
            Some(node) => *node,
            None => self.add(parent, content),
        }
    }

    fn add(&mut self, parent: Option<NodeId>, content: Content) -> NodeId {
        let node = self.nodes.len() as NodeId;
        let (mut answers, mut edits) = parent.map_or((0, 0), |parent| {
            let parent = &self.nodes[parent as usize];
            (parent.answers, parent.edits)
        });
        match &content {
            Content::Line(Line::Chapter { edits: Some(_), .. }) => edits += 1,
            Content::Line(Line::Entry(
                Entry::Picked { only: false, .. } | Entry::Chose { only: false, .. },
            )) => answers += 1,
            _ => {}
        }
        match parent {
            Some(parent) => self.nodes[parent as usize].children.push(node),
            None => self.starts.push(node),
        }
        self.nodes.push(Node {
            parent,
            children: Vec::new(),
            content,
            answers,
            edits,
        });
        node
    }

    /// Returns the nodes from this one back to its scenario.
    fn back(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(node), |node| self.nodes.get(*node as usize)?.parent)
    }

    /// Whether the path to a node leads through another, or ends there.
    fn is_on_path(&self, node: NodeId, tip: NodeId) -> bool {
        // A node is added behind its parent.
        self.back(tip).take_while(|n| *n >= node).any(|n| n == node)
    }

    /// Returns the number of answers given up to a node.
    pub fn answer_count(&self, node: NodeId) -> usize {
        self.nodes.get(node as usize).map_or(0, |node| node.answers)
    }

    /// Returns the number of answers given and changes made by hand up to a node.
    fn given(&self, node: NodeId) -> usize {
        self.nodes
            .get(node as usize)
            .map_or(0, |node| node.answers + node.edits)
    }

    /// Returns the changes made by hand up to a node, each as typed.
    pub fn edits(&self, node: NodeId) -> Vec<String> {
        let edits = self.lines(node).into_iter().filter_map(|line| match line {
            Line::Chapter { edits, .. } => edits,
            _ => None,
        });
        edits.map(|edits| edits.texts.join("; ")).collect()
    }

    /// Returns the lines of the path to a node.
    pub fn lines(&self, node: NodeId) -> Vec<Line> {
        let mut lines: Vec<Line> = self
            .back(node)
            .filter_map(|node| match &self.nodes.get(node as usize)?.content {
                Content::Line(line) => Some(line.clone()),
                Content::Start(_) => None,
            })
            .collect();
        lines.reverse();
        lines
    }

    fn start(&self, node: NodeId) -> Option<&Start> {
        let first = self.back(node).last()?;
        match &self.nodes.get(first as usize)?.content {
            Content::Start(start) => Some(start),
            Content::Line(_) => None,
        }
    }

    /// Returns the transcript of a branch, up to its tip.
    pub fn transcript(&self, branch: &Branch) -> Transcript {
        let scenario = self.start(branch.tip).map(|start| start.scenario.clone());
        let mut lines = self.lines(branch.tip);
        lines.push(Line::End(branch.end.clone()));
        Transcript {
            scenario: scenario.unwrap_or_default(),
            lines,
        }
    }

    /// Returns the answers of a branch.
    pub fn answers<'b>(&self, branch: &'b Branch) -> &'b [AnswerText] {
        let read = || AnswerText::of(&self.lines(branch.tip), &branch.summary.hidden).into();
        branch.answers.get_or_init(read)
    }

    /// Returns the answers of the present branch up to the cursor.
    pub fn answers_here(&self) -> Vec<AnswerText> {
        AnswerText::of(&self.lines(self.present.cursor), &self.present.summary.hidden)
    }

    /// Moves the cursor to where the play is now. Keeps the present branch if it is parted from: answers of it were
    /// undone, and play went on otherwise.
    pub fn follow(&mut self, here: Here) {
        let before = self.present.cursor;
        let node = self.place(&here.transcript);
        if self.is_undone() && (node == before || self.is_on_path(node, self.present.tip)) {
            self.present.undone = match node == before {
                true => self.present.undone,
                false => self.given(self.present.tip).saturating_sub(self.given(node)),
            };
            if self.present.undone > 0 {
                self.present.cursor = node;
                self.present.summary = here.summary;
                return;
            }
        } else if self.is_undone() && !self.is_on_path(self.present.tip, node) {
            let mut left = std::mem::take(&mut self.present);
            (self.present.file, self.present.opened) = (left.file.clone(), left.opened.clone());
            self.present.link.clone_from(&left.link);
            (left.cursor, left.undone) = (left.tip, 0);
            left.summary.clone_from(&left.tip_summary);
            let answers = AnswerText::of(&here.transcript.lines, &here.summary.hidden);
            let id = self.keep(left, Some(&answers));
            let name = self.name_of(id);
            self.notes.push(format!(
                "the line so far is kept: `:switch {name}` goes back to it"
            ));
        }
        self.reach(node, here);
    }

    /// The present branch ends at this node.
    fn reach(&mut self, node: NodeId, here: Here) {
        let present = &mut self.present;
        (present.tip, present.cursor, present.undone) = (node, node, 0);
        (present.tip_summary, present.end) = (here.summary.clone(), here.end);
        present.summary = here.summary;
        present.play = None;
        present.answers = OnceCell::new();
    }

    /// Moves the cursor back to where the play is now. The tip of the present branch stays; `undone` answers and
    /// changes by hand lie between.
    pub fn undo_to(&mut self, here: Here, undone: usize) {
        self.present.cursor = self.place(&here.transcript);
        self.present.undone = undone;
        self.present.summary = here.summary;
    }

    /// Whether answers of the present branch are undone.
    pub fn is_undone(&self) -> bool {
        self.present.undone > 0
    }

    /// Makes the play on the table count as played in.
    pub fn set_played(&mut self) {
        self.laid = None;
    }

    /// Somebody plays on: the game before is a branch like any other.
    pub fn play_on(&mut self) {
        self.returns = None;
        self.forth = None;
        self.branches.retain(|branch| !branch.is_untouched);
    }

    /// Whether somebody has played since the game was put on the table.
    pub fn is_touched(&self, play: &Play) -> bool {
        self.is_undone() || !self.present.name.is_empty() || self.laid != Some(extent(play))
    }

    /// Begins another game with this play, and returns the id of the branch that was left. `touched` says whether
    /// somebody has played in that.
    pub fn begin_game(&mut self, play: &Play, touched: bool) -> u32 {
        self.present.is_untouched = !touched;
        let left = std::mem::take(&mut self.present);
        let id = self.keep(left, None);
        self.forth = None;
        self.game = self.starts.len() as u32 + 1;
        self.set_laid(play);
        id
    }

    /// Makes a branch the present one. Keeps the one that was left, with `untouched` also if nobody has played in it,
    /// and returns its id.
    pub fn switch(&mut self, to: Branch, touched: bool, untouched: bool) -> Option<u32> {
        self.game = self.start(to.tip).map_or(self.game, |start| start.game);
        self.present.is_untouched = !touched;
        let beside: Arc<[AnswerText]> = self.answers(&to).into();
        self.branches.retain(|branch| branch.id != to.id);
        let left = std::mem::replace(&mut self.present, to);
        let left = (touched || untouched).then(|| self.add_branch(left, Some(&beside)));
        (self.returns, self.forth, self.laid) = (None, None, None);
        if self.present.is_untouched {
            self.present.name.clear();
        }
        left
    }

    /// Whether a branch belongs to the game on the table.
    pub fn is_of_game(&self, branch: &Branch) -> bool {
        self.start(branch.tip)
            .is_some_and(|start| start.game == self.game)
    }

    /// Makes the present game count as new on the table.
    pub fn set_laid(&mut self, play: &Play) {
        self.laid = Some(extent(play));
    }

    /// Returns the branch with this id.
    pub fn find(&self, id: u32) -> Option<&Branch> {
        self.branches.iter().find(|branch| branch.id == id)
    }

    /// Returns the branch that was left last.
    pub fn last(&self) -> Option<u32> {
        self.last.filter(|id| self.find(*id).is_some())
    }

    /// Returns a name that no branch has yet, with this beginning.
    fn free_name(&self, wanted: &str) -> String {
        let taken = |name: &str| self.branches.iter().any(|b| b.name == name) || self.present.name == name;
        let wanted = if wanted.is_empty() { "line" } else { wanted };
        let more = (2..).map(|n| format!("{wanted}-{n}"));
        let mut names = std::iter::once(wanted.to_owned()).chain(more);
        names.find(|n| !taken(n)).unwrap_or_default()
    }

    /// Keeps a branch that play leaves; `beside` are the answers of the branch that it parts from.
    fn keep(&mut self, left: Branch, beside: Option<&[AnswerText]>) -> u32 {
        let id = self.add_branch(left, beside);
        while self.branches.len() > MAX_BRANCHES {
            let Some(oldest) = self.branches.iter().position(|branch| !branch.is_named) else {
                break;
            };
            let gone = self.branches.remove(oldest);
            self.notes.push(format!(
                "more than {MAX_BRANCHES} lines: the oldest without a name of your own, `{}`, is forgotten",
                gone.name
            ));
        }
        id
    }

    fn add_branch(&mut self, mut left: Branch, beside: Option<&[AnswerText]>) -> u32 {
        if left.name.is_empty() {
            let answers = self.answers(&left);
            let first = beside.and_then(|beside| answers.get(common(beside, answers)));
            let wanted = first.map(AnswerText::name).unwrap_or_else(|| {
                let path = &left.opened.source.name;
                let stem = path.rsplit('/').next().and_then(|f| f.strip_suffix(".toml"));
                stem.unwrap_or(&left.file.game.value).to_owned()
            });
            left.name = self.free_name(&wanted);
        }
        left.id = self.next_id;
        self.next_id += 1;
        if !left.is_untouched {
            self.last = Some(left.id);
        }
        self.branches.push(left);
        self.next_id - 1
    }

    /// Keeps a branch that could not be played again to its end.
    pub fn keep_as_it_was(&mut self, mut branch: Branch) {
        branch.name = self.free_name("as-it-was");
        (branch.is_named, branch.undone, branch.cursor) = (false, 0, branch.tip);
        self.keep(branch, None);
    }

    /// Returns the name of a branch.
    pub fn name_of(&self, id: u32) -> String {
        self.find(id)
            .map_or_else(String::new, |branch| branch.name.clone())
    }

    /// Returns the branches that lists show besides the present one.
    pub fn listed(&self) -> impl Iterator<Item = &Branch> {
        self.branches.iter().filter(|branch| !branch.is_untouched)
    }

    /// Returns the names of the branches besides the present one.
    pub fn names(&self) -> Vec<String> {
        self.listed().map(|branch| branch.name.clone()).collect()
    }

    /// Returns the id of the branch with this name.
    ///
    /// # Errors
    ///
    /// No other branch has this name.
    pub fn by_name(&self, name: &str) -> Result<u32, Problem> {
        if let Some(branch) = self.branches.iter().find(|branch| branch.name == name) {
            return Ok(branch.id);
        }
        if self.present.name == name {
            return Err(problems::present_branch(name));
        }
        let names = self.names();
        Err(unknown_name("branch", name).hint(hint_for(name, names.iter().map(String::as_str))))
    }

    /// Names the present branch.
    ///
    /// # Errors
    ///
    /// A name that is no name, or that another branch has.
    pub fn give_name(&mut self, name: &str) -> Result<(), Problem> {
        let plain = |c: char| c.is_alphanumeric() || ".-_".contains(c);
        if !name.chars().all(plain) || name.starts_with('-') || name.chars().count() > LONGEST_NAME {
            return Err(problems::wrong_branch_name(name, LONGEST_NAME));
        }
        if self.branches.iter().any(|branch| branch.name == name) {
            return Err(problems::repeated_branch_name(name));
        }
        name.clone_into(&mut self.present.name);
        self.present.is_named = true;
        Ok(())
    }

    /// Deletes a branch; its nodes stay.
    ///
    /// # Errors
    ///
    /// No other branch has this name.
    pub fn forget(&mut self, name: &str) -> Result<(), Problem> {
        let id = self.by_name(name)?;
        self.branches.retain(|branch| branch.id != id);
        self.returns.take_if(|(returns, _)| *returns == id);
        Ok(())
    }
}

/// The present state of a play, to be placed in the tree.
pub struct Here {
    pub transcript: Transcript,
    /// The last line of the transcript.
    pub end: String,
    pub summary: Summary,
}

/// Returns the number of answers and of chapters of a play.
fn extent(play: &Play) -> (usize, usize) {
    (play.given_count(), play.chapters().len())
}

#[cfg(test)]
mod tests {
    use super::log::{Logged, Record};
    use super::*;
    use proptest::prelude::*;

    fn here(answers: &[u8]) -> Here {
        let answer = |key: &u8| {
            Line::Entry(Entry::Chose {
                asker: "red".to_owned(),
                label: "move".to_owned(),
                subject: None,
                key: key.to_string(),
                only: false,
            })
        };
        let end = format!("after {}", answers.len());
        let mut lines: Vec<Line> = answers.iter().map(answer).collect();
        lines.push(Line::End(end.clone()));
        Here {
            transcript: Transcript {
                scenario: ScenarioFile::new("game"),
                lines,
            },
            summary: Summary {
                stands: end.clone(),
                ..Summary::default()
            },
            end,
        }
    }

    fn keys(history: &History, node: NodeId) -> Vec<u8> {
        let lines = history.lines(node).into_iter();
        let keys = lines.map(|line| match line {
            Line::Entry(Entry::Chose { key, .. }) => key.parse().expect("a number"),
            other => panic!("{other:?}"),
        });
        keys.collect()
    }

    /// A branch as lists: its answers, and how many of them are not undone.
    type Plain = (Vec<u8>, usize);

    fn plain(history: &History) -> (Plain, Vec<Plain>) {
        let of = |branch: &Branch| {
            let (all, left) = (keys(history, branch.tip), keys(history, branch.cursor));
            assert!(all.starts_with(&left));
            assert_eq!(branch.undone, all.len() - left.len());
            assert_eq!(branch.summary.stands, format!("after {}", left.len()));
            (all, left.len())
        };
        let branches = history.branches.iter().map(of);
        (of(&history.present), branches.collect())
    }

    #[derive(Debug, Clone)]
    enum Move {
        Answer(u8),
        Undo(usize),
        Redo(usize),
        Switch(usize),
        Forget(usize),
    }

    fn moves() -> impl Strategy<Value = Vec<Move>> {
        let one = prop_oneof![
            6 => (0u8..3).prop_map(Move::Answer),
            3 => (1usize..5).prop_map(Move::Undo),
            2 => (1usize..5).prop_map(Move::Redo),
            2 => (0usize..9).prop_map(Move::Switch),
            1 => (0usize..9).prop_map(Move::Forget),
        ];
        prop::collection::vec(one, 1..60)
    }

    fn read(records: &[Record]) -> History {
        let mut history = History::default();
        let opened = |_: &str| None;
        assert!(records.iter().all(|record| history.take(record, &opened)));
        history
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        /// The history is what plain lists of answers are, and so is the one that is read from its log, wherever the
        /// log ends.
        #[test]
        fn a_history_is_as_plain_lists_are(moves in moves()) {
            let mut history = History::default();
            let (mut present, mut branches): (Plain, Vec<Plain>) = ((Vec::new(), 0), Vec::new());
            history.follow(here(&[]));
            let (mut logged, mut log) = (Logged::default(), Vec::new());
            for step in moves {
                match step {
                    Move::Answer(key) => {
                        let (all, given) = &mut present;
                        let next = all.get(*given).copied();
                        if next.is_some_and(|next| next != key) {
                            branches.push((all.clone(), all.len()));
                            all.truncate(*given);
                        }
                        if *given == all.len() {
                            all.push(key);
                        }
                        *given += 1;
                        history.follow(here(&all[..*given]));
                    }
                    Move::Undo(times) => {
                        present.1 -= times.min(present.1);
                        let undone = present.0.len() - present.1;
                        history.undo_to(here(&present.0[..present.1]), undone);
                    }
                    Move::Redo(times) => {
                        present.1 = (present.1 + times).min(present.0.len());
                        history.follow(here(&present.0[..present.1]));
                    }
                    Move::Switch(nth) => {
                        let Some(to) = history.branches.get(nth).cloned() else { continue };
                        let left = std::mem::replace(&mut present, branches.remove(nth));
                        branches.push(left);
                        history.switch(to, true, false);
                    }
                    Move::Forget(nth) => {
                        let Some(name) = history.names().get(nth).cloned() else { continue };
                        branches.remove(nth);
                        history.forget(&name).expect("it is there");
                    }
                }
                prop_assert_eq!(plain(&history), (present.clone(), branches.clone()));
                log.extend(logged.add(&history));
                let text: Vec<String> =
                    log.iter().map(|r| serde_json::to_string(r).expect("JSON")).collect();
                let again: Vec<Record> =
                    text.iter().map(|t| serde_json::from_str(t).expect("a record")).collect();
                let again = read(&again);
                let (here, mut others) = plain(&again);
                others.sort();
                let mut expected = branches.clone();
                expected.sort();
                prop_assert_eq!((here, others), (present.clone(), expected));
                prop_assert_eq!(again.names().len(), history.names().len());
            }
            for end in 1..log.len() {
                read(&log[..end]);
            }
        }
    }

    #[test]
    fn other_scenarios_are_told_apart() {
        let mut history = History::default();
        history.follow(here(&[1, 2]));
        let mut seeded = here(&[1, 2]);
        seeded.transcript.scenario.seed = 9;
        history.undo_to(here(&[1]), 1);
        history.follow(seeded);
        let answers = history.answers_here();
        assert_eq!(history.divergence(&history.branches[0], &answers), "under seed 1");
        assert_eq!(history.divergence(&history.present, &answers), "the same answers");
    }
}
