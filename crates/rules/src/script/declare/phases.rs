//! Reader of the result of `phases`: the phases with their steps, the order of turns in them, and the factions that may
//! interrupt.

use super::{Array, DeclarationPart, DeclarationReader, present_keys};
use crate::kernel::ids::HookId;
use crate::kernel::phase::{
    self, ActivatedUnits, EachKind, Filter, Interrupt, MAX_DEPTH, MAX_REPEATS, PassScope, Phase, PhaseBody,
    Trigger, TurnOrder, Turns, UnitMeasure,
};
use crate::kernel::rules::{Schema, Slot, SlotKind};
use crate::report::hint_for;
use crate::script::keys;
use crate::script::run::view::{ValueView, ViewMap};

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
                self.problem(
                    DeclarationPart::All,
                    "phases() returns no phase: nothing would happen",
                    "",
                );
                list
            }
            ValueView::List(list) => list,
            _ => {
                self.problem(DeclarationPart::All, "phases() must return a list of phases", "");
                Array::new()
            }
        };
        let children = self.phase_list(list, &mut phases, context, 2, 0);
        if children.is_empty() && self.problems.is_empty() {
            self.problem(
                DeclarationPart::All,
                "phases() must return at least one phase",
                "",
            );
        }
        phases[0].work = PhaseBody::Sequence(children);
        self.check_nesting(&phases);
        // The root is in no record.
        for (index, phase) in phases.iter().enumerate().skip(1) {
            if phases[1..index].iter().any(|p| p.name == phase.name) && self.problems.is_empty() {
                self.problem(
                    ("phase", phase.name.as_str()),
                    format!("two phases are called `{}`", phase.name),
                    "answers are found again by the phase's name: give each one of its own",
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
            let Some(map) = self.map(DeclarationPart::All, value, "a phase") else {
                continue;
            };
            if phases.len() >= u8::MAX as usize {
                self.problem(DeclarationPart::All, "more than 254 phases", "");
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
            let said = match (step, key) {
                (Some(step), _) => DeclarationPart::Text("step", step),
                (_, Some(key)) => DeclarationPart::Key(key),
                _ => DeclarationPart::All,
            };
            self.problem(said, "every phase needs a name: `phase: \"...\"`", "");
        }
        let name = name.unwrap_or_else(|| "?".to_owned());
        if let Some(why) = unfit_phase_name(&name).filter(|_| map.contains_key("phase")) {
            self.problem(
                ("phase", &*name),
                format!("a phase cannot be called `{name}`"),
                why,
            );
        }
        let repeat = self.flag(map, "repeat");
        let repeats = repeats + usize::from(repeat);
        if depth > MAX_DEPTH || repeats > MAX_REPEATS {
            self.problem(
                ("phase", &*name),
                format!("phases nest at most {MAX_DEPTH} deep, {MAX_REPEATS} of them repeating"),
                "",
            );
            return Phase::default();
        }
        let filters = self.filters(map, context);
        let of_turns = ["quota", "points", "cost", "pass", "next", "initiative"];
        for (made_of, idle) in [
            ("each", &of_turns[..]),
            ("phases", &["step", "filters"]),
            ("phases", &of_turns),
        ] {
            if !map.contains_key(made_of) {
                continue;
            }
            for key in present_keys(map, idle) {
                let why = format!("`{key}` says nothing of a phase with `{made_of}`");
                let hint = match of_turns.contains(&key) {
                    true => "it says how factions take turns: `turn: \"each\"` or another `turn`",
                    false => "leave it out, or say it of the phases inside",
                };
                self.problem(key, why, hint);
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
                let kind = self.one_of(map, "each", &kinds, "a phase cannot be for each");
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
                    self.problem(
                        ("phase", &*name),
                        format!("the phase `{name}` needs exactly one of `phases`, `each` and `turn`"),
                        "",
                    );
                }
                PhaseBody::default()
            }
        };
        let contest = self.text(map, "contest");
        if contest
            .as_ref()
            .is_some_and(|c| c.is_empty() || c.contains(char::is_control))
        {
            self.problem("contest", "a contest's name is one line that says something", "");
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
            let why = format!("`{key}` says who of all has the next turn, and the turn is one faction's");
            self.problem(key, why, "`turn: \"each\"` is everybody's");
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
            let why = "`points` are taken from a slot, and this is a stat, which does not change";
            let hint = "declare a slot of that name, in `slots()`, for units or factions";
            self.problem("points", why, hint);
        }
        if let (Some(_), None, false) = (cost, points, map.contains_key("points")) {
            let why = "`cost` says how much of its `points` an activation takes, and there are none";
            self.problem("cost", why, "name the slot: `points: \"...\"`");
        }
        let next = self
            .one_of(map, "next", &following, "nobody can be next by")
            .unwrap_or(TurnOrder::Order);
        let turns = Turns {
            quota,
            next,
            initiative: measure(self, "initiative"),
            points,
            cost,
            pass: self.one_of(map, "pass", &passes, "who passes cannot end"),
        };
        if turns.cost.is_some() && turns.pays_by_card() {
            let why = "`cost` says nothing where cards are drawn: a card is one of the `points`";
            self.problem(
                "cost",
                why,
                "leave it out, or let factions take turns by `next: \"order\"`",
            );
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
                let why =
                    "`quota` must be a number from 1 to 999, a list of the least and the most, or \"all\"";
                self.problem("quota", why, "`quota: 2`, or `quota: [1, 3]`");
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
            let why = format!("`{name}` is a number of units and of factions, and `{key}` names one of them");
            self.problem((key, name), why, "call one of them by another name");
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
            self.problem((key, name), why, &hint_for(name, known));
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
            let hint = "leave it out: what is said of a phase around it holds here too";
            self.problem("interrupts", "`interrupts` names no function", hint);
        }
        let mut interrupts = Vec::new();
        for (on, hook) in declared {
            let slots = &context.slots.unit;
            let trigger = match slots.iter().position(|s| s.name == on) {
                _ if on == "moved" => Trigger::Moved,
                Some(slot) if slots[slot].quiet => {
                    let why = format!("`{on}` is quiet: nobody hears when it changes");
                    self.problem(
                        &on,
                        why,
                        "`quiet: false` where it is declared has its changes told",
                    );
                    continue;
                }
                Some(slot) => Trigger::Slot(slot as u8),
                None => {
                    let known = slots.iter().filter(|s| !s.quiet).map(|s| s.name.as_str());
                    let hint = hint_for(&on, known.chain(["moved"]));
                    self.problem(&on, format!("nobody can interrupt after `{on}`"), &hint);
                    continue;
                }
            };
            let Some(name) = hook.as_text().map(str::to_owned) else {
                self.problem(
                    &on,
                    format!("`{on}` must be the name of a function in quotes"),
                    "",
                );
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
                let why = format!(
                    "in the simultaneous phase `{}` nothing is taken before its end",
                    phase.name
                );
                let hint = "`points` and cards are taken at once: leave `simultaneous` out";
                self.problem(("phase", phase.name.as_str()), why, hint);
            }
            let sequence = matches!(phase.work, PhaseBody::Sequence(_));
            if !sequence && (gathers || hides) && !phase::interrupts_of(phases, index as u8).is_empty() {
                let how = if gathers { "simultaneous" } else { "hidden" };
                let why = format!("nobody can interrupt `{}`: it is {how}", phase.name);
                let hint = "what happens in it is seen when it is over: say `interrupts` in other phases";
                self.problem(("phase", phase.name.as_str()), why, hint);
            }
        }
    }

    fn step(&mut self, map: &ViewMap, name: &str, context: &PhaseContext<'_>) -> HookId {
        if Self::lacks(map, "step", keys::PHASE) {
            let why = format!("the phase `{name}` needs a `step`: the function it runs");
            self.problem(("phase", name), why, "");
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
            let hint = "leave `filters` out, or say each: \"unit\"";
            self.problem(
                "filters",
                "filters say for which units, places or factions a step is",
                hint,
            );
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
                    let hint = hint_for(&word, slots.iter().map(|s| s.name.as_str()));
                    self.problem(("filters", &*word), format!("no faction is `{word}`"), &hint);
                }
                Some(filter) => filters.push(filter),
                None => {
                    let mut known = vec!["free".to_owned(), "engaged".into(), "contested".into()];
                    known.extend(zones.iter().map(|z| format!("in {z}")));
                    known.extend(zones.iter().map(|z| format!("in foe {z}")));
                    known.extend(slots.iter().map(|s| s.name.clone()));
                    let hint = hint_for(&word, known.iter().map(String::as_str));
                    self.problem(("filters", &*word), format!("there is no filter `{word}`"), &hint);
                }
            }
        }
        filters
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
