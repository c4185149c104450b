//! Heading of a study: the games that it played, for its report and its JSON.

use crate::agents::{Agent, TIMED};
use crate::diff::{self, Addition};
use crate::lines::counted;
use crate::report::Problems;
use crate::rules::register::Register;
use crate::rules::ruleset::Ruleset;
use crate::rules::workspace::Workspace;
use crate::scenario::file::{DialValue, ScenarioFile};
use crate::snapshot;
use serde::Serialize;
use std::collections::BTreeMap;

/// Scenario, variants and dials with which a game or scenario is played by default.
#[derive(Debug, Clone, Default)]
pub struct DefaultLayers {
    /// The scenario's path; none of a game.
    scenario: Option<String>,
    variants: Vec<String>,
    dials: BTreeMap<String, DialValue>,
}

impl DefaultLayers {
    /// That of a file, whose game is loaded.
    ///
    /// # Errors
    ///
    /// What is wrong with the game's register of tweaks.
    pub fn of(workspace: &Workspace, file: &ScenarioFile, ruleset: &Ruleset) -> Result<Self, Problems> {
        let register = Register::read(workspace, &file.game)?;
        let adopted = register.adopted().map(str::to_owned);
        let declared = ruleset.dials.iter().map(|d| (d.name.clone(), d.default.clone()));
        let (name, scenario) = (&file.source.name, layers_of(file));
        Ok(Self {
            scenario: (!name.is_empty()).then(|| name.clone()),
            variants: adopted.chain(scenario.0).collect(),
            dials: declared.chain(scenario.1).collect(),
        })
    }
}

/// The variants and dials of a file.
fn layers_of(file: &ScenarioFile) -> (Vec<String>, Vec<(String, DialValue)>) {
    let dials = file.dials.iter();
    (
        file.variants.iter().map(|v| v.value.clone()).collect(),
        dials
            .map(|(name, value)| (name.value.clone(), value.value.clone()))
            .collect(),
    )
}

/// Description of the games that were played; of variants and dials, only those that the game and the scenario do not
/// have by default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Heading {
    /// The game.
    pub game: String,
    /// The scenario from which it was played, by its path; a file of results does not say it.
    pub scenario: Option<String>,
    /// The seed.
    pub seed: u64,
    /// Agents that played, in the order of the factions that they first play.
    pub agents: Vec<String>,
    /// Variants that were put on.
    pub variants: Vec<String>,
    /// Variants that were left out.
    pub without: Vec<String>,
    /// Dials that were turned.
    pub dials: BTreeMap<String, DialValue>,
    /// Whether every seed was played in every seat.
    #[serde(skip)]
    pub every_seat: bool,
}

impl Heading {
    /// That of a game that starts as a file says, with the variants that were left out.
    pub fn of_start(own: &DefaultLayers, start: &ScenarioFile, without: &[String]) -> Self {
        let (variants, dials) = layers_of(start);
        Self::besides(own, &start.game, (variants, without, dials))
    }

    fn besides(
        own: &DefaultLayers,
        game: &str,
        (mut variants, without, mut dials): (Vec<String>, &[String], Vec<(String, DialValue)>),
    ) -> Self {
        variants.retain(|name| !own.variants.contains(name));
        dials.retain(|(name, value)| own.dials.get(name) != Some(value));
        Self {
            game: game.to_owned(),
            scenario: own.scenario.clone(),
            seed: 0,
            agents: Vec::new(),
            every_seat: false,
            variants,
            without: without.to_vec(),
            dials: dials.into_iter().collect(),
        }
    }

    /// The same without what the other has not.
    #[must_use]
    pub fn shared(mut self, other: &Self) -> Self {
        self.variants.retain(|name| other.variants.contains(name));
        self.without.retain(|name| other.without.contains(name));
        self.dials
            .retain(|name, value| other.dials.get(name) == Some(value));
        self
    }

    /// Game, scenario and what was changed of them, in words.
    pub fn what(&self) -> String {
        let variants = self.variants.iter().cloned().map(Addition::Variant);
        let dials = self.dials.iter();
        let dials = dials.map(|(name, value)| Addition::Dial(name.clone(), value.clone()));
        let without = self.without.iter().cloned().map(Addition::Without);
        let changes: Vec<Addition> = variants.chain(dials).chain(without).collect();
        let mut description = self.game.clone();
        if let Some(path) = &self.scenario {
            description += &format!(" from {}", snapshot::stem(path));
        }
        if !changes.is_empty() {
            description += &format!(" {}", diff::named(&changes));
        }
        description
    }

    /// Whether somebody who played has a budget in time.
    pub fn is_timed(&self) -> bool {
        let mut agents = self.agents.iter();
        agents.any(|name| Agent::find(name).is_ok_and(Agent::is_timed))
    }

    /// Describes this many games of it, in a line.
    pub fn line(&self, games: u64) -> String {
        let agents = match &self.agents[..] {
            [one, others @ ..] if others.iter().all(|other| other == one) => format!("{one} agents"),
            several => several.join(" against "),
        };
        let swapped = if self.every_seat {
            ", every seed in every seat"
        } else {
            ""
        };
        let again = match self.is_timed() {
            true => format!(" ({TIMED})"),
            false => String::new(),
        };
        format!(
            "{} of {}, {agents}{again}, seed {}{swapped}",
            counted(games as usize, "game"),
            self.what(),
            self.seed
        )
    }
}
