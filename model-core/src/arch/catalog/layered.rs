//! Shapes of models whose layers differ, one constant each; where they come from says the catalogue.

use crate::arch::{
    Arch, Compressed, Dense, Ffn, GatedDelta, Grouped, Index, Kda, Latent, Lightning, Mamba2,
    Mixer, Moe, Span,
};

/// No mixer, or no feed-forward.
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

/// DeepSeek-V3.2.
pub(super) const DEEPSEEK_V3_2: Arch = Arch::of(
    7168,
    129_280,
    &[Mixer::Latent(Latent {
        heads: 128,
        q_rank: Some(1536),
        kv_rank: 512,
        head_dim: 128,
        rope_dim: 64,
        value_dim: 128,
        gate: false,
        index: Some(Index::new(64, 128, 2048)),
    })],
    &[
        Ffn::Dense(Dense {
            width: 18_432,
            matrices: 3,
        }),
        Ffn::Moe(Moe::new(256, 8, 1, 2048)),
    ],
    &[(3, 0, 0), (58, 0, 1)],
);

/// DeepSeek-V4-Pro.
pub(super) const DEEPSEEK_V4_PRO: Arch = Arch::of(
    7168,
    129_280,
    &[
        Mixer::Compressed(Compressed {
            heads: 128,
            head_dim: 512,
            q_rank: 1536,
            window: 128,
            sinks: true,
            out_groups: 16,
            out_rank: 1024,
            ratio: Some(128),
            overlap: false,
            index: None,
        }),
        Mixer::Compressed(Compressed {
            heads: 128,
            head_dim: 512,
            q_rank: 1536,
            window: 128,
            sinks: true,
            out_groups: 16,
            out_rank: 1024,
            ratio: Some(4),
            overlap: true,
            index: Some(Index::new(64, 128, 1024)),
        }),
    ],
    &[Ffn::Moe(Moe::new(384, 6, 1, 3072))],
    &[(31, 0, 0), (30, 1, 0)],
)
.with_residual_streams(4);

/// DeepSeek-V4-Flash.
pub(super) const DEEPSEEK_V4_FLASH: Arch = Arch::of(
    4096,
    129_280,
    &[
        Mixer::Compressed(Compressed {
            heads: 64,
            head_dim: 512,
            q_rank: 1024,
            window: 128,
            sinks: true,
            out_groups: 8,
            out_rank: 1024,
            ratio: None,
            overlap: false,
            index: None,
        }),
        Mixer::Compressed(Compressed {
            heads: 64,
            head_dim: 512,
            q_rank: 1024,
            window: 128,
            sinks: true,
            out_groups: 8,
            out_rank: 1024,
            ratio: Some(4),
            overlap: true,
            index: Some(Index::new(64, 128, 512)),
        }),
        Mixer::Compressed(Compressed {
            heads: 64,
            head_dim: 512,
            q_rank: 1024,
            window: 128,
            sinks: true,
            out_groups: 8,
            out_rank: 1024,
            ratio: Some(128),
            overlap: false,
            index: None,
        }),
    ],
    &[Ffn::Moe(Moe::new(256, 6, 1, 2048))],
    &[(2, 0, 0), (21, 1, 0), (20, 2, 0)],
)
.with_residual_streams(4);

/// GLM-5.
pub(super) const GLM_5: Arch = Arch::of(
    6144,
    154_880,
    &[Mixer::Latent(Latent {
        heads: 64,
        q_rank: Some(2048),
        kv_rank: 512,
        head_dim: 192,
        rope_dim: 64,
        value_dim: 256,
        gate: false,
        index: Some(Index::new(32, 128, 2048)),
    })],
    &[
        Ffn::Dense(Dense {
            width: 12_288,
            matrices: 3,
        }),
        Ffn::Moe(Moe::new(256, 8, 1, 2048)),
    ],
    &[(3, 0, 0), (75, 0, 1)],
);

/// GLM-5.2.
pub(super) const GLM_5_2: Arch = Arch::of(
    6144,
    154_880,
    &[
        Mixer::Latent(Latent {
            heads: 64,
            q_rank: Some(2048),
            kv_rank: 512,
            head_dim: 192,
            rope_dim: 64,
            value_dim: 256,
            gate: false,
            index: Some(Index::new(32, 128, 2048)),
        }),
        Mixer::Latent(Latent {
            heads: 64,
            q_rank: Some(2048),
            kv_rank: 512,
            head_dim: 192,
            rope_dim: 64,
            value_dim: 256,
            gate: false,
            index: Some(Index {
                shared: true,
                ..Index::new(32, 128, 2048)
            }),
        }),
    ],
    &[
        Ffn::Dense(Dense {
            width: 12_288,
            matrices: 3,
        }),
        Ffn::Moe(Moe::new(256, 8, 1, 2048)),
    ],
    &[(3, 0, 0), (18, 0, 1), (57, 1, 1)],
);

/// Kimi K2.5.
pub(super) const KIMI_K2_5: Arch = Arch::of(
    7168,
    163_840,
    &[Mixer::Latent(Latent {
        heads: 64,
        q_rank: Some(1536),
        kv_rank: 512,
        head_dim: 128,
        rope_dim: 64,
        value_dim: 128,
        gate: false,
        index: None,
    })],
    &[
        Ffn::Dense(Dense {
            width: 18_432,
            matrices: 3,
        }),
        Ffn::Moe(Moe::new(384, 8, 1, 2048)),
    ],
    &[(1, 0, 0), (60, 0, 1)],
);

/// Kimi K3.
pub(super) const KIMI_K3: Arch = Arch::of(
    7168,
    163_840,
    &[
        kda(96, true),
        Mixer::Latent(Latent {
            heads: 96,
            q_rank: Some(1536),
            kv_rank: 512,
            head_dim: 128,
            rope_dim: 64,
            value_dim: 128,
            gate: true,
            index: None,
        }),
    ],
    &[
        Ffn::Dense(Dense {
            width: 33_792,
            matrices: 3,
        }),
        Ffn::Moe(Moe {
            latent: Some(3584),
            ..Moe::new(896, 16, 2, 3072)
        }),
    ],
    &[(1, 0, 0), (68, 0, 1), (24, 1, 1)],
);

/// Kimi-Linear 48B-A3B.
pub(super) const KIMI_LINEAR_48B: Arch = Arch::of(
    2304,
    163_840,
    &[
        kda(32, false),
        Mixer::Latent(Latent {
            heads: 32,
            q_rank: None,
            kv_rank: 512,
            head_dim: 128,
            rope_dim: 64,
            value_dim: 128,
            gate: false,
            index: None,
        }),
    ],
    &[
        Ffn::Dense(Dense {
            width: 9216,
            matrices: 3,
        }),
        Ffn::Moe(Moe::new(256, 8, 1, 1024)),
    ],
    &[(1, 0, 0), (19, 0, 1), (7, 1, 1)],
);

/// Qwen3-Coder-480B-A35B.
pub(super) const QWEN3_CODER_480B_A35B: Arch = Arch::of(
    6144,
    151_936,
    &[Mixer::Grouped(Grouped::new(96, 8, 128))],
    &[Ffn::Moe(Moe::new(160, 8, 0, 2560))],
    &[(62, 0, 0)],
);

/// Qwen3-Next-80B-A3B.
pub(super) const QWEN3_NEXT_80B_A3B: Arch = Arch::of(
    2048,
    151_936,
    &[
        gated_delta(16, 32),
        Mixer::Grouped(Grouped {
            gate: true,
            ..Grouped::new(16, 2, 256)
        }),
    ],
    &[Ffn::Moe(Moe::new(512, 10, 1, 512))],
    &[(36, 0, 0), (12, 1, 0)],
);

/// Qwen3.5-397B-A17B.
pub(super) const QWEN3_5_397B_A17B: Arch = Arch::of(
    4096,
    248_320,
    &[
        gated_delta(16, 64),
        Mixer::Grouped(Grouped {
            gate: true,
            ..Grouped::new(32, 2, 256)
        }),
    ],
    &[Ffn::Moe(Moe::new(512, 10, 1, 1024))],
    &[(45, 0, 0), (15, 1, 0)],
);

/// Qwen3.5-122B-A10B.
pub(super) const QWEN3_5_122B_A10B: Arch = Arch::of(
    3072,
    248_320,
    &[
        gated_delta(16, 64),
        Mixer::Grouped(Grouped {
            gate: true,
            ..Grouped::new(32, 2, 256)
        }),
    ],
    &[Ffn::Moe(Moe::new(256, 8, 1, 1024))],
    &[(36, 0, 0), (12, 1, 0)],
);

/// Qwen3.5-35B-A3B.
pub(super) const QWEN3_5_35B_A3B: Arch = Arch::of(
    2048,
    248_320,
    &[
        gated_delta(16, 32),
        Mixer::Grouped(Grouped {
            gate: true,
            ..Grouped::new(16, 2, 256)
        }),
    ],
    &[Ffn::Moe(Moe::new(256, 8, 1, 512))],
    &[(30, 0, 0), (10, 1, 0)],
);

/// Qwen3.5-27B.
pub(super) const QWEN3_5_27B: Arch = Arch::of(
    5120,
    248_320,
    &[
        gated_delta(16, 48),
        Mixer::Grouped(Grouped {
            gate: true,
            ..Grouped::new(24, 4, 256)
        }),
    ],
    &[Ffn::Dense(Dense {
        width: 17_408,
        matrices: 3,
    })],
    &[(48, 0, 0), (16, 1, 0)],
);

/// Qwen3.8-2.4T-A95B.
pub(super) const QWEN3_8_2_4T_A95B: Arch = Arch::of(
    8192,
    248_320,
    &[
        gated_delta(16, 128),
        Mixer::Grouped(Grouped {
            gate: true,
            ..Grouped::new(64, 4, 256)
        }),
    ],
    &[Ffn::Moe(Moe::new(512, 10, 1, 2048))],
    &[(69, 0, 0), (23, 1, 0)],
);

/// MiniMax-M1.
pub(super) const MINIMAX_M1: Arch = Arch::of(
    6144,
    200_064,
    &[
        Mixer::Lightning(Lightning {
            heads: 64,
            head_dim: 128,
            state_bytes: 4,
        }),
        Mixer::Grouped(Grouped::new(64, 8, 128)),
    ],
    &[Ffn::Moe(Moe::new(32, 2, 0, 9216))],
    &[(70, 0, 0), (10, 1, 0)],
);

/// MiniMax-M2.5.
pub(super) const MINIMAX_M2_5: Arch = Arch::of(
    3072,
    200_064,
    &[Mixer::Grouped(Grouped::new(48, 8, 128))],
    &[Ffn::Moe(Moe::new(256, 8, 0, 1536))],
    &[(62, 0, 0)],
);

/// MiniMax-M3.
pub(super) const MINIMAX_M3: Arch = Arch::of(
    6144,
    200_064,
    &[
        Mixer::Grouped(Grouped::new(64, 4, 128)),
        Mixer::Grouped(Grouped {
            span: Span::Index(Index {
                block: 128,
                per_kv_head: true,
                ..Index::new(4, 128, 2048)
            }),
            ..Grouped::new(64, 4, 128)
        }),
    ],
    &[
        Ffn::Dense(Dense {
            width: 12_288,
            matrices: 3,
        }),
        Ffn::Moe(Moe::new(128, 4, 1, 3072)),
    ],
    &[(3, 0, 0), (57, 1, 1)],
);

/// Mistral Large 3 675B.
pub(super) const MISTRAL_LARGE_3: Arch = Arch::of(
    7168,
    131_072,
    &[Mixer::Latent(Latent {
        heads: 128,
        q_rank: Some(1536),
        kv_rank: 512,
        head_dim: 128,
        rope_dim: 64,
        value_dim: 128,
        gate: false,
        index: None,
    })],
    &[
        Ffn::Dense(Dense {
            width: 16_384,
            matrices: 3,
        }),
        Ffn::Moe(Moe::new(128, 4, 1, 4096)),
    ],
    &[(3, 0, 0), (58, 0, 1)],
);

/// Llama 4 Maverick.
pub(super) const LLAMA_4_MAVERICK: Arch = Arch::of(
    5120,
    202_048,
    &[
        Mixer::Grouped(Grouped {
            span: Span::Chunk(8192),
            ..Grouped::new(40, 8, 128)
        }),
        Mixer::Grouped(Grouped::new(40, 8, 128)),
    ],
    &[
        Ffn::Dense(Dense {
            width: 16_384,
            matrices: 3,
        }),
        Ffn::Moe(Moe::new(128, 1, 1, 8192)),
    ],
    &[(24, 0, 0), (12, 0, 1), (12, 1, 1)],
);

/// Llama 4 Scout.
pub(super) const LLAMA_4_SCOUT: Arch = Arch::of(
    5120,
    202_048,
    &[
        Mixer::Grouped(Grouped {
            span: Span::Chunk(8192),
            ..Grouped::new(40, 8, 128)
        }),
        Mixer::Grouped(Grouped::new(40, 8, 128)),
    ],
    &[Ffn::Moe(Moe::new(16, 1, 1, 8192))],
    &[(36, 0, 0), (12, 1, 0)],
);

/// gpt-oss-120b.
pub(super) const GPT_OSS_120B: Arch = Arch::of(
    2880,
    201_088,
    &[
        Mixer::Grouped(Grouped {
            span: Span::Window(128),
            sinks: true,
            ..Grouped::new(64, 8, 64)
        }),
        Mixer::Grouped(Grouped {
            sinks: true,
            ..Grouped::new(64, 8, 64)
        }),
    ],
    &[Ffn::Moe(Moe::new(128, 4, 0, 2880))],
    &[(18, 0, 0), (18, 1, 0)],
);

/// gpt-oss-20b.
pub(super) const GPT_OSS_20B: Arch = Arch::of(
    2880,
    201_088,
    &[
        Mixer::Grouped(Grouped {
            span: Span::Window(128),
            sinks: true,
            ..Grouped::new(64, 8, 64)
        }),
        Mixer::Grouped(Grouped {
            sinks: true,
            ..Grouped::new(64, 8, 64)
        }),
    ],
    &[Ffn::Moe(Moe::new(32, 4, 0, 2880))],
    &[(12, 0, 0), (12, 1, 0)],
);

/// Gemma 4 26B-A4B.
pub(super) const GEMMA_4_26B_A4B: Arch = Arch::of(
    2816,
    262_144,
    &[
        Mixer::Grouped(Grouped {
            span: Span::Window(1024),
            ..Grouped::new(16, 8, 256)
        }),
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

/// Gemma 4 31B.
pub(super) const GEMMA_4_31B: Arch = Arch::of(
    5376,
    262_144,
    &[
        Mixer::Grouped(Grouped {
            span: Span::Window(1024),
            ..Grouped::new(32, 16, 256)
        }),
        Mixer::Grouped(Grouped {
            key_is_value: true,
            ..Grouped::new(32, 4, 512)
        }),
    ],
    &[Ffn::Dense(Dense {
        width: 21_504,
        matrices: 3,
    })],
    &[(50, 0, 0), (10, 1, 0)],
)
.with_tied_embedding();

/// MiMo-V2-Flash.
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
            span: Span::Window(128),
            sinks: true,
            ..Grouped::new(64, 8, 192)
        }),
    ],
    &[
        Ffn::Dense(Dense {
            width: 16_384,
            matrices: 3,
        }),
        Ffn::Moe(Moe::new(256, 8, 0, 2048)),
    ],
    &[(1, 0, 0), (8, 0, 1), (39, 1, 1)],
);

/// MiMo-V2.5-Pro.
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
            span: Span::Window(128),
            sinks: true,
            ..Grouped::new(128, 8, 192)
        }),
    ],
    &[
        Ffn::Dense(Dense {
            width: 16_384,
            matrices: 3,
        }),
        Ffn::Moe(Moe::new(384, 8, 0, 2048)),
    ],
    &[(1, 0, 0), (9, 0, 1), (60, 1, 1)],
);

/// Step-3.5-Flash.
pub(super) const STEP_3_5_FLASH: Arch = Arch::of(
    4096,
    128_896,
    &[
        Mixer::Grouped(Grouped::new(64, 8, 128)),
        Mixer::Grouped(Grouped {
            span: Span::Window(512),
            ..Grouped::new(96, 8, 128)
        }),
    ],
    &[
        Ffn::Dense(Dense {
            width: 11_264,
            matrices: 3,
        }),
        Ffn::Moe(Moe::new(288, 8, 1, 1280)),
    ],
    &[(1, 0, 0), (2, 1, 0), (11, 0, 1), (31, 1, 1)],
);

/// Hy3.
pub(super) const HY3: Arch = Arch::of(
    4096,
    120_832,
    &[Mixer::Grouped(Grouped::new(64, 8, 128))],
    &[
        Ffn::Dense(Dense {
            width: 13_312,
            matrices: 3,
        }),
        Ffn::Moe(Moe::new(192, 8, 1, 1536)),
    ],
    &[(1, 0, 0), (79, 0, 1)],
);

/// Nemotron 3 Nano 30B-A3B.
pub(super) const NEMOTRON_3_NANO_30B_A3B: Arch = Arch::of(
    2688,
    131_072,
    &[
        mamba2(64, 64, 8, 128),
        Mixer::Grouped(Grouped::new(32, 2, 128)),
    ],
    &[Ffn::Moe(Moe {
        shared_width: 3712,
        matrices: 2,
        ..Moe::new(128, 6, 1, 1856)
    })],
    &[(23, 0, NONE), (23, NONE, 0), (6, 1, NONE)],
);

/// Nemotron 3 Super 120B-A12B.
pub(super) const NEMOTRON_3_SUPER_120B_A12B: Arch = Arch::of(
    4096,
    131_072,
    &[
        mamba2(128, 64, 8, 128),
        Mixer::Grouped(Grouped::new(32, 2, 128)),
    ],
    &[Ffn::Moe(Moe {
        shared_width: 5376,
        matrices: 2,
        latent: Some(1024),
        ..Moe::new(512, 22, 1, 2688)
    })],
    &[(40, 0, NONE), (40, NONE, 0), (8, 1, NONE)],
);

/// Nemotron 3 Ultra 550B-A55B.
pub(super) const NEMOTRON_3_ULTRA_550B_A55B: Arch = Arch::of(
    8192,
    131_072,
    &[
        mamba2(256, 64, 8, 128),
        Mixer::Grouped(Grouped::new(64, 2, 128)),
    ],
    &[Ffn::Moe(Moe {
        shared_width: 10_240,
        matrices: 2,
        latent: Some(2048),
        ..Moe::new(512, 22, 1, 5120)
    })],
    &[(48, 0, NONE), (48, NONE, 0), (12, 1, NONE)],
);
