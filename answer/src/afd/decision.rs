//! Labels for the compared plans; the comparison itself is computed in `model_core::afd::decision`.

use crate::sharding;
use crate::words::format;
use model_core::afd::own::{AfdUnit, How, Way};
use model_core::inputs::Inputs;
use model_core::plan::{Overlap, PlanSpec};

pub use model_core::afd::decision::{Decision, ratio_of};

/// Formats an A:F split in GPUs, attention first: "32 : 40".
pub fn name(parts: &AfdUnit) -> String {
    let [attention, ffn] = [parts.attention, parts.ffn].map(|gpus| format::count(f64::from(gpus)));
    format!("{attention} : {ffn}")
}

/// Formats an xAyF unit: "32A1F" has 32 attention ranks and one FFN rank.
pub fn unit(parts: &AfdUnit) -> String {
    format!("{}A1F", parts.instances)
}

/// Returns the overlap schedule of a plan, to append to the plan's name.
pub const fn schedule(way: &Way) -> &'static str {
    match way.how {
        How::Colocated(spec) => match spec.overlap {
            Overlap::TwoBatch => "two-batch",
            Overlap::HopB => "HOP-B",
            Overlap::Sequential => "no overlap",
        },
        How::Afd(_) => "no overlap",
    }
}

/// True if two plans differ at most in their schedules.
pub fn alike(one: &PlanSpec, other: &PlanSpec) -> bool {
    *one == PlanSpec {
        overlap: one.overlap,
        ..*other
    }
}

/// Lists the distinct shardings of these plans: "DP 72 · EP 72 or TP 8 · PP 9".
pub fn plans(ways: &[Way]) -> String {
    let mut plans: Vec<String> = Vec::new();
    let mut before = None;
    for way in ways {
        let How::Colocated(spec) = way.how else {
            continue;
        };
        if before
            .replace(spec)
            .is_some_and(|before| alike(&before, &spec))
        {
            continue;
        }
        let plan = sharding::brief(&spec);
        if !plans.contains(&plan) {
            plans.push(plan);
        }
    }
    plans.join(" or ")
}

/// Describes how a colocated plan differs from the scenario: "DP 36 · TP 2 · EP 72, batch 1,414". `None` if they are
/// equal, the plan is not colocated, or the scenario is invalid.
pub fn change(inputs: &Inputs, way: &Way) -> Option<String> {
    let now = inputs.scenario().ok()?;
    let How::Colocated(spec) = way.how else {
        return None;
    };
    let other = spec != *now.plan.spec();
    let plan = other.then(|| sharding::brief(&spec));
    let filled = way.batch.to_bits() != now.workload.batch.to_bits();
    let batch = filled.then(|| format!("batch {}", format::count(way.batch)));
    let said: Vec<String> = plan.into_iter().chain(batch).collect();
    (!said.is_empty()).then(|| said.join(", "))
}
