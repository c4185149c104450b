//! Opens a browser where there is one: the desktop's own way, without waiting for it.

use std::io::IsTerminal as _;
use std::process::{Command, Stdio};

/// Asks the desktop to open an address; false where there is none, or nobody sits before it.
pub fn open(address: &str) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let desktop = !cfg!(unix) || cfg!(target_os = "macos") || set("DISPLAY") || set("WAYLAND_DISPLAY");
    if !desktop || !std::io::stdout().is_terminal() {
        return false;
    }
    let (program, args): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let started = Command::new(program)
        .args(args)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = started else { return false };
    // Nobody waits for it, however long it takes; when it has ended, nothing of it is left.
    let waits = std::thread::Builder::new().name("browser".to_owned());
    drop(waits.spawn(move || child.wait()));
    true
}
