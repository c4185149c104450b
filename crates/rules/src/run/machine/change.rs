//! Changes of a part of something: the way to it is read, and what holds it is written back, outwards to the variable.

use super::super::code::{Change, ChangeHow, ChangeRoot, PathStep, Reg, Registers};
use super::super::context::Run;
use super::super::fault::{Fault, FaultKind, NativeResult, Unwinding};
use super::super::library;
use super::super::node::{Loc, Mutation, Op, PropertyAccess};
use super::super::observe::Observer;
use super::super::value::{Kind, Value};
use std::borrow::Cow;

/// Result of a part of a change; a failure may have a place of its own along the way.
type Changed<T> = Result<T, (Fault, Option<Loc>)>;

fn at<T>(spot: Loc, result: NativeResult<T>) -> Changed<T> {
    result.map_err(|fault| (fault, Some(spot)))
}

fn here<T>(result: NativeResult<T>) -> Changed<T> {
    result.map_err(|fault| (fault, None))
}

impl<O: Observer> Run<'_, O> {
    /// Changes a part of what is in `base`. From `first` on the registers hold the new value, or room and the
    /// arguments, and then of each step along the way the index in its brackets.
    #[inline(never)]
    pub(super) fn change(
        &mut self,
        change: &Change,
        base: Value,
        first: Reg,
        r: &mut Registers,
    ) -> Changed<Value> {
        let (args, indices) = r[usize::from(first)..].split_at_mut(change.before);
        let (result, new) = match &change.how {
            ChangeHow::Set(op) => {
                let Some((last, owners)) = change.path.split_last() else {
                    return Ok(Value::NOTHING);
                };
                let held = self.way(owners, base, indices)?;
                let owner = held.last().copied().unwrap_or(base);
                let new = self.set_part(last, owner, indices[owners.len()], args[0], *op)?;
                let new = self.write_back(owners, base, &held, indices, new)?;
                (Value::NOTHING, new)
            }
            ChangeHow::Mutate(Mutation { which, natives, .. }) => {
                let held = self.way(&change.path, base, indices)?;
                let old = held.last().copied().unwrap_or(base);
                args[0] = old;
                if !natives.all.is_empty() && !matches!(old.kind(), Kind::List | Kind::Map) {
                    return self.native(natives, args).map_err(|Unwinding| {
                        let fault = self.native_fault(&natives.all, args);
                        (fault, None)
                    });
                }
                let (new, result) = here(self.mutate(*which, args))?;
                let new = self.write_back(&change.path, base, &held, indices, Some(new))?;
                (result, new)
            }
        };
        if let Some(new) = new {
            match &change.root {
                ChangeRoot::Variable(local, false) => r[usize::from(*local)] = new,
                ChangeRoot::Variable(local, true) => self.write_shared(r[usize::from(*local)], new),
                ChangeRoot::Constant(name) => return here(Err(FaultKind::Constant(name.to_string()).into())),
                ChangeRoot::Value => {}
            }
        }
        Ok(result)
    }

    /// The values along the way, from the first step on.
    fn way(&mut self, steps: &[PathStep], base: Value, indices: &[Value]) -> Changed<Vec<Value>> {
        let mut held = Vec::with_capacity(steps.len());
        let mut value = base;
        for (step, index) in steps.iter().zip(indices) {
            value = self.part(step, value, *index)?;
            held.push(value);
        }
        Ok(held)
    }

    /// The value that a step leads to.
    fn part(&mut self, step: &PathStep, of: Value, index: Value) -> Changed<Value> {
        match step {
            PathStep::Property(property) => at(property.spot, self.property(property, of)),
            PathStep::Index(spot) => at(*spot, self.item(of, index)),
        }
    }

    /// Sets the last step of the way; what then stands in place of its owner, `None` when that is a
    /// thing of the game and nothing else is to be written.
    fn set_part(
        &mut self,
        step: &PathStep,
        owner: Value,
        index: Value,
        value: Value,
        op: Option<Op>,
    ) -> Changed<Option<Value>> {
        let (mut value, mut old) = (value, Value::NOTHING);
        if let Some(op) = op {
            old = self.part(step, owner, index)?;
            value = here(self.changed(op, old, value))?;
        }
        let property = match self.stepped(step, owner, index) {
            Ok(property) => property,
            Err(spot) => return at(spot, library::set_index(self, owner, index, value)).map(Some),
        };
        let slot = self.program.members.member(property.member).set[owner.kind() as usize];
        if let Some(slot) = slot {
            let done = match op {
                Some(Op::Add | Op::Sub) => self.grow(owner, slot, old, value),
                _ => self.set(owner, slot, value),
            };
            return at(property.spot, done.map(|()| None));
        }
        match (owner.items(), property.key.as_word(), owner.kind()) {
            (Some(map), Some(key), Kind::Map) => {
                at(property.spot, library::put(self, map, key, value)).map(Some)
            }
            _ => at(
                property.spot,
                Err(Fault::from(FaultKind::Property {
                    name: property.name.clone(),
                    of: owner.kind(),
                    changed: true,
                })),
            ),
        }
    }

    /// Puts a new value back into what holds it, outwards; what then stands at the root, if that is to be written.
    fn write_back(
        &mut self,
        steps: &[PathStep],
        base: Value,
        held: &[Value],
        indices: &[Value],
        new: Option<Value>,
    ) -> Changed<Option<Value>> {
        let Some(mut new) = new else {
            return Ok(None);
        };
        for (nth, step) in steps.iter().enumerate().rev() {
            let owner = nth.checked_sub(1).map_or(base, |n| held[n]);
            let property = match self.stepped(step, owner, indices[nth]) {
                Ok(property) => property,
                Err(spot) => {
                    new = at(spot, library::set_index(self, owner, indices[nth], new))?;
                    continue;
                }
            };
            let slot = self.program.members.member(property.member).set[owner.kind() as usize];
            if let Some(slot) = slot {
                return at(property.spot, self.set(owner, slot, new)).map(|()| None);
            }
            let (Some(map), Some(key), Kind::Map) = (owner.items(), property.key.as_word(), owner.kind())
            else {
                // What a property of a thing says is a copy: there is nothing to change.
                return Ok(None);
            };
            new = at(property.spot, library::put(self, map, key, new))?;
        }
        Ok(Some(new))
    }

    /// The property that a step leads to, also one that a text in brackets names; where the step leads to an item, the
    /// place of the brackets.
    fn stepped<'s>(
        &self,
        step: &'s PathStep,
        owner: Value,
        index: Value,
    ) -> Result<Cow<'s, PropertyAccess>, Loc> {
        match step {
            PathStep::Property(property) => Ok(Cow::Borrowed(property)),
            PathStep::Index(spot) => match self.named(owner, index) {
                Some(property) => Ok(Cow::Owned(PropertyAccess {
                    spot: *spot,
                    ..property
                })),
                None => Err(*spot),
            },
        }
    }
}
