//! The plot of step time vs. batch size.

use super::corners::refine;
use super::{LatencyData, StepSample, StepTimes};
use crate::charts::prelude::*;

/// The plot of step time with refined samples: one is added where communication equals compute, and one at the memory
/// limit.
pub struct Areas<'a> {
    pub data: &'a LatencyData,
    /// Area and scales of the plot; the vertical axis is in milliseconds.
    pub plot: Plot,
    pub samples: Vec<StepSample>,
    /// Horizontal position of the memory limit, clamped to the plot; the left edge if nothing fits.
    pub memory_x: f64,
}

impl<'d> Areas<'d> {
    pub fn of(area: Rect, data: &'d LatencyData, samples: &[StepSample]) -> Self {
        let plot = plot(area, data, samples);
        let memory_x = match data.capacity_batch_per_gpu {
            Some(most) => plot.x_at(most).clamp(area.left, area.right),
            None => area.left,
        };
        Self {
            data,
            plot,
            samples: refine(samples, data.capacity_batch_per_gpu),
            memory_x,
        }
    }

    pub fn at(&self, batch: f64, seconds: f64) -> Point {
        self.plot.at(batch, seconds * 1e3)
    }

    /// Returns the curve of one value of the step as a function of batch size.
    pub fn line(&self, value: impl Fn(&StepTimes) -> f64) -> Vec<Point> {
        let samples = self.samples.iter();
        samples
            .map(|sample| self.at(sample.batch_per_gpu, value(&sample.step)))
            .collect()
    }

    /// Returns the curve along the top of the lowest `layers` layers of the step-time stack.
    pub fn top(&self, layers: usize) -> Vec<Point> {
        self.line(|step| step.layers()[..layers].iter().map(|(_, time)| time).sum())
    }

    /// Returns the step-time curve of the pinned scenario, cut at the ends of the axes.
    pub fn ghost(&self) -> Vec<Point> {
        let pinned = self.data.pinned.iter();
        let held = |(batch, step_s): &&(f64, f64)| self.plot.x.holds(*batch) && step_s.is_finite();
        let steps = pinned.flat_map(|pinned| pinned.envelope.iter().filter(held));
        let steps = steps.map(|(batch, step_s)| self.at(*batch, *step_s));
        let pieces = self.plot.area.cut(&steps.collect::<Vec<_>>());
        pieces.into_iter().next().unwrap_or_default()
    }
}

fn plot(area: Rect, data: &LatencyData, samples: &[StepSample]) -> Plot {
    let (_, last) = extent(samples.iter().map(|sample| sample.batch_per_gpu));
    let now = &data.now;
    let alone = last <= 0.0 && now.batch_per_gpu.is_finite();
    let end = if alone { now.batch_per_gpu } else { last };
    let pinned = data.pinned.iter().flat_map(|pinned| &pinned.envelope);
    let pinned = pinned.filter(|(batch, _)| *batch <= last);
    let now = Some(now).filter(|now| last <= 0.0 || now.batch_per_gpu <= last);
    let tops = samples.iter().chain(now).map(|sample| sample.step.top_s());
    let (_, own) = extent(tops.filter(|time| time.is_finite()));
    let theirs = pinned.map(|(_, step_s)| *step_s);
    let (_, theirs) = extent(theirs.filter(|time| time.is_finite()));
    let y = Scale::linear(0.0, beside(own, theirs) * 1e3 * 1.05);
    Plot::new(area, Scale::linear(0.0, end), y)
}
