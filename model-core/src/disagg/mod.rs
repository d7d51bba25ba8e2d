//! Disaggregation: attention on machines of its own.

pub mod split;
pub mod trace;
