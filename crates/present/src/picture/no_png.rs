//! PNG in the module for WebAssembly, which draws SVG alone.

use super::problems::undrawable;
use crate::report::Problem;

/// Refuses the picture.
///
/// # Errors
///
/// Always.
pub fn encode(_svg: &str) -> Result<Vec<u8>, Problem> {
    Err(undrawable("this page has no fonts for PNG; write .svg"))
}
