//! Files in and out: the one place that reads and writes them.
//!
//! Nobody ever reads half a file, and what is told as written is on disk. Only regular files are
//! replaced, never what a device, a pipe or a link leads to, and nothing that a workspace holds
//! leads a write out of it: workspaces come from strangers.

use crate::report::{Problem, Source, did_you_mean, listed};
use std::fmt::Display;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher as _, Hasher as _};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub mod problems;
mod shared;

pub use shared::{Growing, SharedFile, hold, lock, make_held};

/// Prefix of the names of temporary files; a killed process may leave such a file behind.
pub const ASIDE: &str = ".rulebench-";

/// A name that nobody foretells, beside a path.
fn aside(path: &Path) -> PathBuf {
    // Every such state is keyed anew from the system's randomness.
    let number = std::hash::RandomState::new().build_hasher().finish();
    path.with_file_name(format!("{ASIDE}{number:016x}"))
}

/// Waits until a folder's entries are on disk, where folders can be waited for.
fn settle(folder: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    let done = File::open(folder).and_then(|folder| folder.sync_all());
    match done {
        // One that may not be read, or a file system that has nothing to wait for.
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::PermissionDenied | ErrorKind::InvalidInput | ErrorKind::Unsupported
            ) =>
        {
            Ok(())
        }
        done => done,
    }
}

/// The folder that a path lies in; the current one for a bare name.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// The largest file that is read, in bytes.
pub const MAX_FILE: u64 = 64 << 20;

/// The largest script that is read, in bytes: forty times the longest of any game here. Parsing takes a hundred times
/// the memory of the text.
pub const MAX_SCRIPT: u64 = 1 << 20;

/// The largest size of a file of that name, in bytes.
fn most_of(path: &Path) -> u64 {
    match path.extension().is_some_and(|ending| ending == "rhai") {
        true => MAX_SCRIPT,
        false => MAX_FILE,
    }
}

/// Checks the size of a text that is in memory, as that of a file is checked when it is read.
///
/// # Errors
///
/// More bytes than a file of that name may have.
pub fn check_size(path: &str, bytes: usize) -> Result<(), Problem> {
    let most = most_of(Path::new(path));
    match bytes as u64 > most {
        true => Err(problems::too_large(path, most >> 20)),
        false => Ok(()),
    }
}

/// Why the bytes of a file are not had.
#[derive(Debug)]
pub enum ReadError {
    /// It has more bytes than [`MAX_FILE`], or [`MAX_SCRIPT`] if it is a script.
    TooLarge,
    /// It is a device or a pipe, which may never end.
    Endless,
    /// The system refused to read it, with this error.
    Refused(io::Error),
}

/// The bytes of a regular file, or of what the system keeps in `/dev`, up to the most there may be.
///
/// # Errors
///
/// Why it is not read.
pub fn read(path: &Path) -> Result<Vec<u8>, ReadError> {
    let about = fs::metadata(path).map_err(ReadError::Refused)?;
    if !about.is_file() && !about.is_dir() && !path.starts_with("/dev") {
        return Err(ReadError::Endless);
    }
    let most = most_of(path);
    if about.is_file() && about.len() > most {
        return Err(ReadError::TooLarge);
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(ReadError::Refused)?;
    file.take(most + 1)
        .read_to_end(&mut bytes)
        .map_err(ReadError::Refused)?;
    match bytes.len() as u64 > most {
        true => Err(ReadError::TooLarge),
        false => Ok(bytes),
    }
}

/// Path of a file as messages show it.
fn shown(path: &Path) -> String {
    let name = path.display().to_string();
    name.strip_prefix("./").map(str::to_owned).unwrap_or(name)
}

/// The bytes of a file that somebody has named.
///
/// # Errors
///
/// One sentence each for a file that is not there (with the nearest name in its folder), a folder in place of a file, a
/// file that is too large, and whatever else the system refuses.
pub fn read_named(path: &Path) -> Result<Vec<u8>, Problem> {
    let name = shown(path);
    read(path).map_err(|error| match error {
        ReadError::TooLarge => problems::too_large(&name, most_of(path) >> 20),
        ReadError::Endless => problems::not_a_file(&name, "a device or a pipe"),
        ReadError::Refused(_) if path.is_dir() => {
            problems::not_a_file(&name, "a folder").hint_some(hint_among_files(path, ""))
        }
        ReadError::Refused(error) if error.kind() == ErrorKind::NotFound => missing(path),
        ReadError::Refused(error) => refused(format!("`{name}`"), "read", &error),
    })
}

impl Source {
    /// Reads a file. A byte order mark is left out of the text.
    ///
    /// # Errors
    ///
    /// Those of [`read_named`], and bytes that are not UTF-8.
    pub fn read(path: impl AsRef<Path>) -> Result<Arc<Self>, Problem> {
        let path = path.as_ref();
        let bytes = read_named(path)?;
        let name = shown(path);
        match String::from_utf8(bytes) {
            Ok(text) => {
                let text = text.strip_prefix(MARK).map(str::to_owned).unwrap_or(text);
                Ok(Source::new(name, text))
            }
            Err(error) => {
                let good = error.utf8_error().valid_up_to();
                // The error owns the bytes that it complains about, so `good` is within them.
                let line = error.as_bytes()[..good]
                    .iter()
                    .filter(|byte| **byte == b'\n')
                    .count()
                    + 1;
                Err(problems::not_utf8(&name, line))
            }
        }
    }
}

/// The problem of a path where nothing is.
fn missing(path: &Path) -> Problem {
    let folder = folder_of(path);
    if !folder.is_dir() {
        return problems::missing_folder(folder.display());
    }
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    problems::missing_file(path.display()).hint_some(hint_among_files(folder, &name))
}

/// The file of a folder that `name` may have meant, or what files there are; nothing for a folder without files.
fn hint_among_files(folder: &Path, name: &str) -> Option<String> {
    let names: Vec<String> = std::fs::read_dir(folder)
        .ok()?
        .flatten()
        .filter(|entry| entry.path().is_file())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    if let Some(near) = did_you_mean(name, names.iter().map(String::as_str)) {
        let whole = if folder == Path::new(".") {
            near
        } else {
            folder.join(near).display().to_string()
        };
        return Some(format!("did you mean `{whole}`?"));
    }
    (!names.is_empty()).then(|| format!("its files: {}", listed(names.iter().map(String::as_str))))
}

/// Describes the object at a file's path that must not be replaced; `None` where a file can be written.
fn obstacle(path: &Path) -> Option<String> {
    let kind = fs::symlink_metadata(path).ok()?.file_type();
    if kind.is_symlink() {
        let target = fs::read_link(path).unwrap_or_default();
        return Some(format!("a link to {}", target.display()));
    }
    let found = if kind.is_dir() {
        "a folder"
    } else {
        "a device or a pipe"
    };
    (!kind.is_file()).then(|| found.to_owned())
}

/// Writes a file beside its place and moves it there, so that nobody ever reads half of it and
/// nothing is lost when it cannot be written. Makes its folder. It is on disk afterwards.
///
/// # Errors
///
/// What the system refuses; anything but a regular file in its place.
pub fn write_whole(path: &Path, text: impl AsRef<[u8]>) -> io::Result<()> {
    if let Some(what) = obstacle(path) {
        return Err(io::Error::new(ErrorKind::AlreadyExists, format!("it is {what}")));
    }
    let folder = folder_of(path);
    fs::create_dir_all(folder)?;
    let aside = aside(path);
    // Never one that is there, be it a link that somebody has laid.
    let mut file = OpenOptions::new().write(true).create_new(true).open(&aside)?;
    let written = file
        .write_all(text.as_ref())
        .and_then(|()| match fs::metadata(path) {
            Ok(before) => file.set_permissions(before.permissions()),
            Err(_) => Ok(()),
        })
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&aside, path))
        .and_then(|()| settle(folder));
    if written.is_err() {
        // Where it has been moved there is nothing to remove.
        let _ = fs::remove_file(&aside);
    }
    written
}

/// Writes a file that a user has named, whole or not at all. Unlike [`write_whole`] it makes no folders: a
/// folder that is not there is rather a misspelt one. What the system keeps in `/dev` is written into.
///
/// # Errors
///
/// A folder, a device, a pipe or a link in the file's place, a folder that is not there or that a link
/// leads out of the present one to, a place that cannot be written.
pub fn write_named(name: &str, text: impl AsRef<[u8]>) -> Result<(), Problem> {
    let path = Path::new(name);
    let refused = |error: io::Error| refused(name, "written", &error);
    let stream = path.parent() == Some(Path::new("/dev")) || path.parent() == Some(Path::new("/dev/fd"));
    if stream && path.exists() && !path.is_dir() {
        let mut stream = OpenOptions::new().append(true).open(path).map_err(refused)?;
        return stream
            .write_all(text.as_ref())
            .and_then(|()| stream.flush())
            .map_err(refused);
    }
    if let Some(found) = obstacle(path) {
        return Err(problems::not_a_file(name, &found));
    }
    if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty() && !f.is_dir()) {
        return Err(problems::missing_folder(folder.display()));
    }
    // A name with `..` or from the root says itself where it leads.
    let says_where = path.is_absolute() || path.components().any(|c| c.as_os_str() == "..");
    if !says_where && leads_out(Path::new("."), folder_of(path)) {
        let there = fs::canonicalize(folder_of(path)).unwrap_or_default();
        return Err(problems::link_out_of_folder(name, there.display()));
    }
    write_whole(path, text).map_err(refused)
}

/// The path of a file within a workspace that may be written, moved or removed.
///
/// # Errors
///
/// A link on the way that leads out of the workspace, and anything but a regular file in its place.
pub fn within(root: &Path, inner: &str) -> Result<PathBuf, Problem> {
    let full = root.join(inner);
    let mut there = full.as_path();
    // What is not there yet is made in the nearest folder that is.
    while fs::symlink_metadata(there).is_err() {
        match there.parent() {
            Some(above) if above.starts_with(root) => there = above,
            _ => break,
        }
    }
    let dangles = there != root && fs::canonicalize(there).is_err();
    if dangles || leads_out(root, there) {
        return Err(problems::link_out_of_workspace(inner, there.display()));
    }
    // A link that stays inside keeps its place, and what it leads to is what changes.
    let full = match fs::symlink_metadata(&full) {
        Ok(about) if about.is_symlink() => fs::canonicalize(&full).unwrap_or(full),
        _ => full,
    };
    match obstacle(&full) {
        Some(found) => Err(problems::not_a_file(inner, &found)),
        None => Ok(full),
    }
}

/// Writes a file of a workspace whole, by its path from the root.
///
/// # Errors
///
/// Places out of the workspace, and what the system refuses.
pub fn write_within(root: &Path, inner: &str, text: impl AsRef<[u8]>) -> Result<(), Problem> {
    write_whole(&within(root, inner)?, text).map_err(|error| refused(format!("`{inner}`"), "written", &error))
}

/// The same in the manner in which the file is written: with its mark of the order of bytes, and its ends of lines.
///
/// # Errors
///
/// Those of [`write_within`].
pub fn write_alike(root: &Path, inner: &str, text: &str) -> Result<(), Problem> {
    let before = fs::read(within(root, inner)?).unwrap_or_default();
    write_within(root, inner, alike(&before, text))
}

/// Returns a text with the byte order mark and the line ends of the one that it replaces.
pub fn alike(before: &[u8], text: &str) -> String {
    let end = before.iter().position(|byte| *byte == b'\n');
    let text = match end.is_some_and(|at| before[..at].ends_with(b"\r")) {
        true => text.replace("\r\n", "\n").replace('\n', "\r\n"),
        false => text.to_owned(),
    };
    let mark = if before.starts_with(MARK.as_bytes()) {
        MARK
    } else {
        ""
    };
    format!("{mark}{text}")
}

/// The mark of the order of bytes, which some editors put in front of a text.
const MARK: &str = "\u{feff}";

/// Moves a file of a workspace in place of another, by their paths from the root.
///
/// # Errors
///
/// Places out of the workspace, and what the system refuses, as a sentence.
pub fn move_within(root: &Path, from: &str, to: &str) -> Result<io::Result<()>, Problem> {
    let (from, to) = (within(root, from)?, within(root, to)?);
    Ok(fs::rename(from, &to).and_then(|()| settle(folder_of(&to))))
}

/// Whether a path within a folder is, by links or by `..`, one outside of it.
pub fn leads_out(root: &Path, path: &Path) -> bool {
    match (fs::canonicalize(root), fs::canonicalize(path)) {
        (Ok(root), Ok(path)) => !path.starts_with(root),
        // What is not there leads nowhere.
        _ => false,
    }
}

/// Removes a file of a workspace, by its path from the root.
///
/// # Errors
///
/// Places out of the workspace, and what the system refuses.
pub fn remove_within(root: &Path, inner: &str) -> Result<io::Result<()>, Problem> {
    Ok(fs::remove_file(within(root, inner)?))
}

/// Removes a file that nobody looks at any more; one that stays does no harm.
pub fn discard(path: &Path) {
    let _ = fs::remove_file(path);
}

/// Whether files can be written into a folder, which is made where it is not there.
///
/// # Errors
///
/// What the system refuses.
pub fn check_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let probe = aside(&folder.join("probe"));
    OpenOptions::new().write(true).create_new(true).open(&probe)?;
    fs::remove_file(&probe)
}

/// Makes a folder and those around it, where they are not there.
///
/// # Errors
///
/// What the system refuses.
pub fn make_way(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

/// Removes a folder with all that is in it.
///
/// # Errors
///
/// What the system refuses.
pub fn remove_folder(folder: &Path) -> io::Result<()> {
    fs::remove_dir_all(folder)
}

/// The problem of a file with which something could not be done, with what the system says.
pub fn refused(name: impl Display, done: &str, error: &io::Error) -> Problem {
    problems::unusable_file(name, done, error)
}

/// Makes a folder with files in it: all of them, or no such folder. One that is there and holds nothing
/// but some of these files gets the others.
///
/// # Errors
///
/// What the system refuses, and what is in its place.
pub fn make_folder<'a>(
    folder: &Path,
    files: impl IntoIterator<Item = (&'a str, &'a [u8])> + Clone,
) -> Result<(), Problem> {
    let fill = |folder: &Path| {
        files.clone().into_iter().try_for_each(|(path, data)| {
            let path = folder.join(path);
            write_whole(&path, data).map_err(|e| refused(path.display(), "written", &e))
        })
    };
    if fs::symlink_metadata(folder).is_ok() {
        return fill(folder);
    }
    let refused = |e: io::Error| refused(folder.display(), "made", &e);
    fs::create_dir_all(folder_of(folder)).map_err(refused)?;
    let aside = aside(folder);
    fs::create_dir(&aside).map_err(refused)?;
    let made = fill(&aside).and_then(|()| {
        fs::rename(&aside, folder)
            .and_then(|()| settle(folder_of(folder)))
            .map_err(refused)
    });
    if made.is_err() {
        // Where it has been moved there is nothing to remove.
        let _ = fs::remove_dir_all(&aside);
    }
    made
}

/// A file that is in a folder and is neither one of these, as it is there, nor one of ours that was
/// written aside; by its path. What cannot be read is one.
pub fn foreign(folder: &Path, files: &dyn Fn(&str) -> Option<Vec<u8>>) -> Option<String> {
    fn walk(root: &Path, inner: &str, files: &dyn Fn(&str) -> Option<Vec<u8>>) -> Option<String> {
        let Ok(entries) = fs::read_dir(root.join(inner)) else {
            return Some(inner.to_owned());
        };
        entries.flatten().find_map(|entry| {
            let last = entry.file_name().to_string_lossy().into_owned();
            let path = match inner {
                "" => last.clone(),
                _ => format!("{inner}/{last}"),
            };
            let kind = entry.file_type().ok()?;
            let ours = kind.is_file()
                && (last.starts_with(ASIDE)
                    || files(&path).is_some_and(|data| fs::read(entry.path()).is_ok_and(|now| now == data)));
            match kind.is_dir() {
                true => walk(root, &path, files),
                false => (!ours).then_some(path),
            }
        })
    }
    walk(folder, "", files)
}

/// A word as a shell takes it for one: what it would read otherwise is quoted.
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "._/-+,=@%:".contains(c);
    match word.chars().all(plain) && !word.is_empty() {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_read_says_why() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("charge.toml"), "\u{feff}x = 1").expect("a file for the test");
        std::fs::write(path("raw.bin"), b"a\nb\xff").expect("a file for the test");

        assert_eq!(
            Source::read(path("charge.toml")).expect("it is there").text,
            "x = 1"
        );
        let id = |name: &str| Source::read(path(name)).expect_err(name).id();
        assert_eq!(id("chrage.toml"), "missing-file");
        let hint = Source::read(path("chrage.toml"))
            .expect_err("it is not there")
            .hint
            .unwrap_or_default();
        assert!(
            hint.starts_with("did you mean") && hint.contains("charge.toml"),
            "{hint}"
        );
        let stem = Source::read(path("charge"))
            .expect_err("it is not there")
            .hint
            .unwrap_or_default();
        assert!(stem.contains("charge.toml"), "{stem}");
        let far = Source::read(path("zzzzzz")).expect_err("it is not there").hint;
        assert_eq!(far.as_deref(), Some("its files: charge.toml, raw.bin"));
        assert_eq!(id("no/such"), "missing-folder");
        let bytes = Source::read(path("raw.bin")).expect_err("it is not text");
        assert_eq!((bytes.id(), bytes.arguments()[1].as_str()), ("not-utf8", "2"));
        let huge = std::fs::File::create(path("huge.txt")).expect("a file for the test");
        huge.set_len(MAX_FILE + 1).expect("a file with a hole");
        assert_eq!(id("huge.txt"), "too-large");
        assert_eq!(id(""), "not-a-file");
    }

    #[test]
    fn what_a_shell_would_read_otherwise_is_quoted() {
        assert_eq!(shell_word("a-move-bends"), "a-move-bends");
        assert_eq!(shell_word("; rm x"), "'; rm x'");
        assert_eq!(shell_word("it's"), r"'it'\''s'");
    }
}
