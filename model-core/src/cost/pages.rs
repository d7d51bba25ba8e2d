//! KV cache of a sequence as an engine allocates it. This includes whole pages, windows extended by the pass in
//! flight, and recurrent states.

use crate::arch::{Arch, Compressed, ContextSpan, Grouped, Mixer};
use crate::ops::reach::{Cache, grouped_row};
use crate::plan::PlanSpec;
use crate::precision::Precision;
use crate::units::Bytes;

/// Tokens per cache page for MLA; the next constant is for all other attention. Source: vLLM.
const LATENT_PAGE: f64 = 64.0;
const PAGE: f64 = 16.0;

/// A sequence for which KV cache is allocated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sequence {
    /// Tokens of the sequence's context.
    pub context: f64,
    /// Tokens of the pass in flight; windowed layers cache them in addition to the window.
    pub pass: f64,
    /// Number of recurrent states of a sequence: 1, plus one for each draft token.
    pub slots: f64,
    /// Number of drafter layers, each with a cache like that of the last mixer in the LLM.
    pub drafters: f64,
}

/// Returns the cache of one sequence on a GPU, summed over all layers.
///
/// A GPU holds s = S/kvp tokens of a context of S tokens. Full attention takes ⌈s/p⌉ pages of p tokens; a window of W
/// tokens in a pass of T tokens takes min(S, W + T) tokens. In hybrids, a page is enlarged until it can hold a
/// recurrent state, and each recurrent layer takes at least one page.
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

/// Returns the mixer of a drafter's layer, which is the same as the last mixer of the LLM.
pub fn drafter_mixer(arch: &Arch) -> Option<&Mixer> {
    let mut groups = arch.groups().iter().rev();
    groups.find_map(|group| arch.mixer_of(group))
}

/// Page sizes that all layers of an LLM share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pages {
    /// Bytes of the largest recurrent state.
    pub state: f64,
    /// Bytes of the largest page; a recurrent layer takes at least this many bytes.
    pub shared: f64,
}

/// KV cache of one sequence in one layer on a GPU.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LayerPages {
    /// KV cache of the layer: its size per token and its parts of constant size.
    pub cache: Cache,
    /// Tokens per cache page; 0 for a recurrent layer.
    pub page: f64,
    /// Number of whole pages that the sequence takes in the layer.
    pub pages: f64,
    /// Cache size of a windowed layer, in bytes.
    pub window: f64,
    /// Minimum cache size of a recurrent layer, in bytes: the size of one page.
    pub least: f64,
}

impl LayerPages {
    /// Returns the cache of the layer, in bytes.
    pub fn bytes(&self) -> f64 {
        if self.page > 0.0 {
            self.cache.grow * self.pages * self.page + self.window + self.cache.state
        } else {
            self.cache.state.max(self.least)
        }
    }
}

impl Pages {
    /// Computes the page sizes of a model.
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

    /// Computes the KV cache of one sequence in one layer.
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

/// True for mixers whose cache pages hybrids may enlarge: GQA with full or indexed attention, and MLA.
fn is_paged(mixer: &Mixer) -> bool {
    match mixer {
        Mixer::Grouped(shape) => matches!(shape.span, ContextSpan::Full | ContextSpan::Index(_)),
        Mixer::Latent(_) => true,
        _ => false,
    }
}

/// Returns the tokens per page: 16, or 64 for MLA. In hybrids, a page has at least the smallest multiple of 16 tokens
/// at which it can hold a recurrent state.
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

/// Returns the cache of a windowed layer in bytes: whole pages for min(S, W + T) tokens, with context S, window W and
/// pass T.
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
