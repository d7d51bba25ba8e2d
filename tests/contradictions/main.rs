//! Regression tests of contradictions that a review found: two answers to the same question have to agree.

#![cfg(not(target_family = "wasm"))]
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests are tests too"
)]

mod accuracy;
mod limits;
mod shares;
