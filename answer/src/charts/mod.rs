//! Charts with custom drawing code: the data of each chart and its drawing.

#![allow(
    missing_docs,
    reason = "a field whose name and unit say everything needs no comment"
)]

pub mod latency;
pub mod map;
pub mod measured;
pub mod memory;
pub mod overlay;
pub mod points;
pub(crate) mod prelude;
pub mod roofline;
#[cfg(test)]
mod tests;

pub use roofline::*;
pub use {latency::*, map::*};
pub use {measured::*, memory::*, overlay::*, points::*};
