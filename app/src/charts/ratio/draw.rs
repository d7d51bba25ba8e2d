//! The ratio chart's marks, and what it shares with the chart of waits.

use super::{RatioData, RatioMark, RatioPoint, RegimeSpan, pace_name, ratio_text, sets_the_pace};
use crate::charts::prelude::*;

/// Room above the curve for the names of the regimes and of ratios.
const HEADROOM: f64 = 1.3;
/// Strength of a regime's wash.
const WASH: f64 = 0.09;
/// Below the plot's top, the baseline of the regimes' names.
const REGIME_BASELINE_PX: f64 = 13.0;

/// Draws the chart; hits are the points of the curve.
pub fn draw(pen: &mut Pen<'_>, data: &RatioData) -> Hits {
    let theme = pen.theme;
    let area = plot_area(&pen.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
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
        nothing_to_show(pen, &area, &data.nothing);
        return Hits::default();
    }
    let plot = Plot::new(
        area,
        x_scale(&drawn),
        Scale::linear(0.0, highest * HEADROOM),
    );
    regimes(pen, &plot, &data.regimes);
    let name = if data.per_gpu {
        "tokens/s per GPU"
    } else {
        "tokens/s per instance"
    };
    si_y_axis(pen, &plot, name);
    ratio_axis(pen, &plot);
    name_regimes(pen, &plot, &data.regimes);

    let line: Vec<Point> = drawn
        .iter()
        .map(|point| plot.at(point.ratio, point.tokens_per_s))
        .collect();
    let segments: Vec<(Point, Point)> = line.windows(2).map(|pair| (pair[0], pair[1])).collect();
    named_ratios(pen, &plot, &data.marks);
    pen.polyline(&line, stroke(theme.ink_1, size::CURVE_PX));
    pen.seam();
    let mut dots = Vec::new();
    for point in &drawn {
        if let Some(simulated) = point.simulated.filter(|it| it.tokens_per_s.is_finite()) {
            let at = plot.at(point.ratio, simulated.tokens_per_s);
            pen.open_point(at, 4.0, stroke(theme.ink_1, 1.4));
            pen.reserve(Rect::about(at, 5.0));
            dots.push(at);
        }
    }
    let now = plot.at(data.now.ratio, data.now.tokens_per_s);
    let has_now = data.now.draws() && plot.x.holds(data.now.ratio);
    if has_now {
        pen.now(now, true);
        pen.reserve(Rect::about(now, 9.0));
        name_now(pen, &plot, data, now, &segments);
    }
    if let Some(last) = dots.last().copied() {
        let words = vec![Words::note("simulated", theme.ink_2)];
        let spots = [
            spot(point(last.x - 9.0, last.y + 12.0), Align::End, Side::Level),
            spot(point(last.x, last.y + 9.0), Align::Middle, Side::Below),
            spot(point(last.x - 9.0, last.y - 12.0), Align::End, Side::Level),
        ];
        pen.place(&[words], &spots, &area, &segments, Some(theme.background));
    }
    rulers(&plot, &data.curve, data.now.ratio, |point| {
        plot.y_at(point.tokens_per_s)
    })
}

/// The ratios of a curve, logarithmic.
pub fn x_scale(drawn: &[&RatioPoint]) -> Scale {
    let least = drawn.first().map_or(1.0, |point| point.ratio);
    let most = drawn.last().map_or(32.0, |point| point.ratio);
    Scale::log(least, most)
}

/// The axis of ratios.
pub fn ratio_axis(pen: &mut Pen<'_>, plot: &Plot) {
    let name = "attention instances per feed-forward instance, log";
    si_x_axis(pen, plot, name);
}

/// A wash over the ratios at which each part sets the pace.
pub fn regimes(pen: &mut Pen<'_>, plot: &Plot, spans: &[RegimeSpan]) {
    for span in spans {
        let (left, right) = ends(plot, span);
        let wash = pen.theme.role(span.pace).fill.with_alpha(WASH);
        pen.fill_rect(rect(left, plot.area.top, right, plot.area.bottom), wash);
    }
    for span in spans.iter().skip(1) {
        let (left, _) = ends(plot, span);
        let line = pen.theme.line;
        pen.line(
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
pub fn name_regimes(pen: &mut Pen<'_>, plot: &Plot, spans: &[RegimeSpan]) {
    for span in spans {
        let (left, right) = ends(plot, span);
        let name = pace_name(span.pace);
        let colour = pen.theme.role(span.pace).text;
        let sets = sets_the_pace(span.pace);
        for text in [sets, name.to_owned()] {
            let words = Words::note(text, colour);
            if pen.width(&words) + 10.0 <= right - left {
                let baseline = plot.area.top + REGIME_BASELINE_PX;
                pen.write(
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
fn named_ratios(pen: &mut Pen<'_>, plot: &Plot, marks: &[RatioMark]) {
    let theme = pen.theme;
    for mark in marks.iter().filter(|mark| plot.x.holds(mark.ratio)) {
        let x = plot.x_at(mark.ratio);
        let top = point(x, plot.area.top + 20.0);
        let foot = point(x, plot.area.bottom);
        let style = stroke(
            if mark.best { theme.ink_1 } else { theme.ink_3 },
            size::HAIRLINE_PX,
        );
        if mark.best {
            pen.line(top, foot, style);
        } else {
            pen.dashed_rule(top, foot, (3.0, 3.0), style);
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
        pen.place(
            &[vec![words]],
            &spots,
            &plot.area,
            &[],
            Some(theme.background),
        );
    }
}

/// What the ratio that is asked about comes to.
fn name_now(
    pen: &mut Pen<'_>,
    plot: &Plot,
    data: &RatioData,
    at: Point,
    segments: &[(Point, Point)],
) {
    let theme = pen.theme;
    let value = format::si(data.now.tokens_per_s);
    let words = vec![Words::label(value, theme.ink_1).bold()];
    let spots = [
        spot(point(at.x, at.y - 12.0), Align::Middle, Side::Above),
        spot(point(at.x + 12.0, at.y - 10.0), Align::Start, Side::Above),
        spot(point(at.x - 12.0, at.y - 10.0), Align::End, Side::Above),
        spot(point(at.x, at.y + 12.0), Align::Middle, Side::Below),
    ];
    pen.place(
        &[words],
        &spots,
        &plot.area,
        segments,
        Some(theme.background),
    );
}

/// Every point of a curve as a ruler; the keyboard begins at `now`.
pub fn rulers(
    plot: &Plot,
    curve: &[RatioPoint],
    now: f64,
    y_at: impl Fn(&RatioPoint) -> f64,
) -> Hits {
    let reach = |of: &RatioPoint| {
        let x = plot.x_at(of.ratio).clamp(plot.area.left, plot.area.right);
        let y = y_at(of).clamp(plot.area.top, plot.area.bottom);
        Reach::Ruler {
            at: point(x, y),
            top: plot.area.top,
            bottom: plot.area.bottom,
        }
    };
    let reaches = curve.iter().map(reach).collect();
    let start = curve
        .iter()
        .position(|point| point.ratio >= now * (1.0 - 1e-9))
        .unwrap_or(0);
    Hits::new(reaches).on(plot).starting_at(start)
}
