//! Tests of serving whole requests: independently computed examples, property tests on random demands, and brute
//! force.
//!
//! `RIDGEPOINT_SCENARIOS=300` tries 300 demands; a run of all tests tries fewer.

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

use model_core::inputs::Inputs;
use model_core::permalink::read;
use ridgepoint_tests::law;
use ridgepoint_tests::space::seeded;

fn demands() -> u64 {
    law::tried(36)
}

/// Tries the property `law` on the demands numbered from 0 up to `count`.
fn law(count: u64, law: impl Fn(&Inputs) + Sync) {
    law::law(count, demand, law);
}

/// Returns random demand `number`, without a request rate: a model, an accelerator on which it usually fits, prompt
/// and output lengths, and limits.
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
