//! The built page in a browser.

use crate::browser;
use crate::dist;
use crate::failure::Result;
use crate::process::Task;
use crate::project::Project;
use crate::tools;

/// Builds the page; the task runs an example of the tests in it.
pub fn example(project: &Project, name: &str, doing: &str) -> Result<Task> {
    let browser = browser::set_up()?;
    let dist = dist::build(project, &tools::set_up(project)?)?;
    Ok(Task::new("cargo", doing)
        .args("run --locked --quiet -p ridgepoint-tests --example")
        .arg(name)
        .arg("--")
        .folder(&project.root)
        .env("RIDGEPOINT_DIST", dist)
        .env("CHROME", browser.chrome)
        .env("CHROMEDRIVER", browser.driver))
}
