//! The log of a session: records of what was added to it, one line of JSON each, which a journal appends.
//!
//! Reading the records in their order gives the session again. A log that was cut off gives the session as it was
//! before the record that is missing.

use super::branch_text::Summary;
use super::{Branch, Content, History, NodeId, Start};
use crate::description::Spanned;
use crate::report::Source;
use crate::scenario::file::ScenarioFile;
use crate::transcript::Line;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A record of a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Record {
    /// A node: the scenario of a game.
    Start { game: u32, scenario: String },
    /// A node: a line of a transcript, behind the node of the record before or another one.
    Line {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        behind: Option<NodeId>,
        line: String,
    },
    /// A branch besides the present one, new or changed.
    Branch(StoredBranch),
    /// A branch is deleted, or has become the present one.
    Forget(u32),
    /// The present branch.
    Present(StoredBranch),
    /// The players and the game that `:redo` brings back.
    Session(StoredSession),
    /// A file of rules, by the hash of its text.
    File { hash: String, text: String },
    /// The files of a ruleset, by path: the hash of each.
    Rules {
        fingerprint: String,
        files: BTreeMap<String, String>,
    },
    /// The session was closed; without it, it was cut off.
    Closed,
}

/// A branch in the log.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StoredBranch {
    pub id: u32,
    pub name: String,
    /// Whether a person gave the name.
    pub is_named: bool,
    pub tip: NodeId,
    pub cursor: NodeId,
    pub undone: usize,
    pub end: String,
    /// The path of the scenario that was opened.
    pub opened: String,
    /// The id of the game in links.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// The expectations for its end.
    pub expect: Vec<String>,
    pub summary: Summary,
    pub tip_summary: Summary,
}

/// The values of a session besides its history.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StoredSession {
    /// Whether one person plays all factions.
    pub alone: bool,
    /// Agents by the factions that they play.
    pub agents: BTreeMap<String, String>,
    /// The branch that `:redo` puts on the table again.
    pub forth: Option<u32>,
}

impl StoredBranch {
    fn of(branch: &Branch) -> Self {
        Self {
            id: branch.id,
            name: branch.name.clone(),
            is_named: branch.is_named,
            tip: branch.tip,
            cursor: branch.cursor,
            undone: branch.undone,
            end: branch.end.clone(),
            opened: branch.opened.source.name.clone(),
            link: branch.link.clone(),
            expect: branch.file.expect.iter().map(|e| e.value.clone()).collect(),
            summary: branch.summary.clone(),
            tip_summary: branch.tip_summary.clone(),
        }
    }
}

/// The part of a history that is in the log already.
#[derive(Debug, Default)]
pub struct Logged {
    nodes: usize,
    branches: BTreeMap<u32, StoredBranch>,
    present: Option<StoredBranch>,
}

impl Logged {
    /// Returns the records of what a history has besides. They count as logged from now on.
    pub fn add(&mut self, history: &History) -> Vec<Record> {
        let mut records = Vec::new();
        let nodes = history.nodes.iter().enumerate().skip(self.nodes);
        for (index, node) in nodes {
            records.push(match &node.content {
                Content::Start(start) => Record::Start {
                    game: start.game,
                    scenario: start.text.clone(),
                },
                Content::Line(line) => Record::Line {
                    behind: node.parent.filter(|parent| *parent as usize + 1 != index),
                    line: line.text(),
                },
            });
        }
        self.nodes = history.nodes.len();
        let branches: BTreeMap<u32, StoredBranch> = history
            .listed()
            .map(|branch| (branch.id, StoredBranch::of(branch)))
            .collect();
        let changed = branches
            .iter()
            .filter(|(id, branch)| self.branches.get(id) != Some(branch));
        records.extend(changed.map(|(_, branch)| Record::Branch(branch.clone())));
        let gone = self.branches.keys().filter(|id| !branches.contains_key(id));
        records.extend(gone.map(|id| Record::Forget(*id)));
        self.branches = branches;
        let present = StoredBranch::of(&history.present);
        if self.present.as_ref() != Some(&present) {
            records.push(Record::Present(present.clone()));
            self.present = Some(present);
        }
        records
    }
}

impl History {
    /// Adds what a record says; false if it does not fit. `opened` finds the scenario of a path.
    pub fn take(&mut self, record: &Record, opened: &dyn Fn(&str) -> Option<ScenarioFile>) -> bool {
        match record {
            Record::Start { game, scenario } => {
                let Ok(file) = ScenarioFile::parse(Source::new("", scenario.clone())) else {
                    return false;
                };
                let start = Start {
                    game: *game,
                    scenario: file,
                    text: scenario.clone(),
                };
                self.add(None, Content::Start(Box::new(start)));
            }
            Record::Line { behind, line } => {
                let last = (self.nodes.len() as NodeId).checked_sub(1);
                let (Some(line), Some(parent)) = (Line::parse(line), behind.or(last)) else {
                    return false;
                };
                if self.nodes.get(parent as usize).is_none() {
                    return false;
                }
                self.add(Some(parent), Content::Line(line));
            }
            Record::Branch(stored) => {
                let Some(branch) = self.branch(stored, opened) else {
                    return false;
                };
                self.next_id = self.next_id.max(branch.id + 1);
                match self.branches.iter_mut().find(|known| known.id == branch.id) {
                    Some(known) => *known = branch,
                    None => self.branches.push(branch),
                }
            }
            Record::Forget(id) => self.branches.retain(|branch| branch.id != *id),
            Record::Present(stored) => {
                let Some(branch) = self.branch(stored, opened) else {
                    return false;
                };
                self.game = self.start(branch.tip).map_or(self.game, |start| start.game);
                self.present = branch;
            }
            Record::Session(session) => self.forth = session.forth,
            Record::File { .. } | Record::Rules { .. } | Record::Closed => {}
        }
        true
    }

    fn branch(&self, stored: &StoredBranch, opened: &dyn Fn(&str) -> Option<ScenarioFile>) -> Option<Branch> {
        self.nodes.get(stored.cursor as usize)?;
        let mut file = self.start(stored.tip)?.scenario.clone();
        let opened = opened(&stored.opened).unwrap_or_else(|| {
            let mut opened = file.clone();
            opened.source = Source::new(stored.opened.clone(), opened.source.text.clone());
            opened
        });
        let in_file = opened.expect.iter().filter(|e| stored.expect.contains(&e.value));
        file.expect = in_file.cloned().collect();
        for text in &stored.expect {
            if !file.expect.iter().any(|known| known.value == *text) {
                file.expect.push(Spanned::from(text.clone()));
            }
        }
        Some(Branch {
            id: stored.id,
            name: stored.name.clone(),
            is_named: stored.is_named,
            tip: stored.tip,
            cursor: stored.cursor,
            undone: stored.undone,
            end: stored.end.clone(),
            summary: stored.summary.clone(),
            tip_summary: stored.tip_summary.clone(),
            file,
            opened,
            link: stored.link.clone(),
            ..Branch::default()
        })
    }
}
