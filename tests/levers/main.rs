//! Property tests of the list of levers, on random scenarios from a fixed seed; a failure names the permalink of its
//! scenario.
//!
//! `RIDGEPOINT_SCENARIOS=10000` tries 10,000 scenarios; a run of all tests tries fewer.

#![cfg(not(target_family = "wasm"))]
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests are tests too"
)]

mod brute_force;
mod headlines;
mod laws;
mod recorded;

use model_core::inputs::{Inputs, Number};
use ridgepoint_tests::law::{law, tried};
use ridgepoint_tests::space;

fn scenarios() -> u64 {
    tried(600)
}

/// Returns random scenario `number`. At least half of the scenarios have an SLO, which many of them meet and many
/// miss.
fn scenario(number: u64) -> Inputs {
    let mut inputs = space::inputs(&mut space::seeded(number.wrapping_mul(0x9e37_79b9)));
    let speeds = [5.0, 20.0, 60.0, 200.0];
    match number % 4 {
        0 | 2 => inputs.state(
            Number::Slo,
            Some(speeds[number as usize / 2 % speeds.len()]),
        ),
        1 => inputs.state(Number::Slo, None),
        _ => true,
    };
    inputs.normalized()
}
