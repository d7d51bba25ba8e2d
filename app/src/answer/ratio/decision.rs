//! Names of what is compared: the comparison itself is the model's.

use crate::answer::sharding;
use crate::format;
use model_core::disagg::own::{How, Parts, Way};

pub use model_core::disagg::own::Standing;
use model_core::plan::Overlap;
use model_core::scenario::Inputs;

pub use model_core::disagg::decision::{
    Decision, SAME, Winner, divided, parts, ratio_of, ratios, winner,
};

/// "32 : 40", attention to feed-forward; "A" stands for what is pinned.
pub fn name(parts: &Parts) -> String {
    format!("{} : {}", parts.attention, parts.ffn)
}

/// A schedule together, after its name.
pub const fn schedule(way: &Way) -> &'static str {
    match way.how {
        How::Together(Overlap::TwoBatch) => "overlapped",
        How::Together(Overlap::HopB) => "HOP-B",
        How::Together(Overlap::Sequential) | How::Apart(_) => "one at a time",
    }
}

/// The sharding that together is compared in: "DP 72 · EP 72".
pub fn plan(inputs: &Inputs) -> String {
    let scenario = inputs.scenario().ok();
    scenario.map_or_else(String::new, |now| sharding::brief(now.plan.spec()))
}

/// What a way together changes of what there is now: "without overlap at batch 26,284"; `None` where it is just that.
pub fn change(inputs: &Inputs, way: &Way) -> Option<String> {
    let now = inputs.scenario().ok()?;
    let How::Together(overlap) = way.how else {
        return None;
    };
    let scheduled = overlap != now.plan.spec().overlap;
    let schedule = scheduled.then(|| sharding::with(overlap).to_owned());
    let filled = way.batch.to_bits() != now.workload.batch.to_bits();
    let batch = filled.then(|| format!("at batch {}", format::count(way.batch)));
    let said: Vec<String> = schedule.into_iter().chain(batch).collect();
    (!said.is_empty()).then(|| said.join(" "))
}
