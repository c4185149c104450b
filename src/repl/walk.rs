//! Stopping within a step at the prompt: break points, going on from a stop, and what is shown there.
//!
//! The play itself knows nothing of it. An answer is played to the next question as ever; then the
//! steps that it brought about are walked again under a watched twin of the rules, and where a break
//! point is met nothing later is told until the walk goes on. So no game depends on whether it was
//! debugged. Knows the session; how a run is watched is [`crate::rules::debug`]'s.

use super::breaks::Break;
use super::output::{Output, OutputPiece};
use super::problems;
use super::session::{Session, SessionState};
use super::show::add_lines;
use super::stop_state::{AfterWalk, ContinuedFrom, StepStopState, StepWalk, Twin};
use crate::kernel::ids::{FactionId, Thing};
use crate::kernel::schedule::NextStep;
use crate::lines::{shortened, wrapped};
use crate::play::{Checkpoint, Play};
use crate::report::{Problem, Problems, Source, did_you_mean};
use crate::rules::debug::{BreakStop, RunLimit, StackFrame, WatchOptions, WatchOutcome, statement_span};
use crate::rules::ruleset::Ruleset;
use crate::rules::runtime::Runtime;
use crate::transcript::lines_for_people;
use std::sync::atomic::Ordering;

/// The mark of a line that was cut.
const ELLIPSIS: &str = "...";
/// The most statements that one `:step` or `:next` goes on.
const MAX_MOVES: usize = 1_000;
/// Said where play would have stopped and does not.
const PASSED_OVER: &str = "a stop is passed over: the rules see there what others have chosen in secret; with `:alone on` nothing is covered";

/// The reason why a walk stopped in a step.
enum WalkStop {
    Nothing,
    /// A place where to stop: under which twin, and why, in a few words.
    Stop(Box<BreakStop>, Twin, String),
    /// One at which somebody's secrets would be seen.
    Secret,
}

impl Session {
    /// The rules in force as they are watched: as written, nothing folded away.
    pub(super) fn twin(&self) -> Result<Twin, Problems> {
        self.debug.twin_of(self.play.ruleset())
    }

    /// Play has gone on from a checkpoint: stops at the first break point that was met, or tells.
    pub(super) fn walk_then(&mut self, from: ContinuedFrom, then: AfterWalk) -> Result<Output, Problems> {
        let steps = match &then {
            AfterWalk::Retold(ran, _) => steps_from(&ran.play, None),
            AfterWalk::Tell { .. } => steps_from(&self.play, Some(&from.checkpoint)),
        };
        let until = self.debug.moving.take().unwrap_or(RunLimit::End);
        let mut after = 0;
        if matches!(then, AfterWalk::Tell { .. }) {
            // Up to its question the step had been played before.
            let runtime = match self.twin() {
                Ok(runtime) => runtime,
                Err(problems) => {
                    // What cannot be watched is played all the same.
                    let mut reply = self.walked(then)?;
                    reply.fail(problems, self.face.style.colour);
                    return Ok(reply);
                }
            };
            let watch = WatchOptions {
                after,
                until: RunLimit::End,
                marks: Vec::new(),
            };
            let table = self.play.table();
            let from = &from.checkpoint;
            let events = table.events.get(..from.events).unwrap_or_default();
            if let WatchOutcome::Through(passed) =
                runtime.borrow_mut().watch(table, &from.position, events, watch)
            {
                after = passed;
            }
        }
        let walk = StepWalk {
            steps,
            index: 0,
            then,
            viewer: from.viewer,
            alone: self.plays.alone,
        };
        self.walk(walk, until, after, None)
    }

    /// Walks on: to a place that is wanted, or to the end of the steps.
    fn walk(
        &mut self,
        mut walk: StepWalk,
        mut until: RunLimit,
        mut after: u64,
        last: Option<String>,
    ) -> Result<Output, Problems> {
        let before = self.debug.stop.take();
        let shown = before.as_ref().map(|s| call_of(&s.at));
        let mut note = None;
        while walk.index < walk.steps.len() {
            if self.stop.swap(false, Ordering::Relaxed) {
                note = Some("no longer looking for break points".to_owned());
                break;
            }
            match self.watch(&walk, until, after) {
                Ok(WalkStop::Stop(at, runtime, why)) => {
                    let same = shown == Some(self::call_of(&at));
                    let at = *at;
                    let stop = StepStopState {
                        walk,
                        at,
                        twin: runtime,
                        last,
                    };
                    let mut reply = Output::default();
                    self.show_stop(&stop, &why, same, &mut reply);
                    self.debug.stop = Some(Box::new(stop));
                    return Ok(reply);
                }
                Ok(WalkStop::Secret) => note = Some(PASSED_OVER.to_owned()),
                Ok(WalkStop::Nothing) => {}
                Err(problems) => {
                    // What cannot be watched is played all the same.
                    note = Some(problems.page(self.face.style.colour));
                    break;
                }
            }
            walk.index += 1;
            if walk.index < walk.steps.len() {
                after = 0;
                until = match until {
                    RunLimit::Statement | RunLimit::Level(_) => RunLimit::Statement,
                    _ => RunLimit::End,
                };
            }
        }
        let stepping = matches!(until, RunLimit::Statement | RunLimit::Level(_) | RunLimit::Out(_));
        if stepping && self.state == SessionState::Asks && matches!(walk.then, AfterWalk::Tell { .. }) {
            // A question came between; its answer goes on with the step.
            self.debug.moving = Some(until);
        }
        let mut reply = self.walked(walk.then)?;
        if let Some(note) = note {
            let at = reply.pieces.len().saturating_sub(1);
            reply.pieces.insert(at, OutputPiece::Text(note));
        }
        Ok(reply)
    }

    /// Watches the present step of a walk: where it stops, if it does.
    fn watch(&self, walk: &StepWalk, until: RunLimit, mut after: u64) -> Result<WalkStop, Problems> {
        let play = walk.play(&self.play);
        let step = &walk.steps[walk.index];
        let viewer = walk.viewer(play, step);
        let view = play.table().view(viewer);
        if owners(step).any(|owner| !view.shows(owner)) {
            return Ok(WalkStop::Nothing);
        }
        let runtime = self.debug.twin_of(play.ruleset())?;
        let marks = self.debug.breaks.marks(play.ruleset());
        let table = play.table();
        let events = table.events.get(..step.events).unwrap_or_default();
        loop {
            let watch = |until, marks| WatchOptions { after, until, marks };
            let watched =
                runtime
                    .borrow_mut()
                    .watch(table, &step.position, events, watch(until, marks.clone()));
            match watched {
                WatchOutcome::Stopped(at) => {
                    if shows_secrets(&runtime.borrow(), viewer) {
                        return Ok(WalkStop::Secret);
                    }
                    let met = at.mark.and_then(|n| self.debug.breaks.find(n));
                    let why = match met {
                        Some(met) => match holds(&mut runtime.borrow_mut(), &at, met) {
                            Ok(true) => format!("break point {}", met.number),
                            Ok(false) if at.arrived => String::new(),
                            Ok(false) => {
                                after = at.ordinal;
                                continue;
                            }
                            Err(problem) => format!(
                                "break point {}, whose condition fails: {}",
                                met.number, problem.message
                            ),
                        },
                        None => String::new(),
                    };
                    return Ok(WalkStop::Stop(at, runtime, why));
                }
                WatchOutcome::Failed(Some(place)) if place > after => {
                    let Some(wanted) = self.debug.breaks.at_error() else {
                        return Ok(WalkStop::Nothing);
                    };
                    let Some(at) = watched_to(&mut runtime.borrow_mut(), play, step, place) else {
                        return Ok(WalkStop::Nothing);
                    };
                    if shows_secrets(&runtime.borrow(), viewer) {
                        return Ok(WalkStop::Secret);
                    }
                    let why = format!("break point {}: the rules fail here", wanted.number);
                    return Ok(WalkStop::Stop(at, runtime, why));
                }
                _ => return Ok(WalkStop::Nothing),
            }
        }
    }

    /// The walk is over: what was held back is told.
    fn walked(&mut self, then: AfterWalk) -> Result<Output, Problems> {
        match then {
            AfterWalk::Tell { note } => Ok(self.show_new(note)),
            AfterWalk::Retold(ran, old) => self.retold(*ran, &old),
        }
    }

    /// Tells what has happened up to a stop, and where it is.
    fn show_stop(&mut self, stop: &StepStopState, why: &str, same: bool, reply: &mut Output) {
        let step = &stop.walk.steps[stop.walk.index];
        if matches!(stop.walk.then, AfterWalk::Tell { .. }) {
            let runtime = stop.twin.borrow();
            let table = &runtime.table;
            // Of an open hidden phase only that it has begun.
            let view = self.play.table().view(stop.walk.viewer(&self.play, step));
            let end = view.since().map_or(table.events.len(), |since| since + 1);
            let new = table.events.get(self.shown.all..end).unwrap_or_default();
            let lines = lines_for_people(&table.rules, &table.words, new);
            let lines: Vec<String> = lines.iter().map(|(_, line)| line.text()).collect();
            add_lines(reply, &table.rules, &lines);
            self.shown.all = self.shown.all.max(end);
        }
        let Some(frame) = stop.at.frames.first() else {
            return;
        };
        let (mut lines, width) = (Vec::new(), self.face.style.width);
        if let Some((function, value)) = &stop.at.returned {
            let name = qualified(&stop.ruleset(), *function);
            lines.push(wrapped(&format!("{name} said {value}"), width, 2));
        }
        if !why.is_empty() || !same {
            let head = match why {
                "" => String::new(),
                why => format!("{why}: "),
            };
            let text = format!("{head}{}", call_text(&stop.ruleset(), frame));
            lines.push(wrapped(&text, width, 2));
            lines.push(place_text(&stop.ruleset(), frame));
        }
        lines.extend(source_lines(stop, 0, width));
        reply.add(lines.join("\n"));
    }

    /// Evaluates an expression where the game is stopped.
    pub(super) fn look_at_stop(&self, expression: &str) -> Result<Output, Problems> {
        let stop = self.debug.at_stop()?;
        let source = Source::new("input", expression.trim());
        // It reads what may be seen of the record, not what others did in secret.
        let visible = self.debug.record(&self.play).unwrap_or_default();
        let visible = visible.into_iter().map(|(_, event)| event).collect();
        let mut runtime = stop.twin.borrow_mut();
        let record = std::mem::replace(&mut runtime.table.events, visible);
        let value = runtime.look_at(&stop.at, &source);
        runtime.table.events = record;
        let value = value.map_err(|problem| {
            let near = did_you_mean(expression, stop.at.locals.iter().map(|(n, ..)| n.as_str()));
            match near {
                Some(near) if problem.hint.is_none() => problem.hint(format!("did you mean `{near}`?")),
                _ => problem,
            }
        })?;
        Ok(Output::value(runtime.value_text(&value)))
    }

    /// The stop is over because something else is put in its place; says so.
    pub(super) fn drop_stop(&mut self, because: &str, reply: &mut Output) -> bool {
        self.debug.moving = None;
        let Some(stop) = self.debug.stop.take() else {
            return false;
        };
        self.plays.going = true;
        let function = stop
            .at
            .frames
            .first()
            .map(|f| qualified(&stop.ruleset(), f.function));
        reply.add(format!(
            "no longer stopped in {}: {because}",
            function.unwrap_or_default()
        ));
        true
    }

    /// The rules have changed: break points at lines go with their lines.
    pub(super) fn carry_breaks(&mut self, reply: &mut Output) {
        self.debug.moving = None;
        for message in self.debug.breaks.carry(self.play.ruleset()) {
            reply.add(message);
        }
    }
}

/// The steps of a play from a checkpoint on, or all that are kept, with the answers given in them.
fn steps_from(play: &Play, from: Option<&Checkpoint>) -> Vec<Checkpoint> {
    let begins = from.map_or(0, |from| from.position.ordinal);
    let steps = play.standing().filter(|c| c.position.ordinal >= begins);
    let mut steps: Vec<Checkpoint> = steps.cloned().collect();
    // The answers of the open step are not in the trail yet.
    let now = play.checkpoint();
    if let Some(last) = steps.last_mut()
        && last.position.ordinal == now.position.ordinal
    {
        *last = now;
    }
    steps
}

/// The factions for which a step acts, or that were asked in it.
fn owners(step: &Checkpoint) -> impl Iterator<Item = FactionId> + '_ {
    let by = match step.position.next {
        NextStep::Pick { faction, .. } => Some(faction),
        NextStep::Step { about, .. } => match about {
            Thing::Faction(faction) => Some(faction),
            Thing::Unit(unit) => Some(step.position.world.unit(unit).owner),
            _ => None,
        },
        _ => None,
    };
    let askers = step.position.answers.iter().map(|a| a.asker);
    by.into_iter().chain(askers)
}

/// A step of a play, watched to a place that it came to before.
fn watched_to(runtime: &mut Runtime, play: &Play, step: &Checkpoint, place: u64) -> Option<Box<BreakStop>> {
    let table = play.table();
    let events = table.events.get(..step.events).unwrap_or_default();
    let watch = WatchOptions {
        after: 0,
        until: RunLimit::At(place),
        marks: Vec::new(),
    };
    match runtime.watch(table, &step.position, events, watch) {
        WatchOutcome::Stopped(at) => Some(at),
        _ => None,
    }
}

/// Whether rules at a stop see more than a faction may: what others have done in secret.
fn shows_secrets(runtime: &Runtime, viewer: Option<FactionId>) -> bool {
    let table = &runtime.table;
    *table.view(viewer).world() != table.world
}

/// Whether a break point counts at a stop.
fn holds(runtime: &mut Runtime, at: &BreakStop, point: &Break) -> Result<bool, Problem> {
    let Some(condition) = &point.condition else {
        return Ok(true);
    };
    let value = runtime.look_at(at, &Source::new("condition", condition.as_str()))?;
    value
        .as_bool()
        .ok_or_else(|| problems::not_a_truth(runtime.value_text(&value)))
}

/// The call that a stop is in: it is told again only when it is another.
fn call_of(at: &BreakStop) -> (usize, Option<StackFrame>) {
    let innermost = at.frames.first().cloned();
    // Wherever in it.
    let call = innermost.map(|f| StackFrame { at: (0, 0), ..f });
    (at.frames.len(), call)
}

/// A call as it is told: the function, what it was called with, whose layer it is.
pub(super) fn call_text(ruleset: &Ruleset, frame: &StackFrame) -> String {
    let args: Vec<String> = frame.args.iter().map(|(n, v)| format!("{n} = {v}")).collect();
    let text = &ruleset.layers.texts[ruleset.functions()[frame.function].text];
    let layer = match &text.about {
        Some(_) => format!("   layer: {}", text.name),
        None => String::new(),
    };
    let closure = if frame.closure { ", within a closure" } else { "" };
    let name = qualified(ruleset, frame.function);
    format!("{name}({}){closure}{layer}", args.join(", "))
}

/// The line of the place with so many lines around it; the statement is marked below it.
pub(super) fn source_lines(stop: &StepStopState, around: usize, width: usize) -> Vec<String> {
    let Some(frame) = stop.at.frames.first() else {
        return Vec::new();
    };
    let ruleset = stop.ruleset();
    let function = &ruleset.functions()[frame.function];
    let source = &ruleset.layers.texts[function.text].parsed.source;
    let (at, column) = (frame.at.0.max(1), frame.at.1.max(1));
    let token = source.span_at(at, column);
    let span = statement_span(source, token.start);
    let length = source.slice(span).chars().count().max(1);
    let all: Vec<&str> = source.text.lines().collect();
    let from = at.saturating_sub(around).max(1);
    let to = (at + around).min(all.len());
    let digits = to.to_string().len().max(3);
    let room = width.saturating_sub(digits + 4).max(20);
    let mut lines = Vec::new();
    for number in from..=to {
        let text = all
            .get(number - 1)
            .copied()
            .unwrap_or_default()
            .replace('\t', " ");
        let sign = if number == at { '>' } else { ' ' };
        // A statement far to the right is shown with the end of its line.
        let (text, column) = match text.chars().count() {
            all if number == at && all > room && column + length > room => {
                let cut = (all - room + ELLIPSIS.len()).min(column - 1);
                let rest: String = text.chars().skip(cut).collect();
                (format!("{ELLIPSIS}{rest}"), column - cut + ELLIPSIS.len())
            }
            _ => (text, column),
        };
        let line = format!("{sign} {number:>digits$}  {}", shortened(&text, room));
        lines.push(line.trim_end().to_owned());
        if number == at && column <= room {
            let marks = "^".repeat(length.min(room + 1 - column));
            lines.push(format!("{}{marks}", " ".repeat(digits + 3 + column)));
        }
    }
    lines
}

/// `script.function`.
fn qualified(ruleset: &Ruleset, function: usize) -> String {
    let function = &ruleset.functions()[function];
    let script = &ruleset.layers.scripts[function.place.script].name;
    format!("{script}.{}", function.name)
}

/// File and line.
pub(super) fn place_text(ruleset: &Ruleset, frame: &StackFrame) -> String {
    let text = &ruleset.layers.texts[ruleset.functions()[frame.function].text];
    format!("{}:{}", text.parsed.source.name, frame.at.0)
}

impl Session {
    /// The next answer is played statement by statement.
    pub(super) fn step_from_question(&mut self) {
        self.debug.moving = Some(RunLimit::Statement);
    }

    /// Leaves the stop: play goes on from its step to the next question, without stopping.
    pub(super) fn leave_stop(&mut self) -> Result<Output, Problems> {
        self.debug.at_stop()?;
        self.debug.moving = None;
        let Some(stop) = self.debug.stop.take() else {
            return Ok(Output::default());
        };
        match stop.walk.then {
            AfterWalk::Retold(..) => Ok(Output::text(
                "the retelling is given up; the game on the table stays as it is",
            )),
            AfterWalk::Tell { note } => {
                self.plays.going = true;
                let (last, index) = (stop.walk.steps.len() - 1, stop.walk.index);
                if index < last {
                    self.play.go_back(&stop.walk.steps[index]);
                    self.settle();
                }
                let note = note.filter(|_| index == last);
                self.walked(AfterWalk::Tell { note })
            }
        }
    }

    /// Goes on from a stop so many times; stops before at a break point.
    pub(super) fn go_on_from_stop(
        &mut self,
        name: &str,
        times: usize,
        until: impl Fn(&BreakStop) -> RunLimit,
    ) -> Result<Output, Problems> {
        self.debug.at_stop()?;
        // Play goes on, and with it the agents that play sides.
        let then = self.debug.stop.as_ref().map(|stop| &stop.walk.then);
        self.plays.going |= matches!(then, Some(AfterWalk::Tell { .. }));
        let mut reply = Output::default();
        for _ in 0..times.min(MAX_MOVES) {
            let Some(stop) = self.debug.stop.as_mut() else {
                break;
            };
            let until = until(&stop.at);
            let after = stop.at.ordinal;
            let none = StepWalk {
                steps: Vec::new(),
                index: 0,
                then: AfterWalk::Tell { note: None },
                viewer: None,
                alone: self.plays.alone,
            };
            let walk = std::mem::replace(&mut stop.walk, none);
            let last = (name != "continue").then(|| format!(":{name}"));
            let went = self.walk(walk, until, after, last)?;
            reply.pieces.extend(went.pieces);
        }
        Ok(reply)
    }

    /// Goes back to the statement before, so many times, within the step.
    pub(super) fn step_back(&mut self, times: usize) -> Result<Output, Problems> {
        self.debug.at_stop()?;
        let Some(mut stop) = self.debug.stop.take() else {
            return Ok(Output::default());
        };
        let was = call_of(&stop.at);
        let mut went = 0;
        for _ in 0..times.min(MAX_MOVES) {
            let Some(before) = stop.at.before else { break };
            let play = stop.walk.play(&self.play);
            let step = &stop.walk.steps[stop.walk.index];
            let Some(at) = watched_to(&mut stop.twin.borrow_mut(), play, step, before) else {
                break;
            };
            stop.at = *at;
            went += 1;
        }
        let mut reply = Output::default();
        if went == 0 {
            self.debug.stop = Some(stop);
            return Err(problems::first_statement().into());
        }
        let same = was == call_of(&stop.at);
        self.show_stop(&stop, "", same, &mut reply);
        self.debug.stop = Some(stop);
        Ok(reply)
    }
}
