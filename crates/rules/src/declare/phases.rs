//! Reader of the result of `phases`: the phases with their steps, the order of turns in them, and the factions that may
//! interrupt.

use super::{Array, DeclarationPart, DeclarationReader, present_keys, problems};
use crate::kernel::ids::HookId;
use crate::kernel::phase::{
    self, ActivatedUnits, EachKind, Filter, Interrupt, MAX_DEPTH, MAX_REPEATS, PassScope, Phase, PhaseBody,
    Trigger, TurnOrder, Turns, UnitMeasure,
};
use crate::kernel::rules::{Schema, Slot, SlotKind};
use crate::keys;
use crate::report::hint_for;
use crate::run::view::{ValueView, ViewMap};

/// Names that phases can use, and the number of factions that take turns.
pub struct PhaseContext<'a> {
    /// The zones.
    pub zones: &'a [String],
    /// The slots.
    pub slots: &'a Schema,
    /// The stats.
    pub stats: &'a [String],
    /// Number of factions.
    pub factions: usize,
    /// The functions of the game.
    pub hooks: &'a [String],
}

impl DeclarationReader<'_> {
    /// The phases as a flat list, the root first.
    pub fn phases(&mut self, value: ValueView, context: &PhaseContext<'_>) -> Vec<Phase> {
        let mut phases = vec![Phase {
            name: "play".to_owned(),
            ..Phase::default()
        }];
        let list = match value {
            ValueView::List(list) if list.is_empty() => {
                let form = "write at least one: `#{ phase: \"play\", turn: \"each\", step: \"act\" }`";
                let no_phases = problems::missing_part("phases()", "phase").hint(form);
                self.problem(DeclarationPart::All, no_phases);
                list
            }
            ValueView::List(list) => list,
            other => {
                let found = other.kind().noun();
                let problem = problems::wrong_kind("phases()", "a list of phases", found);
                self.problem(DeclarationPart::All, problem);
                Array::new()
            }
        };
        let children = self.phase_list(list, &mut phases, context, 2, 0);
        phases[0].work = PhaseBody::Sequence(children);
        self.check_nesting(&phases);
        // The root is in no record.
        for (index, phase) in phases.iter().enumerate().skip(1) {
            if phases[1..index].iter().any(|p| p.name == phase.name) && self.problems.is_empty() {
                let problem = problems::repeated_name("two phases", &phase.name);
                self.problem(("phase", phase.name.as_str()), problem);
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
            let Some(map) = self.map(DeclarationPart::All, value, "a phase") else {
                continue;
            };
            if phases.len() >= u8::MAX as usize {
                let expected = "at most 254 phases".to_owned();
                let problem = problems::wrong_count("a game", expected, phases.len());
                self.problem(DeclarationPart::All, problem);
                break;
            }
            let index = phases.len() as u8;
            phases.push(Phase::default());
            let name = map.get("phase").and_then(ValueView::as_text);
            let phase = self.inside(name.as_slice(), |reader| {
                reader.phase(&map, phases, context, depth, repeats)
            });
            phases[index as usize] = phase;
            children.push(index);
        }
        children
    }

    fn phase(
        &mut self,
        map: &ViewMap,
        phases: &mut Vec<Phase>,
        context: &PhaseContext<'_>,
        depth: usize,
        repeats: usize,
    ) -> Phase {
        self.keys(map, keys::PHASE, "a phase");
        let name = self.text(map, "phase");
        if Self::lacks(map, "phase", keys::PHASE) {
            // It is known by what else it says.
            let step = map.get("step").and_then(ValueView::as_text);
            let key = present_keys(map, &["each", "turn", "phases"]).next();
            let part = match (step, key) {
                (Some(step), _) => DeclarationPart::Text("step", step),
                (_, Some(key)) => DeclarationPart::Key(key),
                _ => DeclarationPart::All,
            };
            self.problem(
                part,
                problems::missing_part("a phase", "name").hint("write `phase: \"...\"`"),
            );
        }
        let name = name.unwrap_or_else(|| "?".to_owned());
        if let Some(form) = unfit_phase_name(&name).filter(|_| map.contains_key("phase")) {
            self.problem(
                ("phase", &*name),
                problems::wrong_name("a phase", &name).hint(form),
            );
        }
        let repeat = self.flag(map, "repeat");
        let repeats = repeats + usize::from(repeat);
        if depth > MAX_DEPTH || repeats > MAX_REPEATS {
            self.problem(("phase", &*name), problems::deep_phases(MAX_DEPTH, MAX_REPEATS));
            return Phase::default();
        }
        let filters = self.filters(map, context);
        let of_turns = ["quota", "points", "cost", "pass", "next", "initiative"];
        for (other, idle, owner) in [
            ("each", &of_turns[..], "a phase with `turn`"),
            ("phases", &["step", "filters"], "a phase with `turn` or `each`"),
            ("phases", &of_turns, "a phase with `turn`"),
        ] {
            for key in present_keys(map, idle).filter(|_| map.contains_key(other)) {
                self.problem(key, problems::misplaced_key(key, owner));
            }
        }
        let work = match (map.get("phases"), map.get("each"), map.get("turn")) {
            (Some(_), None, None) => {
                let list = self.list(map, "phases").unwrap_or_default();
                PhaseBody::Sequence(self.phase_list(list, phases, context, depth + 1, repeats))
            }
            (None, Some(_), None) => {
                let kinds = [
                    ("game", EachKind::Game),
                    ("faction", EachKind::Faction),
                    ("place", EachKind::Place),
                    ("unit", EachKind::Unit),
                ];
                let kind = self.one_of(map, "each", &kinds);
                let kind = kind.unwrap_or(EachKind::Game);
                PhaseBody::Each {
                    kind,
                    filters,
                    hook: self.step(map, &name, context),
                    idle: 0,
                }
            }
            (None, None, Some(_)) => {
                let (whose, turns) = match self.text(map, "turn") {
                    Some(word) => self.turns(map, &word, context),
                    None => (ActivatedUnits::Each, None),
                };
                PhaseBody::Turn {
                    whose,
                    filters,
                    hook: self.step(map, &name, context),
                    turns,
                }
            }
            (phases, each, turn) => {
                let is_lacking = ["phases", "each", "turn"]
                    .iter()
                    .all(|key| Self::lacks(map, key, keys::PHASE));
                if is_lacking || phases.or(each).or(turn).is_some() {
                    self.problem(("phase", &*name), problems::wrong_phase_body(&name));
                }
                PhaseBody::default()
            }
        };
        let contest = self.text(map, "contest");
        if contest
            .as_ref()
            .is_some_and(|c| c.is_empty() || c.contains(char::is_control))
        {
            self.wrong_value("contest", "one line of words");
        }
        Phase {
            clears: context.slots.lasting(&name),
            name,
            repeat,
            contest,
            setup: self.flag(map, "setup"),
            simultaneous: self.flag(map, "simultaneous"),
            hidden: self.flag(map, "hidden"),
            quiet: self.flag(map, "quiet"),
            whole: self.flag(map, "whole"),
            interrupts: self.interrupts(map, context),
            work,
        }
    }

    /// Reads the factions whose units a turn activates, and the order in which factions take turns.
    fn turns(
        &mut self,
        map: &ViewMap,
        word: &str,
        context: &PhaseContext<'_>,
    ) -> (ActivatedUnits, Option<Box<Turns>>) {
        const ALL: u16 = u16::MAX;
        let each = word == "each";
        let only_each = present_keys(map, &["next", "initiative"]).next();
        if let Some(key) = only_each.filter(|_| !each) {
            self.problem(key, problems::misplaced_key(key, "`turn: \"each\"`"));
        }
        let whose = match each {
            true => ActivatedUnits::Each,
            false => ActivatedUnits::Nth(self.whose("turn", word, context.factions, Some("each"))),
        };
        let plain = present_keys(map, &["quota", "points", "cost", "pass"])
            .next()
            .is_none();
        if !each && plain {
            return (whose, None);
        }
        let quota = match map.get("quota") {
            None if each => (1, 1),
            None => (ALL, ALL),
            Some(quota) => self.quota(quota),
        };
        let following = [
            ("order", TurnOrder::Order),
            ("asked", TurnOrder::Asked),
            ("drawn", TurnOrder::Drawn),
            ("drawn unit", TurnOrder::DrawnUnit),
        ];
        let passes = [
            ("turn", PassScope::Turn),
            ("phase", PassScope::Phase),
            ("all", PassScope::All),
        ];
        let measure = |reader: &mut Self, key: &str| {
            let name = reader.text(map, key)?;
            reader.measure(key, &name, context)
        };
        let points = measure(self, "points");
        let cost = measure(self, "cost");
        if matches!(points, Some(UnitMeasure::Stat(_))) {
            self.problem("points", problems::wrong_kind("`points`", "a slot", "a stat"));
        }
        if let (Some(_), None, false) = (cost, points, map.contains_key("points")) {
            self.problem("cost", problems::misplaced_key("cost", "a turn with `points`"));
        }
        let next = self.one_of(map, "next", &following).unwrap_or(TurnOrder::Order);
        let turns = Turns {
            quota,
            next,
            initiative: measure(self, "initiative"),
            points,
            cost,
            pass: self.one_of(map, "pass", &passes),
        };
        if turns.cost.is_some() && turns.pays_by_card() {
            self.problem("cost", problems::misplaced_key("cost", "a turn without cards"));
        }
        (whose, Some(Box::new(turns)))
    }

    /// Reads the minimum and maximum number of activations in a turn.
    fn quota(&mut self, quota: &ValueView) -> (u16, u16) {
        let count = |n: &ValueView| {
            n.as_int()
                .and_then(|n| u16::try_from(n).ok())
                .filter(|n| *n <= 999)
        };
        let range = match quota {
            ValueView::Text(all) if all == "all" => Some((u16::MAX, u16::MAX)),
            ValueView::List(range) => match range[..] {
                [ref least, ref most] => count(least).zip(count(most)),
                _ => None,
            },
            quota => count(quota).map(|n| (n, n)),
        };
        range
            .filter(|(least, most)| least <= most && *most > 0)
            .unwrap_or_else(|| {
                self.wrong_value("quota", "a number from 1 to 999, `[least, most]` or \"all\"");
                (1, 1)
            })
    }

    /// The slot or stat that a key names.
    fn measure(&mut self, key: &str, name: &str, context: &PhaseContext<'_>) -> Option<UnitMeasure> {
        let number = |slot: &Slot| slot.kind == SlotKind::Number;
        let slot = |slots: &[Slot]| slots.iter().position(|s| s.name == name && number(s));
        let unit = slot(&context.slots.unit).map(|i| UnitMeasure::Unit(i as u8));
        let stat = context
            .stats
            .iter()
            .position(|s| s == name)
            .map(UnitMeasure::Stat);
        let faction = slot(&context.slots.faction).map(|i| UnitMeasure::Faction(i as u8));
        let of_units = unit.or(stat);
        if of_units.is_some() && faction.is_some() {
            let what = "a number of units and a number of factions";
            self.problem((key, name), problems::repeated_name(what, name));
        }
        let found = of_units.or(faction);
        if found.is_none() {
            let slots = context.slots.unit.iter().chain(&context.slots.faction);
            let known: Vec<&str> = slots
                .filter(|s| number(s))
                .map(|s| s.name.as_str())
                .chain(context.stats.iter().map(String::as_str))
                .collect();
            self.unknown_name((key, name), "number of units or factions", known);
        }
        found
    }

    /// Reads the events after which the other factions are asked.
    fn interrupts(&mut self, map: &ViewMap, context: &PhaseContext<'_>) -> Vec<Interrupt> {
        let declared = match map.get("interrupts") {
            None => return Vec::new(),
            Some(ValueView::Text(hook)) => [("moved".to_owned(), ValueView::Text(hook.clone()))].into(),
            Some(value) => match self.map("interrupts", value.clone(), "interrupts") {
                Some(map) => map,
                None => return Vec::new(),
            },
        };
        if declared.is_empty() {
            let form = "leave `interrupts` out";
            self.problem(
                "interrupts",
                problems::missing_part("`interrupts`", "function").hint(form),
            );
        }
        let mut interrupts = Vec::new();
        for (on, hook) in declared {
            let slots = &context.slots.unit;
            let trigger = match slots.iter().position(|s| s.name == on) {
                _ if on == "moved" => Trigger::Moved,
                Some(slot) if slots[slot].quiet => {
                    self.problem(&on, problems::quiet_trigger(&on));
                    continue;
                }
                Some(slot) => Trigger::Slot(slot as u8),
                None => {
                    let known = slots.iter().filter(|s| !s.quiet).map(|s| s.name.as_str());
                    let hint = hint_for(&on, known.chain(["moved"]));
                    self.problem(&on, problems::unknown_key("`interrupts`", &on).hint(hint));
                    continue;
                }
            };
            let Some(name) = hook.as_text().map(str::to_owned) else {
                self.wrong_value(&on, "the name of a function in quotes");
                continue;
            };
            interrupts.push(Interrupt {
                on: trigger,
                hook: self.function("interrupts", &name, context),
                name,
            });
        }
        interrupts
    }

    /// Checks phases inside each other for combinations that are not allowed.
    fn check_nesting(&mut self, phases: &[Phase]) {
        for (index, phase) in phases.iter().enumerate() {
            let around = |is: fn(&Phase) -> bool| {
                phase::outwards(phases, index as u8).any(|p| is(&phases[p as usize]))
            };
            let (gathers, hides) = (around(|p| p.simultaneous), around(|p| p.hidden));
            if let PhaseBody::Turn {
                turns: Some(turns), ..
            } = &phase.work
                && gathers
                && (turns.points.is_some() || matches!(turns.next, TurnOrder::Drawn | TurnOrder::DrawnUnit))
            {
                let problem = problems::cards_in_simultaneous_phase(&phase.name);
                self.problem(("phase", phase.name.as_str()), problem);
            }
            let sequence = matches!(phase.work, PhaseBody::Sequence(_));
            if !sequence && (gathers || hides) && !phase::interrupts_of(phases, index as u8).is_empty() {
                let how = if gathers { "simultaneous" } else { "hidden" };
                let problem = problems::interrupts_in_closed_phase(&phase.name, how);
                self.problem(("phase", phase.name.as_str()), problem);
            }
        }
    }

    fn step(&mut self, map: &ViewMap, name: &str, context: &PhaseContext<'_>) -> HookId {
        if Self::lacks(map, "step", keys::PHASE) {
            let what = format_args!("the phase `{name}`");
            let form = "name the function that it runs: `step: \"...\"`";
            self.problem(("phase", name), problems::missing_part(what, "`step`").hint(form));
        }
        match self.text(map, "step") {
            Some(step) => self.function("step", &step, context),
            None => HookId(0),
        }
    }

    fn function(&mut self, key: &str, name: &str, context: &PhaseContext<'_>) -> HookId {
        self.hooked(key, name, context.hooks).unwrap_or_default()
    }

    fn filters(&mut self, map: &ViewMap, context: &PhaseContext<'_>) -> Vec<Filter> {
        let zones = context.zones;
        let each = map.get("each").and_then(ValueView::as_text).map(str::to_owned);
        let slots = match each.as_deref() {
            Some("place") => &context.slots.place,
            Some("faction") => &context.slots.faction,
            _ => &context.slots.unit,
        };
        let mut filters = Vec::new();
        if each.as_deref() == Some("game") && map.contains_key("filters") {
            let owner = "units, places and factions";
            self.problem("filters", problems::misplaced_key("filters", owner));
        }
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
                    let known = slots.iter().map(|s| s.name.as_str());
                    self.unknown_name(("filters", &word), "filter", known);
                }
                Some(filter) => filters.push(filter),
                None => {
                    let mut known = vec!["free".to_owned(), "engaged".into(), "contested".into()];
                    known.extend(zones.iter().map(|z| format!("in {z}")));
                    known.extend(zones.iter().map(|z| format!("in foe {z}")));
                    known.extend(slots.iter().map(|s| s.name.clone()));
                    self.unknown_name(("filters", &word), "filter", known.iter().map(String::as_str));
                }
            }
        }
        filters
    }
}

/// Returns how to name a phase whose name would make lines of a transcript ambiguous.
fn unfit_phase_name(name: &str) -> Option<&'static str> {
    let words: Vec<&str> = name.split(' ').collect();
    let inner = |c: char| c.is_alphanumeric() || "-_'".contains(c);
    let plain = |word: &&str| !word.is_empty() && word.chars().all(inner);
    let is_number = |word: &&str| word.chars().all(|c| c.is_ascii_digit());
    if !name.starts_with(char::is_alphabetic) || !words.iter().all(plain) {
        Some("use words of letters, digits, -, _ and ' that begin with a letter, one blank apart")
    } else if words.last().is_some_and(is_number) {
        Some("do not end the name with a number: transcripts count phases so")
    } else if words[1..].iter().any(|w| RECORD_WORDS.contains(w)) {
        Some("do not use `chose`, `rolled`, `threw`, `activates` or `passes`: they are words of transcripts")
    } else {
        None
    }
}

/// Words behind a name that make a line of a record an answer or a roll.
const RECORD_WORDS: [&str; 5] = ["chose", "rolled", "threw", "activates", "passes"];
