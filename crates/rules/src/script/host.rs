//! A loaded ruleset: its program, the declared data, and the table that hooks act on. One thread has
//! one host; nothing is shared between threads.

use super::declare::{Dial, DialValue};
use super::layers::{self, Layers};
use super::lint::{self, Catalogue};
use super::load::{self, Index, Loading};
use super::parse::{At, FnDef, Parser};
use super::places::Places;
use super::register::{self, Register};
use super::run::context::{Program, Run, value_of_thing, whose_place};
use super::run::fault::{Failure, Fault, Left, Why};
use super::run::library::{MANY, MUTATORS};
use super::run::lower::{self, NOTHING_WORDS, Names, Store, Within};
use super::run::members::Members;
use super::run::natives::{NATIVES, PROPERTIES};
use super::run::node::{Function, Spot, Whose};
use super::run::observe::{Nobody, Observer, Watched, Watcher};
use super::run::value::{Heap, HeapEnd, Kind, Value, View};
use super::trace::{Level, Recorder, Trace};
use super::workspace::Workspace;
use super::{conflicts, engine, failures, ruleset};
use crate::kernel::choice::Chosen;
use crate::kernel::dice::text_hash;
use crate::kernel::ids::{HookId, Thing, WordId};
use crate::kernel::rules::Rules;
use crate::kernel::schedule::Next;
use crate::kernel::table::{Due, Halt, NoFit, Table};
use crate::report::{Problem, Problems, Source, hint_for};
use rhai::Engine;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// How many of the calls around a line that never ends are told.
const CALLS_TOLD: usize = 4;
/// At most so many batches follow from each other at the end of a simultaneous phase.
const MAX_BATCHES: usize = 100;
/// How often a line is met on the way to the deepest call when it is part of a circle of calls.
const ROUNDS: usize = 3;

/// What a ruleset is loaded with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Dials that are turned, by name.
    pub dials: BTreeMap<String, DialValue>,
    /// Variants that are on, besides those that the game has adopted.
    pub variants: Vec<String>,
    /// Variants that are off although the game has adopted them.
    pub without: Vec<String>,
    /// The text of the scratch layer, which lies over everything else; see [`layers::SCRATCH`].
    pub scratch: Option<String>,
    /// An order in which variants are laid in place of the canonical one, innermost first; for those
    /// who study whether it matters.
    pub order: Vec<String>,
    /// Whether scripts are taken as they are, without looking for calls that cannot be meant.
    pub unlinted: bool,
}

impl Options {
    /// What is on and turned: variants, and dials as `NAME=VALUE`.
    pub fn named(&self) -> Vec<String> {
        let dials = self.dials.iter().map(|(name, value)| format!("{name}={value}"));
        self.variants.iter().cloned().chain(dials).collect()
    }

    /// The variants with a script that are on under a register, and every dial that is turned: by
    /// a tweak without a script, or by name, which wins.
    ///
    /// # Errors
    ///
    /// Names that no tweak has.
    fn resolve(&self, register: &Register, scripts: &[String]) -> Result<Resolved, Problems> {
        let known = || scripts.iter().chain(register.entries.keys()).map(String::as_str);
        let mut problems = Vec::new();
        for name in self.variants.iter().chain(&self.without) {
            if !known().any(|k| k == name) {
                let problem = Problem::new(format!("there is no variant `{name}`")).about(name);
                problems.push(problem.hint(hint_for(name, known())));
            }
        }
        Problems::check(std::mem::take(&mut problems))?;
        let on: BTreeSet<&str> = register
            .adopted()
            .filter(|name| !self.without.iter().any(|w| w == name))
            .chain(self.variants.iter().map(String::as_str))
            .collect();
        let mut resolved = Resolved::default();
        for name in on {
            match register.dial(name) {
                Some((dial, value)) => {
                    if !self.dials.contains_key(&dial) {
                        resolved.turned_by.insert(dial.clone(), name.to_owned());
                    }
                    let other = resolved.dials.insert(dial.clone(), value.clone());
                    let by_hand = self.dials.contains_key(&dial);
                    if let Some(other) = other.filter(|o| *o != value && !by_hand) {
                        let why = format!("`{name}` turns `{dial}` to {value}, and another tweak to {other}");
                        let problem = Problem::new(why)
                            .about(name)
                            .about(&dial)
                            .hint("take one of them off, or turn the dial by name");
                        problems.push(match register.place_of(name) {
                            Some((source, span)) => problem.at(&source, span),
                            None => problem,
                        });
                    }
                }
                None => resolved.variants.push(name.to_owned()),
            }
        }
        Problems::check(problems)?;
        resolved
            .dials
            .extend(self.dials.iter().map(|(n, v)| (n.clone(), v.clone())));
        Ok(resolved)
    }
}

#[derive(Default)]
struct Resolved {
    variants: Vec<String>,
    dials: BTreeMap<String, DialValue>,
    /// The dials that tweaks turn, each with the tweak.
    turned_by: BTreeMap<String, String>,
}

impl Resolved {
    /// What is wrong with a dial that a tweak turns is told at the tweak.
    fn at_tweaks(&self, mut problems: Vec<Problem>, register: &Register) -> Vec<Problem> {
        for problem in problems.iter_mut().filter(|p| p.place.is_none()) {
            let mut tweaks = self.turned_by.iter();
            let tweak = tweaks.find(|(dial, _)| problem.subjects().any(|s| s == dial.as_str()));
            let place = tweak.and_then(|(_, tweak)| register.place_of(tweak));
            if let Some((source, span)) = place {
                *problem = problem.clone().at(&source, span);
            }
        }
        problems
    }
}

/// A loaded ruleset with a table. See the module's comment.
pub struct Host {
    /// The texts and which of their functions are in force.
    pub layers: Rc<Layers>,
    program: Rc<Program>,
    index: Rc<Index>,
    parser: Parser,
    engine: Rc<Engine>,
    catalogue: Rc<Catalogue>,
    /// Where statements are, once somebody asks.
    places: OnceCell<Rc<Places>>,
    heap: RefCell<Heap>,
    /// What every run finds in the heap.
    constants: HeapEnd,
    observer: RefCell<Option<Watched>>,
    trace: RefCell<Option<Rc<RefCell<Recorder>>>>,
    /// The table that hooks act on.
    pub table: Rc<RefCell<Table>>,
    /// The declared data.
    pub rules: Rc<Rules>,
    /// The dials, by name.
    pub dials: Vec<Dial>,
    /// What it was loaded with.
    pub options: Options,
}

/// Why a step did not come to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// A question waits for its answer.
    Waiting,
    /// A stored answer does not fit: why.
    Diverged(NoFit),
    /// The rules failed.
    Failed(Box<Problem>),
}

impl Host {
    /// Loads a game: reads its scripts, what they declare, and checks all of it.
    ///
    /// # Errors
    ///
    /// Every problem that could be found at once.
    pub fn load(workspace: &Workspace, game: &str, options: &Options) -> Result<Self, Problems> {
        workspace.check_game(game)?;
        let mut found = Vec::new();
        // What is wrong with one part does not keep the others from being looked at; but nothing is
        // told that only follows from something else.
        let register = Register::read(workspace, game).unwrap_or_else(|problems| {
            found.extend(problems.0);
            Register::default()
        });
        let scripts = register::names(workspace, game);
        let resolved = options.resolve(&register, &scripts).unwrap_or_else(|problems| {
            if found.is_empty() {
                found.extend(problems.0);
            }
            Resolved {
                variants: options
                    .variants
                    .iter()
                    .filter(|v| scripts.contains(v))
                    .cloned()
                    .collect(),
                ..Resolved::default()
            }
        });
        let mut engine = engine::new();
        let parser = Parser::default();
        parser.attach(&mut engine);

        let layers = Layers::read(
            workspace,
            game,
            &layers::Wanted {
                variants: &resolved.variants,
                scratch: options.scratch.as_deref(),
                order: &options.order,
                checked: !options.unlinted,
            },
            &engine,
            &parser,
            &mut found,
        );
        let Some(layers) = layers else {
            return Err(in_reading_order(found, &[]));
        };
        let nothing = Rc::new(ruleset::no_rules(game));
        let plain = || Table::new(Rc::clone(&nothing));
        let bare = load::catalogue(&Members::of(&nothing, PROPERTIES), &[]);
        let in_order = |found| Err(in_reading_order(found, &layers.texts));
        if layers.declarations_are_broken() {
            lint::lint_all(&layers, &bare, None, &mut found);
            return in_order(found);
        }
        let mut about_dials = Vec::new();
        let told = |failure: &Failure, program: &Program| {
            problem_of(failure, program, &layers, &failures::Known::default())
        };
        let dials = load::read_dials(&layers, plain(), &resolved.dials, &mut about_dials, &told);
        found.extend(resolved.at_tweaks(about_dials, &register));
        let Some(dials) = dials else {
            lint::lint_all(&layers, &bare, None, &mut found);
            return in_order(found);
        };
        let mut loading = Loading::new(&layers, plain());
        let move_and_stay = ["move", "stay"].map(|word| loading.table.words.intern(word));
        loading.program.travel = move_and_stay.into();
        let unsaid = loading.lower(&dials, None, false);
        let in_declarations = unsaid.iter().any(|p| layers.is_in_declaration(p));
        found.extend(unsaid);
        if in_declarations {
            lint::lint_all(&layers, &bare, None, &mut found);
            return in_order(found);
        }
        loading.finish();
        let rules = match ruleset::declare_rules(&mut loading, game, &dials, &told) {
            Ok(rules) => Some(Rc::new(rules)),
            Err(problems) => {
                found.extend(problems.0);
                None
            }
        };
        if let Some(rules) = &rules {
            Rc::make_mut(&mut loading.program.members).fill(rules, PROPERTIES);
            loading.program.hit = rules.hit_slot().map(|slot| slot as u8);
            let moves = loading.program.members.find("move");
            let moves = moves.map(|m| loading.program.members.member(m).get[Kind::Unit as usize]);
            loading.program.moves = moves.flatten();
        }
        let catalogue = match rules.is_some() {
            true => load::catalogue(&loading.program.members, &loading.program.hooks),
            false => bare,
        };
        if !options.unlinted || !found.is_empty() {
            let whose = rules
                .as_ref()
                .map(|rules| ruleset::whose(rules, &loading.program.hooks));
            lint::lint_all(&layers, &catalogue, whose.as_ref(), &mut found);
        }
        // Where something else is wrong, the rule that reads a stat may be what could not be read.
        if let Some(rules) = rules.as_ref().filter(|_| !options.unlinted && found.is_empty()) {
            let off = || {
                let names = scripts.iter().filter(|name| !resolved.variants.contains(name));
                let paths = names.map(|name| format!("scripts/{game}/variants/{name}.rhai"));
                paths.filter_map(|path| workspace.read(&path).ok()).collect()
            };
            found.extend(loading.unread_stats(rules, off));
        }
        let Some(rules) = rules.filter(|_| found.is_empty()) else {
            return in_order(found);
        };
        let (lowered, heap, program, index) = loading.into_parts();
        let mut table = Table::new(Rc::clone(&rules));
        table.words = lowered.words;
        // Known from the start, so that their ids do not tell how far the game has come.
        for contest in rules.contests() {
            table.words.intern(contest);
        }
        Ok(Self {
            constants: heap.mark(),
            heap: RefCell::new(heap),
            layers: Rc::new(layers),
            program: Rc::new(program),
            index: Rc::new(index),
            parser,
            engine: Rc::new(engine),
            catalogue: Rc::new(catalogue),
            places: OnceCell::new(),
            observer: RefCell::default(),
            trace: RefCell::default(),
            table: Rc::new(RefCell::new(table)),
            rules,
            dials,
            options: options.clone(),
        })
    }

    /// The same rules with a table of their own, on which its positions can be laid: with the words
    /// and scripted rolls of this one's.
    pub fn beside(&self) -> Self {
        let mut table = Table::new(Rc::clone(&self.rules));
        if let Ok(own) = self.table.try_borrow() {
            table.words = own.words.clone();
            table.scripted_rolls = Rc::clone(&own.scripted_rolls);
            table.stated_throws = Rc::clone(&own.stated_throws);
        }
        let mut heap = self.heap.borrow().clone();
        heap.cut(self.constants);
        Self {
            layers: Rc::clone(&self.layers),
            program: Rc::clone(&self.program),
            index: Rc::clone(&self.index),
            parser: self.parser.clone(),
            engine: Rc::clone(&self.engine),
            catalogue: Rc::clone(&self.catalogue),
            places: self.places.clone(),
            heap: RefCell::new(heap),
            constants: self.constants,
            observer: RefCell::default(),
            trace: RefCell::default(),
            table: Rc::new(RefCell::new(table)),
            rules: Rc::clone(&self.rules),
            dials: self.dials.clone(),
            options: self.options.clone(),
        }
    }

    /// The name of a hook, as scripts define it.
    pub fn hook_name(&self, hook: HookId) -> String {
        let entry = self.program.hooks.get(hook.0 as usize);
        entry.map_or_else(String::new, |e| e.name.clone())
    }

    /// What runs.
    #[cfg(test)]
    pub fn program(&self) -> &Rc<Program> {
        &self.program
    }

    /// The ruleset's functions; those without a name stand behind the others.
    pub fn functions(&self) -> &[Rc<Function>] {
        let named = self.program.functions.iter().position(|f| f.within.is_some());
        &self.program.functions[..named.unwrap_or(self.program.functions.len())]
    }

    // --- watching --------------------------------------------------------------------------------

    /// Somebody watches every run from here on, until [`Self::unwatch`].
    pub fn watch_with(&self, watcher: Box<dyn Watcher>) {
        *self.observer.borrow_mut() = Some(Watched(watcher));
    }

    /// Nobody watches any more.
    pub fn unwatch(&self) {
        *self.observer.borrow_mut() = None;
    }

    /// Notes what happens from here on.
    pub fn start_trace(&self, level: Level) {
        let recorder = Rc::new(RefCell::new(Recorder::new(
            level,
            Rc::clone(&self.layers),
            &self.program,
        )));
        *self.trace.borrow_mut() = Some(Rc::clone(&recorder));
        self.watch_with(Box::new(recorder));
    }

    /// What was noted since [`Self::start_trace`].
    pub fn take_trace(&self) -> Option<Trace> {
        self.unwatch();
        let recorder = self.trace.borrow_mut().take()?;
        Rc::into_inner(recorder).map(|r| r.into_inner().trace)
    }

    /// A stable number over the texts of the ruleset and its dials, as 8 hexadecimal digits: rules with
    /// the same fingerprint are the same.
    pub fn fingerprint(&self) -> String {
        let texts = self.layers.texts.iter().map(|text| {
            let source = &text.parsed.source;
            format!("{} {:016x}\n", source.name, text_hash(&source.text))
        });
        let dials = self.dials.iter().map(|d| format!("{} = {}\n", d.name, d.value));
        let all: String = texts.chain(dials).collect();
        let hash = text_hash(&all);
        format!("{:08x}", (hash >> 32) as u32 ^ hash as u32)
    }

    // --- running ---------------------------------------------------------------------------------

    /// Runs rules on the table from an empty heap.
    fn run<O: Observer, T>(&self, observer: &mut O, act: impl FnOnce(&mut Run<'_, O>) -> T) -> T {
        let mut table = self.table.borrow_mut();
        let mut heap = self.heap.borrow_mut();
        heap.cut(self.constants);
        let mut run = Run::new(&mut table, &mut heap, &self.program, observer);
        act(&mut run)
    }

    /// Runs the step that is under way.
    ///
    /// # Errors
    ///
    /// Why it did not come to its end.
    pub fn step(&self) -> Result<(), Stop> {
        let act = match self.table.borrow().checkpoint.next {
            Next::Pick { .. } => None,
            Next::Step { hook, about } => Some(Act::Step(hook, about)),
            Next::Turn => Some(Act::Turn),
            Next::Close => Some(Act::Close),
            Next::Begin { .. } | Next::Reveal | Next::Endless { .. } | Next::Over => return Ok(()),
        };
        if let Some(act) = act {
            return self.act(act).map(|_| ());
        }
        let picked = self.table.borrow_mut().pick();
        picked.map_err(|halt| self.stopped(halt))
    }

    /// Calls a hook about a thing, and what follows from it.
    pub fn call_hook(&self, hook: HookId, about: Thing) -> Result<View, Stop> {
        self.act(Act::Hook(hook, about)).map(|said| self.view(said))
    }

    fn act(&self, act: Act) -> Result<Value, Stop> {
        match &mut *self.observer.borrow_mut() {
            None => self.run(&mut Nobody, |run| {
                let said = act.of(run);
                self.ended(run, said)
            }),
            Some(observer) => self.run(observer, |run| {
                let said = act.of(run);
                self.ended(run, said)
            }),
        }
    }

    /// What a run came to.
    fn ended<O: Observer, T>(&self, run: &mut Run<'_, O>, said: Result<T, Fault>) -> Result<T, Stop> {
        match run.table.halt() {
            Some(Halt::Waiting | Halt::Paused) => return Err(Stop::Waiting),
            Some(Halt::Diverged(why)) => return Err(Stop::Diverged(why.clone())),
            Some(Halt::NotOffered(chosen)) => return Err(not_offered(run.table, *chosen)),
            _ => {}
        }
        said.map_err(|fault| {
            let failure = match (run.failure.take(), *fault.0) {
                (Some(failure), Why::Halted) => *failure,
                (_, why) => Failure {
                    why,
                    function: usize::MAX,
                    ..Failure::default()
                },
            };
            Stop::Failed(Box::new(self.problem(&failure)))
        })
    }

    /// A hook of the game by its name.
    pub fn hook(&self, name: &str) -> Option<HookId> {
        let at = self.program.hooks.iter().position(|h| h.name == name)?;
        Some(HookId(at as u16))
    }

    /// Asks a hook by name about a thing, reading only; `None` when the game has no such hook.
    pub fn ask(&self, name: &str, about: Thing) -> Option<Result<View, Problem>> {
        let hook = self.hook(name)?;
        Some(self.asked(name, Act::Hook(hook, about)))
    }

    /// Asks a hook for a whole number, as [`Self::ask`].
    pub fn ask_number(&self, name: &str, about: Thing) -> Option<Result<i64, Problem>> {
        let said = self.ask(name, about)?;
        Some(said.and_then(|said| self.whole(name, &said)))
    }

    /// What the game's hook `hint` says of options, by their index, of the question that waits; none when it has no
    /// such hook.
    ///
    /// # Errors
    ///
    /// The hook fails, or says something else than a whole number.
    pub fn hints(&self, options: &[usize]) -> Result<Vec<i64>, Problem> {
        const NAME: &str = "hint";
        let Some(hook) = self.hook(NAME) else {
            return Ok(Vec::new());
        };
        let (about, label) = {
            let table = self.table.borrow();
            // What is asked about whomever the step is about names nobody.
            let about = match (table.request.subject, table.about()) {
                (Thing::Game, Thing::Unit(unit)) => Thing::Unit(unit),
                (Thing::Game, _) => Thing::Faction(table.request.asker),
                (subject, _) => subject,
            };
            (about, table.request.label)
        };
        let hint = |at: &usize| {
            let said = self.asked(NAME, Act::Hint(hook, about, label, *at))?;
            self.whole(NAME, &said)
        };
        options.iter().map(hint).collect()
    }

    /// Asks a hook, reading only, whatever the running step waits for.
    fn asked(&self, name: &str, act: Act) -> Result<View, Problem> {
        let (read_only, halt) = {
            let mut table = self.table.borrow_mut();
            let read_only = std::mem::replace(&mut table.read_only, true);
            (read_only, table.set_halt(None))
        };
        let said = self.act(act);
        let mut table = self.table.borrow_mut();
        table.read_only = read_only;
        table.set_halt(halt);
        drop(table);
        said.map(|said| self.view(said)).map_err(|stop| match stop {
            Stop::Failed(problem) => *problem,
            Stop::Waiting => Problem::new(format!("`{name}` asks a question; it may only look")),
            Stop::Diverged(no_fit) => Problem::new(no_fit.to_string()),
        })
    }

    /// The whole number that a hook said.
    fn whole(&self, name: &str, said: &View) -> Result<i64, Problem> {
        let wrong = || {
            let said = said.kind().told();
            self.at_hook(name, format!("`{name}` must give a whole number, not {said}"))
        };
        said.as_int().ok_or_else(wrong)
    }

    /// A problem with what a hook of the game says, at its name.
    pub fn at_hook(&self, name: &str, why: String) -> Problem {
        let problem = Problem::new(why);
        let Some((_, layer)) = self.layers.top(0, name) else {
            return problem;
        };
        let (source, span) = self.layers.origin(layer);
        problem.at(&source, span)
    }

    fn view(&self, value: Value) -> View {
        if value.is_nothing() {
            return View::Nothing;
        }
        self.heap.borrow().view(&self.table.borrow().words, value)
    }

    /// A halt of the kernel as the reason why a step stopped.
    fn stopped(&self, halt: Halt) -> Stop {
        match halt {
            Halt::Waiting | Halt::Paused => Stop::Waiting,
            Halt::Diverged(why) => Stop::Diverged(why),
            Halt::NotOffered(chosen) => not_offered(&self.table.borrow(), chosen),
            Halt::Rule(message) => Stop::Failed(Box::new(Problem::new(message))),
        }
    }

    /// Evaluates an expression of a user on the live position, which it can only read.
    ///
    /// # Errors
    ///
    /// What is wrong with the expression, at its place.
    pub fn evaluate(&self, source: &Rc<Source>) -> Result<View, Problem> {
        self.evaluate_in(source, 0, &[])
    }

    /// Evaluates an expression of ours about values, each by its name in it. It can only read.
    ///
    /// # Errors
    ///
    /// What the rules that it asks fail in.
    pub fn evaluate_with(&self, text: &str, values: &[(&str, View)]) -> Result<View, Problem> {
        let values: Vec<(String, View)> = values.iter().map(|(n, v)| ((*n).to_owned(), v.clone())).collect();
        let source = Source::new("check", text);
        let said = self.work_out(&source, 0, &values)?;
        said.map_err(|mut failure| {
            // Nobody wrote the expression: what fails is told where the rules say it.
            failure
                .calls
                .retain(|(function, _)| *function < self.program.functions.len());
            self.problem(&failure)
        })
    }

    /// The same with the names that a script sees, and with further variables.
    ///
    /// # Errors
    ///
    /// What is wrong with the expression, at its place.
    pub fn evaluate_in(
        &self,
        source: &Rc<Source>,
        script: usize,
        given: &[(String, View)],
    ) -> Result<View, Problem> {
        let said = self.work_out(source, script, given)?;
        said.map_err(|failure| {
            // What failed in a function that it calls is told where it calls it.
            let calls = failure.calls.iter().rev();
            let own = calls
                .copied()
                .find(|(function, _)| *function >= self.program.functions.len());
            let spot = own.map_or(failure.spot, |(_, spot)| spot);
            let at = spot.at();
            let span = source.span_at(at.0.max(1), at.1.max(1));
            let (message, hint) = failures::told(&failure.why, &self.known());
            let problem = Problem::new(message).at(source, span);
            match hint {
                Some(hint) => problem.hint(hint),
                None => problem,
            }
        })
    }

    /// What an expression comes to, or how it fails.
    fn work_out(
        &self,
        source: &Rc<Source>,
        script: usize,
        given: &[(String, View)],
    ) -> Result<Result<View, Failure>, Problem> {
        let parsed = self.parser.expression(&self.engine, source)?;
        let mut table = self.table.borrow_mut();
        let table = &mut *table;
        let mut heap = self.heap.borrow_mut();
        heap.cut(self.constants);
        // What an expression says for the first time is forgotten with it.
        let words = table.words.len();
        let hooks = self.redefined();
        let names = Names {
            layers: &self.layers,
            dials: &self.dials,
            functions: &self.index,
            hooks: &hooks,
        };
        let mut members = Rc::clone(&self.program.members);
        let named = self.program.functions.len();
        let mut store = Store {
            words: &mut table.words,
            heap: &mut heap,
            members: &mut members,
            closures: Vec::new(),
            called: Vec::new(),
            named: named + 1,
            problems: Vec::new(),
        };
        let place = crate::script::parse::Definition { script, level: 0 };
        let within = Within {
            parsed: &parsed,
            text: usize::MAX,
            place,
            layer: None,
            function: named,
            lazy: true,
        };
        let params: Vec<String> = given.iter().map(|(name, _)| name.clone()).collect();
        let code = lower::expression(&names, &mut store, within, &params);
        let (closures, mut problems) = (store.closures, store.problems);
        if !problems.is_empty() {
            table.words.cut(words);
            return Err(problems.swap_remove(0));
        }
        let own = Function {
            text: usize::MAX,
            place,
            name: String::new(),
            params,
            at: (0, 0),
            within: None,
            code,
        };
        let mut program = Program {
            members,
            ..(*self.program).clone()
        };
        program.functions.push(Rc::new(own));
        program.functions.extend(closures.into_iter().map(Rc::new));
        let was = std::mem::replace(&mut table.read_only, true);
        let said = {
            let mut nobody = Nobody;
            let mut run = Run::new(table, &mut heap, &program, &mut nobody);
            let args: Result<Vec<Value>, Fault> = given.iter().map(|(_, view)| run.of_view(view)).collect();
            let said = match args {
                Ok(args) => run.call(named, &args),
                Err(fault) => Err(run.fail_here(*fault.0)),
            };
            let said = said.map(|value| run.heap.view(&run.table.words, value));
            let failure = run.failure.take();
            said.map_err(|Left| failure.map_or_else(Failure::default, |f| *f))
        };
        table.read_only = was;
        table.words.cut(words);
        Ok(said)
    }

    fn redefined(&self) -> HashMap<String, (HookId, usize)> {
        let hooks = self.program.hooks.iter().enumerate();
        // Users say the plain names of all of them.
        hooks
            .map(|(index, entry)| (entry.name.clone(), (HookId(index as u16), entry.arity)))
            .collect()
    }

    /// What is wrong with an expression of a user, as far as it can be told without a position.
    pub fn check_expression(&self, source: &Rc<Source>) -> Vec<Problem> {
        let parsed = match self.parser.expression(&self.engine, source) {
            Ok(parsed) => parsed,
            Err(problem) => return vec![problem],
        };
        let keys = self.layers.texts.iter().flat_map(|t| &t.parsed.map_keys);
        let keys = keys.chain(&parsed.map_keys).map(String::as_str);
        let given = lint::thrown_keys(self.layers.texts.iter().flat_map(|t| &t.parsed.calls));
        let keys: BTreeSet<&str> = keys.chain(given.iter().copied()).collect();
        let of_game: Vec<&FnDef> = self.layers.functions(0).collect();
        let visible = |_: At| of_game.as_slice();
        let nothing = BTreeSet::new();
        let mut found = lint::calls(&parsed, Some(&keys), &nothing, &visible, &self.catalogue, &|_| {
            None
        });
        let own: Vec<&str> = parsed.let_names((1, 1)).collect();
        for used in &parsed.free_names {
            let name = used.name.as_str();
            let known = NOTHING_WORDS.contains(&name)
                || lower::dial_meant(&self.layers, 0, name, &self.dials).is_some();
            if known || own.contains(&name) {
                continue;
            }
            let (message, hint) = failures::told(&Why::NoName(used.name.clone()), &self.known());
            let problem = Problem::new(message).at(source, source.span_at(used.at.0, used.at.1));
            found.push(match hint {
                Some(hint) => problem.hint(hint),
                None => problem,
            });
        }
        found
    }

    /// Whether a text is an expression at all.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn check_condition(&self, text: &str) -> Result<(), Problem> {
        let source = Source::new("condition", text);
        self.parser.expression(&self.engine, &source).map(|_| ())
    }

    /// Where the statements of the ruleset's functions are.
    pub fn places(&self) -> &Rc<Places> {
        self.places.get_or_init(|| Rc::new(Places::of(&self.program)))
    }

    /// The dials that an expression can read, by the names that it reads them by.
    pub fn names_of_dials(&self) -> Vec<String> {
        let types: Vec<&str> = self.rules.types.iter().map(|t| t.name.as_str()).collect();
        let of_type = |d: &&Dial| d.name.split_once('.').is_some_and(|(of, _)| types.contains(&of));
        let common = self.dials.iter().filter(|d| !of_type(d));
        let names = common.map(|d| d.name.replace('.', "_"));
        NOTHING_WORDS
            .into_iter()
            .map(str::to_owned)
            .chain(names)
            .collect()
    }

    /// The functions that an expression can call, by name; some may stand there twice.
    pub fn function_names(&self) -> impl Iterator<Item = &str> {
        self.catalogue.function_names()
    }

    /// What can stand behind the dot after a value of this kind: properties, and functions that take
    /// such a value first; of every kind without one. Sorted, each once.
    pub fn members(&self, kind: Option<Kind>) -> Vec<String> {
        let all = self.program.members.iter();
        let properties = all.filter(|(_, member)| match kind {
            Some(kind) => member.get[kind as usize].is_some(),
            None => member.get.iter().any(Option::is_some),
        });
        let mut names: BTreeSet<String> = properties.map(|(name, _)| name.to_owned()).collect();
        let fits = |first: Kind| match kind {
            Some(kind) => first == kind,
            None => Kind::has_members(first),
        };
        let many = [Kind::List, Kind::Units, Kind::Places, Kind::Dice, Kind::Range];
        let takes = NATIVES.iter().filter(|n| match n.params.first() {
            Some((MANY, Kind::Any)) => kind.is_none_or(|kind| many.contains(&kind)),
            first => first.is_some_and(|(_, first)| fits(*first)),
        });
        names.extend(takes.map(|n| n.name.to_owned()));
        names.extend(MUTATORS.iter().filter(|m| fits(m.of)).map(|m| m.name.to_owned()));
        names.into_iter().collect()
    }

    /// Whether a function of that name is the kernel's own.
    pub fn is_native(&self, name: &str) -> bool {
        NATIVES.iter().any(|n| n.name == name)
    }

    /// The names of the parameters of each function of that name: the script's, or the kernel's.
    pub fn parameters(&self, name: &str) -> Vec<Vec<String>> {
        let scripted = self.functions().iter().filter(|f| f.name == name);
        let scripted: BTreeSet<Vec<String>> = scripted.map(|f| f.params.clone()).collect();
        let natives = NATIVES.iter().filter(|n| n.name == name);
        let natives = natives.map(|n| n.params.iter().map(|(name, _)| (*name).to_owned()).collect());
        scripted.into_iter().chain(natives).collect()
    }

    /// A value as users read it: things by their names, sets as lists.
    pub fn value_text(&self, value: &View) -> String {
        value.text(&self.table.borrow())
    }

    /// The dials that a function's text names, with the names it uses, each once.
    pub fn dials_in(&self, function: usize) -> Vec<(String, String)> {
        let Function {
            text, place, name, ..
        } = &*self.program.functions[function];
        let parsed = &self.layers.texts[*text].parsed;
        let mut found: Vec<(String, String)> = Vec::new();
        for used in &parsed.free_names {
            let Some((layer, at)) = self.layers.around(*text, used.at) else {
                continue;
            };
            if at != *place || self.layers.def(layer).name != *name {
                continue;
            }
            let dial = lower::dial_meant(&self.layers, place.script, &used.name, &self.dials);
            if let Some(dial) = dial
                && !found.iter().any(|(n, _)| *n == used.name)
            {
                found.push((used.name.clone(), dial.value.to_string()));
            }
        }
        found
    }

    // --- telling ---------------------------------------------------------------------------------

    /// What names there are, for hints.
    fn known(&self) -> failures::Known<'_> {
        failures::Known {
            catalogue: Some(&self.catalogue),
            names: self.dials.iter().map(|d| d.name.as_str()).collect(),
            functions: signatures(&self.program),
        }
    }

    /// A failure of the rules as a problem at its place, with the calls that led there.
    fn problem(&self, failure: &Failure) -> Problem {
        let problem = problem_of(failure, &self.program, &self.layers, &self.known());
        if failure.runs_away() {
            self.run_away(problem, failure)
        } else {
            problem
        }
    }

    /// The problem of a step that never ends, at the line where it was stopped.
    fn run_away(&self, mut problem: Problem, failure: &Failure) -> Problem {
        let at = |(function, spot): &(usize, Spot)| {
            let text = self.program.functions.get(*function)?.text;
            (spot.line() > 0).then_some((text, spot.line()))
        };
        let own = (failure.function, failure.spot);
        let mut lines: Vec<(usize, usize)> = [own].iter().chain(&failure.calls).filter_map(at).collect();
        if failure.why == Why::Deep {
            // Where it was stopped is chance; the lines that come again and again are the circle.
            let all = std::mem::take(&mut lines);
            for line in &all {
                let times = all.iter().filter(|l| *l == line).count();
                if times >= ROUNDS && !lines.contains(line) {
                    lines.push(*line);
                }
            }
        }
        let place = |(text, line): &(usize, usize)| {
            let source = &self.layers.texts[*text].parsed.source;
            let whole = source.line_at(source.span_at(*line, 1).start);
            let blank = source.slice(whole.clone());
            let blank = blank.len() - blank.trim_start().len();
            let end = whole.start + source.slice(whole.clone()).trim_end().len();
            (Rc::clone(source), whole.start + blank..end)
        };
        let Some(innermost) = lines.first() else {
            return problem;
        };
        let (source, span) = place(innermost);
        let told = problem.place.as_ref();
        if told.is_some_and(|p| p.source.name == source.name && p.line_col().0 == innermost.1) {
            return problem;
        }
        problem.chain.clear();
        problem = problem.at(&source, span);
        let mut calls: Vec<&(usize, usize)> = lines[1..].iter().collect();
        calls.dedup();
        for call in calls.into_iter().take(CALLS_TOLD) {
            let (source, span) = place(call);
            problem = problem.called_from(&source, span, None);
        }
        problem
    }
}

/// What the rules are run for.
#[derive(Clone, Copy)]
enum Act {
    /// A hook about a thing.
    Hook(HookId, Thing),
    /// The same as a step of the game, which may take something before it begins.
    Step(HookId, Thing),
    /// The same about a thing, the words of a question, and its option of an index.
    Hint(HookId, Thing, WordId, usize),
    /// It is decided whose turn it is.
    Turn,
    /// What a simultaneous phase gathered is applied.
    Close,
}

impl Act {
    fn of<O: Observer>(self, run: &mut Run<'_, O>) -> Result<Value, Fault> {
        match self {
            Act::Hook(hook, about) => hook_about(run, hook, about),
            Act::Step(hook, about) => match pays(run, about)? {
                true => hook_about(run, hook, about),
                false => Ok(Value::NOTHING),
            },
            Act::Hint(hook, about, label, at) => {
                let option = run.table.request.options.get(at);
                let option = option.map_or(Ok(Value::NOTHING), |option| run.offered(option))?;
                run.hook(hook, &[value_of_thing(about), label.into(), option])
            }
            Act::Turn => decide_turn(run),
            Act::Close => close(run),
        }
    }
}

/// Takes what an activation takes. False when it does not come to the activation any more: what follows from it
/// has taken the unit off the board, or decided the game.
fn pays<O: Observer>(run: &mut Run<'_, O>, about: Thing) -> Result<bool, Fault> {
    let Some((effect, cause)) = run.table.price() else {
        return Ok(true);
    };
    run.act(effect, cause)?;
    let world = &run.table.world;
    Ok(!world.decided && !matches!(about, Thing::Unit(unit) if !world.is_on_board(unit)))
}

/// Decides whose turn it is.
fn decide_turn<O: Observer>(run: &mut Run<'_, O>) -> Result<Value, Fault> {
    if let Some(card) = run.table.decide_turn()? {
        if let Some((effect, cause)) = run.table.price_of(card) {
            run.act(effect, cause)?;
        }
        let table = &mut *run.table;
        let cursor = &mut table.checkpoint.cursor;
        cursor.begin_turn(&table.world, card.faction, card.unit);
    }
    Ok(Value::NOTHING)
}

/// What was answered before is not offered any more: why, and what is.
#[cold]
fn not_offered(table: &Table, chosen: Chosen) -> Stop {
    let asked = table.asked_now();
    let key = chosen.key(asked.rules, asked.words);
    Stop::Diverged(match asked.read(&key) {
        Err(no_fit) => no_fit,
        Ok(_) => asked.no_fit(format!("`{key}` is not offered")),
    })
}

/// Calls a hook about a thing.
fn hook_about<O: Observer>(run: &mut Run<'_, O>, hook: HookId, about: Thing) -> Result<Value, Fault> {
    let (arg, whose) = match about {
        Thing::Game => (None, Whose::Game),
        Thing::Faction(f) => (Some(Value::from(f)), Whose::Game),
        Thing::Place(p) => (
            Some(Value::from(p)),
            whose_place(run.program, run.table, hook, p)?,
        ),
        Thing::Unit(u) => (Some(Value::from(u)), Whose::Type(run.table.world.unit(u).kind)),
    };
    let target = run.program.hooks[hook.0 as usize].target(whose);
    // A faction that is asked after something hears of whom.
    let cut = run.table.checkpoint.cursor.set_off(&run.table.rules);
    match (cut, arg) {
        (Some((asking, after)), Some(side)) if asking == hook => run.invoke(target, &[side, after.into()]),
        _ => run.invoke(target, arg.as_slice()),
    }
}

/// Applies what a simultaneous phase gathered, then what follows from it as further batches. What cannot both
/// happen is asked of the faction that the game names.
fn close<O: Observer>(run: &mut Run<'_, O>) -> Result<Value, Fault> {
    // By the group of what it does: what each reaction follows from.
    let mut reactions: Vec<(u32, Due)> = Vec::new();
    for batches in 0.. {
        let batch = run.table.begin_apply();
        let batch = conflicts::settle(run.table, batch)?;
        for gathered in &batch {
            let before = run.table.events.len();
            run.table.apply_gathered(gathered)?;
            let made = before..run.table.events.len();
            run.watch(|w, _| w.applied(gathered.effect, gathered.cause, gathered.group, made));
        }
        run.table.gather_again();
        let due = std::mem::take(&mut run.table.due);
        if due.is_empty() {
            break;
        }
        if batches >= MAX_BATCHES {
            return Err(endless(run, &reactions, &due[0]));
        }
        for due in due {
            let group = run.table.next_group(due.about);
            reactions.push((group, due.clone()));
            run.react(due)?;
        }
    }
    run.table.end_apply();
    Ok(Value::NOTHING)
}

/// Reactions in simultaneous phases follow from each other without end: which ones.
#[cold]
fn endless<O: Observer>(run: &mut Run<'_, O>, reactions: &[(u32, Due)], last: &Due) -> Fault {
    let before = |due: &Due| {
        reactions
            .iter()
            .find(|(group, _)| *group == due.group)
            .map(|(_, due)| due)
    };
    let mut chain: Vec<(HookId, Thing)> = std::iter::successors(Some(last), |due| before(due))
        .map(|due| (due.hook, due.about))
        .collect();
    chain.reverse();
    let whose = match last.about {
        Thing::Unit(unit) => Whose::Type(run.table.world.unit(unit).kind),
        _ => Whose::Game,
    };
    let function = run.program.hooks[last.hook.0 as usize].target(whose).index;
    let Fault(why) = run.endless(&chain);
    run.fail(*why, function, Spot::default());
    Fault::halted()
}

/// The script functions as they are called, by name.
fn signatures(program: &Program) -> Vec<(&str, String)> {
    let named = program.functions.iter().filter(|f| f.within.is_none());
    let told = named.map(|f| (f.name.as_str(), format!("{}({})", f.name, f.params.join(", "))));
    told.collect()
}

/// A failure as a problem at its place, with the calls that led there.
fn problem_of(failure: &Failure, program: &Program, layers: &Layers, known: &failures::Known<'_>) -> Problem {
    let (message, hint) = failures::told(&failure.why, known);
    let mut problem = Problem::new(message);
    let source = |function: usize| {
        let function = program.functions.get(function)?;
        layers.texts.get(function.text).map(|t| &t.parsed.source)
    };
    if let Some(source) = source(failure.function) {
        let at = match failure.spot.at() {
            (0, _) => program.functions[failure.function].at,
            at => at,
        };
        problem = problem.at(source, source.span_at(at.0.max(1), at.1.max(1)));
    }
    if let Some(hint) = hint {
        problem = problem.hint(hint);
    }
    for (function, spot) in &failure.calls {
        let (Some(source), at) = (source(*function), spot.at()) else {
            continue;
        };
        if at.0 == 0 {
            continue;
        }
        let own = &program.functions[*function];
        let named = own.within.map_or(own, |within| &program.functions[within]);
        let note = Some(format!("in `{}`", named.name));
        problem = problem.called_from(source, source.span_at(at.0, at.1.max(1)), note);
    }
    problem
}

/// Problems in the order of the texts, those of one text from top to bottom, each once; those that
/// are nowhere come first.
fn in_reading_order(mut found: Vec<Problem>, texts: &[super::layers::Text]) -> Problems {
    found.sort_by_cached_key(|problem| {
        let place = problem.place.as_ref()?;
        let name = &place.source.name;
        let text = texts.iter().position(|t| t.parsed.source.name == *name);
        // The register, and what else is no script, comes before the scripts.
        Some((text, name.clone(), place.span.start))
    });
    Problems(found).once()
}
