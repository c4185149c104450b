//! The walk over the nodes of a function.

mod change;

use super::context::Run;
use super::fault::{Eval, Exit, Fault, FaultKind, Unwinding};
use super::heap::HeapRoom;
use super::members::Getter;
use super::natives::Runs;
use super::node::*;
use super::observe::{Observer, RunPlace, RunView, Watcher};
use super::value::{Kind, Value};
use super::{library, memo, operate};
use crate::engine::MAX_CALL_LEVELS;
use crate::kernel::ids::WordId;
use crate::kernel::rules::Words;
use crate::kernel::spot::UNIT;
use std::sync::Arc;

/// A function that runs.
pub struct CallFrame<'f, 'r, O: Observer> {
    /// The run that it is part of.
    pub run: &'f mut Run<'r, O>,
    /// Its local variables; behind them is room for those of the functions that it calls. What lies in them before
    /// they are declared is nobody's.
    locals: &'f mut [Value],
    /// Start of the free room.
    free: usize,
    code: &'r FunctionCode,
    function: usize,
}

impl<'r, O: Observer> Run<'r, O> {
    /// Calls a function of the ruleset.
    pub fn call(&mut self, function: usize, args: &[Value]) -> Eval {
        #[cfg(any(test, feature = "trials"))]
        if let Some(result) = super::oracle::call(self, function, args) {
            return result;
        }
        let locals = self.heap.room_with(args);
        self.call_in(locals, function, args.len())
    }

    /// Calls a closure; with `more` by what goes through a list, which offers the item's number too: a closure need not
    /// take it.
    #[inline(always)]
    pub fn call_value(&mut self, function: Value, args: &[Value], more: bool) -> Eval {
        #[cfg(any(test, feature = "trials"))]
        if let Some(result) = super::oracle::call_value(self, function, args) {
            return result;
        }
        let Some((code, captured)) = self.heap.closure(function) else {
            return Err(self.fail_here(FaultKind::NotA(Kind::Function, function.kind())));
        };
        let captures = captured.len();
        let wanted = self.program.functions[code as usize].code.params - captures;
        let args = if more {
            &args[..args.len().min(wanted)]
        } else {
            args
        };
        if args.len() != wanted {
            return Err(self.misfit(code as usize, captures, args.len()));
        }
        if captures + args.len() > MAX_LOCALS {
            return Err(self.fail_here(FaultKind::Large));
        }
        let mut all = self.heap.room();
        all[..captures].copy_from_slice(self.heap.list(captured));
        all[captures..captures + args.len()].copy_from_slice(args);
        self.call_in(all, code as usize, captures + args.len())
    }

    /// A closure does not take so many arguments; whoever called it says where.
    #[cold]
    fn misfit(&mut self, function: usize, captures: usize, given: usize) -> Unwinding {
        let own = &self.program.functions[function].params[captures..];
        let name = format!("|{}|", own.join(", "));
        self.fail_here(FaultKind::Arguments(name, own.len(), given))
    }

    /// Calls a function whose arguments lie in this room, which is given back.
    #[inline]
    fn call_in(&mut self, mut locals: HeapRoom, function: usize, args: usize) -> Eval {
        let program = self.program;
        let code = &program.functions[function].code;
        let result = match code.params == args {
            true => self.enter(function, code, &mut locals),
            false => {
                let name = program.functions[function].name.clone();
                let why = FaultKind::Arguments(name, code.params, args);
                Err(self.fail(why, function, Loc::default()))
            }
        };
        self.heap.rooms.push(locals);
        result
    }

    #[inline]
    fn enter(&mut self, function: usize, code: &'r FunctionCode, locals: &mut [Value]) -> Eval {
        self.may_enter(function, code.cost)?;
        // Whoever watches sees what was given, not where closures find it.
        let given = O::ON.then(|| locals[..code.params].to_vec());
        for &local in &code.shared {
            locals[local as usize] = self.share(locals[local as usize]);
        }
        if let Some(given) = given {
            return self.enter_watched(function, code, locals, &given);
        }
        if code.heavy {
            return self.enter_heavy(function, code, locals);
        }
        self.work_out(function, code, locals)
    }

    #[inline]
    fn work_out(&mut self, function: usize, code: &'r FunctionCode, locals: &mut [Value]) -> Eval {
        self.depth += 1;
        let result = self.run_body(function, code, locals);
        self.depth -= 1;
        result
    }

    #[inline(never)]
    fn enter_heavy(&mut self, function: usize, code: &'r FunctionCode, locals: &mut [Value]) -> Eval {
        let given = locals[..code.params].iter().map(|v| v.bits());
        let question = memo::CallKey::of(function as u32, given);
        self.remembered(question, |run| run.work_out(function, code, locals))
    }

    /// Takes what it costs to call a function.
    #[inline(always)]
    fn may_enter(&mut self, function: usize, cost: u32) -> Eval<()> {
        if self.depth >= MAX_CALL_LEVELS {
            return Err(self.fail_here(FaultKind::Deep));
        }
        match self.spend(cost) {
            true => Ok(()),
            false => Err(self.spent_before(function)),
        }
    }

    /// There is no fuel to begin with a function. Nobody called the outermost one: its name is the place.
    #[cold]
    fn spent_before(&mut self, function: usize) -> Unwinding {
        let why = self.spent();
        match self.depth {
            0 => self.fail(why, function, Loc::new(self.program.functions[function].at)),
            _ => self.fail_here(why),
        }
    }

    fn enter_watched(
        &mut self,
        function: usize,
        code: &'r FunctionCode,
        locals: &mut [Value],
        args: &[Value],
    ) -> Eval {
        self.depth += 1;
        self.watch(|w, scene| w.enter(scene, function, args));
        let result = self.run_body(function, code, locals);
        let value = result.as_ref().ok().copied();
        self.watch(|w, scene| w.leave(scene, value));
        self.depth -= 1;
        result
    }

    #[inline]
    fn run_body(&mut self, function: usize, code: &'r FunctionCode, locals: &mut [Value]) -> Eval {
        let Some(body) = &code.body else {
            return Ok(Value::NOTHING);
        };
        let mut frame = CallFrame {
            run: self,
            locals,
            free: code.locals,
            code,
            function,
        };
        match body.only::<O>().eval(&mut frame) {
            Err(Unwinding) if self.exit == Exit::Return => Ok(self.carried),
            result => result,
        }
    }
}

impl<'r, O: Observer> CallFrame<'_, 'r, O> {
    /// Whether there is no room for arguments.
    #[inline(always)]
    fn is_full(&self) -> bool {
        self.free + MAX_ARGS > self.locals.len()
    }

    /// Evaluates arguments into the free room, which whoever is called has before it. Rhai takes a variable in first
    /// place last.
    #[inline(always)]
    fn hand_over(&mut self, args: &'r [Node]) -> Eval<()> {
        let at = self.free;
        let done = self.lay(args);
        self.free = at;
        done
    }

    #[inline(always)]
    fn lay(&mut self, args: &'r [Node]) -> Eval<()> {
        let Some((first, rest)) = args.split_first() else {
            return Ok(());
        };
        let at = self.free;
        let late = first.is_variable();
        if !late {
            let value = first.eval(self)?;
            self.locals[at] = value;
        }
        for node in rest {
            // What is called for an argument does not touch those that are there.
            self.free += 1;
            let value = node.eval(self)?;
            self.locals[self.free] = value;
        }
        if late {
            let value = first.eval(self)?;
            self.locals[at] = value;
        }
        Ok(())
    }

    /// Calls a function with so many arguments that were handed over.
    #[inline(always)]
    fn enter(&mut self, function: usize, args: usize) -> Eval {
        let program = self.run.program;
        let code = &program.functions[function].code;
        let room = &mut self.locals[self.free..];
        if code.params == args && code.locals <= room.len() {
            return self.run.enter(function, code, room);
        }
        let locals = self.run.heap.room_with(&room[..args]);
        self.run.call_in(locals, function, args)
    }

    #[cold]
    fn fail(&mut self, why: FaultKind, spot: Loc) -> Unwinding {
        self.run.fail(why, self.function, spot)
    }

    /// Takes the value that a native function returned; its failure happened here.
    #[inline]
    fn take<T>(&mut self, answer: super::fault::NativeResult<T>, spot: Loc) -> Eval<T> {
        match answer {
            Ok(value) => Ok(value),
            Err(fault) => Err(self.fault(fault, spot)),
        }
    }

    #[cold]
    fn fault(&mut self, fault: Fault, spot: Loc) -> Unwinding {
        self.fail(*fault.0, spot)
    }

    /// A called function ended; if it failed, it was called from here.
    #[inline]
    fn called(&mut self, result: Eval, spot: Loc) -> Eval {
        if result.is_err() {
            self.run.called_from(self.function, spot);
        }
        result
    }

    #[inline]
    fn spend(&mut self, cost: u32, spot: Loc) -> Eval<()> {
        if self.run.spend(cost) {
            Ok(())
        } else {
            Err(self.fail(self.run.spent(), spot))
        }
    }

    #[inline]
    fn local(&self, local: u16) -> Value {
        self.locals[local as usize]
    }

    fn read(&mut self, local: u16, shared: bool) -> Value {
        let value = self.local(local);
        if shared {
            // Others change it, too.
            self.run.acts();
            self.run.heap.shared(value).map_or(Value::NOTHING, |v| *v)
        } else {
            value
        }
    }

    fn write(&mut self, local: u16, shared: bool, value: Value) {
        if shared {
            self.run.acts();
            let cell = self.local(local);
            if let Some(there) = self.run.heap.shared(cell) {
                *there = value;
            }
        } else {
            self.locals[local as usize] = value;
        }
    }

    #[inline]
    fn declare(&mut self, local: u16, shared: bool, value: Value) {
        self.locals[local as usize] = if shared { self.run.share(value) } else { value };
    }

    /// A statement is reached.
    fn reach(&mut self, statement: &Stmt) {
        // What says nothing behind the last `;` is no place.
        if statement.spot == Loc::default() {
            return;
        }
        let place = RunPlace {
            spot: statement.spot,
            scope: &self.code.scopes[statement.scope as usize],
            locals: &*self.locals,
        };
        self.run.watch(|w, scene| w.reach(scene, &place));
    }
}

impl<'r> Node {
    /// The node's value. Half of all nodes are literals and variables, which need no call.
    #[inline(always)]
    pub fn eval<O: Observer>(&'r self, f: &mut CallFrame<'_, 'r, O>) -> Eval {
        match self {
            Node::Const(value) => Ok(*value),
            Node::Local(index) => Ok(f.local(*index)),
            _ => self.walk(f),
        }
    }

    /// The only statement of a block of one, unless somebody watches it be reached; else the node.
    #[inline(always)]
    fn only<O: Observer>(&'r self) -> &'r Node {
        match self {
            Node::Block(statements) if !O::ON => match &statements[..] {
                [only] => &only.node,
                _ => self,
            },
            _ => self,
        }
    }

    /// The same for what is made of other nodes. Each kind is a function of its own that this one only
    /// goes on to, so that nested nodes take little time and little of the stack.
    #[inline(never)]
    fn walk<O: Observer>(&'r self, f: &mut CallFrame<'_, 'r, O>) -> Eval {
        match self {
            Node::Const(value) => Ok(*value),
            Node::Local(index) => Ok(f.local(*index)),
            Node::Shared(index) => shared(*index, f),
            Node::Block(statements) => block(statements, f),
            Node::If(it) => branch(it, f),
            Node::Switch(it) => it.eval(f),
            Node::While(it) => it.eval(f),
            Node::For(it) => it.eval(f),
            Node::Let(it) => declare(it, f),
            Node::Assign(it) => assign(it, f),
            Node::Update(it) => it.eval(f),
            Node::Native(it) => native(it, f),
            Node::Call(it) => call(it, f),
            Node::Inlined(it) => inlined(it, f),
            Node::Hook(it) => hook(it, f),
            Node::Get(it) => property(it, f),
            Node::Chain(it) => it.eval(f),
            Node::Binary(it) => between(it, f),
            Node::Compare(it) => compare(it, f),
            Node::Not(it) => not(it, f),
            Node::Negate(it) => unary("-", it, f),
            Node::Plus(it) => unary("+", it, f),
            Node::All(it) => all(it, f, true),
            Node::Any(it) => all(it, f, false),
            Node::Coalesce(it) => coalesce(it, f),
            Node::List(it) => list(it, f),
            Node::Map(it) => map(it, f),
            Node::Text(it) => text(it, f),
            Node::Closure(it) => closure(it, f),
            Node::Return(value) => leave(value.as_deref(), Exit::Return, f),
            Node::Break(value) => leave(value.as_deref(), Exit::Break, f),
            Node::Continue => leave(None, Exit::Continue, f),
            Node::Throw(it) => throw(it, f),
            #[cfg(any(test, feature = "trials"))]
            Node::Drift => Ok(crate::run::fuel::drift::count().unwrap_or(0).into()),
            Node::NoName(it) => no_name(it, f),
            Node::NoFunction(it) => no_function(it, f),
        }
    }

    #[inline]
    fn test<O: Observer>(&'r self, f: &mut CallFrame<'_, 'r, O>, spot: Loc) -> Eval<bool> {
        let value = self.eval(f)?;
        match value.as_bool() {
            Some(is) => Ok(is),
            None => Err(f.fail(FaultKind::NotA(Kind::Bool, value.kind()), spot)),
        }
    }
}

#[inline(never)]
fn shared<O: Observer>(local: u16, f: &mut CallFrame<'_, '_, O>) -> Eval {
    Ok(f.read(local, true))
}

#[inline(never)]
fn block<'r, O: Observer>(statements: &'r [Stmt], f: &mut CallFrame<'_, 'r, O>) -> Eval {
    let Some((last, before)) = statements.split_last() else {
        return Ok(Value::NOTHING);
    };
    for statement in before {
        if O::ON {
            f.reach(statement);
        }
        statement.node.eval(f)?;
    }
    if O::ON {
        f.reach(last);
    }
    last.node.eval(f)
}

#[inline(never)]
fn branch<'r, O: Observer>(it: &'r If, f: &mut CallFrame<'_, 'r, O>) -> Eval {
    if it.guard.test(f, it.spot)? {
        it.then.only::<O>().eval(f)
    } else {
        it.otherwise.only::<O>().eval(f)
    }
}

#[inline(never)]
fn declare<'r, O: Observer>(it: &'r Let, f: &mut CallFrame<'_, 'r, O>) -> Eval {
    let value = it.value.eval(f)?;
    f.declare(it.local, it.shared, value);
    Ok(Value::NOTHING)
}

#[inline(never)]
fn property<'r, O: Observer>(it: &'r SlotRead, f: &mut CallFrame<'_, 'r, O>) -> Eval {
    let of = it.of.eval(f)?;
    get(&it.property, of, f)
}

#[inline(never)]
fn between<'r, O: Observer>(it: &'r Binary, f: &mut CallFrame<'_, 'r, O>) -> Eval {
    let left = it.left.eval(f)?;
    let right = it.right.eval(f)?;
    match operate::at_once(it.op, left, right) {
        Some(result) => Ok(result),
        None => binary(it.op, left, right, it.spot, f),
    }
}

#[inline(never)]
fn compare<'r, O: Observer>(it: &'r Compare, f: &mut CallFrame<'_, 'r, O>) -> Eval {
    let left = it.left.eval(f)?;
    match operate::at_once(it.op, left, it.right) {
        Some(result) => Ok(result),
        None => binary(it.op, left, it.right, it.spot, f),
    }
}

#[inline(never)]
fn not<'r, O: Observer>(it: &'r Unary, f: &mut CallFrame<'_, 'r, O>) -> Eval {
    let value = it.of.eval(f)?;
    match value.as_bool() {
        Some(is) => Ok((!is).into()),
        None => Err(f.fail(FaultKind::Operator("!", vec![value.kind()]), it.spot)),
    }
}

#[inline(never)]
fn throw<'r, O: Observer>(it: &'r Unary, f: &mut CallFrame<'_, 'r, O>) -> Eval {
    let value = it.of.eval(f)?;
    let text = f.run.text_of(value);
    let text = f.take(text, it.spot)?;
    Err(f.fail(crate::problems::rule_failure(text).into(), it.spot))
}

#[inline(never)]
fn no_name<O: Observer>(it: &(Arc<str>, Loc), f: &mut CallFrame<'_, '_, O>) -> Eval {
    Err(f.fail(FaultKind::NoName(it.0.to_string()), it.1))
}

#[inline(never)]
fn no_function<'r, O: Observer>(it: &'r NoFunction, f: &mut CallFrame<'_, 'r, O>) -> Eval {
    let mut kinds = Vec::new();
    for node in &it.args {
        kinds.push(node.eval(f)?.kind());
    }
    Err(f.fail(FaultKind::NoFunction(it.name.to_string(), kinds), it.spot))
}

#[inline(never)]
fn leave<'r, O: Observer>(value: Option<&'r Node>, exit: Exit, f: &mut CallFrame<'_, 'r, O>) -> Eval {
    f.run.carried = match value {
        Some(node) => node.eval(f)?,
        None => Value::NOTHING,
    };
    f.run.exit = exit;
    Err(Unwinding)
}

/// Evaluates arguments into `values` and says how many there are. Rhai takes a variable in first
/// place last.
#[inline]
fn arguments<'r, O: Observer>(
    nodes: &'r [Node],
    f: &mut CallFrame<'_, 'r, O>,
    values: &mut [Value],
) -> Eval<usize> {
    let ([first, rest @ ..], [first_value, values @ ..]) = (nodes, values) else {
        return Ok(0);
    };
    let late = first.is_variable();
    if !late {
        *first_value = first.eval(f)?;
    }
    for (value, node) in values.iter_mut().zip(rest) {
        *value = node.eval(f)?;
    }
    if late {
        *first_value = first.eval(f)?;
    }
    Ok(nodes.len())
}

/// Goes on to a function for so many arguments: those for few need little of the stack.
#[inline(always)]
fn native<'r, O: Observer>(it: &'r NativeCall, f: &mut CallFrame<'_, 'r, O>) -> Eval {
    match &it.args[..] {
        [only] => native_of_one(it, only, f),
        [first, second] => native_of_two(it, (first, second), f),
        _ => native_of_many(it, f),
    }
}

#[inline(never)]
fn native_of_one<'r, O: Observer>(it: &'r NativeCall, only: &'r Node, f: &mut CallFrame<'_, 'r, O>) -> Eval {
    let value = only.eval(f)?;
    f.native(&it.choice, &[value], it.spot)
}

#[inline(never)]
fn native_of_two<'r, O: Observer>(
    it: &'r NativeCall,
    (first, second): (&'r Node, &'r Node),
    f: &mut CallFrame<'_, 'r, O>,
) -> Eval {
    let values = pair(first, second, it.late, f)?;
    f.native(&it.choice, &values, it.spot)
}

#[inline(never)]
fn native_of_many<'r, O: Observer>(it: &'r NativeCall, f: &mut CallFrame<'_, 'r, O>) -> Eval {
    let mut room = [Value::NOTHING; MAX_ARGS];
    let n = arguments(&it.args, f, &mut room)?;
    f.native(&it.choice, &room[..n], it.spot)
}

impl<O: Observer> CallFrame<'_, '_, O> {
    /// Calls the native function of a choice that fits.
    #[inline(always)]
    fn native(&mut self, choice: &Overloads, args: &[Value], spot: Loc) -> Eval {
        match self.run.native(choice, args) {
            Ok(result) => Ok(result),
            Err(Unwinding) => {
                let fault = self.run.fault();
                Err(self.native_failed(fault, &choice.all, args, spot))
            }
        }
    }

    /// Returns the changed list or map in place of the first argument, and the value of the call.
    fn mutate(&mut self, which: u16, args: &[Value], spot: Loc) -> Eval<(Value, Value)> {
        let old = args.first().copied().unwrap_or_default();
        library::mutate(self.run, which, old, args.get(1..).unwrap_or_default()).map_err(|fault| {
            let why = match *fault.0 {
                FaultKind::Mismatch => {
                    let name = library::MUTATORS[which as usize].name;
                    FaultKind::Unfit(name, args.iter().map(|a| a.kind()).collect())
                }
                why => why,
            };
            self.fail(why, spot)
        })
    }

    /// Takes a value out of a list or map that no variable holds.
    fn take_out(&mut self, which: u16, natives: &Overloads, args: &[Value], spot: Loc) -> Eval {
        let of = args.first().map_or(Kind::Nothing, |of| of.kind());
        if !natives.all.is_empty() && !matches!(of, Kind::List | Kind::Map) {
            return self.native(natives, args, spot);
        }
        self.mutate(which, args, spot).map(|(_, result)| result)
    }

    #[cold]
    fn native_failed(&mut self, fault: Fault, choice: &[u16], args: &[Value], spot: Loc) -> Unwinding {
        let why = match *fault.0 {
            FaultKind::Mismatch => self.run.unfit(choice, args),
            why => why,
        };
        self.fail(why, spot)
    }
}

#[inline(never)]
fn call<'r, O: Observer>(it: &'r CallNode, f: &mut CallFrame<'_, 'r, O>) -> Eval {
    if f.is_full() {
        return call_aside(it, f);
    }
    f.hand_over(&it.args)?;
    let result = f.enter(it.function as usize, it.args.len());
    f.called(result, it.spot)
}

#[inline(never)]
fn inlined<'r, O: Observer>(it: &'r Inlined, f: &mut CallFrame<'_, 'r, O>) -> Eval {
    if O::ON {
        return call(&it.call, f);
    }
    for (local, nth) in &it.args {
        let value = it.call.args[*nth as usize].eval(f)?;
        f.locals[*local as usize] = value;
    }
    if let Err(left) = f.run.may_enter(it.call.function as usize, it.cost) {
        return f.called(Err(left), it.call.spot);
    }
    let around = std::mem::replace(&mut f.function, it.call.function as usize);
    f.run.depth += 1;
    let result = it.body.only::<O>().eval(f);
    f.run.depth -= 1;
    f.function = around;
    match result {
        Err(Unwinding) if f.run.exit == Exit::Return => Ok(f.run.carried),
        result => f.called(result, it.call.spot),
    }
}

/// The same with arguments for which there is no room.
#[cold]
fn call_aside<'r, O: Observer>(it: &'r CallNode, f: &mut CallFrame<'_, 'r, O>) -> Eval {
    let mut room = [Value::NOTHING; MAX_ARGS];
    let n = arguments(&it.args, f, &mut room)?;
    let locals = f.run.heap.room_with(&room[..n]);
    let result = f.run.call_in(locals, it.function as usize, n);
    f.called(result, it.spot)
}

#[inline(never)]
fn hook<'r, O: Observer>(it: &'r HookCall, f: &mut CallFrame<'_, 'r, O>) -> Eval {
    if f.is_full() {
        return hook_aside(it, f);
    }
    f.hand_over(&it.args)?;
    let args = &f.locals[f.free..f.free + it.args.len()];
    let answer = match f.run.whose(it.hook, args.first().copied()) {
        Ok(whose) => {
            let target = f.run.program.hooks[it.hook.0 as usize].target(whose);
            if target.constant.is_none() && !is_told_by_others() {
                let result = f.enter(target.index, it.args.len());
                return f.called(result, it.spot);
            }
            f.run.invoke(target, args)
        }
        Err(fault) => Err(fault),
    };
    answer.map_err(|fault| f.native_failed(fault, &[], &[], it.spot))
}

#[cold]
fn hook_aside<'r, O: Observer>(it: &'r HookCall, f: &mut CallFrame<'_, 'r, O>) -> Eval {
    let mut room = [Value::NOTHING; MAX_ARGS];
    let n = arguments(&it.args, f, &mut room)?;
    let answer = f.run.hook(it.hook, &room[..n]);
    answer.map_err(|fault| f.native_failed(fault, &[], &room[..n], it.spot))
}

/// Whether the interpreter runs the rules of this thread, as it does in tests.
#[inline]
fn is_told_by_others() -> bool {
    #[cfg(any(test, feature = "trials"))]
    return super::oracle::is_on();
    #[cfg(not(any(test, feature = "trials")))]
    false
}

/// Two arguments, the first of which is taken last where it is said so, as where it is a variable.
#[inline(always)]
fn pair<'r, O: Observer>(
    first: &'r Node,
    second: &'r Node,
    late: bool,
    f: &mut CallFrame<'_, 'r, O>,
) -> Eval<[Value; 2]> {
    if late {
        let second = second.eval(f)?;
        return Ok([first.eval(f)?, second]);
    }
    Ok([first.eval(f)?, second.eval(f)?])
}

#[inline]
fn get<O: Observer>(property: &PropertyAccess, of: Value, f: &mut CallFrame<'_, '_, O>) -> Eval {
    let member = f.run.program.members.member(property.member);
    match member.get.get(of.kind_index()) {
        Some(Some(getter)) => read(getter, of, |_| property.name.to_string(), property.spot, f),
        _ => get_slowly(property, of, f),
    }
}

/// Reads a property by its getter.
#[inline]
fn read<O: Observer>(
    getter: &Getter,
    of: Value,
    name: impl FnOnce(&Words) -> String,
    spot: Loc,
    f: &mut CallFrame<'_, '_, O>,
) -> Eval {
    let result = match getter {
        Getter::Native(index) => Runs::<O>::GETTERS[*index as usize](f.run, of),
        other => f.run.get(*other, of),
    };
    let Ok(result) = result else {
        let fault = f.run.fault();
        return Err(f.fault(fault, spot));
    };
    if O::ON {
        let name = format!(".{}", name(&f.run.table.words));
        f.run.watch(|w, scene| w.native(scene, &name, &[of], result));
    }
    Ok(result)
}

/// Returns an item of a list, map, text or dice, or else the property that a text names.
fn item<O: Observer>(of: Value, at: Value, spot: Loc, f: &mut CallFrame<'_, '_, O>) -> Eval {
    let Some((word, member)) = named(of, at, f) else {
        let answer = library::index(f.run, of, at);
        return f.take(answer, spot);
    };
    match f.run.program.members.member(member).get.get(of.kind_index()) {
        Some(Some(getter)) => read(getter, of, |words| words.text(word).to_owned(), spot, f),
        _ => get_slowly(&in_brackets((word, member), spot, f), of, f),
    }
}

/// Name and index of the property that a text in brackets names; `None` behind a list, map, text or dice.
#[inline]
fn named<O: Observer>(of: Value, at: Value, f: &CallFrame<'_, '_, O>) -> Option<(WordId, usize)> {
    if matches!(of.kind(), Kind::List | Kind::Map | Kind::Word | Kind::Dice) {
        return None;
    }
    let word = at.as_word()?;
    let member = f.run.program.members.of_word(word, &f.run.table.words);
    Some((word, member.unwrap_or(usize::MAX)))
}

/// Builds the property behind a dot that such a text stands for.
#[cold]
fn in_brackets<O: Observer>(named: (WordId, usize), spot: Loc, f: &CallFrame<'_, '_, O>) -> PropertyAccess {
    PropertyAccess {
        name: Arc::from(f.run.table.words.text(named.0)),
        key: named.0.into(),
        member: named.1,
        spot,
    }
}

#[cold]
fn get_slowly<O: Observer>(property: &PropertyAccess, of: Value, f: &mut CallFrame<'_, '_, O>) -> Eval {
    if let (Kind::Map, Some(map), Some(key)) = (of.kind(), of.items(), property.key.as_word()) {
        return match f.run.heap.get(map, &f.run.table.words, key) {
            Some(value) => Ok(value),
            None => Err(f.fail(FaultKind::NoKey(property.name.to_string()), property.spot)),
        };
    }
    let why = FaultKind::Property {
        name: property.name.clone(),
        of: of.kind(),
        changed: false,
    };
    Err(f.fail(why, property.spot))
}

#[inline(never)]
fn unary<'r, O: Observer>(sign: &'static str, it: &'r Unary, f: &mut CallFrame<'_, 'r, O>) -> Eval {
    let value = it.of.eval(f)?;
    operate::signed(sign, value).map_err(|why| f.fail(why, it.spot))
}

/// Whether all of the nodes say `wanted`; else the other.
#[inline(never)]
fn all<'r, O: Observer>(it: &'r Each, f: &mut CallFrame<'_, 'r, O>, wanted: bool) -> Eval {
    for (node, spot) in it.nodes.iter().zip(&it.spots) {
        if node.test(f, *spot)? != wanted {
            return Ok((!wanted).into());
        }
    }
    Ok(wanted.into())
}

#[inline(never)]
fn coalesce<'r, O: Observer>(it: &'r Each, f: &mut CallFrame<'_, 'r, O>) -> Eval {
    let mut value = Value::NOTHING;
    for node in &it.nodes {
        value = node.eval(f)?;
        if !value.is_nothing() {
            break;
        }
    }
    Ok(value)
}

#[inline(never)]
fn list<'r, O: Observer>(it: &'r Each, f: &mut CallFrame<'_, 'r, O>) -> Eval {
    let spot = it.spots.first().copied().unwrap_or_default();
    if let [first, second] = &it.nodes[..] {
        let values = [first.eval(f)?, second.eval(f)?];
        let list = f.run.heap.add_few(&values);
        f.spend(1, spot)?;
        let answer = list.map(Value::list).ok_or_else(|| FaultKind::Full.into());
        return f.take(answer, spot);
    }
    if it.nodes.len() <= MAX_ARGS {
        let mut values = [Value::NOTHING; MAX_ARGS];
        for (nth, node) in it.nodes.iter().enumerate() {
            values[nth] = node.eval(f)?;
        }
        let list = f.run.heap.add_few(&values[..it.nodes.len()]);
        f.spend(1 + (it.nodes.len() / 8) as u32, spot)?;
        let answer = list.map(Value::list).ok_or_else(|| FaultKind::Full.into());
        return f.take(answer, spot);
    }
    let values: Vec<Value> = it.nodes.iter().map(|n| n.eval(f)).collect::<Result<_, _>>()?;
    let answer = f.run.list(values);
    f.take(answer, spot)
}

#[inline(never)]
fn map<'r, O: Observer>(it: &'r MapOf, f: &mut CallFrame<'_, 'r, O>) -> Eval {
    let written: Vec<Value> = it
        .entries
        .iter()
        .map(|(_, n)| n.eval(f))
        .collect::<Result<_, _>>()?;
    let by_key = it.order.iter().map(|&nth| nth as usize);
    let items = by_key.flat_map(|nth| [it.entries[nth].0, written[nth]]);
    let answer = f.run.add(items).map(Value::map);
    f.take(answer, it.spot)
}

#[inline(never)]
fn text<'r, O: Observer>(it: &'r Each, f: &mut CallFrame<'_, 'r, O>) -> Eval {
    let spot = it.spots.first().copied().unwrap_or_default();
    let mut text = String::new();
    for node in &it.nodes {
        let value = node.eval(f)?;
        let part = f.run.text_of(value);
        text += &f.take(part, spot)?;
        f.spend(1 + (text.len() / 16) as u32, spot)?;
    }
    let answer = f.run.text(&text);
    f.take(answer, spot)
}

#[inline(never)]
fn closure<O: Observer>(it: &ClosureOf, f: &mut CallFrame<'_, '_, O>) -> Eval {
    // A shared variable is taken along as its cell.
    let locals = &*f.locals;
    let answer = f.run.add(it.captures.iter().map(|local| locals[*local as usize]));
    let captured = f.take(answer, Loc::default())?;
    Ok(f.run.heap.of_closure(it.function, captured))
}

#[inline(never)]
fn assign<'r, O: Observer>(it: &'r Assign, f: &mut CallFrame<'_, 'r, O>) -> Eval {
    let value = it.value.eval(f)?;
    let value = match it.op {
        Some(op) => {
            let old = f.read(it.local, it.shared);
            changed(op, old, value, it.spot, f)?
        }
        None => value,
    };
    f.write(it.local, it.shared, value);
    Ok(Value::NOTHING)
}

impl<'r> While {
    #[inline(never)]
    fn eval<O: Observer>(&'r self, f: &mut CallFrame<'_, 'r, O>) -> Eval {
        let mut first = self.body_first;
        loop {
            f.spend(self.cost, self.spot)?;
            if !std::mem::take(&mut first)
                && let Some(guard) = &self.guard
                && guard.test(f, self.spot)? != self.goes_on
            {
                return Ok(Value::NOTHING);
            }
            if self.body.eval(f).is_err() && f.run.exit != Exit::Continue {
                return loop_value(f);
            }
        }
    }
}

impl<'r> For {
    #[inline(never)]
    fn eval<O: Observer>(&'r self, f: &mut CallFrame<'_, 'r, O>) -> Eval {
        let over = match &self.over {
            LoopSource::Range(from, to, with_last) => {
                let from = from.eval(f)?;
                let to = to.eval(f)?;
                let (Some(a), Some(b)) = (from.as_int(), to.as_int()) else {
                    let sign = if *with_last { "..=" } else { ".." };
                    let why = FaultKind::Operator(sign, vec![from.kind(), to.kind()]);
                    return Err(f.fail(why, self.spot));
                };
                return self.numbers(a, b, *with_last, f);
            }
            LoopSource::Value(node) => node.eval(f)?,
        };
        match over.kind() {
            Kind::Units => {
                let units = f.run.heap.units(over).unwrap_or_default();
                self.each(units.map(Value::from), f)
            }
            Kind::Places => {
                let places = f.run.heap.places(over).unwrap_or_default();
                self.each(places.map(Value::from), f)
            }
            Kind::Dice => {
                let dice = f.run.heap.dice(over).unwrap_or_default();
                self.each(dice.values().map(Value::from), f)
            }
            Kind::Range => {
                let numbers = f.run.heap.numbers(over);
                self.each(numbers.map(Value::from), f)
            }
            Kind::List => self.list(over, f),
            Kind::Word => {
                let answer = library::letters(f.run, over);
                let letters = f.take(answer, self.spot)?;
                self.list(letters, f)
            }
            _ => Err(f.fail(FaultKind::NotThrough, self.spot)),
        }
    }

    fn numbers<O: Observer>(
        &'r self,
        from: i64,
        to: i64,
        with_last: bool,
        f: &mut CallFrame<'_, 'r, O>,
    ) -> Eval {
        if with_last {
            self.each((from..=to).map(Value::from), f)
        } else {
            self.each((from..to).map(Value::from), f)
        }
    }

    fn list<O: Observer>(&'r self, over: Value, f: &mut CallFrame<'_, 'r, O>) -> Eval {
        let Some(list) = over.items() else {
            return Ok(Value::NOTHING);
        };
        for nth in 0..list.len() {
            let item = f.run.heap.item(list, nth).unwrap_or(Value::NOTHING);
            if !self.continues(nth, item, f) {
                return loop_value(f);
            }
        }
        Ok(Value::NOTHING)
    }

    #[inline]
    fn each<O: Observer>(&'r self, items: impl Iterator<Item = Value>, f: &mut CallFrame<'_, 'r, O>) -> Eval {
        for (nth, item) in items.enumerate() {
            if !self.continues(nth, item, f) {
                return loop_value(f);
            }
        }
        Ok(Value::NOTHING)
    }

    /// One turn of the loop; whether another may follow.
    #[inline(always)]
    fn continues<O: Observer>(&'r self, nth: usize, item: Value, f: &mut CallFrame<'_, 'r, O>) -> bool {
        if f.spend(self.cost, self.spot).is_err() {
            return false;
        }
        if let Some(counter) = self.counter {
            f.declare(counter, self.shared.1, (nth as i64).into());
        }
        f.declare(self.item, self.shared.0, item);
        self.body.only::<O>().eval(f).is_ok() || f.run.exit == Exit::Continue
    }
}

/// Returns the value of a loop that was left in one of its iterations.
fn loop_value<O: Observer>(f: &CallFrame<'_, '_, O>) -> Eval {
    match f.run.exit {
        Exit::Break => Ok(f.run.carried),
        _ => Err(Unwinding),
    }
}

impl<'r> Chain {
    #[inline(never)]
    fn eval<O: Observer>(&'r self, f: &mut CallFrame<'_, 'r, O>) -> Eval {
        // Brackets alone are what rules write most.
        if let ([link], [at]) = (&self.links[..], &self.args[..])
            && matches!(link.what, LinkTo::Index)
            && !link.optional
        {
            let at = at.eval(f)?;
            let of = self.base.eval(f)?;
            return item(of, at, link.spot, f);
        }
        let mut values = [Value::NOTHING; MAX_ARGS];
        // Room is left in front of each link's arguments for the value that it is called on.
        let mut at = 0;
        let mut nodes = self.args.iter();
        for link in &self.links {
            for node in nodes.by_ref().take(link.what.args()) {
                at += 1;
                values[at] = node.eval(f)?;
            }
        }
        let mut value = self.base.eval(f)?;
        let mut at = 0;
        for link in &self.links {
            if link.optional && value.is_nothing() {
                return Ok(Value::NOTHING);
            }
            value = match &link.what {
                LinkTo::Get(property) => get(property, value, f)?,
                LinkTo::Native(choice, count) => {
                    values[at] = value;
                    let result = f.native(choice, &values[at..=at + count], link.spot)?;
                    at += count;
                    result
                }
                LinkTo::CallValue(count) => {
                    let result = f.run.call_value(value, &values[at + 1..=at + count], false);
                    at += count;
                    f.called(result, link.spot)?
                }
                LinkTo::Take(which, natives, count) => {
                    values[at] = value;
                    let result = f.take_out(*which, natives, &values[at..=at + count], link.spot)?;
                    at += count;
                    result
                }
                LinkTo::Index => {
                    at += 1;
                    item(value, values[at], link.spot, f)?
                }
            };
        }
        Ok(value)
    }
}

impl LinkTo {
    /// Returns the number of its arguments.
    pub fn args(&self) -> usize {
        match self {
            LinkTo::Get(_) => 0,
            LinkTo::Native(_, count) | LinkTo::CallValue(count) | LinkTo::Take(_, _, count) => *count,
            LinkTo::Index => 1,
        }
    }
}

impl<'r> Update {
    #[inline(never)]
    fn eval<O: Observer>(&'r self, f: &mut CallFrame<'_, 'r, O>) -> Eval {
        // Collecting into a list is what rules do most.
        if let (AccessBase::Local(local, false), ChangeOp::Mutate(mutation, nodes), []) =
            (&self.base, &self.change, &self.path[..])
            && let (Some(growth), [item]) = (mutation.grows, &nodes[..])
            && f.local(*local).is(Kind::List)
        {
            let item = item.eval(f)?;
            // It may be no list any more.
            let list = f.local(*local);
            let items = list.items().filter(|_| list.is(Kind::List));
            let longer = match (growth, items, item.items()) {
                (Growth::Push, Some(list), _) => library::push(f.run, list, item),
                (Growth::Append, Some(list), Some(more)) if item.is(Kind::List) => {
                    library::append(f.run, list, more)
                }
                _ => {
                    let name = library::MUTATORS[mutation.which as usize].name;
                    return Err(f.fail(FaultKind::Unfit(name, vec![list.kind(), item.kind()]), self.spot));
                }
            };
            f.locals[*local as usize] = f.take(longer, self.spot)?;
            return Ok(Value::NOTHING);
        }
        self.change(f)
    }
}

impl<'r> Switch {
    #[inline(never)]
    fn eval<O: Observer>(&'r self, f: &mut CallFrame<'_, 'r, O>) -> Eval {
        let subject = self.on.eval(f)?;
        f.spend((self.cases.len() / 16) as u32, self.spot)?;
        // Whole numbers stand for lengths, too.
        let length = subject.as_length().filter(|_| subject.is(Kind::Length));
        for (value, case) in &self.cases {
            let same = match length {
                Some(length) => Ok(value.as_length() == Some(length)),
                None => f.run.same(*value, subject),
            };
            if f.take(same, self.spot)? && self.holds(*case, f)? {
                return self.bodies[*case].body.eval(f);
            }
        }
        let (number, unit) = match length {
            Some(length) => (Some(length), UNIT),
            None => (subject.as_int(), 1),
        };
        if let Some(n) = number {
            for &(from, to, with_last, case) in &self.ranges {
                let (from, to) = (from.saturating_mul(unit), to.saturating_mul(unit));
                let within = n >= from && (n < to || with_last && n == to);
                if within && self.holds(case, f)? {
                    return self.bodies[case].body.eval(f);
                }
            }
        }
        if operate::is_several(subject.kind()) && self.asks_for_numbers() {
            return Err(f.fail(
                FaultKind::Operator("switch", vec![subject.kind(), Kind::Int]),
                self.spot,
            ));
        }
        match self.default {
            Some(case) => self.bodies[case].body.eval(f),
            None => Ok(Value::NOTHING),
        }
    }

    fn asks_for_numbers(&self) -> bool {
        !self.ranges.is_empty() || self.cases.iter().any(|(value, _)| value.is(Kind::Int))
    }

    fn holds<O: Observer>(&'r self, case: usize, f: &mut CallFrame<'_, 'r, O>) -> Eval<bool> {
        match &self.bodies[case].guard {
            Some((guard, spot)) => guard.test(f, *spot),
            None => Ok(true),
        }
    }
}

/// Returns the value after an operator with `=`: a list stays a list.
#[inline]
fn changed<O: Observer>(op: Op, old: Value, by: Value, spot: Loc, f: &mut CallFrame<'_, '_, O>) -> Eval {
    if let Some(result) = operate::at_once(op, old, by) {
        return Ok(result);
    }
    match operate::keeps_a_list(op, old, by) {
        Ok(()) => binary(op, old, by, spot, f),
        Err(why) => Err(f.fail(why, spot)),
    }
}

/// Applies an operator.
#[inline(never)]
fn binary<O: Observer>(op: Op, left: Value, right: Value, spot: Loc, f: &mut CallFrame<'_, '_, O>) -> Eval {
    if let Some(result) = operate::at_once(op, left, right) {
        return Ok(result);
    }
    let heap = &mut *f.run.heap;
    let set = match op {
        Op::Or => heap.merged(left, right, |a, b| a | b),
        Op::Sub => heap.merged(left, right, |a, b| a & !b),
        Op::And if left.kind() == right.kind() => heap.merged(left, right, |a, b| a & b),
        _ => None,
    };
    if let Some(set) = set {
        return Ok(set);
    }
    let answer = operate::operate(f.run, op, left, right);
    f.take(answer, spot)
}

impl<O: Observer> Run<'_, O> {
    /// Tells the watcher, if there is one.
    #[inline]
    pub fn watch<T>(&mut self, tell: impl FnOnce(&mut dyn Watcher, &RunView<'_>) -> T) -> Option<T> {
        if !O::ON {
            return None;
        }
        let scene = RunView {
            table: self.table,
            heap: self.heap,
        };
        self.observer.watcher().map(|w| tell(w, &scene))
    }
}
