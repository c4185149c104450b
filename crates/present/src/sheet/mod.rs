//! Unit cards and a reference, made from a game's scripts alone.
//!
//! What a unit can do is what its script says it is: the doc comments (`///`) of the functions that its
//! type defines anew, and of those whose comment opens with a name and a colon: its first paragraph, as
//! further ones are for designers. Nothing is written twice.
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

use crate::kernel::ids::HookId;
use crate::kernel::phase::{
    self, ActivatedUnits, EachKind, Filter, PhaseBody, TurnOrder, Turns, UnitMeasure,
};
use crate::kernel::rules::{Rules, Terrain};
use crate::lines::counted;
use crate::parse::Parsed;
use crate::rulebook::Rulebook;
use crate::rules::declare::DialRange;
use crate::rules::keys;
use crate::rules::layers::ScriptOf;
use crate::rules::ruleset::Ruleset;
use serde::Serialize;

/// All that is told of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sheet {
    /// The game's name: its folder.
    pub game: String,
    /// Opening comment of the game's script.
    pub opening: String,
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
    /// The clauses that the scripts name, with what they say.
    pub clauses: Vec<(String, String)>,
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
    /// Opening comment of its script, without its name.
    pub opening: String,
    /// Flags that are true.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// Its values of [`Sheet::stats`].
    pub stats: Vec<i64>,
    /// Its own numbers, by name; without those that are 0.
    pub own: Vec<(String, i64)>,
    /// Abilities.
    pub abilities: Vec<Ability>,
}

/// Something that a unit type can do, or that is different about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ability {
    /// Its name; empty where its comment has none.
    pub name: String,
    /// Description of the ability.
    pub text: String,
    /// The function, by its name in the script.
    pub function: String,
}

impl Ability {
    /// The ability in one line: `Trample: kills the weak.`
    pub fn line(&self) -> String {
        match self.name.as_str() {
            "" => self.text.clone(),
            name => format!("{name}: {}", self.text),
        }
    }
}

/// A kind of terrain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TerrainLine {
    /// Its name, spelled for people.
    pub name: String,
    /// Its symbol on the board.
    pub symbol: String,
    /// Opening comment of its script, without its name, and the changes that it makes.
    pub text: String,
    /// Flags that are true.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// Its numbers, by name.
    pub own: Vec<(String, i64)>,
}

/// A phase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PhaseLine {
    /// Depth of the phase, from 0.
    pub depth: usize,
    /// Its name.
    pub name: String,
    /// Rules for playing the phase: the factions, the repetitions, and the secrets.
    pub how: String,
    /// Description of its step: the comment of the game's function.
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
    /// Builds the sheet of a game from its scripts; with its rulebook, also from the clauses that the scripts name.
    pub fn of(ruleset: &Ruleset, rulebook: Option<&Rulebook>) -> Self {
        let rules = &ruleset.rules;
        let texts = &ruleset.layers.texts;
        let game = texts.iter().find(|t| t.about.is_none() && t.name == "game");
        let game = game.map(|t| &*t.parsed);
        let everywhere = |stat: &usize| rules.types.iter().all(|t| t.stats[*stat].is_some());
        let common: Vec<usize> = as_written(rules, &[game])
            .into_iter()
            .filter(|&stat| !rules.flags[stat])
            .filter(everywhere)
            .collect();
        let (zeros, shown): (Vec<usize>, Vec<usize>) = common
            .iter()
            .partition(|&&stat| rules.types.iter().all(|t| t.stats[stat] == Some(0)));
        let spoken = |stats: &[usize]| stats.iter().map(|&stat| words(&rules.stats[stat])).collect();
        let cards = rules.types.iter().map(|kind| {
            let script = script_of(ruleset, ScriptOf::Unit, &kind.name);
            let name = spelled(&kind.name);
            let opening = script.map_or_else(String::new, opening);
            let order = as_written(rules, &[game, script]);
            let (flags, own) = described(rules, &kind.stats, &order);
            let own = own
                .into_iter()
                .filter(|(stat, n)| *n != 0 && !common.contains(stat));
            UnitCard {
                opening: without_name(&opening, &name),
                symbol: kind.symbol.clone(),
                flags,
                stats: shown.iter().filter_map(|i| kind.stats[*i]).collect(),
                own: own.map(|(stat, n)| (words(&rules.stats[stat]), n)).collect(),
                abilities: script.map_or_else(Vec::new, |s| abilities(s, game)),
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
        let own_texts = texts.iter().map(|t| t.parsed.source.text.as_str());
        Self {
            game: rules.game.clone(),
            opening: game.map_or_else(String::new, opening),
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
            terrains: terrains(ruleset, game),
            phases: phases(ruleset, game),
            dials: dials.collect(),
            measures: rules.plane().map(|table| Measures {
                unit: table.unit.clone(),
                lengths: table.measures.clone(),
            }),
            clauses: rulebook.map_or_else(Vec::new, |book| clauses(book, own_texts)),
        }
    }
}

/// The script of a unit type or a kind of terrain.
fn script_of<'a>(ruleset: &'a Ruleset, of: ScriptOf, name: &str) -> Option<&'a Parsed> {
    let texts = &ruleset.layers.texts;
    let text = texts
        .iter()
        .find(|t| t.about.is_none() && t.of == of && t.name == name);
    text.map(|t| &*t.parsed)
}

fn terrains(ruleset: &Ruleset, game: Option<&Parsed>) -> Vec<TerrainLine> {
    let rules = &ruleset.rules;
    let line = |terrain: &Terrain| {
        let name = spelled(&terrain.name);
        let script = script_of(ruleset, ScriptOf::Terrain, &terrain.name);
        let mut text = script.map_or_else(String::new, |s| without_name(&opening(s), &name));
        for ability in script.map_or_else(Vec::new, |s| abilities(s, game)) {
            text = format!("{text} {}", ability.line()).trim().to_owned();
        }
        let (flags, own) = described(rules, &terrain.stats, &as_written(rules, &[script]));
        TerrainLine {
            symbol: terrain.symbol.clone(),
            text,
            flags,
            own: own
                .into_iter()
                .map(|(stat, n)| (words(&rules.stats[stat]), n))
                .collect(),
            name,
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
fn described(rules: &Rules, stats: &[Option<i64>], order: &[usize]) -> (Vec<String>, Vec<(usize, i64)>) {
    let has = order.iter().filter_map(|&stat| Some((stat, stats[stat]?)));
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
fn spelled(name: &str) -> String {
    name.split(['_', '-']).map(capital).collect::<Vec<_>>().join(" ")
}

/// The comment at the top of a script, as one paragraph.
fn opening(script: &Parsed) -> String {
    let lines = script.source.text.lines().skip_while(|l| l.trim().is_empty());
    let comment = lines.map_while(|line| line.trim().strip_prefix("//").filter(|l| !l.starts_with('/')));
    let words: Vec<&str> = comment.flat_map(str::split_whitespace).collect();
    words.join(" ")
}

/// A sentence without the name that it begins with, as in `Scouts: they run.`
fn without_name(text: &str, name: &str) -> String {
    let rest = text
        .get(..name.len())
        .filter(|head| head.eq_ignore_ascii_case(name));
    let rest = rest.and_then(|_| text[name.len()..].strip_prefix(':'));
    capital(rest.unwrap_or(text).trim())
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// Returns the part for players of the doc comment on the script's own function of that name: its first paragraph. What
/// follows an empty line is for designers. Empty without a comment.
fn doc(script: &Parsed, function: &str) -> String {
    let Some(found) = script.fns.iter().find(|f| f.of.is_none() && f.name == function) else {
        return String::new();
    };
    let lines: Vec<&str> = script.source.text.lines().collect();
    let before = &lines[..(found.at.0.saturating_sub(1)).min(lines.len())];
    let comment = before.iter().rev().map_while(|l| l.trim().strip_prefix("///"));
    let mut comment: Vec<&str> = comment.collect();
    comment.reverse();
    let first = comment.into_iter().take_while(|line| !line.trim().is_empty());
    let words: Vec<&str> = first.flat_map(str::split_whitespace).collect();
    words.join(" ")
}

/// Returns the abilities in the comments of a unit type's functions: of functions that the game has too, of hooks, and
/// of functions whose comment has a name.
fn abilities(script: &Parsed, game: Option<&Parsed>) -> Vec<Ability> {
    let of_game = |name: &str| game.is_some_and(|g| g.fns.iter().any(|f| f.name == name));
    let is_hook = |name: &str| keys::hooks().any(|hook| hook.name == name);
    let mut abilities = Vec::new();
    for function in &script.fns {
        let text = doc(script, &function.name);
        let (name, text) = match text.split_once(": ") {
            // A few words with a capital are a name; more are a sentence.
            Some((name, rest))
                if name.split(' ').count() <= 4 && name.starts_with(|c: char| c.is_uppercase()) =>
            {
                (name.to_owned(), capital(rest))
            }
            _ => (String::new(), text),
        };
        if !text.is_empty() && (!name.is_empty() || of_game(&function.name) || is_hook(&function.name)) {
            abilities.push(Ability {
                name,
                text,
                function: function.name.clone(),
            });
        }
    }
    abilities
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

fn phases(ruleset: &Ruleset, game: Option<&Parsed>) -> Vec<PhaseLine> {
    fn walk(ruleset: &Ruleset, game: Option<&Parsed>, index: u8, lines: &mut Vec<PhaseLine>) {
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
        let text = |hook: HookId| {
            let name = ruleset.hook_name(hook);
            game.map_or_else(String::new, |g| doc(g, &name))
        };
        let (mut says, mut children) = (String::new(), Vec::new());
        match &declared.work {
            PhaseBody::Sequence(inside) => children.clone_from(inside),
            PhaseBody::Each {
                kind, filters, hook, ..
            } => {
                let each = match kind {
                    EachKind::Game => "once",
                    EachKind::Faction => "each faction",
                    EachKind::Place => "each place",
                    EachKind::Unit => "each unit",
                };
                let filters = filtered(filters);
                how.push([vec![each.to_owned()], filters].concat().join(", "));
                says = text(*hook);
            }
            PhaseBody::Turn {
                whose,
                filters,
                hook,
                turns,
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
                says = text(*hook);
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
                depth: phase::depth(&rules.phases, index).saturating_sub(1),
                name: declared.name.clone(),
                how: how.join("; "),
                text: says,
            });
        }
        for child in children {
            walk(ruleset, game, child, lines);
        }
    }
    let mut lines = Vec::new();
    walk(ruleset, game, 0, &mut lines);
    lines
}

/// The clauses that any of the texts names by their id.
fn clauses<'t>(book: &Rulebook, texts: impl Iterator<Item = &'t str>) -> Vec<(String, String)> {
    let texts: Vec<&str> = texts.collect();
    let named = |id: &str| {
        texts.iter().any(|text| {
            text.match_indices(id).any(|(at, _)| {
                let after = text[at + id.len()..].chars().next();
                !after.is_some_and(|c| c.is_alphanumeric())
            })
        })
    };
    let all = book.clauses.iter().filter(|c| named(&c.id));
    all.map(|c| (c.id.clone(), c.says.clone())).collect()
}
