//! A scenario with all results of the model that an answer needs.

use crate::charts::OperatingPoint;
use crate::words::names;
use model_core::evaluate::{Evaluation, evaluate, with_batch};
use model_core::inputs::Inputs;
use model_core::limits::{Largest, Limits, NoBatch, enough, fullest, largest};
use model_core::refusal::Refusal;
use model_core::scenario::Scenario;
use std::cell::OnceCell;

/// A scenario with all results of the model that the answer needs.
pub struct Evaluated {
    pub(crate) inputs: Inputs,
    pub(crate) scenario: Scenario,
    pub(crate) evaluation: Evaluation,
    pub(crate) limits: Limits,
    /// The largest batch that fits and meets the SLO.
    pub(crate) largest: Result<Largest, NoBatch>,
    /// Computed when first needed.
    pub(crate) crossing: OnceCell<Option<f64>>,
    pub(crate) enough: OnceCell<Option<f64>>,
}

impl Evaluated {
    pub(crate) fn new(inputs: &Inputs) -> Result<Self, Vec<Refusal>> {
        let scenario = inputs.scenario()?;
        let evaluation = evaluate(&scenario).map_err(|refusal| vec![refusal])?;
        let limits =
            model_core::limits::limits(&scenario).ok_or_else(|| vec![Refusal::NotFinite])?;
        Ok(Self {
            inputs: *inputs,
            scenario,
            evaluation,
            limits,
            largest: largest(&scenario),
            crossing: OnceCell::new(),
            enough: OnceCell::new(),
        })
    }

    /// Total GPUs, N.
    pub(crate) fn gpus(&self) -> f64 {
        f64::from(self.scenario.cluster.gpus)
    }

    /// Sequences per GPU of a total batch.
    pub(crate) fn per_gpu(&self, batch: f64) -> f64 {
        batch / self.gpus()
    }

    /// The current batch in sequences per GPU.
    pub(crate) fn batch_per_gpu(&self) -> f64 {
        self.per_gpu(self.scenario.workload.batch)
    }

    /// Sequences in words: "256 per GPU" if every GPU has whole sequences, else "96 sequences".
    pub(crate) fn sequences(&self, batch: f64) -> String {
        let plan = &self.scenario.plan;
        let each = self.per_gpu(batch);
        if plan.group() == 1 && plan.spec().pp == 1 && each >= 1.0 && each.fract() == 0.0 {
            format!("{} per GPU", crate::words::format::count(each))
        } else {
            names::sequences(batch)
        }
    }

    /// Sequences per GPU, if several GPUs have whole sequences.
    pub(crate) fn whole_per_gpu(&self, batch: f64) -> Option<f64> {
        let plan = &self.scenario.plan;
        let own = plan.group() == 1 && plan.spec().pp == 1 && self.gpus() > 1.0;
        let each = self.per_gpu(batch);
        (own && each >= 1.0 && each.fract() == 0.0).then_some(each)
    }

    /// The smallest batch within half a percent of the best throughput.
    pub(crate) fn enough(&self) -> Option<f64> {
        *self.enough.get_or_init(|| {
            let most = fullest(&self.scenario, 0.0).ok()?;
            Some(enough(&self.scenario, most))
        })
    }

    /// [`Self::enough`] where it is below the largest batch: throughput is flat above it, or falls because of the
    /// prefill of other requests.
    pub(crate) fn less_than_largest(&self) -> Option<f64> {
        let largest = self.largest.ok()?.batch;
        self.enough().filter(|enough| *enough < largest)
    }

    /// The largest batch that fits, in sequences per GPU.
    pub(crate) fn capacity_per_gpu(&self) -> Option<f64> {
        (self.limits.b_cap > 0.0).then(|| self.per_gpu(self.limits.b_cap))
    }

    /// The end of curves over the batch in sequences per GPU: past the batch and the capacity.
    pub(crate) fn curve_end(&self) -> f64 {
        let capacity = self.capacity_per_gpu().unwrap_or(0.0);
        (1.15 * capacity).max(1.05 * self.batch_per_gpu())
    }

    /// An evaluation at a batch per GPU as a point of a chart.
    pub(crate) fn point(&self, evaluation: &Evaluation, batch_per_gpu: f64) -> OperatingPoint {
        operating_point(evaluation, self.gpus() * batch_per_gpu, self.gpus())
    }

    /// [`Self::point`] for a curve: fewer sequences than groups fit on average, for any placement.
    pub(crate) fn curve_point(&self, evaluation: &Evaluation, batch: f64) -> OperatingPoint {
        let point = operating_point(evaluation, batch, self.gpus());
        OperatingPoint {
            fits: point.fits && self.limits.b_cap >= 1.0,
            ..point
        }
    }

    /// The evaluation at another batch, in sequences per GPU.
    pub(crate) fn at(&self, batch_per_gpu: f64) -> Option<Evaluation> {
        with_batch(&self.scenario, batch_per_gpu * self.gpus()).ok()
    }
}

/// An evaluation of a batch on some GPUs as a point of a chart.
pub(crate) fn operating_point(evaluation: &Evaluation, batch: f64, gpus: f64) -> OperatingPoint {
    OperatingPoint {
        batch,
        gpus,
        tpot_s: 1.0 / evaluation.tokens_per_user,
        per_user: evaluation.tokens_per_user,
        per_gpu: evaluation.tokens_per_gpu,
        fits: evaluation.memory.fits(),
    }
}

/// Bisection steps: 2^−steps of the range is below 10⁻⁹.
const HALVINGS: u32 = 36;

/// The smallest argument in `low..high` for which `holds`, if it holds at `high` but not at `low`.
/// `holds` must not go back once it holds.
pub(crate) fn threshold(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> Option<f64> {
    if holds(low) || !holds(high) {
        return None;
    }
    for _ in 0..HALVINGS {
        let middle = (low * high).sqrt();
        if holds(middle) {
            high = middle
        } else {
            low = middle
        }
    }
    Some(high)
}
