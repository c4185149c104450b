//! Small functions in place of calls of them: no frame is made for what does less than making one.
//!
//! What is called costs the same fuel, counts as a call where calls are nested too deep or fail, and is called after all
//! where somebody watches.

use super::node::{Function, FunctionCode, Inlined, MAX_LOCALS, Node, NodePart};
use crate::engine::MAX_CALL_LEVELS;
use std::sync::Arc;

/// A function with more nodes than this is called.
const SMALL: usize = 40;

#[derive(Clone, Copy, PartialEq)]
enum VisitState {
    New,
    /// It is being looked at: a call of it calls itself.
    Open,
    Done,
}

/// Puts small functions in place of the calls of them.
pub fn inline(functions: &mut [Arc<Function>]) {
    let mut all = All {
        states: vec![VisitState::New; functions.len()],
        functions,
        depth: 0,
    };
    for function in 0..all.states.len() {
        all.settle(function);
    }
}

struct All<'a> {
    functions: &'a mut [Arc<Function>],
    states: Vec<VisitState>,
    depth: usize,
}

impl All<'_> {
    /// Puts called functions into this function first, so that it is small only if all of it is.
    fn settle(&mut self, function: usize) {
        if self.states[function] != VisitState::New || self.depth == MAX_CALL_LEVELS {
            return;
        }
        self.states[function] = VisitState::Open;
        self.depth += 1;
        if let Some(own) = Arc::get_mut(&mut self.functions[function]) {
            let mut code = std::mem::take(&mut own.code);
            let (free, mut most) = (code.locals, code.locals);
            if let Some(body) = &mut code.body {
                self.put_in(body, free, &mut most);
            }
            code.locals = most;
            if let Some(own) = Arc::get_mut(&mut self.functions[function]) {
                own.code = code;
            }
        }
        self.depth -= 1;
        self.states[function] = VisitState::Done;
    }

    /// Goes through a node of a function whose variables from `free` on are nobody's; `most` is how many it has then.
    fn put_in(&mut self, node: &mut Node, free: usize, most: &mut usize) {
        let mut within = free;
        let mut small = None;
        if let Node::Call(call) = node {
            let function = call.function as usize;
            self.settle(function);
            let code = &self.functions[function].code;
            if self.states[function] == VisitState::Done
                && free + code.locals <= MAX_LOCALS
                && let Some(moved) = moved(code, &mut call.args, free as u16)
            {
                small = Some((moved, code.cost));
                // What is called for the arguments has other variables.
                within += code.locals;
                *most = within.max(*most);
            }
        }
        node.parts(&mut |part| {
            if let NodePart::Node(part) = part {
                self.put_in(part, within, most);
            }
        });
        if let Some(((body, known), cost)) = small
            && let Node::Call(call) = std::mem::replace(node, Node::NOTHING)
        {
            let args = (free as u16..).zip(0..).zip(&known);
            let args = args.filter(|(_, known)| !**known);
            let mut args: Vec<(u16, u8)> = args.map(|(arg, _)| arg).collect();
            // As in a call, a variable in first place is taken last.
            if known.first() == Some(&false) && call.args[0].is_variable() {
                args.rotate_left(1);
            }
            *node = Node::Inlined(Box::new(Inlined {
                call: *call,
                args: args.into(),
                cost,
                body,
            }));
        }
    }
}

/// The body of a function whose first variable is one of another function, and for which of these arguments stands in
/// it where the parameter stood; `None` if it is not small, or its variables may be somebody else's.
fn moved(code: &FunctionCode, args: &mut [Node], first: u16) -> Option<(Node, Vec<bool>)> {
    if code.params != args.len() || code.heavy || !code.shared.is_empty() {
        return None;
    }
    let mut body = code.body.clone()?;
    // What changes while arguments are taken, or in the function, is not what was handed over.
    let still = args.iter_mut().all(|arg| written(arg) == Some(0));
    let changed = written(&mut body)?;
    let mut known = vec![None; args.len()];
    for (nth, arg) in args.iter().enumerate() {
        if still && changed >> nth & 1 == 0 && matches!(arg, Node::Const(_) | Node::Local(_)) {
            known[nth] = Some(arg.clone());
        }
    }
    let mut left = SMALL;
    move_to(&mut body, first, &known, &mut left).then(|| (body, known.iter().map(Option::is_some).collect()))
}

/// The variables that are written in a node, as bits; `None` where closures share some.
fn written(node: &mut Node) -> Option<u64> {
    let mut all = Some(0);
    node.parts(&mut |part| {
        let more = match part {
            NodePart::Node(node) => written(node),
            NodePart::Written(local) => Some(1 << *local),
            NodePart::Local(_) => Some(0),
            NodePart::Shared => None,
        };
        all = all.zip(more).map(|(all, more)| all | more);
    });
    all
}

/// Gives a node the variables from `first` on, and puts what is said in the place of parameters; false where there are
/// more nodes than may be left.
fn move_to(node: &mut Node, first: u16, known: &[Option<Node>], left: &mut usize) -> bool {
    if *left == 0 {
        return false;
    }
    *left -= 1;
    if let Node::Local(local) = node
        && let Some(Some(known)) = known.get(*local as usize)
    {
        *node = known.clone();
        return true;
    }
    let mut all = true;
    node.parts(&mut |part| match part {
        NodePart::Node(node) => all = all && move_to(node, first, known, left),
        NodePart::Local(local) | NodePart::Written(local) => *local += first,
        NodePart::Shared => all = false,
    });
    all
}
