//! The view settings of a session.

use crate::page::page_session::{OpenPages, PageSession};
use crate::render::Style;
use std::collections::BTreeMap;

/// See the module's comment.
#[derive(Default)]
pub struct ViewSettings {
    /// The style of boards, and whether to use colour.
    pub style: Style,
    /// Width of the terminal, in columns, which boards may use. `None` without one.
    pub columns: Option<usize>,
    /// Height of the terminal, in lines. Boards that would not fit are drawn lower; without one all fit.
    pub rows: Option<usize>,
    /// Whether somebody can type lines here, besides what pages send; then words are completed.
    pub completes: bool,
    /// Boards are shown only when they are asked for.
    pub quiet: bool,
    /// Default time limit of `:odds` in seconds, if it is not the usual one.
    pub odds_seconds: Option<u64>,
    /// The page with the tour in it; empty without one.
    pub tour: &'static str,
}

/// The pages in the browser that show a table, and how they are opened; neither where the front end has none.
#[derive(Default)]
pub struct Pages {
    pub desk: Option<PageSession>,
    pub open: Option<OpenPages>,
    /// Whether pages show the games to choose from first: until a page has sent a line.
    pub door: bool,
    /// The commands of the prompt with their help.
    pub commands: BTreeMap<&'static str, &'static str>,
}
