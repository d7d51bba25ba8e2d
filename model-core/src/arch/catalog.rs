//! The models Ridgepoint knows, one row each, every row with its source.
//!
//! A shape the model cannot express is left out, or carries a caveat that says what is approximated.

use super::{Arch, Attention, Ffn};
use crate::source::{Source, paper};

/// A row of the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The identifier in links.
    pub id: &'static str,
    /// The name people use.
    pub name: &'static str,
    /// The shape.
    pub arch: Arch,
    /// Where the shape comes from.
    pub source: Source,
    /// What the model leaves out or approximates.
    pub caveat: Option<&'static str>,
}

/// The row with this identifier.
pub fn find(id: &str) -> Option<&'static Entry> {
    CATALOG.iter().find(|entry| entry.id == id)
}

/// The default model of version-1 links.
pub const DEFAULT: &Entry = &CATALOG[0];

const fn mla(heads: u32) -> Attention {
    Attention::Latent {
        heads,
        q_rank: Some(1536),
        kv_rank: 512,
        head_dim: 128,
        rope_dim: 64,
        value_dim: 128,
    }
}

const fn gqa(heads: u32, kv_heads: u32, head_dim: u32) -> Attention {
    Attention::Grouped {
        heads,
        kv_heads,
        head_dim,
    }
}

const DEEPSEEK_V3: Arch = Arch {
    hidden: 7168,
    layers: 61,
    vocab: 129_280,
    attention: mla(128),
    ffn: Ffn::Moe {
        dense_layers: 3,
        dense_width: 18_432,
        experts: 256,
        experts_per_token: 8,
        shared_experts: 1,
        expert_width: 2048,
    },
};

const HF: &str = "Hugging Face config.json";

/// Every model.
pub const CATALOG: &[Entry] = &[
    Entry {
        id: "deepseek-v3",
        name: "DeepSeek-V3",
        arch: DEEPSEEK_V3,
        source: Source::new(HF, "deepseek-ai/DeepSeek-V3; [A] Table 1"),
        caveat: Some("Multi-token prediction is left out unless speculation is set."),
    },
    Entry {
        id: "deepseek-r1",
        name: "DeepSeek-R1",
        arch: DEEPSEEK_V3,
        source: Source::new(HF, "deepseek-ai/DeepSeek-R1: the shape of DeepSeek-V3"),
        caveat: Some("Multi-token prediction is left out unless speculation is set."),
    },
    Entry {
        id: "kimi-k2",
        name: "Kimi K2",
        arch: Arch {
            hidden: 7168,
            layers: 61,
            vocab: 163_840,
            attention: mla(64),
            ffn: Ffn::Moe {
                dense_layers: 1,
                dense_width: 18_432,
                experts: 384,
                experts_per_token: 8,
                shared_experts: 1,
                expert_width: 2048,
            },
        },
        source: Source::new(HF, "moonshotai/Kimi-K2-Instruct"),
        caveat: None,
    },
    Entry {
        id: "deepseek-v2",
        name: "DeepSeek-V2",
        arch: Arch {
            hidden: 5120,
            layers: 60,
            vocab: 102_400,
            attention: mla(128),
            ffn: Ffn::Moe {
                dense_layers: 1,
                dense_width: 12_288,
                experts: 160,
                experts_per_token: 6,
                shared_experts: 2,
                expert_width: 1536,
            },
        },
        source: Source::new(
            "DeepSeek-V3 repository",
            "inference/configs/config_236B.json",
        ),
        caveat: None,
    },
    Entry {
        id: "qwen3-235b-a22b",
        name: "Qwen3-235B-A22B",
        arch: Arch {
            hidden: 4096,
            layers: 94,
            vocab: 151_936,
            attention: gqa(64, 4, 128),
            ffn: Ffn::Moe {
                dense_layers: 0,
                dense_width: 12_288,
                experts: 128,
                experts_per_token: 8,
                shared_experts: 0,
                expert_width: 1536,
            },
        },
        source: Source::new(HF, "Qwen/Qwen3-235B-A22B"),
        caveat: None,
    },
    Entry {
        id: "qwen3-30b-a3b",
        name: "Qwen3-30B-A3B",
        arch: Arch {
            hidden: 2048,
            layers: 48,
            vocab: 151_936,
            attention: gqa(32, 4, 128),
            ffn: Ffn::Moe {
                dense_layers: 0,
                dense_width: 6144,
                experts: 128,
                experts_per_token: 8,
                shared_experts: 0,
                expert_width: 768,
            },
        },
        source: Source::new(HF, "Qwen/Qwen3-30B-A3B"),
        caveat: None,
    },
    Entry {
        id: "glm-4.5",
        name: "GLM-4.5",
        arch: Arch {
            hidden: 5120,
            layers: 92,
            vocab: 151_552,
            attention: gqa(96, 8, 128),
            ffn: Ffn::Moe {
                dense_layers: 3,
                dense_width: 12_288,
                experts: 160,
                experts_per_token: 8,
                shared_experts: 1,
                expert_width: 1536,
            },
        },
        source: Source::new(
            "Third-party copies of the GLM-4.5 configuration",
            "no official file was seen",
        ),
        caveat: Some(
            "The shape is from third-party copies; it counts 352.8 B parameters where 355 B are stated.",
        ),
    },
    Entry {
        id: "glm-4.5-air",
        name: "GLM-4.5-Air",
        arch: Arch {
            hidden: 4096,
            layers: 46,
            vocab: 151_552,
            attention: gqa(96, 8, 128),
            ffn: Ffn::Moe {
                dense_layers: 1,
                dense_width: 10_944,
                experts: 128,
                experts_per_token: 8,
                shared_experts: 1,
                expert_width: 1408,
            },
        },
        source: Source::new(
            "ms-swift issue with the Glm4MoeConfig of GLM-4.5-Air",
            "configuration dump",
        ),
        caveat: None,
    },
    Entry {
        id: "gpt-oss-120b",
        name: "gpt-oss-120b",
        arch: Arch {
            hidden: 2880,
            layers: 36,
            vocab: 201_088,
            attention: gqa(64, 8, 64),
            ffn: Ffn::Moe {
                dense_layers: 0,
                dense_width: 2880,
                experts: 128,
                experts_per_token: 4,
                shared_experts: 0,
                expert_width: 2880,
            },
        },
        source: Source::new(HF, "openai/gpt-oss-120b"),
        caveat: Some(
            "Half of its layers attend to a window of 128 tokens; here every layer attends to the whole context, so KV memory and attention time are up to twice too high.",
        ),
    },
    Entry {
        id: "minimax-m2",
        name: "MiniMax-M2",
        arch: Arch {
            hidden: 3072,
            layers: 62,
            vocab: 200_064,
            attention: gqa(48, 8, 128),
            ffn: Ffn::Moe {
                dense_layers: 0,
                dense_width: 1536,
                experts: 256,
                experts_per_token: 8,
                shared_experts: 0,
                expert_width: 1536,
            },
        },
        source: Source::new(HF, "MiniMaxAI/MiniMax-M2.5"),
        caveat: None,
    },
    Entry {
        id: "mixtral-8x22b",
        name: "Mixtral 8x22B",
        arch: Arch {
            hidden: 6144,
            layers: 56,
            vocab: 32_000,
            attention: gqa(48, 8, 128),
            ffn: Ffn::Moe {
                dense_layers: 0,
                dense_width: 16_384,
                experts: 8,
                experts_per_token: 2,
                shared_experts: 0,
                expert_width: 16_384,
            },
        },
        source: Source::new(HF, "mistralai/Mixtral-8x22B-v0.1"),
        caveat: None,
    },
    Entry {
        id: "llama-3.1-405b",
        name: "Llama 3.1 405B",
        arch: Arch {
            hidden: 16_384,
            layers: 126,
            vocab: 128_256,
            attention: gqa(128, 8, 128),
            ffn: Ffn::Dense {
                width: 53_248,
                matrices: 3,
            },
        },
        source: Source::new(HF, "meta-llama/Meta-Llama-3.1-405B"),
        caveat: None,
    },
    Entry {
        id: "llama-3-70b",
        name: "Llama 3 70B",
        arch: Arch {
            hidden: 8192,
            layers: 80,
            vocab: 128_256,
            attention: gqa(64, 8, 128),
            ffn: Ffn::Dense {
                width: 28_672,
                matrices: 3,
            },
        },
        source: Source::new(HF, "meta-llama/Meta-Llama-3.1-70B"),
        caveat: None,
    },
    Entry {
        id: "gpt-3-175b",
        name: "GPT-3 175B",
        arch: Arch {
            hidden: 12_288,
            layers: 96,
            vocab: 50_257,
            attention: gqa(96, 96, 128),
            ffn: Ffn::Dense {
                width: 49_152,
                matrices: 2,
            },
        },
        source: Source::new(paper::B, "models of the evaluation; shape as OPT-175B"),
        caveat: Some(
            "The vocabulary (50,257) is that of GPT-2; no source for GPT-3 itself was seen.",
        ),
    },
    Entry {
        id: "llama-33b",
        name: "LLaMA 33B",
        arch: Arch {
            hidden: 6656,
            layers: 60,
            vocab: 32_000,
            attention: gqa(52, 52, 128),
            ffn: Ffn::Dense {
                width: 17_920,
                matrices: 3,
            },
        },
        source: Source::new(paper::L, "Table 3; widths from the published configuration"),
        caveat: None,
    },
    Entry {
        id: "llama-65b",
        name: "LLaMA 65B",
        arch: Arch {
            hidden: 8192,
            layers: 80,
            vocab: 32_000,
            attention: gqa(64, 64, 128),
            ffn: Ffn::Dense {
                width: 22_016,
                matrices: 3,
            },
        },
        source: Source::new(paper::L, "Table 3"),
        caveat: Some(
            "Feed-forward width and vocabulary are those of the LLaMA family that give the stated 65.2 B; [L] prints neither.",
        ),
    },
];
