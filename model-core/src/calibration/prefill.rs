//! Efficiencies of prefill kernels: GEMMs with thousands of rows, causal attention tiles, and the high-throughput
//! all-to-all.
//!
//! Tables: NVIDIA aiconfigurator, systems/data at 095f58a (Apache-2.0), H100 and B200.

use super::term::{CalibrationTerm, TermUnit};
use super::terms::{MessageCost, MessageCosts, PromptTerms};
use crate::hardware::Family;
use crate::source::Source;
use crate::units::Seconds;

const TABLES: &str = "NVIDIA aiconfigurator, systems/data at 095f58a, H100 and B200 (Apache-2.0)";
const GEMMS: Source = Source::new(
    TABLES,
    "gemm_perf, SGLang 0.5.14: medians of 390 shapes of 8,192 and 16,384 rows; FP4 measured only on B200",
);
const MOE: Source = Source::new(
    TABLES,
    "wideep_context_moe_perf, SGLang 0.5.10, uniform routing, slope; NVFP4: moe_perf 0.5.14",
);
const CONTEXT_MLA: Source = Source::new(
    TABLES,
    "context_mla_perf, TensorRT-LLM 1.3.0rc20, and SGLang 0.5.14 on B200: errors within 4%; context_attention_perf \
        is similar",
);
const CONTEXT_FP8: Source = Source::new(TABLES, "context_attention_perf: errors within 14%");

const fn share(
    symbol: &'static str,
    what: &'static str,
    values: [f64; 2],
    source: Source,
) -> CalibrationTerm {
    CalibrationTerm::new(symbol, what, TermUnit::Share, values, source)
}

/// Prefill efficiencies σ_g' of GEMMs in BF16, FP8 and FP4.
pub const GEMM: [CalibrationTerm; 3] = [
    share(
        "σ_g′ BF16",
        "prefill: BF16 GEMM efficiency",
        [0.72, 0.66],
        GEMMS,
    )
    .by("e_ffn"),
    share(
        "σ_g′ FP8",
        "prefill: FP8 GEMM efficiency",
        [0.61, 0.56],
        GEMMS,
    )
    .by("e_ffn"),
    share(
        "σ_g′ FP4",
        "prefill: FP4 GEMM efficiency",
        [0.40, 0.40],
        GEMMS,
    )
    .by("e_ffn"),
];

/// Prefill efficiencies σ_x' of routed experts: one for BF16 and FP8, one for FP4.
pub const EXPERTS: [CalibrationTerm; 2] = [
    share(
        "σ_x′",
        "prefill: BF16/FP8 routed-expert efficiency",
        [0.55, 0.42],
        MOE,
    )
    .by("e_ffn"),
    share(
        "σ_x′ FP4",
        "prefill: FP4 routed-expert efficiency",
        [0.40, 0.40],
        MOE,
    )
    .by("e_ffn"),
];

/// Prefill efficiencies σ_a' of the attention kernel in BF16 and FP8.
pub const CORE: [CalibrationTerm; 2] = [
    share(
        "σ_a′ BF16",
        "prefill: BF16 attention-kernel efficiency",
        [0.60, 0.60],
        CONTEXT_MLA,
    )
    .by("e_attn"),
    share(
        "σ_a′ FP8",
        "prefill: FP8 attention-kernel efficiency",
        [0.38, 0.33],
        CONTEXT_FP8,
    )
    .by("e_attn"),
];

/// Number s₀' of padding keys per token in the prefill attention kernel, in BF16 and FP8. Tiles on the diagonal of the
/// causal mask contain them.
pub const CORE_TOKENS: [CalibrationTerm; 2] = [
    CalibrationTerm::new(
        "s₀′ BF16",
        "prefill: padding keys per token, BF16 attention kernel",
        TermUnit::Tokens,
        [320.0, 576.0],
        CONTEXT_MLA,
    ),
    CalibrationTerm::new(
        "s₀′ FP8",
        "prefill: padding keys per token, FP8 attention kernel",
        TermUnit::Tokens,
        [480.0, 1024.0],
        CONTEXT_FP8,
    ),
];

/// Fraction σ_t' of scale-up bandwidth that dispatch and combine reach in prefill.
pub const ALL_TO_ALL: CalibrationTerm = share(
    "σ_t′",
    "prefill: scale-up efficiency of dispatch and combine",
    [0.61, 0.64],
    Source::new(
        TABLES,
        "wideep_deepep_normal_perf, 24 SMs, 4,096 to 16,384 tokens; DeepEP V2 README on SM100",
    ),
)
.by("e_net");

/// Fraction ω of the GPU's SMs that communication uses in prefill.
pub const HELD: CalibrationTerm = share(
    "ω",
    "prefill: fraction of SMs used by communication",
    [0.15, 0.15],
    Source::new("DeepSeek-V3 technical report", "§3.2.2: 20 of 132"),
);

/// Lists every calibration term of prefill.
pub fn listed() -> impl Iterator<Item = &'static CalibrationTerm> {
    let by_format = GEMM.iter().chain(&EXPERTS).chain(&CORE).chain(&CORE_TOKENS);
    by_format.chain([&ALL_TO_ALL, &HELD])
}

/// Returns the prefill terms of an accelerator family, given the attention-kernel latency and the decode costs of
/// collectives. Prefill changes only the all-to-all factor of these costs.
pub(super) const fn terms(
    family: Family,
    core_start: Seconds,
    messages: MessageCosts,
) -> PromptTerms {
    let eight = EXPERTS[0].factor(family);
    PromptTerms {
        gemms: [
            GEMM[0].factor(family),
            GEMM[1].factor(family),
            GEMM[2].factor(family),
        ],
        experts: [eight, eight, EXPERTS[1].factor(family)],
        cores: [CORE[0].factor(family), CORE[1].factor(family)],
        core_tokens: [CORE_TOKENS[0].of(family), CORE_TOKENS[1].of(family)],
        core_start,
        latent_start: core_start,
        messages: MessageCosts {
            all_to_all: MessageCost {
                start: messages.all_to_all.start,
                factor: ALL_TO_ALL.factor(family),
            },
            ..messages
        },
        held: HELD.of(family),
    }
}
