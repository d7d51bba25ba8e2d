//! The memory chart: one bar against the capacity, sequences above it and GiB below.

use super::axes::{capacity_words, lower_axis, upper_axis};
use super::{GIB, MemoryData};
use crate::charts::prelude::*;

/// The bar's upper edge.
pub(super) const BAR_TOP_PX: f64 = 44.0;

/// The bar's lower edge.
pub(super) const BAR_BOTTOM_PX: f64 = 84.0;

/// From bytes to places across.
#[derive(Clone, Copy)]
pub(super) struct Across {
    px_per_byte: f64,
}

impl Across {
    /// The place of a number of bytes.
    pub(super) fn at(self, bytes: f64) -> f64 {
        bytes * self.px_per_byte
    }

    fn bar(self, from: f64, to: f64) -> Rect {
        rect(self.at(from), BAR_TOP_PX, self.at(to), BAR_BOTTOM_PX)
    }
}

/// Draws the chart; hits are the stored parts, then what is free or too much.
pub fn draw(pen: &mut Pen<'_>, data: &MemoryData) -> Hits {
    if !data.draws() {
        let canvas = pen.canvas;
        nothing_to_show(pen, &canvas, "nothing to store");
        return Hits::default();
    }
    let capacity = capacity_words(pen, data);
    let margin = (pen.width(&capacity) / 2.0).max(14.0);
    let longest = data.total_bytes().max(
        data.pinned
            .as_ref()
            .map_or(0.0, |pinned| pinned.total_bytes),
    );
    // The capacity's label is centred under it; whatever lies beyond needs no margin.
    let room = (pen.canvas.right - margin).max(10.0);
    let px_per_byte =
        (room / data.capacity_bytes).min((pen.canvas.right - 6.0).max(10.0) / longest);
    let across = Across { px_per_byte };

    let mut boxes = parts(pen, data, across);
    boxes.push(rest(pen, data, across));
    pen.seam();
    lower_axis(pen, data, across, &capacity);
    upper_axis(pen, data, across);
    label_parts(pen, data, across);
    Hits::boxes(boxes)
}

fn parts(pen: &mut Pen<'_>, data: &MemoryData, across: Across) -> Vec<Rect> {
    let theme = pen.theme;
    data.stacked()
        .into_iter()
        .map(|(part, start, end)| {
            let bounds = across.bar(start, end);
            let seam = if bounds.width() > 3.0 { 0.9 } else { 0.0 };
            let filled = Rect {
                right: (bounds.right - seam).max(bounds.left + 0.6),
                ..bounds
            };
            let colours = theme.role(part.role);
            pen.fill_rect(filled, colours.fill);
            if theme.dark {
                pen.fill_rect(
                    Rect {
                        bottom: filled.top + size::EDGE_PX,
                        ..filled
                    },
                    colours.line,
                );
            }
            bounds
        })
        .collect()
}

/// What is free, as a dashed outline, and what is set aside; or what is too much, hatched in place.
fn rest(pen: &mut Pen<'_>, data: &MemoryData, across: Across) -> Rect {
    let theme = pen.theme;
    let (usable, total) = (data.usable_bytes(), data.total_bytes());
    if data.reserve_bytes > 0.0 && total < data.capacity_bytes {
        let set_aside = across.bar(usable.max(total), data.capacity_bytes);
        pen.fill_rect(set_aside, theme.panel);
        pen.dashed_outline(set_aside, stroke(theme.strong, 1.0));
    }
    if total > usable {
        let over = across.bar(usable, total);
        pen.hatch(
            &over.corners(),
            9.0,
            Hatch::Falling,
            stroke(theme.bad.with_alpha(0.75), 1.2),
        );
        pen.outline(over, stroke(theme.bad, 2.0));
        return over;
    }
    let free = across.bar(total, usable);
    pen.dashed_outline(
        Rect {
            left: free.left + 1.5,
            ..free
        },
        stroke(theme.strong, 1.0),
    );
    free
}

fn label_parts(pen: &mut Pen<'_>, data: &MemoryData, across: Across) {
    let theme = pen.theme;
    let (usable, total) = (data.usable_bytes(), data.total_bytes());
    for (part, start, end) in data.stacked() {
        let colours = theme.role(part.role);
        let visible = across.bar(start, end.min(usable));
        let value = format::sig3(part.bytes / GIB);
        let lines = [
            Words::label(part.name.clone(), colours.on_fill),
            Words::label(value, colours.on_fill).bold(),
        ];
        two_lines(pen, visible, lines);
    }
    if total > usable {
        let role = data
            .stacked()
            .iter()
            .rfind(|(_, _, end)| *end > usable)
            .map_or(Role::Kv, |(part, ..)| part.role);
        let (ink, fill) = (theme.role(role).on_fill, theme.role(role).fill);
        let value = format::sig3((total - usable) / GIB);
        let lines = [
            Words::label("over by", ink),
            Words::label(value, ink).bold(),
        ];
        haloed_lines(pen, across.bar(usable, total), lines, Some(fill));
    } else {
        let ink = theme.ink_2;
        let value = format::sig3((usable - total) / GIB);
        two_lines(
            pen,
            across.bar(total, usable),
            [
                Words::label("free", ink),
                Words::label(value, theme.ink_1).bold(),
            ],
        );
        if data.reserve_bytes > 0.0 {
            let value = format::sig3(data.reserve_bytes / GIB);
            let lines = [
                Words::label("reserve", ink),
                Words::label(value, theme.ink_1).bold(),
            ];
            two_lines(pen, across.bar(usable, data.capacity_bytes), lines);
        }
    }
}

/// A name over its value where both fit, the value alone where only it does.
fn two_lines(pen: &mut Pen<'_>, bounds: Rect, lines: [Words; 2]) {
    haloed_lines(pen, bounds, lines, None);
}

fn haloed_lines(pen: &mut Pen<'_>, bounds: Rect, [name, value]: [Words; 2], halo: Option<Colour>) {
    let centre = bounds.centre();
    let fits = |words: &Words| pen.width(words) + 7.0 <= bounds.width();
    if fits(&name) && fits(&value) {
        let upper = point(centre.x, name.baseline_about(centre.y - 7.3));
        let lower = point(centre.x, value.baseline_about(centre.y + 7.7));
        pen.write(&name, upper, Align::Middle, halo);
        pen.write(&value, lower, Align::Middle, halo);
    } else if fits(&value) {
        pen.write(
            &value,
            point(centre.x, value.baseline_about(centre.y)),
            Align::Middle,
            halo,
        );
    }
}
