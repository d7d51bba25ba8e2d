//! What mixes tokens in a layer: attention of several kinds, and recurrences.

use std::fmt;

/// How a layer mixes its tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mixer {
    /// Query heads in groups that share a key/value head.
    Grouped(Grouped),
    /// Multi-head latent attention.
    Latent(Latent),
    /// A window beside compressed entries of the context (DeepSeek-V4).
    Compressed(Compressed),
    /// Gated delta rule.
    GatedDelta(GatedDelta),
    /// Kimi delta attention: the delta rule with a decay per channel.
    Kda(Kda),
    /// Lightning attention: linear attention with a fixed decay.
    Lightning(Lightning),
    /// State-space layers of the second Mamba.
    Mamba2(Mamba2),
}

/// MHA (`kv_heads = heads`), GQA, MQA (1), over the whole context or a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grouped {
    /// Query heads, n_h.
    pub heads: u32,
    /// Key/value heads, n_kv.
    pub kv_heads: u32,
    /// Head dimension of queries and keys, d_k.
    pub head_dim: u32,
    /// Head dimension of values, d_v.
    pub value_dim: u32,
    /// Whether outputs are gated: n_h d_v more columns of the projection.
    pub gate: bool,
    /// Whether one row serves as key and as value.
    pub key_is_value: bool,
    /// Whether heads have a sink; it costs nothing.
    pub sinks: bool,
    /// The tokens a query attends to.
    pub span: Span,
}

/// The part of the context that grouped attention attends to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Span {
    /// All of it.
    Full,
    /// The last W tokens.
    Window(u32),
    /// The tokens of the same aligned chunk of C.
    Chunk(u32),
    /// What an index selects.
    Index(Index),
}

/// MLA. Source: [A] Table 1, DeepSeek-V2 Appendix C.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Latent {
    /// Query heads, n_h.
    pub heads: u32,
    /// Rank of the compressed query, r_q; `None` when queries are projected directly.
    pub q_rank: Option<u32>,
    /// Rank of the compressed key/value, r_kv.
    pub kv_rank: u32,
    /// Head dimension without position, d_h.
    pub head_dim: u32,
    /// Rotary head dimension, d_r; 0 where positions are not rotated in.
    pub rope_dim: u32,
    /// Value head dimension, d_v.
    pub value_dim: u32,
    /// Whether outputs are gated by a projection of their own.
    pub gate: bool,
    /// What selects the tokens attended to; `None` for all of them.
    pub index: Option<Index>,
}

/// One shared key/value head over a window and over entries that stand for `ratio` tokens each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compressed {
    /// Query heads, n_h.
    pub heads: u32,
    /// Head dimension, d_k, of queries and of the shared key and value.
    pub head_dim: u32,
    /// Rank of the compressed query, r_q.
    pub q_rank: u32,
    /// Uncompressed tokens attended to, W.
    pub window: u32,
    /// Whether heads have a sink; it costs nothing.
    pub sinks: bool,
    /// Groups of the output projection, o_g.
    pub out_groups: u32,
    /// Rank of the output projection, o_r.
    pub out_rank: u32,
    /// Tokens per compressed entry, r; `None` for the window alone.
    pub ratio: Option<u32>,
    /// Whether blocks overlap, which doubles the compressor.
    pub overlap: bool,
    /// What selects the entries attended to; `None` for all of them.
    pub index: Option<Index>,
}

/// What scores the context cheaply and selects the tokens that attention reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Index {
    /// Heads, H_I.
    pub heads: u32,
    /// Head dimension, d_I.
    pub head_dim: u32,
    /// Tokens selected (entries where the context is compressed), k.
    pub top_k: u32,
    /// Tokens whose keys are pooled into one.
    pub pool: u32,
    /// Tokens that are selected together.
    pub block: u32,
    /// Whether every key/value head has a selection of its own.
    pub per_kv_head: bool,
    /// Whether the layer uses the selection of an earlier layer, and has no index of its own.
    pub shared: bool,
}

/// Source: `transformers` modular_qwen3_next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GatedDelta {
    /// Key heads, n_k.
    pub key_heads: u32,
    /// Value heads, n_v.
    pub value_heads: u32,
    /// Dimension of a key, d_k.
    pub key_dim: u32,
    /// Dimension of a value, d_v.
    pub value_dim: u32,
    /// Width of the convolution, ω.
    pub conv: u32,
    /// Bytes per element of the state.
    pub state_bytes: u32,
}

/// Source: flash-linear-attention, layers/kda.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kda {
    /// Heads, n.
    pub heads: u32,
    /// Dimension of keys and of values, d_h.
    pub head_dim: u32,
    /// Whether the output gate is one matrix instead of two of rank d_h.
    pub full_rank_gate: bool,
    /// Width of the convolution, ω.
    pub conv: u32,
    /// Bytes per element of the state.
    pub state_bytes: u32,
}

/// Source: `transformers` modular_minimax.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lightning {
    /// Heads, n.
    pub heads: u32,
    /// Dimension of keys and of values, d_h.
    pub head_dim: u32,
    /// Bytes per element of the state.
    pub state_bytes: u32,
}

/// Source: aiconfigurator, operators/mamba.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mamba2 {
    /// Heads, n.
    pub heads: u32,
    /// Dimension of a head, d_h.
    pub head_dim: u32,
    /// Groups of heads that share keys and queries, n_g.
    pub groups: u32,
    /// State elements per channel, n_s.
    pub state_dim: u32,
    /// Width of the convolution, ω.
    pub conv: u32,
    /// Bytes per element of the state.
    pub state_bytes: u32,
}

impl Grouped {
    /// Attention of `heads` query heads over the whole context.
    pub const fn new(heads: u32, kv_heads: u32, head_dim: u32) -> Self {
        Self {
            heads,
            kv_heads,
            head_dim,
            value_dim: head_dim,
            gate: false,
            key_is_value: false,
            sinks: false,
            span: Span::Full,
        }
    }

    /// Elements of one key/value head and token in the cache: d_k + d_v, or d_k where the key is the value.
    pub const fn row(&self) -> u32 {
        if self.key_is_value {
            self.head_dim
        } else {
            self.head_dim + self.value_dim
        }
    }

    /// What selects the tokens, if anything does.
    pub const fn index(&self) -> Option<Index> {
        match self.span {
            Span::Index(index) => Some(index),
            Span::Full | Span::Window(_) | Span::Chunk(_) => None,
        }
    }
}

impl Index {
    /// An index of its own that selects single tokens.
    pub const fn new(heads: u32, head_dim: u32, top_k: u32) -> Self {
        Self {
            heads,
            head_dim,
            top_k,
            pool: 1,
            block: 1,
            per_kv_head: false,
            shared: false,
        }
    }
}

impl Compressed {
    /// Copies of the compressor's columns, q: 2 where blocks overlap.
    pub const fn copies(&self) -> u32 {
        if self.overlap { 2 } else { 1 }
    }
}

impl Mixer {
    /// The identifier in links.
    pub const fn id(&self) -> &'static str {
        match self {
            Self::Grouped(_) => "grouped",
            Self::Latent(_) => "latent",
            Self::Compressed(_) => "compressed",
            Self::GatedDelta(_) => "gated_delta",
            Self::Kda(_) => "kda",
            Self::Lightning(_) => "lightning",
            Self::Mamba2(_) => "mamba2",
        }
    }

    /// Query heads; `None` for mixers that count key and value heads apart.
    pub const fn heads(&self) -> Option<u32> {
        match *self {
            Self::Grouped(Grouped { heads, .. })
            | Self::Latent(Latent { heads, .. })
            | Self::Compressed(Compressed { heads, .. })
            | Self::Kda(Kda { heads, .. })
            | Self::Lightning(Lightning { heads, .. })
            | Self::Mamba2(Mamba2 { heads, .. }) => Some(heads),
            Self::GatedDelta(_) => None,
        }
    }

    /// The counts of heads that tp must divide, with the names they have in links.
    pub const fn divided_by_tp(&self) -> [(&'static str, u32); 2] {
        match *self {
            Self::GatedDelta(GatedDelta {
                key_heads,
                value_heads,
                ..
            }) => [("key_heads", key_heads), ("value_heads", value_heads)],
            Self::Grouped(Grouped { heads, .. })
            | Self::Latent(Latent { heads, .. })
            | Self::Compressed(Compressed { heads, .. })
            | Self::Kda(Kda { heads, .. })
            | Self::Lightning(Lightning { heads, .. })
            | Self::Mamba2(Mamba2 { heads, .. }) => [("heads", heads), ("heads", heads)],
        }
    }

    /// What selects the tokens, if anything does.
    pub const fn index(&self) -> Option<Index> {
        match self {
            Self::Grouped(grouped) => grouped.index(),
            Self::Latent(Latent { index, .. }) | Self::Compressed(Compressed { index, .. }) => {
                *index
            }
            Self::GatedDelta(_) | Self::Kda(_) | Self::Lightning(_) | Self::Mamba2(_) => None,
        }
    }

    /// Whether a state of constant size stands for the context.
    pub const fn is_recurrent(&self) -> bool {
        matches!(
            self,
            Self::GatedDelta(_) | Self::Kda(_) | Self::Lightning(_) | Self::Mamba2(_)
        )
    }

    /// Whether every token of the context is attended to, as in the papers.
    pub const fn is_full(&self) -> bool {
        match self {
            Self::Grouped(grouped) => matches!(grouped.span, Span::Full),
            Self::Latent(latent) => latent.index.is_none(),
            _ => false,
        }
    }
}

/// Which tokens it mixes: `full`, `window 128`, `chunk 8192`, `sparse 2048`, `compressed 4`, `kda`.
impl fmt::Display for Mixer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grouped(Grouped {
                span: Span::Window(window),
                ..
            }) => write!(out, "window {window}"),
            Self::Grouped(Grouped {
                span: Span::Chunk(chunk),
                ..
            }) => write!(out, "chunk {chunk}"),
            Self::Compressed(Compressed {
                ratio: Some(ratio), ..
            }) => write!(out, "compressed {ratio}"),
            Self::Compressed(_) => out.write_str("compressed"),
            Self::Grouped(_) | Self::Latent(_) => match self.index() {
                Some(index) => write!(out, "sparse {}", index.top_k),
                None => out.write_str("full"),
            },
            _ => out.write_str(self.id()),
        }
    }
}
