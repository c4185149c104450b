//! Horizon of the odds: the point in the game up to which they look.

use super::problems::phase_without_number;
use crate::event_text::step_name;
use crate::kernel::event::Event;
use crate::kernel::phase::PhaseBody;
use crate::kernel::rules::Rules;
use crate::kernel::schedule::{Cursor, NextStep};
use crate::kernel::table::{Position, Table};
use crate::report::Problem;
use crate::stage::moment::{self, PhaseMoment};

/// Point in the game at which the explored part ends. A contest that ends before that, and the end of the game, end it
/// too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Horizon {
    /// With the step; a pick and the activation that follows are one, and so are a step and the phase
    /// declared `whole` that begins with its end.
    Step,
    /// When a phase has ended or begins again; with a number, only that time of a repeating one.
    End(u8, Option<u16>),
    /// Before a phase begins; with a number, as above.
    Begin(u8, Option<u16>),
}

impl Horizon {
    /// Returns the default horizon of a position: the end of the innermost phase declared `whole`, or of the
    /// simultaneous phase, in which nothing happens before its end; else the end of the step.
    pub fn of(rules: &Rules, position: &Position) -> Self {
        let cursor = &position.cursor;
        let kind = |is: fn(&crate::kernel::phase::Phase) -> bool| {
            cursor.innermost(|p| rules.phases.get(p as usize).is_some_and(is))
        };
        match (kind(|p| p.whole), kind(|p| p.simultaneous)) {
            (Some(phase), _) | (None, Some(phase)) => Horizon::End(phase, None),
            (None, None) => Horizon::Step,
        }
    }

    /// Reads `PHASE`, `end of PHASE` or `step`, with a number behind a repeating phase.
    ///
    /// # Errors
    ///
    /// A phase that the game does not have; a number behind one that does not repeat.
    pub fn parse(text: &str, rules: &Rules) -> Result<Self, Problem> {
        if text == "step" && moment::phase_called(rules, text).is_none() {
            return Ok(Horizon::Step);
        }
        let wrong = |problem: Problem| problem.expected("expected `step`, or a phase, or `end of` a phase");
        let moment = PhaseMoment::parse(text, rules).map_err(wrong)?;
        let PhaseMoment { ends, phase, number } = moment;
        if number.is_some() && !rules.phases[phase as usize].repeat {
            let text = text.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
            return Err(phase_without_number(&rules.phases[phase as usize].name, text));
        }
        let number = moment.counted(rules)?;
        Ok(if ends {
            Horizon::End(phase, number)
        } else {
            Horizon::Begin(phase, number)
        })
    }

    /// Whether it is reached, now that the next step is found: `was` is where the last step stood,
    /// `events` how many there were when it was over.
    pub(super) fn reached(&self, was: &Cursor, table: &Table, events: usize, picked: bool) -> bool {
        let now = &table.checkpoint.cursor;
        let began = |wanted: u8, number: Option<u16>| {
            let new = table.events.get(events..).unwrap_or_default();
            new.iter().any(|event| match event {
                Event::Phase { phase, iteration } => {
                    *phase == wanted && number.is_none_or(|n| n == *iteration)
                }
                _ => false,
            })
        };
        match self {
            Horizon::Step => {
                let whole = |cursor: &Cursor| cursor.innermost(|p| table.rules.phases[p as usize].whole);
                match (whole(was), whole(now)) {
                    (Some(phase), _) => was.has_left(phase, now),
                    (None, Some(_)) => false,
                    // What interrupts it belongs to it.
                    (None, None) => {
                        let interrupts = table.checkpoint.cursor.set_off(&table.rules).is_some();
                        !interrupts
                            && (!picked
                                || !matches!(
                                    table.checkpoint.next,
                                    NextStep::Pick { .. } | NextStep::Step { .. }
                                ))
                    }
                }
            }
            Horizon::Begin(phase, number) => began(*phase, *number),
            Horizon::End(phase, number) => {
                let counted = number.is_none_or(|n| {
                    let name = &table.rules.phases[*phase as usize].name;
                    was.iteration(&table.rules, name) == Some(n)
                });
                let passed_through = || began(*phase, *number) && !now.phases().any(|p| p == *phase);
                counted && was.has_left(*phase, now) || passed_through()
            }
        }
    }

    /// In words, behind "to": `the end of the step`.
    pub fn words(&self, rules: &Rules, root: &Position) -> String {
        let of = |phase: u8, number: Option<u16>| {
            let phase = &rules.phases[phase as usize];
            let number =
                number.or_else(|| root.cursor.iteration(rules, &phase.name).filter(|_| phase.repeat));
            match number {
                Some(number) => format!("{} {number}", phase.name),
                None => format!("the phase `{}`", phase.name),
            }
        };
        match self {
            Horizon::Step => {
                let turn = matches!(
                    rules.phases[root.step.phase as usize].work,
                    PhaseBody::Turn { .. }
                );
                let step = if turn && root.step.pick > 0 {
                    "the activation".to_owned()
                } else {
                    format!("the step `{}`", step_name(rules, root.step))
                };
                let wholes = rules.phases.iter().filter(|p| p.whole);
                let wholes: Vec<String> = wholes.map(|p| format!("`{}`", p.name)).collect();
                match wholes.is_empty() {
                    true => format!("the end of {step}"),
                    false => format!("the end of {step}, or of the {} it leads to", wholes.join(" or ")),
                }
            }
            Horizon::End(phase, number) => format!("the end of {}", of(*phase, *number)),
            Horizon::Begin(phase, Some(number)) => {
                format!("the beginning of {} {number}", rules.phases[*phase as usize].name)
            }
            Horizon::Begin(phase, None) => {
                format!("the next beginning of `{}`", rules.phases[*phase as usize].name)
            }
        }
    }
}
