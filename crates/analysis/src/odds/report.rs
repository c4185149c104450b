//! Odds as reports of at most 80 columns.

use super::chances::{Fraction, per_cent};
use super::grid::{GridCell, OddsGrid};
use super::{Odds, OddsChoice, OptionOdds, Sampled, Spread};
use crate::lines::counted;
use crate::reports::{Cell, Facts, Report, ReportTable, facts};

/// The most columns of a report.
const WIDTH: usize = 80;
/// A fraction that is longer is left to JSON.
const LONG: usize = 21;

/// One side of a comparison: what it is called, such as `as it is`, `with max_rounds=8`, and its odds.
pub type NamedOdds<O = Odds> = (String, O);

/// All that is told of odds, below a line that says of what and to where, up to the horizon.
pub fn report(head: &str, sides: &[NamedOdds]) -> Report {
    let to = sides.first().map_or("", |(_, odds)| &odds.horizon);
    let mut page = Report::of(format!("{head}to {to}")).with("arms", arms(sides, facts_of));
    add_odds(&mut page, sides);
    for entry in sides {
        work(&mut page, entry, sides.len() > 1);
    }
    page
}

/// Returns the facts of each arm, with its name.
fn arms<O>(sides: &[NamedOdds<O>], facts_of: impl Fn(&O) -> Facts) -> Cell {
    Cell::list(sides.iter().map(|(name, odds)| {
        let mut facts = facts! { arm: name };
        facts.append(facts_of(odds));
        facts
    }))
}

/// Odds of one or several sides, next to each other, and what each option of a choice brings.
pub fn add_odds(page: &mut Report, sides: &[NamedOdds]) {
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

/// Reports sampled odds.
pub fn report_samples(head: &str, sides: &[NamedOdds<Sampled>]) -> Report {
    let to = sides.first().map_or("", |(_, samples)| &samples.horizon);
    let mut page = Report::of(format!("{head}to {to}")).with("arms", arms(sides, facts_of_samples));
    for (name, samples) in sides {
        if sides.len() > 1 {
            page.below(name.clone());
        }
        sampled(&mut page, samples);
    }
    page
}

/// Adds the amount of work done; for one of several sides, after its name.
fn work(page: &mut Report, (name, odds): &NamedOdds, several: bool) {
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
    if let Some(text) = &odds.unseen {
        page.below(format!("{name}no line of the record contains `{text}`"));
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
fn numbers(page: &mut Report, spread: &Spread) {
    let mut rows = ReportTable::headed(["", "exactly", "", "at least", "at most"]).set_in();
    let most = sums(spread.outcomes.iter());
    let mut least = sums(spread.outcomes.iter().rev());
    least.reverse();
    for ((outcome, least), most) in spread.outcomes.iter().zip(least).zip(most) {
        let [exactly, share] = cell(&outcome.chance);
        let (least, most) = (least.per_cent(), most.per_cent());
        rows.push([&outcome.text, &exactly, &share, &least, &most]);
    }
    page.below(rows);
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
fn moments(page: &mut Report, spread: &Spread, whose: &str) {
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

fn beside(page: &mut Report, sides: &[NamedOdds]) {
    let spreads: Vec<&Spread> = sides.iter().map(|(_, odds)| &odds.spread).collect();
    let table = fitting(|fractions| {
        let mut rows = chances_table(sides.iter().map(|(name, _)| name), fractions, &[]);
        if sides.len() == 1 {
            rows = rows.headless();
        }
        for text in texts(&spreads) {
            let chances = spreads.iter().flat_map(|s| chance_cells(s, &text, fractions));
            rows.push(std::iter::once(text.clone()).chain(chances));
        }
        rows
    });
    page.below(table);
    for (name, odds) in sides {
        moments(page, &odds.spread, &format!("{name}: "));
    }
}

/// Returns an empty table with a column for each name, with fractions an unnamed one in front of it.
fn chances_table<'n>(names: impl Iterator<Item = &'n String>, fractions: bool, last: &[&str]) -> ReportTable {
    let columns = names.flat_map(|name| ["", name].into_iter().skip(usize::from(!fractions)));
    ReportTable::headed([""].into_iter().chain(columns).chain(last.iter().copied())).set_in()
}

/// The chance of an outcome, in front of it the fraction.
fn chance_cells(spread: &Spread, text: &str, fractions: bool) -> impl Iterator<Item = String> + use<> {
    let cells = chance_of(spread, text).map_or(["0".into(), "0 %".into()], cell);
    cells.into_iter().skip(usize::from(!fractions))
}

/// With fractions where they fit, else without.
fn fitting(make: impl Fn(bool) -> ReportTable) -> ReportTable {
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
fn options(page: &mut Report, choice: &OddsChoice) {
    let spreads: Vec<&Spread> = choice.options.iter().map(|o| &o.spread).collect();
    let texts = texts(&spreads);
    let table = fitting(|fractions| {
        let mut rows = chances_table(texts.iter(), fractions, &[choice.measure]);
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
        rows
    });
    if table.width() <= WIDTH {
        return page.below(table);
    }
    for option in &choice.options {
        let goal = goal(option, about);
        let (mark, measure) = (mark(option.taken), choice.measure);
        page.below(format!("  {mark} {}  {measure} {goal}", option.key));
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
fn sampled(page: &mut Report, sampled: &Sampled) {
    let mut rows = ReportTable::plain(Vec::<Vec<Cell>>::new()).set_in();
    for (text, count, margin) in &sampled.outcomes {
        let margin = format!("+- {}", per_cent(margin * 100.0));
        rows.push([text, &per_cent(sampled.share(*count) * 100.0), &margin]);
    }
    page.below(rows);
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
pub fn grid(head: &str, grid: &OddsGrid, command: &str, by: bool) -> Report {
    let (row, column) = (&grid.row, &grid.column);
    let mut rows =
        ReportTable::headed([""].into_iter().chain(grid.types.iter().map(String::as_str))).set_in();
    let mut reasons: Vec<(&str, usize)> = Vec::new();
    let mut cells = Vec::new();
    for (at, name) in grid.types.iter().enumerate() {
        let found = grid.cells.iter().skip(at * grid.types.len());
        let mut texts = vec![name.clone()];
        for (other, cell) in grid
            .types
            .iter()
            .zip(found.map(Some).chain(std::iter::repeat(None)))
        {
            let mut facts = facts! {
                row_type: name, column_type: other, command: format!("{command} --as {row}={name} --as {column}={other}"),
            };
            texts.push(match cell {
                Some(Ok(cell)) => {
                    facts.append(spread_facts(&cell.spread));
                    grid_cell(cell)
                }
                Some(Err(why)) => {
                    facts.put("refusal", why);
                    match reasons.iter_mut().find(|(known, _)| known == why) {
                        Some((_, times)) => *times += 1,
                        None => reasons.push((why, 1)),
                    }
                    "-".to_owned()
                }
                None => "-".to_owned(),
            });
            cells.extend(cell.map(|_| facts));
        }
        rows.push(texts);
    }
    let what = if by {
        "the mean of numbers, or the chance of `true` in per cent"
    } else {
        "per cent in which the column's unit | the row's unit is defeated"
    };
    let mut page = Report::of(format!("{head}to {}", grid.horizon));
    page.below(format!("rows: {row}, columns: {column}"));
    page.below(what);
    page.below(rows);
    for (why, times) in reasons {
        page.below(format!("  - ({times}): {why}"));
    }
    page.below(format!("a cell: {command} --as {row}=ROW --as {column}=COLUMN"));
    page.with("row_unit", row)
        .with("column_unit", column)
        .with("horizon", &grid.horizon)
        .with("unit_types", &grid.types)
        .with("cells", cells)
}

fn fraction_cell(fraction: &Fraction) -> Cell {
    Cell::Fraction(fraction.to_string(), fraction.approximate())
}

fn spread_facts(spread: &Spread) -> Facts {
    let outcomes = spread.outcomes.iter().map(|outcome| {
        facts! { outcome: &outcome.text, number: outcome.number, chance: fraction_cell(&outcome.chance) }
    });
    let mean = spread.mean.as_ref();
    facts! {
        outcomes: Cell::list(outcomes),
        mean: mean.map(|(mean, _)| fraction_cell(mean)),
        standard_deviation: mean.map(|(_, deviation)| *deviation),
    }
}

/// Returns the facts of exact odds.
fn facts_of(odds: &Odds) -> Facts {
    let choice = odds.choice.as_ref().map(|choice| {
        let options = choice.options.iter().map(|option| {
            let between = option.goal_between.as_ref();
            let between = between.filter(|_| option.goal.is_none());
            let mut facts = facts! {
                option: &option.key, taken: option.taken, goal: option.goal.as_ref().map(fraction_cell),
                goal_between: between.map(|(low, high)| Cell::list([low, high].map(fraction_cell))),
            };
            facts.append(spread_facts(&option.spread));
            facts
        });
        facts! { faction: &choice.asker, label: &choice.label, options: Cell::list(options) }
    });
    let mut facts = spread_facts(&odds.spread);
    facts.append(facts! {
        choice: choice, horizon: &odds.horizon, policy: odds.policy.name(), exact: odds.stopped.is_none(),
        proposed_answers_only: odds.work.proposed, positions: odds.work.positions, runs: odds.work.runs,
        choices: odds.work.choices,
    });
    facts
}

/// Returns the facts of sampled odds.
fn facts_of_samples(sampled: &Sampled) -> Facts {
    let outcomes = sampled.outcomes.iter().map(|(text, count, margin)| {
        facts! { outcome: text, count: *count, share: Cell::Share(sampled.share(*count)), margin: Cell::Share(*margin) }
    });
    facts! {
        outcomes: Cell::list(outcomes), mean_estimate: sampled.mean.map(|(mean, _)| mean),
        mean_margin: sampled.mean.map(|(_, margin)| margin), horizon: &sampled.horizon, policy: sampled.policy.name(),
        exact: false, samples: sampled.games,
    }
}
