//! Makes changes by hand on the table of a play.
//!
//! What the rules refuse when a scenario is laid they refuse here: the same functions say so.

use super::set_up::{may_not_start, misplaced};
use crate::description::change::{self, Change, parse};
use crate::description::lay::{
    LaidUnit, find_faction, find_ground, find_terrain, find_type, lay_piece, off_board, over_stack, set_slot,
};
use crate::description::problems::{
    change_after_the_end, change_of_a_hidden_slot, change_of_a_secret, die_off_board, impossible_dice,
    incomplete_type, missing_terrain, no_forced_dice, place_as_slot, refused_lift, repeated_terrain,
    unit_as_place, unit_as_type, unit_out_of_play,
};
use crate::description::{GAME, RESERVE, SlotValue, Slots, Spanned, dice, find};
use crate::event_text::{EventSpelling, lies_told, slot_text};
use crate::kernel::dice::Pool;
use crate::kernel::effect::{self, Effect};
use crate::kernel::ids::{FactionId, HookId, MAX_UNITS, PlaceSet, Thing, TypeId, UnitId, UnitSet};
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
    /// The changed position as whoever changes it may see it.
    fn view(&self) -> View<'_> {
        self.position.view(&self.rules, self.viewer)
    }

    /// A problem at the word that it is about.
    fn at<T>(&self, word: &Spanned<T>, problem: Problem) -> Problem {
        problem.at(self.source, word.span.clone())
    }

    /// The names of the units in play that may be seen and changed.
    fn unit_names(&self) -> impl Iterator<Item = String> {
        let (rules, world, view) = (&self.rules, &self.position.world, self.view());
        let units = world.alive().iter();
        let units = units.filter(move |unit| view.shows_unit(*unit));
        units.map(|unit| rules.unit_name(world.name(unit)))
    }

    /// Checks that nothing of another faction is changed while it is secret.
    fn check_secret<T>(&self, faction: Option<FactionId>, name: &Spanned<T>) -> Result<(), Problem> {
        match faction.filter(|faction| !self.view().shows(*faction)) {
            Some(faction) => {
                let whose = &self.rules.factions[faction.index()];
                Err(self.at(name, change_of_a_secret(whose)))
            }
            None => Ok(()),
        }
    }

    /// A unit that is in play.
    fn unit(&self, name: &Spanned<String>) -> Result<UnitId, Problem> {
        let (rules, world) = (&self.rules, &self.position.world);
        let parsed = rules.parse_unit_name(name);
        self.check_secret(parsed.map(|p| p.owner), name)?;
        let found = parsed.and_then(|p| world.find(p));
        let unit = found
            .filter(|unit| self.view().shows_unit(*unit))
            .ok_or_else(|| {
                let names: Vec<String> = self.unit_names().collect();
                let hint = hint_for(name, names.iter().map(String::as_str));
                self.at(name, unknown_name("unit", name)).hint(hint)
            })?;
        if world.is_alive(unit) {
            return Ok(unit);
        }
        let kind = &rules.types[world.unit(unit).kind.index()].name;
        let owner = &rules.factions[world.unit(unit).owner.index()];
        Err(self.at(name, unit_out_of_play(name, owner, kind)))
    }

    /// Returns the spot of this name, where a unit can be; `None` is the reserve.
    fn spot(&self, name: &Spanned<String>) -> Result<Option<Spot>, Problem> {
        if name.value == RESERVE {
            return Ok(None);
        }
        let (rules, world) = (&self.rules, &self.position.world);
        let is_unit = || world.find(rules.parse_unit_name(name)?);
        let spot = Spot::read(rules, name).ok_or_else(|| match is_unit() {
            Some(_) => self.at(name, unit_as_place(name)),
            None => off_board(rules, name, self.source),
        });
        spot.map(Some)
    }

    fn change(&mut self, play: &mut Play, edit: &Change) -> Result<(), Problem> {
        let line = match edit {
            Change::Place { unit, place, slots } => {
                let (faction, kind) = self.new_unit(unit)?;
                let spot = self.spot(place)?;
                let id = self.position.world.enlist(&self.rules, faction, kind);
                let id = id.ok_or_else(|| self.at(unit, too_many_units(MAX_UNITS)))?;
                let name = self.rules.unit_name(self.position.world.name(id));
                let at = self.stand(id, spot, place);
                self.changes.push(format!("{name}  placed in {at}"));
                return self.set(Thing::Unit(id), &name, slots);
            }
            Change::Move { unit: name, place } => {
                let (unit, to) = (self.unit(name)?, self.spot(place)?);
                let from = lies_told(&self.position.world, &self.rules, unit);
                format!("{name}  {from}->{}", self.stand(unit, to, place))
            }
            Change::Remove(name) => {
                let unit = self.unit(name)?;
                self.position.world.remove(unit);
                format!("{name}  removed")
            }
            Change::Ground { lay, terrain, place } => self.ground(*lay, terrain, place)?,
            Change::Slots { of, slots } => {
                let thing = match find(&self.rules, of) {
                    Some(thing) => thing,
                    None if of.contains('.') => Thing::Unit(self.unit(of)?),
                    None => return Err(self.nothing_has_slots(of)),
                };
                if let Thing::Faction(faction) = thing {
                    self.check_secret(Some(faction), of)?;
                }
                return self.set(thing, of, slots);
            }
            Change::Seed(seed) => {
                self.position.seed = *seed;
                format!("the seed of the dice is {seed} from here on")
            }
            Change::Force { label, dice } => return self.force(play, label, dice),
        };
        self.changes.push(line);
        Ok(())
    }

    /// Faction and type of a new unit.
    fn new_unit(&self, name: &Spanned<String>) -> Result<(FactionId, TypeId), Problem> {
        let (rules, wrong) = (&self.rules, |problem| self.at(name, problem));
        let parts = name.split_once('.');
        let (faction, kind) = parts.ok_or_else(|| wrong(incomplete_type(name)))?;
        let owner = find_faction(rules, faction).map_err(wrong)?;
        self.check_secret(Some(owner), name)?;
        let bare = kind.trim_end_matches(|c: char| c.is_ascii_digit());
        if rules.unit_type(kind).is_some() || rules.unit_type(bare).is_none() {
            return Ok((owner, find_type(rules, kind).map_err(wrong)?));
        }
        let new = format!("`place {faction}.{bare} PLACE`");
        let there = rules.parse_unit_name(name);
        let hint = match there.and_then(|name| self.position.world.find(name)) {
            Some(_) => format!("write `move {name} PLACE` for this one, or {new}"),
            None => format!("write {new}; its number comes by itself"),
        };
        Err(wrong(unit_as_type(name).hint(hint)))
    }

    fn nothing_has_slots(&self, name: &Spanned<String>) -> Problem {
        let known = change::VERBS.iter().chain(&[GAME]).map(|word| (*word).to_owned());
        let known = known.chain(self.rules.factions.iter().cloned());
        let known: Vec<String> = known.chain(self.unit_names()).collect();
        let hint = hint_for(name, known.iter().map(String::as_str));
        self.at(name, unknown_thing(name)).hint(hint)
    }

    /// Puts a unit on a spot or into reserve; returns how it stands or lies there.
    fn stand(&mut self, unit: UnitId, spot: Option<Spot>, place: &Spanned<String>) -> String {
        let Position { world, cursor, .. } = &mut self.position;
        match spot {
            None => world.reserve(unit),
            Some(spot) => {
                let comes = !world.is_on_board(unit);
                let point = spot.point();
                let pose = point.and_then(|at| throws::put_down(&self.rules, world, unit, at));
                world.stand(unit, spot, pose);
                if comes {
                    cursor.join(&self.rules, world, unit);
                }
                self.stood.retain(|(stood, _)| *stood != unit);
                self.stood.push((unit, place.span.clone()));
            }
        }
        lies_told(world, &self.rules, unit)
    }

    /// Lays terrain, on a table top as a piece with an outline, or lifts it.
    fn ground(
        &mut self,
        lay: bool,
        terrain: &Spanned<String>,
        place: &Spanned<String>,
    ) -> Result<String, Problem> {
        let rules = Arc::clone(&self.rules);
        let kind = find_terrain(&rules, terrain).map_err(|problem| self.at(terrain, problem))?;
        let world = &self.position.world;
        // What is nobody's own is seen as it was when the hidden phase began.
        let (name, units) = if lay && rules.plane().is_some() {
            let piece = self
                .position
                .change_shared(|world| lay_piece(&rules, world, place, kind, false));
            let piece = piece.map_err(|problem| self.at(place, problem))?;
            (rules.board.name(piece), self.position.world.on_board())
        } else {
            let at = match rules.plane() {
                None => find_ground(&rules, place, kind, self.source)?,
                Some(_) => rules.board.place(place).ok_or_else(|| {
                    let pieces = world.ground().iter().map(|piece| rules.board.name(piece));
                    let hint = hint_for(place, pieces);
                    self.at(place, unknown_name("piece", place)).hint(hint)
                })?,
            };
            if world.terrain(at).contains(kind) == lay {
                let problem = if lay { repeated_terrain } else { missing_terrain };
                return Err(self.at(terrain, problem(place, terrain)));
            }
            let lift = (!lay).then_some(Effect::Lift(at, kind));
            if let Some(why) = lift.and_then(|lift| effect::refusal(&rules, world, lift)) {
                return Err(self.at(terrain, refused_lift(why, place)));
            }
            let change = if lay { World::lay } else { World::lift };
            self.position.change_shared(|world| {
                change(world, &rules, at, kind);
                Ok::<_, Problem>(())
            })?;
            let places = rules
                .board
                .ends(at)
                .map_or_else(|| PlaceSet::one(at), PlaceSet::from_iter);
            (rules.board.name(at), self.position.world.in_places(places))
        };
        self.grounded.push((units, place.span.clone()));
        Ok(format!(
            "{name}  {terrain} {}",
            if lay { "laid" } else { "lifted" }
        ))
    }

    /// Turns a die on the board to how it is said to lie; a face that is not said stays.
    fn turn(&mut self, unit: UnitId, of: &str, slots: &Slots) -> Result<(), Problem> {
        let rules = Arc::clone(&self.rules);
        let about = slots.iter().filter(|(name, _)| dice::is_about_dice(&rules, name));
        let mut lies: Slots = about.cloned().collect();
        let Some((name, _)) = lies.first().cloned() else {
            return Ok(());
        };
        let world = &mut self.position.world;
        let at = world.point(unit);
        let at = at.ok_or_else(|| die_off_board(of).at(self.source, name.span.clone()))?;
        let angle = lies.iter().find(|(name, _)| name.value == "angle");
        let turned = angle.map_or_else(String::new, |(_, angle)| format!(", angle {}", angle.value));
        let face = throws::face(&rules, world, unit).filter(|_| angle.is_some() && lies.len() == 1);
        if let Some(face) = face {
            lies.push(("shows".to_owned().into(), SlotValue::Number(face.into()).into()));
        }
        if let Some(pose) = dice::pose(&rules, world.unit(unit).kind, at, &lies, self.source)? {
            let was = lies_told(world, &rules, unit);
            world.lay_die(unit, pose);
            // What is on record of how its edges lie is the whole pose, which nobody reads.
            let is = lies_told(world, &rules, unit);
            self.changes.push(format!("{of}  {was}->{is}{turned}"));
            self.stood.retain(|(stood, _)| *stood != unit);
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
                self.check_secret(rules.parse_unit_name(word).map(|n| n.owner), value)?;
            }
            if rules.slots.find(thing, name).is_none() {
                let bare = value.value == SlotValue::Flag(true) && name.span == value.span;
                let place = match (thing, &value.value) {
                    _ if bare && rules.board.place(name).is_some() => Some(name.to_string()),
                    (Thing::Unit(_), place) if WHERE.contains(&name.as_str()) => Some(place.to_string()),
                    _ => None,
                };
                if let Some(place) = place {
                    return Err(self.at(name, place_as_slot(name, of, place)));
                }
            }
            if let Some(index) = rules.slots.find(thing, name)
                && !self.view().shows_slot(thing, index)
            {
                return Err(self.at(name, change_of_a_hidden_slot(name)));
            }
            // What others have made of it is not known yet.
            let before = self.view().world().into_owned();
            let world = &mut self.position.world;
            let index = set_slot(&rules, world, thing, name, value, self.source)?;
            let slot = &rules.slots.of(thing)[index];
            let is = world.slot(thing, index);
            let text = |world: &World| slot_text(world, &rules, thing, index, &EventSpelling::TOLD);
            self.changes
                .push(format!("{of}  {name} {}->{}", text(&before), text(world)));
            if let (Thing::Unit(unit), Some(hook)) = (thing, slot.at_zero) {
                self.low.retain(|low| *low != (hook, unit));
                if is <= 0 {
                    self.low.push((hook, unit));
                }
            }
            if matches!(thing, Thing::Game | Thing::Place(_)) {
                let changed = self.position.world.clone();
                self.position.change_shared(|world| {
                    world.copy_slot(&rules, &changed, thing, index);
                    Ok::<_, Problem>(())
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
                return Err(self.at(label, no_forced_dice(label)));
            }
            self.changes
                .push(format!("rolls of `{label}` are what they are again"));
            return Ok(());
        }
        let Some(dice) = Pool::new(dice) else {
            return Err(self.at(label, impossible_dice()));
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
