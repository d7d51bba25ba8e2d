//! `cargo xtask shots`: takes screenshots of the built page.

use std::path::{PathBuf, absolute};

use crate::failure::{Failure, Result};
use crate::page;
use crate::project::Project;

/// Writes every chart as SVG into `out/charts`, then builds the page and takes screenshots of it into `out`. `query`
/// is the part of a permalink after `?`.
pub fn shots(project: &Project, query: &str, out: Option<String>) -> Result<()> {
    // Relative to where the command was typed, not to where the pictures are taken.
    let out = out.map_or_else(|| project.root.join("target/shots"), PathBuf::from);
    let out = absolute(&out).map_err(|cause| Failure::File {
        doing: "find",
        path: out,
        cause,
    })?;
    project
        .cargo("drawing the charts")
        .args("test --locked --quiet -p answer --lib charts::tests::pictures")
        .env("RIDGEPOINT_CHARTS", out.join("charts"))
        .usually("1 minute the first time")
        .run()?;
    page::example(project, "shots", "taking pictures of the page", |task| {
        task.arg(query).arg(out).usually("20 seconds")
    })
}
