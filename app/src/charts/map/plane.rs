//! The map's colours, their legend, and the lines of equal values.

use super::{Field, MapData, MapPoint};
use crate::charts::prelude::*;
use std::ops::Range;

/// Distinct colours: boxes of one are drawn one after the other.
const SHADES: usize = 80;
/// The share of what fits whose values are beyond either end of the colours.
const EXTREME: f64 = 0.03;

/// What the colours stand for.
pub struct Colours {
    scale: Scale,
    /// Whether smaller values have the first colour too.
    below: bool,
    /// Whether larger values have the last colour too.
    above: bool,
}

impl Colours {
    /// What fits without its extremes, widened to 1-2-5 numbers; `None` when nothing fits.
    pub fn of(data: &MapData) -> Option<Self> {
        let fitting = data
            .field
            .points
            .iter()
            .flatten()
            .filter(|at| at.point.fits);
        let mut values: Vec<f64> = fitting
            .map(|at| data.metric.of(at))
            .filter(|value| value.is_finite() && *value > 0.0)
            .collect();
        values.sort_by(f64::total_cmp);
        let last = values.len().checked_sub(1)?;
        let extreme = ((values.len() as f64 * EXTREME) as usize).min(last);
        let low = floor_125(values[extreme]);
        let high = ceil_125(values[last - extreme]).max(low * 2.0);
        Some(Self {
            scale: Scale::log(low, high),
            below: values[0] < low,
            above: values[last] > high,
        })
    }
}

/// The box of a row's columns.
pub fn stretch(area: &Rect, field: &Field, row: usize, columns: Range<usize>) -> Rect {
    let x = |column: usize| area.left + area.width() * column as f64 / field.columns as f64;
    let y = |row: usize| area.bottom - area.height() * row as f64 / field.rows() as f64;
    rect(x(columns.start), y(row + 1), x(columns.end), y(row))
}

/// Fills the plane, runs of one shade at a time.
pub fn fill(pen: &mut Pen<'_>, plot: &Plot, data: &MapData, colours: &Colours) {
    let field = &data.field;
    let steps = SHADES as f64 - 1.0;
    let shade = |at: &Option<MapPoint>| -> Option<usize> {
        let share = colours.scale.fraction(data.metric.of(at.as_ref()?));
        let finite = share.is_finite();
        finite.then(|| (share.clamp(0.0, 1.0) * steps).round() as usize)
    };
    let shades: Vec<Option<usize>> = field.points.iter().map(shade).collect();
    let mut runs = Vec::new();
    for (row, shades) in shades.chunks_exact(field.columns).enumerate() {
        let mut begin = 0;
        for run in shades.chunk_by(|one, next| one == next) {
            let end = begin + run.len();
            let area = stretch(&plot.area, field, row, begin..end);
            runs.extend(run[0].map(|shade| (shade, area)));
            begin = end;
        }
    }
    runs.sort_by_key(|(shade, _)| *shade);
    for (shade, area) in runs {
        let colour = pen.theme.sequential(shade as f64 / steps);
        pen.fill_rect(area, colour);
    }
}

/// The most the legend takes of the canvas.
const LEGEND_SHARE: f64 = 0.38;
const LEGEND_MOST_PX: f64 = 220.0;
const LEGEND_STEPS: usize = 48;

/// The scale of the colours, with ticks, right above the plane.
pub fn legend(
    pen: &mut Pen<'_>,
    data: &MapData,
    Colours {
        scale,
        below,
        above,
    }: &Colours,
) {
    let ink = pen.theme.ink_3;
    let width = (pen.canvas.right * LEGEND_SHARE).min(LEGEND_MOST_PX);
    let left = pen.canvas.right - size::MARGIN_RIGHT_PX - width;
    if width < 60.0 {
        return;
    }
    let edge = |step: usize| left + width * step as f64 / LEGEND_STEPS as f64;
    for step in 0..LEGEND_STEPS {
        let share = (step as f64 + 0.5) / LEGEND_STEPS as f64;
        let area = rect(edge(step), 3.0, edge(step + 1), 11.0);
        pen.fill_rect(area, pen.theme.sequential(share));
    }
    let strong = stroke(pen.theme.strong, size::HAIRLINE_PX);
    let inner = scale.ticks((width / 34.0) as usize);
    for value in [scale.low(), scale.high()].into_iter().chain(inner) {
        // The ends stand for what lies beyond them.
        let beyond = if value <= scale.low() && *below {
            "≤"
        } else if value >= scale.high() && *above {
            "≥"
        } else {
            ""
        };
        let words = Words::tick(format!("{beyond}{}", format::si_tick(value)), ink);
        let x = left + scale.fraction(value) * width;
        let half = pen.width(&words) / 2.0;
        let at = point(x.min(pen.canvas.right - half), 25.0);
        if pen.is_free_by(&words.bounds(at, Align::Middle, 2.0 * half), 5.0) {
            pen.line(point(x, 11.0), point(x, 14.0), strong);
            pen.write(&words, at, Align::Middle, None);
        }
    }
    let name = data.metric.name();
    let _ = [format!("{name}, log"), name.to_owned()]
        .iter()
        .any(|name| {
            let (words, at) = (Words::tick(name, ink), point(left - 9.0, 11.0));
            pen.write_if_free(&words, at, Align::End, None).is_some()
        });
}

/// Lines of equal values at the legend's ticks, of whose logarithm the plane is nearly flat.
pub fn contours(pen: &mut Pen<'_>, plot: &Plot, data: &MapData, colours: &Colours) {
    let ink = pen.theme.ink_1.with_alpha(0.28);
    let height = |at: &Option<MapPoint>| {
        let at = at.as_ref()?;
        let value = data.metric.of(at);
        let good = value > 0.0 && value.is_finite();
        good.then(|| (plot.at(at.context, at.point.batch), libm::log(value)))
    };
    let heights: Vec<_> = data.field.points.iter().map(height).collect();
    for level in colours.scale.ticks(12) {
        for (from, to) in crossings(&heights, data.field.columns, libm::log(level)) {
            pen.polyline(&[from, to], stroke(ink, size::HAIRLINE_PX));
        }
    }
}

/// Segments along which the height is `level` (marching squares).
fn crossings(heights: &[Option<(Point, f64)>], columns: usize, level: f64) -> Vec<(Point, Point)> {
    let mut segments = Vec::new();
    let rows = heights.chunks_exact(columns.max(1));
    for (below, above) in rows.clone().zip(rows.skip(1)) {
        for (low, high) in below.windows(2).zip(above.windows(2)) {
            let ([Some(a), Some(b)], [Some(d), Some(c)]) = (low, high) else {
                continue;
            };
            let sides = [(a, b), (b, c), (c, d), (d, a)].into_iter();
            let mut cuts = sides
                .filter(|((_, from), (_, to))| (*from <= level) != (*to <= level))
                .map(|((p, from), (q, to))| p.towards(*q, (level - from) / (to - from)));
            while let (Some(from), Some(to)) = (cuts.next(), cuts.next()) {
                segments.push((from, to));
            }
        }
    }
    segments
}
