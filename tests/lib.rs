//! What the test targets share.

#[cfg(not(target_family = "wasm"))]
pub mod driver;
