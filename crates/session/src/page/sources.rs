//! The scripts and settings of the game on the table, as the editor on the page shows and changes them. A text that is
//! written there is taken over as a file that was saved.

use crate::kernel::dice::text_hash;
use crate::lexer::KEYWORDS;
use crate::output::Output;
use crate::problems;
use crate::reference::{self, ArticleKind};
use crate::report::{Problem, Problems, hint_for};
use crate::rules::layers::script_paths;
use crate::rules::register::{self, Register, variant_path};
use crate::rules::ruleset::{LoadOptions, Ruleset};
use crate::session::{Session, SessionState};
use serde_json::{Value, json};

impl Session {
    /// Returns the texts of the game's scripts and settings with what is wrong in them, the words that can be written
    /// there, and where changes are written or why there can be none.
    pub(crate) fn sources(&self) -> Value {
        let workspace = &self.rules.workspace;
        let files = self.source_paths().into_iter().filter_map(|(kind, path)| {
            let text = in_lines(&workspace.read(&path).ok()?.text);
            Some(json!({ "path": path, "kind": kind, "text": text, "version": version(&text) }))
        });
        let folder = workspace
            .folder()
            .map(|folder| folder.canonicalize().unwrap_or_else(|_| folder.to_owned()));
        json!({
            "files": files.collect::<Vec<_>>(),
            "changes": self.rules.files.count,
            "problems": problems_json(&faults(self.load(&self.play.ruleset().options))),
            "words": self.script_words(),
            "folder": folder.map(|folder| folder.display().to_string()),
            "fixed": workspace.check_writable().err().map(|problem| problems_json(&[problem])),
        })
    }

    /// Writes a script or the settings of the game and takes them over as if the file was saved. Returns the answer for
    /// the page, and what there is to tell if the rules were taken over. `seen` is the version of the text that was
    /// changed: what somebody else has written there meanwhile is not lost.
    pub(crate) fn write_source(
        &mut self,
        path: &str,
        text: &str,
        seen: Option<&str>,
    ) -> (Value, Option<Output>) {
        let paths = self.source_paths();
        let written = match paths.iter().any(|(_, known)| known == path) {
            true => self.rules.workspace.read(path).and_then(|now| {
                let now = in_lines(&now.text);
                let newer = seen.is_some_and(|seen| seen != version(&now));
                match (now == text, newer) {
                    (true, _) => Ok(()),
                    (false, true) => Err(problems::changed_elsewhere(path)),
                    (false, false) => self.rules.workspace.write_alike(path, text),
                }
            }),
            false => {
                let hint = hint_for(path, paths.iter().map(|(_, path)| path.as_str()));
                Err(problems::unknown_name("script", path).hint(hint))
            }
        };
        if let Err(problem) = written {
            return (json!({ "problems": problems_json(&[problem]) }), None);
        }
        let rules = self.play.ruleset().fingerprint();
        let (output, found) = self.take_written(path);
        let live = self.play.ruleset().fingerprint() != rules;
        let problems = problems_json(&found);
        (
            json!({ "problems": problems, "version": version(text), "live": live }),
            output,
        )
    }

    /// Takes over what was written, and returns what there is to tell of it and what is wrong.
    fn take_written(&mut self, path: &str) -> (Option<Output>, Vec<Problem>) {
        let rules = self.play.ruleset().fingerprint();
        let before = self.rules.before.take_if(|before| before.edited.is_some());
        let mut output = self.take_changes();
        let changed = self.play.ruleset().fingerprint() != rules;
        let step = self.play.chapters().last().map(|chapter| chapter.from_step);
        match (before, &mut self.rules.before) {
            // Texts that are written in one step are one change of rules.
            (Some(before), Some(_)) if before.edited == step => self.rules.before = Some(before),
            (_, Some(last)) if changed => {
                last.edited = step;
                last.why = "edited on the page".to_owned();
            }
            (Some(before), None) => self.rules.before = Some(before),
            _ => {}
        }
        let mut found = match &output {
            Some(output) if !changed => output.problems().cloned().collect(),
            _ => Vec::new(),
        };
        // Rules that are broken change nothing on the table.
        output = output.filter(|_| found.is_empty());
        if let Some(output) = &mut output {
            self.follow(output);
            self.write_journal(output);
            self.pages.desk.iter_mut().for_each(|page| page.from_page = true);
            self.update_pages("", output);
            self.pages.desk.iter_mut().for_each(|page| page.from_page = false);
        }
        if found.is_empty() {
            found = faults(self.check_off(path));
        }
        if let SessionState::Failed { problem, .. } = &self.state {
            found.push((**problem).clone());
        }
        (output, found)
    }

    /// Checks a variant that is off.
    fn check_off(&self, path: &str) -> Result<(), Problems> {
        let game = self.game();
        let names = register::names(&self.rules.workspace, &game);
        let variant = names.into_iter().find(|name| variant_path(&game, name) == path);
        let is_on = |name: &String| self.rules.on(&game, &self.play.ruleset().options).contains(name);
        let Some(name) = variant.filter(|name| !is_on(name)) else {
            return Ok(());
        };
        let options = LoadOptions {
            variants: vec![name],
            ..LoadOptions::default()
        };
        Ruleset::load(&self.rules.workspace, &game, &options).map(drop)
    }

    /// The paths of the game's scripts and settings, each with its kind.
    fn source_paths(&self) -> Vec<(&'static str, String)> {
        let (workspace, game) = (&self.rules.workspace, self.game());
        let scripts = script_paths(workspace, &game).into_iter();
        let scripts = scripts.map(|(of, path)| (of.word(), path));
        let variants = register::names(workspace, &game).into_iter();
        let variants = variants.map(|name| ("variant", variant_path(&game, &name)));
        let settings = [Register::path(&game), format!("scripts/{game}/rulebook.toml")];
        let settings = settings.into_iter().filter(|path| workspace.has(path));
        scripts
            .chain(variants)
            .chain(settings.map(|path| ("settings", path)))
            .collect()
    }

    /// The words that scripts of the game can have in them, with the part of a script where they stand.
    fn script_words(&self) -> Vec<Value> {
        let ruleset = self.play.ruleset();
        let rules = &ruleset.rules;
        let word =
            |kind: &str, label: &str, detail: &str| json!({ "label": label, "kind": kind, "detail": detail });
        let mut words: Vec<Value> = KEYWORDS.iter().map(|name| word("keyword", name, "")).collect();
        words.extend(reference::entries().iter().filter_map(|entry| {
            let kind = match entry.sort {
                ArticleKind::Function | ArticleKind::Helper => "function",
                ArticleKind::Hook | ArticleKind::Declaration => "hook",
                ArticleKind::Key => "key",
                _ => return None,
            };
            let detail = entry.signature.strip_prefix(entry.name).unwrap_or_default();
            Some(word(kind, entry.name, detail.trim_start_matches([':', ' '])))
        }));
        let functions = ruleset.functions().iter();
        words.extend(functions.map(|f| word("rule", &f.name, &format!("({})", f.params.join(", ")))));
        words.extend(
            ruleset
                .names_of_dials()
                .iter()
                .map(|name| word("dial", name, "dial")),
        );
        words.extend(
            ruleset
                .members(None)
                .iter()
                .map(|name| word("property", name, "")),
        );
        let slots = &rules.slots;
        let slots = [&slots.unit, &slots.faction, &slots.place, &slots.game]
            .into_iter()
            .flatten();
        let places = rules.board.places().iter().map(|place| rules.board.name(place));
        let names = [
            (
                "faction",
                rules.factions.iter().map(String::as_str).collect::<Vec<_>>(),
            ),
            (
                "unit type",
                rules.types.iter().map(|of| of.name.as_str()).collect(),
            ),
            (
                "terrain",
                rules.terrains.iter().map(|of| of.name.as_str()).collect(),
            ),
            ("stat", rules.stats.iter().map(String::as_str).collect()),
            ("slot", slots.map(|slot| slot.name.as_str()).collect()),
            (
                "phase",
                rules
                    .phases
                    .iter()
                    .skip(1)
                    .map(|phase| phase.name.as_str())
                    .collect(),
            ),
            ("place", places.collect()),
        ];
        let named = names
            .iter()
            .flat_map(|(what, names)| names.iter().map(|name| word("name", name, what)));
        words.extend(named);
        let mut seen = std::collections::HashSet::new();
        words.retain(|word| seen.insert((word["kind"].to_string(), word["label"].to_string())));
        words
    }
}

/// A text as an editor has it, whose lines all end in the same way.
fn in_lines(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// The version of a text: texts with the same one are the same.
fn version(text: &str) -> String {
    format!("{:016x}", text_hash(text))
}

fn faults<T>(loaded: Result<T, Problems>) -> Vec<Problem> {
    loaded.map_or_else(|Problems(found)| found, |_| Vec::new())
}

pub(super) fn problems_json(problems: &[Problem]) -> Value {
    let json = |problem: &Problem| {
        let mut value = json!({
            "id": problem.id(), "message": problem.message, "expected": problem.expected, "help": problem.hint, "text": problem.page(false),
        });
        if let Some(place) = &problem.place {
            let (line, column) = place.line_col();
            let (end_line, end_column) = place.source.line_col(place.span.end);
            let at = json!({
                "path": place.source.name, "line": line, "column": column,
                "end_line": end_line, "end_column": end_column,
            });
            value
                .as_object_mut()
                .into_iter()
                .for_each(|value| value.extend(at.as_object().cloned().unwrap_or_default()));
        }
        value
    };
    problems.iter().map(json).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::Style;
    use crate::rules::workspace::Workspace;
    use crate::stage::run::Overrides;
    use std::path::Path;

    #[test]
    fn a_text_in_memory_is_live_when_it_is_written() {
        let root = Workspace::at(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
        let texts = root.files_of("smalltricks").into_iter().filter_map(|path| {
            let text = root.read(&path).ok()?.text.clone();
            Some((path, text))
        });
        let workspace = Workspace::of_texts(texts);
        let opened = Session::new(
            &workspace,
            Some("smalltricks"),
            Overrides::default(),
            Style::default(),
        );
        let mut session = opened.expect("it opens");
        assert_eq!(session.sources()["fixed"], Value::Null);
        let path = "units/smalltricks/spears.rhai";
        let text = workspace.read(path).expect("it is there").text.clone();
        let changed = text.replace("face: 5", "face: 4");
        let (answer, output) = session.write_source(path, &changed, Some(&version(&text)));
        assert_eq!((&answer["live"], output.is_some()), (&json!(true), true));
        assert_eq!(workspace.read(path).expect("it is there").text, changed);
        let (answer, output) = session.write_source(path, "fn", None);
        assert_eq!((&answer["live"], output.is_some()), (&json!(false), false));
        assert_eq!(answer["problems"][0]["path"], path);
    }
}
