//! The roofs: bandwidth, peaks and the ridges between them, with their names.

use super::{Peak, Roofs, TERA};
use crate::charts::prelude::*;

/// The corners of a roof: from the left edge up to the ridge and level to the right edge.
fn roof_line(plot: &Plot, roofs: &Roofs, peak: &Peak) -> [Point; 3] {
    let left = plot.x.low();
    let start = (left * roofs.hbm_bytes_per_s).min(peak.flop_per_s);
    let ridge = roofs.ridge_flop_per_byte(peak).max(left);
    let top = peak.flop_per_s / TERA;
    [
        plot.at(left, start / TERA),
        plot.at(ridge, top),
        plot.at(plot.x.high(), top),
    ]
}

/// The peaks from the lowest to the highest.
fn ascending(roofs: &Roofs) -> Vec<&Peak> {
    let mut peaks: Vec<&Peak> = roofs.peaks.iter().collect();
    peaks.sort_by(|a, b| a.flop_per_s.total_cmp(&b.flop_per_s));
    peaks
}

pub(super) fn roof_segments(plot: &Plot, roofs: &Roofs) -> Vec<(Point, Point)> {
    ascending(roofs)
        .into_iter()
        .flat_map(|peak| {
            let [start, ridge, end] = roof_line(plot, roofs, peak);
            [(start, ridge), (ridge, end)]
        })
        .collect()
}

pub(super) fn ridge_lines(plot: &Plot, roofs: &Roofs) -> Vec<(Point, Point)> {
    ascending(roofs)
        .into_iter()
        .map(|peak| {
            let [_, ridge, _] = roof_line(plot, roofs, peak);
            (ridge, point(ridge.x, plot.area.bottom))
        })
        .collect()
}

pub(super) fn shade(pen: &mut Pen<'_>, plot: &Plot, roofs: &Roofs) {
    if let Some(peak) = ascending(roofs).first() {
        let [start, ridge, _] = roof_line(plot, roofs, peak);
        let floor = |p: Point| point(p.x, plot.area.bottom);
        pen.fill(&[start, ridge, floor(ridge), floor(start)], pen.theme.shade);
    }
}

pub(super) fn draw_roofs(pen: &mut Pen<'_>, plot: &Plot, roofs: &Roofs) {
    let (ink, dots) = (pen.theme.ink_1, pen.theme.ink_2);
    for (ridge, foot) in ridge_lines(plot, roofs) {
        pen.dashed_rule(ridge, foot, (1.5, 3.0), stroke(dots, size::HAIRLINE_PX));
    }
    for peak in ascending(roofs) {
        pen.polyline(&roof_line(plot, roofs, peak), stroke(ink, size::ROOF_PX));
    }
}

pub(super) fn draw_pinned_roofs(pen: &mut Pen<'_>, plot: &Plot, roofs: &Roofs) {
    if !roofs.usable() {
        return;
    }
    let ink = pen.theme.ink_3;
    for peak in ascending(roofs) {
        pen.dashed(
            &roof_line(plot, roofs, peak),
            (4.0, 3.0),
            stroke(ink, size::HAIRLINE_PX),
        );
    }
}

pub(super) fn name_peaks(pen: &mut Pen<'_>, plot: &Plot, roofs: &Roofs) {
    for peak in ascending(roofs).into_iter().rev() {
        let [_, _, end] = roof_line(plot, roofs, peak);
        let words = Words::label(
            format!(
                "{} {}",
                peak.format,
                format::printed(peak.flop_per_s / TERA)
            ),
            pen.theme.ink_2,
        );
        let spots = [
            spot(point(end.x, end.y - 2.0), Align::End, Side::Above),
            spot(point(end.x, end.y + 3.0), Align::End, Side::Below),
        ];
        pen.place(
            &[vec![words]],
            &spots,
            &pen.canvas.clone(),
            &[],
            Some(pen.theme.background),
        );
    }
}

/// The bandwidth along the slope, where it is free.
pub(super) fn name_bandwidth(
    pen: &mut Pen<'_>,
    plot: &Plot,
    roofs: &Roofs,
    leaders: &[(Point, Point)],
) {
    let Some(peak) = ascending(roofs).last().copied() else {
        return;
    };
    let [start, ridge, _] = roof_line(plot, roofs, peak);
    let words = Words::note(
        format!("HBM {}", format::bandwidth(roofs.hbm_bytes_per_s)),
        pen.theme.ink_2,
    );
    let (length, slope) = (pen.width(&words), start.distance(ridge));
    let (dx, dy) = (
        (ridge.x - start.x) / slope.max(1.0),
        (ridge.y - start.y) / slope.max(1.0),
    );
    // The baseline runs parallel to the roof, a little above it.
    let above = |p: Point| point(p.x + dy * 5.0, p.y - dx * 5.0);
    let boxes = |from: f64| {
        let steps = (length / 6.0).ceil() as usize + 1;
        let middle = move |i: usize| start.along(ridge, from + i as f64 * 6.0);
        (0..steps).map(move |i| {
            let m = middle(i);
            Rect::about(point(m.x + dy * 9.5, m.y - dx * 9.5), 4.0)
        })
    };
    let mut from = 4.0_f64.max((slope - length) * 0.04);
    while from + length < slope {
        let clear = |part: &Rect| leaders.iter().all(|(a, b)| part.clip(*a, *b).is_none());
        if boxes(from).all(|part| pen.is_free(&part) && clear(&part)) {
            let degrees = libm::atan2(dy, dx).to_degrees();
            pen.write_turned(
                &words,
                above(start.along(ridge, from)),
                degrees,
                Some(pen.theme.background),
            );
            boxes(from).for_each(|part| pen.reserve(part));
            return;
        }
        from += 4.0;
    }
}

pub(super) fn name_ridges(pen: &mut Pen<'_>, plot: &Plot, roofs: &Roofs, lines: &[(Point, Point)]) {
    let (grey, ink, background) = (pen.theme.ink_2, pen.theme.ink_1, pen.theme.background);
    let ridges = ridge_lines(plot, roofs);
    for (peak, (top, foot)) in ascending(roofs).into_iter().zip(ridges).rev() {
        let value = Words::note(format::sig3(roofs.ridge_flop_per_byte(peak)), ink).bold();
        let unit = || Words::note("FLOP/B", grey);
        let full = if roofs.peaks.len() > 1 {
            format!("{} ridge", peak.format)
        } else {
            "ridge".to_owned()
        };
        let wordings = [
            vec![Words::note(full, grey), value.clone(), unit()],
            vec![Words::note("ridge", grey), value.clone(), unit()],
            vec![Words::note("ridge", grey), value],
        ];
        for (away, align) in [(5.0, Align::Start), (-5.0, Align::End)] {
            let spots = [0.32, 0.45, 0.22, 0.58, 0.12, 0.7, 0.8].map(|share| {
                spot(
                    point(top.x + away, top.y + (foot.y - top.y) * share),
                    align,
                    Side::Below,
                )
            });
            if pen
                .place(&wordings, &spots, &plot.area, lines, Some(background))
                .is_some()
            {
                break;
            }
        }
    }
}

pub(super) fn name_regions(pen: &mut Pen<'_>, plot: &Plot, ridges: &[(Point, Point)]) {
    let (Some((_, first)), Some((_, last))) = (ridges.first(), ridges.last()) else {
        return;
    };
    let grey = pen.theme.ink_2;
    let y = plot.area.bottom - 4.0;
    for (word, at, align) in [
        ("memory-bound", point(first.x - 6.0, y), Align::End),
        ("compute-bound", point(last.x + 6.0, y), Align::Start),
    ] {
        let wordings = [vec![Words::label(word, grey)]];
        pen.place(
            &wordings,
            &[spot(at, align, Side::Above)],
            &plot.area,
            ridges,
            None,
        );
    }
}
