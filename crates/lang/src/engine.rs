//! The engine that reads scripts: Rhai's parser without any of its functions, and the limits of texts
//! and of runs.
//!
//! Scripts come from strangers: there is no file, process, network or clock in reach, and no
//! `eval`. The limits are the same in debug and release builds.

use super::lexer::is_freed;
use rhai::{Engine, OptimizationLevel, Token};
use std::sync::atomic::{AtomicBool, Ordering};

/// Maximum depth of calls between script functions.
pub const MAX_CALL_LEVELS: usize = 32;
/// The longest text, in bytes.
pub const MAX_STRING: usize = 65_536;
/// The longest list.
pub const MAX_ARRAY: usize = 4_096;
/// The largest map.
pub const MAX_MAP: usize = 1_024;

/// Maximum nesting depth of lists and maps where they are looked through.
pub const MAX_NESTING: usize = 64;

/// Prefix of the words that Rhai keeps for itself, where one is the name of a function that is defined: Rhai refuses it
/// there even if it is no keyword.
const NAMED: &str = "named__";

/// The words that Rhai keeps for itself and scripts do not, made names as their tokens go by.
#[derive(Default)]
pub struct FreedWords {
    /// Whether the tokens are those between `fn` and the parameters.
    in_head: AtomicBool,
}

impl FreedWords {
    /// A token as scripts mean it.
    pub fn read(&self, token: Token) -> Token {
        let in_head = self.in_head.load(Ordering::Relaxed);
        let goes_on = matches!(token, Token::Identifier(_) | Token::Reserved(_) | Token::Period);
        self.in_head
            .store(token == Token::Fn || in_head && goes_on, Ordering::Relaxed);
        match token {
            Token::Reserved(word) if is_freed(&word) && in_head => {
                Token::Identifier(Box::new(format!("{NAMED}{word}").into()))
            }
            Token::Reserved(word) if is_freed(&word) => Token::Identifier(word),
            token => token,
        }
    }
}

/// The name of a function as its script defines it.
pub fn defined_name(name: &str) -> &str {
    name.strip_prefix(NAMED).unwrap_or(name)
}

/// An engine that reads.
pub fn new() -> Engine {
    let mut engine = Engine::new_raw();
    engine
        .disable_symbol("eval")
        .disable_symbol("sleep")
        .disable_symbol("import");
    engine.disable_symbol("export");
    engine
        .set_max_call_levels(MAX_CALL_LEVELS)
        .set_max_expr_depths(64, 48)
        .set_max_string_size(MAX_STRING)
        .set_max_array_size(MAX_ARRAY)
        .set_max_map_size(MAX_MAP)
        .set_max_variables(256)
        .set_max_functions(512)
        .set_max_modules(0);
    let words = FreedWords::default();
    #[allow(deprecated)] // marked so only because it may change; the rhai version is pinned
    engine.on_parse_token(move |token, _, _| words.read(token));
    // What is written is what runs: lines that a dial makes idle count all the same.
    engine.set_optimization_level(OptimizationLevel::None);
    engine
}
