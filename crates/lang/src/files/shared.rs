//! Files that are held open, or that several processes write: locks, and lines added at the end.

use super::ASIDE;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A file that is held is asked for so often, and so far apart, before it is taken for another's.
const TRIES: u32 = 3;
const MOMENT: Duration = Duration::from_millis(10);

/// Keeps others out of a folder who lock it too, until what is returned is dropped; a process that
/// ends, however, gives it up. Where folders cannot be locked nobody is kept out.
///
/// # Errors
///
/// A folder that is not there.
pub fn lock(folder: &Path) -> io::Result<File> {
    let lock = if cfg!(unix) {
        File::open(folder)?
    } else {
        File::create(folder.join(format!("{ASIDE}lock")))?
    };
    match lock.lock() {
        Err(error) if error.kind() == ErrorKind::Interrupted => lock.lock()?,
        // Some file systems have no locks.
        _ => {}
    }
    Ok(lock)
}

/// A file that is there, locked until it is dropped; `None` while another process has it locked. Where files
/// cannot be locked nobody is kept out.
///
/// # Errors
///
/// A file that is not there.
pub fn hold(path: &Path) -> io::Result<Option<File>> {
    let file = File::open(path)?;
    // A program that this one starts has what it has open for a moment, until it is another program.
    for _ in 0..TRIES {
        if !is_held(&file) {
            return Ok(Some(file));
        }
        std::thread::sleep(MOMENT);
    }
    Ok(None)
}

/// Whether another process has it locked; else it is locked now.
fn is_held(file: &File) -> bool {
    matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

/// Makes a folder of one's own in another, which is made too: the first of these names that is free. A file of it is
/// locked until what is returned with the folder is dropped.
///
/// # Errors
///
/// What the system refuses; names that are all taken.
pub fn make_held(
    above: &Path,
    names: impl IntoIterator<Item = String>,
    lock: &str,
) -> io::Result<(PathBuf, File)> {
    fs::create_dir_all(above)?;
    let mut taken = io::Error::from(ErrorKind::AlreadyExists);
    for name in names {
        let folder = above.join(name);
        match fs::create_dir(&folder) {
            Ok(()) => {
                let file = File::create(folder.join(lock))?;
                // Where files cannot be locked, nobody else is kept out.
                let _ = file.lock();
                return Ok((folder, file));
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => taken = error,
            Err(error) => return Err(error),
        }
    }
    Err(taken)
}

/// A text that several processes read and add to, each waiting for the others, and that no other user reads.
#[derive(Debug)]
pub struct SharedFile(pub PathBuf);

impl SharedFile {
    fn options() -> OpenOptions {
        let mut options = File::options();
        options.create(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt as _;
            options.mode(0o600);
        }
        options
    }

    /// Reads the content; creates the file if it does not exist.
    ///
    /// # Errors
    ///
    /// What the system refuses.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        let mut file = Self::options().read(true).append(true).open(&self.0)?;
        file.lock_shared()?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        file.unlock()?;
        Ok(bytes)
    }

    /// Puts a text in place of what is in it.
    ///
    /// # Errors
    ///
    /// What the system refuses.
    pub fn replace(&self, text: &str) -> io::Result<()> {
        let file = Self::options().write(true).open(&self.0)?;
        // Whoever writes at its end meanwhile waits.
        file.lock()?;
        file.set_len(0)?;
        (&file).write_all(text.as_bytes())?;
        file.unlock()
    }

    /// Adds a text in one write, behind a head where it is empty.
    ///
    /// # Errors
    ///
    /// What the system refuses.
    pub fn add(&self, head: &str, text: &str) -> io::Result<()> {
        let file = Self::options().append(true).open(&self.0)?;
        file.lock()?;
        let head = if file.metadata()?.len() == 0 { head } else { "" };
        (&file).write_all(format!("{head}{text}").as_bytes())?;
        file.unlock()
    }
}

/// A file that one process alone makes longer.
#[derive(Debug)]
pub struct Growing(File);

impl Growing {
    /// Opens a file that is there, or makes one that is not.
    ///
    /// # Errors
    ///
    /// What the system refuses.
    pub fn open(path: &Path, is_there: bool) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(!is_there);
        options.open(path).map(Self)
    }

    /// Whether another process is at it; from then on no other is, if not. Where files cannot be locked none is.
    pub fn is_taken(&self) -> bool {
        is_held(&self.0)
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.0.metadata().map_or(true, |about| about.len() == 0)
    }

    /// Cuts it off behind so many bytes and goes on there.
    ///
    /// # Errors
    ///
    /// What the system refuses.
    pub fn cut(&mut self, length: u64) -> io::Result<()> {
        self.0.set_len(length)?;
        self.0.seek(SeekFrom::Start(length)).map(drop)
    }

    /// Adds to its end.
    ///
    /// # Errors
    ///
    /// What the system refuses, such as a disk that is full.
    pub fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    /// Everything is on disk.
    ///
    /// # Errors
    ///
    /// What the system refuses.
    pub fn finish(self) -> io::Result<()> {
        self.0.sync_all()
    }
}
