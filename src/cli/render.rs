//! `rulebench render`: a scenario's or transcript's board as a picture.

use super::changes::Changes;
use super::{OK, print_data, problems, replay, show_report};
use crate::files::write_named;
use crate::kernel::world::World;
use crate::picture::file::{Format, save};
use crate::picture::scene::Scene;
use crate::picture::story::Span;
use crate::picture::svg::PictureExtent;
use crate::picture::{self, svg};
use crate::play::Play;
use crate::reach_report::{self, ReachReport};
use crate::report::{Problem, Problems, hint_for};
use crate::reports::{Cell, Report};
use crate::rules::workspace::Workspace;
use crate::stage::moment::PhaseStop;
use crate::stage::run::{self, OpenedFile, Overrides, PlayStop, PlayedScenario};
use crate::suite;
use crate::work::Work;
use clap::Args;
use std::path::Path;

/// The arguments of `render`.
#[derive(Args)]
pub(super) struct RenderArgs {
    /// A scenario or a transcript
    scenario: String,
    /// The file to write: .svg, .png or .html; `-` prints it. By default it is called after the scenario
    /// and what is marked
    #[arg(long, short, value_name = "FILE")]
    out: Option<String>,
    /// The moment: a phase such as "round 2" or "end of first turn", or the number of an event; by default the end
    #[arg(long, value_name = "PHASE|EVENT")]
    at: Option<String>,
    /// Span of earlier events to show with arrows: none, step, phase, round or all
    #[arg(long, value_name = "SPAN", default_value = "phase")]
    arrows: String,
    /// Mark where a unit can go
    #[arg(long, value_name = "UNIT", conflicts_with_all = ["threat", "measure"])]
    reach: Option<String>,
    /// Mark what a faction could hit and where it could go
    #[arg(long, value_name = "FACTION", conflicts_with = "measure")]
    threat: Option<String>,
    /// Draw the distance between two things on a table top, and sight
    #[arg(long, num_args = 2, value_names = ["A", "B"])]
    measure: Vec<String>,
    /// The scale of a PNG: 1 for screens, 2 or 3 for print
    #[arg(long, value_name = "N", default_value_t = 1.0)]
    scale: f64,
    /// Draw a table top at its true size, to print and play on: SVG in millimetres
    #[arg(long, conflicts_with = "scale")]
    true_size: bool,
    /// Write a page that replays the game, .html
    #[arg(long, conflicts_with_all = ["at", "arrows", "reach", "threat", "measure", "scale", "true_size"])]
    html: bool,
    /// Show a second board on that page, played with this variant instead of `--variant`
    #[arg(long, value_name = "VARIANT|DIAL=VALUE")]
    beside: Vec<String>,
    #[command(flatten)]
    changes: Changes,
    /// Print JSON: the file, and everything in the picture
    #[arg(long)]
    json: bool,
}

impl RenderArgs {
    /// Whether a page is asked for: in words, by the file's name, or by what only a page has.
    fn wants_page(&self) -> bool {
        let named = self.out.as_deref().is_some_and(|out| out.ends_with(".html"));
        self.html || named || !self.beside.is_empty()
    }

    /// Returns the part of a default file name behind the name of the scenario: the moment, and the marks.
    fn behind_name(&self) -> String {
        let options = [("at", &self.at), ("reach", &self.reach), ("threat", &self.threat)];
        let words = options
            .into_iter()
            .filter_map(|(what, of)| Some([what, of.as_deref()?]))
            .flatten();
        let measured = self.measure.iter().map(String::as_str);
        let measured = (!self.measure.is_empty())
            .then_some("measure")
            .into_iter()
            .chain(measured);
        let odd = |c: char| !c.is_alphanumeric() && !"._-,".contains(c);
        words
            .chain(measured)
            .map(|word| format!("-{}", word.trim().replace(odd, "-")))
            .collect()
    }
}

/// Draws what a scenario comes to.
///
/// # Errors
///
/// A scenario that cannot be played, a moment that it never comes to, a file that cannot be written.
pub(super) fn run(workspace: &Workspace, ask: &RenderArgs) -> Result<u8, Problems> {
    let changes = ask.changes.clone().overrides()?;
    let span = Span::WORDS
        .into_iter()
        .find(|(word, _)| *word == ask.arrows)
        .ok_or_else(|| {
            let words = Span::WORDS.map(|(word, _)| word);
            problems::unknown_name("span of events", &ask.arrows).hint(hint_for(&ask.arrows, words))
        })?
        .1;
    let page = ask.wants_page();
    if page && (ask.reach.is_some() || ask.threat.is_some() || !ask.measure.is_empty()) {
        let help = "end the name of the file in .svg or .png";
        return Err(problems::conflict("a mark on the board", "a page that replays a game", help).into());
    }
    if ask.json && ask.out.as_deref() == Some("-") {
        return Err(problems::conflict("`-o -`", "`--json`", "leave one of them out").into());
    }
    if let Some(out) = ask.out.as_deref().filter(|o| *o != "-" && !page) {
        Format::of(out)?;
    }
    let (path, opened) = suite::one(workspace, &ask.scenario)?;
    let stem = path.rsplit(['/', '\\']).next().unwrap_or(&path);
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    if page {
        let html = replay::html(workspace, &opened, &changes, &ask.beside)?;
        let out = ask.out.clone().unwrap_or_else(|| format!("{stem}.html"));
        if out == "-" {
            print_data(html.trim_end());
            return Ok(OK);
        }
        let again = is_there(ask, &out);
        write_page(&out, &html)?;
        let report = wrote(&path, &out, "", again);
        return Ok(show_report(workspace.work(), ask.json, report, true));
    }
    let scene = scene(workspace, opened, ask, &changes, span)?;
    let out = ask
        .out
        .clone()
        .unwrap_or_else(|| format!("{stem}{}.svg", ask.behind_name()));
    let again = is_there(ask, &out);
    if ask.true_size {
        return true_size(workspace.work(), &path, &scene, (&out, again), ask.json);
    }
    if out == "-" {
        let (text, _) = svg::scaled(&scene, PictureExtent::Whole, ask.scale);
        print_data(text.trim_end());
        return Ok(OK);
    }
    let (width, height) = save(&scene, &out, ask.scale)?;
    let report = wrote(&path, &out, &format!(" ({width} by {height})"), again)
        .with("width", width)
        .with("height", height)
        .with("scene", Cell::data(&scene));
    Ok(show_report(workspace.work(), ask.json, report, true))
}

/// Writes a table top as large as it is.
fn true_size(
    work: &Work,
    path: &str,
    scene: &Scene,
    (out, again): (&str, bool),
    json: bool,
) -> Result<u8, Problems> {
    let Some((text, (wide, high))) = svg::true_size(scene) else {
        return Err(problems::board_without_size().into());
    };
    if out == "-" {
        print_data(text.trim_end());
        return Ok(OK);
    }
    if Format::of(out)? != Format::Svg {
        return Err(problems::wrong_value(out, "the name of an SVG file", "a name that ends in .svg").into());
    }
    write_named(out, &text)?;
    let (wide, high) = (wide.ceil(), high.ceil());
    let report = wrote(path, out, &format!(" ({wide} by {high} mm)"), again)
        .with("millimetres", vec![wide, high])
        .with("scene", Cell::data(scene));
    Ok(show_report(work, json, report, true))
}

/// Whether there is such a file, and who has not named it may not know that.
fn is_there(ask: &RenderArgs, out: &str) -> bool {
    ask.out.is_none() && Path::new(out).exists()
}

/// Reports a file that was written, its size in words, and whether it replaced one that nobody named.
fn wrote(path: &str, file: &str, size: &str, again: bool) -> Report {
    let remark = match again {
        true => ", in place of the one that was there; -o FILE names another",
        false => "",
    };
    Report::of(format!("wrote {file}{size}{remark}"))
        .with("scenario", path)
        .with("file", file)
        .with("overwritten", again)
}

fn write_page(file: &str, html: &str) -> Result<(), Problem> {
    if !file.ends_with(".html") {
        return Err(problems::wrong_value(
            file,
            "the name of a page",
            "a name that ends in .html",
        ));
    }
    write_named(file, html)
}

/// Computes the marks of a picture, in a world as the viewer may see it.
fn marks(play: &mut Play, world: &World, ask: &RenderArgs) -> Result<Option<ReachReport>, Problems> {
    let found = match (&ask.reach, &ask.threat, ask.measure.as_slice()) {
        (Some(unit), ..) => reach_report::reach(play, world, unit)?,
        (_, Some(faction), _) => reach_report::threat(play, world, faction)?,
        (.., [one, other]) => reach_report::measure(play, play.view().faction(), world, [one, other])?,
        _ => return Ok(None),
    };
    Ok(Some(found))
}

fn scene(
    workspace: &Workspace,
    mut opened: OpenedFile,
    ask: &RenderArgs,
    changes: &Overrides,
    span: Span,
) -> Result<Scene, Problems> {
    let event: Option<usize> = ask.at.as_deref().and_then(|at| at.parse().ok());
    if let (Some(at), None) = (&ask.at, event) {
        opened.file.until = Some(at.clone().into());
        // Where the moment is wrong it is the command line that says so, not the file.
        let start = run::lay(workspace, &opened.file, changes)?;
        PhaseStop::parse(at, &start.play.ruleset().rules)?;
    }
    let ran = run::run(workspace, &opened, changes)?;
    let PlayedScenario {
        mut play,
        file,
        stopped,
        problems: faults,
        ..
    } = ran;
    // A picture of a moment on the way needs no answers that come after it.
    let on_the_way = ask.at.is_some() && event.is_none();
    match (&stopped, &ask.at) {
        (PlayStop::Until, _) if on_the_way => {}
        (PlayStop::Over | PlayStop::Asks, Some(at)) if on_the_way => {
            return Err(problems::unreached_moment(at, run::end_of(&play, &stopped)).into());
        }
        _ => Problems::check(faults)?,
    }
    let mut scene = match event {
        None => picture::of_play(&mut play, span),
        Some(number) => {
            let events = play.table().events.len();
            if number == 0 || number > events {
                let unknown = problems::unknown_name("event", number);
                return Err(unknown.hint(format!("events are 1 to {events}")).into());
            }
            picture::of_past(&mut play, number - 1, span).ok_or_else(|| problems::secret_event(number))?
        }
    };
    if let (PlayStop::Over, None) = (&stopped, event) {
        scene.caption = run::end_of(&play, &stopped);
    }
    let world = play.view().world().into_owned();
    if let Some(found) = marks(&mut play, &world, ask)? {
        if event.is_some() {
            let help = "name a phase, such as `--at \"round 2\"`";
            return Err(problems::conflict("a mark on the board", "the number of an event", help).into());
        }
        picture::point_out(&mut scene, &play.ruleset().rules, &world, &found.marks);
        scene.caption.push_str(&format!("; {}", found.what));
        if found.cut {
            scene
                .caption
                .push_str(" (there was too much to look at all of it)");
        }
    }
    let changed = play.ruleset().options.named();
    if !changed.is_empty() {
        scene.caption.push_str(&format!("; with {}", changed.join(", ")));
    }
    if let Some(title) = &file.title {
        scene.title.clone_from(&title.value);
    }
    Ok(scene)
}
