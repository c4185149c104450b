//! The view settings of a session.

use crate::page::page_session::PageSession;
use crate::page::server::AskSession;
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
}

/// The pages in the browser that show a table, and how what they ask comes to the session; neither where the front end
/// has no ear for it.
#[derive(Default)]
pub(crate) struct Pages {
    pub(crate) desk: Option<PageSession>,
    pub(crate) ear: Option<AskSession>,
    /// The commands of the prompt with their help.
    pub(crate) commands: BTreeMap<&'static str, &'static str>,
}
