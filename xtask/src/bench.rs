//! `cargo xtask bench`: how fast the model is.
//!
//! Times wander on a shared machine, instructions do not: where valgrind is installed, both are told.

use std::process::Command;

use crate::failure::Result;
use crate::process::Task;
use crate::project::Project;

/// Evaluations that the counted run makes; the example's own figure.
const COUNTED: f64 = 100_000.0;

/// Evaluations and links per second on one core, and instructions per evaluation.
pub fn bench(project: &Project) -> Result<()> {
    let example = |doing: &str| {
        Task::new("cargo", doing)
            .args("run --locked --release --quiet -p model-core --example bench")
            .folder(&project.root)
    };
    example("timing the model")
        .usually("2 minutes the first time")
        .run()?;
    match instructions(project) {
        Some(count) => println!("instructions/evaluation {:>6.0}", count / COUNTED),
        None => println!("instructions/evaluation: install valgrind to count them"),
    }
    Ok(())
}

/// Instructions of a run of fixed length, as callgrind counts them; `None` without valgrind.
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
