//! `rulebench run`: plays scenarios and transcripts and prints what happened, as a transcript or as JSON.

use super::arguments::RunArgs;
use super::{BAD_INPUT, FAILED, OK, complain, print_data, print_error, print_json, wants_colour};
use crate::event_text::{self, place_of, slot_of, slot_value, step_name};
use crate::kernel::choice::Answer;
use crate::kernel::event::Event;
use crate::kernel::event::data::EventPart;
use crate::kernel::ids::Cause;
use crate::kernel::rules::SlotKind;
use crate::kernel::table::Table;
use crate::play::Play;
use crate::report::Problems;
use crate::rules::workspace::Workspace;
use crate::stage::run::{self, PlayedScenario};
use crate::suite;
use serde_json::{Value, json};
use std::io::IsTerminal;

/// Plays each and prints what happened; the exit status.
///
/// # Errors
///
/// Scenarios that are not there.
pub(super) fn run(workspace: &Workspace, args: RunArgs) -> Result<u8, Problems> {
    let (json, overrides) = (args.json, args.changes.overrides()?);
    let mut status = OK;
    let mut reports = Vec::new();
    let colour = wants_colour(std::io::stderr().is_terminal());
    for path in suite::find(workspace, &args.scenarios)? {
        let ran = suite::open(workspace, &path).and_then(|opened| match json {
            true => run::run_with_offers(workspace, &opened, &overrides),
            false => run::run(workspace, &opened, &overrides),
        });
        match ran {
            Ok(ran) => {
                if json {
                    reports.push(report(&path, &ran));
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
                    reports.push(json!({ "scenario": path, "problems": problems.0 }));
                } else {
                    complain(&problems);
                }
                status = BAD_INPUT;
            }
        }
    }
    if json {
        print_json(&reports);
    }
    Ok(status)
}

fn report(path: &str, ran: &PlayedScenario) -> Value {
    let events = events(&ran.play);
    let decisions: Vec<&Value> = events.iter().filter(|e| e["event"] == "choice").collect();
    let asks = ran.play.with_question(|question| {
        let step = question.request.step;
        json!({
            "step": step_name(question.rules, step),
            "at": place_of(question.rules, step),
            "asker": question.rules.factions[question.request.asker.index()],
            "label": question.label(),
            "offered": question.keys(),
        })
    });
    let lines = ran.transcript().lines;
    json!({
        "scenario": path,
        "end": ran.end(),
        "asks": asks,
        "decisions": decisions,
        "events": events,
        "printed": ran.play.table().printed,
        "lines": lines.iter().map(crate::transcript::Line::text).collect::<Vec<_>>(),
        "problems": ran.problems,
        "unmet": ran.unmet,
    })
}

/// Everything that happened, each as an object: what kind of event it is, its parts, and its line.
fn events(play: &Play) -> Vec<Value> {
    let table = play.table();
    let events = table.events.iter().enumerate();
    let events = events.map(|(index, event)| {
        let mut object = parts(table, index, event);
        object["line"] = crate::event_text::line(event, &table.rules, &table.words).into();
        object
    });
    events.collect()
}

fn parts(table: &Table, index: usize, event: &Event) -> Value {
    let (rules, words) = (&table.rules, &table.words);
    let unit = |name| rules.unit_name(name);
    let mut object = match event {
        Event::Phase { phase, iteration } => json!({
            "phase": rules.phases[*phase as usize].name,
            "number": Some(iteration).filter(|n| **n > 0),
        }),
        Event::Step(step) => json!({
            "step": step_name(rules, *step), "at": place_of(rules, *step),
        }),
        Event::Chose(answer) => choice(table, index, answer),
        Event::Threw {
            unit: name,
            label,
            record,
        } => {
            let landing = &record.landing;
            let touches = landing.touches.iter().map(|touch| {
                json!({
                    "what": touch.what.map_or("board".to_owned(), unit),
                    "at": touch.at.to_string(), "ms": touch.ms,
                })
            });
            json!({
                "unit": unit(*name), "label": words.text(*label),
                "touches": touches.collect::<Vec<_>>(),
                "left": landing.left.iter().map(|name| unit(*name)).collect::<Vec<_>>(),
                "settled": landing.settled, "ms": landing.ms,
            })
        }
        Event::Lay {
            unit: name,
            from,
            to,
            cause,
        } => caused(
            table,
            json!({
                "unit": unit(*name),
                "from": event_text::pose(rules, name.kind, *from),
                "to": event_text::pose(rules, name.kind, Some(*to)), "pose": to.to_string(),
            }),
            cause,
        ),
        Event::Changed {
            who,
            slot,
            from,
            to,
            cause,
        } => {
            let (owner, slot) = slot_of(rules, *who, *slot);
            let value = |held: i64| match slot.kind {
                SlotKind::Number => Value::from(held),
                SlotKind::Flag => (held != 0).into(),
                kind => slot_value(rules, kind, held).into(),
            };
            caused(
                table,
                json!({
                    "who": owner, "slot": slot.name,
                    "from": value(*from), "to": value(*to),
                }),
                cause,
            )
        }
        Event::Finished { outcome, by } => caused(
            table,
            json!({
                "contest": words.text(outcome.contest),
                "winner": outcome.winner.map(|f| rules.factions[f.index()].as_str()),
            }),
            &Cause {
                word: Some(outcome.reason),
                by: *by,
            },
        ),
        Event::Told { .. } => json!({}),
        _ => plain(table, event),
    };
    object["event"] = event.kind().into();
    object
}

/// The parts of an event that say by themselves what they are about.
fn plain(table: &Table, event: &Event) -> Value {
    let (rules, words) = (&table.rules, &table.words);
    let mut object = json!({});
    for (name, part) in event.parts() {
        object[name] = match part {
            EventPart::Unit(unit) => rules.unit_name(unit).into(),
            EventPart::Spot(spot) => spot.map(|s| s.name(rules)).into(),
            EventPart::Who(who) => rules.who(who).into(),
            EventPart::Word(word) => words.text(word).into(),
            EventPart::Place(place) => rules.board.name(place).into(),
            EventPart::Terrain(terrain) => rules.terrains[terrain.index()].name.as_str().into(),
            EventPart::Faction(faction) => rules.factions[faction.index()].as_str().into(),
            EventPart::Dice(dice) => dice.values().collect::<Vec<_>>().into(),
            EventPart::Outline(Some(outline)) => outline.to_string().into(),
            EventPart::Cause(cause) => {
                object = caused(table, object, cause);
                continue;
            }
            EventPart::Outline(None) | EventPart::Other => continue,
        };
    }
    object
}

/// With why it happened, and by whom.
fn caused(table: &Table, mut object: Value, cause: &Cause) -> Value {
    object["why"] = cause.word.map(|w| table.words.text(w)).into();
    object["by"] = Some(table.rules.who(cause.by)).filter(|by| !by.is_empty()).into();
    object
}

fn choice(table: &Table, index: usize, answer: &Answer) -> Value {
    let rules = &table.rules;
    let mut offers = table.offers.iter().flatten();
    let option_keys = offers.find(|(at, _)| *at == index).map(|(_, keys)| keys);
    json!({
        "step": step_name(rules, answer.step),
        "at": place_of(rules, answer.step),
        "asker": rules.factions[answer.asker.index()],
        "about": Some(rules.who(answer.subject)).filter(|about| !about.is_empty()),
        "label": table.words.text(answer.label),
        "offered": option_keys,
        "chosen": answer.chosen.key(rules, &table.words),
        "only_option": answer.only,
    })
}
