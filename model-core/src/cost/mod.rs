//! Cost of operators and messages in time, and of a deployment in memory.

pub mod calibration;
pub mod collective;
pub mod kernels;
pub mod memory;
pub mod roofline;
