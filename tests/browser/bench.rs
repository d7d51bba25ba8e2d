//! `cargo xtask bench`: measures the response times of the page with the browser's clock.
//!
//! Times on a shared machine vary, so no time makes the run fail.

use std::process::ExitCode;

use ridgepoint_tests::driver::{Failure, Page, Pointer, Result, View, key};
use serde_json::{Value, json};

/// Permalink to a search over a hundred thousand plans: six strategies on five accelerators.
const SEARCH: &str = "view=plans&accelerators=h100,h200,b200,gb200,mi300x";
/// Number of runs per measurement; their median is printed.
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

const VIEWS: [(&str, &str); 5] = [
    ("Explore", ""),
    ("Limits", "view=limits"),
    ("Plans", "view=plans"),
    ("Ratio", "view=disagg&mode=ratio"),
    ("Split", "view=disagg&mode=split"),
];

/// Script that measures the time between animation frames while a slider moves back and forth by 1% of its maximum
/// per frame. The time covers event handling, evaluation, drawing of all charts, and painting. The slider is Context,
/// which every view has.
const DRAG: &str = "const done = arguments[arguments.length - 1];\
    const row = document.querySelector('.panel [data-row=context] input[type=range]');\
    row.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerId: 1 }));\
    const from = Number(row.value), frames = [];\
    let last = 0, turn = 0;\
    const tick = now => {\
      if (turn > 8) frames.push(now - last);\
      last = now;\
      if (turn++ > 140) { row.dispatchEvent(new PointerEvent('pointerup', { bubbles: true, pointerId: 1 })); done(frames); return }\
      const stop = from + Number(row.max) / 100 * (turn % 40 < 20 ? turn % 20 : 20 - turn % 20);\
      row.value = Math.min(Number(row.max), stop);\
      row.dispatchEvent(new Event('input', { bubbles: true }));\
      requestAnimationFrame(tick);\
    };\
    requestAnimationFrame(tick)";

/// Script that moves the pointer to 24 positions of every chart and measures two durations per move. The first covers
/// script, styles and layout until the tooltip is up to date. The second lasts until the end of the animation frame,
/// which the browser paints in any case.
const POINT: &str = "const done = arguments[arguments.length - 1];\
    const channel = new MessageChannel(), costs = [], frames = [];\
    const plots = [...document.querySelectorAll('.plot')];\
    const moves = plots.flatMap(plot => [...Array(24).keys()].map(i => [plot, (i + .5) / 24, .25 + .5 * (i * 7 % 24) / 24]));\
    let began = 0, turn = 0;\
    const next = async () => {\
      if (turn >= moves.length) { done([costs, frames]); return }\
      const [plot, x, y] = moves[turn++], box = plot.getBoundingClientRect();\
      began = performance.now();\
      plot.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, pointerType: 'mouse',\
        clientX: box.left + box.width * x, clientY: box.top + box.height * y }));\
      for (let i = 0; i < 8; i++) await null;\
      void document.body.offsetHeight;\
      costs.push(performance.now() - began);\
      channel.port2.postMessage(0);\
    };\
    channel.port1.onmessage = () => { frames.push(performance.now() - began); requestAnimationFrame(next) };\
    next()";

const FIRST_CHART: &str = "const look = () => {\
      const canvas = document.querySelector('.plot canvas');\
      if (canvas && canvas.height > 0 && canvas.width !== 300) { window.first_chart_ms = performance.now(); return }\
      requestAnimationFrame(look);\
    };\
    requestAnimationFrame(look)";

fn measure() -> Result {
    let mut told = Vec::new();
    println!(
        "slider to paint, ms      scale   median    p95   longest   pointer move  heaviest   longest  with frame  heaviest   longest"
    );
    for (name, link) in VIEWS {
        for scale in [1.0, 2.0] {
            let page = Page::start(View::DESKTOP.scale(scale))?;
            page.open(link)?;
            page.settle()?;
            let mut frames = numbers(&page.run_async(DRAG, &[])?);
            page.settle()?;
            let (median, late, longest) = spread(&mut frames);
            let mut passes = (Vec::new(), Vec::new());
            for _ in 0..RUNS {
                let moved = page.run_async(POINT, &[])?;
                passes.0.push(numbers(&moved[0]));
                passes.1.push(numbers(&moved[1]));
            }
            let [moves, whole] = [at_places(&passes.0), at_places(&passes.1)];
            println!(
                "{name:<24} {scale:>5} {median:>8.1} {late:>6.1} {longest:>9.1} {:>14.2} {:>9.2} {:>9.2} {:>11.2} {:>9.2} {:>9.2}",
                moves.median,
                moves.heaviest,
                moves.longest,
                whole.median,
                whole.heaviest,
                whole.longest
            );
            told.push(json!({
                "view": name, "scale": scale,
                "slider_to_paint_ms": { "median": median, "p95": late, "longest": longest },
                "pointer_move_ms": moves.told(),
                "pointer_move_with_frame_ms": whole.told(),
            }));
        }
    }
    let mut loads = Vec::new();
    for _ in 0..RUNS {
        let page = Page::start(View::DESKTOP)?;
        page.at_every_start(FIRST_CHART)?;
        page.open("")?;
        let seen = page.wait_for(
            "the first chart",
            || page.run("return window.first_chart_ms ?? null", &[]),
            |seen| seen.is_number(),
        )?;
        loads.extend(seen.as_f64());
    }
    let (load, _, slowest) = spread(&mut loads);
    println!("cold load to first chart {load:>14.0} median {slowest:>17.0} longest of {RUNS}");
    let papers = papers()?;
    let panel = panel()?;
    let told = json!({ "views": told, "papers_ready_ms": papers, "account_open_ms": panel, "cold_load_to_first_chart_ms": { "median": load, "longest": slowest } });
    let file = std::path::Path::new("target/bench.json");
    if let Err(cause) = std::fs::write(file, format!("{told:#}\n")) {
        let what = format!("{} was not written: {cause}", file.display());
        return Err(Failure::Setup(what));
    }
    println!("as JSON: {}", file.display());
    search()
}

/// Script that measures the time from a click on Evidence until the chart and tables of measured runs are painted. A
/// timer set inside a frame fires only after that frame is painted.
const PAPERS: &str = "const done = arguments[arguments.length - 1];\
    const tab = [...document.querySelectorAll('.tabs .tab')].find(a => a.textContent.trim() === 'Evidence');\
    const began = performance.now();\
    tab.click();\
    const look = () => {\
      if (document.querySelector('.papers-line') && document.querySelector('.papers-systems'))\
        setTimeout(() => done(performance.now() - began));\
      else requestAnimationFrame(look);\
    };\
    look()";
/// Time from the pointer reaching a tab to the click on the tab.
const REACHED: std::time::Duration = std::time::Duration::from_millis(150);

fn papers() -> Result<Value> {
    let (mut first, mut again) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let page = Page::start(View::DESKTOP)?;
        page.open("")?;
        page.settle()?;
        let tab = page
            .css_all(".tabs .tab")?
            .into_iter()
            .next_back()
            .ok_or_else(|| Failure::Setup("there is no tab".to_owned()))?;
        page.hover(tab.rect()?.at(0.5, 0.5))?;
        std::thread::sleep(REACHED);
        first.extend(page.run_async(PAPERS, &[])?.as_f64());
        page.css(".tabs .tab")?.click()?;
        page.settle()?;
        again.extend(page.run_async(PAPERS, &[])?.as_f64());
    }
    let told = json!({ "first": median(&mut first), "again": median(&mut again) });
    println!(
        "click on Evidence → ready{:>14.0} median {:>17.0} again, of {RUNS}",
        median(&mut first),
        median(&mut again)
    );
    Ok(told)
}

/// Script that measures the time from a click on a figure until its account (tree of formulas) is painted.
const ACCOUNT: &str = "const done = arguments[arguments.length - 1];\
    const figure = document.querySelectorAll('.figure.opens')[arguments[0]];\
    const began = performance.now();\
    figure.click();\
    const look = () => requestAnimationFrame(() => {\
      if (document.querySelectorAll('.explain-tree [role=treeitem]').length > 1)\
        setTimeout(() => done(performance.now() - began));\
      else look();\
    });\
    look()";
/// Figures of Explore whose accounts (trees of formulas) are timed: the one that opens slowest in the default
/// scenario, and a fast one.
const FIGURES: [(&str, usize); 2] = [("TPOT", 0), ("memory", 3)];

/// Measures the time to open a figure's account (tree of formulas), first on an idle page, then repeatedly.
fn panel() -> Result<Value> {
    let mut told = Vec::new();
    for (name, figure) in FIGURES {
        let (mut first, mut again) = (Vec::new(), Vec::new());
        for _ in 0..RUNS {
            let page = Page::start(View::DESKTOP)?;
            page.open("v=3")?;
            page.settle()?;
            let opened = || page.run_async(ACCOUNT, &[json!(figure)]);
            first.extend(opened()?.as_f64());
            for _ in 0..RUNS {
                page.keys(&key::ESCAPE.to_string())?;
                page.wait_for(
                    "a closed panel",
                    || page.css_all(".explain-tree"),
                    |found| found.is_empty(),
                )?;
                again.extend(opened()?.as_f64());
            }
        }
        let (first, again) = (median(&mut first), median(&mut again));
        println!(
            "click on {name:<14} → account {first:>8.1} median {again:>16.1} again, of {RUNS}"
        );
        told.push(json!({ "figure": name, "first": first, "again": again }));
    }
    Ok(json!(told))
}

/// Times of pointer moves to the same chart positions, over several passes.
struct AtPlaces {
    /// Median time of all moves, in ms.
    median: f64,
    /// Time at the slowest position, in ms. It is the median over several passes, which excludes other load on the
    /// machine.
    heaviest: f64,
    /// Time of the longest single move, in ms.
    longest: f64,
}

impl AtPlaces {
    fn told(&self) -> Value {
        json!({ "median": self.median, "heaviest": self.heaviest, "longest": self.longest })
    }
}

fn at_places(passes: &[Vec<f64>]) -> AtPlaces {
    let places = passes.iter().map(Vec::len).max().unwrap_or_default();
    let of = |place: usize| {
        passes
            .iter()
            .filter_map(move |pass| pass.get(place).copied())
    };
    let heaviest = (0..places)
        .map(|place| median(&mut of(place).collect::<Vec<_>>()))
        .fold(0.0, f64::max);
    let (median, _, longest) = spread(&mut passes.concat());
    AtPlaces {
        median,
        heaviest,
        longest,
    }
}

fn numbers(seen: &Value) -> Vec<f64> {
    let all = seen.as_array().map(Vec::as_slice).unwrap_or_default();
    all.iter().filter_map(Value::as_f64).collect()
}

/// Returns the median, 95th percentile and maximum.
fn spread(values: &mut [f64]) -> (f64, f64, f64) {
    let middle = median(values);
    let late = values.get(values.len() * 95 / 100).copied();
    let longest = values.last().copied();
    (
        middle,
        late.unwrap_or(f64::NAN),
        longest.unwrap_or(f64::NAN),
    )
}

fn search() -> Result {
    let page = Page::start(View::DESKTOP)?;
    page.open(SEARCH)?;
    let said = settled(&page)?;
    println!("search in the page   {said} (the first)");

    // Time from a click on a strategy until the new result is painted: request, search, response and drawing. The
    // searches alternate between five and six strategies.
    let mut clicks = Vec::new();
    let mut searches = Vec::new();
    for _ in 0..RUNS {
        let script = "const done = arguments[arguments.length - 1];\
            const status = document.querySelector('.plans-status [role=status]');\
            const family = document.querySelector('.bar-families input');\
            const before = performance.now();\
            const watch = new MutationObserver(() => {\
              if (!status.innerText.includes(' plans searched')) return;\
              watch.disconnect();\
              requestAnimationFrame(() => requestAnimationFrame(() => done([performance.now() - before, status.title])));\
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

    // Frames while a slider is dragged, with a new search at every step.
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
        .map(|all| all.iter().filter_map(Value::as_f64).collect())
        .unwrap_or_default();
    let tasks = seen[1].as_array().map_or(0, Vec::len);
    let longest = frames.iter().copied().fold(0.0, f64::max);
    println!(
        "a drag that searches {:.1} ms median frame, {longest:.1} ms the longest of {}, {tasks} tasks over 50 ms",
        median(&mut frames),
        frames.len(),
    );
    Ok(())
}

/// Waits for the end of a plan search; returns the status line of the search.
fn settled(page: &Page) -> Result<String> {
    page.wait_for(
        "a search to be done",
        || page.css(".plans-status [role=status]")?.text(),
        |said| said.contains(" plans searched"),
    )
}

/// Parses the time in a status line, such as "searched in 96.2 ms" or "… in 1.02 s"; returns it in milliseconds.
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
