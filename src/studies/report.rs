//! The report on a rulebook's open notes: each with its script, the scenarios that it changes, what many games
//! measure of it, and where on the board it shows. Markdown and HTML are made from the same parts.

use super::compare::{self, Asked, Comparison, flips};
use super::measure::{Measure, Of};
use super::pairings::{self, How, Pairing};
use super::setting::{Desk, Setting, Wanted};
use crate::coverage::{Kind, Rulebook};
use crate::diff::{self, Mark};
use crate::kernel::rules::Rules;
use crate::picture::ground;
use crate::picture::svg::{self, Frame};
use crate::picture::{self, story::Span};
use crate::report::Problems;
use crate::scenario::file::ScenarioFile;
use crate::scenario::run::{self, Overrides};
use crate::script::workspace::Workspace;
use crate::snapshot;
use crate::suite;
use crate::tweaks::{Tweak, Tweaks, variant_path};
use std::fmt::Write as _;

/// At most so many games are looked at for maps of the board.
const MAPPED: u64 = 400;
/// At most so many scenarios are named.
const NAMED: usize = 8;

/// A part of a report.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// A heading, and how deep it is.
    Head(usize, String),
    /// A paragraph.
    Text(String),
    /// Text as it is written.
    Code(String),
    /// Rows with a head.
    Table(Vec<Vec<String>>),
    /// A picture, with what it shows.
    Picture(String, String),
}

/// What is asked.
pub struct Wish<'a> {
    /// The game.
    pub game: &'a str,
    /// Agents, each compared by itself, with how many games.
    pub agents: &'a [(String, u64)],
    /// The seed.
    pub seed: u64,
    /// The command that writes it.
    pub command: &'a str,
}

/// Writes the report.
///
/// # Errors
///
/// A game without a rulebook; tweaks that cannot be read or played.
pub fn report(workspace: &Workspace, wish: &Wish<'_>) -> Result<Vec<Part>, Problems> {
    let (rulebook, _) = Rulebook::read(workspace, wish.game)?;
    let tweaks = Tweaks::read(workspace, wish.game)?;
    Problems::check(tweaks.problems.clone())?;
    let of = |id: &str| -> Vec<&Tweak> {
        let own = tweaks
            .all
            .iter()
            .filter(|t| t.clause.as_deref() == Some(id) && t.reading.is_none());
        own.collect()
    };
    let notes: Vec<_> = rulebook.clauses.iter().filter(|c| c.kind == Kind::Todo).collect();
    let all: Vec<&Tweak> = notes.iter().flat_map(|c| of(&c.id)).collect();
    let columns = all.iter().map(|t| diff::Tweak::Variant(t.name.clone())).collect();
    let asked = diff::Comparison {
        tweaks: columns,
        ..diff::Comparison::default()
    };
    let map = if all.is_empty() {
        None
    } else {
        Some(diff::map(workspace, wish.game, &asked)?)
    };
    let changed = |name: &str| -> Vec<String> {
        let Some(column) = all.iter().position(|t| t.name == name) else {
            return Vec::new();
        };
        let rows = map.iter().flat_map(|m| &m.rows);
        let rows = rows.filter(|r| {
            let mark = r.cells.get(column).map(|c| c.mark);
            matches!(mark, Some(Mark::Outcome | Mark::Diverged))
        });
        rows.map(|r| r.scenario.clone()).collect()
    };
    let mut parts = vec![
        Part::Head(1, format!("{}: what its open notes change", rulebook.rulebook.title)),
        Part::Text(format!(
            "Each note that the rulebook leaves open ({}), as a script, measured by games between agents. Written by \
             `{}`.",
            rulebook.rulebook.source, wish.command
        )),
        Part::Text(
            "Games without and with a tweak have the same seeds, the same drawn armies, and are played in both seats. \
             Differences are told with intervals of 95 %; as changed counts what is sure among all measures of a \
             comparison (Holm). Random agents show what the rules allow, greedy ones a little of what players \
             would do; neither is a player."
                .to_owned(),
        ),
    ];
    let mut overview = vec![
        ["note", "tweak", "scenarios", "what changes"]
            .map(str::to_owned)
            .to_vec(),
    ];
    let mut details = Vec::new();
    for clause in &notes {
        let own = of(&clause.id);
        details.push(Part::Head(2, clause.id.clone()));
        details.push(Part::Text(format!("The note: {}", clause.says)));
        if own.is_empty() {
            details.push(Part::Text("No tweak plays it yet.".to_owned()));
            overview.push(vec![
                clause.id.clone(),
                "none yet".to_owned(),
                String::new(),
                String::new(),
            ]);
        }
        for tweak in own {
            let changed = changed(&tweak.name);
            let found = compared(workspace, wish, &tweaks, tweak)?;
            overview.push(vec![
                clause.id.clone(),
                tweak.name.clone(),
                changed.len().to_string(),
                gist(&found),
            ]);
            details.extend(detail(workspace, wish, &tweaks, tweak, &changed, &found)?);
        }
    }
    parts.push(Part::Table(overview));
    parts.extend(details);
    Ok(parts)
}

fn overrides(tweaks: &Tweaks, tweak: &Tweak) -> Overrides {
    let mut variants = vec![tweak.name.clone()];
    variants.extend(tweaks.required(&tweak.name));
    Overrides {
        variants,
        ..Overrides::default()
    }
}

fn settings(
    workspace: &Workspace,
    wish: &Wish<'_>,
    tweak: &Overrides,
    agent: &str,
    games: u64,
) -> Result<[Setting; 2], Problems> {
    let file = ScenarioFile::new(wish.game);
    let wanted = Wanted {
        agents: vec![agent.to_owned()],
        seed: Some(wish.seed),
        games,
        ..Wanted::default()
    };
    let base = Setting::new(workspace, &file, &Overrides::default(), &wanted)?;
    let mut with = Setting::new(workspace, &file, tweak, &wanted)?;
    with.swap = base.swap;
    Ok([base, with])
}

fn compared(
    workspace: &Workspace,
    wish: &Wish<'_>,
    tweaks: &Tweaks,
    tweak: &Tweak,
) -> Result<Vec<Comparison>, Problems> {
    let with = overrides(tweaks, tweak);
    let mut all = Vec::new();
    for (agent, games) in wish.agents {
        let [base, tweak] = settings(workspace, wish, &with, agent, *games)?;
        let asked = Asked {
            base,
            tweak,
            measures: Vec::new(),
            stop_early: false,
            threads: None,
        };
        all.push(compare::compare(workspace, &asked)?);
    }
    Ok(all)
}

/// What is sure, in a few words: of the game first, then the win shares of unit types.
fn gist(all: &[Comparison]) -> String {
    let mut told = Vec::new();
    for found in all {
        let sure: Vec<&str> = found
            .rows
            .iter()
            .filter(|r| r.changed && r.is_of_note())
            .map(|r| r.verdict.as_str())
            .collect();
        let says = match sure.is_empty() {
            true => "nothing sure".to_owned(),
            false => sure.join("; "),
        };
        told.push(format!("{} agents: {says}", found.agents));
    }
    told.join(". ")
}

impl compare::Row {
    /// Whether it is one of the measures that are told first.
    pub fn is_of_note(&self) -> bool {
        match self.measure() {
            Measure::Unit(_, of) => *of == Of::WinShare,
            Measure::Decisions => false,
            _ => true,
        }
    }
}

fn detail(
    workspace: &Workspace,
    wish: &Wish<'_>,
    tweaks: &Tweaks,
    tweak: &Tweak,
    changed: &[String],
    found: &[Comparison],
) -> Result<Vec<Part>, Problems> {
    let mut parts = vec![Part::Head(3, tweak.name.clone())];
    let because = tweak
        .reason
        .as_ref()
        .map_or_else(String::new, |r| format!(" because: {r}"));
    parts.push(Part::Text(format!(
        "{} Its state: {}.{because}",
        tweak.note,
        tweak.state.name()
    )));
    match tweak.dial {
        true => parts.push(Part::Text(format!(
            "It turns a dial: {}.",
            tweak.patches.join(", ")
        ))),
        false => {
            let script = workspace.read(&variant_path(wish.game, &tweak.name))?;
            parts.push(Part::Code(script.text.trim_end().to_owned()));
        }
    }
    let names: Vec<&str> = changed.iter().take(NAMED).map(|p| snapshot::stem(p)).collect();
    let more = match changed.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    parts.push(Part::Text(match changed.len() {
        0 => "It changes the outcome of no scenario.".to_owned(),
        n => format!(
            "It changes the outcome of {n} scenarios: {}{more}.",
            names.join(", ")
        ),
    }));
    for comparison in found {
        parts.push(Part::Text(format!(
            "{} agents, {} games without and as many with it, of which {} go otherwise:",
            comparison.agents, comparison.games, comparison.other_games
        )));
        let mut rows = vec![
            ["", "without", "with", "95 % interval of the change", ""]
                .map(str::to_owned)
                .to_vec(),
        ];
        let told = comparison.rows.iter().filter(|r| r.changed || r.is_of_note());
        rows.extend(told.map(compare::Row::cells));
        parts.push(Part::Table(rows));
        parts.extend(comparison.warning.clone().map(Part::Text));
    }
    parts.extend(flips(found).into_iter().map(Part::Text));
    parts.extend(maps(workspace, wish, &overrides(tweaks, tweak))?);
    parts.extend(
        changed
            .first()
            .and_then(|path| picture_of(workspace, path, tweaks, tweak)),
    );
    Ok(parts)
}

/// Where units stand and where they fall, without and with a tweak.
fn maps(workspace: &Workspace, wish: &Wish<'_>, tweak: &Overrides) -> Result<Vec<Part>, Problems> {
    let games = wish.agents.first().map_or(0, |a| a.1).min(MAPPED);
    let agent = wish.agents.first().map_or("random", |a| a.0.as_str());
    let settings = settings(workspace, wish, tweak, agent, games.max(1))?;
    let rules = std::rc::Rc::clone(&Desk::lay(workspace, &settings[0])?.host().rules);
    let places = rules.board.len();
    let factions = rules.factions.len();
    let mut sums = vec![[0.0f64; 2]; 2 * places];
    let how = How {
        watch: true,
        what: "seeds for maps".to_owned(),
        ..How::default()
    };
    let take = |pairing: &Pairing| {
        for (side, played) in pairing.games.iter().enumerate() {
            for seen in played.iter().filter_map(|g| g.seen.as_ref()) {
                for place in 0..places {
                    let there = &seen.presence[place * factions..(place + 1) * factions];
                    sums[place][side] += f64::from(there.iter().sum::<u32>());
                    sums[places + place][side] += f64::from(seen.removals[place]);
                }
            }
        }
        true
    };
    pairings::play(workspace, &settings, &how, take, String::new)?;
    let (presence, removals) = sums.split_at(places);
    let mut parts = Vec::new();
    for (what, values) in [
        ("where units stand as rounds begin", presence),
        ("where units are removed", removals),
    ] {
        // On boards without places there is nothing to colour.
        if places == 0 || values.iter().flatten().all(|v| *v == 0.0) {
            continue;
        }
        let a_game = |side: usize| {
            values
                .iter()
                .map(|v| v[side] / games.max(1) as f64)
                .collect::<Vec<_>>()
        };
        let (without, with) = (a_game(0), a_game(1));
        let change: Vec<f64> = without.iter().zip(&with).map(|(a, b)| b - a).collect();
        for (name, values) in [("without it", without), ("the change with it", change)] {
            parts.push(Part::Picture(
                heat(&rules, &values),
                format!("{what}, {name}, a game ({games} games, {agent} agents)"),
            ));
        }
    }
    Ok(parts)
}

/// A board whose places are coloured by a number: more is red, less than nothing is blue.
fn heat(rules: &Rules, values: &[f64]) -> String {
    let (spots, (width, height)) = ground::spots(&rules.board);
    let most = values.iter().map(|v| v.abs()).fold(f64::MIN_POSITIVE, f64::max);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-2 -2 {} {}\" width=\"260\" role=\"img\" \
         font-family=\"sans-serif\" font-size=\"13\" text-anchor=\"middle\">",
        svg::n(width + 4.0),
        svg::n(height + 4.0)
    );
    for (spot, value) in spots.iter().zip(values) {
        let corners: Vec<String> = spot
            .outline
            .iter()
            .map(|p| format!("{},{}", svg::n(p.x), svg::n(p.y)))
            .collect();
        let pale = 255.0 - 160.0 * value.abs() / most;
        let colour = match *value >= 0.0 {
            true => format!("rgb(255,{pale:.0},{pale:.0})"),
            false => format!("rgb({pale:.0},{pale:.0},255)"),
        };
        // Writing into a text cannot fail.
        let _ = write!(
            svg,
            "<polygon points=\"{}\" fill=\"{colour}\" stroke=\"#999\"/><text x=\"{}\" y=\"{}\">{}</text>",
            corners.join(" "),
            svg::n(spot.centre.x),
            svg::n(spot.centre.y + 4.0),
            compare::short(*value)
        );
    }
    svg.push_str("</svg>");
    svg
}

/// How a scenario stands at its end with a tweak.
fn picture_of(workspace: &Workspace, path: &str, tweaks: &Tweaks, tweak: &Tweak) -> Option<Part> {
    let opened = suite::open(workspace, path).ok()?;
    let ran = run::run(workspace, &opened, &overrides(tweaks, tweak)).ok()?;
    let scene = picture::of_play(&ran.play, Span::Phase);
    let title = ran
        .file
        .title
        .as_ref()
        .map_or_else(String::new, |t| t.value.clone());
    let (picture, _) = svg::document(&scene, Frame::Board);
    Some(Part::Picture(
        picture,
        format!("{} with it: {title}", snapshot::stem(path)),
    ))
}

/// The report as Markdown; pictures are only named.
pub fn markdown(parts: &[Part]) -> String {
    let mut text = String::new();
    let cell = |c: &String| c.replace('|', "\\|");
    for part in parts {
        let _ = match part {
            Part::Head(deep, head) => writeln!(text, "{} {head}\n", "#".repeat(*deep)),
            Part::Text(words) => writeln!(text, "{words}\n"),
            Part::Code(code) => writeln!(text, "```rhai norun\n{code}\n```\n"),
            Part::Table(rows) => {
                for (index, row) in rows.iter().enumerate() {
                    let cells: Vec<String> = row.iter().map(cell).collect();
                    let _ = writeln!(text, "| {} |", cells.join(" | "));
                    if index == 0 {
                        let _ = writeln!(text, "|{}", "---|".repeat(row.len()));
                    }
                }
                writeln!(text)
            }
            Part::Picture(_, shows) => writeln!(text, "(a picture on the page: {shows})\n"),
        };
    }
    text.trim_end().to_owned() + "\n"
}

/// A text with what stands between backticks as code.
fn marked(text: &str) -> String {
    let pieces: Vec<&str> = text.split('`').collect();
    // One that nothing closes is itself.
    if pieces.len().is_multiple_of(2) {
        return text.to_owned();
    }
    let mark = |(nth, piece): (usize, &&str)| match nth % 2 {
        0 => (*piece).to_owned(),
        _ => format!("<code>{piece}</code>"),
    };
    pieces.iter().enumerate().map(mark).collect()
}

/// The report as one page that needs nothing else.
pub fn html(parts: &[Part]) -> String {
    let escaped = picture::page::escaped;
    let title = parts.iter().find_map(|p| match p {
        Part::Head(1, head) => Some(head.clone()),
        _ => None,
    });
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{}</title>\n<style>\n\
         body {{ font: 16px/1.5 sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; color: #222; }}\n\
         table {{ border-collapse: collapse; margin: 1em 0; font-size: 14px; display: block; overflow-x: auto; }}\n\
         td, th {{ border: 1px solid #ccc; padding: 3px 8px; text-align: left; vertical-align: top; }}\n\
         pre {{ background: #f5f3ee; padding: 1em; overflow-x: auto; }}\n\
         figure {{ display: inline-block; margin: 0 1em 1em 0; vertical-align: top; max-width: 270px; }}\n\
         figure svg {{ max-width: 100%; height: auto; }}\nfigcaption {{ font-size: 13px; }}\n</style></head><body>\n",
        escaped(&title.unwrap_or_default())
    );
    for part in parts {
        let _ = match part {
            Part::Head(deep, head) => writeln!(text, "<h{deep}>{}</h{deep}>", escaped(head)),
            Part::Text(words) => writeln!(text, "<p>{}</p>", marked(&escaped(words))),
            Part::Code(code) => writeln!(text, "<pre>{}</pre>", escaped(code)),
            Part::Table(rows) => {
                text.push_str("<table>\n");
                for (index, row) in rows.iter().enumerate() {
                    let tag = if index == 0 { "th" } else { "td" };
                    let cells = row
                        .iter()
                        .map(|c| format!("<{tag}>{}</{tag}>", marked(&escaped(c))));
                    let _ = writeln!(text, "<tr>{}</tr>", cells.collect::<String>());
                }
                writeln!(text, "</table>")
            }
            Part::Picture(svg, shows) => {
                writeln!(
                    text,
                    "<figure>{svg}<figcaption>{}</figcaption></figure>",
                    escaped(shows)
                )
            }
        };
    }
    text.push_str("</body></html>\n");
    text
}
