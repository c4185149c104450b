//! The workspaces under `examples/`: their rules are well, and their scenarios do what they did.

use crate::support::{root, run_in};

#[test]
fn every_example_is_well_and_plays_as_its_snapshots_say() {
    let folders = std::fs::read_dir(root().join("examples")).expect("is a folder");
    let mut looked_at = 0;
    for folder in folders.flatten().filter(|entry| entry.path().is_dir()) {
        for command in ["check", "test"] {
            let ran = run_in(&folder.path(), &[command]);
            assert_eq!(ran.status, 0, "{}: {}", folder.path().display(), ran.page());
        }
        looked_at += 1;
    }
    assert!(looked_at > 1, "the examples are missing");
}
