//! The table on a page in the browser. A click there sends the line that a person would type, and it shows what it
//! is given; no page can do what the prompt cannot. Knows no session: how one is shown is the prompt's.
//!
//! | part | |
//! |---|---|
//! | [`server`] | pages and their wishes over HTTP, on this machine alone |
//! | [`replay`] | the same page without a session: a game that was played |
//! | [`browser`] | opens a browser where there is one |
//! | `choices` | what a replay shows where something was chosen on a table top |
//! | `web` | the page itself |

pub mod browser;
mod choices;
pub mod replay;
pub mod server;

pub use rulebench_session::page::board;

use rust_embed::RustEmbed;

/// The files of a page.
#[derive(RustEmbed)]
#[folder = "src/page/web"]
struct PageFiles;

/// The page's styles and scripts, in the order in which it names them.
pub(crate) const FILES: [&str; 11] = [
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
    "page.js",
];

/// The script that sends requests to the server of the page. A page without a server leaves it out.
pub(crate) const HTTP: &str = "http.js";

/// The scripts that a page without a session leaves out.
const WITH_SESSION: [&str; 7] = [
    HTTP,
    "editor.js",
    "scripts.js",
    "link.js",
    "door.js",
    "over.js",
    "measure.js",
];

/// A file of the page by its name below the secret: its type and its text.
pub(crate) fn file(name: &str) -> Option<(&'static str, String)> {
    let (file, kind) = match name {
        "" => ("page.html", "text/html"),
        name if !FILES.contains(&name) => return None,
        name if name.ends_with(".css") => (name, "text/css"),
        name => (name, "text/javascript"),
    };
    let text = String::from_utf8(PageFiles::get(file)?.data.into_owned());
    Some((kind, text.ok()?))
}

/// The hash of a file, as a content security policy names it.
fn hash(name: &str) -> String {
    use base64::prelude::{BASE64_STANDARD, Engine as _};
    PageFiles::get(name).map_or_else(String::new, |file| {
        BASE64_STANDARD.encode(file.metadata.sha256_hash())
    })
}
