//! A loaded ruleset: its program, the declared data, and the table that hooks act on. One thread has
//! one host; nothing is shared between threads.

mod act;
mod expressions;
mod messages;

use super::declare::problems::unknown_name;
use super::declare::{Dial, DialValue};
use super::layers::{self, Layers};
use super::lint::{self, Catalogue};
use super::load::{self, Loading};
use super::parse::Parser;
use super::places::Places;
use super::register::{self, Register, variant_path};
use super::run::context::{Program, Run};
use super::run::fault::{Failure, Fault, FaultKind};
use super::run::heap::{Heap, HeapEnd};
use super::run::lower::FunctionIndex;
use super::run::members::Members;
use super::run::natives::PROPERTIES;
use super::run::node::Function;
use super::run::observe::{NoObserver, Observer, WatchedRun, Watcher};
use super::run::value::{Kind, Value};
use super::run::view::ValueView;
use super::trace::{Recorder, Trace, TraceLevel};
use super::workspace::Workspace;
use super::{engine, failures, names, problems, ruleset};
use crate::kernel::choice::NamedOption;
use crate::kernel::dice::text_hash;
use crate::kernel::ids::{HookId, Thing};
use crate::kernel::rules::Rules;
use crate::kernel::schedule::NextStep;
use crate::kernel::table::{AnswerError, Halt, Table};
use crate::report::{Problem, Problems, hint_for};
use act::RunPurpose;
use messages::{in_reading_order, problem_of};
use rhai::Engine;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::rc::Rc;

/// Options for loading a ruleset.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoadOptions {
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

impl LoadOptions {
    /// Returns the variants that are on and the dials that are set, as `NAME` and `NAME=VALUE`.
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
        let mut found = Vec::new();
        for name in self.variants.iter().chain(&self.without) {
            if !known().any(|k| k == name) {
                let problem = unknown_name("variant", name).about(name);
                found.push(problem.hint(hint_for(name, known())));
            }
        }
        Problems::check(std::mem::take(&mut found))?;
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
                        let problem = problems::conflicting_dials(name, &dial, &value, other);
                        let problem = problem.about(name).about(&dial);
                        found.push(problem.at_some(register.place_of_dial(name)));
                    }
                }
                None => resolved.variants.push(name.to_owned()),
            }
        }
        Problems::check(found)?;
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
    /// Moves problems with a dial to the place of the variant that sets the dial.
    fn at_tweaks(&self, mut problems: Vec<Problem>, register: &Register) -> Vec<Problem> {
        for problem in problems.iter_mut().filter(|p| p.place.is_none()) {
            let mut tweaks = self.turned_by.iter();
            let tweak = tweaks.find(|(dial, _)| problem.subjects().any(|s| s == dial.as_str()));
            let place = tweak.and_then(|(_, tweak)| register.place_of_dial(tweak));
            if let Some((source, span)) = place {
                *problem = problem.clone().at(source, span);
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
    index: Rc<FunctionIndex>,
    parser: Parser,
    engine: Rc<Engine>,
    catalogue: Rc<Catalogue>,
    /// Places of the statements, computed on first use.
    places: OnceCell<Rc<Places>>,
    /// The hooks by the plain names that users say, with how many parameters they take, once somebody does.
    hooks: OnceCell<HashMap<String, (HookId, usize)>>,
    heap: RefCell<Heap>,
    /// Contents of the heap at the start of every run.
    constants: HeapEnd,
    /// Number of texts that the rules themselves know.
    pub(crate) words: usize,
    observer: RefCell<Option<WatchedRun>>,
    trace: RefCell<Option<Rc<RefCell<Recorder>>>>,
    /// The table that hooks act on.
    pub table: Rc<RefCell<Table>>,
    /// The declared data.
    pub rules: Rc<Rules>,
    /// The dials, by name.
    pub dials: Vec<Dial>,
    /// Options that it was loaded with.
    pub options: LoadOptions,
}

/// Why a step did not come to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepStop {
    /// A question waits for its answer.
    Waiting,
    /// A stored answer does not fit: why.
    Diverged(AnswerError),
    /// The rules failed.
    Failed(Box<Problem>),
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Host").field(&self.rules.game).finish()
    }
}

impl Host {
    /// Loads a game: reads its scripts, what they declare, and checks all of it.
    ///
    /// # Errors
    ///
    /// Every problem that could be found at once.
    pub fn load(workspace: &Workspace, game: &str, options: &LoadOptions) -> Result<Self, Problems> {
        workspace.check_game(game)?;
        let mut found = Vec::new();
        // What is wrong with one part does not keep the others from being looked at; but nothing is
        // told that only follows from something else.
        let (register, wrong) = Register::read_as_far(workspace, game)
            .unwrap_or_else(|problem| (Register::default(), vec![problem]));
        found.extend(wrong);
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
            &layers::LayerSelection {
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
        let bare = || Catalogue::of(&Members::of(&nothing, PROPERTIES), &[]);
        let in_order = |found| Err(in_reading_order(found, &layers.texts));
        let misspelt = lint::misspelt_declarations(&layers);
        let is_misspelt = !misspelt.is_empty();
        found.extend(misspelt);
        if layers.declarations_are_broken() || is_misspelt {
            lint::lint_all(&layers, &bare(), None, &mut found);
            return in_order(found);
        }
        let mut about_dials = Vec::new();
        let told = |failure: &Failure, program: &Program| {
            problem_of(failure, program, &layers, &failures::KnownNames::default())
        };
        let mut loading = Loading::new(&layers, plain());
        let dials = load::read_dials(&mut loading, &resolved.dials, &mut about_dials, &told);
        found.extend(resolved.at_tweaks(about_dials, &register));
        let Some(dials) = dials else {
            lint::lint_all(&layers, &bare(), None, &mut found);
            return in_order(found);
        };
        let mut loading = loading.anew(plain());
        let move_and_stay = ["move", "stay"].map(|word| loading.table.words.intern(word));
        loading.program.travel = move_and_stay.into();
        let unsaid = loading.lower(&dials, None, false);
        let in_declarations = unsaid.iter().any(|p| layers.is_in_declaration(p));
        found.extend(unsaid);
        if in_declarations {
            lint::lint_all(&layers, &bare(), None, &mut found);
            return in_order(found);
        }
        loading.finish();
        let rules = match ruleset::declare_rules(&mut loading, game, &dials, &told) {
            Ok(rules) => Some(Rc::new(rules)),
            Err(mut problems) => {
                // What could not be read may be what is missing.
                let lost: BTreeSet<&str> = layers.lost().collect();
                problems
                    .0
                    .retain(|p| !p.subjects().any(|name| lost.contains(name)));
                found.extend(problems.0);
                None
            }
        };
        if let Some(rules) = &rules {
            let members = Rc::make_mut(&mut loading.program.members);
            members.fill(rules, PROPERTIES);
            members.know(&loading.table.words);
            loading.program.hit = rules.hit_slot().map(|slot| slot as u8);
            let moves = loading.program.members.find("move");
            let moves = moves.map(|m| loading.program.members.member(m).get[Kind::Unit as usize]);
            loading.program.moves = moves.flatten();
        }
        let catalogue = match rules.is_some() {
            true => Catalogue::of(&loading.program.members, &loading.program.hooks),
            false => bare(),
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
                let paths = names.map(|name| variant_path(game, name));
                paths.filter_map(|path| workspace.read(&path).ok()).collect()
            };
            found.extend(loading.unread_stats(rules, off));
            found.extend(names::check(&layers, rules, &dials));
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
            words: table.words.len(),
            heap: RefCell::new(heap),
            layers: Rc::new(layers),
            program: Rc::new(program),
            index: Rc::new(index),
            parser,
            engine: Rc::new(engine),
            catalogue: Rc::new(catalogue),
            places: OnceCell::new(),
            hooks: OnceCell::new(),
            observer: RefCell::default(),
            trace: RefCell::default(),
            table: Rc::new(RefCell::new(table)),
            rules,
            dials,
            options: options.clone(),
        })
    }

    /// The stats and dials that no rule reads, under any of the game's variants.
    pub fn idle(&self, workspace: &Workspace) -> Vec<String> {
        let game = &self.rules.game;
        let names = register::names(workspace, game);
        let texts = names.iter().map(|name| workspace.read(&variant_path(game, name)));
        let texts: Vec<_> = texts.filter_map(Result::ok).collect();
        load::idle(&self.layers, &self.rules, &self.dials, &texts)
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
            hooks: self.hooks.clone(),
            heap: RefCell::new(heap),
            constants: self.constants,
            words: self.words,
            observer: RefCell::default(),
            trace: RefCell::default(),
            table: Rc::new(RefCell::new(table)),
            rules: Rc::clone(&self.rules),
            dials: self.dials.clone(),
            options: self.options.clone(),
        }
    }

    /// Forgets the texts of whatever was played before: nothing of it may be held any more.
    pub fn forget_words(&self) {
        self.table.borrow_mut().forget_words(self.words);
    }

    /// The name of a hook, as scripts define it.
    pub fn hook_name(&self, hook: HookId) -> String {
        let entry = self.program.hooks.get(hook.0 as usize);
        entry.map_or_else(String::new, |e| e.name.clone())
    }

    /// Returns the program.
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
        *self.observer.borrow_mut() = Some(WatchedRun(watcher));
    }

    /// Nobody watches any more.
    pub fn unwatch(&self) {
        *self.observer.borrow_mut() = None;
    }

    /// Notes what happens from here on.
    pub fn start_trace(&self, level: TraceLevel) {
        let recorder = Rc::new(RefCell::new(Recorder::new(
            level,
            Rc::clone(&self.layers),
            &self.program,
        )));
        *self.trace.borrow_mut() = Some(Rc::clone(&recorder));
        self.watch_with(Box::new(recorder));
    }

    /// Returns the trace recorded since [`Self::start_trace`].
    pub fn take_trace(&self) -> Option<Trace> {
        self.unwatch();
        let recorder = self.trace.borrow_mut().take()?;
        Rc::into_inner(recorder).map(|r| r.into_inner().trace)
    }

    /// A stable number over the texts of the ruleset and its dials, as 8 hexadecimal digits: rules with
    /// the same fingerprint are the same.
    pub fn fingerprint(&self) -> String {
        let texts = self.layers.texts.iter().map(|text| {
            let parsed = &text.parsed;
            format!("{} {:016x}\n", parsed.source.name, parsed.hash)
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
    pub fn step(&self) -> Result<(), StepStop> {
        let act = match self.table.borrow().checkpoint.next {
            NextStep::Pick { .. } => None,
            NextStep::Step { hook, about } => Some(RunPurpose::Step(hook, about)),
            NextStep::Turn => Some(RunPurpose::Turn),
            NextStep::Close => Some(RunPurpose::Close),
            NextStep::Begin { .. } | NextStep::Reveal | NextStep::Endless { .. } | NextStep::Over => {
                return Ok(());
            }
        };
        if let Some(act) = act {
            return self.act(act).map(|_| ());
        }
        let picked = self.table.borrow_mut().pick();
        picked.map_err(|halt| stopped(&self.table.borrow(), halt))
    }

    /// Calls a hook about a thing, and what follows from it.
    pub fn call_hook(&self, hook: HookId, about: Thing) -> Result<ValueView, StepStop> {
        self.act(RunPurpose::Hook(hook, about))
            .map(|said| self.view(said))
    }

    fn act(&self, act: RunPurpose) -> Result<Value, StepStop> {
        match &mut *self.observer.borrow_mut() {
            None => self.run(&mut NoObserver, |run| {
                let said = act.of(run);
                self.ended(run, said)
            }),
            Some(observer) => self.run(observer, |run| {
                let said = act.of(run);
                self.ended(run, said)
            }),
        }
    }

    /// Returns the result of a run, or the reason why it stopped.
    fn ended<O: Observer, T>(&self, run: &mut Run<'_, O>, said: Result<T, Fault>) -> Result<T, StepStop> {
        if let Some(halt) = run.table.halt().filter(|halt| !matches!(halt, Halt::Rule(_))) {
            return Err(stopped(run.table, halt.clone()));
        }
        said.map_err(|fault| {
            let failure = match (run.failure.take(), *fault.0) {
                (Some(failure), FaultKind::Halted) => *failure,
                (_, why) => Failure {
                    why,
                    function: usize::MAX,
                    ..Failure::default()
                },
            };
            StepStop::Failed(Box::new(self.problem(&failure)))
        })
    }

    /// A hook of the game by its name.
    pub fn hook(&self, name: &str) -> Option<HookId> {
        let at = self.program.hooks.iter().position(|h| h.name == name)?;
        Some(HookId(at as u16))
    }

    /// Asks a hook by name about a thing, reading only; `None` when the game has no such hook.
    pub fn ask(&self, name: &str, about: Thing) -> Option<Result<ValueView, Problem>> {
        let hook = self.hook(name)?;
        Some(self.read_hook(name, RunPurpose::Hook(hook, about)))
    }

    /// Asks a hook for a whole number, as [`Self::ask`].
    pub fn ask_number(&self, name: &str, about: Thing) -> Option<Result<i64, Problem>> {
        let said = self.ask(name, about)?;
        Some(said.and_then(|said| self.whole(name, &said)))
    }

    /// Returns the values that the game's hook `hint` gives for options, by their index, of the question that waits;
    /// empty when there is no such hook.
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
            let said = self.read_hook(NAME, RunPurpose::Hint(hook, about, label, *at))?;
            self.whole(NAME, &said)
        };
        options.iter().map(hint).collect()
    }

    /// Asks a hook, reading only, whatever the running step waits for.
    fn read_hook(&self, name: &str, act: RunPurpose) -> Result<ValueView, Problem> {
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
            StepStop::Failed(problem) => *problem,
            StepStop::Waiting => problems::question_in_hook(name),
            StepStop::Diverged(no_fit) => problems::rule_failure(no_fit.to_string()),
        })
    }

    /// The whole number that a hook returned.
    fn whole(&self, name: &str, value: &ValueView) -> Result<i64, Problem> {
        let wrong = || self.wrong_hook_value(name, "a whole number", value);
        value.as_int().ok_or_else(wrong)
    }

    /// Returns the problem of a hook of the game that returned another value than expected.
    pub fn wrong_hook_value(&self, name: &str, expected: &str, value: &ValueView) -> Problem {
        self.at_hook(
            name,
            problems::wrong_hook_value(name, expected, &self.value_text(value)),
        )
    }

    /// Returns a problem at the name of a hook of the game.
    pub fn at_hook(&self, name: &str, problem: Problem) -> Problem {
        let place = self
            .layers
            .top(0, name)
            .map(|(_, layer)| self.layers.origin(layer));
        problem.at_some(place.as_ref().map(|(source, span)| (source, span.clone())))
    }

    fn view(&self, value: Value) -> ValueView {
        if value.is_nothing() {
            return ValueView::Nothing;
        }
        self.heap.borrow().view(&self.table.borrow().words, value)
    }

    /// Returns the places of the statements in the ruleset's functions.
    pub fn places(&self) -> &Rc<Places> {
        self.places.get_or_init(|| Rc::new(Places::of(&self.program)))
    }

    /// A value as users read it: things by their names, sets as lists.
    pub fn value_text(&self, value: &ValueView) -> String {
        value.text(&self.table.borrow())
    }
}

/// A halt of the kernel as the reason why a step stopped.
fn stopped(table: &Table, halt: Halt) -> StepStop {
    match halt {
        Halt::Waiting | Halt::Paused => StepStop::Waiting,
        Halt::Diverged(why) => StepStop::Diverged(why),
        Halt::NotOffered(chosen) => not_offered(table, chosen),
        Halt::Rule(message) => StepStop::Failed(Box::new(problems::rule_failure(message))),
    }
}

/// Returns the stop for a stored answer that is not offered any more: with the reason, and what is offered.
#[cold]
fn not_offered(table: &Table, chosen: NamedOption) -> StepStop {
    let asked = table.current_question();
    let key = chosen.key(asked.rules, asked.words);
    StepStop::Diverged(match asked.read(&key) {
        Err(no_fit) => no_fit,
        Ok(_) => asked.no_fit(format!("`{key}` is not offered")),
    })
}
