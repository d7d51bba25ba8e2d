//! A page that cannot start says why within ten seconds; a part that was deployed away says so, too.

use ridgepoint_tests::driver::{Page, Result, View};
use serde_json::json;
use std::time::{Duration, Instant};
use xtask::site::POLICY;

use crate::reader::{agrees, in_parts, item, reads, text};

/// The time in which there have to be words.
const SOON: Duration = Duration::from_secs(10);

/// Name of a file of the page that begins and ends so.
fn file(page: &Page, begins: &str, ends: &str) -> Result<String> {
    let script = "const [begins, ends] = arguments;\
        return [...document.querySelectorAll('[href], [src]')]\
          .map(e => (e.getAttribute('href') || e.getAttribute('src')).split('/').pop())\
          .find(name => name.startsWith(begins) && name.endsWith(ends))";
    let found = page.run(script, &[json!(begins), json!(ends)])?;
    Ok(text(&found).to_owned())
}

/// Opens a page that cannot start, and waits for these words and a way to reload it.
fn says(page: &Page, query: &str, words: &str) -> Result {
    page.open_url("about:blank")?;
    let began = Instant::now();
    page.open_url(&format!("{}?{query}", page.home()))?;
    let script = "const late = document.getElementById('late');\
        return late && getComputedStyle(late).visibility === 'visible' ? late.innerText : ''";
    page.wait_for(
        words,
        || page.run(script, &[]),
        |said| text(said).contains(words),
    )?;
    assert!(began.elapsed() < SOON, "{words}: {:?}", began.elapsed());
    let reload = page.css("#late a")?;
    assert_eq!(reload.text()?, "Reload");
    Ok(())
}

/// Notes promises that are rejected with nobody listening.
const UNHANDLED: &str = "window.unhandled = [];\
    addEventListener('unhandledrejection', event => unhandled.push(String(event.reason)))";

fn nothing_unhandled(page: &Page) -> Result {
    let found = page.run("return window.unhandled", &[])?;
    assert_eq!(found, json!([]), "unhandled rejections");
    Ok(())
}

// The tests here do not use `on_page`: the browser logs what is missing as an error.

#[test]
fn missing_files_are_named() -> Result {
    let page = Page::start(View::DESKTOP)?;
    page.at_every_start(UNHANDLED)?;
    page.open("")?;
    for (begins, ends) in [
        ("ridgepoint-", ".js"),
        ("ridgepoint-", ".wasm"),
        ("style-", ".css"),
    ] {
        page.open("")?;
        let name = file(&page, begins, ends)?;
        let page = Page::start(View::DESKTOP)?;
        page.at_every_start(UNHANDLED)?;
        page.replace_file(&name, 404, "");
        says(
            &page,
            "v=1",
            &format!("{name} is missing on this host (404)"),
        )?;
        nothing_unhandled(&page)?;
        // In a figure, too.
        says(&page, "v=1&embed=memory", &name)?;
        nothing_unhandled(&page)?;
    }
    Ok(())
}

/// Nothing can tell what is missing where its own script is: the words are index.html's.
#[test]
fn a_missing_start_script() -> Result {
    let page = Page::start(View::DESKTOP)?;
    page.open("")?;
    let name = file(&page, "start-", ".js")?;
    page.replace_file(&name, 404, "");
    says(&page, "v=1", "Its script has not arrived")
}

#[test]
fn forbidden_programs_are_explained() -> Result {
    let page = Page::start(View::DESKTOP)?;
    // No scripts at all: the words are index.html's own.
    page.set_headers(&["Content-Security-Policy: script-src 'none'"]);
    says(&page, "v=1", "forbidden by a policy")?;
    says(&page, "v=1&embed=memory", "forbidden by a policy")?;
    // Not even styles.
    page.set_headers(&["Content-Security-Policy: default-src 'none'"]);
    says(&page, "v=1", "forbidden by a policy")?;
    let no_wasm = format!(
        "Content-Security-Policy: {}",
        POLICY.replace(" 'wasm-unsafe-eval'", "")
    );
    page.set_headers(&[&no_wasm]);
    says(&page, "v=1", "forbids it: script-src wasm-eval")
}

#[test]
fn another_build_is_recognised() -> Result {
    let page = Page::start(View::DESKTOP)?;
    page.at_every_start(UNHANDLED)?;
    page.open("")?;
    let wasm = file(&page, "ridgepoint-", "_bg.wasm")?;
    page.replace_file(&wasm, 200, "not a program");
    says(&page, "v=1", "do not fit together")?;
    nothing_unhandled(&page)?;
    // The host has a new index.html by the time this one asks for its program.
    page.replace_file(&wasm, 404, "");
    let script = "const real = fetch; window.fetch = (url, how) => how?.cache === 'no-store'\
        ? Promise.resolve(new Response('<link href=./ridgepoint-0123456789abcdef.js>')) : real(url, how)";
    page.at_every_start(script)?;
    says(&page, "v=1", "Ridgepoint was renewed")
}

#[test]
fn reloading_starts_it() -> Result {
    let page = Page::start(View::DESKTOP)?;
    page.set_headers(&[
        "Content-Security-Policy: script-src 'none'",
        "Cache-Control: no-store",
    ]);
    says(&page, "v=1&gpus=64", "has not started")?;
    page.set_headers(&["Cache-Control: no-store"]);
    page.css("#late a")?.click()?;
    agrees(&page)?;
    assert_eq!(page.query()?, "v=1&gpus=64");
    Ok(())
}

/// A part of a build that the host no longer has.
#[test]
fn a_deploy_under_an_open_page_says_so() -> Result {
    let page = Page::start(View::DESKTOP)?;
    page.at_every_start(UNHANDLED)?;
    page.open("v=1&gpus=64")?;
    agrees(&page)?;
    if !in_parts(&page) {
        return Ok(());
    }
    page.replace_file(".wasm", 404, "");
    item(&page, ".tabs .tab", "Limits")?.click()?;
    reads(&page, "Limits could not be loaded.")?;
    let home = "<link href=\"./ridgepoint-0123456789abcdef.js\">";
    page.replace_file("/", 200, home);
    item(&page, ".tabs .tab", "Explore")?.click()?;
    item(&page, ".tabs .tab", "Plans")?.click()?;
    reads(
        &page,
        "Ridgepoint was renewed since this page was loaded; reload, your scenario is in the address.",
    )?;
    page.named("button", "Reload")?;
    nothing_unhandled(&page)?;
    Ok(())
}
