//! The engine that reads scripts: Rhai's parser without any of its functions, and the limits of texts
//! and of runs.
//!
//! Scripts come from strangers: there is no file, process, network or clock in reach, and no
//! `eval`. The limits are the same in debug and release builds.

use rhai::{Engine, OptimizationLevel};

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
    // What is written is what runs: lines that a dial makes idle count all the same.
    engine.set_optimization_level(OptimizationLevel::None);
    engine
}
