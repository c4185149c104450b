//! Every sentence about an agent that cannot be used.

rulebench_lang::problems! {
    fn wrong_looks(word: &str) = "`{word}` has no number of options to look at", expected "expected a number, such as `greedy:50`";
    fn wrong_budget(word: &str) = "`{word}` has no valid budget",
        expected "expected playouts (`mcts:400`) or a time (`mcts:500ms`), then the depth (`mcts:400:2` or `mcts:400:end`)";
    fn unexpected_budget(name: &str, budget: &str) = "the agent `{name}` has no budget, but `:{budget}` gives it one";
    fn unanswered_playout() = "a playout stopped at a question";
}

rulebench_lang::every_sentence! {
    [
        wrong_looks("greedy:x"),
        wrong_budget("mcts:x"),
        unexpected_budget("first", "400"),
        unanswered_playout(),
    ]
}
