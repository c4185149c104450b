//! Names that nothing has, and what they may have meant.

use crate::lines;
use std::collections::BTreeSet;

/// Maximum number of letters in a name; longer text is not compared with names.
const LONGEST_NAME: usize = 200;

/// At most this many names are listed in a hint.
const NAMES_IN_A_HINT: usize = 12;

/// Number of problems of one kind for which the name that was meant is looked for: comparing thousands of unknown names
/// with thousands of known ones takes minutes, and no more problems than this are ever read.
pub const SUGGESTED: usize = 100;

/// The candidate that `word` most likely stands for, if one is near enough.
///
/// Near is at most a third of the word's length in single edits (at least one; two letters swapped are one edit), upper
/// and lower case alike. If none is that near, one that begins with the word or that the word begins with will do. Of
/// equally near ones it is the first in sorted order, of those that begin with the same letter if there are any. The word itself is never the answer.
///
/// A name that needs only what it belongs to, such as `charge` for `riders.charge`, is nearest of all.
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    // Sorted and without doubles; `min_by_key` takes the first of equals.
    let candidates: BTreeSet<&str> = candidates.into_iter().filter(|name| *name != word).collect();
    nearest(word, candidates)
}

/// The candidate of which a word is most likely a slip of the pen: two edits away at most, one in short words, and
/// neither the other with more than a letter behind it.
pub fn slip_of<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = if word.chars().count() < 8 { 1 } else { 2 };
    let near = |name: &&str| {
        let goes_on = name.starts_with(word) || word.starts_with(*name);
        let most = if goes_on { 1 } else { most };
        (1..=most).contains(&strsim::damerau_levenshtein(word, name))
    };
    candidates.into_iter().filter(near).min()
}

fn nearest(word: &str, candidates: BTreeSet<&str>) -> Option<String> {
    let wanted = word.to_lowercase();
    let length = wanted.chars().count();
    if length > LONGEST_NAME {
        return None;
    }
    let threshold = (length / 3).max(1);
    let rank = |name: &str| {
        let name = name.to_lowercase();
        // `charge` is `riders.charge`: what it belongs to was left out.
        if length > 0 && name.rsplit_once('.').is_some_and(|(_, last)| last == wanted) {
            return Some((0, 0, false));
        }
        let distance = strsim::damerau_levenshtein(&wanted, &name);
        // A single letter is one edit from every other: something must be left of the word.
        if distance <= threshold && distance < length {
            let begins_otherwise = name.chars().next() != wanted.chars().next();
            return Some((0, distance, begins_otherwise));
        }
        let begins = length > 0 && name.starts_with(&wanted);
        let goes_on = name.chars().count() > 2 && wanted.starts_with(&name);
        (begins || goes_on).then_some((1, distance, false))
    };
    candidates
        .into_iter()
        .filter_map(|name| Some((rank(name)?, name)))
        .min_by_key(|(rank, _)| *rank)
        .map(|(_, name)| name.to_owned())
}

/// The hint for a name that is not known: "did you mean `x`?", or else the first dozen of what is known.
pub fn hint_for<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    hint(word, candidates.into_iter().collect())
}

fn hint(word: &str, candidates: Vec<&str>) -> String {
    let belongs = |name: &&str| {
        name.rsplit_once('.')
            .is_some_and(|(_, last)| last.eq_ignore_ascii_case(word))
    };
    let whose: Vec<&str> = candidates.iter().copied().filter(belongs).collect();
    if whose.len() > 1 && !candidates.contains(&word) {
        return format!("say whose: {}", listed(whose));
    }
    if let Some(near) = did_you_mean(word, candidates.iter().copied()) {
        return format!("did you mean `{near}`?");
    }
    if candidates.is_empty() {
        return "known: none".to_owned();
    }
    format!("known: {}", listed(candidates))
}

/// Names in sorted order, each once, with a count in place of what is too much.
pub fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: BTreeSet<&str> = names.into_iter().collect();
    lines::listed(&names.into_iter().collect::<Vec<_>>(), NAMES_IN_A_HINT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_slip_is_not_what_goes_on() {
        let hooks = ["worth", "arrives", "may_enter", "left"];
        assert_eq!(slip_of("arives", hooks), Some("arrives"));
        assert_eq!(slip_of("may_entre", hooks), Some("may_enter"));
        assert_eq!(slip_of("wort", hooks), Some("worth"));
        for other in ["worth_of", "left_over", "wo", "march"] {
            assert_eq!(slip_of(other, hooks), None, "{other}");
        }
    }

    #[test]
    fn the_nearest_name_is_offered() {
        assert_eq!(
            did_you_mean("lief", ["life", "leaf", "move"]),
            Some("life".to_owned())
        );
        assert_eq!(did_you_mean("LIFE", ["life"]), Some("life".to_owned()));
        assert_eq!(did_you_mean("unt", ["int", "unit"]), Some("unit".to_owned()));
        assert_eq!(did_you_mean("ax", ["ab", "aa"]), Some("aa".to_owned()));
        assert_eq!(
            did_you_mean("max", ["min", "max_rounds"]),
            Some("max_rounds".to_owned())
        );
        assert_eq!(
            did_you_mean("lifetimes", ["life", "move"]),
            Some("life".to_owned())
        );
    }

    #[test]
    fn no_name_is_offered_when_none_is_near() {
        assert_eq!(did_you_mean("move", ["life", "damage"]), None);
        assert_eq!(did_you_mean("a", ["b", "c"]), None);
        assert_eq!(did_you_mean("life", ["life"]), None);
        assert_eq!(did_you_mean("", ["a"]), None);
        assert_eq!(did_you_mean("life", []), None);
    }

    #[test]
    fn a_hint_offers_one_name_or_lists_a_dozen() {
        assert_eq!(hint_for("lief", ["move", "life"]), "did you mean `life`?");
        assert_eq!(hint_for("xyz", ["move", "life", "move"]), "known: life, move");
        assert_eq!(hint_for("xyz", []), "known: none");
        let many: Vec<String> = (10..24).map(|n| format!("n{n}")).collect();
        let hint = hint_for("xyz", many.iter().map(String::as_str));
        assert!(
            hint.starts_with("known: n10, n11,") && hint.ends_with("n21 and 2 more"),
            "{hint}"
        );
    }

    proptest! {
        #[test]
        fn names_of_any_kind_can_be_compared(word in ".{0,12}", names in proptest::collection::vec(".{0,12}", 0..5)) {
            hint_for(&word, names.iter().map(String::as_str));
        }
    }
}
