//! The `rulebench` command: see `rulebench --help`.

use std::process::ExitCode;

/// Scripts may call each other deeply, and the interpreter's frames are large.
const STACK: usize = 64 << 20;

fn main() -> ExitCode {
    let run = std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(rulebench::cli::main);
    // This thread only waits.
    rulebench::screen::stops_at_ctrl_z(false);
    match run.map(|thread| thread.join()) {
        Ok(Ok(code)) => ExitCode::from(code),
        // The panic has been reported by its hook, or the thread could not be started.
        _ => ExitCode::from(101),
    }
}
