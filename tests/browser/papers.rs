//! The Papers view: published and measured results beside computed ones.

use ridgepoint_tests::driver::{Page, Result, View, on_page};
use serde_json::Value;

use crate::reader::{item, painted, query, reads, verdict, verdict_with};

const SAID: &str = "260 of 290 published numbers and claims are within their tolerance; the 30 others have a reason. \
                    Of 242 plain numbers 221 lie within 15%.";

/// The view with every number, simulated ones included.
fn opened(page: &Page, link: &str) -> Result {
    page.open(link)?;
    verdict_with(page, SAID).map(drop)
}

/// Published rows: the texts of their first cells.
fn rows(page: &Page) -> Result<Vec<String>> {
    let cells = page.css_all(".papers-table tbody th")?;
    cells.iter().map(|cell| cell.text()).collect()
}

fn counted(page: &Page, what: &str, wanted: usize) -> Result {
    let count = || Ok(page.css_all(".papers-table tbody tr")?.len());
    page.wait_for(what, count, |found| *found == wanted)
        .map(drop)
}

/// Every golden case is a row with its published value, its computed value and a link that opens.
#[test]
fn every_published_number_is_a_row() -> Result {
    on_page(View::DESKTOP, |page| {
        opened(page, "v=1&view=papers")?;
        for more in page.css_all(".papers-section .papers-more")? {
            more.click()?;
        }
        counted(page, "every row", 290)?;
        assert_eq!(rows(page)?.len(), 290);
        let empty = page.run(
            "return [...document.querySelectorAll('.papers-table tbody tr')].filter(row =>
                [...row.cells].some((cell, place) => place !== 4 && !cell.textContent.trim())
                || !row.querySelector('a[href^=\"?v=1\"]')).map(row => row.textContent)",
            &[],
        )?;
        assert_eq!(empty, Value::Array(Vec::new()));
        let sums = page.run(
            "return [document.querySelectorAll('.papers-table tr.gap').length,
                     document.querySelectorAll('.papers-why').length]",
            &[],
        )?;
        assert_eq!(sums, serde_json::json!([30, 290]));
        Ok(())
    })
}

/// One paper, only its gaps, in the order of the paper; the paper is in the link.
#[test]
fn rows_are_filtered_and_sorted() -> Result {
    on_page(View::DESKTOP, |page| {
        opened(page, "v=1&view=papers")?;
        item(page, ".papers-choice", "[H] Helix parallelism")?.click()?;
        query(page, "one paper", |query| {
            query == "v=1&view=papers&paper=h"
        })?;
        assert_eq!(page.css_all(".papers-section")?.len(), 1);
        item(page, ".papers-choice", "gaps")?.click()?;
        query(page, "its gaps", |query| {
            query == "v=1&view=papers&paper=h&state=gaps"
        })?;
        counted(page, "the gaps of one paper", 8)?;
        let largest = rows(page)?;
        assert_eq!(largest[0], "DeepSeek-R1, tokens/s/user lost without HOP-B");
        item(page, ".papers-choice", "as printed")?.click()?;
        let mut printed = page.wait_for("another order", || rows(page), |rows| *rows != largest)?;
        let (one, mut sorted) = (largest.clone(), largest);
        sorted.sort();
        printed.sort();
        assert_eq!(sorted, printed);
        // Figures of the selected paper only.
        let names = page.css_all(".papers-small b")?;
        let names: Result<Vec<String>> = names.iter().map(|name| name.text()).collect();
        let names = names?;
        assert_eq!(names.len(), 7, "{names:?}");
        assert!(
            names.iter().all(|name| name.starts_with("[H] ")),
            "{names:?}"
        );
        query(page, "the order", |query| {
            query == "v=1&view=papers&paper=h&state=gaps&order=printed"
        })?;
        page.back()?;
        page.wait_for("the other order again", || rows(page), |rows| *rows == one)?;
        for _ in 0..2 {
            page.back()?;
        }
        query(page, "all papers", |query| query == "v=1&view=papers")?;
        // Claims only, from a link.
        opened(page, "v=1&view=papers&paper=l&kind=claims")?;
        let chosen = page.css_all(".papers-choice[aria-pressed=true]")?;
        let chosen: Result<Vec<String>> = chosen.iter().map(|choice| choice.text()).collect();
        let chosen = chosen?.join("|").replace('\n', " ");
        assert!(chosen.contains("claims 48"), "{chosen}");
        Ok(())
    })
}

/// A row opens its scenario, and back returns to the list.
#[test]
fn a_row_opens_and_back_returns() -> Result {
    on_page(View::DESKTOP, |page| {
        opened(page, "v=1&view=papers&paper=a")?;
        page.css(".papers-open")?.click()?;
        query(page, "a scenario", |query| {
            query.contains("calibration=aleph-alpha-2025") && !query.contains("view=papers")
        })?;
        reads(page, "Compute or memory?")?;
        page.back()?;
        query(page, "the list", |query| query == "v=1&view=papers&paper=a")?;
        verdict_with(page, SAID).map(drop)
    })
}

/// A small multiple enlarges to a chart with its claim, its table and its scenario; its copied link opens it.
#[test]
fn a_figure_is_enlarged() -> Result {
    on_page(View::DESKTOP, |page| {
        opened(page, "v=1&view=papers")?;
        let shown = || Ok(page.css_all(".papers-small")?.len());
        page.wait_for("six figures", shown, |count| *count == 6)?;
        item(page, ".papers-figures > .papers-more", "all 31 figures")?.click()?;
        page.wait_for("all figures", shown, |count| *count == 31)?;
        item(page, ".papers-small", "[H] Figure 5")?.click()?;
        painted(page, "[H] Figure 5")?;
        query(page, "the figure in the link", |query| {
            query == "v=1&view=papers&figures=all&figure=h-figure-5"
        })?;
        let claim = page.css(".papers-claim")?.text()?;
        assert!(
            claim.starts_with("Helix reaches 1.5 times the speed"),
            "{claim}"
        );
        page.named("button", "As table: [H] Figure 5")?.click()?;
        let table = page.css("#h-figure-5 table")?.text()?;
        assert!(table.contains("the best other"), "{table}");
        page.named("button", "Close the figure")?.click()?;
        let open = || Ok(page.css_all(".papers-enlarged")?.len());
        page.wait_for("no figure", open, |count| *count == 0)?;
        page.back()?;
        page.wait_for("the figure again", open, |count| *count == 1)?;
        opened(page, "v=1&view=papers&figure=l-figure-4")?;
        painted(page, "[L] Figure 4")?;
        page.open("v=1&embed=r-figure-4")?;
        painted(page, "[R] Figure 4")
    })
}

/// Measured systems: switch of calibration, filters by accelerator and system, a row that opens.
#[test]
fn measured_systems_are_narrowed_and_open() -> Result {
    on_page(View::DESKTOP.dark(), |page| {
        page.open("v=1&view=papers&show=measured")?;
        painted(page, "Reproduced?")?;
        let all = verdict(page)?;
        assert!(
            all.contains(" measured systems are predicted within 1.2×"),
            "{all}"
        );
        let before = page.css_all(".papers-table tbody tr")?.len();
        item(page, ".papers-choice", "H200")?.click()?;
        let narrowed = || Ok(page.css_all(".papers-table tbody tr")?.len());
        let found = page.wait_for("fewer rows", narrowed, |count| *count < before)?;
        let systems = rows(page)?;
        assert_eq!(systems.len(), found);
        assert!(
            systems.iter().all(|row| row.contains("H200")),
            "{systems:?}"
        );
        item(page, ".papers-choice", "ideal")?.click()?;
        query(page, "another calibration", |query| {
            query == "v=1&calibration=ideal&view=papers&show=measured&hardware=h200"
        })?;
        let worse = page.wait_for("another verdict", || verdict(page), |said| *said != all)?;
        assert!(worse.contains("too fast"), "{worse}");
        page.css(".papers-open")?.click()?;
        query(page, "a run", |query| query.contains("gpu=h200"))?;
        // A link filters as clicks do.
        page.open("v=1&view=papers&show=measured&runs=with-prefills&system=inferencex")?;
        painted(page, "Reproduced?")?;
        item(page, ".papers-choice", "everything")?.click()?;
        query(page, "every run", |query| {
            query == "v=1&view=papers&show=measured&runs=all"
        })
        .map(drop)
    })
}

/// On a phone a row is two lines and the page no wider than the screen.
#[test]
fn a_phone_reads_rows() -> Result {
    on_page(View::PHONE, |page| {
        opened(page, "v=1&view=papers")?;
        let widths = page.run(
            "return [document.documentElement.scrollWidth, innerWidth,
                     Math.max(...[...document.querySelectorAll('.papers-table tbody tr')].map(row =>
                         row.getBoundingClientRect().right))]",
            &[],
        )?;
        let number = |place: usize| widths[place].as_f64().unwrap_or(f64::MAX);
        assert!(number(0) <= number(1), "{widths}");
        assert!(number(2) <= 390.0, "{widths}");
        Ok(())
    })
}

/// A click on the tab shows the table in the next frame, the figures in the one after, without waiting. `cargo xtask
/// bench` prints the time.
#[test]
fn the_view_is_ready_at_once() -> Result {
    on_page(View::DESKTOP, |page| {
        opened(page, "v=1&view=papers")?;
        item(page, ".tabs .tab", "Explore")?.click()?;
        reads(page, "Compute or memory?")?;
        let seen = page.run_async(
            "const done = arguments[arguments.length - 1];
             const tab = [...document.querySelectorAll('.tabs .tab')].find(a => a.textContent.trim() === 'Papers');
             const count = () => [document.querySelectorAll('.papers-table tbody tr').length,
                                  document.querySelectorAll('.papers-picture svg').length,
                                  document.querySelectorAll('main [aria-busy=true]').length];
             tab.click();
             const seen = [];
             const look = () => {
                 seen.push(count());
                 if (seen.length < 3) requestAnimationFrame(look); else done(seen);
             };
             requestAnimationFrame(look);",
            &[],
        )?;
        let number = |frame: usize, what: usize| seen[frame][what].as_u64().unwrap_or_default();
        assert!(
            number(0, 0) >= 12,
            "no rows on the first screen in the first frame: {seen}"
        );
        assert!(
            number(1, 0) > 30,
            "not every paper's rows in the second frame: {seen}"
        );
        assert_eq!(number(0, 1), 6, "no pictures in the first frame: {seen}");
        assert_eq!(number(2, 2), 0, "something is waited for: {seen}");
        // Simulated values are kept.
        assert_eq!(verdict(page)?, SAID);
        Ok(())
    })
}
