//! The commands of a stop within a step. Knows the session; what a stop is and how play goes on from
//! it is [`super::walk`]'s.

use super::arguments::Args;
use super::breaks::{self, Break};
use super::command::{AT_STOP, CommandResult, PromptCommand, commands};
use super::output::Output;
use super::session::{Session, SessionState};
use super::show::table_or;
use super::walk::{call_text, place_text, source_lines};
use crate::event_text::step_name;
use crate::kernel::schedule::NextStep;
use crate::lines::{counted, wrapped};
use crate::pages::Page;
use crate::report::Problem;
use crate::rules::debug::RunLimit;

/// Default number of source lines above and below the place.
const LINES_AROUND: usize = 5;

commands! {
    /// The commands that stop and go on, in the order in which help lists them.
    pub(super) COMMANDS:
    /// Stop the game at a place in the rules, or list these
    /// :break scouts.damage          the function of that script, in any of its layers
    /// :break fierce.damage          the function of that variant
    /// :break damage                 the function of every script
    /// :break scouts.rhai:16         the statement at that line
    /// :break error                  where the rules fail
    /// :break damage if foe.life < 3 only when that is true there
    /// The game stops there while an answer, `:auto` or `:retell` plays. Breakpoints stay when rules are reloaded;
    /// those at a line go.
    AT_STOP "break" "[POINT [if CONDITION]]" break_at,
        known: |s| breaks::break_words(s.play.ruleset());
    /// Delete a breakpoint
    AT_STOP "unbreak" "N | all"
        else "the number of a break point, or `all`", "`:break` lists them"
        |s, args| {
            let gone = s.debug.breaks.remove(args.number("N"))?;
            Ok(Output::text(match gone {
                0 => "there are no break points".to_owned(),
                n => format!("{} taken away", counted(n, "break point")),
            }))
        };
    /// Run to the next statement, also in called functions
    /// At a question, the answer to it is played statement by statement. `:step -1` goes back to the statement
    /// before, within the step.
    AT_STOP "step" "[-N | N]" step;
    /// Run to the next statement of this function
    AT_STOP "next" "[N]" |s, args| {
        let times = args.number("N").unwrap_or(1);
        s.go_on_from_stop("next", times, |at| RunLimit::Level(at.level))
    };
    /// Run to the end of the function
    /// It shows the result, and stops in the caller if that has something left to do. A breakpoint on the way stops
    /// it, too.
    AT_STOP "finish" "" |s, _| s.go_on_from_stop("finish", 1, |at| RunLimit::Out(at.level));
    /// Run to the next breakpoint, or to the question
    AT_STOP "continue" "" |s, _| s.go_on_from_stop("continue", 1, |_| RunLimit::End);
    /// Run to the end of the step without stopping
    /// The game goes on to its next question; breakpoints stay for later. `:auto` and `:retell` end; agents of
    /// `:plays` go on. `:undo` undoes the last answer instead.
    AT_STOP "leave" "" |s, _| s.leave_stop();
    /// List the local variables, and the dials used there
    /// Any expression reads them, too, and the position as it is there.
    AT_STOP "locals" "" |s, _| Ok(locals(s)?.into());
    /// List the calls that led here, innermost first
    AT_STOP "where" "" |s, _| Ok(where_at(s)?.into());
    /// Show the source around the place, N lines each way
    AT_STOP "list" "[N]" |s, args| Ok(list(s, args.number("N").unwrap_or(LINES_AROUND))?.into());
}

/// The text of `:help debug` above the table of commands.
pub(super) const HELP: &str = "\
Play can stop within a step, at a place in the rules. `:break FUNCTION` says
where; then answer, or let `:auto` play. Behind the prompt `debug>` any
expression reads the local variables and the half-done position; nothing can
be changed. An empty line repeats the last :step, :next or :finish.

Stopping changes nothing: the game is the same with and without. While a side
chooses in secret, play stops in what is done for that side alone.
";

/// Other names of commands behind the prompt `debug>`, as debuggers have them.
pub(super) const ALIASES: [(&str, &str); 3] = [("bt", "where"), ("l", "list"), ("backtrace", "where")];

fn break_at(session: &mut Session, args: &Args<'_>) -> CommandResult {
    let replayer = session.twin()?;
    let Some(place) = args.get("POINT") else {
        let rows = session.debug.breaks.rows(&replayer.borrow().ruleset);
        return Ok(table_or(rows, "no break points; `:break FUNCTION` makes one").into());
    };
    let (number, note) =
        session
            .debug
            .breaks
            .add(place, args.get("CONDITION"), &replayer.borrow().ruleset)?;
    let point = session.debug.breaks.find(number);
    let place = point.map(Break::text).unwrap_or_default();
    let mut reply = Output::text(format!("break point {number}: {place}"));
    if let Some(note) = note {
        reply.add(format!("note: {note}"));
    }
    Ok(reply)
}

fn step(session: &mut Session, args: &Args<'_>) -> CommandResult {
    if let Some(times) = args.number("-N") {
        return session.step_back(times);
    }
    let times = args.number("N").unwrap_or(1);
    if !session.is_stopped() && session.state == SessionState::Asks {
        session.step_from_question();
        let text = "the next answer is played statement by statement";
        return Ok(Output::text(text));
    }
    session.go_on_from_stop("step", times, |_| RunLimit::Statement)
}

fn locals(session: &Session) -> Result<Page, Problem> {
    let stop = session.debug.at_stop()?;
    let (mut lines, screen) = (Vec::new(), session.face.style.width);
    let width = stop.at.locals.iter().map(|(n, ..)| n.chars().count());
    let width = width.max().unwrap_or(0);
    for (name, _, text) in &stop.at.locals {
        lines.push(wrapped(&format!("{name:width$} = {text}"), screen, width + 3));
    }
    if lines.is_empty() {
        lines.push("no local variables here".to_owned());
    }
    if let Some(frame) = stop.at.frames.first() {
        let dials = stop.ruleset().dials_in(frame.function);
        let dials = dials.iter().map(|(name, value)| format!("{name} = {value}"));
        let dials: Vec<String> = dials.collect();
        if !dials.is_empty() {
            lines.push(wrapped(&format!("dials: {}", dials.join(", ")), screen, 7));
        }
    }
    Ok(Page::lines(lines))
}

fn where_at(session: &Session) -> Result<Page, Problem> {
    let stop = session.debug.at_stop()?;
    let mut lines = Vec::new();
    for (index, frame) in stop.at.frames.iter().enumerate() {
        let call = call_text(&stop.ruleset(), frame);
        lines.push(wrapped(&format!("{index}  {call}"), session.face.style.width, 5));
        lines.push(format!("     {}", place_text(&stop.ruleset(), frame)));
    }
    let replayer = stop.twin.borrow();
    let table = &replayer.table;
    let step = table.checkpoint.step;
    lines.push(match table.checkpoint.next {
        NextStep::Close => format!("in the end of `{}`", table.rules.phases[step.phase as usize].name),
        _ => format!("in the step `{}`", step_name(&table.rules, step)),
    });
    Ok(Page::lines(lines))
}

fn list(session: &Session, around: usize) -> Result<Page, Problem> {
    let stop = session.debug.at_stop()?;
    let place = stop.at.frames.first().map(|f| place_text(&stop.ruleset(), f));
    Ok(Page::lines(place.into_iter().chain(source_lines(
        stop,
        around,
        session.face.style.width,
    ))))
}
