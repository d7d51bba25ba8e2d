//! Calibration terms of attention kernels (by type and KV format), of the sparse-attention indexer, and of linear
//! attention.

use super::super::kernels::CORE;
use super::super::operator_terms::CoreCost;
use super::super::term::{CalibrationTerm, TermUnit};
use super::TABLES;
use crate::hardware::Family;
use crate::source::Source;

/// Calibration terms of a decode attention kernel for one KV-cache format.
#[derive(Debug, Clone, Copy)]
pub struct CoreTerms {
    /// Fixed latency of the decode attention kernel.
    pub start: CalibrationTerm,
    /// Fraction of HBM bandwidth that the decode attention kernel reaches.
    pub memory: CalibrationTerm,
    /// Number s₀ of padding tokens added to each sequence in the attention kernel's time.
    pub tokens: CalibrationTerm,
}

/// Source of the GQA terms. Median and 90th-percentile errors over the measured grid: 9% and 28% on Hopper, 7% and
/// 28% on Blackwell. With a 1-byte KV cache: 17% and 55% on Hopper, 11% and 31% on Blackwell.
const GQA: Source = Source::new(TABLES, "GQA decode, fit over batch and context");
/// Source of the MLA terms. Median and 90th-percentile errors over the measured grid: 6% and 20% on Hopper, 9% and
/// 28% on Blackwell. With a 1-byte KV cache: 6% and 21% on Hopper, 13% and 29% on Blackwell.
const MLA: Source = Source::new(TABLES, "MLA decode, fit over batch and context");
const MLA_AMD: Source = Source::new(
    "aiconfigurator-core 0.12.0, MLA decode; AITER #2039",
    "fit over batch and context; 12.8–15.5 µs on CDNA 3, 10.4–12.1 µs on CDNA 4",
);
const SPARSE: Source = Source::new(
    TABLES,
    "DSA prefill: 1 to 16 heads take the same time, 128 heads twice as long; efficiency p10–p90 0.52–0.60 on \
        Hopper, 0.44–0.58 on Blackwell",
);

const fn term(
    symbol: &'static str,
    what: &'static str,
    unit: TermUnit,
    values: [f64; 2],
    source: Source,
) -> CalibrationTerm {
    CalibrationTerm::new(symbol, what, unit, values, source)
}

/// Terms of the GQA decode kernel: first for a KV cache of at least 1.5 bytes per element, then for a narrower one.
pub const GROUPED: [CoreTerms; 2] = [
    CoreTerms {
        start: term(
            "τ_a GQA",
            "GQA kernel latency, 2-byte KV cache",
            TermUnit::Micros,
            [11.8, 10.0],
            GQA,
        ),
        memory: term(
            "σ_kv GQA",
            "GQA kernel HBM efficiency, 2-byte KV cache",
            TermUnit::Share,
            [0.84, 0.887],
            GQA,
        )
        .by("e_mem"),
        tokens: term(
            "s₀ GQA",
            "GQA kernel padding tokens, 2-byte KV cache",
            TermUnit::Tokens,
            [81.0, 22.0],
            GQA,
        ),
    },
    CoreTerms {
        start: term(
            "τ_a GQA FP8",
            "GQA kernel latency, 1-byte KV cache",
            TermUnit::Micros,
            [13.0, 11.6],
            GQA,
        ),
        memory: term(
            "σ_kv GQA FP8",
            "GQA kernel HBM efficiency, 1-byte KV cache",
            TermUnit::Share,
            [0.66, 0.84],
            GQA,
        )
        .by("e_mem"),
        tokens: term(
            "s₀ GQA FP8",
            "GQA kernel padding tokens, 1-byte KV cache",
            TermUnit::Tokens,
            [139.0, 74.0],
            GQA,
        ),
    },
];

/// Terms of the MLA decode kernel, which also apply to sparse and compressed attention: one entry for each of the two
/// KV-cache widths in [`GROUPED`].
pub const LATENT: [CoreTerms; 2] = [
    CoreTerms {
        start: term(
            "τ_a MLA",
            "MLA kernel latency, 2-byte KV cache",
            TermUnit::Micros,
            [15.6, 12.4],
            MLA_AMD,
        )
        .on_amd(14.0, 11.3),
        memory: term(
            "σ_kv MLA",
            "MLA kernel HBM efficiency, 2-byte KV cache",
            TermUnit::Share,
            [0.88, 0.67],
            MLA,
        )
        .by("e_mem"),
        tokens: term(
            "s₀ MLA",
            "MLA kernel padding tokens, 2-byte KV cache",
            TermUnit::Tokens,
            [50.0, 5.0],
            MLA,
        ),
    },
    CoreTerms {
        start: term(
            "τ_a MLA FP8",
            "MLA kernel latency, 1-byte KV cache",
            TermUnit::Micros,
            [14.9, 11.7],
            MLA_AMD,
        )
        .on_amd(14.0, 11.3),
        memory: term(
            "σ_kv MLA FP8",
            "MLA kernel HBM efficiency, 1-byte KV cache",
            TermUnit::Share,
            [0.81, 0.73],
            MLA,
        )
        .by("e_mem"),
        tokens: term(
            "s₀ MLA FP8",
            "MLA kernel padding tokens, 1-byte KV cache",
            TermUnit::Tokens,
            [107.0, 40.0],
            MLA,
        ),
    },
];

/// Fraction σ_a of peak FLOP/s reached by MLA kernels, in BF16 and in FP8; GQA kernels use [`CORE`] instead.
pub const LATENT_SHARE: [CalibrationTerm; 2] = [
    CalibrationTerm {
        symbol: "σ_a MLA",
        what: "MLA kernel BF16 efficiency",
        source: MLA,
        ..CORE
    },
    term(
        "σ_a MLA FP8",
        "MLA kernel FP8 efficiency",
        TermUnit::Share,
        [0.355, 0.48],
        MLA,
    )
    .by("e_attn"),
];

/// Fraction of peak FP8 FLOP/s reached when the indexer scores tokens.
pub const INDEX_SCORE: CalibrationTerm = term(
    "σ_i",
    "indexer-score FLOP/s efficiency",
    TermUnit::Share,
    [0.44, 0.38],
    Source::new(
        TABLES,
        "DSA indexer; efficiency p10–p90 0.27–0.47 on Hopper, 0.22–0.44 on Blackwell",
    ),
)
.by("e_attn");

/// Fraction of HBM bandwidth reached by the indexer's top-k selection.
pub const TOP_K: CalibrationTerm = term(
    "σ_k",
    "indexer top-k HBM efficiency",
    TermUnit::Share,
    [0.25, 0.19],
    Source::new(
        TABLES,
        "DSA top-k; efficiency p10–p90 0.15–0.48 on Hopper, 0.11–0.37 on Blackwell",
    ),
)
.by("e_mem");

/// Fraction of HBM bandwidth reached by recurrent layers (linear attention and state-space models).
pub const RECURRENCE: CalibrationTerm = term(
    "σ_s state",
    "linear-attention HBM efficiency",
    TermUnit::Share,
    [0.85, 0.81],
    Source::new(TABLES, "gated delta rule and Mamba 2 in decode"),
)
.by("e_mem");

/// Fixed latency of the sparse-attention kernel in prefill.
pub const SPARSE_PREFILL_START: CalibrationTerm = term(
    "τ_a′ sparse",
    "prefill: sparse-attention kernel latency",
    TermUnit::Micros,
    [25.0, 22.0],
    SPARSE,
);

/// Fraction of peak BF16 FLOP/s reached by the sparse-attention kernel in prefill. An FP8 KV cache is first unpacked
/// to BF16.
pub const SPARSE_PREFILL: CalibrationTerm = term(
    "σ_a′ sparse",
    "prefill: sparse-attention BF16 efficiency",
    TermUnit::Share,
    [0.58, 0.52],
    SPARSE,
)
.by("e_attn");

/// Heads per tile of the sparse-attention kernel in prefill. A tile holds one token with its selected KV rows; a tile
/// with fewer heads takes just as long.
pub const HEAD_TILE: CalibrationTerm = term(
    "r",
    "prefill: sparse-attention heads per tile",
    TermUnit::Heads,
    [64.0, 128.0],
    Source::new(
        "vLLM flashmla_sparse; SGLang #22372, #27954; FlashAttention #2882",
        "heads are padded to 64, and to 128 on SM100",
    ),
);

pub(in crate::calibration) const fn costs(terms: &[CoreTerms; 2], family: Family) -> [CoreCost; 2] {
    [cost(&terms[0], family), cost(&terms[1], family)]
}

const fn cost(terms: &CoreTerms, family: Family) -> CoreCost {
    CoreCost {
        start: terms.start.seconds(family),
        memory: terms.memory.factor(family),
        added_tokens: terms.tokens.of(family),
    }
}
