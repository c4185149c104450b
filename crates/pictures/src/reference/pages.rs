//! The reference as files: a page for people, and definitions for editors.

use super::example::{GAME, NAMES, POSITION, TERRAIN, UNITS};
use super::{Article, ArticleKind, ExampleResult, TWEAKS, entries};
use crate::files::MAX_FILE;
use crate::kernel::dice::{MAX_DICE, MAX_SIDES, MAX_SLOT_DICE, MAX_SLOT_SIDES};
use crate::kernel::ground::grid::MAX_RADIUS;
use crate::kernel::ids::{MAX_FACTIONS, MAX_PLACES, MAX_TERRAINS, MAX_UNITS};
use crate::kernel::phase::{MAX_CHAIN, MAX_DEPTH, MAX_INTERRUPTS, MAX_ITERATIONS, MAX_REPEATS};
use crate::kernel::rules::{MAX_TEXTS, MAX_WORDS};
use crate::kernel::table::MAX_EVENTS;
use crate::kernel::table::MAX_PRINTED;
use crate::pages::lines::wrapped;
use crate::script::engine::{MAX_ARRAY, MAX_CALL_LEVELS, MAX_MAP, MAX_NESTING, MAX_OPERATIONS, MAX_STRING};
use crate::script::lexer::reserved as reserved_words;
use crate::script::run::heap::MAX_ITEMS;
use crate::script::run::rhai_differences::{ELSEWHERE, OTHERWISE, REFUSED, Refused};
use std::fmt::Write as _;

/// The operators that work on what any program has.
const PLAIN_OPERATORS: &str = "\
     Numbers: `+ - * / % **`, bits `& | ^ << >>`, and ranges `0..3`, `0..=3`. True and false: `! && || & | ^`. By \
     `< <= > >=` numbers are compared with numbers, texts with texts and false with true; between others they fail. \
     By `== !=` everything is compared, but dice, units and places with no number: `.total` and `.len` of them are \
     numbers. `+` joins texts, lists and maps. `a in b` and `a !in b` look for something in a list, text, map, \
     range or set; `a ?? b` is `b` where `a` is nothing. `a += b` is `a = a + b`, and so with the others. Besides \
     these:";

/// Text of `reference.md` before its contents.
const HEAD: &str = "\
# Script reference

Everything that scripts and scenario files can say. This page is made from the code by
`rulebench doc`, and each example on it is run by a test. At the prompt, `:help NAME` shows the same.

A function can be called plainly or as a method of its first argument: `places_within(me, 2)` and
`me.places_within(2)` are the same. Numbers are whole; distances are steps from place to place, and on table tops
lengths with up to three decimals (`7.5`), which can be added, compared, multiplied and divided by whole numbers.
Given values of other kinds than it takes, a function says which kinds it takes and which it was given;
that error is not repeated below. A function that changes something cannot be called from an
expectation or from the prompt: those only read. A function of a game's, a unit's or a terrain's script with the name
of one here and as many parameters is called in its place, one of `game.rhai` by every script and another by its own
script alone; always plainly, for a function of scripts has no object. A variant must give its functions other names.

The game's script is `scripts/<game>/game.rhai` with all other `.rhai` files in the same folder, such as `agents.rhai`: what
is said here of `game.rhai` holds for them too. No two of them have a function of the same name.

Editors can know all this too. `rulebench doc` writes beside this page the definitions
`rulebench.d.rhai`, for editors that read Rhai's, and `scenario.schema.json`, `study.schema.json` and
`tweaks.schema.json`, which complete and check TOML files. A file names its schema in its first line:

```toml
#:schema ../../docs/scenario.schema.json
```
";

/// Format of a register.
const ENTRIES: &str = "
The file is `scripts/<game>/tweaks.toml`. The head of an entry is the tweak's name alone: that of its script in
`variants/`, or any for one that turns a dial and has no script.

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
Units, kinds of terrain, variants and the game may each define a reaction; `base` is what lies below, and at the
bottom nothing happens. What nobody defines costs nothing. For one effect they come in this order:

1. Before it: `falls` or `rises` of the slot, or `may_remove`. What they say decides what happens.
2. The effect, then `at_zero` of the slot, then its `fell` or `rose`.
3. `leaves` about the unit, `left` about its place (each kind of terrain there in the order of their names, else the
   game's), `arrives` about the unit, `entered` about the place, `removed`.
4. `loses_contact`, then `comes_into_contact`, by the unit that they are about, then by the other.
5. `becomes_free`, then `becomes_engaged`.

Several units come in the order in which they were enlisted, and slots in the order in which they fell to 0, or
changed. What follows from a reaction happens before the next one, and one that is no longer true by then is left
out: who was moved on has not arrived. `by_whom()` and `by_what()` tell what a reaction follows from.

In a simultaneous phase, what is asked before an effect is asked when the effect is gathered, and the rest when the
phase has ended and everything has been applied: a unit that was moved twice arrives once, where it ends, and a
number that fell twice fell once, by both. What these reactions do is one further batch, and so on. Laying out a
scenario, changes by hand, `disband` and slots that start anew set nothing off. Reactions that set each other off
without end are an error that tells which.
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
        "No function, parameter, variable or key of a map can have these names:\n\n{}\n",
        wrapped(&words.join(" "), 100, 0)
    );
    let limits = [
        ("units in a game, removed ones too", MAX_UNITS.to_string()),
        ("places of a board", MAX_PLACES.to_string()),
        (
            "steps from the middle of a `hexagon` to its edge",
            MAX_RADIUS.to_string(),
        ),
        ("factions", MAX_FACTIONS.to_string()),
        ("kinds of terrain", MAX_TERRAINS.to_string()),
        ("dice of one roll", MAX_DICE.to_string()),
        ("sides of a die", format!("2 to {MAX_SIDES}")),
        (
            "dice in a slot",
            format!("{MAX_SLOT_DICE}, which show at most {MAX_SLOT_SIDES}"),
        ),
        ("numbers in a range that is chosen from", "256".to_owned()),
        ("phases in one another", MAX_DEPTH.to_string()),
        ("repeating phases in one another", MAX_REPEATS.to_string()),
        ("times that a phase repeats", MAX_ITERATIONS.to_string()),
        ("activations of a unit in a phase", MAX_ITERATIONS.to_string()),
        ("cards that one is drawn from", MAX_SIDES.to_string()),
        ("interruptions that set each other off", MAX_CHAIN.to_string()),
        (
            "interruptions between two steps of a phase",
            MAX_INTERRUPTS.to_string(),
        ),
        ("calls in one another", MAX_CALL_LEVELS.to_string()),
        ("operations of one step", MAX_OPERATIONS.to_string()),
        ("lines of the record of a game", MAX_EVENTS.to_string()),
        (
            "values in all lists and maps of one step; each change of one that is not at its end makes another",
            MAX_ITEMS.to_string(),
        ),
        (
            "lists and maps in one another, where they are compared or told",
            MAX_NESTING.to_string(),
        ),
        ("different texts that a game comes to know", MAX_WORDS.to_string()),
        (
            "bytes of all texts that the scripts of a game make",
            MAX_TEXTS.to_string(),
        ),
        ("bytes of a file", MAX_FILE.to_string()),
        ("bytes of a text", MAX_STRING.to_string()),
        ("values of a list", MAX_ARRAY.to_string()),
        ("entries of a map", MAX_MAP.to_string()),
        ("lines that are printed in one play", MAX_PRINTED.to_string()),
    ];
    let mut table = String::from(
        "What goes beyond is an error that says so; printed lines end with a line that does.\n\n| at most | |\n|---|---|\n",
    );
    for (what, most) in limits {
        let _ = writeln!(table, "| {what} | {most} |");
    }
    let mut refused = String::from(
        "Rhai can say it, and a script with it does not load.\n\n| written | why not | instead |\n|---|---|---|\n",
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
        "Rhai's book has them; a script that calls one does not load, and is told the same. A test runs what stands here.\n\n\
         | Rhai | here |\n|---|---|\n",
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
        "Everything else means what it means to Rhai's own interpreter, with which tests compare it.\n\n\
         | written | here | in Rhai | |\n|---|---|---|---|\n",
    );
    let told = |text: &str| match text {
        "" => "an error".to_owned(),
        text => format!("`{text}`"),
    };
    for it in &OTHERWISE {
        let written = it.written.replace('|', "\\|");
        let _ = writeln!(
            otherwise,
            "| `{written}` | {} | {} | {} |",
            told(it.here),
            told(it.rhai),
            it.why
        );
    }
    [
        ("The order of reactions", REACTIONS.to_owned()),
        ("Reserved words", reserved),
        ("Limits", table),
        ("What rules do not say", refused),
        ("Functions of Rhai that rules do not have", elsewhere),
        ("What rules say otherwise than Rhai", otherwise),
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
        ArticleKind::Statement if name == "??" => format!("instead of nothing, {name}"),
        ArticleKind::Statement if name == "?." => format!("of what may be nothing, {name}"),
        ArticleKind::Statement if name == "[]" => format!("what a text names, {name}"),
        ArticleKind::Statement => format!("statement {name}"),
        ArticleKind::Word => format!("word {name}"),
        ArticleKind::Type => format!("kind {name}"),
    }
}

/// Returns the link target of a heading.
fn anchor(title: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    title
        .to_lowercase()
        .chars()
        .filter(kept)
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
            if takes { "Takes" } else { "Gives" },
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
    let mut out = "// What rulebench offers to scripts, for editors; made by `rulebench doc`.\n\
        // A game's own stats, slots and zones are properties too; they are not known here.\n\
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
