//! Questions: what is offered, whether it can be, and the answers.

use super::{Halt, Question, Reply, Table, refused};
use crate::choice::{Answer, MAX_WAYS, NONE, NamedOption, OfferedOption, OptionSet, PickCount};
use crate::dice::text_hash;
use crate::event::Event;
use crate::ids::{FactionId, RecordedThing, Thing, WordId};
use crate::rules::{MAX_TEXTS, MAX_WORDS};
use crate::schedule::NextStep;
use std::collections::HashMap;

/// Known facts about a word, so that it is checked only once: bits of [`Table::known_words`].
pub(super) mod known {
    /// It can be a label.
    pub const LABEL: u8 = 1;
    /// It can be an option.
    pub const OPTION: u8 = 2;
    /// It reads like a number or like the name of a thing.
    pub const ALIKE: u8 = 4;
    /// It is one line.
    pub const LINE: u8 = 8;
}

impl Table {
    /// Whether this was found out about a word before.
    #[inline]
    pub(super) fn is_known(&self, word: WordId, bit: u8) -> bool {
        self.known_words
            .get(word.0 as usize)
            .is_some_and(|k| k & bit != 0)
    }

    pub(super) fn know(&mut self, word: WordId, bits: u8) {
        let index = word.0 as usize;
        if self.known_words.len() <= index {
            self.known_words.resize(index + 1, 0);
        }
        self.known_words[index] |= bits;
    }

    /// That a word can be a label.
    #[inline]
    pub(super) fn check_label(&mut self, label: WordId) -> Result<(), Halt> {
        match self.is_known(label, known::LABEL) {
            true => Ok(()),
            false => self.read_label(label),
        }
    }

    /// Refuses a label that transcripts and scenario files could not tell from what stands around it.
    #[cold]
    fn read_label(&mut self, label: WordId) -> Result<(), Halt> {
        let text = self.words.text(label);
        let wrong = unspaced(text).or_else(|| {
            let for_or_colon = text.contains(':') || text.contains(" for ");
            for_or_colon.then_some("`:` and ` for ` in a label would end it")
        });
        if let Some(why) = wrong {
            return refused(format!("{text:?} cannot be a label: {why}"));
        }
        self.know(label, known::LABEL);
        Ok(())
    }

    /// Refuses a word as an option that could not be answered from a file.
    #[cold]
    pub(super) fn read_option(&mut self, word: WordId) -> Result<(), Halt> {
        let text = self.words.text(word);
        let not = text.starts_with('!').then_some("`!` before an answer denies it");
        if let Some(why) = unspaced(text).or(not) {
            return refused(format!("{text:?} cannot be an option: {why}"));
        }
        let rules = &self.rules;
        let alike = text.parse::<i64>().is_ok()
            || rules.board.place(text).is_some()
            || rules.faction(text).is_some()
            || rules.unit_type(text).is_some()
            || rules.terrain(text).is_some()
            || rules.parse_unit_name(text).is_some()
            || text == NONE;
        self.know(word, known::OPTION | if alike { known::ALIKE } else { 0 });
        Ok(())
    }

    /// Checks the words among the options: each can be answered, and none reads like another option.
    #[inline]
    pub(super) fn check_options(&mut self) -> Result<(), Halt> {
        let options = &self.request.options;
        if options.word().is_none() && options.list().is_empty() {
            return Ok(());
        }
        let unread = |w: WordId| {
            !self.is_known(w, known::OPTION) || self.is_known(w, known::ALIKE) || options.has_several()
        };
        if options.words().any(unread) {
            self.read_options()?;
        }
        Ok(())
    }

    /// Refuses an option that names a unit that the faction cannot see: its key would tell.
    #[cold]
    fn check_hidden(&self, asker: FactionId) -> Result<(), Halt> {
        let options = &self.request.options;
        if options.is_open() {
            return Ok(());
        }
        let several = options.takes().map_or(&[][..], |_| options.list());
        let each = options.iter().filter(|_| several.is_empty());
        let hidden = each
            .chain(several.iter().copied())
            .flat_map(OfferedOption::things)
            .find_map(|thing| match thing {
                OfferedOption::Unit(unit) if self.world.hides_unit(&self.rules, unit, asker) => Some(unit),
                _ => None,
            });
        match hidden {
            Some(unit) => refused(format!(
                "{} is offered to {}, which cannot see it: offer only what is not hidden",
                self.rules.unit_name(self.world.name(unit)),
                self.rules.factions[asker.index()]
            )),
            None => Ok(()),
        }
    }

    #[cold]
    fn read_options(&mut self) -> Result<(), Halt> {
        let words: Vec<WordId> = self.request.options.words().collect();
        // How often each key is there.
        let mut keys: HashMap<String, usize> = HashMap::new();
        for word in words {
            if !self.is_known(word, known::OPTION) {
                self.read_option(word)?;
            }
            // What is several things at once reads like a word with blanks in it.
            if self.is_known(word, known::ALIKE) || self.request.options.has_several() {
                if keys.is_empty() {
                    let options = &self.request.options;
                    // Several things read alike when one of them does, or when none are taken.
                    let each: Vec<OfferedOption> = match options.takes() {
                        None => options.iter().collect(),
                        Some(_) => options.list().to_vec(),
                    };
                    if let Some(PickCount::Some(0, _)) = options.takes() {
                        keys.insert(NONE.to_owned(), 1);
                    }
                    for option in each {
                        let key = self.current_question().key(option);
                        *keys.entry(key).or_insert(0) += 1;
                    }
                }
                let text = self.words.text(word);
                if keys.get(text).is_some_and(|times| *times > 1) {
                    let why = match text {
                        NONE => format!("two options read `{NONE}`: the word, and taking nothing"),
                        _ => format!("two options read `{text}`: a word, and the thing of that name"),
                    };
                    return refused(why);
                }
            }
        }
        Ok(())
    }

    /// Asks a faction to choose among `request.options`, which the caller has filled in. A single
    /// option answers itself. The same option twice counts once.
    pub fn choose(&mut self, asker: FactionId, subject: Thing, label: WordId) -> Result<OfferedOption, Halt> {
        self.check()?;
        self.request.options.make_distinct();
        // A region's candidates are looked for when somebody counts them.
        let open = self.request.options.is_open();
        let count = if open { 0 } else { self.request.options.len() };
        if count == 0 && self.request.options.is_empty() {
            return Err(self.nothing_to_choose(label));
        }
        if count > MAX_WAYS && self.request.options.takes().is_some() {
            return Err(self.too_many_ways(label, count));
        }
        self.check_label(label)?;
        self.check_options()?;
        if self.rules.slots.secrets {
            self.check_hidden(asker)?;
        }
        let subject = if subject == self.about() {
            Thing::Game
        } else {
            subject
        };
        let request = &mut self.request;
        request.step = self.checkpoint.step;
        request.asker = asker;
        request.subject = subject;
        request.label = label;
        request.beside.clear();
        request.beside.append(&mut self.run.beside);
        let subject = self.world.who(subject);
        let Ok(nth) = u16::try_from(self.run.questions.add((asker, subject, label))) else {
            return refused(format!(
                "a step asks at most {} times for `{}`",
                u16::MAX,
                self.words.text(label)
            ));
        };
        request.nth = nth;
        let only = count == 1;
        if self.run.asked < self.checkpoint.answers.len() {
            return self.answered_before(subject, only);
        }
        let option = {
            let question = Question {
                request: &self.request,
                rules: &self.rules,
                words: &self.words,
                hashes: &self.hashes,
                world: &self.world,
            };
            if only {
                if let Err(why) = self.source.answered_itself(&question) {
                    return Err(self.stop(Halt::Diverged(why)));
                }
                question.request.options.get(0)
            } else {
                match self.source.answer(&question) {
                    Reply::Take(index) if let Some(option) = question.request.options.get(index) => {
                        Some(option)
                    }
                    Reply::Other(option) if question.request.options.allows(option) => Some(option),
                    Reply::Take(_) | Reply::Other(_) | Reply::Wait => return Err(self.stop(Halt::Waiting)),
                    Reply::Stop(why) => return Err(self.stop(Halt::Diverged(why))),
                }
            }
        };
        let option = option.unwrap_or(OfferedOption::Word(label));
        let answer = self.answer_with(subject, option, only);
        if self.keeps.way_back {
            self.checkpoint.answers.push(answer);
        }
        self.run.asked += 1;
        self.log_choice(&answer, option)?;
        Ok(option)
    }

    /// Shows a number, in thousandths, with the step's next question.
    pub fn show_beside(&mut self, name: WordId, number: i64) -> Result<(), Halt> {
        self.check()?;
        self.run.beside.retain(|(other, _)| *other != name);
        self.run.beside.push((name, number));
        Ok(())
    }

    #[cold]
    fn too_many_ways(&self, label: WordId, count: usize) -> Halt {
        let count = match count {
            usize::MAX => "far too many".to_owned(),
            count => count.to_string(),
        };
        Halt::Rule(format!(
            "`{}` can be answered in {count} ways with the {} things that are offered; {MAX_WAYS} are the most: \
             offer fewer, or ask for one after the other",
            self.words.text(label),
            self.request.options.things()
        ))
    }

    #[cold]
    fn nothing_to_choose(&self, label: WordId) -> Halt {
        let mut why = format!("nothing to choose for `{}`", self.words.text(label));
        let (places, ground) = (self.rules.board.places(), self.world.ground());
        if self.request.options.is_region() {
            why += "; there is no room in all of the region that is offered";
        }
        if self.request.options.is_of_places() && !self.rules.terrains.is_empty() && ground == places {
            why += &format!(
                "; the board is full, terrain lies in all its {} places",
                places.len()
            );
        }
        if self.nobody_has_units() {
            why += "; nobody has units";
        }
        Halt::Rule(why)
    }

    /// Returns the answer given to the request when the step ran before; `subject` is its subject by name.
    fn answered_before(&mut self, subject: RecordedThing, single: bool) -> Result<OfferedOption, Halt> {
        let (asker, label) = (self.request.asker, self.request.label);
        let given = self.checkpoint.answers[self.run.asked];
        if (given.asker, given.subject, given.label) != (asker, subject, label) {
            let text = format!(
                "the step asks for `{}` where it asked for `{}` before",
                self.words.text(label),
                self.words.text(given.label)
            );
            return Err(self.stop(Halt::Diverged(text.into())));
        }
        // On a position that was changed, what answered itself is somebody's to answer.
        if given.only && !single {
            let text = format!("`{}` can be answered otherwise now", self.words.text(label));
            return Err(self.stop(Halt::Diverged(text.into())));
        }
        let allowed = |option| self.request.options.allows(option).then_some(option);
        let found = match given.chosen {
            // Nobody gave it: whatever is the only option now is taken.
            _ if given.only => self.request.options.get(0),
            NamedOption::Point(point) => allowed(OfferedOption::Point(point)),
            NamedOption::Number(n) if let Some(number) = allowed(OfferedOption::Number(n)) => Some(number),
            // A word in front of a region is found before anybody looks for candidates.
            chosen => {
                let is_it = |o: &OfferedOption| self.chosen(*o) == chosen;
                let options = &self.request.options;
                let first = options.get(0).filter(is_it);
                first.or_else(|| options.iter().find(is_it))
            }
        };
        match found {
            Some(option) => {
                // And what somebody answered may answer itself.
                let given = Answer {
                    only: single,
                    chosen: match given.only {
                        true => self.chosen(option),
                        false => given.chosen,
                    },
                    ..given
                };
                self.checkpoint.answers[self.run.asked] = given;
                self.run.asked += 1;
                self.log_choice(&given, option)?;
                Ok(option)
            }
            None => Err(self.stop(Halt::NotOffered(given.chosen))),
        }
    }

    /// An option as records keep it.
    #[inline]
    fn chosen(&self, option: OfferedOption) -> NamedOption {
        match option {
            OfferedOption::Many(_) => NamedOption::Many(text_hash(&self.current_question().key(option))),
            one => one.chosen(&self.world),
        }
    }

    #[inline]
    fn answer_with(&self, subject: RecordedThing, option: OfferedOption, only: bool) -> Answer {
        let request = &self.request;
        Answer {
            step: request.step,
            asker: request.asker,
            subject,
            label: request.label,
            nth: request.nth,
            chosen: self.chosen(option),
            only,
        }
    }

    /// The record of choosing what an [`Answerer`] would say; `None` when it is not offered.
    pub fn answer_by(&self, reply: &Reply) -> Option<Answer> {
        let options = &self.request.options;
        let option = match *reply {
            Reply::Take(index) => options.get(index)?,
            Reply::Other(option) if options.allows(option) => option,
            Reply::Other(_) | Reply::Wait | Reply::Stop(_) => return None,
        };
        let subject = self.world.who(self.request.subject);
        Some(self.answer_with(subject, option, false))
    }

    /// The current request with all that it takes to read it.
    pub fn current_question(&self) -> Question<'_> {
        Question {
            request: &self.request,
            rules: &self.rules,
            words: &self.words,
            hashes: &self.hashes,
            world: &self.world,
        }
    }

    /// Asks which unit is activated next, or whether the faction passes, where that is the step.
    pub fn pick(&mut self) -> Result<(), Halt> {
        let NextStep::Pick {
            faction,
            ref units,
            may_pass,
        } = self.checkpoint.next
        else {
            return Ok(());
        };
        let units = units.clone();
        match may_pass {
            false => drop(self.request.options.offer(None, OptionSet::Units(units))),
            true => {
                let list = self.request.options.offer(None, OptionSet::List);
                list.extend(units.map(OfferedOption::Unit));
                list.push(OfferedOption::Word(self.pass));
            }
        }
        match self.choose(faction, Thing::Game, self.activates)? {
            OfferedOption::Unit(unit) => self.checkpoint.cursor.pick(&self.rules, &self.world, unit),
            _ => self.checkpoint.cursor.pass(&self.rules, faction),
        }
        Ok(())
    }

    /// Records an answer, and what else was offered if somebody wants to know.
    fn log_choice(&mut self, answer: &Answer, option: OfferedOption) -> Result<(), Halt> {
        if let OfferedOption::Many(_) = option {
            // Whoever reads the record finds its key among the words.
            let key = self.current_question().key(option);
            if self.words.keep(&key).is_none() {
                return refused(format!(
                    "`{key}` cannot be recorded: a game comes to know at most {MAX_WORDS} different texts, of \
                     {MAX_TEXTS} bytes together"
                ));
            }
        }
        self.log_own_step();
        self.record(Event::Chose(*answer));
        if self.offers.is_none() {
            return Ok(());
        }
        let (index, keys) = (self.events.len() - 1, self.current_question().keys());
        if let Some(offers) = &mut self.offers {
            // A step that runs again asks again.
            offers.retain(|(before, _)| *before < index);
            offers.push((index, keys));
        }
        Ok(())
    }

    /// Refuses a text that would break the line in which it is recorded.
    pub(super) fn check_line(&mut self, word: WordId) -> Result<(), Halt> {
        if self.is_known(word, known::LINE) {
            return Ok(());
        }
        let text = self.words.text(word);
        if text.contains(char::is_control) {
            return refused(format!("{text:?} cannot be recorded: it must be one line"));
        }
        self.know(word, known::LINE);
        Ok(())
    }
}

/// Why a text cannot stand between words of a line: `None` when it can.
fn unspaced(text: &str) -> Option<&'static str> {
    if text.is_empty() {
        Some("it is empty")
    } else if text.contains(char::is_control) {
        Some("it must be one line")
    } else if text.split_whitespace().collect::<Vec<_>>().join(" ") != text {
        Some("its words stand one blank apart, with none before and behind")
    } else {
        None
    }
}
