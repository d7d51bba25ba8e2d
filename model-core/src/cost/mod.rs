//! What operators, messages and memory cost.

pub mod calibration;
pub mod collective;
pub mod extrapolation;
pub mod kernels;
pub mod memory;
pub mod roofline;
