//! Lowering: function bodies as small trees of Rust nodes in place of Rhai's walk over its AST.
//!
//! Only what means the same in both is lowered; a function with anything else in it stays with the
//! interpreter as a whole, and the two call each other. Where lowered code meets a value or a
//! failure that it does not handle exactly as Rhai does, it gives up ([`Fault::Bail`]) and the step
//! is run again from its checkpoint by the interpreter alone. So errors, with their positions,
//! words and call chains, only ever come from one place.

use super::api::{Api, Fault, Members, die};
use super::engine::MAX_CALL_LEVELS;
use super::interpret::Function;
use super::natives::{self, NATIVES, Native, Op};
use super::value::{self, Lists, Value};
use crate::kernel::rules::{HookId, Words};
use rhai::{
    ASTFlags, Caches, Dynamic, Engine, Expr, FnCallExpr, Position, Scope, Stmt, StmtBlock,
    SwitchCasesCollection,
};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// The most local variables of a lowered function, parameters included.
const MAX_LOCALS: usize = 32;
/// Functions with no more local variables than this get a smaller frame.
const FEW_LOCALS: usize = 8;
/// The most arguments of a lowered call.
const MAX_ARGS: usize = 6;
/// How many subjects of one `switch` are remembered.
const MAX_SUBJECTS: usize = 64;

/// The lowered functions of a ruleset.
#[derive(Default)]
pub struct Program {
    functions: Vec<Option<Code>>,
}

impl Program {
    /// A function's lowered body, if it has one that has not proved useless.
    #[inline]
    pub fn function(&self, index: usize) -> Option<&Code> {
        self.functions.get(index)?.as_ref().filter(|c| !c.retired.get())
    }

    /// Whether a function has been lowered.
    pub fn is_lowered(&self, index: usize) -> bool {
        self.function(index).is_some()
    }

    /// Leaves to the interpreter from now on every function that gave up in vain.
    pub fn retire_bailed(&self) {
        for code in self.functions.iter().flatten().filter(|c| c.bailed.get()) {
            code.retired.set(true);
        }
    }

    /// Forgets which functions gave up.
    pub fn forget_bailed(&self) {
        for code in self.functions.iter().flatten() {
            code.bailed.set(false);
        }
    }
}

/// A lowered function.
pub struct Code {
    params: usize,
    locals: usize,
    body: Node,
    bailed: Cell<bool>,
    retired: Cell<bool>,
}

/// Why evaluation leaves a node.
enum Exit {
    /// `return`: the value is in the frame.
    Return,
    /// `break`: the value is in the frame.
    Break,
    /// `continue`.
    Continue,
    /// The table has halted.
    Halted,
    /// Left to the interpreter.
    Bail,
}

type Run = Result<Value, Exit>;

/// What a running function has.
struct Frame<'a> {
    api: &'a Api,
    locals: &'a mut [Value],
    /// The value that `return` or `break` carries.
    carried: Value,
}

enum Node {
    Const(Value),
    Local(u8),
    Block(Box<[Node]>),
    If(Box<[Node; 3]>),
    Switch(Box<Switch>),
    While(Box<[Node; 2]>),
    For(Box<For>),
    Let(u8, Box<Node>),
    Assign(u8, Option<Op>, Box<Node>),
    Set(Box<Set>),
    Push(u8, Box<Node>),
    Native(Rc<[&'static Native]>, Box<[Node]>),
    Math(Math, Box<[Node]>),
    Call(usize, Box<[Node]>),
    Hook(HookId, Box<[Node]>),
    Get(usize, Box<Node>),
    Chain(Box<Chain>),
    Binary(Op, Box<[Node; 2]>),
    Not(Box<Node>),
    Negate(Box<Node>),
    All(Box<[Node]>),
    Any(Box<[Node]>),
    Coalesce(Box<[Node]>),
    List(Box<[Node]>),
    Return(Option<Box<Node>>),
    Break(Option<Box<Node>>),
    Continue,
}

/// Rhai's own functions on numbers that rules use.
#[derive(Clone, Copy)]
enum Math {
    Max,
    Min,
    Abs,
}

struct For {
    item: u8,
    counter: Option<u8>,
    over: Node,
    body: Node,
}

struct Set {
    local: u8,
    member: usize,
    op: Option<Op>,
    value: Node,
}

/// `a.b(x).c[y]`: every argument is evaluated before the base, as Rhai does.
struct Chain {
    base: Node,
    args: Box<[Node]>,
    links: Box<[Link]>,
}

enum Link {
    Get(usize),
    Native(Rc<[&'static Native]>, usize),
    Index,
}

struct Switch {
    on: Node,
    cases: Box<[Node]>,
    default: Option<usize>,
    /// The same cases, each saying its own index. Rhai keeps only hashes of what cases compare with,
    /// so the first time a value comes up, Rhai is asked.
    oracle: SwitchCasesCollection,
    known: RefCell<Vec<(Value, Option<usize>)>>,
}

impl Code {
    /// Runs the function.
    pub fn call(&self, api: &Api, args: &[Value]) -> Result<Value, Fault> {
        match self.run(api, args) {
            Ok(value) => Ok(value),
            Err(Exit::Halted) => Err(Fault::Halted),
            Err(_) => Err(Fault::Bail),
        }
    }

    #[inline]
    fn run(&self, api: &Api, args: &[Value]) -> Run {
        let depth = api.depth().get();
        if depth >= MAX_CALL_LEVELS || args.len() != self.params || !api.tick() {
            return Err(self.give_up());
        }
        api.depth().set(depth + 1);
        let run = if self.locals <= FEW_LOCALS {
            self.run_in(api, args, &mut [Value::Nothing; FEW_LOCALS])
        } else {
            self.run_in(api, args, &mut [Value::Nothing; MAX_LOCALS])
        };
        api.depth().set(depth);
        run
    }

    fn run_in(&self, api: &Api, args: &[Value], locals: &mut [Value]) -> Run {
        locals[..args.len()].copy_from_slice(args);
        let mut frame = Frame {
            api,
            locals,
            carried: Value::Nothing,
        };
        match self.body.eval(&mut frame) {
            Err(Exit::Return) => Ok(frame.carried),
            Err(Exit::Halted) => Err(Exit::Halted),
            Err(_) => Err(self.give_up()),
            value => value,
        }
    }

    #[cold]
    fn give_up(&self) -> Exit {
        self.bailed.set(true);
        Exit::Bail
    }
}

impl Frame<'_> {
    #[inline]
    fn take(&self, answer: Result<Value, Fault>) -> Run {
        answer.map_err(|fault| self.exit(&fault))
    }

    #[cold]
    fn exit(&self, fault: &Fault) -> Exit {
        match fault {
            Fault::Halted => Exit::Halted,
            _ if self.api.look(|t| t.halt().is_some()) => Exit::Halted,
            _ => Exit::Bail,
        }
    }
}

impl Node {
    /// The node's value. Half of all nodes are literals and variables, which need no call.
    #[inline(always)]
    fn eval(&self, f: &mut Frame<'_>) -> Run {
        match self {
            Node::Const(value) => Ok(*value),
            Node::Local(index) => Ok(f.locals[*index as usize]),
            _ => self.walk(f),
        }
    }

    /// The same for what is made of other nodes. Whatever needs room is a function of its own, so
    /// that nested nodes take little of the stack.
    #[inline(never)]
    fn walk(&self, f: &mut Frame<'_>) -> Run {
        match self {
            Node::Const(value) => Ok(*value),
            Node::Local(index) => Ok(f.locals[*index as usize]),
            Node::Block(nodes) => {
                let mut value = Value::Nothing;
                for node in nodes {
                    value = node.eval(f)?;
                }
                Ok(value)
            }
            Node::If(parts) => {
                let [guard, then, otherwise] = &**parts;
                if guard.test(f)? {
                    then.eval(f)
                } else {
                    otherwise.eval(f)
                }
            }
            Node::Switch(switch) => switch.eval(f),
            Node::While(parts) => while_loop(parts, f),
            Node::For(parts) => parts.eval(f),
            Node::Let(index, value) => {
                f.locals[*index as usize] = value.eval(f)?;
                Ok(Value::Nothing)
            }
            Node::Assign(index, op, value) => assign(*index, *op, value, f),
            Node::Set(set) => set.eval(f),
            Node::Push(index, item) => push(*index, item, f),
            Node::Native(choice, args) => native(choice, args, f),
            Node::Math(function, args) => math(*function, args, f),
            Node::Call(function, args) => call(*function, args, f),
            Node::Hook(hook, args) => call_hook(*hook, args, f),
            Node::Get(member, of) => {
                let of = of.eval(f)?;
                get(*member, of, f)
            }
            Node::Chain(chain) => chain.eval(f),
            Node::Binary(op, sides) => {
                let left = sides[0].eval(f)?;
                let right = sides[1].eval(f)?;
                binary(*op, left, right, f)
            }
            Node::Not(node) => Ok(Value::Bool(!node.test(f)?)),
            Node::Negate(node) => match node.eval(f)? {
                Value::Int(n) => n.checked_neg().map(Value::Int).ok_or(Exit::Bail),
                _ => Err(Exit::Bail),
            },
            Node::All(nodes) => any(nodes, f, false),
            Node::Any(nodes) => any(nodes, f, true),
            Node::Coalesce(nodes) => coalesce(nodes, f),
            Node::List(nodes) => list(nodes, f),
            Node::Return(value) => {
                f.carried = carry(value.as_deref(), f)?;
                Err(Exit::Return)
            }
            Node::Break(value) => {
                f.carried = carry(value.as_deref(), f)?;
                Err(Exit::Break)
            }
            Node::Continue => Err(Exit::Continue),
        }
    }

    #[inline]
    fn test(&self, f: &mut Frame<'_>) -> Result<bool, Exit> {
        match self.eval(f)? {
            Value::Bool(b) => Ok(b),
            _ => Err(Exit::Bail),
        }
    }
}

fn carry(value: Option<&Node>, f: &mut Frame<'_>) -> Run {
    value.map_or(Ok(Value::Nothing), |node| node.eval(f))
}

/// Evaluates arguments into `values`. Rhai takes a variable in first place last.
#[inline]
fn arguments<'v>(
    nodes: &[Node],
    f: &mut Frame<'_>,
    values: &'v mut [Value; MAX_ARGS],
) -> Result<&'v [Value], Exit> {
    let late = matches!(nodes.first(), Some(Node::Local(_)));
    for (value, node) in values.iter_mut().zip(nodes).skip(usize::from(late)) {
        *value = node.eval(f)?;
    }
    if late {
        values[0] = nodes[0].eval(f)?;
    }
    Ok(&values[..nodes.len()])
}

#[inline(never)]
fn native(choice: &[&'static Native], args: &[Node], f: &mut Frame<'_>) -> Run {
    let mut room = [Value::Nothing; MAX_ARGS];
    let values = arguments(args, f, &mut room)?;
    let answer = f.api.native(choice, values);
    f.take(answer)
}

#[inline(never)]
fn call(function: usize, args: &[Node], f: &mut Frame<'_>) -> Run {
    let mut room = [Value::Nothing; MAX_ARGS];
    let values = arguments(args, f, &mut room)?;
    match f.api.loaded().program.function(function) {
        Some(code) => code.run(f.api, values),
        None => {
            let answer = f.api.call(function, values);
            f.take(answer)
        }
    }
}

#[inline(never)]
fn call_hook(hook: HookId, args: &[Node], f: &mut Frame<'_>) -> Run {
    let mut room = [Value::Nothing; MAX_ARGS];
    let values = arguments(args, f, &mut room)?;
    let answer = f.api.hook(hook, values);
    f.take(answer)
}

#[inline]
fn get(member: usize, of: Value, f: &mut Frame<'_>) -> Run {
    match f.api.loaded().members.member(member).get[of.kind() as usize] {
        Some(getter) => {
            let answer = f.api.get(getter, of);
            f.take(answer)
        }
        None => Err(Exit::Bail),
    }
}

#[inline(never)]
fn math(function: Math, args: &[Node], f: &mut Frame<'_>) -> Run {
    let mut values = [Value::Nothing; MAX_ARGS];
    arguments(args, f, &mut values)?;
    match (function, values[0], values[1]) {
        (Math::Max, Value::Int(a), Value::Int(b)) => Ok(Value::Int(a.max(b))),
        (Math::Min, Value::Int(a), Value::Int(b)) => Ok(Value::Int(a.min(b))),
        (Math::Abs, Value::Int(a), _) => a.checked_abs().map(Value::Int).ok_or(Exit::Bail),
        _ => Err(Exit::Bail),
    }
}

#[inline(never)]
fn any(nodes: &[Node], f: &mut Frame<'_>, wanted: bool) -> Run {
    for node in nodes {
        if node.test(f)? == wanted {
            return Ok(Value::Bool(wanted));
        }
    }
    Ok(Value::Bool(!wanted))
}

#[inline(never)]
fn coalesce(nodes: &[Node], f: &mut Frame<'_>) -> Run {
    let mut value = Value::Nothing;
    for node in nodes {
        value = node.eval(f)?;
        if value != Value::Nothing {
            break;
        }
    }
    Ok(value)
}

#[inline(never)]
fn list(nodes: &[Node], f: &mut Frame<'_>) -> Run {
    let mut values = [Value::Nothing; MAX_ARGS];
    for (value, node) in values.iter_mut().zip(nodes) {
        *value = node.eval(f)?;
    }
    let made = f
        .api
        .lists()
        .borrow_mut()
        .add(values[..nodes.len()].iter().copied());
    made.map(Value::List).ok_or(Exit::Bail)
}

#[inline(never)]
fn push(local: u8, item: &Node, f: &mut Frame<'_>) -> Run {
    let item = item.eval(f)?;
    let Value::List(list) = f.locals[local as usize] else {
        return Err(Exit::Bail);
    };
    let longer = f.api.lists().borrow_mut().push(list, item);
    f.locals[local as usize] = Value::List(longer.ok_or(Exit::Bail)?);
    Ok(Value::Nothing)
}

fn assign(local: u8, op: Option<Op>, value: &Node, f: &mut Frame<'_>) -> Run {
    let value = value.eval(f)?;
    let value = match op {
        Some(op) => binary(op, f.locals[local as usize], value, f)?,
        None => value,
    };
    f.locals[local as usize] = value;
    Ok(Value::Nothing)
}

#[inline(never)]
fn while_loop(parts: &[Node; 2], f: &mut Frame<'_>) -> Run {
    let [guard, body] = parts;
    loop {
        if !f.api.tick() {
            return Err(Exit::Bail);
        }
        if !guard.test(f)? {
            return Ok(Value::Nothing);
        }
        match body.eval(f) {
            Ok(_) | Err(Exit::Continue) => {}
            Err(Exit::Break) => return Ok(f.carried),
            exit => return exit,
        }
    }
}

impl For {
    #[inline(never)]
    fn eval(&self, f: &mut Frame<'_>) -> Run {
        match self.over.eval(f)? {
            Value::Units(set) => self.each(set.map(Value::Unit), f),
            Value::Places(set) => self.each(set.map(Value::Place), f),
            Value::Dice(pool) => self.each(pool.values().map(Value::Int), f),
            Value::Range(from, to) => self.each((from..to).map(Value::Int), f),
            Value::RangeTo(from, to) => self.each((from..=to).map(Value::Int), f),
            Value::List(list) => {
                let api = f.api;
                let item = |i: usize| {
                    api.lists()
                        .borrow()
                        .items(list)
                        .get(i)
                        .copied()
                        .unwrap_or_default()
                };
                self.each((0..list.len()).map(item), f)
            }
            _ => Err(Exit::Bail),
        }
    }

    #[inline]
    fn each(&self, items: impl Iterator<Item = Value>, f: &mut Frame<'_>) -> Run {
        for (nth, item) in items.enumerate() {
            if !f.api.tick() {
                return Err(Exit::Bail);
            }
            if let Some(counter) = self.counter {
                f.locals[counter as usize] = Value::Int(nth as i64);
            }
            f.locals[self.item as usize] = item;
            match self.body.eval(f) {
                Ok(_) | Err(Exit::Continue) => {}
                Err(Exit::Break) => return Ok(f.carried),
                exit => return exit,
            }
        }
        Ok(Value::Nothing)
    }
}

impl Set {
    #[inline(never)]
    fn eval(&self, f: &mut Frame<'_>) -> Run {
        let mut value = self.value.eval(f)?;
        let of = f.locals[self.local as usize];
        if let Some(op) = self.op {
            let old = get(self.member, of, f)?;
            value = binary(op, old, value, f)?;
        }
        match f.api.loaded().members.member(self.member).set[of.kind() as usize] {
            Some(slot) => {
                let answer = f.api.set(of, slot, value);
                f.take(answer)
            }
            None => Err(Exit::Bail),
        }
    }
}

impl Chain {
    #[inline(never)]
    fn eval(&self, f: &mut Frame<'_>) -> Run {
        let mut values = [Value::Nothing; MAX_ARGS];
        // Room is left in front of each link's arguments for the value that it is called on.
        let mut at = 0;
        let mut nodes = self.args.iter();
        for link in &self.links {
            let count = link.args();
            for node in nodes.by_ref().take(count) {
                at += 1;
                values[at] = node.eval(f)?;
            }
        }
        let mut value = self.base.eval(f)?;
        let mut at = 0;
        for link in &self.links {
            value = match link {
                Link::Get(member) => get(*member, value, f)?,
                Link::Native(choice, count) => {
                    values[at] = value;
                    let answer = f.api.native(choice, &values[at..=at + count]);
                    at += count;
                    f.take(answer)?
                }
                Link::Index => {
                    at += 1;
                    index(value, values[at], f)?
                }
            };
        }
        Ok(value)
    }
}

impl Link {
    fn args(&self) -> usize {
        match self {
            Link::Get(_) => 0,
            Link::Native(_, count) => *count,
            Link::Index => 1,
        }
    }
}

fn index(of: Value, at: Value, f: &Frame<'_>) -> Run {
    match (of, at) {
        (Value::List(list), Value::Int(n)) => {
            let lists = f.api.lists().borrow();
            let item = usize::try_from(n).ok().and_then(|n| lists.items(list).get(n));
            item.copied().ok_or(Exit::Bail)
        }
        (Value::Dice(pool), Value::Int(n)) => die(pool, n).map(Value::Int).map_err(|_| Exit::Bail),
        _ => Err(Exit::Bail),
    }
}

#[inline]
fn binary(op: Op, left: Value, right: Value, f: &Frame<'_>) -> Run {
    if let (Value::Int(a), Value::Int(b)) = (left, right) {
        let number = |n: Option<i64>| n.map(Value::Int).ok_or(Exit::Bail);
        return match op {
            Op::Add => number(a.checked_add(b)),
            Op::Sub => number(a.checked_sub(b)),
            Op::Mul => number(a.checked_mul(b)),
            Op::Div => number(a.checked_div(b)),
            Op::Rem => number(a.checked_rem(b)),
            Op::Eq => Ok(Value::Bool(a == b)),
            Op::Ne => Ok(Value::Bool(a != b)),
            Op::Lt => Ok(Value::Bool(a < b)),
            Op::Le => Ok(Value::Bool(a <= b)),
            Op::Gt => Ok(Value::Bool(a > b)),
            Op::Ge => Ok(Value::Bool(a >= b)),
            Op::And => Ok(Value::Int(a & b)),
            Op::Or => Ok(Value::Int(a | b)),
            Op::Range => Ok(Value::Range(a, b)),
            Op::RangeTo => Ok(Value::RangeTo(a, b)),
        };
    }
    match (op, left, right) {
        // Rhai compares these by its own rules, or not at all.
        (_, Value::List(_) | Value::Foreign(_) | Value::Game | Value::Range(..) | Value::RangeTo(..), _)
        | (_, _, Value::List(_) | Value::Foreign(_) | Value::Game | Value::Range(..) | Value::RangeTo(..)) => {
            Err(Exit::Bail)
        }
        (Op::Eq, a, b) => Ok(Value::Bool(a == b)),
        (Op::Ne, a, b) => Ok(Value::Bool(a != b)),
        (Op::And, Value::Bool(a), Value::Bool(b)) => Ok(Value::Bool(a & b)),
        (Op::Or, Value::Bool(a), Value::Bool(b)) => Ok(Value::Bool(a | b)),
        (Op::Add, Value::Word(_), Value::Word(_) | Value::Int(_)) => join(left, right, f),
        _ => natives::operate(op, left, right).map_err(|_| Exit::Bail),
    }
}

/// Two texts, or a text and a number, as one text.
fn join(left: Value, right: Value, f: &Frame<'_>) -> Run {
    let words = &mut f.api.table.borrow_mut().words;
    let text = match (left, right) {
        (Value::Word(a), Value::Word(b)) => [words.text(a), words.text(b)].concat(),
        (Value::Word(a), Value::Int(n)) => format!("{}{n}", words.text(a)),
        _ => return Err(Exit::Bail),
    };
    value::intern(words, &text).map(Value::Word).ok_or(Exit::Bail)
}

impl Switch {
    #[inline(never)]
    fn eval(&self, f: &mut Frame<'_>) -> Run {
        let subject = self.on.eval(f)?;
        match self.case(subject, f).ok_or(Exit::Bail)? {
            Some(case) => self.cases[case].eval(f),
            None => Ok(Value::Nothing),
        }
    }

    /// The case for a value; outer `None` when it cannot be told.
    fn case(&self, subject: Value, f: &Frame<'_>) -> Option<Option<usize>> {
        let known = |(value, _): &&(Value, Option<usize>)| *value == subject;
        if let Some(&(_, case)) = self.known.borrow().iter().find(known) {
            return Some(case);
        }
        let literal = match subject {
            Value::Nothing => Expr::Unit(Position::NONE),
            Value::Bool(b) => Expr::BoolConstant(b, Position::NONE),
            Value::Int(n) => Expr::IntegerConstant(n, Position::NONE),
            Value::Word(word) => {
                let text = f.api.look(|t| t.words.text(word).into());
                Expr::StringConstant(text, Position::NONE)
            }
            Value::List(_) | Value::Foreign(_) => return None,
            // Only numbers, texts and the like are ever compared with cases.
            _ => return Some(self.default),
        };
        let ask = Stmt::Switch(Box::new((literal, self.oracle.clone())), Position::NONE);
        let engine = Engine::new_raw();
        #[allow(deprecated)] // the only way to run a statement that no text was parsed for
        let said = engine.eval_statements_raw(
            &mut engine.new_global_runtime_state(),
            &mut Caches::new(),
            &mut Scope::new(),
            &[ask],
        );
        let case = match said.ok()?.as_int() {
            Ok(case) => Some(case as usize),
            Err(_) => self.default,
        };
        let mut known = self.known.borrow_mut();
        if known.len() < MAX_SUBJECTS {
            known.push((subject, case));
        }
        Some(case)
    }
}

// --- lowering ------------------------------------------------------------------------------------

/// What names in a body mean.
pub struct Names<'a> {
    /// Script functions by compiled name.
    pub functions: &'a HashMap<String, usize>,
    /// The functions themselves.
    pub bodies: &'a [Function],
    /// Hooks that go to the script of their first argument, by plain name, with their arity.
    pub hooks: &'a HashMap<String, (HookId, usize)>,
    /// The properties.
    pub members: &'a Members,
}

impl Names<'_> {
    /// The native functions of that name and number of parameters; `None` when there are none.
    pub fn natives(&self, name: &str, args: usize) -> Option<Rc<[&'static Native]>> {
        let fits = |n: &&Native| n.name == name && n.params.len() == args;
        let choice: Rc<[&'static Native]> = NATIVES.iter().filter(fits).collect();
        (!choice.is_empty()).then_some(choice)
    }

    /// The one native call that a function consists of, when it passes on its own parameters in order.
    pub fn forwards(&self, function: &Function) -> Option<Rc<[&'static Native]>> {
        let call = match function.body.as_slice() {
            [Stmt::FnCall(call, _)] => call,
            [Stmt::Expr(expr)] => match &**expr {
                Expr::FnCall(call, _) => call,
                _ => return None,
            },
            _ => return None,
        };
        let params = &function.def.params;
        let same = call.args.len() == params.len()
            && call
                .args
                .iter()
                .zip(params.iter())
                .all(|(arg, param)| variable(arg) == Some(param.as_str()));
        let name = call.name.as_str();
        if !same || call.op_token.is_some() || call.is_qualified() || self.hooks.contains_key(name) {
            return None;
        }
        self.natives(name, call.args.len())
    }

    /// The one value that a function's body is.
    pub fn constant(&self, function: &Function, words: &mut Words) -> Option<Value> {
        let expr = match function.body.as_slice() {
            [] => return Some(Value::Nothing),
            [Stmt::Expr(expr)] => expr,
            [Stmt::Return(Some(expr), flags, _)] if !flags.contains(ASTFlags::BREAK) => expr,
            _ => return None,
        };
        match &**expr {
            Expr::BoolConstant(b, _) => Some(Value::Bool(*b)),
            Expr::IntegerConstant(n, _) => Some(Value::Int(*n)),
            Expr::StringConstant(text, _) => value::intern(words, text).map(Value::Word),
            Expr::Unit(_) => Some(Value::Nothing),
            _ => None,
        }
    }
}

fn variable(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Variable(variable, ..) if variable.2.is_empty() => Some(variable.1.as_str()),
        _ => None,
    }
}

/// Lowers every function that can be. Literal texts are interned, literal lists kept in `lists`.
pub fn lower(names: &Names<'_>, words: &mut Words, lists: &mut Lists) -> Program {
    let functions = names.bodies.iter().map(|function| {
        let mut lowering = Lowering {
            names,
            words,
            lists,
            scope: Vec::new(),
            most: 0,
        };
        for param in function.def.params.iter() {
            lowering.declare(param, false)?;
        }
        let body = lowering.block(&function.body)?;
        Some(Code {
            params: function.def.params.len(),
            locals: lowering.most,
            body,
            bailed: Cell::new(false),
            retired: Cell::new(false),
        })
    });
    Program {
        functions: functions.collect(),
    }
}

struct Lowering<'a, 'n> {
    names: &'a Names<'n>,
    words: &'a mut Words,
    lists: &'a mut Lists,
    /// Local variables, innermost last, and whether they are constants; the index is the slot.
    scope: Vec<(String, bool)>,
    most: usize,
}

impl Lowering<'_, '_> {
    fn declare(&mut self, name: &str, constant: bool) -> Option<u8> {
        if self.scope.len() >= MAX_LOCALS {
            return None;
        }
        self.scope.push((name.to_owned(), constant));
        self.most = self.most.max(self.scope.len());
        Some((self.scope.len() - 1) as u8)
    }

    fn local(&self, name: &str) -> Option<(u8, bool)> {
        let index = self.scope.iter().rposition(|(n, _)| n == name)?;
        Some((index as u8, self.scope[index].1))
    }

    fn block(&mut self, statements: &[Stmt]) -> Option<Node> {
        let outer = self.scope.len();
        let nodes: Option<Vec<Node>> = statements.iter().map(|s| self.statement(s)).collect();
        self.scope.truncate(outer);
        let mut nodes = nodes?;
        Some(match nodes.len() {
            0 => Node::Const(Value::Nothing),
            1 => nodes.remove(0),
            _ => Node::Block(nodes.into()),
        })
    }

    fn body(&mut self, block: &StmtBlock) -> Option<Node> {
        self.block(block.statements())
    }

    fn boxed(&mut self, expr: &Expr) -> Option<Box<Node>> {
        self.expr(expr).map(Box::new)
    }

    fn optional(&mut self, expr: &Option<Box<Expr>>) -> Option<Option<Box<Node>>> {
        match expr {
            Some(expr) => self.boxed(expr).map(Some),
            None => Some(None),
        }
    }

    fn statement(&mut self, statement: &Stmt) -> Option<Node> {
        Some(match statement {
            Stmt::Noop(_) => Node::Const(Value::Nothing),
            Stmt::Expr(expr) => self.expr(expr)?,
            Stmt::FnCall(call, _) => self.call(call)?,
            Stmt::Block(block) => self.body(block)?,
            Stmt::If(parts, _) => Node::If(Box::new([
                self.expr(&parts.expr)?,
                self.body(&parts.body)?,
                self.body(&parts.branch)?,
            ])),
            Stmt::Switch(parts, _) => self.switch(&parts.0, &parts.1)?,
            Stmt::While(parts, _) => {
                let guard = match &parts.expr {
                    Expr::Unit(_) => Node::Const(Value::Bool(true)),
                    guard => self.expr(guard)?,
                };
                Node::While(Box::new([guard, self.body(&parts.body)?]))
            }
            Stmt::For(parts, _) => {
                let (item, counter, flow) = &**parts;
                let over = self.expr(&flow.expr)?;
                let outer = self.scope.len();
                let counter = match counter {
                    Some(counter) => Some(self.declare(&counter.name, false)?),
                    None => None,
                };
                let item = self.declare(&item.name, false)?;
                let body = self.body(&flow.body)?;
                self.scope.truncate(outer);
                Node::For(Box::new(For {
                    item,
                    counter,
                    over,
                    body,
                }))
            }
            Stmt::Var(parts, flags, _) => {
                if flags.contains(ASTFlags::EXPORTED) {
                    return None;
                }
                let value = self.boxed(&parts.1)?;
                let local = self.declare(&parts.0.name, flags.contains(ASTFlags::CONSTANT))?;
                Node::Let(local, value)
            }
            Stmt::Assignment(parts) => {
                let (info, sides) = &**parts;
                let op = match info.get_op_assignment_info() {
                    Some((.., sign)) => Some(sign_of(sign)?),
                    None => None,
                };
                self.assignment(op, &sides.lhs, &sides.rhs)?
            }
            Stmt::BreakLoop(value, flags, _) => {
                let value = self.optional(value)?;
                if flags.contains(ASTFlags::BREAK) {
                    Node::Break(value)
                } else {
                    Node::Continue
                }
            }
            Stmt::Return(value, flags, _) if !flags.contains(ASTFlags::BREAK) => {
                Node::Return(self.optional(value)?)
            }
            _ => return None,
        })
    }

    fn assignment(&mut self, op: Option<Op>, to: &Expr, value: &Expr) -> Option<Node> {
        if let Some(name) = variable(to) {
            let value = self.boxed(value)?;
            let (local, constant) = self.local(name)?;
            return (!constant).then_some(Node::Assign(local, op, value));
        }
        let Expr::Dot(sides, flags, _) = to else {
            return None;
        };
        let Expr::Property(property, _) = &sides.rhs else {
            return None;
        };
        if flags.contains(ASTFlags::NEGATED) {
            return None;
        }
        let value = self.expr(value)?;
        let (local, constant) = self.local(variable(&sides.lhs)?)?;
        if constant {
            return None;
        }
        Some(Node::Set(Box::new(Set {
            local,
            member: self.names.members.find(&property.2)?,
            op,
            value,
        })))
    }

    fn switch(&mut self, on: &Expr, cases: &SwitchCasesCollection) -> Option<Node> {
        let on = self.expr(on)?;
        let mut oracle = cases.clone();
        oracle.def_case = None;
        let mut nodes = Vec::new();
        for (index, case) in oracle.expressions.iter_mut().enumerate() {
            if !matches!(case.lhs, Expr::BoolConstant(true, _)) {
                return None;
            }
            nodes.push(self.expr(&case.rhs)?);
            case.rhs = Expr::IntegerConstant(index as i64, Position::NONE);
        }
        Some(Node::Switch(Box::new(Switch {
            on,
            cases: nodes.into(),
            default: cases.def_case,
            oracle,
            known: RefCell::default(),
        })))
    }

    fn exprs(&mut self, exprs: &[Expr]) -> Option<Box<[Node]>> {
        exprs.iter().map(|e| self.expr(e)).collect()
    }

    fn expr(&mut self, expr: &Expr) -> Option<Node> {
        Some(match expr {
            Expr::BoolConstant(b, _) => Node::Const(Value::Bool(*b)),
            Expr::IntegerConstant(n, _) => Node::Const(Value::Int(*n)),
            Expr::StringConstant(text, _) => Node::Const(Value::Word(value::intern(self.words, text)?)),
            Expr::Unit(_) => Node::Const(Value::Nothing),
            Expr::DynamicConstant(constant, _) => self.constant(constant)?,
            Expr::Variable(..) => Node::Local(self.local(variable(expr)?)?.0),
            Expr::Array(items, _) if items.len() <= MAX_ARGS => Node::List(self.exprs(items)?),
            Expr::And(parts, _) => Node::All(self.exprs(parts)?),
            Expr::Or(parts, _) => Node::Any(self.exprs(parts)?),
            Expr::Coalesce(parts, _) => Node::Coalesce(self.exprs(parts)?),
            Expr::Stmt(block) => self.body(block)?,
            Expr::FnCall(call, _) => self.call(call)?,
            Expr::Dot(..) | Expr::Index(..) => self.chain(expr)?,
            _ => return None,
        })
    }

    fn constant(&mut self, constant: &Dynamic) -> Option<Node> {
        let value = value::from_dynamic(constant, self.words, self.lists);
        match value {
            Value::Foreign(_) => None,
            Value::List(list) => {
                let plain = |v: &Value| !matches!(v, Value::Foreign(_) | Value::List(_));
                let all = self.lists.items(list).iter().all(plain);
                all.then_some(Node::Const(value))
            }
            value => Some(Node::Const(value)),
        }
    }

    fn call(&mut self, call: &FnCallExpr) -> Option<Node> {
        if call.is_qualified() || call.capture_parent_scope || call.args.len() > MAX_ARGS {
            return None;
        }
        let name = call.name.as_str();
        let args = self.exprs(&call.args)?;
        if call.op_token.is_some() {
            let mut args = args.into_iter();
            return match (name, args.next()?, args.next()) {
                ("!", node, None) => Some(Node::Not(Box::new(node))),
                ("-", node, None) => Some(Node::Negate(Box::new(node))),
                (sign, left, Some(right)) => Some(Node::Binary(sign_of(sign)?, Box::new([left, right]))),
                _ => None,
            };
        }
        if let Some(&function) = self.names.functions.get(name) {
            let fits = self.names.bodies[function].def.params.len() == args.len();
            return fits.then_some(Node::Call(function, args));
        }
        if let Some(&(hook, arity)) = self.names.hooks.get(name) {
            return (arity == args.len()).then_some(Node::Hook(hook, args));
        }
        if let Some(choice) = self.names.natives(name, args.len()) {
            return Some(Node::Native(choice, args));
        }
        match (name, args.len()) {
            ("max", 2) => Some(Node::Math(Math::Max, args)),
            ("min", 2) => Some(Node::Math(Math::Min, args)),
            ("abs", 1) => Some(Node::Math(Math::Abs, args)),
            _ => None,
        }
    }

    fn chain(&mut self, expr: &Expr) -> Option<Node> {
        let (sides, mut flags, mut dot) = link(expr)?;
        let base = &sides.lhs;
        let mut args = Vec::new();
        let mut links = Vec::new();
        let mut rest = &sides.rhs;
        loop {
            // A chain goes on in its right side, unless it is marked as ending there.
            let next = if flags.contains(ASTFlags::BREAK) {
                None
            } else {
                link(rest)
            };
            if flags.contains(ASTFlags::NEGATED) {
                return None;
            }
            let part = next.map_or(rest, |(sides, ..)| &sides.lhs);
            links.push(match (dot, part) {
                (true, Expr::Property(property, _)) => Link::Get(self.names.members.find(&property.2)?),
                (true, Expr::MethodCall(call, _)) if call.name == "push" => {
                    let local = self.local(variable(base)?)?;
                    let only = links.is_empty() && next.is_none() && call.args.len() == 1 && !local.1;
                    let item = self.boxed(&call.args[0])?;
                    return only.then_some(Node::Push(local.0, item));
                }
                (true, Expr::MethodCall(call, _)) => {
                    let choice = self.names.natives(&call.name, call.args.len() + 1)?;
                    // A script hook of that name would hide the native function.
                    if self.names.hooks.contains_key(call.name.as_str()) {
                        return None;
                    }
                    args.extend(self.exprs(&call.args)?);
                    Link::Native(choice, call.args.len())
                }
                (false, at) => {
                    args.push(self.expr(at)?);
                    Link::Index
                }
                _ => return None,
            });
            match next {
                Some((sides, next_flags, next_dot)) => {
                    rest = &sides.rhs;
                    flags = next_flags;
                    dot = next_dot;
                }
                None => break,
            }
        }
        if args.len() >= MAX_ARGS {
            return None;
        }
        let mut node = self.expr(base)?;
        // Without arguments there is no order to keep.
        if args.is_empty() {
            for link in links {
                node = match link {
                    Link::Get(member) => Node::Get(member, Box::new(node)),
                    Link::Native(choice, _) => Node::Native(choice, [node].into()),
                    Link::Index => return None,
                };
            }
            return Some(node);
        }
        Some(Node::Chain(Box::new(Chain {
            base: node,
            args: args.into(),
            links: links.into(),
        })))
    }
}

/// A link of a chain: its two sides, its flags, and whether it is a dot (or an index).
fn link(expr: &Expr) -> Option<(&rhai::BinaryExpr, ASTFlags, bool)> {
    match expr {
        Expr::Dot(sides, flags, _) => Some((sides, *flags, true)),
        Expr::Index(sides, flags, _) => Some((sides, *flags, false)),
        _ => None,
    }
}

fn sign_of(sign: &str) -> Option<Op> {
    Op::SIGNS.iter().find(|(_, s)| *s == sign).map(|(op, _)| *op)
}

#[cfg(test)]
mod tests {
    use crate::agents::Agent;
    use crate::kernel::ids::Thing;
    use crate::kernel::table::Position;
    use crate::play::{Play, Progress};
    use crate::script::host::{Host, Options};
    use crate::script::workspace::Workspace;

    /// A game of one step, `begin`, with these functions.
    fn game(functions: &str) -> (tempfile::TempDir, Host) {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().expect("in a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        };
        let rules = r##"
            fn board() { #{ factions: ["red", "blue"], hexes: [3, 3] } }
            fn stats() { #{ life: 3 } }
            fn slots() { #{ unit: #{ life: 0 }, faction: #{ score: 0, ally: #{ holds: "faction" } } } }
            fn phases() { [#{ phase: "go", each: "game", step: "begin" }] }
        "##;
        write("scripts/tiny/game.rhai", &format!("{rules}\n{functions}"));
        write("units/tiny/scout.rhai", "fn stats() { #{ life: 2 } }");
        let workspace = Workspace::Folder(folder.path().to_owned());
        let host = Host::load(&workspace, "tiny", &Options::default());
        (folder, host.unwrap_or_else(|p| panic!("{}", p.page(false))))
    }

    /// What a function without parameters says, or the page of its problem; with lowering on and off.
    fn both(host: &Host, function: &str) -> [String; 2] {
        [true, false].map(|lowering| {
            host.set_lowering(lowering);
            match host.ask(function, Thing::Game).expect("a function") {
                Ok(value) => host.value_text(&value),
                Err(problem) => problem.page(false),
            }
        })
    }

    #[test]
    fn whole_games_are_the_same_lowered_and_interpreted() {
        let games: u64 = if cfg!(debug_assertions) { 200 } else { 1_000 };
        for game in Workspace::Embedded.games() {
            let [fast, slow] = [true, false].map(|lowering| {
                let host = Host::load(&Workspace::Embedded, &game, &Options::default());
                let host = host.unwrap_or_else(|p| panic!("{}", p.page(false)));
                host.set_lowering(lowering);
                let start = Position::start(host.table.borrow().world.clone(), false, 1, 0);
                (Play::new(host, &start), start)
            });
            let mut plays = [fast, slow];
            for seed in 0..games {
                let [fast, slow] = plays.each_mut().map(|(play, start)| {
                    start.seed = seed;
                    play.restart(start);
                    play.set_source(Agent::Random.source(seed).expect("answers at once"));
                    assert_eq!(play.run_on(), Progress::Over);
                    play.lines_from(0)
                });
                assert_eq!(fast, slow, "{game}, seed {seed}");
            }
            let [fast, slow] = plays.map(|(play, _)| play.table().hook_calls);
            assert!(fast <= slow, "{fast} hook calls, {slow} interpreted");
        }
    }

    #[test]
    fn operators_mean_the_same_on_every_pair_of_values() {
        let values = [
            "()",
            "true",
            "3",
            "-9223372036854775807",
            "0",
            "\"x\"",
            "unit_type(\"scout\")",
            "first()",
            "units()",
            "places()",
            "place(\"a1\")",
            "places().first",
            "1..3",
            "1..=3",
            "[1]",
            "game()",
            "#{}",
        ];
        for op in [
            "+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "&", "|", "&&", "||", "??",
        ] {
            let mut text = String::from("fn begin() {}\n");
            for (i, a) in values.iter().enumerate() {
                for (j, b) in values.iter().enumerate() {
                    text += &format!("fn t{i}_{j}() {{ let a = {a}; let b = {b}; a {op} b }}\n");
                }
            }
            let (_folder, host) = game(&text);
            for i in 0..values.len() {
                for j in 0..values.len() {
                    let [fast, slow] = both(&host, &format!("t{i}_{j}"));
                    assert_eq!(fast, slow, "{} {op} {}", values[i], values[j]);
                }
            }
        }
    }

    #[test]
    fn statements_mean_the_same() {
        let cases = [
            ("let x = 1; { let x = 2; x += 5; } x", "1"),
            ("let x = 1; let x = x + 1; x", "2"),
            (
                "let sum = 0; for n in 1..=4 { if n == 2 { continue; } if n == 4 { break; } sum += n; } sum",
                "4",
            ),
            (
                "let found = for n in 0..9 { if n * n > 20 { break n; } }; found",
                "5",
            ),
            (
                "let n = 0; let at = loop { n += 1; if n > 3 { break n * 10; } }; at",
                "40",
            ),
            ("let n = 10; while n > 3 { n -= 2; } n", "2"),
            ("let sum = 0; for (n, i) in [5, 6, 7] { sum += n * i; } sum", "20"),
            (
                "let all = []; for n in 0..3 { all.push(n); } let other = all; other.push(9); all",
                "[0, 1, 2]",
            ),
            (
                "let all = [1]; let more = all; all.push(2); more.push(3); all[1] * 10 + more[1]",
                "23",
            ),
            ("let l = [1, 2, 3]; l[l.len - 1] + l[0]", "4"),
            ("let l = [1, 2, 3]; l[-1]", "3"),
            ("let l = [1]; l[5]", "error"),
            ("switch 2 { 1 => \"a\", 2 => \"b\", _ => \"c\" }", "b"),
            (
                "switch \"two\" { \"one\" => 1, \"two\" => { let x = 5; x + 1 }, _ => 3 }",
                "6",
            ),
            ("switch 7 { 0..5 => \"low\", 5..=9 => \"high\" }", "high"),
            ("switch true { true => 1, false => 2 }", "1"),
            ("switch first() { 1 => 1, _ => 2 }", "2"),
            ("switch 4 { 1 => 2 }", "nothing"),
            ("let a = if 3 > 2 { 1 } else { 2 }; a", "1"),
            ("if 3 > 4 { 1 }", "nothing"),
            ("if helper(1) { 2 }", "error"),
            ("1 < 2 && (2 > 3 || !false)", "true"),
            ("helper(false) && helper(1)", "false"),
            ("helper(true) && helper(1)", "error"),
            ("() ?? 4", "4"),
            ("9223372036854775807 + helper(1)", "error"),
            ("4 / helper(0)", "error"),
            ("-helper(3)", "-3"),
            ("\"face \" + helper(2)", "face 2"),
            ("max(helper(2), 5) - min(1, helper(2)) + abs(helper(-3))", "7"),
            ("return helper(8); 9", "8"),
            ("first().foe == second()", "true"),
            ("first().foe.foe.units.of(first()).len", "0"),
            (
                "place(\"b2\").within(1).contains(place(\"a1\")) || place(\"b2\").adjacent.len == 6",
                "true",
            ),
            ("first().score", "0"),
            ("first().ally == nobody", "true"),
            ("first().len", "error"),
            ("let side = first(); side.score = 3; side.score", "error"),
            ("unit_type(\"scot\")", "error"),
            ("helper(\"x\") - 1", "error"),
            ("const N = 4; N + 1", "5"),
            ("[1, [2, 3]][1][0]", "2"),
            ("`${helper(3)} apples`", "3 apples"),
            ("let f = |x| x * 2; f.call(helper(4))", "8"),
            ("let m = #{ a: 1 }; m.a + helper(1)", "2"),
            ("try { throw 5; } catch (e) { return e; }", "5"),
            ("mixed(3) + 1", "13"),
            ("unit_types().len + types_with(\"life\", 2).len", "2"),
            ("choose(first(), \"a\", [], \"b\")", "error"),
            ("hit(1, 2, 3)", "error"),
        ];
        let mut text = String::from(
            "fn begin() {}\nfn helper(x) { x }\nfn mixed(x) { let m = #{ a: helper(x) }; for k in [1, 2, 3] { m.a += k; } \
             m.a + helper(3) }\n",
        );
        for (i, (body, _)) in cases.iter().enumerate() {
            text += &format!("fn t{i}() {{ {body} }}\n");
        }
        let (_folder, host) = game(&text);
        for (i, (body, wanted)) in cases.iter().enumerate() {
            let [fast, slow] = both(&host, &format!("t{i}"));
            assert_eq!(fast, slow, "{body}");
            if *wanted == "error" {
                assert!(fast.starts_with("error"), "{body}: {fast}");
            } else {
                assert_eq!(fast, *wanted, "{body}");
            }
        }
        let interpreted = host.interpreted();
        assert!(interpreted.len() < 12, "{interpreted:?}");
    }

    /// Plays the one step of a game whose rules fail; says how, lowered and interpreted.
    fn failure(functions: &str) -> [String; 2] {
        let (_folder, host) = game(functions);
        let start = Position::start(host.table.borrow().world.clone(), false, 1, 0);
        let mut play = Play::new(host, &start);
        [true, false].map(|lowering| {
            play.host.set_lowering(lowering);
            play.restart(&start);
            play.prepare();
            let before = (play.position(), play.events());
            let problem = match play.advance() {
                Progress::Failed(problem) => problem,
                other => panic!("{other:?} of {functions}"),
            };
            assert_eq!((play.position(), play.events()), before);
            problem.page(false)
        })
    }

    #[test]
    fn what_runs_away_is_stopped_and_leaves_the_position_alone() {
        let cases = [
            ("loop { }", "operations"),
            ("let n = 0; while true { n += 1; n -= 1; }", "operations"),
            ("for n in 0..9999999999 { helper(n); }", "operations"),
            ("fn_that_calls_itself();", "deep"),
            ("ping();", "deep"),
            ("let all = []; loop { all.push(1); }", "too large"),
            ("let text = \"x\"; loop { text += text; }", "too large"),
            ("add(first(), \"score\", 1, \"x\"); first().score / 0;", "zero"),
        ];
        for (body, wanted) in cases {
            for closure in ["", "let f = |x| x; "] {
                let text = format!(
                    "fn begin() {{ enlist(first(), unit_type(\"scout\")); {closure}{body} }}\n\
                     fn helper(x) {{ x }}\n\
                     fn fn_that_calls_itself() {{ fn_that_calls_itself() + 1 }}\n\
                     fn ping() {{ pong(1) }}\nfn pong(x) {{ let m = #{{ a: x }}; ping() }}\n"
                );
                let [fast, slow] = failure(&text);
                assert_eq!(fast, slow, "{body}");
                assert!(fast.contains(wanted), "{body}: {fast}");
            }
        }
    }

    #[test]
    fn an_error_names_the_same_place_and_calls() {
        let [fast, slow] = failure(
            "fn begin() { outer(3); }\nfn outer(n) {\n    inner(n - 3);\n}\nfn inner(n) {\n    let x = 4 / n;\n}\n",
        );
        assert_eq!(fast, slow);
        assert!(fast.contains("outer") && fast.contains("4 / n"), "{fast}");
    }
}
