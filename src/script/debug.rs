//! Stopping within a step: a run of the step is watched, and unwinds at the first place that is
//! wanted, after what a person may look at there has been copied out.
//!
//! Rules cannot be suspended, but steps are short and always run alike: going on from a place is
//! running the step again to a later one. Every statement and expression that Rhai's debugging
//! interface reports has an *ordinal* within its step; that is how a place is found again.
//!
//! Only a ruleset that was loaded to be traced can be watched. Knows no session and no words of the
//! prompt.

use super::api::Api;
use super::compile;
use super::host::{Host, Stop};
use super::interpret::Function;
use super::parse::{At, Replacement, here};
use crate::kernel::event::Event;
use crate::kernel::phase::Next;
use crate::kernel::table::{Halt, Position, Table};
use crate::report::{Problem, Source};
use rhai::debugger::DebuggerEvent;
use rhai::{AST, ASTNode, Dynamic, EvalAltResult, EvalContext, Expr, Module, Shared, Stmt};
use std::collections::{BTreeSet, HashSet};
use std::mem::{Discriminant, discriminant};
use std::ops::Range;
use std::rc::Rc;

/// A closure lies between its function and what that calls.
const LEVELS: usize = 64;

/// A place at which a run stops.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mark {
    /// The first statement of a function, by its index among the ruleset's.
    Function(usize),
    /// A statement: its text by index, and where it begins.
    Statement(usize, At),
}

/// How far a run goes if it meets no mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// To its end.
    End,
    /// To the next statement, in whatever function.
    Statement,
    /// To the next statement that is no deeper than this.
    Level(usize),
    /// Until it is less deep than this.
    Out(usize),
    /// To the place of this ordinal.
    At(u64),
}

/// What a run of a step is watched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watch {
    /// Places up to this ordinal are passed.
    pub after: u64,
    /// How far it goes.
    pub until: Until,
    /// Where it stops before, each with a number of the caller's.
    pub marks: Vec<(usize, Mark)>,
}

/// A function that was running when a run stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The function, by its index among the ruleset's.
    pub function: usize,
    /// What it was called with: the parameters' names, and values as users read them.
    pub args: Vec<(String, String)>,
    /// The statement or expression that it is at: line and column from 1.
    pub at: At,
    /// It is within a closure of that function.
    pub closure: bool,
}

/// A place at which a run stopped, and what could be seen there.
#[derive(Debug, Clone)]
pub struct Stopped {
    /// The place's ordinal within the step.
    pub ordinal: u64,
    /// The ordinal of the statement before it, if there is one.
    pub before: Option<u64>,
    /// How deep in calls it is.
    pub level: usize,
    /// The number of the mark that was met.
    pub mark: Option<usize>,
    /// Whether the run was to go no farther than here anyway.
    pub arrived: bool,
    /// Whether it is a statement, and not an expression within one.
    pub statement: bool,
    /// The functions that were running, innermost first.
    pub frames: Vec<Frame>,
    /// The local variables of the innermost one: names, values, values as users read them.
    pub locals: Vec<(String, Dynamic, String)>,
    /// What the function said that the run was to go out of: which one, and what.
    pub returned: Option<(usize, String)>,
}

/// What came of a watched run.
#[derive(Debug, Clone)]
pub enum Watched {
    /// The step came to its end, or to a question that waits; with the ordinal of its last place.
    Through(u64),
    /// It stopped at a place.
    Stopped(Box<Stopped>),
    /// The rules failed; with the ordinal of the place, unless no script was running.
    Failed(Option<u64>),
}

/// A function that runs.
struct Open {
    function: usize,
    args: Vec<Dynamic>,
    at: At,
    /// The last place that it came to.
    ordinal: u64,
    /// The interpreter's own depth in it, known from its first place on.
    base: Option<usize>,
    closure: bool,
    /// The mark on this function, until its first statement.
    mark: Option<usize>,
}

/// Watches a run. Kept by the [`Api`] while one is under way.
pub struct Watcher {
    watch: Watch,
    places: Rc<Places>,
    open: Vec<Open>,
    ordinal: u64,
    statement: Option<u64>,
    returned: Option<(usize, Dynamic)>,
    failed: Option<u64>,
    found: Option<Box<Stopped>>,
}

impl Watcher {
    fn new(watch: Watch, places: Rc<Places>) -> Self {
        Self {
            watch,
            places,
            open: Vec::new(),
            ordinal: 0,
            statement: None,
            returned: None,
            failed: None,
            found: None,
        }
    }

    /// A function begins.
    pub fn enter(&mut self, function: usize, args: &[Dynamic]) {
        let marks = self.watch.marks.iter();
        let mut marks = marks.filter(|(_, mark)| *mark == Mark::Function(function));
        self.open.push(Open {
            function,
            args: args.to_vec(),
            at: (0, 0),
            ordinal: self.ordinal,
            base: None,
            closure: false,
            mark: marks.next().map(|(number, _)| *number),
        });
    }

    /// The innermost function ends, with what it said or by a failure.
    pub fn leave(&mut self, said: Option<&Dynamic>) {
        let Some(open) = self.open.pop() else { return };
        match said {
            Some(said) => {
                let out = |level: usize| self.open.len() < level / LEVELS;
                if matches!(self.watch.until, Until::Out(level) if out(level))
                    && self.ordinal > self.watch.after
                    && self.returned.is_none()
                {
                    self.returned = Some((open.function, said.clone()));
                }
            }
            // The error goes on outwards; it came up in the innermost.
            None => {
                self.failed.get_or_insert(open.ordinal);
            }
        }
    }

    /// Whether the innermost function has parameters.
    fn has_params(&self) -> bool {
        let open = self.open.last();
        open.is_some_and(|open| !open.args.is_empty())
    }

    /// A place is reached: what stops the run here, if something does.
    fn reach(&mut self, node: &ASTNode, depth: usize) -> Option<Met> {
        let inner = self.open.len();
        let open = self.open.last_mut()?;
        self.ordinal += 1;
        // Whatever failed before was caught.
        self.failed = None;
        let at = start_of(node);
        let statement = self.places.is_statement(node);
        let base = *open.base.get_or_insert(depth);
        open.closure = depth > base;
        open.ordinal = self.ordinal;
        if at.0 > 0 {
            open.at = at;
        }
        let level = inner * LEVELS + depth.saturating_sub(base).min(LEVELS - 1);
        let own = statement.then(|| open.mark.take()).flatten();
        let text = self.places.texts.get(open.function).copied();
        let here = |mark: &Mark| matches!(mark, Mark::Statement(t, a) if Some(*t) == text && *a == at);
        let marks = self.watch.marks.iter();
        let mut marks = marks.filter(|(_, mark)| statement && here(mark));
        let mark = own.or_else(|| marks.next().map(|(number, _)| *number));
        let arrived = match self.watch.until {
            Until::End => false,
            Until::Statement => statement,
            Until::Level(most) => statement && level <= most,
            Until::Out(from) => level / LEVELS < from / LEVELS || statement && level < from,
            Until::At(ordinal) => self.ordinal == ordinal,
        };
        let found = self.ordinal > self.watch.after && (mark.is_some() || arrived);
        if !found && statement {
            self.statement = Some(self.ordinal);
        }
        found.then_some(Met {
            mark,
            arrived,
            statement,
            level,
        })
    }
}

/// A place at which a run stops.
struct Met {
    mark: Option<usize>,
    arrived: bool,
    statement: bool,
    level: usize,
}

/// A place is reported by the interpreter: the run goes on, or unwinds.
///
/// # Errors
///
/// The run stops here, or the table has halted before.
pub fn reach(
    api: &Api,
    context: &EvalContext,
    event: DebuggerEvent,
    node: &ASTNode,
) -> Result<(), Box<EvalAltResult>> {
    // What native functions report when they end is no place of its own: nothing is in scope there.
    if matches!(
        event,
        DebuggerEvent::FunctionExitWithValue(_) | DebuggerEvent::FunctionExitWithError(_)
    ) {
        return Ok(());
    }
    if api.watcher().borrow().is_none() {
        return Ok(());
    }
    let unwind = || EvalAltResult::ErrorTerminated(Dynamic::UNIT, node.position()).into();
    // A script can swallow the error that unwinds; the table remembers.
    if api.look(|t| t.halt().is_some()) {
        return Err(unwind());
    }
    let mut watcher = api.watcher().borrow_mut();
    let Some(watcher) = watcher.as_mut() else {
        return Ok(());
    };
    // Rhai evaluates the links of a chain with nothing in scope: such an expression is no place either.
    if context.scope().is_empty() && watcher.has_params() && !watcher.places.is_statement(node) {
        return Ok(());
    }
    let Some(met) = watcher.reach(node, context.call_level()) else {
        return Ok(());
    };
    let told = |value: &Dynamic| match value.is_fnptr() {
        true => "a function".to_owned(),
        false => api.look(|t| super::value::text_of(t, value)),
    };
    let mut locals: Vec<(String, Dynamic, String)> = Vec::new();
    for (name, _, value) in context.scope().iter() {
        // A name that was declared again hides the earlier one.
        locals.retain(|(other, ..)| other != name);
        let text = told(&value);
        locals.push((name.to_owned(), value, text));
    }
    let frames = watcher.open.iter().rev().map(|open| {
        let names = &watcher.places.params[open.function];
        let args = names.iter().zip(&open.args);
        Frame {
            function: open.function,
            args: args.map(|(name, arg)| (name.clone(), told(arg))).collect(),
            at: open.at,
            closure: open.closure,
        }
    });
    let returned = watcher.returned.as_ref();
    watcher.found = Some(Box::new(Stopped {
        ordinal: watcher.ordinal,
        before: watcher.statement,
        level: met.level,
        mark: met.mark,
        arrived: met.arrived,
        statement: met.statement,
        frames: frames.collect(),
        locals,
        returned: returned.map(|(function, said)| (*function, told(said))),
    }));
    api.table.borrow_mut().stop(Halt::Paused);
    Err(unwind())
}

/// Where the statements of a ruleset are.
#[derive(Default)]
pub struct Places {
    /// By function: its text, by index.
    texts: Vec<usize>,
    /// By function: its parameters.
    params: Vec<Vec<String>>,
    /// By function: where its statements begin.
    starts: Vec<BTreeSet<At>>,
    /// Where statements of closures begin, of whatever text.
    in_closures: BTreeSet<At>,
    /// Statements that are an expression each: Rhai reports the expression alone.
    expressions: HashSet<(At, Discriminant<Expr>)>,
}

impl Places {
    /// Those of these functions, and of the closures in them.
    pub fn of(functions: &[Function], closures: &Shared<Module>) -> Self {
        let mut places = Self::default();
        for function in functions {
            let mut module = Module::new();
            module.set_script_fn(function.def.clone());
            let starts = places.note(&AST::new([], module));
            places.texts.push(function.text);
            let params = function.def.params.iter().map(ToString::to_string);
            places.params.push(params.collect());
            places.starts.push(starts);
        }
        places.in_closures = places.note(&AST::new([], closures.clone()));
        places
    }

    fn note(&mut self, ast: &AST) -> BTreeSet<At> {
        let mut starts = BTreeSet::new();
        ast.walk(&mut |path: &[ASTNode]| {
            if let Some(ASTNode::Stmt(statement)) = path.last() {
                match statement {
                    Stmt::Noop(_) | Stmt::Block(_) | Stmt::Share(_) => {}
                    Stmt::Expr(expr) => {
                        self.expressions
                            .insert((here(expr.position()), discriminant(&**expr)));
                        starts.insert(start_of(&ASTNode::Expr(expr)));
                    }
                    statement => {
                        starts.insert(start_of(&ASTNode::Stmt(statement)));
                    }
                }
            }
            true
        });
        starts.remove(&(0, 0));
        starts
    }

    /// Where statements begin that closures at a line have, of whatever text.
    pub fn in_closures(&self, line: usize) -> impl Iterator<Item = At> + '_ {
        let at = self.in_closures.iter();
        at.copied().filter(move |(l, _)| *l == line)
    }

    fn is_statement(&self, node: &ASTNode) -> bool {
        match node {
            ASTNode::Stmt(Stmt::Noop(_) | Stmt::Block(_) | Stmt::Share(_)) => false,
            ASTNode::Stmt(_) => true,
            ASTNode::Expr(expr) => {
                let at = here(expr.position());
                self.expressions.contains(&(at, discriminant(*expr)))
            }
            _ => false,
        }
    }

    /// Where a function's statements begin, in order; none when it does nothing.
    pub fn statements(&self, function: usize) -> impl Iterator<Item = At> + '_ {
        self.starts.get(function).into_iter().flatten().copied()
    }
}

/// Where a node begins in its text.
fn start_of(node: &ASTNode) -> At {
    fn of(expr: &Expr) -> At {
        match expr {
            // An operator is a call whose name stands behind its first operand.
            Expr::FnCall(call, _) if call.op_token.is_some() && call.args.len() == 2 => of(&call.args[0]),
            Expr::Dot(x, ..) | Expr::Index(x, ..) => of(&x.lhs),
            Expr::And(x, _) | Expr::Or(x, _) | Expr::Coalesce(x, _) => {
                x.first().map_or_else(|| here(expr.position()), of)
            }
            other => here(other.start_position()),
        }
    }
    match node {
        ASTNode::Stmt(Stmt::Assignment(x)) => of(&x.1.lhs),
        ASTNode::Stmt(Stmt::Expr(expr)) => of(expr),
        ASTNode::Stmt(Stmt::FnCall(call, _)) if call.op_token.is_some() && call.args.len() == 2 => {
            of(&call.args[0])
        }
        ASTNode::Stmt(statement) => here(statement.position()),
        ASTNode::Expr(expr) => of(expr),
        other => here(other.position()),
    }
}

/// The first line of the statement that begins at a byte of a text, as bytes; the head alone of one
/// that has a block.
pub fn statement_span(source: &Source, start: usize) -> Range<usize> {
    let line = source.line_at(start);
    let text = source.slice(start..line.end);
    let first = text
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .next();
    let block = matches!(
        first,
        Some("if" | "for" | "while" | "loop" | "switch" | "do" | "try")
    );
    let mut depth = 0_i32;
    let mut quote = None;
    let mut end = text.len();
    let mut chars = text.char_indices().peekable();
    while let Some((index, c)) = chars.next() {
        match (quote, c) {
            (Some(_), '\\') => {
                chars.next();
            }
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '`' | '\'') => quote = Some(c),
            (None, '/') if chars.peek().is_some_and(|(_, c)| *c == '/') => {
                end = index;
                break;
            }
            (None, ';' | ',') if depth == 0 => {
                end = index;
                break;
            }
            (None, '{') if depth == 0 && block && !text[..index].ends_with('#') => {
                end = index;
                break;
            }
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => {
                depth -= 1;
                if depth < 0 {
                    end = index;
                    break;
                }
            }
            _ => {}
        }
    }
    let end = start + text[..end].trim_end().len();
    start..end.max(start)
}

impl Host {
    /// Runs a step of another host's table again under this one, which was made by
    /// [`Host::traced_twin`] of it, and watches the run. `events` are those before the step. What
    /// was half done when the run stopped stays on this host's table.
    pub fn watch(&self, own: &Table, position: &Position, events: &[Event], watch: Watch) -> Watched {
        {
            let mut table = self.table.borrow_mut();
            // Words that were met since.
            table.words = own.words.clone();
            table.scripted_rolls = Rc::clone(&own.scripted_rolls);
            table.rolls_may_miss = own.rolls_may_miss;
            table.events.clear();
            table.events.extend_from_slice(events);
            table.load(position);
        }
        let api = self.api();
        *api.watcher().borrow_mut() = Some(Watcher::new(watch, Rc::clone(self.places())));
        api.set_tracing(true);
        let ran = match position.next {
            Next::Step { hook, about } => self.call_hook(hook, about).map(|_| ()),
            Next::Close => self.close(),
            _ => Ok(()),
        };
        api.set_tracing(false);
        let Some(watcher) = api.watcher().borrow_mut().take() else {
            return Watched::Through(0);
        };
        match (watcher.found, ran) {
            (Some(found), _) => Watched::Stopped(found),
            (None, Err(Stop::Failed(_))) => Watched::Failed(watcher.failed),
            (None, _) => Watched::Through(watcher.ordinal),
        }
    }

    /// Evaluates an expression at the place where the last watched run stopped: with its local
    /// variables and the functions and dials of its script, on the half-done position, which it can
    /// only read.
    ///
    /// # Errors
    ///
    /// What is wrong with the expression, at its place.
    pub fn look_at(&self, stopped: &Stopped, source: &Rc<Source>) -> Result<Dynamic, Problem> {
        let script = stopped
            .frames
            .first()
            .map_or(0, |f| self.functions()[f.function].place.script);
        let local = |name: &str| stopped.locals.iter().any(|(n, ..)| n == name);
        let parsed = self.parse(source)?;
        let mut replace = std::collections::HashMap::new();
        for used in &parsed.calls {
            if let Some(name) = compile::function_meant(&self.layers, script, &used.name) {
                replace.insert(used.at, Replacement::Name(name));
            }
        }
        for used in parsed.free_names.iter().filter(|u| !local(&u.name)) {
            let dial = compile::dial_meant(&self.layers, script, &used.name, &self.dials);
            if let Some(dial) = dial {
                replace.insert(used.at, compile::folded(&dial.value));
            }
        }
        let halt = self.table.borrow_mut().set_halt(None);
        let said = self.evaluate_with(source, replace, |scope| {
            for (name, value, _) in &stopped.locals {
                scope.push_dynamic(name.clone(), value.clone());
            }
        });
        self.table.borrow_mut().set_halt(halt);
        said
    }

    /// Whether a text is an expression at all.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn check_condition(&self, text: &str) -> Result<(), Problem> {
        self.parse(&Source::new("condition", text)).map(|_| ())
    }

    /// The dials that a function's text names, with the names it uses, each once.
    pub fn dials_in(&self, function: usize) -> Vec<(String, String)> {
        let Function {
            text, place, name, ..
        } = &self.functions()[function];
        let parsed = &self.layers.texts[*text].parsed;
        let mut found: Vec<(String, String)> = Vec::new();
        for used in &parsed.free_names {
            let Some((layer, at)) = self.layers.around(*text, used.at) else {
                continue;
            };
            if at != *place || self.layers.def(layer).name != *name {
                continue;
            }
            let dial = compile::dial_meant(&self.layers, place.script, &used.name, &self.dials);
            if let Some(dial) = dial
                && !found.iter().any(|(n, _)| *n == used.name)
            {
                found.push((used.name.clone(), dial.value.to_string()));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn underlined(text: &str) -> String {
        let source = Source::new("x.rhai", text);
        let start = text.len() - text.trim_start().len();
        source.slice(statement_span(&source, start)).to_owned()
    }

    #[test]
    fn a_statement_reaches_to_its_end_on_the_line() {
        assert_eq!(underlined("  let a = f(b); g(a);"), "let a = f(b)");
        assert_eq!(underlined("a + b }"), "a + b");
        assert_eq!(underlined("hit(foe, 1)   // hurts; much"), "hit(foe, 1)");
        assert_eq!(underlined("say(\"a; b\"); c"), "say(\"a; b\")");
        assert_eq!(underlined("say('\\''); c"), "say('\\'')");
        assert_eq!(underlined("let m = #{ a: 1,\n b: 2 };"), "let m = #{ a: 1,");
        assert_eq!(
            underlined("foes.filter(|u| { u.life > 1 });"),
            "foes.filter(|u| { u.life > 1 })"
        );
    }

    #[test]
    fn of_a_statement_with_a_block_the_head_is_marked() {
        assert_eq!(underlined("if a > #{ b: 1 }.b { c(); }"), "if a > #{ b: 1 }.b");
        assert_eq!(underlined("if f(|x| { x }) { c(); }"), "if f(|x| { x })");
        assert_eq!(underlined("for foe in me.foes { c(); }"), "for foe in me.foes");
        assert_eq!(underlined("iffy { c(); }"), "iffy { c(); }");
    }

    #[test]
    fn texts_that_end_at_once_are_no_harm() {
        assert_eq!(underlined(""), "");
        assert_eq!(underlined("}"), "");
        assert_eq!(underlined("\"never closed"), "\"never closed");
        let source = Source::new("x.rhai", "a");
        assert_eq!(statement_span(&source, 1), 1..1);
    }

    #[test]
    fn a_watcher_without_functions_stops_nowhere() {
        let watch = Watch {
            after: 0,
            until: Until::Statement,
            marks: Vec::new(),
        };
        let mut watcher = Watcher::new(watch, Rc::default());
        let statement = Stmt::Noop(rhai::Position::NONE);
        assert!(watcher.reach(&ASTNode::Stmt(&statement), 0).is_none());
        watcher.leave(None);
        assert_eq!((watcher.ordinal, watcher.failed), (0, None));
    }
}
