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
pub mod sides;
pub mod slo;
pub mod step;
pub mod timeline;
pub mod traffic;

pub use refusal::Refusal;
pub use setup::Setup;
pub use step::{Split, evaluate};

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
