//! TensorRT-LLM's performance overview, models with several kinds of layers: links by the rules of
//! [`super::offline`]. gpt-oss keeps its released bytes on every accelerator.

use super::offline::{PERF_OVERVIEW, memory_limited};
use super::row::{Measured, Measurement, RunKind, run};

/// Rows of this file.
#[rustfmt::skip]
pub const ROWS: &[Measurement] = &[
    run("trtperf-gpt-oss-120b-GB200_TP1_FP4-1000-1000", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(27198.0))
        .of("gpt-oss-120b", "1 GB200", "one GPU, MXFP4 experts; 1,000 tokens in, 1,000 out, all queued at once")
        .link("v=1&model=gpt-oss-120b&gpu=gb200&gpus=1&batch=3814&prompt=1000&output=1000&serving=aggregated&redundant=0&shared=replicated&dp=1&tp=1&ffn_tp=1&ep=1&w_attn=2&w_ffn=0.53125&kv=1&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .unknown(&[memory_limited(&["batch=953"])]),
    run("trtperf-gpt-oss-120b-B200_DEP2_FP4-1024-8192", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(17289.0))
        .of("gpt-oss-120b", "2 B200", "EP 2, data-parallel attention, MXFP4 experts; 1,024 tokens in, 8,192 out, all queued at once")
        .link("v=1&model=gpt-oss-120b&gpu=b200&gpus=2&batch=2878&prompt=1024&output=8192&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=2&tp=1&ffn_tp=1&ep=2&w_attn=2&w_ffn=0.53125&kv=1&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .unknown(&[memory_limited(&["batch=718"])]),
    run("trtperf-gpt-oss-120b-H200_TP1_FP8-1024-8192", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(3543.0))
        .of("gpt-oss-120b", "1 H200", "one GPU, MXFP4 experts; 1,024 tokens in, 8,192 out, all queued at once")
        .link("v=1&model=gpt-oss-120b&gpu=h200&gpus=1&batch=734&prompt=1024&output=8192&serving=aggregated&redundant=0&shared=replicated&dp=1&tp=1&ffn_tp=1&ep=1&w_attn=2&w_ffn=0.53125&kv=1&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .unknown(&[memory_limited(&["batch=183"])]),
    run("trtperf-gpt-oss-120b-B200_DEP2_FP4-8192-1024", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(6111.0))
        .of("gpt-oss-120b", "2 B200", "EP 2, data-parallel attention, MXFP4 experts; 8,192 tokens in, 1,024 out, all queued at once")
        .link("v=1&model=gpt-oss-120b&gpu=b200&gpus=2&batch=1710&prompt=8192&output=1024&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=2&tp=1&ffn_tp=1&ep=2&w_attn=2&w_ffn=0.53125&kv=1&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .unknown(&[memory_limited(&["batch=426"])]),
    run("trtperf-gpt-oss-120b-H100_DEP4_FP8-8192-1024", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(1169.0))
        .of("gpt-oss-120b", "4 H100", "EP 4, data-parallel attention, MXFP4 experts; 8,192 tokens in, 1,024 out, all queued at once")
        .link("v=1&model=gpt-oss-120b&gpu=h100&gpus=4&batch=1420&prompt=8192&output=1024&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=4&tp=1&ffn_tp=1&ep=4&w_attn=2&w_ffn=0.53125&kv=1&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .unknown(&[memory_limited(&["batch=352"])]),
    run("trtperf-gpt-oss-120b-GB200_TP1_FP4-32768-1024", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(1645.0))
        .of("gpt-oss-120b", "1 GB200", "one GPU, MXFP4 experts; 32,768 tokens in, 1,024 out, all queued at once")
        .link("v=1&model=gpt-oss-120b&gpu=gb200&gpus=1&batch=186&prompt=32768&output=1024&serving=aggregated&redundant=0&shared=replicated&dp=1&tp=1&ffn_tp=1&ep=1&w_attn=2&w_ffn=0.53125&kv=1&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .unknown(&[memory_limited(&["batch=46"])]),
    run("trtperf-gpt-oss-120b-H200_TP1_FP8-32768-1024", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(519.0))
        .of("gpt-oss-120b", "1 H200", "one GPU, MXFP4 experts; 32,768 tokens in, 1,024 out, all queued at once")
        .link("v=1&model=gpt-oss-120b&gpu=h200&gpus=1&batch=115&prompt=32768&output=1024&serving=aggregated&redundant=0&shared=replicated&dp=1&tp=1&ffn_tp=1&ep=1&w_attn=2&w_ffn=0.53125&kv=1&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .unknown(&[memory_limited(&["batch=28"])]),
    run("trtperf-gpt-oss-120b-H100_DEP4_FP8-32768-1024", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(333.0))
        .of("gpt-oss-120b", "4 H100", "EP 4, data-parallel attention, MXFP4 experts; 32,768 tokens in, 1,024 out, all queued at once")
        .link("v=1&model=gpt-oss-120b&gpu=h100&gpus=4&batch=372&prompt=32768&output=1024&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=4&tp=1&ffn_tp=1&ep=4&w_attn=2&w_ffn=0.53125&kv=1&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .unknown(&[memory_limited(&["batch=92"])]),
    run("trtperf-Llama-4-Maverick-B200_DEP4_FP4-1000-1000", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(11337.0))
        .of("Llama 4 Maverick", "4 B200", "EP 4, data-parallel attention, FP4; 1,000 tokens in, 1,000 out, all queued at once")
        .link("v=1&model=llama-4-maverick&gpu=b200&gpus=4&batch=3212&prompt=1000&output=1000&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=4&tp=1&ffn_tp=1&ep=4&w_attn=0.5&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .unknown(&[memory_limited(&["batch=800"])]),
    run("trtperf-Llama-4-Maverick-GB200_DEP4_FP4-1000-1000", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(11828.0))
        .of("Llama 4 Maverick", "4 GB200", "EP 4, data-parallel attention, FP4; 1,000 tokens in, 1,000 out, all queued at once")
        .link("v=1&model=llama-4-maverick&gpu=gb200&gpus=4&batch=3368&prompt=1000&output=1000&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=4&tp=1&ffn_tp=1&ep=4&w_attn=0.5&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .unknown(&[memory_limited(&["batch=840"])]),
    run("trtperf-Llama-4-Maverick-H200_DEP8_FP8-1000-1000", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(4146.0))
        .of("Llama 4 Maverick", "8 H200", "EP 8, data-parallel attention, FP8; 1,000 tokens in, 1,000 out, all queued at once")
        .link("v=1&model=llama-4-maverick&gpu=h200&gpus=8&batch=3992&prompt=1000&output=1000&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=8&tp=1&ffn_tp=1&ep=8&w_attn=1&w_ffn=1&kv=1&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none")
        .unknown(&[memory_limited(&["batch=992"])]),
    run("trtperf-Llama-4-Maverick-H200_DEP8_FP8-1024-8192", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(1157.0))
        .of("Llama 4 Maverick", "8 H200", "EP 8, data-parallel attention, FP8; 1,024 tokens in, 8,192 out, all queued at once")
        .link("v=1&model=llama-4-maverick&gpu=h200&gpus=8&batch=1168&prompt=1024&output=8192&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=8&tp=1&ffn_tp=1&ep=8&w_attn=1&w_ffn=1&kv=1&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none")
        .unknown(&[memory_limited(&["batch=288"])]),
    run("trtperf-Llama-4-Maverick-B200_DEP4_FP4-8192-1024", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(3279.0))
        .of("Llama 4 Maverick", "4 B200", "EP 4, data-parallel attention, FP4; 8,192 tokens in, 1,024 out, all queued at once")
        .link("v=1&model=llama-4-maverick&gpu=b200&gpus=4&batch=576&prompt=8192&output=1024&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=4&tp=1&ffn_tp=1&ep=4&w_attn=0.5&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .unknown(&[memory_limited(&["batch=144"])]),
    run("trtperf-Llama-4-Maverick-GB200_DEP4_FP4-8192-1024", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(3444.0))
        .of("Llama 4 Maverick", "4 GB200", "EP 4, data-parallel attention, FP4; 8,192 tokens in, 1,024 out, all queued at once")
        .link("v=1&model=llama-4-maverick&gpu=gb200&gpus=4&batch=608&prompt=8192&output=1024&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=4&tp=1&ffn_tp=1&ep=4&w_attn=0.5&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .unknown(&[memory_limited(&["batch=152"])]),
];
