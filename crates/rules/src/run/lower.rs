//! From Rhai's tree to nodes: every name is resolved, `base` and dials with them, and what rules
//! cannot say is told with what to write instead.

mod chains;

use super::context::intern;
use super::function::{Function, FunctionCode};
use super::heap::Heap;
use super::members::Members;
use super::natives::NATIVES;
use super::node::*;
use super::value::{Kind, NOTHING_WORDS, Value};
use super::{library, memo, operate};
use crate::declare::{Dial, DialValue, problems as declared};
use crate::engine::MAX_STRING;
use crate::kernel::ids::HookId;
use crate::kernel::rules::{MAX_WORDS, Words};
use crate::keys::DECLARED;
use crate::layers::{Layer, Layers};
use crate::lint::signatures;
use crate::parse::{Cases, Definition, Parsed, TextPosition};
use crate::problems;
use crate::report::{Problem, SUGGESTED, did_you_mean};
use crate::rhai_differences::{CASE, EXPORT, FRACTION, IMPORT, Refused, THIS, TRY};
use crate::syntax::here;
use rhai::{
    ASTFlags, ASTNode, Caches, Dynamic, Engine, Expr, FnCallExpr, FnPtr, Position, RangeCase, Scope,
    Stmt as Statement, StmtBlock, SwitchCasesCollection,
};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock, PoisonError};

/// At most this many names of one text that stand for nothing are told.
const MAX_UNKNOWN_NAMES: usize = 50;

/// A number of at most three decimals in thousandths: the one whose nearest float the number is.
fn thousandths(number: f64) -> Option<i64> {
    let whole = (number * 1_000.0).round();
    (whole / 1_000.0 == number && whole.abs() < 1e15).then_some(whole as i64)
}

/// The functions of a ruleset by their definitions.
pub type FunctionIndex = HashMap<Layer, usize>;

/// The hooks by name, each with how many parameters it takes.
pub type HookNames = HashMap<String, Vec<(HookId, usize)>>;

/// Meaning of names in a ruleset.
pub struct Names<'a> {
    /// The texts and which of their functions are in force.
    pub layers: &'a Layers,
    /// The dials, by name.
    pub dials: &'a [Dial],
    /// The functions by their definitions.
    pub functions: &'a FunctionIndex,
    /// The hooks that scripts of units or terrain redefine.
    pub hooks: &'a HookNames,
}

/// The dial that a free name within a script means: the script's own before a common one.
pub fn dial_meant<'d>(layers: &Layers, script: usize, name: &str, dials: &'d [Dial]) -> Option<&'d Dial> {
    let own = format!("{}.{name}", layers.scripts[script].name);
    let own = dials.binary_search_by(|d| d.name.cmp(&own)).ok();
    own.map(|index| &dials[index]).or_else(|| {
        let of_type = |d: &Dial| {
            let of = d.name.split_once('.').map_or("", |(of, _)| of);
            layers.scripts[1..].iter().any(|s| s.name == of)
        };
        let letter = |b: u8| if b == b'.' { b'_' } else { b };
        let is_read_so = |d: &Dial| d.name.bytes().map(letter).eq(name.bytes());
        dials.iter().find(|d| is_read_so(d) && !of_type(d))
    })
}

/// The native functions of each name.
static BY_NAME: LazyLock<HashMap<&str, Vec<u16>>> = LazyLock::new(|| {
    let mut by_name: HashMap<&str, Vec<u16>> = HashMap::new();
    for (index, native) in NATIVES.iter().enumerate() {
        by_name.entry(native.name).or_default().push(index as u16);
    }
    by_name
});

/// The native functions of that name and number of arguments.
fn natives(name: &str, args: usize) -> Box<[u16]> {
    let all = BY_NAME.get(name).into_iter().flatten().copied();
    all.filter(|native| NATIVES[*native as usize].params.len() == args)
        .collect()
}

/// Stores for lowering, besides names: texts and literal lists, and the problems found.
pub struct LowerContext<'a> {
    /// The words.
    pub words: &'a mut Words,
    /// The heap.
    pub heap: &'a mut Heap,
    /// The properties.
    pub members: &'a mut Arc<Members>,
    /// Whether they include the slots already.
    pub slots_known: bool,
    /// Problems with changes that are lost unless one of these names is that of a set or list in a slot.
    pub waiting: Vec<(Vec<Arc<str>>, Problem)>,
    /// The functions without a name that were found, to stand behind those that have one.
    pub closures: Vec<Function>,
    /// The functions that were found to be called.
    pub called: Vec<usize>,
    /// Number of functions with a name.
    pub named: usize,
    /// Problems with parts that cannot be expressed.
    pub problems: Vec<Problem>,
    /// Names that stand for nothing, of texts where that is only told when they are reached.
    pub unknown: Vec<(Arc<str>, TextPosition)>,
    /// The functions in which such a name was told to stand for nothing, by the text's name and the name.
    pub unknown_in: HashMap<(String, Arc<str>), Vec<Option<usize>>>,
}

/// Context of a text while it is lowered.
#[derive(Clone, Copy)]
pub struct TextContext<'a> {
    /// Its text.
    pub parsed: &'a Parsed,
    /// The text's index.
    pub text: usize,
    /// The script that names are looked up in.
    pub place: Definition,
    /// The definition, when it is one.
    pub layer: Option<Layer>,
    /// The function, by its index.
    pub function: usize,
    /// Whether names that stand for nothing are only told when they are reached.
    pub lazy: bool,
}

struct Variable {
    name: Arc<str>,
    shared: bool,
    constant: bool,
    /// Kind of its values during its whole life, where that is known.
    kind: Option<Kind>,
}

/// Lowers one function.
struct Lowering<'a, 'n, 's> {
    names: &'a Names<'n>,
    store: &'a mut LowerContext<'s>,
    within: TextContext<'a>,
    scope: Vec<Variable>,
    looked: Arc<VariableUse>,
    scopes: Vec<Vec<(Arc<str>, u16, bool)>>,
    most: usize,
    size: u32,
    /// Whether there is a loop, or a closure that something else goes through things with.
    loops: bool,
}

/// Lowers a function of a text, or an expression of a user with the variables that are given to it.
pub fn function(
    names: &Names<'_>,
    store: &mut LowerContext<'_>,
    within: TextContext<'_>,
    params: &[String],
    statements: &[Statement],
) -> FunctionCode {
    let mut shares = SharedVariables::default();
    shares.look(within.parsed, statements);
    let params = params.iter().map(|name| Param::own(name)).collect();
    code(names, store, within, params, shares.usage(), statements)
}

/// A parameter, or what a closure takes along.
struct Param {
    name: Arc<str>,
    /// It is shared already.
    is_cell: bool,
    constant: bool,
}

impl Param {
    fn own(name: &str) -> Self {
        Self {
            name: Arc::from(name),
            is_cell: false,
            constant: false,
        }
    }
}

fn code(
    names: &Names<'_>,
    store: &mut LowerContext<'_>,
    within: TextContext<'_>,
    params: Vec<Param>,
    looked: Arc<VariableUse>,
    body: &[Statement],
) -> FunctionCode {
    let mut lowering = Lowering {
        names,
        store,
        within,
        scope: Vec::new(),
        looked,
        scopes: Vec::new(),
        most: 0,
        size: 0,
        loops: false,
    };
    let count = params.len();
    let mut shared = Vec::new();
    for param in params {
        let local = lowering.declare(&param.name, param.constant);
        let own = lowering.scope.len() - 1;
        // What was captured is a cell already.
        if lowering.scope[own].shared && !param.is_cell {
            shared.push(local);
        }
        lowering.scope[own].shared |= param.is_cell;
    }
    let body = lowering.block(body);
    FunctionCode {
        params: count,
        locals: lowering.most,
        heavy: lowering.loops && count <= memo::MOST && shared.is_empty(),
        shared,
        cost: 1 + lowering.size / 8,
        body: Some(body),
        scopes: lowering.scopes,
        ..FunctionCode::default()
    }
}

/// Knowledge about the variables of a function and its closures, by name.
struct VariableUse {
    /// Those that closures share with the function.
    shares: HashSet<String>,
    /// Those that come to hold something else.
    assigned: HashSet<String>,
}

/// Variables that closures take with them, and variables that are changed: those in both sets must be shared.
#[derive(Default)]
struct SharedVariables {
    captured: HashSet<String>,
    changed: HashSet<String>,
    assigned: HashSet<String>,
    seen: HashSet<String>,
}

impl SharedVariables {
    fn look(&mut self, parsed: &Parsed, statements: &[Statement]) {
        let mut closures = Vec::new();
        for statement in statements {
            statement.walk(&mut Vec::new(), &mut |path: &[ASTNode]| {
                match path.last() {
                    Some(ASTNode::Stmt(Statement::Share(all))) => {
                        self.captured
                            .extend(all.iter().map(|(ident, _)| ident.name.to_string()));
                    }
                    Some(ASTNode::Stmt(Statement::Assignment(it))) => {
                        self.changed.extend(root(&it.1.lhs).map(str::to_owned));
                        self.assigned.extend(variable(&it.1.lhs).map(str::to_owned));
                    }
                    Some(ASTNode::Expr(expr)) => {
                        if let Expr::Dot(..) | Expr::Index(..) = expr
                            && mutates(expr)
                        {
                            self.changed.extend(root(expr).map(str::to_owned));
                        }
                        closures.extend(closure_name(expr));
                    }
                    _ => {}
                }
                true
            });
        }
        for name in closures {
            if self.seen.insert(name.clone())
                && let Some(body) = parsed.closures.get(&name)
            {
                self.look(parsed, &body.statements);
            }
        }
    }

    fn usage(self) -> Arc<VariableUse> {
        Arc::new(VariableUse {
            shares: self.captured.intersection(&self.changed).cloned().collect(),
            assigned: self.assigned,
        })
    }
}

/// The variable at the root of a chain.
pub(super) fn root(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Dot(sides, ..) | Expr::Index(sides, ..) => root(&sides.lhs),
        _ => variable(expr),
    }
}

/// Whether there is a function in a chain that changes what it is called on.
pub(super) fn mutates(expr: &Expr) -> bool {
    match expr {
        Expr::Dot(sides, ..) | Expr::Index(sides, ..) => mutates(&sides.lhs) || mutates(&sides.rhs),
        Expr::MethodCall(call, _) => !library::mutators(&call.name, call.args.len()).is_empty(),
        _ => false,
    }
}

/// The name under which Rhai keeps a closure.
fn closure_name(expr: &Expr) -> Option<String> {
    match expr {
        Expr::DynamicConstant(value, _) => {
            let pointer = value.read_lock::<FnPtr>()?;
            Some(pointer.fn_name().to_owned())
        }
        _ => None,
    }
}

fn variable(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Variable(variable, ..) if variable.2.is_empty() => Some(variable.1.as_str()),
        _ => None,
    }
}

/// Returns the position of a node's start in its text.
pub fn start_of(expr: &Expr) -> TextPosition {
    match expr {
        Expr::FnCall(call, _) if is_operator(call) => start_of(first_of(call)),
        Expr::Dot(x, ..) | Expr::Index(x, ..) => start_of(&x.lhs),
        Expr::And(x, _) | Expr::Or(x, _) | Expr::Coalesce(x, _) => {
            x.first().map_or_else(|| here(expr.position()), start_of)
        }
        other => here(other.start_position()),
    }
}

/// An operator is a call whose name stands behind its first operand.
fn is_operator(call: &FnCallExpr) -> bool {
    call.op_token.is_some() && call.args.len() == 2
}

/// The operand of an operator that stands first; `a in b` is kept as a call on `b`.
fn first_of(call: &FnCallExpr) -> &Expr {
    &call.args[usize::from(call.name == "contains")]
}

/// Returns the position of a statement's start in its text.
fn beginning(statement: &Statement) -> TextPosition {
    match statement {
        Statement::Assignment(x) => start_of(&x.1.lhs),
        Statement::Expr(expr) => start_of(expr),
        Statement::FnCall(call, _) if is_operator(call) => start_of(first_of(call)),
        statement => here(statement.position()),
    }
}

fn spot(at: Position) -> Loc {
    Loc::new(here(at))
}

impl Lowering<'_, '_, '_> {
    // --- what cannot be said ---------------------------------------------------------------------

    /// Adds the problem of a form that rules do not have.
    fn refuse(&mut self, at: TextPosition, problem: Problem) -> Node {
        let source = &self.within.parsed.source;
        let problem = problem.at(source, source.span_at(at.0.max(1), at.1.max(1)));
        // A problem of the parser says more.
        let read = &self.within.parsed.problems;
        if !read.iter().any(|p| p.place == problem.place) && !self.store.problems.contains(&problem) {
            self.store.problems.push(problem);
        }
        Node::NOTHING
    }

    fn refuse_form(&mut self, at: TextPosition, form: &Refused) -> Node {
        self.refuse(
            at,
            crate::parse::problems::refused_form(form.what).hint(form.instead),
        )
    }

    fn refuse_other(&mut self, at: Position) -> Node {
        self.refuse(here(at), problems::unsupported_form())
    }

    // --- variables -------------------------------------------------------------------------------

    fn declare(&mut self, name: &str, constant: bool) -> u16 {
        if self.scope.len() >= MAX_LOCALS {
            let at = self.within.layer.map_or((1, 1), |l| self.names.layers.def(l).at);
            self.refuse(at, problems::too_many("variables", MAX_LOCALS));
            return 0;
        }
        self.scope.push(Variable {
            name: Arc::from(name),
            shared: self.looked.shares.contains(name),
            constant,
            kind: None,
        });
        self.most = self.most.max(self.scope.len());
        (self.scope.len() - 1) as u16
    }

    fn local(&self, name: &str) -> Option<(u16, &Variable)> {
        let index = self.scope.iter().rposition(|v| &*v.name == name)?;
        Some((index as u16, &self.scope[index]))
    }

    fn name(&mut self, name: &str, at: Position) -> Node {
        if let Some((local, variable)) = self.local(name) {
            return if variable.shared {
                Node::Shared(local)
            } else {
                Node::Local(local)
            };
        }
        match self.free(name) {
            Some(value) => Node::Const(value),
            None => match self.function_value(name, spot(at)) {
                Some(node) => node,
                None => self.unknown(name, here(at)),
            },
        }
    }

    /// Whether a place is that of a value behind its key.
    fn is_in_map(&self, spot: Loc) -> bool {
        let source = &self.within.parsed.source;
        let (line, column) = spot.at();
        let before = &source.text[..source.span_at(line, column).start];
        before.trim_end().ends_with(':')
    }

    /// Whether a name is that of a function.
    fn is_function(&self, name: &str) -> bool {
        let layers = self.names.layers;
        let of_scripts = [0, self.within.place.script];
        let mut of_scripts = of_scripts
            .into_iter()
            .flat_map(|script| layers.scripts[script].named(name));
        of_scripts.next().is_some() || BY_NAME.contains_key(name)
    }

    /// Returns the function of a script that a name stands for, as a closure that calls it.
    fn function_value(&mut self, name: &str, spot: Loc) -> Option<Node> {
        let layers = self.names.layers;
        let declares = |layer| DECLARED.contains(&layers.def(layer).name.as_str());
        if self.within.layer.is_some_and(declares) && self.is_in_map(spot) {
            // What is declared has the names of functions in quotes.
            return None;
        }
        let script = &layers.scripts[self.within.place.script];
        let all = script.named(name).chain(layers.scripts[0].named(name));
        let of: Vec<(usize, Layer)> = all.filter_map(|s| Some((s.params, *s.layers.last()?))).collect();
        let Some((count, layer)) = of.first().copied() else {
            return BY_NAME.contains_key(name).then(|| {
                let is_unknown = self.within.lazy;
                match is_unknown {
                    true => self.unknown(name, spot.at()),
                    false => self.refuse(spot.at(), problems::native_as_value(name)),
                }
            });
        };
        if of.iter().any(|(params, _)| *params != count) {
            let problem = problems::ambiguous_function(name).hint(format!("write `|it| {name}(it)`"));
            return Some(self.refuse(spot.at(), problem));
        }
        let params = layers.def(layer).params.clone();
        let args = (0..count as u16).map(Node::Local).collect();
        let node = self.named(name, args, spot);
        let index = self.store.named + self.store.closures.len();
        self.store.closures.push(Function {
            text: self.within.text,
            place: self.within.place,
            name: String::new(),
            params,
            at: spot.at(),
            within: Some(self.within.function),
            code: FunctionCode {
                params: count,
                locals: count,
                cost: 1,
                body: Some(node),
                ..FunctionCode::default()
            },
        });
        self.loops = true;
        Some(Node::Closure(Box::new(ClosureOf {
            function: index as u32,
            captures: [].into(),
        })))
    }

    /// Returns the value of a name that is no variable.
    fn free(&mut self, name: &str) -> Option<Value> {
        if NOTHING_WORDS.contains(&name) {
            return Some(Value::NOTHING);
        }
        let (names, script) = (self.names, self.within.place.script);
        match &dial_meant(names.layers, script, name, names.dials)?.value {
            DialValue::Number(n) => Some((*n).into()),
            DialValue::Word(word) => Some(self.store.words.intern(word).into()),
        }
    }

    fn unknown(&mut self, name: &str, at: TextPosition) -> Node {
        let node = Node::NoName(Box::new((Arc::from(name), Loc::new(at))));
        if self.within.lazy {
            self.store.unknown.push((Arc::from(name), at));
            return node;
        }
        let parsed = self.within.parsed;
        let function = parsed.around(at);
        let suggests = self.store.problems.len() < SUGGESTED;
        let key = (parsed.source.name.clone(), Arc::from(name));
        let reported = self.store.unknown_in.entry(key).or_default();
        // A name that a function says several times is told once.
        if !reported.contains(&function) && reported.len() < MAX_UNKNOWN_NAMES {
            reported.push(function);
            let dials = suggests.then_some(self.names.dials);
            self.store.problems.push(unknown_name(parsed, at, name, dials));
        }
        node
    }

    // --- statements ------------------------------------------------------------------------------

    fn block(&mut self, statements: &[Statement]) -> Node {
        let outer = self.scope.len();
        let mut all = Vec::new();
        for statement in statements {
            if matches!(statement, Statement::Noop(_) | Statement::Share(_)) {
                continue;
            }
            let scope = self.note_scope();
            let spot = Loc::new(beginning(statement));
            let node = self.statement(statement);
            self.size += 1;
            all.push(Stmt { node, spot, scope });
        }
        self.scope.truncate(outer);
        // What ends with a `;` says nothing.
        if let Some(Statement::Noop(_)) = statements.last() {
            all.push(Stmt {
                node: Node::NOTHING,
                spot: Loc::default(),
                scope: 0,
            });
        }
        Node::Block(all.into())
    }

    fn note_scope(&mut self) -> u32 {
        let mut visible: Vec<(Arc<str>, u16, bool)> = Vec::new();
        for (local, variable) in self.scope.iter().enumerate() {
            // A name that was declared again hides the earlier one.
            visible.retain(|(name, ..)| *name != variable.name);
            visible.push((variable.name.clone(), local as u16, variable.shared));
        }
        if self.scopes.last() != Some(&visible) {
            self.scopes.push(visible);
        }
        (self.scopes.len() - 1) as u32
    }

    fn body(&mut self, block: &StmtBlock) -> Node {
        self.block(block.statements())
    }

    fn statement(&mut self, statement: &Statement) -> Node {
        match statement {
            Statement::Noop(_) | Statement::Share(_) => Node::NOTHING,
            Statement::Expr(expr) => self.expr(expr),
            Statement::FnCall(call, at) => self.call(call, *at),
            Statement::Block(block) => self.body(block),
            Statement::If(parts, _) => {
                let guard = self.expr(&parts.expr);
                let then = self.body(&parts.body);
                let otherwise = match parts.branch.statements() {
                    [] => Node::NOTHING,
                    branch => self.block(branch),
                };
                match guard {
                    Node::Const(value) if value == Value::TRUE => then,
                    Node::Const(value) if value == Value::FALSE => otherwise,
                    guard => Node::If(Box::new(If {
                        guard,
                        then,
                        otherwise,
                        spot: spot(parts.expr.position()),
                    })),
                }
            }
            Statement::Switch(parts, at) => self.switch(&parts.0, &parts.1, *at),
            Statement::While(parts, at) => {
                let guard = match &parts.expr {
                    Expr::Unit(_) => None,
                    guard => Some(self.expr(guard)),
                };
                let place = match guard {
                    Some(_) => parts.expr.position(),
                    None => *at,
                };
                self.repeat(&parts.body, guard, false, true, spot(place))
            }
            Statement::Do(parts, flags, _) => {
                let guard = self.expr(&parts.expr);
                let goes_on = !flags.contains(ASTFlags::NEGATED);
                self.repeat(
                    &parts.body,
                    Some(guard),
                    true,
                    goes_on,
                    spot(parts.expr.position()),
                )
            }
            Statement::For(parts, _) => {
                let (item, counter, flow) = &**parts;
                let over = self.over(&flow.expr);
                let outer = self.scope.len();
                let counter = counter.as_ref().map(|c| (self.declare(&c.name, false), &c.name));
                let local = self.declare(&item.name, false);
                let before = self.size;
                self.loops = true;
                let body = self.body(&flow.body);
                self.scope.truncate(outer);
                Node::For(Box::new(For {
                    item: local,
                    shared: (
                        self.looked.shares.contains(item.name.as_str()),
                        counter.is_some_and(|(_, name)| self.looked.shares.contains(name.as_str())),
                    ),
                    counter: counter.map(|(local, _)| local),
                    over,
                    body,
                    cost: 1 + (self.size - before) / 8,
                    spot: spot(flow.expr.position()),
                }))
            }
            Statement::Var(parts, flags, at) => {
                if flags.contains(ASTFlags::EXPORTED) {
                    return self.refuse_form(here(*at), EXPORT);
                }
                let value = self.expr(&parts.1);
                let kind = self.kind(&value);
                let local = self.declare(&parts.0.name, flags.contains(ASTFlags::CONSTANT));
                if let (Some(variable), false) = (
                    self.scope.last_mut(),
                    self.looked.assigned.contains(parts.0.name.as_str()),
                ) {
                    variable.kind = kind;
                }
                let shared = self.looked.shares.contains(parts.0.name.as_str());
                Node::Let(Box::new(Let { local, shared, value }))
            }
            Statement::Assignment(parts) => {
                let (info, sides) = &**parts;
                let at = spot(info.position());
                let op = info.get_op_assignment_info().and_then(|(.., sign)| Op::of(sign));
                self.assignment(op, &sides.lhs, &sides.rhs, at)
            }
            Statement::BreakLoop(value, flags, _) => {
                if flags.contains(ASTFlags::BREAK) {
                    Node::Break(value.as_ref().map(|v| Box::new(self.expr(v))))
                } else {
                    Node::Continue
                }
            }
            Statement::Return(value, flags, at) => {
                let value = value.as_ref().map(|v| self.expr(v));
                if flags.contains(ASTFlags::BREAK) {
                    return Node::Throw(Box::new(Unary {
                        of: value.unwrap_or(Node::NOTHING),
                        spot: spot(*at),
                    }));
                }
                Node::Return(value.map(Box::new))
            }
            Statement::TryCatch(_, at) => self.refuse_form(here(*at), TRY),
            other => {
                let at = here(other.position());
                self.refuse_form(at, IMPORT)
            }
        }
    }

    fn repeat(
        &mut self,
        body: &StmtBlock,
        guard: Option<Node>,
        body_first: bool,
        goes_on: bool,
        spot: Loc,
    ) -> Node {
        let before = self.size;
        self.loops = true;
        let body = self.body(body);
        Node::While(Box::new(While {
            guard,
            body,
            body_first,
            goes_on,
            cost: 1 + (self.size - before) / 8,
            spot,
        }))
    }

    fn over(&mut self, expr: &Expr) -> LoopSource {
        if let Expr::FnCall(call, _) = expr
            && call.op_token.is_some()
            && let Some(op @ (Op::Range | Op::RangeTo)) = Op::of(&call.name)
            && call.args.len() == 2
        {
            let from = self.expr(&call.args[0]);
            let to = self.expr(&call.args[1]);
            return LoopSource::Range(from, to, op == Op::RangeTo);
        }
        LoopSource::Value(self.expr(expr))
    }

    fn switch(&mut self, on: &Expr, cases: &SwitchCasesCollection, at: Position) -> Node {
        let on = self.expr(on);
        let mut bodies = Vec::new();
        for case in &cases.expressions {
            let guard = match &case.lhs {
                Expr::BoolConstant(true, _) => None,
                condition => Some((self.expr(condition), Loc::new(start_of(condition)))),
            };
            let body = self.expr(&case.rhs);
            bodies.push(Case { guard, body });
        }
        let ranges = cases.ranges.iter().map(|range| match range {
            RangeCase::ExclusiveInt(r, case) => (r.start, r.end, false, *case),
            RangeCase::InclusiveInt(r, case) => (*r.start(), *r.end(), true, *case),
        });
        let ranges: Box<[_]> = ranges.collect();
        let known = self.cases(cases, here(at));
        let covered: HashSet<usize> = known
            .iter()
            .map(|(_, case)| *case)
            .chain(ranges.iter().map(|r| r.3))
            .chain(cases.def_case)
            .collect();
        if (0..bodies.len()).any(|case| !covered.contains(&case)) {
            return self.refuse_form(here(at), CASE);
        }
        Node::Switch(Box::new(Switch {
            on,
            cases: known.into(),
            ranges,
            bodies: bodies.into(),
            default: cases.def_case,
            spot: spot(at),
        }))
    }

    /// Returns the values that the cases of a `switch` compare with.
    fn cases(&mut self, cases: &SwitchCasesCollection, at: TextPosition) -> Vec<(Value, usize)> {
        let parsed = self.within.parsed;
        let known = {
            let mut known = parsed.cases.lock().unwrap_or_else(PoisonError::into_inner);
            let compared = || compared(&parsed.literals, cases);
            Arc::clone(known.entry(at).or_insert_with(compared))
        };
        let mut found = Vec::new();
        for (literal, case) in known.iter() {
            let entry = (self.literal(literal), *case);
            if !found.contains(&entry) {
                found.push(entry);
            }
        }
        // A letter and a text of one are the same here: the case that is written first counts.
        found.sort_by_key(|(_, case)| *case);
        found
    }

    fn literal(&mut self, literal: &Expr) -> Value {
        match literal {
            Expr::BoolConstant(it, _) => (*it).into(),
            Expr::IntegerConstant(n, _) => (*n).into(),
            Expr::StringConstant(text, _) => self.word(text),
            Expr::CharConstant(letter, _) => self.word(letter.encode_utf8(&mut [0; 4])),
            _ => Value::NOTHING,
        }
    }

    fn word(&mut self, text: &str) -> Value {
        intern(self.store.words, text).map_or(Value::NOTHING, Value::from)
    }

    // --- expressions -----------------------------------------------------------------------------

    fn exprs(&mut self, exprs: &[Expr]) -> Box<[Node]> {
        exprs.iter().map(|e| self.expr(e)).collect()
    }

    fn each(&mut self, exprs: &[Expr], at: Position) -> Box<Each> {
        let mut spots: Vec<Loc> = exprs.iter().map(|e| spot(e.position())).collect();
        if spots.is_empty() {
            spots.push(spot(at));
        }
        Box::new(Each {
            nodes: self.exprs(exprs),
            spots: spots.into(),
        })
    }

    fn expr(&mut self, expr: &Expr) -> Node {
        self.size += 1;
        match expr {
            Expr::BoolConstant(it, _) => Node::Const((*it).into()),
            Expr::IntegerConstant(n, _) => Node::Const((*n).into()),
            Expr::StringConstant(text, at) => match intern(self.store.words, text) {
                Some(word) => Node::Const(word.into()),
                None if text.len() > MAX_STRING => self.refuse(here(*at), problems::too_long("text")),
                None => self.refuse(here(*at), problems::too_many_texts(MAX_WORDS)),
            },
            Expr::CharConstant(letter, _) => Node::Const(self.word(&letter.to_string())),
            Expr::FloatConstant(number, at) => match thousandths(**number) {
                Some(length) => Node::Const(Value::of_length(length)),
                None if number.abs() >= 1e12 => self.refuse(here(*at), problems::too_long("length")),
                None => self.refuse_form(here(*at), FRACTION),
            },
            Expr::Unit(_) => Node::NOTHING,
            Expr::DynamicConstant(value, at) => match closure_name(expr) {
                Some(name) => self.closure(&name, &[], *at),
                None => self.dynamic(value, *at),
            },
            Expr::Variable(it, _, at) if it.2.is_empty() => self.name(&it.1, *at),
            Expr::Variable(_, _, at) => self.refuse_form(here(*at), IMPORT),
            Expr::ThisPtr(at) => self.refuse_form(here(*at), THIS),
            Expr::InterpolatedString(parts, at) => Node::Text(self.each(parts, *at)),
            Expr::Array(items, at) => {
                let each = self.each(items, *at);
                self.list(each)
            }
            Expr::Map(map, at) => self.map(&map.0, *at),
            Expr::And(parts, at) => Node::All(self.each(parts, *at)),
            Expr::Or(parts, at) => Node::Any(self.each(parts, *at)),
            Expr::Coalesce(parts, at) => Node::Coalesce(self.each(parts, *at)),
            Expr::Stmt(block) => match block.statements() {
                [Statement::Share(_), Statement::Expr(expr)] => match &**expr {
                    Expr::FnCall(call, at) if call.name == "curry" => self.curried(call, *at),
                    other => self.expr(other),
                },
                _ => self.body(block),
            },
            Expr::FnCall(call, at) => self.call(call, *at),
            Expr::Dot(..) | Expr::Index(..) => self.chain(expr),
            other => self.refuse_other(other.position()),
        }
    }

    /// A list; one of values that are known at load is made once.
    fn list(&mut self, each: Box<Each>) -> Node {
        let known: Option<Vec<Value>> = each.nodes.iter().map(Node::literal).collect();
        match known.and_then(|known| self.store.heap.constant(&known)) {
            Some(list) => Node::Const(Value::list(list)),
            None => Node::List(each),
        }
    }

    /// A value that Rhai has worked out while reading.
    fn dynamic(&mut self, value: &Dynamic, at: Position) -> Node {
        if let Ok(n) = value.as_int() {
            return Node::Const(n.into());
        }
        if let Some(list) = value.read_lock::<rhai::Array>() {
            let nodes: Box<[Node]> = list.iter().map(|v| self.dynamic(v, at)).collect();
            let spots = vec![spot(at); nodes.len().max(1)].into();
            return self.list(Box::new(Each { nodes, spots }));
        }
        if let Some(map) = value.read_lock::<rhai::Map>() {
            let entries = map.iter().map(|(k, v)| (self.word(k), self.dynamic(v, at)));
            let entries: Box<[(Value, Node)]> = entries.collect();
            return Node::Map(Box::new(MapOf {
                order: (0..entries.len() as u32).collect(),
                entries,
                spot: spot(at),
            }));
        }
        if let Some(text) = value.read_lock::<rhai::ImmutableString>() {
            return Node::Const(self.word(&text));
        }
        match value.as_bool() {
            Ok(it) => Node::Const(it.into()),
            Err(_) if value.is_unit() => Node::NOTHING,
            Err(_) => self.refuse_other(at),
        }
    }

    fn map(&mut self, entries: &[(rhai::Ident, Expr)], at: Position) -> Node {
        let all = entries
            .iter()
            .map(|(key, value)| (key.name.to_string(), self.expr(value)));
        let all: Vec<(String, Node)> = all.collect();
        let mut order: Vec<u32> = (0..all.len() as u32).collect();
        order.sort_by(|a, b| all[*a as usize].0.cmp(&all[*b as usize].0));
        let entries: Vec<(Value, Node)> = all
            .into_iter()
            .map(|(key, node)| (self.word(&key), node))
            .collect();
        Node::Map(Box::new(MapOf {
            entries: entries.into(),
            order: order.into(),
            spot: spot(at),
        }))
    }

    fn closure(&mut self, name: &str, captured: &[(Arc<str>, TextPosition)], at: Position) -> Node {
        let Some(body) = self.within.parsed.closures.get(name).cloned() else {
            return self.refuse(here(at), problems::named_function());
        };
        let mut params = Vec::new();
        let mut captures = Vec::new();
        for (name, at) in captured {
            match self.local(name) {
                Some((local, variable)) => {
                    params.push(Param {
                        name: name.clone(),
                        is_cell: variable.shared,
                        constant: variable.constant,
                    });
                    captures.push(local);
                }
                // Dials and functions are found again in the closure itself.
                None => {
                    if self.free(name).is_none() && !self.is_function(name) {
                        self.unknown(name, *at);
                    }
                }
            }
        }
        let own = body.params.iter().skip(captured.len());
        params.extend(own.map(|name| Param::own(name)));
        let index = self.store.named + self.store.closures.len();
        let within = TextContext {
            function: index,
            ..self.within
        };
        self.store.closures.push(Function {
            text: within.text,
            place: within.place,
            name: String::new(),
            params: params.iter().map(|param| param.name.to_string()).collect(),
            at: body.at,
            within: Some(self.within.function),
            code: FunctionCode::default(),
        });
        self.loops = true;
        let looked = Arc::clone(&self.looked);
        let code = code(self.names, self.store, within, params, looked, &body.statements);
        let here = index - self.store.named;
        self.store.closures[here].code = code;
        Node::Closure(Box::new(ClosureOf {
            function: index as u32,
            captures: captures.into(),
        }))
    }

    /// A closure with what it takes along.
    fn curried(&mut self, call: &FnCallExpr, at: Position) -> Node {
        let Some((pointer, captured)) = call.args.split_first() else {
            return Node::NOTHING;
        };
        let Some(name) = closure_name(pointer) else {
            return self.refuse_other(at);
        };
        let captured: Vec<(Arc<str>, TextPosition)> = captured
            .iter()
            .filter_map(|e| Some((Arc::from(variable(e)?), here(e.position()))))
            .collect();
        self.closure(&name, &captured, at)
    }

    fn call(&mut self, call: &FnCallExpr, at: Position) -> Node {
        let name = call.name.as_str();
        if call.is_qualified() || call.capture_parent_scope {
            return self.refuse_form(here(at), IMPORT);
        }
        if call.args.len() > MAX_ARGS {
            return self.refuse(here(at), problems::too_many("arguments", MAX_ARGS));
        }
        let args = self.exprs(&call.args);
        let place = spot(at);
        if call.op_token.is_some() && name != "contains" {
            return self.operator(name, args, place);
        }
        if matches!(
            name,
            "Fn" | "curry" | "is_def_var" | "is_def_fn" | "is_shared" | "eval"
        ) {
            return self.refuse(here(at), problems::unsupported_name(name));
        }
        self.named(name, args, place)
    }

    fn operator(&mut self, sign: &str, args: Box<[Node]>, spot: Loc) -> Node {
        let mut args = args.into_iter();
        match (args.next(), args.next()) {
            (Some(of), None) => match sign {
                "!" => match of {
                    Node::Const(value) if value.as_bool().is_some() => {
                        Node::Const((value == Value::FALSE).into())
                    }
                    of => Node::Not(Box::new(Unary { of, spot })),
                },
                "+" => Node::Plus(Box::new(Unary { of, spot })),
                _ => match of.literal().and_then(Value::as_int).and_then(i64::checked_neg) {
                    Some(n) => Node::Const(n.into()),
                    None => Node::Negate(Box::new(Unary { of, spot })),
                },
            },
            (Some(left), Some(right)) => {
                let Some(op) = Op::of(sign) else {
                    return self.refuse(spot.at(), problems::unsupported_form());
                };
                binary(op, left, right, spot)
            }
            _ => Node::NOTHING,
        }
    }

    /// Returns the kind of what a node says, unless that is nothing; `None` where it may be of several.
    fn kind(&self, node: &Node) -> Option<Kind> {
        match node {
            Node::Const(value) if value.is_nothing() => None,
            Node::Const(value) => Some(value.kind()),
            Node::Text(_) => Some(Kind::Word),
            Node::List(_) => Some(Kind::List),
            Node::Map(_) => Some(Kind::Map),
            Node::Closure(_) => Some(Kind::Function),
            Node::Not(_) | Node::All(_) | Node::Any(_) => Some(Kind::Bool),
            Node::Local(local) => self.scope.get(usize::from(*local))?.kind,
            Node::Native(call) => only_kind(call.choice.all.iter().map(|n| NATIVES[usize::from(*n)].doc)),
            _ => None,
        }
    }

    /// Returns the refusal of a call of natives, none of which takes what is given, as far as its kinds are known.
    fn misused<'a>(
        &mut self,
        choice: &[u16],
        args: impl Iterator<Item = &'a Node>,
        spot: Loc,
    ) -> Option<Node> {
        let given: Vec<Option<Kind>> = args.map(|arg| self.kind(arg)).collect();
        let takes = |n: &u16| NATIVES[usize::from(*n)].params;
        let fits = |n: &u16| {
            let mut params = takes(n).iter().zip(&given);
            params.all(|((_, kind), given)| given.is_none_or(|given| may_be(*kind, given)))
        };
        let name = NATIVES[usize::from(*choice.first()?)].name;
        // What changes a list or map says more of itself where it is called.
        let is_mutator = library::MUTATORS.iter().any(|m| m.name == name);
        if self.within.lazy || is_mutator || choice.iter().any(fits) {
            return None;
        }
        let list = |kinds: &mut dyn Iterator<Item = Kind>| {
            let words: Vec<&str> = kinds.map(Kind::word).collect();
            format!("({})", words.join(", "))
        };
        let ways = choice
            .iter()
            .map(|n| list(&mut takes(n).iter().map(|(_, kind)| *kind)));
        let ways = ways.collect::<Vec<_>>().join(" or ");
        let given = list(&mut given.iter().map(|kind| kind.unwrap_or(Kind::Any)));
        let problem = problems::wrong_kind(name, ways, given);
        let hint = format!("it is {}", signatures(name).join(" or "));
        Some(self.refuse(spot.at(), problem.hint(hint)))
    }

    /// The hook of that name that takes so many arguments, where a script of a unit or terrain redefines it.
    fn hook(&self, name: &str, args: usize) -> Option<HookId> {
        let mut of_name = self.names.hooks.get(name)?.iter();
        of_name.find(|(_, params)| *params == args).map(|(hook, _)| *hook)
    }

    /// A call by name.
    fn named(&mut self, name: &str, args: Box<[Node]>, spot: Loc) -> Node {
        let layers = self.names.layers;
        let place = self.within.place;
        let index = if name == "base" {
            let below = self.within.layer.and_then(|around| layers.below(place, around));
            below.and_then(|(_, below)| self.names.functions.get(&below).copied())
        } else if let Some(hook) = self.hook(name, args.len())
            // A number or text is no thing whose script it could go to.
            && !matches!(args.first(), Some(Node::Const(value)) if value.as_int().is_some() || value.as_word().is_some())
        {
            return Node::Hook(Box::new(HookCall { hook, args, spot }));
        } else {
            let top = layers.called(place.script, name, args.len());
            top.and_then(|(_, top)| self.names.functions.get(&top).copied())
        };
        if let Some(function) = index {
            self.store.called.push(function);
            return Node::Call(Box::new(CallNode {
                function: function as u32,
                args,
                spot,
            }));
        }
        #[cfg(any(test, feature = "trials"))]
        if name == "test_drift" {
            return Node::Drift;
        }
        let choice = natives(name, args.len());
        if !choice.is_empty() {
            if let Some(node) = self.misused(&choice, args.iter(), spot) {
                return node;
            }
            return native(choice, args, false, spot);
        }
        if self.local(name).is_some() {
            return self.refuse(spot.at(), problems::called_variable(name));
        }
        if let Some(behind) = args.len().checked_sub(1)
            && !library::mutators(name, behind).is_empty()
        {
            return self.refuse(spot.at(), problems::lost_change(name));
        }
        Node::NoFunction(Box::new(NoFunction {
            name: Arc::from(name),
            args,
            spot,
        }))
    }
}

/// The one kind that descriptions of natives give, if it is one of things, sets, texts or truth.
fn only_kind<'d>(docs: impl Iterator<Item = &'d str>) -> Option<Kind> {
    const KNOWN: [Kind; 8] = [
        Kind::Bool,
        Kind::Word,
        Kind::Unit,
        Kind::Place,
        Kind::Faction,
        Kind::Units,
        Kind::Places,
        Kind::Dice,
    ];
    let mut kinds = docs.map(|doc| {
        let gives = doc
            .lines()
            .find_map(|line| line.trim().strip_prefix("- gives: "))?;
        let gives = gives.split([',', ';', ':']).next()?;
        let gives = gives.split(" of ").next()?;
        KNOWN.into_iter().find(|kind| kind.word() == gives)
    });
    let first = kinds.next()??;
    kinds.all(|kind| kind == Some(first)).then_some(first)
}

/// Whether a parameter of a kind may take a value of another.
fn may_be(wanted: Kind, given: Kind) -> bool {
    let numbers = [Kind::Int, Kind::Length];
    let spots = [Kind::Spot, Kind::Place, Kind::Unit];
    wanted == given
        || wanted == Kind::Any
        || [numbers.as_slice(), &spots]
            .iter()
            .any(|alike| alike.contains(&wanted) && alike.contains(&given))
}

/// A call of one of these native functions; `late` says whether the first of two arguments is taken last, which one
/// that is a variable is anyway.
fn native(choice: Box<[u16]>, args: Box<[Node]>, late: bool, spot: Loc) -> Node {
    Node::Native(Box::new(NativeCall {
        choice: choice.into(),
        late: late || args.first().is_some_and(Node::is_variable),
        args,
        spot,
    }))
}

/// An operator between two nodes, worked out at once where that is safe.
fn binary(op: Op, left: Node, right: Node, spot: Loc) -> Node {
    if let (Node::Const(a), Node::Const(b)) = (&left, &right)
        && let Some(value) = operate::at_once(op, *a, *b)
    {
        return Node::Const(value);
    }
    match right {
        Node::Const(right) if !right.is(Kind::List) => Node::Compare(Box::new(Compare {
            op,
            left,
            right,
            spot,
        })),
        right => Node::Binary(Box::new(Binary {
            op,
            left,
            right,
            spot,
        })),
    }
}

/// The problem of a name that is neither a variable nor one of these dials; without dials it comes without a hint.
pub fn unknown_name(parsed: &Parsed, at: TextPosition, name: &str, dials: Option<&[Dial]>) -> Problem {
    let source = &parsed.source;
    let problem = declared::unknown_name("variable or dial", name).at(source, source.span_at(at.0, at.1));
    let Some(dials) = dials else {
        return problem;
    };
    let dial_names: Vec<String> = dials.iter().map(|d| d.name.replace('.', "_")).collect();
    let own = parsed.around(at).map(|function| &parsed.fns[function]);
    let locals = own.iter().flat_map(|f| f.params.iter().map(String::as_str));
    let words = NOTHING_WORDS.into_iter().chain(locals);
    if let Some(near) = did_you_mean(name, words.chain(parsed.let_names(at))) {
        return problem.hint(format!("did you mean `{near}`?"));
    }
    let quoted = format!("\"{name}\"");
    let before = source.text[..source.span_at(at.0, at.1).start].trim_end();
    let is_named = match before.chars().next_back() {
        Some(':') => source.text.contains(&quoted) || parsed.fns.iter().any(|f| f.name == name),
        Some('(' | ',') => source.text.contains(&quoted) && !parsed.map_keys.iter().any(|key| key == name),
        _ => false,
    };
    if is_named {
        return problem.hint(format!("a name stands in quotes: `{quoted}`"));
    }
    if let Some(near) = did_you_mean(name, dial_names.iter().map(String::as_str)) {
        return problem.hint(format!("did you mean the dial `{near}`?"));
    }
    problem.hint(crate::syntax::undefined(name))
}

/// The literals of a text that a `switch` compares with, each with its case. Rhai keeps only hashes of them, so each
/// literal is put to it once.
fn compared(literals: &[Expr], cases: &SwitchCasesCollection) -> Cases {
    let engine = Engine::new_raw();
    let mut found = Vec::new();
    let literals = literals.iter().cloned().chain([
        Expr::BoolConstant(true, Position::NONE),
        Expr::BoolConstant(false, Position::NONE),
        Expr::Unit(Position::NONE),
    ]);
    let mut plain = cases.clone();
    plain.def_case = None;
    plain.ranges.clear();
    for (index, case) in plain.expressions.iter_mut().enumerate() {
        case.rhs = Expr::IntegerConstant(index as i64, Position::NONE);
    }
    for literal in literals {
        let mut trial = plain.clone();
        for case in &mut trial.expressions {
            case.lhs = Expr::BoolConstant(true, Position::NONE);
        }
        loop {
            let ask = Statement::Switch(Box::new((literal.clone(), trial.clone())), Position::NONE);
            #[allow(deprecated)] // the only way to run a statement that no text was parsed for
            let result = engine.eval_statements_raw(
                &mut engine.new_global_runtime_state(),
                &mut Caches::new(),
                &mut Scope::new(),
                &[ask],
            );
            let Some(case) = result.ok().and_then(|result| result.as_int().ok()) else {
                break;
            };
            let case = case as usize;
            found.push((literal.clone(), case));
            // The same value may stand in several cases that have conditions.
            trial.expressions[case].lhs = Expr::BoolConstant(false, Position::NONE);
        }
    }
    found.into()
}

#[cfg(test)]
mod tests {
    use super::thousandths;

    #[test]
    fn a_written_length_has_three_decimals_at_most() {
        for (number, length) in [
            (0.0, 0),
            (0.001, 1),
            (-7.31, -7_310),
            (0.3, 300),
            (1e3, 1_000_000),
            (123_456.789, 123_456_789),
        ] {
            assert_eq!(thousandths(number), Some(length));
        }
        for number in [1e-10, -1e-10, 0.000_000_000_1, 0.0005, 7.300_000_000_1, 1e12] {
            assert_eq!(thousandths(number), None, "{number}");
        }
    }
}
