//! Extrapolations: parts of a scenario that its calibration was not measured on.

use crate::arch::Mixer;
use crate::cost::collective::{Collective, Message};
use crate::evaluate::Evaluation;
use crate::hardware::NetworkLink;
use crate::hardware::{Coverage, Family};
use crate::plan::Overlap;
use crate::precision::Format;
use crate::scenario::Scenario;
use crate::workload::Serving;

/// A part of a scenario that no measurement behind its calibration covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extrapolation {
    /// The accelerator belongs to no measured family.
    Accelerator,
    /// The accelerator's family was measured, its compute was not.
    Compute,
    /// No kernel of that format was measured.
    Fp4,
    /// Attention's core was measured on latent attention.
    GroupedAttention,
    /// Blackwell's communication was measured within a domain.
    BlackwellAcross,
    /// Communication within a domain was measured over eight GPUs.
    WideDomain,
    /// Attention was measured up to 32,768 tokens.
    LongContext,
    /// Dispatch was measured with more tokens.
    FewTokens,
    /// Contention of communication with compute was measured on Hopper.
    Contention,
    /// Attention's core was measured on whole contexts.
    PartialAttention,
    /// Indexes, convolutions and recurrences stand on attention's share of the peak.
    OtherKernels,
    /// Maps between streams of the residual.
    Residual,
    /// Projections into and out of the width of experts.
    LatentExperts,
    /// Ranks of a divided context that agree on a selection.
    SelectionExchange,
    /// Layers with a mixer or a feed-forward alone.
    HalfLayers,
    /// States on every rank of a divided context.
    RepeatedStates,
    /// Every measured deployment runs all its layers on all its GPUs.
    Pipeline,
    /// Prompts: matrix products of thousands of rows reach 0.30 to 0.69 of the peak by their shape.
    Prefill,
    /// Single kernels of AMD were measured, as ranges.
    AmdRanges,
    /// FP4 experts were measured on Blackwell.
    Fp4OnHopper,
    /// No kernel was measured where compute is scarce beside bandwidth.
    LittleCompute,
    /// Grouped cores were measured with 4 to 16 query heads per cached head.
    QueryHeads,
    /// All-reduces were measured over up to eight GPUs.
    WideAllReduce,
    /// Fused experts were measured with balanced loads.
    FusedBalance,
    /// Prefill was measured for whole contexts and selected tokens.
    SparsePrefill,
    /// A drafter is taken as the model's last layer.
    Drafter,
}

impl Extrapolation {
    /// Every kind, in the order they are named.
    pub const ALL: [Self; 26] = [
        Self::Accelerator,
        Self::Compute,
        Self::Fp4,
        Self::GroupedAttention,
        Self::BlackwellAcross,
        Self::WideDomain,
        Self::LongContext,
        Self::FewTokens,
        Self::Contention,
        Self::PartialAttention,
        Self::OtherKernels,
        Self::Residual,
        Self::LatentExperts,
        Self::SelectionExchange,
        Self::HalfLayers,
        Self::RepeatedStates,
        Self::Pipeline,
        Self::Prefill,
        Self::AmdRanges,
        Self::Fp4OnHopper,
        Self::LittleCompute,
        Self::QueryHeads,
        Self::WideAllReduce,
        Self::FusedBalance,
        Self::SparsePrefill,
        Self::Drafter,
    ];

    /// Short name of the part.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accelerator => "accelerator",
            Self::Compute => "arithmetic",
            Self::Fp4 => "FP4",
            Self::GroupedAttention => "grouped attention",
            Self::BlackwellAcross => "Blackwell across domains",
            Self::WideDomain => "wide domain",
            Self::LongContext => "long context",
            Self::FewTokens => "few tokens",
            Self::Contention => "overlap",
            Self::PartialAttention => "partial attention",
            Self::OtherKernels => "index or recurrence",
            Self::Residual => "residual streams",
            Self::LatentExperts => "latent experts",
            Self::SelectionExchange => "exchanged selections",
            Self::HalfLayers => "half layers",
            Self::RepeatedStates => "repeated states",
            Self::Pipeline => "pipeline",
            Self::Prefill => "prefill",
            Self::AmdRanges => "AMD kernels",
            Self::Fp4OnHopper => "FP4 on Hopper",
            Self::LittleCompute => "little compute",
            Self::QueryHeads => "heads per cached head",
            Self::WideAllReduce => "wide all-reduce",
            Self::FusedBalance => "imbalance in fused experts",
            Self::SparsePrefill => "sparse prefill",
            Self::Drafter => "drafter",
        }
    }

    /// The part, and the measurement that stands in.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Accelerator => "kernels of this accelerator: another family's stand in",
            Self::Compute => {
                "arithmetic of this accelerator: its family's share of the peak stands in"
            }
            Self::Fp4 => "FP4 arithmetic: FP8's share of the peak stands in",
            Self::GroupedAttention => {
                "grouped attention: the core was measured on latent attention"
            }
            Self::BlackwellAcross => "Blackwell across domains: Hopper's network stands in",
            Self::WideDomain => "messages among more than 8 GPUs of one domain",
            Self::LongContext => "contexts beyond 32k tokens",
            Self::FewTokens => "dispatch of fewer than 16 tokens per GPU",
            Self::Contention => "messages beside compute on anything but Hopper",
            Self::PartialAttention => {
                "attention to windows, chunks, selections or compressed entries: the core was measured on whole contexts"
            }
            Self::OtherKernels => {
                "indexes, convolutions and recurrences: starts and shares of other kernels stand in"
            }
            Self::Residual => "maps between streams of the residual",
            Self::LatentExperts => "projections into and out of the width of experts",
            Self::SelectionExchange => "selections that ranks of a divided context agree on",
            Self::HalfLayers => "per-layer overhead of layers with a mixer or a feed-forward alone",
            Self::RepeatedStates => {
                "states kept on every rank of a divided context: no engine does it"
            }
            Self::Pipeline => "pipeline stages: always full here, and none was measured",
            Self::Prefill => {
                "prefill: matrix products reach 0.30 to 0.69 of the peak by their shape"
            }
            Self::AmdRanges => {
                "kernels of AMD: single ones, as ranges; Hopper's stand in for the rest"
            }
            Self::Fp4OnHopper => "FP4 on anything but Blackwell: Blackwell's experts stand in",
            Self::LittleCompute => {
                "little compute beside bandwidth: shares of the peak are the higher of two calibrations'"
            }
            Self::QueryHeads => "fewer than 4 or more than 16 query heads per cached head",
            Self::WideAllReduce => "all-reduce among more than 8 GPUs",
            Self::FusedBalance => "unequal loads of experts inside one fused kernel",
            Self::SparsePrefill => {
                "prefill of attention to selected blocks or compressed entries: tables are of selected tokens"
            }
            Self::Drafter => "the drafter: computed as the model's last layer with a head",
        }
    }

    /// True for what only tables by operator leave open, false for what they measure and tables by class do not.
    const fn is_by_operator(self) -> Option<bool> {
        match self {
            Self::AmdRanges
            | Self::Fp4OnHopper
            | Self::LittleCompute
            | Self::QueryHeads
            | Self::WideAllReduce
            | Self::FusedBalance
            | Self::SparsePrefill
            | Self::Drafter => Some(true),
            Self::Compute
            | Self::Fp4
            | Self::GroupedAttention
            | Self::WideDomain
            | Self::PartialAttention
            | Self::OtherKernels
            | Self::Residual
            | Self::Prefill => Some(false),
            _ => None,
        }
    }

    /// Tests whether it applies to an evaluation; false for a calibration that claims no measurements.
    pub fn holds(self, scenario: &Scenario, evaluation: &Evaluation) -> bool {
        let Scenario {
            arch,
            cluster,
            plan,
            precision,
            workload,
            calibration,
            ..
        } = scenario;
        let Some(family) = calibration.coverage.family() else {
            return false;
        };
        let by_operator = calibration.operators.is_some();
        if self.is_by_operator().is_some_and(|own| own != by_operator) {
            return false;
        }
        let messages = &evaluation.messages(scenario);
        let blackwell = family == Family::Blackwell;
        match self {
            Self::Accelerator => matches!(calibration.coverage, Coverage::Borrowed(_)),
            Self::Compute => matches!(calibration.coverage, Coverage::MemoryOnly(_)),
            Self::Fp4 => [precision.attention_format, precision.ffn_format].contains(&Format::Fp4),
            Self::GroupedAttention => arch
                .mixers()
                .iter()
                .any(|part| matches!(part.shape, Mixer::Grouped(_))),
            Self::BlackwellAcross => blackwell && across(messages),
            Self::WideDomain => widest(scenario, messages).min(cluster.domain) > 8,
            Self::LongContext => workload.context > 32_768.0,
            Self::FewTokens => {
                let each = evaluation.load.tokens / f64::from(plan.stage_gpus());
                each < 16.0 && sends(messages, Collective::ExpertAllToAll)
            }
            Self::Contention => {
                let overlaps = plan.spec().overlap == Overlap::TwoBatch;
                let measured = calibration.coverage == Coverage::Measured(Family::Hopper);
                overlaps && !messages.is_empty() && !measured
            }
            Self::PartialAttention => arch
                .mixers()
                .iter()
                .any(|part| !part.shape.is_full() && !part.shape.is_recurrent()),
            Self::OtherKernels => arch.mixers().iter().any(|part| {
                let index = part.shape.index();
                part.shape.is_recurrent() || index.is_some_and(|index| !index.shared)
            }),
            Self::Residual => arch.residual_streams > 1,
            Self::LatentExperts => arch.moes().any(|part| part.shape.latent.is_some()),
            Self::SelectionExchange => sends(messages, Collective::SelectionExchange),
            Self::HalfLayers => arch
                .groups()
                .iter()
                .any(|group| group.mixer.is_none() || group.ffn.is_none()),
            Self::RepeatedStates => repeats_states(scenario),
            Self::Pipeline => plan.spec().pp > 1,
            Self::Prefill => matches!(workload.serving, Serving::Aggregated(_)),
            Self::AmdRanges => matches!(calibration.coverage, Coverage::Range(_)),
            Self::Fp4OnHopper => {
                !blackwell
                    && [precision.attention_format, precision.ffn_format].contains(&Format::Fp4)
            }
            Self::LittleCompute => calibration
                .operators
                .is_some_and(|terms| terms.little_compute),
            Self::QueryHeads => arch.mixers().iter().any(|part| match part.shape {
                Mixer::Grouped(shape) => {
                    let tp = plan.spec().tp;
                    let queries = f64::from(shape.heads) / f64::from(tp);
                    let ratio = queries / f64::from(shape.kv_heads.div_ceil(tp));
                    !(4.0..=16.0).contains(&ratio)
                }
                _ => false,
            }),
            Self::WideAllReduce => widest_all_reduce(scenario, messages) > 8,
            Self::FusedBalance => arch.is_moe() && plan.tokens_replicated() && plan.beta() < 1.0,
            Self::SparsePrefill => {
                let hard = |part: &crate::arch::Layered<Mixer>| {
                    let blocks = part.shape.index().is_some_and(|index| index.block > 1);
                    blocks || matches!(part.shape, Mixer::Compressed(_))
                };
                matches!(workload.serving, Serving::Aggregated(_)) && arch.mixers().iter().any(hard)
            }
            Self::Drafter => workload.speculation.depth > 0,
        }
    }
}

/// All extrapolations that apply to an evaluation.
pub fn extrapolations<'a>(
    scenario: &'a Scenario,
    evaluation: &'a Evaluation,
) -> impl Iterator<Item = Extrapolation> + 'a {
    Extrapolation::ALL
        .into_iter()
        .filter(|extrapolation| extrapolation.holds(scenario, evaluation))
}

/// Tests whether a recurrent mixer repeats its work on every rank of a split context.
pub fn repeats_states(scenario: &Scenario) -> bool {
    let mut mixers = scenario.arch.mixers().iter();
    scenario.plan.spec().kvp > 1 && mixers.any(|part| part.shape.is_recurrent())
}

fn across(messages: &[Message]) -> bool {
    let mut sent = messages.iter();
    sent.any(|message| message.link == NetworkLink::ScaleOut)
}

fn sends(messages: &[Message], wanted: Collective) -> bool {
    let mut sent = messages.iter();
    sent.any(|message| message.collective == wanted)
}

/// GPUs of the largest group that sums partial results within one domain.
fn widest_all_reduce(scenario: &Scenario, messages: &[Message]) -> u32 {
    let reduces = |message: &&Message| {
        matches!(
            message.collective,
            Collective::ExpertAllReduce
                | Collective::AttentionAllReduce
                | Collective::DenseAllReduce
        ) && message.link == NetworkLink::ScaleUp
    };
    let reducing: Vec<Message> = messages.iter().filter(reduces).copied().collect();
    widest(scenario, &reducing)
}

/// GPUs of the largest group that communicates within one domain; a group over several domains counts its part in
/// one.
fn widest(scenario: &Scenario, messages: &[Message]) -> u32 {
    let plan = &scenario.plan;
    let spec = plan.spec();
    let members = |collective| match collective {
        Collective::ExpertAllToAll => plan.stage_gpus(),
        Collective::ExpertAllReduce => spec.ffn_tp,
        Collective::ExpertAllGather => spec.ffn_tp * spec.ep,
        Collective::HelixExchange
        | Collective::SelectionExchange
        | Collective::AttentionAllReduce => plan.group(),
        Collective::DenseAllReduce => plan.group().max(spec.ffn_tp),
    };
    let inside = |members: u32, collective| {
        let whole = collective == Collective::ExpertAllToAll || members <= scenario.cluster.domain;
        if whole { members } else { 1 }
    };
    messages
        .iter()
        .map(|message| inside(members(message.collective), message.collective))
        .max()
        .unwrap_or(1)
}
