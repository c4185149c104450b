//! Loading: the layers' functions lowered under the dials as they are turned, and what they declare.

use super::declare::{self, DeclaredStats, Dial, DialValue, MADE_OF, find_word};
use super::keys::DECLARED;
use super::layers::{Layer, LayerStack, Layers, ScriptOf};
use super::run::context::{Program, Run};
use super::run::fault::Failure;
use super::run::function::Function;
use super::run::heap::Heap;
use super::run::lower::{self, FunctionIndex, HookNames, LowerContext, Names, TextContext};
use super::run::node::{CallTarget, HookEntry};
use super::run::observe::NoObserver;
use super::run::view::ValueView;
use crate::kernel::ids::HookId;
use crate::kernel::rules::Rules;
use crate::kernel::table::Table;
use crate::parse::Definition;
use crate::report::{Problem, SUGGESTED, Source, did_you_mean, hint_for};
use crate::work::Work;
use rhai::Expr;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// A program under way: the table whose words it uses, and the lists that are written out in it.
pub struct Loading<'a> {
    /// The texts.
    pub layers: &'a Layers,
    /// The table.
    pub table: Table,
    /// The heap.
    pub heap: Heap,
    /// Program to run.
    pub program: Program,
    /// The functions by their definitions.
    index: FunctionIndex,
    /// The definitions, in the order of the functions.
    definitions: Vec<(Layer, Definition)>,
    /// The names of the hooks.
    pub hook_names: Vec<String>,
    /// Problems with changes that are lost unless one of these names is that of a set or list in a slot.
    pub lost: Vec<(Vec<Arc<str>>, Problem)>,
}

impl<'a> Loading<'a> {
    /// The functions of some layers, without their code.
    pub fn new(layers: &'a Layers, table: Table, work: Work) -> Self {
        let mut all = Vec::new();
        for (script, of) in layers.scripts.iter().enumerate() {
            for stack in &of.stacks {
                for (level, layer) in stack.layers.iter().enumerate() {
                    let place = Definition { script, level };
                    let name = Layers::compiled_name(place, &stack.name);
                    all.push((name, stack, place, *layer));
                }
            }
        }
        all.sort_by(|(a, of_a, ..), (b, of_b, ..)| (a, of_a.params).cmp(&(b, of_b.params)));
        let mut loading = Self {
            layers,
            table,
            heap: Heap::default(),
            program: Program {
                work,
                ..Program::default()
            },
            index: FunctionIndex::default(),
            definitions: Vec::new(),
            hook_names: hook_names(layers),
            lost: Vec::new(),
        };
        for (_, stack, place, layer) in all {
            let def = layers.def(layer);
            let index = loading.program.functions.len();
            loading.index.insert(layer, index);
            loading.definitions.push((layer, place));
            loading.program.functions.push(Arc::new(Function {
                text: layer.text,
                place,
                name: stack.name.clone(),
                params: def.params.clone(),
                at: def.at,
                within: None,
                code: Default::default(),
            }));
        }
        loading.program.hooks = Arc::new(loading.hooks());
        loading
    }

    /// The same without what was lowered, on another table.
    pub fn anew(self, table: Table) -> Self {
        let Program {
            hooks,
            functions,
            work,
            ..
        } = self.program;
        Self {
            table,
            heap: Heap::default(),
            program: Program {
                hooks,
                functions,
                work,
                ..Program::default()
            },
            ..self
        }
    }

    /// The functions of the ruleset by where they lie, and their name.
    pub fn into_parts(self) -> (Table, Heap, Program, FunctionIndex) {
        (self.table, self.heap, self.program, self.index)
    }

    /// Returns the hooks with their targets for the game, for each unit type and for each kind of terrain.
    fn hooks(&self) -> Vec<HookEntry> {
        let layers = self.layers;
        let target = |script: usize, hook: &LayerStack| {
            let (_, layer) = layers.top(script, &hook.name, hook.params)?;
            Some(CallTarget {
                index: *self.index.get(&layer)?,
                constant: None,
            })
        };
        let entries = hooks_of(layers).map(|hook| {
            let game = target(0, hook).unwrap_or_default();
            let of = |kind: ScriptOf| {
                let scripts = layers.scripts_of(kind);
                scripts
                    .map(|script| target(script, hook).unwrap_or_else(|| game.clone()))
                    .collect()
            };
            HookEntry {
                name: hook.name.clone(),
                arity: hook.params,
                by_type: of(ScriptOf::Unit),
                by_terrain: of(ScriptOf::Terrain),
                game,
            }
        });
        entries.collect()
    }

    /// The hooks that scripts of units or terrain redefine.
    pub fn redefined(&self) -> HookNames {
        by_name(&self.program.hooks, HookEntry::redefined)
    }

    /// Lowers functions under these dials: all of them, or those that a declaration may call. What
    /// cannot be said is returned; with `lazy` names that stand for nothing fail when they are reached.
    pub fn lower(&mut self, dials: &[Dial], only: Option<&[&str]>, lazy: bool) -> Vec<Problem> {
        let hooks = self.redefined();
        let names = Names {
            layers: self.layers,
            dials,
            functions: &self.index,
            hooks: &hooks,
        };
        let mut members = std::mem::take(&mut self.program.members);
        let named = self.definitions.len();
        self.program.functions.truncate(named);
        let mut store = LowerContext {
            words: &mut self.table.words,
            heap: &mut self.heap,
            members: &mut members,
            slots_known: false,
            waiting: Vec::new(),
            closures: Vec::new(),
            called: Vec::new(),
            named,
            problems: Vec::new(),
            unknown: Vec::new(),
            unknown_in: HashMap::new(),
        };
        let mut waiting: Vec<usize> = match only {
            None => (0..named).collect(),
            Some(only) => {
                let functions = self.program.functions.iter().enumerate();
                functions
                    .filter(|(_, f)| only.contains(&f.name.as_str()))
                    .map(|(i, _)| i)
                    .collect()
            }
        };
        let mut done = vec![false; named];
        while let Some(function) = waiting.pop() {
            if std::mem::replace(&mut done[function], true) {
                continue;
            }
            let (layer, place) = self.definitions[function];
            let parsed = &self.layers.texts[layer.text].parsed;
            let within = TextContext {
                parsed,
                text: layer.text,
                place,
                layer: Some(layer),
                function,
                lazy,
            };
            let body = &parsed.bodies[layer.function];
            let code = lower::function(&names, &mut store, within, &body.params, &body.statements);
            waiting.append(&mut store.called);
            if let Some(own) = Arc::get_mut(&mut self.program.functions[function]) {
                own.code = code;
            }
        }
        let problems = std::mem::take(&mut store.problems);
        self.lost = std::mem::take(&mut store.waiting);
        let closures = std::mem::take(&mut store.closures);
        self.program.functions.extend(closures.into_iter().map(Arc::new));
        self.program.members = members;
        self.forget_instructions();
        problems
    }

    /// Returns the value of the outermost definition of a declaration; `None` when there is none.
    ///
    /// # Errors
    ///
    /// What failed in it.
    pub fn declared(&mut self, script: usize, function: &str) -> Option<Result<ValueView, Failure>> {
        let (_, layer) = self.layers.declaration(script, function)?;
        let index = *self.index.get(&layer)?;
        let mark = self.heap.mark();
        self.table.read_only = true;
        let mut nobody = NoObserver;
        let mut run = Run::new(&mut self.table, &mut self.heap, &self.program, &mut nobody);
        let result = match run.call(index, &[]) {
            Ok(value) => Ok(run.heap.view(&run.table.words, value)),
            Err(_) => Err(*run.failure.take().unwrap_or_default()),
        };
        self.table.read_only = false;
        self.heap.cut(mark);
        Some(result)
    }

    /// The names of what a script's `stats()` says.
    fn stat_names(&mut self, script: usize) -> Vec<String> {
        match self.declared(script, "stats") {
            Some(Ok(ValueView::Map(map))) => map.into_keys().collect(),
            _ => Vec::new(),
        }
    }

    /// Stats of single unit types that no rule reads, neither here nor in the texts that are not on: what is
    /// misspelt leaves the stat that was meant as the game has it for all.
    pub fn unread_stats(&mut self, rules: &Rules, off: impl FnOnce() -> Vec<Arc<Source>>) -> Vec<Problem> {
        let layers = self.layers;
        let read = stats_read(layers, rules);
        let mut unread: Vec<&String> = rules
            .stats
            .iter()
            .filter(|s| !read.contains(s.as_str()))
            .collect();
        if unread.is_empty() {
            return Vec::new();
        }
        let of_all = self.stat_names(0);
        let off = off();
        let elsewhere = |stat: &str| off.iter().any(|source| find_word(&source.text, stat).is_some());
        unread.retain(|stat| !of_all.contains(stat) && !elsewhere(stat));
        let mut problems = Vec::new();
        for script in layers.scripts_of(ScriptOf::Unit) {
            let mut reader = layers.reader(script, "stats");
            for stat in self.stat_names(script) {
                if !unread.contains(&&stat) {
                    continue;
                }
                // What is like no other is for people, or for studies that ask for it by name.
                let known = rules.stats.iter().filter(|s| !unread.contains(s));
                let Some(near) = did_you_mean(&stat, known.map(String::as_str)) else {
                    continue;
                };
                let problem = declare::problems::unused_stat(&stat);
                reader.problem(&stat, problem.hint(format!("did you mean `{near}`?")));
            }
            problems.append(&mut reader.problems);
        }
        problems
    }

    /// Lets instructions be made anew: names mean something else now.
    pub fn forget_instructions(&mut self) {
        for function in self.program.functions.iter_mut().filter_map(Arc::get_mut) {
            function.code.forget();
        }
    }

    /// The code is complete: which hooks come to one value.
    pub fn finish(&mut self) {
        let constants: Vec<_> = self
            .program
            .functions
            .iter()
            .map(|f| f.code.body.as_ref()?.constant())
            .collect();
        for entry in Arc::make_mut(&mut self.program.hooks) {
            let own = entry.by_type.iter_mut().chain(&mut entry.by_terrain);
            for target in own.chain([&mut entry.game]) {
                target.constant = constants.get(target.index).copied().flatten();
            }
        }
    }
}

/// The names of stats that rules may read: by a property, by a name in quotes or one that is put together from two
/// texts or from a text and a number, or in the kernel.
fn stats_read<'a>(layers: &'a Layers, rules: &'a Rules) -> BTreeSet<&'a str> {
    let mut read: BTreeSet<&str> = rules.slots.all().map(|slot| slot.name.as_str()).collect();
    read.insert("move");
    if rules.ground.dice().is_some() {
        read.insert("die");
        read.extend(MADE_OF.map(|(name, ..)| name));
    }
    read.extend(rules.ground.base_stat());
    let mut texts: BTreeSet<&str> = BTreeSet::new();
    for text in &layers.texts {
        read.extend(text.parsed.properties.iter().map(|used| used.name.as_str()));
        texts.extend(text.parsed.literals.iter().filter_map(|literal| match literal {
            Expr::StringConstant(text, _) => Some(text.as_str()),
            _ => None,
        }));
    }
    let is_number = |text: &str| text.parse::<u64>().is_ok();
    read.extend(rules.stats.iter().map(String::as_str).filter(|stat| {
        let mut parts = stat.char_indices().map(|(at, _)| stat.split_at(at));
        parts.any(|(head, tail)| texts.contains(head) && (texts.contains(tail) || is_number(tail)))
    }));
    read.extend(texts);
    read
}

/// The stats and dials that no rule reads, neither here nor in the texts `off` of variants that are not on: turning
/// them changes nothing.
pub fn idle(layers: &Layers, rules: &Rules, dials: &[Dial], off: &[Arc<Source>]) -> Vec<String> {
    let read = stats_read(layers, rules);
    let free_names = layers.texts.iter().flat_map(|text| &text.parsed.free_names);
    let free_names: BTreeSet<&str> = free_names.map(|used| used.name.as_str()).collect();
    let elsewhere = |name: &str| off.iter().any(|source| find_word(&source.text, name).is_some());
    let mut found: Vec<String> = Vec::new();
    // A flag is a word that a unit bears, for people to read.
    for (stat, _) in rules.stats.iter().zip(&rules.flags).filter(|(_, flag)| !**flag) {
        if !read.contains(stat.as_str()) && !elsewhere(stat) {
            found.push(format!("stat `{stat}`"));
        }
    }
    for dial in dials {
        let own = dial
            .name
            .split_once('.')
            .filter(|(of, _)| layers.scripts[1..].iter().any(|s| s.name == *of));
        if own.is_some_and(|(_, stat)| rules.stats.iter().any(|s| s == stat)) {
            continue;
        }
        let name = own.map_or_else(|| dial.name.replace('.', "_"), |(_, own)| own.to_owned());
        if !free_names.contains(name.as_str()) && !elsewhere(&name) {
            found.push(format!("dial `{}`", dial.name));
        }
    }
    found
}

/// The hooks: the functions of the game's script, declarations aside.
fn hooks_of(layers: &Layers) -> impl Iterator<Item = &LayerStack> {
    let stacks = layers.scripts[0].stacks.iter();
    stacks.filter(|stack| !DECLARED.contains(&stack.name.as_str()))
}

/// The names of the hooks, in the order of their ids; a name of several stands there several times.
pub fn hook_names(layers: &Layers) -> Vec<String> {
    hooks_of(layers).map(|hook| hook.name.clone()).collect()
}

/// The hooks of which a test says true, by name.
pub fn by_name(hooks: &[HookEntry], takes: impl Fn(&HookEntry) -> bool) -> HookNames {
    let mut found = HookNames::new();
    for (index, entry) in hooks.iter().enumerate().filter(|(_, entry)| takes(entry)) {
        let of_name = found.entry(entry.name.clone()).or_default();
        of_name.push((HookId(index as u16), entry.arity));
    }
    found
}

/// The dials that the scripts declare, stats of unit types and terrain among them, turned as asked.
///
/// Declarations are run without any dial; they can only use what declarations may. `None` when they
/// fail; what is wrong with them, or with how a dial is turned, is added to `found`.
pub fn read_dials(
    loading: &mut Loading<'_>,
    turned: &BTreeMap<String, DialValue>,
    found: &mut Vec<Problem>,
    told: &dyn Fn(&Failure, &Program) -> Problem,
) -> Option<Vec<Dial>> {
    let before = found.len();
    let layers = loading.layers;
    loading.lower(&[], Some(&["dials", "stats"]), true);
    let ran_away = Cell::new(false);
    let run = |loading: &mut Loading<'_>, found: &mut Vec<Problem>, script: usize, function: &str| {
        let failure = match loading.declared(script, function)? {
            Ok(view) => return Some(view),
            Err(failure) => failure,
        };
        ran_away.set(ran_away.get() || failure.runs_away());
        let mut problem = told(&failure, &loading.program);
        if problem.hint.is_none() {
            let what = "it can only use numbers, texts and other declarations";
            problem = problem.hint(format!("{function}() is read first: {what}"));
        }
        found.push(problem);
        None
    };
    let mut dials: Vec<Dial> = Vec::new();
    let mut common: Vec<(String, i64)> = Vec::new();
    let mut flags: Vec<String> = Vec::new();
    let mut ranges: BTreeMap<String, (i64, i64)> = BTreeMap::new();
    for (index, script) in layers.scripts.iter().enumerate() {
        let prefix = if index == 0 {
            String::new()
        } else {
            format!("{}.", script.name)
        };
        if let Some(value) = run(loading, found, index, "dials") {
            let mut reader = layers.reader(index, "dials");
            dials.extend(reader.dials(value, &prefix));
            found.append(&mut reader.problems);
        }
        let mut own = DeclaredStats::default();
        if let Some(value) = run(loading, found, index, "stats") {
            let mut reader = layers.reader(index, "stats");
            own = reader.stats(value);
            for (stat, number) in own.numbers.iter().filter(|_| script.of == ScriptOf::Unit) {
                if let Some(range) = ranges.get(stat)
                    && !own.ranges.iter().any(|(of, _)| of == stat)
                {
                    reader.within(stat, *number, *range);
                }
            }
            found.append(&mut reader.problems);
        }
        flags.extend(own.flags);
        if index == 0 {
            common = own.numbers;
            ranges.extend(own.ranges);
        } else if ran_away.get() {
            // It has used up the time of all that follow.
            return None;
        } else {
            let mut all = layers.common_stats(index, &common);
            all.extend(own.numbers);
            // What game.rhai says of stats is of those of units.
            let mut within = match script.of {
                ScriptOf::Unit => ranges.clone(),
                _ => BTreeMap::new(),
            };
            within.extend(own.ranges);
            dials.extend(all.iter().map(|(stat, n)| {
                let range = within.get(stat).copied();
                declare::stat_dial(&script.name, stat, *n, flags.contains(stat), range)
            }));
        }
    }
    if ran_away.get() || found.len() > before {
        return None;
    }
    dials.sort_by(|a, b| a.name.cmp(&b.name));
    for (name, value) in turned {
        match dials.iter_mut().find(|d| d.name == *name) {
            Some(dial) => {
                found.extend(dial.set(value).err());
            }
            None => {
                let suggests = found.len() - before < SUGGESTED;
                let hint = suggests.then(|| hint_for(name, dials.iter().map(|d| d.name.as_str())));
                let problem = declare::problems::unknown_name("dial", name);
                found.push(problem.about(name).hint_some(hint));
            }
        }
    }
    Some(dials)
}
