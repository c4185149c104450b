//! Files in memory.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

#[derive(Debug, Default)]
struct Stored {
    texts: BTreeMap<String, Cow<'static, str>>,
    /// Paths of the texts that were written or removed since the last [`Texts::take_changes`].
    changed: BTreeSet<String>,
}

impl Stored {
    fn set(&mut self, path: &str, text: Cow<'static, str>) {
        self.changed.insert(path.to_owned());
        self.texts.insert(path.to_owned(), text);
    }

    fn remove(&mut self, path: &str) -> io::Result<Cow<'static, str>> {
        let text = self.texts.remove(path).ok_or(ErrorKind::NotFound)?;
        self.changed.insert(path.to_owned());
        Ok(text)
    }
}

/// Texts by path. Clones share them: each sees what is written through another.
#[derive(Debug, Clone)]
pub struct Texts {
    stored: Arc<RwLock<Stored>>,
    fixed: bool,
}

/// Clones are equal. Others are not, because one can be changed without the other.
impl PartialEq for Texts {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.stored, &other.stored)
    }
}

impl Eq for Texts {}

impl Texts {
    /// Texts that can be changed.
    pub fn new(texts: impl IntoIterator<Item = (String, String)>) -> Self {
        Self::of(texts.into_iter().map(|(path, text)| (path, text.into())), false)
    }

    /// Texts that cannot be changed.
    pub fn fixed<P, T>(texts: impl IntoIterator<Item = (P, T)>) -> Self
    where
        P: Into<String>,
        T: Into<Cow<'static, str>>,
    {
        let texts = texts.into_iter().map(|(path, text)| (path.into(), text.into()));
        Self::of(texts, true)
    }

    fn of(texts: impl Iterator<Item = (String, Cow<'static, str>)>, fixed: bool) -> Self {
        let stored = Stored {
            texts: texts.collect(),
            ..Stored::default()
        };
        Self {
            stored: Arc::new(RwLock::new(stored)),
            fixed,
        }
    }

    /// Whether they cannot be changed.
    pub fn is_fixed(&self) -> bool {
        self.fixed
    }

    /// Returns what was written or removed since the last call: the text of each path, `None` if it is not there any more.
    pub fn take_changes(&self) -> BTreeMap<String, Option<String>> {
        let mut stored = self.write_access();
        let changed = std::mem::take(&mut stored.changed).into_iter();
        changed
            .map(|path| {
                let text = stored.texts.get(&path).map(|text| text.clone().into_owned());
                (path, text)
            })
            .collect()
    }

    // A thread that panics cannot leave the map half changed.
    fn read_access(&self) -> RwLockReadGuard<'_, Stored> {
        self.stored.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_access(&self) -> RwLockWriteGuard<'_, Stored> {
        self.stored.write().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn get(&self, path: &str) -> Option<Cow<'static, str>> {
        self.read_access().texts.get(path).cloned()
    }

    pub(super) fn has(&self, path: &str) -> bool {
        self.read_access().texts.contains_key(path)
    }

    pub(super) fn paths(&self, range: Range<String>) -> Vec<String> {
        let stored = self.read_access();
        stored.texts.range(range).map(|(path, _)| path.clone()).collect()
    }

    pub(super) fn write(&self, path: &str, text: String) {
        self.write_access().set(path, text.into());
    }

    pub(super) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let mut stored = self.write_access();
        let text = stored.remove(from)?;
        stored.set(to, text);
        Ok(())
    }

    pub(super) fn remove(&self, path: &str) -> io::Result<()> {
        self.write_access().remove(path).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_taken_once_with_what_is_there_by_now() {
        let texts = Texts::new([("a".to_owned(), "1".to_owned()), ("b".to_owned(), "2".to_owned())]);
        assert_eq!(texts.take_changes(), BTreeMap::new());
        texts.write("a", "3".to_owned());
        texts.clone().write("a", "4".to_owned());
        texts.rename("b", "c").expect("it is there");
        let changes = [("a", Some("4")), ("b", None), ("c", Some("2"))];
        let changes = changes.map(|(path, text)| (path.to_owned(), text.map(str::to_owned)));
        assert_eq!(texts.take_changes(), BTreeMap::from(changes));
        assert!(texts.remove("b").is_err());
        assert_eq!(texts.take_changes(), BTreeMap::new());
    }
}
