//! rulebench's rules: a game as a pure function, `play(rules, scenario, seed, answers) -> events, final position`.
//!
//! Knows no face and draws nothing. `docs/architecture.md` says which part may know which.
//!
//! | part | |
//! |---|---|
//! | [`kernel`] | boards, world, engagement, phases, choices, dice, events; no scripts |
//! | [`report`], [`pages`], [`event_text`], [`option_text`], [`render`] | problems and their pages; pages as values; events and what is offered in words; the text board |
//! | [`files`], [`visible`] | the one place that writes files; texts made safe to show |
//! | [`parallel`], [`work`], [`stats`], [`text_diff`], [`toml_text`] | tools without an opinion on games; `work` is progress and interruption |
//! | [`script`] | scripts and variants in, declared data and hooks out |
//! | [`scenario`], [`transcript`], [`snapshot`], [`coverage`], [`variants`] | files in and out |
//! | [`play`] | the one function: step, advance, undo, change of rules |
//! | [`agents`] | who answers when no person does |
//! | [`stage`] | scenarios on the table: laid, played, changed by hand, recorded |

pub mod agents;
pub mod coverage;
pub mod event_text;
pub mod files;
pub mod kernel;
pub mod option_text;
pub mod pages;
pub mod parallel;
pub mod play;
pub mod render;
pub mod report;
pub mod scenario;
pub mod script;
pub mod snapshot;
pub mod stage;
pub mod stats;
pub mod text_diff;
pub mod toml_text;
pub mod transcript;
#[cfg(test)]
mod trials;
pub mod variants;
pub mod visible;
pub mod work;

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
