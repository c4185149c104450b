//! Odds as text of at most 80 columns, and as JSON.

use super::chances::{Fraction, per_cent};
use super::grid::{Cell, Grid};
use super::{Choice, Odds, Sampled, Spread};
use crate::pages::lines::{self, Right, counted};
use serde_json::{Value, json};

/// The most columns of a page.
const WIDTH: usize = 80;
/// A fraction that is longer is left to JSON.
const LONG: usize = 21;

/// One side of a comparison: what it is called, such as `as it is`, `with max_rounds=8`, and its odds.
pub type Side<O = Odds> = (String, O);

/// All that is told of odds, below a line that says of what and to where, up to the horizon.
pub fn told(head: &str, sides: &[Side]) -> String {
    let to = sides.first().map_or("", |(_, odds)| &odds.horizon);
    let text = format!("{head}to {to}\n{}{}", page(sides), work(sides));
    text.trim_end().to_owned()
}

/// The same of what was sampled.
pub fn told_of_samples(head: &str, sides: &[Side<Sampled>]) -> String {
    let to = sides.first().map_or("", |(_, side)| &side.horizon);
    let mut text = format!("{head}to {to}\n");
    for (name, side) in sides {
        if sides.len() > 1 {
            text += &format!("{name}\n");
        }
        text += &sampled(side);
    }
    text.trim_end().to_owned()
}

/// Odds of one or several sides, next to each other.
pub fn page(sides: &[Side]) -> String {
    let mut text = String::new();
    if let [(_, odds)] = sides
        && odds.spread.mean.is_some()
        && odds.choice.is_none()
    {
        text += &numbers(&odds.spread);
    } else if sides.iter().all(|(_, odds)| odds.choice.is_none()) || sides.len() > 1 {
        text += &beside(sides);
    }
    for (name, odds) in sides {
        let Some(choice) = &odds.choice else { continue };
        if !text.is_empty() {
            text += "\n";
        }
        if sides.len() > 1 {
            text += &format!("{name}: ");
        }
        text += &options(choice);
    }
    text
}

/// How much was looked at, in one line for each side.
pub fn work(sides: &[Side]) -> String {
    let line = |(name, odds): &Side| {
        let work = odds.work;
        let name = if sides.len() > 1 {
            format!("{name}: ")
        } else {
            String::new()
        };
        let choices = match work.choices {
            0 => "no choices".to_owned(),
            n => format!("{} by `{}`", counted(n as usize, "choice"), odds.policy.name()),
        };
        let bounds = match odds.stopped {
            true => format!(
                "{name}stopped: each chance is at least what is said, and more by a part of what is not looked at\n"
            ),
            false => String::new(),
        };
        let exact = match (odds.stopped, work.proposed) {
            (true, _) => "so far",
            (false, true) => {
                "exact for the spots and numbers that are proposed, of more that could be answered"
            }
            (false, false) => "exact",
        };
        format!(
            "{bounds}{name}{exact}: {}, {}, {choices}\n",
            counted(work.positions, "position"),
            counted(work.runs as usize, "run")
        )
    };
    sides.iter().map(line).collect()
}

fn fraction(fraction: &Fraction) -> String {
    let text = fraction.to_string();
    if text.len() > LONG { "...".to_owned() } else { text }
}

fn cell(chance: &Fraction) -> [String; 2] {
    [fraction(chance), chance.per_cent()]
}

/// Rows as columns that stand below each other, a little to the right.
fn aligned(mut rows: Vec<Vec<String>>) -> String {
    rows.iter_mut()
        .flat_map(|row| row.first_mut())
        .for_each(|cell| cell.insert_str(0, "  "));
    lines::aligned(&rows, Right::Rest) + if rows.is_empty() { "" } else { "\n" }
}

/// A spread of numbers, with what adds up.
fn numbers(spread: &Spread) -> String {
    let head = ["", "exactly", "", "at least", "at most"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for (at, outcome) in spread.outcomes.iter().enumerate() {
        let [exactly, share] = cell(&outcome.chance);
        let least = sum(&spread.outcomes[at..]);
        let most = sum(&spread.outcomes[..=at]);
        rows.push(vec![
            outcome.text.clone(),
            exactly,
            share,
            least.per_cent(),
            most.per_cent(),
        ]);
    }
    aligned(rows) + moments(spread).as_str()
}

fn sum(outcomes: &[super::Possibility]) -> Fraction {
    let none = Fraction::new(&super::Whole::ZERO, &super::Whole::ONE);
    outcomes
        .iter()
        .fold(none, |sum, outcome| sum.plus(&outcome.chance))
}

fn moments(spread: &Spread) -> String {
    spread
        .mean
        .as_ref()
        .map_or_else(String::new, |(mean, deviation)| {
            format!("  mean {}, standard deviation {deviation:.4}\n", about(mean))
        })
}

/// A fraction with what it is about, where it is not whole.
fn about(fraction: &Fraction) -> String {
    if fraction.below == super::Whole::ONE {
        return fraction.to_string();
    }
    match self::fraction(fraction).as_str() {
        "..." => format!("{:.4}", fraction.approximate()),
        text => format!("{text} ({:.4})", fraction.approximate()),
    }
}

/// All outcomes of all sides: numbers in their order, else likeliest first by the first side.
fn texts(sides: &[&Spread]) -> Vec<String> {
    let all = sides.iter().flat_map(|s| &s.outcomes);
    let mut found: Vec<(Option<i64>, &str)> = Vec::new();
    for outcome in all {
        if !found.iter().any(|(_, text)| *text == outcome.text) {
            found.push((outcome.number, &outcome.text));
        }
    }
    if found.iter().all(|(number, _)| number.is_some()) {
        found.sort();
    }
    found.into_iter().map(|(_, text)| text.to_owned()).collect()
}

fn chance_of<'s>(spread: &'s Spread, text: &str) -> Option<&'s Fraction> {
    let found = spread.outcomes.iter().find(|o| o.text == text);
    found.map(|o| &o.chance)
}

fn beside(sides: &[Side]) -> String {
    let spreads: Vec<&Spread> = sides.iter().map(|(_, odds)| &odds.spread).collect();
    let make = |fractions: bool| {
        let mut rows = Vec::new();
        if sides.len() > 1 {
            let mut head = vec![String::new()];
            for (name, _) in sides {
                if fractions {
                    head.push(String::new());
                }
                head.push(name.clone());
            }
            rows.push(head);
        }
        for text in texts(&spreads) {
            let mut row = vec![text.clone()];
            for spread in &spreads {
                let [exact, share] = chance_of(spread, &text).map_or(["0".into(), "0 %".into()], cell);
                if fractions {
                    row.push(exact);
                }
                row.push(share);
            }
            rows.push(row);
        }
        aligned(rows)
    };
    let mut text = fitting(make);
    for (name, odds) in sides {
        let moments = moments(&odds.spread);
        if !moments.is_empty() {
            text += &format!("  {name}: {}", moments.trim_start());
        }
    }
    text
}

/// With fractions where they fit, else without.
fn fitting(make: impl Fn(bool) -> String) -> String {
    let whole = make(true);
    if whole.lines().all(|line| line.chars().count() <= WIDTH) {
        whole
    } else {
        make(false)
    }
}

/// What each option brings: a table, or one below the other where that is too wide.
fn options(choice: &Choice) -> String {
    let spreads: Vec<&Spread> = choice.options.iter().map(|o| &o.spread).collect();
    let texts = texts(&spreads);
    let make = |fractions: bool| {
        let mut head = vec![String::new()];
        for text in &texts {
            if fractions {
                head.push(String::new());
            }
            head.push(text.clone());
        }
        head.push("goal".to_owned());
        let mut rows = vec![head];
        for option in &choice.options {
            let mut row = vec![format!("{} {}", mark(option.taken), option.key)];
            for text in &texts {
                let [exact, share] = chance_of(&option.spread, text).map_or(["0".into(), "0 %".into()], cell);
                if fractions {
                    row.push(exact);
                }
                row.push(share);
            }
            row.push(option.goal.as_ref().map_or_else(|| "?".to_owned(), fraction));
            rows.push(row);
        }
        aligned(rows)
    };
    let mut table = fitting(make);
    if table.lines().any(|line| line.chars().count() > WIDTH) {
        table.clear();
        for option in &choice.options {
            table += &format!(
                "  {} {}  goal {}\n",
                mark(option.taken),
                option.key,
                option.goal.as_ref().map_or_else(|| "?".to_owned(), about)
            );
            for outcome in &option.spread.outcomes {
                let [exact, share] = cell(&outcome.chance);
                table += &format!("      {exact:>LONG$}  {share:>8}  {}\n", outcome.text);
            }
        }
    }
    let marked = if choice.options.iter().any(|o| o.taken) {
        "; `*` is what the policy takes"
    } else {
        ""
    };
    format!("{} chooses {}{marked}\n{table}", choice.asker, choice.label)
}

fn mark(taken: bool) -> char {
    if taken { '*' } else { ' ' }
}

/// What was sampled.
pub fn sampled(sampled: &Sampled) -> String {
    let mut rows = Vec::new();
    for (text, count, margin) in &sampled.outcomes {
        let share = *count as f64 / sampled.games.max(1) as f64;
        let margin = format!("+- {}", per_cent(margin * 100.0));
        rows.push(vec![text.clone(), per_cent(share * 100.0), margin]);
    }
    let mut text = aligned(rows);
    if let Some((mean, margin)) = sampled.mean {
        text += &format!("  mean {mean:.4} +- {margin:.4}\n");
    }
    text += &format!(
        "approximate: {} samples, choices by `{}`; +- holds Wilson's interval of 95 %\n",
        sampled.games,
        sampled.policy.name()
    );
    text
}

/// How many columns a type's name gets in a grid.
const NAME: usize = 12;

/// What stands in a cell: the mean of numbers, the chance of true, or the chances that the column's
/// unit and that the row's are defeated.
fn grid_cell(cell: &Cell) -> String {
    let spread = &cell.spread;
    let share = |chance: f64| format!("{:.0}", chance * 100.0);
    if let Some((mean, _)) = &spread.mean {
        return format!("{:.2}", mean.approximate());
    }
    let flags = spread
        .outcomes
        .iter()
        .all(|o| o.text == "true" || o.text == "false");
    if flags {
        return share(chance_of(spread, "true").map_or(0.0, Fraction::approximate));
    }
    let lost = |unit: &String| -> f64 {
        let named = spread
            .outcomes
            .iter()
            .filter(|o| o.text.split(", ").any(|name| name == unit));
        // Nothing adds up to 0, not to -0.
        named.fold(0.0, |sum, o| sum + o.chance.approximate())
    };
    let [row, column] = &cell.names;
    format!("{}|{}", share(lost(column)), share(lost(row)))
}

/// A grid as a table, with the command of its cells, which is given as far as the two types.
pub fn grid(grid: &Grid, command: &str, by: bool) -> String {
    let short = |name: &String| name.chars().take(NAME).collect::<String>();
    let mut rows = vec![
        std::iter::once(String::new())
            .chain(grid.types.iter().map(short))
            .collect::<Vec<_>>(),
    ];
    let mut reasons: Vec<(&str, usize)> = Vec::new();
    for (at, name) in grid.types.iter().enumerate() {
        let count = grid.types.len();
        let mut row = vec![name.clone()];
        for number in at * count..(at + 1) * count {
            row.push(match grid.cells.get(number) {
                Some(Ok(cell)) => grid_cell(cell),
                Some(Err(why)) => {
                    match reasons.iter_mut().find(|(known, _)| known == why) {
                        Some((_, times)) => *times += 1,
                        None => reasons.push((why, 1)),
                    }
                    "-".to_owned()
                }
                None => "-".to_owned(),
            });
        }
        rows.push(row);
    }
    let what = if by {
        "the mean of numbers, or the chance of `true` in per cent"
    } else {
        "per cent in which the column's unit | the row's unit is defeated"
    };
    let mut text = format!("rows: {}, columns: {}\n{what}\n", grid.row, grid.column);
    text += &aligned(rows);
    for (why, times) in reasons {
        text += &format!("  - ({times}): {why}\n");
    }
    text + format!(
        "a cell: {command} --as {}=ROW --as {}=COLUMN\n",
        grid.row, grid.column
    )
    .as_str()
}

/// A grid as JSON, with each cell's whole command.
pub fn grid_json(grid: &Grid, command: &str) -> Value {
    let count = grid.types.len().max(1);
    let cells = grid.cells.iter().enumerate().map(|(number, cell)| {
        let (row, column) = (&grid.types[number / count], &grid.types[number % count]);
        let command = format!("{command} --as {}={row} --as {}={column}", grid.row, grid.column);
        let mut all = match cell {
            Ok(cell) => spread_json(&cell.spread),
            Err(why) => json!({ "why_not": why }),
        };
        all["row"] = json!(row);
        all["column"] = json!(column);
        all["command"] = json!(command);
        all
    });
    json!({
        "row": grid.row,
        "column": grid.column,
        "to": grid.horizon,
        "types": grid.types,
        "cells": cells.collect::<Vec<_>>(),
    })
}

fn spread_json(spread: &Spread) -> Value {
    let outcomes = spread.outcomes.iter().map(|outcome| {
        json!({
            "outcome": outcome.text,
            "number": outcome.number,
            "chance": outcome.chance.to_string(),
            "share": outcome.chance.approximate(),
        })
    });
    let mean = spread.mean.as_ref();
    json!({
        "outcomes": outcomes.collect::<Vec<_>>(),
        "mean": mean.map(|(mean, _)| mean.to_string()),
        "standard_deviation": mean.map(|(_, deviation)| deviation),
    })
}

/// Odds as JSON.
pub fn json(odds: &Odds) -> Value {
    let mut all = spread_json(&odds.spread);
    let choice = odds.choice.as_ref().map(|choice| {
        let options = choice.options.iter().map(|option| {
            let mut all = spread_json(&option.spread);
            all["option"] = json!(option.key);
            all["goal"] = json!(option.goal.as_ref().map(Fraction::to_string));
            all["taken"] = json!(option.taken);
            all
        });
        json!({
            "faction": choice.asker,
            "label": choice.label,
            "options": options.collect::<Vec<_>>(),
        })
    });
    all["choice"] = choice.unwrap_or(Value::Null);
    all["to"] = json!(odds.horizon);
    all["policy"] = json!(odds.policy.name());
    all["exact"] = json!(!odds.stopped);
    if odds.work.proposed {
        all["proposed_answers_only"] = json!(true);
    }
    all["positions"] = json!(odds.work.positions);
    all["runs"] = json!(odds.work.runs);
    all["choices"] = json!(odds.work.choices);
    all
}

/// What was sampled as JSON.
pub fn sampled_json(sampled: &Sampled) -> Value {
    let outcomes = sampled.outcomes.iter().map(|(text, count, margin)| {
        let share = *count as f64 / sampled.games.max(1) as f64;
        json!({ "outcome": text, "count": count, "share": share, "margin": margin })
    });
    json!({
        "outcomes": outcomes.collect::<Vec<_>>(),
        "mean": sampled.mean.map(|(mean, _)| mean),
        "mean_margin": sampled.mean.map(|(_, margin)| margin),
        "to": sampled.horizon,
        "policy": sampled.policy.name(),
        "exact": false,
        "samples": sampled.games,
    })
}
