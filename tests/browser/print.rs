//! Tests of printing: light colors in any theme, figures that fit the width of the paper, and nothing cut off.

use std::path::Path;

use ridgepoint_tests::driver::{Page, Result, View, on_page, variable};
use serde_json::{Value, json};
use site::Server;

use crate::levers::complete;
use crate::reader::{CHARTS, agrees, painted, texts};

/// Script that returns the page's theme and a list with one entry per chart: true if the chart's background is light,
/// judged by a corner pixel.
const COLOURS: &str = "const corner = canvas => canvas.getContext('2d').getImageData(1, canvas.height - 2, 1, 1).data[0] > 127;\
    return [document.documentElement.dataset.theme, [...document.querySelectorAll('.chart canvas')].map(corner)]";

/// Checks that a dark page switches to light colors within the `beforeprint` event, because the browser prints before
/// any later script runs.
#[test]
fn a_dark_page_prints_light_at_once() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=1&theme=dark")?;
        agrees(page)?;
        for (_, question) in CHARTS {
            painted(page, question)?;
        }
        let dark = json!(["dark", [false, false, false, false, false, false, false]]);
        let light = json!(["light", [true, true, true, true, true, true, true]]);
        assert_eq!(page.run(COLOURS, &[])?, dark);
        let print = format!("dispatchEvent(new Event('beforeprint')); {COLOURS}");
        assert_eq!(page.run(&print, &[])?, light);
        page.run("dispatchEvent(new Event('afterprint'))", &[])?;
        page.wait_for(
            "the screen's colours again",
            || page.run(COLOURS, &[]),
            |seen| *seen == dark,
        )?;
        // Dispatch both events at once, so that nothing runs in between.
        let both =
            "dispatchEvent(new Event('beforeprint')); dispatchEvent(new Event('afterprint'))";
        page.run(both, &[])?;
        page.wait_for(
            "them once more",
            || page.run(COLOURS, &[]),
            |seen| *seen == dark,
        )
        .map(drop)
    })
}

/// Script that returns four sizes in CSS px, as printed: width and height of the first figure's image, then those of
/// its box.
const PRINTED: &str = "dispatchEvent(new Event('beforeprint'));\
    const canvas = document.querySelector('.plot canvas'), box = document.querySelector('.plot');\
    const sides = [canvas.width / 3, canvas.height / 3, box.clientWidth, box.clientHeight];\
    dispatchEvent(new Event('afterprint'));\
    return sides.map(Math.round)";

/// Checks that figures embedded from another origin print at the width of their frame, even if they were never in view.
/// In such frames the browser reports no element sizes.
#[test]
fn unseen_figures_of_another_origin_print_at_their_width() -> Result {
    const WIDTH: u64 = 728;
    // Not `on_page`: the figures make requests to another origin.
    let page = Page::start(View::DESKTOP)?;
    page.set_headers(&["Cache-Control: no-store"]);
    let other = Server::start(Path::new(&variable("RIDGEPOINT_DIST")?), "/figures/", 0)
        .expect("a second server starts");
    let figures = ["memory", "stairs", "map", "ratio"];
    let frames = figures.map(|id| {
        let link = format!("{}?v=3&amp;rate=50&amp;embed={id}", other.url());
        format!("<iframe src=\"{link}\" width=\"{WIDTH}\" height=\"500\"></iframe>")
    });
    let html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Host</title>\
         <body><div style=\"height: 6000px\">Somebody’s page</div>{}</body></html>",
        frames.concat()
    );
    page.replace_file("host.html", 200, &html);
    page.open_url(&format!("{}host.html", page.home()))?;
    for (frame, id) in page.css_all("iframe")?.iter().zip(figures) {
        page.enter_frame(frame)?;
        let script = "const box = document.querySelector('.plot'); return box && box.clientWidth";
        page.wait_for("a figure", || page.run(script, &[]), Value::is_u64)?;
        let sides = page.run(PRINTED, &[])?;
        let side = |at: usize| sides[at].as_f64().unwrap_or(f64::NAN);
        assert!(
            (side(0) - side(2)).abs() <= 1.0,
            "{id}: a picture of {} px in a box of {}",
            side(0),
            side(2)
        );
        assert!(
            (side(0) / side(1) / (side(2) / side(3)) - 1.0).abs() < 0.02,
            "{id} is stretched: {sides}"
        );
        page.leave_frame()?;
    }
    Ok(())
}

/// Checks that Explore and the Service view each print on at most six A4 pages, and an embedded figure on one.
#[test]
fn views_print_on_a_few_pages() -> Result {
    on_page(View::DESKTOP, |page| {
        for (link, most) in [
            ("v=3", 6),
            ("v=3&view=service&rate=50", 6),
            ("v=3&embed=memory", 1),
        ] {
            page.open(link)?;
            page.settle()?;
            let pdf = String::from_utf8_lossy(&page.print()?).into_owned();
            assert!(pdf.starts_with("%PDF"), "{link}");
            let pages = pdf.matches("/Type /Page\n").count();
            assert!((1..=most).contains(&pages), "{link}: {pages} pages");
            // 210 × 297 mm in points.
            let sheets = pdf.matches("/MediaBox [0 0 595.9").count();
            assert_eq!(sheets, pages, "{link}");
        }
        Ok(())
    })
}

/// Checks that on paper, which cannot be scrolled, no content is wider than its box.
#[test]
fn tables_fit_on_paper() -> Result {
    // Texts only for screen readers are hidden by `clip-path`.
    const CUT: &str = "const heard = e => e && (getComputedStyle(e).clipPath !== 'none' || heard(e.parentElement));\
        return [...document.querySelectorAll('main *, .panel *')].filter(e => {\
          const { right } = e.getBoundingClientRect(), { overflowX } = getComputedStyle(e);\
          const lost = overflowX !== 'visible' && e.scrollWidth > e.clientWidth + 1;\
          const off = e.matches('td, th, caption, h1, h2, h3, p, li, input') && right > innerWidth + 1;\
          return e.checkVisibility() && (lost || off) && !heard(e);\
        }).map(e => `${e.localName}.${e.className}: ${e.innerText.slice(0, 40)}`)";
    // Every view of the four main tabs.
    for link in [
        "v=1",
        "v=3&view=limits",
        "v=3&view=plans",
        "v=3&view=disagg",
        "v=3&view=disagg&mode=split",
        "v=3&view=service&rate=50",
        "v=3&view=papers",
    ] {
        on_page(View::DESKTOP, |page| {
            page.open(link)?;
            if link == "v=1" {
                complete(page, link)?;
            }
            page.settle()?;
            page.show_as_printed()?;
            let cut = texts(&page.run(CUT, &[])?);
            assert_eq!(cut, Vec::<String>::new(), "{link}");
            Ok(())
        })?;
    }
    Ok(())
}
