//! Every sentence about a picture that cannot be drawn.

use std::fmt::Display;

rulebench_lang::problems! {
    fn unknown_format(path: &str, example: String) = "`{path}` does not end in .svg or .png", help "write {example}";
    fn wrong_scale(scale: f64) = "a picture cannot have the scale {scale}", expected "expected a number from 0.05 to 50";
    fn wrong_size(width: f32, height: f32, most: f32) = "the picture has {width} by {height} pixels",
        expected "expected 1 to {most} pixels on each side";
    fn undrawable(error: impl Display) = "the picture cannot be drawn: {error}";
}

rulebench_lang::every_sentence! {
    [
        unknown_format("board.jpg", "board.png".to_owned()),
        wrong_scale(100.0),
        wrong_size(20000.0, 10.0, 16384.0),
        undrawable("unknown token at 1:1"),
    ]
}
