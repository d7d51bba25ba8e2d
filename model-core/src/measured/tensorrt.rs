//! TensorRT-LLM: DeepSeek-R1 on one node of B200.

use crate::source::Source;

use super::row::{BALANCE, Measured, Measurement, RunKind, run, unknown};

const LATENCY_BLOG: Source = Source::new(
    "TensorRT-LLM, pushing latency boundaries (2025)",
    "github.com/NVIDIA/TensorRT-LLM, docs/source/blogs/tech_blog/blog1_Pushing_Latency_Boundaries_Optimizing_DeepSeek-R1_Performance_on_NVIDIA_B200_GPUs.md at 01c4ece911eb",
);
const BEST_PRACTICE: Source = Source::new(
    "TensorRT-LLM, best practices for DeepSeek-R1 (2025)",
    "github.com/NVIDIA/TensorRT-LLM, docs/source/blogs/Best_perf_practice_on_DeepSeek-R1_in_TensorRT-LLM.md at 01c4ece911eb",
);

/// Rows of this file.
#[rustfmt::skip]
pub const ROWS: &[Measurement] = &[
    run("trt-b200-bs1-noMTP", RunKind::Latency, LATENCY_BLOG, Measured::PerUser(111.0))
        .of("DeepSeek-R1", "8 B200", "one sequence, TP 8 attention, EP 4 × TP 2 experts in NVFP4, no drafts; 1,024 tokens in, 2,048 out")
        .link("v=1&model=deepseek-v3&gpu=b200&gpus=8&domain=8&scale_up=900&scale_out=50&batch=1&context=2048&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=2&ep=4&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .unknown(&[unknown("which sharding of the experts: EP 4 × TP 2 or EP 2 × TP 4", &["ffn_tp=4&ep=2"])]),
    run("trt-b200-bs1-MTP1", RunKind::Latency, LATENCY_BLOG, Measured::PerUser(198.0))
        .of("DeepSeek-R1", "8 B200", "one sequence, TP 8 attention, EP 4 × TP 2 experts in NVFP4, 1 draft, 1.92 tokens a step; 1,024 tokens in, 2,048 out")
        .link("v=1&model=deepseek-v3&gpu=b200&gpus=8&domain=8&scale_up=900&scale_out=50&batch=1&context=2048&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=2&ep=4&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=bf16&fmt_ffn=fp4&mtp=1&acceptance=0.92&overlap=none")
        .unknown(&[unknown("which sharding of the experts: EP 4 × TP 2 or EP 2 × TP 4", &["ffn_tp=4&ep=2"])]),
    run("trt-b200-bs1-MTP3", RunKind::Latency, LATENCY_BLOG, Measured::PerUser(253.0))
        .of("DeepSeek-R1", "8 B200", "one sequence, TP 8 attention, EP 4 × TP 2 experts in NVFP4, 3 drafts, 2.82 tokens a step; 1,024 tokens in, 2,048 out")
        .link("v=1&model=deepseek-v3&gpu=b200&gpus=8&domain=8&scale_up=900&scale_out=50&batch=1&context=2048&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=2&ep=4&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=bf16&fmt_ffn=fp4&mtp=3&acceptance=0.7701&overlap=none")
        .unknown(&[unknown("which sharding of the experts: EP 4 × TP 2 or EP 2 × TP 4", &["ffn_tp=4&ep=2"])]),
    run("trt-b200-bs1-MTP5", RunKind::Latency, LATENCY_BLOG, Measured::PerUser(239.0))
        .of("DeepSeek-R1", "8 B200", "one sequence, TP 8 attention, EP 4 × TP 2 experts in NVFP4, 5 drafts, 3.01 tokens a step; 1,024 tokens in, 2,048 out")
        .link("v=1&model=deepseek-v3&gpu=b200&gpus=8&domain=8&scale_up=900&scale_out=50&batch=1&context=2048&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=2&ep=4&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=bf16&fmt_ffn=fp4&mtp=5&acceptance=0.7105&overlap=none")
        .unknown(&[unknown("which sharding of the experts: EP 4 × TP 2 or EP 2 × TP 4", &["ffn_tp=4&ep=2"])]),
    run("trt-b200-bs1", RunKind::Uncertain, BEST_PRACTICE, Measured::PerUser(274.7))
        .of("DeepSeek-R1", "8 B200", "one sequence, TP 8 attention, EP 2 × TP 4 experts in NVFP4, three drafts; 1,024 tokens in, 2,048 out")
        .link("v=1&model=deepseek-v3&gpu=b200&gpus=8&domain=8&scale_up=900&scale_out=50&batch=1&context=2048&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=4&ep=2&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=bf16&fmt_ffn=fp4&mtp=3&acceptance=0.7701&overlap=none")
        .unknown(&[
            unknown("tokens a step, 2.44 to 3.3 with three drafts elsewhere", &["acceptance=0.6755", "acceptance=0.8729"]),
        ]),
    run("trt-b200-1k2k-fp8kv", RunKind::WholeRun, BEST_PRACTICE, Measured::PerGpu(5393.0))
        .of("DeepSeek-R1", "8 B200", "EP 8, data-parallel attention, NVFP4 experts, FP8 cache; 896 requests a GPU, 1,024 tokens in, 2,048 out, all queued at once")
        .link("v=1&model=deepseek-r1&gpu=b200&gpus=8&batch=7168&prompt=1024&output=2048&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=8&tp=1&ffn_tp=1&ep=8&w_attn=1&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .unknown(&[BALANCE])
        .note("A whole run: filling, prefill and draining are in the rate."),
    run("trt-b200-1k2k-bf16kv", RunKind::WholeRun, BEST_PRACTICE, Measured::PerGpu(4548.0))
        .of("DeepSeek-R1", "8 B200", "EP 8, data-parallel attention, NVFP4 experts, BF16 cache; 384 requests a GPU, 1,024 tokens in, 2,048 out, all queued at once")
        .link("v=1&model=deepseek-r1&gpu=b200&gpus=8&batch=3072&prompt=1024&output=2048&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=8&tp=1&ffn_tp=1&ep=8&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=0.5&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .unknown(&[BALANCE])
        .note("A whole run: filling, prefill and draining are in the rate."),
];
