//! The table on a page in the browser. A click there sends the line that a person would type, and it shows what it
//! is given; no page can do what the prompt cannot. Knows no session: how one is shown is the prompt's.
//!
//! | part | |
//! |---|---|
//! | [`server`] | pages and their wishes over HTTP, on this machine alone |
//! | `alone` | the same page with all its files in it, without a server |
//! | [`replay`] | such a page without a session: a game that was played |
//! | [`share`] | such a page with a session in it: the module for WebAssembly and the files of a game |
//! | [`browser`] | opens a browser where there is one |
//! | `choices` | what a replay shows where something was chosen on a table top |
//! | `web` | the page itself |

mod alone;
pub mod browser;
mod choices;
pub mod replay;
pub mod server;
pub mod share;

pub use rulebench_session::page::board;

use rust_embed::RustEmbed;

/// The files of a page.
#[derive(RustEmbed)]
#[folder = "src/page/web"]
struct PageFiles;

/// The page itself.
const PAGE: &str = "page.html";

/// The page's styles and scripts, in the order in which it names them.
pub(crate) const FILES: [&str; 12] = [
    "look.css",
    "page.css",
    "throw.js",
    HTTP,
    "editor.js",
    "scripts.js",
    "link.js",
    "door.js",
    "over.js",
    "measure.js",
    "shared.js",
    "page.js",
];

/// The script that sends requests to the server of the page.
pub(crate) const HTTP: &str = "http.js";

/// The script in its place on a page with a session in it.
const ENGINE: &str = "engine.js";

/// The script of the thread in which that session runs.
const WORKER: &str = "worker.js";

/// The scripts that a page without a session leaves out.
const WITH_SESSION: [&str; 8] = [
    HTTP,
    "editor.js",
    "scripts.js",
    "link.js",
    "door.js",
    "over.js",
    "measure.js",
    "shared.js",
];

/// A file of the page by its name below the secret: its type and its text.
pub(crate) fn file(name: &str) -> Option<(&'static str, String)> {
    let (file, kind) = match name {
        "" => (PAGE, "text/html"),
        name if !FILES.contains(&name) => return None,
        name if name.ends_with(".css") => (name, "text/css"),
        name => (name, "text/javascript"),
    };
    Some((kind, text_of(file)))
}

/// The text of a file in the folder `web`.
fn text_of(name: &str) -> String {
    let file = PageFiles::get(name).map(|file| file.data.into_owned());
    file.and_then(|data| String::from_utf8(data).ok())
        .unwrap_or_default()
}

/// The hash of a file, as a content security policy names it.
fn hash(name: &str) -> String {
    use base64::prelude::{BASE64_STANDARD, Engine as _};
    PageFiles::get(name).map_or_else(String::new, |file| {
        BASE64_STANDARD.encode(file.metadata.sha256_hash())
    })
}
