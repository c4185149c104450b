//! The `rulebench` command: see `rulebench --help`.

use rulebench::report::Problem;
use std::process::ExitCode;

/// Scripts may call each other deeply, and the interpreter's frames are large.
const STACK: usize = 64 << 20;

fn main() -> ExitCode {
    rulebench::screen::survives_file_limits();
    let run = std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(rulebench::cli::main);
    // This thread only waits.
    rulebench::screen::stops_at_ctrl_z(false);
    match run.map(|thread| thread.join()) {
        Ok(Ok(code)) => ExitCode::from(code),
        // The panic has been reported by its hook.
        Ok(Err(_)) => ExitCode::from(101),
        Err(error) => {
            let hint = "end other programs, or raise the limit of processes (`ulimit -u`)";
            let problem = Problem::new(format!("no thread can be started: {error}")).hint(hint);
            rulebench::screen::print_error(&problem.page(false));
            ExitCode::from(2)
        }
    }
}
