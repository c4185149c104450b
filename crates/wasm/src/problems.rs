//! Every sentence about messages.

use std::fmt::Display;

rulebench_lang::problems! {
    fn unreadable_message(why: impl Display) = "the message cannot be read: {why}";
    fn no_session() = "no session is open";
}

rulebench_lang::every_sentence! {
    [
        unreadable_message("expected value at line 1 column 1"),
        no_session(),
    ]
}
