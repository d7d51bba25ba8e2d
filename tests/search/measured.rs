//! Tests that the default search finds no plan far better than the best measured systems.

use model_core::permalink::read;
use model_core::search::Candidates;
use model_core::sweep::TriedPlan;

/// Factor by which a plan may exceed the best published measurement.
const BEYOND: f64 = 1.3;

/// Returns the highest interactivity and the highest throughput per GPU in the default search.
fn best(link: &str) -> (f64, f64) {
    let link = read(link);
    let candidates = Candidates::new(&link.current, &link.search);
    let space = &candidates.space;
    let mut best = (0.0_f64, 0.0_f64);
    for index in 0..space.len() {
        if let TriedPlan::Fits(point) = space.outcome(index) {
            best.0 = best.0.max(point.tokens_per_user);
            best.1 = best.1.max(point.tokens_per_gpu);
        }
    }
    best
}

/// Checks that the best results of the default search are at most 1.3 times the best public measurements.
///
/// On Hopper, the highest measured interactivity without drafts is 91.2 tok/s/user (Kimi K2.5 on 8 H200, 4 sequences,
/// InferenceX). The highest measured throughput of DeepSeek-V3 at a context of 2,000 tokens is 2,785 tok/s/GPU (SGLang
/// on 72 H100, May 2025).
///
/// On Blackwell, the values are 125.5 tok/s/user (Kimi K2.5 on 8 B200) and 7,583 tok/s/GPU in FP8 (SGLang on GB200,
/// June 2025).
#[test]
fn best_is_near_measured_systems() {
    for (link, user, gpu) in [
        ("v=1&view=plans", 91.2, 2785.0),
        ("v=1&gpu=b200&view=plans", 125.5, 7583.0),
    ] {
        let (fastest, most) = best(link);
        assert!(fastest <= BEYOND * user, "{link}: {fastest} tok/s per user");
        assert!(most <= BEYOND * gpu, "{link}: {most} tok/s per GPU");
    }
}
