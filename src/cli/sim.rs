//! `rulebench sim`: many games between agents, a line each; `merge`, `replay` and `summary` of what it wrote.

use super::{
    Changes, FAILED, OK, Threads, print, print_data, print_error, problems, show_report, wants_colour,
};
use crate::designs::summary::Summary;
use crate::experiment::Experiment;
use crate::experiment::arm::{Arm, ArmOptions, GameRunner};
use crate::experiment::record::GameEnd;
use crate::experiment::results::{self, ResultsHeader, ResultsReader, Writing};
use crate::lines::counted;
use crate::odds::root;
use crate::report::{Problems, did_you_mean};
use crate::reports::{Cell, Report};
use crate::rules::workspace::Workspace;
use crate::scenario::file::ScenarioFile;
use clap::{Args, Subcommand};
use std::io::IsTerminal as _;
use std::path::PathBuf;

/// The players and the number of games: the same arguments for every study.
#[derive(Args, Clone, Default)]
pub(super) struct GameArgs {
    /// The number of games, by default 1000
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    /// The army of each faction if the game asks for unit types: `TYPE*N TYPE ...` for all, or with `FACTION=`
    /// in front for one; `drawn` (the default): each type equally likely; `asked`: the agent decides
    #[arg(long, value_name = "ARMY")]
    pub army: Vec<String>,
    /// A file with one army a line; each faction draws one of them for each game
    #[arg(long, value_name = "FILE", conflicts_with = "army")]
    pub armies: Option<String>,
    /// Give every game its own seed; by default each seed is played once in every seat
    #[arg(long)]
    pub no_swap: bool,
    /// Answer all other questions of the set-up at random
    #[arg(long)]
    pub draw_setup: bool,
    /// The number of steps after which a game is cut off; 20000 by default
    #[arg(long, value_name = "STEPS", value_parser = clap::value_parser!(u32).range(1..))]
    pub cut_off: Option<u32>,
    #[command(flatten)]
    pub threads: Threads,
}

impl GameArgs {
    /// Returns the number of games.
    pub(super) fn games(&self) -> u64 {
        self.games.unwrap_or(1000)
    }

    pub(super) fn request(&self, agents: Vec<String>, seed: Option<u64>) -> ArmOptions {
        ArmOptions {
            agents,
            armies: self.army.clone(),
            list: self.armies.clone(),
            no_swap: self.no_swap,
            draw_setup: self.draw_setup,
            seed,
            games: self.games(),
            cut_off: self.cut_off,
        }
    }
}

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct SimArgs {
    #[command(subcommand)]
    action: Option<Action>,
    /// A game, or a scenario with whose position games begin
    #[arg(required = true)]
    start: Option<String>,
    #[command(flatten)]
    plays: GameArgs,
    /// The agent: `NAME` for all, or `FACTION=NAME` for one faction in the first game of each seed (the second
    /// has swapped seats, except with --no-swap): random, first, greedy, greedy:50, mcts, mcts:400
    #[arg(long, alias = "agents", value_name = "AGENT")]
    agent: Vec<String>,
    #[command(flatten)]
    changes: Changes,
    /// Write one line for each game to this file
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Continue the file of a run that was stopped
    #[arg(long, requires = "out")]
    resume: bool,
    /// Play only the I-th of N parts; `sim merge` joins them
    #[arg(long, value_name = "I/N", requires = "out")]
    shard: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum Action {
    /// Join shards into the file that one run would have written
    Merge {
        /// The shards
        #[arg(required = true)]
        shards: Vec<String>,
        /// The file to write
        #[arg(long, short, value_name = "FILE")]
        out: PathBuf,
        /// Skip corrupt lines; their games are missing then
        #[arg(long)]
        skip_corrupt: bool,
    },
    /// Play one game of a results file again and print its transcript
    Replay {
        /// The results file
        file: PathBuf,
        /// The number of the game
        game: u64,
        /// Skip corrupt lines
        #[arg(long)]
        skip_corrupt: bool,
    },
    /// Summarise the games of a results file
    Summary {
        /// The results file
        file: PathBuf,
        /// Skip corrupt lines
        #[arg(long)]
        skip_corrupt: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// A game as a start without anything laid, or a scenario; of a transcript where its answers end.
pub(super) fn start(workspace: &Workspace, name: &str) -> Result<ScenarioFile, Problems> {
    if workspace.games().iter().any(|g| g == name) {
        return Ok(ScenarioFile::new(name));
    }
    let (_, opened) = crate::suite::one(workspace, name).map_err(|mut problems| {
        let games = workspace.games();
        let near = did_you_mean(name, games.iter().map(String::as_str));
        let all = workspace.list("scenarios", ".toml");
        if let [only] = &mut problems.0[..]
            && crate::suite::one(workspace, name).is_err()
            && did_you_mean(
                name,
                all.iter()
                    .filter_map(|path| path.rsplit('/').next()?.strip_suffix(".toml")),
            )
            .is_none()
            && crate::suite::along(workspace, "scenarios", name).is_none()
        {
            *only = only.clone().hint(match near {
                Some(game) => format!("did you mean the game `{game}`?"),
                None => format!("a scenario, or a game: {}", games.join(", ")),
            });
        }
        problems
    })?;
    root::played_on(workspace, &opened)
}

/// Runs the command; the exit status.
///
/// # Errors
///
/// What is asked cannot be played, read or written.
pub(super) fn run(workspace: &Workspace, args: SimArgs) -> Result<u8, Problems> {
    match args.action {
        None => {}
        Some(Action::Merge {
            shards,
            out,
            skip_corrupt,
        }) => return merge(workspace, &shards, &out, skip_corrupt),
        Some(Action::Replay {
            file,
            game,
            skip_corrupt,
        }) => return replay(workspace, &file, game, skip_corrupt),
        Some(Action::Summary {
            file,
            skip_corrupt,
            json,
        }) => return summary(workspace, &file, skip_corrupt, json),
    }
    let file = start(workspace, args.start.as_deref().unwrap_or_default())?;
    let overrides = args.changes.overrides()?;
    let wanted = args.plays.request(args.agent, overrides.seed);
    let arm = Arm::new(workspace, &file, &overrides, &wanted)?;
    let shard = args.shard.as_deref().map(results::shard).transpose()?;
    let head = ResultsHeader::new(arm, shard);
    let experiment = Experiment::new(workspace, vec![head.study.clone()], args.plays.threads.count())?;
    let mut summary = Summary::new(&experiment.facts[0]);
    let open = |path: PathBuf| {
        Writing::open(workspace.work(), &path, &head, args.resume, |known| {
            summary.add(known);
        })
    };
    let mut written = args.out.map(open).transpose()?;
    let games = head.games();
    let from = written.as_ref().map_or(games.start, |w| w.next);
    let known = from - games.start;
    let dropped = written.as_ref().and_then(|w| w.dropped.clone());
    let failure = summary.play(&experiment, from..games.end, |record| {
        written.as_mut().map_or(Ok(()), |written| written.add(record))
    })?;
    if let Some(written) = written {
        written.finish()?;
    }
    let played = head.study.heading();
    let (is_well, hint) = (summary.failed == 0, replay_hint(&summary));
    let mut report = Report::of(played.line(summary.games()));
    if known > 0 {
        report.below(format!("{known} of them were there already"));
    }
    if let Some(why) = &dropped {
        report.below(format!(
            "the last line was no game, which was played again: {why}"
        ));
    }
    report.append(summary.report());
    hint.into_iter().for_each(|hint| report.below(hint));
    if let Some(problems) = &failure {
        report.put(problems.page(wants_colour(std::io::stdout().is_terminal())));
        report.fact("problems", problems);
    }
    let report = report
        .with("played", Cell::data(&played))
        .with("study", Cell::data(&head));
    Ok(show_report(workspace.work(), args.json, report, is_well))
}

/// Returns the way to see how the first game failed, if one did.
fn replay_hint(summary: &Summary) -> Option<String> {
    let game = summary.first_failed()?;
    Some(format!(
        "with `--out FILE`, `rulebench sim replay FILE {game}` shows how it came there"
    ))
}

fn merge(
    workspace: &Workspace,
    shards: &[String],
    path: &std::path::Path,
    skip: bool,
) -> Result<u8, Problems> {
    let name = path.display().to_string();
    if path.is_file() {
        return Err(problems::existing_file(&name).into());
    }
    let (games, lost, left_out) = results::merge(workspace.work(), shards, path, skip)?;
    print(&format!("{name}: {}", counted(games as usize, "game")));
    left_out.iter().for_each(|line| print(line));
    Ok(if lost == 0 { OK } else { FAILED })
}

fn replay(workspace: &Workspace, file: &std::path::Path, game: u64, skip: bool) -> Result<u8, Problems> {
    let mut reading = ResultsReader::open(file, skip)?;
    let arm = reading.head.study.clone();
    let mut runner = GameRunner::lay(workspace, &arm)?;
    if runner.ruleset().fingerprint() != arm.rules {
        let now = runner.ruleset().fingerprint();
        return Err(problems::other_rules(file.display(), &arm.rules, now).into());
    }
    if !reading.head.games().contains(&game) {
        let games = reading.head.games();
        let missing = problems::game_not_in_file(game, file.display());
        let help = format!("its games begin at {} and end before {}", games.start, games.end);
        return Err(missing.hint(help).into());
    }
    while let Some((known, line)) = reading.next_game()? {
        if known.game != game {
            continue;
        }
        let (record, transcript) = runner.transcript(game);
        print_data(&transcript.print());
        if let Some(passed_over) = reading.passed_over() {
            print_error(&format!("{passed_over} before it"));
        }
        // A failed game is told as it is in the file; where its rules fail stands beside.
        if record.end == GameEnd::Failed {
            print_error(&runner.problems_of(&record).page(false));
        }
        if results::line_of(&record) != line {
            let why = match arm.heading().is_timed() {
                true => "an agent with a budget in time plays otherwise each time",
                false => "was the line changed?",
            };
            print_error(&format!("this is another game than the file tells of: {why}"));
            return Ok(FAILED);
        }
        return Ok(OK);
    }
    let resume = || "play it with `--resume`".to_owned();
    let missing = problems::game_not_in_file(game, file.display());
    Err(missing.hint(reading.passed_over().unwrap_or_else(resume)).into())
}

fn summary(workspace: &Workspace, file: &std::path::Path, skip: bool, json: bool) -> Result<u8, Problems> {
    let mut reading = ResultsReader::open(file, skip)?;
    let mut summary = Summary::new(&GameRunner::lay(workspace, &reading.head.study)?.facts());
    while let Some((record, _)) = reading.next_game()? {
        if let Some(name) = summary.stranger(&record) {
            let game = &reading.head.study.game;
            return Err(problems::faction_of_other_game(file.display(), record.game, name, game).into());
        }
        summary.add(record);
    }
    let (missing, skipped, played) = (reading.missing(), reading.skipped, reading.head.study.heading());
    let is_whole = summary.failed == 0 && skipped == 0 && missing == 0;
    let mut report = Report::of(played.line(summary.games()));
    if let Some(passed_over) = reading.passed_over() {
        report.below(passed_over);
    }
    if missing > 0 {
        let are = if missing == 1 { "is" } else { "are" };
        report.below(format!("{} {are} missing", counted(missing as usize, "game")));
    }
    let hint = replay_hint(&summary);
    report.append(summary.report());
    hint.into_iter().for_each(|hint| report.below(hint));
    let report = report
        .with("played", Cell::data(&played))
        .with("study", Cell::data(&reading.head))
        .with("skipped", skipped)
        .with("missing", missing);
    Ok(show_report(workspace.work(), json, report, is_whole))
}
