//! From architecture, plan and load to the operators of a decode pass.
//!
//! Everything here is per GPU and layer; what an operator costs in time is `cost::roofline`'s. A model's
//! layers are a few mixers and feed-forwards in groups: each of them is one list of operators, with the
//! number of layers that have it.

pub mod attention;
mod compressed;
pub mod ffn;
pub mod head;
pub mod index;
mod load;
pub mod prompt;
pub mod reach;
pub mod recurrent;

pub use load::Load;

use crate::arch::{Arch, Ffn};
use crate::named::named;
use crate::plan::Plan;
use crate::precision::Precision;
use crate::scenario::Scenario;
use crate::units::{Bytes, Flop};
use ffn::Popularity;

named! {
    /// Which part of the model an operator belongs to; decides its block, colour and calibration.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Role {
        /// Attention with its projections and cache.
        Attention = "attention",
        /// Dense feed-forward layers.
        Dense = "dense_ffn",
        /// Router, routed and shared experts.
        Experts = "moe",
        /// The output head.
        Head = "head",
    }
}

impl Role {
    /// Layers of `arch` that hold such a block.
    pub fn layers(self, arch: &Arch) -> u32 {
        match self {
            Self::Attention => arch.mixer_layers(),
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
    /// The identifier in results.
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

    /// The part of the model it belongs to.
    pub const fn role(self) -> Role {
        match self {
            Self::Dense => Role::Dense,
            Self::Router | Self::LatentDown | Self::Experts | Self::LatentUp | Self::Shared => {
                Role::Experts
            }
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
            Self::Dense | Self::Shared | Self::Residual => KernelClass::GemmPair,
            Self::IndexScore | Self::TopK | Self::Conv | Self::Recurrence => KernelClass::Other,
            _ => KernelClass::Gemm,
        }
    }

    /// Whether this is the part of attention that HOP-B overlaps with Helix's exchange.
    pub const fn is_attention_core(self) -> bool {
        matches!(self, Self::Score | Self::Context | Self::Attention)
    }

    /// Whether it belongs to the index that selects what attention reads.
    pub const fn is_index(self) -> bool {
        matches!(
            self,
            Self::IndexQuery | Self::IndexKey | Self::IndexScore | Self::TopK
        )
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
    /// What mixes tokens besides: an index, a convolution, a recurrence.
    Other,
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
    /// KV cache, index keys or state, read or written.
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

/// What an operator is made from besides its load: a scenario without its accelerator.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The model's shape.
    pub arch: &'a Arch,
    /// The sharding.
    pub plan: &'a Plan,
    /// Bytes and formats.
    pub precision: &'a Precision,
    /// How attention is computed.
    pub kernel: Kernel,
    /// Which experts tokens choose.
    pub popularity: &'a Popularity,
    /// Whether a prompt is counted as the kernels that engines run for it.
    pub prompt_kernels: bool,
}

impl<'a> Subject<'a> {
    /// What a scenario says of it.
    pub const fn of(scenario: &'a Scenario) -> Self {
        Self {
            arch: &scenario.arch,
            plan: &scenario.plan,
            precision: &scenario.precision,
            kernel: scenario.kernel,
            popularity: &scenario.calibration.popularity,
            prompt_kernels: false,
        }
    }

    /// The operators of one layer with this part.
    pub fn operators(&self, place: Place, load: &Load) -> Operators {
        let mut list = Operators::EMPTY;
        self.fill(&mut list, place, load);
        list
    }

    /// The same into a list that is there: a fresh one takes longer to clear than to fill.
    pub fn fill(&self, list: &mut Operators, place: Place, load: &Load) {
        list.len = 0;
        match place {
            Place::Mixer(number) => {
                if let Some(part) = self.arch.mixers().get(number) {
                    if self.prompt_kernels {
                        prompt::push_mixer(list, &part.shape, self, load);
                    } else {
                        attention::push(list, &part.shape, self, load);
                    }
                }
            }
            Place::Ffn(number) => {
                if let Some(part) = self.arch.ffns().get(number) {
                    ffn::push(list, &part.shape, self, load);
                }
            }
            Place::Head if self.prompt_kernels => {}
            Place::Head => list.push(head::operator(self, load)),
        }
    }
}

/// A part of a model: one of its mixers, one of its feed-forwards, or the head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The mixer of this number.
    Mixer(usize),
    /// The feed-forward of this number.
    Ffn(usize),
    /// The output head.
    Head,
}

impl Place {
    /// Every part of a model, in the order of results: mixers, feed-forwards, the head.
    pub fn all(arch: &Arch) -> impl Iterator<Item = Self> + use<> {
        let mixers = (0..arch.mixers().len()).map(Self::Mixer);
        let ffns = (0..arch.ffns().len()).map(Self::Ffn);
        mixers.chain(ffns).chain([Self::Head])
    }

    /// Layers of `arch` that have it.
    pub fn layers(self, arch: &Arch) -> u32 {
        match self {
            Self::Mixer(number) => arch.mixers().get(number).map_or(0, |part| part.layers),
            Self::Ffn(number) => arch.ffns().get(number).map_or(0, |part| part.layers),
            Self::Head => 1,
        }
    }

    /// The role its operators have.
    pub fn role(self, arch: &Arch) -> Role {
        match self {
            Self::Mixer(_) => Role::Attention,
            Self::Ffn(number) => match arch.ffns().get(number).map(|part| part.shape) {
                Some(Ffn::Moe(_)) => Role::Experts,
                Some(Ffn::Dense(_)) | None => Role::Dense,
            },
            Self::Head => Role::Head,
        }
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

    /// Appends an operator. The longest list (latent attention with a gate and an index, unfused, among
    /// several streams of the residual) has fifteen.
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

named! {
    /// The two orders of multiplying latent attention's matrices.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum LatentForm {
        /// Key and value up-projections are applied to queries and outputs. Source: [A] 3.2.3, [B] eqs 7–8.
        Absorbed = "absorbed",
        /// Keys and values are decompressed for every cached token. Source: [A] 3.2.2.
        Plain = "plain",
    }
}

named! {
    /// Whether score and context are one kernel.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Fusion {
        /// FlashAttention, FlashMLA: the cache is read once, scores stay on the chip.
        Fused = "fused",
        /// Two kernels with the score matrix in memory between them. Source: [B] Table III.
        Unfused = "unfused",
    }
}
