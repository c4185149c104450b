//! A page with a session in it: the module for WebAssembly and the files of a game in one file. It plays in any browser,
//! from a disk or any server of files.

use super::alone::{self, DataBlock, Permits};
use super::{ENGINE, HTTP, WORKER, hash, text_of};
use crate::kernel::dice::text_hash;
use crate::report::Problem;
use crate::reports::web::escaped;
use crate::rules::workspace::Workspace;
use crate::stage::run::Overrides;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use flate2::Compression;
use flate2::write::GzEncoder;
use rulebench_session::page::door;
use serde::Serialize;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write as _;

rulebench_lang::problems! {
    fn no_module() = "the module for WebAssembly is missing",
        help "in a checkout build it: `rustup target add wasm32-unknown-unknown && cargo xtask wasm`";
}

/// Names of the module, compressed, and of its loader in the folder that `cargo xtask wasm` writes.
const MODULE: &str = "rulebench_bg.wasm.gz";
const LOADER: &str = "rulebench.js";

/// The engine of such a page.
pub struct Module {
    /// The module for WebAssembly, with gzip.
    zipped: Cow<'static, [u8]>,
    /// The script that loads it.
    loader: Cow<'static, str>,
}

impl Module {
    /// The module inside the program.
    #[cfg(feature = "web")]
    fn embedded() -> Option<Self> {
        Some(Self {
            zipped: include_bytes!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/target/wasm/rulebench_bg.wasm.gz"
            ))
            .into(),
            loader: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/target/wasm/rulebench.js")).into(),
        })
    }

    /// The module inside the program, which was built without it.
    #[cfg(not(feature = "web"))]
    fn embedded() -> Option<Self> {
        None
    }

    /// The module that was built beside the program, in the folder `target` of a checkout.
    fn built() -> Option<Self> {
        let program = std::env::current_exe().ok()?;
        let mut folders = program.ancestors().skip(1).take(3);
        let read = |folder: &std::path::Path| {
            let folder = folder.join("wasm");
            Some(Self {
                zipped: std::fs::read(folder.join(MODULE)).ok()?.into(),
                loader: std::fs::read_to_string(folder.join(LOADER)).ok()?.into(),
            })
        };
        folders.find_map(read)
    }

    /// Returns the module inside the program, or the one that was built beside it.
    ///
    /// # Errors
    ///
    /// Neither is there; it names the command that builds one.
    pub fn find() -> Result<Self, Problem> {
        Self::embedded().or_else(Self::built).ok_or_else(no_module)
    }
}

/// The data that the script of the page reads.
#[derive(Serialize)]
struct Pack<'a> {
    /// Tells pages apart that a browser keeps something for.
    id: String,
    /// The name of files that the page saves.
    name: &'a str,
    /// The script of the thread.
    worker: String,
    /// The message that opens the session, without its files.
    open: Value,
    /// The texts of the workspace by path.
    files: BTreeMap<String, String>,
}

fn zipped(bytes: &[u8]) -> String {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    // Writing into memory does not fail.
    let written = gzip.write_all(bytes).and_then(|()| gzip.finish());
    BASE64_STANDARD.encode(written.unwrap_or_default())
}

/// A game with everything that its page is made of.
pub struct SharedGame<'a> {
    /// Its title, as plain text.
    pub title: &'a str,
    /// The name of files that the page saves.
    pub name: &'a str,
    /// The texts of the workspace by path.
    pub files: BTreeMap<String, String>,
    /// The game, scenario or transcript that it opens with.
    pub start: &'a str,
    /// Variants, dials and seed.
    pub overrides: &'a Overrides,
    /// Whether it opens with the front door, where one chooses how to begin.
    pub door: bool,
}

impl SharedGame<'_> {
    /// Returns the page. The same module, game and files give the same bytes.
    pub fn page(self, module: &Module) -> String {
        let script = text_of(WORKER);
        let open = json!({ "start": self.start, "overrides": self.overrides, "door": self.door });
        let texts = self.files.iter().map(|(path, text)| format!("{path}\n{text}"));
        let texts: Vec<String> = texts.collect();
        let pack = Pack {
            id: format!(
                "{}-{:016x}",
                self.name,
                text_hash(&format!("{open}\n{}", texts.join("\n")))
            ),
            name: self.name,
            worker: format!("{}\n{script}", module.loader),
            open,
            files: self.files,
        };
        let (engine, pack) = (
            BASE64_STANDARD.encode(&module.zipped),
            zipped(json!(pack).to_string().as_bytes()),
        );
        let permits = Permits {
            scripts: " 'wasm-unsafe-eval'",
            others: "worker-src blob:; trusted-types rulebench",
        };
        let block = |id, text| DataBlock {
            id,
            kind: "application/gzip",
            text,
        };
        let blocks = [block("engine", &engine), block("pack", &pack)];
        let in_place = |name| Some(if name == HTTP { ENGINE } else { name });
        alone::page(self.title, in_place, permits, &blocks)
    }
}

/// Returns the page `index.html` of the games of a workspace, each of which has a page of its own beside it.
pub fn index(workspace: &Workspace) -> String {
    let text = |value: &Value| escaped(value.as_str().unwrap_or_default());
    let many = |count: &Value, what: &str| match count.as_u64() {
        None | Some(0) => String::new(),
        Some(1) => format!("1 {what}"),
        Some(count) => format!("{count} {what}s"),
    };
    let games = door::of(workspace);
    let items = games["games"].as_array().into_iter().flatten().map(|game| {
        let facts = [many(&game["players"], "player"), many(&game["minutes"], "minute")];
        let facts: Vec<String> = facts.into_iter().filter(|fact| !fact.is_empty()).collect();
        let picture = BASE64_STANDARD.encode(game["picture"].as_str().unwrap_or_default());
        format!(
            "<li><a href=\"{}.html\"><img alt=\"\" src=\"data:image/svg+xml;base64,{picture}\">\
             <h2>{}</h2><small>{}</small><p>{}</p></a></li>\n",
            text(&game["name"]),
            text(&game["title"]),
            facts.join(", "),
            text(&game["about"]),
        )
    });
    let items: String = items.collect();
    let styles = ["look.css", "index.css"].map(|name| (hash(name), text_of(name)));
    let hashes = styles
        .each_ref()
        .map(|(hash, _)| format!("'sha256-{hash}'"))
        .join(" ");
    let styles = styles
        .map(|(_, text)| format!("<style>{text}</style>\n"))
        .concat();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {hashes}; \
         img-src data:; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>Games</title>\n{styles}</head>\n<body>\n\
         <main>\n<h1>Games</h1>\n<ul>\n{items}</ul>\n</main>\n</body>\n</html>\n"
    )
}

/// Returns the texts of a game: its scripts, units, scenarios, snapshots and studies.
///
/// # Errors
///
/// A file that cannot be read.
pub fn files_of(workspace: &Workspace, game: &str) -> Result<BTreeMap<String, String>, Problem> {
    let paths = workspace.files_of(game).into_iter();
    let paths = paths.filter(|path| !path.ends_with(".new"));
    let read = |path: String| Ok((path.clone(), workspace.read(&path)?.text.clone()));
    paths.map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::GzDecoder;
    use std::io::Read as _;

    const HOSTILE: &str = "</script><script>alert(1)</script>\"'{";

    fn page(text: &str) -> String {
        let module = Module {
            zipped: b"module".into(),
            loader: "let wasm_bindgen;".into(),
        };
        let files = [("scripts/g/game.rhai".to_owned(), text.to_owned())];
        let shared = SharedGame {
            title: HOSTILE,
            name: "g",
            files: files.into(),
            start: "g",
            overrides: &Overrides::default(),
            door: true,
        };
        shared.page(&module)
    }

    fn block(page: &str, id: &str) -> Vec<u8> {
        let begin = format!("<script type=\"application/gzip\" id=\"{id}\">");
        let (_, rest) = page.split_once(&begin).expect("a block");
        let (text, _) = rest.split_once("</script>").expect("its end");
        BASE64_STANDARD.decode(text).expect("base64")
    }

    #[test]
    fn a_page_holds_the_module_and_the_files() {
        let page = page(HOSTILE);
        assert_eq!(block(&page, "engine"), b"module");
        let mut pack = String::new();
        let zipped = block(&page, "pack");
        GzDecoder::new(&zipped[..])
            .read_to_string(&mut pack)
            .expect("gzip");
        let pack: Value = serde_json::from_str(&pack).expect("JSON");
        assert_eq!(pack["files"], json!({ "scripts/g/game.rhai": HOSTILE }));
        assert_eq!(
            (&pack["name"], &pack["open"]["start"]),
            (&json!("g"), &json!("g"))
        );
        assert_eq!(pack["open"]["door"], true);
        let worker = pack["worker"].as_str().expect("a script");
        assert!(worker.starts_with("let wasm_bindgen;") && worker.ends_with(&text_of(WORKER)));
        // Names are text, wherever they stand.
        assert!(!page.contains("alert(1)</script>"), "{}", &page[..600]);
    }

    #[test]
    fn a_page_asks_for_nothing_and_runs_its_own_scripts_alone() {
        let page = page("");
        assert!(!page.contains(" src=\"") && !page.contains("<link rel=\"stylesheet\""));
        let scripts = page.matches("<script type=\"module\">").count();
        let (_, policy) = page
            .split_once("Content-Security-Policy\" content=\"")
            .expect("a policy");
        let (policy, _) = policy.split_once('"').expect("its end");
        let (_, sources) = policy.split_once("script-src ").expect("scripts");
        let (sources, _) = sources.split_once(';').expect("its end");
        assert_eq!(sources.matches("'sha256-").count(), scripts);
        assert!(
            policy.starts_with("default-src 'none'") && !policy.contains("unsafe-inline"),
            "{policy}"
        );
        assert!(!policy.contains("connect-src"), "{policy}");
    }

    #[test]
    fn the_same_game_gives_the_same_page_and_another_one_is_kept_apart() {
        assert_eq!(page("one"), page("one"));
        let id = |page: &str| {
            let mut pack = String::new();
            let zipped = block(page, "pack");
            GzDecoder::new(&zipped[..])
                .read_to_string(&mut pack)
                .expect("gzip");
            serde_json::from_str::<Value>(&pack).expect("JSON")["id"].clone()
        };
        assert_ne!(id(&page("one")), id(&page("two")));
    }

    #[test]
    fn the_index_names_every_game_and_holds_no_script() {
        let games = crate::embedded::games();
        let index = index(&games);
        for game in games.games() {
            assert!(index.contains(&format!("<a href=\"{game}.html\">")), "{game}");
        }
        assert!(!index.contains("<script") && index.contains("default-src 'none'"));
    }
}
