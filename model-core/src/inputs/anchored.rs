//! Inputs whose computed times are corrected by measurements of a deployment.

use super::{Gpu, Inputs, Mode, Model};
use crate::arch;
use crate::correction::Correction;
use crate::math;
use crate::measurement::Measurements;
use crate::scenario::Scenario;

/// Share of a correction that is applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Strength {
    /// The whole correction: for the measured deployment at any load.
    Whole,
    /// Half of the correction's logarithm: for another plan on the same accelerator, and for every entry of a list
    /// that compares plans.
    Half,
}

/// Batch and mean context of a measurement.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct MeasuredLoad {
    /// Concurrent sequences per replica, B.
    pub batch: f64,
    /// Mean tokens of context per sequence, S.
    pub context: f64,
}

/// Half-width of the uncertainty band at the load of a single measurement, as a logarithm.
const NEXT_TO_ONE: f64 = 0.10;
/// Increase in the uncertainty band's half-width (as a logarithm) per unit of distance from the nearest measured
/// load.
const BY_DISTANCE: f64 = 0.06;
/// Widths of the uncertainty band with one, two, and three or more measurements, relative to a single measurement.
const BY_POINTS: [f64; 3] = [1.0, 0.75, 0.65];

/// A correction, with the deployment that it was measured on.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Anchored {
    correction: Correction,
    strength: Strength,
    gpu: Gpu,
    /// Catalog row of the measured model; `None` for a custom model.
    model: Option<&'static arch::catalog::Entry>,
    loads: [Option<MeasuredLoad>; Measurements::MOST],
}

impl Anchored {
    /// Creates a correction from measurements of the deployment in `inputs` at the given loads.
    pub fn new(
        inputs: &Inputs,
        correction: Correction,
        loads: impl IntoIterator<Item = MeasuredLoad>,
    ) -> Self {
        let mut all = [None; Measurements::MOST];
        for (place, load) in all.iter_mut().zip(loads) {
            *place = Some(load);
        }
        Self {
            correction,
            strength: Strength::Whole,
            gpu: inputs.gpu,
            model: entry(&inputs.model),
            loads: all,
        }
    }

    /// Returns the share of the correction that is applied.
    pub const fn strength(&self) -> Strength {
        self.strength
    }

    /// Returns the whole correction, regardless of the share applied.
    pub const fn whole(&self) -> Correction {
        self.correction
    }

    /// Returns the correction with `strength` as the share that is applied.
    #[must_use]
    pub const fn with(mut self, strength: Strength) -> Self {
        self.strength = strength;
        self
    }

    /// Returns the half-width of the uncertainty band at a load, as a logarithm: (0.10 + 0.06 d)·{1, 0.75, 0.65} for
    /// one, two, and three or more measurements. The distance d is the minimum of |ln(B/B_i)| + ½ |ln(S/S_i)| over
    /// the measurements i. `None` without measurements, or if only half of the correction is applied.
    pub fn half_width(&self, at: MeasuredLoad) -> Option<f64> {
        if self.strength == Strength::Half {
            return None;
        }
        let away = |one: f64, other: f64| math::ln(one / other).abs();
        let loads = self.loads.iter().flatten();
        let distances = loads
            .clone()
            .map(|load| away(at.batch, load.batch) + away(at.context, load.context) / 2.0);
        let nearest = distances.reduce(f64::min)?;
        let count = loads.count().min(BY_POINTS.len());
        Some((NEXT_TO_ONE + BY_DISTANCE * nearest) * BY_POINTS[count - 1])
    }

    /// Returns the number of measurements.
    pub fn measurements(&self) -> usize {
        self.loads.iter().flatten().count()
    }
}

const fn entry(model: &Model) -> Option<&'static arch::catalog::Entry> {
    match model {
        Model::Catalog(entry) => Some(entry),
        Model::Custom(_) => None,
    }
}

impl Inputs {
    /// Returns the correction that measurements apply to the computed times of these inputs, if there is one.
    pub const fn anchored(&self) -> Option<&Anchored> {
        self.anchored.as_ref()
    }

    /// Returns the same inputs with the given correction; `None` removes it. The inputs' measurements do not change.
    #[must_use]
    pub const fn with_anchored(mut self, anchored: Option<Anchored>) -> Self {
        self.anchored = anchored;
        self
    }

    /// Returns the inputs as an entry of a list that compares plans: with half of the correction, regardless of the
    /// plan. Otherwise a plan could seem faster only because it is corrected less.
    #[must_use]
    pub const fn like_others(mut self) -> Self {
        if let Some(anchored) = &mut self.anchored {
            anchored.strength = Strength::Half;
        }
        self
    }

    /// Returns the inputs without measurements and without a correction.
    #[must_use]
    pub const fn unmeasured(mut self) -> Self {
        self.measured = Measurements::NONE;
        self.anchored = None;
        self
    }

    /// Returns the correction that applies to the scenario, whole or halved. It is [`Correction::NONE`] without
    /// measurements, for a model or an accelerator other than the measured one, and for any deployment that is not
    /// colocated.
    pub(super) fn correction(&self) -> Correction {
        match self.applicable() {
            None => Correction::NONE,
            Some(anchored) => match anchored.strength {
                Strength::Whole => anchored.correction,
                Strength::Half => anchored.correction.halved(),
            },
        }
    }

    /// Returns the anchoring if it applies to this scenario: to a colocated deployment of the measured model on the
    /// measured accelerator.
    fn applicable(&self) -> Option<&Anchored> {
        let id = |model: Option<&arch::catalog::Entry>| model.map(|entry| entry.id);
        self.anchored.as_ref().filter(|anchored| {
            self.mode == Mode::Colocated
                && anchored.gpu.id() == self.gpu.id()
                && id(anchored.model) == id(entry(&self.model))
        })
    }

    /// Returns true if only half of the correction is applied: in a list that compares plans, or for a deployment
    /// other than the measured one.
    pub fn has_half_correction(&self) -> bool {
        self.anchored
            .is_some_and(|anchored| anchored.strength == Strength::Half)
    }

    /// Returns the half-width of the uncertainty band of a corrected scenario, as a logarithm. `None` unless the
    /// whole correction is applied and the deployment is colocated.
    pub fn measured_half_width(&self, scenario: &Scenario) -> Option<f64> {
        let anchored = self.applicable()?;
        let workload = &scenario.workload;
        anchored.half_width(MeasuredLoad {
            batch: workload.batch,
            context: workload.context,
        })
    }
}
