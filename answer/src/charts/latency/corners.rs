//! Extra samples at the kinks of the curves, which a coarse sweep would miss.

use super::{StepSample, StepTimes};
use crate::order::sort_numbers;

/// Adds samples at the kinks of the curves, so that the picture is exact even if the sweep is coarse.
pub(super) fn refine(samples: &[StepSample], capacity: Option<f64>) -> Vec<StepSample> {
    let mut refined = Vec::with_capacity(samples.len() + 4);
    for (a, b) in samples.iter().zip(samples.iter().skip(1)) {
        refined.push(*a);
        let gap = |sample: &StepSample| sample.step.messages_s() - sample.step.busy_s();
        let (before, after) = (gap(a), gap(b));
        let crossing = (before * after < 0.0).then(|| before / (before - after));
        let span = b.batch_per_gpu - a.batch_per_gpu;
        let end = capacity
            .map(|most| (most - a.batch_per_gpu) / span)
            .filter(|share| *share > 0.0 && *share < 1.0);
        let mut shares: Vec<f64> = crossing.into_iter().chain(end).collect();
        sort_numbers(&mut shares);
        refined.extend(shares.into_iter().map(|share| between(a, b, share)));
    }
    refined.extend(samples.last());
    refined
}

/// Interpolates between two samples, preserving the kink of max(compute, communication).
pub(super) fn between(a: &StepSample, b: &StepSample, share: f64) -> StepSample {
    let mix = |from: f64, to: f64| from + (to - from) * share;
    let over = |step: &StepTimes| step.step_s - step.busy_s().max(step.messages_s());
    let mut step = a.step.with(&b.step, mix);
    let overlaps = a.step.overlap_s() > 0.0 || b.step.overlap_s() > 0.0;
    step.step_s = if overlaps {
        step.busy_s().max(step.messages_s()) + mix(over(&a.step), over(&b.step))
    } else {
        mix(a.step.step_s, b.step.step_s)
    };
    StepSample {
        batch_per_gpu: mix(a.batch_per_gpu, b.batch_per_gpu),
        step,
    }
}
