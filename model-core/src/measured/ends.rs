//! Known bounds of an estimate that its error band must include, whatever the measured runs show.

use crate::arch::Mixer;
use crate::evaluate::Evaluation;
use crate::scenario::Scenario;

/// Upper bound for sparse MLA with few sequences, as a factor on the computed time. Stock engines run the
/// sparse-attention index as a chain of about twelve small kernels, while tuned engines use four. No public profile
/// explains the entire difference.
///
/// Source: stock engines at one sequence on TP 8. vLLM with GLM-5.2 on 8 H200 takes 19.0 ms (mstar-project/mstar
/// #272). SGLang 0.5.8 with GLM-5 on 8 B200 takes 20.2 ms. Both are 1.8 to 2 times the computed time. Kernels of the
/// index: sgl-project/sglang #15104, #38583.
const UNFUSED_INDEX: f64 = 2.0;
/// Number of sequences per attention group up to which the kernels of a sparse-attention index are bound by launch
/// latency.
const FEW: f64 = 4.0;

/// Returns the minimum and maximum factor on the computed TPOT that an error band must contain. The range always
/// includes 1. It covers DP ranks that prefill simultaneously or independently of each other, and a sparse-attention
/// index of many small kernels. It also covers prompts that run outside CUDA graphs, if their host time is not given.
pub(super) fn ends_of(scenario: &Scenario, evaluation: &Evaluation) -> (f64, f64) {
    let (mut low, mut high) = (1.0_f64, 1.0_f64);
    if let Some(ends) = evaluation.prefill_ends(scenario) {
        let [together, apart] = ends.ranks;
        low = low.min(together / evaluation.tpot);
        high = high.max(apart / evaluation.tpot);
        if let Some([_, most]) = ends.eager {
            high = high.max(most / evaluation.tpot);
        }
    }
    let indexed = |mixer: &Mixer| matches!(mixer, Mixer::Latent(shape) if shape.index.is_some());
    let mut mixers = scenario.arch.mixers().iter();
    if evaluation.load.sequences <= FEW && mixers.any(|part| indexed(&part.shape)) {
        high = high.max(UNFUSED_INDEX);
    }
    (low, high)
}
