//! SGLang: wide expert parallelism on H100, H200, GB200 and GB300, and Ant Group's on H20.

use crate::source::Source;

use super::row::{BALANCE, Measured, Measurement, RunKind, run, unknown};

const LARGE_SCALE_EP: Source = Source::new(
    "SGLang, large-scale expert parallelism (May 2025)",
    "lmsys.org/blog/2025-05-05-large-scale-ep, decode",
);
const GB200_PART_2: Source = Source::new(
    "SGLang on GB200 NVL72, part 2 (September 2025)",
    "lmsys.org/blog/2025-09-25-gb200-part-2, decode",
);
const MTP_BLOG: Source = Source::new(
    "SGLang, multi-token prediction (July 2025)",
    "lmsys.org/blog/2025-07-17-mtp, two-node decode",
);
const LONG_CONTEXT: Source = Source::new(
    "SGLang on GB300, long context (February 2026)",
    "github.com/lm-sys/lm-sys.github.io, blog/2025-02-19-gb300-longctx.md at 5b8a5044200f",
);
const ANT: Source = Source::new(
    "Ant Group with SGLang on H20 (September 2025)",
    "lmsys.org/blog/2025-09-26-sglang-ant-group, decode",
);
const ANT_LOG: Source = Source::new(
    "SGLang, pull request 11854",
    "github.com/sgl-project/sglang/pull/11854, log lines",
);

/// Rows of this file.
#[rustfmt::skip]
pub const ROWS: &[Measurement] = &[
    run("sgl-h100-ep72-2k", RunKind::Steady, LARGE_SCALE_EP, Measured::PerGpu(2785.0))
        .of("DeepSeek-V3", "9×8 H100, InfiniBand", "EP 72, data-parallel attention, two-batch overlap, experts rebalanced; 256 sequences a GPU, 2,000 tokens in, 100 out")
        .link("v=1&model=deepseek-v3&gpu=h100&gpus=72&domain=8&scale_up=450&scale_out=50&batch=18432&context=2050&beta=0.9&redundant=32&shared=replicated&dp=72&tp=1&ffn_tp=1&ep=72")
        .faster()
        .unknown(&[BALANCE]),
    run("sgl-h100-simmtp-tbo-on", RunKind::Steady, LARGE_SCALE_EP, Measured::PerGpu(2194.0))
        .of("DeepSeek-V3", "9×8 H100, InfiniBand", "EP 72, two-batch overlap, one simulated draft of which 60 % are accepted; 128 sequences a GPU, 4,000 tokens")
        .link("v=1&model=deepseek-v3&gpu=h100&gpus=72&domain=8&scale_up=450&scale_out=50&batch=9216&context=4000&beta=0.9&redundant=32&shared=replicated&dp=72&tp=1&ffn_tp=1&ep=72&mtp=1&acceptance=0.6")
        .faster()
        .unknown(&[BALANCE]),
    run("sgl-gb200-p2-fp8nvfp4", RunKind::Steady, GB200_PART_2, Measured::PerGpu(13386.0))
        .of("DeepSeek-V3", "48 GB200 of one NVL72", "EP 48, FP8 attention and cache, NVFP4 experts and dispatch; 1,408 sequences a GPU, 2,000 tokens in, 100 out")
        .link("v=1&model=deepseek-v3&gpu=gb200&gpus=48&domain=72&scale_up=900&scale_out=50&batch=67584&context=2050&beta=0.9&redundant=32&shared=replicated&dp=48&tp=1&ffn_tp=1&ep=48&w_attn=1&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .unknown(&[BALANCE]),
    run("sgl-h200-16gpu-64k-1", RunKind::Steady, MTP_BLOG, Measured::PerGpu(60.4))
        .of("DeepSeek-V3", "2×8 H200", "EP 16, data-parallel attention, overlap scheduling; 2 sequences a GPU, 65,536 tokens in, 4,096 out")
        .link("v=1&model=deepseek-v3&gpu=h200&gpus=16&domain=8&scale_up=450&scale_out=50&batch=32&context=67584&beta=0.9&redundant=0&shared=replicated&dp=16&tp=1&ffn_tp=1&ep=16&overlap=none")
        .unknown(&[BALANCE]),
    run("sgl-h200-16gpu-64k-3", RunKind::Steady, MTP_BLOG, Measured::PerGpu(82.0))
        .of("DeepSeek-V3", "2×8 H200", "the same with three drafts, 2.44 tokens accepted a step")
        .link("v=1&model=deepseek-v3&gpu=h200&gpus=16&domain=8&scale_up=450&scale_out=50&batch=32&context=67584&beta=0.9&redundant=0&shared=replicated&dp=16&tp=1&ffn_tp=1&ep=16&mtp=3&acceptance=0.6755&overlap=none")
        .unknown(&[BALANCE]),
    run("ant-h20-ep16-b32-675", RunKind::Steady, ANT, Measured::PerGpu(675.0))
        .of("DeepSeek-R1", "2×8 H20 96 GB", "EP 16, FP8 attention and experts, single-batch overlap, one draft; 32 sequences a GPU, 4,096 tokens in, 1,536 out")
        .link("v=1&model=deepseek-v3&gpu=h20&gpus=16&domain=8&scale_up=450&scale_out=25&batch=512&context=5078&beta=0.7&redundant=32&shared=replicated&dp=16&tp=1&ffn_tp=1&ep=16&w_attn=1&w_ffn=1&kv=1&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&mtp=1&acceptance=0.85&overlap=none")
        .unknown(&[
            unknown("balancedness, only stated to be over 70 %", &["beta=0.7", "beta=1"]),
            unknown("tokens a step: 1.8 to 1.9", &["acceptance=0.8", "acceptance=0.9"]),
            unknown("the context, 4.9k to 5.3k in the log", &["context=4900", "context=5300"]),
        ]),
    run("ant-h20-ep16-b8-278", RunKind::Steady, ANT, Measured::PerGpu(278.0))
        .of("DeepSeek-R1", "2×8 H20 96 GB", "EP 16, FP8 attention and experts, single-batch overlap, one draft; 8 sequences a GPU, 4,096 tokens in, 1,536 out")
        .link("v=1&model=deepseek-v3&gpu=h20&gpus=16&domain=8&scale_up=450&scale_out=25&batch=128&context=5078&beta=0.7&redundant=32&shared=replicated&dp=16&tp=1&ffn_tp=1&ep=16&w_attn=1&w_ffn=1&kv=1&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&mtp=1&acceptance=0.85&overlap=none")
        .unknown(&[
            unknown("balancedness, only stated to be over 70 %", &["beta=0.7", "beta=1"]),
            unknown("tokens a step: 1.8 to 1.9", &["acceptance=0.8", "acceptance=0.9"]),
            unknown("the context, 4.9k to 5.3k in the log", &["context=4900", "context=5300"]),
        ]),
    run("ant-h20-ep32-b32-585", RunKind::Steady, ANT, Measured::PerGpu(585.0))
        .of("DeepSeek-R1", "4×8 H20 96 GB", "EP 32, FP8 attention and experts, single-batch overlap, one draft; 32 sequences a GPU, 4,096 tokens in, 1,536 out")
        .link("v=1&model=deepseek-v3&gpu=h20&gpus=32&domain=8&scale_up=450&scale_out=25&batch=1024&context=5078&beta=0.7&redundant=32&shared=replicated&dp=32&tp=1&ffn_tp=1&ep=32&w_attn=1&w_ffn=1&kv=1&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&mtp=1&acceptance=0.85&overlap=none")
        .unknown(&[
            unknown("balancedness, only stated to be over 70 %", &["beta=0.7", "beta=1"]),
            unknown("tokens a step: 1.8 to 1.9", &["acceptance=0.8", "acceptance=0.9"]),
            unknown("the context, 4.9k to 5.3k in the log", &["context=4900", "context=5300"]),
        ]),
    run("ant-h20-ep16-b1-43", RunKind::Steady, ANT, Measured::PerGpu(43.0))
        .of("DeepSeek-R1", "2×8 H20 96 GB", "EP 16, FP8 attention and experts, single-batch overlap, one draft; 1 sequence a GPU, 4,096 tokens in, 1,536 out")
        .link("v=1&model=deepseek-v3&gpu=h20&gpus=16&domain=8&scale_up=450&scale_out=25&batch=16&context=5078&beta=0.7&redundant=32&shared=replicated&dp=16&tp=1&ffn_tp=1&ep=16&w_attn=1&w_ffn=1&kv=1&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&mtp=1&acceptance=0.85&overlap=none")
        .unknown(&[
            unknown("balancedness, only stated to be over 70 %", &["beta=0.7", "beta=1"]),
            unknown("tokens a step: 1.8 to 1.9", &["acceptance=0.8", "acceptance=0.9"]),
            unknown("the context, 4.9k to 5.3k in the log", &["context=4900", "context=5300"]),
        ]),
    run("ant-h20-log-b32", RunKind::Steady, ANT_LOG, Measured::PerGpu(674.0))
        .of("DeepSeek-R1", "2×8 H20 96 GB", "EP 16, one draft, 1.90 to 1.93 tokens accepted a step; 32 sequences a GPU, 5,078 tokens")
        .link("v=1&model=deepseek-v3&gpu=h20&gpus=16&domain=8&scale_up=450&scale_out=25&batch=512&context=5078&beta=0.7&redundant=32&shared=replicated&dp=16&tp=1&ffn_tp=1&ep=16&w_attn=1&w_ffn=1&kv=1&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&mtp=1&acceptance=0.915&overlap=none")
        .unknown(&[unknown("balancedness, only stated to be over 70 %", &["beta=0.7", "beta=1"])])
        .note("The middle of 655 to 693 tokens/s of five ranks."),
    run("ant-h20-ep16-b1-52", RunKind::Uncertain, ANT, Measured::PerGpu(52.0))
        .of("DeepSeek-R1", "2×8 H20 96 GB", "the run with one sequence a GPU and more drafts")
        .link("v=1&model=deepseek-v3&gpu=h20&gpus=16&domain=8&scale_up=450&scale_out=25&batch=16&context=5078&beta=0.7&redundant=32&shared=replicated&dp=16&tp=1&ffn_tp=1&ep=16&w_attn=1&w_ffn=1&kv=1&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&mtp=2&acceptance=0.8416&overlap=none")
        .unknown(&[
            unknown("how many drafts: two accept 2.4 to 2.7 tokens a step, three 2.9 to 3.3", &["acceptance=0.7845", "acceptance=0.8964", "mtp=3&acceptance=0.832"]),
            unknown("balancedness, only stated to be over 70 %", &["beta=0.7", "beta=1"]),
        ])
        .note("The publication gives this run and the one with one draft the same label."),
    run("sgl-h200-16gpu-64k-0", RunKind::Uncertain, MTP_BLOG, Measured::PerGpu(51.0))
        .of("DeepSeek-V3", "2×8 H200", "EP 16 without overlap scheduling; 2 sequences a GPU, 65,536 tokens in, 4,096 out")
        .link("v=1&model=deepseek-v3&gpu=h200&gpus=16&domain=8&scale_up=450&scale_out=50&batch=32&context=67584&beta=0.9&redundant=0&shared=replicated&dp=16&tp=1&ffn_tp=1&ep=16&overlap=none&host_us=6100")
        .note("The host time of 6.1 ms is the difference of this run and the next: it proves nothing about itself."),
    run("sgl-gb300-128k-max", RunKind::Uncertain, LONG_CONTEXT, Measured::PerUser(23.0))
        .of("DeepSeek-R1", "16 GB300 of one NVL72", "EP 16, NVFP4 experts, FP8 cache; 131,072 tokens in, 8,192 out, prefill elsewhere")
        .link("v=1&model=deepseek-r1&gpu=gb300&gpus=16&domain=72&batch=576&context=135168&beta=0.9&redundant=32&shared=replicated&dp=16&tp=1&ffn_tp=1&ep=16&w_attn=1&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none")
        .unknown(&[unknown("the batch in steady state: 36 a GPU is what fits", &["batch=320"]), BALANCE])
        .note("About 23 tokens/s a user at the largest throughput of a deployment that prefills elsewhere."),
];
