//! Comparing: a pinned scenario A beside the current one.

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
        let before = agrees(page)?;
        page.named("button", "Compare")?.click()?;
        query(page, "A in the address", |query| query == "v=1&a.v=1")?;
        reads(page, "The same as now")?;
        for figure in figures(page)? {
            assert!(figure.below.starts_with("same A "), "{figure:?}");
        }

        enter(page, "Scale-out, GB/s", "100")?;
        query(page, "A and another link", |query| {
            query == "v=1&scale_out=100&a.v=1"
        })?;
        agrees(page)?;
        for (name, words) in [
            (TPOT, "−46% better A 118"),
            ("Interactivity", "+86% better A 8.51"),
            ("Throughput per GPU", "+86% better A 2.18k"),
            ("Memory per GPU", "same A 59.0"),
        ] {
            // The error band may follow.
            let below = figure(page, name)?.below;
            assert!(below.starts_with(words), "{name}: {below}");
        }
        assert!(reads(page, "all else equal")?.contains("50 GB/s scale-out, all else equal"));
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
        assert!(below.starts_with("+86% worse A 63.1"), "{below}");
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
        assert!(
            figure(page, "Memory per GPU")?
                .below
                .contains("worse A 59.0")
        );
        page.open("v=1&gpu=h200&gpus=64&a.model=kimi-k2&a.gpus=128")?;
        agrees(page)?;
        assert!(figure(page, TPOT)?.below.contains(" A "));
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

/// Every chart shows A too.
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

/// Change since A, term by term, of the selected quantity; the link holds the selection, and the chart can be
/// embedded.
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
            "1.86× A’s throughput per GPU at 1.86× its user speed."
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
        finding("59.0 → 59.0 GiB: the same")?;
        item(page, "#waterfall .switch-choice", "cost")?.click()?;
        finding("$0.255 → $0.137: communication −$0.118")?;
        page.named("button", "As table: What changed since A?")?
            .click()?;
        let rows = page.css("#waterfall table")?.text()?;
        for part in ["communication", "overlapped", "in all"] {
            assert!(rows.contains(part), "{part} is missing in {rows}");
        }

        page.open("v=1&scale_out=100&embed=waterfall&a.v=1")?;
        finding("118 → 63.1 ms: communication −54.4 ms")?;
        painted(page, "What changed since A?")
    })
}

/// On a phone the columns are rows, as wide as the screen.
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
