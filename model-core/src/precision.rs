//! Bytes per element and the compute formats that select a peak.

use crate::named::named;

named! {
    /// A compute format with a separate peak.
    pub enum Format {
        /// bfloat16 (or FP16, where an accelerator has that instead).
        Bf16 = "bf16",
        /// 8-bit floating point.
        Fp8 = "fp8",
        /// 4-bit floating point.
        Fp4 = "fp4",
    }
}

impl Format {
    /// The format with more bits of two.
    #[must_use]
    pub const fn wider(self, other: Self) -> Self {
        match (self as u8) < other as u8 {
            true => self,
            false => other,
        }
    }
}

named! {
    /// A KV-cache layout of several element widths.
    pub enum KvLayout {
        /// vLLM's FP8 rows of MLA: a byte per latent with an FP32 scale per 128, rotary positions in BF16.
        Fp8DsMla = "fp8_ds_mla",
    }
}

/// Bytes per element by use, and the compute formats of attention and FFN.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Precision {
    /// Attention weights, bytes per element.
    pub attention_weights: f64,
    /// FFN weights, bytes per element; with experts those of the routed ones.
    pub ffn_weights: f64,
    /// Weights of dense layers, replicated shared experts and latent projections of experts, bytes per element.
    pub dense_weights: f64,
    /// Input embedding, output head and router in memory, bytes per element.
    pub embedding: f64,
    /// KV cache, bytes per element.
    pub kv: f64,
    /// Keys of an index, bytes per element with their scales.
    pub kv_index: f64,
    /// Activations between operators, bytes per element.
    pub activations: f64,
    /// Dispatched tokens, bytes per element.
    pub dispatch: f64,
    /// Combined expert outputs, bytes per element.
    pub combine: f64,
    /// Format of attention (and of the output head).
    pub attention_format: Format,
    /// Format of the FFN.
    pub ffn_format: Format,
}

named! {
    /// The precisions with a name.
    pub enum NamedPrecision {
        /// FP8 weights and experts, BF16 cache and attention compute. Source: [A] 3.5.
        DeepseekFp8 = "deepseek-fp8",
        /// Two bytes everywhere. Source: [B], [L].
        Bf16 = "bf16",
        /// Half a byte everywhere. Source: [H] Appendix A.
        Fp4 = "fp4",
        /// Bytes and formats of the model's released checkpoint; two bytes for a custom shape.
        Released = "released",
    }
}

impl NamedPrecision {
    /// The precision of this name, whatever the model; of a checkpoint, that of a custom shape.
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

/// FP8 with an FP32 scale per 128 elements, for any precision of the rest. Source: DeepSeek-V3.2-Exp,
/// inference/kernel.
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
