//! The report on a rulebook's open notes: each with its script, the scenarios that it changes, what many games
//! measure of it, and where on the board it shows.

use super::compare::{CompareOptions, Comparison, compare, flips};
use crate::diff::{self, VerdictSign};
use crate::experiment::Experiment;
use crate::experiment::arm::{Arm, ArmOptions, Look};
use crate::experiment::change::Change;
use crate::experiment::measure::Measure;
use crate::experiment::problems::stopped_early;
use crate::kernel::rules::Rules;
use crate::lines::{counted, listed};
use crate::picture::chart::{self, ChartPoint};
use crate::picture::ink;
use crate::picture::svg::{self, PictureExtent};
use crate::picture::{self, ground, story::Span};
use crate::report::{Problem, Problems};
use crate::reports::web::CELL;
use crate::reports::{Report, ReportPart, ReportTable};
use crate::rulebook::{Clause, ClauseKind, Rulebook};
use crate::rules::register::variant_path;
use crate::rules::workspace::Workspace;
use crate::ruleset_cache::RulesetCache;
use crate::scenario::file::ScenarioFile;
use crate::stage::run::{self, Overrides};
use crate::variants::{Tweak, Tweaks};
use crate::work::Task;
use crate::{snapshot, suite};
use std::fmt::Write as _;
use std::sync::Arc;

/// At most so many games are looked at for maps of the board.
const MAPPED: u64 = 400;
/// At most so many scenarios are named.
const NAMED: usize = 8;

/// Request for a report.
pub struct ReportRequest<'a> {
    /// The game.
    pub game: &'a str,
    /// Agents, each compared by itself, with how many games.
    pub agents: &'a [(String, u64)],
    /// The seed.
    pub seed: u64,
    /// The command that writes it.
    pub command: &'a str,
}

/// Returns an error if the work was stopped, since partial results are not reported.
fn go_on(course: &Task) -> Result<(), Problem> {
    match course.is_stopped() {
        true => Err(stopped_early()),
        false => Ok(()),
    }
}

/// Writes the report.
///
/// # Errors
///
/// A game without a rulebook; tweaks that cannot be read or played; somebody stopped it.
pub fn report(workspace: &Workspace, wish: &ReportRequest<'_>) -> Result<Report, Problems> {
    let (rulebook, _) = Rulebook::read(workspace, wish.game)?;
    let variants = Tweaks::read(workspace, wish.game)?;
    Problems::check(variants.problems.clone())?;
    let is_note = |c: &&Clause| matches!(c.kind, ClauseKind::Todo | ClauseKind::Idea);
    let has_notes = rulebook.clauses.iter().any(|c| is_note(&c));
    // A rulebook that leaves no note open leaves rulings open all the same: other readings of them.
    let of = |id: &str| -> Vec<&Tweak> {
        let own = variants.all.iter().filter(|t| t.clause.as_deref() == Some(id));
        own.filter(|t| t.reading.is_none() == has_notes).collect()
    };
    let is_open = |c: &&Clause| {
        if has_notes {
            is_note(c)
        } else {
            !of(&c.id).is_empty()
        }
    };
    let notes: Vec<&Clause> = rulebook.clauses.iter().filter(is_open).collect();
    let all: Vec<&Tweak> = notes.iter().flat_map(|c| of(&c.id)).collect();
    let columns = all
        .iter()
        .map(|t| diff::Addition::Variant(t.name.clone()))
        .collect();
    let request = diff::Comparison {
        tweaks: columns,
        ..diff::Comparison::default()
    };
    let course = workspace.work().begin("tweaks", Some(all.len()));
    let map = if all.is_empty() {
        None
    } else {
        Some(diff::map(workspace, wish.game, &request)?)
    };
    go_on(&course)?;
    let changed = |name: &str| -> Vec<String> {
        let Some(column) = all.iter().position(|t| t.name == name) else {
            return Vec::new();
        };
        let rows = map.iter().flat_map(|m| &m.rows);
        let rows = rows.filter(|r| {
            let mark = r.cells.get(column).map(|c| c.mark);
            matches!(mark, Some(VerdictSign::Outcome | VerdictSign::Diverged))
        });
        rows.map(|r| r.scenario.clone()).collect()
    };
    let swaps = match wish.agents.first() {
        Some((agent, games)) => arm(workspace, wish, &Overrides::default(), agent, *games)?.swap,
        None => false,
    };
    let seats = match swaps {
        true => ", the same drawn armies, and are played in both seats",
        false => "",
    };
    let (what, each) = match has_notes {
        true => ("its open notes", "Each note that the rulebook leaves open"),
        false => (
            "other readings",
            "The rulebook leaves no note open; each other reading of a ruling that has a script",
        ),
    };
    go_on(&course)?;
    let mut parts = vec![
        ReportPart::Head(1, format!("{}: what {what} change", rulebook.rulebook.title)),
        ReportPart::Text(format!(
            "{each} ({}), measured by games between agents. Written by `{}`.",
            rulebook.rulebook.source, wish.command
        )),
        ReportPart::Text(format!(
            "Games without and with a tweak have the same seeds{seats}. Differences are told with intervals of \
             95 %; as changed counts what is sure among all measures of a comparison (Holm). Random agents show \
             what the rules allow, greedy ones a little of what players would do; neither is a player."
        )),
    ];
    let mut conclusions = Conclusions::default();
    let mut overview = ReportTable::headed(["note", "tweak", "scenarios", "what changes"]);
    let mut details = Vec::new();
    let mut first = Vec::new();
    let as_it_is = Overrides::default();
    let base = match all.is_empty() {
        true => None,
        false => Maps::of(workspace, wish, &as_it_is)?,
    };
    let adopted = RulesetCache::new(workspace).adopted(wish.game)?;
    for clause in &notes {
        let own = of(&clause.id);
        details.push(ReportPart::Head(2, clause.id.clone()));
        let called = if has_notes { "The note" } else { "The ruling" };
        details.push(ReportPart::Text(format!("{called}: {}", clause.says)));
        if own.is_empty() {
            conclusions.unplayed.push(clause.id.clone());
            details.push(ReportPart::Text("No tweak plays it yet.".to_owned()));
            overview.push([clause.id.as_str(), "none yet", "", ""]);
        }
        for variant in own {
            go_on(&course)?;
            let changed = changed(&variant.name);
            let sides = Sides::of(wish, &variants, variant, &adopted);
            let found = sides.compared(workspace, wish)?;
            conclusions.add(&variant.name, changed.is_empty(), &found);
            overview.push([
                clause.id.clone(),
                variant.name.clone(),
                changed.len().to_string(),
                gist(&found),
            ]);
            for (group, comparison) in found.iter().enumerate() {
                let change = comparison.change(&Measure::First);
                first
                    .extend(change.map(|change| {
                        bar(format!("{}, {}", variant.name, comparison.agents), group, change)
                    }));
            }
            if let Some(reading) = variant.reading.and_then(|r| clause.readings.get(r - 1)) {
                details.push(ReportPart::Text(format!("The other reading: {reading}")));
            }
            details.extend(detail(workspace, wish, variant, &sides, &changed, &found)?);
            if let Some(base) = &base {
                let own = match sides.without == as_it_is {
                    true => None,
                    false => Maps::of(workspace, wish, &sides.without)?,
                };
                let with = Maps::of(workspace, wish, &sides.with)?;
                details.extend(
                    with.iter()
                        .flat_map(|with| with.changes(own.as_ref().unwrap_or(base))),
                );
            }
            go_on(&course)?;
            course.step();
        }
    }
    parts.insert(1, ReportPart::Table(conclusions.table()));
    parts.push(ReportPart::Table(overview));
    if !first.is_empty() {
        parts.push(ReportPart::Chart(
            chart::bars(&first, "points that the first faction wins more often with it"),
            "How much more often the first faction wins with each, with 95 % intervals".to_owned(),
        ));
    }
    parts.extend(base.iter().flat_map(Maps::levels));
    parts.extend(details);
    Ok(parts.into_iter().collect())
}

/// The game without and with a tweak: what it requires is on either side.
struct Sides {
    without: Overrides,
    with: Overrides,
}

impl Sides {
    fn of(wish: &ReportRequest<'_>, variants: &Tweaks, variant: &Tweak, adopted: &[String]) -> Self {
        let file = ScenarioFile::new(wish.game);
        let name = diff::Addition::Variant(variant.name.clone());
        let comparison = diff::Comparison::default().of_one(&name, &variants.required(&variant.name));
        Self {
            without: comparison.without(&file, adopted),
            with: comparison.with(&file, adopted, &comparison.all()),
        }
    }

    fn compared(&self, workspace: &Workspace, wish: &ReportRequest<'_>) -> Result<Vec<Comparison>, Problems> {
        let comparison = |(agent, games): &(String, u64)| {
            let sides = [&self.without, &self.with].into_iter();
            let arms = sides.map(|side| arm(workspace, wish, side, agent, *games));
            let experiment = Experiment::new(workspace, arms.collect::<Result<_, _>>()?, None)?;
            compare(&experiment, &CompareOptions::default())
        };
        wish.agents.iter().map(comparison).collect()
    }
}

fn arm(
    workspace: &Workspace,
    wish: &ReportRequest<'_>,
    overrides: &Overrides,
    agent: &str,
    games: u64,
) -> Result<Arm, Problems> {
    let file = ScenarioFile::new(wish.game);
    let wanted = ArmOptions {
        agents: vec![agent.to_owned()],
        seed: Some(wish.seed),
        games,
        ..ArmOptions::default()
    };
    Arm::new(workspace, &file, overrides, &wanted)
}

/// The conclusions of a report: names of tweaks by what they change, and of notes.
#[derive(Default)]
struct Conclusions {
    /// Tweaks that surely change the game or the win share of a unit type, with some agent.
    sure: Vec<String>,
    /// Tweaks that surely change neither with any agent.
    unsure: Vec<String>,
    /// Tweaks that change the outcome of no scenario.
    in_no_scenario: Vec<String>,
    /// Notes without a tweak.
    unplayed: Vec<String>,
    /// The greatest sure change of the wins of the first faction: its size and its description.
    first: Option<(f64, String)>,
}

impl Conclusions {
    fn add(&mut self, name: &str, in_no_scenario: bool, all: &[Comparison]) {
        let is_sure = all.iter().any(|found| sure(found).next().is_some());
        let list = if is_sure { &mut self.sure } else { &mut self.unsure };
        list.push(name.to_owned());
        if in_no_scenario {
            self.in_no_scenario.push(name.to_owned());
        }
        for found in all {
            let change = found.change(&Measure::First).filter(|change| change.changed);
            let size = |change: &Change| change.found.change.value.abs();
            let greatest = self.first.as_ref().map_or(0.0, |(size, _)| *size);
            if let Some(change) = change.filter(|change| size(change) > greatest) {
                let says = format!("{name}: {} ({} agents)", change.verdict, found.agents);
                self.first = Some((size(change), says));
            }
        }
    }

    /// Returns the table of the conclusions, in five rows.
    fn table(&self) -> ReportTable {
        let named = |names: &[String]| match names {
            [] => "none".to_owned(),
            names => listed(names, NAMED),
        };
        let first = self.first.as_ref();
        let mut table = ReportTable::headed(["conclusion", ""]);
        table.push(["surely change the game or a win share", &named(&self.sure)]);
        table.push([
            "changes the first faction's wins most",
            first.map_or("none is sure", |(_, says)| says),
        ]);
        table.push(["cannot tell yet: nothing is sure", &named(&self.unsure)]);
        table.push(["change the outcome of no scenario", &named(&self.in_no_scenario)]);
        table.push(["notes that no tweak plays", &named(&self.unplayed)]);
        table
    }
}

/// Returns the sure changes of the game and of the win shares of unit types.
fn sure(found: &Comparison) -> impl Iterator<Item = &Change> {
    let changes = found.changes.iter();
    changes.filter(|change| change.changed && change.is_of_note())
}

/// Summarizes the sure results in a few words: first those of the game, then the win shares of unit types.
fn gist(all: &[Comparison]) -> String {
    let mut parts = Vec::new();
    for found in all {
        let sure: Vec<&str> = sure(found).map(|change| change.verdict.as_str()).collect();
        let says = match (sure.is_empty(), found.lone_seed()) {
            (_, Some(_)) => "one pair of games gives no interval".to_owned(),
            (true, None) => "nothing sure".to_owned(),
            (false, None) => sure.join("; "),
        };
        parts.push(format!("{} agents: {says}", found.agents));
    }
    parts.join(". ")
}

fn detail(
    workspace: &Workspace,
    wish: &ReportRequest<'_>,
    variant: &Tweak,
    sides: &Sides,
    changed: &[String],
    found: &[Comparison],
) -> Result<Vec<ReportPart>, Problems> {
    let mut parts = vec![ReportPart::Head(3, variant.name.clone())];
    let because = variant
        .reason
        .as_ref()
        .map_or_else(String::new, |r| format!(" because: {r}"));
    parts.push(ReportPart::Text(format!(
        "{} Its state: {}.{because}",
        variant.note,
        variant.state.name()
    )));
    match variant.dial {
        true => parts.push(ReportPart::Text(format!(
            "It turns a dial: {}.",
            variant.patches.join(", ")
        ))),
        false => {
            let script = workspace.read(&variant_path(wish.game, &variant.name))?;
            parts.push(ReportPart::Code(script.text.trim_end().to_owned()));
        }
    }
    let names: Vec<&str> = changed.iter().map(|p| snapshot::stem(p)).collect();
    parts.push(ReportPart::Text(match names.len() {
        0 => "It changes the outcome of no scenario.".to_owned(),
        n => format!(
            "It changes the outcome of {}: {}.",
            counted(n, "scenario"),
            listed(&names, NAMED)
        ),
    }));
    for comparison in found {
        let mut rows = ReportTable::headed(Change::columns([
            "without",
            "with",
            "95 % interval of the change",
        ]));
        let notable = comparison.changes.iter().filter(|r| r.changed || r.is_of_note());
        notable.for_each(|row| rows.push(row.cells()));
        let end = match comparison.lone_seed() {
            Some(why) => format!("; {why}."),
            None if rows.is_empty() => ".".to_owned(),
            None => ":".to_owned(),
        };
        parts.push(ReportPart::Text(format!(
            "{} agents, {} without and as many with it, of which {} go otherwise{end}",
            comparison.agents,
            counted(comparison.games as usize, "game"),
            comparison.other_games,
        )));
        if !rows.is_empty() {
            parts.push(ReportPart::Table(rows));
        }
        parts.extend(comparison.warning.clone().map(ReportPart::Text));
    }
    parts.extend(flips(found).into_iter().map(ReportPart::Text));
    let mut bars = Vec::new();
    for (group, comparison) in found.iter().enumerate() {
        let shares = comparison
            .changes
            .iter()
            .filter(|r| r.measure.is_share() && r.is_of_note());
        bars.extend(shares.map(|row| {
            (
                row.measure.clone(),
                bar(
                    format!("{}, {}", row.measure.name(), comparison.agents),
                    group,
                    row,
                ),
            )
        }));
    }
    // What is measured by several agents stands together.
    let order: Vec<&Measure> = found
        .iter()
        .flat_map(|c| &c.changes)
        .map(|r| &r.measure)
        .collect();
    bars.sort_by_key(|(measure, _)| order.iter().position(|m| *m == measure));
    let bars: Vec<ChartPoint> = bars.into_iter().map(|(_, bar)| bar).collect();
    if !bars.is_empty() {
        parts.push(ReportPart::Chart(
            chart::bars(&bars, "points more with it"),
            format!(
                "What {} changes, in points of per cent, with 95 % intervals",
                variant.name
            ),
        ));
    }
    if let Some(path) = changed.first() {
        parts.extend(picture_of(workspace, path, "without", &sides.without));
        parts.extend(picture_of(workspace, path, "with", &sides.with));
    }
    Ok(parts)
}

/// A row of a chart, in points of per cent.
fn bar(label: String, group: usize, row: &Change) -> ChartPoint {
    ChartPoint {
        label,
        group,
        value: row.found.change.value * 100.0,
        range: (row.interval.low * 100.0, row.interval.high * 100.0),
    }
}

/// Names of the quantities that are reported by place.
const MAPS: [&str; 3] = [
    "units as rounds begin",
    "units that fall there",
    "units that fall to one who stands there",
];

/// Units that stand, fall and make others fall, by place, as means per game.
struct Maps {
    rules: Arc<Rules>,
    values: [Vec<f64>; 3],
    /// Over which games.
    games: String,
}

impl Maps {
    /// Those of the last agent that is asked, the strongest; none on boards without places.
    fn of(
        workspace: &Workspace,
        wish: &ReportRequest<'_>,
        overrides: &Overrides,
    ) -> Result<Option<Self>, Problems> {
        let Some((agent, games)) = wish.agents.last() else {
            return Ok(None);
        };
        let games = (*games).min(MAPPED);
        let arms = vec![arm(workspace, wish, overrides, agent, games)?];
        let mut experiment = Experiment::new(workspace, arms, None)?;
        experiment.look = Look::Rounds;
        let rules = Arc::clone(&experiment.starts[0].0.rules);
        let (places, factions) = (rules.board.len(), rules.factions.len());
        if places == 0 {
            return Ok(None);
        }
        let mut sums = [(); 3].map(|()| vec![0.0f64; places]);
        let mut played = 0u32;
        experiment.seeds("games for maps", |seed| {
            played += seed[0].len() as u32;
            for seen in seed[0].iter().filter_map(|game| game.seen.as_ref()) {
                for place in 0..places {
                    let there = &seen.presence[place * factions..(place + 1) * factions];
                    let counts = [there.iter().sum(), seen.removals[place], seen.kills[place]];
                    let sums = sums.iter_mut().zip(counts);
                    sums.for_each(|(sum, count)| sum[place] += f64::from(count));
                }
            }
            true
        })?;
        let per_game = |all: Vec<f64>| all.into_iter().map(|v| v / f64::from(played.max(1))).collect();
        Ok(Some(Self {
            rules,
            values: sums.map(per_game),
            games: format!("{played} games, {agent} agents"),
        }))
    }

    fn pictures(&self, values: &[Vec<f64>; 3], told: &str) -> Vec<ReportPart> {
        let told = |(values, what): (&Vec<f64>, &str)| {
            let most = values.iter().fold(0.0f64, |most, v| most.max(v.abs()));
            (most > 0.0).then(|| {
                let shows = format!("{what}, in the mean of a game{told} ({})", self.games);
                ReportPart::Picture(heat(&self.rules, values), shows)
            })
        };
        values.iter().zip(MAPS).filter_map(told).collect()
    }

    /// As it is.
    fn levels(&self) -> Vec<ReportPart> {
        self.pictures(&self.values, ", as the rules are")
    }

    /// Returns pictures of the differences made by a variant or dial.
    fn changes(&self, base: &Self) -> Vec<ReportPart> {
        let less = |index: usize| {
            self.values[index]
                .iter()
                .zip(&base.values[index])
                .map(|(a, b)| a - b)
                .collect()
        };
        self.pictures(
            &[less(0), less(1), less(2)],
            ": more (red) or less (blue) with it",
        )
    }
}

/// A board whose places are coloured by a number: more is red, less than nothing is blue.
fn heat(rules: &Rules, values: &[f64]) -> String {
    let (spots, (width, height)) = ground::spots(&rules.board);
    let most = values.iter().map(|v| v.abs()).fold(f64::MIN_POSITIVE, f64::max);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-2 -2 {} {}\" width=\"260\" role=\"img\" \
         font-family=\"sans-serif\" font-size=\"20\" text-anchor=\"middle\">\n",
        ink::n(width + 4.0),
        ink::n(height + 4.0)
    );
    for (spot, value) in spots.iter().zip(values) {
        let corners: Vec<String> = spot
            .outline
            .iter()
            .map(|p| format!("{},{}", ink::n(p.x), ink::n(p.y)))
            .collect();
        let pale = 255.0 - 160.0 * value.abs() / most;
        let colour = match *value >= 0.0 {
            true => format!("rgb(255,{pale:.0},{pale:.0})"),
            false => format!("rgb({pale:.0},{pale:.0},255)"),
        };
        // Writing into a text cannot fail.
        let _ = writeln!(
            svg,
            "<g fill=\"{colour}\">\n{CELL}>\n<polygon points=\"{}\" stroke=\"#999\"/>\n</g>\n</g>\n\
             <text x=\"{}\" y=\"{}\">{}</text>",
            corners.join(" "),
            ink::n(spot.centre.x),
            ink::n(spot.centre.y + 4.0),
            // More digits are nothing but noise.
            if value.abs() < most / 50.0 {
                "0".to_owned()
            } else {
                format!("{value:.2}")
            }
        );
    }
    svg.push_str("</svg>");
    svg
}

/// Draws the end of a scenario, without or with a variant or dial.
fn picture_of(workspace: &Workspace, path: &str, how: &str, overrides: &Overrides) -> Option<ReportPart> {
    let opened = suite::open(workspace, path).ok()?;
    let mut ran = run::run(workspace, &opened, overrides).ok()?;
    let scene = picture::of_play(&mut ran.play, Span::Phase);
    let title = ran
        .file
        .title
        .as_ref()
        .map_or_else(String::new, |t| t.value.clone());
    let (picture, _) = svg::document(&scene, PictureExtent::Board);
    Some(ReportPart::Picture(
        picture,
        format!("{} {how} it: {title}", snapshot::stem(path)),
    ))
}
