//! Tests of the first screen, which shows an answer without any input.

use model_core::preset::PRESETS;
use ridgepoint_tests::driver::{Page, Result, View, on_page};

use crate::reader::{
    CHARTS, agrees, button_with, figures, in_parts, item, painted, query, reads, text, verdict,
};

#[test]
fn opens_on_an_answer() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open_address(&page.home())?;
        let verdict = verdict(page)?;
        let said = "Scale-out links limit 90% of the 96.4 ms step; compute idles 43.2 ms.";
        assert_eq!(verdict, said);
        let shown = agrees(page)?;
        let wanted = [
            ("Time per output token", "96.4", "ms"),
            ("Throughput per GPU", "2.66k", "tok/s/GPU"),
            ("Cost at", "$0.", "/M tok"),
            ("Memory per GPU", "64.9", "of 69.7 GiB"),
        ];
        for (figure, (name, value, unit)) in shown.iter().zip(wanted) {
            assert!(figure.name.starts_with(name), "{figure:?}");
            assert!(figure.value.starts_with(value), "{figure:?}");
            assert_eq!(figure.unit, unit, "{figure:?}");
            assert!(
                !figure.below.contains(" A "),
                "nothing to compare with: {figure:?}"
            );
        }
        for (_, question) in CHARTS {
            painted(page, question)?;
        }
        let title = page.run("return document.title", &[])?;
        let title = text(&title);
        assert!(
            ["DeepSeek-V3", "72", "H100", "Ridgepoint"]
                .iter()
                .all(|part| title.contains(part)),
            "{title}"
        );
        let lang = page.css("html")?.attribute("lang")?;
        assert_eq!(lang.as_deref(), Some("en"));
        assert_eq!(
            page.query()?,
            PRESETS[0].link,
            "the address states what is shown"
        );
        Ok(())
    })
}

/// Checks that a wide screen shows the headline, levers, figures, and the chart that supports the headline, without
/// scrolling.
#[test]
fn wide_screen_without_scrolling() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        for (_, question) in CHARTS {
            painted(page, question)?;
        }
        let script = "const plots = [...document.querySelectorAll('[role=application]')].slice(0, 1);\
                      return [...document.querySelectorAll('h1, .helps, [aria-label=\"Key metrics\"]'), ...plots]\
                      .map(e => e.getBoundingClientRect()).filter(r => r.top < 0 || r.bottom > innerHeight).length";
        assert_eq!(page.run(script, &[])?, 0, "something is below the fold");
        Ok(())
    })
}

#[test]
fn works_on_without_a_network() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        agrees(page)?;
        crate::levers::complete(page, "v=1")?;
        page.settle()?;
        page.set_online(false)?;
        crate::reader::enter(page, "Scale-out, GB/s", "100")?;
        page.wait_for(
            "an answer without a network",
            || figures(page),
            |all| all.first().is_some_and(|tpot| tpot.value != "118"),
        )?;
        painted(page, CHARTS[0].1)
    })
}

/// Checks that the first load contains only the code needed for Explore's first screen; other views load when opened.
///
/// The first load also contains the layout shared by all views, the worker that computes levers, and the code that
/// reads the worker's answers. Explore's levers and lower charts load later, as do the data on measured runs and the
/// account panel.
#[test]
fn first_load_is_minimal() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        for (_, question) in CHARTS {
            painted(page, question)?;
        }
        page.settle()?;
        let later = [
            "_split_",
            "/limits-",
            "/plans-",
            "/service-",
            "/apart-",
            "/papers-",
            "/benchmark-",
        ];
        let early: Vec<_> = page
            .served()
            .into_iter()
            .map(|request| request.target)
            .filter(|target| later.iter().any(|part| target.contains(part)))
            .filter(|target| {
                ![
                    "_split_below",
                    "_split_levers",
                    "_split_answers",
                    "_split_evidence",
                    "_split_explain",
                ]
                .iter()
                .any(|part| target.contains(part))
            })
            .collect();
        assert!(early.is_empty(), "{early:?}");
        Ok(())
    })
}

/// Checks the page after the files of a view fail to load: the view shows an error, the other views still work, and
/// "Try again" loads the view.
#[test]
fn a_view_that_does_not_arrive_says_so() -> Result {
    // Not `on_page`: the browser logs the missing part as an error.
    let page = Page::start(View::DESKTOP)?;
    page.open("")?;
    agrees(&page)?;
    if !in_parts(&page) {
        return Ok(());
    }
    // One of these views has its own style sheet.
    for (view, tabs, shows) in [
        ("How far can it go?", ".view-tabs a", ".limit-charts"),
        ("Plans", ".tabs .tab", ".plans-bar"),
    ] {
        page.set_online(false)?;
        let part = view.strip_prefix("How far").map_or(view, |_| "Limits");
        let says = format!("{part} failed to load.");
        item(&page, tabs, view)?.click()?;
        reads(&page, &says)?;
        let first = if view == "Plans" {
            (".tabs .tab", "Bottleneck")
        } else {
            (".view-tabs a", "This batch")
        };
        item(&page, first.0, first.1)?.click()?;
        agrees(&page)?;
        item(&page, tabs, view)?.click()?;
        reads(&page, &says)?;
        page.set_online(true)?;
        button_with(&page, "Try again")?.click()?;
        page.css(shows)?;
    }
    let styled = "return getComputedStyle(document.querySelector('.plans-bar')).display";
    assert_eq!(
        page.run(styled, &[])?.as_str(),
        Some("flex"),
        "its styles came"
    );
    Ok(())
}

/// Checks that the browser tab's title names the scenario. In Traffic, where the GPU count is a result, the title
/// contains no GPU count that could contradict the result.
#[test]
fn the_title_names_the_scenario() -> Result {
    on_page(View::DESKTOP, |page| {
        for (link, title) in [
            ("v=2", "DeepSeek-V3 on 72 H100 — Ridgepoint"),
            (
                "v=2&gpus=64&view=plans",
                "DeepSeek-V3 on 64 H100 — Ridgepoint",
            ),
            (
                "v=2&model=qwen3-30b-a3b&gpu=h200&gpus=72&rate=50&slo=25&view=service",
                "Qwen3-30B-A3B on H200 — Ridgepoint",
            ),
        ] {
            page.open(link)?;
            page.settle()?;
            assert_eq!(page.run("return document.title", &[])?, title, "{link}");
        }
        Ok(())
    })
}

/// Checks that on the opening page it is enough to select a model and an accelerator: the other settings become those
/// of a typical deployment.
#[test]
fn a_model_and_an_accelerator_are_enough() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=3&gpus=72&context=2050&beta=1&reserve=0.12&engine_gib=0")?;
        for (at, id, link) in [
            (0, "gpt-oss-120b", "v=3&model=gpt-oss-120b&context=2050"),
            (3, "h200", "v=3&model=gpt-oss-120b&gpu=h200&context=2050"),
        ] {
            // The open group covers part of the sentence, so click by script.
            let value = &page.css_all(".setting-value")?[at];
            value.call("arguments[0].click()", &serde_json::Value::Null)?;
            let row = page.css(&format!(".picker input[value='{id}']"))?;
            row.call("arguments[0].click()", &serde_json::Value::Null)?;
            query(page, "the deployment's defaults", |query| query == link)?;
        }
        agrees(page)?;
        Ok(())
    })
}
