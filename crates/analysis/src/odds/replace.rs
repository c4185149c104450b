//! The same position with a unit of another type in one's place.

use super::problems::replaced_in_transcript;
use crate::description::SlotValue;
use crate::report::{Problems, hint_for};
use crate::stage::run::OpenedFile;
use crate::suite::problems::unknown_name;

/// Puts units of other types in units' places, and renames them wherever the scenario and further answers name them:
/// each pair is the unit as the scenario has it, and the type. Returns their new names.
///
/// # Errors
///
/// A unit that the scenario does not have, a type that the game does not have, a transcript: its
/// record is of the units that it has.
pub fn replace(
    opened: &mut OpenedFile,
    answers: &mut [String],
    units: &[(&str, &str)],
) -> Result<Vec<String>, Problems> {
    if opened.lines.is_some() && !units.is_empty() {
        return Err(replaced_in_transcript().into());
    }
    let file = &mut opened.file;
    let before = file.position.names();
    let mut places = Vec::new();
    for (unit, kind) in units {
        let found = before.iter().enumerate().find_map(|(faction, names)| {
            let at = names.iter().position(|name| name == unit)?;
            Some((faction, at))
        });
        let Some((faction, at)) = found else {
            let all = before.iter().flatten().map(String::as_str);
            return Err(unknown_name("unit", unit).hint(hint_for(unit, all)).into());
        };
        file.position.units[faction].1[at].value.kind.value = (*kind).to_owned();
        places.push((faction, at));
    }
    let after = file.position.names();
    let named = places
        .iter()
        .map(|&(faction, at)| after[faction][at].clone())
        .collect();
    let renamed: Vec<(String, String)> = before
        .into_iter()
        .flatten()
        .zip(after.into_iter().flatten())
        .filter(|(was, is)| was != is)
        .collect();
    let written = file.answers.iter_mut().chain(&mut file.expect);
    for text in written.map(|text| &mut text.value).chain(answers) {
        *text = with_names(text, &renamed);
    }
    let units = file.position.units.iter_mut();
    let units = units.flat_map(|(_, units)| units.iter_mut().map(|u| &mut u.value.slots));
    let slots = units
        .chain(file.position.slots.iter_mut().map(|(_, slots)| slots))
        .flatten();
    for (_, value) in slots {
        if let SlotValue::Word(word) = &mut value.value {
            *word = with_names(word, &renamed);
        }
    }
    Ok(named)
}

/// A text with names in it renamed, all at once; what only begins or ends like a name stays.
fn with_names(text: &str, renamed: &[(String, String)]) -> String {
    let inside = |c: char| c.is_alphanumeric() || c == '_' || c == '.' || c == '-';
    let mut out = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let word = rest.find(|c| !inside(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(word);
        // `red.scouts1.life` names a unit and one of its slots.
        let named = renamed.iter().find(|(was, _)| {
            word.strip_prefix(was.as_str())
                .is_some_and(|left| left.is_empty() || left.starts_with('.'))
        });
        match named {
            Some((was, is)) => {
                out.push_str(is);
                out.push_str(&word[was.len()..]);
            }
            None => out.push_str(word),
        }
        let gap = behind.find(inside).unwrap_or(behind.len());
        out.push_str(&behind[..gap]);
        rest = &behind[gap..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_renamed_whole_and_all_at_once() {
        let renamed = [("red.a1", "red.b2"), ("red.b2", "red.b3")];
        let renamed = renamed.map(|(was, is)| (was.to_owned(), is.to_owned()));
        let text = r#"red.a1 x: red.b2; unit("red.a1").life red.a11 red.a1.life xred.a1"#;
        assert_eq!(
            with_names(text, &renamed),
            r#"red.b2 x: red.b3; unit("red.b2").life red.a11 red.b2.life xred.a1"#
        );
    }
}
