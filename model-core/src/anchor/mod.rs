//! Anchoring: measurements of a deployment correct its computed times.
//!
//! TPOT has three [`Parts`]: fixed time, variable time (traffic and compute), and prefill of other requests.
//! Measurements give one factor for each part ([`factors`]); the prior favors three nearly equal factors. [`anchored`]
//! stores the factors in the inputs. [`crate::inputs::Inputs::scenario`] applies them, so every evaluation uses them.

mod carry;
pub mod factors;
mod fit;
mod parts;

pub use carry::{Carry, NotCarried, anchored_pair, carry, facts_kept};
pub use fit::{Fit, FittedPoint, FittedTtft, RefusedPoint, anchored, fit, scenario_of};
pub use parts::Parts;
