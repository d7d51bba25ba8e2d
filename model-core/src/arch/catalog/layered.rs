//! Architectures of models that mix several types of layers; the catalog names their sources.

use super::{experts, gqa, latent, mla, mlp};
use crate::arch::{
    Arch, Compressed, ContextSpan, Ffn, GatedDelta, Grouped, Index, Kda, Latent, Lightning, Mamba2,
    Mixer, Moe,
};

/// Index that marks a layer group without a mixer or without an FFN.
const NONE: usize = usize::MAX;

const fn gated_delta(key_heads: u32, value_heads: u32) -> Mixer {
    Mixer::GatedDelta(GatedDelta {
        key_heads,
        value_heads,
        key_dim: 128,
        value_dim: 128,
        conv: 4,
        state_bytes: 4,
    })
}

const fn kda(heads: u32, full_rank_gate: bool) -> Mixer {
    Mixer::Kda(Kda {
        heads,
        head_dim: 128,
        full_rank_gate,
        full_rank_decay: false,
        conv: 4,
        state_bytes: 4,
    })
}

const fn mamba2(heads: u32, head_dim: u32, groups: u32, state_dim: u32) -> Mixer {
    Mixer::Mamba2(Mamba2 {
        heads,
        head_dim,
        groups,
        state_dim,
        conv: 4,
        state_bytes: 4,
    })
}

/// Builds GQA with an output gate.
const fn gated(heads: u32, kv_heads: u32, head_dim: u32) -> Mixer {
    Mixer::Grouped(Grouped {
        gate: true,
        ..Grouped::new(heads, kv_heads, head_dim)
    })
}

/// Builds GQA that attends to only the part of the context given by `span`.
const fn local(span: ContextSpan, heads: u32, kv_heads: u32, head_dim: u32) -> Mixer {
    Mixer::Grouped(Grouped {
        span,
        ..Grouped::new(heads, kv_heads, head_dim)
    })
}

/// Builds the attention of gpt-oss, which has attention sinks.
const fn sinks(span: ContextSpan) -> Mixer {
    Mixer::Grouped(Grouped {
        span,
        sinks: true,
        ..Grouped::new(64, 8, 64)
    })
}

/// Builds the sparse MLA of GLM-5, which attends to selected tokens. If `shared`, the layer reuses an earlier layer's
/// selection.
const fn glm(shared: bool) -> Mixer {
    Mixer::Latent(Latent {
        q_rank: Some(2048),
        head_dim: 192,
        value_dim: 256,
        index: Some(Index {
            shared,
            ..Index::new(32, 128, 2048)
        }),
        ..latent(64)
    })
}

/// Builds DeepSeek-V4's attention to a sliding window. If `ratio` is set, it also attends to compressed entries of
/// `ratio` tokens each.
const fn compressed(heads: u32, q_rank: u32, out_groups: u32, ratio: Option<u32>) -> Compressed {
    Compressed {
        heads,
        head_dim: 512,
        q_rank,
        window: 128,
        sinks: true,
        out_groups,
        out_rank: 1024,
        ratio,
        overlap: false,
        index: None,
    }
}

/// Builds DeepSeek-V4's attention to a sliding window and to selected compressed entries of four tokens each.
const fn sparse(heads: u32, q_rank: u32, out_groups: u32, top_k: u32) -> Compressed {
    Compressed {
        overlap: true,
        index: Some(Index::new(64, 128, top_k)),
        ..compressed(heads, q_rank, out_groups, Some(4))
    }
}

pub(super) const DEEPSEEK_V3_2: Arch = Arch::of(
    7168,
    129_280,
    &[Mixer::Latent(Latent {
        index: Some(Index::new(64, 128, 2048)),
        ..latent(128)
    })],
    &[mlp(18_432, 3), experts(256, 8, 1, 2048)],
    &[(3, 0, 0), (58, 0, 1)],
);

pub(super) const DEEPSEEK_V4_PRO: Arch = Arch::of(
    7168,
    129_280,
    &[
        Mixer::Compressed(compressed(128, 1536, 16, Some(128))),
        Mixer::Compressed(sparse(128, 1536, 16, 1024)),
    ],
    &[experts(384, 6, 1, 3072)],
    &[(31, 0, 0), (30, 1, 0)],
)
.with_residual_streams(4);

pub(super) const DEEPSEEK_V4_FLASH: Arch = Arch::of(
    4096,
    129_280,
    &[
        Mixer::Compressed(compressed(64, 1024, 8, None)),
        Mixer::Compressed(sparse(64, 1024, 8, 512)),
        Mixer::Compressed(compressed(64, 1024, 8, Some(128))),
    ],
    &[experts(256, 6, 1, 2048)],
    &[(2, 0, 0), (21, 1, 0), (20, 2, 0)],
)
.with_residual_streams(4);

pub(super) const GLM_5: Arch = Arch::of(
    6144,
    154_880,
    &[glm(false)],
    &[mlp(12_288, 3), experts(256, 8, 1, 2048)],
    &[(3, 0, 0), (75, 0, 1)],
);

pub(super) const GLM_5_2: Arch = Arch::of(
    6144,
    154_880,
    &[glm(false), glm(true)],
    &[mlp(12_288, 3), experts(256, 8, 1, 2048)],
    &[(3, 0, 0), (18, 0, 1), (57, 1, 1)],
);

pub(super) const KIMI_K3: Arch = Arch::of(
    7168,
    163_840,
    &[
        kda(96, true),
        Mixer::Latent(Latent {
            gate: true,
            ..latent(96)
        }),
    ],
    &[
        mlp(33_792, 3),
        Ffn::Moe(Moe {
            latent: Some(3584),
            ..Moe::new(896, 16, 2, 3072)
        }),
    ],
    &[(1, 0, 0), (68, 0, 1), (24, 1, 1)],
);

pub(super) const KIMI_LINEAR_48B: Arch = Arch::of(
    2304,
    163_840,
    &[
        kda(32, false),
        Mixer::Latent(Latent {
            q_rank: None,
            ..latent(32)
        }),
    ],
    &[mlp(9216, 3), experts(256, 8, 1, 1024)],
    &[(1, 0, 0), (19, 0, 1), (7, 1, 1)],
);

pub(super) const QWEN3_CODER_480B_A35B: Arch = Arch::of(
    6144,
    151_936,
    &[gqa(96, 8, 128)],
    &[experts(160, 8, 0, 2560)],
    &[(62, 0, 0)],
);

pub(super) const QWEN3_NEXT_80B_A3B: Arch = Arch::of(
    2048,
    151_936,
    &[gated_delta(16, 32), gated(16, 2, 256)],
    &[experts(512, 10, 1, 512)],
    &[(36, 0, 0), (12, 1, 0)],
);

pub(super) const QWEN3_5_397B_A17B: Arch = Arch::of(
    4096,
    248_320,
    &[gated_delta(16, 64), gated(32, 2, 256)],
    &[experts(512, 10, 1, 1024)],
    &[(45, 0, 0), (15, 1, 0)],
);

pub(super) const QWEN3_5_122B_A10B: Arch = Arch::of(
    3072,
    248_320,
    &[gated_delta(16, 64), gated(32, 2, 256)],
    &[experts(256, 8, 1, 1024)],
    &[(36, 0, 0), (12, 1, 0)],
);

pub(super) const QWEN3_5_35B_A3B: Arch = Arch::of(
    2048,
    248_320,
    &[gated_delta(16, 32), gated(16, 2, 256)],
    &[experts(256, 8, 1, 512)],
    &[(30, 0, 0), (10, 1, 0)],
);

pub(super) const QWEN3_5_27B: Arch = Arch::of(
    5120,
    248_320,
    &[gated_delta(16, 48), gated(24, 4, 256)],
    &[mlp(17_408, 3)],
    &[(48, 0, 0), (16, 1, 0)],
);

pub(super) const QWEN3_8_2_4T_A95B: Arch = Arch::of(
    8192,
    248_320,
    &[gated_delta(16, 128), gated(64, 4, 256)],
    &[experts(512, 10, 1, 2048)],
    &[(69, 0, 0), (23, 1, 0)],
);

pub(super) const MINIMAX_M1: Arch = Arch::of(
    6144,
    200_064,
    &[
        Mixer::Lightning(Lightning {
            heads: 64,
            head_dim: 128,
            state_bytes: 4,
        }),
        gqa(64, 8, 128),
    ],
    &[experts(32, 2, 0, 9216)],
    &[(70, 0, 0), (10, 1, 0)],
);

pub(super) const MINIMAX_M2_5: Arch = Arch::of(
    3072,
    200_064,
    &[gqa(48, 8, 128)],
    &[experts(256, 8, 0, 1536)],
    &[(62, 0, 0)],
);

pub(super) const MINIMAX_M3: Arch = Arch::of(
    6144,
    200_064,
    &[
        gqa(64, 4, 128),
        Mixer::Grouped(Grouped {
            span: ContextSpan::Index(Index {
                block: 128,
                per_kv_head: true,
                ..Index::new(4, 128, 2048)
            }),
            ..Grouped::new(64, 4, 128)
        }),
    ],
    &[mlp(12_288, 3), experts(128, 4, 1, 3072)],
    &[(3, 0, 0), (57, 1, 1)],
);

pub(super) const MISTRAL_LARGE_3: Arch = Arch::of(
    7168,
    131_072,
    &[mla(128)],
    &[mlp(16_384, 3), experts(128, 4, 1, 4096)],
    &[(3, 0, 0), (58, 0, 1)],
);

pub(super) const LLAMA_4_MAVERICK: Arch = Arch::of(
    5120,
    202_048,
    &[local(ContextSpan::Chunk(8192), 40, 8, 128), gqa(40, 8, 128)],
    &[mlp(16_384, 3), experts(128, 1, 1, 8192)],
    &[(24, 0, 0), (12, 0, 1), (12, 1, 1)],
);

pub(super) const LLAMA_4_SCOUT: Arch = Arch::of(
    5120,
    202_048,
    &[local(ContextSpan::Chunk(8192), 40, 8, 128), gqa(40, 8, 128)],
    &[experts(16, 1, 1, 8192)],
    &[(36, 0, 0), (12, 1, 0)],
);

pub(super) const GPT_OSS_120B: Arch = Arch::of(
    2880,
    201_088,
    &[sinks(ContextSpan::Window(128)), sinks(ContextSpan::Full)],
    &[experts(128, 4, 0, 2880)],
    &[(18, 0, 0), (18, 1, 0)],
);

pub(super) const GPT_OSS_20B: Arch = Arch::of(
    2880,
    201_088,
    &[sinks(ContextSpan::Window(128)), sinks(ContextSpan::Full)],
    &[experts(32, 4, 0, 2880)],
    &[(12, 0, 0), (12, 1, 0)],
);

pub(super) const GEMMA_3_27B: Arch = Arch::of(
    5376,
    262_208,
    &[
        local(ContextSpan::Window(1024), 32, 16, 128),
        gqa(32, 16, 128),
    ],
    &[mlp(21_504, 3)],
    &[(52, 0, 0), (10, 1, 0)],
)
.with_tied_embedding();

pub(super) const GEMMA_4_26B_A4B: Arch = Arch::of(
    2816,
    262_144,
    &[
        local(ContextSpan::Window(1024), 16, 8, 256),
        Mixer::Grouped(Grouped {
            key_is_value: true,
            ..Grouped::new(16, 2, 512)
        }),
    ],
    &[Ffn::Moe(Moe {
        shared_width: 2112,
        ..Moe::new(128, 8, 1, 704)
    })],
    &[(25, 0, 0), (5, 1, 0)],
)
.with_tied_embedding();

pub(super) const GEMMA_4_31B: Arch = Arch::of(
    5376,
    262_144,
    &[
        local(ContextSpan::Window(1024), 32, 16, 256),
        Mixer::Grouped(Grouped {
            key_is_value: true,
            ..Grouped::new(32, 4, 512)
        }),
    ],
    &[mlp(21_504, 3)],
    &[(50, 0, 0), (10, 1, 0)],
)
.with_tied_embedding();

pub(super) const STEP_3: Arch = Arch::of(
    7168,
    128_815,
    &[Mixer::Grouped(Grouped {
        q_rank: Some(2048),
        ..Grouped::new(64, 1, 256)
    })],
    &[mlp(18_432, 3), experts(48, 3, 1, 5120)],
    &[(5, 0, 0), (56, 0, 1)],
);

pub(super) const MIMO_V2_FLASH: Arch = Arch::of(
    4096,
    152_576,
    &[
        Mixer::Grouped(Grouped {
            value_dim: 128,
            ..Grouped::new(64, 4, 192)
        }),
        Mixer::Grouped(Grouped {
            value_dim: 128,
            span: ContextSpan::Window(128),
            sinks: true,
            ..Grouped::new(64, 8, 192)
        }),
    ],
    &[mlp(16_384, 3), experts(256, 8, 0, 2048)],
    &[(1, 0, 0), (8, 0, 1), (39, 1, 1)],
);

pub(super) const MIMO_V2_5_PRO: Arch = Arch::of(
    6144,
    152_576,
    &[
        Mixer::Grouped(Grouped {
            value_dim: 128,
            ..Grouped::new(128, 8, 192)
        }),
        Mixer::Grouped(Grouped {
            value_dim: 128,
            span: ContextSpan::Window(128),
            sinks: true,
            ..Grouped::new(128, 8, 192)
        }),
    ],
    &[mlp(16_384, 3), experts(384, 8, 0, 2048)],
    &[(1, 0, 0), (9, 0, 1), (60, 1, 1)],
);

pub(super) const STEP_3_5_FLASH: Arch = Arch::of(
    4096,
    128_896,
    &[gqa(64, 8, 128), local(ContextSpan::Window(512), 96, 8, 128)],
    &[mlp(11_264, 3), experts(288, 8, 1, 1280)],
    &[(1, 0, 0), (2, 1, 0), (11, 0, 1), (31, 1, 1)],
);

pub(super) const HY3: Arch = Arch::of(
    4096,
    120_832,
    &[gqa(64, 8, 128)],
    &[mlp(13_312, 3), experts(192, 8, 1, 1536)],
    &[(1, 0, 0), (79, 0, 1)],
);

pub(super) const NEMOTRON_3_NANO_30B_A3B: Arch = Arch::of(
    2688,
    131_072,
    &[mamba2(64, 64, 8, 128), gqa(32, 2, 128)],
    &[Ffn::Moe(Moe {
        shared_width: 3712,
        matrices: 2,
        ..Moe::new(128, 6, 1, 1856)
    })],
    &[(23, 0, NONE), (23, NONE, 0), (6, 1, NONE)],
);

pub(super) const NEMOTRON_3_SUPER_120B_A12B: Arch = Arch::of(
    4096,
    131_072,
    &[mamba2(128, 64, 8, 128), gqa(32, 2, 128)],
    &[Ffn::Moe(Moe {
        shared_width: 5376,
        matrices: 2,
        latent: Some(1024),
        ..Moe::new(512, 22, 1, 2688)
    })],
    &[(40, 0, NONE), (40, NONE, 0), (8, 1, NONE)],
);

pub(super) const NEMOTRON_3_ULTRA_550B_A55B: Arch = Arch::of(
    8192,
    131_072,
    &[mamba2(256, 64, 8, 128), gqa(64, 2, 128)],
    &[Ffn::Moe(Moe {
        shared_width: 10_240,
        matrices: 2,
        latent: Some(2048),
        ..Moe::new(512, 22, 1, 5120)
    })],
    &[(48, 0, NONE), (48, NONE, 0), (12, 1, NONE)],
);
