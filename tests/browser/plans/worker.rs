//! Tests of the search worker when it is missing, has crashed, or is paused while the view is not visible.

use ridgepoint_tests::driver::{Page, Result, View, on_page};
use serde_json::json;

use super::{ENDLESS, QUESTION, done, plans_of, status};
use crate::reader::{agrees, button_with, item, painted, part, reads, verdict_with};

/// Checks a search when the browser refuses to start a worker. The page searches on the main thread and shows a note;
/// "Try again" starts a worker once that is possible.
#[test]
fn page_searches_without_a_worker() -> Result {
    // Not `on_page`: the browser logs the missing worker as an error.
    let page = Page::start(View::DESKTOP)?;
    page.open("families=tp,dp-ep&search_gpus=8,16")?;
    let plans = plans_of("v=1&families=tp,dp-ep&search_gpus=8,16");
    agrees(&page)?;
    part(&page, "Plans")?;
    let refuse = "window.kept = Worker; window.Worker = class { constructor() { throw new Error('refused') } }";
    page.run(refuse, &[])?;
    item(&page, "nav a, nav button", "Plans")?.click()?;
    reads(&page, "searching on the main thread")?;
    done(&page, plans)?;
    painted(&page, QUESTION)?;
    page.run("window.Worker = window.kept", &[])?;
    button_with(&page, "Try again")?.click()?;
    page.wait_for(
        "a worker",
        || page.text(),
        |text| !text.contains("on the main thread"),
    )?;
    done(&page, plans).map(drop)
}

/// Checks the page after its search worker crashes: the results found so far remain visible, and the search can be
/// continued.
#[test]
fn dead_worker_is_replaced() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        agrees(page)?;
        // The worker that computes levers has started by now.
        crate::levers::complete(page, "v=1")?;
        let hire = "window.hired = []; const Hired = Worker;\
            window.Worker = class extends Hired { constructor(...all) { super(...all); window.hired.push(this) } }";
        page.run(hire, &[])?;
        let go = |page: &Page, link: &str| {
            page.run("history.pushState(null, '', '?' + arguments[0]); dispatchEvent(new PopStateEvent('popstate'))", &[json!(link)])
        };
        go(page, ENDLESS)?;
        let running = |said: &String| said.starts_with("Searching: ");
        page.wait_for("a search under way", || status(page), running)?;
        page.run(
            "window.hired[0].dispatchEvent(new ErrorEvent('error', { message: 'out of luck' }))",
            &[],
        )?;
        let said = page.wait_for(
            "the failure",
            || status(page),
            |said| said.contains("out of luck"),
        )?;
        assert!(said.starts_with("Search worker stopped"), "{said}");
        verdict_with(page, "The search failed.")?;
        painted(page, QUESTION)?;
        button_with(page, "Try again")?.click()?;
        page.wait_for("a search under way", || status(page), running)?;
        let hired = page.run("return window.hired.length", &[])?;
        // Three workers: that of the search, that of candidates, and the replacement of the first.
        assert_eq!(hired, json!(3), "one more, and no more than one");
        let small = "v=1&view=plans&families=tp&search_gpus=8";
        go(page, small)?;
        done(page, plans_of(small)).map(drop)
    })
}

/// Checks that a search pauses while the Plans view is not visible and resumes when the user returns, and that a
/// canceled search stays canceled.
#[test]
fn search_stops_out_of_view() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open(ENDLESS)?;
        let running = |said: &String| said.starts_with("Searching: ");
        page.wait_for("a search under way", || status(page), running)?;
        let tab = |name: &str| item(page, "nav a, nav button", name)?.click();
        tab("Bottleneck")?;
        agrees(page)?;
        tab("Plans")?;
        page.wait_for("the search at work again", || status(page), running)?;

        button_with(page, "Cancel")?.click()?;
        let cancelled = |said: &String| said.starts_with("Canceled after");
        let said = page.wait_for("the end", || status(page), cancelled)?;
        tab("Bottleneck")?;
        agrees(page)?;
        tab("Plans")?;
        page.wait_for("what there was", || status(page), |now| *now == said)
            .map(drop)
    })
}
