//! TensorRT-LLM's performance overview: whole runs, with every request queued at the start.
//!
//! The engine chooses the batch by its free memory: links have the largest batch that fits with a tenth kept free.
//! FP4 means 4-bit weights with 8-bit attention and cache.

use crate::source::Source;

use super::row::{Measured, Measurement, RunKind, Unknown, run, unknown};

/// The publication.
pub const PERF_OVERVIEW: Source = Source::new(
    "TensorRT-LLM, performance overview (2025)",
    "github.com/NVIDIA/TensorRT-LLM, docs/source/developer-guide/perf-overview.md at 03e27c7d5ff0",
);

/// A batch chosen by the engine: its range ends at the largest that fits and at `ends`.
pub const fn memory_limited(ends: &'static [&'static str]) -> Unknown {
    unknown("the batch: a quarter of it to all of what fits", ends)
}

/// Rows of this file.
#[rustfmt::skip]
pub const ROWS: &[Measurement] = &[
    run("trtperf-DeepSeek-R1-0528-B200_DEP4_FP4-1000-1000", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(6463.0))
        .of("DeepSeek-R1", "4 B200", "EP 4, data-parallel attention, FP4; 1,000 tokens in, 1,000 out, all queued at once")
        .link("v=1&model=deepseek-r1&gpu=b200&gpus=4&batch=5812&prompt=1000&output=1000&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=4&tp=1&ffn_tp=1&ep=4&w_attn=1&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .unknown(&[memory_limited(&["batch=1452"])]),
    run("trtperf-DeepSeek-R1-0528-B200_DEP4_FP4-1024-8192", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(3862.0))
        .of("DeepSeek-R1", "4 B200", "EP 4, data-parallel attention, FP4; 1,024 tokens in, 8,192 out, all queued at once")
        .link("v=1&model=deepseek-r1&gpu=b200&gpus=4&batch=1708&prompt=1024&output=8192&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=4&tp=1&ffn_tp=1&ep=4&w_attn=1&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .unknown(&[memory_limited(&["batch=424"])]),
    run("trtperf-DeepSeek-R1-0528-GB200_DEP4_FP4-1024-8192", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(4379.0))
        .of("DeepSeek-R1", "4 GB200", "EP 4, data-parallel attention, FP4; 1,024 tokens in, 8,192 out, all queued at once")
        .link("v=1&model=deepseek-r1&gpu=gb200&gpus=4&batch=1836&prompt=1024&output=8192&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=4&tp=1&ffn_tp=1&ep=4&w_attn=1&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .unknown(&[memory_limited(&["batch=456"])]),
    run("trtperf-DeepSeek-R1-0528-B200_DEP4_FP4-1024-32768", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(1451.0))
        .of("DeepSeek-R1", "4 B200", "EP 4, data-parallel attention, FP4; 1,024 tokens in, 32,768 out, all queued at once")
        .link("v=1&model=deepseek-r1&gpu=b200&gpus=4&batch=500&prompt=1024&output=32768&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=4&tp=1&ffn_tp=1&ep=4&w_attn=1&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .unknown(&[memory_limited(&["batch=124"])]),
    run("trtperf-DeepSeek-R1-0528-GB200_DEP4_FP4-1024-32768", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(1465.0))
        .of("DeepSeek-R1", "4 GB200", "EP 4, data-parallel attention, FP4; 1,024 tokens in, 32,768 out, all queued at once")
        .link("v=1&model=deepseek-r1&gpu=gb200&gpus=4&batch=540&prompt=1024&output=32768&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=4&tp=1&ffn_tp=1&ep=4&w_attn=1&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .unknown(&[memory_limited(&["batch=132"])]),
    run("trtperf-DeepSeek-R1-0528-H200_DEP8_FP8-1024-32768", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(438.0))
        .of("DeepSeek-R1", "8 H200", "EP 8, data-parallel attention, FP8; 1,024 tokens in, 32,768 out, all queued at once")
        .link("v=1&model=deepseek-r1&gpu=h200&gpus=8&batch=240&prompt=1024&output=32768&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=8&tp=1&ffn_tp=1&ep=8&precision=deepseek-fp8&overlap=none")
        .unknown(&[memory_limited(&["batch=56"])]),
    run("trtperf-DeepSeek-R1-0528-GB200_DEP4_FP4-8192-1024", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(1192.0))
        .of("DeepSeek-R1", "4 GB200", "EP 4, data-parallel attention, FP4; 8,192 tokens in, 1,024 out, all queued at once")
        .link("v=1&model=deepseek-r1&gpu=gb200&gpus=4&batch=1080&prompt=8192&output=1024&serving=aggregated&beta=0.9&redundant=0&shared=replicated&dp=4&tp=1&ffn_tp=1&ep=4&w_attn=1&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .unknown(&[memory_limited(&["batch=268"])]),
    run("trtperf-Llama-3.3-70B-GB200_TP1_FP4-1000-1000", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(7769.0))
        .of("Llama-3.3-70B", "1 GB200", "one GPU, FP4; 1,000 tokens in, 1,000 out, all queued at once")
        .link("v=1&model=llama-3-70b&gpu=gb200&gpus=1&batch=587&prompt=1000&output=1000&serving=aggregated&dp=1&tp=1&ffn_tp=1&ep=1&w_attn=0.5&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .unknown(&[memory_limited(&["batch=146"])]),
    run("trtperf-Llama-3.3-70B-H100_TP2_FP8-1000-1000", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(2209.0))
        .of("Llama-3.3-70B", "2 H100", "TP 2, FP8; 1,000 tokens in, 1,000 out, all queued at once")
        .link("v=1&model=llama-3-70b&gpu=h100&gpus=2&batch=341&prompt=1000&output=1000&serving=aggregated&dp=1&tp=2&ffn_tp=2&ep=1&w_attn=1&w_ffn=1&kv=1&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none")
        .unknown(&[memory_limited(&["batch=85"])]),
    run("trtperf-Llama-3.3-70B-H200_TP2_FP8-1024-8192", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(2009.0))
        .of("Llama-3.3-70B", "2 H200", "TP 2, FP8; 1,024 tokens in, 8,192 out, all queued at once")
        .link("v=1&model=llama-3-70b&gpu=h200&gpus=2&batch=240&prompt=1024&output=8192&serving=aggregated&dp=1&tp=2&ffn_tp=2&ep=1&w_attn=1&w_ffn=1&kv=1&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none")
        .unknown(&[memory_limited(&["batch=60"])]),
    run("trtperf-Llama-3.3-70B-H200_TP2_FP8-8192-1024", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(537.0))
        .of("Llama-3.3-70B", "2 H200", "TP 2, FP8; 8,192 tokens in, 1,024 out, all queued at once")
        .link("v=1&model=llama-3-70b&gpu=h200&gpus=2&batch=141&prompt=8192&output=1024&serving=aggregated&dp=1&tp=2&ffn_tp=2&ep=1&w_attn=1&w_ffn=1&kv=1&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none")
        .unknown(&[memory_limited(&["batch=35"])]),
    run("trtperf-Llama-3.3-70B-H100_TP2_FP8-8192-1024", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(398.0))
        .of("Llama-3.3-70B", "2 H100", "TP 2, FP8; 8,192 tokens in, 1,024 out, all queued at once")
        .link("v=1&model=llama-3-70b&gpu=h100&gpus=2&batch=58&prompt=8192&output=1024&serving=aggregated&dp=1&tp=2&ffn_tp=2&ep=1&w_attn=1&w_ffn=1&kv=1&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none")
        .unknown(&[memory_limited(&["batch=14"])]),
    run("trtperf-Llama-3.3-70B-B200_TP1_FP4-32768-1024", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(274.0))
        .of("Llama-3.3-70B", "1 B200", "one GPU, FP4; 32,768 tokens in, 1,024 out, all queued at once")
        .link("v=1&model=llama-3-70b&gpu=b200&gpus=1&batch=25&prompt=32768&output=1024&serving=aggregated&dp=1&tp=1&ffn_tp=1&ep=1&w_attn=0.5&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .unknown(&[memory_limited(&["batch=6"])]),
    run("trtperf-Llama-3.3-70B-H200_TP2_FP8-32768-1024", RunKind::WholeRun, PERF_OVERVIEW, Measured::PerGpu(120.0))
        .of("Llama-3.3-70B", "2 H200", "TP 2, FP8; 32,768 tokens in, 1,024 out, all queued at once")
        .link("v=1&model=llama-3-70b&gpu=h200&gpus=2&batch=37&prompt=32768&output=1024&serving=aggregated&dp=1&tp=2&ffn_tp=2&ep=1&w_attn=1&w_ffn=1&kv=1&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&overlap=none")
        .unknown(&[memory_limited(&["batch=9"])]),
];
