//! The catalog of LLMs, grouped by family, with one row and one source per model.
//!
//! Models with unverified shapes are not included. A row's caveat names parts that are omitted or approximated.

mod layered;

use super::{Arch, Dense, Ffn, Grouped, Latent, Mixer, Moe};
use crate::named::same_text;
use crate::precision::{Format, KvLayout};
use crate::source::{Source, paper};

/// One model of the catalog.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry {
    /// Identifier of the model in permalinks.
    pub id: &'static str,
    /// Common name of the model.
    pub name: &'static str,
    /// Model family under which the catalog lists the model.
    pub family: &'static str,
    /// Architecture of the model.
    pub arch: Arch,
    /// Source of the architecture.
    pub source: Source,
    /// Published parameter counts of the model, if any.
    pub published: Option<Published>,
    /// Weight formats in which the model was released.
    pub released: Released,
    /// Image or audio encoder in the checkpoint; `None` for a text-only model.
    pub encoder: Option<Encoder>,
    /// Size of lookup tables (n-grams, Engram), in GiB.
    pub table_gib: f64,
    /// True if deployments of this model with redundant experts were published.
    pub redundant: bool,
    /// True if the model was released with an MTP head, according to its configuration.
    pub drafts: bool,
    /// Note on parts of the model that are omitted or approximated.
    pub caveat: Option<&'static str>,
}

/// An image or audio encoder in a checkpoint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Encoder {
    /// Size of the encoder's weights, in GiB.
    pub gib: f64,
    /// True if engines shard the encoder over TP; otherwise every GPU has a full copy.
    pub sharded: bool,
}

/// Published parameter counts of a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Published {
    /// Total parameters.
    pub total: f64,
    /// Active parameters per token.
    pub active: f64,
    /// Publication that states the parameter counts.
    pub source: &'static str,
}

/// Format of the released weights. If the experts' format differs from that of the other weights, the variant names
/// both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Released {
    /// All weights in BF16.
    Bf16,
    /// Released in BF16 and, by the same authors, in FP8 (block-scaled).
    Bf16AndFp8,
    /// Released in FP8 (block-scaled, used by serving recipes) and, by the same authors, in BF16.
    Fp8AndBf16,
    /// FP8 with one scale per block of 128 × 128.
    Fp8,
    /// Experts in MXFP4, other weights in BF16.
    Mxfp4,
    /// Experts in MXFP4, other weights in FP8 (block-scaled).
    Mxfp4AndFp8,
    /// Experts in INT4 groups of 32, other weights in BF16.
    Int4,
}

/// Bytes per element and compute formats of a checkpoint, by part of the model. Embedding, head, router and norms
/// always have two bytes per element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Checkpoint {
    /// Bytes per element of attention weights and, in an MoE model, of the dense layers.
    pub rest: f64,
    /// Compute format of the attention and dense-layer GEMMs, if the accelerator supports the format. The attention
    /// kernel runs in BF16.
    pub rest_format: Format,
    /// Bytes per element of routed experts or, in a dense model, of the FFN. Scales are included.
    pub experts: f64,
    /// Compute format of the experts, if the accelerator supports [`Checkpoint::ffn_needs`]; otherwise the experts
    /// run in BF16.
    pub ffn_format: Format,
    /// Format that the accelerator must support for the experts to run in [`Checkpoint::ffn_format`] rather than BF16.
    pub ffn_needs: Format,
    /// Layout of the KV cache; `None` means two bytes per element.
    pub cache: Option<KvLayout>,
    /// Expert widths are padded to a multiple of this number of columns.
    pub expert_multiple: u32,
}

impl Released {
    /// Returns the format's display name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bf16 => "BF16",
            Self::Bf16AndFp8 | Self::Fp8AndBf16 => "BF16 and FP8",
            Self::Fp8 => "FP8",
            Self::Mxfp4 => "BF16, experts MXFP4",
            Self::Mxfp4AndFp8 => "FP8, experts MXFP4",
            Self::Int4 => "BF16, experts INT4",
        }
    }

    /// Returns the format of the narrowest weights: the experts' format if it differs from that of the other weights.
    pub const fn narrowest(self) -> &'static str {
        match self {
            Self::Bf16 => "BF16",
            Self::Bf16AndFp8 | Self::Fp8AndBf16 | Self::Fp8 => "FP8",
            Self::Mxfp4 | Self::Mxfp4AndFp8 => "MXFP4",
            Self::Int4 => "INT4",
        }
    }

    /// True if the weights were published in FP8, alone or along with a wider format.
    pub const fn has_fp8(self) -> bool {
        matches!(self, Self::Fp8 | Self::Bf16AndFp8 | Self::Fp8AndBf16)
    }

    /// For experts published in four bits, returns bytes per element outside and inside the experts (scales included),
    /// and the experts' compute format. Returns `None` if all weights have the same format.
    ///
    /// MXFP4 has one scale byte per 32 elements and computes with eight-bit activations. INT4 has two scale bytes per
    /// 32 elements and computes in BF16. Sources: OCP Microscaling Formats 1.0, 5.2; `quantization_config` of
    /// openai/gpt-oss-120b (mxfp4; attention, router and embeddings not converted) and of moonshotai/Kimi-K2.5
    /// (pack-quantized, groups of 32). Other parts of an MoE FFN use the experts' bytes per element, because permalinks
    /// have one value for the whole FFN.
    pub const fn four_bits(self) -> Option<(f64, f64, Format)> {
        match self {
            Self::Bf16 | Self::Bf16AndFp8 | Self::Fp8AndBf16 | Self::Fp8 => None,
            Self::Mxfp4 => Some((2.0, 0.5 + 1.0 / 32.0, Format::Fp8)),
            Self::Mxfp4AndFp8 => Some((1.0, 0.5 + 1.0 / 32.0, Format::Fp8)),
            Self::Int4 => Some((2.0, 0.5 + 2.0 / 32.0, Format::Bf16)),
        }
    }

    /// Returns the checkpoint that engines' recipes serve; if several were released, the one that the variant names
    /// first.
    ///
    /// Scales of block-scaled FP8 (4 bytes per block of 128 × 128) are ignored. MXFP4 experts run with FP8 activations
    /// if the accelerator has an FP4 peak (Blackwell, CDNA 4); on other accelerators, kernels unpack them to 16 bits.
    /// Engines pad MXFP4 experts to multiples of 256 columns. For gpt-oss, 2,880 columns become 3,072, and engines'
    /// start-up logs show 64.38 GiB. Sources: `quantization_config` of each release; vllm-project/recipes @8959cf6.
    pub const fn checkpoint(self) -> Checkpoint {
        let rest = match self {
            Self::Bf16 | Self::Bf16AndFp8 | Self::Mxfp4 | Self::Int4 => 2.0,
            Self::Fp8 | Self::Fp8AndBf16 | Self::Mxfp4AndFp8 => 1.0,
        };
        let rest_format = if rest > 1.0 {
            Format::Bf16
        } else {
            Format::Fp8
        };
        let (experts, ffn_format) = match self.four_bits() {
            Some((_, experts, format)) => (experts, format),
            None => (rest, rest_format),
        };
        let (ffn_needs, expert_multiple) = match self {
            Self::Mxfp4 | Self::Mxfp4AndFp8 => (Format::Fp4, 256),
            _ => (ffn_format, 1),
        };
        Checkpoint {
            rest,
            rest_format,
            experts,
            ffn_format,
            ffn_needs,
            cache: match self {
                Self::Mxfp4AndFp8 => Some(KvLayout::Fp8DsMla),
                _ => None,
            },
            expert_multiple,
        }
    }
}

/// Releases that have the same shape as a catalog row, as pairs of identifiers: (release, row). Each row names the
/// source of its releases.
pub const SAME_SHAPE: [(&str, &str); 14] = [
    ("deepseek-v3.1", "deepseek-v3"),
    ("deepseek-r1-0528", "deepseek-r1"),
    ("kimi-k2.6", "kimi-k2.5"),
    ("kimi-k2.7-code", "kimi-k2.5"),
    ("kimi-k2-thinking", "kimi-k2.5"),
    ("glm-5.1", "glm-5"),
    ("qwen3-coder-next", "qwen3-next-80b-a3b"),
    ("minimax-m2.1", "minimax-m2.5"),
    ("minimax-m2.7", "minimax-m2.5"),
    ("llama-3.1-70b", "llama-3-70b"),
    ("llama-3.3-70b", "llama-3-70b"),
    ("qwen3.6-27b", "qwen3.5-27b"),
    ("qwen3.8-27b", "qwen3.5-27b"),
    ("qwen3.6-35b-a3b", "qwen3.5-35b-a3b"),
];

/// Finds the catalog row with this identifier. If `id` is a release with the shape of another row, finds that row.
pub fn find(id: &str) -> Option<&'static Entry> {
    let row = SAME_SHAPE.iter().find(|(release, _)| *release == id);
    let id = row.map_or(id, |(_, row)| row);
    CATALOG.iter().find(|entry| entry.id == id)
}

/// The default model of version-1 permalinks.
pub const DEFAULT: &Entry = {
    let mut at = 0;
    while !same_text(CATALOG[at].id, "deepseek-v3") {
        at += 1;
    }
    &CATALOG[at]
};

const fn mla(heads: u32) -> Mixer {
    Mixer::Latent(latent(heads))
}

/// Builds MLA with the low-rank dimensions of DeepSeek-V3.
const fn latent(heads: u32) -> Latent {
    Latent {
        heads,
        q_rank: Some(1536),
        kv_rank: 512,
        head_dim: 128,
        rope_dim: 64,
        value_dim: 128,
        gate: false,
        index: None,
    }
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
/// NVIDIA repository with copies of published model configurations.
const AIC: &str = "ai-dynamo/aiconfigurator @095f58a, model_configs";
const TRANSFORMERS: &str = "huggingface/transformers @008e574, src/transformers";
const SGLANG: &str = "sgl-project/sglang @29c1787, python/sglang/srt";
const COPY: &str = "Public copies of config.json";
const RECIPES: &str = "vllm-project/recipes @8959cf6";
const NAME: &str = "model’s name";
const QWEN3_CARD: &str = "Qwen3 model card";

/// Starts a catalog row; its source is added afterward.
const fn row(
    id: &'static str,
    name: &'static str,
    family: &'static str,
    released: Released,
    arch: Arch,
) -> Entry {
    Entry {
        id,
        name,
        family,
        arch,
        source: Source::new("", ""),
        published: None,
        released,
        encoder: None,
        table_gib: 0.0,
        redundant: false,
        drafts: false,
        caveat: None,
    }
}

impl Entry {
    const fn source(mut self, title: &'static str, locator: &'static str) -> Self {
        self.source = Source::new(title, locator);
        self
    }

    const fn published(mut self, total: f64, active: f64, source: &'static str) -> Self {
        self.published = Some(Published {
            total,
            active,
            source,
        });
        self
    }

    const fn drafts(mut self) -> Self {
        self.drafts = true;
        self
    }

    /// Adds an encoder of `gib` GiB that is replicated on every GPU.
    const fn encoder(mut self, gib: f64) -> Self {
        self.encoder = Some(Encoder {
            gib,
            sharded: false,
        });
        self
    }

    const fn sharded_encoder(mut self, gib: f64) -> Self {
        self.encoder = Some(Encoder { gib, sharded: true });
        self
    }

    const fn redundant(mut self) -> Self {
        self.redundant = true;
        self
    }

    const fn caveat(mut self, caveat: &'static str) -> Self {
        self.caveat = Some(caveat);
        self
    }
}

/// Checks at compile time that every row has a source.
const _: () = {
    let mut at = 0;
    while at < CATALOG.len() {
        assert!(!CATALOG[at].source.title.is_empty());
        at += 1;
    }
};

/// All models of the catalog.
#[rustfmt::skip]
pub const CATALOG: &[Entry] = &[
    row("deepseek-v3", "DeepSeek-V3", "DeepSeek", Released::Fp8, DEEPSEEK_V3)
        .source(HF, "deepseek-ai/DeepSeek-V3; [A] Table 1")
        .published(671.0e9, 37.0e9, RECIPES)
        .redundant()
        .drafts()
        .caveat("V3.1 has the same shape. MTP is off unless set."),
    row("deepseek-r1", "DeepSeek-R1", "DeepSeek", Released::Fp8, DEEPSEEK_V3)
        .source(HF, "deepseek-ai/DeepSeek-R1: same shape as DeepSeek-V3")
        .published(671.0e9, 37.0e9, RECIPES)
        .redundant()
        .drafts()
        .caveat("MTP is off unless set."),
    row("deepseek-v3.2", "DeepSeek-V3.2", "DeepSeek", Released::Fp8, layered::DEEPSEEK_V3_2)
        .source(AIC, "deepseek-ai--DeepSeek-V3.2_config.json")
        .published(671.0e9, 37.0e9, RECIPES)
        .redundant()
        .drafts()
        .caveat("The published 671B is V3’s; V3.2 with its indexers has 671.9B. MTP is off unless set."),
    row("deepseek-v4-pro", "DeepSeek-V4-Pro", "DeepSeek", Released::Mxfp4AndFp8, layered::DEEPSEEK_V4_PRO)
        .source(AIC, "deepseek-ai--DeepSeek-V4-Pro_config.json")
        .published(1600.0e9, 49.0e9, RECIPES)
        .drafts()
        .caveat("1,573B parameters here vs. 1.6T published (rounded). Hash routing in the first three layers is modeled as a router. Hyper-connection gates are ignored."),
    row("deepseek-v4-flash", "DeepSeek-V4-Flash", "DeepSeek", Released::Mxfp4AndFp8, layered::DEEPSEEK_V4_FLASH)
        .source(AIC, "deepseek-ai--DeepSeek-V4-Flash_config.json")
        .published(284.0e9, 13.0e9, RECIPES)
        .drafts()
        .caveat("Hash routing in the first three layers is modeled as a router. Hyper-connection gates are ignored."),
    row("deepseek-v2", "DeepSeek-V2", "DeepSeek", Released::Bf16, Arch::after_dense((5120, 102_400), (1, 12_288), 59, mla(128), Moe::new(160, 6, 2, 1536)))
        .source("DeepSeek-V3 repository", "inference/configs/config_236B.json")
        .published(236.0e9, 21.0e9, "DeepSeek-V2 report, abstract"),
    row("kimi-k2", "Kimi K2", "Kimi", Released::Fp8, KIMI_K2)
        .source(HF, "moonshotai/Kimi-K2-Instruct")
        .published(1000.0e9, 32.0e9, RECIPES),
    row("kimi-k2.5", "Kimi K2.5", "Kimi", Released::Int4, KIMI_K2)
        .source(AIC, "moonshotai--Kimi-K2.5_config.json")
        .published(1000.0e9, 32.0e9, RECIPES)
        .encoder(0.85)
        .caveat("Shape of the language model; K2-Thinking, K2.6 and K2.7-Code have the same shape. The published \
            1T is rounded."),
    row("kimi-k3", "Kimi K3", "Kimi", Released::Mxfp4, layered::KIMI_K3)
        .source(AIC, "moonshotai--Kimi-K3_config.json")
        .published(2800.0e9, 104.0e9, RECIPES)
        .caveat("Shape of the language model; attention over residuals is ignored."),
    row("kimi-linear-48b", "Kimi-Linear 48B-A3B", "Kimi", Released::Bf16, layered::KIMI_LINEAR_48B)
        .source(COPY, "moonshotai/Kimi-Linear-48B-A3B-Instruct, two matching copies")
        .published(48.0e9, 3.0e9, RECIPES)
        .caveat("49.1B parameters here vs. 48B published. Config from public copies, not from the publisher."),
    row("glm-5.2", "GLM-5.2", "GLM", Released::Fp8AndBf16, layered::GLM_5_2)
        .source(AIC, "zai-org--GLM-5.2_config.json")
        .published(743.0e9, 39.0e9, RECIPES)
        .drafts()
        .caveat("57 layers reuse an earlier layer’s indexer selection; 40.3B active here vs. 39B published."),
    row("glm-5", "GLM-5", "GLM", Released::Fp8AndBf16, layered::GLM_5)
        .source(AIC, "zai-org--GLM-5_config.json")
        .published(744.0e9, 40.0e9, RECIPES)
        .drafts()
        .caveat("GLM-5.1 has the same shape."),
    row("glm-4.5", "GLM-4.5", "GLM", Released::Bf16, Arch::after_dense((5120, 151_552), (3, 12_288), 89, gqa(96, 8, 128), Moe::new(160, 8, 1, 1536)))
        .source("Third-party copies of the GLM-4.5 configuration", "no official file found")
        .published(355.0e9, 32.0e9, "GLM-4.5 model card")
        .drafts()
        .caveat("The shape is from third-party copies; 352.8B parameters here vs. 355B published."),
    row("glm-4.5-air", "GLM-4.5-Air", "GLM", Released::Bf16, Arch::after_dense((4096, 151_552), (1, 10_944), 45, gqa(96, 8, 128), Moe::new(128, 8, 1, 1408)))
        .source("ms-swift issue with the Glm4MoeConfig of GLM-4.5-Air", "configuration dump")
        .published(106.0e9, 12.0e9, "GLM-4.5 model card")
        .drafts(),
    row("qwen3.8-2.4t-a95b", "Qwen3.8-2.4T-A95B", "Qwen", Released::Bf16AndFp8, layered::QWEN3_8_2_4T_A95B)
        .source(COPY, "Qwen/Qwen3.8-2.4T-A95B, four identical copies of its config")
        .published(2400.0e9, 95.0e9, RECIPES)
        .caveat("Config from public copies, not from the publisher."),
    row("qwen3.5-397b-a17b", "Qwen3.5-397B-A17B", "Qwen", Released::Bf16AndFp8, layered::QWEN3_5_397B_A17B)
        .source(AIC, "Qwen--Qwen3.5-397B-A17B_config.json")
        .published(397.0e9, 17.0e9, RECIPES)
        .sharded_encoder(0.86)
        .drafts()
        .caveat("Shape of the language model."),
    row("qwen3.5-122b-a10b", "Qwen3.5-122B-A10B", "Qwen", Released::Bf16AndFp8, layered::QWEN3_5_122B_A10B)
        .source(AIC, "Qwen--Qwen3.5-122B-A10B_config.json")
        .published(122.0e9, 10.0e9, RECIPES)
        .sharded_encoder(0.86)
        .drafts()
        .caveat("Shape of the language model. 9B active here, or 9.8B with the input embedding."),
    row("qwen3.5-35b-a3b", "Qwen3.5-35B-A3B", "Qwen", Released::Bf16AndFp8, layered::QWEN3_5_35B_A3B)
        .source(AIC, "Qwen--Qwen3.5-35B-A3B_config.json")
        .published(35.0e9, 3.0e9, RECIPES)
        .sharded_encoder(0.86)
        .drafts()
        .caveat("Shape of the language model; Qwen3.6-35B-A3B has the same shape."),
    row("qwen3.5-27b", "Qwen3.5-27B", "Qwen", Released::Bf16AndFp8, layered::QWEN3_5_27B)
        .source(AIC, "Qwen--Qwen3.5-27B_config.json")
        .published(27.0e9, 27.0e9, RECIPES)
        .sharded_encoder(0.86)
        .drafts()
        .caveat("Shape of the language model; Qwen3.6-27B and Qwen3.8-27B have the same shape."),
    row("qwen3-next-80b-a3b", "Qwen3-Next-80B-A3B", "Qwen", Released::Bf16AndFp8, layered::QWEN3_NEXT_80B_A3B)
        .source(TRANSFORMERS, "models/qwen3_next/configuration_qwen3_next.py, the defaults")
        .published(80.0e9, 3.0e9, RECIPES)
        .caveat("Qwen3-Coder-Next has the same shape. Three of four layers have recurrent state instead of a KV cache. 3.6B active here vs. 3B published (rounded)."),
    row("qwen3-coder-480b-a35b", "Qwen3-Coder-480B-A35B", "Qwen", Released::Bf16, layered::QWEN3_CODER_480B_A35B)
        .source(AIC, "Qwen--Qwen3-Coder-480B-A35B-Instruct_config.json")
        .published(480.0e9, 35.0e9, RECIPES),
    row("qwen3-235b-a22b", "Qwen3-235B-A22B", "Qwen", Released::Bf16AndFp8, Arch::uniform(4096, 151_936, 94, gqa(64, 4, 128), experts(128, 8, 0, 1536)))
        .source(HF, "Qwen/Qwen3-235B-A22B")
        .published(235.0e9, 22.0e9, NAME),
    row("qwen3-30b-a3b", "Qwen3-30B-A3B", "Qwen", Released::Bf16, Arch::uniform(2048, 151_936, 48, gqa(32, 4, 128), experts(128, 8, 0, 768)))
        .source(HF, "Qwen/Qwen3-30B-A3B")
        .published(30.5e9, 3.3e9, QWEN3_CARD),
    row("qwen3-32b", "Qwen3-32B", "Qwen", Released::Bf16AndFp8, Arch::uniform(5120, 151_936, 64, gqa(64, 8, 128), mlp(25_600, 3)))
        .source(AIC, "Qwen--Qwen3-32B_config.json")
        .published(32.8e9, 32.8e9, QWEN3_CARD),
    row("qwen3-14b", "Qwen3-14B", "Qwen", Released::Bf16, Arch::uniform(5120, 151_936, 40, gqa(40, 8, 128), mlp(17_408, 3)))
        .source(COPY, "Qwen/Qwen3-14B")
        .published(14.8e9, 14.8e9, QWEN3_CARD),
    row("qwen3-8b", "Qwen3-8B", "Qwen", Released::Bf16, Arch::uniform(4096, 151_936, 36, gqa(32, 8, 128), mlp(12_288, 3)))
        .source(AIC, "Qwen--Qwen3-8B_config.json")
        .published(8.2e9, 8.2e9, QWEN3_CARD),
    row("qwen3-4b", "Qwen3-4B", "Qwen", Released::Bf16AndFp8, Arch::uniform(2560, 151_936, 36, gqa(32, 8, 128), mlp(9728, 3)).with_tied_embedding())
        .source("zyzshishui/slime", "scripts/models/qwen3-4B.sh")
        .published(4.0e9, 4.0e9, QWEN3_CARD),
    row("gpt-oss-120b", "gpt-oss-120b", "gpt-oss", Released::Mxfp4, layered::GPT_OSS_120B)
        .source(AIC, "openai--gpt-oss-120b_config.json")
        .published(116.8e9, 5.1e9, "OpenAI model card"),
    row("gpt-oss-20b", "gpt-oss-20b", "gpt-oss", Released::Mxfp4, layered::GPT_OSS_20B)
        .source(AIC, "openai--gpt-oss-20b_config.json")
        .published(20.9e9, 3.6e9, "OpenAI model card"),
    row("minimax-m3", "MiniMax-M3", "MiniMax", Released::Bf16, layered::MINIMAX_M3)
        .source(AIC, "MiniMaxAI--MiniMax-M3_config.json, normalized by NVIDIA")
        .published(427.0e9, 26.0e9, RECIPES)
        .caveat("24.7B active here; the two published counts are 26B and 23B."),
    row("minimax-m2.5", "MiniMax-M2.5", "MiniMax", Released::Fp8, layered::MINIMAX_M2_5)
        .source(AIC, "MiniMaxAI--MiniMax-M2.5_config.json")
        .published(230.0e9, 10.0e9, RECIPES)
        .caveat("M2, M2.1 and M2.7 have the same shape."),
    row("minimax-m2", "MiniMax-M2", "MiniMax", Released::Fp8, Arch::uniform(3072, 200_064, 62, gqa(48, 8, 128), experts(256, 8, 0, 1536)))
        .source(HF, "MiniMaxAI/MiniMax-M2.5")
        .published(230.0e9, 10.0e9, RECIPES),
    row("minimax-m1", "MiniMax-M1", "MiniMax", Released::Bf16, layered::MINIMAX_M1)
        .source(COPY, "MiniMaxAI/MiniMax-M1-80k")
        .published(456.0e9, 45.9e9, "MiniMax-Text-01 model card")
        .caveat("MiniMax-Text-01 has the same shape. 47.2B active here vs. 45.9B published. Config from public copies, not from the publisher."),
    row("llama-4-maverick", "Llama 4 Maverick", "Llama", Released::Bf16, layered::LLAMA_4_MAVERICK)
        .source(AIC, "meta-llama--Llama-4-Maverick-17B-128E-Instruct_config.json, normalized by NVIDIA")
        .published(400.0e9, 17.0e9, "Meta model card")
        .caveat("Shape of the language model. In chunked layers, a query attends to half a chunk on average."),
    row("llama-4-scout", "Llama 4 Scout", "Llama", Released::Bf16, layered::LLAMA_4_SCOUT)
        .source(AIC, "meta-llama--Llama-4-Scout-17B-16E-Instruct_config.json, normalized by NVIDIA")
        .published(109.0e9, 17.0e9, RECIPES)
        .caveat("Shape of the language model; the published 109B includes its vision encoder. In chunked layers, a \
            query attends to half a chunk on average."),
    row("llama-3.1-405b", "Llama 3.1 405B", "Llama", Released::Bf16, Arch::uniform(16_384, 128_256, 126, gqa(128, 8, 128), mlp(53_248, 3)))
        .source(HF, "meta-llama/Meta-Llama-3.1-405B")
        .published(405.0e9, 405.0e9, NAME),
    row("llama-3-70b", "Llama 3 70B", "Llama", Released::Bf16, Arch::uniform(8192, 128_256, 80, gqa(64, 8, 128), mlp(28_672, 3)))
        .source(HF, "meta-llama/Meta-Llama-3.1-70B")
        .published(70.6e9, 70.6e9, "Llama 3.1 model card"),
    row("llama-3.1-8b", "Llama 3.1 8B", "Llama", Released::Bf16, Arch::uniform(4096, 128_256, 32, gqa(32, 8, 128), mlp(14_336, 3)))
        .source(AIC, "meta-llama--Meta-Llama-3.1-8B_config.json")
        .published(8.03e9, 8.03e9, "Llama 3.1 model card"),
    row("llama-65b", "LLaMA 65B", "Llama", Released::Bf16, Arch::uniform(8192, 32_000, 80, gqa(64, 64, 128), mlp(22_016, 3)))
        .source(paper::L, "Table 3")
        .published(65.2e9, 65.2e9, "LLaMA report, Table 2")
        .caveat("FFN width and vocabulary are those of the LLaMA family and give the published 65.2B; [L] states \
            neither."),
    row("llama-33b", "LLaMA 33B", "Llama", Released::Bf16, Arch::uniform(6656, 32_000, 60, gqa(52, 52, 128), mlp(17_920, 3)))
        .source(paper::L, "Table 3; widths from the published configuration")
        .published(32.5e9, 32.5e9, "LLaMA report, Table 2"),
    row("mistral-large-3", "Mistral Large 3 675B", "Mistral", Released::Fp8, layered::MISTRAL_LARGE_3)
        .source(COPY, "mistralai/Mistral-Large-3-675B-Instruct-2512, params.json")
        .published(673.0e9, 39.0e9, "Mistral AI, the language model of 675 B")
        .caveat("The language model without its vision encoder. Config from public copies, not from the publisher."),
    row("mixtral-8x22b", "Mixtral 8x22B", "Mistral", Released::Bf16, Arch::uniform(6144, 32_000, 56, gqa(48, 8, 128), experts(8, 2, 0, 16_384)))
        .source(HF, "mistralai/Mixtral-8x22B-v0.1")
        .published(141.0e9, 39.0e9, "Mistral AI, Mixtral 8x22B"),
    row("mistral-small-3", "Mistral Small 3.2 24B", "Mistral", Released::Bf16, Arch::uniform(5120, 131_072, 40, gqa(32, 8, 128), mlp(32_768, 3)))
        .source("llm-d-incubation/llm-d-planner", "mistralai/Mistral-Small-3.2-24B-Instruct-2506")
        .encoder(0.82)
        .caveat("Shape of the language model. FFN width is inferred from 44.76 GiB of loaded weights; versions 3.0 \
            and 3.1 have the same shape."),
    row("gemma-3-27b", "Gemma 3 27B", "Gemma", Released::Bf16, layered::GEMMA_3_27B)
        .source(COPY, "google/gemma-3-27b-it, text_config")
        .published(27.0e9, 27.0e9, "Gemma 3 report, Table 1")
        .encoder(0.75)
        .caveat("Shape of the language model; every sixth layer attends to the whole context."),
    row("gemma-4-31b", "Gemma 4 31B", "Gemma", Released::Bf16, layered::GEMMA_4_31B)
        .source(AIC, "nvidia--Gemma-4-31B-IT-NVFP4_config.json")
        .published(31.0e9, 31.0e9, RECIPES)
        .encoder(1.1)
        .caveat("Shape of the language model."),
    row("gemma-4-26b-a4b", "Gemma 4 26B-A4B", "Gemma", Released::Bf16, layered::GEMMA_4_26B_A4B)
        .source(AIC, "google--gemma-4-26B-A4B_config.json")
        .published(25.2e9, 3.8e9, "Google model card")
        .encoder(1.1)
        .caveat("Shape of the language model; the dense MLP next to the experts is counted as a shared expert."),
    row("nemotron-3-ultra-550b-a55b", "Nemotron 3 Ultra 550B-A55B", "Nemotron", Released::Bf16AndFp8, layered::NEMOTRON_3_ULTRA_550B_A55B)
        .source(AIC, "nvidia--NVIDIA-Nemotron-3-Ultra-550B-A55B-BF16_config.json")
        .published(550.0e9, 55.0e9, RECIPES)
        .drafts()
        .caveat("Each layer is either attention/Mamba or FFN, not both."),
    row("nemotron-3-super-120b-a12b", "Nemotron 3 Super 120B-A12B", "Nemotron", Released::Bf16AndFp8, layered::NEMOTRON_3_SUPER_120B_A12B)
        .source(AIC, "nvidia--NVIDIA-Nemotron-3-Super-120B-A12B-FP8_config.json")
        .published(120.0e9, 12.0e9, RECIPES)
        .drafts()
        .caveat("Each layer is either attention/Mamba or FFN, not both."),
    row("nemotron-3-nano-30b-a3b", "Nemotron 3 Nano 30B-A3B", "Nemotron", Released::Bf16AndFp8, layered::NEMOTRON_3_NANO_30B_A3B)
        .source(AIC, "nvidia--NVIDIA-Nemotron-3-Nano-30B-A3B-BF16_config.json")
        .published(30.0e9, 3.0e9, RECIPES)
        .caveat("Each layer is attention/Mamba or FFN, not both. 31.6B total and 3.2B active here vs. 30B and 3B \
            published."),
    row("mimo-v2.5-pro", "MiMo-V2.5-Pro", "MiMo", Released::Fp8, layered::MIMO_V2_5_PRO)
        .source(COPY, "XiaomiMiMo/MiMo-V2.5-Pro, an excerpt and two copies")
        .published(1020.0e9, 42.0e9, "MiMo-V2.5-Pro-Base README")
        .caveat("Config from public copies, not from the publisher."),
    row("mimo-v2-flash", "MiMo-V2-Flash", "MiMo", Released::Fp8, layered::MIMO_V2_FLASH)
        .source(AIC, "XiaomiMiMo--MiMo-V2-Flash_config.json")
        .published(309.0e9, 15.0e9, RECIPES),
    row("step-3", "Step-3", "Step", Released::Bf16AndFp8, layered::STEP_3)
        .source(HF, "stepfun-ai/step3, text_config")
        .published(316.0e9, 38.0e9, "Step-3 model card, the language model")
        .caveat("Shape of the language model; the published 321B includes its vision encoder. Query rank 2,048."),
    row("step-3.5-flash", "Step-3.5-Flash", "Step", Released::Bf16, layered::STEP_3_5_FLASH)
        .source(SGLANG, "configs/step3p5.py")
        .published(196.0e9, 11.0e9, RECIPES)
        .drafts()
        .caveat("Sliding-window layers have 96 heads, other layers 64."),
    row("hy3", "Hy3", "Hunyuan", Released::Bf16, layered::HY3)
        .source(COPY, "tencent/Hy3")
        .published(295.0e9, 21.0e9, RECIPES)
        .caveat("Config from public copies, not from the publisher."),
    row("phi-4", "Phi-4", "Phi", Released::Bf16, Arch::uniform(5120, 100_352, 40, gqa(40, 10, 128), mlp(17_920, 3)))
        .source(COPY, "microsoft/phi-4")
        .published(14.7e9, 14.7e9, "Phi-4 model card"),
    row("gpt-3-175b", "GPT-3 175B", "GPT", Released::Bf16, Arch::uniform(12_288, 50_257, 96, gqa(96, 96, 128), mlp(49_152, 2)))
        .source(paper::B, "models of the evaluation; shape as OPT-175B")
        .published(175.0e9, 175.0e9, NAME)
        .caveat("Vocabulary from GPT-2 (50,257); no source for GPT-3 found."),
];
