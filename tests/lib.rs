//! Helpers that the test targets share.

#[cfg(not(target_family = "wasm"))]
pub mod law;
pub mod numbers;
pub mod runs;
pub mod space;

#[cfg(not(target_family = "wasm"))]
pub mod accuracy;
#[cfg(not(target_family = "wasm"))]
pub mod check;
#[cfg(not(target_family = "wasm"))]
pub mod driver;
