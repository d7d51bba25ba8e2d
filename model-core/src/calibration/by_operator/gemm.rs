//! GEMMs by format.

use super::super::kernels;
use super::super::operator_terms::ProductCost;
use super::super::term::{CalibrationTerm, TermUnit};
use super::TABLES;
use crate::hardware::Family;
use crate::source::Source;

/// Starts of isolated products are later, but whole systems overlap them by dependent launch, a second stream and
/// fused quantization: with them, published step times are predicted worse.
const START_BF16: Source = Source::new(
    "aiconfigurator; hipBLASLt kernels in an MI325X trace",
    "constant latency of memory-bound kernels; on AMD the shortest kernels",
);
const START_FP8: Source = Source::new(
    "aiconfigurator; AITER #3629",
    "as in BF16; on AMD 13–15 µs, 43–68 where untuned (#1232)",
);
const SHARE_BF16: Source = Source::new(
    "Grouped-GEMM expert kernels; milabench #331",
    "as in kernels-2026; MI325X 898 TFLOP/s",
);
const SHARE_FP8: Source = Source::new(
    "Grouped-GEMM expert kernels; HipKittens #76",
    "as in kernels-2026; CDNA 3 963 and CDNA 4 1859 to 2298 TFLOP/s, a range of 0.37–0.46",
);
const SHARE_FP4: Source = Source::new(
    "Grouped-GEMM expert kernels; AITER #2452, #2037",
    "as in kernels-2026; CDNA 4 2199 TFLOP/s at 256 rows and 5775, a range of 0.22–0.57; CDNA 3 as FP8",
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

/// τ_g, in the order of [`crate::precision::Format`].
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

/// σ_g, in the same order.
pub const SHARE: [CalibrationTerm; 3] = [
    share("σ_g BF16", "BF16 GEMM efficiency", SHARE_BF16).on_amd(0.69, 0.69),
    share("σ_g FP8", "FP8 GEMM efficiency", SHARE_FP8).on_amd(0.37, 0.37),
    share("σ_g FP4", "FP4 GEMM efficiency", SHARE_FP4).on_amd(0.37, 0.40),
];

/// Start of the maps between streams of the residual.
pub const RESIDUAL_START: CalibrationTerm = CalibrationTerm::new(
    "τ_r",
    "hyper-connection kernel latency, both sites of a layer",
    TermUnit::Micros,
    [28.0, 31.0],
    Source::new(TABLES, "mHC kernels, intercept"),
);

/// Costs by format.
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
