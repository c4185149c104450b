//! Writes a play down as a scenario: from its beginning with its answers, or the position in which it
//! stands. Whether the scenario plays as the play did is for the one who asks to find out.

use crate::description::change::{self, Change};
use crate::description::{Description, NamedEntries, Spanned};
use crate::kernel::choice::Answer;
use crate::kernel::event::Event;
use crate::kernel::ids::{FactionId, RecordedThing};
use crate::kernel::rules::Words;
use crate::play::Play;
use crate::report::Source;
use crate::scenario::file::ScenarioFile;
use std::collections::BTreeSet;

/// Format of written answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnswerShape {
    /// The answers of one step share an entry.
    pub together: bool,
    /// Each stands behind what was asked, and about whom.
    pub labelled: bool,
    /// Answers that were the only option are written too.
    pub only_ones: bool,
}

impl AnswerShape {
    /// One item for each answer that somebody gave, and nothing else.
    pub const ONE_EACH: AnswerShape = AnswerShape {
        together: false,
        labelled: false,
        only_ones: false,
    };

    /// From what reads best to what cannot be mistaken.
    pub const ALL: [AnswerShape; 5] = {
        const fn shape(together: bool, labelled: bool, only_ones: bool) -> AnswerShape {
            AnswerShape {
                together,
                labelled,
                only_ones,
            }
        }
        [
            shape(true, false, false),
            Self::ONE_EACH,
            shape(false, false, true),
            shape(false, true, false),
            shape(false, true, true),
        ]
    };
}

/// The scenario of a play with the answers that were given in it so far, and the scripted rolls as far
/// as they were rolled.
pub fn of_play(play: &Play, file: &ScenarioFile, shape: AnswerShape) -> ScenarioFile {
    let mut file = file.clone();
    let table = play.table();
    file.answers = answers(play, &table.events, shape);
    let used = table.chance.used();
    let scripted = table.chance.stated.rolls.iter().enumerate();
    file.rolls = scripted
        .map(|(index, (label, rolls))| {
            let count = used.get(index).copied().unwrap_or(0) as usize;
            let rolls = rolls.iter().take(count).cloned().map(Spanned::from);
            (Spanned::from(label.clone()), rolls.collect::<Vec<_>>())
        })
        .filter(|(_, rolls)| !rolls.is_empty())
        .collect();
    let mut as_rolled = forced(play);
    as_rolled.extend(table.chance.beyond_stated().map(|(label, _)| label.to_owned()));
    file.rolls.retain(|(label, _)| !as_rolled.contains(&label.value));
    let all = rolled(&table.words, &table.events).into_iter();
    file.rolls
        .extend(all.filter(|(label, _)| as_rolled.contains(&label.value)));
    let used = used.get(table.chance.stated.rolls.len()..).unwrap_or_default();
    let stated = table.chance.stated.throws.iter().zip(used);
    file.throws = stated
        .map(|((label, throws), used)| {
            let throws = throws.iter().take((*used).into());
            let throws = throws.map(|throw| Spanned::from(throw.text.clone()));
            (Spanned::from(label.clone()), throws.collect::<Vec<_>>())
        })
        .filter(|(_, throws)| !throws.is_empty())
        .collect();
    file
}

/// The same up to the last answer that somebody gave, with all that was rolled before it, so that under any seed it
/// comes to the same question.
pub fn of_answers(play: &Play, file: &ScenarioFile, shape: AnswerShape) -> ScenarioFile {
    let mut file = of_play(play, file, shape);
    let table = play.table();
    let given = |event: &Event| matches!(event, Event::Chose(answer) if !answer.only);
    let last = table.events.iter().rposition(given).map_or(0, |last| last + 1);
    let events = &table.events[..last];
    file.answers = answers(play, events, shape);
    file.rolls = rolled(&table.words, events);
    file
}

/// The answers among these events, as a scenario writes them.
fn answers(play: &Play, events: &[Event], shape: AnswerShape) -> Vec<Spanned<String>> {
    let table = play.table();
    let mut answers: Vec<String> = Vec::new();
    let mut last: Option<&Answer> = None;
    // Who was picked because nobody else was left: said when what they do is answered.
    let mut picked: Option<String> = None;
    for event in events {
        let Event::Chose(answer) = event else { continue };
        let key = answer.chosen.key(&table.rules, &table.words);
        if answer.only && !shape.only_ones {
            if answer.step.pick > 0 {
                (picked, last) = (shape.together.then_some(key), None);
            }
            continue;
        }
        if shape.labelled {
            let label = table.words.text(answer.label);
            let about = match answer.subject {
                RecordedThing::Game => answer.step.about,
                who => who,
            };
            let who = match about {
                RecordedThing::Unit(_) if answer.step.pick == 0 => table.rules.who(about),
                _ => table.rules.factions[answer.asker.index()].clone(),
            };
            answers.push(format!("{who} {label}: {key}"));
            continue;
        }
        // Who is picked and what they do read as one.
        let goes_on = answer.step.pick == 0 && last.is_some_and(|l| l.step == answer.step || l.step.pick > 0);
        match (
            answers.last_mut().filter(|_| shape.together && goes_on),
            picked.take(),
        ) {
            (Some(entry), _) => {
                entry.push(' ');
                entry.push_str(&key);
            }
            (None, Some(unit)) if answer.step.pick == 0 => answers.push(format!("{unit} {key}")),
            (None, _) => answers.push(key),
        }
        last = Some(answer);
    }
    answers.into_iter().map(Spanned::from).collect()
}

/// Returns the rolls in these events, by label.
fn rolled(words: &Words, events: &[Event]) -> NamedEntries<Vec<Spanned<Vec<i64>>>> {
    let mut all: NamedEntries<Vec<Spanned<Vec<i64>>>> = Vec::new();
    for event in events {
        let Event::Rolled { label, dice, .. } = event else {
            continue;
        };
        let (label, dice) = (words.text(*label), dice.values().collect::<Vec<i64>>().into());
        match all.iter_mut().find(|(known, _)| known.value == label) {
            Some((_, rolls)) => rolls.push(dice),
            None => all.push((label.to_owned().into(), vec![dice])),
        }
    }
    all
}

/// The labels of which dice were forced: a scenario says of all their rolls what they showed.
fn forced(play: &Play) -> BTreeSet<String> {
    let edits = play
        .chapters()
        .iter()
        .filter_map(|chapter| chapter.edits.as_ref());
    let texts: Vec<&str> = edits.flat_map(|edits| &edits.texts).map(String::as_str).collect();
    let source = Source::new("edits", texts.join("\n"));
    let label = |edit: Change| match edit {
        Change::Force { label, .. } => Some(label.value),
        _ => None,
    };
    let edits = change::parse(&source, '\n').unwrap_or_default();
    edits.into_iter().filter_map(label).collect()
}

/// The position of a play as a scenario says it, and what a scenario cannot say of it.
pub fn of_position(play: &Play, file: &ScenarioFile) -> (ScenarioFile, Vec<String>) {
    let mut file = file.clone();
    let table = play.table();
    let (rules, world) = (&*table.rules, &table.world);
    file.answers.clear();
    file.rolls.clear();
    file.throws.clear();
    let (position, mut notes) = Description::of(rules, &table.words, world).for_scenario(rules);
    file.position = position;
    let cursor = &table.checkpoint.cursor;
    // Phases that come once say nothing, but for the innermost.
    let inside: Vec<u8> = cursor.phases().skip(1).collect();
    let phases: Vec<String> = inside
        .iter()
        .filter(|p| rules.phases[**p as usize].repeat || inside.last() == Some(p))
        .map(|p| {
            let phase = &rules.phases[*p as usize];
            match cursor.iteration(rules, &phase.name).filter(|_| phase.repeat) {
                Some(n) => format!("{} {n}", phase.name),
                None => phase.name.clone(),
            }
        })
        .collect();
    if cursor.is_over() {
        notes.push("the game is over here; there it begins".to_owned());
    } else if !phases.is_empty() {
        let phases = phases.join(", ");
        notes.push(format!(
            "here it is {phases}; there the first step of the game comes next"
        ));
    }
    if !table.gathered.is_empty() {
        notes.push("what is decided and has not happened yet is left out".to_owned());
    }
    if !world.moved().is_empty() {
        notes.push("nobody has moved yet there".to_owned());
    }
    if world.in_order(0) != FactionId(0) {
        let first = &rules.factions[world.in_order(0).index()];
        notes.push(format!(
            "{first} goes first here, unless the rules say so there too"
        ));
    }
    (file, notes)
}
