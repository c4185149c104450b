//! From play to test: expectations of the game on the table, scenarios that are written from it, and
//! scenarios that are run as their files say. Knows files; how a scenario plays is elsewhere.

use crate::arguments::Args;
use crate::change_text::made_by_hand;
use crate::commands::compare::lines_so_far;
use crate::description::{PositionChange, Spanned};
use crate::diff;
use crate::lines::counted;
use crate::output::Output;
use crate::play::Play;
use crate::problems;
use crate::report::{Problem, Problems, Source, hint_for};
use crate::reports::Report;
use crate::rules::runtime::Runtime;
use crate::ruleset_cache::RulesetCache;
use crate::scenario::file::ScenarioFile;
use crate::session::Session;
use crate::snapshot::{self, PendingOutcome, SnapshotComparison, SnapshotStore};
use crate::stage::edit;
use crate::stage::record::{self, AnswerShape};
use crate::stage::run::{self, OpenedFile, Overrides, PlayedScenario};
use crate::stage::transcribe;
use crate::suite::{self, ScenarioResult};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Number of scenarios that run before the program checks for Ctrl-C.
const AT_ONCE: usize = 8;
/// The most changed lines of a snapshot that are shown.
const MOST_LINES: usize = 24;
/// The most differences of a written scenario that are told.
const MOST_TOLD: usize = 6;

impl Session {
    /// `:expect`: lists, adds or takes out expectations, or adds the new ones to the scenario's file.
    ///
    /// # Errors
    ///
    /// Expressions that cannot be read or are neither true nor false; numbers of nothing.
    pub(crate) fn expect(&mut self, args: &Args<'_>) -> Result<Output, Problems> {
        if args.has("--save") {
            return self.save_expectations();
        }
        if let Some(number) = args.number::<usize>("-N") {
            let count = self.set_up.file.expect.len();
            if !(1..=count).contains(&number) {
                return Err(problems::unknown_name("expectation", number)
                    .hint("`:expect` lists the expectations")
                    .into());
            }
            let gone = self.set_up.file.expect.remove(number - 1);
            return Ok(Output::text(format!("no longer expected: {gone}")));
        }
        let Some(text) = args.get("EXPRESSION") else {
            return Ok(self.expectations().into());
        };
        let text = text.split('\n').map(str::trim).collect::<Vec<_>>().join(" ");
        self.check_open()?;
        let (_, holds) = self.holds(&text)?;
        if self.set_up.file.expect.iter().any(|e| e.value == text) {
            return Ok(Output::text(format!("that is expected already; it is {holds}")));
        }
        self.set_up.file.expect.push(text.clone().into());
        Ok(Output::text(format!("expected: {text}\n{holds}")))
    }

    /// Whether an expression is true now, and that in words.
    fn holds(&mut self, text: &str) -> Result<(bool, String), Problems> {
        let mut look = |text: &str| {
            let source = Source::new("input", text);
            self.play.look(&source, None, Runtime::value_text)
        };
        let value = look(text)?;
        if value == "true" {
            return Ok((true, "true now".to_owned()));
        }
        if value != "false" {
            return Err(problems::not_a_truth(value).into());
        }
        let sides = run::sides(text, |operand| look(operand).ok());
        let sides = sides.map_or_else(String::new, |sides| format!(": {sides}"));
        Ok((false, format!("false now{sides}")))
    }

    /// Returns the expectations of the end, each with whether it holds now.
    pub(crate) fn expected(&mut self) -> Vec<(String, String)> {
        let holds = |session: &mut Self, expected: &str| match session.holds(expected) {
            _ if session.is_secret() => "not told while something is chosen in secret".to_owned(),
            Ok((_, text)) => text,
            Err(p) => format!("cannot be read: {}", p.0[0].message),
        };
        let all = self.set_up.file.expect.clone();
        all.into_iter()
            .map(|e| (e.value.clone(), holds(self, &e)))
            .collect()
    }

    fn expectations(&mut self) -> Report {
        if self.set_up.file.expect.is_empty() {
            return Report::of("nothing is expected yet; `:expect EXPRESSION` adds an expectation");
        }
        let expected = self.expected();
        let all = (1..).zip(self.set_up.file.expect.iter().zip(expected));
        Report::lines(all.map(|(number, (expected, (_, holds)))| {
            let new = if is_new(expected) { ", not in the file" } else { "" };
            format!("{number} {expected}\n    {holds}{new}")
        }))
    }

    /// Adds the expectations that are new to the file of the scenario on the table.
    fn save_expectations(&mut self) -> Result<Output, Problems> {
        self.rules.workspace.check_writable()?;
        let Some(path) = self.set_up.path().map(str::to_owned) else {
            return Err(problems::no_scenario_file().into());
        };
        let new = self.set_up.file.expect.iter().filter(|e| is_new(e));
        let new: Vec<String> = new.map(|e| e.value.clone()).collect();
        if new.is_empty() {
            return Err(problems::no_new_expectation(&path).into());
        }
        let source = self.rules.workspace.read(&path)?;
        let text =
            with_expectations(&source.text, &new).map_err(|why| problems::unreadable_file(&path, why))?;
        // What is expected is looked at where the scenario ends, which may be elsewhere.
        let opened = OpenedFile::from(ScenarioFile::parse(Source::new(path.clone(), text.clone()))?);
        let ran = run::run(&self.rules.workspace, &opened, &Overrides::default())?;
        Problems::check(ran.problems)?;
        self.rules.workspace.write(&path, &text)?;
        self.rules.learn(&path);
        self.set_up.opened.file = opened.file;
        let own = &self.set_up.opened.file.expect;
        for expected in &mut self.set_up.file.expect {
            if let Some(own) = own.iter().find(|e| e.value == expected.value) {
                *expected = own.clone();
            }
        }
        let mut reply = Output::text(format!("added to {path}: {}", counted(new.len(), "expectation")));
        for problem in ran.unmet {
            reply.fail(problem, self.face.style.colour);
        }
        if reply.failed() {
            reply.add("so it stands at the scenario's own end; `:test` fails until that holds");
        }
        Ok(reply)
    }

    /// `:save-scenario NAME [--here] [TITLE]`.
    ///
    /// # Errors
    ///
    /// Names that cannot be or are taken; games in no folder; a game that the scenario would not play
    /// again as it was, and how it differs. Nothing is written then.
    pub fn save_scenario(&mut self, name: &str, here: bool, title: &str) -> Result<Output, Problems> {
        let path = self.free_scenario(name)?;
        if self.play.ruleset().options.scratch.is_some() {
            return Err(problems::patched_scenario().into());
        }
        let mut file = self.set_up.scenario_under(&self.play.ruleset().options);
        file.about = None;
        file.proves.clear();
        file.title =
            (!title.is_empty()).then(|| title.split_whitespace().collect::<Vec<_>>().join(" ").into());
        // What the file on the table expects of its own end need not hold here.
        let mut left_out = 0;
        file.expect.retain(|e| {
            let keep = is_new(e) || self.holds(e).is_ok_and(|(holds, _)| holds);
            left_out += usize::from(!keep);
            keep
        });
        file.expect = file.expect.iter().map(|e| e.value.clone().into()).collect();
        let (text, mut messages) = if here {
            self.position_as_scenario(&path, &file)?
        } else {
            self.game_as_scenario(&path, &file)?
        };
        self.rules.workspace.write(&path, &text)?;
        self.rules.learn(&path);
        let width = self.face.style.width;
        let mut reply = Output::text(format!("wrote {path}\n{}", messages.remove(0)));
        for note in messages {
            let (note, quoted) = note.split_once('\n').unwrap_or((&note, ""));
            reply.note(note, width);
            if !quoted.is_empty() {
                // It can be copied: every blank counts.
                reply.add(format!("      {quoted}"));
            }
        }
        if left_out > 0 {
            reply.note(
                &format!(
                    "{} of the scenario on the table {} not hold here and {} left out",
                    counted(left_out, "expectation"),
                    if left_out == 1 { "does" } else { "do" },
                    if left_out == 1 { "is" } else { "are" },
                ),
                width,
            );
        }
        reply.add(format!(
            "`:test {name}` runs it, `:open {name}` puts it on the table"
        ));
        Ok(reply)
    }

    /// The path of a new scenario from the workspace's root.
    fn free_scenario(&self, name: &str) -> Result<String, Problems> {
        self.rules.workspace.check_writable()?;
        let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
        if !name.chars().all(good) || name.starts_with('-') {
            return Err(problems::wrong_scenario_name(name).into());
        }
        let path = format!("scenarios/{}/{name}.toml", self.game());
        if self.rules.workspace.has(&path) {
            return Err(problems::existing_scenario(&path).into());
        }
        Ok(path)
    }

    /// The game so far as a scenario's text, and what to say of it.
    fn game_as_scenario(
        &mut self,
        path: &str,
        file: &ScenarioFile,
    ) -> Result<(String, Vec<String>), Problems> {
        let options = run::options_of(file, &[]);
        let mut ruleset = run::load(&self.rules.workspace, file, &options)?;
        let mut first: Option<Vec<String>> = None;
        for shape in AnswerShape::ALL {
            let mut file = record::of_play(&self.play, file, shape);
            // Whether they hold is told apart from whether it is the same game.
            let expect = std::mem::take(&mut file.expect);
            let text = file.to_toml();
            let read = ScenarioFile::parse(Source::new(path, text))?;
            let mut setup = run::lay_on(ruleset, read)?;
            setup.play.keep_trail();
            let ran = run::run_laid(setup, None)?;
            let differences = self.differences(&ran);
            if differences.is_empty() {
                file.expect = expect;
                let (file, left_out) = self.tested(path, &file)?;
                let mut messages = vec![format!(
                    "{} and {}; it plays to this very position",
                    counted(file.answers.len(), "line of answers"),
                    counted(file.expect.len(), "expectation")
                )];
                let off = &self.play.ruleset().options.without;
                if !off.is_empty() {
                    messages.push(format!("it cannot say that {} is off", off.join(", ")));
                }
                messages.extend(self.waiting());
                messages.extend(left_out);
                return Ok((file.to_toml(), messages));
            }
            first.get_or_insert(differences);
            ruleset = Arc::clone(ran.play.ruleset());
        }
        let mut problem =
            problems::other_game().hint(self.changed_on_the_way() + "`--here` writes the position alone");
        // What differs may be what others have chosen in secret.
        let found = first.filter(|_| !self.is_secret()).unwrap_or_default();
        problem.expected = None;
        let mut problems = vec![problem];
        problems.extend(found.into_iter().take(MOST_TOLD).map(problems::difference));
        Err(Problems(problems))
    }

    /// Returns what a scenario file cannot express of this play, a sentence each with a separator.
    fn changed_on_the_way(&self) -> String {
        let rules = self.play.chapters().iter().skip(1).any(|c| c.edits.is_none());
        let by_hand = !made_by_hand(&self.play).is_empty();
        let mut text = String::new();
        if by_hand {
            text += "something was changed by hand, which a scenario's file cannot say; ";
        }
        if rules {
            text += "the rules were changed on the way: `:retell` tells it under these; ";
        }
        text
    }

    /// Returns a note about forced dice that no roll has taken yet.
    fn waiting(&self) -> Option<String> {
        let table = self.play.table();
        let rolls = edit::next_rolls(&table.words, table.chance.forced());
        (!rolls.is_empty()).then(|| format!("left out: dice that wait by `:force`: {}", rolls.join(", ")))
    }

    /// Returns the differences between a scenario that was played and the game on the table; nothing if they are the
    /// same.
    fn differences(&self, ran: &PlayedScenario) -> Vec<String> {
        let mut found: Vec<String> = ran.problems.iter().map(|p| p.message.clone()).collect();
        let own = lines_so_far(&self.play, &self.set_up.file);
        if let Some(difference) = transcribe::first_difference(&ran.play, &own) {
            found.push(match difference.is.as_str() {
                "" => format!(
                    "`{}` happened here; there nothing more does",
                    difference.was.trim()
                ),
                is => format!(
                    "`{}` happened here; there `{}` does",
                    difference.was.trim(),
                    is.trim()
                ),
            });
        } else {
            let (here, there) = (self.play.table().events.len(), ran.play.table().events.len());
            if here != there {
                found.push(format!("{here} events have happened here, and {there} there"));
            }
        }
        found.extend(diff::changes(&self.play, &ran.play).iter().map(told_apart));
        let asks = |play: &Play| play.with_question(|a| (a.request.asker, a.label().to_owned(), a.keys()));
        if asks(&self.play) != asks(&ran.play) {
            let says = |play: &Play| match asks(play) {
                Some((_, label, keys)) => format!("`{label}` is asked: {}", keys.join(", ")),
                None => "nothing is asked".to_owned(),
            };
            found.push(format!("here {}; there {}", says(&self.play), says(&ran.play)));
        }
        if found.is_empty() {
            let (here, there) = (self.play.position(), ran.play.position());
            let alike = here.cursor == there.cursor
                && here.seed == there.seed
                && here.world.moved() == there.world.moved()
                && here.gathered.len() == there.gathered.len();
            if !alike {
                found.push("the game stands elsewhere in its phases".to_owned());
            }
        }
        found
    }

    /// The present position as a scenario's text, and what to say of it.
    fn position_as_scenario(
        &mut self,
        path: &str,
        file: &ScenarioFile,
    ) -> Result<(String, Vec<String>), Problems> {
        self.check_open()?;
        let (file, notes) = record::of_position(&self.play, file);
        if file.position.units.is_empty() {
            return Err(problems::position_without_units().into());
        }
        let read = ScenarioFile::parse(Source::new(path, file.to_toml()))?;
        let setup = run::lay(&self.rules.workspace, &read, &Overrides::default())?;
        let mut others = Vec::new();
        let changes = diff::changes(&self.play, &setup.play);
        let is = |change: &PositionChange, word: &str| change.slot == word && !change.is_slot;
        let nobody = |change: &PositionChange| matches!(change.base.as_deref(), None | Some("removed"));
        // Where units are called otherwise there, all that they have differs.
        if !changes.iter().any(|change| is(change, "place") && nobody(change)) {
            let mut gone = 0;
            for change in &changes {
                match &change.tweak {
                    // Whoever is removed is simply not there.
                    None if !is(change, "terrain") => gone += 1,
                    Some(_) if is(change, "goes first") || is(change, "last winner") => {}
                    _ => others.push(told_apart(change)),
                }
            }
            if gone > 0 {
                others.push("who has been removed is left out".to_owned());
            }
        }
        let (file, left_out) = self.tested(path, &file)?;
        let units = file.position.units.iter().map(|(_, u)| u.len()).sum();
        let mut messages = vec![format!(
            "the position, {} and {}",
            counted(units, "unit"),
            counted(file.expect.len(), "expectation")
        )];
        messages.extend(notes);
        messages.extend(self.waiting());
        messages.extend(others);
        messages.extend(left_out);
        Ok((file.to_toml(), messages))
    }

    /// A scenario without the expectations that it would not meet by itself, and what to say of those.
    fn tested(&mut self, path: &str, file: &ScenarioFile) -> Result<(ScenarioFile, Vec<String>), Problems> {
        let mut file = ScenarioFile::parse(Source::new(path, file.to_toml()))?;
        let ran = run::run(&self.rules.workspace, &file.clone().into(), &Overrides::default())?;
        Problems::check(ran.problems)?;
        // One that fails in a function of the rules is what called it.
        let places = ran.unmet.iter().flat_map(|p| {
            let called = p.chain.iter().map(|call| &call.place);
            p.place.iter().chain(called)
        });
        let own = places.filter(|place| place.source.name == file.source.name);
        let unmet: Vec<_> = own.map(|place| place.span.clone()).collect();
        let is_met = |e: &Spanned<String>| {
            !unmet
                .iter()
                .any(|u| e.span.start <= u.start && u.end <= e.span.end)
        };
        let mut notes = Vec::new();
        for expected in file.expect.iter().filter(|e| !is_met(e)) {
            let now = self.holds(expected).is_ok_and(|(holds, _)| holds);
            notes.push(match now {
                _ if self.is_secret() => format!("left out, as it is not true of the file:\n{expected}"),
                true => format!(
                    "left out, as it is true here but not of the file, which keeps nothing of what happened \
                     before:\n{expected}"
                ),
                false => format!(
                    "left out, as it is false now; `:expect --save` puts it into the file all the same:\n{expected}"
                ),
            });
        }
        file.expect.retain(is_met);
        Ok((file, notes))
    }

    /// `:test`: runs a scenario as its file says, another, or all of the game.
    ///
    /// # Errors
    ///
    /// Names that nothing has; a game on the table that is from no file.
    pub fn test(&mut self, which: &str) -> Result<Output, Problems> {
        let game = self.game();
        let paths = match which {
            "all" => self.rules.workspace.list(&format!("scenarios/{game}"), ".toml"),
            "" => match self.set_up.path() {
                Some(path) => vec![path.to_owned()],
                None => {
                    return Err(problems::no_scenario_file().into());
                }
            },
            name => suite::find(&self.rules.workspace, &[name.to_owned()])?,
        };
        // Files of other games tell nothing of this one.
        if paths.iter().any(|path| self.set_up.path() == Some(path.as_str())) {
            self.check_open()?;
        }
        let mut reply = Output::default();
        let (mut passed, mut done) = (0, 0);
        let alone = paths.len() == 1;
        let mut rulesets = RulesetCache::new(&self.rules.workspace);
        for chunk in paths.chunks(AT_ONCE) {
            if self.stop.swap(false, Ordering::Relaxed) {
                break;
            }
            let results = suite::run_and_compare(&mut rulesets, chunk, false);
            for result in &results {
                done += 1;
                passed += usize::from(result.passed());
                match result.passed() {
                    true if alone => reply.show(self.outcome(result)),
                    true => {}
                    false => reply.fail_with(self.outcome(result).text()),
                }
            }
        }
        if !alone {
            reply.add(format!("{passed} passed, {} failed", done - passed));
        }
        if done < paths.len() {
            reply.add(format!("stopped after {done} of {}", paths.len()));
        }
        let options = &self.play.ruleset().options;
        let changed = options.scratch.is_some()
            || !self.set_up.overrides.variants.is_empty()
            || !self.set_up.overrides.dials.is_empty();
        if changed {
            reply.add("that was without what is on, turned and patched at the prompt");
        }
        Ok(reply)
    }

    /// Formats the result of a test.
    fn outcome(&self, result: &ScenarioResult) -> Report {
        let colour = self.face.style.colour;
        let mut page = Report::of(format!("{} {}", result.mark(), result.named()));
        if result.passed() {
            if let SnapshotComparison::NotCompared(why) = &result.snapshot {
                page.below(format!("no snapshot was compared: {why}"));
            }
            return page;
        }
        result.faults(colour).for_each(|fault| page.below(fault));
        let (name, snapshot) = (snapshot::stem(&result.path), snapshot::path_of(&result.path));
        let snapshot = snapshot.unwrap_or_default();
        match &result.snapshot {
            SnapshotComparison::Differs { old, new, .. } => {
                page.below(snapshot::difference(&snapshot, old, new, MOST_LINES, colour));
            }
            SnapshotComparison::Missing(_) => page.below(format!("there is no snapshot {snapshot} yet")),
            other if !other.passed() => page.below(other.page(&result.path, colour)),
            _ if !result.end.is_empty() => page.below(format!("it ended so: {}", result.end)),
            _ => {}
        }
        match result.snapshot.pending() {
            Some(PendingOutcome::Pending) => page.below(format!("if it is right now: `:accept {name}`")),
            Some(PendingOutcome::Nowhere(why)) => page.below(format!("nothing was written: {why}")),
            Some(PendingOutcome::Failed(problem)) => page.below(problem.page(colour)),
            None => {}
        }
        page
    }

    /// `:accept`: takes the pending snapshot of a scenario as right.
    ///
    /// # Errors
    ///
    /// Names of nothing that is pending; files that cannot be written.
    pub fn accept(&mut self, name: &str) -> Result<Output, Problems> {
        let store = SnapshotStore::new(&self.rules.workspace, true, false);
        let pending = store.pending();
        let stems = self.pending();
        let name = match name {
            "" => {
                let own = self.set_up.path().map(snapshot::stem);
                let own = own.filter(|s| stems.iter().any(|p| p == s));
                match (own, &stems[..]) {
                    (Some(own), _) => own.to_owned(),
                    (None, [only]) => only.clone(),
                    (None, []) => return Ok(Output::text("no snapshot is pending")),
                    (None, several) => {
                        return Err(problems::missing_argument("the name of a snapshot")
                            .hint(format!("pending: {}", several.join(", ")))
                            .into());
                    }
                }
            }
            name => name.to_owned(),
        };
        let bare = name.trim_end_matches(".toml");
        let found = pending.iter().find(|path| {
            let scenario = snapshot::scenario_of(path).unwrap_or_default();
            snapshot::stem(&scenario) == bare || scenario == name || path.as_str() == name
        });
        let Some(path) = found else {
            return Err(problems::unknown_name("pending snapshot", &name)
                .hint(match &stems[..] {
                    [] => "`:test` compares; what plays otherwise then waits".to_owned(),
                    some => hint_for(bare, some.iter().map(String::as_str)),
                })
                .into());
        };
        if !suite::play_pending(&self.rules.workspace, std::slice::from_ref(path)).is_empty() {
            return Ok(Output::text(format!(
                "nothing is pending for {name} any more: the rules have changed since"
            )));
        }
        store.accept(path)?;
        Ok(Output::text(format!(
            "accepted {}",
            path.trim_end_matches(".new")
        )))
    }

    /// The scenarios of which a snapshot is pending.
    pub fn pending(&self) -> Vec<String> {
        let pending = SnapshotStore::new(&self.rules.workspace, false, false).pending();
        let scenarios = pending.iter().filter_map(|p| snapshot::scenario_of(p));
        scenarios.map(|s| snapshot::stem(&s).to_owned()).collect()
    }
}

/// Formats a difference between the game on the table and the one played from its file.
fn told_apart(change: &PositionChange) -> String {
    let value = |v: &Option<String>| v.clone().unwrap_or_else(|| "nothing".to_owned());
    format!(
        "{} of {} is {} here and {} there",
        change.slot,
        change.who,
        value(&change.base),
        value(&change.tweak)
    )
}

/// Returns the error for a scenario without a name.
pub(crate) fn unnamed(session: &Session) -> Problem {
    let problem = problems::missing_argument("a name for the scenario");
    problem.hint(match session.set_up.path() {
        Some(path) => format!(
            "`:save-scenario NAME [TITLE]` writes a new one; `:expect --save` adds what is expected to {path}"
        ),
        None => "`:save-scenario NAME [TITLE]`".to_owned(),
    })
}

/// Whether an expectation was added at the prompt: it is written nowhere.
fn is_new(expected: &Spanned<String>) -> bool {
    expected.span.is_empty()
}

/// A scenario's text with more expectations; comments and everything else stay as they are.
fn with_expectations(text: &str, new: &[String]) -> Result<String, String> {
    let mut document: toml_edit::DocumentMut = text
        .parse()
        .map_err(|e: toml_edit::TomlError| e.message().to_owned())?;
    let literal = |text: &str| -> toml_edit::Value {
        // Between single quotes, where that can be, as people write them.
        let quoted = format!("'{text}'");
        match quoted.parse() {
            Ok(value) if !text.contains('\'') => value,
            _ => text.into(),
        }
    };
    if document.get("expect").is_none() {
        // At the top, above any table.
        let list: toml_edit::Array = new.iter().map(|e| literal(e)).collect();
        document.insert("expect", toml_edit::value(list));
        return Ok(document.to_string());
    }
    let list = document
        .get_mut("expect")
        .and_then(toml_edit::Item::as_array_mut)
        .ok_or("`expect` is no list")?;
    let last = list.len().checked_sub(1).and_then(|i| list.get(i));
    let before = last.and_then(|v| v.decor().prefix()).and_then(|p| p.as_str());
    // What stands before a line's end is about the entry before.
    let own_line = before.and_then(|b| Some(b[b.rfind('\n')?..].to_owned()));
    let prefix = own_line.unwrap_or_else(|| if list.is_empty() { "" } else { " " }.to_owned());
    let trailing = list.trailing().as_str().unwrap_or_default().to_owned();
    let remark = trailing
        .split_once('\n')
        .filter(|(remark, _)| remark.contains('#'));
    for (nth, expected) in new.iter().enumerate() {
        let mut value = literal(expected);
        value.decor_mut().set_prefix(match remark {
            Some((remark, _)) if nth == 0 => format!("{remark}{prefix}"),
            _ => prefix.clone(),
        });
        list.push_formatted(value);
    }
    if let Some((_, rest)) = remark {
        list.set_trailing(format!("\n{rest}"));
    }
    Ok(document.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectations_are_added_to_a_file_as_it_is_written() {
        let text = "game = \"g\" # mine\nexpect = [\n    'a', # why\n    'b',\n]\n";
        let added = with_expectations(text, &["c == \"d\"".to_owned()]).expect("it is read");
        assert_eq!(
            added,
            "game = \"g\" # mine\nexpect = [\n    'a', # why\n    'b',\n    'c == \"d\"',\n]\n"
        );
        let one =
            with_expectations("game = \"g\"\nexpect = ['a']\n", &["it's".to_owned()]).expect("it is read");
        assert_eq!(one, "game = \"g\"\nexpect = ['a', \"it's\"]\n");
        let none =
            with_expectations("game = \"g\"\n[dials]\nx = 1\n", &["a".to_owned()]).expect("it is read");
        assert_eq!(none, "game = \"g\"\nexpect = ['a']\n[dials]\nx = 1\n");
        assert!(with_expectations("game = ", &[]).is_err());
    }
}
