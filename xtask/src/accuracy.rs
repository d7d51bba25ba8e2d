//! `cargo xtask accuracy`: how far the model is off measured systems, and what each term is worth.

use crate::failure::Result;
use crate::process::Task;
use crate::project::Project;

/// What is done with the tables.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Tables {
    /// All of them are printed.
    #[default]
    All,
    /// Those of README are printed.
    Readme,
    /// They are written into the documents that hold them.
    Write,
}

/// Errors by row and group under each calibration, and without each term of `kernels-2026`.
pub fn accuracy(project: &Project, tables: Tables) -> Result<()> {
    let option = match tables {
        Tables::All => "",
        Tables::Readme => "-- --markdown",
        Tables::Write => "-- --write",
    };
    Task::new("cargo", "comparing with measured systems")
        .args("run --locked --quiet -p ridgepoint-tests --example accuracy")
        .args(option)
        .folder(&project.root)
        .usually("a minute the first time")
        .run()
}
