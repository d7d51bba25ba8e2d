//! Tests that an evaluation allocates no memory, because a search runs millions of evaluations.

#![cfg(not(target_family = "wasm"))]

use std::hint::black_box;

use allocation_counter::measure;
use model_core::evaluate::evaluate;
use model_core::permalink::read;
use ridgepoint_tests::space;

/// Number of random scenarios, drawn from the whole input space to cover many kinds of layers.
const SCENARIOS: u64 = 500;

#[test]
fn evaluating_allocates_nothing() {
    let drawn = (0..SCENARIOS).map(|seed| space::inputs(&mut space::seeded(seed)));
    for inputs in drawn.chain([read("v=1").current]) {
        let Ok(scenario) = inputs.scenario() else {
            continue;
        };
        let counted = measure(|| {
            let _ = black_box(evaluate(black_box(&scenario)));
        });
        assert_eq!(counted.count_total, 0, "{inputs:?}");
    }
}

#[test]
fn the_counter_counts() {
    assert!(measure(|| drop(black_box(vec![1_u8]))).count_total > 0);
}
