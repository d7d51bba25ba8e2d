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
}

/// What a file of the family says about its attention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heads {
    /// Ranks and dimensions of latent attention.
    Latent,
    /// Selected tokens besides.
    LatentSparse,
    /// `head_dim`, which is not always hidden/heads.
    Stated,
    /// The same, and a list that tells linear attention from full attention.
    StatedListed,
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
    }
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
    moe(
        &["deepseek_v32", "glm_moe_dsa"],
        Heads::LatentSparse,
        Windowed::Unsaid,
        Experts::DeepSeek,
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
    moe(
        &["minimax"],
        Heads::StatedListed,
        Windowed::Unsaid,
        Experts::DenseWidth,
    ),
    moe(
        &["llama4", "llama4_text"],
        Heads::Grouped,
        Windowed::Unsaid,
        Experts::Llama4,
    ),
    windowed(
        dense(&["qwen3", "qwen3_vl_text"], Heads::Stated, GATED, false),
        Windowed::OnRequest,
    ),
    windowed(
        dense(&["qwen2"], Heads::Grouped, GATED, false),
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
    dense(
        &["gemma", "gemma2", "gemma3_text"],
        Heads::Stated,
        GATED,
        true,
    ),
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
        &["qwen3_next", "qwen3_5", "qwen3_5_text", "qwen3_5_moe"],
        "most of its layers have linear attention, which is not modelled",
    ),
    (
        &["qwen3_5_moe_text", "kimi_linear"],
        "most of its layers have linear attention, which is not modelled",
    ),
    (
        &["minimax_m1", "minimax_text_01", "MiniMaxM1"],
        "most of its layers have linear attention, which is not modelled",
    ),
    (
        &["deepseek_v4"],
        "its attention to compressed tokens is not modelled",
    ),
    (
        &["gemma3n", "gemma3n_text", "gemma4", "gemma4_text"],
        "its layers differ in their attention in ways that are not modelled",
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
}
