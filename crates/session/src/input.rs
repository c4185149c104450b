//! The entry points of a session: a typed line (a command, one or several answers, an expression), a request of a page,
//! an agent's answer, a check for changed files. Decides what is meant and gives the answers; what comes of it is told
//! by the rest of the prompt.

use crate::commands;
use crate::description::Spanned;
use crate::kernel::choice::Answer;
use crate::kernel::event::Event;
use crate::kernel::table::Reply;
use crate::lines::{first_of, shortened};
use crate::option_text::QuestionWords;
use crate::option_text::{is_number, is_spot, near};
use crate::output::{Output, OutputPiece};
use crate::page::reply_json;
use crate::page::{PageRequest, door};
use crate::problems;
use crate::report::{Problem, Problems, Source, did_you_mean};
use crate::rules::runtime::Runtime;
use crate::scenario::answers;
use crate::scenario::file::ScenarioFile;
use crate::session::{Session, SessionState};
use crate::typed::MAX_LINE;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::atomic::Ordering;

/// Maximum number of printed lines of rules that are shown at once.
const PRINTED_TOLD: usize = 20;

/// Maximum number of characters shown of a line from a page that is too long.
const SHOWN: usize = 72;

impl Session {
    /// Takes a line.
    pub fn line(&mut self, line: &str) -> Output {
        self.forget_stop();
        self.plays.explained = None;
        let played = self.is_machine_asked();
        let going = self.plays.going;
        let before = (self.machine(), self.play.given_count());
        // Who only looks keeps no agent from going on.
        self.plays.going &= played && (!line.starts_with(':') || commands::is_heard_at_any_time(line));
        let printed = self.play.table().printed.len();
        let done = match readable(line) {
            // Enter continues the help or the tour.
            Ok("") if self.shown.help.is_some() => self.take(":help all"),
            Ok("") if self.shown.tour.is_some() => self.take(":tour"),
            Ok("") => Ok(Output::default()),
            Ok(line) => {
                self.shown.help = None;
                self.take(line)
            }
            Err(problem) => Err(problem.into()),
        };
        let mut reply = done.unwrap_or_else(|problems| Output::error(problems, self.face.style.colour));
        // Nor does what failed.
        self.plays.going |= going && played && reply.failed();
        self.forget_stop();
        let comes = |session: &Self| played || before != (session.machine(), session.play.given_count());
        if let Some((faction, agent)) = self.machine().filter(|_| !self.plays.going && comes(self)) {
            reply.add(format!(
                "{faction} waits; `:plays {faction} {agent}` has it go on"
            ));
        }
        // What rules say where somebody only tries them is no news of the game.
        if !line.starts_with(':') || !commands::only_looks(line) {
            self.add_printed(printed, &mut reply);
        }
        self.after(line, &mut reply);
        reply
    }

    /// Nothing is to be stopped any more, but an agent that is asked and has not seen it yet.
    pub(crate) fn forget_stop(&self) {
        if !self.is_machine_asked() {
            self.stop.store(false, Ordering::SeqCst);
        }
        self.rules.workspace.work().resume();
    }

    /// Says what rules have printed since they had printed so many lines, before what is asked; nothing while it could
    /// tell a secret.
    fn add_printed(&self, before: usize, reply: &mut Output) {
        if self.is_secret() || reply.pieces.iter().any(|p| matches!(p, OutputPiece::Cover(_))) {
            return;
        }
        let table = self.play.table();
        // Another game began with none.
        let new = table.printed.get(before..).unwrap_or(&table.printed);
        let lines = new.iter().map(|line| format!("printed: {line}"));
        let lines: Vec<String> = first_of(lines, PRINTED_TOLD, |n| format!("printed: ({n} more)")).collect();
        let at = reply.pieces.len().saturating_sub(1);
        reply
            .pieces
            .splice(at..at, lines.into_iter().map(OutputPiece::Text));
    }

    /// Lets the agent whose side is asked give one answer, and tells it; `None` when a person is asked. A front
    /// end calls it after each line until there is nothing more.
    pub fn machine_answers(&mut self) -> Option<Output> {
        let (faction, agent) = self.machine().filter(|_| self.plays.going)?;
        let (secret, in_phase) = (self.is_secret(), self.play.view().in_hidden_phase());
        let mut reply = Output::default();
        let decision = match self.decided(agent) {
            Ok(Some(decision)) => decision,
            none => {
                // Rules may have been stopped on the way.
                self.plays.sides.remove(&faction);
                self.settle();
                if let Err(problems) = none {
                    reply.fail(problems, self.face.style.colour);
                }
                reply.add(format!(
                    "{faction} is yours again; `:plays {faction} {agent}` gives it back"
                ));
                self.show_events(&mut reply);
                self.after("", &mut reply);
                return Some(reply);
            }
        };
        let key = self.play.with_question(|a| {
            let option = a.request.options.get(decision.index);
            format!("{} {}", a.label(), option.map_or_else(String::new, |o| a.key(o)))
        });
        let step = self.play.with_question(|a| a.request.step);
        let begins = step.is_some_and(|step| self.plays.begins_activation(step));
        let line = match secret {
            true => in_phase.then(|| format!("{faction} has chosen in secret")),
            false => begins.then(|| {
                let key = key.unwrap_or_default();
                format!("{faction}: {key}, because: {}", decision.why)
            }),
        };
        if let Some(line) = line {
            reply.add(crate::show::wrapped(&line, self.face.style.width));
        }
        let printed = self.play.table().printed.len();
        match self.answer_by(&Reply::Take(decision.index)) {
            Ok(output) => reply.pieces.extend(output.pieces),
            Err(problems) => reply.fail(problems, self.face.style.colour),
        }
        self.add_printed(printed, &mut reply);
        self.after("", &mut reply);
        Some(reply)
    }

    /// Looks whether files of the workspace have changed and takes them over: rules with the board
    /// kept, the scenario on the table by laying it again. What is broken is told and changes
    /// nothing. `None` when there is nothing to tell.
    pub fn look_for_changes(&mut self) -> Option<Output> {
        let mut reply = self.take_changes()?;
        self.follow(&mut reply);
        self.write_journal(&mut reply);
        self.update_pages("", &reply);
        Some(reply)
    }

    /// Answers a request of a page. For a line that was sent, returns that line and its output as well.
    pub fn page_asks(&mut self, request: PageRequest) -> (Value, Option<(String, Output)>) {
        let Some(host) = self.pages.desk.as_mut() else {
            return (json!({ "refused": "no page shows the table" }), None);
        };
        match request {
            PageRequest::Look { line } => (reply_json(&self.look_at(&line), &[]), None),
            // What is answered, taken back or changed is meant for the table that was seen.
            PageRequest::Line {
                line,
                seen: Some(seen),
            } if seen != host.number && !only_asks(&line) => {
                let mut late = "something else happened meanwhile; look again".to_owned();
                if let Some((faction, agent)) = self.machine().filter(|_| self.plays.going) {
                    late =
                        format!("{late}; {agent} plays {faction}: Stop or `:plays {faction} me` ends that");
                }
                (json!({ "late": late }), None)
            }
            PageRequest::Line { line, .. }
                if (self.face.completes || !host.host.can_leave()) && is_quit(&line) =>
            {
                let error = match self.face.completes {
                    true => "the prompt is where one leaves; a page can just be closed",
                    false => "this page can just be closed",
                };
                (json!({ "pieces": [{ "kind": "error", "text": error }] }), None)
            }
            PageRequest::Line { line, seen } => {
                host.from_page = true;
                self.pages.door = false;
                // What only asks is no answer to a question that has come meanwhile, however that spells its own.
                let line = match seen.is_some_and(|seen| seen != host.number) && !line.starts_with([':', '='])
                {
                    true => format!("={line}"),
                    false => line,
                };
                let prompt = self.prompt().0;
                let before = self.play.table().events.len();
                let reply = self.line(&line);
                let played = self.play.table().events.len() != before;
                if let Some(host) = &mut self.pages.desk {
                    host.from_page = false;
                }
                let mut response = reply_json(&reply, &[]);
                response["played"] = played.into();
                // One that is refused for its length may be far longer than a screen.
                let line = match line.len() > MAX_LINE {
                    true => shortened(&line, SHOWN),
                    false => line,
                };
                (response, Some((format!("{prompt}{line}"), reply)))
            }
            PageRequest::Door {} => (door::of(&self.rules.workspace), None),
            PageRequest::Measure(request) => (reply_json(&self.measure(&request), &[]), None),
            PageRequest::Sources {} => (self.sources(), None),
            PageRequest::Link { id } => {
                let answer = self.link(id);
                let mut output = Output::default();
                self.follow(&mut output);
                self.write_journal(&mut output);
                let is_told = !output.pieces.is_empty();
                (
                    answer,
                    is_told.then(|| ("a link was made on the page".to_owned(), output)),
                )
            }
            PageRequest::OpenLink { link, seen } => {
                let (answer, output) = self.open_link(&link, &seen);
                (
                    answer,
                    output.map(|output| ("a link was opened".to_owned(), output)),
                )
            }
            PageRequest::Write { path, text, version } => {
                let (answer, output) = self.write_source(&path, &text, version.as_deref());
                (
                    answer,
                    output.map(|output| (format!("{path} was written on the page"), output)),
                )
            }
        }
    }

    /// Returns the output of a line that changes nothing, without remembering it.
    pub fn look_at(&mut self, line: &str) -> Output {
        self.forget_stop();
        let done = match readable(line) {
            Ok(line) if commands::only_looks(line) => self.take(line),
            Ok(line) => Err(problems::not_read_only(line).into()),
            Err(problem) => Err(problem.into()),
        };
        self.forget_stop();
        done.unwrap_or_else(|problems| Output::error(problems, self.face.style.colour))
    }

    fn take(&mut self, line: &str) -> Result<Output, Problems> {
        // A remark, in a file of lines that is piped in.
        if line.starts_with("//") && !line.contains('\n') {
            return Ok(Output::default());
        }
        let line = if line == "?" { ":help" } else { line };
        if let Some(command) = line.strip_prefix(':') {
            let reply = commands::run(self, command)?;
            return Ok(self.type_lines(reply));
        }
        if let Some(expression) = line.strip_prefix('=') {
            return self.look(expression);
        }
        if self.is_for_machine() {
            // No answer of a person's is meant for an agent's question.
            return match answers::may_be_typed(line) {
                true => Err(self.agent_is_asked().into()),
                false => self.look(line),
            };
        }
        let keys = self.play.with_question(|a| a.keys()).unwrap_or_default();
        let meant = self.option_meant(line);
        if let Some(index) = self.play.with_question(|a| a.find(&keys, &meant)).flatten() {
            return self.answer_by(&Reply::Take(index));
        }
        let short = self
            .play
            .with_question(|a| a.shortened(&keys, line))
            .unwrap_or_default();
        if short.len() > 1 {
            let names: Vec<String> = short.iter().map(|&nth| format!("`{}`", keys[nth])).collect();
            return Err(problems::ambiguous(line, names.join(" or ")).into());
        }
        // What is not told but can be said: a spot of a region, or a number, perhaps behind the question's label.
        let other = self.play.with_question(|a| {
            let options = &a.request.options;
            let text = line
                .strip_prefix(a.label())
                .and_then(|text| text.strip_prefix(' '));
            let text = text.unwrap_or(line);
            let meant =
                options.region().is_some() && is_spot(text) || options.numbers().is_some() && is_number(text);
            options.is_open().then(|| (a.read(text), meant))
        });
        match other.flatten() {
            Some((Ok(reply), _)) => return self.answer_by(&reply),
            Some((Err(why), true)) => return Err(problems::refused_answer(why).into()),
            _ => {}
        }
        if !keys.is_empty() && is_spot(line) {
            return Err(problems::not_offered(line)
                .hint("`:options` shows what is")
                .into());
        }
        if ["both", "all"].contains(&line) && self.is_secret() {
            return Ok(self.play_alone(true));
        }
        let came = self.forced_answers();
        let sayable: Vec<String> = came.iter().map(|(_, key)| key).chain(&keys).cloned().collect();
        let begins = |key: &String| {
            let rest = line.strip_prefix(key.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        if let Some(command) = commands::without_colon(line).filter(|_| !sayable.iter().any(begins))
            && self.look(line).is_err()
        {
            return Err(problems::command_without_colon(line, command).into());
        }
        if let Some(answers) = answers::typed(line, &sayable) {
            return self.answer_in_turn(line, answers, &came);
        }
        if !keys.is_empty() && self.names_something(line) {
            let hint = match near(line, &keys) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "`:options` shows what is".to_owned(),
            };
            return Err(problems::not_offered(line).hint(hint).into());
        }
        self.look(line).map_err(|mut problems| {
            if let Some(problem) = self.nobody_called(line) {
                return problem.into();
            }
            // A word may be meant as an answer.
            let is_word = line.chars().all(|c| c.is_alphanumeric() || c == '_');
            let hint = match near(line, &keys) {
                Some(near) => Some(format!("did you mean the answer `{near}`?")),
                None if is_word && !keys.is_empty() => {
                    Some("`:options` shows what can be answered, `:help` what else can be typed".to_owned())
                }
                None => None,
            };
            if let (Some(hint), Some(first)) = (hint, problems.0.first_mut()) {
                *first = first.clone().hint(hint);
            }
            problems
        })
    }

    /// The problem of what is a person's to say or to know, while an agent is asked.
    pub(crate) fn agent_is_asked(&self) -> Problem {
        let (faction, agent) = self
            .machine()
            .map_or_else(Default::default, |(faction, agent)| (faction, agent.to_string()));
        problems::agent_asked(faction, agent)
    }

    /// The problem of a word that is written as a unit's name and is nobody's; what it may mean, and what is asked.
    fn nobody_called(&self, word: &str) -> Option<Problem> {
        let (faction, rest) = word.split_once('.')?;
        let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let rules = &self.play.ruleset().rules;
        if rules.faction(faction).is_none() || rest.is_empty() || !rest.chars().all(plain) {
            return None;
        }
        let units = self.units_seen();
        let slots = &rules.slots.faction;
        // A unit that is there, and what is remembered of a side, are another matter.
        if units.iter().any(|unit| unit == word) || slots.iter().any(|slot| slot.name == rest) {
            return None;
        }
        let near = did_you_mean(word, units.iter().map(String::as_str));
        let hint = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("in an expression, write `faction(\"{faction}\")` for the side"),
        };
        Some(problems::unknown_name("unit", word).hint(hint))
    }

    /// Returns the answers with a single option since the last given answer, with their keys.
    fn forced_answers(&self) -> Vec<(Answer, String)> {
        let table = self.play.table();
        let record: Vec<(usize, Cow<'_, Event>)> = self.view().events().collect();
        let answers = record.iter().rev().filter_map(|(_, event)| match &**event {
            Event::Chose(answer) => Some(*answer),
            _ => None,
        });
        let mut came: Vec<(Answer, String)> = answers
            .take_while(|answer| answer.only)
            .map(|answer| (answer, answer.chosen.key(&table.rules, &table.words)))
            .collect();
        came.reverse();
        came
    }

    /// Returns the key of the option that a word means: its name, its number, or a short name that is clear.
    pub(crate) fn option_meant(&self, word: &str) -> String {
        let key = self.play.with_question(|a| {
            let keys = a.keys();
            let short = || match a.shortened(&keys, word)[..] {
                [only] => Some(only),
                _ => None,
            };
            let known = a.find(&keys, word);
            let nth = known.or_else(|| self.shown.numbers.borrow().find(a, &keys, word));
            nth.or_else(short).and_then(|nth| keys.into_iter().nth(nth))
        });
        key.flatten().unwrap_or_else(|| word.to_owned())
    }

    /// Takes the lines that a command types, one after the other.
    fn type_lines(&mut self, mut reply: Output) -> Output {
        let Some(typed) = reply.types.take() else {
            return reply;
        };
        for line in &typed.lines {
            reply.add(format!("{}{line}", self.prompt().0));
            let output = self.line(line);
            let failed = output.failed();
            reply.pieces.extend(output.pieces);
            if failed {
                self.shown.tour = None;
                reply.add(typed.failed);
                return reply;
            }
        }
        reply.add(typed.done);
        reply
    }

    fn look(&mut self, expression: &str) -> Result<Output, Problems> {
        let expression = expression.trim();
        if expression.is_empty() {
            return Err(problems::empty_expression().into());
        }
        let source = Source::new("input", expression);
        let value = self.play.look(&source, self.viewer(), Runtime::value_text);
        Ok(Output::value(value.map_err(|problem| {
            match self.unit_meant(expression) {
                Some(unit) => problem.hint(format!("write `unit(\"{unit}\")` for the unit")),
                // An answer, where there was a question before.
                None if self.state == SessionState::Over
                    && !is_number(expression)
                    && expression
                        .chars()
                        .all(|c| c.is_alphanumeric() || "._- ".contains(c)) =>
                {
                    problem.hint("the game is over and nothing is asked; `:undo` takes the last answer back")
                }
                None => problem,
            }
        })?))
    }

    /// A unit of the game that stands in code as questions name it, and as no script can.
    fn unit_meant(&self, code: &str) -> Option<String> {
        let rules = &self.play.ruleset().rules;
        // Within a text it is in its place.
        let outside = code.split('"').step_by(2);
        let words = outside.flat_map(|code| code.split(|c: char| !c.is_alphanumeric() && !"._".contains(c)));
        let mut names = words.filter_map(|word| {
            let mut parts = word.split('.');
            Some(format!("{}.{}", parts.next()?, parts.next()?))
        });
        names.find(|name| rules.parse_unit_name(name).is_some())
    }

    /// One person plays all sides from now on, or not any more.
    pub(crate) fn play_alone(&mut self, alone: bool) -> Output {
        self.plays.alone = alone;
        let mut reply = Output::text(match alone {
            true => "one person plays all sides: nothing is covered; `:alone off` covers again",
            false => "what is chosen in secret is covered",
        });
        if !self.play.view().is_whole() {
            self.show_events(&mut reply);
        }
        reply
    }

    fn answer_by(&mut self, reply: &Reply) -> Result<Output, Problems> {
        self.play_on();
        self.play.answer_by(reply);
        self.settle();
        Ok(self.show_new(None))
    }

    /// Gives several answers, one after the other, as far as they fit, as a scenario's file would: what came by itself
    /// before them may be said too.
    fn answer_in_turn(
        &mut self,
        line: &str,
        typed: Vec<Spanned<String>>,
        came: &[(Answer, String)],
    ) -> Result<Output, Problems> {
        if self.play.with_question(|_| ()).is_none() {
            return Err(problems::nothing_asked().into());
        }
        let mut file = ScenarioFile::new(self.game());
        file.source = Source::new("input", line);
        file.answers = typed;
        let written = answers::read(&file, None)?.or_by_number(Rc::clone(&self.shown.numbers));
        self.play
            .with_question(|question| written.go_past(question, came));
        let progress = written.progress();
        if progress.borrow().is_done() {
            return Ok(Output::text(format!(
                "`{line}` came by itself: there was nothing else"
            )));
        }
        self.play_on();
        let given = self.play.given_count();
        let (answers, why) = answers::OfferedAnswers::new(written);
        let before = self.play.set_source(Box::new(answers));
        self.play.run_on();
        drop(self.play.set_source(before));
        self.settle();
        // What was meant as one answer is none of it.
        let split = progress.borrow().split_answer().map(str::to_owned);
        let split = split.map(|text| {
            self.play.undo(1);
            self.settle();
            let not_one = self
                .play
                .with_question(|question| answers::not_one(&text, question).to_string());
            not_one.unwrap_or_else(|| format!("`{text}` is not offered"))
        });
        let given = self.play.given_count().saturating_sub(given);
        let reason = why.borrow().as_ref().map(ToString::to_string);
        let mut left = match &split {
            Some(why) => vec![problems::refused_answer(why).at(&file.source, 0..line.len())],
            None => progress.borrow().problems(&file, reason.as_deref()),
        };
        // One sentence is enough: what stands behind it waits for it.
        left.truncate(1);
        let question = self.play.with_question(|a| a.label().to_owned());
        for problem in &mut left {
            let question = question
                .as_ref()
                .filter(|_| why.borrow().is_none() && split.is_none());
            let question = question.map(|label| format!("`{label}` is asked now"));
            let stays = match given {
                0 => split.as_ref().map(|_| "nothing of it was answered".to_owned()),
                1 => Some("the answer before it stands; `:undo` takes it back".to_owned()),
                _ => Some(format!(
                    "the {given} answers before it stand; `:undo {given}` takes them back"
                )),
            };
            let hint: Vec<String> = question.into_iter().chain(stays).collect();
            if !hint.is_empty() {
                *problem = problem.clone().hint(hint.join("; "));
            }
        }
        if given == 0 {
            Problems::check(std::mem::take(&mut left))?;
        }
        let mut reply = self.show_new(None);
        let pages = left
            .into_iter()
            .map(|p| OutputPiece::error(p, self.face.style.colour));
        reply.pieces.extend(pages);
        Ok(reply)
    }

    /// Adds what was left undone because somebody has stopped it.
    pub(crate) fn add_undone(&self, reply: &mut Output) {
        let left = self.rules.workspace.work().take_undone();
        if !left.is_empty() {
            // That it was to stop has been seen: no agent is meant.
            self.stop.store(false, Ordering::SeqCst);
            reply.add(format!("stopped before the end; done were {}", left.join(", ")));
        }
    }

    /// Appends to a reply: the result of a line, or of choices with a single option if the line is empty.
    pub(crate) fn after(&mut self, line: &str, reply: &mut Output) {
        self.show_moved(reply);
        self.add_undone(reply);
        self.follow(reply);
        self.write_journal(reply);
        self.update_pages(line, reply);
    }
}

/// Whether a line of a page means the same whatever has happened since it was sent.
fn only_asks(line: &str) -> bool {
    let line = line.trim();
    match line.starts_with(':') {
        true => commands::is_heard_at_any_time(line),
        false => line.starts_with('=') || !answers::may_be_typed(line),
    }
}

fn is_quit(line: &str) -> bool {
    let line = line.trim();
    line.len() > 1 && ":quit".starts_with(line)
}

/// A line without its surrounding space, if it is one that can be read. It may hold others: an
/// expression or a function in several lines is one.
fn readable(line: &str) -> Result<&str, Problem> {
    if line.len() > MAX_LINE {
        return Err(problems::line_too_long(line.len(), MAX_LINE));
    }
    if line
        .trim_end_matches(['\r', '\n'])
        .chars()
        .any(|c| c.is_control() && c != '\t' && c != '\n')
    {
        return Err(problems::control_characters());
    }
    Ok(line.trim())
}
