//! The difference of branches in words: their answers, the name of a branch by its first different answer, and its line
//! in a list. What was chosen in secret and is not revealed is in none of them.

use super::{Branch, History};
use crate::event_text::Entry;
use crate::lines::counted;
use crate::rules::ruleset::LoadOptions;
use crate::scenario::file::ScenarioFile;
use crate::stage::run;
use crate::transcript::{Line, Phases, Transcript};
use serde::{Deserialize, Serialize};

/// The longest name of a line, in characters.
pub const LONGEST_NAME: usize = 40;

/// The position of a branch, for lists.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Summary {
    /// The place in its phases, such as `round 2`.
    pub at: String,
    /// The question that it waits for, or its end; no secret.
    pub stands: String,
    /// The phases of its game in which choices are secret.
    pub hidden: Vec<String>,
}

/// Returns the options of the last chapter's rules.
pub fn last_options(transcript: &Transcript) -> LoadOptions {
    let mut chapters = transcript.lines.iter().rev();
    let last = chapters.find_map(|line| match line {
        // Where something was changed by hand, the rules are those of the chapter before.
        Line::Chapter {
            number,
            options,
            edits: None,
            ..
        } => Some((*number, options)),
        _ => None,
    });
    match last {
        Some((number, options)) if number > 1 => options.clone(),
        // Of the first chapter it says only what the scenario cannot.
        Some((_, options)) => LoadOptions {
            scratch: options.scratch.clone(),
            ..run::options_of(&transcript.scenario, &options.without)
        },
        None => run::options_of(&transcript.scenario, &[]),
    }
}

/// An answer, as a list of lines tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerText {
    /// The place: `round 2`, or a phase's name.
    place: String,
    /// The same in a name: the number of the round, or the phase's name.
    mark: String,
    /// The unit, or else the faction, that it is about.
    who: String,
    asker: String,
    label: String,
    key: String,
    /// It was the only option.
    pub only: bool,
    /// It was given in a phase in which choices are secret, and which has not ended.
    secret: bool,
}

impl AnswerText {
    /// The answers among the lines of a transcript. `hidden` are the phases with secret choices.
    pub fn of(lines: &[Line], hidden: &[String]) -> Vec<AnswerText> {
        let mut phases = Phases::default();
        let mut about = String::new();
        let mut given: Vec<AnswerText> = Vec::new();
        // Where the answers begin that are not revealed yet.
        let mut secret_from = None;
        for line in lines {
            let answer = |label: &str, key: &str, who: &str, asker: &str, only: bool| {
                let round = phases.repeats().next_back();
                let phase = || phases.innermost().to_owned();
                AnswerText {
                    place: round.map_or_else(phase, |(name, n)| format!("{name} {n}")),
                    mark: round.map_or_else(phase, |(_, n)| n.to_string()),
                    who: who.to_owned(),
                    asker: asker.to_owned(),
                    label: label.to_owned(),
                    key: key.to_owned(),
                    only,
                    secret: false,
                }
            };
            let Line::Entry(entry) = line else { continue };
            match entry {
                Entry::Phase {
                    depth,
                    name,
                    iteration,
                } => {
                    phases.begin(*depth, name, *iteration);
                    let hides = phases.names().any(|name| hidden.iter().any(|h| h == name));
                    secret_from = hides.then(|| secret_from.unwrap_or(given.len()));
                    about.clear();
                }
                Entry::Step(name) => {
                    about = name
                        .rsplit_once(": ")
                        .map_or_else(String::new, |(_, w)| w.to_owned());
                }
                Entry::Picked {
                    asker,
                    label,
                    key,
                    only,
                } => {
                    given.push(answer(label, key, "", asker, *only));
                    about.clone_from(key);
                }
                Entry::Chose {
                    asker,
                    label,
                    subject,
                    key,
                    only,
                } => {
                    let who = subject.as_deref().unwrap_or(&about);
                    given.push(answer(
                        label,
                        key,
                        if who == asker { "" } else { who },
                        asker,
                        *only,
                    ));
                }
                _ => {}
            }
        }
        for given in secret_from.map_or(&mut [][..], |from| &mut given[from..]) {
            given.secret = true;
        }
        given
    }

    fn is_same_question(&self, other: &AnswerText) -> bool {
        (&self.who, &self.asker, &self.label) == (&other.who, &other.asker, &other.label)
    }

    /// Returns who answered what, such as `red.scouts1 move c4`.
    fn text(&self) -> String {
        let who = if self.who.is_empty() {
            &self.asker
        } else {
            &self.who
        };
        format!("{who} {} {}", self.label, self.key)
    }

    /// The name of a line that begins with it where it parts from others.
    pub fn name(&self) -> String {
        let text = match self.secret {
            true => format!("{}-secret", self.mark),
            false if self.who.is_empty() => format!("{}-{}", self.mark, self.key),
            false => format!("{}-{}-{}", self.mark, self.who, self.key),
        };
        let plain = |c: char| match c {
            c if c.is_alphanumeric() || ".-_".contains(c) => c,
            _ => '-',
        };
        let name: String = text.chars().map(plain).take(LONGEST_NAME - 4).collect();
        name
    }
}

/// Returns the number of answers at the beginning that two branches have in common.
pub(super) fn common(one: &[AnswerText], other: &[AnswerText]) -> usize {
    one.iter().zip(other).take_while(|(a, b)| a == b).count()
}

/// Whether two lines began from the same position under the same seed.
fn same_beginning(one: &ScenarioFile, other: &ScenarioFile) -> bool {
    (&one.game, one.seed, &one.position) == (&other.game, other.seed, &other.position)
        && (&one.rolls, &one.throws) == (&other.rolls, &other.throws)
}

impl History {
    /// Describes where a branch differs from the present one, up to its cursor.
    pub fn divergence(&self, branch: &Branch, answers_here: &[AnswerText]) -> String {
        let (Some(there), Some(here)) = (self.start(branch.tip), self.start(self.present.cursor)) else {
            return String::new();
        };
        let (there, here) = (&there.scenario, &here.scenario);
        if there.game != here.game {
            return format!("a game of {}", there.game.value);
        }
        if !same_beginning(there, here) {
            return match there.seed == here.seed {
                true => "from another position".to_owned(),
                false => format!("under seed {}", there.seed),
            };
        }
        divergence(self.answers(branch), answers_here)
    }
}

fn divergence(there: &[AnswerText], here: &[AnswerText]) -> String {
    let at = common(there, here);
    let given = |answers: &[AnswerText]| answers.iter().filter(|s| !s.only).count();
    match (there.get(at), here.get(at)) {
        (None, None) => "the same answers".to_owned(),
        (Some(_), None) => format!("goes on by {}", counted(given(&there[at..]), "answer")),
        (None, Some(_)) => format!("ends {} before", counted(given(&here[at..]), "answer")),
        (Some(that), Some(this)) => {
            let number = given(&there[..at]) + 1;
            let place = &that.place;
            if that.secret || this.secret {
                return format!("parts at answer {number}, {place}, in secret");
            }
            let now = match that.is_same_question(this) {
                true => this.key.clone(),
                false => this.text(),
            };
            format!("parts at answer {number}, {place}: {}, here {now}", that.text())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Source;

    fn lines(text: &str) -> Vec<Line> {
        let text = format!("rulebench transcript\n+++\ngame = \"g\"\n+++\n{text}end: over\n");
        let parsed = Transcript::parse(&Source::new("text", text));
        parsed.unwrap_or_else(|p| panic!("{p}")).lines
    }

    const PLAYED: &str = "\
== setup
setup: red
red chose plan: bold move
== round 2
red activates red.a1
red chose move: c4
red chose target for blue.b1: red.a2  (only option)
turns: blue
blue chose bid: 3
";

    #[test]
    fn a_line_is_named_by_round_unit_and_answer_and_by_no_secret() {
        let answers = AnswerText::of(&lines(PLAYED), &[]);
        let names: Vec<String> = answers.iter().map(AnswerText::name).collect();
        assert_eq!(
            names,
            [
                "setup-bold-move",
                "2-red.a1",
                "2-red.a1-c4",
                "2-blue.b1-red.a2",
                "2-3"
            ]
        );
        assert_eq!(answers.iter().filter(|s| s.only).count(), 1);
        // What was chosen in secret is one no more when the phase has ended.
        let revealed = AnswerText::of(&lines(PLAYED), &["setup".to_owned()]);
        assert_eq!(revealed[0].name(), "setup-bold-move");
        let setup = &PLAYED[..PLAYED.find("== round").expect("it is there")];
        let secret = AnswerText::of(&lines(setup), &["setup".to_owned()]);
        assert_eq!(secret[0].name(), "setup-secret");
    }

    #[test]
    fn where_lines_part_is_told_as_far_as_everybody_may_know() {
        let tip = |text: &str, hidden: &[String]| AnswerText::of(&lines(text), hidden);
        let whole = tip(PLAYED, &[]);
        let other = tip(&PLAYED.replace("move: c4", "move: c5"), &[]);
        assert_eq!(
            divergence(&whole, &other),
            "parts at answer 3, round 2: red.a1 move c4, here c5"
        );
        let elsewhere = tip(&PLAYED.replace("red.a1", "red.a3"), &[]);
        assert_eq!(
            divergence(&whole, &elsewhere),
            "parts at answer 2, round 2: red activates red.a1, here red.a3"
        );
        let (beginning, _) = PLAYED.split_at(PLAYED.find("red chose move").expect("it is there"));
        let beginning = tip(beginning, &[]);
        assert_eq!(divergence(&whole, &beginning), "goes on by 2 answers");
        assert_eq!(divergence(&beginning, &whole), "ends 2 answers before");
        assert_eq!(divergence(&whole, &whole), "the same answers");
        let hidden = ["setup".to_owned()];
        let shy = PLAYED.replace("bold", "shy");
        let revealed = divergence(&tip(&shy, &hidden), &tip(PLAYED, &hidden));
        assert_eq!(
            revealed,
            "parts at answer 1, setup: red plan shy move, here bold move"
        );
        let shy = &shy[..shy.find("== round").expect("it is there")];
        for (one, other) in [(shy, PLAYED), (PLAYED, shy)] {
            let text = divergence(&tip(one, &hidden), &tip(other, &hidden));
            assert_eq!(text, "parts at answer 1, setup, in secret");
        }
    }
}
