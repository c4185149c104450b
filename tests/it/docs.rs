//! The pages that people read do what they say: their files are written, their commands run.
//!
//! A page is played from top to bottom in one folder of its own, which is empty at the start and
//! keeps what earlier blocks did. Its fenced blocks mean, by the words behind the three backticks:
//!
//! | block | |
//! |---|---|
//! | `rhai file=PATH`, `toml file=PATH`, any language | is written as that file, in place of what was there |
//! | ... `file=PATH add` | is put behind what that file has already, after an empty line |
//! | `diff file=PATH` | lines that begin with `-` become those with `+`; the lines with ` ` or `-` must stand there, once; changes that lie apart may follow each other |
//! | `sh` | each line that begins with `rulebench` is run and must exit 0, or as a `# exit 1` behind it says |
//! | `console` | the same for lines that begin with `$ `; the other lines must be in what that command says, in this order |
//! | `rhai from=PATH`, any language | must stand so in that file |
//! | `repl`, `repl NAME` | is piped into `rulebench repl NAME`: lines `> ...` (or `red> ...`) are typed, the others must be in the output, in order |
//!
//! In `sh` and `console`, `cd DIR` is followed, lines that begin with `cargo` or `git` and comments
//! are passed over, and any other line fails: what is shown is run. In `console` and `repl`, a line
//! `...` and empty lines stand for anything; other lines are whole lines of what was said, or the first
//! words of one; blanks in front of and behind a line do not count.
//! In `repl` a typed line `:quit` is optional; a session in which a line is refused must say so with
//! the word `refused` behind `repl`.
//!
//! A word `norun` leaves a block alone, and so does any other language. Between blocks, the comment
//! `<!-- begin: nothing -->` starts over with an empty folder and `<!-- begin: repository -->` with
//! a copy of this repository's scripts, units, scenarios and snapshots, and `<!-- begin: gallery -->` with a copy
//! of the workspace of public games.
//!
//! At its end, and before it starts over, the folder is checked: if there are scripts in it (in the
//! folder itself or in the one that `cd` led to), `rulebench check` must be well and every scenario
//! must do what it expects.

use crate::support::{Copy, Ran, copy, root, run_in, run_in_with};
use std::path::{Path, PathBuf};

/// One fenced block of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Block {
    /// The line on which it begins, from 1.
    line: usize,
    /// The words behind the backticks.
    words: Vec<String>,
    /// Content of the block, each line with its line end.
    text: String,
}

impl Block {
    fn language(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    fn has(&self, word: &str) -> bool {
        self.words.iter().skip(1).any(|w| w == word)
    }

    fn file(&self) -> Option<&str> {
        self.words.iter().find_map(|w| w.strip_prefix("file="))
    }
}

/// The files that a folder has at the start.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Start {
    Nothing,
    Repository,
    Gallery,
}

/// Instruction of a page to the harness; instructions keep the order of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Block(Block),
    /// Starts over with other files.
    Begin(Start),
}

fn parts(page: &str) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let open = line.trim_start();
        match open
            .strip_prefix("<!-- begin:")
            .map(|b| b.trim_end_matches("-->").trim())
        {
            Some("nothing") => parts.push(Part::Begin(Start::Nothing)),
            Some("repository") => parts.push(Part::Begin(Start::Repository)),
            Some("gallery") => parts.push(Part::Begin(Start::Gallery)),
            Some(other) => return Err(format!("line {}: nothing begins with `{other}`", number + 1)),
            None => {}
        }
        let ticks = open.chars().take_while(|c| *c == '`').count();
        if ticks < 3 {
            continue;
        }
        let mut text = String::new();
        let indent = line.len() - open.len();
        loop {
            let Some((_, line)) = lines.next() else {
                return Err(format!("line {}: the block has no end", number + 1));
            };
            if line.trim_start().starts_with(&"`".repeat(ticks)) {
                break;
            }
            // What stands in a list is moved to the right.
            let blank = line.len() - line.trim_start().len();
            text += &line[indent.min(blank)..];
            text.push('\n');
        }
        let words = open[ticks..].split_whitespace().map(str::to_owned).collect();
        parts.push(Part::Block(Block {
            line: number + 1,
            words,
            text,
        }));
    }
    Ok(parts)
}

/// The folder of a page that is being played.
struct Stage {
    folder: Copy,
    /// Current folder, as set by `cd`.
    inside: PathBuf,
}

impl Stage {
    fn new(start: Start) -> Self {
        let folder = match start {
            Start::Repository => Copy::of_all(),
            Start::Nothing | Start::Gallery => Copy::of_nothing(),
        };
        if start == Start::Gallery {
            copy(&root().join("examples/gallery"), &folder.path("."));
        }
        let inside = folder.path("");
        Self { folder, inside }
    }

    fn run(&self, args: &[&str], input: &str) -> Ran {
        run_in_with(&self.inside, args, input)
    }

    /// Does what a block says.
    fn play(&mut self, block: &Block) -> Result<(), String> {
        if block.has("norun") {
            return Ok(());
        }
        if let Some(file) = block.words.iter().find_map(|word| word.strip_prefix("from=")) {
            let text =
                std::fs::read_to_string(self.path(file)?).map_err(|_| format!("there is no {file}"))?;
            return match text.contains(&block.text) {
                true => Ok(()),
                false => Err(format!("{file} does not have these lines")),
            };
        }
        match (block.language(), block.file()) {
            ("diff", Some(file)) => self.edit(file, &block.text),
            (_, Some(file)) => self.write(file, &block.text, block.has("add")),
            ("sh", None) => block
                .text
                .lines()
                .try_for_each(|line| self.command(line).map(drop)),
            ("console", None) => self.console(&block.text),
            ("repl", None) => self.repl(block),
            _ => Ok(()),
        }
    }

    fn path(&self, file: &str) -> Result<PathBuf, String> {
        let plain = |c: std::path::Component<'_>| matches!(c, std::path::Component::Normal(_));
        if Path::new(file).components().all(plain) {
            Ok(self.inside.join(file))
        } else {
            Err(format!("`{file}` leads out of the folder"))
        }
    }

    fn write(&self, file: &str, text: &str, add: bool) -> Result<(), String> {
        let path = self.path(file)?;
        let text = if add {
            let before =
                std::fs::read_to_string(&path).map_err(|_| format!("there is no {file} to add to"))?;
            format!("{before}\n{text}")
        } else {
            text.to_owned()
        };
        let folder = path.parent().ok_or("a file has a folder")?;
        std::fs::create_dir_all(folder).map_err(|e| e.to_string())?;
        std::fs::write(path, text).map_err(|e| e.to_string())
    }

    fn edit(&self, file: &str, diff: &str) -> Result<(), String> {
        let path = self.path(file)?;
        let mut text = std::fs::read_to_string(&path).map_err(|_| format!("there is no {file} to change"))?;
        let lines: Vec<&str> = diff.lines().collect();
        text = match replaced(&text, &lines) {
            Ok(text) => text,
            // Places that lie apart: each change is looked for by itself.
            Err(_) => hunks(&lines)
                .into_iter()
                .try_fold(text, |text, hunk| replaced(&text, hunk))
                .map_err(|why| format!("{file} has {why}"))?,
        };
        std::fs::write(path, text).map_err(|e| e.to_string())
    }

    /// Runs one line of a shell; what it said when it was the product.
    fn command(&mut self, line: &str) -> Result<Option<Ran>, String> {
        let (command, comment) = line.split_once('#').unwrap_or((line, ""));
        let words = shell_words(command)?;
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match &words[..] {
            [] | ["cargo" | "git", ..] => Ok(None),
            ["cd", folder] => {
                self.inside = if *folder == ".." {
                    self.folder.path("")
                } else {
                    self.path(folder)?
                };
                if self.inside.is_dir() {
                    Ok(None)
                } else {
                    Err(format!("there is no folder {folder}"))
                }
            }
            ["rulebench", args @ ..] => {
                let exit = comment.split_once("exit ").map_or("0", |(_, n)| n);
                let exit: String = exit.chars().take_while(char::is_ascii_digit).collect();
                let ran = self.run(args, "");
                if ran.status.to_string() == exit {
                    Ok(Some(ran))
                } else {
                    Err(format!("`{}` should exit {exit}:\n{}", line.trim(), ran.page()))
                }
            }
            _ => Err(format!("`{}` is no command that is run here", line.trim())),
        }
    }

    fn console(&mut self, text: &str) -> Result<(), String> {
        let mut said = String::new();
        for line in text.lines() {
            if let Some(command) = line.strip_prefix("$ ") {
                said = match self.command(command)? {
                    Some(ran) => format!("{}{}", ran.out, ran.err),
                    None => String::new(),
                };
            } else {
                said = after(&said, line)?;
            }
        }
        Ok(())
    }

    fn repl(&self, block: &Block) -> Result<(), String> {
        let names: Vec<&str> = block.words.iter().skip(1).map(String::as_str).collect();
        let names: Vec<&str> = names.into_iter().filter(|w| *w != "refused").collect();
        let input: String = block
            .text
            .lines()
            .filter_map(typed)
            .map(|l| format!("{l}\n"))
            .collect();
        let ran = self.run(&[&["repl"], &names[..]].concat(), &input);
        let wanted = if block.has("refused") { 2 } else { 0 };
        if ran.status != wanted {
            return Err(format!("the session should exit {wanted}:\n{}", ran.page()));
        }
        let mut said = ran.out.clone();
        for line in block.text.lines() {
            said = match typed(line) {
                // The echo of a line bounds what may be found behind it.
                Some(line) => after(&said, &format!("> {line}"))?,
                None => after(&said, line)?,
            };
        }
        Ok(())
    }

    /// The rules that a page leaves behind are sound, and its scenarios hold.
    fn end(&self) -> Result<(), String> {
        if !self.inside.join("scripts").is_dir() {
            return Ok(());
        }
        let check = self.run(&["check"], "");
        if check.status != 0 {
            return Err(format!("what the page makes does not check:\n{}", check.page()));
        }
        let found: serde_json::Value =
            serde_json::from_str(&self.run(&["test", "--json"], "").out).map_err(|e| e.to_string())?;
        let failed = |one: &&serde_json::Value| {
            let none = |key: &str| one[key].as_array().is_some_and(Vec::is_empty);
            !(none("problems") && none("unmet"))
        };
        let all = found["scenarios"].as_array();
        let all = all.ok_or("`test --json` lists the scenarios")?;
        match all.iter().find(failed) {
            None => Ok(()),
            Some(one) => Err(format!("a scenario of the page fails: {one:#}")),
        }
    }
}

/// A text with some lines of a diff done, which stand beside each other in it, once.
fn replaced(text: &str, diff: &[&str]) -> Result<String, String> {
    let side = |other: char| -> String {
        let kept = diff.iter().filter(|l| !l.starts_with(other));
        kept.map(|l| format!("{}\n", l.get(1..).unwrap_or_default()))
            .collect()
    };
    let (old, new) = (side('+'), side('-'));
    match text.matches(&old).count() {
        1 if !old.is_empty() => Ok(text.replacen(&old, &new, 1)),
        n => Err(format!("{n} places, not one, that read:\n{old}")),
    }
}

/// The changes of a diff, each with the lines before it.
fn hunks<'a>(lines: &'a [&'a str]) -> Vec<&'a [&'a str]> {
    lines
        .chunk_by(|one, next| !one.starts_with('+') || next.starts_with('+'))
        .collect()
}

/// Returns the input in a line of a session: the text behind `> ` or `red> `.
fn typed(line: &str) -> Option<&str> {
    let (prompt, rest) = line.split_once('>')?;
    let is_prompt = prompt
        .chars()
        .all(|c| c.is_alphanumeric() || c == '-' || c == '_');
    (is_prompt && (rest.is_empty() || rest.starts_with(' '))).then(|| rest.trim())
}

/// Returns the part of a text behind the first line that equals this line or begins with it.
fn after(said: &str, line: &str) -> Result<String, String> {
    let wanted = line.trim();
    if wanted.is_empty() || wanted == "..." {
        return Ok(said.to_owned());
    }
    let mut rest = said;
    while let Some((first, next)) = rest.split_once('\n') {
        let first = first.trim();
        // An echoed line stands behind the faction that is asked.
        let echo = wanted.starts_with('>')
            && first
                .split_once('>')
                .is_some_and(|(_, l)| l.trim() == wanted[1..].trim());
        let begins = first
            .strip_prefix(wanted)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
        if begins || echo {
            return Ok(next.to_owned());
        }
        rest = next;
    }
    Err(format!("`{wanted}` is not in what was said:\n{said}"))
}

/// The words of a command line, with quotes as a shell reads them.
fn shell_words(line: &str) -> Result<Vec<String>, String> {
    let mut words: Vec<String> = Vec::new();
    let (mut quote, mut open) = (None, false);
    for c in line.chars() {
        match (c, quote) {
            ('"' | '\'', None) => {
                quote = Some(c);
                if !open {
                    words.push(String::new());
                    open = true;
                }
            }
            (c, Some(q)) if c == q => quote = None,
            (c, None) if c.is_whitespace() => open = false,
            (c, _) => {
                if !open {
                    words.push(String::new());
                    open = true;
                }
                if let Some(word) = words.last_mut() {
                    word.push(c);
                }
            }
        }
    }
    match quote {
        Some(_) => Err(format!("a quote has no end: {line}")),
        None => Ok(words),
    }
}

/// Plays a page.
fn play(page: &str) -> Result<usize, String> {
    let mut stage = Stage::new(Start::Nothing);
    let mut played = 0;
    for part in parts(page)? {
        match part {
            Part::Begin(start) => {
                stage.end()?;
                stage = Stage::new(start);
            }
            Part::Block(block) => {
                let first = block.words.join(" ");
                let told = |why| format!("the block at line {} (```{first}): {why}", block.line);
                stage.play(&block).map_err(told)?;
                played += 1;
            }
        }
    }
    stage.end()?;
    Ok(played)
}

/// Plays a page of the repository; one that is not written yet is passed over.
fn page(file: &str) {
    let Ok(text) = std::fs::read_to_string(root().join(file)) else {
        return;
    };
    match play(&text) {
        Ok(played) => assert!(played > 0, "{file} has no block"),
        Err(why) => panic!("{file}: {why}"),
    }
}

#[test]
fn the_cookbook_does_what_it_says() {
    page("docs/cookbook.md");
}

#[test]
fn the_page_of_maps_and_odds_does_what_it_says() {
    page("docs/maps-and-odds.md");
}

#[test]
fn the_page_of_grounds_does_what_it_says() {
    page("docs/grounds.md");
}

#[test]
fn the_page_of_secrets_does_what_it_says() {
    page("docs/secrets.md");
}

#[test]
fn the_page_of_table_tops_does_what_it_says() {
    page("docs/tabletop.md");
}

#[test]
fn the_page_of_public_games_does_what_it_says() {
    page("docs/gallery.md");
}

#[test]
fn the_page_of_arenas_says_what_happens() {
    page("docs/arena.md");
}

#[test]
fn the_page_of_the_table_does_what_it_says() {
    page("docs/page.md");
}

#[test]
fn the_page_of_studies_does_what_it_says() {
    page("docs/studies.md");
}

#[test]
fn the_page_of_tuning_does_what_it_says() {
    page("docs/tune.md");
}

#[test]
fn the_page_of_agents_does_what_it_says() {
    page("docs/agents.md");
}

#[test]
fn the_readme_does_what_it_says() {
    page("README.md");
}

#[test]
fn the_readmes_picture_is_what_its_command_draws() {
    let ran = run_in(root(), &["render", "charge-into-spears", "--out", "-"]);
    let kept = std::fs::read_to_string(root().join("docs/charge.svg")).expect("the picture is there");
    assert_eq!(ran.out, kept);
}

#[test]
fn the_tutorial_does_what_it_says() {
    page("docs/tutorial.md");
}

#[test]
fn the_page_of_formats_does_what_it_says() {
    page("docs/formats.md");
}

#[test]
fn the_index_lists_every_page() {
    let index = std::fs::read_to_string(root().join("docs/index.md")).expect("the index is there");
    for file in std::fs::read_dir(root().join("docs")).expect("the docs are there") {
        let name = file.expect("a file").file_name().into_string().expect("a name");
        if name.ends_with(".md") && name != "index.md" {
            assert!(index.contains(&format!("]({name})")), "{name} is not listed");
        }
    }
}

#[test]
fn the_sample_report_is_what_its_command_writes() {
    let folder = Copy::of_nothing();
    assert_eq!(folder.run(&["new", "mine"]).status, 0);
    let report = [
        "report",
        "ford",
        "--agents",
        "random=200",
        "--out",
        "sample-report",
    ];
    let ran = folder.run(&[&["--workspace", "mine"], &report[..]].concat());
    assert_eq!(ran.status, 0, "{}", ran.page());
    let written = std::fs::read_to_string(folder.path("sample-report.md")).expect("the report is there");
    let kept = std::fs::read_to_string(root().join("docs/sample-report.md")).expect("the sample is there");
    assert_eq!(written, kept);
}

// --- the harness itself ---------------------------------------------------------------------------

/// A page that makes a game, changes it, plays it and asks about it.
const PAGE: &str = r##"
A game:

```rhai file=scripts/tiny/game.rhai
fn board() { #{ factions: ["red", "blue"], hexes: [2, 2] } }
fn phases() { [#{ phase: "pick", each: "game", step: "pick" }] }
fn pick() { choose(first(), "wind", ["north", "south"]); }
```

- With a unit:

  ```rhai file=units/tiny/scouts.rhai
  fn stats() { #{ symbol: "Sc" } }
  ```

```rhai file=units/tiny/scouts.rhai add
// And a note.
```

```diff file=scripts/tiny/game.rhai
 fn phases() { [#{ phase: "pick", each: "game", step: "pick" }] }
-fn pick() { choose(first(), "wind", ["north", "south"]); }
+fn pick() { choose(first(), "wind", ["north", "west"]); }
```

```toml file=scenarios/tiny/wind.toml
game = "tiny"
answers = ["wind: west"]
expect = ['happened("west")']
```

```sh
cargo run          # passed over
rulebench check
rulebench run wind # plays it
rulebench run nothing  # exit 2
```

```console
$ rulebench run wind
...
red chose wind: west
```

```repl tiny
red> 2
...
> happened("west")
true
```

```rust
this is passed over
```
"##;

fn fails(old: &str, new: &str) -> String {
    assert!(PAGE.contains(old), "{old}");
    play(&PAGE.replace(old, new)).expect_err("it does not do what it says")
}

#[test]
fn a_page_that_is_right_is_played_to_its_end() {
    assert_eq!(play(PAGE), Ok(9));
}

#[test]
fn changes_that_lie_apart_are_found_each_by_itself() {
    let text = "a\nb\nc\nd\ne\n";
    let whole = ["-a", "+A", "-d", "+D", " e"];
    assert!(replaced(text, &whole).is_err());
    assert_eq!(hunks(&whole), [&["-a", "+A"][..], &["-d", "+D"], &[" e"]]);
    let changed = hunks(&whole)
        .into_iter()
        .try_fold(text.to_owned(), |text, hunk| replaced(&text, hunk));
    assert_eq!(changed, Ok("A\nb\nc\nD\ne\n".to_owned()));
    assert!(replaced("a\na\n", &["-a", "+b"]).is_err());
}

#[test]
fn what_a_page_says_wrongly_is_told_with_its_line() {
    let line = PAGE.lines().position(|l| l == "```sh").map_or(0, |n| n + 1);
    assert!(fails("run wind # plays", "run wint # plays").contains(&format!("line {line} ")));
    assert!(fails("nothing  # exit 2", "nothing  # exit 1").contains("should exit 1"));
    assert!(fails("red chose wind: west", "red chose wind: north").contains("is not in what was said"));
    assert!(fails("red chose wind: west", "red chose wind: wes").contains("is not in what was said"));
    assert!(fails("\ntrue\n", "\nfalse\n").contains("`false` is not in what was said"));
    assert!(fails("red> 2", "red> 7").contains("should exit 0"));
    assert!(fails("cargo run", "make").contains("is no command"));
    assert!(fails("-fn pick", "-fn pack").contains("0 places"));
    assert!(fails("rust\nthis", "rust file=../x\nthis").contains("leads out"));
    assert!(fails("happened(\"west\")']", "happened(\"east\")']").contains("should exit 0"));
    let unmet = "toml file=scenarios/tiny/x.toml\ngame = \"tiny\"\nexpect = ['1 == 2']";
    assert!(fails("rust\nthis is passed over", unmet).contains("a scenario of the page fails"));
    assert!(fails("// And a note.", "fn nobody_calls() {}").contains("check"));
    assert!(fails("passed over\n```\n", "passed over\n").contains("no end"));
}
