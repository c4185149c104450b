//! `rulebench run`: plays scenarios and transcripts and prints what happened, as a transcript or as JSON.

use super::arguments::RunArgs;
use super::{BAD_INPUT, FAILED, OK, complain, print_data, print_error, show_report, wants_colour};
use crate::event_text::{self, place_of, slot_of, slot_value, step_name};
use crate::kernel::choice::Answer;
use crate::kernel::event::Event;
use crate::kernel::event::data::EventPart;
use crate::kernel::ids::{Cause, UnitName};
use crate::kernel::rules::SlotKind;
use crate::kernel::table::Table;
use crate::play::Play;
use crate::report::Problems;
use crate::reports::{Cell, Facts, Report, facts};
use crate::rules::workspace::Workspace;
use crate::stage::run::{self, PlayedScenario};
use crate::suite;
use std::io::IsTerminal;

/// Plays each and prints what happened; the exit status.
///
/// # Errors
///
/// Scenarios that are not there.
pub(super) fn run(workspace: &Workspace, args: RunArgs) -> Result<u8, Problems> {
    let (json, overrides) = (args.json, args.changes.overrides()?);
    let mut status = OK;
    let mut all = Report::default().with("scenarios", Cell::List(Vec::new()));
    let colour = wants_colour(std::io::stderr().is_terminal());
    for path in suite::find(workspace, &args.scenarios)? {
        let ran = suite::open(workspace, &path).and_then(|opened| match json {
            true => run::run_with_offers(workspace, &opened, &overrides),
            false => run::run(workspace, &opened, &overrides),
        });
        match ran {
            Ok(ran) => {
                if json {
                    all.entry("scenarios", report(&path, &ran).into());
                } else {
                    let transcript = ran.transcript();
                    let text = match args.boards {
                        true => crate::render::transcript::with_boards(&ran.play, &transcript),
                        false => transcript.print(),
                    };
                    print_data(text.trim_end());
                    for line in &ran.play.table().printed {
                        print_error(&format!("printed: {line}"));
                    }
                    let problems: Vec<_> = ran.problems.iter().chain(&ran.unmet).cloned().collect();
                    if !problems.is_empty() {
                        print_error(&Problems(problems).page(colour));
                    }
                }
                if !ran.problems.is_empty() {
                    status = BAD_INPUT;
                } else if !ran.unmet.is_empty() {
                    status = status.max(FAILED);
                }
            }
            Err(problems) => {
                if json {
                    all.entry("scenarios", facts! { scenario: path, problems: problems }.into());
                } else {
                    complain(&problems);
                }
                status = BAD_INPUT;
            }
        }
    }
    show_report(workspace.work(), json, all, true);
    Ok(status)
}

fn report(path: &str, ran: &PlayedScenario) -> Facts {
    let question = ran.play.with_question(|question| {
        let step = question.request.step;
        facts! {
            step: step_name(question.rules, step), moment: place_of(question.rules, step),
            faction: &question.rules.factions[question.request.asker.index()], label: question.label(),
            options: question.keys(),
        }
    });
    let lines = ran.transcript().lines;
    facts! {
        scenario: path, end: ran.end(), question: question, events: events(&ran.play),
        printed: &ran.play.table().printed, transcript: Cell::list(lines.iter().map(crate::transcript::Line::text)),
        problems: &ran.problems, unmet: &ran.unmet,
    }
}

/// Returns the facts of all events: the kind of event, its parts, and its line.
fn events(play: &Play) -> Cell {
    let table = play.table();
    Cell::list(table.events.iter().enumerate().map(|(index, event)| {
        let mut facts = facts! { event: event.kind() };
        facts.append(parts(table, index, event));
        facts.put("text", event_text::line(event, &table.rules, &table.words));
        facts
    }))
}

fn parts(table: &Table, index: usize, event: &Event) -> Facts {
    let (rules, words) = (&table.rules, &table.words);
    let unit = |name| rules.unit_name(name);
    match event {
        Event::Phase { phase, iteration } => facts! {
            phase: &rules.phases[*phase as usize].name, number: Some(*iteration).filter(|n| *n > 0),
        },
        Event::Step(step) => facts! { step: step_name(rules, *step), moment: place_of(rules, *step) },
        Event::Chose(answer) => choice(table, index, answer),
        Event::Threw {
            unit: name,
            label,
            record,
        } => {
            let landing = &record.landing;
            let touches = landing.touches.iter().map(|touch| {
                let what = touch.what.map_or("board".to_owned(), unit);
                facts! { what: what, at: touch.at.to_string(), milliseconds: touch.ms }
            });
            facts! {
                unit: unit(*name), label: words.text(*label), touches: Cell::list(touches),
                left: Cell::list(landing.left.iter().map(|name| unit(*name))), settled: landing.settled,
                milliseconds: landing.ms,
            }
        }
        Event::Lay {
            unit: name,
            from,
            to,
            cause,
        } => {
            let mut facts = facts! {
                unit: unit(*name), from: event_text::pose(rules, name.kind, *from),
                to: event_text::pose(rules, name.kind, Some(*to)), pose: to.to_string(),
            };
            facts.append(caused(table, cause));
            facts
        }
        Event::Changed {
            who,
            slot,
            from,
            to,
            cause,
        } => {
            let (owner, slot) = slot_of(rules, *who, *slot);
            let value = |held: i64| match slot.kind {
                SlotKind::Number => Cell::from(held),
                SlotKind::Flag => (held != 0).into(),
                kind => slot_value(rules, kind, held).into(),
            };
            let mut facts = facts! { who: owner, slot: &slot.name, from: value(*from), to: value(*to) };
            facts.append(caused(table, cause));
            facts
        }
        Event::Inserted { item, cause } | Event::Taken { item, cause } => {
            let (owner, slot) = slot_of(rules, item.who, item.slot);
            let unit = |unit| Some(UnitName::from_stored(unit));
            let items = slot.kind.items();
            let told = items.map(|items| event_text::spelled_item(rules, items, item.item, unit));
            let mut facts = facts! { who: owner, slot: &slot.name, item: told };
            facts.append(caused(table, cause));
            facts
        }
        Event::Finished { outcome, by } => {
            let mut facts = facts! {
                contest: words.text(outcome.contest),
                winner: outcome.winner.map(|f| &rules.factions[f.index()]),
            };
            facts.append(caused(
                table,
                &Cause {
                    word: Some(outcome.reason),
                    by: *by,
                },
            ));
            facts
        }
        Event::Told { .. } => Facts::default(),
        _ => plain(table, event),
    }
}

/// The parts of an event that say by themselves what they are about.
fn plain(table: &Table, event: &Event) -> Facts {
    let (rules, words) = (&table.rules, &table.words);
    let mut facts = Facts::default();
    for (name, part) in event.parts() {
        let cell: Cell = match part {
            EventPart::Unit(unit) => rules.unit_name(unit).into(),
            EventPart::Spot(spot) => spot.map(|s| s.name(rules)).into(),
            EventPart::Who(who) => rules.who(who).into(),
            EventPart::Word(word) => words.text(word).into(),
            EventPart::Place(place) => rules.board.name(place).into(),
            EventPart::Terrain(terrain) => rules.terrains[terrain.index()].name.as_str().into(),
            EventPart::Faction(faction) => rules.factions[faction.index()].as_str().into(),
            EventPart::Dice(dice) => Cell::list(dice.values()),
            EventPart::Outline(Some(outline)) => outline.to_string().into(),
            EventPart::Cause(cause) => {
                facts.append(caused(table, cause));
                continue;
            }
            EventPart::Outline(None) | EventPart::Other => continue,
        };
        facts.put(name, cell);
    }
    facts
}

/// Returns why an event happened, and by whom.
fn caused(table: &Table, cause: &Cause) -> Facts {
    facts! {
        cause: cause.word.map(|w| table.words.text(w)),
        by: Some(table.rules.who(cause.by)).filter(|by| !by.is_empty()),
    }
}

fn choice(table: &Table, index: usize, answer: &Answer) -> Facts {
    let rules = &table.rules;
    let mut offers = table.offers.iter().flatten();
    let option_keys = offers.find(|(at, _)| *at == index).map(|(_, keys)| keys);
    facts! {
        step: step_name(rules, answer.step), moment: place_of(rules, answer.step),
        faction: &rules.factions[answer.asker.index()],
        subject: Some(rules.who(answer.subject)).filter(|subject| !subject.is_empty()),
        label: table.words.text(answer.label), options: option_keys,
        answer: answer.chosen.key(rules, &table.words), only_option: answer.only,
    }
}
