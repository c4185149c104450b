//! The state of a page as one value, made only of what the session may show. Texts are plain; the board is a picture,
//! and beside it stands where everything on it lies, so that it can be pointed at.

use crate::kernel::choice::{OfferedOption, PickCount};
use crate::session::{Session, SessionState};
use crate::show::QuestionText;

use crate::kernel::ids::{FactionId, PlaceId, PlaceSet};
use crate::kernel::table::Question;
use crate::page::board::{EDGE, cells, clean, edge_cell, told_legend, units};
use crate::picture::drawn_plane::DrawnPlane;
use crate::picture::ink;
use crate::picture::plane::Overlay;
use crate::picture::scene::{FactionView, Scene};
use crate::picture::story::Span;
use crate::picture::svg::{self, PictureExtent};
use crate::picture::{self};
use crate::render::Marks;
use crate::rules::declare::DialRange;
use crate::visible::bare;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Maximum number of options that a page shows one by one; for more it shows their number.
const MOST_OPTIONS: usize = 400;

/// The session as a page shows it.
pub fn of(session: &mut Session) -> Value {
    let (line, given, ahead) = session.stretch();
    let line = line.map(bare);
    let branches = session.lines_kept();
    let failed = match &session.state {
        SessionState::Failed { problem, .. } => Some(problem.page(false)),
        _ => None,
    };
    let viewer = session.viewer();
    let rules = &Arc::clone(&session.play.ruleset().rules);
    let record: Vec<Value> = session.rows().iter().map(|row| json!(row)).collect();
    let name = |faction: FactionId| rules.factions[faction.index()].as_str();
    // Neither what an agent is asked nor what it sees is a person's to read.
    let thinks = session.is_for_machine();
    let thinking = session.play.with_question(|a| a.request.asker);
    let thinking = thinking.filter(|_| session.is_machine_asked());
    let (board, drawn) = board(session);
    let mut state = json!({
        "game": rules.game,
        "title": session.set_up.file.title.as_ref().map_or("", |t| t.value.as_str()),
        "scenario": session.set_up.name(),
        "seed": session.play.table().checkpoint.seed,
        "puzzle": session.set_up.file.puzzle.as_ref().map(|puzzle| puzzle.as_str()),
        "door": session.pages.door,
        "over": over(session),
        "at": session.whereabouts(),
        "stands": session.waiting_for(),
        "prompt": session.prompt().0,
        "failed": failed,
        "secret": viewer.filter(|_| !thinks).map(name),
        "thinking": thinking.map(name),
        "board": board,
        "sides": sides(session, &drawn),
        "question": if thinks { Value::Null } else { question(session) },
        "record": record,
        "line": { "name": line, "given": given, "ahead": ahead },
        "lines": branches,
        "tweaks": session.tweak_rows().unwrap_or_default(),
        "dials": dials(session),
        "expected": session.expected(),
        "prompted": session.face.completes,
        "commands": session.pages.commands,
        "changes": session.rules.files.count,
    });
    clean(&mut state);
    state
}

/// The end of a game: who has won, and by what; null before it.
fn over(session: &Session) -> Value {
    if session.state != SessionState::Over {
        return Value::Null;
    }
    let table = session.play.table();
    let outcome = table.world.outcome;
    let winner = outcome.and_then(|outcome| outcome.winner);
    json!({
        "winner": winner.map(|winner| &table.rules.factions[winner.index()]),
        "drawn": outcome.is_some() && winner.is_none(),
        "how": outcome.map_or("", |outcome| table.words.text(outcome.reason)),
    })
}

/// The board as a picture, and where its cells and units lie in it; and the sides on it.
fn board(session: &mut Session) -> (Value, Vec<FactionView>) {
    let thinks = session.is_for_machine();
    let room = session
        .play
        .with_question(offered_places)
        .filter(|_| !thinks)
        .unwrap_or_default();
    let mut scene = session.drawn(Span::Step, room.clone());
    lit(session, &mut scene);
    let (svg, size) = svg::document(&scene, PictureExtent::Board);
    let places: Vec<_> = session.play.ruleset().rules.board.places().iter().collect();
    let mut cells = cells(&scene, |cell| room.contains(places[cell]));
    let edges = session.play.with_question(offered_edges).filter(|_| !thinks);
    cells.extend(
        edges
            .into_iter()
            .flatten()
            .filter_map(|(name, [a, b])| edge_cell(&scene, &name, (a, b))),
    );
    let units = units(&scene);
    let terrains = scene.cells.iter().flat_map(|c| &c.terrain);
    let on_edges = scene.edges.iter().flat_map(|e| &e.terrain);
    let terrains: BTreeSet<usize> = terrains.chain(on_edges).copied().collect();
    let grounds = terrains.into_iter().map(|t| &scene.terrains[t]);
    let grounds: Vec<_> = grounds.map(|t| (&t.name, &t.colour)).collect();
    let value = json!({
        "svg": svg, "size": size, "edge": EDGE, "caption": scene.caption, "cells": cells, "units": units,
        "table": scene.table, "legend": told_legend(&scene), "grounds": grounds,
    });
    (value, scene.sides)
}

/// Marks the spots that the open question offers.
fn lit(session: &Session, scene: &mut Scene) {
    let hidden = session.is_for_machine();
    let region = session
        .play
        .with_question(|a| a.request.options.region().map(Arc::clone));
    if let (Some(region), Some(table), false) = (region.flatten(), &scene.table, hidden) {
        let owner = session.world().unit(region.mover()).owner;
        scene.over.push(Overlay::area(table, owner, region.as_ref()));
    }
}

/// The same board with these things pointed out on it.
pub fn pointed_out(session: &mut Session, marks: &Marks) -> String {
    let mut scene = session.drawn(
        Span::Step,
        session.play.with_question(offered_places).unwrap_or_default(),
    );
    let (rules, world) = (&session.play.ruleset().rules, session.world());
    picture::point_out(&mut scene, rules, &world, marks);
    svg::document(&scene, PictureExtent::Board).0
}

/// The places that are offered, ground or not.
fn offered_places(question: &Question<'_>) -> PlaceSet {
    let options = &question.request.options;
    let things = options.iter().take(MOST_OPTIONS).flat_map(OfferedOption::things);
    let places = things.chain(options.listed().flat_map(OfferedOption::things));
    places
        .filter_map(|thing| match thing {
            OfferedOption::Place(place) => Some(place),
            _ => None,
        })
        .collect()
}

/// The edges that are offered, by name, each with its two places.
fn offered_edges(question: &Question<'_>) -> Vec<(String, [usize; 2])> {
    let options = question.request.options.iter().take(MOST_OPTIONS);
    let edge = |thing| match thing {
        OfferedOption::Edge(edge) => {
            let board = &question.rules.board;
            Some((board.name(edge).to_owned(), board.ends(edge)?.map(PlaceId::index)))
        }
        _ => None,
    };
    options.flat_map(OfferedOption::things).filter_map(edge).collect()
}

/// The sides: their numbers, who waits, who plays them, and whether they are asked.
fn sides(session: &Session, drawn: &[FactionView]) -> Vec<Value> {
    let rules = &session.play.ruleset().rules;
    let world = session.world();
    let asker_index = session.play.with_question(|a| a.request.asker.index());
    let names: Vec<&str> = rules.factions.iter().map(String::as_str).collect();
    let colours = ink::colours(&names);
    let faction = |(index, faction): (usize, &FactionView)| {
        let waiting = world.alive() - world.on_board();
        let own = &waiting & world.owned(FactionId(index as u8));
        let reserve: Vec<String> = own.iter().map(|u| rules.unit_name(world.name(u))).collect();
        json!({
            "name": faction.name, "numbers": faction.numbers, "reserve": reserve,
            "colour": colours[index].strong, "shape": index % 4,
            "asked": asker_index == Some(index) && session.state == SessionState::Asks,
            "agent": session.plays.agent(&faction.name).map(|agent| agent.to_string()),
        })
    };
    drawn.iter().enumerate().map(faction).collect()
}

/// The open question with its options: what each is called, and what of the board it is.
fn question(session: &Session) -> Value {
    if session.state != SessionState::Asks {
        return Value::Null;
    }
    let Some(QuestionText {
        head,
        keys,
        edge,
        numbers,
        besides,
        ..
    }) = session.open_question()
    else {
        return Value::Null;
    };
    let table = DrawnPlane::of(&session.play.ruleset().rules);
    let cards = session.cards_to_introduce();
    session
        .play
        .with_question(|a| {
            let options = &a.request.options;
            let thing = |key: String, things: Vec<OfferedOption>| {
                let mut on = Vec::new();
                for thing in things {
                    match thing {
                        OfferedOption::Place(place) | OfferedOption::Edge(place) => {
                            on.push(json!({ "place": a.rules.board.name(place) }))
                        }
                        OfferedOption::Unit(unit) => {
                            on.push(json!({ "unit": a.rules.unit_name(a.world.name(unit)) }));
                        }
                        OfferedOption::Point(spot) => {
                            on.extend(table.as_ref().map(|t| json!({ "spot": t.at(spot) })))
                        }
                        _ => {}
                    }
                }
                json!({ "key": bare(&key), "on": on })
            };
            let all = options.iter().zip(&keys).enumerate().take(MOST_OPTIONS);
            let mut all: Vec<Value> = all
                .map(|(index, (option, key))| {
                    let mut one = thing(key.clone(), option.things().collect());
                    // A word of a script must not be taken for a command, nor lose letters on its way.
                    let plain = bare(key) == *key && key.trim() == key && !key.starts_with([':', '=', '/']);
                    let number = numbers.get(index);
                    one["say"] = match number.filter(|_| !plain) {
                        None => json!(key),
                        Some(number) => json!(number.to_string()),
                    };
                    one["number"] = json!(number);
                    one
                })
                .collect();
            all.sort_by_key(|one| one["number"].as_u64());
            let takes = options.takes().map(|takes| {
                let each = options.list().iter().zip(options.times());
                let each = each.map(|(one, times)| {
                    let mut thing = thing(a.key(*one), one.things().collect());
                    thing["times"] = json!(times);
                    thing
                });
                let (least, most, order) = match takes {
                    PickCount::Some(least, most) => (least, most, false),
                    PickCount::Order => (options.times().iter().sum(), options.times().iter().sum(), true),
                };
                json!({ "things": each.collect::<Vec<_>>(), "least": least, "most": most, "order": order })
            });
            json!({
                "head": bare(&head), "asker": a.rules.factions[a.request.asker.index()],
                "label": a.label(), "options": all, "count": keys.len(),
                "takes": takes, "edge": edge,
                // Whose spots they are.
                "region": options.region().map(|region| a.rules.unit_name(a.world.name(region.mover()))),
                "besides": besides, "cards": cards,
            })
        })
        .unwrap_or_default()
}

fn dials(session: &Session) -> Vec<Value> {
    let dial = |dial: &crate::rules::declare::Dial| {
        let (least, most, words) = match &dial.range {
            DialRange::Number(least, most) => (Some(least), Some(most), None),
            DialRange::Words(words) => (None, None, Some(words)),
        };
        json!({
            "name": dial.name, "value": dial.value.to_string(), "usual": dial.default.to_string(),
            "least": least, "most": most, "words": words,
        })
    };
    session.play.ruleset().dials.iter().map(dial).collect()
}
