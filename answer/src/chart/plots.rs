//! Draws plots: their layout, axes, marks and hover targets.

use super::frame::{Plot, plot_area};
use super::hits::{Hits, Pointed, nothing_to_show, rulers};
use super::{BESIDE_FROM_PX, Chart, SHARED_BETWEEN_PX, Xy, marks};
use crate::picture::geometry::{Point, Rect, point, rect};
use crate::picture::pen::Pen;
use crate::picture::text::{self, Align};
use crate::theme::size;

/// Width in px below which a chart is one of several small multiples. Its axes have no names, since the caption
/// contains them.
const SMALL_PX: f64 = 240.0;

/// Gap in px between two plots. If one is above the other, the gap holds the axis name of the lower plot.
const BETWEEN_PX: f64 = 28.0;

fn name_above(pen: &mut Pen<'_>, plot: &Plot, name: &str, (x, align): (f64, Align)) {
    let name = text::Words::tick(name, pen.theme.ink_3);
    let at = point(x, plot.area.top - 10.0);
    pen.write(&name, at, align, None);
}

/// Draws the plots of a chart over the whole canvas; returns their hover targets.
pub fn draw(chart: &Chart, pen: &mut Pen<'_>) -> Hits {
    let small = pen.canvas.width() < SMALL_PX;
    let area = area(chart, pen, small);
    let wide = chart.upper.is_none() && area.width() >= BESIDE_FROM_PX;
    let places = places(chart, &area, wide);
    let ([(_, first), ..], Some((_, last))) = (&places[..], places.last()) else {
        return nothing_to_show(pen, &area, &chart.empty);
    };
    let is_pair = places.len() > 1 && chart.upper.is_none();
    for (index, (xy, plot)) in places.iter().enumerate() {
        let name = if small { "" } else { &*xy.y.name };
        let Rect { left, right, .. } = plot.area;
        if is_pair {
            xy.y.draw_left(pen, plot, 24.0, ("", 0.0));
            name_above(pen, plot, name, (left - size::MARGIN_LEFT_PX, Align::Start));
        } else if index == 0 {
            xy.y.draw_left(pen, plot, 26.0, (name, 10.0));
        } else {
            // Write the name on the left, or on the right if a vertical rule would cross it.
            let width = pen.width(&text::Words::tick(name, pen.theme.ink_3)) + 4.0;
            let crossed = xy
                .uprights()
                .any(|at| plot.x.holds(at) && plot.x_at(at) < left + width);
            let side = if crossed {
                (right, Align::End)
            } else {
                (left, Align::Start)
            };
            xy.y.draw_left(pen, plot, 26.0, ("", 0.0));
            name_above(pen, plot, name, side);
        }
    }
    for (xy, plot) in places.iter().rev() {
        if wide || plot == last {
            let name = if small { "" } else { &*xy.x.name };
            xy.x.draw_below(pen, plot, name);
        }
    }
    for (xy, plot) in &places {
        xy.draw(pen, plot, small);
    }
    // If plots are stacked, one ruler passes through both, so only the first has hover targets.
    let ruled = if wide { &places[..] } else { &places[..1] };
    let at = |(xy, plot): &(&Xy, Plot)| {
        let hits = xy.hits().into_iter();
        let places: Vec<_> = hits.map(|at| (at.row, plot.at(at.x, at.y))).collect();
        places
    };
    let hits: Vec<(Option<usize>, Point)> = ruled.iter().flat_map(at).collect();
    let start = hits
        .iter()
        .position(|(row, _)| *row == chart.start && row.is_some());
    let through = hits.iter().map(|(_, at)| *at);
    match chart.plots.iter().any(|xy| xy.ruler) {
        true => Hits::rulers(through, &area.down(first.area.top, last.area.bottom)),
        false => Hits::points(through.map(|at| last.area.nearest(at))),
    }
    .on(last)
    .starting_at(start)
}

/// Highlights the hover target under the pointer.
pub fn glow(chart: &Chart, pointed: Pointed<'_>, pen: &mut Pen<'_>) {
    let Some(at) = rulers(pen, pointed) else {
        return;
    };
    match chart
        .hits()
        .get(pointed.index)
        .and_then(|(plot, at)| plot.series_of(*at))
    {
        Some(series) => {
            pen.disc(at, 6.5, pen.theme.background);
            let ink = pen.theme.series(series).line;
            marks::series(pen, at, series, 4.6, (ink, true));
        }
        None => pen.rimmed_point(at, 4.2, pen.theme.ink_1),
    }
}

/// Lays out a chart's plots: a single plot, or two plots that are side by side or stacked.
fn places<'a>(chart: &'a Chart, whole: &Rect, wide: bool) -> Vec<(&'a Xy, Plot)> {
    let areas = match (chart.plots.len(), wide) {
        (..=1, _) => vec![*whole],
        (_, true) => {
            let half = (whole.width() - size::MARGIN_LEFT_PX - BETWEEN_PX) / 2.0;
            let left = whole.across(whole.left, whole.left + half);
            vec![left, whole.across(whole.right - half, whole.right)]
        }
        (_, false) => {
            let between = chart.upper.map_or(BETWEEN_PX, |_| SHARED_BETWEEN_PX);
            let upper = (whole.height() - between) * chart.upper.unwrap_or(0.5);
            let foot = whole.top + upper.max(1.0);
            let below = (foot + between).min(whole.bottom - 1.0);
            vec![whole.down(whole.top, foot), whole.down(below, whole.bottom)]
        }
    };
    let plots = chart.plots.iter().zip(areas);
    plots
        .map(|(xy, area)| (xy, Plot::new(area, xy.x.scale, xy.y.scale)))
        .collect()
}

fn area(chart: &Chart, pen: &Pen<'_>, small: bool) -> Rect {
    if small {
        let (right, bottom) = (pen.canvas.right - 6.0, pen.canvas.bottom - 19.0);
        return rect(27.0, 5.0, right.max(28.0), bottom.max(6.0));
    }
    let [left, right] = chart.beside_px;
    let area = plot_area(
        &pen.canvas,
        size::MARGIN_LEFT_PX + left,
        size::MARGIN_TOP_PX,
    );
    area.across(area.left, (area.right - right).max(area.left + 1.0))
}
