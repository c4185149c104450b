//! Loaded rule sets, kept to be played again: loading costs far more than a short game.

use crate::report::Problems;
use crate::rules::register::Register;
use crate::rules::ruleset::{LoadOptions, Ruleset};
use crate::rules::workspace::Workspace;
use crate::scenario::file::ScenarioFile;
use crate::stage::run;
use std::collections::BTreeMap;
use std::sync::Arc;

/// See the module's comment. One thread has its own.
pub struct RulesetCache<'w> {
    workspace: &'w Workspace,
    /// By game, the variants that it has adopted.
    adopted: BTreeMap<String, Vec<String>>,
    kept: Vec<(String, LoadOptions, Result<Arc<Ruleset>, Problems>)>,
}

impl<'w> RulesetCache<'w> {
    /// None yet, of this workspace.
    pub fn new(workspace: &'w Workspace) -> Self {
        Self {
            workspace,
            adopted: BTreeMap::new(),
            kept: Vec::new(),
        }
    }

    /// The workspace that they are loaded from.
    pub fn workspace(&self) -> &'w Workspace {
        self.workspace
    }

    /// The variants that a game has adopted.
    ///
    /// # Errors
    ///
    /// An unknown game; what is wrong with its register.
    pub fn adopted(&mut self, game: &str) -> Result<Vec<String>, Problems> {
        if let Some(adopted) = self.adopted.get(game) {
            return Ok(adopted.clone());
        }
        self.workspace.check_game(game)?;
        let register = Register::read(self.workspace, game)?;
        let adopted: Vec<String> = register.adopted().map(str::to_owned).collect();
        self.adopted.insert(game.to_owned(), adopted.clone());
        Ok(adopted)
    }

    /// The ruleset of the file's game under these options. What does not load is remembered too.
    ///
    /// # Errors
    ///
    /// Those of [`run::load`].
    pub fn get(&mut self, file: &ScenarioFile, options: &LoadOptions) -> Result<Arc<Ruleset>, Problems> {
        let same = |k: &&(String, LoadOptions, _)| k.0 == file.game.value && k.1 == *options;
        let loaded = match self.kept.iter().find(same) {
            Some((_, _, loaded)) => loaded.clone(),
            None => {
                let loaded = Ruleset::load(self.workspace, &file.game, options);
                self.kept
                    .push((file.game.value.clone(), options.clone(), loaded.clone()));
                loaded
            }
        };
        // Each file that asks for it names it at a place of its own.
        loaded.map_err(|problems| run::placed(self.workspace, file, problems))
    }

    /// Forgets all that are kept.
    pub fn forget(&mut self) {
        self.kept.clear();
    }
}
