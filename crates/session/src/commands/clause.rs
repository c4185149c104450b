//! `:clause`: a clause of the rulebook, what proves it, and the tweaks that are about it.

use crate::lines::{begun, indented};
use crate::problems;
use crate::report::{Problems, hint_for};
use crate::reports::Report;
use crate::rulebook::{Clause, Rulebook};
use crate::rules::ruleset::Ruleset;
use crate::session::Session;
use crate::stage::run::Overrides;
use crate::variants::Tweaks;
use crate::{snapshot, suite};
use std::sync::atomic::Ordering;

/// Indentation of lines under a heading.
const INDENT: usize = 4;

/// The meaning of a word that the user typed.
#[derive(Debug, PartialEq, Eq)]
enum WordMeaning {
    /// These clauses, by index; the first is the one that is meant when it alone fits best.
    Ids(Vec<usize>, bool),
    /// Clauses that speak of it.
    Speak(Vec<usize>),
    Nothing,
}

/// The ids of the rulebook's clauses; none when there is no rulebook.
pub(crate) fn ids(session: &Session) -> Vec<String> {
    let read = Rulebook::read(&session.rules.workspace, &session.game());
    let clauses = read.map_or_else(|_| Vec::new(), |(rulebook, _)| rulebook.clauses);
    clauses.into_iter().map(|c| c.id).collect()
}

/// Shows a clause, or lists those that a word may mean.
///
/// # Errors
///
/// A game without a rulebook; a word that no clause has.
pub(crate) fn clause(session: &Session, query: &str) -> Result<Report, Problems> {
    let (rulebook, _) = Rulebook::read(&session.rules.workspace, &session.game())?;
    let width = session.face.style.width;
    let line = |index: &usize| {
        let clause = &rulebook.clauses[*index];
        let head = format!("{:8} {:7} ", clause.id, clause.kind.name());
        let room = width.saturating_sub(head.chars().count()).max(20);
        format!("{head}{}", begun(&clause.says, room))
    };
    // Another reading is shown with its clause.
    let id = query.split_once('/').map(|(id, _)| id);
    let bare = id.filter(|id| !id.is_empty()).unwrap_or(query);
    if bare.is_empty() {
        let mut page = Report::of(rulebook.rulebook.title.as_str());
        (0..rulebook.clauses.len()).for_each(|index| page.below(line(&index)));
        page.below("`:clause ID` shows one, with what proves it");
        return Ok(page);
    }
    match meaning(&rulebook, bare) {
        WordMeaning::Ids(found, true) => {
            let mut page = one_clause(session, &rulebook, &rulebook.clauses[found[0]])?;
            if found.len() > 1 {
                let others = found[1..].iter().map(|i| rulebook.clauses[*i].id.as_str());
                page.below(format!("see also {}", others.collect::<Vec<_>>().join(", ")));
            }
            Ok(page)
        }
        WordMeaning::Ids(found, false) => Ok(Report::lines(found.iter().map(line))),
        WordMeaning::Speak(found) => {
            let mut page = Report::of(format!("no clause is called so; these speak of `{bare}`:"));
            found.iter().for_each(|index| page.below(line(index)));
            Ok(page)
        }
        WordMeaning::Nothing => {
            let ids = rulebook.clauses.iter().map(|c| c.id.as_str());
            Err(problems::unknown_name("clause", bare)
                .hint(format!(
                    "{}; `:clause` lists them all",
                    hint_for(&bare.to_uppercase(), ids)
                ))
                .into())
        }
    }
}

fn one_clause(session: &Session, rulebook: &Rulebook, clause: &Clause) -> Result<Report, Problems> {
    let game = session.game();
    let width = session.face.style.width;
    let title = &rulebook.rulebook.title;
    let mut page = Report::of(format!("{}  ({title}, {})", clause.id, clause.kind.name()));
    page.below(indented(&clause.says, width, INDENT));
    for (number, other) in (1..).zip(&clause.readings) {
        page.below(format!("read otherwise, {}/{number}:", clause.id));
        page.below(indented(other, width, INDENT));
    }
    let named = named_in(session.play.ruleset(), &clause.id);
    if !named.is_empty() {
        page.below("named in");
        named.iter().for_each(|n| page.below(format!("    {n}")));
    }
    let is_about = |id: &String| id.split('/').next() == Some(clause.id.as_str());
    let mut proving = session
        .rules
        .workspace
        .list(&format!("scenarios/{game}"), ".toml");
    proving.retain(|path| {
        let opened = suite::open(&session.rules.workspace, path);
        opened.is_ok_and(|o| o.file.proves.iter().any(|p| is_about(&p.value)))
    });
    page.below(match proving.is_empty() {
        true => "no scenario proves it; `:save-scenario` writes one",
        // One that it changes and one that it leaves alone: that takes all tweaks to be played.
        false if clause.kind.is_tweak() => "named by; `rulebench coverage` says whether they prove it",
        false => "proven by",
    });
    for path in &proving {
        if session.stop.swap(false, Ordering::Relaxed) {
            page.below("    stopped");
            break;
        }
        let ran = suite::run_all(
            &session.rules.workspace,
            std::slice::from_ref(path),
            &Overrides::default(),
        );
        let Some(ran) = ran.first() else { continue };
        let other = ran.proves.iter().filter(|p| is_about(p));
        let other: Vec<&str> = other.filter_map(|p| Some(p.split_once('/')?.1)).collect();
        let other = match &other[..] {
            [] => String::new(),
            readings => format!("  (reading {})", readings.join(", ")),
        };
        page.below(format!("    {} {}{other}", ran.mark(), snapshot::stem(path)));
    }
    let mut about = Tweaks::read(&session.rules.workspace, &game)?.all;
    about.retain(|t| t.clause.as_ref().is_some_and(|c| *c == clause.id));
    if !about.is_empty() {
        page.below("tweaks");
    }
    for variant in about {
        let reading = variant
            .reading
            .map_or_else(String::new, |r| format!(", reading {r}"));
        let reason = variant
            .reason
            .as_ref()
            .map_or_else(String::new, |r| format!(": {r}"));
        let state = variant.state.name();
        page.below(format!("    {} ({state}{reading}){reason}", variant.name));
        page.below(indented(&variant.does(), width, 2 * INDENT));
    }
    Ok(page)
}

/// The functions of scripts in whose comments a clause is named, with their files.
fn named_in(ruleset: &Ruleset, id: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for text in ruleset.layers.texts.iter().filter(|t| t.about.is_none()) {
        let source = &text.parsed.source;
        for (at, _) in source.text.match_indices(id) {
            let after = source.text[at + id.len()..].chars().next();
            if after.is_some_and(|c| c.is_alphanumeric() || c == '-') {
                continue;
            }
            let here = source.line_col(at);
            let line = source.slice(source.line_at(at)).to_owned();
            let fns = &text.parsed.fns;
            // A comment flush left is about the function below it.
            let below = line
                .starts_with("//")
                .then(|| fns.iter().find(|f| f.at.0 >= here.0))
                .flatten();
            let around = || fns.iter().rev().find(|f| f.at <= here);
            let whose = below
                .or_else(around)
                .map_or_else(String::new, |f| format!("  {}", f.name));
            let line = format!("{}:{}{whose}", source.name, here.0);
            if !found.contains(&line) {
                found.push(line);
            }
        }
    }
    found
}

fn meaning(rulebook: &Rulebook, word: &str) -> WordMeaning {
    let prefix = format!("{}-", rulebook.rulebook.prefix.to_uppercase());
    let word = word.to_uppercase();
    let ids = || {
        rulebook.clauses.iter().enumerate().map(|(i, c)| {
            let id = c.id.to_uppercase();
            let short = id.strip_prefix(&prefix).unwrap_or(&id).to_owned();
            (i, id, short)
        })
    };
    let pick = |fits: &dyn Fn(&str, &str) -> bool| -> Vec<usize> {
        let fitting = ids().filter(|(_, id, short)| fits(id, short));
        fitting.map(|(i, ..)| i).collect()
    };
    let exact = pick(&|id, short| *id == word || *short == word);
    let begins = pick(&|id, short| id.starts_with(&word) || short.starts_with(&word));
    if let Some(&first) = exact.first() {
        let others = begins.into_iter().filter(|i| *i != first);
        return WordMeaning::Ids(std::iter::once(first).chain(others).collect(), true);
    }
    let holds = pick(&|_, short| {
        let letters = short.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        letters == word
    });
    for found in [begins, holds] {
        if !found.is_empty() {
            let alone = found.len() == 1;
            return WordMeaning::Ids(found, alone);
        }
    }
    let lower = word.to_lowercase();
    let speak: Vec<usize> = rulebook
        .clauses
        .iter()
        .enumerate()
        .filter(|(_, c)| {
            std::iter::once(&c.says)
                .chain(&c.readings)
                .any(|s| s.to_lowercase().contains(&lower))
        })
        .map(|(i, _)| i)
        .collect();
    if speak.is_empty() {
        WordMeaning::Nothing
    } else {
        WordMeaning::Speak(speak)
    }
}
