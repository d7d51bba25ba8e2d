//! The marks of throughput against latency.

use super::{TradeMark, TradePoint, TradeoffData};

use crate::charts::frame::{Axis, Plot, axis_box, nothing_to_show, plot_area, x_axis, y_axis};
use crate::charts::geometry::{Hatch, Point, Rect, point, rect};
use crate::charts::hits::{Hits, Reach};
use crate::charts::scale::Scale;
use crate::charts::sketch::{Sketch, stroke};
use crate::charts::surface::{DrawError, Surface};
use crate::charts::text::{Align, Side, Spot, Words, spot};
use crate::format;
use crate::theme::{Theme, size};

/// Throughput of next to nothing does not stretch the axes.
const LEAST_SHARE: f64 = 1e-4;

/// Draws the chart; hits are the points of the curve, then the limits on it.
pub fn draw<S: Surface>(
    surface: &mut S,
    data: &TradeoffData,
    theme: &Theme,
    focus: Option<usize>,
) -> Result<Hits, DrawError<S>> {
    let mut sketch = Sketch::new(surface, theme);
    let area = plot_area(&sketch.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
    let curve = data.drawn();
    if curve.is_empty() {
        nothing_to_show(&mut sketch, &area, "no batch can be evaluated");
        sketch.finish()?;
        return Ok(Hits::default());
    }
    let (x, y) = scales(data, &curve);
    let plot = Plot::new(area, x, y);
    let at = |p: &TradePoint| place(&plot, p);
    let marks: Vec<&TradeMark> = data
        .marks
        .iter()
        .filter(|mark| mark.point.draws())
        .collect();
    let focused = focus.and_then(|index| {
        let mark = index.checked_sub(curve.len());
        match mark.and_then(|index| marks.get(index)) {
            Some(mark) => Some(mark.point),
            None => curve.get(index).copied(),
        }
    });

    axes(&mut sketch, &plot, focused.as_ref());
    slo(&mut sketch, &plot, data);
    let lines = curves(&mut sketch, &plot, data, &curve);
    if let Some(point) = &focused {
        let pen = stroke(sketch.theme.ink_2, size::HAIRLINE_PX);
        let p = at(point);
        sketch.dashed_rule(p, point_below(&plot, p), (1.5, 2.5), pen);
        sketch.dashed_rule(point_left(&plot, p), p, (1.5, 2.5), pen);
    }
    let now = data.now.draws().then(|| at(&data.now));
    if let Some(now) = now {
        sketch.reserve(Rect::about(now, 9.5));
    }
    for mark in &marks {
        sketch.reserve(Rect::about(at(&mark.point), 4.6));
    }
    if let Some(now) = now {
        now_label(&mut sketch, &plot, data, now, &lines);
    }
    for mark in &marks {
        draw_mark(&mut sketch, &plot, mark, &lines);
    }
    pinned_label(&mut sketch, &plot, data, &lines);
    if let Some(point) = &focused {
        let ink = sketch.theme.ink_1;
        sketch.rimmed_point(at(point), 4.2, ink);
    }
    if let Some(now) = now {
        draw_now(&mut sketch, now, data.now.fits);
    }
    sketch.finish()?;

    let reaches = curve
        .iter()
        .chain(marks.iter().map(|mark| &mark.point))
        .map(at)
        .map(|p| Reach::Point {
            x_px: p.x,
            y_px: p.y,
        })
        .collect();
    let start = curve
        .iter()
        .position(|p| p.batch >= data.now.batch)
        .unwrap_or(0);
    Ok(Hits::new(reaches).starting_at(start))
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

fn point_below(plot: &Plot, p: Point) -> Point {
    point(p.x, plot.area.bottom)
}

fn point_left(plot: &Plot, p: Point) -> Point {
    point(plot.area.left, p.y)
}

fn axes<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, focused: Option<&TradePoint>) {
    let ink = sketch.theme.ink_3;
    if let Some(point) = focused {
        let value = point.tpot_s * 1e3;
        axis_box(
            sketch,
            &format::sig3(value),
            plot.x_at(value),
            plot.area.bottom + 11.5,
        );
    }
    let words = |value: f64| (value, Words::tick(format::si_tick(value), ink));
    let ticks = |scale: &Scale, most: f64| scale.ticks(most.max(2.0) as usize);
    y_axis(
        sketch,
        plot,
        &Axis {
            ticks: ticks(&plot.y, plot.area.height() / 26.0)
                .into_iter()
                .map(words)
                .collect(),
            minor: Vec::new(),
            name: "tokens/s per GPU, log",
        },
        10.0,
    );
    x_axis(
        sketch,
        plot,
        &Axis {
            ticks: ticks(&plot.x, plot.area.width() / 44.0)
                .into_iter()
                .map(words)
                .collect(),
            minor: plot.x.minor_ticks(),
            name: "ms per output token, log",
        },
    );
}

fn slo<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, data: &TradeoffData) {
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
    let (line, ink, background) = (
        sketch.theme.line,
        sketch.theme.ink_2,
        sketch.theme.background,
    );
    sketch.hatch(
        &rect(x, top, right, bottom).corners(),
        9.0,
        Hatch::Rising,
        stroke(line, size::HAIRLINE_PX),
    );
    sketch.line(point(x, top), point(x, bottom), stroke(ink, 1.2));
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
    sketch.place(&wordings, &spots, &plot.area, &[], Some(background));
}

/// The curve, solid while it fits, and the pinned ghost; returns the segments that labels avoid.
fn curves<S: Surface>(
    sketch: &mut Sketch<'_, S>,
    plot: &Plot,
    data: &TradeoffData,
    curve: &[TradePoint],
) -> Vec<(Point, Point)> {
    let mut lines = Vec::new();
    let (ink, grey) = (sketch.theme.ink_1, sketch.theme.ink_3);
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
            sketch.dotted(
                &beyond,
                4.5,
                if solid { 1.1 } else { 0.8 },
                if solid { ink } else { grey },
            );
        }
        if solid {
            sketch.polyline(&fits, stroke(ink, size::CURVE_PX));
        } else {
            sketch.dashed(&fits, (4.0, 3.0), stroke(grey, 1.3));
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

fn draw_mark<S: Surface>(
    sketch: &mut Sketch<'_, S>,
    plot: &Plot,
    mark: &TradeMark,
    lines: &[(Point, Point)],
) {
    let at = place(plot, &mark.point);
    let (line, text) = match mark.role {
        Some(role) => (sketch.theme.role(role).line, sketch.theme.role(role).text),
        None => (sketch.theme.ink_1, sketch.theme.ink_1),
    };
    let background = sketch.theme.background;
    sketch.open_point(at, 4.0, stroke(line, 1.8));
    let batch = format!(" {}", format::sequences(mark.point.batch));
    let grey = sketch.theme.ink_2;
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
    if sketch
        .place(&wordings, &spots, &plot.area, lines, halo)
        .is_none()
    {
        sketch.place(&wordings, &spots, &plot.area, &[], halo);
    }
}

fn now_label<S: Surface>(
    sketch: &mut Sketch<'_, S>,
    plot: &Plot,
    data: &TradeoffData,
    at: Point,
    lines: &[(Point, Point)],
) {
    let ink = if data.now.fits {
        sketch.theme.ink_1
    } else {
        sketch.theme.bad
    };
    let background = sketch.theme.background;
    let wordings = [
        vec![Words::label(format!("now: {}", format::sequences(data.now.batch)), ink).bold()],
        vec![Words::label("now", ink).bold()],
    ];
    let spots = spots_about(at, 12.0);
    let halo = Some(background);
    if sketch
        .place(&wordings, &spots, &plot.area, lines, halo)
        .is_none()
    {
        sketch.place(&wordings, &spots, &plot.area, &[], halo);
    }
}

fn pinned_label<S: Surface>(
    sketch: &mut Sketch<'_, S>,
    plot: &Plot,
    data: &TradeoffData,
    lines: &[(Point, Point)],
) {
    let Some(full) = data
        .pinned
        .as_ref()
        .and_then(|pinned| pinned.full)
        .filter(TradePoint::draws)
    else {
        return;
    };
    let at = place(plot, &full);
    let (ink, grey, background) = (
        sketch.theme.ink_1,
        sketch.theme.ink_3,
        sketch.theme.background,
    );
    sketch.disc(at, 5.0, background);
    sketch.dashed_ring(at, 4.5, stroke(grey, 1.3));
    sketch.reserve(Rect::about(at, 5.0));
    let words = Words::sized(size::ANNOTATION_PX)
        .and_bold("A", ink)
        .and(format!(" full at {}", format::sequences(full.batch)), grey);
    let wordings = [vec![words], vec![Words::note("A", ink).bold()]];
    sketch.place(
        &wordings,
        &spots_about(at, 9.0),
        &plot.area,
        lines,
        Some(background),
    );
}

fn draw_now<S: Surface>(sketch: &mut Sketch<'_, S>, at: Point, fits: bool) {
    let ink = if fits {
        sketch.theme.ink_1
    } else {
        sketch.theme.bad
    };
    let background = sketch.theme.background;
    sketch.disc(at, 8.6, background);
    sketch.ring(at, 7.8, stroke(ink, 1.4));
    if fits {
        sketch.disc(at, 4.0, ink);
    } else {
        sketch.ring(at, 3.4, stroke(ink, 1.4));
    }
}
