//! Several tweaks at once: what each does, and which pairs do more or less together than by themselves.
//!
//! Every set of the tweaks is an arm (the full factorial design of R. A. Fisher, The Design of Experiments, 1935). What a
//! tweak does is the mean over all sets of the others; what a pair does together is how much more both change than the
//! two changes added up, in the mean over all sets of the rest.

use super::compare::NAMED;
use crate::experiment::Experiment;
use crate::experiment::change::{Change, judge};
use crate::experiment::measure::Measure;
use crate::experiment::tally::{TOO_FEW, Tally};
use crate::lines::listed;
use crate::report::Problems;
use crate::reports::{Cell, Report, ReportTable};
use crate::stats::SURE;

/// Maximum number of tweaks; two to the power of their number are the sets that are played.
pub const MOST: usize = 6;

/// Effect of one tweak, or of a pair of them, on one measure.
#[derive(Debug)]
pub struct Effect {
    /// The tweak, or the two.
    pub of: Vec<String>,
    /// For a tweak: without and with it. For a pair: both changes added up, and both together.
    pub change: Change,
}

/// Effects of several tweaks.
#[derive(Debug)]
pub struct Factorial {
    /// Number of games with each set.
    pub games: u64,
    /// Tweaks first, then pairs; each by measure.
    pub effects: Vec<Effect>,
    /// Measures that are the same in every game, whichever tweaks are on.
    pub same: Vec<String>,
    notes: Vec<String>,
}

/// Returns whether a tweak is on in a set, by its number.
pub fn is_on(set: usize, tweak: usize) -> bool {
    set >> tweak & 1 == 1
}

/// Returns weights of the `count` sets by whether the tweaks `of` are on: a mean over all others.
fn weights(count: usize, of: &[usize], on: impl Fn(&[bool]) -> f64) -> Vec<f64> {
    let scale = (count >> of.len()) as f64;
    let states = |set: usize| of.iter().map(|t| is_on(set, *t)).collect::<Vec<_>>();
    (0..count).map(|set| on(&states(set)) / scale).collect()
}

/// Returns the weights of the sets of `count` whose contrast is the effect of one tweak, or the effect of two together
/// beyond the effects of each.
fn contrast(count: usize, of: &[usize]) -> [Vec<f64>; 2] {
    let is = |wanted: bool| f64::from(wanted);
    match of.len() {
        1 => [
            weights(count, of, |on| is(!on[0])),
            weights(count, of, |on| is(on[0])),
        ],
        // Both less neither, beside the one less neither and the other less neither.
        _ => [
            weights(count, of, |on| is(on[0] != on[1]) - 2.0 * is(!on[0] && !on[1])),
            weights(count, of, |on| is(on[0] && on[1]) - is(!on[0] && !on[1])),
        ],
    }
}

/// Returns the effects of the tweaks and of their pairs on these measures, judged together, and the names of those that
/// are nothing in every game. The arms are in the order of the sets, whose bits say what is on.
pub fn effects(tally: &Tally, tweaks: &[String], measures: &[Measure]) -> (Vec<Effect>, Vec<String>) {
    let singles = (0..tweaks.len()).map(|one| vec![one]);
    let pairs = (0..tweaks.len()).flat_map(|one| (one + 1..tweaks.len()).map(move |two| vec![one, two]));
    let (mut effects, mut same) = (Vec::new(), Vec::new());
    for of in singles.chain(pairs) {
        let [base, with] = contrast(tally.arms.len(), &of);
        let names: Vec<String> = of.iter().map(|t| tweaks[*t].clone()).collect();
        for measure in measures {
            let Some(found) = tally.contrast(measure, &base, &with) else {
                continue;
            };
            if found.is_nothing() {
                same.push(format!("{} by {}", measure.name(), names.join(" and ")));
                continue;
            }
            let change = Change::new(measure, found, tally.seeds, None);
            effects.push(Effect {
                change: if of.len() == 2 { change.of_both() } else { change },
                of: names.clone(),
            });
        }
    }
    judge(effects.iter_mut().map(|e| &mut e.change), tally.seats());
    (effects, same)
}

/// Plays every set of the tweaks; the arms are in the order of the sets, whose bits say what is on.
///
/// # Errors
///
/// Measures that are not there; rules that cannot be loaded or fail.
pub fn factorial(
    experiment: &Experiment<'_>,
    tweaks: &[String],
    measures: &[String],
) -> Result<Factorial, Problems> {
    let count = experiment.arms.len();
    let what = format!("games with {count} sets of tweaks");
    let tally = experiment.measure(&what, measures, |_, _| true)?;
    let mut wanted = tally.wanted(measures)?;
    if measures.is_empty() {
        // Of unit types there are too many to be sure of any, unless they are named.
        wanted.retain(|m| !matches!(m, Measure::Unit(..) | Measure::Decisions));
    }
    let (effects, same) = effects(&tally, tweaks, &wanted);
    let few = tally.few(&(0..count).collect::<Vec<_>>(), &wanted);
    let mut notes: Vec<String> = few.keys().map(|unit| format!("{unit}: {TOO_FEW}")).collect();
    notes.extend(tally.arms[0].distinct.warning());
    Ok(Factorial {
        games: tally.arms[0].games,
        effects,
        same,
        notes,
    })
}

impl Factorial {
    /// Returns the report of it; pairs that show nothing only if all are wanted.
    pub fn report(&self, all: bool) -> Report {
        let mut report = Report::default();
        report.fact("games", self.games);
        report.fact("same", &self.same);
        let mut hidden = 0;
        for (of, key, headings) in [
            (1, "tweaks", ["without", "with", "95 % interval of the change"]),
            (
                2,
                "pairs",
                ["added up", "together", "95 % interval of what is more"],
            ),
        ] {
            let heading = if of == 1 { "tweak" } else { "pair" };
            let columns = || [vec![("tweaks", heading).into()], Change::columns(headings)].concat();
            let (mut shown, mut every) = (ReportTable::headed(columns()), ReportTable::headed(columns()));
            for effect in self.effects.iter().filter(|effect| effect.of.len() == of) {
                let tweaks = Cell::from(&effect.of).shown(effect.of.join(" and "));
                let row = [vec![tweaks], effect.change.cells()].concat();
                // Of pairs there are many, and most do nothing.
                if all || of == 1 || effect.change.p < 1.0 - SURE {
                    shown.push(row.clone());
                }
                every.push(row);
            }
            report.fact(key, &every);
            hidden = every.len() - shown.len();
            if of == 1 || !shown.is_empty() {
                report.put(shown);
            }
        }
        let of_pairs = self.effects.iter().filter(|e| e.of.len() == 2).count();
        let mut notes = Vec::new();
        if hidden > 0 {
            notes.push(format!(
                "{hidden} of {of_pairs} numbers about pairs show nothing, not even one by one (--all lists them)"
            ));
        }
        notes.push(format!(
            "a tweak's change is the mean over all sets of the others; changes are significant among {} numbers \
             (Holm); each interval is of one number alone",
            self.effects.len()
        ));
        if !self.same.is_empty() {
            notes.push(format!("the same in every game: {}", listed(&self.same, NAMED)));
        }
        notes.extend(self.notes.iter().cloned());
        report.put(notes.join("\n"));
        report.fact("notes", &self.notes);
        report
    }

    /// Returns the effect of a tweak, or of a pair of them, on a measure.
    pub fn effect(&self, of: &[&str], measure: &str) -> Option<&Change> {
        let mut effects = self.effects.iter();
        let found = effects.find(|e| e.of == of && e.change.measure.name() == measure);
        found.map(|e| &e.change)
    }
}
