//! `cargo xtask soak`: a page in long use.

use crate::browser;
use crate::dist;
use crate::failure::Result;
use crate::process::Task;
use crate::project::Project;
use crate::tools;

/// Builds the page and uses it in a browser for a number of minutes.
pub fn soak(project: &Project, minutes: &str) -> Result<()> {
    let browser = browser::set_up()?;
    let dist = dist::build(project, &tools::set_up(project)?)?;
    Task::new("cargo", "using the page")
        .args("run --locked --quiet -p ridgepoint-tests --example soak --")
        .arg(minutes)
        .folder(&project.root)
        .env("RIDGEPOINT_DIST", dist)
        .env("CHROME", browser.chrome)
        .env("CHROMEDRIVER", browser.driver)
        .usually("half an hour, or what --minutes says")
        .run()
}
