//! Makes changes by hand on the table of a play.
//!
//! What the rules refuse when a scenario is laid they refuse here: the same functions say so.

use super::set_up::{may_not_start, misplaced};
use crate::description::change::{self, Change, parse};
use crate::description::lay::{LaidUnit, find_terrain, lay_piece, off_board, over_stack, set_slot};
use crate::description::problems::{
    change_after_the_end, change_of_a_secret, die_off_board, impossible_dice, incomplete_type,
    missing_terrain, no_forced_dice, place_as_slot, refused_lift, repeated_terrain, unit_as_place,
    unit_as_type, unit_out_of_play,
};
use crate::description::{RESERVE, SlotValue, Slots, Spanned, dice, find};
use crate::event_text::{self, EventSpelling};
use crate::kernel::dice::Pool;
use crate::kernel::effect::{self, Effect};
use crate::kernel::ids::{FactionId, HookId, MAX_UNITS, TerrainId, Thing, UnitId, UnitSet};
use crate::kernel::rules::{Rules, Words};
use crate::kernel::spot::Spot;
use crate::kernel::table::{Forced, Position, View};
use crate::kernel::throws;
use crate::kernel::world::World;
use crate::play::{Play, Progress, RulesChangeCost};
use crate::report::problems::unknown_thing;
use crate::report::{Problem, Problems, Source, hint_for};
use crate::scenario::problems::{refused_position, too_many_units, unknown_name};
use std::ops::Range;
use std::sync::Arc;

/// Names that somebody may use for a unit's place, taking it for a slot.
const WHERE: [&str; 4] = ["place", "spot", "at", "position"];

/// Results of changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditOutcome {
    /// A line for each change, and for what the rules made of it.
    pub changes: Vec<String>,
    /// Cost of the changes: steps and answers that are lost.
    pub cost: RulesChangeCost,
}

/// Makes changes on the table, all or none of them, in the open step: a new chapter begins with it.
/// In a hidden phase a viewer changes nothing that is another's, and learns nothing of it.
///
/// # Errors
///
/// Names that nothing has, values that do not fit, places where the rules let no unit stand, what may
/// not be seen now, and a game that is over. The position is as it was; if the table does not ask any
/// more, its step has to be run again.
pub fn make(
    play: &mut Play,
    source: &Arc<Source>,
    edits: &[Change],
    viewer: Option<FactionId>,
) -> Result<EditOutcome, Problems> {
    let position = play.before_step().map_err(|why| match why {
        Progress::Failed(problem) => *problem,
        _ => change_after_the_end(),
    })?;
    let mut bench = EditedPosition {
        rules: Arc::clone(&play.ruleset().rules),
        source,
        viewer,
        before: position.world.clone(),
        position,
        changes: Vec::new(),
        waiting: play.table().chance.forced().to_vec(),
        stood: Vec::new(),
        grounded: Vec::new(),
        low: Vec::new(),
    };
    let mut problems = Vec::new();
    for edit in edits {
        problems.extend(bench.change(play, edit).err());
    }
    Problems::check(problems)?;
    bench.check_places(play)?;
    bench.follow(play)?;
    let texts = edits.iter().map(Change::to_string).collect();
    let change_cost = play.go_on_from(&bench.position, texts);
    let mut descriptions = bench.changes;
    let on_the_board =
        |e: &Change| !matches!(e, Change::Slots { .. } | Change::Seed(_) | Change::Force { .. });
    if viewer.is_none() && edits.iter().any(on_the_board) {
        // What has come about in play need not be where a game can begin.
        descriptions.extend(match may_not_start(&mut play.runtime) {
            Ok(why) => why.map(|why| format!("note: no scenario could begin so: {why}")),
            Err(problem) => Some(format!(
                "note: nobody knows whether a scenario could begin so: {}",
                problem.message
            )),
        });
    }
    Ok(EditOutcome {
        changes: descriptions,
        cost: change_cost,
    })
}

/// The same with the words of a stored chapter, whoever it was that looked.
///
/// # Errors
///
/// Those of [`parse`] and of [`make`].
pub fn make_again(play: &mut Play, texts: &[String]) -> Result<EditOutcome, Problems> {
    let source = Source::new("edits", texts.join("\n"));
    let edits = parse(&source, '\n')?;
    make(play, &source, &edits, None)
}

/// Whether one roll could take either of them.
fn is_alike(a: &Forced, b: &Forced) -> bool {
    (a.label, a.dice.len()) == (b.label, b.dice.len())
}

/// Describes the forced dice that wait for the next rolls, a line for those that are alike.
pub fn next_rolls(words: &Words, forced: &[Forced]) -> Vec<String> {
    let mut lines = Vec::new();
    for (nth, first) in forced.iter().enumerate() {
        if forced[..nth].iter().any(|before| is_alike(before, first)) {
            continue;
        }
        let alike = forced[nth..].iter().filter(|f| is_alike(f, first));
        let dice: Vec<String> = alike.map(|f| f.dice.to_string()).collect();
        let label = words.text(first.label);
        lines.push(match &dice[..] {
            [only] => format!("the next roll of `{label}` is {only}"),
            _ => format!("the next rolls of `{label}` are {}", dice.join(", then ")),
        });
    }
    lines
}

/// A position while it is changed.
struct EditedPosition<'a> {
    rules: Arc<Rules>,
    source: &'a Arc<Source>,
    /// Faction that looks, in a hidden phase.
    viewer: Option<FactionId>,
    position: Position,
    /// The world before any change.
    before: World,
    changes: Vec<String>,
    /// Dice set by hand that no roll has taken yet.
    waiting: Vec<Forced>,
    /// Units that stand somewhere by a change, and where that is written.
    stood: Vec<(UnitId, Range<usize>)>,
    /// Units that stand where the ground has changed, and where that is written.
    grounded: Vec<(UnitSet, Range<usize>)>,
    /// Units that have fallen to where a hook says what follows.
    low: Vec<(HookId, UnitId)>,
}

impl EditedPosition<'_> {
    fn world(&mut self) -> &mut World {
        &mut self.position.world
    }

    /// The changed position as whoever changes it may see it.
    fn view(&self) -> View<'_> {
        self.position.view(&self.rules, self.viewer)
    }

    /// The names of the units in play that may be seen and changed.
    fn unit_names(&self) -> impl Iterator<Item = String> {
        let (rules, world, view) = (&self.rules, &self.position.world, self.view());
        let units = world.alive().iter();
        let units = units.filter(move |unit| view.shows(world.unit(*unit).owner));
        units.map(|unit| rules.unit_name(world.name(unit)))
    }

    /// Checks that nothing of another faction is changed while it is secret.
    fn check_secret(&self, faction: Option<FactionId>, name: &Spanned<String>) -> Result<(), Problem> {
        match faction.filter(|faction| !self.view().shows(*faction)) {
            Some(faction) => {
                let whose = &self.rules.factions[faction.index()];
                Err(change_of_a_secret(whose).at(self.source, name.span.clone()))
            }
            None => Ok(()),
        }
    }

    /// A unit that is in play.
    fn unit(&self, name: &Spanned<String>) -> Result<UnitId, Problem> {
        let (rules, world) = (&self.rules, &self.position.world);
        let parsed = rules.parse_unit_name(name);
        self.check_secret(parsed.map(|p| p.owner), name)?;
        let unit = parsed.and_then(|p| world.find(p)).ok_or_else(|| {
            let names: Vec<String> = self.unit_names().collect();
            unknown_name("unit", name)
                .at(self.source, name.span.clone())
                .hint(hint_for(name, names.iter().map(String::as_str)))
        })?;
        if world.is_alive(unit) {
            return Ok(unit);
        }
        let kind = &rules.types[world.unit(unit).kind.index()].name;
        let owner = &rules.factions[world.unit(unit).owner.index()];
        Err(unit_out_of_play(name, owner, kind).at(self.source, name.span.clone()))
    }

    /// Returns the spot of this name, where a unit can be; `None` is the reserve.
    fn spot(&self, name: &Spanned<String>) -> Result<Option<Spot>, Problem> {
        let (rules, world) = (&self.rules, &self.position.world);
        match Spot::read(rules, name) {
            _ if name.value == RESERVE => Ok(None),
            None => Err(
                match rules
                    .parse_unit_name(name)
                    .filter(|unit| world.find(*unit).is_some())
                {
                    Some(_) => unit_as_place(name).at(self.source, name.span.clone()),
                    None => off_board(rules, name, self.source),
                },
            ),
            spot => Ok(spot),
        }
    }

    fn change(&mut self, play: &mut Play, edit: &Change) -> Result<(), Problem> {
        match edit {
            Change::Place { unit, place, slots } => {
                let (faction, kind) = self.new_unit(unit)?;
                let spot = self.spot(place)?.map(|s| (s, place.span.clone()));
                let rules = Arc::clone(&self.rules);
                let Some(id) = self.world().enlist(&rules, faction, kind) else {
                    return Err(too_many_units(MAX_UNITS).at(self.source, unit.span.clone()));
                };
                let name = rules.unit_name(self.position.world.name(id));
                if let Some((spot, span)) = spot {
                    self.stand(id, spot, span);
                }
                let at = crate::event_text::lies_told(&self.position.world, &rules, id);
                self.changes.push(format!("{name}  placed in {at}"));
                self.set(Thing::Unit(id), &name, slots)
            }
            Change::Move { unit: name, place } => {
                let (unit, to) = (self.unit(name)?, self.spot(place)?);
                let rules = Arc::clone(&self.rules);
                let from = crate::event_text::lies_told(&self.position.world, &rules, unit);
                match to {
                    Some(to) => self.stand(unit, to, place.span.clone()),
                    None => self.world().reserve(unit),
                }
                let to = crate::event_text::lies_told(&self.position.world, &rules, unit);
                self.changes.push(format!("{name}  {from}->{to}"));
                Ok(())
            }
            Change::Remove(name) => {
                let unit = self.unit(name)?;
                self.world().remove(unit);
                self.changes.push(format!("{name}  removed"));
                Ok(())
            }
            Change::Ground { lay, terrain, place } => self.ground(*lay, terrain, place),
            Change::Slots { of, slots } => {
                let thing = match find(&self.rules, of) {
                    Some(thing) => thing,
                    None if of.contains('.') => Thing::Unit(self.unit(of)?),
                    None => return Err(self.nothing_has_slots(of)),
                };
                if let Thing::Faction(faction) = thing {
                    self.check_secret(Some(faction), of)?;
                }
                self.set(thing, of, slots)
            }
            Change::Seed(seed) => {
                self.position.seed = *seed;
                self.changes
                    .push(format!("the seed of the dice is {seed} from here on"));
                Ok(())
            }
            Change::Force { label, dice } => self.force(play, label, dice),
        }
    }

    /// Faction and type of a new unit.
    fn new_unit(&self, name: &Spanned<String>) -> Result<(FactionId, crate::kernel::ids::TypeId), Problem> {
        let rules = &self.rules;
        let problem = |problem: Problem| Err(problem.at(self.source, name.span.clone()));
        let Some((faction_name, kind)) = name.split_once('.') else {
            return problem(incomplete_type(name));
        };
        let Some(faction) = rules.faction(faction_name) else {
            let hint = hint_for(faction_name, rules.factions.iter().map(String::as_str));
            return problem(unknown_name("faction", faction_name).hint(hint));
        };
        self.check_secret(Some(faction), name)?;
        if let Some(kind) = rules.unit_type(kind) {
            return Ok((faction, kind));
        }
        let bare = kind.trim_end_matches(|c: char| c.is_ascii_digit());
        if rules.unit_type(bare).is_some() {
            let there = rules
                .parse_unit_name(name)
                .and_then(|n| self.position.world.find(n));
            let hint = match there {
                Some(_) => {
                    format!("write `move {name} PLACE` for this one, or `place {faction_name}.{bare} PLACE`")
                }
                None => format!("write `place {faction_name}.{bare} PLACE`; its number comes by itself"),
            };
            return problem(unit_as_type(name).hint(hint));
        }
        let hint = hint_for(kind, rules.types.iter().map(|t| t.name.as_str()));
        problem(unknown_name("unit type", kind).hint(hint))
    }

    fn nothing_has_slots(&self, name: &Spanned<String>) -> Problem {
        let mut known: Vec<String> = change::VERBS.iter().map(|v| (*v).to_owned()).collect();
        known.push("game".to_owned());
        known.extend(self.rules.factions.iter().cloned().chain(self.unit_names()));
        unknown_thing(name)
            .at(self.source, name.span.clone())
            .hint(hint_for(name, known.iter().map(String::as_str)))
    }

    fn stand(&mut self, unit: UnitId, spot: Spot, span: Range<usize>) {
        let comes = !self.position.world.is_on_board(unit);
        let rules = Arc::clone(&self.rules);
        let world = self.world();
        let pose = spot
            .point()
            .and_then(|at| throws::put_down(&rules, world, unit, at));
        world.stand(unit, spot, pose);
        if comes {
            let position = &mut self.position;
            position.cursor.join(&self.rules, &position.world, unit);
        }
        self.stood.retain(|(u, _)| *u != unit);
        self.stood.push((unit, span));
    }

    fn ground(
        &mut self,
        lay: bool,
        terrain: &Spanned<String>,
        place: &Spanned<String>,
    ) -> Result<(), Problem> {
        let rules = Arc::clone(&self.rules);
        let kind = find_terrain(&rules, terrain, self.source)?;
        if lay && rules.plane().is_some() {
            return self.lay_piece(terrain, kind, place);
        }
        let Some(at) = rules.board.place(place) else {
            return Err(match rules.plane() {
                None => off_board(&rules, place, self.source),
                Some(_) => {
                    let pieces = self.position.world.ground();
                    let pieces: Vec<&str> = pieces.iter().map(|p| rules.board.name(p)).collect();
                    unknown_name("piece", place)
                        .at(self.source, place.span.clone())
                        .hint(hint_for(place, pieces))
                }
            });
        };
        let world = &self.position.world;
        let here = world.terrain(at);
        if here.contains(kind) == lay {
            let problem = if lay { repeated_terrain } else { missing_terrain };
            let problem = problem(place, terrain);
            return Err(problem.at(self.source, terrain.span.clone()));
        }
        let lift = (!lay).then_some(Effect::Lift(at, kind));
        if let Some(why) = lift.and_then(|lift| effect::refusal(&rules, world, lift)) {
            return Err(refused_lift(why, place).at(self.source, terrain.span.clone()));
        }
        // What is nobody's own is seen as it was when the hidden phase began.
        self.position.change_shared(|world| {
            if lay {
                world.lay(at, kind);
            } else {
                world.lift(at, kind);
            }
            Ok(())
        })?;
        let what = if lay { "laid" } else { "lifted" };
        self.changes.push(format!("{place}  {terrain} {what}"));
        if rules.plane().is_none() {
            let there = self.position.world.at(at);
            self.grounded.push((there, place.span.clone()));
        }
        Ok(())
    }

    /// Lays a piece of terrain with an outline on the table top.
    fn lay_piece(
        &mut self,
        terrain: &Spanned<String>,
        kind: TerrainId,
        outline: &Spanned<String>,
    ) -> Result<(), Problem> {
        let rules = Arc::clone(&self.rules);
        let wrong = |problem: Problem| problem.at(self.source, outline.span.clone());
        let lay = |world: &mut World| lay_piece(&rules, world, outline, kind, false).map_err(wrong);
        let piece = self.position.change_shared(lay)?;
        self.changes
            .push(format!("{}  {terrain} laid", rules.board.name(piece)));
        let all = self.position.world.on_board();
        self.grounded.push((all, outline.span.clone()));
        Ok(())
    }

    /// Turns a die on the board to how it is said to lie; a face that is not said stays.
    fn turn(&mut self, unit: UnitId, of: &str, slots: &Slots) -> Result<(), Problem> {
        let rules = Arc::clone(&self.rules);
        let about =
            |slot_data: &&(Spanned<String>, Spanned<SlotValue>)| dice::is_about_dice(&rules, &slot_data.0);
        let mut slot_data: Slots = slots.iter().filter(about).cloned().collect();
        let Some((name, _)) = slot_data.first().cloned() else {
            return Ok(());
        };
        let world = &self.position.world;
        let Some(at) = world.point(unit) else {
            return Err(die_off_board(of).at(self.source, name.span));
        };
        let kind = world.unit(unit).kind;
        let face = throws::face(&rules, world, unit);
        if let (Some(face), None) = (face, slot_data.iter().find(|(name, _)| name.value != "angle")) {
            slot_data.push(("shows".to_owned().into(), SlotValue::Number(face.into()).into()));
        }
        if let Some(pose) = dice::pose(&rules, kind, at, &slot_data, self.source)? {
            let was = crate::event_text::lies_told(world, &rules, unit);
            self.world().lay_die(unit, pose);
            let is = event_text::pose(&rules, kind, Some(pose));
            // What is on record of how its edges lie is the whole pose, which nobody reads.
            let angle = slot_data.iter().find(|(name, _)| name.value == "angle");
            let angle = angle.map_or_else(String::new, |(_, angle)| format!(", angle {}", angle.value));
            self.changes.push(format!("{of}  {was}->{is}{angle}"));
            self.stood.retain(|(u, _)| *u != unit);
            self.stood.push((unit, name.span));
        }
        Ok(())
    }

    fn set(&mut self, thing: Thing, of: &str, slots: &Slots) -> Result<(), Problem> {
        let rules = Arc::clone(&self.rules);
        let die = match thing {
            Thing::Unit(unit) => rules.die(self.position.world.unit(unit).kind).map(|_| unit),
            _ => None,
        };
        if let Some(unit) = die {
            self.turn(unit, of, slots)?;
        }
        let is_slot = |name: &str| die.is_none() || !dice::is_about_dice(&rules, name);
        for (name, value) in slots.iter().filter(|(name, _)| is_slot(name)) {
            if let SlotValue::Word(word) = &value.value {
                let named = rules.parse_unit_name(word).map(|n| n.owner);
                self.check_secret(named, &Spanned::new(word.clone(), value.span.clone()))?;
            }
            if value.value == SlotValue::Flag(true)
                && name.span == value.span
                && rules.board.place(name).is_some()
                && rules.slots.find(thing, name).is_none()
            {
                return Err(place_as_slot(name, of, name.to_string()).at(self.source, name.span.clone()));
            }
            if matches!(thing, Thing::Unit(_))
                && WHERE.contains(&name.value.as_str())
                && rules.slots.find(thing, name).is_none()
            {
                let problem = place_as_slot(name, of, value.value.to_string());
                return Err(problem.at(self.source, name.span.clone()));
            }
            // What others have made of it is not known yet.
            let before = self.view().world().into_owned();
            let world = &mut self.position.world;
            let index = set_slot(&rules, world, thing, name, value, self.source)?;
            let slot = &rules.slots.of(thing)[index];
            let world = &self.position.world;
            let (was, is) = (before.slot(thing, index), world.slot(thing, index));
            let text = |value: i64| {
                crate::event_text::slot_text(world, &rules, slot.kind, value, &EventSpelling::TOLD)
            };
            self.changes
                .push(format!("{of}  {name} {}->{}", text(was), text(is)));
            if let (Thing::Unit(unit), Some(hook)) = (thing, slot.at_zero) {
                self.low.retain(|low| *low != (hook, unit));
                if is <= 0 {
                    self.low.push((hook, unit));
                }
            }
            if matches!(thing, Thing::Game | Thing::Place(_)) {
                self.position.change_shared(|world| {
                    world.set_slot(thing, index, is);
                    Ok(())
                })?;
            }
        }
        Ok(())
    }

    fn force(&mut self, play: &mut Play, label: &Spanned<String>, dice: &[i64]) -> Result<(), Problem> {
        let id = play.table_mut().words.intern(label);
        if dice.is_empty() {
            let before = self.position.forced.len();
            self.position.forced.retain(|f| f.label != id);
            self.waiting.retain(|f| f.label != id);
            if self.position.forced.len() == before {
                return Err(no_forced_dice(label).at(self.source, label.span.clone()));
            }
            self.changes
                .push(format!("rolls of `{label}` are what they are again"));
            return Ok(());
        }
        let Some(dice) = Pool::new(dice) else {
            return Err(impossible_dice().at(self.source, label.span.clone()));
        };
        let forced = Forced { label: id, dice };
        self.waiting.push(forced.clone());
        let alike = self.waiting.iter().filter(|f| is_alike(f, &forced));
        let alike: Vec<Forced> = alike.cloned().collect();
        self.position.forced.push(forced);
        self.changes.extend(next_rolls(&play.table().words, &alike));
        Ok(())
    }

    /// Units that were stood somewhere, or under which the ground has changed, must be allowed to stand there when all is
    /// done.
    fn check_places(&self, play: &mut Play) -> Result<(), Problems> {
        let world = &self.position.world;
        let mut problems = Vec::new();
        for (unit, span) in &self.stood {
            let Some(place) = world.place(*unit) else { continue };
            let over = over_stack(&self.rules, world, place, world.unit(*unit).owner);
            problems.extend(over.map(|problem| problem.at(self.source, span.clone())));
        }
        Problems::check(std::mem::take(&mut problems))?;
        if self.viewer.is_none() && self.position.is_hidden() {
            // What was allowed so once is allowed again.
            return Ok(());
        }
        // That somebody hidden stands in the way is nothing that a refusal may tell.
        let visible_world = self.view().world().into_owned();
        let placed_units = self.stood.iter();
        let placed_units =
            placed_units.filter_map(|(unit, span)| Some((*unit, world.spot(*unit)?, span.clone())));
        let placed_units: Vec<LaidUnit> = placed_units.collect();
        let refused = |span: &Range<usize>, why| refused_position(why).at(self.source, span.clone());
        problems.extend(misplaced(play, visible_world.clone(), &placed_units, refused));
        let mut looked_at: UnitSet = self.stood.iter().map(|(unit, _)| *unit).collect();
        for (units, span) in &self.grounded {
            let others = units.iter().filter(|unit| !looked_at.contains(*unit));
            let others: Vec<UnitId> = others.collect();
            others.iter().for_each(|unit| looked_at.insert(*unit));
            let others = others.into_iter();
            let wrong = others.filter_map(|unit| {
                let placement = [(unit, visible_world.spot(unit)?, span.clone())];
                let mut wrong = |world: &World| misplaced(play, world.clone(), &placement, refused);
                // Who had no right to stand there before has come there in play.
                let problem = wrong(&visible_world).pop()?;
                wrong(&self.before)
                    .is_empty()
                    .then(|| problem.hint("move who stands there first"))
            });
            problems.extend(wrong.take(1));
        }
        Problems::check(problems)
    }

    /// Lets the rules say what follows for units that have fallen to 0, at once.
    fn follow(&mut self, play: &mut Play) -> Result<(), Problem> {
        for (hook, unit) in std::mem::take(&mut self.low) {
            if !self.position.world.is_alive(unit) {
                continue;
            }
            let (world, lines) = play.follow(&self.position, hook, unit).map_err(|problem| {
                let name = self.rules.unit_name(self.position.world.name(unit));
                problem.hint(format!("`remove {name}` takes it off without asking the rules"))
            })?;
            self.position.world = world;
            if !self.position.is_hidden() {
                self.changes.extend(lines);
            }
        }
        Ok(())
    }
}
