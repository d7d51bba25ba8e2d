//! The Plans chart's marks.

use super::{LineStyle, PlanCurve, PlanPoint, PlansData};
use crate::charts::prelude::*;

/// Draws the chart; hits are the points of the frontiers.
pub fn draw(pen: &mut Pen<'_>, data: &PlansData) -> Hits {
    let area = plot_area(&pen.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
    let plot = Plot::new(
        area,
        scale(data, |p| p.tokens_per_s_per_user, now_and_slo(data)),
        scale(
            data,
            |p| p.tokens_per_s_per_gpu,
            data.now.iter().map(|now| now.tokens_per_s_per_gpu),
        ),
    );
    let at = |p: &PlanPoint| plot.at(p.tokens_per_s_per_user, p.tokens_per_s_per_gpu);

    si_axes(
        pen,
        &plot,
        "tokens/s per GPU (log)",
        "tokens/s per user (log)",
    );
    if data.hits().next().is_none() {
        nothing_to_show(pen, &area, "no plan to draw");
    }
    let slo = data
        .slo_tokens_per_s_per_user
        .filter(|least| plot.x.holds(*least));
    if let Some(least) = slo {
        slo_region(pen, &plot, least);
    }
    faint(pen, &plot, data);
    let mut lines = Vec::new();
    for curve in data.curves.iter() {
        let line: Vec<Point> = curve.points.iter().filter(|p| p.draws()).map(at).collect();
        curve_line(pen, curve, &line);
        lines.extend(line.iter().copied().zip(line.iter().skip(1).copied()));
    }
    for curve in data.curves.iter() {
        let colour = pen.theme.series(curve.style.series).line;
        for place in curve.points.iter().filter(|p| p.draws()).map(at) {
            pen.disc(place, 2.1, colour);
        }
    }
    pen.seam();
    marks(pen, &plot, data, &lines);
    if let Some(least) = slo {
        slo_label(pen, &plot, least);
    }
    for curve in data.curves.iter() {
        name(pen, &plot, curve, &lines);
    }

    let best = data.best.and_then(|(user, gpu)| {
        data.hits().position(|(_, p)| {
            (p.tokens_per_s_per_user - user).abs() < 1e-9 * user
                && (p.tokens_per_s_per_gpu - gpu).abs() < 1e-9 * gpu
        })
    });
    Hits::points(data.hits().map(|(_, p)| at(p)))
        .on(&plot)
        .starting_at(best.unwrap_or(0))
}

fn now_and_slo(data: &PlansData) -> impl Iterator<Item = f64> + '_ {
    data.now
        .iter()
        .map(|now| now.tokens_per_s_per_user)
        .chain(data.slo_tokens_per_s_per_user)
}

/// More than five decades say nothing about the plans worth having.
const MOST_SPREAD: f64 = 1e5;

/// A logarithmic scale that holds every frontier, and what else there is where it lies near.
fn scale(
    data: &PlansData,
    value: impl Fn(&PlanPoint) -> f64,
    others: impl Iterator<Item = f64>,
) -> Scale {
    let mut values: Vec<f64> = data.hits().map(|(_, point)| value(point)).collect();
    let high = values.iter().copied().fold(0.0, f64::max);
    let near = |other: &f64| {
        other.is_finite()
            && *other > 0.0
            && (high <= 0.0 || (high / 1e4..high * 30.0).contains(other))
    };
    values.extend(others.filter(near));
    let high = values.iter().copied().fold(0.0, f64::max);
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    if high <= 0.0 || !low.is_finite() {
        return Scale::log(1.0, 100.0);
    }
    Scale::log(
        (low / 1.25).max(high / MOST_SPREAD),
        (high * 1.35).max(low * 2.0),
    )
}

fn slo_region(pen: &mut Pen<'_>, plot: &Plot, least: f64) {
    let Rect {
        left, top, bottom, ..
    } = plot.area;
    let x = plot.x_at(least);
    let missed = rect(left, top, x, bottom);
    let style = stroke(pen.theme.line, size::HAIRLINE_PX);
    pen.hatch(&missed.corners(), 9.0, Hatch::Rising, style);
    let style = stroke(pen.theme.ink_2, 1.2);
    pen.line(point(x, top), point(x, bottom), style);
}

fn slo_label(pen: &mut Pen<'_>, plot: &Plot, least: f64) {
    let (ink, background) = (pen.theme.ink_2, pen.theme.background);
    let x = plot.x_at(least);
    let words = [
        vec![Words::note(
            format!("SLO {} tok/s/user", format::sig3(least)),
            ink,
        )],
        vec![Words::note("SLO", ink)],
    ];
    let spot = |x: f64, y: f64, align| Spot {
        at: point(x, y),
        align,
        side: Side::Below,
    };
    let spots: Vec<Spot> = [plot.area.top + 2.0, plot.area.bottom - 18.0]
        .into_iter()
        .flat_map(|y| [spot(x + 5.0, y, Align::Start), spot(x - 5.0, y, Align::End)])
        .collect();
    pen.place(&words, &spots, &plot.area, &[], Some(background));
}

/// Candidates in one path for each colour; those outside the axes are left out.
fn faint(pen: &mut Pen<'_>, plot: &Plot, data: &PlansData) {
    let alpha = if pen.theme.dark { 0.4 } else { 0.3 };
    for series in crate::theme::Series::ALL {
        let colour = pen.theme.series(series).line.with_alpha(alpha);
        for plan in data.faint.iter().filter(|plan| plan.series == series) {
            let (x, y) = (plan.tokens_per_s_per_user, plan.tokens_per_s_per_gpu);
            if plot.x.holds(x) && plot.y.holds(y) {
                pen.disc(plot.at(x, y), 1.1, colour);
            }
        }
    }
}

fn curve_line(pen: &mut Pen<'_>, curve: &PlanCurve, line: &[Point]) {
    let colour = pen.theme.series(curve.style.series).line;
    match curve.style.line {
        LineStyle::Bold => pen.polyline(line, stroke(colour, 2.3)),
        LineStyle::Solid => pen.polyline(line, stroke(colour, 1.5)),
        LineStyle::Dashed => pen.dashed(line, (7.0, 3.5), stroke(colour, 1.5)),
        LineStyle::Dotted => pen.dashed(line, (2.0, 3.0), stroke(colour, 1.7)),
    }
}

/// The scenario being edited, and a ring around the best plan.
fn marks(pen: &mut Pen<'_>, plot: &Plot, data: &PlansData, lines: &[(Point, Point)]) {
    let (ink, bad, background) = (pen.theme.ink_1, pen.theme.bad, pen.theme.background);
    let there = |x: f64, y: f64| (plot.x.holds(x) && plot.y.holds(y)).then(|| plot.at(x, y));
    let best = data.best.and_then(|(x, y)| there(x, y));
    if let Some(best) = best {
        pen.ring(best, 6.5, stroke(ink, 1.6));
        pen.reserve(Rect::about(best, 7.5));
    }
    let now = data.now.as_ref().and_then(|now| {
        let place = there(now.tokens_per_s_per_user, now.tokens_per_s_per_gpu)?;
        Some((now, place))
    });
    if let Some((now, place)) = now {
        let ink = if now.fits { ink } else { bad };
        pen.disc(place, 7.2, background);
        pen.ring(place, 6.4, stroke(ink, 1.4));
        if now.fits {
            pen.disc(place, 3.2, ink);
        }
        pen.reserve(Rect::about(place, 7.5));
    }
    if let Some((now, place)) = now {
        let state = if now.fits { "now" } else { "now, does not fit" };
        let ink_2 = pen.theme.ink_2;
        let words = [
            vec![
                Words::note(state, ink).bold(),
                Words::note(now.label.clone(), ink_2),
            ],
            vec![Words::note(state, ink).bold()],
        ];
        pen.place(
            &words,
            &around(place, 10.0),
            &plot.area,
            lines,
            Some(background),
        );
    }
    if let Some(best) = best {
        let label = match data.slo_tokens_per_s_per_user {
            Some(_) => "best under the SLO",
            None => "most throughput",
        };
        let words = [vec![Words::note(label, ink).bold()]];
        pen.place(
            &words,
            &around(best, 9.0)[..4],
            &plot.area,
            lines,
            Some(background),
        );
    }
}

/// Spots on all sides of a mark, the plainest first.
fn around(at: Point, away: f64) -> [Spot; 6] {
    let spot = |x: f64, y: f64, align, side| Spot {
        at: point(at.x + x, at.y + y),
        align,
        side,
    };
    [
        spot(away, 0.0, Align::Start, Side::Level),
        spot(0.0, -away, Align::Middle, Side::Above),
        spot(-away, 0.0, Align::End, Side::Level),
        spot(0.0, away, Align::Middle, Side::Below),
        spot(away, -away, Align::Start, Side::Above),
        spot(-away, away, Align::End, Side::Below),
    ]
}

/// A family's name beside its curve: where it is alone first, which is at its ends more often than not.
fn name(pen: &mut Pen<'_>, plot: &Plot, curve: &PlanCurve, lines: &[(Point, Point)]) {
    let (ink, background) = (
        pen.theme.series(curve.style.series).text,
        pen.theme.background,
    );
    let places: Vec<Point> = curve
        .points
        .iter()
        .filter(|p| p.draws())
        .map(|p| plot.at(p.tokens_per_s_per_user, p.tokens_per_s_per_gpu))
        .collect();
    let words = [vec![Words::label(curve.name, ink).bold()]];
    let spot = |at: Point, x: f64, y: f64, align, side| Spot {
        at: point(at.x + x, at.y + y),
        align,
        side,
    };
    let spots: Vec<Spot> = places
        .iter()
        .flat_map(|at| {
            [
                spot(*at, 7.0, -4.0, Align::Start, Side::Above),
                spot(*at, 7.0, 0.0, Align::Start, Side::Level),
                spot(*at, -7.0, 5.0, Align::End, Side::Below),
                spot(*at, 0.0, 7.0, Align::Middle, Side::Below),
                spot(*at, -7.0, 0.0, Align::End, Side::Level),
            ]
        })
        .collect();
    let clear = pen.place(&words, &spots, &plot.area, lines, Some(background));
    if clear.is_none() {
        // Over the lines of others, with a halo, before not at all.
        pen.place(&words, &spots, &plot.area, &[], Some(background));
    }
}
