//! A game as a link: what it was opened with, the answers that were given, and the fingerprint of its rules, as a short
//! text that stands behind the `#` of a page's address. Whoever opens it on the same page sees the game and plays on.
//!
//! The text is a version, a point, and base64url of JSON in zlib's format, whose checksum shows whether a part of the
//! text was lost or changed.

use super::sources::problems_json;
use crate::kernel::dice::text_hash;
use crate::kernel::event::Event;
use crate::opening_files::{SetupSource, lay};
use crate::option_text::QuestionWords;
use crate::output::Output;
use crate::play::{Play, Progress};
use crate::problems;
use crate::render::Style;
use crate::report::{Problem, Problems};
use crate::rules::register::Register;
use crate::rules::ruleset::{LoadOptions, Ruleset};
use crate::rules::workspace::Workspace;
use crate::scenario::file::{DialValue, ScenarioFile};
use crate::session::{Session, SessionState};
use crate::stage::record::{self, AnswerShape};
use crate::stage::run::{self, OpenedFile, Overrides};
use crate::watched_files::WatchedFiles;
use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine as _};
use flate2::Compression;
use flate2::read::{ZlibDecoder, ZlibEncoder};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;

/// The version of the format, which a link begins with.
const VERSION: &str = "1";
/// Maximum length of a link, in bytes.
pub const MAX_LINK: usize = 64 << 10;
/// Maximum size of what a link contains, in bytes.
const MAX_CONTENT: usize = 4 << 20;
/// Maximum length of a name or an answer in a link, in bytes.
const MAX_TEXT: usize = 4 << 10;
/// Maximum number of differences of rules that are listed.
const MOST_DIFFERENCES: usize = 4;
/// Length of one digest in [`Link::hash`], in hexadecimal digits.
const DIGEST: usize = 16;

/// A game as a link holds it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// The name of the game.
    game: String,
    /// [`Ruleset::fingerprint`] of the rules.
    rules: String,
    /// A short hash of each file of the rules, by path: enough to name those that differ.
    parts: BTreeMap<String, String>,
    /// The path of the scenario or transcript that was opened; none for a whole game.
    start: Option<String>,
    /// A hash of the text of that scenario.
    scenario: Option<String>,
    seed: u64,
    variants: Vec<String>,
    without: Vec<String>,
    dials: BTreeMap<String, String>,
    /// The keys of the answers that somebody gave, a person or an agent.
    answers: Vec<String>,
    /// A number that was drawn for this one game, by which a browser knows that a link continues it.
    pub id: String,
}

impl Link {
    /// Reads a link.
    ///
    /// # Errors
    ///
    /// A text that is no link, not whole, too long, or of a later version.
    pub fn read(text: &str) -> Result<Self, Problem> {
        let text = text.trim();
        if text.len() > MAX_LINK {
            return Err(problems::long_link(text.len(), MAX_LINK));
        }
        let (version, packed) = text.split_once('.').ok_or_else(problems::not_a_link)?;
        match version.parse::<u32>() {
            Ok(_) if version == VERSION => {}
            Ok(number) if number > 1 => return Err(problems::newer_link(number)),
            _ => return Err(problems::not_a_link()),
        }
        let packed = BASE64_URL_SAFE_NO_PAD.decode(packed);
        let packed = packed.map_err(|_| problems::damaged_link())?;
        let mut decoder = ZlibDecoder::new(&packed[..]);
        let mut content = Vec::new();
        let read = decoder
            .by_ref()
            .take(MAX_CONTENT as u64 + 1)
            .read_to_end(&mut content);
        match read {
            Ok(_) if content.len() > MAX_CONTENT => return Err(problems::large_link(MAX_CONTENT)),
            Ok(_) if decoder.total_in() == packed.len() as u64 => {}
            _ => return Err(problems::damaged_link()),
        }
        let link: Link = serde_json::from_slice(&content).map_err(|_| problems::not_a_link())?;
        if link.texts().any(|text| text.len() > MAX_TEXT) {
            return Err(problems::not_a_link());
        }
        Ok(link)
    }

    /// Names and answers, which messages show.
    fn texts(&self) -> impl Iterator<Item = &String> {
        let names = [&self.game, &self.rules, &self.id].into_iter().chain(&self.start);
        let dials = self.dials.iter().flat_map(|(name, value)| [name, value]);
        let rules = self
            .parts
            .keys()
            .chain(&self.variants)
            .chain(&self.without)
            .chain(dials);
        names.chain(rules).chain(&self.answers)
    }

    /// Returns the text of the link.
    ///
    /// # Errors
    ///
    /// More answers than a link has room for, or one that is too long.
    fn text(&self) -> Result<String, Problem> {
        // Texts and numbers, packed in memory: nothing here can fail.
        let content = serde_json::to_vec(self).unwrap_or_default();
        let mut packed = Vec::new();
        let _ = ZlibEncoder::new(&content[..], Compression::best()).read_to_end(&mut packed);
        let text = format!("{VERSION}.{}", BASE64_URL_SAFE_NO_PAD.encode(packed));
        Self::read(&text).map(|_| text)
    }

    /// Returns what a browser keeps of a link that it has seen, in hexadecimal digits: a digest of how the game begins
    /// and of the game up to each answer. A link that continues the game has a hash that continues this one.
    pub fn hash(&self) -> String {
        let start = Link {
            answers: Vec::new(),
            ..self.clone()
        };
        let start = serde_json::to_string(&start).unwrap_or_default();
        let mut digest = Sha256::new();
        let texts = std::iter::once(&start).chain(&self.answers);
        let digests = texts.map(|text| {
            digest.update((text.len() as u64).to_le_bytes());
            digest.update(text);
            let bytes = digest.clone().finalize();
            bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>()[..DIGEST].to_owned()
        });
        digests.collect()
    }

    /// Returns what the page is told of a link that was opened.
    pub fn summary(&self) -> Value {
        json!({ "id": self.id, "answers": self.answers.len(), "hash": self.hash() })
    }

    /// The options of the rules.
    fn options(&self) -> LoadOptions {
        let dials = self.dials.iter();
        LoadOptions {
            dials: dials
                .map(|(name, value)| (name.clone(), DialValue::read(value)))
                .collect(),
            variants: self.variants.clone(),
            without: self.without.clone(),
            ..LoadOptions::default()
        }
    }

    /// Returns the file that the game was opened with.
    fn start(&self, workspace: &Workspace) -> Result<OpenedFile, Problems> {
        let games = workspace.games();
        if !games.contains(&self.game) {
            return Err(problems::link_for_other_game(&self.game, games.join(", ")).into());
        }
        let Some(path) = &self.start else {
            return Ok(ScenarioFile::new(&self.game).into());
        };
        if !workspace.has(path) {
            return Err(problems::link_for_missing_scenario(path).into());
        }
        let opened = run::open_in(workspace, &workspace.read(path)?)?;
        match self.scenario == scenario_hash(&opened.file) && opened.file.game.value == self.game {
            true => Ok(opened),
            false => Err(problems::link_for_other_scenario(path).into()),
        }
    }

    /// Checks that the rules here are those of the link. Where they could not be loaded, their files are compared.
    fn check_rules(&self, workspace: &Workspace, ruleset: Option<&Ruleset>) -> Result<(), Problem> {
        if ruleset.is_some_and(|ruleset| ruleset.fingerprint() == self.rules) {
            return Ok(());
        }
        let here = match ruleset {
            Some(ruleset) => parts(workspace, ruleset),
            None => {
                let texts = self.parts.keys().filter_map(|path| workspace.read(path).ok());
                texts
                    .map(|source| (source.name.clone(), short_hash(&source.text)))
                    .collect()
            }
        };
        let paths: BTreeSet<&String> = self.parts.keys().chain(here.keys()).collect();
        let mut differences: Vec<String> = paths
            .into_iter()
            .filter_map(|path| match (self.parts.get(path), here.get(path)) {
                (there, here) if there == here => None,
                (Some(_), None) => Some(format!("{path} is missing here")),
                (None, _) => Some(format!("{path} is only here")),
                _ => Some(format!("{path} differs")),
            })
            .collect();
        if differences.is_empty() {
            let Some(ruleset) = ruleset else { return Ok(()) };
            differences.push(format!(
                "their fingerprint is {}, and here it is {}",
                self.rules,
                ruleset.fingerprint()
            ));
        }
        let more = differences.len().saturating_sub(MOST_DIFFERENCES);
        differences.truncate(MOST_DIFFERENCES);
        if more > 0 {
            differences.push(format!("and {more} more"));
        }
        Err(problems::link_for_other_rules(differences.join(", ")))
    }

    /// Checks that the link changes nothing of what was seen of its game.
    fn check_seen(&self, seen: &str) -> Result<(), Problem> {
        let hash = self.hash();
        let pairs = hash.as_bytes().chunks(DIGEST).zip(seen.as_bytes().chunks(DIGEST));
        match pairs.enumerate().find(|(_, (now, before))| now != before) {
            None => Ok(()),
            Some((0, _)) => Err(problems::changed_start_of_link()),
            Some((nth, _)) => Err(problems::changed_answer_of_link(nth)),
        }
    }

    /// Gives the answers.
    fn answer(&self, play: &mut Play) -> Result<(), Problem> {
        for (index, key) in self.answers.iter().enumerate() {
            let why = match play.run_on() {
                Progress::Asks | Progress::Stepped => match play.with_question(|question| question.read(key))
                {
                    Some(Ok(reply)) if play.answer_by(&reply) => continue,
                    // What could be answered may be secret.
                    Some(Err(why)) if !play.table().checkpoint.is_hidden() => why.to_string(),
                    _ => "it is not offered".to_owned(),
                },
                Progress::Over => "the game is over before it".to_owned(),
                Progress::Failed(problem) => problem.message.clone(),
                Progress::Diverged(why) => why.to_string(),
            };
            return Err(problems::unfit_answer_of_link(index + 1, why));
        }
        Ok(())
    }
}

impl Session {
    /// A session with the game of a link on the table, where it is known to the browser with the part of it that was
    /// `seen` ([`Link::hash`]). Print [`Self::greeting`] first.
    ///
    /// # Errors
    ///
    /// A link for another game, scenario or other rules; answers that do not fit or that differ from those that were
    /// seen.
    pub fn of_link(
        workspace: &Workspace,
        link: &Link,
        seen: Option<&str>,
        style: Style,
    ) -> Result<Self, Problems> {
        let files = WatchedFiles::of(workspace);
        let opened = link.start(workspace)?;
        let mut file = opened.file.clone();
        file.answers.clear();
        file.until = None;
        let mut setup = SetupSource {
            overrides: Overrides {
                seed: (link.seed != file.seed).then_some(link.seed),
                ..Overrides::default()
            },
            file: file.clone(),
            opened,
        };
        setup.keep_options(&link.options());
        let laid = lay(workspace, &file.into(), &setup.overrides);
        // Other rules explain whatever else is wrong.
        let ruleset = laid.as_ref().ok().map(|(play, ..)| &**play.ruleset());
        link.check_rules(workspace, ruleset)?;
        let (mut play, file, notes) = laid?;
        seen.map_or(Ok(()), |seen| link.check_seen(seen))?;
        link.answer(&mut play)?;
        setup.file = file;
        let mut session = Self::at(workspace, files, play, setup, style);
        session.shown.notes = notes;
        session.history.present.link = Some(link.id.clone());
        session.settle();
        Ok(session)
    }

    /// Puts the game of a link on the table; the one before is kept. Returns what the page is told, and the output.
    pub(crate) fn open_link(
        &mut self,
        text: &str,
        seen: &BTreeMap<String, String>,
    ) -> (Value, Option<Output>) {
        let refused = |Problems(problems): Problems, id: Option<&str>| {
            (json!({ "problems": problems_json(&problems), "id": id }), None)
        };
        let link = match Link::read(text) {
            Ok(link) => link,
            Err(problem) => return refused(problem.into(), None),
        };
        let known = seen.get(&link.id).map(String::as_str);
        match Self::of_link(&self.rules.workspace, &link, known, self.face.style) {
            Ok(there) => {
                // Whoever opens it plays on; no agent does.
                self.plays.sides.clear();
                let notes = there.shown.notes;
                let mut reply = self.put((there.play, there.set_up), notes, Output::default());
                self.history.present.link = Some(link.id.clone());
                self.after("", &mut reply);
                (link.summary(), Some(reply))
            }
            Err(problems) => refused(problems, Some(&link.id)),
        }
    }

    /// Returns the game as a link, with the number of its answers, what a browser keeps of it, how many of the last
    /// answers were given in a hidden phase, and whether slots or units can be hidden; `id` is a number drawn by the page, for a game that has none yet.
    pub(crate) fn link(&mut self, id: String) -> Value {
        match self.to_link(id).and_then(|link| Ok((link.text()?, link))) {
            Ok((text, link)) => {
                self.history.present.link = Some(link.id.clone());
                let mut answer = link.summary();
                answer["link"] = text.into();
                answer["secret"] = self.secret_answers().into();
                answer["hides"] = self.play.ruleset().rules.slots.secrets.into();
                answer
            }
            Err(Problems(problems)) => json!({ "problems": problems_json(&problems) }),
        }
    }

    /// The game as a link, if it can carry it.
    fn to_link(&self, id: String) -> Result<Link, Problems> {
        let (ruleset, file) = (self.play.ruleset(), &self.set_up.opened.file);
        let chapters = self.play.chapters();
        if matches!(self.state, SessionState::Failed { .. }) {
            return Err(problems::failed_game_in_link().into());
        }
        if chapters.iter().any(|chapter| chapter.edits.is_some()) {
            return Err(problems::edited_game_in_link().into());
        }
        if chapters.len() > 1 {
            return Err(problems::changed_rules_in_link().into());
        }
        if ruleset.options.scratch.is_some() {
            return Err(problems::patched_rules_in_link().into());
        }
        let path = file.source.name.as_str();
        let workspace = &self.rules.workspace;
        if !path.is_empty() && !workspace.has(path) {
            return Err(problems::unnamed_start_in_link(path).into());
        }
        let options = &ruleset.options;
        let dials = options.dials.iter();
        let answers = record::of_answers(&self.play, file, AnswerShape::ONE_EACH).answers;
        let link = Link {
            game: self.game(),
            rules: ruleset.fingerprint(),
            parts: parts(workspace, ruleset),
            start: (!path.is_empty()).then(|| path.to_owned()),
            scenario: scenario_hash(file),
            seed: self.set_up.file.seed,
            variants: options.variants.clone(),
            without: options.without.clone(),
            dials: dials
                .map(|(name, value)| (name.clone(), value.to_string()))
                .collect(),
            answers: answers.into_iter().map(|answer| answer.value).collect(),
            id: self.history.present.link.clone().unwrap_or(id),
        };
        // Whoever opens it must come to this very game.
        let there = Self::of_link(workspace, &link, None, self.face.style)?;
        match there.transcript().lines == self.transcript().lines {
            true => Ok(link),
            false => Err(problems::other_game().into()),
        }
    }

    /// Returns how many of the last answers were given in a hidden phase that is still open.
    fn secret_answers(&self) -> usize {
        let table = self.play.table();
        let since = self.play.view().since();
        let events = since.map_or(&[][..], |since| &table.events[since..]);
        let given = events
            .iter()
            .filter(|event| matches!(event, Event::Chose(answer) if !answer.only));
        given.count()
    }
}

/// A short hash of each file of the rules, by path.
fn parts(workspace: &Workspace, ruleset: &Ruleset) -> BTreeMap<String, String> {
    let register = workspace.read(&Register::path(&ruleset.rules.game)).ok();
    let scripts = ruleset.layers.texts.iter().map(|text| &text.parsed.source);
    let sources = scripts.chain(&register);
    sources
        .map(|source| (source.name.clone(), short_hash(&source.text)))
        .collect()
}

fn short_hash(text: &str) -> String {
    format!("{:04x}", text_hash(text) as u16)
}

/// The hash of the scenario's text; none for a whole game, which has none.
fn scenario_hash(file: &ScenarioFile) -> Option<String> {
    let source = &file.source;
    (!source.name.is_empty()).then(|| format!("{:016x}", text_hash(&source.text)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::JournalSink;
    use crate::kernel::dice::RollKey;
    use crate::page::page_session::{PageHost, PageSession};
    use crate::page::{self, PageRequest};
    use proptest::prelude::*;
    use std::path::Path;

    fn root() -> Workspace {
        Workspace::at(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
    }

    /// The files of a game of the repository, in memory.
    fn in_memory(game: &str) -> Workspace {
        let root = root();
        let paths = root.files_of(game).into_iter();
        Workspace::of_texts(paths.map(|path| (path.clone(), root.read(&path).expect("a text").text.clone())))
    }

    fn begun(workspace: &Workspace, start: &str, overrides: Overrides) -> Session {
        let session = Session::new(workspace, Some(start), overrides, Style::default());
        let mut session = session.unwrap_or_else(|problems| panic!("{problems}"));
        session.settle();
        session
    }

    /// Gives so many random answers, or as many as the game has.
    fn play(session: &mut Session, answers: usize) {
        for nth in 0..answers {
            let Some(count) = session
                .play
                .with_question(|question| question.request.options.iter().count())
            else {
                return;
            };
            let answered = session.play.answer(RollKey::new(7).with(nth as u64).below(count));
            assert!(answered, "an option is offered");
            session.settle();
        }
    }

    /// The text of the link, and the answer that it came in.
    fn linked(session: &mut Session) -> (String, Value) {
        let answer = session.link("id".to_owned());
        let text = answer["link"].as_str();
        (text.unwrap_or_else(|| panic!("{answer}")).to_owned(), answer)
    }

    fn opened(workspace: &Workspace, text: &str) -> Session {
        let link = Link::read(text).unwrap_or_else(|problem| panic!("{problem}"));
        let session = Session::of_link(workspace, &link, None, Style::default());
        session.unwrap_or_else(|problems| panic!("{problems}"))
    }

    fn refused(workspace: &Workspace, link: &Link, seen: Option<&str>) -> Problem {
        let session = Session::of_link(workspace, link, seen, Style::default());
        session.err().expect("it is refused").0.remove(0)
    }

    /// The id of the problem for which a session has no link.
    fn why_none(session: &mut Session) -> String {
        let answer = session.link(String::new());
        answer["problems"][0]["id"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// A link of a game after so many random answers.
    fn sample(workspace: &Workspace, start: &str, answers: usize) -> Link {
        let mut session = begun(workspace, start, Overrides::default());
        play(&mut session, answers);
        Link::read(&linked(&mut session).0).expect("it can be read")
    }

    #[test]
    fn whoever_opens_a_link_sees_the_same_game_and_plays_on() {
        let root = root();
        for game in root.games() {
            let overrides = Overrides {
                seed: Some(u64::MAX),
                ..Overrides::default()
            };
            let mut session = begun(&root, &game, overrides);
            for moment in [0, 1, 2, 9, 25] {
                play(&mut session, moment);
                let (text, answer) = linked(&mut session);
                let mut there = opened(&root, &text);
                assert_eq!(there.transcript(), session.transcript(), "{game}");
                assert_eq!(answer["answers"], session.play.given_count(), "{game}");
                // Both go on alike, and the game keeps its id.
                let mut here = opened(&root, &text);
                play(&mut here, 3);
                play(&mut there, 3);
                assert_eq!(there.transcript(), here.transcript(), "{game}");
                let id = there.link("another".to_owned())["id"].clone();
                assert_eq!(id, "id");
            }
        }
    }

    #[test]
    fn a_link_carries_scenario_variants_dials_and_undone_answers() {
        let root = root();
        let overrides = Overrides {
            dials: vec![("max_rounds".to_owned(), DialValue::Number(3))],
            variants: vec!["friendly-fire".to_owned()],
            ..Overrides::default()
        };
        // It has dials, answers and rolls of its own.
        let mut session = begun(&root, "a-die-is-shifted-once", overrides);
        assert!(session.play.given_count() > 0);
        let mut there = opened(&root, &linked(&mut session).0);
        assert_eq!(there.transcript(), session.transcript());
        assert_eq!(there.set_up.overrides, session.set_up.overrides);
        session.line(":undo");
        let mut there_before = opened(&root, &linked(&mut session).0);
        assert_eq!(there_before.transcript(), session.transcript());
        assert_ne!(there_before.transcript(), there.transcript());
        // A game that is begun again is another one.
        for session in [&mut session, &mut there, &mut there_before] {
            assert_eq!(session.history.present.link.as_deref(), Some("id"));
            session.line(":restart");
            assert_eq!(session.history.present.link, None);
        }
        assert_eq!(there.transcript(), session.transcript());
        assert_eq!(there_before.transcript(), session.transcript());
    }

    #[test]
    fn a_game_keeps_its_id() {
        let workspace = in_memory("the-wager");
        let mut session = begun(&workspace, "the-wager", Overrides::default());
        let sink = JournalSink::default();
        session.record_into(sink.clone());
        let id = |session: &mut Session, drawn: &str| {
            let (answer, _) = session.page_asks(PageRequest::Link { id: drawn.to_owned() });
            answer["id"].as_str().map(str::to_owned)
        };
        session.pages.desk = Some(PageSession::new(Box::new(NoPage)));
        play(&mut session, 2);
        assert_eq!(id(&mut session, "first").as_deref(), Some("first"));
        let check_resumed = |session: &mut Session| {
            let journal = sink.lock().expect("no panic").text.clone();
            let sink = JournalSink::default();
            let resumed = Session::of_records(&workspace, &journal, sink, Style::default());
            let mut resumed = resumed.unwrap_or_else(|problems| panic!("{problems}"));
            let (text, answer) = linked(&mut resumed);
            assert_eq!((&answer["id"], text), (&json!("first"), linked(session).0));
        };
        check_resumed(&mut session);
        // Undone answers and other ones belong to the game.
        session.line(":undo");
        play(&mut session, 1);
        assert_eq!(id(&mut session, "second").as_deref(), Some("first"));
        session.line(":new the-wager");
        assert_eq!(id(&mut session, "third").as_deref(), Some("third"));
        session.line(":undo");
        assert_eq!(id(&mut session, "fourth").as_deref(), Some("first"));
        check_resumed(&mut session);
    }

    struct NoPage;

    impl PageHost for NoPage {
        fn address(&self) -> String {
            String::new()
        }

        fn browse(&self) -> bool {
            false
        }

        fn show(&self, _: &Value) {}

        fn pages(&self) -> usize {
            0
        }
    }

    #[test]
    fn what_a_link_cannot_carry_is_refused() {
        let workspace = in_memory("smalltricks");
        let new = || begun(&workspace, "smalltricks", Overrides::default());
        let scenario = || begun(&workspace, "charge-into-spears", Overrides::default());
        for (line, id) in [
            (":edit reserve red.mounted1", "edited-game-in-link"),
            (":set mounted.charge=3", "changed-rules-in-link"),
            (":patch game fn open_game() { base(); }", "changed-rules-in-link"),
        ] {
            let mut session = scenario();
            let output = session.line(line);
            assert!(!output.failed(), "{line}: {}", output.print());
            assert_eq!(why_none(&mut session), id, "{line}");
            session.line(":undo");
        }
        let mut session = scenario();
        session.line(":patch game fn open_game() { base(); }");
        session.line(":restart");
        assert_eq!(why_none(&mut session), "patched-rules-in-link");
        // Rules that are set before the game begins are part of the link.
        let mut session = scenario();
        session.line(":set mounted.charge=3");
        session.line(":restart");
        linked(&mut session);
        let mut session = new();
        session.set_up.opened.file.source = crate::report::Source::new("elsewhere.toml", "");
        assert_eq!(why_none(&mut session), "unnamed-start-in-link");
        // What the link says does not give the game on the table.
        let mut session = begun(&root(), "pocket-tactics", Overrides::default());
        play(&mut session, 1);
        session.set_up.file.seed += 1;
        assert_eq!(why_none(&mut session), "other-game");
        let mut session = new();
        let game = "scripts/smalltricks/game.rhai";
        let text = workspace.read(game).expect("a text").text.clone();
        workspace.write(game, "fn").expect("written");
        assert_ne!(why_none(&mut session), "");
        workspace.write(game, &text).expect("written");
        linked(&mut session);
    }

    #[test]
    fn a_link_for_something_else_says_what_differs() {
        let link = sample(&root(), "charge-into-spears", 0);
        let other = in_memory("the-wager");
        let problem = refused(&other, &link, None);
        assert_eq!(problem.arguments(), ["smalltricks", "the-wager"]);

        let (units, path) = (
            "units/smalltricks/spears.rhai",
            link.start.clone().expect("a path"),
        );
        let here = in_memory("smalltricks");
        let text = here.read(units).expect("a text").text.clone();
        here.write(units, &format!("{text}\n// More.\n"))
            .expect("written");
        let mut less = link.clone();
        less.parts.remove("scripts/smalltricks/game.rhai");
        let problem = refused(&here, &less, None);
        let differences = format!("scripts/smalltricks/game.rhai is only here, {units} differs");
        assert_eq!(
            (problem.id(), problem.arguments()),
            ("link-for-other-rules", &[differences][..])
        );
        // Rules that cannot be loaded have other files, too.
        here.write(units, "fn").expect("written");
        let problem = refused(&here, &link, None);
        assert_eq!(problem.arguments(), [format!("{units} differs")]);
        let _ = here.remove(units);
        let problem = refused(&here, &link, None);
        assert_eq!(problem.arguments(), [format!("{units} is missing here")]);

        here.write(units, &text).expect("written");
        let scenario = here.read(&path).expect("a text").text.clone();
        here.write(&path, &format!("{scenario}\n# More.\n"))
            .expect("written");
        assert_eq!(refused(&here, &link, None).id(), "link-for-other-scenario");
        let _ = here.remove(&path);
        assert_eq!(refused(&here, &link, None).id(), "link-for-missing-scenario");
        let elsewhere = Link {
            start: Some("../smalltricks.toml".to_owned()),
            ..link.clone()
        };
        assert_eq!(
            refused(&root(), &elsewhere, None).id(),
            "link-for-missing-scenario"
        );
        let unknown = Link {
            variants: vec!["no-such".to_owned()],
            ..link
        };
        assert_eq!(refused(&root(), &unknown, None).id(), "unknown-name");
    }

    #[test]
    fn an_answer_that_does_not_fit_is_named() {
        let mut link = sample(&root(), "very-quick-violence", 6);
        link.answers[4] = "nonsense".to_owned();
        let problem = refused(&root(), &link, None);
        assert_eq!(
            (problem.id(), problem.arguments()[0].as_str()),
            ("unfit-answer-of-link", "5")
        );
        assert!(problem.message.contains("`nonsense`"), "{problem}");
        // The first answer of this game is a secret.
        let mut link = sample(&root(), "smalltricks", 1);
        link.answers[0] = "nonsense".to_owned();
        let problem = refused(&root(), &link, None);
        assert_eq!(problem.arguments(), ["1", "it is not offered"]);
    }

    #[test]
    fn a_link_that_changes_what_was_seen_is_told() {
        let before = sample(&root(), "very-quick-violence", 6);
        let seen = before.hash();
        let later = sample(&root(), "very-quick-violence", 8);
        assert!(later.hash().starts_with(&seen));
        for link in [&before, &later] {
            assert_eq!(link.check_seen(&seen), Ok(()));
        }
        assert_eq!(
            before.check_seen(&later.hash()),
            Ok(()),
            "an older link changes nothing"
        );
        let mut changed = later.clone();
        changed.answers[4] = "another".to_owned();
        let problem = refused(&root(), &changed, Some(&seen));
        assert_eq!(
            (problem.id(), problem.arguments()),
            ("changed-answer-of-link", &["5".to_owned()][..])
        );
        let other_dice = Link {
            seed: 2,
            ..later.clone()
        };
        assert_eq!(
            refused(&root(), &other_dice, Some(&seen)).id(),
            "changed-start-of-link"
        );
        assert!(Session::of_link(&root(), &later, Some(&seen), Style::default()).is_ok());
    }

    #[test]
    fn secrets_travel_in_the_link_and_are_not_shown() {
        let root = root();
        let mut session = begun(&root, "smalltricks", Overrides::default());
        assert_eq!(linked(&mut session).1["secret"], 0);
        let first = session.viewer().expect("the muster is hidden");
        while session.viewer() == Some(first) {
            play(&mut session, 1);
        }
        let (text, answer) = linked(&mut session);
        let link = Link::read(&text).expect("it can be read");
        assert!(!link.answers.is_empty());
        assert_eq!(answer["secret"], link.answers.len());
        let mut there = opened(&root, &text);
        // The page of whoever chose otherwise is the same.
        let mut other = begun(&root, "smalltricks", Overrides::default());
        while other.viewer() == Some(first) {
            let last = other
                .play
                .with_question(|question| question.request.options.iter().count() - 1);
            other.play.answer(last.expect("a question"));
            other.settle();
        }
        let (other_text, _) = linked(&mut other);
        assert_ne!(
            Link::read(&other_text).expect("it can be read").answers,
            link.answers
        );
        let mut other = opened(&root, &other_text);
        let state = page::state::of(&mut there);
        assert_eq!(state, page::state::of(&mut other));
        assert_ne!(state["secret"], Value::Null);
        // When the phase is over, nothing of it is secret any more.
        for session in [&mut there, &mut other] {
            while session.is_secret() {
                play(session, 1);
            }
            assert_eq!(linked(session).1["secret"], 0);
        }
        assert_ne!(page::state::of(&mut there), page::state::of(&mut other));
    }

    fn packed(content: &[u8]) -> String {
        let mut packed = Vec::new();
        ZlibEncoder::new(content, Compression::best())
            .read_to_end(&mut packed)
            .expect("packed");
        format!("{VERSION}.{}", BASE64_URL_SAFE_NO_PAD.encode(packed))
    }

    #[test]
    fn what_is_no_whole_link_is_refused() {
        let link = sample(&root(), "the-wager", 2);
        let text = link.text().expect("a text");
        assert_eq!(Link::read(&format!(" {text}\n")), Ok(link.clone()));
        let id = |text: &str| Link::read(text).map_err(|problem| problem.id().to_owned());
        for not in [
            "",
            "1",
            ".",
            "x.y",
            "01.x",
            "-1.x",
            "https://example.org/",
            &packed(b"{}"),
            &packed(b"\xff"),
        ] {
            assert_eq!(id(not), Err("not-a-link".to_owned()), "{not}");
        }
        let long = "x".repeat(MAX_TEXT + 1);
        for long in [
            Link {
                id: long.clone(),
                ..link.clone()
            },
            Link {
                start: Some(long.clone()),
                ..link.clone()
            },
            Link {
                dials: BTreeMap::from([("x".to_owned(), long.clone())]),
                ..link.clone()
            },
            Link {
                answers: vec![long.clone()],
                ..link.clone()
            },
        ] {
            assert_eq!(
                long.text().map_err(|problem| problem.id().to_owned()),
                Err("not-a-link".to_owned())
            );
        }
        for damaged in [
            "1.",
            "1.x",
            "1.\u{e9}",
            &format!("{text}AAAA"),
            &text.replacen('A', "B", 1),
        ] {
            assert_eq!(id(damaged), Err("damaged-link".to_owned()), "{damaged}");
        }
        for length in 2..text.len() {
            assert_eq!(id(&text[..length]), Err("damaged-link".to_owned()), "{length}");
        }
        assert_eq!(id("2.x"), Err("newer-link".to_owned()));
        assert_eq!(id(&"1.".repeat(MAX_LINK)), Err("long-link".to_owned()));
        assert_eq!(
            id(&packed(&vec![b' '; MAX_CONTENT + 1])),
            Err("large-link".to_owned())
        );
        assert_eq!(
            id(&packed(&vec![b' '; MAX_CONTENT])),
            Err("not-a-link".to_owned())
        );
        // Texts that cannot be packed.
        let keys = (0..MAX_LINK as u64).map(|nth| format!("{:x}", RollKey::new(nth).below_u64(u64::MAX)));
        let long = Link {
            answers: keys.collect(),
            ..link
        };
        assert_eq!(
            long.text().map_err(|problem| problem.id().to_owned()),
            Err("long-link".to_owned())
        );
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,60}", bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Link::read(&text);
            let _ = Link::read(&format!("1.{text}"));
            let _ = Link::read(&format!("1.{}", BASE64_URL_SAFE_NO_PAD.encode(&bytes)));
            let _ = Link::read(&packed(&bytes));
        }

        #[test]
        fn a_changed_link_is_never_taken_for_another(at in any::<prop::sample::Index>(), to in "[A-Za-z0-9_.-]") {
            let link = Link {
                game: "duel".to_owned(),
                answers: (0..40).map(|nth| format!("c{nth}")).collect(),
                ..EMPTY
            };
            let mut text = link.text().expect("a text");
            let at = at.index(text.len());
            text.replace_range(at..=at, &to);
            if let Ok(read) = Link::read(&text) {
                prop_assert_eq!(read, link);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn no_content_makes_a_session_panic(
            answers in proptest::collection::vec("[a-z]{1,6}|[a-j][0-9]|\\PC{0,8}", 0..4),
            names in proptest::collection::vec("\\PC{0,8}", 3),
            seed in any::<u64>(),
        ) {
            let workspace = in_memory("the-wager");
            let [variant, dial, start] = &names[..] else { unreachable!() };
            let link = Link { answers, seed, ..sample(&workspace, "the-wager", 0) };
            let with_names = Link {
                variants: vec![variant.clone()],
                without: vec![variant.clone()],
                dials: BTreeMap::from([(dial.clone(), start.clone())]),
                ..link.clone()
            };
            let with_start = Link { start: Some(start.clone()), ..link.clone() };
            let _ = Session::of_link(&workspace, &link, Some(start), Style::default());
            for link in [with_names, with_start] {
                prop_assert!(Session::of_link(&workspace, &link, None, Style::default()).is_err());
            }
        }
    }

    const EMPTY: Link = Link {
        game: String::new(),
        rules: String::new(),
        parts: BTreeMap::new(),
        start: None,
        scenario: None,
        seed: 1,
        variants: Vec::new(),
        without: Vec::new(),
        dials: BTreeMap::new(),
        answers: Vec::new(),
        id: String::new(),
    };
}
