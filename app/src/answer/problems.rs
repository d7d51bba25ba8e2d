//! Errors of invalid scenarios in words, with changes that repair them.

use model_core::inputs::remedy::remedies;
use model_core::inputs::{Inputs, Number};
use model_core::precision::NamedPrecision;
use model_core::refusal::{Half, Refusal};

/// A broken rule, its control, and changes that repair it.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// The link key of the control that caused it.
    pub key: &'static str,
    /// The rule with its facts.
    pub refusal: Refusal,
    /// The rule in words: "EP × FFN TP × PP must equal GPUs."
    pub rule: String,
    /// The numbers that break it: "64 × 1 × 1 = 64, not 72".
    pub facts: String,
    /// Single changes that make it valid, nearest first.
    pub remedies: Vec<(Number, Inputs)>,
    /// Precisions that make it valid, where a format is missing.
    pub precisions: Vec<NamedPrecision>,
}

/// Choices offered beside a control.
const OFFERED: usize = 4;

/// One problem per broken rule.
pub fn problems(inputs: &Inputs, refusals: &[Refusal]) -> Vec<Problem> {
    refusals
        .iter()
        .map(|refusal| {
            let (rule, facts) = words(refusal);
            Problem {
                key: refusal.key(inputs),
                refusal: *refusal,
                rule,
                facts,
                remedies: remedies(inputs, refusal, OFFERED),
                precisions: precisions(inputs, refusal),
            }
        })
        .collect()
}

/// Precisions whose formats the accelerator has.
fn precisions(inputs: &Inputs, refusal: &Refusal) -> Vec<NamedPrecision> {
    if !matches!(refusal, Refusal::NoPeak { .. }) {
        return Vec::new();
    }
    NamedPrecision::ALL
        .into_iter()
        .filter(|precision| inputs.with_precision(*precision).scenario().is_ok())
        .collect()
}

fn words(refusal: &Refusal) -> (String, String) {
    match *refusal {
        Refusal::AttentionProduct {
            dp,
            tp,
            kvp,
            pp,
            gpus,
        } => {
            let product = u64::from(dp) * u64::from(tp) * u64::from(kvp) * u64::from(pp);
            (
                "DP × TP × KVP × PP must equal GPUs.".into(),
                format!("{dp} × {tp} × {kvp} × {pp} = {product}, not {gpus}"),
            )
        }
        Refusal::FfnProduct {
            ffn_tp,
            ep,
            pp,
            gpus,
        } => {
            let product = u64::from(ep) * u64::from(ffn_tp) * u64::from(pp);
            (
                "EP × FFN TP × PP must equal GPUs.".into(),
                format!("{ep} × {ffn_tp} × {pp} = {product}, not {gpus}"),
            )
        }
        Refusal::Stages { pp, layers } => (
            "A pipeline stage needs at least one layer.".into(),
            format!("{pp} stages, {layers} layers"),
        ),
        Refusal::Heads { tp, heads } => (
            "TP must divide the query heads.".into(),
            format!("{tp} does not divide {heads}"),
        ),
        Refusal::MixerHeads {
            tp,
            heads,
            field,
            mixer,
        } => (
            format!(
                "TP must divide the {} of {} layers.",
                field.replace('_', " "),
                mixer.replace('_', " ")
            ),
            format!("{tp} does not divide {heads}"),
        ),
        Refusal::OutputGroups { group, out_groups } => (
            "TP × KVP must divide the output groups of compressed layers.".into(),
            format!("{group} does not divide {out_groups}"),
        ),
        Refusal::PlainWithIndex => (
            "Latent attention with an index has no form as written.".into(),
            "absorbed is the form that selects tokens".into(),
        ),
        Refusal::ExpertGroups { ep, placed } => (
            "Each EP rank needs an expert.".into(),
            format!("{ep} ranks, {placed} experts with shared and redundant ones"),
        ),
        Refusal::NoExperts { ep } => (
            "A dense model has no experts to spread.".into(),
            format!("EP is {ep}, it must be 1"),
        ),
        Refusal::FfnGroup { ffn_tp, tp, kvp } => (
            "FFN TP must divide the attention group, TP × KVP.".into(),
            format!("{ffn_tp} does not divide {tp} × {kvp}"),
        ),
        Refusal::NoPeak { half, format, gpu } => {
            let part = match half {
                Half::Attention => "Attention",
                Half::Ffn => "The FFN",
            };
            let format = format.id().to_ascii_uppercase();
            (
                format!("{part} computes in {format}."),
                format!("{gpu} has no {format} compute; choose another format or accelerator"),
            )
        }
        Refusal::Lengths { number } => {
            let missing = match number {
                Number::MeanPrompt => "the mean prompt length (ISL)",
                _ => "the mean output length (OSL), at least one",
            };
            (
                "Aggregated prefill needs the lengths of requests.".into(),
                format!("state {missing}"),
            )
        }
        Refusal::AggregatedPlan { number, ways } => {
            let what = match number {
                Number::Pp => "Pipeline PP",
                _ => "KVP",
            };
            (
                "Aggregated prefill is modelled without PP and KVP.".into(),
                format!("{what} is {ways}, it must be 1"),
            )
        }
        Refusal::LongSimulation {
            instances,
            requests,
        } => (
            "A simulation must end within seconds.".into(),
            format!(
                "{requests} requests on each of {instances} attention ranks take longer; ask for fewer"
            ),
        ),
        Refusal::EndlessSimulation { instances, steps } => (
            "A simulation must end within seconds.".into(),
            format!(
                "No request ends before {steps} steps of {instances} attention ranks; ask for shorter outputs or a lower ratio"
            ),
        ),
        Refusal::LargeSimulation { instances, slots } => (
            "A simulation keeps every request in flight in memory.".into(),
            format!(
                "Two micro-batches of {slots} sequences on {instances} attention ranks are too many; ask for a lower ratio or fewer sequences"
            ),
        ),
        Refusal::NotFinite => (
            "A result is too large or too small to be a number.".into(),
            "Bring the extreme inputs nearer to ordinary ones.".into(),
        ),
    }
}
