//! An operator of a layer (kind, kernel class, work, traffic), and a list of them.

use crate::arch::Arch;
use crate::named::named;
use crate::units::{Bytes, Flop};

named! {
    /// Role of an operator in the model; sets its block, color and calibration.
    pub enum OperatorRole {
        /// Attention with its projections and cache.
        Attention = "attention",
        /// Dense FFN layers.
        Dense = "dense_ffn",
        /// Router, routed and shared experts.
        Experts = "moe",
        /// The output head.
        Head = "head",
    }
}

impl OperatorRole {
    /// Layers of `arch` with operators of this role.
    pub fn layers(self, arch: &Arch) -> u32 {
        match self {
            Self::Attention => arch.mixer_layers(),
            Self::Dense => arch.dense_layers(),
            Self::Experts => arch.expert_layers(),
            Self::Head => 1,
        }
    }
}

/// Kind of operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the rows of the operator tables")]
pub enum Kind {
    Query,
    QueryDown,
    QueryUp,
    KvDown,
    Kv,
    Gate,
    Compress,
    IndexQuery,
    IndexKey,
    IndexScore,
    TopK,
    KeyAbsorb,
    KeyUp,
    ValueUp,
    Qkv,
    Score,
    Context,
    Attention,
    ValueAbsorb,
    InProj,
    GateUp,
    Conv,
    Recurrence,
    OutA,
    OutB,
    Out,
    KvWrite,
    Residual,
    Dense,
    Router,
    LatentDown,
    Experts,
    LatentUp,
    Shared,
    Head,
}

impl Kind {
    /// Identifier in results.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Query => "q",
            Self::QueryDown => "q_down",
            Self::QueryUp => "q_up",
            Self::KvDown => "kv_down",
            Self::Kv => "kv",
            Self::Gate => "gate",
            Self::Compress => "compress",
            Self::IndexQuery => "index_q",
            Self::IndexKey => "index_k",
            Self::IndexScore => "index_score",
            Self::TopK => "top_k",
            Self::KeyAbsorb => "k_absorb",
            Self::KeyUp => "k_up",
            Self::ValueUp => "v_up",
            Self::Qkv => "qkv",
            Self::Score => "score",
            Self::Context => "context",
            Self::Attention => "attention",
            Self::ValueAbsorb => "v_absorb",
            Self::InProj => "in_proj",
            Self::GateUp => "gate_up",
            Self::Conv => "conv",
            Self::Recurrence => "recurrence",
            Self::OutA => "out_a",
            Self::OutB => "out_b",
            Self::Out => "out",
            Self::KvWrite => "kv_write",
            Self::Residual => "residual",
            Self::Dense => "dense",
            Self::Router => "router",
            Self::LatentDown => "latent_down",
            Self::Experts => "experts",
            Self::LatentUp => "latent_up",
            Self::Shared => "shared",
            Self::Head => "head",
        }
    }

    /// Role in the model.
    pub const fn role(self) -> OperatorRole {
        match self {
            Self::Dense => OperatorRole::Dense,
            Self::Router | Self::LatentDown | Self::Experts | Self::LatentUp | Self::Shared => {
                OperatorRole::Experts
            }
            Self::Head => OperatorRole::Head,
            _ => OperatorRole::Attention,
        }
    }

    /// Class of its kernels, unless the operator has another: latent and sparse cores, fused experts.
    pub const fn kernel_class(self) -> KernelClass {
        match self {
            Self::Score | Self::Context | Self::Attention => KernelClass::GroupedCore,
            Self::Experts => KernelClass::Experts,
            Self::KvWrite => KernelClass::Copy,
            Self::Dense | Self::Shared => KernelClass::FfnPair,
            Self::Router | Self::LatentDown | Self::LatentUp => KernelClass::Ffn,
            Self::Residual => KernelClass::Residual,
            Self::IndexScore => KernelClass::IndexScore,
            Self::TopK => KernelClass::TopK,
            Self::Conv => KernelClass::Conv,
            Self::Recurrence => KernelClass::Recurrence,
            Self::Head => KernelClass::Head,
            _ => KernelClass::Projection,
        }
    }

    /// True for the attention kernel, which HOP-B overlaps with Helix's exchange.
    pub const fn is_attention_core(self) -> bool {
        matches!(self, Self::Score | Self::Context | Self::Attention)
    }

    /// True for the sparse-attention index.
    pub const fn is_index(self) -> bool {
        matches!(
            self,
            Self::IndexQuery | Self::IndexKey | Self::IndexScore | Self::TopK
        )
    }

    /// True for operators that run on the memory device under model–attention disaggregation, where the cache is:
    /// the attention kernel, cache writes, and the decompression of MLA as written. Source: [L] 3.1.
    pub const fn needs_cache(self) -> bool {
        self.is_attention_core() || matches!(self, Self::KeyUp | Self::ValueUp | Self::KvWrite)
    }
}

/// Kernel class of an operator; sets its launch latency and efficiencies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KernelClass {
    /// A GEMM of attention.
    Projection,
    /// The output head.
    Head,
    /// A GEMM of the FFN.
    Ffn,
    /// Two dependent GEMMs: a gated FFN.
    FfnPair,
    /// Maps between streams of the residual at both sites of a layer.
    Residual,
    /// GQA over the cache.
    GroupedCore,
    /// MLA over the cache, and attention to compressed entries.
    LatentCore,
    /// Attention to selected or compressed rows in prefill.
    SparsePrefill,
    /// Scores of an index.
    IndexScore,
    /// Selection by an index.
    TopK,
    /// A convolution.
    Conv,
    /// A recurrence.
    Recurrence,
    /// Grouped GEMMs of routed experts, tokens dispatched to them.
    Experts,
    /// Routed experts where every GPU has every token, which one fused kernel sorts.
    FusedExperts,
    /// A copy that overlaps with everything else.
    Copy,
}

/// One operator of a layer on one GPU: its work and its traffic.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Operator {
    /// Kind of operator.
    pub kind: Kind,
    /// Class of its kernels.
    pub kernel: KernelClass,
    /// Compute.
    pub flop: Flop,
    /// Weights read.
    pub weights: Bytes,
    /// KV cache, index keys or state, read or written.
    pub kv: Bytes,
    /// Activations read and written.
    pub activations: Bytes,
    /// Rows of its GEMM, which fill tiles; infinite for an operator without tiles.
    pub rows: f64,
    /// Increase per token of context in every sequence; zero except for the attention kernel.
    pub per_context_token: PerToken,
}

/// Compute and cache reads of one token of context in every sequence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PerToken {
    /// Compute.
    pub flop: Flop,
    /// Cache read.
    pub kv: Bytes,
}

impl PerToken {
    /// No work.
    pub const NONE: Self = Self {
        flop: Flop::ZERO,
        kv: Bytes::ZERO,
    };
}

impl KernelClass {
    /// Number of classes.
    pub const COUNT: usize = Self::Copy as usize + 1;

    /// Most rows that may be matrix–vector products: any of GEMMs of whole matrices – projections, the head, the FFN
    /// without routed experts –, one of experts.
    pub const fn most_vectors(self) -> f64 {
        match self {
            Self::Projection | Self::Head | Self::Ffn | Self::FfnPair => f64::INFINITY,
            Self::Experts | Self::FusedExperts => 1.0 + 1e-9,
            _ => 0.0,
        }
    }
}

impl Operator {
    const NONE: Self = Self {
        kind: Kind::Head,
        kernel: KernelClass::Head,
        flop: Flop::ZERO,
        weights: Bytes::ZERO,
        kv: Bytes::ZERO,
        activations: Bytes::ZERO,
        rows: f64::INFINITY,
        per_context_token: PerToken::NONE,
    };

    /// All memory traffic: weights, KV and activations.
    pub fn bytes(&self) -> Bytes {
        self.weights + self.kv + self.activations
    }
}

const CAPACITY: usize = 16;

/// The operators of one part of a layer, in order; a fixed array, so that a sweep never allocates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Operators {
    items: [Operator; CAPACITY],
    len: usize,
}

impl Operators {
    /// No operators.
    pub const EMPTY: Self = Self {
        items: [Operator::NONE; CAPACITY],
        len: 0,
    };

    /// Empties the list without clearing its memory.
    pub(super) const fn clear(&mut self) {
        self.len = 0;
    }

    /// Appends an operator. The longest list (MLA with a gate and an index, unfused, among
    /// several streams of the residual) has fifteen.
    pub(crate) fn push(&mut self, operator: Operator) {
        debug_assert!(self.len < CAPACITY);
        if let Some(slot) = self.items.get_mut(self.len) {
            *slot = operator;
            self.len += 1;
        }
    }

    /// The operators whose kind `keep` accepts, in order.
    #[must_use]
    pub fn only(&self, keep: impl Fn(Kind) -> bool) -> Self {
        let mut kept = Self::EMPTY;
        for operator in self.as_slice() {
            if keep(operator.kind) {
                kept.push(*operator);
            }
        }
        kept
    }

    /// The operators in order.
    pub fn as_slice(&self) -> &[Operator] {
        &self.items[..self.len]
    }
}
