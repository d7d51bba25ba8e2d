//! The laws of the list of levers, on random scenarios from a fixed seed; a failure names its link.
//!
//! `RIDGEPOINT_SCENARIOS=10000` tries as many; a run of all tests tries fewer.

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

use std::panic::{AssertUnwindSafe, catch_unwind};

use model_core::inputs::{Inputs, Number};
use model_core::permalink;
use ridgepoint_tests::space;

/// Scenarios of a law in a run of all tests.
const SCENARIOS: u64 = 600;
/// Threads that share them.
const THREADS: u64 = 2;

fn scenarios() -> u64 {
    let stated = std::env::var("RIDGEPOINT_SCENARIOS").ok();
    stated
        .and_then(|count| count.parse().ok())
        .unwrap_or(SCENARIOS)
}

/// A scenario of the space, by number; half of them have an SLO, which many meet and many miss.
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

/// Tries `law` on scenarios 0 to `count` of `make`; panics with the first that breaks it.
fn law(count: u64, make: impl Fn(u64) -> Inputs + Sync, law: impl Fn(&Inputs) + Sync) {
    let (law, make) = (&law, &make);
    let broken: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| {
                scope.spawn(move || {
                    let mut numbers = (0..count).filter(|number| number % THREADS == thread);
                    numbers.find_map(|number| {
                        let inputs = make(number);
                        let tried = catch_unwind(AssertUnwindSafe(|| law(&inputs)));
                        tried.is_err().then(|| {
                            format!("scenario {number}: {}", permalink::write_inputs(&inputs))
                        })
                    })
                })
            })
            .collect();
        let results = threads.into_iter().map(|thread| thread.join().unwrap());
        results.flatten().collect()
    });
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
