//! How far long work has come, and Ctrl-C as the wish to stop it: one place for all that may take more than
//! a second.
//!
//! Whoever works says after each piece that it is done, and is told whether to go on. What is done so far is
//! told on standard error, when that is a terminal and the program listens; so what is piped is never
//! changed by it. The library itself neither listens nor tells.

use crate::screen::say_passing;
use std::io::IsTerminal as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Work that is over sooner is not told of.
const SOON: Duration = Duration::from_secs(1);
/// It is told anew at most so often.
const OFTEN: Duration = Duration::from_millis(100);
/// How long rules may go on in work that was asked to stop.
const GRACE: Duration = Duration::from_millis(700);
/// What Ctrl-C makes of a program that does not listen.
const INTERRUPTED: i32 = 130;

/// Whether somebody wants the work to stop.
static STOP: AtomicBool = AtomicBool::new(false);
/// Whether rules that run are to stop where they are.
static INTERRUPT: AtomicBool = AtomicBool::new(false);
/// Whether anything is told.
static TELL: AtomicBool = AtomicBool::new(false);
/// How much work is under way.
static ACTIVE: AtomicUsize = AtomicUsize::new(0);
/// What was left undone, in words.
static LEFT: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// From now on Ctrl-C stops work that is under way, with what it has, and soon the rules that go on all the
/// same; when no work is under way, or at the second time, it ends the program. Progress is told on a
/// terminal.
pub fn listen() {
    tell();
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
pub fn tell() {
    TELL.store(std::io::stderr().is_terminal(), Ordering::Relaxed);
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

/// What was left undone since the last time that somebody asked, such as `scenarios: 12 of 48`.
pub fn left_undone() -> Vec<String> {
    STOP.store(false, Ordering::Relaxed);
    LEFT.lock()
        .map_or_else(|_| Vec::new(), |mut left| std::mem::take(&mut *left))
}

/// Work of many pieces.
pub struct Course {
    what: String,
    count: Option<usize>,
    done: AtomicU64,
    began: Instant,
    /// When it was last told, in milliseconds since it began; 0 is not yet.
    told: AtomicU64,
}

impl Course {
    /// Work begins: so many pieces, if that is known, of what is called so.
    pub fn of(what: &str, count: Option<usize>) -> Self {
        ACTIVE.fetch_add(1, Ordering::Relaxed);
        Self {
            what: what.to_owned(),
            count,
            done: AtomicU64::new(0),
            began: Instant::now(),
            told: AtomicU64::new(0),
        }
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
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        // Small pieces come by the million; the clock is asked now and then.
        if !TELL.load(Ordering::Relaxed) || (self.count.is_none() && !done.is_multiple_of(256)) {
            return;
        }
        let now = self.began.elapsed();
        let told = Duration::from_millis(self.told.load(Ordering::Relaxed));
        if now < SOON || now < told + OFTEN {
            return;
        }
        self.told.store(now.as_millis() as u64, Ordering::Relaxed);
        let seconds = now.as_secs();
        let so_far = so_far();
        let end = format!(" ({seconds} s, Ctrl-C stops)");
        say_passing(&format!("{}{so_far}", self.words()), &end);
    }

    fn words(&self) -> String {
        let done = self.done.load(Ordering::Relaxed);
        match self.count {
            Some(count) => format!("{}: {done} of {count}", self.what),
            None => format!("{}: {done}", self.what),
        }
    }
}

impl Drop for Course {
    fn drop(&mut self) {
        if self.told.load(Ordering::Relaxed) > 0 {
            say_passing("", "");
        }
        let whole = self
            .count
            .is_some_and(|count| self.done.load(Ordering::Relaxed) >= count as u64);
        if self.is_stopped()
            && !whole
            && let Ok(mut left) = LEFT.lock()
        {
            left.push(self.words());
        }
        if ACTIVE.fetch_sub(1, Ordering::SeqCst) == 1 {
            resume();
        }
    }
}
