//! Operators of a pass, derived from architecture, plan and load.
//!
//! All amounts are per GPU and layer; times are computed in `cost::roofline`. The layers of an LLM use only a few
//! distinct mixers and FFNs. Each distinct mixer or FFN is one list of operators, with the number of layers that use
//! it.

pub mod attention;
mod compressed;
pub mod ffn;
pub mod head;
pub mod index;
pub mod kernel;
mod load;
pub mod operator;
pub mod popularity;
mod product;
pub mod prompt;
pub mod reach;
pub mod recurrent;

pub use kernel::{Fusion, Kernel, LatentForm};
pub use load::{Load, PromptTokens};
pub use operator::{KernelClass, Kind, Operator, OperatorRole, Operators, PerToken};
pub use popularity::Popularity;
pub use product::drafter_projection;

use crate::arch::{Arch, Ffn};
use crate::plan::Plan;
use crate::precision::Precision;

/// Everything that operators depend on, except the load: a scenario without its accelerator.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// Architecture of the model.
    pub arch: &'a Arch,
    /// Parallelism plan.
    pub plan: &'a Plan,
    /// Bytes per element, and number formats.
    pub precision: &'a Precision,
    /// Variant of the attention kernel.
    pub kernel: Kernel,
    /// Popularity of the experts, which determines how many are active.
    pub popularity: &'a Popularity,
    /// Set of operators that models prefill.
    pub prompts: PromptForm,
    /// True if draft tokens of one sequence share tiles of sparse attention; false if each token's selection fills
    /// separate tiles.
    pub drafts_share_tiles: bool,
    /// Bytes that the output head reads per weight.
    pub head_bytes: f64,
    /// True if the single fused kernel also runs the routed experts in prefill. This applies only where every GPU has
    /// every token.
    pub fuses_prompts: bool,
}

impl<'a> Subject<'a> {
    /// Returns architecture, plan and precision.
    pub const fn parts(&self) -> (&'a Arch, &'a Plan, &'a Precision) {
        (self.arch, self.plan, self.precision)
    }
}

/// Set of operators that models prefill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptForm {
    /// The operators of decode, applied to the tokens of the prompt.
    Equations,
    /// Prefill kernels, combined with the communication of decode.
    Kernels,
    /// Prefill kernels, combined with the high-bandwidth all-to-all.
    Pass,
}

impl Subject<'_> {
    /// Returns the number of queries per sequence that share the tiles of attention to selected or compressed rows.
    pub(crate) const fn selecting_queries(&self, load: &Load) -> f64 {
        if self.drafts_share_tiles {
            load.queries
        } else {
            1.0
        }
    }

    /// Returns the operators of one part of the LLM, for one layer.
    pub fn operators(&self, place: Place, load: &Load) -> Operators {
        let mut list = Operators::EMPTY;
        self.fill(&mut list, place, load);
        list
    }

    /// Fills an existing list with the operators of one part. Reusing a list is cheaper than creating one for each
    /// part, because a new list must first be initialized.
    pub fn fill(&self, list: &mut Operators, place: Place, load: &Load) {
        list.clear();
        match place {
            Place::Mixer(number) => {
                if let Some(part) = self.arch.mixers().get(number) {
                    if self.prompts != PromptForm::Equations {
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
            Place::Head if load.head_tokens <= 0.0 => {}
            Place::Head => list.push(head::operator(self, load)),
        }
    }
}

/// Part of an LLM: a mixer, an FFN, or the output head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The mixer with this index in the architecture.
    Mixer(usize),
    /// The FFN with this index in the architecture.
    Ffn(usize),
    /// The output head.
    Head,
}

impl Place {
    /// Returns every part of an LLM, in the order of the results: mixers, FFNs, output head.
    pub fn all(arch: &Arch) -> impl Iterator<Item = Self> + use<> {
        let mixers = (0..arch.mixers().len()).map(Self::Mixer);
        let ffns = (0..arch.ffns().len()).map(Self::Ffn);
        mixers.chain(ffns).chain([Self::Head])
    }

    /// Returns the number of layers of `arch` that have this part.
    pub fn layers(self, arch: &Arch) -> u32 {
        match self {
            Self::Mixer(number) => arch.mixers().get(number).map_or(0, |part| part.layers),
            Self::Ffn(number) => arch.ffns().get(number).map_or(0, |part| part.layers),
            Self::Head => 1,
        }
    }

    /// Returns the role of the part's operators.
    pub fn role(self, arch: &Arch) -> OperatorRole {
        match self {
            Self::Mixer(_) => OperatorRole::Attention,
            Self::Ffn(number) => match arch.ffns().get(number).map(|part| part.shape) {
                Some(Ffn::Moe(_)) => OperatorRole::Experts,
                Some(Ffn::Dense(_)) | None => OperatorRole::Dense,
            },
            Self::Head => OperatorRole::Head,
        }
    }
}
