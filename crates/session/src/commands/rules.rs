//! Changes of rules in a session: variants and dials at the prompt, files that were saved, and playing
//! the past again. The board is kept; what the present rules would have made of the past is another
//! question, which `:retell` answers. Knows files and rulesets; how a play carries its board over is
//! the play's own business.

use crate::change_text::add_cost;
use crate::lines::cut_short;
use crate::opening_files::lay;
use crate::output::Output;
use crate::play::RulesChangeCost;
use crate::problems;
use crate::report::{Problem, Problems};
use crate::reports::Report;
use crate::rules::declare::DialValue;
use crate::rules::layers::{Layers, SCRATCH, ScriptOf, ScriptText};
use crate::rules::register::{Register, VariantState, variant_path};
use crate::rules::ruleset::{LoadOptions, Ruleset};
use crate::rules::workspace::Workspace;
use crate::scenario::answers::OfferedAnswers;
use crate::scenario::file::ScenarioFile;
use crate::session::{Session, SessionState};
use crate::show::table_or;
use crate::stage::run::{self, OpenedFile};
use crate::stage::transcribe;
use crate::transcript::Stored;
use crate::variants::Tweaks;
use crate::watched_files::{FileChange, FileEvent};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Returns what a tweak changes, in a line: its dial and value, or the first line of the comment at its head.
pub(crate) fn about_tweak(workspace: &Workspace, register: &Register, game: &str, name: &str) -> String {
    if let Some((dial, value)) = register.dial(name) {
        return format!("{dial}={value}");
    }
    let Ok(source) = workspace.read(&variant_path(game, name)) else {
        return String::new();
    };
    let first = source.text.lines().next().unwrap_or_default();
    first.strip_prefix("//").unwrap_or_default().trim().to_owned()
}

impl Session {
    /// Puts variants on, with the board kept.
    ///
    /// # Errors
    ///
    /// Names that no variant has, rules that do not fit together, a board that they cannot keep.
    pub fn with(&mut self, names: &[&str]) -> Result<Output, Problems> {
        self.change_options(self.options_with(names)?, &format!("with {}", names.join(", ")))
    }

    /// Returns the options of the rules in force with these variants on.
    pub(crate) fn options_with(&self, names: &[&str]) -> Result<LoadOptions, Problems> {
        self.rules.check_tweaks(self.play.ruleset(), names)?;
        let mut options = self.play.ruleset().options.clone();
        let on = self.rules.on(&self.game(), &options);
        for (nth, name) in names.iter().enumerate() {
            if on.iter().any(|n| n == name) || names[..nth].contains(name) {
                return Err(problems::variant_on(name).into());
            }
            options.without.retain(|w| w != name);
            if !options.variants.iter().any(|v| v == name) {
                options.variants.push((*name).to_owned());
            }
        }
        options.variants.sort();
        Ok(options)
    }

    /// Takes variants off, with the board kept.
    ///
    /// # Errors
    ///
    /// As [`Self::with`]; variants that are not on.
    pub fn without(&mut self, names: &[&str]) -> Result<Output, Problems> {
        let options = self.options_without(names)?;
        self.change_options(options, &format!("without {}", names.join(", ")))
    }

    /// Returns the options of the rules in force with these variants off.
    pub(crate) fn options_without(&self, names: &[&str]) -> Result<LoadOptions, Problems> {
        self.rules.check_tweaks(self.play.ruleset(), names)?;
        let mut options = self.play.ruleset().options.clone();
        let on = self.rules.on(&self.game(), &options);
        let register = Register::read(&self.rules.workspace, &self.game())?;
        for name in names {
            if !on.iter().any(|n| n == name) {
                return Err(problems::variant_off(name).into());
            }
            options.variants.retain(|v| v != name);
            if *name == SCRATCH {
                options.scratch = None;
            }
            if register.adopted().any(|a| a == *name) {
                options.without.push((*name).to_owned());
            }
        }
        options.without.sort();
        Ok(options)
    }

    /// Turns dials, with the board kept; back to what the rules say where the value is empty.
    ///
    /// # Errors
    ///
    /// An unknown dial or a value that it cannot have, a board that cannot be kept.
    pub fn turn(&mut self, dials: &[(&str, &str)]) -> Result<Output, Problems> {
        let mut options = self.play.ruleset().options.clone();
        for (dial, value) in dials {
            if value.contains('=') {
                return Err(problems::several_dial_values(dial, value).into());
            }
            if !value.is_empty() {
                options.dials.insert((*dial).to_owned(), DialValue::read(value));
            } else if options.dials.remove(*dial).is_none() {
                return Err(problems::unset_dial(dial).into());
            }
        }
        let why: Vec<String> = dials
            .iter()
            .map(|(dial, value)| format!("{dial}={value}"))
            .collect();
        let mut reply = self.change_options(options, &why.join(", "))?;
        for (dial, _) in dials {
            self.remembered(dial).into_iter().for_each(|note| reply.add(note));
        }
        Ok(reply)
    }

    /// That units which are there keep what began with a stat, where a dial is one.
    fn remembered(&self, dial: &str) -> Option<String> {
        let (rules, world) = (&self.play.ruleset().rules, &self.world());
        let (kind, stat) = dial.split_once('.')?;
        let of = rules.unit_type(kind)?;
        let stat = rules.stats.iter().position(|name| name == stat)?;
        let slot = rules
            .slots
            .unit
            .iter()
            .find(|slot| slot.from_stat == Some(stat))?;
        let unit = world
            .on_board()
            .iter()
            .find(|unit| world.unit(*unit).kind == of)?;
        let (unit, slot) = (rules.unit_name(world.name(unit)), &slot.name);
        Some(format!(
            "note: whoever is there remembers the `{slot}` that it began with: `:edit {unit} {slot}=N` changes it"
        ))
    }

    /// The variants of these options that are not there any more.
    fn gone(&self, options: &LoadOptions) -> Result<Vec<String>, Problems> {
        let known = self.rules.tweaks(&self.game())?;
        let on = options.variants.iter();
        Ok(on.filter(|v| !known.contains(v)).cloned().collect())
    }

    /// The rules of the game with these options.
    ///
    /// # Errors
    ///
    /// What is wrong with them; the way out where it is something that was turned or put on before.
    pub(crate) fn load(&self, options: &LoadOptions) -> Result<Arc<Ruleset>, Problems> {
        if let Some(name) = self.gone(options)?.first() {
            return Err(problems::variant_without_script(name).into());
        }
        let turned = &self.play.ruleset().options.dials;
        Ruleset::load(&self.rules.workspace, &self.game(), options).map_err(|Problems(mut all)| {
            for problem in &mut all {
                let stays =
                    |dial: &&str| turned.contains_key(*dial) && turned.get(*dial) == options.dials.get(*dial);
                let dial = problem.subjects().find(stays).map(str::to_owned);
                if let Some(dial) = dial {
                    let hint = format!("it is turned to {}; `:set {dial}=` turns it back", turned[&dial]);
                    *problem = problem.clone().hint(hint);
                }
            }
            Problems(all)
        })
    }

    /// Loads the rules with other options and goes on under them.
    pub(crate) fn change_options(&mut self, options: LoadOptions, why: &str) -> Result<Output, Problems> {
        let ruleset = self.load(&options)?;
        let question = self.question();
        let cost = self.change_rules(ruleset, why)?;
        let mut reply = Output::text(format!(
            "now {}; the board is kept. `:retell` plays the past again",
            self.rules.describe(&self.game(), &self.play.ruleset().options)
        ));
        self.go_on(&mut reply, question, &cost);
        Ok(reply)
    }

    /// Goes on under other rules, and remembers those before.
    pub(crate) fn change_rules(
        &mut self,
        ruleset: Arc<Ruleset>,
        why: &str,
    ) -> Result<RulesChangeCost, Problem> {
        let before = self.rules.previous(self.play.ruleset(), why);
        let cost = self.play.change_rules(ruleset, why)?;
        self.rules.before = Some(before);
        self.keep_options();
        Ok(cost)
    }

    /// Plays on under changed rules. The question is asked again only if it is another.
    pub(crate) fn go_on(&mut self, reply: &mut Output, question: Option<Report>, cost: &RulesChangeCost) {
        self.history.play_on();
        add_cost(reply, cost);
        self.settle();
        if self.state != SessionState::Asks || self.question() != question {
            self.show_events(reply);
        }
    }

    /// A table of the game's tweaks, or of those that speak of a text: what is on, what was decided, what each is
    /// about. Of one that is named, all that is known.
    ///
    /// # Errors
    ///
    /// What is wrong with the register of tweaks or with them; a text of which none speaks.
    pub fn variants(&self, text: &str) -> Result<Report, Problems> {
        let mut rows = self.tweak_rows()?;
        let width = self.face.style.width;
        let mut tweaks = Tweaks::read(&self.rules.workspace, &self.game())?;
        tweaks.sort_by_kind();
        if !text.is_empty() {
            let found = tweaks.about(text)?;
            if let Some(only) = tweaks.find(text) {
                let on = rows.iter().any(|[name, on, ..]| name == text && on == "on");
                let mut page = Report::lines(only.lines(Some(width)));
                page.below(if on { "    it is on" } else { "    it is off" });
                return Ok(page);
            }
            rows.retain(|[name, ..]| found.iter().any(|variant| variant.name == *name));
        }
        let place = |name: &str| tweaks.all.iter().position(|variant| variant.name == name);
        rows.sort_by_key(|[name, ..]| place(name).unwrap_or(usize::MAX));
        for [name, _, state, _] in &mut rows {
            // What was not judged yet is marked by its kind.
            let open = tweaks
                .find(name)
                .filter(|variant| variant.state == VariantState::Idea);
            *state = open.map_or(std::mem::take(state), |variant| variant.kind.name().to_owned());
        }
        let room = width.saturating_sub(48).max(24);
        let gone = self.gone(&self.play.ruleset().options)?;
        let rows = rows.into_iter().map(|[name, on, state, about]| {
            // The way out of a script that is gone is told whole.
            let about = match gone.contains(&name) {
                true => about,
                false => cut_short(&about, room, room, str::trim_end, "..."),
            };
            vec![name, on, state, about]
        });
        Ok(table_or(rows.collect(), "this game has no variants"))
    }

    /// The game's tweaks: what each is called, whether it is on, what was decided, what it is about.
    pub(crate) fn tweak_rows(&self) -> Result<Vec<[String; 4]>, Problems> {
        let game = self.game();
        let mut all = self.rules.tweaks(&game)?;
        let gone = self.gone(&self.play.ruleset().options)?;
        all.extend(gone.iter().cloned());
        let patched = self.patched();
        let register = Register::read(&self.rules.workspace, &game)?;
        let on = self.rules.on(&game, &self.play.ruleset().options);
        let mut rows: Vec<[String; 4]> = all
            .iter()
            .map(|name| {
                let entry = register.entries.get(name);
                let state = entry.map(|e| e.state).unwrap_or_default();
                let about = match gone.contains(name) {
                    true => format!("its script is gone; `:without {name}` takes it off"),
                    false => about_tweak(&self.rules.workspace, &register, &game, name),
                };
                let mark = if on.contains(name) { "on" } else { "off" };
                [name.clone(), mark.to_owned(), state.name().to_owned(), about]
            })
            .collect();
        if !patched.is_empty() {
            let about = format!("patches {}", patched.join(", "));
            rows.push([SCRATCH, "on", "typed", &about].map(str::to_owned));
        }
        Ok(rows)
    }

    /// Plays the same answers again from the start under the rules in force, and says where the
    /// record first differs. If they all still fit, the game goes on from the new end and `:undo`
    /// brings the old one back; else the game on the table stays.
    ///
    /// # Errors
    ///
    /// Rules that cannot be loaded; a secret choice under way.
    pub fn retell(&mut self) -> Result<Output, Problems> {
        self.check_open()?;
        let old = transcribe::transcript(&self.play, &self.set_up.file, "").lines;
        let options = self.play.ruleset().options.clone();
        let ran = run::retell(&self.rules.workspace, &self.set_up.file, &options, &old)?;
        self.retold(ran, &old)
    }

    /// Loads the rules again even if no file seems to have changed.
    ///
    /// # Errors
    ///
    /// What is wrong with them; the last good ones stay.
    pub fn reload(&mut self) -> Result<Output, Problems> {
        if let Some(reply) = self.take_changes() {
            return Ok(reply);
        }
        let ruleset = match self.load(&self.play.ruleset().options) {
            Ok(ruleset) => ruleset,
            Err(problems) => {
                let mut reply = Output::error(problems, self.face.style.colour);
                reply.add("not reloaded; the last good rules stay in force");
                return Ok(reply);
            }
        };
        if let Some(path) = self.set_up.path() {
            lay(
                &self.rules.workspace,
                &self.opened_again(path)?,
                &self.set_up.overrides,
            )?;
        }
        if ruleset.fingerprint() == self.play.ruleset().fingerprint() {
            return Ok(Output::text(
                "nothing has changed: the rules in force are those of the files",
            ));
        }
        let mut reply = Output::default();
        self.take_over(ruleset, &[], &mut reply)?;
        Ok(reply)
    }

    pub(crate) fn take_changes(&mut self) -> Option<Output> {
        let changes = self.rules.files.look(&self.rules.workspace);
        if changes.is_empty() {
            return None;
        }
        let mut reply = Output::default();
        let concerned: Vec<&FileChange> = changes.iter().filter(|c| self.is_rule(&c.path)).collect();
        if !concerned.is_empty() {
            let done = self
                .load(&self.play.ruleset().options.clone())
                .and_then(
                    |ruleset| match ruleset.fingerprint() == self.play.ruleset().fingerprint() {
                        true => {
                            reply.add(unchanged(&paths(&concerned)));
                            Ok(())
                        }
                        false => self.take_over(ruleset, &concerned, &mut reply),
                    },
                );
            if let Err(problems) = done {
                reply.fail(problems, self.face.style.colour);
                reply.add(format!(
                    "not reloaded: {}; the last good rules stay in force",
                    paths(&concerned)
                ));
            }
        }
        for change in &changes {
            if let Err(problems) = self.take_notice(change, &mut reply) {
                reply.fail(problems, self.face.style.colour);
            }
        }
        (!reply.pieces.is_empty()).then_some(reply)
    }

    /// Whether a file is one of those that the rules in force are made of, or would be.
    fn is_rule(&self, path: &str) -> bool {
        let game = self.game();
        let texts = &self.play.ruleset().layers.texts;
        ScriptOf::path(&game, path).is_some()
            || path == Register::path(&game)
            || texts.iter().any(|t| t.parsed.source.name == path)
            || variant(&game, path)
                .is_some_and(|name| self.play.ruleset().options.variants.iter().any(|v| v == name))
    }

    /// Takes over rules that were loaded, and says what they are.
    fn take_over(
        &mut self,
        ruleset: Arc<Ruleset>,
        changes: &[&FileChange],
        reply: &mut Output,
    ) -> Result<(), Problems> {
        let descriptions: Vec<String> = changes
            .iter()
            .map(|c| described(c, &self.play.ruleset().layers, &ruleset.layers))
            .collect();
        let what = if descriptions.is_empty() {
            "the rules".to_owned()
        } else {
            descriptions.join(", ")
        };
        let question = self.question();
        let cost = self.change_rules(ruleset, &format!("reloaded {what}"))?;
        reply.add(format!("reloaded {what}; board kept"));
        self.go_on(reply, question, &cost);
        Ok(())
    }

    /// Says what a changed file that is none of the rules in force means for the session.
    fn take_notice(&mut self, change: &FileChange, reply: &mut Output) -> Result<(), Problems> {
        let FileChange { path, became } = change;
        if self.is_rule(path) {
            return Ok(());
        }
        if let Some(name) = variant(&self.game(), path) {
            reply.add(match became {
                FileEvent::New => format!("new variant {name}; `:with {name}` puts it on"),
                FileEvent::Changed => format!("variant {name} changed; it is off"),
                FileEvent::Gone => format!("variant {name} is gone; it was off"),
            });
            return Ok(());
        }
        if !path.starts_with("scenarios/") || !path.ends_with(".toml") {
            return Ok(());
        }
        if *path == self.set_up.opened.file.source.name {
            return match became {
                FileEvent::Gone => {
                    reply.add(format!("{path} is gone; the game on the table stays as it is"));
                    Ok(())
                }
                _ => self.lay_again(path, reply),
            };
        }
        if *became != FileEvent::Gone {
            ScenarioFile::parse(self.rules.workspace.read(path)?)?;
            if *became == FileEvent::New {
                reply.add(format!("new scenario {path}"));
            }
        }
        Ok(())
    }

    /// The scenario on the table as its file says it now.
    fn opened_again(&self, path: &str) -> Result<OpenedFile, Problems> {
        Ok(ScenarioFile::parse(self.rules.workspace.read(path)?)?.into())
    }

    /// The scenario on the table was saved: lays it again and gives the same answers as far as they
    /// are offered.
    fn lay_again(&mut self, path: &str, reply: &mut Output) -> Result<(), Problems> {
        let opened = self.opened_again(path)?;
        if opened.file.source.text == self.set_up.opened.file.source.text {
            reply.add(unchanged(path));
            return Ok(());
        }
        let (mut play, file, notes) = lay(&self.rules.workspace, &opened, &self.set_up.overrides)?;
        let old = transcribe::transcript(&self.play, &self.set_up.file, "").lines;
        play.set_source(Box::new(OfferedAnswers::new(Stored::new(&old)).0));
        run::play_again(&mut play, &old);
        play.clear_source();
        self.replace(play, "the scenario is as it was before it was saved");
        self.history.set_played();
        self.set_up.replace_file(file);
        self.set_up.opened = opened;
        reply.add(format!(
            "{path} is laid again, with the answers as far as they are offered; `:undo` brings the old one back"
        ));
        reply
            .pieces
            .extend(notes.into_iter().map(|note| self.noted(note)));
        self.settle();
        self.shown.forget_untold(&self.play);
        self.show_events(reply);
        self.add_board(reply);
        Ok(())
    }
}

/// The variant of a game that a path is the script of.
fn variant<'p>(game: &str, path: &'p str) -> Option<&'p str> {
    let rest = path.strip_prefix(&format!("scripts/{game}/variants/"))?;
    rest.strip_suffix(".rhai")
}

/// The sentence about files that were saved and say what they said before.
fn unchanged(paths: &str) -> String {
    format!("{paths}: as it is in force, nothing has changed")
}

fn paths(changes: &[&FileChange]) -> String {
    let paths: Vec<&str> = changes.iter().map(|c| c.path.as_str()).collect();
    paths.join(", ")
}

/// A changed file with what has changed in it.
fn described(change: &FileChange, old: &Layers, new: &Layers) -> String {
    let find = |layers: &Layers| -> BTreeMap<String, String> {
        let text = layers.texts.iter().find(|t| t.parsed.source.name == change.path);
        text.map(ScriptText::functions).unwrap_or_default()
    };
    let (was, is) = (find(old), find(new));
    let mut parts = Vec::new();
    match change.became {
        FileEvent::New if was.is_empty() => parts.push("new".to_owned()),
        FileEvent::Gone => parts.push("gone".to_owned()),
        _ if was.is_empty() && is.is_empty() => {}
        _ => {
            let names = was.keys().chain(is.keys().filter(|n| !was.contains_key(*n)));
            for name in names {
                match (was.get(name), is.get(name)) {
                    (Some(was), Some(is)) if was != is => parts.push(format!("{name} changed")),
                    (Some(_), None) => parts.push(format!("function {name} removed")),
                    (None, Some(_)) => parts.push(format!("function {name} added")),
                    _ => {}
                }
            }
            if parts.is_empty() {
                parts.push("no function changed".to_owned());
            }
        }
    }
    match parts.is_empty() {
        true => change.path.clone(),
        false => format!("{} ({})", change.path, parts.join(", ")),
    }
}
