//! Rules run by Rhai's own interpreter: the reference that whole games are compared with.
//!
//! Kernel and native functions are the same for both. What the interpreter says instead of the walk over nodes
//! is all that scripts write: statements, loops and `switch`, operators between numbers, texts, true and false,
//! lists and maps, closures with what they share, also those that native functions call, `base`, and every call
//! with its way through the layers, which is looked up here in [`Layers`] and not in what lowering has made of it.
//!
//! Shared are the kernel's own values (units, sets, dice, lengths are handles to the interpreter) with their
//! properties and operators, the functions that are native, those that change lists and maps among them, and
//! that the kernel leaves out hooks whose body is nothing or `true`. Not sent through the interpreter are
//! declarations, which are read before there is a game, and what users write at the prompt or expect.

use super::context::{Program, Run, SuspendedRun, intern};
use super::fault::{Eval, Fault, FaultKind, NativeResult, Unwinding, rule};
use super::heap::Heap;
use super::library::{self, MUTATORS};
use super::natives::NATIVES;
use super::node::{Growth, HookOwner, Op, Overloads};
use super::observe::{NoObserver, Observer};
use super::value::{Kind, NOTHING_WORDS, Value};
use super::{lower, operate};
use crate::declare::{Dial, DialValue};
use crate::engine::{self, MAX_CALL_LEVELS};
use crate::kernel::ids::HookId;
use crate::kernel::table::Table;
use crate::layers::{Layer, Layers, ScriptOf};
use crate::parse::Definition;
use crate::ruleset::Ruleset;
use crate::syntax::here;
use rhai::{
    AST, ASTNode, Array, CallFnOptions, Dynamic, Engine, EvalAltResult, Expr, FnPtr, FuncRegistration,
    ImmutableString, Map, Module, NativeCallContext, Position, RhaiFunc, Scope, ScriptFuncDef, Shared, Stmt,
    Token,
};
use std::any::TypeId;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::{Range, RangeInclusive};
use std::rc::Rc;
use std::sync::Arc;

type OracleResult<T = Dynamic> = Result<T, Box<EvalAltResult>>;

/// Functions that the engine answers by itself, whatever is registered, each with the name that it has here instead.
const OWN_WORDS: [(&str, &str); 3] = [("type_of", "type_of$"), ("print", "print$"), ("debug", "debug$")];

/// Under this name, with its thousandths behind it, the interpreter knows a length.
const LENGTH: &str = "length$";

/// Under this name, with its own behind it, the interpreter knows a function of a script that is passed on.
const PASSED: &str = "passed__";

/// One of the kernel's own values in the interpreter's hands.
#[derive(Debug, Clone, Copy)]
struct Handle {
    value: Value,
    /// The slot that it was read from: of what, and the property. The interpreter writes back what stands in
    /// the middle of a chain; a thing is no part of another, and so that changes nothing.
    from: Option<(Value, usize)>,
}

/// A ruleset in the interpreter's hands. See the module's comment.
pub struct Oracle {
    engine: Engine,
    ast: AST,
    ruleset: Arc<Ruleset>,
    /// Number of lines before each text: all of them are read as one.
    starts: Vec<usize>,
    lines: Vec<Vec<String>>,
    /// Number of parameters of each closure.
    closures: HashMap<String, usize>,
    /// The scripts of unit types and of kinds of terrain, by id.
    units: Vec<usize>,
    terrains: Vec<usize>,
    dials: Vec<Dial>,
    /// The variables that some function changes, by function and name.
    changed: HashSet<(usize, String)>,
    /// After so many calls of script functions one says something else.
    slip: Cell<Option<u64>>,
    /// Number of calls of script functions.
    calls: Cell<u64>,
}

/// State of a run while the interpreter has its turn.
struct OracleState {
    table: Table,
    heap: Heap,
    depth: usize,
    rest: SuspendedRun,
}

#[derive(Default)]
struct OracleTable {
    parts: Option<Box<OracleState>>,
    #[allow(clippy::vec_box)] // they are large, and go to and fro with every call of a native function
    spare: Vec<Box<OracleState>>,
    /// The script functions that run, outermost first.
    running: Vec<usize>,
    closures: Vec<FnPtr>,
    fault: Option<Fault>,
}

thread_local! {
    static ORACLE: RefCell<Option<Rc<Oracle>>> = const { RefCell::new(None) };
    static STAGE: RefCell<OracleTable> = RefCell::default();
}

/// Whether the interpreter runs the rules of this thread.
pub fn is_on() -> bool {
    ORACLE.with_borrow(Option::is_some)
}

/// The interpreter runs the rules while this is there.
pub struct OracleActive;

impl Drop for OracleActive {
    fn drop(&mut self) {
        ORACLE.set(None);
    }
}

impl Oracle {
    /// From here on this thread's rules are run by the interpreter.
    pub fn begin(self: &Rc<Self>) -> OracleActive {
        ORACLE.set(Some(Rc::clone(self)));
        OracleActive
    }

    /// Returns the number of script functions that it has called.
    pub fn calls(&self) -> u64 {
        self.calls.get()
    }

    /// After so many further calls one answer is wrong. Whether one was still to come.
    pub fn slip_after(&self, calls: Option<u64>) -> bool {
        self.slip.replace(calls).is_some()
    }
}

fn current() -> Option<Rc<Oracle>> {
    ORACLE.with_borrow(Option::clone)
}

// --- from a run to the interpreter and back ------------------------------------------------------------

/// The interpreter's call of a function, where it is to run the rules and knows this one.
pub fn call<O: Observer>(run: &mut Run<'_, O>, function: usize, args: &[Value]) -> Option<Eval> {
    let oracle = current()?;
    if function >= oracle.ruleset.index.len() || !std::ptr::eq(run.program, &raw const oracle.ruleset.program)
    {
        return None;
    }
    let args: Vec<Dynamic> = args.iter().map(|v| dynamic(run, *v)).collect();
    Some(aside(run, || oracle.script(function, args)))
}

/// The same for a closure.
pub fn call_value<O: Observer>(run: &mut Run<'_, O>, function: Value, args: &[Value]) -> Option<Eval> {
    let oracle = current()?;
    let (index, _) = run.heap.closure(function)?;
    let pointer = STAGE.with_borrow(|s| s.closures.get(index as usize).cloned())?;
    let wanted = oracle
        .closures
        .get(pointer.fn_name())
        .copied()
        .unwrap_or(args.len());
    let wanted = wanted.saturating_sub(pointer.curry().len());
    let args: Vec<Dynamic> = args.iter().take(wanted).map(|v| dynamic(run, *v)).collect();
    Some(aside(run, || {
        oracle.nested(|| pointer.call::<Dynamic>(&oracle.engine, &oracle.ast, args))
    }))
}

/// Hands what a run owns to the interpreter, for as long as it has something to do.
fn aside<O: Observer>(run: &mut Run<'_, O>, act: impl FnOnce() -> OracleResult) -> Eval {
    let spare = STAGE.with_borrow_mut(|s| {
        if s.running.is_empty() {
            s.closures.clear();
        }
        s.spare.pop()
    });
    let mut parts = spare.unwrap_or_else(|| {
        Box::new(OracleState {
            table: Table::new(Arc::clone(&run.table.rules)),
            heap: Heap::default(),
            depth: 0,
            rest: SuspendedRun::default(),
        })
    });
    let swap = |run: &mut Run<'_, O>, parts: &mut OracleState| {
        std::mem::swap(run.table, &mut parts.table);
        std::mem::swap(run.heap, &mut parts.heap);
        std::mem::swap(&mut run.depth, &mut parts.depth);
        run.swap_rest(&mut parts.rest);
    };
    swap(run, &mut parts);
    STAGE.with_borrow_mut(|s| s.parts = Some(parts));
    let result = act();
    let (parts, fault) = STAGE.with_borrow_mut(|s| (s.parts.take(), s.fault.take()));
    let mut parts = parts.expect("whoever takes it gives it back");
    swap(run, &mut parts);
    STAGE.with_borrow_mut(|s| s.spare.push(parts));
    let why = match (result, fault) {
        (Ok(result), _) => match value(run, &result) {
            Ok(value) => return Ok(value),
            Err(fault) => *fault.0,
        },
        (Err(_), Some(fault)) => *fault.0,
        (Err(error), None) => crate::problems::rule_failure(format!("Rhai: {error}")).into(),
    };
    if why == FaultKind::Halted {
        return Err(Unwinding);
    }
    Err(run.fail_here(why))
}

/// Acts on the run that waits for the interpreter.
fn with_run<T>(act: impl FnOnce(&mut Run<'_, NoObserver>) -> NativeResult<T>) -> OracleResult<T> {
    let oracle = current().expect("it is on");
    let taken = STAGE.with_borrow_mut(|s| s.parts.take());
    let mut parts = taken.expect("the interpreter runs on behalf of a run");
    let OracleState {
        table,
        heap,
        depth,
        rest,
    } = &mut *parts;
    let mut nobody = NoObserver;
    let mut run = Run::new(table, heap, &oracle.ruleset.program, &mut nobody);
    run.depth = *depth;
    run.swap_rest(rest);
    let answer = act(&mut run);
    run.swap_rest(rest);
    STAGE.with_borrow_mut(|s| {
        s.parts = Some(parts);
        answer.map_err(|fault| {
            s.fault = Some(fault);
            "stopped".into()
        })
    })
}

fn stop<T>(why: FaultKind) -> OracleResult<T> {
    with_run(|_| Err(why.into()))
}

// --- values --------------------------------------------------------------------------------------------

fn dynamic<O: Observer>(run: &Run<'_, O>, value: Value) -> Dynamic {
    let items = || value.items().map_or(&[][..], |list| run.heap.list(list));
    let text = |v: Value| run.table.words.text(v.as_word().unwrap_or_default());
    match value.kind() {
        Kind::Nothing => Dynamic::UNIT,
        Kind::Bool => (value == Value::TRUE).into(),
        Kind::Int => value.as_int().unwrap_or_default().into(),
        Kind::Word => ImmutableString::from(text(value)).into(),
        Kind::List => items().iter().map(|v| dynamic(run, *v)).collect::<Array>().into(),
        Kind::Map => {
            let pairs = items().chunks_exact(2);
            let pairs = pairs.map(|pair| (text(pair[0]).into(), dynamic(run, pair[1])));
            pairs.collect::<Map>().into()
        }
        Kind::Range => match run.heap.range(value).unwrap_or_default() {
            (from, to, true) => Dynamic::from(from..=to),
            (from, to, false) => Dynamic::from(from..to),
        },
        Kind::Function => {
            let index = run.heap.closure(value).map_or(0, |(index, _)| index as usize);
            STAGE.with_borrow(|s| {
                s.closures
                    .get(index)
                    .cloned()
                    .map_or(Dynamic::UNIT, Dynamic::from)
            })
        }
        _ => Dynamic::from(Handle { value, from: None }),
    }
}

fn value<O: Observer>(run: &mut Run<'_, O>, it: &Dynamic) -> NativeResult {
    if let Some(handle) = it.read_lock::<Handle>() {
        return Ok(handle.value);
    }
    if it.is_unit() {
        return Ok(Value::NOTHING);
    }
    if let Ok(n) = it.as_int() {
        return Ok(n.into());
    }
    if let Ok(is) = it.as_bool() {
        return Ok(is.into());
    }
    if let Some(text) = it.read_lock::<ImmutableString>() {
        let word = intern(&mut run.table.words, &text);
        return word.map(Value::from).ok_or_else(|| FaultKind::Texts.into());
    }
    if let Ok(letter) = it.as_char() {
        return run.text(letter.encode_utf8(&mut [0; 4]));
    }
    if let Some(items) = it.read_lock::<Array>() {
        let items: Vec<Value> = items.iter().map(|v| value(run, v)).collect::<NativeResult<_>>()?;
        return run.list(items);
    }
    if let Some(entries) = it.read_lock::<Map>() {
        let mut items = Vec::with_capacity(2 * entries.len());
        for (key, it) in entries.iter() {
            items.push(run.text(key)?);
            items.push(value(run, it)?);
        }
        return Ok(Value::map(run.add(items)?));
    }
    if let Some(range) = it.read_lock::<Range<i64>>() {
        let range = run.heap.of_range(range.start, range.end, false);
        return range.ok_or_else(|| FaultKind::Full.into());
    }
    if let Some(range) = it.read_lock::<RangeInclusive<i64>>() {
        let range = run.heap.of_range(*range.start(), *range.end(), true);
        return range.ok_or_else(|| FaultKind::Full.into());
    }
    if let Some(pointer) = it.read_lock::<FnPtr>() {
        let index = STAGE.with_borrow_mut(|s| {
            s.closures.push(pointer.clone());
            s.closures.len() - 1
        });
        let nothing = run.add([])?;
        return Ok(run.heap.of_closure(index as u32, nothing));
    }
    Err(rule(format!(
        "the interpreter has a {}, which rules do not know",
        it.type_name()
    )))
}

fn values<O: Observer>(run: &mut Run<'_, O>, args: &[&mut Dynamic]) -> NativeResult<Vec<Value>> {
    args.iter().map(|arg| value(run, arg)).collect()
}

/// Items that `for` goes through.
impl IntoIterator for Handle {
    type Item = OracleResult;
    type IntoIter = std::vec::IntoIter<OracleResult>;

    fn into_iter(self) -> Self::IntoIter {
        let items = with_run(|run| {
            let items = library::through(run, "for", self.value)?;
            Ok(items.into_iter().map(|v| dynamic(run, v)).collect::<Vec<_>>())
        });
        match items {
            Ok(items) => items.into_iter().map(Ok).collect::<Vec<_>>().into_iter(),
            Err(error) => vec![Err(error)].into_iter(),
        }
    }
}

// --- the interpreter -----------------------------------------------------------------------------------

impl Oracle {
    /// The rules of a ruleset, read by the interpreter.
    ///
    /// # Panics
    ///
    /// The interpreter cannot read what the ruleset could.
    pub fn of(ruleset: &Arc<Ruleset>) -> Rc<Self> {
        let (program, layers) = (&ruleset.program, &ruleset.layers);
        let mut engine = engine::new();
        settle(&mut engine);
        names(&mut engine, ruleset);
        members(&mut engine, ruleset);
        functions(&mut engine, layers);
        let mut closures: HashMap<String, usize> = passed(layers)
            .into_iter()
            .map(|(name, params)| (format!("{PASSED}{name}"), params))
            .collect();

        let mut module = Module::new();
        let (mut starts, mut lines) = (Vec::new(), Vec::new());
        let mut changed = HashSet::new();
        let mut start = 0;
        for (text, of) in layers.texts.iter().enumerate() {
            let source = &of.parsed.source.text;
            let ast = engine
                .compile("\n".repeat(start) + source.as_str())
                .unwrap_or_else(|error| panic!("{}: {error}", of.parsed.source.name));
            for def in ast.iter_fn_def() {
                let mut own = (**def).clone();
                let (line, column) = here(def.body.start_position());
                let around = layers.around(text, (line - start, column));
                let function = around.map(|(layer, _)| ruleset.index[&layer]);
                if let Some(function) = function {
                    changed.extend(changes(def).into_iter().map(|name| (function, name)));
                }
                if def.name.starts_with("anon$") {
                    let before = closures.insert(def.name.to_string(), def.params.len());
                    assert_eq!(before, None, "two closures of one name");
                } else if let Some(function) = function {
                    assert_eq!(engine::defined_name(&def.name), program.functions[function].name);
                    own.name = compiled(function).into();
                    own.this_type = None;
                } else {
                    continue;
                }
                module.set_script_fn(own);
            }
            starts.push(start);
            lines.push(source.lines().map(str::to_owned).collect::<Vec<_>>());
            start += source.lines().count() + 1;
        }
        Rc::new(Self {
            engine,
            ast: AST::new([], module),
            units: layers.scripts_of(ScriptOf::Unit).collect(),
            terrains: layers.scripts_of(ScriptOf::Terrain).collect(),
            ruleset: Arc::clone(ruleset),
            starts,
            lines,
            closures,
            dials: ruleset.dials.clone(),
            changed,
            slip: Cell::new(None),
            calls: Cell::new(0),
        })
    }

    /// Calls a function of a script.
    fn script(&self, function: usize, args: Vec<Dynamic>) -> OracleResult {
        STAGE.with_borrow_mut(|s| s.running.push(function));
        let result = self.nested(|| {
            let options = CallFnOptions::new().eval_ast(false);
            let (name, mut scope) = (compiled(function), Scope::new());
            self.engine
                .call_fn_with_options::<Dynamic>(options, &mut scope, &self.ast, name, args)
        });
        STAGE.with_borrow_mut(|s| s.running.pop());
        self.calls.set(self.calls.get() + 1);
        match (result, self.slip.get()) {
            (Ok(result), Some(0)) => Ok(self.slipped(result)),
            (result, Some(n)) => {
                self.slip.set(n.checked_sub(1));
                result
            }
            (result, None) => result,
        }
    }

    /// Something else than was said, where something was.
    fn slipped(&self, result: Dynamic) -> Dynamic {
        let mut list = result.clone().try_cast::<Array>().unwrap_or_default();
        let wrong = match (result.as_bool(), result.as_int(), list.pop()) {
            (Ok(is), ..) => Dynamic::from(!is),
            (_, Ok(n), _) => Dynamic::from(n + 1),
            (.., Some(_)) => list.into(),
            _ if result.is_unit() => return result,
            _ => Dynamic::UNIT,
        };
        self.slip.set(None);
        wrong
    }

    fn nested(&self, act: impl FnOnce() -> OracleResult) -> OracleResult {
        let deeper = |by: isize| {
            STAGE.with_borrow_mut(|s| {
                let parts = s.parts.as_mut().expect("the interpreter runs on behalf of a run");
                parts.depth = parts.depth.saturating_add_signed(by);
                parts.depth
            })
        };
        let result = match deeper(1) {
            0..=MAX_CALL_LEVELS => act(),
            _ => stop(FaultKind::Deep),
        };
        deeper(-1);
        result
    }

    /// Returns the index of the text that a position is in, and the position in that text.
    fn place(&self, at: Position) -> (usize, (usize, usize)) {
        let (line, column) = here(at);
        let text = self.starts.partition_point(|start| *start < line) - 1;
        (text, (line - self.starts[text], column))
    }

    /// Whether a name stands behind a dot.
    fn is_method(&self, at: Position) -> bool {
        let (text, (line, column)) = self.place(at);
        let line = self.lines[text].get(line - 1).map_or("", String::as_str);
        let before: String = line.chars().take(column - 1).collect();
        before.trim_end().ends_with('.')
    }

    fn function(&self, (_, layer): (Definition, Layer)) -> usize {
        self.ruleset.index[&layer]
    }

    /// The function that a call of a name goes to, as the layers lie: `base` to the one below; what the game
    /// defines to whatever its first argument is about; anything else to the script that calls.
    fn target(&self, name: &str, at: Position, args: &[&mut Dynamic]) -> OracleResult<Option<usize>> {
        let layers = &self.ruleset.layers;
        if let Some(name) = name.strip_prefix(PASSED) {
            let running = STAGE.with_borrow(|s| s.running.last().copied());
            let script = running.map_or(0, |f| self.ruleset.program.functions[f].place.script);
            return self.called(name, script, args);
        }
        let (text, at) = self.place(at);
        let Some((around, place)) = layers.around(text, at) else {
            let why = format!("no function calls {name}: {text} {at:?}");
            return stop(crate::problems::rule_failure(why).into());
        };
        if name == "base" {
            let below = layers.below(place, around);
            return Ok(below.map(|below| self.function(below)));
        }
        self.called(name, place.script, args)
    }

    /// The function that a call of a name within a script goes to.
    fn called(&self, name: &str, script: usize, args: &[&mut Dynamic]) -> OracleResult<Option<usize>> {
        let layers = &self.ruleset.layers;
        let Some(game) = layers.top(0, name, args.len()) else {
            let own = layers.top(script, name, args.len());
            return Ok(own.map(|top| self.function(top)));
        };
        let whose = match args.first() {
            Some(first) => {
                let mut hooks = self.ruleset.program.hooks.iter();
                let hook = hooks.position(|h| h.name == name && h.arity == args.len());
                let Some(hook) = hook else {
                    return Ok(Some(self.function(game)));
                };
                with_run(|run| {
                    let first = value(run, first)?;
                    run.whose(HookId(hook as u16), Some(first))
                })?
            }
            _ => HookOwner::Game,
        };
        let script = match whose {
            HookOwner::Game => 0,
            HookOwner::Type(kind) => self.units[kind.index()],
            HookOwner::Terrain(terrain) => self.terrains[terrain.index()],
        };
        let outermost = layers.called(script, name, args.len());
        Ok(outermost.map(|top| self.function(top)))
    }

    /// Whether the function that runs changes a variable of that name.
    fn changes(&self, name: &str) -> bool {
        let function = STAGE.with_borrow(|s| s.running.last().copied());
        function.is_some_and(|function| self.changed.contains(&(function, name.to_owned())))
    }

    /// Returns the meaning of a free name in the script that runs.
    fn name(&self, name: &str) -> Option<Dynamic> {
        if let Some(length) = name.strip_prefix(LENGTH) {
            let value = Value::of_length(length.parse().ok()?);
            return Some(Dynamic::from(Handle { value, from: None }));
        }
        if NOTHING_WORDS.contains(&name) {
            return Some(Dynamic::UNIT);
        }
        let function = STAGE.with_borrow(|s| s.running.last().copied())?;
        let script = self.ruleset.program.functions[function].place.script;
        let Some(dial) = lower::dial_meant(&self.ruleset.layers, script, name, &self.dials) else {
            let passed = FnPtr::new(format!("{PASSED}{name}"));
            return passed.ok().map(Dynamic::from);
        };
        Some(match &dial.value {
            DialValue::Number(n) => (*n).into(),
            DialValue::Word(word) => ImmutableString::from(word.as_str()).into(),
        })
    }
}

/// The functions of scripts that can be passed on by their name, each with its number of parameters.
fn passed(layers: &Layers) -> BTreeMap<String, usize> {
    let scripts = (0..layers.scripts.len()).flat_map(|script| layers.functions(script));
    scripts.map(|f| (f.name.clone(), f.params.len())).collect()
}

/// The variables that a function or closure changes.
fn changes(def: &Shared<ScriptFuncDef>) -> Vec<String> {
    let mut module = Module::new();
    module.set_script_fn(Shared::clone(def));
    let mut names = Vec::new();
    AST::new([], module).walk(&mut |path: &[ASTNode]| {
        let changed = match path.last() {
            Some(ASTNode::Stmt(Stmt::Assignment(it))) => lower::root(&it.1.lhs),
            Some(ASTNode::Expr(expr @ (Expr::Dot(..) | Expr::Index(..)))) if lower::mutates(expr) => {
                lower::root(expr)
            }
            _ => None,
        };
        names.extend(changed.map(str::to_owned));
        true
    });
    names
}

/// The name under which the interpreter knows a function.
fn compiled(function: usize) -> String {
    format!("script${function}")
}

type RawValue = dyn Fn(&NativeCallContext, &mut [&mut Dynamic]) -> OracleResult + Send + Sync;

/// Returns the name used here for a word that the engine keeps for itself.
fn own_word(name: &str) -> Option<&'static str> {
    OWN_WORDS
        .iter()
        .find(|(own, _)| *own == name)
        .map(|(_, here)| *here)
}

/// A function that takes whatever there is; one that is pure gets a copy of what it is called on.
fn register(module: &mut Module, name: &str, types: &[TypeId], pure: bool, act: Box<RawValue>) {
    let act = move |context: Option<NativeCallContext>, args: &mut [&mut Dynamic]| {
        act(&context.expect("asked for"), args)
    };
    let func = match pure {
        true => RhaiFunc::Pure {
            func: Shared::new(act),
            has_context: true,
            is_pure: true,
            is_volatile: true,
        },
        false => RhaiFunc::Method {
            func: Shared::new(act),
            has_context: true,
            is_pure: false,
            is_volatile: true,
        },
    };
    FuncRegistration::new(name)
        .in_global_namespace()
        .set_into_module_raw(module, types, func);
}

/// Adds the parts that an interpreter without packages needs: operators between the kernel's values, and between texts,
/// lists and maps and others; and iteration by `for`.
fn settle(engine: &mut Engine) {
    engine.set_fast_operators(false);
    engine.set_fail_on_invalid_map_property(true);
    let words = engine::FreedWords::default();
    #[allow(deprecated)] // marked so only because it may change; the rhai version is pinned
    engine.on_parse_token(move |token, _, _| match words.read(token) {
        Token::FloatConstant(number) => {
            let thousandths = (*number.0 * 1_000.0).round() as i64;
            Token::Identifier(Box::new(format!("{LENGTH}{thousandths}").into()))
        }
        Token::Identifier(name) | Token::Reserved(name) if own_word(&name).is_some() => {
            Token::Identifier(Box::new(own_word(&name).unwrap_or_default().into()))
        }
        token => token,
    });
    engine.register_iterator_result::<Handle, Dynamic>();
    engine.register_iterator::<Array>();
    engine.register_iterator::<Range<i64>>();
    engine.register_iterator::<RangeInclusive<i64>>();
    engine.register_fn("!", |is: bool| !is);
    engine.register_fn("test_drift", || super::fuel::drift::count().unwrap_or(0));
    engine.register_fn("+", |n: i64| n);
    engine.register_fn("-", |n: i64| -> OracleResult<i64> {
        match n.checked_neg() {
            Some(n) => Ok(n),
            None => stop(FaultKind::TooLarge(format!("-{n}"))),
        }
    });
    for sign in ["+", "-"] {
        engine.register_fn(sign, move |of: Handle| match operate::signed(sign, of.value) {
            Ok(value) => Ok(Handle { value, from: None }),
            Err(why) => stop(why),
        });
    }
    engine.register_fn("+=", |_: &mut Array, _: ImmutableString| -> OracleResult<()> {
        stop(FaultKind::Operator("+", vec![Kind::List, Kind::Word]))
    });
    engine.register_indexer_get(|of: &mut Handle, at: i64| -> OracleResult {
        let of = of.value;
        with_run(|run| {
            let result = library::index(run, of, at.into())?;
            Ok(dynamic(run, result))
        })
    });
    let (any, handle) = (TypeId::of::<Dynamic>(), TypeId::of::<Handle>());
    let (text, list, map) = (
        TypeId::of::<ImmutableString>(),
        TypeId::of::<Array>(),
        TypeId::of::<Map>(),
    );
    let (number, flag, nothing) = (TypeId::of::<i64>(), TypeId::of::<bool>(), TypeId::of::<()>());
    let mut module = Module::new();
    for (op, sign) in Op::SIGNS {
        if matches!(op, Op::Range | Op::RangeTo) {
            continue;
        }
        let mut pairs = vec![[handle, any], [any, handle], [list, list], [map, map]];
        if op == Op::Add {
            for other in [number, flag, nothing, list, map] {
                pairs.extend([[text, other], [other, text]]);
            }
        }
        if matches!(op, Op::Lt | Op::Le | Op::Gt | Op::Ge) {
            let all = [number, flag, nothing, text, list, map];
            let unlike = |a: TypeId| all.into_iter().filter(move |b| *b != a).map(move |b| [a, b]);
            pairs.extend(all.into_iter().flat_map(unlike).chain([[nothing, nothing]]));
        }
        for pair in pairs {
            let act = move |_: &NativeCallContext, args: &mut [&mut Dynamic]| {
                with_run(|run| {
                    let sides = values(run, args)?;
                    let result = operate::operate(run, op, sides[0], sides[1])?;
                    Ok(dynamic(run, result))
                })
            };
            register(&mut module, sign, &pair, true, Box::new(act));
        }
    }
    module.set_iter(text, |text| {
        let text = text.into_immutable_string().unwrap_or_default();
        let letters: Vec<Dynamic> = text.chars().map(Dynamic::from).collect();
        Box::new(letters.into_iter())
    });
    engine.register_global_module(module.into());
}

/// The names that are no variables: dials, lengths, and words for nothing.
fn names(engine: &mut Engine, ruleset: &Ruleset) {
    let mut known: BTreeSet<String> = NOTHING_WORDS.map(str::to_owned).into();
    known.extend(passed(&ruleset.layers).into_keys());
    for dial in &ruleset.dials {
        known.insert(dial.name.replace('.', "_"));
        known.extend(dial.name.split_once('.').map(|(_, own)| own.to_owned()));
    }
    #[allow(deprecated)] // marked so only because it may change; the rhai version is pinned
    engine.on_var(move |name, _, context| {
        match context.scope().get(name) {
            // Rhai keeps a variable that closures share to itself while a chain that begins with it is worked
            // out, so that no closure within can read it; rules may. Where nobody changes it, a copy will do.
            Some(variable) if variable.is_shared() => {
                let is_changed = current().is_some_and(|oracle| oracle.changes(name));
                Ok((!is_changed).then(|| variable.flatten_clone()))
            }
            Some(_) => Ok(None),
            None if name.starts_with(LENGTH) || known.contains(name) => {
                Ok(current().and_then(|oracle| oracle.name(name)))
            }
            None => Ok(None),
        }
    });
}

/// A property of one of the kernel's values.
fn read(of: &Dynamic, index: usize) -> OracleResult {
    with_run(|run| {
        let of = value(run, of)?;
        let program: &Program = run.program;
        let getter = program.members.member(index).get[of.kind() as usize];
        let getter = getter.ok_or_else(|| rule(format!("{} has no such property", of.kind().noun())))?;
        let result = run.get(getter, of);
        let result = run.answer(result)?;
        let mut it = dynamic(run, result);
        if let Some(mut handle) = it.write_lock::<Handle>() {
            handle.from = Some((of, index));
        }
        Ok(it)
    })
}

/// Changes a slot.
fn write(of: Value, index: usize, to: &Dynamic) -> OracleResult<()> {
    let handle = to.read_lock::<Handle>().map(|h| *h);
    with_run(|run| {
        let program: &Program = run.program;
        let member = program.members.member(index);
        if let Some(handle) = handle
            && handle.from == Some((of, index))
            && let Some(getter) = member.get[of.kind() as usize]
        {
            let result = run.get(getter, of);
            if run.answer(result)? == handle.value {
                return Ok(());
            }
        }
        let slot = member.set[of.kind() as usize];
        let slot = slot.ok_or_else(|| rule(format!("{} has no such slot", of.kind().noun())))?;
        let to = value(run, to)?;
        run.set(of, slot, to)
    })
}

/// The properties of the kernel's values, and of lists and texts.
fn members(engine: &mut Engine, ruleset: &Arc<Ruleset>) {
    let program = &ruleset.program;
    for (name, member) in program.members.iter() {
        let index = program.members.find(name).expect("it is one of them");
        engine.register_get(name, move |of: &mut Handle| read(&Dynamic::from(*of), index));
        if member.get[Kind::List as usize].is_some() {
            engine.register_get(name, move |of: &mut Array| {
                read(&Dynamic::from(of.clone()), index)
            });
        }
        if member.get[Kind::Word as usize].is_some() {
            engine.register_get(name, move |of: &mut ImmutableString| {
                read(&Dynamic::from(of.clone()), index)
            });
        }
        if member.set.iter().any(Option::is_some) {
            engine.register_set(name, move |of: &mut Handle, to: Dynamic| {
                write(of.value, index, &to)
            });
        }
    }
    let find = |ruleset: &Ruleset, name: &str| ruleset.program.members.find(name).unwrap_or(usize::MAX);
    let known = Arc::clone(ruleset);
    engine.register_indexer_get(move |of: &mut Handle, name: ImmutableString| {
        read(&Dynamic::from(*of), find(&known, &name))
    });
    let known = Arc::clone(ruleset);
    engine.register_indexer_set(move |of: &mut Handle, name: ImmutableString, to: Dynamic| {
        write(of.value, find(&known, &name), &to)
    });
}

/// Registers the functions that can be called: those of the scripts, `base`, the native ones, and those that change
/// lists and maps in place. Of one name and number of arguments scripts come first, but behind a dot.
fn functions(engine: &mut Engine, layers: &Layers) {
    let mut named: BTreeSet<(String, usize)> = (0..=8).map(|args| ("base".to_owned(), args)).collect();
    for script in 0..layers.scripts.len() {
        named.extend(layers.functions(script).map(|f| (f.name.clone(), f.params.len())));
    }
    let passed = passed(layers).into_iter();
    named.extend(passed.map(|(name, params)| (format!("{PASSED}{name}"), params)));
    let mut natives: BTreeMap<(String, usize), Vec<u16>> = BTreeMap::new();
    for (index, native) in NATIVES.iter().enumerate() {
        let group = natives.entry((native.name.to_owned(), native.params.len()));
        group.or_default().push(index as u16);
    }
    for mutator in MUTATORS {
        natives
            .entry((mutator.name.to_owned(), mutator.params.len() + 1))
            .or_default();
    }
    let all: BTreeSet<(String, usize)> = named.iter().chain(natives.keys()).cloned().collect();
    let mut module = Module::new();
    for (name, count) in all {
        let is_script = named.contains(&(name.clone(), count));
        let choice = natives.get(&(name.clone(), count)).cloned();
        let mutators = match count {
            0 => Vec::new(),
            _ => library::mutators(&name, count - 1),
        };
        let pure = mutators.is_empty();
        let types = vec![TypeId::of::<Dynamic>(); count];
        let own = name.clone();
        let act = move |context: &NativeCallContext, args: &mut [&mut Dynamic]| {
            let at = context.call_position();
            if is_script && (!at.is_none() || own.starts_with(PASSED)) {
                let oracle = current().expect("it is on");
                if (choice.is_none() || !oracle.is_method(at))
                    && let Some(function) = oracle.target(&own, at, args)?
                {
                    let args = args.iter().map(|arg| arg.flatten_clone()).collect();
                    return oracle.script(function, args);
                }
            }
            if !mutators.is_empty() && (args[0].is_array() || args[0].is_map()) {
                return mutated(mutators[0], args);
            }
            let choice = Overloads::from(Box::from(choice.as_deref().unwrap_or_default()));
            if choice.all.is_empty() {
                return stop(FaultKind::NoFunction(own.clone(), Vec::new()));
            }
            with_run(|run| {
                let args = values(run, args)?;
                let result = run.native(&choice, &args);
                let result = run.answer(result).map_err(|fault| match *fault.0 {
                    FaultKind::Mismatch => run.unfit(&choice.all, &args).into(),
                    _ => fault,
                })?;
                Ok(dynamic(run, result))
            })
        };
        register(
            &mut module,
            own_word(&name).unwrap_or(&name),
            &types,
            pure,
            Box::new(act),
        );
    }
    let text_of = |_: &NativeCallContext, args: &mut [&mut Dynamic]| {
        with_run(|run| {
            let it = value(run, args[0])?;
            run.text_of(it).map(Dynamic::from)
        })
    };
    for kind in [
        TypeId::of::<Handle>(),
        TypeId::of::<i64>(),
        TypeId::of::<bool>(),
        TypeId::of::<()>(),
        TypeId::of::<Array>(),
        TypeId::of::<Map>(),
    ] {
        register(&mut module, "to_string", &[kind], true, Box::new(text_of));
    }
    engine.register_global_module(module.into());
}

/// Changes a list or map in place.
fn mutated(which: u16, args: &mut [&mut Dynamic]) -> OracleResult {
    let (it, more) = args.split_first_mut().expect("it is called on something");
    if Growth::of(MUTATORS[which as usize].name, more.len()) == Some(Growth::Push)
        && let Some(mut list) = it.write_lock::<Array>()
    {
        list.push(more[0].flatten_clone());
        return Ok(Dynamic::UNIT);
    }
    let (new, result) = with_run(|run| {
        let old = value(run, it)?;
        let more = values(run, more)?;
        let (new, result) = library::mutate(run, which, old, &more)?;
        Ok((dynamic(run, new), dynamic(run, result)))
    })?;
    if let (Some(mut old), Some(new)) = (it.write_lock::<Array>(), new.read_lock::<Array>()) {
        old.clone_from(&new);
        return Ok(result);
    }
    if let (Some(mut old), Some(new)) = (it.write_lock::<Map>(), new.read_lock::<Map>()) {
        old.clone_from(&new);
    }
    Ok(result)
}
