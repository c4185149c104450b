//! The games that the program carries.

use crate::rules::workspace::{Texts, Workspace, WorkspaceFiles};
use rust_embed::{EmbeddedFile, RustEmbed};
use std::borrow::Cow;
use std::sync::LazyLock;

#[derive(RustEmbed)]
#[folder = "scripts"]
#[prefix = "scripts/"]
struct Scripts;

#[derive(RustEmbed)]
#[folder = "units"]
#[prefix = "units/"]
struct Units;

#[derive(RustEmbed)]
#[folder = "scenarios"]
#[prefix = "scenarios/"]
struct Scenarios;

#[derive(RustEmbed)]
#[folder = "snapshots"]
#[prefix = "snapshots/"]
#[allow_missing = true]
struct Snapshots;

#[derive(RustEmbed)]
#[folder = "studies"]
#[prefix = "studies/"]
struct Studies;

static TEXTS: LazyLock<Texts> = LazyLock::new(|| {
    let all = files::<Scripts>().chain(files::<Units>());
    let all = all.chain(files::<Scenarios>()).chain(files::<Snapshots>());
    let all = all.chain(files::<Studies>());
    // Pending snapshots belong to whoever built the program, not to the games.
    let all = all.filter(|(path, _)| !path.ends_with(".new"));
    Texts::fixed(all.filter_map(|(path, file)| Some((path, text(file.data)?))))
});

fn files<F: RustEmbed>() -> impl Iterator<Item = (Cow<'static, str>, EmbeddedFile)> {
    F::iter().filter_map(|path| Some((path.clone(), F::get(&path)?)))
}

fn text(data: Cow<'static, [u8]>) -> Option<Cow<'static, str>> {
    match data {
        Cow::Borrowed(data) => Some(std::str::from_utf8(data).ok()?.into()),
        Cow::Owned(data) => Some(String::from_utf8(data).ok()?.into()),
    }
}

/// Returns the games that the program carries. They cannot be changed.
pub fn games() -> Workspace {
    WorkspaceFiles::Texts(TEXTS.clone()).into()
}
