//! From a thought to a tweak at the prompt: the clause, the patch, and what it changes.

use crate::support::{problems, refused, said, session, started};
use rulebench::commands::is_unfinished;
use rulebench::repl::session::Session;
use rulebench::rules::register::{Register, VariantState};
use rulebench::rules::workspace::Workspace;
use rulebench::snapshot::{PendingOutcome, SnapshotComparison, SnapshotStore};
use rulebench::stage::run::{self, Overrides};
use rulebench::variants;

const HARDER: &str = ":patch mounted fn charge(me, foe) {\n    base(me, foe);\n    offer(\"charge\", me, me.place.foes(me));\n}";

#[test]
fn a_patch_lies_on_top_at_once_with_the_board_kept() {
    let mut session = started("charge-into-spears");
    let world = session.play.position().world;
    let told = said(&mut session, ":patch spears fn melee(me) { base(me); base(me); }");
    assert!(
        told.starts_with("patched spears.melee; the board is kept\n"),
        "{told}"
    );
    assert_eq!(session.play.position().world, world);
    let shown = said(&mut session, ":patch");
    assert!(
        shown.contains("    fn spears.melee(me) { base(me); base(me); }"),
        "{shown}"
    );
    let variants = said(&mut session, ":variants");
    assert!(
        variants
            .lines()
            .last()
            .is_some_and(|l| l.starts_with("scratch") && l.contains("on")),
        "{variants}"
    );
    said(&mut session, ":patch game fn games_counted() { base() }");
    let again = said(&mut session, ":patch spears fn melee(me) {}");
    assert!(again.starts_with("patched spears.melee;"), "{again}");
    let shown = said(&mut session, ":patch");
    assert!(
        shown.contains("fn spears.melee(me) {}") && shown.contains("on top, as `scratch`"),
        "{shown}"
    );
}

#[test]
fn patches_are_dropped_one_by_one_or_all() {
    let mut session = started("charge-into-spears");
    let plain = session.play.ruleset().fingerprint();
    said(&mut session, ":patch spears fn melee(me) {}");
    said(&mut session, HARDER);
    assert_eq!(
        problems(&mut session, ":drop archers.melee"),
        ["unknown-name(patch, archers.melee)"]
    );
    said(&mut session, ":drop mounted.charge");
    assert_eq!(session.patched(), ["spears.melee"]);
    assert_eq!(
        said(&mut session, ":drop"),
        "dropped spears.melee; the board is kept"
    );
    assert_eq!(session.play.ruleset().fingerprint(), plain);
    assert_eq!(problems(&mut session, ":drop"), ["nothing-patched"]);
}

#[test]
fn what_cannot_be_meant_changes_nothing_and_is_told_at_the_line_as_typed() {
    let mut session = started("charge-into-spears");
    let (rules, chapters) = (
        session.play.ruleset().fingerprint(),
        session.play.chapters().len(),
    );
    for (line, message, at) in [
        (":patch spers fn melee(me) {}", "did you mean `spears`?", ""),
        (
            ":patch spears fn mele(me) {}",
            "did you mean `melee`?",
            "fn mele(me)",
        ),
        (
            ":patch spears fn melee() {}",
            "`melee` has no parameters, not 1",
            "fn melee()",
        ),
        (
            ":patch spears fn melee(me) { bsae(me); }",
            "did you mean `base`?",
            "bsae",
        ),
        (
            ":patch spears fn melee(me) { base(me); base(me) ",
            "is never closed",
            ":patch spears",
        ),
        (
            ":patch spears fn melee(me) {\n    let x = ;\n}",
            "error",
            "    let x = ;",
        ),
        (":patch spears 1 + 1", "outside of every function", "1 + 1"),
        (":patch spears", "needs a function of `spears`", ""),
        (":patch fn melee(me) {}", "needs the script", ""),
        (
            ":patch spears.melee fn melee(me) {}",
            "write `:patch spears fn melee",
            "",
        ),
        (
            ":patch counter_charge fn x() {}",
            "`counter_charge` is a function",
            "",
        ),
        (":patch game fn variant() { #{} }", "is not a rule", ""),
        (
            ":patch spears fn archers.melee(me) {}",
            "this function is for `archers`",
            "",
        ),
        (":save-variant x", "nothing is patched", ""),
    ] {
        let page = refused(&mut session, line);
        assert!(page.contains(message) && page.contains(at), "{line}: {page}");
        assert!(!page.contains("<scratch>"), "{page}");
        assert_eq!(session.play.ruleset().fingerprint(), rules, "{line}");
    }
    assert_eq!(session.play.chapters().len(), chapters);
    assert!(session.play.ruleset().options.scratch.is_none());
}

#[test]
fn a_patched_game_is_saved_loaded_restarted_and_told_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("one.txt").display().to_string();
    let mut session = started("charge-into-spears");
    said(&mut session, ":auto end");
    said(&mut session, ":undo 3");
    said(
        &mut session,
        ":patch spears fn melee(me) { base(me); /* \"quoted\" */ }",
    );
    said(&mut session, ":auto 2");
    let told = said(&mut session, &format!(":save {file}"));
    assert!(told.contains("plays again with it"), "{told}");
    let mut loaded = started("charge-into-spears");
    said(&mut loaded, &format!(":load {file}"));
    assert_eq!(loaded.play.ruleset().options, session.play.ruleset().options);
    // What changed the rules is told in other words where it was read from a file.
    let told = |session: &Session| {
        let events = session.events(usize::MAX).text();
        let lines = events.lines().filter(|l| !l.trim_start().starts_with("~~"));
        lines.map(str::to_owned).collect::<Vec<String>>()
    };
    assert_eq!(told(&loaded), told(&session));
    assert_eq!(loaded.question(), session.question());
    said(&mut session, ":auto end");
    let retold = said(&mut session, ":retell");
    assert!(retold.contains("told again"), "{retold}");
    assert!(session.play.ruleset().options.scratch.is_some());
    said(&mut session, ":restart");
    assert_eq!(session.patched(), ["spears.melee"]);
    // The first chapter of a game that begins patched holds it as well.
    said(&mut session, &format!(":save {file}"));
    said(&mut loaded, &format!(":load {file}"));
    assert_eq!(loaded.patched(), ["spears.melee"]);
}

#[test]
fn a_patch_is_named_by_why_and_lies_over_every_variant() {
    let mut session = started("charge-into-spears");
    said(&mut session, ":with fire-unmoved");
    said(&mut session, ":patch muskets fn ranged(me) {}");
    said(&mut session, ":patch game fn activate(me) { base(me); }");
    said(&mut session, ":restart");
    said(&mut session, ":auto end");
    let why = said(&mut session, ":why activate");
    assert!(
        why.contains("<scratch>:") && why.contains("layer: scratch"),
        "{why}"
    );
    assert!(said(&mut session, ":without scratch").contains("with fire-unmoved"));
    assert!(session.patched().is_empty());
}

#[test]
fn lines_go_on_until_the_function_is_whole() {
    for (line, more) in [
        (":patch spears", true),
        (":pat spears", true),
        (":patch", false),
        (":patch spears\n", false),
        (":patch spears fn melee(me) {", true),
        (":patch spears fn melee(me)", true),
        (":patch spears\n/// Why.", true),
        (":patch spears fn melee(me) {\n\n", true),
        (":patch spears fn melee(me) { }", false),
        (":patch spears nonsense", false),
        (":board {", false),
        ("fn x() {", false),
    ] {
        assert_eq!(is_unfinished(line), more, "{line:?}");
    }
}

#[test]
fn games_inside_the_program_keep_no_variant() {
    let mut session = started("charge-into-spears");
    said(&mut session, ":patch spears fn melee(me) {}");
    assert!(refused(&mut session, ":save-variant mine").contains("workspace"));
}

/// As in a browser, where there is no disk.
#[test]
fn a_session_writes_scenarios_variants_and_snapshots_into_files_in_memory() {
    let games = rulebench::embedded::games();
    let text = |path: &String| games.read(path).expect("a text").text.clone();
    let paths = games.files_of("smalltricks").into_iter();
    let workspace = Workspace::of_texts(paths.map(|path| (path.clone(), text(&path))));
    let mut session = session(&workspace, "charge-into-spears");
    said(&mut session, ":patch spears fn melee(me) {}");
    said(&mut session, ":save-variant mine");
    assert_eq!(session.play.ruleset().options.variants, ["mine"]);
    said(&mut session, ":save-scenario kept --here");
    assert!(refused(&mut session, ":save-scenario kept").contains("kept"));
    said(&mut session, ":open kept");

    let path = "scenarios/smalltricks/kept.toml";
    let snapshots = SnapshotStore::new(&workspace, true, false);
    let opened = run::open(&workspace.read(path).expect("it is written")).expect("a scenario");
    let played = run::run(&workspace, &opened, &Overrides::default()).expect("it is played");
    let transcript = played.transcript().print();
    let missing = snapshots.compare(path, &transcript);
    assert!(matches!(
        missing,
        SnapshotComparison::Missing(PendingOutcome::Pending)
    ));
    let pending = snapshots.pending();
    snapshots.accept(&pending[0]).expect("it is accepted");
    assert_eq!(snapshots.compare(path, &transcript), SnapshotComparison::Same);
    let accepted = pending[0].trim_end_matches(".new");
    snapshots.remove(accepted).expect("it is there");
    assert!(!workspace.has(accepted) && snapshots.pending().is_empty());

    let register = Register::path("smalltricks");
    let before = workspace.read(&register).expect("it is there").text.clone();
    let date = time::Date::from_ordinal_date(2026, 1).expect("a day");
    let decided = variants::decide(
        &workspace,
        "smalltricks",
        "mine",
        VariantState::Adopted,
        None,
        date,
    );
    decided.expect("it loads");
    assert_ne!(workspace.read(&register).expect("it is there").text, before);
    variants::undo(&workspace, "smalltricks", "mine").expect("it is taken back");
    assert_eq!(workspace.read(&register).expect("it is there").text, before);
}

#[test]
fn a_tweak_is_compared_with_the_game_so_far_which_stays_as_it_is() {
    let mut session = started("charge-into-spears");
    let before = (session.play.position(), session.play.chapters().to_vec());
    let told = said(&mut session, ":diff mounted.charge=3");
    assert!(
        told.contains("- red.mounted1  life 5->3") && told.contains("+ red.mounted1  life 5->2"),
        "{told}"
    );
    assert!(told.contains("life: 3 | 2"), "{told}");
    let same = said(&mut session, ":diff fire-unmoved");
    assert!(same.contains("no difference in these"), "{same}");
    assert!(same.contains("`muskets.may_target` was never called"), "{same}");
    assert_eq!(
        before,
        (session.play.position(), session.play.chapters().to_vec())
    );
}

#[test]
fn alone_it_compares_the_rules_before_they_last_changed_with_those_now() {
    let mut session = started("charge-into-spears");
    assert!(session.line(":diff").failed());
    said(
        &mut session,
        ":patch spears fn counter_charge(me, rider) { false }",
    );
    let told = said(&mut session, ":diff scratch");
    assert!(
        told.starts_with("scratch: ") && told.contains("- red.mounted1  life 5->3"),
        "{told}"
    );
    assert!(told.contains("+ blue.spears1  life 5->3"), "{told}");
    let alone = said(&mut session, ":diff");
    assert_eq!(
        alone.split_once(": ").unwrap().1,
        told.split_once(": ").unwrap().1
    );
    // What is patched is on both sides when something else is asked about.
    let dial = said(&mut session, ":diff mounted.charge=3");
    assert!(dial.contains("- blue.spears1  life 5->3"), "{dial}");
    said(&mut session, ":drop");
    said(&mut session, ":set mounted.charge=3");
    assert!(said(&mut session, ":diff").contains("+ red.mounted1  life 5->2"));
    // Not with nothing: with what was before.
    said(&mut session, ":set mounted.charge=4");
    let last = said(&mut session, ":diff");
    assert!(
        last.contains("- red.mounted1  life 5->2") && last.contains("+ red.mounted1  life 5->1"),
        "{last}"
    );
}

#[test]
fn nothing_is_compared_in_secret_and_unknown_names_get_the_nearest() {
    let mut session = started("smalltricks");
    session.line("1");
    assert!(session.line(":diff fire-unmoved").print().contains("in secret"));
    let mut session = started("charge-into-spears");
    let page = session.line(":diff fire-unmovde").print();
    assert!(page.contains("did you mean `fire-unmoved`?"), "{page}");
    assert!(session.line(":diff mounted.chrge=3").failed());
}

fn clause(line: &str) -> String {
    let reply = started("smalltricks").line(line);
    assert!(!reply.failed(), "{line}: {}", reply.print());
    let text = reply.print();
    assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
    text
}

#[test]
fn a_clause_is_shown_with_its_proofs_and_tweaks() {
    let text = clause(":clause ST-U5b");
    assert!(text.starts_with("ST-U5b  (Smalltricks, "), "{text}");
    assert!(text.contains("whether they prove it\n    ok   "), "{text}");
    assert!(
        text.contains("    counter-charge-in-range (idea)\n        turns spears.counter_range=1"),
        "{text}"
    );
}

#[test]
fn ids_may_be_shortened() {
    assert!(clause(":clause u5b").starts_with("ST-U5b  ("));
    // What is no id of a clause with a reading is looked for as it is.
    assert!(clause(":clause /").starts_with("no clause is called so; these speak of `/`"));
    let told = started("smalltricks").line(":clause /any/path").print();
    assert!(told.contains("no clause `/any/path`"), "{told}");
    let ambiguous = clause(":clause u");
    assert!(
        ambiguous.lines().count() > 5 && ambiguous.starts_with("ST-U"),
        "{ambiguous}"
    );
    assert!(clause(":clause").contains("\nST-M1    option  A match is a series"));
    assert!(clause(":clause stacking").contains("speak of `stacking`"));
}

#[test]
fn unknown_clauses_get_the_nearest() {
    let reply = started("smalltricks").line(":clause ST-U55b");
    assert!(
        reply.failed() && reply.print().contains("did you mean"),
        "{}",
        reply.print()
    );
}
