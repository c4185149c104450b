//! Random whole games, and what must hold at every step of them.

use crate::support::{root, short_game};
use proptest::prelude::*;
use rulebench::agents::Agent;
use rulebench::kernel::event::Event;
use rulebench::kernel::table::{Answerer, Position, Question, Reply};
use rulebench::play::{Play, Progress};
use rulebench::report::Source;
use rulebench::rules::workspace::Workspace;
use rulebench::stage::run::{self, Overrides, PlayStop, Setup};
use rulebench::stage::transcribe;
use rulebench::transcript::Transcript;

fn games() -> Vec<String> {
    workspace().games()
}

fn workspace() -> Workspace {
    Workspace::at(root())
}

fn lay(game: &str, seed: u64, rounds: i64) -> Setup {
    run::lay(
        &workspace(),
        &short_game(game, seed, rounds),
        &Overrides::default(),
    )
    .unwrap_or_else(|problems| panic!("{problems}"))
}

/// The random agent, looking at every question on its way.
struct Watched(Box<dyn Answerer>);

impl Answerer for Watched {
    fn answer(&mut self, asked: &Question<'_>) -> Reply {
        let keys = asked.keys();
        assert!(!keys.is_empty(), "a question without options");
        let mut unique = keys.clone();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), keys.len(), "the same option twice: {keys:?}");
        self.0.answer(asked)
    }
}

fn random(seed: u64) -> Box<dyn Answerer> {
    Agent::Random
        .source(seed)
        .expect("the random agent answers at once")
}

/// Plays a whole game with the agent attached.
fn attached(laid: &mut Setup, seed: u64) -> Vec<Event> {
    laid.play.set_source(Box::new(Watched(random(seed))));
    assert_eq!(laid.play.run_on(), Progress::Over);
    laid.play.clear_source();
    laid.play.events()
}

/// Returns the answer that the agent would give to the open question.
fn ask(play: &Play, agent: &mut dyn Answerer) -> usize {
    match play.with_question(|asked| agent.answer(asked)) {
        Some(Reply::Take(index)) => index,
        other => panic!("the random agent always answers, not {other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Attached, an agent is asked in the middle of a step; recorded, every question unwinds the
    /// step and runs it again. Both ways are the same game.
    #[test]
    fn both_ways_to_choose_give_the_same_game(seed in 0u64..1_000_000) {
        for game in games() {
            let mut laid = lay(&game, seed, 4);
            let events = attached(&mut laid, seed);
            laid.play.restart(&laid.start);
            let mut agent = random(seed);
            loop {
                match laid.play.run_on() {
                    Progress::Asks => {
                        let index = ask(&laid.play, agent.as_mut());
                        prop_assert!(laid.play.answer(index));
                    }
                    Progress::Over => break,
                    other => panic!("{other:?}"),
                }
            }
            prop_assert_eq!(laid.play.events(), events);
        }
    }

    /// At every question: the position copied and laid again is the same position and asks the
    /// same; an answer given and taken back leaves position and record as they were.
    #[test]
    fn copies_and_undo_return_the_same_position(seed in 0u64..1_000_000) {
        for game in games() {
            let mut laid = lay(&game, seed, 3);
            laid.play.keep_trail();
            let mut agent = random(seed);
            loop {
                match laid.play.run_on() {
                    Progress::Asks => {}
                    Progress::Over => break,
                    other => panic!("{other:?}"),
                }
                let before: Position = laid.play.position();
                let record = laid.play.events();
                let keys = laid.play.with_question(|a| a.keys());
                let checkpoint = laid.play.checkpoint();
                prop_assert_eq!(&checkpoint.position.clone(), &before);
                laid.play.go_to(&checkpoint);
                prop_assert_eq!(laid.play.advance(), Progress::Asks);
                prop_assert_eq!(laid.play.position(), before.clone());
                prop_assert_eq!(laid.play.with_question(|a| a.keys()), keys.clone());

                let index = ask(&laid.play, agent.as_mut());
                prop_assert!(laid.play.answer(index));
                let ended = laid.play.run_on() == Progress::Over;
                if !ended {
                    prop_assert_eq!(laid.play.undo(1).0, 1);
                    prop_assert_eq!(laid.play.run_on(), Progress::Asks);
                    prop_assert_eq!(laid.play.position(), before);
                    prop_assert_eq!(laid.play.events(), record);
                    prop_assert_eq!(laid.play.with_question(|a| a.keys()), keys);
                    prop_assert!(laid.play.answer(index));
                }
            }
        }
    }

    /// A save is a transcript: read again it plays the same game, and prints the same text.
    #[test]
    fn a_transcript_plays_again_to_the_same_text(seed in 0u64..1_000_000) {
        for game in games() {
            let mut written = short_game(&game, seed, 4);
            written.open = "random".to_owned().into();
            let opened = run::OpenedFile { file: written, lines: None };
            let ran = run::run(&workspace(), &opened, &Overrides::default())
                .unwrap_or_else(|problems| panic!("{problems}"));
            prop_assert_eq!(&ran.stopped, &PlayStop::Over);
            let text = ran.transcript().print();
            let source = Source::new("saved", text.clone());
            let parsed = Transcript::parse(&source).unwrap_or_else(|problems| panic!("{problems}"));
            prop_assert_eq!(parsed.print(), text.clone());
            prop_assert_eq!(&parsed, &ran.transcript());
            let again = run::open(&source).unwrap_or_else(|problems| panic!("{problems}"));
            let again = run::run(&workspace(), &again, &Overrides::default())
                .unwrap_or_else(|problems| panic!("{problems}"));
            prop_assert!(again.problems.is_empty(), "{:?}", again.problems);
            prop_assert_eq!(again.play.events(), ran.play.events());
            prop_assert_eq!(again.transcript().print(), text);
        }
    }
}

/// A transcript of half a game is read again up to its open question.
#[test]
fn a_save_in_the_middle_asks_the_same_question_again() {
    for game in games() {
        for steps in [1, 7, 20, 33, 60] {
            let laid = lay(&game, 5, 4);
            let mut play = laid.play;
            play.keep_trail();
            let mut agent = random(5);
            let mut answered = 0;
            while let Progress::Asks = play.run_on() {
                if answered == steps {
                    break;
                }
                let index = ask(&play, agent.as_mut());
                play.answer(index);
                answered += 1;
            }
            if answered < steps {
                assert!(steps > 7, "a game of {game} is over after {answered} answers");
                continue;
            }
            let end = run::end_of(&play, &PlayStop::Asks);
            let text = transcribe::transcript(&play, &laid.file, &end).print();
            let opened = run::open(&Source::new("saved", text)).unwrap_or_else(|p| panic!("{p}"));
            let ran =
                run::run(&workspace(), &opened, &Overrides::default()).unwrap_or_else(|p| panic!("{p}"));
            assert!(ran.problems.is_empty(), "{:?}", ran.problems);
            assert_eq!(ran.stopped, PlayStop::Asks);
            assert_eq!(ran.play.position(), play.position());
            assert_eq!(ran.play.events(), play.events());
            assert_eq!(
                ran.play.with_question(|a| a.keys()),
                play.with_question(|a| a.keys())
            );
        }
    }
}

/// The greedy agent looks at copied positions and leaves no trace of having looked: a game that it
/// plays is replayed from its answers.
#[test]
fn a_greedy_game_replays_from_its_answers() {
    for game in games() {
        let mut written = short_game(&game, 3, 2);
        written.open = "greedy".to_owned().into();
        let opened = run::OpenedFile {
            file: written,
            lines: None,
        };
        let ran = run::run(&workspace(), &opened, &Overrides::default()).unwrap_or_else(|p| panic!("{p}"));
        assert_eq!(ran.stopped, PlayStop::Over);
        let text = ran.transcript().print();
        let again = run::open(&Source::new("saved", text)).unwrap_or_else(|p| panic!("{p}"));
        let again = run::run(&workspace(), &again, &Overrides::default()).unwrap_or_else(|p| panic!("{p}"));
        assert!(again.problems.is_empty(), "{:?}", again.problems);
        assert_eq!(again.play.events(), ran.play.events());
    }
}

/// Whatever a scenario does, its transcript does again: the same events, and then perhaps more where
/// the scenario stopped early.
#[test]
fn every_scenario_is_played_again_from_its_transcript() {
    let paths = rulebench::suite::find(&workspace(), &[]).unwrap_or_else(|p| panic!("{p}"));
    assert!(paths.len() > 100, "the scenarios are missing");
    for path in paths {
        let opened = rulebench::suite::open(&workspace(), &path).unwrap_or_else(|p| panic!("{path}: {p}"));
        let ran = run::run(&workspace(), &opened, &Overrides::default()).unwrap_or_else(|p| panic!("{p}"));
        let text = ran.transcript().print();
        let again = run::open(&Source::new("saved", text)).unwrap_or_else(|p| panic!("{path}: {p}"));
        let again = run::run(&workspace(), &again, &Overrides::default()).unwrap_or_else(|p| panic!("{p}"));
        assert!(again.problems.is_empty(), "{path}: {:?}", again.problems);
        let lines = |play: &Play| play.lines_from(0);
        let (first, second) = (lines(&ran.play), lines(&again.play));
        assert_eq!(second.get(..first.len()), Some(&first[..]), "{path}");
    }
}
