//! `cargo xtask soak`: checks that the page's memory does not grow during long use.
//!
//! Two sizes grow at first even without a leak. WebAssembly memory never shrinks, so it has the size that the largest
//! scenario so far needed. The script heap grows with newly loaded code and newly measured text widths. Each round
//! shows one preset, with other choices and another typed value than the last time. Once every preset has been shown
//! with several choices, both sizes level off, and the check starts.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use model_core::preset::PRESETS;
use ridgepoint_tests::driver::{Failure, Page, Point, Pointer, Result, View, key};
use serde_json::{Value, json};

/// Number of warm-up rounds. By then, every preset has been shown in every view with three of its choices, and every
/// value has been typed.
const WARM: usize = 3 * PRESETS.len();
/// Time between intermediate measurements of the page's weight (nodes, listeners, memory), which are only printed.
const GLANCE: Duration = Duration::from_secs(60);
/// Largest allowed relative growth of the page's weight (nodes, listeners, memory) after the warm-up.
const SLACK: f64 = 0.05;
const WEIGHTS: [&str; 4] = ["nodes", "listeners", "script heap", "WebAssembly memory"];

/// Script that shows each view for a few frames. In each view it selects one option and toggles one collapsible
/// section, which vary by round.
const VIEWS: &str = "const frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));\
    const pick = list => list[round % list.length];\
    return (async () => {\
      for (const tab of document.querySelectorAll('.tabs .tab')) {\
        tab.click();\
        for (let wait = 0; wait < 4; wait++) await frame();\
        pick([...document.querySelectorAll('main select, main input[type=radio]')])?.click();\
        pick([...document.querySelectorAll('main summary')])?.click();\
        await frame();\
      }\
      document.querySelector('.tabs .tab').click();\
      await frame()\
    })()";

/// Script that scrolls to the next slider and returns positions on it: three horizontal ones and a vertical one.
const SLIDER: &str = "const sliders = [...document.querySelectorAll('.panel input[type=range]')];\
    const slider = sliders[round % sliders.length];\
    slider.scrollIntoView({ block: 'center' });\
    const { x, y, width, height } = slider.getBoundingClientRect();\
    return [...[0.5, 0.2, 0.7].map(part => x + part * width), y + height / 2]";

/// Script that adds a figure in a frame and removes it again.
const EMBED: &str = "return new Promise(done => {\
      const frame = document.createElement('iframe');\
      frame.onload = () => setTimeout(() => { frame.remove(); done() }, 500);\
      frame.src = src;\
      document.body.append(frame)\
    })";

/// Script that changes the page's URL query and gives the page 300 ms to show the new scenario.
const FOLLOW: &str = "history.pushState(null, '', '?' + query);\
    dispatchEvent(new PopStateEvent('popstate'));\
    return new Promise(done => setTimeout(done, 300))";

const FOCUS: &str =
    "const field = document.querySelector('.panel .field input'); field.focus(); field.select()";

const FIGURES: [&str; 4] = ["breakdown", "roofline", "map", "plans"];

fn main() -> ExitCode {
    let minutes = std::env::args().nth(1).and_then(|word| word.parse().ok());
    match soak(Duration::from_secs(60 * minutes.unwrap_or(30_u64))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn soak(time: Duration) -> Result {
    let page = Page::start(View::DESKTOP)?;
    page.open("")?;
    page.settle()?;
    let began = Instant::now();
    let mut warm = None;
    let mut round = 0;
    let mut next = GLANCE;
    while began.elapsed() < time || warm.is_none() {
        if round == WARM {
            warm = Some(weigh(&page, round, began)?);
        } else if began.elapsed() > next {
            weigh(&page, round, began)?;
            next = began.elapsed() + GLANCE;
        }
        use_once(&page, round)?;
        round += 1;
    }
    let end = weigh(&page, round, began)?;
    let changed: Vec<String> = (WEIGHTS.iter().zip(warm.unwrap_or(end)).zip(end))
        .map(|((what, before), after)| (what, after / before - 1.0))
        .filter(|(_, change)| change.abs() > SLACK)
        .map(|(what, change)| format!("{what} changed by {:.1} %", 100.0 * change))
        .collect();
    if changed.is_empty() {
        page.check_manners()
    } else {
        Err(Failure::Manners(changed))
    }
}

/// Uses the page for one round, with a bit of every kind of interaction.
fn use_once(page: &Page, round: usize) -> Result {
    let run = |script: &str, name: &str, value: Value| {
        page.evaluate(&format!("(({name}) => {{ {script} }})({value})"))
    };
    run(VIEWS, "round", json!(round))?;
    let at = run(SLIDER, "round", json!(round))?;
    let at = |place: usize| at[place].as_f64().unwrap_or_default();
    let through = [at(0), at(1), at(2)].map(|x| Point { x, y: at(3) });
    page.drag_through(Pointer::Mouse, &through)?;
    run(FOCUS, "_", json!(null))?;
    page.keys(&format!("{}{}", 1 + round % 64, key::ENTER))?;
    for _ in 0..2 {
        page.back()?;
    }
    page.forward()?;
    let preset = &PRESETS[round % PRESETS.len()];
    run(FOLLOW, "query", json!(preset.link))?;
    run(VIEWS, "round", json!(round))?;
    let figure = FIGURES[round % FIGURES.len()];
    let src = format!("{}?v=1&gpus=64&embed={figure}", page.home());
    run(EMBED, "src", json!(src))?;
    // Read the console, because unread logs grow in the driver.
    page.console()?;
    run(FOLLOW, "query", json!("v=1")).map(drop)
}

fn weigh(page: &Page, round: usize, began: Instant) -> Result<[f64; 4]> {
    page.settle()?;
    let weights = page.weight()?;
    let minutes = began.elapsed().as_secs_f64() / 60.0;
    println!("{minutes:.1} minutes, {round} rounds: {weights:.0?} ({WEIGHTS:?})");
    Ok(weights)
}
