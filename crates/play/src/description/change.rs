//! Changes of a position by hand, as they are typed and as a chapter of a transcript holds them.
//!
//! ```text
//! place red.scouts c4 life=3      a new unit; it gets the next number of its type
//! move red.scouts1 c5             remove red.scouts1      reserve red.scouts1
//! lay mud c4                       lift mud c4            terrain of a place
//! lay wall box(80,150,120,170)    lift wall piece1       the same on a table top
//! red.scouts1 life=2              slots of a unit, a faction, a place or the `game`
//! red.d6_1 shows=3                what a die shows, in an arena
//! seed 8                          other dice from here on
//! force volley: 6 6               what the next such roll shows; `force volley: -` lets it be
//! ```

use super::problems::{
    incomplete_change, not_a_seed, unexpected_word, unknown_change, wrong_dice_count, wrong_die_value,
    wrong_label,
};
use super::{RESERVE, Slots, Spanned, slots, words, write_slots};
use crate::kernel::dice::{MAX_DICE, MAX_SIDES};
use crate::report::{Problem, Problems, Source, did_you_mean};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// The words with which a change can begin, besides the name of what has slots.
pub const VERBS: [&str; 8] = [
    "place", "move", "remove", "reserve", "lay", "lift", "seed", "force",
];

/// One change by hand, as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A new unit `faction.type`, on a place or in reserve, with slots that are set.
    Place {
        /// Faction and type.
        unit: Spanned<String>,
        /// The place, or `reserve`.
        place: Spanned<String>,
        /// The slots.
        slots: Slots,
    },
    /// A unit stands elsewhere.
    Move {
        /// The unit.
        unit: Spanned<String>,
        /// The place, or `reserve`.
        place: Spanned<String>,
    },
    /// A unit is out of play.
    Remove(Spanned<String>),
    /// Terrain is laid in a place, or taken away from it.
    Ground {
        /// Whether it is laid.
        lay: bool,
        /// The kind.
        terrain: Spanned<String>,
        /// The place.
        place: Spanned<String>,
    },
    /// Slots of a unit, a faction, a place or the game.
    Slots {
        /// Owner of the slots.
        of: Spanned<String>,
        /// The slots.
        slots: Slots,
    },
    /// Other dice from here on.
    Seed(u64),
    /// Dice that the next roll of a label shows; none lets the rolls be what they are.
    Force {
        /// Label of the roll.
        label: Spanned<String>,
        /// The dice, from 1.
        dice: Vec<i64>,
    },
}

/// The change as it is written in a transcript.
impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Place { unit, place, slots } => {
                write!(f, "place {unit} {place}")?;
                write_slots(f, slots)
            }
            Change::Move { unit, place } if place.value == RESERVE => write!(f, "reserve {unit}"),
            Change::Move { unit, place } => write!(f, "move {unit} {place}"),
            Change::Remove(unit) => write!(f, "remove {unit}"),
            Change::Ground { lay, terrain, place } => {
                write!(f, "{} {terrain} {place}", if *lay { "lay" } else { "lift" })
            }
            Change::Slots { of, slots } => {
                write!(f, "{of}")?;
                write_slots(f, slots)
            }
            Change::Seed(seed) => write!(f, "seed {seed}"),
            Change::Force { label, dice } if dice.is_empty() => write!(f, "force {label}: -"),
            Change::Force { label, dice } => {
                let dice: Vec<String> = dice.iter().map(i64::to_string).collect();
                write!(f, "force {label}: {}", dice.join(" "))
            }
        }
    }
}

/// Reads changes that stand in a text, with this character between them.
///
/// # Errors
///
/// What cannot be read, at its place in the text; all of it together.
pub fn parse(source: &Arc<Source>, between: char) -> Result<Vec<Change>, Problems> {
    let mut edits = Vec::new();
    let mut problems = Vec::new();
    let mut start = 0;
    for part in source.text.split(between) {
        let at = start..start + part.len();
        start = at.end + between.len_utf8();
        if part.trim().is_empty() {
            continue;
        }
        match read(source, at, part) {
            Ok(edit) => edits.push(edit),
            Err(found) => problems.extend(found.0),
        }
    }
    Problems::check(problems)?;
    Ok(edits)
}

fn read(source: &Arc<Source>, at: Range<usize>, text: &str) -> Result<Change, Problems> {
    let words: Vec<Spanned<&str>> = words(text)
        .into_iter()
        .map(|(from, word)| {
            let from = at.start + from;
            Spanned::new(word, from..from + word.len())
        })
        .collect();
    let verb = words[0].value;
    let owned = |word: &Spanned<&str>| Spanned::new(word.value.to_owned(), word.span.clone());
    let (form, wanted): (&str, &[&str]) = match verb {
        "place" => (
            "place FACTION.TYPE PLACE slot=value",
            &["a faction and a unit type", "a place, or `reserve`"],
        ),
        "move" => ("move UNIT PLACE", &["a unit", "a place"]),
        "remove" => ("remove UNIT", &["a unit"]),
        RESERVE => ("reserve UNIT", &["a unit"]),
        "lay" => ("lay TERRAIN PLACE", &["a kind of terrain", "a place"]),
        "lift" => ("lift TERRAIN PLACE", &["a kind of terrain", "a place"]),
        "seed" => ("seed N", &["a number"]),
        _ => ("", &[]),
    };
    let mut args = Vec::new();
    for (index, what) in wanted.iter().enumerate() {
        match words.get(index + 1) {
            Some(word) if !word.contains('=') => args.push(owned(word)),
            other => {
                let span = other.or(words.last()).map_or(at, |word| word.span.clone());
                return Err(incomplete_change(verb, what, form).at(source, span).into());
            }
        }
    }
    let rest = &words[1 + args.len()..];
    if let (Some(more), false) = (rest.first(), wanted.is_empty() || verb == "place") {
        return Err(unexpected_word(more, form).at(source, more.span.clone()).into());
    }
    let mut args = args.into_iter();
    let mut arg = || args.next().unwrap_or_default();
    Ok(match verb {
        "place" => Change::Place {
            unit: arg(),
            place: arg(),
            slots: slots(source, rest, true)?,
        },
        "move" => Change::Move {
            unit: arg(),
            place: arg(),
        },
        RESERVE => Change::Move {
            unit: arg(),
            place: RESERVE.to_owned().into(),
        },
        "remove" => Change::Remove(arg()),
        "lay" | "lift" => Change::Ground {
            lay: verb == "lay",
            terrain: arg(),
            place: arg(),
        },
        "seed" => {
            let seed = arg();
            let number = seed.parse();
            Change::Seed(number.map_err(|_| not_a_seed(&seed).at(source, seed.span.clone()))?)
        }
        "force" => {
            let from = words[0].span.end;
            let rest = &source.text[from..at.end];
            let Some((label, dice)) = rest.rsplit_once(": ") else {
                let incomplete = incomplete_change(verb, "a label and dice", "force LABEL: 6 6");
                return Err(incomplete.at(source, at).into());
            };
            let begin = from + label.len() - label.trim_start().len();
            let label = label.trim();
            let label = Spanned::new(label.to_owned(), begin..begin + label.len());
            let begin = at.end - dice.len();
            force(source, label, Spanned::new(dice, begin..at.end))?
        }
        name if words.len() == 1 => {
            let problem = unknown_change(name).at(source, at);
            let near = did_you_mean(name, VERBS);
            return Err(match near {
                Some(near) => problem.hint(format!("did you mean `{near}`?")),
                None => problem
                    .hint("write `NAME slot=value`, or begin with place, move, remove, reserve, lay or lift"),
            }
            .into());
        }
        _ => Change::Slots {
            of: owned(&words[0]),
            slots: slots(source, &words[1..], true)?,
        },
    })
}

/// The change that forces dice, or lets them be: `-`.
///
/// # Errors
///
/// Dice that none can show.
pub fn force(source: &Arc<Source>, label: Spanned<String>, dice: Spanned<&str>) -> Result<Change, Problem> {
    if label.value.is_empty() || label.contains(char::is_control) {
        return Err(wrong_label().at(source, label.span));
    }
    if dice.trim() == "-" {
        return Ok(Change::Force {
            label,
            dice: Vec::new(),
        });
    }
    let mut shown = Vec::new();
    for (from, word) in words(dice.value) {
        let span = dice.span.start + from..dice.span.start + from + word.len();
        match word.parse::<i64>() {
            Ok(die) if (1..=MAX_SIDES).contains(&die) => shown.push(die),
            _ => {
                return Err(wrong_die_value(word, MAX_SIDES).at(source, span));
            }
        }
    }
    if shown.is_empty() || shown.len() > MAX_DICE {
        return Err(wrong_dice_count(shown.len(), MAX_DICE).at(source, dice.span));
    }
    // As a roll shows them.
    shown.sort_unstable();
    Ok(Change::Force { label, dice: shown })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read_all(text: &str) -> Result<Vec<Change>, Problems> {
        parse(&Source::new("edits", text), ';')
    }

    fn written(text: &str) -> Vec<String> {
        let edits = read_all(text).unwrap_or_else(|p| panic!("{p}"));
        edits.iter().map(Change::to_string).collect()
    }

    #[test]
    fn changes_are_written_as_they_are_read() {
        for text in [
            "place red.scouts c4 life=3 tired last=none",
            "place red.scouts reserve",
            "move red.scouts1 c5",
            "reserve red.scouts1",
            "remove red.scouts1",
            "red.scouts1 life=-2",
            "game day=3 night=false",
            "seed 18446744073709551615",
            "force first luck: 1 2 6",
            "force luck: of the draw: 6",
            "force luck: -",
        ] {
            assert_eq!(written(text), [text]);
        }
        assert_eq!(
            written("  move  red.scouts1\tc5 ;;red night=true tired=true; move a reserve ; force x: 3 1"),
            [
                "move red.scouts1 c5",
                "red night tired",
                "reserve a",
                "force x: 1 3"
            ]
        );
    }

    #[test]
    fn what_is_wrong_is_told_at_its_place_and_all_of_it() {
        let problems =
            read_all("move red.scouts1; seed x; place red.scouts life=2").expect_err("all are wrong");
        let found: Vec<(&str, String)> = problems
            .0
            .iter()
            .map(|p| {
                let place = p.place.as_ref().expect("it has a place");
                (p.id(), place.source.slice(place.span.clone()).to_owned())
            })
            .collect();
        assert_eq!(
            found,
            [
                ("incomplete-change", "red.scouts1".to_owned()),
                ("not-a-seed", "x".to_owned()),
                ("incomplete-change", "life=2".to_owned()),
            ]
        );
    }

    proptest! {
        /// Whatever is typed is read or refused, and what is read is read again from what is written.
        #[test]
        fn any_text_is_read_or_refused(text in "(place|move|remove|reserve|seed|force|red|game)?[ a-z0-9.=:;é\u{3000}-]{0,30}") {
            if let Ok(edits) = read_all(&text) {
                for edit in edits {
                    let line = edit.to_string();
                    let again = parse(&Source::new("edits", line.as_str()), '\n');
                    prop_assert_eq!(again.map(|e| e.iter().map(Change::to_string).collect::<Vec<_>>()), Ok(vec![line]));
                }
            }
        }
    }
}
