//! The Pareto chart's marks.

use super::{Knee, ParetoData, ParetoPoint, PinnedPareto};
use crate::charts::frame::{
    Axis, Plot, axis_box, batch_text, nothing_to_show, plot_area, x_axis, y_axis,
};
use crate::charts::geometry::{Hatch, Point, Rect, point, rect};
use crate::charts::hits::{Hits, Reach};
use crate::charts::scale::Scale;
use crate::charts::sketch::{Sketch, stroke};
use crate::charts::surface::{DrawError, Surface};
use crate::charts::text::{Align, Side, Spot, Words, spot};
use crate::format;
use crate::theme::{Colour, Theme, size};

type Segments<'a> = &'a [(Point, Point)];

/// Draws the chart; hits are the points of the curve. The keyboard starts at now.
pub fn draw<S: Surface>(
    surface: &mut S,
    data: &ParetoData,
    theme: &Theme,
    focus: Option<usize>,
) -> Result<Hits, DrawError<S>> {
    let mut sketch = Sketch::new(surface, theme);
    let area = plot_area(&sketch.canvas, size::MARGIN_LEFT_PX, size::MARGIN_TOP_PX);
    let curve = data.drawn();
    let plot = Plot::new(area, x_scale(data, &curve), y_scale(data, &curve));
    let at = |p: &ParetoPoint| plot.at(p.tokens_per_s_per_user, p.tokens_per_s_per_gpu);
    let focused = focus.and_then(|index| curve.get(index));

    draw_axes(&mut sketch, &plot, focused);
    let slo = data
        .slo_tokens_per_s_per_user
        .filter(|least| *least > 0.0 && plot.x.holds(*least));
    if let Some(least) = slo {
        slo_region(&mut sketch, &plot, least);
    }
    if let Some(pinned) = &data.pinned {
        ghost_curve(&mut sketch, &plot, pinned);
    }
    draw_curve(&mut sketch, &curve, at);
    if let Some(sample) = focused {
        ruler(&mut sketch, &plot, at(sample));
    }
    if data.now.draws() {
        sketch.reserve(Rect::about(at(&data.now), 9.5));
    }
    let mut lines: Vec<(Point, Point)> = curve
        .iter()
        .map(at)
        .zip(curve.iter().skip(1).map(at))
        .collect();
    lines.extend(arrow(&mut sketch, &plot, data));
    now_label(&mut sketch, &plot, data, &lines);
    pinned_label(&mut sketch, &plot, data, &lines);
    if let Some(least) = slo {
        slo_label(&mut sketch, &plot, least);
    }
    let on_axes = |p: &ParetoPoint| {
        p.draws() && plot.x.holds(p.tokens_per_s_per_user) && plot.y.holds(p.tokens_per_s_per_gpu)
    };
    if let Some(knee) = data.knee.as_ref().filter(|knee| on_axes(&knee.point)) {
        draw_knee(&mut sketch, &plot, data, knee, &lines);
    }
    out_of_memory(&mut sketch, &plot, data, &curve, &lines);
    marks(&mut sketch, &plot, data, &curve, &lines);
    if curve.is_empty() {
        nothing_to_show(&mut sketch, &area, "no batch can be evaluated");
    }
    if let Some(sample) = focused {
        let ink = sketch.theme.ink_1;
        sketch.rimmed_point(at(sample), 4.2, ink);
    }
    if data.now.draws() {
        draw_now(&mut sketch, at(&data.now), data.now.fits);
    }
    sketch.finish()?;

    let reaches = curve
        .iter()
        .map(at)
        .map(|p| Reach::Point {
            x_px: p.x,
            y_px: p.y,
        })
        .collect();
    let start = curve
        .iter()
        .position(|p| p.batch_per_gpu >= data.now.batch_per_gpu)
        .unwrap_or(0);
    Ok(Hits::new(reaches).starting_at(start))
}

/// Every point the axes must hold.
fn all_points<'a>(
    data: &'a ParetoData,
    curve: &'a [ParetoPoint],
) -> impl Iterator<Item = &'a ParetoPoint> {
    let pinned = data
        .pinned
        .iter()
        .flat_map(|pinned| pinned.curve.iter().chain([&pinned.now]));
    curve
        .iter()
        .chain([&data.now])
        .chain(pinned)
        .filter(|point| point.draws())
}

fn x_scale(data: &ParetoData, curve: &[ParetoPoint]) -> Scale {
    let fastest = all_points(data, curve)
        .map(|p| p.tokens_per_s_per_user)
        .fold(0.0, f64::max);
    Scale::linear(0.0, fastest * 1.07)
}

fn y_scale(data: &ParetoData, curve: &[ParetoPoint]) -> Scale {
    let highest = all_points(data, curve)
        .map(|p| p.tokens_per_s_per_gpu)
        .fold(0.0, f64::max);
    Scale::linear(0.0, if highest > 0.0 { highest * 1.08 } else { 1.0 })
}

fn draw_axes<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, focused: Option<&ParetoPoint>) {
    let ink = sketch.theme.ink_3;
    if let Some(sample) = focused {
        let speed = sample.tokens_per_s_per_user;
        axis_box(
            sketch,
            &format::sig3(speed),
            plot.x_at(speed),
            plot.area.bottom + 11.5,
        );
    }
    let words = |value: f64| (value, Words::tick(format::si_tick(value), ink));
    let ticks =
        |scale: &Scale, length: f64, pitch: f64| scale.ticks((length / pitch).max(2.0) as usize);
    let y = ticks(&plot.y, plot.area.height(), 26.0)
        .into_iter()
        .map(words)
        .collect();
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
    let x = ticks(&plot.x, plot.area.width(), 44.0)
        .into_iter()
        .map(words)
        .collect();
    x_axis(
        sketch,
        plot,
        &Axis {
            ticks: x,
            minor: Vec::new(),
            name: "tokens/s per user",
        },
    );
}

fn slo_region<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, least: f64) {
    let Rect {
        left, top, bottom, ..
    } = plot.area;
    let x = plot.x_at(least);
    let missed = rect(left, top, x, bottom);
    sketch.hatch(
        &missed.corners(),
        9.0,
        Hatch::Rising,
        stroke(sketch.theme.line, size::HAIRLINE_PX),
    );
    sketch.line(
        point(x, top),
        point(x, bottom),
        stroke(sketch.theme.ink_2, 1.2),
    );
}

fn slo_label<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, least: f64) {
    let (grey, background) = (sketch.theme.ink_2, sketch.theme.background);
    let x = plot.x_at(least);
    let note = |text: String| Words::note(text, grey);
    let limit = format!("{} tok/s/user", format::printed(least));
    let wordings = [
        vec![note("misses SLO".to_owned()), note(limit.clone())],
        vec![note(format!("SLO {}", format::printed(least)))],
    ];
    let heights = [
        plot.area.bottom - 4.0,
        plot.area.bottom - 40.0,
        plot.area.top + 32.0,
    ];
    let left = heights.map(|y| spot(point(x - 6.0, y), Align::End, Side::Above));
    if sketch
        .place(&wordings[..1], &left, &plot.area, &[], Some(background))
        .is_some()
    {
        return;
    }
    let right = heights.map(|y| spot(point(x + 6.0, y), Align::Start, Side::Above));
    let wordings = [
        vec![note(format!("SLO {limit}"))],
        vec![note(format!("SLO {}", format::printed(least)))],
    ];
    sketch.place(&wordings, &right, &plot.area, &[], Some(background));
}

/// Splits a curve into what fits, solid, and what does not, which begins where the other ends.
fn split(curve: &[ParetoPoint]) -> (&[ParetoPoint], &[ParetoPoint]) {
    let end = curve
        .iter()
        .position(|point| !point.fits)
        .unwrap_or(curve.len());
    (
        curve.get(..end).unwrap_or_default(),
        curve.get(end.saturating_sub(1)..).unwrap_or_default(),
    )
}

fn draw_curve<S: Surface>(
    sketch: &mut Sketch<'_, S>,
    curve: &[ParetoPoint],
    at: impl Fn(&ParetoPoint) -> Point,
) {
    let ink = sketch.theme.ink_1;
    let (fits, beyond) = split(curve);
    let line = |points: &[ParetoPoint]| points.iter().map(&at).collect::<Vec<Point>>();
    if beyond.len() > 1 {
        sketch.dotted(&line(beyond), 4.5, 1.1, ink);
    }
    sketch.polyline(&line(fits), stroke(ink, size::CURVE_PX));
}

fn ghost_curve<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, pinned: &PinnedPareto) {
    let drawn: Vec<ParetoPoint> = pinned
        .curve
        .iter()
        .filter(|point| point.draws())
        .copied()
        .collect();
    let (fits, beyond) = split(&drawn);
    let line = |points: &[ParetoPoint]| -> Vec<Point> {
        points
            .iter()
            .map(|p| plot.at(p.tokens_per_s_per_user, p.tokens_per_s_per_gpu))
            .collect()
    };
    let grey = sketch.theme.ink_3;
    if beyond.len() > 1 {
        sketch.dotted(&line(beyond), 4.0, 0.8, grey);
    }
    sketch.dashed(&line(fits), (4.0, 3.0), stroke(grey, 1.3));
}

/// The arrow from now to the pinned point; returns its line.
fn arrow<S: Surface>(
    sketch: &mut Sketch<'_, S>,
    plot: &Plot,
    data: &ParetoData,
) -> Option<(Point, Point)> {
    let pinned = data
        .pinned
        .as_ref()
        .filter(|pinned| pinned.now.draws() && data.now.draws())?;
    let place = |p: &ParetoPoint| plot.at(p.tokens_per_s_per_user, p.tokens_per_s_per_gpu);
    let (from, to) = (place(&data.now), place(&pinned.now));
    let (grey, background) = (sketch.theme.ink_3, sketch.theme.background);
    sketch.disc(to, 6.0, background);
    sketch.dashed_ring(to, 5.5, stroke(grey, 1.3));
    sketch.reserve(Rect::about(to, 6.5));
    if from.distance(to) < 34.0 {
        return None;
    }
    let (_, colour) = verdict(sketch.theme, data);
    let (start, tip) = (from.along(to, 12.0), to.along(from, 8.5));
    sketch.polyline(&[start, tip], stroke(colour, 1.5));
    let back = tip.along(from, 9.0);
    let (dx, dy) = ((tip.y - back.y) * 0.38, (back.x - tip.x) * 0.38);
    let barbs = [
        point(back.x + dx, back.y + dy),
        tip,
        point(back.x - dx, back.y - dy),
    ];
    sketch.polyline(&barbs, stroke(colour, 1.5));
    Some((start, tip))
}

/// What the pinned scenario would bring, in words and in the colour that says so.
fn verdict(theme: &Theme, data: &ParetoData) -> (String, Colour) {
    let factor = data.pinned_factor().unwrap_or(1.0);
    if (factor - 1.0).abs() < 0.005 {
        ("same throughput".to_owned(), theme.ink_2)
    } else if factor > 1.0 {
        (format::factor(factor), theme.accent)
    } else {
        (format!("{} worse", format::factor(factor)), theme.bad)
    }
}

fn pinned_label<S: Surface>(
    sketch: &mut Sketch<'_, S>,
    plot: &Plot,
    data: &ParetoData,
    lines: Segments<'_>,
) {
    let Some(pinned) = data
        .pinned
        .as_ref()
        .filter(|pinned| pinned.now.draws() && data.now.draws())
    else {
        return;
    };
    let to = plot.at(
        pinned.now.tokens_per_s_per_user,
        pinned.now.tokens_per_s_per_gpu,
    );
    let (ink, background) = (sketch.theme.ink_1, sketch.theme.background);
    let (saying, colour) = verdict(sketch.theme, data);
    let a = || Words::sized(size::LABEL_PX).and_bold("A", ink);
    let value = Words::label(saying.clone(), colour).bold();
    let wordings = [
        vec![a().and(format!(" {}", pinned.label), ink), value],
        vec![a().and_bold(format!(" {saying}"), colour)],
        vec![a()],
    ];
    let spots = around(to, 10.0);
    if sketch
        .place(&wordings, &spots, &plot.area, lines, Some(background))
        .is_none()
    {
        sketch.place(
            &wordings,
            &spots,
            &sketch.canvas.clone(),
            &[],
            Some(background),
        );
    }
}

/// Spots about a point, the upper right first.
fn around(at: Point, reach: f64) -> [Spot; 8] {
    let Point { x, y } = at;
    [
        spot(point(x + reach, y - reach * 0.2), Align::Start, Side::Above),
        spot(point(x + reach, y), Align::Start, Side::Level),
        spot(point(x + reach, y + reach * 0.2), Align::Start, Side::Below),
        spot(point(x - reach, y - reach * 0.2), Align::End, Side::Above),
        spot(point(x, y - reach), Align::Middle, Side::Above),
        spot(point(x, y + reach), Align::Middle, Side::Below),
        spot(point(x - reach, y), Align::End, Side::Level),
        spot(point(x - reach, y + reach * 0.2), Align::End, Side::Below),
    ]
}

fn now_label<S: Surface>(
    sketch: &mut Sketch<'_, S>,
    plot: &Plot,
    data: &ParetoData,
    lines: Segments<'_>,
) {
    if !data.now.draws() {
        return;
    }
    let at = plot.at(
        data.now.tokens_per_s_per_user,
        data.now.tokens_per_s_per_gpu,
    );
    let (ink, grey, background) = (
        sketch.theme.ink_1,
        sketch.theme.ink_2,
        sketch.theme.background,
    );
    let ink = if data.now.fits { ink } else { sketch.theme.bad };
    let batch = batch_text(data.now.batch_per_gpu);
    let long = if data.now.fits {
        "per GPU"
    } else {
        "does not fit"
    };
    let title = |text: String| Words::label(text, ink).bold();
    let plan = Words::label(data.plan.clone(), grey);
    let wordings = [
        vec![title(format!("now: {batch} {long}")), plan.clone()],
        vec![title(format!("now: {batch}")), plan],
        vec![title(format!("now: {batch}"))],
    ];
    let below = [
        spot(point(at.x - 2.0, at.y + 11.0), Align::Start, Side::Below),
        spot(point(at.x + 2.0, at.y + 11.0), Align::End, Side::Below),
        spot(point(at.x, at.y + 11.0), Align::Middle, Side::Below),
    ];
    let elsewhere = [
        spot(point(at.x + 13.0, at.y - 2.0), Align::Start, Side::Above),
        spot(point(at.x - 13.0, at.y + 2.0), Align::End, Side::Below),
        spot(point(at.x, at.y - 12.0), Align::Middle, Side::Above),
        spot(point(at.x - 13.0, at.y - 2.0), Align::End, Side::Above),
        spot(point(at.x + 13.0, at.y), Align::Start, Side::Level),
    ];
    let within = Rect {
        right: sketch.canvas.right,
        ..plot.area
    };
    let canvas = sketch.canvas;
    let halo = Some(background);
    let _ = sketch.place(&wordings, &below[..1], &within, lines, halo).is_some()
        || sketch.place(&wordings, &below[1..], &within, lines, halo).is_some()
        || sketch.place(&wordings, &elsewhere, &within, lines, halo).is_some()
        // Now is named even across a line.
        || sketch.place(&wordings, &[below, [elsewhere[0], elsewhere[2], elsewhere[3]]].concat(), &canvas, &[], halo).is_some();
}

fn draw_now<S: Surface>(sketch: &mut Sketch<'_, S>, at: Point, fits: bool) {
    let (ink, background) = (
        if fits {
            sketch.theme.ink_1
        } else {
            sketch.theme.bad
        },
        sketch.theme.background,
    );
    sketch.disc(at, 8.6, background);
    sketch.ring(at, 7.8, stroke(ink, 1.4));
    if fits {
        sketch.disc(at, 4.0, ink);
    } else {
        sketch.ring(at, 3.4, stroke(ink, 1.4));
    }
}

fn draw_knee<S: Surface>(
    sketch: &mut Sketch<'_, S>,
    plot: &Plot,
    data: &ParetoData,
    knee: &Knee,
    lines: Segments<'_>,
) {
    let at = plot.at(
        knee.point.tokens_per_s_per_user,
        knee.point.tokens_per_s_per_gpu,
    );
    let (ink, grey, background) = (
        sketch.theme.ink_1,
        sketch.theme.ink_2,
        sketch.theme.background,
    );
    let (batch, speed) = (
        batch_text(knee.point.batch_per_gpu),
        format::sig3(knee.point.tokens_per_s_per_user),
    );
    let wordings: [[String; 2]; 2] =
        if data.now.batch_per_gpu > knee.point.batch_per_gpu && knee.flat_beyond {
            [
                [
                    format!("{batch} per GPU: the same"),
                    format!("throughput at {speed}"),
                ],
                [format!("{batch}: same"), format!("at {speed}")],
            ]
        } else {
            [
                [
                    "throughput levels".to_owned(),
                    format!("off at {batch} per GPU"),
                ],
                ["levels off".to_owned(), format!("at {batch}")],
            ]
        };
    let wordings = wordings.map(|lines| lines.map(|line| Words::note(line, grey)).to_vec());
    let beside = |sign: f64, align: Align| -> Vec<Spot> {
        [
            (16.0, -10.0),
            (24.0, -18.0),
            (12.0, -26.0),
            (34.0, -8.0),
            (20.0, -40.0),
        ]
        .into_iter()
        .map(|(dx, dy)| spot(point(at.x + sign * dx, at.y + dy), align, Side::Above))
        .chain([spot(
            point(at.x + sign * 16.0, at.y + 10.0),
            align,
            Side::Below,
        )])
        .collect()
    };
    if at.distance(plot.at(
        data.now.tokens_per_s_per_user,
        data.now.tokens_per_s_per_gpu,
    )) > 14.0
    {
        let right = sketch.place(
            &wordings,
            &beside(1.0, Align::Start),
            &plot.area,
            lines,
            Some(background),
        );
        let placed = right.or_else(|| {
            sketch.place(
                &wordings,
                &beside(-1.0, Align::End),
                &plot.area,
                lines,
                Some(background),
            )
        });
        if let Some(bounds) = placed {
            let near = point(
                at.x.clamp(bounds.left - 3.0, bounds.right + 3.0),
                at.y.clamp(bounds.top, bounds.bottom - 2.0),
            );
            sketch.polyline(
                &[near, at.along(near, 5.5)],
                stroke(sketch.theme.ink_3, 1.0),
            );
        }
        sketch.open_point(at, 4.0, stroke(ink, 1.6));
        sketch.reserve(Rect::about(at, 5.0));
    }
}

/// Says where memory ends, beside the end of the solid curve.
fn out_of_memory<S: Surface>(
    sketch: &mut Sketch<'_, S>,
    plot: &Plot,
    data: &ParetoData,
    curve: &[ParetoPoint],
    lines: Segments<'_>,
) {
    let (fits, beyond) = split(curve);
    if beyond.len() < 2 && !fits.is_empty() || curve.is_empty() {
        return;
    }
    let (grey, background) = (sketch.theme.ink_2, sketch.theme.background);
    let Some(end) = fits.last().or(curve.first()) else {
        return;
    };
    let at = plot.at(end.tokens_per_s_per_user, end.tokens_per_s_per_gpu);
    let second = match data.capacity_batch_per_gpu {
        Some(most) => format!("beyond {}", batch_text(most)),
        None => "at any batch".to_owned(),
    };
    let wordings = [
        vec![
            Words::note("out of memory", grey),
            Words::note(second.clone(), grey),
        ],
        vec![Words::note(second, grey)],
    ];
    let left = plot.area.left + 4.0;
    let spots = [
        spot(point(at.x, at.y - 12.0), Align::End, Side::Above),
        spot(point(left, at.y - 12.0), Align::Start, Side::Above),
        spot(point(at.x, at.y + 22.0), Align::End, Side::Below),
        spot(point(left, at.y + 22.0), Align::Start, Side::Below),
        spot(point(at.x + 4.0, at.y - 12.0), Align::Start, Side::Above),
        spot(point(left, at.y - 40.0), Align::Start, Side::Above),
        spot(point(at.x + 4.0, at.y + 14.0), Align::Start, Side::Below),
    ];
    sketch.place(&wordings, &spots, &plot.area, lines, Some(background));
    if data.capacity_batch_per_gpu.is_some() && !fits.is_empty() {
        sketch.open_point(at, 3.8, stroke(sketch.theme.ink_3, 1.6));
        sketch.reserve(Rect::about(at, 4.5));
    }
}

/// Labelled batches along the curve; one of them says what the numbers are.
fn marks<S: Surface>(
    sketch: &mut Sketch<'_, S>,
    plot: &Plot,
    data: &ParetoData,
    curve: &[ParetoPoint],
    lines: Segments<'_>,
) {
    let (ink, grey, background) = (
        sketch.theme.ink_1,
        sketch.theme.ink_3,
        sketch.theme.background,
    );
    let mut said = false;
    let mut last: Option<Point> = None;
    for batch in &data.marks_batch_per_gpu {
        let Some((at, fits)) = on_curve(plot, curve, *batch) else {
            continue;
        };
        let crowded = last.is_some_and(|last| last.distance(at) < 9.0)
            || !sketch.is_free(&Rect::about(at, 1.0));
        if crowded {
            continue;
        }
        last = Some(at);
        sketch.open_point(at, 3.2, stroke(if fits { ink } else { grey }, 1.4));
        sketch.reserve(Rect::about(at, 3.6));
        let number = Words::note(batch_text(*batch), grey);
        let full = Words::note(format!("{} per GPU", batch_text(*batch)), grey);
        let wordings = if said || *batch < 48.0 {
            vec![vec![number]]
        } else {
            vec![vec![full], vec![number]]
        };
        let before = wordings.len() > 1;
        let Point { x, y } = at;
        // A falling curve leaves room to the right and a little above.
        let spots = [
            spot(point(x + 9.0, y + 3.0), Align::Start, Side::Above),
            spot(point(x, y - 6.0), Align::Middle, Side::Above),
            spot(point(x, y + 6.0), Align::Middle, Side::Below),
            spot(point(x - 7.0, y), Align::End, Side::Below),
        ];
        if sketch
            .place(
                &wordings,
                &spots,
                &Rect {
                    right: sketch.canvas.right,
                    ..plot.area
                },
                lines,
                Some(background),
            )
            .is_some()
        {
            said |= before;
        }
    }
}

/// The place of a batch on the curve, between its neighbours if need be.
fn on_curve(plot: &Plot, curve: &[ParetoPoint], batch: f64) -> Option<(Point, bool)> {
    let place = |p: &ParetoPoint| plot.at(p.tokens_per_s_per_user, p.tokens_per_s_per_gpu);
    curve
        .iter()
        .zip(curve.iter().skip(1))
        .find(|(a, b)| a.batch_per_gpu <= batch && batch <= b.batch_per_gpu)
        .map(|(a, b)| {
            let span = b.batch_per_gpu - a.batch_per_gpu;
            let share = if span > 0.0 {
                (batch - a.batch_per_gpu) / span
            } else {
                0.0
            };
            (
                place(a).towards(place(b), share),
                b.fits || share <= 0.0 && a.fits,
            )
        })
}

fn ruler<S: Surface>(sketch: &mut Sketch<'_, S>, plot: &Plot, at: Point) {
    let pen = stroke(sketch.theme.ink_2, size::HAIRLINE_PX);
    sketch.dashed_rule(at, point(at.x, plot.area.bottom), (1.5, 2.5), pen);
    sketch.dashed_rule(point(plot.area.left, at.y), at, (1.5, 2.5), pen);
}
