//! Engine settings that determine how much memory the engine uses.

use crate::named::named;
use crate::units::Bytes;

named! {
    /// Memory in which an LLM's lookup tables are stored.
    pub enum Table {
        /// Lookup tables are stored in HBM.
        Hbm = "hbm",
        /// Lookup tables are stored in host memory.
        Host = "host",
    }
}

/// Method for computing the memory of a scenario.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(
    clippy::large_enum_variant,
    reason = "scenarios are copied whole, and a sweep never allocates"
)]
pub enum MemoryModel {
    /// Counts weights, KV cache, and the activations of a decode step; used by permalink versions 1 and 2.
    Model,
    /// Counts weights as loaded, a paged KV cache, and engine memory; used by permalink version 3.
    Engine(Habits),
}

/// Engine settings that determine how much memory the engine uses, and values that replace computed ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Habits {
    /// Tokens in the largest pass, T.
    pub tokens: f64,
    /// Sequences in the largest pass, S. If an attention group has a larger batch, that batch is used instead.
    pub sequences: f64,
    /// Number of FP32 copies of the logits during sampling, c.
    pub logits: f64,
    /// Number of CUDA graphs captured, n; `None` to derive it from the number of sequences.
    pub graphs: Option<f64>,
    /// Tokens in the longest sequence that the engine admits.
    pub longest: f64,
    /// Engine memory set by the user in place of the computed one; `None` if not set.
    pub engine: Option<Bytes>,
    /// Total weights per GPU set by the user in place of the computed ones; `None` if not set.
    pub weights: Option<Bytes>,
    /// Weights of an image or audio encoder.
    pub encoder: Bytes,
    /// Size of the lookup tables in HBM; every GPU has a whole copy.
    pub table: Bytes,
    /// Expert widths are padded to a multiple of this number.
    pub expert_multiple: u32,
}

impl Habits {
    /// Number of FP32 copies of the logits in vLLM since about version 0.19. Earlier versions had 9.6, because top-k
    /// and top-p made separate copies.
    pub const LOGITS: f64 = 2.5;
    /// Longest sequence, in tokens, of an LLM whose context limit is unknown.
    pub const LONGEST: f64 = 131_072.0;

    /// Returns vLLM's default settings on a GPU with `usable` memory, for passes of `tokens` tokens. Source: start-up
    /// logs, 2026-11.
    pub fn of(usable: Bytes, tokens: f64, context: f64) -> Self {
        Self {
            tokens,
            sequences: if usable.as_gib() < 70.0 {
                256.0
            } else {
                1024.0
            },
            logits: Self::LOGITS,
            graphs: None,
            longest: context.max(Self::LONGEST),
            engine: None,
            weights: None,
            encoder: Bytes::ZERO,
            table: Bytes::ZERO,
            expert_multiple: 1,
        }
    }

    /// Returns vLLM's default for the number of tokens in the largest pass, which depends on GPU memory.
    pub fn pass_tokens(usable: Bytes) -> f64 {
        match usable.as_gib() {
            gib if gib < 70.0 => 2048.0,
            gib if gib < 160.0 => 8192.0,
            _ => 16_384.0,
        }
    }

    /// Returns the number of CUDA graphs (piecewise and full) that vLLM captures for batches of up to S sequences.
    pub fn captured(&self, sequences: f64) -> f64 {
        self.graphs.unwrap_or(match sequences {
            s if s <= 64.0 => 11.0,
            s if s <= 128.0 => 19.0,
            s if s <= 256.0 => 35.0,
            _ => 86.0,
        })
    }
}
