//! A plan's factors in words.

use model_core::arch::Arch;
use model_core::plan::{Overlap, PlanSpec};
use model_core::sweep::Strategy;

/// "DP 72 · EP 72", every factor above one.
pub fn words(spec: &PlanSpec, arch: &Arch) -> String {
    let own = arch.is_moe() || spec.ffn_tp != spec.tp;
    above_one(spec, if own { spec.ffn_tp } else { 1 })
}

/// [`words`] for a narrow column, without the FFN's own tensor parallelism.
pub fn brief(spec: &PlanSpec) -> String {
    above_one(spec, 1)
}

fn above_one(spec: &PlanSpec, ffn_tp: u32) -> String {
    let factors = [
        ("DP", spec.dp),
        ("TP", spec.tp),
        ("KVP", spec.kvp),
        ("EP", spec.ep),
        ("FFN TP", ffn_tp),
        ("PP", spec.pp),
    ];
    let above_one = factors.into_iter().filter(|(_, factor)| *factor > 1);
    let words: Vec<String> = above_one
        .map(|(name, factor)| format!("{name} {}", crate::words::format::count(f64::from(factor))))
        .collect();
    if words.is_empty() {
        "one GPU".into()
    } else {
        words.join(" · ")
    }
}

/// Overlap as a suffix to a plan; empty without any.
pub const fn schedule(overlap: Overlap) -> &'static str {
    match overlap {
        Overlap::Sequential => "",
        Overlap::TwoBatch => "two-batch overlap",
        Overlap::HopB => "HOP-B",
    }
}

/// Overlap as a column's text.
pub const fn overlap(overlap: Overlap) -> &'static str {
    match overlap {
        Overlap::Sequential => "no overlap",
        Overlap::TwoBatch => "two-batch",
        Overlap::HopB => "HOP-B",
    }
}

/// Overlap within a sentence.
pub const fn with(overlap: Overlap) -> &'static str {
    match overlap {
        Overlap::Sequential => "without overlap",
        Overlap::TwoBatch => "with two-batch overlap",
        Overlap::HopB => "with HOP-B",
    }
}

/// Name of a parallelism strategy.
pub const fn strategy(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Tensor => "TP",
        Strategy::TensorPipeline => "TP × PP",
        Strategy::DataExpert => "DP + EP",
        Strategy::Medha => "Medha",
        Strategy::Helix => "Helix",
        Strategy::HelixHopB => "Helix + HOP-B",
    }
}

/// Explanation of a parallelism strategy.
pub const fn explained(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Tensor => "heads and matrices sharded over all GPUs",
        Strategy::TensorPipeline => "TP within pipeline stages",
        Strategy::DataExpert => "DP attention, experts sharded over all GPUs",
        Strategy::Medha => "KV context sharded over all GPUs, FFN over some (dense models)",
        Strategy::Helix => "context and heads sharded for attention, FFN on all GPUs",
        Strategy::HelixHopB => "Helix with the exchange overlapped by attention",
    }
}
