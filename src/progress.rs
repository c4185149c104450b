//! Progress of long work on a terminal, and its cancellation by Ctrl-C.
//!
//! Progress is shown on standard error, when that is a terminal, so that piped output never changes.

use crate::screen::print_progress;
use crate::work::{Host, TaskDisplay, Work, counted};
use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// Work that is over sooner is not shown.
const SOON: Duration = Duration::from_secs(1);
/// Shortest time between two updates.
const OFTEN: Duration = Duration::from_millis(100);
/// Time that rules may still run in work that was asked to stop.
const GRACE: Duration = Duration::from_millis(700);
/// Exit code of a program that Ctrl-C ends, the same as without a handler.
const INTERRUPTED: i32 = 130;

/// Returns the work of a command. On Ctrl-C tasks under way stop with what they have, and soon after that the rules
/// that still run; when no task is under way, or at the second time, the program ends.
pub fn of_command() -> Work {
    let terminal = Arc::new(Terminal::new(true));
    if terminal.shows {
        let shown = Arc::clone(&terminal);
        // Pieces that take long are shown while they last; without that one waits for their end.
        let _ = std::thread::Builder::new().spawn(move || shown.keep_showing());
    }
    let work = Work::new(TerminalHost(terminal));
    let stopped = work.clone();
    // Without the handler Ctrl-C ends the program, which is no reason not to start it.
    let _ = ctrlc::set_handler(move || {
        if !stopped.is_active() || stopped.stop() {
            std::process::exit(INTERRUPTED);
        }
        // What is finished behind the work, such as comparing what was done, is not meant.
        let active = stopped.clone();
        interrupt_soon(&stopped, move || active.is_active());
    });
    work
}

/// Returns the work of a session, which listens for Ctrl-C itself; `shows` is whether its progress is shown.
pub fn of_session(shows: bool) -> Work {
    let terminal = Terminal::new(false);
    Work::new(TerminalHost(Arc::new(Terminal {
        shows: shows && terminal.shows,
        ..terminal
    })))
}

/// Returns the time since it was asked for the first time.
pub fn clock() -> Duration {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed()
}

/// Interrupts the rules of work that was asked to stop and has not done so in time, if that is still wanted.
pub fn interrupt_soon(work: &Work, wanted: impl Fn() -> bool + Send + 'static) {
    let late = work.clone();
    let later = std::thread::Builder::new().spawn(move || {
        std::thread::sleep(GRACE);
        if wanted() {
            late.interrupt();
        }
        // The work may have ended between the two.
        if !wanted() {
            late.resume();
        }
    });
    if later.is_err() {
        work.interrupt();
    }
}

/// Progress on standard error.
struct Terminal {
    /// Whether progress is shown.
    shows: bool,
    /// Whether time counts from the start of the command, not of each task.
    whole: bool,
    began: Instant,
    /// The tasks under way, the outermost first.
    under_way: Mutex<Vec<Arc<ShownTask>>>,
}

impl Terminal {
    fn new(whole: bool) -> Self {
        Self {
            shows: std::io::stderr().is_terminal(),
            whole,
            began: Instant::now(),
            under_way: Mutex::default(),
        }
    }

    /// Shows tasks whose pieces take long, again and again.
    fn keep_showing(&self) {
        loop {
            std::thread::sleep(OFTEN);
            let Ok(under_way) = self.under_way.lock() else {
                return;
            };
            let now = self.began.elapsed();
            let quiet = |task: &Arc<ShownTask>| now >= task.shown_at() + SOON;
            if let Some(task) = under_way.first()
                && under_way.iter().all(quiet)
            {
                task.show(now, None);
            }
        }
    }
}

/// The program at a terminal, which work is done for.
struct TerminalHost(Arc<Terminal>);

impl Host for TerminalHost {
    fn now(&self) -> Duration {
        self.0.began.elapsed()
    }

    fn begin(&self, what: &str, count: Option<usize>) -> Box<dyn TaskDisplay> {
        let task = Arc::new(ShownTask {
            what: what.to_owned(),
            count,
            done: AtomicU64::new(0),
            began: if self.0.whole {
                self.0.began
            } else {
                Instant::now()
            },
            shown_at_ms: AtomicU64::new(0),
            so_far: Mutex::default(),
        });
        if let Ok(mut under_way) = self.0.under_way.lock() {
            under_way.push(Arc::clone(&task));
        }
        Box::new(TaskLine(Arc::clone(&self.0), task))
    }
}

/// A task that can be shown.
struct ShownTask {
    what: String,
    count: Option<usize>,
    done: AtomicU64,
    /// Moment from which its age counts.
    began: Instant,
    /// Age at which it was last shown, in milliseconds; 0 is not yet.
    shown_at_ms: AtomicU64,
    /// Summary that was last shown.
    so_far: Mutex<String>,
}

impl ShownTask {
    fn shown_at(&self) -> Duration {
        Duration::from_millis(self.shown_at_ms.load(Ordering::Relaxed))
    }

    /// Shows it, with a new summary if there is one.
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
        let done = self.done.load(Ordering::Relaxed);
        print_progress(&self.what, &counted(done, self.count), &so_far, &end);
    }
}

/// A task under way on a terminal.
struct TaskLine(Arc<Terminal>, Arc<ShownTask>);

impl TaskDisplay for TaskLine {
    fn step(&self, done: u64, so_far: &dyn Fn() -> String) {
        let Self(terminal, task) = self;
        task.done.fetch_max(done, Ordering::Relaxed);
        // Small pieces come by the million; the clock is asked now and then.
        if !terminal.shows || (task.count.is_none() && !done.is_multiple_of(256)) {
            return;
        }
        let now = task.began.elapsed();
        if now >= SOON && now >= task.shown_at() + OFTEN {
            task.show(now, Some(so_far()));
        }
    }
}

impl Drop for TaskLine {
    fn drop(&mut self) {
        let Self(terminal, task) = self;
        if let Ok(mut under_way) = terminal.under_way.lock() {
            under_way.retain(|other| !Arc::ptr_eq(other, task));
            if task.shown_at_ms.load(Ordering::Relaxed) > 0 {
                print_progress("", "", "", "");
            }
        }
    }
}
