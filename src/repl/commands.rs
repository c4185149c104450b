//! The commands of the REPL: one table with their names, arguments, help and functions. Adding one
//! is adding a row. Knows the session and nothing of how its replies are printed.

use super::arguments::Args;
use super::auto::Goal;
use super::card::card;
use super::command::{AT_STOP, Command, Done, LOOK, LOOK_AT_STOP, Looks, ROW, commands, more};
use super::output::Output;
use super::patch::PATCH;
use super::session::Session;
use super::show::table_or;
use super::why::{why, why_not};
use super::{arguments, clause, debug, edit, lines, picture, testing};
use crate::agents::Agent;
use crate::pages::{Page, Part, Table};
use crate::reference;
use crate::report::{Problem, did_you_mean, hint_for};
use crate::script::declare::Dial;
use crate::script::scratch::{how_far, word};

/// Whether something is turned on; it is where nothing is written.
const SWITCH: &str = "[on|off]";

commands! {
    /// All commands, in the order in which help lists them.
    pub COMMANDS:
    /// lists the commands, or explains a word
    /// :help undo          a command
    /// :help choose        a function, property, hook, key, word or kind of value of scripts
    /// :help max_rounds    a dial, function, unit type, variant or slot of the game
    /// :help :units        the command alone, where a word is both
    LOOK_AT_STOP "help" "[NAME]" |s, args| Ok(help(s, args.text("NAME"))?.into()),
        known: |s| {
            let said = reference::names();
            names().chain(said).map(str::to_owned).chain(s.words_told()).collect()
        };
    /// shows in five minutes what can be done here
    /// Plays the tour of the README stop by stop: Enter or `:tour` goes on with it.
    /// A game in which somebody has answered is kept; `:branches` lists it.
    ROW "tour" "" |s, _| s.tour();
    /// draws the board, here or into a file
    /// :board              here; who moved last has a ' before its number, what the open
    ///                     question offers stands in brackets or has a ? before it
    /// :board png FILE     as a picture to paste, with arrows for what happened last in this phase
    /// :board svg FILE     the same, sharp at any size
    /// While something is chosen in secret, both show what the one who is asked may see.
    AT_STOP "board" "[svg|png] [FILE]" picture::board, looks: Looks::With(0);
    /// shows the board only when it is asked for
    /// Else it is shown whenever something has moved, with the options of the open
    /// question marked on it. `:quiet off` turns that on again.
    ROW "quiet" SWITCH |s, args| {
        s.face.quiet = !args.has("off");
        Ok(Output::text(match s.face.quiet {
            true => "the board is shown by `:board` only; `:quiet off` shows what moves",
            false => "the board is shown whenever something has moved",
        }))
    }, any_time: true;
    /// one person plays all sides: nothing is covered
    /// What is chosen in secret is neither covered nor left out of boards and lists.
    /// The answer `both` to a secret question does the same, or `all` where there are
    /// more sides than two. `:alone off` covers again.
    ROW "alone" SWITCH |s, args| Ok(s.play_alone(!args.has("off")));
    /// marks where a unit can go, now or if its turn came
    /// The places are the options that the rules offer; with FILE, a .svg or .png, they are marked on a
    /// picture.
    ROW "reach" "UNIT [FILE]" picture::reach, looks: Looks::With(1);
    /// marks what it could hit and where it could go
    /// Every step of the unit, or of each of the side's, is tried on the board as it is
    /// now, and its options are marked; with FILE, a .svg or .png, on a picture.
    ROW "threat" "SIDE|UNIT [FILE]" picture::threat, looks: Looks::With(1);
    /// asks the open question again, with its options
    /// Answer with an option's name or its number; several names answer the questions
    /// that follow, as in scenario files: `red.scouts1 c4`, `aim: blue.scouts1`. Behind
    /// an option stands what it brings about at once, before any dice are rolled.
    LOOK "options" "" |s, _| options(s);
    /// lists all units with their places and slots
    LOOK_AT_STOP "units" "" |s, _| Ok(s.units().into());
    /// shows the last N lines of the record, 20 without N
    LOOK_AT_STOP "events" "[N]" |s, args| Ok(s.events(args.number("N").unwrap_or(20)).into());
    /// shows the card of a unit, type, place or faction
    /// :card red.scouts1   where it is, its slots, its numbers and what it can do
    /// :card scouts        the type alone
    /// :card c4            who and what is there
    /// :card red           its slots, its units, its zones and who answers for it
    /// Numbers and texts are those of the scripts, as `rulebench sheet` prints them.
    LOOK "card" "UNIT|TYPE|PLACE|SIDE" |s, args| Ok(card(s, args.first())?.into());
    /// shows the table in the browser too
    /// :page       serves a page on this machine alone and says where it is
    /// :page off   takes it away again
    /// A click there sends the line that would be typed here, and each shows what the
    /// other does. Whoever knows the address can play: it has a secret in it.
    ROW "page" SWITCH |s, args| match args.has("off") {
        false => Ok(s.open_page()?),
        true => Ok(s.close_page()?),
    };
    /// tells how far two things are apart, and sight
    /// :measure red.scouts1 blue.scouts1    how far, whether one sees the other, what is in between
    /// Things are units, places and, on a table top, pieces of terrain and spots such as 12.4,7; with
    /// FILE, a .svg or .png, it is drawn on a picture of the table top.
    LOOK "measure" "A B [FILE]"
        else "name two things to measure between", "such as `:measure red.scouts1 blue.guards1`"
        picture::measure;
    /// tells which rules led to something
    /// :why                the last thing that followed from a rule
    /// :why 12             event 12; `:events` shows the numbers
    /// :why damage         the last call of the function `damage`
    /// Each line is a call: with what, the file and line it came to, what it said, and the variant whose
    /// layer it is.
    LOOK "why" "[EVENT | FUNCTION]" |s, args| Ok(why(s, args)?.into());
    /// tells which rule leaves out an option
    /// :why-not c5                  why the open question does not offer c5
    /// :why-not red.scouts1 c5      why that unit could not go there, also before it is activated
    LOOK "why-not" "[UNIT] OPTION"
        else "name an option, or a unit and an option", "such as `:why-not c5` or `:why-not UNIT c5`"
        |s, args| Ok(why_not(s, args)?.into());
    /// lets an agent answer: one question, N, rounds or all
    /// :auto               the random agent answers the open question
    /// :auto greedy        the greedy agent does; agents are random, greedy, first and mcts
    /// :auto 5             five questions
    /// :auto 10 steps      ten steps
    /// :auto 2 rounds      until the second round from now begins; any phase's name will do
    /// :auto end           to the end of the game; `all` says the same
    /// Ctrl-C stops it, also while it thinks; what it was asked is asked still.
    ROW "auto" "[AGENT] [N] [PHASES]" auto;
    /// lets an agent play a side until it is told otherwise
    /// :plays                   who plays which side
    /// :plays blue mcts         the MCTS agent answers for blue from now on, and says why
    /// :plays blue mcts:500ms   it thinks half a second for each answer; mcts:2000 is 2000 playouts
    /// :plays blue me           blue is the person's again
    /// Other agents are greedy, first and random. Ctrl-C stops one that thinks, and gives its side back.
    /// `:undo` goes back to an answer of the person's, and `:redo` on to the next. What an agent answers in secret is not told, and it does
    /// not see what others do in secret.
    ROW "plays" "[SIDE AGENT|me]"
        else "a side and an agent are wanted", "`:plays SIDE mcts`; `:plays SIDE me` gives it back"
        Session::plays, looks: Looks::With(0), any_time: true;
    /// takes back the last N answers, 1 without N
    /// Answers of agents count; a choice with a single option does not. What was
    /// changed by hand is taken back as one. Right after `:open`, `:load`, `:new`,
    /// `:restart`, `:seed` or `:retell` it brings the game before that back. Nothing is
    /// lost: `:redo` gives the answers again, and when play goes on otherwise, the line
    /// as it was is kept (`:help switch`).
    AT_STOP "undo" "[N]" |s, args| s.undo(args.number("N").unwrap_or(1));
    /// gives N answers again that were taken back
    /// One without N. After play has gone on otherwise there is nothing to give again;
    /// `:branches` lists the line as it was.
    ROW "redo" "[N]" |s, args| s.redo(args.number("N").unwrap_or(1));
    /// takes play back to the beginning of a round
    /// :back               to the beginning of the present round
    /// :back 3             to the beginning of round 3
    /// :back second turn   to the beginning of that phase, the last time it began
    /// :back 2 rounds      to the beginning of the round before the present one
    /// `:redo` and `:switch` lead forward again.
    ROW "back" "[N] [PHASE] [NTH]" Session::back;
    /// lists the lines of play that are kept
    /// The present line is marked with `*`. Of each other it says how many answers were
    /// given, where it stands, and where it parted from the present one.
    ROW "branches" "" |s, _| Ok(s.list_branches().into()), looks: Looks::With(0);
    /// names the present line of play
    /// A line without a name gets one when it is left: the round, the unit and the
    /// answer where it parts from the other.
    ROW "branch" "[NAME]" |s, args| s.branches.give_name(args.text("NAME"));
    /// goes to another line of play; this one is kept
    /// A line is kept wherever play goes on otherwise after `:undo` or `:back`, and when
    /// another game takes its place. Without a name: to the line that was left last.
    /// Lines of one game go on under the rules in force, with the board kept; another
    /// game comes back under its own variants and dials.
    ROW "switch" "[LINE]" |s, args| s.switch(args.text("LINE"));
    /// forgets a line of play that is kept
    ROW "forget" "LINE"
        else "this command needs the name of a line of play", "`:branches` lists them"
        |s, args| s.branches.forget(args.text("LINE"));
    /// changes units and slots on the table by hand
    /// :edit place red.scouts c4 life=3      a new unit; its number comes by itself
    /// :edit move red.scouts1 c5             also `reserve red.scouts1`
    /// :edit remove red.scouts1
    /// :edit lay mud c5                      terrain; `lift mud c5` takes it away
    /// :edit lay wall box(80,150,120,170)    on a table top, where units stand at x,y; also
    ///                                       `disc(x,y,diameter)`; `lift wall piece1`
    /// :edit red.d6_1 shows=3                what a die on the board of an arena shows
    /// :edit red.scouts1 life=2 tired        slots; a flag alone is set
    /// :edit red damage=3                    those of a faction, a place, the `game`
    /// :edit set max_rounds=8                a dial, as `:set` does
    /// Changes with `;` between them are made together or not at all. The rules must
    /// let units stand where they are put, as in a scenario; of a slot that falls to 0
    /// they say what follows. The open step is run again from its start, with its
    /// answers as far as they fit. A unit that comes onto the board still gets its
    /// step in the phase under way. `:undo` takes a change back as one; saves hold it.
    ROW "edit" "CHANGE;..." |s, args| s.edit(args.typed),
        needs: |_| Some(edit::nothing_said());
    /// makes the next roll of a label show these dice
    /// :force                lists what waits, and the rolls of the game
    /// :force morale 6       the next `morale` is a 6
    /// :force army 1 2 3     a roll of several dice
    /// :force morale -       lets it be again
    /// It counts from the start of the open step: a roll that lies on the table in it
    /// is made again with these dice, and the answers given since stay as far as they
    /// fit. A roll of an earlier step needs `:undo` first. Dice that no roll takes wait
    /// on; several for one label are taken in their order. Saves hold them.
    ROW "force" "[LABEL [DICE]]" Session::force;
    /// plays on with other dice; the board is kept
    /// :reseed 8     the dice of seed 8 from here on
    /// :reseed       those of the next seed
    /// The open step is run again with them. Agents that answer go by the new seed
    /// too. `:undo` takes it back; `:seed N` begins again from the start instead.
    ROW "reseed" "[SEED]" |s, args| s.play_on_with(args.number("SEED"));
    /// begins again from the start of the scenario or game
    ROW "restart" "" |s, _| s.restart();
    /// begins a game from its beginning
    ROW "new" "GAME" |s, args| s.begin(args.text("GAME"));
    /// lays out the position of a scenario or transcript
    /// By name or path. The answers in it are played first; the questions after them are yours.
    ROW "open" "SCENARIO" |s, args| s.open(args.text("SCENARIO"));
    /// writes the play so far as a transcript
    /// `:load`, `rulebench run` and `rulebench repl` read it again. Only transcripts are overwritten.
    ROW "save" "FILE" |s, args| s.save(args.text("FILE"));
    /// plays a transcript again and goes on from its end
    ROW "load" "FILE" |s, args| s.open(args.text("FILE"));
    /// shows the seed; with one begins again under it
    ROW "seed" "[SEED]" |s, args| seed(s, args.number("SEED"));
    /// lists the dials: what is set, what could be
    /// With a part of a name only those that are called so: `:dials life`.
    LOOK_AT_STOP "dials" "[TEXT]" |s, args| Ok(dials(s, args.typed)?.into());
    /// turns a dial; the board is kept
    /// :set max_rounds=8     `:retell` plays the past again under it, `:restart` begins again
    /// :set max_rounds=      turns it back to what the rules say
    AT_STOP "set" "DIAL=VALUE" |s, args| s.turn(&[args.pair("DIAL=VALUE")]),
        needs: |s| s.play.host.dials.first().map(unturned);
    /// lists the variants: which are on, what they are
    /// :variants           all, a line each
    /// :variants fog       the one of that name, with its whole note; or those that speak of it
    LOOK_AT_STOP "variants" "[TEXT]" |s, args| Ok(s.variants(args.typed.trim())?.into()),
        known: |s| s.rules.tweaks(&s.game()).unwrap_or_default();
    /// puts variants on; the board is kept
    /// `:retell` plays the past again with them, `:restart` begins again.
    AT_STOP "with" "VARIANT..." |s, args| s.with(&args.names("VARIANT"));
    /// takes variants off; the board is kept
    AT_STOP "without" "VARIANT..." |s, args| s.without(&args.names("VARIANT"));
    /// lays a function over a script; the board is kept
    /// :patch                                      what is patched
    /// :patch scouts fn act(me) { base(me); }      a unit type's function
    /// :patch game fn end_of_round() { }           one of game.rhai
    /// The function may go on over several lines. `base(...)` calls what was there. A
    /// second one of the same name takes its place. `:drop` takes it off again,
    /// `:save-variant NAME` keeps it as a file, `:diff` tells what it has changed.
    AT_STOP "patch" "[SCRIPT [CODE]]" Session::patch;
    /// takes off what is patched: all, or one function
    /// A script's name takes off all that is patched in it.
    ROW "drop" "[SCRIPT.FUNCTION]" |s, args| s.drop_patches(&args.names("SCRIPT.FUNCTION")),
        known: Session::patched;
    /// keeps what is patched as a variant's file
    /// :save-variant slow-scouts Scouts are too fast
    /// :save-variant slow-scouts --clause R-7 Scouts are too fast
    /// Writes scripts/<game>/variants/NAME.rhai, which begins with the note that it
    /// comes from, and puts the variant on in place of what was patched. With the id of
    /// a clause and no note, the clause's own words are the note.
    ROW "save-variant" "NAME [--clause ID] [NOTE]"
        else "this command needs a name for the variant",
            "`:save-variant NAME [--clause ID] [NOTE]`, with the note that it comes from"
        |s, args| s.save_variant(args.text("NAME"), args.get("ID"), args.text("NOTE"));
    /// compares the game so far without and with a tweak
    /// :diff slow-scouts       the same answers and dice without it and with it
    /// :diff max_rounds=8      the same for a dial
    /// :diff scratch           the same for what is patched
    /// :diff                   the rules before they last changed (a save, `:set`, `:with`,
    ///                         `:patch` and the like) and those in force
    /// The game on the table stays as it is. `:retell` plays on from what it would be.
    LOOK "diff" "[TWEAK]..." |s, args| super::compare::diff(s, &args.names("TWEAK"));
    /// tells the exact odds of what can come of this
    /// :odds                        of each option of the open question
    /// :odds red.scouts1 c4         after these answers to the next questions
    /// :odds --by unit("red.scouts1").life     told apart by that, at the end
    /// :odds --until end of round   how far to look, else to the end of what the game
    ///                              calls a whole, or of the step
    /// :odds --with max_rounds=8    the same with a variant or dial, side by side
    /// Every roll takes all its values, but those before the last ANSWER, which are as
    /// the seed has them. Choices are answered with what is best for
    /// whoever chooses: what the others lose minus what its own side loses, or
    /// `--goal` EXPR, which may say `side`; `--policy first` or `random` answer
    /// otherwise. Without `--by` outcomes differ by who was defeated. Ctrl-C stops it;
    /// so do 5 seconds, or `--seconds` N, and `--limit` RUNS when that many runs of steps
    /// were played: what is known by then is told as bounds.
    /// `--sample` N plays it N times instead, choices answered with the first option or
    /// by `--policy`: approximate, and all there is where dice are thrown. It is done on
    /// one core, as the rules on the table are not to be shared; `rulebench odds` lays a
    /// scenario once for each core.
    LOOK "odds" "[ANSWER]... [--by EXPR | --goal EXPR | --until PHASE | --policy POLICY | --limit RUNS \
            | --seconds SECONDS | --sample SAMPLES | --with TWEAK...]..." super::odds::odds,
        known: |s| s.play.asked(|a| a.keys()).unwrap_or_default();
    /// what a scenario of this game is to check at its end
    /// :expect unit("red.scouts1").life == 3     adds one, and says whether it is true now
    /// :expect                                   lists them, each with whether it is true
    /// :expect -2                                takes the second one out again
    /// :expect --save                            adds the new ones to the file of the
    ///                                           scenario on the table
    /// `:save-scenario` writes them with the game.
    ROW "expect" "[--save | -N | EXPRESSION]" Session::expect, looks: Looks::With(0);
    /// writes the game so far as a scenario
    /// :save-scenario lost-scouts Scouts that are lost     the game from its beginning
    /// :save-scenario lost-scouts --here Scouts            the units as they stand now
    /// The file is scenarios/<game>/NAME.toml. It is played once before it is written, and
    /// only written if it comes to the same record and position. `--here` keeps units,
    /// places and slots; the game begins with its first round. Expectations of `:expect`
    /// go along. A file that is there already is left alone.
    ROW "save-scenario" "NAME [--here] [TITLE]"
        |s, args| s.save_scenario(args.text("NAME"), args.has("--here"), args.text("TITLE")),
        needs: |s| Some(testing::unnamed(s));
    /// runs a scenario's file: expectations and snapshot
    /// :test               the scenario on the table
    /// :test lost-scouts   another one
    /// :test all           all of this game; Ctrl-C stops between two of them
    /// The files count, not what is on or patched here. `:accept` takes what plays
    /// otherwise now as right.
    ROW "test" "[all | SCENARIO]" |s, args| s.test(args.first());
    /// takes the pending snapshot of a scenario as right
    /// Without a name that of the scenario on the table, or the only one that is pending.
    ROW "accept" "[SCENARIO]" |s, args| s.accept(args.text("SCENARIO"));
    /// shows a clause of the rulebook and what proves it
    /// :clause             all clauses, in short
    /// :clause R-7         one: what it says, who proves it, which tweaks are about it
    /// :clause 7a          the id may be shortened at both ends
    /// :clause scouts      all that speak of it
    LOOK "clause" "[ID | TEXT]" |s, args| Ok(clause::clause(s, args.typed)?.into()),
        known: clause::ids;
    /// plays the past again under the rules in force
    /// Gives the same answers from the start and marks the first line that differs.
    /// If all of them still fit, the game goes on from its new end, and `:undo` brings
    /// the old one back. If one does not, the game on the table stays as it is.
    ROW "retell" "" |s, _| s.retell();
    /// looks for saved files now; the board is kept
    /// Saved scripts and scenarios are noticed by themselves.
    AT_STOP "reload" "" |s, _| s.reload();
    /// leaves; so does Ctrl-D
    AT_STOP "quit" "" |_, _| Ok(Output { quit: true, ..Output::default() }), any_time: true;
}

/// The names of all commands.
pub fn names() -> impl Iterator<Item = &'static str> {
    all().map(|c| c.name)
}

/// The names of the commands that a beginning may mean; all for an empty one.
pub fn meant(beginning_of: &str, stopped: bool) -> Vec<String> {
    if beginning_of.is_empty() {
        return names().map(str::to_owned).collect();
    }
    let meant = beginning(beginning_of, stopped);
    meant.iter().map(|c| c.name.to_owned()).collect()
}

/// The commands that begin so: those that matter now, or the others if none of them does.
fn beginning(name: &str, stopped: bool) -> Vec<&'static Command> {
    let (first, second) = match stopped {
        true => (debug::COMMANDS, COMMANDS),
        false => (COMMANDS, debug::COMMANDS),
    };
    let begin = |commands: &'static [Command]| -> Vec<&'static Command> {
        commands.iter().filter(|c| c.name.starts_with(name)).collect()
    };
    let begin_first = begin(first);
    match begin_first.is_empty() {
        true => begin(second),
        false => begin_first,
    }
}

fn all() -> impl Iterator<Item = &'static Command> {
    COMMANDS.iter().chain(debug::COMMANDS)
}

/// The command of that name, or the only one that begins so, as it stands while the game is stopped
/// within a step or is not.
pub fn row(name: &str) -> Option<&'static Command> {
    find_now(name, false).ok()
}

/// Whether the arguments of a command are code of the rules' language.
pub fn takes_code(name: &str) -> bool {
    row(name).is_some_and(|c| arguments::take_code(c.takes.0))
}

/// How the name of a command that is being typed stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It is a command's name.
    Known,
    /// Commands begin so.
    Begins,
    /// None does.
    Unknown,
}

/// How a name stands.
pub fn standing(name: &str) -> Standing {
    match names().filter(|n| n.starts_with(name)).count() {
        0 => Standing::Unknown,
        _ if names().any(|n| n == name) => Standing::Known,
        _ => Standing::Begins,
    }
}

/// Whether a line only looks: it changes nothing on the table, writes no file, and play does not go on.
pub fn only_looks(line: &str) -> bool {
    let Some(command) = line.strip_prefix(':') else {
        return line.starts_with('=');
    };
    let mut words = command.split_whitespace();
    match words.next().and_then(row).map(|row| row.looks) {
        Some(Looks::With(count)) => words.count() == count,
        looks => looks == Some(Looks::Always),
    }
}

/// Whether a line means the same whatever lies on the table by now, and though an agent is asked: a command that
/// only looks, or one such as `:plays`.
pub fn is_heard_at_any_time(line: &str) -> bool {
    let name = line.strip_prefix(':').and_then(|c| c.split_whitespace().next());
    only_looks(line) || name.and_then(row).is_some_and(|row| row.any_time)
}

/// Whether a line, to which others may have been added, wants one more before it can be taken: a
/// `:patch` whose function is not whole.
pub fn goes_on(line: &str) -> bool {
    let Some(command) = line.trim_start().strip_prefix(':') else {
        return false;
    };
    let (name, at) = word(command);
    if full_name(name) != Some(PATCH) {
        return false;
    }
    let (script, span) = word(&command[at.end..]);
    if script.is_empty() {
        return false;
    }
    let typed = &command[at.end + span.end..];
    let far = how_far(typed);
    if far.open || far.body {
        return far.open;
    }
    // A blank line ends what has not begun.
    !typed.ends_with('\n') && (!far.code || typed.contains("fn "))
}

/// Whether what is typed wants one more line before it can be taken: a function that is not whole, or
/// an expression that leaves a bracket open.
pub fn wants_more(text: &str) -> bool {
    let code = |name: &str| takes_code(name) && full_name(name) != Some(PATCH);
    goes_on(text) || lines::unfinished(text, &code)
}

/// Runs a command line without its `:`.
///
/// # Errors
///
/// An unknown command, arguments that it does not take, or what came of it.
pub fn run(session: &mut Session, line: &str) -> Done {
    let line = line.trim_start();
    let (name, args) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let command = find_now(name, session.is_stopped())?;
    if session.is_stopped() && !command.at_stop {
        let why = format!(
            "the game is stopped within a step; `:{}` needs it between two",
            command.name
        );
        let ways = "`:continue` plays on, `:leave` plays to the next question";
        return Err(Problem::new(why).hint(ways).into());
    }
    command.run(session, args.trim())
}

/// The command of that name, or the only one that begins so. Short forms mean the commands that
/// matter now before the others: where the game is stopped within a step, those that go on from there.
fn find_now(name: &str, stopped: bool) -> Result<&'static Command, Problem> {
    let alias = debug::ALIASES.iter().find(|(short, _)| stopped && *short == name);
    let name = alias.map_or(name, |(_, long)| long);
    if let Some(exact) = all().find(|c| c.name == name) {
        return Ok(exact);
    }
    let begin = beginning(name, stopped);
    match &begin[..] {
        _ if name.is_empty() => {
            Err(Problem::new("a command's name follows the `:`").hint("`:help` lists them"))
        }
        [only] => Ok(only),
        [] => Err(Problem::new(format!("there is no command `:{name}`")).hint(
            match did_you_mean(name, names()) {
                _ if name == LEAVE => "did you mean `:quit`?".to_owned(),
                Some(near) => format!("did you mean `:{near}`? `:help` lists all"),
                None => "`:help` lists them".to_owned(),
            },
        )),
        _ => {
            // All that begin so, though some would have to be written out.
            let several = all().filter(|c| c.name.starts_with(name));
            let several: Vec<String> = several.map(|c| format!("`:{}`", c.name)).collect();
            Err(Problem::new(format!(
                "`:{name}` could be {}",
                several.join(" or ")
            )))
        }
    }
}

/// What others call `:quit`.
const LEAVE: &str = "exit";

/// The command that a line without a colon is, if it begins with the whole name of one.
pub fn without_colon(line: &str) -> Option<String> {
    let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
    let name = match name {
        LEAVE => "quit",
        name => all().map(|c| c.name).find(|known| *known == name)?,
    };
    Some(format!(":{name} {rest}").trim_end().to_owned())
}

/// The whole name of a command that may be shortened; `None` when no single one is meant.
pub(super) fn full_name(name: &str) -> Option<&'static str> {
    find_now(name, false).ok().map(|c| c.name)
}

fn help(session: &Session, name: &str) -> Result<Page, Problem> {
    let table = |commands: &[Command]| {
        let row = |c: &Command| vec![c.head(), c.help.to_owned()];
        Table::plain(commands.iter().map(row).collect())
    };
    if name == "debug" || name.is_empty() && session.is_stopped() {
        return Ok(Page::lines([
            debug::HELP.into(),
            Part::from(table(debug::COMMANDS)),
        ]));
    }
    if !name.is_empty() {
        return explain(
            name,
            session.is_stopped(),
            session.words_called(name),
            &session.words_told(),
        );
    }
    let debugging: Vec<String> = debug::COMMANDS.iter().map(|c| format!(":{}", c.name)).collect();
    let mut page = Page::of(table(COMMANDS));
    page.put(format!(
        "To stop within a step, see `:help debug`:\n{}.",
        debugging.join(" ")
    ));
    page.put(
        "An option's name or number answers the question. Anything else is an\n\
         expression that reads the position, such as `count(\"round\")`; a `=` before it\n\
         says so. Commands may be shortened while they are clear. `:help NAME` says more.",
    );
    Ok(page)
}

/// What a command does, and what is called so in scripts and files, and in the game, of which these are the names.
fn explain(name: &str, stopped: bool, in_game: Vec<Part>, names_there: &[String]) -> Result<Page, Problem> {
    let said = if name.starts_with(':') {
        Vec::new()
    } else {
        reference::find(name)
    };
    let mut page = Page::default();
    let command = name.trim_start_matches(':');
    // A whole name in scripts is no shortened command.
    if said.is_empty() && in_game.is_empty() || names().any(|n| n == command) {
        let unknown = |unknown: Problem| {
            let shortens = names().any(|n| n.starts_with(command));
            if shortens || name.starts_with(':') || name == LEAVE {
                return unknown;
            }
            let mut known: Vec<&str> = names().chain(reference::names()).collect();
            known.extend(names_there.iter().map(String::as_str));
            let near = did_you_mean(name, known);
            let colon = |near: &String| if names().any(|n| n == near) { ":" } else { "" };
            Problem::new(format!("nothing is called `{name}`")).hint(match near {
                Some(near) => format!(
                    "did you mean `{}{near}`? `:help` lists the commands",
                    colon(&near)
                ),
                None => "`:help` lists the commands".to_owned(),
            })
        };
        let command = find_now(command, stopped).map_err(unknown)?;
        let text = format!(
            "{}\n{}\n{}",
            command.head().trim_end(),
            command.help,
            more(command)
        );
        page.put(text.trim_end());
    }
    page.extend(in_game);
    page.extend(said.iter().map(|entry| entry.text()));
    Ok(page)
}

fn options(session: &mut Session) -> Done {
    if session.is_for_machine() {
        return Err(session.asked_of_an_agent().into());
    }
    let question = session.question_with_meanings();
    Ok(question
        .unwrap_or_else(|| Page::of("nothing is asked now"))
        .into())
}

fn auto(session: &mut Session, args: &Args<'_>) -> Done {
    let (agent, phase) = match (args.get("AGENT"), args.get("PHASES")) {
        // The agent may stand last, too.
        (None, Some(word)) if Agent::find(word).is_ok() && session.phases(word).is_err() => {
            (Some(word), None)
        }
        both => both,
    };
    let agent = agent.map_or(Ok(Agent::Random), Agent::find)?;
    let number = args.number("N");
    let times = number.unwrap_or(1);
    let goal = match phase {
        None => Goal::Answers(times),
        Some("end" | "all") if number.is_none() => Goal::End,
        Some("step" | "steps") => Goal::Steps(times),
        Some(phase) => Goal::Phases(session.phases(phase)?, times),
    };
    session.auto(agent, &goal)
}

fn seed(session: &mut Session, seed: Option<u64>) -> Done {
    if let Some(seed) = seed {
        return session.reseed(seed);
    }
    let (began, now) = (session.laid.file.seed, session.seed());
    Ok(Output::text(match began == now {
        true => now.to_string(),
        false => format!("{now}; the game began with {began}"),
    }))
}

/// What is said where a dial and its value must stand and do not.
fn unturned(dial: &Dial) -> Problem {
    let problem = Problem::new("name a dial and its value");
    problem.hint(format!(
        "such as `:set {}={}`; `:dials` lists them",
        dial.name, dial.value
    ))
}

fn dials(session: &Session, text: &str) -> Result<Page, Problem> {
    let dials = &session.play.host.dials;
    let text = text.trim();
    let rows: Vec<Vec<String>> = dials
        .iter()
        .filter(|d| d.name.to_lowercase().contains(&text.to_lowercase()))
        .map(|d| {
            let turned = if d.value == d.default {
                String::new()
            } else {
                format!(", not {}", d.default)
            };
            vec![
                d.name.clone(),
                format!("{}{turned}", d.value),
                d.range.to_string(),
            ]
        })
        .collect();
    if rows.is_empty() && !dials.is_empty() {
        let known = dials.iter().map(|d| d.name.as_str());
        let problem = Problem::new(format!("no dial is called `{text}`"));
        return Err(problem.hint(hint_for(text, known)));
    }
    Ok(table_or(rows, "this game has no dials"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(name: &str) -> Result<&'static Command, Problem> {
        find_now(name, false)
    }

    fn explained(name: &str) -> Result<Page, Problem> {
        explain(name, false, Vec::new(), &[])
    }

    fn message(name: &str) -> String {
        find(name).err().map(|p| p.page(false)).expect("it is refused")
    }

    #[test]
    fn names_may_be_shortened_while_they_are_clear() {
        assert_eq!(find("bo").map(|c| c.name), Ok("board"));
        assert!(find("se").is_err());
        assert_eq!(find("set").map(|c| c.name), Ok("set"));
        assert!(message("u").contains("`:units` or `:undo` or `:unbreak`"));
    }

    #[test]
    fn where_the_game_is_stopped_short_forms_go_on_from_there() {
        let name = |short: &str, stopped| find_now(short, stopped).map(|c| c.name);
        for (short, long) in [
            ("s", "step"),
            ("n", "next"),
            ("f", "finish"),
            ("c", "continue"),
            ("b", "break"),
            ("l", "list"),
            ("bt", "where"),
        ] {
            assert_eq!(name(short, true), Ok(long));
        }
        // At a question they mean what they did before.
        assert_eq!(name("bo", false), Ok("board"));
        assert_eq!(name("n", false), Ok("new"));
        assert!(name("bt", false).is_err() && name("s", false).is_err());
        assert_eq!(name("bre", false), Ok("break"));
        assert_eq!(name("board", true), Ok("board"));
    }

    #[test]
    fn a_function_may_stand_below_its_script_and_an_expectation_is_whole_in_its_line() {
        let parts = |text: &str| lines::inputs(text, &wants_more);
        assert_eq!(
            parts(":patch spears\nfn melee(me) {\n  base(me);\n}\n1"),
            [":patch spears\nfn melee(me) {\n  base(me);\n}", "1"]
        );
        let whole = [
            ":expect -2",
            ":expect --save",
            ":expect 1",
            ":expect over",
            ":expect",
        ];
        assert_eq!(parts(&whole.join("\n")), whole);
        assert!(whole.iter().all(|line| !wants_more(line)) && wants_more(":expect unit("));
    }

    #[test]
    fn unknown_names_get_the_nearest() {
        assert!(message("bord").contains("did you mean `:board`?"));
        assert!(message("").contains("`:help`"));
    }

    #[test]
    fn what_scripts_say_is_explained_beside_the_commands() {
        let units = explained("units").expect("it is both").text();
        assert!(
            units.starts_with(":units") && units.contains("function: "),
            "{units}"
        );
        let command = explained(":units").expect("it is a command").text();
        assert!(!command.contains("function: "), "{command}");
        let total = explained("total")
            .expect("it is a function and a property")
            .text();
        assert!(total.contains("total(units, name: text) -> number") && total.contains("property of dice"));
        assert!(!total.starts_with(':'), "{total}");
    }

    #[test]
    fn what_nothing_is_called_gets_the_nearest_of_both() {
        let message = |name: &str| explained(name).expect_err("it is nothing").page(false);
        assert!(message("places_withn").contains("did you mean `places_within`?"));
        assert!(message("restat").contains("did you mean `:restart`?"));
        assert!(message("exit").contains("did you mean `:quit`?"));
        assert!(message(":totel").contains("there is no command"));
    }
}
