//! Arm of a study: rules, start, agents, armies and seats; the only way to play its games.

use super::heading::{DefaultLayers, Heading};
use super::measure::GameFacts;
use super::problems;
use super::record::{self, GameEnd, GameRecord, RecordCounter, side_in};
use crate::agents::{self, Agent, Mind, Random};
use crate::kernel::choice::{OfferedOption, StepId};
use crate::kernel::dice::RollKey;
use crate::kernel::event::Event;
use crate::kernel::ids::{FactionId, TypeId};
use crate::kernel::ignored_in_eq::IgnoredInEq;
use crate::kernel::rules::Rules;
use crate::kernel::table::{AnswerError, Answerer, Halt, Keeps, Position, Question, Reply};
use crate::option_text::QuestionWords;
use crate::play::{Play, Progress};
use crate::report::{Problem, Problems, Source, hint_for};
use crate::rules::layers::SCRATCH;
use crate::rules::ruleset::Ruleset;
use crate::rules::workspace::Workspace;
use crate::scenario::answers;
use crate::scenario::file::ScenarioFile;
use crate::stage::run::{self, Overrides, PlayStop, Setup};
use crate::stage::transcribe;
use crate::suite::problems::unknown_name;
use crate::transcript::Transcript;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// A game with more steps than this is cut off, unless the study says otherwise.
pub const CUT_OFF: u32 = 20_000;

/// Armies of the players, where a game asks them for unit types.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArmyPolicy {
    /// The agents answer, as they answer everything.
    Asked,
    /// Every type is drawn, each as likely; a side takes its draws along when seats are swapped.
    Drawn,
    /// Each side draws one of these for each pairing of games.
    Listed(Vec<Vec<String>>),
    /// Each side has its own; `None` is left to its agent.
    Fixed(Vec<Option<Vec<String>>>),
    /// Each side fields one type, as many as it may.
    Uniform(Vec<String>),
}

/// Arm that a study plays. With it and a number a game can be played again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arm {
    /// The game.
    pub game: String,
    /// The scenario that it starts from, with variants and dials.
    pub start: String,
    /// Variants that are off although the game has adopted them.
    pub without: Vec<String>,
    /// The text of the scratch layer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scratch: Option<String>,
    /// The fingerprint of the rules.
    pub rules: String,
    /// Agents, by player: the first player has the first faction until seats are swapped.
    pub agents: Vec<String>,
    /// Armies that are fielded.
    pub armies: ArmyPolicy,
    /// Whether all other questions in set-up are answered at random, whichever agents play.
    pub draw_setup: bool,
    /// Whether every pairing is played in every seat.
    pub swap: bool,
    /// The study's seed.
    pub seed: u64,
    /// Number of games.
    pub games: u64,
    /// After how many steps a game is cut off.
    pub cut_off: u32,
    /// Defaults of its start; unknown if the setting comes from a results file.
    #[serde(skip)]
    pub own: IgnoredInEq<DefaultLayers>,
    /// Of which labels the first game rolled more before the last written answer than its start scripts, in sentences.
    #[serde(skip)]
    pub beyond_script: IgnoredInEq<Vec<String>>,
}

/// Options of an arm, from a command line or a file.
#[derive(Debug, Clone, Default)]
pub struct ArmOptions {
    /// Agents, each for all or as `FACTION=NAME`.
    pub agents: Vec<String>,
    /// Armies, each for all or as `FACTION=TYPE*N ...`; or the one word `asked` or `drawn`.
    pub armies: Vec<String>,
    /// A list of armies to draw from, one a line.
    pub list: Option<String>,
    /// Seats are not swapped.
    pub no_swap: bool,
    /// Whether all other questions in set-up are answered at random.
    pub draw_setup: bool,
    /// The seed.
    pub seed: Option<u64>,
    /// Number of games.
    pub games: u64,
    /// After how many steps a game is cut off.
    pub cut_off: Option<u32>,
}

impl Arm {
    /// Whether it can be a study: of games, somebody who plays, and an army for each side where sides have armies.
    pub fn is_whole(&self) -> bool {
        let sides = self.agents.len();
        let armies = match &self.armies {
            ArmyPolicy::Asked | ArmyPolicy::Drawn => sides,
            ArmyPolicy::Listed(all) => sides.min(all.len() * sides),
            ArmyPolicy::Fixed(all) => all.len(),
            ArmyPolicy::Uniform(all) => all.len(),
        };
        self.games > 0 && sides > 0 && armies == sides
    }

    /// The setting of a scenario file under overrides, as it is asked for. One game is played to see that it can be.
    ///
    /// # Errors
    ///
    /// Rules or a position that cannot be laid; agents, factions and unit types that are not there; zero games; a
    /// game that cannot be played so.
    pub fn new(
        workspace: &Workspace,
        file: &ScenarioFile,
        overrides: &Overrides,
        wanted: &ArmOptions,
    ) -> Result<Self, Problems> {
        if wanted.games == 0 {
            return Err(problems::no_games().into());
        }
        let setup = run::lay(workspace, file, overrides)?.playable()?;
        let rules = Arc::clone(&setup.play.ruleset().rules);
        let factions = rules.factions.len();
        let mut agents = vec!["random".to_owned(); factions];
        let named = wanted.agents.iter();
        let named = named.map(|word| agent(Some(&rules), word).map(|(of, name)| (of, name.to_owned())));
        put_all(&mut agents, named.collect::<Result<_, _>>()?);
        let armies = armies(&rules, wanted)?;
        let own = DefaultLayers::of(workspace, file, setup.play.ruleset())?;
        let mut file = setup.file;
        // Who plays and how far is the study's to say.
        file.until = None;
        file.expect.clear();
        file.open = crate::scenario::file::DEFAULT_OPEN.to_owned().into();
        file.title = None;
        file.about = None;
        file.proves.clear();
        let mut setting = Self {
            game: file.game.value.clone(),
            start: file.to_toml(),
            without: overrides.without.clone(),
            scratch: overrides.scratch.clone(),
            rules: setup.play.ruleset().fingerprint(),
            agents,
            armies,
            draw_setup: wanted.draw_setup,
            swap: false,
            seed: wanted.seed.unwrap_or(1),
            games: wanted.games,
            cut_off: wanted.cut_off.unwrap_or(CUT_OFF),
            own: IgnoredInEq(own),
            beyond_script: IgnoredInEq::default(),
        };
        let course = workspace.work().begin("first games", Some(1));
        let mut runner = GameRunner::lay(workspace, &setting)?;
        let first = (!course.is_stopped()).then(|| runner.play(0));
        match first {
            Some(first) if first.end != GameEnd::Failed => course.step(),
            // That a game is stopped is no fault of it.
            _ if course.is_stopped() => {
                return Err(problems::stopped_early().into());
            }
            Some(first) => return Err(runner.problems_of(&first)),
            None => {}
        }
        drop(course);
        peopled(&runner.play)?;
        let beyond = runner.beyond_script.iter().map(|(label, scripted)| {
            format!(
                "the scenario scripts {scripted} of `{label}`; the other rolls before its last answer come from the seed"
            )
        });
        setting.beyond_script = IgnoredInEq(beyond.collect());
        let named = match &setting.armies {
            ArmyPolicy::Listed(_) => true,
            ArmyPolicy::Fixed(all) => all.iter().any(Option::is_some),
            ArmyPolicy::Asked | ArmyPolicy::Drawn | ArmyPolicy::Uniform(_) => false,
        };
        if named && runner.tally.borrow().drafted == 0 {
            return Err(problems::unused_armies(&setting.game).into());
        }
        let agents_differ = setting.agents.iter().any(|a| *a != setting.agents[0]);
        setting.swap = !wanted.no_swap && (agents_differ || runner.tally.borrow().drafted > 0);
        Ok(setting)
    }

    /// Returns the number of seeds; the last one is played in every seat as well.
    pub fn seeds(&self) -> u64 {
        self.games.div_ceil(self.seats())
    }

    /// Describes the agents that play, in a few words.
    pub fn agents_text(&self) -> String {
        match self.agents.iter().all(|a| *a == self.agents[0]) {
            true => self.agents[0].clone(),
            false => self.agents.join(" against "),
        }
    }

    /// Returns the number of games with the same seed: one for each order of the seats.
    pub fn seats(&self) -> u64 {
        if self.swap { self.agents.len() as u64 } else { 1 }
    }

    /// Returns the heading of a report about it.
    pub fn heading(&self) -> Heading {
        let (mut start, _) = ScenarioFile::parse_as_far(Source::new("", self.start.as_str()));
        let scratch = self.scratch.iter().map(|_| SCRATCH.to_owned().into());
        start.variants.extend(scratch);
        Heading {
            seed: self.seed,
            agents: self.agents.clone(),
            every_seat: self.swap,
            ..Heading::of_start(&self.own.0, &start, &self.without)
        }
    }

    /// The seed of a game's dice and agents: that of its pairing.
    pub fn seed_of(&self, game: u64) -> u64 {
        let key = RollKey::new(self.seed)
            .with_text("study")
            .with(game / self.seats());
        // Files hold signed numbers, and other programs read fractions.
        key.below_u64(1 << 53)
    }
}

/// Refuses a game of unit types in which no unit ever was, nobody had a choice and no die was rolled.
///
/// # Errors
///
/// This play is one.
fn peopled(play: &Play) -> Result<(), Problem> {
    let table = play.table();
    let happens = |event: &Event| match event {
        Event::Chose(answer) => !answer.only,
        Event::Rolled { .. } | Event::Threw { .. } => true,
        _ => false,
    };
    let is_played = || table.events.iter().any(happens);
    if !table.nobody_has_units() || is_played() {
        return Ok(());
    }
    Err(problems::nobody_has_units())
}

/// The faction before `=`, if any, and the rest.
fn of_faction<'a>(rules: &Rules, word: &'a str) -> Result<(Option<usize>, &'a str), Problem> {
    let Some((name, rest)) = word.split_once('=') else {
        return Ok((None, word.trim()));
    };
    let known = rules.factions.iter().map(String::as_str);
    let faction = rules
        .faction(name.trim())
        .ok_or_else(|| unknown_name("faction", name.trim()).hint(hint_for(name.trim(), known)))?;
    Ok((Some(faction.index()), rest.trim()))
}

/// An agent as users write it, for all or as `FACTION=NAME`; the faction where there are rules to know it by.
///
/// # Errors
///
/// A faction or an agent that is not there.
pub fn agent<'a>(rules: Option<&Rules>, word: &'a str) -> Result<(Option<usize>, &'a str), Problem> {
    let (faction, name) = match rules {
        Some(rules) => of_faction(rules, word)?,
        None => (None, word.split_once('=').map_or(word, |(_, name)| name).trim()),
    };
    Agent::find(name)?;
    Ok((faction, name))
}

/// Gives each its own, be it named before or behind what all others get.
fn put_all<T: Clone>(all: &mut [T], mut given: Vec<(Option<usize>, T)>) {
    given.sort_by_key(|(one, _)| one.is_some());
    for (one, value) in given {
        match one {
            Some(index) => all[index] = value,
            None => all.fill(value),
        }
    }
}

/// The armies of the players, as users write them.
///
/// # Errors
///
/// A list that cannot be read; a faction or a unit type that is not there.
pub fn armies(rules: &Rules, wanted: &ArmOptions) -> Result<ArmyPolicy, Problems> {
    if let Some(path) = &wanted.list {
        let source = Source::read(path)?;
        let mut all = Vec::new();
        let mut problems = Vec::new();
        let mut at = 0;
        for line in source.text.split_inclusive('\n') {
            let span = at..at + line.trim_end().len();
            at += line.len();
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match army(rules, line) {
                Ok(army) => all.push(army),
                Err(problem) => problems.push(problem.at(&source, span)),
            }
        }
        Problems::check(problems)?;
        if all.is_empty() {
            return Err(problems::empty_army_list(path).into());
        }
        return Ok(ArmyPolicy::Listed(all));
    }
    match &wanted.armies[..] {
        [] => return Ok(ArmyPolicy::Drawn),
        [one] if one == "asked" => return Ok(ArmyPolicy::Asked),
        [one] if one == "drawn" => return Ok(ArmyPolicy::Drawn),
        _ => {}
    }
    let (mut fixed, mut given) = (vec![None; rules.factions.len()], Vec::new());
    for word in &wanted.armies {
        let (faction, text) = of_faction(rules, word)?;
        let army = match text {
            "asked" => None,
            "drawn" => {
                return Err(problems::drawn_for_one(word).into());
            }
            text => Some(army(rules, text)?),
        };
        given.push((faction, army));
    }
    put_all(&mut fixed, given);
    Ok(ArmyPolicy::Fixed(fixed))
}

/// An army as users write it: types, each with `*N` behind it for several.
fn army(rules: &Rules, text: &str) -> Result<Vec<String>, Problem> {
    let mut types = Vec::new();
    for word in text.split([' ', ',', '+']).filter(|w| !w.is_empty()) {
        let (name, times) = word.split_once('*').unwrap_or((word, "1"));
        if rules.unit_type(name).is_none() {
            let known = rules.types.iter().map(|t| t.name.as_str());
            let known = known.chain(["asked", "drawn"]).filter(|known| *known != name);
            return Err(unknown_name("unit type", name).hint(hint_for(name, known)));
        }
        let times = times.parse::<usize>().ok().filter(|n| (1..=1000).contains(n));
        let times = times.ok_or_else(|| problems::wrong_count(word))?;
        types.extend(std::iter::repeat_n(name.to_owned(), times));
    }
    match types.is_empty() {
        true => Err(problems::empty_army()),
        false => Ok(types),
    }
}

/// A game of a study as it was played, with what it is played on, ready for the next one.
pub struct GameRunner {
    /// The play, at the end of the game that was played last.
    pub play: Play,
    /// The scenario that it starts from.
    pub file: ScenarioFile,
    start: Position,
    arm: Arm,
    agents: Vec<Agent>,
    tally: Rc<RefCell<RecordCounter>>,
    /// Problems of the last game, if it failed.
    failed: Option<Problems>,
    /// The labels of which the game that was played last rolled more than is scripted in the steps before the one that
    /// took the last written answer, with how many are scripted.
    beyond_script: BTreeMap<String, usize>,
    /// Further values that are read while games are played.
    pub look: Look,
    /// Parts of a game that the table keeps while it is played.
    pub keeps: Keeps,
}

/// Values that are read while games are played, besides their events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Look {
    /// Nothing.
    #[default]
    Nothing,
    /// The worth of positions and the places of units, as rounds begin.
    Rounds,
    /// The worth of the final position to the first faction.
    End,
}

impl GameRunner {
    /// Loads the rules and lays the table.
    ///
    /// # Errors
    ///
    /// What cannot be loaded or laid.
    pub fn lay(workspace: &Workspace, arm: &Arm) -> Result<Self, Problems> {
        let file = ScenarioFile::parse(Source::new("the start of the study", arm.start.as_str()))?;
        let overrides = Overrides {
            without: arm.without.clone(),
            scratch: arm.scratch.clone(),
            ..Overrides::default()
        };
        Self::on(run::lay(workspace, &file, &overrides)?, arm)
    }

    /// Lays the table of another runner once more, for another thread.
    ///
    /// # Errors
    ///
    /// What cannot be laid.
    pub fn again(ruleset: &Arc<Ruleset>, file: &ScenarioFile, arm: &Arm) -> Result<Self, Problems> {
        Self::on(run::lay_on(Arc::clone(ruleset), file.clone())?, arm)
    }

    fn on(mut setup: Setup, arm: &Arm) -> Result<Self, Problems> {
        let agents: Result<Vec<Agent>, Problem> = arm.agents.iter().map(|a| Agent::find(a)).collect();
        let rules = &setup.play.ruleset().rules;
        let (sides, agents_of) = (rules.factions.len(), arm.agents.len());
        if sides != agents_of {
            return Err(problems::wrong_agent_count(agents_of, sides).into());
        }
        let tally = Rc::new(RefCell::new(RecordCounter::new(rules)));
        let heard = Rc::clone(&tally);
        let table = setup.play.table_mut();
        table.chance.may_miss = true;
        table.listener = Some(Box::new(move |event, words| {
            heard.borrow_mut().hear(event, words)
        }));
        Ok(Self {
            play: setup.play,
            file: setup.file,
            start: setup.start,
            arm: arm.clone(),
            agents: agents?,
            tally,
            failed: None,
            beyond_script: BTreeMap::new(),
            look: Look::Nothing,
            keeps: Keeps::ALL,
        })
    }

    /// Returns the properties of the game that counting needs.
    pub fn facts(&self) -> GameFacts {
        let (rules, round) = (&self.ruleset().rules, self.tally.borrow().round);
        let differ = self.arm.agents.iter().any(|a| *a != self.arm.agents[0]);
        GameFacts {
            factions: rules.factions.clone(),
            round: round.map(|round| rules.phases[round as usize].name.clone()),
            agents: match self.arm.swap && differ {
                true => self.arm.agents.clone(),
                false => Vec::new(),
            },
            seats: self.arm.seats(),
            has_worth: self.play.worth_given(),
            without_worth: agents::without_worth(&self.agents, &self.play),
            notes: agents::without_lookahead(&self.agents)
                .into_iter()
                .chain(self.arm.beyond_script.0.iter().cloned())
                .collect(),
        }
    }

    /// The ruleset.
    pub fn ruleset(&self) -> &Arc<Ruleset> {
        self.play.ruleset()
    }

    /// Returns why a game failed that was played last, with its place in the rules if there is one.
    pub fn problems_of(&mut self, game: &GameRecord) -> Problems {
        let why = self.failed.take();
        let why = why.unwrap_or_else(|| problems::failed_game(game.reason.clone()).into());
        why.within(&format!("game {} fails (seed {})", game.game, game.seed))
    }

    /// Plays the game of this number to its end, and says what became of it.
    pub fn play(&mut self, game: u64) -> GameRecord {
        // Those whose first answer is written are looked at on the way.
        let keeps = match self.file.answers.is_empty() {
            true => self.keeps,
            false => Keeps::ALL,
        };
        let record = self.play_keeping(game, keeps);
        let table = self.play.table();
        let lacks = table.record_read.get() || table.halt() == Some(&Halt::Waiting);
        if table.keeps() == Keeps::ALL || !lacks && record.end != GameEnd::Failed {
            return record;
        }
        // It is played again with what it lacks, or so that it can be said why it fails.
        if lacks {
            self.keeps = Keeps::ALL;
        }
        self.play_keeping(game, Keeps::ALL)
    }

    fn play_keeping(&mut self, game: u64, keeps: Keeps) -> GameRecord {
        let seed = self.arm.seed_of(game);
        self.start.seed = seed;
        let table = self.play.table_mut();
        table.keep(keeps);
        table.record_read.set(false);
        self.play.restart(&self.start);
        self.failed = None;
        let looks = self.look == Look::Rounds;
        self.tally.borrow_mut().begin(&self.play, looks);
        let stopped = self.play_out(game, seed);
        self.play.clear_source();
        let (measures, stopped) = match (record::measures(&mut self.play), stopped) {
            (Err(problem), Ok(_)) => (BTreeMap::new(), Err(self.fail(problem.into()))),
            (measures, stopped) => (measures.unwrap_or_default(), stopped),
        };
        let (worth, stopped) = match self.look == Look::End && stopped.is_ok() {
            true => {
                let world = self.play.table().world.clone();
                match self.play.worth(FactionId(0), world) {
                    Ok(worth) => (worth, stopped),
                    Err(problems) => (0, Err(self.fail(problems))),
                }
            }
            false => (0, stopped),
        };
        let (table, mut tally) = (self.play.table(), self.tally.borrow_mut());
        // Steps that ran again are heard of now, once.
        for event in &table.events {
            tally.hear(event, &table.words);
        }
        let record = tally.record(table, measures, stopped);
        GameRecord {
            game,
            seed,
            worth,
            ..record
        }
    }

    fn play_out(&mut self, game: u64, seed: u64) -> Result<GameEnd, String> {
        let factions = self.agents.len();
        let nth = game % self.arm.seats();
        let player = |faction: usize| side_in(faction, nth, factions);
        let seated: Vec<Agent> = (0..factions).map(|f| self.agents[player(f)]).collect();
        let seats = SeatedAgents {
            sources: seated.iter().map(|agent| agent.source(seed)).collect(),
            draft: (0..factions).map(|f| self.draft(game, seed, player(f))).collect(),
            tally: Rc::clone(&self.tally),
            musters: true,
            setup: self.arm.draw_setup.then_some(Random::new(seed)),
        };
        let mut source: Box<dyn Answerer> = Box::new(seats);
        let (mut written, mut before_last) = (None, 0);
        self.beyond_script.clear();
        if !self.file.answers.is_empty() {
            match answers::read(&self.file, Some(source)) {
                Ok(read) => {
                    written = Some(read.progress());
                    source = Box::new(read);
                }
                Err(problems) => return Err(self.fail(problems)),
            }
        }
        self.play.set_source(source);
        let (mut left, mut mind) = (self.arm.cut_off, Mind::default());
        loop {
            if left == 0 {
                return Ok(GameEnd::CutOff);
            }
            if self.look == Look::Rounds && self.play.prepare() == Progress::Stepped {
                let looked = self.tally.borrow_mut().look(&mut self.play);
                if let Err(problems) = looked {
                    return Err(self.fail(problems));
                }
            }
            match &written {
                Some(progress) if progress.borrow().is_done() => {
                    self.beyond_script = beyond_script(&self.file, &self.play, before_last);
                    written = None;
                }
                Some(_) => before_last = self.play.table().events.len(),
                None => {}
            }
            // One at a time where something is looked at before each.
            let mut steps = match written.is_some() || self.look == Look::Rounds {
                true => 1,
                false => left,
            };
            left -= steps;
            let progress = self.play.advance_by(&mut steps);
            left += steps;
            match progress {
                Progress::Stepped => {}
                Progress::Asks | Progress::Failed(_) if !self.play.table().keeps().way_back => {
                    return Err("it cannot run the step again".to_owned());
                }
                Progress::Asks => {
                    let asker = self
                        .play
                        .with_question(|a| a.request.asker.index())
                        .unwrap_or_default();
                    if let Err(problems) = seated[asker].answer(&mut self.play, &mut mind, seed) {
                        return Err(self.fail(problems));
                    }
                }
                Progress::Over => return Ok(GameEnd::Over),
                Progress::Diverged(why) => return Err(why.to_string()),
                Progress::Failed(problem) => {
                    return match self.play.is_endless() {
                        true => Ok(GameEnd::CutOff),
                        false => Err(self.fail((*problem).into())),
                    };
                }
            }
        }
    }

    fn fail(&mut self, problems: Problems) -> String {
        let first = problems.0.first().map(|p| p.message.clone());
        self.failed = Some(problems);
        first.unwrap_or_default()
    }

    /// Returns the rule by which a player drafts its units in a game.
    fn draft(&self, game: u64, seed: u64, player: usize) -> ArmyDraft {
        let rules = &self.play.ruleset().rules;
        let types = |names: &[String]| names.iter().filter_map(|n| rules.unit_type(n)).collect();
        let key = RollKey::new(seed).with_text("army").with(player as u64);
        match &self.arm.armies {
            ArmyPolicy::Asked => ArmyDraft::Asked,
            ArmyPolicy::Drawn => ArmyDraft::Drawn(TypeDraw::new(key)),
            ArmyPolicy::Listed(all) => {
                let key = key.with(game / self.arm.seats());
                ArmyDraft::Wanted(types(&all[key.below(all.len())]))
            }
            ArmyPolicy::Uniform(all) => rules
                .unit_type(&all[player])
                .map_or(ArmyDraft::Asked, ArmyDraft::Only),
            ArmyPolicy::Fixed(all) => match &all[player] {
                Some(army) => ArmyDraft::Wanted(types(army)),
                None => ArmyDraft::Asked,
            },
        }
    }

    /// The record of the game of this number as a transcript, which every command that takes a scenario takes.
    pub fn transcript(&mut self, game: u64) -> (GameRecord, Transcript) {
        let record = self.play_keeping(game, Keeps::ALL);
        let mut file = self.file.clone();
        file.seed = record.seed;
        let end = match record.end {
            GameEnd::Over => run::end_of(&self.play, &PlayStop::Over),
            GameEnd::CutOff => format!("cut off after {} steps", record.steps),
            GameEnd::Failed => format!("{}{}", crate::transcript::FAILED, record.reason),
        };
        let transcript = transcribe::transcript(&self.play, &file, &end);
        (record, transcript)
    }
}

/// The labels of which more was rolled in so many events than a scenario scripts, with how many it does.
fn beyond_script(file: &ScenarioFile, play: &Play, events: usize) -> BTreeMap<String, usize> {
    let table = play.table();
    let rolled = |name: &str| {
        let is_it =
            |event: &&Event| matches!(event, Event::Rolled { label, .. } if table.words.text(*label) == name);
        table.events[..events].iter().filter(is_it).count()
    };
    let beyond = file
        .rolls
        .iter()
        .filter(|(label, rolls)| rolled(label) > rolls.len());
    beyond
        .map(|(label, rolls)| (label.value.clone(), rolls.len()))
        .collect()
}

/// Rule by which a player answers when it is asked for a unit type.
enum ArmyDraft {
    /// As its agent does.
    Asked,
    /// Any, each as likely.
    Drawn(TypeDraw),
    /// These, each so often as it is there.
    Wanted(Vec<TypeId>),
    /// This one as long as it is offered.
    Only(TypeId),
}

/// Random draw of a player's unit types: depends on the question and the number of times it was asked, not on the
/// seats.
struct TypeDraw {
    key: RollKey,
    /// The last step that asked for a type, and how many did before it.
    step: Option<StepId>,
    before: u64,
}

impl TypeDraw {
    fn new(key: RollKey) -> Self {
        Self {
            key,
            step: None,
            before: 0,
        }
    }

    /// The key of a draw.
    fn key(&mut self, question: &Question<'_>) -> RollKey {
        let request = question.request;
        let last = self.step.replace(request.step);
        self.before += u64::from(last.is_some_and(|last| last != request.step));
        let key = self.key.with(question.label_hash()).with(request.nth.into());
        match self.before {
            0 => key,
            before => key.with(before),
        }
    }
}

/// The agents in their seats, and who picks their armies.
struct SeatedAgents {
    sources: Vec<Option<Box<dyn Answerer>>>,
    draft: Vec<ArmyDraft>,
    tally: Rc<RefCell<RecordCounter>>,
    /// Nothing was asked yet after set-up.
    musters: bool,
    /// Agent for all other questions in set-up, if the players' agents do not answer them.
    setup: Option<Random>,
}

/// Returns a sentence about the player that did not get its army, if there is one.
fn short(draft: &[ArmyDraft], question: &Question<'_>) -> Option<String> {
    let sides = (0..).map(FactionId).zip(draft);
    let mut short = sides.filter_map(|(faction, draft)| match draft {
        ArmyDraft::Wanted(types) if !missing(question, faction, types).is_empty() => {
            let own = question.world.owned(faction);
            let of_army = |unit| types.contains(&question.world.name(unit).kind);
            let why = match own.len() < types.len() && own.iter().all(of_army) {
                true => format!(
                    "the game asks for {}, and the army has {}",
                    own.len(),
                    types.len()
                ),
                false => "the game lets it have others".to_owned(),
            };
            Some(format!("{}: {why}", cannot_field(question, faction, types)))
        }
        _ => None,
    });
    short.next()
}

/// The answer to a question for a unit type in set-up; `None` where it is none, or is left to the agent.
fn pick(draft: &mut [ArmyDraft], question: &Question<'_>) -> Option<Reply> {
    let options = &question.request.options;
    let is_type = |o: Option<OfferedOption>| matches!(o, Some(OfferedOption::Type(_)));
    let len = options.len();
    // A word such as `done` may stand at either end.
    if !is_type(options.get(0)) && !is_type(options.get(len - 1)) {
        return None;
    }
    let asker = question.request.asker;
    match &mut draft[asker.index()] {
        ArmyDraft::Asked => None,
        ArmyDraft::Drawn(drawing) => Some(Reply::Take(drawing.key(question).below(len))),
        ArmyDraft::Wanted(types) => Some(draft_reply(question, asker, types)),
        ArmyDraft::Only(kind) => {
            let find =
                |is: &dyn Fn(OfferedOption) -> bool| (0..len).find(|i| options.get(*i).is_some_and(is));
            let own = find(&|option| option == OfferedOption::Type(*kind));
            Some(Reply::Take(
                own.or_else(|| find(&|o| matches!(o, OfferedOption::Word(_))))
                    .unwrap_or(0),
            ))
        }
    }
}

/// Of an army, what is not fielded yet.
fn missing<'a>(question: &Question<'_>, faction: FactionId, types: &'a [TypeId]) -> Vec<&'a TypeId> {
    let own = question.world.owned(faction);
    let is_missing = |kind: &&TypeId| {
        let so_many = types.iter().filter(|t| t == kind).count();
        (&own & question.world.of_type(**kind)).len() < so_many
    };
    types.iter().filter(is_missing).collect()
}

/// The first type of an army that is offered and not fielded so often yet.
fn draft_reply(question: &Question<'_>, asker: FactionId, types: &[TypeId]) -> Reply {
    let options = &question.request.options;
    let find =
        |is: &dyn Fn(OfferedOption) -> bool| (0..options.len()).find(|i| options.get(*i).is_some_and(is));
    let missing = missing(question, asker, types);
    let position = missing
        .iter()
        .find_map(|kind| find(&|option| option == OfferedOption::Type(**kind)));
    let done = || find(&|option| matches!(option, OfferedOption::Word(_))).filter(|_| missing.is_empty());
    // Where somebody settles on one of two types of which the army has none, any will do.
    let any = || question.world.owned(asker).is_empty().then_some(0);
    let why = match position.or_else(done).or_else(any) {
        Some(index) => return Reply::Take(index),
        None if missing.is_empty() => format!(
            "the army has {}, and the game asks for {} or more",
            types.len(),
            types.len() + 1
        ),
        None => format!(
            "asked `{}`, it is offered {}",
            question.label(),
            question.option_list()
        ),
    };
    Reply::Stop(AnswerError::from(format!(
        "{}: {why}",
        cannot_field(question, asker, types)
    )))
}

fn cannot_field(question: &Question<'_>, faction: FactionId, types: &[TypeId]) -> String {
    let army = types.chunk_by(|one, next| one == next).map(|alike| {
        let name = question.rules.types[alike[0].index()].name.as_str();
        match alike.len() {
            1 => name.to_owned(),
            n => format!("{name}*{n}"),
        }
    });
    let army = army.collect::<Vec<_>>().join(" ");
    format!("{} cannot field {army}", question.rules.factions[faction.index()])
}

impl Answerer for SeatedAgents {
    fn answer(&mut self, question: &Question<'_>) -> Reply {
        let mut tally = self.tally.borrow_mut();
        let in_setup = tally.is_setup(question.request.step.phase);
        tally.asked(question, in_setup);
        let drafted = &mut tally.drafted;
        if in_setup {
            if let Some(reply) = pick(&mut self.draft, question) {
                *drafted += 1;
                return reply;
            }
            if let Some(random) = &mut self.setup {
                return random.answer(question);
            }
        } else if std::mem::take(&mut self.musters) && *drafted > 0 {
            // Where nobody is asked for an army, none is too short.
            if let Some(why) = short(&self.draft, question) {
                *drafted += 1;
                return Reply::Stop(why.into());
            }
        }
        match &mut self.sources[question.request.asker.index()] {
            Some(source) => source.answer(question),
            None => Reply::Wait,
        }
    }
}
