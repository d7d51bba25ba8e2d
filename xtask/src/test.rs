//! `cargo xtask test`: everything that has to hold, in one command, with one line at the end.

use std::time::{Duration, Instant};

use crate::browser;
use crate::dist;
use crate::failure::{Failure, Result};
use crate::parity;
use crate::process::{Task, duration};
use crate::project::Project;
use crate::tally::Tally;
use crate::tools::{self, Tools, WASM};

/// What a step does.
type Action = fn(&Bench<'_>, &mut Tally) -> Result<()>;

/// One step: its name, how long it usually takes, and what it does.
#[derive(Debug)]
struct Step {
    name: &'static str,
    usually: &'static str,
    run: Action,
}

/// What each step may use.
#[derive(Debug)]
pub struct Bench<'a> {
    project: &'a Project,
    tools: &'a Tools,
}

/// The order is that of the answers: what is quick to say and likely to be wrong comes first.
const STEPS: [Step; 6] = [
    Step {
        name: "formatting",
        usually: "2 seconds",
        run: formatting,
    },
    Step {
        name: "clippy",
        usually: "2 minutes",
        run: clippy,
    },
    Step {
        name: "clippy on wasm",
        usually: "2 minutes",
        run: clippy_wasm,
    },
    Step {
        name: "tests",
        usually: "3 minutes",
        run: native_tests,
    },
    Step {
        name: "tests on wasm",
        usually: "1 minute",
        run: wasm_tests,
    },
    Step {
        name: "native and wasm agree",
        usually: "30 seconds",
        run: parity::check,
    },
];
const BROWSER: Step = Step {
    name: "browser",
    usually: "4 minutes",
    run: browser_tests,
};

/// The crates that are compiled for the page.
const PAGE: &str = "-p model-core -p app";

/// How a step went.
#[derive(Debug)]
struct Report {
    name: &'static str,
    time: Duration,
    tally: Tally,
    error: Option<Failure>,
}

/// Runs every step, also after a failure: one run tells everything that is wrong.
pub fn test(project: &Project, fast: bool) -> Result<()> {
    let began = Instant::now();
    let tools = tools::set_up(project)?;
    let bench = Bench {
        project,
        tools: &tools,
    };
    let steps: Vec<&Step> = STEPS.iter().chain((!fast).then_some(&BROWSER)).collect();
    let mut reports = Vec::with_capacity(steps.len());
    for (index, step) in steps.iter().enumerate() {
        eprintln!(
            "\n━━ {}/{} {} (usually {}) ━━",
            index + 1,
            steps.len(),
            step.name,
            step.usually
        );
        reports.push(step.report(&bench));
    }
    if fast {
        eprintln!("\nThe browser was left out (--fast).");
    }
    summarise(&reports, began.elapsed())
}

impl Step {
    fn report(&self, bench: &Bench<'_>) -> Report {
        let began = Instant::now();
        let mut tally = Tally::default();
        let error = (self.run)(bench, &mut tally).err();
        if let Some(error) = &error {
            eprintln!("\n{} failed: {error}", self.name);
            // A step that is not a test, or did not get as far as one, must not count as nothing.
            tally.failed = tally.failed.max(1);
        }
        Report {
            name: self.name,
            time: began.elapsed(),
            tally,
            error,
        }
    }
}

fn summarise(reports: &[Report], total: Duration) -> Result<()> {
    let mut all = Tally::default();
    println!("\n━━ Summary ━━");
    for Report {
        name,
        time,
        tally,
        error,
    } in reports
    {
        let verdict = if error.is_some() { "FAILED" } else { "ok" };
        let counts = match tally {
            Tally {
                passed: 0,
                failed: 0,
            } => String::new(),
            Tally { passed, failed } => format!("{passed} passed, {failed} failed"),
        };
        println!("{verdict:7} {name:22} {:>13}   {counts}", duration(*time));
        all += *tally;
    }
    println!("        {:22} {:>13}\n", "in all", duration(total));
    println!("{} passed, {} failed", all.passed, all.failed);
    let failed: Vec<_> = reports
        .iter()
        .filter(|r| r.error.is_some())
        .map(|r| r.name)
        .collect();
    if failed.is_empty() {
        Ok(())
    } else {
        Err(Failure::Steps(failed))
    }
}

impl Bench<'_> {
    /// A cargo command in the project, with the tools at hand.
    pub fn cargo(&self, doing: &str) -> Task {
        Task::new("cargo", doing)
            .folder(&self.project.root)
            .env("PATH", &self.tools.path)
    }
}

fn formatting(bench: &Bench<'_>, _: &mut Tally) -> Result<()> {
    bench
        .cargo("checking the formatting")
        .args("fmt --all --check")
        .advice("cargo fmt")
        .run()
}

fn clippy(bench: &Bench<'_>, _: &mut Tally) -> Result<()> {
    bench
        .cargo("checking with clippy")
        .args("clippy --locked --workspace --all-targets -- -D warnings")
        .run()
}

fn clippy_wasm(bench: &Bench<'_>, _: &mut Tally) -> Result<()> {
    bench
        .cargo("checking with clippy for wasm")
        .args("clippy --locked --target")
        .arg(WASM)
        .args(PAGE)
        .args("-- -D warnings")
        .run()
}

fn native_tests(bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    bench
        .cargo("testing")
        .args("test --locked --workspace --no-fail-fast")
        .run_reading(|line| tally.read(line))
}

fn wasm_tests(bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    // `-q` would be passed on to wasm-bindgen's runner, which does not know it.
    bench
        .cargo("testing the model on wasm")
        .args("test --locked --no-fail-fast -p model-core --lib --tests --target")
        .arg(WASM)
        .advice("the tests run under Node: check that `node --version` says 18 or newer")
        .run_reading(|line| tally.read(line))
}

fn browser_tests(bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    // Looked for first: a missing browser should not cost the time of a build.
    let browser = browser::set_up()?;
    let dist = dist::build(bench.project, bench.tools)?;
    bench
        .cargo("testing in the browser")
        // The whole workspace, though one target: cargo then chooses the same features of the
        // dependencies as for the other tests, and compiles none of them twice.
        .args("test --locked --workspace --no-fail-fast --test browser -- --test-threads 2")
        .env("RIDGEPOINT_DIST", dist)
        .env("CHROME", browser.chrome)
        .env("CHROMEDRIVER", browser.driver)
        .advice("pictures of the failing pages are in target/browser")
        .run_reading(|line| tally.read(line))
}
