//! Tests that a page that cannot start shows the reason within ten seconds. An open page reports when a new deploy has
//! removed one of its parts.

use ridgepoint_tests::driver::{Page, Result, View};
use serde_json::json;
use site::POLICY;
use std::thread;
use std::time::{Duration, Instant};

use crate::reader::{agrees, in_parts, item, reads, text};

/// Time limit for an explanation to appear.
const SOON: Duration = Duration::from_secs(10);

/// Of the files used by the page, returns the name of the first one that starts with `begins` and ends with `ends`.
fn file(page: &Page, begins: &str, ends: &str) -> Result<String> {
    let script = "const [begins, ends] = arguments;\
        return [...document.querySelectorAll('[href], [src]')]\
          .map(e => (e.getAttribute('href') || e.getAttribute('src')).split('/').pop())\
          .find(name => name.startsWith(begins) && name.endsWith(ends))";
    let found = page.run(script, &[json!(begins), json!(ends)])?;
    Ok(text(&found).to_owned())
}

/// Opens a page that cannot start, and waits for the given explanation and a way to reload the page.
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

const UNHANDLED: &str = "window.unhandled = [];\
    addEventListener('unhandledrejection', event => unhandled.push(String(event.reason)))";

fn nothing_unhandled(page: &Page) -> Result {
    let found = page.run("return window.unhandled", &[])?;
    assert_eq!(found, json!([]), "unhandled rejections");
    Ok(())
}

/// Script that records when an explanation appeared in place of the page, and its text: `[ms, words]`.
const SEEN: &str = "window.seen = null; setInterval(() => {\
    const late = document.getElementById('late');\
    if (late && getComputedStyle(late).visibility === 'visible')\
      seen ??= [performance.now(), late.innerText];\
    }, 200)";

/// Opens a page while one of its files hangs. Checks that an explanation is painted in time, and that the page starts
/// once the file arrives.
fn says_while_it_hangs(page: &Page, name: &str, words: &str) -> Result {
    page.delay_file(name, SOON + Duration::from_secs(4));
    page.at_every_start(SEEN)?;
    page.open("v=1")?;
    let script =
        "return [...seen ?? [null, ''], performance.getEntriesByName('first-paint')[0]?.startTime]";
    let seen = page.run(script, &[])?;
    assert!(text(&seen[1]).contains(words), "{name}: {seen}");
    let soon = SOON.as_secs_f64() * 1e3;
    for at in [&seen[0], &seen[2]] {
        assert!(at.as_f64().is_some_and(|at| at < soon), "{name}: {seen}");
    }
    agrees(page).map(drop)
}

// The tests below do not use `on_page`: the browser logs missing files as errors.

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
            &format!("{name} is missing on this server (404)"),
        )?;
        nothing_unhandled(&page)?;
        // In a figure, too.
        says(&page, "v=1&embed=memory", &name)?;
        nothing_unhandled(&page)?;
    }
    Ok(())
}

/// Checks that the page names a file for which the host sends an error other than 404, or HTML, as hosts of single-page
/// apps do.
#[test]
fn refused_files_are_named() -> Result {
    let page = Page::start(View::DESKTOP)?;
    page.open("")?;
    for (begins, ends) in [("ridgepoint-", ".js"), ("style-", ".css")] {
        let name = file(&page, begins, ends)?;
        let page = Page::start(View::DESKTOP)?;
        page.replace_file(&name, 500, "");
        says(&page, "v=1", &format!("did not send its file {name} (500)"))?;
        page.replace_file(&name, 200, "<!doctype html><p>Home</p>");
        page.retype_file(&name, "text/html");
        says(
            &page,
            "v=1",
            &format!("This server sends its file {name} as text/html."),
        )?;
    }
    Ok(())
}

/// Checks that a page explains in time that one of its files hangs. While the style sheet or the program is missing,
/// the page reports that it is still loading, not a failure.
#[test]
fn hanging_files_leave_words() -> Result {
    let page = Page::start(View::DESKTOP)?;
    page.open("")?;
    let hanging = [
        ("start-", ".js", "Its script did not load"),
        ("style-", ".css", "Ridgepoint is still loading"),
        ("ridgepoint-", ".wasm", "Ridgepoint is still loading"),
    ];
    let names = hanging.map(|(begins, ends, _)| file(&page, begins, ends));
    // Each file hangs for fourteen seconds without using the machine, so the three cases run at once.
    thread::scope(|scope| {
        let running: Vec<_> = hanging
            .into_iter()
            .zip(names)
            .map(|((.., words), name)| {
                scope
                    .spawn(move || says_while_it_hangs(&Page::start(View::DESKTOP)?, &name?, words))
            })
            .collect();
        running
            .into_iter()
            .try_for_each(|one| one.join().expect("it has said why"))
    })
}

/// Checks the explanation in a browser that cannot compile the program: the browser is reported as too old, and not the
/// files as a mix of two builds.
#[test]
fn an_old_browser_is_named() -> Result {
    let page = Page::start(View::DESKTOP)?;
    let old = "const old = () => Promise.reject(new WebAssembly.CompileError('unknown opcode'));\
        WebAssembly.instantiateStreaming = WebAssembly.instantiate = old";
    page.at_every_start(old)?;
    says(&page, "v=1", "This browser is too old for its program.")
}

/// Checks the explanation for a missing start script. It is part of `index.html`, because a script that is missing
/// cannot report itself.
#[test]
fn a_missing_start_script() -> Result {
    let page = Page::start(View::DESKTOP)?;
    page.open("")?;
    let name = file(&page, "start-", ".js")?;
    page.replace_file(&name, 404, "");
    says(&page, "v=1", "Its script did not load")
}

#[test]
fn forbidden_programs_are_explained() -> Result {
    let page = Page::start(View::DESKTOP)?;
    // Without any scripts, the explanation comes from index.html.
    page.set_headers(&["Content-Security-Policy: script-src 'none'"]);
    says(&page, "v=1", "security policy of this server")?;
    says(&page, "v=1&embed=memory", "security policy of this server")?;
    // Styles are forbidden, too.
    page.set_headers(&["Content-Security-Policy: default-src 'none'"]);
    says(&page, "v=1", "security policy of this server")?;
    let no_wasm = format!(
        "Content-Security-Policy: {}",
        POLICY.replace(" 'wasm-unsafe-eval'", "")
    );
    page.set_headers(&[&no_wasm]);
    says(&page, "v=1", "embedding page: script-src wasm-eval")
}

#[test]
fn another_build_is_recognised() -> Result {
    let page = Page::start(View::DESKTOP)?;
    page.at_every_start(UNHANDLED)?;
    page.open("")?;
    let wasm = file(&page, "ridgepoint-", "_bg.wasm")?;
    page.replace_file(&wasm, 200, "not a program");
    says(&page, "v=1", "Files from different builds are mixed.")?;
    nothing_unhandled(&page)?;
    // The host has a new index.html by the time this one asks for its program.
    page.replace_file(&wasm, 404, "");
    let script = "const real = fetch; window.fetch = (url, how) => how?.cache === 'no-store'\
        ? Promise.resolve(new Response('<link href=./ridgepoint-0123456789abcdef.js>')) : real(url, how)";
    page.at_every_start(script)?;
    says(&page, "v=1", "A new version is available.")
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

/// Checks an open page whose host no longer serves all parts of its build: the page explains which view failed to
/// load, or that a new version is available.
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
    item(&page, ".view-tabs a", "How far can it go?")?.click()?;
    reads(&page, "Limits failed to load.")?;
    let home = "<link href=\"./ridgepoint-0123456789abcdef.js\">";
    page.replace_file("/", 200, home);
    item(&page, ".tabs .tab", "Bottleneck")?.click()?;
    item(&page, ".tabs .tab", "Plans")?.click()?;
    reads(
        &page,
        "A new version is available. Reload; your scenario is saved in the URL.",
    )?;
    page.named("button", "Reload")?;
    nothing_unhandled(&page)?;
    Ok(())
}

/// Checks that a view whose files fail to load names the cause and leaves no promise rejection unhandled.
#[test]
fn failed_parts_name_their_cause() -> Result {
    let page = Page::start(View::DESKTOP)?;
    page.at_every_start(UNHANDLED)?;
    page.open("v=1")?;
    agrees(&page)?;
    if !in_parts(&page) {
        return Ok(());
    }
    page.settle()?;
    let all = ["Plans", "Traffic", "Evidence"];
    let round = |words: &str| -> Result {
        for place in all {
            item(&page, ".tabs .tab", place)?.click()?;
            reads(&page, words)?;
        }
        item(&page, ".tabs .tab", "Bottleneck")?.click()?;
        nothing_unhandled(&page)
    };
    page.set_online(false)?;
    round("failed to load.")?;
    page.set_online(true)?;
    page.replace_file(".css", 404, "");
    page.replace_file(".wasm", 404, "");
    round("is missing on this server (404). The rest of the page still works.")?;
    page.replace_file(".wasm", 500, "");
    page.replace_file(".css", 500, "");
    round("(500). The rest of the page still works.")
}

/// Checks that a view whose files never arrive names possible causes and offers a Reload button.
#[test]
fn a_hanging_part_says_so() -> Result {
    let page = Page::start(View::DESKTOP)?;
    page.open("v=1")?;
    agrees(&page)?;
    if !in_parts(&page) {
        return Ok(());
    }
    page.settle()?;
    page.delay_file(".wasm", Duration::from_secs(12));
    item(&page, ".tabs .tab", "Plans")?.click()?;
    reads(&page, "Loading Plans…")?;
    reads(&page, "The connection is slow, or a file is blocked.")?;
    page.named("button", "Reload")?;
    Ok(())
}
