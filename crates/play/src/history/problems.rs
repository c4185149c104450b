//! Every sentence about branches.

rulebench_lang::problems! {
    fn present_branch(name: &str) = "`{name}` is the present branch";
    fn wrong_branch_name(name: &str, most: usize) = "`{name}` cannot be the name of a branch",
        expected "expected one word of letters, digits, `.`, `-` and `_`, {most} at most";
    fn repeated_branch_name(name: &str) = "another branch is called `{name}`", help "`:switch {name}` goes there";
}

rulebench_lang::every_sentence! {
    [present_branch("charge"), wrong_branch_name("a b", 40), repeated_branch_name("charge")]
}
