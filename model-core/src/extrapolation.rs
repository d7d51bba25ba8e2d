//! Extrapolations: parts of a scenario that are not covered by the measurements behind its calibration.

use crate::arch::Mixer;
use crate::cost::collective::{Collective, Message};
use crate::evaluate::Evaluation;
use crate::hardware::NetworkLink;
use crate::hardware::{Coverage, Family};
use crate::plan::Overlap;
use crate::precision::Format;
use crate::scenario::Scenario;
use crate::units::{BytesPerSecond, Seconds};
use crate::workload::Serving;

/// Bandwidth of a card's fastest PCIe link (version 5 with 16 lanes), in one direction.
const PCIE: BytesPerSecond = BytesPerSecond::new(64e9);

/// A part of a scenario that no measurement behind its calibration covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extrapolation {
    /// Accelerator: its family was not measured.
    Accelerator,
    /// Compute: memory and communication were measured on this accelerator's family; compute was not.
    Compute,
    /// FP4 compute: the cost tables per kernel class contain no FP4 kernel, so FP8's compute efficiency is used.
    Fp4,
    /// GQA attention: the cost tables per kernel class contain only the MLA attention kernel.
    GroupedAttention,
    /// Blackwell scale-out: on Blackwell, communication was measured only within a scale-up domain.
    BlackwellAcross,
    /// Wide domain: within a scale-up domain, communication was measured only over eight GPUs.
    WideDomain,
    /// Long context: attention was measured only up to 32,768 tokens.
    LongContext,
    /// Small dispatch: the all-to-all was measured only with at least 16 tokens per GPU.
    FewTokens,
    /// Overlap: the slowdown of communication that overlaps with compute was measured only on Hopper.
    Contention,
    /// Sparse attention: the attention kernel was measured only when it reads the whole context.
    PartialAttention,
    /// Indexers, convolutions and recurrences: their kernels were not measured; the efficiencies of other kernels are
    /// used.
    OtherKernels,
    /// Mappings between residual streams (hyper-connections): not measured.
    Residual,
    /// Projections into and out of the experts' latent width: not measured.
    LatentExperts,
    /// Top-k exchange between ranks of a KVP-sharded context: not measured.
    SelectionExchange,
    /// Layers with only a mixer or only an FFN: their per-layer overhead was not measured.
    HalfLayers,
    /// Recurrent states replicated on every rank of a KVP-sharded context: no engine does this.
    RepeatedStates,
    /// Pipeline parallelism: in every measured deployment, all GPUs run all layers.
    Pipeline,
    /// Prefill: GEMMs of thousands of rows reach 0.30 to 0.69 of peak FLOP/s, depending on their shape.
    Prefill,
    /// AMD kernels: only a few kernels were measured, each as a range; all other kernels use Hopper's values.
    AmdRanges,
    /// FP4 on Hopper: FP4 experts were measured only on Blackwell.
    Fp4OnHopper,
    /// Low compute-to-bandwidth ratio: no accelerator with a low ratio was measured.
    LittleCompute,
    /// Query heads per KV head on each GPU: GQA kernels were measured only with 4 to 16.
    QueryHeads,
    /// Wide all-reduce: all-reduces were measured only over up to eight GPUs.
    WideAllReduce,
    /// Imbalance in fused experts: the fused MoE kernel was measured only with balanced loads.
    FusedBalance,
    /// Block-sparse or compressed prefill: prefill was measured only for whole contexts and for individually selected
    /// tokens.
    SparsePrefill,
    /// MTP drafter: modeled as the LLM's last layer plus the output head.
    Drafter,
    /// Engine overhead: measured on only one accelerator, with one engine.
    EngineOverhead,
    /// Engine overhead under TP: measured on one GPU; its split across several GPUs is derived.
    SplitOverhead,
    /// FP4 quantization: its overhead is assumed equal to that of FP8 quantization.
    Fp4Quantization,
    /// Prefill timing of DP ranks: the true timing is unknown, somewhere between simultaneous and independent.
    PrefillRanks,
    /// Host time of prefill: set per layer, and assumed to be fully exposed.
    PrefillHost,
    /// Collectives over PCIe, which has no switch for them: the latency and efficiency of NVLink are used.
    Switchless,
}

impl Extrapolation {
    /// All extrapolations, in display order.
    pub const ALL: [Self; 32] = [
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
        Self::EngineOverhead,
        Self::SplitOverhead,
        Self::Fp4Quantization,
        Self::PrefillRanks,
        Self::PrefillHost,
        Self::Switchless,
    ];

    /// Returns the short name of the extrapolated part.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accelerator => "accelerator",
            Self::Compute => "compute",
            Self::Fp4 => "FP4",
            Self::GroupedAttention => "GQA",
            Self::BlackwellAcross => "Blackwell scale-out",
            Self::WideDomain => "wide domain",
            Self::LongContext => "long context",
            Self::FewTokens => "small dispatch",
            Self::Contention => "overlap",
            Self::PartialAttention => "sparse attention",
            Self::OtherKernels => "indexer or linear attention",
            Self::Residual => "residual streams",
            Self::LatentExperts => "latent experts",
            Self::SelectionExchange => "top-k exchange",
            Self::HalfLayers => "attention/FFN-only layers",
            Self::RepeatedStates => "replicated state",
            Self::Pipeline => "pipeline",
            Self::Prefill => "prefill",
            Self::AmdRanges => "AMD kernels",
            Self::Fp4OnHopper => "FP4 on Hopper",
            Self::LittleCompute => "low compute ratio",
            Self::QueryHeads => "Q heads per KV head",
            Self::WideAllReduce => "wide all-reduce",
            Self::FusedBalance => "imbalance in fused experts",
            Self::SparsePrefill => "sparse prefill",
            Self::Drafter => "drafter",
            Self::EngineOverhead => "engine overhead",
            Self::SplitOverhead => "engine overhead under TP",
            Self::Fp4Quantization => "FP4 quantization",
            Self::PrefillRanks => "DP-rank prefill timing",
            Self::PrefillHost => "host time of prefill",
            Self::Switchless => "PCIe collectives",
        }
    }

    /// Returns a description: the extrapolated part and, for most, the measurement used for it.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Accelerator => "kernels: measured on another GPU family",
            Self::Compute => "compute: FLOP/s efficiency of the same GPU family",
            Self::Fp4 => "FP4 compute: FLOP/s efficiency of FP8",
            Self::GroupedAttention => "GQA: attention kernel measured with MLA",
            Self::BlackwellAcross => "Blackwell scale-out: measured on Hopper",
            Self::WideDomain => "collectives over more than 8 GPUs in a domain",
            Self::LongContext => "contexts over 32k tokens",
            Self::FewTokens => "dispatch of fewer than 16 tokens per GPU",
            Self::Contention => "overlap: measured on Hopper only",
            Self::PartialAttention => {
                "windowed, chunked, sparse or compressed attention: kernel measured with full context"
            }
            Self::OtherKernels => {
                "indexer, convolution and linear-attention kernels: efficiency of other kernels"
            }
            Self::Residual => "hyper-connections (residual streams)",
            Self::LatentExperts => "latent-MoE projections",
            Self::SelectionExchange => "top-k exchange across KVP ranks",
            Self::HalfLayers => "per-layer overhead of attention-only or FFN-only layers",
            Self::RepeatedStates => {
                "recurrent state replicated across KVP ranks: no engine does this"
            }
            Self::Pipeline => "pipeline parallelism: no bubbles modeled, not measured",
            Self::Prefill => "prefill: GEMM efficiency varies from 0.30 to 0.69 with shape",
            Self::AmdRanges => "AMD kernels: a few measured ranges, else Hopper’s values",
            Self::Fp4OnHopper => "FP4 experts: measured on Blackwell only",
            Self::LittleCompute => {
                "low compute-to-bandwidth ratio: the higher of two measured efficiencies used"
            }
            Self::QueryHeads => "fewer than 4 or more than 16 query heads per KV head",
            Self::WideAllReduce => "all-reduce over more than 8 GPUs",
            Self::FusedBalance => "expert imbalance within a fused MoE kernel",
            Self::SparsePrefill => {
                "block-sparse or compressed attention in prefill: measured with token-sparse attention"
            }
            Self::Drafter => "MTP draft: modeled as the last layer plus output head",
            Self::EngineOverhead => "engine overhead: measured with vLLM on one H200",
            Self::SplitOverhead => {
                "engine overhead under TP: measured on one GPU; how TP divides it is derived"
            }
            Self::Fp4Quantization => "FP4 quantization overhead: same as FP8",
            Self::PrefillRanks => "DP-rank prefill timing: from simultaneous to independent",
            Self::PrefillHost => "host time of prefill: set per layer, fully exposed",
            Self::Switchless => {
                "collectives over PCIe without a switch: NVLink’s latency and efficiency"
            }
        }
    }

    /// Returns true for extrapolations that occur only under a calibration that models engine overhead.
    const fn is_of_engine(self) -> bool {
        matches!(
            self,
            Self::EngineOverhead
                | Self::SplitOverhead
                | Self::Fp4Quantization
                | Self::PrefillRanks
                | Self::PrefillHost
                | Self::Switchless
        )
    }

    /// Returns `Some(true)` for extrapolations that occur only with per-operator cost tables. Returns `Some(false)`
    /// for those that occur only with tables per kernel class, and `None` for those that occur with both.
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

    /// Tests whether the extrapolation applies to an evaluation. Returns false if the calibration claims no
    /// measurements.
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
        if self.is_of_engine() && calibration.engine.is_none() {
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
            Self::EngineOverhead => calibration
                .engine
                .is_none_or(|engine| !engine.on_measured_part),
            Self::SplitOverhead => plan.group() > 1,
            Self::Fp4Quantization => {
                [precision.attention_format, precision.ffn_format].contains(&Format::Fp4)
            }
            Self::PrefillRanks => evaluation.prefill_ends(scenario).is_some_and(|ends| {
                let [together, apart] = ends.ranks;
                together < apart
            }),
            Self::PrefillHost => {
                evaluation.prefills.is_some() && workload.prompts.host > Some(Seconds::ZERO)
            }
            Self::Switchless => {
                let inside = messages.iter().any(|it| it.link == NetworkLink::ScaleUp);
                inside && cluster.scale_up <= PCIE
            }
        }
    }
}

/// Returns all extrapolations that apply to an evaluation.
pub fn extrapolations<'a>(
    scenario: &'a Scenario,
    evaluation: &'a Evaluation,
) -> impl Iterator<Item = Extrapolation> + 'a {
    Extrapolation::ALL
        .into_iter()
        .filter(|extrapolation| extrapolation.holds(scenario, evaluation))
}

/// Tests whether a recurrent mixer repeats its work on every rank of a KVP-sharded context.
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

/// Returns the number of GPUs in the largest all-reduce group within one domain.
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

/// Returns the number of GPUs in the largest group that communicates within one domain. An all-to-all group always
/// counts in full; any other group that exceeds a domain counts as one GPU.
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
