//! Inefficiency factors of real kernels and links, all in one place.
//!
//! One set of formulas serves every calibration: a kernel takes `start + max(π·FLOP·ε/peak, bytes·ε_m/bandwidth)`, a
//! collective `start + bytes·ε/bandwidth`. A calibration without starts, tiles or popularity sets the neutral value.

pub mod by_operator;
mod corrected;
pub mod engine;
pub mod engine_terms;
pub mod kernels;
mod named;
pub mod operator_terms;
mod peak;
pub mod prefill;
pub mod term;
pub mod terms;

pub use engine_terms::EngineTerms;
pub use named::{NamedCalibration, Overrides};
pub use operator_terms::OperatorTerms;
pub use terms::{Calibration, Fold, MessageCost, MessageCosts, PrefillCount, PromptTerms, Starts};
