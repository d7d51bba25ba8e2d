//! The calibration `kernels-2026` against what it was made of, and against steps computed apart.
//!
//! Every curve runs the model's own code on the kernel or message that was measured, prints how far off it
//! is, and has a bound with its reason.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests are tests too"
)]

mod attention;
mod collectives;
mod curve;
mod dispatch;
mod examples;
mod experts;
mod gemm;
mod load;
mod systems;
