//! Tokens that each mixer attends to, and its cache or state.

use super::{Load, PromptTokens};
use crate::arch::{Arch, Compressed, ContextSpan, Grouped, Index, Latent, Mixer};
use crate::precision::{KvLayout, Precision};

/// Work of attention in one layer on one GPU.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reach {
    /// Query–key pairs, or pairs of a query and a compressed entry.
    pub pairs: f64,
    /// Cache rows read.
    pub rows: f64,
}

impl Load {
    /// Tokens of a sequence's context on one GPU, s = S/kvp.
    pub fn local(&self) -> f64 {
        self.context / self.shards
    }

    /// Cached tokens on one GPU, b s.
    pub fn cached(&self) -> f64 {
        self.sequences * self.local()
    }

    /// Tokens whose index keys are read, b s; in prefill, those that the pass writes.
    pub fn keyed(&self) -> f64 {
        if self.prompt {
            self.group_tokens / self.shards
        } else {
            self.cached()
        }
    }

    /// Rows of keys and values that a prefill pass attends to: m R with R = c + n (J+1)/(2J), the mean over chunks.
    pub fn key_rows(&self) -> f64 {
        let prompt = PromptTokens {
            new: self.context - self.prefix,
            cached: self.prefix,
            chunks: self.chunks,
        };
        self.sequences * prompt.rows()
    }

    /// Causal pairs on one GPU, where each token attends to one entry per `ratio` earlier tokens, at most `most`: for
    /// a prompt of P tokens P²/(2r) while P ≤ k r, then k P − k² r/2.
    pub fn causal(&self, ratio: f64, most: f64) -> f64 {
        self.over_chunks(|prompt| {
            if prompt <= most * ratio {
                prompt * prompt / (2.0 * ratio)
            } else {
                most * prompt - most * most * ratio / 2.0
            }
        }) / self.shards
    }

    /// Pairs of a pass, `until(P)` those of the first P tokens of a prompt: the new tokens' share, the mean over
    /// chunks.
    fn over_chunks(&self, until: impl Fn(f64) -> f64) -> f64 {
        let before = if self.prefix > 0.0 {
            until(self.prefix)
        } else {
            0.0
        };
        self.sequences * (until(self.context) - before) / self.chunks
    }

    /// Reads and writes of a state: read once per sequence and written once per token (drafts are verified from saved
    /// states); in prefill, once each.
    pub fn state_touches(&self) -> f64 {
        if self.prompt {
            2.0 * self.sequences
        } else {
            self.sequences + self.group_tokens
        }
    }

    /// Attention to the whole context.
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

    /// Attention of each decoded token to `tokens` of a sequence, the same for all its tokens.
    fn over(&self, tokens: f64) -> Reach {
        let local = tokens / self.shards;
        Reach {
            pairs: self.group_tokens * local,
            rows: self.sequences * local,
        }
    }

    /// GQA; in chunked attention a token attends to half a chunk on average.
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

    /// Attention to selected tokens: each draft token selects its own rows.
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

    /// Attention to a window and to compressed entries.
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

/// Cache or state of one sequence and layer on a GPU that holds 1/tp of the heads, in bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cache {
    /// Per token of context.
    pub grow: f64,
    /// For the last tokens, at any context.
    pub cap: f64,
    /// A state of constant size.
    pub state: f64,
}

impl Cache {
    /// The cache of a mixer whose sequence has `context` tokens and `slots` states.
    ///
    /// Grouped: ⌈n_kv/tp⌉ rows, so beyond `tp = n_kv` heads are duplicated ([H] 2). Latent and
    /// compressed: one row on every GPU, whatever `tp` ([A] 3.1.1). An indexer adds its keys.
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

/// Cache elements of one token of GQA: ⌈n_kv/tp⌉ rows.
pub fn grouped_row(shape: &Grouped, tp: u32) -> f64 {
    f64::from(shape.kv_heads.div_ceil(tp)) * f64::from(shape.row())
}

/// Cache elements of one token of MLA.
pub fn latent_row(shape: &Latent) -> f64 {
    f64::from(shape.kv_rank) + f64::from(shape.rope_dim)
}

/// Bytes of index keys per token of context in a layer; part of [`Cache::grow`].
pub fn index_per_token(mixer: &Mixer, precision: &Precision) -> f64 {
    let keys = own_index_bytes(mixer.index(), precision);
    match mixer {
        Mixer::Compressed(shape) => shape.ratio.map_or(0.0, |ratio| keys / f64::from(ratio)),
        _ => keys,
    }
}

/// Bytes of index keys per token (per entry if compressed), for a layer with its own index.
pub fn own_index_bytes(index: Option<Index>, precision: &Precision) -> f64 {
    match index {
        Some(index) if !index.shared => {
            f64::from(index.head_dim) * precision.kv_index / f64::from(index.pool)
        }
        _ => 0.0,
    }
}

impl KvLayout {
    /// Bytes per element of a cache in this layout; `None` for a model without MLA.
    ///
    /// MLA: a byte for each latent, four of scale for 128, rotary positions in two bytes: 656 B for 576 elements.
    /// DeepSeek-V4: 584 B for 512, of which 64 are rotary. Source: vLLM, `fp8_ds_mla`.
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
