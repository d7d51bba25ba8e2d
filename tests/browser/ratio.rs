//! The Ratio half of Disaggregation: what is best, what is asked, what is simulated.

use ridgepoint_tests::driver::{Page, Result, View, on_page};

use crate::reader::{item, painted, plot, query};

const PAPER: &str = "v=1&latencies=table2&view=disagg";

fn said(page: &Page, selector: &str) -> Result<String> {
    page.css(selector)?.text()
}

/// Waits until everything is simulated, and gives back what the line says.
fn simulated(page: &Page) -> Result<String> {
    page.wait_for(
        "the simulation",
        || said(page, ".simulation-state"),
        |said| said.contains("simulated, "),
    )
}

#[test]
fn the_papers_bundle_is_answered_and_simulated() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open(PAPER)?;
        let verdict = said(page, ".verdict h1")?;
        assert!(
            verdict.starts_with("9.32 to 1 is the best ratio"),
            "{verdict}"
        );
        let line = simulated(page)?;
        assert!(line.starts_with("Eight divisions simulated"), "{line}");
        for question in ["How many for each?", "What happens in a step?"] {
            painted(page, question)?;
        }
        // There is nothing of the visitor's own to compare a table with.
        assert!(page.css_all("#apart")?.is_empty());
        let steps = said(page, "#steps .chart-finding")?;
        assert_eq!(steps, "The slowest of 9 takes 1.06× the mean");
        let best = said(page, ".topologies tr.least th")?;
        assert_eq!(best.trim(), "37A–4F");
        Ok(())
    })
}

#[test]
fn asking_is_in_the_link_and_back_undoes_it() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open(PAPER)?;
        simulated(page)?;
        let rows = page.css_all(".topologies tbody tr")?;
        let first = rows.first().expect("topologies near the best ratio");
        first.css_all("button")?[0].click()?;
        query(page, "8A–1F", |query| query.contains("r=8"))?;
        let verdict = page.wait_for(
            "what 8 comes to",
            || said(page, ".verdict h1"),
            |said| said.contains("At 8.00 to 1 attention sets the pace"),
        )?;
        assert!(verdict.contains("feed-forward waits"), "{verdict}");
        page.run("window.scrollTo(0, 0)", &[])?;
        item(page, ".verdict-advice .act", "Use the best ratio")?.click()?;
        query(page, "the best", |query| !query.contains("r="))?;
        page.back()?;
        query(page, "back", |query| query.contains("r=8"))?;
        // A click on the curve asks, too.
        let chart = plot(page, "How many for each?")?;
        chart.call(
            "arguments[0].scrollIntoView({ block: 'center' })",
            &serde_json::Value::Null,
        )?;
        page.settle()?;
        let area = chart.rect()?;
        page.press(ridgepoint_tests::driver::Pointer::Mouse, area.at(0.2, 0.6))?;
        query(page, "a small ratio", |query| query.contains("r=1."))?;
        Ok(())
    })
}

#[test]
fn another_seed_draws_other_requests_and_the_same_one_the_same() -> Result {
    on_page(View::DESKTOP, |page| {
        let waits = |page: &Page| -> Result<String> {
            simulated(page)?;
            said(page, "#steps .chart-finding")
        };
        // Few requests of very different lengths, so that three digits tell them apart.
        page.open("v=1&latencies=table2&slots=2&mu_p=20k&r=9&requests=20&view=disagg")?;
        let first = waits(page)?;
        item(page, ".simulation-state .act", "Another seed")?.click()?;
        query(page, "the seed", |query| query.contains("seed=2"))?;
        page.wait_for("another draw", || waits(page), |said| *said != first)?;
        page.back()?;
        page.wait_for("the first again", || waits(page), |said| *said == first)
            .map(drop)
    })
}

#[test]
fn what_does_not_fit_says_so_and_repairs_itself() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=1&gpu=gb200&gpus=32&slots=1024&context=8k&view=disagg")?;
        let verdict = said(page, ".verdict h1")?;
        assert!(verdict.starts_with("Does not fit: "), "{verdict}");
        let way_out = page.css(".verdict-advice .act")?;
        assert!(way_out.text()?.starts_with("Use "));
        way_out.click()?;
        page.wait_for(
            "a bundle that fits",
            || said(page, ".verdict h1"),
            |said| said.contains(" GB200 "),
        )
        .map(drop)
    })
}

#[test]
fn the_halves_are_one_switch_apart_on_a_phone_too() -> Result {
    on_page(View::PHONE, |page| {
        page.open("v=1&view=disagg")?;
        simulated(page)?;
        item(page, ".halves .choice", "Split")?.click()?;
        query(page, "the split half", |query| query.contains("mode=split"))?;
        item(page, ".halves .choice", "Ratio")?.click()?;
        query(page, "the ratio half", |query| query.contains("mode=ratio"))?;
        let wide = page.run(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth",
            &[],
        )?;
        assert_eq!(wide.as_f64(), Some(0.0), "the page scrolls sideways");
        Ok(())
    })
}
