//! `cargo xtask bench`: what a person waits for in the page, measured in the browser by its own clock.
//!
//! Times on a shared machine wander; nothing here passes or fails.

use std::process::ExitCode;

use ridgepoint_tests::driver::{Page, Pointer, Result, View};
use serde_json::json;

/// A hundred thousand plans: six families on 5 accelerators.
const SEARCH: &str = "view=plans&accelerators=h100,h200,b200,gb200,mi300x";
/// Runs of which the middle one is told.
const RUNS: usize = 7;

fn main() -> ExitCode {
    match measure() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn measure() -> Result {
    let page = Page::start(View::DESKTOP)?;
    page.open(SEARCH)?;
    let said = settled(&page)?;
    println!("search in the page   {said} (the first)");

    // From a click on a family to the picture of the new answer: request, search, answer, drawing. Every
    // other search has five families of six.
    let mut clicks = Vec::new();
    let mut searches = Vec::new();
    for _ in 0..RUNS {
        let script = "const done = arguments[arguments.length - 1];\
            const status = document.querySelector('.plans-status [role=status]');\
            const family = document.querySelector('.plans-families input');\
            const before = performance.now();\
            const watch = new MutationObserver(() => {\
              if (!status.innerText.includes(' plans in ')) return;\
              watch.disconnect();\
              requestAnimationFrame(() => requestAnimationFrame(() => done([performance.now() - before, status.innerText])));\
            });\
            watch.observe(status, { characterData: true, childList: true, subtree: true });\
            family.click()";
        let seen = page.run_async(script, &[])?;
        clicks.push(seen[0].as_f64().unwrap_or(f64::NAN));
        searches.push(milliseconds(seen[1].as_str().unwrap_or_default()));
    }
    println!(
        "  {RUNS} more times       {:.0} ms in the worker, {:.0} ms from click to picture (medians)",
        median(&mut searches),
        median(&mut clicks)
    );

    // Frames while a slider is dragged and every step is searched anew.
    page.open(SEARCH)?;
    settled(&page)?;
    page.run(
        "window.frames_ms = []; let last = performance.now();\
         const tick = now => { window.frames_ms.push(now - last); last = now; window.ticking = requestAnimationFrame(tick) };\
         window.ticking = requestAnimationFrame(tick);\
         window.tasks_ms = [];\
         new PerformanceObserver(list => list.getEntries().forEach(entry => window.tasks_ms.push(entry.duration)))\
           .observe({ type: 'longtask' })",
        &[],
    )?;
    let slider = page.named("slider", "Context")?;
    let place = slider.call("return arguments[0].value / arguments[0].max", &json!(null))?;
    let from = slider.rect()?.at(place.as_f64().unwrap_or_default(), 0.5);
    let points: Vec<_> = [0.0, 60.0, 10.0, 110.0, 20.0, 80.0]
        .map(|right| from.offset(right, 0.0))
        .into();
    page.drag_through(Pointer::Mouse, &points)?;
    let seen = page.run(
        "cancelAnimationFrame(window.ticking); return [window.frames_ms.slice(2), window.tasks_ms]",
        &[],
    )?;
    let mut frames: Vec<f64> = seen[0]
        .as_array()
        .map(|all| all.iter().filter_map(serde_json::Value::as_f64).collect())
        .unwrap_or_default();
    let tasks = seen[1].as_array().map_or(0, Vec::len);
    let longest = frames.iter().copied().fold(0.0, f64::max);
    println!(
        "dragging meanwhile   {:.1} ms median frame, {longest:.1} ms the longest of {}, {tasks} tasks over 50 ms",
        median(&mut frames),
        frames.len(),
    );
    Ok(())
}

/// Waits for a search to be done and gives back what the page says about it.
fn settled(page: &Page) -> Result<String> {
    page.wait_for(
        "a search to be done",
        || page.css(".plans-status [role=status]")?.text(),
        |said| said.contains(" plans in "),
    )
}

/// "115,560 plans in 96.2 ms, …" or "… in 1.02 s, …" in milliseconds.
fn milliseconds(said: &str) -> f64 {
    let time = said.split(" in ").nth(1).unwrap_or_default();
    let mut words = time.split([' ', ',']);
    let number: f64 = words
        .next()
        .and_then(|word| word.parse().ok())
        .unwrap_or(f64::NAN);
    if words.next() == Some("s") {
        number * 1e3
    } else {
        number
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
