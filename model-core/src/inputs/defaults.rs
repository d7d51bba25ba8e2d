//! Defaults of numeric inputs, and the conversion of inputs to a scenario.
//!
//! The defaults of a permalink version are frozen: a permalink that omits a key must always mean the same scenario.

use super::{Gpu, Inputs, Number, split};
use crate::apart::LatencySource;
use crate::arch::Mixer;
use crate::calibration::engine::MEASURED_PART;
use crate::calibration::{Calibration, Overrides};
use crate::hardware::{Accelerator, Cluster, Peaks};
use crate::math::largest_divisor;
use crate::ops::kernel::{Kernel, LatentForm};
use crate::plan::{Plan, PlanSpec, least_experts_placed};
use crate::refusal::{Half, Refusal};
use crate::scenario::Scenario;
use crate::units::{Bytes, BytesPerSecond, FlopPerSecond, Seconds};
use crate::workload::{Engine, Lengths, Prompts, Serving, Speculation, Workload};

impl Inputs {
    /// Returns the default of a numeric input: fixed in [`Number::spec`] or derived from the other inputs. `None` if
    /// the input has no default.
    pub fn default_of(&self, number: Number) -> Option<f64> {
        let precision = || self.named_precision();
        let calibration = || self.named_calibration();
        if self.version.starts_as_engines_do()
            && let Some(start) = self.start_of(number)
        {
            return Some(start);
        }
        match number {
            Number::Context => Some(self.default_context()),
            Number::Reserve => Some(self.version.reserve()),
            Number::Domain => Some(f64::from(self.accelerator().domain)),
            Number::ScaleUp => Some(self.accelerator().scale_up.as_gb()),
            Number::ScaleOut => Some(self.accelerator().scale_out.as_gb()),
            // The network that joins domains today.
            Number::Interconnect => self.get(Number::ScaleOut),
            Number::Price => {
                let given = self.prices.of_gpu(self.gpu);
                given.or_else(|| self.accelerator().dollars_per_hour)
            }
            Number::AttentionWeightBytes => Some(precision().attention_weights),
            Number::FfnWeightBytes => Some(precision().ffn_weights),
            Number::KvBytes => {
                let layout = self.kv_layout.or(self.default_layout());
                let bytes = layout.and_then(|layout| layout.bytes(self.model.arch()));
                Some(bytes.unwrap_or(precision().kv))
            }
            Number::IndexKeyBytes => Some(precision().kv_index),
            Number::ActivationBytes => Some(precision().activations),
            Number::DispatchBytes => Some(precision().dispatch),
            Number::CombineBytes => Some(precision().combine),
            Number::MemoryFactor => Some(calibration().memory),
            Number::AttentionFactor => Some(calibration().attention),
            Number::FfnFactor => Some(calibration().ffn),
            // `None` if the factors of collectives differ, because then no single number is the default.
            Number::NetworkFactor => self.calibration.message_factor(),
            Number::LatencyMicros => self.calibration.latency_micros(),
            Number::OverheadMicros => Some(self.calibration.overhead_micros()),
            Number::LayerMicros => self.calibration.layer_micros(),
            Number::HostMicros => self.calibration.host_micros(),
            Number::Acceptance => self.accepted().or(number.spec().default),
            Number::EngineGib => Some(self.memory_without(number)?.engine.total.as_gib()),
            Number::WeightsGib => Some(self.memory_without(number)?.weights().as_gib()),
            Number::EncoderGib => self.default_encoder(),
            Number::TableGib => self.default_table(),
            Number::StateBytes => self.version.starts_as_engines_do().then_some(2.0),
            Number::Dp | Number::Tp | Number::FfnTp | Number::Ep => self.default_sharding(number),
            Number::Slots => Some(self.default_slots()),
            Number::MeanPrompt => Some(self.default_prompt()),
            Number::MeanOutput => Some(self.lengths.trace().map_or(500.0, |trace| trace.output)),
            Number::PrefillPrice => match self.prefill_gpu {
                Some(entry) if self.gpu != Gpu::Catalog(entry) => {
                    self.prices.of(entry).or(entry.accelerator.dollars_per_hour)
                }
                _ => self.get(Number::Price),
            },
            _ => number
                .spec()
                .default
                .or_else(|| split::default_of(self, number))
                .or_else(|| published_micros(self.latencies, number)),
        }
    }

    /// Returns the accelerator in use, before the user's link overrides and hardware multipliers are applied.
    pub fn accelerator(&self) -> Accelerator {
        match self.gpu {
            Gpu::Catalog(entry) => entry.accelerator,
            Gpu::Custom => {
                let peak = |number| self.stated(number).map(FlopPerSecond::from_tera);
                Accelerator {
                    peaks: Peaks {
                        bf16: peak(Number::PeakBf16),
                        fp8: peak(Number::PeakFp8),
                        fp4: peak(Number::PeakFp4),
                    },
                    hbm: BytesPerSecond::from_gb(self.real(Number::Hbm)),
                    capacity: Bytes::from_gib(self.real(Number::Capacity)),
                    usable: Bytes::from_gib(self.real(Number::Capacity)),
                    domain: 8,
                    scale_up: BytesPerSecond::from_gb(450.0),
                    scale_out: BytesPerSecond::from_gb(50.0),
                    board_watts: self.stated(Number::Watts),
                    dollars_per_hour: None,
                }
            }
        }
    }

    /// Builds a scenario from the inputs and their defaults, and checks it. The error lists every broken rule.
    pub fn scenario(&self) -> Result<Scenario, Vec<Refusal>> {
        self.settled().completed()
    }

    /// Like [`Inputs::scenario`], but for inputs that are already [`Inputs::settled`].
    pub(super) fn completed(&self) -> Result<Scenario, Vec<Refusal>> {
        let accelerator = self.accelerator();
        let gpus = self.whole(Number::Gpus);
        let cluster = Cluster {
            peaks: accelerator.peaks.scaled(self.real(Number::PeakScale)),
            hbm: accelerator.hbm * self.real(Number::HbmScale),
            capacity: self.usable(),
            gpus,
            domain: self.whole(Number::Domain),
            scale_up: BytesPerSecond::from_gb(self.real(Number::ScaleUp)),
            scale_out: BytesPerSecond::from_gb(self.real(Number::ScaleOut)),
        };
        let precision = self.precision();
        let mut broken = Vec::new();
        for (half, format) in [
            (Half::Attention, precision.attention_format),
            (Half::Ffn, precision.ffn_format),
        ] {
            if cluster.peaks.of(format).is_none() {
                broken.push(Refusal::NoPeak {
                    half,
                    format,
                    gpu: self.gpu.name(),
                });
            }
        }
        self.serving_refusals(&mut broken);
        self.draft_refusals(&mut broken);
        let latent_index = |part: &crate::arch::Layered<Mixer>| matches!(part.shape, Mixer::Latent(shape) if shape.index.is_some());
        if self.latent == LatentForm::Plain && self.model.arch().mixers().iter().any(latent_index) {
            broken.push(Refusal::PlainWithIndex);
        }
        let plan = Plan::new(self.plan_spec(), self.model.arch(), gpus);
        let correction = self.correction();
        let calibration = match correction.is_none() {
            true => self.calibration(),
            false => self
                .calibration()
                .corrected(correction.fixed, correction.variable),
        };
        match plan {
            Ok(plan) if broken.is_empty() => Ok(Scenario {
                arch: self.shape(),
                cluster,
                workload: self.workload(),
                precision,
                plan,
                kernel: Kernel {
                    latent: self.latent,
                    fusion: self.fusion,
                },
                calibration,
                correction,
                replicas: self.whole(Number::Replicas),
                reserve: self.real(Number::Reserve),
                memory_model: self.memory_model(),
                dollars_per_hour: self.get(Number::Price),
                board_watts: accelerator.board_watts,
            }),
            Ok(_) => Err(broken),
            Err(rules) => {
                broken.extend(rules);
                Err(broken)
            }
        }
    }

    /// Returns the acceptance rate of draft tokens that follows from `accept_len` or `accept_rate`. `None` if neither
    /// is set or no tokens are drafted.
    fn accepted(&self) -> Option<f64> {
        let depth = self.whole(Number::SpeculationDepth);
        let length = self.accept_length(f64::from(depth))?;
        (depth > 0).then(|| Speculation::acceptance_of(depth, length))
    }

    /// Returns the tokens per step that the user set, directly or through an acceptance rate; `None` if neither is
    /// set.
    fn accept_length(&self, drafts: f64) -> Option<f64> {
        let rate = || Some(1.0 + self.stated(Number::AcceptRate)? * drafts);
        self.stated(Number::AcceptLength).or_else(rate)
    }

    /// Refuses an acceptance length that implies more accepted tokens than draft tokens.
    fn draft_refusals(&self, broken: &mut Vec<Refusal>) {
        let depth = self.whole(Number::SpeculationDepth);
        let length = self.stated(Number::AcceptLength).unwrap_or(1.0);
        if length > 1.0 + f64::from(depth) {
            broken.push(Refusal::AcceptLength {
                mtp: depth,
                needs: (length - 1.0).ceil() as u32,
            });
        }
    }

    /// Returns the named calibration for the accelerator in use.
    pub fn named_calibration(&self) -> Calibration {
        let coverage = self.gpu.coverage(self.family);
        let mut calibration = self.calibration.calibration(coverage);
        if let Some(engine) = &mut calibration.engine {
            engine.on_measured_part = self.gpu.id() == MEASURED_PART;
        }
        match calibration.operators {
            Some(_) if self.accelerator().has_little_compute() => calibration.for_little_compute(),
            _ => calibration,
        }
    }

    /// Returns the calibration in use, with the user's overrides applied.
    pub fn calibration(&self) -> Calibration {
        let seconds = |number| self.stated(number).map(Seconds::from_micros);
        let stated = Overrides {
            fold: self.fold,
            memory: self.stated(Number::MemoryFactor),
            attention: self.stated(Number::AttentionFactor),
            ffn: self.stated(Number::FfnFactor),
            network: self.stated(Number::NetworkFactor),
            latency: seconds(Number::LatencyMicros),
            overhead: seconds(Number::OverheadMicros),
            layer: seconds(Number::LayerMicros),
            host: seconds(Number::HostMicros),
        };
        self.named_calibration()
            .overridden(self.calibration, &stated)
            .scaled(
                self.real(Number::LatencyScale),
                self.real(Number::OverheadScale),
            )
    }

    fn workload(&self) -> Workload {
        Workload {
            batch: self.real(Number::Batch),
            context: self.real(Number::Context),
            speculation: Speculation {
                depth: self.whole(Number::SpeculationDepth),
                acceptance: self.real(Number::Acceptance),
            },
            slo: self.get(Number::Slo),
            serving: match self.engine {
                Engine::Decode => Serving::Decode,
                Engine::Aggregated => Serving::Aggregated(Lengths {
                    prompt: self.stated(Number::MeanPrompt).unwrap_or(0.0),
                    output: self.stated(Number::MeanOutput).unwrap_or(1.0),
                }),
            },
            prompts: Prompts {
                hit: self.real(Number::Hit),
                chunk: self.real(Number::Chunk),
                stated: [Number::Hit, Number::Chunk]
                    .iter()
                    .any(|number| self.stated(*number).is_some()),
                host: self.stated(Number::PrefillMicros).map(Seconds::from_micros),
            },
        }
    }

    /// Refuses aggregated prefill if a request length is not set or the mean output is below one token. Also refuses
    /// it if the plan uses PP or KVP.
    fn serving_refusals(&self, broken: &mut Vec<Refusal>) {
        if self.engine == Engine::Decode {
            return;
        }
        for number in [Number::MeanPrompt, Number::MeanOutput] {
            let least = if number == Number::MeanOutput {
                1.0
            } else {
                0.0
            };
            if self.stated(number).is_none_or(|tokens| tokens < least) {
                broken.push(Refusal::Lengths { number });
            }
        }
        for number in [Number::Pp, Number::Kvp] {
            let ways = self.whole(number);
            if ways > 1 {
                broken.push(Refusal::AggregatedPlan { number, ways });
            }
        }
    }

    /// Returns the default mean context: the prompt plus half of the output if both lengths are set, otherwise the
    /// default of the permalink version.
    fn default_context(&self) -> f64 {
        let lengths = (
            self.stated(Number::MeanPrompt),
            self.stated(Number::MeanOutput),
        );
        match lengths {
            (Some(prompt), Some(output)) => {
                let spec = Number::Context.spec();
                (prompt + output / 2.0).clamp(spec.least, spec.most)
            }
            _ => self.version.context(),
        }
    }

    /// Returns the plan in use. If no whole dp or tp_f makes the product of the factors equal the GPU count, that
    /// factor is rounded down. [`Plan::new`] then refuses the plan and reports its factors.
    fn plan_spec(&self) -> PlanSpec {
        let gpus = self.whole(Number::Gpus);
        let pp = self.whole(Number::Pp);
        let kvp = self.whole(Number::Kvp);
        let factor = |number: Number| self.get(number).map(|value| value as u32);
        let tp = factor(Number::Tp).unwrap_or(1);
        let ep = factor(Number::Ep).unwrap_or(1);
        let rest = |taken: u64| (u64::from(gpus) / taken).max(1) as u32;
        let product = |a: u32, b: u32, c: u32| u64::from(a) * u64::from(b) * u64::from(c);
        PlanSpec {
            dp: factor(Number::Dp).unwrap_or_else(|| rest(product(tp, kvp, pp))),
            tp,
            kvp,
            ffn_tp: factor(Number::FfnTp).unwrap_or_else(|| {
                if self.model.arch().is_moe() {
                    rest(product(ep, pp, 1))
                } else {
                    tp
                }
            }),
            ep,
            pp,
            redundant: self.whole(Number::Redundant),
            redundant_wide: (self.version.starts_as_engines_do()
                && self.stated(Number::Redundant).is_none())
            .then(|| self.redundant_wide()),
            // A single expert group is balanced for any β; the value matters when a search spreads the experts over
            // more groups.
            beta: match (
                self.version.starts_as_engines_do(),
                self.stated(Number::Beta),
            ) {
                (true, None) => Self::start_beta(),
                _ => self.real(Number::Beta),
            },
            shared: self.shared,
            overlap: self.schedule(),
            node_limit: factor(Number::NodeLimit),
        }
    }

    /// Returns the default of dp, tp, ffn_tp or ep, which depends on the other factors.
    ///
    /// MoE: attention is data-parallel. Experts are spread over the largest divisor of a stage's GPU count that
    /// leaves at least one expert per expert group. Dense models: tensor parallelism is the largest power of two that
    /// divides both GPUs and heads and fits in the scale-up domain.
    fn default_sharding(&self, number: Number) -> Option<f64> {
        let gpus = self.whole(Number::Gpus);
        let pp = self.whole(Number::Pp);
        let kvp = self.whole(Number::Kvp);
        let arch = self.model.arch();
        let moe = arch.is_moe();
        let value = match number {
            Number::Tp if moe => 1,
            Number::Tp => {
                let share = quotient(gpus, u64::from(kvp) * u64::from(pp))?;
                let divides = |tp: u32| {
                    let group = u64::from(tp) * u64::from(kvp);
                    let grouped = arch.mixers().iter().all(|part| match part.shape {
                        Mixer::Compressed(shape) => {
                            u64::from(shape.out_groups).is_multiple_of(group)
                        }
                        _ => true,
                    });
                    grouped && arch.heads_divide(tp)
                };
                let domain = self.whole(Number::Domain);
                (0..=14)
                    .map(|power| 1 << power)
                    .filter(|tp| share.is_multiple_of(*tp) && divides(*tp) && *tp <= domain)
                    .max()?
            }
            Number::Dp => {
                let tp = self.get(Number::Tp)? as u64;
                quotient(gpus, tp * u64::from(kvp) * u64::from(pp))?
            }
            Number::Ep if moe => {
                let stage = quotient(gpus, u64::from(pp))?;
                let redundant = self.whole(Number::Redundant);
                let placed = least_experts_placed(arch, self.shared, redundant)?;
                largest_divisor(stage, placed)?
            }
            Number::Ep => 1,
            Number::FfnTp if moe => {
                let ep = self.get(Number::Ep)? as u64;
                quotient(gpus, ep * u64::from(pp))?
            }
            Number::FfnTp => return self.get(Number::Tp),
            _ => return None,
        };
        Some(f64::from(value))
    }

    /// Returns the default number of sequences per micro-batch and attention rank. With the latencies of [R], it is
    /// 256, as in [R]. With derived latencies, it is half of an attention group's sequences, because two
    /// micro-batches are in flight.
    fn default_slots(&self) -> f64 {
        match self.latencies {
            LatencySource::Table2 => 256.0,
            LatencySource::Derived => {
                let groups = self.get(Number::Dp).unwrap_or(1.0);
                let most = Number::Slots.spec().most;
                (self.real(Number::Batch) / (2.0 * groups))
                    .floor()
                    .clamp(1.0, most)
            }
        }
    }

    /// Returns the default mean prompt length: that of the trace or, with the latencies of [R], that of [R].
    /// Otherwise, it is the scenario's mean context minus the mean output.
    fn default_prompt(&self) -> f64 {
        match (self.lengths.trace(), self.latencies) {
            (Some(trace), _) => trace.prompt,
            (None, LatencySource::Table2) => 100.0,
            (None, LatencySource::Derived) => {
                (self.real(Number::Context) - self.real(Number::MeanOutput)).max(0.0)
            }
        }
    }

    /// Returns the effective value of a numeric input, or the lowest allowed value if the input has none.
    pub(super) fn real(&self, number: Number) -> f64 {
        self.get(number).unwrap_or(number.spec().least)
    }

    fn whole(&self, number: Number) -> u32 {
        self.real(number) as u32
    }
}

pub(super) fn quotient(total: u32, divisor: u64) -> Option<u32> {
    let total = u64::from(total);
    if divisor > 0 && total.is_multiple_of(divisor) {
        u32::try_from(total / divisor).ok()
    } else {
        None
    }
}

/// Returns a latency coefficient published in [R]; `None` if latencies are derived, or if [R] does not publish
/// `number`.
///
/// The table is in cycles of a clock that [R] does not disclose. The cycles are read as microseconds. Ratios and idle
/// times do not depend on this choice, but absolute times and rates do.
const fn published_micros(source: LatencySource, number: Number) -> Option<f64> {
    match (source, number) {
        (LatencySource::Derived, _) => None,
        (LatencySource::Table2, Number::AttentionSlopeMicros) => Some(0.00165),
        (LatencySource::Table2, Number::AttentionInterceptMicros) => Some(50.0),
        (LatencySource::Table2, Number::FfnSlopeMicros) => Some(0.083),
        (LatencySource::Table2, Number::FfnInterceptMicros) => Some(100.0),
        (LatencySource::Table2, Number::MessageSlopeMicros) => Some(0.022),
        (LatencySource::Table2, Number::MessageInterceptMicros) => Some(20.0),
        (LatencySource::Table2, _) => None,
    }
}
