//! `cargo xtask reproduce`: builds one commit twice and compares the results byte by byte.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Result};
use crate::files::hash;
use crate::process::{Task, answer};
use crate::project::Project;

/// Files of a built page, by their paths within it.
type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Builds the page of the last commit in two new checkouts and compares the results.
///
/// Both builds use this machine's cargo home, because the splitter puts a hash of that path into the program.
pub fn reproduce(project: &Project) -> Result<()> {
    let base = env::temp_dir().join(format!("ridgepoint-reproduce-{}", std::process::id()));
    let commit = answer("git", "rev-parse --short=12 HEAD").unwrap_or_default();
    let first = build(project, &base.join("first"))?;
    let second = build(project, &base.join("another/checkout"))?;
    let names: BTreeSet<_> = first.keys().chain(second.keys()).collect();
    let differing: Vec<_> = names
        .into_iter()
        .filter(|name| first.get(*name) != second.get(*name))
        .map(|name| name.display().to_string())
        .collect();
    if !differing.is_empty() {
        return Err(Failure::Wrong {
            what: format!(
                "two builds of one commit differ in {} files: {}",
                differing.len(),
                differing.join(", ")
            ),
            advice: format!("compare the two checkouts' dist/ in {}", base.display()),
        });
    }
    println!(
        "The same bytes: dist/ of {commit}, {} files, {} bytes, FNV-1a {:016x}.",
        first.len(),
        first.values().map(Vec::len).sum::<usize>(),
        hash(first.values().flatten()),
    );
    // Left behind, it only takes space.
    fs::remove_dir_all(&base).ok();
    Ok(())
}

/// Builds the page in a new checkout at `folder`.
fn build(project: &Project, folder: &Path) -> Result<Files> {
    Task::new("git", "checking out the last commit")
        .args("clone --quiet")
        .arg(&project.root)
        .arg(folder)
        .run()?;
    Task::new("cargo", "building the page")
        .usually("5 minutes")
        .args("xtask dist")
        .folder(folder)
        .without_env("CARGO_TARGET_DIR")
        .run()?;
    let dist = folder.join("dist");
    let mut files = Files::new();
    collect(&dist, &dist, &mut files).map_err(|cause| Failure::File {
        doing: "read",
        path: dist,
        cause,
    })?;
    Ok(files)
}

fn collect(dist: &Path, folder: &Path, files: &mut Files) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(dist, &path, files)?;
        } else {
            let name = path.strip_prefix(dist).unwrap_or(&path).to_owned();
            files.insert(name, fs::read(&path)?);
        }
    }
    Ok(())
}
