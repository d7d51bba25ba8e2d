//! Reads parts of the page for tests: figures, verdict, sliders, fields, and notices.

use model_core::evaluate::evaluate;
use model_core::permalink::{self, FigureId, read};
use model_core::report::report;
use ridgepoint_tests::driver::{Element, Failure, Page, Point, Result, View};
use serde_json::{Value, json};

/// A headline figure as shown on the page.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Name of the figure, such as "Time per output token".
    pub name: String,
    /// Value without its unit, such as "79.8".
    pub value: String,
    /// Unit of the value, such as "ms".
    pub unit: String,
    /// Text below the value; may be empty. It is a condition ("if it fit"), or a change and the former value ("44% more
    /// was 55.3").
    pub below: String,
}

pub const TPOT: &str = "Time per output token";
pub const PER_GPU: &str = "Throughput per GPU";
pub const MEMORY: &str = "Memory per GPU";

/// Names of the groups in the scenario panel.
pub const GROUPS: [&str; 6] = [
    "Model",
    "Hardware",
    "Parallelism",
    "Workload",
    "Precision",
    "Calibration",
];

/// Permalink identifier and question of each of the four charts on the first screen.
pub const CHARTS: [(&str, &str); 4] = [
    ("roofline", "Compute or memory?"),
    ("breakdown", "Where does the step time go?"),
    ("pareto", "Is the batch size right?"),
    ("memory", "Does it fit?"),
];

/// Returns the permalink identifier and the question of every chart that Explore shows without a pinned scenario A and
/// without measurements.
pub fn all_charts() -> impl Iterator<Item = (&'static str, &'static str)> {
    let no_chart = |id: &FigureId| {
        matches!(
            id,
            FigureId::Levers
                | FigureId::Waterfall
                | FigureId::Benchmark
                | FigureId::Explain
                | FigureId::Explore
        )
    };
    FigureId::OWN
        .into_iter()
        .filter(move |id| id.view() == permalink::View::Explore && !no_chart(id))
        .map(|id| (id.id(), id.question()))
}

/// Returns all headline figures on the page.
pub fn figures(page: &Page) -> Result<Vec<Figure>> {
    // Without texts for screen readers only.
    let script = "const group = document.querySelector('[role=group][aria-label=\"Key metrics\"]');\
        const heard = e => e.offsetWidth <= 1 && e.offsetHeight <= 1;\
        const seen = e => [...e.childNodes].map(node => node.nodeType === Node.TEXT_NODE ? node.data\
          : node.nodeType === Node.ELEMENT_NODE && !heard(node) ? seen(node) : '').join('');\
        return group ? [...group.querySelectorAll('.figure')].map(cell =>\
          [...cell.children].filter(part => !part.matches('.figure-opens')).map(seen).join('\\n')) : []";
    let cells = page.run(script, &[])?;
    let cells = cells.as_array().map(Vec::as_slice).unwrap_or_default();
    Ok(cells.iter().map(|cell| read_figure(text(cell))).collect())
}

fn read_figure(text: &str) -> Figure {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let name = lines.next().unwrap_or_default().to_owned();
    let (value, unit) = lines
        .next()
        .unwrap_or_default()
        .split_once(' ')
        .unwrap_or_default();
    Figure {
        name,
        value: value.to_owned(),
        unit: unit.to_owned(),
        below: lines.collect::<Vec<_>>().join(" "),
    }
}

/// Waits for the figure with this name and returns it; the name of the cost figure includes the price.
pub fn figure(page: &Page, name: &str) -> Result<Figure> {
    page.wait_until(&format!("a figure “{name}”"), || {
        let all = figures(page)?;
        let found = all.iter().find(|figure| figure.name == name).cloned();
        Ok(found.ok_or_else(|| format!("{all:?}")))
    })
}

/// Returns the value of a figure as a number.
pub fn amount(page: &Page, name: &str) -> Result<f64> {
    number(&figure(page, name)?.value)
}

/// Parses a number in one of the page's notations: `79.8`, `3.21k`, `$0.113`, `18,432`.
pub fn number(text: &str) -> Result<f64> {
    let plain = text
        .trim()
        .trim_start_matches('$')
        .replace(',', "")
        .replace('−', "-");
    let suffixes = [("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12)];
    let suffix = suffixes.iter().find(|(suffix, _)| plain.ends_with(suffix));
    let (digits, factor) = match suffix {
        Some((suffix, factor)) => (plain.trim_end_matches(suffix), *factor),
        None => (plain.as_str(), 1.0),
    };
    let value: Option<f64> = digits.parse().ok();
    value
        .map(|value| value * factor)
        .ok_or_else(|| Failure::Waited {
            wanted: "a number".to_owned(),
            seen: text.to_owned(),
        })
}

/// Waits until the four headline figures agree with the model's result for the permalink in the address bar, and
/// returns the figures.
pub fn agrees(page: &Page) -> Result<Vec<Figure>> {
    page.wait_until("figures that are the model's for the link", || {
        let (link, shown) = (page.query()?, figures(page)?);
        let model = serde_json::to_value(report(&link)).unwrap_or_default();
        // The page shows the memory of the most loaded GPU, which holds whole sequences; the report has the mean.
        let scenario = read(&link).current.scenario().ok();
        let evaluated = scenario.and_then(|scenario| evaluate(&scenario).ok());
        let fullest = json!(evaluated.map(|evaluation| evaluation.memory.most().as_gib()));
        let wanted = [
            (TPOT, &model["tpot_s"], 1e3),
            ("Throughput per GPU", &model["tok_s_gpu"], 1.0),
            ("Cost", &model["usd_per_mtok"], 1.0),
            (MEMORY, &fullest, 1.0),
        ];
        if shown.len() != wanted.len() {
            return Ok(Err(format!("{} figures at {link}", shown.len())));
        }
        for (figure, (name, value, scale)) in shown.iter().zip(wanted) {
            // Narrow screens shorten two names.
            let short = [(TPOT, "TPOT"), (PER_GPU, "Per GPU"), (MEMORY, "Memory")];
            let named = figure.name == name
                || name == "Cost" && figure.name.starts_with(name)
                || short.contains(&(name, figure.name.as_str()));
            let wanted = value.as_f64().map(|value| value * scale);
            // Three digits are shown, and a dash where not modeled.
            let close = match wanted {
                Some(wanted) => (number(&figure.value)? - wanted).abs() <= 0.0051 * wanted.abs(),
                None => !figure
                    .value
                    .contains(|letter: char| letter.is_ascii_digit()),
            };
            if !(named && close) {
                return Ok(Err(format!("{figure:?}, not {name} {wanted:?}, at {link}")));
            }
        }
        Ok(Ok(shown))
    })
}

/// Returns the headline of the page.
pub fn verdict(page: &Page) -> Result<String> {
    page.css("h1")?.text()
}

/// Returns the headline's faults at two screen widths: over eighteen words, a wrong font size, or too many lines. At
/// most one line is allowed at 1440 px, and two at 390 px.
pub fn long_headlines(page: &Page, link: &str) -> Result<Vec<String>> {
    const MEASURED: &str = "const h1 = document.querySelector('h1'); const range = document.createRange();\
        range.selectNodeContents(h1);\
        const ends = [...range.getClientRects()].map(rect => rect.bottom).sort((a, b) => a - b);\
        const lines = ends.filter((end, at) => at === 0 || end - ends[at - 1] > 8);\
        return [lines.length, parseFloat(getComputedStyle(h1).fontSize)]";
    let mut faults = Vec::new();
    for (view, most, size) in [(View::DESKTOP, 1.0, 22.0), (View::PHONE, 2.0, 18.0)] {
        page.set_view(view)?;
        let said = page.wait_for(
            "a headline",
            || verdict(page),
            |said| !said.is_empty() && !said.starts_with("Searching"),
        )?;
        let found = page.run(MEASURED, &[])?;
        let [lines, font] = [0, 1].map(|at| found[at].as_f64().unwrap_or_default());
        let words = said.split_whitespace();
        let words = words.filter(|word| word.chars().any(char::is_alphanumeric));
        let words = words.count();
        if lines > most || words > 18 || (font - size).abs() > 0.01 {
            let width = view.width;
            faults.push(format!(
                "{words} words, {lines} lines of {font} px at {width}: {said} ({link})"
            ));
        }
    }
    page.set_view(View::DESKTOP)?;
    Ok(faults)
}

/// Waits for a headline that contains `part`, and returns the headline.
pub fn verdict_with(page: &Page, part: &str) -> Result<String> {
    page.wait_for(
        &format!("a verdict with “{part}”"),
        || verdict(page),
        |text| text.contains(part),
    )
}

/// Waits until the scenario is valid and the figures agree with the model. In a failure, `change` describes the awaited
/// scenario.
pub fn possible(page: &Page, change: &str) -> Result {
    let possible = |said: &String| !said.contains("Invalid plan");
    page.wait_for(change, || verdict(page), possible)?;
    agrees(page).map(drop)
}

/// Waits until the visible text of the page contains `part`, and returns the text.
pub fn reads(page: &Page, part: &str) -> Result<String> {
    page.wait_for(
        &format!("the page to say “{part}”"),
        || page.text(),
        |text| text.contains(part),
    )
}

/// Waits until the URL query satisfies `right`, and returns the query. In a failure, `wanted` describes the awaited
/// query.
pub fn query(page: &Page, wanted: &str, right: impl Fn(&str) -> bool) -> Result<String> {
    page.wait_for(wanted, || page.query(), |query| right(query))
}

/// Returns the value of a key in the permalink, or `None` if the key is missing.
pub fn stated(page: &Page, key: &str) -> Result<Option<String>> {
    let query = page.query()?;
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    Ok(pairs
        .find(|(name, _)| *name == key)
        .map(|(_, value)| value.to_owned()))
}

/// Returns the number of entries in the browser history.
pub fn entries(page: &Page) -> Result<i64> {
    Ok(page
        .run("return history.length", &[])?
        .as_i64()
        .unwrap_or_default())
}

/// Returns the slider with this name.
pub fn slider<'a>(page: &'a Page, name: &str) -> Result<Element<'a>> {
    page.named("slider", name)
}

/// Returns the center of a slider's thumb.
pub fn thumb(slider: &Element<'_>) -> Result<Point> {
    let place = slider.call("return arguments[0].value / arguments[0].max", &Value::Null)?;
    Ok(slider.rect()?.at(place.as_f64().unwrap_or_default(), 0.5))
}

/// Returns the field next to a slider. The name of the field includes the unit, as in "Context, tok".
pub fn field<'a>(page: &'a Page, name: &str) -> Result<Element<'a>> {
    page.named("textbox", name)
}

/// Returns the number in a field.
pub fn value(page: &Page, name: &str) -> Result<f64> {
    let text = field(page, name)?.value()?;
    let value = number(&text)?;
    // In contexts k is 1024: 32k is 32,768.
    Ok(match text.chars().last() {
        Some('k') if name.starts_with("Context") => value * 1.024,
        Some('M') if name.starts_with("Context") => value * 1.024 * 1.024,
        _ => value,
    })
}

/// Replaces the text of a field and presses Enter.
pub fn enter(page: &Page, name: &str, text: &str) -> Result {
    field(page, name)?.type_over(&format!("{text}\u{E007}"))
}

/// Opens a group of the scenario panel.
pub fn open_group(page: &Page, name: &str) -> Result {
    let button = button_with(page, name)?;
    if button.attribute("aria-expanded")?.as_deref() != Some("true") {
        button.click()?;
    }
    Ok(())
}

/// Returns the first visible button whose text starts with `start`.
pub fn button_with<'a>(page: &'a Page, start: &str) -> Result<Element<'a>> {
    item(page, "button", start)
}

/// Returns true if the page's program consists of parts that load on demand, as in a published build.
pub fn in_parts(page: &Page) -> bool {
    let served = page.served();
    served
        .iter()
        .any(|request| request.target.contains("_parts.js"))
}

/// Loads the code of a view by pointing at the view's tab, and waits for the code.
pub fn part(page: &Page, view: &str) -> Result {
    let tab = item(page, ".tabs .tab", view)?;
    // Both events load the view's code; some browsers do not move the focus at the start.
    let announce =
        "arguments[0].focus(); arguments[0].dispatchEvent(new PointerEvent('pointerenter'))";
    tab.call(announce, &Value::Null)?;
    if !in_parts(page) {
        return Ok(());
    }
    let own = format!("_split_{}.wasm", view.to_lowercase());
    page.wait_for(
        "the view's part",
        || Ok(page.served()),
        |served| served.iter().any(|request| request.target.contains(&own)),
    )?;
    page.settle()
}

/// Clicks a lever. If the lever changes several settings, this opens a sheet, so its Apply button is clicked too.
pub fn take_lever(page: &Page, lever: &Element<'_>) -> Result {
    let several = lever.attribute("aria-expanded")?.is_some();
    lever.click()?;
    if several {
        page.named("button", "Apply")?.click()?;
    }
    Ok(())
}

/// Opens a main tab, and waits until all parts of the tab are loaded and the tab has a headline.
pub fn go_to(page: &Page, place: &str) -> Result {
    item(page, ".tabs .tab", place)?.click()?;
    let left = "return document.querySelectorAll('.part, .part-failed').length";
    page.wait_for(place, || page.run(left, &[]), |left| *left == 0)?;
    page.wait_for("a headline", || verdict(page), |said| !said.is_empty())?;
    page.settle()
}

/// Returns the first visible element that matches the selector and whose text starts with `start`.
pub fn item<'a>(page: &'a Page, selector: &str, start: &str) -> Result<Element<'a>> {
    page.wait_until(
        &format!("a `{selector}` that reads “{start}…”"),
        || {
            let mut texts = Vec::new();
            for found in page.css_all(selector)? {
                // An element that was replaced meanwhile, such as a row during a search, does not count.
                let Ok(text) = found.text() else { continue };
                if text.starts_with(start) {
                    return Ok(Ok(found));
                }
                texts.push(text);
            }
            texts.retain(|text| !text.is_empty());
            Ok(Err(format!("{texts:?}")))
        },
    )
}

/// Returns the interactive area of a chart.
pub fn plot<'a>(page: &'a Page, question: &str) -> Result<Element<'a>> {
    page.css(&format!("[role=application][aria-label^='{question}']"))
}

/// Returns the number of colors on a chart's canvas, and the share of the most frequent color.
pub fn paint(page: &Page, question: &str) -> Result<(u64, f64)> {
    let script = "const canvas = arguments[0].querySelector('canvas');\
        const { width, height } = canvas;\
        if (!width || !height) return [0, 1];\
        const data = canvas.getContext('2d').getImageData(0, 0, width, height).data;\
        const counts = new Map();\
        for (let i = 0; i < data.length; i += 4) {\
          const colour = data[i] << 24 | data[i + 1] << 16 | data[i + 2] << 8 | data[i + 3];\
          counts.set(colour, (counts.get(colour) || 0) + 1);\
        }\
        return [counts.size, Math.max(...counts.values()) / (width * height)]";
    let seen = plot(page, question)?.call(script, &Value::Null)?;
    Ok((
        seen[0].as_u64().unwrap_or_default(),
        seen[1].as_f64().unwrap_or(1.0),
    ))
}

/// Waits until a chart is painted.
pub fn painted(page: &Page, question: &str) -> Result {
    let wanted = format!("“{question}” to be painted");
    let look = || paint(page, question);
    let full = |&(colours, most): &(u64, f64)| colours > 30 && most < 0.98;
    page.wait_for(&wanted, look, full).map(drop)
}

/// Returns a string from a script's result.
pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Returns all strings in a script's result.
pub fn texts(value: &Value) -> Vec<String> {
    let all = value.as_array().map(Vec::as_slice).unwrap_or_default();
    all.iter().map(|one| text(one).to_owned()).collect()
}

/// Reloads the page, and waits for the program to start.
pub fn reload(page: &Page) -> Result {
    page.run("delete window.wasmBindings; window.old = true", &[])?;
    page.reload()?;
    let look = || page.run("return !window.old && 'wasmBindings' in window", &[]);
    page.wait_for("the page to be back", look, |there| *there == json!(true))
        .map(drop)
}
