//! Several tweaks at once: what each does, and which pairs do more or less together than by themselves.
//!
//! Every set of the tweaks is played with the same seeds (the full factorial design of R. A. Fisher, The Design of
//! Experiments, 1935). What a tweak does is the mean over all sets of the others; what a pair does together is how
//! much more both change than the two changes added up, in the mean over all sets of the rest.

use super::compare::{MeasureRow, NAMED, TOO_FEW, agents_of, judge};
use super::measure::{Measure, Sums};
use super::pairings::{self, PairingOptions};
use super::record::DistinctGames;
use super::setting::Setting;
use crate::lines::listed;
use crate::report::Problems;
use crate::reports::{Report, ReportTable};
use crate::rules::workspace::Workspace;
use serde::Serialize;

/// Maximum number of variants and dials; two to the power of their number are the sets that are played.
pub const MOST: usize = 6;

/// Effect of one variant or dial, or of a pair of them, on one measure.
#[derive(Debug, Clone, Serialize)]
pub struct FactorialEffect {
    /// The tweak, or the two.
    pub of: Vec<String>,
    /// Of a tweak: without and with it. Of a pair: both changes added up, and what both come to together.
    #[serde(flatten)]
    pub row: MeasureRow,
}

/// Effects of several variants and dials.
#[derive(Debug, Clone, Serialize)]
pub struct Factorial {
    /// Agents that played.
    pub agents: String,
    /// Of which units nothing can be said, and why.
    pub untold: Vec<String>,
    /// The tweaks.
    pub tweaks: Vec<String>,
    /// Number of games with each set.
    pub games: u64,
    /// Number of sets.
    pub sets: usize,
    /// Tweaks first, then pairs; each by measure.
    pub effects: Vec<FactorialEffect>,
    /// Measures that are the same in every game, whichever variants and dials are on.
    pub same: Vec<String>,
    /// Warning if too little is left to chance.
    pub warning: Option<String>,
}

/// Returns whether a variant or dial is on in a set, by its number.
pub fn is_on(set: usize, variant: usize) -> bool {
    set >> variant & 1 == 1
}

/// The weights of sets whose tweaks among `of` are on as this says: a mean over all others.
fn weights(count: usize, of: &[usize], on: impl Fn(&[bool]) -> f64) -> Vec<f64> {
    let scale = (count >> of.len()) as f64;
    let states = |set: usize| of.iter().map(|t| is_on(set, *t)).collect::<Vec<_>>();
    (0..count).map(|set| on(&states(set)) / scale).collect()
}

/// Plays every set of the tweaks; the settings stand by the number of the set, whose bits say what is on.
///
/// # Errors
///
/// Measures that are not there; rules that cannot be loaded or fail.
pub fn factorial(
    workspace: &Workspace,
    settings: &[Setting],
    variants: &[String],
    measures: &[String],
    threads: Option<usize>,
) -> Result<Factorial, Problems> {
    let count = settings.len();
    let mut sums = Sums::default();
    let mut distinct = DistinctGames::default();
    let how = PairingOptions {
        threads,
        watch: false,
        what: format!("seeds with {count} sets of tweaks"),
    };
    let take = |pairing: &pairings::Pairing| {
        sums.add(&pairing.counts.iter().collect::<Vec<_>>());
        pairing.games[0].iter().for_each(|game| distinct.add(game));
        true
    };
    pairings::play(workspace, settings, &how, take, String::new)?;
    let named = measures.iter().map(|name| Measure::find(name, sums.measures()));
    let mut wanted = named.collect::<Result<Vec<_>, _>>()?;
    if wanted.is_empty() {
        // Of unit types there are too many to be sure of any, unless they are named.
        let of_the_game = |m: &&Measure| !matches!(m, Measure::Unit(..) | Measure::Decisions);
        wanted.extend(sums.measures().filter(of_the_game).cloned());
    }
    let singles = (0..variants.len()).map(|one| vec![one]);
    let pairs = (0..variants.len()).flat_map(|one| (one + 1..variants.len()).map(move |two| vec![one, two]));
    let (mut effects, mut same) = (Vec::new(), Vec::new());
    for of in singles.chain(pairs) {
        let is = |wanted: bool| f64::from(wanted);
        let (base, variant) = match of[..] {
            [_] => (
                weights(count, &of, |on| is(!on[0])),
                weights(count, &of, |on| is(on[0])),
            ),
            // Both less neither, beside the one less neither and the other less neither.
            _ => (
                weights(count, &of, |on| is(on[0] != on[1]) - 2.0 * is(!on[0] && !on[1])),
                weights(count, &of, |on| is(on[0] && on[1]) - is(!on[0] && !on[1])),
            ),
        };
        for measure in &wanted {
            let Some(sum) = sums.of(measure) else { continue };
            let Some(found) = sum.contrast(&base, &variant, measure.is_share()) else {
                continue;
            };
            let names: Vec<String> = of.iter().map(|t| variants[*t].clone()).collect();
            if found.is_nothing() {
                same.push(format!("{} by {}", measure.name(), names.join(" and ")));
                continue;
            }
            let row = MeasureRow::new(measure, found, of.len() == 2);
            effects.push(FactorialEffect { of: names, row });
        }
    }
    let Some(first) = settings.first() else {
        unreachable!("there is the set of none");
    };
    judge(
        &mut effects.iter_mut().map(|e| &mut e.row).collect::<Vec<_>>(),
        first.seats(),
    );
    let few = sums.few(count, |measure| wanted.contains(measure));
    Ok(Factorial {
        untold: few.keys().map(|unit| format!("{unit}: {TOO_FEW}")).collect(),
        agents: agents_of(first),
        tweaks: variants.to_vec(),
        games: sums.pairs as u64 * first.seats(),
        sets: count,
        effects,
        same,
        warning: distinct.warning(),
    })
}

impl Factorial {
    /// The page of it; what has not changed only where all are wanted.
    pub fn page(&self, all: bool) -> Report {
        let table = |pairs: bool, head: [&str; 6]| {
            let mut rows = ReportTable::headed(head);
            let own = self.effects.iter().filter(|e| (e.of.len() == 2) == pairs);
            // Of pairs there are many, and most do nothing.
            let shown = own.filter(|e| all || !pairs || e.row.p.0 < 1.0 - crate::stats::SURE);
            for effect in shown {
                let mut row = vec![effect.of.join(" and ")];
                row.extend(effect.row.cells());
                rows.push(row);
            }
            rows
        };
        let mut page = Report::of(table(
            false,
            ["tweak", "", "without", "with", "95 % interval of the change", ""],
        ));
        let pairs = table(
            true,
            [
                "pair",
                "",
                "added up",
                "together",
                "95 % interval of what is more",
                "",
            ],
        );
        let of_pairs = self.effects.iter().filter(|e| e.of.len() == 2).count();
        let hidden = of_pairs - pairs.len();
        if !pairs.is_empty() {
            page.put(pairs);
        }
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
        notes.extend(self.untold.iter().cloned());
        notes.extend(self.warning.clone());
        page.put(notes.join("\n"));
        page
    }

    /// Returns the effect of a variant or dial, or of a pair of them, on a measure.
    pub fn effect(&self, of: &[&str], measure: &str) -> Option<&MeasureRow> {
        let found = self
            .effects
            .iter()
            .find(|e| e.of == of && e.row.measure == measure);
        found.map(|e| &e.row)
    }
}
