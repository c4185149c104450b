//! The reference as files: a page for people, and definitions for editors.

use super::example::{GAME, NAMES, POSITION, TERRAIN, UNITS};
use super::{Article, ArticleKind, ExampleResult, TWEAKS, entries};
use crate::engine::{MAX_ARRAY, MAX_CALL_LEVELS, MAX_MAP, MAX_NESTING, MAX_STRING};
use crate::files::MAX_FILE;
use crate::kernel::dice::{MAX_DICE, MAX_SIDES, MAX_SLOT_DICE, MAX_SLOT_SIDES};
use crate::kernel::grid::MAX_RADIUS;
use crate::kernel::ids::{MAX_FACTIONS, MAX_PLACES, MAX_TERRAINS, MAX_UNITS};
use crate::kernel::phase::{MAX_CHAIN, MAX_DEPTH, MAX_INTERRUPTS, MAX_ITERATIONS, MAX_REPEATS};
use crate::kernel::rules::{MAX_TEXTS, MAX_WORDS};
use crate::kernel::table::MAX_EVENTS;
use crate::kernel::table::MAX_PRINTED;
use crate::lexer::reserved as reserved_words;
use crate::lines::wrapped;
use crate::rhai_differences::{ELSEWHERE, OTHERWISE, REFUSED, Refused};
use crate::rules::run::fuel::MAX_OPERATIONS;
use crate::rules::run::heap::MAX_ITEMS;
use std::fmt::Write as _;

/// The operators that work on what any program has.
const PLAIN_OPERATORS: &str = "\
     Numbers: `+ - * / % **`, bits `& | ^ << >>`, and ranges `0..3`, `0..=3`. True and false: `! && || & | ^`. `< <= \
     > >=` compare two numbers, two texts, or false with true; other values are an error. `== !=` compare any two \
     values, but not dice, units or places with a number: use `.total` or `.len`. `+` joins texts, lists and maps. `a \
     in b` and `a !in b` look for something in a list, text, map, range or set. `a ?? b` is `b` if `a` is nothing. `a \
     += b` means `a = a + b`; the other operators have the same form. There are also \
     these:";

/// Text of `reference.md` before its contents.
const HEAD: &str = "\
# Script reference

All functions, properties, keys and hooks of scripts and scenario files. `rulebench doc` makes this page from the code,
and a test runs each example. At the prompt, `:help NAME` shows the same text.

You can call a function plainly or as a method of its first argument: `places_within(me, 2)` and
`me.places_within(2)` are the same. Numbers are whole. Distances on a board are numbers of steps. Distances on a table
top are lengths with up to three decimals (`7.5`). Lengths can be added, compared, multiplied and divided by whole
numbers. If an argument has the wrong kind, the error states the kinds that the function takes and the kind that it
got; the entries below do not repeat this. Expectations and the prompt can only read: a function that changes something
cannot be called there.

A script may define a function with the same name and number of parameters as one on this page. The new function
replaces it: one in `game.rhai` for every script, one in a unit's or a terrain's script for that script alone. Call it
plainly, as functions of scripts cannot be methods. A variant must use other names for its functions.

The game's script is `scripts/<game>/game.rhai`, together with all other `.rhai` files in the same folder, such as
`agents.rhai`. Everything that this page states about `game.rhai` holds for these files too. No two of them can define
a function with the same name.

Editors can use this reference. `rulebench doc` also writes `rulebench.d.rhai`, with definitions for editors that
understand Rhai, and `scenario.schema.json`, `study.schema.json` and `tweaks.schema.json`, for completion and checks in
TOML files. A TOML file names its schema in its first line:

```toml
#:schema ../../docs/scenario.schema.json
```

`reports.schema.json` describes what commands print with `--json`.
";

/// Format of a register.
const ENTRIES: &str = "
The file is `scripts/<game>/tweaks.toml`. The heading of an entry is the name of the tweak. A tweak with a script in
`variants/` has the name of that script. A tweak that only changes a dial can have any name.

```toml
[riders-are-held]
state = \"on trial\"
reason = \"riders get away too easily\"
date = 2026-03-01

[longer-nights]
dial = \"nights=14\"
```
";

/// In which order reactions come.
const REACTIONS: &str = "\
A reaction is a hook that the kernel calls after an event. Units, kinds of terrain, variants and the game may each
define it. `base` calls the next definition; the last one does nothing. An undefined reaction costs nothing. For one
effect, reactions are called in this order:

1. Before the effect: `falls` or `rises` of the slot, or `may_remove`. Their results decide what happens.
2. The effect itself, then `at_zero` of the slot, then its `fell` or `rose`.
3. `leaves` about the unit, `left` about its place (for each kind of terrain there, sorted by name, otherwise for the
   game), `arrives` about the unit, `entered` about the place, `removed`.
4. `loses_contact`, then `comes_into_contact`, each sorted by `me`, then by `foe`.
5. `becomes_free`, then `becomes_engaged`.

Several units react in the order in which they were enlisted. Several slots react in the order in which they fell to
0, or changed. The effects of a reaction happen before the next reaction. A reaction is skipped if its event is no
longer true by then: a unit that was moved on has not arrived. `by_whom()` and `by_what()` return the cause of a
reaction.

In a simultaneous phase, the hooks before an effect are called when the effect is gathered. The others are called at
the end of the phase, after everything has been applied. A unit that was moved twice arrives once, at its last place. A
number that fell twice falls once, with both causes. The effects of these reactions form another batch, and so on. Some
changes call no reactions: placing the units of a scenario, changes by hand, `disband`, and slots that are reset.
Reactions that call each other without end are an error, which names them.
";

/// The page for people, `reference.md`.
pub fn markdown() -> String {
    // Writing to a string cannot fail, here and below.
    let mut out = HEAD.to_owned();
    let groups = groups();
    out += "\n## Contents\n\n";
    for (group, entries) in &groups {
        let links: Vec<String> = if entries[0].sort == ArticleKind::Operator {
            Vec::new()
        } else {
            let mut links: Vec<String> = Vec::new();
            for entry in entries {
                let link = format!("[{}](#{})", entry.name, anchor(&title(entry)));
                if !links.contains(&link) {
                    links.push(link);
                }
            }
            links
        };
        let links = links.join(", ");
        let colon = if links.is_empty() { "" } else { ": " };
        let _ = writeln!(out, "- [{group}](#{}){colon}{links}", anchor(group));
    }
    for (title, _) in appendices() {
        let _ = writeln!(out, "- [{title}](#{})", anchor(title));
    }
    out += "- [The game of the examples](#the-game-of-the-examples)\n";
    out += "\nIn the examples, ";
    let names: Vec<String> = NAMES
        .iter()
        .map(|(name, _, what)| format!("`{name}` is {what}"))
        .collect();
    let _ = writeln!(out, "{}.", names.join("; "));
    for (group, entries) in &groups {
        let _ = write!(out, "\n## {group}\n");
        if *group == TWEAKS {
            out += ENTRIES;
        }
        if entries[0].sort == ArticleKind::Operator {
            let _ = write!(
                out,
                "\n{PLAIN_OPERATORS}\n\n| | | example | is |\n|---|---|---|---|\n"
            );
            for entry in entries {
                let example = entry.examples.first();
                let (code, value) = example.map_or(("", ""), |e| match e.outcome {
                    ExampleResult::Is(value) => (e.code, value),
                    _ => (e.code, ""),
                });
                let cell = |text: &str| text.replace('|', "\\|");
                let _ = writeln!(
                    out,
                    "| `{}` | {} | `{}` | `{}` |",
                    cell(&entry.signature),
                    entry.purpose,
                    cell(code),
                    value
                );
            }
            continue;
        }
        let mut last = String::new();
        for entry in entries {
            let title = title(entry);
            if title != last {
                let _ = write!(out, "\n### {title}\n");
            }
            last = title;
            out += &section(entry);
        }
    }
    for (title, text) in appendices() {
        let _ = write!(out, "\n## {title}\n\n{text}");
    }
    out += "\n## The game of the examples\n\n`scripts/example/game.rhai`\n\n";
    let _ = write!(out, "```rust\n{GAME}```\n");
    for (name, text) in UNITS {
        let _ = write!(out, "\n`units/example/{name}.rhai`\n\n```rust\n{text}```\n");
    }
    for (name, text) in TERRAIN {
        let _ = write!(
            out,
            "\n`scripts/example/terrain/{name}.rhai`\n\n```rust\n{text}```\n"
        );
    }
    let _ = write!(
        out,
        "\n`scenarios/example/position.toml`\n\n```toml\n{POSITION}```\n"
    );
    out
}

/// Returns the appendices for all scripts: the heading and text of each.
fn appendices() -> [(&'static str, String); 6] {
    let words: Vec<String> = reserved_words().iter().map(|word| format!("`{word}`")).collect();
    let reserved = format!(
        "Functions, parameters, variables and keys of maps cannot have these names:\n\n{}\n",
        wrapped(&words.join(" "), 100, 0)
    );
    let limits = [
        ("units in a game, including removed ones", MAX_UNITS.to_string()),
        ("places on a board", MAX_PLACES.to_string()),
        (
            "steps from the middle of a `hexagon` to its edge",
            MAX_RADIUS.to_string(),
        ),
        ("factions", MAX_FACTIONS.to_string()),
        ("kinds of terrain", MAX_TERRAINS.to_string()),
        ("dice in one roll", MAX_DICE.to_string()),
        ("sides of a die", format!("2 to {MAX_SIDES}")),
        (
            "dice in a slot",
            format!("{MAX_SLOT_DICE}, each showing at most {MAX_SLOT_SIDES}"),
        ),
        ("numbers in a range of options", "256".to_owned()),
        ("levels of nested phases", MAX_DEPTH.to_string()),
        ("levels of nested repeating phases", MAX_REPEATS.to_string()),
        ("repeats of a phase", MAX_ITERATIONS.to_string()),
        ("activations of a unit in a phase", MAX_ITERATIONS.to_string()),
        ("cards in a draw", MAX_SIDES.to_string()),
        ("interruptions in a chain", MAX_CHAIN.to_string()),
        (
            "interruptions between two steps of a phase",
            MAX_INTERRUPTS.to_string(),
        ),
        ("levels of nested calls", MAX_CALL_LEVELS.to_string()),
        ("operations in one step", MAX_OPERATIONS.to_string()),
        ("lines in the record of a game", MAX_EVENTS.to_string()),
        (
            "values in all lists and maps of one step; a change that is not at the end of a list makes a copy",
            MAX_ITEMS.to_string(),
        ),
        (
            "levels of nested lists and maps that are compared or printed",
            MAX_NESTING.to_string(),
        ),
        ("different texts in a game", MAX_WORDS.to_string()),
        (
            "bytes in all texts that the scripts of a game make",
            MAX_TEXTS.to_string(),
        ),
        ("bytes in a file", MAX_FILE.to_string()),
        ("bytes in a text", MAX_STRING.to_string()),
        ("values in a list", MAX_ARRAY.to_string()),
        ("entries in a map", MAX_MAP.to_string()),
        ("lines printed in one game", MAX_PRINTED.to_string()),
    ];
    let mut table = String::from(
        "Going over a limit is an error that names the limit. Printed lines only end with a line that states it.\n\n| limit | value |\n|---|---|\n",
    );
    for (what, most) in limits {
        let _ = writeln!(table, "| {what} | {most} |");
    }
    let mut refused = String::from(
        "Rhai allows these constructs. A script that uses one does not load.\n\n| construct | reason | instead |\n|---|---|---|\n",
    );
    for Refused {
        written,
        what,
        instead,
    } in &REFUSED
    {
        let _ = writeln!(refused, "| `{written}` | {what} | {instead} |");
    }
    let mut elsewhere = String::from(
        "Rhai's book describes these functions. A script that calls one does not load, and the error shows the same replacement. A test runs the replacements.\n\n\
         | in Rhai | in rules |\n|---|---|\n",
    );
    for it in ELSEWHERE {
        let names: Vec<String> = it.names.iter().map(|name| format!("`{name}`")).collect();
        let (rhai, here) = match it.written {
            "" => (names.join(" "), it.instead.to_owned()),
            written => (format!("`{written}`"), format!("`{}`", it.instead)),
        };
        let _ = writeln!(
            elsewhere,
            "| {} | {} |",
            rhai.replace('|', "\\|"),
            here.replace('|', "\\|")
        );
    }
    let mut otherwise = String::from(
        "Everything else works as in Rhai's own interpreter; tests compare the two.\n\n\
         | script | in rules | in Rhai | reason |\n|---|---|---|---|\n",
    );
    let quoted = |text: &str| match text {
        "" => "an error".to_owned(),
        text => format!("`{text}`"),
    };
    for it in OTHERWISE {
        let written = it.written.replace('|', "\\|");
        let _ = writeln!(
            otherwise,
            "| `{written}` | {} | {} | {} |",
            quoted(it.here),
            quoted(it.rhai),
            it.why
        );
    }
    [
        ("The order of reactions", REACTIONS.to_owned()),
        ("Reserved words", reserved),
        ("Limits", table),
        ("Rhai constructs that rules do not have", refused),
        ("Functions of Rhai that rules do not have", elsewhere),
        ("Differences from Rhai", otherwise),
    ]
}

/// The entries under their headings, in the order in which each heading is first met.
fn groups() -> Vec<(&'static str, Vec<&'static Article>)> {
    let mut groups: Vec<(&str, Vec<&Article>)> = Vec::new();
    for entry in entries() {
        // What is called alike stands under one heading, wherever it is met first.
        let alike = |of: &[&Article]| of.iter().any(|e| title(e) == title(entry));
        let at = groups
            .iter()
            .position(|(_, of)| entry.sort != ArticleKind::Operator && alike(of));
        let at = at.or_else(|| groups.iter().position(|(group, _)| *group == entry.group));
        match at.map(|at| &mut groups[at].1) {
            Some(of) => {
                let behind = of.iter().rposition(|e| title(e) == title(entry));
                of.insert(behind.map_or(of.len(), |at| at + 1), entry);
            }
            None => groups.push((entry.group, vec![entry])),
        }
    }
    groups
}

/// The heading of an entry; functions of one name share it.
fn title(entry: &Article) -> String {
    let name = entry.name;
    match entry.sort {
        ArticleKind::Function | ArticleKind::Helper => format!("{name}()"),
        ArticleKind::Property => format!("{name} of {}", entry.of),
        ArticleKind::Operator => format!("operator {name}"),
        ArticleKind::Declaration => format!("fn {name}()"),
        ArticleKind::Key | ArticleKind::File => format!("{name} in {}", entry.of),
        ArticleKind::Hook => format!("hook {name}"),
        // A sign alone is nothing that could be linked to.
        ArticleKind::Statement if name == "[]" => format!("what a text names, {name}"),
        ArticleKind::Statement if name == "??" => format!("default for nothing, {name}"),
        ArticleKind::Statement if name == "?." => format!("access to what may be nothing, {name}"),
        ArticleKind::Statement => format!("statement {name}"),
        ArticleKind::Word => format!("word {name}"),
        ArticleKind::Type => format!("kind {name}"),
    }
}

/// Returns the link target of a heading.
fn anchor(title: &str) -> String {
    let is_allowed = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    title
        .to_lowercase()
        .chars()
        .filter(is_allowed)
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

fn section(entry: &Article) -> String {
    let mut out = String::new();
    if entry.signature != entry.name {
        let _ = write!(out, "\n`{}`\n", entry.signature);
    }
    let _ = write!(out, "\n{}\n", one_line(entry.purpose));
    let mut items = Vec::new();
    for (name, _, what) in &entry.params {
        if !what.is_empty() {
            items.push(format!("`{name}`: {what}"));
        }
    }
    let takes = matches!(entry.sort, ArticleKind::Key | ArticleKind::File);
    if !entry.gives.is_empty() {
        items.push(format!(
            "{} {}",
            if takes { "Takes" } else { "Returns" },
            entry.gives
        ));
    }
    if !entry.errors.is_empty() {
        items.push(format!("Fails when {}", entry.errors));
    }
    if !items.is_empty() {
        out.push('\n');
        for item in items {
            let _ = writeln!(out, "- {item}");
        }
    }
    if !entry.examples.is_empty() {
        let language = if entry.sort == ArticleKind::File {
            "toml"
        } else {
            "rust"
        };
        let _ = write!(out, "\n```{language}\n");
        for example in &entry.examples {
            let _ = match example.outcome {
                ExampleResult::Is(value) => writeln!(out, "{}  // is {value}", example.code),
                ExampleResult::Records(line) => writeln!(out, "{}  // records: {line}", example.code),
                ExampleResult::Asks(options) => writeln!(out, "{}  // asks: {options}", example.code),
                ExampleResult::Fails(why) => writeln!(out, "{}  // fails: {why}", example.code),
                ExampleResult::Stands => writeln!(out, "{}", example.code),
            };
        }
        out += "```\n";
    }
    out
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Definitions for editors that read Rhai's: `rulebench.d.rhai`.
pub fn definitions() -> String {
    let mut out =
        "// Functions and properties of rulebench for scripts, for editors; made by `rulebench doc`.\n\
        // A game's own stats, slots and zones are properties too; this file does not list them.\n\
        module static;\n"
            .to_owned();
    for entry in entries() {
        let gives = rhai_type(entry.gives);
        let head = match entry.sort {
            ArticleKind::Function | ArticleKind::Helper => {
                let params: Vec<String> = entry
                    .params
                    .iter()
                    .map(|(name, kind, _)| format!("{name}: {}", rhai_type(kind)))
                    .collect();
                format!("fn {}({}) -> {gives};", entry.name, params.join(", "))
            }
            ArticleKind::Property => {
                format!("fn get {}(of: {}) -> {gives};", entry.name, rhai_type(entry.of))
            }
            ArticleKind::Operator => {
                let sides: Vec<&str> = entry.signature.split(" -> ").next().map_or_else(Vec::new, |s| {
                    s.split(&format!(" {} ", entry.name)).map(rhai_type).collect()
                });
                format!("op {}({}) -> {gives};", entry.name, sides.join(", "))
            }
            ArticleKind::Word if entry.name != "base" => format!("const {}: ();", entry.name),
            _ => continue,
        };
        out.push('\n');
        let _ = writeln!(out, "/// {}", one_line(entry.purpose));
        for (name, _, what) in entry.params.iter().filter(|p| !p.2.is_empty()) {
            let _ = writeln!(out, "/// - {name}: {what}");
        }
        if !entry.errors.is_empty() {
            let _ = writeln!(out, "/// - fails when {}", entry.errors);
        }
        for example in &entry.examples {
            if !matches!(example.outcome, ExampleResult::Fails(_)) {
                let _ = writeln!(out, "/// - `{}`", example.code);
            }
        }
        let _ = writeln!(out, "{head}");
    }
    out
}

/// Rhai's name for a kind of value, from the words with which a text about it begins.
fn rhai_type(words: &str) -> &'static str {
    const TYPES: [(&str, &str); 18] = [
        ("unit type", "UnitType"),
        ("units", "Units"),
        ("unit", "Unit"),
        ("places", "Places"),
        ("place", "Place"),
        ("factions", "Array"),
        ("faction", "Faction"),
        ("dice", "Dice"),
        ("the game", "Game"),
        ("number", "int"),
        ("text", "String"),
        ("true or false", "bool"),
        ("list", "Array"),
        ("the changed list", "Array"),
        ("map", "Map"),
        ("a dial", "Map"),
        ("an area", "Map"),
        ("nothing", "()"),
    ];
    let found = TYPES.iter().find(|(word, _)| words.starts_with(word));
    found.map_or("?", |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_link_of_the_page_leads_to_one_heading() {
        let page = markdown();
        let mut anchors = BTreeSet::new();
        for line in page.lines() {
            if let Some(title) = line.strip_prefix("## ").or_else(|| line.strip_prefix("### ")) {
                assert!(anchors.insert(anchor(title)), "two headings read `{title}`");
            }
        }
        for link in page.split("](#").skip(1) {
            let link = link.split(')').next().unwrap_or_default();
            assert!(anchors.contains(link), "`{link}` leads nowhere");
        }
    }

    #[test]
    fn the_definitions_are_such_as_rhai_writes() {
        let text = definitions();
        for line in text.lines().filter(|l| !l.is_empty() && !l.starts_with("//")) {
            let known = ["module static;", "fn ", "op ", "const "];
            assert!(
                known.iter().any(|k| line.starts_with(k)) && line.ends_with(';'),
                "{line}"
            );
        }
        assert!(text.contains("fn places_within(unit: Unit, steps: int) -> Places;"));
        assert!(text.contains("fn get place(of: Unit) -> Place;"));
        assert!(text.contains("op |(Units, Unit) -> Units;"));
    }
}
