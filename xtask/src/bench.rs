//! `cargo xtask bench`: measures the speed of Ridgepoint's model, and the response times of the page.
//!
//! Times vary on a shared machine, but instruction counts do not. If valgrind is installed, both are printed.

use std::process::Command;

use crate::failure::Result;
use crate::page;
use crate::project::Project;

/// Number of evaluations in the run whose instructions are counted; must match the example.
const COUNTED: f64 = 100_000.0;

/// Measures evaluations and permalinks per second on one core, and instructions per evaluation. Then measures the
/// page in a browser: slider and pointer response in each view, load time, and the time of a large plan search.
pub fn bench(project: &Project) -> Result<()> {
    let example = |doing: &str| {
        project
            .cargo(doing)
            .args("run --locked --release --quiet -p model-core --example bench")
    };
    example("timing the model")
        .usually("2 minutes the first time")
        .run()?;
    match instructions(project) {
        Some(count) => println!("instructions/evaluation {:>6.0}", count / COUNTED),
        None => println!("instructions/evaluation: install valgrind to count them"),
    }
    // Waiting times in the page are by the browser's own clock.
    page::example(
        project,
        "bench_page",
        "timing a search in the page",
        |task| task.usually("30 seconds"),
    )
}

/// Returns the number of instructions in a run of fixed length, counted by callgrind; `None` if valgrind is not
/// installed.
fn instructions(project: &Project) -> Option<f64> {
    let target = project.root.join("target/release/examples/bench");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(target)
        .arg("count")
        .output()
        .ok()?;
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = told.lines().find(|line| line.contains("Collected"))?;
    line.rsplit(':').next()?.trim().parse().ok()
}
