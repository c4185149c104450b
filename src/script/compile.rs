//! Compilation: the layers' functions under names of their own, calls with them, dials folded to
//! their values; and where each hook goes.
//!
//! All functions of a ruleset end up in one module, so every definition gets its own name
//! ([`Layers::compiled_name`]); calls, `base` among them, are renamed at their tokens.

use super::api::{Dispatch, HookEntry, Target, Way};
use super::declare::{self, Dial, DialValue};
use super::interpret::Function;
use super::layers::{DECLARED, Layers, ScriptOf};
use super::parse::{At, Parsed, Parser, Replacement, here};
use super::{failures, syntax};
use crate::report::{Problem, did_you_mean, hint_for};
use rhai::{
    AST, ASTNode, Dynamic, Engine, EvalAltResult, Expr, Module, ParseErrorType, Scope, ScriptFuncDef, Shared,
    Stmt,
};
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};

/// Names for the value that names nothing.
pub const NOTHING_WORDS: [&str; 3] = ["nobody", "nowhere", "nothing"];

/// At most this many names of one text that stand for nothing are told.
const MAX_UNKNOWN_NAMES: usize = 50;

/// Compiles every layer under its own names; free names that are dials are folded to their values.
/// What is wrong is added to `found`; `None` when a text cannot be compiled even without the names
/// that stand for nothing.
pub fn compile(
    engine: &Engine,
    parser: &Parser,
    layers: &Layers,
    dials: &[Dial],
    found: &mut Vec<Problem>,
) -> Option<AST> {
    let mut whole = Module::new();
    let mut complete = true;
    for text in 0..layers.texts.len() {
        let parsed = &layers.texts[text].parsed;
        let mut replace = renamed(layers, text, dials);
        let mut told: Vec<(String, Option<usize>)> = Vec::new();
        let mut any = false;
        let ast = loop {
            let error = match parser.compile(engine, &parsed.readable.text, replace.clone()) {
                Ok(ast) => break Some(ast),
                Err(error) => error,
            };
            if let ParseErrorType::VariableUndefined(name) = error.err_type()
                && told.len() < MAX_UNKNOWN_NAMES
            {
                // Rhai stops at the first; without it, it goes on to the next.
                let at = here(error.position());
                let known = (name.clone(), parsed.around(at));
                if !told.contains(&known) {
                    found.push(unknown_name(parsed, at, name, dials));
                    told.push(known);
                    any = true;
                }
                if replace.insert(at, Replacement::Nothing).is_none() {
                    continue;
                }
            }
            // What follows from a name that is not there says nothing more.
            if !any {
                found.push(syntax::problem(&parsed.source, &error));
            }
            break None;
        };
        complete &= ast.is_some();
        for def in ast.iter().flat_map(AST::iter_fn_def) {
            // Which script a layer's function is for is told by its new name.
            let mut def = (**def).clone();
            def.this_type = None;
            whole.set_script_fn(def);
        }
    }
    complete.then(|| AST::new([], whole))
}

/// The problem of a name that is neither a variable nor a dial.
fn unknown_name(parsed: &Parsed, at: At, name: &str, dials: &[Dial]) -> Problem {
    let source = &parsed.source;
    let problem =
        Problem::new(format!("there is no variable or dial `{name}`")).at(source, source.span_at(at.0, at.1));
    let dial_names: Vec<String> = dials.iter().map(|d| d.name.replace('.', "_")).collect();
    let own = parsed.around(at).map(|function| &parsed.fns[function]);
    let locals = own.iter().flat_map(|f| f.params.iter().map(String::as_str));
    let words = NOTHING_WORDS.into_iter().chain(locals);
    if let Some(near) = did_you_mean(name, words.chain(parsed.let_names(at))) {
        return problem.hint(format!("did you mean `{near}`?"));
    }
    if let Some(near) = did_you_mean(name, dial_names.iter().map(String::as_str)) {
        return problem.hint(format!("did you mean the dial `{near}`?"));
    }
    syntax::undefined(problem, name)
}

/// What the tokens of a text are replaced by.
fn renamed(layers: &Layers, text: usize, dials: &[Dial]) -> HashMap<At, Replacement> {
    let parsed = &layers.texts[text].parsed;
    let mut replace: HashMap<At, Replacement> = HashMap::new();
    for function in &parsed.fns {
        if let Some((_, place)) = layers.around(text, function.at) {
            let name = Layers::compiled_name(place, &function.name);
            replace.insert(function.at, Replacement::Name(name));
        }
    }
    for used in &parsed.calls {
        let Some((layer, place)) = layers.around(text, used.at) else {
            continue;
        };
        let target = if used.name == "base" {
            let name = &layers.def(layer).name;
            let below = layers.below(place, name);
            below.map(|(place, _)| Layers::compiled_name(place, name))
        } else {
            function_meant(layers, place.script, &used.name)
        };
        if let Some(name) = target {
            replace.insert(used.at, Replacement::Name(name));
        }
    }
    for used in &parsed.free_names {
        if NOTHING_WORDS.contains(&used.name.as_str()) {
            replace.insert(used.at, Replacement::Nothing);
            continue;
        }
        let script = layers.around(text, used.at).map_or(0, |(_, place)| place.script);
        if let Some(dial) = dial_meant(layers, script, &used.name, dials) {
            replace.insert(used.at, folded(&dial.value));
        }
    }
    replace
}

/// The compiled name of the function that a plain call within a script means; `None` for a hook that
/// unit types or terrain redefine, which keeps its plain name (a native function sends the call to the right
/// script), and for what is no script function.
pub fn function_meant(layers: &Layers, script: usize, name: &str) -> Option<String> {
    let game = layers.top(0, name);
    if game.is_some() && layers.is_redefined(name) {
        return None;
    }
    let (place, _) = game.or_else(|| layers.top(script, name))?;
    Some(Layers::compiled_name(place, name))
}

/// The dial that a free name within a script means: the script's own before a common one.
pub fn dial_meant<'d>(layers: &Layers, script: usize, name: &str, dials: &'d [Dial]) -> Option<&'d Dial> {
    let own = format!("{}.{name}", layers.scripts[script].name);
    dials.iter().find(|d| d.name == own).or_else(|| {
        let of_type = |d: &Dial| {
            let of = d.name.split_once('.').map_or("", |(of, _)| of);
            layers.scripts[1..].iter().any(|s| s.name == of)
        };
        let mut common = dials.iter().filter(|d| !of_type(d));
        common.find(|d| d.name.replace('.', "_") == name)
    })
}

/// What stands in the place of a dial's name.
pub fn folded(value: &DialValue) -> Replacement {
    match value {
        DialValue::Number(n) => Replacement::Number(*n),
        DialValue::Word(w) => Replacement::Text(w.clone()),
    }
}

/// The dials that the scripts declare, stats of unit types and terrain among them, turned as asked.
///
/// Declarations are run as compiled without any dial; they can only use what declarations may.
/// `None` when they fail; what is wrong with them, or with how a dial is turned, is added to `found`.
pub fn read_dials(
    engine: &Engine,
    parser: &Parser,
    layers: &Layers,
    turned: &BTreeMap<String, DialValue>,
    found: &mut Vec<Problem>,
) -> Option<Vec<Dial>> {
    let before = found.len();
    let compiled = compile(engine, parser, layers, &[], found)?;
    let ran_away = Cell::new(false);
    let run = |script: usize, function: &str| -> Result<Option<Dynamic>, Problem> {
        let Some((place, layer)) = layers.top(script, function) else {
            return Ok(None);
        };
        let name = Layers::compiled_name(place, function);
        let result = engine.call_fn::<Dynamic>(&mut Scope::new(), &compiled, &name, ());
        result.map(Some).map_err(|error| {
            let mut origin = layers.origin(layer).0;
            let mut inner = &*error;
            while let EvalAltResult::ErrorInFunctionCall(name, _, next, _) = inner {
                let below = layers.chain(script, function);
                let found = below
                    .iter()
                    .find(|(p, _)| Layers::compiled_name(*p, function) == *name);
                if let Some((_, layer)) = found {
                    origin = layers.origin(*layer).0;
                }
                inner = next;
            }
            let stopped = matches!(
                inner,
                EvalAltResult::ErrorTerminated(..) | EvalAltResult::ErrorTooManyOperations(_)
            );
            ran_away.set(ran_away.get() || stopped);
            let at = here(inner.position());
            let (message, hint) = failures::told(inner, &failures::Known::default());
            let problem = Problem::new(message).at(&origin, origin.span_at(at.0.max(1), at.1.max(1)));
            problem.hint(hint.unwrap_or_else(|| {
                format!("{function}() is read first: it can only use numbers, texts and other declarations")
            }))
        })
    };
    let mut dials: Vec<Dial> = Vec::new();
    let mut common: Vec<(String, i64)> = Vec::new();
    let mut flags: Vec<String> = Vec::new();
    for (index, script) in layers.scripts.iter().enumerate() {
        let prefix = if index == 0 {
            String::new()
        } else {
            format!("{}.", script.name)
        };
        match run(index, "dials") {
            Ok(None) => {}
            Ok(Some(value)) => {
                let mut reader = layers.reader(index, "dials");
                dials.extend(reader.dials(value, &prefix));
                found.append(&mut reader.problems);
            }
            Err(problem) => found.push(problem),
        }
        let own = match run(index, "stats") {
            Ok(None) => Vec::new(),
            Ok(Some(value)) => {
                let mut reader = layers.reader(index, "stats");
                let own = reader.stats(value);
                found.append(&mut reader.problems);
                flags.extend(own.flags);
                own.numbers
            }
            Err(problem) => {
                found.push(problem);
                Vec::new()
            }
        };
        if ran_away.get() {
            // It has used up the time of all that follow.
            return None;
        }
        if index == 0 {
            common = own;
        } else {
            let mut all = layers.common_stats(index, &common);
            all.extend(own);
            dials.extend(
                all.iter()
                    .map(|(stat, n)| declare::stat_dial(&script.name, stat, *n, flags.contains(stat))),
            );
        }
    }
    if found.len() > before {
        return None;
    }
    dials.sort_by(|a, b| a.name.cmp(&b.name));
    for (name, value) in turned {
        match dials.iter_mut().find(|d| d.name == *name) {
            Some(dial) => {
                if let Err(why) = dial.set(value) {
                    found.push(Problem::new(why));
                }
            }
            None => {
                let hint = hint_for(name, dials.iter().map(|d| d.name.as_str()));
                found.push(Problem::new(format!("there is no dial `{name}`")).hint(hint));
            }
        }
    }
    Some(dials)
}

/// The functions that Rhai compiled, each with the definition that it comes from.
pub fn list_functions(layers: &Layers, compiled: &AST) -> Vec<Function> {
    let mut origins = HashMap::new();
    for (script, of) in layers.scripts.iter().enumerate() {
        for (name, stack) in &of.stacks {
            for (level, layer) in stack.iter().enumerate() {
                let place = super::layers::Place { script, level };
                origins.insert(Layers::compiled_name(place, name), (place, *layer));
            }
        }
    }
    let mut functions = Vec::new();
    for def in compiled.iter_fn_def() {
        // Closures have no definition of their own.
        if let Some((place, layer)) = origins.get(def.name.as_str()) {
            functions.push(Function {
                text: layer.text,
                place: *place,
                name: layers.def(*layer).name.clone(),
                def: def.clone(),
                body: body_of(def),
            });
        }
    }
    functions.sort_by(|a, b| a.def.name.cmp(&b.def.name));
    functions
}

/// The names of the hooks: the functions of the game's script, declarations aside.
pub fn hook_names(layers: &Layers) -> Vec<String> {
    let names = layers.scripts[0].stacks.iter().map(|(name, _)| name);
    names
        .filter(|n| !DECLARED.contains(&n.as_str()))
        .cloned()
        .collect()
}

/// Where each hook goes for the game, for each unit type and for each kind of terrain.
pub fn dispatch(
    layers: &Layers,
    hooks: &[String],
    functions: &[Function],
    by_compiled_name: &HashMap<String, usize>,
) -> Dispatch {
    let target = |script: usize, name: &str| {
        let (place, _) = layers.top(script, name)?;
        let index = by_compiled_name[&Layers::compiled_name(place, name)];
        Some(Target {
            idle: is_idle(&functions[index].body),
            index,
            way: Way::Script,
        })
    };
    let entries = hooks.iter().map(|name| {
        let game = target(0, name).unwrap_or_default();
        HookEntry {
            name: name.clone(),
            arity: layers
                .top(0, name)
                .map_or(0, |(_, layer)| layers.def(layer).params.len()),
            by_type: layers
                .scripts_of(ScriptOf::Unit)
                .map(|script| target(script, name).unwrap_or_else(|| game.clone()))
                .collect(),
            by_terrain: layers
                .scripts_of(ScriptOf::Terrain)
                .map(|script| target(script, name).unwrap_or_else(|| game.clone()))
                .collect(),
            game,
        }
    });
    Dispatch {
        hooks: entries.collect(),
    }
}

/// Whether a function has no statement, or only says `true`.
fn is_idle(body: &[Stmt]) -> bool {
    match body {
        [] => true,
        [Stmt::Expr(expr)] => matches!(**expr, Expr::BoolConstant(true, _)),
        _ => false,
    }
}

/// The statements of a function. Rhai keeps them in a type without a public name, so they are
/// collected by walking a script that has this function alone.
fn body_of(def: &Shared<ScriptFuncDef>) -> Vec<Stmt> {
    let mut module = Module::new();
    module.set_script_fn(def.clone());
    let mut body = Vec::new();
    AST::new([], module).walk(&mut |path: &[ASTNode]| {
        if let [ASTNode::Stmt(statement)] = path {
            body.push((*statement).clone());
        }
        true
    });
    body
}
