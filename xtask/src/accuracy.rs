//! `cargo xtask accuracy`: errors vs. measured runs, and without each term of the calibration.

use crate::failure::Result;
use crate::process::Task;
use crate::project::Project;

/// Errors by row and group under each calibration, and without each term of `kernels-2026`: printed, or written into
/// their documents.
pub fn accuracy(project: &Project, write: bool) -> Result<()> {
    Task::new("cargo", "comparing with measured systems")
        .args("run --locked --quiet -p ridgepoint-tests --example accuracy --")
        .args(if write { "--write" } else { "" })
        .folder(&project.root)
        .usually("3 minutes the first time")
        .run()
}
