//! Builds the page: a folder of static files that can be served from any path of any host.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use site::POLICY;

use crate::entry::{self, Asset};
use crate::failure::{Failure, Result};
use crate::files::{copy, copy_hashed, failed, plain_script, plain_style, text, write};
use crate::guide;
use crate::offline;
use crate::process::duration;
use crate::program;
use crate::project::Project;
use crate::tools::Tools;

/// Name of the worker's first file in index.html, without a hash.
const WORKER: &str = "ridgepoint-worker_loader.js";
const RUNS: &str = "\"runs.tsv\"";
/// The preview image for shared links to the page, as named in index.html.
const PREVIEW: &str = "\"./preview.png\"";
/// Environment variable with the URL of the page's folder. Other sites need the full URL of the preview image.
const ADDRESS: &str = "RIDGEPOINT_ADDRESS";

/// Builds the page for release into `dist/` and returns that folder. The same build also compiles the other programs
/// listed in `programs`.
pub fn build(project: &Project, tools: &Tools, programs: &str) -> Result<PathBuf> {
    eprintln!("• Building the page (usually 3 minutes the first time, 1 minute after a change).");
    let began = Instant::now();
    let built = program::compile(project, programs)?;
    let dist = project.dist();
    fs::remove_dir_all(&dist).ok();
    fs::create_dir_all(&dist).map_err(failed("make", &dist))?;
    eprintln!("• Making files of it (usually 40 seconds).");
    let html = assemble(project, &built, &dist)?;
    if let Some(absolute) = absolute_address(&html) {
        return Err(Failure::Wrong {
            what: format!("index.html has an address from the root of the host: {absolute}"),
            advice: "write addresses relative to the page, `./…`: it is served from sub-paths"
                .to_owned(),
        });
    }
    write(&dist.join("index.html"), with_policy(&html))?;
    program::shrink(&dist, &tools.binaryen)?;
    program::bundle(&dist)?;
    guide::write(project, &dist.join("guide"))?;
    offline::write_worker(project, &dist)?;
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

/// Writes the files named in index.html into `dist`, and returns the HTML with their final names.
fn assemble(project: &Project, built: &Path, dist: &Path) -> Result<String> {
    let (mut worker, mut runs) = (String::new(), String::new());
    let html = text(&project.root.join("index.html"))?;
    let html = entry::fill(&html, |asset| {
        Ok(match asset {
            Asset::Script(file) => {
                let name = copy_hashed(&project.root.join(file), dist, plain_script)?;
                // Delays no picture.
                format!("<script src=\"./{name}\" async></script>")
            }
            Asset::Style(file) => {
                let name = copy_hashed(&project.root.join(file), dist, plain_style)?;
                format!("<link rel=\"stylesheet\" href=\"./{name}\">")
            }
            Asset::Folder(folder) => {
                copy(&project.root.join(folder), dist)?;
                String::new()
            }
            Asset::Runs(file) => {
                runs = copy_hashed(&project.root.join(file), dist, str::to_owned)?;
                String::new()
            }
            Asset::Page => {
                let whole = built.join("ridgepoint-page.wasm");
                let name = program::page(&whole, &program::target(project).join("parts"), dist)?;
                // app/start.js begins with these two.
                format!(
                    "<link rel=\"modulepreload\" href=\"./{name}.js\" crossorigin>\n    \
                     <link rel=\"preload\" href=\"./{name}_bg.wasm\" crossorigin as=\"fetch\" \
                     type=\"application/wasm\">"
                )
            }
            Asset::Worker => {
                worker = program::worker(&built.join("ridgepoint-worker.wasm"), dist)?;
                String::new()
            }
        })
    })?;
    let html = html.replace(RUNS, &format!("\"./{runs}\""));
    let html = match env::var(ADDRESS) {
        Ok(address) => html.replace(
            PREVIEW,
            &format!("\"{}/preview.png\"", address.trim_end_matches('/')),
        ),
        Err(_) => html,
    };
    Ok(html.replace(WORKER, &format!("{worker}_loader.js")))
}

/// Adds two elements to the page: the content security policy, for hosts that do not send it, and the name of the
/// service worker.
fn with_policy(html: &str) -> String {
    let first = "<meta charset=\"utf-8\">";
    let policy = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">");
    let offline = format!("<meta name=\"offline\" content=\"./{}\">", offline::NAME);
    html.replace(first, &format!("{first}\n    {policy}\n    {offline}"))
}

/// Returns the first address in the page that starts at the host's root, up to the end of its element or statement.
/// Examples: `href="/…"`, `src='/…'`, `from '/…'`.
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

/// Returns two sizes of a folder, in bytes: its WebAssembly files, and all its files.
fn sizes(folder: &Path) -> Result<(u64, u64)> {
    let (mut wasm, mut total) = (0, 0);
    for entry in fs::read_dir(folder).map_err(failed("read", folder))? {
        let entry = entry.map_err(failed("read", folder))?;
        let metadata = entry.metadata().map_err(failed("read", folder))?;
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
