//! The options of `odds` on the command line.

use crate::odds::OddsOptions;
use clap::Args;

/// See the module's comment.
#[derive(Args)]
pub(crate) struct OddsArguments {
    /// Tells outcomes apart by this expression over the end; without it, by who was defeated and by the damage of the
    /// others
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub by: Option<String>,
    /// Compute only the chance that a line of the record contains this text, such as a cause or a label; nothing is
    /// explored after such a line
    #[arg(long, value_name = "EVENT")]
    pub chance: Option<String>,
    /// Number that each faction maximises; it may use `side`. Without it: the game's `worth`, or the units that the
    /// others lose minus its own
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

/// The environment variable with the default time limit in seconds, such as for a machine that has much else to do.
const SECONDS: &str = "RULEBENCH_SECONDS";

/// Returns the default time limit that the environment sets, in seconds.
pub(crate) fn usual_seconds() -> Option<u64> {
    std::env::var(SECONDS).ok()?.parse().ok()
}

impl OddsArguments {
    /// The options.
    pub fn options(&self) -> OddsOptions {
        OddsOptions {
            by: self.by.clone(),
            chance: self.chance.clone(),
            goal: self.goal.clone(),
            until: self.until.clone(),
            policy: self.policy.clone(),
            limit: self.limit,
            seconds: self.seconds,
            sample: self.sample,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands;
    use crate::repl::arguments;

    #[test]
    fn the_prompt_is_asked_by_the_options_of_the_command_line() {
        let row = commands::row("odds").expect("it is there");
        let words: Vec<&str> = arguments::words(row.takes()).collect();
        let pairs = words.windows(2).filter(|pair| pair[0].starts_with("--"));
        let prompt: Vec<(String, String)> = pairs
            .map(|pair| (pair[0].to_owned(), pair[1].to_owned()))
            .filter(|(option, _)| option != "--with")
            .collect();
        let command = OddsArguments::augment_args(clap::Command::new("odds"));
        let line = command.get_arguments().map(|arg| {
            let value = arg.get_value_names().and_then(<[_]>::first).expect("a value");
            (format!("--{}", arg.get_id()), value.to_string())
        });
        assert_eq!(prompt, line.collect::<Vec<_>>());
    }
}
