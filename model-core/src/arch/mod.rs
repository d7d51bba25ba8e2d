//! Model architectures: the shapes that determine the work and memory traffic of each layer.
//!
//! A model is a list of groups of identical layers. Each group refers to at most one of the model's mixers and at
//! most one of its FFNs. Every list has a fixed capacity, so that scenarios can be copied without allocation.

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

/// Max number of distinct mixers in a model; the same limit applies to distinct FFNs.
pub const MOST_PARTS: usize = 8;
/// Max distinct layer types of a model.
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
    /// Number of residual streams, n_r: 1, or 4 with hyper-connections.
    pub residual_streams: u32,
    /// Rank of the low-rank map that mixes the residual streams; `None` if the map is small and not low-rank.
    pub residual_rank: Option<u32>,
    layers: u32,
    mixers: Table<Layered<Mixer>, MOST_PARTS>,
    ffns: Table<Layered<Ffn>, MOST_PARTS>,
    groups: Table<LayerGroup, MOST_GROUPS>,
}

/// A mixer or an FFN, with the number of layers that use it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layered<T> {
    /// Shape of the mixer or FFN.
    pub shape: T,
    /// Number of layers of the model that use this shape.
    pub layers: u32,
}

/// A group of identical layers, not necessarily contiguous.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerGroup {
    /// Number of layers in the group.
    pub count: u32,
    /// Index into [`Arch::mixers`]; `None` if the layers have no mixer.
    pub mixer: Option<u8>,
    /// Index into [`Arch::ffns`]; `None` if the layers have no FFN.
    pub ffn: Option<u8>,
}

/// A list with fixed capacity `N`.
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

    /// Appends an item; returns false if the list is full.
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
    /// Returns a model without layers; [`Self::add`] adds them in order.
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

    /// Returns a catalog model from its mixers, FFNs and layer groups. Each group is a layer count, a mixer index and
    /// an FFN index. An index past the end of its list means that the layers have no mixer or no FFN.
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

    /// Returns a model in which all layers are identical.
    pub const fn uniform(hidden: u32, vocab: u32, layers: u32, mixer: Mixer, ffn: Ffn) -> Self {
        Self::of(hidden, vocab, &[mixer], &[ffn], &[(layers, 0, 0)])
    }

    /// Returns an MoE model that starts with `dense_layers` dense layers, whose FFNs have three weight matrices.
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

    /// Returns the model with one matrix shared by input embedding and output head.
    #[must_use]
    pub const fn with_tied_embedding(self) -> Self {
        Self { tied: true, ..self }
    }

    /// Returns the model with `bytes` bytes per element of recurrent state.
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

    /// Returns the model with `residual_streams` residual streams.
    #[must_use]
    pub const fn with_residual_streams(self, residual_streams: u32) -> Self {
        Self {
            residual_streams,
            ..self
        }
    }

    /// Returns the model with a map of rank `rank` between the residual streams.
    #[must_use]
    pub const fn with_residual_rank(self, rank: u32) -> Self {
        Self {
            residual_rank: Some(rank),
            ..self
        }
    }

    /// Adds `count` layers, merging them into an existing group of identical layers if there is one. Returns false
    /// and changes nothing if the model would exceed its capacity for distinct mixers, FFNs or groups.
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

    /// Returns the number of layers, L.
    pub const fn layers(&self) -> u32 {
        self.layers
    }

    /// Returns the distinct mixers, in the order in which they first occur.
    pub fn mixers(&self) -> &[Layered<Mixer>] {
        self.mixers.as_slice()
    }

    /// Returns the distinct FFNs, in the order in which they first occur.
    pub fn ffns(&self) -> &[Layered<Ffn>] {
        self.ffns.as_slice()
    }

    /// Returns the groups of identical layers, in the order in which they first occur.
    pub fn groups(&self) -> &[LayerGroup] {
        self.groups.as_slice()
    }

    /// Returns the mixer of a group, if it has one.
    pub fn mixer_of(&self, group: &LayerGroup) -> Option<&Mixer> {
        let at = usize::from(group.mixer?);
        self.mixers().get(at).map(|part| &part.shape)
    }

    /// Returns the FFN of a group, if it has one.
    pub fn ffn_of(&self, group: &LayerGroup) -> Option<&Ffn> {
        let at = usize::from(group.ffn?);
        self.ffns().get(at).map(|part| &part.shape)
    }

    /// Iterates over the distinct MoE FFNs.
    pub fn moes(&self) -> impl Iterator<Item = Layered<Moe>> + '_ {
        self.ffns().iter().filter_map(|part| match part.shape {
            Ffn::Moe(shape) => Some(Layered {
                shape,
                layers: part.layers,
            }),
            Ffn::Dense(_) => None,
        })
    }

    /// True if any layer has experts.
    pub fn is_moe(&self) -> bool {
        self.moes().next().is_some()
    }

    /// True if `ways` divides the number of heads of every mixer.
    pub fn heads_divide(&self, ways: u32) -> bool {
        self.mixers().iter().all(|part| {
            let heads = part.shape.divided_by_tp();
            heads.iter().all(|(_, heads)| heads.is_multiple_of(ways))
        })
    }

    /// Returns the number of layers that have a mixer.
    pub fn mixer_layers(&self) -> u32 {
        self.mixers().iter().map(|part| part.layers).sum()
    }

    /// Returns the number of layers that have a dense FFN.
    pub fn dense_layers(&self) -> u32 {
        let dense = |part: &&Layered<Ffn>| matches!(part.shape, Ffn::Dense(_));
        self.ffns()
            .iter()
            .filter(dense)
            .map(|part| part.layers)
            .sum()
    }

    /// Returns the number of layers that have experts, L_E.
    pub fn expert_layers(&self) -> u32 {
        self.moes().map(|part| part.layers).sum()
    }

    /// Returns the number of layers, counting a layer with only a mixer or only an FFN as half.
    pub fn whole_layers(&self) -> f64 {
        let halves = self.mixer_layers() + self.dense_layers() + self.expert_layers();
        f64::from(halves) / 2.0
    }

    /// True if every layer that has a mixer has full attention, as in the papers.
    pub fn attends_to_all(&self) -> bool {
        self.mixers().iter().all(|part| part.shape.is_full())
    }
}

/// Adds layers to the table entry with an equal shape, or appends a new entry. Returns the index of the entry, or
/// `None` if the table is full.
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
