//! The interpreter: Rhai's engine with the functions of one ruleset, called in kept states.

use super::engine::MAX_CALL_LEVELS;
use super::layers::Place;
use rhai::{Dynamic, Engine, EvalAltResult, Module, Position, Scope, ScriptFuncDef, Shared, Stmt};
use std::cell::RefCell;

/// A function of a ruleset.
pub struct Function {
    /// Which text it is in, by index.
    pub text: usize,
    /// Where it lies among the layers.
    pub place: Place,
    /// Its name as written.
    pub name: String,
    /// Rhai's record of it, under its compiled name.
    pub def: Shared<ScriptFuncDef>,
    /// Its statements.
    pub body: Vec<Stmt>,
}

/// What Rhai keeps from one call to the next; kept because building it anew costs more than a hook.
struct Run {
    global: rhai::GlobalRuntimeState,
    caches: rhai::Caches,
    scope: Scope<'static>,
}

/// See the module's comment.
pub struct Interpreter {
    /// The engine.
    pub engine: Engine,
    /// The functions, by index.
    pub functions: Vec<Function>,
    /// The same functions as Rhai holds them.
    pub lib: Shared<Module>,
    /// States that no call uses now: one for each depth of hooks within hooks.
    idle: RefCell<Vec<Run>>,
}

impl Interpreter {
    /// An interpreter of these functions.
    pub fn new(engine: Engine, functions: Vec<Function>, lib: Shared<Module>) -> Self {
        Self {
            engine,
            functions,
            lib,
            idle: RefCell::default(),
        }
    }

    fn run(&self) -> Run {
        let mut global = self.engine.new_global_runtime_state();
        global.lib.push(self.lib.clone());
        let mut caches = rhai::Caches::new();
        // Without a layer of its own every script function that returns drops what was resolved in it.
        caches.push_fn_resolution_cache();
        Run {
            global,
            caches,
            scope: Scope::new(),
        }
    }

    /// Calls a function; `depth` says how many calls deep it is.
    pub fn call(
        &self,
        function: usize,
        args: Vec<Dynamic>,
        depth: usize,
    ) -> Result<Dynamic, Box<EvalAltResult>> {
        let Function { def, body, name, .. } = &self.functions[function];
        if def.params.len() != args.len() {
            let why = format!(
                "`{name}` takes {} parameters, not {}",
                def.params.len(),
                args.len()
            );
            return Err(EvalAltResult::ErrorRuntime(why.into(), Position::NONE).into());
        }
        if depth > MAX_CALL_LEVELS {
            return Err(EvalAltResult::ErrorStackOverflow(Position::NONE).into());
        }
        let kept = self.idle.borrow_mut().pop();
        let mut run = kept.unwrap_or_else(|| self.run());
        for (name, value) in def.params.iter().zip(args) {
            run.scope.push_dynamic(name.clone(), value);
        }
        run.global.level = depth;
        #[allow(deprecated)] // the only way to run a body in a kept state; the version is pinned
        let result = self
            .engine
            .eval_statements_raw(&mut run.global, &mut run.caches, &mut run.scope, body);
        // An error leaves the state wherever it was raised: such a state is not kept.
        if result.is_ok() {
            run.scope.clear();
            run.global.num_operations = 0;
            self.idle.borrow_mut().push(run);
        }
        result
    }

    /// The error of a function that a native function called, as Rhai tells it: with its name.
    pub fn inside(&self, function: usize, error: Box<EvalAltResult>) -> Box<EvalAltResult> {
        match *error {
            EvalAltResult::ErrorTerminated(..)
            | EvalAltResult::ErrorTooManyOperations(_)
            | EvalAltResult::ErrorStackOverflow(_) => error,
            _ => {
                let name = self.functions[function].def.name.to_string();
                EvalAltResult::ErrorInFunctionCall(name, String::new(), error, Position::NONE).into()
            }
        }
    }
}
