//! A scenario with all computed results that the page needs to answer a question about it.

use crate::charts::OperatingPoint;
use model_core::evaluate::{Evaluation, evaluate, with_batch};
use model_core::inputs::Inputs;
use model_core::limits::{Largest, Limits, NoBatch, enough, fullest, largest};
use model_core::refusal::Refusal;
use model_core::scenario::Scenario;
use std::cell::OnceCell;

/// A scenario with all computed results that the page needs to answer a question about it.
pub struct Evaluated {
    pub(crate) inputs: Inputs,
    pub(crate) scenario: Scenario,
    pub(crate) evaluation: Evaluation,
    pub(crate) limits: Limits,
    /// The largest batch that fits in memory and meets the SLO.
    pub(crate) largest: Result<Largest, NoBatch>,
    /// Batch at which communication takes as long as compute; determined when first needed.
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

    pub(crate) fn gpus(&self) -> f64 {
        f64::from(self.scenario.cluster.gpus)
    }

    /// Converts a total batch to sequences per GPU.
    pub(crate) fn per_gpu(&self, batch: f64) -> f64 {
        batch / self.gpus()
    }

    pub(crate) fn batch_per_gpu(&self) -> f64 {
        self.per_gpu(self.scenario.workload.batch)
    }

    /// Returns the sequences per GPU; `None` unless there are several GPUs that each hold a whole number of
    /// sequences.
    pub(crate) fn whole_per_gpu(&self, batch: f64) -> Option<f64> {
        let plan = &self.scenario.plan;
        let own = plan.group() == 1 && plan.spec().pp == 1 && self.gpus() > 1.0;
        let each = self.per_gpu(batch);
        (own && each >= 1.0 && each.fract() == 0.0).then_some(each)
    }

    /// Returns the smallest batch whose throughput is within 0.5% of the best, if its interactivity is at least 1.25
    /// times that at the best throughput. Otherwise, returns the batch with the best throughput. `None` if no batch is
    /// feasible.
    pub(crate) fn enough(&self) -> Option<f64> {
        *self.enough.get_or_init(|| {
            let most = fullest(&self.scenario, 0.0).ok()?;
            Some(enough(&self.scenario, most))
        })
    }

    /// Returns [`Self::enough`] if it is below the largest batch, else `None`. Beyond it, throughput is flat, or falls
    /// because of the prefill of other requests.
    pub(crate) fn less_than_largest(&self) -> Option<f64> {
        let largest = self.largest.ok()?.batch;
        self.enough().filter(|enough| *enough < largest)
    }

    /// The largest batch that fits in memory, in sequences per GPU.
    pub(crate) fn capacity_per_gpu(&self) -> Option<f64> {
        (self.limits.b_cap > 0.0).then(|| self.per_gpu(self.limits.b_cap))
    }

    /// Returns the end of the batch axis on charts, in sequences per GPU. It is beyond both the current batch and the
    /// capacity.
    pub(crate) fn curve_end(&self) -> f64 {
        let capacity = self.capacity_per_gpu().unwrap_or(0.0);
        (1.15 * capacity).max(1.05 * self.batch_per_gpu())
    }

    /// Converts the evaluation of a batch, given in sequences per GPU, to a point on a chart.
    pub(crate) fn point(&self, evaluation: &Evaluation, batch_per_gpu: f64) -> OperatingPoint {
        operating_point(evaluation, self.gpus() * batch_per_gpu, self.gpus())
    }

    /// Like [`Self::point`], but for curves, with a total batch. The point counts as fitting only if one whole sequence
    /// fits, since the average per attention group can be below one.
    pub(crate) fn curve_point(&self, evaluation: &Evaluation, batch: f64) -> OperatingPoint {
        let point = operating_point(evaluation, batch, self.gpus());
        OperatingPoint {
            fits: point.fits && self.limits.b_cap >= 1.0,
            ..point
        }
    }

    /// Evaluates the scenario at another batch, given in sequences per GPU.
    pub(crate) fn at(&self, batch_per_gpu: f64) -> Option<Evaluation> {
        with_batch(&self.scenario, batch_per_gpu * self.gpus()).ok()
    }
}

/// Converts the evaluation of a total batch on `gpus` GPUs to a point on a chart.
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

/// Number of bisection steps; they narrow the range to below 10⁻⁹ of its width.
const HALVINGS: u32 = 36;

/// Returns the smallest argument in `low..high` for which `holds` is true; `None` unless it is true at `high` and
/// false at `low`. `holds` must be monotonic.
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
