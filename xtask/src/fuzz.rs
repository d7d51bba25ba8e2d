//! `cargo xtask fuzz`: mutated links, files and scenarios, by the million.

use crate::failure::{Failure, Result};
use crate::process::Task;
use crate::project::Project;

/// The targets of tests/fuzz/targets.rs, with the cases of a whole run.
const TARGETS: [(&str, u64); 10] = [
    ("link", 10_000_000),
    ("config", 1_000_000),
    ("arch", 1_000_000),
    ("evaluation", 1_000_000),
    ("paste", 1_000_000),
    ("own", 1_000_000),
    ("levers", 100_000),
    ("service", 100_000),
    ("simulator", 100_000),
    ("split", 100_000),
];

/// The cases to run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cases {
    /// One target alone.
    pub only: Option<String>,
    /// Another number of cases.
    pub cases: Option<u64>,
    /// The longest time of each target.
    pub minutes: Option<u64>,
}

/// Runs them with the speed of a release and every check.
pub fn fuzz(project: &Project, cases: &Cases) -> Result<()> {
    let only = cases.only.as_deref();
    let chosen = |(name, _): &&(&str, u64)| only.is_none_or(|only| only == *name);
    let chosen: Vec<_> = TARGETS.iter().filter(chosen).collect();
    if chosen.is_empty() {
        let names = TARGETS.map(|(name, _)| name).join(", ");
        return Err(Failure::Usage(format!("a target is one of {names}")));
    }
    for (name, usual) in chosen {
        let iterations = cases.cases.unwrap_or(*usual);
        let mut task = Task::new("cargo", format!("trying {iterations} cases of {name}"))
            .args("test --locked --quiet --profile fuzz -p ridgepoint-fuzz --test fuzz -- --exact --nocapture")
            .arg(name)
            .env("BOLERO_RANDOM_ITERATIONS", iterations.to_string())
            .folder(&project.root)
            .usually("an hour at most");
        if let Some(minutes) = cases.minutes {
            let milliseconds = minutes.saturating_mul(60_000);
            task = task.env("BOLERO_RANDOM_TEST_TIME_MS", milliseconds.to_string());
        }
        task.run()?;
    }
    Ok(())
}
