//! A real browser for the tests in `tests/browser`, with input events like those of a person.
//!
//! It uses raw WebDriver through chromedriver, without a framework, so that a test compiles in seconds.
//! An example:
//!
//! ```no_run
//! use ridgepoint_tests::driver::{Result, View, on_page};
//!
//! #[test]
//! fn the_link_holds_the_accelerator() -> Result {
//!     on_page(View::DESKTOP, |page| {
//!         page.open("gpu=h200")?;
//!         let verdict = page.css("[role=status]")?;
//!         page.wait_for("a verdict", || verdict.text(), |text| text.starts_with("Bound by"))?;
//!         page.named("slider", "Interconnect")?.type_keys("50")?;
//!         Ok(())
//!     })
//! }
//! ```
//!
//! A busy machine can make a page miss a deadline, so a failed test is run once more, with a line in the output. A test
//! that fails twice counts as failed.
//!
//! Each test has a separate server, on a sub-path and a free port, and a separate context in one of the browsers
//! that tests use in turn (`browser.rs`). When a test fails or panics, a picture of the page is written
//! to `target/browser` and its path is printed. When a test passes, [`Page::check_manners`] still has to hold.

mod browser;
mod element;
mod exports;
mod failure;
mod input;
mod observed;
mod page;
mod picture;
mod session;
mod view;

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

pub use element::{Element, Rect};
pub use failure::{Failure, Result};
pub use input::{Point, Pointer, key};
pub use observed::Line;
pub use page::Page;
pub use session::{Engine, variable};
pub use view::View;

/// Runs a test on a new page; if the test fails, runs it once more on another new page. See the module's description.
pub fn on_page(view: View, test: impl Fn(&Page) -> Result) -> Result {
    let attempt = || {
        let page = Page::start(view)?;
        let outcome = test(&page).and_then(|()| page.check_manners());
        if outcome.is_err() {
            page.leave_evidence();
        }
        outcome
    };
    // The panic of a failed assertion has printed its message.
    match catch_unwind(AssertUnwindSafe(attempt)) {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(failure)) => eprintln!("{failure}"),
        Err(_) => {}
    }
    // Written to stderr directly: the harness shows captured output only if the test fails twice.
    let name = thread::current().name().unwrap_or_default().to_owned();
    let _unread = writeln!(io::stderr(), "  … {name} failed, and is tried once more");
    attempt()
}
