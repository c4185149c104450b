//! The rules in force in a session, as far as they are more than the play's own: the files that they are made of, the
//! game's register of tweaks, and the rules before them.

use crate::problems;
use crate::report::{Problems, hint_for};
use crate::rules::layers::SCRATCH;
use crate::rules::register::{self, Register};
use crate::rules::ruleset::{LoadOptions, Ruleset};
use crate::rules::workspace::Workspace;
use crate::watched_files::WatchedFiles;

/// See the module's comment.
pub struct InForce {
    /// The workspace of games and scenarios.
    pub workspace: Workspace,
    /// The files of the workspace as the session knows them.
    pub(crate) files: WatchedFiles,
    /// The game's register of tweaks, as the rules in force were loaded with it.
    register: Option<String>,
    /// The rules before the last change of them.
    pub(crate) before: Option<PreviousRules>,
}

/// The rules as they were before they changed.
pub struct PreviousRules {
    /// Their texts, in place of what the files say now.
    pub(crate) workspace: Workspace,
    /// The options that they were loaded with.
    pub(crate) options: LoadOptions,
    /// The reason for the change.
    pub(crate) why: String,
    /// The step in which texts were written on the page, if that is the reason.
    pub(crate) edited: Option<u32>,
}

impl InForce {
    /// Rules of this workspace, whose files are these.
    pub(crate) fn of(workspace: &Workspace, files: WatchedFiles) -> Self {
        Self {
            workspace: workspace.clone(),
            files,
            register: None,
            before: None,
        }
    }

    /// The game's register is in force as it is now.
    pub(crate) fn learn_register(&mut self, game: &str) {
        let register = self.workspace.read(&Register::path(game));
        self.register = register.ok().map(|source| source.text.clone());
    }

    /// A file was written by the session itself.
    pub(crate) fn learn(&mut self, path: &str) {
        self.files.learn(&self.workspace, path);
    }

    /// Returns the workspace with the texts of these rules, whatever has become of their files.
    pub(crate) fn with_texts_of(&self, ruleset: &Ruleset) -> Workspace {
        let sources = ruleset.layers.texts.iter().map(|t| &t.parsed.source);
        let texts = sources.map(|s| (s.name.clone(), s.text.clone()));
        let path = Register::path(&ruleset.rules.game);
        let register = self.register.iter().map(|text| (path.clone(), text.clone()));
        // What was typed at the prompt is no file; the options have it.
        let is_file = |(path, _): &(String, String)| path.contains('/');
        self.workspace
            .with(texts.chain(register).filter(is_file).collect())
    }

    /// These rules, whatever becomes of their files; `why` is what is about to change them.
    pub(crate) fn previous(&self, ruleset: &Ruleset, why: &str) -> PreviousRules {
        PreviousRules {
            workspace: self.with_texts_of(ruleset),
            options: ruleset.options.clone(),
            why: why.to_owned(),
            edited: None,
        }
    }

    /// The tweaks that are on in a game under these options, sorted; those that the game has adopted too.
    pub(crate) fn on(&self, game: &str, options: &LoadOptions) -> Vec<String> {
        let register = Register::read(&self.workspace, game).unwrap_or_default();
        let adopted = register
            .adopted()
            .filter(|n| !options.without.iter().any(|w| w == n));
        let mut on: Vec<String> = adopted.map(str::to_owned).collect();
        on.extend(options.variants.iter().cloned());
        on.extend(options.scratch.iter().map(|_| SCRATCH.to_owned()));
        on.sort();
        on.dedup();
        on
    }

    /// Returns the variants and dials of these options, in a few words.
    pub(crate) fn describe(&self, game: &str, options: &LoadOptions) -> String {
        let mut parts = Vec::new();
        let on = self.on(game, options);
        if !on.is_empty() {
            parts.push(format!("with {}", on.join(", ")));
        }
        let dials = options.dials.iter();
        parts.extend(dials.map(|(name, value)| format!("`{name}` at {value}")));
        if parts.is_empty() {
            return "with nothing on or turned".to_owned();
        }
        parts.join(", ")
    }

    /// The names of a game's variants.
    pub(crate) fn tweaks(&self, game: &str) -> Result<Vec<String>, Problems> {
        register::all(&self.workspace, game)
    }

    /// Refuses names that no variant of these rules has.
    pub(crate) fn check_tweaks(&self, ruleset: &Ruleset, names: &[&str]) -> Result<(), Problems> {
        let mut known = self.tweaks(&ruleset.rules.game)?;
        // One whose script is gone can still be taken off.
        known.extend(self.on(&ruleset.rules.game, &ruleset.options));
        if names.is_empty() {
            let problem = problems::missing_argument("the name of a variant");
            return Err(problem.hint("`:variants` lists them").into());
        }
        let unknown = names.iter().filter(|name| !known.iter().any(|k| k == *name));
        let refused = unknown.map(|name| {
            let hint = hint_for(name, known.iter().map(String::as_str));
            problems::unknown_name("variant", name).hint(hint)
        });
        Problems::check(refused.collect())
    }
}
