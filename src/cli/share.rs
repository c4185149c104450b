//! `rulebench share`: a game as one page that plays in any browser, or all games of a workspace with a page to choose.

use super::changes::Changes;
use super::{OK, print, problems};
use crate::files::{refused, write_named};
use crate::page::share::{Module, SharedGame, files_of, index};
use crate::repl::opening::title_of;
use crate::repl::opening_files::find;
use crate::report::Problems;
use crate::rules::workspace::Workspace;
use crate::stage::run::{self, Overrides};
use clap::Args;
use std::path::Path;

/// The folder, in a page, of a scenario or transcript that is not a file of the workspace.
const SHARED: &str = "scenarios/shared";

#[derive(Args)]
pub(super) struct ShareArgs {
    /// A game, a scenario or a transcript
    #[arg(conflicts_with = "all")]
    start: Option<String>,
    /// All games of the workspace, a page each, and a page to choose one
    #[arg(long, requires = "out")]
    all: bool,
    /// The file to write, or with --all the folder; by default it is called after the game or scenario
    #[arg(long, short, value_name = "FILE|DIR")]
    out: Option<String>,
    #[command(flatten)]
    changes: Changes,
}

/// Writes the pages; the exit status.
///
/// # Errors
///
/// What is not there or cannot be played; a module that is missing; a file that cannot be written.
pub(super) fn run(workspace: &Workspace, args: ShareArgs) -> Result<u8, Problems> {
    let module = Module::find()?;
    let overrides = args.changes.overrides()?;
    match args.out {
        Some(folder) if args.all => {
            if !overrides.is_empty() {
                return Err(problems::conflict("`--all`", "changes of the rules", "share one game").into());
            }
            std::fs::create_dir_all(&folder).map_err(|error| refused(&folder, "made", &error))?;
            for game in workspace.games() {
                write(
                    workspace,
                    &module,
                    Some(&game),
                    &overrides,
                    Some(format!("{folder}/{game}.html")),
                )?;
            }
            let path = format!("{folder}/index.html");
            write_named(&path, index(workspace))?;
            print(&format!(
                "{path}: open it in a browser, or put the folder on any web server"
            ));
        }
        out => write(workspace, &module, args.start.as_deref(), &overrides, out)?,
    }
    Ok(OK)
}

/// Writes the page of a game, scenario or transcript.
fn write(
    workspace: &Workspace,
    module: &Module,
    start: Option<&str>,
    overrides: &Overrides,
    out: Option<String>,
) -> Result<(), Problems> {
    let opened = find(workspace, start)?;
    // What cannot be opened here opens nowhere.
    run::run_to_play_on(workspace, &opened, overrides)?;
    let game = &opened.file.game.value;
    let mut files = files_of(workspace, game)?;
    let source = &opened.file.source;
    let is_game = source.name.is_empty();
    let start = match is_game {
        true => game.clone(),
        false if files.contains_key(&source.name) => source.name.clone(),
        false => {
            let ending = if opened.lines.is_some() { "txt" } else { "toml" };
            let path = format!("{SHARED}/{game}.{ending}");
            files.insert(path.clone(), source.text.clone());
            path
        }
    };
    let stem = Path::new(&source.name).file_stem();
    let name = stem.map_or_else(|| game.clone(), |stem| stem.to_string_lossy().into_owned());
    let title = title_of(workspace, game);
    let out = out.unwrap_or_else(|| format!("{name}.html"));
    let page = SharedGame {
        title: &title,
        name: &name,
        files,
        start: &start,
        overrides,
        door: is_game && overrides.is_empty(),
    };
    let page = page.page(module);
    write_named(&out, &page)?;
    print(&format!(
        "{out}: {title}, {:.1} MB; open it in a browser, or send it to somebody",
        page.len() as f64 / 1e6
    ));
    Ok(())
}
