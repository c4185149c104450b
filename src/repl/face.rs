//! How a session's front end shows things.

use crate::page::desk::Desk;
use crate::page::server::Ask;
use crate::render::Style;

/// See the module's comment.
#[derive(Default)]
pub struct Face {
    /// How boards are drawn, and whether there is colour.
    pub style: Style,
    /// How wide the terminal is; boards may use all of it. `None` without one.
    pub columns: Option<usize>,
    /// How many lines it has. Boards that would not fit are drawn lower; without one all fit.
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
    pub(crate) desk: Option<Desk>,
    pub(crate) ear: Option<Ask>,
}
