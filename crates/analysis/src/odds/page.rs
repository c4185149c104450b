//! Odds as pages of at most 80 columns, and as JSON.

use super::chances::{Fraction, per_cent};
use super::grid::{GridCell, OddsGrid};
use super::{Odds, OddsChoice, OptionOdds, Sampled, Spread};
use crate::lines::counted;
use crate::pages::{Page, TextTable};
use serde_json::{Value, json};

/// The most columns of a page.
const WIDTH: usize = 80;
/// A fraction that is longer is left to JSON.
const LONG: usize = 21;

/// One side of a comparison: what it is called, such as `as it is`, `with max_rounds=8`, and its odds.
pub type NamedOdds<O = Odds> = (String, O);

/// All that is told of odds, below a line that says of what and to where, up to the horizon.
pub fn page(head: &str, sides: &[NamedOdds]) -> Page {
    let to = sides.first().map_or("", |(_, odds)| &odds.horizon);
    let mut page = Page::of(format!("{head}to {to}"));
    add_odds(&mut page, sides);
    for entry in sides {
        work(&mut page, entry, sides.len() > 1);
    }
    page
}

/// Odds of one or several sides, next to each other, and what each option of a choice brings.
pub fn add_odds(page: &mut Page, sides: &[NamedOdds]) {
    let choices = || {
        sides
            .iter()
            .filter_map(|(name, odds)| Some((name, odds.choice.as_ref()?)))
    };
    if let [(_, odds)] = sides
        && odds.spread.mean.is_some()
        && odds.choice.is_none()
    {
        numbers(page, &odds.spread);
    } else if choices().next().is_none() || sides.len() > 1 {
        beside(page, sides);
    }
    let mut alone = sides.len() == 1;
    for (name, choice) in choices() {
        let name = if sides.len() > 1 {
            format!("{name}: ")
        } else {
            String::new()
        };
        let head = format!("{name}{}", chooses(choice));
        if std::mem::take(&mut alone) {
            page.below(head);
        } else {
            page.put(head);
        }
        options(page, choice);
    }
}

/// The same of what was sampled.
pub fn told_of_samples(head: &str, sides: &[NamedOdds<Sampled>]) -> Page {
    let to = sides.first().map_or("", |(_, samples)| &samples.horizon);
    let mut page = Page::of(format!("{head}to {to}"));
    for (name, samples) in sides {
        if sides.len() > 1 {
            page.below(name.clone());
        }
        sampled(&mut page, samples);
    }
    page
}

/// Adds the amount of work done; for one of several sides, after its name.
fn work(page: &mut Page, (name, odds): &NamedOdds, several: bool) {
    let work = odds.work;
    let name = if several {
        format!("{name}: ")
    } else {
        String::new()
    };
    let choices = match work.choices {
        0 => "no choices".to_owned(),
        n => format!("{} by `{}`", counted(n as usize, "choice"), odds.policy.name()),
    };
    if let Some(stopped) = &odds.stopped {
        page.below(format!(
            "{name}{stopped}: each chance is a lower bound: the unexplored part can raise it"
        ));
    }
    let exact = match (odds.stopped.is_some(), work.proposed) {
        (true, _) => "so far",
        (false, true) => "exact for the proposed spots and numbers only",
        (false, false) => "exact",
    };
    page.below(format!(
        "{name}{exact}: {}, {}, {choices}",
        counted(work.positions, "position"),
        counted(work.runs as usize, "run")
    ));
}

fn fraction(fraction: &Fraction) -> String {
    let text = fraction.to_string();
    if text.len() > LONG { "...".to_owned() } else { text }
}

fn cell(chance: &Fraction) -> [String; 2] {
    [fraction(chance), chance.per_cent()]
}

/// A spread of numbers, with what adds up.
fn numbers(page: &mut Page, spread: &Spread) {
    let head = ["", "exactly", "", "at least", "at most"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    let most = sums(spread.outcomes.iter());
    let mut least = sums(spread.outcomes.iter().rev());
    least.reverse();
    for ((outcome, least), most) in spread.outcomes.iter().zip(least).zip(most) {
        let [exactly, share] = cell(&outcome.chance);
        rows.push(vec![
            outcome.text.clone(),
            exactly,
            share,
            least.per_cent(),
            most.per_cent(),
        ]);
    }
    page.below(TextTable::set_in(rows, true));
    moments(page, spread, "");
}

/// Returns the cumulative chances of the outcomes.
fn sums<'s>(outcomes: impl Iterator<Item = &'s super::WeightedOutcome>) -> Vec<Fraction> {
    let none = Fraction::new(&super::WholePhase::ZERO, &super::WholePhase::ONE);
    let sums = outcomes.scan(none, |sum, outcome| {
        *sum = sum.plus(&outcome.chance);
        Some(sum.clone())
    });
    sums.collect()
}

/// The mean of numbers and how far they lie around it.
fn moments(page: &mut Page, spread: &Spread, whose: &str) {
    if let Some((mean, deviation)) = &spread.mean {
        let mean = about(mean);
        page.below(format!("  {whose}mean {mean}, standard deviation {deviation:.4}"));
    }
}

/// A fraction with what it is about, where it is not whole.
fn about(fraction: &Fraction) -> String {
    if fraction.below == super::WholePhase::ONE {
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

fn beside(page: &mut Page, sides: &[NamedOdds]) {
    let spreads: Vec<&Spread> = sides.iter().map(|(_, odds)| &odds.spread).collect();
    let table = fitting(|fractions| {
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
            let chances = spreads.iter().flat_map(|s| chance_cells(s, &text, fractions));
            rows.push(std::iter::once(text.clone()).chain(chances).collect());
        }
        TextTable::set_in(rows, sides.len() > 1)
    });
    page.below(table);
    for (name, odds) in sides {
        moments(page, &odds.spread, &format!("{name}: "));
    }
}

/// The chance of an outcome, in front of it the fraction.
fn chance_cells(spread: &Spread, text: &str, fractions: bool) -> impl Iterator<Item = String> + use<> {
    let cells = chance_of(spread, text).map_or(["0".into(), "0 %".into()], cell);
    cells.into_iter().skip(usize::from(!fractions))
}

/// With fractions where they fit, else without.
fn fitting(make: impl Fn(bool) -> TextTable) -> TextTable {
    let whole = make(true);
    if whole.width() <= WIDTH {
        whole
    } else {
        make(false)
    }
}

/// Describes the choice and the faction that makes it.
fn chooses(choice: &OddsChoice) -> String {
    let marked = if choice.options.iter().any(|o| o.taken) {
        "; `*` is what the policy takes"
    } else {
        ""
    };
    format!("{} chooses {}{marked}", choice.asker, choice.label)
}

/// Adds the odds of each option: as a table, or one below the other if the table is too wide.
fn options(page: &mut Page, choice: &OddsChoice) {
    let spreads: Vec<&Spread> = choice.options.iter().map(|o| &o.spread).collect();
    let texts = texts(&spreads);
    let table = fitting(|fractions| {
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
            row.extend(
                texts
                    .iter()
                    .flat_map(|t| chance_cells(&option.spread, t, fractions)),
            );
            row.push(goal(option, fraction));
            rows.push(row);
        }
        TextTable::set_in(rows, true)
    });
    if table.width() <= WIDTH {
        return page.below(table);
    }
    for option in &choice.options {
        let goal = goal(option, about);
        page.below(format!("  {} {}  goal {goal}", mark(option.taken), option.key));
        for outcome in &option.spread.outcomes {
            let [exact, share] = cell(&outcome.chance);
            page.below(format!("      {exact:>LONG$}  {share:>8}  {}", outcome.text));
        }
    }
}

/// The goal of an option, or between what it lies, rounded away from each other.
fn goal(option: &OptionOdds, exactly: impl Fn(&Fraction) -> String) -> String {
    match (&option.goal, &option.goal_between) {
        (Some(goal), _) => exactly(goal),
        (None, Some((low, high))) => format!("{} to {}", low.rounded(false), high.rounded(true)),
        (None, None) => "?".to_owned(),
    }
}

fn mark(taken: bool) -> char {
    if taken { '*' } else { ' ' }
}

/// Adds the results of sampling.
fn sampled(page: &mut Page, sampled: &Sampled) {
    let mut rows = Vec::new();
    for (text, count, margin) in &sampled.outcomes {
        let share = *count as f64 / sampled.games.max(1) as f64;
        let margin = format!("+- {}", per_cent(margin * 100.0));
        rows.push(vec![text.clone(), per_cent(share * 100.0), margin]);
    }
    page.below(TextTable::set_in(rows, false));
    if let Some((mean, margin)) = sampled.mean {
        page.below(format!("  mean {mean:.4} +- {margin:.4}"));
    }
    page.below(format!(
        "approximate: {} samples, choices by `{}`; +- holds the interval of 95 %, Wilson's of a share",
        sampled.games,
        sampled.policy.name()
    ));
    let never = crate::stats::wilson(0.0, sampled.games as f64).high * 100.0;
    page.below(format!(
        "an outcome that never came up is not listed; its chance is at most {}",
        per_cent(never)
    ));
}

/// Returns the text of a grid cell: the mean of numbers, the chance of true, or the chances that the column's unit and
/// that the row's unit are defeated.
fn grid_cell(cell: &GridCell) -> String {
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

/// A grid as a table below a line that says of what, with the command of its cells, which is given as far as the two
/// types.
pub fn grid(head: &str, grid: &OddsGrid, command: &str, by: bool) -> Page {
    let mut rows = vec![
        std::iter::once(String::new())
            .chain(grid.types.iter().cloned())
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
    let mut page = Page::of(format!("{head}to {}", grid.horizon));
    page.below(format!("rows: {}, columns: {}", grid.row, grid.column));
    page.below(what);
    page.below(TextTable::set_in(rows, true));
    for (why, times) in reasons {
        page.below(format!("  - ({times}): {why}"));
    }
    let (row, column) = (&grid.row, &grid.column);
    page.below(format!("a cell: {command} --as {row}=ROW --as {column}=COLUMN"));
    page
}

/// A grid as JSON, with each cell's whole command.
pub fn grid_json(grid: &OddsGrid, command: &str) -> Value {
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
            if let (None, Some((low, high))) = (&option.goal, &option.goal_between) {
                all["goal_between"] = json!([low.to_string(), high.to_string()]);
            }
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
    all["exact"] = json!(odds.stopped.is_none());
    if odds.work.proposed {
        all["proposed_answers_only"] = json!(true);
    }
    all["positions"] = json!(odds.work.positions);
    all["runs"] = json!(odds.work.runs);
    all["choices"] = json!(odds.work.choices);
    all
}

/// Returns the results of sampling as JSON.
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
