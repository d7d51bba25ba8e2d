//! Runs the built page in a browser.

use crate::browser;
use crate::dist;
use crate::failure::Result;
use crate::process::Task;
use crate::program;
use crate::project::Project;
use crate::tools;

/// Builds the page and runs one of the tests' example programs on it; `with` can add arguments and the usual duration
/// to the task.
pub fn example(
    project: &Project,
    name: &str,
    doing: &str,
    with: impl FnOnce(Task) -> Task,
) -> Result<()> {
    let browser = browser::set_up()?;
    let dist = dist::build(project, &tools::set_up()?, program::PAGE)?;
    let driver = browser.drive()?;
    let task = project
        .cargo(doing)
        .args("run --locked --quiet -p ridgepoint-tests --example")
        .arg(name)
        .arg("--")
        .env("RIDGEPOINT_DIST", dist)
        .env("CHROME", &browser.chrome)
        .env("WEBDRIVER", driver.address());
    with(task).run()
}
