//! Every sentence about a transcript or a snapshot that cannot be read.

rulebench_lang::problems! {
    fn not_a_transcript() = "this is not a transcript";
    fn missing_scenario() = "the scenario of the transcript is missing", expected "expected `---`";
    fn cut_off_scenario() = "the transcript ends within its scenario", help "copy the whole transcript";
    fn unknown_line() = "this is not a line of a transcript";
    fn missing_end() = "the transcript has no last line", expected "expected `end: ...`", help "copy the whole transcript";
    fn not_a_snapshot() = "this is not a snapshot", expected "expected `---`";
    fn unknown_head_line() = "this line does not belong in the head of a snapshot",
        expected "expected `source: ...`, `expression: ...` or `---`";
    fn cut_off_head() = "the snapshot ends within its head", expected "expected a second `---` below";
    fn merge_conflict() = "the snapshot contains two versions after a merge", help "keep one version and run `rulebench test`";
}

rulebench_lang::every_sentence! {
    [
        not_a_transcript(),
        missing_scenario(),
        cut_off_scenario(),
        unknown_line(),
        missing_end(),
        not_a_snapshot(),
        unknown_head_line(),
        cut_off_head(),
        merge_conflict(),
    ]
}
