//! The commands: one table for the prompt, the page and the command line. A row has a command's name, group and help,
//! says where it can be used, and has its arguments and function at the prompt; `cli/dispatch.rs` has those on the
//! command line. Help, completion, the command line and the reference of commands are made from the table.

pub mod card;
pub mod clause;
pub mod compare;
pub mod edit;
pub mod odds;
pub mod patch;
pub mod perft;
pub mod picture;
pub mod rules;
pub mod testing;
pub mod tour;
pub mod turning;
pub mod why;

use crate::agents::Agent;
use crate::arguments::{self, Args};
use crate::auto::AutoGoal;
use crate::command::{Command, CommandResult, Group, LINE, LOOK, ROW, ReadOnly, commands, more};
use crate::output::Output;
use crate::problems;
use crate::reference;
use crate::report::{Problem, did_you_mean, hint_for};
use crate::reports::{Report, ReportPart, ReportTable};
use crate::rules::declare::Dial;
use crate::rules::trace::TraceLevel;
use crate::scratch::{how_far, word};
use crate::session::Session;
use crate::show::table_or;
use crate::typed;
use card::card;
use patch::PATCH;
use std::collections::BTreeMap;
use why::{why, why_not};

/// The arguments of a command that the prompt does not have.
fn nothing(_: &mut Session, _: &Args<'_>) -> CommandResult {
    Ok(Output::default())
}

/// Whether something is turned on; it is where nothing is written.
const SWITCH: &str = "[on|off]";

commands! {
    /// All commands, in the order in which help lists them.
    pub COMMANDS:
    Play {
        /// Show the open question again, with its options
        /// Answer with the name of an option or with its number. Several names answer the questions that follow, as in
        /// scenario files: `red.scouts1 c4`, `aim: blue.scouts1`. Behind an option stands what it changes at once, before
        /// any dice are rolled.
        LOOK "options" "" |s, _| options(s);
        /// Let an agent answer: once, N times, or to the end
        /// :auto               the random agent answers the open question
        /// :auto greedy        the greedy agent does; agents are random, greedy, first and mcts
        /// :auto 5             five questions
        /// :auto 10 steps      ten steps
        /// :auto 2 rounds      until the second round from now begins; the name of any phase works
        /// :auto end           to the end of the game; `all` means the same
        /// Ctrl-C stops it, also while it thinks; the question stays open.
        ROW "auto" "[AGENT] [N] [PHASES]" auto;
        /// Let an agent play a faction from now on
        /// :plays                   who plays which faction
        /// :plays blue mcts         the MCTS agent answers for blue from now on, and says why
        /// :plays blue mcts:500ms   it thinks half a second for each answer; mcts:2000 is 2000 playouts
        /// :plays blue me           you play blue again
        /// Other agents are greedy, first and random. Ctrl-C stops an agent that thinks, and you play its faction again.
        /// `:undo` goes back to the last answer of a person, and `:redo` on to the next. What an agent answers in secret
        /// is not shown, and an agent does not see the secrets of others.
        ROW "plays" "[FACTION AGENT|me]"
            else "a faction and an agent", "`:plays FACTION mcts`; `:plays FACTION me` gives it back"
            Session::plays, looks: ReadOnly::With(0), any_time: true;
        /// Let one person play all factions, nothing covered
        /// Secret choices are then shown on boards and in lists. You can also answer `both` to a secret question, or
        /// `all` if there are more than two factions. `:alone off` covers them again.
        ROW "alone" SWITCH |s, args| Ok(s.play_alone(!args.has("off")));
        /// Undo the last N answers, 1 without N
        /// Answers of agents count; a choice with a single option does not. A change by hand is undone as one. Right
        /// after `:open`, `:load`, `:new`, `:restart`, `:seed` or `:retell` it brings back the game before that. Nothing
        /// is lost: `:redo` gives the answers again, and if you answer differently, the branch as it was is kept (`:help
        /// switch`).
        ROW "undo" "[N]" |s, args| s.undo(args.number("N").unwrap_or(1));
        /// Redo the last N undone answers, 1 without N
        /// After you have answered differently there is nothing to redo; `:branches` lists the branch as it was.
        ROW "redo" "[N]" |s, args| s.redo(args.number("N").unwrap_or(1));
        /// Go back to the beginning of a round
        /// :back               to the beginning of the present round
        /// :back 3             to the beginning of round 3
        /// :back second turn   to the beginning of that phase, the last time it began
        /// :back 2 rounds      to the beginning of the round before the present one
        /// `:redo` and `:switch` go forward again.
        ROW "back" "[N] [PHASE] [NTH]" Session::back;
        /// Start a new game
        /// :new battle          from its beginning
        /// :new battle empty    an empty board, without the set-up; the game waits for `:start`
        ROW "new" "GAME [empty]" |s, args| s.begin(args.text("GAME"), args.has("empty"));
        /// Start the game from what was put on an empty board
        ROW "start" "" |s, _| s.start();
        /// Open the position of a scenario or transcript
        /// It takes a name or a path. The answers in it are played first; the questions after them are yours.
        ROW "open" "SCENARIO" |s, args| s.open(args.text("SCENARIO"));
        /// Start over from the beginning
        ROW "restart" "" |s, _| s.restart();
        /// Leave; Ctrl-D does the same
        ROW "quit" "" |_, _| Ok(Output { quit: true, ..Output::default() }), any_time: true;
        /// Open the prompt with a game or a scenario on the table
        LINE "repl" "" nothing;
        /// Serve the table as a web page, on this machine only
        LINE "table" "" nothing;
        /// Play scenarios or transcripts and print what happens
        LINE "run" "" nothing;
    }
    Look {
        /// Draw the board, here or into a file
        /// :board              here; a ' marks the unit that moved last, brackets or a ? mark the options of the open
        ///                     question
        /// :board png FILE     a picture to paste, with arrows for the last events of this phase
        /// :board svg FILE     the same, sharp at any size
        /// During a secret choice both show only what the faction that is asked may see.
        ROW "board" "[svg|png] [FILE]" picture::board, looks: ReadOnly::With(0);
        /// Stop drawing the board after every move
        /// `:quiet off` draws it again whenever something has moved, with the options of the open question marked on it.
        ROW "quiet" SWITCH |s, args| {
            s.face.quiet = !args.has("off");
            Ok(Output::text(match s.face.quiet {
                true => "the board is shown by `:board` only; `:quiet off` shows what moves",
                false => "the board is shown whenever something has moved",
            }))
        }, any_time: true;
        /// List all units with their places and slots
        LOOK "units" "" |s, _| Ok(s.units().into());
        /// Show the last N events, 20 without N
        LOOK "events" "[N]" |s, args| Ok(s.events(args.number("N").unwrap_or(20)).into());
        /// Show the card of a unit, type, place or faction
        /// :card red.scouts1   its place, slots, numbers and abilities
        /// :card scouts        the type
        /// :card c4            the units and the terrain of a place
        /// :card red           the slots, units and zones of a faction, and who answers for it
        /// :card mud           a kind of terrain
        /// :card battle        the game
        /// Texts come from `card()` in the scripts; `rulebench sheet` prints the same.
        LOOK "card" "UNIT|TYPE|PLACE|FACTION" |s, args| Ok(card(s, args.first())?.into());
        /// Mark where a unit can go, now or in its next turn
        /// It marks the options that the rules offer. With FILE, a .svg or .png, it marks them on a picture.
        ROW "reach" "UNIT [FILE]" picture::reach, looks: ReadOnly::With(1);
        /// Mark what a unit could hit and where it could go
        /// It tries every step of the unit, or of each unit of the faction, on the present board, and marks the options.
        /// With FILE, a .svg or .png, it marks them on a picture.
        ROW "threat" "FACTION|UNIT [FILE]" picture::threat, looks: ReadOnly::With(1);
        /// Measure distance and sight between two things
        /// :measure red.scouts1 blue.scouts1    the distance, whether one sees the other, what is in between
        /// A thing is a unit, a place or, on a table top, a piece of terrain or a spot such as 12.4,7. With FILE, a .svg
        /// or .png, it draws them on a picture of the table top.
        LOOK "measure" "A B [FILE]"
            else "two things to measure between", "such as `:measure red.scouts1 blue.guards1`"
            picture::measure;
        /// Show the table in the browser, too
        /// :page       serve a page on this machine only, and print its address
        /// :page off   stop serving it
        /// A click on the page sends the line that you would type here, and both show what the other does. The address
        /// contains a secret: everybody who knows it can play.
        ROW "page" SWITCH |s, args| match args.has("off") {
            false => Ok(s.open_page()?),
            true => Ok(s.close_page()?),
        };
        /// Show in five minutes what you can do here
        /// Enter or `:tour` continues it, one stop at a time. A game in which somebody has answered is kept; `:branches`
        /// lists it.
        ROW "tour" "" |s, _| s.tour();
        /// List the most used commands, or explain a word
        /// :help all           every command, in groups
        /// :help undo          one command
        /// :help choose        a function, property, hook, key, word or kind of value of scripts
        /// :help max_rounds    a dial, function, unit type, variant or slot of the game
        /// :help :units        only the command, if a word means both
        LOOK "help" "[NAME]" |s, args| Ok(help(s, args.text("NAME"))?.into()),
            known: |s| {
                let said = reference::names();
                names().chain(said).map(str::to_owned).chain(s.words_told()).collect()
            };
    }
    Ask {
        /// Show which rules caused an event
        /// :why                the last event that a rule caused
        /// :why 12             event 12; `:events` shows the numbers
        /// :why damage         the last call of the function `damage`
        /// Each line is a call: its arguments, the file and line that it reached, its result, and the variant that it
        /// belongs to.
        LOOK "why" "[EVENT | FUNCTION]" |s, args| Ok(why(s, args, TraceLevel::Calls)?.into());
        /// Show every line of the scripts that ran for an event
        /// :trace              the last event that a rule caused
        /// :trace 12           event 12; `:events` shows the numbers
        /// :trace damage       the last call of the function `damage`
        /// Beside each line stand the values of its variables, `old -> new` where the line changes one, and the results
        /// of its calls. The lines of a called function follow, further to the right.
        LOOK "trace" "[EVENT | FUNCTION]" |s, args| Ok(why(s, args, TraceLevel::Statements)?.into());
        /// Show which rule refuses an option
        /// :why-not c5                  why the open question does not offer c5
        /// :why-not red.scouts1 c5      why that unit cannot go there, also before it is activated
        LOOK "why-not" "[UNIT] OPTION"
            else "an option, or a unit and an option", "such as `:why-not c5` or `:why-not UNIT c5`"
            |s, args| Ok(why_not(s, args)?.into());
        /// Compute the exact odds of what can happen next
        /// :odds                        for each option of the open question
        /// :odds red.scouts1 c4         after these answers to the next questions
        /// :odds --by unit("red.scouts1").life     by the value of this at the end
        /// :odds --chance hit           the chance that a line of the record contains this text
        /// :odds --until end of round   how far to look; otherwise to the end of the phase that the game calls whole, or
        ///                              of the step
        /// :odds --with max_rounds=8    the same with a variant or dial, side by side
        /// Every roll takes all its values; only rolls before the last ANSWER keep those of the seed. Each faction
        /// answers with what is best for itself: what the others lose minus what it loses, or `--goal` EXPR, which may
        /// use `side`. `--policy first` or `random` answers otherwise. Without `--by`, outcomes differ by the units that
        /// were defeated. Ctrl-C stops it, and so do 5 seconds, or `--seconds` N, and `--limit` RUNS after that many runs
        /// of steps: it then shows bounds. `--sample` N plays N times instead, and answers with the first option or by `--policy`: the result is approximate, and the only way
        /// if dice are thrown. It uses one core; `rulebench odds` uses all of them.
        LOOK "odds" "[ANSWER]... [--by EXPR | --chance EVENT | --goal EXPR | --until PHASE | --policy POLICY | --limit RUNS \
                | --seconds SECONDS | --sample SAMPLES | --with TWEAK...]..." crate::commands::odds::odds,
            known: |s| s.play.with_question(|a| a.keys()).unwrap_or_default(), on_line: true;
        /// Count the sequences of answers from here, by length
        /// :perft                 of up to 3 answers
        /// :perft 5               of up to 5 answers
        /// :perft 4 --divide      the sequences of 4 answers, by their first answer
        /// :perft 5 --forced      an answer with one option counts as an answer, too
        /// Game programmers compare engines by these numbers. An answer with one option answers itself; without
        /// `--forced` such answers have a column of their own. Rolls have the values of the seed, and of a region only
        /// the candidates are counted. Ctrl-C stops it: the depths that are done are shown.
        LOOK "perft" "[N] [--divide] [--forced]" perft::perft, on_line: true;
        /// Find the step that changed the chances most
        /// :turning-point          100 random games from each position that it looks at
        /// :turning-point 400      more games, for a better estimate
        /// The chances are those of players who answer at random from there on. Ctrl-C stops it.
        LOOK "turning-point" "[N]" |s, args| turning::turning_point(s, args.number("N").unwrap_or(100));
        /// Show a clause of the rulebook and what proves it
        /// :clause             all clauses, in short
        /// :clause R-7         one: its text, the scenarios that prove it, the variants about it
        /// :clause 7a          the id may be shortened at both ends
        /// :clause scouts      all clauses with this text
        LOOK "clause" "[ID | TEXT]" |s, args| Ok(clause::clause(s, args.typed)?.into()),
            known: clause::ids;
    }
    Branches {
        /// List the branches of the game
        /// A `*` marks the present branch. Each other one shows how many answers were given, where it stands, and where
        /// it differs from the present one.
        ROW "branches" "" |s, _| Ok(s.list_branches().into()), looks: ReadOnly::With(0);
        /// Name the present branch
        /// A branch without a name gets one when you leave it: the round, the unit and the answer where it differs from
        /// the other.
        ROW "branch" "[NAME]" |s, args| s.name_branch(args.text("NAME"));
        /// Go to another branch; this one is kept
        /// A branch is kept whenever you answer differently after `:undo` or `:back`, and when you open another game.
        /// Without a name you go to the branch that you left last. Branches of one game go on under the present rules,
        /// with the board kept; another game comes back under its own variants and dials.
        ROW "switch" "[LINE]" |s, args| s.switch(args.text("LINE"));
        /// Delete a branch
        ROW "forget" "LINE"
            else "the name of a branch", "`:branches` lists them"
            |s, args| s.forget_branch(args.text("LINE"));
        /// Write the game so far as a transcript
        /// `:load`, `rulebench run` and `rulebench repl` read it. It overwrites no files other than transcripts.
        ROW "save" "FILE" |s, args| s.save(args.text("FILE"));
        /// Play a transcript again, to go on from its end
        ROW "load" "FILE" |s, args| s.open(args.text("FILE"));
    }
    Table {
        /// Change units and slots on the table by hand
        /// :edit place red.scouts c4 life=3      a new unit; it gets its number by itself
        /// :edit move red.scouts1 c5             also `reserve red.scouts1`
        /// :edit remove red.scouts1
        /// :edit lay mud c5                      terrain; `lift mud c5` removes it
        /// :edit lay wall box(80,150,120,170)    on a table top, where units stand at x,y; also `disc(x,y,diameter)`;
        ///                                       `lift wall piece1`
        /// :edit red.d6_1 shows=3                the face that a die on the board of an arena shows
        /// :edit red.scouts1 life=2 tired        slots; a flag alone is set
        /// :edit red damage=3                    slots of a faction, a place or the `game`
        /// :edit set max_rounds=8                a dial, as `:set` does
        /// Changes with `;` between them are made together or not at all. The rules must allow units to stand where you
        /// put them, as in a scenario; for a slot that falls to 0 they decide what follows. The open step runs again from
        /// its start, with its answers as far as they fit. A unit that comes onto the board still gets its step in the
        /// present phase. `:undo` undoes a change as one; saves keep it.
        ROW "edit" "CHANGE;..." |s, args| s.edit(args.typed),
            needs: |_| Some(edit::nothing_said());
        /// Make the next roll of a label show these dice
        /// :force                list the forced rolls, and the rolls of the game
        /// :force morale 6       the next `morale` is a 6
        /// :force army 1 2 3     a roll of several dice
        /// :force morale -       roll it again as usual
        /// It counts from the start of the open step: a roll in that step is made again with these dice, and later
        /// answers stay as far as they fit. For a roll of an earlier step, `:undo` first. Dice that no roll has taken yet
        /// keep waiting; several for one label are taken in their order. Saves keep them.
        ROW "force" "[LABEL [DICE]]" Session::force;
        /// Change the dice from here on; the board is kept
        /// :reseed 8     the dice of seed 8 from here on
        /// :reseed       the dice of the next seed
        /// The open step runs again with them. Agents use the new seed, too. `:undo` undoes it; `:seed N` starts over
        /// instead.
        ROW "reseed" "[SEED]" |s, args| s.play_on_with(args.number("SEED"));
        /// Show the seed, or start over with another one
        ROW "seed" "[SEED]" |s, args| seed(s, args.number("SEED"));
    }
    Rules {
        /// List the dials: value and range
        /// With a part of a name, list only the dials whose name contains it: `:dials life`.
        LOOK "dials" "[TEXT]" |s, args| Ok(dials(s, args.typed)?.into());
        /// Turn a dial; the board is kept
        /// :set max_rounds=8     `:retell` then plays the same answers again, `:restart` starts over
        /// :set max_rounds=      back to the value of the rules
        ROW "set" "DIAL=VALUE" |s, args| s.turn(&[args.pair("DIAL=VALUE")]),
            needs: |s| s.play.ruleset().dials.first().map(unturned);
        /// List the variants: which are on, what they change
        /// :variants           all, a line each
        /// :variants fog       the variant of that name, with its whole note; or those whose note has this text
        LOOK "variants" "[TEXT]" |s, args| Ok(s.variants(args.typed.trim())?.into()),
            known: |s| s.rules.tweaks(&s.game()).unwrap_or_default(), on_line: true;
        /// Turn variants on; the board is kept
        /// `:retell` then plays the same answers again, `:restart` starts over.
        ROW "with" "VARIANT..." |s, args| s.with(&args.names("VARIANT"));
        /// Turn variants off; the board is kept
        ROW "without" "VARIANT..." |s, args| s.without(&args.names("VARIANT"));
        /// Override a function; the board is kept
        /// :patch                                      list the functions that are overridden
        /// :patch scouts fn act(me) { base(me); }      a function of a unit type
        /// :patch game fn end_of_round() { }           a function of game.rhai
        /// The function may be several lines long. `base(...)` calls the function that was there before. Another function
        /// of the same name replaces it. `:drop` takes it back, `:save-variant NAME` saves it as a file, `:diff` shows
        /// what it changes.
        ROW "patch" "[SCRIPT [CODE]]" Session::patch;
        /// Take back `:patch`: all of it, or one function
        /// The name of a script takes back everything in that script.
        ROW "drop" "[SCRIPT.FUNCTION]" |s, args| s.drop_patches(&args.names("SCRIPT.FUNCTION")),
            known: Session::patched;
        /// Save the patches as the file of a variant
        /// :save-variant slow-scouts Scouts are too fast
        /// :save-variant slow-scouts --clause R-7 Scouts are too fast
        /// It writes scripts/<game>/variants/NAME.rhai, which begins with the note that the variant comes from, and turns
        /// the variant on instead of the patches. With the id of a clause and no note, the text of the clause is the
        /// note.
        ROW "save-variant" "NAME [--clause ID] [NOTE]"
            else "a name for the variant",
                "`:save-variant NAME [--clause ID] [NOTE]`, with the note that it comes from"
            |s, args| s.save_variant(args.text("NAME"), args.get("ID"), args.text("NOTE"));
        /// Compare the game without and with a variant
        /// :diff slow-scouts       the same answers and dice without it and with it
        /// :diff max_rounds=8      the same for a dial
        /// :diff scratch           the same for the patches
        /// :diff                   the rules before their last change (a save, `:set`, `:with`, `:patch` and the like)
        ///                         and the present rules
        /// The game on the table stays as it is. `:retell` plays on from what it would be.
        LOOK "diff" "[TWEAK]..." |s, args| crate::commands::compare::diff(s, &args.names("TWEAK")), on_line: true;
        /// Play the same answers again under the present rules
        /// It plays from the start and marks the first line that differs. If all answers still fit, the game goes on from
        /// its new end, and `:undo` brings the old one back. If one does not fit, the game on the table stays as it is.
        ROW "retell" "" |s, _| s.retell();
        /// Look for saved files now; the board is kept
        /// Saved scripts and scenarios are noticed automatically.
        ROW "reload" "" |s, _| s.reload();
        /// Make a workspace with a tiny game, to begin from
        LINE "new" "" nothing;
    }
    Test {
        /// Set what a scenario of this game checks at its end
        /// :expect unit("red.scouts1").life == 3     add one, and show whether it is true now
        /// :expect                                   list them, each with whether it is true now
        /// :expect -2                                remove the second one
        /// :expect --save                            add the new ones to the file of the scenario on the table
        /// `:save-scenario` writes them with the game.
        ROW "expect" "[--save | -N | EXPRESSION]" Session::expect, looks: ReadOnly::With(0);
        /// Write the game so far as a scenario
        /// :save-scenario lost-scouts Scouts that are lost     the game from its beginning
        /// :save-scenario lost-scouts --here Scouts            the units as they stand now
        /// The file is scenarios/<game>/NAME.toml. It is played once first, and only written if it gives the same events
        /// and position. `--here` keeps units, places and slots; the game then begins with its first round. Expectations
        /// of `:expect` are included. An existing file is never overwritten.
        ROW "save-scenario" "NAME [--here] [TITLE]"
            |s, args| s.save_scenario(args.text("NAME"), args.has("--here"), args.text("TITLE")),
            needs: |s| Some(testing::unnamed(s));
        /// Test a scenario file: expectations and snapshot
        /// :test               the scenario on the table
        /// :test lost-scouts   another one
        /// :test all           all of this game; Ctrl-C stops between two of them
        /// It tests the files, without the variants and patches of this session. `:accept` accepts what happens now as
        /// right.
        ROW "test" "[all | SCENARIO]" |s, args| s.test(args.first()), on_line: true;
        /// Accept the changed snapshot of a scenario
        /// Without a name it accepts that of the scenario on the table, or the only pending one.
        ROW "accept" "[SCENARIO]" |s, args| s.accept(args.text("SCENARIO")), on_line: true;
        /// Review each pending snapshot
        LINE "review" "" nothing;
        /// Delete pending snapshots
        LINE "reject" "" nothing;
        /// List the clauses of a rulebook and the scenarios that prove them
        LINE "coverage" "" nothing;
        /// Change the rules bit by bit and list what no scenario notices
        LINE "mutate" "" nothing;
    }
    Measure {
        /// Play many games between agents and summarise them
        LINE "sim" "" nothing;
        /// Measure what a variant changes, on the same seeds
        LINE "compare" "" nothing;
        /// Measure every value of a dial, on the same seeds
        LINE "sweep" "" nothing;
        /// Find the fewest and smallest changes of dials that meet targets
        LINE "tune" "" nothing;
        /// Play armies of one unit type each against each other
        LINE "matchups" "" nothing;
        /// Measure what a unit of each type is worth
        LINE "value" "" nothing;
        /// Report on balance, tension, length and unused rules
        LINE "health" "" nothing;
        /// Report on every open note of a rulebook, or on a study
        LINE "report" "" nothing;
        /// Rate agents by games against each other
        LINE "ladder" "" nothing;
        /// Log a game that people played, or list such games
        LINE "log" "" nothing;
    }
    Publish {
        /// Draw the board of a scenario or transcript, as SVG, PNG or a page
        LINE "render" "" nothing;
        /// Make pages to print: cards, reference, tokens, board and measures
        LINE "sheet" "" nothing;
        /// Write a small rulebook for players, with pictures of scenarios
        LINE "rulebook" "" nothing;
        /// Write a game as one page that plays and can be edited in any browser
        LINE "share" "" nothing;
    }
    Maintain {
        /// Check every script, variant and scenario
        LINE "check" "" nothing;
        /// Show which functions of the scripts take the time
        LINE "profile" "" nothing;
        /// Write the references, definitions for editors, and schemas
        LINE "doc" "" nothing;
    }
}

/// The commands that `:help` shows: enough to begin with, on a screen of 24 rows.
const FIRST: &[&str] = &[
    "tour", "options", "board", "card", "why", "odds", "undo", "set", "patch", "diff", "auto", "open", "new",
    "help", "quit",
];

/// The commands of the prompt.
pub fn of_prompt() -> impl Iterator<Item = &'static Command> {
    COMMANDS.iter().filter(|command| command.at_prompt)
}

/// The commands of the prompt with their help.
pub fn help_texts() -> BTreeMap<&'static str, &'static str> {
    of_prompt().map(|command| (command.name, command.help)).collect()
}

/// The names of the commands of the prompt.
pub fn names() -> impl Iterator<Item = &'static str> {
    of_prompt().map(|c| c.name)
}

/// The names of the commands that a beginning may mean; all for an empty one.
pub fn matching_names(beginning_of: &str) -> Vec<String> {
    let names = names().filter(|name| name.starts_with(beginning_of));
    names.map(str::to_owned).collect()
}

/// The command of that name, or the only one that begins so.
pub fn row(name: &str) -> Option<&'static Command> {
    find(name).ok()
}

/// Whether the arguments of a command are code of the rules' language.
pub fn takes_code(name: &str) -> bool {
    row(name).is_some_and(|c| arguments::take_code(c.takes.0))
}

/// Match of a typed name with the names of commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameMatch {
    /// It is a command's name.
    Known,
    /// Commands begin so.
    Begins,
    /// None does.
    Unknown,
}

/// Returns how a name matches.
pub fn standing(name: &str) -> NameMatch {
    match names().filter(|n| n.starts_with(name)).count() {
        0 => NameMatch::Unknown,
        _ if names().any(|n| n == name) => NameMatch::Known,
        _ => NameMatch::Begins,
    }
}

/// Whether a line only looks: it changes nothing on the table, writes no file, and play does not go on.
pub fn only_looks(line: &str) -> bool {
    let Some(command) = line.strip_prefix(':') else {
        return line.starts_with('=');
    };
    let mut words = command.split_whitespace();
    match words.next().and_then(row).map(|row| row.looks) {
        Some(ReadOnly::With(count)) => words.count() == count,
        looks => looks == Some(ReadOnly::Always),
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
pub fn is_unfinished(line: &str) -> bool {
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
    is_unfinished(text) || typed::unfinished(text, &code)
}

/// Runs a command line without its `:`.
///
/// # Errors
///
/// An unknown command, arguments that it does not take, or what came of it.
pub fn run(session: &mut Session, line: &str) -> CommandResult {
    let line = line.trim_start();
    let (name, args) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    find(name)?.run(session, args.trim())
}

/// The command of that name, or the only one that begins so.
fn find(name: &str) -> Result<&'static Command, Problem> {
    if let Some(exact) = of_prompt().find(|c| c.name == name) {
        return Ok(exact);
    }
    let begin: Vec<&Command> = of_prompt().filter(|c| c.name.starts_with(name)).collect();
    match &begin[..] {
        _ if name.is_empty() => Err(problems::missing_command()),
        [only] => Ok(only),
        [] => Err(
            problems::unknown_command(name).hint(match did_you_mean(name, names()) {
                _ if name == LEAVE => "did you mean `:quit`?".to_owned(),
                Some(near) => format!("did you mean `:{near}`? `:help` lists all"),
                None => "`:help` lists them".to_owned(),
            }),
        ),
        _ => {
            let several: Vec<String> = begin.iter().map(|c| format!("`:{}`", c.name)).collect();
            Err(problems::ambiguous(&format!(":{name}"), several.join(" or ")))
        }
    }
}

/// Another common name of `:quit`.
const LEAVE: &str = "exit";

/// The command that a line without a colon is, if it begins with the whole name of one.
pub fn without_colon(line: &str) -> Option<String> {
    let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
    let name = match name {
        LEAVE => "quit",
        name => names().find(|known| *known == name)?,
    };
    Some(format!(":{name} {rest}").trim_end().to_owned())
}

/// The whole name of a command that may be shortened; `None` when no single one is meant.
pub(crate) fn full_name(name: &str) -> Option<&'static str> {
    row(name).map(|c| c.name)
}

fn help(session: &mut Session, name: &str) -> Result<Report, Problem> {
    let table = |commands: &mut dyn Iterator<Item = &Command>| {
        let row = |c: &Command| vec![c.head(), c.help.to_owned()];
        ReportTable::plain(commands.map(row).collect())
    };
    let named = |names: &[&str]| {
        let mut commands = names
            .iter()
            .filter_map(|name| of_prompt().find(|c| c.name == *name));
        table(&mut commands)
    };
    match name {
        "" => {
            let mut page = Report::of(named(FIRST));
            page.put(ANSWERS);
            page.put("`:help all` lists all commands, `:help NAME` explains one, or a word of the rules.");
            Ok(page)
        }
        "all" => {
            let first = session.shown.help.take().unwrap_or(0);
            let mut page = Report::default();
            for (nth, group) in Group::ALL.into_iter().enumerate().skip(first) {
                let mut commands = of_prompt().filter(|command| command.group == group).peekable();
                if commands.peek().is_none() {
                    continue;
                }
                let commands = table(&mut commands);
                let part = Report::lines([ReportPart::Head(3, group.title().to_owned()), commands.into()]);
                // A line for the prompt, two for how to continue.
                let lines = |page: &Report| page.text().lines().count() + 4;
                let is_full = session
                    .face
                    .rows
                    .is_some_and(|rows| lines(&page) + lines(&part) > rows + 3);
                if is_full && !page.is_empty() {
                    session.shown.help = Some(nth);
                    page.put("Press Enter for more commands.");
                    return Ok(page);
                }
                page.append(part);
            }
            Ok(page)
        }
        name => explain(name, session.words_called(name), &session.words_told()),
    }
}

/// Help on lines that are no commands.
const ANSWERS: &str = "The name or number of an option answers the question. Anything else is an expression that reads \
                       the position, such as `count(\"round\")`; `=` before it forces that. Names of commands may be \
                       shortened.";

/// Explains a command and the words of scripts, files and the game that have this name.
fn explain(name: &str, in_game: Vec<ReportPart>, names_there: &[String]) -> Result<Report, Problem> {
    let entries = if name.starts_with(':') {
        Vec::new()
    } else {
        reference::find(name)
    };
    let mut page = Report::default();
    let command = name.trim_start_matches(':');
    // A whole name in scripts is no shortened command.
    if entries.is_empty() && in_game.is_empty() || names().any(|n| n == command) {
        let unknown = |unknown: Problem| {
            let shortens = names().any(|n| n.starts_with(command));
            if shortens || name.starts_with(':') || name == LEAVE {
                return unknown;
            }
            let mut known: Vec<&str> = names().chain(reference::names()).collect();
            known.extend(names_there.iter().map(String::as_str));
            let near = did_you_mean(name, known);
            let colon = |near: &String| if names().any(|n| n == near) { ":" } else { "" };
            problems::unknown_thing(name).hint(match near {
                Some(near) => format!(
                    "did you mean `{}{near}`? `:help` lists the commands",
                    colon(&near)
                ),
                None => "`:help` lists the commands".to_owned(),
            })
        };
        let command = find(command).map_err(unknown)?;
        let text = format!(
            "{}\n{}\n{}",
            command.head().trim_end(),
            command.help,
            more(command)
        );
        page.put(text.trim_end());
    }
    page.extend(in_game);
    page.extend(entries.iter().map(|entry| entry.text()));
    Ok(page)
}

fn options(session: &mut Session) -> CommandResult {
    if session.is_for_machine() {
        return Err(session.agent_is_asked().into());
    }
    let question = session.question_with_meanings();
    Ok(question
        .unwrap_or_else(|| Report::of("nothing is asked now"))
        .into())
}

fn auto(session: &mut Session, args: &Args<'_>) -> CommandResult {
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
        None => AutoGoal::Answers(times),
        Some("end" | "all") if number.is_none() => AutoGoal::End,
        Some("step" | "steps") => AutoGoal::Steps(times),
        Some(phase) => AutoGoal::Phases(session.phases(phase)?, times),
    };
    session.auto(agent, &goal)
}

fn seed(session: &mut Session, seed: Option<u64>) -> CommandResult {
    if let Some(seed) = seed {
        return session.reseed(seed);
    }
    let (began, now) = (session.set_up.file.seed, session.seed());
    Ok(Output::text(match began == now {
        true => now.to_string(),
        false => format!("{now}; the game began with {began}"),
    }))
}

/// Returns the error for a missing dial and value.
fn unturned(dial: &Dial) -> Problem {
    let problem = problems::missing_argument("a dial and its value");
    problem.hint(format!(
        "such as `:set {}={}`; `:dials` lists them",
        dial.name, dial.value
    ))
}

fn dials(session: &Session, text: &str) -> Result<Report, Problem> {
    let dials = &session.play.ruleset().dials;
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
        let problem = problems::unknown_name("dial", text);
        return Err(problem.hint(hint_for(text, known)));
    }
    Ok(table_or(rows, "this game has no dials"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explained(name: &str) -> Result<Report, Problem> {
        explain(name, Vec::new(), &[])
    }

    fn message(name: &str) -> String {
        find(name).err().map(|p| p.page(false)).expect("it is refused")
    }

    #[test]
    fn names_may_be_shortened_while_they_are_clear() {
        assert_eq!(find("bo").map(|c| c.name), Ok("board"));
        assert!(find("se").is_err());
        assert_eq!(find("set").map(|c| c.name), Ok("set"));
        assert!(message("u").contains("`:undo` or `:units`"));
    }

    #[test]
    fn a_function_may_stand_below_its_script_and_an_expectation_is_whole_in_its_line() {
        let parts = |text: &str| typed::inputs(text, &wants_more);
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
    fn details_are_a_line_for_each_example_and_paragraph() {
        let command = Command {
            more: " :a x   one\n        and more\n :a y   two\n Some text,\n and more.\n",
            ..ROW
        };
        assert_eq!(
            more(&command),
            ":a x   one and more\n:a y   two\nSome text, and more."
        );
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
