//! Inefficiency factors of real kernels and interconnects.
//!
//! The same formulas serve every calibration. A kernel takes `start + max(π·FLOP·ε/peak, bytes·ε_m/bandwidth)`, where
//! `start` is its fixed latency and π the tile padding. A collective takes `start + bytes·ε/bandwidth`. A calibration
//! without launch latencies, tile padding or expert popularity sets these terms to neutral values.

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
