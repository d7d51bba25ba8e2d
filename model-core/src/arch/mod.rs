//! Model architectures: the shapes that determine the work and traffic of a layer.
//!
//! A model is a list of groups of identical layers; a group names one of the model's mixers and one of its
//! FFNs. Every list has fixed capacity, so that a scenario is copied, never allocated.

pub mod catalog;
mod check;
mod fields;
pub mod hf_config;
pub mod json;
mod mixer;
mod mlp;
pub mod params;

pub use fields::ShapeError;
pub use mixer::{
    Compressed, ContextSpan, GatedDelta, Grouped, Index, Kda, Latent, Lightning, Mamba2, Mixer,
};
pub use mlp::{Dense, Ffn, Moe};

use serde::{Deserialize, Serialize};

/// Most distinct mixers, and most distinct FFNs, of a model.
pub const MOST_PARTS: usize = 8;
/// Most distinct layers of a model.
pub const MOST_GROUPS: usize = 16;

/// A decoder-only transformer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arch {
    /// Hidden size, d.
    pub hidden: u32,
    /// Vocabulary size, V.
    pub vocab: u32,
    /// True if input embedding and output head share one matrix.
    pub tied: bool,
    /// Streams of the residual, n_r: 1, or 4 with hyper-connections.
    pub residual_streams: u32,
    /// Rank of the map that mixes the streams; `None` for a small map without a rank.
    pub residual_rank: Option<u32>,
    layers: u32,
    mixers: Table<Layered<Mixer>, MOST_PARTS>,
    ffns: Table<Layered<Ffn>, MOST_PARTS>,
    groups: Table<LayerGroup, MOST_GROUPS>,
}

/// A mixer or an FFN, with its number of layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layered<T> {
    /// The mixer or FFN.
    pub shape: T,
    /// Layers of the model with it.
    pub layers: u32,
}

/// A group of identical layers, contiguous or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerGroup {
    /// Number of layers.
    pub count: u32,
    /// Index into [`Arch::mixers`].
    pub mixer: Option<u8>,
    /// Index into [`Arch::ffns`].
    pub ffn: Option<u8>,
}

/// A list of fixed capacity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(
    serialize = "[T; N]: Serialize",
    deserialize = "[T; N]: Deserialize<'de>"
))]
struct Table<T, const N: usize> {
    items: [T; N],
    len: usize,
}

impl<T: Copy + PartialEq, const N: usize> Table<T, N> {
    fn as_slice(&self) -> &[T] {
        &self.items[..self.len]
    }

    /// Appends; false when full.
    fn push(&mut self, item: T) -> bool {
        let slot = self.items.get_mut(self.len);
        let room = slot.is_some();
        if let Some(slot) = slot {
            *slot = item;
            self.len += 1;
        }
        room
    }
}

/// Filler of the unused entries of a table.
const NO_MIXER: Layered<Mixer> = Layered {
    shape: Mixer::Grouped(Grouped::new(0, 0, 0)),
    layers: 0,
};
const NO_FFN: Layered<Ffn> = Layered {
    shape: Ffn::Dense(Dense {
        width: 0,
        matrices: 0,
    }),
    layers: 0,
};
const NO_GROUP: LayerGroup = LayerGroup {
    count: 0,
    mixer: None,
    ffn: None,
};

impl Arch {
    /// A model without layers; [`Self::add`] adds them in order.
    pub const fn new(hidden: u32, vocab: u32) -> Self {
        Self {
            hidden,
            vocab,
            tied: false,
            residual_streams: 1,
            residual_rank: None,
            layers: 0,
            mixers: Table {
                items: [NO_MIXER; MOST_PARTS],
                len: 0,
            },
            ffns: Table {
                items: [NO_FFN; MOST_PARTS],
                len: 0,
            },
            groups: Table {
                items: [NO_GROUP; MOST_GROUPS],
                len: 0,
            },
        }
    }

    /// A model of the catalog: its mixers, its FFNs, and for each group the number of layers with the
    /// index of either; an index past the end means none.
    pub const fn of(
        hidden: u32,
        vocab: u32,
        mixers: &[Mixer],
        ffns: &[Ffn],
        groups: &[(u32, usize, usize)],
    ) -> Self {
        let mut arch = Self::new(hidden, vocab);
        let mut at = 0;
        while at < mixers.len() {
            arch.mixers.items[at].shape = mixers[at];
            at += 1;
        }
        arch.mixers.len = mixers.len();
        at = 0;
        while at < ffns.len() {
            arch.ffns.items[at].shape = ffns[at];
            at += 1;
        }
        arch.ffns.len = ffns.len();
        at = 0;
        while at < groups.len() {
            let (count, mixer, ffn) = groups[at];
            arch.layers += count;
            let (mut group_mixer, mut group_ffn) = (None, None);
            if mixer < mixers.len() {
                arch.mixers.items[mixer].layers += count;
                group_mixer = Some(mixer as u8);
            }
            if ffn < ffns.len() {
                arch.ffns.items[ffn].layers += count;
                group_ffn = Some(ffn as u8);
            }
            arch.groups.items[at] = LayerGroup {
                count,
                mixer: group_mixer,
                ffn: group_ffn,
            };
            at += 1;
        }
        arch.groups.len = groups.len();
        arch
    }

    /// A model of identical layers.
    pub const fn uniform(hidden: u32, vocab: u32, layers: u32, mixer: Mixer, ffn: Ffn) -> Self {
        Self::of(hidden, vocab, &[mixer], &[ffn], &[(layers, 0, 0)])
    }

    /// An MoE after `dense_layers` leading dense layers of 3 matrices.
    pub const fn after_dense(
        (hidden, vocab): (u32, u32),
        (dense_layers, width): (u32, u32),
        expert_layers: u32,
        mixer: Mixer,
        moe: Moe,
    ) -> Self {
        let dense = Ffn::Dense(Dense { width, matrices: 3 });
        let ffns = [dense, Ffn::Moe(moe)];
        let groups = [(dense_layers, 0, 0), (expert_layers, 0, 1)];
        Self::of(hidden, vocab, &[mixer], &ffns, &groups)
    }

    /// The same model with a shared matrix for input embedding and output head.
    #[must_use]
    pub const fn with_tied_embedding(self) -> Self {
        Self { tied: true, ..self }
    }

    /// Returns the model with `bytes` per element of recurrent state.
    #[must_use]
    pub fn with_state_bytes(mut self, bytes: u32) -> Self {
        for part in &mut self.mixers.items[..self.mixers.len] {
            match &mut part.shape {
                Mixer::GatedDelta(GatedDelta { state_bytes, .. })
                | Mixer::Kda(Kda { state_bytes, .. })
                | Mixer::Lightning(Lightning { state_bytes, .. })
                | Mixer::Mamba2(Mamba2 { state_bytes, .. }) => *state_bytes = bytes,
                Mixer::Grouped(_) | Mixer::Latent(_) | Mixer::Compressed(_) => {}
            }
        }
        self
    }

    /// The same model with several streams of the residual.
    #[must_use]
    pub const fn with_residual_streams(self, residual_streams: u32) -> Self {
        Self {
            residual_streams,
            ..self
        }
    }

    /// The same model with maps of this rank between the streams of the residual.
    #[must_use]
    pub const fn with_residual_rank(self, rank: u32) -> Self {
        Self {
            residual_rank: Some(rank),
            ..self
        }
    }

    /// Adds `count` layers, to the group of identical ones if there is one. False, and nothing changed, where the
    /// model would have too many kinds of layers.
    #[must_use]
    pub fn add(&mut self, count: u32, mixer: Option<Mixer>, ffn: Option<Ffn>) -> bool {
        let mut grown = *self;
        let place = |number: Option<Option<u8>>| number.unwrap_or_default();
        let mixer_at = mixer.map(|mixer| add_part(&mut grown.mixers, mixer, count));
        let ffn_at = ffn.map(|ffn| add_part(&mut grown.ffns, ffn, count));
        if mixer_at == Some(None) || ffn_at == Some(None) {
            return false;
        }
        let group = LayerGroup {
            count,
            mixer: place(mixer_at),
            ffn: place(ffn_at),
        };
        let len = grown.groups.len;
        let alike = grown.groups.items[..len]
            .iter_mut()
            .find(|other| other.mixer == group.mixer && other.ffn == group.ffn);
        let room = match alike {
            Some(other) => {
                other.count = other.count.saturating_add(count);
                true
            }
            None => grown.groups.push(group),
        };
        if room {
            grown.layers = grown.layers.saturating_add(count);
            *self = grown;
        }
        room
    }

    /// Number of layers, L.
    pub const fn layers(&self) -> u32 {
        self.layers
    }

    /// The distinct mixers, in the order of their first layer.
    pub fn mixers(&self) -> &[Layered<Mixer>] {
        self.mixers.as_slice()
    }

    /// The distinct FFNs, in the order of their first layer.
    pub fn ffns(&self) -> &[Layered<Ffn>] {
        self.ffns.as_slice()
    }

    /// The groups of identical layers, in the order of their first.
    pub fn groups(&self) -> &[LayerGroup] {
        self.groups.as_slice()
    }

    /// The mixer of a group.
    pub fn mixer_of(&self, group: &LayerGroup) -> Option<&Mixer> {
        let at = usize::from(group.mixer?);
        self.mixers().get(at).map(|part| &part.shape)
    }

    /// The FFN of a group.
    pub fn ffn_of(&self, group: &LayerGroup) -> Option<&Ffn> {
        let at = usize::from(group.ffn?);
        self.ffns().get(at).map(|part| &part.shape)
    }

    /// The distinct MoE.
    pub fn moes(&self) -> impl Iterator<Item = Layered<Moe>> + '_ {
        self.ffns().iter().filter_map(|part| match part.shape {
            Ffn::Moe(shape) => Some(Layered {
                shape,
                layers: part.layers,
            }),
            Ffn::Dense(_) => None,
        })
    }

    /// True if some layers have experts.
    pub fn is_moe(&self) -> bool {
        self.moes().next().is_some()
    }

    /// Tests whether `ways` divides the heads of every mixer.
    pub fn heads_divide(&self, ways: u32) -> bool {
        self.mixers().iter().all(|part| {
            let heads = part.shape.divided_by_tp();
            heads.iter().all(|(_, heads)| heads.is_multiple_of(ways))
        })
    }

    /// Layers with a mixer.
    pub fn mixer_layers(&self) -> u32 {
        self.mixers().iter().map(|part| part.layers).sum()
    }

    /// Layers with a dense FFN.
    pub fn dense_layers(&self) -> u32 {
        let dense = |part: &&Layered<Ffn>| matches!(part.shape, Ffn::Dense(_));
        self.ffns()
            .iter()
            .filter(dense)
            .map(|part| part.layers)
            .sum()
    }

    /// Layers with experts, L_E.
    pub fn expert_layers(&self) -> u32 {
        self.moes().map(|part| part.layers).sum()
    }

    /// Layers with a mixer and an FFN; a layer with only one of them counts half.
    pub fn whole_layers(&self) -> f64 {
        let halves = self.mixer_layers() + self.dense_layers() + self.expert_layers();
        f64::from(halves) / 2.0
    }

    /// True if every layer has full attention, as in the papers.
    pub fn attends_to_all(&self) -> bool {
        self.mixers().iter().all(|part| part.shape.is_full())
    }
}

/// Adds layers to an existing part, or appends it; its index, or `None` without room.
fn add_part<T: Copy + PartialEq, const N: usize>(
    table: &mut Table<Layered<T>, N>,
    shape: T,
    layers: u32,
) -> Option<u8> {
    let len = table.len;
    let found = table.items[..len]
        .iter()
        .position(|part| part.shape == shape);
    match found {
        Some(at) => {
            let part = &mut table.items[at];
            part.layers = part.layers.saturating_add(layers);
            u8::try_from(at).ok()
        }
        None if table.push(Layered { shape, layers }) => u8::try_from(len).ok(),
        None => None,
    }
}
