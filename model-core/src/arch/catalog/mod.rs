//! The models Ridgepoint knows, one row each, every row with its source, family by family.
//!
//! A shape that nobody could verify is left out; what a row leaves out or approximates its caveat says.

mod layered;

use super::{Arch, Dense, Ffn, Grouped, Latent, Mixer, Moe};
use crate::precision::Format;
use crate::source::{Source, paper};

/// A row of the catalogue.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry {
    /// The identifier in links.
    pub id: &'static str,
    /// The name people use.
    pub name: &'static str,
    /// The family it is listed under.
    pub family: &'static str,
    /// The shape.
    pub arch: Arch,
    /// Where the shape comes from.
    pub source: Source,
    /// What its authors say it counts.
    pub published: Option<Published>,
    /// The format its weights were released in.
    pub released: Released,
    /// Whether its authors released a head that drafts tokens with it, as its configuration says.
    pub drafts: bool,
    /// What the model leaves out or approximates.
    pub caveat: Option<&'static str>,
}

/// Parameters as published.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Published {
    /// All of them.
    pub total: f64,
    /// Those a token uses.
    pub active: f64,
    /// Where that is said.
    pub source: &'static str,
}

/// The format of released weights; of the experts, where they differ from the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Released {
    /// BF16 throughout.
    Bf16,
    /// BF16, and by the same authors FP8 in blocks.
    Bf16AndFp8,
    /// FP8 in blocks of 128 × 128.
    Fp8,
    /// Experts in MXFP4, the rest BF16.
    Mxfp4,
    /// Experts in MXFP4, the rest FP8 in blocks.
    Mxfp4AndFp8,
    /// Experts in INT4 groups of 32, the rest BF16.
    Int4,
}

impl Released {
    /// The format as people write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bf16 => "BF16",
            Self::Bf16AndFp8 => "BF16 and FP8",
            Self::Fp8 => "FP8",
            Self::Mxfp4 => "BF16, experts MXFP4",
            Self::Mxfp4AndFp8 => "FP8, experts MXFP4",
            Self::Int4 => "BF16, experts INT4",
        }
    }

    /// The format of the narrowest weights, which are the experts' where they differ.
    pub const fn narrowest(self) -> &'static str {
        match self {
            Self::Bf16 => "BF16",
            Self::Bf16AndFp8 | Self::Fp8 => "FP8",
            Self::Mxfp4 | Self::Mxfp4AndFp8 => "MXFP4",
            Self::Int4 => "INT4",
        }
    }

    /// Whether eight bits are what its authors publish, alone or beside wider weights.
    pub const fn has_fp8(self) -> bool {
        matches!(self, Self::Fp8 | Self::Bf16AndFp8)
    }

    /// Bytes per element of the weights outside and inside the experts with their scales, and the format experts
    /// compute in, where the authors publish experts in four bits; `None` where every weight is alike.
    ///
    /// MXFP4 has one byte of scale for 32 elements and computes with eight-bit activations, INT4 two bytes for 32 and
    /// computes in BF16. Sources: OCP Microscaling Formats 1.0, 5.2; `quantization_config` of openai/gpt-oss-120b (mxfp4,
    /// attention, router and embeddings not converted) and of moonshotai/Kimi-K2.5 (pack-quantized, groups of 32). What of a
    /// feed-forward is no routed expert counts like one, because links have one width for all of it.
    pub const fn four_bits(self) -> Option<(f64, f64, Format)> {
        match self {
            Self::Bf16 | Self::Bf16AndFp8 | Self::Fp8 => None,
            Self::Mxfp4 => Some((2.0, 0.5 + 1.0 / 32.0, Format::Fp8)),
            Self::Mxfp4AndFp8 => Some((1.0, 0.5 + 1.0 / 32.0, Format::Fp8)),
            Self::Int4 => Some((2.0, 0.5 + 2.0 / 32.0, Format::Bf16)),
        }
    }
}

/// The row with this identifier.
pub fn find(id: &str) -> Option<&'static Entry> {
    CATALOG.iter().find(|entry| entry.id == id)
}

/// The default model of version-1 links.
pub const DEFAULT: &Entry = &CATALOG[0];

const fn mla(heads: u32) -> Mixer {
    Mixer::Latent(Latent {
        heads,
        q_rank: Some(1536),
        kv_rank: 512,
        head_dim: 128,
        rope_dim: 64,
        value_dim: 128,
        gate: false,
        index: None,
    })
}

const fn gqa(heads: u32, kv_heads: u32, head_dim: u32) -> Mixer {
    Mixer::Grouped(Grouped::new(heads, kv_heads, head_dim))
}

const fn mlp(width: u32, matrices: u32) -> Ffn {
    Ffn::Dense(Dense { width, matrices })
}

const fn experts(count: u32, per_token: u32, shared: u32, width: u32) -> Ffn {
    Ffn::Moe(Moe::new(count, per_token, shared, width))
}

const DEEPSEEK_V3: Arch = Arch::after_dense(
    (7168, 129_280),
    (3, 18_432),
    58,
    mla(128),
    Moe::new(256, 8, 1, 2048),
);
const KIMI_K2: Arch = Arch::after_dense(
    (7168, 163_840),
    (1, 18_432),
    60,
    mla(64),
    Moe::new(384, 8, 1, 2048),
);

const HF: &str = "Hugging Face config.json";
/// Copies of configurations as published, in a repository of NVIDIA.
const AIC: &str = "ai-dynamo/aiconfigurator @095f58a, model_configs";
const TRANSFORMERS: &str = "huggingface/transformers @008e574, src/transformers";
const SGLANG: &str = "sgl-project/sglang @29c1787, python/sglang/srt";
const COPY: &str = "Public copies of config.json";
const RECIPES: &str = "vllm-project/recipes @8959cf6";
const NAME: &str = "its name";

/// Every model.
pub const CATALOG: &[Entry] = &[
    Entry {
        id: "deepseek-v3",
        name: "DeepSeek-V3",
        family: "DeepSeek",
        arch: DEEPSEEK_V3,
        source: Source::new(HF, "deepseek-ai/DeepSeek-V3; [A] Table 1"),
        published: Some(Published {
            total: 671.0e9,
            active: 37.0e9,
            source: RECIPES,
        }),
        released: Released::Fp8,
        drafts: true,
        caveat: Some("Multi-token prediction is left out unless speculation is set."),
    },
    Entry {
        id: "deepseek-r1",
        name: "DeepSeek-R1",
        family: "DeepSeek",
        arch: DEEPSEEK_V3,
        source: Source::new(HF, "deepseek-ai/DeepSeek-R1: the shape of DeepSeek-V3"),
        published: Some(Published {
            total: 671.0e9,
            active: 37.0e9,
            source: RECIPES,
        }),
        released: Released::Fp8,
        drafts: true,
        caveat: Some("Multi-token prediction is left out unless speculation is set."),
    },
    Entry {
        id: "deepseek-v3.2",
        name: "DeepSeek-V3.2",
        family: "DeepSeek",
        arch: layered::DEEPSEEK_V3_2,
        source: Source::new(AIC, "deepseek-ai--DeepSeek-V3.2_config.json"),
        published: Some(Published {
            total: 671.0e9,
            active: 37.0e9,
            source: RECIPES,
        }),
        released: Released::Fp8,
        drafts: true,
        caveat: Some(
            "The 671 B published are those of V3; with its indexers it is 671.9 B. Multi-token prediction is left out unless speculation is set.",
        ),
    },
    Entry {
        id: "deepseek-v4-pro",
        name: "DeepSeek-V4-Pro",
        family: "DeepSeek",
        arch: layered::DEEPSEEK_V4_PRO,
        source: Source::new(AIC, "deepseek-ai--DeepSeek-V4-Pro_config.json"),
        published: Some(Published {
            total: 1600.0e9,
            active: 49.0e9,
            source: RECIPES,
        }),
        released: Released::Mxfp4AndFp8,
        drafts: true,
        caveat: Some(
            "It counts 1,573 B parameters where 1.6 T, a rounded figure, are stated. Its first three layers choose experts by a hash, here by a router. Gates of hyper-connections are left out.",
        ),
    },
    Entry {
        id: "deepseek-v4-flash",
        name: "DeepSeek-V4-Flash",
        family: "DeepSeek",
        arch: layered::DEEPSEEK_V4_FLASH,
        source: Source::new(AIC, "deepseek-ai--DeepSeek-V4-Flash_config.json"),
        published: Some(Published {
            total: 284.0e9,
            active: 13.0e9,
            source: RECIPES,
        }),
        released: Released::Mxfp4AndFp8,
        drafts: true,
        caveat: Some(
            "Its first three layers choose experts by a hash, here by a router. Gates of hyper-connections are left out.",
        ),
    },
    Entry {
        id: "deepseek-v2",
        name: "DeepSeek-V2",
        family: "DeepSeek",
        arch: Arch::after_dense(
            (5120, 102_400),
            (1, 12_288),
            59,
            mla(128),
            Moe::new(160, 6, 2, 1536),
        ),
        source: Source::new(
            "DeepSeek-V3 repository",
            "inference/configs/config_236B.json",
        ),
        published: Some(Published {
            total: 236.0e9,
            active: 21.0e9,
            source: "DeepSeek-V2 report, abstract",
        }),
        released: Released::Bf16,
        drafts: false,
        caveat: None,
    },
    Entry {
        id: "kimi-k2",
        name: "Kimi K2",
        family: "Kimi",
        arch: KIMI_K2,
        source: Source::new(HF, "moonshotai/Kimi-K2-Instruct"),
        published: Some(Published {
            total: 1000.0e9,
            active: 32.0e9,
            source: RECIPES,
        }),
        released: Released::Fp8,
        drafts: false,
        caveat: None,
    },
    Entry {
        id: "kimi-k2.5",
        name: "Kimi K2.5",
        family: "Kimi",
        arch: layered::KIMI_K2_5,
        source: Source::new(AIC, "moonshotai--Kimi-K2.5_config.json"),
        published: Some(Published {
            total: 1000.0e9,
            active: 32.0e9,
            source: RECIPES,
        }),
        released: Released::Int4,
        drafts: false,
        caveat: Some(
            "The language model; K2.6 and K2.7-Code have the same shape. The 1 T published is rounded.",
        ),
    },
    Entry {
        id: "kimi-k3",
        name: "Kimi K3",
        family: "Kimi",
        arch: layered::KIMI_K3,
        source: Source::new(AIC, "moonshotai--Kimi-K3_config.json"),
        published: Some(Published {
            total: 2800.0e9,
            active: 104.0e9,
            source: RECIPES,
        }),
        released: Released::Mxfp4,
        drafts: false,
        caveat: Some("The language model; attention over residuals is left out."),
    },
    Entry {
        id: "kimi-linear-48b",
        name: "Kimi-Linear 48B-A3B",
        family: "Kimi",
        arch: layered::KIMI_LINEAR_48B,
        source: Source::new(
            COPY,
            "moonshotai/Kimi-Linear-48B-A3B-Instruct, two copies that agree",
        ),
        published: Some(Published {
            total: 48.0e9,
            active: 3.0e9,
            source: RECIPES,
        }),
        released: Released::Bf16,
        drafts: false,
        caveat: Some(
            "It counts 49.1 B parameters where 48 B are stated. Its configuration was read in public copies, not at its publisher.",
        ),
    },
    Entry {
        id: "glm-5.2",
        name: "GLM-5.2",
        family: "GLM",
        arch: layered::GLM_5_2,
        source: Source::new(AIC, "zai-org--GLM-5.2_config.json"),
        published: Some(Published {
            total: 743.0e9,
            active: 39.0e9,
            source: RECIPES,
        }),
        released: Released::Bf16AndFp8,
        drafts: true,
        caveat: Some(
            "57 of its layers use the selection of an earlier layer; 40.3 B parameters are active by this count where 39 B are stated.",
        ),
    },
    Entry {
        id: "glm-5",
        name: "GLM-5",
        family: "GLM",
        arch: layered::GLM_5,
        source: Source::new(AIC, "zai-org--GLM-5_config.json"),
        published: Some(Published {
            total: 744.0e9,
            active: 40.0e9,
            source: RECIPES,
        }),
        released: Released::Bf16AndFp8,
        drafts: true,
        caveat: Some("GLM-5.1 has the same shape."),
    },
    Entry {
        id: "glm-4.5",
        name: "GLM-4.5",
        family: "GLM",
        arch: Arch::after_dense(
            (5120, 151_552),
            (3, 12_288),
            89,
            gqa(96, 8, 128),
            Moe::new(160, 8, 1, 1536),
        ),
        source: Source::new(
            "Third-party copies of the GLM-4.5 configuration",
            "no official file was seen",
        ),
        published: Some(Published {
            total: 355.0e9,
            active: 32.0e9,
            source: "GLM-4.5 model card",
        }),
        released: Released::Bf16,
        drafts: true,
        caveat: Some(
            "The shape is from third-party copies; it counts 352.8 B parameters where 355 B are stated.",
        ),
    },
    Entry {
        id: "glm-4.5-air",
        name: "GLM-4.5-Air",
        family: "GLM",
        arch: Arch::after_dense(
            (4096, 151_552),
            (1, 10_944),
            45,
            gqa(96, 8, 128),
            Moe::new(128, 8, 1, 1408),
        ),
        source: Source::new(
            "ms-swift issue with the Glm4MoeConfig of GLM-4.5-Air",
            "configuration dump",
        ),
        published: Some(Published {
            total: 106.0e9,
            active: 12.0e9,
            source: "GLM-4.5 model card",
        }),
        released: Released::Bf16,
        drafts: true,
        caveat: None,
    },
    Entry {
        id: "qwen3.8-2.4t-a95b",
        name: "Qwen3.8-2.4T-A95B",
        family: "Qwen",
        arch: layered::QWEN3_8_2_4T_A95B,
        source: Source::new(COPY, "Qwen/Qwen3.8-2.4T-A95B, four copies that agree"),
        published: Some(Published {
            total: 2400.0e9,
            active: 95.0e9,
            source: RECIPES,
        }),
        released: Released::Bf16AndFp8,
        drafts: false,
        caveat: Some("Its configuration was read in public copies, not at its publisher."),
    },
    Entry {
        id: "qwen3.5-397b-a17b",
        name: "Qwen3.5-397B-A17B",
        family: "Qwen",
        arch: layered::QWEN3_5_397B_A17B,
        source: Source::new(AIC, "Qwen--Qwen3.5-397B-A17B_config.json"),
        published: Some(Published {
            total: 397.0e9,
            active: 17.0e9,
            source: RECIPES,
        }),
        released: Released::Bf16AndFp8,
        drafts: true,
        caveat: Some("The language model."),
    },
    Entry {
        id: "qwen3.5-122b-a10b",
        name: "Qwen3.5-122B-A10B",
        family: "Qwen",
        arch: layered::QWEN3_5_122B_A10B,
        source: Source::new(AIC, "Qwen--Qwen3.5-122B-A10B_config.json"),
        published: Some(Published {
            total: 122.0e9,
            active: 10.0e9,
            source: RECIPES,
        }),
        released: Released::Bf16AndFp8,
        drafts: true,
        caveat: Some("The language model. 9 B active are counted, 9.8 B with the input embedding."),
    },
    Entry {
        id: "qwen3.5-35b-a3b",
        name: "Qwen3.5-35B-A3B",
        family: "Qwen",
        arch: layered::QWEN3_5_35B_A3B,
        source: Source::new(AIC, "Qwen--Qwen3.5-35B-A3B_config.json"),
        published: Some(Published {
            total: 35.0e9,
            active: 3.0e9,
            source: RECIPES,
        }),
        released: Released::Bf16AndFp8,
        drafts: true,
        caveat: Some("The language model; Qwen3.6-35B-A3B has the same shape."),
    },
    Entry {
        id: "qwen3.5-27b",
        name: "Qwen3.5-27B",
        family: "Qwen",
        arch: layered::QWEN3_5_27B,
        source: Source::new(AIC, "Qwen--Qwen3.5-27B_config.json"),
        published: Some(Published {
            total: 27.0e9,
            active: 27.0e9,
            source: RECIPES,
        }),
        released: Released::Bf16AndFp8,
        drafts: true,
        caveat: Some("The language model; Qwen3.6-27B has the same shape."),
    },
    Entry {
        id: "qwen3-next-80b-a3b",
        name: "Qwen3-Next-80B-A3B",
        family: "Qwen",
        arch: layered::QWEN3_NEXT_80B_A3B,
        source: Source::new(
            TRANSFORMERS,
            "models/qwen3_next/configuration_qwen3_next.py, the defaults",
        ),
        published: Some(Published {
            total: 80.0e9,
            active: 3.0e9,
            source: RECIPES,
        }),
        released: Released::Bf16AndFp8,
        drafts: false,
        caveat: Some(
            "Three of four layers keep a state instead of a cache. 3 B active is rounded: 3.6 B are counted.",
        ),
    },
    Entry {
        id: "qwen3-coder-480b-a35b",
        name: "Qwen3-Coder-480B-A35B",
        family: "Qwen",
        arch: layered::QWEN3_CODER_480B_A35B,
        source: Source::new(AIC, "Qwen--Qwen3-Coder-480B-A35B-Instruct_config.json"),
        published: Some(Published {
            total: 480.0e9,
            active: 35.0e9,
            source: RECIPES,
        }),
        released: Released::Bf16,
        drafts: false,
        caveat: None,
    },
    Entry {
        id: "qwen3-235b-a22b",
        name: "Qwen3-235B-A22B",
        family: "Qwen",
        arch: Arch::uniform(4096, 151_936, 94, gqa(64, 4, 128), experts(128, 8, 0, 1536)),
        source: Source::new(HF, "Qwen/Qwen3-235B-A22B"),
        published: Some(Published {
            total: 235.0e9,
            active: 22.0e9,
            source: NAME,
        }),
        released: Released::Bf16AndFp8,
        drafts: false,
        caveat: None,
    },
    Entry {
        id: "qwen3-30b-a3b",
        name: "Qwen3-30B-A3B",
        family: "Qwen",
        arch: Arch::uniform(2048, 151_936, 48, gqa(32, 4, 128), experts(128, 8, 0, 768)),
        source: Source::new(HF, "Qwen/Qwen3-30B-A3B"),
        published: Some(Published {
            total: 30.5e9,
            active: 3.3e9,
            source: "Qwen3 model card",
        }),
        released: Released::Bf16,
        drafts: false,
        caveat: None,
    },
    Entry {
        id: "gpt-oss-120b",
        name: "gpt-oss-120b",
        family: "gpt-oss",
        arch: layered::GPT_OSS_120B,
        source: Source::new(AIC, "openai--gpt-oss-120b_config.json"),
        published: Some(Published {
            total: 116.8e9,
            active: 5.1e9,
            source: "OpenAI model card",
        }),
        released: Released::Mxfp4,
        drafts: false,
        caveat: None,
    },
    Entry {
        id: "gpt-oss-20b",
        name: "gpt-oss-20b",
        family: "gpt-oss",
        arch: layered::GPT_OSS_20B,
        source: Source::new(AIC, "openai--gpt-oss-20b_config.json"),
        published: Some(Published {
            total: 20.9e9,
            active: 3.6e9,
            source: "OpenAI model card",
        }),
        released: Released::Mxfp4,
        drafts: false,
        caveat: None,
    },
    Entry {
        id: "minimax-m3",
        name: "MiniMax-M3",
        family: "MiniMax",
        arch: layered::MINIMAX_M3,
        source: Source::new(
            AIC,
            "MiniMaxAI--MiniMax-M3_config.json, normalised by NVIDIA",
        ),
        published: Some(Published {
            total: 427.0e9,
            active: 26.0e9,
            source: RECIPES,
        }),
        released: Released::Bf16,
        drafts: false,
        caveat: Some("24.7 B active are counted; 26 B and 23 B are both published."),
    },
    Entry {
        id: "minimax-m2.5",
        name: "MiniMax-M2.5",
        family: "MiniMax",
        arch: layered::MINIMAX_M2_5,
        source: Source::new(AIC, "MiniMaxAI--MiniMax-M2.5_config.json"),
        published: Some(Published {
            total: 230.0e9,
            active: 10.0e9,
            source: RECIPES,
        }),
        released: Released::Fp8,
        drafts: false,
        caveat: Some("M2, M2.1 and M2.7 have the same shape."),
    },
    Entry {
        id: "minimax-m2",
        name: "MiniMax-M2",
        family: "MiniMax",
        arch: Arch::uniform(3072, 200_064, 62, gqa(48, 8, 128), experts(256, 8, 0, 1536)),
        source: Source::new(HF, "MiniMaxAI/MiniMax-M2.5"),
        published: Some(Published {
            total: 230.0e9,
            active: 10.0e9,
            source: RECIPES,
        }),
        released: Released::Fp8,
        drafts: false,
        caveat: None,
    },
    Entry {
        id: "minimax-m1",
        name: "MiniMax-M1",
        family: "MiniMax",
        arch: layered::MINIMAX_M1,
        source: Source::new(COPY, "MiniMaxAI/MiniMax-M1-80k"),
        published: Some(Published {
            total: 456.0e9,
            active: 45.9e9,
            source: "MiniMax-Text-01 model card",
        }),
        released: Released::Bf16,
        drafts: false,
        caveat: Some(
            "MiniMax-Text-01 has the same shape. 47.2 B active are counted where 45.9 B are stated. Its configuration was read in public copies, not at its publisher.",
        ),
    },
    Entry {
        id: "llama-4-maverick",
        name: "Llama 4 Maverick",
        family: "Llama",
        arch: layered::LLAMA_4_MAVERICK,
        source: Source::new(
            AIC,
            "meta-llama--Llama-4-Maverick-17B-128E-Instruct_config.json, normalised by NVIDIA",
        ),
        published: Some(Published {
            total: 400.0e9,
            active: 17.0e9,
            source: "Meta model card",
        }),
        released: Released::Bf16,
        drafts: false,
        caveat: Some(
            "The language model. In chunked layers a query meets half a chunk on average.",
        ),
    },
    Entry {
        id: "llama-4-scout",
        name: "Llama 4 Scout",
        family: "Llama",
        arch: layered::LLAMA_4_SCOUT,
        source: Source::new(
            AIC,
            "meta-llama--Llama-4-Scout-17B-16E-Instruct_config.json, normalised by NVIDIA",
        ),
        published: Some(Published {
            total: 109.0e9,
            active: 17.0e9,
            source: RECIPES,
        }),
        released: Released::Bf16,
        drafts: false,
        caveat: Some(
            "The language model; the 109 B published count its vision encoder. In chunked layers a query meets half a chunk on average.",
        ),
    },
    Entry {
        id: "llama-3.1-405b",
        name: "Llama 3.1 405B",
        family: "Llama",
        arch: Arch::uniform(16_384, 128_256, 126, gqa(128, 8, 128), mlp(53_248, 3)),
        source: Source::new(HF, "meta-llama/Meta-Llama-3.1-405B"),
        published: Some(Published {
            total: 405.0e9,
            active: 405.0e9,
            source: NAME,
        }),
        released: Released::Bf16,
        drafts: false,
        caveat: None,
    },
    Entry {
        id: "llama-3-70b",
        name: "Llama 3 70B",
        family: "Llama",
        arch: Arch::uniform(8192, 128_256, 80, gqa(64, 8, 128), mlp(28_672, 3)),
        source: Source::new(HF, "meta-llama/Meta-Llama-3.1-70B"),
        published: Some(Published {
            total: 70.6e9,
            active: 70.6e9,
            source: "Llama 3.1 model card",
        }),
        released: Released::Bf16,
        drafts: false,
        caveat: None,
    },
    Entry {
        id: "llama-65b",
        name: "LLaMA 65B",
        family: "Llama",
        arch: Arch::uniform(8192, 32_000, 80, gqa(64, 64, 128), mlp(22_016, 3)),
        source: Source::new(paper::L, "Table 3"),
        published: Some(Published {
            total: 65.2e9,
            active: 65.2e9,
            source: "LLaMA report, Table 2",
        }),
        released: Released::Bf16,
        drafts: false,
        caveat: Some(
            "Feed-forward width and vocabulary are those of the LLaMA family that give the stated 65.2 B; [L] prints neither.",
        ),
    },
    Entry {
        id: "llama-33b",
        name: "LLaMA 33B",
        family: "Llama",
        arch: Arch::uniform(6656, 32_000, 60, gqa(52, 52, 128), mlp(17_920, 3)),
        source: Source::new(paper::L, "Table 3; widths from the published configuration"),
        published: Some(Published {
            total: 32.5e9,
            active: 32.5e9,
            source: "LLaMA report, Table 2",
        }),
        released: Released::Bf16,
        drafts: false,
        caveat: None,
    },
    Entry {
        id: "mistral-large-3",
        name: "Mistral Large 3 675B",
        family: "Mistral",
        arch: layered::MISTRAL_LARGE_3,
        source: Source::new(
            COPY,
            "mistralai/Mistral-Large-3-675B-Instruct-2512, params.json",
        ),
        published: Some(Published {
            total: 673.0e9,
            active: 39.0e9,
            source: "Mistral AI, the language model of 675 B",
        }),
        released: Released::Fp8,
        drafts: false,
        caveat: Some(
            "The language model without its vision encoder. Its configuration was read in public copies, not at its publisher.",
        ),
    },
    Entry {
        id: "mixtral-8x22b",
        name: "Mixtral 8x22B",
        family: "Mistral",
        arch: Arch::uniform(6144, 32_000, 56, gqa(48, 8, 128), experts(8, 2, 0, 16_384)),
        source: Source::new(HF, "mistralai/Mixtral-8x22B-v0.1"),
        published: Some(Published {
            total: 141.0e9,
            active: 39.0e9,
            source: "Mistral AI, Mixtral 8x22B",
        }),
        released: Released::Bf16,
        drafts: false,
        caveat: None,
    },
    Entry {
        id: "gemma-4-31b",
        name: "Gemma 4 31B",
        family: "Gemma",
        arch: layered::GEMMA_4_31B,
        source: Source::new(AIC, "nvidia--Gemma-4-31B-IT-NVFP4_config.json"),
        published: Some(Published {
            total: 31.0e9,
            active: 31.0e9,
            source: RECIPES,
        }),
        released: Released::Bf16,
        drafts: false,
        caveat: Some("The language model."),
    },
    Entry {
        id: "gemma-4-26b-a4b",
        name: "Gemma 4 26B-A4B",
        family: "Gemma",
        arch: layered::GEMMA_4_26B_A4B,
        source: Source::new(AIC, "google--gemma-4-26B-A4B_config.json"),
        published: Some(Published {
            total: 25.2e9,
            active: 3.8e9,
            source: "Google model card",
        }),
        released: Released::Bf16,
        drafts: false,
        caveat: Some(
            "The language model; the MLP beside its experts is counted as a shared expert.",
        ),
    },
    Entry {
        id: "nemotron-3-ultra-550b-a55b",
        name: "Nemotron 3 Ultra 550B-A55B",
        family: "Nemotron",
        arch: layered::NEMOTRON_3_ULTRA_550B_A55B,
        source: Source::new(
            AIC,
            "nvidia--NVIDIA-Nemotron-3-Ultra-550B-A55B-BF16_config.json",
        ),
        published: Some(Published {
            total: 550.0e9,
            active: 55.0e9,
            source: RECIPES,
        }),
        released: Released::Bf16AndFp8,
        drafts: true,
        caveat: Some("A layer has a mixer or a feed-forward, not both."),
    },
    Entry {
        id: "nemotron-3-super-120b-a12b",
        name: "Nemotron 3 Super 120B-A12B",
        family: "Nemotron",
        arch: layered::NEMOTRON_3_SUPER_120B_A12B,
        source: Source::new(
            AIC,
            "nvidia--NVIDIA-Nemotron-3-Super-120B-A12B-FP8_config.json",
        ),
        published: Some(Published {
            total: 120.0e9,
            active: 12.0e9,
            source: RECIPES,
        }),
        released: Released::Bf16AndFp8,
        drafts: true,
        caveat: Some("A layer has a mixer or a feed-forward, not both."),
    },
    Entry {
        id: "nemotron-3-nano-30b-a3b",
        name: "Nemotron 3 Nano 30B-A3B",
        family: "Nemotron",
        arch: layered::NEMOTRON_3_NANO_30B_A3B,
        source: Source::new(
            AIC,
            "nvidia--NVIDIA-Nemotron-3-Nano-30B-A3B-BF16_config.json",
        ),
        published: Some(Published {
            total: 30.0e9,
            active: 3.0e9,
            source: RECIPES,
        }),
        released: Released::Bf16AndFp8,
        drafts: false,
        caveat: Some(
            "A layer has a mixer or a feed-forward, not both. It counts 31.6 B parameters, 3.2 B active, where 30 B and 3 B are stated.",
        ),
    },
    Entry {
        id: "mimo-v2.5-pro",
        name: "MiMo-V2.5-Pro",
        family: "MiMo",
        arch: layered::MIMO_V2_5_PRO,
        source: Source::new(COPY, "XiaomiMiMo/MiMo-V2.5-Pro, an excerpt and two copies"),
        published: Some(Published {
            total: 1020.0e9,
            active: 42.0e9,
            source: "MiMo-V2.5-Pro-Base README",
        }),
        released: Released::Fp8,
        drafts: false,
        caveat: Some("Its configuration was read in public copies, not at its publisher."),
    },
    Entry {
        id: "mimo-v2-flash",
        name: "MiMo-V2-Flash",
        family: "MiMo",
        arch: layered::MIMO_V2_FLASH,
        source: Source::new(AIC, "XiaomiMiMo--MiMo-V2-Flash_config.json"),
        published: Some(Published {
            total: 309.0e9,
            active: 15.0e9,
            source: RECIPES,
        }),
        released: Released::Fp8,
        drafts: false,
        caveat: None,
    },
    Entry {
        id: "step-3.5-flash",
        name: "Step-3.5-Flash",
        family: "Step",
        arch: layered::STEP_3_5_FLASH,
        source: Source::new(SGLANG, "configs/step3p5.py"),
        published: Some(Published {
            total: 196.0e9,
            active: 11.0e9,
            source: RECIPES,
        }),
        released: Released::Bf16,
        drafts: true,
        caveat: Some("Layers with a window have 96 heads, the others 64."),
    },
    Entry {
        id: "hy3",
        name: "Hy3",
        family: "Hunyuan",
        arch: layered::HY3,
        source: Source::new(COPY, "tencent/Hy3"),
        published: Some(Published {
            total: 295.0e9,
            active: 21.0e9,
            source: RECIPES,
        }),
        released: Released::Bf16,
        drafts: false,
        caveat: Some("Its configuration was read in public copies, not at its publisher."),
    },
    Entry {
        id: "gpt-3-175b",
        name: "GPT-3 175B",
        family: "GPT",
        arch: Arch::uniform(12_288, 50_257, 96, gqa(96, 96, 128), mlp(49_152, 2)),
        source: Source::new(paper::B, "models of the evaluation; shape as OPT-175B"),
        published: Some(Published {
            total: 175.0e9,
            active: 175.0e9,
            source: NAME,
        }),
        released: Released::Bf16,
        drafts: false,
        caveat: Some(
            "The vocabulary (50,257) is that of GPT-2; no source for GPT-3 itself was seen.",
        ),
    },
];
