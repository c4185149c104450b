//! The pages of a table: the state that they show, and the lines that they were sent. Knows no session: it shows what
//! it is given.

use crate::report::Problem;
use crate::visible::bare;
use crate::work::Work;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Maximum number of recent exchanges to show.
const MOST_TOLD: usize = 60;

/// The host of the pages of a table: a server for browsers, or a page that has the session in it.
pub trait PageHost: Send {
    /// Returns the address of the page.
    fn address(&self) -> String;
    /// Opens the page in a browser; false where there is none.
    fn browse(&self) -> bool;
    /// Shows this state on all pages that are open, and on those that will be.
    fn show(&self, state: &Value);
    /// Whether the session can be left on a page.
    fn can_leave(&self) -> bool {
        true
    }
    /// Returns the number of open pages.
    fn pages(&self) -> usize;
}

/// Opens the pages of a table. The flag is raised when a page wants to stop what takes long.
pub type OpenPages = Box<dyn Fn(Arc<AtomicBool>, Work) -> Result<Box<dyn PageHost>, Problem> + Send>;

/// The pages of a table.
pub struct PageSession {
    pub(crate) host: Box<dyn PageHost>,
    /// Counts the states that were shown.
    pub(crate) number: u64,
    sent: VecDeque<Value>,
    /// Counts what was said.
    sent_count: u64,
    /// The line that is sent now comes from a page.
    pub(crate) from_page: bool,
}

impl PageSession {
    /// Pages of this host.
    pub fn new(host: Box<dyn PageHost>) -> Self {
        Self {
            host,
            number: 0,
            sent: VecDeque::new(),
            sent_count: 0,
            from_page: false,
        }
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
        self.host.show(&state);
    }
}
