//! The table: the world of the running step, what is asked, and every record of it.
//!
//! Rules act on the table only through [`Table::choose`], [`Table::roll`] and [`Table::perform`].
//! Once a question is pending, none of them does anything any more, so a step can be unwound from
//! any depth and run again from its start when the answer is there.

use super::choice::{Among, Answer, Chosen, MAX_WAYS, NONE, Opt, Options, Request, StepId, Takes};
use super::dice::{Key, MAX_DICE, MAX_SIDES, Pool, text_hash};
use super::effect::{self, Cause, Effect, Gathered};
use super::engagement;
use super::event::{ACTIVATES, Event, PASS};
use super::ground::arena::{Pose, Throw};
use super::ids::{FactionId, PlaceSet, Thing, UnitId, UnitName, UnitSet, Who, WordId};
use super::region;
use super::rules::{HookId, MAX_TEXTS, MAX_WORDS, NameHashes, Rules, Words};
use super::schedule::{Card, Cursor, Next, WhoMay};
use super::spot::{Point, Spot};
use super::tally::Tally;
use super::thrown::{self, Given, Known, Record, Stated, Told};
use super::world::World;
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;

/// Why the rules cannot go on within a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Halt {
    /// A question waits for its answer.
    Waiting,
    /// A stored answer does not fit, or one is missing: why, in one sentence.
    Diverged(String),
    /// The rules did something that cannot be: why, in one sentence.
    Rule(String),
    /// Somebody looks at the half-done step; it will be run again.
    Paused,
}

/// What a [`Source`] says to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// The option of this index.
    Take(usize),
    /// This spot of the region that is offered.
    Spot(Point),
    /// Nobody answers now: unwind, and run the step again when the answer is there.
    Wait,
    /// A stored answer does not fit the question.
    Stop(String),
}

/// A question with all that it takes to read it.
pub struct Asked<'a> {
    /// The question.
    pub request: &'a Request,
    /// The game's declared data.
    pub rules: &'a Rules,
    /// The words of labels and options.
    pub words: &'a Words,
    /// Hashes of names, for keys.
    pub hashes: &'a NameHashes,
    /// The half-done world of the step.
    pub world: &'a World,
}

impl Asked<'_> {
    /// The readable key of an option.
    pub fn key(&self, option: Opt) -> String {
        match option {
            Opt::Many(_) => {
                let things = self.request.options.things_of(option);
                let keys: Vec<String> = things.into_iter().map(|thing| self.key(thing)).collect();
                match keys.is_empty() {
                    true => NONE.to_owned(),
                    false => keys.join(" "),
                }
            }
            one => one.key(self.rules, self.words, self.world),
        }
    }

    /// What is offered, as messages tell it; of many only the first, and how many more there are.
    pub fn offered(&self) -> String {
        let options = &self.request.options;
        let keys = options.iter().map(|o| self.key(o));
        if options.region().is_some() {
            let told: Vec<String> = keys.take(SPOTS_TOLD).collect();
            return format!("{}, or another spot that can be reached", told.join(", "));
        }
        let told: Vec<String> = keys.take(KEYS_TOLD).collect();
        match options.len() - told.len() {
            0 => told.join(", "),
            more => format!("{}, and {more} more", told.join(", ")),
        }
    }

    /// What a text says of what is offered: an option by its key, or a spot of the region.
    ///
    /// # Errors
    ///
    /// It is none: one sentence.
    pub fn read(&self, text: &str) -> Result<Reply, String> {
        if let Some(index) = self.request.options.iter().position(|o| self.key(o) == text) {
            return Ok(Reply::Take(index));
        }
        match self.request.options.region() {
            Some(region) => region.read(self.rules, self.world, text).map(Reply::Spot),
            None => Err(format!("`{text}` is not offered; offered: {}", self.offered())),
        }
    }

    /// The readable keys of all options, in their order.
    pub fn keys(&self) -> Vec<String> {
        self.request.options.iter().map(|o| self.key(o)).collect()
    }

    /// Where the board cuts off what is offered: gaps are, and this ground lies at its edge.
    pub fn cut_off_at(&self) -> PlaceSet {
        let ground = self.world.ground();
        let gap = |o: Opt| matches!(o, Opt::Place(place) if !ground.contains(place));
        match self.request.options.iter().any(gap) {
            true => ground
                .iter()
                .filter(|&p| self.rules.board.is_at_the_edge(p))
                .collect(),
            false => PlaceSet::EMPTY,
        }
    }

    /// The text of the label.
    pub fn label(&self) -> &str {
        self.words.text(self.request.label)
    }

    /// The label's text hash, as keys mix it in.
    #[inline]
    pub fn label_hash(&self) -> u64 {
        self.words.hash(self.request.label)
    }
}

/// A roll that is about to be made.
pub struct Rolling<'a> {
    /// Who rolls.
    pub who: Who,
    /// What for.
    pub label: &'a str,
    /// How many dice.
    pub dice: usize,
    /// Of how many sides.
    pub sides: i64,
    /// How many answers were given in the step before it.
    pub answers: usize,
    /// Whether the dice are not read but decide how a die flies that is thrown.
    pub throw: bool,
}

/// A throw that is about to be made.
pub struct Throwing<'a> {
    /// The game's declared data.
    pub rules: &'a Rules,
    /// The step in which it is made.
    pub step: StepId,
    /// The die.
    pub unit: UnitName,
    /// What for.
    pub label: &'a str,
    /// How often it was thrown for that before in the step.
    pub nth: u32,
}

/// Whoever answers questions at once, without unwinding.
pub trait Source {
    /// Answers, or says that it cannot.
    fn answer(&mut self, asked: &Asked<'_>) -> Reply;

    /// Hears of a question with a single option, which answers itself.
    ///
    /// # Errors
    ///
    /// A stored answer does not fit the option: why.
    fn answered_itself(&mut self, _asked: &Asked<'_>) -> Result<(), String> {
        Ok(())
    }

    /// What a roll shows, for those who decide dice too; `None` leaves it to scripts' and seed's
    /// dice. A pool that does not fit the roll is not taken.
    fn rolls(&mut self, _roll: &Rolling<'_>) -> Option<Pool> {
        None
    }

    /// What came of a throw, for those who have it on record; `None` leaves it to the engine.
    fn throws(&mut self, _throw: &Throwing<'_>) -> Option<Told> {
        None
    }
}

/// The source that never answers: every question waits.
pub struct NoSource;

impl Source for NoSource {
    fn answer(&mut self, _: &Asked<'_>) -> Reply {
        Reply::Wait
    }
}

/// The world at the start of the current step, what is gathered in a running simultaneous phase,
/// and the answers given in the step so far.
#[derive(Debug, PartialEq, Eq)]
pub struct Position {
    /// The world at the start of the step.
    pub world: World,
    /// Where the game stands in its phases.
    pub cursor: Cursor,
    /// What the current step is.
    pub next: Next,
    /// The current step's id.
    pub step: StepId,
    /// Effects that wait for the end of the simultaneous phase.
    pub gathered: Vec<Gathered>,
    /// The ordinal of the current step in the game; groups gathered effects.
    pub ordinal: u32,
    /// The world at the start of the open hidden phase.
    pub hidden_start: Option<Rc<World>>,
    /// Answers given in the step so far.
    pub answers: Vec<Answer>,
    /// How many scripted rolls of each label are used up.
    pub rolls_used: Vec<u16>,
    /// Dice that wait for their roll, in the order in which they are taken.
    pub forced: Vec<Forced>,
    /// The seed of the dice.
    pub seed: u64,
}

impl Clone for Position {
    fn clone(&self) -> Self {
        Self {
            world: self.world.clone(),
            cursor: self.cursor.clone(),
            next: self.next.clone(),
            gathered: self.gathered.clone(),
            hidden_start: self.hidden_start.clone(),
            answers: self.answers.clone(),
            rolls_used: self.rolls_used.clone(),
            forced: self.forced.clone(),
            ..*self
        }
    }

    /// Copies without allocating where the room is there: whoever looks ahead does it all the time.
    fn clone_from(&mut self, source: &Self) {
        let Self {
            world,
            cursor,
            next,
            step,
            gathered,
            ordinal,
            hidden_start,
            answers,
            rolls_used,
            forced,
            seed,
        } = source;
        self.world.clone_from(world);
        self.cursor.clone_from(cursor);
        self.next.clone_from(next);
        self.step = *step;
        (self.ordinal, self.seed) = (*ordinal, *seed);
        self.gathered.clone_from(gathered);
        self.hidden_start.clone_from(hidden_start);
        self.answers.clone_from(answers);
        self.rolls_used.clone_from(rolls_used);
        self.forced.clone_from(forced);
    }
}

/// Dice set by hand: the next roll of that label shows them, if it is one of so many dice and none
/// of them has more than its sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forced {
    /// What the roll is for.
    pub label: WordId,
    /// What it shows.
    pub dice: Pool,
}

impl Position {
    /// The start of a game on this world.
    pub fn start(world: World, skip_setup: bool, seed: u64, scripted: usize) -> Self {
        Self {
            world,
            cursor: Cursor::start(skip_setup),
            next: Next::Over,
            step: StepId::default(),
            gathered: Vec::new(),
            ordinal: 0,
            hidden_start: None,
            answers: Vec::new(),
            rolls_used: vec![0; scripted],
            forced: Vec::new(),
            seed,
        }
    }
}

/// Rolls that a scenario scripts: by label, each a list of dice.
pub type ScriptedRolls = BTreeMap<String, Vec<Vec<i64>>>;

/// Results of throws that a scenario states, by label, as [`Stated::read`] reads them.
pub type StatedThrows = BTreeMap<String, Vec<String>>;

/// Something that follows from an effect and is run as a hook about a thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// The hook.
    pub hook: HookId,
    /// What it is about.
    pub about: Thing,
    /// What it is told besides: where, who, or with whom.
    pub with: Option<Thing>,
    /// The slot that fell to 0, by its index, when that is why.
    pub slot: Option<u8>,
    /// Why it fell: the last effect, or in a batch all that took from it at once, in the order of the record.
    pub causes: Vec<Cause>,
    /// The group of the effect that it follows from; see [`Gathered::group`].
    pub group: u32,
}

impl Due {
    /// Whether another one calls the same hook about the same things.
    fn is_same_call(&self, other: &Due) -> bool {
        (self.hook, self.about, self.with) == (other.hook, other.about, other.with)
    }
}

/// What somebody wants to know of a unit before an effect, or a batch, that may take it elsewhere.
#[derive(Debug, Clone)]
struct Before {
    unit: UnitId,
    spot: Option<Spot>,
    alive: bool,
    contact: UnitSet,
    /// Why it came elsewhere: the last effect on it.
    cause: Cause,
    /// The group of that effect.
    group: u32,
}

/// Those who may be engaged or free after what is about to happen, and which of them are engaged before.
#[derive(Debug, Clone)]
struct EngagedBefore {
    concerned: UnitSet,
    engaged: UnitSet,
}

/// At most this many lines has the record of a game, and at most this many effects wait for the end of a
/// simultaneous phase: far more than any game that ends.
pub const MAX_EVENTS: usize = 1_000_000;
/// At most this many lines of what scripts print are kept.
pub const MAX_PRINTED: usize = 1_000;

/// So many dice of so many sides decide what no hand can.
const HAND: (usize, i64) = (6, MAX_SIDES);

/// So many options are told where one that is not there was wanted.
const KEYS_TOLD: usize = 200;
/// And so many spots of a region.
const SPOTS_TOLD: usize = 6;

/// What was found out about a word, so that it is read once: bits of [`Table::known_words`].
mod known {
    /// It can be a label.
    pub const LABEL: u8 = 1;
    /// It can be an option.
    pub const OPTION: u8 = 2;
    /// It reads like a number or like the name of a thing.
    pub const ALIKE: u8 = 4;
    /// It is one line.
    pub const LINE: u8 = 8;
}

/// The state that scripts act on. See the module's comment.
pub struct Table {
    /// The game's declared data.
    pub rules: Rc<Rules>,
    /// The words of labels, causes and options. Lowered code holds their ids.
    pub words: Words,
    hashes: NameHashes,
    /// The live world of the running step.
    pub world: World,
    /// Everything that happened.
    pub events: Vec<Event>,
    /// What was offered where somebody chose, by the index of the event, while that is kept.
    pub offers: Option<Vec<(usize, Vec<String>)>>,
    /// What scripts have printed, for their authors; no part of the record. At most [`MAX_PRINTED`] lines.
    pub printed: Vec<String>,
    /// The checkpoint of the running step.
    pub checkpoint: Position,
    /// Effects that wait for the end of the simultaneous phase.
    pub gathered: Vec<Gathered>,
    /// Hooks that follow from what was just done.
    pub due: Vec<Due>,
    /// What the running hook follows from, in the order of the record; empty outside such a hook.
    pub follows: Vec<Cause>,
    /// What a batch that is being applied took from slots at whose zero a hook waits.
    taken: Vec<(Thing, u8, Cause)>,
    /// Who answers at once.
    pub source: Box<dyn Source>,
    /// The question that is pending, or the last one.
    pub request: Request,
    /// Rolls that the scenario scripts.
    pub scripted_rolls: Rc<ScriptedRolls>,
    /// Throws that the scenario states.
    pub stated_throws: Rc<StatedThrows>,
    /// What was thrown before.
    thrown: Known,
    /// Whether a roll for which the scripted one is missing or does not fit comes from the seed,
    /// rather than being an error: other rules roll otherwise than the scenario foresaw.
    pub rolls_may_miss: bool,
    /// Whether rules may change anything now; expressions of users may not.
    pub read_only: bool,
    /// Set when a script reads the record: then a position alone does not say what follows.
    pub record_read: Cell<bool>,
    /// Whether the world may differ from that at the start of the step.
    altered: bool,
    /// The world at the start of a hidden phase that is over: room for the next one's.
    spare: Option<Rc<World>>,
    /// Event count at the start of the step.
    mark: usize,
    gathered_mark: usize,
    printed_mark: usize,
    asked: usize,
    /// How often each of the step's questions was answered, and each of its rolls made.
    questions: Tally<(FactionId, Who, WordId)>,
    rolls: Tally<(Who, WordId)>,
    rolls_used: Vec<u16>,
    forced: Vec<Forced>,
    step_logged: bool,
    /// The same for a question or roll while gathered effects are applied.
    close_logged: bool,
    halt: Option<Halt>,
    exclusive: Option<WordId>,
    /// The group that effects are gathered in, and what it is about.
    group: (u32, Thing),
    applying: bool,
    /// The group of the effect that is being applied at the end of a phase.
    applied_group: u32,
    /// Units as they were before the batch that is applied, as far as it moves them or somebody wants to know
    /// their contact.
    before: Vec<Before>,
    /// The units that were engaged before the batch that is applied; `None` when nobody wants to
    /// know, or nobody comes to stand elsewhere in it.
    engaged_before: Option<EngagedBefore>,
    /// By word.
    known_words: Vec<u8>,
    activates: WordId,
    pass: WordId,
    next: WordId,
    card: WordId,
}

impl Table {
    /// An empty table of a game.
    pub fn new(rules: Rc<Rules>) -> Self {
        let world = World::new(&rules);
        let mut words = Words::default();
        let activates = words.intern(ACTIVATES);
        let [pass, next, card] = [PASS, "next", "card"].map(|word| words.intern(word));
        // Known from the start, so that their ids do not tell how far the game has come.
        for contest in rules.contests() {
            words.intern(contest);
        }
        Self {
            checkpoint: Position::start(world.clone(), false, 0, 0),
            hashes: NameHashes::of(&rules),
            rules,
            words,
            world,
            events: Vec::new(),
            offers: None,
            printed: Vec::new(),
            gathered: Vec::new(),
            due: Vec::new(),
            follows: Vec::new(),
            taken: Vec::new(),
            source: Box::new(NoSource),
            request: Request {
                step: StepId::default(),
                asker: FactionId(0),
                subject: Thing::Game,
                label: activates,
                nth: 0,
                options: Options::default(),
            },
            scripted_rolls: Rc::default(),
            stated_throws: Rc::default(),
            thrown: Known::default(),
            rolls_may_miss: false,
            read_only: false,
            record_read: Cell::new(false),
            altered: true,
            spare: None,
            mark: 0,
            gathered_mark: 0,
            printed_mark: 0,
            asked: 0,
            questions: Tally::default(),
            rolls: Tally::default(),
            rolls_used: Vec::new(),
            forced: Vec::new(),
            step_logged: false,
            close_logged: false,
            halt: None,
            exclusive: None,
            group: (0, Thing::Game),
            applying: false,
            applied_group: 0,
            before: Vec::new(),
            engaged_before: None,
            known_words: Vec::new(),
            activates,
            pass,
            next,
            card,
        }
    }

    /// Lays a position on the table; its step begins anew with the answers that it holds. Events
    /// so far stay.
    pub fn load(&mut self, position: &Position) {
        self.checkpoint.clone_from(position);
        self.gathered.clone_from(&position.gathered);
        self.mark = self.events.len();
        self.gathered_mark = self.gathered.len();
        self.printed_mark = self.printed.len();
        self.restart();
    }

    /// Takes the running step back to its start; its answers stay.
    pub fn restart(&mut self) {
        self.world.clone_from(&self.checkpoint.world);
        self.altered = false;
        self.events.truncate(self.mark);
        self.printed.truncate(self.printed_mark);
        if self.checkpoint.next.is_close() {
            self.gathered.clone_from(&self.checkpoint.gathered);
        } else {
            self.gathered.truncate(self.gathered_mark);
        }
        self.due.clear();
        self.follows.clear();
        self.taken.clear();
        self.asked = 0;
        self.questions.clear();
        self.rolls.clear();
        self.rolls_used.clone_from(&self.checkpoint.rolls_used);
        self.forced.clone_from(&self.checkpoint.forced);
        self.step_logged = false;
        self.close_logged = false;
        self.halt = None;
        self.applying = false;
        self.before.clear();
        self.engaged_before = None;
        self.start_group(self.checkpoint.ordinal, self.about());
    }

    /// How many of the step's stored answers were asked for in this run of it.
    pub fn answers_asked(&self) -> usize {
        self.asked
    }

    /// The position of the running step.
    pub fn position(&self) -> Position {
        let mut position = self.checkpoint.clone();
        if !position.next.is_close() {
            position.gathered.clear();
            position
                .gathered
                .extend_from_slice(&self.gathered[..self.gathered_mark]);
        }
        position
    }

    /// How many events had happened before the running step.
    pub fn step_mark(&self) -> usize {
        self.mark
    }

    /// Moves on to the next step and makes it the checkpoint.
    pub fn next_step(&mut self) -> &Next {
        let rules = Rc::clone(&self.rules);
        if self.checkpoint.cursor.is_interrupted() {
            let happened = self.events.get(self.mark..).unwrap_or_default();
            self.checkpoint.cursor.interrupt(&rules, &self.world, happened);
        }
        loop {
            let next = self.checkpoint.cursor.next(&rules, &mut self.world);
            match next {
                Next::Begin {
                    phase,
                    iteration,
                    hides,
                } => {
                    if self.is_full() {
                        self.checkpoint.next = Next::Endless { phase };
                        return &self.checkpoint.next;
                    }
                    self.events.push(Event::Phase { phase, iteration });
                    self.altered = true;
                    if hides {
                        self.hide();
                    }
                }
                Next::Reveal => {
                    self.altered = true;
                    self.spare = self.checkpoint.hidden_start.take();
                }
                _ => {
                    let checkpoint = &mut self.checkpoint;
                    // Many a step changes nothing: the next one starts from the same world.
                    let same = !self.altered && matches!(next, Next::Pick { .. } | Next::Step { .. });
                    self.altered = false;
                    checkpoint.step = checkpoint.cursor.step_id(&next, &self.world);
                    let closes = next.is_close();
                    checkpoint.next = next;
                    if !same {
                        checkpoint.world.clone_from(&self.world);
                    }
                    debug_assert_eq!(checkpoint.world, self.world);
                    if !self.rolls_used.is_empty() {
                        checkpoint.rolls_used.clone_from(&self.rolls_used);
                    }
                    if !checkpoint.forced.is_empty() || !self.forced.is_empty() {
                        checkpoint.forced.clone_from(&self.forced);
                    }
                    checkpoint.ordinal = checkpoint.ordinal.wrapping_add(1);
                    checkpoint.answers.clear();
                    checkpoint.gathered.clear();
                    if closes {
                        checkpoint.gathered.extend_from_slice(&self.gathered);
                    }
                    self.mark = self.events.len();
                    self.gathered_mark = self.gathered.len();
                    self.printed_mark = self.printed.len();
                    self.asked = 0;
                    self.questions.clear();
                    self.rolls.clear();
                    self.step_logged = false;
                    self.close_logged = false;
                    self.start_group(self.checkpoint.ordinal, self.about());
                    return &self.checkpoint.next;
                }
            }
        }
    }

    /// Keeps the world as it is when a hidden phase begins.
    fn hide(&mut self) {
        let mut start = self.spare.take().unwrap_or_else(|| Rc::new(self.world.clone()));
        match Rc::get_mut(&mut start) {
            Some(room) => room.clone_from(&self.world),
            None => start = Rc::new(self.world.clone()),
        }
        self.checkpoint.hidden_start = Some(start);
    }

    /// The faction that acts in the running step: the owner of its subject, or the first faction.
    pub fn acting(&self) -> FactionId {
        match self.checkpoint.next {
            Next::Pick { faction, .. } => faction,
            Next::Step {
                about: Thing::Faction(faction),
                ..
            } => faction,
            Next::Step {
                about: Thing::Unit(unit),
                ..
            } => self.world.unit(unit).owner,
            _ => self.world.in_order(0),
        }
    }

    /// What the running step is about.
    pub fn about(&self) -> Thing {
        match self.checkpoint.next {
            Next::Step { about, .. } => about,
            _ => Thing::Game,
        }
    }

    /// Why the running step cannot go on, if it cannot.
    pub fn halt(&self) -> Option<&Halt> {
        self.halt.as_ref()
    }

    /// Stops the running step: nothing changes, rolls or asks any more until it is restarted.
    pub fn stop(&mut self, halt: Halt) -> Halt {
        self.halt.get_or_insert(halt).clone()
    }

    /// Puts another reason to halt, or none, in the place of the present one, which it returns; for
    /// those who only look.
    pub fn set_halt(&mut self, halt: Option<Halt>) -> Option<Halt> {
        std::mem::replace(&mut self.halt, halt)
    }

    fn start_group(&mut self, group: u32, about: Thing) {
        self.group = (group, about);
        self.exclusive = None;
    }

    /// What is gathered from here on is a group of its own, about this thing: one hook that follows
    /// from a batch begins. Gives the group.
    pub fn next_group(&mut self, about: Thing) -> u32 {
        self.start_group(self.group.0.wrapping_add(1), about);
        self.group.0
    }

    fn check(&mut self) -> Result<(), Halt> {
        if self.read_only {
            return Err(Halt::Rule(
                "the position can only be read here, not changed".to_owned(),
            ));
        }
        match &self.halt {
            Some(halt) => Err(halt.clone()),
            None if self.is_full() => Err(Halt::Rule(format!(
                "the record of the game is full: it has at most {MAX_EVENTS} lines"
            ))),
            None => Ok(()),
        }
    }

    /// Whether the record has no room for more.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.events.len() >= MAX_EVENTS || self.gathered.len() >= MAX_EVENTS
    }

    /// Whether this was found out about a word before.
    #[inline]
    fn is_known(&self, word: WordId, bit: u8) -> bool {
        self.known_words
            .get(word.0 as usize)
            .is_some_and(|k| k & bit != 0)
    }

    fn know(&mut self, word: WordId, bits: u8) {
        let index = word.0 as usize;
        if self.known_words.len() <= index {
            self.known_words.resize(index + 1, 0);
        }
        self.known_words[index] |= bits;
    }

    /// Refuses a label that transcripts and scenario files could not tell from what stands around it.
    #[cold]
    fn read_label(&mut self, label: WordId) -> Result<(), Halt> {
        let text = self.words.text(label);
        let wrong = unspaced(text).or_else(|| {
            let for_or_colon = text.contains(':') || text.contains(" for ");
            for_or_colon.then_some("`:` and ` for ` in a label would end it")
        });
        if let Some(why) = wrong {
            return Err(Halt::Rule(format!("{text:?} cannot be a label: {why}")));
        }
        self.know(label, known::LABEL);
        Ok(())
    }

    /// Refuses a word as an option that could not be answered from a file.
    #[cold]
    fn read_option(&mut self, word: WordId) -> Result<(), Halt> {
        let text = self.words.text(word);
        let not = text.starts_with('!').then_some("`!` before an answer denies it");
        if let Some(why) = unspaced(text).or(not) {
            return Err(Halt::Rule(format!("{text:?} cannot be an option: {why}")));
        }
        let rules = &self.rules;
        let alike = text.parse::<i64>().is_ok()
            || rules.board.place(text).is_some()
            || rules.faction(text).is_some()
            || rules.unit_type(text).is_some()
            || rules.terrain(text).is_some()
            || rules.parse_unit_name(text).is_some()
            || text == NONE;
        self.know(word, known::OPTION | if alike { known::ALIKE } else { 0 });
        Ok(())
    }

    /// Checks the words among the options: each can be answered, and none reads like another option.
    #[inline]
    fn check_options(&mut self) -> Result<(), Halt> {
        let several = self.request.options.has_several();
        let unknown =
            |w: WordId| !self.is_known(w, known::OPTION) || several || self.is_known(w, known::ALIKE);
        if self.request.options.words().any(unknown) {
            self.read_options()?;
        }
        Ok(())
    }

    #[cold]
    fn read_options(&mut self) -> Result<(), Halt> {
        let words: Vec<WordId> = self.request.options.words().collect();
        // How often each key is there.
        let mut keys: HashMap<String, usize> = HashMap::new();
        for word in words {
            if !self.is_known(word, known::OPTION) {
                self.read_option(word)?;
            }
            // What is several things at once reads like a word with blanks in it.
            if self.is_known(word, known::ALIKE) || self.request.options.has_several() {
                if keys.is_empty() {
                    let options = &self.request.options;
                    // Several things read alike when one of them does, or when none are taken.
                    let each: Vec<Opt> = match options.takes() {
                        None => options.iter().collect(),
                        Some(_) => options.list().to_vec(),
                    };
                    if let Some(Takes::Some(0, _)) = options.takes() {
                        keys.insert(NONE.to_owned(), 1);
                    }
                    for option in each {
                        let key = self.asked_now().key(option);
                        *keys.entry(key).or_insert(0) += 1;
                    }
                }
                let text = self.words.text(word);
                if keys.get(text).is_some_and(|times| *times > 1) {
                    let why = match text {
                        NONE => format!("two options read `{NONE}`: the word, and taking nothing"),
                        _ => format!("two options read `{text}`: a word, and the thing of that name"),
                    };
                    return Err(Halt::Rule(why));
                }
            }
        }
        Ok(())
    }

    /// Refuses a text that would break the line in which it is recorded.
    fn check_line(&mut self, word: WordId) -> Result<(), Halt> {
        if self.is_known(word, known::LINE) {
            return Ok(());
        }
        let text = self.words.text(word);
        if text.contains(char::is_control) {
            return Err(Halt::Rule(format!(
                "{text:?} cannot be recorded: it must be one line"
            )));
        }
        self.know(word, known::LINE);
        Ok(())
    }

    /// Asks a faction to choose among `request.options`, which the caller has filled in. A single
    /// option answers itself. The same option twice counts once.
    pub fn choose(&mut self, asker: FactionId, subject: Thing, label: WordId) -> Result<Opt, Halt> {
        self.check()?;
        if !self.request.options.are_distinct() {
            self.request.options.make_distinct();
        }
        if self.request.options.is_empty() {
            return Err(self.nothing_to_choose(label));
        }
        // Of a region more can be answered than its candidates, which are looked for when somebody counts them.
        let is_region = self.request.options.region().is_some();
        let count = if is_region { 0 } else { self.request.options.len() };
        if count > MAX_WAYS && self.request.options.takes().is_some() {
            return Err(self.too_many_ways(label, count));
        }
        if !self.is_known(label, known::LABEL) {
            self.read_label(label)?;
        }
        self.check_options()?;
        let subject = if subject == self.about() {
            Thing::Game
        } else {
            subject
        };
        let request = &mut self.request;
        request.step = self.checkpoint.step;
        request.asker = asker;
        request.subject = subject;
        request.label = label;
        let subject = self.world.who(subject);
        let question = (asker, subject, label);
        let Ok(nth) = u16::try_from(self.questions.count(question)) else {
            return Err(Halt::Rule(format!(
                "a step asks at most {} times for `{}`",
                u16::MAX,
                self.words.text(label)
            )));
        };
        request.nth = nth;
        let only = count == 1;
        if self.asked < self.checkpoint.answers.len() {
            return self.answered_before(subject, only);
        }
        let option = {
            let asked = Asked {
                request: &self.request,
                rules: &self.rules,
                words: &self.words,
                hashes: &self.hashes,
                world: &self.world,
            };
            if only {
                if let Err(why) = self.source.answered_itself(&asked) {
                    return Err(self.stop(Halt::Diverged(why)));
                }
                asked.request.options.get(0)
            } else {
                match self.source.answer(&asked) {
                    Reply::Take(index) if let Some(option) = asked.request.options.get(index) => Some(option),
                    Reply::Spot(point) if asked.request.options.allows(point) => Some(Opt::Point(point)),
                    Reply::Take(_) | Reply::Spot(_) | Reply::Wait => return Err(self.stop(Halt::Waiting)),
                    Reply::Stop(why) => return Err(self.stop(Halt::Diverged(why))),
                }
            }
        };
        let option = option.unwrap_or(Opt::Word(label));
        let answer = self.answer_with(subject, option, only);
        self.checkpoint.answers.push(answer);
        self.asked += 1;
        self.questions.add(question);
        self.log_choice(answer, option)?;
        Ok(option)
    }

    #[cold]
    fn too_many_ways(&self, label: WordId, count: usize) -> Halt {
        let count = match count {
            usize::MAX => "far too many".to_owned(),
            count => count.to_string(),
        };
        Halt::Rule(format!(
            "`{}` can be answered in {count} ways with the {} things that are offered; {MAX_WAYS} are the most: \
             offer fewer, or ask for one after the other",
            self.words.text(label),
            self.request.options.things()
        ))
    }

    #[cold]
    fn nothing_to_choose(&self, label: WordId) -> Halt {
        let mut why = format!("nothing to choose for `{}`", self.words.text(label));
        let (places, ground) = (self.rules.board.places(), self.world.ground());
        if !self.rules.terrains.is_empty() && ground == places {
            why += &format!(
                "; the board is full, terrain lies in all its {} places",
                places.len()
            );
        }
        Halt::Rule(why)
    }

    /// What was answered to the request when the step ran before; `subject` is its subject by name.
    fn answered_before(&mut self, subject: Who, single: bool) -> Result<Opt, Halt> {
        let (asker, label) = (self.request.asker, self.request.label);
        let given = self.checkpoint.answers[self.asked];
        if (given.asker, given.subject, given.label) != (asker, subject, label) {
            let text = format!(
                "the step asks for `{}` where it asked for `{}` before",
                self.words.text(label),
                self.words.text(given.label)
            );
            return Err(self.stop(Halt::Diverged(text)));
        }
        // On a position that was changed, what answered itself is somebody's to answer.
        if given.only && !single {
            let text = format!("`{}` can be answered otherwise now", self.words.text(label));
            return Err(self.stop(Halt::Diverged(text)));
        }
        let found = match given.chosen {
            Chosen::Point(point) => {
                let there = self.request.options.allows(point);
                there.then_some(Opt::Point(point))
            }
            // A word in front of a region is found before anybody looks for candidates.
            chosen => {
                let is_it = |o: &Opt| self.chosen(*o) == chosen;
                let options = &self.request.options;
                let first = options.get(0).filter(is_it);
                first.or_else(|| options.iter().find(is_it))
            }
        };
        match found {
            Some(option) => {
                // And what somebody answered may answer itself.
                let given = Answer {
                    only: single,
                    ..given
                };
                self.checkpoint.answers[self.asked] = given;
                self.asked += 1;
                self.questions.add((asker, subject, label));
                self.log_choice(given, option)?;
                Ok(option)
            }
            None => {
                let key = given.chosen.key(&self.rules, &self.words);
                let text = match self.asked_now().read(&key) {
                    Err(why) => why,
                    Ok(_) => self.not_offered(&key),
                };
                Err(self.stop(Halt::Diverged(text)))
            }
        }
    }

    /// An option as records keep it.
    #[inline]
    fn chosen(&self, option: Opt) -> Chosen {
        match option {
            Opt::Many(_) => Chosen::Many(text_hash(&self.asked_now().key(option))),
            one => one.chosen(&self.world),
        }
    }

    #[inline]
    fn answer_with(&self, subject: Who, option: Opt, only: bool) -> Answer {
        let request = &self.request;
        Answer {
            step: request.step,
            asker: request.asker,
            subject,
            label: request.label,
            nth: request.nth,
            chosen: self.chosen(option),
            only,
        }
    }

    /// The record of choosing the `index`-th option of the current request; `None` when it has no such.
    pub fn answer_of(&self, index: usize, only: bool) -> Option<Answer> {
        let option = self.request.options.get(index)?;
        let subject = self.world.who(self.request.subject);
        Some(self.answer_with(subject, option, only))
    }

    /// The record of choosing what a [`Source`] would say; `None` when it is not offered.
    pub fn answer_by(&self, reply: &Reply) -> Option<Answer> {
        match *reply {
            Reply::Take(index) => self.answer_of(index, false),
            Reply::Spot(point) => {
                let subject = self.world.who(self.request.subject);
                let there = self.request.options.allows(point);
                there.then(|| self.answer_with(subject, Opt::Point(point), false))
            }
            Reply::Wait | Reply::Stop(_) => None,
        }
    }

    /// The sentence that says that an answer is not offered, with what is.
    pub fn not_offered(&self, key: &str) -> String {
        format!("`{key}` is not offered; offered: {}", self.asked_now().offered())
    }

    /// The current request with all that it takes to read it.
    pub fn asked_now(&self) -> Asked<'_> {
        Asked {
            request: &self.request,
            rules: &self.rules,
            words: &self.words,
            hashes: &self.hashes,
            world: &self.world,
        }
    }

    /// Asks which of the units is activated next, or whether the faction passes.
    pub fn pick(&mut self, faction: FactionId, units: UnitSet, may_pass: bool) -> Result<(), Halt> {
        match may_pass {
            false => drop(self.request.options.offer(None, Among::Units(units))),
            true => {
                let list = self.request.options.offer(None, Among::List);
                list.extend(units.map(Opt::Unit));
                list.push(Opt::Word(self.pass));
            }
        }
        match self.choose(faction, Thing::Game, self.activates)? {
            Opt::Unit(unit) => self.checkpoint.cursor.pick(&self.rules, unit),
            _ => self.checkpoint.cursor.pass(&self.rules, faction),
        }
        Ok(())
    }

    /// What the activation that is the running step takes before it begins, and why; `None` when it takes
    /// nothing.
    pub fn price(&self) -> Option<(Effect, Cause)> {
        let Next::Step {
            about: Thing::Unit(unit),
            ..
        } = self.checkpoint.next
        else {
            return None;
        };
        let price = self.checkpoint.cursor.price(&self.rules, &self.world, unit);
        let (of, slot, cost) = price.filter(|_| !self.checkpoint.step.rejoins)?;
        Some(taken(of, slot, cost, self.activates))
    }

    /// What the card takes by which it was decided whose turn it is, and why.
    pub fn price_of(&self, card: Card) -> Option<(Effect, Cause)> {
        card.from.map(|(of, slot)| taken(of, slot, 1, self.card))
    }

    /// Decides whose turn it is: a card is drawn, a die with a side for each, or somebody is asked. `None` when
    /// there is nobody.
    pub fn decide_turn(&mut self) -> Result<Option<Card>, Halt> {
        let rules = Rc::clone(&self.rules);
        let who = self.checkpoint.cursor.who_may(&rules, &self.world);
        Ok(match who {
            WhoMay::Ask(factions) => {
                let list = self.request.options.offer(None, Among::List);
                list.extend(factions.into_iter().map(Opt::Faction));
                match self.choose(self.arbiter(), Thing::Game, self.next)? {
                    Opt::Faction(faction) => Some(Card::turn(faction)),
                    _ => None,
                }
            }
            WhoMay::Draw(cards) => {
                let all: i64 = cards.iter().map(|c| c.count).sum();
                if all > MAX_SIDES {
                    return Err(Halt::Rule(format!(
                        "a card is drawn from at most {MAX_SIDES}, and there are {all}"
                    )));
                }
                let mut drawn = match all {
                    ..=1 => 1,
                    _ => self
                        .roll(Thing::Game, self.card, 1, all)?
                        .values()
                        .next()
                        .unwrap_or(1),
                };
                cards.into_iter().find(|card| {
                    drawn -= card.count;
                    drawn <= 0
                })
            }
        })
    }

    /// Rolls dice; the result is sorted. The roll is keyed by the step, who rolls, the label and
    /// how often it was rolled before in the step.
    pub fn roll(&mut self, who: Thing, label: WordId, dice: i64, sides: i64) -> Result<Pool, Halt> {
        self.check()?;
        if !(1..=MAX_DICE as i64).contains(&dice) || !(2..=MAX_SIDES).contains(&sides) {
            return Err(Halt::Rule(format!(
                "a roll is of 1 to {MAX_DICE} dice with 2 to {MAX_SIDES} sides, not {dice} with {sides}"
            )));
        }
        self.check_line(label)?;
        let who = self.world.who(who);
        let nth = self.rolls.add((who, label));
        let fits =
            |values: &[i64]| values.len() == dice as usize && values.iter().all(|v| (1..=sides).contains(v));
        let forced = self.decided_roll(who, label, dice, sides, false);
        let forced = forced.or_else(|| self.take_forced(label, dice, sides));
        let scripted = match forced {
            Some(_) => None,
            None => self.scripted_roll(label)?,
        };
        let pool = match (forced, scripted.filter(|v| !self.rolls_may_miss || fits(v))) {
            (Some(pool), _) => pool,
            (None, Some(values)) => {
                if !fits(&values) {
                    return Err(Halt::Rule(format!(
                        "the scripted roll {values:?} for `{}` does not fit: {dice} dice with {sides} sides are rolled",
                        self.words.text(label)
                    )));
                }
                Pool::new(&values).unwrap_or_default()
            }
            (None, None) => {
                let key = self.key_of(who, label).with(nth as u64);
                Pool::roll(key, dice as usize, sides)
            }
        };
        self.log(Event::Rolled {
            who,
            label,
            dice: pool.clone(),
        });
        Ok(pool)
    }

    /// The dice that decide what no hand can: how a die is held, and by how much it misses. Keyed like a roll, and
    /// drawn anew by whoever draws rolls anew; a record does not show them.
    ///
    /// # Errors
    ///
    /// The table has halted, or the label cannot be one.
    pub fn hand(&mut self, unit: UnitId, label: WordId) -> Result<(Pool, u32), Halt> {
        self.check()?;
        if self.checkpoint.cursor.gathers() {
            return Err(Halt::Rule(
                "a throw happens at once, and what happens in this phase happens at its end".to_owned(),
            ));
        }
        if !self.is_known(label, known::LABEL) {
            self.read_label(label)?;
        }
        self.check_line(label)?;
        let who = self.world.who(Thing::Unit(unit));
        let nth = self.rolls.add((who, label));
        let (dice, sides) = (HAND.0 as i64, HAND.1);
        let decided = self.decided_roll(who, label, dice, sides, true);
        let pool = decided.unwrap_or_else(|| {
            let key = self.key_of(who, label).with(nth as u64);
            Pool::roll(key, HAND.0, HAND.1)
        });
        Ok((pool, nth as u32))
    }

    /// A die is thrown: what came of it is recorded, and all that moved lies where it stopped. The hand is what
    /// [`Self::hand`] said, and how often it was thrown for that before in the step.
    ///
    /// # Errors
    ///
    /// The table has halted; the throw that is stated cannot be.
    pub fn throw(
        &mut self,
        unit: UnitId,
        label: WordId,
        throw: Throw,
        (hand, nth): (Pool, u32),
    ) -> Result<Arc<Record>, Halt> {
        self.check()?;
        let rules = Rc::clone(&self.rules);
        let name = self.world.name(unit);
        let throwing = Throwing {
            rules: &rules,
            step: self.checkpoint.step,
            unit: name,
            label: self.words.text(label),
            nth,
        };
        let mut as_thrown = Some(throw);
        let told = match (self.source.throws(&throwing), self.stated_throw(label)?) {
            (Some(told), _) => told,
            (None, Some(stated)) => {
                as_thrown = None;
                let stated = Stated::read(&rules, &stated).map_err(|(why, _)| why);
                let told = stated.and_then(|stated| stated.happen(&rules, &self.world, unit));
                told.map_err(|why| {
                    let label = self.words.text(label);
                    Halt::Rule(format!("the stated throw for `{label}` cannot be: {why}"))
                })?
            }
            (None, None) => {
                let told = Given::new(&rules, &self.world, unit, throw)
                    .and_then(|given| self.thrown.of(given, &rules, &self.world));
                let Some(told) = told else {
                    return Err(Halt::Rule(format!("{} is no die", rules.unit_name(name))));
                };
                Told::clone(&told)
            }
        };
        let record = Arc::new(Record {
            hand,
            throw: as_thrown,
            told,
        });
        self.log(Event::Threw {
            unit: name,
            label,
            record: Arc::clone(&record),
        });
        let cause = Cause {
            word: Some(label),
            by: Who::Unit(name),
        };
        for gone in &record.told.left {
            if let Some(unit) = self.world.find(*gone) {
                self.apply(Effect::Reserve(unit), cause);
            }
        }
        for (who, pose) in &record.told.rests {
            if let Some(unit) = self.world.find(*who) {
                self.apply(Effect::Lie(unit, *pose), cause);
            }
        }
        Ok(record)
    }

    /// The dice that the last throw of the step moved lie again as they lay before it.
    ///
    /// # Errors
    ///
    /// The table has halted, or nothing was thrown in the step.
    pub fn take_back_throw(&mut self, cause: Cause) -> Result<(), Halt> {
        self.check()?;
        let step = self.events.get(self.mark..).unwrap_or_default();
        let Some(at) = step.iter().rposition(|e| matches!(e, Event::Threw { .. })) else {
            return Err(Halt::Rule("nothing was thrown in this step".to_owned()));
        };
        // Each as it lay first, whatever became of it since.
        let mut before: Vec<(UnitName, Option<Pose>)> = Vec::new();
        for event in &step[at..] {
            let was = match *event {
                Event::Lay { unit, from, .. } => (unit, from),
                // Who fell off lay where it did when the step began, or was put since.
                Event::Moved {
                    unit,
                    from: Some(_),
                    to: None,
                    ..
                } => (unit, self.pose_before(unit, self.mark + at)),
                _ => continue,
            };
            if !before.iter().any(|(name, _)| *name == was.0) {
                before.push(was);
            }
        }
        for (name, pose) in before {
            match (self.world.find(name), pose) {
                (Some(unit), Some(pose)) => self.apply(Effect::Lie(unit, pose), cause),
                (Some(unit), None) => self.apply(Effect::Reserve(unit), cause),
                (None, _) => {}
            }
        }
        Ok(())
    }

    /// How a die lay before an event of the running step.
    fn pose_before(&self, name: UnitName, event: usize) -> Option<Pose> {
        let earlier = self.events[self.mark..event].iter().rev();
        let moved = earlier.into_iter().find_map(|e| match *e {
            Event::Lay { unit, to, .. } if unit == name => Some(Some(to)),
            Event::Moved { unit, to: None, .. } if unit == name => Some(None),
            _ => None,
        });
        let at_start = || {
            let unit = self.checkpoint.world.find(name)?;
            self.checkpoint.world.pose(unit)
        };
        moved.unwrap_or_else(at_start)
    }

    /// The result that the scenario states for the next throw of a label.
    fn stated_throw(&mut self, label: WordId) -> Result<Option<String>, Halt> {
        let stated = Rc::clone(&self.stated_throws);
        let text = self.words.text(label);
        let Some((index, throws)) = stated.iter().enumerate().find(|(_, (l, _))| l.as_str() == text) else {
            return Ok(None);
        };
        let used = &mut self.rolls_used[self.scripted_rolls.len() + index];
        match throws.1.get(*used as usize) {
            Some(throw) => {
                *used += 1;
                Ok(Some(throw.clone()))
            }
            None if self.rolls_may_miss => Ok(None),
            None => Err(Halt::Rule(format!(
                "more throws for `{text}` than the {} that are stated",
                throws.1.len()
            ))),
        }
    }

    /// The key of the dice that are rolled for somebody under a label, the first time in the step.
    fn key_of(&self, who: Who, label: WordId) -> Key {
        let key = step_key(&self.hashes, Key::new(self.checkpoint.seed), self.checkpoint.step);
        key.with(who_hash(&self.hashes, who)).with(self.words.hash(label))
    }

    /// On record: a roll counts as other dice than it showed.
    ///
    /// # Errors
    ///
    /// The table has halted.
    pub fn count_roll(&mut self, who: Thing, label: WordId, dice: Pool) -> Result<(), Halt> {
        self.check()?;
        let who = self.world.who(who);
        self.log(Event::Counted { who, label, dice });
        Ok(())
    }

    /// On record: a unit is not removed, and why.
    ///
    /// # Errors
    ///
    /// The table has halted, or the reason is no one line.
    pub fn spare(&mut self, unit: UnitId, reason: WordId, cause: Cause) -> Result<(), Halt> {
        self.check()?;
        self.check_line(reason)?;
        let unit = self.world.name(unit);
        self.log(Event::Spared { unit, reason, cause });
        Ok(())
    }

    fn decided_roll(&mut self, who: Who, label: WordId, dice: i64, sides: i64, throw: bool) -> Option<Pool> {
        let roll = Rolling {
            who,
            label: self.words.text(label),
            dice: dice as usize,
            sides,
            answers: self.asked,
            throw,
        };
        let pool = self.source.rolls(&roll)?;
        let fits = pool.len() == roll.dice && pool.values().all(|v| (1..=sides).contains(&v));
        fits.then_some(pool)
    }

    /// The dice that are forced for a roll; they take the place of a scripted one.
    fn take_forced(&mut self, label: WordId, dice: i64, sides: i64) -> Option<Pool> {
        let fits = |f: &Forced| {
            f.label == label && f.dice.len() == dice as usize && f.dice.values().all(|v| v <= sides)
        };
        let index = self.forced.iter().position(fits)?;
        let text = self.words.text(label);
        let mut scripted = self.scripted_rolls.iter().zip(&mut self.rolls_used);
        if let Some(((_, rolls), used)) = scripted.find(|((l, _), _)| l.as_str() == text)
            && (*used as usize) < rolls.len()
        {
            *used += 1;
        }
        Some(self.forced.remove(index).dice)
    }

    /// The dice that still wait for their roll.
    pub fn forced(&self) -> &[Forced] {
        &self.forced
    }

    fn scripted_roll(&mut self, label: WordId) -> Result<Option<Vec<i64>>, Halt> {
        let scripted = Rc::clone(&self.scripted_rolls);
        let text = self.words.text(label);
        let Some((index, rolls)) = scripted
            .iter()
            .enumerate()
            .find(|(_, (l, _))| l.as_str() == text)
            .map(|(i, r)| (i, r.1))
        else {
            return Ok(None);
        };
        let used = &mut self.rolls_used[index];
        match rolls.get(*used as usize) {
            Some(values) => {
                *used += 1;
                Ok(Some(values.clone()))
            }
            None if self.rolls_may_miss => Ok(None),
            None => Err(Halt::Rule(format!(
                "more rolls for `{text}` than the {} that are scripted",
                rolls.len()
            ))),
        }
    }

    /// How many scripted rolls of each label are used up so far, in the order of the labels.
    pub fn rolls_used(&self) -> &[u16] {
        &self.rolls_used
    }

    /// Makes an effect happen now, or gathers it in a simultaneous phase. What follows from it
    /// is put into [`Self::due`].
    pub fn perform(&mut self, effect: Effect, cause: Cause) -> Result<(), Halt> {
        self.check()?;
        if let Some(word) = cause.word {
            self.check_line(word)?;
        }
        if let Effect::Finish(outcome) = effect {
            self.check_line(outcome.reason)?;
        }
        // A die that is put somewhere lies flat there.
        let effect = match thrown::laid(&self.rules, &self.world, effect) {
            Some(pose) => pose,
            None => effect,
        };
        if let Some(why) = effect::refusal(&self.rules, &self.world, effect) {
            return Err(Halt::Rule(why));
        }
        if let Effect::Enlist(faction, _) = effect {
            let all = (0..self.rules.factions.len()).fold(UnitSet::EMPTY, |all, f| {
                all | self.world.owned(FactionId(f as u8))
            });
            if all.len() >= super::ids::MAX_UNITS {
                let name = &self.rules.factions[faction.index()];
                return Err(Halt::Rule(format!(
                    "{name} cannot get another unit: {} is the most there can be",
                    super::ids::MAX_UNITS
                )));
            }
        }
        if self.checkpoint.cursor.gathers() && !self.applying {
            let (group, about) = self.group;
            let about = self.world.who(about);
            let faction = cause.by.faction().or(about.faction());
            self.gathered.push(Gathered {
                effect,
                cause,
                faction: faction.unwrap_or_else(|| self.acting()),
                group,
                about,
                phase: self.checkpoint.step.phase,
                exclusive: match effect {
                    Effect::Finish(outcome) => Some(outcome.contest),
                    _ => self.exclusive,
                },
            });
            return Ok(());
        }
        if let Effect::Put(unit, Spot::Point(point)) = effect
            && self.world.is_alive(unit)
            && let Err(why) = region::stands(&self.rules, &self.world, unit, point)
        {
            // Whoever could not see who is there could not know better.
            let owner = self.world.unit(unit).owner;
            let seen = || super::sight::world(self, owner);
            let unseen = !self.applying
                && self.checkpoint.hidden_start.is_some()
                && region::stands(&self.rules, &seen(), unit, point).is_ok();
            if self.applying || unseen {
                if unseen {
                    self.log_step();
                }
                self.stays(unit, point.into(), cause);
                return Ok(());
            }
            return Err(Halt::Rule(why));
        }
        if let Effect::Lie(unit, pose) = effect
            && self.world.is_alive(unit)
            && let Err(why) = thrown::lies(&self.rules, &self.world, unit, pose)
        {
            if self.applying {
                self.stays(unit, pose.point().into(), cause);
                return Ok(());
            }
            return Err(Halt::Rule(why));
        }
        if !self.applying
            && let Some(why) = effect::crowding(&self.rules, &self.world, effect)
        {
            return Err(Halt::Rule(why));
        }
        self.apply(effect, cause);
        Ok(())
    }

    /// On record: a unit stays where it is, since there is no room left where it would have come.
    pub fn stays(&mut self, unit: UnitId, full: Spot, cause: Cause) {
        self.log(Event::Stayed {
            unit: self.world.name(unit),
            place: self.world.spot(unit),
            full,
            cause,
        });
    }

    /// From now on, this step's effects cannot happen together with those of another step that
    /// says the same word. In a hook that follows from a batch: this hook's, with another's.
    pub fn exclusive(&mut self, word: WordId) {
        self.exclusive = Some(word);
    }

    fn apply(&mut self, effect: Effect, cause: Cause) {
        self.altered = true;
        let rules = Rc::clone(&self.rules);
        let unlogged = !self.step_logged;
        self.log_step();
        let logged = self.events.len();
        self.note_before(&rules, effect, cause);
        if let Effect::Disband(faction) = effect {
            let gone = self.world.owned(faction);
            self.before.retain(|b| !gone.contains(b.unit));
            if let Some(before) = &mut self.engaged_before {
                before.engaged = &before.engaged - &gone;
            }
        }
        let slot = match effect {
            Effect::Add(thing, slot, _) | Effect::Set(thing, slot, _) => {
                let hook = rules.slots.of(thing)[slot as usize].at_zero;
                hook.map(|hook| (hook, thing, slot, self.world.recorded(thing, slot as usize)))
            }
            _ => None,
        };
        effect::apply(&rules, &mut self.world, effect, cause, &mut self.events);
        // That a unit is engaged again is worth a line only if something shows for it.
        if unlogged && self.checkpoint.step.rejoins && self.events.len() == logged {
            self.events.pop();
            self.step_logged = false;
        }
        if let Some((hook, about, slot, before)) = slot
            && self.exists(about)
        {
            let now = self.world.recorded(about, slot as usize);
            if self.applying && now < before {
                self.taken.push((about, slot, cause));
            }
            let due = Due {
                hook,
                about,
                with: None,
                slot: Some(slot),
                causes: if self.applying { Vec::new() } else { vec![cause] },
                group: self.applied_group,
            };
            // Within a batch every slot that may come to it counts, to be looked at when all is done.
            let there = |d: &Due| d.is_same_call(&due) && (!self.applying || d.slot == due.slot);
            if now <= 0 && !self.due.iter().any(there) {
                self.due.push(due);
            }
        }
        if !self.applying && (!self.before.is_empty() || self.engaged_before.is_some()) {
            self.follow_units();
        }
    }

    /// Whether a thing is there for hooks to be about it: units that are removed are not.
    fn exists(&self, thing: Thing) -> bool {
        !matches!(thing, Thing::Unit(unit) if !self.world.is_alive(unit))
    }

    /// Keeps what somebody wants to know of a unit that an effect may take elsewhere.
    fn note_before(&mut self, rules: &Rules, effect: Effect, cause: Cause) {
        let (Effect::Put(unit, _)
        | Effect::Lie(unit, _)
        | Effect::Reserve(unit)
        | Effect::Remove(unit)
        | Effect::Own(unit, _)
        | Effect::Release(unit)) = effect
        else {
            return;
        };
        let hooks = &rules.hooks;
        let (follows, contact) = (hooks.reactions.follow_units(), hooks.reactions.follow_contact());
        if follows || contact {
            let group = self.applied_group;
            let stays = matches!(effect, Effect::Own(..) | Effect::Release(_));
            match self.before.iter_mut().find(|b| b.unit == unit) {
                // Whatever else becomes of it, it came elsewhere for its own reason.
                Some(_) if stays => {}
                Some(before) => (before.cause, before.group) = (cause, group),
                None => self.before.push(Before {
                    unit,
                    spot: self.world.spot(unit),
                    alive: self.world.is_alive(unit),
                    contact: match contact {
                        true => engagement::contact(rules, &self.world, unit),
                        false => UnitSet::EMPTY,
                    },
                    cause,
                    group,
                }),
            }
        }
        if self.applying {
            return;
        }
        let frees = hooks.reactions.becomes_free.is_some();
        if !frees && hooks.becomes_engaged.is_none() {
            return;
        }
        let mut concerned = match (effect.put(), effect) {
            // Where no foe is near nobody comes to be engaged.
            (Some((_, spot)), _) if !frees && !engagement::meets_foes(rules, &self.world, unit, spot) => {
                return;
            }
            (Some((_, spot)), _) => engagement::concerned(rules, &self.world, unit, spot),
            (_, Effect::Own(..)) => match self.world.spot(unit) {
                Some(spot) => engagement::concerned(rules, &self.world, unit, spot),
                None => return,
            },
            _ if frees => UnitSet::one(unit),
            _ => return,
        };
        if frees {
            concerned = concerned | engagement::contact(rules, &self.world, unit);
        }
        let mut engaged = engagement::engaged_of(rules, &self.world, concerned.clone());
        if !frees {
            concerned = concerned - std::mem::take(&mut engaged);
        }
        self.engaged_before = Some(EngagedBefore { concerned, engaged });
    }

    /// What follows from units having come elsewhere: first what is about each of them and its places, then who
    /// has lost contact and who has come into it, then who is free and who is engaged; always in the order of the
    /// units' ids.
    fn follow_units(&mut self) {
        let rules = Rc::clone(&self.rules);
        if !self.before.is_empty() {
            self.follow_each(&rules);
        }
        let Some(EngagedBefore { concerned, engaged }) = self.engaged_before.take() else {
            return;
        };
        let now = engagement::engaged_of(&rules, &self.world, concerned);
        let mut due = |hook: Option<HookId>, units: UnitSet| {
            let Some(hook) = hook else { return };
            for unit in units {
                self.due.push(Due {
                    hook,
                    about: Thing::Unit(unit),
                    with: None,
                    slot: None,
                    causes: Vec::new(),
                    group: 0,
                });
            }
        };
        let frees = rules.hooks.reactions.becomes_free;
        if frees.is_some() {
            // In a batch units may be engaged that were not there before.
            due(frees, (&engaged - &now) & self.world.on_board());
        }
        due(rules.hooks.becomes_engaged, now - engaged);
    }

    /// What is about each unit that has come elsewhere and about its places, and about those whom it met or left.
    fn follow_each(&mut self, rules: &Rules) {
        let reactions = &rules.hooks.reactions;
        let mut before = std::mem::take(&mut self.before);
        before.sort_by_key(|b| b.unit);
        let mut due = |hook: Option<HookId>, about: Thing, with: Thing, b: &Before| {
            let causes = vec![b.cause];
            self.due.extend(hook.map(|hook| Due {
                hook,
                about,
                with: Some(with),
                slot: None,
                causes,
                group: b.group,
            }));
        };
        for b in &before {
            let (unit, now) = (Thing::Unit(b.unit), self.world.spot(b.unit));
            let moved = b.spot != now;
            // At a point of a table top it is in no place: the game stands for that.
            if let Some(was) = b.spot.filter(|_| moved) {
                due(
                    reactions.leaves,
                    unit,
                    was.place().map_or(Thing::Game, Thing::Place),
                    b,
                );
                if let Some(was) = was.place() {
                    due(reactions.left, Thing::Place(was), unit, b);
                }
            }
            if let Some(is) = now.filter(|_| moved) {
                due(
                    reactions.arrives,
                    unit,
                    is.place().map_or(Thing::Game, Thing::Place),
                    b,
                );
                if let Some(is) = is.place() {
                    due(reactions.entered, Thing::Place(is), unit, b);
                }
            }
            if b.alive && !self.world.is_alive(b.unit) {
                // The game stands for nowhere.
                due(
                    reactions.removed,
                    unit,
                    b.spot.and_then(Spot::place).map_or(Thing::Game, Thing::Place),
                    b,
                );
            }
        }
        if reactions.follow_contact() {
            let mut lost: Vec<(UnitId, UnitId, &Before)> = Vec::new();
            let mut met = Vec::new();
            for b in &before {
                let now = engagement::contact(rules, &self.world, b.unit);
                let pairs = |foe: UnitId| [(b.unit, foe, b), (foe, b.unit, b)];
                lost.extend((&b.contact - &now).flat_map(pairs));
                met.extend((now - &b.contact).flat_map(pairs));
            }
            for (hook, mut pairs) in [
                (reactions.loses_contact, lost),
                (reactions.comes_into_contact, met),
            ] {
                pairs.sort_by_key(|(me, foe, _)| (*me, *foe));
                pairs.dedup_by_key(|(me, foe, _)| (*me, *foe));
                for (me, foe, b) in pairs {
                    due(hook, Thing::Unit(me), Thing::Unit(foe), b);
                }
            }
        }
        before.clear();
        self.before = before;
    }

    /// Whether what a hook is to be told is still so: what came before it may have taken the unit elsewhere.
    pub fn still_holds(&self, due: &Due) -> bool {
        let reactions = &self.rules.hooks.reactions;
        let is = |hook: Option<HookId>| hook == Some(due.hook);
        match (due.about, due.with) {
            (Thing::Unit(unit), Some(Thing::Place(place)))
            | (Thing::Place(place), Some(Thing::Unit(unit))) => {
                !(is(reactions.arrives) || is(reactions.entered)) || self.world.place(unit) == Some(place)
            }
            (Thing::Unit(me), Some(Thing::Unit(foe))) => {
                let contact = engagement::contact(&self.rules, &self.world, me).contains(foe);
                contact == is(reactions.comes_into_contact)
            }
            (Thing::Unit(unit), None) if is(reactions.becomes_free) => {
                self.world.is_on_board(unit) && !engagement::engaged(&self.rules, &self.world, unit)
            }
            _ => true,
        }
    }

    /// Begins to apply what was gathered. Until [`Self::gather_again`], effects happen at once.
    pub fn begin_apply(&mut self) -> Vec<Gathered> {
        self.applying = true;
        let moves = |g: &Gathered| match g.effect {
            Effect::Put(..) | Effect::Lie(..) | Effect::Own(..) => true,
            Effect::Reserve(_) | Effect::Remove(_) | Effect::Release(_) => {
                self.rules.hooks.reactions.becomes_free.is_some()
            }
            _ => false,
        };
        let hooks = &self.rules.hooks;
        let watched = hooks.becomes_engaged.is_some() || hooks.reactions.becomes_free.is_some();
        self.engaged_before = (watched && self.gathered.iter().any(moves)).then(|| EngagedBefore {
            concerned: UnitSet::EMPTY,
            engaged: engagement::engaged_units(&self.rules, &self.world),
        });
        let batch = std::mem::take(&mut self.gathered);
        let rules = Rc::clone(&self.rules);
        for gathered in &batch {
            self.note_before(&rules, gathered.effect, gathered.cause);
        }
        batch
    }

    /// Applies an effect of a batch.
    ///
    /// # Errors
    ///
    /// It cannot be.
    pub fn apply_gathered(&mut self, gathered: &Gathered) -> Result<(), Halt> {
        self.applied_group = gathered.group;
        let done = self.perform(gathered.effect, gathered.cause);
        self.applied_group = 0;
        done
    }

    /// The batch has been applied: what follows from it is what holds after all of it, whatever the
    /// order of its effects. What rules do from here on is gathered as one further batch.
    pub fn gather_again(&mut self) {
        self.applying = false;
        let mut kept: Vec<Due> = Vec::new();
        let taken = std::mem::take(&mut self.taken);
        for mut due in std::mem::take(&mut self.due) {
            let holds = due
                .slot
                .is_none_or(|slot| self.exists(due.about) && self.world.slot(due.about, slot as usize) <= 0);
            if holds && !kept.iter().any(|k| k.is_same_call(&due)) {
                let same = taken
                    .iter()
                    .filter(|(about, slot, _)| (*about, Some(*slot)) == (due.about, due.slot));
                due.causes = same.map(|(.., cause)| *cause).collect();
                kept.push(due);
            }
        }
        self.due = kept;
        if let Some(before) = &mut self.engaged_before {
            before.concerned = self.world.on_board();
        }
        self.follow_units();
    }

    /// The batches are done. The gathered list is empty from the next step on.
    pub fn end_apply(&mut self) {
        self.applying = false;
        self.gathered.clear();
        self.gathered_mark = 0;
    }

    /// The faction that decides the order of what cannot happen together.
    pub fn arbiter(&self) -> FactionId {
        self.world.in_order(self.rules.arbiter)
    }

    /// Whether there is room for another line that a script prints.
    pub fn is_printed(&self) -> bool {
        self.printed.len() <= MAX_PRINTED
    }

    /// Keeps a line that a script prints.
    pub fn print(&mut self, line: String) {
        match self.printed.len() {
            MAX_PRINTED => self.printed.push(format!(
                "({MAX_PRINTED} lines were printed; what follows is left out)"
            )),
            n if n < MAX_PRINTED => self.printed.push(line),
            _ => {}
        }
    }

    /// Records an answer, and what else was offered if somebody wants to know.
    fn log_choice(&mut self, answer: Answer, option: Opt) -> Result<(), Halt> {
        if let Opt::Many(_) = option {
            // Whoever reads the record finds its key among the words.
            let key = self.asked_now().key(option);
            if self.words.keep(&key).is_none() {
                return Err(Halt::Rule(format!(
                    "`{key}` cannot be recorded: a game comes to know at most {MAX_WORDS} different texts, of \
                     {MAX_TEXTS} bytes together"
                )));
            }
        }
        self.log(Event::Chose(answer));
        if self.offers.is_none() {
            return Ok(());
        }
        let (index, keys) = (self.events.len() - 1, self.asked_now().keys());
        if let Some(offers) = &mut self.offers {
            // A step that runs again asks again.
            offers.retain(|(before, _)| *before < index);
            offers.push((index, keys));
        }
        Ok(())
    }

    /// Records an answer or a roll.
    fn log(&mut self, event: Event) {
        self.log_step();
        // What is applied at the end of a phase follows from its steps; what is asked then is a
        // step of its own, by which the answer is found again.
        if self.checkpoint.next.is_close() && !self.close_logged {
            self.close_logged = true;
            self.events.push(Event::Step(self.checkpoint.step));
        }
        self.events.push(event);
    }

    /// Records the step itself before the first thing that happens in it. Picks and activations
    /// are recorded by the pick.
    fn log_step(&mut self) {
        if self.step_logged {
            return;
        }
        self.step_logged = true;
        if self.is_step_told() {
            self.events.push(Event::Step(self.checkpoint.step));
        }
    }

    /// Whether the step has a line of its own before what happens in it.
    fn is_step_told(&self) -> bool {
        let step = self.checkpoint.step;
        let turn = matches!(
            self.rules.phases[step.phase as usize].work,
            super::phase::Work::Turn { .. }
        );
        let own = step.rejoins || step.interrupts.is_some() || matches!(self.checkpoint.next, Next::Turn);
        own || !turn && !self.checkpoint.next.is_close()
    }

    /// The answers of the step as they are recorded, where they are not: a step whose rules fail is
    /// taken back, and its answers stay.
    pub fn answers_of_failed_step(&self) -> Vec<Event> {
        let checkpoint = &self.checkpoint;
        if checkpoint.answers.is_empty() || self.events.len() > self.mark {
            return Vec::new();
        }
        let told = self.is_step_told() || checkpoint.next.is_close();
        let step = told.then_some(Event::Step(checkpoint.step));
        let answers = checkpoint.answers.iter().copied().map(Event::Chose);
        step.into_iter().chain(answers).collect()
    }
}

/// What an activation or a card takes, and why.
fn taken(of: Thing, slot: u8, cost: i64, word: WordId) -> (Effect, Cause) {
    let cause = Cause {
        word: Some(word),
        by: Who::Game,
    };
    (Effect::Add(of, slot, -cost), cause)
}

/// Why a text cannot stand between words of a line: `None` when it can.
fn unspaced(text: &str) -> Option<&'static str> {
    if text.is_empty() {
        Some("it is empty")
    } else if text.contains(char::is_control) {
        Some("it must be one line")
    } else if text.split_whitespace().collect::<Vec<_>>().join(" ") != text {
        Some("its words stand one blank apart, with none before and behind")
    } else {
        None
    }
}

/// A key with a step mixed in, by names and counts alone.
pub fn step_key(hashes: &NameHashes, key: Key, step: StepId) -> Key {
    let path = step.path.iter().fold(0u64, |path, &n| path << 16 | u64::from(n));
    let phase = hashes.phases[step.phase as usize].rotate_left(17);
    let key = key.with(path).with(
        phase ^ who_hash(hashes, step.about) ^ u64::from(step.pick) << 40 ^ u64::from(step.rejoins) << 50,
    );
    match (step.again, step.interrupts) {
        (0, None) => key,
        (again, None) => key.with(again.into()),
        (again, Some(cut)) => {
            let which = u64::from(again) << 8 | u64::from(cut.index);
            key.with(who_hash(hashes, Who::Unit(cut.after))).with(which)
        }
    }
}

/// A number for a thing, by name: hashes of its parts, turned so that equal parts do not cancel out.
pub fn who_hash(hashes: &NameHashes, who: Who) -> u64 {
    match who {
        Who::Game => 0,
        Who::Faction(f) => hashes.factions[f.index()] ^ 1,
        Who::Place(p) => hashes.places[p.index()] ^ 2,
        Who::Unit(u) => {
            let kind = hashes.types[u.kind.index()].rotate_left(29);
            hashes.factions[u.owner.index()] ^ kind ^ u64::from(u.nth) << 8 ^ 3
        }
    }
}
