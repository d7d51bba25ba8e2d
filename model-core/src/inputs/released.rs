//! Bytes per element and number formats in use: those of a named precision, or of the model's released checkpoint.

use std::fmt;

use super::{Inputs, Model, Number};
use crate::precision::{Format, KvLayout, NamedPrecision, Precision};

/// Released weights in a format for which the accelerator has no peak, so that kernels unpack them to 16 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FallBack {
    /// Format of the weights.
    pub weights: &'static str,
    /// Name of the accelerator.
    pub gpu: &'static str,
}

impl fmt::Display for FallBack {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { weights, gpu } = self;
        write!(
            out,
            "{gpu} does not support {weights} compute; these weights run in BF16"
        )
    }
}

impl Inputs {
    /// Returns the named precision for the model and the accelerator. For a released checkpoint, the FFN computes in
    /// BF16 if the accelerator lacks the format that the checkpoint needs, as in engines.
    pub fn named_precision(&self) -> Precision {
        let (NamedPrecision::Released, Model::Catalog(entry)) = (self.precision, self.model) else {
            return self.precision.precision();
        };
        let checkpoint = entry.released.checkpoint();
        let peaks = self.accelerator().peaks;
        let ffn_format = match peaks.of(checkpoint.ffn_needs) {
            Some(_) => checkpoint.ffn_format,
            None => Format::Bf16,
        };
        Precision {
            attention_weights: checkpoint.rest,
            ffn_weights: checkpoint.experts,
            dense_weights: checkpoint.rest,
            dispatch: if ffn_format == Format::Bf16 { 2.0 } else { 1.0 },
            ffn_format,
            ..NamedPrecision::Bf16.precision()
        }
    }

    /// Returns the KV-cache layout of the released checkpoint; `None` for another precision or a custom model.
    pub(super) const fn default_layout(&self) -> Option<KvLayout> {
        match (self.precision, self.model) {
            (NamedPrecision::Released, Model::Catalog(entry)) => entry.released.checkpoint().cache,
            _ => None,
        }
    }

    /// Returns the precision in use, with overrides applied.
    pub fn precision(&self) -> Precision {
        let named = self.named_precision();
        let ffn_weights = self.real(Number::FfnWeightBytes);
        let released = self.version.starts_as_engines_do()
            && self.precision == NamedPrecision::Released
            && self.model.arch().is_moe();
        Precision {
            attention_weights: self.real(Number::AttentionWeightBytes),
            ffn_weights,
            dense_weights: if released {
                named.dense_weights
            } else {
                ffn_weights
            },
            embedding: match self.version.starts_as_engines_do() {
                true => 2.0,
                false => self.real(Number::AttentionWeightBytes),
            },
            kv: self.real(Number::KvBytes),
            kv_index: self.real(Number::IndexKeyBytes),
            activations: self.real(Number::ActivationBytes),
            dispatch: self.real(Number::DispatchBytes),
            combine: self.real(Number::CombineBytes),
            attention_format: self.attention_format.unwrap_or(named.attention_format),
            ffn_format: self.ffn_format.unwrap_or(named.ffn_format),
        }
    }

    /// Returns the released weights that run in BF16 because the accelerator lacks their format.
    pub fn fall_backs(&self) -> Vec<FallBack> {
        let (NamedPrecision::Released, Model::Catalog(entry)) = (self.precision, self.model) else {
            return Vec::new();
        };
        let checkpoint = entry.released.checkpoint();
        let gpu = self.gpu.name();
        let peaks = self.accelerator().peaks;
        let lacks = |needs: Format| peaks.of(needs).is_none();
        let mut found = Vec::new();
        if lacks(checkpoint.rest_format) {
            let weights = "FP8";
            found.push(FallBack { weights, gpu });
        }
        let narrowest = FallBack {
            weights: entry.released.narrowest(),
            gpu,
        };
        if self.ffn_format.is_none() && lacks(checkpoint.ffn_needs) && !found.contains(&narrowest) {
            found.push(narrowest);
        }
        found
    }
}
