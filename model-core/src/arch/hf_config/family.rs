//! Table of conventions that a model family's `config.json` files do not state; one row per family.

/// Conventions of a model family, found by `model_type`.
pub(super) struct ConfigFamily {
    /// Values of `model_type` in `config.json` that belong to this family.
    pub model_types: &'static [&'static str],
    pub attention: Heads,
    pub window: Windowed,
    /// Weight matrices per FFN, μ; `None` if the activation function decides.
    pub matrices: Option<u32>,
    pub experts: Experts,
    /// True if input embedding and output head share one matrix by default.
    pub tied: bool,
    /// True if GQA has an output gate unless the file disables it.
    pub gated: bool,
    pub layers: Layers,
}

/// Rules that assign each layer its mixer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layers {
    /// Attention over the whole context or over windows, chosen per layer by a list or a rule in the file.
    Attention,
    /// MLA over tokens selected by an indexer.
    Indexed,
    /// Kimi delta attention layers with MLA layers in between; the MLA layers may have an indexer.
    Kda,
    /// Kimi delta attention, with MLA in the last layer of each group (Ling 3).
    KdaGroups,
    /// Attention over a window plus compressed entries of the context (DeepSeek-V4).
    Compressed,
    /// Gated delta rule layers with GQA layers in between.
    GatedDelta,
    /// Lightning attention layers with GQA layers in between.
    Lightning,
    /// GQA over blocks selected by an indexer (MiniMax-M3).
    Blocks,
    /// Chunked attention layers with full attention layers in between (Llama 4).
    Chunks,
    /// Full attention in every sixth layer, unless the file states another interval; windows elsewhere (Gemma 3).
    Interval,
    /// Windowed layers, plus full-attention layers with a different head shape (Gemma 4).
    Global,
    /// Windowed layers, plus full-attention layers with a different head shape (MiMo).
    Swa,
    /// Windowed layers with a different number of heads than full-attention layers (Step).
    OtherHeads,
    /// Layers that each have either a mixer or an FFN (Nemotron).
    Blocktypes,
    /// Sliding windows in the layers that a list in the file names (Inkling); full attention elsewhere.
    Local,
}

/// Attention fields that the files of a family contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heads {
    /// The file contains the ranks and dimensions of MLA.
    Latent,
    /// The file contains `head_dim`, which need not equal hidden size ÷ heads.
    Stated,
    /// The file contains at least the number of KV heads.
    Grouped,
    /// It is unknown which attention fields the file contains, because the family is unknown.
    Unknown,
}

/// Layers that use a sliding window if the file states only the window's length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Windowed {
    /// Every layer has a window.
    All,
    /// No layer has a window unless `use_sliding_window` is set.
    OnRequest,
    /// All layers have a window except the last layer and every fourth layer before it.
    ButEveryFourth,
    /// Neither the family nor the file determines which layers have a window.
    Unsaid,
}

/// Expert fields that the files of a family contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Experts {
    /// The file describes no experts, or the family is unknown.
    Unsaid,
    /// The file contains `moe_intermediate_size`, the number of shared experts, and the number of leading dense
    /// layers.
    DeepSeek,
    /// The file contains `moe_intermediate_size` and the width of a shared expert.
    SharedWidth,
    /// The file contains `moe_intermediate_size`; there are no shared experts by default.
    OwnWidth,
    /// The file contains `intermediate_size`, which is the width of an expert; there are no shared experts by
    /// default.
    DenseWidth,
    /// Like [`Self::DenseWidth`], plus one shared expert that the file does not mention. `intermediate_size_mlp` is
    /// the width of the dense layers.
    Llama4,
}

const GATED: Option<u32> = Some(3);
const PLAIN: Option<u32> = Some(2);

const fn dense(
    model_types: &'static [&'static str],
    attention: Heads,
    matrices: Option<u32>,
) -> ConfigFamily {
    ConfigFamily {
        model_types,
        attention,
        window: Windowed::Unsaid,
        matrices,
        experts: Experts::Unsaid,
        tied: false,
        gated: false,
        layers: Layers::Attention,
    }
}

/// Returns an MoE family with gated FFNs.
const fn moe(
    model_types: &'static [&'static str],
    attention: Heads,
    experts: Experts,
) -> ConfigFamily {
    ConfigFamily {
        experts,
        ..dense(model_types, attention, GATED)
    }
}

impl ConfigFamily {
    const fn layered(self, layers: Layers) -> Self {
        Self { layers, ..self }
    }

    const fn windowed(self, window: Windowed) -> Self {
        Self { window, ..self }
    }

    const fn gated(self) -> Self {
        Self {
            gated: true,
            ..self
        }
    }

    const fn tied(self) -> Self {
        Self { tied: true, ..self }
    }
}

/// Conventions assumed for a model family that is not in the table.
pub(super) const UNKNOWN: ConfigFamily = dense(&[], Heads::Unknown, None);

/// All known model families. Source: the configuration classes of the Hugging Face `transformers` library.
#[rustfmt::skip]
const FAMILIES: &[ConfigFamily] = &[
    moe(&["deepseek_v2", "deepseek_v3", "kimi_k2", "kimi_k25", "glm4_moe_lite"], Heads::Latent, Experts::DeepSeek),
    moe(&["deepseek_v32", "glm_moe_dsa"], Heads::Latent, Experts::DeepSeek).layered(Layers::Indexed),
    moe(&["kimi_linear", "kimi_k3", "glm5_next", "glm5_next_text"], Heads::Latent, Experts::DeepSeek)
        .layered(Layers::Kda),
    moe(&["deepseek_v4"], Heads::Stated, Experts::OwnWidth).layered(Layers::Compressed),
    moe(&["bailing_hybrid"], Heads::Latent, Experts::DeepSeek).layered(Layers::KdaGroups),
    moe(
        &[
            "qwen3_next", "qwen3_5_moe", "qwen3_5_moe_text", "qwen3_8_flash_next", "qwen3_8_flash_next_text", "qwen4_exp",
            "qwen4_exp_text",
        ],
        Heads::Stated,
        Experts::SharedWidth,
    )
    .layered(Layers::GatedDelta)
    .windowed(Windowed::OnRequest)
    .gated(),
    dense(&["qwen3_5", "qwen3_5_text"], Heads::Stated, GATED).layered(Layers::GatedDelta).gated(),
    dense(&["muse_glimmer", "muse_glimmer_text"], Heads::Stated, GATED).windowed(Windowed::ButEveryFourth).gated(),
    moe(&["laguna"], Heads::Stated, Experts::SharedWidth),
    moe(&["minimax", "minimax_m1", "minimax_text_01", "MiniMaxM1"], Heads::Stated, Experts::DenseWidth)
        .layered(Layers::Lightning),
    moe(&["minimax_m3", "minimax_m3_text"], Heads::Stated, Experts::DenseWidth).layered(Layers::Blocks),
    moe(&["mimo_v2_flash", "mimo_v2", "mimo_v2_pro"], Heads::Stated, Experts::OwnWidth).layered(Layers::Swa),
    moe(&["step3p5", "step3p7", "step3p5_text", "step3p7_text"], Heads::Stated, Experts::OwnWidth)
        .layered(Layers::OtherHeads),
    moe(&["inkling", "inkling_text", "inkling_model"], Heads::Stated, Experts::OwnWidth).layered(Layers::Local),
    dense(&["gemma4", "gemma4_text"], Heads::Stated, GATED).layered(Layers::Global).tied(),
    dense(&["gemma3_text", "gemma3"], Heads::Stated, GATED).layered(Layers::Interval).tied(),
    dense(&["nemotron_h"], Heads::Stated, None).layered(Layers::Blocktypes),
    moe(&["hy_v3", "step3_vl", "step3_text"], Heads::Stated, Experts::OwnWidth),
    moe(&["glm4_moe"], Heads::Stated, Experts::DeepSeek),
    moe(&["qwen3_moe", "qwen3_vl_moe_text", "mellum"], Heads::Stated, Experts::OwnWidth).windowed(Windowed::OnRequest),
    moe(&["qwen2_moe"], Heads::Grouped, Experts::SharedWidth).windowed(Windowed::OnRequest),
    moe(&["mixtral"], Heads::Grouped, Experts::DenseWidth).windowed(Windowed::All),
    moe(&["gpt_oss", "minimax_m2"], Heads::Stated, Experts::DenseWidth),
    moe(&["llama4", "llama4_text"], Heads::Grouped, Experts::Llama4).layered(Layers::Chunks),
    dense(&["qwen3", "qwen3_vl_text"], Heads::Stated, GATED).windowed(Windowed::OnRequest),
    dense(&["qwen2", "mimo"], Heads::Grouped, GATED).windowed(Windowed::OnRequest),
    dense(&["mistral", "phi3"], Heads::Grouped, GATED).windowed(Windowed::All),
    dense(&["starcoder2"], Heads::Grouped, PLAIN).windowed(Windowed::All),
    dense(&["llama", "granite", "olmo", "olmo2", "glm", "glm4"], Heads::Grouped, GATED),
    dense(&["gemma", "gemma2"], Heads::Stated, GATED).tied(),
    dense(&["cohere", "cohere2"], Heads::Grouped, GATED).tied(),
    dense(&["phi", "nemotron"], Heads::Grouped, PLAIN),
];

/// Families whose layers read another layer's KV cache, listed by the start of their `model_type`, each with the
/// reason for refusal. They are refused although their fields could be read.
const SHARED_CACHE: [(&str, &str); 2] = [
    ("deepseek_v41", V41),
    ("gemma3n", "cross-layer KV sharing is not modeled"),
];
/// Reason why DeepSeek-V4.1 is refused: parts of it that Ridgepoint does not model.
const V41: &str = "KV caches and indexer keys shared between layers, prefill that skips the later layers, and \
    Engram tables are not modeled";

impl ConfigFamily {
    /// Returns the family that a `model_type` belongs to; `None` if it is unknown. For a refused family, returns the
    /// reason as an error.
    pub(super) fn of(model_type: &str) -> Result<Option<&'static Self>, &'static str> {
        let refused = SHARED_CACHE
            .iter()
            .find(|(start, _)| model_type.starts_with(start));
        if let Some((_, why)) = refused {
            return Err(why);
        }
        let named = |family: &&Self| family.model_types.contains(&model_type);
        Ok(FAMILIES.iter().find(named))
    }

    /// Returns the model family of a class named in `architectures`, with the family's `model_type`.
    pub(super) fn of_class(class: &str) -> Option<(&'static Self, &'static str)> {
        let (_, model_type) = CLASSES
            .iter()
            .find(|(prefix, _)| class.starts_with(prefix))?;
        let family = Self::of(model_type).ok().flatten()?;
        Some((family, *model_type))
    }

    /// Returns the model family that the fields of the file identify, with the family's `model_type`.
    pub(super) fn of_fields(
        states: impl Fn(&str) -> bool,
    ) -> Option<(&'static Self, &'static str)> {
        let (_, model_type) = FIELDS
            .iter()
            .find(|(names, _)| names.iter().all(|name| states(name)))?;
        let family = Self::of(model_type).ok().flatten()?;
        Some((family, *model_type))
    }
}

/// Prefixes of the class names in `architectures`, each with the `model_type` that it implies.
const CLASSES: &[(&str, &str)] = &[
    ("DeepseekV4", "deepseek_v4"),
    ("DeepseekV32", "deepseek_v32"),
    ("GlmMoeDsa", "glm_moe_dsa"),
    ("Glm5Next", "glm5_next"),
    ("KimiLinear", "kimi_linear"),
    ("KimiK3", "kimi_linear"),
    ("Qwen3Next", "qwen3_next"),
    ("Qwen3_5Moe", "qwen3_5_moe"),
    ("Qwen3_5For", "qwen3_5"),
    ("Qwen3_8FlashNext", "qwen3_8_flash_next"),
    ("Qwen4Exp", "qwen4_exp"),
    ("BailingMoeV3", "bailing_hybrid"),
    ("Laguna", "laguna"),
    ("MuseGlimmer", "muse_glimmer"),
    ("MiniMaxM3", "minimax_m3"),
    ("MiniMaxM1", "minimax_m1"),
    ("MiniMaxText01", "minimax_text_01"),
    ("Llama4", "llama4"),
    ("GptOss", "gpt_oss"),
    ("Gemma3", "gemma3_text"),
    ("Gemma4", "gemma4_text"),
    ("MiMoV2", "mimo_v2_flash"),
    ("Step3p", "step3p5"),
    ("Step3", "step3_text"),
    ("NemotronH", "nemotron_h"),
    ("Inkling", "inkling"),
];

/// Sets of fields that identify a model family, each with the family's `model_type`. The first set that a file
/// contains decides.
const FIELDS: &[(&[&str], &str)] = &[
    (&["compress_ratios"], "deepseek_v4"),
    (&["o_lora_rank"], "deepseek_v4"),
    (&["linear_attn_config", "index_topk"], "glm5_next"),
    (&["index_kpool"], "glm5_next"),
    (&["linear_attn_config"], "kimi_linear"),
    (&["index_topk"], "deepseek_v32"),
    (&["index_n_heads"], "deepseek_v32"),
    (&["indexer_budget"], "qwen3_8_flash_next"),
    (&["linear_num_value_heads", "num_experts"], "qwen3_next"),
    (&["linear_num_value_heads"], "qwen3_5"),
    (&["attn_type_list"], "minimax_m1"),
    (&["sparse_attention_config"], "minimax_m3"),
    (&["intermediate_size_mlp"], "llama4"),
    (&["no_rope_layers", "attention_chunk_size"], "llama4"),
    (&["global_head_dim"], "gemma4_text"),
    (&["hybrid_layer_pattern"], "mimo_v2_flash"),
    (&["swa_num_key_value_heads", "local_layer_ids"], "inkling"),
    (&["local_layer_ids"], "inkling"),
    (&["swa_num_key_value_heads"], "mimo_v2_flash"),
    (&["attention_other_setting"], "step3p5"),
    (&["hybrid_override_pattern"], "nemotron_h"),
    (&["layers_block_type"], "nemotron_h"),
    (&["sliding_window_pattern"], "gemma3_text"),
];
