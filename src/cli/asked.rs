//! What is asked about odds, alike on the command line and at the prompt.

use crate::odds::{self, Limits, Question};
use crate::report::Problem;
use clap::Args;

/// See the module's comment.
#[derive(Args)]
pub(crate) struct OddsOptions {
    /// Tells outcomes apart by this expression over the end; without it, by who was defeated
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub by: Option<String>,
    /// What whoever chooses wants most of, as a number; it may say `side`. Without it: units that
    /// the others lose, minus its own
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub goal: Option<String>,
    /// How far to look: `step`, a phase, or `end of` a phase; else to the end of what the game
    /// calls a whole, or of the step
    #[arg(long, value_name = "PHASE")]
    pub until: Option<String>,
    /// Who answers the choices within: best (without it), first or random; with --sample first
    /// (without it), random or greedy
    #[arg(long, value_name = "POLICY")]
    pub policy: Option<String>,
    /// Runs of steps, at most
    #[arg(long, value_name = "RUNS", default_value_t = odds::RUNS)]
    pub limit: u64,
    /// Plays it so many times rather than looking at everything: approximate
    #[arg(long, value_name = "SAMPLES", conflicts_with = "limit")]
    pub sample: Option<u64>,
}

impl OddsOptions {
    /// The question.
    ///
    /// # Errors
    ///
    /// A policy that is none.
    pub fn question(&self) -> Result<Question, Problem> {
        let policy = self.policy.as_deref();
        Ok(Question {
            by: self.by.clone(),
            goal: self.goal.clone(),
            policy: policy.map_or(Ok(odds::usual_policy(self.sample.is_some())), odds::policy)?,
            until: self.until.clone(),
            limits: Limits {
                runs: self.limit,
                ..Limits::default()
            },
            ..Question::default()
        })
    }
}
