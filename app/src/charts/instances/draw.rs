//! The marks of one large deployment against many small ones.

use super::{InstanceCurve, InstancePoint, InstancesData};
use crate::charts::prelude::*;

/// Room for labels above the higher curve.
const HEADROOM: f64 = 1.3;

/// Draws the chart; hits are the points of the small ones' curve, then of the large one's.
pub fn draw(pen: &mut Pen<'_>, data: &InstancesData) -> Hits {
    let area = plot_area(&pen.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
    let (small, large) = (
        InstancesData::drawn(&data.small),
        InstancesData::drawn(&data.large),
    );
    if small.is_empty() && large.is_empty() {
        let why = data
            .trouble
            .as_deref()
            .unwrap_or("nothing can be evaluated");
        nothing_to_show(pen, &area, why);
        return Hits::default();
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

    si_axes(
        pen,
        &plot,
        "tokens/s per GPU",
        "batch, sequences per GPU, log",
    );
    let (ink, accent) = (pen.theme.ink_2, pen.theme.ink_1);
    line(pen, &plot, &small, ink, 1.4);
    line(pen, &plot, &large, accent, 2.2);
    pen.seam();
    let lines: Vec<(Point, Point)> = [&small, &large]
        .into_iter()
        .flat_map(|points| points.windows(2))
        .map(|pair| (at(&pair[0]), at(&pair[1])))
        .collect();
    for best in [data.small.best, data.large.best].into_iter().flatten() {
        pen.reserve(Rect::about(at(&best), 5.0));
    }
    let large_label = format!("{} at {}", data.large_name(), data.link());
    name(
        pen,
        &plot,
        &data.large,
        &[large_label, data.large_name()],
        accent,
        &lines,
    );
    name(pen, &plot, &data.small, &[data.small_name()], ink, &lines);
    Hits::points(all().map(at)).on(&plot)
}

/// A curve, solid while it fits and dotted beyond.
fn line(pen: &mut Pen<'_>, plot: &Plot, points: &[InstancePoint], colour: Colour, width: f64) {
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
        pen.dotted(&beyond, 4.5, width / 2.0, colour);
    }
    pen.polyline(
        &at(points.get(..end).unwrap_or_default()),
        stroke(colour, width),
    );
}

/// Names a curve at its best point, or at its end where nothing fits.
fn name(
    pen: &mut Pen<'_>,
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
    let (grey, background) = (pen.theme.ink_2, pen.theme.background);
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
    if pen
        .place(&wordings, &spots, &plot.area, lines, Some(background))
        .is_none()
    {
        pen.place(&wordings, &spots, &plot.area, &[], Some(background));
    }
    if curve.best.is_some() {
        pen.open_point(at, 4.0, stroke(ink, 1.6));
    }
}
