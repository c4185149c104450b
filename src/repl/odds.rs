//! `:odds`: the exact odds of what lies on the table. The game stays as it is.

use super::session::{Reply, Session};
use crate::odds::page::{self, Side};
use crate::odds::root::{self, Root};
use crate::odds::{self, Odds, Question};
use crate::report::{Problem, Problems, hint_for};
use crate::scenario::run::{Opened, Overrides};
use crate::script::declare::DialValue;
use std::sync::Arc;

/// What `:odds` may be told, each behind `--`.
pub(super) const WORDS: [&str; 6] = ["by", "goal", "until", "policy", "with", "limit"];

/// What is asked, as it is typed.
#[derive(Default)]
struct Asked {
    answers: Vec<String>,
    question: Question,
    with: Vec<String>,
}

impl Session {
    /// The odds of the position on the table after these answers; a question that waits has a row for
    /// each of its options. See [`WORDS`] for what else can be said.
    ///
    /// # Errors
    ///
    /// What cannot be read; too much to look at; a secret choice under way.
    pub fn odds(&mut self, args: &str) -> Result<Reply, Problems> {
        if self.is_secret() {
            return Err(
                Problem::new("something is chosen in secret; the odds would tell it")
                    .hint("try again when it is revealed")
                    .into(),
            );
        }
        let mut asked = read(args)?;
        asked.question.stop = Some(Arc::clone(&self.stop));
        let now = Root::of_now(&mut self.play);
        let base = self.play.suppose(|play| {
            let root = now.answered(play, &asked.answers)?;
            odds::ask(play, &root, &asked.question)
        })?;
        let mut sides = vec![("as it is".to_owned(), base)];
        if !asked.with.is_empty() {
            let odds = self.odds_with(&asked)?;
            sides.push((format!("with {}", asked.with.join(", ")), odds));
        }
        let sides: Vec<Side<'_>> = sides
            .iter()
            .map(|(name, odds)| Side {
                name: name.clone(),
                odds,
            })
            .collect();
        let text = format!(
            "odds to {}\n{}{}",
            sides[0].odds.horizon,
            page::page(&sides),
            page::work(&sides)
        );
        Ok(Reply::text(text.trim_end()))
    }

    /// The same where other variants are on and dials are turned, the game so far told again under them.
    fn odds_with(&mut self, asked: &Asked) -> Result<Odds, Problems> {
        let opened = Opened {
            file: self.scenario_in_force(),
            lines: Some(self.lines_so_far()),
        };
        let options = &self.play.host.options;
        let mut overrides = Overrides {
            without: options.without.clone(),
            scratch: options.scratch.clone(),
            ..Overrides::default()
        };
        for name in &asked.with {
            match name.split_once('=') {
                Some((dial, value)) => overrides.dials.push((dial.to_owned(), DialValue::read(value))),
                None => {
                    self.check_tweaks(&[name.as_str()])?;
                    overrides.without.retain(|off| off != name);
                    overrides.variants.push(name.clone());
                }
            }
        }
        let asks = self.play.is_asking();
        let at = if asks { root::At::Question } else { root::At::End };
        let mut told = root::of_scenario(&self.workspace, &opened, &overrides, &asked.answers, at)?;
        odds::ask(&mut told.play, &told.root, &asked.question)
    }
}

fn read(args: &str) -> Result<Asked, Problems> {
    let mut asked = Asked::default();
    let padded = format!(" {args}");
    let mut parts = padded.split(" --");
    let keys = parts.next().unwrap_or_default();
    asked.answers = keys.split_whitespace().map(str::to_owned).collect();
    for part in parts {
        let (word, rest) = part.split_once(char::is_whitespace).unwrap_or((part, ""));
        let rest = rest.trim();
        if rest.is_empty() && WORDS.contains(&word) {
            return Err(Problem::new(format!("`--{word}` says nothing"))
                .hint("`:help odds` shows what stands behind it")
                .into());
        }
        match word {
            "by" => asked.question.by = Some(rest.to_owned()),
            "goal" => asked.question.goal = Some(rest.to_owned()),
            "until" => asked.question.until = Some(rest.to_owned()),
            "policy" => asked.question.policy = odds::policy(rest)?,
            "with" => asked.with.extend(rest.split_whitespace().map(str::to_owned)),
            "limit" => {
                let runs = rest.parse().map_err(|_| {
                    Problem::new(format!("`{rest}` is no number of runs")).hint("such as `--limit 100000`")
                })?;
                asked.question.limits.runs = runs;
            }
            other => {
                return Err(Problem::new(format!("odds cannot be asked `--{other}`"))
                    .hint(hint_for(other, WORDS))
                    .into());
            }
        }
    }
    Ok(asked)
}
