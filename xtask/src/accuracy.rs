//! `cargo xtask accuracy`: compares Ridgepoint with measured runs, using each calibration, and also with each
//! calibration term left out in turn.

use crate::failure::Result;
use crate::project::Project;

/// Computes prediction errors by measured run and by group of runs, under each calibration. Also computes them with
/// each term of `kernels-2026` left out in turn. The errors are printed; if `write` is true, they are written into
/// the documents.
pub fn accuracy(project: &Project, write: bool) -> Result<()> {
    project
        .cargo("comparing with measured systems")
        .args("run --locked --quiet -p ridgepoint-tests --example accuracy --")
        .args(if write { "--write" } else { "" })
        .usually("3 minutes the first time")
        .run()
}
