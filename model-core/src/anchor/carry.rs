//! Applies corrections measured on one deployment to another deployment, as far as they carry over.

use std::fmt;

use super::fit::anchored;
use crate::inputs::{Anchoring, Inputs, Mode, Strength};
use crate::plan::PlanSpec;
use crate::scenario::Scenario;

/// Share of a measured correction that carries over to another deployment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carry {
    /// The whole correction carries over: both deployments are the same, though their loads may differ.
    Whole,
    /// Half of the correction carries over: model and accelerator are the same, but plan or precision differs.
    Half,
    /// Nothing carries over, for this reason.
    None(NotCarried),
}

/// Reason why a measured correction is not carried over to another deployment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotCarried {
    /// The other deployment runs another model. Holds the model's name.
    Model(&'static str),
    /// The other deployment uses a different accelerator, or the same one with different specifications. Holds the
    /// accelerator's name.
    Accelerator(&'static str),
    /// The other deployment uses calibration constants that differ from those to which the correction was fitted.
    Calibration,
    /// One of the two deployments uses AFD or Lamina; only corrections of colocated deployments carry over.
    Mode,
    /// One of the two deployments is invalid.
    Refused,
}

impl fmt::Display for NotCarried {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model(name) | Self::Accelerator(name) => write!(out, "not carried to {name}"),
            Self::Calibration => out.write_str("not carried to another calibration"),
            Self::Mode => out.write_str("not carried to AFD or Lamina"),
            Self::Refused => out.write_str("not carried to an invalid plan"),
        }
    }
}

/// Returns the share of `from`'s correction that carries over to `to`. Both must be colocated and use the same
/// calibration constants. The whole correction carries over if model, precision, accelerator (including
/// specifications), GPU count, sharding, schedule and drafts are the same. Half carries over if only model and
/// accelerator are the same.
pub fn carry(from: &Inputs, to: &Inputs) -> Carry {
    let plain = |inputs: &Inputs| inputs.with_anchored(None).scenario().ok();
    if [from, to]
        .iter()
        .any(|inputs| inputs.mode != Mode::Colocated)
    {
        return Carry::None(NotCarried::Mode);
    }
    let (Some(one), Some(other)) = (plain(from), plain(to)) else {
        return Carry::None(NotCarried::Refused);
    };
    if one.arch != other.arch {
        return Carry::None(NotCarried::Model(to.model.name()));
    }
    if from.gpu.id() != to.gpu.id() || !same_accelerator(&one, &other) {
        return Carry::None(NotCarried::Accelerator(to.gpu.name()));
    }
    // Calibration constants depend only on the accelerator and on the inputs that set them.
    if one.calibration != other.calibration {
        return Carry::None(NotCarried::Calibration);
    }
    match same_plan(&one, &other) {
        true => Carry::Whole,
        false => Carry::Half,
    }
}

fn same_accelerator(one: &Scenario, other: &Scenario) -> bool {
    let mut cluster = other.cluster;
    cluster.gpus = one.cluster.gpus;
    one.cluster == cluster
}

fn same_plan(one: &Scenario, other: &Scenario) -> bool {
    let kept = |scenario: &Scenario| PlanSpec {
        redundant: 0,
        redundant_wide: None,
        beta: 1.0,
        ..*scenario.plan.spec()
    };
    let drafts = |scenario: &Scenario| {
        let speculation = scenario.workload.speculation;
        (speculation.depth > 0).then_some(speculation)
    };
    one.cluster.gpus == other.cluster.gpus
        && kept(one) == kept(other)
        && one.precision == other.precision
        && one.kernel == other.kernel
        && drafts(one) == drafts(other)
}

/// Returns `to` with its measurements if `from` is the same deployment; otherwise returns `to` without measurements.
#[must_use]
pub fn facts_kept(from: &Inputs, to: &Inputs) -> Inputs {
    let same = to.measured.is_empty() || carry(from, to) == Carry::Whole;
    match same {
        true => *to,
        false => to.unmeasured(),
    }
}

/// Applies to each of two scenarios the correction from its measurements. A scenario without measurements takes the
/// other scenario's correction, as far as [`carry`] allows.
#[must_use]
pub fn anchored_pair(current: &Inputs, pinned: Option<&Inputs>) -> (Inputs, Option<Inputs>) {
    let current = anchored(current);
    let Some(pinned) = pinned.map(anchored) else {
        return (current, None);
    };
    (taking(current, &pinned), Some(taking(pinned, &current)))
}

/// Returns `inputs` with the correction of `from`, as far as [`carry`] allows. Returns `inputs` unchanged if it has
/// measurements or anchoring is off.
fn taking(inputs: Inputs, from: &Inputs) -> Inputs {
    let open = inputs.measured.is_empty() && inputs.anchor == Anchoring::On;
    let Some(other) = from
        .anchored()
        .filter(|_| open && !from.measured.is_empty())
    else {
        return inputs;
    };
    match carry(from, &inputs) {
        Carry::Whole => inputs.with_anchored(Some(*other)),
        Carry::Half => inputs.with_anchored(Some(other.with(Strength::Half))),
        Carry::None(_) => inputs,
    }
}
