//! Huawei: DeepSeek-R1 on Ascend 910C.

use crate::source::Source;

use super::row::{BALANCE, Measured, Measurement, RunKind, run};

const CLOUDMATRIX: Source = Source::new(
    "Serving on CloudMatrix384 (June 2025)",
    "arXiv 2506.12708, abstract and decode table",
);

/// Rows of this file.
#[rustfmt::skip]
pub const ROWS: &[Measurement] = &[
    run("cm384-910c-4096-256-b96", RunKind::Steady, CLOUDMATRIX, Measured::Tpot(49.4))
        .of("DeepSeek-R1", "160 Ascend 910C, 320 dies", "EP 320, INT8, micro-batches, one draft of which 70 % are accepted; 96 sequences a package, 4,096 tokens in, 256 out")
        .link("v=1&model=deepseek-v3&gpu=custom&peak_bf16=376&peak_fp8=752&hbm=1600&capacity=64&gpus=320&domain=384&scale_up=196&scale_out=25&batch=15360&context=4224&beta=0.9&redundant=64&shared=replicated&dp=320&tp=1&ffn_tp=1&ep=320&w_attn=1&w_ffn=1&kv=1&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&mtp=1&acceptance=0.7")
        .faster()
        .unknown(&[BALANCE])
        .note("A die is half a package: peaks, bandwidth and batch are halves. The abstract has 1,943 tokens/s a package below 50 ms and 538 at 15 ms; the tenths of ms are from a digest of its table."),
    run("cm384-910c-4096-256-b8", RunKind::Steady, CLOUDMATRIX, Measured::Tpot(14.9))
        .of("DeepSeek-R1", "160 Ascend 910C, 320 dies", "EP 320, INT8, micro-batches, one draft of which 70 % are accepted; 8 sequences a package, 4,096 tokens in, 256 out")
        .link("v=1&model=deepseek-v3&gpu=custom&peak_bf16=376&peak_fp8=752&hbm=1600&capacity=64&gpus=320&domain=384&scale_up=196&scale_out=25&batch=1280&context=4224&beta=0.9&redundant=64&shared=replicated&dp=320&tp=1&ffn_tp=1&ep=320&w_attn=1&w_ffn=1&kv=1&act=2&dispatch=1&combine=2&fmt_attn=bf16&fmt_ffn=fp8&mtp=1&acceptance=0.7")
        .faster()
        .unknown(&[BALANCE])
        .note("A die is half a package: peaks, bandwidth and batch are halves. The abstract has 1,943 tokens/s a package below 50 ms and 538 at 15 ms; the tenths of ms are from a digest of its table."),
];
