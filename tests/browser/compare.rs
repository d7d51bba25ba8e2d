//! Tests of the comparison of the current scenario with a pinned scenario A.

use ridgepoint_tests::driver::{Result, View, on_page};
use serde_json::Value;

use crate::reader::{
    TPOT, agrees, all_charts, enter, field, figure, figures, item, paint, painted, query, reads,
    slider, thumb, verdict,
};

#[test]
fn pinned_scenario_shows_changes() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        // Error bands appear after the first paint.
        page.settle()?;
        let before = agrees(page)?;
        page.named("button", "Compare")?.click()?;
        query(page, "A in the address", |query| query == "v=1&a.v=1")?;
        reads(page, "Same as current")?;
        for figure in figures(page)? {
            assert!(figure.below.starts_with("same was "), "{figure:?}");
        }

        enter(page, "Scale-out, GB/s", "100")?;
        query(page, "A and another link", |query| {
            query == "v=1&scale_out=100&a.v=1"
        })?;
        agrees(page)?;
        for (name, words) in [
            (TPOT, "46% less was 118"),
            ("Throughput per GPU", "86% more was 2.18k"),
            ("Memory per GPU", "same was 59.0"),
        ] {
            // An error band may follow these words.
            let below = figure(page, name)?.below;
            assert!(below.starts_with(words), "{name}: {below}");
        }
        assert!(reads(page, "rest unchanged")?.contains("50 GB/s scale-out; rest unchanged"));
        // A's mark on the slider.
        let ring = page
            .css("[title='A: 50 GB/s per GPU, one way']")?
            .rect()?
            .at(0.5, 0.5);
        let thumb = thumb(&slider(page, "Scale-out")?)?;
        assert!(
            (ring.y - thumb.y).abs() < 4.0 && ring.x < thumb.x - 10.0,
            "{ring:?} {thumb:?}"
        );

        page.named("button", "swap")?.click()?;
        query(page, "the other way round", |query| {
            query == "v=1&a.scale_out=100"
        })?;
        let below = figure(page, TPOT)?.below;
        assert!(below.starts_with("86% more was 63.1"), "{below}");
        agrees(page)?;

        page.named("button", "unpin")?.click()?;
        query(page, "A gone", |query| query == "v=1")?;
        assert_eq!(agrees(page)?, before);
        assert!(page.css_all("[title^='A:']")?.is_empty(), "a ring is left");
        Ok(())
    })
}

#[test]
fn a_link_holds_both() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("context=2500&a.v=1")?;
        agrees(page)?;
        assert!(figure(page, "Memory per GPU")?.below.contains("was 59.0"));
        page.open("v=1&gpu=h200&gpus=64&a.model=kimi-k2&a.gpus=128")?;
        agrees(page)?;
        assert!(figure(page, TPOT)?.below.contains("was "));
        assert!(reads(page, "Pinned for comparison")?.contains("Unpin"));
        assert_eq!(field(page, "GPUs")?.value()?, "64");
        page.named("button", "swap")?.click()?;
        query(page, "both exchanged", |query| {
            query == "v=1&model=kimi-k2&gpus=128&a.gpu=h200&a.gpus=64"
        })?;
        assert_eq!(field(page, "GPUs")?.value()?, "128");
        agrees(page).map(drop)
    })
}

/// Checks that every chart shows the pinned scenario A in addition to the current one.
#[test]
fn charts_show_a_ghost() -> Result {
    on_page(View::DESKTOP, |page| {
        let picture = "return arguments[0].querySelector('canvas').toDataURL()";
        let mut alone = Vec::new();
        page.open("v=1&scale_out=100&context=4k")?;
        page.settle()?;
        for (_, question) in all_charts() {
            painted(page, question)?;
            alone.push(crate::reader::plot(page, question)?.call(picture, &Value::Null)?);
        }
        page.open("v=1&scale_out=100&context=4k&a.batch=9216")?;
        page.settle()?;
        for ((_, question), alone) in all_charts().zip(alone) {
            painted(page, question)?;
            let with_ghost = crate::reader::plot(page, question)?.call(picture, &Value::Null)?;
            let same = with_ghost == alone;
            assert!(
                !same,
                "“{question}” does not show A: {:?}",
                paint(page, question)?
            );
        }
        page.named("button", "Unpin")?.click()?;
        query(page, "A gone", |query| !query.contains("a.")).map(drop)
    })
}

/// Checks the chart of changes since scenario A, term by term, for the selected quantity. The permalink stores the
/// selection, and the chart can be embedded.
#[test]
fn change_term_by_term() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=1&scale_out=100")?;
        agrees(page)?;
        assert!(page.css_all("#waterfall")?.is_empty(), "nothing is pinned");
        page.open("v=1&scale_out=100&a.v=1")?;
        agrees(page)?;
        assert_eq!(
            verdict(page)?,
            "1.86× tok/s/GPU at 1.86× interactivity vs. A (50 GB/s scale-out)."
        );
        let finding = |wanted: &str| {
            let wanted = wanted.to_owned();
            page.wait_for(
                "what changed",
                || page.css("#waterfall .chart-finding")?.text(),
                move |said| *said == wanted,
            )
        };
        finding("118 → 63.1 ms: communication −54.4 ms")?;
        painted(page, "What changed since A?")?;
        item(page, "#waterfall .switch-choice", "memory")?.click()?;
        query(page, "the memory", |query| {
            query == "v=1&scale_out=100&a.v=1&change=memory"
        })?;
        finding("59.0 → 59.0 GiB: no change")?;
        item(page, "#waterfall .switch-choice", "cost")?.click()?;
        finding("$0.255 → $0.137: communication −$0.118")?;
        page.named("button", "Show table: What changed since A?")?
            .click()?;
        let rows = page.css("#waterfall table")?.text()?;
        for part in ["communication", "overlapped", "total"] {
            assert!(rows.contains(part), "{part} is missing in {rows}");
        }

        page.open("v=1&scale_out=100&embed=waterfall&a.v=1")?;
        finding("118 → 63.1 ms: communication −54.4 ms")?;
        painted(page, "What changed since A?")
    })
}

/// Checks that on a phone, where the columns of the change chart become rows, the chart is no wider than the screen.
#[test]
fn changes_on_a_phone() -> Result {
    on_page(View::PHONE, |page| {
        page.open("v=1&gpus=144&a.v=1")?;
        painted(page, "What changed since A?")?;
        let chart = page.css("#waterfall")?.rect()?;
        assert!(
            chart.x >= 0.0 && chart.x + chart.width <= 390.0,
            "{chart:?}"
        );
        Ok(())
    })
}

/// Checks that a verdict on two scenarios lists the input values at which the verdict changes. Clicking a value sets
/// the input and changes the verdict.
#[test]
fn a_verdict_turns_at_a_value() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=2&gpu=gb200&gpus=72&price=5&a.v=2&a.gpu=h200&a.price=2.3")?;
        let verdict = || -> Result<String> { page.css(".second-line")?.text() };
        let there = || page.css_all(".second-line:not(.stale) button");
        page.wait_for("values at which it turns", there, |found| !found.is_empty())?;
        let (before, said) = (page.query()?, verdict()?);
        assert!(
            said.contains("than A") && said.contains(", except"),
            "{said}"
        );
        page.css(".second-line button")?.click()?;
        query(page, "another scenario", |query| query != before)?;
        let first = |said: &String| said.split(" than A").next().map(str::to_owned);
        page.wait_for("another verdict", verdict, |now| first(now) != first(&said))?;
        Ok(())
    })
}

/// Checks that the headline of the pinned scenario A appears in the Service view and in the Disaggregation view, with
/// and without `mode=split`.
#[test]
fn every_view_shows_the_pinned_scenario() -> Result {
    on_page(View::DESKTOP, |page| {
        let pinned = "v=2&model=qwen3-235b-a22b&gpu=h200&gpus=32&rate=50&slo=25&a.v=2\
                      &a.model=qwen3-235b-a22b&a.gpu=h200&a.gpus=16&a.rate=50&a.slo=25";
        for view in ["service", "disagg", "disagg&mode=split"] {
            page.open(&format!("{pinned}&view={view}"))?;
            let said = "return [...document.querySelectorAll('.headline-facts')].some(e => e.innerText.startsWith('A:'))";
            page.wait_for(
                &format!("A in {view}"),
                || page.run(said, &[]),
                |found| *found == serde_json::json!(true),
            )?;
        }
        Ok(())
    })
}
