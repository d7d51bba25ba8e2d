//! Calibration terms of routed experts on GPUs that each hold every token. There, one fused kernel sorts the tokens
//! and runs the GEMMs.

use super::super::operator_terms::FusedExperts;
use super::super::term::{CalibrationTerm, TermUnit};
use super::TABLES;
use crate::hardware::Family;
use crate::source::Source;

/// Calibration terms of the fused MoE kernel for one number format.
#[derive(Debug, Clone, Copy)]
pub struct ExpertTerms {
    /// Fixed latency of the fused MoE kernel.
    pub start: CalibrationTerm,
    /// Fraction of peak FLOP/s that the fused MoE kernel reaches.
    pub compute: CalibrationTerm,
    /// Fraction of HBM bandwidth reached by the fused MoE kernel when it reads weights.
    pub memory: CalibrationTerm,
    /// Activation traffic of the fused MoE kernel (symbol `a`): bytes per token, per expert, and per element of the
    /// experts' input width.
    pub bytes: CalibrationTerm,
}

/// Source of the BF16 MoE terms. Median and 90th-percentile errors over the measured grid: 5% and 49% on Hopper, 15%
/// and 41% on Blackwell.
const BF16: Source = Source::new(
    TABLES,
    "BF16 MoE, balanced experts, EP 1; median of the engines",
);
/// Source of the FP8 MoE terms. Median and 90th-percentile errors over the measured grid: 5% and 20% on Hopper, 12%
/// and 28% on Blackwell.
const FP8: Source = Source::new(
    TABLES,
    "FP8 MoE, balanced experts, EP 1; median of the engines",
);
/// Source of the W4A8 MoE terms (4-bit weights, 8-bit activations). Median and 90th-percentile errors over the
/// measured grid: 16% and 34%.
const W4: Source = Source::new(TABLES, "W4A8 MoE on Blackwell; FP8 MoE on Hopper");
/// Source of the FP4 MoE terms. Median and 90th-percentile errors over the measured grid: 17% and 46%.
const FP4: Source = Source::new(
    TABLES,
    "NVFP4 MoE, measured on Blackwell only, used for all GPUs",
);

const fn terms(
    symbols: [&'static str; 4],
    whats: [&'static str; 4],
    values: [[f64; 2]; 4],
    source: Source,
) -> ExpertTerms {
    ExpertTerms {
        start: CalibrationTerm::new(symbols[0], whats[0], TermUnit::Micros, values[0], source),
        compute: CalibrationTerm::new(symbols[1], whats[1], TermUnit::Share, values[1], source)
            .by("e_ffn"),
        memory: CalibrationTerm::new(symbols[2], whats[2], TermUnit::Share, values[2], source)
            .by("e_mem"),
        bytes: CalibrationTerm::new(symbols[3], whats[3], TermUnit::Bytes, values[3], source),
    }
}

/// Terms of the fused MoE kernel in four formats: BF16, FP8, W4A8 (FP8 arithmetic on weights below 0.75 bytes per
/// element), and FP4.
pub const FUSED: [ExpertTerms; 4] = [
    terms(
        ["τ_x BF16", "σ_x BF16", "σ_w BF16", "a BF16"],
        [
            "fused BF16 MoE kernel latency (no DP attention)",
            "fused BF16 MoE FLOP/s efficiency",
            "fused BF16 MoE weight-read HBM efficiency",
            "fused BF16 MoE traffic per token, expert and element",
        ],
        [[26.0, 19.5], [0.65, 0.59], [0.89, 0.93], [12.5, 10.5]],
        BF16,
    ),
    terms(
        ["τ_x FP8", "σ_x FP8", "σ_w FP8", "a FP8"],
        [
            "fused FP8 MoE kernel latency (no DP attention)",
            "fused FP8 MoE FLOP/s efficiency",
            "fused FP8 MoE weight-read HBM efficiency",
            "fused FP8 MoE traffic per token, expert and element",
        ],
        [[36.5, 26.5], [0.33, 0.24], [0.85, 0.74], [12.0, 14.5]],
        FP8,
    ),
    terms(
        ["τ_x W4", "σ_x W4", "σ_w W4", "a W4"],
        [
            "fused W4A8 MoE kernel latency",
            "fused W4A8 MoE FLOP/s efficiency",
            "fused W4A8 MoE weight-read HBM efficiency",
            "fused W4A8 MoE traffic per token, expert and element",
        ],
        [[36.5, 21.5], [0.33, 0.66], [0.85, 0.75], [12.0, 14.5]],
        W4,
    ),
    terms(
        ["τ_x FP4", "σ_x FP4", "σ_w FP4", "a FP4"],
        [
            "fused FP4 MoE kernel latency (no DP attention)",
            "fused FP4 MoE FLOP/s efficiency",
            "fused FP4 MoE weight-read HBM efficiency",
            "fused FP4 MoE traffic per token, expert and element",
        ],
        [[26.5, 26.5], [0.37, 0.37], [0.92, 0.92], [9.5, 9.5]],
        FP4,
    ),
];

/// Fraction of HBM bandwidth reached when the fused MoE kernel moves activations before and after the GEMMs.
pub const ACTIVATIONS: CalibrationTerm = CalibrationTerm::new(
    "σ_s",
    "fused MoE activation HBM efficiency",
    TermUnit::Share,
    [0.8, 0.8],
    Source::new(TABLES, "efficiency assumed in the traffic terms “a”"),
)
.by("e_mem");

/// Returns the costs of the fused MoE kernel for each number format, in the order of [`FUSED`].
pub(super) const fn costs(family: Family) -> [FusedExperts; 4] {
    [
        cost(&FUSED[0], family),
        cost(&FUSED[1], family),
        cost(&FUSED[2], family),
        cost(&FUSED[3], family),
    ]
}

const fn cost(terms: &ExpertTerms, family: Family) -> FusedExperts {
    FusedExperts {
        start: terms.start.seconds(family),
        compute: terms.compute.factor(family),
        memory: terms.memory.factor(family),
        activation_bytes: terms.bytes.of(family),
    }
}
