//! Bytes per element of each tensor type, and the compute formats that select the peak FLOP/s.

use crate::named::named;

named! {
    /// A compute format with a separate peak FLOP/s in accelerator specifications.
    pub enum Format {
        /// bfloat16, or FP16 on accelerators that support only FP16.
        Bf16 = "bf16",
        /// 8-bit floating point.
        Fp8 = "fp8",
        /// 4-bit floating point.
        Fp4 = "fp4",
    }
}

impl Format {
    /// Returns the wider of two formats: the format with more bits.
    #[must_use]
    pub const fn wider(self, other: Self) -> Self {
        match (self as u8) < other as u8 {
            true => self,
            false => other,
        }
    }
}

named! {
    /// A KV-cache layout that mixes several element widths.
    pub enum KvLayout {
        /// vLLM's FP8 layout of MLA cache rows: one byte per latent element, an FP32 scale per 128 elements, and
        /// rotary positions in BF16.
        Fp8DsMla = "fp8_ds_mla",
    }
}

/// Bytes per element of weights, caches and activations, and the compute formats of attention and the FFN.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Precision {
    /// Bytes per element of attention weights.
    pub attention_weights: f64,
    /// Bytes per element of the weights of routed experts. Step times also use it for shared experts, router and
    /// latent projections.
    pub ffn_weights: f64,
    /// Bytes per element of the weights of dense FFN layers. Engine memory also uses it for replicated shared experts
    /// and the experts' latent projections.
    pub dense_weights: f64,
    /// Bytes per element of the stored weights of the input embedding, output head and router.
    pub embedding: f64,
    /// Bytes per element of the KV cache.
    pub kv: f64,
    /// Bytes per element of the keys cached by a sparse-attention indexer, their scales included.
    pub kv_index: f64,
    /// Bytes per element of the activations between operators.
    pub activations: f64,
    /// Bytes per element of the tokens dispatched to experts.
    pub dispatch: f64,
    /// Bytes per element of the combined expert outputs.
    pub combine: f64,
    /// Compute format of attention and of the output head.
    pub attention_format: Format,
    /// Compute format of the FFN.
    pub ffn_format: Format,
}

named! {
    /// Precisions that a permalink can select by name.
    pub enum NamedPrecision {
        /// FP8 weights and expert compute; BF16 KV cache and attention compute. Source: [A] 3.5.
        DeepseekFp8 = "deepseek-fp8",
        /// Two bytes per element, except for the index keys of sparse attention. Source: [B], [L].
        Bf16 = "bf16",
        /// Half a byte per element, except for the index keys of sparse attention. Source: [H] Appendix A.
        Fp4 = "fp4",
        /// Bytes per element and compute formats of the model's released checkpoint; two bytes per element for a
        /// custom model.
        Released = "released",
    }
}

impl NamedPrecision {
    /// Returns the precision of this name, independent of the model. For `Released`, this is the precision of a
    /// custom model.
    pub const fn precision(self) -> Precision {
        match self {
            Self::DeepseekFp8 => Precision {
                attention_weights: 1.0,
                ffn_weights: 1.0,
                dense_weights: 1.0,
                embedding: 1.0,
                kv: 2.0,
                kv_index: INDEX_KEYS,
                activations: 2.0,
                dispatch: 1.0,
                combine: 2.0,
                attention_format: Format::Bf16,
                ffn_format: Format::Fp8,
            },
            Self::Bf16 | Self::Released => uniform(2.0, Format::Bf16),
            Self::Fp4 => uniform(0.5, Format::Fp4),
        }
    }
}

/// Bytes per element of cached index keys: FP8 with an FP32 scale per 128 elements. Does not depend on the other
/// precisions. Source: DeepSeek-V3.2-Exp, inference/kernel.
const INDEX_KEYS: f64 = 1.03125;

const fn uniform(bytes: f64, format: Format) -> Precision {
    Precision {
        attention_weights: bytes,
        ffn_weights: bytes,
        dense_weights: bytes,
        embedding: bytes,
        kv: bytes,
        kv_index: INDEX_KEYS,
        activations: bytes,
        dispatch: bytes,
        combine: bytes,
        attention_format: format,
        ffn_format: format,
    }
}
