//! Inefficiency factors of real kernels and links; they stand here and nowhere else.
//!
//! One set of formulas serves every calibration. A kernel takes
//! `start + max(π·FLOP·ε/peak, bytes·ε_m/bandwidth)`, a message `start + bytes·ε/bandwidth`; a
//! calibration without starts, tiles or popularity states the neutral value.

mod named;
pub mod terms;

pub use named::{NamedCalibration, Overrides};
pub use terms::{Calibration, Fold, MessageCost, MessageCosts, PrefillCount, Starts};
