//! What operators, messages and memory cost.

pub mod calibration;
pub mod collective;
pub mod memory;
pub mod roofline;
