//! The axes of steps over the batch.

use super::areas::Areas;
use super::{LatencyData, StepSample};
use crate::charts::prelude::*;

pub(super) fn x_scale(data: &LatencyData, samples: &[StepSample]) -> Scale {
    let last = samples
        .iter()
        .map(|sample| sample.batch_per_gpu)
        .fold(0.0, f64::max);
    let now = data.now.batch_per_gpu;
    let alone = last <= 0.0 && now.is_finite();
    Scale::linear(0.0, if alone { now } else { last })
}

pub(super) fn y_scale(data: &LatencyData, samples: &[StepSample]) -> Scale {
    let last = samples
        .iter()
        .map(|sample| sample.batch_per_gpu)
        .fold(0.0, f64::max);
    let pinned = data
        .pinned
        .iter()
        .flat_map(|pinned| &pinned.envelope)
        .filter(|(batch, _)| *batch <= last);
    let now = Some(&data.now).filter(|now| last <= 0.0 || now.batch_per_gpu <= last);
    let highest = samples
        .iter()
        .chain(now)
        .map(|sample| sample.step.step_s.max(sample.step.stack_s()))
        .chain(pinned.map(|(_, step_s)| *step_s))
        .filter(|time| time.is_finite())
        .fold(0.0, f64::max);
    Scale::linear(0.0, highest * 1e3 * 1.05)
}

pub(super) fn draw_y_axis(pen: &mut Pen<'_>, areas: &Areas<'_>) {
    let ink = pen.theme.ink_3;
    let most = (areas.plot.area.height() / 26.0).max(2.0) as usize;
    let ticks = areas
        .plot
        .y
        .ticks(most)
        .into_iter()
        .map(|ms| (ms, Words::tick(format::printed(ms), ink)))
        .collect();
    let axis = Axis {
        ticks,
        minor: Vec::new(),
        name: "ms per step",
    };
    y_axis(pen, &areas.plot, &axis, areas.plot.area.top - 6.0);
}

pub(super) fn draw_x_axis(pen: &mut Pen<'_>, areas: &Areas<'_>) {
    let (ink, grey) = (pen.theme.ink_1, pen.theme.ink_3);
    let plot = &areas.plot;
    let (x, now) = (plot.x, areas.data.now.batch_per_gpu);
    let most = (plot.area.width() / 52.0).max(1.0) as usize;
    let mut ticks = Vec::new();
    if now.is_finite() && x.holds(now) {
        tick_label(
            pen,
            &Words::tick(format::batch(now), ink).bold(),
            plot.x_at(now),
            plot.area.bottom + 15.0,
        );
    }
    let step = binary_step(x.high(), most);
    ticks.extend(
        multiples(0.0, x.high(), step)
            .into_iter()
            .map(|batch| (batch, Words::tick(format::batch(batch), grey))),
    );
    x_axis(
        pen,
        plot,
        &Axis {
            ticks,
            minor: Vec::new(),
            name: "batch, sequences per GPU",
        },
    );
}
