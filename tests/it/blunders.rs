//! Ten blunders in Smalltricks that a person would not make, and whether the MCTS agent makes them.

use crate::support::root;
use rulebench::agents::Agent;
use rulebench::play::Progress;
use rulebench::report::Source;
use rulebench::rules::workspace::Workspace;
use rulebench::stage::run::{self, Overrides};

/// Cases: the blunder, the position, the agent for blue, and the condition that holds after the round if the blunder is
/// avoided.
const BLUNDERS: [(&str, &str, &str, &str); 10] = [
    (
        "not stepping to the gate with a Ram that nobody bars",
        "units.red = [\"battery_ram c5\", \"archers a2\"]\nunits.blue = [\"archers f4\", \"militia f5\"]",
        "first",
        "winner() == faction(\"red\")",
    ),
    (
        "letting a Ram walk to the own gate",
        "units.red = [\"militia b2\", \"archers f3\"]\nunits.blue = [\"battery_ram c2\", \"archers a6\"]",
        "mcts:500",
        "winner() != faction(\"blue\")",
    ),
    (
        "letting a unit into the Castle that is one damage from falling",
        "units.red = [\"spears c3\", \"archers f3\"]\nunits.blue = [\"archers c2\", \"cannons a6\"]\nslots.red.damage = 1",
        "mcts:500",
        "winner() != faction(\"blue\")",
    ),
    (
        "charging to death into Spears",
        "units.red = [\"mounted c2 life=2\", \"archers a1\"]\nunits.blue = [\"spears c4\", \"cannons f6\"]",
        "first",
        "unit(\"red.mounted1\").life == 2",
    ),
    (
        "letting a rider through in the last round while ahead",
        "units.red = [\"militia d2\", \"archers f2\"]\nunits.blue = [\"mounted d3\", \"archers a6\"]\n\
         slots.blue.damage = 1\ndials.max_rounds = 1",
        "mcts:500",
        "winner() == faction(\"red\")",
    ),
    (
        "shelling one foe, or the own men, where two foes stand",
        "units.red = [\"cannons c2\", \"militia d3\"]\nunits.blue = [\"archers c4\", \"muskets c4\", \"spears d3\"]",
        "first",
        "unit(\"blue.archers1\").life == 4 && unit(\"blue.muskets1\").life == 4",
    ),
    (
        "dividing damage so that one of two that could both die lives",
        "units.red = [\"militia c4\", \"archers c4\"]\nunits.blue = [\"archers c4 life=3\", \"cannons c4 life=2\", \"spears f6\"]",
        "first",
        "faction(\"blue\").units.len == 1",
    ),
    (
        "hunting a weak foe where a ride into the Castle wins",
        "units.red = [\"mounted d4\", \"archers a1\"]\nunits.blue = [\"archers d3 life=1\", \"militia a5\"]\nslots.blue.damage = 1",
        "first",
        "winner() == faction(\"red\")",
    ),
    (
        "holding the Archers and leaving the Ram beside them free at the own gate",
        "units.red = [\"spears c1\", \"archers f3\"]\nunits.blue = [\"archers c1\", \"battery_ram c1\"]",
        "mcts:500",
        "winner() != faction(\"blue\")",
    ),
    (
        "joining the combat with a Ram that is left free at the gate",
        "units.red = [\"archers c6\", \"battery_ram c6\"]\nunits.blue = [\"spears c6\", \"militia f5\"]",
        "first",
        "winner() == faction(\"red\")",
    ),
];

/// `BUDGET=2000 cargo test --test it blunders -- --nocapture` tries another budget.
#[test]
fn mcts_makes_none_of_ten_blunders() {
    let budget = std::env::var("BUDGET").unwrap_or_else(|_| "600".to_owned());
    let red = Agent::find(&format!("mcts:{budget}")).unwrap_or_else(|p| panic!("{p}"));
    let workspace = Workspace::at(root());
    let mut made = Vec::new();
    for (blunder, position, blue, without) in BLUNDERS {
        let blue = Agent::find(blue).unwrap_or_else(|p| panic!("{p}"));
        let text = format!("game = \"smalltricks\"\n{position}\nexpect = ['{without}']\n");
        let file = run::open(&Source::new("it.toml", text))
            .unwrap_or_else(|p| panic!("{blunder}: {p}"))
            .file;
        let laid = run::lay(&workspace, &file, &Overrides::default());
        let mut play = laid.unwrap_or_else(|p| panic!("{blunder}: {p}")).play;
        let mut answers = Vec::new();
        loop {
            let told = play.lines_from(0);
            if told.iter().any(|line| line.ends_with("= round 2")) {
                break;
            }
            match play.advance() {
                Progress::Stepped => {}
                Progress::Over => break,
                Progress::Asks => {
                    let is_red = play.with_question(|a| a.request.asker.index() == 0) == Some(true);
                    let agent = if is_red { red } else { blue };
                    let decision = agent.choose(&mut play, 1).unwrap_or_else(|p| panic!("{p}"));
                    let key = play.with_question(|a| format!("{} {}", a.label(), a.keys()[decision.index]));
                    answers.extend(
                        key.filter(|_| is_red)
                            .map(|key| format!("{key} ({})", decision.why)),
                    );
                    assert!(play.answer(decision.index));
                }
                other => panic!("{other:?}"),
            }
        }
        let well = run::check(&mut play, &file, &file.expect[0]).is_none();
        println!(
            "{}: {blunder}\n    {}",
            if well { "avoided" } else { "made" },
            answers.join("\n    ")
        );
        if !well {
            made.push(blunder);
        }
    }
    assert!(made.is_empty(), "{made:?}");
}
