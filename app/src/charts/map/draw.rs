//! The map's frame: the plane, its legend, its axes, the current point.

use super::cells::{clamped, draw_cells, legend, out_of_reach};
use super::lines::{contours, draw_limits, label_limits};
use super::{Field, MapData, MapPoint, tokens};
use crate::charts::prelude::*;

/// Room for the legend above the plot.
const TOP_PX: f64 = 38.0;

/// Draws the map; hits are the boxes of the grid in the order of its points, then now.
pub fn draw(pen: &mut Pen<'_>, data: &MapData) -> Hits {
    let area = plot_area(&pen.canvas, size::MARGIN_LEFT_PX, TOP_PX);
    let field = &data.field;
    if !field.draws() {
        nothing_to_show(pen, &area, "nothing to map");
        return Hits::default();
    }
    let plot = Plot::new(
        area,
        Scale::log(field.contexts.0, field.contexts.1),
        Scale::log(field.batches.0, field.batches.1),
    );
    let now = holds(&plot, &data.now).then(|| plot.at(data.now.context, data.now.batch));

    let range = data.range();
    draw_cells(pen, &plot, data, range);
    if let Some(range) = range {
        contours(pen, &plot, data, range);
    }
    out_of_reach(pen, &plot, field);
    draw_limits(pen, &plot, data);
    axes(pen, &plot);
    if let Some(range) = range {
        legend(pen, data, range);
    }
    if let Some(at) = now {
        pen.reserve(Rect::about(at, 11.0));
        now_label(pen, &plot, data, at);
    }
    label_limits(pen, &plot, data);
    name_regions(pen, &plot, field);
    if range.is_none() {
        nothing_fits(pen, &plot);
    }
    pen.seam();
    if let Some(at) = now {
        draw_now(pen, at, data.now.fits);
    }

    let mut reaches = boxes(&plot, field);
    reaches.extend(now.map(Reach::Point));
    let handle = now.map(|_| Handle::on(&plot, data.now.context, data.now.batch));
    let start = field.points.len().min(reaches.len().saturating_sub(1));
    Hits::new(reaches)
        .on(&plot)
        .starting_at(start)
        .with_handle(handle)
}

fn holds(plot: &Plot, point: &MapPoint) -> bool {
    plot.x.holds(point.context) && plot.y.holds(point.batch)
}

/// Says what the veil and the hatch mean, where there is room.
fn name_regions(pen: &mut Pen<'_>, plot: &Plot, field: &Field) {
    let (ink, background) = (pen.theme.ink_2, pen.theme.background);
    let Rect {
        left, top, right, ..
    } = plot.area;
    let full = field.capacity.iter().all(|(_, batch)| *batch < 1.0);
    let over = |x: f64| {
        let at = field.capacity.iter().map(|pair| clamped(plot, *pair));
        let mut right_of = at.skip_while(|at| at.x < x);
        right_of.next().map_or(top, |at| at.y)
    };
    if !full && over(right - 100.0) > top + 24.0 {
        let words = vec![Words::note("out of memory", ink)];
        let spots = [
            spot(point(right - 8.0, top + 5.0), Align::End, Side::Below),
            spot(point(right - 8.0, top + 24.0), Align::End, Side::Below),
        ];
        pen.place(&[words], &spots, &plot.area, &[], Some(background));
    }
    let missed = field.missed.iter().filter_map(|missed| {
        let low = clamped(plot, (missed.context, missed.above.min(missed.to)));
        let high = clamped(plot, (missed.context, missed.to));
        (low.y - high.y > 20.0).then(|| point(low.x, (low.y + high.y) / 2.0))
    });
    let spots: Vec<_> = missed
        .filter(|at| at.x > left + 30.0)
        .flat_map(|at| [Align::Middle, Align::End].map(|align| spot(at, align, Side::Level)))
        .collect();
    let words = vec![Words::note("misses SLO", ink)];
    pen.place(&[words], &spots, &plot.area, &[], Some(background));
}

/// The edges of column or row `index` of `count` between two places.
pub(super) fn edges(index: usize, count: usize, from: f64, to: f64) -> (f64, f64) {
    let edge = |index: usize| from + (to - from) * index as f64 / count.max(1) as f64;
    (edge(index), edge(index + 1))
}

fn boxes(plot: &Plot, field: &Field) -> Vec<Reach> {
    let (columns, rows) = (field.columns, field.rows());
    let Rect {
        left,
        top,
        right,
        bottom,
    } = plot.area;
    let mut reaches = Vec::with_capacity(columns * rows + 1);
    for row in 0..rows {
        let (low, high) = edges(row, rows, bottom, top);
        for column in 0..columns {
            let (from, to) = edges(column, columns, left, right);
            reaches.push(Reach::Box(rect(from, high, to, low)));
        }
    }
    reaches
}

fn axes(pen: &mut Pen<'_>, plot: &Plot) {
    let ink = pen.theme.ink_3;
    let contexts = powers(&plot.x)
        .into_iter()
        .map(|value| (value, Words::tick(format::tokens(value), ink)))
        .collect();
    x_axis(
        pen,
        plot,
        &Axis {
            ticks: contexts,
            minor: Vec::new(),
            name: "context, tokens, log",
        },
    );
    // No grid over the plane: the ticks stand outside it.
    pen.write(
        &Words::tick("sequences in all, log", ink),
        point(0.0, 10.0),
        Align::Start,
        None,
    );
    let strong = stroke(pen.theme.strong, size::HAIRLINE_PX);
    for value in plot.y.ticks((plot.area.height() / 26.0) as usize) {
        let y = plot.y_at(value);
        pen.line(
            point(plot.area.left - 4.0, y),
            point(plot.area.left, y),
            strong,
        );
        let words = Words::tick(format::si_tick(value), ink);
        let at = point(plot.area.left - 7.0, words.baseline_about(y));
        pen.write_if_free(&words, at, Align::End, None);
    }
}

/// Powers of two on a scale, every second where there are many.
fn powers(scale: &Scale) -> Vec<f64> {
    let mut value = 1.0;
    let mut powers = Vec::new();
    while value <= scale.high() * 1.000_001 && powers.len() < 64 {
        if value >= scale.low() * 0.999_999 {
            powers.push(value);
        }
        value *= 4.0;
    }
    powers
}

/// Rulers from the point of the grid, or from now, to both axes.
pub fn glow(pen: &mut Pen<'_>, data: &MapData, index: usize, plot: &Plot) {
    let Some(point_at) = data.field.points.get(index).copied().flatten() else {
        pen.seam();
        return;
    };
    let at = plot.at(point_at.context, point_at.batch);
    let style = stroke(pen.theme.ink_1, size::HAIRLINE_PX);
    pen.dashed_rule(at, point(at.x, plot.area.bottom), (1.5, 2.5), style);
    pen.dashed_rule(point(plot.area.left, at.y), at, (1.5, 2.5), style);
    pen.seam();
    let tokens = format::tokens(point_at.context);
    axis_box(pen, &tokens, at.x, plot.area.bottom + 11.5);
}

fn draw_now(pen: &mut Pen<'_>, at: Point, fits: bool) {
    let ink = if fits { pen.theme.ink_1 } else { pen.theme.bad };
    let background = pen.theme.background;
    pen.disc(at, 10.0, background);
    pen.ring(at, 9.0, stroke(ink, 1.5));
    if fits {
        pen.disc(at, 4.4, ink);
    } else {
        pen.ring(at, 3.8, stroke(ink, 1.5));
    }
}

fn now_label(pen: &mut Pen<'_>, plot: &Plot, data: &MapData, at: Point) {
    let (ink, grey, background) = (
        if data.now.fits {
            pen.theme.ink_1
        } else {
            pen.theme.bad
        },
        pen.theme.ink_1,
        pen.theme.background,
    );
    let state = match (data.now.fits, data.now.meets_slo) {
        (false, _) => "now: does not fit".to_owned(),
        (true, false) => "now: misses the SLO".to_owned(),
        _ => format!("now: {}", value(data)),
    };
    let title = Words::label(state, ink).bold();
    let batch = format!(
        "{} × {}",
        format::sequences(data.now.batch),
        tokens(data.now.context)
    );
    let wordings = [
        vec![title.clone(), Words::note(batch, grey)],
        vec![title],
        vec![Words::label("now", ink).bold()],
    ];
    let spots = [
        spot(point(at.x + 14.0, at.y), Align::Start, Side::Level),
        spot(point(at.x - 14.0, at.y), Align::End, Side::Level),
        spot(point(at.x, at.y + 13.0), Align::Middle, Side::Below),
        spot(point(at.x, at.y - 13.0), Align::Middle, Side::Above),
    ];
    pen.place(&wordings, &spots, &plot.area, &[], Some(background));
}

/// The metric's value now, with its unit.
fn value(data: &MapData) -> String {
    use super::Metric::{PerGpu, PerUser, Tpot};
    let value = data.metric.of(&data.now);
    match data.metric {
        Tpot => format!("{} ms", format::sig3(value)),
        PerGpu => format!("{} tok/s/GPU", format::si(value)),
        PerUser => format!("{} tok/s/user", format::sig3(value)),
    }
}

fn nothing_fits(pen: &mut Pen<'_>, plot: &Plot) {
    let (ink, background) = (pen.theme.ink_2, pen.theme.background);
    let words = vec![
        Words::label("out of memory everywhere", ink).bold(),
        Words::note("not even one sequence fits beside the weights", ink),
    ];
    let centre = plot.area.centre();
    let spots = [
        spot(centre, Align::Middle, Side::Level),
        spot(
            point(centre.x, plot.area.top + 12.0),
            Align::Middle,
            Side::Below,
        ),
        spot(
            point(centre.x, plot.area.bottom - 12.0),
            Align::Middle,
            Side::Above,
        ),
    ];
    let short = vec![Words::label("nothing fits", ink).bold()];
    pen.place(&[words, short], &spots, &plot.area, &[], Some(background));
}
