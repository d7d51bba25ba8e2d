//! How far real kernels and links stay behind the hardware: the only place for such factors.
//!
//! One set of formulas serves every calibration. A kernel takes
//! `start + max(π·FLOP·ε/peak, bytes·ε_m/bandwidth)`, a message `start + bytes·ε/bandwidth`; whoever
//! knows nothing of starts, tiles or popularity states the neutral value and drops out.

use super::kernels;
use crate::ops::ffn::Popularity;
use crate::ops::{KernelClass, Kind};
use crate::source::{Source, paper};
use crate::units::Seconds;

/// How the times of a block's operators add up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fold {
    /// Each operator is as slow as its own memory or compute time, and they follow each other. Source: [B].
    Operator,
    /// A whole block is as slow as all its memory or all its compute time. Source: [A] eqs 46–47.
    Block,
}

impl Fold {
    /// Both folds.
    pub const ALL: [Self; 2] = [Self::Operator, Self::Block];

    /// The identifier in links.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Operator => "operator",
            Self::Block => "block",
        }
    }
}

/// Whose kernels a calibration was measured on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// H100, H200, H800, H20.
    Hopper,
    /// B200, GB200, B300, GB300.
    Blackwell,
}

impl Family {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Hopper, Self::Blackwell];

    /// The identifier in links.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Hopper => "hopper",
            Self::Blackwell => "blackwell",
        }
    }

    /// The name people use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hopper => "Hopper",
            Self::Blackwell => "Blackwell",
        }
    }
}

/// What of an accelerator's kernels was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coverage {
    /// The calibration makes no claim about kernels of any accelerator.
    Unclaimed,
    /// Kernels of the family it belongs to.
    Measured(Family),
    /// Memory and messages of its family, but no arithmetic.
    MemoryOnly(Family),
    /// None: another family's stand in.
    Borrowed(Family),
}

impl Coverage {
    /// The family whose numbers are used.
    pub const fn family(self) -> Option<Family> {
        match self {
            Self::Unclaimed => None,
            Self::Measured(family) | Self::MemoryOnly(family) | Self::Borrowed(family) => {
                Some(family)
            }
        }
    }
}

/// Fixed times before an operator's own work.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Starts {
    /// Of every operator, cache writes included.
    pub operator: Seconds,
    /// Of one matrix-product kernel, τ_g; gated feed-forwards launch two.
    pub gemm: Seconds,
    /// Of attention's core, τ_a.
    pub core: Seconds,
    /// Of the routed experts' kernels together, τ_x.
    pub experts: Seconds,
}

impl Starts {
    /// The same time for every operator.
    pub const fn uniform(operator: Seconds) -> Self {
        Self {
            operator,
            gemm: Seconds::ZERO,
            core: Seconds::ZERO,
            experts: Seconds::ZERO,
        }
    }

    /// The start of one operator.
    pub fn of(&self, kind: Kind) -> Seconds {
        let kernels = match kind.kernel_class() {
            KernelClass::Gemm => self.gemm,
            KernelClass::GemmPair => self.gemm * 2.0,
            KernelClass::Core => self.core,
            KernelClass::Experts => self.experts,
            KernelClass::Copy => Seconds::ZERO,
        };
        self.operator + kernels
    }

    /// All of them times `factor`.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Self {
            operator: self.operator * factor,
            gemm: self.gemm * factor,
            core: self.core * factor,
            experts: self.experts * factor,
        }
    }

    /// Whether any operator has one.
    pub fn any(&self) -> bool {
        (self.operator + self.gemm + self.core + self.experts) > Seconds::ZERO
    }
}

/// What one kind of message costs beyond its bytes at full bandwidth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MessageCost {
    /// Time until the first byte moves, α.
    pub start: Seconds,
    /// ε on the time of its bytes.
    pub factor: f64,
}

/// Costs by kind of message within a domain, and of any message that leaves it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MessageCosts {
    /// All-reduce within a domain.
    pub all_reduce: MessageCost,
    /// All-gather within a domain.
    pub all_gather: MessageCost,
    /// Dispatch, combine and Helix's exchange within a domain; α of each.
    pub all_to_all: MessageCost,
    /// Any message across domains.
    pub across: MessageCost,
}

impl MessageCosts {
    /// The same cost everywhere.
    pub const fn uniform(start: Seconds, factor: f64) -> Self {
        let cost = MessageCost { start, factor };
        Self {
            all_reduce: cost,
            all_gather: cost,
            all_to_all: cost,
            across: cost,
        }
    }

    /// Every cost changed by `change`.
    #[must_use]
    pub fn map(self, change: impl Fn(MessageCost) -> MessageCost) -> Self {
        Self {
            all_reduce: change(self.all_reduce),
            all_gather: change(self.all_gather),
            all_to_all: change(self.all_to_all),
            across: change(self.across),
        }
    }

    /// Every start times `factor`.
    #[must_use]
    pub fn with_starts_scaled(self, factor: f64) -> Self {
        self.map(|cost| MessageCost {
            start: cost.start * factor,
            ..cost
        })
    }

    /// The four costs.
    pub const fn all(&self) -> [MessageCost; 4] {
        [
            self.all_reduce,
            self.all_gather,
            self.all_to_all,
            self.across,
        ]
    }
}

/// How the prefill of a prompt is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrefillCount {
    /// Decode's operators over the prompt. Source: [A] eqs 1–24.
    Equations,
    /// The kernels that engines run for it.
    Kernels,
}

/// Inefficiency factors (≥ 1, multiplied onto ideal times), fixed times, and the fold they were made for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Calibration {
    /// How times of a block add up.
    pub fold: Fold,
    /// ε of memory traffic.
    pub memory: f64,
    /// ε of arithmetic in attention's core.
    pub attention: f64,
    /// ε of arithmetic in attention's matrix products and the head.
    pub projections: f64,
    /// ε of feed-forward arithmetic.
    pub ffn: f64,
    /// Fixed times of operators.
    pub starts: Starts,
    /// Rows of a tile: a matrix product of fewer computes as many; 0 for none.
    pub tile_rows: f64,
    /// Tokens of context that attention's core takes longer for than its sequence has, s₀.
    pub core_tokens: f64,
    /// Which experts tokens choose.
    pub popularity: Popularity,
    /// Costs of messages.
    pub messages: MessageCosts,
    /// How much longer messages take while compute runs beside them, κ.
    pub contention: f64,
    /// Serving overhead of one layer and pass, o_L.
    pub layer_overhead: Seconds,
    /// Host time of a step that nothing hides, o_H.
    pub host: Seconds,
    /// How prompts are counted.
    pub prefill: PrefillCount,
    /// Whose kernels were measured.
    pub coverage: Coverage,
}

impl Calibration {
    /// Full bandwidth, and none of what a better kernel or engine could avoid: what remains are bytes,
    /// arithmetic and messages as they are. A fixed time of every operator stays.
    #[must_use]
    pub fn without_avoidable(self) -> Self {
        Self {
            memory: 1.0,
            starts: Starts::uniform(self.starts.operator),
            core_tokens: 0.0,
            contention: 1.0,
            layer_overhead: Seconds::ZERO,
            host: Seconds::ZERO,
            ..self
        }
    }
}

/// The calibrations with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedCalibration {
    /// Built from measured kernels and messages of Hopper and Blackwell; see [`kernels`].
    Kernels2026,
    /// Hardware at its peak.
    Ideal,
    /// Fitted to serving systems of 2025. Source: [A] 3.5.
    AlephAlpha2025,
    /// Hardware at its peak, with a latency per collective. Source: fitted to [H] Figures 5–7.
    Helix,
    /// Kernel and network efficiencies of Lamina. Source: [L] 4 and 6.
    Lamina,
}

impl NamedCalibration {
    /// All of them; the first is the default.
    pub const ALL: [Self; 5] = [
        Self::Kernels2026,
        Self::Ideal,
        Self::AlephAlpha2025,
        Self::Helix,
        Self::Lamina,
    ];

    /// The identifier in links.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Kernels2026 => "kernels-2026",
            Self::Ideal => "ideal",
            Self::AlephAlpha2025 => "aleph-alpha-2025",
            Self::Helix => "helix",
            Self::Lamina => "lamina",
        }
    }

    /// Where its numbers come from; those of [`Self::Kernels2026`] each have a source of their own in
    /// [`kernels::TERMS`].
    pub const fn source(self) -> Source {
        match self {
            Self::Kernels2026 => Source::new(
                "public kernel and network benchmarks of 2025 and 2026",
                "each term names its own",
            ),
            Self::Ideal => Source::new("none", "hardware at its peak"),
            Self::AlephAlpha2025 => Source::new(paper::A, "3.5"),
            Self::Helix => Source::new(
                paper::H,
                "least squares over its four published gains gives 11.5 µs",
            ),
            Self::Lamina => Source::new(paper::L, "4 and 6"),
        }
    }

    /// What the name stands for on an accelerator with this coverage.
    pub const fn calibration(self, coverage: Coverage) -> Calibration {
        match self {
            Self::Kernels2026 => kernels::calibration(coverage),
            Self::Ideal => IDEAL,
            // DeepEP reaches 40 of 50 GB/s, FlashMLA 66 %, DeepGEMM 1550 of 1980 TFLOP/s, the
            // last two with a tenth more for bad shapes and launches: 1.5·1.1 and 1.3·1.1, written
            // out because the products would carry binary dust that no link can state.
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

    /// The start of every message in µs; `None` where kinds of messages differ.
    pub const fn latency_micros(self) -> Option<f64> {
        match self {
            Self::Kernels2026 => None,
            Self::Ideal | Self::AlephAlpha2025 => Some(0.0),
            Self::Helix => Some(HELIX_MICROS),
            Self::Lamina => Some(LAMINA_MICROS),
        }
    }

    /// ε of every message; `None` where kinds of messages differ.
    pub const fn message_factor(self) -> Option<f64> {
        match self {
            Self::Kernels2026 => None,
            _ => Some(self.calibration(Coverage::Unclaimed).messages.across.factor),
        }
    }

    /// The start of an operator in µs: of a matrix product where kernels are told apart.
    pub const fn overhead_micros(self) -> f64 {
        match self {
            Self::Kernels2026 => kernels::GEMM_START.hopper,
            _ => 0.0,
        }
    }

    /// The serving overhead of a layer and pass in µs.
    pub const fn layer_micros(self) -> f64 {
        match self {
            Self::Kernels2026 => kernels::LAYER_OVERHEAD.hopper,
            _ => 0.0,
        }
    }
}

/// [H]'s one free constant: least squares over its four published gains.
const HELIX_MICROS: f64 = 11.5;
/// Half of Lamina's round trip of 33 µs.
const LAMINA_MICROS: f64 = 16.5;

/// Hardware at its peak: every term neutral.
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
    prefill: PrefillCount::Equations,
    coverage: Coverage::Unclaimed,
};

/// Numbers a person states in place of a calibration's; `None` keeps what it has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overrides {
    /// How times of a block add up.
    pub fold: Option<Fold>,
    /// ε of memory traffic.
    pub memory: Option<f64>,
    /// ε of attention's arithmetic; of its core alone where its matrix products have their own.
    pub attention: Option<f64>,
    /// ε of the feed-forward's arithmetic; of every matrix product where kernels are told apart.
    pub ffn: Option<f64>,
    /// ε of every message.
    pub network: Option<f64>,
    /// Start of every message.
    pub latency: Option<Seconds>,
    /// Start of every operator; of a matrix product where kernels are told apart.
    pub overhead: Option<Seconds>,
    /// Serving overhead of a layer and pass.
    pub layer: Option<Seconds>,
    /// Host time of a step.
    pub host: Option<Seconds>,
}

impl Calibration {
    /// The calibration with `stated` in place of what it has.
    ///
    /// Where kernels are told apart the fold is fixed, and the factors of attention and feed-forward are
    /// those of the core and of matrix products.
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
        self.messages = self.messages.map(|cost| MessageCost {
            start: stated.latency.unwrap_or(cost.start),
            factor: stated.network.unwrap_or(cost.factor),
        });
        if let Some(overhead) = stated.overhead {
            if by_kernel {
                self.starts.gemm = overhead;
            } else {
                self.starts.operator = overhead;
            }
        }
        self.layer_overhead = stated.layer.unwrap_or(self.layer_overhead);
        self.host = stated.host.unwrap_or(self.host);
        self
    }
}

impl NamedCalibration {
    /// Whether kernels differ in their starts and shares of the peak; if not, one number serves all.
    pub const fn tells_kernels_apart(self) -> bool {
        matches!(self, Self::Kernels2026)
    }
}
