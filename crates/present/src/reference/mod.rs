//! The reference: all that scripts and files can say, as one list of entries, read from the tables
//! by which functions are registered and keys are checked. An entry without its description, its
//! errors' occasions or an example fails a test.
//!
//! A table's text is a sentence or two, then a list:
//!
//! ```text
//! The faction of that name.
//! - name: as `board()` declares it          what a parameter is
//! - gives: faction                          what comes back; `takes` for what a key holds
//! - error: no faction is called so          when it fails
//! - `faction("red")` = red                  an example, and what it comes to
//! ```
//!
//! An example's result is a value (`= red`), a line of the record (`-> ...`), the options of a
//! question (`asks: ...`), a part of an error (`fails: ...`), or nothing when it only has to be
//! accepted. All are played in the [`example`] game.

pub mod example;
pub mod pages;
pub mod schema;

use crate::lines;
use crate::rules::keys::{self, DeclaredKey};
use crate::rules::run::library::MUTATORS;
use crate::rules::run::natives::{NATIVES, PROPERTIES};
use crate::rules::run::operate::OPERATORS;
use crate::rules::run::value::Kind;
use crate::scenario;
use std::sync::OnceLock;

/// Width of [`Article::text`], in characters.
const WIDTH: usize = 80;

/// Kind of thing that an entry describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArticleKind {
    /// A function that rules call.
    Function,
    /// A property of a value.
    Property,
    /// An operator between two values.
    Operator,
    /// A function that a script defines to declare something.
    Declaration,
    /// A function that only declarations call.
    Helper,
    /// A key in what a declaration returns.
    Key,
    /// A function of game.rhai that the kernel asks.
    Hook,
    /// Statement of which functions are made.
    Statement,
    /// A word that stands for a value.
    Word,
    /// A kind of value.
    Type,
    /// A key of a file.
    File,
}

/// Result of an example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExampleResult {
    /// A value, as the prompt shows it.
    Is(&'static str),
    /// A line of the record.
    Records(&'static str),
    /// A question with these options.
    Asks(&'static str),
    /// An error with this in its message.
    Fails(&'static str),
    /// It is accepted where it belongs.
    Stands,
}

/// A piece of script, or of a file, and what it comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DocExample {
    /// The piece.
    pub code: &'static str,
    /// Result of the example.
    pub outcome: ExampleResult,
}

/// One thing that can be said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Article {
    /// Kind of the entry.
    pub sort: ArticleKind,
    /// The heading under which it is listed.
    pub group: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Owner of the entry: the type of a property, the declaration or file of a key; else empty.
    pub of: &'static str,
    /// Form of the call, with its parameters and its result, on one line.
    pub signature: String,
    /// Purpose.
    pub purpose: &'static str,
    /// The parameters: name, kind of value, what it is.
    pub params: Vec<(&'static str, &'static str, &'static str)>,
    /// Result; for a key, the accepted value.
    pub gives: &'static str,
    /// When it fails; empty when it cannot.
    pub errors: &'static str,
    /// Examples of its use.
    pub examples: Vec<DocExample>,
}

/// Every entry, in the order of the printed reference.
pub fn entries() -> &'static [Article] {
    static ENTRIES: OnceLock<Vec<Article>> = OnceLock::new();
    ENTRIES.get_or_init(collect)
}

/// The entries of a name: of functions, properties, hooks, keys, types and words. A `.`, `:` or `()`
/// around it does not count.
pub fn find(name: &str) -> Vec<&'static Article> {
    let name = bare(name);
    entries()
        .iter()
        .filter(|e| e.name == name && !name.is_empty())
        .collect()
}

/// The names of all entries, each once, sorted.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = entries().iter().map(|e| e.name).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn bare(name: &str) -> &str {
    let name = name.trim().trim_start_matches(['.', ':']);
    name.split('(').next().unwrap_or_default().trim_end()
}

/// The heading of functions that only declarations use.
const HELPERS: &str = "Helpers for declarations";

fn collect() -> Vec<Article> {
    let mut all: Vec<Article> = Vec::new();
    for native in NATIVES {
        let params = native.params.iter().map(|(name, kind)| (*name, kind.word()));
        let sort = match native.group {
            HELPERS => ArticleKind::Helper,
            _ => ArticleKind::Function,
        };
        all.push(called(sort, native.group, native.name, params, native.doc));
    }
    for mutator in MUTATORS {
        let changed = (mutator.of.word(), mutator.of.word());
        let params = mutator.params.iter().map(|(name, kind)| (*name, kind.word()));
        let params = [changed].into_iter().chain(params);
        all.push(called(
            ArticleKind::Function,
            "Changing lists and maps",
            mutator.name,
            params,
            mutator.doc,
        ));
    }
    // In the order of the kinds, whatever the order of the table.
    for property in PROPERTIES {
        let of = property.of.word();
        let mut entry = read(ArticleKind::Property, "Properties", property.name, property.doc);
        entry.of = of;
        entry.signature = format!("{of}.{}{}", property.name, arrow(entry.gives));
        all.push(entry);
    }
    for (op, left, right, doc) in OPERATORS {
        let mut entry = read(ArticleKind::Operator, "Operators", op.sign(), doc);
        entry.signature = format!(
            "{} {} {}{}",
            left.word(),
            op.sign(),
            right.word(),
            arrow(entry.gives)
        );
        all.push(entry);
    }
    for key in keys::TYPES {
        all.push(read(ArticleKind::Type, "Kinds of values", key.name, key.doc));
    }
    for key in keys::STATEMENTS {
        all.push(read(ArticleKind::Statement, "Statements", key.name, key.doc));
    }
    for key in keys::WORDS {
        all.push(read(ArticleKind::Word, "Words", key.name, key.doc));
    }
    let hooks = keys::HOOKS.iter().map(|key| ("Hooks that the kernel calls", key));
    let called = keys::REACTIONS.iter().map(|key| ("Reactions", key));
    for (group, key) in hooks.chain(called) {
        let mut entry = read(ArticleKind::Hook, group, key.name, key.doc);
        if let Some(head) = key.head() {
            entry.signature = format!("{head}{}", arrow(entry.gives));
        }
        all.push(entry);
    }
    for key in keys::DECLARATIONS {
        let mut entry = read(ArticleKind::Declaration, "Declarations", key.name, key.doc);
        entry.signature = format!("{}(){}", key.name, arrow(entry.gives));
        all.push(entry);
    }
    all.extend(keyed(
        ArticleKind::Key,
        "Keys of board()",
        "board()",
        keys::board(),
    ));
    for (of, group, table) in keys::DECLARED_PARTS {
        all.extend(keyed(ArticleKind::Key, group, of, *table));
    }
    all.extend(keyed(
        ArticleKind::File,
        "Scenario files",
        "a scenario",
        scenario::keys::TABLE,
    ));
    all.extend(keyed(ArticleKind::File, TWEAKS, "a tweak", keys::TWEAK));
    all.extend(keyed(ArticleKind::File, "Study files", "a study", keys::STUDY));
    all
}

/// The heading of the keys of a tweak.
pub const TWEAKS: &str = "The register of tweaks";

fn keyed(
    sort: ArticleKind,
    group: &'static str,
    of: &'static str,
    table: impl IntoIterator<Item = &'static DeclaredKey>,
) -> impl Iterator<Item = Article> {
    table.into_iter().map(move |key| {
        let mut entry = read(sort, group, key.name, key.doc);
        entry.of = of;
        let short = entry.gives.split([':', ';', '`', ',']).next().unwrap_or_default();
        entry.signature = format!("{}: {}", key.name, short.trim_end());
        entry
    })
}

fn called(
    sort: ArticleKind,
    group: &'static str,
    name: &'static str,
    params: impl Iterator<Item = (&'static str, &'static str)>,
    doc: &'static str,
) -> Article {
    let mut entry = read(sort, group, name, doc);
    let documented = std::mem::take(&mut entry.params);
    entry.params = params
        .map(|(name, kind)| {
            let what = documented.iter().find(|(documented, _, _)| *documented == name);
            (name, kind, what.map_or("", |w| w.2))
        })
        .collect();
    let params: Vec<String> = entry
        .params
        .iter()
        .map(|(name, kind, _)| match *kind {
            kind if kind == *name || kind == Kind::Any.word() => (*name).to_owned(),
            kind => format!("{name}: {kind}"),
        })
        .collect();
    entry.signature = format!("{name}({}){}", params.join(", "), arrow(entry.gives));
    entry
}

/// Returns the result of a call, to be put after it.
fn arrow(gives: &str) -> String {
    let short = gives.split([':', ';']).next().unwrap_or_default();
    let short = match short.split_once(", ") {
        Some((kind, rest)) if !rest.starts_with("or ") => kind,
        Some((kind, rest)) => {
            // `faction, or nobody after a draw`: the word is enough.
            let word = rest.split(' ').nth(1).unwrap_or_default();
            return format!(" -> {kind} or {word}");
        }
        None => short,
    };
    match short {
        "" | "nothing" => String::new(),
        short => format!(" -> {short}"),
    }
}

/// Reads a table's text; see the module's comment. Parameters are left as they are told.
fn read(sort: ArticleKind, group: &'static str, name: &'static str, doc: &'static str) -> Article {
    let mut entry = Article {
        sort,
        group,
        name,
        of: "",
        signature: name.to_owned(),
        purpose: "",
        params: Vec::new(),
        gives: "",
        errors: "",
        examples: Vec::new(),
    };
    let list = doc.find("\n - ").unwrap_or(doc.len());
    entry.purpose = doc[..list].trim_ascii();
    for item in doc[list..]
        .lines()
        .filter_map(|l| l.trim_ascii().strip_prefix("- "))
    {
        // What has backticks in it stands between two of them, and blanks.
        let wide = item.strip_prefix("`` ").and_then(|c| c.split_once(" ``"));
        let code = wide.or_else(|| item.strip_prefix('`')?.split_once('`'));
        if let Some((code, rest)) = code
            && !rest.starts_with(':')
        {
            let outcome = [
                (" = ", ExampleResult::Is as fn(&'static str) -> ExampleResult),
                (" -> ", ExampleResult::Records),
                (" asks: ", ExampleResult::Asks),
                (" fails: ", ExampleResult::Fails),
            ]
            .into_iter()
            .find_map(|(sign, make)| rest.strip_prefix(sign).map(make));
            let outcome = outcome.unwrap_or(ExampleResult::Stands);
            entry.examples.push(DocExample { code, outcome });
            continue;
        }
        match item.split_once(": ") {
            Some(("gives" | "takes", what)) => entry.gives = what,
            Some(("error", what)) => entry.errors = what,
            Some((param, what)) => entry.params.push((param, "", what)),
            None => {}
        }
    }
    entry
}

impl DocExample {
    /// The example on one line, with what it comes to.
    pub fn text(&self) -> String {
        match self.outcome {
            ExampleResult::Is(value) => format!("{}   is {value}", self.code),
            ExampleResult::Records(line) => format!("{}   records: {line}", self.code),
            ExampleResult::Asks(options) => format!("{}   asks: {options}", self.code),
            ExampleResult::Fails(why) => format!("{}   fails: {why}", self.code),
            ExampleResult::Stands => self.code.to_owned(),
        }
    }
}

impl Article {
    /// Returns its kind in a few words: `function`, `property of a unit`, `key of board()`.
    pub fn what(&self) -> String {
        match self.sort {
            ArticleKind::Function => "function".to_owned(),
            ArticleKind::Property => format!("property of {}", self.of),
            ArticleKind::Operator => "operator".to_owned(),
            ArticleKind::Declaration => "declaration".to_owned(),
            ArticleKind::Helper => "function for declarations".to_owned(),
            ArticleKind::Key | ArticleKind::File => format!("key of {}", self.of),
            ArticleKind::Hook => "hook".to_owned(),
            ArticleKind::Statement => "part of the language".to_owned(),
            ArticleKind::Word => "word".to_owned(),
            ArticleKind::Type => "kind of value".to_owned(),
        }
    }

    /// All about it as plain text of at most 80 columns.
    pub fn text(&self) -> String {
        let mut out = wrapped(&self.signature, 0, 4);
        out += &wrapped(&format!("{}: {}", self.what(), plain(self.purpose)), 0, 0);
        let mut rows: Vec<(&str, String)> = Vec::new();
        for (name, _, what) in &self.params {
            rows.push((name, plain(what)));
        }
        let takes = matches!(self.sort, ArticleKind::Key | ArticleKind::File);
        if !self.gives.is_empty() {
            rows.push((if takes { "takes" } else { "returns" }, plain(self.gives)));
        }
        if !self.errors.is_empty() {
            rows.push(("error", plain(self.errors)));
        }
        rows.extend(self.examples.iter().map(|e| ("example", e.text())));
        let wide = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0) + 2;
        for (name, what) in rows {
            out += &wrapped(&format!("  {name:wide$}{what}"), 0, wide + 2);
        }
        out.trim_end().to_owned()
    }
}

/// A text without the marks around pieces of script.
fn plain(text: &str) -> String {
    text.replace('`', "").replace('\n', " ").replace("  ", " ")
}

/// A paragraph in lines of [`WIDTH`], the first moved to the right by `first`, the others by `rest`.
fn wrapped(text: &str, first: usize, rest: usize) -> String {
    lines::wrapped(&format!("{:first$}{}", "", text.trim_end()), WIDTH, rest) + "\n"
}
