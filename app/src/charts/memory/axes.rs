//! The memory chart's axes: sequences above the bar, GiB below it.

use super::draw::{Across, BAR_BOTTOM_PX, BAR_TOP_PX};
use super::{GIB, MemoryData};
use crate::charts::prelude::*;

const AXIS_NAME_BASELINE_PX: f64 = 9.5;

const LABEL_BASELINE_PX: f64 = 27.0;

const UPPER_AXIS_PX: f64 = 38.5;

const LOWER_AXIS_PX: f64 = 87.5;

const TICK_BASELINE_PX: f64 = 103.0;

pub(super) fn capacity_words(pen: &Pen<'_>, data: &MemoryData) -> Words {
    let ink = pen.theme.ink_1;
    let capacity = format::printed(data.capacity_bytes / GIB);
    let full = Words::tick(format!("{capacity} {}", data.accelerator), ink).bold();
    if pen.canvas.width() < 400.0 || pen.width(&full) > pen.canvas.width() / 4.0 {
        Words::tick(capacity, ink).bold()
    } else {
        full
    }
}

pub(super) fn lower_axis(pen: &mut Pen<'_>, data: &MemoryData, across: Across, capacity: &Words) {
    let theme = pen.theme;
    let (ink, grey) = (theme.ink_1, theme.ink_3);
    let hair = stroke(theme.strong, size::HAIRLINE_PX);
    let end = data.capacity_bytes.max(data.total_bytes());
    pen.line(
        point(0.0, LOWER_AXIS_PX),
        point(across.at(end), LOWER_AXIS_PX),
        hair,
    );
    let x = across.at(data.capacity_bytes);
    pen.line(
        point(x, BAR_TOP_PX - 7.0),
        point(x, LOWER_AXIS_PX + 4.0),
        stroke(ink, 2.0),
    );
    tick_label(pen, capacity, x, TICK_BASELINE_PX);
    if let Some(pinned) = data
        .pinned
        .as_ref()
        .filter(|pinned| pinned.total_bytes > 0.0)
    {
        pinned_mark(pen, across.at(pinned.total_bytes));
    }
    pen.write_if_free(
        &Words::tick("0 GiB", grey),
        point(0.0, TICK_BASELINE_PX),
        Align::Start,
        None,
    );
    let step = nice_step(
        end / GIB,
        (pen.canvas.width() / 62.0).clamp(2.0, 5.0) as usize,
    );
    for gib in multiples(0.0, end / GIB, step) {
        let x = across.at(gib * GIB);
        pen.line(point(x, LOWER_AXIS_PX), point(x, LOWER_AXIS_PX + 4.0), hair);
        if gib > 0.0 {
            tick_label(
                pen,
                &Words::tick(format::printed(gib), grey),
                x,
                TICK_BASELINE_PX,
            );
        }
    }
}

/// The pinned scenario's total: a triangle on the axis and dashes into the bar, short of its labels.
fn pinned_mark(pen: &mut Pen<'_>, x: f64) {
    let theme = pen.theme;
    pen.dashed_rule(
        point(x, BAR_BOTTOM_PX - 8.0),
        point(x, BAR_BOTTOM_PX + 3.0),
        (3.0, 2.0),
        stroke(theme.ink_2, 1.2),
    );
    let (top, half) = (LOWER_AXIS_PX + 1.5, 3.5);
    let triangle = [
        point(x, top),
        point(x + half, top + 5.5),
        point(x - half, top + 5.5),
        point(x, top),
    ];
    pen.polyline(&triangle, stroke(theme.ink_2, 1.0));
    pen.reserve(rect(x - 4.0, top, x + 4.0, top + 6.0));
    tick_label(
        pen,
        &Words::tick("A", theme.ink_1).bold(),
        x,
        TICK_BASELINE_PX + 2.0,
    );
}

/// The bracket over the weights and the sequences that fill the rest.
pub(super) fn upper_axis(pen: &mut Pen<'_>, data: &MemoryData, across: Across) {
    let theme = pen.theme;
    let weights = data.weights_bytes();
    let start = across.at(weights);
    if let Some(each) = data.bytes_per_sequence() {
        marks_of_now_and_full(pen, data, across, each);
    }
    if weights > 0.0 {
        let style = stroke(theme.role(Role::Weights).line, 1.4);
        let (top, foot, end) = (
            UPPER_AXIS_PX - 4.5,
            UPPER_AXIS_PX + 1.5,
            (start - 2.0).max(1.0),
        );
        pen.polyline(
            &[
                point(0.7, foot),
                point(0.7, top),
                point(end, top),
                point(end, foot),
            ],
            style,
        );
        let words = Words::label(
            format!("weights {}", format::sig3(weights / GIB)),
            theme.ink_1,
        )
        .bold();
        pen.write_if_free(&words, point(0.0, LABEL_BASELINE_PX), Align::Start, None);
    }
    let Some(each) = data.bytes_per_sequence() else {
        return;
    };
    let hair = stroke(theme.strong, size::HAIRLINE_PX);
    let end = data.capacity_bytes.max(data.total_bytes());
    let y = UPPER_AXIS_PX + 0.5;
    if across.at(end) - start > 4.0 {
        pen.line(point(start, y), point(across.at(end), y), hair);
    }
    let most = (end - weights) / each;
    let wide = across.at(end) - start;
    let step = binary_step(most, (wide / 70.0).max(1.0) as usize);
    for batch in multiples(0.0, most, step / 2.0) {
        let x = across.at(weights + batch * each);
        let labelled = (batch / step).fract().abs() < 1e-6;
        pen.line(
            point(x, y),
            point(x, y - if labelled { 4.0 } else { 2.5 }),
            hair,
        );
        if labelled {
            tick_label(
                pen,
                &Words::tick(format::batch(batch), theme.ink_3),
                x,
                LABEL_BASELINE_PX,
            );
        }
    }
    let name = Words::tick("sequences per GPU", theme.ink_3);
    let x = start.min(pen.canvas.right - pen.width(&name)).max(0.0);
    pen.write_if_free(&name, point(x, AXIS_NAME_BASELINE_PX), Align::Start, None);
}

fn marks_of_now_and_full(pen: &mut Pen<'_>, data: &MemoryData, across: Across, each: f64) {
    let theme = pen.theme;
    let over = data.over_bytes() > 0.0;
    let now_ink = if over { theme.bad } else { theme.ink_1 };
    let now_x = across.at(data.total_bytes());
    let style = stroke(now_ink, 1.4);
    pen.line(
        point(now_x, UPPER_AXIS_PX - 7.0),
        point(
            now_x,
            if over {
                BAR_TOP_PX
            } else {
                LOWER_AXIS_PX + 4.0
            },
        ),
        style,
    );
    let now = Words::label(
        format!("now {}", format::batch(data.batch_per_gpu)),
        now_ink,
    )
    .bold();
    let label = |x: f64, align: Align| spot(point(x, LABEL_BASELINE_PX - 11.0), align, Side::Below);
    let row = Rect {
        top: 0.0,
        bottom: UPPER_AXIS_PX,
        ..pen.canvas
    };
    let full_x = data
        .capacity_batch_per_gpu
        .map(|most| across.at(data.weights_bytes() + most * each));
    // On the outer side where the two are near each other, else centred on its line.
    let near = full_x.is_some_and(|x| (x - now_x).abs() < 80.0);
    let outer = if over { Align::Start } else { Align::End };
    let now_spots = if near {
        vec![
            label(now_x + if over { -4.0 } else { 4.0 }, outer),
            label(pen.canvas.right, Align::End),
            label(now_x, Align::End),
        ]
    } else {
        vec![
            label(now_x, Align::Middle),
            label(pen.canvas.right, Align::End),
            label(now_x, Align::End),
            label(0.0, Align::Start),
        ]
    };
    pen.place(&[vec![now]], &now_spots, &row, &[], None);
    if let (Some(most), Some(x)) = (data.capacity_batch_per_gpu, full_x) {
        let words = |text: &str| {
            vec![
                Words::sized(size::LABEL_PX)
                    .and(text, theme.ink_1)
                    .and_bold(format::batch(most), theme.ink_1),
            ]
        };
        let spots = [
            label(x, Align::End),
            label(x - 4.0, Align::Start),
            label(pen.canvas.right, Align::End),
            label(x - 8.0, Align::End),
        ];
        pen.place(
            &[words("full at "), words("full ")],
            &spots,
            &row,
            &[],
            None,
        );
    }
}
