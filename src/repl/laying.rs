//! Games, scenarios and transcripts as they are laid on the table. Knows no session.

use crate::play::Play;
use crate::report::{Problem, Problems, did_you_mean};
use crate::scenario::file::ScenarioFile;
use crate::script::workspace::Workspace;
use crate::stage::run::{self, Opened, Overrides, Ran, Stopped};
use crate::suite;
use crate::transcript::Line;

/// What a user means by a name: a game, a scenario, a transcript; without a name what the workspace opens
/// with, else its first game.
pub(super) fn find(workspace: &Workspace, name: Option<&str>) -> Result<Opened, Problems> {
    let games = workspace.games();
    let fresh = |game: &str| Opened {
        file: ScenarioFile::new(game),
        lines: None,
    };
    let Some(name) = name else {
        let first = games.first().ok_or_else(|| {
            Problem::new("there is no game here").hint("a game is a file scripts/<game>/game.rhai")
        })?;
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
            Some(near) => Problem::new(format!("there is no game, scenario or file `{name}`"))
                .hint(format!("did you mean `{near}`?"))
                .into(),
            None => problems,
        }
    })?;
    match &found[..] {
        [path] => suite::open(workspace, path),
        _ => Err(Problem::new(format!("`{name}` means {} scenarios", found.len()))
            .hint(format!(
                "name one of them, such as {}",
                found.first().map_or("", String::as_str)
            ))
            .into()),
    }
}

/// A play with what the file answers already answered, its scenario, and what went wrong in it:
/// whether that needs care, and what it was.
pub(super) type Lain = (Play, ScenarioFile, Vec<(bool, Problem)>);

pub(super) fn lay(workspace: &Workspace, opened: &Opened, overrides: &Overrides) -> Result<Lain, Problems> {
    let mut file = opened.file.clone();
    if file.until.is_none() {
        // Whatever the file does not answer is a person's to answer.
        file.open = crate::scenario::file::DEFAULT_OPEN.to_owned().into();
    }
    let opened = &Opened {
        file,
        lines: opened.lines.clone(),
    };
    let ran = run::run(workspace, opened, overrides)?;
    if let Stopped::Refused(why) = &ran.stopped {
        return Err(Problem::new(why).into());
    }
    Ok(lain(ran, opened, overrides))
}

/// What has come of playing a file.
pub(super) fn lain(ran: Ran, opened: &Opened, overrides: &Overrides) -> Lain {
    let changed = rules_have_changed(opened, &ran.play);
    let mut notes: Vec<(bool, Problem)> = match &ran.stopped {
        // It fails again when play goes on, and is told then.
        Stopped::Failed(_) => Vec::new(),
        Stopped::Diverged(_) => ran.problems.into_iter().map(|p| (true, p)).collect(),
        // Where play goes on, what is scripted may still be rolled.
        Stopped::Asks | Stopped::Until if ran.problems == run::unrolled(&ran.play, &ran.file) => Vec::new(),
        _ => ran.problems.into_iter().map(|p| (false, p)).collect(),
    };
    if changed && notes.is_empty() && overrides.is_empty() {
        let message = "the scripts have changed since this was saved; they tell the same game";
        notes.push((false, Problem::new(message)));
    }
    (ran.play, ran.file, notes)
}

/// Whether a save was made under other rules than it was just played under.
fn rules_have_changed(opened: &Opened, play: &Play) -> bool {
    opened.lines.iter().flatten().any(|line| match line {
        Line::Chapter { number, rules, .. } => {
            let now = number.checked_sub(1).and_then(|index| play.chapters().get(index));
            now.is_some_and(|now| now.fingerprint != *rules)
        }
        _ => false,
    })
}
