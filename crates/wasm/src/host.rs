//! The host of the module: the clock of the page's thread, and its display of long work.

use rulebench_lang::work::{Host, TaskDisplay};
use std::sync::Mutex;
use std::time::Duration;

/// Minimum time between two reports of the progress of a task.
const MOMENT: Duration = Duration::from_millis(100);

/// The thread that the module runs in. It provides the functions `rulebenchNow`, which returns milliseconds, and
/// `rulebenchProgress`, which takes the name of a task, the pieces done, their number (0 if it is not known) and a
/// summary so far.
#[cfg(target_family = "wasm")]
mod script {
    use wasm_bindgen::prelude::wasm_bindgen;

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_namespace = globalThis, js_name = rulebenchNow)]
        pub fn now() -> f64;
        #[wasm_bindgen(js_namespace = globalThis, js_name = rulebenchProgress)]
        pub fn progress(what: &str, done: f64, count: f64, so_far: &str);
    }
}

/// For tests of the module outside of WebAssembly.
#[cfg(not(target_family = "wasm"))]
mod script {
    pub fn now() -> f64 {
        0.0
    }

    pub fn progress(_: &str, _: f64, _: f64, _: &str) {}
}

/// The host of the sessions of this module.
pub struct ScriptHost;

impl Host for ScriptHost {
    fn begin(&self, what: &str, count: Option<usize>) -> Box<dyn TaskDisplay> {
        Box::new(ScriptTask {
            what: what.to_owned(),
            count,
            shown: Mutex::new(self.now()),
        })
    }

    fn now(&self) -> Duration {
        Duration::from_secs_f64(script::now().max(0.0) / 1000.0)
    }
}

/// A task whose progress the thread shows.
struct ScriptTask {
    what: String,
    count: Option<usize>,
    /// Time of the last report.
    shown: Mutex<Duration>,
}

impl TaskDisplay for ScriptTask {
    fn step(&self, done: u64, so_far: &dyn Fn() -> String) {
        let now = ScriptHost.now();
        if let Ok(mut shown) = self.shown.lock()
            && now.saturating_sub(*shown) >= MOMENT
        {
            *shown = now;
            let count = self.count.unwrap_or_default();
            script::progress(&self.what, done as f64, count as f64, &so_far());
        }
    }
}
