//! Tests of the Papers view, which compares published and measured results with computed ones.

use ridgepoint_tests::driver::{Page, Result, View, on_page};
use serde_json::Value;

use crate::reader::{item, painted, query, reads, verdict, verdict_with};

const SAID: &str = "260 of 290 published claims reproduced; 221 of 242 numbers within 15%.";

/// Opens the Papers view and waits until every computed number is shown, including simulated ones.
fn opened(page: &Page, link: &str) -> Result {
    page.open(link)?;
    verdict_with(page, SAID).map(drop)
}

/// Returns the text in the first cell of every row of the Papers table.
fn rows(page: &Page) -> Result<Vec<String>> {
    let cells = page.css_all(".papers-line > th")?;
    cells.iter().map(|cell| cell.text()).collect()
}

fn counted(page: &Page, what: &str, wanted: usize) -> Result {
    let count = || Ok(page.css_all(".papers-line")?.len());
    page.wait_for(what, count, |found| *found == wanted)
        .map(drop)
}

fn search(page: &Page, words: &str) -> Result {
    page.css(".papers-search")?.type_over(words)
}

/// Checks that every golden case has a row with its published value, its computed value, and a link that opens.
#[test]
fn every_published_number_is_a_row() -> Result {
    on_page(View::DESKTOP, |page| {
        opened(page, "v=1&view=papers")?;
        counted(page, "the first rows of each paper", 40)?;
        // Sorting shows all rows.
        item(page, ".papers-table thead button", "error")?.click()?;
        counted(page, "every row", 290)?;
        let empty = page.run(
            "return [...document.querySelectorAll('.papers-line')].filter(row =>
                [...row.cells].some((cell, place) => place !== 4 && !cell.textContent.trim())
                || !row.querySelector('a[href^=\"?v=1\"]')).map(row => row.textContent)",
            &[],
        )?;
        assert_eq!(empty, Value::Array(Vec::new()));
        let sums = page.run(
            "const reasons = [...document.querySelectorAll('.papers-why details')];
             return [document.querySelectorAll('.papers-table tr.gap').length, reasons.length,
                     reasons.filter(reason => reason.open).length]",
            &[],
        )?;
        assert_eq!(sums, serde_json::json!([30, 290, 0]));
        // A click unfolds a reason.
        let reason = page.css(".papers-why details")?;
        page.css(".papers-why summary")?.click()?;
        assert_eq!(reason.property("open")?, Value::Bool(true));
        Ok(())
    })
}

/// Checks the list of published numbers: selecting a paper, searching for words, and sorting by column headers. The
/// permalink contains the selected paper.
#[test]
fn rows_are_searched_and_sorted() -> Result {
    on_page(View::DESKTOP, |page| {
        opened(page, "v=1&view=papers")?;
        let choices = page.css_all(".papers-choice")?;
        assert!(choices[0].text()?.starts_with("Measured runs"));
        item(page, ".papers-choice", "[H] Helix parallelism")?.click()?;
        query(page, "one paper", |query| {
            query == "v=1&view=papers&paper=h"
        })?;
        counted(page, "its rows", 39)?;
        assert_eq!(page.css_all(".papers-head")?.len(), 1);
        search(page, "gap")?;
        counted(page, "the gaps of one paper", 8)?;
        let printed = rows(page)?;
        item(page, ".papers-table thead button", "error")?.click()?;
        let largest = page.wait_for("another order", || rows(page), |rows| *rows != printed)?;
        assert_eq!(largest[0], "DeepSeek-R1, tokens/s/user lost without HOP-B");
        item(page, ".papers-table thead button", "error")?.click()?;
        let mut least = page.wait_for("the other way", || rows(page), |rows| *rows != largest)?;
        assert_eq!(least[7], largest[0]);
        item(page, ".papers-table thead button", "error")?.click()?;
        page.wait_for("as printed", || rows(page), |rows| *rows == printed)?;
        let (mut one, mut other) = (printed, largest);
        least.sort();
        one.sort();
        other.sort();
        assert_eq!((&one, &other), (&least, &least));
        // A row has to contain every word, in any case.
        search(page, "GAP hop-b")?;
        page.wait_for("fewer rows", || Ok(rows(page)?.len()), |count| *count < 8)?;
        search(page, "no such words")?;
        counted(page, "no row", 0)?;
        assert_eq!(page.css(".papers-none")?.text()?, "No matching rows.");
        search(page, "gap")?;
        counted(page, "the gaps again", 8)?;
        // Figures of the selected paper only.
        let names = page.css_all(".papers-small b")?;
        let names: Result<Vec<String>> = names.iter().map(|name| name.text()).collect();
        let names = names?;
        assert_eq!(names.len(), 7, "{names:?}");
        assert!(
            names.iter().all(|name| name.starts_with("[H] ")),
            "{names:?}"
        );
        page.back()?;
        query(page, "all papers", |query| query == "v=1&view=papers")?;
        counted(page, "the gaps of all papers", 30)?;
        // Former filters are ignored without a notice.
        opened(page, "v=1&view=papers&paper=l&kind=claims&order=printed")?;
        counted(page, "all rows of a paper", 36)?;
        assert!(page.css_all(".notice")?.is_empty());
        Ok(())
    })
}

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

/// Checks that a small-multiple figure can be enlarged to a chart with its claim, table and scenario, and that its
/// permalink opens the enlarged chart.
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
            query == "v=1&view=papers&figure=h-figure-5"
        })?;
        let claim = verdict(page)?;
        assert!(
            claim.starts_with("Helix reaches 1.5× the interactivity"),
            "{claim}"
        );
        page.named("button", "Show table: [H] Figure 5")?.click()?;
        let table = page.css("#h-figure-5 table")?.text()?;
        assert!(table.contains("the best other"), "{table}");
        page.named("button", "Close the figure")?.click()?;
        let open = || Ok(page.css_all(".papers-enlarged")?.len());
        page.wait_for("no figure", open, |count| *count == 0)?;
        page.back()?;
        page.wait_for("the figure again", open, |count| *count == 1)?;
        page.open("v=1&view=papers&figure=l-figure-4")?;
        verdict_with(
            page,
            "With 30 GB/s per device, network overhead is at most 20%.",
        )?;
        painted(page, "[L] Figure 4")?;
        page.open("v=1&embed=r-figure-4")?;
        painted(page, "[R] Figure 4")
    })
}

/// Checks the list of measured runs: opening it, searching, switching the calibration, and opening a run.
#[test]
fn measured_systems_are_narrowed_and_open() -> Result {
    on_page(View::DESKTOP.dark(), |page| {
        opened(page, "v=1&view=papers")?;
        item(page, ".papers-choice", "Measured runs")?.click()?;
        query(page, "measured systems", |query| {
            query == "v=1&view=papers&show=measured"
        })?;
        painted(page, "Reproduced?")?;
        let all = verdict(page)?;
        assert!(
            all.contains(" measured runs are predicted within 1.2×"),
            "{all}"
        );
        let before = rows(page)?.len();
        search(page, "sglang 2×8 h200")?;
        let narrowed = || Ok(rows(page)?.len());
        page.wait_for("fewer rows", narrowed, |count| *count < before)?;
        let systems = rows(page)?;
        assert!(
            !systems.is_empty() && systems.iter().all(|row| row.contains("H200")),
            "{systems:?}"
        );
        let fewer = page.wait_for("its verdict", || verdict(page), |said| *said != all)?;
        item(page, ".papers-choice", "ideal")?.click()?;
        query(page, "another calibration", |query| {
            query == "v=1&calibration=ideal&view=papers&show=measured"
        })?;
        let worse = page.wait_for("another verdict", || verdict(page), |said| *said != fewer)?;
        assert!(worse.contains("mean error 60%"), "{worse}");
        page.css(".papers-open")?.click()?;
        query(page, "a run", |query| query.contains("gpu=h200"))?;
        // Former filters are ignored; kinds of run are found by their names.
        page.open("v=1&view=papers&show=measured&runs=with-prefills&system=inferencex")?;
        painted(page, "Reproduced?")?;
        counted(page, "every run", before)?;
        search(page, "end-to-end runs")?;
        // A search unfolds the rows that it finds.
        page.wait_for("one kind", narrowed, |count| *count > before)
            .map(drop)
    })
}

/// Checks on a phone that neither the page nor a row of the table is wider than the screen.
#[test]
fn a_phone_reads_rows() -> Result {
    on_page(View::PHONE, |page| {
        opened(page, "v=1&view=papers")?;
        let widths = page.run(
            "return [document.documentElement.scrollWidth, innerWidth,
                     Math.max(...[...document.querySelectorAll('.papers-line')].map(row =>
                         row.getBoundingClientRect().right))]",
            &[],
        )?;
        let number = |place: usize| widths[place].as_f64().unwrap_or(f64::MAX);
        assert!(number(0) <= number(1), "{widths}");
        assert!(number(2) <= 390.0, "{widths}");
        Ok(())
    })
}

/// Checks that the Evidence tab opens on measured runs, and that a selected paper stays selected when the user leaves
/// the tab and returns.
#[test]
fn the_tab_opens_on_measured_runs() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=1")?;
        page.settle()?;
        item(page, ".tabs .tab", "Evidence")?.click()?;
        query(page, "measured runs", |query| {
            query == "v=1&view=papers&show=measured"
        })?;
        painted(page, "Reproduced?")?;
        let title = page.run("return document.title", &[])?;
        assert_eq!(title, "Evidence — Ridgepoint");
        opened(page, "v=1&view=papers&paper=h")?;
        item(page, ".tabs .tab", "Bottleneck")?.click()?;
        item(page, ".tabs .tab", "Evidence")?.click()?;
        query(page, "the paper", |query| {
            query == "v=1&view=papers&paper=h"
        })
        .map(drop)
    })
}

/// Checks that a click on the Evidence tab shows its table in the next frame. `cargo xtask bench` prints the time.
#[test]
fn the_view_is_ready_at_once() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=1&view=papers&show=measured")?;
        painted(page, "Reproduced?")?;
        let said = verdict(page)?;
        item(page, ".tabs .tab", "Bottleneck")?.click()?;
        reads(page, "Compute or memory?")?;
        let seen = page.run_async(
            "const done = arguments[arguments.length - 1];
             const tab = [...document.querySelectorAll('.tabs .tab')].find(a => a.textContent.trim() === 'Evidence');
             const count = () => [document.querySelectorAll('.papers-line').length,
                                  document.querySelectorAll('.papers-systems tbody tr').length,
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
        assert!(number(0, 0) >= 20, "no rows in the first frame: {seen}");
        assert!(number(0, 1) > 10, "no systems in the first frame: {seen}");
        assert_eq!(number(2, 2), 0, "something is waited for: {seen}");
        assert_eq!(verdict(page)?, said);
        Ok(())
    })
}
