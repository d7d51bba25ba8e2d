//! Table of all scenario controls: place, labels, stops or options.
//!
//! A control's key in links is its number's or its choice's own. A new control is a row here.

use super::choice::{Choice, Offer, offer};
use super::picker::{accelerator_picker, model_picker};
use super::placement::placement_note;
use super::scale::{Absent, TrackCurve, TrackScale};
use super::stops::*;
use super::terms::terms;
use super::words::{ControlWords, words};
use leptos::prelude::AnyView;
use model_core::apart::LatencySource;
use model_core::apart::Scatter;
use model_core::apart::{Partition, QEarly};
use model_core::arch::Mixer;
use model_core::calibration::{Fold, NamedCalibration};
use model_core::hardware::Family;
use model_core::inputs::{Gpu, Inputs, Number, NumberOf};
use model_core::ops::{Fusion, LatentForm};
use model_core::permalink::NO_TRACE;
use model_core::plan::{Overlap, Shared};
use model_core::precision::{Format, NamedPrecision};
use model_core::trace::{self, TRACES};
use model_core::workload::{Engine, Pools};

use crate::state::App;

/// The sliders that come first.
pub const FIRST: [Number; 5] = [
    Number::Gpus,
    Number::ScaleOut,
    Number::Batch,
    Number::Context,
    Number::Beta,
];

/// The sliders that come first where whole requests are served.
pub const TRAFFIC: [Number; 6] = [
    Number::Rate,
    Number::MeanPrompt,
    Number::MeanOutput,
    Number::Hit,
    Number::Ttft,
    Number::Slo,
];

/// Keys of rows that no number of Service depends on.
pub const NOT_OF_SERVICE: [&str; 5] =
    ["replicas", "serving", "target_usd", "target_tok_s", "watts"];

/// A control.
#[derive(Debug, Clone, Copy)]
pub struct Control {
    /// Place on the page.
    pub home: Home,
    /// True for inputs that have it.
    pub when: fn(&Inputs) -> bool,
    /// Slider, choice or custom.
    pub kind: Widget,
}

/// Place of a control on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Home {
    /// Among the sliders that come first.
    First,
    /// In a group of the panel.
    Group(PanelGroup),
    /// In a view, beside what it is about.
    View,
}

/// A group of controls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PanelGroup {
    /// The architecture.
    Model,
    /// Accelerator and links.
    Hardware,
    /// Sharding and schedule.
    Parallelism,
    /// Speculation, SLO, price.
    Workload,
    /// Bytes and formats.
    Precision,
    /// Inefficiencies.
    Calibration,
}

impl PanelGroup {
    /// All groups, in the panel's order.
    pub const ALL: [Self; 6] = [
        Self::Model,
        Self::Hardware,
        Self::Parallelism,
        Self::Workload,
        Self::Precision,
        Self::Calibration,
    ];

    /// Heading in the panel.
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

/// Kind of a control.
#[derive(Debug, Clone, Copy)]
pub enum Widget {
    /// A slider with a field.
    Slider(Slider),
    /// Buttons side by side.
    Choice(Choice),
    /// A control of its own, with the keys that it answers for.
    Custom(&'static [&'static str], fn(App) -> AnyView),
}

/// A number's control.
#[derive(Debug, Clone, Copy)]
pub struct Slider {
    /// The number, which knows its key and its limits.
    pub number: Number,
    /// Its labels.
    pub words: ControlWords,
    /// Text shown without a value: "model's own", "none".
    pub absent: &'static str,
    /// Its scale in a scenario.
    pub scale: fn(Number, &Inputs) -> TrackScale,
}

impl Control {
    /// True if it sets this key of links.
    pub fn holds(&self, key: &str) -> bool {
        match self.kind {
            Widget::Slider(slider) => slider.number.spec().key == key,
            Widget::Choice(choice) => choice.key == key,
            Widget::Custom(keys, _) => keys.contains(&key),
        }
    }

    /// False for rows that Service has at the top of the panel, or whose value it ignores.
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

/// The scale of a number's slider.
pub fn scale_of(number: Number, inputs: &Inputs) -> TrackScale {
    (slider_of(number).scale)(number, inputs)
}

/// The slider of a number.
pub fn slider_of(number: Number) -> &'static Slider {
    let slider = |control: &'static Control| match &control.kind {
        Widget::Slider(slider) => Some(slider),
        _ => None,
    };
    let mut sliders = CONTROLS.iter().filter_map(slider);
    // A test holds that every number has its row.
    sliders
        .find(|slider| slider.number == number)
        .unwrap_or(&GPUS)
}

/// The choice with a key of links.
pub fn choice_of(key: &str) -> Option<&'static Choice> {
    CONTROLS.iter().find_map(|control| match &control.kind {
        Widget::Choice(choice) if choice.key == key => Some(choice),
        _ => None,
    })
}

/// `first`, then every trace.
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
    and_traces(&[offer("geometric", "geometric"), offer("fixed", "all equal")]);
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
    reason = "a row of a table has its columns"
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

const fn custom(home: Home, keys: &'static [&'static str], view: fn(App) -> AnyView) -> Control {
    Control {
        home,
        when: always,
        kind: Widget::Custom(keys, view),
    }
}

fn always(_: &Inputs) -> bool {
    true
}

/// True if the model has experts.
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

/// True if any scale factor of hardware or calibration is stated.
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
        "Accelerators of the whole deployment.",
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

/// The controls, in the order of the panel.
#[rustfmt::skip]
pub static CONTROLS: [Control; 102] = [
    slider(Home::First, always, Number::Gpus, words("GPUs", "GPUs", "", "", ("N", ""), "Accelerators of the whole deployment.", "[A] 3.3"), |number, inputs| TrackScale::new( TrackCurve::Log, gpus(whole(inputs, Number::Domain), number.spec().most as u32), )),
    slider(Home::First, always, Number::ScaleOut, words("Scale-out", "scale-out", "per GPU, one way", "GB/s", ("W", "out"), "Bandwidth of each GPU to other nodes, one direction. Communication time is inversely proportional to it.", "[A] 3.3"), |number, inputs| nice(5.0, 1000.0, number, inputs)),
    slider(Home::First, always, Number::Batch, words("Batch", "batch", "", "seq", ("B", ""), "Sequences decoded at once over the whole deployment.", "[A] 3.1"), |number, inputs| TrackScale::new(TrackCurve::Log, batch(inputs, number.spec().most))),
    slider(Home::First, always, Number::Context, words("Context", "context", "mean", "tok", ("S", ""), "Mean tokens of context per sequence: what attention reads for each new token.", "[A] 3.1"), |number, _| TrackScale::new(TrackCurve::Log, context(number.spec().most))),
    slider(Home::First, always, Number::Beta, words("Balancedness", "β_eb", "mean/max", "", ("β", "eb"), "Expert balancedness: mean over maximum load of a GPU. The busiest GPU computes and receives 1/β of the mean tokens.", "[A] 3.4"), |_, _| TrackScale::new(TrackCurve::Linear, steps(0.1, 1.0, 90))),
    custom(Home::Group(PanelGroup::Model), &["model", "arch"], model_picker),
    choice(Home::Group(PanelGroup::Model), is_latent, "mla", "Latent attention", "Up-projections applied to queries and outputs, or keys and values decompressed. [A] 3.2", &[offer("absorbed", "absorbed"), offer("plain", "plain")], |inputs| inputs.latent.id(), |inputs, id| pick(LatentForm::ALL, LatentForm::id, id, &mut inputs.latent)),
    choice(Home::Group(PanelGroup::Model), always, "kernel", "Attention kernel", "One kernel that keeps scores on the chip, or two with the scores in memory. [B] Table III", &[offer("fused", "fused"), offer("unfused", "unfused")], |inputs| inputs.fusion.id(), |inputs, id| pick(Fusion::ALL, Fusion::id, id, &mut inputs.fusion)),
    custom(Home::Group(PanelGroup::Hardware), &["gpu"], accelerator_picker),
    slider(Home::Group(PanelGroup::Hardware), is_custom, Number::PeakBf16, words("BF16 peak", "BF16", "dense", "TFLOP/s", ("", ""), "Dense BF16 compute.", "vendor"), peak),
    slider(Home::Group(PanelGroup::Hardware), is_custom, Number::PeakFp8, words("FP8 peak", "FP8", "dense", "TFLOP/s", ("", ""), "Dense FP8 compute; none if the accelerator lacks the format.", "vendor"), peak),
    slider(Home::Group(PanelGroup::Hardware), is_custom, Number::PeakFp4, words("FP4 peak", "FP4", "dense", "TFLOP/s", ("", ""), "Dense FP4 compute; none if the accelerator lacks the format.", "vendor"), peak),
    slider(Home::Group(PanelGroup::Hardware), is_custom, Number::Hbm, words("HBM bandwidth", "HBM", "per GPU", "GB/s", ("", ""), "Bandwidth of a GPU's own memory.", "vendor"), |number, inputs| nice(100.0, 50_000.0, number, inputs)),
    slider(Home::Group(PanelGroup::Hardware), is_custom, Number::Capacity, words("Memory", "memory", "per GPU", "GiB", ("", ""), "Memory of a GPU; the printed gigabytes are read as GiB.", "vendor"), |_, _| TrackScale::new( TrackCurve::Log, vec![ 8.0, 16.0, 24.0, 32.0, 40.0, 48.0, 64.0, 80.0, 96.0, 128.0, 141.0, 180.0, 192.0, 256.0, 288.0, 384.0, 512.0, 768.0, 1024.0, ], )),
    slider(Home::Group(PanelGroup::Hardware), is_custom, Number::Watts, words("Board power", "watts", "per GPU", "W", ("", ""), "Power of the board, for the energy of a token.", "vendor"), |number, inputs| nice(50.0, 5000.0, number, inputs).or_absent(Absent::Left)),
    slider(Home::Group(PanelGroup::Hardware), always, Number::ScaleUp, words("Scale-up", "scale-up", "per GPU, one way", "GB/s", ("W", "in"), "Bandwidth of each GPU inside its domain, one direction.", "[A] 3.3"), |number, inputs| nice(10.0, 10_000.0, number, inputs)),
    slider(Home::Group(PanelGroup::Hardware), always, Number::Domain, words("Domain", "domain", "GPUs each", "", ("G", ""), "GPUs joined by the scale-up network: 8 in a node, 72 in an NVL72 rack.", "[A] 3.3"), |number, inputs| TrackScale::new( TrackCurve::Log, with_default( vec![ 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 36.0, 64.0, 72.0, 128.0, 144.0, 256.0, 384.0, 512.0, 576.0, 1024.0, ], number, inputs, ), )),
    slider(Home::Group(PanelGroup::Hardware), is_scaled, Number::HbmScale, words("HBM bandwidth ×", "× HBM", "× nominal", "", ("", ""), "Multiplies the accelerator’s HBM bandwidth.", "assumed"), times),
    slider(Home::Group(PanelGroup::Hardware), is_scaled, Number::CapacityScale, words("HBM capacity ×", "× capacity", "× nominal", "", ("", ""), "Multiplies the accelerator’s memory.", "assumed"), times),
    slider(Home::Group(PanelGroup::Hardware), is_scaled, Number::PeakScale, words("FLOP/s ×", "× FLOP/s", "× nominal", "", ("", ""), "Multiplies the accelerator’s peak in every format.", "assumed"), times),
    slider(Home::Group(PanelGroup::Hardware), is_scaled, Number::LatencyScale, words("Collective latency ×", "× α", "× nominal", "", ("", ""), "Multiplies the calibration’s latency of every collective.", "assumed"), times),
    slider(Home::Group(PanelGroup::Hardware), is_scaled, Number::OverheadScale, words("Framework overhead ×", "× overhead", "× nominal", "", ("", ""), "Multiplies the calibration’s kernel launch, framework overhead and CPU overhead.", "assumed"), times),
    slider(Home::Group(PanelGroup::Parallelism), always, Number::Replicas, words("Replicas", "replicas", "of all GPUs above", "", ("", ""), "Equal deployments, each with these GPUs and this batch. Throughput, cost and power count all of them; a step does not.", "–"), |_, _| TrackScale::new(TrackCurve::Log, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0, 128.0, 256.0, 512.0, 1024.0])),
    slider(Home::Group(PanelGroup::Parallelism), always, Number::Dp, words("DP attention", "DP", "", "", ("dp", ""), "Attention groups that each hold their own sequences. DP × TP × KVP × PP must equal GPUs.", "[H] 2.1"), even_parts),
    slider(Home::Group(PanelGroup::Parallelism), always, Number::Tp, words("TP attention", "TP", "", "", ("tp", ""), "GPUs that the query heads of a group are split over.", "[H] 2.1"), even_parts),
    slider(Home::Group(PanelGroup::Parallelism), always, Number::Kvp, words("KVP (DCP)", "KVP", "", "", ("kvp", ""), "GPUs that the context of a group is split over (decode context parallel).", "[H] 2.1"), even_parts),
    slider(Home::Group(PanelGroup::Parallelism), is_moe, Number::Ep, words("EP experts", "EP", "", "", ("ep", ""), "GPUs that the experts are spread over. EP × FFN TP × PP must equal GPUs.", "[A] 3.3"), even_parts),
    slider(Home::Group(PanelGroup::Parallelism), always, Number::FfnTp, words("FFN TP", "FFN TP", "", "", ("tp", "f"), "GPUs that each FFN matrix is split over.", "[H] 2.2"), even_parts),
    slider(Home::Group(PanelGroup::Parallelism), always, Number::Pp, words("Pipeline PP", "PP", "", "", ("pp", ""), "Stages that the layers are cut into.", "[H] 3"), even_parts),
    slider(Home::Group(PanelGroup::Parallelism), is_moe, Number::Redundant, words("Redundant experts", "redundant", "", "", ("R", ""), "Extra replicas of busy experts, spread over the EP ranks with the others.", "[A] 3.4"), |_, _| TrackScale::new(TrackCurve::Linear, steps(0.0, 256.0, 64))),
    custom(Home::Group(PanelGroup::Parallelism), &[], placement_note),
    choice(Home::Group(PanelGroup::Parallelism), is_moe, "shared", "Shared experts", "Spread over the EP ranks like routed experts, or replicated on every GPU. [A] 3.4", &[offer("distributed", "distributed"), offer("replicated", "replicated")], |inputs| inputs.shared.id(), |inputs, id| pick(Shared::ALL, Shared::id, id, &mut inputs.shared)),
    choice(Home::Group(PanelGroup::Parallelism), always, "overlap", "Overlap", "Communication behind compute: two-batch (TBO, DBO) runs two half batches in turn; HOP-B hides each sequence’s exchange of attention behind the next one’s. [A] eqs 48–49, [H] 2.1.3", &[offer("none", "none"), offer("two-batch", "two-batch"), offer("hop-b", "HOP-B")], |inputs| inputs.overlap.id(), |inputs, id| pick(Overlap::ALL, Overlap::id, id, &mut inputs.overlap)),
    slider(Home::Group(PanelGroup::Parallelism), is_moe, Number::NodeLimit, words("Node limit", "node limit", "domains per token", "", ("M", ""), "Most scale-up domains that a token's experts may lie in; fewer means less scale-out communication.", "[A] 2.3"), nodelimit_stops),
    slider(Home::Group(PanelGroup::Workload), always, Number::Slo, words("SLO", "SLO", "least per user", "tok/s", ("", ""), "Least tokens per second that a user accepts.", "[B] VI"), |number, inputs| nice(1.0, 500.0, number, inputs).or_absent(Absent::Left)),
    choice(Home::Group(PanelGroup::Workload), always, "serving", "Prefill", "Disaggregated, or aggregated in the engine that decodes. Aggregated prefill delays every sequence, and needs the lengths of requests.", &[offer("decode", "disaggregated"), offer("aggregated", "aggregated")], |inputs| inputs.engine.id(), choose_engine),
    slider(Home::Group(PanelGroup::Workload), always, Number::MeanPrompt, words("Prompt", "prompt", "tokens, mean", "", ("μ", "P"), "Mean prompt tokens (ISL) of a request.", "[R] 3.3"), tokens),
    slider(Home::Group(PanelGroup::Workload), always, Number::MeanOutput, words("Output", "output", "tokens, mean", "", ("μ", "D"), "Mean tokens that a request generates (OSL).", "[R] 3.3"), tokens),
    slider(Home::Group(PanelGroup::Workload), always, Number::SpeculationDepth, words("MTP", "MTP", "draft tokens", "", ("δ", ""), "Draft tokens per step (multi-token prediction), verified in the same step.", "[A] 1"), |_, _| TrackScale::new(TrackCurve::Linear, steps(0.0, 8.0, 8))),
    slider(Home::Group(PanelGroup::Workload), always, Number::Hit, words("Prefix cache", "cached", "share of a prompt", "", ("h", ""), "Share of a prompt that is in the prefix cache: prefill computes the rest.", "DeepSeek-V3/R1 inference system overview: 56 % in production"), |_, _| TrackScale::new(TrackCurve::Linear, steps(0.0, 0.99, 99))),
    slider(Home::Group(PanelGroup::Workload), always, Number::Chunk, words("Prefill chunk", "chunk", "tokens per pass and DP rank", "", ("C", ""), "Most tokens that an attention group prefills in one pass.", "SGLang, large-scale EP (May 2025): 16,384"), |_, _| TrackScale::new(TrackCurve::Log, doublings(256.0, 1_048_576.0))),
    slider(Home::View, always, Number::Rate, words("Request rate", "requests", "in all", "requests/s", ("λ", ""), "Requests per second that arrive in all.", ""), |number, inputs| nice(0.1, 10_000.0, number, inputs).or_absent(Absent::Left)),
    slider(Home::View, always, Number::Ttft, words("First token", "first token", "mean, at most", "s", ("", ""), "Limit of the mean time to first token.", ""), |number, inputs| nice(0.1, 100.0, number, inputs).or_absent(Absent::Right)),
    choice(Home::View, always, "pools", "Pools", "Replicas that prefill and decode, a prefill pool beside a decode pool, or the cheaper of both.", &[offer("best", "cheaper"), offer("disaggregated", "apart"), offer("aggregated", "aggregated")], |inputs| inputs.pools.id(), |inputs, id| pick(Pools::ALL, Pools::id, id, &mut inputs.pools)),
    slider(Home::View, always, Number::Util, words("Utilisation", "utilisation", "at most", "", ("ρ", ""), "Highest share of its rate that a pool is planned for.", "assumed"), |_, _| TrackScale::new(TrackCurve::Linear, steps(0.1, 0.99, 89))),
    slider(Home::View, always, Number::PrefillGpus, words("Prefill GPUs", "prefill GPUs", "of a replica", "", ("G", "p"), "GPUs of a prefill replica; searched unless stated.", ""), |_, _| TrackScale::new(TrackCurve::Log, doublings(1.0, 4096.0)).or_absent(Absent::Left)),
    slider(Home::View, always, Number::PrefillTp, words("Prefill TP", "prefill TP", "of a replica", "", ("tp", "p"), "Tensor parallelism of a prefill replica; searched unless stated.", ""), |_, _| TrackScale::new(TrackCurve::Log, doublings(1.0, 64.0)).or_absent(Absent::Left)),
    slider(Home::View, always, Number::PrefillPrice, words("Prefill price", "prefill price", "per GPU", "$/h", ("", ""), "Dollars per GPU-hour of the prefill pool.", "as the accelerator's list says"), price),
    slider(Home::Group(PanelGroup::Workload), always, Number::Acceptance, words("Acceptance rate", "acceptance", "per token", "", ("p", ""), "Probability that a draft token is accepted, given that the one before it was.", "[A] 1"), |_, _| TrackScale::new(TrackCurve::Linear, steps(0.0, 1.0, 100))),
    slider(Home::Group(PanelGroup::Workload), always, Number::Reserve, words("Reserve", "reserve", "share kept free", "", ("", ""), "Share of the memory kept free for buffers that are not modelled.", "[A] 4"), |_, _| TrackScale::new(TrackCurve::Linear, steps(0.0, 0.5, 50))),
    slider(Home::Group(PanelGroup::Workload), always, Number::Price, words("Price", "price", "per GPU", "$/h", ("", ""), "Dollars per GPU-hour, for the cost of a million tokens.", "as the accelerator's list says"), price),
    slider(Home::Group(PanelGroup::Workload), always, Number::TargetCost, words("Target cost", "target cost", "most per million tokens", "$", ("", ""), "Most dollars per million tokens. “What would it take?” then answers for it.", ""), |number, inputs| nice(0.01, 100.0, number, inputs).or_absent(Absent::Right)),
    slider(Home::Group(PanelGroup::Workload), always, Number::TargetThroughput, words("Target throughput", "target throughput", "least in all", "tok/s", ("", ""), "Least tokens per second of the whole deployment. “What would it take?” then answers for it.", ""), |number, inputs| nice(100.0, 1e7, number, inputs).or_absent(Absent::Left)),
    choice(Home::Group(PanelGroup::Precision), always, "precision", "Precision", "Bytes and compute formats by name; each can be changed below. fp4: weights, cache and compute in FP4, attention too. [A] 3.5", &[offer("deepseek-fp8", "deepseek-fp8"), offer("bf16", "bf16"), offer("fp4", "fp4"), offer(RELEASED, "as released")], precision_of, choose_precision).having(|inputs, id| id != RELEASED || inputs.four_bits().is_some()).long(),
    choice(Home::Group(PanelGroup::Precision), always, "fmt_attn", "Attention compute", "The format whose peak applies.", &[offer("bf16", "BF16"), offer("fp8", "FP8"), offer("fp4", "FP4")], |inputs| inputs.precision().attention_format.id(), |inputs, id| pick_some(Format::ALL, Format::id, id, &mut inputs.attention_format)),
    choice(Home::Group(PanelGroup::Precision), always, "fmt_ffn", "FFN compute", "The format whose peak applies.", &[offer("bf16", "BF16"), offer("fp8", "FP8"), offer("fp4", "FP4")], |inputs| inputs.precision().ffn_format.id(), |inputs, id| pick_some(Format::ALL, Format::id, id, &mut inputs.ffn_format)),
    slider(Home::Group(PanelGroup::Precision), always, Number::AttentionWeightBytes, words("Attention weights", "w_attn", "", "B/elem", ("w", "a"), "Bytes per attention weight.", "[A] 3.5"), bytes_per_element),
    slider(Home::Group(PanelGroup::Precision), always, Number::FfnWeightBytes, words("FFN weights", "w_ffn", "", "B/elem", ("w", "f"), "Bytes per weight of experts and dense layers.", "[A] 3.5"), bytes_per_element),
    slider(Home::Group(PanelGroup::Precision), always, Number::KvBytes, words("KV cache", "kv", "", "B/elem", ("c", ""), "Bytes per element of the cache.", "[A] 3.5"), bytes_per_element),
    slider(Home::Group(PanelGroup::Precision), has_index, Number::IndexKeyBytes, words("Index keys", "kv index", "", "B/elem", ("c", "i"), "Bytes per element of an index's key, scales included, where attention selects its tokens.", "DeepSeek-V3.2-Exp"), bytes_per_index_key),
    slider(Home::Group(PanelGroup::Precision), always, Number::ActivationBytes, words("Activations", "act", "", "B/elem", ("x", ""), "Bytes per element between operators.", "[A] 3.5"), bytes_per_element),
    slider(Home::Group(PanelGroup::Precision), always, Number::DispatchBytes, words("Dispatch", "dispatch", "to the experts", "B/elem", ("x", "d"), "Bytes per element of a token sent to its experts.", "[A] 3.3"), bytes_per_element),
    slider(Home::Group(PanelGroup::Precision), always, Number::CombineBytes, words("Combine", "combine", "from the experts", "B/elem", ("x", "c"), "Bytes per element of an expert's result sent back.", "[A] 3.3"), bytes_per_element),
    choice(Home::Group(PanelGroup::Calibration), always, "calibration", "Calibration", "Efficiency of real kernels and links on the hardware; each factor can be changed below.", &[offer("kernels-2026", "kernels-2026"), offer("kernels-2026-11", "kernels-2026-11"), offer("aleph-alpha-2025", "aleph-alpha-2025"), offer("helix", "helix"), offer("lamina", "lamina"), offer("ideal", "ideal")], |inputs| inputs.calibration.id(), |inputs, id| pick(NamedCalibration::ALL, NamedCalibration::id, id, &mut inputs.calibration)).long(),
    choice(Home::Group(PanelGroup::Calibration), is_custom, "family", "Kernels of", "Accelerator family whose measured kernels are used. By default Hopper's, which the page marks as extrapolated.", &[offer("hopper", "Hopper"), offer("blackwell", "Blackwell"), offer("cdna3", "CDNA 3"), offer("cdna4", "CDNA 4")], |inputs| inputs.family.unwrap_or(Family::Hopper).id(), |inputs, id| pick_some(Family::ALL, Family::id, id, &mut inputs.family)),
    choice(Home::Group(PanelGroup::Calibration), has_folds, "fold", "Times of a block", "Each operator as slow as its memory or compute, or a whole block. [A] eqs 46–47", &[offer("operator", "per operator"), offer("block", "per block")], |inputs| inputs.calibration().fold.id(), |inputs, id| pick_some(Fold::ALL, Fold::id, id, &mut inputs.fold)),
    slider(Home::Group(PanelGroup::Calibration), always, Number::MemoryFactor, words("Memory", "ε memory", "ε, × ideal", "×", ("ε", "m"), "Time of memory traffic over that at peak bandwidth.", "[A] 3.5"), factor),
    slider(Home::Group(PanelGroup::Calibration), always, Number::AttentionFactor, words("Attention compute", "ε attention", "ε", "×", ("ε", "a"), "Time of attention's compute over that at the peak.", "[A] 3.5"), factor),
    slider(Home::Group(PanelGroup::Calibration), always, Number::FfnFactor, words("FFN compute", "ε FFN", "ε", "×", ("ε", "f"), "Time of experts' and dense layers' compute over that at the peak.", "[A] 3.5"), factor),
    slider(Home::Group(PanelGroup::Calibration), always, Number::NetworkFactor, words("Communication", "ε communication", "ε", "×", ("ε", "n"), "Time of communication over that at the link's bandwidth.", "[A] 3.5"), factor),
    slider(Home::Group(PanelGroup::Calibration), always, Number::LatencyMicros, words("Collective latency", "collective latency", "per collective", "µs", ("α", ""), "Fixed time of each collective, whatever its size. Empty: every kind of collective has its own.", "[H] fit"), fixed_time),
    slider(Home::Group(PanelGroup::Calibration), always, Number::OverheadMicros, words("Kernel launch", "kernel launch", "per operator", "µs", ("", ""), "Fixed time of each operator, or of each matrix product where kernels are calibrated separately.", "not in the papers"), fixed_time),
    slider(Home::Group(PanelGroup::Calibration), always, Number::LayerMicros, words("Framework overhead", "overhead", "per layer and pass", "µs", ("o", "L"), "Small kernels and gaps of a layer: norms, rotary, quantisation, top-k, sampling, launches.", "fitted to measured systems"), fixed_time),
    slider(Home::Group(PanelGroup::Calibration), always, Number::HostMicros, words("CPU overhead", "CPU overhead", "per step", "µs", ("o", "H"), "CPU time of a step that is not overlapped; about 6,100 µs without overlapped scheduling.", "SGLang on 16 H200"), fixed_time),
    custom(Home::Group(PanelGroup::Calibration), &[], terms),
    slider(Home::View, always, Number::Instances, words("Replicas compared", "replicas", "of this deployment", "", ("", ""), "Replicas of this deployment, compared with one large deployment on all their GPUs.", "[B] VII-C"), |_, _| TrackScale::new(TrackCurve::Log, vec![2.0, 4.0, 8.0, 16.0, 32.0, 64.0])),
    slider(Home::View, always, Number::Interconnect, words("Interconnect", "interconnect", "per GPU, one way", "GB/s", ("", ""), "Bandwidth between all GPUs of the large deployment, per GPU and direction.", "[B] VII-C"), |number, inputs| nice(1.0, 10_000.0, number, inputs)),
    choice(Home::View, always, "latencies", "Latencies", "Of this scenario's operators, or those that [R] regressed for DeepSeek-V3 on Ascend 910C (a cycle read as a µs). Each can be changed below.", &[offer("derived", "of this scenario")], |inputs| inputs.latencies.id(), choose_latencies),
    choice(Home::View, always, "lengths", "Lengths of requests", "Distribution of prompt and output lengths; a trace has its own means.", &OFFERED_LENGTHS, |inputs| inputs.lengths.id(), choose_lengths).long(),
    slider(Home::View, always, Number::Ratio, words("Ratio", "ratio", "attention ranks per FFN rank", "", ("r", ""), "Attention GPUs or ranks over those of the FFN. Empty: the best.", "[R] eqs 15–19"), ratio_stops).absent("best"),
    slider(Home::View, always, Number::Slots, words("Sequences", "sequences", "per batch and rank", "", ("B", ""), "Sequences of one of the two micro-batches in flight, on one attention rank.", "[R] 3.1"), |number, inputs| TrackScale::new( TrackCurve::Log, with_default( (0..=12).map(|power| f64::from(1 << power)).collect(), number, inputs, ), )),
    slider(Home::View, always, Number::FfnInstances, words("FFN ranks", "FFN ranks", "y of xAyF", "", ("y", ""), "FFN ranks of an xAyF unit, which run in step.", "[R] 3.1"), |_, _| TrackScale::new(TrackCurve::Linear, steps(1.0, 8.0, 7))),
    slider(Home::View, always, Number::Requests, words("Requests", "requests", "per attention rank", "", ("N", ""), "Requests that a simulation completes, and the horizon of averages.", "[R] 4.2, 5.3"), |number, inputs| nice(100.0, 100_000.0, number, inputs)),
    slider(Home::View, always, Number::Seed, words("Seed", "seed", "of the lengths", "", ("", ""), "The same seed draws the same requests, on every machine.", ""), |_, _| TrackScale::new(TrackCurve::Linear, steps(0.0, 20.0, 20))),
    slider(Home::View, always, Number::AttentionSlopeMicros, words("Attention slope", "attention slope", "per cached token", "µs", ("α_A", ""), "Time that each cached token adds to an attention step: reading it.", "[R] eqs 2, 26"), slope).absent("derived"),
    slider(Home::View, always, Number::FfnSlopeMicros, words("FFN slope", "FFN slope", "per row", "µs", ("α_F", ""), "Time that each sequence adds to an FFN step: its compute on the busiest GPU.", "[R] eqs 3, 33"), slope).absent("derived"),
    slider(Home::View, always, Number::MessageSlopeMicros, words("Communication slope", "communication slope", "per sequence", "µs", ("α_C", ""), "Time that each sequence adds to the round trip between attention and FFN: its bytes.", "[R] eqs 4, 38"), slope).absent("derived"),
    slider(Home::View, always, Number::AttentionInterceptMicros, words("Attention intercept", "attention intercept", "per step", "µs", ("β_A", ""), "Fixed time of an attention step: projections, head, kernel launches.", "[R] eq 2"), intercept).absent("derived"),
    slider(Home::View, always, Number::FfnInterceptMicros, words("FFN intercept", "FFN intercept", "per step", "µs", ("β_F", ""), "Fixed time of an FFN step: reading weights, kernel launches.", "[R] eq 3"), intercept).absent("derived"),
    slider(Home::View, always, Number::MessageInterceptMicros, words("Communication intercept", "communication intercept", "per step", "µs", ("β_C", ""), "Latency of the round trips of a step.", "[R] eq 4"), intercept).absent("derived"),
    choice(Home::View, always, "trace", "Requests", "The scenario's own batch and context, or as many requests of a trace as memory holds. [L] 6, Table 4", &OFFERED_TRACES, |inputs| inputs.trace.map_or(NO_TRACE, |trace| trace.id), choose_trace).long(),
    choice(Home::View, always, "q_early", "Early query", "Attention over earlier tokens starts with the query, before key and value arrive. [L] 4.2.2", &[offer("on", "on"), offer("off", "off")], |inputs| inputs.q_early.id(), |inputs, id| pick(QEarly::ALL, QEarly::id, id, &mut inputs.q_early)),
    choice(Home::View, always, "partition", "Attention partition", "Heads or requests are split over memory devices; latent attention has one cache for all heads. [L] 5", &[offer("heads", "heads"), offer("requests", "requests")], |inputs| inputs.partition.unwrap_or(Partition::default_of(inputs.model.arch())).id(), |inputs, id| pick_some(Partition::ALL, Partition::id, id, &mut inputs.partition)),
    slider(Home::View, always, Number::ComputeGpus, words("Compute devices", "compute", "all replicas", "", ("a", ""), "Accelerators that hold the weights and run everything but attention.", "[L] 3.1"), devices),
    slider(Home::View, always, Number::MemoryGpus, words("Memory devices", "memory", "", "", ("b", ""), "Accelerators that hold the cache and run attention.", "[L] 3.1"), devices),
    slider(Home::View, always, Number::Net, words("Network", "network", "per device, one way", "GB/s", ("W", ""), "Bandwidth of each device to the other side, one direction.", "[L] 6"), |number, inputs| nice(1.0, 1000.0, number, inputs)),
    slider(Home::View, always, Number::NetMicros, words("Round trip", "round trip", "per layer", "µs", ("", ""), "Latency of an empty round trip: 33 µs with a stack that bypasses the CPU, 66.6 with NCCL.", "[L] 6.3"), |number, inputs| TrackScale::new( TrackCurve::FromZero(5.0), with_default([from_zero(1.0, 200.0), vec![66.6]].concat(), number, inputs), )),
    slider(Home::View, always, Number::SlowDown, words("Allowed slow-down", "slow-down", "of the computation", "×", ("α", ""), "Time that the network may add, over the compute time. Sets the least bandwidth.", "[L] 3.1"), |_, _| TrackScale::new(TrackCurve::Linear, steps(0.02, 1.0, 49))),
    slider(Home::View, always, Number::Batches, words("Batches in flight", "batches", "", "", ("j", ""), "Batches that take turns on both sides, with one model replica fewer.", "[L] 4.3"), |_, _| TrackScale::new(TrackCurve::Linear, steps(1.0, 8.0, 7))),
    slider(Home::View, always, Number::Budget, words("Budget", "budget", "none: equal price", "$/h", ("", ""), "Most dollars per hour of the search over devices. Empty: the price of the cluster of compute accelerators.", "[L] 6.1"), |number, inputs| nice(1.0, 5000.0, number, inputs).or_absent(Absent::Left)),
    slider(Home::View, always, Number::ComputePrice, words("Compute price", "compute price", "per device", "$/h", ("", ""), "Dollars per hour of a compute device.", "one source for both sides"), price),
    slider(Home::View, always, Number::MemoryPrice, words("Memory price", "memory price", "per device", "$/h", ("", ""), "Dollars per hour of a memory device.", "one source for both sides"), price),
];

fn pick<T: Copy, const N: usize>(all: [T; N], of: fn(T) -> &'static str, id: &str, slot: &mut T) {
    if let Some(found) = all.into_iter().find(|entry| of(*entry) == id) {
        *slot = found;
    }
}

/// Identifier of this list alone: links state it by its parts. Experts in the four bits that the authors released.
const RELEASED: &str = "released";

fn precision_of(inputs: &Inputs) -> &'static str {
    match inputs.is_released() {
        true => RELEASED,
        false => inputs.precision.id(),
    }
}

fn choose_precision(inputs: &mut Inputs, id: &str) {
    if id == RELEASED {
        *inputs = inputs.as_released().unwrap_or(*inputs);
        return;
    }
    if inputs.is_released() {
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

/// Aggregated prefill needs lengths: those shown, with a prompt that leaves the mean context as it is.
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
    // They were stated for the other latencies and its xAyF unit.
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
    // A trace has its own means.
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
                // The default calibration runs kernels one after another; other folds need the ideal one.
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

    /// Numbers of a service, with and without a stated plan.
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
                    // Aggregated prefill states lengths, which are not its own.
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
