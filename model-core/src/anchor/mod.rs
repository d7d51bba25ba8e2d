//! Anchoring: measurements of a deployment correct its computed times.
//!
//! A time per output token has three [`Parts`]: fixed times, traffic and arithmetic, and prefill of other requests.
//! Measurements give one factor for each ([`factors`]), from a prior in which all three are alike. [`anchored`] stores them
//! in the inputs, and [`crate::inputs::Inputs::scenario`] applies them, so that every evaluation has them.

mod carry;
pub mod factors;
mod fit;
mod parts;

pub use carry::{Carry, NotCarried, anchored_pair, carry, facts_kept};
pub use fit::{Fit, FittedPoint, FittedTtft, RefusedPoint, anchored, fit, scenario_of};
pub use parts::Parts;
