//! One row of the sensitivity chart: a name, two bars, and what they come to.

use super::{NOTHING, SensitivityData, SensitivityRow, Swing, SwingOutcome};

use crate::charts::frame::Plot;
use crate::charts::geometry::{Hatch, Rect, point, rect};
use crate::charts::sketch::{Sketch, stroke};
use crate::charts::surface::Surface;
use crate::charts::text::{Align, Words};
use crate::format;
use crate::theme::{Colour, Theme, size};

/// Where rows stand.
pub struct Bands {
    /// The first row's upper edge.
    pub top: f64,
    /// From row to row.
    pub pitch: f64,
    /// Width of the names.
    pub names: f64,
    /// The whole canvas.
    pub canvas: Rect,
    /// Whether there is room for little.
    pub narrow: bool,
}

impl Bands {
    /// A row's upper and lower edge.
    pub fn edges(&self, index: usize) -> (f64, f64) {
        let top = self.top + self.pitch * index as f64;
        (top, top + self.pitch)
    }
}

/// Bars are at most this high, and leave at least this much between them.
const MOST_BAR_PX: f64 = 15.0;
const GAP_PX: f64 = 7.0;

/// Which way a bar or a label goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Less,
    More,
}

/// "Scale-out 50 GB/s", or the name alone.
pub fn name_words(theme: &Theme, row: &SensitivityRow, narrow: bool) -> Words {
    let name = Words::label(row.name.clone(), theme.ink_1);
    if narrow || row.now.is_empty() {
        name
    } else {
        name.and(format!(" {}", row.now), theme.ink_3)
    }
}

/// Draws a row; `focused` is the change that is pointed at.
pub fn draw_row<S: Surface>(
    sketch: &mut Sketch<'_, S>,
    plot: &Plot,
    bands: &Bands,
    data: &SensitivityData,
    (index, row): (usize, &SensitivityRow),
    focused: Option<usize>,
) {
    let theme = sketch.theme;
    let (top, bottom) = bands.edges(index);
    let middle = (top + bottom) / 2.0;
    let half = ((bands.pitch - GAP_PX) / 2.0).clamp(2.0, MOST_BAR_PX / 2.0);
    if focused.is_some() {
        let band = rect(0.0, top, bands.canvas.right, bottom);
        sketch.fill_rect(band, theme.shade);
    }
    if index > 0 {
        let hair = stroke(theme.grid, size::HAIRLINE_PX);
        sketch.line(point(0.0, top), point(bands.canvas.right, top), hair);
    }
    let mut words = name_words(theme, row, bands.narrow);
    if sketch.width(&words) > bands.names {
        words = name_words(theme, row, true);
    }
    let baseline = words.baseline_about(middle);
    sketch.write_if_free(&words, point(0.0, baseline), Align::Start, None);

    let ways = ways(row);
    let bar = |ratio: f64| bar_box(plot, ratio, middle, half);
    // The longer bar first, so that the other shows on top of it where both go the same way.
    let mut order = [0, 1];
    let length = |swing: &Swing| swing.ratio().map_or(0.0, |ratio| libm::log(ratio).abs());
    let swings = row.swings();
    if length(swings[1]) > length(swings[0]) {
        order = [1, 0];
    }
    for which in order {
        if let Some(ratio) = swings[which].ratio() {
            fill_bar(sketch, plot, ratio, bar(ratio), data.fits);
            if focused == Some(which) && (ratio - 1.0).abs() > NOTHING {
                sketch.outline(bar(ratio).grown(1.0), stroke(theme.ink_1, 1.5));
            }
        }
        if let Some(pinned) = swings[which]
            .pinned
            .filter(|ratio| (ratio - 1.0).abs() > NOTHING)
        {
            let ghost = bar_box(plot, pinned, middle, half + 2.0);
            sketch.dashed_outline(ghost, stroke(theme.ink_2, 1.0));
        }
    }
    for (which, swing) in swings.into_iter().enumerate() {
        // A pinned bar may reach further than the bar itself; the label stands beyond both.
        let ends = [swing.ratio(), swing.pinned].into_iter().flatten();
        let way = (ways[which], bands.narrow && !row.less_is_better);
        label(sketch, plot, bands, swing, way, middle, ends);
    }
}

fn bar_box(plot: &Plot, ratio: f64, middle: f64, half: f64) -> Rect {
    let now = plot.x_at(1.0);
    let end = plot.x_at(ratio.clamp(plot.x.low(), plot.x.high()));
    rect(now.min(end), middle - half, now.max(end), middle + half)
}

/// The side of each label: that of its bar; where both bars go the same way, the lesser one's label
/// takes the other side.
fn ways(row: &SensitivityRow) -> [Way; 2] {
    let usual = if row.less_is_better {
        [Way::Less, Way::More]
    } else {
        [Way::More, Way::Less]
    };
    let of = |swing: &Swing, usual: Way| match swing.ratio() {
        Some(ratio) if ratio > 1.0 + NOTHING => Way::More,
        Some(ratio) if ratio < 1.0 - NOTHING => Way::Less,
        _ => usual,
    };
    let ways = [of(&row.twice, usual[0]), of(&row.half, usual[1])];
    if ways[0] != ways[1] {
        return ways;
    }
    let moved = |swing: &Swing| swing.ratio().map_or(0.0, |ratio| libm::log(ratio).abs());
    let other = match ways[0] {
        Way::Less => Way::More,
        Way::More => Way::Less,
    };
    if moved(&row.twice) >= moved(&row.half) {
        [ways[0], other]
    } else {
        [other, ways[1]]
    }
}

fn fill_bar<S: Surface>(
    sketch: &mut Sketch<'_, S>,
    plot: &Plot,
    ratio: f64,
    bar: Rect,
    fits: bool,
) {
    let theme = sketch.theme;
    if (ratio - 1.0).abs() <= NOTHING {
        return;
    }
    let colour = if ratio > 1.0 {
        theme.accent
    } else {
        theme.strong
    };
    sketch.fill_rect(bar, colour);
    if !fits {
        let veil = stroke(theme.hidden, 1.5);
        sketch.hatch(&bar.corners(), 7.0, Hatch::Falling, veil);
    }
    // An arrowhead where the axis ends before the bar does.
    let tip = |x: f64, way: f64| {
        let centre = bar.centre().y;
        [
            point(x, centre - 4.0),
            point(x + way * 5.0, centre),
            point(x, centre + 4.0),
        ]
    };
    if ratio > plot.x.high() * 1.001 {
        sketch.fill(&tip(bar.right + 1.0, 1.0), colour);
    } else if ratio < plot.x.low() * 0.999 {
        sketch.fill(&tip(bar.left - 1.0, -1.0), colour);
    }
}

fn label<S: Surface>(
    sketch: &mut Sketch<'_, S>,
    plot: &Plot,
    bands: &Bands,
    swing: &Swing,
    (way, brief): (Way, bool),
    middle: f64,
    ends: impl Iterator<Item = f64>,
) {
    let theme = sketch.theme;
    let now = plot.x_at(1.0);
    let places = ends.map(|ratio| {
        let beyond = ratio > plot.x.high() * 1.001 || ratio < plot.x.low() * 0.999;
        let arrow = if beyond { 7.0 } else { 0.0 };
        let x = plot.x_at(ratio.clamp(plot.x.low(), plot.x.high()));
        match way {
            Way::More => x + arrow,
            Way::Less => x - arrow,
        }
    });
    let x = places.fold(now, |far, x| match way {
        Way::More => far.max(x),
        Way::Less => far.min(x),
    });
    let align = match way {
        Way::More => Align::Start,
        Way::Less => Align::End,
    };
    let gap = 5.0;
    let room = match way {
        Way::More => bands.canvas.right - x - gap,
        Way::Less => x - gap - bands.names,
    };
    let at = |words: &Words| {
        let x = match way {
            Way::More => x + gap,
            Way::Less => x - gap,
        };
        point(x, words.baseline_about(middle))
    };
    for words in wordings(theme, swing, brief) {
        if sketch.width(&words) <= room {
            let place = at(&words);
            sketch.write_if_free(&words, place, align, Some(theme.background));
            return;
        }
    }
}

/// What a bar says, longest first: "×2 → 1.44×", "1.44×".
fn wordings(theme: &Theme, swing: &Swing, brief: bool) -> Vec<Words> {
    let short = |text: &str, ink: Colour| Words::label(text.to_owned(), ink);
    let change = |ink: Colour| Words::label(format!("{} ", swing.change), ink);
    match &swing.outcome {
        SwingOutcome::Ratio(ratio) => {
            let text = format::factor(*ratio);
            let still = (ratio - 1.0).abs() <= NOTHING;
            let ink = if still {
                theme.ink_3
            } else if *ratio > 1.0 {
                theme.accent
            } else {
                theme.ink_2
            };
            let value = Words::label(text.clone(), ink);
            let (value, long) = if still {
                (value, change(theme.ink_3).and(format!("→ {text}"), ink))
            } else {
                let long = change(theme.ink_3)
                    .and("→ ", theme.ink_3)
                    .and_bold(text, ink);
                (value.bold(), long)
            };
            if brief {
                vec![value]
            } else {
                vec![long, value]
            }
        }
        SwingOutcome::Bound(why) => vec![
            change(theme.ink_3).and(why.clone(), theme.ink_3),
            short(why, theme.ink_3),
            short(format::NONE, theme.ink_3),
        ],
        SwingOutcome::Lost(why) => {
            let first = why.split(':').next().unwrap_or(why);
            vec![
                change(theme.ink_3).and(first.to_owned(), theme.bad),
                short(first, theme.bad),
                short(format::NONE, theme.bad),
            ]
        }
    }
}
