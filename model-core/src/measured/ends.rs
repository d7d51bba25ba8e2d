//! Ends that an estimate has whatever measured runs say.

use crate::arch::Mixer;
use crate::evaluate::Evaluation;
use crate::scenario::Scenario;

/// Upper end of sparse MLA at few sequences, as a factor on the computed time. Its index is a chain of some twelve
/// small kernels, where tuned engines have four; no public profile explains all of the difference.
///
/// Source: stock engines at one sequence on TP 8: vLLM with GLM-5.2 on 8 H200 19.0 ms (mstar-project/mstar #272),
/// SGLang 0.5.8 with GLM-5 on 8 B200 20.2 ms, both 1.8 to 2 times the computed time; kernels of the index:
/// sgl-project/sglang #15104, #38583.
const UNFUSED_INDEX: f64 = 2.0;
/// Sequences of an attention group up to which the kernels of an index are bound by their launch.
const FEW: f64 = 4.0;

/// Min and max factor on the computed TPOT: 1, DP ranks that prefill at the same time or
/// independently of each other, prompts read outside CUDA graphs where their host time is not stated, and an index of
/// many small kernels.
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
