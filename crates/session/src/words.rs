//! The meaning of a word in the game on the table and in the language of its rules, for `:help`: what the reference,
//! which knows no game, does not have.

use crate::lexer::KEYWORDS;
use crate::reports::ReportPart;
use crate::rhai_differences::TRY;
use crate::session::Session;

/// Keywords of scripts that are no statements of the reference, with their meaning.
const SAY: [(&str, &str); 8] = [
    ("catch", TRY.what),
    (
        "else",
        "`if CONDITION { ... } else { ... }` runs the second block where it is false; see `:help if`, too",
    ),
    ("false", "what is not so; the other is `true`"),
    (
        "in",
        "`x in LIST` is true where the list has it; see `:help for`, too",
    ),
    (
        "private",
        "`private fn name() { ... }` is a function like any other",
    ),
    ("true", "what is so; the other is `false`"),
    ("try", TRY.what),
    (
        "until",
        "`do { ... } until CONDITION;` runs the block until that is true; see `:help do`, too",
    ),
];

impl Session {
    /// Returns the entries of the language and the game with this name, a line or more each.
    pub(crate) fn words_called(&self, name: &str) -> Vec<ReportPart> {
        let ruleset = self.play.ruleset();
        let (rules, game) = (&ruleset.rules, self.game());
        let mut found: Vec<String> = Vec::new();
        let keyword = SAY.iter().find(|(word, _)| *word == name);
        found.extend(keyword.map(|(word, says)| format!("{word}\nword of scripts: {says}")));
        found.extend(ruleset.dials.iter().filter(|dial| dial.name == name).map(|dial| {
            let (value, declared) = (&dial.value, &dial.default);
            let turned = match value == declared {
                true => String::new(),
                false => format!(", not {declared}"),
            };
            let range = &dial.range;
            format!("{name}={value}{turned}\ndial of {game}: {range}; `:set {name}=VALUE` turns it")
        }));
        let kinds = [
            (rules.unit_type(name).is_some(), "unit type", "`:card` shows it"),
            (
                rules.terrain(name).is_some(),
                "kind of terrain",
                "`:card PLACE` tells what it does",
            ),
            (
                rules.faction(name).is_some(),
                "faction",
                "`:units` lists what it has",
            ),
            (
                rules.phases.iter().skip(1).any(|phase| phase.name == name),
                "phase",
                "`:auto` and `:back` can go there",
            ),
            (
                rules.board.place(name).is_some(),
                "place",
                "`:card` tells what is there",
            ),
        ];
        let kinds = kinds.into_iter().filter(|(is, ..)| *is);
        found.extend(kinds.map(|(_, what, more)| format!("{name}\n{what} of {game}: {more}")));
        let slots = &rules.slots;
        let slots = [
            (&slots.unit, "units"),
            (&slots.faction, "factions"),
            (&slots.place, "places"),
            (&slots.game, "the game"),
        ];
        let slots = slots
            .into_iter()
            .filter(|(all, _)| all.iter().any(|slot| slot.name == name));
        found
            .extend(slots.map(|(_, whose)| format!("{name}\nslot of {whose} in {game}: `:edit` can set it")));
        let variants = self.tweak_rows().unwrap_or_default();
        let variants = variants.into_iter().filter(|[variant, ..]| variant == name);
        found.extend(variants.map(|[_, on, state, about]| {
            let turn = if on == "on" { "without" } else { "with" };
            format!("{name}  {about}\nvariant of {game}, {on} ({state}): `:{turn} {name}`")
        }));
        for function in ruleset.functions().iter().filter(|f| f.name == name) {
            let source = &ruleset.layers.texts[function.text].parsed.source;
            let above: Vec<&str> = source
                .text
                .lines()
                .take(function.at.0.saturating_sub(1))
                .collect();
            let comments = above.iter().rev().map_while(|line| line.strip_prefix("//"));
            let mut comments: Vec<&str> = comments.map(|c| c.trim_start_matches('/').trim()).collect();
            comments.reverse();
            let (params, file, line) = (function.params.join(", "), &source.name, function.at.0);
            let about = comments.join("\n");
            let text = format!("{name}({params})\nfunction of {game}, {file}:{line}\n{about}");
            found.push(text.trim_end().to_owned());
        }
        found.into_iter().map(ReportPart::from).collect()
    }

    /// Returns the words that [`Self::words_called`] explains.
    pub(crate) fn words_told(&self) -> Vec<String> {
        let ruleset = self.play.ruleset();
        let words = KEYWORDS.iter().map(|word| (*word).to_owned());
        let dials = ruleset.dials.iter().map(|dial| dial.name.clone());
        let functions = ruleset.functions().iter().map(|f| f.name.clone());
        let types = ruleset.rules.types.iter().map(|t| t.name.clone());
        words.chain(dials).chain(functions).chain(types).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::{self, ArticleKind};

    #[test]
    fn every_word_of_scripts_is_told_once() {
        for word in KEYWORDS {
            let here = SAY.iter().filter(|(name, _)| *name == word).count();
            let there = reference::find(word)
                .iter()
                .filter(|e| e.sort == ArticleKind::Statement)
                .count();
            assert_eq!(here + there, 1, "{word}");
        }
    }
}
