//! Sentences that several parts share.

use std::fmt::Display;

crate::problems! {
    fn unknown_name(kind: &str, name: impl Display) = "there is no {kind} `{name}`";
    fn unknown_thing(name: &str) = "nothing is called `{name}`";
    fn off_board(place: impl Display) = "`{place}` is off the board";
}

crate::every_sentence! {
    [
        unknown_name("unit type", "gnome"),
        unknown_thing("rde"),
        off_board("z9"),
    ]
}
