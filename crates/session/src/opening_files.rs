//! Games, scenarios and transcripts as they are laid on the table. Knows no session.

use crate::description::Spanned;
use crate::play::Play;
use crate::problems;
use crate::report::{Problem, Problems, did_you_mean};
use crate::rules::ruleset::LoadOptions;
use crate::rules::workspace::Workspace;
use crate::scenario::file::{DEFAULT_OPEN, DialValue, ScenarioFile};
use crate::stage::run::{self, OpenedFile, Overrides, PlayStop, PlayedScenario};
use crate::suite;
use crate::transcript::Line;

/// The source of the set-up of a play.
pub struct SetupSource {
    /// The scenario of the play as its first chapter began, with what the command line has changed in it.
    pub file: ScenarioFile,
    /// The file that was opened.
    pub(crate) opened: OpenedFile,
    /// The overrides for the next set-up.
    pub(crate) overrides: Overrides,
}

impl SetupSource {
    /// Returns the source of a branch that is continued: its scenario, and the file that was opened.
    pub(crate) fn of_line(file: ScenarioFile, opened: ScenarioFile) -> Self {
        let overrides = Overrides {
            seed: Some(file.seed),
            ..Overrides::default()
        };
        Self {
            file,
            opened: opened.into(),
            overrides,
        }
    }

    /// Returns the scenario from which the file that was opened is played.
    pub(crate) fn start(&self) -> ScenarioFile {
        start(&self.opened)
    }

    /// Takes another telling of the scenario, with what is expected of it by hand.
    pub(crate) fn replace_file(&mut self, file: ScenarioFile) {
        let before = std::mem::replace(&mut self.file, file);
        expect_also(&mut self.file, before.expect);
    }

    /// The name of the scenario that was opened; empty for a game that was begun without one.
    pub(crate) fn name(&self) -> &str {
        let file = self.opened.file.source.name.rsplit(['/', '\\']).next();
        file.map_or("", |file| file.rsplit_once('.').map_or(file, |(stem, _)| stem))
    }

    /// The path of the scenario that was opened, when it came from a scenario's file.
    pub(crate) fn path(&self) -> Option<&str> {
        let path = self.opened.file.source.name.as_str();
        let is_one = self.opened.lines.is_none() && path.starts_with("scenarios/") && path.ends_with(".toml");
        is_one.then_some(path)
    }

    /// The scenario with other layers, to be played for as long as answers are there.
    pub(crate) fn scenario_under(&self, options: &LoadOptions) -> ScenarioFile {
        let mut file = self.file.clone();
        file.variants = options.variants.iter().map(|v| v.clone().into()).collect();
        let dials = options.dials.iter();
        file.dials = dials.map(|(n, v)| (n.clone().into(), v.clone().into())).collect();
        file.until = None;
        file.open = DEFAULT_OPEN.to_owned().into();
        file
    }

    /// Remembers how these options differ from what the scenario says.
    pub(crate) fn keep_options(&mut self, options: &LoadOptions) {
        self.overrides = self.overrides_under(options);
    }

    /// Returns the overrides that set the scenario up under these options.
    pub(crate) fn overrides_under(&self, options: &LoadOptions) -> Overrides {
        let file = &self.opened.file;
        let named = |name: &String| file.variants.iter().any(|v| v.value == *name);
        let set = |name: &String, value: &DialValue| {
            let mut dials = file.dials.iter();
            dials.any(|(n, v)| n.value == *name && v.value == *value)
        };
        let left_out = file.variants.iter().map(|v| v.value.clone());
        let mut without: Vec<String> = left_out.filter(|v| !options.variants.contains(v)).collect();
        without.extend(options.without.iter().cloned());
        let variants = options.variants.iter().filter(|v| !named(v)).cloned();
        let dials = options.dials.iter().filter(|(n, v)| !set(n, v));
        Overrides {
            variants: variants.collect(),
            dials: dials.map(|(n, v)| (n.clone(), v.clone())).collect(),
            without,
            scratch: options.scratch.clone(),
            ..self.overrides.clone()
        }
    }
}

/// Finds the game, scenario or transcript of this name; without a name the one that the workspace opens with, or its
/// first game.
pub fn find(workspace: &Workspace, name: Option<&str>) -> Result<OpenedFile, Problems> {
    let games = workspace.games();
    let fresh = |game: &str| ScenarioFile::new(game).into();
    let Some(name) = name else {
        let first = games.first().ok_or_else(problems::no_game)?;
        return match suite::opening(workspace)? {
            Some(path) => suite::open(workspace, &path),
            None => Ok(fresh(first)),
        };
    };
    if games.iter().any(|g| g == name) {
        return Ok(fresh(name));
    }
    let found = suite::find(workspace, &[name.to_owned()]).map_err(|problems| {
        let near = did_you_mean(name, games.iter().map(String::as_str));
        match near {
            Some(near) => problems::unknown_name("game, scenario or file", name)
                .hint(format!("did you mean `{near}`?"))
                .into(),
            None => problems,
        }
    })?;
    match &found[..] {
        [path] => suite::open(workspace, path),
        _ => Err(
            problems::several_scenarios(name, found.len(), found.first().map_or("", String::as_str)).into(),
        ),
    }
}

/// A play with what the file answers already answered, its scenario, and what went wrong in it:
/// whether that needs care, and what it was.
pub(crate) type SetupResult = (Play, ScenarioFile, Vec<(bool, Problem)>);

/// Returns the scenario from which a file is played: a puzzle without its answers, which are the solution.
fn start(opened: &OpenedFile) -> ScenarioFile {
    let mut file = opened.file.clone();
    if file.puzzle.is_some() && opened.lines.is_none() {
        file.answers.clear();
        file.until = None;
    }
    file
}

pub(crate) fn lay(
    workspace: &Workspace,
    opened: &OpenedFile,
    overrides: &Overrides,
) -> Result<SetupResult, Problems> {
    let mut file = start(opened);
    if file.until.is_none() {
        // Whatever the file does not answer is a person's to answer.
        file.open = DEFAULT_OPEN.to_owned().into();
    }
    let opened = &OpenedFile {
        file,
        lines: opened.lines.clone(),
    };
    let ran = run::run_to_play_on(workspace, opened, overrides)?;
    if let PlayStop::Refused(why) = &ran.stopped {
        return Err(problems::refused_set_up(why).into());
    }
    Ok(setup_result(ran, opened, overrides))
}

/// Returns the result of playing a file.
pub(crate) fn setup_result(ran: PlayedScenario, opened: &OpenedFile, overrides: &Overrides) -> SetupResult {
    let changed = rules_have_changed(opened, &ran.play);
    let mut notes: Vec<(bool, Problem)> = match &ran.stopped {
        // It fails again when play goes on, and is told then.
        PlayStop::Failed(_) => Vec::new(),
        PlayStop::Diverged(_) => ran.problems.into_iter().map(|p| (true, p)).collect(),
        // Where play goes on, what is scripted may still be rolled.
        PlayStop::Asks | PlayStop::Until if ran.problems == run::unrolled(&ran.play, &ran.file) => Vec::new(),
        _ => ran.problems.into_iter().map(|p| (false, p)).collect(),
    };
    if changed && notes.is_empty() && overrides.is_empty() {
        notes.push((false, problems::changed_scripts()));
    }
    (ran.play, ran.file, notes)
}

/// Whether a save was made under other rules than it was just played under.
fn rules_have_changed(opened: &OpenedFile, play: &Play) -> bool {
    opened.lines.iter().flatten().any(|line| match line {
        Line::Chapter { number, rules, .. } => {
            let now = number.checked_sub(1).and_then(|index| play.chapters().get(index));
            now.is_some_and(|now| now.fingerprint != *rules)
        }
        _ => false,
    })
}

/// Expects what was typed at the prompt, as far as it is not expected already; what stood in a file does not come
/// along.
pub(crate) fn expect_also(file: &mut ScenarioFile, expected: Vec<Spanned<String>>) {
    for one in expected.into_iter().filter(|e| e.span.is_empty()) {
        if !file.expect.iter().any(|known| known.value == one.value) {
            file.expect.push(one.value.into());
        }
    }
}
