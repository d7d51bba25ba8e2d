//! Tests of the mode *AFD ratio*: the best A:F ratio, the user's ratio and the simulated throughput.

use ridgepoint_tests::driver::{Page, Result, View, on_page};

use crate::reader::{item, painted, plot, query, texts};

const PAPER: &str = "v=1&latencies=table2&view=disagg";

fn said(page: &Page, selector: &str) -> Result<String> {
    page.css(selector)?.text()
}

/// Waits for the end of all simulations, and returns the status line.
fn simulated(page: &Page) -> Result<String> {
    page.wait_for(
        "the simulation",
        || said(page, ".simulation-state"),
        |said| said.contains("simulated, "),
    )
}

fn figures(page: &Page) -> Result<Vec<String>> {
    let script = "return [...document.querySelectorAll('.figures.five .figure-number')].map(number => number.innerText)";
    Ok(texts(&page.run(script, &[])?))
}

#[test]
fn the_papers_bundle() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open(PAPER)?;
        simulated(page)?;
        assert_eq!(figures(page)?[0], "9.32");
        for question in ["Which A:F ratio?", "What happens in a step?"] {
            painted(page, question)?;
        }
        // No table of the user’s deployments.
        assert!(page.css_all("#apart")?.is_empty());
        let best = said(page, ".topologies tr.least th")?;
        assert_eq!(best.trim(), "37A4F");
        // The main sliders do not affect entered latencies.
        let folded = page.css(".unused-rows > summary")?.text()?;
        assert_eq!(folded, "5 inputs not used here");
        Ok(())
    })
}

#[test]
fn asking_is_in_the_link() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open(PAPER)?;
        simulated(page)?;
        let rows = page.css_all(".topologies tbody tr")?;
        let first = rows.first().expect("topologies near the best ratio");
        first.css_all("button")?[0].click()?;
        query(page, "8A1F", |query| query.contains("r=8"))?;
        page.back()?;
        query(page, "the best", |query| !query.contains("r="))?;
        // A click on the curve states a ratio.
        let chart = plot(page, "Which A:F ratio?")?;
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

/// Checks that an A:F ratio in the permalink changes the AFD figures but not the colocated figure. The first AFD figure
/// also shows a simulated value.
#[test]
fn a_stated_division_is_compared() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=1&view=disagg")?;
        simulated(page)?;
        let [best, stated] = ["", "&r=24"].map(|more| format!("v=1&view=disagg{more}"));
        page.open(&best)?;
        let before = page.wait_for("figures", || figures(page), |all| all.len() == 5)?;
        page.open(&stated)?;
        let after = page.wait_for("figures", || figures(page), |all| all.len() == 5)?;
        assert_eq!(before[0], after[0], "colocated stays");
        assert_ne!(before[1], after[1]);
        assert_ne!(before[2], after[2]);
        page.wait_for(
            "the simulated factor",
            || said(page, ".figures.five .figure:nth-child(2)"),
            |said| said.contains("simulated"),
        )
        .map(drop)
    })
}

#[test]
fn modes_switch_on_a_phone() -> Result {
    on_page(View::PHONE, |page| {
        page.open("v=1&view=disagg")?;
        simulated(page)?;
        item(page, ".view-tabs a", "Lamina")?.click()?;
        query(page, "Lamina", |query| query.contains("mode=split"))?;
        item(page, ".view-tabs a", "AFD")?.click()?;
        query(page, "AFD ratio", |query| query.contains("mode=ratio"))?;
        let wide = page.run(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth",
            &[],
        )?;
        assert_eq!(wide.as_f64(), Some(0.0), "the page scrolls sideways");
        Ok(())
    })
}
