//! The arguments of `odds`, the same on the command line and at the prompt.

use crate::odds::{self, Limits, OddsQuery, TimeLimit};
use crate::progress;
use crate::report::Problem;
use clap::Args;
use std::time::Duration;

/// Default time limit for computing odds, in seconds.
const SECONDS: u64 = 5;
/// The variable of the environment that says otherwise, such as for a machine that has much else to do.
const VARIABLE: &str = "RULEBENCH_SECONDS";

/// See the module's comment.
#[derive(Args)]
pub(crate) struct OddsOptions {
    /// Tells outcomes apart by this expression over the end; without it, by who was defeated
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub by: Option<String>,
    /// Number that each faction maximises; it may use `side`. Without it: units that the others lose, minus its own
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub goal: Option<String>,
    /// Point up to which to look ahead: `step`, a phase, or `end of` a phase; without it, the end of the phase that the
    /// game marks as `whole`, or of the step
    #[arg(long, value_name = "PHASE")]
    pub until: Option<String>,
    /// Policy that answers the choices on the way: best (default), first or random; with --sample: first (default),
    /// random or greedy
    #[arg(long, value_name = "POLICY")]
    pub policy: Option<String>,
    /// Runs of steps, at most; without it 10000000
    #[arg(long, value_name = "RUNS")]
    pub limit: Option<u64>,
    /// Seconds to look, at most; without it RULEBENCH_SECONDS of the environment, else 5, or as long
    /// as it takes where --limit is given
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub seconds: Option<u64>,
    /// Plays it so many times rather than looking at everything: approximate
    #[arg(long, value_name = "SAMPLES", conflicts_with_all = ["limit", "seconds"])]
    pub sample: Option<u64>,
}

impl OddsOptions {
    /// The question.
    ///
    /// # Errors
    ///
    /// A policy that is none.
    pub fn question(&self) -> Result<OddsQuery, Problem> {
        let policy = self.policy.as_deref();
        let usual = || {
            let seconds = std::env::var(VARIABLE)
                .ok()
                .and_then(|seconds| seconds.parse().ok());
            seconds.unwrap_or(SECONDS)
        };
        let seconds = self.seconds.or_else(|| self.limit.is_none().then(usual));
        Ok(OddsQuery {
            by: self.by.clone(),
            goal: self.goal.clone(),
            policy: policy.map_or(Ok(odds::usual_policy(self.sample.is_some())), odds::policy)?,
            until: self.until.clone(),
            limits: Limits {
                runs: self.limit.unwrap_or(odds::RUNS),
                ..Limits::default()
            },
            time: seconds.map(|seconds| TimeLimit {
                most: Duration::from_secs(seconds),
                now: progress::clock,
            }),
            ..OddsQuery::default()
        })
    }
}
