//! `cargo xtask fuzz`: tests with millions of mutated permalinks, files and scenarios.

use crate::failure::{Failure, Result};
use crate::project::Project;

/// The targets of tests/fuzz/targets.rs, with the number of cases in a full run.
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

/// Selection of the targets and the number of cases to run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cases {
    /// Runs only this target.
    pub only: Option<String>,
    /// Number of cases, if not the default.
    pub cases: Option<u64>,
    /// Time limit for each target, in minutes.
    pub minutes: Option<u64>,
}

/// Runs the selected cases at the speed of a release build, but with all checks enabled.
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
        let mut task = project.cargo(format!("trying {iterations} cases of {name}"))
            .args("test --locked --quiet --profile fuzz -p ridgepoint-fuzz --test fuzz -- --exact --nocapture")
            .arg(name)
            .env("BOLERO_RANDOM_ITERATIONS", iterations.to_string())
            .usually("an hour at most");
        if let Some(minutes) = cases.minutes {
            let milliseconds = minutes.saturating_mul(60_000);
            task = task.env("BOLERO_RANDOM_TEST_TIME_MS", milliseconds.to_string());
        }
        task.run()?;
    }
    Ok(())
}
