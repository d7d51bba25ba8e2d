//! The ratio chart's marks, and what it shares with the chart of waits.

use super::{RatioData, RatioMark, RatioPoint, RegimeSpan, pace_name, ratio_text, sets_the_pace};
use crate::charts::frame::{Axis, Plot, axis_box, nothing_to_show, plot_area, x_axis, y_axis};
use crate::charts::geometry::{Point, Rect, point, rect};
use crate::charts::hits::{Hits, Reach};
use crate::charts::scale::Scale;
use crate::charts::sketch::{Sketch, stroke};
use crate::charts::surface::{DrawError, Surface};
use crate::charts::text::{Align, Side, Words, spot};
use crate::format;
use crate::theme::{Theme, size};

/// Room above the curve for the names of the regimes and of ratios.
const HEADROOM: f64 = 1.3;
/// Strength of a regime's wash.
const WASH: f64 = 0.09;
/// Below the plot's top, the baseline of the regimes' names.
const REGIME_BASELINE_PX: f64 = 13.0;

/// Draws the chart; hits are the points of the curve.
pub fn draw<S: Surface>(
    surface: &mut S,
    data: &RatioData,
    theme: &Theme,
    focus: Option<usize>,
) -> Result<Hits, DrawError<S>> {
    let mut sketch = Sketch::new(surface, theme);
    let area = plot_area(&sketch.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
    let drawn: Vec<&RatioPoint> = data.curve.iter().filter(|point| point.draws()).collect();
    let highest = drawn
        .iter()
        .flat_map(|point| {
            let simulated = point.simulated.map(|simulated| simulated.tokens_per_s);
            [Some(point.tokens_per_s), simulated]
        })
        .flatten()
        .filter(|value| value.is_finite())
        .fold(0.0, f64::max);
    if drawn.len() < 2 || highest <= 0.0 {
        nothing_to_show(&mut sketch, &area, &data.nothing);
        sketch.finish()?;
        return Ok(Hits::default());
    }
    let plot = Plot::new(
        area,
        x_scale(&drawn),
        Scale::linear(0.0, highest * HEADROOM),
    );
    regimes(&mut sketch, &plot, &data.regimes);
    let focused = focus
        .and_then(|index| data.curve.get(index))
        .filter(|point| point.draws());
    if let Some(focused) = focused {
        let x = plot.x_at(focused.ratio);
        axis_box(
            &mut sketch,
            &ratio_text(focused.ratio),
            x,
            area.bottom + 11.5,
        );
    }
    let ticks = |value: f64| (value, Words::tick(format::si_tick(value), theme.ink_3));
    let y_ticks = plot.y.ticks((area.height() / 26.0).max(2.0) as usize);
    let name = if data.per_gpu {
        "tokens/s per GPU"
    } else {
        "tokens/s per instance"
    };
    y_axis(
        &mut sketch,
        &plot,
        &Axis {
            ticks: y_ticks.into_iter().map(ticks).collect(),
            minor: Vec::new(),
            name,
        },
        10.0,
    );
    ratio_axis(&mut sketch, &plot);
    name_regimes(&mut sketch, &plot, &data.regimes);

    let line: Vec<Point> = drawn
        .iter()
        .map(|point| plot.at(point.ratio, point.tokens_per_s))
        .collect();
    let segments: Vec<(Point, Point)> = line.windows(2).map(|pair| (pair[0], pair[1])).collect();
    named_ratios(&mut sketch, &plot, &data.marks);
    sketch.polyline(&line, stroke(theme.ink_1, size::CURVE_PX));
    if let Some(focused) = focused {
        ruler(
            &mut sketch,
            &plot,
            plot.at(focused.ratio, focused.tokens_per_s),
        );
    }
    let mut dots = Vec::new();
    for point in &drawn {
        if let Some(simulated) = point.simulated.filter(|it| it.tokens_per_s.is_finite()) {
            let at = plot.at(point.ratio, simulated.tokens_per_s);
            sketch.open_point(at, 4.0, stroke(theme.ink_1, 1.4));
            sketch.reserve(Rect::about(at, 5.0));
            dots.push(at);
        }
    }
    let now = plot.at(data.now.ratio, data.now.tokens_per_s);
    let has_now = data.now.draws() && plot.x.holds(data.now.ratio);
    if has_now {
        sketch.disc(now, 8.6, theme.background);
        sketch.ring(now, 7.8, stroke(theme.ink_1, 1.4));
        sketch.disc(now, 4.0, theme.ink_1);
        sketch.reserve(Rect::about(now, 9.0));
        name_now(&mut sketch, &plot, data, now, &segments);
    }
    if let Some(last) = dots.last().copied() {
        let words = vec![Words::note("simulated", theme.ink_2)];
        let spots = [
            spot(point(last.x - 9.0, last.y + 12.0), Align::End, Side::Level),
            spot(point(last.x, last.y + 9.0), Align::Middle, Side::Below),
            spot(point(last.x - 9.0, last.y - 12.0), Align::End, Side::Level),
        ];
        sketch.place(&[words], &spots, &area, &segments, Some(theme.background));
    }
    sketch.finish()?;
    Ok(rulers(&plot, &data.curve, data.now.ratio, |point| {
        plot.y_at(point.tokens_per_s)
    }))
}

/// The ratios of a curve, logarithmic.
pub fn x_scale(drawn: &[&RatioPoint]) -> Scale {
    let least = drawn.first().map_or(1.0, |point| point.ratio);
    let most = drawn.last().map_or(32.0, |point| point.ratio);
    Scale::log(least, most)
}

/// The axis of ratios.
pub fn ratio_axis<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot) {
    let ink = sketch.theme.ink_3;
    let ticks = plot.x.ticks((plot.area.width() / 44.0).max(2.0) as usize);
    x_axis(
        sketch,
        plot,
        &Axis {
            ticks: ticks
                .into_iter()
                .map(|value| (value, Words::tick(format::si_tick(value), ink)))
                .collect(),
            minor: plot.x.minor_ticks(),
            name: "attention instances per feed-forward instance, log",
        },
    );
}

/// A wash over the ratios at which each part sets the pace.
pub fn regimes<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, spans: &[RegimeSpan]) {
    for span in spans {
        let (left, right) = ends(plot, span);
        let wash = sketch.theme.role(span.pace).fill.with_alpha(WASH);
        sketch.fill_rect(rect(left, plot.area.top, right, plot.area.bottom), wash);
    }
    for span in spans.iter().skip(1) {
        let (left, _) = ends(plot, span);
        let line = sketch.theme.line;
        sketch.line(
            point(left, plot.area.top),
            point(left, plot.area.bottom),
            stroke(line, size::HAIRLINE_PX),
        );
    }
}

fn ends(plot: &Plot, span: &RegimeSpan) -> (f64, f64) {
    let within = |ratio: f64| {
        plot.x_at(ratio.clamp(plot.x.low(), plot.x.high()))
            .clamp(plot.area.left, plot.area.right)
    };
    (within(span.from), within(span.to))
}

/// "attention sets the pace" in the middle of its wash.
pub fn name_regimes<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, spans: &[RegimeSpan]) {
    for span in spans {
        let (left, right) = ends(plot, span);
        let name = pace_name(span.pace);
        let colour = sketch.theme.role(span.pace).text;
        let sets = sets_the_pace(span.pace);
        for text in [sets, name.to_owned()] {
            let words = Words::note(text, colour);
            if sketch.width(&words) + 10.0 <= right - left {
                let baseline = plot.area.top + REGIME_BASELINE_PX;
                sketch.write(
                    &words,
                    point((left + right) / 2.0, baseline),
                    Align::Middle,
                    None,
                );
                break;
            }
        }
    }
}

/// A rule at each ratio with a name, and the name beside it.
fn named_ratios<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, marks: &[RatioMark]) {
    let theme = sketch.theme;
    for mark in marks.iter().filter(|mark| plot.x.holds(mark.ratio)) {
        let x = plot.x_at(mark.ratio);
        let top = point(x, plot.area.top + 20.0);
        let foot = point(x, plot.area.bottom);
        let pen = stroke(
            if mark.best { theme.ink_1 } else { theme.ink_3 },
            size::HAIRLINE_PX,
        );
        if mark.best {
            sketch.line(top, foot, pen);
        } else {
            sketch.dashed_rule(top, foot, (3.0, 3.0), pen);
        }
        let ink = if mark.best { theme.ink_1 } else { theme.ink_2 };
        let words =
            Words::note(format!("{} ", mark.name), ink).and_bold(ratio_text(mark.ratio), ink);
        let beside = |y: f64| {
            [
                spot(point(x + 5.0, y), Align::Start, Side::Level),
                spot(point(x - 5.0, y), Align::End, Side::Level),
            ]
        };
        let spots: Vec<_> = [28.0, 43.0]
            .map(|below| beside(plot.area.top + below))
            .into_iter()
            .chain([18.0, 33.0].map(|above| beside(plot.area.bottom - above)))
            .flatten()
            .collect();
        sketch.place(
            &[vec![words]],
            &spots,
            &plot.area,
            &[],
            Some(theme.background),
        );
    }
}

/// What the ratio that is asked about comes to.
fn name_now<S: Surface>(
    sketch: &mut Sketch<'_, S>,
    plot: &Plot,
    data: &RatioData,
    at: Point,
    segments: &[(Point, Point)],
) {
    let theme = sketch.theme;
    let value = format::si(data.now.tokens_per_s);
    let words = vec![Words::label(value, theme.ink_1).bold()];
    let spots = [
        spot(point(at.x, at.y - 12.0), Align::Middle, Side::Above),
        spot(point(at.x + 12.0, at.y - 10.0), Align::Start, Side::Above),
        spot(point(at.x - 12.0, at.y - 10.0), Align::End, Side::Above),
        spot(point(at.x, at.y + 12.0), Align::Middle, Side::Below),
    ];
    sketch.place(
        &[words],
        &spots,
        &plot.area,
        segments,
        Some(theme.background),
    );
}

/// A ruler down to the ratio.
pub fn ruler<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, at: Point) {
    let pen = stroke(sketch.theme.ink_2, size::HAIRLINE_PX);
    sketch.dashed_rule(
        point(at.x, plot.area.top),
        point(at.x, plot.area.bottom),
        (1.5, 2.5),
        pen,
    );
    let ink = sketch.theme.ink_1;
    sketch.rimmed_point(at, 3.6, ink);
}

/// Every point of a curve as a ruler; the keyboard begins at `now`.
pub fn rulers(
    plot: &Plot,
    curve: &[RatioPoint],
    now: f64,
    y_at: impl Fn(&RatioPoint) -> f64,
) -> Hits {
    let reaches = curve
        .iter()
        .map(|point| Reach::Ruler {
            x_px: plot
                .x_at(point.ratio)
                .clamp(plot.area.left, plot.area.right),
            top_px: plot.area.top,
            bottom_px: plot.area.bottom,
            anchor_y_px: y_at(point).clamp(plot.area.top, plot.area.bottom),
        })
        .collect();
    let start = curve
        .iter()
        .position(|point| point.ratio >= now * (1.0 - 1e-9))
        .unwrap_or(0);
    Hits::new(reaches).starting_at(start)
}
