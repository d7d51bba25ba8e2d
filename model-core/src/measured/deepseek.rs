//! DeepSeek's own decode deployments on H800.

use crate::source::Source;

use super::row::{BALANCE, Measured, Measurement, RunKind, run, unknown};

const PROFILE: Source = Source::new(
    "DeepSeek, profile data",
    "github.com/deepseek-ai/profile-data, README.md at 449602428a1b; its rate in lmsys.org/blog/2025-05-05-large-scale-ep",
);
const OVERVIEW: Source = Source::new(
    "DeepSeek, V3/R1 inference system overview (February 2025)",
    "github.com/deepseek-ai/open-infra-index, 202502OpenSourceWeek/day_6_one_more_thing_deepseekV3R1_inference_system_overview.md at 56d86855fcf6",
);

/// Rows of this file.
#[rustfmt::skip]
pub const ROWS: &[Measurement] = &[
    run("ds-profile-h800-ep128", RunKind::Steady, PROFILE, Measured::PerGpu(2325.0))
        .of("DeepSeek-V3", "16×8 H800", "EP 128, two micro-batches; 128 sequences a GPU, 4,096 tokens, balanced by force")
        .link("v=1&model=deepseek-v3&gpu=h800&gpus=128&domain=8&scale_up=200&scale_out=50&batch=16384&context=4096&beta=1&redundant=0&shared=replicated&dp=128&tp=1&ffn_tp=1&ep=128")
        .faster()
        .unknown(&[unknown("whether drafts were verified in the profiled run", &["mtp=1&acceptance=0.6"])])
        .note("Throughput as SGLang read it from the published trace."),
    run("ds-prod-h800-ep144", RunKind::Steady, OVERVIEW, Measured::PerGpu(1850.0))
        .of("DeepSeek-V3 and R1", "18×8 H800", "EP 144, two micro-batches, 32 redundant experts; 4,989 tokens; a mean over 24 hours")
        .link("v=1&model=deepseek-v3&gpu=h800&gpus=144&domain=8&scale_up=200&scale_out=50&batch=12672&context=4989&beta=0.9&redundant=32&shared=replicated&dp=144&tp=1&ffn_tp=1&ep=144")
        .faster()
        .unknown(&[
            unknown("the batch: 88 a GPU follow from 14,800 tokens/s a node at 20 to 22 tokens/s a user", &["batch=12096", "batch=13320"]),
            BALANCE,
            unknown("whether drafts were verified", &["mtp=1&acceptance=0.85"]),
        ]),
];
