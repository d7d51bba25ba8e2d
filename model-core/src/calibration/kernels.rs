//! The calibration `kernels-2026`, from public benchmarks of single kernels and collectives.
//!
//! Every number is from kernel or collective benchmarks, except the framework overhead per layer, which is fitted to
//! latency-bound measured runs. The terms are fixed times and efficiencies (fractions of bandwidth and of peak FLOP/s).

use super::prefill;
pub use super::term::{CalibrationTerm, TermUnit};
use super::terms::{Calibration, Fold, MessageCost, MessageCosts, PrefillCount, Starts};
use crate::hardware::{Coverage, Family};
use crate::ops::popularity::Popularity;
use crate::source::Source;
use crate::units::Seconds;

pub(super) const AICONFIGURATOR: &str = "NVIDIA aiconfigurator, system files (2026)";
pub(super) const EXPERT_KERNELS: &str = "Grouped-GEMM expert kernels, benchmark tables (2025–2026)";
const MLA_TABLES: &str = "MLA decode kernels, benchmark tables (2025–2026)";
pub(super) const DEEP_EP: &str = "DeepEP, published dispatch and combine times (2025–2026)";
pub(super) const NCCL: &str = "NCCL tests, all-reduce and all-gather of 512 MiB (2025)";

/// Fraction σ_m of HBM bandwidth that kernels reach: the mean over expert kernels. A fit to DeepGEMM at 64–128 rows
/// gives 0.81 on Hopper.
pub const MEMORY: CalibrationTerm = CalibrationTerm {
    symbol: "σ_m",
    what: "HBM efficiency of any kernel",
    unit: TermUnit::Share,
    hopper: 0.80,
    blackwell: 0.71,
    amd: None,
    source: Source::new(
        EXPERT_KERNELS,
        "fraction of peak bandwidth: means 0.806 (Hopper) and 0.711 (Blackwell)",
    ),
    key: Some("e_mem"),
};

/// Fraction σ_g of peak FLOP/s that GEMMs and experts reach.
pub const GEMM: CalibrationTerm = CalibrationTerm {
    symbol: "σ_g",
    what: "GEMM and expert FLOP/s efficiency",
    unit: TermUnit::Share,
    hopper: 0.64,
    blackwell: 0.46,
    amd: None,
    source: Source::new(EXPERT_KERNELS, "compute-bound points minus launch latency"),
    key: Some("e_ffn"),
};

/// Fraction σ_a of peak FLOP/s that attention kernels reach.
pub const CORE: CalibrationTerm = CalibrationTerm {
    symbol: "σ_a",
    what: "attention-kernel FLOP/s efficiency",
    unit: TermUnit::Share,
    hopper: 0.65,
    blackwell: 0.55,
    amd: None,
    source: Source::new(MLA_TABLES, "slope of time vs. batch × context"),
    key: Some("e_attn"),
};

/// Launch latency of a GEMM, τ_g.
pub const GEMM_START: CalibrationTerm = CalibrationTerm {
    symbol: "τ_g",
    what: "GEMM launch latency; a gated FFN launches two",
    unit: TermUnit::Micros,
    hopper: 3.0,
    blackwell: 3.0,
    amd: None,
    source: Source::new(
        AICONFIGURATOR,
        "constant latency of memory-bound kernels; DeepGEMM: 2 µs excluding the launch",
    ),
    key: Some("overhead_us"),
};

/// Fixed latency of the attention kernel, τ_a.
pub const CORE_START: CalibrationTerm = CalibrationTerm {
    symbol: "τ_a",
    what: "attention-kernel latency",
    unit: TermUnit::Micros,
    hopper: 18.0,
    blackwell: 15.0,
    amd: None,
    source: Source::new(
        MLA_TABLES,
        "intercept of time vs. batch × context, fitted jointly with s₀",
    ),
    key: None,
};

/// Fixed latency of the routed-expert kernels, τ_x.
pub const EXPERTS_START: CalibrationTerm = CalibrationTerm {
    symbol: "τ_x",
    what: "latency of the three routed-expert kernels",
    unit: TermUnit::Micros,
    hopper: 19.4,
    blackwell: 19.4,
    amd: None,
    source: Source::new(EXPERT_KERNELS, "mean latency of six kernels"),
    key: None,
};

/// Rows per GEMM tile; a partly filled tile takes as long as a full one.
pub const TILE: CalibrationTerm = CalibrationTerm {
    symbol: "rows",
    what: "rows per GEMM tile; partial tiles cost a full tile",
    unit: TermUnit::Rows,
    hopper: 64.0,
    blackwell: 64.0,
    amd: None,
    source: Source::new(EXPERT_KERNELS, "smallest tile of the kernels' schedules"),
    key: None,
};

/// Number s₀ of padding tokens added to each sequence in the attention kernel's time.
pub const CORE_TOKENS: CalibrationTerm = CalibrationTerm {
    symbol: "s₀",
    what: "attention-kernel padding tokens per sequence",
    unit: TermUnit::Tokens,
    hopper: 256.0,
    blackwell: 256.0,
    amd: None,
    source: Source::new(MLA_TABLES, "64 to 256 sequences of 1,024 tokens"),
    key: None,
};

/// Fixed latency α_c of a scale-up all-reduce or all-gather.
pub const ALL_REDUCE_START: CalibrationTerm = CalibrationTerm {
    symbol: "α_c",
    what: "scale-up all-reduce/all-gather latency",
    unit: TermUnit::Micros,
    hopper: 10.0,
    blackwell: 10.0,
    amd: None,
    source: Source::new(
        AICONFIGURATOR,
        "point-to-point latency; NCCL outside a CUDA graph takes 10 to 25 µs",
    ),
    key: Some("alpha_us"),
};

/// Fixed latency α_t of a scale-up dispatch, combine or Helix exchange.
pub const ALL_TO_ALL_START: CalibrationTerm = CalibrationTerm {
    symbol: "α_t",
    what: "scale-up dispatch/combine/exchange latency",
    unit: TermUnit::Micros,
    hopper: 11.0,
    blackwell: 18.0,
    amd: None,
    source: Source::new(DEEP_EP, "linear fit of time vs. bytes, one node"),
    key: Some("alpha_us"),
};

/// Fixed latency of a scale-out collective, α_o.
pub const ACROSS_START: CalibrationTerm = CalibrationTerm {
    symbol: "α_o",
    what: "scale-out collective latency",
    unit: TermUnit::Micros,
    hopper: 25.0,
    blackwell: 25.0,
    amd: None,
    source: Source::new(
        DEEP_EP,
        "linear fits of time vs. bytes, 2 to 8 nodes: 19–28 µs",
    ),
    key: Some("alpha_us"),
};

/// Scale-up bandwidth efficiency of all-reduce, σ_r.
pub const ALL_REDUCE: CalibrationTerm = CalibrationTerm {
    symbol: "σ_r",
    what: "all-reduce scale-up efficiency",
    unit: TermUnit::Share,
    hopper: 1.0,
    blackwell: 0.75,
    amd: None,
    source: Source::new(NCCL, "NCCL bus bandwidth ÷ link bandwidth"),
    key: Some("e_net"),
};

/// Scale-up bandwidth efficiency of all-gather, σ_ag.
pub const ALL_GATHER: CalibrationTerm = CalibrationTerm {
    symbol: "σ_ag",
    what: "all-gather scale-up efficiency",
    unit: TermUnit::Share,
    hopper: 0.75,
    blackwell: 0.65,
    amd: None,
    source: Source::new(NCCL, "NCCL bus bandwidth ÷ link bandwidth"),
    key: Some("e_net"),
};

/// Scale-up bandwidth efficiency σ_t of dispatch, combine and the Helix exchange.
pub const ALL_TO_ALL: CalibrationTerm = CalibrationTerm {
    symbol: "σ_t",
    what: "dispatch/combine/exchange scale-up efficiency",
    unit: TermUnit::Share,
    hopper: 0.53,
    blackwell: 0.75,
    amd: None,
    source: Source::new(DEEP_EP, "time per token on one node, dispatch plus combine"),
    key: Some("e_net"),
};

/// Scale-out bandwidth efficiency of collectives, σ_o.
pub const ACROSS: CalibrationTerm = CalibrationTerm {
    symbol: "σ_o",
    what: "scale-out bandwidth efficiency",
    unit: TermUnit::Share,
    hopper: 0.88,
    blackwell: 0.88,
    amd: None,
    source: Source::new(
        DEEP_EP,
        "mean of eight results: 2 to 8 nodes, and 16 to 256 expert groups",
    ),
    key: Some("e_net"),
};

/// Fraction φ of routed tokens that goes to the most popular quarter of experts.
pub const POPULARITY: CalibrationTerm = CalibrationTerm {
    symbol: "φ",
    what: "routing share of the hottest quarter of experts",
    unit: TermUnit::Share,
    hopper: 0.57,
    blackwell: 0.57,
    amd: None,
    source: Source::new(
        "TensorRT-LLM, expert parallelism load balancer (2025)",
        "popularity ∝ rank^−0.6 gives the measured maximum of 12 times the mean",
    ),
    key: None,
};

/// Factor κ by which communication slows down while it overlaps with compute.
pub const CONTENTION: CalibrationTerm = CalibrationTerm {
    symbol: "κ",
    what: "communication slowdown under compute overlap",
    unit: TermUnit::Factor,
    hopper: 1.5,
    blackwell: 1.5,
    amd: None,
    source: Source::new(
        "SGLang, large-scale expert parallelism (May 2025)",
        "dispatch 0.09 ms under overlap vs. 0.06 ms alone",
    ),
    key: None,
};

/// Framework overhead per layer and forward pass, o_L, the only fitted constant of this calibration.
pub const LAYER_OVERHEAD: CalibrationTerm = CalibrationTerm {
    symbol: "o_L",
    what: "framework overhead per layer and pass: norms, RoPE, quantization, top-k, sampling, gaps",
    unit: TermUnit::Micros,
    hopper: 32.0,
    blackwell: 32.0,
    amd: None,
    source: Source::new(
        "Fitted",
        "fitted to zero mean error on eight latency-bound measured runs",
    ),
    key: Some("layer_us"),
};

/// Exposed CPU time per step, o_H.
pub const HOST: CalibrationTerm = CalibrationTerm {
    symbol: "o_H",
    what: "exposed CPU time per step; 6.1 ms without overlap scheduling",
    unit: TermUnit::Micros,
    hopper: 0.0,
    blackwell: 0.0,
    amd: None,
    source: Source::new(
        "SGLang on 16 H200, 64k tokens (2025)",
        "with and without overlap scheduling",
    ),
    key: Some("host_us"),
};

/// Returns every term of the calibration, in the order of a step: efficiencies, kernel latencies, communication,
/// load, overheads.
pub fn terms() -> Vec<&'static CalibrationTerm> {
    let mut all: Vec<&CalibrationTerm> = vec![
        &MEMORY,
        &GEMM,
        &CORE,
        &GEMM_START,
        &CORE_START,
        &EXPERTS_START,
        &TILE,
        &CORE_TOKENS,
        &ALL_REDUCE_START,
        &ALL_TO_ALL_START,
        &ACROSS_START,
        &ALL_REDUCE,
        &ALL_GATHER,
        &ALL_TO_ALL,
        &ACROSS,
        &POPULARITY,
        &CONTENTION,
        &LAYER_OVERHEAD,
        &HOST,
    ];
    all.extend(prefill::listed());
    all
}

/// Returns the calibration for an accelerator whose measured kernels are given by `coverage`; uses the Hopper values
/// if none were measured.
pub const fn calibration(coverage: Coverage) -> Calibration {
    let family = coverage.family_or_hopper();
    let messages = messages(family);
    Calibration {
        fold: Fold::Operator,
        memory: MEMORY.factor(family),
        attention: CORE.factor(family),
        projections: GEMM.factor(family),
        ffn: GEMM.factor(family),
        starts: Starts {
            operator: Seconds::ZERO,
            gemm: GEMM_START.seconds(family),
            core: CORE_START.seconds(family),
            experts: EXPERTS_START.seconds(family),
        },
        tile_rows: TILE.of(family),
        core_tokens: CORE_TOKENS.of(family),
        popularity: Popularity::busiest_quarter(POPULARITY.of(family)),
        messages,
        contention: CONTENTION.of(family),
        layer_overhead: LAYER_OVERHEAD.seconds(family),
        host: HOST.seconds(family),
        engine: None,
        prefill: PrefillCount::Kernels,
        prompts: Some(prefill::terms(family, CORE_START.seconds(family), messages)),
        operators: None,
        drafter: false,
        coverage,
    }
}

pub(super) const fn messages(family: Family) -> MessageCosts {
    MessageCosts {
        all_reduce: MessageCost {
            start: ALL_REDUCE_START.seconds(family),
            factor: ALL_REDUCE.factor(family),
        },
        bulk_all_reduce: None,
        all_gather: MessageCost {
            start: ALL_REDUCE_START.seconds(family),
            factor: ALL_GATHER.factor(family),
        },
        all_to_all: MessageCost {
            start: ALL_TO_ALL_START.seconds(family),
            factor: ALL_TO_ALL.factor(family),
        },
        across: MessageCost {
            start: ACROSS_START.seconds(family),
            factor: ACROSS.factor(family),
        },
    }
}
