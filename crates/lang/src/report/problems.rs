//! Sentences that several parts share.

use std::fmt::Display;

crate::problems! {
    fn unknown_name(kind: &str, name: impl Display) = "there is no {kind} `{name}`";
    fn unknown_thing(name: &str) = "nothing is called `{name}`";
    fn off_board(place: impl Display) = "`{place}` is off the board";
    fn no_clock(what: impl Display) = "{what} needs a clock, but there is none here";
}

crate::every_sentence! {
    [
        unknown_name("unit type", "gnome"),
        unknown_thing("rde"),
        off_board("z9"),
        no_clock("a profile"),
    ]
}
