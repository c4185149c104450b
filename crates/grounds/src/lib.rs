//! Grounds: implementations of the kernel's [`Ground`](kernel::ground::Ground).
//!
//! | module | |
//! |---|---|
//! | [`tabletop`] | a plane with bases and pieces of terrain on it |
//! | [`arena`] | a board on which dice are thrown |
//! | [`track`] | numbered spaces in a line |
//! | [`plane`], [`region`] | geometry of a plane; the points that a unit can reach |
//! | [`ways`] | the cheapest ways over places |

pub mod arena;
pub mod plane;
pub mod region;
pub mod tabletop;
pub mod track;
pub mod ways;

pub use rulebench_kernel as kernel;

use kernel::ground::GroundKind;

/// The grounds that `board()` declares by their keys.
pub const KINDS: &[GroundKind] = &[track::KIND];
