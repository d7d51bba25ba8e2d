//! Inputs as a user sets them: a model, an accelerator, choices and numbers.
//!
//! [`Inputs`] holds what a permalink or a control panel sets. Most numbers are absent; an absent number has a default
//! that may depend on other inputs. [`Inputs::scenario`] completes and checks the inputs.

pub mod anchored;
pub mod defaults;
mod loaded;
pub mod mode;
pub mod prices;
pub mod released;
pub mod remedy;
pub mod restate;
pub mod split;
pub mod start;
pub mod version;

pub use crate::number::{Number, NumberOf};
pub use anchored::{Anchored, MeasuredLoad, Strength};
pub use mode::Mode;
pub use prices::Prices;
pub use start::NothingFits;
pub use version::Version;

use crate::apart::{LatencySource, Partition, QEarly, Scatter};
use crate::arch::{self, Arch};
use crate::calibration::{Fold, NamedCalibration};
pub use crate::engine_memory::Table;
use crate::hardware;
use crate::hardware::{Coverage, Family};
use crate::label::Label;
pub use crate::measurement::{Anchoring, Measurements};
use crate::ops::kernel::{Fusion, LatentForm};
use crate::plan::{Overlap, PlanSpec, Shared};
use crate::precision::{Format, KvLayout, NamedPrecision};
use crate::sent;
use crate::trace::Trace;
use crate::workload::{Engine, Pools};

/// A model: from the catalog, or custom.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[allow(
    clippy::large_enum_variant,
    reason = "inputs are copied whole, and a sweep never allocates"
)]
pub enum Model {
    /// A row of the model catalog.
    Catalog(&'static arch::catalog::Entry),
    /// A custom architecture.
    Custom(Arch),
}

impl Model {
    /// Returns the model's architecture.
    pub const fn arch(&self) -> &Arch {
        match self {
            Self::Catalog(entry) => &entry.arch,
            Self::Custom(arch) => arch,
        }
    }

    /// Returns the display name of the model.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Catalog(entry) => entry.name,
            Self::Custom(_) => "Custom model",
        }
    }
}

/// An accelerator: from the catalog, or custom.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Gpu {
    /// A row of the accelerator catalog.
    Catalog(&'static hardware::catalog::Entry),
    /// A custom accelerator, described by the numbers of [`NumberOf::CustomGpu`].
    Custom,
}

impl Gpu {
    /// Returns the display name of the accelerator.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Catalog(entry) => entry.name,
            Self::Custom => hardware::CUSTOM,
        }
    }

    /// Returns the accelerator's identifier in permalinks.
    pub const fn id(&self) -> &'static str {
        match self {
            Self::Catalog(entry) => entry.id,
            Self::Custom => "custom",
        }
    }

    /// Returns the coverage by measured kernels: that of the catalog row or, for a custom accelerator, that of the
    /// chosen `family`. Without a `family`, a custom accelerator uses Hopper's kernels.
    pub const fn coverage(&self, family: Option<Family>) -> Coverage {
        match (self, family) {
            (Self::Catalog(entry), _) => entry.coverage,
            (Self::Custom, Some(family)) if family.is_range() => Coverage::Range(family),
            (Self::Custom, Some(family)) => Coverage::Measured(family),
            (Self::Custom, None) => Coverage::Borrowed(Family::Hopper),
        }
    }
}

/// The inputs that a permalink or a control panel sets. A number that is not set has the default of
/// [`Inputs::default_of`].
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Inputs {
    /// Permalink version that the inputs were read from; its defaults apply.
    pub version: Version,
    /// Model to serve.
    pub model: Model,
    /// Accelerator of the deployment.
    pub gpu: Gpu,
    /// Placement of shared experts.
    pub shared: Shared,
    /// Named precision, which sets the bytes per element and the number formats.
    pub precision: NamedPrecision,
    /// Compute format of attention; `None` for the format of `precision`.
    pub attention_format: Option<Format>,
    /// Compute format of the FFN; `None` for the format of `precision`.
    pub ffn_format: Option<Format>,
    /// Layout of the KV cache; `None` for the layout of `precision`. If the user sets the bytes per KV element, they
    /// take precedence.
    pub kv_layout: Option<KvLayout>,
    /// Memory in which lookup tables are stored.
    pub table: Table,
    /// Overlap schedule; `None` for the plan's default.
    pub overlap: Option<Overlap>,
    /// Form of MLA: with or without absorbed up-projections.
    pub latent: LatentForm,
    /// Form of the attention kernel: fused or unfused.
    pub fusion: Fusion,
    /// Named calibration.
    pub calibration: NamedCalibration,
    /// Rule that combines operator times into block times; `None` for the rule of `calibration`.
    pub fold: Option<Fold>,
    /// Family whose measured kernels a custom accelerator uses.
    pub family: Option<Family>,
    /// Prefill setting: decode only, or decode with aggregated prefill.
    pub engine: Engine,
    /// Type of deployment: colocated, AFD or Lamina.
    pub mode: Mode,
    /// Accelerator of the compute devices in a Lamina deployment, which hold the weights; `None` for [`Self::gpu`].
    pub compute_gpu: Option<&'static hardware::catalog::Entry>,
    /// Accelerator of the memory devices in a Lamina deployment, which hold the KV cache and run attention.
    pub memory_gpu: &'static hardware::catalog::Entry,
    /// Partition of attention across the memory devices (Lamina); `None` for the default of the architecture.
    pub partition: Option<Partition>,
    /// Option to send queries ahead of keys and values (Lamina).
    pub q_early: QEarly,
    /// Trace that gives the request lengths for Lamina; `None` to use the scenario's batch and context.
    pub trace: Option<&'static Trace>,
    /// Source of the AFD latencies.
    pub latencies: LatencySource,
    /// Distribution of prompt and output lengths.
    pub lengths: Scatter,
    /// Pools that serve whole requests: aggregated, disaggregated, or the cheaper of the two.
    pub pools: Pools,
    /// Accelerator of the prefill pool; `None` for [`Self::gpu`].
    pub prefill_gpu: Option<&'static hardware::catalog::Entry>,
    /// Name that the user gave to a custom model.
    pub model_label: Option<Label>,
    /// Name that the user gave to a custom accelerator.
    pub gpu_label: Option<Label>,
    /// Prices that the user set for accelerators.
    pub prices: Prices,
    /// Measurements of the deployment.
    pub measured: Measurements,
    /// Setting that turns on the correction of computed times by the measurements.
    pub anchor: Anchoring,
    /// Correction from measurements of these inputs, or of the inputs from which they were derived.
    anchored: Option<Anchored>,
    #[serde(with = "sent::numbers")]
    numbers: [Option<f64>; Number::ALL.len()],
}

impl Inputs {
    /// Defaults of permalink version 1: DeepSeek-V3 on 9×8 H100, 256 sequences per GPU.
    pub const DEFAULT: Self = Self {
        version: Version::V1,
        model: Model::Catalog(arch::catalog::DEFAULT),
        gpu: Gpu::Catalog(hardware::catalog::DEFAULT),
        shared: Shared::Distributed,
        precision: NamedPrecision::DeepseekFp8,
        attention_format: None,
        ffn_format: None,
        kv_layout: None,
        table: Table::Hbm,
        overlap: None,
        latent: LatentForm::Absorbed,
        fusion: Fusion::Fused,
        calibration: NamedCalibration::Kernels2026,
        fold: None,
        family: None,
        engine: Engine::Decode,
        mode: Mode::Colocated,
        compute_gpu: None,
        memory_gpu: hardware::catalog::MEMORY_DEFAULT,
        partition: None,
        q_early: QEarly::On,
        trace: None,
        latencies: LatencySource::Derived,
        lengths: Scatter::Geometric,
        pools: Pools::Best,
        prefill_gpu: None,
        model_label: None,
        gpu_label: None,
        prices: Prices::NONE,
        measured: Measurements::NONE,
        anchor: Anchoring::On,
        anchored: None,
        numbers: [None; Number::ALL.len()],
    };

    /// Returns the defaults of a permalink version.
    pub const fn defaults_of(version: Version) -> Self {
        Self {
            version,
            calibration: match version {
                Version::V1 => NamedCalibration::Kernels2026,
                Version::V2 => NamedCalibration::Kernels202611,
                Version::V3 => NamedCalibration::Kernels202612,
            },
            precision: version.precision(),
            ..Self::DEFAULT
        }
    }

    /// Returns the value that is set for a number, even if it equals the default; `None` if none is set.
    pub const fn stated(&self, number: Number) -> Option<f64> {
        self.numbers[number as usize]
    }

    /// Returns the inputs with disaggregated prefill.
    #[must_use]
    pub const fn decoding(mut self) -> Self {
        self.engine = Engine::Decode;
        self
    }

    /// Returns the inputs with another schedule.
    #[must_use]
    pub const fn scheduled(mut self, overlap: Overlap) -> Self {
        self.overlap = Some(overlap);
        self
    }

    /// Returns the inputs with another batch but the same schedule, even if the default schedule depends on the
    /// batch.
    #[must_use]
    pub fn at_batch(self, batch: f64) -> Self {
        let with = self.with(Number::Batch, batch);
        let schedule = self.schedule();
        match with.schedule() == schedule {
            true => with,
            false => with.scheduled(schedule),
        }
    }

    /// Returns the inputs in another deployment mode.
    #[must_use]
    pub const fn in_mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// Returns true if a key of the Service view is set.
    pub fn asks_for_service(&self) -> bool {
        let stated =
            |number: Number| number.describes(NumberOf::Service) && self.stated(number).is_some();
        self.pools != Pools::Best
            || self.prefill_gpu.is_some()
            || Number::ALL.into_iter().any(stated)
    }

    /// Returns the inputs with the default schedule.
    pub(super) const fn without_overlap(mut self) -> Self {
        self.overlap = None;
        self
    }

    /// Returns the inputs without the keys that apply only to whole requests.
    #[must_use]
    pub fn without_service(mut self) -> Self {
        for number in Number::ALL {
            if number.describes(NumberOf::Service) {
                self.state(number, None);
            }
        }
        self.pools = Pools::Best;
        self.prefill_gpu = None;
        self
    }

    /// Returns true if any factor of the plan's sharding is set.
    pub fn is_planned(&self) -> bool {
        let stated = |number: &Number| self.stated(*number).is_some();
        Number::SHARDING.iter().any(stated)
    }

    /// Clears all factors of the sharding.
    pub fn unshard(&mut self) {
        for number in Number::SHARDING {
            self.state(number, None);
        }
    }

    /// Returns the inputs with the schedule and every sharding factor of `spec` set explicitly.
    #[must_use]
    pub fn planned(mut self, spec: &PlanSpec) -> Self {
        self.overlap = Some(spec.overlap);
        for (number, factor) in [
            (Number::Pp, spec.pp),
            (Number::Kvp, spec.kvp),
            (Number::Tp, spec.tp),
            (Number::Dp, spec.dp),
            (Number::Ep, spec.ep),
            (Number::FfnTp, spec.ffn_tp),
        ] {
            self.state(number, Some(f64::from(factor)));
        }
        self
    }

    /// Sets a numeric input or, with `None`, resets it to its default. A value outside the input's range changes
    /// nothing and returns false.
    pub fn state(&mut self, number: Number, value: Option<f64>) -> bool {
        let allowed = value.is_none_or(|value| number.allows(value));
        if allowed {
            self.numbers[number as usize] = value;
        }
        allowed
    }

    /// Sets a numeric input like [`Inputs::state`]. In a colocated deployment, setting a request length also sets the
    /// mean context to the prompt plus half of the output.
    pub fn edit(&mut self, number: Number, value: Option<f64>) {
        let lengths = [Number::MeanPrompt, Number::MeanOutput];
        let before = lengths.map(|length| self.get(length));
        self.state(number, value);
        if self.mode != Mode::Colocated || !lengths.contains(&number) || value.is_none() {
            return;
        }
        for (length, before) in lengths.into_iter().zip(before) {
            if length != number {
                self.state(length, before);
            }
        }
        if let [Some(prompt), Some(output)] = lengths.map(|length| self.get(length)) {
            self.state(Number::Context, Some((prompt + output / 2.0).max(1.0)));
        }
    }

    /// Returns the inputs with one numeric input set (see [`Inputs::state`]).
    #[must_use]
    pub fn with(mut self, number: Number, value: f64) -> Self {
        self.state(number, Some(value));
        self
    }

    /// Returns the inputs with one numeric input reset to its default.
    #[must_use]
    pub fn without(mut self, number: Number) -> Self {
        self.state(number, None);
        self
    }

    /// Chooses a catalog accelerator with its price, power, links and collective latency. Values that the user set
    /// for these, and multipliers of the chip's numbers, are dropped, because they described the previous
    /// accelerator.
    pub fn choose_gpu(&mut self, entry: &'static hardware::catalog::Entry) {
        let gpu = Gpu::Catalog(entry);
        if self.gpu == gpu {
            return;
        }
        self.gpu = gpu;
        let own = [
            Number::Price,
            Number::Watts,
            Number::Domain,
            Number::ScaleUp,
            Number::ScaleOut,
            Number::LatencyMicros,
        ];
        for number in own.into_iter().chain(Number::CHIP_SCALES) {
            self.state(number, None);
        }
    }

    /// Makes the accelerator a custom one that starts from the numbers of the current one. Its price, power and name
    /// are left for the user to set.
    pub fn customize_gpu(&mut self) {
        let from = self.accelerator();
        let links = [Number::Domain, Number::ScaleUp, Number::ScaleOut]
            .map(|number| (number, self.get(number)));
        self.gpu = Gpu::Custom;
        let peaks = from.peaks;
        let chip = [
            (Number::PeakBf16, peaks.bf16.map(|peak| peak.as_tera())),
            (Number::PeakFp8, peaks.fp8.map(|peak| peak.as_tera())),
            (Number::PeakFp4, peaks.fp4.map(|peak| peak.as_tera())),
            (Number::Hbm, Some(from.hbm.as_gb())),
            (Number::Capacity, Some(from.capacity.as_gib())),
            (Number::Watts, None),
            (Number::Price, None),
        ];
        for (number, value) in chip.into_iter().chain(links) {
            self.state(number, value);
        }
    }

    /// Returns the name of the model; for a custom model, the name that the user gave.
    pub fn model_name(&self) -> &str {
        match (&self.model, &self.model_label) {
            (Model::Custom(_), Some(label)) => label.as_str(),
            (model, _) => model.name(),
        }
    }

    /// Returns the name of the accelerator; for a custom accelerator, the name that the user gave.
    pub fn gpu_name(&self) -> &str {
        match (&self.gpu, &self.gpu_label) {
            (Gpu::Custom, Some(label)) => label.as_str(),
            (gpu, _) => gpu.name(),
        }
    }

    /// Chooses a catalog model. Before permalink version 3, also chooses its released format if its experts were
    /// released in four bits. Formats that the user chose stay: only defaults, or formats of the previous model, are
    /// replaced.
    pub fn choose_model(&mut self, entry: &'static arch::catalog::Entry) {
        if self.version.starts_as_engines_do() {
            self.model = Model::Catalog(entry);
            return;
        }
        let plain = self.with_precision(NamedPrecision::DeepseekFp8);
        let before = match self.model {
            Model::Catalog(before) => plain.with_released(before),
            Model::Custom(_) => plain,
        };
        self.model = Model::Catalog(entry);
        let untouched = |with: Self| {
            Self {
                model: self.model,
                ..with
            } == *self
        };
        if untouched(plain) || untouched(before) {
            *self = Self {
                model: self.model,
                ..plain
            }
            .with_released(entry);
        }
    }

    /// Returns the inputs with the released bytes per weight, if experts were released in four bits.
    fn with_released(mut self, entry: &arch::catalog::Entry) -> Self {
        if let Some((rest, experts, format)) = entry.released.four_bits() {
            self.state(Number::AttentionWeightBytes, Some(rest));
            self.state(Number::FfnWeightBytes, Some(experts));
            let own = self.named_precision().ffn_format;
            self.ffn_format = (format != own).then_some(format);
        }
        self
    }

    /// Returns the inputs with the released weights: experts in four bits, or all weights in FP8. `None` if neither
    /// was released.
    ///
    /// The user's settings of the KV cache are preserved. Before permalink version 3, four-bit experts run in the
    /// wider of the released format and the FFN format of the precision. If the accelerator lacks that format, they
    /// run in BF16.
    pub fn as_released(&self) -> Option<Self> {
        if self.version.starts_as_engines_do() && self.four_bits().is_some() {
            let mut with = self.with_precision(NamedPrecision::Released);
            with.kv_layout = self.kv_layout;
            with.state(Number::KvBytes, self.stated(Number::KvBytes));
            return Some(with.normalized());
        }
        if let Some((rest, experts, format)) = self.four_bits() {
            let mut with = *self;
            with.state(Number::AttentionWeightBytes, Some(rest));
            with.state(Number::FfnWeightBytes, Some(experts));
            let format = self.precision().ffn_format.wider(format);
            let known = self.accelerator().peaks.of(format).is_some();
            with.ffn_format = Some(if known { format } else { Format::Bf16 });
            return Some(with.normalized());
        }
        let eight = |model| matches!(model, Model::Catalog(entry) if entry.released.has_fp8());
        eight(self.model).then(|| {
            let mut with = self.with_precision(NamedPrecision::DeepseekFp8);
            with.state(Number::KvBytes, self.get(Number::KvBytes));
            with.normalized()
        })
    }

    /// Returns the bytes per non-expert weight, the bytes per expert weight, and the compute format. `None` unless
    /// experts were released in four bits.
    pub const fn four_bits(&self) -> Option<(f64, f64, Format)> {
        match self.model {
            Model::Catalog(entry) => entry.released.four_bits(),
            Model::Custom(_) => None,
        }
    }

    /// From permalink version 3 on, returns true if all bytes per element and formats are as released. Before version
    /// 3, returns true if the experts use the four bits in which they were released.
    pub fn is_released(&self) -> bool {
        if self.version.starts_as_engines_do() {
            let released = self.with_precision(NamedPrecision::Released);
            return self.precision == NamedPrecision::Released
                && self.precision() == released.precision();
        }
        self.four_bits().is_some() && self.as_released() == Some(self.normalized())
    }

    /// Returns [`Inputs::as_released`] if this uses fewer bytes per FFN weight, else `None`.
    pub fn narrowed(&self) -> Option<Self> {
        let narrower = |with: &Self| with.precision().ffn_weights < self.precision().ffn_weights;
        self.as_released().filter(narrower)
    }

    /// Returns the inputs in a named precision, and clears formats and bytes per element that were set before.
    #[must_use]
    pub fn with_precision(mut self, precision: NamedPrecision) -> Self {
        self.precision = precision;
        self.kv_layout = None;
        self.attention_format = None;
        self.ffn_format = None;
        for number in Number::FORMATS {
            self.state(number, None);
        }
        self
    }

    /// Returns the effective value of a numeric input: the user's value, else the default. `None` if neither exists:
    /// an SLO, price or node limit that is not set, or a sharding degree for which no whole number works.
    pub fn get(&self, number: Number) -> Option<f64> {
        self.stated(number).or_else(|| self.default_of(number))
    }

    /// Drops inputs that equal their defaults, and the numbers of a custom accelerator if the accelerator is from the
    /// catalog. Numbers that have an effect even at their default, such as request lengths, stay. The result is what
    /// a permalink contains.
    #[must_use]
    pub fn normalized(mut self) -> Self {
        let catalogued = matches!(self.gpu, Gpu::Catalog(_));
        if self.prefill_gpu.map(Gpu::Catalog) == Some(self.gpu) {
            self.prefill_gpu = None;
        }
        // For whole requests, replica sizes and plans that are not set are searched, so set values must stay.
        let serves = self.asks_for_service();
        // The default GPU count depends on the plan, so it is checked last.
        let starts = self.version.starts_as_engines_do();
        for number in Number::ALL {
            let superfluous = catalogued && number.describes(NumberOf::CustomGpu);
            // These numbers are never dropped, because setting one has an effect even at its default. Request lengths
            // change other defaults; prompt shares change the way prefill is counted; prefill host time changes the
            // error band. Any number of the Service view turns on that view.
            let lasting = matches!(
                number,
                Number::MeanPrompt
                    | Number::MeanOutput
                    | Number::Hit
                    | Number::Chunk
                    | Number::PrefillMicros
            ) || number.describes(NumberOf::Service);
            let sharding = Number::SHARDING.contains(&number);
            let replica = matches!(number, Number::Gpus | Number::Batch) || sharding;
            let kept = lasting || serves && replica || starts && number == Number::Gpus;
            // Defaults take time to compute, so they are computed only for set numbers.
            let usual = || {
                let stated = self.stated(number);
                let usual = stated.is_some() && stated == self.default_of(number);
                let shapes = starts && (sharding || number == Number::Redundant);
                usual && (!shapes || self.plan_stands_without(number))
            };
            if superfluous || !kept && usual() {
                self.state(number, None);
            }
        }
        // The default GPU count takes a search, so it is computed only if the GPU count is set.
        let gpus = self.stated(Number::Gpus).filter(|_| starts && !serves);
        if gpus.is_some() && !self.is_planned() && gpus == self.default_of(Number::Gpus) {
            self.state(Number::Gpus, None);
        }
        let precision = self.named_precision();
        if self.attention_format == Some(precision.attention_format) {
            self.attention_format = None;
        }
        if self.ffn_format == Some(precision.ffn_format) {
            self.ffn_format = None;
        }
        if self.kv_layout.is_some() && self.kv_layout == self.default_layout() {
            self.kv_layout = None;
        }
        if self.overlap.is_some() && self.overlap == Some(self.without_overlap().schedule()) {
            self.overlap = None;
        }
        if self.fold == Some(self.named_calibration().fold)
            || self.calibration.tells_kernels_apart()
        {
            self.fold = None;
        }
        if catalogued {
            self.family = None;
            self.gpu_label = None;
        }
        if matches!(self.model, Model::Catalog(_)) {
            self.model_label = None;
        }
        if self.compute_gpu.map(Gpu::Catalog) == Some(self.gpu) {
            self.compute_gpu = None;
        }
        if self.partition == Some(Partition::default_of(self.model.arch())) {
            self.partition = None;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::catalog::find;
    use crate::permalink::{read, write_inputs};

    fn chosen(link: &str, models: &[&str]) -> String {
        let mut inputs = read(link).current;
        for model in models {
            inputs.choose_model(find(model).unwrap());
        }
        write_inputs(&inputs)
    }

    #[test]
    fn chosen_gpu_keeps_nothing_of_the_last() {
        let chosen = |link: &str, gpus: &[&str]| {
            let mut inputs = read(link).current;
            for gpu in gpus {
                inputs.choose_gpu(hardware::catalog::find(gpu).unwrap());
            }
            inputs
        };
        let of_another = "v=1&price=2.3&alpha_us=25&domain=16&scale_up=400&scale_out=100&hbm_x=2";
        let gb200 = chosen("v=1", &["gb200"]);
        assert_eq!(chosen(of_another, &["gb200"]), gb200);
        assert_ne!(gb200.get(Number::Price), Some(2.3));
        // Numbers of a custom accelerator are dropped, too.
        let custom = "v=1&gpu=custom&peak_bf16=900&peak_fp8=1800&watts=700&price=2.3&domain=72";
        let scenario = |inputs: &Inputs| inputs.normalized().scenario().unwrap();
        assert_eq!(scenario(&chosen(custom, &["gb200"])), scenario(&gb200));
        assert_eq!(chosen(of_another, &["h100"]), read(of_another).current);
        assert_eq!(
            chosen("v=1&batch=64&slo=20", &["gb200", "h100"]),
            read("v=1&batch=64&slo=20").current
        );
    }

    #[test]
    fn chosen_model_has_released_format() {
        assert_eq!(
            chosen("v=1", &["gpt-oss-120b"]),
            "v=1&model=gpt-oss-120b&w_attn=2&w_ffn=0.53125",
        );
        let integers = chosen("v=1", &["kimi-k2.5"]);
        assert!(integers.contains("fmt_ffn=bf16") && integers.contains("w_ffn=0.5625"));
        // No number of the earlier model is left, and user choices stay.
        assert_eq!(
            chosen("v=1", &["kimi-k2.5", "deepseek-v3"]),
            write_inputs(&Inputs::DEFAULT)
        );
        assert!(chosen("v=1&precision=bf16", &["kimi-k2.5"]).contains("precision=bf16"));
        assert!(!chosen("v=1&kv=1", &["kimi-k2.5"]).contains("w_ffn"));
        // An 8- or 16-bit model has the default precision of permalinks.
        assert_eq!(chosen("v=1", &["llama-3-70b"]), "v=1&model=llama-3-70b");
    }
}
