//! Chains of properties, calls and indices, and what is changed at the end of one.

use super::super::context::intern;
use super::super::library;
use super::super::node::*;
use super::super::value::{Kind, Value};
use super::{Lowering, native, natives, spot, variable};
use crate::parse::TextPosition;
use crate::problems;
use crate::rhai_differences::{BIT, LETTER};
use crate::syntax::here;
use rhai::{ASTFlags, Expr, FnCallExpr, Position};
use std::sync::Arc;

impl Lowering<'_, '_, '_> {
    pub(super) fn assignment(&mut self, op: Option<Op>, to: &Expr, value: &Expr, at: Loc) -> Node {
        if let Some(name) = variable(to) {
            let value = self.expr(value);
            let Some((local, variable)) = self.local(name) else {
                return match self.free(name) {
                    Some(_) => self.constant(name, here(to.position())),
                    None => self.unknown(name, here(to.position())),
                };
            };
            if variable.constant {
                return self.constant(name, here(to.position()));
            }
            let shared = variable.shared;
            return Node::Assign(Box::new(Assign {
                local,
                shared,
                op,
                value,
                spot: at,
            }));
        }
        let value = self.expr(value);
        self.update(to, ChangeOp::Set(op, value), at)
    }

    fn constant(&mut self, name: &str, at: TextPosition) -> Node {
        self.refuse(at, problems::unchangeable(format_args!("`{name}`")))
    }

    /// Lowers the start of a change: the variable at its root, or a computed value.
    fn base(&mut self, base: &Expr) -> AccessBase {
        match variable(base).and_then(|name| self.local(name)) {
            Some((local, it)) if it.constant => AccessBase::Constant(local, it.shared, it.name.clone()),
            Some((local, it)) => AccessBase::Local(local, it.shared),
            None => AccessBase::Value(self.expr(base)),
        }
    }

    /// Whether there may be a thing of the game along the way, which a change ends with: things have slots.
    fn may_meet_a_thing(&self, path: &[AccessStep]) -> bool {
        let members = &self.store.members;
        let has_slot = |member: usize| members.member(member).set.iter().any(Option::is_some);
        path.iter().any(|step| match step {
            AccessStep::Property(it) => has_slot(it.member),
            AccessStep::Index(it) => match it.0.literal().map(Value::as_word) {
                Some(word) => word.is_some_and(|word| {
                    let member = members.find(self.store.words.text(word));
                    member.is_some_and(has_slot)
                }),
                // A text may be worked out there.
                None => true,
            },
        })
    }

    /// A change behind a dot or in brackets.
    fn update(&mut self, to: &Expr, change: ChangeOp, at: Loc) -> Node {
        let mut path = Vec::new();
        let (base, flat, _) = flatten(to);
        for part in flat {
            match self.step(part) {
                Some(step) => path.push(step),
                None => {
                    let problem = problems::unchangeable("the value of a function");
                    return self.refuse(here(part.1.position()), problem);
                }
            }
        }
        let root = here(base.position());
        if let Some(node) = self.no_item(
            base,
            matches!(path.first(), Some(AccessStep::Index(_))),
            Some(LETTER),
        ) {
            return node;
        }
        let base = self.base(base);
        if let AccessBase::Constant(.., name) = &base
            && !self.may_meet_a_thing(&path)
        {
            return self.constant(name, root);
        }
        Node::Update(Box::new(Update {
            base,
            path: path.into(),
            change,
            spot: at,
        }))
    }

    /// Returns the refusal of an index behind a variable that holds a number or, where letters are to be changed, a
    /// text.
    fn no_item(&mut self, base: &Expr, index: bool, letter: Option<[&str; 2]>) -> Option<Node> {
        let kind = variable(base)
            .and_then(|name| self.local(name))
            .and_then(|(_, it)| it.kind);
        let [what, instead] = match kind {
            Some(Kind::Int) if index => BIT,
            Some(Kind::Word) if index => letter?,
            _ => return None,
        };
        let problem = crate::parse::problems::refused_form(what).hint(instead);
        Some(self.refuse(here(base.position()), problem))
    }

    /// A step on the way to what is changed; what a function says is none.
    fn step(&mut self, (dot, part): (bool, &Expr)) -> Option<AccessStep> {
        match part {
            Expr::Property(property, at) if dot => {
                Some(AccessStep::Property(Box::new(self.property(&property.2, *at))))
            }
            _ if dot => None,
            index => {
                let node = self.expr(index);
                Some(AccessStep::Index(Box::new((node, spot(index.position())))))
            }
        }
    }

    fn property(&mut self, name: &str, at: Position) -> PropertyAccess {
        let word = intern(self.store.words, name);
        PropertyAccess {
            name: Arc::from(name),
            key: word.map_or(Value::NOTHING, Value::from),
            member: match self.store.members.find(name) {
                Some(member) => member,
                None => Arc::make_mut(self.store.members).index(name),
            },
            spot: spot(at),
        }
    }

    pub(super) fn chain(&mut self, expr: &Expr) -> Node {
        let (base, flat, optional) = flatten(expr);
        if let Some(node) = self.no_item(base, matches!(flat.first(), Some((false, _))), None) {
            return node;
        }
        let changed = self.change_of_a_variable(base, &flat);
        let done = match &changed {
            Some((_, links)) if *links == flat.len() => {
                return changed.map_or(Node::NOTHING, |(node, _)| node);
            }
            Some((_, links)) => *links,
            None => 0,
        };
        let mut args = Vec::new();
        let mut links = Vec::new();
        for ((dot, part), optional) in flat.into_iter().zip(optional).skip(done) {
            let at = part.position();
            let what = match (dot, part) {
                (true, Expr::Property(property, at)) => LinkTo::Get(self.property(&property.2, *at)),
                (true, Expr::MethodCall(call, _)) => {
                    let count = call.args.len();
                    args.extend(self.exprs(&call.args));
                    let choice = natives(&call.name, count + 1);
                    if let ("sort_by", Some(Node::Closure(by))) = (call.name.as_str(), args.last())
                        && self.parameters_of(by) == 2
                    {
                        return self.refuse(here(at), problems::comparing_sort());
                    }
                    if call.name == "call" {
                        LinkTo::CallValue(count)
                    } else if let Some(which) = library::mutators(&call.name, count).first() {
                        if library::MUTATORS[*which as usize].is_silent() {
                            return self.change_of_nothing(&call.name, at);
                        }
                        LinkTo::Take(*which, choice.into(), count)
                    } else {
                        if choice.is_empty() {
                            let rest = args.split_off(args.len() - count);
                            let object = self.expr(base);
                            let all: Vec<Node> = [object].into_iter().chain(rest).collect();
                            return Node::NoFunction(Box::new(NoFunction {
                                name: Arc::from(call.name.as_str()),
                                args: all.into(),
                                spot: spot(at),
                            }));
                        }
                        LinkTo::Native(choice.into(), count)
                    }
                }
                (false, index) => {
                    args.push(self.expr(index));
                    LinkTo::Index
                }
                (_, other) => {
                    return self.refuse(here(other.position()), problems::wrong_member());
                }
            };
            links.push(Link {
                what,
                optional,
                spot: spot(at),
            });
        }
        if args.len() >= MAX_ARGS {
            return self.refuse(here(expr.position()), problems::too_many("arguments", MAX_ARGS));
        }
        let mut node = match changed {
            Some((node, _)) if !keeps_order(&node, &args) => {
                return self.refuse(here(expr.position()), problems::change_within_chain());
            }
            Some((node, _)) => node,
            None => self.expr(base),
        };
        // Where one link has arguments and at most two, there is no more order to keep than that they come first.
        let asking = links.iter().filter(|l| l.what.args() > 0).count();
        let simple = |l: &Link| match l.what {
            LinkTo::Get(_) => !l.optional,
            LinkTo::Native(_, count) => !l.optional && count <= 1,
            LinkTo::CallValue(_) | LinkTo::Take(..) | LinkTo::Index => false,
        };
        if asking <= 1 && links.iter().all(simple) {
            let mut args = args.into_iter();
            for link in links {
                node = match link.what {
                    LinkTo::Get(property) => Node::Get(Box::new(SlotRead { property, of: node })),
                    LinkTo::Native(choice, count) => {
                        let all: Box<[Node]> = [node].into_iter().chain(args.by_ref().take(count)).collect();
                        if let Some(node) = self.misused(&choice.all, all.iter(), link.spot) {
                            return node;
                        }
                        native(choice.all, all, true, link.spot)
                    }
                    _ => node,
                };
            }
            return node;
        }
        if let [link] = &links[..]
            && !link.optional
            && let LinkTo::Native(choice, _) = &link.what
            && matches!(node, Node::Const(_) | Node::Local(_))
        {
            // The first argument of a call is taken last too when it is a variable.
            let all: Box<[Node]> = [node].into_iter().chain(args).collect();
            if let Some(node) = self.misused(&choice.all, all.iter(), link.spot) {
                return node;
            }
            return native(choice.all.clone(), all, true, link.spot);
        }
        Node::Chain(Box::new(Chain {
            base: node,
            args: args.into(),
            links: links.into(),
        }))
    }

    /// Number of parameters of a closure, what it captures left out.
    fn parameters_of(&self, closure: &ClosureOf) -> usize {
        let function = &self.store.closures[closure.function as usize - self.store.named];
        function.params.len() - closure.captures.len()
    }

    /// Lowers the first links of a chain that change something in place, and returns their number: they change the
    /// contents of a variable at the root, or the one value that the chain begins with.
    fn change_of_a_variable(&mut self, base: &Expr, flat: &[(bool, &Expr)]) -> Option<(Node, usize)> {
        let is_local = variable(base).and_then(|name| self.local(name)).is_some();
        let plain = |(dot, part): &&(bool, &Expr)| !dot || matches!(part, Expr::Property(..));
        let way = flat.iter().take_while(plain).count();
        let Some((true, Expr::MethodCall(call, at))) = flat.get(way) else {
            return None;
        };
        let which = *library::mutators(&call.name, call.args.len()).first()?;
        if !is_local && flat.len() > 1 && !self.may_be_kept(&flat[..way], call, *at) {
            return None;
        }
        let natives = natives(&call.name, call.args.len() + 1);
        let args = self.exprs(&call.args);
        let node = self.mutation(base, &flat[..way], which, natives, args, spot(*at));
        Some((node, way + 1))
    }

    /// Whether a change at the end of a way that begins at no variable may be kept: by a set or list in a slot. While
    /// slots are not known yet, the problem waits until they are.
    fn may_be_kept(&mut self, way: &[(bool, &Expr)], call: &FnCallExpr, at: Position) -> bool {
        let names = way.iter().filter_map(|(dot, part)| match part {
            Expr::Property(property, _) if *dot => Some(property.2.as_str()),
            _ => None,
        });
        let names: Vec<Arc<str>> = names.map(Arc::from).collect();
        if !self.store.slots_known && !names.is_empty() {
            let mutator = library::mutators(&call.name, call.args.len());
            if mutator
                .iter()
                .any(|which| library::MUTATORS[*which as usize].is_silent())
            {
                let source = &self.within.parsed.source;
                let (line, column) = here(at);
                let problem = problems::lost_change(&call.name).at(source, source.span_at(line, column));
                self.store.waiting.push((names, problem));
            }
            return true;
        }
        names.iter().any(|name| self.store.members.holds_items(name))
    }

    /// Refuses a change of a list or map that is kept nowhere: it does nothing.
    fn change_of_nothing(&mut self, name: &str, at: Position) -> Node {
        self.refuse(here(at), problems::lost_change(name))
    }

    fn mutation(
        &mut self,
        base: &Expr,
        flat: &[(bool, &Expr)],
        which: u16,
        natives: Box<[u16]>,
        args: Box<[Node]>,
        at: Loc,
    ) -> Node {
        let path: Vec<AccessStep> = flat.iter().filter_map(|part| self.step(*part)).collect();
        let root = here(base.position());
        let base = self.base(base);
        if let AccessBase::Constant(.., name) = &base
            && natives.is_empty()
            && !self.may_meet_a_thing(&path)
        {
            return self.constant(name, root);
        }
        let grows = Growth::of(library::MUTATORS[which as usize].name, args.len());
        let mutation = Mutation {
            which,
            grows,
            natives: natives.into(),
        };
        Node::Update(Box::new(Update {
            base,
            path: path.into(),
            change: ChangeOp::Mutate(mutation, args),
            spot: at,
        }))
    }
}

/// Whether it does not matter that the arguments behind a change are worked out before those of the change itself.
fn keeps_order(change: &Node, behind: &[Node]) -> bool {
    let Node::Update(change) = change else {
        return true;
    };
    let indices = change.path.iter().filter_map(|step| match step {
        AccessStep::Index(it) => Some(&it.0),
        AccessStep::Property(_) => None,
    });
    let args = match &change.change {
        ChangeOp::Set(_, value) => std::slice::from_ref(value),
        ChangeOp::Mutate(_, nodes) => nodes,
    };
    let own: Vec<&Node> = indices.chain(args).collect();
    let is_known = |node: &&Node| matches!(node, Node::Const(_));
    let does_nothing = |node: &&Node| matches!(node, Node::Const(_) | Node::Local(_));
    own.iter().copied().all(|node| is_known(&node))
        || behind.iter().all(|node| is_known(&node))
        || own.into_iter().chain(behind).all(|node| does_nothing(&node))
}

/// Returns the start of a chain, its parts from left to right, each with whether a dot stands before it, and which of
/// them are optional.
fn flatten(expr: &Expr) -> (&Expr, Vec<(bool, &Expr)>, Vec<bool>) {
    let (mut flat, mut optional) = (Vec::new(), Vec::new());
    let Some((sides, mut flags, mut dot)) = link(expr) else {
        return (expr, flat, optional);
    };
    let base = &sides.lhs;
    // The left side of a chain may be a chain of its own, in brackets.
    let mut rest = &sides.rhs;
    loop {
        optional.push(flags.contains(ASTFlags::NEGATED));
        // A chain goes on in its right side, unless it is marked as ending there.
        let next = if flags.contains(ASTFlags::BREAK) {
            None
        } else {
            link(rest)
        };
        flat.push((dot, next.map_or(rest, |(sides, ..)| &sides.lhs)));
        match next {
            Some((sides, next_flags, next_dot)) => {
                rest = &sides.rhs;
                flags = next_flags;
                dot = next_dot;
            }
            None => return (base, flat, optional),
        }
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
