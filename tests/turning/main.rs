//! Tests of turning points (input values at which a verdict changes), and of contradictions that the page once had.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests are tests too"
)]

mod contradictions;
mod turns;
