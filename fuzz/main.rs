//! Tries the library with mutated scripts, scenarios, transcripts, rulebooks and lines at the prompt,
//! made of the repository's own files: `cargo run --example fuzz -- --seconds 60 --seed 1`.
//!
//! Looks for panics, for what takes too long, for positions that a failed step has changed, and for
//! saved games that are not read back. A case is known by seed and number; `--only N` runs it alone.
//! The case that runs is kept in `target/fuzz/case.txt`, so that one which ends the program is known.

use rulebench::agents::Agent;
use rulebench::play::Progress;
use rulebench::render::Style;
use rulebench::repl::session::Session;
use rulebench::report::Source;
use rulebench::rulebook::Rulebook;
use rulebench::rules::workspace::Workspace;
use rulebench::stage::run::{self, Overrides, Setup};
use rulebench::stage::transcribe;
use rulebench::suite;
use rulebench::transcript::Transcript;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A case takes at most this long; without optimisation everything takes about ten times as long.
const MOST: Duration = Duration::from_secs(if cfg!(debug_assertions) { 50 } else { 5 });
/// The stack that the program itself has.
const STACK: usize = 64 << 20;
/// Time for which a game is played; a step that has begun is finished.
const PLAYED: Duration = Duration::from_millis(300);

/// The case that runs, and since when.
static RUNNING: Mutex<Option<(Instant, u64)>> = Mutex::new(None);

/// A generator of numbers: the same for the same seed on every machine.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() % most.max(1) as u64) as usize
    }

    fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// Material for cases: the repository's files by path, and the lines of its pages.
struct Corpus {
    files: Vec<(String, String)>,
    lines: Vec<String>,
}

/// Odd texts that are rarely intended but often occur.
const ODD: &[&str] = &[
    "9223372036854775807",
    "-9223372036854775808",
    "99999999999999999999",
    "-1",
    "0",
    "\0",
    "\n",
    "\r\n",
    "\"",
    "'''",
    "\\",
    "\u{202e}",
    "\u{1b}[2J",
    "\u{feff}",
    "é",
    "\u{1f409}",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "#{",
    "/*",
    "//",
    "`${",
    "|x|",
    "..=",
    "..",
    "=",
    ";",
    ",",
    "::",
    "nothing",
    "nowhere",
    "true",
    "loop { }",
    "while true { ",
    "fn f() { f() }",
    "for i in 0..9999999 { ",
    "throw \"a\\nb\";",
    "choose(first(), \"x\", [1, 2])",
    "roll(first(), \"x\", 1, 6)",
    "let l = [1]; for i in 0..99 { l = [l, l]; } print(l);",
    "return;",
    "break;",
    "-----",
    "+++",
    "[[",
    "]]",
    "= = =",
];

impl Corpus {
    fn of(root: &Path) -> Self {
        let mut files = Vec::new();
        for folder in ["scripts", "units", "scenarios", "snapshots", "fuzz", "starter"] {
            gather(root, Path::new(folder), &mut files);
        }
        files.sort();
        let mut lines = Vec::new();
        let mut pages: Vec<PathBuf> = vec![root.join("README.md")];
        pages.extend(
            std::fs::read_dir(root.join("docs"))
                .into_iter()
                .flatten()
                .flatten()
                .map(|e| e.path()),
        );
        pages.sort();
        for page in pages
            .iter()
            .filter(|page| page.extension().is_some_and(|e| e == "md"))
        {
            let text = std::fs::read_to_string(page).unwrap_or_default();
            lines.extend(text.lines().map(|line| line.trim_start_matches("> ").to_owned()));
            // What stands in backticks is what is typed.
            lines.extend(text.split('`').skip(1).step_by(2).map(str::to_owned));
        }
        lines.retain(|line| !line.trim().is_empty() && line.len() < 300);
        Self { files, lines }
    }

    /// The files with an ending.
    fn ending<'a>(&'a self, ending: &str) -> Vec<&'a (String, String)> {
        self.files
            .iter()
            .filter(|(path, _)| path.ends_with(ending))
            .collect()
    }

    /// A text with some of it changed.
    fn mutated(&self, text: &str, chance: &mut Chance) -> String {
        let mut text: Vec<char> = text.chars().collect();
        for _ in 0..=chance.below(4) {
            let at = chance.below(text.len() + 1);
            let to = (at + chance.below(60)).min(text.len());
            match chance.below(9) {
                0 => drop(text.drain(at..to)),
                1 => {
                    let part: Vec<char> = text[at..to].to_vec();
                    text.splice(at..at, part);
                }
                2 | 3 => drop(text.splice(at..at, chance.one(ODD).chars())),
                4 => drop(text.splice(at..to, chance.one(ODD).chars())),
                5 => {
                    // A piece of another file.
                    let other: Vec<char> = chance.one(&self.files).1.chars().collect();
                    let from = chance.below(other.len());
                    let end = (from + chance.below(200)).min(other.len());
                    text.splice(at..at, other[from..end].iter().copied());
                }
                6 => {
                    // A number is another.
                    if let Some(digit) = text[at..].iter().position(char::is_ascii_digit) {
                        let odd = ODD[chance.below(5)];
                        text.splice(at + digit..=at + digit, odd.chars());
                    }
                }
                7 => {
                    // Two lines change places.
                    let whole: String = text.iter().collect();
                    let mut lines: Vec<&str> = whole.split('\n').collect();
                    let (a, b) = (chance.below(lines.len()), chance.below(lines.len()));
                    lines.swap(a, b);
                    text = lines.join("\n").chars().collect();
                }
                _ => text.truncate(at),
            }
        }
        text.into_iter().collect()
    }
}

fn gather(root: &Path, folder: &Path, files: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(root.join(folder))
        .into_iter()
        .flatten()
        .flatten()
    {
        let inner = folder.join(entry.file_name());
        if entry.path().is_dir() {
            gather(root, &inner, files);
        } else if let Ok(text) = std::fs::read_to_string(entry.path()) {
            files.push((inner.display().to_string(), text));
        }
    }
}

/// Plays what is laid with the random agent; what is wrong with it.
fn played(mut laid: Setup, seed: u64) -> Result<(), String> {
    if let Some(agent) = Agent::Random.source(seed) {
        laid.play.set_source(agent);
    }
    let begun = Instant::now();
    let mut end = "cut";
    while begun.elapsed() < PLAYED {
        let opened = matches!(laid.play.prepare(), Progress::Stepped);
        let before = (laid.play.position(), laid.play.table().events.len());
        match laid.play.advance() {
            Progress::Stepped => {}
            Progress::Failed(problem) => {
                problem.page(true);
                let mut now = (laid.play.position(), laid.play.table().events.len());
                // What was answered in the step stays.
                now.0.answers.clone_from(&before.0.answers);
                if opened && now != before {
                    return Err("a failed step has changed the position".to_owned());
                }
                end = "failed";
                break;
            }
            Progress::Asks => return Err("the random agent does not answer".to_owned()),
            _ => break,
        }
    }
    let saved = transcribe::saved(&laid.play, &laid.file, end).print();
    let source = Source::new("saved.txt", saved.clone());
    match Transcript::parse(&source) {
        Err(problems) => Err(format!("a save is not read back: {}", problems.page(false))),
        Ok(again) if again.print() != saved => Err("a save that is read back is another".to_owned()),
        Ok(_) => Ok(()),
    }
}

/// A scenario under a workspace; what is wrong with it.
fn scenario(workspace: &Workspace, text: &str, seed: u64) -> Result<(), String> {
    let source = Source::new("fuzzed.toml", text);
    let opened = match run::open_in(workspace, &source) {
        Ok(opened) => opened,
        Err(problems) => {
            problems.page(true);
            return Ok(());
        }
    };
    match run::run(workspace, &opened, &Overrides::default()) {
        Ok(ran) => {
            ran.transcript().print();
        }
        Err(problems) => {
            problems.page(true);
        }
    }
    match run::lay(workspace, &opened.file, &Overrides::default()).and_then(Setup::playable) {
        Ok(laid) => played(laid, seed),
        Err(problems) => {
            problems.page(true);
            Ok(())
        }
    }
}

/// One case: what it is, and what is wrong with it.
fn case(corpus: &Corpus, root: &Path, seed: u64, keep: &dyn Fn(&str)) -> Result<(), String> {
    let mut chance = Chance(seed);
    let workspace = Workspace::at(root);
    let scenarios = corpus.ending(".toml");
    let scenarios: Vec<_> = scenarios
        .into_iter()
        .filter(|(path, _)| path.starts_with("scenarios/"))
        .collect();
    match chance.below(6) {
        0 | 1 => {
            let scripts = corpus.ending(".rhai");
            let own = |path: &str| path.starts_with("scripts/") || path.starts_with("units/");
            let scripts: Vec<_> = scripts.into_iter().filter(|(path, _)| own(path)).collect();
            let (path, text) = chance.one(&scripts);
            let text = corpus.mutated(text, &mut chance);
            keep(&format!("{path}\n{text}"));
            let game = path.split('/').nth(1).unwrap_or_default();
            let edited = workspace.with(BTreeMap::from([(path.clone(), text)]));
            let of_game = format!("scenarios/{game}/");
            let its: Vec<_> = scenarios
                .into_iter()
                .filter(|(path, _)| path.starts_with(&of_game))
                .collect();
            match its.is_empty() {
                true => Ok(()),
                false => scenario(&edited, &chance.one(&its).1, seed),
            }
        }
        2 => {
            let (path, text) = chance.one(&scenarios);
            let text = corpus.mutated(text, &mut chance);
            keep(&format!("{path}\n{text}"));
            scenario(&workspace, &text, seed)
        }
        3 => {
            let (path, text) = *chance.one(&corpus.ending(".snap"));
            let text = corpus.mutated(text, &mut chance);
            keep(&format!("{path}\n{text}"));
            scenario(&workspace, &text, seed)
        }
        4 => {
            let all = corpus.ending("/rulebook.toml");
            let (path, text) = chance.one(&all);
            let text = corpus.mutated(text, &mut chance);
            keep(&format!("{path}\n{text}"));
            let game = path.split('/').nth(1).unwrap_or_default();
            let register = format!("scripts/{game}/tweaks.toml");
            let texts = BTreeMap::from([(path.clone(), text.clone()), (register, text)]);
            let edited = workspace.with(texts);
            if let Err(problems) = Rulebook::read(&edited, game) {
                problems.page(true);
            }
            if let Ok(Some(opening)) = suite::opening(&workspace) {
                let _ = suite::open(&edited, &opening).map(|_| ());
            }
            Ok(())
        }
        _ => {
            let (start, _) = chance.one(&scenarios);
            let mut lines = Vec::new();
            for _ in 0..chance.below(12) + 3 {
                let line = chance.one(&corpus.lines).clone();
                lines.push(match chance.below(3) {
                    0 => corpus.mutated(&line, &mut chance),
                    1 => ["", "1", "2", ":auto 3", ":undo", ":auto 1 round", ":redo"][chance.below(7)]
                        .to_owned(),
                    _ => line,
                });
            }
            // Whole games, and what explores without end, are for other tests.
            lines.retain(|line| !line.contains(":odds") && line.trim() != ":auto");
            keep(&format!("{start}\n{}", lines.join("\n")));
            let session = Session::new(&workspace, Some(start), Overrides::default(), Style::default());
            let Ok(mut session) = session else { return Ok(()) };
            session.greeting().print();
            for line in lines {
                let begun = Instant::now();
                let reply = session.line(&line);
                reply.print();
                session.prompt();
                if begun.elapsed() > MOST {
                    return Err(format!("`{line}` takes {:?}", begun.elapsed()));
                }
                if reply.quit {
                    break;
                }
                *RUNNING.lock().expect("nobody panics with it") = Some((Instant::now(), seed));
            }
            Ok(())
        }
    }
}

fn number(name: &str) -> Option<u64> {
    let mut args = std::env::args().skip_while(|arg| arg != name);
    args.nth(1)?.parse().ok()
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)?.flatten() {
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &target)?,
            false => drop(std::fs::copy(entry.path(), target)?),
        }
    }
    Ok(())
}

fn fuzz() -> std::io::Result<bool> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = Corpus::of(repository);
    let kept = repository.join("target/fuzz");
    std::fs::create_dir_all(&kept)?;
    // Lines at the prompt write: a workspace of their own, and a folder to write into.
    let folder = tempfile::tempdir()?;
    let root = folder.path().join("workspace");
    for part in ["scripts", "units", "scenarios", "snapshots"] {
        copy(&repository.join(part), &root.join(part))?;
    }
    let outside = folder.path().join("inside/here");
    std::fs::create_dir_all(&outside)?;
    std::env::set_current_dir(outside)?;
    let seconds = number("--seconds").unwrap_or(60);
    let first = number("--seed").unwrap_or(1);
    let only = number("--only");
    let begun = Instant::now();
    let mut wrong = 0;
    let mut cases = 0;
    let mut slowest = (Duration::ZERO, 0);
    std::panic::set_hook(Box::new(|_| {}));
    for nth in only.unwrap_or(0).. {
        let done = only.map_or(begun.elapsed().as_secs() >= seconds, |only| nth > only);
        if done {
            break;
        }
        let seed = first.wrapping_mul(1_000_003).wrapping_add(nth);
        let file = kept.join("case.txt");
        let keep = |text: &str| {
            // What cannot be kept is still tried.
            let _ = std::fs::write(&file, format!("--seed {first} --only {nth}\n{text}\n"));
        };
        *RUNNING.lock().expect("nobody panics with it") = Some((Instant::now(), nth));
        let started = Instant::now();
        let said = catch_unwind(AssertUnwindSafe(|| case(&corpus, &root, seed, &keep)));
        *RUNNING.lock().expect("nobody panics with it") = None;
        cases += 1;
        slowest = slowest.max((started.elapsed(), nth));
        let problem = match said {
            Ok(Ok(())) => continue,
            Ok(Err(problem)) => problem,
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned();
                let text = text.or_else(|| panic.downcast_ref::<&str>().map(|t| (*t).to_owned()));
                format!("it panics: {}", text.unwrap_or_default())
            }
        };
        wrong += 1;
        println!("--seed {first} --only {nth}: {problem}");
        std::fs::copy(&file, kept.join(format!("{first}-{nth}.txt")))?;
    }
    println!(
        "{cases} cases in {:.0?}, {wrong} with something wrong; the slowest, {}, took {:.1?}",
        begun.elapsed(),
        slowest.1,
        slowest.0
    );
    Ok(wrong == 0)
}

/// Ends the program when a case takes too long: nobody else can.
fn watch() {
    loop {
        std::thread::sleep(Duration::from_millis(200));
        let running = *RUNNING.lock().expect("nobody panics with it");
        if let Some((since, nth)) = running.filter(|(since, _)| since.elapsed() > MOST * 2) {
            println!(
                "case {nth} takes more than {:?}: see target/fuzz/case.txt",
                since.elapsed()
            );
            std::process::exit(1);
        }
    }
}

fn main() -> ExitCode {
    std::thread::spawn(watch);
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(fuzz);
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(true))) => ExitCode::SUCCESS,
        Ok(Ok(Err(error))) => {
            println!("{error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::FAILURE,
    }
}
