//! Token mixers of a layer: several types of attention, and recurrences (linear attention and state-space models).

use std::fmt;

use super::fields::{DIM, HEADS, RANK, Shape, TOKENS, Walk, shape, shapes};

shapes! {
    /// The token mixer of a layer.
    Mixer {
        /// MHA, GQA or MQA: groups of query heads share a KV head.
        Grouped = "grouped",
        /// MLA: attention over a low-rank KV cache.
        Latent = "latent",
        /// Attention over a window of recent tokens plus compressed entries of the context (DeepSeek-V4).
        Compressed = "compressed",
        /// Gated delta rule: linear attention with a decaying state.
        GatedDelta = "gated_delta",
        /// Kimi delta attention: the delta rule with a separate decay per channel.
        Kda = "kda",
        /// Lightning attention: linear attention with a fixed decay.
        Lightning = "lightning",
        /// Mamba-2 layer, a state-space model.
        Mamba2 = "mamba2",
    }
}

shape! {
    /// MHA (`kv_heads = heads`), GQA or MQA (`kv_heads = 1`), over the whole context or a part of it.
    Grouped as shape {
        /// Number of query heads, n_h.
        heads: u32 = needed(1, HEADS),
        /// Number of KV heads, n_kv.
        kv_heads: u32 = needed(1, shape.heads),
        /// Head dimension of queries and keys, d_k.
        head_dim: u32 = needed(1, DIM),
        /// Head dimension of values, d_v.
        value_dim: u32 = or(shape.head_dim, 1, DIM),
        /// Rank of the compressed query, r_q; `None` if queries are projected directly.
        q_rank: Option<u32> = optional(1, RANK),
        /// True if there is an output gate, which adds n_h d_v columns to the input projection.
        gate: bool = flag(),
        /// True if the same cached row serves as both key and value.
        key_is_value: bool = flag(),
        /// Part of the context that a query attends to.
        span: ContextSpan = flat(),
        /// True if the layer has attention sinks; their cost is taken as zero.
        sinks: bool = flag(),
    }
}

/// The part of the context that GQA attends to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum ContextSpan {
    /// GQA attends to the whole context.
    #[default]
    Full,
    /// GQA attends to the last W tokens of the context.
    Window(u32),
    /// GQA attends to the tokens in the same aligned chunk of C tokens as the query.
    Chunk(u32),
    /// GQA attends to the tokens that an indexer selects.
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
            _ => return with.clash("grouped allows at most one of window, chunk and index"),
        };
        Ok(())
    }
}

shape! {
    /// MLA. Sources: [A] Table 1; DeepSeek-V2 Appendix C.
    Latent as shape {
        /// Number of query heads, n_h.
        heads: u32 = needed(1, HEADS),
        /// Rank of the compressed query, r_q; `None` if queries are projected directly.
        q_rank: Option<u32> = nullable(1, RANK),
        /// Rank of the compressed key/value, r_kv.
        kv_rank: u32 = needed(1, RANK),
        /// Dimension of the non-rotary part of a query or key head, d_h.
        head_dim: u32 = needed(1, DIM),
        /// Dimension of the rotary part of a query or key head, d_r; 0 without rotary position embeddings.
        rope_dim: u32 = needed(0, DIM),
        /// Value head dimension, d_v.
        value_dim: u32 = needed(1, DIM),
        /// True if there is an output gate, which has a separate projection.
        gate: bool = flag(),
        /// Indexer that selects the tokens attended to; `None` if all tokens are attended to.
        index: Option<Index> = inner(),
    }
}

shape! {
    /// Attention with one shared KV head, over a window of tokens and over compressed entries of `ratio` tokens each.
    Compressed as shape {
        /// Number of query heads, n_h.
        heads: u32 = needed(1, HEADS),
        /// Dimension d_k of the query heads and of the shared key and value.
        head_dim: u32 = needed(1, DIM),
        /// Rank of the compressed query, r_q.
        q_rank: u32 = needed(1, RANK),
        /// Number of recent uncompressed tokens attended to, W.
        window: u32 = needed(1, TOKENS),
        /// True if the layer has attention sinks; their cost is taken as zero.
        sinks: bool = flag(),
        /// Number of groups in the output projection, o_g.
        out_groups: u32 = needed(1, HEADS),
        /// Rank of the low-rank output projection, o_r.
        out_rank: u32 = needed(1, RANK),
        /// Tokens per compressed entry, r; `None` if only the window is attended to.
        ratio: Option<u32> = optional(1, TOKENS),
        /// True if compressed blocks overlap, which doubles the compressor's weights.
        overlap: bool = flag(),
        /// Indexer that selects the compressed entries attended to; `None` for all entries.
        index: Option<Index> = inner(),
    }
}

shape! {
    /// Sparse-attention indexer: scores the context cheaply and selects the tokens that attention reads.
    Index as shape {
        /// Number of indexer heads, H_I.
        heads: u32 = needed(1, HEADS),
        /// Dimension of an indexer head, d_I.
        head_dim: u32 = needed(1, DIM),
        /// Number k of tokens that the indexer selects, or of entries if the context is compressed.
        top_k: u32 = needed(1, TOKENS),
        /// Number of consecutive tokens whose indexer keys are pooled into one key.
        pool: u32 = or(1, 1, TOKENS),
        /// Number of consecutive tokens selected as one block.
        block: u32 = or(1, 1, TOKENS),
        /// True if the indexer selects tokens separately for each KV head.
        per_kv_head: bool = flag(),
        /// True if the layer has no indexer and reuses the selection of an earlier layer.
        shared: bool = flag(),
    }
}

shape! {
    /// Gated delta rule layer. Source: `transformers` modular_qwen3_next.
    GatedDelta as shape {
        /// Number of key heads, n_k.
        key_heads: u32 = needed(1, HEADS),
        /// Number of value heads, n_v.
        value_heads: u32 = needed(1, HEADS),
        /// Dimension of a key head, d_k.
        key_dim: u32 = needed(1, DIM),
        /// Dimension of a value head, d_v.
        value_dim: u32 = needed(1, DIM),
        /// Width of the short convolution in tokens, ω.
        conv: u32 = or(4, 1, 64),
        /// Bytes per element of the recurrent state.
        state_bytes: u32 = or(4, 1, 8),
    }
}

shape! {
    /// Kimi delta attention layer. Source: flash-linear-attention, layers/kda.
    Kda as shape {
        /// Number of Kimi delta attention heads, n.
        heads: u32 = needed(1, HEADS),
        /// Dimension of keys and of values per head, d_h.
        head_dim: u32 = needed(1, DIM),
        /// True if the output gate has one full matrix instead of two matrices of rank d_h.
        full_rank_gate: bool = flag(),
        /// True if the decay projection has one full matrix instead of two matrices of rank d_h.
        full_rank_decay: bool = flag(),
        /// Width of the short convolution in tokens, ω.
        conv: u32 = or(4, 1, 64),
        /// Bytes per element of the recurrent state.
        state_bytes: u32 = or(4, 1, 8),
    }
}

shape! {
    /// Lightning attention layer. Source: `transformers` modular_minimax.
    Lightning as shape {
        /// Number of lightning attention heads, n.
        heads: u32 = needed(1, HEADS),
        /// Dimension of keys and of values per head, d_h.
        head_dim: u32 = needed(1, DIM),
        /// Bytes per element of the recurrent state.
        state_bytes: u32 = or(4, 1, 8),
    }
}

shape! {
    /// Mamba-2 state-space mixer. Source: aiconfigurator, operators/mamba.
    Mamba2 as shape {
        /// Number of Mamba-2 heads, n.
        heads: u32 = needed(1, HEADS),
        /// Dimension of a Mamba-2 head, d_h.
        head_dim: u32 = needed(1, DIM),
        /// Number of Mamba-2 head groups, n_g; the heads of a group share keys and queries.
        groups: u32 = needed(1, HEADS),
        /// State elements per Mamba-2 channel, n_s.
        state_dim: u32 = needed(1, DIM),
        /// Width of the short convolution in tokens, ω.
        conv: u32 = or(4, 1, 64),
        /// Bytes per element of the recurrent state.
        state_bytes: u32 = or(4, 1, 8),
    }
}

impl Grouped {
    /// Returns ungated attention over the whole context, with `heads` query heads and `kv_heads` KV heads.
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

    /// Returns the cached elements per KV head and token: d_k + d_v, or d_k if the key is also the value.
    pub const fn row(&self) -> u32 {
        if self.key_is_value {
            self.head_dim
        } else {
            self.head_dim + self.value_dim
        }
    }

    /// Returns the indexer that selects tokens, if any.
    pub const fn index(&self) -> Option<Index> {
        match self.span {
            ContextSpan::Index(index) => Some(index),
            ContextSpan::Full | ContextSpan::Window(_) | ContextSpan::Chunk(_) => None,
        }
    }
}

impl Index {
    /// Returns an indexer that selects single tokens, without pooling or blocks.
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
    /// Returns how many of the decay and output-gate projections are low-rank, and how many are full-rank.
    pub const fn gates(&self) -> (f64, f64) {
        match (self.full_rank_gate, self.full_rank_decay) {
            (false, false) => (2.0, 0.0),
            (true, true) => (0.0, 2.0),
            _ => (1.0, 1.0),
        }
    }
}

impl Compressed {
    /// Returns the number of copies of the compressor's weight columns, q: 2 if compressed blocks overlap, else 1.
    pub const fn copies(&self) -> u32 {
        if self.overlap { 2 } else { 1 }
    }
}

impl Mixer {
    /// Returns the number of query heads; `None` for the gated delta rule, whose numbers of key and value heads may
    /// differ.
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

    /// Returns the head counts that the TP size must divide, with their names in permalinks.
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

    /// Returns the indexer that selects tokens or compressed entries, if any.
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

    /// True for full attention over every token of the context, as in the papers.
    pub const fn is_full(&self) -> bool {
        match self {
            Self::Grouped(grouped) => matches!(grouped.span, ContextSpan::Full),
            Self::Latent(latent) => latent.index.is_none(),
            _ => false,
        }
    }
}

/// Displays the tokens attended to, or the type of recurrence: `full`, `window 128`, `chunk 8192`, `sparse 2048`,
/// `compressed 4`, `kda`.
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
