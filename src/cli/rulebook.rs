//! `rulebench rulebook`: a small rulebook for players, with pictures of scenarios.

use super::arguments::RulebookArgs;
use super::{pdf, show_report};
use crate::files::{self, write_whole};
use crate::lines::counted;
use crate::picture::story::Span;
use crate::picture::svg::{self, PictureExtent};
use crate::picture::{self};
use crate::report::{Problem, Problems, Source, hint_for};
use crate::reports::{Cell, Column, Report, ReportPart, ReportTable, web};
use crate::rulebook::Rulebook;
use crate::rules::ruleset::{LoadOptions, Ruleset};
use crate::rules::workspace::Workspace;
use crate::sheet::{PhaseLine, Sheet, capital, described, spelled, split_name};
use crate::stage::run::{self, Overrides};
use crate::suite;
use std::path::{Path, PathBuf};

/// Layout on paper.
const PRINT: &str = "@page { size: A4; margin: 15mm }\n@media print { body { font-size: 10.5pt; margin: 0; max-width: none } }\n\
                     h2 { break-after: avoid; margin: 1.2em 0 0.3em }\ntable { margin: 0.5em 0; display: table }\n\
                     table, figure { break-inside: avoid }\nfigure { width: 47%; max-width: none; margin: 0 2% 1em 0 }\nfigure svg { width: 100% }\ntd:first-child { white-space: nowrap }\n</style>";

/// An example of the rulebook: its heading, its caption and the picture as SVG.
struct Example {
    title: String,
    about: String,
    svg: String,
}

/// Writes the rulebook of a game, as a page and as Markdown with the pictures beside it.
///
/// # Errors
///
/// A game or rulebook that does not load; an example that is no scenario or does not run; a folder that cannot be
/// written; no Chromium for PDF.
pub(super) fn run(workspace: &Workspace, args: RulebookArgs) -> Result<u8, Problems> {
    let (game, changes) = (args.game.as_str(), args.changes.overrides()?);
    workspace.check_game(game)?;
    let browser = args.pdf.then(pdf::browser).transpose()?;
    let options = LoadOptions {
        dials: changes.dials.clone().into_iter().collect(),
        variants: changes.variants.clone(),
        without: changes.without.clone(),
        ..LoadOptions::default()
    };
    let ruleset = Ruleset::load(workspace, game, &options)?;
    let book = match workspace.has(&Rulebook::path(game)) {
        true => Some(Rulebook::read(workspace, game)?),
        false => None,
    };
    let mut examples = Vec::new();
    if let Some((book, source)) = &book {
        for path in example_paths(workspace, book, source)? {
            examples.push(example(workspace, &path, &changes)?);
        }
    }
    let sheet = Sheet::of(&ruleset, book.as_ref().map(|(book, _)| book));
    let text = text(&sheet, book.as_ref().map(|(book, _)| book));
    let out = Path::new(&args.out);
    let (folder, name) = match out.extension() {
        Some(ending) if ending == "html" || ending == "md" => (out.parent().unwrap_or(out), out.file_stem()),
        _ => (out, None),
    };
    let name = name.map_or_else(
        || format!("{game}-rulebook"),
        |name| name.to_string_lossy().into_owned(),
    );
    let mut written = Vec::new();
    let mut write = |file: String, content: &str| -> Result<PathBuf, Problem> {
        let path = folder.join(file);
        write_whole(&path, content).map_err(|error| {
            files::refused(format!("`{}`", path.display()), "written", &error)
                .hint("name a folder that you may write to: --out DIR")
        })?;
        written.push(path.display().to_string());
        Ok(path)
    };
    let (mut page, mut markdown) = (text.clone(), text);
    for (nth, example) in examples.iter().enumerate() {
        let file = format!("{name}-{}.svg", nth + 1);
        write(file.clone(), &example.svg)?;
        for report in [&mut page, &mut markdown] {
            if nth == 0 {
                report.put(ReportPart::Head(2, "Examples".to_owned()));
            }
        }
        let caption = format!("{}. {}", example.title, example.about);
        page.put(ReportPart::Picture(example.svg.clone(), caption));
        markdown.put(ReportPart::Head(3, example.title.clone()));
        let title = example.title.replace(['[', ']'], " ");
        markdown.put(format!("![{title}]({file})"));
        markdown.put(example.about.clone());
    }
    let html = web::html(&page).replacen("</style>", PRINT, 1);
    let page = write(format!("{name}.html"), &html)?;
    write(format!("{name}.md"), &web::markdown(&markdown))?;
    if let Some(browser) = &browser {
        written.push(pdf::print(browser, &page)?.display().to_string());
    }
    let report = Report::lines(written.iter().map(|path| format!("wrote {path}")))
        .with("game", game)
        .with("files", written.clone())
        .with("sheet", Cell::data(&sheet));
    Ok(show_report(workspace.work(), args.json, report, true))
}

/// The paths of the scenarios that a rulebook names as examples.
///
/// # Errors
///
/// Names that no scenario of the game has.
pub(super) fn example_paths(
    workspace: &Workspace,
    book: &Rulebook,
    source: &std::sync::Arc<Source>,
) -> Result<Vec<String>, Problems> {
    let named = &book.rulebook.examples;
    if named.is_empty() {
        return Ok(Vec::new());
    }
    let folder = format!("scenarios/{}/", book.rulebook.game);
    let all = suite::find(workspace, &[])?;
    let names: Vec<&str> = all
        .iter()
        .filter_map(|path| {
            path.replace('\\', "/")
                .find(&folder)
                .map(|at| &path[at + folder.len()..])
        })
        .map(|file| file.trim_end_matches(".toml"))
        .collect();
    let unknown = named.iter().filter(|name| !names.contains(&name.value.as_str()));
    let unknown = unknown.map(|name| {
        let problem = super::problems::unknown_name("scenario", &name.value);
        problem
            .hint(hint_for(&name.value, names.iter().copied()))
            .at(source, name.span.clone())
    });
    Problems::check(unknown.collect())?;
    Ok(named
        .iter()
        .map(|name| format!("{folder}{}.toml", name.value))
        .collect())
}

/// Plays a scenario and draws its board at the end.
fn example(workspace: &Workspace, path: &str, changes: &Overrides) -> Result<Example, Problems> {
    let (_, opened) = suite::one(workspace, path)?;
    let mut ran = run::run(workspace, &opened, changes)?;
    Problems::check(std::mem::take(&mut ran.problems))?;
    let scene = picture::of_play(&mut ran.play, Span::default());
    let text = |text: &Option<crate::description::Spanned<String>>| {
        text.as_ref().map_or_else(String::new, |text| text.value.clone())
    };
    Ok(Example {
        title: text(&ran.file.title),
        about: text(&ran.file.about),
        svg: svg::scaled(&scene, PictureExtent::Whole, 1.0).0,
    })
}

/// The rulebook without its examples.
fn text(sheet: &Sheet, book: Option<&Rulebook>) -> Report {
    let head = book.map(|book| &book.rulebook);
    let title = head.map_or_else(|| spelled(&sheet.game), |head| head.title.clone());
    let mut report = Report::of(ReportPart::Head(1, title));
    if let Some(head) = head {
        for text in [&head.about].into_iter().filter(|about| !about.is_empty()) {
            report.put(text.clone());
        }
        if let Some(minutes) = head.minutes {
            report.put(format!(
                "A game takes about {}.",
                counted(minutes.into(), "minute")
            ));
        }
    }
    let used = sheet.changes_told();
    if !used.is_empty() {
        report.put(format!("With {}.", used.join(", ")));
    }
    let mut part = |head: &str, rows: Vec<[String; 2]>| {
        if !rows.is_empty() {
            report.put(ReportPart::Head(2, head.to_owned()));
            report.put(ReportTable::plain(rows.into_iter().map(Vec::from).collect()));
        }
    };
    let paragraph = |text: &String| {
        let (name, told) = split_name(text);
        [name.to_owned(), told]
    };
    let phase = |phase: &PhaseLine| {
        let told = if phase.text.is_empty() {
            &phase.how
        } else {
            &phase.text
        };
        [capital(&phase.name), capital(told)]
    };
    let (setup, turn): (Vec<&PhaseLine>, Vec<_>) = sheet.phases_told().partition(|phase| phase.setup);
    part("The game", sheet.text.iter().map(paragraph).collect());
    part("Set-up", setup.into_iter().map(phase).collect());
    part("The turn", turn.into_iter().map(phase).collect());
    let kinds = sheet.cards.iter();
    part(
        "Units",
        kinds
            .map(|card| [card.name.clone(), described(&card.flags, &card.text, &card.own)])
            .collect(),
    );
    let terrains = sheet.terrains.iter();
    part(
        "Terrain",
        terrains
            .map(|kind| [kind.name.clone(), described(&kind.flags, &kind.text, &kind.own)])
            .collect(),
    );
    if !sheet.stats.is_empty() && !sheet.cards.is_empty() {
        let columns = ["Unit", "Symbol"].into_iter().map(str::to_owned);
        let columns = columns.chain(sheet.stats.iter().map(|stat| capital(stat)));
        let mut table = ReportTable::headed(columns.map(Column::from));
        for card in &sheet.cards {
            let names = [&card.name, &card.symbol].map(|name| Cell::from(name.clone()));
            table.push(
                names
                    .into_iter()
                    .chain(card.stats.iter().map(|value| Cell::from(*value))),
            );
        }
        report.put(ReportPart::Head(2, "Numbers".to_owned()));
        report.put(table);
    }
    if !sheet.options.is_empty() {
        report.put(ReportPart::Head(2, "Options".to_owned()));
        for says in &sheet.options {
            report.put(says.clone());
        }
    }
    report
}
