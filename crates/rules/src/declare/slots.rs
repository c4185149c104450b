//! Reader of the result of `slots`: the state of units, places, factions and the game.

use super::{DeclarationPart, DeclarationReader, TakenName, ViewMap, problems};
use crate::kernel::board::Board;
use crate::kernel::grid::Direction;
use crate::kernel::rules::{Hidden, ItemKind, Items, Schema, Slot, SlotKind};
use crate::keys;
use crate::report::hint_for;
use crate::run::value::Kind;
use crate::run::view::ValueView;

/// Maximum number of slots of a thing of one kind.
const MAX_SLOTS: usize = 254;
/// Maximum number of items of a set or list of the game or a faction.
const MAX_ITEMS: i64 = 1_000;
/// Maximum number of items of a set or list of a unit or a place, of which there are many.
const MAX_OWN_ITEMS: i64 = 64;

/// Values of the key `hidden`.
const HIDDEN: &str = "`true`, or a slot of the same thing that is true or false";

impl DeclarationReader<'_> {
    /// The slots of the game.
    pub fn slots(
        &mut self,
        value: ValueView,
        (stats, flags): (&[String], &[bool]),
        board: Option<&Board>,
        hooks: &[String],
        taken: &TakenName<'_>,
    ) -> Schema {
        let map = self
            .map(DeclarationPart::All, value, "slots()")
            .unwrap_or_default();
        self.keys(&map, keys::SLOTS, "slots()");
        let mut schema = Schema::default();
        let mut frees: Option<String> = None;
        let mut texts: Vec<(Kind, usize, Vec<String>)> = Vec::new();
        for (kind, of, target) in [
            ("game", Kind::Game, &mut schema.game),
            ("faction", Kind::Faction, &mut schema.faction),
            ("place", Kind::Place, &mut schema.place),
            ("unit", Kind::Unit, &mut schema.unit),
        ] {
            let Some(value) = map.get(kind) else { continue };
            self.within.push(kind.to_owned());
            let mut hidden = Vec::new();
            for (name, value) in self.map(kind, value.clone(), kind).unwrap_or_default() {
                self.hides(&name, &[of], "slot", taken);
                if name.is_empty() {
                    self.problem(kind, problems::wrong_name("a slot", "").hint("give it a name"));
                }
                let stats = if kind == "unit" { stats } else { &[] };
                let mut slot = self.inside(&[&name], |reader| {
                    reader.slot(&name, value.clone(), stats, board, hooks)
                });
                if let Some((items, own)) = self.inside(&[&name], |reader| reader.items(&name, &value, of)) {
                    let first = Schema::cells(target) as u32;
                    slot.kind = SlotKind::Items(Items { first, ..items });
                    texts.push((of, target.len(), own));
                }
                let stat = stats.iter().position(|s| *s == name);
                if stat.is_some_and(|stat| !flags[stat]) && slot.kind != SlotKind::Number {
                    self.problem(&name, problems::slot_hides_stat(&name));
                }
                if slot.hit.is_some() && (kind != "unit" || slot.kind != SlotKind::Number) {
                    self.problem(
                        &name,
                        problems::misplaced_key("hit", "a slot of a unit that is a number"),
                    );
                }
                if let ValueView::Map(form) = &value
                    && self.flag(form, "frees")
                {
                    if kind != "unit" || slot.kind != SlotKind::Flag {
                        let owner = "a slot of a unit that is true or false";
                        self.problem(&name, problems::misplaced_key("frees", owner));
                    } else if let Some(other) = frees.replace(name.clone()) {
                        self.problem(&name, problems::repeated_key("frees", &other, &name));
                    }
                }
                if slot.hides && (kind != "unit" || slot.kind != SlotKind::Flag) {
                    let owner = "a slot of a unit that is true or false";
                    self.problem(&name, problems::misplaced_key("hides", owner));
                }
                if let ValueView::Map(form) = &value
                    && let Some(ValueView::Text(flag)) = form.get("hidden")
                {
                    hidden.push((name.clone(), flag.clone()));
                }
                target.push(slot);
            }
            self.hiding_slots(target, hidden);
            if target.len() > MAX_SLOTS {
                let expected = format!("at most {MAX_SLOTS} slots");
                self.problem(
                    kind,
                    problems::wrong_count(&format!("a {kind}"), expected, target.len()),
                );
                target.truncate(MAX_SLOTS);
            }
            self.within.pop();
        }
        schema.frees = frees
            .and_then(|name| schema.unit.iter().position(|s| s.name == name))
            .map(|at| at as u8);
        let secrets = schema.all().any(|s| s.hides || s.hidden != Hidden::Never);
        schema.secrets = secrets;
        let all = texts.iter().flat_map(|(.., own)| own.iter().cloned());
        schema.texts = all.collect();
        schema.texts.sort();
        schema.texts.dedup();
        for (of, index, own) in texts {
            let slots = match of {
                Kind::Game => &mut schema.game,
                Kind::Faction => &mut schema.faction,
                Kind::Place => &mut schema.place,
                _ => &mut schema.unit,
            };
            if let Some(slot) = slots.get_mut(index) {
                let index = |text| Some(schema.texts.binary_search(text).ok()? as u16);
                slot.texts = own.iter().filter_map(index).collect();
            }
        }
        let mut hits = schema.unit.iter().filter(|slot| slot.hit == Some(true));
        if let (Some(one), Some(other)) = (hits.next(), hits.next()) {
            self.problem(&other.name, problems::repeated_key("hit", &one.name, &other.name));
        }
        schema
    }

    /// Resolves the slots, by name, that are hidden while another one is set, and checks those that hide something:
    /// the record must tell all that happens to them.
    fn hiding_slots(&mut self, slots: &mut [Slot], hidden: Vec<(String, String)>) {
        let mut hiding: Vec<usize> = (0..slots.len()).filter(|at| slots[*at].hides).collect();
        for (name, flag) in hidden {
            let is_flag = |slot: &Slot| slot.kind == SlotKind::Flag && slot.name != name;
            let Some(at) = slots.iter().position(|slot| is_flag(slot) && slot.name == flag) else {
                let flags = slots
                    .iter()
                    .filter(|slot| is_flag(slot))
                    .map(|slot| slot.name.as_str());
                let hint = hint_for(&flag, flags);
                let problem = problems::wrong_value("`hidden`", HIDDEN).hint(hint);
                self.inside(&[&name], |reader| reader.problem("hidden", problem));
                continue;
            };
            for slot in slots.iter_mut().filter(|slot| slot.name == name) {
                slot.hidden = Hidden::While(at as u8);
            }
            hiding.push(at);
        }
        hiding.dedup();
        for slot in hiding.into_iter().map(|at| &slots[at]) {
            let unseen = [
                ("quiet", slot.quiet),
                ("lasts", slot.lasts.is_some()),
                ("says", slot.says.is_some()),
            ];
            let is_hidden = slot.hidden != Hidden::Never;
            for (key, _) in unseen
                .into_iter()
                .chain([("hidden", is_hidden)])
                .filter(|(_, has)| *has)
            {
                let problem = problems::unseen_hiding(&slot.name, key);
                self.inside(&[&slot.name], |reader| reader.problem(key, problem));
            }
        }
        for slot in slots.iter().filter(|slot| slot.hidden != Hidden::Never) {
            for (key, has) in [("quiet", slot.quiet), ("says", slot.says.is_some())] {
                if has {
                    let problem = problems::exclusive_keys("hidden", key);
                    self.inside(&[&slot.name], |reader| reader.problem(key, problem));
                }
            }
        }
    }

    fn slot(
        &mut self,
        name: &str,
        value: ValueView,
        stats: &[String],
        board: Option<&Board>,
        hooks: &[String],
    ) -> Slot {
        let form = match value {
            ValueView::Map(form) => form,
            value => [("start".to_owned(), value)].into(),
        };
        self.keys(&form, keys::SLOT, "a slot");
        if name.contains(char::is_control) {
            self.problem(name, problems::wrong_name("a slot", name).hint("use one line"));
        }
        let many = form.contains_key("set") || form.contains_key("list");
        let holds = self.text(&form, "holds");
        let kind = match (holds.as_deref(), form.get("start")) {
            (Some("unit"), _) => SlotKind::Unit,
            (Some("place"), _) => SlotKind::Place,
            (Some("faction"), _) => SlotKind::Faction,
            (Some("dice"), _) => SlotKind::Dice,
            (Some("direction"), _) if board.is_none() => {
                self.problem(("holds", "direction"), problems::no_directions());
                SlotKind::Number
            }
            (Some("direction"), _) => SlotKind::Direction,
            (Some(other), _) => {
                self.wrong_word("holds", other, ["unit", "place", "faction", "direction", "dice"]);
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
                self.direction(name, start, board.map_or(&[], |board| board.directions()))
            }
            Some(_) if holds.is_some() => {
                let problem = problems::misplaced_key("start", "a number, a direction, or true or false");
                self.problem(name, problem);
                nothing
            }
            Some(ValueView::Int(n)) => *n,
            Some(ValueView::Bool(it)) => i64::from(*it),
            None if form.contains_key("holds") => nothing,
            None if many => 0,
            Some(ValueView::Text(_)) => {
                let what = format!("the slot `{name}`");
                self.problem(
                    name,
                    problems::wrong_kind(&what, "a number, true or false", "a text"),
                );
                0
            }
            None if !Self::lacks(&form, "start", keys::SLOT) => 0,
            _ => {
                let what = format_args!("the slot `{name}`");
                let form = "write a number, true or false, or `holds: \"unit\"` or another kind of thing";
                self.problem(name, problems::missing_part(what, "start").hint(form));
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
                self.problem(name, problems::misplaced_key(key, "a number"));
            }
        }
        if at_zero.is_some() && !matches!(kind, SlotKind::Number | SlotKind::Flag) {
            let owner = "a number, or true or false";
            self.problem(name, problems::misplaced_key("at_zero", owner));
        }
        // A text names a slot, which is looked for when all of them are read.
        let hidden = match form.get("hidden") {
            None => false,
            Some(ValueView::Bool(hidden)) => *hidden,
            Some(ValueView::Text(_)) => true,
            Some(_) => {
                self.problem("hidden", problems::wrong_value("`hidden`", HIDDEN));
                false
            }
        };
        let quiet = match form.contains_key("quiet") {
            true => self.flag(&form, "quiet"),
            false => {
                let told = matches!(kind, SlotKind::Number | SlotKind::Flag | SlotKind::Direction);
                !hidden && (many || !told)
            }
        };
        let (mark, inner) = self.mark(name, &form, kind, quiet || many);
        let arc = form.get("arc").and_then(|arc| {
            let width = arc
                .as_int()
                .and_then(|n| u16::try_from(n).ok())
                .filter(|n| *n <= 360);
            if width.is_none() {
                self.wrong_value("arc", "a number of degrees from 0 to 360");
            }
            if kind != SlotKind::Number || many || board.is_some() {
                let problem = problems::misplaced_key("arc", "a number of units on a table top");
                self.problem("arc", problem);
            }
            width
        });
        // The picture shows it.
        let mark = mark.filter(|_| arc.is_none() || form.contains_key("mark"));
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
            arc,
            hidden: match hidden {
                true => Hidden::Always,
                false => Hidden::Never,
            },
            hides: self.flag(&form, "hides"),
            texts: Vec::new(),
        }
    }

    /// The format of a set or list, and the texts that it may hold.
    fn items(&mut self, name: &str, value: &ValueView, of: Kind) -> Option<(Items, Vec<String>)> {
        let ValueView::Map(form) = value else { return None };
        let key = match (form.contains_key("set"), form.contains_key("list")) {
            (true, true) => {
                self.problem(name, problems::exclusive_keys("set", "list"));
                "set"
            }
            (true, false) => "set",
            (false, true) => "list",
            (false, false) => {
                for key in ["at_most", "texts"]
                    .into_iter()
                    .filter(|key| form.contains_key(*key))
                {
                    self.problem(name, problems::misplaced_key(key, "a set or a list"));
                }
                return None;
            }
        };
        const OTHERS: [&str; 11] = [
            "start", "holds", "at_zero", "falls", "rises", "fell", "rose", "hit", "mark", "says", "frees",
        ];
        for other in super::present_keys(form, &OTHERS) {
            let is_plain = other == "mark" && form[other].as_bool() == Some(false);
            if !is_plain {
                self.problem(name, problems::exclusive_keys(key, other));
            }
        }
        let told = self.text(form, key).unwrap_or_else(|| "number".to_owned());
        let mut kinds = told.split(" and ").map(|word| {
            let known = ItemKind::NAMES.iter().find(|(name, _)| *name == word);
            known.map(|(_, kind)| *kind).ok_or(word)
        });
        let (first, second, more) = (kinds.next(), kinds.next(), kinds.next());
        let mut read = |kind: Option<Result<ItemKind, &str>>| match kind? {
            Ok(kind) => Some(kind),
            Err(word) => {
                self.wrong_word(key, word, ItemKind::NAMES.map(|(name, _)| name));
                None
            }
        };
        let (kind, second) = (read(first), read(second));
        if more.is_some() {
            self.problem(
                (key, told.as_str()),
                problems::wrong_value(format!("`{key}`"), "one kind, or two joined by ` and `"),
            );
        }
        let items = Items {
            of: kind.unwrap_or(ItemKind::Number),
            second,
            is_set: key == "set",
            at_most: 0,
            first: 0,
        };
        let most = match of {
            Kind::Game | Kind::Faction => MAX_ITEMS,
            _ => MAX_OWN_ITEMS,
        };
        if Self::lacks(form, "at_most", keys::SLOT) {
            let what = format_args!("the slot `{name}`");
            let hint =
                format!("write `at_most: 12` or another limit up to {most}: room is kept for so many items");
            self.problem(name, problems::missing_part(what, "`at_most`").hint(hint));
        }
        let at_most = self.number(form, "at_most", (1, most), 1) as u16;
        let texts = self.texts(form, "texts");
        let holds_texts = items.parts().any(|kind| kind == ItemKind::Text);
        let odd =
            |text: &String| text.is_empty() || text.contains([',', ':']) || text.contains(char::is_control);
        if !holds_texts && form.contains_key("texts") {
            self.problem(name, problems::misplaced_key("texts", "a set or a list of texts"));
        } else if holds_texts && texts.is_empty() {
            let what = format_args!("the slot `{name}`");
            let hint = "write those that it may hold: `texts: [\"fire\", \"ice\"]`";
            self.problem(name, problems::missing_part(what, "`texts`").hint(hint));
        } else if let Some(odd) = texts.iter().find(|text| odd(text)) {
            let expected = "texts of one line, without `,` and `:`";
            self.problem(
                ("texts", odd.as_str()),
                problems::wrong_value("`texts`", expected),
            );
        }
        Some((Items { at_most, ..items }, texts))
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
                let expected = "`false`, or one line of words for a number or for true or false";
                self.problem(name, problems::wrong_value("`mark`", expected));
                (None, false)
            }
        }
    }

    /// Reads the words by which the record reports that a slot becomes true.
    fn event_words(&mut self, name: &str, form: &ViewMap, kind: SlotKind) -> Option<String> {
        let says = self.text(form, "says")?;
        let problem = match kind {
            SlotKind::Flag if says.trim().is_empty() || says.contains(char::is_control) => {
                problems::wrong_value("`says`", "one line of words")
            }
            SlotKind::Flag => return Some(says),
            _ => problems::misplaced_key("says", "a slot that is true or false"),
        };
        self.problem(name, problem);
        None
    }

    /// A direction that a slot starts with.
    fn direction(&mut self, slot: &str, start: &ValueView, directions: &[Direction]) -> i64 {
        let named = start.as_text().unwrap_or_default();
        let found = directions.iter().position(|d| d.name == named);
        if found.is_none() {
            let hint = hint_for(named, directions.iter().map(|d| d.name));
            self.problem(slot, problems::wrong_word("start", named).hint(hint));
        }
        found.map_or(crate::kernel::rules::NOTHING, |d| d as i64)
    }
}
