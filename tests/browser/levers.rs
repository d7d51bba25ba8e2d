//! The strip of levers and the table: the same values in every view and in `evaluate`, applied and undone by a click.

use app::answer::levers::strip;
use model_core::disagg::derive::entered_whole;
use model_core::inputs::{Inputs, Mode};
use model_core::levers::Levers;
use model_core::permalink::read;
use model_core::preset::PRESETS;
use ridgepoint_tests::driver::{Page, Result, View, on_page};
use ridgepoint_tests::space;
use serde_json::Value;

use crate::reader::{agrees, query, text, texts, verdict};

/// Names and factors of the strip's rows, settings before hardware, once the list is the page's.
fn shown_strip(page: &Page) -> Result<Vec<String>> {
    let script = "const strip = document.querySelector('.helps');\
        if (!strip || strip.classList.contains('stale')) return null;\
        const said = (row, part) => row.querySelector(part).innerText;\
        return [...strip.querySelectorAll('.helps-wide li:has(.lever)')].map(row =>\
            `${said(row, '.lever-name')} ${said(row, '.lever-gives')}`)";
    let shown = page.wait_for(
        "a fresh strip",
        || page.run(script, &[]),
        |shown| shown.is_array(),
    )?;
    Ok(texts(&shown))
}

/// The same rows from the model's list.
fn computed_strip(levers: &Levers, now: &Inputs) -> Vec<String> {
    let strip = strip(levers, now);
    let rows = strip.settings.iter().chain(&strip.hardware);
    rows.map(|row| format!("{} {}", row.name, row.gives))
        .collect()
}

/// Waits until combinations are listed too: `all N` counts the table's rows.
pub fn complete(page: &Page, link: &str) -> Result<Vec<String>> {
    let inputs = read(link).current;
    let wanted = format!("all {}", Levers::of(&inputs).all.len());
    page.wait_for(
        "the whole list",
        || page.css(".helps-all")?.text(),
        |said| *said == wanted,
    )?;
    shown_strip(page)
}

/// Random scenarios beside the presets; `RIDGEPOINT_LINKS=300` tries as many.
fn links() -> Vec<String> {
    let count = std::env::var("RIDGEPOINT_LINKS").ok();
    let count: u64 = count.and_then(|count| count.parse().ok()).unwrap_or(12);
    let random = (0..count).map(|number| {
        let inputs = space::inputs(&mut space::seeded(number.wrapping_mul(0x51_7cc1)));
        model_core::permalink::write_inputs(&inputs.normalized())
    });
    let presets = PRESETS.iter().map(|preset| preset.link.to_owned());
    presets.chain(random).collect()
}

/// Views that show the strip, as the end of a link.
const VIEWS: [&str; 5] = [
    "",
    "&view=limits",
    "&view=plans",
    "&view=disagg",
    "&view=disagg&mode=split",
];

/// The view without a strip of these levers, with a demand and without.
const SERVICE: [&str; 2] = ["&view=service", "&view=service&rate=50&ttft=2"];

#[test]
fn views_and_script_agree() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        for link in links() {
            let mut opened = read(&link);
            opened.pinned = None;
            let inputs = opened.current.in_mode(Mode::Colocated);
            let base = model_core::permalink::write_inputs(&inputs);
            let expected = computed_strip(&Levers::of(&inputs), &inputs);
            for view in VIEWS {
                page.follow(&format!("{base}{view}"))?;
                // Levers say nothing of entered latencies.
                if view == "&view=disagg" && entered_whole(&inputs) {
                    page.wait_for("no strip", || page.css_all(".helps"), Vec::is_empty)?;
                    continue;
                }
                assert_eq!(complete(page, &base)?, expected, "{view} of {base}");
            }
        }
        Ok(())
    })
}

/// No headline has over eighteen words, or wraps past one line at 1440 px or two at 390, at one font size.
#[test]
fn headlines_fit_their_lines() -> Result {
    for (view, most, size) in [(View::DESKTOP, 1.0, 22.0), (View::PHONE, 2.0, 18.0)] {
        on_page(view, |page| {
            let mut long = Vec::new();
            page.open("")?;
            let links = links();
            let (presets, random) = links.split_at(PRESETS.len());
            let random = random.iter().flat_map(|link| {
                let views = VIEWS.into_iter().chain(SERVICE);
                views.map(move |view| format!("{link}{view}"))
            });
            for link in presets.iter().cloned().chain(random) {
                page.follow(&link)?;
                page.wait_for(
                    "a headline",
                    || verdict(page),
                    |said| !said.is_empty() && !said.starts_with("Searching"),
                )?;
                let script = "const h1 = document.querySelector('h1'); const range = document.createRange();\
                    range.selectNodeContents(h1);\
                    const ends = [...range.getClientRects()].map(rect => rect.bottom).sort((a, b) => a - b);\
                    const lines = ends.filter((end, at) => at === 0 || end - ends[at - 1] > 8);\
                    return [lines.length, parseFloat(getComputedStyle(h1).fontSize)]";
                let found = page.run(script, &[])?;
                let said = verdict(page)?;
                let lines = found[0].as_f64().unwrap_or_default();
                if lines > most {
                    long.push(format!("{lines} lines at {most}: {said} ({link})"));
                }
                assert_eq!(found[1].as_f64(), Some(size), "{said}");
                let words = said.split_whitespace();
                let words = words
                    .filter(|word| word.chars().any(char::is_alphanumeric))
                    .count();
                assert!(words <= 18, "{words} words: {said}");
            }
            assert!(long.is_empty(), "{}", long.join("\n"));
            Ok(())
        })?;
    }
    Ok(())
}

#[test]
fn click_applies_and_undo_returns() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=1")?;
        let before = agrees(page)?;
        complete(page, "v=1")?;
        let lever = page.named("link", "3 replicas of 24 GPUs")?;
        let href = lever.attribute("href")?.unwrap_or_default();
        lever.click()?;
        query(page, "the replicas", |query| query.contains("replicas=3"))?;
        assert!(href.ends_with(&format!("?{}", page.query()?)), "{href}");
        agrees(page)?;
        page.named("button", "Undo")?.click()?;
        query(page, "it undone", |query| query == "v=1")?;
        assert_eq!(agrees(page)?, before);
        // Its address alone gives the same scenario.
        page.open(href.split('?').nth(1).unwrap_or_default())?;
        agrees(page).map(drop)
    })
}

#[test]
fn pointing_previews_the_figures() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=1")?;
        agrees(page)?;
        complete(page, "v=1")?;
        let lever = page.named("link", "2× scale-out link")?;
        page.hover(lever.rect()?.at(0.5, 0.5))?;
        let script =
            "return [...document.querySelectorAll('.figure-preview')].map(e => e.innerText)";
        let previews = page.wait_for(
            "previews",
            || Ok(texts(&page.run(script, &[])?)),
            |all| all.len() == 6,
        )?;
        assert!(previews[2].starts_with("→ 4.26k"), "{previews:?}");
        assert!(previews[2].contains("better"), "{previews:?}");
        Ok(())
    })
}

#[test]
fn table_sorts_and_links() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=1")?;
        complete(page, "v=1")?;
        let column = |index: usize| -> Result<Vec<String>> {
            let script = "return [...document.querySelectorAll('.levers-table tbody tr')]\
                .map(row => row.children[arguments[0]].innerText)";
            Ok(texts(&page.run(script, &[Value::from(index)])?))
        };
        let all = column(0)?;
        assert_eq!(all.len(), Levers::of(&read("v=1").current).all.len());
        page.named("button", "tok/s per user")?.click()?;
        let speeds: Vec<f64> = column(2)?
            .iter()
            .filter_map(|text| text.parse().ok())
            .collect();
        assert!(speeds.len() == all.len() && speeds.is_sorted_by(|one, other| one >= other));
        let caption = page.css(".levers-table caption")?.text()?;
        let basis = text(&page.run(
            "return document.querySelector('.helps-basis').innerText",
            &[],
        )?)
        .to_owned();
        assert!(basis.contains(&caption), "{basis}: {caption}");
        Ok(())
    })
}
