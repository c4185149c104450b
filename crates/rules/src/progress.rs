//! Progress of long work and its cancellation by Ctrl-C, in one place for everything that may take more than a second.
//!
//! Whoever works says after each piece that it is done, and is told whether to go on. What is done so far is
//! told on standard error, when that is a terminal and the program listens; so what is piped is never
//! changed by it. The library itself neither listens nor tells.

use crate::screen::print_progress;
use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// Work that is over sooner is not told of.
const SOON: Duration = Duration::from_secs(1);
/// It is told anew at most so often.
const OFTEN: Duration = Duration::from_millis(100);
/// Time that rules may still run in work that was asked to stop.
const GRACE: Duration = Duration::from_millis(700);
/// Exit code of a program that Ctrl-C ends, the same as without a handler.
const INTERRUPTED: i32 = 130;

/// Whether somebody wants the work to stop.
static STOP: AtomicBool = AtomicBool::new(false);
/// Whether rules that run are to stop where they are.
static INTERRUPT: AtomicBool = AtomicBool::new(false);
/// Whether anything is told.
static TELL: AtomicBool = AtomicBool::new(false);
/// Number of pieces of work under way.
static ACTIVE: AtomicUsize = AtomicUsize::new(0);
/// When the command began that is told of; whoever has none counts from where its work begins.
static BEGAN: OnceLock<Instant> = OnceLock::new();
/// The work under way, the outermost first.
static UNDER_WAY: Mutex<Vec<Arc<ProgressState>>> = Mutex::new(Vec::new());
/// Descriptions of work that was left undone.
static LEFT: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// From now on Ctrl-C stops work that is under way, with what it has, and soon the rules that go on all the
/// same; when no work is under way, or at the second time, it ends the program. Progress is told on a
/// terminal.
pub fn listen() {
    show_progress();
    if TELL.load(Ordering::Relaxed) {
        BEGAN.get_or_init(Instant::now);
        // Pieces that take long are told of while they last; without that one waits for their end.
        let _ = std::thread::Builder::new().spawn(keep_showing);
    }
    // Without the handler Ctrl-C ends the program, which is no reason not to start it.
    let _ = ctrlc::set_handler(|| {
        if ACTIVE.load(Ordering::Relaxed) == 0 || STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
        // What is finished behind the work, such as comparing what was done, is not meant.
        interrupt_soon(|| ACTIVE.load(Ordering::SeqCst) > 0);
    });
}

/// From now on progress is told on a terminal.
pub fn show_progress() {
    TELL.store(std::io::stderr().is_terminal(), Ordering::Relaxed);
}

/// The time since it was asked for the first time.
pub fn clock() -> Duration {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed()
}

/// Asks the work under way to stop; work that begins later is not meant.
pub fn stop() {
    STOP.store(ACTIVE.load(Ordering::Relaxed) > 0, Ordering::Relaxed);
}

/// Work that was asked to stop does so behind one of its pieces. When that is not heeded in time, and it is
/// still wanted, the rules that run stop where they are, until the work ends or [`resume`].
pub fn interrupt_soon(wanted: impl Fn() -> bool + Send + 'static) {
    let later = std::thread::Builder::new().spawn(move || {
        std::thread::sleep(GRACE);
        if wanted() {
            INTERRUPT.store(true, Ordering::SeqCst);
        }
        // The work may have ended between the two.
        if !wanted() {
            resume();
        }
    });
    if later.is_err() {
        INTERRUPT.store(true, Ordering::SeqCst);
    }
}

/// Rules run again.
pub fn resume() {
    INTERRUPT.store(false, Ordering::SeqCst);
}

/// Whether rules are to stop where they are.
pub fn is_interrupted() -> bool {
    INTERRUPT.load(Ordering::Relaxed)
}

/// Whether somebody stopped the work.
pub fn is_stopped() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// Returns and clears the list of work left undone since the last call, such as `scenarios: 12 of 48`.
pub fn take_undone() -> Vec<String> {
    STOP.store(false, Ordering::Relaxed);
    LEFT.lock()
        .map_or_else(|_| Vec::new(), |mut left| std::mem::take(&mut *left))
}

/// Tells of work whose pieces take long, again and again.
fn keep_showing() {
    loop {
        std::thread::sleep(OFTEN);
        let Ok(under_way) = UNDER_WAY.lock() else { return };
        let now = age(Instant::now());
        let quiet = |state: &Arc<ProgressState>| now >= state.shown_at() + SOON;
        if let Some(state) = under_way.first()
            && under_way.iter().all(quiet)
        {
            state.show(now, None);
        }
    }
}

/// Returns the time since the command began, or since `began` if the start of the command is not recorded.
fn age(began: Instant) -> Duration {
    BEGAN.get().unwrap_or(&began).elapsed()
}

/// Progress of a piece of work.
struct ProgressState {
    what: String,
    count: Option<usize>,
    done: AtomicU64,
    began: Instant,
    /// When it was last told, in milliseconds since it was counted from; 0 is not yet.
    shown_at_ms: AtomicU64,
    /// Progress text that was last shown.
    so_far: Mutex<String>,
}

impl ProgressState {
    fn shown_at(&self) -> Duration {
        Duration::from_millis(self.shown_at_ms.load(Ordering::Relaxed))
    }

    /// Tells it, with what there is so far if that is new.
    fn show(&self, now: Duration, so_far: Option<String>) {
        if now < SOON {
            return;
        }
        self.shown_at_ms.store(now.as_millis() as u64, Ordering::Relaxed);
        let so_far = self.so_far.lock().map_or_else(
            |_| String::new(),
            |mut known| {
                so_far.into_iter().for_each(|new| *known = new);
                known.clone()
            },
        );
        let end = format!(" ({} s, Ctrl-C stops)", now.as_secs());
        print_progress(&self.what, &self.counted(), &so_far, &end);
    }

    /// Such as `: 12 of 48`.
    fn counted(&self) -> String {
        let done = self.done.load(Ordering::Relaxed);
        match self.count {
            Some(count) => format!(": {done} of {count}"),
            None => format!(": {done}"),
        }
    }
}

/// Work of many pieces.
pub struct Task(Arc<ProgressState>);

impl Task {
    /// Work begins: so many pieces, if that is known, of what is called so.
    pub fn of(what: &str, count: Option<usize>) -> Self {
        ACTIVE.fetch_add(1, Ordering::Relaxed);
        let state = Arc::new(ProgressState {
            what: what.to_owned(),
            count,
            done: AtomicU64::new(0),
            began: Instant::now(),
            shown_at_ms: AtomicU64::new(0),
            so_far: Mutex::default(),
        });
        if let Ok(mut under_way) = UNDER_WAY.lock() {
            under_way.push(Arc::clone(&state));
        }
        Self(state)
    }

    /// Whether the work is to stop.
    pub fn is_stopped(&self) -> bool {
        is_stopped()
    }

    /// One more piece is done, unless its rules were stopped.
    pub fn step(&self) {
        self.step_with(String::new);
    }

    /// The same, and what is told of what there is so far.
    pub fn step_with(&self, so_far: impl FnOnce() -> String) {
        if is_interrupted() {
            return;
        }
        let state = &self.0;
        let done = state.done.fetch_add(1, Ordering::Relaxed) + 1;
        // Small pieces come by the million; the clock is asked now and then.
        if !TELL.load(Ordering::Relaxed) || (state.count.is_none() && !done.is_multiple_of(256)) {
            return;
        }
        let now = age(state.began);
        if now >= SOON && now >= state.shown_at() + OFTEN {
            state.show(now, Some(so_far()));
        }
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        let state = &self.0;
        if let Ok(mut under_way) = UNDER_WAY.lock() {
            under_way.retain(|other| !Arc::ptr_eq(other, state));
            if state.shown_at_ms.load(Ordering::Relaxed) > 0 {
                print_progress("", "", "", "");
            }
        }
        let done = state.done.load(Ordering::Relaxed);
        let whole = state.count.is_some_and(|count| done >= count as u64);
        if self.is_stopped()
            && !whole
            && let Ok(mut left) = LEFT.lock()
        {
            left.push(format!("{}{}", state.what, state.counted()));
        }
        if ACTIVE.fetch_sub(1, Ordering::SeqCst) == 1 {
            resume();
        }
    }
}
