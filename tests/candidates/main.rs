//! Tests of candidates (alternatives that are compared, each with its best plan): brute force, turning points, and
//! former contradictions between views.

#![cfg(not(target_family = "wasm"))]
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests are tests too"
)]

mod brute_force;
mod contradictions;
mod links;

use answer::candidates::asked;
use model_core::candidates::{Candidate, CandidatesFound, CandidatesInProgress};
use model_core::permalink::Link;

/// Returns the candidates of a permalink, and their comparison as computed by the worker.
fn compared(link: &Link) -> (Vec<Candidate>, CandidatesFound) {
    let (inputs, search, candidates) = asked(link);
    let mut work = CandidatesInProgress::new(&inputs, &search, &candidates);
    while work.step() {}
    (candidates, work.found)
}
