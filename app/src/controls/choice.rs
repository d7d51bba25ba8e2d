//! Choices from short lists.

mod row;

pub use row::choice_row;

use model_core::cost::calibration::{Family, Fold, NamedCalibration};
use model_core::disagg::latency::LatencySource;
use model_core::disagg::lengths::Lengths;
use model_core::disagg::split::{Partition, QEarly};
use model_core::disagg::trace;
use model_core::ops::{Fusion, LatentForm};
use model_core::permalink::NO_TRACE;
use model_core::plan::{Overlap, Shared};
use model_core::precision::{Format, NamedPrecision};
use model_core::scenario::{Inputs, Number};
use model_core::workload::Engine;

/// One of a few.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    /// The identifier in links.
    pub id: &'static str,
    /// On the button.
    pub label: &'static str,
}

const fn offer(id: &'static str, label: &'static str) -> Offer {
    Offer { id, label }
}

/// A choice of the scenario that is shown as buttons side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Where shared experts live.
    Shared,
    /// The schedule.
    Overlap,
    /// The form of latent attention.
    Latent,
    /// The attention kernel.
    Fusion,
    /// The named precision.
    Precision,
    /// Attention's arithmetic.
    AttentionFormat,
    /// The feed-forward's arithmetic.
    FfnFormat,
    /// The named calibration.
    Calibration,
    /// How times add up.
    Fold,
    /// Whose kernels a custom accelerator runs.
    Family,
    /// Whether prompts are read by the engine that decodes.
    Engine,
    /// How memory devices divide attention.
    Partition,
    /// Whether queries are sent ahead.
    QEarly,
    /// Which requests a split serves.
    Trace,
    /// Where latencies of separate instances come from.
    Latencies,
    /// How lengths of requests scatter.
    Lengths,
}

impl Choice {
    const fn key(self) -> &'static str {
        match self {
            Self::Shared => "shared",
            Self::Overlap => "overlap",
            Self::Latent => "mla",
            Self::Fusion => "kernel",
            Self::Precision => "precision",
            Self::AttentionFormat => "fmt_attn",
            Self::FfnFormat => "fmt_ffn",
            Self::Calibration => "calibration",
            Self::Fold => "fold",
            Self::Family => "family",
            Self::Engine => "serving",
            Self::Partition => "partition",
            Self::QEarly => "q_early",
            Self::Trace => "trace",
            Self::Latencies => "latencies",
            Self::Lengths => "lengths",
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Shared => "Shared experts",
            Self::Overlap => "Overlap",
            Self::Latent => "Latent attention",
            Self::Fusion => "Attention kernel",
            Self::Precision => "Precision",
            Self::AttentionFormat => "Attention arithmetic",
            Self::FfnFormat => "FFN arithmetic",
            Self::Calibration => "Calibration",
            Self::Fold => "Times of a block",
            Self::Family => "Kernels of",
            Self::Engine => "Prompts",
            Self::Partition => "Attention divided by",
            Self::QEarly => "Queries ahead",
            Self::Trace => "Requests",
            Self::Latencies => "Latencies",
            Self::Lengths => "Lengths of requests",
        }
    }

    const fn help(self) -> &'static str {
        match self {
            Self::Shared => "On the expert grid like the others, or a copy on every GPU. [A] 3.4",
            Self::Overlap => {
                "What hides behind what: nothing, messages of one half batch behind the other, or Helix's exchange. [A] eqs 48–49, [H] 2.1.3"
            }
            Self::Latent => {
                "Up-projections applied to queries and outputs, or keys and values decompressed. [A] 3.2"
            }
            Self::Fusion => {
                "One kernel that keeps scores on the chip, or two with the scores in memory. [B] Table III"
            }
            Self::Precision => "Bytes and arithmetic by name; each can be changed below. [A] 3.5",
            Self::AttentionFormat | Self::FfnFormat => "The format whose peak applies.",
            Self::Calibration => {
                "How far real kernels and links stay behind the hardware; each factor can be changed below."
            }
            Self::Partition => {
                "Heads go to different memory devices, or requests do; latent attention has one cache for all heads. [L] 5"
            }
            Self::QEarly => {
                "Attention over the earlier tokens starts with the query, while key and value are still on their way. [L] 4.2.2"
            }
            Self::Trace => {
                "The scenario's own batch and context, or as many requests of a trace as memory holds. [L] 6, Table 4"
            }
            Self::Latencies => {
                "Of this scenario's operators, or those that [R] regressed for DeepSeek-V3 on Ascend 910C (a cycle read as a µs). Each can be changed below."
            }
            Self::Lengths => {
                "How prompts and outputs scatter around their means; a trace brings its own means."
            }
            Self::Family => {
                "Whose measured kernels stand for this accelerator's; unstated, Hopper's do, and the page says so."
            }
            Self::Engine => {
                "Prompts read elsewhere, or by the engine that decodes: then every sequence waits while its neighbours' prompts are read, which needs their lengths."
            }
            Self::Fold => {
                "Each operator as slow as its memory or compute, or a whole block. [A] eqs 46–47"
            }
        }
    }

    const fn options(self) -> &'static [Offer] {
        const FORMATS: &[Offer] = &[
            offer("bf16", "BF16"),
            offer("fp8", "FP8"),
            offer("fp4", "FP4"),
        ];
        match self {
            Self::Shared => {
                const {
                    &[
                        offer("distributed", "distributed"),
                        offer("replicated", "replicated"),
                    ]
                }
            }
            Self::Overlap => {
                const {
                    &[
                        offer("none", "none"),
                        offer("two-batch", "two-batch"),
                        offer("hop-b", "HOP-B"),
                    ]
                }
            }
            Self::Latent => const { &[offer("absorbed", "absorbed"), offer("plain", "plain")] },
            Self::Fusion => const { &[offer("fused", "fused"), offer("unfused", "unfused")] },
            Self::Precision => {
                const {
                    &[
                        offer("deepseek-fp8", "deepseek-fp8"),
                        offer("bf16", "bf16"),
                        offer("fp4", "fp4"),
                    ]
                }
            }
            Self::AttentionFormat | Self::FfnFormat => FORMATS,
            Self::Calibration => {
                const {
                    &[
                        offer("kernels-2026", "kernels-2026"),
                        offer("aleph-alpha-2025", "aleph-alpha-2025"),
                        offer("helix", "helix"),
                        offer("lamina", "lamina"),
                        offer("ideal", "ideal"),
                    ]
                }
            }
            Self::Partition => const { &[offer("heads", "heads"), offer("requests", "requests")] },
            Self::QEarly => const { &[offer("on", "on"), offer("off", "off")] },
            Self::Trace => {
                const {
                    &[
                        offer(NO_TRACE, "batch and context"),
                        offer("azure-conv", "Azure conversation"),
                        offer("azure-code", "Azure code"),
                        offer("kimi-conv", "Kimi conversation"),
                        offer("kimi-ta", "Kimi tool and agent"),
                        offer("mooncake-synthetic", "Mooncake synthetic"),
                    ]
                }
            }
            Self::Fold => {
                const {
                    &[
                        offer("operator", "per operator"),
                        offer("block", "per block"),
                    ]
                }
            }
            Self::Family => const { &[offer("hopper", "Hopper"), offer("blackwell", "Blackwell")] },
            Self::Engine => {
                const {
                    &[
                        offer("decode", "read elsewhere"),
                        offer("aggregated", "same engine"),
                    ]
                }
            }
            Self::Latencies => {
                const {
                    &[
                        offer("derived", "of this scenario"),
                        offer("table2", "[R] Table 2"),
                    ]
                }
            }
            Self::Lengths => {
                const {
                    &[
                        offer("geometric", "geometric"),
                        offer("fixed", "all equal"),
                        offer("azure-conv", "Azure conversation"),
                        offer("azure-code", "Azure code"),
                        offer("kimi-conv", "Kimi conversation"),
                        offer("kimi-ta", "Kimi agent"),
                        offer("mooncake-synthetic", "Mooncake synthetic"),
                    ]
                }
            }
        }
    }

    /// The choice in force.
    pub fn of(self, inputs: &Inputs) -> &'static str {
        match self {
            Self::Shared => inputs.shared.id(),
            Self::Overlap => inputs.overlap.id(),
            Self::Latent => inputs.latent.id(),
            Self::Fusion => inputs.fusion.id(),
            Self::Precision => inputs.precision.id(),
            Self::AttentionFormat => inputs.precision().attention_format.id(),
            Self::FfnFormat => inputs.precision().ffn_format.id(),
            Self::Calibration => inputs.calibration.id(),
            Self::Fold => inputs.calibration().fold.id(),
            Self::Family => inputs.family.unwrap_or(Family::Hopper).id(),
            Self::Engine => inputs.engine.id(),
            Self::Partition => inputs
                .partition
                .unwrap_or(Partition::default_of(inputs.model.arch()))
                .id(),
            Self::QEarly => inputs.q_early.id(),
            Self::Trace => inputs.trace.map_or(NO_TRACE, |trace| trace.id),
            Self::Latencies => inputs.latencies.id(),
            Self::Lengths => inputs.lengths.id(),
        }
    }

    /// Chooses; an unknown identifier changes nothing.
    pub fn choose(self, inputs: &mut Inputs, id: &str) {
        fn pick<T: Copy, const N: usize>(
            all: [T; N],
            of: fn(T) -> &'static str,
            id: &str,
            slot: &mut T,
        ) {
            if let Some(found) = all.into_iter().find(|entry| of(*entry) == id) {
                *slot = found;
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
        match self {
            Self::Shared => pick(Shared::ALL, Shared::id, id, &mut inputs.shared),
            Self::Overlap => pick(Overlap::ALL, Overlap::id, id, &mut inputs.overlap),
            Self::Latent => pick(LatentForm::ALL, LatentForm::id, id, &mut inputs.latent),
            Self::Fusion => pick(Fusion::ALL, Fusion::id, id, &mut inputs.fusion),
            Self::Precision => pick(
                NamedPrecision::ALL,
                NamedPrecision::id,
                id,
                &mut inputs.precision,
            ),
            Self::AttentionFormat => {
                pick_some(Format::ALL, Format::id, id, &mut inputs.attention_format)
            }
            Self::FfnFormat => pick_some(Format::ALL, Format::id, id, &mut inputs.ffn_format),
            Self::Calibration => pick(
                NamedCalibration::ALL,
                NamedCalibration::id,
                id,
                &mut inputs.calibration,
            ),
            Self::Fold => pick_some(Fold::ALL, Fold::id, id, &mut inputs.fold),
            Self::Family => pick_some(Family::ALL, Family::id, id, &mut inputs.family),
            Self::Engine => pick(Engine::ALL, Engine::id, id, &mut inputs.engine),
            Self::Partition => pick_some(Partition::ALL, Partition::id, id, &mut inputs.partition),
            Self::QEarly => pick(QEarly::ALL, QEarly::id, id, &mut inputs.q_early),
            Self::Trace => {
                let found = trace::find(id);
                if found.is_some() || id == NO_TRACE {
                    inputs.trace = found;
                }
            }
            Self::Latencies => {
                pick(
                    LatencySource::ALL,
                    LatencySource::id,
                    id,
                    &mut inputs.latencies,
                );
                // They were typed over the other latencies, and for its bundle.
                for number in Number::ALL.into_iter().filter(|it| it.describes_ratio()) {
                    if !matches!(number, Number::Requests | Number::Seed) {
                        inputs.state(number, None);
                    }
                }
                inputs.state(Number::MeanPrompt, None);
                inputs.state(Number::MeanOutput, None);
            }
            Self::Lengths => {
                pick(Lengths::ALL, Lengths::id, id, &mut inputs.lengths);
                // A trace brings its own means.
                inputs.state(Number::MeanPrompt, None);
                inputs.state(Number::MeanOutput, None);
            }
        }
    }
}

#[cfg(test)]
mod tests;
