//! The steps of `cargo xtask test`.

use crate::browser;
use crate::budget;
use crate::dist;
use crate::failure::Result;
use crate::package;
use crate::parity;
use crate::program;
use crate::tally::Tally;
use crate::tools::{self, Bench, COMMANDS, NATIVE};

/// A step of `cargo xtask test`.
#[derive(Debug)]
pub struct Step {
    /// Name of the step, used by `--only`.
    pub name: &'static str,
    /// Usual duration of the step on two cores if nothing has been built yet.
    pub usually: &'static str,
    /// Function that runs the step and counts its tests.
    pub run: fn(&Bench<'_>, &mut Tally) -> Result<()>,
}

/// All steps: quick and likely failures come first, the browser tests last.
pub const STEPS: [Step; 6] = [
    Step::new("formatting", "2 seconds", formatting),
    Step::new("tests", "4 minutes", native_tests),
    // What the steps below run: compiled at once, as each ends in a long pass on one core.
    Step::new("wasm", "3 minutes", |bench, _| {
        program::compile(bench.project, program::ALL).map(drop)
    }),
    Step::new("parity", "15 seconds", |bench, _| parity::check(bench)),
    Step::new("package", "30 seconds", package::check),
    Step::new(BROWSER, "6 minutes", browser_tests),
];

/// Number of browser tests that run in parallel: one more than two cores, because each test sometimes waits.
const THREADS: &str = "3";

/// Name of the step that `--fast` skips.
pub const BROWSER: &str = "browser";

impl Step {
    const fn new(
        name: &'static str,
        usually: &'static str,
        run: fn(&Bench<'_>, &mut Tally) -> Result<()>,
    ) -> Self {
        Self { name, usually, run }
    }
}

fn formatting(bench: &Bench<'_>, _: &mut Tally) -> Result<()> {
    bench
        .cargo("checking the formatting")
        .args("fmt --all --check")
        .advice("cargo fmt")
        .run()
}

fn native_tests(bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    // Plain `cargo test` leaves the browser tests out, and with them their lints.
    bench
        .cargo("compiling the browser tests")
        .arg("test")
        .args(NATIVE)
        .args("--no-run --test browser")
        .run()?;
    // Testing compiles the commands as a test alone, in which code that only tests use is not dead.
    bench
        .cargo("compiling the commands")
        .arg("build")
        .args(COMMANDS)
        .run()?;
    let tested = [NATIVE, COMMANDS].map(|packages| {
        bench
            .cargo("testing")
            .arg("test")
            .args(packages)
            .arg("--no-fail-fast")
            .run_tests(tally)
    });
    tested.into_iter().collect()
}

fn browser_tests(bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    // Before the build, so that a missing browser does not cost its time.
    let browser = browser::set_up()?;
    let dist = dist::build(bench.project, bench.tools, program::ALL)?;
    budget::check(bench.project, &dist)?;
    let driver = browser.drive()?;
    let mut tests = bench
        .cargo("testing in the browser")
        .arg("test")
        .args(NATIVE)
        .args("--no-fail-fast --test browser -- --test-threads")
        .arg(THREADS)
        .env("RIDGEPOINT_DIST", dist)
        .env("CHROME", browser.chrome)
        .env("WEBDRIVER", driver.address())
        .advice("pictures of the failing pages are in target/browser");
    match browser::firefox() {
        Some(firefox) => {
            tests = tests
                .env("FIREFOX", firefox)
                .env("GECKODRIVER", "geckodriver")
                .env("PATH", tools::geckodriver()?);
        }
        None => eprintln!("• Firefox is not installed: its tests are skipped."),
    }
    match browser::webkit() {
        Some([driver, screen]) => tests = tests.env("WEBKITDRIVER", driver).env("XVFB", screen),
        None => eprintln!("• WebKitGTK's driver or Xvfb is not installed: its tests are skipped."),
    }
    tests.run_tests(tally)
}
