//! The calibration `kernels-2026-12`: [`by_operator`] with new Hopper values for GEMMs and GQA kernels. It also has
//! separately measured terms for the engine overhead around kernels.
//!
//! No constant is fitted. This project measured 450 GEMMs and profiled 26 decode steps of vLLM 0.24.0 on one H200.
//! Overhead depends more on host and engine than on the accelerator, so every family uses the overhead measured on that
//! machine.

use super::by_operator::{self, attention, attention::CoreTerms, gemm};
use super::engine_terms::EngineTerms;
use super::kernels;
use super::operator_terms::{OperatorTerms, ProductCost};
use super::term::{CalibrationTerm, TermUnit};
use super::terms::Calibration;
use crate::hardware::{Coverage, Family};
use crate::source::Source;
use crate::units::Seconds;

/// Permalink identifier of the accelerator on which the terms were measured.
pub const MEASURED_PART: &str = "h200";

const OWN: &str = "Ridgepoint, vLLM 0.24.0 on one H200 (November 2026)";

const fn own(
    symbol: &'static str,
    what: &'static str,
    unit: TermUnit,
    value: f64,
    locator: &'static str,
) -> CalibrationTerm {
    let source = Source::new(OWN, locator);
    CalibrationTerm::new(symbol, what, unit, [value, value], source)
}

const PRODUCTS: &str = "450 GEMMs, 1 to 4,096 rows; other families as in kernels-2026-11";

const fn product(
    of: CalibrationTerm,
    symbol: &'static str,
    what: &'static str,
    hopper: f64,
) -> CalibrationTerm {
    CalibrationTerm {
        symbol,
        what,
        hopper,
        source: Source::new(OWN, PRODUCTS),
        ..of
    }
}

/// Fraction σ_g of peak FLOP/s that GEMMs reach in BF16, FP8 (with per-token scales) and FP4.
pub const SHARE: [CalibrationTerm; 3] = [
    product(gemm::SHARE[0], "σ_g BF16", "BF16 GEMM efficiency", 0.76),
    product(gemm::SHARE[1], "σ_g FP8", "FP8 GEMM efficiency", 0.72),
    gemm::SHARE[2],
];

/// Fraction σ_gm of HBM bandwidth that BF16 and FP8 GEMMs reach; FP4 GEMMs use [`kernels::MEMORY`].
pub const PRODUCT_MEMORY: [CalibrationTerm; 2] = [
    product(MEMORY, "σ_gm BF16", "BF16 GEMM HBM efficiency", 0.88),
    product(MEMORY, "σ_gm FP8", "FP8 GEMM HBM efficiency", 0.84),
];

/// Copy of [`kernels::MEMORY`] in which the Hopper value is also set explicitly for AMD.
const MEMORY: CalibrationTerm = as_before(kernels::MEMORY);

/// Sets a term's AMD values to its Hopper value if the term has no AMD values. A later change of the Hopper value then
/// does not affect AMD.
const fn as_before(of: CalibrationTerm) -> CalibrationTerm {
    match of.amd {
        Some(_) => of,
        None => of.on_amd(of.hopper, of.hopper),
    }
}

/// Terms of the GQA decode kernel: first for a KV cache of at least 1.5 bytes per element, then for a narrower one.
pub const GROUPED: [CoreTerms; 2] = [
    CoreTerms {
        start: core(attention::GROUPED[0].start, 12.0),
        memory: core(attention::GROUPED[0].memory, 0.96),
        tokens: core(attention::GROUPED[0].tokens, 240.0),
    },
    attention::GROUPED[1],
];

/// Replaces the Hopper value of a GQA kernel term; the AMD values stay the same.
const fn core(of: CalibrationTerm, hopper: f64) -> CalibrationTerm {
    CalibrationTerm {
        hopper,
        source: Source::new(
            OWN,
            "26 profiled decode steps, within 5%; other families as in kernels-2026-11",
        ),
        ..as_before(of)
    }
}

/// Fixed engine overhead per half layer (attention or FFN), o_h.
pub const HALF: CalibrationTerm = own(
    "o_h",
    "engine overhead per half layer (attention or FFN): norms, RoPE, activation, gaps",
    TermUnit::Micros,
    5.5,
    "11 µs per dense BF16 layer",
)
.by("layer_us");

/// Additional engine overhead o_q for quantization, per half layer with FP8 or FP4 GEMMs.
pub const QUANTIZED: CalibrationTerm = own(
    "o_q",
    "extra overhead per half layer with FP8/FP4 GEMMs: quantization",
    TermUnit::Micros,
    8.0,
    "27 µs per dense FP8 layer",
)
.by("layer_us");

/// Additional engine overhead of an FFN half layer with experts, o_x.
pub const EXPERTS: CalibrationTerm = own(
    "o_x",
    "extra overhead per half layer with experts: sorting, gating, summing",
    TermUnit::Micros,
    4.0,
    "auxiliary MoE kernels in profiles",
)
.by("layer_us");

const TRAFFIC: &str = "47 bytes per BF16 layer in prefill, 115 bytes per FP8 layer; the split across TP is derived, not measured";

/// Engine traffic of a half layer, in bytes per token and hidden element. Every GPU of an attention group moves the
/// full traffic of the first term; the second is divided among the GPUs.
pub const MOVED: [CalibrationTerm; 2] = [
    own(
        "a_h",
        "engine traffic per half layer, token and hidden element, replicated over TP",
        TermUnit::Bytes,
        8.0,
        TRAFFIC,
    ),
    own(
        "a_h TP",
        "engine traffic per half layer, token and hidden element, divided by TP",
        TermUnit::Bytes,
        15.5,
        TRAFFIC,
    ),
];

/// Additional engine traffic of a half layer with FP8 or FP4 GEMMs, in bytes per token and hidden element. Each of
/// the g GPUs of an attention group moves this amount times 1 + 1/g.
pub const QUANTIZED_MOVED: CalibrationTerm = own(
    "a_q",
    "extra engine traffic per half layer with FP8/FP4 GEMMs: one share replicated, one divided by TP",
    TermUnit::Bytes,
    17.0,
    TRAFFIC,
);

/// Fraction σ_h of HBM bandwidth that the engine traffic reaches.
pub const MOVED_SHARE: CalibrationTerm = own(
    "σ_h",
    "HBM efficiency of engine traffic",
    TermUnit::Share,
    0.90,
    "4.3 of 4.8 TB/s",
)
.by("e_mem");

/// Fixed engine overhead per decode step, o_H.
pub const STEP: CalibrationTerm = own(
    "o_H",
    "engine overhead per step: sampling, FP32 logits, gaps",
    TermUnit::Micros,
    250.0,
    "240 to 500 µs at batch 1",
)
.by("host_us");

/// Engine overhead per sampled token, o_s.
pub const SAMPLED: CalibrationTerm = own(
    "o_s",
    "engine overhead per sampled token",
    TermUnit::Micros,
    1.5,
    "1 to 2.4 µs per sequence",
)
.by("host_us");

/// Returns every term of the calibration, in the order of a step.
pub fn terms() -> Vec<&'static CalibrationTerm> {
    let around = [&HALF, &QUANTIZED, &EXPERTS];
    let moved = MOVED.iter().chain([&QUANTIZED_MOVED, &MOVED_SHARE]);
    let overhead: Vec<&CalibrationTerm> = around
        .into_iter()
        .chain(moved)
        .chain([&STEP, &SAMPLED])
        .collect();
    let products: Vec<&CalibrationTerm> = SHARE.iter().chain(&PRODUCT_MEMORY).collect();
    by_operator::listed(&products, &GROUPED, &overhead)
}

/// Returns the calibration for an accelerator whose measured kernels are given by `coverage`; uses the Hopper values
/// if none were measured.
pub const fn calibration(coverage: Coverage) -> Calibration {
    let family = coverage.family_or_hopper();
    let before = by_operator::calibration(coverage);
    let operators = match before.operators {
        Some(terms) => Some(OperatorTerms {
            gemms: products(terms.gemms, family),
            grouped: attention::costs(&GROUPED, family),
            ..terms
        }),
        None => None,
    };
    Calibration {
        layer_overhead: Seconds::from_micros(2.0 * HALF.of(family)),
        host: STEP.seconds(family),
        engine: Some(EngineTerms {
            quantized: QUANTIZED.seconds(family),
            experts: EXPERTS.seconds(family),
            moved: [MOVED[0].of(family), MOVED[1].of(family)],
            quantized_moved: QUANTIZED_MOVED.of(family),
            memory: MOVED_SHARE.factor(family),
            sampled: SAMPLED.seconds(family),
            on_measured_part: false,
        }),
        operators,
        ..before
    }
}

const fn products([bf16, fp8, fp4]: [ProductCost; 3], family: Family) -> [ProductCost; 3] {
    [
        ProductCost {
            compute: SHARE[0].factor(family),
            memory: PRODUCT_MEMORY[0].factor(family),
            ..bf16
        },
        ProductCost {
            compute: SHARE[1].factor(family),
            memory: PRODUCT_MEMORY[1].factor(family),
            ..fp8
        },
        fp4,
    ]
}
