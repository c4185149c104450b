//! Every sentence about functions that cannot be read or do not belong where they are.

crate::problems! {
    fn wrong_owner(owner: &str, script: &str, name: &str) = "this function is for `{owner}`, but `{script}` is patched",
        help "write `:patch {owner} fn {name}(...)`";
    fn repeated_function(name: &str, file: &str, line: usize) = "`{name}` is already defined in {file} on line {line}",
        help "remove one of them; all scripts beside game.rhai are parts of it";
    fn outside_function() = "this is outside of every function, so nothing runs it",
        help "put it into a function; a constant can be a dial in `dials()`";
    fn nested_function() = "a function is inside another", help "add the `}}` that is missing above";
    fn refused_form(what: &str) = "{what}";
}

crate::every_sentence! {
    [
        wrong_owner("imps", "game", "act"),
        repeated_function("act", "scripts/duel/more.rhai", 3),
        outside_function(),
        nested_function(),
        refused_form("rules do not export names"),
    ]
}
