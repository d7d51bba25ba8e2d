//! What the page says agrees with itself, whatever the scenario: the same number for the same thing in
//! every view, and nothing called best that a point beside it beats.
//!
//! Ten thousand scenarios of the space, drawn from a fixed seed; a failure names its link.

#![cfg(not(target_family = "wasm"))]
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests are tests too"
)]

mod agree;
mod best;
mod plans;
mod words;

use std::panic::{AssertUnwindSafe, catch_unwind};

use model_core::permalink;
use model_core::scenario::{Inputs, Number};

use ridgepoint_tests::space;

/// Scenarios of a law that asks the model alone.
const SCENARIOS: u64 = 10_000;
/// Scenarios of a law that reads whole pages of words and charts; `RIDGEPOINT_PAGES=10000` reads them all.
const PAGES: u64 = 400;

fn pages() -> u64 {
    std::env::var("RIDGEPOINT_PAGES")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(PAGES)
}
/// Threads that share them.
const THREADS: u64 = 4;

/// A scenario of the space, by its number; half of them have an SLO, so that it is met and missed by many.
fn scenario(number: u64) -> Inputs {
    let mut inputs = space::inputs(&mut space::seeded(number.wrapping_mul(0x9e37_79b9)));
    let speeds = [5.0, 20.0, 60.0, 200.0];
    if number.is_multiple_of(2) {
        inputs.state(
            Number::Slo,
            Some(speeds[number as usize / 2 % speeds.len()]),
        );
    }
    inputs.normalized()
}

/// Tries `law` on scenarios from 0 to `count`; panics with the first that breaks it.
fn law(count: u64, law: impl Fn(u64, &Inputs) + Sync) {
    let law = &law;
    let broken: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| {
                scope.spawn(move || {
                    let mut numbers = (0..count).filter(|number| number % THREADS == thread);
                    numbers.find_map(|number| {
                        let inputs = scenario(number);
                        let tried = catch_unwind(AssertUnwindSafe(|| law(number, &inputs)));
                        tried.is_err().then(|| permalink::write_inputs(&inputs))
                    })
                })
            })
            .collect();
        let ends = threads
            .into_iter()
            .filter_map(|thread| thread.join().expect("it ends"));
        ends.collect()
    });
    assert!(broken.is_empty(), "at {}", broken.join("\n   "));
}
