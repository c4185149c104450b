//! Typed values of a report. Each has one text for people and one JSON value for programs.

use crate::report::{Problem, Problems};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Value of a fact, or of one column in a row.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Cell {
    /// No value: an empty text, `null` in JSON.
    #[default]
    Nothing,
    /// A text or a name.
    Text(String),
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Whole(i128),
    /// A number, with the number of its decimals as text.
    Number(f64, usize),
    /// A share of 0 to 1, as text in per cent.
    Share(f64),
    /// An exact fraction as it is written, with its value; in JSON `{"exact", "value"}`.
    Fraction(String, f64),
    /// A number between two others, with its decimals as text; in JSON `{"low", "high"}`.
    Interval(f64, f64, usize),
    /// Several values.
    List(Vec<Cell>),
    /// Values with keys; for programs only.
    Facts(Facts),
    /// Content of a file format, such as a diagnostic or a logged game; for programs only.
    Data(Value),
    /// A value, with another text than the usual one.
    Shown(Box<Cell>, String),
}

impl Cell {
    /// Returns the value as its file format writes it.
    pub fn data(value: &impl Serialize) -> Self {
        // Only maps with keys that are no texts fail, and no format has any.
        Self::Data(serde_json::to_value(value).unwrap_or_default())
    }

    /// Returns a list of the values.
    pub fn list<C: Into<Self>>(values: impl IntoIterator<Item = C>) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }

    /// Shows another text to people.
    pub fn shown(self, text: impl Into<String>) -> Self {
        Self::Shown(Box::new(self), text.into())
    }

    /// Returns the text for people.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Nothing | Self::Facts(_) | Self::Data(_) => "".into(),
            Self::Text(text) | Self::Fraction(text, _) | Self::Shown(_, text) => text.into(),
            Self::Flag(flag) => if *flag { "yes" } else { "no" }.into(),
            Self::Whole(number) => number.to_string().into(),
            Self::Number(number, decimals) => format!("{number:.decimals$}").into(),
            Self::Share(share) => format!("{:.1} %", share * 100.0).into(),
            Self::Interval(low, high, decimals) => format!("{low:.decimals$} to {high:.decimals$}").into(),
            Self::List(cells) => {
                let texts: Vec<_> = cells.iter().map(Self::text).collect();
                texts.join(", ").into()
            }
        }
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Nothing => to.serialize_unit(),
            Self::Text(text) => to.serialize_str(text),
            Self::Flag(flag) => to.serialize_bool(*flag),
            Self::Whole(number) => to.serialize_i128(*number),
            Self::Number(number, _) | Self::Share(number) => to.serialize_f64(*number),
            Self::Fraction(exact, value) => pair(to, ("exact", exact), ("value", value)),
            Self::Interval(low, high, _) => pair(to, ("low", low), ("high", high)),
            Self::List(cells) => to.collect_seq(cells),
            Self::Facts(facts) => facts.serialize(to),
            Self::Data(value) => value.serialize(to),
            Self::Shown(cell, _) => cell.serialize(to),
        }
    }
}

/// Writes an object of two keys.
fn pair<S: Serializer>(
    to: S,
    one: (&str, &impl Serialize),
    other: (&str, &impl Serialize),
) -> Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(Some(2))?;
    map.serialize_entry(one.0, one.1)?;
    map.serialize_entry(other.0, other.1)?;
    map.end()
}

/// Values with keys, in their order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Facts(Vec<(String, Cell)>);

impl Facts {
    /// Adds a value.
    pub fn put(&mut self, key: impl Into<String>, cell: impl Into<Cell>) {
        self.0.push((key.into(), cell.into()));
    }

    /// Adds a value to the list of a key.
    pub fn push(&mut self, key: &str, cell: impl Into<Cell>) {
        match self.0.iter_mut().find(|(known, _)| known == key) {
            Some((_, Cell::List(list))) => list.push(cell.into()),
            _ => self.put(key, Cell::List(vec![cell.into()])),
        }
    }

    /// Adds the values of others.
    pub fn append(&mut self, other: Self) {
        self.0.extend(other.0);
    }
}

impl<K: Into<String>, C: Into<Cell>> FromIterator<(K, C)> for Facts {
    fn from_iter<I: IntoIterator<Item = (K, C)>>(facts: I) -> Self {
        let fact = |(key, cell): (K, C)| (key.into(), cell.into());
        Self(facts.into_iter().map(fact).collect())
    }
}

impl Serialize for Facts {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(key, cell)| (key, cell)))
    }
}

/// Makes [`Facts`]: `facts! { scenario: path, passed: true }`.
#[macro_export]
macro_rules! facts {
    ($($key:ident: $cell:expr),* $(,)?) => {{
        #[allow(unused_mut, reason = "without keys nothing is put")]
        let mut facts = $crate::reports::Facts::default();
        $(facts.put(stringify!($key), $cell);)*
        facts
    }};
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<Facts> for Cell {
    fn from(facts: Facts) -> Self {
        Self::Facts(facts)
    }
}

impl From<super::Report> for Cell {
    fn from(report: super::Report) -> Self {
        Self::Facts(report.facts)
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<bool> for Cell {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Self {
        Self::Number(number, 2)
    }
}

macro_rules! whole {
    ($($number:ty),*) => {$(
        impl From<$number> for Cell {
            fn from(number: $number) -> Self {
                Self::Whole(number as i128)
            }
        }
    )*};
}
whole!(u8, u16, u32, u64, usize, i64, i32);

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Nothing, Into::into)
    }
}

impl<T: Into<Cell>> From<Vec<T>> for Cell {
    fn from(values: Vec<T>) -> Self {
        Self::list(values)
    }
}

impl<T: Into<Cell> + Clone> From<&[T]> for Cell {
    fn from(values: &[T]) -> Self {
        Self::list(values.iter().cloned())
    }
}

impl<T: Into<Cell> + Clone> From<&T> for Cell {
    fn from(value: &T) -> Self {
        value.clone().into()
    }
}

impl<T: Into<Cell>> From<BTreeMap<String, T>> for Cell {
    fn from(values: BTreeMap<String, T>) -> Self {
        Self::Facts(values.into_iter().collect())
    }
}

impl From<Problem> for Cell {
    fn from(problem: Problem) -> Self {
        Self::data(&problem)
    }
}

impl From<Problems> for Cell {
    fn from(problems: Problems) -> Self {
        problems.0.into()
    }
}
