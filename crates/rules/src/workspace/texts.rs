//! Files in memory.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

type TextsByPath = BTreeMap<String, Cow<'static, str>>;

/// Texts by path. Clones share them: each sees what is written through another.
#[derive(Debug, Clone)]
pub struct Texts {
    texts: Arc<RwLock<TextsByPath>>,
    fixed: bool,
}

/// Clones are equal. Others are not, because one can be changed without the other.
impl PartialEq for Texts {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.texts, &other.texts)
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
        Self {
            texts: Arc::new(RwLock::new(texts.collect())),
            fixed,
        }
    }

    /// Whether they cannot be changed.
    pub fn is_fixed(&self) -> bool {
        self.fixed
    }

    // A thread that panics cannot leave the map half changed.
    fn texts(&self) -> RwLockReadGuard<'_, TextsByPath> {
        self.texts.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn texts_mut(&self) -> RwLockWriteGuard<'_, TextsByPath> {
        self.texts.write().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn get(&self, path: &str) -> Option<Cow<'static, str>> {
        self.texts().get(path).cloned()
    }

    pub(super) fn has(&self, path: &str) -> bool {
        self.texts().contains_key(path)
    }

    pub(super) fn paths(&self, range: Range<String>) -> Vec<String> {
        self.texts().range(range).map(|(path, _)| path.clone()).collect()
    }

    pub(super) fn write(&self, path: &str, text: String) {
        self.texts_mut().insert(path.to_owned(), text.into());
    }

    pub(super) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let mut texts = self.texts_mut();
        let text = texts.remove(from).ok_or(ErrorKind::NotFound)?;
        texts.insert(to.to_owned(), text);
        Ok(())
    }

    pub(super) fn remove(&self, path: &str) -> io::Result<()> {
        self.texts_mut().remove(path).ok_or(ErrorKind::NotFound)?;
        Ok(())
    }
}
