//! The commands that explain: why something happened, and why an option is not there.

use super::session::Session;
use crate::pages::Page;
use crate::report::{Problem, Problems};
use crate::why;

/// `:why [N | FUNCTION]`.
///
/// # Errors
///
/// Events and functions that are not there, or not to be seen now.
pub fn why(session: &Session, args: &str) -> Result<Page, Problems> {
    let record = session.play.record(session.viewer());
    let told = if args.is_empty() {
        let last = record.iter().rev().find(|(_, e)| e.is_consequence());
        let last = last.ok_or_else(|| {
            Problem::new("nothing has followed from a rule yet").hint("`:why FUNCTION` explains a call")
        })?;
        why::event(&session.play, Some(last.0))?
    } else if let Ok(number) = args.parse::<usize>() {
        let index = number.wrapping_sub(1);
        if !record.iter().any(|(i, _)| *i == index) {
            let problem = Problem::new(format!("there is no event {number}"));
            return Err(problem
                .hint("`:events` shows the events with their numbers")
                .into());
        }
        why::event(&session.play, Some(index))?
    } else {
        why::call(&session.play, args)?
    };
    Ok(Page::lines(told))
}

/// `:why-not [UNIT] OPTION`.
///
/// # Errors
///
/// Names that nothing has.
pub fn why_not(session: &Session, args: &str) -> Result<Page, Problems> {
    // An option may be several words, and a unit's name is one.
    let (unit, option) = match args.split_once(' ') {
        Some((unit, option)) if unit.contains('.') || session.things().iter().any(|t| t == unit) => {
            (Some(unit), option.trim())
        }
        _ => (None, args),
    };
    let told = why::not(&session.play, unit, option)?;
    Ok(Page::lines(told))
}
