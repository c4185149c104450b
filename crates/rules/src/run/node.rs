//! A ruleset's functions as trees of nodes, with every name resolved: what instructions are made of.
//!
//! Knows nothing of Rhai and nothing of how it is run.

use super::value::Value;
use crate::kernel::ids::{HookId, TerrainId, TypeId};
use crate::parse::TextPosition;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The most arguments of a call.
pub const MAX_ARGS: usize = 8;
/// The most local variables of a function, parameters included.
pub const MAX_LOCALS: usize = 64;

/// A place in a text: line and column from 1, packed. Nothing is at 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Loc(u32);

impl Loc {
    const COLUMN: u32 = 12;

    /// The place of a line and column; columns past 4,095 count as that.
    pub fn new((line, column): TextPosition) -> Self {
        let column = (column as u32).min((1 << Self::COLUMN) - 1);
        Self((line as u32) << Self::COLUMN | column)
    }

    /// Line and column.
    pub fn at(self) -> TextPosition {
        let column = self.0 & ((1 << Self::COLUMN) - 1);
        ((self.0 >> Self::COLUMN) as usize, column as usize)
    }

    /// The line alone.
    pub fn line(self) -> usize {
        (self.0 >> Self::COLUMN) as usize
    }
}

/// An operator between two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `&`
    And,
    /// `|`
    Or,
    /// `..`
    Range,
    /// `..=`
    RangeTo,
    /// `**`
    Pow,
    /// `^`
    Xor,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
}

impl Op {
    /// Every operator with its sign, in the order of the variants.
    pub const SIGNS: [(Op, &'static str); 19] = [
        (Op::Add, "+"),
        (Op::Sub, "-"),
        (Op::Mul, "*"),
        (Op::Div, "/"),
        (Op::Rem, "%"),
        (Op::Eq, "=="),
        (Op::Ne, "!="),
        (Op::Lt, "<"),
        (Op::Le, "<="),
        (Op::Gt, ">"),
        (Op::Ge, ">="),
        (Op::And, "&"),
        (Op::Or, "|"),
        (Op::Range, ".."),
        (Op::RangeTo, "..="),
        (Op::Pow, "**"),
        (Op::Xor, "^"),
        (Op::Shl, "<<"),
        (Op::Shr, ">>"),
    ];

    /// Returns the sign in scripts.
    pub fn sign(self) -> &'static str {
        Self::SIGNS[self as usize].1
    }

    /// The operator of a sign.
    pub fn of(sign: &str) -> Option<Op> {
        Self::SIGNS.iter().find(|(_, s)| *s == sign).map(|(op, _)| *op)
    }
}

/// Something that is evaluated. Whatever needs much room is boxed, so that nodes are small.
#[derive(Debug, Clone)]
pub enum Node {
    Const(Value),
    Local(u16),
    /// A local variable that closures share.
    Shared(u16),
    Block(Box<[Stmt]>),
    If(Box<If>),
    Switch(Box<Switch>),
    While(Box<While>),
    For(Box<For>),
    Let(Box<Let>),
    Assign(Box<Assign>),
    Update(Box<Update>),
    Native(Box<NativeCall>),
    Call(Box<CallNode>),
    Hook(Box<HookCall>),
    Get(Box<SlotRead>),
    Chain(Box<Chain>),
    Binary(Box<Binary>),
    Compare(Box<Compare>),
    Not(Box<Unary>),
    Negate(Box<Unary>),
    Plus(Box<Unary>),
    All(Box<Each>),
    Any(Box<Each>),
    Coalesce(Box<Each>),
    List(Box<Each>),
    Map(Box<MapOf>),
    Text(Box<Each>),
    Closure(Box<ClosureOf>),
    Return(Option<Box<Node>>),
    Break(Option<Box<Node>>),
    Throw(Box<Unary>),
    Continue,
    /// Value that drifts between plays, so that tests can show that it is noticed.
    #[cfg(any(test, feature = "trials"))]
    Drift,
    /// A name that stands for nothing.
    NoName(Box<(Arc<str>, Loc)>),
    /// A call of what is no function.
    NoFunction(Box<NoFunction>),
}

/// A statement, and what a person sees who stops there.
#[derive(Debug, Clone)]
pub struct Stmt {
    /// Code to run.
    pub node: Node,
    /// Position of its start.
    pub spot: Loc,
    /// The variables that are visible before it: an index into [`FunctionCode::scopes`].
    pub scope: u32,
}

#[derive(Debug, Clone)]
pub struct If {
    pub guard: Node,
    pub then: Node,
    pub otherwise: Node,
    pub spot: Loc,
}

#[derive(Debug, Clone)]
pub struct While {
    /// `None` for a loop without a condition.
    pub guard: Option<Node>,
    pub body: Node,
    /// Whether the body runs once before the guard is looked at.
    pub body_first: bool,
    /// Value of the guard for which the loop goes on.
    pub goes_on: bool,
    pub cost: u32,
    pub spot: Loc,
}

#[derive(Debug, Clone)]
pub struct For {
    pub item: u16,
    pub counter: Option<u16>,
    /// Flags of the item and the counter: whether closures share them.
    pub shared: (bool, bool),
    pub over: LoopSource,
    pub body: Node,
    pub cost: u32,
    pub spot: Loc,
}

/// Values that a loop goes through.
#[derive(Debug, Clone)]
pub enum LoopSource {
    Value(Node),
    /// Numbers from one to another, and whether the last is one of them.
    Range(Node, Node, bool),
}

#[derive(Debug, Clone)]
pub struct Let {
    pub local: u16,
    pub shared: bool,
    pub value: Node,
}

#[derive(Debug, Clone)]
pub struct Assign {
    pub local: u16,
    pub shared: bool,
    pub op: Option<Op>,
    pub value: Node,
    pub spot: Loc,
}

/// A change of a part of something: `a.b[c].d = e`, `a.b += e`, `a.b.push(e)`.
#[derive(Debug, Clone)]
pub struct Update {
    pub base: AccessBase,
    /// The way from the base to what is changed.
    pub path: Box<[AccessStep]>,
    pub change: ChangeOp,
    pub spot: Loc,
}

#[derive(Debug, Clone)]
pub enum AccessBase {
    Local(u16, bool),
    /// A variable that stays as it is, and its name: only slots of things can be changed behind it.
    Constant(u16, bool, Arc<str>),
    /// Computed value: only slots of things can be changed behind it.
    Value(Node),
}

#[derive(Debug, Clone)]
pub enum AccessStep {
    /// A property, by name as a word and by its index among the members.
    Property(Box<PropertyAccess>),
    Index(Box<(Node, Loc)>),
}

#[derive(Debug, Clone)]
pub struct PropertyAccess {
    pub name: Arc<str>,
    /// The name as a value, for maps.
    pub key: Value,
    /// Its index among the members.
    pub member: usize,
    pub spot: Loc,
}

#[derive(Debug, Clone)]
pub enum ChangeOp {
    Set(Option<Op>, Node),
    /// One of the functions that change a list or map in place.
    Mutate(Mutation, Box<[Node]>),
}

/// Ways in which a list grows at its end, the most frequent changes in rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Growth {
    /// By one item.
    Push,
    /// By those of another list.
    Append,
}

impl Growth {
    /// Returns the growth of a list by a function of this name and number of arguments, if it is one.
    pub fn of(name: &str, args: usize) -> Option<Self> {
        match (name, args) {
            ("push", 1) => Some(Self::Push),
            ("append", 1) => Some(Self::Append),
            _ => None,
        }
    }
}

#[derive(Debug, Clone)]
pub struct Mutation {
    /// A mutator of that name.
    pub which: u16,
    /// Whether it adds to the end of a list.
    pub grows: Option<Growth>,
    /// The native functions of that name, for what is no list or map.
    pub natives: Overloads,
}

#[derive(Debug, Clone)]
pub struct NoFunction {
    pub name: Arc<str>,
    pub args: Box<[Node]>,
    pub spot: Loc,
}

/// The native functions of a name and number of arguments.
#[derive(Debug)]
pub struct Overloads {
    /// Indices of the functions.
    pub all: Box<[u16]>,
    /// The kinds of the last call's arguments, a byte each, with the function that takes them in the two highest bytes.
    /// Calls with more than six arguments are not remembered.
    last: AtomicU64,
}

/// Number of bits for the kinds of the arguments of a remembered call.
const KINDS: u32 = 48;

impl Overloads {
    /// Returns the function that took arguments of these kinds in the last call, if it had such arguments.
    #[inline(always)]
    pub fn remembered(&self, kinds: u64) -> Option<u16> {
        let last = self.last.load(Ordering::Relaxed);
        (last & ((1 << KINDS) - 1) == kinds).then_some((last >> KINDS) as u16)
    }

    /// Remembers the function that takes arguments of these kinds.
    #[inline]
    pub fn remember(&self, kinds: u64, function: u16) {
        if kinds >> KINDS == 0 {
            self.last
                .store(u64::from(function) << KINDS | kinds, Ordering::Relaxed);
        }
    }
}

impl Clone for Overloads {
    fn clone(&self) -> Self {
        self.all.clone().into()
    }
}

impl From<Box<[u16]>> for Overloads {
    fn from(all: Box<[u16]>) -> Self {
        Self {
            all,
            last: u64::MAX.into(),
        }
    }
}

#[derive(Debug, Clone)]
pub struct NativeCall {
    pub choice: Overloads,
    pub args: Box<[Node]>,
    /// Whether the first of two arguments is taken last: it is a variable, or what a chain begins with.
    pub late: bool,
    pub spot: Loc,
}

#[derive(Debug, Clone)]
pub struct CallNode {
    pub function: u32,
    pub args: Box<[Node]>,
    pub spot: Loc,
}

#[derive(Debug, Clone)]
pub struct HookCall {
    pub hook: HookId,
    pub args: Box<[Node]>,
    pub spot: Loc,
}

#[derive(Debug, Clone)]
pub struct SlotRead {
    pub property: PropertyAccess,
    pub of: Node,
}

/// `a.b(x).c[y]`: every argument is evaluated before the base, as Rhai does.
#[derive(Debug, Clone)]
pub struct Chain {
    pub base: Node,
    pub args: Box<[Node]>,
    pub links: Box<[Link]>,
}

#[derive(Debug, Clone)]
pub struct Link {
    pub what: LinkTo,
    /// Whether nothing before it makes the whole chain nothing: `?.`.
    pub optional: bool,
    pub spot: Loc,
}

#[derive(Debug, Clone)]
pub enum LinkTo {
    Get(PropertyAccess),
    Native(Overloads, usize),
    CallValue(usize),
    /// Takes something out of a list or map that no variable holds: which of [`super::library::MUTATORS`]; the native
    /// functions of that name, for what is neither; and for how many arguments.
    Take(u16, Overloads, usize),
    Index,
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

#[derive(Debug, Clone)]
pub struct Binary {
    pub op: Op,
    pub left: Node,
    pub right: Node,
    pub spot: Loc,
}

/// A comparison with a value that is known at load.
#[derive(Debug, Clone)]
pub struct Compare {
    pub op: Op,
    pub left: Node,
    pub right: Value,
    pub spot: Loc,
}

#[derive(Debug, Clone)]
pub struct Unary {
    pub of: Node,
    pub spot: Loc,
}

/// Several nodes, each with its place.
#[derive(Debug, Clone)]
pub struct Each {
    pub nodes: Box<[Node]>,
    pub spots: Box<[Loc]>,
}

#[derive(Debug, Clone)]
pub struct MapOf {
    /// As they are written.
    pub entries: Box<[(Value, Node)]>,
    /// As they are kept: by key.
    pub order: Box<[u32]>,
    pub spot: Loc,
}

#[derive(Debug, Clone)]
pub struct ClosureOf {
    pub function: u32,
    /// The local variables that it takes with it; those that are shared as such.
    pub captures: Box<[u16]>,
}

#[derive(Debug, Clone)]
pub struct Switch {
    pub on: Node,
    /// Values to compare with, by case; each with a condition of its own, if it has one.
    pub cases: Box<[(Value, usize)]>,
    /// Ranges of numbers, each with its case.
    pub ranges: Box<[(i64, i64, bool, usize)]>,
    /// Bodies of the cases.
    pub bodies: Box<[Case]>,
    pub default: Option<usize>,
    pub spot: Loc,
}

/// Body of a case of a `switch`.
#[derive(Debug, Clone)]
pub struct Case {
    /// Its own condition, if it has one, and where that stands.
    pub guard: Option<(Node, Loc)>,
    pub body: Node,
}

/// Owner of the script that a call of a hook goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookOwner {
    /// The game's.
    Game,
    /// A unit type's.
    Type(TypeId),
    /// A terrain's.
    Terrain(TerrainId),
}

/// Targets of a hook for the game, for each unit type and for each kind of terrain.
#[derive(Debug, Clone, Default)]
pub struct HookEntry {
    /// The name as scripts call it.
    pub name: String,
    /// Number of parameters.
    pub arity: usize,
    /// The game's own function.
    pub game: CallTarget,
    /// By unit type.
    pub by_type: Vec<CallTarget>,
    /// By kind of terrain.
    pub by_terrain: Vec<CallTarget>,
}

impl HookEntry {
    /// Every function that it goes to for things with scripts of their own.
    pub fn own(&self) -> impl Iterator<Item = &CallTarget> {
        self.by_type.iter().chain(&self.by_terrain)
    }

    /// Whether a unit type or a kind of terrain has a function of its own for it.
    pub fn redefined(&self) -> bool {
        self.arity > 0 && self.own().any(|t| t.index != self.game.index)
    }

    /// The function that a call about this thing goes to.
    #[inline]
    pub fn target(&self, whose: HookOwner) -> &CallTarget {
        let own = match whose {
            HookOwner::Game => None,
            HookOwner::Type(kind) => self.by_type.get(kind.index()),
            HookOwner::Terrain(terrain) => self.by_terrain.get(terrain.index()),
        };
        own.unwrap_or(&self.game)
    }
}

/// One function that a hook goes to.
#[derive(Debug, Clone, Default)]
pub struct CallTarget {
    /// Its index among the ruleset's functions.
    pub index: usize,
    /// The one value that its body is: calling it changes nothing.
    pub constant: Option<Value>,
}

impl CallTarget {
    /// It does nothing, or only says `true`.
    pub fn is_idle(&self) -> bool {
        matches!(self.constant, Some(value) if value.is_nothing() || value == Value::TRUE)
    }
}

/// Part of a node.
pub enum NodePart<'n> {
    Node(&'n Node),
    /// A variable that it writes.
    Written(u16),
    /// One that closures share, or what takes variables along.
    Shared,
}

impl Node {
    /// Shows what it is made of.
    pub fn parts(&self, see: &mut dyn FnMut(NodePart<'_>)) {
        let variable = |local, shared: bool, see: &mut dyn FnMut(NodePart<'_>)| match shared {
            true => see(NodePart::Shared),
            false => see(NodePart::Written(local)),
        };
        let mut all = |nodes: &[Node]| nodes.iter().for_each(|node| see(NodePart::Node(node)));
        match self {
            Node::Const(_) | Node::Local(_) | Node::Continue | Node::NoName(_) => {}
            #[cfg(any(test, feature = "trials"))]
            Node::Drift => {}
            Node::Shared(_) | Node::Closure(_) => see(NodePart::Shared),
            Node::Block(statements) => statements.iter().for_each(|s| see(NodePart::Node(&s.node))),
            Node::If(it) => [&it.guard, &it.then, &it.otherwise]
                .into_iter()
                .for_each(|node| see(NodePart::Node(node))),
            Node::Switch(it) => {
                see(NodePart::Node(&it.on));
                for case in &it.bodies {
                    case.guard
                        .iter()
                        .for_each(|(guard, _)| see(NodePart::Node(guard)));
                    see(NodePart::Node(&case.body));
                }
            }
            Node::While(it) => {
                let parts = it.guard.iter().chain([&it.body]);
                parts.for_each(|node| see(NodePart::Node(node)));
            }
            Node::For(it) => {
                variable(it.item, it.shared.0, see);
                if let Some(counter) = it.counter {
                    variable(counter, it.shared.1, see);
                }
                match &it.over {
                    LoopSource::Value(node) => see(NodePart::Node(node)),
                    LoopSource::Range(from, to, _) => {
                        [from, to].into_iter().for_each(|node| see(NodePart::Node(node)))
                    }
                }
                see(NodePart::Node(&it.body));
            }
            Node::Let(it) => {
                variable(it.local, it.shared, see);
                see(NodePart::Node(&it.value));
            }
            Node::Assign(it) => {
                variable(it.local, it.shared, see);
                see(NodePart::Node(&it.value));
            }
            Node::Update(it) => {
                match &it.base {
                    AccessBase::Local(local, shared) => variable(*local, *shared, see),
                    AccessBase::Constant(_, false, _) => {}
                    AccessBase::Constant(..) => see(NodePart::Shared),
                    AccessBase::Value(node) => see(NodePart::Node(node)),
                }
                for step in &it.path {
                    if let AccessStep::Index(index) = step {
                        see(NodePart::Node(&index.0));
                    }
                }
                match &it.change {
                    ChangeOp::Set(_, node) => see(NodePart::Node(node)),
                    ChangeOp::Mutate(_, nodes) => nodes.iter().for_each(|node| see(NodePart::Node(node))),
                }
            }
            Node::Native(it) => all(&it.args),
            Node::Call(it) => all(&it.args),
            Node::Hook(it) => all(&it.args),
            Node::Get(it) => see(NodePart::Node(&it.of)),
            Node::Chain(it) => {
                all(&it.args);
                see(NodePart::Node(&it.base));
            }
            Node::Binary(it) => {
                see(NodePart::Node(&it.left));
                see(NodePart::Node(&it.right));
            }
            Node::Compare(it) => see(NodePart::Node(&it.left)),
            Node::Not(it) | Node::Negate(it) | Node::Plus(it) | Node::Throw(it) => {
                see(NodePart::Node(&it.of));
            }
            Node::All(it) | Node::Any(it) | Node::Coalesce(it) | Node::List(it) | Node::Text(it) => {
                all(&it.nodes);
            }
            Node::Map(it) => it.entries.iter().for_each(|(_, node)| see(NodePart::Node(node))),
            Node::Return(value) | Node::Break(value) => {
                value.iter().for_each(|node| see(NodePart::Node(node)));
            }
            Node::NoFunction(it) => all(&it.args),
        }
    }

    /// Nothing.
    pub const NOTHING: Node = Node::Const(Value::NOTHING);

    /// Whether it is a variable: as the first argument of a call that is taken last.
    #[inline]
    pub fn is_variable(&self) -> bool {
        matches!(self, Node::Local(_) | Node::Shared(_))
    }

    /// The value that stands there.
    pub fn literal(&self) -> Option<Value> {
        match self {
            Node::Const(value) => Some(*value),
            _ => None,
        }
    }

    /// The value that the node always has as the body of a function, which it may return.
    pub fn constant(&self) -> Option<Value> {
        match self {
            Node::Const(value) => Some(*value),
            Node::Block(statements) => match &statements[..] {
                [] => Some(Value::NOTHING),
                [one] => one.node.constant(),
                _ => None,
            },
            Node::Return(None) => Some(Value::NOTHING),
            Node::Return(Some(node)) => node.constant(),
            _ => None,
        }
    }
}
