//! The waterfall on a phone: its columns as rows.

use super::{Step, WaterfallData, fill, reachable, whole};
use crate::charts::prelude::*;

/// One under the other, on a phone.
pub(super) struct Rows {
    area: Rect,
    pitch: f64,
}

impl Rows {
    pub(super) fn of(pen: &Pen<'_>, steps: &[Step<'_>]) -> Self {
        let canvas = pen.canvas;
        let ink = pen.theme.ink_1;
        let widths = steps
            .iter()
            .map(|step| pen.width(&Words::label(step.short(), ink)));
        let left = (widths.fold(0.0, f64::max) + 8.0).min(canvas.width() * 0.4);
        let right = (canvas.right - 52.0).max(left + 20.0);
        let area = rect(left, 16.0, right, (canvas.bottom - 34.0).max(17.0));
        Self {
            area,
            pitch: area.height() / steps.len() as f64,
        }
    }

    pub(super) fn draw(&self, pen: &mut Pen<'_>, data: &WaterfallData, steps: &[Step<'_>]) -> Hits {
        let ends = steps.iter().flat_map(|step| [step.from, step.to]);
        let (low, high) = ends.fold((0.0_f64, 0.0_f64), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let plot = Plot::new(
            self.area,
            Scale::linear(low, high * 1.02),
            Scale::linear(0.0, 1.0),
        );
        let ticks = plot.x.ticks((plot.area.width() / 48.0).max(2.0) as usize);
        let grid = stroke(pen.theme.grid, size::HAIRLINE_PX);
        for tick in ticks {
            let x = plot.x_at(tick);
            pen.line(point(x, self.area.top), point(x, self.area.bottom), grid);
        }
        si_x_axis(pen, &plot, data.axis);
        let half = (self.pitch * 0.62).min(22.0) / 2.0;
        let part = |index: usize, from: f64, to: f64| {
            let y = self.area.top + self.pitch * (index as f64 + 0.5);
            let (one, other) = (plot.x_at(from), plot.x_at(to));
            rect(one.min(other), y - half, one.max(other), y + half)
        };
        pen.seam();
        let mut boxes = Vec::with_capacity(steps.len());
        for (index, step) in steps.iter().enumerate() {
            let area = part(index, step.from, step.to);
            if step.whole() {
                whole(pen, data, step, |from, to| part(index, from, to));
            } else {
                fill(pen, area, step);
            }
            pen.reserve(area);
            let x = plot.x_at(step.to);
            if index + 1 < steps.len() {
                let next = part(index + 1, 0.0, 0.0).top;
                let line = (point(x, area.bottom), point(x, next));
                pen.line(line.0, line.1, stroke(pen.theme.ink_2, size::HAIRLINE_PX));
            }
            boxes.push(area);
        }
        for (step, area) in steps.iter().zip(&boxes) {
            self.words(pen, data, step, area);
        }
        Hits::boxes(boxes.iter().map(reachable))
    }

    fn words(&self, pen: &mut Pen<'_>, data: &WaterfallData, step: &Step<'_>, area: &Rect) {
        let ink = pen.theme.ink_1;
        let middle = area.centre().y;
        let mut name = Words::label(step.short(), ink);
        if step.whole() {
            name = name.bold();
        }
        let baseline = name.baseline_about(middle);
        pen.write_if_free(&name, point(0.0, baseline), Align::Start, None);
        let by = step.to - step.from;
        let text = match step.whole() {
            true => data.amount(step.to),
            false => data.change(by),
        };
        let words = Words::sized(size::LABEL_PX).and_bold(text, step.ink(pen.theme));
        let halo = Some(pen.theme.background);
        let right = point(area.right + 6.0, baseline);
        if pen
            .write_if_free(&words, right, Align::Start, halo)
            .is_none()
        {
            pen.write_if_free(&words, point(area.left - 6.0, baseline), Align::End, halo);
        }
    }
}
