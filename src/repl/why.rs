//! The commands that explain: why something happened, and why an option is not there.

use super::session::{Reply, Session};
use crate::report::{Problem, Problems};
use crate::why;

/// `:why [N | FUNCTION]`.
///
/// # Errors
///
/// Events and functions that are not there, or not to be seen now.
pub fn why(session: &mut Session, args: &str) -> Result<Reply, Problems> {
    let workspace = session.workspace.clone();
    let record = session.play.record(session.play.viewer());
    let told = if args.is_empty() {
        let last = record.iter().rev().find(|(_, e)| e.is_consequence());
        let last = last.ok_or_else(|| {
            Problem::new("nothing has followed from a rule yet").hint("`:why FUNCTION` explains a call")
        })?;
        why::event(&workspace, &session.play, Some(last.0))?
    } else if let Ok(number) = args.parse::<usize>() {
        let index = number.wrapping_sub(1);
        if !record.iter().any(|(i, _)| *i == index) {
            let problem = Problem::new(format!("there is no event {number}"));
            return Err(problem.hint("`:events` shows the events with their numbers").into());
        }
        why::event(&workspace, &session.play, Some(index))?
    } else {
        why::call(&workspace, &session.play, args)?
    };
    Ok(Reply::text(told.join("\n")))
}

/// `:why-not [UNIT] OPTION`.
///
/// # Errors
///
/// Names that nothing has.
pub fn why_not(session: &mut Session, args: &str) -> Result<Reply, Problems> {
    let words: Vec<&str> = args.split_whitespace().collect();
    let (unit, option) = match words[..] {
        [option] => (None, option),
        [unit, option] => (Some(unit), option),
        _ => {
            return Err(Problem::new("name an option, or a unit and an option")
                .hint("such as `:why-not c5` or `:why-not UNIT c5`")
                .into());
        }
    };
    let workspace = session.workspace.clone();
    let told = why::not(&workspace, &session.play, unit, option)?;
    Ok(Reply::text(told.join("\n")))
}
