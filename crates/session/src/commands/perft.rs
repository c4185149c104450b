//! `:perft`: the number of sequences of answers from the position on the table. The game stays as it is.

use crate::arguments::Args;
use crate::output::Output;
use crate::perft::{self, MAX_DEPTH, PerftQuery};
use crate::problems;
use crate::report::Problems;
use crate::session::Session;

/// The depth where none is typed.
const DEPTH: u64 = 3;

/// `:perft [N] [--divide] [--forced]`.
///
/// # Errors
///
/// A secret choice under way; a depth that is too large; rules that fail on the way.
pub(crate) fn perft(session: &mut Session, args: &Args<'_>) -> Result<Output, Problems> {
    session.check_open()?;
    let depth = args.number("N").unwrap_or(DEPTH);
    let Some(depth) = u8::try_from(depth).ok().filter(|depth| *depth <= MAX_DEPTH) else {
        let most = format!("a number from 1 to {MAX_DEPTH}");
        return Err(problems::wrong_argument(&depth.to_string(), &most).into());
    };
    let query = PerftQuery {
        depth,
        forced_is_depth: args.has("--forced"),
        threads: None,
    };
    let counted = perft::perft(&mut session.play, query)?;
    let head = "sequences of answers from here".to_owned();
    Ok(counted.report(head, args.has("--divide")).into())
}
