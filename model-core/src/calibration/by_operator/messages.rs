//! Calibration terms of collectives, by type.

use super::super::kernels;
use super::super::term::{CalibrationTerm, TermUnit};
use super::super::terms::{MessageCost, MessageCosts};
use super::TABLES;
use crate::hardware::Family;
use crate::source::Source;

/// Source of the custom all-reduce terms. At each point of the measured grid, the model uses the faster of the custom
/// and the NCCL all-reduce. Median and 90th-percentile errors are 11% and 34% on Hopper, 12% and 51% on Blackwell.
const OWN_SOURCE: Source = Source::new(
    "aiconfigurator-core 0.12.0, custom all-reduce in a graph; SGLang #6619; vLLM #39080",
    "2 to 8 GPUs; the efficiency on CDNA 4 ranges from 0.29 to 0.78",
);
const BULK_SOURCE: Source = Source::new(
    TABLES,
    "NCCL 2.29, 2 to 8 GPUs; AMD values are extrapolated",
);

/// Fixed latency of an engine's custom all-reduce kernel.
pub const OWN_START: CalibrationTerm = CalibrationTerm::new(
    "α_r",
    "custom all-reduce latency in a CUDA graph",
    TermUnit::Micros,
    [3.1, 5.1],
    OWN_SOURCE,
)
.on_amd(7.2, 6.3)
.by("alpha_us");

/// Fraction of scale-up bandwidth that an engine's custom all-reduce kernel reaches.
pub const OWN: CalibrationTerm = CalibrationTerm::new(
    "σ_r own",
    "custom all-reduce scale-up efficiency",
    TermUnit::Share,
    [0.23, 0.21],
    OWN_SOURCE,
)
.on_amd(0.26, 0.53)
.by("e_net");

/// Fixed latency of NCCL's all-reduce.
pub const BULK_START: CalibrationTerm = CalibrationTerm::new(
    "α_r NCCL",
    "NCCL all-reduce latency, used where faster",
    TermUnit::Micros,
    [23.0, 43.0],
    BULK_SOURCE,
)
.on_amd(23.0, 23.0)
.by("alpha_us");

/// Fraction of scale-up bandwidth that NCCL's all-reduce reaches.
pub const BULK: CalibrationTerm = CalibrationTerm::new(
    "σ_r NCCL",
    "NCCL all-reduce scale-up efficiency",
    TermUnit::Share,
    [0.75, 0.66],
    BULK_SOURCE,
)
.on_amd(0.60, 0.75)
.by("e_net");

/// Fixed latency of an all-gather.
pub const ALL_GATHER_START: CalibrationTerm = CalibrationTerm::new(
    "α_g",
    "scale-up all-gather latency",
    TermUnit::Micros,
    [7.2, 10.7],
    Source::new(
        TABLES,
        "all-gather, 2 to 8 GPUs; the AMD value is extrapolated",
    ),
)
.on_amd(10.0, 10.0)
.by("alpha_us");

const MORI: Source = Source::new(
    "DeepEP, published times (2025–2026); MoRI README",
    "low-latency mode on one node: 11.0 µs and 0.56, 17.3 µs and 0.69; on AMD, EP 8 on MI300X",
);

/// Fixed latency of a dispatch, a combine, or the Helix exchange.
pub const ALL_TO_ALL_START: CalibrationTerm = CalibrationTerm {
    source: MORI,
    ..kernels::ALL_TO_ALL_START
}
.on_amd(6.5, 6.5);

/// Fraction of scale-up bandwidth reached by dispatch, combine and the Helix exchange.
pub const ALL_TO_ALL: CalibrationTerm = CalibrationTerm {
    source: MORI,
    ..kernels::ALL_TO_ALL
}
.on_amd(0.71, 0.71);

pub(super) const fn costs(family: Family) -> MessageCosts {
    MessageCosts {
        all_reduce: cost(&OWN_START, &OWN, family),
        bulk_all_reduce: Some(cost(&BULK_START, &BULK, family)),
        all_gather: cost(&ALL_GATHER_START, &kernels::ALL_GATHER, family),
        all_to_all: cost(&ALL_TO_ALL_START, &ALL_TO_ALL, family),
        across: cost(&kernels::ACROSS_START, &kernels::ACROSS, family),
    }
}

const fn cost(start: &CalibrationTerm, share: &CalibrationTerm, family: Family) -> MessageCost {
    MessageCost {
        start: start.seconds(family),
        factor: share.factor(family),
    }
}
