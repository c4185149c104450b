//! `rulebench compare`, `sweep` and `matchups`: what games between agents say about a tweak, a dial, the unit types.

use super::sim::{GameArgs, start};
use super::{BAD_INPUT, Changes, print_error, problems, show_report, wants_colour};
use crate::designs::compare::{self, CompareOptions, Comparison, Unchanged, flips};
use crate::designs::matchups;
use crate::designs::notes::{self, ReportRequest};
use crate::designs::study::{self, Study};
use crate::designs::sweep::{self, DialMoves};
use crate::designs::targets::Target;
use crate::designs::tune::{self, RecordFolder};
use crate::designs::{factorial, health, value};
use crate::diff::{self, Comparison as Tweaked};
use crate::experiment::Experiment;
use crate::experiment::arm::{Arm, GameRunner, agent};
use crate::files;
use crate::lines::counted;
use crate::people_games::{self, PeopleGames};
use crate::report::{Problem, Problems, hint_for};
use crate::reports::{Cell, Facts, Report, web};
use crate::rules::ruleset::{LoadOptions, Ruleset};
use crate::rules::workspace::Workspace;
use crate::ruleset_cache::RulesetCache;
use crate::scenario::file::ScenarioFile;
use crate::screen::Screen;
use crate::snapshot;
use crate::stage::run::{self, Overrides};
use crate::variants::Tweaks;
use clap::Args;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

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

/// The arguments of a study of one arm, besides its start.
#[derive(Args)]
struct OneArm {
    #[command(flatten)]
    changes: Changes,
    /// The agents
    #[arg(long, alias = "agents", value_name = "AGENT", default_value = "random")]
    agent: Vec<String>,
    #[command(flatten)]
    plays: GameArgs,
}

impl OneArm {
    /// Returns the arm that starts there.
    ///
    /// # Errors
    ///
    /// What cannot be played so.
    fn of(&self, workspace: &Workspace, begins: &str) -> Result<Arm, Problems> {
        let file = start(workspace, begins)?;
        let base = self.changes.clone().overrides()?;
        let wanted = self.plays.request(self.agent.clone(), base.seed);
        Arm::new(workspace, &file, &base, &wanted)
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

/// The same game with and without a tweak, or with every set of several.
///
/// # Errors
///
/// What cannot be played so.
pub(super) fn compare(workspace: &Workspace, args: &CompareArgs) -> Result<u8, Problems> {
    let file = start(workspace, &args.start)?;
    args.changes.clone().overrides()?;
    let request = Tweaked {
        seed: args.changes.seed,
        against: args.against.clone(),
        tweaks: args.changes.tweaks()?,
        ..Tweaked::default()
    };
    let count = request.tweaks.len();
    if count == 0 {
        return Err(problems::nothing_to_compare().into());
    }
    if args.factorial && !(2..=factorial::MOST).contains(&count) {
        return Err(problems::wrong_set_count(count, factorial::MOST).into());
    }
    let adopted = RulesetCache::new(workspace).adopted(&file.game.value)?;
    let logged = people_games::read(workspace, &file.game)?;
    let with = |on: &[usize]| {
        let mut with = request.with(&file, &adopted, on);
        with.variants.extend(request.against.iter().cloned());
        with
    };
    let sides = match args.factorial {
        true => (0..1 << count)
            .map(|set| {
                with(
                    &(0..count)
                        .filter(|i| factorial::is_on(set, *i))
                        .collect::<Vec<_>>(),
                )
            })
            .collect(),
        false => vec![request.without(&file, &adopted), with(&request.all())],
    };
    // Where something is left out, `without` would be said of either side.
    let names = match sides.iter().all(|side| side.without.is_empty()) {
        true => ["without", "with"],
        false => ["as it is", "changed"],
    };
    let options = CompareOptions {
        measures: args.measure.clone(),
        stop_early: args.stop_early,
    };
    let notes = request.layer_notes(&file, &adopted);
    let tweaks = diff::names(&request.tweaks);
    let texts = |texts: &[String]| Cell::list(texts.iter().map(String::as_str));
    let mut report = Report::default()
        .with("tweaks", texts(&tweaks))
        .with("against", texts(&request.against))
        .with("layer_notes", texts(&notes));
    let mut all: Vec<Comparison> = Vec::new();
    for (nth, agent) in args.agents.all()?.iter().enumerate() {
        if nth > 0 && workspace.work().is_stopped() {
            break;
        }
        let wanted = args.plays.request(vec![agent.clone()], request.seed);
        let threads = args.plays.threads.count();
        let experiment = Experiment::of_changes(workspace, &file, &sides, &wanted, threads)?;
        let Some(played) = &experiment.heading() else {
            continue;
        };
        let mut own = Report::default().with("played", Cell::data(played));
        if args.factorial {
            let found = factorial::factorial(&experiment, &tweaks, &args.measure)?;
            own.put(format!(
                "every set of {}: {} with each of the {} sets",
                tweaks.join(", "),
                played.line(found.games),
                sides.len()
            ));
            own.append(found.report(args.all));
            report.entry("comparisons", own);
            continue;
        }
        let found = compare::compare(&experiment, &options)?;
        let named = diff::named(&request.tweaks);
        own.put(format!(
            "{} and {named}: {} each",
            names[0],
            played.line(found.games)
        ));
        notes.iter().for_each(|note| own.below(format!("note: {note}")));
        let unchanged = match args.all {
            true => Unchanged::Listed,
            false => Unchanged::Counted,
        };
        own.append(found.report(names, unchanged));
        let mut people = Facts::default();
        for (name, arm) in ["without", "with"].into_iter().zip(&experiment.arms) {
            let found = PeopleGames::of(&logged, &arm.rules).filter(|people| people.games > 0);
            found
                .iter()
                .for_each(|found| own.below(format!("{name} it, {}", found.line())));
            people.put(name, found.map(|found| found.facts()));
        }
        report.entry("comparisons", own.with("people", people));
        all.push(found);
    }
    if args.factorial {
        notes
            .iter()
            .for_each(|note| report.below(format!("note: {note}")));
    }
    let flips = flips(&all);
    match flips.is_empty() {
        true => report.below(""),
        false => report.put(flips.join("\n")),
    }
    report.fact("warnings", texts(&flips));
    Ok(show_report(workspace.work(), args.json, report, true))
}

#[derive(Args)]
pub(super) struct SweepArgs {
    /// A game, or a scenario with whose position games begin
    start: String,
    /// The dial and its values: `DIAL=LOW..HIGH`, `DIAL=LOW..HIGH/STEP` or `DIAL=A,B,C`
    dial: String,
    #[command(flatten)]
    one: OneArm,
    /// The measure, by the name that `compare` shows; can be repeated. By default the win share and the uses of the
    /// unit type whose dial it is, or the first faction's wins; and the draws and the length of the game
    #[arg(long, value_name = "MEASURE")]
    measure: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A dial through its values.
///
/// # Errors
///
/// What cannot be played so.
pub(super) fn sweep(workspace: &Workspace, args: &SweepArgs) -> Result<u8, Problems> {
    let file = start(workspace, &args.start)?;
    let base = args.one.changes.clone().overrides()?;
    // A variant may have dials of its own.
    let setup = run::lay(workspace, &file, &base)?;
    let DialMoves { dial, own, values } = sweep::moves(&setup.play.ruleset().dials, &args.dial)?;
    if let Some((_, value)) = base.dials.iter().find(|(name, _)| *name == dial) {
        return Err(problems::swept_dial(&dial, value).into());
    }
    let sides: Vec<Overrides> = values
        .iter()
        .map(|value| {
            let mut overrides = base.clone();
            overrides.dials.push((dial.clone(), value.clone()));
            overrides
        })
        .collect();
    let plays = &args.one.plays;
    let wanted = plays.request(args.one.agent.clone(), base.seed);
    let experiment = Experiment::of_changes(workspace, &file, &sides, &wanted, plays.threads.count())?;
    let Some(played) = &experiment.heading() else {
        return Err(problems::missing_value(args.dial.clone(), "DIAL=LOW..HIGH").into());
    };
    let names: Vec<String> = values.iter().map(ToString::to_string).collect();
    let found = sweep::sweep(&experiment, (&dial, &own.to_string()), &names, &args.measure)?;
    let mut report = Report::of(format!("{} at each value of {dial}", played.line(found.games)));
    report.append(found.report(Screen::of(&std::io::stdout()).columns));
    let report = report.with("played", Cell::data(played));
    Ok(show_report(workspace.work(), args.json, report, true))
}

#[derive(Args)]
pub(super) struct TuneArgs {
    /// A game; a scenario with whose position games begin; or a study, which names dials, targets and agents
    start: String,
    /// Dials that may be turned, with the values that each may have besides its own: `DIAL=LOW..HIGH,...`,
    /// `DIAL=LOW..HIGH/STEP` or `DIAL=A,B`
    #[arg(long, value_name = "DIAL=VALUES,...")]
    dials: Vec<String>,
    /// A target, such as `draws at most 12 %` or `scouts: win share 45 % to 55 %`; can be repeated
    #[arg(long, value_name = "TARGET")]
    target: Vec<String>,
    /// Turn at most N of the dials at once
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    most_changes: Option<u16>,
    #[command(flatten)]
    changes: Changes,
    /// The agents, by default random
    #[arg(long, alias = "agents", value_name = "AGENT")]
    agent: Vec<String>,
    #[command(flatten)]
    plays: GameArgs,
    /// Write the games to this folder, a results file for each setting
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Continue the folder of a run that was stopped
    #[arg(long, requires = "out")]
    resume: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Items of `--dials`, between commas: what has no `=` is one more value of the dial before it.
fn dial_texts(args: &[String]) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for item in args.iter().flat_map(|arg| arg.split(',')) {
        match texts.last_mut() {
            Some(last) if !item.contains('=') => *last += &format!(",{item}"),
            _ => texts.push(item.to_owned()),
        }
    }
    texts
}

/// Looks for the fewest and smallest changes of dials that meet targets.
///
/// # Errors
///
/// What cannot be played so; too many settings; files that cannot be written.
pub(super) fn tune(workspace: &Workspace, args: &TuneArgs) -> Result<u8, Problems> {
    let games = workspace.games();
    let is_study = !games.contains(&args.start)
        && study::find(workspace, std::slice::from_ref(&args.start)).is_ok_and(|found| !found.is_empty());
    let typed = args.changes.clone().overrides()?;
    let plays = &args.plays;
    let wanted = plays.request(args.agent.clone(), typed.seed);
    let (file, mut base, mut wanted, mut moves, mut targets) = match is_study {
        false => (
            start(workspace, &args.start)?,
            Overrides::default(),
            wanted,
            Vec::new(),
            Vec::new(),
        ),
        true => {
            let study = Study::open(workspace, &the_study(workspace, &args.start, &games)?)?;
            let first = study.first();
            let mut own = first.options.clone();
            own.no_swap = wanted.no_swap;
            own.draw_setup = wanted.draw_setup;
            own.cut_off = wanted.cut_off;
            own.seed = typed.seed.or(own.seed);
            own.games = plays.games.unwrap_or(own.games);
            if !args.agent.is_empty() {
                own.agents = wanted.agents;
            }
            if !wanted.armies.is_empty() || wanted.list.is_some() {
                (own.armies, own.list) = (wanted.armies, wanted.list);
            }
            (
                first.start.clone(),
                first.changes.clone(),
                own,
                study.tune.clone(),
                study.targets.clone(),
            )
        }
    };
    base.dials
        .retain(|(name, _)| typed.dials.iter().all(|(other, _)| other != name));
    base.dials.extend(typed.dials);
    base.variants.extend(typed.variants);
    base.without.extend(typed.without);
    let setup = run::lay(workspace, &file, &base)?;
    for text in dial_texts(&args.dials) {
        let typed = sweep::moves(&setup.play.ruleset().dials, &text)?;
        // Typed values replace those of a study.
        moves.retain(|moves: &DialMoves| !is_study || moves.dial != typed.dial);
        moves.push(typed);
    }
    for text in &args.target {
        targets.push(Target::read(&text.clone().into())?);
    }
    let settings = tune::settings(&moves, args.most_changes.map(usize::from))?;
    tune::check_targets(&targets)?;
    let sides: Vec<Overrides> = settings
        .iter()
        .map(|setting| {
            let mut side = base.clone();
            side.dials
                .retain(|(name, _)| setting.dials.iter().all(|(other, _)| other != name));
            side.dials.extend(setting.dials.iter().cloned());
            side
        })
        .collect();
    let decisive = wanted.games;
    wanted.games = tune::most_games(decisive);
    let experiment = Experiment::of_changes(workspace, &file, &sides, &wanted, plays.threads.count())?;
    let played = experiment.arms[0].heading();
    let folder = args.out.as_deref().map(|path| RecordFolder {
        path,
        resume: args.resume,
    });
    let found = tune::tune(
        &experiment,
        workspace.work(),
        &settings,
        &targets,
        decisive,
        folder,
    )?;
    let dials: Vec<&str> = moves.iter().map(|moves| moves.dial.as_str()).collect();
    let mut report = Report::of(format!(
        "{} of {}; those that come nearest play {}",
        counted(settings.len(), "setting"),
        dials.join(", "),
        played.line(decisive)
    ));
    report.append(found.report());
    let report = report.with("played", Cell::data(&played));
    Ok(show_report(workspace.work(), args.json, report, found.is_met()))
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
    let (mut report, band) = (Report::default(), (low / 100.0, high / 100.0));
    for agent in agents {
        for (name, overrides) in &sides {
            if workspace.work().is_stopped() {
                break;
            }
            let mut wanted = args.plays.request(vec![agent.clone()], base.seed);
            wanted.armies = vec!["drawn".to_owned()];
            // Armies of one type leave nothing else to chance where agents search.
            wanted.draw_setup = true;
            let arm = Arm::new(workspace, &file, overrides, &wanted)?;
            if !arm.swap {
                return Err(problems::no_types_in_setup(&args.game).into());
            }
            let (played, threads) = (arm.heading(), args.plays.threads.count());
            let found = matchups::matchups(workspace, &arm, &types, band, threads)?;
            let mut own = Report::default()
                .with("with", name.as_str())
                .with("played", Cell::data(&played));
            if args.circle {
                let (line, facts) = found.circle_report(&types, name);
                report.below(line);
                own.append(facts);
            } else {
                own.put(match found.games_each() {
                    Some(games) => format!("{}, for each pair of types", played.line(games)),
                    None => format!(
                        "{}; {} were to be played for each pair of types",
                        played.line(found.games()),
                        args.plays.games()
                    ),
                });
                own.append(found.report());
            }
            report.entry("matchups", own);
        }
    }
    if !args.circle {
        report.below("");
    }
    Ok(show_report(workspace.work(), args.json, report, true))
}

#[derive(Args)]
pub(super) struct ValueArgs {
    /// A game that asks its players for unit types, or a scenario with whose position games begin
    start: String,
    #[command(flatten)]
    one: OneArm,
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
    let arm = args.one.of(workspace, &args.start)?;
    let (played, threads) = (arm.heading(), args.one.plays.threads.count());
    let experiment = Experiment::new(workspace, vec![arm], threads)?;
    let found = value::value(&experiment, args.cost.as_deref())?;
    let mut report = Report::of(played.line(found.games)).with("played", Cell::data(&played));
    report.append(found.report());
    Ok(show_report(workspace.work(), args.json, report, true))
}

#[derive(Args)]
pub(super) struct HealthArgs {
    /// A game, or a scenario with whose position games begin
    start: String,
    #[command(flatten)]
    one: OneArm,
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
    let arm = args.one.of(workspace, &args.start)?;
    // What would keep the card from being told is told before anything is played.
    let logged = people_games::read(workspace, &arm.game)?;
    if let Some(folder) = &args.games_out {
        files::check_folder(folder).map_err(|e| files::refused(folder.display(), "written", &e))?;
    }
    let duel = (args.duels > 0).then(|| health::duel(&arm, "greedy", "random", args.duels));
    let threads = args.one.plays.threads.count();
    let card = health::health(workspace, &arm, duel, threads)?;
    let mut wrote = Vec::new();
    if let Some(folder) = &args.games_out {
        let mut runner = GameRunner::lay(workspace, &arm)?;
        for example in &card.examples {
            let path = folder.join(format!("{}.txt", example.what.replace(' ', "-")));
            let (_, transcript) = runner.transcript(example.game);
            files::write_whole(&path, transcript.print())
                .map_err(|e| files::refused(path.display(), "written", &e))?;
            wrote.push(path.display().to_string());
        }
    }
    let people = PeopleGames::of(&logged, &arm.rules);
    let played = arm.heading();
    let mut report = Report::of(played.line(card.games)).with("played", Cell::data(&played));
    report.append(card.report());
    people
        .iter()
        .for_each(|people| report.append(people.beside(&card)));
    if !wrote.is_empty() {
        report.put(format!("wrote {}", wrote.join(", ")));
    }
    report.fact("people", people.map(|people| people.facts()));
    report.fact("files", Cell::list(wrote));
    Ok(show_report(workspace.work(), args.json, report, true))
}

#[derive(Args)]
pub(super) struct ReportArgs {
    /// A game with a rulebook; or a study, a file studies/<game>/<name>.toml
    start: String,
    /// The agents, and the number of games of each: `NAME=GAMES,...`; by default random=2000. A study names its own
    #[arg(long, alias = "agent", value_name = "NAME=N,...", value_delimiter = ',')]
    agents: Vec<String>,
    /// The seed, by default 1. A study names its own
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The file to write, without its ending; .md and .html are added. A study is also printed
    #[arg(long, short, value_name = "FILE")]
    out: Option<String>,
    /// Print JSON: the files, and the results of a study
    #[arg(long)]
    json: bool,
}

/// The report on a rulebook's open notes, or on a study.
///
/// # Errors
///
/// What cannot be played or written.
pub(super) fn report(workspace: &Workspace, args: &ReportArgs) -> Result<u8, Problems> {
    let games = workspace.games();
    match games.contains(&args.start) {
        true => report_on_notes(workspace, args),
        false => report_on_study(workspace, args, &games),
    }
}

/// Checks the name of a report's file before anything is played.
fn check_out(out: &str) -> Result<(), Problem> {
    if out.is_empty() || out.ends_with('/') {
        let form = "a name without its ending, such as --out my-report";
        return Err(problems::wrong_value(
            format!("--out {out}"),
            "the name of a file",
            form,
        ));
    }
    let folder = Path::new(out).parent();
    match folder.filter(|f| !f.as_os_str().is_empty() && !f.is_dir()) {
        Some(folder) => Err(problems::missing_folder(folder.display())),
        None => Ok(()),
    }
}

/// Writes a report as Markdown and as a web page; returns the paths.
fn write_report(report: &Report, out: &str) -> Result<Vec<String>, Problem> {
    let mut written = Vec::new();
    for (ending, text) in [("md", web::markdown(report)), ("html", web::html(report))] {
        let path = format!("{out}.{ending}");
        files::write_named(&path, text)?;
        written.push(path);
    }
    Ok(written)
}

/// The study file that a user means.
///
/// # Errors
///
/// No study, or several.
fn the_study(workspace: &Workspace, name: &str, games: &[String]) -> Result<String, Problems> {
    match &study::find(workspace, std::slice::from_ref(&name.to_owned())) {
        Ok(paths) => match &paths[..] {
            [path] => Ok(path.clone()),
            several => Err(problems::ambiguous_study(name, several.join(", ")).into()),
        },
        Err(_) => {
            let all = study::files(workspace);
            let known = all.iter().map(|path| snapshot::stem(path));
            let known = known.chain(games.iter().map(String::as_str));
            Err(problems::unknown_name("game or study", name)
                .hint(hint_for(name, known))
                .into())
        }
    }
}

fn report_on_study(workspace: &Workspace, args: &ReportArgs, games: &[String]) -> Result<u8, Problems> {
    let path = the_study(workspace, &args.start, games)?;
    let options = [
        ("`--agents`", args.agents.is_empty()),
        ("`--seed`", args.seed.is_none()),
    ];
    if let Some((option, _)) = options.iter().find(|(_, is_left_out)| !is_left_out) {
        let help = format!("write it in {path}");
        return Err(problems::conflict(option, "a study", &help).into());
    }
    args.out.as_deref().map_or(Ok(()), check_out)?;
    let study = Study::open(workspace, &path)?;
    let found = study.play(workspace)?;
    let columns = Screen::of(&std::io::stdout()).columns;
    let mut report = found
        .report(study.about.as_deref(), snapshot::stem(&path), columns)
        .with("study", path);
    // Part of a study does not replace the report on all of it.
    let written = match &args.out {
        Some(out) if !workspace.work().is_stopped() => write_report(&report, out)?,
        _ => Vec::new(),
    };
    if !written.is_empty() {
        report.put(format!("wrote {}", written.join(", ")));
    }
    let report = report.with("files", Cell::list(written));
    Ok(show_report(workspace.work(), args.json, report, true))
}

fn report_on_notes(workspace: &Workspace, args: &ReportArgs) -> Result<u8, Problems> {
    let mut agents = Vec::new();
    let seed = args.seed.unwrap_or(1);
    let words = match &args.agents[..] {
        [] => vec!["random=2000".to_owned()],
        words => words.to_vec(),
    };
    for word in &words {
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
        .unwrap_or_else(|| format!("{}-report", args.start));
    // Games that nobody can read are not played.
    check_out(&out)?;
    let command = format!(
        "rulebench report {} --agents {} --seed {seed} --out {out}",
        args.start,
        words.join(",")
    );
    let wish = ReportRequest {
        game: &args.start,
        agents: &agents,
        seed,
        command: &command,
    };
    let found = notes::report(workspace, &wish);
    if workspace.work().is_stopped() {
        print_error(&format!(
            "stopped: no report is written; {out}.md and {out}.html are left as they are"
        ));
        let none = Report::default().with("files", Cell::List(Vec::new()));
        return Ok(show_report(workspace.work(), args.json, none, false));
    }
    let found = found?;
    let written = write_report(&found, &out)?;
    let mut report = Report::lines(written.iter().map(|path| format!("wrote {path}")));
    report.fact("files", Cell::list(written));
    Ok(show_report(workspace.work(), args.json, report, true))
}

/// Checks the targets of these study files, or of every one; what is wrong with one keeps no other from being played.
///
/// # Errors
///
/// Names that nothing has.
pub(super) fn targets(workspace: &Workspace, names: &[String], json: bool) -> Result<u8, Problems> {
    let all = study::find(workspace, names)?;
    let colour = wants_colour(std::io::stdout().is_terminal());
    let (mut are_met, mut wrong) = (true, 0);
    let mut report = Report::default().with("studies", Cell::List(Vec::new()));
    for path in &all {
        // What was not played is no fault of a study.
        if workspace.work().is_stopped() {
            break;
        }
        report.below(path.as_str());
        let mut own = Report::default().with("study", path.as_str());
        let opened = Study::open(workspace, path);
        let played = opened.and_then(|study| match study.has_targets() {
            true => study.play(workspace).map(Some),
            false => Ok(None),
        });
        match played {
            Ok(Some(found)) => {
                are_met &= found.is_met();
                found.lines().for_each(|line| report.below(line));
                own.fact("targets", found.targets_table());
            }
            Ok(None) => {
                let name = snapshot::stem(path);
                report.below(format!(
                    "  no targets; `rulebench report {name}` shows its measures"
                ));
            }
            Err(_) if workspace.work().is_stopped() => break,
            Err(faults) => {
                wrong += 1;
                report.below(faults.page(colour));
                own.fact("problems", faults);
            }
        }
        report.entry("studies", own);
    }
    if all.is_empty() {
        report.put("no studies found; they are files studies/<game>/<name>.toml");
    }
    let is_whole = !workspace.work().is_stopped();
    let status = show_report(workspace.work(), json, report, are_met && is_whole);
    Ok(if wrong > 0 { BAD_INPUT } else { status })
}
