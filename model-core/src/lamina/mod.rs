//! Model–attention disaggregation (Lamina, [L]): attention on memory devices, everything else on compute devices.
//!
//! `a` compute devices hold the weights and run every operator but attention; `b` memory devices hold the KV cache
//! and run attention. Hidden states cross the network twice in every layer, and j micro-batches rotate so that
//! neither side is idle.
//!
//! Operator times come from [`crate::ops`] and [`crate::cost`], on the accelerator of their side; this module assigns
//! sides and dependencies.

pub mod alternative;
pub mod bandwidth;
pub mod memory;
pub mod refusal;
pub mod report;
pub mod search;
pub mod setup;
pub mod slo;
mod stated;
pub mod step;
pub mod timeline;
pub mod traffic;

pub use refusal::SplitRefusal;
pub use setup::SplitSetup;
pub use step::{Split, evaluate};

/// A side of a Lamina deployment, defined by its type of device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SplitSide {
    /// Compute devices, which hold the weights and run every operator but attention.
    Compute,
    /// Memory devices, which hold the KV cache and run attention.
    Memory,
}

impl SplitSide {
    /// Returns the side's identifier in results.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Compute => "compute",
            Self::Memory => "memory",
        }
    }
}
