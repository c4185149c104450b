//! Every sentence about scenarios that cannot be found, and about what a run over them needs.

use std::fmt::Display;

pub use crate::report::problems::unknown_name;

rulebench_lang::problems! {
    fn empty_folder(name: &str, kind: &str) = "the folder {name} has no {kind}";
    fn several_scenarios(name: &str, count: usize, first: &str) = "`{name}` names {count} scenarios",
        help "name one of them, such as {first}";
    fn nothing_to_mutate(part: &str) = "no script with `{part}` in its path has anything to change";
    fn unfit_answers(why: impl Display) = "the answers of the scenario do not fit: {why}";
}

rulebench_lang::every_sentence! {
    [
        empty_folder("drafts", "scenarios"),
        several_scenarios("ford", 3, "ford/charge"),
        nothing_to_mutate("gnome"),
        unfit_answers("nobody is asked for `c5`"),
    ]
}
