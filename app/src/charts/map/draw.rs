//! The map's frame: the plane, its legend, its axes, the current point.

use super::cells::{clamped, draw_cells, legend, out_of_reach};
use super::lines::{contours, draw_limits, label_limits};
use super::{Field, MapData, MapPoint, tokens};

use crate::charts::frame::{Axis, Plot, axis_box, nothing_to_show, plot_area, x_axis};
use crate::charts::geometry::{Point, Rect, point};
use crate::charts::hits::{Handle, Hits, Reach};
use crate::charts::scale::Scale;
use crate::charts::sketch::{Sketch, stroke};
use crate::charts::surface::{DrawError, Surface};
use crate::charts::text::{Align, Side, Words, spot};
use crate::format;
use crate::theme::{Theme, size};

/// Room for the legend above the plot.
const TOP_PX: f64 = 38.0;

/// Draws the map; hits are the boxes of the grid in the order of its points, then now.
pub fn draw<S: Surface>(
    surface: &mut S,
    data: &MapData,
    theme: &Theme,
    focus: Option<usize>,
) -> Result<Hits, DrawError<S>> {
    let mut sketch = Sketch::new(surface, theme);
    let area = plot_area(&sketch.canvas, size::MARGIN_LEFT_PX, TOP_PX);
    let field = &data.field;
    if !field.draws() {
        nothing_to_show(&mut sketch, &area, "nothing to map");
        sketch.finish()?;
        return Ok(Hits::default());
    }
    let plot = Plot::new(
        area,
        Scale::log(field.contexts.0, field.contexts.1),
        Scale::log(field.batches.0, field.batches.1),
    );
    let now = holds(&plot, &data.now).then(|| plot.at(data.now.context, data.now.batch));
    let focused = focus.and_then(|index| field.points.get(index).copied().flatten());

    let range = data.range();
    draw_cells(&mut sketch, &plot, data, range);
    if let Some(range) = range {
        contours(&mut sketch, &plot, data, range);
    }
    out_of_reach(&mut sketch, &plot, field);
    draw_limits(&mut sketch, &plot, data);
    axes(&mut sketch, &plot, focused.as_ref());
    if let Some(range) = range {
        legend(&mut sketch, data, range);
    }
    if let Some(at) = now {
        sketch.reserve(Rect::about(at, 11.0));
        now_label(&mut sketch, &plot, data, at);
    }
    label_limits(&mut sketch, &plot, data);
    name_regions(&mut sketch, &plot, field);
    if range.is_none() {
        nothing_fits(&mut sketch, &plot);
    }
    if let Some(point) = &focused {
        ruler(&mut sketch, &plot, plot.at(point.context, point.batch));
    }
    if let Some(at) = now {
        draw_now(&mut sketch, at, data.now.fits);
    }
    sketch.finish()?;

    let mut reaches = boxes(&plot, field);
    reaches.extend(now.map(|at| Reach::Point {
        x_px: at.x,
        y_px: at.y,
    }));
    let handle = now.map(|_| Handle::on(&plot, data.now.context, data.now.batch));
    let start = field.points.len().min(reaches.len().saturating_sub(1));
    Ok(Hits::new(reaches).starting_at(start).with_handle(handle))
}

fn holds(plot: &Plot, point: &MapPoint) -> bool {
    plot.x.holds(point.context) && plot.y.holds(point.batch)
}

/// Says what the veil and the hatch mean, where there is room.
fn name_regions<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, field: &Field) {
    let (ink, background) = (sketch.theme.ink_2, sketch.theme.background);
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
        sketch.place(&[words], &spots, &plot.area, &[], Some(background));
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
    sketch.place(&[words], &spots, &plot.area, &[], Some(background));
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
            reaches.push(Reach::Box {
                left_px: from,
                top_px: high,
                right_px: to,
                bottom_px: low,
            });
        }
    }
    reaches
}

fn axes<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, focused: Option<&MapPoint>) {
    let ink = sketch.theme.ink_3;
    if let Some(point) = focused {
        axis_box(
            sketch,
            &format::tokens(point.context),
            plot.x_at(point.context),
            plot.area.bottom + 11.5,
        );
    }
    let contexts = powers(&plot.x)
        .into_iter()
        .map(|value| (value, Words::tick(format::tokens(value), ink)))
        .collect();
    x_axis(
        sketch,
        plot,
        &Axis {
            ticks: contexts,
            minor: Vec::new(),
            name: "context, tokens, log",
        },
    );
    // No grid over the plane: the ticks stand outside it.
    sketch.write(
        &Words::tick("sequences in all, log", ink),
        point(0.0, 10.0),
        Align::Start,
        None,
    );
    let strong = stroke(sketch.theme.strong, size::HAIRLINE_PX);
    for value in plot.y.ticks((plot.area.height() / 26.0) as usize) {
        let y = plot.y_at(value);
        sketch.line(
            point(plot.area.left - 4.0, y),
            point(plot.area.left, y),
            strong,
        );
        let words = Words::tick(format::si_tick(value), ink);
        let at = point(plot.area.left - 7.0, words.baseline_about(y));
        sketch.write_if_free(&words, at, Align::End, None);
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

fn ruler<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, at: Point) {
    let pen = stroke(sketch.theme.ink_1, size::HAIRLINE_PX);
    sketch.dashed_rule(at, point(at.x, plot.area.bottom), (1.5, 2.5), pen);
    sketch.dashed_rule(point(plot.area.left, at.y), at, (1.5, 2.5), pen);
}

fn draw_now<S: Surface>(sketch: &mut Sketch<'_, S>, at: Point, fits: bool) {
    let ink = if fits {
        sketch.theme.ink_1
    } else {
        sketch.theme.bad
    };
    let background = sketch.theme.background;
    sketch.disc(at, 10.0, background);
    sketch.ring(at, 9.0, stroke(ink, 1.5));
    if fits {
        sketch.disc(at, 4.4, ink);
    } else {
        sketch.ring(at, 3.8, stroke(ink, 1.5));
    }
}

fn now_label<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, data: &MapData, at: Point) {
    let (ink, grey, background) = (
        if data.now.fits {
            sketch.theme.ink_1
        } else {
            sketch.theme.bad
        },
        sketch.theme.ink_1,
        sketch.theme.background,
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
    sketch.place(&wordings, &spots, &plot.area, &[], Some(background));
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

fn nothing_fits<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot) {
    let (ink, background) = (sketch.theme.ink_2, sketch.theme.background);
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
    sketch.place(&[words, short], &spots, &plot.area, &[], Some(background));
}
