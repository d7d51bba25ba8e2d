//! Tests of the Service view: the questions that a user asks, and the answers on the page.

use ridgepoint_tests::driver::{Page, Result, View, on_page};

use crate::reader::{enter, query, verdict_with};

const LINK: &str = "?v=2&view=service&gpu=h200&model=qwen3-30b-a3b&prompt=4000&output=500&slo=25";

fn service(page: &Page) -> Result {
    page.open(LINK)?;
    page.wait_for(
        "a headline",
        || verdict_with(page, ""),
        |said| !said.is_empty(),
    )?;
    Ok(())
}

/// Checks inputs of the Service view: a request rate and a time per token in milliseconds can be typed, and a prefill
/// accelerator selected. The permalink then contains the SLO and the prefill accelerator, but no price. The view
/// shows separate prices for the two accelerators.
#[test]
fn traffic_is_typed_and_answered() -> Result {
    on_page(View::DESKTOP, |page| {
        service(page)?;
        enter(page, "Request rate, req/s", "50")?;
        verdict_with(page, "serve 50 req/s")?;
        enter(page, "SLO, tok/s", "20 ms")?;
        query(page, "20 ms a token", |query| query.contains("slo=50"))?;
        let chosen = "const list = document.querySelector('.service-prices select');\
            list.value = 'b200'; list.dispatchEvent(new Event('change', { bubbles: true })); return list.value";
        assert_eq!(page.run(chosen, &[])?, "b200");
        query(page, "the prefill pool's own accelerator", |query| {
            query.contains("prefill_gpu=b200") && !query.contains("price")
        })?;
        let prices = || page.css_all(".service-prices .field input");
        page.wait_for("two prices", prices, |all| all.len() == 2)?;
        let said = prices()?
            .iter()
            .map(|one| one.value())
            .collect::<Result<Vec<_>>>()?;
        assert_ne!(said[0], said[1], "a price of its own");
        Ok(())
    })
}

/// Checks that two results appear once the inputs stop changing: the TTFT limit at which another alternative becomes
/// cheaper, and the chart "Is disaggregation cheaper?".
#[test]
fn limit_and_plane_come_at_rest() -> Result {
    on_page(View::DESKTOP, |page| {
        service(page)?;
        page.wait_for(
            "the limit of the first token",
            || page.css(".service-limit")?.text(),
            |said| said.contains("TTFT"),
        )?;
        page.settle()?;
        let script = "return document.querySelector('.chart-pays .chart-finding')?.innerText ?? ''";
        page.wait_for(
            "the plane's finding",
            || page.run(script, &[]),
            |said| {
                said.as_str()
                    .is_some_and(|said| said.contains("disaggregated"))
            },
        )?;
        Ok(())
    })
}

#[test]
fn leaving_ends_its_computations() -> Result {
    on_page(View::DESKTOP, |page| {
        for _ in 0..3 {
            service(page)?;
            let tab = page.css_all(".tab")?.into_iter().nth(1);
            tab.expect("Plans").click()?;
            page.settle()?;
            let busy = "return document.documentElement.dataset.busy ?? '0'";
            assert_eq!(page.run(busy, &[])?, "0");
        }
        Ok(())
    })
}
