//! `cargo xtask test`: runs every check with one command and prints one closing line.

use std::time::{Duration, Instant};

use crate::failure::{Failure, Result};
use crate::process::duration;
use crate::project::Project;
use crate::steps::{BROWSER, STEPS, Step};
use crate::tally::Tally;
use crate::tools::{self, Bench};

/// Selection of the steps to run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// True if the browser tests are skipped.
    pub fast: bool,
    /// Runs only the step with this name.
    pub only: Option<String>,
}

#[derive(Debug)]
struct Report {
    name: &'static str,
    time: Duration,
    tally: Tally,
    failed: bool,
}

/// Runs the selected steps. Continues after a failure, so that one run reports everything.
pub fn test(mut project: Project, choice: &Choice) -> Result<()> {
    let steps = choice.steps()?;
    project.lint()?;
    let began = Instant::now();
    // Set-up is part of the report, so that a machine without network still prints the closing line.
    let (set_up, tools) = report("set-up", |_| {
        tools::components()?;
        tools::set_up()
    });
    let mut reports = vec![set_up];
    if let Some(tools) = tools {
        let bench = Bench {
            project: &project,
            tools: &tools,
        };
        for (index, Step { name, usually, run }) in steps.iter().enumerate() {
            eprintln!(
                "\n━━ {}/{} {name} (usually {usually}) ━━",
                index + 1,
                steps.len()
            );
            reports.push(report(name, |tally| run(&bench, tally)).0);
        }
    }
    summarise(&reports, began.elapsed())
}

impl Choice {
    fn steps(&self) -> Result<Vec<&'static Step>> {
        let Some(only) = &self.only else {
            return Ok(STEPS
                .iter()
                .filter(|step| !self.fast || step.name != BROWSER)
                .collect());
        };
        let step = STEPS.iter().find(|step| step.name == only);
        step.map(|step| vec![step]).ok_or_else(|| {
            let names: Vec<_> = STEPS.iter().map(|step| step.name).collect();
            Failure::Usage(format!(
                "there is no step `{only}`; there are {}",
                names.join(", ")
            ))
        })
    }
}

fn report<T>(name: &'static str, run: impl FnOnce(&mut Tally) -> Result<T>) -> (Report, Option<T>) {
    let began = Instant::now();
    let mut tally = Tally::default();
    let outcome = run(&mut tally);
    if let Err(failure) = &outcome {
        eprintln!("\n{name} failed: {failure}");
        // A step that is not a test, or failed before its first one, counts as a failure.
        tally.failed = tally.failed.max(1);
    }
    let failed = outcome.is_err();
    (
        Report {
            name,
            time: began.elapsed(),
            tally,
            failed,
        },
        outcome.ok(),
    )
}

/// Prints the table of results, and the closing line that continuous integration reads.
fn summarise(reports: &[Report], total: Duration) -> Result<()> {
    let mut all = Tally::default();
    println!("\n━━ Summary ━━");
    for Report {
        name,
        time,
        tally,
        failed,
    } in reports
    {
        let verdict = if *failed { "FAILED" } else { "ok" };
        let counts = if *tally == Tally::default() {
            String::new()
        } else {
            tally.to_string()
        };
        println!("{verdict:7} {name:12} {:>13}   {counts}", duration(*time));
        all += *tally;
    }
    println!("{:7} {:12} {:>13}\n", "", "in all", duration(total));
    println!("{all}");
    if reports.iter().any(|report| report.failed) {
        Err(Failure::Told)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(fast: bool, only: Option<&str>) -> Result<Vec<&'static str>> {
        let choice = Choice {
            fast,
            only: only.map(str::to_owned),
        };
        Ok(choice.steps()?.iter().map(|step| step.name).collect())
    }

    #[test]
    fn fast_leaves_out_the_browser_alone() {
        let (all, fast) = (names(false, None).unwrap(), names(true, None).unwrap());
        assert_eq!(all.len(), fast.len() + 1);
        assert!(!fast.contains(&BROWSER));
    }

    #[test]
    fn one_step_is_chosen_by_its_name() {
        assert_eq!(names(false, Some("parity")).unwrap(), ["parity"]);
        assert!(
            names(false, Some("moon"))
                .unwrap_err()
                .to_string()
                .contains("package")
        );
    }

    #[test]
    fn failures_without_tests_count() {
        let (report, none) = report("x", |_| Err::<(), _>(Failure::Usage("no".to_owned())));
        assert!(report.failed && none.is_none());
        assert_eq!(report.tally.to_string(), "0 passed, 1 failed");
    }
}
