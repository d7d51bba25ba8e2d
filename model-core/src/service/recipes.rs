//! Published divisions of GPUs between prefill and decode.

use crate::source::Source;

/// A published deployment of pools.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Recipe {
    /// "DeepSeek".
    pub name: &'static str,
    /// Model, accelerator and replicas.
    pub of: &'static str,
    /// Mean tokens of a prompt, cached ones included, for each of its output.
    pub prompt_per_output: f64,
    /// GPUs of prefill for each GPU of decode.
    pub prefill_per_decode: f64,
    /// Its source.
    pub source: Source,
}

/// The overview states no number of units. Tokens of a day over the tokens that a node of each pool takes in a day are
/// 95.5 and 131.4 nodes, together the 226.9 that it states as the mean (226.75).
const DEEPSEEK_PREFILL: f64 = 608e9 / 73.7e3;
const DEEPSEEK_DECODE: f64 = 168e9 / 14.8e3;

/// Recipes whose lengths and GPUs are known.
pub const RECIPES: [Recipe; 4] = [
    Recipe {
        name: "DeepSeek",
        of: "DeepSeek-V3/R1 on H800, EP 32 and EP 144; nodes from published tokens",
        prompt_per_output: 608.0 / 168.0,
        prefill_per_decode: DEEPSEEK_PREFILL / DEEPSEEK_DECODE,
        source: Source::new(
            "DeepSeek-V3/R1 inference system overview",
            "github.com/deepseek-ai/open-infra-index, 202502OpenSourceWeek/day_6_one_more_thing_deepseekV3R1_inference_system_overview.md at 56d86855fcf6",
        ),
    },
    Recipe {
        name: "vLLM 6P1D",
        of: "Qwen3.5-397B-A17B on GB200: 6 prefill of 2, decode of 8",
        prompt_per_output: 8.0,
        prefill_per_decode: 12.0 / 8.0,
        source: Source::new(
            "vLLM blog, August 2026",
            "github.com/vllm-project/vllm-project.github.io, _posts/2026-08-06-qwen35-25k-tps.md at c3a01c4a5807",
        ),
    },
    Recipe {
        name: "vLLM 4P1D",
        of: "DeepSeek-R1 on GB200: 4 prefill of 2, decode of 8",
        prompt_per_output: 1.0,
        prefill_per_decode: 1.0,
        source: Source::new(
            "vLLM blog, February 2026",
            "github.com/vllm-project/vllm-project.github.io, _posts/2026-02-03-dsr1-gb200-part1.md at c3a01c4a5807",
        ),
    },
    Recipe {
        name: "InferenceX",
        of: "DeepSeek-R1 on GB200: 8 for prefill, 16 for decode at 43 tok/s per user",
        prompt_per_output: 1.0,
        prefill_per_decode: 8.0 / 16.0,
        source: Source::new(
            "InferenceX, run 26306422380",
            "github.com/SemiAnalysisAI/InferenceX-app, packages/app/content/blog/gb200-nvl72-vs-b200-disagg-deepseek-r1-fp4-dynamo-trt.mdx at 0e0425cb6df6",
        ),
    },
];
