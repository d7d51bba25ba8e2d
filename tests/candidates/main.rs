//! Candidates, each at its best: brute force, turning points, and contradictions between views that are gone.

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

/// The candidates of a link, and what the worker finds.
fn compared(link: &Link) -> (Vec<Candidate>, CandidatesFound) {
    let (inputs, search, candidates) = asked(link);
    let mut work = CandidatesInProgress::new(&inputs, &search, &candidates);
    while work.step() {}
    (candidates, work.found)
}
