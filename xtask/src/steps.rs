//! The steps of `cargo xtask test`.

use crate::audit;
use crate::browser;
use crate::budget;
use crate::dist;
use crate::failure::{Failure, Result};
use crate::package;
use crate::parity;
use crate::process::answer;
use crate::tally::Tally;
use crate::tools::{self, Bench, WASM};

/// A step.
#[derive(Debug)]
pub struct Step {
    /// Name for `--only`.
    pub name: &'static str,
    /// Usual duration on two cores when nothing is built yet.
    pub usually: &'static str,
    /// Runs the step and counts its tests.
    pub run: fn(&Bench<'_>, &mut Tally) -> Result<()>,
}

/// Every step: quick and likely failures first, the browser last.
pub const STEPS: [Step; 9] = [
    Step::new("formatting", "2 seconds", formatting),
    Step::new("dependencies", "2 seconds", |bench, _| {
        audit::check(bench.project)
    }),
    Step::new("clippy", "1 minute", clippy),
    Step::new("clippy-wasm", "1 minute", clippy_wasm),
    Step::new("tests", "2 minutes", native_tests),
    Step::new("wasm", "1 minute", wasm_tests),
    Step::new("parity", "1 minute", parity::check),
    Step::new("package", "1 minute", package::check),
    Step::new(BROWSER, "3 minutes", browser_tests),
];

/// The step that `--fast` leaves out.
pub const BROWSER: &str = "browser";

/// Crates that are compiled to WebAssembly.
const PAGE: &str = "-p model-core -p papers -p app -p ridgepoint -p worker";

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
        .run_tests(tally)
}

fn wasm_tests(bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    if answer("node", "--version").is_none() {
        return Err(Failure::Missing {
            what: "the tests on wasm run under Node, and there is no `node`".to_owned(),
            advice: "install Node.js 18 or newer".to_owned(),
        });
    }
    // Never `-q`: it is passed on to wasm-bindgen's runner, which rejects it.
    bench
        .cargo("testing the model on wasm")
        .args("test --locked --no-fail-fast -p model-core --lib --tests --target")
        .arg(WASM)
        .env("PATH", tools::wasm_runner(bench.project)?)
        .run_tests(tally)?;
    if *tally != Tally::default() {
        return Ok(());
    }
    // The runner succeeds without any test, and does not see a plain `#[test]`.
    Err(Failure::Wrong {
        what: "not one of the model's tests ran on wasm".to_owned(),
        advice: "in its test modules, for wasm, `use wasm_bindgen_test::wasm_bindgen_test as test`"
            .to_owned(),
    })
}

fn browser_tests(bench: &Bench<'_>, tally: &mut Tally) -> Result<()> {
    // Before the build, so that a missing browser does not cost its time.
    let browser = browser::set_up()?;
    let dist = dist::build(bench.project, bench.tools)?;
    budget::check(bench.project, &dist)?;
    let driver = browser.drive()?;
    let mut tests = bench
        .cargo("testing in the browser")
        // The whole workspace, though one target: cargo then selects the same features of dependencies as for the
        // other tests, and compiles none of them twice.
        .args("test --locked --workspace --no-fail-fast --test browser -- --test-threads 2")
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
