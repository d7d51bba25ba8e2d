//! Service of whole requests: examples computed independently, laws on random demands, brute force.
//!
//! `RIDGEPOINT_SCENARIOS=300` tries as many demands; a run of all tests tries fewer.

#![cfg(not(target_family = "wasm"))]
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests are tests too"
)]

mod brute_force;
mod examples;
mod flags;
mod laws;
mod levers;
mod states;

use std::panic::{AssertUnwindSafe, catch_unwind};

use model_core::inputs::Inputs;
use model_core::permalink::{read, write_inputs};
use ridgepoint_tests::space::seeded;

/// Demands of a law in a run of all tests.
const DEMANDS: u64 = 36;
/// Threads that share them.
const THREADS: u64 = 2;

fn demands() -> u64 {
    let stated = std::env::var("RIDGEPOINT_SCENARIOS").ok();
    stated
        .and_then(|count| count.parse().ok())
        .unwrap_or(DEMANDS)
}

/// A demand without a rate, by number: a model on accelerators that mostly hold it, lengths, limits.
fn demand(number: u64) -> Inputs {
    let mut draws = seeded(number.wrapping_mul(0x9e37_79b9).wrapping_add(7));
    let mut one_of = |texts: &[&str]| {
        let draw = draws.next().unwrap_or(0) as usize;
        texts[draw % texts.len()].to_owned()
    };
    let parts = [
        one_of(&[
            "model=deepseek-v3",
            "model=qwen3-235b-a22b",
            "model=qwen3-30b-a3b",
            "model=llama-3-70b&precision=bf16",
            "model=gpt-oss-120b&precision=bf16",
            "model=glm-4.5",
            "model=deepseek-v3.2",
        ]),
        one_of(&["gpu=h200", "gpu=b200", "gpu=h100", "gpu=mi300x"]),
        one_of(&["prompt=4000", "prompt=1000", "prompt=500", "prompt=32000"]),
        one_of(&["output=1000", "output=200", "output=4000"]),
        one_of(&["hit=0", "hit=0.5", "hit=0.9"]),
        one_of(&["slo=20", "slo=40", "slo=5", "mtp=0"]),
        one_of(&["util=0.8", "ttft=2", "ttft=0.5", "ttft=5", "ttft=1"]),
        one_of(&["redundant=0", "redundant=0&beta=1", "redundant=32"]),
        one_of(&["calibration=kernels-2026-11", "calibration=kernels-2026"]),
        one_of(&["price=2", "price=2&price_prefill=3", "price=0"]),
    ];
    read(&format!("v=1&pools=best&{}", parts.join("&"))).current
}

/// Tries `law` on demands 0 to `count`; panics with those that break it.
fn law(count: u64, law: impl Fn(&Inputs) + Sync) {
    let law = &law;
    let broken: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| {
                scope.spawn(move || {
                    let mut numbers = (0..count).filter(|number| number % THREADS == thread);
                    numbers.find_map(|number| {
                        let inputs = demand(number);
                        let tried = catch_unwind(AssertUnwindSafe(|| law(&inputs)));
                        let named = || format!("demand {number}: {}", write_inputs(&inputs));
                        tried.is_err().then(named)
                    })
                })
            })
            .collect();
        let results = threads.into_iter().map(|thread| thread.join().unwrap());
        results.flatten().collect()
    });
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
