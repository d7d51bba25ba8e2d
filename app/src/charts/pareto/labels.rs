//! The words on the Pareto chart: now, the knee, where memory and patience end, and batches along the curve.

use super::draw::{Segments, split};
use super::{Knee, ParetoData, ParetoPoint};
use crate::charts::prelude::*;

pub(super) fn slo_label(pen: &mut Pen<'_>, plot: &Plot, least: f64) {
    let (grey, background) = (pen.theme.ink_2, pen.theme.background);
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
    if pen
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
    pen.place(&wordings, &right, &plot.area, &[], Some(background));
}

/// What the pinned scenario would bring, in words and in the colour that says so.
pub(super) fn verdict(theme: &Theme, data: &ParetoData) -> (String, Colour) {
    let factor = data.pinned_factor().unwrap_or(1.0);
    if (factor - 1.0).abs() < 0.005 {
        ("same throughput".to_owned(), theme.ink_2)
    } else if factor > 1.0 {
        (format::factor(factor), theme.accent)
    } else {
        (
            format!("{} throughput", format::percent_change(factor, 1.0)),
            theme.bad,
        )
    }
}

pub(super) fn pinned_label(pen: &mut Pen<'_>, plot: &Plot, data: &ParetoData, lines: Segments<'_>) {
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
    let (ink, background) = (pen.theme.ink_1, pen.theme.background);
    let (saying, colour) = verdict(pen.theme, data);
    let a = || Words::sized(size::LABEL_PX).and_bold("A", ink);
    let value = Words::label(saying.clone(), colour).bold();
    let wordings = [
        vec![a().and(format!(" {}", pinned.label), ink), value],
        vec![a().and_bold(format!(" {saying}"), colour)],
        vec![a()],
    ];
    let spots = around(to, 10.0);
    if pen
        .place(&wordings, &spots, &plot.area, lines, Some(background))
        .is_none()
    {
        pen.place(
            &wordings,
            &spots,
            &pen.canvas.clone(),
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

pub(super) fn now_label(pen: &mut Pen<'_>, plot: &Plot, data: &ParetoData, lines: Segments<'_>) {
    if !data.now.draws() {
        return;
    }
    let at = plot.at(
        data.now.tokens_per_s_per_user,
        data.now.tokens_per_s_per_gpu,
    );
    let (ink, grey, background) = (pen.theme.ink_1, pen.theme.ink_2, pen.theme.background);
    let ink = if data.now.fits { ink } else { pen.theme.bad };
    let batch = format::batch(data.now.batch_per_gpu);
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
        right: pen.canvas.right,
        ..plot.area
    };
    let canvas = pen.canvas;
    let halo = Some(background);
    let _ = pen.place(&wordings, &below[..1], &within, lines, halo).is_some()
        || pen.place(&wordings, &below[1..], &within, lines, halo).is_some()
        || pen.place(&wordings, &elsewhere, &within, lines, halo).is_some()
        // Now is named even across a line.
        || pen.place(&wordings, &[below, [elsewhere[0], elsewhere[2], elsewhere[3]]].concat(), &canvas, &[], halo).is_some();
}

pub(super) fn draw_knee(
    pen: &mut Pen<'_>,
    plot: &Plot,
    data: &ParetoData,
    knee: &Knee,
    lines: Segments<'_>,
) {
    let at = plot.at(
        knee.point.tokens_per_s_per_user,
        knee.point.tokens_per_s_per_gpu,
    );
    let (ink, grey, background) = (pen.theme.ink_1, pen.theme.ink_2, pen.theme.background);
    let (batch, speed) = (
        format::batch(knee.point.batch_per_gpu),
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
        let right = pen.place(
            &wordings,
            &beside(1.0, Align::Start),
            &plot.area,
            lines,
            Some(background),
        );
        let placed = right.or_else(|| {
            pen.place(
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
            pen.polyline(&[near, at.along(near, 5.5)], stroke(pen.theme.ink_3, 1.0));
        }
        pen.open_point(at, 4.0, stroke(ink, 1.6));
        pen.reserve(Rect::about(at, 5.0));
    }
}

/// Says where memory ends, beside the end of the solid curve.
pub(super) fn out_of_memory(
    pen: &mut Pen<'_>,
    plot: &Plot,
    data: &ParetoData,
    curve: &[ParetoPoint],
    lines: Segments<'_>,
) {
    let (fits, beyond) = split(curve);
    if beyond.len() < 2 && !fits.is_empty() || curve.is_empty() {
        return;
    }
    let (grey, background) = (pen.theme.ink_2, pen.theme.background);
    let Some(end) = fits.last().or(curve.first()) else {
        return;
    };
    let at = plot.at(end.tokens_per_s_per_user, end.tokens_per_s_per_gpu);
    let second = match data.capacity_batch_per_gpu {
        Some(most) => format!("beyond {}", format::batch(most)),
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
    pen.place(&wordings, &spots, &plot.area, lines, Some(background));
    if data.capacity_batch_per_gpu.is_some() && !fits.is_empty() {
        pen.open_point(at, 3.8, stroke(pen.theme.ink_3, 1.6));
        pen.reserve(Rect::about(at, 4.5));
    }
}

/// Labelled batches along the curve; one of them says what the numbers are.
pub(super) fn marks(
    pen: &mut Pen<'_>,
    plot: &Plot,
    data: &ParetoData,
    curve: &[ParetoPoint],
    lines: Segments<'_>,
) {
    let (ink, grey, background) = (pen.theme.ink_1, pen.theme.ink_3, pen.theme.background);
    let mut said = false;
    let mut last: Option<Point> = None;
    for batch in &data.marks_batch_per_gpu {
        let Some((at, fits)) = on_curve(plot, curve, *batch) else {
            continue;
        };
        let crowded =
            last.is_some_and(|last| last.distance(at) < 9.0) || !pen.is_free(&Rect::about(at, 1.0));
        if crowded {
            continue;
        }
        last = Some(at);
        pen.open_point(at, 3.2, stroke(if fits { ink } else { grey }, 1.4));
        pen.reserve(Rect::about(at, 3.6));
        let number = Words::note(format::batch(*batch), grey);
        let full = Words::note(format!("{} per GPU", format::batch(*batch)), grey);
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
        if pen
            .place(
                &wordings,
                &spots,
                &Rect {
                    right: pen.canvas.right,
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
