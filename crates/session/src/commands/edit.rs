//! Changing the game on the table by hand: units and slots, dice that are forced, another seed. Reads
//! what is typed and tells what came of it; what can be changed, and how a play goes on from it, others
//! know ([`crate::stage::edit`], [`Play::go_on_from`](crate::play::Play::go_on_from)).

use crate::arguments::Args;
use crate::change_text::add_cost;
use crate::description::Spanned;
use crate::description::change::{self, Change};
use crate::kernel::event::Event;
use crate::output::{Output, OutputPiece};
use crate::problems;
use crate::report::{Problem, Problems, Source, did_you_mean};
use crate::reports::{Report, ReportTable};
use crate::rules::rolls::{self, Roll, rolls};
use crate::session::{Session, SessionState};
use crate::show::marked;
use crate::stage::edit;
use std::collections::BTreeSet;
use std::sync::Arc;

impl Session {
    /// Makes the changes that are written, with `;` between them: all or none.
    ///
    /// # Errors
    ///
    /// What cannot be read or done, at its place in the line; nothing is changed then.
    pub fn edit(&mut self, args: &str) -> Result<Output, Problems> {
        // Blanks around a `=` are none of the changes'.
        let args = &args.split('=').map(str::trim).collect::<Vec<_>>().join("=");
        let parts: Vec<&str> = args.split(';').map(str::trim).filter(|p| !p.is_empty()).collect();
        if parts.is_empty() {
            return Err(nothing_said().into());
        }
        let dials: Vec<&str> = parts.iter().filter_map(|p| p.strip_prefix("set ")).collect();
        if !dials.is_empty() {
            if dials.len() < parts.len() {
                return Err(problems::dial_in_edit().into());
            }
            return self.edit_dials(&dials);
        }
        let source = Source::new("input", args);
        let edits = change::parse(&source, ';')?;
        self.by_hand(&source, &edits, "")
    }

    fn edit_dials(&mut self, dials: &[&str]) -> Result<Output, Problems> {
        let pairs = dials.iter().map(|text| text.split_once('='));
        let pairs = pairs.map(|pair| pair.map(|(dial, value)| (dial.trim(), value.trim())));
        let pairs: Option<Vec<(&str, &str)>> = pairs.collect();
        let pairs = pairs
            .ok_or_else(|| problems::missing_argument("`set DIAL=VALUE`").hint("`:dials` lists the dials"))?;
        self.turn(&pairs)
    }

    /// Plays on with other dice, from the open step.
    ///
    /// # Errors
    ///
    /// A seed that is in force already, and a game that is over.
    pub fn play_on_with(&mut self, seed: Option<u64>) -> Result<Output, Problems> {
        let now = self.seed();
        let seed = seed.unwrap_or_else(|| now.wrapping_add(1));
        if seed == now {
            return Err(problems::same_seed(seed).into());
        }
        let source = Source::new("input", "");
        self.by_hand(&source, &[Change::Seed(seed)], "")
    }

    /// The seed of the dice now.
    pub fn seed(&self) -> u64 {
        self.play.table().checkpoint.seed
    }

    /// Forces the next roll of a label, or lists what is forced and can be.
    ///
    /// # Errors
    ///
    /// A label that no roll has, dice that it cannot show.
    pub(crate) fn force(&mut self, args: &Args<'_>) -> Result<Output, Problems> {
        let rolls = rolls(self.play.ruleset());
        let Some(label) = args.get("LABEL") else {
            self.check_open()
                .map_err(|secret| secret.hint("`:force LABEL N...` still sets a roll"))?;
            return Ok(self.forced(&rolls).into());
        };
        let known = self.roll_labels(&rolls);
        let label = label.trim_end_matches(':');
        let dice = args.text("DICE").trim_start_matches([':', ' ']);
        if dice.is_empty() {
            let hint = match did_you_mean(label, known.iter().map(String::as_str)) {
                Some(near) if near != label => format!("did you mean `{near}`? Its dice follow"),
                _ => format!("write `:force {label} 6`, with a number for each die"),
            };
            let labels: Vec<&str> = known.iter().map(String::as_str).collect();
            let hint = match labels[..] {
                [] => "no roll of this game is known so far".to_owned(),
                _ => format!("{hint}. The rolls of this game: {}", labels.join(", ")),
            };
            return Err(problems::missing_argument("the label of a roll and its dice")
                .hint(hint)
                .into());
        }
        let source = Source::new("input", args.typed);
        let start = args.typed.len() - dice.len();
        let label = Spanned::new(label.to_owned(), 0..label.len());
        let dice = Spanned::new(dice, start..args.typed.len());
        let edit = change::force(&source, label.clone(), dice)?;
        let Change::Force { dice, .. } = &edit else {
            return Ok(Output::default());
        };
        if !dice.is_empty() {
            check_roll(&source, &rolls, &known, &label, dice, start)?;
        }
        let waiting = |s: &Self| {
            let table = s.play.table();
            let labels = table.chance.forced().iter().map(|f| table.words.text(f.label));
            labels.filter(|waits| *waits == label.value).count()
        };
        let before = waiting(self);
        let used = format!("`{label}` has been rolled in the open step, which is run again with it");
        let mut reply = self.by_hand(&source, std::slice::from_ref(&edit), &used)?;
        if dice.is_empty() || waiting(self) > before || self.is_secret() {
            // Nothing took it yet: that the step was run again is nothing to tell.
            reply.pieces.retain(|p| *p != OutputPiece::Text(used.clone()));
        }
        if !known.contains(&label.value) && !dice.is_empty() {
            reply.add(format!("no roll of `{label}` is known so far; it waits for one"));
        }
        Ok(reply)
    }

    /// Lists the forced rolls, and the rolls of the game.
    fn forced(&self, rolls: &[Roll]) -> Report {
        let table_now = self.play.table();
        let mut page = Report::lines(edit::next_rolls(&table_now.words, table_now.chance.forced()));
        if page.is_empty() {
            page.put("no dice are forced");
        }
        let some = |n: Option<i64>| n.map_or_else(|| "some".to_owned(), |n| n.to_string());
        let mut rows: Vec<Vec<String>> = rolls
            .iter()
            .filter_map(|roll| {
                let dice = match roll.dice {
                    Some(1) => "1 die".to_owned(),
                    n => format!("{} dice", some(n)),
                };
                let sides = format!("with {} sides", some(roll.sides));
                Some(vec![format!("  {}", roll.label.as_ref()?), dice, sides])
            })
            .collect();
        for label in self.roll_labels(rolls) {
            if !rolls.iter().any(|r| r.label.as_ref() == Some(&label)) {
                rows.push(vec![format!("  {label}")]);
            }
        }
        if !rows.is_empty() {
            page.below("rolls of this game:");
            page.below(ReportTable::plain(rows));
        }
        page
    }

    /// Makes changes and tells what came of them; `ran` is said where the open step tells otherwise now.
    fn by_hand(&mut self, source: &Arc<Source>, edits: &[Change], ran: &str) -> Result<Output, Problems> {
        let question = self.question();
        let mark = self.play.table().step_mark();
        let before = self.play.events();
        let viewer = self.viewer();
        let made = edit::make(&mut self.play, source, edits, viewer);
        let done = match made {
            Ok(done) => done,
            Err(problems) => {
                // The rules may have been asked what would follow.
                if self.state == SessionState::Asks && !self.play.is_asking() {
                    self.settle();
                }
                return Err(problems);
            }
        };
        self.history.play_on();
        let mut reply = Output::from(Report::of(marked(
            &self.play.ruleset().rules,
            done.changes.join("\n"),
            0,
        )));
        if !ran.is_empty() {
            reply.add(ran);
        }
        add_cost(&mut reply, &done.cost);
        self.settle();
        let now = self.play.events();
        let of_step = |events: &[Event]| events.get(mark..).unwrap_or_default().to_vec();
        let (was, is) = (of_step(&before), of_step(&now));
        let same = was.iter().zip(&is).take_while(|(a, b)| a == b).count();
        // What the step tells otherwise now is news.
        self.shown.forget_from(mark + same);
        if self.state != SessionState::Asks || was != is || self.question() != question {
            self.show_events(&mut reply);
        }
        Ok(reply)
    }
}

/// Returns the error for a missing change.
pub(crate) fn nothing_said() -> Problem {
    problems::missing_argument("a change")
        .hint("such as `:edit move red.scouts1 c5` or `:edit red.scouts1 life=2`; `:help edit` says more")
}

/// Checks a forced roll as far as the scripts say what can be rolled.
fn check_roll(
    source: &Arc<Source>,
    rolls: &[Roll],
    known: &BTreeSet<String>,
    label: &Spanned<String>,
    dice: &[i64],
    dice_at: usize,
) -> Result<(), Problem> {
    rolls::label_refused("roll", rolls, known, label)
        .map_or(Ok(()), |why| Err(why.at(source, label.span.clone())))?;
    rolls::dice_refused(rolls, label, dice).map_or(Ok(()), |why| {
        Err(problems::wrong_dice(why).at(source, dice_at..source.text.len()))
    })
}
