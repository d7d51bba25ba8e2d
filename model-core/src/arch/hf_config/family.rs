//! What the families of models leave unsaid in their files, one row each.

/// The conventions of a family, by its `model_type`.
pub(super) struct Family {
    /// The names it goes by.
    pub model_types: &'static [&'static str],
    /// Where its key/value heads and head dimension come from.
    pub attention: Heads,
    /// Which layers have a window when the file gives only its length.
    pub window: Windowed,
    /// Weight matrices of its feed-forward, μ; `None`: by its activation.
    pub matrices: Option<u32>,
    /// Whether its feed-forward is four times as wide as the layers when the file gives no width.
    pub quadruple: bool,
    /// Its experts.
    pub experts: Experts,
    /// Whether input embedding and output head are one matrix unless the file says otherwise.
    pub tied: bool,
    /// Which layers have which mixer.
    pub layers: Layers,
}

/// What decides the mixers of a family's layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layers {
    /// Attention over the whole context or over windows that a list or a rule tells.
    Attention,
    /// Latent attention to tokens that an index selects.
    Indexed,
    /// Kimi delta attention, and latent attention between, with or without an index.
    Kda,
    /// Windows beside compressed entries (DeepSeek-V4).
    Compressed,
    /// The gated delta rule, and grouped attention between.
    GatedDelta,
    /// Lightning attention, and grouped attention between.
    Lightning,
    /// Grouped attention to blocks that an index selects (MiniMax-M3).
    Blocks,
    /// Chunks, and full attention between (Llama 4).
    Chunks,
    /// Every sixth layer full, or as the file says (Gemma 3).
    Interval,
    /// Windows and full layers of another shape (Gemma 4).
    Global,
    /// Windows and full layers of another shape (MiMo).
    Swa,
    /// Windows with heads of their own (Step).
    OtherHeads,
    /// A mixer or a feed-forward in each layer (Nemotron).
    Blocktypes,
    /// Windows in the layers of a list (Inkling).
    Local,
}

/// What a file of the family says about its attention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heads {
    /// Ranks and dimensions of latent attention.
    Latent,
    /// `head_dim`, which is not always hidden/heads.
    Stated,
    /// At least the key/value heads.
    Grouped,
    /// Only heads: each has its own keys and values.
    Multi,
    /// Nothing is known.
    Unknown,
}

/// Layers with a sliding window when the file gives only its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Windowed {
    /// Every layer.
    All,
    /// None unless `use_sliding_window` is set.
    OnRequest,
    /// The file does not say.
    Unsaid,
}

/// What a file of the family says about its experts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Experts {
    /// There are none, or nothing is known.
    Unsaid,
    /// `moe_intermediate_size`, the shared experts by number, and the leading dense layers.
    DeepSeek,
    /// `moe_intermediate_size` and the width of a shared expert.
    SharedWidth,
    /// `moe_intermediate_size`; none is shared unless the file says so.
    OwnWidth,
    /// `intermediate_size` is the width of an expert; none is shared unless the file says so.
    DenseWidth,
    /// As before, with one shared expert the file does not mention, and `intermediate_size_mlp`.
    Llama4,
}

const GATED: Option<u32> = Some(3);
const PLAIN: Option<u32> = Some(2);

const fn dense(
    model_types: &'static [&'static str],
    attention: Heads,
    matrices: Option<u32>,
    tied: bool,
) -> Family {
    Family {
        model_types,
        attention,
        window: Windowed::Unsaid,
        matrices,
        quadruple: false,
        experts: Experts::Unsaid,
        tied,
        layers: Layers::Attention,
    }
}

const fn moe(
    model_types: &'static [&'static str],
    attention: Heads,
    window: Windowed,
    experts: Experts,
) -> Family {
    Family {
        model_types,
        attention,
        window,
        matrices: GATED,
        quadruple: false,
        experts,
        tied: false,
        layers: Layers::Attention,
    }
}

const fn with(layers: Layers, family: Family) -> Family {
    Family { layers, ..family }
}

const fn windowed(family: Family, window: Windowed) -> Family {
    Family { window, ..family }
}

const fn quadruple(family: Family) -> Family {
    Family {
        quadruple: true,
        ..family
    }
}

/// A family that is not in the table.
pub(super) const UNKNOWN: Family = dense(&[], Heads::Unknown, None, false);

/// Source: the configuration classes of the Hugging Face `transformers` library.
const FAMILIES: &[Family] = &[
    moe(
        &[
            "deepseek_v2",
            "deepseek_v3",
            "kimi_k2",
            "kimi_k25",
            "glm4_moe_lite",
        ],
        Heads::Latent,
        Windowed::Unsaid,
        Experts::DeepSeek,
    ),
    with(
        Layers::Indexed,
        moe(
            &["deepseek_v32", "glm_moe_dsa"],
            Heads::Latent,
            Windowed::Unsaid,
            Experts::DeepSeek,
        ),
    ),
    with(
        Layers::Kda,
        moe(
            &["kimi_linear", "kimi_k3", "glm5_next", "glm5_next_text"],
            Heads::Latent,
            Windowed::Unsaid,
            Experts::DeepSeek,
        ),
    ),
    with(
        Layers::Compressed,
        moe(
            &["deepseek_v4"],
            Heads::Stated,
            Windowed::Unsaid,
            Experts::OwnWidth,
        ),
    ),
    with(
        Layers::GatedDelta,
        moe(
            &[
                "qwen3_next",
                "qwen3_5_moe",
                "qwen3_5_moe_text",
                "qwen3_8_flash_next",
                "qwen3_8_flash_next_text",
            ],
            Heads::Stated,
            Windowed::OnRequest,
            Experts::SharedWidth,
        ),
    ),
    with(
        Layers::GatedDelta,
        dense(&["qwen3_5", "qwen3_5_text"], Heads::Stated, GATED, false),
    ),
    with(
        Layers::Lightning,
        moe(
            &["minimax", "minimax_m1", "minimax_text_01", "MiniMaxM1"],
            Heads::Stated,
            Windowed::Unsaid,
            Experts::DenseWidth,
        ),
    ),
    with(
        Layers::Blocks,
        moe(
            &["minimax_m3", "minimax_m3_text"],
            Heads::Stated,
            Windowed::Unsaid,
            Experts::DenseWidth,
        ),
    ),
    with(
        Layers::Swa,
        moe(
            &["mimo_v2_flash", "mimo_v2", "mimo_v2_pro"],
            Heads::Stated,
            Windowed::Unsaid,
            Experts::OwnWidth,
        ),
    ),
    with(
        Layers::OtherHeads,
        moe(
            &["step3p5", "step3p7", "step3p5_text", "step3p7_text"],
            Heads::Stated,
            Windowed::Unsaid,
            Experts::OwnWidth,
        ),
    ),
    with(
        Layers::Local,
        moe(
            &["inkling", "inkling_text", "inkling_model"],
            Heads::Stated,
            Windowed::Unsaid,
            Experts::OwnWidth,
        ),
    ),
    with(
        Layers::Global,
        dense(&["gemma4", "gemma4_text"], Heads::Stated, GATED, true),
    ),
    with(
        Layers::Interval,
        dense(&["gemma3_text", "gemma3"], Heads::Stated, GATED, true),
    ),
    with(
        Layers::Blocktypes,
        dense(&["nemotron_h"], Heads::Stated, None, false),
    ),
    moe(
        &["hy_v3"],
        Heads::Stated,
        Windowed::Unsaid,
        Experts::OwnWidth,
    ),
    moe(
        &["glm4_moe"],
        Heads::Stated,
        Windowed::Unsaid,
        Experts::DeepSeek,
    ),
    moe(
        &["qwen3_moe", "qwen3_vl_moe_text"],
        Heads::Stated,
        Windowed::OnRequest,
        Experts::OwnWidth,
    ),
    moe(
        &["qwen2_moe"],
        Heads::Grouped,
        Windowed::OnRequest,
        Experts::SharedWidth,
    ),
    moe(
        &["mixtral"],
        Heads::Grouped,
        Windowed::All,
        Experts::DenseWidth,
    ),
    moe(
        &["gpt_oss", "minimax_m2"],
        Heads::Stated,
        Windowed::Unsaid,
        Experts::DenseWidth,
    ),
    with(
        Layers::Chunks,
        moe(
            &["llama4", "llama4_text"],
            Heads::Grouped,
            Windowed::Unsaid,
            Experts::Llama4,
        ),
    ),
    windowed(
        dense(&["qwen3", "qwen3_vl_text"], Heads::Stated, GATED, false),
        Windowed::OnRequest,
    ),
    windowed(
        dense(&["qwen2", "mimo"], Heads::Grouped, GATED, false),
        Windowed::OnRequest,
    ),
    windowed(
        dense(&["mistral", "phi3"], Heads::Grouped, GATED, false),
        Windowed::All,
    ),
    windowed(
        dense(&["starcoder2"], Heads::Grouped, PLAIN, false),
        Windowed::All,
    ),
    dense(
        &["llama", "granite", "olmo", "olmo2", "glm", "glm4"],
        Heads::Grouped,
        GATED,
        false,
    ),
    dense(&["gemma", "gemma2"], Heads::Stated, GATED, true),
    dense(&["cohere", "cohere2"], Heads::Grouped, GATED, true),
    quadruple(dense(&["gpt2", "bloom"], Heads::Multi, PLAIN, true)),
    quadruple(dense(&["gptj"], Heads::Multi, PLAIN, false)),
    quadruple(dense(
        &["falcon", "gpt_bigcode"],
        Heads::Grouped,
        PLAIN,
        true,
    )),
    dense(&["opt"], Heads::Multi, PLAIN, true),
    dense(&["gpt_neox"], Heads::Multi, PLAIN, false),
    dense(&["phi", "nemotron"], Heads::Grouped, PLAIN, false),
];

/// Families that are no decoder of the kind modelled here, though their fields could be read as one.
const REFUSED: &[(&[&str], &str)] = &[
    (
        &["bert", "roberta", "xlm-roberta", "albert", "modernbert"],
        "only decoders are modelled",
    ),
    (
        &["deepseek_v41"],
        "layers that read another layer's cache are not modelled",
    ),
    (
        &["gemma3n", "gemma3n_text"],
        "layers that read another layer's cache are not modelled",
    ),
];

impl Family {
    /// The row of a `model_type`; `None` if the family is not known, the reason if it is refused.
    pub(super) fn of(model_type: &str) -> Result<Option<&'static Self>, &'static str> {
        let refused = REFUSED
            .iter()
            .find(|(model_types, _)| model_types.contains(&model_type));
        match refused {
            Some((_, why)) => Err(why),
            None => Ok(FAMILIES
                .iter()
                .find(|family| family.model_types.contains(&model_type))),
        }
    }

    /// The family that a class of `architectures` belongs to, and its `model_type`.
    pub(super) fn of_class(class: &str) -> Option<(&'static Self, &'static str)> {
        let (_, model_type) = CLASSES
            .iter()
            .find(|(prefix, _)| class.starts_with(prefix))?;
        let family = Self::of(model_type).ok().flatten()?;
        Some((family, *model_type))
    }

    /// The family whose fields the file has, and its `model_type`.
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

/// How the classes of a family are named.
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
    ("MiniMaxM3", "minimax_m3"),
    ("MiniMaxM1", "minimax_m1"),
    ("MiniMaxText01", "minimax_text_01"),
    ("Llama4", "llama4"),
    ("GptOss", "gpt_oss"),
    ("Gemma3", "gemma3_text"),
    ("Gemma4", "gemma4_text"),
    ("MiMoV2", "mimo_v2_flash"),
    ("Step3p", "step3p5"),
    ("NemotronH", "nemotron_h"),
    ("Inkling", "inkling"),
];

/// Fields that only one family has.
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
