//! Every sentence about a file that cannot be read or written.

use std::fmt::Display;

crate::problems! {
    fn missing_file(path: impl Display) = "there is no file `{path}`";
    fn missing_folder(path: impl Display) = "there is no folder `{path}`";
    fn not_a_file(name: &str, found: &str) = "`{name}` is {found}, not a file";
    fn too_large(name: &str, most: u64) = "`{name}` is too large to be read", expected "expected at most {most} MB";
    fn not_utf8(name: &str, line: usize) = "`{name}` is not UTF-8 text: line {line} has an invalid byte";
    fn unusable_file(name: impl Display, action: &str, error: impl Display) = "{name} cannot be {action}: {error}";
    fn link_out_of_folder(name: &str, target: impl Display) = "a link in `{name}` leads out of the present folder",
        help "name the folder itself: {target}";
    fn link_out_of_workspace(path: &str, link: impl Display) = "`{path}` leads out of the workspace",
        help "replace the link {link} with a file or a folder";
    fn not_toml(why: &str) = "this is not TOML: {why}";
    /// TOML of a form that was not expected, with the message of the library.
    fn wrong_toml(why: &str) = "{why}";
    fn nested_too_deeply() = "this is nested too deeply";
    fn unknown_key(name: &str) = "unknown key `{name}`";
    fn misplaced_key(name: &str, table: &str) = "`{name}` is inside the table `{table}`",
        help "move `{name}` above the first `[table]` line";
    fn wrong_type(what: &str, found: &str, expected: &str) = "{what} is {found}", expected "expected {expected}";
    fn number_out_of_range(what: &str, range: &str) = "{what} is out of range", expected "expected {range}";
}

crate::every_sentence! {
    [
        missing_file("chrage.toml"),
        missing_folder("no/such"),
        not_a_file("units", "a folder"),
        too_large("huge.toml", 64),
        not_utf8("raw.bin", 2),
        unusable_file("`out.svg`", "written", "permission denied"),
        link_out_of_folder("out/x.svg", "/elsewhere"),
        link_out_of_workspace("scripts/x.rhai", "scripts"),
        not_toml("duplicate key"),
        wrong_toml("missing field `game`"),
        nested_too_deeply(),
        unknown_key("anwsers"),
        misplaced_key("seed", "dials"),
        wrong_type("`seed`", "a string", "a whole number"),
        number_out_of_range("`slots.red.score`", "an integer of 64 bits"),
    ]
}
