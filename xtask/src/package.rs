//! The npm package: the command line as WebAssembly, with its library and types.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Result};
use crate::files::{copy, failed, names, read, text, write};
use crate::process::Task;
use crate::program;
use crate::project::Project;
use crate::tally::Tally;
use crate::tools::{Bench, Tools, WASM};

/// Sources of the package: what is not WebAssembly.
const SOURCES: &str = "ridgepoint/npm";
const MANIFEST: &str = "package.json";
/// Version in the manifest's source.
const NO_VERSION: &str = "\"version\": \"0.0.0\"";
/// Packages whose features apply: those of the page's build, which shares the compiled crates.
const LIKE_THE_PAGE: &str = "-p app -p worker -p ridgepoint --bin ridgepoint";
/// Compares the installed package with the native program, under Node.
const CHECK: &str = include_str!("package.mjs");
/// Compresses files under Node.
const WEIGH: &str = include_str!("weigh.mjs");
/// Prefix of the lines with compared links, and their count.
const MARK: &str = "link ";
const LINKS: usize = 1000;

/// Builds the package into `target/package/`; returns that folder.
pub fn build(project: &Project, tools: &Tools) -> Result<PathBuf> {
    Task::new("cargo", "building the package")
        .usually("1 minute")
        .folder(&project.root)
        .args("build --locked --release")
        .args(LIKE_THE_PAGE)
        .args("--target")
        .arg(WASM)
        .run()?;
    let package = target(project).join("package");
    fs::remove_dir_all(&package).ok();
    fs::create_dir_all(&package).map_err(failed("make", &package))?;
    let built = target(project).join(WASM).join("release/ridgepoint.wasm");
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

/// Builds the package, installs it in an empty folder without a network, and compares it with the native program.
pub fn check(bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    let package = build(bench.project, bench.tools)?;
    let folder = target(bench.project).join("package-check");
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder).map_err(failed("make", &folder))?;
    write(&folder.join("links.txt"), links(bench, tally)?)?;
    bench
        .cargo("building the native program")
        // Features of the whole workspace, as in the other tests: nothing is compiled twice.
        .args("build --locked --workspace --bin ridgepoint")
        .run()?;
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
    let native = format!("debug/ridgepoint{}", env::consts::EXE_SUFFIX);
    write(&folder.join("check.mjs"), CHECK)?;
    Task::new("node", "comparing the package with the native program")
        .args("check.mjs")
        .arg(target(bench.project).join(native))
        .folder(&folder)
        .run_tests(tally)
}

/// Links to compare, one per line.
fn links(bench: &Bench<'_>, tally: &mut Tally) -> Result<String> {
    let (mut links, mut count) = (String::new(), 0);
    bench
        .cargo("writing links")
        .args("test --locked -p ridgepoint-tests --test parity -- --nocapture links_of_the_package")
        .run_reading(|line| {
            tally.read(line);
            let Some((_, link)) = line.split_once(MARK) else {
                return true;
            };
            links.push_str(link);
            links.push('\n');
            count += 1;
            false
        })?;
    if count == LINKS {
        return Ok(links);
    }
    Err(Failure::Wrong {
        what: format!("tests/parity.rs printed {count} links instead of {LINKS}"),
        advice: "see links_of_the_package there".to_owned(),
    })
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

fn target(project: &Project) -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| project.root.join("target"), PathBuf::from)
}
