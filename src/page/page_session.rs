//! The pages of a table: the state that they show, and the lines that they were sent. Knows no session: it shows what
//! it is given.

use super::browser;
use super::server::{AskSession, Server};
use crate::report::Problem;
use crate::visible::bare;
use crate::work::Work;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Maximum number of recent exchanges to show.
const MOST_TOLD: usize = 60;

/// The pages of a table.
pub struct PageSession {
    pub(crate) server: Arc<Server>,
    /// Counts the states that were shown.
    pub(crate) number: u64,
    sent: VecDeque<Value>,
    /// Counts what was said.
    sent_count: u64,
    /// The line that is sent now comes from a page.
    pub(crate) from_page: bool,
}

impl PageSession {
    /// Pages whose wishes come to `ask`; what takes long on them is stopped by `stop`.
    ///
    /// # Errors
    ///
    /// No port to be had.
    pub fn open(ask: AskSession, stop: Arc<AtomicBool>, work: Work) -> Result<Self, Problem> {
        Ok(Self {
            server: Arc::new(Server::open(ask, stop, work)?),
            number: 0,
            sent: VecDeque::new(),
            sent_count: 0,
            from_page: false,
        })
    }

    /// Returns the address of the page.
    pub fn address(&self) -> String {
        self.server.address()
    }

    /// Opens one in a browser; false where there is none.
    pub fn browse(&self) -> bool {
        browser::open(&self.address())
    }

    /// Keeps what was said after this line. Where it `covers`, what was said before must not be seen any more,
    /// nor what was typed to come there.
    pub fn send(&mut self, line: &str, mut entry: Value, covers: bool) {
        if covers {
            self.sent.clear();
        }
        self.sent_count += 1;
        entry["id"] = json!(self.sent_count);
        entry["line"] = json!(if covers { String::new() } else { bare(line) });
        entry["page"] = json!(self.from_page);
        self.sent.push_back(entry);
        while self.sent.len() > MOST_TOLD {
            self.sent.pop_front();
        }
    }

    /// Shows a table on all pages, with what was said.
    pub fn show(&mut self, mut state: Value) {
        self.number += 1;
        state["number"] = json!(self.number);
        state["told"] = json!(self.sent);
        self.server.show(&state);
    }
}
