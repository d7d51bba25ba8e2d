//! Table of all scenario controls: position on the page, labels, and slider stops or options.
//!
//! Each control's permalink key is defined by its number or choice. To add a control, add a row here.

use super::choice::{Choice, Offer, offer};
use super::scale::{Absent, TrackCurve, TrackScale};
use super::stops::*;
use super::words::{ControlWords, words};
use model_core::apart::LatencySource;
use model_core::apart::Scatter;
use model_core::apart::{Partition, QEarly};
use model_core::arch::Mixer;
use model_core::calibration::{Fold, NamedCalibration};
use model_core::hardware::Family;
use model_core::inputs::{Gpu, Inputs, Number, NumberOf, Table};
use model_core::ops::{Fusion, LatentForm};
use model_core::permalink::NO_TRACE;
use model_core::plan::{Overlap, Shared};
use model_core::precision::{Format, NamedPrecision};
use model_core::trace::{self, TRACES};
use model_core::workload::{Engine, Pools};

/// Main sliders, shown first in most views.
pub const FIRST: [Number; 5] = [
    Number::Gpus,
    Number::ScaleOut,
    Number::Batch,
    Number::Context,
    Number::Beta,
];

/// Main sliders of the Service view, where whole requests are served.
pub const TRAFFIC: [Number; 6] = [
    Number::Rate,
    Number::MeanPrompt,
    Number::MeanOutput,
    Number::Hit,
    Number::Ttft,
    Number::Slo,
];

/// Keys of controls that do not affect the Service view.
pub const NOT_OF_SERVICE: [&str; 3] = ["replicas", "serving", "watts"];

/// A control of the settings panel or of a view.
#[derive(Debug, Clone, Copy)]
pub struct Control {
    /// Position on the page.
    pub home: Home,
    /// Returns true if the control applies to these inputs.
    pub when: fn(&Inputs) -> bool,
    /// Slider, choice or custom control.
    pub kind: Widget,
}

/// Position of a control on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Home {
    /// Among the main sliders.
    First,
    /// In this group of the panel.
    Group(PanelGroup),
    /// In a view, next to the results that the control affects.
    View,
    /// Not on the page: set only through permalinks.
    Link,
}

/// A group of controls in the panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PanelGroup {
    /// Model architecture.
    Model,
    /// Accelerator and interconnect.
    Hardware,
    /// Sharding and overlap schedule.
    Parallelism,
    /// Request lengths, speculation, SLO, memory and price.
    Workload,
    /// Bytes per element and compute formats.
    Precision,
    /// Efficiencies, latencies and overheads.
    Calibration,
}

impl PanelGroup {
    /// All groups, in panel order.
    pub const ALL: [Self; 6] = [
        Self::Model,
        Self::Hardware,
        Self::Parallelism,
        Self::Workload,
        Self::Precision,
        Self::Calibration,
    ];

    /// Returns the group's heading in the panel.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Model => "Model",
            Self::Hardware => "Hardware",
            Self::Parallelism => "Parallelism",
            Self::Workload => "Workload",
            Self::Precision => "Precision",
            Self::Calibration => "Calibration",
        }
    }
}

/// Type of a control.
#[derive(Debug, Clone, Copy)]
pub enum Widget {
    /// A slider with an input field.
    Slider(Slider),
    /// A row of buttons, one per option.
    Choice(Choice),
    /// A custom control, and the permalink keys that it sets.
    Custom(&'static [&'static str], CustomRow),
}

/// A custom control, identified by its content. The page builds it where it renders the groups.
#[derive(Debug, Clone, Copy)]
pub enum CustomRow {
    /// Catalog of models, and the user's custom architecture.
    Models,
    /// Catalog of accelerators.
    Accelerators,
    /// Placement of the plan's parallel groups on nodes.
    Placement,
    /// Memory sizes read from the user's start-up log.
    OwnLog,
    /// Constants of the calibration.
    Terms,
}

/// A slider that sets one number.
#[derive(Debug, Clone, Copy)]
pub struct Slider {
    /// The number that the slider sets; it defines the permalink key and the limits.
    pub number: Number,
    /// Labels of the slider.
    pub words: ControlWords,
    /// Text shown when the number has no value: "best", "derived", "none".
    pub absent: &'static str,
    /// Returns the slider's scale for a scenario.
    pub scale: fn(Number, &Inputs) -> TrackScale,
}

impl Control {
    /// True if the control sets this permalink key.
    pub fn holds(&self, key: &str) -> bool {
        match self.kind {
            Widget::Slider(slider) => slider.number.spec().key == key,
            Widget::Choice(choice) => choice.key == key,
            Widget::Custom(keys, _) => keys.contains(&key),
        }
    }

    /// True if the view *Service* shows this control in the panel's groups. False if it shows the control at the top
    /// of the panel or ignores its value.
    pub fn is_of_service(&self) -> bool {
        let first = TRAFFIC.iter().any(|number| self.holds(number.spec().key));
        !first && !NOT_OF_SERVICE.iter().any(|key| self.holds(key))
    }

    const fn absent(self, absent: &'static str) -> Self {
        let kind = match self.kind {
            Widget::Slider(slider) => Widget::Slider(Slider { absent, ..slider }),
            kind => kind,
        };
        Self { kind, ..self }
    }

    const fn having(self, has: fn(&Inputs, &str) -> bool) -> Self {
        let kind = match self.kind {
            Widget::Choice(choice) => Widget::Choice(Choice { has, ..choice }),
            kind => kind,
        };
        Self { kind, ..self }
    }

    const fn long(self) -> Self {
        let kind = match self.kind {
            Widget::Choice(choice) => Widget::Choice(Choice {
                long: true,
                ..choice
            }),
            kind => kind,
        };
        Self { kind, ..self }
    }
}

/// Returns the scale of a number's slider for these inputs.
pub fn scale_of(number: Number, inputs: &Inputs) -> TrackScale {
    (slider_of(number).scale)(number, inputs)
}

/// Returns the slider that sets a number.
pub fn slider_of(number: Number) -> &'static Slider {
    let slider = |control: &'static Control| match &control.kind {
        Widget::Slider(slider) => Some(slider),
        _ => None,
    };
    let mut sliders = CONTROLS.iter().filter_map(slider);
    // A test checks that every number has a slider.
    sliders
        .find(|slider| slider.number == number)
        .unwrap_or(&GPUS)
}

/// Returns the choice with this permalink key.
pub fn choice_of(key: &str) -> Option<&'static Choice> {
    CONTROLS.iter().find_map(|control| match &control.kind {
        Widget::Choice(choice) if choice.key == key => Some(choice),
        _ => None,
    })
}

/// Returns the options in `first`, followed by one option per request trace.
const fn and_traces<const N: usize>(first: &[Offer]) -> [Offer; N] {
    let mut all = [first[0]; N];
    let mut index = 0;
    while index < N {
        all[index] = match index.checked_sub(first.len()) {
            None => first[index],
            Some(trace) => offer(TRACES[trace].id, TRACES[trace].name),
        };
        index += 1;
    }
    all
}

const OFFERED_LENGTHS: [Offer; 2 + TRACES.len()] =
    and_traces(&[offer("geometric", "geometric"), offer("fixed", "fixed")]);
const OFFERED_TRACES: [Offer; 1 + TRACES.len()] =
    and_traces(&[offer(NO_TRACE, "batch and context")]);

const fn slider(
    home: Home,
    when: fn(&Inputs) -> bool,
    number: Number,
    words: ControlWords,
    scale: fn(Number, &Inputs) -> TrackScale,
) -> Control {
    Control {
        home,
        when,
        kind: Widget::Slider(Slider {
            number,
            words,
            absent: "none",
            scale,
        }),
    }
}

#[allow(
    clippy::too_many_arguments,
    reason = "each argument is one table column"
)]
const fn choice(
    home: Home,
    when: fn(&Inputs) -> bool,
    key: &'static str,
    name: &'static str,
    help: &'static str,
    options: &'static [Offer],
    of: fn(&Inputs) -> &'static str,
    choose: fn(&mut Inputs, &str),
) -> Control {
    Control {
        home,
        when,
        kind: Widget::Choice(Choice {
            key,
            name,
            help,
            long: false,
            options,
            has: |_, _| true,
            of,
            choose,
        }),
    }
}

const fn custom(home: Home, keys: &'static [&'static str], row: CustomRow) -> Control {
    Control {
        home,
        when: always,
        kind: Widget::Custom(keys, row),
    }
}

fn always(_: &Inputs) -> bool {
    true
}

/// True if the LLM has MoE layers.
pub fn is_moe(inputs: &Inputs) -> bool {
    inputs.model.arch().is_moe()
}

fn is_latent(inputs: &Inputs) -> bool {
    let mut mixers = inputs.model.arch().mixers().iter();
    mixers.any(|part| matches!(part.shape, Mixer::Latent(_)))
}

fn has_index(inputs: &Inputs) -> bool {
    let mut mixers = inputs.model.arch().mixers().iter();
    mixers.any(|part| part.shape.index().is_some())
}

fn is_custom(inputs: &Inputs) -> bool {
    matches!(inputs.gpu, Gpu::Custom)
}

/// True if the memory model includes engine memory.
fn counts_engine(inputs: &Inputs) -> bool {
    inputs.version.starts_as_engines_do()
}

/// True if any scale factor of the hardware or the calibration is set.
fn is_scaled(inputs: &Inputs) -> bool {
    const SCALES: [Number; 5] = [
        Number::HbmScale,
        Number::CapacityScale,
        Number::PeakScale,
        Number::LatencyScale,
        Number::OverheadScale,
    ];
    SCALES.iter().any(|number| inputs.stated(*number).is_some())
}

fn times(_: Number, _: &Inputs) -> TrackScale {
    let powers = vec![
        0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 8.0, 10.0,
    ];
    TrackScale::new(TrackCurve::Log, powers)
}

fn has_folds(inputs: &Inputs) -> bool {
    !inputs.calibration.tells_kernels_apart()
}

const GPUS: Slider = Slider {
    number: Number::Gpus,
    words: words(
        "GPUs",
        "GPUs",
        "",
        "",
        ("N", ""),
        "GPUs per replica.",
        "[A] 3.3",
    ),
    absent: "none",
    scale: |number, inputs| {
        TrackScale::new(
            TrackCurve::Log,
            gpus(whole(inputs, Number::Domain), number.spec().most as u32),
        )
    },
};

/// All controls, in panel order.
#[rustfmt::skip]
pub static CONTROLS: [Control; 112] = [
    slider(Home::First, always, Number::Gpus, words("GPUs", "GPUs", "", "", ("N", ""), "GPUs per replica.", "[A] 3.3"), |number, inputs| TrackScale::new( TrackCurve::Log, gpus(whole(inputs, Number::Domain), number.spec().most as u32), )),
    slider(Home::First, always, Number::ScaleOut, words("Scale-out", "scale-out", "per GPU, one way", "GB/s", ("W", "out"), "Per-GPU bandwidth to other nodes, one direction.", "[A] 3.3"), |number, inputs| nice(5.0, 1000.0, number, inputs)),
    slider(Home::First, always, Number::Batch, words("Batch", "batch", "", "seq", ("B", ""), "Concurrent sequences per replica.", "[A] 3.1"), |number, inputs| TrackScale::new(TrackCurve::Log, batch(inputs, number.spec().most))),
    slider(Home::First, always, Number::Context, words("Context", "context", "mean", "tok", ("S", ""), "Mean context length per sequence, in tokens.", "[A] 3.1"), |number, _| TrackScale::new(TrackCurve::Log, context(number.spec().most))),
    slider(Home::First, always, Number::Beta, words("Balancedness", "β_eb", "mean/max", "", ("β", "eb"), "Expert balancedness: mean ÷ max tokens per GPU. The busiest GPU handles 1/β of the mean.", "[A] 3.4"), |_, _| TrackScale::new(TrackCurve::Linear, steps(0.1, 1.0, 90))),
    custom(Home::Group(PanelGroup::Model), &["model", "arch"], CustomRow::Models),
    choice(Home::Group(PanelGroup::Model), is_latent, "mla", "MLA", "Absorbed: up-projections folded into queries and outputs. Plain: K and V decompressed. [A] 3.2", &[offer("absorbed", "absorbed"), offer("plain", "plain")], |inputs| inputs.latent.id(), |inputs, id| pick(LatentForm::ALL, LatentForm::id, id, &mut inputs.latent)),
    choice(Home::Group(PanelGroup::Model), always, "kernel", "Attention kernel", "Fused: one kernel, scores on chip. Unfused: two kernels, scores in HBM. [B] Table III", &[offer("fused", "fused"), offer("unfused", "unfused")], |inputs| inputs.fusion.id(), |inputs, id| pick(Fusion::ALL, Fusion::id, id, &mut inputs.fusion)),
    custom(Home::Group(PanelGroup::Hardware), &["gpu"], CustomRow::Accelerators),
    slider(Home::Group(PanelGroup::Hardware), is_custom, Number::PeakBf16, words("BF16 peak", "BF16", "dense", "TFLOP/s", ("", ""), "Dense BF16 peak.", "vendor"), peak),
    slider(Home::Group(PanelGroup::Hardware), is_custom, Number::PeakFp8, words("FP8 peak", "FP8", "dense", "TFLOP/s", ("", ""), "Dense FP8 peak; empty if unsupported.", "vendor"), peak),
    slider(Home::Group(PanelGroup::Hardware), is_custom, Number::PeakFp4, words("FP4 peak", "FP4", "dense", "TFLOP/s", ("", ""), "Dense FP4 peak; empty if unsupported.", "vendor"), peak),
    slider(Home::Group(PanelGroup::Hardware), is_custom, Number::Hbm, words("HBM bandwidth", "HBM", "per GPU", "GB/s", ("", ""), "HBM bandwidth per GPU.", "vendor"), |number, inputs| nice(100.0, 50_000.0, number, inputs)),
    slider(Home::Group(PanelGroup::Hardware), is_custom, Number::Capacity, words("Memory", "memory", "per GPU", "GB", ("", ""), "Memory per GPU in GB, as vendors specify it; 1 GB of HBM is 2³⁰ bytes.", "vendor"), |_, _| TrackScale::new( TrackCurve::Log, vec![ 8.0, 16.0, 24.0, 32.0, 40.0, 48.0, 64.0, 80.0, 96.0, 128.0, 141.0, 180.0, 192.0, 256.0, 288.0, 384.0, 512.0, 768.0, 1024.0, ], )),
    slider(Home::Group(PanelGroup::Hardware), is_custom, Number::Watts, words("Board power", "watts", "per GPU", "W", ("", ""), "Board power, for energy per token.", "vendor"), |number, inputs| nice(50.0, 5000.0, number, inputs).or_absent(Absent::Left)),
    slider(Home::Group(PanelGroup::Hardware), always, Number::ScaleUp, words("Scale-up", "scale-up", "per GPU, one way", "GB/s", ("W", "in"), "Per-GPU bandwidth within a scale-up domain, one direction.", "[A] 3.3"), |number, inputs| nice(10.0, 10_000.0, number, inputs)),
    slider(Home::Group(PanelGroup::Hardware), always, Number::Domain, words("Domain", "domain", "GPUs per domain", "", ("G", ""), "GPUs per scale-up domain: 8 in a node, 72 in an NVL72 rack.", "[A] 3.3"), |number, inputs| TrackScale::new( TrackCurve::Log, with_default( vec![ 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 36.0, 64.0, 72.0, 128.0, 144.0, 256.0, 384.0, 512.0, 576.0, 1024.0, ], number, inputs, ), )),
    slider(Home::Group(PanelGroup::Hardware), is_scaled, Number::HbmScale, words("HBM bandwidth ×", "× HBM", "× nominal", "", ("", ""), "Multiplies the accelerator’s HBM bandwidth.", "assumed"), times),
    slider(Home::Group(PanelGroup::Hardware), is_scaled, Number::CapacityScale, words("HBM capacity ×", "× capacity", "× nominal", "", ("", ""), "Multiplies the accelerator’s HBM capacity.", "assumed"), times),
    slider(Home::Group(PanelGroup::Hardware), is_scaled, Number::PeakScale, words("FLOP/s ×", "× FLOP/s", "× nominal", "", ("", ""), "Multiplies the accelerator’s peak in every format.", "assumed"), times),
    slider(Home::Group(PanelGroup::Hardware), is_scaled, Number::LatencyScale, words("Collective latency ×", "× α", "× nominal", "", ("", ""), "Multiplies the calibration’s latency of every collective.", "assumed"), times),
    slider(Home::Group(PanelGroup::Hardware), is_scaled, Number::OverheadScale, words("Framework overhead ×", "× overhead", "× nominal", "", ("", ""), "Multiplies the calibration’s kernel launch, framework overhead and CPU overhead.", "assumed"), times),
    slider(Home::Group(PanelGroup::Parallelism), always, Number::Replicas, words("Replicas", "replicas", "copies of this plan", "", ("", ""), "Identical replicas, each with this GPU count and batch. Throughput, cost and power cover all replicas; step time is per replica.", "–"), |_, _| TrackScale::new(TrackCurve::Log, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0, 128.0, 256.0, 512.0, 1024.0])),
    slider(Home::Group(PanelGroup::Parallelism), always, Number::Dp, words("DP attention", "DP", "", "", ("dp", ""), "Data-parallel attention ranks. DP × TP × KVP × PP must equal GPUs.", "[H] 2.1"), even_parts),
    slider(Home::Group(PanelGroup::Parallelism), always, Number::Tp, words("TP attention", "TP", "", "", ("tp", ""), "Tensor parallelism of attention: GPUs that share the query heads.", "[H] 2.1"), even_parts),
    slider(Home::Group(PanelGroup::Parallelism), always, Number::Kvp, words("KVP (DCP)", "KVP", "", "", ("kvp", ""), "KV parallelism: GPUs that share a sequence's KV cache (decode context parallel).", "[H] 2.1"), even_parts),
    slider(Home::Group(PanelGroup::Parallelism), is_moe, Number::Ep, words("EP experts", "EP", "", "", ("ep", ""), "Expert parallelism. EP × FFN TP × PP must equal GPUs.", "[A] 3.3"), even_parts),
    slider(Home::Group(PanelGroup::Parallelism), always, Number::FfnTp, words("FFN TP", "FFN TP", "", "", ("tp", "f"), "Tensor parallelism of FFN and expert matrices.", "[H] 2.2"), even_parts),
    slider(Home::Group(PanelGroup::Parallelism), always, Number::Pp, words("Pipeline PP", "PP", "", "", ("pp", ""), "Pipeline stages.", "[H] 3"), even_parts),
    slider(Home::Group(PanelGroup::Parallelism), is_moe, Number::Redundant, words("Redundant experts", "redundant", "", "", ("R", ""), "Extra copies of hot experts, placed on the EP ranks.", "[A] 3.4"), |_, _| TrackScale::new(TrackCurve::Linear, steps(0.0, 256.0, 64))),
    custom(Home::Group(PanelGroup::Parallelism), &[], CustomRow::Placement),
    choice(Home::Group(PanelGroup::Parallelism), is_moe, "shared", "Shared experts", "Sharded over EP ranks like routed experts, or replicated on every GPU. [A] 3.4", &[offer("distributed", "distributed"), offer("replicated", "replicated")], |inputs| inputs.shared.id(), |inputs, id| pick(Shared::ALL, Shared::id, id, &mut inputs.shared)),
    choice(Home::Group(PanelGroup::Parallelism), always, "overlap", "Overlap", "Overlaps communication with compute. Two-batch (TBO, DBO): two half batches alternate. HOP-B: each request’s KVP exchange overlaps the next request’s attention. [A] eqs 48–49, [H] 2.1.3", &[offer("none", "none"), offer("two-batch", "two-batch"), offer("hop-b", "HOP-B")], |inputs| inputs.schedule().id(), |inputs, id| pick_some(Overlap::ALL, Overlap::id, id, &mut inputs.overlap)),
    slider(Home::Group(PanelGroup::Parallelism), is_moe, Number::NodeLimit, words("Node limit", "node limit", "domains per token", "", ("M", ""), "Max scale-up domains per token (node-limited routing); fewer means less scale-out traffic.", "[A] 2.3"), nodelimit_stops),
    slider(Home::Group(PanelGroup::Workload), always, Number::Slo, words("SLO", "SLO", "min, per user", "tok/s", ("", ""), "Minimum tok/s/user; or maximum TPOT, e.g. “40 ms”.", "[B] VI"), |number, inputs| nice(1.0, 500.0, number, inputs).or_absent(Absent::Left)),
    choice(Home::Group(PanelGroup::Workload), always, "serving", "Prefill", "Prefill on separate GPUs \
        (disaggregated) or on the decode GPUs (aggregated). Aggregated prefill delays decoding and needs prompt \
        and output lengths.", &[offer("decode", "disaggregated"), offer("aggregated", "aggregated")], |inputs| inputs.engine.id(), choose_engine),
    slider(Home::Group(PanelGroup::Workload), always, Number::MeanPrompt, words("Prompt", "prompt", "mean tokens", "", ("μ", "P"), "Mean prompt tokens (ISL) per request.", "[R] 3.3"), tokens),
    slider(Home::Group(PanelGroup::Workload), always, Number::MeanOutput, words("Output", "output", "mean tokens", "", ("μ", "D"), "Mean output tokens (OSL) per request.", "[R] 3.3"), tokens),
    slider(Home::Group(PanelGroup::Workload), always, Number::SpeculationDepth, words("MTP", "MTP", "draft tokens", "", ("δ", ""), "Draft tokens per step (multi-token prediction), verified in the same step.", "[A] 1"), |_, _| TrackScale::new(TrackCurve::Linear, steps(0.0, 8.0, 8))),
    slider(Home::Group(PanelGroup::Workload), always, Number::Hit, words("Prefix cache", "cached", "hit rate", "", ("h", ""), "Prefix-cache hit rate: fraction of prompt tokens that skip prefill.", "DeepSeek-V3/R1 inference system overview: 56% in production"), |_, _| TrackScale::new(TrackCurve::Linear, steps(0.0, 0.99, 99))),
    slider(Home::Group(PanelGroup::Workload), always, Number::Chunk, words("Prefill chunk", "chunk", "tokens per pass per DP rank", "", ("C", ""), "Max tokens per DP rank in one prefill pass (chunked prefill).", "SGLang, large-scale EP (May 2025): 16,384"), |_, _| TrackScale::new(TrackCurve::Log, doublings(256.0, 1_048_576.0))),
    slider(Home::View, always, Number::Rate, words("Request rate", "requests", "total", "req/s", ("λ", ""), "Total arrival rate.", ""), |number, inputs| nice(0.1, 10_000.0, number, inputs).or_absent(Absent::Left)),
    slider(Home::View, always, Number::Ttft, words("TTFT", "TTFT", "mean, max", "s", ("", ""), "Limit on the mean time to first token.", ""), |number, inputs| nice(0.1, 100.0, number, inputs).or_absent(Absent::Right)),
    choice(Home::View, always, "pools", "Serving", "Aggregated replicas, separate prefill and decode pools, or the \
        cheaper of both.", &[offer("best", "cheaper"), offer("disaggregated", "disaggregated"), offer("aggregated", "aggregated")], |inputs| inputs.pools.id(), |inputs, id| pick(Pools::ALL, Pools::id, id, &mut inputs.pools)),
    slider(Home::View, always, Number::Util, words("Utilization", "utilization", "max", "", ("ρ", ""), "Max utilization that pools are sized for.", "assumed"), |_, _| TrackScale::new(TrackCurve::Linear, steps(0.1, 0.99, 89))),
    slider(Home::View, always, Number::PrefillGpus, words("Prefill GPUs", "prefill GPUs", "per replica", "", ("G", "p"), "GPUs per prefill replica. Empty: searched.", ""), |_, _| TrackScale::new(TrackCurve::Log, doublings(1.0, 4096.0)).or_absent(Absent::Left)),
    slider(Home::View, always, Number::PrefillTp, words("Prefill TP", "prefill TP", "per replica", "", ("tp", "p"), "Tensor parallelism of a prefill replica. Empty: searched.", ""), |_, _| TrackScale::new(TrackCurve::Log, doublings(1.0, 64.0)).or_absent(Absent::Left)),
    slider(Home::View, always, Number::PrefillPrice, words("Prefill price", "prefill price", "per GPU", "$/h", ("", ""), "Prefill-pool price, $/GPU-hour.", "list price"), price),
    slider(Home::Group(PanelGroup::Workload), always, Number::Acceptance, words("Acceptance rate", "acceptance", "per token", "", ("p", ""), "Probability that a draft token is accepted, given that the previous one was accepted.", "[A] 1"), |_, _| TrackScale::new(TrackCurve::Linear, steps(0.0, 1.0, 100))),
    slider(Home::Group(PanelGroup::Workload), always, Number::AcceptLength, words("Acceptance length", "accept len", "per step", "tok", ("y", ""), "Tokens per step, as engines log them: 1 + accepted draft tokens. Sets the acceptance rate.", "SGLang, vLLM"), |_, _| TrackScale::new(TrackCurve::Linear, steps(1.0, 9.0, 80)).or_absent(Absent::Left)),
    slider(Home::Group(PanelGroup::Workload), always, Number::AcceptRate, words("Draft acceptance", "accept rate", "accepted ÷ drafted", "", ("", ""), "Accepted share of draft tokens: the average in vLLM’s log. Sets the acceptance rate.", "vLLM"), |_, _| TrackScale::new(TrackCurve::Linear, steps(0.0, 1.0, 100)).or_absent(Absent::Left)),
    slider(Home::Group(PanelGroup::Workload), always, Number::Reserve, words("Reserve", "reserve", "fraction free", "", ("", ""), "Memory fraction reserved for unmodeled buffers.", "[A] 4"), |_, _| TrackScale::new(TrackCurve::Linear, steps(0.0, 0.5, 50))),
    Control { when: counts_engine, ..custom(Home::Group(PanelGroup::Workload), &[], CustomRow::OwnLog) },
    slider(Home::Group(PanelGroup::Workload), counts_engine, Number::EngineGib, words("Engine memory", "engine", "per GPU", "GiB", ("", ""), "GiB of engine memory per GPU, excluding weights and KV cache.", "start-up logs"), gib),
    slider(Home::Group(PanelGroup::Workload), counts_engine, Number::WeightsGib, words("Loaded weights", "weights", "per GPU", "GiB", ("", ""), "GiB of weights per GPU, from a start-up log.", "start-up logs"), gib),
    slider(Home::Group(PanelGroup::Workload), counts_engine, Number::EncoderGib, words("Encoder", "encoder", "per GPU", "GiB", ("", ""), "GiB of the image or audio encoder per GPU; 0 for text only.", "start-up logs"), gib),
    slider(Home::Group(PanelGroup::Workload), counts_engine, Number::TableGib, words("Lookup tables", "tables", "per GPU", "GiB", ("", ""), "GiB of n-gram or Engram tables, replicated on every GPU.", "config.json"), gib),
    choice(Home::Group(PanelGroup::Workload), counts_engine, "table", "Tables in", "Memory that holds lookup tables.", &[offer("hbm", "HBM"), offer("host", "host")], |inputs| inputs.table.id(), |inputs, id| pick(Table::ALL, Table::id, id, &mut inputs.table)),
    slider(Home::Group(PanelGroup::Workload), counts_engine, Number::StateBytes, words("Recurrent state", "state bytes", "", "B/elem", ("", ""), "Bytes per element of recurrent state.", "vLLM"), |_, _| TrackScale::new(TrackCurve::Log, vec![1.0, 2.0, 4.0, 8.0])),
    slider(Home::Group(PanelGroup::Workload), always, Number::Price, words("Price", "price", "per GPU", "$/h", ("", ""), "Price per GPU-hour, for cost per million tokens.", "list price"), price),
    choice(Home::Group(PanelGroup::Precision), always, "precision", "Precision", "Preset of storage and compute formats; each can be changed below. fp4: weights, KV cache and compute in FP4, including attention. [A] 3.5", &[offer("deepseek-fp8", "deepseek-fp8"), offer("bf16", "bf16"), offer("fp4", "fp4"), offer(RELEASED, "released checkpoint")], precision_of, choose_precision).having(|inputs, id| id != RELEASED || inputs.version.starts_as_engines_do() || inputs.four_bits().is_some()).long(),
    choice(Home::Group(PanelGroup::Precision), always, "fmt_attn", "Attention compute", "Compute format; sets the FLOP/s peak.", &[offer("bf16", "BF16"), offer("fp8", "FP8"), offer("fp4", "FP4")], |inputs| inputs.precision().attention_format.id(), |inputs, id| pick_some(Format::ALL, Format::id, id, &mut inputs.attention_format)),
    choice(Home::Group(PanelGroup::Precision), always, "fmt_ffn", "FFN compute", "Compute format; sets the FLOP/s peak.", &[offer("bf16", "BF16"), offer("fp8", "FP8"), offer("fp4", "FP4")], |inputs| inputs.precision().ffn_format.id(), |inputs, id| pick_some(Format::ALL, Format::id, id, &mut inputs.ffn_format)),
    slider(Home::Group(PanelGroup::Precision), always, Number::AttentionWeightBytes, words("Attention weights", "w_attn", "", "B/elem", ("w", "a"), "Bytes per attention weight.", "[A] 3.5"), bytes_per_element),
    slider(Home::Group(PanelGroup::Precision), always, Number::FfnWeightBytes, words("FFN weights", "w_ffn", "", "B/elem", ("w", "f"), "Bytes per FFN weight (experts and dense layers).", "[A] 3.5"), bytes_per_element),
    slider(Home::Group(PanelGroup::Precision), always, Number::KvBytes, words("KV cache", "kv", "", "B/elem", ("c", ""), "Bytes per KV-cache element.", "[A] 3.5"), bytes_per_element),
    slider(Home::Group(PanelGroup::Precision), has_index, Number::IndexKeyBytes, words("Indexer keys", "kv indexer", "", "B/elem", ("c", "i"), "Bytes per indexer-key element, incl. scales (sparse attention).", "DeepSeek-V3.2-Exp"), bytes_per_index_key),
    slider(Home::Group(PanelGroup::Precision), always, Number::ActivationBytes, words("Activations", "act", "", "B/elem", ("x", ""), "Bytes per activation element.", "[A] 3.5"), bytes_per_element),
    slider(Home::Group(PanelGroup::Precision), always, Number::DispatchBytes, words("Dispatch", "dispatch", "to the experts", "B/elem", ("x", "d"), "Bytes per element of dispatched tokens.", "[A] 3.3"), bytes_per_element),
    slider(Home::Group(PanelGroup::Precision), always, Number::CombineBytes, words("Combine", "combine", "from the experts", "B/elem", ("x", "c"), "Bytes per element of combined expert outputs.", "[A] 3.3"), bytes_per_element),
    choice(Home::Group(PanelGroup::Calibration), always, "calibration", "Calibration", "Efficiency of real kernels and links; each factor can be changed below.", &[offer("kernels-2026", "kernels-2026"), offer("kernels-2026-11", "kernels-2026-11"), offer("kernels-2026-12", "kernels-2026-12"), offer("aleph-alpha-2025", "aleph-alpha-2025"), offer("helix", "helix"), offer("lamina", "lamina"), offer("ideal", "ideal")], |inputs| inputs.calibration.id(), |inputs, id| pick(NamedCalibration::ALL, NamedCalibration::id, id, &mut inputs.calibration)).long(),
    choice(Home::Group(PanelGroup::Calibration), is_custom, "family", "GPU family", "GPU family whose measured kernels are used. Default: Hopper, marked as extrapolated.", &[offer("hopper", "Hopper"), offer("blackwell", "Blackwell"), offer("cdna3", "CDNA 3"), offer("cdna4", "CDNA 4")], |inputs| inputs.family.unwrap_or(Family::Hopper).id(), |inputs, id| pick_some(Family::ALL, Family::id, id, &mut inputs.family)),
    choice(Home::Group(PanelGroup::Calibration), has_folds, "fold", "Roofline level", "Take max(memory, compute) per operator or per block. [A] eqs 46–47", &[offer("operator", "per operator"), offer("block", "per block")], |inputs| inputs.calibration().fold.id(), |inputs, id| pick_some(Fold::ALL, Fold::id, id, &mut inputs.fold)),
    slider(Home::Group(PanelGroup::Calibration), always, Number::MemoryFactor, words("Memory", "ε memory", "ε, × ideal", "×", ("ε", "m"), "Memory time ÷ ideal time at peak bandwidth.", "[A] 3.5"), factor),
    slider(Home::Group(PanelGroup::Calibration), always, Number::AttentionFactor, words("Attention compute", "ε attention", "ε", "×", ("ε", "a"), "Attention compute time ÷ ideal time at peak FLOP/s.", "[A] 3.5"), factor),
    slider(Home::Group(PanelGroup::Calibration), always, Number::FfnFactor, words("FFN compute", "ε FFN", "ε", "×", ("ε", "f"), "FFN compute time ÷ ideal time at peak FLOP/s.", "[A] 3.5"), factor),
    slider(Home::Group(PanelGroup::Calibration), always, Number::NetworkFactor, words("Communication", "ε communication", "ε", "×", ("ε", "n"), "Communication time ÷ ideal time at link bandwidth.", "[A] 3.5"), factor),
    slider(Home::Group(PanelGroup::Calibration), always, Number::LatencyMicros, words("Collective latency", "collective latency", "per collective", "µs", ("α", ""), "Fixed latency per collective. Empty: measured value per collective type.", "[H] fit"), fixed_time),
    slider(Home::Group(PanelGroup::Calibration), always, Number::OverheadMicros, words("Kernel launch", "kernel launch", "per operator", "µs", ("", ""), "Fixed launch latency per operator (in kernel calibrations: per GEMM).", "not in the papers"), fixed_time),
    slider(Home::Group(PanelGroup::Calibration), always, Number::LayerMicros, words("Framework overhead", "overhead", "per layer, per pass", "µs", ("o", "L"), "Small kernels and gaps per layer: norms, RoPE, quantization, top-k, sampling, launches.", "fitted to measured runs"), fixed_time),
    slider(Home::Group(PanelGroup::Calibration), always, Number::HostMicros, words("CPU overhead", "CPU overhead", "per step", "µs", ("o", "H"), "Exposed CPU time per step; about 6,100 µs without overlap scheduling.", "SGLang on 16 H200"), fixed_time),
    slider(Home::Group(PanelGroup::Calibration), always, Number::PrefillMicros, words("Prefill host time", "prefill host", "per layer", "µs", ("", ""), "Host time per layer of aggregated prefill: 0 if captured or compiled, 1,350 if eager.", "vLLM, SGLang"), host_time),
    custom(Home::Group(PanelGroup::Calibration), &[], CustomRow::Terms),
    slider(Home::Link, always, Number::TargetCost, words("Target cost", "target cost", "max per M tok", "$", ("", ""), "Max $/M tok.", ""), |number, inputs| nice(0.01, 100.0, number, inputs).or_absent(Absent::Right)),
    slider(Home::Link, always, Number::TargetThroughput, words("Target throughput", "target throughput", "min, total", "tok/s", ("", ""), "Min total tok/s.", ""), |number, inputs| nice(100.0, 1e7, number, inputs).or_absent(Absent::Left)),
    slider(Home::Link, always, Number::Instances, words("Replicas compared", "replicas", "of this plan", "", ("", ""), "Replicas of this plan vs. one large replica on the same GPUs.", "[B] VII-C"), |_, _| TrackScale::new(TrackCurve::Log, vec![2.0, 4.0, 8.0, 16.0, 32.0, 64.0])),
    slider(Home::Link, always, Number::Interconnect, words("Interconnect", "interconnect", "per GPU, one way", "GB/s", ("", ""), "Per-GPU bandwidth between the GPUs of the large replica, one direction.", "[B] VII-C"), |number, inputs| nice(1.0, 10_000.0, number, inputs)),
    choice(Home::View, always, "latencies", "Latencies", "Derived from this scenario, or [R]'s fit for DeepSeek-V3 on Ascend 910C (1 cycle = 1 µs). Each can be changed below.", &[offer("derived", "derived")], |inputs| inputs.latencies.id(), choose_latencies),
    choice(Home::View, always, "lengths", "Request lengths", "Prompt and output length distribution; traces set their own means.", &OFFERED_LENGTHS, |inputs| inputs.lengths.id(), choose_lengths).long(),
    slider(Home::View, always, Number::Ratio, words("Ratio", "ratio", "attention ranks per FFN rank", "", ("r", ""), "Attention GPUs ÷ FFN GPUs (or ranks). Empty: best.", "[R] eqs 15–19"), ratio_stops).absent("best"),
    slider(Home::View, always, Number::Slots, words("Sequences", "sequences", "per rank’s micro-batch", "", ("B", ""), "Sequences per micro-batch and attention rank (two micro-batches in flight).", "[R] 3.1"), |number, inputs| TrackScale::new( TrackCurve::Log, with_default( (0..=12).map(|power| f64::from(1 << power)).collect(), number, inputs, ), )),
    slider(Home::View, always, Number::FfnInstances, words("FFN ranks", "FFN ranks", "y of xAyF", "", ("y", ""), "FFN ranks per xAyF unit, in lockstep.", "[R] 3.1"), |_, _| TrackScale::new(TrackCurve::Linear, steps(1.0, 8.0, 7))),
    slider(Home::View, always, Number::Requests, words("Requests", "requests", "per attention rank", "", ("N", ""), "Requests simulated per attention rank; also the averaging horizon.", "[R] 4.2, 5.3"), |number, inputs| nice(100.0, 100_000.0, number, inputs)),
    slider(Home::View, always, Number::Seed, words("Seed", "seed", "for request lengths", "", ("", ""), "Seed of the request lengths; reproducible on any machine.", ""), |_, _| TrackScale::new(TrackCurve::Linear, steps(0.0, 20.0, 20))),
    slider(Home::View, always, Number::AttentionSlopeMicros, words("Attention slope", "attention slope", "per cached token", "µs", ("α_A", ""), "Attention time per cached token (KV reads).", "[R] eqs 2, 26"), slope).absent("derived"),
    slider(Home::View, always, Number::FfnSlopeMicros, words("FFN slope", "FFN slope", "per sequence", "µs", ("α_F", ""), "FFN time per sequence (compute on the busiest GPU).", "[R] eqs 3, 33"), slope).absent("derived"),
    slider(Home::View, always, Number::MessageSlopeMicros, words("Communication slope", "communication slope", "per sequence", "µs", ("α_C", ""), "Communication time per sequence (bytes both ways).", "[R] eqs 4, 38"), slope).absent("derived"),
    slider(Home::View, always, Number::AttentionInterceptMicros, words("Attention intercept", "attention intercept", "per step", "µs", ("β_A", ""), "Fixed attention time per step: projections, head, kernel launches.", "[R] eq 2"), intercept).absent("derived"),
    slider(Home::View, always, Number::FfnInterceptMicros, words("FFN intercept", "FFN intercept", "per step", "µs", ("β_F", ""), "Fixed FFN time per step: weight reads, kernel launches.", "[R] eq 3"), intercept).absent("derived"),
    slider(Home::View, always, Number::MessageInterceptMicros, words("Communication intercept", "communication intercept", "per step", "µs", ("β_C", ""), "Round-trip latency per step.", "[R] eq 4"), intercept).absent("derived"),
    choice(Home::View, always, "trace", "Requests", "Use this batch and context, or as many requests of a trace as fit in memory. [L] 6, Table 4", &OFFERED_TRACES, |inputs| inputs.trace.map_or(NO_TRACE, |trace| trace.id), choose_trace).long(),
    choice(Home::View, always, "q_early", "Early query", "Start attention over cached tokens when Q arrives, before K and V. [L] 4.2.2", &[offer("on", "on"), offer("off", "off")], |inputs| inputs.q_early.id(), |inputs, id| pick(QEarly::ALL, QEarly::id, id, &mut inputs.q_early)),
    choice(Home::View, always, "partition", "Attention partition", "Split heads or requests over memory devices; MLA has one KV cache for all heads. [L] 5", &[offer("heads", "heads"), offer("requests", "requests")], |inputs| inputs.partition.unwrap_or(Partition::default_of(inputs.model.arch())).id(), |inputs, id| pick_some(Partition::ALL, Partition::id, id, &mut inputs.partition)),
    slider(Home::View, always, Number::ComputeGpus, words("Compute devices", "compute", "all replicas", "", ("a", ""), "Accelerators that hold the weights and run everything but attention.", "[L] 3.1"), devices),
    slider(Home::View, always, Number::MemoryGpus, words("Memory devices", "memory", "", "", ("b", ""), "Accelerators that hold the cache and run attention.", "[L] 3.1"), devices),
    slider(Home::View, always, Number::Net, words("Network", "network", "per device, one way", "GB/s", ("W", ""), "Per-device bandwidth to the other side, one direction.", "[L] 6"), |number, inputs| nice(1.0, 1000.0, number, inputs)),
    slider(Home::View, always, Number::NetMicros, words("Round trip", "round trip", "per layer", "µs", ("", ""), "Zero-byte round-trip latency: 33 µs with CPU bypass, 66.6 µs with NCCL.", "[L] 6.3"), |number, inputs| TrackScale::new( TrackCurve::FromZero(5.0), with_default([from_zero(1.0, 200.0), vec![66.6]].concat(), number, inputs), )),
    slider(Home::View, always, Number::SlowDown, words("Allowed slowdown", "slowdown", "vs. compute time", "×", ("α", ""), "Allowed network time ÷ compute time. Sets the required bandwidth.", "[L] 3.1"), |_, _| TrackScale::new(TrackCurve::Linear, steps(0.02, 1.0, 49))),
    slider(Home::View, always, Number::Batches, words("Batches in flight", "batches", "", "", ("j", ""), "Batches rotating over compute and memory devices; needs one model replica fewer than batches.", "[L] 4.3"), |_, _| TrackScale::new(TrackCurve::Linear, steps(1.0, 8.0, 7))),
    slider(Home::View, always, Number::Budget, words("Budget", "budget", "default: equal price", "$/h", ("", ""), "Max $/h in the device search. Empty: price of the compute-only cluster.", "[L] 6.1"), |number, inputs| nice(1.0, 5000.0, number, inputs).or_absent(Absent::Left)),
    slider(Home::View, always, Number::ComputePrice, words("Compute price", "compute price", "per device", "$/h", ("", ""), "Price per compute device per hour.", "same source for both sides"), price),
    slider(Home::View, always, Number::MemoryPrice, words("Memory price", "memory price", "per device", "$/h", ("", ""), "Price per memory device per hour.", "same source for both sides"), price),
];

fn pick<T: Copy, const N: usize>(all: [T; N], of: fn(T) -> &'static str, id: &str, slot: &mut T) {
    if let Some(found) = all.into_iter().find(|entry| of(*entry) == id) {
        *slot = found;
    }
}

/// Option for the weights of the released checkpoint. Since permalink version 3, it is a value of the precision; in
/// older permalinks, the weight bytes and formats encode it.
const RELEASED: &str = "released";

fn precision_of(inputs: &Inputs) -> &'static str {
    match inputs.is_released() {
        true => RELEASED,
        false => inputs.precision.id(),
    }
}

fn choose_precision(inputs: &mut Inputs, id: &str) {
    if id == RELEASED && !inputs.version.starts_as_engines_do() {
        *inputs = inputs.as_released().unwrap_or(*inputs);
        return;
    }
    if inputs.is_released() && !inputs.version.starts_as_engines_do() {
        inputs.state(Number::AttentionWeightBytes, None);
        inputs.state(Number::FfnWeightBytes, None);
        inputs.ffn_format = None;
    }
    pick(
        NamedPrecision::ALL,
        NamedPrecision::id,
        id,
        &mut inputs.precision,
    );
}

/// Selects the serving engine. Aggregated prefill needs request lengths: the output length shown, and a prompt length
/// that preserves the mean context.
fn choose_engine(inputs: &mut Inputs, id: &str) {
    let context = inputs.get(Number::Context).unwrap_or(0.0);
    pick(Engine::ALL, Engine::id, id, &mut inputs.engine);
    if inputs.engine != Engine::Aggregated {
        return;
    }
    let output = inputs.get(Number::MeanOutput).unwrap_or(1.0).max(1.0);
    let output = output.min(2.0 * context).max(1.0);
    inputs.state(Number::MeanOutput, Some(output));
    if inputs.stated(Number::MeanPrompt).is_none() {
        inputs.state(Number::MeanPrompt, Some((context - output / 2.0).max(0.0)));
    }
}

fn pick_some<T: Copy, const N: usize>(
    all: [T; N],
    of: fn(T) -> &'static str,
    id: &str,
    slot: &mut Option<T>,
) {
    if let Some(found) = all.into_iter().find(|entry| of(*entry) == id) {
        *slot = Some(found);
    }
}

fn choose_trace(inputs: &mut Inputs, id: &str) {
    let found = trace::find(id);
    if found.is_some() || id == NO_TRACE {
        inputs.trace = found;
    }
}

fn choose_latencies(inputs: &mut Inputs, id: &str) {
    pick(
        LatencySource::ALL,
        LatencySource::id,
        id,
        &mut inputs.latencies,
    );
    // Reset the AFD inputs, which were set for the previous latencies and their xAyF unit.
    for number in Number::ALL
        .into_iter()
        .filter(|it| it.describes(NumberOf::Afd))
    {
        if !matches!(number, Number::Requests | Number::Seed) {
            inputs.state(number, None);
        }
    }
}

fn choose_lengths(inputs: &mut Inputs, id: &str) {
    inputs.lengths = Scatter::find(id).unwrap_or(inputs.lengths);
    // Reset the mean lengths, since a trace has its own.
    inputs.state(Number::MeanPrompt, None);
    inputs.state(Number::MeanOutput, None);
}

#[cfg(test)]
mod tests {
    use super::*;
    use model_core::service::{Demand, Planner};

    #[test]
    fn every_number_has_one_row_and_its_words() {
        for number in Number::ALL {
            let key = number.spec().key;
            let rows = CONTROLS.iter().filter(|control| control.holds(key)).count();
            assert_eq!(rows, 1, "{key}");
            let words = slider_of(number).words;
            assert!(slider_of(number).number == number, "{key}");
            assert!(!words.name.is_empty() && words.help.ends_with('.'), "{key}");
        }
    }

    #[test]
    fn every_option_can_be_chosen() {
        for control in &CONTROLS {
            let Widget::Choice(choice) = control.kind else {
                continue;
            };
            for option in choice.options {
                let mut inputs = Inputs::DEFAULT;
                // The roofline level applies only to calibrations without constants for each kernel.
                if choice.key == "fold" {
                    inputs.calibration = NamedCalibration::Ideal;
                }
                if !(choice.has)(&inputs, option.id) {
                    inputs = model_core::permalink::read("v=1&model=kimi-k2.5&kv=1").current;
                }
                (choice.choose)(&mut inputs, option.id);
                assert_eq!((choice.of)(&inputs), option.id, "{}", choice.key);
            }
        }
    }

    #[test]
    fn released_weights_are_a_precision_to_choose_and_to_leave() {
        let link = "v=1&model=gpt-oss-120b&kv=1";
        let mut inputs = model_core::permalink::read(link).current;
        choose_precision(&mut inputs, RELEASED);
        let said = model_core::permalink::write_inputs(&inputs);
        assert_eq!(said, format!("{}&w_attn=2&w_ffn=0.53125&kv=1", &link[..22]));
        choose_precision(&mut inputs, "bf16");
        assert_eq!(precision_of(&inputs), "bf16");
        assert!((inputs.precision().ffn_weights - 2.0).abs() < 1e-9);
    }

    #[test]
    fn prompts_in_the_same_engine_take_the_lengths_that_are_shown() {
        let mut inputs = model_core::permalink::read("v=1&gpus=32&context=6000").current;
        let serving = choice_of("serving").expect("a control");
        (serving.choose)(&mut inputs, "aggregated");
        let scenario = inputs.scenario().expect("possible at once");
        assert!((scenario.workload.context - 6000.0).abs() < 1e-9);
        assert_eq!(inputs.stated(Number::MeanPrompt), Some(5750.0));
    }

    /// Formats the results of Service for these inputs, both with and without a fixed plan.
    fn served(inputs: &Inputs) -> String {
        let Ok(mut planner) = Planner::new(inputs) else {
            return "impossible".to_owned();
        };
        let demand = Demand::of(inputs);
        let found = planner.answer(&demand);
        let known = planner.known(&demand);
        let tokens = found
            .disaggregated
            .as_ref()
            .map(|of| (of.prefill, of.loaded));
        format!("{known:?} {tokens:?} {:?}", found.cost()).replace(&format!("{:?}", known.of), "")
    }

    #[test]
    fn rows_of_service_reach_it() {
        let links = [
            "v=2&gpu=h200&model=qwen3-235b-a22b&rate=50&ttft=2&slo=25&price=2",
            "v=2&gpu=gb200&model=deepseek-r1&rate=50&mtp=1&precision=fp4",
            "v=2&gpu=h200&model=deepseek-v3&rate=50&gpus=32&dp=32&ep=32&batch=1024",
            "v=2&gpu=h200&model=deepseek-v3.2&rate=50&calibration=ideal",
            "v=3&gpu=h200&model=kimi-k2.5&rate=5&mtp=1&table_gib=20",
            "v=3&gpu=h200&model=qwen3-next-80b-a3b&rate=5",
            "v=1&model=llama-3-70b&gpu=custom&peak_bf16=989&hbm=3350&capacity=141&watts=700&family=hopper&precision=bf16&rate=5",
            "v=1&model=qwen3-235b-a22b&gpu=custom&peak_bf16=2500&peak_fp8=5000&peak_fp4=10000&hbm=8000&capacity=186&family=blackwell&precision=fp4&fmt_attn=fp8&mtp=1&rate=5",
        ];
        let links = links.map(|link| model_core::permalink::read(link).current);
        let reaches = |control: &&Control| match control.kind {
            Widget::Custom(..) => false,
            Widget::Choice(choice) => links.iter().any(|inputs| {
                let now = served(inputs);
                choice.options.iter().any(|option| {
                    let mut with = *inputs;
                    (choice.choose)(&mut with, option.id);
                    // The choice of aggregated prefill also sets the lengths. Restore them, so that only the choice
                    // differs.
                    for number in [Number::MeanPrompt, Number::MeanOutput] {
                        with.state(number, inputs.stated(number));
                    }
                    served(&with) != now
                })
            }),
            Widget::Slider(slider) => links.iter().any(|inputs| {
                let number = slider.number;
                let own = inputs.get(number).unwrap_or(1.0);
                let now = served(inputs);
                let other = [2.0 * own, own / 2.0, own + 1.0, 0.5, number.spec().most];
                let other = other.iter().filter(|other| number.allows(**other));
                let mut other = other.map(|other| served(&inputs.with(number, *other)));
                other.any(|other| other != now)
            }),
        };
        let of_group = |control: &&Control| matches!(control.home, Home::Group(_));
        let ignored = |control: &&Control| NOT_OF_SERVICE.iter().any(|key| control.holds(key));
        let custom = |control: &&Control| matches!(control.kind, Widget::Custom(..));
        let rows = CONTROLS.iter().filter(of_group).filter(|row| !custom(row));
        let wrong: Vec<&Control> = rows.filter(|row| reaches(row) == ignored(row)).collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
