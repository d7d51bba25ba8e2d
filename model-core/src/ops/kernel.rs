//! Kernels of attention.

use crate::named::named;

/// The form of MLA, and its fusion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kernel {
    /// The form of MLA; ignored for GQA.
    pub latent: LatentForm,
    /// Fusion of score and context into one kernel.
    pub fusion: Fusion,
}

named! {
    /// Orders of multiplication of MLA.
    pub enum LatentForm {
        /// Key and value up-projections are applied to queries and outputs. Source: [A] 3.2.3, [B] eqs 7–8.
        Absorbed = "absorbed",
        /// Keys and values are decompressed for every cached token. Source: [A] 3.2.2.
        Plain = "plain",
    }
}

named! {
    /// Fusion of score and context into one kernel.
    pub enum Fusion {
        /// FlashAttention, FlashMLA: the cache is read once, scores stay on the chip.
        Fused = "fused",
        /// Two kernels with the score matrix in memory between them. Source: [B] Table III.
        Unfused = "unfused",
    }
}
