//! Reasons why a scenario is invalid, with the values that break each rule.

use std::fmt;

use crate::hardware::CUSTOM;
use crate::number::Number;
use crate::precision::Format;

/// One half of a transformer layer: attention or the FFN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Half {
    /// Attention; the output head counts as part of it.
    Attention,
    /// The FFN half of a layer.
    Ffn,
}

/// A rule that a scenario breaks, so that the scenario is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(
    missing_docs,
    reason = "each field is a number in the rule, named as in permalinks"
)]
pub enum Refusal {
    /// dp·tp·kvp·pp does not equal the GPU count.
    AttentionProduct {
        dp: u32,
        tp: u32,
        kvp: u32,
        pp: u32,
        gpus: u32,
    },
    /// ffn_tp·ep·pp does not equal the GPU count.
    FfnProduct {
        ffn_tp: u32,
        ep: u32,
        pp: u32,
        gpus: u32,
    },
    /// There are more pipeline stages than layers.
    Stages { pp: u32, layers: u32 },
    /// tp does not divide the query heads.
    Heads { tp: u32, heads: u32 },
    /// tp does not divide a head count of one attention or linear-attention variant (mixer).
    MixerHeads {
        tp: u32,
        heads: u32,
        field: &'static str,
        mixer: &'static str,
    },
    /// tp·kvp does not divide the output groups of compressed-attention layers.
    OutputGroups { group: u64, out_groups: u32 },
    /// MLA with a sparse-attention indexer is set to decompress keys and values, which is not supported.
    PlainWithIndex,
    /// There are more expert groups than experts, including shared and redundant experts on the EP grid.
    ExpertGroups { ep: u32, placed: u32 },
    /// Expert parallelism is set for a dense model.
    NoExperts { ep: u32 },
    /// ffn_tp does not divide the size of the attention group, so a dense FFN cannot be sharded evenly within the
    /// group.
    FfnGroup { ffn_tp: u32, tp: u32, kvp: u32 },
    /// The accelerator has no peak FLOP/s for the required compute format.
    NoPeak {
        half: Half,
        format: Format,
        gpu: &'static str,
    },
    /// Aggregated prefill is set, but the prompt length or the output length is missing.
    Lengths { number: Number },
    /// A request has fewer than one prompt token or fewer than one output token.
    RequestLength { number: Number },
    /// Aggregated prefill is set with pipeline or KV parallelism, for which prefill is not modeled.
    AggregatedPlan { number: Number, ways: u32 },
    /// The simulation would run for minutes: too many requests.
    LongSimulation { instances: u32, requests: u32 },
    /// The simulation would run for minutes before its first requests finish.
    EndlessSimulation { instances: u32, steps: u64 },
    /// The requests in flight of this simulation would need too much memory.
    LargeSimulation { instances: u32, slots: u32 },
    /// The acceptance length exceeds the number of draft tokens plus one.
    AcceptLength { mtp: u32, needs: u32 },
    /// A result is too large or too small to be a finite number.
    NotFinite,
}

impl Refusal {
    /// Returns the broken rule, as an equation or in words, and the values that break it.
    pub fn rule(&self) -> (String, String) {
        match *self {
            Self::AttentionProduct {
                dp,
                tp,
                kvp,
                pp,
                gpus,
            } => ("dp × tp × kvp × pp must equal gpus".into(), {
                let product = u64::from(dp) * u64::from(tp) * u64::from(kvp) * u64::from(pp);
                format!("{dp} × {tp} × {kvp} × {pp} = {product}, not {gpus}")
            }),
            Self::FfnProduct {
                ffn_tp,
                ep,
                pp,
                gpus,
            } => ("ep × ffn_tp × pp must equal gpus".into(), {
                let product = u64::from(ep) * u64::from(ffn_tp) * u64::from(pp);
                format!("{ep} × {ffn_tp} × {pp} = {product}, not {gpus}")
            }),
            Self::Stages { pp, layers } => (
                "each pipeline stage needs at least one layer".into(),
                format!("{pp} stages, {layers} layers"),
            ),
            Self::Heads { tp, heads } => (
                "tp must divide the query heads".into(),
                format!("{tp} does not divide {heads}"),
            ),
            Self::MixerHeads {
                tp,
                heads,
                field,
                mixer,
            } => (
                format!("tp must divide the {field} of {mixer} layers"),
                format!("{tp} does not divide {heads}"),
            ),
            Self::OutputGroups { group, out_groups } => (
                "tp × kvp must divide the output groups of compressed-attention layers".into(),
                format!("{group} does not divide {out_groups}"),
            ),
            Self::PlainWithIndex => (
                "MLA with an indexer requires mla=absorbed".into(),
                "set mla=absorbed".into(),
            ),
            Self::ExpertGroups { ep, placed } => (
                "each EP rank needs at least one expert".into(),
                format!("{ep} EP ranks, {placed} experts incl. shared and redundant"),
            ),
            Self::NoExperts { ep } => (
                "a dense model has no experts, so ep must be 1".into(),
                format!("ep is {ep}"),
            ),
            Self::FfnGroup { ffn_tp, tp, kvp } => (
                "ffn_tp must divide the attention group tp × kvp".into(),
                format!("{ffn_tp} does not divide {tp} × {kvp}"),
            ),
            Self::NoPeak { half, format, gpu } => {
                let part = match half {
                    Half::Attention => "attention",
                    Half::Ffn => "the FFN",
                };
                let format = format.id().to_ascii_uppercase();
                if gpu == CUSTOM {
                    return (
                        format!("this accelerator has no {format} peak yet"),
                        format!("{part} computes in {format}; enter the GPU’s {format} peak"),
                    );
                }
                (
                    format!("{part} needs {format} compute"),
                    format!("{gpu} does not support {format}; choose another format or GPU"),
                )
            }
            Self::Lengths { number } => {
                let what = match number {
                    Number::MeanPrompt => "prompts",
                    _ => "output",
                };
                (
                    "aggregated prefill needs request lengths".into(),
                    format!(
                        "set {}, the mean number of {what} tokens",
                        number.spec().key
                    ),
                )
            }
            Self::RequestLength { number } => (
                "a request needs at least one prompt token and one output token".into(),
                format!("{} is below 1", number.spec().key),
            ),
            Self::AggregatedPlan { number, ways } => (
                "aggregated prefill is not modeled with pp or kvp".into(),
                format!("{} is {ways}; it must be 1", number.spec().key),
            ),
            Self::LongSimulation {
                instances,
                requests,
            } => (
                "simulation too long".into(),
                format!(
                    "{requests} requests on each of {instances} attention ranks; use fewer requests"
                ),
            ),
            Self::EndlessSimulation { instances, steps } => (
                "simulation too long".into(),
                format!(
                    "the first request ends after {steps} steps on {instances} attention ranks; use shorter outputs or a lower ratio"
                ),
            ),
            Self::LargeSimulation { instances, slots } => (
                "simulation too large".into(),
                format!(
                    "two micro-batches of {slots} sequences on {instances} attention ranks; use a lower ratio or fewer sequences"
                ),
            ),
            Self::AcceptLength { mtp, needs } => (
                "accept_len must be at most 1 + mtp".into(),
                format!("mtp is {mtp}; mtp={needs} is enough"),
            ),
            Self::NotFinite => ("numeric overflow".into(), "use less extreme inputs".into()),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rule, facts) = self.rule();
        write!(out, "{rule}: {facts}")
    }
}
