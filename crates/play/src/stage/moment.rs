//! Moments of a game in words, `round 2` or `end of round 2`, and who waits for them.

use crate::kernel::event::Event;
use crate::kernel::phase::{MAX_ITERATIONS, outwards};
use crate::kernel::rules::Rules;
use crate::play::Play;
use crate::report::{Problem, hint_for};
use crate::scenario::problems::{phase_number, unknown_name};

/// Parsed form of `[end of] PHASE [NUMBER]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PhaseMoment<'t> {
    /// Whether its end is meant, and not its beginning.
    pub ends: bool,
    /// The phase.
    pub phase: u8,
    /// The number behind it, as written: digits.
    pub number: Option<&'t str>,
}

/// The phase of this name. The root is nobody's to name.
pub fn phase_called(rules: &Rules, name: &str) -> Option<u8> {
    let mut named = rules.phases.iter().skip(1);
    named.position(|p| p.name == name).map(|index| index as u8 + 1)
}

impl<'t> PhaseMoment<'t> {
    /// Reads `[end of] PHASE [NUMBER]`.
    ///
    /// # Errors
    ///
    /// A phase that the game does not have.
    pub fn parse(text: &'t str, rules: &Rules) -> Result<Self, Problem> {
        let (ends, rest) = match text.strip_prefix("end of ") {
            // A phase may itself be called so.
            Some(rest) if phase_called(rules, text).is_none() => (true, rest),
            _ => (false, text),
        };
        let digits = |n: &str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit());
        let (name, number) = match rest.rsplit_once(' ') {
            Some((name, number)) if digits(number) => (name, Some(number)),
            _ => (rest, None),
        };
        match phase_called(rules, name) {
            Some(phase) => Ok(Self { ends, phase, number }),
            None => {
                let known = rules.phases.iter().skip(1).map(|p| p.name.as_str());
                Err(unknown_name("phase", name).hint(hint_for(name, known)))
            }
        }
    }

    /// Returns the number of the beginning that is meant; `None` where no number is written.
    ///
    /// # Errors
    ///
    /// A number that is never reached.
    pub fn counted(&self, rules: &Rules) -> Result<Option<u16>, Problem> {
        let Some(number) = self.number else {
            return Ok(None);
        };
        let mut repeats = outwards(&rules.phases, self.phase).map(|p| rules.phases[p as usize].repeat);
        let most = match (repeats.next(), repeats.any(|repeats| repeats)) {
            (Some(true), _) => MAX_ITERATIONS,
            (_, true) => u16::MAX,
            (_, false) => 1,
        };
        let fits = number.parse().ok().filter(|n| (1..=most).contains(n));
        fits.map(Some).ok_or_else(|| phase_number(number, most))
    }
}

/// Point at which to stop: before a phase begins, or after it has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhaseStop {
    phase: u8,
    /// Number of the beginning: for a repeating phase the number that its heading shows, for another how often it has
    /// begun; `None` for the first that comes.
    number: Option<u16>,
    after: bool,
}

impl PhaseStop {
    /// Reads a [`PhaseMoment`].
    ///
    /// # Errors
    ///
    /// An unknown phase, or a number that is never reached.
    pub fn parse(text: &str, rules: &Rules) -> Result<Self, Problem> {
        let moment = PhaseMoment::parse(text, rules)?;
        Ok(Self {
            phase: moment.phase,
            number: moment.counted(rules)?,
            after: moment.ends,
        })
    }
}

impl PhaseStop {
    /// Whether a game that is over ended within the phase, so that it came to its end.
    pub fn is_within(self, play: &Play) -> bool {
        let mut watch = PhaseWatch {
            until: Some(self),
            seen: 0,
            beginnings: 0,
            within: false,
        };
        let _ = watch.reached(play);
        watch.within
    }
}

/// Watches for the place where to stop.
pub struct PhaseWatch {
    until: Option<PhaseStop>,
    seen: usize,
    /// Number of times that the phase has begun.
    beginnings: u16,
    /// The phase has begun as often as is asked, and has not begun again since.
    within: bool,
}

impl PhaseWatch {
    /// Watches from the events so far.
    pub fn new(until: Option<PhaseStop>, play: &Play) -> Self {
        Self {
            until,
            seen: play.table().events.len(),
            beginnings: 0,
            within: false,
        }
    }

    /// Whether play is there, looked at before each step.
    pub fn reached(&mut self, play: &Play) -> bool {
        let Some(until) = &self.until else { return false };
        let table = play.table();
        let new = table.events.get(self.seen..).unwrap_or_default();
        self.seen = table.events.len();
        let was_within = self.within;
        let mut began_again = false;
        for event in new {
            let Event::Phase { phase, iteration } = event else {
                continue;
            };
            if *phase != until.phase {
                continue;
            }
            self.beginnings = self.beginnings.saturating_add(1);
            let number = if *iteration > 0 {
                *iteration
            } else {
                self.beginnings
            };
            began_again |= was_within;
            self.within = until.number.is_none_or(|n| n == number);
        }
        let is_open = || table.checkpoint.cursor.phases().any(|p| p == until.phase);
        if !until.after {
            let begins = self.within && (!was_within || began_again);
            // One in which nobody has anything to do is none that anybody would stop at.
            if begins && until.number.is_none() && !is_open() {
                self.within = false;
                return false;
            }
            return begins;
        }
        was_within && began_again || (was_within || self.within) && !is_open()
    }
}
