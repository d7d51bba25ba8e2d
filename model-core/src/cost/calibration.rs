//! How far real kernels and links stay behind the hardware: the only place for such factors.

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

/// Inefficiency factors (≥ 1, multiplied onto ideal times), latencies, and the fold they were made for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Calibration {
    /// How times of a block add up.
    pub fold: Fold,
    /// ε of memory traffic.
    pub memory: f64,
    /// ε of attention arithmetic.
    pub attention: f64,
    /// ε of feed-forward arithmetic.
    pub ffn: f64,
    /// ε of messages.
    pub network: f64,
    /// α, the latency of one collective.
    pub latency: Seconds,
    /// Fixed time per operator.
    pub overhead: Seconds,
}

/// The calibrations with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedCalibration {
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
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Ideal, Self::AlephAlpha2025, Self::Helix, Self::Lamina];

    /// The identifier in links.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Ideal => "ideal",
            Self::AlephAlpha2025 => "aleph-alpha-2025",
            Self::Helix => "helix",
            Self::Lamina => "lamina",
        }
    }

    /// What the name stands for.
    pub const fn calibration(self) -> Calibration {
        let ideal = Calibration {
            fold: Fold::Operator,
            memory: 1.0,
            attention: 1.0,
            ffn: 1.0,
            network: 1.0,
            latency: Seconds::ZERO,
            overhead: Seconds::ZERO,
        };
        match self {
            Self::Ideal => ideal,
            // DeepEP reaches 40 of 50 GB/s, FlashMLA 66 %, DeepGEMM 1550 of 1980 TFLOP/s, the
            // last two with a tenth more for bad shapes and launches: 1.5·1.1 and 1.3·1.1, written
            // out because the products would carry binary dust that no link can state.
            Self::AlephAlpha2025 => Calibration {
                fold: Fold::Block,
                memory: 2.0,
                attention: 1.65,
                ffn: 1.43,
                network: 1.25,
                ..ideal
            },
            Self::Helix => Calibration {
                latency: Seconds::new(7e-6),
                ..ideal
            },
            Self::Lamina => Calibration {
                memory: 1.0 / 0.75,
                attention: 1.0 / 0.66,
                ffn: 1.0 / 0.66,
                network: 50.0 / 45.7,
                latency: Seconds::new(16.5e-6),
                ..ideal
            },
        }
    }
}
