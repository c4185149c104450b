//! The REPL: a person plays a position, looks at it, takes moves back.
//!
//! | part | |
//! |---|---|
//! | [`session`] | the session as values, and what they are together |
//! | [`opening_files`] | what a play was laid from: games, scenarios and transcripts |
//! | [`session_rules`] | the rules in force, and those before them |
//! | [`shown`] | what was told |
//! | [`view_settings`] | how things are shown |
//! | [`output`] | what a line brings to be printed |
//! | [`opening`] | what is put on a session's table |
//! | [`input`] | what faces ask of a session: a line that is typed, an answer, a look for changes; what stands behind every reply |
//! | [`show`] | what of the play is shown, and as what text |
//! | [`naming`], [`change_text`] | what words may name, and what is said of rules and changes by hand |
//! | [`auto`] | agents that answer for the person |
//! | [`players`], [`plays`] | sides that agents play |
//! | [`branches`] | moves in the history: undo, redo, back, branches |
//! | [`journal`], [`resume`] | a session kept on disk as it is played, and gone on with |
//! | [`edit`] | what is changed on the table by hand: units, slots, dice |
//! | [`option_effects`] | what the options of a question would bring about |
//! | [`rules`] | what a session does when rules or files change |
//! | [`patch`], [`compare`] | from a thought to a tweak: a layer that is typed, and what it changes |
//! | [`odds`] | what the chances are here |
//! | [`testing`] | from play to test: expectations, scenarios that are written, tests that are run |
//! | [`card`] | a unit's card, and what is at a place |
//! | [`clause`] | the rulebook's clauses, with what proves them |
//! | [`why`] | the commands that explain |
//! | [`picture`] | the commands that draw |
//! | [`tour`] | the tour of the README, played |
//! | [`retell`] | the past told again under the rules in force |
//! | [`arguments`] | what is typed behind a command, read as its row declares it |
//! | [`complete`] | what could stand at the end of an unfinished line, and hints |
//! | [`lines`] | brackets, texts and comments in what is typed; whether it is whole |
//! | [`highlight`] | the colours of what is typed |
//! | [`typed_lines`] | what was typed before, kept between sessions |
//! | [`editor`] | the line editor's helper: completion, hints, colours, lines of several lines |
//! | [`watch`] | which files have changed, and who says when to look |
//! | [`terminal`] | the front end for a terminal, around the line editor |
//! | [`plain`] | the front end for piped input |
//! | [`page`], [`page_state`] | the table on pages in the browser, and what they show |
//! | [`agent_lines`] | what a face hears next: somebody who wants something, or an agent that may answer |
//! | [`serve`] | a table without a prompt |
//!
//! Nothing here knows a game, and nothing decides a rule: it asks [`Play`](crate::play::Play).

pub mod agent_lines;
pub mod arguments;
pub mod auto;
pub mod branches;
pub mod card;
pub mod change_text;
pub mod clause;
pub mod compare;
pub mod complete;
pub mod edit;
pub mod editor;
pub mod highlight;
pub mod input;
pub mod journal;
pub mod lines;
pub mod naming;
pub mod odds;
pub mod opening;
pub mod opening_files;
pub mod option_effects;
pub mod output;
pub mod page;
pub mod page_state;
pub mod patch;
pub mod picture;
pub mod plain;
pub mod players;
pub mod plays;
pub(crate) mod problems;
pub mod resume;
pub mod retell;
pub mod rules;
pub mod serve;
pub mod session;
pub mod session_rules;
pub mod show;
pub mod shown;
pub mod terminal;
pub mod testing;
pub mod tour;
pub mod typed_lines;
pub mod view_settings;
pub mod watch;
pub mod why;
pub mod words;
