//! Bounds on chances that are explored only in part.
//!
//! What is left may come to any outcome; of the mean of a faction's goal it is known between what it lies, as long as
//! the goal is the usual one: no unit can be lost twice. Bounds go backwards with the chances: through rolls weighted,
//! and through a choice by what its chooser gets at least, which also says what it does not choose.

use super::chances::{Bounds, Chances, Fraction};
use super::classes::Classes;
use super::whole::WholePhase;
use crate::kernel::ids::FactionId;
use std::sync::Arc;

impl Classes {
    /// Returns the chances of an unexplored position.
    pub fn unknown(&mut self) -> Chances {
        let mut chances = Chances::sure(self.unexplored());
        chances.bounds = self.ranges().map(|ranges| {
            let span =
                |(least, most): &(i64, i64)| (WholePhase::ZERO, WholePhase::from(most.abs_diff(*least)));
            ranges.iter().map(span).collect()
        });
        chances
    }

    /// The same chances with bounds, where there can be any: of what is known whole they are the mean itself.
    pub fn bounded(&self, chances: &Arc<Chances>) -> Arc<Chances> {
        let Some(ranges) = self.ranges().filter(|_| chances.bounds.is_none()) else {
            return Arc::clone(chances);
        };
        let mean = |(faction, (least, _)): (usize, &(i64, i64))| {
            let above = |class| self.goal(class, FactionId(faction as u8)) - least;
            let sum = chances.sum(above).0;
            (sum.clone(), sum)
        };
        let bounds: Bounds = ranges.iter().enumerate().map(mean).collect();
        Arc::new(Chances {
            bounds: Some(bounds),
            ..Chances::clone(chances)
        })
    }

    /// Returns the chances after a choice among these, if the choosing faction takes the best for itself, and the index
    /// of the choice where it is known. The result has bounds if any of these has.
    pub fn chosen(&mut self, of: &[Arc<Chances>], asker: FactionId) -> (Arc<Chances>, Option<usize>) {
        let left = self.unexplored();
        let whole = |chances: &Arc<Chances>| chances.part(left).is_none();
        if of.iter().all(whole) {
            let best = Chances::best(of.iter(), |class| self.goal(class, asker));
            return (Arc::clone(&of[best]), Some(best));
        }
        let total = of
            .iter()
            .fold(WholePhase::ONE, |total, c| total.multiple(&c.total));
        let scaled = |chances: &Chances, faction: usize| {
            let (low, high) = chances.bounds.as_deref()?.get(faction)?;
            let factor = total.over(&chances.total);
            Some((low.times(&factor), high.times(&factor)))
        };
        let own: Option<Vec<(WholePhase, WholePhase)>> =
            of.iter().map(|c| scaled(c, asker.index())).collect();
        // Of equals the first is taken: one that can be at best what another before it is at least is not.
        let beaten = |at: usize, all: &[(WholePhase, WholePhase)]| {
            let high = &all[at].1;
            all[..at].iter().any(|(low, _)| high <= low) || all[at + 1..].iter().any(|(low, _)| high < low)
        };
        let may_be = |at: &usize| own.as_ref().is_none_or(|own| !beaten(*at, own));
        let may: Vec<usize> = (0..of.len()).filter(may_be).collect();
        if let [only] = may[..] {
            return (Arc::clone(&of[only]), Some(only));
        }
        let may: Vec<Arc<Chances>> = may.into_iter().map(|at| Arc::clone(&of[at])).collect();
        let mut chosen = Chances::at_least(&may, left);
        let factor = total.over(&chosen.total);
        for part in chosen.parts.iter_mut().map(|(_, part)| part) {
            *part = part.times(&factor);
        }
        let of_faction = |faction: usize| {
            let is_own = faction == asker.index();
            // What one of two foes gets the other loses.
            let seen_from = if self.is_even() { asker.index() } else { faction };
            let all: Vec<(WholePhase, WholePhase)> =
                may.iter().map(|c| scaled(c, seen_from)).collect::<Option<_>>()?;
            let lows = all.iter().map(|(low, _)| low);
            let low = match is_own || self.is_even() {
                true => lows.max(),
                false => lows.min(),
            };
            let (low, high) = (low?.clone(), all.iter().map(|(_, high)| high).max()?.clone());
            let (least, most) = self.ranges()?[faction];
            let span = total.times(&WholePhase::from(most.abs_diff(least)));
            Some(match seen_from == faction {
                true => (low, high),
                false => (span.minus(&high), span.minus(&low)),
            })
        };
        chosen.bounds = self
            .ranges()
            .and_then(|ranges| (0..ranges.len()).map(of_faction).collect());
        chosen.total = total;
        (Arc::new(chosen), None)
    }

    /// Between what the mean of a faction's goal lies; `None` where nothing says it.
    pub fn goal_between(&self, chances: &Chances, faction: FactionId) -> Option<(Fraction, Fraction)> {
        let (least, _) = *self.ranges()?.get(faction.index())?;
        let (low, high) = chances.bounds.as_deref()?.get(faction.index())?;
        let below = chances.total.times(&least.unsigned_abs().into());
        let of = |above: &WholePhase| match least < 0 {
            true => Fraction::of_sums((above.clone(), below.clone()), &chances.total),
            false => Fraction::new(&above.plus(&below), &chances.total),
        };
        Some((of(low), of(high)))
    }
}
