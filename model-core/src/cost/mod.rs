//! Times of operators and communication, and memory of a deployment.

pub mod collective;
pub mod memory;
pub mod roofline;
