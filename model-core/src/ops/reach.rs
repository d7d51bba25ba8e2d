//! Computes, for each mixer, the number of tokens attended to and the size of the cache or state.

use super::{Load, PromptTokens};
use crate::arch::{Arch, Compressed, ContextSpan, Grouped, Index, Latent, Mixer};
use crate::precision::{KvLayout, Precision};

/// Amount of attention work in one layer on one GPU: query–key pairs, and cache rows read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reach {
    /// Number of query–key pairs; compressed entries of the cache count as keys.
    pub pairs: f64,
    /// Number of cache rows read by attention.
    pub rows: f64,
}

impl Load {
    /// Returns the context tokens per sequence on one GPU, s = S/kvp, where S is the context.
    pub fn local(&self) -> f64 {
        self.context / self.shards
    }

    /// Returns the total cached tokens on one GPU, b·s: sequences times context tokens per sequence on this GPU.
    pub fn cached(&self) -> f64 {
        self.sequences * self.local()
    }

    /// Returns the number of tokens on one GPU whose index keys are read. In decode, these are all cached tokens,
    /// b·s. In prefill, they are the tokens of the pass, divided by kvp.
    pub fn keyed(&self) -> f64 {
        if self.prompt {
            self.group_tokens / self.shards
        } else {
            self.cached()
        }
    }

    /// Returns the number of key/value rows to which a prefill pass attends, averaged over the J chunks. For m
    /// prompts with c cached and n new tokens each, it is m R with R = c + n (J+1)/(2J).
    pub fn key_rows(&self) -> f64 {
        let prompt = PromptTokens {
            new: self.context - self.prefix,
            cached: self.prefix,
            chunks: self.chunks,
        };
        self.sequences * prompt.rows()
    }

    /// Returns the number of causal query–key pairs of a prefill pass on one GPU, averaged over the chunks. Each
    /// token attends to one entry per `ratio` earlier tokens, up to `most` entries. Let r be `ratio` and k be `most`.
    /// The first P tokens of a prompt have P²/(2r) pairs if P ≤ k r, otherwise k P − k² r/2.
    pub fn causal(&self, ratio: f64, most: f64) -> f64 {
        self.over_chunks(|prompt| {
            if prompt <= most * ratio {
                prompt * prompt / (2.0 * ratio)
            } else {
                most * prompt - most * most * ratio / 2.0
            }
        }) / self.shards
    }

    /// Returns the query–key pairs of a prefill pass, averaged over chunks. `until(P)` returns the pairs of the first
    /// P tokens of a prompt; the pairs of the cached prefix are subtracted.
    fn over_chunks(&self, until: impl Fn(f64) -> f64) -> f64 {
        let before = if self.prefix > 0.0 {
            until(self.prefix)
        } else {
            0.0
        };
        self.sequences * (until(self.context) - before) / self.chunks
    }

    /// Returns the number of reads and writes of recurrent states. In decode, a state is read once per sequence and
    /// written once per token, because drafts are verified from saved states. In prefill, each sequence's state is
    /// read once and written once.
    pub fn state_touches(&self) -> f64 {
        if self.prompt {
            2.0 * self.sequences
        } else {
            self.sequences + self.group_tokens
        }
    }

    /// Returns the attention work if each token attends to the whole context.
    pub fn full(&self) -> Reach {
        if self.prompt {
            Reach {
                pairs: self.causal(1.0, f64::INFINITY),
                rows: self.cached(),
            }
        } else {
            self.over(self.context)
        }
    }

    /// Returns the attention work if each decoded token attends to `tokens` tokens of its sequence.
    fn over(&self, tokens: f64) -> Reach {
        let local = tokens / self.shards;
        Reach {
            pairs: self.group_tokens * local,
            rows: self.sequences * local,
        }
    }

    /// Returns the attention work of GQA. In chunked attention, a token attends to half a chunk on average, once the
    /// context exceeds one chunk.
    pub fn grouped(&self, span: &ContextSpan) -> Reach {
        match span {
            ContextSpan::Full => self.full(),
            ContextSpan::Index(index) => self.selected(index),
            ContextSpan::Window(window) => {
                let window = f64::from(*window);
                let kept = self.context.min(window);
                if self.prompt {
                    Reach {
                        pairs: self.causal(1.0, window),
                        rows: kept / self.shards,
                    }
                } else {
                    self.over(kept)
                }
            }
            ContextSpan::Chunk(chunk) => {
                let chunk = f64::from(*chunk);
                let within = self.context < chunk;
                if self.prompt {
                    let pairs = self.over_chunks(|prompt| prompt * (prompt.min(chunk) / 2.0));
                    Reach {
                        pairs: pairs / self.shards,
                        rows: self.context.min(chunk) / self.shards,
                    }
                } else {
                    self.over(if within { self.context } else { chunk / 2.0 })
                }
            }
        }
    }

    /// Returns the work of attention to the tokens selected by an index. Each draft token selects its rows
    /// separately.
    pub fn selected(&self, index: &Index) -> Reach {
        let most = f64::from(index.top_k);
        if self.prompt {
            return Reach {
                pairs: self.causal(1.0, most),
                rows: self.cached(),
            };
        }
        let pairs = self.over(self.context.min(most)).pairs;
        Reach {
            pairs,
            rows: pairs.min(self.cached()),
        }
    }

    /// Returns the work of attention to a sliding window and to compressed entries.
    pub fn compressed(&self, shape: &Compressed) -> Reach {
        let window = f64::from(shape.window);
        let kept = self.context.min(window);
        let Some(ratio) = shape.ratio.map(f64::from) else {
            return self.grouped(&ContextSpan::Window(shape.window));
        };
        let entries = self.context / ratio;
        let most = shape
            .index
            .map_or(f64::INFINITY, |index| f64::from(index.top_k));
        if self.prompt {
            return Reach {
                pairs: self.causal(1.0, window) + self.causal(ratio, most),
                rows: (kept + entries) / self.shards,
            };
        }
        let near = self.over(kept);
        let far = self.over(entries.min(most));
        let far_rows = match shape.index {
            Some(_) => far.pairs.min(self.over(entries).rows),
            None => far.rows,
        };
        Reach {
            pairs: near.pairs + far.pairs,
            rows: near.rows + far_rows,
        }
    }
}

/// Size in bytes of the KV cache or recurrent state of one sequence in one layer, on a GPU that holds 1/tp of the
/// heads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cache {
    /// Cache bytes that are added per token of context.
    pub grow: f64,
    /// Cache bytes for a window or chunk of recent tokens. They grow with the context until the window or chunk is
    /// full.
    pub cap: f64,
    /// Bytes of saved recurrent states, or of the buffers for unfinished entries of compressed attention. They do not
    /// depend on the context.
    pub state: f64,
}

impl Cache {
    /// Returns the cache size of a mixer for a sequence with `context` tokens and `slots` saved states.
    ///
    /// GQA has ⌈n_kv/tp⌉ rows per GPU, so beyond `tp = n_kv`, KV heads are duplicated ([H] 2). MLA and compressed
    /// attention have one row on every GPU, whatever `tp` is ([A] 3.1.1). A sparse-attention index adds its keys.
    pub fn of(mixer: &Mixer, precision: &Precision, tp: u32, context: f64, slots: f64) -> Self {
        let c = precision.kv;
        let keys = own_index_bytes(mixer.index(), precision);
        match mixer {
            Mixer::Grouped(shape) => {
                let row = grouped_row(shape, tp) * c;
                let last = match shape.span {
                    ContextSpan::Window(tokens) | ContextSpan::Chunk(tokens) => {
                        Some(f64::from(tokens))
                    }
                    ContextSpan::Full | ContextSpan::Index(_) => None,
                };
                Self {
                    grow: if last.is_some() { 0.0 } else { row + keys },
                    cap: last.map_or(0.0, |last| row * context.min(last)),
                    state: 0.0,
                }
            }
            Mixer::Latent(shape) => Self {
                grow: latent_row(shape) * c + keys,
                cap: 0.0,
                state: 0.0,
            },
            Mixer::Compressed(shape) => {
                let row = f64::from(shape.head_dim) * c;
                let index = shape.index.filter(|index| !index.shared);
                let own = index.map_or(0.0, |index| f64::from(index.head_dim));
                // FP32 buffers of keys, values and gates until an entry is full.
                let buffered = |ratio: u32| {
                    let tokens = f64::from(ratio) * f64::from(shape.copies());
                    8.0 * tokens * (f64::from(shape.head_dim) + own)
                };
                Self {
                    grow: shape
                        .ratio
                        .map_or(0.0, |ratio| (row + keys) / f64::from(ratio)),
                    cap: row * context.min(f64::from(shape.window)),
                    state: shape.ratio.map_or(0.0, buffered),
                }
            }
            Mixer::GatedDelta(_) | Mixer::Kda(_) | Mixer::Lightning(_) | Mixer::Mamba2(_) => Self {
                grow: 0.0,
                cap: 0.0,
                state: slots
                    * super::recurrent::RecurrentState::of(mixer, tp).map_or(0.0, |s| s.bytes()),
            },
        }
    }
}

/// Returns the cache elements per token and GPU for GQA, which has ⌈n_kv/tp⌉ rows.
pub fn grouped_row(shape: &Grouped, tp: u32) -> f64 {
    f64::from(shape.kv_heads.div_ceil(tp)) * f64::from(shape.row())
}

/// Returns the cache elements per token for MLA, which are the same on every GPU.
pub fn latent_row(shape: &Latent) -> f64 {
    f64::from(shape.kv_rank) + f64::from(shape.rope_dim)
}

/// Returns the bytes of index keys per context token in one layer. They are included in [`Cache::grow`].
pub fn index_per_token(mixer: &Mixer, precision: &Precision) -> f64 {
    let keys = own_index_bytes(mixer.index(), precision);
    match mixer {
        Mixer::Compressed(shape) => shape.ratio.map_or(0.0, |ratio| keys / f64::from(ratio)),
        _ => keys,
    }
}

/// Returns the bytes of index keys per token, or per entry if the cache is compressed. The result is 0 if the layer
/// has no index or shares that of another layer.
pub fn own_index_bytes(index: Option<Index>, precision: &Precision) -> f64 {
    match index {
        Some(index) if !index.shared => {
            f64::from(index.head_dim) * precision.kv_index / f64::from(index.pool)
        }
        _ => 0.0,
    }
}

impl KvLayout {
    /// Returns the bytes per element of a KV cache in this layout; `None` for a model with neither MLA nor compressed
    /// attention.
    ///
    /// In MLA, each latent element takes one byte, every 128 latents take four bytes of scale, and rotary positions
    /// take two bytes each. This gives 656 B for 576 elements. DeepSeek-V4 takes 584 B for 512 elements, including 64
    /// rotary ones. Source: vLLM, `fp8_ds_mla`.
    pub fn bytes(self, arch: &Arch) -> Option<f64> {
        let Self::Fp8DsMla = self;
        arch.mixers().iter().find_map(|part| match part.shape {
            Mixer::Latent(shape) => {
                let (latents, rotary) = (f64::from(shape.kv_rank), f64::from(shape.rope_dim));
                Some((latents * (1.0 + 4.0 / 128.0) + 2.0 * rotary) / (latents + rotary))
            }
            Mixer::Compressed(shape) => {
                let elements = f64::from(shape.head_dim);
                Some((elements + 64.0 + 8.0) / elements)
            }
            _ => None,
        })
    }
}
