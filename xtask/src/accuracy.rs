//! `cargo xtask accuracy`: errors compared with measured runs, also with each term of the calibration left out.

use crate::failure::Result;
use crate::process::Task;
use crate::project::Project;

/// Computes errors by row and group under each calibration, and with each term of `kernels-2026` left out. The errors
/// are printed, or written into their documents if `write` is true.
pub fn accuracy(project: &Project, write: bool) -> Result<()> {
    Task::new("cargo", "comparing with measured systems")
        .args("run --locked --quiet -p ridgepoint-tests --example accuracy --")
        .args(if write { "--write" } else { "" })
        .folder(&project.root)
        .usually("3 minutes the first time")
        .run()
}
