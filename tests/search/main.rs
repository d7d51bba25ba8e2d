//! Tests of the search for plans: its candidates and its results, compared with enumeration.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests are tests too"
)]

mod candidates;
mod enumeration;
mod frontier;
mod helix;
mod measured;
mod strategies;
mod view;

use model_core::permalink;
use model_core::scenario::Scenario;
use model_core::sweep::{Space, Strategy, SweepPoint, TriedPlan};

/// GPU counts of small search spaces; not all are powers of two.
const GPUS: [u32; 5] = [1, 2, 6, 8, 16];

/// Base scenarios: an MoE model with MLA, with two-batch overlap if it helps, and a dense model with GQA, without
/// overlap.
const BASES: [&str; 2] = [
    "v=1&model=deepseek-r1&gpu=gb200&precision=fp4&calibration=helix&context=1M&beta=1&redundant=0",
    "v=1&model=llama-3.1-405b&gpu=gb200&precision=fp4&calibration=helix&context=1M&overlap=none",
];

fn base(link: &str) -> Scenario {
    permalink::read(link)
        .current
        .scenario()
        .expect("a possible scenario")
}

/// Returns a search space with every strategy on every GPU count of `GPUS`; some of its batches are too small or too
/// large.
fn space(base: &Scenario) -> Space {
    let batches = vec![1.0, 3.0, 8.0, 64.0, 1024.0];
    Space::new(base, &Strategy::ALL, &GPUS, batches)
}

fn fitting(space: &Space) -> Vec<SweepPoint> {
    (0..space.len())
        .filter_map(|index| match space.outcome(index) {
            TriedPlan::Fits(point) => Some(point),
            _ => None,
        })
        .collect()
}
