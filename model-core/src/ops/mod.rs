//! From architecture, plan and load to the operators of a decode pass.
//!
//! Everything here is per GPU and layer; what an operator costs in time is `cost::roofline`'s.

pub mod attention;
pub mod ffn;
pub mod head;
mod load;
pub mod prompt;

pub use load::Load;

use crate::arch::Arch;
use crate::plan::Plan;
use crate::precision::Precision;
use crate::units::{Bytes, Flop};
use ffn::Popularity;

/// Which part of the model an operator belongs to; decides its block, colour and calibration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Attention with its projections and cache.
    Attention,
    /// Dense feed-forward layers.
    Dense,
    /// Router, routed and shared experts.
    Experts,
    /// The output head.
    Head,
}

impl Role {
    /// All roles, in the order a token meets them.
    pub const ALL: [Self; 4] = [Self::Attention, Self::Dense, Self::Experts, Self::Head];

    /// The identifier in results.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Attention => "attention",
            Self::Dense => "dense_ffn",
            Self::Experts => "moe",
            Self::Head => "head",
        }
    }

    /// Layers of `arch` that hold such a block.
    pub const fn layers(self, arch: &Arch) -> u32 {
        match self {
            Self::Attention => arch.layers,
            Self::Dense => arch.dense_layers(),
            Self::Experts => arch.expert_layers(),
            Self::Head => 1,
        }
    }
}

/// The operators the model knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the rows of the operator tables")]
pub enum Kind {
    Query,
    QueryDown,
    QueryUp,
    KvDown,
    KeyAbsorb,
    KeyUp,
    ValueUp,
    Qkv,
    Score,
    Context,
    Attention,
    ValueAbsorb,
    Out,
    KvWrite,
    Dense,
    Router,
    Experts,
    Shared,
    Head,
}

impl Kind {
    /// The identifier in results.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Query => "q",
            Self::QueryDown => "q_down",
            Self::QueryUp => "q_up",
            Self::KvDown => "kv_down",
            Self::KeyAbsorb => "k_absorb",
            Self::KeyUp => "k_up",
            Self::ValueUp => "v_up",
            Self::Qkv => "qkv",
            Self::Score => "score",
            Self::Context => "context",
            Self::Attention => "attention",
            Self::ValueAbsorb => "v_absorb",
            Self::Out => "out",
            Self::KvWrite => "kv_write",
            Self::Dense => "dense",
            Self::Router => "router",
            Self::Experts => "experts",
            Self::Shared => "shared",
            Self::Head => "head",
        }
    }

    /// The part of the model it belongs to.
    pub const fn role(self) -> Role {
        match self {
            Self::Dense => Role::Dense,
            Self::Router | Self::Experts | Self::Shared => Role::Experts,
            Self::Head => Role::Head,
            _ => Role::Attention,
        }
    }

    /// What is launched for it.
    pub const fn kernel_class(self) -> KernelClass {
        match self {
            Self::Score | Self::Context | Self::Attention => KernelClass::Core,
            Self::Experts => KernelClass::Experts,
            Self::KvWrite => KernelClass::Copy,
            Self::Dense | Self::Shared => KernelClass::GemmPair,
            _ => KernelClass::Gemm,
        }
    }

    /// Whether this is the part of attention that HOP-B overlaps with Helix's exchange.
    pub const fn is_attention_core(self) -> bool {
        matches!(self, Self::Score | Self::Context | Self::Attention)
    }

    /// Whether it needs the cache, and so runs where the cache lies when attention is split from the
    /// rest of the model: attention's core, the cache's own writes, and, for latent attention as
    /// written, the decompression. Source: [L] 3.1.
    pub const fn needs_cache(self) -> bool {
        self.is_attention_core() || matches!(self, Self::KeyUp | Self::ValueUp | Self::KvWrite)
    }
}

/// The kernels that an operator launches: what its start and its share of the peak depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KernelClass {
    /// One matrix product.
    Gemm,
    /// Two matrix products, one after the other: a gated feed-forward.
    GemmPair,
    /// Attention over the cache.
    Core,
    /// Grouped matrix products of routed experts.
    Experts,
    /// A copy that runs beside the rest.
    Copy,
}

/// One operator of a layer on one GPU: its work and its traffic.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Operator {
    /// Which operator.
    pub kind: Kind,
    /// Arithmetic.
    pub flop: Flop,
    /// Weights read.
    pub weights: Bytes,
    /// KV cache read or written.
    pub kv: Bytes,
    /// Activations read and written.
    pub activations: Bytes,
    /// Rows of its matrix product, that tiles are filled with; infinite where no tile can be half empty.
    pub rows: f64,
    /// What one more token of context in every sequence adds; nothing but in attention's core.
    pub per_context_token: PerToken,
}

/// Arithmetic and cache traffic of one token of context in every sequence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PerToken {
    /// Arithmetic.
    pub flop: Flop,
    /// Cache read.
    pub kv: Bytes,
}

impl PerToken {
    /// Nothing.
    pub const NONE: Self = Self {
        flop: Flop::ZERO,
        kv: Bytes::ZERO,
    };
}

impl Operator {
    const NONE: Self = Self {
        kind: Kind::Head,
        flop: Flop::ZERO,
        weights: Bytes::ZERO,
        kv: Bytes::ZERO,
        activations: Bytes::ZERO,
        rows: f64::INFINITY,
        per_context_token: PerToken::NONE,
    };

    /// All its traffic with memory: weights, KV and activations.
    pub fn bytes(&self) -> Bytes {
        self.weights + self.kv + self.activations
    }
}

const CAPACITY: usize = 16;

/// The operators of one pass, in order; a fixed array, so that a sweep never allocates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Operators {
    items: [Operator; CAPACITY],
    len: usize,
}

impl Operators {
    /// The operators of one layer of each kind, and the head, for `load`.
    pub fn of(
        arch: &Arch,
        plan: &Plan,
        precision: &Precision,
        kernel: Kernel,
        popularity: &Popularity,
        load: &Load,
    ) -> Self {
        let mut list = Self::EMPTY;
        attention::push(&mut list, arch, plan, precision, kernel, load);
        ffn::push(&mut list, arch, plan, precision, popularity, load);
        list.push(head::operator(arch, plan, precision, load));
        list
    }

    /// The operators of a prompt of `load.group_tokens` tokens in every attention group as engines
    /// compute them: attention as written on keys and values that never leave the GPU, no head.
    pub fn of_prompt(
        arch: &Arch,
        plan: &Plan,
        precision: &Precision,
        popularity: &Popularity,
        load: &Load,
    ) -> Self {
        let mut list = Self::EMPTY;
        prompt::push_attention(&mut list, arch, plan, precision, load.group_tokens);
        ffn::push(&mut list, arch, plan, precision, popularity, load);
        list
    }

    const EMPTY: Self = Self {
        items: [Operator::NONE; CAPACITY],
        len: 0,
    };

    /// Appends an operator. The longest list (latent attention, unfused, with every expert part)
    /// has fifteen.
    pub(crate) fn push(&mut self, operator: Operator) {
        debug_assert!(self.len < CAPACITY);
        if let Some(slot) = self.items.get_mut(self.len) {
            *slot = operator;
            self.len += 1;
        }
    }

    /// Those of a kind that `keep` wants, in order.
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

/// How attention is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kernel {
    /// The form of latent attention; without meaning for grouped attention.
    pub latent: LatentForm,
    /// Whether score and context are one kernel.
    pub fusion: Fusion,
}

/// The two orders of multiplying latent attention's matrices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LatentForm {
    /// Key and value up-projections are applied to queries and outputs. Source: [A] 3.2.3, [B] eqs 7–8.
    Absorbed,
    /// Keys and values are decompressed for every cached token. Source: [A] 3.2.2.
    Plain,
}

impl LatentForm {
    /// Both forms.
    pub const ALL: [Self; 2] = [Self::Absorbed, Self::Plain];

    /// The identifier in links.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Absorbed => "absorbed",
            Self::Plain => "plain",
        }
    }
}

/// Whether score and context are one kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fusion {
    /// FlashAttention, FlashMLA: the cache is read once, scores stay on the chip.
    Fused,
    /// Two kernels with the score matrix in memory between them. Source: [B] Table III.
    Unfused,
}

impl Fusion {
    /// Both kernels.
    pub const ALL: [Self; 2] = [Self::Fused, Self::Unfused];

    /// The identifier in links.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Fused => "fused",
            Self::Unfused => "unfused",
        }
    }
}
