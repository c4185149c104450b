//! What several tests need: workspaces that can be broken, and the command itself.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A copy of the scripts, units and scenarios that a test may change.
pub struct Copy {
    folder: tempfile::TempDir,
}

impl Copy {
    /// An empty folder.
    pub fn of_nothing() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self { folder }
    }

    /// Scripts and units, without scenarios.
    pub fn of_rules() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for part in ["scripts", "units"] {
            copy(&root().join(part), &folder.path().join(part));
        }
        Self { folder }
    }

    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    /// Writes a file, making its folder.
    pub fn write(&self, file: &str, text: impl AsRef<[u8]>) -> &Self {
        let path = self.path(file);
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("can be made");
        std::fs::write(path, text).expect("can be written");
        self
    }

    /// Replaces a text in a file; it must be there.
    pub fn replace(&self, file: &str, old: &str, new: &str) -> &Self {
        let text = std::fs::read_to_string(self.path(file)).expect("the file is there");
        assert!(text.contains(old), "{file} has no `{old}`");
        self.write(file, text.replacen(old, new, 1))
    }

    /// Runs the command in this folder.
    pub fn run(&self, args: &[&str]) -> Ran {
        run_in(self.folder.path(), args)
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("can be made");
    for entry in std::fs::read_dir(from).expect("is a folder").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("can be copied");
        }
    }
}

/// What a run of the command said.
pub struct Ran {
    pub status: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// Both outputs and the exit status, as a test snapshots them.
    pub fn page(&self) -> String {
        format!("exit {}\n--- out\n{}--- err\n{}", self.status, self.out, self.err)
    }
}

/// Runs the command in a folder.
pub fn run_in(folder: &Path, args: &[&str]) -> Ran {
    let Output {
        status,
        stdout,
        stderr,
    } = Command::new(env!("CARGO_BIN_EXE_rulebench"))
        .args(args)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .output()
        .expect("the command starts");
    let text = |bytes| String::from_utf8(bytes).expect("the command writes text");
    Ran {
        status: status.code().expect("it was not killed"),
        out: text(stdout),
        err: text(stderr),
    }
}
