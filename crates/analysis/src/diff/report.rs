//! Comparisons as reports.

use super::{
    ArmEnd, Bisected, Comparison, DiffArm, DifferenceScope, Divergence, ImpactMap, LayerEffect, MOST_SUBSETS,
    PositionChange, ScenarioDiff, Verdict, VerdictSign, names,
};
use crate::kernel::world::World;
use crate::lines::{self, counted, first_of, shortened};
use crate::render::{self, Marks, Style};
use crate::reports::{Cell, Facts, Report, ReportTable, facts};
use crate::text_diff;
use crate::transcript::Line;

/// The most notes of a side that are listed.
const MOST_NOTES: usize = 4;
/// The most lines of the final position that are listed.
const MOST_CHANGES: usize = 20;
/// Widths of the variant and of its effect in the table of one scenario, in columns.
const LAYER_WIDTH: usize = 30;
const ABOUT_WIDTH: usize = 48;

/// The layers of a side, in words.
fn layers(arm: &DiffArm) -> String {
    let options = &arm.options;
    let without = options.without.iter().map(|v| format!("without {v}"));
    let variants = options.variants.iter().cloned().chain(without);
    let dials = options.dials.iter().map(|(n, v)| format!("{n}={v}"));
    let all: Vec<String> = variants.chain(dials).collect();
    if all.is_empty() {
        "no variants, dials as declared".to_owned()
    } else {
        all.join(", ")
    }
}

fn which(which: DifferenceScope) -> &'static str {
    match which {
        DifferenceScope::Base => "base",
        DifferenceScope::Tweak => "variant",
    }
}

pub fn headline(found: &ScenarioDiff) -> String {
    match &found.verdict {
        Verdict::Same => "no difference".to_owned(),
        Verdict::Events => "events differ on the way; the outcome is the same".to_owned(),
        Verdict::Outcome => "the outcome differs".to_owned(),
        Verdict::Diverged(arm, divergence) => {
            let question = if divergence.label.is_empty() {
                String::new()
            } else {
                format!(", {} is asked `{}`", divergence.faction, divergence.label)
            };
            format!(
                "the {} diverged at `{}`{question}: {}",
                which(*arm),
                divergence.step,
                divergence.why
            )
        }
        Verdict::Failed(arm, problem) => {
            format!("the rules of the {} failed: {}", which(*arm), problem.message)
        }
    }
}

pub fn outcome_line(outcome: &ArmEnd) -> String {
    let looked_at: Vec<bool> = outcome.expectations.iter().filter_map(|e| e.holds).collect();
    if looked_at.is_empty() {
        return outcome.end.clone();
    }
    let hold = looked_at.iter().filter(|h| **h).count();
    let all = looked_at.len();
    format!("{}; {hold} of {all} expectations hold", outcome.end)
}

pub fn change_line(change: &PositionChange) -> String {
    let value = |v: &Option<String>| v.clone().unwrap_or_else(|| "-".to_owned());
    format!(
        "  {}  {}: {} | {}",
        change.who,
        change.slot,
        value(&change.base),
        value(&change.tweak)
    )
}

/// Builds the report of a scenario's comparison.
pub fn report(path: &str, comparison: &Comparison, found: &ScenarioDiff, colour: bool) -> Report {
    let (base, variant) = (&found.base, &found.tweak);
    let mut page = Report::from(facts_of(path, comparison, found));
    page.put(path);
    page.below(format!("base     {}", layers(base)));
    page.below(format!("variant  {}", layers(variant)));
    for note in found.taken_off.iter().chain(&found.notes) {
        page.below(format!("note: {note}"));
    }
    for (name, arm) in [("base", base), ("variant", variant)] {
        let more = |n| format!("and {n} more such notes");
        for note in first_of(arm.notes.iter().cloned(), MOST_NOTES, more) {
            page.below(format!("note: {name}: {note}"));
        }
    }
    page.put(headline(found));
    let more = |n| format!("and {n} more such functions");
    first_of(found.function_notes(), MOST_NOTES, more).for_each(|line| page.below(line));
    match &found.verdict {
        Verdict::Diverged(arm, divergence) => diverged(&mut page, comparison, found, *arm, divergence),
        Verdict::Failed(_, problem) => page.below(problem.page(colour)),
        _ => {}
    }
    if let Some(first) = found.first {
        page.put(format!(
            "the first event that differs, number {}:",
            number(found, first)
        ));
        page.below(format!("base     {}", event_text(base, first)));
        page.below(format!("variant  {}", event_text(variant, first)));
        boards(&mut page, base, variant, first, colour);
        page.put(diff_text(found, colour).trim_end());
    }
    page.put(format!("base     {}", outcome_line(&base.outcome)));
    page.below(format!("variant  {}", outcome_line(&variant.outcome)));
    for (name, outcome, other) in [
        ("base", &base.outcome, &variant.outcome),
        ("variant", &variant.outcome, &base.outcome),
    ] {
        for expectation in outcome.unmet() {
            if !other.unmet().contains(&expectation) {
                page.below(format!("does not hold with the {name}: {expectation}"));
            }
        }
    }
    let more = |n| format!("  and {n} more (--json lists all)");
    let mut changes = changes(found, MOST_CHANGES, more).peekable();
    if changes.peek().is_some() {
        page.below("in the final position, base | variant:");
        changes.for_each(|line| page.below(line));
    }
    page
}

/// Adds the options that were offered at a divergence, and the agent that answered from there.
fn diverged(
    page: &mut Report,
    comparison: &Comparison,
    found: &ScenarioDiff,
    arm: DifferenceScope,
    divergence: &Divergence,
) {
    if !divergence.offered.is_empty() {
        let keys: Vec<String> = divergence.offered.iter().map(|key| format!("{key},")).collect();
        let keys = lines::packed("offered:", &keys, 1, 80, 9);
        page.below(keys.trim_end_matches(','));
    }
    match &divergence.then {
        Some(agent) => {
            let (number, which) = (number(found, divergence.line), which(arm));
            page.below(format!(
                "from event {number} of the {which} the {agent} agent answered"
            ));
        }
        None if comparison.then.is_none() => {
            page.below("to play on from there, name an agent: --then first");
        }
        None => {}
    }
}

/// Returns the differences in the final position; of many only the first ones, and the number of the others. A play
/// that stopped on the way has no final position.
pub fn changes(
    found: &ScenarioDiff,
    most: usize,
    more: impl FnOnce(usize) -> String,
) -> impl Iterator<Item = String> {
    let whole = found.base.went_well() && found.tweak.went_well();
    let changes = if whole {
        found.base.outcome.changes(&found.tweak.outcome)
    } else {
        Vec::new()
    };
    let lines: Vec<String> = changes.iter().map(change_line).collect();
    first_of(lines.into_iter(), most, more)
}

/// The number of the event of a line, by which records and `why` know it. Up to the first line that differs both sides
/// have the same.
pub fn number(found: &ScenarioDiff, line: usize) -> usize {
    let sides = [&found.base, &found.tweak];
    let entry = sides.into_iter().find_map(|arm| arm.record.get(line));
    entry.map_or(line, |entry| entry.index) + 1
}

/// The event of a line as it is told.
pub fn event_text(arm: &DiffArm, line: usize) -> String {
    match arm.record.get(line) {
        Some(entry) => entry.text.trim_start().to_owned(),
        None if arm.divergence.as_ref().is_some_and(|d| d.line == line) => {
            "(no event: here it diverged)".to_owned()
        }
        None => "(no event: play had ended)".to_owned(),
    }
}

/// The boards just before the first difference where they differ, and those just after it.
pub fn boards(page: &mut Report, base: &DiffArm, variant: &DiffArm, line: usize, colour: bool) {
    let (base_worlds, tweak_worlds) = (base.worlds(line), variant.worlds(line));
    let before = (
        drawn(base, &base_worlds.0, 80),
        drawn(variant, &tweak_worlds.0, 80),
    );
    let (after, legends) = pair((base, &base_worlds.1), (variant, &tweak_worlds.1), colour);
    if before.0 == before.1 {
        page.put(after);
    } else {
        page.put("just before:");
        let (board, legends) = pair((base, &base_worlds.0), (variant, &tweak_worlds.0), colour);
        page.below(board);
        page.append(Report::lines(
            legends.into_iter().chain(["just after:".to_owned(), after]),
        ));
    }
    page.append(Report::lines(legends));
}

fn style(width: usize, colour: bool) -> Style {
    Style {
        colour,
        width,
        ..Style::default()
    }
}

/// A board without its legend, with the numbers and the reserve below it.
fn drawn(arm: &DiffArm, world: &World, width: usize) -> String {
    painted(arm, world, width, false).0
}

fn painted(arm: &DiffArm, world: &World, width: usize, colour: bool) -> (String, String) {
    let rules = &arm.play.ruleset().rules;
    let style = style(width, colour);
    let (mut text, legend) = render::board_and_legend(rules, world, &style, &Marks::default());
    text.push_str("\n\n");
    text.push_str(&render::status(rules, world, &style));
    if let Some(reserve) = render::reserve(rules, world, &style) {
        text.push('\n');
        text.push_str(&reserve);
    }
    (text, legend)
}

/// Two boards side by side in 80 columns, or one below the other where they are wider; and their legends.
fn pair(base: (&DiffArm, &World), variant: (&DiffArm, &World), colour: bool) -> (String, Vec<String>) {
    const HALF: usize = 39;
    let fits = |(arm, world): (&DiffArm, &World)| {
        let narrow = drawn(arm, world, HALF);
        let is_drawn = |text: &str| text.contains('\\');
        narrow.lines().all(|l| l.chars().count() <= HALF)
            && is_drawn(&narrow) == is_drawn(&drawn(arm, world, 80))
    };
    let side_by_side = fits(base) && fits(variant);
    let width = if side_by_side { HALF } else { 80 };
    let (left, legend) = painted(base.0, base.1, width, colour);
    let (right, other) = painted(variant.0, variant.1, width, colour);
    let text = if side_by_side {
        // The right one stands at the same column whatever the left one says.
        let left = format!("base{:w$}\n{left}", "", w = HALF - 4);
        render::side_by_side(&left, &format!("variant\n{right}"), 2)
            .lines()
            .map(str::trim_end)
            .collect::<Vec<_>>()
            .join("\n")
    } else {
        format!("base\n{left}\n\nvariant\n{right}")
    };
    let mut legends = vec![legend, other];
    legends.dedup();
    legends.retain(|legend| !legend.is_empty());
    (text, legends)
}

fn arm_facts(arm: &DiffArm, first: Option<usize>) -> Facts {
    let options = &arm.options;
    let dials: Facts = options
        .dials
        .iter()
        .map(|(dial, value)| (dial, value.to_string()))
        .collect();
    let event = first.map(|line| {
        let (before, after) = arm.worlds(line);
        let lines = |world: &World| Cell::list(drawn(arm, world, 80).lines());
        let event = arm.record.get(line).map(|entry| entry.text.trim_start());
        facts! { event: event, board_before: lines(&before), board_after: lines(&after) }
    });
    let expectations = arm.outcome.expectations.iter();
    let expectations =
        expectations.map(|expected| facts! { expectation: &expected.text, holds: expected.holds });
    facts! {
        variants: &options.variants, without: &options.without, dials: dials, seed: arm.file.seed,
        transcript: Cell::list(arm.record.iter().map(|entry| entry.text.as_str())), difference: event,
        end: &arm.outcome.end, expectations: Cell::list(expectations), position: arm.outcome.position(),
        notes: &arm.notes,
    }
}

fn facts_of(path: &str, comparison: &Comparison, found: &ScenarioDiff) -> Facts {
    let diff = found.first.map(|_| diff_text(found, false));
    let (divergence, failure) = match &found.verdict {
        Verdict::Diverged(arm, at) => (
            Some(facts! {
                arm: which(*arm), step: &at.step, faction: &at.faction, label: &at.label, reason: &at.why,
                options: &at.offered, line: at.line, agent: &at.then,
            }),
            None,
        ),
        Verdict::Failed(arm, problem) => (
            None,
            Some(facts! { arm: which(*arm), problem: (**problem).clone() }),
        ),
        _ => (None, None),
    };
    let changes = found.base.outcome.changes(&found.tweak.outcome).into_iter();
    let changes = changes.map(|c| facts! { who: c.who, slot: c.slot, base: c.base, variant: c.tweak });
    facts! {
        scenario: path, layers: names(&comparison.tweaks), against: &comparison.against,
        verdict: found.verdict.word(), summary: headline(found), first_difference: found.first.map(|f| f + 1),
        divergence: divergence, failure: failure, base: arm_facts(&found.base, found.first),
        variant: arm_facts(&found.tweak, found.first), changes: Cell::list(changes), diff: diff,
        functions: functions_cell(found), notes: notes_cell(found),
    }
}

fn functions_cell(found: &ScenarioDiff) -> Cell {
    let functions = found.ran.iter();
    Cell::list(functions.map(|f| facts! { function: &f.function, file: &f.file, calls: f.calls }))
}

fn notes_cell(found: &ScenarioDiff) -> Cell {
    Cell::list(found.taken_off.iter().chain(&found.notes))
}

/// Reports the effect of each variant or dial on one scenario, those that change something first; with `rows` also
/// the lines of the transcripts that differ.
pub fn effects(
    path: &str,
    comparison: &Comparison,
    effects: &[LayerEffect],
    rows: bool,
    colour: bool,
) -> Report {
    let changes =
        |effect: &LayerEffect| !matches!(&effect.found, Ok(found) if found.verdict == Verdict::Same);
    let (changed, same): (Vec<&LayerEffect>, Vec<&LayerEffect>) = effects.iter().partition(|e| changes(e));
    let mut page = Report::default();
    page.put(format!(
        "{path}: {} of {} change something",
        changed.len(),
        effects.len()
    ));
    let mut table = ReportTable::headed([" result", " lines", "variant", ""]);
    for effect in changed.iter().chain(&same) {
        let layer = shortened(&effect.layer.to_string(), LAYER_WIDTH);
        let lines = effect.found.as_ref().ok().and_then(differing_lines);
        let lines = lines.filter(|lines| *lines > 0);
        let lines = lines.map_or_else(String::new, |lines| lines.to_string());
        let about = shortened(&effect_words(effect), ABOUT_WIDTH);
        table.push([effect_mark(effect).word().to_owned(), lines, layer, about]);
    }
    page.put(table);
    if rows {
        for effect in &changed {
            let diff = effect.found.as_ref().map(|found| diff_text(found, colour));
            let diff = diff.unwrap_or_else(|problems| problems.page(colour));
            page.put(format!("{}:", effect.layer));
            page.below(diff.trim_end());
        }
    } else if !changed.is_empty() {
        page.put("to see the lines that differ: --rows");
    }
    let layers = changed.iter().chain(&same).map(|effect| effect_facts(effect));
    page.with("scenario", path)
        .with("against", &comparison.against)
        .with("layers", Cell::list(layers))
}

fn effect_facts(effect: &LayerEffect) -> Facts {
    let found = effect.found.as_ref().ok();
    facts! {
        layer: effect.layer.to_string(), with: &effect.with, verdict: effect_mark(effect).word(),
        summary: effect_words(effect), changed_lines: found.and_then(differing_lines),
        functions: found.map(functions_cell), diff: found.map(|found| diff_text(found, false)),
        notes: found.map(notes_cell),
    }
}

fn effect_mark(effect: &LayerEffect) -> VerdictSign {
    effect
        .found
        .as_ref()
        .map_or(VerdictSign::Failed, |found| found.verdict.mark())
}

/// Returns the number of lines that differ; none where a game stopped on the way.
fn differing_lines(found: &ScenarioDiff) -> Option<usize> {
    let whole = !matches!(found.verdict, Verdict::Diverged(..) | Verdict::Failed(..));
    whole.then(|| text_diff::changed_lines(&found.base.text(), &found.tweak.text()))
}

/// Describes the effect of a variant or dial: whether its code ran, or where the first difference is.
fn effect_words(effect: &LayerEffect) -> String {
    let found = match &effect.found {
        Ok(found) => found,
        Err(problems) => return problems.0.first().map_or_else(String::new, |p| p.message.clone()),
    };
    match (&found.verdict, found.first) {
        (Verdict::Same, _) => {
            let calls = found.ran.iter().filter_map(|ran| ran.calls);
            match calls.reduce(|a, b| a + b) {
                Some(0) => "its functions were never called".to_owned(),
                Some(calls) => format!("called {}, with the same result", counted(calls, "time")),
                None if found.ran.is_empty() => "no function reads it".to_owned(),
                None => "read at load, no difference here".to_owned(),
            }
        }
        (Verdict::Events | Verdict::Outcome, Some(first)) => format!("from event {}", number(found, first)),
        (Verdict::Events | Verdict::Outcome, None) => String::new(),
        (Verdict::Diverged(_, divergence), _) => format!("`{}`: {}", divergence.step, divergence.why),
        (Verdict::Failed(_, problem), _) => problem.message.clone(),
    }
}

fn diff_text(found: &ScenarioDiff, colour: bool) -> String {
    let options = text_diff::DiffOptions {
        colour,
        names: ("base", "variant"),
        heading: Line::heading,
        ..text_diff::DiffOptions::default()
    };
    text_diff::diff(&found.base.text(), &found.tweak.text(), &options)
}

/// Reports the smallest set of layers that makes the difference.
pub fn bisected(path: &str, found: &Bisected) -> Report {
    let layers = super::named(&found.layers);
    let mut page = Report::from(facts! {
        scenario: path, layers: names(&found.layers), verdict: found.verdict.word(), difference: &found.difference,
        smallest: names(&found.smallest), is_smallest: found.is_smallest, tried: found.tried,
        skipped: found.skipped,
    });
    if found.verdict == Verdict::Same {
        page.put(match found.layers.len() {
            1 => format!("no difference: {layers} changes nothing here"),
            _ => format!("no difference: {layers} change nothing here, taken together"),
        });
        return page;
    }
    let cause = if found.smallest.is_empty() {
        "what the base has on is enough: no layer is needed".to_owned()
    } else {
        let how = if found.is_smallest { "smallest" } else { "minimal" };
        format!(
            "the {how} set that does it: {}",
            names(&found.smallest).join(", ")
        )
    };
    let skipped = match found.skipped {
        0 => String::new(),
        n => format!(", {n} of them cannot be combined or laid"),
    };
    page.put(format!("{layers}: {}", found.difference));
    page.below(cause);
    page.below(format!("{} tried{skipped}", counted(found.tried, "set")));
    if !found.is_smallest {
        page.below(format!(
            "with more than {MOST_SUBSETS} layers not every set is tried: each layer of this one is needed, but a \
             smaller set of others may do"
        ));
    }
    page
}

/// Columns of the table in groups of five.
fn grouped(signs: impl Iterator<Item = char>) -> String {
    let mut text = String::new();
    for (index, sign) in signs.enumerate() {
        if index > 0 && index % 5 == 0 {
            text.push(' ');
        }
        text.push(sign);
    }
    text
}

/// The table, at most 80 columns wide: marks first, so that columns align whatever the names are.
pub fn map(map: &ImpactMap) -> Report {
    const WIDTH: usize = 80;
    const BLOCK: usize = 40;
    let mut page = Report::from(map_facts(map));
    if map.tweaks.is_empty() {
        let text = "has no variants; columns can be named with --set DIAL=VALUE";
        page.put(format!("{} {text}", map.game));
        return page;
    }
    let numbers: Vec<usize> = (1..=map.tweaks.len()).collect();
    for block in numbers.chunks(BLOCK) {
        let mut lines = Vec::new();
        for unit in [100, 10, 1] {
            if unit > 1 && block.iter().all(|n| n / unit == 0) {
                continue;
            }
            let digit = |n: &usize| match (n / unit, unit) {
                (0, 10 | 100) => ' ',
                (rest, _) => char::from_digit((rest % 10) as u32, 10).unwrap_or(' '),
            };
            lines.push(grouped(block.iter().map(digit)).trim_end().to_owned());
        }
        // A scenario that no tweak changes is only counted.
        for row in map
            .rows
            .iter()
            .filter(|row| row.cells.iter().any(|c| c.mark != VerdictSign::Same))
        {
            let marks = grouped(
                block
                    .iter()
                    .map(|n| row.cells.get(n - 1).map_or(' ', |c| c.mark.sign())),
            );
            let name = row.scenario.strip_prefix("scenarios/").unwrap_or(&row.scenario);
            let name = name.strip_prefix(&format!("{}/", map.game)).unwrap_or(name);
            let name = name.strip_suffix(".toml").unwrap_or(name);
            let room = WIDTH.saturating_sub(marks.chars().count() + 2).max(8);
            lines.push(format!("{marks}  {}", shortened(name, room)));
        }
        page.append(Report::lines(lines));
    }
    let width = map.tweaks.iter().map(|t| t.to_string().chars().count()).max();
    let width = width.unwrap_or(0).min(36);
    let mut lines = Vec::new();
    for (index, variant) in map.tweaks.iter().enumerate() {
        let mut counts = String::new();
        for mark in &VerdictSign::ALL[1..] {
            match map.total(index, *mark) {
                0 => counts.push_str("      "),
                n => counts.push_str(&format!("{n:4} {}", mark.sign())),
            }
        }
        let name = shortened(&variant.to_string(), width);
        let line = format!("{:4} {name:width$} {counts}", index + 1);
        lines.push(line.trim_end().to_owned());
        if !map.with[index].is_empty() {
            lines.push(format!("     (on both sides: {})", map.with[index].join(", ")));
        }
    }
    page.append(Report::lines(lines));
    let meaning = |mark: VerdictSign| format!("{}  {}", mark.sign(), mark.meaning());
    page.append(Report::lines(VerdictSign::ALL.map(meaning)));
    let same = |row: &&super::MapRow| row.cells.iter().all(|c| c.mark == VerdictSign::Same);
    let left_out = match map.rows.iter().filter(same).count() {
        0 => String::new(),
        same => format!("; {same} without any difference are not listed"),
    };
    page.below(format!(
        "{} by {}{left_out}",
        counted(map.rows.len(), "scenario"),
        counted(map.tweaks.len(), "tweak")
    ));
    page
}

fn map_facts(map: &ImpactMap) -> Facts {
    let scenarios = map.rows.iter().map(|row| {
        let cells = row.cells.iter().zip(&map.tweaks).map(|(cell, layer)| {
            facts! { layer: layer.to_string(), verdict: cell.mark.word(), reason: &cell.why }
        });
        facts! { scenario: &row.scenario, verdicts: Cell::list(cells) }
    });
    let totals = map.tweaks.iter().enumerate().map(|(index, layer)| {
        let counts = VerdictSign::ALL
            .into_iter()
            .map(|mark| (mark.word(), map.total(index, mark)));
        let counts: Facts = counts.collect();
        facts! { layer: layer.to_string(), with: &map.with[index], counts: counts }
    });
    facts! { game: &map.game, scenarios: Cell::list(scenarios), layers: Cell::list(totals) }
}
