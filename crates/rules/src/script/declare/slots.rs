//! Reader of the result of `slots`: the state of units, places, factions and the game.

use super::{DeclarationPart, DeclarationReader, TakenName, ViewMap};
use crate::kernel::ground::grid::Grid;
use crate::kernel::rules::{Schema, Slot, SlotKind};
use crate::report::hint_for;
use crate::script::keys;
use crate::script::run::value::Kind;
use crate::script::run::view::ValueView;

/// Maximum number of slots of a thing of one kind.
const MAX_SLOTS: usize = 254;

impl DeclarationReader<'_> {
    /// The slots of the game.
    pub fn slots(
        &mut self,
        value: ValueView,
        (stats, flags): (&[String], &[bool]),
        grid: Option<Grid>,
        hooks: &[String],
        taken: &TakenName<'_>,
    ) -> Schema {
        let map = self
            .map(DeclarationPart::All, value, "slots()")
            .unwrap_or_default();
        self.keys(&map, keys::SLOTS, "slots()");
        let mut schema = Schema::default();
        let mut frees: Option<String> = None;
        for (kind, of, target) in [
            ("game", Kind::Game, &mut schema.game),
            ("faction", Kind::Faction, &mut schema.faction),
            ("place", Kind::Place, &mut schema.place),
            ("unit", Kind::Unit, &mut schema.unit),
        ] {
            let Some(value) = map.get(kind) else { continue };
            self.within.push(kind.to_owned());
            for (name, value) in self.map(kind, value.clone(), kind).unwrap_or_default() {
                self.hides(&name, &[of], "slot", taken);
                if name.is_empty() {
                    self.problem(kind, "a slot has a name", "");
                }
                let stats = if kind == "unit" { stats } else { &[] };
                let slot = self.inside(&[&name], |reader| {
                    reader.slot(&name, value.clone(), stats, grid, hooks)
                });
                let stat = stats.iter().position(|s| *s == name);
                if stat.is_some_and(|stat| !flags[stat]) && slot.kind != SlotKind::Number {
                    let why =
                        format!("the stat `{name}` is a number; the slot `{name}` is none and would hide it");
                    let hint =
                        "call it by another name, or let it be a number, which starts as the stat says";
                    self.problem(&name, why, hint);
                }
                if slot.hit.is_some() && (kind != "unit" || slot.kind != SlotKind::Number) {
                    let why = "a hit takes from a number of a unit";
                    let hint = "unit: #{ life: #{ start: 3, hit: true } }";
                    self.problem(&name, why, hint);
                }
                if let ValueView::Map(form) = &value
                    && self.flag(form, "frees")
                {
                    if kind != "unit" || slot.kind != SlotKind::Flag {
                        let why = "what keeps a unit from being engaged is true or false of it";
                        let hint = "unit: #{ stunned: #{ start: false, frees: true } }";
                        self.problem(&name, why, hint);
                    } else if let Some(other) = frees.replace(name.clone()) {
                        let why = format!("both `{other}` and `{name}` keep a unit from being engaged");
                        let hint = "leave `frees` out of one of them, and let the other be set with it";
                        self.problem(&name, why, hint);
                    }
                }
                target.push(slot);
            }
            if target.len() > MAX_SLOTS {
                let why = format!(
                    "a {kind} has at most {MAX_SLOTS} slots, and these are {}",
                    target.len()
                );
                self.problem(kind, why, "what stays as it is, a function of the script can say");
                target.truncate(MAX_SLOTS);
            }
            self.within.pop();
        }
        schema.frees = frees
            .and_then(|name| schema.unit.iter().position(|s| s.name == name))
            .map(|at| at as u8);
        let mut hits = schema.unit.iter().filter(|slot| slot.hit == Some(true));
        if let (Some(one), Some(other)) = (hits.next(), hits.next()) {
            let why = format!("hits cannot take from both `{}` and `{}`", one.name, other.name);
            let hint = "leave `hit` out of one of them; `add` takes from any slot";
            self.problem(&other.name, why, hint);
        }
        schema
    }

    fn slot(
        &mut self,
        name: &str,
        value: ValueView,
        stats: &[String],
        grid: Option<Grid>,
        hooks: &[String],
    ) -> Slot {
        let form = match value {
            ValueView::Map(form) => form,
            value => [("start".to_owned(), value)].into(),
        };
        self.keys(&form, keys::SLOT, "a slot");
        if name.contains(char::is_control) {
            self.problem(name, "a slot's name is one line", "");
        }
        let holds = self.text(&form, "holds");
        let kind = match (holds.as_deref(), form.get("start")) {
            (Some("unit"), _) => SlotKind::Unit,
            (Some("place"), _) => SlotKind::Place,
            (Some("faction"), _) => SlotKind::Faction,
            (Some("dice"), _) => SlotKind::Dice,
            (Some("direction"), _) if grid.is_none() => {
                let why = "a table top has no directions for a slot to hold";
                let hint = "hold degrees as a number: `angle(from, to)` says them, `spot(from, degrees, length)` takes them";
                self.problem(("holds", "direction"), why, hint);
                SlotKind::Number
            }
            (Some("direction"), _) => SlotKind::Direction,
            (Some(other), _) => {
                let hint = hint_for(other, ["unit", "place", "faction", "direction", "dice"]);
                self.problem(("holds", other), format!("a slot cannot hold `{other}`"), &hint);
                SlotKind::Number
            }
            (None, Some(ValueView::Bool(_))) => SlotKind::Flag,
            _ => SlotKind::Number,
        };
        let nothing = match kind {
            SlotKind::Dice => 0,
            _ => crate::kernel::rules::NOTHING,
        };
        let start = match form.get("start") {
            Some(start) if kind == SlotKind::Direction => {
                self.direction(name, start, grid.unwrap_or_default())
            }
            Some(_) if holds.is_some() => {
                self.problem(
                    name,
                    format!("the slot `{name}` holds a thing and starts with nothing"),
                    "leave `start` out",
                );
                nothing
            }
            Some(ValueView::Int(n)) => *n,
            Some(ValueView::Bool(it)) => i64::from(*it),
            None if form.contains_key("holds") => nothing,
            Some(ValueView::Text(_)) => {
                let why = format!("the slot `{name}` holds no text");
                let hint = "a slot is a number, true or false, or `holds` a thing; for a few words one is true of each";
                self.problem(name, why, hint);
                0
            }
            None if !Self::lacks(&form, "start", keys::SLOT) => 0,
            _ => {
                self.problem(
                    name,
                    format!("the slot `{name}` needs a starting value"),
                    "a number, true or false, or holds: \"unit\", \"place\", \"faction\", \"direction\" or \"dice\"",
                );
                0
            }
        };
        let mut hooked = |key| {
            let f = self.text(&form, key)?;
            self.hooked(key, &f, hooks)
        };
        let at_zero = hooked("at_zero");
        let changes = ["falls", "rises", "fell", "rose"].map(|key| (key, hooked(key)));
        let [falls, rises, fell, rose] = changes.map(|(_, hook)| hook);
        for (key, of) in changes {
            if of.is_some() && kind != SlotKind::Number {
                let why = format!("the slot `{name}` is no number, and only a number falls and rises");
                self.problem(name, why, &format!("leave `{key}` out"));
            }
        }
        if at_zero.is_some() && !matches!(kind, SlotKind::Number | SlotKind::Flag) {
            let why = format!("the slot `{name}` is no number, and only a number comes to 0");
            self.problem(name, why, "leave `at_zero` out");
        }
        let quiet = match form.contains_key("quiet") {
            true => self.flag(&form, "quiet"),
            false => !matches!(kind, SlotKind::Number | SlotKind::Flag | SlotKind::Direction),
        };
        let (mark, inner) = self.mark(name, &form, kind, quiet);
        Slot {
            name: name.to_owned(),
            kind,
            start,
            from_stat: stats.iter().position(|s| s == name && kind == SlotKind::Number),
            lasts: self.text(&form, "lasts"),
            at_zero,
            falls,
            rises,
            fell,
            rose,
            says: self.event_words(name, &form, kind),
            hit: form.contains_key("hit").then(|| self.flag(&form, "hit")),
            quiet,
            mark,
            inner,
        }
    }

    /// Words for the mark of a slot, and whether it is kept from people: `mark: false` says so.
    fn mark(&mut self, name: &str, form: &ViewMap, kind: SlotKind, quiet: bool) -> (Option<String>, bool) {
        let shows = matches!(kind, SlotKind::Number | SlotKind::Flag);
        match form.get("mark") {
            None if shows && !quiet => (Some(name.replace('_', " ")), false),
            None => (None, false),
            Some(ValueView::Bool(false)) => (None, true),
            Some(ValueView::Text(words))
                if shows && !words.trim().is_empty() && !words.contains(char::is_control) =>
            {
                (Some(words.clone()), false)
            }
            Some(_) => {
                let why = "a mark is one line of words for a number or for what is true or false, or `false`";
                self.problem(name, why, "stunned: #{ start: false, mark: \"stunned\" }");
                (None, false)
            }
        }
    }

    /// Reads the words by which the record reports that a slot becomes true.
    fn event_words(&mut self, name: &str, form: &ViewMap, kind: SlotKind) -> Option<String> {
        let says = self.text(form, "says")?;
        let unfit = match kind {
            SlotKind::Flag if says.trim().is_empty() || says.contains(char::is_control) => {
                "it is told in one line of words"
            }
            SlotKind::Flag => return Some(says),
            _ => "only what is true or false is told by its own words",
        };
        let hint = "stunned: #{ start: false, says: \"is stunned\" }";
        self.problem(name, unfit, hint);
        None
    }

    /// A direction that a slot starts with.
    fn direction(&mut self, slot: &str, start: &ValueView, grid: Grid) -> i64 {
        let directions = grid.directions();
        let named = start.as_text().unwrap_or_default();
        let found = directions.iter().position(|d| d.name == named);
        if found.is_none() {
            let why = format!("the slot `{slot}` must start with a direction that the board has");
            self.problem(slot, why, &hint_for(named, directions.iter().map(|d| d.name)));
        }
        found.map_or(crate::kernel::rules::NOTHING, |d| d as i64)
    }
}
