//! Calibration terms of GEMMs, by number format.

use super::super::kernels;
use super::super::operator_terms::ProductCost;
use super::super::term::{CalibrationTerm, TermUnit};
use super::TABLES;
use crate::hardware::Family;
use crate::source::Source;

/// Source of the GEMM launch latency. Isolated GEMMs take longer, but whole systems overlap part of the launches by
/// programmatic dependent launch, a second stream and fused quantization. The latencies of isolated GEMMs predict
/// published step times less accurately.
const START_BF16: Source = Source::new(
    "aiconfigurator; hipBLASLt kernels in an MI325X trace",
    "constant latency of memory-bound kernels; on AMD, latency of the shortest kernels",
);
const START_FP8: Source = Source::new(
    "aiconfigurator; AITER #3629",
    "as in BF16; on AMD 13–15 µs if tuned, 43–68 µs if untuned (#1232)",
);
const SHARE_BF16: Source = Source::new(
    "Grouped-GEMM expert kernels; milabench #331",
    "as in kernels-2026; MI325X reaches 898 TFLOP/s",
);
const SHARE_FP8: Source = Source::new(
    "Grouped-GEMM expert kernels; HipKittens #76",
    "as in kernels-2026; CDNA 3 reaches 963 TFLOP/s, CDNA 4 1859 to 2298 TFLOP/s: 0.37–0.46 of the peak",
);
const SHARE_FP4: Source = Source::new(
    "Grouped-GEMM expert kernels; AITER #2452, #2037",
    "as in kernels-2026; CDNA 4 reaches 2199 TFLOP/s (at 256 rows) to 5775 TFLOP/s: 0.22–0.57 of the peak; CDNA 3 \
        as in FP8",
);

const fn start(symbol: &'static str, what: &'static str, source: Source) -> CalibrationTerm {
    CalibrationTerm {
        symbol,
        what,
        source,
        ..kernels::GEMM_START
    }
}

const fn share(symbol: &'static str, what: &'static str, source: Source) -> CalibrationTerm {
    CalibrationTerm {
        symbol,
        what,
        source,
        ..kernels::GEMM
    }
}

/// Launch latency τ_g of a GEMM in BF16, FP8 and FP4.
pub const START: [CalibrationTerm; 3] = [
    start(
        "τ_g BF16",
        "BF16 GEMM launch latency; a gated FFN launches two",
        START_BF16,
    )
    .on_amd(5.0, 5.0),
    start("τ_g FP8", "FP8 GEMM launch latency", START_FP8).on_amd(13.0, 13.0),
    start("τ_g FP4", "FP4 GEMM launch latency", START_FP8).on_amd(13.0, 13.0),
];

/// Fraction σ_g of peak FLOP/s that a GEMM reaches in BF16, FP8 and FP4.
pub const SHARE: [CalibrationTerm; 3] = [
    share("σ_g BF16", "BF16 GEMM efficiency", SHARE_BF16).on_amd(0.69, 0.69),
    share("σ_g FP8", "FP8 GEMM efficiency", SHARE_FP8).on_amd(0.37, 0.37),
    share("σ_g FP4", "FP4 GEMM efficiency", SHARE_FP4).on_amd(0.37, 0.40),
];

/// Fixed latency, per layer, of the kernels that mix residual streams (hyper-connections).
pub const RESIDUAL_START: CalibrationTerm = CalibrationTerm::new(
    "τ_r",
    "hyper-connection kernel latency per layer (attention + FFN)",
    TermUnit::Micros,
    [28.0, 31.0],
    Source::new(TABLES, "mHC kernels, intercept of a linear fit"),
);

pub(super) const fn costs(family: Family) -> [ProductCost; 3] {
    [cost(0, family), cost(1, family), cost(2, family)]
}

const fn cost(format: usize, family: Family) -> ProductCost {
    ProductCost {
        start: START[format].seconds(family),
        compute: SHARE[format].factor(family),
        memory: kernels::MEMORY.factor(family),
    }
}
