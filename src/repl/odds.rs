//! `:odds`: the exact odds of what lies on the table. The game stays as it is.

use super::arguments::Args;
use super::output::Output;
use super::problems;
use super::session::Session;
use super::session_rules::InForce;
use crate::cli::odds_options::OddsOptions;
use crate::odds::report::{self, NamedOdds};
use crate::odds::root::OddsRoot;
use crate::odds::sample::sample;
use crate::odds::{self, OddsQuery};
use crate::option_text::is_spot;
use crate::play::Play;
use crate::report::Problems;
use crate::rules::declare::DialValue;
use crate::rules::ruleset::Ruleset;
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
    let (mut request, samples) = read(args)?;
    // The first word of a spot such as `1 toward blue.scouts1` is no number of an option.
    let is_spot = is_spot(&request.answers.join(" "));
    if let Some(first) = request.answers.first_mut().filter(|_| !is_spot) {
        *first = session.option_meant(first);
    }
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

fn read(args: &Args<'_>) -> Result<(OddsLine, Option<u64>), Problems> {
    let text = |option| args.behind(option).map(str::to_owned);
    let number = |option| args.behind(option).and_then(|n| n.parse().ok());
    let options = OddsOptions {
        by: text("--by"),
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
        question: options.question()?,
    };
    Ok((request, options.sample))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands;
    use crate::repl::arguments;
    use clap::Args as _;

    #[test]
    fn the_prompt_is_asked_by_the_options_of_the_command_line() {
        let row = commands::row("odds").expect("it is there");
        let words: Vec<&str> = arguments::words(row.takes.0).collect();
        let pairs = words.windows(2).filter(|pair| pair[0].starts_with("--"));
        let prompt: Vec<(String, String)> = pairs
            .map(|pair| (pair[0].to_owned(), pair[1].to_owned()))
            .filter(|(option, _)| option != "--with")
            .collect();
        let command = OddsOptions::augment_args(clap::Command::new("odds"));
        let line = command.get_arguments().map(|arg| {
            let value = arg.get_value_names().and_then(<[_]>::first).expect("a value");
            (format!("--{}", arg.get_id()), value.to_string())
        });
        assert_eq!(prompt, line.collect::<Vec<_>>());
    }
}
