//! `:tour`: the five-minute tour of the README, played at the prompt stop by stop. The page is the one
//! source: what it shows is what is played, and a test plays the page.

use super::output::{Output, Typed};
use super::session::Session;
use crate::pages::lines::indented;
use crate::report::{Problem, Problems};
use crate::suite;

/// The page with the tour in it.
const PAGE: &str = include_str!("../../README.md");
/// What stands before the tour's block, and the fence that ends it.
const BEGINS: &str = "<!-- tour -->";
const FENCE: &str = "```";

const ELSEWHERE: &str = "the tour is about the games that rulebench brings along, as they are; start `rulebench`\n\
                         in a folder without a workspace to take it";

/// A stop of the tour.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Stop {
    /// What is told, in one paragraph.
    told: String,
    /// The lines that are typed.
    typed: Vec<String>,
}

/// The stops: comments tell, other typed lines are typed; what the page shows as answers is left out.
fn stops(page: &str) -> Vec<Stop> {
    let after = page.split_once(BEGINS).map_or("", |(_, rest)| rest);
    let block = after.split_once(FENCE).map_or("", |(_, rest)| rest);
    let block = block.split_once(FENCE).map_or("", |(block, _)| block);
    let mut stops: Vec<Stop> = Vec::new();
    for line in block.lines().filter_map(|l| l.strip_prefix("> ")) {
        match (line.strip_prefix("//"), stops.last_mut()) {
            // A comment of several lines is one paragraph.
            (Some(comment), Some(stop)) if stop.typed.is_empty() => {
                stop.told.push(' ');
                stop.told.push_str(comment.trim());
            }
            (Some(comment), _) => stops.push(Stop {
                told: comment.trim().to_owned(),
                typed: Vec::new(),
            }),
            (None, Some(stop)) => stop.typed.push(line.to_owned()),
            (None, None) => {}
        }
    }
    stops
}

impl Session {
    /// Whether the games that the tour is about are in the workspace.
    pub(super) fn has_tour(&self) -> bool {
        let about = stops(PAGE).into_iter().flat_map(|stop| stop.typed);
        let mut opened = about.filter_map(|line| line.strip_prefix(":open ").map(str::to_owned));
        opened.all(|name| suite::find(&self.rules.workspace, &[name]).is_ok())
    }

    /// Plays the next stop of the tour; the first when none is under way.
    ///
    /// # Errors
    ///
    /// A workspace without the games that the tour is about.
    pub fn tour(&mut self) -> Result<Output, Problems> {
        let stops = stops(PAGE);
        let at = self.told.tour.take().unwrap_or(0);
        if !self.has_tour() {
            return Err(Problem::new("there is no tour here").hint(ELSEWHERE).into());
        }
        let Some(stop) = stops.get(at) else {
            return Err(Problem::new("there is no tour").into());
        };
        let mut reply = Output::default();
        let told = format!("[{} of {}] {}", at + 1, stops.len(), stop.told);
        reply.say(indented(&told, self.face.style.width.saturating_sub(1), 0));
        let more = at + 1 < stops.len();
        self.told.tour = more.then_some(at + 1);
        reply.types = Some(Typed {
            lines: stop.typed.clone(),
            done: match more {
                true => "(Enter goes on with the tour; whatever else you type works as always)",
                false => {
                    "That was the tour. `:help` lists the commands; `docs/tutorial.md` goes on from here."
                }
            },
            failed: ELSEWHERE,
        });
        Ok(reply)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_tell_and_other_lines_are_typed() {
        let page = "text\n<!-- tour -->\n```repl\n> // One,\n> // two.\n> :board\nan answer\n> 1\n> // Three.\n> 2\n```\n> 3\n";
        let stop = |told: &str, typed: &[&str]| Stop {
            told: told.to_owned(),
            typed: typed.iter().map(|&t| t.to_owned()).collect(),
        };
        assert_eq!(
            stops(page),
            [stop("One, two.", &[":board", "1"]), stop("Three.", &["2"])]
        );
        assert_eq!(stops("no tour"), []);
    }
}
