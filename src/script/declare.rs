//! Declared data: what a game's `dials`, `stats`, `slots`, `board` and `phases` return, checked
//! and turned into the kernel's [`Rules`].

use super::keys::{self, Key};
use super::run::value::{Map, View};
use crate::kernel::board::{Board, Zone};
use crate::kernel::ground::arena;
use crate::kernel::ground::grid::{Cell, Grid, Lines, MAX_RADIUS};
use crate::kernel::ground::plane::Shape;
use crate::kernel::ids::{HookId, MAX_FACTIONS, MAX_PLACES, PlaceId, PlaceSet, TerrainId};
use crate::kernel::phase::{
    self, EachKind, Filter, Following, Interrupt, MAX_DEPTH, MAX_REPEATS, Measure, ORDINALS, Pass, Phase,
    Trigger, Turns, Whose, Work,
};
use crate::kernel::region::MAX_SIDE;
use crate::kernel::rules::{Relation, Schema, Slot, SlotKind, Tabletop, Terrain};
use crate::kernel::spot::{Point, UNIT, length_text};
use crate::report::{Problem, Problems, Source, hint_for};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// A declared list.
pub type Array = Vec<View>;

/// A number or word that users may turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dial {
    /// Its full name, such as `scouts.life` or `max_rounds`.
    pub name: String,
    /// What it can be.
    pub range: DialRange,
    /// What the scripts declare.
    pub default: DialValue,
    /// What it is set to.
    pub value: DialValue,
}

/// What a dial can be set to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DialRange {
    /// A whole number from the first to the second, both included.
    Number(i64, i64),
    /// One of these words.
    Words(Vec<String>),
}

/// What a dial is set to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DialValue {
    /// A number.
    Number(i64),
    /// A word.
    Word(String),
}

/// What is said of a table top, and of nothing else.
pub const TABLETOP_KEYS: [&str; 7] = [
    "unit",
    "hair",
    "bases",
    "pieces",
    "candidates",
    "ranges",
    "measures",
];

impl DialValue {
    /// A dial's value as users write it: a number, or a word.
    pub fn read(text: &str) -> Self {
        match text.parse() {
            Ok(n) => DialValue::Number(n),
            Err(_) => DialValue::Word(text.to_owned()),
        }
    }
}

impl std::fmt::Display for DialValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DialValue::Number(n) => write!(f, "{n}"),
            DialValue::Word(w) => f.write_str(w),
        }
    }
}

impl Dial {
    /// Sets the dial from what a user wrote.
    ///
    /// # Errors
    ///
    /// A sentence that says what the dial can be.
    pub fn set(&mut self, value: &DialValue) -> Result<(), String> {
        let fits = match (&self.range, value) {
            (DialRange::Number(low, high), DialValue::Number(n)) => (low..=high).contains(&n),
            (DialRange::Words(words), DialValue::Word(w)) => words.contains(w),
            _ => false,
        };
        if !fits {
            return Err(format!("`{}` cannot be {value}: {}", self.name, self.range));
        }
        self.value = value.clone();
        Ok(())
    }
}

impl std::fmt::Display for DialRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DialRange::Number(low, high) => write!(f, "a whole number from {low} to {high}"),
            DialRange::Words(words) => write!(f, "one of {}", words.join(", ")),
        }
    }
}

/// What a variant says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    /// The note that it comes from: the comment at the head of its file.
    pub note: String,
    /// The clause of the rulebook that it is about.
    pub clause: Option<String>,
    /// Which other reading of that clause, from 1.
    pub reading: Option<usize>,
    /// Variants that lie below it when they are on.
    pub after: Vec<String>,
    /// Variants that must be on.
    pub requires: Vec<String>,
    /// Variants that must not be on.
    pub conflicts: Vec<String>,
    /// Variants whose functions it may hide.
    pub overrides: Vec<String>,
}

/// The range of a stat as a dial.
const STAT_RANGE: (i64, i64) = (0, 99);

/// A list of phases with one of them taken out; returns both.
fn taken_out(mut list: Array, name: &str) -> Result<(View, Array), String> {
    let mut taken = View::Nothing;
    if at_phase(&mut list, name, &mut |list, index| taken = list.remove(index)) {
        Ok((taken, list))
    } else {
        Err(no_phase(&list, name))
    }
}

/// A list of phases with one of that name left out.
///
/// # Errors
///
/// There is none of that name.
pub fn without_phase(list: Array, name: &str) -> Result<Array, String> {
    Ok(taken_out(list, name)?.1)
}

/// A list of phases with one of them put before another (0) or behind it (1).
///
/// # Errors
///
/// There is none of one of the names.
pub fn moved_phase(list: Array, name: &str, other: &str, behind: usize) -> Result<Array, String> {
    let (phase, list) = taken_out(list, name)?;
    put_beside(list, phase, other, behind)
}

/// A list of phases with a new one before another (0) or behind it (1).
///
/// # Errors
///
/// There is none of that name.
pub fn put_beside(mut list: Array, phase: View, other: &str, behind: usize) -> Result<Array, String> {
    let put = &mut |list: &mut Array, index: usize| list.insert(index + behind, phase.clone());
    if at_phase(&mut list, other, put) {
        Ok(list)
    } else {
        Err(no_phase(&list, other))
    }
}

/// A list of phases with keys of one of them changed.
///
/// # Errors
///
/// There is none of that name.
pub fn phase_with(mut list: Array, name: &str, changes: &Map) -> Result<Array, String> {
    let found = at_phase(&mut list, name, &mut |list, index| {
        if let View::Map(phase) = &mut list[index] {
            phase.extend(changes.clone());
            // What is nothing is not said any more.
            phase.retain(|_, value| *value != View::Nothing);
        }
    });
    if found {
        Ok(list)
    } else {
        Err(no_phase(&list, name))
    }
}

/// Does something at the first phase of that name, in the list that holds it; false when none has it.
fn at_phase(list: &mut Array, name: &str, act: &mut dyn FnMut(&mut Array, usize)) -> bool {
    for index in 0..list.len() {
        let View::Map(phase) = &mut list[index] else {
            continue;
        };
        if phase.get("phase").and_then(View::as_text) == Some(name) {
            act(list, index);
            return true;
        }
        if let Some(View::List(inner)) = phase.get_mut("phases")
            && at_phase(inner, name, act)
        {
            return true;
        }
    }
    false
}

fn no_phase(list: &Array, name: &str) -> String {
    fn collect(list: &Array, names: &mut Vec<String>) {
        for phase in list.iter().filter_map(View::as_map) {
            names.extend(phase.get("phase").and_then(View::as_text).map(str::to_owned));
            if let Some(View::List(inner)) = phase.get("phases") {
                collect(inner, names);
            }
        }
    }
    let mut names = Vec::new();
    collect(list, &mut names);
    let hint = hint_for(name, names.iter().map(String::as_str));
    format!("there is no phase `{name}`; {hint}")
}

/// Reads declared maps and collects what is wrong with them, at the place where it is written.
pub struct Reader<'a> {
    /// The layers of the function, outermost first: each text and where the function's name stands.
    layers: Vec<(Rc<Source>, Range<usize>)>,
    function: &'a str,
    /// What was wrong.
    pub problems: Vec<Problem>,
}

impl<'a> Reader<'a> {
    /// A reader of what a function returned, from its layers' texts and where its name stands in
    /// each, outermost first.
    pub fn new(layers: Vec<(Rc<Source>, Range<usize>)>, function: &'a str) -> Self {
        Self {
            layers,
            function,
            problems: Vec::new(),
        }
    }

    /// Notes a problem at the first mention of `word` after the function's name, in the outermost
    /// layer that has it.
    pub fn problem(&mut self, word: &str, message: impl Into<String>, hint: Option<String>) {
        let mention = |(source, name): &(Rc<Source>, Range<usize>)| {
            let at = name.start + find_word(&source.text[name.start..], word)?;
            Some((Rc::clone(source), at..at + word.len()))
        };
        let found = self.layers.iter().find_map(mention);
        let mut problem = Problem::new(message);
        if let Some((source, span)) = found.or_else(|| self.layers.first().cloned()) {
            problem = problem.at(&source, span);
        }
        if let Some(hint) = hint {
            problem = problem.hint(hint);
        }
        self.problems.push(problem);
    }

    fn map(&mut self, word: &str, value: View, what: &str) -> Map {
        let given = value.kind().told();
        match value {
            View::Map(map) => map,
            _ => {
                let why = format!("{what} must be a map `#{{ ... }}`, not {given}");
                self.problem(word, why, None);
                Map::new()
            }
        }
    }

    fn keys(&mut self, map: &Map, known: &[Key], what: &str) {
        for key in map.keys() {
            if !keys::names(known).any(|name| name == key) {
                self.problem(
                    key,
                    format!("{what} has no `{key}`"),
                    Some(hint_for(key, keys::names(known))),
                );
            }
        }
    }

    fn flag(&mut self, map: &Map, key: &str) -> bool {
        match map.get(key) {
            None => false,
            Some(value) => value.as_bool().unwrap_or_else(|| {
                self.problem(key, format!("`{key}` must be true or false"), None);
                false
            }),
        }
    }

    fn text(&mut self, map: &Map, key: &str) -> Option<String> {
        let value = map.get(key)?;
        match value {
            View::Text(text) => Some(text.clone()),
            _ => {
                self.problem(key, format!("`{key}` must be a text in quotes"), None);
                None
            }
        }
    }

    fn list(&mut self, map: &Map, key: &str) -> Option<Array> {
        let value = map.get(key)?;
        match value {
            View::List(list) => Some(list.clone()),
            _ => {
                self.problem(key, format!("`{key}` must be a list `[ ... ]`"), None);
                None
            }
        }
    }

    fn texts(&mut self, map: &Map, key: &str) -> Vec<String> {
        let list = self.list(map, key).unwrap_or_default();
        let texts: Vec<String> = list
            .iter()
            .filter_map(|v| v.as_text().map(str::to_owned))
            .collect();
        if texts.len() != list.len() {
            self.problem(key, format!("`{key}` must be a list of texts in quotes"), None);
        }
        texts
    }

    /// What a variant says of itself; `note` is the comment at its head.
    pub fn about(&mut self, map: &Map, note: String) -> About {
        self.keys(map, keys::VARIANT, "variant()");
        let reading = map.get("reading").map(|v| v.as_int().unwrap_or(0));
        let reading = reading.and_then(|n| {
            let reading = usize::try_from(n).ok().filter(|n| *n > 0);
            if reading.is_none() {
                self.problem(
                    "reading",
                    "`reading` counts the other readings of a clause from 1",
                    None,
                );
            }
            reading
        });
        About {
            note,
            clause: self.text(map, "clause"),
            reading,
            after: self.texts(map, "after"),
            requires: self.texts(map, "requires"),
            conflicts: self.texts(map, "conflicts"),
            overrides: self.texts(map, "overrides"),
        }
    }

    /// The dials of a script; `prefix` is put before their names.
    pub fn dials(&mut self, value: View, prefix: &str) -> Vec<Dial> {
        let map = self.map(self.function, value, "dials()");
        let mut dials = Vec::new();
        for (key, value) in map {
            let name = format!("{prefix}{key}");
            if let Some(n) = value.as_int() {
                dials.push(number_dial(name, n, STAT_RANGE));
                continue;
            }
            let form = match value {
                View::Map(form) => form,
                _ => Map::new(),
            };
            let int = |key: &str| form.get(key).and_then(View::as_int);
            let start = form.get("start").and_then(View::as_text).map(str::to_owned);
            let words = form.get("words").and_then(View::as_list);
            if let (Some(n), Some(low), Some(high)) = (int("start"), int("low"), int("high")) {
                if !(low..=high).contains(&n) {
                    self.problem(
                        &key,
                        format!("`{key}` starts at {n}, outside {low} to {high}"),
                        None,
                    );
                }
                dials.push(number_dial(name, n, (low, high)));
            } else if let (Some(start), Some(words)) = (start, words) {
                let words: Vec<String> = words
                    .iter()
                    .filter_map(|w| w.as_text().map(str::to_owned))
                    .collect();
                if !words.contains(&start) {
                    self.problem(
                        &key,
                        format!("`{key}` starts as `{start}`, which is none of its words"),
                        None,
                    );
                }
                dials.push(Dial {
                    name,
                    range: DialRange::Words(words),
                    default: DialValue::Word(start.clone()),
                    value: DialValue::Word(start),
                });
            } else {
                self.problem(
                    &key,
                    format!("`{key}` is no dial"),
                    Some("a dial is a number, number(start, low, high) or one_of(start, [words])".into()),
                );
            }
        }
        dials
    }

    /// The stats of a script: numbers by name, its symbol and its colour.
    pub fn stats(&mut self, value: View) -> StatsDeclared {
        let map = self.map(self.function, value, "stats()");
        let mut numbers = Vec::new();
        let mut flags = Vec::new();
        let mut symbol = None;
        let mut colour = None;
        for (key, value) in map {
            if key == "symbol" {
                match value {
                    View::Text(text) if (1..=2).contains(&text.chars().count()) => symbol = Some(text),
                    _ => self.problem("symbol", "a symbol is one or two letters in quotes", None),
                }
            } else if key == "colour" {
                let hex = |t: &String| {
                    let digits = t.strip_prefix('#').unwrap_or_default();
                    digits.len() == 6 && digits.chars().all(|c| c.is_ascii_hexdigit())
                };
                match value {
                    View::Text(text) if hex(&text) => colour = Some(text),
                    _ => self.problem(
                        "colour",
                        "a colour is written as red, green and blue: \"#8fbf6a\"",
                        None,
                    ),
                }
            } else if let Some(flag) = value.as_bool() {
                numbers.push((key.to_string(), flag.into()));
                flags.push(key.to_string());
            } else if let Some(n) = value.as_int() {
                numbers.push((key.to_string(), n));
            } else {
                self.problem(
                    &key,
                    format!("the stat `{key}` must be a whole number, true or false"),
                    Some("what changes in play is a slot, declared in `slots()`".into()),
                );
            }
        }
        StatsDeclared {
            numbers,
            flags,
            symbol,
            colour,
        }
    }

    /// The slots of the game.
    pub fn slots(
        &mut self,
        value: View,
        stats: &[String],
        grid: Grid,
        hook: &dyn Fn(&str) -> Option<HookId>,
        hooks: &[String],
    ) -> Schema {
        let map = self.map(self.function, value, "slots()");
        self.keys(&map, keys::SLOTS, "slots()");
        let mut schema = Schema::default();
        for (kind, target) in [
            ("game", &mut schema.game),
            ("faction", &mut schema.faction),
            ("place", &mut schema.place),
            ("unit", &mut schema.unit),
        ] {
            let Some(value) = map.get(kind) else { continue };
            for (name, value) in self.map(kind, value.clone(), kind) {
                let stats = if kind == "unit" { stats } else { &[] };
                let slot = self.slot(&name, value, stats, grid, hook, hooks);
                if slot.hit.is_some() && (kind != "unit" || slot.kind != SlotKind::Number) {
                    let why = "a hit takes from a number of a unit";
                    let hint = "unit: #{ life: #{ start: 3, hit: true } }";
                    self.problem(&name, why, Some(hint.into()));
                }
                target.push(slot);
            }
        }
        let mut hits = schema.unit.iter().filter(|slot| slot.hit == Some(true));
        if let (Some(one), Some(other)) = (hits.next(), hits.next()) {
            let why = format!("hits cannot take from both `{}` and `{}`", one.name, other.name);
            let hint = "leave `hit` out of one of them; `add` takes from any slot";
            self.problem(&other.name, why, Some(hint.into()));
        }
        schema
    }

    fn slot(
        &mut self,
        name: &str,
        value: View,
        stats: &[String],
        grid: Grid,
        hook: &dyn Fn(&str) -> Option<HookId>,
        hooks: &[String],
    ) -> Slot {
        let form = match value {
            View::Map(form) => form,
            value => [("start".to_owned(), value)].into(),
        };
        self.keys(&form, keys::SLOT, "a slot");
        if name.contains(char::is_control) {
            self.problem(name, "a slot's name is one line", None);
        }
        let holds = self.text(&form, "holds");
        let kind = match (holds.as_deref(), form.get("start")) {
            (Some("unit"), _) => SlotKind::Unit,
            (Some("place"), _) => SlotKind::Place,
            (Some("faction"), _) => SlotKind::Faction,
            (Some("dice"), _) => SlotKind::Dice,
            (Some("direction"), _) => SlotKind::Direction,
            (Some(other), _) => {
                let hint = hint_for(other, ["unit", "place", "faction", "direction", "dice"]);
                self.problem(other, format!("a slot cannot hold `{other}`"), Some(hint));
                SlotKind::Number
            }
            (None, Some(View::Bool(_))) => SlotKind::Flag,
            _ => SlotKind::Number,
        };
        let nothing = match kind {
            SlotKind::Dice => 0,
            _ => crate::kernel::rules::NOTHING,
        };
        let start = match form.get("start") {
            Some(start) if kind == SlotKind::Direction => self.direction(name, start, grid),
            Some(_) if holds.is_some() => {
                self.problem(
                    name,
                    format!("the slot `{name}` holds a thing and starts with nothing"),
                    Some("leave `start` out".into()),
                );
                nothing
            }
            Some(View::Int(n)) => *n,
            Some(View::Bool(it)) => i64::from(*it),
            None if holds.is_some() => nothing,
            _ => {
                self.problem(
                    name,
                    format!("the slot `{name}` needs a starting value"),
                    Some(
                        "a number, true or false, or holds: \"unit\", \"place\", \"faction\", \"direction\" or \"dice\""
                            .into(),
                    ),
                );
                0
            }
        };
        let [at_zero, falls, rises] = ["at_zero", "falls", "rises"].map(|key| {
            let f = self.text(&form, key)?;
            let id = hook(&f);
            if id.is_none() {
                let hint = hint_for(&f, hooks.iter().map(String::as_str));
                self.problem(&f, format!("there is no function `{f}` in game.rhai"), Some(hint));
            }
            id
        });
        for (key, of) in [("falls", falls), ("rises", rises)] {
            if of.is_some() && kind != SlotKind::Number {
                let why = format!("the slot `{name}` is no number, and only a number falls and rises");
                self.problem(name, why, Some(format!("leave `{key}` out")));
            }
        }
        if at_zero.is_some() && kind == SlotKind::Dice {
            self.problem(
                name,
                format!("the slot `{name}` holds dice, and dice do not come to 0"),
                Some("leave `at_zero` out".into()),
            );
        }
        Slot {
            name: name.to_owned(),
            kind,
            start,
            from_stat: stats.iter().position(|s| s == name && kind == SlotKind::Number),
            lasts: self.text(&form, "lasts"),
            at_zero,
            falls,
            rises,
            hit: form.contains_key("hit").then(|| self.flag(&form, "hit")),
            quiet: match form.contains_key("quiet") {
                true => self.flag(&form, "quiet"),
                false => !matches!(kind, SlotKind::Number | SlotKind::Flag | SlotKind::Direction),
            },
        }
    }

    /// A direction that a slot starts with.
    fn direction(&mut self, slot: &str, start: &View, grid: Grid) -> i64 {
        let directions = grid.directions();
        let named = start.as_text().unwrap_or_default();
        let found = directions.iter().position(|d| d.name == named);
        if found.is_none() {
            let why = format!("the slot `{slot}` must start with a direction that the board has");
            self.problem(
                slot,
                why,
                Some(hint_for(named, directions.iter().map(|d| d.name))),
            );
        }
        found.map_or(crate::kernel::rules::NOTHING, |d| d as i64)
    }

    /// The board: factions, places, stacking, relation, and who decides conflicts.
    pub fn board(&mut self, value: View) -> BoardDeclared {
        let map = self.map(self.function, value, "board()");
        self.keys(&map, keys::BOARD, "board()");
        let mut factions = self.texts(&map, "factions");
        if !(1..=MAX_FACTIONS).contains(&factions.len()) {
            self.problem(
                "factions",
                format!("a game has 1 to {MAX_FACTIONS} factions, not {}", factions.len()),
                None,
            );
            factions = vec!["red".to_owned(), "blue".to_owned()];
        }
        let arena = self.arena(&map);
        let tabletop = match &arena {
            Some(arena) => Some(arena.tabletop()),
            None => self.tabletop(&map),
        };
        let (mut board, drawing) = match (&arena, &tabletop) {
            (Some(arena), _) => (
                pieces_called(arena.zones.iter().map(|z| z.0.clone())),
                Drawing::default(),
            ),
            (None, Some(_)) => (self.pieces(&map), Drawing::default()),
            (None, None) => self.ground(&map),
        };
        self.faction_names(&factions, &board);
        if let Some(zones) = map.get("zones") {
            for (name, value) in self.map("zones", zones.clone(), "zones") {
                let zone = self.zone(name, value, &factions, (&board, &drawing));
                board.zones.push(zone);
            }
        }
        let relation = self.one_of(&map, "engaged", &Relation::NAMES, "no engagement is called");
        let relation = relation.unwrap_or(match tabletop {
            Some(_) => Relation::Bases,
            None => Relation::SamePlace,
        });
        if tabletop.is_some() != (relation == Relation::Bases) {
            let hint = "on a table top bases touch: `engaged: \"base contact\"`; on a board units share a place or stand beside each other";
            self.problem(
                "engaged",
                "bases touch on a table top, and nowhere else",
                Some(hint.into()),
            );
        }
        let lines = self.one_of(&map, "lines", &Lines::NAMES, "lines cannot meet");
        board.lines = lines.unwrap_or_default();
        let stack = match map.get("stack") {
            None => 1,
            Some(v) => v.as_int().filter(|n| (1..=32).contains(n)).unwrap_or_else(|| {
                self.problem("stack", "`stack` must be a number from 1 to 32", None);
                1
            }),
        };
        let arbiter = match self.text(&map, "conflicts") {
            None => 0,
            Some(whose) => self.whose("conflicts", &whose, factions.len(), None),
        };
        BoardDeclared {
            factions,
            board,
            tabletop,
            arena,
            bases: self.text(&map, "bases").unwrap_or_else(|| "diameter".to_owned()),
            drawing,
            relation,
            stack: stack as usize,
            arbiter,
        }
    }

    /// What a text stands for, of those that are known.
    fn one_of<T: Copy>(&mut self, map: &Map, key: &str, known: &[(&str, T)], none: &str) -> Option<T> {
        let text = self.text(map, key)?;
        let found = known.iter().find(|(name, _)| *name == text);
        if found.is_none() {
            let hint = hint_for(&text, known.iter().map(|(name, _)| *name));
            self.problem(&text, format!("{none} `{text}`"), Some(hint));
        }
        found.map(|(_, it)| *it)
    }

    /// Faction names stand alone in records, before a dot in unit names, and beside place names.
    fn faction_names(&mut self, factions: &[String], board: &Board) {
        for (index, name) in factions.iter().enumerate() {
            let inner = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
            if !name.starts_with(char::is_alphabetic) || !name.chars().all(inner) {
                self.problem(
                    name,
                    format!("a faction cannot be called `{name}`"),
                    Some(
                        "a faction's name is one word of letters, digits, - and _ that begins with a letter"
                            .into(),
                    ),
                );
            } else if board.place(name).is_some() {
                self.problem(
                    name,
                    format!("the faction `{name}` is called like a place of the board"),
                    Some("call it by another name".into()),
                );
            } else if factions[..index].contains(name) {
                self.problem(
                    name,
                    format!("two factions are called `{name}`"),
                    Some("answers are found again by name: give each one of its own".into()),
                );
            }
        }
    }

    /// A table top: how large it is, what its lengths count, and how near bases are in contact.
    fn tabletop(&mut self, map: &Map) -> Option<Tabletop> {
        let Some(size) = map.get("tabletop") else {
            for key in TABLETOP_KEYS {
                if map.contains_key(key) {
                    let why = format!("`{key}` is said of a table top");
                    self.problem(
                        key,
                        why,
                        Some("play on one: `tabletop: [24, 24], unit: \"inch\"`".into()),
                    );
                }
            }
            return None;
        };
        if let Some(other) = ["map", "hexagon", "hexes", "squares"]
            .into_iter()
            .find(|k| map.contains_key(*k))
        {
            let why = format!("a game is played on a `tabletop` or on `{other}`, not on both");
            self.problem(other, why, Some("leave one of them out".into()));
        }
        let sides: Vec<i64> = size
            .as_list()
            .unwrap_or_default()
            .iter()
            .filter_map(View::as_length)
            .collect();
        let fits = |n: &i64| (UNIT..=MAX_SIDE).contains(n);
        let (wide, deep) = match sides[..] {
            [wide, deep] if fits(&wide) && fits(&deep) => (wide as i32, deep as i32),
            _ => {
                let why = format!(
                    "`tabletop` must be [width, depth], each from 1 to {}",
                    MAX_SIDE / UNIT
                );
                self.problem(
                    "tabletop",
                    why,
                    Some("`tabletop: [900, 900], unit: \"mm\"`".into()),
                );
                (UNIT as i32, UNIT as i32)
            }
        };
        let hair = match map.get("hair") {
            None => 0,
            Some(hair) => hair
                .as_length()
                .filter(|h| (0..=UNIT * 10).contains(h))
                .unwrap_or_else(|| {
                    self.problem(
                        "hair",
                        "`hair` must be a length from 0 to 10",
                        Some("`hair: 0.02`".into()),
                    );
                    0
                }),
        };
        let candidates = match map.get("candidates") {
            None => 48,
            Some(n) => n.as_int().filter(|n| (1..=1_000).contains(n)).unwrap_or_else(|| {
                self.problem("candidates", "`candidates` must be a number from 1 to 1000", None);
                48
            }),
        };
        let mut ranges = Vec::new();
        for range in self.list(map, "ranges").unwrap_or_default() {
            match range.as_length().filter(|r| (0..=MAX_SIDE).contains(r)) {
                Some(range) => ranges.push(range),
                None => self.problem(
                    "ranges",
                    "`ranges` must be a list of lengths",
                    Some("`ranges: [6, 7.5]`".into()),
                ),
            }
        }
        let mut measures = Vec::new();
        if let Some(declared) = map.get("measures") {
            let named = declared.as_map();
            let lengths = named.into_iter().flatten().map(|(name, length)| {
                let length = length.as_length().filter(|l| (1..=MAX_SIDE).contains(l))?;
                Some((name.clone(), length))
            });
            match lengths
                .collect::<Option<Vec<(String, i64)>>>()
                .filter(|_| named.is_some())
            {
                Some(lengths) => measures = lengths,
                None => self.problem(
                    "measures",
                    "`measures` must be a map from what is measured to a length above 0",
                    Some("`measures: #{ move: 6, \"long shot\": 24 }`".into()),
                ),
            }
            measures.sort_by_key(|(_, length)| *length);
        }
        Some(Tabletop {
            size: (wide, deep),
            unit: self.text(map, "unit").unwrap_or_else(|| "mm".to_owned()),
            hair,
            candidates: candidates as usize,
            ranges,
            measures,
            bases: None,
        })
    }

    /// The places of a table top: pieces of terrain, as many as may lie there.
    fn pieces(&mut self, map: &Map) -> Board {
        let most = match map.get("pieces") {
            None => 24,
            Some(n) => n.as_int().filter(|n| (0..=200).contains(n)).unwrap_or_else(|| {
                self.problem("pieces", "`pieces` must be a number from 0 to 200", None);
                24
            }),
        };
        pieces_called((0..most as usize).map(|n| format!("piece{}", n + 1)))
    }

    /// An arena: how wide its board is, what it is made of, and its zones.
    fn arena(&mut self, map: &Map) -> Option<ArenaDeclared> {
        let all = map;
        let map = self.map("arena", all.get("arena")?.clone(), "`arena`");
        let others = ["tabletop", "map", "hexagon", "hexes", "squares"];
        if let Some(other) = others.into_iter().find(|k| all.contains_key(*k)) {
            let why = format!("a game is played in an `arena` or on `{other}`, not both");
            self.problem(other, why, Some("leave one of them out".into()));
        }
        self.keys(&map, keys::ARENA, "`arena`");
        let measures = [("flat to flat", false), ("corner to corner", true)];
        let corners = self.one_of(&map, "measured", &measures, "octagons are not measured");
        // The cosine of 22.5°: from corner to corner an octagon is wider than from side to side.
        let flat = |width: i64| match corners {
            Some(true) => (width * 923_880 + 500_000) / 1_000_000,
            _ => width,
        };
        if !map.contains_key("octagon") {
            let hint = "`arena: #{ octagon: 50 }`, in centimetres";
            self.problem("arena", "`arena` does not say how wide it is", Some(hint.into()));
        }
        let width = flat(self.range(&map, "octagon", (10, 1_000), UNIT, 50));
        let mut board = arena::Arena::default();
        let width = i32::try_from(width).unwrap_or(i32::MAX);
        let middle = Point {
            x: width / 2,
            y: width / 2,
        };
        let octagon = |width: i64| {
            let width = i32::try_from(width).unwrap_or(i32::MAX);
            arena::octagon([middle.x, middle.y], width)
        };
        board.corners = octagon(width.into()).to_vec();
        let usual = |n: i32| i64::from(n);
        let whole = |n: i64| i32::try_from(n).unwrap_or(i32::MAX);
        board.thickness = whole(self.range(
            &map,
            "thickness",
            (1, 200),
            UNIT / 10,
            usual(board.thickness) / 100,
        ));
        board.friction = whole(self.range(&map, "friction", (0, 200), 10, usual(board.friction) / 10));
        board.restitution = whole(self.range(&map, "bounce", (0, 100), 10, usual(board.restitution) / 10));
        board.limit = whole(self.range(&map, "limit", (1, 600), UNIT / 10, usual(board.limit) / 100));
        let mut zones = Vec::new();
        for (name, form) in map
            .get("zones")
            .map_or(Map::new(), |z| self.map("zones", z.clone(), "zones"))
        {
            let said = self.map(&name, form, "a zone");
            let wide = |key: &str| said.get(key).and_then(View::as_length);
            let fits = |n: &i64| (UNIT / 10..=i64::from(width)).contains(n);
            let shape = match (
                wide("octagon").map(flat).filter(fits),
                wide("circle").filter(fits),
                said.len(),
            ) {
                (Some(wide), None, 1) => {
                    let corners = octagon(wide).map(|[x, y]| Point { x, y });
                    Shape::polygon(&corners).ok()
                }
                (None, Some(wide), 1) => Some(Shape::Disc {
                    at: middle,
                    diameter: whole(wide),
                }),
                _ => None,
            };
            if !is_zone_name(&name) {
                let hint = "a zone's name is one word of letters, digits, - and _ that begins with a letter";
                self.problem(
                    &name,
                    format!("a zone cannot be called `{name}`"),
                    Some(hint.into()),
                );
            }
            match shape {
                Some(shape) => zones.push((name, shape)),
                None => self.problem(
                    &name,
                    format!("the zone `{name}` must be an octagon or a circle, no wider than the board"),
                    Some(format!(
                        "`{name}: #{{ octagon: 42 }}` or `{name}: #{{ circle: 6 }}`"
                    )),
                ),
            }
        }
        Some(ArenaDeclared { board, width, zones })
    }

    /// A number of an arena: in its own range, times what stands for 1 in it; if left out what is usual.
    fn range(&mut self, map: &Map, key: &str, (low, high): (i64, i64), one: i64, usual: i64) -> i64 {
        let given = match map.get(key) {
            None => return usual * one,
            // Of lengths there are tenths.
            Some(value) if one >= UNIT / 10 => value.as_length(),
            Some(value) => value.as_int().and_then(|n| n.checked_mul(one)),
        };
        given
            .filter(|n| (low * one..=high * one).contains(n))
            .unwrap_or_else(|| {
                let (low, high) = match one >= UNIT / 10 {
                    true => (length_text(low * one), length_text(high * one)),
                    false => (low.to_string(), high.to_string()),
                };
                self.problem(key, format!("`{key}` must be from {low} to {high}"), None);
                usual * one
            })
    }

    /// The places: a rectangle of hexagons or squares, a hexagon of hexagons, or what is drawn.
    fn ground(&mut self, map: &Map) -> (Board, Drawing) {
        let shapes = ["map", "hexagon", "hexes", "squares"]
            .into_iter()
            .filter(|key| map.contains_key(*key));
        if let [one, other, ..] = shapes.collect::<Vec<_>>()[..] {
            let why = format!("a board has `{one}` or `{other}`, not both");
            self.problem(one, why, Some("leave one of them out".into()));
        }
        let grid = self.grid(map);
        if map.contains_key("map") {
            return self.drawn(map, grid);
        }
        if map.contains_key("legend") {
            let hint = "draw the board: map: [\"...\", \"...\"]";
            self.problem(
                "legend",
                "`legend` says what the letters of a `map` are",
                Some(hint.into()),
            );
        }
        (self.shape(map, grid), Drawing::default())
    }

    /// A rectangle of hexagons or squares, or a hexagon of hexagons.
    fn shape(&mut self, map: &Map, grid: Grid) -> Board {
        if let Some(radius) = map.get("hexagon") {
            let fits = |n: &usize| (0..=MAX_RADIUS).contains(n);
            let radius = radius.as_int().and_then(|n| usize::try_from(n).ok()).filter(fits);
            return grid.around(radius.unwrap_or_else(|| {
                let why = format!("`hexagon` must be a number from 0 to {MAX_RADIUS}");
                self.problem("hexagon", why, None);
                0
            }));
        }
        let Some(key) = ["squares", "hexes"]
            .into_iter()
            .find(|key| map.contains_key(*key))
        else {
            let hint = "`hexes: [columns, rows]`, `squares: [columns, rows]`, `hexagon: radius`, or a `map`";
            self.problem(
                "board",
                "board() does not say what is played on",
                Some(hint.into()),
            );
            return grid.rectangle(1, 1);
        };
        let size: Vec<usize> = self
            .list(map, key)
            .unwrap_or_default()
            .iter()
            .filter_map(|v| usize::try_from(v.as_int()?).ok())
            .collect();
        let fits = 1..=MAX_PLACES;
        match size[..] {
            [columns, rows]
                if fits.contains(&columns) && fits.contains(&rows) && columns * rows <= MAX_PLACES =>
            {
                grid.rectangle(columns, rows)
            }
            _ => {
                let cells = grid.cells();
                let why = format!("`{key}` must be [columns, rows], at most {MAX_PLACES} {cells}");
                self.problem(key, why, None);
                grid.rectangle(1, 1)
            }
        }
    }

    /// What the cells of the board are.
    fn grid(&mut self, map: &Map) -> Grid {
        let diagonals = self.flag(map, "diagonals");
        let squares = Grid::Squares { diagonals };
        let cells = self.text(map, "cells");
        if cells.is_some() && !map.contains_key("map") {
            let hint = "leave it out: `hexes`, `hexagon` and `squares` say it themselves";
            self.problem(
                "cells",
                "`cells` says what a `map` is drawn of",
                Some(hint.into()),
            );
        }
        let grid = match cells.as_deref() {
            _ if map.contains_key("squares") => squares,
            None => Grid::Hexes,
            Some(cells) => {
                let known = [Grid::Hexes, squares].into_iter();
                known.clone().find(|g| g.cells() == cells).unwrap_or_else(|| {
                    let hint = hint_for(cells, known.map(Grid::cells));
                    self.problem(cells, format!("no board is made of `{cells}`"), Some(hint));
                    squares
                })
            }
        };
        if grid == Grid::Hexes && map.contains_key("diagonals") {
            let hint = "leave it out, or say `squares: [columns, rows]` or `cells: \"squares\"`";
            self.problem(
                "diagonals",
                "only squares touch at their corners",
                Some(hint.into()),
            );
        }
        grid
    }

    /// The board whose lines are drawn, the top one first.
    fn drawn(&mut self, map: &Map, grid: Grid) -> (Board, Drawing) {
        let texts = self.texts(map, "map");
        let lines: Vec<Vec<char>> = texts.iter().map(|l| l.chars().collect()).collect();
        let legend = self.legend(map);
        let known: Vec<char> = legend.keys().copied().chain(zone_letters(map)).collect();
        let gaps: Vec<char> = legend
            .iter()
            .filter(|(_, kinds)| kinds.iter().any(|k| k == GAP))
            .map(|(c, _)| *c)
            .collect();
        let is_place = |c: &char| *c != ' ' && !gaps.contains(c);
        let mut why = None;
        let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
        for (nth, line) in lines.iter().enumerate() {
            if let Some(odd) = line
                .iter()
                .find(|c| !matches!(**c, BARE | ' ') && !known.contains(c))
            {
                why.get_or_insert((nth, format!("`{odd}` in line {} of `map` means nothing", nth + 1)));
            }
            if line.len() != columns {
                let counts = format!("line {} of `map` has {} characters", nth + 1, line.len());
                why.get_or_insert((nth, format!("{counts}, the longest has {columns}")));
            }
        }
        let places = lines.iter().flatten().filter(|c| is_place(c)).count();
        let drawn = match why {
            Some((line, why)) => Err((texts[line].as_str(), why)),
            None if places == 0 || places > MAX_PLACES => {
                let why =
                    format!("`map` must have 1 to {MAX_PLACES} places, not {places} in {columns} columns");
                Err(("map", why))
            }
            None => Ok(grid.drawn(columns, lines.len(), |column, row| {
                lines[row].get(column).is_some_and(is_place)
            })),
        };
        match drawn {
            Ok(board) => {
                let mut letters: BTreeMap<char, PlaceSet> = BTreeMap::new();
                for place in board.places() {
                    let cell = board.cell(place);
                    let letter = lines[lines.len() - 1 - cell.row][cell.column];
                    letters.entry(letter).or_default().insert(place);
                }
                let broken = false;
                (
                    board,
                    Drawing {
                        letters,
                        legend,
                        broken,
                    },
                )
            }
            Err((word, why)) => {
                let hint = "each character is a place, `.`, a gap, a blank, or one that `legend` or a zone names; all \
                            lines are as long";
                self.problem(word, why, Some(hint.into()));
                let drawing = Drawing {
                    broken: true,
                    ..Drawing::default()
                };
                (grid.rectangle(1, 1), drawing)
            }
        }
    }

    /// What the characters of a drawn board stand for: kinds of terrain by name.
    fn legend(&mut self, map: &Map) -> BTreeMap<char, Vec<String>> {
        let mut legend = BTreeMap::new();
        let Some(value) = map.get("legend") else {
            return legend;
        };
        for (key, value) in self.map("legend", value.clone(), "`legend`") {
            let kinds: Vec<String> = match &value {
                View::Text(name) => vec![name.clone()],
                View::List(names) => names
                    .iter()
                    .filter_map(|n| n.as_text().map(str::to_owned))
                    .collect(),
                _ => Vec::new(),
            };
            let mut letters = key.chars();
            match (letters.next(), letters.next()) {
                (Some(' '), None) => {
                    self.problem("legend", "a blank in `map` is a gap, and nothing else", None)
                }
                (Some(_), None) if kinds.is_empty() => {
                    let why =
                        format!("`{key}` in `legend` must be a terrain, a list of several, or \"{GAP}\"");
                    self.problem("legend", why, None);
                }
                (Some(letter), None) => {
                    legend.insert(letter, kinds);
                }
                _ => {
                    let why = format!("`{key}` in `legend` must be one character");
                    self.problem("legend", why, None);
                }
            }
        }
        legend
    }

    /// A zone: an area for each faction, or one for all.
    fn zone(&mut self, name: String, value: View, factions: &[String], on: (&Board, &Drawing)) -> Zone {
        let is_area =
            |map: &Map| !map.is_empty() && map.keys().all(|k| keys::names(keys::AREA).any(|n| n == k));
        let mut places: [PlaceSet; MAX_FACTIONS] = Default::default();
        let shared = match &value {
            View::Map(map) => is_area(map) && !map.keys().any(|k| factions.contains(k)),
            View::Text(_) | View::List(_) => true,
            _ => false,
        };
        if shared {
            let area = self.area(&name, value, on);
            places[..factions.len()].fill(area);
            return Zone { name, places, shared };
        }
        for (faction, area) in self.map(&name, value, "a zone") {
            match factions.iter().position(|f| *f == faction) {
                Some(index) => places[index] = self.area(&name, area, on),
                None => {
                    let hint = hint_for(&faction, factions.iter().map(String::as_str));
                    self.problem(&faction, format!("there is no faction `{faction}`"), Some(hint));
                }
            }
        }
        Zone { name, places, shared }
    }

    /// The places of a zone: what is drawn with its letters, what a list names, or what the keys of a map say.
    fn area(&mut self, zone: &str, area: View, (board, drawing): (&Board, &Drawing)) -> PlaceSet {
        if drawing.broken {
            return PlaceSet::EMPTY;
        }
        let map = match area {
            View::Text(_) => [("drawn".to_owned(), area)].into(),
            View::List(_) => [("places".to_owned(), area)].into(),
            area => self.map(zone, area, "a zone's area"),
        };
        self.keys(&map, keys::AREA, "a zone's area");
        let mut places = board.places().clone();
        for (key, value) in map {
            let meant = match key.as_str() {
                "rows" => self.span(zone, &key, &value, board.rows(), |n| board.row(n)),
                "columns" => self.span(zone, &key, &value, board.columns(), |n| board.column(n)),
                "drawn" => self.lettered(zone, &value, drawing),
                "places" => self.listed(zone, &value, board),
                "near" => self.near(zone, &value, board),
                _ => continue,
            };
            places = places & meant;
        }
        places
    }

    /// The places of rows or columns from one to another.
    fn span(
        &mut self,
        zone: &str,
        key: &str,
        value: &View,
        all: usize,
        of: impl Fn(usize) -> PlaceSet,
    ) -> PlaceSet {
        let ends: Vec<i64> = value
            .as_list()
            .unwrap_or_default()
            .iter()
            .filter_map(View::as_int)
            .collect();
        let ends = ends
            .iter()
            .filter_map(|n| usize::try_from(*n).ok())
            .collect::<Vec<_>>();
        match ends[..] {
            [low, high] if 1 <= low && low <= high && high <= all => {
                (low..=high).fold(PlaceSet::EMPTY, |places, n| places | of(n - 1))
            }
            [_, _] => {
                let why = format!("the zone `{zone}` lies off the board: {key} are 1 to {all}");
                self.problem(zone, why, None);
                PlaceSet::EMPTY
            }
            _ => {
                self.problem(
                    key,
                    format!("`{key}` must be [first, last], two numbers from 1"),
                    None,
                );
                PlaceSet::EMPTY
            }
        }
    }

    /// The places that are drawn with these letters.
    fn lettered(&mut self, zone: &str, value: &View, drawing: &Drawing) -> PlaceSet {
        let letters = value.as_text().unwrap_or_default();
        if letters.is_empty() {
            let hint = format!("{zone}: \"h\", and an h in `map` for each of its places");
            let why = format!("the zone `{zone}` needs the letters that it is drawn with");
            self.problem(zone, why, Some(hint));
        }
        let mut places = PlaceSet::EMPTY;
        for letter in letters.chars() {
            match drawing.letters.get(&letter) {
                Some(drawn) => places = places | drawn,
                None => {
                    let why =
                        format!("the zone `{zone}` is drawn with `{letter}`, which no place of `map` is");
                    self.problem(zone, why, None);
                }
            }
        }
        places
    }

    /// The places of these names.
    fn listed(&mut self, zone: &str, value: &View, board: &Board) -> PlaceSet {
        let names: Vec<&str> = value
            .as_list()
            .unwrap_or_default()
            .iter()
            .filter_map(View::as_text)
            .collect();
        if names.is_empty() {
            let why = format!("the zone `{zone}` must be a list of the names of places");
            self.problem(zone, why, Some("such as [\"a1\", \"b2\"]".into()));
        }
        names
            .into_iter()
            .filter_map(|name| self.place_named(zone, name, board))
            .collect()
    }

    /// The places at most so many steps from one, or from the middle of the board.
    fn near(&mut self, zone: &str, value: &View, board: &Board) -> PlaceSet {
        let [from, steps] = value.as_list().unwrap_or_default() else {
            self.problem(
                "near",
                "`near` must be [place, steps] or [\"middle\", steps]",
                None,
            );
            return PlaceSet::EMPTY;
        };
        let (from, steps) = (
            from.as_text(),
            steps.as_int().and_then(|n| usize::try_from(n).ok()),
        );
        let (Some(from), Some(steps)) = (from, steps) else {
            self.problem(
                "near",
                "`near` must be [place, steps] or [\"middle\", steps]",
                None,
            );
            return PlaceSet::EMPTY;
        };
        let from = match from {
            "middle" => board.middle(),
            name => self.place_named(zone, name, board),
        };
        from.map_or(PlaceSet::EMPTY, |from| board.within(from, steps))
    }

    fn place_named(&mut self, zone: &str, name: &str, board: &Board) -> Option<PlaceId> {
        let place = board.place(name);
        if place.is_none() {
            let hint = hint_for(name, board.places().iter().map(|p| board.name(p)));
            let why = format!("the zone `{zone}` has `{name}`, which is no place of the board");
            self.problem(name, why, Some(hint));
        }
        place
    }

    /// The terrain that is drawn, by place; what its kinds are is known by now.
    pub fn laid(&mut self, drawing: &Drawing, terrains: &[Terrain]) -> Vec<(PlaceId, TerrainId)> {
        let kinds: BTreeMap<char, Vec<TerrainId>> = drawing
            .legend
            .iter()
            .map(|(letter, names)| {
                let kinds = names.iter().filter(|n| *n != GAP);
                (*letter, kinds.filter_map(|n| self.kind(n, terrains)).collect())
            })
            .collect();
        let mut laid = Vec::new();
        for (letter, places) in &drawing.letters {
            // What a zone alone names is as bare as the rest.
            let kinds = kinds.get(letter).or_else(|| kinds.get(&BARE));
            for place in places {
                laid.extend(kinds.into_iter().flatten().map(|kind| (place, *kind)));
            }
        }
        laid.sort_unstable();
        laid
    }

    fn kind(&mut self, name: &str, terrains: &[Terrain]) -> Option<TerrainId> {
        let found = terrains.iter().position(|t| t.name == name);
        if found.is_none() {
            let hint = match terrains {
                [] => {
                    "the game has none: each is a script of its own, in the folder `terrain` beside game.rhai"
                        .to_owned()
                }
                all => hint_for(name, all.iter().map(|t| t.name.as_str()).chain([GAP])),
            };
            self.problem(name, format!("there is no terrain `{name}`"), Some(hint));
        }
        found.map(|index| TerrainId(index as u8))
    }

    fn whose(&mut self, key: &str, word: &str, factions: usize, or: Option<&str>) -> usize {
        let order = &ORDINALS[..factions];
        order.iter().position(|o| *o == word).unwrap_or_else(|| {
            let hint = hint_for(word, order.iter().copied().chain(or));
            self.problem(word, format!("`{key}` cannot be `{word}`"), Some(hint));
            0
        })
    }

    /// The phases as a flat list, the root first.
    pub fn phases(
        &mut self,
        value: View,
        zones: &[String],
        (slots, stats): (&Schema, &[String]),
        factions: usize,
        hook: &dyn Fn(&str) -> Option<HookId>,
        hooks: &[String],
    ) -> Vec<Phase> {
        let mut phases = vec![Phase {
            name: "play".to_owned(),
            ..Phase::default()
        }];
        let list = match value {
            View::List(list) => list,
            _ => {
                self.problem(self.function, "phases() must return a list of phases", None);
                Array::new()
            }
        };
        let context = PhaseContext {
            zones,
            slots,
            stats,
            factions,
            hook,
            hooks,
        };
        let children = self.phase_list(list, &mut phases, &context, 2, 0);
        if children.is_empty() && self.problems.is_empty() {
            self.problem(self.function, "phases() must return at least one phase", None);
        }
        phases[0].work = Work::Sequence(children);
        self.check_nesting(&phases);
        // The root is in no record.
        for (index, phase) in phases.iter().enumerate().skip(1) {
            if phases[1..index].iter().any(|p| p.name == phase.name) && self.problems.is_empty() {
                self.problem(
                    &phase.name,
                    format!("two phases are called `{}`", phase.name),
                    Some("answers are found again by the phase's name: give each one of its own".into()),
                );
            }
        }
        phases
    }

    fn phase_list(
        &mut self,
        list: Array,
        phases: &mut Vec<Phase>,
        context: &PhaseContext<'_>,
        depth: usize,
        repeats: usize,
    ) -> Vec<u8> {
        let mut children = Vec::new();
        for value in list {
            let map = self.map(self.function, value, "a phase");
            if phases.len() >= u8::MAX as usize {
                self.problem(self.function, "more than 254 phases", None);
                break;
            }
            let index = phases.len() as u8;
            phases.push(Phase::default());
            let phase = self.phase(&map, phases, context, depth, repeats);
            phases[index as usize] = phase;
            children.push(index);
        }
        children
    }

    fn phase(
        &mut self,
        map: &Map,
        phases: &mut Vec<Phase>,
        context: &PhaseContext<'_>,
        depth: usize,
        repeats: usize,
    ) -> Phase {
        self.keys(map, keys::PHASE, "a phase");
        let name = self.text(map, "phase").unwrap_or_else(|| {
            self.problem(self.function, "every phase needs a name: `phase: \"...\"`", None);
            "?".to_owned()
        });
        if let Some(why) = unfit_phase_name(&name).filter(|_| map.contains_key("phase")) {
            self.problem(
                &name,
                format!("a phase cannot be called `{name}`"),
                Some(why.into()),
            );
        }
        let repeat = self.flag(map, "repeat");
        let repeats = repeats + usize::from(repeat);
        if depth > MAX_DEPTH || repeats > MAX_REPEATS {
            self.problem(
                &name,
                format!("phases nest at most {MAX_DEPTH} deep, {MAX_REPEATS} of them repeating"),
                None,
            );
            return Phase::default();
        }
        let filters = self.filters(map, context);
        let work = match (map.get("phases"), map.get("each"), map.get("turn")) {
            (Some(_), None, None) => {
                let list = self.list(map, "phases").unwrap_or_default();
                Work::Sequence(self.phase_list(list, phases, context, depth + 1, repeats))
            }
            (None, Some(_), None) => {
                let each = self.text(map, "each").unwrap_or_default();
                let kinds = [
                    ("game", EachKind::Game),
                    ("faction", EachKind::Faction),
                    ("place", EachKind::Place),
                    ("unit", EachKind::Unit),
                ];
                let kind = kinds
                    .iter()
                    .find(|k| k.0 == each)
                    .map(|k| k.1)
                    .unwrap_or_else(|| {
                        let hint = hint_for(&each, kinds.iter().map(|k| k.0));
                        self.problem(&each, format!("a phase cannot be for each `{each}`"), Some(hint));
                        EachKind::Game
                    });
                Work::Each {
                    kind,
                    filters,
                    hook: self.step(map, &name, context),
                    idle: 0,
                }
            }
            (None, None, Some(_)) => {
                let word = self.text(map, "turn").unwrap_or_default();
                let (whose, turns) = self.turns(map, &word, context);
                Work::Turn {
                    whose,
                    filters,
                    hook: self.step(map, &name, context),
                    turns,
                }
            }
            _ => {
                self.problem(
                    &name,
                    format!("the phase `{name}` needs exactly one of `phases`, `each` and `turn`"),
                    None,
                );
                Work::default()
            }
        };
        let contest = self.text(map, "contest");
        if contest.as_ref().is_some_and(|c| c.contains(char::is_control)) {
            self.problem("contest", "a contest's name is one line", None);
        }
        let lasts = |slot: &Slot| slot.lasts.as_deref() == Some(&name);
        Phase {
            clears: context.slots.all().any(lasts),
            name,
            repeat,
            contest,
            setup: self.flag(map, "setup"),
            simultaneous: self.flag(map, "simultaneous"),
            hidden: self.flag(map, "hidden"),
            whole: self.flag(map, "whole"),
            interrupts: self.interrupts(map, context),
            work,
        }
    }

    /// Whose units a turn activates, and how factions take turns.
    fn turns(&mut self, map: &Map, word: &str, context: &PhaseContext<'_>) -> (Whose, Option<Box<Turns>>) {
        const ALL: u16 = u16::MAX;
        let each = word == "each";
        let only_each = ["next", "initiative"]
            .into_iter()
            .find(|key| map.contains_key(*key));
        if let Some(key) = only_each.filter(|_| !each) {
            let why = format!("`{key}` says who of all has the next turn, and the turn is one faction's");
            self.problem(key, why, Some("`turn: \"each\"` is everybody's".into()));
        }
        let whose = match each {
            true => Whose::Each,
            false => Whose::Nth(self.whose("turn", word, context.factions, Some("each"))),
        };
        let plain = !["quota", "points", "cost", "pass"]
            .iter()
            .any(|key| map.contains_key(*key));
        if !each && plain {
            return (whose, None);
        }
        let quota = match map.get("quota") {
            None if each => (1, 1),
            None => (ALL, ALL),
            Some(quota) => self.quota(quota),
        };
        let following = [
            ("order", Following::Order),
            ("asked", Following::Asked),
            ("drawn", Following::Drawn),
            ("drawn unit", Following::DrawnUnit),
        ];
        let passes = [("turn", Pass::Turn), ("phase", Pass::Phase), ("all", Pass::All)];
        let measure = |reader: &mut Self, key: &str| {
            let name = reader.text(map, key)?;
            reader.measure(key, &name, context)
        };
        let points = measure(self, "points");
        let cost = measure(self, "cost");
        if matches!(points, Some(Measure::Stat(_))) {
            let why = "`points` are taken from a slot, and this is a stat, which does not change";
            let hint = "declare a slot of that name, in `slots()`, for units or factions";
            self.problem("points", why, Some(hint.into()));
        }
        if let (Some(_), None, false) = (cost, points, map.contains_key("points")) {
            let why = "`cost` says how much of its `points` an activation takes, and there are none";
            self.problem("cost", why, Some("name the slot: `points: \"...\"`".into()));
        }
        let turns = Turns {
            quota,
            next: self
                .one_of(map, "next", &following, "nobody can be next by")
                .unwrap_or(Following::Order),
            initiative: measure(self, "initiative"),
            points,
            cost,
            pass: self.one_of(map, "pass", &passes, "who passes cannot end"),
        };
        (whose, Some(Box::new(turns)))
    }

    /// How many activations a turn has at least and at most.
    fn quota(&mut self, quota: &View) -> (u16, u16) {
        let count = |n: &View| {
            n.as_int()
                .and_then(|n| u16::try_from(n).ok())
                .filter(|n| *n <= 999)
        };
        let range = match quota {
            View::Text(all) if all == "all" => Some((u16::MAX, u16::MAX)),
            View::List(range) => match range[..] {
                [ref least, ref most] => count(least).zip(count(most)),
                _ => None,
            },
            quota => count(quota).map(|n| (n, n)),
        };
        range
            .filter(|(least, most)| least <= most && *most > 0)
            .unwrap_or_else(|| {
                let why =
                    "`quota` must be a number from 1 to 999, a list of the least and the most, or \"all\"";
                self.problem("quota", why, Some("`quota: 2`, or `quota: [1, 3]`".into()));
                (1, 1)
            })
    }

    /// The slot or stat that a key names.
    fn measure(&mut self, key: &str, name: &str, context: &PhaseContext<'_>) -> Option<Measure> {
        let number = |slot: &Slot| slot.kind == SlotKind::Number;
        let slot = |slots: &[Slot]| slots.iter().position(|s| s.name == name && number(s));
        let unit = slot(&context.slots.unit).map(|i| Measure::Unit(i as u8));
        let stat = context.stats.iter().position(|s| s == name).map(Measure::Stat);
        let faction = slot(&context.slots.faction).map(|i| Measure::Faction(i as u8));
        let of_units = unit.or(stat);
        if of_units.is_some() && faction.is_some() {
            let why = format!("`{name}` is a number of units and of factions, and `{key}` names one of them");
            self.problem(name, why, Some("call one of them by another name".into()));
        }
        let found = of_units.or(faction);
        if found.is_none() {
            let slots = context.slots.unit.iter().chain(&context.slots.faction);
            let known: Vec<&str> = slots
                .filter(|s| number(s))
                .map(|s| s.name.as_str())
                .chain(context.stats.iter().map(String::as_str))
                .collect();
            let why =
                format!("`{key}` names a number of units or factions, and there is none called `{name}`");
            self.problem(name, why, Some(hint_for(name, known)));
        }
        found
    }

    /// What the other factions are asked after.
    fn interrupts(&mut self, map: &Map, context: &PhaseContext<'_>) -> Vec<Interrupt> {
        let declared = match map.get("interrupts") {
            None => return Vec::new(),
            Some(View::Text(hook)) => [("moved".to_owned(), View::Text(hook.clone()))].into(),
            Some(value) => self.map("interrupts", value.clone(), "interrupts"),
        };
        let mut interrupts = Vec::new();
        for (on, hook) in declared {
            let slots = &context.slots.unit;
            let trigger = match slots.iter().position(|s| s.name == on) {
                _ if on == "moved" => Trigger::Moved,
                Some(slot) if slots[slot].quiet => {
                    let why = format!("`{on}` is quiet: nobody hears when it changes");
                    self.problem(&on, why, Some("leave `quiet` out where it is declared".into()));
                    continue;
                }
                Some(slot) => Trigger::Slot(slot as u8),
                None => {
                    let known = slots.iter().filter(|s| !s.quiet).map(|s| s.name.as_str());
                    let hint = hint_for(&on, known.chain(["moved"]));
                    self.problem(&on, format!("nobody can interrupt after `{on}`"), Some(hint));
                    continue;
                }
            };
            let Some(name) = hook.as_text().map(str::to_owned) else {
                self.problem(
                    &on,
                    format!("`{on}` must be the name of a function in quotes"),
                    None,
                );
                continue;
            };
            interrupts.push(Interrupt {
                on: trigger,
                hook: self.function(&name, context),
                name,
            });
        }
        interrupts
    }

    /// What cannot be together in phases that lie inside each other.
    fn check_nesting(&mut self, phases: &[Phase]) {
        for (index, phase) in phases.iter().enumerate() {
            let around = |is: fn(&Phase) -> bool| {
                phase::outwards(phases, index as u8).any(|p| is(&phases[p as usize]))
            };
            let (gathers, hides) = (around(|p| p.simultaneous), around(|p| p.hidden));
            if let Work::Turn {
                turns: Some(turns), ..
            } = &phase.work
                && gathers
                && (turns.points.is_some() || matches!(turns.next, Following::Drawn | Following::DrawnUnit))
            {
                let why = format!(
                    "in the simultaneous phase `{}` nothing is taken before its end",
                    phase.name
                );
                let hint = "`points` and cards are taken at once: leave `simultaneous` out";
                self.problem(&phase.name, why, Some(hint.into()));
            }
            let sequence = matches!(phase.work, Work::Sequence(_));
            if !sequence && (gathers || hides) && !phase::interrupts_of(phases, index as u8).is_empty() {
                let how = if gathers { "simultaneous" } else { "hidden" };
                let why = format!("nobody can interrupt `{}`: it is {how}", phase.name);
                let hint = "what happens in it is seen when it is over: say `interrupts` in other phases";
                self.problem(&phase.name, why, Some(hint.into()));
            }
        }
    }

    fn step(&mut self, map: &Map, name: &str, context: &PhaseContext<'_>) -> HookId {
        let Some(step) = self.text(map, "step") else {
            self.problem(
                name,
                format!("the phase `{name}` needs a `step`: the function it runs"),
                None,
            );
            return HookId(0);
        };
        self.function(&step, context)
    }

    /// A function of the game.
    fn function(&mut self, name: &str, context: &PhaseContext<'_>) -> HookId {
        (context.hook)(name).unwrap_or_else(|| {
            let hint = hint_for(name, context.hooks.iter().map(String::as_str));
            self.problem(
                name,
                format!("there is no function `{name}` in game.rhai"),
                Some(hint),
            );
            HookId(0)
        })
    }

    fn filters(&mut self, map: &Map, context: &PhaseContext<'_>) -> Vec<Filter> {
        let zones = context.zones;
        let each = map.get("each").and_then(View::as_text).map(str::to_owned);
        let slots = match each.as_deref() {
            Some("place") => &context.slots.place,
            Some("faction") => &context.slots.faction,
            _ => &context.slots.unit,
        };
        let mut filters = Vec::new();
        for word in self.texts(map, "filters") {
            let slot = slots.iter().position(|s| s.name == word);
            let zone = |name: &str| zones.iter().position(|z| z == name).map(|z| z as u8);
            let filter = match word.as_str() {
                "free" => Some(Filter::Free),
                "engaged" => Some(Filter::Engaged),
                "contested" => Some(Filter::Contested),
                _ if slot.is_some() => slot.map(|index| Filter::Set(index as u8)),
                other => match other.strip_prefix("in foe ") {
                    Some(name) => zone(name).map(Filter::InFoes),
                    None => other.strip_prefix("in ").and_then(zone).map(Filter::In),
                },
            };
            match filter {
                Some(filter) if each.as_deref() == Some("faction") && !matches!(filter, Filter::Set(_)) => {
                    let hint = hint_for(&word, slots.iter().map(|s| s.name.as_str()));
                    self.problem(&word, format!("no faction is `{word}`"), Some(hint));
                }
                Some(filter) => filters.push(filter),
                None => {
                    let mut known = vec!["free".to_owned(), "engaged".into(), "contested".into()];
                    known.extend(zones.iter().map(|z| format!("in {z}")));
                    known.extend(zones.iter().map(|z| format!("in foe {z}")));
                    known.extend(slots.iter().map(|s| s.name.clone()));
                    let hint = hint_for(&word, known.iter().map(String::as_str));
                    self.problem(&word, format!("there is no filter `{word}`"), Some(hint));
                }
            }
        }
        filters
    }
}

struct PhaseContext<'a> {
    zones: &'a [String],
    slots: &'a Schema,
    stats: &'a [String],
    factions: usize,
    hook: &'a dyn Fn(&str) -> Option<HookId>,
    hooks: &'a [String],
}

/// What `stats()` declares.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StatsDeclared {
    /// Whole numbers by name; of a flag 1 or 0.
    pub numbers: Vec<(String, i64)>,
    /// Which of them are flags.
    pub flags: Vec<String>,
    /// The letters for the board.
    pub symbol: Option<String>,
    /// The colour in pictures, `#rrggbb`.
    pub colour: Option<String>,
}

/// The character of a drawn board that is a place and no more.
const BARE: char = '.';
/// What a legend calls a place that is none.
const GAP: &str = "gap";

/// What the characters of a drawn board are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Drawing {
    /// Where each stands.
    letters: BTreeMap<char, PlaceSet>,
    /// The kinds of terrain that each stands for.
    legend: BTreeMap<char, Vec<String>>,
    /// The board cannot be as it is drawn: nothing is known of what lies on it.
    broken: bool,
}

/// The letters that zones are drawn with.
fn zone_letters(map: &Map) -> Vec<char> {
    fn letters(area: &View, found: &mut Vec<char>) {
        match area {
            View::Text(letters) => found.extend(letters.chars()),
            View::Map(map) => map
                .iter()
                .filter(|(key, _)| *key != "near" && *key != "places")
                .for_each(|(_, a)| letters(a, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    if let Some(zones) = map.get("zones") {
        letters(zones, &mut found);
    }
    found
}

/// A board whose places are called so, none beside another.
fn pieces_called(names: impl Iterator<Item = String>) -> Board {
    let cell = |(column, name)| Cell { name, column, row: 0 };
    let cells: Vec<Cell> = names.enumerate().map(cell).collect();
    let columns = cells.len();
    Board::new(cells, columns, 1, 0, |a, b| if a == b { 0 } else { 2 })
}

fn is_zone_name(name: &str) -> bool {
    let inner = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    name.starts_with(char::is_alphabetic) && name.chars().all(inner)
}

/// What `arena` declares.
pub struct ArenaDeclared {
    /// The board.
    pub board: arena::Arena,
    /// How wide it is, from flat side to flat side.
    pub width: i32,
    /// Its zones.
    pub zones: Vec<(String, Shape)>,
}

impl ArenaDeclared {
    /// The table top around it.
    fn tabletop(&self) -> Tabletop {
        Tabletop {
            size: (self.width, self.width),
            unit: "cm".to_owned(),
            hair: 0,
            candidates: 48,
            ranges: Vec::new(),
            measures: Vec::new(),
            bases: None,
        }
    }
}

/// What `board()` declares.
pub struct BoardDeclared {
    /// Faction names.
    pub factions: Vec<String>,
    /// The board with its zones; on a table top the pieces of terrain are its places.
    pub board: Board,
    /// The table top, in a game that is played on one.
    pub tabletop: Option<Tabletop>,
    /// The arena, in a game that is played on one.
    pub arena: Option<ArenaDeclared>,
    /// The stat that says how wide bases are.
    pub bases: String,
    /// How it is drawn.
    pub drawing: Drawing,
    /// What engages.
    pub relation: Relation,
    /// Units of one faction in a place.
    pub stack: usize,
    /// Who decides conflicts, by place in turn order.
    pub arbiter: usize,
}

/// A stat of a unit type as a dial.
pub fn stat_dial(kind: &str, stat: &str, start: i64, flag: bool) -> Dial {
    let range = if flag { (0, 1) } else { STAT_RANGE };
    number_dial(format!("{kind}.{stat}"), start, range)
}

fn number_dial(name: String, start: i64, (low, high): (i64, i64)) -> Dial {
    Dial {
        name,
        range: DialRange::Number(low, high),
        default: DialValue::Number(start),
        value: DialValue::Number(start),
    }
}

/// Why transcripts could not tell a phase of this name from what else they hold: what a name must be.
fn unfit_phase_name(name: &str) -> Option<&'static str> {
    let words: Vec<&str> = name.split(' ').collect();
    let inner = |c: char| c.is_alphanumeric() || "-_'".contains(c);
    let plain = |word: &&str| !word.is_empty() && word.chars().all(inner);
    let is_number = |word: &&str| word.chars().all(|c| c.is_ascii_digit());
    if !name.starts_with(char::is_alphabetic) || !words.iter().all(plain) {
        Some(
            "a phase's name is words of letters, digits, -, _ and ' that begin with a letter, one blank apart",
        )
    } else if words.last().is_some_and(is_number) {
        Some("the number behind a phase's name says how often it has begun")
    } else if words[1..].iter().any(|w| RECORD_WORDS.contains(w)) {
        Some("`chose`, `rolled`, `threw`, `activates` and `passes` say in records what a faction did")
    } else if name == "end" {
        Some("`end` stands in records where a play stops")
    } else {
        None
    }
}

/// Words behind a name that make a line of a record an answer or a roll.
const RECORD_WORDS: [&str; 5] = ["chose", "rolled", "threw", "activates", "passes"];

/// The byte offset of a word that stands by itself in a text.
fn find_word(text: &str, word: &str) -> Option<usize> {
    if word.is_empty() {
        return None;
    }
    let inner = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).map(|(at, _)| at).find(|&at| {
        !text[..at].chars().next_back().is_some_and(inner)
            && !text[at + word.len()..].chars().next().is_some_and(inner)
    })
}

/// Problems if there are any.
pub fn done(found: Vec<Problem>) -> Result<(), Problems> {
    Problems::check(found)
}
