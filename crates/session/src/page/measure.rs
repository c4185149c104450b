//! Games between agents that a page asks for: what they say about the game on the table, or about a variant of it.

use super::MeasureRequest;
use crate::designs::compare::{CompareOptions, Unchanged, compare};
use crate::designs::summary::Summary;
use crate::diff::{self, Addition};
use crate::experiment::Experiment;
use crate::experiment::arm::ArmOptions;
use crate::output::Output;
use crate::problems;
use crate::report::Problems;
use crate::reports::{Report, ReportPart};
use crate::rules::ruleset::LoadOptions;
use crate::session::Session;
use crate::stage::run::Overrides;

/// Maximum number of games of each side.
const MOST_GAMES: u64 = 1_000_000;

impl Session {
    /// Plays games from the start of the game on the table, under the rules in force. With a variant it plays as many with
    /// the variant switched, and compares.
    pub(crate) fn measure(&self, request: &MeasureRequest) -> Output {
        self.forget_stop();
        let mut output = match &request.variant {
            _ if request.games > MOST_GAMES => {
                let why = format!("{} games are out of range: 1 to {MOST_GAMES}", request.games);
                Err(problems::number_out_of_range(why).into())
            }
            None => self.summary(request),
            Some(variant) => self.comparison(request, variant),
        }
        .unwrap_or_else(|problems| Output::error(problems, self.face.style.colour));
        self.add_undone(&mut output);
        self.forget_stop();
        output
    }

    fn summary(&self, request: &MeasureRequest) -> Result<Output, Problems> {
        let options = &self.play.ruleset().options;
        let workspace = self.rules.with_texts_of(self.play.ruleset());
        let sides = [self.start_under(options)];
        let start = self.set_up.start();
        let experiment = Experiment::of_changes(&workspace, &start, &sides, &arm_options(request), None)?;
        let arm = &experiment.arms[0];
        let mut summary = Summary::new(&experiment.facts[0]);
        let failure = summary.play(&experiment, 0..arm.games, |_| Ok(()))?;
        let heading = arm.heading().line(summary.games());
        let mut output = folded(heading, &summary.report());
        failure
            .into_iter()
            .for_each(|problems| output.fail(problems, self.face.style.colour));
        Ok(output)
    }

    fn comparison(&self, request: &MeasureRequest, variant: &str) -> Result<Output, Problems> {
        let ruleset = self.play.ruleset();
        let is_on = self
            .rules
            .on(&self.game(), &ruleset.options)
            .iter()
            .any(|on| on == variant);
        let (switched, names, change) = match is_on {
            true => (
                self.options_without(&[variant])?,
                ["as it is", "changed"],
                Addition::Without(variant.to_owned()),
            ),
            false => (
                self.options_with(&[variant])?,
                ["without", "with"],
                Addition::Variant(variant.to_owned()),
            ),
        };
        let sides = [&ruleset.options, &switched].map(|options| self.start_under(options));
        let workspace = self.rules.with_texts_of(ruleset);
        let start = self.set_up.start();
        let experiment = Experiment::of_changes(&workspace, &start, &sides, &arm_options(request), None)?;
        let found = compare(&experiment, &CompareOptions::default())?;
        let played = experiment.heading().map(|heading| heading.line(found.games));
        let heading = format!(
            "{} and {}: {} each",
            names[0],
            diff::named(&[change]),
            played.unwrap_or_default()
        );
        Ok(folded(heading, &found.report(names, Unchanged::Folded)))
    }

    /// The seed of the table is not that of the games.
    fn start_under(&self, options: &LoadOptions) -> Overrides {
        Overrides {
            seed: None,
            ..self.set_up.overrides_under(options)
        }
    }
}

fn arm_options(request: &MeasureRequest) -> ArmOptions {
    let agents = request.agents.iter();
    ArmOptions {
        agents: agents
            .map(|(faction, agent)| format!("{faction}={agent}"))
            .collect(),
        seed: request.seed,
        games: request.games,
        ..ArmOptions::default()
    }
}

/// Returns a report as parts that a page can fold.
fn folded(head: String, report: &Report) -> Output {
    let parts = report.parts().cloned().collect();
    Output::from(Report::of(ReportPart::Fold {
        head,
        open: true,
        parts,
    }))
}
