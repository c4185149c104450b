//! Stopping within a step at the prompt: break points, going on from a stop, and what is shown there.
//!
//! The play itself knows nothing of it. An answer is played to the next question as ever; then the
//! steps that it brought about are walked again under a watched twin of the rules, and where a break
//! point is met nothing later is told until the walk goes on. So no game depends on whether it was
//! debugged. Knows the session; how a run is watched is [`crate::script::debug`]'s.

use super::breaks::{self, Break, Breaks};
use super::commands::{Command, count, none};
use super::session::{Piece, Reply, Session, State};
use super::show::{say_lines, table};
use crate::kernel::event::{Event, step_name};
use crate::kernel::ids::{FactionId, Thing};
use crate::kernel::phase::Next;
use crate::kernel::rules::Rules;
use crate::play::{Checkpoint, Play};
use crate::report::{Problem, Problems, Source, did_you_mean};
use crate::scenario::run::Ran;
use crate::script::debug::{Frame, Stopped, Until, Watch, Watched, statement_span};
use crate::script::host::Host;
use crate::transcript::{Line, lines_of};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::atomic::Ordering;

/// How many lines of source stand above and below the place, without a number.
const LINES_AROUND: usize = 5;
/// The most statements that one `:step` or `:next` goes on.
const MAX_MOVES: usize = 1_000;
/// What is done when the walk is over.
pub(super) enum Then {
    /// What happened is told.
    Tell {
        /// With boards where rounds begin, and without one at the end.
        few: bool,
        /// What is said before the question.
        note: Option<String>,
    },
    /// The past was told again: the retelling, and the lines of the game on the table.
    Retold(Box<Ran>, Vec<Line>),
}

/// The steps that are walked.
struct Walk {
    steps: Vec<Checkpoint>,
    index: usize,
    then: Then,
}

impl Walk {
    /// The play that is walked.
    fn play<'p>(&'p self, session: &'p Session) -> &'p Play {
        match &self.then {
            Then::Retold(ran, _) => &ran.play,
            Then::Tell { .. } => &session.play,
        }
    }
}

/// A stop within a step.
pub(super) struct AtStop {
    walk: Walk,
    at: Stopped,
    twin: Rc<Host>,
    /// What an empty line does again.
    last: Option<String>,
}

/// The break points, and the stop if the game is stopped.
#[derive(Default)]
pub(super) struct Debugging {
    breaks: Breaks,
    /// The watched twin of the rules that it was made for.
    twin: RefCell<Option<(Rc<Rules>, Rc<Host>)>>,
    /// How far a walk was to go that came to a question.
    moving: Option<Until>,
    stop: Option<Box<AtStop>>,
}

impl Session {
    /// Whether the game is stopped within a step.
    pub(super) fn is_stopped(&self) -> bool {
        self.debug.stop.is_some()
    }

    fn at_stop(&self) -> Result<&AtStop, Problem> {
        self.debug.stop.as_deref().ok_or_else(|| {
            Problem::new("the game is not stopped within a step").hint(if self.debug.breaks.is_empty() {
                "`:break FUNCTION` makes it stop when that is next called"
            } else {
                "it stops when a break point is met; `:break` lists them"
            })
        })
    }

    /// Where the steps begin that are walked when play has gone on; `None` when nothing can stop it.
    pub(super) fn walk_from(&self) -> Option<Checkpoint> {
        self.walks().then(|| self.play.checkpoint())
    }

    /// Whether play may stop within a step.
    pub(super) fn walks(&self) -> bool {
        !self.debug.breaks.is_empty() || self.debug.moving.is_some()
    }

    /// Play has gone on from a checkpoint: stops at the first break point that was met, or tells.
    pub(super) fn walk_then(&mut self, from: Option<Checkpoint>, then: Then) -> Result<Reply, Problems> {
        let Some(from) = from else {
            return self.walked(then);
        };
        let steps = match &then {
            Then::Retold(ran, _) => steps_from(&ran.play, None),
            Then::Tell { .. } => steps_from(&self.play, Some(&from)),
        };
        let until = self.debug.moving.take().unwrap_or(Until::End);
        let mut after = 0;
        if matches!(then, Then::Tell { .. }) {
            // Up to its question the step had been played before.
            let twin = twin(&self.debug.twin, &self.play.host)?;
            let watch = Watch {
                after,
                until: Until::End,
                marks: Vec::new(),
            };
            let table = self.play.table();
            let events = table.events.get(..from.events).unwrap_or_default();
            if let Watched::Through(passed) = twin.watch(&table, &from.position, events, watch) {
                after = passed;
            }
        }
        let walk = Walk {
            steps,
            index: 0,
            then,
        };
        self.walk(walk, until, after, None)
    }

    /// Walks on: to a place that is wanted, or to the end of the steps.
    fn walk(
        &mut self,
        mut walk: Walk,
        mut until: Until,
        mut after: u64,
        last: Option<String>,
    ) -> Result<Reply, Problems> {
        let before = self.debug.stop.take();
        let shown = before.as_ref().and_then(|s| Some(s.at.frames.first()?.function));
        let mut note = None;
        while walk.index < walk.steps.len() {
            if self.stop.swap(false, Ordering::Relaxed) {
                note = Some("no longer looking for break points".to_owned());
                break;
            }
            match self.watch(&walk, until, after) {
                Ok(Some((at, twin, why))) => {
                    let same = shown.is_some() && shown == at.frames.first().map(|f| f.function);
                    let stop = AtStop { walk, at, twin, last };
                    let mut reply = Reply::default();
                    self.tell_stop(&stop, &why, same, &mut reply);
                    self.debug.stop = Some(Box::new(stop));
                    return Ok(reply);
                }
                Ok(None) => {}
                Err(problems) => {
                    // What cannot be watched is played all the same.
                    note = Some(problems.page(self.style.colour));
                    break;
                }
            }
            walk.index += 1;
            if walk.index < walk.steps.len() {
                after = 0;
                until = match until {
                    Until::Statement | Until::Level(_) => Until::Statement,
                    _ => Until::End,
                };
            }
        }
        let stepping = matches!(until, Until::Statement | Until::Level(_) | Until::Out(_));
        if stepping && self.state == State::Asks && matches!(walk.then, Then::Tell { .. }) {
            // A question came between; its answer goes on with the step.
            self.debug.moving = Some(until);
        }
        let mut reply = self.walked(walk.then)?;
        if let Some(note) = note {
            let at = reply.pieces.len().saturating_sub(1);
            reply.pieces.insert(at, Piece::Text(note));
        }
        Ok(reply)
    }

    /// Watches the present step of a walk: where it stops, under which twin, and why, in a few words.
    #[allow(clippy::type_complexity)]
    fn watch(
        &self,
        walk: &Walk,
        until: Until,
        mut after: u64,
    ) -> Result<Option<(Stopped, Rc<Host>, String)>, Problems> {
        let play = walk.play(self);
        if is_secret(&walk.steps[..=walk.index], play) {
            return Ok(None);
        }
        let twin = twin(&self.debug.twin, &play.host)?;
        let marks = self.debug.breaks.marks(&twin);
        let step = &walk.steps[walk.index];
        let table = play.table();
        let events = table.events.get(..step.events).unwrap_or_default();
        loop {
            let watch = |until, marks| Watch { after, until, marks };
            match twin.watch(&table, &step.position, events, watch(until, marks.clone())) {
                Watched::Stopped(at) => {
                    let met = at.mark.and_then(|n| self.debug.breaks.find(n));
                    let why = match met {
                        Some(met) => match holds(&twin, &at, met) {
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
                    return Ok(Some((*at, twin, why)));
                }
                Watched::Failed(Some(place)) if place > after => {
                    let Some(wanted) = self.debug.breaks.at_error() else {
                        return Ok(None);
                    };
                    let watched = twin.watch(
                        &table,
                        &step.position,
                        events,
                        watch(Until::At(place), Vec::new()),
                    );
                    let Watched::Stopped(at) = watched else {
                        return Ok(None);
                    };
                    let why = format!("break point {}: the rules fail here", wanted.number);
                    return Ok(Some((*at, twin, why)));
                }
                _ => return Ok(None),
            }
        }
    }

    /// The walk is over: what was held back is told.
    fn walked(&mut self, then: Then) -> Result<Reply, Problems> {
        match then {
            Then::Tell { few, note } => {
                let mut reply = Reply::default();
                self.tell(&mut reply, few);
                if !few {
                    self.add_board(&mut reply);
                }
                // Where it is seen: the record and the board may be longer than the screen.
                let at = reply.pieces.len().saturating_sub(1);
                reply.pieces.splice(at..at, note.map(Piece::Text));
                Ok(reply)
            }
            Then::Retold(ran, old) => self.retold(*ran, &old),
        }
    }

    /// Tells what has happened up to a stop, and where it is.
    fn tell_stop(&mut self, stop: &AtStop, why: &str, same: bool, reply: &mut Reply) {
        let events = stop.twin.table.borrow().events.len();
        let open = self.play.viewer().is_none() && matches!(stop.walk.then, Then::Tell { .. });
        if open && self.told.all < events {
            let table = stop.twin.table.borrow();
            let new = &table.events[self.told.all..];
            let lines = lines_of(&table.rules, &table.words, new, 0, &|_| None);
            let lines: Vec<String> = lines.iter().map(|l| self.painted(&l.text())).collect();
            if !lines.is_empty() {
                say_lines(reply, lines);
            }
        }
        if open {
            self.told.all = self.told.all.max(events);
        }
        let Some(frame) = stop.at.frames.first() else {
            return;
        };
        let mut lines = Vec::new();
        if let Some((function, said)) = &stop.at.returned {
            let name = qualified(&stop.twin, *function);
            lines.extend(self.wrapped(&format!("{name} said {said}"), 2));
        }
        if !why.is_empty() || !same {
            let head = match why {
                "" => String::new(),
                why => format!("{why}: "),
            };
            let text = format!("{head}{}", self.call_text(&stop.twin, frame));
            lines.extend(self.wrapped(&text, 2));
            lines.push(place_text(&stop.twin, frame));
        }
        lines.extend(self.source_lines(stop, 0));
        reply.say(lines.join("\n"));
    }

    /// A call as it is told: the function, what it was called with, whose layer it is.
    fn call_text(&self, host: &Host, frame: &Frame) -> String {
        let args: Vec<String> = frame.args.iter().map(|(n, v)| format!("{n} = {v}")).collect();
        let text = &host.layers.texts[host.functions()[frame.function].text];
        let layer = match &text.about {
            Some(_) => format!("   layer: {}", text.name),
            None => String::new(),
        };
        let closure = if frame.closure { ", within a closure" } else { "" };
        let name = qualified(host, frame.function);
        format!("{name}({}){closure}{layer}", args.join(", "))
    }

    /// The line of the place with so many lines around it; the statement is marked below it.
    fn source_lines(&self, stop: &AtStop, around: usize) -> Vec<String> {
        let Some(frame) = stop.at.frames.first() else {
            return Vec::new();
        };
        let function = &stop.twin.functions()[frame.function];
        let source = &stop.twin.layers.texts[function.text].parsed.source;
        let (at, column) = (frame.at.0.max(1), frame.at.1.max(1));
        let token = source.span_at(at, column);
        let span = if stop.at.statement {
            statement_span(source, token.start)
        } else {
            token
        };
        let length = source.slice(span).chars().count().max(1);
        let all: Vec<&str> = source.text.lines().collect();
        let from = at.saturating_sub(around).max(1);
        let to = (at + around).min(all.len());
        let digits = to.to_string().len().max(3);
        let room = self.style.width.saturating_sub(digits + 4).max(20);
        let mut lines = Vec::new();
        for number in from..=to {
            let text = all
                .get(number - 1)
                .copied()
                .unwrap_or_default()
                .replace('\t', " ");
            let sign = if number == at { '>' } else { ' ' };
            let line = format!("{sign} {number:>digits$}  {}", shortened(&text, room));
            lines.push(line.trim_end().to_owned());
            if number == at && column <= room {
                let marks = "^".repeat(length.min(room + 1 - column));
                lines.push(format!("{}{marks}", " ".repeat(digits + 3 + column)));
            }
        }
        lines
    }

    /// A text in lines of the screen's width, the later ones indented.
    fn wrapped(&self, text: &str, indent: usize) -> Vec<String> {
        let mut lines = Vec::new();
        let mut line = String::new();
        for word in text.split(' ') {
            let room = line.chars().count() + 1 + word.chars().count();
            if !line.trim().is_empty() && room > self.style.width {
                lines.push(line.trim_end().to_owned());
                line = " ".repeat(indent);
                line.push_str(word);
                continue;
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
        lines
    }

    /// The world as it stands where the game is stopped.
    pub(super) fn stopped_world(&self) -> Option<crate::kernel::world::World> {
        let stop = self.debug.stop.as_ref()?;
        let world = stop.twin.table.borrow().world.clone();
        Some(world)
    }

    /// The record up to where the game is stopped.
    pub(super) fn stopped_record(&self) -> Option<Vec<(usize, Event)>> {
        let stop = self.debug.stop.as_ref()?;
        let table = stop.twin.table.borrow();
        Some(table.events.iter().copied().enumerate().collect())
    }

    /// The names of local variables where the game is stopped.
    pub(super) fn stopped_names(&self) -> Vec<String> {
        let stop = self.debug.stop.iter();
        let locals = stop.flat_map(|s| s.at.locals.iter().map(|(name, ..)| name.clone()));
        locals.collect()
    }

    /// Evaluates an expression where the game is stopped.
    pub(super) fn look_at_stop(&self, expression: &str) -> Result<Reply, Problems> {
        let stop = self.at_stop()?;
        let source = Source::new("input", expression.trim());
        let said = stop.twin.look_at(&stop.at, &source).map_err(|problem| {
            let near = did_you_mean(expression, stop.at.locals.iter().map(|(n, ..)| n.as_str()));
            match near {
                Some(near) if problem.hint.is_none() => problem.hint(format!("did you mean `{near}`?")),
                _ => problem,
            }
        })?;
        let text = stop.twin.value_text(&said);
        Ok(Reply::text(if text.is_empty() {
            "\"\"".to_owned()
        } else {
            text
        }))
    }

    /// Whether a command can be run now; while the game is stopped some cannot.
    pub(super) fn check_stopped(&self, command: &str) -> Result<(), Problem> {
        const LOOKS: [&str; 7] = ["help", "board", "units", "events", "dials", "variants", "quit"];
        // These leave the stop by themselves.
        const LEAVE: [&str; 7] = ["undo", "with", "without", "set", "reload", "patch", "edit"];
        let own = COMMANDS.iter().any(|c| c.name == command);
        if !self.is_stopped() || own || LOOKS.contains(&command) || LEAVE.contains(&command) {
            return Ok(());
        }
        Err(Problem::new(format!(
            "the game is stopped within a step; `:{command}` needs it between two"
        ))
        .hint("`:continue` plays on, `:leave` plays to the next question"))
    }

    /// The stop is over because something else is put in its place; says so.
    pub(super) fn drop_stop(&mut self, because: &str, reply: &mut Reply) -> bool {
        self.debug.moving = None;
        let Some(stop) = self.debug.stop.take() else {
            return false;
        };
        let function = stop.at.frames.first().map(|f| qualified(&stop.twin, f.function));
        reply.say(format!(
            "no longer stopped in {}: {because}",
            function.unwrap_or_default()
        ));
        true
    }

    /// The rules have changed: break points at lines go with their lines.
    pub(super) fn carry_breaks(&mut self, reply: &mut Reply) {
        self.debug.moving = None;
        for said in self.debug.breaks.carry(&self.play.host) {
            reply.say(said);
        }
    }

    /// Before answers are taken back: leaves the stop, with play taken back to its step.
    pub(super) fn unstop(&mut self) {
        self.debug.moving = None;
        let Some(stop) = self.debug.stop.take() else {
            return;
        };
        if let (Then::Tell { .. }, Some(step)) = (&stop.walk.then, stop.walk.steps.get(stop.walk.index)) {
            self.play.go_back(step);
            self.settle();
        }
    }

    /// What an empty line does where the game is stopped.
    pub(super) fn again(&self) -> Option<String> {
        self.debug.stop.as_ref()?.last.clone()
    }
}

/// The steps of a play from a checkpoint on, or all that are kept, with the answers given in them.
fn steps_from(play: &Play, from: Option<&Checkpoint>) -> Vec<Checkpoint> {
    let trail = play.trail().iter();
    let mut steps: Vec<Checkpoint> = match from {
        Some(from) => {
            let known = trail.skip_while(|c| c.position.ordinal != from.position.ordinal);
            known.cloned().collect()
        }
        None => trail.cloned().collect(),
    };
    // The answers of the open step are not in the trail yet.
    let now = play.checkpoint();
    if let Some(last) = steps.last_mut()
        && last.position.ordinal == now.position.ordinal
    {
        *last = now;
    }
    steps
}

/// Whether a stop in the last of these steps would show what others do in secret.
fn is_secret(steps: &[Checkpoint], play: &Play) -> bool {
    let Some(step) = steps.last().filter(|s| s.position.hidden_start.is_some()) else {
        return false;
    };
    let own = |c: &Checkpoint| -> Vec<FactionId> {
        let by = match c.position.next {
            Next::Pick { faction, .. } => Some(faction),
            Next::Step { about, .. } => match about {
                Thing::Faction(faction) => Some(faction),
                Thing::Unit(unit) => Some(c.position.world.unit(unit).owner),
                _ => None,
            },
            _ => None,
        };
        let askers = c.position.answers.iter().map(|a| a.asker);
        by.into_iter().chain(askers).collect()
    };
    // Steps before those that are walked are in the trail.
    let first = step.position.ordinal;
    let earlier = play.trail().iter().filter(|c| c.position.ordinal < first);
    let hidden = earlier
        .rev()
        .take_while(|c| c.position.hidden_start.is_some())
        .flat_map(own);
    let mut all: BTreeSet<FactionId> = hidden.chain(own(step)).collect();
    all.extend(play.viewer());
    all.len() > 1
}

/// The watched twin of a host.
fn twin(kept: &RefCell<Option<(Rc<Rules>, Rc<Host>)>>, host: &Host) -> Result<Rc<Host>, Problems> {
    if let Some((rules, twin)) = &*kept.borrow()
        && Rc::ptr_eq(rules, &host.rules)
    {
        return Ok(Rc::clone(twin));
    }
    let twin = Rc::new(host.traced_twin()?);
    *kept.borrow_mut() = Some((Rc::clone(&host.rules), Rc::clone(&twin)));
    Ok(twin)
}

/// Whether a break point counts at a stop.
fn holds(twin: &Host, at: &Stopped, point: &Break) -> Result<bool, Problem> {
    let Some(condition) = &point.condition else {
        return Ok(true);
    };
    let said = twin.look_at(at, &Source::new("condition", condition.as_str()))?;
    said.as_bool()
        .map_err(|_| Problem::new(format!("it says {}, not true or false", twin.value_text(&said))))
}

/// `script.function`.
fn qualified(host: &Host, function: usize) -> String {
    let function = &host.functions()[function];
    let script = &host.layers.scripts[function.place.script].name;
    format!("{script}.{}", function.name)
}

/// File and line.
fn place_text(host: &Host, frame: &Frame) -> String {
    let text = &host.layers.texts[host.functions()[frame.function].text];
    format!("{}:{}", text.parsed.source.name, frame.at.0)
}

fn shortened(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    let kept: String = text.chars().take(room.saturating_sub(3)).collect();
    format!("{kept}...")
}

/// The commands that stop and go on, in the order in which help lists them.
pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "break",
        args: "[PLACE [if CONDITION]]",
        help: "makes play stop at a place in the rules; lists these",
        more: "\
:break scouts.damage          the function of that script, in any of its layers
:break fierce.damage          the one of that variant
:break damage                 every script's
:break scouts.rhai:16         the statement at that line
:break error                  where the rules fail
:break damage if foe.life < 3 only when that is true there
The place is met while an answer, `:auto` or `:retell` plays. Break points stay when rules are
reloaded; those at a line go with it.",
        run: break_at,
        known: |s| breaks::known(&s.play.host),
    },
    Command {
        name: "unbreak",
        args: "N | all",
        help: "takes a break point away",
        more: "",
        run: |s, args| {
            let gone = s.debug.breaks.remove(args)?;
            Ok(Reply::text(match gone {
                0 => "there are no break points".to_owned(),
                1 => "1 break point taken away".to_owned(),
                n => format!("{n} break points taken away"),
            }))
        },
        known: |s| {
            let numbers = s.debug.breaks.iter().map(|b| b.number.to_string());
            numbers.chain(["all".to_owned()]).collect()
        },
    },
    Command {
        name: "step",
        args: "[N]",
        help: "goes on to the next statement, into calls",
        more: "\
At a question: the answer to it is played statement by statement.
`:step -1` goes back to the statement before, within the step.",
        run: step,
        known: |_| Vec::new(),
    },
    Command {
        name: "next",
        args: "[N]",
        help: "goes on to the next statement, over calls",
        more: "",
        run: |s, args| {
            let times = count(args, 1)?;
            s.go_on_from_stop("next", times, |at| Until::Level(at.level))
        },
        known: |_| Vec::new(),
    },
    Command {
        name: "finish",
        args: "",
        help: "goes on until the function has ended",
        more: "It tells what the function said. A break point on the way stops it.",
        run: |s, args| {
            none(args)?;
            s.go_on_from_stop("finish", 1, |at| Until::Out(at.level))
        },
        known: |_| Vec::new(),
    },
    Command {
        name: "continue",
        args: "",
        help: "goes on to the next break point, or to the question",
        more: "",
        run: |s, args| {
            none(args)?;
            s.go_on_from_stop("continue", 1, |_| Until::End)
        },
        known: |_| Vec::new(),
    },
    Command {
        name: "leave",
        args: "",
        help: "plays the step to its end without stopping",
        more: "\
The game goes on to its next question; break points stay for later. An agent that was playing
plays no further, a retelling is given up. `:undo` takes the last answer back instead.",
        run: leave,
        known: |_| Vec::new(),
    },
    Command {
        name: "locals",
        args: "",
        help: "lists the local variables, and the dials named there",
        more: "Any expression reads them too, and the position as it stands at the place.",
        run: locals,
        known: |_| Vec::new(),
    },
    Command {
        name: "where",
        args: "",
        help: "lists the calls that led here, innermost first",
        more: "",
        run: where_at,
        known: |_| Vec::new(),
    },
    Command {
        name: "list",
        args: "[N]",
        help: "shows the source around the place, N lines each way",
        more: "",
        run: list,
        known: |_| Vec::new(),
    },
];

/// What `:help debug` says above the table of the commands.
pub(super) const HELP: &str = "\
Play can stop within a step, at a place in the rules. `:break FUNCTION` says
where; then answer, or let `:auto` play. Behind the prompt `debug>` any
expression reads the local variables and the half-done position; nothing can
be changed. An empty line repeats the last :step, :next or :finish.

Stopping changes nothing: the game is the same with and without. While others
have secrets, play does not stop.
";

/// Other names of commands behind the prompt `debug>`, as debuggers have them.
pub(super) const ALIASES: [(&str, &str); 3] = [("bt", "where"), ("l", "list"), ("backtrace", "where")];

fn break_at(session: &mut Session, args: &str) -> Result<Reply, Problems> {
    if args.is_empty() {
        let rows = session.debug.breaks.rows(&session.play.host);
        return Ok(Reply::text(match rows.is_empty() {
            true => "no break points; `:break FUNCTION` makes one".to_owned(),
            false => table(&rows),
        }));
    }
    let (number, note) = session.debug.breaks.add(args, &session.play.host)?;
    let point = session.debug.breaks.find(number);
    let place = point.map(Break::text).unwrap_or_default();
    let mut reply = Reply::text(format!("break point {number}: {place}"));
    if let Some(note) = note {
        reply.say(format!("note: {note}"));
    }
    Ok(reply)
}

fn step(session: &mut Session, args: &str) -> Result<Reply, Problems> {
    if let Some(back) = args.strip_prefix('-') {
        let times = count(back, 1)?;
        return session.step_back(times);
    }
    let times = count(args, 1)?;
    if !session.is_stopped() && session.state == State::Asks {
        session.debug.moving = Some(Until::Statement);
        let text = "the next answer is played statement by statement";
        return Ok(Reply::text(text));
    }
    session.go_on_from_stop("step", times, |_| Until::Statement)
}

fn leave(session: &mut Session, args: &str) -> Result<Reply, Problems> {
    none(args)?;
    session.at_stop()?;
    session.debug.moving = None;
    let Some(stop) = session.debug.stop.take() else {
        return Ok(Reply::default());
    };
    match stop.walk.then {
        Then::Retold(..) => Ok(Reply::text(
            "the retelling is given up; the game on the table stays as it is",
        )),
        Then::Tell { few, note } => {
            let (last, index) = (stop.walk.steps.len() - 1, stop.walk.index);
            if index < last {
                session.play.go_back(&stop.walk.steps[index]);
                session.settle();
            }
            let note = note.filter(|_| index == last);
            session.walked(Then::Tell { few, note })
        }
    }
}

fn locals(session: &mut Session, args: &str) -> Result<Reply, Problems> {
    none(args)?;
    let stop = session.at_stop()?;
    let mut lines = Vec::new();
    let width = stop.at.locals.iter().map(|(n, ..)| n.chars().count());
    let width = width.max().unwrap_or(0);
    for (name, _, text) in &stop.at.locals {
        lines.extend(session.wrapped(&format!("{name:width$} = {text}"), width + 3));
    }
    if lines.is_empty() {
        lines.push("no local variables here".to_owned());
    }
    if let Some(frame) = stop.at.frames.first() {
        let dials = stop.twin.dials_in(frame.function);
        let dials = dials.iter().map(|(name, value)| format!("{name} = {value}"));
        let dials: Vec<String> = dials.collect();
        if !dials.is_empty() {
            lines.extend(session.wrapped(&format!("dials: {}", dials.join(", ")), 7));
        }
    }
    Ok(Reply::text(lines.join("\n")))
}

fn where_at(session: &mut Session, args: &str) -> Result<Reply, Problems> {
    none(args)?;
    let stop = session.at_stop()?;
    let mut lines = Vec::new();
    for (index, frame) in stop.at.frames.iter().enumerate() {
        let call = session.call_text(&stop.twin, frame);
        lines.extend(session.wrapped(&format!("{index:>2}  {call}"), 6));
        lines.push(format!("      {}", place_text(&stop.twin, frame)));
    }
    let table = stop.twin.table.borrow();
    let step = table.checkpoint.step;
    lines.push(match table.checkpoint.next {
        Next::Close => format!("in the end of `{}`", table.rules.phases[step.phase as usize].name),
        _ => format!("in the step `{}`", step_name(&table.rules, step)),
    });
    Ok(Reply::text(lines.join("\n")))
}

fn list(session: &mut Session, args: &str) -> Result<Reply, Problems> {
    let around = count(args, LINES_AROUND)?;
    let stop = session.at_stop()?;
    let mut lines: Vec<String> = Vec::new();
    lines.extend(stop.at.frames.first().map(|f| place_text(&stop.twin, f)));
    lines.extend(session.source_lines(stop, around));
    Ok(Reply::text(lines.join("\n")))
}

impl Session {
    /// Goes on from a stop so many times; stops before at a break point.
    fn go_on_from_stop(
        &mut self,
        name: &str,
        times: usize,
        until: impl Fn(&Stopped) -> Until,
    ) -> Result<Reply, Problems> {
        self.at_stop()?;
        let mut reply = Reply::default();
        for _ in 0..times.min(MAX_MOVES) {
            let Some(stop) = self.debug.stop.as_mut() else {
                break;
            };
            let until = until(&stop.at);
            let after = stop.at.ordinal;
            let none = Walk {
                steps: Vec::new(),
                index: 0,
                then: Then::Tell {
                    few: true,
                    note: None,
                },
            };
            let walk = std::mem::replace(&mut stop.walk, none);
            let last = (name != "continue").then(|| format!(":{name}"));
            let went = self.walk(walk, until, after, last)?;
            reply.pieces.extend(went.pieces);
        }
        Ok(reply)
    }

    /// Goes back to the statement before, so many times, within the step.
    fn step_back(&mut self, times: usize) -> Result<Reply, Problems> {
        self.at_stop()?;
        let Some(mut stop) = self.debug.stop.take() else {
            return Ok(Reply::default());
        };
        let shown = stop.at.frames.first().map(|f| f.function);
        let mut went = 0;
        for _ in 0..times.min(MAX_MOVES) {
            let Some(before) = stop.at.before else { break };
            let play = stop.walk.play(self);
            let step = &stop.walk.steps[stop.walk.index];
            let table = play.table();
            let events = table.events.get(..step.events).unwrap_or_default();
            let watch = Watch {
                after: 0,
                until: Until::At(before),
                marks: Vec::new(),
            };
            let Watched::Stopped(at) = stop.twin.watch(&table, &step.position, events, watch) else {
                break;
            };
            drop(table);
            stop.at = *at;
            went += 1;
        }
        let mut reply = Reply::default();
        if went == 0 {
            self.debug.stop = Some(stop);
            return Err(Problem::new("this is the first statement of the step")
                .hint("`:undo` takes the last answer back")
                .into());
        }
        let same = shown == stop.at.frames.first().map(|f| f.function);
        self.tell_stop(&stop, "", same, &mut reply);
        self.debug.stop = Some(stop);
        Ok(reply)
    }
}
