//! Every sentence about decisions on variants, and about the clauses of a rulebook.

rulebench_lang::problems! {
    fn unmentioned(text: &str) = "no tweak has `{text}` in its name or its texts";
    fn wrong_variant_name(name: &str) = "a variant cannot be called `{name}`",
        help "use small letters, digits, `-` and `_`";
    fn taken_variant_name(name: &str) = "the tweak `{name}` already exists";
    fn rejection_without_reason(name: &str) = "`{name}` is rejected without a reason", help "add `--reason \"...\"`";
    fn undecided(name: &str) = "there is no decision about `{name}`";
    fn not_a_table(name: &str, path: &str) = "`{name}` in {path} is not a table";

    // The rulebook.
    fn missing_rulebook(game: &str, path: &str) = "{game} has no rulebook", help "list its clauses in {path}";
    fn other_rulebook(found: &str, game: &str) = "this is a rulebook of `{found}`", expected "expected `{game}`";
    fn game_without_minutes() = "`minutes` is 0", expected "expected 1 or more";
    fn repeated_clause(id: &str) = "two clauses have the id `{id}`";
    fn clause_without_prefix(id: &str, prefix: &str) = "the clause `{id}` does not begin with the prefix of the rulebook",
        expected "expected `{prefix}-...`";
    fn unknown_reading(clause: &str, reading: &str, count: usize) = "the clause `{clause}` has no reading `{reading}`",
        help "`else` of the clause lists its other readings, of which there are {count}";
}

rulebench_lang::every_sentence! {
    [
        unmentioned("charge"),
        wrong_variant_name("Slow wagons"),
        taken_variant_name("slow-wagons"),
        rejection_without_reason("slow-wagons"),
        undecided("slow-wagons"),
        not_a_table("slow-wagons", "scripts/ford/variants.toml"),
        missing_rulebook("ford", "scripts/ford/rulebook.toml"),
        other_rulebook("skirmish", "ford"),
        game_without_minutes(),
        repeated_clause("FO-M1"),
        clause_without_prefix("M1", "FO"),
        unknown_reading("FO-M1", "3", 2),
    ]
}
