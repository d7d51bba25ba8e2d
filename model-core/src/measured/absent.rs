//! Published runs without a row, with the reason.

/// Reason why a run has no row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// A row already covers it.
    Repeated,
    /// A ratio of two runs; golden cases have those that a link can state.
    Ratio,
    /// No batch, so it gives no scenario.
    NoBatch,
    /// Neither sharding nor the number of GPUs.
    NoSharding,
    /// Tokens are counted in an unstated way, or the numbers are second-hand.
    Unclear,
    /// AFD in other units than those of a `mode=ratio` link.
    Apart,
}

impl Why {
    /// The reason, in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Repeated => "says again what another row says",
            Self::Ratio => "a ratio of two runs",
            Self::NoBatch => "no batch is stated",
            Self::NoSharding => "neither sharding nor the number of GPUs is stated",
            Self::Unclear => "what is counted is not clear, or known at second hand only",
            Self::Apart => "attention and feed-forward on dies of their own",
        }
    }
}

/// Runs of one publication without a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Absent {
    /// The runs.
    pub runs: &'static str,
    /// Their number.
    pub count: u32,
    /// The reason.
    pub why: Why,
}

const fn absent(runs: &'static str, count: u32, why: Why) -> Absent {
    Absent { runs, count, why }
}

/// Every publication.
pub const ABSENT: &[Absent] = &[
    absent(
        "SGLang on 72 H100, the ablation's copy of the main run",
        1,
        Why::Repeated,
    ),
    absent(
        "NVIDIA on 8 B200 at GTC 2025: two operating points in one line",
        1,
        Why::Repeated,
    ),
    absent(
        "SGLang on H100 and H200: overlap, rebalancing and drafts against none",
        3,
        Why::Ratio,
    ),
    absent(
        "SGLang on 16 H100 with TP 16, derived from a speed-up",
        1,
        Why::NoBatch,
    ),
    absent("SGLang on GB200, part 1", 1, Why::NoBatch),
    absent(
        "SGLang on GB200 and GB300 at 128k tokens, all but the largest throughput",
        4,
        Why::NoBatch,
    ),
    absent("vLLM on 8 GB200", 2, Why::NoBatch),
    absent("TensorRT-LLM on 8 B200, throughput blog", 1, Why::NoBatch),
    absent(
        "MLPerf Inference 5.1: DeepSeek-R1, Llama 3.1 405B, Llama 2 70B",
        15,
        Why::NoBatch,
    ),
    absent(
        "InferenceX, the best configuration of each accelerator: DeepSeek-R1, Llama 3.3 70B",
        12,
        Why::NoSharding,
    ),
    absent(
        "vLLM on 8 B200, Kimi K2.6 with a prefix cache",
        2,
        Why::Unclear,
    ),
    absent("MLPerf Inference 6.0 on GB300, press", 1, Why::Unclear),
    absent("Ascend 910B and 910C, digests of papers", 2, Why::Unclear),
    absent("Tencent, hardware not stated", 1, Why::Unclear),
    absent(
        "vLLM on 910C, DeepSeek-V3.2 with an attention service",
        4,
        Why::Apart,
    ),
    absent("vLLM on GB300, DeepSeek-V3.2", 1, Why::NoBatch),
    absent(
        "InferenceX, the best configuration of each accelerator: gpt-oss-120b",
        3,
        Why::NoSharding,
    ),
];
