//! Why something happened, or cannot be chosen: a step is run again, traced, and the trace is read.
//!
//! Nothing here knows a rule: what is told are the calls that the scripts made, what each said,
//! and what the kernel's own functions named.

use crate::description::lay::extent;
use crate::kernel::choice::OfferedOption;
use crate::kernel::effect::Effect;
use crate::kernel::event::Event;
use crate::kernel::ids::{Cause, FactionId, PlaceId, RecordedThing, Thing, UnitId};
use crate::kernel::phase::PhaseBody;
use crate::kernel::schedule;
use crate::kernel::table::{Question, View};
use crate::kernel::world::World;
use crate::lines::{counted, first_of};
use crate::lookahead;
use crate::option_text::QuestionWords;
use crate::option_text::{any_number, is_number, is_spot};
use crate::play::{Checkpoint, Play, Progress};
use crate::report::{Problem, Problems, hint_for, listed};
use crate::reports::{Report, ReportPart};
use crate::rules::layers::REACTIONS_SOURCE;
use crate::rules::run::context::ROOM;
use crate::rules::run::view::ValueView;
use crate::rules::trace::{Trace, TraceLevel, TraceNote, TracedCall};
use crate::suite::problems::unknown_name;
use std::collections::BTreeMap;
use std::sync::Arc;

pub mod problems;
mod statements;

/// Number of calls shown below the call that acted.
const CALLS_BELOW: usize = 12;

/// Part of the message for a chapter whose steps cannot be run again.
const NOT_HELD: &str = "whose rules are gone; `:retell` plays the game again under the present rules";

/// Prefix for the result of a step not due yet.
const SUPPOSED: &str = "if its turn came now:";

/// A second play under the rules of a chapter, whose steps can be traced.
struct Replayer {
    play: Play,
    level: TraceLevel,
}

impl Replayer {
    /// Under the rules in force.
    fn of(play: &Play) -> Self {
        Self {
            play: play.empty_copy(),
            level: TraceLevel::Calls,
        }
    }

    /// Under the rules of a chapter; `None` where they are not held.
    fn of_chapter(play: &Play, chapter: usize, level: TraceLevel) -> Option<Self> {
        let play = play.under_rules_of(chapter)?;
        Some(Self { play, level })
    }

    /// Runs a step of a play, which may have other rules by now, as it was played; `None` where it cannot be said
    /// under these.
    fn run_of(&mut self, play: &Play, step: &Checkpoint) -> Option<(Trace, Progress)> {
        let position = play.as_played(step, &mut self.play)?;
        Some(self.run(&Checkpoint::new(position, step.events)))
    }

    /// Runs the step of a checkpoint again and returns its trace; its events count from 0.
    fn run(&mut self, checkpoint: &Checkpoint) -> (Trace, Progress) {
        self.play.go_to(&Checkpoint::new(checkpoint.position.clone(), 0));
        self.play.runtime.start_trace(self.level);
        let progress = self.play.advance();
        let trace = self.play.runtime.take_trace();
        (trace.unwrap_or_else(|| Trace::new(self.level)), progress)
    }

    /// A step of a unit as if it came now: one that asks it something, or in which the rules refuse what is wanted.
    fn step_supposed(&mut self, play: &Play, unit: UnitId, wanted: &ValueView) -> Option<Checkpoint> {
        let steps = lookahead::steps_supposed(play, Thing::Unit(unit));
        steps.into_iter().find(|step| {
            let (trace, progress) = self.run(step);
            progress == Progress::Asks || refusal(self, &trace, Some(unit), wanted, &mut Vec::new())
        })
    }

    /// Plays on from a question to what a unit is asked that is activated by the option of this index.
    fn activate(&mut self, checkpoint: &Checkpoint, index: usize, unit: UnitId) {
        self.play.go_to(&Checkpoint::new(checkpoint.position.clone(), 0));
        self.play.advance();
        self.play.answer(index);
        while self.play.advance() == Progress::Stepped {
            if self.play.table().about() == Thing::Unit(unit) {
                break;
            }
        }
    }

    /// Whether a spot is offered to a unit that is not activated yet, at once or behind its first answer, and why not.
    fn spot_before(&mut self, checkpoint: &Checkpoint, unit: UnitId, spot: &str) -> Option<Vec<String>> {
        self.play.go_to(&Checkpoint::new(checkpoint.position.clone(), 0));
        self.play.advance();
        let picks = self.play.with_question(|a| match a.request.step.pick {
            0 => None,
            _ => a
                .request
                .options
                .iter()
                .position(|o| o == OfferedOption::Unit(unit)),
        });
        self.activate(checkpoint, picks??, unit);
        let takes = |play: &Play| play.with_question(|a| a.request.options.region().is_some()) == Some(true);
        if takes(&self.play) {
            return spot_refused(&self.play, None, spot);
        }
        let keys = self.play.with_question(|a| a.keys())?;
        let here = self.play.checkpoint();
        for (index, key) in keys.iter().enumerate() {
            self.play.answer(index);
            if self.play.advance() == Progress::Asks && takes(&self.play) {
                let lines = spot_refused(&self.play, None, spot)?;
                return Some([format!("after `{key}`:")].into_iter().chain(lines).collect());
            }
            self.play.go_back(&here);
            self.play.advance();
        }
        None
    }

    fn call_line(&self, call: &TracedCall, depth: usize) -> String {
        let ruleset = self.play.ruleset();
        let function = &ruleset.program.functions[call.function];
        let text = &ruleset.layers.texts[function.text];
        let name = match function.within {
            Some(_) => "closure",
            None => function.name.as_str(),
        };
        let result = match &call.result {
            Some((_, result)) => result.as_str(),
            None => "(not ended)",
        };
        let layer = match &text.about {
            Some(_) => text.name.as_str(),
            None => "none",
        };
        // What a game does not define is in no file of anybody's.
        let place = match text.parsed.source.name.as_str() {
            REACTIONS_SOURCE => "defined nowhere".to_owned(),
            file => format!("{file}:{}", call.line),
        };
        format!(
            "{}{name}({})  {place}  -> {result}   layer: {layer}",
            "  ".repeat(depth + 1),
            call.arg_texts.join(", "),
        )
    }

    /// Adds what led to a call, as far as it was noted before the note `until`, from the outermost call on or from the
    /// call itself: its calls, or all statements of these.
    fn tell(
        &self,
        trace: &Trace,
        (mark, until): (usize, usize),
        from_outermost: bool,
        lines: &mut Vec<ReportPart>,
    ) {
        if self.level == TraceLevel::Calls {
            let mut calls = Vec::new();
            self.chain(trace, mark, &mut calls);
            return lines.extend(calls.into_iter().map(ReportPart::from));
        }
        let path: Vec<usize> = trace.outwards(mark).collect();
        let outermost = path.last().filter(|_| from_outermost).copied();
        let head = |call: &TracedCall| self.call_line(call, 0).trim_start().to_owned();
        lines.extend(statements::folded(
            trace,
            outermost.unwrap_or(mark),
            until,
            &path,
            &head,
        ));
    }

    /// The calls that led to a call, outermost first, and what it called itself.
    fn chain(&self, trace: &Trace, mark: usize, output: &mut Vec<String>) {
        let mut path: Vec<usize> = trace.outwards(mark).collect();
        path.reverse();
        for (depth, m) in path.iter().enumerate() {
            if let Some(call) = trace.call(*m) {
                output.push(self.call_line(call, depth));
            }
        }
        let below: Vec<usize> = (mark + 1..trace.marks.len())
            .filter(|m| trace.call(*m).is_some() && trace.outwards(*m).skip(1).any(|o| o == mark))
            .collect();
        // Calls that differ only in what they were asked about are told once.
        let alike = |a: &TracedCall, b: &TracedCall| {
            (a.function, a.parent, &a.result) == (b.function, b.parent, &b.result)
        };
        let mut shown: Vec<(&TracedCall, usize, usize)> = Vec::new();
        for m in below {
            let Some(call) = trace.call(m) else { continue };
            match shown.last_mut() {
                Some((last, _, times)) if alike(last, call) => *times += 1,
                _ => shown.push((call, trace.outwards(m).count() - 1, 1)),
            }
        }
        let lines = shown.iter().map(|(call, depth, times)| {
            let more = match times - 1 {
                0 => String::new(),
                n => format!("   (and {n} more)"),
            };
            format!("{}{more}", self.call_line(call, *depth))
        });
        output.extend(first_of(lines, CALLS_BELOW, |n| {
            format!("  ... and {n} more calls")
        }));
    }

    /// The answers and rolls of the step that was run last, up to an event.
    fn fed_by(&self, until: usize, lines: &mut Vec<ReportPart>) {
        let table = self.play.table();
        for event in table.events.iter().take(until) {
            if matches!(event, Event::Chose(_) | Event::Rolled { .. }) {
                let event = crate::event_text::line(event, &table.rules, &table.words);
                lines.push(format!("  fed by: {event}").into());
            }
        }
    }
}

/// Why an event came about, by its index in the record; the last one that followed from a rule
/// without one. At the level of statements, every statement that ran for it.
///
/// # Errors
///
/// There is no such event, or its step is no longer known.
pub fn event(
    play: &Play,
    view: View<'_>,
    index: Option<usize>,
    level: TraceLevel,
) -> Result<Report, Problems> {
    event_lines(play, view, index, level).map(Report::lines)
}

fn event_lines(
    play: &Play,
    view: View<'_>,
    index: Option<usize>,
    level: TraceLevel,
) -> Result<Vec<ReportPart>, Problems> {
    check_state(play, view)?;
    let (index, line, happened) = {
        let table = play.table();
        let last = table.events.iter().rposition(Event::is_consequence);
        let index = index.or(last).ok_or_else(problems::no_events)?;
        let Some(event) = table.events.get(index) else {
            return Err(problems::unknown_event(index + 1, table.events.len()).into());
        };
        (
            index,
            crate::event_text::line(event, &table.rules, &table.words),
            event.clone(),
        )
    };
    let mut lines: Vec<ReportPart> = vec![line.into()];
    match happened {
        Event::Chose(answer) => {
            lines.push(if answer.only {
                "  it was the only option; see what refuses others with :why-not".into()
            } else {
                "  somebody chose it; no rule did".into()
            });
        }
        Event::Phase { .. } | Event::Step(_) => {
            // It lies before its step: no rule ran.
            lines.push("  the game's phases() say so".into());
            return Ok(lines);
        }
        _ => {}
    }
    let checkpoint = step_of(play, index)?;
    check_secrets(play, view, &checkpoint, level)?;
    let chapter = play.chapter_of(&checkpoint);
    let mut replayer = Replayer::of_chapter(play, chapter, level);
    let ran = replayer
        .as_mut()
        .and_then(|replayer| replayer.run_of(play, &checkpoint));
    let (Some(mut replayer), Some((trace, progress))) = (replayer, ran) else {
        lines.push(format!("  it happened in chapter {}, {NOT_HELD}", chapter + 1).into());
        return Ok(lines);
    };
    let inner = index - checkpoint.events;
    if inner >= replayer.play.table().events.len() {
        lines.push(match progress {
            // It came on record between two steps.
            Progress::Stepped | Progress::Over => {
                "  the kernel did it when a phase began or ended; no script was called".into()
            }
            Progress::Failed(problem) => {
                format!("  its step cannot be run again to its end: {}", problem.message).into()
            }
            _ => "  its step cannot be run again to its end: what was answered in it is gone".into(),
        });
        return Ok(lines);
    }
    let applied = trace.marks.iter().find_map(|m| match m {
        TraceNote::Applied {
            effect,
            cause,
            group,
            events,
        } if events.contains(&inner) => Some((*effect, *cause, *group)),
        _ => None,
    });
    match applied {
        // What a simultaneous phase gathered was decided in an earlier step.
        Some((effect, cause, step)) if step < checkpoint.position.ordinal => {
            let made = play.standing().find(|c| c.position.ordinal == step);
            let Some(made) = made else {
                lines.push("  it was decided in a step that is no longer known".into());
                return Ok(lines);
            };
            check_secrets(play, view, made, level)?;
            let decided = play.chapter_of(made);
            if !play.chapters()[decided].has_rules_of(&play.chapters()[chapter]) {
                // What it is called there is not what it is called here.
                let decided = decided + 1;
                lines.push(format!("  it was decided in chapter {decided}, under other rules").into());
                return Ok(lines);
            }
            let Some((trace, _)) = replayer.run_of(play, made) else {
                lines.push(format!("  it was decided in chapter {}, {NOT_HELD}", decided + 1).into());
                return Ok(lines);
            };
            describe_act(&replayer, &trace, effect, cause, &mut lines);
            replayer.fed_by(usize::MAX, &mut lines);
        }
        Some((effect, cause, _)) => describe_act(&replayer, &trace, effect, cause, &mut lines),
        None => {
            if let Some(mark) = trace.maker(inner) {
                replayer.tell(&trace, (mark, trace.after(inner)), true, &mut lines);
            }
            replayer.fed_by(inner, &mut lines);
        }
    }
    if lines.len() == 1 {
        lines.push("  the kernel did it; no script was called".into());
    }
    lines.extend(other_rules(play, chapter).map(ReportPart::from));
    Ok(lines)
}

/// That a chapter had other rules than those in force, if it had.
fn other_rules(play: &Play, chapter: usize) -> Option<String> {
    let other = play.chapters()[chapter].from_step < play.rules_since();
    other.then(|| {
        format!(
            "  (in chapter {}, under its rules, not those of now)",
            chapter + 1
        )
    })
}

fn describe_act(
    replayer: &Replayer,
    trace: &Trace,
    effect: Effect,
    cause: Cause,
    lines: &mut Vec<ReportPart>,
) {
    let found = trace.marks.iter().enumerate().rev().find_map(|(nth, m)| match m {
        TraceNote::Act {
            effect: e,
            cause: c,
            parent,
            ..
        } if (*e, *c) == (effect, cause) => parent.map(|parent| (parent, nth)),
        _ => None,
    });
    if let Some(found) = found {
        replayer.tell(trace, found, true, lines);
    }
}

/// The checkpoint of the step in which an event came on record.
fn step_of(play: &Play, index: usize) -> Result<Checkpoint, Problem> {
    let now = play.checkpoint();
    if now.events <= index {
        return Ok(now);
    }
    let before = play.trail().iter().rev().find(|c| c.events <= index);
    before.cloned().ok_or_else(problems::lost_step)
}

/// Checks that no slot or unit is hidden whatever the phase: any rule may have read it.
fn check_state(play: &Play, view: View<'_>) -> Result<(), Problem> {
    let hidden = view.faction().filter(|_| view.has_lasting_secrets());
    match hidden {
        Some(faction) => {
            let name = &play.ruleset().rules.factions[faction.index()];
            Err(problems::secret_state(name))
        }
        None => Ok(()),
    }
}

/// Checks that a step is in the view as a whole. Statements may read all that was done since the open hidden phase
/// began, so for them that must be in the view, too.
fn check_secrets(play: &Play, view: View<'_>, step: &Checkpoint, level: TraceLevel) -> Result<(), Problem> {
    let since = view.since().filter(|_| level == TraceLevel::Statements);
    let from = since.map_or(step.events, |since| since.min(step.events));
    let next = play.trail().iter().map(|c| c.events).find(|e| *e > step.events);
    let end = next.unwrap_or_else(|| play.table().events.len());
    match view.leaves_out(from..end) {
        true => Err(problems::secret_step()),
        false => Ok(()),
    }
}

/// The last call of a script function: what led to it, what it said, and what its layers said. At the level of
/// statements, every statement that ran in it.
///
/// # Errors
///
/// No function has that name, or it was not called in this game.
pub fn call(play: &Play, view: View<'_>, name: &str, level: TraceLevel) -> Result<Report, Problems> {
    check_state(play, view)?;
    let has_it = |play: &Play| play.ruleset().functions().iter().any(|f| f.name == name);
    let earlier = |chapter| play.under_rules_of(chapter).is_some_and(|play| has_it(&play));
    if !has_it(play) && !(0..play.chapters().len()).any(earlier) {
        let names = play.ruleset().functions().iter().map(|f| f.name.as_str());
        return Err(unknown_name("function", name).hint(hint_for(name, names)).into());
    }
    let mut twins: BTreeMap<usize, Option<Replayer>> = BTreeMap::new();
    let now = play.checkpoint();
    // What others do in secret is not told while it is secret.
    let public = play.standing().rev();
    let public = public.filter(|c| view.since().is_none_or(|since| c.events < since));
    for checkpoint in std::iter::once(&now).chain(public) {
        check_secrets(play, view, checkpoint, level)?;
        let chapter = play.chapter_of(checkpoint);
        let replayer = twins
            .entry(chapter)
            .or_insert_with(|| Replayer::of_chapter(play, chapter, level));
        let replayer = replayer.as_mut();
        let Some((replayer, (trace, _))) = replayer.and_then(|replayer| {
            let ran = replayer.run_of(play, checkpoint)?;
            Some((replayer, ran))
        }) else {
            return Err(problems::uncalled_function(name).into());
        };
        let is_it = |m: &usize| {
            let call = trace.call(*m);
            call.is_some_and(|c| replayer.play.ruleset().program.functions[c.function].name == name)
        };
        let calls: Vec<usize> = (0..trace.marks.len()).filter(is_it).collect();
        // The outermost layer of the last call; what it called with `base` is told below it.
        let outer = |m: &&usize| !trace.outwards(**m).skip(1).any(|o| is_it(&o));
        let Some(&last) = calls.iter().rev().find(outer) else {
            continue;
        };
        let times = calls.iter().filter(outer).count();
        let head = format!("{name} in the step `{}`", replayer.play.step_name());
        let mut lines: Vec<ReportPart> = vec![head.into()];
        replayer.tell(&trace, (last, trace.marks.len()), false, &mut lines);
        replayer.fed_by(usize::MAX, &mut lines);
        if times > 1 {
            lines.push(format!("  (the last of {times} calls in that step)").into());
        }
        lines.extend(other_rules(play, chapter).map(ReportPart::from));
        return Ok(Report::lines(lines));
    }
    Err(problems::uncalled_function(name).into())
}

/// Why a spot or number is not among those that are offered: which are, or that none is.
fn spot_refused(play: &Play, unit: Option<&str>, option: &str) -> Option<Vec<String>> {
    let answer = play.with_question(|a| {
        let options = &a.request.options;
        let spot = is_spot(option);
        let some = options.region().is_some();
        let meant = spot || options.numbers().is_some() && is_number(option);
        let about = match a.request.step.about {
            RecordedThing::Unit(name) => Some(a.rules.unit_name(name)),
            _ => None,
        };
        let others = unit.is_some() && unit != about.as_deref();
        let result = match (spot, some) {
            (true, false) => Err(format!("{option} is not offered: {}", takes(a))),
            _ => a.read(option).map_err(|no_fit| no_fit.to_string()),
        };
        (meant && !others).then_some(result)
    });
    Some(match answer?? {
        Ok(_) => vec![format!("{option} is offered")],
        Err(why) => vec![why],
    })
}

/// Describes the answers that a question accepts: the range of its numbers, the notation of spots, or its options.
fn takes(question: &Question<'_>) -> String {
    let options = &question.request.options;
    let mut numbers = Vec::new();
    let mut others = Vec::new();
    for option in options.iter() {
        match option {
            OfferedOption::Number(n) => numbers.push(n),
            other => others.push(question.key(other)),
        }
    }
    numbers.sort_unstable();
    numbers.dedup();
    let mut kinds: Vec<String> = match numbers[..] {
        [] => Vec::new(),
        [one] => vec![one.to_string()],
        [from, second, .., to]
            if let Some(step) = second.checked_sub(from)
                && numbers
                    .windows(2)
                    .all(|two| two[1].checked_sub(two[0]) == Some(step)) =>
        {
            vec![match step {
                1 => format!("a whole number from {from} to {to}"),
                step => format!("{from} to {to} in steps of {step}"),
            }]
        }
        _ => {
            let all: Vec<String> = numbers.iter().map(i64::to_string).collect();
            vec![all.join(", ")]
        }
    };
    kinds.extend(options.numbers().map(any_number));
    kinds.extend(options.region().map(|region| region.forms().to_owned()));
    if kinds.is_empty() {
        return format!("`{}` takes {}", question.label(), question.option_list());
    }
    if !options.is_region() {
        kinds.extend(others);
    }
    format!("`{}` takes {}", question.label(), kinds.join(", or "))
}

/// Describes the location of a unit off the board, unless the question offers units off the board.
fn elsewhere(play: &Play, wanted: &ValueView, world: &World) -> Option<&'static str> {
    let &ValueView::Unit(unit) = wanted else {
        return None;
    };
    if world.is_on_board(unit) {
        return None;
    }
    let waits = |a: &Question<'_>| {
        let mut things = a.request.options.iter().flat_map(OfferedOption::things);
        things.any(|o| matches!(o, OfferedOption::Unit(other) if !world.is_on_board(other)))
    };
    match (play.with_question(waits), world.is_alive(unit)) {
        (Some(true), _) => None,
        (_, true) => Some("  it is not on the board: it waits in reserve"),
        (_, false) => Some("  it is not on the board: it is out of the game"),
    }
}

/// Why a unit is not among those that whoever is asked may activate.
fn why_no_activation(play: &Play, unit: UnitId) -> String {
    let table = play.table();
    let (rules, world, position) = (&table.rules, &table.world, &table.checkpoint);
    let asker = table.request.asker;
    let phase = position.cursor.innermost(|_| true);
    let leaves_it_out = |phase| schedule::step_of(rules, world, phase, Thing::Unit(unit)).is_none();
    if world.unit(unit).owner != asker {
        format!("{} is asked", rules.factions[asker.index()])
    } else if !world.is_on_board(unit) {
        "it is not on the board".to_owned()
    } else if phase.is_some_and(leaves_it_out) {
        let name = phase.map_or("", |phase| rules.phases[phase as usize].name.as_str());
        format!("the phase `{name}` leaves it out")
    } else {
        let turns = phase.and_then(|phase| match &rules.phases[phase as usize].work {
            PhaseBody::Turn { turns, .. } => turns.as_deref(),
            _ => None,
        });
        let mut why = vec!["it has been already"];
        if turns.is_some_and(|turns| turns.points.is_some()) {
            why.push("what it costs is not there");
        }
        if turns.is_some_and(|turns| turns.initiative.is_some()) {
            why.push("others come first");
        }
        why.join(", or ")
    }
}

/// Why an option is not offered now: to a unit when one is named, else in the question that waits.
///
/// # Errors
///
/// Names that nothing has, and a table at which nothing is asked.
pub fn not(play: &Play, view: View<'_>, unit: Option<&str>, option: &str) -> Result<Vec<String>, Problems> {
    check_state(play, view)?;
    let about = match unit {
        None => None,
        Some(name) => match value_of(play, view, name)? {
            ValueView::Unit(unit) => Some(unit),
            _ => return Err(problems::not_a_unit(name).into()),
        },
    };
    if !play.is_asking() {
        return Err(problems::no_question().into());
    }
    let mut checkpoint = play.checkpoint();
    check_secrets(play, view, &checkpoint, TraceLevel::Calls)?;
    let mut replayer = Replayer::of(play);
    let mut supposed = None;
    if let (Some(unit), Some((subject, label))) = (about, subject_of(play))
        && unit != subject
    {
        let [name, subject] = [unit, subject].map(|u| name_of(play, &ValueView::Unit(u)));
        let asked = format!("{name} is not asked now: `{label}` is about {subject}");
        // What its steps would come to is told all the same.
        let wanted = value_of(play, view, option).ok();
        let Some(step) = wanted.and_then(|wanted| replayer.step_supposed(play, unit, &wanted)) else {
            return Ok(vec![asked]);
        };
        checkpoint = step;
        supposed = Some(format!("{asked}; {SUPPOSED}"));
    }
    if let Some(lines) = spot_refused(play, unit, option) {
        return Ok(supposed.into_iter().chain(lines).collect());
    }
    if unit.is_none() && play.with_question(|a| a.find(&a.keys(), option).is_some()) == Some(true) {
        return Ok(vec![format!("{option} is offered")]);
    }
    if let (Some(unit), true) = (about, is_spot(option))
        && let Some(lines) = replayer.spot_before(&checkpoint, unit, option)
    {
        return Ok(lines);
    }
    let together = about.and_then(|unit| play.with_question(|a| option_with(a, unit)).flatten());
    if let (Some(name), Some(_)) = (unit, &together)
        && play.with_question(|a| a.find(&a.keys(), &format!("{name} {option}")).is_some()) == Some(true)
    {
        return Ok(vec![format!("{name} {option} is offered")]);
    }
    let (name, unit, wanted) = (unit, about, value_of(play, view, option)?);
    let picks = play.with_question(|a| {
        let options = a.request.options.iter();
        (a.request.step.pick > 0).then(|| options.collect::<Vec<OfferedOption>>())
    });
    let picked = unit.filter(|_| matches!(picks, Some(Some(_))));
    if let (Some(Some(options)), Some(unit)) = (picks, unit) {
        // The unit is not activated yet: see what it would be asked.
        if let Some(index) = options.iter().position(|o| *o == OfferedOption::Unit(unit)) {
            replayer.activate(&checkpoint, index, unit);
            checkpoint = Checkpoint::new(replayer.play.position(), 0);
            checkpoint.position.answers.clear();
        } else {
            let why = why_no_activation(play, unit);
            let name = name_of(play, &ValueView::Unit(unit));
            let cannot = format!("{name} cannot be activated now: {why}");
            let Some(step) = replayer.step_supposed(play, unit, &wanted) else {
                return Ok(vec![cannot]);
            };
            checkpoint = step;
            supposed = Some(format!("{cannot}; {SUPPOSED}"));
        }
    }
    let (trace, progress) = replayer.run(&checkpoint);
    let subject = match progress {
        Progress::Asks => subject_of(&replayer.play).map(|(unit, _)| unit),
        _ => None,
    };
    let unit = unit.or(subject);
    if progress == Progress::Asks {
        let answer = replayer
            .play
            .with_question(|a| a.request.options.iter().any(|o| of_option(a, o) == wanted));
        if answer == Some(true) {
            let answer = format!("{option} is offered");
            return Ok(supposed.into_iter().chain([answer]).collect());
        }
    }
    // A unit that is asked, or would be; not one that somebody else decides about.
    let own = |unit: &UnitId| {
        replayer
            .play
            .with_question(|a| a.world.unit(*unit).owner == a.request.asker)
    };
    let asked = subject.filter(|unit| own(unit) != Some(false)).or(picked);
    let mut lines: Vec<String> = supposed.into_iter().collect();
    lines.push(match (asked, name, &together) {
        (_, Some(name), Some(_)) => format!("{name} {option} is not offered"),
        (Some(unit), ..) => format!(
            "{option} is not offered to {}",
            name_of(play, &ValueView::Unit(unit))
        ),
        _ => format!("{option} is not offered"),
    });
    lines.extend(together);
    let world = view.world();
    let others = replayer
        .play
        .with_question(|a| offers_others(a, &wanted).then(|| takes(a)));
    if let Some(told_so) = elsewhere(play, &wanted, &world) {
        lines.push(told_so.to_owned());
    } else if let (Progress::Asks, Some(Some(takes))) = (&progress, others) {
        lines.push(format!("  {takes}"));
    } else if !refusal(&replayer, &trace, unit, &wanted, &mut lines)
        && !missing_reasons(
            &mut replayer,
            &trace,
            (unit, &wanted),
            &world,
            !view.is_whole(),
            &mut lines,
        )
    {
        let is_of_numbers = |a: &Question<'_>| {
            let options = &a.request.options;
            let number = |o| matches!(o, OfferedOption::Number(_));
            matches!(wanted, ValueView::Int(_)) || options.is_open() || options.iter().any(number)
        };
        let takes = match progress {
            Progress::Asks => replayer
                .play
                .with_question(|a| is_of_numbers(a).then(|| takes(a)))
                .flatten(),
            _ => None,
        };
        lines.push(match takes {
            Some(takes) => format!("  {takes}"),
            None => "  no rule looked at it in this step".to_owned(),
        });
    }
    Ok(lines)
}

/// The reason for which a step refuses a unit to another: what `why-not` says of the two, where a rule gives a reason.
pub fn refused_in(play: &Play, step: &Checkpoint, unit: UnitId, other: UnitId) -> Option<String> {
    let mut replayer = Replayer::of(play);
    let (trace, _) = replayer.run(step);
    let mut lines = Vec::new();
    refusal(&replayer, &trace, Some(unit), &ValueView::Unit(other), &mut lines);
    // The reason, and behind it the call that gave it.
    (lines.len() > 1).then(|| lines.swap_remove(0).trim().to_owned())
}

/// Of a question that offers several things at once what it offers with a unit.
fn option_with(question: &Question<'_>, unit: UnitId) -> Option<String> {
    let options = &question.request.options;
    if !options
        .iter()
        .any(|option| matches!(option, OfferedOption::Several(_)))
    {
        return None;
    }
    let with = options
        .iter()
        .filter(|option| option.things().any(|thing| thing == OfferedOption::Unit(unit)));
    let others = with.map(|option| {
        let others = option
            .things()
            .filter(|thing| *thing != OfferedOption::Unit(unit));
        others
            .map(|thing| question.key(thing))
            .collect::<Vec<_>>()
            .join(" ")
    });
    let others: Vec<String> = others.collect();
    let (name, owner) = (
        question.key(OfferedOption::Unit(unit)),
        question.world.unit(unit).owner,
    );
    let faction_name = |faction: FactionId| &question.rules.factions[faction.index()];
    Some(match others.is_empty() {
        true if owner != question.request.asker => {
            format!(
                "  {} is asked, and {name} is {}'s",
                faction_name(question.request.asker),
                faction_name(owner)
            )
        }
        true => format!("  nothing is offered with {name}"),
        false => format!(
            "  with {name} is offered: {}",
            listed(others.iter().map(String::as_str))
        ),
    })
}

/// Whether a question is about other kinds of things alone than what is wanted.
fn offers_others(question: &Question<'_>, wanted: &ValueView) -> bool {
    let is_thing =
        |view: &ValueView| !matches!(view, ValueView::Text(_) | ValueView::Int(_) | ValueView::List(_));
    let options = &question.request.options;
    // Of several things at once each counts.
    let parts = options.iter().flat_map(OfferedOption::things);
    let values: Vec<ValueView> = parts
        .map(|part| of_option(question, part))
        .filter(is_thing)
        .collect();
    is_thing(wanted)
        && !options.is_open()
        && !values.is_empty()
        && values.iter().all(|values| values.kind() != wanted.kind())
}

/// The unit that the open question is about, if it is about one, and what is asked.
fn subject_of(play: &Play) -> Option<(UnitId, String)> {
    let about = play.table().about();
    play.with_question(|a| match (a.request.subject, about) {
        (Thing::Unit(unit), _) | (Thing::Game, Thing::Unit(unit)) => Some((unit, a.label().to_owned())),
        _ => None,
    })?
}

/// The last call that judged the option, or the unit as such, and did not say yes: what was asked of it before may
/// have been for another question.
fn refusal(
    replayer: &Replayer,
    trace: &Trace,
    unit: Option<UnitId>,
    wanted: &ValueView,
    lines: &mut Vec<String>,
) -> bool {
    let refuses = |call: &TracedCall| {
        let no = matches!(
            call.result,
            Some((ValueView::Text(_) | ValueView::Bool(false), _))
        );
        let about_unit = unit.is_none_or(|u| call.args.first() == Some(&ValueView::Unit(u)));
        no && about_unit
    };
    let calls = || (0..trace.marks.len()).filter_map(|m| Some((m, trace.call(m)?)));
    let judges_it = |c: &TracedCall| refuses(c) && c.args.iter().skip(1).any(|a| a == wanted);
    let judges_unit =
        |c: &TracedCall| refuses(c) && c.args.len() == 1 && matches!(c.result, Some((ValueView::Text(_), _)));
    let last = |judges: &dyn Fn(&TracedCall) -> bool| {
        let (mark, _) = calls().filter(|(_, c)| judges(c)).last()?;
        // The outermost call around it that said no as well.
        let around = trace
            .outwards(mark)
            .filter(|m| trace.call(*m).is_some_and(judges));
        around.last()
    };
    let Some(mark) = last(&judges_it).or_else(|| last(&judges_unit)) else {
        return false;
    };
    let Some(call) = trace.call(mark) else {
        return false;
    };
    if let Some((ValueView::Text(_), reason)) = &call.result {
        lines.push(format!("  {reason}"));
    }
    // The layer that refused: the innermost one that says the same.
    let result = call.result.clone();
    let mut inner = (mark + 1..trace.marks.len())
        .filter(|m| trace.outwards(*m).skip(1).any(|o| o == mark))
        .filter(|m| {
            trace
                .call(*m)
                .is_some_and(|c| c.result == result && c.args == call.args)
        });
    let deepest = inner.next_back().unwrap_or(mark);
    if let Some(call) = trace.call(deepest) {
        lines.push(replayer.call_line(call, 0));
    }
    true
}

/// Adds the reason for a missing option to `told`, and returns whether one was found: a place without room, else the
/// first script function that dropped it, else a kernel function that named others and not it, preferably one that
/// named all offered options. `world` is what may be seen of it; `secret` says that this is not all.
fn missing_reasons(
    replayer: &mut Replayer,
    trace: &Trace,
    (unit, wanted): (Option<UnitId>, &ValueView),
    world: &World,
    secret: bool,
    texts: &mut Vec<String>,
) -> bool {
    if let (ValueView::Place(place), Some(why)) = (wanted, no_room(replayer, trace, (unit, wanted), world)) {
        texts.push(format!(
            "  {} {why}",
            replayer.play.table().rules.board.name(*place)
        ));
        return true;
    }
    if let Some(mark) = keeps_back(trace, unit, wanted)
        && let Some(call) = trace.call(mark)
    {
        let function = &replayer.play.ruleset().functions()[call.function];
        texts.push(format!("  `{}` leaves it out", function.name));
        if !secret {
            texts.push(replayer.call_line(call, 0));
        }
        return true;
    }
    let options: Vec<ValueView> = replayer
        .play
        .with_question(|a| {
            let parts = a.request.options.iter().flat_map(OfferedOption::things);
            parts.map(|part| of_option(a, part)).collect()
        })
        .unwrap_or_default();
    let names_offered = |result: &ValueView| {
        let mut named = options
            .iter()
            .filter_map(|option| holds(result, option))
            .peekable();
        named.peek().is_some() && named.all(|named| named)
    };
    let natives = || {
        trace.marks.iter().filter_map(|m| match m {
            TraceNote::Native {
                name,
                args,
                told: texts,
                said: result,
                parent,
                line,
                ..
            } if name != ROOM => {
                let about = unit.is_none_or(|u| is_about(trace, args, *parent, u));
                // What names nothing whatever it is asked of is no reason.
                let is_none = match result {
                    ValueView::Units(units) => units.is_empty(),
                    ValueView::Places(places) => places.is_empty(),
                    _ => false,
                };
                let names_nothing = args.is_empty() && is_none;
                (about && !names_nothing && holds(result, wanted) == Some(false))
                    .then_some((name, texts, result, parent, line))
            }
            _ => None,
        })
    };
    let found = natives().find(|(_, _, result, ..)| names_offered(result));
    let Some((name, args, result, parent, line)) = found.or_else(|| natives().next()) else {
        return false;
    };
    let ruleset = Arc::clone(replayer.play.ruleset());
    let file = parent.and_then(|p| trace.call(p)).map(|call| {
        let text = &ruleset.layers.texts[ruleset.functions()[call.function].text];
        format!("{}:{line}", text.parsed.source.name)
    });
    let file = file.unwrap_or_default();
    let args = args.join(", ");
    if secret {
        texts.push(format!("  {name}({args}) does not name it   {file}"));
    } else {
        let names = name_of(&replayer.play, result);
        texts.push(format!("  {name}({args}) names {names} and not it   {file}"));
    }
    if let (Some(unit), Some(to)) = (unit, place_of(world, wanted)) {
        let rules = &ruleset.rules;
        if let Some(from) = world.place(unit) {
            let steps = counted(rules.board.distance(from, to), "step");
            let (here, there) = (rules.board.name(from), rules.board.name(to));
            // Where steps have costs, how many there are says little.
            let costs = !secret && rules.hooks.cost_to_enter.is_some();
            let values = [("me", ValueView::Unit(unit)), ("there", ValueView::Place(to))];
            let cost = costs.then(|| {
                replayer
                    .play
                    .runtime
                    .evaluate_with("way_cost(me, there)", &values)
            });
            texts.push(match cost.map(|cost| cost.ok().and_then(|cost| cost.as_int())) {
                None => format!("  {there} is {steps} from {here}"),
                Some(Some(cost)) => format!("  the cheapest way from {here} to {there} costs {cost}"),
                Some(None) => format!("  no way leads from {here} to {there}"),
            });
        }
    }
    true
}

/// Whether places or units hold what is wanted; `None` for what cannot hold it.
fn holds(value: &ValueView, wanted: &ValueView) -> Option<bool> {
    match (value, wanted) {
        (ValueView::Places(places), ValueView::Place(place)) => Some(places.contains(*place)),
        (ValueView::Units(units), ValueView::Unit(unit)) => Some(units.contains(*unit)),
        _ => None,
    }
}

/// Whether a call with these arguments, made in another one, is about a unit.
fn is_about(trace: &Trace, args: &[ValueView], parent: Option<usize>, unit: UnitId) -> bool {
    let of_call = parent.and_then(|p| trace.call(p)).map_or(&[][..], |c| &c.args);
    args.contains(&ValueView::Unit(unit)) || of_call.contains(&ValueView::Unit(unit))
}

/// Why a place that a unit could come to has no room for it, if that is why.
fn no_room(
    replayer: &Replayer,
    trace: &Trace,
    (unit, wanted): (Option<UnitId>, &ValueView),
    world: &World,
) -> Option<String> {
    let ValueView::Place(place) = wanted else {
        return None;
    };
    let refused = trace.marks.iter().any(|m| match m {
        TraceNote::Native {
            name,
            args,
            said: result,
            parent,
            ..
        } if name == ROOM => {
            let given = args.iter().any(|a| holds(a, wanted) == Some(true));
            let about = unit.is_none_or(|u| is_about(trace, args, *parent, u));
            given && about && holds(result, wanted) == Some(false)
        }
        _ => false,
    });
    let most = replayer.play.table().rules.stack;
    refused.then(|| match world.ground().contains(*place) {
        true => format!("is full: `stack` in board() is {most}, the most units of a side in one place"),
        false => "has no ground to stand on".to_owned(),
    })
}

/// The first script function that was given what is wanted among others and gave others without it; of those
/// within each other the innermost.
fn keeps_back(trace: &Trace, unit: Option<UnitId>, wanted: &ValueView) -> Option<usize> {
    let keeps = |mark: usize| {
        trace.call(mark).is_some_and(|call| {
            let given = call.args.iter().any(|a| holds(a, wanted) == Some(true));
            let about = unit.is_none_or(|u| is_about(trace, &call.args, call.parent, u));
            let result = call.result.as_ref().and_then(|(result, _)| holds(result, wanted));
            given && about && result == Some(false)
        })
    };
    let first = (0..trace.marks.len()).find(|m| keeps(*m))?;
    let inner = (first..trace.marks.len()).filter(|m| keeps(*m) && trace.outwards(*m).any(|o| o == first));
    inner.max_by_key(|m| trace.outwards(*m).count())
}

fn place_of(world: &World, value: &ValueView) -> Option<PlaceId> {
    match value {
        ValueView::Place(place) => Some(*place),
        ValueView::Unit(unit) => world.place(*unit),
        _ => None,
    }
}

fn of_option(question: &Question<'_>, option: OfferedOption) -> ValueView {
    let list = |things: Vec<OfferedOption>| {
        ValueView::List(
            things
                .into_iter()
                .map(|thing| of_option(question, thing))
                .collect(),
        )
    };
    match option {
        OfferedOption::Unit(unit) => ValueView::Unit(unit),
        OfferedOption::Place(place) => ValueView::Place(place),
        OfferedOption::Edge(edge) => ValueView::Edge(edge),
        OfferedOption::Faction(faction) => ValueView::Faction(faction),
        OfferedOption::Type(kind) => ValueView::Type(kind),
        OfferedOption::Terrain(terrain) => ValueView::Terrain(terrain),
        OfferedOption::Number(n) => ValueView::Int(n),
        OfferedOption::Word(word) => ValueView::Text(question.words.text(word).to_owned()),
        OfferedOption::Point(spot) => ValueView::Spot(spot),
        many @ OfferedOption::Many(_) => list(question.request.options.things_of(many)),
        OfferedOption::Several(_) => list(option.things().collect()),
    }
}

fn name_of(play: &Play, value: &ValueView) -> String {
    let table = play.table();
    match value {
        ValueView::Unit(unit) => table.rules.unit_name(table.world.name(*unit)),
        ValueView::Places(places) if places.is_empty() => "no place".to_owned(),
        ValueView::Units(units) if units.is_empty() => "no unit".to_owned(),
        ValueView::Places(places) => {
            let names: Vec<&str> = places.iter().map(|p| table.rules.board.name(p)).collect();
            names.join(", ")
        }
        ValueView::Units(units) => {
            let names: Vec<String> = units
                .clone()
                .map(|u| table.rules.unit_name(table.world.name(u)))
                .collect();
            names.join(", ")
        }
        other => other.kind().word().to_owned(),
    }
}

/// The unit, place, number or word that a user names.
fn value_of(play: &Play, view: View<'_>, name: &str) -> Result<ValueView, Problem> {
    let world = view.world();
    let table = play.table();
    let rules = &table.rules;
    if let Some(unit) = rules.parse_unit_name(name).and_then(|n| world.find(n)) {
        return Ok(ValueView::Unit(unit));
    }
    if let Some(place) = rules.board.place_or_edge(name) {
        let is_edge = rules.board.ends(place).is_some();
        return Ok(if is_edge {
            ValueView::Edge(place)
        } else {
            ValueView::Place(place)
        });
    }
    if let Some(faction) = rules.faction(name) {
        return Ok(ValueView::Faction(faction));
    }
    if let Some(kind) = rules.unit_type(name) {
        return Ok(ValueView::Type(kind));
    }
    if let Some(terrain) = rules.terrain(name) {
        return Ok(ValueView::Terrain(terrain));
    }
    if let Ok(n) = name.parse() {
        return Ok(ValueView::Int(n));
    }
    if let Some(word) = table.words.find(name) {
        return Ok(ValueView::Text(table.words.text(word).to_owned()));
    }
    // A letter and a number: where a place would be, were the board larger.
    let row = name.strip_prefix(|c: char| c.is_ascii_lowercase());
    if row.is_some_and(|row| row.parse::<u8>().is_ok()) {
        return Err(problems::off_board(name).hint(extent(rules)));
    }
    if is_spot(name) {
        return Err(problems::unasked_spot(name));
    }
    let units: Vec<String> = world
        .alive()
        .iter()
        .map(|u| rules.unit_name(world.name(u)))
        .collect();
    let places = rules.board.places().iter().map(|p| rules.board.name(p));
    let known = units.iter().map(String::as_str).chain(places);
    Err(problems::unknown_thing(name).hint(hint_for(name, known)))
}
