//! Saves a chart as a PNG, SVG or CSV file, created in the browser.

use super::Chart;
use std::time::Duration;

use crate::canvas::{self, PageFont};
use crate::state::{App, address};
use answer::chart::{self, record};
use answer::in_a_line_of;
use answer::picture::caption::{Caption, captioned};
use answer::picture::metrics::Inter;
use answer::picture::svg;
use answer::theme::Theme;
use leptos::prelude::*;
use model_core::permalink;
use wasm_bindgen::JsCast;
use wasm_bindgen::JsValue;

/// File formats for a saved chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A bitmap image.
    Png,
    /// A vector image.
    Svg,
    /// The chart's data.
    Csv,
}

/// Width of a saved picture in CSS px; its height is the chart's height at this width.
const WIDTH_PX: f64 = 720.0;
/// Device pixels per CSS px in a PNG.
const PNG_DENSITY: f64 = 2.0;

impl FileKind {
    /// All file formats.
    pub const ALL: [Self; 3] = [Self::Png, Self::Svg, Self::Csv];

    /// Returns the name of the file format in the menu.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Svg => "SVG",
            Self::Csv => "CSV",
        }
    }

    /// Returns the note shown next to the file format's name.
    pub const fn detail(self) -> &'static str {
        match self {
            Self::Png => "image, 2× resolution",
            Self::Svg => "vector image",
            Self::Csv => "data, full precision",
        }
    }
}

/// Saves a chart with its question, finding (the sentence under the question), scenario and permalink. Returns false
/// if there is no chart or the browser refuses.
pub fn save(app: App, chart: Chart, kind: FileKind) -> bool {
    let theme = app.theme();
    let size = (WIDTH_PX, chart.shape.height_px(WIDTH_PX));
    let scenario = app
        .link
        .with_untracked(|link| in_a_line_of(chart.id.view(), link));
    let name = |ending: &str| file_name(app, chart, ending);
    let saved = chart.of_untracked(|data| {
        let caption = Caption {
            question: chart.question.to_owned(),
            finding: data.finding.clone(),
            scenario: scenario.clone(),
            link: link_of(app),
        };
        match kind {
            FileKind::Png => {
                png(data, &caption, theme, size).is_some_and(|url| follow(&url, &name("png")))
            }
            FileKind::Svg => {
                let font = Inter::default();
                let (chart, _) = record(data, theme, &font, size);
                let picture = captioned(chart, &caption, theme, &font);
                let svg = svg::document(&picture, None, theme, &caption.finding);
                save_text(&svg, "image/svg+xml", &name("svg"))
            }
            FileKind::Csv => {
                let csv = caption.before_csv(&data.table().csv());
                save_text(&csv, "text/csv", &name("csv"))
            }
        }
    });
    saved.unwrap_or(false)
}

/// Returns the file name of a saved chart, for example "ridgepoint-roofline-deepseek-v3-h100.svg".
pub fn file_name(app: App, chart: Chart, ending: &str) -> String {
    let [model, gpu] = app
        .current
        .with(|inputs| [inputs.model.name(), inputs.gpu.id()].map(slug));
    format!("ridgepoint-{}-{model}-{gpu}.{ending}", chart.id.id())
}

fn link_of(app: App) -> String {
    app.link
        .with_untracked(|link| address::absolute(&permalink::write(link)))
}

/// Converts a name to lowercase letters and digits, with one dash for each run of other characters within the name.
fn slug(name: &str) -> String {
    let words: Vec<String> = name
        .to_ascii_lowercase()
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    words.join("-")
}

/// Returns the picture as a PNG data URL, which every browser supports.
fn png(data: &chart::Chart, caption: &Caption, theme: &Theme, size: (f64, f64)) -> Option<String> {
    let element: web_sys::HtmlCanvasElement =
        document().create_element("canvas").ok()?.dyn_into().ok()?;
    let (chart, _) = record(data, theme, &PageFont, size);
    let picture = captioned(chart, caption, theme, &PageFont);
    canvas::paint(&element, &picture, None, theme.background, PNG_DENSITY)?;
    element.to_data_url().ok()
}

/// Saves a text as a file; returns false if the browser refuses.
pub fn save_text(text: &str, kind: &str, name: &str) -> bool {
    let parts = js_sys::Array::of1(&JsValue::from_str(text));
    let options = web_sys::BlobPropertyBag::new();
    options.set_type(&format!("{kind};charset=utf-8"));
    let Ok(blob) = web_sys::Blob::new_with_str_sequence_and_options(&parts, &options) else {
        return false;
    };
    let Ok(url) = web_sys::Url::create_object_url_with_blob(&blob) else {
        return false;
    };
    let saved = follow(&url, name);
    // Free the URL only after the download has begun.
    let free = move || {
        let _ = web_sys::Url::revoke_object_url(&url);
    };
    set_timeout(free, Duration::from_secs(10));
    saved
}

fn follow(url: &str, name: &str) -> bool {
    let Some(anchor) = document()
        .create_element("a")
        .ok()
        .and_then(|anchor| anchor.dyn_into::<web_sys::HtmlAnchorElement>().ok())
    else {
        return false;
    };
    anchor.set_href(url);
    anchor.set_download(name);
    anchor.click();
    true
}
