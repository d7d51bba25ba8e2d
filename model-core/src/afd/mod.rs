//! Attention–FFN disaggregation (AFD, [R]): attention ranks and FFN ranks in a chosen A:F ratio.

pub mod bundle;
pub mod decision;
pub mod derive;
pub mod latency;
pub mod lengths;
pub mod notes;
mod optimum;
pub mod own;
pub mod random;
pub mod ratio;
pub mod report;
pub mod simulate;
pub mod swept;
pub mod topology;
