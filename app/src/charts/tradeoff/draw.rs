//! The marks of throughput against latency.

use super::{TradeMark, TradePoint, TradeoffData};
use crate::charts::prelude::*;

/// Throughput of next to nothing does not stretch the axes.
const LEAST_SHARE: f64 = 1e-4;

/// Draws the chart; hits are the points of the curve, then the limits on it.
pub fn draw(pen: &mut Pen<'_>, data: &TradeoffData) -> Hits {
    let area = plot_area(&pen.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
    let curve = data.drawn();
    if curve.is_empty() {
        nothing_to_show(pen, &area, "no batch can be evaluated");
        return Hits::default();
    }
    let (x, y) = scales(data, &curve);
    let plot = Plot::new(area, x, y);
    let at = |p: &TradePoint| place(&plot, p);
    let marks: Vec<&TradeMark> = data
        .marks
        .iter()
        .filter(|mark| mark.point.draws())
        .collect();

    si_axes(
        pen,
        &plot,
        "tokens/s per GPU, log",
        "ms per output token, log",
    );
    slo(pen, &plot, data);
    let lines = curves(pen, &plot, data, &curve);
    pen.seam();
    let now = data.now.draws().then(|| at(&data.now));
    if let Some(now) = now {
        pen.reserve(Rect::about(now, 9.5));
    }
    for mark in &marks {
        pen.reserve(Rect::about(at(&mark.point), 4.6));
    }
    if let Some(now) = now {
        now_label(pen, &plot, data, now, &lines);
    }
    for mark in &marks {
        draw_mark(pen, &plot, mark, &lines);
    }
    pinned_label(pen, &plot, data, &lines);
    if let Some(now) = now {
        pen.now(now, data.now.fits);
    }

    let marked = marks.iter().map(|mark| &mark.point);
    let hits = Hits::points(curve.iter().chain(marked).map(at)).on(&plot);
    let start = curve
        .iter()
        .position(|p| p.batch >= data.now.batch)
        .unwrap_or(0);
    hits.starting_at(start)
}

fn scales(data: &TradeoffData, curve: &[TradePoint]) -> (Scale, Scale) {
    let pinned = data.pinned.iter().flat_map(|pinned| &pinned.curve);
    let all: Vec<&TradePoint> = curve
        .iter()
        .chain([&data.now])
        .chain(pinned)
        .filter(|point| point.draws())
        .collect();
    let fold = |of: fn(&TradePoint) -> f64| {
        all.iter()
            .map(|point| of(point))
            .fold((f64::INFINITY, 0.0_f64), |(low, high), value| {
                (low.min(value), high.max(value))
            })
    };
    let (fast, slow) = fold(|point| point.tpot_s * 1e3);
    let (least, most) = fold(|point| point.tokens_per_s_per_gpu);
    let least = least.max(most * LEAST_SHARE);
    (
        Scale::log(fast / 1.15, slow * 1.15),
        Scale::log(least / 1.1, most * 1.7),
    )
}

/// Where a point stands; one below the axes stands on them.
fn place(plot: &Plot, point: &TradePoint) -> Point {
    plot.at(
        point.tpot_s * 1e3,
        point.tokens_per_s_per_gpu.max(plot.y.low()),
    )
}

fn slo(pen: &mut Pen<'_>, plot: &Plot, data: &TradeoffData) {
    let Some(longest) = data.slo_tpot_s.map(|slo| slo * 1e3) else {
        return;
    };
    if !plot.x.holds(longest) {
        return;
    }
    let x = plot.x_at(longest);
    let Rect {
        top, right, bottom, ..
    } = plot.area;
    let (line, ink, background) = (pen.theme.line, pen.theme.ink_2, pen.theme.background);
    pen.hatch(
        &rect(x, top, right, bottom).corners(),
        9.0,
        Hatch::Rising,
        stroke(line, size::HAIRLINE_PX),
    );
    pen.line(point(x, top), point(x, bottom), stroke(ink, 1.2));
    let wordings = [
        vec![
            Words::note("misses SLO", ink),
            Words::note(format!("of {} ms", format::printed(longest)), ink),
        ],
        vec![Words::note("SLO", ink)],
    ];
    let spots = [
        spot(point(x + 6.0, bottom - 4.0), Align::Start, Side::Above),
        spot(point(x - 6.0, bottom - 4.0), Align::End, Side::Above),
        spot(point(x + 6.0, top + 4.0), Align::Start, Side::Below),
    ];
    pen.place(&wordings, &spots, &plot.area, &[], Some(background));
}

/// The curve, solid while it fits, and the pinned ghost; returns the segments that labels avoid.
fn curves(
    pen: &mut Pen<'_>,
    plot: &Plot,
    data: &TradeoffData,
    curve: &[TradePoint],
) -> Vec<(Point, Point)> {
    let mut lines = Vec::new();
    let (ink, grey) = (pen.theme.ink_1, pen.theme.ink_3);
    let pinned: Vec<TradePoint> = data
        .pinned
        .iter()
        .flat_map(|pinned| &pinned.curve)
        .filter(|point| point.draws())
        .copied()
        .collect();
    for (points, solid) in [(pinned.as_slice(), false), (curve, true)] {
        let end = points
            .iter()
            .position(|point| !point.fits)
            .unwrap_or(points.len());
        let at = |points: &[TradePoint]| -> Vec<Point> {
            points.iter().map(|point| place(plot, point)).collect()
        };
        let fits = at(points.get(..end).unwrap_or_default());
        let beyond = at(points.get(end.saturating_sub(1)..).unwrap_or_default());
        if beyond.len() > 1 && end < points.len() {
            pen.dotted(
                &beyond,
                4.5,
                if solid { 1.1 } else { 0.8 },
                if solid { ink } else { grey },
            );
        }
        if solid {
            pen.polyline(&fits, stroke(ink, size::CURVE_PX));
        } else {
            pen.dashed(&fits, (4.0, 3.0), stroke(grey, 1.3));
        }
        let all = at(points);
        lines.extend(all.windows(2).map(|pair| (pair[0], pair[1])));
    }
    lines
}

fn spots_about(at: Point, reach: f64) -> [Spot; 8] {
    let Point { x, y } = at;
    [
        spot(point(x + reach, y + 1.0), Align::Start, Side::Below),
        spot(point(x - reach, y - 1.0), Align::End, Side::Above),
        spot(point(x, y - reach), Align::Middle, Side::Above),
        spot(point(x, y + reach), Align::Middle, Side::Below),
        spot(point(x + reach, y), Align::Start, Side::Level),
        spot(point(x - reach, y), Align::End, Side::Level),
        spot(point(x + reach * 0.6, y + 22.0), Align::Start, Side::Below),
        spot(point(x - reach * 0.6, y - 22.0), Align::End, Side::Above),
    ]
}

fn draw_mark(pen: &mut Pen<'_>, plot: &Plot, mark: &TradeMark, lines: &[(Point, Point)]) {
    let at = place(plot, &mark.point);
    let (line, text) = match mark.role {
        Some(role) => (pen.theme.role(role).line, pen.theme.role(role).text),
        None => (pen.theme.ink_1, pen.theme.ink_1),
    };
    let background = pen.theme.background;
    pen.open_point(at, 4.0, stroke(line, 1.8));
    let batch = format!(" {}", format::sequences(mark.point.batch));
    let grey = pen.theme.ink_2;
    let wordings = [
        vec![
            Words::sized(size::ANNOTATION_PX)
                .and_bold(mark.symbol.clone(), text)
                .and(batch, grey),
        ],
        vec![Words::note(mark.symbol.clone(), text).bold()],
    ];
    let spots = spots_about(at, 8.0);
    let halo = Some(background);
    if pen
        .place(&wordings, &spots, &plot.area, lines, halo)
        .is_none()
    {
        pen.place(&wordings, &spots, &plot.area, &[], halo);
    }
}

fn now_label(
    pen: &mut Pen<'_>,
    plot: &Plot,
    data: &TradeoffData,
    at: Point,
    lines: &[(Point, Point)],
) {
    let ink = if data.now.fits {
        pen.theme.ink_1
    } else {
        pen.theme.bad
    };
    let background = pen.theme.background;
    let wordings = [
        vec![Words::label(format!("now: {}", format::sequences(data.now.batch)), ink).bold()],
        vec![Words::label("now", ink).bold()],
    ];
    let spots = spots_about(at, 12.0);
    let halo = Some(background);
    if pen
        .place(&wordings, &spots, &plot.area, lines, halo)
        .is_none()
    {
        pen.place(&wordings, &spots, &plot.area, &[], halo);
    }
}

fn pinned_label(pen: &mut Pen<'_>, plot: &Plot, data: &TradeoffData, lines: &[(Point, Point)]) {
    let Some(full) = data
        .pinned
        .as_ref()
        .and_then(|pinned| pinned.full)
        .filter(TradePoint::draws)
    else {
        return;
    };
    let at = place(plot, &full);
    let (ink, grey, background) = (pen.theme.ink_1, pen.theme.ink_3, pen.theme.background);
    pen.disc(at, 5.0, background);
    pen.dashed_ring(at, 4.5, stroke(grey, 1.3));
    pen.reserve(Rect::about(at, 5.0));
    let words = Words::sized(size::ANNOTATION_PX)
        .and_bold("A", ink)
        .and(format!(" full at {}", format::sequences(full.batch)), grey);
    let wordings = [vec![words], vec![Words::note("A", ink).bold()]];
    pen.place(
        &wordings,
        &spots_about(at, 9.0),
        &plot.area,
        lines,
        Some(background),
    );
}
