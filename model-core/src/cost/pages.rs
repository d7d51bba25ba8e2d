//! Cache of a sequence as an engine allocates it: pages, windows with the pass in flight, recurrent states.

use crate::arch::{Arch, Compressed, ContextSpan, Grouped, Mixer};
use crate::ops::reach::{Cache, grouped_row};
use crate::plan::PlanSpec;
use crate::precision::Precision;
use crate::units::Bytes;

/// Tokens of a page of MLA, and of any other. Source: vLLM.
const LATENT_PAGE: f64 = 64.0;
const PAGE: f64 = 16.0;

/// A sequence whose cache is allocated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sequence {
    /// Tokens of its context.
    pub context: f64,
    /// Tokens of a pass in flight, cached by windows too.
    pub pass: f64,
    /// Recurrent states: 1, and one for each draft token.
    pub slots: f64,
    /// Layers of a drafter, each with the cache of the last mixer.
    pub drafters: f64,
}

/// Cache of one sequence on a GPU, over all layers.
///
/// Full attention takes ⌈s/p⌉ pages of p tokens for its s = S/kvp, a window min(S, W + T) tokens. In hybrids
/// a page is enlarged until it holds a state, and each recurrent layer takes one.
pub fn sequence_cache(
    arch: &Arch,
    precision: &Precision,
    spec: &PlanSpec,
    sequence: &Sequence,
) -> Bytes {
    let pages = Pages::of(arch, precision, spec, sequence);
    let one = |mixer: &Mixer| pages.layer(mixer, precision, spec, sequence).bytes();
    let layers: f64 = arch
        .mixers()
        .iter()
        .map(|part| one(&part.shape) * f64::from(part.layers) / f64::from(spec.pp))
        .sum();
    let drafted = drafter_mixer(arch).map_or(0.0, |mixer| sequence.drafters * one(mixer));
    Bytes::new(layers + drafted)
}

/// The mixer of a drafter's layer: the last.
pub fn drafter_mixer(arch: &Arch) -> Option<&Mixer> {
    let mut groups = arch.groups().iter().rev();
    groups.find_map(|group| arch.mixer_of(group))
}

/// Pages that the layers of a model share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pages {
    /// Bytes of the largest recurrent state.
    pub state: f64,
    /// Bytes of the largest page, which a recurrent layer takes too.
    pub shared: f64,
}

/// Cache of one sequence in one layer on a GPU.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LayerPages {
    /// Cache per token, and of constant size.
    pub cache: Cache,
    /// Tokens of a page; 0 for a recurrent layer.
    pub page: f64,
    /// Whole pages.
    pub pages: f64,
    /// Bytes of a window.
    pub window: f64,
    /// Bytes of the page that a recurrent layer takes at least.
    pub least: f64,
}

impl LayerPages {
    /// Bytes of the layer.
    pub fn bytes(&self) -> f64 {
        if self.page > 0.0 {
            self.cache.grow * self.pages * self.page + self.window + self.cache.state
        } else {
            self.cache.state.max(self.least)
        }
    }
}

impl Pages {
    /// Pages of a model.
    pub fn of(arch: &Arch, precision: &Precision, spec: &PlanSpec, sequence: &Sequence) -> Self {
        let cache =
            |mixer: &Mixer| Cache::of(mixer, precision, spec.tp, sequence.context, sequence.slots);
        let state = arch
            .mixers()
            .iter()
            .filter(|part| part.shape.is_recurrent())
            .map(|part| cache(&part.shape).state)
            .fold(0.0, f64::max);
        let shared = arch
            .mixers()
            .iter()
            .filter(|part| is_paged(&part.shape))
            .map(|part| {
                (
                    page_tokens(&part.shape, &cache(&part.shape), state),
                    cache(&part.shape).grow,
                )
            })
            .map(|(tokens, grow)| tokens * grow)
            .fold(0.0, f64::max);
        Self { state, shared }
    }

    /// Cache of one layer.
    pub fn layer(
        &self,
        mixer: &Mixer,
        precision: &Precision,
        spec: &PlanSpec,
        sequence: &Sequence,
    ) -> LayerPages {
        let cache = Cache::of(mixer, precision, spec.tp, sequence.context, sequence.slots);
        if mixer.is_recurrent() {
            return LayerPages {
                cache,
                page: 0.0,
                pages: 0.0,
                window: 0.0,
                least: self.shared,
            };
        }
        let page = page_tokens(mixer, &cache, self.state);
        let local = sequence.context / f64::from(spec.kvp);
        LayerPages {
            cache,
            page,
            pages: (local / page).ceil(),
            window: windowed(mixer, precision, spec, sequence),
            least: 0.0,
        }
    }
}

/// True for a cache that grows with the context.
fn is_paged(mixer: &Mixer) -> bool {
    match mixer {
        Mixer::Grouped(shape) => matches!(shape.span, ContextSpan::Full | ContextSpan::Index(_)),
        Mixer::Latent(_) => true,
        _ => false,
    }
}

/// Tokens of a page: 16, of MLA 64; in hybrids the smallest multiple of 16 that holds a state.
fn page_tokens(mixer: &Mixer, cache: &Cache, state: f64) -> f64 {
    let usual = match mixer {
        Mixer::Latent(_) => LATENT_PAGE,
        _ => PAGE,
    };
    if state > 0.0 && cache.grow > 0.0 && is_paged(mixer) {
        usual.max((state / cache.grow / PAGE).ceil() * PAGE)
    } else {
        usual
    }
}

/// Cache of a windowed layer: whole pages of min(S, W + T) tokens.
fn windowed(mixer: &Mixer, precision: &Precision, spec: &PlanSpec, sequence: &Sequence) -> f64 {
    let (row, last) = match mixer {
        Mixer::Grouped(shape) => match shape.span {
            ContextSpan::Window(last) | ContextSpan::Chunk(last) => {
                (grouped_bytes(shape, precision, spec.tp), last)
            }
            ContextSpan::Full | ContextSpan::Index(_) => return 0.0,
        },
        Mixer::Compressed(Compressed {
            head_dim, window, ..
        }) => (f64::from(*head_dim) * precision.kv, *window),
        _ => return 0.0,
    };
    let tokens = sequence.context.min(f64::from(last) + sequence.pass);
    row * (tokens / f64::from(spec.kvp) / PAGE).ceil() * PAGE
}

fn grouped_bytes(shape: &Grouped, precision: &Precision, tp: u32) -> f64 {
    grouped_row(shape, tp) * precision.kv
}
