//! The lines typed so far, saved between sessions.
//!
//! Every line is added to the file at the moment it is typed, in one write at the file's end: a
//! session that is killed has lost nothing, and two at once keep both their lines. A line that was
//! typed before moves to the end. Knows no session; what is secret is not given to it.

use crate::files::SharedFile;
use rustyline::history::{History, SearchDirection, SearchResult};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Maximum number of saved lines.
const KEPT: usize = 1_000;
/// A longer line is not kept, in bytes.
const LONGEST: usize = 10_000;
/// The file's first line.
const HEAD: &str = "#V2";

/// The lines typed so far, oldest first, none twice.
#[derive(Debug, Default)]
pub struct InputHistory {
    entries: Vec<String>,
    file: Option<SharedFile>,
}

impl InputHistory {
    /// The lines of a file, and from now on those that are typed; without a file nothing is kept.
    pub fn of(file: Option<PathBuf>) -> Self {
        let mut lines = Self {
            entries: Vec::new(),
            file: None,
        };
        if let Some(path) = file {
            // What cannot be read or written is no reason not to play.
            let file = SharedFile(path);
            let _ = lines.read(&file);
            lines.file = Some(file);
        }
        lines
    }

    fn read(&mut self, file: &SharedFile) -> std::io::Result<()> {
        let bytes = file.read()?;
        let text = String::from_utf8_lossy(&bytes);
        let written = text.lines().filter(|l| *l != HEAD && !l.is_empty());
        let mut count = 0;
        for line in written {
            self.remember(unescaped(line));
            count += 1;
        }
        if count > 2 * KEPT {
            let all: String = self.entries.iter().map(|e| format!("{}\n", escaped(e))).collect();
            file.replace(&format!("{HEAD}\n{all}"))?;
        }
        Ok(())
    }

    /// Puts a line at the end; one that is there already moves.
    fn remember(&mut self, line: String) {
        self.entries.retain(|e| *e != line);
        if self.entries.len() == KEPT {
            self.entries.remove(0);
        }
        self.entries.push(line);
    }

    fn write(&self, line: &str) -> std::io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        file.add(&format!("{HEAD}\n"), &format!("{}\n", escaped(line)))
    }

    /// The first entry from one on that a test finds a term in; none where there is no term.
    fn found(
        &self,
        term: &str,
        start: usize,
        dir: SearchDirection,
        test: impl Fn(&str) -> Option<usize>,
    ) -> rustyline::Result<Option<SearchResult<'_>>> {
        if term.is_empty() || start >= self.entries.len() {
            return Ok(None);
        }
        let result = |idx: usize| {
            let entry = &self.entries[idx];
            test(entry).map(|pos| SearchResult {
                entry: Cow::Borrowed(entry.as_str()),
                idx,
                pos,
            })
        };
        Ok(match dir {
            SearchDirection::Reverse => (0..=start).rev().find_map(result),
            SearchDirection::Forward => (start..self.entries.len()).find_map(result),
        })
    }
}

/// A line as the file holds it: in one line.
fn escaped(line: &str) -> String {
    line.replace('\\', "\\\\").replace('\n', "\\n")
}

fn unescaped(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => text.push('\n'),
                Some('\\') => text.push('\\'),
                other => {
                    text.push('\\');
                    text.extend(other);
                }
            },
            c => text.push(c),
        }
    }
    text
}

impl History for InputHistory {
    fn get(&self, index: usize, _: SearchDirection) -> rustyline::Result<Option<SearchResult<'_>>> {
        Ok(self.entries.get(index).map(|entry| SearchResult {
            entry: Cow::Borrowed(entry.as_str()),
            idx: index,
            pos: 0,
        }))
    }

    fn add(&mut self, line: &str) -> rustyline::Result<bool> {
        self.add_owned(line.to_owned())
    }

    fn add_owned(&mut self, line: String) -> rustyline::Result<bool> {
        // Whoever begins with a blank does not want it kept.
        if line.is_empty() || line.starts_with(char::is_whitespace) || line.len() > LONGEST {
            return Ok(false);
        }
        let last = self.entries.last() == Some(&line);
        if !last {
            // What cannot be written is kept for this session.
            let _ = self.write(&line);
            self.remember(line);
        }
        Ok(!last)
    }

    fn len(&self) -> usize {
        self.entries.len()
    }

    fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn set_max_len(&mut self, _: usize) -> rustyline::Result<()> {
        Ok(())
    }

    fn ignore_dups(&mut self, _: bool) -> rustyline::Result<()> {
        Ok(())
    }

    fn ignore_space(&mut self, _: bool) {}

    fn save(&mut self, _: &Path) -> rustyline::Result<()> {
        Ok(())
    }

    fn append(&mut self, _: &Path) -> rustyline::Result<()> {
        Ok(())
    }

    fn load(&mut self, path: &Path) -> rustyline::Result<()> {
        Ok(self.read(&SharedFile(path.to_owned()))?)
    }

    fn clear(&mut self) -> rustyline::Result<()> {
        self.entries.clear();
        Ok(())
    }

    fn search(
        &self,
        term: &str,
        start: usize,
        dir: SearchDirection,
    ) -> rustyline::Result<Option<SearchResult<'_>>> {
        self.found(term, start, dir, |entry| entry.find(term))
    }

    fn starts_with(
        &self,
        term: &str,
        start: usize,
        dir: SearchDirection,
    ) -> rustyline::Result<Option<SearchResult<'_>>> {
        self.found(term, start, dir, |entry| {
            entry.starts_with(term).then_some(term.len())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(lines: &InputHistory) -> Vec<&str> {
        lines.entries.iter().map(String::as_str).collect()
    }

    #[test]
    fn lines_are_kept_as_they_are_typed_and_none_twice() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("history");
        let mut one = InputHistory::of(Some(file.clone()));
        for line in [":board", "a\nb\\n", ":undo", ":board", ":board", "", "  mine"] {
            one.add(line).expect("kept");
        }
        assert_eq!(all(&one), ["a\nb\\n", ":undo", ":board"]);
        // Another session at the same time loses nothing of the first, and the other way round.
        let mut two = InputHistory::of(Some(file.clone()));
        assert_eq!(all(&two), all(&one));
        two.add("second").expect("kept");
        one.add("first").expect("kept");
        let three = InputHistory::of(Some(file));
        assert_eq!(all(&three), ["a\nb\\n", ":undo", ":board", "second", "first"]);
    }

    #[test]
    fn a_long_file_is_shortened_and_odd_ones_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("history");
        let many: String = (0..3_000).map(|n| format!("line {n}\n")).collect();
        std::fs::write(&file, many).expect("written");
        assert_eq!(InputHistory::of(Some(file.clone())).entries.len(), KEPT);
        let text = std::fs::read_to_string(&file).expect("there");
        assert_eq!(text.lines().count(), KEPT + 1);
        assert!(text.ends_with("line 2999\n"));
        std::fs::write(&file, b"#V2\n\xff\xfe\nx\\q\\").expect("written");
        assert_eq!(InputHistory::of(Some(file)).entries.len(), 2);
        // A folder is no file: nothing is kept, nothing fails.
        let mut none = InputHistory::of(Some(folder.path().to_owned()));
        let _ = none.add("x");
        assert!(InputHistory::of(None).add("x").expect("no file, no failure"));
    }

    #[test]
    fn searching_goes_both_ways() {
        let mut lines = InputHistory::default();
        for line in ["c4", ":board", "c5"] {
            lines.add(line).expect("kept");
        }
        let at = |start, dir| {
            let found = lines.search("c", start, dir).expect("searched");
            found.map(|f| f.idx)
        };
        assert_eq!(at(2, SearchDirection::Reverse), Some(2));
        assert_eq!(at(1, SearchDirection::Reverse), Some(0));
        assert_eq!(at(1, SearchDirection::Forward), Some(2));
        assert_eq!(at(3, SearchDirection::Reverse), None);
        let prefix = lines.starts_with(":b", 2, SearchDirection::Reverse);
        assert_eq!(prefix.expect("searched").map(|f| f.idx), Some(1));
    }
}
