//! Operator of a layer (kind, kernel class, compute, traffic), and the list of operators.

use crate::arch::Arch;
use crate::named::named;
use crate::units::{Bytes, Flop};

named! {
    /// Role of an operator in the LLM, which determines its block, color and calibration.
    pub enum OperatorRole {
        /// Attention or another mixer, with its projections and its KV cache or state.
        Attention = "attention",
        /// FFN of dense layers.
        Dense = "dense_ffn",
        /// MoE: router, routed experts and shared experts.
        Experts = "moe",
        /// The output head.
        Head = "head",
    }
}

impl OperatorRole {
    /// Returns the number of layers of `arch` that have operators of this role.
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
#[allow(
    missing_docs,
    reason = "each name corresponds to a row of the operator tables"
)]
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
    /// Returns the identifier of the operator kind used in results.
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

    /// Returns the role of the operator in the LLM.
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

    /// Returns the default kernel class for this kind of operator. Latent and sparse attention kernels and fused
    /// experts override the default.
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

    /// Returns true for the attention kernel, which HOP-B overlaps with the exchange of Helix.
    pub const fn is_attention_core(self) -> bool {
        matches!(self, Self::Score | Self::Context | Self::Attention)
    }

    /// Returns true for the operators of the sparse-attention index.
    pub const fn is_index(self) -> bool {
        matches!(
            self,
            Self::IndexQuery | Self::IndexKey | Self::IndexScore | Self::TopK
        )
    }

    /// Returns true for operators that must run where the cache is: on the memory devices, under model–attention
    /// disaggregation. These are the attention kernel, cache writes, and the decompression in MLA without absorption.
    /// Source: [L] 3.1.
    pub const fn needs_cache(self) -> bool {
        self.is_attention_core() || matches!(self, Self::KeyUp | Self::ValueUp | Self::KvWrite)
    }
}

/// Kernel class of an operator, which determines its launch latency and efficiencies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KernelClass {
    /// A GEMM of the attention block.
    Projection,
    /// The GEMM of the output head.
    Head,
    /// A single GEMM of the FFN.
    Ffn,
    /// Two dependent GEMMs, as in a gated FFN.
    FfnPair,
    /// Mappings between residual streams, at both sites of a layer.
    Residual,
    /// GQA attention kernel, which reads the KV cache.
    GroupedCore,
    /// MLA attention kernel, which reads the latent cache; also attention to compressed entries.
    LatentCore,
    /// Attention kernel for selected or compressed rows, in prefill.
    SparsePrefill,
    /// Score computation of a sparse-attention index.
    IndexScore,
    /// Top-k selection by a sparse-attention index.
    TopK,
    /// Short convolution of a recurrent mixer.
    Conv,
    /// State update of a recurrent mixer.
    Recurrence,
    /// Grouped GEMMs of routed experts, after tokens were dispatched to their GPUs.
    Experts,
    /// Routed experts in a single fused kernel that also sorts the tokens; used if every GPU has every token.
    FusedExperts,
    /// A memory copy, such as a cache write, which overlaps with everything else.
    Copy,
}

/// One operator of a layer on one GPU, with its compute and its memory traffic.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Operator {
    /// Kind of operator.
    pub kind: Kind,
    /// Class of the kernels that run the operator.
    pub kernel: KernelClass,
    /// FLOP of the operator.
    pub flop: Flop,
    /// Bytes of weights read.
    pub weights: Bytes,
    /// Bytes of KV cache, index keys or state that are read or written.
    pub kv: Bytes,
    /// Bytes of activations that are read and written.
    pub activations: Bytes,
    /// Rows of the operator's GEMM, which fill tiles; infinite for an operator without tiles.
    pub rows: f64,
    /// Increase in FLOP and cache reads if every sequence has one more context token; zero except for the attention
    /// kernel.
    pub per_context_token: PerToken,
}

/// FLOP and cache reads for one context token in every sequence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PerToken {
    /// FLOP for one context token in every sequence.
    pub flop: Flop,
    /// Bytes of KV cache read for one context token in every sequence.
    pub kv: Bytes,
}

impl PerToken {
    /// Value for operators without work per context token.
    pub const NONE: Self = Self {
        flop: Flop::ZERO,
        kv: Bytes::ZERO,
    };
}

impl KernelClass {
    /// Number of kernel classes.
    pub const COUNT: usize = Self::Copy as usize + 1;

    /// Returns the maximum number of rows that may be computed as matrix–vector products instead of a GEMM. For GEMMs
    /// of whole matrices (projections, the head, the FFN without routed experts), there is no limit. For routed
    /// experts, it is one; for all other kernels, it is zero.
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

    /// Returns the total memory traffic: weights, KV and activations.
    pub fn bytes(&self) -> Bytes {
        self.weights + self.kv + self.activations
    }
}

const CAPACITY: usize = 16;

/// Ordered list of the operators of one part of a layer. It is a fixed-size array, so that sweeps never allocate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Operators {
    items: [Operator; CAPACITY],
    len: usize,
}

impl Operators {
    /// An empty list of operators.
    pub const EMPTY: Self = Self {
        items: [Operator::NONE; CAPACITY],
        len: 0,
    };

    /// Empties the list without clearing its memory.
    pub(super) const fn clear(&mut self) {
        self.len = 0;
    }

    /// Appends an operator. The longest list has fifteen operators: unfused MLA with a gate, an index and several
    /// residual streams.
    pub(crate) fn push(&mut self, operator: Operator) {
        debug_assert!(self.len < CAPACITY);
        if let Some(slot) = self.items.get_mut(self.len) {
            *slot = operator;
            self.len += 1;
        }
    }

    /// Returns the operators whose kind `keep` accepts, in order.
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

    /// Returns the operators in order.
    pub fn as_slice(&self) -> &[Operator] {
        &self.items[..self.len]
    }
}
