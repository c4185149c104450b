//! `:odds`: the exact odds of what lies on the table. The game stays as it is.

use super::arguments::Args;
use super::output::Output;
use super::session::Session;
use crate::cli::asked::Asked as Options;
use crate::odds::explore::Keep;
use crate::odds::page::{self, Side};
use crate::odds::root::Root;
use crate::odds::sample::{Sampled, sample};
use crate::odds::{self, Odds, Question};
use crate::play::Play;
use crate::report::{Problem, Problems};
use crate::script::declare::DialValue;
use crate::script::host::Host;
use serde_json::json;
use std::sync::Arc;

/// What is asked, as it is typed.
struct Asked {
    answers: Vec<String>,
    question: Question,
    with: Vec<String>,
    sample: Option<u64>,
}

impl Session {
    /// The odds of the position on the table after these answers; a question that waits has a row for
    /// each of its options.
    ///
    /// # Errors
    ///
    /// What cannot be read; too much to look at; a secret choice under way.
    pub(super) fn odds(&mut self, args: &Args<'_>) -> Result<Output, Problems> {
        self.check_open("the odds would tell it")?;
        let mut asked = read(args)?;
        if self.play.table().checkpoint.cursor.is_over() {
            return Err(Problem::new("the game is over: nothing would come of it")
                .hint("`:undo` takes it back to before its end")
                .into());
        }
        asked.question.stop = Some(Arc::clone(&self.stop));
        // What is wrong with a name is told before anything is counted.
        let other = match asked.with.is_empty() {
            true => None,
            false => Some(self.rules_with(&asked)?),
        };
        let now = Root::of_now(&mut self.play);
        if let Some(games) = asked.sample {
            return self.sampled(&asked, &now, other, games);
        }
        let base = self.play.suppose(|play| {
            let root = now.clone().answered(play, &asked.answers)?;
            odds::ask(play, &root, &asked.question)
        })?;
        let mut sides = vec![("as it is".to_owned(), base)];
        if let Some(host) = other {
            let odds = self.odds_with(&asked, host, now.keep)?;
            sides.push((format!("with {}", asked.with.join(", ")), odds));
        }
        let side = |(name, odds): &Side| json!({ "name": name, "odds": page::json(odds) });
        Ok(Output {
            drawn: Some(json!({ "odds": sides.iter().map(side).collect::<Vec<_>>() })),
            ..page::told("odds ", &sides).into()
        })
    }

    /// What comes of playing it many times.
    fn sampled(
        &mut self,
        asked: &Asked,
        now: &Root,
        other: Option<Host>,
        games: u64,
    ) -> Result<Output, Problems> {
        let base = self.play.suppose(|play| {
            let root = now.clone().answered(play, &asked.answers)?;
            sample(play, &root, &asked.question, games)
        })?;
        let mut sides = vec![("as it is".to_owned(), base)];
        if let Some(host) = other {
            let (mut play, root) = self.laid_with(asked, host, now.keep)?;
            let name = format!("with {}", asked.with.join(", "));
            sides.push((name, sample(&mut play, &root, &asked.question, games)?));
        }
        let side = |(name, side): &Side<Sampled>| json!({ "name": name, "odds": page::sampled_json(side) });
        Ok(Output {
            drawn: Some(json!({ "odds": sides.iter().map(side).collect::<Vec<_>>() })),
            ..page::told_of_samples("odds ", &sides).into()
        })
    }

    /// The rules with other variants on and dials turned.
    fn rules_with(&self, asked: &Asked) -> Result<Host, Problems> {
        let mut options = self.play.host.options.clone();
        for name in &asked.with {
            match name.split_once('=') {
                Some((dial, value)) => {
                    options.dials.insert(dial.to_owned(), DialValue::read(value));
                }
                None => {
                    self.rules.check_tweaks(&self.play.host, &[name.as_str()])?;
                    options.without.retain(|off| off != name);
                    options.variants.push(name.clone());
                }
            }
        }
        Host::load(&self.rules.workspace, &self.game(), &options)
    }

    /// The same under other rules, with the board kept.
    fn odds_with(&mut self, asked: &Asked, host: Host, keep: Keep) -> Result<Odds, Problems> {
        let (mut play, root) = self.laid_with(asked, host, keep)?;
        odds::ask(&mut play, &root, &asked.question)
    }

    /// The position under other rules, behind the answers that are supposed.
    fn laid_with(&mut self, asked: &Asked, host: Host, keep: Keep) -> Result<(Play, Root), Problems> {
        let branch = self.play.branch();
        let (mut play, _) = Play::of_branch(host, &branch, "")?;
        let root = Root {
            checkpoint: play.checkpoint(),
            keep,
        };
        let root = root.answered(&mut play, &asked.answers)?;
        play.go_back(&root.checkpoint);
        Ok((play, root))
    }
}

fn read(args: &Args<'_>) -> Result<Asked, Problems> {
    let said = |option| args.behind(option).map(str::to_owned);
    let number = |option| args.behind(option).and_then(|n| n.parse().ok());
    let options = Options {
        by: said("--by"),
        goal: said("--goal"),
        until: said("--until"),
        policy: said("--policy"),
        limit: number("--limit").unwrap_or(odds::RUNS),
        sample: number("--sample"),
    };
    let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
    Ok(Asked {
        answers: owned(args.all("ANSWER").collect()),
        with: owned(args.all("TWEAK").collect()),
        question: options.question()?,
        sample: options.sample,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repl::{arguments, commands};
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
        let command = Options::augment_args(clap::Command::new("odds"));
        let line = command.get_arguments().map(|arg| {
            let value = arg.get_value_names().and_then(<[_]>::first).expect("a value");
            (format!("--{}", arg.get_id()), value.to_string())
        });
        assert_eq!(prompt, line.collect::<Vec<_>>());
    }
}
