//! `cargo xtask fuzz`: mutated links, files and scenarios.

use crate::failure::Result;
use crate::process::Task;
use crate::project::Project;

/// Which cases to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cases {
    /// Name of a target, or `all`.
    pub only: String,
    /// A number, or `-` for each target's own.
    pub cases: String,
    /// Seed of the mutations.
    pub seed: String,
    /// The longest time, or `-` for any.
    pub minutes: String,
}

impl Default for Cases {
    fn default() -> Self {
        Self {
            only: "all".to_owned(),
            cases: "-".to_owned(),
            seed: "1".to_owned(),
            minutes: "-".to_owned(),
        }
    }
}

/// Runs them with the speed of a release and every check.
pub fn fuzz(project: &Project, cases: &Cases) -> Result<()> {
    let Cases {
        only,
        cases,
        seed,
        minutes,
    } = cases;
    Task::new("cargo", "trying mutated texts")
        .args("run --locked --quiet --profile fuzz -p model-core --example fuzz --")
        .arg(only)
        .arg(cases)
        .arg(seed)
        .arg(minutes)
        .folder(&project.root)
        .usually("2 hours, or what --minutes says")
        .run()
}
