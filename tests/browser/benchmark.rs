//! Tests of the box "I measured this": a pasted or dropped benchmark is read, applied to the scenario and compared
//! with the computed times.

use std::path::Path;

use model_core::bench;
use model_core::permalink::read;
use ridgepoint_tests::driver::{Page, Result, View, on_page};
use serde_json::json;

use crate::reader::{button_with, query};

const PASTE: &str = "const box = document.querySelector('.benchmark textarea');\
    box.value = arguments[0]; box.dispatchEvent(new Event('input', { bubbles: true }))";

const DROP: &str = "const data = new DataTransfer();\
    data.items.add(new File([arguments[0].repeat(arguments[1])], 'run.txt'));\
    const at = document.querySelector('main');\
    at.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))";

#[allow(clippy::expect_used, reason = "a missing sample is a failure")]
fn samples() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/bench/samples");
    let files = std::fs::read_dir(folder).expect("samples");
    let mut all: Vec<(String, String)> = files
        .map(|file| {
            let file = file.expect("a sample");
            let text = std::fs::read_to_string(file.path()).expect("text");
            (file.file_name().to_string_lossy().into_owned(), text)
        })
        .collect();
    all.sort();
    all
}

fn open_box(page: &Page) -> Result {
    page.named("button", "I measured this")?.click()?;
    page.wait_for(
        "the box",
        || page.css_all(".benchmark textarea"),
        |found| !found.is_empty(),
    )?;
    Ok(())
}

/// Checks that pasting a sample applies its measured points and shows a table of what was read, with no further
/// input. A desktop gets every sample, a phone every fourth.
#[test]
fn every_sample_is_read_and_compared() -> Result {
    // Only the layout differs on a phone, so fewer samples are enough.
    for (view, every) in [(View::DESKTOP, 1), (View::PHONE, 4)] {
        on_page(view, |page| {
            for (file, text) in samples().into_iter().step_by(every) {
                page.open("v=3&model=deepseek-r1&gpu=h200")?;
                open_box(page)?;
                page.run(PASTE, &[json!(text)])?;
                let start = read("v=3&model=deepseek-r1&gpu=h200").current;
                let wanted = bench::read(&text, &start).applied(&start).measured;
                query(page, &format!("the points of {file}"), |query| {
                    read(query).current.measured == wanted
                })?;
                let read = page.css(".benchmark-read")?.text()?;
                assert!(read.contains("What was read"), "{file}: {read}");
                if !wanted.is_empty() {
                    page.wait_for(
                        &format!("the line of {file}"),
                        || page.css_all(".anchored-words p"),
                        |found| !found.is_empty(),
                    )?;
                }
                let wide = "return document.documentElement.scrollWidth - innerWidth";
                assert_eq!(page.run(wide, &[])?, json!(0), "{file} scrolls sideways");
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Checks that a file dropped anywhere on the page is read. A huge file is truncated with a notice, and no text
/// becomes markup.
#[test]
fn dropped_files_are_read_and_never_markup() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=3&view=limits")?;
        let evil = "<img src=x onerror='window.hit = 1'><script>window.hit = 1</script>\n";
        let log = "INFO Engine 000: Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: 512.0 tokens/s, \
            Running: 16 reqs, Waiting: 0 reqs, GPU KV cache usage: 10.0%\n";
        page.run(DROP, &[json!(format!("{evil}{log}")), json!(1)])?;
        query(page, "a point", |query| query.contains("measured="))?;
        assert_eq!(page.run("return window.hit ?? 0", &[])?, json!(0));
        let text = page.css(".benchmark-text")?.text()?;
        assert!(text.contains("onerror"), "{text}");
        // 50 MB, of which the first megabyte is read.
        page.run(DROP, &[json!("0123456789".repeat(1000)), json!(5000)])?;
        page.wait_for(
            "a note on its length",
            || page.css(".benchmark-read")?.text(),
            |said| said.contains("1 MB"),
        )?;
        Ok(())
    })
}

/// Checks three controls: anchoring can be turned off, measurements can be removed, and the scenario from before the
/// paste can be restored.
#[test]
fn anchoring_is_a_switch_and_undo_restores() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=3&model=glm-5.2&gpu=h200&gpus=8&batch=16&measured=50ms")?;
        let tpot = || page.css(".figures .figure")?.text();
        let anchored = page.wait_for("figures", tpot, |text| !text.is_empty())?;
        page.wait_for(
            "the switch",
            || page.css_all(".anchored-switch"),
            |found| !found.is_empty(),
        )?;
        page.css(".anchored-switch")?.click()?;
        query(page, "anchor=off", |query| query.contains("anchor=off"))?;
        page.wait_for("other figures", tpot, |text| *text != anchored)?;
        button_with(page, "Remove measurements")?.click()?;
        query(page, "no points", |query| !query.contains("measured"))?;
        let before = page.query()?;
        open_box(page)?;
        let (_, text) = samples().swap_remove(0);
        page.run(PASTE, &[json!(text)])?;
        query(page, "points", |query| query.contains("measured="))?;
        button_with(page, "Undo")?.click()?;
        query(page, "the scenario before", |query| query == before)?;
        Ok(())
    })
}
