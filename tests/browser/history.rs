//! Tests of the browser's back and forward buttons: every gesture adds one history entry.

use ridgepoint_tests::driver::{Page, Pointer, Result, View, on_page};

use crate::reader::{
    Figure, agrees, button_with, enter, entries, figures, item, query, slider, thumb,
};

/// State at an entry of the browser history: URL query, headline figures, and text of the preset button.
type Stop = (String, Vec<Figure>, String);

fn here(page: &Page) -> Result<Stop> {
    let preset = page.css("[aria-haspopup=menu]")?.text()?;
    Ok((page.query()?, agrees(page)?, preset))
}

#[test]
fn views_are_history_entries() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=1&gpus=64")?;
        let begun = entries(page)?;
        for (name, id) in [
            ("How far can it go?", "limits"),
            ("Plans", "plans"),
            ("AFD", "disagg"),
        ] {
            page.named("link", name)?.click()?;
            query(page, name, |query| {
                query == format!("v=1&gpus=64&view={id}")
            })?;
            let current =
                page.css_all("header [aria-current=page], .view-tabs [aria-current=page]")?;
            assert!(
                current
                    .iter()
                    .any(|tab| tab.text().is_ok_and(|text| text == name))
            );
        }
        assert_eq!(entries(page)?, begun + 3);
        page.back()?;
        page.wait_for(
            "the Plans view again",
            || page.css(".view-tabs [aria-current=page]")?.text(),
            |name| name == "Colocated",
        )?;
        page.named("link", "Bottleneck")?.click()?;
        query(page, "no view in the address", |query| {
            query == "v=1&gpus=64"
        })?;
        Ok(())
    })
}

#[test]
fn every_gesture_can_be_taken_back() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        let begun = entries(page)?;
        let mut stops = vec![here(page)?];

        let link = slider(page, "Scale-out")?;
        let (from, width) = (thumb(&link)?, link.rect()?.width);
        page.drag(Pointer::Mouse, from, from.offset(0.2 * width, 0.0))?;
        stops.push(after(page, &stops, "a drag", |query| {
            query.contains("scale_out=")
        })?);

        enter(page, "Context, tok", "32k")?;
        stops.push(after(page, &stops, "a typed value", |query| {
            query.contains("context=32k")
        })?);

        button_with(page, "Custom scenario")?.click()?;
        item(page, "[role=menuitemradio]", "[A] Figure 15")?.click()?;
        stops.push(after(page, &stops, "a preset", |query| {
            query.contains("model=kimi-k2")
        })?);

        page.named("button", "Unpin")?.click()?;
        stops.push(after(page, &stops, "an unpinned A", |query| {
            !query.contains("a.")
        })?);

        enter(page, "GPUs", "64")?;
        stops.push(after(page, &stops, "other GPUs", |query| {
            query.contains("gpus=64")
        })?);

        page.named("button", "Compare")?.click()?;
        stops.push(after(page, &stops, "a pinned A", |query| {
            query.contains("a.gpus=64")
        })?);

        assert_eq!(entries(page)?, begun + 6, "one entry for each gesture");
        for stop in stops.iter().rev().skip(1) {
            page.back()?;
            arrived(page, stop)?;
        }
        for stop in &stops[1..] {
            page.forward()?;
            arrived(page, stop)?;
        }
        Ok(())
    })
}

fn after(page: &Page, stops: &[Stop], what: &str, right: impl Fn(&str) -> bool) -> Result<Stop> {
    query(page, &format!("the address after {what}"), right)?;
    let now = here(page)?;
    assert!(stops.iter().all(|stop| stop.0 != now.0), "{} again", now.0);
    Ok(now)
}

fn arrived(page: &Page, stop: &Stop) -> Result {
    query(page, &format!("the address “{}”", stop.0), |query| {
        query == stop.0
    })?;
    page.wait_for(
        "its figures",
        || figures(page),
        |figures| *figures == stop.1,
    )?;
    assert_eq!(here(page)?, *stop);
    Ok(())
}

/// Checks that holding down a key adds one history entry, and that another key press after a pause adds a second one.
#[test]
fn held_keys_are_one_entry() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("")?;
        agrees(page)?;
        let begun = entries(page)?;
        slider(page, "Batch")?.focus()?;
        page.keys("\u{E014}\u{E014}\u{E014}\u{E014}")?;
        let held = query(page, "a larger batch", |query| query.contains("batch="))?;
        agrees(page)?;
        std::thread::sleep(std::time::Duration::from_secs(1));
        page.keys("\u{E014}")?;
        query(page, "a still larger batch", |query| query != held)?;
        assert_eq!(entries(page)?, begun + 2);
        page.back()?;
        page.back()?;
        query(page, "the default", |query| query == "v=1")?;
        agrees(page).map(drop)
    })
}

#[test]
fn nothing_changed_is_no_entry() -> Result {
    const LINK: &str = "v=3&gpus=72&context=2050&beta=1&reserve=0.12&engine_gib=0";
    on_page(View::DESKTOP, |page| {
        page.open(LINK)?;
        agrees(page)?;
        let begun = entries(page)?;
        enter(page, "GPUs", "72")?;
        enter(page, "Scale-out, GB/s", "400Gb")?;
        button_with(page, "What limits DeepSeek-V3 as")?.click()?;
        item(page, "[role=menuitemradio]", "What limits DeepSeek-V3 as")?.click()?;
        agrees(page)?;
        assert_eq!(entries(page)?, begun);
        assert_eq!(page.query()?, LINK);
        Ok(())
    })
}
