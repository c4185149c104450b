//! `:tour`: the five-minute tour of the README, played at the prompt stop by stop. The page is the one
//! source: what it shows is what is played, and a test plays the page.

use crate::lines::indented;
use crate::output::{CommandLines, Output};
use crate::problems;
use crate::report::Problems;
use crate::session::Session;
use crate::suite;

/// The text before the tour's block, and the fence that ends it.
const BEGINS: &str = "<!-- tour -->";
const FENCE: &str = "```";

const ELSEWHERE: &str = "the tour is about the games that rulebench brings along, as they are; start `rulebench`\n\
                         in a folder without a workspace to take it";

/// A stop of the tour.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct TourStop {
    /// The lines that are typed.
    typed: Vec<String>,
    /// The explanation of what they show, one paragraph.
    text: String,
}

/// Returns the stops of a page: lines to type, then the comment that explains them. The answers on the page are left
/// out.
fn stops(page: &str) -> Vec<TourStop> {
    let after = page.split_once(BEGINS).map_or("", |(_, rest)| rest);
    let block = after.split_once(FENCE).map_or("", |(_, rest)| rest);
    let block = block.split_once(FENCE).map_or("", |(block, _)| block);
    let mut stops: Vec<TourStop> = Vec::new();
    for line in block.lines().filter_map(|l| l.strip_prefix("> ")) {
        let comment = line.strip_prefix("//");
        // A line to type behind an explanation begins the next stop.
        if stops
            .last()
            .is_none_or(|stop| comment.is_none() && !stop.text.is_empty())
        {
            stops.push(TourStop::default());
        }
        let Some(stop) = stops.last_mut() else { continue };
        match comment {
            // A comment of several lines is one paragraph.
            Some(comment) if stop.text.is_empty() => comment.trim().clone_into(&mut stop.text),
            Some(comment) => {
                stop.text.push(' ');
                stop.text.push_str(comment.trim());
            }
            None => stop.typed.push(line.to_owned()),
        }
    }
    stops
}

impl Session {
    /// Whether the games that the tour is about are in the workspace.
    pub(crate) fn has_tour(&self) -> bool {
        let about = stops(self.face.tour).into_iter().flat_map(|stop| stop.typed);
        let mut opened = about.filter_map(|line| line.strip_prefix(":open ").map(str::to_owned));
        !self.face.tour.is_empty() && opened.all(|name| suite::find(&self.rules.workspace, &[name]).is_ok())
    }

    /// Plays the next stop of the tour; the first when none is under way.
    ///
    /// # Errors
    ///
    /// A workspace without the games that the tour is about.
    pub fn tour(&mut self) -> Result<Output, Problems> {
        let stops = stops(self.face.tour);
        let at = self.shown.tour.take().unwrap_or(0);
        if !self.has_tour() {
            return Err(problems::no_tour().hint(ELSEWHERE).into());
        }
        let Some(stop) = stops.get(at) else {
            return Err(problems::no_tour().into());
        };
        let mut reply = Output::default();
        let more = at + 1 < stops.len();
        self.shown.tour = more.then_some(at + 1);
        // The explanation stands below what it explains: there it is still on the screen when the stop is over.
        let text = format!("[{} of {}] {}", at + 1, stops.len(), stop.text);
        let next = match more {
            true => "Press Enter to continue the tour. Anything else works as always.",
            false => "This was the tour. `:help` lists the commands; `docs/tutorial.md` continues from here.",
        };
        let width = self.face.style.width.saturating_sub(1);
        reply.types = Some(CommandLines {
            lines: stop.typed.clone(),
            done: format!("{}\n{}", indented(&text, width, 0), indented(next, width, 0)),
            failed: ELSEWHERE,
        });
        Ok(reply)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_explains_the_lines_above_it() {
        let page = "text\n<!-- tour -->\n```repl\n> :board\nan answer\n> 1\n> // One,\n> // two.\n> 2\n> // Three.\n```\n> 3\n";
        let stop = |text: &str, typed: &[&str]| TourStop {
            text: text.to_owned(),
            typed: typed.iter().map(|&t| t.to_owned()).collect(),
        };
        assert_eq!(
            stops(page),
            [stop("One, two.", &[":board", "1"]), stop("Three.", &["2"])]
        );
        assert_eq!(stops("no tour"), []);
    }
}
