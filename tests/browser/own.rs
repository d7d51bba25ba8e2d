//! Tests of the user's list of saved scenarios and prices, in the browser and as a file.

use std::fs;

use ridgepoint_tests::driver::{Page, Result, View, key, on_page};
use serde_json::{Value, json};

use crate::reader::{button_with, enter, field, open_group, query, reads, stated, text, texts};

/// Opens the dialog of saved scenarios and waits until its code is loaded.
fn dialog(page: &Page) -> Result {
    page.css(".preset-button")?.click()?;
    button_with(page, "Your scenarios")?.click()?;
    page.named("textbox", "Name of this scenario").map(drop)
}

fn close(page: &Page) -> Result {
    page.named("button", "Close")?.click()
}

fn save(page: &Page, name: &str) -> Result {
    page.named("textbox", "Name of this scenario")?
        .type_over(&format!("{name}{}", key::ENTER))
}

fn names(page: &Page) -> Result<Vec<String>> {
    let script = "return [...document.querySelectorAll('[aria-label=\"Saved scenarios\"] a')].map(a => a.innerText)";
    Ok(texts(&page.run(script, &[])?))
}

fn named(page: &Page, wanted: &[&str]) -> Result {
    let right = |seen: &Vec<String>| seen == wanted;
    page.wait_for("the saved names", || names(page), right)
        .map(drop)
}

/// Selects a file for import, as the file dialog would.
fn import(page: &Page, content: &str) -> Result {
    let script = "const input = document.querySelector('.own-foot input[type=file]');\
        const files = new DataTransfer(); files.items.add(new File([arguments[0]], 'list.json'));\
        input.files = files.files; input.dispatchEvent(new Event('change', { bubbles: true }))";
    page.run(script, &[json!(content)]).map(drop)
}

#[test]
fn scenarios_are_saved_opened_renamed_and_deleted() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=3&gpu=h200&gpus=16&theme=dark")?;
        dialog(page)?;
        assert!(names(page)?.is_empty());
        save(page, "Sixteen")?;
        named(page, &["Sixteen"])?;
        // The same name again is the same entry.
        save(page, "Sixteen")?;
        named(page, &["Sixteen"])?;
        close(page)?;
        // The saved scenario survives a page load, and its permalink has no theme.
        page.open("v=3&gpus=64&view=plans")?;
        dialog(page)?;
        save(page, "Plans of 64")?;
        named(page, &["Sixteen", "Plans of 64"])?;
        page.named("link", "Sixteen")?.click()?;
        query(page, "the saved link", |query| {
            query == "v=3&gpu=h200&gpus=16"
        })?;
        dialog(page)?;
        page.named("button", "Rename Sixteen")?.click()?;
        let renamed = page.named("textbox", "New name of Sixteen")?;
        renamed.type_over(&format!("Plans of 64{}", key::ENTER))?;
        reads(page, "Another scenario has this name")?;
        renamed.type_over(&format!("16 × H200{}", key::ENTER))?;
        named(page, &["16 × H200", "Plans of 64"])?;
        page.named("button", "Delete Plans of 64")?.click()?;
        named(page, &["16 × H200"])?;
        page.run("localStorage.clear()", &[]).map(drop)
    })
}

#[test]
fn a_file_carries_the_list() -> Result {
    on_page(View::DESKTOP, |page| {
        page.allow_downloads()?;
        page.open("v=3&gpus=24")?;
        dialog(page)?;
        save(page, "A")?;
        named(page, &["A"])?;
        button_with(page, "Export to a file")?.click()?;
        let files = page.wait_for("a file", || page.downloads(), |files| !files.is_empty())?;
        let file = fs::read_to_string(&files[0]).unwrap_or_default();
        assert!(file.contains("\"v=3&gpus=24\""), "{file}");
        page.named("button", "Delete A")?.click()?;
        named(page, &[])?;
        import(page, &file)?;
        named(page, &["A"])?;
        // A second import adds nothing, and invalid files change nothing.
        import(page, &file)?;
        for bad in ["", "{}", "[1]", "not JSON", &"x".repeat(5_000_000)] {
            import(page, bad)?;
        }
        import(
            page,
            "{\"format\":\"ridgepoint-scenarios\",\"prices\":\"h200:1.5,abacus:1\",\"scenarios\":[{\"name\":\"A\",\"link\":\"v=3\"},7]}",
        )?;
        named(page, &["A", "A (2)"])?;
        reads(page, "2 unreadable entries ignored")?;
        reads(page, "H200 SXM at $1.5/h")?;
        page.run("localStorage.clear()", &[]).map(drop)
    })
}

/// Checks that the page still works if browser storage is blocked, full, or contains unreadable data.
#[test]
fn storage_may_fail() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=3")?;
        page.run(
            "localStorage['ridgepoint-scenarios'] = '{\"scenarios\":'; localStorage['ridgepoint-prices'] = '%,:,h200:-1,b200:4'",
            &[],
        )?;
        dialog(page)?;
        reads(page, "The saved list cannot be read")?;
        reads(page, "B200 SXM at $4/h")?;
        save(page, "New")?;
        named(page, &["New"])?;
        close(page)?;
        for broken in [
            "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }",
            "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError') } })",
        ] {
            page.run(broken, &[])?;
            dialog(page)?;
            save(page, "Another")?;
            page.named("link", "Another")?;
            reads(page, "storage is blocked or full")?;
            close(page)?;
            enter(page, "GPUs", "64")?;
            query(page, "64 GPUs", |query| query.contains("gpus=64"))?;
        }
        Ok(())
    })
}

/// Checks that a typed price applies when its accelerator is selected, and that the permalink then contains the
/// price. An opened permalink without a price uses the list price.
#[test]
fn typed_prices_return_with_their_accelerator() -> Result {
    on_page(View::DESKTOP, |page| {
        page.open("v=3&gpu=h200")?;
        open_group(page, "Workload")?;
        enter(page, "Price, $/h", "1.75")?;
        query(page, "the price", |query| query.contains("price=1.75"))?;
        // Permalinks without a price use the list price.
        page.open("v=3&gpu=h200&gpus=8")?;
        assert_eq!(stated(page, "prices")?, None);
        open_group(page, "Workload")?;
        assert_ne!(field(page, "Price, $/h")?.value()?, "1.75");
        page.open("v=3&gpu=b200")?;
        let choose = "document.querySelector('.picker input[value=h200]').click()";
        open_accelerators(page)?;
        page.run(choose, &[])?;
        query(page, "the price in the link", |query| {
            query.contains("prices=h200:1.75")
        })?;
        open_group(page, "Workload")?;
        let hint = "return document.querySelector('[data-row=price] .row-hint').innerText";
        let look = || Ok(text(&page.run(hint, &[])?).to_owned());
        page.wait_for("whose price", look, |hint| hint == "your price")?;
        dialog(page)?;
        reads(page, "in this permalink")?;
        page.named("button", "Forget your price for H200 SXM")?
            .click()?;
        let left = page.run("return localStorage['ridgepoint-prices'] ?? null", &[])?;
        assert_eq!(left, Value::Null);
        close(page)
    })
}

/// Opens the list of accelerators and waits for its rows.
fn open_accelerators(page: &Page) -> Result {
    open_group(page, "Hardware")?;
    let rows = "return document.querySelectorAll('.picker input[value=h200]').length";
    page.wait_for(
        "the accelerators",
        || page.run(rows, &[]),
        |count| *count == 1,
    )
    .map(drop)
}
