//! Named calibrations, and overrides of their values by a permalink.

use super::engine_terms::EngineTerms;
use super::operator_terms::OperatorTerms;
use super::term::CalibrationTerm;
use super::terms::{
    Calibration, Fold, MessageCost, MessageCosts, PrefillCount, PromptTerms, Starts,
};
use crate::calibration::{by_operator, engine, kernels};
use crate::hardware::Coverage;
use crate::named::named;
use crate::ops::popularity::Popularity;
use crate::source::{Source, paper};
use crate::units::Seconds;

named! {
    /// Calibrations that a permalink can select by name.
    pub enum NamedCalibration {
        /// Uses measured kernels and collectives of Hopper and Blackwell; see [`kernels`].
        Kernels2026 = "kernels-2026",
        /// Like `kernels-2026`, with separate constants for each operator and format; see [`by_operator`].
        Kernels202611 = "kernels-2026-11",
        /// Like `kernels-2026-11`, with separately measured engine overhead; see [`engine`].
        Kernels202612 = "kernels-2026-12",
        /// Assumes that the hardware reaches its peak rates.
        Ideal = "ideal",
        /// Uses efficiencies fitted to serving systems of 2025. Source: [A] Section 3.5.
        AlephAlpha2025 = "aleph-alpha-2025",
        /// Assumes peak hardware rates, plus a fixed latency per collective. Source: fitted to [H] Figures 5–7.
        Helix = "helix",
        /// Uses the kernel and network efficiencies of Lamina. Source: [L] Sections 4 and 6.
        Lamina = "lamina",
    }
}

impl NamedCalibration {
    /// Returns the source of the calibration's numbers. In calibrations with separate terms per kernel, each of
    /// [`Self::terms`] also has a source.
    pub const fn source(self) -> Source {
        match self {
            Self::Kernels2026 | Self::Kernels202611 | Self::Kernels202612 => Source::new(
                "published kernel and network benchmarks, 2025–2026",
                "each term lists its source",
            ),
            Self::Ideal => Source::new("none", "hardware at its peak"),
            Self::AlephAlpha2025 => Source::new(paper::A, "3.5"),
            Self::Helix => Source::new(
                paper::H,
                "least-squares fit to Helix’s four published gains: 11.5 µs",
            ),
            Self::Lamina => Source::new(paper::L, "4 and 6"),
        }
    }

    /// Returns the calibration for an accelerator whose measured kernels are given by `coverage`.
    pub const fn calibration(self, coverage: Coverage) -> Calibration {
        match self {
            Self::Kernels2026 => kernels::calibration(coverage.without_ranges()),
            Self::Kernels202611 => by_operator::calibration(coverage),
            Self::Kernels202612 => engine::calibration(coverage),
            Self::Ideal => IDEAL,
            // DeepEP reaches 40 of 50 GB/s (1.25), FlashMLA 66% (1.5), DeepGEMM 1550 of 1980 TFLOP/s (1.3). The last
            // two factors are raised by 10% for bad shapes and launches. The products 1.5 × 1.1 and 1.3 × 1.1 are
            // literals because their binary values have more digits than a permalink can state.
            Self::AlephAlpha2025 => Calibration {
                fold: Fold::Block,
                memory: 2.0,
                attention: 1.65,
                projections: 1.65,
                ffn: 1.43,
                messages: MessageCosts::uniform(Seconds::ZERO, 1.25),
                ..IDEAL
            },
            Self::Helix => Calibration {
                messages: MessageCosts::uniform(Seconds::from_micros(HELIX_MICROS), 1.0),
                ..IDEAL
            },
            Self::Lamina => Calibration {
                memory: 1.0 / 0.75,
                attention: 1.0 / 0.66,
                projections: 1.0 / 0.66,
                ffn: 1.0 / 0.66,
                messages: MessageCosts::uniform(Seconds::from_micros(LAMINA_MICROS), 50.0 / 45.7),
                ..IDEAL
            },
        }
    }

    /// Returns every calibration term with its values and source; empty for calibrations without separate terms per
    /// kernel.
    pub fn terms(self) -> Vec<&'static CalibrationTerm> {
        match self {
            Self::Kernels2026 => kernels::terms(),
            Self::Kernels202611 => by_operator::terms(),
            Self::Kernels202612 => engine::terms(),
            Self::Ideal | Self::AlephAlpha2025 | Self::Helix | Self::Lamina => Vec::new(),
        }
    }

    /// Returns the fixed latency of collectives in µs; `None` if it differs between types of collectives.
    pub const fn latency_micros(self) -> Option<f64> {
        match self {
            Self::Kernels2026 | Self::Kernels202611 | Self::Kernels202612 => None,
            Self::Ideal | Self::AlephAlpha2025 => Some(0.0),
            Self::Helix => Some(HELIX_MICROS),
            Self::Lamina => Some(LAMINA_MICROS),
        }
    }

    /// Returns the inefficiency factor ε of collectives; `None` if it differs between types of collectives.
    pub const fn message_factor(self) -> Option<f64> {
        match self {
            Self::Kernels2026 | Self::Kernels202611 | Self::Kernels202612 => None,
            _ => Some(self.calibration(Coverage::Unclaimed).messages.across.factor),
        }
    }

    /// Returns the launch latency of an operator in µs; if latencies differ between kernels, returns that of a GEMM
    /// in `kernels-2026`.
    pub const fn overhead_micros(self) -> f64 {
        match self {
            Self::Kernels2026 | Self::Kernels202611 | Self::Kernels202612 => {
                kernels::GEMM_START.hopper
            }
            _ => 0.0,
        }
    }

    /// Returns the framework overhead per layer and pass in µs; `None` if it differs between layers.
    pub const fn layer_micros(self) -> Option<f64> {
        match self {
            Self::Kernels2026 => Some(kernels::LAYER_OVERHEAD.hopper),
            Self::Kernels202611 => Some(by_operator::LAYER_OVERHEAD.hopper),
            Self::Kernels202612 => None,
            _ => Some(0.0),
        }
    }

    /// Returns the CPU overhead per step in µs; `None` if it grows with the batch.
    pub const fn host_micros(self) -> Option<f64> {
        match self {
            Self::Kernels202612 => None,
            _ => Some(0.0),
        }
    }
}

/// Latency per collective in µs: the one free constant of the Helix calibration, a least-squares fit to the four
/// gains published in [H].
const HELIX_MICROS: f64 = 11.5;
/// Latency per collective in µs: half of Lamina's round trip of 33 µs.
const LAMINA_MICROS: f64 = 16.5;

/// Calibration in which the hardware reaches its peak rates: every term has its neutral value.
const IDEAL: Calibration = Calibration {
    fold: Fold::Operator,
    memory: 1.0,
    attention: 1.0,
    projections: 1.0,
    ffn: 1.0,
    starts: Starts::uniform(Seconds::ZERO),
    tile_rows: 0.0,
    core_tokens: 0.0,
    popularity: Popularity::UNIFORM,
    messages: MessageCosts::uniform(Seconds::ZERO, 1.0),
    contention: 1.0,
    layer_overhead: Seconds::ZERO,
    host: Seconds::ZERO,
    engine: None,
    prefill: PrefillCount::Equations,
    prompts: None,
    operators: None,
    drafter: false,
    coverage: Coverage::Unclaimed,
};

/// Overrides of a calibration's values; a field that is `None` does not override.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overrides {
    /// Rule for combining the memory and compute times of a block's operators.
    pub fold: Option<Fold>,
    /// Inefficiency factor ε of memory traffic.
    pub memory: Option<f64>,
    /// Inefficiency factor ε of attention compute. If the calibration's factors differ between kernels, it applies to
    /// the attention kernel only.
    pub attention: Option<f64>,
    /// Inefficiency factor ε of FFN compute. If the calibration's factors differ between kernels, it applies to every
    /// GEMM.
    pub ffn: Option<f64>,
    /// Inefficiency factor ε of every collective.
    pub network: Option<f64>,
    /// Fixed latency of every collective.
    pub latency: Option<Seconds>,
    /// Launch latency of every operator. If the calibration's latencies differ between kernels, it applies to GEMMs
    /// only.
    pub overhead: Option<Seconds>,
    /// Framework overhead per layer and pass.
    pub layer: Option<Seconds>,
    /// CPU overhead per step.
    pub host: Option<Seconds>,
}

impl Calibration {
    /// Returns the calibration with the overrides in `stated`.
    ///
    /// In a calibration with separate terms per kernel, the rule for combining operator times (fold) cannot be
    /// overridden. The attention factor then applies to the attention kernel, and the FFN factor to GEMMs.
    #[must_use]
    pub fn overridden(mut self, named: NamedCalibration, stated: &Overrides) -> Self {
        let by_kernel = named.tells_kernels_apart();
        if let Some(fold) = stated.fold.filter(|_| !by_kernel) {
            self.fold = fold;
        }
        if let Some(memory) = stated.memory {
            self.memory = memory;
        }
        if let Some(attention) = stated.attention {
            self.attention = attention;
            if !by_kernel {
                self.projections = attention;
            }
        }
        if let Some(ffn) = stated.ffn {
            self.ffn = ffn;
            if by_kernel {
                self.projections = ffn;
            }
        }
        let change = |cost: MessageCost| MessageCost {
            start: stated.latency.unwrap_or(cost.start),
            factor: stated.network.unwrap_or(cost.factor),
        };
        self.messages = self.messages.map(change);
        if let Some(overhead) = stated.overhead {
            if by_kernel {
                self.starts.gemm = overhead;
            } else {
                self.starts.operator = overhead;
            }
        }
        if let Some(prompts) = &mut self.prompts {
            prompts.override_with(stated);
            prompts.messages = prompts.messages.map(change);
        }
        if let Some(terms) = &mut self.operators {
            override_operators(terms, stated);
        }
        self.layer_overhead = stated.layer.unwrap_or(self.layer_overhead);
        self.host = stated.host.unwrap_or(self.host);
        if let Some(engine) = &mut self.engine {
            engine.override_with(stated);
        }
        self
    }
}

impl PromptTerms {
    fn override_with(&mut self, stated: &Overrides) {
        if let Some(attention) = stated.attention {
            self.cores = [attention; 2];
        }
        if let Some(ffn) = stated.ffn {
            self.gemms = [ffn; 3];
            self.experts = [ffn; 3];
        }
    }
}

impl EngineTerms {
    /// Applies the overrides in `stated` to the engine terms. If the overhead per layer is overridden, the additional
    /// times of half layers become zero. If the overhead per step is overridden, the time per sampled token becomes
    /// zero.
    const fn override_with(&mut self, stated: &Overrides) {
        if let Some(memory) = stated.memory {
            self.memory = memory;
        }
        if stated.layer.is_some() {
            self.quantized = Seconds::ZERO;
            self.experts = Seconds::ZERO;
        }
        if stated.host.is_some() {
            self.sampled = Seconds::ZERO;
        }
    }
}

fn override_operators(terms: &mut OperatorTerms, stated: &Overrides) {
    if let Some(memory) = stated.memory {
        terms.set_memory(memory);
    }
    if let Some(attention) = stated.attention {
        terms.set_attention(attention);
    }
    if let Some(ffn) = stated.ffn {
        terms.set_products(ffn);
    }
    if let Some(overhead) = stated.overhead {
        terms.set_gemm_start(overhead);
    }
}

impl NamedCalibration {
    /// True for calibrations in which launch latencies and efficiencies differ between kernels.
    pub const fn tells_kernels_apart(self) -> bool {
        matches!(
            self,
            Self::Kernels2026 | Self::Kernels202611 | Self::Kernels202612
        )
    }

    /// True for calibrations in which constants differ between operators and number formats.
    pub const fn tells_operators_apart(self) -> bool {
        matches!(self, Self::Kernels202611 | Self::Kernels202612)
    }
}
