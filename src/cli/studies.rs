//! `rulebench compare`, `sweep` and `matchups`: what games between agents say about a tweak, a dial, the unit types.

use super::sim::{GameArgs, start};
use super::{BAD_INPUT, Changes, print_error, print_report, problems, wants_colour};
use crate::diff::{self, Comparison};
use crate::files;
use crate::report::{Problem, Problems, hint_for};
use crate::reports::{Report, web};
use crate::rules::declare::DialRange;
use crate::rules::ruleset::{LoadOptions, Ruleset};
use crate::rules::workspace::Workspace;
use crate::ruleset_cache::RulesetCache;
use crate::scenario::file::{DialValue, ScenarioFile};
use crate::screen::Screen;
use crate::stage::run::Overrides;
use crate::studies::compare::{self, Findings, TwoSettings, flips};
use crate::studies::heading::{HeadedResults, StudyHeading};
use crate::studies::matchups::{self, Matchups};
use crate::studies::people_games::{self, LoggedGame, PeopleGames};
use crate::studies::report::{self, ReportRequest};
use crate::studies::setting::{GameRunner, Setting, agent};
use crate::studies::targets::{self, TargetVerdict};
use crate::studies::{factorial, health, sweep, value};
use crate::variants::Tweaks;
use clap::Args;
use serde::Serialize;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

/// A dial is swept over at most so many values.
const MOST_VALUES: i64 = 100;

/// Agents that play a study one after the other.
#[derive(Args)]
struct Agents {
    /// The agents; several, with commas between, are shown side by side
    #[arg(
        long,
        alias = "agent",
        value_name = "NAME,...",
        value_delimiter = ',',
        default_value = "random"
    )]
    agents: Vec<String>,
}

impl Agents {
    /// All of them, before one begins to play.
    ///
    /// # Errors
    ///
    /// One that there is not.
    fn all(&self) -> Result<&[String], Problem> {
        self.agents
            .iter()
            .try_for_each(|name| agent(None, name).map(drop))?;
        each_once(&self.agents)?;
        Ok(&self.agents)
    }
}

/// Checks that no agent is there twice.
fn each_once(agents: &[String]) -> Result<(), Problem> {
    match twice(agents) {
        Some(name) => Err(problems::repeated(name)),
        None => Ok(()),
    }
}

/// The arguments of a study of one setting, besides its start.
#[derive(Args)]
struct OneSetting {
    #[command(flatten)]
    changes: Changes,
    /// The agents
    #[arg(long, alias = "agents", value_name = "AGENT", default_value = "random")]
    agent: Vec<String>,
    #[command(flatten)]
    plays: GameArgs,
}

impl OneSetting {
    /// The setting that starts there.
    ///
    /// # Errors
    ///
    /// What cannot be played so.
    fn of(&self, workspace: &Workspace, begins: &str) -> Result<Setting, Problems> {
        let file = start(workspace, begins)?;
        let base = self.changes.clone().overrides()?;
        let wanted = self.plays.request(self.agent.clone(), base.seed);
        Setting::new(workspace, &file, &base, &wanted)
    }
}

/// The first that is there already.
fn twice<T: PartialEq>(all: &[T]) -> Option<&T> {
    let is_known = |(nth, one): &(usize, &T)| all[..*nth].contains(one);
    all.iter().enumerate().find(is_known).map(|(_, one)| one)
}

#[derive(Args)]
pub(super) struct CompareArgs {
    /// A game, or a scenario with whose position games begin
    start: String,
    #[command(flatten)]
    changes: Changes,
    /// Turn a variant on for both
    #[arg(long, value_name = "NAME")]
    against: Vec<String>,
    #[command(flatten)]
    agents: Agents,
    #[command(flatten)]
    plays: GameArgs,
    /// Show only this measure, by its name in the table; can be repeated
    #[arg(long, value_name = "MEASURE")]
    measure: Vec<String>,
    /// Stop as soon as the first measure is decided (a sequential test)
    #[arg(long)]
    stop_early: bool,
    /// Play every set of the variants and dials, up to six: the effect of each, and of pairs
    #[arg(long, conflicts_with = "stop_early")]
    factorial: bool,
    /// List unchanged measures too
    #[arg(long)]
    all: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The same game with and without a tweak.
///
/// # Errors
///
/// What cannot be played so.
pub(super) fn compare(workspace: &Workspace, args: &CompareArgs) -> Result<u8, Problems> {
    let file = start(workspace, &args.start)?;
    args.changes.clone().overrides()?;
    let request = Comparison {
        seed: args.changes.seed,
        against: args.against.clone(),
        tweaks: args.changes.tweaks()?,
        ..Comparison::default()
    };
    if request.tweaks.is_empty() {
        return Err(problems::nothing_to_compare().into());
    }
    let adopted = RulesetCache::new(workspace).adopted(&file.game.value)?;
    if args.factorial {
        return every_set(workspace, args, &file, &request, &adopted);
    }
    let logged = people_games::read(workspace, &file.game)?;
    let base = request.without(&file, &adopted);
    let both = with(&request, &file, &adopted, &request.all());
    let notes = request.layer_notes(&file, &adopted);
    let (mut all, mut results, mut page) = (Vec::new(), Vec::new(), Report::default());
    for agent in args.agents.all()? {
        if !results.is_empty() && workspace.work().is_stopped() {
            break;
        }
        let wanted = args.plays.request(vec![agent.clone()], request.seed);
        let base = Setting::new(workspace, &file, &base, &wanted)?;
        let with = Setting::new(workspace, &file, &both, &wanted)?;
        let names = diff::named(&request.tweaks);
        let played = base.heading().shared(&with.heading());
        let request = TwoSettings {
            tweak: with,
            measures: args.measure.clone(),
            stop_early: args.stop_early,
            threads: args.plays.threads.count(),
            base,
        };
        let found = compare::compare(workspace, &request)?;
        // Where something is left out, `without` would be said of either side.
        let sides = match both.without.is_empty() {
            true => ["without", "with"],
            false => ["as it is", "changed"],
        };
        page.put(format!(
            "{} and {names}: {} each",
            sides[0],
            played.line(found.games)
        ));
        notes.iter().for_each(|note| page.below(format!("note: {note}")));
        page.append(found.page(sides, args.all));
        let people = people(&logged, &request);
        people.lines().for_each(|line| page.below(line));
        results.push(serde_json::json!(HeadedResults {
            played: &played,
            found: ComparisonJson {
                found: &found,
                notes: found.notes(0),
                people,
            },
        }));
        all.push(found);
    }
    let flips = flips(&all);
    match flips.is_empty() {
        true => page.below(""),
        false => page.put(flips.join("\n")),
    }
    let found = serde_json::json!({
        "tweaks": diff::names(&request.tweaks), "against": request.against,
        "comparisons": results, "warnings": flips, "notes": notes,
    });
    Ok(print_report(workspace.work(), args.json, &found, || page, true))
}

/// A comparison as data, with all that its page says.
#[derive(Serialize)]
struct ComparisonJson<'a> {
    #[serde(flatten)]
    found: &'a Findings,
    notes: Vec<String>,
    people: Both,
}

/// The results of games that people played, without and with the variant, if there are any.
#[derive(Serialize)]
struct Both {
    without: Option<PeopleGames>,
    with: Option<PeopleGames>,
}

impl Both {
    fn lines(&self) -> impl Iterator<Item = String> {
        let sides = [("without", &self.without), ("with", &self.with)].into_iter();
        sides.filter_map(|(name, people)| Some(format!("{name} it, {}", people.as_ref()?.line())))
    }
}

fn people(logged: &[LoggedGame], request: &TwoSettings) -> Both {
    let under = |setting: &Setting| PeopleGames::of(logged, &setting.rules).filter(|people| people.games > 0);
    Both {
        without: under(&request.base),
        with: under(&request.tweak),
    }
}

/// Returns the overrides of a comparison with only these of its layers.
fn with(request: &Comparison, file: &ScenarioFile, adopted: &[String], on: &[usize]) -> Overrides {
    let mut with = request.with(file, adopted, on);
    with.variants.extend(request.against.iter().cloned());
    with
}

/// The same game with every set of the tweaks.
fn every_set(
    workspace: &Workspace,
    args: &CompareArgs,
    file: &ScenarioFile,
    request: &Comparison,
    adopted: &[String],
) -> Result<u8, Problems> {
    let variants = &request.tweaks;
    if !(2..=factorial::MOST).contains(&variants.len()) {
        return Err(problems::wrong_set_count(variants.len(), factorial::MOST).into());
    }
    let names = diff::names(variants);
    let (mut results, mut page) = (Vec::new(), Report::default());
    for agent in args.agents.all()? {
        if !results.is_empty() && workspace.work().is_stopped() {
            break;
        }
        let wanted = args.plays.request(vec![agent.clone()], request.seed);
        let mut settings = Vec::new();
        for set in 0..1 << variants.len() {
            let on: Vec<usize> = (0..variants.len())
                .filter(|i| factorial::is_on(set, *i))
                .collect();
            let overrides = with(request, file, adopted, &on);
            settings.push(Setting::new(workspace, file, &overrides, &wanted)?);
        }
        same_seats(&mut settings);
        let Some(played) = shared(&settings) else { continue };
        let threads = args.plays.threads.count();
        let found = factorial::factorial(workspace, &settings, &names, &args.measure, threads)?;
        page.put(format!(
            "every set of {}: {} with each of the {} sets",
            names.join(", "),
            played.line(found.games),
            found.sets
        ));
        page.append(found.page(args.all));
        let played = &played;
        results.push(serde_json::json!(HeadedResults { played, found }));
    }
    let notes = request.layer_notes(file, adopted);
    notes.iter().for_each(|note| page.below(format!("note: {note}")));
    page.below("");
    Ok(print_report(
        workspace.work(),
        args.json,
        &serde_json::json!({ "against": request.against, "factorial": results, "notes": notes }),
        || page,
        true,
    ))
}

/// Returns what the settings have in common.
fn shared(settings: &[Setting]) -> Option<StudyHeading> {
    let all = settings.iter().map(Setting::heading);
    all.reduce(|shared, other| shared.shared(&other))
}

/// Pairings are the same under all settings: seats are swapped where that is good for all of them.
fn same_seats(settings: &mut [Setting]) {
    let swap = settings.iter().all(|s| s.swap);
    settings.iter_mut().for_each(|s| s.swap = swap);
}

#[derive(Args)]
pub(super) struct SweepArgs {
    /// A game, or a scenario with whose position games begin
    start: String,
    /// The dial and its values: `DIAL=LOW..HIGH`, `DIAL=LOW..HIGH/STEP` or `DIAL=A,B,C`
    dial: String,
    #[command(flatten)]
    one: OneSetting,
    /// The measure, by the name that `compare` shows; can be repeated
    #[arg(long, value_name = "MEASURE")]
    measure: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The values that a sweep names.
fn values(ruleset: &Ruleset, text: &str) -> Result<(String, Vec<DialValue>), Problem> {
    let Some((name, range)) = text.split_once('=') else {
        return Err(problems::missing_value(text.to_owned(), "DIAL=LOW..HIGH"));
    };
    let (name, range) = (name.trim(), range.trim());
    let Some(dial) = ruleset.dials.iter().find(|d| d.name == name) else {
        let known = ruleset.dials.iter().map(|d| d.name.as_str());
        return Err(problems::unknown_name("dial", name).hint(hint_for(name, known)));
    };
    let Some((low, rest)) = range.split_once("..") else {
        let all: Vec<DialValue> = range.split(',').map(|v| DialValue::read(v.trim())).collect();
        return match twice(&all) {
            Some(value) => Err(problems::repeated(value)),
            None => Ok((name.to_owned(), all)),
        };
    };
    let (high, step) = rest.split_once('/').unwrap_or((rest, "1"));
    let number = |text: &str| text.trim().trim_start_matches('=').parse::<i64>().ok();
    let (Some(low), Some(high), Some(step)) = (number(low), number(high), number(step).filter(|s| *s > 0))
    else {
        let form = "LOW..HIGH or LOW..HIGH/STEP";
        return Err(problems::wrong_value(range, "a range of whole numbers", form));
    };
    if let DialRange::Words(words) = &dial.range {
        return Err(problems::dial_of_words(name, words.join(",")));
    }
    let count = (high.saturating_sub(low) / step).saturating_add(1);
    if low > high || count > MOST_VALUES {
        return Err(problems::wrong_value_count(range, count.max(0), MOST_VALUES));
    }
    let last = low + (count - 1) * step;
    if last < high {
        let next = last.saturating_add(step);
        return Err(problems::missed_end(range, high, step, last, next));
    }
    let numbers = (0..count).map(|n| DialValue::Number(low + n * step));
    Ok((name.to_owned(), numbers.collect()))
}

/// A dial through its values.
///
/// # Errors
///
/// What cannot be played so.
pub(super) fn sweep(workspace: &Workspace, args: &SweepArgs) -> Result<u8, Problems> {
    let file = start(workspace, &args.start)?;
    let base = args.one.changes.clone().overrides()?;
    let ruleset = Ruleset::load(workspace, &file.game, &LoadOptions::default())?;
    let (dial, values) = values(&ruleset, &args.dial)?;
    if let Some((_, value)) = base.dials.iter().find(|(name, _)| *name == dial) {
        return Err(problems::swept_dial(&dial, value).into());
    }
    let own = ruleset
        .dials
        .iter()
        .find(|d| d.name == dial)
        .map_or_else(String::new, |d| d.default.to_string());
    let (mut settings, mut names) = (Vec::new(), Vec::new());
    for value in values {
        let mut overrides = base.clone();
        overrides.dials.push((dial.clone(), value.clone()));
        let wanted = args.one.plays.request(args.one.agent.clone(), base.seed);
        names.push(value.to_string());
        settings.push(Setting::new(workspace, &file, &overrides, &wanted)?);
    }
    same_seats(&mut settings);
    let found = sweep::sweep(
        workspace,
        (&dial, &own),
        &names,
        &settings,
        &args.measure,
        args.one.plays.threads.count(),
    )?;
    let Some(played) = &shared(&settings) else {
        return Err(problems::missing_value(args.dial.clone(), "DIAL=LOW..HIGH").into());
    };
    let page = || {
        let mut page = Report::of(format!("{} at each value of {dial}", played.line(found.games)));
        page.append(found.page(Screen::of(&std::io::stdout()).columns));
        page
    };
    let found = &found;
    Ok(print_report(
        workspace.work(),
        args.json,
        &HeadedResults { played, found },
        page,
        true,
    ))
}

#[derive(Args)]
#[command(mut_args(hidden_unless_refused))]
pub(super) struct MatchupsArgs {
    /// A game that asks its players for unit types
    game: String,
    /// Only these types, with commas between, in this order
    #[arg(long, value_name = "TYPE,...", value_delimiter = ',')]
    types: Vec<String>,
    #[command(flatten)]
    changes: Changes,
    #[command(flatten)]
    agents: Agents,
    #[command(flatten)]
    plays: GameArgs,
    /// Mark shares that are surely outside of this range, in per cent
    #[arg(long, value_name = "LOW..HIGH", default_value = "35..65")]
    band: String,
    /// Test whether each type beats the next and the last the first, without and with each variant of the game
    #[arg(long, requires = "types")]
    circle: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Hides an option from the help if the command refuses it with a reason of its own.
fn hidden_unless_refused(arg: clap::Arg) -> clap::Arg {
    match arg.get_id().as_str() {
        "army" | "armies" | "no_swap" => arg.hide(true),
        _ => arg,
    }
}

/// Every type against every other.
///
/// # Errors
///
/// What cannot be played so.
pub(super) fn matchups(workspace: &Workspace, args: &MatchupsArgs) -> Result<u8, Problems> {
    workspace.check_game(&args.game)?;
    let file = ScenarioFile::new(args.game.clone());
    let base = args.changes.clone().overrides()?;
    let ruleset = Ruleset::load(workspace, &args.game, &LoadOptions::default())?;
    let known = || ruleset.rules.types.iter().map(|t| t.name.as_str());
    for name in &args.types {
        if ruleset.rules.unit_type(name).is_none() {
            let unknown = problems::unknown_name("unit type", name);
            return Err(unknown.hint(hint_for(name, known())).into());
        }
    }
    if let Some(name) = twice(&args.types) {
        return Err(problems::repeated(name).into());
    }
    let types: Vec<String> = match &args.types[..] {
        [] => known().map(str::to_owned).collect(),
        some => some.to_vec(),
    };
    let least = if args.circle { 3 } else { 2 };
    if types.len() < least {
        return Err(problems::too_few_types(types.len(), least).into());
    }
    let band = args.band.split_once("..");
    let band = band.and_then(|(a, b)| Some((a.trim().parse::<f64>().ok()?, b.trim().parse::<f64>().ok()?)));
    let Some((low, high)) = band.filter(|(a, b)| 0.0 <= *a && a <= b && *b <= 100.0) else {
        let text = format!("--band {}", args.band);
        return Err(problems::wrong_value(text, "a range in per cent", "LOW..HIGH, such as 35..65").into());
    };
    let agents = args.agents.all()?;
    if let Some(agent) = agents.iter().find(|agent| agent.contains('=')) {
        let help = "name the agent without a faction";
        return Err(problems::conflict(&format!("`--agents {agent}`"), "`matchups`", help).into());
    }
    if ruleset.rules.factions.len() != 2 {
        return Err(problems::not_two_factions(&args.game, ruleset.rules.factions.len()).into());
    }
    if !args.plays.army.is_empty() || args.plays.armies.is_some() {
        return Err(problems::conflict("an army", "`matchups`", "name the types with `--types`").into());
    }
    if args.plays.no_swap {
        return Err(problems::conflict("`--no-swap`", "`matchups`", "leave `--no-swap` out").into());
    }
    let mut sides = vec![(String::new(), base.clone())];
    if args.circle {
        let variants = Tweaks::read(workspace, &args.game)?;
        for variant in &variants.all {
            let mut with = base.clone();
            with.variants.push(variant.name.clone());
            with.variants.extend(variants.required(&variant.name));
            sides.push((variant.name.clone(), with));
        }
    }
    let (mut results, mut page) = (Vec::new(), Report::default());
    for agent in agents {
        for (name, overrides) in &sides {
            if workspace.work().is_stopped() {
                break;
            }
            let mut wanted = args.plays.request(vec![agent.clone()], base.seed);
            wanted.armies = vec!["drawn".to_owned()];
            // Armies of one type leave nothing else to chance where agents search.
            wanted.draw_setup = true;
            let setting = Setting::new(workspace, &file, overrides, &wanted)?;
            if !setting.swap {
                return Err(problems::no_types_in_setup(&args.game).into());
            }
            let played = setting.heading();
            let threads = args.plays.threads.count();
            let found =
                matchups::matchups(workspace, &setting, &types, (low / 100.0, high / 100.0), threads)?;
            match args.circle {
                false => {
                    page.put(match found.games_each() {
                        Some(games) => format!("{}, for each pair of types", played.line(games)),
                        None => format!(
                            "{}; {} were to be played for each pair of types",
                            played.line(found.games()),
                            args.plays.games
                        ),
                    });
                    page.append(found.page());
                }
                true => page.below(circle_line(&found, &types, name)),
            }
            results.push(serde_json::json!({ "with": name, "played": played, "matchups": found }));
        }
    }
    if !args.circle {
        page.below("");
    }
    Ok(print_report(workspace.work(), args.json, &results, || page, true))
}

fn circle_line(found: &Matchups, types: &[String], variant: &str) -> String {
    let (edges, holds) = found.circle(types);
    let verdict = match holds {
        Some(true) => "holds",
        Some(false) => "does not hold",
        None => "cannot tell yet",
    };
    let with = if variant.is_empty() {
        "as it is".to_owned()
    } else {
        format!("with {variant}")
    };
    format!(
        "{verdict:15} {with}, {} agents: {}",
        found.agents,
        edges.join(", ")
    )
}

#[derive(Args)]
pub(super) struct ValueArgs {
    /// A game that asks its players for unit types, or a scenario with whose position games begin
    start: String,
    #[command(flatten)]
    one: OneSetting,
    /// The stat that is the cost of a unit
    #[arg(long, value_name = "STAT")]
    cost: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Measures how much each unit type contributes to winning.
///
/// # Errors
///
/// What cannot be played so, or tells nothing.
pub(super) fn value(workspace: &Workspace, args: &ValueArgs) -> Result<u8, Problems> {
    let setting = args.one.of(workspace, &args.start)?;
    let threads = args.one.plays.threads.count();
    let found = value::value(workspace, &setting, args.cost.as_deref(), threads)?;
    let played = setting.heading();
    let page = || {
        let mut page = Report::of(played.line(found.games));
        page.append(found.page());
        page
    };
    let all = serde_json::json!({ "study": setting, "played": played, "value": found });
    Ok(print_report(workspace.work(), args.json, &all, page, true))
}

#[derive(Args)]
pub(super) struct HealthArgs {
    /// A game, or a scenario with whose position games begin
    start: String,
    #[command(flatten)]
    one: OneSetting,
    /// The number of games of a greedy against a random agent, to measure luck; 0 for none
    #[arg(long, value_name = "N", default_value_t = 40)]
    duels: u64,
    /// Write notable games to this folder, as transcripts
    #[arg(long, value_name = "DIR")]
    games_out: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The health card of a game.
///
/// # Errors
///
/// What cannot be played so; a folder that cannot be written.
pub(super) fn health(workspace: &Workspace, args: &HealthArgs) -> Result<u8, Problems> {
    let setting = args.one.of(workspace, &args.start)?;
    // What would keep the card from being told is told before anything is played.
    let logged = people_games::read(workspace, &setting.game)?;
    if let Some(folder) = &args.games_out {
        files::check_folder(folder).map_err(|e| files::refused(folder.display(), "written", &e))?;
    }
    let duel = (args.duels > 0).then(|| health::duel(&setting, "greedy", "random", args.duels));
    let threads = args.one.plays.threads.count();
    let card = health::health(workspace, &setting, duel.as_ref(), threads)?;
    let mut wrote = Vec::new();
    if let Some(folder) = &args.games_out {
        let mut runner = GameRunner::lay(workspace, &setting)?;
        for example in &card.examples {
            let path = folder.join(format!("{}.txt", example.what.replace(' ', "-")));
            let (_, transcript) = runner.transcript(example.game);
            files::write_whole(&path, transcript.print())
                .map_err(|e| files::refused(path.display(), "written", &e))?;
            wrote.push(path.display().to_string());
        }
    }
    let people = PeopleGames::of(&logged, &setting.rules);
    let played = setting.heading();
    let found = serde_json::json!({
        "study": setting, "played": played, "card": card, "people": people, "wrote": wrote,
    });
    let page = || {
        let mut page = Report::of(played.line(card.games));
        page.append(card.page());
        people.iter().for_each(|people| page.append(people.beside(&card)));
        if !wrote.is_empty() {
            page.put(format!("wrote {}", wrote.join(", ")));
        }
        page
    };
    Ok(print_report(workspace.work(), args.json, &found, page, true))
}

#[derive(Args)]
pub(super) struct ReportArgs {
    /// A game with a rulebook
    game: String,
    /// The agents, and the number of games of each: `NAME=GAMES,...`
    #[arg(
        long,
        alias = "agent",
        value_name = "NAME=N,...",
        value_delimiter = ',',
        default_value = "random=2000"
    )]
    agents: Vec<String>,
    /// The seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The file to write, without its ending; .md and .html are added
    #[arg(long, short, value_name = "FILE")]
    out: Option<String>,
    /// Print JSON: the files
    #[arg(long)]
    json: bool,
}

/// The report on a rulebook's open notes.
///
/// # Errors
///
/// What cannot be played or written.
pub(super) fn report(workspace: &Workspace, args: &ReportArgs) -> Result<u8, Problems> {
    let mut agents = Vec::new();
    for word in &args.agents {
        let (name, games) = word.split_once('=').unwrap_or((word, "2000"));
        let games = games.trim().parse::<u64>().ok().filter(|n| *n > 0);
        let games = games.ok_or_else(|| {
            let text = format!("--agents {word}");
            problems::wrong_value(
                text,
                "an agent and a number of games",
                "NAME=N, such as random=2000",
            )
        })?;
        agent(None, name)?;
        agents.push((name.trim().to_owned(), games));
    }
    each_once(&agents.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>())?;
    let out = args
        .out
        .clone()
        .unwrap_or_else(|| format!("{}-report", args.game));
    if out.is_empty() || out.ends_with('/') {
        let form = "a name without its ending, such as --out my-report";
        return Err(problems::wrong_value(format!("--out {out}"), "the name of a file", form).into());
    }
    // Games that nobody can read are not played.
    if let Some(folder) = Path::new(&out)
        .parent()
        .filter(|f| !f.as_os_str().is_empty() && !f.is_dir())
    {
        return Err(problems::missing_folder(folder.display()).into());
    }
    let command = format!(
        "rulebench report {} --agents {} --seed {} --out {out}",
        args.game,
        args.agents.join(","),
        args.seed
    );
    let wish = ReportRequest {
        game: &args.game,
        agents: &agents,
        seed: args.seed,
        command: &command,
    };
    let page = report::report(workspace, &wish);
    if workspace.work().is_stopped() {
        print_error(&format!(
            "stopped: no report is written; {out}.md and {out}.html are left as they are"
        ));
        let none = serde_json::json!({ "files": [] });
        return Ok(print_report(
            workspace.work(),
            args.json,
            &none,
            Report::default,
            false,
        ));
    }
    let page = page?;
    let (mut written, mut results) = (Vec::new(), Report::default());
    for (ending, text) in [("md", web::markdown(&page)), ("html", web::html(&page))] {
        let path = format!("{out}.{ending}");
        files::write_named(&path, text)?;
        results.below(format!("wrote {path}"));
        written.push(path);
    }
    Ok(print_report(
        workspace.work(),
        args.json,
        &serde_json::json!({ "files": written }),
        || results,
        true,
    ))
}

/// Checks the targets of these study files, or of every one; what is wrong with one keeps no other from being played.
///
/// # Errors
///
/// Names that nothing has.
pub(super) fn targets(workspace: &Workspace, names: &[String], json: bool) -> Result<u8, Problems> {
    let all = targets::find(workspace, names)?;
    let colour = wants_colour(std::io::stdout().is_terminal());
    let (mut results, mut open, mut wrong, mut page) = (Vec::new(), 0, 0, Report::default());
    for path in &all {
        // What was not played is no fault of a study.
        if workspace.work().is_stopped() {
            break;
        }
        page.below(path.as_str());
        let (checked, faults) = match targets::check(workspace, path) {
            Ok(checked) => (checked, Problems(Vec::new())),
            Err(_) if workspace.work().is_stopped() => break,
            Err(faults) => (Vec::new(), faults),
        };
        open += checked.iter().filter(|c| c.verdict != TargetVerdict::Met).count();
        checked
            .iter()
            .for_each(|c| page.below(format!("  {}: {}", c.target, c.says)));
        if !faults.0.is_empty() {
            wrong += 1;
            page.below(faults.page(colour));
        }
        results.push(serde_json::json!({ "study": path, "targets": checked, "problems": faults.0 }));
    }
    if all.is_empty() {
        page.put("no studies found; they are files studies/<game>/<name>.toml");
    }
    let whole = !workspace.work().is_stopped();
    let status = print_report(workspace.work(), json, &results, || page, open == 0 && whole);
    Ok(if wrong > 0 { BAD_INPUT } else { status })
}
