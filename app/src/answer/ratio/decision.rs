//! Names of what is compared: the comparison itself is the model's.

use crate::answer::advice::beyond_measured;
use crate::answer::sharding;
use crate::format;
use model_core::disagg::own::{How, Parts, Way};

pub use model_core::disagg::own::Standing;
use model_core::plan::{Overlap, PlanSpec};
use model_core::scenario::Inputs;

pub use model_core::disagg::decision::{
    Decision, SAME, Winner, divided, parts, ratio_of, ratios, winner,
};

/// What is said where the scenario's engine reads prompts: neither side that is compared does.
pub const DECODE_ALONE: &str = " Both decode alone here: other GPUs read the prompts.";

/// What apart serves over together once it is simulated, where waits take what it is ahead.
pub fn turned(decision: &Decision, simulated: Option<f64>) -> Option<f64> {
    let ahead = decision.winner() == Some(Winner::Apart);
    simulated.filter(|factor| ahead && *factor < 1.0)
}

/// "32 : 40", attention to feed-forward; "A" stands for what is pinned.
pub fn name(parts: &Parts) -> String {
    format!("{} : {}", parts.attention, parts.ffn)
}

/// A schedule together, after its name.
pub const fn schedule(way: &Way) -> &'static str {
    match way.how {
        How::Together(spec) => match spec.overlap {
            Overlap::TwoBatch => "two-batch",
            Overlap::HopB => "HOP-B",
            Overlap::Sequential => "no overlap",
        },
        How::Apart(_) => "no overlap",
    }
}

/// The sharding of a way together: "DP 72 · EP 72".
pub fn sharded(way: &Way) -> String {
    match way.how {
        How::Together(spec) => sharding::brief(&spec),
        How::Apart(_) => String::new(),
    }
}

/// Whether two plans shard alike, whatever their schedules.
pub fn alike(one: &PlanSpec, other: &PlanSpec) -> bool {
    *one == PlanSpec {
        overlap: one.overlap,
        ..*other
    }
}

/// The shardings together that serve most at one speed or another: "DP 72 · EP 72 or TP 8 · PP 9".
pub fn plans(ways: &[Way]) -> String {
    let mut plans: Vec<String> = Vec::new();
    for plan in ways.iter().map(sharded) {
        if !plans.contains(&plan) {
            plans.push(plan);
        }
    }
    plans.join(" or ")
}

/// What a way together changes of what there is now: "as TP 8 without overlap at batch 26,284"; `None` where it is just
/// that. Of a kind that was not measured, with what one that was serves, where `measured` says so.
pub fn change(inputs: &Inputs, way: &Way, measured: Option<&str>) -> Option<String> {
    let now = inputs.scenario().ok()?;
    let How::Together(spec) = way.how else {
        return None;
    };
    let own = now.plan.spec();
    let beyond = match beyond_measured(&now.calibration, &spec) {
        true => match measured {
            Some(measured) => format!(" (not measured; of those measured {measured})"),
            None => " (not measured)".to_owned(),
        },
        false => String::new(),
    };
    let plan = (!alike(&spec, own)).then(|| format!("as {}{beyond}", sharding::brief(&spec)));
    let scheduled = spec.overlap != own.overlap;
    let schedule = scheduled.then(|| sharding::with(spec.overlap).to_owned());
    let filled = way.batch.to_bits() != now.workload.batch.to_bits();
    let batch = filled.then(|| format!("at batch {}", format::count(way.batch)));
    let said: Vec<String> = plan.into_iter().chain(schedule).chain(batch).collect();
    (!said.is_empty()).then(|| said.join(" "))
}
