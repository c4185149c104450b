//! The answers that a scenario file gives, in order, in the words of the options.
//!
//! An item of the list holds one or more keys for the next questions, whatever they are
//! (`"red.scouts1 c4"`; a key of several words is written as it is offered), or one key under a
//! label (`"aim: blue.guards1"`, `"red.scouts1 move: c4"`), which waits for a question with that
//! label; questions before it are left to whoever answers what the file leaves open. `!key` says
//! that the next question does not offer the key.

use super::file::ScenarioFile;
use super::problems::{incomplete_answer, stopped_play, unused_answer};
use crate::description::Spanned;
use crate::kernel::choice::{Answer, NONE};
use crate::kernel::ids::{FactionId, RecordedThing, Thing};
use crate::kernel::rules::Rules;
use crate::kernel::spot::Point;
use crate::kernel::table::{AnswerError, Answerer, Question, Reply};
use crate::lexer::KEYWORDS;
use crate::lines::counted;
use crate::option_text::QuestionWords;
use crate::option_text::{Numbers, is_number, is_spot, near, read_spot};
use crate::report::{Problem, Problems, did_you_mean};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::Range;
use std::rc::Rc;

/// One answer of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ListedAnswer {
    /// The question's label; `None` takes the next question whatever it is.
    label: Option<String>,
    /// Subject of the question, when the file names it.
    subject: Option<String>,
    /// The option's key.
    key: String,
    /// The key must not be offered.
    not: bool,
    span: Range<usize>,
}

/// Remaining answers of a scenario, and what went wrong with them.
#[derive(Debug, Default)]
pub struct AnswerReader {
    items: VecDeque<ListedAnswer>,
    /// The item that was not offered, if that stopped the play.
    failed: Option<ListedAnswer>,
    /// The words that the last answer begins, where all of them may have been meant as that one answer.
    one_answer: Option<String>,
    /// Explanation, in a sentence, of what happened since the last answer was given: a question that the first item is
    /// for offered something else and nothing more, or one that answered itself took the last item without being named.
    passed: Option<ConsumedAnswers>,
}

/// See [`AnswerReader::passed`].
#[derive(Debug, Clone)]
struct ConsumedAnswers {
    sentence: String,
    /// The words of the last answer, where the question took those.
    took: Option<String>,
}

/// The answers of a scenario file as a source; questions that they leave open go to another source.
pub struct ScenarioAnswers {
    progress: Rc<RefCell<AnswerReader>>,
    open: Option<Box<dyn Answerer>>,
    /// The numbers by which options may be named, as the player sees them.
    numbers: Option<Rc<RefCell<Numbers>>>,
}

/// Reads the answers of a file.
///
/// # Errors
///
/// Items without a key.
pub fn read(file: &ScenarioFile, open: Option<Box<dyn Answerer>>) -> Result<ScenarioAnswers, Problems> {
    let mut items = VecDeque::new();
    let mut problems = Vec::new();
    for written in &file.answers {
        match items_of(written) {
            Ok(found) => items.extend(found),
            Err(problem) => problems.push(problem.at(&file.source, written.span.clone())),
        }
    }
    Problems::check(problems)?;
    let progress = AnswerReader {
        items,
        ..AnswerReader::default()
    };
    Ok(ScenarioAnswers {
        progress: Rc::new(RefCell::new(progress)),
        open,
        numbers: None,
    })
}

fn items_of(written: &Spanned<String>) -> Result<Vec<ListedAnswer>, Problem> {
    let item = |label: Option<String>, subject: Option<String>, word: &str| {
        let not = word.starts_with('!');
        let key = word.trim_start_matches('!').to_owned();
        ListedAnswer {
            label,
            subject,
            key,
            not,
            span: written.span.clone(),
        }
    };
    let Some((before, after)) = written.value.split_once(':') else {
        return Ok(written
            .value
            .split_whitespace()
            .map(|word| item(None, None, word))
            .collect());
    };
    let mut keys: Vec<&str> = after.split_whitespace().collect();
    // A spot of a table top may be said in several words.
    if is_spot(after.trim().trim_start_matches('!')) {
        keys = vec![after.trim()];
    }
    if keys.is_empty() {
        return Err(incomplete_answer());
    }
    let words: Vec<&str> = before.split_whitespace().collect();
    let (subject, label) = match words[..] {
        [] => return Err(incomplete_answer()),
        // A subject is a unit, or a faction or place before at least one more word.
        [first, ref rest @ ..] if first.contains('.') && !rest.is_empty() => {
            (Some(first.to_owned()), rest.join(" "))
        }
        _ => (None, words.join(" ")),
    };
    Ok(keys
        .into_iter()
        .map(|word| item(Some(label.clone()), subject.clone(), word))
        .collect())
}

impl ScenarioAnswers {
    /// A handle on what is left, to look at when the play has stopped.
    pub fn progress(&self) -> Rc<RefCell<AnswerReader>> {
        Rc::clone(&self.progress)
    }

    /// The same, and options may be named by these numbers.
    #[must_use]
    pub fn or_by_number(self, numbers: Rc<RefCell<Numbers>>) -> Self {
        Self {
            numbers: Some(numbers),
            ..self
        }
    }

    /// Takes off the list what begins it and came by itself before the question that waits, with these keys, as a play
    /// from a file does on its way; unless the question offers it.
    pub fn go_past(&self, current_question: &Question<'_>, came: &[(Answer, String)]) {
        let mut progress = self.progress.borrow_mut();
        if self
            .parse_reply(&progress.items, &current_question.keys(), current_question)
            .is_some()
        {
            return;
        }
        for (answer, key) in came {
            let about = match answer.subject {
                RecordedThing::Game => answer.step.about,
                who => who,
            };
            let question = (current_question.words.text(answer.label), answer.asker, about);
            let is_it = |item: &ListedAnswer| !item.not && is_for(item, current_question.rules, question);
            if progress.items.front().is_some_and(is_it)
                && let Some((words, ())) =
                    spelled(&progress.items, |text| (text == key.as_str()).then_some(()))
            {
                progress.items.drain(..words);
            }
        }
    }

    /// Reads the next words of the list as a reply to what is offered; returns the number of words and the reply.
    fn parse_reply(
        &self,
        items: &VecDeque<ListedAnswer>,
        keys: &[String],
        question: &Question<'_>,
    ) -> Option<(usize, Reply)> {
        spelled(items, |text| {
            // Only a player, who sees the options, shortens their names.
            let nth = || {
                let numbers = self.numbers.as_ref()?;
                let short = || match question.shortened(keys, text)[..] {
                    [only] => Some(only),
                    _ => None,
                };
                numbers.borrow().find(question, keys, text).or_else(short)
            };
            offers(keys, question, text).or_else(|| nth().map(Reply::Take))
        })
    }
}

impl AnswerReader {
    /// Whether every written answer was asked for.
    pub fn is_done(&self) -> bool {
        self.items.is_empty()
    }

    /// The words that may have been meant as one answer, of which only the first were given before the rest did not fit.
    pub fn split_answer(&self) -> Option<&str> {
        self.one_answer.as_deref().filter(|_| !self.is_done())
    }

    /// Goes on behind what the first item denies, which is not offered; why that could never be, if it could not.
    fn deny(&mut self, question: &Question<'_>) -> Option<AnswerError> {
        let words = denied(&self.items, question);
        let mut items = self.items.iter().take(words);
        if let Some(why) = items.find_map(|item| unknown(&item.key, question)) {
            self.failed = self.items.front().cloned();
            return Some(question.no_fit(why));
        }
        self.items.drain(..words);
        None
    }

    /// The problems of the answers when the play has stopped: the one that was not offered, or
    /// those that nobody asked for.
    pub fn problems(&self, file: &ScenarioFile, why: Option<&str>) -> Vec<Problem> {
        if let (Some(item), Some(why)) = (&self.failed, why) {
            return vec![stopped_play(why).at(&file.source, item.span.clone())];
        }
        let more = self.items.len().saturating_sub(MOST_TOLD);
        self.items
            .iter()
            .take(MOST_TOLD)
            .enumerate()
            .map(|(nth, item)| {
                let mut problem = unused_answer(&item.key).at(&file.source, item.span.clone());
                if let Some(passed) = self.passed.as_ref().filter(|_| nth == 0) {
                    problem = problem.expected(passed.sentence.clone());
                } else if let Some(label) = item.label.as_ref().filter(|_| nth == 0) {
                    problem = problem.expected(format!("no question `{label}` fits this answer"));
                }
                match nth + 1 == MOST_TOLD && more > 0 {
                    true => problem.hint(format!(
                        "{} after this one are unused, too",
                        counted(more, "answer")
                    )),
                    false => problem,
                }
            })
            .collect()
    }
}

/// Of so many answers that were never asked for it is told one by one: they wait for each other.
const MOST_TOLD: usize = 3;

/// A question: its label, who is asked, and whom or what it is about.
type QuestionKey<'q> = (&'q str, FactionId, RecordedThing);

fn matches(item: &ListedAnswer, question: &Question<'_>) -> bool {
    let about = match question.request.subject {
        Thing::Game => question.request.step.about,
        thing => question.world.who(thing),
    };
    is_for(
        item,
        question.rules,
        (question.label(), question.request.asker, about),
    )
}

/// Whether an answer is one for a question.
fn is_for(item: &ListedAnswer, rules: &Rules, (question_label, asker, about): QuestionKey<'_>) -> bool {
    let Some(label) = &item.label else { return true };
    // "red aim: ..." names the faction that is asked; the label may begin with the same word.
    let asker = &rules.factions[asker.index()];
    let names_asker = label.strip_prefix(asker.as_str()).map(str::trim_start);
    if label != question_label && names_asker != Some(question_label) {
        return false;
    }
    match &item.subject {
        None => true,
        Some(subject) => about != RecordedThing::Game && rules.who(about) == *subject,
    }
}

/// Whether an item is another word of what the item in front begins.
fn continues(front: &ListedAnswer, item: &ListedAnswer) -> bool {
    item.span == front.span && item.label == front.label && !item.not
}

/// The offered key that the next words of the list spell, the longest if several do: how many words
/// it takes, and what it is. A key of several words stands in one item of the file.
fn spelled<T>(items: &VecDeque<ListedAnswer>, offers: impl Fn(&str) -> Option<T>) -> Option<(usize, T)> {
    let front = items.front()?;
    let mut text = String::new();
    let mut found = None;
    for (nth, item) in items.iter().enumerate() {
        if nth > 0 {
            if !continues(front, item) {
                break;
            }
            text.push(' ');
        }
        text.push_str(&item.key);
        if let Some(value) = offers(&text) {
            found = Some((nth + 1, value));
        }
    }
    found
}

/// Returns the number of words that a key which is not offered takes from the list: one, but where things are offered
/// together as many as they are, and where several are chosen at once all that stand together.
fn denied(items: &VecDeque<ListedAnswer>, question: &Question<'_>) -> usize {
    let Some(front) = items.front() else { return 0 };
    let more = items.iter().skip(1).take_while(|item| continues(front, item));
    let there = 1 + more.count();
    let options = &question.request.options;
    let together = match options.takes() {
        Some(_) => there,
        None => options
            .iter()
            .map(|option| option.things().count())
            .max()
            .unwrap_or(1),
    };
    let word = front.key.as_str();
    let rules = question.rules;
    let is_thing = rules.board.place(word).is_some()
        || rules.faction(word).is_some()
        || rules.unit_type(word).is_some()
        || rules.parse_unit_name(word).is_some();
    match is_thing && together <= there {
        true => together,
        false => 1,
    }
}

/// The unit of those who are asked that a text may name that is none's name: it may have come by itself before what is
/// asked.
fn unit_like(text: &str, question: &Question<'_>) -> Option<String> {
    let (rules, world) = (question.rules, question.world);
    let (faction, _) = text.split_once('.')?;
    let own = world.owned(
        rules
            .faction(faction)
            .filter(|faction| *faction == question.request.asker)?,
    );
    let units: Vec<String> = own.iter().map(|unit| rules.unit_name(world.name(unit))).collect();
    if units.iter().any(|unit| unit == text) {
        return None;
    }
    did_you_mean(text, units.iter().map(String::as_str))
}

/// Reads a text as a reply to what is offered: an option by its key, or an open answer.
fn offers(keys: &[String], question: &Question<'_>, text: &str) -> Option<Reply> {
    match question.find(keys, text) {
        Some(index) => Some(Reply::Take(index)),
        None if question.request.options.is_open() => question.read(text).ok(),
        None => None,
    }
}

/// Why the spot or number that an item of the file spells is not offered.
fn refused(items: &VecDeque<ListedAnswer>, question: &Question<'_>) -> Option<AnswerError> {
    let options = &question.request.options;
    let front = items.front()?;
    let of_item = items.iter().take_while(|i| i.span == front.span);
    let words: Vec<&str> = of_item.map(|i| i.key.as_str()).collect();
    // As many of its words as there are say most.
    let spots = (1..=words.len()).rev().map(|count| words[..count].join(" "));
    let spot = spots.into_iter().find(|text| is_spot(text));
    let meant = match options.numbers() {
        Some(_) => is_number(&front.key),
        None => options.is_region() || options.region().is_some() && spot.is_some(),
    };
    let text = spot.as_ref().unwrap_or(&front.key);
    meant.then(|| question.read(text).err()).flatten()
}

/// Words that stand together, of which the first give an answer.
struct WordRow {
    words: Vec<String>,
    /// Number of these words that give the answer.
    given: usize,
}

impl WordRow {
    /// The words that stand together at the front of a list; none where the answer takes all of them.
    fn of(items: &VecDeque<ListedAnswer>, given: usize) -> Option<Self> {
        let front = items.front()?;
        let more = items.iter().skip(1).take_while(|item| continues(front, item));
        let words: Vec<String> = std::iter::once(front)
            .chain(more)
            .map(|i| i.key.clone())
            .collect();
        (given < words.len()).then_some(Self { words, given })
    }

    fn text(&self) -> String {
        self.words.join(" ")
    }

    /// Whether it begins with the number of an option.
    fn is_by_number(&self, keys: &[String], question: &Question<'_>) -> bool {
        let word = &self.words[0];
        self.given == 1
            && question.find(keys, word).is_none()
            && question.have_numbers(keys)
            && is_number(word)
    }

    /// Whether all of it may be meant as one answer in several words: a spot, of which a number is the beginning, or
    /// several things.
    fn may_be_one(&self, keys: &[String], question: &Question<'_>) -> bool {
        let options = &question.request.options;
        options.takes().is_some() || options.region().is_some() && self.is_by_number(keys, question)
    }

    /// Why it is no answer, where it surely is meant as one and only its first number is.
    fn refused(&self, keys: &[String], question: &Question<'_>) -> Option<AnswerError> {
        if !self.may_be_one(keys, question) || !self.is_by_number(keys, question) {
            return None;
        }
        let spots = (2..=self.words.len())
            .rev()
            .map(|count| self.words[..count].join(" "));
        let spot = spots.into_iter().find(|text| is_spot(text));
        let is_spot = spot.is_some() && question.request.options.region().is_some();
        (is_spot || is_number(&self.words[1])).then(|| {
            let text = spot.filter(|_| is_spot).unwrap_or_else(|| self.text());
            not_one(&text, question)
        })
    }
}

/// Why words are not one answer: no spot of the table top, or not several things that are offered together.
pub fn not_one(text: &str, question: &Question<'_>) -> AnswerError {
    let options = &question.request.options;
    if let Some(region) = options.region() {
        let read = read_spot(region.as_ref(), question.rules, question.world, text);
        return read
            .err()
            .unwrap_or_else(|| format!("`{text}` is no spot"))
            .into();
    }
    let first = options.get(0).map(|option| question.key(option));
    AnswerError {
        hint: first
            .map(|key| format!("a number takes all of what stands behind it; things are named: `{key}`")),
        ..question.no_fit(format!("`{text}` is not offered"))
    }
}

/// Whether a letter can stand in what answers a question.
fn plain(c: char) -> bool {
    c.is_alphanumeric() || "._-!+:',".contains(c) || c.is_whitespace()
}

/// Whether a line may be meant as an answer to some question, or as several, as far as its letters say.
pub fn may_be_typed(line: &str) -> bool {
    let is_sum = || {
        line.split_once(char::is_whitespace)
            .is_some_and(|(_, rest)| has_sign(rest))
    };
    line.starts_with('"') || is_spot(line) || line.chars().all(plain) && !is_sum()
}

/// Whether what stands behind an answer makes a sum or a difference of it: a line with it is an expression.
fn has_sign(behind: &str) -> bool {
    behind.split_whitespace().any(|word| word.starts_with(['+', '-']))
}

/// Reads a typed line as several answers: a list of texts in quotes, `LABEL: KEY`, keys of which the first is one of
/// those that are offered, or words that are nothing else. `None` for anything else, such as an expression.
pub fn typed(line: &str, keys: &[String]) -> Option<Vec<Spanned<String>>> {
    let parts: Vec<(usize, &str)> = match line.strip_prefix('"') {
        Some(_) => {
            let mut at = 0;
            let pieces = line.split('"').enumerate().filter_map(|(nth, piece)| {
                let start = at;
                at += piece.len() + 1;
                (nth % 2 == 1).then_some((start, piece))
            });
            let between = line.split('"').step_by(2);
            let listed = between.clone().all(|b| b.trim().is_empty() || b.trim() == ",");
            (listed && between.count() > 1).then(|| pieces.collect())?
        }
        None if is_row(line) => return Some(vec![Spanned::new(line.to_owned(), 0..line.len())]),
        None => vec![(0, line)],
    };
    // What stands behind the longest key that begins a text.
    let behind = |text: &str| {
        let rests = keys.iter().filter_map(|key| text.strip_prefix(key.as_str()));
        let whole = rests.filter(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace));
        whole.min_by_key(|rest| rest.len()).map(str::to_owned)
    };
    let is_answer = |text: &str| {
        let labelled = text.split_once(':').filter(|(before, after)| {
            !before.trim().is_empty() && !after.trim().is_empty() && !after.starts_with(':')
        });
        let rest = match labelled {
            Some((_, key)) => behind(key.trim()).or_else(|| {
                let words = key.split_whitespace().skip(1).collect::<Vec<_>>();
                Some(words.join(" "))
            }),
            None => behind(text.trim_start_matches('!')),
        };
        text.chars().all(plain) && rest.is_some_and(|rest| !has_sign(&rest))
    };
    let first = parts.first().is_some_and(|(_, text)| is_answer(text));
    let spanned = |(at, text): (usize, &str)| Spanned::new(text.to_owned(), at..at + text.len());
    first.then(|| parts.into_iter().map(spanned).collect())
}

/// Whether a line is several words that no script reads so, one behind the other.
fn is_row(line: &str) -> bool {
    let is_word = |word: &str| {
        let plain = |c: char| c.is_alphanumeric() || "._-,".contains(c);
        word.starts_with(char::is_alphanumeric) && word.chars().all(plain) && !KEYWORDS.contains(&word)
    };
    line.contains(' ') && line.split_whitespace().all(is_word)
}

/// The answers of a source as far as they are offered; where one is not, its question waits.
pub struct OfferedAnswers<S> {
    answers: S,
    why: NoFitCell,
}

/// Why an answer did not fit, once one has not.
pub type NoFitCell = Rc<RefCell<Option<AnswerError>>>;

impl<S: Answerer> OfferedAnswers<S> {
    /// The answers, and where it will be said why one of them does not fit.
    pub fn new(answers: S) -> (Self, NoFitCell) {
        let why = NoFitCell::default();
        let shared = Rc::clone(&why);
        (Self { answers, why }, shared)
    }
}

impl<S: Answerer> Answerer for OfferedAnswers<S> {
    fn answer(&mut self, question: &Question<'_>) -> Reply {
        if self.why.borrow().is_some() {
            return Reply::Wait;
        }
        match self.answers.answer(question) {
            Reply::Stop(why) => {
                *self.why.borrow_mut() = Some(why);
                Reply::Wait
            }
            other => other,
        }
    }

    fn answered_itself(&mut self, question: &Question<'_>) -> Result<(), AnswerError> {
        self.answers.answered_itself(question)
    }
}

/// Whether a word may be made of a text and more, as rules make words.
fn is_begun(text: &str, word: &str) -> bool {
    let text = text.trim();
    text.len() > 2 && word.contains(text)
}

/// Why nothing could ever be offered by this key: a part of it is no name, no number, and no part of any text that the
/// rules know, nor made of one.
fn unknown(key: &str, question: &Question<'_>) -> Option<String> {
    let rules = question.rules;
    let is_known = |word: &&str| {
        // Words of the rules may be parts of what reads like a unit's name.
        if let Some(name) = rules.parse_unit_name(word) {
            return question.world.find(name).is_some();
        }
        word.parse::<i64>().is_ok()
            || rules.board.place(word).is_some()
            || rules.faction(word).is_some()
            || rules.unit_type(word).is_some()
            || rules.terrain(word).is_some()
            || *word == NONE
            || Point::parse(word).is_some()
            || question
                .words
                .texts()
                .any(|text| text.contains(*word) || is_begun(text, word))
    };
    // What names a spot has a language of its own, in which what cannot be read is told.
    let mut parts = key.split(' ').filter(|_| !question.request.options.is_open());
    let other = parts.find(|word| !is_known(word))?;
    Some(format!(
        "`{other}` is nothing that could be offered: no name, no number, no word of the rules"
    ))
}

impl Answerer for ScenarioAnswers {
    fn answer(&mut self, question: &Question<'_>) -> Reply {
        let keys = question.keys();
        if let Some(numbers) = &self.numbers {
            numbers.borrow_mut().remember(question);
        }
        let mut progress = self.progress.borrow_mut();
        while let Some(item) = progress.items.front().filter(|i| matches(i, question)).cloned() {
            let found = self.parse_reply(&progress.items, &keys, question);
            match (item.not, found) {
                (true, None) => {
                    if let Some(why) = progress.deny(question) {
                        return Reply::Stop(why);
                    }
                }
                (true, Some((words, _))) => {
                    let key = progress.items.iter().take(words).map(|i| i.key.as_str());
                    let key = key.collect::<Vec<_>>().join(" ");
                    progress.failed = Some(item.clone());
                    return Reply::Stop(question.no_fit(format!("`{key}` is offered")));
                }
                (false, Some((words, reply))) => {
                    let row = WordRow::of(&progress.items, words).filter(|_| self.numbers.is_some());
                    if let Some(why) = row.as_ref().and_then(|row| row.refused(&keys, question)) {
                        progress.failed = Some(item.clone());
                        return Reply::Stop(why);
                    }
                    let one_answer = row.filter(|row| row.may_be_one(&keys, question));
                    progress.passed = None;
                    progress.one_answer = one_answer.map(|row| row.text());
                    progress.items.drain(..words);
                    return reply;
                }
                (false, None) => {
                    progress.failed = Some(item.clone());
                    if let Some(why) = refused(&progress.items, question) {
                        return Reply::Stop(why);
                    }
                    let count = denied(&progress.items, question);
                    let words = progress.items.iter().take(count).map(|i| i.key.as_str());
                    let key = words.collect::<Vec<_>>().join(" ");
                    // What another question took says something where this one would have taken it.
                    let passed = progress.passed.as_ref().filter(|passed| {
                        let took = passed.took.as_ref();
                        took.is_none_or(|words| offers(&keys, question, words).is_some())
                    });
                    // Short keys such as places are all alike.
                    let near = near(&key, &keys)
                        .filter(|near| key.len().max(near.len()) > 3)
                        .or_else(|| unit_like(&key, question))
                        .map(|near| format!("did you mean `{near}`?"))
                        .or_else(|| passed.map(|passed| passed.sentence.clone()));
                    let no_fit = question.no_fit(format!(
                        "`{key}` is not offered to {} for `{}`",
                        question.rules.factions[question.request.asker.index()],
                        question.label(),
                    ));
                    return Reply::Stop(AnswerError { hint: near, ..no_fit });
                }
            }
        }
        drop(progress);
        match &mut self.open {
            Some(open) => open.answer(question),
            None => Reply::Wait,
        }
    }

    fn answered_itself(&mut self, question: &Question<'_>) -> Result<(), AnswerError> {
        let mut progress = self.progress.borrow_mut();
        while let Some(item) = progress.items.front().filter(|i| matches(i, question)).cloned() {
            let only = question.keys();
            match (
                item.not,
                spelled(&progress.items, |text| question.find(&only, text)),
            ) {
                (true, None) => match progress.deny(question) {
                    Some(why) => return Err(why),
                    None => continue,
                },
                (false, Some((words, _))) => {
                    progress.one_answer = None;
                    let taken: Vec<ListedAnswer> = progress.items.drain(..words).collect();
                    let words: Vec<&str> = taken.iter().map(|item| item.key.as_str()).collect();
                    progress.passed = item.label.is_none().then(|| {
                        let (words, label) = (words.join(" "), question.label());
                        let sentence = format!(
                            "`{words}` before it was taken for `{label}`, which had nothing else: name the question"
                        );
                        ConsumedAnswers {
                            sentence,
                            took: Some(words),
                        }
                    });
                }
                (false, None) if item.label.is_some() => {
                    let (label, only) = (question.label(), only.join(" "));
                    progress.passed = Some(ConsumedAnswers {
                        sentence: format!("the question `{label}` had only `{only}`"),
                        took: None,
                    });
                }
                _ => {}
            }
            break;
        }
        Ok(())
    }
}
