//! Break points: how they are written, which places of a ruleset they mean, and how they live
//! through a change of rules. Knows rulesets; knows no play and no stop.

use super::problems;
use crate::report::{Problem, did_you_mean, hint_for};
use crate::rules::debug::Breakpoint;
use crate::rules::ruleset::Ruleset;
use crate::rules::run::node::Function;

/// Maximum number of breakpoints; each is compared at every place.
const MAX_BREAKS: usize = 100;

/// The place of a breakpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BreakTarget {
    /// A function, by name: of the script or variant of that name, or every script's.
    Function {
        /// The script or variant.
        of: Option<String>,
        /// The function.
        name: String,
    },
    /// A line of a file.
    Line {
        /// The file's whole path.
        file: String,
        /// From 1.
        line: usize,
        /// The trimmed text of the line, by which it is found again.
        text: String,
    },
    /// The place where the rules fail.
    Error,
}

/// A break point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Break {
    /// By which it is named.
    pub number: usize,
    /// The place.
    pub target: BreakTarget,
    /// It counts only where this expression is true.
    pub condition: Option<String>,
}

/// The break points of a session.
#[derive(Debug, Clone, Default)]
pub struct Breaks {
    all: Vec<Break>,
    made: usize,
}

impl Breaks {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The break point of that number.
    pub fn find(&self, number: usize) -> Option<&Break> {
        self.all.iter().find(|b| b.number == number)
    }

    /// Adds one, its place written as a designer does: `script.function`, `function`, `file:line` or `error`. Returns
    /// its number and what should be known of it.
    ///
    /// # Errors
    ///
    /// A place that these rules do not have; one that is there already.
    pub fn add(
        &mut self,
        place: &str,
        condition: Option<&str>,
        ruleset: &Ruleset,
    ) -> Result<(usize, Option<String>), Problem> {
        let condition = condition.map(str::to_owned);
        let (target, note) = read(place, ruleset)?;
        if condition.is_some() && target == BreakTarget::Error {
            return Err(problems::condition_of_error());
        }
        if let Some(condition) = &condition {
            ruleset.check_condition(condition)?;
        }
        if let Some(there) = self.all.iter_mut().find(|b| b.target == target) {
            if there.condition == condition {
                return Err(problems::repeated_break(there.number));
            }
            there.condition = condition;
            return Ok((there.number, note));
        }
        if self.all.len() >= MAX_BREAKS {
            return Err(problems::too_many_breaks(MAX_BREAKS));
        }
        self.made += 1;
        self.all.push(Break {
            number: self.made,
            target,
            condition,
        });
        Ok((self.made, note))
    }

    /// Takes the one of that number away, or all; returns how many.
    ///
    /// # Errors
    ///
    /// A number of none.
    pub fn remove(&mut self, number: Option<usize>) -> Result<usize, Problem> {
        let before = self.all.len();
        let Some(number) = number else {
            self.all.clear();
            return Ok(before);
        };
        self.all.retain(|b| b.number != number);
        match before - self.all.len() {
            0 => Err(problems::unknown_name("break point", number).hint("`:break` lists them")),
            gone => Ok(gone),
        }
    }

    /// The places of a ruleset that they mean, each with its break point's number.
    pub fn marks(&self, ruleset: &Ruleset) -> Vec<(usize, Breakpoint)> {
        let marks = |b: &Break| -> Vec<(usize, Breakpoint)> {
            let found: Vec<Breakpoint> = match &b.target {
                BreakTarget::Function { of, name } => functions(ruleset, of.as_deref(), name)
                    .map(|(index, _)| Breakpoint::Function(index))
                    .collect(),
                BreakTarget::Line { file, line, text } => line_mark(ruleset, file, *line, text)
                    .map(|(mark, _)| mark)
                    .into_iter()
                    .collect(),
                BreakTarget::Error => Vec::new(),
            };
            found.into_iter().map(|mark| (b.number, mark)).collect()
        };
        self.all.iter().flat_map(marks).collect()
    }

    /// The one where the rules fail, if it is there.
    pub fn at_error(&self) -> Option<&Break> {
        self.all.iter().find(|b| b.target == BreakTarget::Error)
    }

    /// The rules have changed: those at lines go with their lines. Says what is not as it was.
    pub fn carry(&mut self, ruleset: &Ruleset) -> Vec<String> {
        let mut messages = Vec::new();
        for point in &mut self.all {
            let number = point.number;
            match &mut point.target {
                BreakTarget::Error => {}
                BreakTarget::Function { of, name } => {
                    if functions(ruleset, of.as_deref(), name).next().is_none() {
                        messages.push(format!(
                            "break point {number}: no function is called {} now",
                            point.target.text()
                        ));
                    }
                }
                BreakTarget::Line { file, line, text } => {
                    let sources = ruleset.layers.texts.iter().map(|t| &t.parsed.source);
                    let Some(source) = sources.into_iter().find(|s| s.name == *file) else {
                        messages.push(format!("break point {number}: {file} is none of the rules now"));
                        continue;
                    };
                    let same = source.text.lines().enumerate().filter(|(_, l)| l.trim() == *text);
                    let nearest = same.min_by_key(|(index, _)| (index + 1).abs_diff(*line));
                    match nearest.map(|(index, _)| index + 1) {
                        Some(now) if now == *line => {}
                        Some(now) => {
                            messages.push(format!(
                                "break point {number} goes with its line: {file}:{line} is line {now} now"
                            ));
                            *line = now;
                        }
                        None => messages.push(format!("break point {number}: its line is gone from {file}")),
                    }
                }
            }
        }
        messages
    }

    /// All of them, as they are typed.
    pub fn texts(&self) -> Vec<String> {
        self.all.iter().map(Break::text).collect()
    }

    /// A row for each: number, place, and what is the matter with it.
    pub fn rows(&self, ruleset: &Ruleset) -> Vec<Vec<String>> {
        let marks = self.marks(ruleset);
        let row = |b: &Break| {
            let off = b.target != BreakTarget::Error && !marks.iter().any(|(n, _)| *n == b.number);
            let mut text = b.text();
            if off {
                text.push_str("   (the rules have no such place now)");
            }
            vec![b.number.to_string(), text]
        };
        self.all.iter().map(row).collect()
    }
}

impl Break {
    /// Its place, and its condition if it has one.
    pub fn text(&self) -> String {
        match &self.condition {
            Some(condition) => format!("{} if {condition}", self.target.text()),
            None => self.target.text(),
        }
    }
}

impl BreakTarget {
    /// As it is written.
    pub fn text(&self) -> String {
        match self {
            BreakTarget::Function { of: Some(of), name } => format!("{of}.{name}"),
            BreakTarget::Function { of: None, name } => name.clone(),
            BreakTarget::Line { file, line, .. } => format!("{file}:{line}"),
            BreakTarget::Error => "error".to_owned(),
        }
    }
}

/// Returns the words that can name a place: functions with their scripts, hooks alone, files.
pub fn break_words(ruleset: &Ruleset) -> Vec<String> {
    let functions = ruleset.functions().iter();
    let mut names: Vec<String> = functions
        .flat_map(|f| {
            let script = &ruleset.layers.scripts[f.place.script].name;
            [format!("{script}.{}", f.name), f.name.clone()]
        })
        .collect();
    let files = ruleset.layers.texts.iter().map(|t| &t.parsed.source.name);
    names.extend(files.map(|f| format!("{}:", short(f))));
    names.push("error".to_owned());
    names.sort();
    names.dedup();
    names
}

/// A file's own name, without folders.
fn short(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

/// The functions of that name: of the script or variant of that name, or of all.
fn functions<'h>(
    ruleset: &'h Ruleset,
    of: Option<&'h str>,
    name: &'h str,
) -> impl Iterator<Item = (usize, &'h Function)> {
    let layers = &ruleset.layers;
    let meant = move |f: &Function| {
        let own = |of: &str| layers.scripts[f.place.script].name == of || layers.texts[f.text].name == of;
        f.name == name && of.is_none_or(own)
    };
    let all = ruleset.functions().iter().enumerate();
    all.map(|(index, f)| (index, &**f)).filter(move |(_, f)| meant(f))
}

/// The first statement at a line of a file or below it, and its line; `None` when the line does not
/// say that text any more, or no statement follows in its function.
fn line_mark(ruleset: &Ruleset, file: &str, line: usize, text: &str) -> Option<(Breakpoint, usize)> {
    let texts = ruleset.layers.texts.iter();
    let index = texts
        .enumerate()
        .position(|(_, t)| t.parsed.source.name == file)?;
    let source = &ruleset.layers.texts[index].parsed.source;
    if source.text.lines().nth(line - 1)?.trim() != text {
        return None;
    }
    let own = ruleset.functions().iter().enumerate();
    let own = own.filter(|(_, f)| f.text == index);
    let places = ruleset.places();
    let statements = own.flat_map(|(function, _)| places.statements(function));
    let at = statements
        .chain(places.in_closures(line))
        .filter(|(l, _)| *l >= line)
        .min()?;
    // A line between two functions means the one below; the last line of one does not.
    let parsed = &ruleset.layers.texts[index].parsed;
    let begins = |line: usize| parsed.fns.iter().any(|f| f.at.0 == line);
    let inside = !text.starts_with('}') || at.0 == line;
    let same = begins(line) || parsed.around((line, usize::MAX)) == parsed.around(at);
    (inside && (same || text.is_empty() || text.starts_with("//")))
        .then_some((Breakpoint::Statement(index, at), at.0))
}

/// A place as a designer writes it, and what should be known of it.
fn read(text: &str, ruleset: &Ruleset) -> Result<(BreakTarget, Option<String>), Problem> {
    if text == "error" {
        return Ok((BreakTarget::Error, None));
    }
    if let Some((file, line)) = text.rsplit_once(':') {
        return read_line(file.trim(), line.trim(), ruleset);
    }
    let (of, name) = match text.split_once('.') {
        Some((of, name)) => (Some(of), name),
        None => (None, text),
    };
    let found: Vec<(usize, &Function)> = functions(ruleset, of, name).collect();
    if found.is_empty() {
        let known = break_words(ruleset);
        let texts = ruleset.layers.texts.iter().map(|t| t.name.as_str());
        if let Some(of) = of.filter(|of| !texts.clone().any(|t| t == *of)) {
            let problem = problems::unknown_name("script", of);
            return Err(problem.hint(hint_for(of, texts)));
        }
        let near = did_you_mean(text, known.iter().map(String::as_str));
        return Err(problems::unknown_name("function", text).hint(near.map_or_else(
            || "write a function, SCRIPT.FUNCTION or FILE:LINE".to_owned(),
            |near| format!("did you mean `{near}`?"),
        )));
    }
    let places = ruleset.places();
    let empty = found
        .iter()
        .all(|(index, _)| places.statements(*index).next().is_none());
    let note = empty.then(|| format!("`{text}` has no statement to stop at"));
    let declared = crate::rules::keys::DECLARED.contains(&name);
    let note = match declared {
        true => Some(format!("`{name}` is read when the rules are loaded, not in play")),
        false => note,
    };
    let target = BreakTarget::Function {
        of: of.map(str::to_owned),
        name: name.to_owned(),
    };
    Ok((target, note))
}

fn read_line(file: &str, line: &str, ruleset: &Ruleset) -> Result<(BreakTarget, Option<String>), Problem> {
    let texts = ruleset.layers.texts.iter().map(|t| &t.parsed.source);
    let files: Vec<&str> = texts.clone().map(|source| source.name.as_str()).collect();
    let is = |f: &&&str| {
        let bare = f.strip_suffix(".rhai").unwrap_or(f);
        [**f, bare]
            .iter()
            .any(|f| *f == file || f.ends_with(&format!("/{file}")))
    };
    let meant: Vec<&&str> = files.iter().filter(is).collect();
    let path = match &meant[..] {
        [one] => **one,
        [] => {
            let shorts = files.iter().map(|f| short(f));
            return Err(problems::unknown_name("file", file).hint(hint_for(file, shorts)));
        }
        several => {
            let several: Vec<String> = several.iter().map(|f| format!("`{f}`")).collect();
            return Err(problems::ambiguous(file, several.join(" or ")));
        }
    };
    let source = texts.clone().find(|s| s.name == path);
    let lines = source.map_or(0, |s| s.text.lines().count());
    let number = line.parse::<usize>().ok().filter(|n| (1..=lines).contains(n));
    let Some(number) = number else {
        return Err(problems::unknown_line(line, path, lines));
    };
    let text = source.and_then(|s| s.text.lines().nth(number - 1));
    let text = text.unwrap_or_default().trim().to_owned();
    let Some((_, at)) = line_mark(ruleset, path, number, &text) else {
        return Err(problems::no_statement(path, number));
    };
    // The line of the statement is the one to remember.
    let text = source.and_then(|s| s.text.lines().nth(at - 1));
    let note = (at != number).then(|| format!("the next statement is at line {at}"));
    let target = BreakTarget::Line {
        file: path.to_owned(),
        line: at,
        text: text.unwrap_or_default().trim().to_owned(),
    };
    Ok((target, note))
}
