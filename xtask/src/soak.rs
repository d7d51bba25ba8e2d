//! `cargo xtask soak`: tests the page in prolonged use.

use crate::failure::Result;
use crate::page;
use crate::project::Project;

/// Builds the page and operates it in a browser for a number of minutes; fails if the page's memory, nodes or
/// listeners grow.
pub fn soak(project: &Project, minutes: &str) -> Result<()> {
    page::example(project, "soak", "using the page", |task| {
        task.arg(minutes)
            .usually("half an hour, or what --minutes says")
    })
}
