//! Tests of the levers (changes that would help), which the page shows as a short list and as a table. Their values
//! are equal in every view and in the result of `evaluate`; a click applies or undoes a lever.

use answer::levers::strip;
use model_core::inputs::{Inputs, Mode};
use model_core::levers::Levers;
use model_core::permalink::read;
use model_core::preset::PRESETS;
use ridgepoint_tests::driver::{Element, Page, Result, View, key, on_page};
use ridgepoint_tests::space;
use serde_json::Value;

use crate::reader::{agrees, long_headlines, query, take_lever, text, texts};

/// Returns the names and factors in the short list of levers once the list is up to date; settings come before
/// hardware.
fn shown_strip(page: &Page) -> Result<Vec<String>> {
    let script = "const strip = document.querySelector('.helps');\
        if (!strip || strip.classList.contains('stale')) return null;\
        const said = (row, part) => row.querySelector(part).innerText;\
        return [...strip.querySelectorAll('.helps-list li:has(.lever)')].map(row =>\
            `${said(row, '.lever-name')} ${said(row, '.lever-gives')}`)";
    let shown = page.wait_for(
        "a fresh strip",
        || page.run(script, &[]),
        |shown| shown.is_array(),
    )?;
    Ok(texts(&shown))
}

fn computed_strip(levers: &Levers, now: &Inputs) -> Vec<String> {
    let strip = strip(levers, now);
    let rows = strip.settings.iter().chain(&strip.hardware);
    rows.map(|row| format!("{} {}", row.name, row.gives))
        .collect()
}

/// Waits until the list of levers includes combinations: the count in the button `All N changes` then equals the
/// model's. Returns the short list.
pub fn complete(page: &Page, link: &str) -> Result<Vec<String>> {
    let inputs = read(link).current;
    // Without levers, the button is left out.
    let wanted = match Levers::of(&inputs).all.len() {
        0 => Vec::new(),
        count => vec![format!("All {count} changes")],
    };
    page.wait_for(
        "the whole list",
        || {
            let strips = page.css_all(".helps:not(.stale)")?.len();
            let all = page.css_all(".helps-all")?;
            // A button that was replaced meanwhile has no text.
            let all: Vec<String> = all.iter().filter_map(|one| one.text().ok()).collect();
            Ok((strips, all))
        },
        |(strips, all)| *strips == 1 && *all == wanted,
    )?;
    shown_strip(page)
}

/// Returns permalinks of random scenarios; `RIDGEPOINT_LINKS=300` gives 300 of them.
fn random_links() -> impl Iterator<Item = String> {
    let count = std::env::var("RIDGEPOINT_LINKS").ok();
    let count: u64 = count.and_then(|count| count.parse().ok()).unwrap_or(4);
    (0..count).map(|number| {
        let inputs = space::inputs(&mut space::seeded(number.wrapping_mul(0x51_7cc1)));
        model_core::permalink::write_inputs(&inputs.normalized())
    })
}

/// Endings of permalinks to views that do not list the levers of one deployment.
const OTHERS: [&str; 6] = [
    "&view=limits",
    "&view=plans",
    "&view=disagg",
    "&view=disagg&mode=split",
    "&view=service",
    "&view=service&rate=50&ttft=2",
];

/// Checks that the page lists the levers that the model computes, for every preset and for random scenarios.
#[test]
fn views_and_script_agree() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        let presets = PRESETS.iter().map(|preset| preset.link.to_owned());
        for link in presets.chain(random_links()) {
            let mut opened = read(&link);
            opened.pinned = None;
            let inputs = opened.current.in_mode(Mode::Colocated);
            let base = model_core::permalink::write_inputs(&inputs);
            // The permalink leaves out stated inputs that equal their defaults.
            let inputs = read(&base).current;
            let expected = computed_strip(&Levers::of(&inputs), &inputs);
            page.follow(&base)?;
            assert_eq!(complete(page, &base)?, expected, "{base}");
        }
        for view in OTHERS {
            page.open(&format!("v=3{view}"))?;
            page.wait_for("no levers", || page.css_all(".helps-all"), Vec::is_empty)?;
        }
        Ok(())
    })
}

/// Checks that the headlines of random scenarios fit in their lines in every view; those of the presets are checked in
/// `layout`.
#[test]
fn headlines_fit_their_lines() -> Result {
    on_page(View::DESKTOP, |page| {
        let mut long = Vec::new();
        page.open("")?;
        for link in random_links() {
            for view in [""].into_iter().chain(OTHERS) {
                let link = format!("{link}{view}");
                page.follow(&link)?;
                long.extend(long_headlines(page, &link)?);
            }
        }
        assert!(long.is_empty(), "{}", long.join("\n"));
        Ok(())
    })
}

#[test]
fn click_applies_and_undo_returns() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=1")?;
        complete(page, "v=1")?;
        // Wait for error bands, which appear after the first result.
        page.wait_for(
            "bands",
            || page.css_all(".figures.four .figure-band"),
            |bands| bands.len() == 3,
        )?;
        let before = agrees(page)?;
        let lever = page.named("link", "3 replicas of 24 GPUs")?;
        let href = lever.attribute("href")?.unwrap_or_default();
        // Several changes are shown before they are applied; Escape closes the list.
        lever.click()?;
        let said = page.css(".lever-sheet")?.text()?;
        for change in ["72 GPUs → 24 GPUs", "Time per output token", "Apply"] {
            assert!(said.contains(change), "{change}: {said}");
        }
        assert_eq!(page.query()?, "v=1");
        page.named("button", "Apply")?.focus()?;
        page.keys(&key::ESCAPE.to_string())?;
        page.wait_for("it closed", || page.css_all(".lever-sheet"), Vec::is_empty)?;
        take_lever(page, &lever)?;
        query(page, "the replicas", |query| query.contains("replicas=3"))?;
        assert!(href.ends_with(&format!("?{}", page.query()?)), "{href}");
        agrees(page)?;
        page.named("button", "Undo")?.click()?;
        query(page, "it undone", |query| query == "v=1")?;
        assert_eq!(agrees(page)?, before);
        // The lever's address alone gives the same scenario.
        page.open(href.split('?').nth(1).unwrap_or_default())?;
        agrees(page).map(drop)
    })
}

/// Checks the focus when a click on a lever replaces the list of levers. The focus moves to the control that undoes
/// the change; after undoing, it returns to the list.
#[test]
fn focus_follows_a_lever() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=1")?;
        complete(page, "v=1")?;
        let focused = |wanted: &str| {
            let script = "const at = document.activeElement; return at.innerText?.trim() + '|' + (at.ariaLabel ?? '')";
            let look = || Ok(text(&page.run(script, &[])?).to_owned());
            page.wait_for(wanted, look, |seen| seen.contains(wanted))
        };
        let enter = |lever: &Element<'_>| {
            lever.focus()?;
            page.keys(&key::ENTER.to_string())?;
            if lever.attribute("aria-expanded")?.is_some() {
                page.named("button", "Apply")?.focus()?;
                page.keys(&key::ENTER.to_string())?;
            }
            focused("Undo").map(drop)
        };
        for name in ["3 replicas of 24 GPUs", "2× scale-out BW"] {
            enter(&page.named("link", name)?)?;
            page.keys(&key::ENTER.to_string())?;
            query(page, "it undone", |query| query == "v=1")?;
            focused("What helps")?;
            complete(page, "v=1")?;
        }
        // A lever in the table moves the focus, too.
        enter(&page.css(".levers-table .lever")?)
    })
}

#[test]
fn pointing_previews_the_figures() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=1")?;
        agrees(page)?;
        complete(page, "v=1")?;
        let lever = page.named("link", "2× scale-out BW")?;
        page.hover(lever.rect()?.at(0.5, 0.5))?;
        let script =
            "return [...document.querySelectorAll('.figure-preview')].map(e => e.innerText)";
        let previews = page.wait_for(
            "previews",
            || Ok(texts(&page.run(script, &[])?)),
            |all| all.len() == 4,
        )?;
        assert!(previews[1].starts_with("→ 4.26k"), "{previews:?}");
        assert!(previews[1].contains("more"), "{previews:?}");
        Ok(())
    })
}

#[test]
fn table_sorts_and_links() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=1")?;
        complete(page, "v=1")?;
        let column = |index: usize| -> Result<Vec<String>> {
            let script = "return [...document.querySelectorAll('.levers-table tbody tr:has(th)')]\
                .map(row => row.children[arguments[0]].innerText)";
            Ok(texts(&page.run(script, &[Value::from(index)])?))
        };
        page.css(".levers-table td .quiet")?.click()?;
        let all = column(0)?;
        assert_eq!(all.len(), Levers::of(&read("v=1").current).all.len());
        page.named("button", "tok/s/user")?.click()?;
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
