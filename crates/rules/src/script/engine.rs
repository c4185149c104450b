//! The engine that reads scripts: Rhai's parser without any of its functions, and the limits of texts
//! and of runs.
//!
//! Scripts come from strangers: there is no file, process, network or clock in reach, and no
//! `eval`. The limits are the same in debug and release builds.

use rhai::{Engine, OptimizationLevel};

/// Maximum number of operations in one step, including the hooks that it calls.
pub const MAX_OPERATIONS: u64 = 2_000_000;
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

/// Returns the maximum number of operations for the step that begins now.
#[cfg(not(test))]
pub fn step_fuel() -> u64 {
    MAX_OPERATIONS
}

#[cfg(test)]
pub use less::step_fuel;

/// Less fuel on one thread, so that tests of what takes long take less long.
#[cfg(test)]
pub mod less {
    use std::cell::Cell;

    thread_local! {
        static FUEL: Cell<u64> = const { Cell::new(super::MAX_OPERATIONS) };
    }

    /// Steps on this thread have this much from here on.
    pub fn set(fuel: u64) {
        FUEL.set(fuel);
    }

    /// Returns the maximum number of operations for the step that begins now.
    pub fn step_fuel() -> u64 {
        FUEL.get()
    }
}

/// A source of what no script can reach, so that tests can show that its use is noticed.
#[cfg(any(test, feature = "trials"))]
pub mod drift {
    use std::cell::Cell;

    thread_local! {
        static COUNT: Cell<Option<i64>> = const { Cell::new(None) };
    }

    /// From here on, scripts on this thread can call `test_drift()`, which counts its calls across all plays.
    pub fn begin() {
        COUNT.set(Some(0));
    }

    /// Counts a call of `test_drift()` and returns the count; `None` before [`begin`].
    pub fn count() -> Option<i64> {
        let count = COUNT.get()? + 1;
        COUNT.set(Some(count));
        Some(count)
    }
}
