//! Fuel: operations that a step may take.

/// Maximum number of operations in one step, including the hooks that it calls.
pub const MAX_OPERATIONS: u64 = 2_000_000;

/// Returns the maximum number of operations for the step that begins now.
#[cfg(not(any(test, feature = "trials")))]
pub fn step_fuel() -> u64 {
    MAX_OPERATIONS
}

#[cfg(any(test, feature = "trials"))]
pub use less::step_fuel;

/// Less fuel on one thread, so that tests of what takes long take less long.
#[cfg(any(test, feature = "trials"))]
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
