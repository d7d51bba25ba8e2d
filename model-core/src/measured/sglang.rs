//! SGLang: wide expert parallelism on H100, H200, GB200 and GB300, and Ant Group's on H20.

use crate::source::Source;

use super::{BALANCE, FASTER, Group, Measured, Measurement, ONE, Unknown};

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

/// The rows.
pub const ROWS: &[Measurement] = &[
    Measurement {
        id: "sgl-h100-ep72-2k",
        group: Group::Steady,
        source: LARGE_SCALE_EP,
        model: "DeepSeek-V3",
        hardware: "9×8 H100, InfiniBand",
        run: "EP 72, data-parallel attention, two-batch overlap, experts rebalanced; 256 sequences a GPU, 2,000 tokens in, 100 out",
        measured: Measured::PerGpu(2785.0),
        link: "v=1&model=deepseek-v3&gpu=h100&gpus=72&domain=8&scale_up=450&scale_out=50&batch=18432&context=2050&beta=0.9&redundant=32&shared=replicated&dp=72&tp=1&ffn_tp=1&ep=72",
        choices: FASTER,
        unknown: &[BALANCE],
        note: None,
    },
    Measurement {
        id: "sgl-h100-simmtp-tbo-on",
        group: Group::Steady,
        source: LARGE_SCALE_EP,
        model: "DeepSeek-V3",
        hardware: "9×8 H100, InfiniBand",
        run: "EP 72, two-batch overlap, one simulated draft of which 60 % are accepted; 128 sequences a GPU, 4,000 tokens",
        measured: Measured::PerGpu(2194.0),
        link: "v=1&model=deepseek-v3&gpu=h100&gpus=72&domain=8&scale_up=450&scale_out=50&batch=9216&context=4000&beta=0.9&redundant=32&shared=replicated&dp=72&tp=1&ffn_tp=1&ep=72&mtp=1&acceptance=0.6",
        choices: FASTER,
        unknown: &[BALANCE],
        note: None,
    },
    Measurement {
        id: "sgl-gb200-p2-fp8nvfp4",
        group: Group::Steady,
        source: GB200_PART_2,
        model: "DeepSeek-V3",
        hardware: "48 GB200 of one NVL72",
        run: "EP 48, FP8 attention and cache, NVFP4 experts and dispatch; 1,408 sequences a GPU, 2,000 tokens in, 100 out",
        measured: Measured::PerGpu(13386.0),
        link: "v=1&model=deepseek-v3&gpu=gb200&gpus=48&domain=72&scale_up=900&scale_out=50&batch=67584&context=2050&beta=0.9&redundant=32&shared=replicated&dp=48&tp=1&ffn_tp=1&ep=48&w_attn=1&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none",
        choices: ONE,
        unknown: &[BALANCE],
        note: None,
    },
    Measurement {
        id: "sgl-h200-16gpu-64k-1",
        group: Group::Steady,
        source: MTP_BLOG,
        model: "DeepSeek-V3",
        hardware: "2×8 H200",
        run: "EP 16, data-parallel attention, overlap scheduling; 2 sequences a GPU, 65,536 tokens in, 4,096 out",
        measured: Measured::PerGpu(60.4),
        link: "v=1&model=deepseek-v3&gpu=h200&gpus=16&domain=8&scale_up=450&scale_out=50&batch=32&context=67584&beta=0.9&redundant=0&shared=replicated&dp=16&tp=1&ffn_tp=1&ep=16&overlap=none",
        choices: ONE,
        unknown: &[BALANCE],
        note: None,
    },
    Measurement {
        id: "sgl-h200-16gpu-64k-3",
        group: Group::Steady,
        source: MTP_BLOG,
        model: "DeepSeek-V3",
        hardware: "2×8 H200",
        run: "the same with three drafts, 2.44 tokens accepted a step",
        measured: Measured::PerGpu(82.0),
        link: "v=1&model=deepseek-v3&gpu=h200&gpus=16&domain=8&scale_up=450&scale_out=50&batch=32&context=67584&beta=0.9&redundant=0&shared=replicated&dp=16&tp=1&ffn_tp=1&ep=16&mtp=3&acceptance=0.6755&overlap=none",
        choices: ONE,
        unknown: &[BALANCE],
        note: None,
    },
    Measurement {
        id: "ant-h20-ep16-b32-675",
        group: Group::Steady,
        source: ANT,
        model: "DeepSeek-R1",
        hardware: "2×8 H20 96 GB",
        run: "EP 16, FP8 attention and experts, single-batch overlap, one draft; 32 sequences a GPU, 4,096 tokens in, 1,536 out",
        measured: Measured::PerGpu(675.0),
        link: "v=1&model=deepseek-v3&gpu=h20&gpus=16&domain=8&scale_up=450&scale_out=25&batch=512&context=5078&beta=0.7&redundant=32&shared=replicated&dp=16&tp=1&ffn_tp=1&ep=16&w_attn=1&w_ffn=1&kv=1&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&mtp=1&acceptance=0.85&overlap=none",
        choices: ONE,
        unknown: &[
            Unknown {
                what: "balancedness, only stated to be over 70 %",
                ends: &["beta=0.7", "beta=1"],
            },
            Unknown {
                what: "tokens a step: 1.8 to 1.9",
                ends: &["acceptance=0.8", "acceptance=0.9"],
            },
            Unknown {
                what: "the context, 4.9k to 5.3k in the log",
                ends: &["context=4900", "context=5300"],
            },
        ],
        note: None,
    },
    Measurement {
        id: "ant-h20-ep16-b8-278",
        group: Group::Steady,
        source: ANT,
        model: "DeepSeek-R1",
        hardware: "2×8 H20 96 GB",
        run: "EP 16, FP8 attention and experts, single-batch overlap, one draft; 8 sequences a GPU, 4,096 tokens in, 1,536 out",
        measured: Measured::PerGpu(278.0),
        link: "v=1&model=deepseek-v3&gpu=h20&gpus=16&domain=8&scale_up=450&scale_out=25&batch=128&context=5078&beta=0.7&redundant=32&shared=replicated&dp=16&tp=1&ffn_tp=1&ep=16&w_attn=1&w_ffn=1&kv=1&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&mtp=1&acceptance=0.85&overlap=none",
        choices: ONE,
        unknown: &[
            Unknown {
                what: "balancedness, only stated to be over 70 %",
                ends: &["beta=0.7", "beta=1"],
            },
            Unknown {
                what: "tokens a step: 1.8 to 1.9",
                ends: &["acceptance=0.8", "acceptance=0.9"],
            },
            Unknown {
                what: "the context, 4.9k to 5.3k in the log",
                ends: &["context=4900", "context=5300"],
            },
        ],
        note: None,
    },
    Measurement {
        id: "ant-h20-ep32-b32-585",
        group: Group::Steady,
        source: ANT,
        model: "DeepSeek-R1",
        hardware: "4×8 H20 96 GB",
        run: "EP 32, FP8 attention and experts, single-batch overlap, one draft; 32 sequences a GPU, 4,096 tokens in, 1,536 out",
        measured: Measured::PerGpu(585.0),
        link: "v=1&model=deepseek-v3&gpu=h20&gpus=32&domain=8&scale_up=450&scale_out=25&batch=1024&context=5078&beta=0.7&redundant=32&shared=replicated&dp=32&tp=1&ffn_tp=1&ep=32&w_attn=1&w_ffn=1&kv=1&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&mtp=1&acceptance=0.85&overlap=none",
        choices: ONE,
        unknown: &[
            Unknown {
                what: "balancedness, only stated to be over 70 %",
                ends: &["beta=0.7", "beta=1"],
            },
            Unknown {
                what: "tokens a step: 1.8 to 1.9",
                ends: &["acceptance=0.8", "acceptance=0.9"],
            },
            Unknown {
                what: "the context, 4.9k to 5.3k in the log",
                ends: &["context=4900", "context=5300"],
            },
        ],
        note: None,
    },
    Measurement {
        id: "ant-h20-ep16-b1-43",
        group: Group::Steady,
        source: ANT,
        model: "DeepSeek-R1",
        hardware: "2×8 H20 96 GB",
        run: "EP 16, FP8 attention and experts, single-batch overlap, one draft; 1 sequence a GPU, 4,096 tokens in, 1,536 out",
        measured: Measured::PerGpu(43.0),
        link: "v=1&model=deepseek-v3&gpu=h20&gpus=16&domain=8&scale_up=450&scale_out=25&batch=16&context=5078&beta=0.7&redundant=32&shared=replicated&dp=16&tp=1&ffn_tp=1&ep=16&w_attn=1&w_ffn=1&kv=1&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&mtp=1&acceptance=0.85&overlap=none",
        choices: ONE,
        unknown: &[
            Unknown {
                what: "balancedness, only stated to be over 70 %",
                ends: &["beta=0.7", "beta=1"],
            },
            Unknown {
                what: "tokens a step: 1.8 to 1.9",
                ends: &["acceptance=0.8", "acceptance=0.9"],
            },
            Unknown {
                what: "the context, 4.9k to 5.3k in the log",
                ends: &["context=4900", "context=5300"],
            },
        ],
        note: None,
    },
    Measurement {
        id: "ant-h20-log-b32",
        group: Group::Steady,
        source: ANT_LOG,
        model: "DeepSeek-R1",
        hardware: "2×8 H20 96 GB",
        run: "EP 16, one draft, 1.90 to 1.93 tokens accepted a step; 32 sequences a GPU, 5,078 tokens",
        measured: Measured::PerGpu(674.0),
        link: "v=1&model=deepseek-v3&gpu=h20&gpus=16&domain=8&scale_up=450&scale_out=25&batch=512&context=5078&beta=0.7&redundant=32&shared=replicated&dp=16&tp=1&ffn_tp=1&ep=16&w_attn=1&w_ffn=1&kv=1&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&mtp=1&acceptance=0.915&overlap=none",
        choices: ONE,
        unknown: &[Unknown {
            what: "balancedness, only stated to be over 70 %",
            ends: &["beta=0.7", "beta=1"],
        }],
        note: Some("The middle of 655 to 693 tokens/s of five ranks."),
    },
    Measurement {
        id: "ant-h20-ep16-b1-52",
        group: Group::Uncertain,
        source: ANT,
        model: "DeepSeek-R1",
        hardware: "2×8 H20 96 GB",
        run: "the run with one sequence a GPU and more drafts",
        measured: Measured::PerGpu(52.0),
        link: "v=1&model=deepseek-v3&gpu=h20&gpus=16&domain=8&scale_up=450&scale_out=25&batch=16&context=5078&beta=0.7&redundant=32&shared=replicated&dp=16&tp=1&ffn_tp=1&ep=16&w_attn=1&w_ffn=1&kv=1&act=2&dispatch=1&combine=2&fmt_attn=fp8&fmt_ffn=fp8&mtp=2&acceptance=0.8416&overlap=none",
        choices: ONE,
        unknown: &[
            Unknown {
                what: "how many drafts: two accept 2.4 to 2.7 tokens a step, three 2.9 to 3.3",
                ends: &[
                    "acceptance=0.7845",
                    "acceptance=0.8964",
                    "mtp=3&acceptance=0.832",
                ],
            },
            Unknown {
                what: "balancedness, only stated to be over 70 %",
                ends: &["beta=0.7", "beta=1"],
            },
        ],
        note: Some("The publication gives this run and the one with one draft the same label."),
    },
    Measurement {
        id: "sgl-h200-16gpu-64k-0",
        group: Group::Uncertain,
        source: MTP_BLOG,
        model: "DeepSeek-V3",
        hardware: "2×8 H200",
        run: "EP 16 without overlap scheduling; 2 sequences a GPU, 65,536 tokens in, 4,096 out",
        measured: Measured::PerGpu(51.0),
        link: "v=1&model=deepseek-v3&gpu=h200&gpus=16&domain=8&scale_up=450&scale_out=50&batch=32&context=67584&beta=0.9&redundant=0&shared=replicated&dp=16&tp=1&ffn_tp=1&ep=16&overlap=none&host_us=6100",
        choices: ONE,
        unknown: &[],
        note: Some(
            "The host time of 6.1 ms is the difference of this run and the next: it proves nothing about itself.",
        ),
    },
    Measurement {
        id: "sgl-gb300-128k-max",
        group: Group::Uncertain,
        source: LONG_CONTEXT,
        model: "DeepSeek-R1",
        hardware: "16 GB300 of one NVL72",
        run: "EP 16, NVFP4 experts, FP8 cache; 131,072 tokens in, 8,192 out, prefill elsewhere",
        measured: Measured::PerUser(23.0),
        link: "v=1&model=deepseek-r1&gpu=gb300&gpus=16&domain=72&batch=576&context=135168&beta=0.9&redundant=32&shared=replicated&dp=16&tp=1&ffn_tp=1&ep=16&w_attn=1&w_ffn=0.5&kv=1&act=2&dispatch=0.5&combine=2&fmt_attn=fp8&fmt_ffn=fp4&overlap=none",
        choices: ONE,
        unknown: &[
            Unknown {
                what: "the batch in steady state: 36 a GPU is what fits",
                ends: &["batch=320"],
            },
            BALANCE,
        ],
        note: Some(
            "About 23 tokens/s a user at the largest throughput of a deployment that prefills elsewhere.",
        ),
    },
];
