//! From nodes to instructions: registers are given out, small functions stand in place of their calls, and conditions
//! become jumps.
//!
//! Two rules keep values where they belong. An instruction sets its register last: until then variables are as they
//! were. And the value of a variable is taken from its own register unless what is worked out after it may change it.
//!
//! What is called costs the same fuel in place of its call, and counts as a call where calls are nested too deep or
//! fail.

use super::code::*;
use super::context::Program;
use super::members::Getter;
use super::natives::NATIVES;
use super::node::*;
use super::value::{Kind, Value};

/// A function with more nodes than this is called.
const SMALL: usize = 40;
/// More items of a list than this are laid aside.
const FEW: usize = MAX_ARGS;
/// Number of registers that a function in place of its call must leave free.
const SPARE: usize = 64;

/// Makes the instructions of a function.
pub fn compile(function: usize, program: &Program, watched: bool) -> Code {
    let made = Compiler::new(program, watched, !watched).function(function);
    made.or_else(|| Compiler::new(program, watched, false).function(function))
        .unwrap_or_else(|| Code {
            all: vec![Instruction::TooMuch],
            places: vec![(0, Loc::new(program.functions[function].at))],
            within: vec![Within {
                function,
                called: None,
            }],
            ..Code::default()
        })
}

/// Meaning of a local variable of a function.
#[derive(Clone, Copy)]
enum Known {
    /// A value that is known.
    Value(Value),
    /// The content of a register.
    Register(Reg),
}

/// Labels of a loop, and the register for its value.
#[derive(Clone, Copy)]
struct Loop {
    again: u32,
    end: u32,
    to: Option<Reg>,
}

/// The function whose nodes are gone through: its own, or one in place of its call.
#[derive(Default)]
struct Scope {
    /// Its index in [`Code::within`].
    within: u32,
    /// The register of its first variable.
    base: usize,
    /// Meaning of its parameters that need no register.
    params: Vec<Option<Known>>,
    /// In place of its call: where its value goes, and the label behind it.
    end: Option<(Option<Reg>, u32)>,
    loops: Vec<Loop>,
}

struct Compiler<'p> {
    program: &'p Program,
    watched: bool,
    inlines: bool,
    code: Code,
    scope: Scope,
    /// The first register that is free.
    top: usize,
    /// Number of values that are laid aside.
    kept: u32,
    /// Instructions at which labels stand.
    labels: Vec<u32>,
    /// There were not enough registers.
    full: bool,
}

impl<'p> Compiler<'p> {
    fn new(program: &'p Program, watched: bool, inlines: bool) -> Self {
        Self {
            program,
            watched,
            inlines,
            code: Code::default(),
            scope: Scope::default(),
            top: 0,
            kept: 0,
            labels: Vec::new(),
            full: false,
        }
    }

    /// The instructions of a function; `None` where it needs more registers than there are.
    fn function(mut self, function: usize) -> Option<Code> {
        let code = &self.program.functions[function].code;
        self.code.within.push(Within {
            function,
            called: None,
        });
        self.top = code.locals;
        for local in &code.shared {
            let local = self.of(*local);
            self.emit(Instruction::Share(local), Loc::default());
        }
        let nothing = Node::NOTHING;
        let from = self.operand(code.body.as_ref().unwrap_or(&nothing), &[]);
        self.emit(Instruction::Return(from), Loc::default());
        if self.full {
            return None;
        }
        let Self { mut code, labels, .. } = self;
        let targets = code.all.iter_mut().filter_map(Instruction::target);
        let cases = code.switches.iter_mut();
        let cases = cases.flat_map(|s| s.cases.iter_mut().map(|(_, at)| at).chain([&mut s.otherwise]));
        for target in targets.chain(cases) {
            *target = labels[*target as usize];
        }
        Some(code)
    }

    // --- instructions, labels and registers --------------------------------------------------------

    fn emit(&mut self, instruction: Instruction, spot: Loc) {
        self.code.all.push(instruction);
        self.code.places.push((self.scope.within, spot));
    }

    fn label(&mut self) -> u32 {
        self.labels.push(u32::MAX);
        self.labels.len() as u32 - 1
    }

    /// A label stands before the next instruction.
    fn place(&mut self, label: u32) {
        self.labels[label as usize] = self.code.all.len() as u32;
    }

    fn jump(&mut self, target: u32) {
        self.emit(Instruction::Jump(target), Loc::default());
    }

    /// Registers in a row that are free from here on, by the first.
    fn row(&mut self, count: usize) -> Reg {
        let first = self.top;
        self.top += count;
        if self.top > REGISTERS {
            self.full = true;
            self.top = first;
            return 0;
        }
        first as Reg
    }

    /// The register of a variable of the function.
    fn of(&self, local: u16) -> Reg {
        (self.scope.base + usize::from(local)) as Reg
    }

    fn known(&self, local: u16) -> Known {
        let param = self.scope.params.get(usize::from(local)).copied().flatten();
        param.unwrap_or(Known::Register(self.of(local)))
    }

    fn constant(&mut self, value: Value) -> u32 {
        self.code.constants.push(value);
        self.code.constants.len() as u32 - 1
    }

    fn set(&mut self, to: Option<Reg>, value: Value) {
        if let Some(to) = to {
            let value = self.constant(value);
            self.emit(Instruction::Const(to, value), Loc::default());
        }
    }

    fn copy(&mut self, to: Reg, from: Reg) {
        if to != from {
            self.emit(Instruction::Move(to, from), Loc::default());
        }
    }

    /// The register with the value of a node, before other nodes are worked out.
    fn operand(&mut self, node: &Node, later: &[&Node]) -> Reg {
        if let Node::Local(local) = node
            && let Known::Register(register) = self.known(*local)
            && later.iter().all(|node| written(node).0 >> local & 1 == 0)
        {
            return register;
        }
        let to = self.row(1);
        self.eval(node, Some(to));
        to
    }

    /// Registers in a row with the values of arguments. Rhai takes a variable in first place last.
    fn arguments(&mut self, nodes: &[Node]) -> Reg {
        let first = self.row(nodes.len());
        let late = usize::from(nodes.first().is_some_and(Node::is_variable));
        for nth in (late..nodes.len()).chain(0..late) {
            self.eval(&nodes[nth], Some(first.wrapping_add(nth as Reg)));
        }
        first
    }

    /// Lays the values of nodes aside, on top of those that are there already; returns how many those are.
    fn keep<'n>(&mut self, nodes: impl Iterator<Item = &'n Node>) -> u32 {
        let before = self.kept;
        self.code.keeps = true;
        for node in nodes {
            let mark = self.top;
            let from = self.operand(node, &[]);
            self.emit(Instruction::Keep(from, self.kept), Loc::default());
            self.kept += 1;
            self.top = mark;
        }
        self.kept = before;
        before
    }

    // --- nodes -------------------------------------------------------------------------------------

    /// Works out a node; its value goes into a register where somebody wants it.
    fn eval(&mut self, node: &Node, to: Option<Reg>) {
        let mark = self.top;
        self.work_out(node, to);
        self.top = mark;
    }

    fn work_out(&mut self, node: &Node, wanted: Option<Reg>) {
        match node {
            Node::Block(statements) => return self.block(statements, wanted),
            Node::If(it) => return self.branch(it, wanted),
            Node::Switch(it) => return self.switch(it, wanted),
            Node::Call(it) if self.inlines && self.in_place(it, wanted) => return,
            Node::While(it) => return self.repeat(it, wanted),
            Node::For(it) => return self.go_through(it, wanted),
            Node::Let(it) => {
                let local = self.of(it.local);
                self.eval(&it.value, Some(local));
                if it.shared {
                    self.emit(Instruction::Share(local), Loc::default());
                }
                return self.set(wanted, Value::NOTHING);
            }
            Node::Assign(it) => {
                self.assign(it);
                return self.set(wanted, Value::NOTHING);
            }
            Node::Return(value) => return self.leave(value.as_deref()),
            Node::Break(value) => {
                if let Some(around) = self.scope.loops.last().copied() {
                    self.eval(value.as_deref().unwrap_or(&Node::NOTHING), around.to);
                    self.jump(around.end);
                }
                return;
            }
            Node::Continue => {
                if let Some(around) = self.scope.loops.last().copied() {
                    self.jump(around.again);
                }
                return;
            }
            _ => {}
        }
        let to = wanted.unwrap_or_else(|| self.row(1));
        match node {
            Node::Const(value) => self.set(wanted, *value),
            Node::Local(local) => match self.known(*local) {
                Known::Value(value) => self.set(wanted, value),
                Known::Register(from) => self.copy(to, from),
            },
            Node::Shared(local) => {
                let local = self.of(*local);
                self.emit(Instruction::Read(to, local), Loc::default());
            }
            Node::Update(it) => self.update(it, wanted, to),
            Node::Native(it) => self.native(it, to, None),
            Node::Call(it) => {
                let (first, count) = (self.arguments(&it.args), it.args.len() as u8);
                let function = it.function;
                self.emit(Instruction::Call(to, first, count, function), it.spot);
            }
            Node::Hook(it) => {
                let (first, count) = (self.arguments(&it.args), it.args.len() as u8);
                let hook = it.hook.0.into();
                self.emit(Instruction::Hook(to, first, count, hook), it.spot);
            }
            Node::Get(it) => {
                let of = self.operand(&it.of, &[]);
                self.get(&it.property, of, to);
            }
            Node::Chain(it) => self.chain(it, to),
            Node::Binary(it) => {
                let left = self.operand(&it.left, &[&it.right]);
                let right = self.operand(&it.right, &[]);
                let op = it.op;
                let instruction = match op {
                    Op::Add => Instruction::Add(to, left, right),
                    Op::Sub => Instruction::Subtract(to, left, right),
                    _ => Instruction::Operate(to, left, right, op),
                };
                self.emit(instruction, it.spot);
            }
            Node::Compare(it) => {
                let left = self.operand(&it.left, &[]);
                let (op, right) = (it.op, self.constant(it.right));
                self.emit(Instruction::OperateTo(to, left, op, right), it.spot);
            }
            Node::Not(it) => {
                let of = self.operand(&it.of, &[]);
                self.emit(Instruction::Not(to, of), it.spot);
            }
            Node::Negate(it) | Node::Plus(it) => {
                let of = self.operand(&it.of, &[]);
                let minus = matches!(node, Node::Negate(_));
                self.emit(Instruction::Sign(to, of, minus), it.spot);
            }
            Node::All(_) | Node::Any(_) => {
                let (other, end) = (self.label(), self.label());
                self.condition(node, false, other, Loc::default());
                self.set(wanted, Value::TRUE);
                self.jump(end);
                self.place(other);
                self.set(wanted, Value::FALSE);
                self.place(end);
            }
            Node::Coalesce(it) => {
                let (on, end) = (self.row(1), self.label());
                for (nth, node) in it.nodes.iter().enumerate() {
                    self.eval(node, Some(on));
                    if nth + 1 < it.nodes.len() {
                        let wanted = false;
                        self.emit(Instruction::JumpNothing(on, wanted, end), Loc::default());
                    }
                }
                self.place(end);
                self.copy(to, on);
            }
            Node::List(it) => self.list(it, to),
            Node::Map(it) => {
                let at = self.keep(it.entries.iter().map(|(_, node)| node));
                let keys = it.entries.iter().map(|(key, _)| *key).collect();
                self.code.maps.push((keys, it.order.clone()));
                let map = self.code.maps.len() as u32 - 1;
                self.emit(Instruction::MapKept(to, at, map), it.spot);
            }
            Node::Text(it) => {
                let at = self.keep(it.nodes.iter());
                let spot = it.spots.first().copied().unwrap_or_default();
                self.emit(Instruction::TextKept(to, at), spot);
            }
            Node::Closure(it) => {
                self.code.closures.push(ClosureCode {
                    function: it.function,
                    captures: it.captures.iter().map(|local| *local as Reg).collect(),
                });
                let closure = self.code.closures.len() as u32 - 1;
                self.emit(Instruction::Closure(to, closure), Loc::default());
            }
            Node::Throw(it) => {
                let from = self.operand(&it.of, &[]);
                self.emit(Instruction::Throw(from), it.spot);
            }
            #[cfg(any(test, feature = "trials"))]
            Node::Drift => self.emit(Instruction::Drift(to), Loc::default()),
            Node::NoName(it) => {
                self.code.names.push(it.0.clone());
                let name = self.code.names.len() as u32 - 1;
                self.emit(Instruction::NoName(name), it.1);
            }
            Node::NoFunction(it) => {
                let at = self.keep(it.args.iter());
                self.code.names.push(it.name.clone());
                let name = self.code.names.len() as u32 - 1;
                self.emit(Instruction::NoFunction(at, name), it.spot);
            }
            Node::Block(_)
            | Node::If(_)
            | Node::Switch(_)
            | Node::While(_)
            | Node::For(_)
            | Node::Let(_)
            | Node::Assign(_)
            | Node::Return(_)
            | Node::Break(_)
            | Node::Continue => {}
        }
    }

    fn block(&mut self, statements: &[Stmt], wanted: Option<Reg>) {
        let Some((last, before)) = statements.split_last() else {
            return self.set(wanted, Value::NOTHING);
        };
        for statement in before {
            self.reach(statement);
            self.eval(&statement.node, None);
        }
        self.reach(last);
        self.eval(&last.node, wanted);
    }

    fn reach(&mut self, statement: &Stmt) {
        // What says nothing behind the last `;` is no place.
        if self.watched && statement.spot != Loc::default() {
            self.code.statements.push((statement.spot, statement.scope));
            let statement = self.code.statements.len() as u32 - 1;
            self.emit(Instruction::Reach(statement), Loc::default());
        }
    }

    fn branch(&mut self, it: &If, wanted: Option<Reg>) {
        let (other, end) = (self.label(), self.label());
        self.condition(&it.guard, false, other, it.spot);
        self.eval(&it.then, wanted);
        let is_empty = wanted.is_none() && matches!(it.otherwise, Node::Const(_));
        if !is_empty {
            self.jump(end);
        }
        self.place(other);
        self.eval(&it.otherwise, wanted);
        self.place(end);
    }

    /// Goes to a label if a node says `wanted`.
    fn condition(&mut self, node: &Node, wanted: bool, target: u32, spot: Loc) {
        let mark = self.top;
        match node {
            Node::Const(value) if value.as_bool().is_some() => {
                if value.as_bool() == Some(wanted) {
                    self.jump(target);
                }
            }
            Node::Compare(it) if let Some(when) = Outcomes::of(it.op, wanted) => {
                let left = self.operand(&it.left, &[]);
                let right = self.constant(it.right);
                self.emit(Instruction::JumpCompareTo(left, when, right, target), it.spot);
            }
            Node::Binary(it) if let Some(when) = Outcomes::of(it.op, wanted) => {
                let left = self.operand(&it.left, &[&it.right]);
                let right = self.operand(&it.right, &[]);
                self.emit(Instruction::JumpCompare(left, right, when, target), it.spot);
            }
            Node::All(it) | Node::Any(it) => {
                // All are true where the last is; one that is not decides at once. With "any" it is the other way.
                let deciding = matches!(node, Node::Any(_));
                let end = self.label();
                let to = if wanted == deciding { target } else { end };
                let mut parts = it.nodes.iter().zip(&it.spots).peekable();
                while let Some((part, spot)) = parts.next() {
                    match parts.peek() {
                        Some(_) => self.condition(part, deciding, to, *spot),
                        None => self.condition(part, wanted, target, *spot),
                    }
                }
                self.place(end);
            }
            Node::Not(it) => {
                let on = self.operand(&it.of, &[]);
                let (wanted, negated) = (!wanted, true);
                self.emit(Instruction::JumpIf(on, wanted, negated, target), it.spot);
            }
            _ => {
                let on = self.operand(node, &[]);
                let negated = false;
                self.emit(Instruction::JumpIf(on, wanted, negated, target), spot);
            }
        }
        self.top = mark;
    }

    fn assign(&mut self, it: &Assign) {
        let local = self.of(it.local);
        if it.op.is_none() && !it.shared {
            return self.eval(&it.value, Some(local));
        }
        let mark = self.top;
        let mut from = self.operand(&it.value, &[]);
        if let Some(op) = it.op {
            let (mut old, mut to) = (local, local);
            if it.shared {
                (old, to) = (self.row(1), self.row(1));
                self.emit(Instruction::Read(old, local), Loc::default());
            }
            self.emit(Instruction::Changed(to, old, from, op), it.spot);
            from = to;
        }
        if it.shared {
            self.emit(Instruction::Write(local, from), Loc::default());
        }
        self.top = mark;
    }

    fn leave(&mut self, value: Option<&Node>) {
        let value = value.unwrap_or(&Node::NOTHING);
        match self.scope.end {
            Some((to, end)) => {
                self.eval(value, to);
                self.jump(end);
            }
            None => {
                let from = self.operand(value, &[]);
                self.emit(Instruction::Return(from), Loc::default());
            }
        }
    }

    fn repeat(&mut self, it: &While, to: Option<Reg>) {
        let (first, again, end, done) = (self.label(), self.label(), self.label(), self.label());
        let spend = Instruction::Spend(it.cost);
        if it.body_first {
            self.emit(spend, it.spot);
            self.jump(first);
        }
        self.place(again);
        self.emit(spend, it.spot);
        if let Some(guard) = &it.guard {
            self.condition(guard, !it.goes_on, end, it.spot);
        }
        self.place(first);
        self.scope.loops.push(Loop { again, end: done, to });
        self.eval(&it.body, None);
        self.scope.loops.pop();
        self.jump(again);
        self.place(end);
        self.set(to, Value::NOTHING);
        self.place(done);
    }

    fn go_through(&mut self, it: &For, to: Option<Reg>) {
        let state = self.row(2);
        match &it.over {
            LoopSource::Value(node) => {
                let over = self.operand(node, &[]);
                self.emit(Instruction::Each(state, over), it.spot);
            }
            LoopSource::Range(first, last, with_last) => {
                let from = self.operand(first, &[last]);
                let (to, with_last) = (self.operand(last, &[]), *with_last);
                self.emit(Instruction::EachNumber(state, from, to, with_last), it.spot);
            }
        }
        let number = it.counter.map(|_| self.row(1));
        self.set(number, 0.into());
        let (body, again, done) = (self.label(), self.label(), self.label());
        self.jump(again);
        self.place(body);
        let item = self.of(it.item);
        if let (Some(counter), Some(number)) = (it.counter, number) {
            let local = self.of(counter);
            self.copy(local, number);
            if it.shared.1 {
                self.emit(Instruction::Share(local), Loc::default());
            }
            let one = self.constant(1.into());
            self.emit(Instruction::OperateTo(number, number, Op::Add, one), it.spot);
        }
        if it.shared.0 {
            self.emit(Instruction::Share(item), Loc::default());
        }
        self.scope.loops.push(Loop { again, end: done, to });
        self.eval(&it.body, None);
        self.scope.loops.pop();
        self.place(again);
        self.emit(Instruction::Next(item, state, it.cost, body), it.spot);
        self.set(to, Value::NOTHING);
        self.place(done);
    }

    fn switch(&mut self, it: &Switch, wanted: Option<Reg>) {
        let guards = it.bodies.iter().filter_map(|case| Some(&case.guard.as_ref()?.0));
        let on = self.operand(&it.on, &guards.collect::<Vec<_>>());
        let (otherwise, end) = (self.label(), self.label());
        let bodies: Vec<u32> = it.bodies.iter().map(|_| self.label()).collect();
        let values = it
            .cases
            .iter()
            .map(|(value, case)| (SwitchCase::Is(*value), *case));
        let ranges = it
            .ranges
            .iter()
            .map(|&(from, to, with_last, case)| (SwitchCase::Within(from, to, with_last), case));
        let all: Vec<(SwitchCase, usize)> = values.chain(ranges).collect();
        let switch = self.code.switches.len() as u32;
        let is_number = |(value, _): &(Value, usize)| value.is(Kind::Int);
        let mut targets: Vec<u32> = all.iter().map(|(_, case)| bodies[*case]).collect();
        self.code.switches.push(SwitchTable {
            cases: Vec::new(),
            cost: (it.cases.len() / 16) as u32,
            otherwise,
            of_numbers: !it.ranges.is_empty() || it.cases.iter().any(is_number),
        });
        self.emit(Instruction::Switch(on, 0, switch), it.spot);
        for (nth, (_, case)) in all.iter().enumerate() {
            if let Some((guard, spot)) = &it.bodies[*case].guard {
                targets[nth] = self.label();
                self.place(targets[nth]);
                self.condition(guard, true, bodies[*case], *spot);
                let from = nth as u32 + 1;
                self.emit(Instruction::Switch(on, from, switch), it.spot);
            }
        }
        let cases = all.into_iter().map(|(case, _)| case).zip(targets).collect();
        self.code.switches[switch as usize].cases = cases;
        for (case, label) in it.bodies.iter().zip(&bodies) {
            self.place(*label);
            self.eval(&case.body, wanted);
            self.jump(end);
        }
        self.place(otherwise);
        match it.default {
            Some(case) => self.jump(bodies[case]),
            None => self.set(wanted, Value::NOTHING),
        }
        self.place(end);
    }

    /// A call of a native function; pairs may at once become part of the list in a variable, behind which it goes on at
    /// a label.
    fn native(&mut self, it: &NativeCall, to: Reg, grows: Option<(Reg, u32)>) {
        self.code.choices.push(it.choice.clone());
        let choice = self.code.choices.len() as u32 - 1;
        let instruction = match &it.args[..] {
            [only] => Instruction::Native1(to, self.operand(only, &[]), choice),
            [first, second] if it.late => {
                let second = self.operand(second, &[first]);
                let first = self.operand(first, &[]);
                Instruction::Native2(to, first, second, choice)
            }
            [first, second] => {
                let first = self.operand(first, &[second]);
                let second = self.operand(second, &[]);
                Instruction::Native2(to, first, second, choice)
            }
            args => {
                let (first, count) = (self.arguments(args), args.len() as u8);
                Instruction::Native(to, first, count, choice)
            }
        };
        if let (Some((local, target)), Instruction::Native2(_, first, with, _)) = (grows, instruction) {
            self.emit(Instruction::GrowByPairs(local, first, with, target), it.spot);
        }
        self.emit(instruction, it.spot);
    }

    fn get(&mut self, access: &PropertyAccess, of: Reg, to: Reg) {
        self.code.properties.push(access.clone());
        let property = self.code.properties.len() as u32 - 1;
        let member = self.program.members.member(access.member);
        let mut ways = Kind::ALL
            .iter()
            .zip(&member.get)
            .filter_map(|(kind, way)| Some((*kind, (*way)?)));
        let instruction = match (ways.next(), ways.next()) {
            (Some((kind, Getter::Native(getter))), None) => {
                Instruction::GetNative(to, of, kind, getter, property)
            }
            (Some((kind, Getter::Slot(slot, holds))), None) if holds.is_word() => {
                let slot = slot as u16;
                Instruction::GetSlot(to, of, kind, slot, property)
            }
            (Some((Kind::Unit, Getter::Stat(stat))), Some((Kind::Type, _))) if ways.next().is_none() => {
                let stat = stat as u16;
                Instruction::GetStat(to, of, stat, property)
            }
            _ => Instruction::Get(to, of, property),
        };
        self.emit(instruction, access.spot);
    }

    /// Every argument of a chain is worked out before its base.
    fn chain(&mut self, it: &Chain, to: Reg) {
        let mut nodes = it.args.iter();
        // Before the arguments of each link there is room for what it is called on.
        let mut rows = Vec::new();
        for link in &it.links {
            let count = link.what.args();
            let row = self.row(count + 1);
            for (nth, node) in nodes.by_ref().take(count).enumerate() {
                self.eval(node, Some(row.wrapping_add(nth as Reg + 1)));
            }
            rows.push(row);
        }
        let (on, end) = (self.row(1), self.label());
        self.eval(&it.base, Some(on));
        for (link, first) in it.links.iter().zip(rows) {
            let spot = link.spot;
            if link.optional {
                let wanted = true;
                self.emit(Instruction::JumpNothing(on, wanted, end), Loc::default());
            }
            let count = link.what.args() as u8 + 1;
            let instruction = match &link.what {
                LinkTo::Get(property) => {
                    self.get(property, on, on);
                    continue;
                }
                LinkTo::Index => Instruction::Index(on, on, first.wrapping_add(1)),
                LinkTo::Native(choice, _) => {
                    self.copy(first, on);
                    self.code.choices.push(choice.clone());
                    let choice = self.code.choices.len() as u32 - 1;
                    Instruction::Native(on, first, count, choice)
                }
                LinkTo::CallValue(_) => {
                    self.copy(first, on);
                    Instruction::CallValue(on, first, count)
                }
                LinkTo::Take(which, choice, _) => {
                    self.copy(first, on);
                    self.code.choices.push(choice.clone());
                    let choice = self.code.choices.len() as u32 - 1;
                    Instruction::Take(on, first, count, *which, choice)
                }
            };
            self.emit(instruction, spot);
        }
        self.place(end);
        self.copy(to, on);
    }

    fn list(&mut self, it: &Each, to: Reg) {
        let spot = it.spots.first().copied().unwrap_or_default();
        if it.nodes.len() > FEW {
            let at = self.keep(it.nodes.iter());
            return self.emit(Instruction::ListKept(to, at), spot);
        }
        let (first, count) = (self.row(it.nodes.len()), it.nodes.len() as u8);
        for (nth, node) in it.nodes.iter().enumerate() {
            self.eval(node, Some(first.wrapping_add(nth as Reg)));
        }
        self.emit(Instruction::List(to, first, count), spot);
    }

    fn update(&mut self, it: &Update, wanted: Option<Reg>, to: Reg) {
        let args: &[Node] = match &it.change {
            ChangeOp::Set(_, value) => std::slice::from_ref(value),
            ChangeOp::Mutate(_, args) => args,
        };
        let how = match &it.change {
            ChangeOp::Set(op, _) => ChangeHow::Set(*op),
            ChangeOp::Mutate(mutation, _) => ChangeHow::Mutate(mutation.clone()),
        };
        let root = match &it.base {
            AccessBase::Local(local, shared) => ChangeRoot::Variable(self.of(*local), *shared),
            AccessBase::Constant(.., name) => ChangeRoot::Constant(name.clone()),
            AccessBase::Value(_) => ChangeRoot::Value,
        };
        let is_set = matches!(how, ChangeHow::Set(_));
        // What is called stands before its arguments.
        let before = args.len() + usize::from(!is_set);
        let path = it.path.iter().map(|step| match step {
            AccessStep::Property(property) => PathStep::Property((**property).clone()),
            AccessStep::Index(index) => PathStep::Index(index.1),
        });
        let path = path.collect();
        let growth = match (&how, &root, &it.path[..]) {
            (
                ChangeHow::Mutate(Mutation { grows: Some(how), .. }),
                ChangeRoot::Variable(local, false),
                [],
            ) => Some((*how, *local)),
            _ => None,
        };
        let change = self.code.changes.len() as u32;
        self.code.changes.push(Change {
            root,
            path,
            how,
            before,
        });
        let first = self.row(before + it.path.len());
        if let (Some((how, local)), [item]) = (growth, args) {
            let (end, by) = (self.label(), first.wrapping_add(1));
            match item {
                Node::Native(call) if how == Growth::Append && makes_pairs(call) && !self.watched => {
                    self.native(call, by, Some((local, end)));
                }
                item => self.eval(item, Some(by)),
            }
            self.emit(Instruction::Grow(local, first, how, change), it.spot);
            self.place(end);
            return self.set(wanted, Value::NOTHING);
        }
        let behind = first.wrapping_add(before as Reg);
        let own = behind.wrapping_sub(args.len() as Reg);
        let args = (own..).zip(args);
        let indices = (behind..)
            .zip(&it.path)
            .filter_map(|(register, step)| match step {
                AccessStep::Index(index) => Some((register, &index.0)),
                AccessStep::Property(_) => None,
            });
        // A new value comes before the indices, arguments behind them, the base last.
        let in_order: Vec<(Reg, &Node)> = match is_set {
            true => args.chain(indices).collect(),
            false => indices.chain(args).collect(),
        };
        for (register, node) in in_order {
            self.eval(node, Some(register));
        }
        let base = match &it.base {
            AccessBase::Value(node) => self.operand(node, &[]),
            AccessBase::Local(local, true) | AccessBase::Constant(local, true, _) => {
                self.operand(&Node::Shared(*local), &[])
            }
            AccessBase::Local(local, false) | AccessBase::Constant(local, false, _) => {
                self.operand(&Node::Local(*local), &[])
            }
        };
        self.emit(Instruction::Change(to, base, first, change), it.spot);
    }

    // --- small functions in place of their calls ---------------------------------------------------

    /// Puts a function in place of its call; false where it is not small, or its variables may be somebody else's.
    fn in_place(&mut self, call: &CallNode, to: Option<Reg>) -> bool {
        let function = call.function as usize;
        let code = &self.program.functions[function].code;
        let Some(body) = self.small(call) else {
            return false;
        };
        if self.top + code.locals + SPARE > REGISTERS {
            return false;
        }
        let first = self.row(code.locals);
        let (changed, _) = written(body);
        // What changes while arguments are taken, or in the function, is not what was handed over.
        let still = call.args.iter().all(|arg| written(arg) == (0, false));
        let params = call.args.iter().enumerate().map(|(nth, arg)| match arg {
            Node::Const(value) if still && changed >> nth & 1 == 0 => Some(Known::Value(*value)),
            Node::Local(local) if still && changed >> nth & 1 == 0 => Some(self.known(*local)),
            _ => None,
        });
        let params: Vec<Option<Known>> = params.collect();
        let late = usize::from(call.args.first().is_some_and(Node::is_variable));
        for nth in (late..params.len()).chain(0..late) {
            if params[nth].is_none() {
                self.eval(&call.args[nth], Some(first.wrapping_add(nth as Reg)));
            }
        }
        let (cost, end) = (code.cost, self.label());
        self.emit(Instruction::Enter(call.function, cost), call.spot);
        self.code.within.push(Within {
            function,
            called: Some((self.scope.within as usize, call.spot)),
        });
        let own = Scope {
            within: self.code.within.len() as u32 - 1,
            base: first.into(),
            params,
            end: Some((to, end)),
            loops: Vec::new(),
        };
        let around = std::mem::replace(&mut self.scope, own);
        self.eval(body, to);
        self.place(end);
        self.scope = around;
        self.emit(Instruction::Leave, call.spot);
        true
    }

    /// The body of a called function that is small with all that is called in it.
    fn small(&self, call: &CallNode) -> Option<&'p Node> {
        let mut left = SMALL;
        let body = self.body(call)?;
        self.count(body, &mut left).then_some(body)
    }

    /// The body of a called function whose variables are its own.
    fn body(&self, call: &CallNode) -> Option<&'p Node> {
        let code = &self.program.functions[call.function as usize].code;
        let fits = code.params == call.args.len() && !code.heavy && code.shared.is_empty();
        let body = code.body.as_ref().filter(|_| fits)?;
        (!written(body).1).then_some(body)
    }

    /// Counts the nodes of a node and of the functions in place of its calls; false where there are more than left.
    fn count(&self, node: &Node, left: &mut usize) -> bool {
        let Some(less) = left.checked_sub(1) else {
            return false;
        };
        *left = less;
        let mut all = true;
        if let Node::Call(call) = node
            && let Some(body) = self.body(call)
        {
            all = self.count(body, left);
        }
        node.parts(&mut |part| {
            if let NodePart::Node(part) = part {
                all = all && self.count(part, left);
            }
        });
        all
    }
}

/// Whether a call of two arguments makes pairs.
fn makes_pairs(call: &NativeCall) -> bool {
    call.args.len() == 2
        && call
            .choice
            .all
            .iter()
            .all(|n| NATIVES[usize::from(*n)].name == "pairs")
}

/// The variables that are written in a node, as bits, and whether closures share some.
fn written(node: &Node) -> (u64, bool) {
    let mut all = (0, false);
    node.parts(&mut |part| {
        let more = match part {
            NodePart::Node(node) => written(node),
            NodePart::Written(local) => (1 << local, false),
            NodePart::Shared => (0, true),
        };
        all = (all.0 | more.0, all.1 || more.1);
    });
    all
}

#[cfg(test)]
mod tests {
    use super::super::function::{Function, FunctionCode};
    use super::*;
    use crate::parse::Definition;
    use std::sync::Arc;

    /// The instructions of a function with lists in lists, each of eight items.
    fn nested(levels: usize) -> Code {
        let list = |inner: Node, _| {
            let nodes = [vec![Node::Local(0); FEW - 1], vec![inner]].concat();
            let spots = [Loc::default()].into();
            Node::List(Box::new(Each {
                nodes: nodes.into(),
                spots,
            }))
        };
        let body = (0..levels).fold(Node::Local(0), list);
        let function = Function {
            text: 0,
            place: Definition { script: 0, level: 0 },
            name: String::new(),
            params: vec!["it".to_owned()],
            at: (1, 1),
            within: None,
            code: FunctionCode {
                params: 1,
                locals: 1,
                body: Some(body),
                ..FunctionCode::default()
            },
        };
        let program = Program {
            functions: vec![Arc::new(function)],
            ..Program::default()
        };
        compile(0, &program, false)
    }

    #[test]
    fn more_values_at_once_than_registers_are_refused() {
        let is_refused = |code: &Code| matches!(code.all[..], [Instruction::TooMuch]);
        assert!(!is_refused(&nested(20)));
        assert!(is_refused(&nested(40)));
    }
}
