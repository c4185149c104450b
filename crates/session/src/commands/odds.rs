//! `:odds`: the exact odds of what lies on the table. The game stays as it is.

use crate::arguments::Args;
use crate::odds::report::{self, NamedOdds};
use crate::odds::root::OddsRoot;
use crate::odds::sample::sample;
use crate::odds::{self, OddsOptions, OddsQuery};
use crate::option_text::is_spot;
use crate::output::Output;
use crate::play::Play;
use crate::problems;
use crate::report::Problems;
use crate::rules::declare::DialValue;
use crate::rules::ruleset::Ruleset;
use crate::session::Session;
use crate::session_rules::InForce;
use std::sync::Arc;

/// The arguments of `:odds` as typed.
struct OddsLine {
    answers: Vec<String>,
    question: OddsQuery,
    with: Vec<String>,
}

/// The odds of the position on the table after these answers; a question that waits has a row for each of its options.
///
/// # Errors
///
/// What cannot be read; too much to look at; a secret choice under way.
pub(crate) fn odds(session: &mut Session, args: &Args<'_>) -> Result<Output, Problems> {
    session.check_open()?;
    let (mut request, samples) = read(args, session.face.odds_seconds)?;
    // The first word of a spot such as `1 toward blue.scouts1` is no number of an option.
    let is_spot = is_spot(&request.answers.join(" "));
    if let Some(first) = request.answers.first_mut().filter(|_| !is_spot) {
        *first = session.option_meant(first);
    }
    session.check_begun()?;
    let play = &mut session.play;
    if play.table().checkpoint.cursor.is_over() {
        return Err(problems::game_over().into());
    }
    request.question.stop = Some(Arc::clone(&session.stop));
    // What is wrong with a name is told before anything is counted.
    let other = match request.with.is_empty() {
        true => None,
        false => Some(rules_with(&session.rules, play.ruleset(), &request.with)?),
    };
    let question = &request.question;
    let mut report = match samples {
        None => report::report(
            "odds ",
            &sides(play, &request, other, |play, root| {
                odds::ask(play, root, question)
            })?,
        ),
        Some(games) => report::report_samples(
            "odds ",
            &sides(play, &request, other, |play, root| {
                sample(play, root, question, games)
            })?,
        ),
    };
    if !session.play.table().chance.forced().is_empty() {
        report.put(
            "note: dice that still wait by `:force` are not counted on: each of them can show anything here",
        );
    }
    Ok(Output {
        drawn: serde_json::to_value(&report).ok(),
        ..report.into()
    })
}

/// Computes odds under the present rules and under others.
fn sides<T>(
    play: &mut Play,
    request: &OddsLine,
    other: Option<Arc<Ruleset>>,
    ask: impl Fn(&mut Play, &OddsRoot) -> Result<T, Problems>,
) -> Result<Vec<NamedOdds<T>>, Problems> {
    let now = OddsRoot::of_now(play);
    let base = play.suppose(|play| {
        let root = now.clone().answered(play, &request.answers)?;
        ask(play, &root)
    })?;
    let mut sides = vec![("as it is".to_owned(), base)];
    if let Some(ruleset) = other {
        // With the board kept, behind the answers that are supposed.
        let (mut play, _) = Play::of_branch(ruleset, &play.branch(), "")?;
        let root = OddsRoot {
            checkpoint: play.checkpoint(),
            keep: now.keep,
        };
        let root = root.answered(&mut play, &request.answers)?;
        play.go_back(&root.checkpoint);
        sides.push((
            format!("with {}", request.with.join(", ")),
            ask(&mut play, &root)?,
        ));
    }
    Ok(sides)
}

/// The rules with other variants on and dials turned.
fn rules_with(rules: &InForce, now: &Ruleset, with: &[String]) -> Result<Arc<Ruleset>, Problems> {
    let mut options = now.options.clone();
    for name in with {
        match name.split_once('=') {
            Some((dial, value)) => {
                options.dials.insert(dial.to_owned(), DialValue::read(value));
            }
            None => {
                rules.check_tweaks(now, &[name.as_str()])?;
                options.without.retain(|off| off != name);
                options.variants.push(name.clone());
            }
        }
    }
    Ruleset::load(&rules.workspace, &now.rules.game, &options)
}

fn read(args: &Args<'_>, seconds: Option<u64>) -> Result<(OddsLine, Option<u64>), Problems> {
    let text = |option| args.behind(option).map(str::to_owned);
    let number = |option| args.behind(option).and_then(|n| n.parse().ok());
    let options = OddsOptions {
        by: text("--by"),
        chance: text("--chance"),
        goal: text("--goal"),
        until: text("--until"),
        policy: text("--policy"),
        limit: number("--limit"),
        seconds: number("--seconds"),
        sample: number("--sample"),
    };
    let request = OddsLine {
        answers: args.all("ANSWER").map(str::to_owned).collect(),
        with: args.all("TWEAK").map(str::to_owned).collect(),
        question: options.question(seconds)?,
    };
    Ok((request, options.sample))
}
