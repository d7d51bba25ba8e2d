//! Published deployments that divide GPUs between prefill and decode pools.

use super::service;
use crate::permalink;
use crate::source::Source;

/// A published deployment with a prefill pool and a decode pool.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Recipe {
    /// Short name of the deployment, such as "DeepSeek".
    pub name: &'static str,
    /// Model, accelerator and replicas of the deployment, in words.
    pub of: &'static str,
    /// Mean number of prompt tokens (cached ones included) per output token.
    pub prompt_per_output: f64,
    /// Number of prefill GPUs per decode GPU in the published deployment.
    pub prefill_per_decode: f64,
    /// Permalink that describes both replicas as published, without a calibration.
    pub link: &'static str,
    /// Settings of the deployment that were not published, in words.
    pub open: &'static str,
    /// Source of the deployment.
    pub source: Source,
}

impl Recipe {
    /// Returns the computed number of prefill GPUs per decode GPU at equal request rates, with the given calibration.
    pub fn computed(&self, calibration: &str) -> Option<f64> {
        let link = format!("{}&calibration={calibration}", self.link);
        let found = service(&permalink::read(&link).current).ok()?;
        Some(found.disaggregated.ok()?.gpus_ratio)
    }
}

/// Node-seconds of prefill per day; `DEEPSEEK_DECODE` is the number for decode. DeepSeek's overview gives no node
/// counts for the pools. These follow from the tokens per day, divided by the daily throughput of a node: 95.5 nodes
/// for prefill and 131.4 for decode. Their sum, 226.9, agrees with the published mean (226.75).
const DEEPSEEK_PREFILL: f64 = 608e9 / 73.7e3;
const DEEPSEEK_DECODE: f64 = 168e9 / 14.8e3;

/// Published deployments whose request lengths and GPU counts are known.
pub const RECIPES: [Recipe; 4] = [
    Recipe {
        name: "DeepSeek",
        of: "DeepSeek-V3/R1 on H800, EP 32 and EP 144; node counts from published tokens",
        prompt_per_output: 608.0 / 168.0,
        prefill_per_decode: DEEPSEEK_PREFILL / DEEPSEEK_DECODE,
        link: "v=2&model=deepseek-v3&gpu=h800&domain=8&scale_up=200&scale_out=50&prompt=4989&output=1379&hit=0.563&context=4989&beta=0.9&redundant=32&shared=replicated&gpus=144&batch=12672&dp=144&tp=1&ffn_tp=1&ep=144&overlap=two-batch&prefill_gpus=32&prefill_tp=1",
        open: "load profile, balancedness, prompt length",
        source: Source::new(
            "DeepSeek-V3/R1 inference system overview",
            "github.com/deepseek-ai/open-infra-index, 202502OpenSourceWeek/day_6_one_more_thing_deepseekV3R1_inference_system_overview.md at 56d86855fcf6",
        ),
    },
    Recipe {
        name: "vLLM 6P1D",
        of: "Qwen3.5-397B-A17B on GB200: 6×2 prefill GPUs, 8 decode GPUs",
        prompt_per_output: 8.0,
        prefill_per_decode: 12.0 / 8.0,
        link: "v=2&model=qwen3.5-397b-a17b&gpu=gb200&prompt=7373&output=922&beta=0.9&redundant=0&shared=replicated&w_attn=1&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&gpus=8&batch=2245&dp=8&tp=1&ffn_tp=1&ep=8&overlap=none&prefill_gpus=2",
        open: "balancedness, prefill TP",
        source: Source::new(
            "vLLM blog, August 2026",
            "github.com/vllm-project/vllm-project.github.io, _posts/2026-08-06-qwen35-25k-tps.md at c3a01c4a5807",
        ),
    },
    Recipe {
        name: "vLLM 4P1D",
        of: "DeepSeek-R1 on GB200: 4×2 prefill GPUs, 8 decode GPUs",
        prompt_per_output: 1.0,
        prefill_per_decode: 1.0,
        link: "v=2&model=deepseek-r1&gpu=gb200&prompt=2000&output=2000&beta=0.9&redundant=0&shared=replicated&w_attn=1&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&gpus=8&dp=8&tp=1&ffn_tp=1&ep=8&overlap=none&prefill_gpus=2",
        open: "batch, balancedness, tensor parallelism of prefill",
        source: Source::new(
            "vLLM blog, February 2026",
            "github.com/vllm-project/vllm-project.github.io, _posts/2026-02-03-dsr1-gb200-part1.md at c3a01c4a5807",
        ),
    },
    Recipe {
        name: "InferenceX",
        of: "DeepSeek-R1 on GB200: 8 prefill GPUs, 16 decode GPUs at 43 tok/s/user",
        prompt_per_output: 1.0,
        prefill_per_decode: 8.0 / 16.0,
        link: "v=2&model=deepseek-r1&gpu=gb200&prompt=1024&output=1024&beta=0.9&redundant=0&shared=replicated&w_attn=1&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&mtp=3&acceptance=0.7701&gpus=16&batch=4301&dp=16&tp=1&ffn_tp=1&ep=16&overlap=none&prefill_gpus=8&prefill_tp=8",
        open: "MTP and acceptance rate, balancedness",
        source: Source::new(
            "InferenceX, run 26306422380",
            "github.com/SemiAnalysisAI/InferenceX-app, packages/app/content/blog/gb200-nvl72-vs-b200-disagg-deepseek-r1-fp4-dynamo-trt.mdx at 0e0425cb6df6",
        ),
    },
];
