//! Changes of a part of something: the way to it is read, and what holds it is written back, outwards to the variable.

use super::super::fault::{Eval, FaultKind};
use super::super::library;
use super::super::node::*;
use super::super::observe::Observer;
use super::super::value::{Kind, Value};
use super::{CallFrame, changed, get, in_brackets, item, named};
use std::borrow::Cow;

impl<'r> Update {
    /// Reads the way to what is changed, changes it, and writes back what holds it.
    #[inline(never)]
    pub(super) fn change<O: Observer>(&'r self, f: &mut CallFrame<'_, 'r, O>) -> Eval {
        let mut args = [Value::NOTHING; MAX_ARGS];
        // A new value comes before the indices, arguments behind them, the base last.
        let indices = match &self.change {
            ChangeOp::Set(_, value) => {
                args[0] = value.eval(f)?;
                self.indices(f)?
            }
            ChangeOp::Mutate(_, nodes) => {
                let indices = self.indices(f)?;
                for (value, node) in args.iter_mut().zip(nodes) {
                    *value = node.eval(f)?;
                }
                indices
            }
        };
        let base = match &self.base {
            AccessBase::Local(local, shared) | AccessBase::Constant(local, shared, _) => {
                f.read(*local, *shared)
            }
            AccessBase::Value(node) => node.eval(f)?,
        };
        if let (ChangeOp::Set(..), Some(last)) = (&self.change, self.path.last()) {
            let owners = &self.path[..self.path.len() - 1];
            let held = self.way(owners, base, &indices, f)?;
            let owner = held.last().copied().unwrap_or(base);
            let at = indices.last().copied();
            let new = self.set(last, owner, at, args[0], f)?;
            return self
                .write_back(owners, base, &held, &indices, new, f)
                .map(|()| Value::NOTHING);
        }
        let held = self.way(&self.path, base, &indices, f)?;
        let old = held.last().copied().unwrap_or(base);
        let ChangeOp::Mutate(which, nodes) = &self.change else {
            return Ok(Value::NOTHING);
        };
        let Mutation { which, natives, .. } = which;
        args.copy_within(..nodes.len(), 1);
        args[0] = old;
        let args = &args[..=nodes.len()];
        if !natives.all.is_empty() && !matches!(old.kind(), Kind::List | Kind::Map) {
            return f.native(natives, args, self.spot);
        }
        let (new, result) = f.mutate(*which, args, self.spot)?;
        self.write_back(&self.path, base, &held, &indices, Some(new), f)?;
        Ok(result)
    }

    /// Evaluates the indices in the brackets along the path.
    fn indices<O: Observer>(&'r self, f: &mut CallFrame<'_, 'r, O>) -> Eval<Vec<Value>> {
        let mut indices = Vec::new();
        for step in &self.path {
            if let AccessStep::Index(it) = step {
                indices.push(it.0.eval(f)?);
            }
        }
        Ok(indices)
    }

    /// The values along the way, from the first step on.
    fn way<O: Observer>(
        &'r self,
        steps: &'r [AccessStep],
        base: Value,
        indices: &[Value],
        f: &mut CallFrame<'_, 'r, O>,
    ) -> Eval<Vec<Value>> {
        let mut held = Vec::with_capacity(steps.len());
        let mut value = base;
        let mut indices = indices.iter();
        for step in steps {
            value = match step {
                AccessStep::Property(property) => get(property, value, f)?,
                AccessStep::Index(it) => {
                    let at = indices.next().copied().unwrap_or(Value::NOTHING);
                    item(value, at, it.1, f)?
                }
            };
            held.push(value);
        }
        Ok(held)
    }

    /// Sets the last step of the way; what then stands in place of its owner, `None` when that is a
    /// thing of the game and nothing else is to be written.
    fn set<O: Observer>(
        &'r self,
        step: &'r AccessStep,
        owner: Value,
        at: Option<Value>,
        value: Value,
        f: &mut CallFrame<'_, 'r, O>,
    ) -> Eval<Option<Value>> {
        let op = match &self.change {
            ChangeOp::Set(op, _) => *op,
            ChangeOp::Mutate(..) => None,
        };
        let at = at.unwrap_or(Value::NOTHING);
        let (mut value, mut old) = (value, Value::NOTHING);
        if let Some(op) = op {
            old = match step {
                AccessStep::Property(property) => get(property, owner, f)?,
                AccessStep::Index(it) => item(owner, at, it.1, f)?,
            };
            value = changed(op, old, value, self.spot, f)?;
        }
        let property = match step.property(owner, at, f) {
            Ok(property) => property,
            Err(spot) => {
                let answer = library::set_index(f.run, owner, at, value);
                return f.take(answer, spot).map(Some);
            }
        };
        let slot = f.run.program.members.member(property.member).set[owner.kind() as usize];
        if let Some(slot) = slot {
            let answer = match op {
                Some(Op::Add | Op::Sub) => f.run.grow(owner, slot, old, value),
                _ => f.run.set(owner, slot, value),
            };
            return match answer {
                Ok(_) => Ok(None),
                Err(fault) => Err(f.native_failed(fault, &[], &[], property.spot)),
            };
        }
        let (Some(map), Some(key), Kind::Map) = (owner.items(), property.key.as_word(), owner.kind()) else {
            let why = FaultKind::Property {
                name: property.name.clone(),
                of: owner.kind(),
                changed: true,
            };
            return Err(f.fail(why, property.spot));
        };
        let answer = library::put(f.run, map, key, value);
        f.take(answer, property.spot).map(Some)
    }

    /// Puts a new value back into what holds it, outwards to the variable.
    fn write_back<O: Observer>(
        &'r self,
        steps: &'r [AccessStep],
        base: Value,
        held: &[Value],
        indices: &[Value],
        new: Option<Value>,
        f: &mut CallFrame<'_, 'r, O>,
    ) -> Eval<()> {
        let Some(mut new) = new else {
            return Ok(());
        };
        let mut index = steps.iter().filter(|s| matches!(s, AccessStep::Index(_))).count();
        for (nth, step) in steps.iter().enumerate().rev() {
            let owner = nth.checked_sub(1).map_or(base, |n| held[n]);
            let mut at = Value::NOTHING;
            if let AccessStep::Index(_) = step {
                index -= 1;
                at = indices[index];
            }
            match step.property(owner, at, f) {
                Ok(property) => {
                    let slot = f.run.program.members.member(property.member).set[owner.kind() as usize];
                    if let Some(slot) = slot {
                        let answer = f.run.set(owner, slot, new);
                        return f.take(answer, property.spot).map(|_| ());
                    }
                    let (Some(map), Some(key), Kind::Map) =
                        (owner.items(), property.key.as_word(), owner.kind())
                    else {
                        // What a property of a thing says is a copy: there is nothing to change.
                        return Ok(());
                    };
                    let answer = library::put(f.run, map, key, new);
                    new = f.take(answer, property.spot)?;
                }
                Err(spot) => {
                    let answer = library::set_index(f.run, owner, at, new);
                    new = f.take(answer, spot)?;
                }
            }
        }
        match &self.base {
            AccessBase::Local(local, shared) => f.write(*local, *shared, new),
            AccessBase::Constant(.., name) => {
                return Err(f.fail(FaultKind::Constant(name.to_string()), self.spot));
            }
            AccessBase::Value(_) => {}
        }
        Ok(())
    }
}

impl AccessStep {
    /// The property that a step leads to, also one that a text in brackets names; where the step leads to an item, the
    /// place of the brackets.
    fn property<O: Observer>(
        &self,
        owner: Value,
        at: Value,
        f: &CallFrame<'_, '_, O>,
    ) -> Result<Cow<'_, PropertyAccess>, Loc> {
        match self {
            AccessStep::Property(property) => Ok(Cow::Borrowed(property)),
            AccessStep::Index(it) => {
                let named = named(owner, at, f).ok_or(it.1)?;
                Ok(Cow::Owned(in_brackets(named, it.1, f)))
            }
        }
    }
}
