//! Times of operators and communication, and memory of a deployment.

pub mod calibration;
pub mod collective;
pub mod kernels;
pub mod memory;
pub mod roofline;
