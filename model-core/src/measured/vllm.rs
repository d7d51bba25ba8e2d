//! vLLM: wide expert parallelism on H200.

use crate::source::Source;

use super::{BALANCE, FASTER, Group, Measured, Measurement};

const WIDE_EP: Source = Source::new(
    "vLLM, large-scale serving (December 2025)",
    "github.com/vllm-project/vllm-project.github.io, _posts/2025-12-17-large-scale-serving.md at c3a01c4a5807, decode_throughput.png",
);

/// The rows.
pub const ROWS: &[Measurement] = &[
    Measurement {
        id: "vllm-h200-ep32",
        group: Group::Steady,
        source: WIDE_EP,
        model: "DeepSeek-R1",
        hardware: "4×8 H200, InfiniBand",
        run: "EP 32, dual-batch overlap; 256 sequences a GPU, 2,000 tokens in and out",
        measured: Measured::PerGpu(2180.0),
        link: "v=1&model=deepseek-v3&gpu=h200&gpus=32&domain=8&scale_up=450&scale_out=50&batch=8192&context=3000&beta=0.9&redundant=0&shared=replicated&dp=32&tp=1&ffn_tp=1&ep=32",
        choices: FASTER,
        unknown: &[BALANCE],
        note: Some("Read off a bar chart to 20 tokens/s."),
    },
    Measurement {
        id: "vllm-h200-ep96",
        group: Group::Steady,
        source: WIDE_EP,
        model: "DeepSeek-R1",
        hardware: "12×8 H200, InfiniBand",
        run: "EP 96, dual-batch overlap, 32 redundant experts; 256 sequences a GPU, 2,000 tokens in and out",
        measured: Measured::PerGpu(1970.0),
        link: "v=1&model=deepseek-v3&gpu=h200&gpus=96&domain=8&scale_up=450&scale_out=50&batch=24576&context=3000&beta=0.9&redundant=32&shared=replicated&dp=96&tp=1&ffn_tp=1&ep=96",
        choices: FASTER,
        unknown: &[BALANCE],
        note: Some("Read off a bar chart to 20 tokens/s."),
    },
];
