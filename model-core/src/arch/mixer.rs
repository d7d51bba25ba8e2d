//! Token mixers of a layer: attention of several kinds, and recurrences.

use std::fmt;

use super::fields::{DIM, HEADS, RANK, Shape, TOKENS, Walk, shape, shapes};

shapes! {
    /// The token mixer of a layer.
    Mixer {
        /// Query heads in groups that share a key/value head.
        Grouped = "grouped",
        /// Multi-head MLA, MLA.
        Latent = "latent",
        /// Attention to a window and to compressed entries of the context (DeepSeek-V4).
        Compressed = "compressed",
        /// Gated delta rule.
        GatedDelta = "gated_delta",
        /// Kimi delta attention: the delta rule with a decay per channel.
        Kda = "kda",
        /// Lightning attention: linear attention with a fixed decay.
        Lightning = "lightning",
        /// State-space layers of the second Mamba.
        Mamba2 = "mamba2",
    }
}

shape! {
    /// MHA (`kv_heads = heads`), GQA, MQA (1), over the whole context or a part of it.
    Grouped as shape {
        /// Query heads, n_h.
        heads: u32 = needed(1, HEADS),
        /// KV heads, n_kv.
        kv_heads: u32 = needed(1, shape.heads),
        /// Head dimension of queries and keys, d_k.
        head_dim: u32 = needed(1, DIM),
        /// Head dimension of values, d_v.
        value_dim: u32 = or(shape.head_dim, 1, DIM),
        /// Rank of the compressed query, r_q; `None` when queries are projected directly.
        q_rank: Option<u32> = optional(1, RANK),
        /// Output gate: n_h d_v more columns of the projection.
        gate: bool = flag(),
        /// One row is both key and value.
        key_is_value: bool = flag(),
        /// The tokens a query attends to.
        span: ContextSpan = flat(),
        /// Attention sinks; they cost nothing.
        sinks: bool = flag(),
    }
}

/// The part of the context that GQA attends to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum ContextSpan {
    /// All of it.
    #[default]
    Full,
    /// The last W tokens.
    Window(u32),
    /// The tokens of the same aligned chunk of C tokens.
    Chunk(u32),
    /// The tokens that an index selects.
    Index(Index),
}

impl Shape for ContextSpan {
    fn walk<W: Walk>(&mut self, with: &mut W) -> Result<(), W::Error> {
        let (mut window, mut chunk, mut index) = match *self {
            Self::Full => (None, None, None),
            Self::Window(window) => (Some(window), None, None),
            Self::Chunk(chunk) => (None, Some(chunk), None),
            Self::Index(index) => (None, None, Some(index)),
        };
        with.optional("window", 1, TOKENS, &mut window)?;
        with.optional("chunk", 1, TOKENS, &mut chunk)?;
        with.inner("index", &mut index)?;
        *self = match (window, chunk, index) {
            (None, None, None) => Self::Full,
            (Some(window), None, None) => Self::Window(window),
            (None, Some(chunk), None) => Self::Chunk(chunk),
            (None, None, Some(index)) => Self::Index(index),
            _ => return with.clash("grouped allows at most one of window, chunk, index"),
        };
        Ok(())
    }
}

shape! {
    /// MLA. Source: [A] Table 1, DeepSeek-V2 Appendix C.
    Latent as shape {
        /// Query heads, n_h.
        heads: u32 = needed(1, HEADS),
        /// Rank of the compressed query, r_q; `None` when queries are projected directly.
        q_rank: Option<u32> = nullable(1, RANK),
        /// Rank of the compressed key/value, r_kv.
        kv_rank: u32 = needed(1, RANK),
        /// Head dimension without position, d_h.
        head_dim: u32 = needed(1, DIM),
        /// Rotary head dimension, d_r; 0 without rotary positions.
        rope_dim: u32 = needed(0, DIM),
        /// Value head dimension, d_v.
        value_dim: u32 = needed(1, DIM),
        /// Output gate, from a separate projection.
        gate: bool = flag(),
        /// Index that selects the tokens attended to; `None` for all tokens.
        index: Option<Index> = inner(),
    }
}

shape! {
    /// One shared KV head over a window and over entries of `ratio` tokens each.
    Compressed as shape {
        /// Query heads, n_h.
        heads: u32 = needed(1, HEADS),
        /// Head dimension, d_k, of queries and of the shared key and value.
        head_dim: u32 = needed(1, DIM),
        /// Rank of the compressed query, r_q.
        q_rank: u32 = needed(1, RANK),
        /// Uncompressed tokens attended to, W.
        window: u32 = needed(1, TOKENS),
        /// Attention sinks; they cost nothing.
        sinks: bool = flag(),
        /// Groups of the output projection, o_g.
        out_groups: u32 = needed(1, HEADS),
        /// Rank of the output projection, o_r.
        out_rank: u32 = needed(1, RANK),
        /// Tokens per compressed entry, r; `None` for the window only.
        ratio: Option<u32> = optional(1, TOKENS),
        /// Overlapping blocks, which double the compressor.
        overlap: bool = flag(),
        /// Index that selects the entries attended to; `None` for all entries.
        index: Option<Index> = inner(),
    }
}

shape! {
    /// Sparse-attention indexer: scores the context cheaply and selects the tokens that attention reads.
    Index as shape {
        /// Heads, H_I.
        heads: u32 = needed(1, HEADS),
        /// Head dimension, d_I.
        head_dim: u32 = needed(1, DIM),
        /// Tokens selected (entries where the context is compressed), k.
        top_k: u32 = needed(1, TOKENS),
        /// Tokens whose keys are pooled into one.
        pool: u32 = or(1, 1, TOKENS),
        /// Tokens selected as one block.
        block: u32 = or(1, 1, TOKENS),
        /// A separate selection for every KV head.
        per_kv_head: bool = flag(),
        /// True to reuse the selection of an earlier layer, without an index.
        shared: bool = flag(),
    }
}

shape! {
    /// Gated delta rule. Source: `transformers` modular_qwen3_next.
    GatedDelta as shape {
        /// Key heads, n_k.
        key_heads: u32 = needed(1, HEADS),
        /// Value heads, n_v.
        value_heads: u32 = needed(1, HEADS),
        /// Dimension of a key, d_k.
        key_dim: u32 = needed(1, DIM),
        /// Dimension of a value, d_v.
        value_dim: u32 = needed(1, DIM),
        /// Width of the convolution, ω.
        conv: u32 = or(4, 1, 64),
        /// Bytes per element of the state.
        state_bytes: u32 = or(4, 1, 8),
    }
}

shape! {
    /// Kimi delta attention. Source: flash-linear-attention, layers/kda.
    Kda as shape {
        /// Heads, n.
        heads: u32 = needed(1, HEADS),
        /// Dimension of keys and of values, d_h.
        head_dim: u32 = needed(1, DIM),
        /// Output gate of one matrix instead of two of rank d_h.
        full_rank_gate: bool = flag(),
        /// Decay of one matrix instead of two of rank d_h.
        full_rank_decay: bool = flag(),
        /// Width of the convolution, ω.
        conv: u32 = or(4, 1, 64),
        /// Bytes per element of the state.
        state_bytes: u32 = or(4, 1, 8),
    }
}

shape! {
    /// Lightning attention. Source: `transformers` modular_minimax.
    Lightning as shape {
        /// Heads, n.
        heads: u32 = needed(1, HEADS),
        /// Dimension of keys and of values, d_h.
        head_dim: u32 = needed(1, DIM),
        /// Bytes per element of the state.
        state_bytes: u32 = or(4, 1, 8),
    }
}

shape! {
    /// State-space mixer. Source: aiconfigurator, operators/mamba.
    Mamba2 as shape {
        /// Heads, n.
        heads: u32 = needed(1, HEADS),
        /// Dimension of a head, d_h.
        head_dim: u32 = needed(1, DIM),
        /// Groups of heads that share keys and queries, n_g.
        groups: u32 = needed(1, HEADS),
        /// State elements per channel, n_s.
        state_dim: u32 = needed(1, DIM),
        /// Width of the convolution, ω.
        conv: u32 = or(4, 1, 64),
        /// Bytes per element of the state.
        state_bytes: u32 = or(4, 1, 8),
    }
}

impl Grouped {
    /// Attention of `heads` query heads over the whole context.
    pub const fn new(heads: u32, kv_heads: u32, head_dim: u32) -> Self {
        Self {
            heads,
            kv_heads,
            head_dim,
            value_dim: head_dim,
            q_rank: None,
            gate: false,
            key_is_value: false,
            sinks: false,
            span: ContextSpan::Full,
        }
    }

    /// Cache elements per KV head and token: d_k + d_v, or d_k where the key is the value.
    pub const fn row(&self) -> u32 {
        if self.key_is_value {
            self.head_dim
        } else {
            self.head_dim + self.value_dim
        }
    }

    /// The index that selects tokens, if any.
    pub const fn index(&self) -> Option<Index> {
        match self.span {
            ContextSpan::Index(index) => Some(index),
            ContextSpan::Full | ContextSpan::Window(_) | ContextSpan::Chunk(_) => None,
        }
    }
}

impl Index {
    /// An index that selects single tokens.
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

impl Kda {
    /// Low-rank and full-rank matrix sets of the decay and the output gate.
    pub const fn gates(&self) -> (f64, f64) {
        match (self.full_rank_gate, self.full_rank_decay) {
            (false, false) => (2.0, 0.0),
            (true, true) => (0.0, 2.0),
            _ => (1.0, 1.0),
        }
    }
}

impl Compressed {
    /// Replicas of the compressor's columns, q: 2 where blocks overlap.
    pub const fn copies(&self) -> u32 {
        if self.overlap { 2 } else { 1 }
    }
}

impl Mixer {
    /// Query heads; `None` for mixers with different numbers of key and value heads.
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

    /// Numbers of heads that tp must divide, with their names in links.
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

    /// The index that selects tokens, if any.
    pub const fn index(&self) -> Option<Index> {
        match self {
            Self::Grouped(grouped) => grouped.index(),
            Self::Latent(Latent { index, .. }) | Self::Compressed(Compressed { index, .. }) => {
                *index
            }
            Self::GatedDelta(_) | Self::Kda(_) | Self::Lightning(_) | Self::Mamba2(_) => None,
        }
    }

    /// True for linear attention and state-space mixers, whose state has constant size.
    pub const fn is_recurrent(&self) -> bool {
        matches!(
            self,
            Self::GatedDelta(_) | Self::Kda(_) | Self::Lightning(_) | Self::Mamba2(_)
        )
    }

    /// True for full attention to every token of the context, as in the papers.
    pub const fn is_full(&self) -> bool {
        match self {
            Self::Grouped(grouped) => matches!(grouped.span, ContextSpan::Full),
            Self::Latent(latent) => latent.index.is_none(),
            _ => false,
        }
    }
}

/// The tokens attended to, or the recurrence: `full`, `window 128`, `chunk 8192`, `sparse 2048`, `compressed 4`,
/// `kda`.
impl fmt::Display for Mixer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grouped(Grouped {
                span: ContextSpan::Window(window),
                ..
            }) => write!(out, "window {window}"),
            Self::Grouped(Grouped {
                span: ContextSpan::Chunk(chunk),
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
