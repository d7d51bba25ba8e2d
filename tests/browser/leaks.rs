//! Tests that switching views many times leaks nothing, such as nodes, listeners or memory.

use ridgepoint_tests::driver::{Page, Result, View};
use serde_json::json;

/// Script that clicks through all views, each for a frame or two; the last view remains on the screen.
const CHANGE: &str = "const [rounds] = arguments, done = arguments[arguments.length - 1];\
    const tabs = [...document.querySelectorAll('.tabs .tab')];\
    const turns = rounds * tabs.length;\
    let turn = 0;\
    const next = () => {\
      if (turn >= turns) { done(tabs.length); return }\
      tabs[turn++ % tabs.length].click();\
      requestAnimationFrame(() => setTimeout(next));\
    };\
    next()";

/// Number of rounds through all views per script command; a command must end within a minute.
const ROW: u64 = 4;

/// Takes half a minute on a release build of the page.
#[test]
fn view_changes_do_not_leak() -> Result {
    let page = Page::start(View::DESKTOP)?;
    page.open("")?;
    page.settle()?;
    let change = |rounds: u64| page.run_async(CHANGE, &[json!(rounds)]);
    // Load every view once, so that later rounds load no code and measure no new texts.
    let tabs = change(2)?.as_u64().unwrap_or_default();
    assert!(tabs >= 4, "{tabs} tabs");
    page.settle()?;
    // The first rounds allocate the memory for the worker's results, which arrive over time.
    for _ in 0..3 {
        change(ROW)?;
        page.settle()?;
    }
    let before = page.weight()?;
    for _ in 0..150 / (ROW * tabs) {
        change(ROW)?;
    }
    page.settle()?;
    let after = page.weight()?;
    for (what, before, after, slack) in [
        ("nodes", before[0], after[0], 100.0),
        ("listeners", before[1], after[1], 10.0),
        ("bytes of heap", before[2], after[2], 3e6),
        ("bytes of WebAssembly memory", before[3], after[3], 1e6),
    ] {
        assert!(
            after <= before + slack,
            "{what}: {before} before, {after} after"
        );
    }
    page.check_manners()
}
