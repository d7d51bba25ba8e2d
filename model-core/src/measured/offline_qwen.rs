//! TensorRT-LLM's performance overview, Qwen3: links by the rules of [`super::offline`].

use super::offline::{PERF_OVERVIEW, memory_limited};
use super::row::{Measured, Measurement, RunKind, run};

/// Rows of this file.
#[rustfmt::skip]
pub const ROWS: &[Measurement] = &[
    run("trtperf-Qwen3-235B-A22B-B200_DEP4_FP4-1000-1000", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(5764.0))
        .of("Qwen3-235B-A22B", "4 B200", "EP 4, data-parallel attention, FP4; 1,000 tokens in, 1,000 out, all queued at once")
        .link("v=1&model=qwen3-235b-a22b&gpu=b200&gpus=4&batch=3916&prompt=1000&output=1000&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=4&tp=1&ffn_tp=1&ep=4&w_attn=0.5&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .unknown(&[memory_limited(&["batch=976"])]),
    run("trtperf-Qwen3-235B-A22B-H200_DEP4_FP8-1000-1000", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(3288.0))
        .of("Qwen3-235B-A22B", "4 H200", "EP 4, data-parallel attention, FP8; 1,000 tokens in, 1,000 out, all queued at once")
        .link("v=1&model=qwen3-235b-a22b&gpu=h200&gpus=4&batch=1976&prompt=1000&output=1000&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=4&tp=1&ffn_tp=1&ep=4&w_attn=1&w_ffn=1&kv=1&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none")
        .unknown(&[memory_limited(&["batch=492"])]),
    run("trtperf-Qwen3-235B-A22B-H100_DEP8_FP8-1000-1000", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(1932.0))
        .of("Qwen3-235B-A22B", "8 H100", "EP 8, data-parallel attention, FP8; 1,000 tokens in, 1,000 out, all queued at once")
        .link("v=1&model=qwen3-235b-a22b&gpu=h100&gpus=8&batch=2264&prompt=1000&output=1000&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=8&tp=1&ffn_tp=1&ep=8&w_attn=1&w_ffn=1&kv=1&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none")
        .unknown(&[memory_limited(&["batch=560"])]),
    run("trtperf-Qwen3-235B-A22B-H100_DEP8_FP8-1024-8192", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(873.0))
        .of("Qwen3-235B-A22B", "8 H100", "EP 8, data-parallel attention, FP8; 1,024 tokens in, 8,192 out, all queued at once")
        .link("v=1&model=qwen3-235b-a22b&gpu=h100&gpus=8&batch=664&prompt=1024&output=8192&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=8&tp=1&ffn_tp=1&ep=8&w_attn=1&w_ffn=1&kv=1&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none")
        .unknown(&[memory_limited(&["batch=160"])]),
    run("trtperf-Qwen3-235B-A22B-B200_DEP4_FP4-8192-1024", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(1410.0))
        .of("Qwen3-235B-A22B", "4 B200", "EP 4, data-parallel attention, FP4; 8,192 tokens in, 1,024 out, all queued at once")
        .link("v=1&model=qwen3-235b-a22b&gpu=b200&gpus=4&batch=672&prompt=8192&output=1024&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=4&tp=1&ffn_tp=1&ep=4&w_attn=0.5&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .unknown(&[memory_limited(&["batch=168"])]),
    run("trtperf-Qwen3-235B-A22B-GB200_DEP4_FP4-8192-1024", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(1464.0))
        .of("Qwen3-235B-A22B", "4 GB200", "EP 4, data-parallel attention, FP4; 8,192 tokens in, 1,024 out, all queued at once")
        .link("v=1&model=qwen3-235b-a22b&gpu=gb200&gpus=4&batch=700&prompt=8192&output=1024&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=4&tp=1&ffn_tp=1&ep=4&w_attn=0.5&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .unknown(&[memory_limited(&["batch=172"])]),
    run("trtperf-Qwen3-235B-A22B-H200_DEP4_FP8-8192-1024", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(627.0))
        .of("Qwen3-235B-A22B", "4 H200", "EP 4, data-parallel attention, FP8; 8,192 tokens in, 1,024 out, all queued at once")
        .link("v=1&model=qwen3-235b-a22b&gpu=h200&gpus=4&batch=340&prompt=8192&output=1024&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=4&tp=1&ffn_tp=1&ep=4&w_attn=1&w_ffn=1&kv=1&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none")
        .unknown(&[memory_limited(&["batch=84"])]),
    run("trtperf-Qwen3-235B-A22B-H200_DEP4_FP8-32768-1024", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(134.0))
        .of("Qwen3-235B-A22B", "4 H200", "EP 4, data-parallel attention, FP8; 32,768 tokens in, 1,024 out, all queued at once")
        .link("v=1&model=qwen3-235b-a22b&gpu=h200&gpus=4&batch=88&prompt=32768&output=1024&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=4&tp=1&ffn_tp=1&ep=4&w_attn=1&w_ffn=1&kv=1&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none")
        .unknown(&[memory_limited(&["batch=20"])]),
    run("trtperf-Qwen3-30B-A3B-B200_TP1_FP4-1000-1000", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(26971.0))
        .of("Qwen3-30B-A3B", "1 B200", "one GPU, FP4; 1,000 tokens in, 1,000 out, all queued at once")
        .link("v=1&model=qwen3-30b-a3b&gpu=b200&gpus=1&batch=2151&prompt=1000&output=1000&serving=aggregated&redundant=0&shared=replicated&dp=1&tp=1&ffn_tp=1&ep=1&w_attn=0.5&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .unknown(&[memory_limited(&["batch=537"])]),
    run("trtperf-Qwen3-30B-A3B-GB200_TP1_FP4-1000-1000", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(22856.0))
        .of("Qwen3-30B-A3B", "1 GB200", "one GPU, FP4; 1,000 tokens in, 1,000 out, all queued at once")
        .link("v=1&model=qwen3-30b-a3b&gpu=gb200&gpus=1&batch=2229&prompt=1000&output=1000&serving=aggregated&redundant=0&shared=replicated&dp=1&tp=1&ffn_tp=1&ep=1&w_attn=0.5&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .unknown(&[memory_limited(&["batch=557"])]),
    run("trtperf-Qwen3-30B-A3B-GB200_TP1_FP4-1024-8192", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(14272.0))
        .of("Qwen3-30B-A3B", "1 GB200", "one GPU, FP4; 1,024 tokens in, 8,192 out, all queued at once")
        .link("v=1&model=qwen3-30b-a3b&gpu=gb200&gpus=1&batch=653&prompt=1024&output=8192&serving=aggregated&redundant=0&shared=replicated&dp=1&tp=1&ffn_tp=1&ep=1&w_attn=0.5&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .unknown(&[memory_limited(&["batch=163"])]),
    run("trtperf-Qwen3-30B-A3B-B200_TP1_FP4-1024-32768", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(4494.0))
        .of("Qwen3-30B-A3B", "1 B200", "one GPU, FP4; 1,024 tokens in, 32,768 out, all queued at once")
        .link("v=1&model=qwen3-30b-a3b&gpu=b200&gpus=1&batch=185&prompt=1024&output=32768&serving=aggregated&redundant=0&shared=replicated&dp=1&tp=1&ffn_tp=1&ep=1&w_attn=0.5&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .unknown(&[memory_limited(&["batch=46"])]),
    run("trtperf-Qwen3-30B-A3B-GB200_TP1_FP4-1024-32768", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(4925.0))
        .of("Qwen3-30B-A3B", "1 GB200", "one GPU, FP4; 1,024 tokens in, 32,768 out, all queued at once")
        .link("v=1&model=qwen3-30b-a3b&gpu=gb200&gpus=1&batch=192&prompt=1024&output=32768&serving=aggregated&redundant=0&shared=replicated&dp=1&tp=1&ffn_tp=1&ep=1&w_attn=0.5&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .unknown(&[memory_limited(&["batch=48"])]),
    run("trtperf-Qwen3-30B-A3B-GB200_TP1_FP4-8192-1024", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(6201.0))
        .of("Qwen3-30B-A3B", "1 GB200", "one GPU, FP4; 8,192 tokens in, 1,024 out, all queued at once")
        .link("v=1&model=qwen3-30b-a3b&gpu=gb200&gpus=1&batch=384&prompt=8192&output=1024&serving=aggregated&redundant=0&shared=replicated&dp=1&tp=1&ffn_tp=1&ep=1&w_attn=0.5&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .unknown(&[memory_limited(&["batch=96"])]),
    run("trtperf-Qwen3-30B-A3B-B200_TP1_FP4-32768-1024", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(1265.0))
        .of("Qwen3-30B-A3B", "1 B200", "one GPU, FP4; 32,768 tokens in, 1,024 out, all queued at once")
        .link("v=1&model=qwen3-30b-a3b&gpu=b200&gpus=1&batch=97&prompt=32768&output=1024&serving=aggregated&redundant=0&shared=replicated&dp=1&tp=1&ffn_tp=1&ep=1&w_attn=0.5&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .unknown(&[memory_limited(&["batch=24"])]),
];
