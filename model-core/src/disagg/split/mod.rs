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
mod stated;
pub mod step;
pub mod timeline;
pub mod traffic;

pub use refusal::SplitRefusal;
pub use setup::Setup;
pub use sides::Side;
pub use step::{Split, evaluate};
