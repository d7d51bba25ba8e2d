//! Attention on memory devices, everything else on compute devices: paper [L].
//!
//! `a` compute devices hold the weights and run every operator but attention; `b` memory devices
//! hold the cache and run attention. Hidden states cross the network twice in every layer, and j
//! batches take turns so that neither side waits for the other.
//!
//! Every operator's time is that of [`crate::ops`] and [`crate::cost`], on the accelerator that
//! runs it; this module only says which side that is and what waits for what.

pub mod alternative;
pub mod bandwidth;
pub mod defaults;
pub mod memory;
pub mod refusal;
pub mod report;
pub mod search;
pub mod setup;
pub mod step;
pub mod timeline;

pub use refusal::Refusal;
pub use setup::Setup;
pub use step::{Split, evaluate};

use crate::arch::{Arch, Mixer};
use crate::named::named;

named! {
    /// How the memory devices divide attention among them.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Partition {
        /// By heads: even whatever the lengths, but latent attention's one cache is then copied to
        /// every device, and so are KV heads beyond one device each. Source: [L] 5, Figure 9 (b).
        Heads = "heads",
        /// By requests: every cache lies once. Source: [L] 5, Figure 9 (a).
        /// Not modelled: the uneven lengths that make one device the slowest.
        Requests = "requests",
    }
}

impl Partition {
    /// By heads as [L] does, except where all heads share one cache.
    pub fn default_of(arch: &Arch) -> Self {
        let mut mixers = arch.mixers().iter();
        if mixers.all(|part| matches!(part.shape, Mixer::Grouped(_))) {
            Self::Heads
        } else {
            Self::Requests
        }
    }
}

named! {
    /// Whether queries are sent ahead, so that attention over the earlier tokens runs while the new
    /// key and value are still projected and sent. Source: [L] 4.2.2.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum QEarly {
        /// Queries first.
        On = "on",
        /// Query, key and value together.
        Off = "off",
    }
}

/// One of the two kinds of device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Weights and every operator but attention.
    Compute,
    /// Cache and attention.
    Memory,
}

impl Side {
    /// The identifier in results.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Compute => "compute",
            Self::Memory => "memory",
        }
    }
}
