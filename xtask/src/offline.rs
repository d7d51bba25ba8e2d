//! Builds the service worker of a page: `app/offline.js`, preceded by a list of the build's files with their digests.

use std::path::Path;

use crate::failure::Result;
use crate::files::{hash, names, text, write};
use crate::process::Task;
use crate::project::Project;

/// Name of the service worker, as used in index.html and in every earlier build.
pub const NAME: &str = "sw.js";
/// Node script that computes the digests of files and prints a line with name and digest for each.
const DIGEST: &str = include_str!("digest.mjs");
/// Files that no page requests, so the service worker does not cache them.
const UNUSED: [&str; 4] = [NAME, "preview.png", "LICENSE-Inter.txt", "llms.txt"];

/// Writes the service worker into `dist`, after all other files of the build are there.
pub fn write_worker(project: &Project, dist: &Path) -> Result<()> {
    let mut files = Vec::new();
    list(dist, "", &mut files)?;
    let mut task = Task::new("node", "digesting the page")
        .args("--input-type=module --eval")
        .arg(DIGEST)
        .folder(dist);
    for file in files {
        task = task.arg(file);
    }
    let mut lines = String::new();
    task.run_reading(|line| {
        if let Some((file, digest)) = line.split_once(' ') {
            lines += &format!("  \"{file}\": \"{digest}\",\n");
        }
        false
    })?;
    let build = hash(lines.as_bytes());
    let worker = text(&project.root.join("app/offline.js"))?;
    let whole =
        format!("const BUILD = \"{build:016x}\";\nconst FILES = {{\n{lines}}};\n\n{worker}");
    write(&dist.join(NAME), whole)
}

/// Adds the files of a folder inside `dist` to a list, by their paths relative to `dist`.
fn list(dist: &Path, folder: &str, files: &mut Vec<String>) -> Result<()> {
    for name in names(&dist.join(folder))? {
        let path = format!("{folder}{name}");
        if dist.join(&path).is_dir() {
            list(dist, &format!("{path}/"), files)?;
        } else if !UNUSED.contains(&name.as_str()) {
            files.push(path);
        }
    }
    Ok(())
}
