//! The marks of one large deployment against many small ones.

use super::{InstanceCurve, InstancePoint, InstancesData};

use crate::charts::frame::{Axis, Plot, axis_box, nothing_to_show, plot_area, x_axis, y_axis};
use crate::charts::geometry::{Point, Rect, point};
use crate::charts::hits::{Hits, Reach};
use crate::charts::scale::Scale;
use crate::charts::sketch::{Sketch, stroke};
use crate::charts::surface::{DrawError, Surface};
use crate::charts::text::{Align, Side, Words, spot};
use crate::format;
use crate::theme::{Colour, Theme, size};

/// Room for labels above the higher curve.
const HEADROOM: f64 = 1.3;

/// Draws the chart; hits are the points of the small ones' curve, then of the large one's.
pub fn draw<S: Surface>(
    surface: &mut S,
    data: &InstancesData,
    theme: &Theme,
    focus: Option<usize>,
) -> Result<Hits, DrawError<S>> {
    let mut sketch = Sketch::new(surface, theme);
    let area = plot_area(&sketch.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
    let (small, large) = (
        InstancesData::drawn(&data.small),
        InstancesData::drawn(&data.large),
    );
    if small.is_empty() && large.is_empty() {
        let why = data
            .trouble
            .as_deref()
            .unwrap_or("nothing can be evaluated");
        nothing_to_show(&mut sketch, &area, why);
        sketch.finish()?;
        return Ok(Hits::default());
    }
    let all = || small.iter().chain(&large);
    let fold = |of: fn(&InstancePoint) -> f64| {
        all()
            .map(of)
            .fold((f64::INFINITY, 0.0_f64), |(low, high), value| {
                (low.min(value), high.max(value))
            })
    };
    let (fewest, most) = fold(|point| point.batch_per_gpu);
    let (_, highest) = fold(|point| point.tokens_per_s_per_gpu);
    let plot = Plot::new(
        area,
        Scale::log(fewest, most * 1.1),
        Scale::linear(
            0.0,
            if highest > 0.0 {
                highest * HEADROOM
            } else {
                1.0
            },
        ),
    );
    let at = |p: &InstancePoint| plot.at(p.batch_per_gpu, p.tokens_per_s_per_gpu);
    let focused = focus.and_then(|index| all().nth(index).copied());

    axes(&mut sketch, &plot, focused.as_ref());
    let (ink, accent) = (sketch.theme.ink_2, sketch.theme.ink_1);
    line(&mut sketch, &plot, &small, ink, 1.4);
    line(&mut sketch, &plot, &large, accent, 2.2);
    if let Some(point) = &focused {
        let p = at(point);
        let pen = stroke(sketch.theme.ink_2, size::HAIRLINE_PX);
        sketch.dashed_rule(
            p,
            Point {
                y: area.bottom,
                ..p
            },
            (1.5, 2.5),
            pen,
        );
        sketch.dashed_rule(Point { x: area.left, ..p }, p, (1.5, 2.5), pen);
    }
    let lines: Vec<(Point, Point)> = [&small, &large]
        .into_iter()
        .flat_map(|points| points.windows(2))
        .map(|pair| (at(&pair[0]), at(&pair[1])))
        .collect();
    for best in [data.small.best, data.large.best].into_iter().flatten() {
        sketch.reserve(Rect::about(at(&best), 5.0));
    }
    let large_label = format!("{} at {}", data.large_name(), data.link());
    name(
        &mut sketch,
        &plot,
        &data.large,
        &[large_label, data.large_name()],
        accent,
        &lines,
    );
    name(
        &mut sketch,
        &plot,
        &data.small,
        &[data.small_name()],
        ink,
        &lines,
    );
    if let Some(point) = &focused {
        sketch.rimmed_point(at(point), 4.2, accent);
    }
    sketch.finish()?;

    let reaches = all()
        .map(at)
        .map(|p| Reach::Point {
            x_px: p.x,
            y_px: p.y,
        })
        .collect();
    Ok(Hits::new(reaches))
}

fn axes<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, focused: Option<&InstancePoint>) {
    let ink = sketch.theme.ink_3;
    if let Some(point) = focused {
        axis_box(
            sketch,
            &format::batch(point.batch_per_gpu),
            plot.x_at(point.batch_per_gpu),
            plot.area.bottom + 11.5,
        );
    }
    let words = |value: f64| (value, Words::tick(format::si_tick(value), ink));
    let ticks = |scale: &Scale, most: f64| -> Vec<(f64, Words)> {
        let ticks = scale.ticks(most.max(2.0) as usize);
        ticks.into_iter().map(words).collect()
    };
    let y = ticks(&plot.y, plot.area.height() / 26.0);
    y_axis(
        sketch,
        plot,
        &Axis {
            ticks: y,
            minor: Vec::new(),
            name: "tokens/s per GPU",
        },
        10.0,
    );
    let x = ticks(&plot.x, plot.area.width() / 44.0);
    x_axis(
        sketch,
        plot,
        &Axis {
            ticks: x,
            minor: plot.x.minor_ticks(),
            name: "batch, sequences per GPU, log",
        },
    );
}

/// A curve, solid while it fits and dotted beyond.
fn line<S: Surface>(
    sketch: &mut Sketch<'_, S>,
    plot: &Plot,
    points: &[InstancePoint],
    colour: Colour,
    width: f64,
) {
    let end = points
        .iter()
        .position(|point| !point.fits)
        .unwrap_or(points.len());
    let at = |points: &[InstancePoint]| -> Vec<Point> {
        points
            .iter()
            .map(|p| plot.at(p.batch_per_gpu, p.tokens_per_s_per_gpu))
            .collect()
    };
    let beyond = at(points.get(end.saturating_sub(1)..).unwrap_or_default());
    if end < points.len() && beyond.len() > 1 {
        sketch.dotted(&beyond, 4.5, width / 2.0, colour);
    }
    sketch.polyline(
        &at(points.get(..end).unwrap_or_default()),
        stroke(colour, width),
    );
}

/// Names a curve at its best point, or at its end where nothing fits.
fn name<S: Surface>(
    sketch: &mut Sketch<'_, S>,
    plot: &Plot,
    curve: &InstanceCurve,
    names: &[String],
    ink: Colour,
    lines: &[(Point, Point)],
) {
    let Some(point_named) = curve
        .best
        .or(curve.points.last().copied())
        .filter(InstancePoint::draws)
    else {
        return;
    };
    if !plot.x.holds(point_named.batch_per_gpu) {
        return;
    }
    let at = plot.at(point_named.batch_per_gpu, point_named.tokens_per_s_per_gpu);
    let (grey, background) = (sketch.theme.ink_2, sketch.theme.background);
    let detail = if curve.best.is_some() {
        format!(
            "best {} at {} per GPU",
            format::si(point_named.tokens_per_s_per_gpu),
            format::batch(point_named.batch_per_gpu)
        )
    } else {
        "nothing fits or meets the SLO".to_owned()
    };
    let mut wordings: Vec<Vec<Words>> = names
        .iter()
        .map(|name| {
            vec![
                Words::label(name.clone(), ink).bold(),
                Words::note(detail.clone(), grey),
            ]
        })
        .collect();
    wordings.extend(
        names
            .iter()
            .map(|name| vec![Words::label(name.clone(), ink).bold()]),
    );
    let Point { x, y } = at;
    let spots = [
        spot(point(x - 6.0, y - 7.0), Align::End, Side::Above),
        spot(point(x + 6.0, y + 7.0), Align::Start, Side::Below),
        spot(point(x + 6.0, y - 7.0), Align::Start, Side::Above),
        spot(point(x - 6.0, y + 9.0), Align::End, Side::Below),
        spot(point(x - 30.0, y - 26.0), Align::End, Side::Above),
        spot(point(x - 30.0, y + 30.0), Align::End, Side::Below),
        spot(point(x, y + 48.0), Align::Middle, Side::Below),
    ];
    if sketch
        .place(&wordings, &spots, &plot.area, lines, Some(background))
        .is_none()
    {
        sketch.place(&wordings, &spots, &plot.area, &[], Some(background));
    }
    if curve.best.is_some() {
        sketch.open_point(at, 4.0, stroke(ink, 1.6));
    }
}
