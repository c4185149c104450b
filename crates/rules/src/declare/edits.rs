//! Edits of a list of phases by variants: one is put beside another, moved, changed or taken out, at any depth.

use super::Array;
use crate::run::fault::{Fault, rule, unknown};
use crate::run::view::{ValueView, ViewMap};

/// A list of phases with one of them taken out; returns both.
fn remove(list: Array, name: &str) -> Result<(ValueView, Array), Fault> {
    let mut taken = ValueView::Nothing;
    let list = edit_at(list, name, &mut |list, index| taken = list.remove(index))?;
    Ok((taken, list))
}

/// A list of phases with one of that name left out.
///
/// # Errors
///
/// There is none of that name.
pub fn without_phase(list: Array, name: &str) -> Result<Array, Fault> {
    Ok(remove(list, name)?.1)
}

/// A list of phases with one of them put before another (0) or behind it (1).
///
/// # Errors
///
/// There is none of one of the names.
pub fn moved_phase(list: Array, name: &str, other: &str, behind: usize) -> Result<Array, Fault> {
    let (phase, list) = remove(list, name)?;
    if at_phase(&mut vec![phase.clone()], other, &mut |_, _| {}) {
        let why = match name == other {
            true => format!("the phase `{name}` cannot stand beside itself"),
            false => format!("the phase `{other}` lies in `{name}`, which cannot stand beside it"),
        };
        return Err(rule(why));
    }
    put_beside(list, phase, other, behind)
}

/// A list of phases with a new one before another (0) or behind it (1).
///
/// # Errors
///
/// There is none of that name.
pub fn put_beside(list: Array, phase: ValueView, other: &str, behind: usize) -> Result<Array, Fault> {
    edit_at(list, other, &mut |list, index| {
        list.insert(index + behind, phase.clone());
    })
}

/// A list of phases with keys of one of them changed.
///
/// # Errors
///
/// There is none of that name.
pub fn phase_with(list: Array, name: &str, changes: &ViewMap) -> Result<Array, Fault> {
    edit_at(list, name, &mut |list, index| {
        if let ValueView::Map(phase) = &mut list[index] {
            phase.extend(changes.clone());
            // What is nothing is not said any more.
            phase.retain(|_, value| *value != ValueView::Nothing);
        }
    })
}

/// A list of phases in which something was done at the first of that name.
fn edit_at(mut list: Array, name: &str, act: &mut dyn FnMut(&mut Array, usize)) -> Result<Array, Fault> {
    match at_phase(&mut list, name, act) {
        true => Ok(list),
        false => Err(no_phase(&list, name)),
    }
}

/// Does something at the first phase of that name, in the list that holds it; false when none has it.
fn at_phase(list: &mut Array, name: &str, act: &mut dyn FnMut(&mut Array, usize)) -> bool {
    for index in 0..list.len() {
        let ValueView::Map(phase) = &mut list[index] else {
            continue;
        };
        if phase.get("phase").and_then(ValueView::as_text) == Some(name) {
            act(list, index);
            return true;
        }
        if let Some(ValueView::List(inner)) = phase.get_mut("phases")
            && at_phase(inner, name, act)
        {
            return true;
        }
    }
    false
}

fn no_phase(list: &Array, name: &str) -> Fault {
    fn collect(list: &Array, names: &mut Vec<String>) {
        for phase in list.iter().filter_map(ValueView::as_map) {
            names.extend(phase.get("phase").and_then(ValueView::as_text).map(str::to_owned));
            if let Some(ValueView::List(inner)) = phase.get("phases") {
                collect(inner, names);
            }
        }
    }
    let mut names = Vec::new();
    collect(list, &mut names);
    unknown("phase", name, names.iter().map(String::as_str))
}
