//! vLLM: wide expert parallelism on H200, and DeepSeek-V3.2 on Ascend 910C.

use crate::source::Source;

use super::row::{BALANCE, Measured, Measurement, RunKind, run};

const WIDE_EP: Source = Source::new(
    "vLLM, large-scale serving (December 2025)",
    "github.com/vllm-project/vllm-project.github.io, _posts/2025-12-17-large-scale-serving.md at c3a01c4a5807, decode_throughput.png",
);

const AFD_PLUGIN: Source = Source::new(
    "vLLM, attention and feed-forward apart (July 2026)",
    "github.com/vllm-project/vllm-project.github.io, _posts/2026-07-23-vllm-afd-plugin.md at c3a01c4a5807",
);

/// Rows of this file.
#[rustfmt::skip]
pub const ROWS: &[Measurement] = &[
    run("vllm-h200-ep32", RunKind::Steady, WIDE_EP, Measured::PerGpu(2180.0))
        .of("DeepSeek-R1", "4×8 H200, InfiniBand", "EP 32, dual-batch overlap; 256 sequences a GPU, 2,000 tokens in and out")
        .link("v=1&model=deepseek-v3&gpu=h200&gpus=32&domain=8&scale_up=450&scale_out=50&batch=8192&context=3000&beta=0.9&redundant=0&shared=replicated&dp=32&tp=1&ffn_tp=1&ep=32")
        .faster()
        .unknown(&[BALANCE])
        .note("Read off a bar chart to 20 tokens/s."),
    run("vllm-h200-ep96", RunKind::Steady, WIDE_EP, Measured::PerGpu(1970.0))
        .of("DeepSeek-R1", "12×8 H200, InfiniBand", "EP 96, dual-batch overlap, 32 redundant experts; 256 sequences a GPU, 2,000 tokens in and out")
        .link("v=1&model=deepseek-v3&gpu=h200&gpus=96&domain=8&scale_up=450&scale_out=50&batch=24576&context=3000&beta=0.9&redundant=32&shared=replicated&dp=96&tp=1&ffn_tp=1&ep=96")
        .faster()
        .unknown(&[BALANCE])
        .note("Read off a bar chart to 20 tokens/s."),
    run("vllm-910c-v32-ep64-16k", RunKind::NewLayers, AFD_PLUGIN, Measured::PerGpu(232.6))
        .of("DeepSeek-V3.2", "32 Ascend 910C, 64 dies", "EP 64, data-parallel attention, INT8, experts balanced by force; 16 sequences a die, 16,384 tokens in, 512 to 1,536 out")
        .link("v=1&model=deepseek-v3.2&gpu=custom&peak_bf16=376&peak_fp8=752&hbm=1600&capacity=64&gpus=64&domain=384&scale_up=196&scale_out=25&batch=1024&context=16896&beta=1&redundant=0&shared=replicated&dp=64&tp=1&ffn_tp=1&ep=64&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .note("A die is half a package. The batch is that of the figure's legend, ep64_bs16."),
    run("vllm-910c-v32-ep64-32k", RunKind::NewLayers, AFD_PLUGIN, Measured::PerGpu(168.2))
        .of("DeepSeek-V3.2", "32 Ascend 910C, 64 dies", "EP 64, data-parallel attention, INT8, experts balanced by force; 8 sequences a die, 32,768 tokens in, 512 to 1,536 out")
        .link("v=1&model=deepseek-v3.2&gpu=custom&peak_bf16=376&peak_fp8=752&hbm=1600&capacity=64&gpus=64&domain=384&scale_up=196&scale_out=25&batch=512&context=33280&beta=1&redundant=0&shared=replicated&dp=64&tp=1&ffn_tp=1&ep=64&w_attn=1&w_ffn=1&kv=2&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&overlap=none")
        .note("A die is half a package. The batch is that of the figure's legend, ep64_bs8."),
];
