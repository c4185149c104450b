//! Problems declared beside each other, one sentence each, so that all sentences of a part can be read in one place.

/// Declares problems: each becomes a function that returns the [`Problem`](crate::report::Problem), with the function's
/// name in kebab case as its id. Arguments are captured by name in the texts: the sentence, the text that is expected at
/// the place, and the help.
///
/// ```
/// rulebench_lang::problems! {
///     /// A name that is not a unit type of the game.
///     fn unknown_unit_type(name: &str) = "no unit type is called `{name}`";
///     fn misplaced_game(table: &str) = "`game` is inside the table `{table}`",
///         expected "expected a faction", help "move it above `[{table}]`";
/// }
///
/// assert_eq!(unknown_unit_type("gnome").id(), "unknown-unit-type");
/// assert_eq!(misplaced_game("units").hint.as_deref(), Some("move it above `[units]`"));
/// assert_eq!(IDS, ["unknown-unit-type", "misplaced-game"]);
/// ```
#[macro_export]
macro_rules! problems {
    ($( $(#[$about:meta])* fn $name:ident($($argument:ident: $of:ty),*) = $sentence:literal
        $(, expected $expected:literal)? $(, help $help:literal)?; )+) => {
        $(
            $(#[$about])*
            pub fn $name($($argument: $of),*) -> $crate::report::Problem {
                let arguments = vec![$($argument.to_string()),*];
                let problem = $crate::report::Problem::declared($crate::kebab!($name), arguments, format!($sentence));
                $( let problem = problem.expected(format!($expected)); )?
                $( let problem = problem.hint(format!($help)); )?
                problem
            }
        )+

        /// The ids of these problems, in the order of their declaration.
        #[allow(dead_code, reason = "only tests list the ids")]
        pub(crate) const IDS: &[&str] = &[$($crate::kebab!($name)),+];
    };
}

/// Tests all sentences that the module declares by one page: rewording one is a review of its snapshot. Takes the
/// problems with example arguments, in the order of their declaration; `use` and `let` may stand before the list.
#[macro_export]
macro_rules! every_sentence {
    ($(use $path:path;)* $(let $name:ident = $value:expr;)* [$($problem:expr),+ $(,)?]) => {
        #[cfg(test)]
        mod tests {
            use super::*;
            $(use $path;)*

            #[test]
            fn every_sentence() {
                $(let $name = $value;)*
                let all = [$($problem),+];
                assert_eq!(all.each_ref().map(|problem| problem.id()), IDS);
                let pages = all.map(|problem| format!("{}\n{problem}\n", problem.id()));
                insta::assert_snapshot!(pages.join("\n"));
            }
        }
    };
}

/// The name of a function in kebab case.
#[doc(hidden)]
#[macro_export]
macro_rules! kebab {
    ($name:ident) => {{
        const SNAKE: &str = stringify!($name);
        const KEBAB: [u8; SNAKE.len()] = $crate::report::kebab(SNAKE);
        match std::str::from_utf8(&KEBAB) {
            Ok(id) => id,
            Err(_) => SNAKE,
        }
    }};
}

/// Returns a name with a hyphen in place of each underscore.
#[doc(hidden)]
pub const fn kebab<const N: usize>(snake: &str) -> [u8; N] {
    let mut kebab = [0; N];
    let mut index = 0;
    while index < N {
        let byte = snake.as_bytes()[index];
        kebab[index] = if byte == b'_' { b'-' } else { byte };
        index += 1;
    }
    kebab
}
