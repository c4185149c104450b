//! A function of a ruleset: its nodes, and the instructions that are made of them when it is called for the first time.

use super::code::Code;
use super::node::Node;
use super::value::Value;
use crate::parse::{Definition, TextPosition};
use std::sync::{Arc, OnceLock};

/// A function's code.
#[derive(Debug, Default)]
pub struct FunctionCode {
    /// Number of its local variables that are parameters.
    pub params: usize,
    /// Maximum number of its local variables.
    pub locals: usize,
    /// Parameters that closures in it share.
    pub shared: Vec<u16>,
    /// The fuel of a call.
    pub cost: u32,
    /// Whether it goes through something, so that what it says is worth to be remembered.
    pub heavy: bool,
    /// Code to run.
    pub body: Option<Node>,
    /// Scopes of the visible variables: names with their local, and whether closures share it.
    pub scopes: Vec<Vec<(Arc<str>, u16, bool)>>,
    /// Its instructions, where nobody watches.
    pub plain: OnceLock<Box<Code>>,
    /// Its instructions, where somebody watches.
    pub watched: OnceLock<Box<Code>>,
}

/// A function of a ruleset.
#[derive(Debug)]
pub struct Function {
    /// Index of its text.
    pub text: usize,
    /// Position among the layers; a closure has that of the function around it.
    pub place: Definition,
    /// Its name as written.
    pub name: String,
    /// Its parameters; of a closure, what it captures stands first.
    pub params: Vec<String>,
    /// Position of its name.
    pub at: TextPosition,
    /// The function around it, if it has no name of its own.
    pub within: Option<usize>,
    /// Its code.
    pub code: FunctionCode,
}

impl Function {
    /// Whether it says nothing, whatever it is called with.
    pub fn does_nothing(&self) -> bool {
        let body = self.code.body.as_ref();
        body.is_none_or(|body| body.constant().is_some_and(Value::is_nothing))
    }
}

impl FunctionCode {
    /// Forgets the instructions: names mean something else now.
    pub fn forget(&mut self) {
        self.plain.take();
        self.watched.take();
    }
}
