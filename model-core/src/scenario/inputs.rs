//! What a person states: a model, an accelerator, some choices and some numbers.

use super::mode::Mode;
use super::number::Number;
use crate::apart::{LatencySource, Partition, QEarly, Scatter};
use crate::arch::{self, Arch};
use crate::cost::calibration::{Fold, NamedCalibration};
use crate::hardware;
use crate::hardware::{Coverage, Family};
use crate::ops::kernel::{Fusion, LatentForm};
use crate::plan::{Overlap, PlanSpec, Shared};
use crate::precision::{Format, NamedPrecision};
use crate::trace::Trace;
use crate::workload::Engine;

/// A model of the catalogue or the visitor's own.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(
    clippy::large_enum_variant,
    reason = "inputs are copied whole, and a sweep never allocates"
)]
pub enum Model {
    /// A row of the catalogue.
    Catalog(&'static arch::catalog::Entry),
    /// A shape that was entered.
    Custom(Arch),
}

impl Model {
    /// The shape.
    pub const fn arch(&self) -> &Arch {
        match self {
            Self::Catalog(entry) => &entry.arch,
            Self::Custom(arch) => arch,
        }
    }

    /// The name people use.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Catalog(entry) => entry.name,
            Self::Custom(_) => "Custom model",
        }
    }
}

/// An accelerator of the catalogue or the visitor's own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Gpu {
    /// A row of the catalogue.
    Catalog(&'static hardware::catalog::Entry),
    /// Described by the numbers of [`Number::describes_custom_gpu`].
    Custom,
}

impl Gpu {
    /// The name people use.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Catalog(entry) => entry.name,
            Self::Custom => "Custom accelerator",
        }
    }

    /// The identifier in links.
    pub const fn id(&self) -> &'static str {
        match self {
            Self::Catalog(entry) => entry.id,
            Self::Custom => "custom",
        }
    }

    /// Whose kernels it runs: the row's, or for the visitor's own `family`, where that is stated.
    pub const fn coverage(&self, family: Option<Family>) -> Coverage {
        match (self, family) {
            (Self::Catalog(entry), _) => entry.coverage,
            (Self::Custom, Some(family)) => Coverage::Measured(family),
            (Self::Custom, None) => Coverage::Borrowed(Family::Hopper),
        }
    }
}

/// What a link or a control panel states; a number left out has the default of
/// [`Inputs::default_of`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inputs {
    /// The model.
    pub model: Model,
    /// The accelerator.
    pub gpu: Gpu,
    /// Where shared experts live.
    pub shared: Shared,
    /// Named precision.
    pub precision: NamedPrecision,
    /// Arithmetic format of attention, where it is not the precision's.
    pub attention_format: Option<Format>,
    /// Arithmetic format of the feed-forward, where it is not the precision's.
    pub ffn_format: Option<Format>,
    /// Schedule.
    pub overlap: Overlap,
    /// Form of latent attention.
    pub latent: LatentForm,
    /// Attention kernel.
    pub fusion: Fusion,
    /// Named calibration.
    pub calibration: NamedCalibration,
    /// Fold, where it is not the calibration's.
    pub fold: Option<Fold>,
    /// Whose kernels an accelerator of the visitor's own runs.
    pub family: Option<Family>,
    /// Whether prompts are read by the engine that decodes.
    pub engine: Engine,
    /// What is evaluated.
    pub mode: Mode,
    /// Accelerator that computes everything but attention in a split; `None` for [`Self::gpu`].
    pub compute_gpu: Option<&'static hardware::catalog::Entry>,
    /// Accelerator that holds the cache and computes attention in a split.
    pub memory_gpu: &'static hardware::catalog::Entry,
    /// How a split divides attention over its memory devices, where it is not the architecture's default.
    pub partition: Option<Partition>,
    /// Whether a split sends queries ahead.
    pub q_early: QEarly,
    /// Trace whose lengths a split serves; `None` for the scenario's own batch and context.
    pub trace: Option<&'static Trace>,
    /// Where the latencies of separate attention and feed-forward instances come from.
    pub latencies: LatencySource,
    /// How prompt and output lengths scatter.
    pub lengths: Scatter,
    numbers: [Option<f64>; Number::ALL.len()],
}

impl Inputs {
    /// Version 1's defaults: DeepSeek-V3 on 9×8 H100, 256 sequences per GPU.
    pub const DEFAULT: Self = Self {
        model: Model::Catalog(arch::catalog::DEFAULT),
        gpu: Gpu::Catalog(hardware::catalog::DEFAULT),
        shared: Shared::Distributed,
        precision: NamedPrecision::DeepseekFp8,
        attention_format: None,
        ffn_format: None,
        overlap: Overlap::TwoBatch,
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
        numbers: [None; Number::ALL.len()],
    };

    /// A number that was stated, whether or not it equals its default.
    pub const fn stated(&self, number: Number) -> Option<f64> {
        self.numbers[number as usize]
    }

    /// The same inputs with prompts read on other GPUs.
    #[must_use]
    pub const fn decoding(mut self) -> Self {
        self.engine = Engine::Decode;
        self
    }

    /// The same inputs under another schedule.
    #[must_use]
    pub const fn scheduled(mut self, overlap: Overlap) -> Self {
        self.overlap = overlap;
        self
    }

    /// The same inputs in another mode.
    #[must_use]
    pub const fn in_mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// Leaves open how the deployment is sharded.
    pub fn unshard(&mut self) {
        for number in Number::SHARDING {
            self.state(number, None);
        }
    }

    /// The same inputs in a plan, every factor of its sharding stated.
    #[must_use]
    pub fn planned(mut self, spec: &PlanSpec) -> Self {
        self.overlap = spec.overlap;
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

    /// States a number, or with `None` goes back to its default. A value outside the number's
    /// range changes nothing and returns false.
    pub fn state(&mut self, number: Number, value: Option<f64>) -> bool {
        let allowed = value.is_none_or(|value| number.allows(value));
        if allowed {
            self.numbers[number as usize] = value;
        }
        allowed
    }

    /// The same inputs with one number stated (see [`Inputs::state`]).
    #[must_use]
    pub fn with(mut self, number: Number, value: f64) -> Self {
        self.state(number, Some(value));
        self
    }

    /// The same inputs with one number back at its default.
    #[must_use]
    pub fn without(mut self, number: Number) -> Self {
        self.state(number, None);
        self
    }

    /// Takes an accelerator of the catalogue with its own price, power, links and collective latency: what was stated of
    /// those, and multiples of the chip, belonged to the accelerator before.
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

    /// Takes a model of the catalogue, and with it the format its weights were released in where that is experts in
    /// four bits. Formats that a person chose stay: only those of the model before, or the defaults, are replaced.
    pub fn choose_model(&mut self, entry: &'static arch::catalog::Entry) {
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

    /// The same inputs with experts and the rest in the bytes they were released in, where experts are in four bits.
    fn with_released(mut self, entry: &arch::catalog::Entry) -> Self {
        if let Some((rest, experts, format)) = entry.released.four_bits() {
            self.state(Number::AttentionWeightBytes, Some(rest));
            self.state(Number::FfnWeightBytes, Some(experts));
            let own = self.precision.precision().ffn_format;
            self.ffn_format = (format != own).then_some(format);
        }
        self
    }

    /// The same inputs with the weights that the model's authors published, where those are experts in four bits or, for
    /// wider ones, eight; whatever the weights are now. `None` where the authors published none so narrow.
    ///
    /// Only the weights are others: they are computed with at the rate of the activations, which stay as they are, or in
    /// BF16 where the release or the accelerator knows nothing narrower.
    pub fn as_released(&self) -> Option<Self> {
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

    /// What the model's experts were published in, where that is four bits.
    pub const fn four_bits(&self) -> Option<(f64, f64, Format)> {
        match self.model {
            Model::Catalog(entry) => entry.released.four_bits(),
            Model::Custom(_) => None,
        }
    }

    /// Whether experts are in the four bits that they were published in.
    pub fn is_released(&self) -> bool {
        self.four_bits().is_some() && self.as_released() == Some(self.normalized())
    }

    /// [`Inputs::as_released`], where its feed-forward weights are narrower than those of the inputs.
    pub fn narrowed(&self) -> Option<Self> {
        let narrower = |with: &Self| with.precision().ffn_weights < self.precision().ffn_weights;
        self.as_released().filter(narrower)
    }

    /// The same inputs in a named precision, formats and bytes that overrode the earlier one dropped.
    #[must_use]
    pub fn with_precision(mut self, precision: NamedPrecision) -> Self {
        self.precision = precision;
        self.attention_format = None;
        self.ffn_format = None;
        for number in [
            Number::AttentionWeightBytes,
            Number::FfnWeightBytes,
            Number::KvBytes,
            Number::ActivationBytes,
            Number::DispatchBytes,
            Number::CombineBytes,
        ] {
            self.state(number, None);
        }
        self
    }

    /// The number in force: the stated one, else the default; `None` where neither exists (no SLO,
    /// no price, no node limit, no whole sharding).
    pub fn get(&self, number: Number) -> Option<f64> {
        self.stated(number).or_else(|| self.default_of(number))
    }

    /// Forgets every number that equals its default, and custom-accelerator numbers where the
    /// accelerator is not custom: what a link would write anyway.
    #[must_use]
    pub fn normalized(mut self) -> Self {
        let catalogued = matches!(self.gpu, Gpu::Catalog(_));
        for number in Number::ALL {
            let superfluous = catalogued && number.describes_custom_gpu();
            // What a request brings and gets sets other defaults, so that its own may not be left out.
            let length = matches!(number, Number::MeanPrompt | Number::MeanOutput);
            // What nobody states needs no default to be compared with.
            let usual = || {
                let stated = self.stated(number);
                stated.is_some() && stated == self.default_of(number)
            };
            if superfluous || !length && usual() {
                self.state(number, None);
            }
        }
        let precision = self.precision.precision();
        if self.attention_format == Some(precision.attention_format) {
            self.attention_format = None;
        }
        if self.ffn_format == Some(precision.ffn_format) {
            self.ffn_format = None;
        }
        if self.fold == Some(self.named_calibration().fold)
            || self.calibration.tells_kernels_apart()
        {
            self.fold = None;
        }
        if catalogued {
            self.family = None;
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
        // One's own numbers of a custom accelerator are its own, too.
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
    fn a_chosen_model_comes_in_the_format_it_was_released_in() {
        assert_eq!(
            chosen("v=1", &["gpt-oss-120b"]),
            "v=1&model=gpt-oss-120b&w_attn=2&w_ffn=0.53125",
        );
        let integers = chosen("v=1", &["kimi-k2.5"]);
        assert!(integers.contains("fmt_ffn=bf16") && integers.contains("w_ffn=0.5625"));
        // Nothing of it is left behind, and what a person chose stays.
        assert_eq!(
            chosen("v=1", &["kimi-k2.5", "deepseek-v3"]),
            write_inputs(&Inputs::DEFAULT)
        );
        assert!(chosen("v=1&precision=bf16", &["kimi-k2.5"]).contains("precision=bf16"));
        assert!(!chosen("v=1&kv=1", &["kimi-k2.5"]).contains("w_ffn"));
        // A model of eight or sixteen bits has the default of links.
        assert_eq!(chosen("v=1", &["llama-3-70b"]), "v=1&model=llama-3-70b");
    }
}
