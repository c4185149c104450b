//! `:page`: a session's table on pages in the browser. What is done there comes as lines, and what the session
//! tells is shown there, too.

pub mod board;
pub mod door;
pub mod link;
mod measure;
pub mod page_session;
mod sources;
pub mod state;

use crate::output::{Output, OutputPiece};
use crate::page::page_session::PageSession;
use crate::problems;
use crate::report::Problem;
use crate::reports::{Report, ReportPart};
use crate::session::Session;
use crate::visible::bare;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// Minimum time between two answers of agents while a page is open, because units move there.
pub const PACE: Duration = Duration::from_millis(900);

/// A request of a page to the session.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum PageRequest {
    /// To send this line, as if it were typed. With the number of the state that the page showed: if another is there by
    /// now, the line is not sent.
    Line { line: String, seen: Option<u64> },
    /// To know the output of this line; it changes nothing.
    Look { line: String },
    /// To know the games of the workspace, and from where they can be started.
    Door {},
    /// To know the scripts and settings of the game on the table.
    Sources {},
    /// To write one of them. With the version of the text that was changed: if another is there by now, it stays.
    Write {
        path: String,
        text: String,
        version: Option<String>,
    },
    /// To have the game as a link. With a number that the page has drawn, for a game that was not in a link yet.
    Link { id: String },
    /// To put the game of a link on the table. With what the browser has seen of games by link, by their numbers.
    OpenLink {
        link: String,
        seen: BTreeMap<String, String>,
    },
    /// To play many games of the game on the table.
    Measure(MeasureRequest),
}

/// A request to play many games between agents, from the start of the game on the table under the rules in force.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasureRequest {
    /// Number of games, or of games of each side of a comparison.
    pub games: u64,
    /// Agents by the factions that they play in the first game of each seed; the others are random.
    #[serde(default)]
    pub agents: BTreeMap<String, String>,
    /// The seed of the games; 1 by default.
    pub seed: Option<u64>,
    /// The variant to compare with: switched on if it is off, and off if it is on.
    pub variant: Option<String>,
}

impl Session {
    /// Serves a page of this session, or says where it is served already.
    ///
    /// # Errors
    ///
    /// A front end that listens to nothing but lines; no port to be had.
    pub fn open_page(&mut self) -> Result<Output, Problem> {
        let Some(open) = &self.pages.open else {
            return Err(problems::page_without_terminal());
        };
        if let Some(page) = &self.pages.desk {
            return Ok(Output::text(format!("the table is at {}", page.host.address())));
        }
        let work = self.rules.workspace.work().clone();
        let mut page = PageSession::new(open(Arc::clone(&self.stop), work)?);
        page.show(state::of(self));
        let opened = match page.host.browse() {
            true => "; the browser is asked to show it",
            false => "",
        };
        let address = page.host.address();
        self.pages.desk = Some(page);
        Ok(Output::text(format!("the table is at {address}{opened}")))
    }

    /// Serves no page any more.
    ///
    /// # Errors
    ///
    /// When none is served.
    pub fn close_page(&mut self) -> Result<Output, Problem> {
        let own = self.pages.desk.as_ref().is_some_and(|page| page.from_page);
        if own && !self.face.completes {
            return Err(problems::only_page());
        }
        match self.pages.desk.take() {
            Some(_) => Ok(Output::text("no page shows the table any more")),
            None => Err(problems::no_page()),
        }
    }

    /// Returns the minimum time of an agent's answer while a page is open.
    pub fn pace(&self) -> Option<Duration> {
        let page = self.pages.desk.as_ref();
        page.filter(|d| d.host.pages() > 0).map(|_| PACE)
    }

    /// Shows on all pages what has come of a line; an empty one for what came by itself.
    pub fn update_pages(&mut self, line: &str, reply: &Output) {
        if self.pages.desk.is_none() {
            return;
        }
        // The page has a board and a question of its own.
        let (glance, is_small) = self.board_at_a_glance();
        let whole = is_small.then(|| self.board());
        let own = [
            Some(glance),
            whole,
            is_small.then(crate::show::drawn_small),
            self.question(),
        ];
        let own: Vec<Report> = own.into_iter().flatten().collect();
        let value = reply_json(reply, &own);
        let covers = reply.pieces.iter().any(|p| matches!(p, OutputPiece::Cover(_)));
        let state = state::of(self);
        if let Some(page) = &mut self.pages.desk {
            page.send(line, value, covers);
            page.show(state);
        }
    }
}

/// Returns a part of a report that has parts to fold.
fn part_json(part: &ReportPart) -> Value {
    match part {
        ReportPart::Fold { head, open, parts } => {
            let parts: Vec<Value> = parts.iter().map(part_json).collect();
            json!({ "head": bare(head), "open": open, "parts": parts })
        }
        ReportPart::Table(table) => {
            let rows = table.texts().into_iter();
            let rows: Vec<Vec<String>> = rows
                .map(|row| row.iter().map(|cell| bare(cell)).collect())
                .collect();
            json!({ "rows": rows, "headed": table.is_headed() })
        }
        part => json!({ "text": bare(&part.text()) }),
    }
}

/// Returns the pieces of a reply, without those that the page shows in another way.
pub(crate) fn reply_json(reply: &Output, own: &[Report]) -> Value {
    let cover = reply
        .pieces
        .iter()
        .rposition(|p| matches!(p, OutputPiece::Cover(_)));
    let pieces = reply.pieces.iter().skip(cover.unwrap_or_default());
    let pieces = pieces.filter_map(|piece| {
        let kind = match piece {
            OutputPiece::Report(page) if own.contains(page) => return None,
            OutputPiece::Text(_) | OutputPiece::Report(_) => "text",
            OutputPiece::Error(..) => "error",
            OutputPiece::Cover(_) => "cover",
        };
        let mut told = json!({ "kind": kind, "text": bare(&piece.text()) });
        if let OutputPiece::Report(report) = piece
            && report.parts().any(|part| matches!(part, ReportPart::Fold { .. }))
        {
            told["parts"] = report.parts().map(part_json).collect();
        }
        Some(told)
    });
    json!({ "pieces": pieces.collect::<Vec<_>>(), "drawn": reply.drawn })
}
