//! Reasons why a scenario is impossible, with their values.

use std::fmt;

use crate::number::Number;
use crate::precision::Format;

/// A half of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Half {
    /// Attention and the head.
    Attention,
    /// Feed-forward.
    Ffn,
}

/// A broken rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(
    missing_docs,
    reason = "fields are the numbers of the rule, named as in links"
)]
pub enum Refusal {
    /// dp·tp·kvp·pp is not the number of GPUs.
    AttentionProduct {
        dp: u32,
        tp: u32,
        kvp: u32,
        pp: u32,
        gpus: u32,
    },
    /// ffn_tp·ep·pp is not the number of GPUs.
    FfnProduct {
        ffn_tp: u32,
        ep: u32,
        pp: u32,
        gpus: u32,
    },
    /// More pipeline stages than layers.
    Stages { pp: u32, layers: u32 },
    /// tp does not divide the query heads.
    Heads { tp: u32, heads: u32 },
    /// tp does not divide heads of a mixer.
    MixerHeads {
        tp: u32,
        heads: u32,
        field: &'static str,
        mixer: &'static str,
    },
    /// tp·kvp does not divide the output groups of compressed layers.
    OutputGroups { group: u64, out_groups: u32 },
    /// Latent attention with an index, keys and values as written.
    PlainWithIndex,
    /// More expert groups than experts.
    ExpertGroups { ep: u32, placed: u32 },
    /// Expert parallelism in a dense model.
    NoExperts { ep: u32 },
    /// A dense feed-forward does not shard evenly within an attention group.
    FfnGroup { ffn_tp: u32, tp: u32, kvp: u32 },
    /// The accelerator cannot compute in the format.
    NoPeak {
        half: Half,
        format: Format,
        gpu: &'static str,
    },
    /// Aggregated prefill without prompt or output length.
    Lengths { number: Number },
    /// A request without prompt or output.
    RequestLength { number: Number },
    /// Aggregated prefill under a plan whose prefill is not modelled.
    AggregatedPlan { number: Number, ways: u32 },
    /// A simulation of minutes.
    LongSimulation { instances: u32, requests: u32 },
    /// A simulation whose first requests take minutes to end.
    EndlessSimulation { instances: u32, steps: u64 },
    /// A simulation whose requests in flight need too much memory.
    LargeSimulation { instances: u32, slots: u32 },
    /// A result too large or too small to be a number.
    NotFinite,
}

impl Refusal {
    /// The rule as an equation in words, and its values here.
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
                "a pipeline stage needs at least one layer".into(),
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
                "tp × kvp must divide the output groups of compressed layers".into(),
                format!("{group} does not divide {out_groups}"),
            ),
            Self::PlainWithIndex => (
                "latent attention with an index has no form as written".into(),
                "mla=absorbed is the form that selects tokens".into(),
            ),
            Self::ExpertGroups { ep, placed } => (
                "each expert-parallel rank needs an expert".into(),
                format!("{ep} ranks, {placed} experts with shared and redundant ones"),
            ),
            Self::NoExperts { ep } => (
                "a dense model has no experts to spread".into(),
                format!("ep is {ep}, it must be 1"),
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
                (
                    format!("{part} computes in {format}"),
                    format!("{gpu} has no {format} peak; choose another format or accelerator"),
                )
            }
            Self::Lengths { number } => {
                let what = match number {
                    Number::MeanPrompt => "prompts",
                    _ => "answers of at least one token",
                };
                (
                    "aggregated prefill needs the lengths of requests".into(),
                    format!("state {}, the mean tokens of {what}", number.spec().key),
                )
            }
            Self::RequestLength { number } => (
                "a request has at least a token of prompt and of output".into(),
                format!("{} is less", number.spec().key),
            ),
            Self::AggregatedPlan { number, ways } => (
                "aggregated prefill is modelled without pp and kvp".into(),
                format!("{} is {ways}, it must be 1", number.spec().key),
            ),
            Self::LongSimulation {
                instances,
                requests,
            } => (
                "a simulation must end within seconds".into(),
                format!(
                    "{requests} requests on each of {instances} attention ranks take longer; ask for fewer"
                ),
            ),
            Self::EndlessSimulation { instances, steps } => (
                "a simulation must end within seconds".into(),
                format!(
                    "no request ends before {steps} steps of {instances} attention ranks; ask for shorter outputs or a lower ratio"
                ),
            ),
            Self::LargeSimulation { instances, slots } => (
                "a simulation keeps every request in flight in memory".into(),
                format!(
                    "two micro-batches of {slots} sequences on {instances} attention ranks are too many; ask for a lower ratio or fewer sequences"
                ),
            ),
            Self::NotFinite => (
                "a result is too large or too small to be a number".into(),
                "bring the extreme inputs nearer to ordinary ones".into(),
            ),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rule, facts) = self.rule();
        write!(out, "{rule}: {facts}")
    }
}
