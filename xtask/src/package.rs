//! Builds the npm package: the command line as WebAssembly, with its library and types.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Result};
use crate::files::{copy, failed, names, read, text, write};
use crate::parity;
use crate::process::Task;
use crate::program;
use crate::project::Project;
use crate::tally::Tally;
use crate::tools::{Bench, Tools};

/// Folder with the package's sources other than WebAssembly.
const SOURCES: &str = "ridgepoint/npm";
const MANIFEST: &str = "package.json";
/// Placeholder for the version in the source of the package's manifest.
const NO_VERSION: &str = "\"version\": \"0.0.0\"";
/// Node script that compares the installed package with the native program.
const CHECK: &str = include_str!("package.mjs");
/// Node script that compresses files to measure their sizes.
const WEIGH: &str = include_str!("weigh.mjs");

/// Builds the package into `target/package/` and returns that folder. The same build also compiles the other programs
/// listed in `programs`.
pub fn build(project: &Project, tools: &Tools, programs: &str) -> Result<PathBuf> {
    let built = program::compile(project, programs)?.join("ridgepoint.wasm");
    let package = program::target(project).join("package");
    fs::remove_dir_all(&package).ok();
    fs::create_dir_all(&package).map_err(failed("make", &package))?;
    program::bind(&built, "program", &package, |bindgen| {
        bindgen.nodejs_module(true)
    })?;
    program::shrink(&package, &tools.binaryen)?;
    // After wasm-bindgen, whose manifest is a stub.
    copy(&project.root.join(SOURCES), &package)?;
    for license in ["LICENSE-MIT", "LICENSE-APACHE"] {
        write(&package.join(license), read(&project.root.join(license))?)?;
    }
    let manifest = package.join(MANIFEST);
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    write(&manifest, text(&manifest)?.replace(NO_VERSION, &version))?;
    eprintln!(
        "  Built {}; bytes, with gzip, with brotli:",
        package.display()
    );
    weigh(&package)?;
    Ok(package)
}

/// Builds the package, installs it in an empty folder without network access, and compares it with the native
/// program.
pub fn check(bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let package = build(bench.project, bench.tools, program::ALL)?;
    let folder = program::target(bench.project).join("package-check");
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder).map_err(failed("make", &folder))?;
    let native = parity::native(bench)?;
    let mut links = String::new();
    Task::new(native.parity, "writing links")
        .arg("links")
        .run_reading(|link| {
            links.push_str(link);
            links.push('\n');
            false
        })?;
    write(&folder.join("links.txt"), links)?;
    let npm = |doing: &str| {
        let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
        Task::new(npm, doing).folder(&folder)
    };
    npm("packing the package")
        .args("pack --silent")
        .arg(&package)
        .run()?;
    let packed = names(&folder)?
        .into_iter()
        .find(|name| name.ends_with(".tgz"));
    let packed = packed.ok_or_else(|| Failure::Missing {
        what: "npm packed nothing".to_owned(),
        advice: "see its output above".to_owned(),
    })?;
    npm("installing the package")
        .args("install --offline --no-audit --no-fund --silent --prefix . ")
        .arg(format!("./{packed}"))
        .run()?;
    write(&folder.join("check.mjs"), CHECK)?;
    Task::new("node", "comparing the package with the native program")
        .args("check.mjs")
        .arg(native.ridgepoint)
        .folder(&folder)
        .run_tests(tally)
}

/// Prints the sizes of the package's files.
fn weigh(package: &Path) -> Result<()> {
    let mut task = Task::new("node", "weighing the package")
        .args("--input-type=module --eval")
        .arg(WEIGH)
        .folder(package);
    for name in names(package)? {
        task = task.arg(name);
    }
    task.run()
}
