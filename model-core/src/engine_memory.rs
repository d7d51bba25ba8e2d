//! Settings of an engine that determine its memory.

use crate::named::named;
use crate::units::Bytes;

named! {
    /// Memory of lookup tables.
    pub enum Table {
        /// HBM.
        Hbm = "hbm",
        /// Host memory.
        Host = "host",
    }
}

/// Memory model of a scenario.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(
    clippy::large_enum_variant,
    reason = "scenarios are copied whole, and a sweep never allocates"
)]
pub enum MemoryModel {
    /// Weights, cache, and the activations of a decode step: versions 1 and 2.
    Model,
    /// Weights as loaded, paged cache, engine memory: version 3.
    Engine(Habits),
}

/// Settings of an engine, and values that replace its computed memory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Habits {
    /// Tokens of the largest pass, T.
    pub tokens: f64,
    /// Sequences of the largest pass, S; a larger batch of a group counts itself.
    pub sequences: f64,
    /// FP32 copies of the logits while sampling, c.
    pub logits: f64,
    /// CUDA graphs captured, n; `None`: by the sequences.
    pub graphs: Option<f64>,
    /// Tokens of the longest admitted sequence.
    pub longest: f64,
    /// Engine memory, if set.
    pub engine: Option<Bytes>,
    /// Total weights of a GPU, if set.
    pub weights: Option<Bytes>,
    /// Encoder of images or sound.
    pub encoder: Bytes,
    /// Lookup tables in HBM, whole on every GPU.
    pub table: Bytes,
    /// Expert widths are padded to multiples of this.
    pub expert_multiple: u32,
}

impl Habits {
    /// FP32 copies of the logits in vLLM since about 0.19; 9.6 before, when top-k and top-p had their own.
    pub const LOGITS: f64 = 2.5;
    /// Longest sequence of a model with an unknown limit.
    pub const LONGEST: f64 = 131_072.0;

    /// vLLM's defaults on a GPU with `usable` memory, in passes of `tokens`. Source: start-up logs, 2026-11.
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

    /// Default tokens of the largest pass: vLLM's, by GPU memory.
    pub fn pass_tokens(usable: Bytes) -> f64 {
        match usable.as_gib() {
            gib if gib < 70.0 => 2048.0,
            gib if gib < 160.0 => 8192.0,
            _ => 16_384.0,
        }
    }

    /// CUDA graphs captured for batches up to S, piecewise and full: vLLM's.
    pub fn captured(&self, sequences: f64) -> f64 {
        self.graphs.unwrap_or(match sequences {
            s if s <= 64.0 => 11.0,
            s if s <= 128.0 => 19.0,
            s if s <= 256.0 => 35.0,
            _ => 86.0,
        })
    }
}
