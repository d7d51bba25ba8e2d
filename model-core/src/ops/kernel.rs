//! Variants of the attention kernel.

use crate::named::named;

/// Variant of the attention kernel: form of MLA, and fusion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kernel {
    /// Form of MLA; ignored for GQA.
    pub latent: LatentForm,
    /// Attention as one fused kernel, or as two kernels: one for the scores, one for their product with the values.
    pub fusion: Fusion,
}

named! {
    /// Forms of MLA, which differ in the order of multiplications.
    pub enum LatentForm {
        /// The key and value up-projections are absorbed into queries and outputs. Source: [A] 3.2.3, [B] eqs 7–8.
        Absorbed = "absorbed",
        /// Keys and values of every cached token are decompressed. Source: [A] 3.2.2.
        Plain = "plain",
    }
}

named! {
    /// Attention as one fused kernel, or as two kernels: one for the scores, one for their product with the values.
    pub enum Fusion {
        /// One kernel, such as FlashAttention or FlashMLA: the cache is read once, and scores stay on chip.
        Fused = "fused",
        /// Two kernels that exchange the score matrix through memory. Source: [B] Table III.
        Unfused = "unfused",
    }
}
