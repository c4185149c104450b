//! The `rulebench` command: see `rulebench --help`.

use std::process::ExitCode;

rulebench_lang::problems! {
    fn no_thread(error: std::io::Error) = "no thread can be started: {error}",
        help "end other programs, or raise the limit of processes (`ulimit -u`)";
}

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
            rulebench::screen::print_error(&no_thread(error).page(false));
            ExitCode::from(2)
        }
    }
}
