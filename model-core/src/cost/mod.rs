//! Times of operators and communication, and memory of a deployment.

pub mod collective;
pub mod engine;
pub mod formats;
pub mod memory;
pub mod pages;
pub mod roofline;
