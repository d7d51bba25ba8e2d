//! Operators of a pass, from architecture, plan and load.
//!
//! Everything here is per GPU and layer; times are computed in `cost::roofline`. A model's layers are groups of a few
//! mixers and FFNs: each of those is one list of operators, with its number of layers.

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

/// Inputs of the operators besides the load: a scenario without its accelerator.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The model's shape.
    pub arch: &'a Arch,
    /// The plan.
    pub plan: &'a Plan,
    /// Bytes and formats.
    pub precision: &'a Precision,
    /// Kernels of attention.
    pub kernel: Kernel,
    /// Popularity of experts.
    pub popularity: &'a Popularity,
    /// Operators that prefill is counted by.
    pub prompts: PromptForm,
    /// True if draft tokens of one sequence share tiles of sparse attention, false if each token's
    /// selection fills its own.
    pub drafts_share_tiles: bool,
    /// Bytes that the head reads per weight.
    pub head_bytes: f64,
    /// True if a prompt's routed experts are one fused kernel too, if every GPU has every token.
    pub fuses_prompts: bool,
}

impl<'a> Subject<'a> {
    /// Model, sharding and formats.
    pub const fn parts(&self) -> (&'a Arch, &'a Plan, &'a Precision) {
        (self.arch, self.plan, self.precision)
    }
}

/// Operators that prefill is counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptForm {
    /// Decode's operators over the prompt.
    Equations,
    /// The kernels of prefill, with decode's communication.
    Kernels,
    /// The kernels of prefill, with the bandwidth all-to-all.
    Pass,
}

impl Subject<'_> {
    /// Queries of a sequence that fill the tiles of attention to selected or compressed rows.
    pub(crate) const fn selecting_queries(&self, load: &Load) -> f64 {
        if self.drafts_share_tiles {
            load.queries
        } else {
            1.0
        }
    }

    /// The operators of one layer's part.
    pub fn operators(&self, place: Place, load: &Load) -> Operators {
        let mut list = Operators::EMPTY;
        self.fill(&mut list, place, load);
        list
    }

    /// Fills a list in place, since clearing a fresh one costs more than filling it.
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

/// A part of a model: a mixer, an FFN, or the head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The mixer of this number.
    Mixer(usize),
    /// The FFN of this number.
    Ffn(usize),
    /// The output head.
    Head,
}

impl Place {
    /// Every part of a model, in the order of results: mixers, FFNs, the head.
    pub fn all(arch: &Arch) -> impl Iterator<Item = Self> + use<> {
        let mixers = (0..arch.mixers().len()).map(Self::Mixer);
        let ffns = (0..arch.ffns().len()).map(Self::Ffn);
        mixers.chain(ffns).chain([Self::Head])
    }

    /// Layers of `arch` with this part.
    pub fn layers(self, arch: &Arch) -> u32 {
        match self {
            Self::Mixer(number) => arch.mixers().get(number).map_or(0, |part| part.layers),
            Self::Ffn(number) => arch.ffns().get(number).map_or(0, |part| part.layers),
            Self::Head => 1,
        }
    }

    /// Role of its operators.
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
