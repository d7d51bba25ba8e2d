//! Builds the page: a folder of static files that works from any path of any host.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::failure::{Failure, Result};
use crate::parts;
use crate::process::duration;
use crate::project::Project;
use crate::tools::Tools;
use xtask::site::POLICY;

/// Builds the page for release into `dist/`; returns that folder.
pub fn build(project: &Project, tools: &Tools) -> Result<PathBuf> {
    eprintln!("• Building the page (usually 2 minutes the first time, 30 seconds after a change).");
    let began = Instant::now();
    let mut trunk = tools
        .trunk(project, "building the page")
        .usually("2 minutes")
        .args("build --public-url ./");
    // Never `--release`: Trunk would run wasm-opt before the split, and download one if it must. The same cargo
    // profile by name leaves it out.
    trunk = trunk.args("--cargo-profile release");
    trunk = if tools.wasm_opt {
        trunk.env("RIDGEPOINT_PARTS", "1")
    } else {
        // Stripping then saves what it would have.
        trunk.env("CARGO_PROFILE_RELEASE_STRIP", "symbols")
    };
    trunk.run()?;
    let dist = project.dist();
    if tools.wasm_opt {
        parts::cut(project, tools, &dist)?;
    }
    hash_worker(&dist)?;
    edit(&dist.join("index.html"), with_policy)?;
    only_relative_addresses(&dist)?;
    let (wasm, total) = sizes(&dist)?;
    eprintln!(
        "  Built {} in {}: {} kB, of which {} kB WebAssembly, before compression.",
        dist.display(),
        duration(began.elapsed()),
        total / 1000,
        wasm / 1000,
    );
    Ok(dist)
}

/// Names the worker's files by their content, as Trunk does with all others.
fn hash_worker(dist: &Path) -> Result<()> {
    const NAME: &str = "ridgepoint-worker";
    let files = [".js", "_bg.wasm", "_loader.js"].map(|ending| format!("{NAME}{ending}"));
    let mut bytes = Vec::new();
    for file in &files {
        bytes.extend(read(&dist.join(file))?);
    }
    let hash = hash(&bytes);
    let named = files
        .each_ref()
        .map(|file| file.replace(NAME, &format!("{NAME}-{hash:016x}")));
    let pairs = || files.iter().zip(&named);
    for file in ["index.html", &files[0], &files[2]] {
        // Whole names of files only: the program imports its glue by another.
        edit(&dist.join(file), |text| {
            pairs().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
        })?;
    }
    for (from, to) in pairs() {
        let from = dist.join(from);
        fs::rename(&from, dist.join(to)).map_err(|cause| Failure::File {
            doing: "rename",
            path: from,
            cause,
        })?;
    }
    Ok(())
}

/// FNV-1a.
pub fn hash<'a>(bytes: impl IntoIterator<Item = &'a u8>) -> u64 {
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The page with its policy in it, for hosts that send none.
fn with_policy(html: &str) -> String {
    let first = "<meta charset=\"utf-8\">";
    let policy = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">");
    html.replace(first, &format!("{first}\n    {policy}"))
}

/// Rewrites a text file.
fn edit(path: &Path, change: impl FnOnce(&str) -> String) -> Result<()> {
    let text = change(&String::from_utf8_lossy(&read(path)?));
    fs::write(path, text).map_err(|cause| Failure::File {
        doing: "write",
        path: path.to_owned(),
        cause,
    })
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|cause| Failure::File {
        doing: "read",
        path: path.to_owned(),
        cause,
    })
}

/// Refuses a page that only works at the root of its host.
fn only_relative_addresses(dist: &Path) -> Result<()> {
    let path = dist.join("index.html");
    let html = String::from_utf8_lossy(&read(&path)?).into_owned();
    match absolute_address(&html) {
        None => Ok(()),
        Some(found) => Err(Failure::Wrong {
            what: format!("the built index.html has an address from the root of the host: {found}"),
            advice: "write addresses relative to the page, `./…`: it is served from sub-paths"
                .to_owned(),
        }),
    }
}

/// The first `href="/…"`, `src='/…'` or `from '/…'`, with a little of its value.
fn absolute_address(html: &str) -> Option<&str> {
    ["href=", "src=", "from ", "module_or_path: ", "url("]
        .iter()
        .flat_map(|before| html.match_indices(before))
        .map(|(at, before)| (at, &html[at + before.len()..]))
        .find(|(_, rest)| rest.trim_start_matches(['"', '\'']).starts_with('/'))
        .map(|(at, _)| {
            html[at..]
                .split(['>', '\n', ';'])
                .next()
                .unwrap_or_default()
        })
}

/// Bytes of WebAssembly, and of all files.
fn sizes(folder: &Path) -> Result<(u64, u64)> {
    let failed = |cause| Failure::File {
        doing: "read",
        path: folder.to_owned(),
        cause,
    };
    let (mut wasm, mut total) = (0, 0);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let metadata = entry.metadata().map_err(failed)?;
        if metadata.is_dir() {
            let (inner_wasm, inner_total) = sizes(&entry.path())?;
            wasm += inner_wasm;
            total += inner_total;
        } else {
            let is_wasm = entry.path().extension().is_some_and(|text| text == "wasm");
            wasm += if is_wasm { metadata.len() } else { 0 };
            total += metadata.len();
        }
    }
    Ok((wasm, total))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_addresses_are_found() {
        assert_eq!(
            absolute_address("<link href=\"./a.css\"><script src='b.js'>"),
            None
        );
        assert_eq!(
            absolute_address("<link href=\"/a.css\">"),
            Some("href=\"/a.css\"")
        );
        assert_eq!(
            absolute_address("import x from '/b.js';"),
            Some("from '/b.js'")
        );
        assert_eq!(
            absolute_address("init({ module_or_path: './b.wasm' })"),
            None
        );
    }
}
