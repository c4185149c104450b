//! The commands that explain: why something happened, and why an option is not there.

use crate::arguments::Args;
use crate::problems;
use crate::report::Problems;
use crate::reports::Report;
use crate::rules::trace::TraceLevel;
use crate::session::Session;
use crate::why;

/// `:why [EVENT | FUNCTION]` and `:trace [EVENT | FUNCTION]`, which differ in their level.
///
/// # Errors
///
/// Events and functions that are not there, or not to be seen now.
pub(crate) fn why(session: &Session, args: &Args<'_>, level: TraceLevel) -> Result<Report, Problems> {
    let (play, view) = (&session.play, session.view());
    if let Some(function) = args.get("FUNCTION") {
        why::call(play, view, function, level)
    } else if let Some(number) = args.number::<usize>("EVENT") {
        let index = number.wrapping_sub(1);
        if !view.events().any(|(i, _)| i == index) {
            let problem = problems::unknown_name("event", number);
            return Err(problem
                .hint("`:events` shows the events with their numbers")
                .into());
        }
        why::event(play, view, Some(index), level)
    } else {
        let last = view.events().filter(|(_, e)| e.is_consequence()).last();
        let last = last.ok_or_else(problems::no_consequence)?;
        why::event(play, view, Some(last.0), level)
    }
}

/// `:why-not [UNIT] OPTION`.
///
/// # Errors
///
/// Names that nothing has.
pub(crate) fn why_not(session: &Session, args: &Args<'_>) -> Result<Report, Problems> {
    let (unit, option) = (args.get("UNIT"), args.text("OPTION"));
    if unit.is_none() && session.is_for_machine() && session.is_secret() {
        return Err(session.agent_is_asked().into());
    }
    // Numbers are those of the open question.
    let option = match unit {
        Some(_) => option.to_owned(),
        None => session.option_meant(option),
    };
    let lines = why::not(&session.play, session.view(), unit, &option)?;
    Ok(Report::lines(lines))
}
