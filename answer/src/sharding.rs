//! Formats plans and parallelism strategies as text.

use model_core::arch::Arch;
use model_core::plan::{Overlap, PlanSpec};
use model_core::sweep::Strategy;

/// Returns a plan's parallelism factors, except those that are 1: "DP 72 · EP 72"; "one GPU" if all are 1. FFN TP is
/// left out for a dense model if it equals TP.
pub fn words(spec: &PlanSpec, arch: &Arch) -> String {
    let own = arch.is_moe() || spec.ffn_tp != spec.tp;
    above_one(spec, if own { spec.ffn_tp } else { 1 })
}

/// Like [`words`], but for a narrow column: the TP factor of the FFN is left out.
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

/// Returns the name of an overlap schedule, to be appended to a plan's text; empty without overlap.
pub const fn schedule(overlap: Overlap) -> &'static str {
    match overlap {
        Overlap::Sequential => "",
        Overlap::TwoBatch => "two-batch overlap",
        Overlap::HopB => "HOP-B",
    }
}

/// Returns the name of an overlap schedule for a table column.
pub const fn overlap(overlap: Overlap) -> &'static str {
    match overlap {
        Overlap::Sequential => "no overlap",
        Overlap::TwoBatch => "two-batch",
        Overlap::HopB => "HOP-B",
    }
}

/// Returns the name of an overlap schedule as a phrase in a sentence: "with two-batch overlap".
pub const fn with(overlap: Overlap) -> &'static str {
    match overlap {
        Overlap::Sequential => "without overlap",
        Overlap::TwoBatch => "with two-batch overlap",
        Overlap::HopB => "with HOP-B",
    }
}

/// Returns the name of a parallelism strategy.
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

/// Returns a one-line explanation of a parallelism strategy.
pub const fn explained(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Tensor => "heads and matrices sharded over all GPUs",
        Strategy::TensorPipeline => "TP within pipeline stages",
        Strategy::DataExpert => "DP attention, experts sharded over all GPUs",
        Strategy::Medha => "KV context sharded over all GPUs, FFN over some (dense models)",
        Strategy::Helix => "attention sharded by context and heads, FFN over all GPUs",
        Strategy::HelixHopB => "Helix with communication overlapped by attention",
    }
}
