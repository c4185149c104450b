//! Unit cards and a reference, made from a game's scripts alone: stats, phases, and the card text that `card()` returns.
//! Comments of scripts are for designers and are not printed.
//!
//! | part | |
//! |---|---|
//! | this module | what is on cards and reference |
//! | [`card`] | a unit or a unit type in a few lines |
//! | [`kit`] | the pieces that a game needs on the table |
//! | [`paper`] | pages to print: reference, cards, and pieces at true size |

pub mod card;
pub mod kit;
pub mod paper;

use crate::kernel::phase::{
    self, ActivatedUnits, EachKind, Filter, PhaseBody, TurnOrder, Turns, UnitMeasure,
};
use crate::kernel::rules::{Rules, Terrain};
use crate::lines::counted;
use crate::parse::Parsed;
use crate::rulebook::{ClauseKind, Rulebook};
use crate::rules::declare::DialRange;
use crate::rules::layers::ScriptOf;
use crate::rules::ruleset::Ruleset;
use serde::Serialize;

/// All that is told of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sheet {
    /// The game's name: its folder.
    pub game: String,
    /// Card text of the game, by paragraphs, without those that are named after a phase.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub text: Vec<String>,
    /// The variants that are on.
    pub variants: Vec<String>,
    /// The dials that are turned, as `NAME=VALUE`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub turned: Vec<String>,
    /// The numbers that every unit type has, in the order in which the game's script names them.
    pub stats: Vec<String>,
    /// The numbers that are 0 for every unit type; no card shows them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub zeros: Vec<String>,
    /// The unit types.
    pub cards: Vec<UnitCard>,
    /// The kinds of terrain.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub terrains: Vec<TerrainLine>,
    /// The phases, in their order.
    pub phases: Vec<PhaseLine>,
    /// Dials of the game itself; those of a unit or a terrain stand with it.
    pub dials: Vec<DialLine>,
    /// Lengths that are measured, on a tabletop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measures: Option<Measures>,
    /// The choices that the rulebook offers to players: its clauses of the kind `option`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
}

/// Lengths that are measured in a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Measures {
    /// Unit of length: the meaning of a length of 1.
    pub unit: String,
    /// Names and lengths, in thousandths of the unit; the shortest first.
    pub lengths: Vec<(String, i64)>,
}

/// A unit type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnitCard {
    /// Its name, spelled for people.
    pub name: String,
    /// Its symbol on the board.
    pub symbol: String,
    /// Card text, by paragraphs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub text: Vec<String>,
    /// Flags that are true.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// Its values of [`Sheet::stats`].
    pub stats: Vec<i64>,
    /// Its own numbers, by name; without those that are 0.
    pub own: Vec<(String, i64)>,
}

/// A kind of terrain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TerrainLine {
    /// Its name, spelled for people.
    pub name: String,
    /// Its symbol on the board.
    pub symbol: String,
    /// Card text, by paragraphs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub text: Vec<String>,
    /// Flags that are true.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// Its numbers, by name.
    pub own: Vec<(String, i64)>,
}

/// A phase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PhaseLine {
    /// Whether it is part of the set-up.
    pub setup: bool,
    /// Depth of the phase, from 0.
    pub depth: usize,
    /// Its name.
    pub name: String,
    /// Rules for playing the phase: the factions, the repetitions, and the secrets.
    pub how: String,
    /// The paragraphs of the game's card text that are named after the phase, without the name.
    pub text: String,
}

/// A dial.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DialLine {
    /// Its name.
    pub name: String,
    /// Current value.
    pub value: String,
    /// Range of values.
    pub range: String,
}

impl Sheet {
    /// Builds the sheet of a game from its scripts; with its rulebook, also the options of players.
    pub fn of(ruleset: &Ruleset, rulebook: Option<&Rulebook>) -> Self {
        let rules = &ruleset.rules;
        let texts = &ruleset.layers.texts;
        let game = texts.iter().find(|t| t.about.is_none() && t.name == "game");
        let game = game.map(|t| &*t.parsed);
        let everywhere = |stat: &usize| rules.types.iter().all(|t| t.stats[*stat].is_some());
        let common: Vec<usize> = as_written(rules, &[game])
            .into_iter()
            .filter(|&stat| !rules.flags[stat] && !is_unprinted(ruleset, stat))
            .filter(everywhere)
            .collect();
        let (zeros, shown): (Vec<usize>, Vec<usize>) = common
            .iter()
            .partition(|&&stat| rules.types.iter().all(|t| t.stats[stat] == Some(0)));
        let spoken = |stats: &[usize]| stats.iter().map(|&stat| words(&rules.stats[stat])).collect();
        let cards = rules.types.iter().map(|kind| {
            let script = script_of(ruleset, ScriptOf::Unit, &kind.name);
            let name = spelled(&kind.name);
            let order = as_written(rules, &[game, script]);
            let (flags, own) = printed_stats(ruleset, &kind.stats, &order);
            let own = own
                .into_iter()
                .filter(|(stat, n)| *n != 0 && !common.contains(stat));
            UnitCard {
                text: card_text(ruleset, ScriptOf::Unit, &kind.name),
                symbol: kind.symbol.clone(),
                flags,
                stats: shown.iter().filter_map(|i| kind.stats[*i]).collect(),
                own: own.map(|(stat, n)| (words(&rules.stats[stat]), n)).collect(),
                name,
            }
        });
        let kinds = rules.types.iter().map(|t| &t.name);
        let kinds: Vec<&String> = kinds.chain(rules.terrains.iter().map(|t| &t.name)).collect();
        let in_game = |name: &String| match name.split_once('.') {
            Some((of, _)) => !kinds.iter().any(|kind| *kind == of),
            None => true,
        };
        let dials = ruleset
            .dials
            .iter()
            .filter(|d| in_game(&d.name))
            .map(|d| DialLine {
                name: d.name.clone(),
                value: d.value.to_string(),
                range: match &d.range {
                    DialRange::Number(low, high) => format!("{low} to {high}"),
                    DialRange::Words(words) => words.join(", "),
                },
            });
        let (phases, text) = phases(ruleset);
        Self {
            game: rules.game.clone(),
            text,
            variants: ruleset
                .layers
                .texts
                .iter()
                .filter(|t| t.about.is_some())
                .map(|t| t.name.clone())
                .collect(),
            turned: ruleset
                .dials
                .iter()
                .filter(|d| d.value != d.default)
                .map(|d| format!("{}={}", d.name, d.value))
                .collect(),
            stats: spoken(&shown),
            zeros: spoken(&zeros),
            cards: cards.collect(),
            terrains: terrains(ruleset),
            phases,
            dials: dials.collect(),
            measures: rules.plane().map(|table| Measures {
                unit: table.unit.clone(),
                lengths: table.measures.clone(),
            }),
            options: rulebook.map_or_else(Vec::new, options),
        }
    }
}

impl Sheet {
    /// The variants that are on and the dials that are turned, as people read them.
    pub fn changes_told(&self) -> Vec<String> {
        let all = self.variants.iter().chain(&self.turned);
        all.map(|name| words(name).replace('-', " ")).collect()
    }

    /// The phases that players need: those with card text, or all of them where no phase has any.
    pub fn phases_told(&self) -> impl Iterator<Item = &PhaseLine> {
        let none = self.phases.iter().all(|phase| phase.text.is_empty());
        self.phases
            .iter()
            .filter(move |phase| none || !phase.text.is_empty())
    }
}

/// Flags, paragraphs, and numbers in brackets: `Human, infantry. Strikes first. (patience 7)`
pub fn described(flags: &[String], text: &[String], own: &[(String, i64)]) -> String {
    let flags = match flags {
        [] => String::new(),
        _ => format!("{}. ", capital(&flags.join(", "))),
    };
    let own = match own {
        [] => String::new(),
        _ => format!(" ({})", numbers(own)),
    };
    format!("{flags}{}{own}", text.join(" ")).trim().to_owned()
}

fn numbers(own: &[(String, i64)]) -> String {
    let own = own.iter().map(|(name, value)| format!("{name} {value}"));
    own.collect::<Vec<_>>().join(", ")
}

/// The script of a unit type or a kind of terrain.
fn script_of<'a>(ruleset: &'a Ruleset, of: ScriptOf, name: &str) -> Option<&'a Parsed> {
    let texts = &ruleset.layers.texts;
    let text = texts
        .iter()
        .find(|t| t.about.is_none() && t.of == of && t.name == name);
    text.map(|t| &*t.parsed)
}

fn card_text(ruleset: &Ruleset, of: ScriptOf, name: &str) -> Vec<String> {
    ruleset.cards.paragraphs(&ruleset.layers, of, name)
}

fn is_unprinted(ruleset: &Ruleset, stat: usize) -> bool {
    ruleset.cards.unprinted.contains(&ruleset.rules.stats[stat])
}

/// Splits a paragraph that begins with a name, as in `Charge: hits one opponent.`, into the name and the rest, which
/// begins with a capital. The name has at most four words; it is empty if there is none.
pub fn split_name(paragraph: &str) -> (&str, String) {
    match paragraph.split_once(": ") {
        Some((name, rest))
            if name.split(' ').count() <= 4 && name.starts_with(|c: char| c.is_uppercase()) =>
        {
            (name, capital(rest.trim()))
        }
        _ => ("", paragraph.to_owned()),
    }
}

fn terrains(ruleset: &Ruleset) -> Vec<TerrainLine> {
    let rules = &ruleset.rules;
    let line = |terrain: &Terrain| {
        let script = script_of(ruleset, ScriptOf::Terrain, &terrain.name);
        let (flags, own) = printed_stats(ruleset, &terrain.stats, &as_written(rules, &[script]));
        TerrainLine {
            name: spelled(&terrain.name),
            symbol: terrain.symbol.clone(),
            text: card_text(ruleset, ScriptOf::Terrain, &terrain.name),
            flags,
            own: own
                .into_iter()
                .map(|(stat, n)| (words(&rules.stats[stat]), n))
                .collect(),
        }
    };
    rules.terrains.iter().map(line).collect()
}

/// The stats, in the order in which the `stats()` of these scripts name them; those of none come last.
fn as_written(rules: &Rules, scripts: &[Option<&Parsed>]) -> Vec<usize> {
    let place = |script: &Parsed, stat: &str| {
        let text = &script.source.text[script.source.text.find("fn stats(")?..];
        let part = |c: char| c.is_alphanumeric() || c == '_';
        let key = |(at, _): &(usize, &str)| {
            let after = text[at + stat.len()..].trim_start_matches(['"', ' ']);
            !text[..*at].ends_with(part) && after.starts_with(':')
        };
        text.match_indices(stat).find(key).map(|(at, _)| at)
    };
    let mut order: Vec<usize> = (0..rules.stats.len()).collect();
    order.sort_by_key(|&stat| {
        let named = scripts.iter().enumerate();
        let mut named = named.filter_map(|(nth, script)| Some((nth, place((*script)?, &rules.stats[stat])?)));
        named.next().unwrap_or((usize::MAX, 0))
    });
    order
}

/// Returns the words of the flags among some stats, and the numbers among them.
fn printed_stats(
    ruleset: &Ruleset,
    stats: &[Option<i64>],
    order: &[usize],
) -> (Vec<String>, Vec<(usize, i64)>) {
    let rules = &ruleset.rules;
    let printed = order.iter().filter(|&&stat| !is_unprinted(ruleset, stat));
    let has = printed.filter_map(|&stat| Some((stat, stats[stat]?)));
    let (flags, numbers): (Vec<_>, Vec<_>) = has.partition(|(stat, _)| rules.flags[*stat]);
    let flags = flags.iter().filter(|(_, n)| *n == 1);
    (
        flags.map(|(stat, _)| words(&rules.stats[*stat])).collect(),
        numbers,
    )
}

/// A name in scripts as people read it.
fn words(name: &str) -> String {
    name.replace('_', " ")
}

/// A file's or a folder's name as people write it: `long_bows` and `long-bows` are `Long Bows`.
pub fn spelled(name: &str) -> String {
    name.split(['_', '-'])
        .filter(|part| !part.is_empty())
        .map(capital)
        .collect::<Vec<_>>()
        .join(" ")
}

pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// Describes the order in which factions take turns, in words.
fn taking_turns(rules: &Rules, turns: &Turns) -> Vec<String> {
    let named = |measure: UnitMeasure| match measure {
        UnitMeasure::Stat(stat) => words(&rules.stats[stat]),
        UnitMeasure::Unit(slot) => words(&rules.slots.unit[slot as usize].name),
        UnitMeasure::Faction(slot) => words(&rules.slots.faction[slot as usize].name),
    };
    let units = |n: u16| counted(n.into(), "unit");
    let mut parts = vec![match turns.quota {
        (u16::MAX, _) => "all its units".to_owned(),
        (least, most) if least == most => format!("{} a turn", units(most)),
        (least, most) => format!("{least} to {} a turn", units(most)),
    }];
    match turns.next {
        TurnOrder::Order => {}
        TurnOrder::Asked => parts.push("who is next is chosen".to_owned()),
        TurnOrder::Drawn => parts.push("who is next is drawn".to_owned()),
        TurnOrder::DrawnUnit => parts.push("which unit is next is drawn".to_owned()),
    }
    parts.extend(turns.initiative.map(|m| format!("most {} first", named(m))));
    parts.extend(turns.points.map(|m| match turns.cost {
        None => format!("for 1 of its {} each", named(m)),
        Some(cost) => format!("for as much of its {} as its {}", named(m), named(cost)),
    }));
    parts.extend(turns.pass.map(|_| "may pass".to_owned()));
    parts
}

/// Returns the phases, each with its paragraphs of the game's card text, and the other paragraphs.
fn phases(ruleset: &Ruleset) -> (Vec<PhaseLine>, Vec<String>) {
    fn walk(ruleset: &Ruleset, index: u8, lines: &mut Vec<PhaseLine>) {
        let rules = &ruleset.rules;
        let declared = &rules.phases[index as usize];
        // What keeps the books is nothing to do at the table.
        if declared.quiet {
            return;
        }
        let mut how: Vec<String> = Vec::new();
        let filtered = |filters: &[Filter]| -> Vec<String> {
            let zone = |z: u8| rules.board.zones[z as usize].name.replace('_', " ");
            let words = filters.iter().map(|filter| match filter {
                Filter::Free => "free".to_owned(),
                Filter::Engaged => "engaged".to_owned(),
                Filter::Contested => "contested".to_owned(),
                Filter::In(z) => format!("in its own {}", zone(*z)),
                Filter::InFoes(z) => format!("in the foe's {}", zone(*z)),
                Filter::Set(slot) => {
                    let slots = match declared.work {
                        PhaseBody::Each {
                            kind: EachKind::Place,
                            ..
                        } => &rules.slots.place,
                        PhaseBody::Each {
                            kind: EachKind::Faction,
                            ..
                        } => &rules.slots.faction,
                        _ => &rules.slots.unit,
                    };
                    slots[*slot as usize].name.replace('_', " ")
                }
            });
            words.collect()
        };
        let mut children = Vec::new();
        match &declared.work {
            PhaseBody::Sequence(inside) => children.clone_from(inside),
            PhaseBody::Each { kind, filters, .. } => {
                let each = match kind {
                    EachKind::Game => "once",
                    EachKind::Faction => "each faction",
                    EachKind::Place => "each place",
                    EachKind::Unit => "each unit",
                };
                let filters = filtered(filters);
                how.push([vec![each.to_owned()], filters].concat().join(", "));
            }
            PhaseBody::Turn {
                whose,
                filters,
                turns,
                ..
            } => {
                let who = match whose {
                    ActivatedUnits::Nth(nth) => format!("{} faction", phase::ORDINALS[*nth]),
                    ActivatedUnits::Each => "all factions".to_owned(),
                };
                let turns = match turns {
                    None => vec!["each of its units once".to_owned()],
                    Some(turns) => taking_turns(rules, turns),
                };
                how.push(format!(
                    "{who}: {}",
                    [turns, filtered(filters)].concat().join(", ")
                ));
            }
        }
        let asks = declared
            .interrupts
            .iter()
            .map(|i| spelled(&i.name).to_lowercase());
        let asks: Vec<String> = asks.collect();
        if !asks.is_empty() {
            how.push(format!("others may interrupt: {}", asks.join(", ")));
        }
        if declared.repeat {
            how.push("again and again".to_owned());
        }
        if declared.simultaneous {
            how.push("all at once".to_owned());
        }
        if declared.hidden {
            how.push("in secret".to_owned());
        }
        // The root is nobody's to name.
        if index > 0 {
            lines.push(PhaseLine {
                setup: phase::sets_up(&rules.phases, index),
                depth: phase::depth(&rules.phases, index).saturating_sub(1),
                name: declared.name.clone(),
                how: how.join("; "),
                text: String::new(),
            });
        }
        for child in children {
            walk(ruleset, child, lines);
        }
    }
    let mut lines = Vec::new();
    walk(ruleset, 0, &mut lines);
    let mut text = card_text(ruleset, ScriptOf::Game, "");
    text.retain(|paragraph| {
        let (name, rest) = split_name(paragraph);
        let line = lines.iter_mut().find(|line| line.name.eq_ignore_ascii_case(name));
        match line {
            Some(line) => line.text = format!("{} {rest}", line.text).trim().to_owned(),
            None => return true,
        }
        false
    });
    (lines, text)
}

/// Choices that the rulebook leaves to the players.
fn options(book: &Rulebook) -> Vec<String> {
    let options = book.clauses.iter().filter(|c| c.kind == ClauseKind::Option);
    options.map(|clause| clause.says.clone()).collect()
}
