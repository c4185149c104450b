//! The language of scripts as text: read, checked for form, worded in diagnostics. Knows no game and runs nothing.
//!
//! | part | |
//! |---|---|
//! | [`report`] | diagnostics: files, places in them, sentences, near names |
//! | [`engine`], [`parse`] | Rhai's parser with the limits of scripts; a script's functions, calls and names |
//! | [`lexer`], [`recover`], [`syntax`] | unfinished or broken text, taken apart, and what is wrong with it |
//! | [`rhai_differences`] | what Rhai has and rules do not, with replacements |
//! | [`scratch`] | functions typed at the prompt, as one text |
//! | [`files`], [`toml_text`] | files on disk; TOML with places of values |
//! | [`lines`], [`text_diff`], [`visible`] | text for people: aligned, wrapped, compared, made safe to show |
//! | [`work`] | progress, interruption and the clock as values |

pub mod engine;
pub mod files;
pub mod lexer;
pub mod lines;
pub mod parse;
pub mod recover;
pub mod report;
pub mod rhai_differences;
pub mod scratch;
pub mod syntax;
pub mod text_diff;
pub mod toml_text;
pub mod visible;
pub mod work;

pub use rulebench_kernel as kernel;

/// An enum whose variants each stand in one row with what is said of them, which functions of these names give.
#[macro_export]
macro_rules! named {
    (
        $(#[$meta:meta])* $vis:vis enum $name:ident { $( $(#[$about:meta])* $variant:ident $said:expr; )+ }
        $( $(#[$what:meta])* fn $column:ident -> $of:ty = $at:tt; )+
    ) => {
        $(#[$meta])*
        $vis enum $name { $( $(#[$about])* $variant ),+ }

        impl $name {
            /// All of them, in their order.
            pub const ALL: [Self; [$(stringify!($variant)),+].len()] = [$(Self::$variant),+];

            const fn said(self) -> ($($of),+) {
                match self { $(Self::$variant => $said),+ }
            }

            $( $(#[$what])* pub const fn $column(self) -> $of { self.said().$at } )+
        }
    };
}
