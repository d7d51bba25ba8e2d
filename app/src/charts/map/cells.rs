//! The map's colours, their legend, and the veils over what is out of reach.

use super::draw::edges;
use super::{ColourRange, Field, MapData, MapPoint, Missed};
use crate::charts::prelude::*;

/// Distinct colours: boxes of one are drawn as one, and one after the other.
const SHADES: usize = 80;

/// Fills the plane, runs of one shade at a time.
pub(super) fn draw_cells(
    pen: &mut Pen<'_>,
    plot: &Plot,
    data: &MapData,
    range: Option<ColourRange>,
) {
    let Some(range) = range else { return };
    let field = &data.field;
    let scale = Scale::log(range.low, range.high);
    let (columns, rows) = (field.columns, field.rows());
    let Rect {
        left,
        top,
        right,
        bottom,
    } = plot.area;
    let shade = |point: &Option<MapPoint>| -> Option<usize> {
        let share = scale.fraction(data.metric.of(point.as_ref()?));
        let steps = SHADES as f64 - 1.0;
        share
            .is_finite()
            .then(|| (share.clamp(0.0, 1.0) * steps).round() as usize)
    };
    let mut of_shade: Vec<Vec<Rect>> = vec![Vec::new(); SHADES];
    let shades: Vec<Option<usize>> = field.points.iter().map(shade).collect();
    for (row, shades) in shades.chunks_exact(columns.max(1)).enumerate() {
        let (low, high) = edges(row, rows, bottom, top);
        let mut begin = 0;
        for run in shades.chunk_by(|one, next| one == next) {
            let end = begin + run.len();
            if let Some(shade) = run.first().copied().flatten() {
                let (from, _) = edges(begin, columns, left, right);
                let (_, to) = edges(end - 1, columns, left, right);
                of_shade[shade].push(rect(from, high, to, low));
            }
            begin = end;
        }
    }
    let theme = pen.theme;
    for (shade, boxes) in of_shade.into_iter().enumerate() {
        let fill = theme.sequential(shade as f64 / (SHADES as f64 - 1.0));
        for area in boxes {
            pen.fill_rect(area, fill);
        }
    }
}

/// Veils what does not fit, hatches what misses the SLO.
pub(super) fn out_of_reach(pen: &mut Pen<'_>, plot: &Plot, field: &Field) {
    let top = plot.area.top;
    let ceiling = |line: &[(f64, f64)]| -> Vec<Point> {
        line.iter().map(|pair| clamped(plot, *pair)).collect()
    };
    let capacity = ceiling(&field.capacity);
    if field.missed.len() > 1 {
        // Between the SLO's edge and the memory's: each region has one hatch.
        let at = |missed: &Missed, batch: f64| clamped(plot, (missed.context, batch));
        let lower = field.missed.iter().map(|m| at(m, m.above.min(m.to)));
        let upper = field.missed.iter().rev().map(|m| at(m, m.to));
        let region: Vec<Point> = lower.chain(upper).collect();
        let colour = pen.theme.ink_3.with_alpha(0.6);
        pen.hatch(
            &region,
            7.0,
            Hatch::Rising,
            stroke(colour, size::HAIRLINE_PX),
        );
    }
    if capacity.len() > 1 {
        let mut region = capacity;
        region.push(point(plot.area.right, top));
        region.push(point(plot.area.left, top));
        let (veil, hatch) = (pen.theme.veil, pen.theme.veil_hatch);
        pen.fill(&region, veil);
        pen.hatch(
            &region,
            7.0,
            Hatch::Falling,
            stroke(hatch, size::HAIRLINE_PX),
        );
    }
}

/// A pair's place, at the plot's edge when it lies beyond.
pub(super) fn clamped(plot: &Plot, (context, batch): (f64, f64)) -> Point {
    let y = if batch <= plot.y.low() {
        plot.area.bottom
    } else if batch >= plot.y.high() {
        plot.area.top
    } else {
        plot.y_at(batch)
    };
    let x = plot.x_at(context.clamp(plot.x.low(), plot.x.high()));
    point(x, y)
}

/// The most the legend takes of the canvas.
const LEGEND_SHARE: f64 = 0.38;
const LEGEND_MOST_PX: f64 = 220.0;
const LEGEND_STEPS: usize = 48;

/// The scale of the colours, with ticks, right above the plane.
pub(super) fn legend(pen: &mut Pen<'_>, data: &MapData, range: ColourRange) {
    let ink = pen.theme.ink_3;
    let right = pen.canvas.right - size::MARGIN_RIGHT_PX;
    let width = (pen.canvas.right * LEGEND_SHARE).min(LEGEND_MOST_PX);
    let left = right - width;
    if width < 60.0 {
        return;
    }
    let theme = pen.theme;
    for step in 0..LEGEND_STEPS {
        let (from, to) = edges(step, LEGEND_STEPS, left, right);
        let share = (step as f64 + 0.5) / LEGEND_STEPS as f64;
        pen.fill_rect(rect(from, 3.0, to, 11.0), theme.sequential(share));
    }
    let scale = Scale::log(range.low, range.high);
    let strong = stroke(theme.strong, size::HAIRLINE_PX);
    let ends = [range.low, range.high];
    let inner = scale.ticks((width / 34.0) as usize);
    for value in ends.into_iter().chain(inner) {
        let x = left + scale.fraction(value) * width;
        // The ends stand for what lies beyond them.
        let beyond = if value <= range.low && range.below {
            "≤"
        } else if value >= range.high && range.above {
            "≥"
        } else {
            ""
        };
        let words = Words::tick(format!("{beyond}{}", format::si_tick(value)), ink);
        let half = pen.width(&words) / 2.0;
        let at = point(x.min(pen.canvas.right - half), 25.0);
        let bounds = words.bounds(at, Align::Middle, 2.0 * half);
        if pen.is_free_by(&bounds, 5.0) {
            pen.line(point(x, 11.0), point(x, 14.0), strong);
            pen.write(&words, at, Align::Middle, None);
        }
    }
    let name = Words::tick(data.metric.name(), ink);
    let short = Words::tick(data.metric.name().trim_end_matches(", log"), ink);
    let at = point(left - 9.0, 11.0);
    if pen.write_if_free(&name, at, Align::End, None).is_none() {
        pen.write_if_free(&short, at, Align::End, None);
    }
}
