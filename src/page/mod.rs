//! The table on a page in the browser: a third face of a session, beside the terminal and piped input. A click
//! there sends the line that a person would type; what the session tells is shown at the prompt and on every
//! page. Nothing here decides a rule, and no page can do what the prompt cannot.
//!
//! | part | |
//! |---|---|
//! | [`server`] | pages and their wishes over HTTP, on this machine alone |
//! | [`state`] | what a page shows, as one value |
//! | [`replay`] | the same page without a session: a game that was played |
//! | [`browser`] | opens a browser where there is one |
//! | [`alone`] | a table without a prompt |
//! | `choices` | what a replay shows where something was chosen on a table top |
//! | `web` | the page itself |

pub mod alone;
pub mod browser;
mod choices;
pub mod replay;
pub mod server;
pub mod state;

use crate::repl::session::{Output, Piece, Session};
use crate::report::Problem;
use crate::screen::bare;
use rust_embed::RustEmbed;
use serde_json::{Value, json};
use server::{Asked, Server, Wish};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// What a page is made of.
#[derive(RustEmbed)]
#[folder = "src/page/web"]
struct Files;

/// The page's styles and scripts, in the order in which it names them.
pub(crate) const FILES: [&str; 4] = ["look.css", "page.css", "throw.js", "page.js"];

/// A file of the page by its name below the secret: its type and its text.
pub(crate) fn file(name: &str) -> Option<(&'static str, String)> {
    let (file, kind) = match name {
        "" => ("page.html", "text/html"),
        name if !FILES.contains(&name) => return None,
        name if name.ends_with(".css") => (name, "text/css"),
        name => (name, "text/javascript"),
    };
    let text = String::from_utf8(Files::get(file)?.data.into_owned());
    Some((kind, text.ok()?))
}

/// The hash of a file, as a content security policy names it.
fn hash(name: &str) -> String {
    use base64::prelude::{BASE64_STANDARD, Engine as _};
    Files::get(name).map_or_else(String::new, |file| {
        BASE64_STANDARD.encode(file.metadata.sha256_hash())
    })
}

/// What an agent answers is told so long after what was told before, at least, where somebody looks at a page:
/// there units move.
pub const PACE: Duration = Duration::from_millis(900);

/// So many of the last exchanges are shown.
const MOST_TOLD: usize = 60;

/// What pages show, and what was said while they were there.
pub struct Desk {
    server: Arc<Server>,
    /// Counts the states that were shown.
    number: u64,
    told: VecDeque<Value>,
    /// Counts what was said.
    said: u64,
    /// What is sent now comes from a page.
    from_page: bool,
}

impl Session {
    /// Serves a page of this session, or says where it is served already.
    ///
    /// # Errors
    ///
    /// A front end that listens to nothing but lines; no port to be had.
    pub fn open_page(&mut self) -> Result<Output, Problem> {
        let Some(ear) = &self.ear else {
            return Err(Problem::new("lines that are piped in have no page").hint(
                "`rulebench table SCENARIO` serves one without a prompt, `:page` at a terminal beside it",
            ));
        };
        if let Some(desk) = &self.desk {
            return Ok(Output::text(format!("the table is at {}", desk.server.address())));
        }
        let server = Arc::new(Server::open(Arc::clone(ear), Arc::clone(&self.stop))?);
        let address = server.address();
        self.desk = Some(Desk {
            server,
            number: 0,
            told: VecDeque::new(),
            said: 0,
            from_page: false,
        });
        self.show_pages();
        let opened = match browser::open(&address) {
            true => "; the browser is asked to show it",
            false => "",
        };
        Ok(Output::text(format!("the table is at {address}{opened}")))
    }

    /// Serves no page any more.
    ///
    /// # Errors
    ///
    /// When none is served.
    pub fn close_page(&mut self) -> Result<Output, Problem> {
        match self.desk.take() {
            Some(_) => Ok(Output::text("no page shows the table any more")),
            None => Err(Problem::new("no page is served").hint("`:page` serves one")),
        }
    }

    /// How long an agent's answer takes at least, where somebody looks at a page.
    pub fn pace(&self) -> Option<Duration> {
        self.desk.as_ref().filter(|d| d.server.pages() > 0).map(|_| PACE)
    }

    /// Does what a page wants. Where it sent a line: that line, and what the session told.
    pub fn page_asks(&mut self, asked: Asked) -> Option<(String, Output)> {
        let leaves = self.has_prompt();
        let desk = self.desk.as_mut()?;
        // Whoever asked may have gone; what was sent counts all the same.
        let answer = |value: Value| drop(asked.answer.send(value));
        match asked.wish {
            Wish::Look(line, glance) => {
                let server = Arc::clone(&desk.server);
                answer(match server.look(glance, || self.look_at(&line)) {
                    Some(reply) => told(&reply, &[]),
                    None => json!({ "late": "something else was asked meanwhile" }),
                });
                None
            }
            Wish::Line(_, Some(seen)) if seen != desk.number => {
                answer(json!({ "late": "something else happened meanwhile; look again" }));
                None
            }
            Wish::Line(line, _) if leaves && is_quit(&line) => {
                answer(json!({ "pieces": [
                    { "kind": "error", "text": "the prompt is where one leaves; a page can just be closed" },
                ] }));
                None
            }
            Wish::Line(line, _) => {
                desk.from_page = true;
                let prompt = self.prompt().0;
                let reply = self.line(&line);
                if let Some(desk) = &mut self.desk {
                    desk.from_page = false;
                }
                answer(told(&reply, &[]));
                Some((format!("{prompt}{line}"), reply))
            }
        }
    }

    /// Shows on all pages what has come of a line; an empty one for what came by itself.
    pub(crate) fn tell_pages(&mut self, line: &str, reply: &Output) {
        if self.desk.is_none() {
            return;
        }
        // The page has a board and a question of its own.
        let own = [Some(self.board()), self.question()];
        let own: Vec<String> = own.into_iter().flatten().collect();
        let mut said = told(reply, &own);
        // What stands above a cover must not be seen any more, nor what was typed to come there.
        let covered = reply.pieces.iter().any(|p| matches!(p, Piece::Cover(_)));
        let line = if covered { "" } else { line };
        if let Some(desk) = &mut self.desk {
            if covered {
                desk.told.clear();
            }
            desk.said += 1;
            said["id"] = json!(desk.said);
            said["line"] = json!(bare(line));
            said["page"] = json!(desk.from_page);
            desk.told.push_back(said);
            while desk.told.len() > MOST_TOLD {
                desk.told.pop_front();
            }
        }
        self.show_pages();
    }

    fn show_pages(&mut self) {
        let mut state = state::of(self);
        state::clean(&mut state);
        if let Some(desk) = &mut self.desk {
            desk.number += 1;
            state["number"] = json!(desk.number);
            state["told"] = json!(desk.told);
            desk.server.show(&state);
        }
    }
}

fn is_quit(line: &str) -> bool {
    let line = line.trim();
    line.len() > 1 && ":quit".starts_with(line)
}

/// What a reply tells, piece by piece, without those pieces that are shown otherwise.
fn told(reply: &Output, own: &[String]) -> Value {
    let cover = reply.pieces.iter().rposition(|p| matches!(p, Piece::Cover(_)));
    let pieces = reply.pieces.iter().skip(cover.unwrap_or_default());
    let pieces = pieces.filter_map(|piece| {
        let (kind, text) = match piece {
            Piece::Text(text) if own.contains(text) => return None,
            Piece::Text(text) => ("text", text),
            Piece::Error(text) => ("error", text),
            Piece::Cover(text) => ("cover", text),
        };
        Some(json!({ "kind": kind, "text": bare(text) }))
    });
    json!({ "pieces": pieces.collect::<Vec<_>>(), "drawn": reply.drawn })
}
