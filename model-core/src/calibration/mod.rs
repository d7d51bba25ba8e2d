//! Inefficiency factors of real kernels and links, all in one place.
//!
//! One set of formulas serves every calibration: a kernel takes `start + max(π·FLOP·ε/peak, bytes·ε_m/bandwidth)`, a
//! collective `start + bytes·ε/bandwidth`. A calibration without starts, tiles or popularity sets the neutral value.

pub mod kernels;
mod named;
pub mod terms;

pub use named::{NamedCalibration, Overrides};
pub use terms::{Calibration, Fold, MessageCost, MessageCosts, PrefillCount, Starts};
