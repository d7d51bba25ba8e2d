//! Checks dependencies: the rules of `.cargo/deny.toml` and, in `cargo xtask audit`, also security advisories. The
//! audit writes a bill of materials.

use std::ffi::OsStr;
use std::fs;

use crate::failure::{Failure, Result};
use crate::process::Task;
use crate::project::Project;
use crate::tools::{self, WASM};

/// Checks the dependencies' licenses, duplicates and sources.
fn check(project: &Project) -> Result<()> {
    cargo(project, &tools::deny()?, "checking dependencies")
        .args("deny --locked --workspace check licenses bans sources")
        .advice("do without the dependency, or say in .cargo/deny.toml why it may be")
        .run()
}

/// Checks licenses, duplicates, sources and advisories of the dependencies, and writes the page's bill of materials.
/// Advisories are skipped if their database cannot be reached.
pub fn audit(project: &Project) -> Result<()> {
    check(project)?;
    let deny = tools::deny()?;
    let fetched = cargo(project, &deny, "fetching advisories")
        .args("deny --log-level off fetch db")
        .run_silently();
    if fetched.is_ok() {
        cargo(project, &deny, "checking advisories")
            .args("deny --locked --offline --workspace check advisories")
            .advice("`cargo update -p` the crate")
            .run()?;
    } else {
        eprintln!("• Advisories were not checked: their database cannot be reached.");
    }
    let file = "bill-of-materials";
    cargo(
        project,
        &tools::cyclonedx()?,
        "writing the bill of materials",
    )
    .args("cyclonedx --quiet --format json --spec-version 1.5 --no-build-deps --target")
    .arg(WASM)
    .arg("--override-filename")
    .arg(file)
    .run()?;
    // It writes one beside each crate. The page's is the last: its crate uses all that is shipped.
    let bill = project
        .root
        .join("target")
        .join(file)
        .with_extension("json");
    for folder in [
        "answer",
        "model-core",
        "papers",
        "tests",
        "tests/fuzz",
        "worker",
        "xtask",
        "xtask/site",
        "app",
    ] {
        let from = project.root.join(folder).join(file).with_extension("json");
        fs::rename(&from, &bill).map_err(|cause| Failure::File {
            doing: "move",
            path: from,
            cause,
        })?;
    }
    eprintln!(
        "• Bill of materials of the page (CycloneDX): {}",
        bill.display()
    );
    Ok(())
}

fn cargo(project: &Project, path: &OsStr, doing: &str) -> Task {
    Task::new("cargo", doing)
        .folder(&project.root)
        .env("PATH", path)
}
