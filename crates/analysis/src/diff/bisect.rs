//! Layers that a difference needs.

use super::{
    Addition, ArmEnd, Comparison, DiffArm, Differ, DifferenceScope, Divergence, Expectation, Verdict,
    check_chapters, judge,
};
use crate::report::Problems;
use crate::stage::run::OpenedFile;

/// The most layers among which every subset is tried; with more, [`Differ::bisect`] finds a
/// minimal one.
pub const MOST_SUBSETS: usize = 16;

impl Differ<'_> {
    /// Finds the smallest set of the layers with which a scenario still differs from the base as
    /// it does with all of them. If all of them make it end otherwise, a set does so that makes it
    /// end in that way; else one with which the same expectations hold, if those differ; else one
    /// that leads to the same position. The smallest is the first by size, then in canonical order (variants before dials,
    /// each by name). Layers that cannot be combined are skipped. With more than
    /// [`MOST_SUBSETS`] layers the set is minimal: every layer in it is needed, but a smaller set
    /// of others may do.
    ///
    /// # Errors
    ///
    /// Those of [`Differ::compare`] with all layers.
    pub fn bisect(&mut self, opened: &OpenedFile, comparison: &Comparison) -> Result<Bisected, Problems> {
        check_chapters(opened)?;
        let mut comparison = comparison.clone();
        comparison.tweaks.sort_by_key(|t| match t {
            Addition::Variant(name) => (0, name.clone()),
            Addition::Without(name) => (1, name.clone()),
            Addition::Dial(name, _) => (2, name.clone()),
            Addition::Scratch(_) => (3, String::new()),
        });
        self.trail = false;
        let lines = opened.lines.as_deref();
        let adopted = self.rulesets.adopted(&opened.file.game)?;
        let base_setup = comparison.base(&opened.file, &adopted);
        let base = self.lead(&base_setup, lines)?;
        let tweaked = comparison.tweaked(&opened.file, &adopted, &comparison.all());
        let (replaced, whole) = self.against(&base, &base_setup, &tweaked, lines, comparison.then)?;
        let verdict = judge(replaced.as_ref().unwrap_or(&base), &whole);
        let cause = DifferenceKind::of(&verdict, replaced.as_ref().unwrap_or(&base), &whole);
        let mut found = Bisected {
            verdict,
            difference: cause.sentence(),
            smallest: Vec::new(),
            tried: 1,
            skipped: 0,
            is_smallest: true,
            layers: comparison.tweaks.clone(),
        };
        if found.verdict == Verdict::Same {
            return Ok(found);
        }
        let mut tried = 1;
        let mut skipped = 0;
        let mut causes = |set: &[usize]| {
            tried += 1;
            let tweaked = comparison.tweaked(&opened.file, &adopted, set);
            let Ok((replaced, variant)) = self.against(&base, &base_setup, &tweaked, lines, comparison.then)
            else {
                skipped += 1;
                return false;
            };
            let verdict = judge(replaced.as_ref().unwrap_or(&base), &variant);
            // No set comes twice: its rules are not worth keeping.
            cause.is_met(&verdict, &variant)
        };
        let all = comparison.all();
        let set = if all.len() > MOST_SUBSETS {
            found.is_smallest = false;
            minimal(&all, &mut causes)
        } else {
            // With nothing against which to compare, no layers are the base itself.
            let least = usize::from(comparison.against.is_empty());
            (least..all.len())
                .find_map(|size| first_subset(all.len(), size, &mut causes))
                .unwrap_or(all)
        };
        found.tried = tried;
        found.skipped = skipped;
        found.smallest = set.iter().map(|&i| comparison.tweaks[i].clone()).collect();
        Ok(found)
    }
}

/// Part of a difference that a subset of the layers must reproduce: the end of the game if that differs, else the
/// expectations that hold, else the final position, else the events.
enum DifferenceKind {
    Nothing,
    End(String),
    Expectations(Vec<Expectation>),
    Position(Box<ArmEnd>),
    Events(Vec<String>),
    Divergence(DifferenceScope, Box<Divergence>),
    Failure(DifferenceScope, String),
}

impl DifferenceKind {
    fn of(verdict: &Verdict, base: &DiffArm, variant: &DiffArm) -> Self {
        match verdict {
            Verdict::Same => DifferenceKind::Nothing,
            Verdict::Events => {
                DifferenceKind::Events(variant.record.iter().map(|t| t.text.clone()).collect())
            }
            Verdict::Outcome if base.outcome.end != variant.outcome.end => {
                DifferenceKind::End(variant.outcome.end.clone())
            }
            Verdict::Outcome if base.outcome.expectations != variant.outcome.expectations => {
                DifferenceKind::Expectations(variant.outcome.expectations.clone())
            }
            Verdict::Outcome => DifferenceKind::Position(Box::new(variant.outcome.clone())),
            Verdict::Diverged(which, divergence) => {
                DifferenceKind::Divergence(*which, Box::new(divergence.clone()))
            }
            Verdict::Failed(which, problem) => DifferenceKind::Failure(*which, problem.message.clone()),
        }
    }

    /// Whether another tweak of the same base does the same.
    fn is_met(&self, verdict: &Verdict, variant: &DiffArm) -> bool {
        let played = matches!(verdict, Verdict::Same | Verdict::Events | Verdict::Outcome);
        match self {
            DifferenceKind::Nothing => *verdict == Verdict::Same,
            DifferenceKind::End(end) => played && *end == variant.outcome.end,
            DifferenceKind::Expectations(all) => played && *all == variant.outcome.expectations,
            DifferenceKind::Position(outcome) => played && outcome.is_same(&variant.outcome),
            DifferenceKind::Events(texts) => {
                played
                    && texts.len() == variant.record.len()
                    && texts.iter().zip(&variant.record).all(|(a, b)| *a == b.text)
            }
            DifferenceKind::Divergence(which, at) => match verdict {
                Verdict::Diverged(arm, found) => {
                    let found = Divergence {
                        line: at.line,
                        ..found.clone()
                    };
                    arm == which && found == **at
                }
                _ => false,
            },
            DifferenceKind::Failure(which, message) => {
                matches!(verdict, Verdict::Failed(arm, problem) if arm == which && problem.message == *message)
            }
        }
    }

    /// Describes the part in one sentence.
    fn sentence(&self) -> String {
        match self {
            DifferenceKind::Nothing => "no difference".to_owned(),
            DifferenceKind::End(end) => format!("it ends otherwise: {end}"),
            DifferenceKind::Expectations(all) => {
                let hold = all.iter().filter(|e| e.holds == Some(true)).count();
                format!("other expectations hold: {hold} of {}", all.len())
            }
            DifferenceKind::Position(_) => "the final position is another".to_owned(),
            DifferenceKind::Events(_) => "events differ on the way; the outcome does not".to_owned(),
            DifferenceKind::Divergence(_, at) => format!("it diverges at `{}`: {}", at.step, at.why),
            DifferenceKind::Failure(_, message) => format!("the rules fail: {message}"),
        }
    }
}

/// Layers that a difference needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bisected {
    /// Verdict for all layers together.
    pub verdict: Verdict,
    /// The difference whose layers are looked for, in one sentence.
    pub difference: String,
    /// All layers, in canonical order.
    pub layers: Vec<Addition>,
    /// The layers that are needed; empty when all of them change nothing, or when what the base
    /// has on is enough.
    pub smallest: Vec<Addition>,
    /// Number of sets tried, the set of all layers included.
    pub tried: usize,
    /// Number of those sets that cannot be combined or set up.
    pub skipped: usize,
    /// Whether no smaller set does; otherwise only no part of this one.
    pub is_smallest: bool,
}

/// The first set of `size` among `count` that passes, in lexical order.
fn first_subset(count: usize, size: usize, passes: &mut impl FnMut(&[usize]) -> bool) -> Option<Vec<usize>> {
    let mut set: Vec<usize> = (0..size).collect();
    loop {
        if passes(&set) {
            return Some(set);
        }
        // The last place that can still move on.
        let place = (0..size).rev().find(|&i| set[i] < count - size + i)?;
        set[place] += 1;
        for i in place + 1..size {
            set[i] = set[i - 1] + 1;
        }
    }
}

/// Delta debugging: takes parts away while what is left still passes, with ever finer parts.
fn minimal(all: &[usize], passes: &mut impl FnMut(&[usize]) -> bool) -> Vec<usize> {
    let mut set = all.to_vec();
    let mut parts = 2;
    while set.len() >= 2 {
        let size = set.len().div_ceil(parts);
        let pieces: Vec<Vec<usize>> = set.chunks(size).map(<[usize]>::to_vec).collect();
        if let Some(piece) = pieces.iter().find(|p| p.len() < set.len() && passes(p)) {
            set = piece.clone();
            parts = 2;
            continue;
        }
        let rest = |piece: &Vec<usize>| -> Vec<usize> {
            set.iter().copied().filter(|i| !piece.contains(i)).collect()
        };
        let left = pieces.iter().map(rest).find(|r| !r.is_empty() && passes(r));
        if let Some(left) = left {
            set = left;
            parts = (parts - 1).max(2);
        } else if parts >= set.len() {
            break;
        } else {
            parts = (parts * 2).min(set.len());
        }
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_subsets(count: usize, size: usize) -> Vec<Vec<usize>> {
        let mut subsets = Vec::new();
        let none = first_subset(count, size, &mut |set: &[usize]| {
            subsets.push(set.to_vec());
            false
        });
        assert_eq!(none, None);
        subsets
    }

    #[test]
    fn subsets_come_in_lexical_order_and_each_once() {
        assert_eq!(all_subsets(3, 2), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(all_subsets(4, 0), [Vec::<usize>::new()]);
        assert_eq!(all_subsets(16, 3).len(), 560);
        assert_eq!(all_subsets(3, 3), [[0, 1, 2]]);
    }

    #[test]
    fn delta_debugging_leaves_only_what_is_needed() {
        for needed in [vec![0], vec![19], vec![3, 17], vec![0, 1, 2], vec![2, 9, 11, 18]] {
            let all: Vec<usize> = (0..20).collect();
            let found = minimal(&all, &mut |set: &[usize]| needed.iter().all(|n| set.contains(n)));
            assert_eq!(found, needed);
        }
    }
}
