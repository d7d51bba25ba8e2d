//! InferenceX: Kimi K2.5 with aggregated prefill, DeepSeek-R1 with disaggregated prefill.

use crate::source::Source;

use super::row::{Measured, Measurement, RunKind, Unknown, run, unknown};

const KIMI: Source = Source::new(
    "InferenceX, Kimi K2 on B200 and H200 (May 2026)",
    "github.com/SemiAnalysisAI/InferenceX-app, packages/app/content/blog/b200-nvfp4-vs-h200-int4-kimi-k2-vllm-perf-per-dollar.mdx at 26a3586c0b9c, run 26118912054",
);
const DISAGGREGATED: Source = Source::new(
    "InferenceX, GB200 NVL72 against B200 (May 2026)",
    "github.com/SemiAnalysisAI/InferenceX-app, packages/app/content/blog/gb200-nvl72-vs-b200-disagg-deepseek-r1-fp4-dynamo-trt.mdx at 0e0425cb6df6, run 26306422380",
);

const LENGTHS: Unknown = unknown(
    "the lengths: drawn from 0.8 to 1 times the most",
    &["prompt=6554&output=819", "prompt=8192&output=1024"],
);

const DRAFTS: Unknown = unknown(
    "drafts and their acceptance: one or three, as elsewhere",
    &["mtp=1&acceptance=0.92", "acceptance=0.6755"],
);

/// Rows of this file.
#[rustfmt::skip]
pub const ROWS: &[Measurement] = &[
    run("ix-k2.5-8k1k-h200-int4-tp8-c4", RunKind::Aggregated, KIMI, Measured::Tpot(10.97))
        .of("Kimi K2.5", "8 H200", "TP 8, INT4, prefills in the same engine; 4 requests at once, 8,192 tokens in and 1,024 out at most")
        .link("v=1&model=kimi-k2&gpu=h200&gpus=8&domain=8&scale_up=450&scale_out=50&batch=4&prompt=7373&output=922&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=2&combine=2&fmt_attn=bf16&fmt_ffn=bf16&overlap=none")
        .unknown(&[LENGTHS]),
    run("ix-k2.5-8k1k-h200-int4-tp8-c16", RunKind::Aggregated, KIMI, Measured::Tpot(21.44))
        .of("Kimi K2.5", "8 H200", "TP 8, INT4, prefills in the same engine; 16 requests at once, 8,192 tokens in and 1,024 out at most")
        .link("v=1&model=kimi-k2&gpu=h200&gpus=8&domain=8&scale_up=450&scale_out=50&batch=16&prompt=7373&output=922&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=2&combine=2&fmt_attn=bf16&fmt_ffn=bf16&overlap=none")
        .unknown(&[LENGTHS]),
    run("ix-k2.5-8k1k-h200-int4-tp8-c64", RunKind::Aggregated, KIMI, Measured::Tpot(59.98))
        .of("Kimi K2.5", "8 H200", "TP 8, INT4, prefills in the same engine; 64 requests at once, 8,192 tokens in and 1,024 out at most")
        .link("v=1&model=kimi-k2&gpu=h200&gpus=8&domain=8&scale_up=450&scale_out=50&batch=64&prompt=7373&output=922&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=2&combine=2&fmt_attn=bf16&fmt_ffn=bf16&overlap=none")
        .unknown(&[LENGTHS]),
    run("ix-k2.5-8k1k-b200-int4-tp8-c4", RunKind::Aggregated, KIMI, Measured::Tpot(9.58))
        .of("Kimi K2.5", "8 B200", "TP 8, INT4, prefills in the same engine; 4 requests at once, 8,192 tokens in and 1,024 out at most")
        .link("v=1&model=kimi-k2&gpu=b200&gpus=8&domain=8&scale_up=900&scale_out=50&batch=4&prompt=7373&output=922&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=2&combine=2&fmt_attn=bf16&fmt_ffn=bf16&overlap=none")
        .unknown(&[LENGTHS]),
    run("ix-k2.5-8k1k-b200-int4-tp8-c16", RunKind::Aggregated, KIMI, Measured::Tpot(16.89))
        .of("Kimi K2.5", "8 B200", "TP 8, INT4, prefills in the same engine; 16 requests at once, 8,192 tokens in and 1,024 out at most")
        .link("v=1&model=kimi-k2&gpu=b200&gpus=8&domain=8&scale_up=900&scale_out=50&batch=16&prompt=7373&output=922&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=2&combine=2&fmt_attn=bf16&fmt_ffn=bf16&overlap=none")
        .unknown(&[LENGTHS]),
    run("ix-k2.5-8k1k-b200-int4-tp8-c64", RunKind::Aggregated, KIMI, Measured::Tpot(38.45))
        .of("Kimi K2.5", "8 B200", "TP 8, INT4, prefills in the same engine; 64 requests at once, 8,192 tokens in and 1,024 out at most")
        .link("v=1&model=kimi-k2&gpu=b200&gpus=8&domain=8&scale_up=900&scale_out=50&batch=64&prompt=7373&output=922&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=2&combine=2&fmt_attn=bf16&fmt_ffn=bf16&overlap=none")
        .unknown(&[LENGTHS]),
    run("ix-k2.5-8k1k-b200-nvfp4-tp4-c4", RunKind::Aggregated, KIMI, Measured::Tpot(9.0))
        .of("Kimi K2.5", "4 B200", "TP 4, NVFP4, prefills in the same engine; 4 requests at once, 8,192 tokens in and 1,024 out at most")
        .link("v=1&model=kimi-k2&gpu=b200&gpus=4&domain=8&scale_up=900&scale_out=50&batch=4&prompt=7373&output=922&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=4&ep=1&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=2&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .unknown(&[LENGTHS]),
    run("ix-k2.5-8k1k-b200-nvfp4-tp4-c16", RunKind::Aggregated, KIMI, Measured::Tpot(14.84))
        .of("Kimi K2.5", "4 B200", "TP 4, NVFP4, prefills in the same engine; 16 requests at once, 8,192 tokens in and 1,024 out at most")
        .link("v=1&model=kimi-k2&gpu=b200&gpus=4&domain=8&scale_up=900&scale_out=50&batch=16&prompt=7373&output=922&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=4&ep=1&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=2&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .unknown(&[LENGTHS]),
    run("ix-k2.5-8k1k-b200-nvfp4-tp4-c64", RunKind::Aggregated, KIMI, Measured::Tpot(31.07))
        .of("Kimi K2.5", "4 B200", "TP 4, NVFP4, prefills in the same engine; 64 requests at once, 8,192 tokens in and 1,024 out at most")
        .link("v=1&model=kimi-k2&gpu=b200&gpus=4&domain=8&scale_up=900&scale_out=50&batch=64&prompt=7373&output=922&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=4&ffn_tp=4&ep=1&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=2&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .unknown(&[LENGTHS]),
    run("ix-k2.5-8k1k-b200-nvfp4-tp8-c4", RunKind::Aggregated, KIMI, Measured::Tpot(7.97))
        .of("Kimi K2.5", "8 B200", "TP 8, NVFP4, prefills in the same engine; 4 requests at once, 8,192 tokens in and 1,024 out at most")
        .link("v=1&model=kimi-k2&gpu=b200&gpus=8&domain=8&scale_up=900&scale_out=50&batch=4&prompt=7373&output=922&serving=aggregated&beta=1&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=8&ep=1&w_attn=2&w_ffn=0.5&kv=2&act=2&dispatch=2&combine=2&fmt_attn=bf16&fmt_ffn=fp4&overlap=none")
        .unknown(&[LENGTHS]),
    run("ix-dsr1fp4-1k1k-gb200-c4", RunKind::Uncertain, DISAGGREGATED, Measured::Tpot(3.49))
        .of("DeepSeek-R1", "32 GB200 decoding in 4 instances", "EP 8, NVFP4, drafts; 4 requests at once, 1,024 tokens in and out, prefill elsewhere")
        .link("v=1&model=deepseek-r1&gpu=gb200&gpus=8&batch=1&context=1536&beta=0.9&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=1&ep=8&w_attn=1&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&mtp=3&acceptance=0.7701&overlap=none")
        .unknown(&[DRAFTS]),
    run("ix-dsr1fp4-1k1k-gb200-c12", RunKind::Uncertain, DISAGGREGATED, Measured::Tpot(3.89))
        .of("DeepSeek-R1", "32 GB200 decoding in 4 instances", "EP 8, NVFP4, drafts; 12 requests at once, 1,024 tokens in and out, prefill elsewhere")
        .link("v=1&model=deepseek-r1&gpu=gb200&gpus=8&batch=3&context=1536&beta=0.9&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=1&ep=8&w_attn=1&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&mtp=3&acceptance=0.7701&overlap=none")
        .unknown(&[DRAFTS]),
    run("ix-dsr1fp4-1k1k-gb200-c48", RunKind::Uncertain, DISAGGREGATED, Measured::Tpot(4.82))
        .of("DeepSeek-R1", "32 GB200 decoding in 4 instances", "EP 8, NVFP4, drafts; 48 requests at once, 1,024 tokens in and out, prefill elsewhere")
        .link("v=1&model=deepseek-r1&gpu=gb200&gpus=8&batch=12&context=1536&beta=0.9&redundant=0&shared=replicated&dp=8&tp=1&ffn_tp=1&ep=8&w_attn=1&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&mtp=3&acceptance=0.7701&overlap=none")
        .unknown(&[DRAFTS]),
    run("ix-dsr1fp4-1k1k-gb200-c180", RunKind::Uncertain, DISAGGREGATED, Measured::Tpot(6.08))
        .of("DeepSeek-R1", "32 GB200 decoding in 1 instance", "EP 32, NVFP4, drafts; 180 requests at once, 1,024 tokens in and out, prefill elsewhere")
        .link("v=1&model=deepseek-r1&gpu=gb200&gpus=32&batch=180&context=1536&beta=0.9&redundant=0&shared=replicated&dp=32&tp=1&ffn_tp=1&ep=32&w_attn=1&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&mtp=3&acceptance=0.7701&overlap=none")
        .unknown(&[DRAFTS]),
    run("ix-dsr1fp4-1k1k-gb200-c4301", RunKind::Uncertain, DISAGGREGATED, Measured::Tpot(23.1))
        .of("DeepSeek-R1", "16 GB200 decoding in 1 instance", "EP 16, NVFP4, drafts; 4301 requests at once, 1,024 tokens in and out, prefill elsewhere")
        .link("v=1&model=deepseek-r1&gpu=gb200&gpus=16&batch=4301&context=1536&beta=0.9&redundant=0&shared=replicated&dp=16&tp=1&ffn_tp=1&ep=16&w_attn=1&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&mtp=3&acceptance=0.7701&overlap=none")
        .unknown(&[DRAFTS]),
    run("ix-dsr1fp4-1k1k-b200-c6", RunKind::Uncertain, DISAGGREGATED, Measured::Tpot(3.23))
        .of("DeepSeek-R1", "40 B200 decoding in 5 instances", "EP 8, NVFP4, drafts; 6 requests at once, 1,024 tokens in and out, prefill elsewhere")
        .link("v=1&model=deepseek-r1&gpu=b200&gpus=8&batch=1&context=1536&beta=0.9&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=1&ep=8&w_attn=1&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&mtp=3&acceptance=0.7701&overlap=none")
        .unknown(&[DRAFTS]),
    run("ix-dsr1fp4-1k1k-b200-c15", RunKind::Uncertain, DISAGGREGATED, Measured::Tpot(3.83))
        .of("DeepSeek-R1", "40 B200 decoding in 5 instances", "EP 8, NVFP4, drafts; 15 requests at once, 1,024 tokens in and out, prefill elsewhere")
        .link("v=1&model=deepseek-r1&gpu=b200&gpus=8&batch=3&context=1536&beta=0.9&redundant=0&shared=replicated&dp=1&tp=8&ffn_tp=1&ep=8&w_attn=1&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&mtp=3&acceptance=0.7701&overlap=none")
        .unknown(&[DRAFTS]),
    run("ix-dsr1fp4-1k1k-b200-c45", RunKind::Uncertain, DISAGGREGATED, Measured::Tpot(5.23))
        .of("DeepSeek-R1", "40 B200 decoding in 5 instances", "EP 8, NVFP4, drafts; 45 requests at once, 1,024 tokens in and out, prefill elsewhere")
        .link("v=1&model=deepseek-r1&gpu=b200&gpus=8&batch=9&context=1536&beta=0.9&redundant=0&shared=replicated&dp=8&tp=1&ffn_tp=1&ep=8&w_attn=1&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&mtp=3&acceptance=0.7701&overlap=none")
        .unknown(&[DRAFTS]),
    run("ix-dsr1fp4-1k1k-b200-c90", RunKind::Uncertain, DISAGGREGATED, Measured::Tpot(6.64))
        .of("DeepSeek-R1", "40 B200 decoding in 5 instances", "EP 8, NVFP4, drafts; 90 requests at once, 1,024 tokens in and out, prefill elsewhere")
        .link("v=1&model=deepseek-r1&gpu=b200&gpus=8&batch=18&context=1536&beta=0.9&redundant=0&shared=replicated&dp=8&tp=1&ffn_tp=1&ep=8&w_attn=1&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&mtp=3&acceptance=0.7701&overlap=none")
        .unknown(&[DRAFTS]),
    run("ix-dsr1fp4-1k1k-b200-c875", RunKind::Uncertain, DISAGGREGATED, Measured::Tpot(9.82))
        .of("DeepSeek-R1", "40 B200 decoding in 5 instances", "EP 8, NVFP4, drafts; 875 requests at once, 1,024 tokens in and out, prefill elsewhere")
        .link("v=1&model=deepseek-r1&gpu=b200&gpus=8&batch=175&context=1536&beta=0.9&redundant=0&shared=replicated&dp=8&tp=1&ffn_tp=1&ep=8&w_attn=1&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&mtp=3&acceptance=0.7701&overlap=none")
        .unknown(&[DRAFTS]),
    run("ix-dsr1fp4-1k1k-b200-c4968", RunKind::Uncertain, DISAGGREGATED, Measured::Tpot(17.75))
        .of("DeepSeek-R1", "32 B200 decoding in 4 instances", "EP 8, NVFP4, drafts; 4968 requests at once, 1,024 tokens in and out, prefill elsewhere")
        .link("v=1&model=deepseek-r1&gpu=b200&gpus=8&batch=1242&context=1536&beta=0.9&redundant=0&shared=replicated&dp=8&tp=1&ffn_tp=1&ep=8&w_attn=1&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&mtp=3&acceptance=0.7701&overlap=none")
        .unknown(&[DRAFTS]),
    run("ix-dsr1fp4-1k1k-b200-c10860", RunKind::Uncertain, DISAGGREGATED, Measured::Tpot(46.86))
        .of("DeepSeek-R1", "20 B200 decoding in 5 instances", "EP 4, NVFP4, drafts; 10860 requests at once, 1,024 tokens in and out, prefill elsewhere")
        .link("v=1&model=deepseek-r1&gpu=b200&gpus=4&batch=2172&context=1536&beta=0.9&redundant=0&shared=replicated&dp=4&tp=1&ffn_tp=1&ep=4&w_attn=1&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&mtp=3&acceptance=0.7701&overlap=none")
        .unknown(&[DRAFTS]),
];
