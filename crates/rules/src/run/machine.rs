//! The machine that runs instructions.
//!
//! What each instruction does in the usual case stands in one loop; everything else is in functions of its own, so that
//! the loop stays small and calls that are nested take little of the stack.

mod change;

use super::code::*;
use super::compile::compile;
use super::context::{Run, slot_value};
use super::fault::{Eval, Fault, FaultKind, NativeResult, Unwinding};
use super::function::FunctionCode;
use super::members::Getter;
use super::natives::Runs;
use super::node::{Growth, Loc, MAX_LOCALS, Op, PropertyAccess};
use super::observe::{Observer, RunPlace, RunView, Watcher};
use super::value::{Kind, ListId, Value};
use super::{library, memo, operate};
use crate::engine::MAX_CALL_LEVELS;
use crate::kernel::ids::{Thing, WordId};
use crate::kernel::spot::UNIT;
use std::sync::Arc;

// --- calls -------------------------------------------------------------------------------------------

impl<'r, O: Observer> Run<'r, O> {
    /// Calls a function of the ruleset.
    pub fn call(&mut self, function: usize, args: &[Value]) -> Eval {
        #[cfg(any(test, feature = "trials"))]
        if let Some(result) = super::oracle::call(self, function, args) {
            return result;
        }
        self.enter(function, args)
    }

    /// Calls a closure; with `more` by what goes through a list, which offers the item's number too: a closure need not
    /// take it.
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
        let args = match more {
            true => &args[..args.len().min(wanted)],
            false => args,
        };
        if args.len() != wanted {
            return Err(self.misfit(code as usize, captures, args.len()));
        }
        let count = captures + args.len();
        if count > MAX_LOCALS {
            return Err(self.fail_here(FaultKind::Large));
        }
        let mut registers = self.heap.registers();
        registers[..captures].copy_from_slice(self.heap.list(captured));
        registers[captures..count].copy_from_slice(args);
        self.enter_with(registers, code as usize, count)
    }

    /// A closure does not take so many arguments; whoever called it says where.
    #[cold]
    fn misfit(&mut self, function: usize, captures: usize, given: usize) -> Unwinding {
        let own = &self.program.functions[function].params[captures..];
        let name = format!("|{}|", own.join(", "));
        self.fail_here(FaultKind::Arguments(name, own.len(), given))
    }

    /// Calls a function of ours.
    #[inline]
    fn enter(&mut self, function: usize, args: &[Value]) -> Eval {
        let mut registers = self.heap.registers();
        // Mostly there are one or two.
        for (register, arg) in registers.iter_mut().zip(args) {
            *register = *arg;
        }
        self.enter_with(registers, function, args.len())
    }

    /// The same with so many arguments in the first registers, which are given back.
    fn enter_with(&mut self, mut registers: Box<Registers>, function: usize, args: usize) -> Eval {
        let own = &self.program.functions[function];
        let result = match own.code.params == args {
            true => self.run_function(function, &own.code, &mut registers),
            false => {
                let why = FaultKind::Arguments(own.name.clone(), own.code.params, args);
                Err(self.fail(why, function, Loc::default()))
            }
        };
        self.heap.spare.push(registers);
        result
    }

    #[inline]
    fn run_function(&mut self, function: usize, code: &'r FunctionCode, r: &mut Registers) -> Eval {
        self.may_enter(function, code.cost)?;
        if O::ON {
            self.watch(|w, scene| w.enter(scene, function, &r[..code.params]));
            let result = self.run_instructions(function, code, r);
            let value = result.as_ref().ok().copied();
            self.watch(|w, scene| w.leave(scene, value));
            return result;
        }
        if code.heavy {
            let given = r[..code.params].iter().map(|v| v.bits());
            let question = memo::CallKey::of(function as u32, given);
            return self.remembered(question, |run| run.run_instructions(function, code, r));
        }
        self.run_instructions(function, code, r)
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

    #[inline]
    fn run_instructions(&mut self, function: usize, code: &'r FunctionCode, r: &mut Registers) -> Eval {
        // Whoever watches sees each call and each statement, so small functions are put in place of their calls only
        // where nobody does.
        let made = if O::ON { &code.watched } else { &code.plain };
        let code = made.get_or_init(|| Box::new(compile(function, self.program, O::ON)));
        let (depth, kept) = (self.depth, self.heap.kept.len());
        self.depth += 1;
        let result = self.execute(code, r, kept);
        self.depth = depth;
        if code.keeps {
            self.heap.kept.truncate(kept);
        }
        result
    }
}

// --- failing -----------------------------------------------------------------------------------------

impl<O: Observer> Run<'_, O> {
    /// An instruction failed, behind which so many are left.
    #[cold]
    #[inline(never)]
    fn fails(&mut self, code: &Code, left: usize, fault: impl Into<Fault>) -> Unwinding {
        let spot = code.place(left).1;
        self.fails_at(code, left, fault, spot)
    }

    /// The same with its place in the text.
    #[cold]
    fn fails_at(&mut self, code: &Code, left: usize, fault: impl Into<Fault>, spot: Loc) -> Unwinding {
        let (within, _) = code.place(left);
        let own = code.within[within as usize];
        self.fail(*fault.into().0, own.function, spot);
        self.called_through(code, own.called);
        Unwinding
    }

    /// A function failed that an instruction called.
    #[cold]
    #[inline(never)]
    fn fails_within(&mut self, code: &Code, left: usize) -> Unwinding {
        let (within, spot) = code.place(left);
        self.called_through(code, Some((within as usize, spot)));
        Unwinding
    }

    /// Tells the calls, from the innermost on, in whose places the instructions stand.
    fn called_through(&mut self, code: &Code, mut called: Option<(usize, Loc)>) {
        while let Some((within, spot)) = called {
            let around = code.within[within];
            self.called_from(around.function, spot);
            called = around.called;
        }
    }

    /// Why a native function failed, of those that it could be.
    #[cold]
    fn native_fault(&mut self, choice: &[u16], args: &[Value]) -> Fault {
        match self.fault() {
            Fault(why) if *why == FaultKind::Mismatch => self.unfit(choice, args).into(),
            other => other,
        }
    }
}

// --- the loop ----------------------------------------------------------------------------------------

impl<'r, O: Observer> Run<'r, O> {
    /// Runs a function's instructions, whose arguments lie in the registers; what it lays aside begins at `kept`.
    #[inline(never)]
    fn execute(&mut self, code: &'r Code, r: &mut Registers, kept: usize) -> Eval {
        let mut rest = code.all.iter();
        /// The content of a register.
        macro_rules! of {
            ($register:expr) => {
                r[usize::from($register)]
            };
        }
        /// The arguments that stand in a row.
        macro_rules! row {
            ($first:expr, $count:expr) => {
                &r[usize::from($first)..][..usize::from($count)]
            };
        }
        /// Leaves with a failure of this instruction.
        macro_rules! fail {
            ($why:expr) => {{
                let why = $why;
                return Err(self.fails(code, rest.len(), why));
            }};
        }
        /// A result, or the failure of this instruction.
        macro_rules! ok {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(fault) => fail!(fault),
                }
            };
        }
        /// The same of what was called, which says itself what failed.
        macro_rules! called {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(Unwinding) => return Err(self.fails_within(code, rest.len())),
                }
            };
        }
        /// The value of a native function.
        macro_rules! native {
            ($choice:expr, $args:expr) => {{
                let (choice, args) = (&code.choices[$choice as usize], $args);
                match self.native(choice, args) {
                    Ok(value) => value,
                    Err(Unwinding) => fail!(self.native_fault(&choice.all, args)),
                }
            }};
        }
        /// The value of a native property.
        macro_rules! getter {
            ($getter:expr, $of:expr) => {
                match Runs::<O>::GETTERS[usize::from($getter)](self, $of) {
                    Ok(value) => value,
                    Err(Unwinding) => fail!(self.fault()),
                }
            };
        }
        /// The values that were laid aside on top of so many.
        macro_rules! kept {
            ($before:expr) => {
                self.heap.kept.split_off(kept + $before as usize)
            };
        }
        macro_rules! jump {
            ($target:expr) => {
                rest = code.all[$target as usize..].iter()
            };
        }
        while let Some(instruction) = rest.next() {
            match *instruction {
                Instruction::Const(to, value) => of!(to) = code.constants[value as usize],
                Instruction::Move(to, from) => of!(to) = of!(from),
                Instruction::Read(to, local) => of!(to) = self.read_shared(of!(local)),
                Instruction::Write(local, from) => self.write_shared(of!(local), of!(from)),
                Instruction::Share(local) => of!(local) = self.share(of!(local)),
                Instruction::Jump(target) => jump!(target),
                Instruction::JumpIf(on, wanted, negated, target) => match of!(on).as_bool() {
                    Some(is) if is == wanted => jump!(target),
                    Some(_) => {}
                    None if negated => fail!(FaultKind::Operator("!", vec![of!(on).kind()])),
                    None => fail!(FaultKind::NotA(Kind::Bool, of!(on).kind())),
                },
                Instruction::JumpNothing(on, wanted, target) => {
                    if of!(on).is_nothing() == wanted {
                        jump!(target);
                    }
                }
                Instruction::JumpCompare(left, right, when, target) => {
                    if ok!(self.compare(of!(left), of!(right), when)) {
                        jump!(target);
                    }
                }
                Instruction::JumpCompareTo(left, when, right, target) => {
                    if ok!(self.compare(of!(left), code.constants[right as usize], when)) {
                        jump!(target);
                    }
                }
                Instruction::Add(to, left, right) => {
                    of!(to) = ok!(self.binary(Op::Add, of!(left), of!(right)))
                }
                Instruction::Subtract(to, left, right) => {
                    of!(to) = ok!(self.binary(Op::Sub, of!(left), of!(right)));
                }
                Instruction::Operate(to, left, right, op) => {
                    of!(to) = ok!(self.operate(op, of!(left), of!(right)));
                }
                Instruction::OperateTo(to, left, op, right) => {
                    of!(to) = ok!(self.binary(op, of!(left), code.constants[right as usize]));
                }
                Instruction::Changed(to, old, by, op) => of!(to) = ok!(self.changed(op, of!(old), of!(by))),
                Instruction::Not(to, of) => match of!(of).as_bool() {
                    Some(is) => of!(to) = (!is).into(),
                    None => fail!(FaultKind::Operator("!", vec![of!(of).kind()])),
                },
                Instruction::Sign(to, of, minus) => {
                    of!(to) = ok!(operate::signed(if minus { "-" } else { "+" }, of!(of)));
                }
                Instruction::Get(to, of, property) => {
                    let (property, thing) = (&code.properties[property as usize], of!(of));
                    let member = self.program.members.member(property.member);
                    of!(to) = match member.get.get(thing.kind_index()) {
                        Some(Some(Getter::Native(index))) if !O::ON => getter!(*index, thing),
                        _ => ok!(self.property(property, thing)),
                    };
                }
                Instruction::GetNative(to, of, kind, getter, property) => {
                    let thing = of!(of);
                    of!(to) = match thing.is(kind) && !O::ON {
                        true => getter!(getter, thing),
                        false => ok!(self.property(&code.properties[property as usize], thing)),
                    };
                }
                Instruction::GetSlot(to, of, kind, slot, property) => {
                    let value = of!(of);
                    of!(to) = match thing_of(value) {
                        Some(thing) if value.is(kind) && !O::ON => {
                            let holds = self.table.rules.slots.of(thing)[usize::from(slot)].kind;
                            slot_value(holds, self.table.world.slot(thing, usize::from(slot)))
                        }
                        _ => ok!(self.property(&code.properties[property as usize], value)),
                    };
                }
                Instruction::GetStat(to, of, stat, property) => {
                    let value = of!(of);
                    of!(to) = match self.stat(value, stat) {
                        Some(number) if !O::ON => number,
                        _ => ok!(self.property(&code.properties[property as usize], value)),
                    };
                }
                Instruction::Index(to, of, index) => of!(to) = ok!(self.item(of!(of), of!(index))),
                Instruction::Native1(to, arg, choice) => of!(to) = native!(choice, &[of!(arg)]),
                Instruction::Native2(to, first, second, choice) => {
                    of!(to) = native!(choice, &[of!(first), of!(second)]);
                }
                Instruction::Native(to, first, count, choice) => {
                    of!(to) = native!(choice, row!(first, count))
                }
                Instruction::Call(to, first, count, function) => {
                    of!(to) = called!(self.enter(function as usize, row!(first, count)));
                }
                Instruction::CallValue(to, first, count) => {
                    let all = row!(first, count);
                    of!(to) = called!(self.call_value(all[0], &all[1..], false));
                }
                Instruction::Hook(to, first, count, hook) => {
                    of!(to) = called!(ok!(self.call_hook(hook as usize, row!(first, count))));
                }
                Instruction::Enter(function, cost) => {
                    called!(self.may_enter(function as usize, cost));
                    self.depth += 1;
                }
                Instruction::Leave => self.depth -= 1,
                Instruction::Each(state, over) => {
                    (of!(state), of!(state.wrapping_add(1))) = ok!(self.each(of!(over)));
                }
                Instruction::EachNumber(state, from, to, with_last) => {
                    (of!(state), of!(state.wrapping_add(1))) = ok!(numbers(of!(from), of!(to), with_last));
                }
                Instruction::Next(item, state, cost, target) => {
                    let mut states = (of!(state), of!(state.wrapping_add(1)));
                    if let Some(value) = self.next(&mut states) {
                        if !self.spend(cost) {
                            fail!(self.spent());
                        }
                        (of!(state), of!(state.wrapping_add(1))) = states;
                        of!(item) = value;
                        jump!(target);
                    }
                }
                Instruction::Spend(cost) => {
                    if !self.spend(cost) {
                        fail!(self.spent());
                    }
                }
                Instruction::Keep(from, before) => {
                    self.heap.kept.truncate(kept + before as usize);
                    self.heap.kept.push(of!(from));
                }
                Instruction::List(to, first, count) => of!(to) = ok!(self.few(row!(first, count))),
                Instruction::ListKept(to, before) => {
                    let items = kept!(before);
                    of!(to) = ok!(self.list(items));
                }
                Instruction::MapKept(to, before, map) => {
                    let written = kept!(before);
                    of!(to) = ok!(self.map(&code.maps[map as usize], &written));
                }
                Instruction::TextKept(to, before) => {
                    let parts = kept!(before);
                    of!(to) = ok!(self.text_of_parts(&parts));
                }
                Instruction::NoFunction(before, name) => {
                    let kinds = kept!(before).iter().map(|v| v.kind()).collect();
                    fail!(FaultKind::NoFunction(
                        code.names[name as usize].to_string(),
                        kinds
                    ));
                }
                Instruction::NoName(name) => fail!(FaultKind::NoName(code.names[name as usize].to_string())),
                Instruction::Closure(to, closure) => {
                    of!(to) = ok!(self.closure(&code.closures[closure as usize], r));
                }
                Instruction::Grow(local, first, how, change) => {
                    let by = of!(first.wrapping_add(1));
                    match self.grown(of!(local), by, how) {
                        Some(longer) => of!(local) = ok!(longer),
                        None => {
                            self.change_at(code, rest.len(), (change, local, first), r)?;
                        }
                    }
                }
                Instruction::GrowByPairs(local, first, with, target) => {
                    if let Some(longer) = self.grown_by_pairs(of!(local), of!(first), of!(with)) {
                        of!(local) = longer;
                        jump!(target);
                    }
                }
                Instruction::Change(to, base, first, change) => {
                    of!(to) = self.change_at(code, rest.len(), (change, base, first), r)?;
                }
                Instruction::Take(to, first, count, which, choice) => {
                    let (args, natives) = (row!(first, count), &code.choices[choice as usize]);
                    let of_things = !matches!(args[0].kind(), Kind::List | Kind::Map);
                    of!(to) = match of_things && !natives.all.is_empty() {
                        true => native!(choice, args),
                        false => ok!(self.mutate(which, args)).1,
                    };
                }
                Instruction::Switch(on, from, switch) => {
                    jump!(ok!(self.case(&code.switches[switch as usize], from, of!(on))));
                }
                Instruction::Return(from) => return Ok(of!(from)),
                Instruction::Throw(from) => {
                    let text = ok!(self.text_of(of!(from)));
                    fail!(crate::problems::rule_failure(text));
                }
                Instruction::Reach(statement) => self.reach(code, statement, &r[..]),
                Instruction::TooMuch => fail!(crate::problems::too_many("values at once", REGISTERS)),
                #[cfg(any(test, feature = "trials"))]
                Instruction::Drift(to) => of!(to) = crate::run::fuel::drift::count().unwrap_or(0).into(),
            }
        }
        Ok(Value::NOTHING)
    }

    /// Changes a part of what is in a register.
    #[inline(never)]
    fn change_at(
        &mut self,
        code: &Code,
        left: usize,
        (change, base, first): (u32, Reg, Reg),
        r: &mut Registers,
    ) -> Eval {
        let base = r[usize::from(base)];
        let done = self.change(&code.changes[change as usize], base, first, r);
        done.map_err(|(fault, spot)| self.fails_at(code, left, fault, spot.unwrap_or(code.place(left).1)))
    }

    #[inline(never)]
    fn read_shared(&mut self, cell: Value) -> Value {
        // Others change it, too.
        self.acts();
        self.heap.shared(cell).map_or(Value::NOTHING, |value| *value)
    }

    #[inline(never)]
    fn write_shared(&mut self, cell: Value, value: Value) {
        self.acts();
        if let Some(there) = self.heap.shared(cell) {
            *there = value;
        }
    }

    /// A statement is reached.
    #[cold]
    fn reach(&mut self, code: &Code, statement: u32, locals: &[Value]) {
        let (spot, scope) = code.statements[statement as usize];
        let function = &self.program.functions[code.within[0].function];
        let place = RunPlace {
            spot,
            scope: &function.code.scopes[scope as usize],
            locals,
        };
        self.watch(|w, scene| w.reach(scene, &place));
    }

    // --- operators ---------------------------------------------------------------------------------

    /// Whether two values compare so.
    #[inline(always)]
    fn compare(&mut self, left: Value, right: Value, when: Outcomes) -> NativeResult<bool> {
        match (left.as_int(), right.as_int()) {
            (Some(left), Some(right)) => Ok(when.has(left, right)),
            _ => self.compare_others(left, right, when),
        }
    }

    #[inline(never)]
    fn compare_others(&mut self, left: Value, right: Value, when: Outcomes) -> NativeResult<bool> {
        let result = self.operate(when.op(), left, right)?;
        Ok(result.as_bool() == Some(when.wanted()))
    }

    /// Applies an operator.
    #[inline(always)]
    fn binary(&mut self, op: Op, left: Value, right: Value) -> NativeResult {
        match operate::at_once(op, left, right) {
            Some(result) => Ok(result),
            None => self.operate(op, left, right),
        }
    }

    #[inline(never)]
    fn operate(&mut self, op: Op, left: Value, right: Value) -> NativeResult {
        if let Some(result) = operate::at_once(op, left, right) {
            return Ok(result);
        }
        let heap = &mut *self.heap;
        let set = match op {
            Op::Or => heap.merged(left, right, |a, b| a | b),
            Op::Sub => heap.merged(left, right, |a, b| a & !b),
            Op::And if left.kind() == right.kind() => heap.merged(left, right, |a, b| a & b),
            _ => None,
        };
        match set {
            Some(set) => Ok(set),
            None => operate::operate(self, op, left, right),
        }
    }

    /// Returns the value after an operator with `=`: a list stays a list.
    #[inline(always)]
    fn changed(&mut self, op: Op, old: Value, by: Value) -> NativeResult {
        if let Some(result) = operate::at_once(op, old, by) {
            return Ok(result);
        }
        operate::keeps_a_list(op, old, by)?;
        self.operate(op, old, by)
    }

    // --- properties and items ----------------------------------------------------------------------

    /// Reads a property.
    #[inline(never)]
    fn property(&mut self, property: &PropertyAccess, of: Value) -> NativeResult {
        let member = self.program.members.member(property.member);
        if let Some(Some(getter)) = member.get.get(of.kind_index()) {
            return self.read_by(*getter, of, Some(&property.name));
        }
        if let (Kind::Map, Some(map), Some(key)) = (of.kind(), of.items(), property.key.as_word()) {
            let value = self.heap.get(map, &self.table.words, key);
            return value.ok_or_else(|| FaultKind::NoKey(property.name.to_string()).into());
        }
        Err(Fault::from(FaultKind::Property {
            name: property.name.clone(),
            of: of.kind(),
            changed: false,
        }))
    }

    /// Reads a property by its getter.
    fn read_by(&mut self, getter: Getter, of: Value, name: Option<&Arc<str>>) -> NativeResult {
        let result = self.get(getter, of).map_err(|Unwinding| self.fault())?;
        if let (true, Some(name)) = (O::ON, name) {
            let name = format!(".{name}");
            self.watch(|w, scene| w.native(scene, &name, &[of], result));
        }
        Ok(result)
    }

    /// Returns an item of a list, map, text or dice, or else the property that a text names.
    #[inline]
    fn item(&mut self, of: Value, at: Value) -> NativeResult {
        match self.named(of, at) {
            Some(property) => self.property(&property, of),
            None => library::index(self, of, at),
        }
    }

    /// The property that a text in brackets names; `None` behind a list, map, text or dice.
    #[inline]
    fn named(&self, of: Value, at: Value) -> Option<PropertyAccess> {
        if matches!(of.kind(), Kind::List | Kind::Map | Kind::Word | Kind::Dice) {
            return None;
        }
        Some(self.in_brackets(at.as_word()?))
    }

    #[cold]
    fn in_brackets(&self, word: WordId) -> PropertyAccess {
        let words = &self.table.words;
        PropertyAccess {
            name: Arc::from(words.text(word)),
            key: word.into(),
            member: self.program.members.of_word(word, words).unwrap_or(usize::MAX),
            spot: Loc::default(),
        }
    }

    /// A list of a few values.
    #[inline]
    fn few(&mut self, values: &[Value]) -> NativeResult {
        let list = self.heap.add_few(values);
        self.work(1 + values.len() / 8)?;
        list.map(Value::list).ok_or_else(|| FaultKind::Full.into())
    }

    /// A map with these keys, as they are written and in the order in which they are kept.
    fn map(&mut self, (keys, order): &(Vec<Value>, Box<[u32]>), written: &[Value]) -> NativeResult {
        let by_key = order.iter().map(|&nth| nth as usize);
        let items = by_key.flat_map(|nth| [keys[nth], written[nth]]);
        self.add(items).map(Value::map)
    }

    /// A closure with what it takes along: a shared variable as its cell.
    fn closure(&mut self, closure: &ClosureCode, r: &Registers) -> NativeResult {
        let captured = self.add(closure.captures.iter().map(|local| r[usize::from(*local)]))?;
        Ok(self.heap.of_closure(closure.function, captured))
    }

    /// One text of several values.
    #[inline(never)]
    fn text_of_parts(&mut self, parts: &[Value]) -> NativeResult {
        let mut text = String::new();
        for part in parts {
            self.add_text(&mut text, *part)?;
            self.work(1 + text.len() / 16)?;
        }
        self.text(&text)
    }

    /// Returns the changed list or map in place of the first argument, and the value of the call.
    fn mutate(&mut self, which: u16, args: &[Value]) -> NativeResult<(Value, Value)> {
        let old = args.first().copied().unwrap_or_default();
        library::mutate(self, which, old, args.get(1..).unwrap_or_default()).map_err(|fault| match *fault.0 {
            FaultKind::Mismatch => {
                let name = library::MUTATORS[which as usize].name;
                FaultKind::Unfit(name, args.iter().map(|a| a.kind()).collect()).into()
            }
            _ => fault,
        })
    }

    /// A list that grows at its end, which is what rules do most; `None` where it is no list, or by none.
    #[inline]
    fn grown(&mut self, list: Value, by: Value, how: Growth) -> Option<NativeResult> {
        let items = list.items().filter(|_| list.is(Kind::List))?;
        match how {
            Growth::Push => Some(library::push(self, items, by)),
            Growth::Append if by.is(Kind::List) => Some(library::append(self, items, by.items()?)),
            Growth::Append => None,
        }
    }

    /// The same by a thing with each of a set; `None` where pairs are to be made first.
    #[inline(always)]
    fn grown_by_pairs(&mut self, list: Value, first: Value, with: Value) -> Option<Value> {
        let items = list.items().filter(|_| list.is(Kind::List))?;
        let count = self.heap.number_of(with)?;
        // The calls of the two functions, each pair, and each eighth of the list.
        let cost = (3 + count + count / 8) as u64;
        let longer = match self.may_spend(cost) {
            true => self.heap.append_pairs(items, first, with, count)?,
            false => return None,
        };
        self.spend(cost as u32);
        Some(Value::list(longer))
    }

    /// A stat of a unit, where that is a number.
    #[inline(always)]
    fn stat(&self, of: Value, stat: u16) -> Option<Value> {
        let unit = of.as_unit()?;
        let (rules, world) = (&self.table.rules, &self.table.world);
        let number = rules.types[world.unit(unit).kind.index()].stats[usize::from(stat)]?;
        (!rules.flags[usize::from(stat)]).then(|| number.into())
    }

    // --- calls of hooks, loops and cases -----------------------------------------------------------

    /// Calls a hook: the outer failure is that of the call itself.
    #[inline]
    fn call_hook(&mut self, hook: usize, args: &[Value]) -> NativeResult<Eval> {
        let program = self.program;
        let id = crate::kernel::ids::HookId(hook as u16);
        let whose = self.whose(id, args.first().copied())?;
        let target = program.hooks[hook].target(whose);
        if target.constant.is_none() && !is_told_by_others() {
            return Ok(self.enter(target.index, args));
        }
        let result = self.invoke(target, args).map_err(|Fault(why)| match *why {
            FaultKind::Mismatch => self.unfit(&[], &[]).into(),
            why => Fault::from(why),
        });
        result.map(Ok)
    }

    /// Begins to go through something.
    #[inline(never)]
    fn each(&mut self, over: Value) -> NativeResult<(Value, Value)> {
        let first = Value::from(0);
        Ok(match over.kind() {
            Kind::List => (over, first),
            Kind::Units | Kind::Places => self.heap.begin(over),
            Kind::Dice => {
                self.heap.dice(over);
                (over, first)
            }
            Kind::Range => {
                let all = self.heap.numbers(over);
                between(*all.start(), *all.end())
            }
            Kind::Word => (library::letters(self, over)?, first),
            _ => return Err(FaultKind::NotThrough.into()),
        })
    }

    /// Takes the next of what is gone through.
    #[inline(always)]
    fn next(&mut self, state: &mut (Value, Value)) -> Option<Value> {
        match state.0.kind() {
            Kind::Int => {
                let (next, last) = (state.0.as_int()?, state.1.as_int()?);
                state.0 = match next < last {
                    true => (next + 1).into(),
                    false => Value::NOTHING,
                };
                Some(next.into())
            }
            Kind::List => {
                let nth = state.1.as_int()? as usize;
                let list: ListId = state.0.items()?;
                if nth >= list.len() {
                    return None;
                }
                state.1 = (nth as i64 + 1).into();
                Some(self.heap.item(list, nth).unwrap_or(Value::NOTHING))
            }
            _ => self.heap.next(state),
        }
    }

    /// The instruction that a `switch` goes on with, of its cases from one on.
    #[inline(never)]
    fn case(&mut self, switch: &SwitchTable, from: u32, subject: Value) -> NativeResult<u32> {
        if from == 0 {
            self.work(switch.cost as usize)?;
        }
        // Whole numbers stand for lengths, too.
        let length = subject.as_length().filter(|_| subject.is(Kind::Length));
        let (number, unit) = match length {
            Some(length) => (Some(length), UNIT),
            None => (subject.as_int(), 1),
        };
        for (case, target) in switch.cases.iter().skip(from as usize) {
            let is_met = match case {
                SwitchCase::Is(value) => match length {
                    Some(length) => value.as_length() == Some(length),
                    None => self.same(*value, subject)?,
                },
                SwitchCase::Within(from, to, with_last) => number.is_some_and(|n| {
                    let (from, to) = (from.saturating_mul(unit), to.saturating_mul(unit));
                    n >= from && (n < to || *with_last && n == to)
                }),
            };
            if is_met {
                return Ok(*target);
            }
        }
        if switch.of_numbers && operate::is_several(subject.kind()) {
            return Err(FaultKind::Operator("switch", vec![subject.kind(), Kind::Int]).into());
        }
        Ok(switch.otherwise)
    }

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

/// The thing with slots that a value is.
#[inline(always)]
fn thing_of(value: Value) -> Option<Thing> {
    match value.kind() {
        Kind::Unit => value.as_unit().map(Thing::Unit),
        Kind::Faction => value.as_faction().map(Thing::Faction),
        Kind::Place => value.as_place().map(Thing::Place),
        Kind::Game => Some(Thing::Game),
        _ => None,
    }
}

/// Begins to go through numbers.
fn numbers(from: Value, to: Value, with_last: bool) -> Result<(Value, Value), FaultKind> {
    match (from.as_int(), to.as_int(), with_last) {
        (Some(from), Some(to), true) => Ok(between(from, to)),
        (Some(from), Some(to), false) => Ok(to.checked_sub(1).map_or(between(1, 0), |to| between(from, to))),
        _ => {
            let sign = if with_last { "..=" } else { ".." };
            Err(FaultKind::Operator(sign, vec![from.kind(), to.kind()]))
        }
    }
}

/// The state of going through the numbers from one to another.
fn between(from: i64, to: i64) -> (Value, Value) {
    match from <= to {
        true => (from.into(), to.into()),
        false => (Value::NOTHING, Value::NOTHING),
    }
}

/// Whether the interpreter runs the rules of this thread, as it does in tests.
#[inline]
fn is_told_by_others() -> bool {
    #[cfg(any(test, feature = "trials"))]
    return super::oracle::is_on();
    #[cfg(not(any(test, feature = "trials")))]
    false
}
