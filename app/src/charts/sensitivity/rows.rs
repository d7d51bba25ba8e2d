//! One row of the sensitivity chart: a name, two bars, and what they come to.

use super::{NOTHING, SensitivityData, SensitivityRow, Swing, SwingOutcome};
use crate::charts::prelude::*;

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

/// Draws a row.
pub fn draw_row(
    pen: &mut Pen<'_>,
    plot: &Plot,
    bands: &Bands,
    data: &SensitivityData,
    (index, row): (usize, &SensitivityRow),
) {
    let theme = pen.theme;
    let (top, bottom) = bands.edges(index);
    let middle = (top + bottom) / 2.0;
    let half = half_bar(bands.pitch);
    if index > 0 {
        let hair = stroke(theme.grid, size::HAIRLINE_PX);
        pen.line(point(0.0, top), point(bands.canvas.right, top), hair);
    }
    let mut words = name_words(theme, row, bands.narrow);
    if pen.width(&words) > bands.names {
        words = name_words(theme, row, true);
    }
    let baseline = words.baseline_about(middle);
    pen.write_if_free(&words, point(0.0, baseline), Align::Start, None);

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
            fill_bar(pen, plot, ratio, bar(ratio), data.fits);
        }
        if let Some(pinned) = swings[which]
            .pinned
            .filter(|ratio| (ratio - 1.0).abs() > NOTHING)
        {
            let ghost = bar_box(plot, pinned, middle, half + 2.0);
            pen.dashed_outline(ghost, stroke(theme.ink_2, 1.0));
        }
    }
    for (which, swing) in swings.into_iter().enumerate() {
        // A pinned bar may reach further than the bar itself; the label stands beyond both.
        let ends = [swing.ratio(), swing.pinned].into_iter().flatten();
        let way = (ways[which], bands.narrow && !row.less_is_better);
        label(pen, plot, bands, swing, way, middle, ends);
    }
}

/// Shades the band of a change that is pointed at, and outlines its bar.
pub fn glow(pen: &mut Pen<'_>, plot: &Plot, side: Rect, swing: &Swing) {
    let across = pen.canvas.right;
    let band = Rect {
        left: 0.0,
        right: across,
        ..side
    };
    pen.fill_rect(band, pen.theme.shade);
    pen.seam();
    if let Some(ratio) = swing.ratio().filter(|ratio| (ratio - 1.0).abs() > NOTHING) {
        let bar = bar_box(plot, ratio, side.centre().y, half_bar(side.height()));
        pen.outline(bar.grown(1.0), stroke(pen.theme.ink_1, 1.5));
    }
}

/// Half the height of a bar where rows stand this far apart.
fn half_bar(pitch: f64) -> f64 {
    ((pitch - GAP_PX) / 2.0).clamp(2.0, MOST_BAR_PX / 2.0)
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

fn fill_bar(pen: &mut Pen<'_>, plot: &Plot, ratio: f64, bar: Rect, fits: bool) {
    let theme = pen.theme;
    if (ratio - 1.0).abs() <= NOTHING {
        return;
    }
    let colour = if ratio > 1.0 {
        theme.accent
    } else {
        theme.strong
    };
    pen.fill_rect(bar, colour);
    if !fits {
        let veil = stroke(theme.hidden, 1.5);
        pen.hatch(&bar.corners(), 7.0, Hatch::Falling, veil);
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
        pen.fill(&tip(bar.right + 1.0, 1.0), colour);
    } else if ratio < plot.x.low() * 0.999 {
        pen.fill(&tip(bar.left - 1.0, -1.0), colour);
    }
}

fn label(
    pen: &mut Pen<'_>,
    plot: &Plot,
    bands: &Bands,
    swing: &Swing,
    (way, brief): (Way, bool),
    middle: f64,
    ends: impl Iterator<Item = f64>,
) {
    let theme = pen.theme;
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
        if pen.width(&words) <= room {
            let place = at(&words);
            pen.write_if_free(&words, place, align, Some(theme.background));
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
