//! Matrix products by format.

use super::super::kernels;
use super::super::term::{CalibrationTerm, TermUnit};
use super::TABLES;
use crate::hardware::Family;
use crate::source::Source;
use crate::units::Seconds;

/// Starts of isolated products are later, but whole systems overlap them by dependent launch, a second stream and
/// fused quantisation: with them, published steps come out worse.
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
        "start of a BF16 matrix product; a gated feed-forward launches two",
        START_BF16,
    )
    .on_amd(5.0, 5.0),
    start("τ_g FP8", "start of an FP8 matrix product", START_FP8).on_amd(13.0, 13.0),
    start("τ_g FP4", "start of an FP4 matrix product", START_FP8).on_amd(13.0, 13.0),
];

/// σ_g, in the same order.
pub const SHARE: [CalibrationTerm; 3] = [
    share(
        "σ_g BF16",
        "share of BF16 FLOP/s in matrix products",
        SHARE_BF16,
    )
    .on_amd(0.69, 0.69),
    share(
        "σ_g FP8",
        "share of FP8 FLOP/s in matrix products",
        SHARE_FP8,
    )
    .on_amd(0.37, 0.37),
    share(
        "σ_g FP4",
        "share of FP4 FLOP/s in matrix products",
        SHARE_FP4,
    )
    .on_amd(0.37, 0.40),
];

/// Start of the maps between streams of the residual.
pub const RESIDUAL_START: CalibrationTerm = CalibrationTerm::new(
    "τ_r",
    "start of the maps between streams of the residual, both sites of a layer",
    TermUnit::Micros,
    [28.0, 31.0],
    Source::new(TABLES, "mHC kernels, intercept"),
);

/// Start and ε of compute by format.
pub(super) const fn costs(family: Family) -> [(Seconds, f64); 3] {
    [
        (START[0].seconds(family), SHARE[0].factor(family)),
        (START[1].seconds(family), SHARE[1].factor(family)),
        (START[2].seconds(family), SHARE[2].factor(family)),
    ]
}
