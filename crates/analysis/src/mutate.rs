//! Mutation testing of rules: the scripts are changed one small thing at a time, and the scenarios
//! that reach the change must notice. What survives is a rule that no scenario proves.
//!
//! A mutant is an edit of one script's text that keeps its lines; the ruleset is then loaded as
//! usual. Scenarios notice by their expectations, answers and rolls; snapshots do not count, since
//! they notice everything.

use crate::lines;
use crate::parse::{Parsed, Parser, TextPosition};
use crate::report::{Problems, Source};
use crate::reports::{Cell, Facts, Report, facts};
use crate::rules::layers::{NO_RULES, ScriptOf, script_paths};
use crate::rules::lint::declaring;
use crate::rules::ruleset::LoadOptions;
use crate::rules::run::value::NOTHING_WORDS;
use crate::rules::trace::{Recorder, TraceLevel};
use crate::rules::workspace::Workspace;
use crate::ruleset_cache::RulesetCache;
use crate::stage::run::{self, OpenedFile};
use crate::suite::problems::nothing_to_mutate;
use crate::{parallel, suite};
use rhai::Token;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// One small change of one script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// The script's path in the workspace.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// The column where it begins, from 1.
    pub column: usize,
    /// The function that it is in.
    pub function: String,
    /// Short description of the change.
    pub what: String,
    /// The line as written.
    pub text: String,
    /// The bytes that are replaced.
    pub span: Range<usize>,
    /// Text that replaces the bytes.
    pub with: String,
    /// The lines that the change touches.
    lines: Range<usize>,
    /// Whether it is in a declaration, or in what one calls.
    declared: bool,
}

/// Result for a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MutantResult {
    /// This scenario failed.
    Caught(String),
    /// All scenarios that reach the mutant passed; holds their number.
    Survived(usize),
    /// No scenario reaches it.
    Unreached,
    /// The ruleset does not load with it: the designer would be told at once.
    Unfit(String),
}

/// A mutant with its fate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MutantVerdict {
    /// The mutant.
    pub mutant: Mutant,
    /// Result for the mutant.
    pub fate: MutantResult,
}

/// All mutants of a game, with their fates.
#[derive(Debug, Clone)]
pub struct MutationResult {
    /// The game.
    pub game: String,
    /// By script, line and change.
    pub verdicts: Vec<MutantVerdict>,
    /// Scenarios that fail without any change; they were not used.
    pub failing: Vec<String>,
}

impl MutantVerdict {
    fn facts(&self) -> Facts {
        let mutant = &self.mutant;
        let (result, scenario, reached, reason) = match &self.fate {
            MutantResult::Caught(by) => ("caught", Some(by), None, None),
            MutantResult::Survived(count) => ("survived", None, Some(*count), None),
            MutantResult::Unreached => ("unreached", None, None, None),
            MutantResult::Unfit(why) => ("unfit", None, None, Some(why)),
        };
        facts! {
            script: &mutant.path, line: mutant.line, column: mutant.column, function: &mutant.function,
            change: &mutant.what, text: &mutant.text, result: result, scenario: scenario, scenario_count: reached,
            reason: reason,
        }
    }
}

impl MutationResult {
    /// Reports the survivors, and to programs all mutants.
    pub fn report(&self) -> Report {
        let mut page = Report::default()
            .with("game", &self.game)
            .with(
                "mutants",
                Cell::list(self.verdicts.iter().map(MutantVerdict::facts)),
            )
            .with("failing", &self.failing);
        for path in &self.failing {
            page.below(format!("not used, it fails without any change: {path}"));
        }
        let mut path = &String::new();
        for verdict in self.survivors() {
            let mutant = &verdict.mutant;
            if mutant.path != *path {
                path = &mutant.path;
                page.put(path.as_str());
            }
            let fate = match &verdict.fate {
                MutantResult::Unreached => "no scenario reaches it".to_owned(),
                MutantResult::Survived(1) => "the one scenario that reaches it passes".to_owned(),
                MutantResult::Survived(n) => format!("all {n} scenarios that reach it pass"),
                MutantResult::Caught(by) => format!("caught by {by}"),
                MutantResult::Unfit(why) => format!("does not load: {why}"),
            };
            // Where a line has two changes alike, the column says which is meant.
            let alike = |other: &Mutant| {
                (&other.path, other.line, &other.what) == (path, mutant.line, &mutant.what)
                    && other.column != mutant.column
            };
            let column = match self.verdicts.iter().any(|v| alike(&v.mutant)) {
                true => format!(":{}", mutant.column),
                false => String::new(),
            };
            page.below(format!(
                "  {}:{}{column}  {}: {}\n      {}\n      {fate}",
                mutant.path, mutant.line, mutant.function, mutant.what, mutant.text
            ));
        }
        let unfit = self
            .verdicts
            .iter()
            .filter(|v| matches!(v.fate, MutantResult::Unfit(_)))
            .count();
        let alive = self.survivors().count();
        page.put(match self.caught() + alive {
            0 => format!("no change was tried that loads; {unfit} do not load"),
            tried => format!(
                "{} of {tried} changes caught ({:.1} %), {alive} survive; {unfit} more do not load",
                self.caught(),
                self.score(),
            ),
        });
        page
    }

    /// Returns the number of mutants that were caught.
    pub fn caught(&self) -> usize {
        let caught = self
            .verdicts
            .iter()
            .filter(|v| matches!(v.fate, MutantResult::Caught(_)));
        caught.count()
    }

    /// The mutants that no scenario noticed.
    pub fn survivors(&self) -> impl Iterator<Item = &MutantVerdict> {
        let alive =
            |v: &&MutantVerdict| matches!(v.fate, MutantResult::Survived(_) | MutantResult::Unreached);
        self.verdicts.iter().filter(alive)
    }

    /// Returns the percentage of caught mutants among those that loaded; 100 when none loaded.
    pub fn score(&self) -> f64 {
        let fit = self.caught() + self.survivors().count();
        if fit == 0 {
            100.0
        } else {
            100.0 * self.caught() as f64 / fit as f64
        }
    }
}

/// Changes the scripts of a game one small thing at a time and runs the scenarios that reach it.
/// With `only`, just the scripts whose path contains it.
///
/// # Errors
///
/// An unknown game, and scripts that do not load as they are.
pub fn run(workspace: &Workspace, game: &str, only: Option<&str>) -> Result<MutationResult, Problems> {
    workspace.check_game(game)?;
    let mutants = mutants(workspace, game, only)?;
    if let Some(only) = only.filter(|_| mutants.is_empty()) {
        return Err(nothing_to_mutate(only).into());
    }
    let paths = workspace.list(&format!("scenarios/{game}"), ".toml");
    let reached = reach(workspace, &paths);
    let failing = paths
        .iter()
        .zip(&reached)
        .filter(|(_, r)| r.is_none())
        .map(|(p, _)| p.clone());
    let failing: Vec<String> = failing.collect();
    // Scenarios that reach less are about less: they are likelier to notice, and quick.
    let mut order: Vec<usize> = (0..paths.len()).filter(|i| reached[*i].is_some()).collect();
    order.sort_by_key(|i| (reached[*i].as_ref().map_or(0, |r| r.lines.len()), *i));
    // The mutants of one function are tried by one thread, so that who caught the one before, which
    // decides who is asked first, is the same every time.
    let of_function = |m: &Mutant| (m.path.clone(), m.function.clone());
    let groups: Vec<&[Mutant]> = mutants
        .chunk_by(|a, b| of_function(a) == of_function(b))
        .collect();
    let fates = parallel::each(workspace.work(), "changed functions", groups.len(), None, || {
        let opened: Vec<Option<OpenedFile>> = paths.iter().map(|p| suite::open(workspace, p).ok()).collect();
        let (groups, reached, order, paths) = (&groups, &reached, &order, &paths);
        let one = move |mutant: &Mutant, last: &mut Option<usize>| {
            let declared = mutant.declared;
            let reaches = |i: &usize| {
                reached[*i].as_ref().is_some_and(|r| {
                    // What is declared holds wherever its script does.
                    declared && r.scripts.contains(&mutant.path)
                        || mutant
                            .lines
                            .clone()
                            .any(|n| r.lines.contains(&(mutant.path.clone(), n)))
                })
            };
            let mut tried: Vec<usize> = order.iter().copied().filter(reaches).collect();
            if let Some(at) = last.and_then(|l| tried.iter().position(|i| *i == l)) {
                tried[..=at].rotate_right(1);
            }
            let (fate, by) = fate(workspace, mutant, &tried, &opened, paths);
            *last = by.or(*last);
            fate
        };
        move |index: usize| {
            // Whoever caught the last mutant of a function may well catch the next.
            let mut last: Option<usize> = None;
            let fates = groups[index].iter().map(|mutant| one(mutant, &mut last));
            fates.collect::<Vec<MutantResult>>()
        }
    });
    // Those that were not tried when somebody stopped it are not judged.
    let tried = groups
        .iter()
        .zip(fates)
        .filter_map(|(group, fates)| Some((group.iter(), fates?)));
    let verdicts = tried.flat_map(|(group, fates)| group.cloned().zip(fates));
    Ok(MutationResult {
        game: game.to_owned(),
        verdicts: verdicts
            .map(|(mutant, fate)| MutantVerdict { mutant, fate })
            .collect(),
        failing,
    })
}

/// Scripts and lines that a scenario uses.
struct ScenarioReach {
    /// The scripts that are in force, by path.
    scripts: BTreeSet<String>,
    /// The lines that it comes to, by script path.
    lines: BTreeSet<(String, usize)>,
}

/// Returns the scripts and lines that each scenario uses; `None` for one that does not pass.
fn reach(workspace: &Workspace, paths: &[String]) -> Vec<Option<ScenarioReach>> {
    parallel::each(workspace.work(), "scenarios", paths.len(), None, || {
        let mut rulesets = RulesetCache::new(workspace);
        move |index: usize| {
            let opened = suite::open(workspace, &paths[index]).ok()?;
            let options = run::options_of(&opened.file, &[]);
            let ruleset = rulesets.get(&opened.file, &options).ok()?;
            // What the rules say of the position that is laid is a rule, too.
            let recorder = Recorder::new(TraceLevel::Lines, Arc::clone(&ruleset));
            let recorder = Rc::new(RefCell::new(recorder));
            let watcher = Box::new(Rc::clone(&recorder));
            let setup = run::lay_watched(ruleset, opened.file.clone(), Some(watcher)).ok()?;
            let mut ran = run::run_laid(setup, opened.lines.as_deref()).ok()?;
            ran.play.runtime.unwatch();
            let trace = Rc::into_inner(recorder)?.into_inner().trace;
            let texts = &ran.play.ruleset().layers.texts;
            let name = |text: usize| texts[text].parsed.source.name.clone();

            ran.passed().then(|| ScenarioReach {
                scripts: (0..texts.len()).map(name).collect(),
                lines: trace
                    .lines
                    .iter()
                    .map(|(text, line)| (name(*text), *line))
                    .collect(),
            })
        }
    })
    .into_iter()
    .map(Option::flatten)
    .collect()
}

/// Whether a mutated game loads without what a scenario turns on. A variant's mutant is in force
/// only with what the scenario turns on.
fn loads_plainly(mutated: &Workspace, mutant: &Mutant, opened: &OpenedFile) -> bool {
    let options = LoadOptions {
        unlinted: true,
        ..LoadOptions::default()
    };
    !mutant.path.contains("/variants/") && run::load(mutated, &opened.file, &options).is_ok()
}

/// Runs scenarios under a mutant until one notices it; also which one did.
fn fate(
    workspace: &Workspace,
    mutant: &Mutant,
    tried: &[usize],
    opened: &[Option<OpenedFile>],
    paths: &[String],
) -> (MutantResult, Option<usize>) {
    let text = match workspace.read(&mutant.path) {
        Ok(source) => {
            let mut text = source.text.clone();
            text.replace_range(mutant.span.clone(), &mutant.with);
            text
        }
        Err(problem) => return (MutantResult::Unfit(problem.message), None),
    };
    let mutated = workspace.with([(mutant.path.clone(), text)].into());
    let mut rulesets = RulesetCache::new(&mutated);
    if tried.is_empty() {
        return (MutantResult::Unreached, None);
    }
    let mut loaded = false;
    for &index in tried {
        let Some(opened) = &opened[index] else { continue };
        let options = LoadOptions {
            unlinted: true,
            ..run::options_of(&opened.file, &[])
        };
        let ruleset = match rulesets.get(&opened.file, &options) {
            Ok(ruleset) => ruleset,
            Err(problems) if !loaded && !loads_plainly(&mutated, mutant, opened) => {
                let why = problems.0.first().map_or_else(String::new, |p| p.message.clone());
                return (MutantResult::Unfit(why), None);
            }
            // It loads by itself, but not with what this scenario turns on.
            Err(_) => return (MutantResult::Caught(paths[index].clone()), Some(index)),
        };
        loaded = true;
        let ran = run::lay_on(ruleset, opened.file.clone())
            .and_then(|setup| run::run_laid(setup, opened.lines.as_deref()));
        match ran {
            Ok(ran) if ran.passed() => {}
            _ => return (MutantResult::Caught(paths[index].clone()), Some(index)),
        }
    }
    // What declares names that rules then miss is told as soon as it is saved, and no survivor.
    let load_problems = tried.first().filter(|_| mutant.declared).and_then(|index| {
        let file = &opened[*index].as_ref()?.file;
        run::load(&mutated, file, &run::options_of(file, &[])).err()
    });
    match load_problems.and_then(|problems| problems.0.into_iter().next()) {
        Some(problem) => (MutantResult::Unfit(problem.message), None),
        None => (MutantResult::Survived(tried.len()), None),
    }
}

/// Every mutant of a game's scripts, in the order of their places.
///
/// # Errors
///
/// Scripts that cannot be read.
pub fn mutants(workspace: &Workspace, game: &str, only: Option<&str>) -> Result<Vec<Mutant>, Problems> {
    let parser = workspace.parser();
    let mut paths = workspace.list(&format!("scripts/{game}"), ".rhai");
    paths.extend(workspace.list(&format!("units/{game}"), ".rhai"));
    let hooks = hooks_of(workspace, game, &parser)?;
    let mut all = Vec::new();
    for path in &paths {
        all.push(parser.parse(&workspace.read(path)?)?);
    }
    let no_rules = no_rules(&all);
    let mut found = Vec::new();
    for path in paths.iter().filter(|p| only.is_none_or(|only| p.contains(only))) {
        let source = workspace.read(path)?;
        let parsed = parser.parse(&source)?;
        let tokens = parser.tokens(&source)?;
        let of = ScriptOf::path(game, path);
        let own = matches!(of, Some(ScriptOf::Unit | ScriptOf::Terrain));
        let mut of_file = MutatedText {
            source: &source,
            parsed: &parsed,
            declared: declaring(&parsed),
            no_rules: &no_rules,
            tokens: &tokens,
            found: Vec::new(),
        };
        of_file.mutate(&|name| own && hooks.contains(name));
        found.append(&mut of_file.found);
    }
    found.sort_by(|a, b| {
        let key = |m: &Mutant| (m.path.clone(), m.span.start, m.what.clone());
        key(a).cmp(&key(b))
    });
    Ok(found)
}

fn hooks_of(workspace: &Workspace, game: &str, parser: &Parser) -> Result<BTreeSet<String>, Problems> {
    let mut found = BTreeSet::new();
    for (_, path) in script_paths(workspace, game)
        .iter()
        .filter(|(of, _)| *of == ScriptOf::Game)
    {
        let parsed = parser.parse(&workspace.read(path)?)?;
        found.extend(parsed.fns.into_iter().map(|f| f.name));
    }
    Ok(found)
}

/// [`NO_RULES`] and the functions that are called, and by nobody else.
fn no_rules(texts: &[Parsed]) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = NO_RULES.map(str::to_owned).into();
    loop {
        let (mut by_rules, mut by_others) = (BTreeSet::new(), BTreeSet::new());
        for text in texts {
            for call in text.calls.iter().chain(&text.methods).chain(&text.free_names) {
                // The function in which a call stands is the last that begins before it.
                let around = text.fns.iter().filter(|f| f.at <= call.at).max_by_key(|f| f.at);
                let is_rule = around.is_none_or(|f| !found.contains(&f.name));
                let by = if is_rule { &mut by_rules } else { &mut by_others };
                by.insert(call.name.clone());
            }
        }
        let known = found.len();
        // The kernel calls hooks that it knows, and steps and the like, which a text names in quotes.
        let by_kernel = |name: &&String| {
            let quoted = format!("\"{name}\"");
            crate::rules::keys::hooks().any(|key| key.name == **name)
                || texts.iter().any(|t| t.source.text.contains(&quoted))
        };
        let only_theirs = by_others.difference(&by_rules).filter(|name| !by_kernel(name));
        found.extend(only_theirs.cloned());
        if found.len() == known {
            return found;
        }
    }
}

/// The functions whose first argument says who answers or rolls, and what that one does.
const ASKS: [(&str, &str); 4] = [
    ("choose", "is asked"),
    ("choose_several", "is asked"),
    ("choose_order", "is asked"),
    ("roll", "rolls"),
];

/// One script that is being changed.
struct MutatedText<'a> {
    source: &'a Arc<Source>,
    parsed: &'a Parsed,
    /// The functions that are run when the script is loaded.
    declared: BTreeSet<String>,
    no_rules: &'a BTreeSet<String>,
    tokens: &'a [(Token, TextPosition)],
    found: Vec<Mutant>,
}

impl MutatedText<'_> {
    fn mutate(&mut self, is_hook: &dyn Fn(&str) -> bool) {
        for function in &self.parsed.fns {
            if self.no_rules.contains(&function.name) {
                continue;
            }
            let Some(name) = self.tokens.iter().position(|(_, at)| *at == function.at) else {
                continue;
            };
            let Some(open) = (name..self.tokens.len()).find(|i| self.tokens[*i].0 == Token::LeftBrace) else {
                continue;
            };
            let close = self.closing(open);
            let declared = self.declared.contains(&function.name);
            if is_hook(&function.name) && !declared {
                let with = format!("{}_", self.text(name));
                self.swap(name, &with, "skip the function");
            }
            for i in open + 1..close {
                self.token(i, open);
            }
            if !declared {
                self.statements(open, close);
            }
        }
    }

    /// The index of the bracket that closes the one at `open`.
    fn closing(&self, open: usize) -> usize {
        let mut depth = 0;
        for i in open..self.tokens.len() {
            match self.tokens[i].0 {
                Token::LeftBrace | Token::LeftParen | Token::LeftBracket | Token::MapStart => depth += 1,
                Token::RightBrace | Token::RightParen | Token::RightBracket => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return i;
            }
        }
        self.tokens.len().saturating_sub(1)
    }

    fn span(&self, token: usize) -> Range<usize> {
        let (line, column) = self.tokens[token].1;
        let span = self.source.span_at(line, column);
        match self.tokens[token].0 {
            // Both its brackets, and what is between them.
            Token::Unit => {
                let rest = &self.source.text[span.start..];
                span.start..span.start + rest.find(')').map_or(rest.len(), |at| at + 1)
            }
            _ => span,
        }
    }

    fn text(&self, token: usize) -> &str {
        self.source.slice(self.span(token))
    }

    /// Notes a change of the tokens `from` to `to`.
    fn note(&mut self, from: usize, to: usize, span: Range<usize>, with: String, what: &str) {
        if self.only_shows(from) {
            return;
        }
        let ((first, column), (last, _)) = (self.tokens[from].1, self.tokens[to].1);
        // What a case compares with is looked at wherever its `switch` is come to.
        let reached = self
            .switch_of(from)
            .map_or(first, |switch| self.tokens[switch].1.0);
        let function = self
            .parsed
            .around(self.tokens[from].1)
            .map(|f| self.parsed.fns[f].name.clone());
        let declared = function.as_ref().is_some_and(|f| self.declared.contains(f));
        let written = self
            .source
            .slice(self.source.line_at(span.start))
            .trim()
            .to_owned();
        // Lines stay where they are.
        let breaks = self.source.slice(span.clone()).matches('\n').count();
        let with = format!(
            "{with}{}",
            "\n".repeat(breaks.saturating_sub(with.matches('\n').count()))
        );
        self.found.push(Mutant {
            path: self.source.name.clone(),
            line: first,
            column,
            function: function.unwrap_or_default(),
            what: what.to_owned(),
            text: written,
            span,
            with,
            lines: reached..last + 1,
            declared,
        });
    }

    /// Whether a token belongs to a statement that only shows numbers with a question, or begins a loop of such: no rule
    /// changes with it.
    fn only_shows(&self, token: usize) -> bool {
        let shows = |i: usize| matches!(self.tokens.get(i), Some((Token::Identifier(name), _)) if name.as_str() == "beside");
        let ends = |i: &usize| {
            matches!(
                self.tokens[*i].0,
                Token::SemiColon | Token::LeftBrace | Token::RightBrace
            )
        };
        let first = (0..token).rev().find(ends).map_or(0, |end| end + 1);
        if self.tokens[first].0 != Token::For {
            return shows(first);
        }
        let open = (first..self.tokens.len()).find(|i| self.tokens[*i].0 == Token::LeftBrace);
        open.is_some_and(|open| {
            let close = self.closing(open);
            shows(open + 1) && (open + 1..close).filter(ends).eq([close - 1])
        })
    }

    /// The `switch` to one of whose cases' labels a token belongs.
    fn switch_of(&self, token: usize) -> Option<usize> {
        let kinds = || self.tokens.iter().map(|(token, _)| token);
        let ends = |t: &Token| {
            let ends = [
                Token::Comma,
                Token::SemiColon,
                Token::LeftBrace,
                Token::RightBrace,
            ];
            *t == Token::DoubleArrow || ends.contains(t)
        };
        kinds()
            .skip(token)
            .find(|t| ends(t))
            .filter(|t| **t == Token::DoubleArrow)?;
        let mut within = 0;
        let open = (0..token).rev().find(|i| {
            match self.tokens[*i].0 {
                Token::RightBrace => within += 1,
                Token::LeftBrace | Token::MapStart => within -= 1,
                _ => {}
            }
            within < 0
        })?;
        (0..open).rev().find(|i| self.tokens[*i].0 == Token::Switch)
    }

    /// Notes that other words stand for one token.
    fn swap(&mut self, i: usize, with: &str, what: &str) {
        self.note(i, i, self.span(i), with.to_owned(), what);
    }

    /// The changes of a single token, and of the condition that it begins.
    fn token(&mut self, i: usize, open: usize) {
        match &self.tokens[i].0 {
            Token::IntegerConstant(n) if !self.is_bound(i, open) => {
                for other in [n.checked_add(1), n.checked_sub(1)].into_iter().flatten() {
                    self.swap(i, &other.to_string(), &format!("{n} becomes {other}"));
                }
            }
            Token::Identifier(name) => {
                let does = ASKS.iter().find(|(asks, _)| *asks == name.as_str());
                let is_call = || {
                    let defines = [Token::Period, Token::Fn].contains(&self.tokens[i - 1].0);
                    self.tokens[i + 1].0 == Token::LeftParen && !defines
                };
                let Some((_, does)) = does.filter(|_| is_call()) else {
                    return;
                };
                let mut end = i + 2;
                while end < self.closing(i + 1) && self.tokens[end].0 != Token::Comma {
                    end = match self.tokens[end].0 {
                        Token::LeftParen | Token::LeftBracket => self.closing(end) + 1,
                        _ => end + 1,
                    };
                }
                let span = self.span(i + 2).start..self.span(end - 1).end;
                let who = self.source.slice(span.clone());
                let with =
                    format!("if type_of({who}) == \"unit\" {{ {who}.owner.foe }} else {{ {who}.foe }}");
                let what = format!("the foe of `{who}` {does}");
                self.note(i + 2, end - 1, span, with, &what);
            }
            Token::And => self.swap(i, "||", "and becomes or"),
            Token::Or => self.swap(i, "&&", "or becomes and"),
            Token::True => self.swap(i, "false", "true becomes false"),
            Token::False => self.swap(i, "true", "false becomes true"),
            Token::Bang => self.swap(i, "", "not is left out"),
            sign if is_comparison(sign) => {
                let (negated, moved) = match sign {
                    Token::EqualsTo => ("!=", None),
                    Token::NotEqualsTo => ("==", None),
                    Token::LessThan => (">=", Some("<=")),
                    Token::GreaterThan => ("<=", Some(">=")),
                    Token::LessThanEqualsTo => (">", Some("<")),
                    _ => ("<", Some(">")),
                };
                let was = self.text(i).to_owned();
                for with in [Some(negated), moved].into_iter().flatten() {
                    self.swap(i, with, &format!("{was} becomes {with}"));
                }
            }
            Token::If | Token::While => {
                let brace = (i + 1..self.tokens.len()).find(|j| self.tokens[*j].0 == Token::LeftBrace);
                let Some(brace) = brace.filter(|b| *b > i + 1) else {
                    return;
                };
                // A lone comparison is negated by its sign.
                let signs = (i + 1..brace).any(|j| is_comparison(&self.tokens[j].0));
                let joined = (i + 1..brace).any(|j| matches!(self.tokens[j].0, Token::And | Token::Or));
                if !joined && (signs || self.tokens[i + 1].0 == Token::Bang) {
                    return;
                }
                let span = self.span(i + 1).start..self.span(brace - 1).end;
                let with = format!("!({})", self.source.slice(span.clone()));
                self.note(i, brace - 1, span, with, "the condition is negated");
            }
            _ => {}
        }
    }

    /// Whether a number is a bound of a dial, which is no rule.
    fn is_bound(&self, i: usize, open: usize) -> bool {
        let mut depth = 0;
        let mut before = 0;
        for j in (open + 1..i).rev() {
            match &self.tokens[j].0 {
                Token::RightParen | Token::RightBracket | Token::RightBrace => depth += 1,
                Token::LeftParen if depth == 0 => {
                    return before > 0
                        && matches!(&self.tokens[j - 1].0, Token::Identifier(n) if n.as_str() == "number");
                }
                Token::LeftParen | Token::LeftBracket | Token::LeftBrace | Token::MapStart if depth == 0 => {
                    return false;
                }
                Token::LeftParen | Token::LeftBracket | Token::LeftBrace | Token::MapStart => depth -= 1,
                Token::Comma if depth == 0 => before += 1,
                _ => {}
            }
        }
        false
    }

    /// Leaves out each statement of a block, and of the blocks in it.
    fn statements(&mut self, open: usize, close: usize) {
        let mut start = open + 1;
        while start < close {
            let end = self.end_of_statement(start, close);
            let first = &self.tokens[start].0;
            // Without its declaration a name means nothing; such a change tells nothing.
            let keeps = matches!(first, Token::Let | Token::Const | Token::SemiColon);
            // A block without a value is worth nothing: to leave that out changes nothing.
            let nothing = start == end
                && matches!(first, Token::Identifier(name) if NOTHING_WORDS.contains(&name.as_str()));
            if !keeps && !nothing {
                let span = self.span(start).start..self.span(end).end;
                let what = format!("`{}` is left out", shortened(self.source.slice(span.clone())));
                self.note(start, end, span, String::new(), &what);
            }
            let mut i = start;
            while i <= end {
                if self.tokens[i].0 == Token::LeftBrace && !self.is_switch(i, start) {
                    let inner = self.closing(i);
                    self.statements(i, inner);
                    i = inner;
                }
                i += 1;
            }
            start = end + 1;
        }
    }

    /// The last token of the statement that begins at `start`, its semicolon with it.
    fn end_of_statement(&self, start: usize, close: usize) -> usize {
        let block = matches!(
            self.tokens[start].0,
            Token::If | Token::For | Token::While | Token::Loop | Token::Switch | Token::LeftBrace
        );
        let mut i = start;
        while i < close {
            match self.tokens[i].0 {
                Token::SemiColon => return i,
                Token::LeftBrace if block => {
                    let end = self.closing(i);
                    match self.tokens.get(end + 1).map(|t| &t.0) {
                        Some(Token::Else) => i = end,
                        _ => return end,
                    }
                }
                Token::LeftBrace | Token::LeftParen | Token::LeftBracket | Token::MapStart => {
                    i = self.closing(i)
                }
                _ => {}
            }
            i += 1;
        }
        close - 1
    }

    /// Whether a brace opens the cases of a `switch`.
    fn is_switch(&self, brace: usize, start: usize) -> bool {
        let before = self.tokens[start..brace].iter().rev();
        let mut before =
            before.take_while(|(t, _)| !matches!(t, Token::SemiColon | Token::LeftBrace | Token::RightBrace));
        before.any(|(t, _)| *t == Token::Switch)
    }
}

/// A text on one line, of at most 48 letters.
fn shortened(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    lines::cut_short(&words, 48, 44, str::trim_end, " ...")
}

fn is_comparison(token: &Token) -> bool {
    matches!(
        token,
        Token::EqualsTo
            | Token::NotEqualsTo
            | Token::LessThan
            | Token::GreaterThan
            | Token::LessThanEqualsTo
            | Token::GreaterThanEqualsTo
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines that the changes of a function make of it.
    fn changed(text: &str) -> Vec<String> {
        let path = "scripts/tiny/game.rhai";
        let workspace = Workspace::at("no such folder").with([(path.into(), text.into())].into());
        let found = mutants(&workspace, "tiny", None).unwrap_or_else(|problems| panic!("{problems}"));
        let made = found.iter().map(|m| {
            let mut made = text.to_owned();
            made.replace_range(m.span.clone(), &m.with);
            made
        });
        made.collect()
    }

    fn makes(text: &str, wanted: &[&str]) {
        let made = changed(text);
        for wanted in wanted {
            assert!(made.iter().any(|m| m == wanted), "{wanted} is not in {made:#?}");
        }
        // Every change can be read: what cannot would tell nothing of the scenarios.
        let engine = crate::engine::new();
        for made in made {
            assert!(engine.compile(&made).is_ok(), "{made}");
        }
    }

    #[test]
    fn what_only_shows_numbers_is_no_rule() {
        assert_eq!(changed("fn f(a) { beside(\"left\", 3 + a.len); }"), [""; 0]);
        assert_eq!(
            changed("fn f(a) { for b in a { beside(b.name, 3 + b.cost); } }"),
            [""; 0]
        );
        assert_eq!(
            changed("fn f(a) { for b in a { beside(b.name, 3 + b.cost); g(b); } }"),
            [
                "fn f(a) {  }",
                "fn f(a) { for b in a { beside(b.name, 3 + b.cost);  } }"
            ]
        );
    }

    #[test]
    fn a_condition_is_negated_as_a_whole() {
        makes(
            "fn f(a) { if a && g(a) { h(); } }",
            &["fn f(a) { if !(a && g(a)) { h(); } }"],
        );
        makes(
            "fn f(a) { if a.b[1] { h(); } }",
            &["fn f(a) { if !(a.b[1]) { h(); } }"],
        );
        makes(
            "fn f(a) { while a { h(); } }",
            &["fn f(a) { while !(a) { h(); } }"],
        );
        makes("fn f(a) { if !a { h(); } }", &["fn f(a) { if a { h(); } }"]);
    }

    #[test]
    fn a_comparison_is_turned_around_and_moved_by_one() {
        makes(
            "fn f(a) { if a < 3 { h(); } }",
            &[
                "fn f(a) { if a >= 3 { h(); } }",
                "fn f(a) { if a <= 3 { h(); } }",
                "fn f(a) { if a < 4 { h(); } }",
                "fn f(a) { if a < 2 { h(); } }",
            ],
        );
        makes("fn f(a) { a == b }", &["fn f(a) { a != b }"]);
        assert_eq!(
            changed("fn f(a) { if a < 3 { } }")
                .iter()
                .filter(|m| m.contains("!("))
                .count(),
            0
        );
    }

    #[test]
    fn a_statement_is_left_out_with_all_its_branches() {
        let text = "fn f(a) { if a { g(); } else if b { h(); } else { i(); } j(); }";
        makes(
            text,
            &[
                "fn f(a) {  j(); }",
                "fn f(a) { if a {  } else if b { h(); } else { i(); } j(); }",
                "fn f(a) { if a { g(); } else if b { h(); } else {  } j(); }",
            ],
        );
    }

    #[test]
    fn a_declaration_of_a_name_is_kept() {
        let made = changed("fn f(a) { let b = 1; g(b); }");
        assert!(made.iter().all(|m| m.contains("let b = ")), "{made:?}");
        assert!(made.iter().any(|m| !m.contains("g(b)")), "{made:?}");
    }

    #[test]
    fn what_a_case_compares_with_is_reached_with_its_switch_even_behind_a_map() {
        let text =
            "fn f(a) {\n    switch a {\n        1 => #{ b: c },\n        5 => d,\n        _ => e,\n    }\n}";
        let workspace =
            Workspace::at("no such folder").with([("scripts/tiny/game.rhai".into(), text.into())].into());
        let found = mutants(&workspace, "tiny", None).unwrap_or_else(|problems| panic!("{problems}"));
        let label = found.iter().find(|m| m.what == "5 becomes 6");
        assert_eq!(label.map(|m| m.lines.clone()), Some(2..5));
    }

    #[test]
    fn the_cases_of_a_switch_are_no_statements() {
        makes("fn f(a) { switch a { 1 => g(), _ => h() } }", &["fn f(a) {  }"]);
    }

    #[test]
    fn the_foe_is_asked_and_rolls_instead() {
        let made = changed("fn f(a) { g(choose(f(a, b), \"c\", d), roll(a, \"e\", 1, 6), d.roll(a)); }");
        for with in [
            "g(choose(if type_of(f(a, b)) == \"unit\" { f(a, b).owner.foe } else { f(a, b).foe }, \"c\", d)",
            "roll(if type_of(a) == \"unit\" { a.owner.foe } else { a.foe }, \"e\", 1, 6)",
        ] {
            assert!(made.iter().any(|m| m.contains(with)), "{made:?}");
        }
        assert_eq!(made.iter().filter(|m| m.contains(".foe")).count(), 2);
    }

    #[test]
    fn true_and_false_and_or_are_exchanged() {
        makes("fn f(a) { true }", &["fn f(a) { false }"]);
        makes(
            "fn f(a) { a && b || c }",
            &["fn f(a) { a || b || c }", "fn f(a) { a && b && c }"],
        );
    }
}
