//! The calibration `kernels-2026-11`: like [`kernels`], but with separate constants for each operator and number
//! format.
//!
//! The sources are public tables of single kernels and collectives; one constant, o_L, is fitted. Unless a term names
//! another source, its values are from aiconfigurator's tables. These tables cover H100, H200, B200, GB200, B300 and
//! GB300 under TensorRT-LLM, SGLang and vLLM, without fallbacks or untuned kernels. For AMD, the sources give ranges
//! for a few kernels only; all other AMD kernels use Hopper's numbers.

pub mod attention;
pub mod experts;
pub mod gemm;
pub mod messages;

use super::kernels::{
    self, ACROSS, ACROSS_START, ALL_GATHER, CONTENTION, CORE, CORE_START, EXPERTS_START, HOST,
    MEMORY, POPULARITY, TILE,
};
use super::operator_terms::OperatorTerms;
use super::prefill;
use super::term::{CalibrationTerm, TermUnit};
use super::terms::{Calibration, PrefillCount, PromptTerms};
use crate::hardware::{Coverage, Family};
use crate::source::Source;

const TABLES: &str = "NVIDIA aiconfigurator-core 0.12.0, kernel tables (Apache-2.0)";

/// Framework overhead per layer and forward pass, o_L, the only fitted constant of this calibration.
pub const LAYER_OVERHEAD: CalibrationTerm = CalibrationTerm::new(
    "o_L",
    "framework overhead per layer and pass: norms, routing, sampling, gaps",
    TermUnit::Micros,
    [30.0, 30.0],
    Source::new(
        "Fitted",
        "fitted to zero mean error on eight latency-bound measured runs",
    ),
)
.by("layer_us");

/// Returns every term of the calibration, in the order of a step: efficiencies, kernels, communication, load,
/// overheads, prefill.
pub fn terms() -> Vec<&'static CalibrationTerm> {
    let products: Vec<&CalibrationTerm> = gemm::SHARE.iter().collect();
    listed(&products, &attention::GROUPED, &[&LAYER_OVERHEAD, &HOST])
}

/// Returns every term, using the given GEMM efficiencies, GQA kernel terms and overheads.
pub(super) fn listed(
    products: &[&'static CalibrationTerm],
    grouped: &'static [attention::CoreTerms; 2],
    overheads: &[&'static CalibrationTerm],
) -> Vec<&'static CalibrationTerm> {
    let core = |of: &'static attention::CoreTerms| [&of.start, &of.memory, &of.tokens];
    let fused = |of: &'static experts::ExpertTerms| [&of.start, &of.compute, &of.memory, &of.bytes];
    let mut all: Vec<&CalibrationTerm> = vec![&MEMORY, &CORE, &TILE];
    all.extend(products);
    all.extend(gemm::START.each_ref());
    all.push(&gemm::RESIDUAL_START);
    all.extend(grouped.iter().chain(&attention::LATENT).flat_map(core));
    all.extend(attention::LATENT_SHARE.each_ref());
    all.extend([
        &attention::INDEX_SCORE,
        &attention::TOP_K,
        &attention::RECURRENCE,
        &attention::SPARSE_PREFILL_START,
        &attention::SPARSE_PREFILL,
        &attention::HEAD_TILE,
        &EXPERTS_START,
    ]);
    all.extend(experts::FUSED.iter().flat_map(fused));
    all.extend([
        &experts::ACTIVATIONS,
        &messages::OWN_START,
        &messages::OWN,
        &messages::BULK_START,
        &messages::BULK,
        &messages::ALL_GATHER_START,
        &ALL_GATHER,
        &messages::ALL_TO_ALL_START,
        &messages::ALL_TO_ALL,
        &ACROSS_START,
        &ACROSS,
        &POPULARITY,
        &CONTENTION,
    ]);
    all.extend(overheads);
    all.extend([
        &CORE_START,
        &kernels::ALL_REDUCE_START,
        &kernels::ALL_REDUCE,
    ]);
    all.extend(prefill::listed());
    all
}

/// Returns the calibration for an accelerator whose measured kernels are given by `coverage`; uses the Hopper values
/// if none were measured.
pub const fn calibration(coverage: Coverage) -> Calibration {
    let family = coverage.family_or_hopper();
    Calibration {
        messages: messages::costs(family),
        layer_overhead: LAYER_OVERHEAD.seconds(family),
        prefill: PrefillCount::Passes,
        prompts: Some(prompts(family)),
        operators: Some(OperatorTerms {
            gemms: gemm::costs(family),
            residual_start: gemm::RESIDUAL_START.seconds(family),
            experts: experts::costs(family),
            expert_activations: experts::ACTIVATIONS.factor(family),
            grouped_compute: CORE.factor(family),
            grouped: attention::costs(&attention::GROUPED, family),
            latent: attention::costs(&attention::LATENT, family),
            latent_compute: [
                attention::LATENT_SHARE[0].factor(family),
                attention::LATENT_SHARE[1].factor(family),
            ],
            index_score: attention::INDEX_SCORE.factor(family),
            top_k: attention::TOP_K.factor(family),
            recurrence: attention::RECURRENCE.factor(family),
            sparse_prefill: (
                attention::SPARSE_PREFILL_START.seconds(family),
                attention::SPARSE_PREFILL.factor(family),
            ),
            head_tile: attention::HEAD_TILE.of(family),
            little_compute: false,
        }),
        drafter: true,
        ..kernels::calibration(coverage)
    }
}

/// Returns the terms of prefill. On AMD, GEMM efficiencies, the MLA kernel latency and all scale-up collectives are
/// the same as in decode. On other families, the prefill all-reduce has the terms of [`kernels`].
const fn prompts(family: Family) -> PromptTerms {
    let own = messages::costs(family);
    let reduced = if family.is_range() {
        own
    } else {
        kernels::messages(family)
    };
    let terms = prefill::terms(
        family,
        CORE_START.seconds(family),
        super::terms::MessageCosts {
            all_reduce: reduced.all_reduce,
            bulk_all_reduce: reduced.bulk_all_reduce,
            ..own
        },
    );
    if !family.is_range() {
        return terms;
    }
    let [bf16, fp8, fp4] = gemm::costs(family);
    PromptTerms {
        gemms: [bf16.compute, fp8.compute, fp4.compute],
        latent_start: attention::LATENT[0].start.seconds(family),
        messages: super::terms::MessageCosts {
            all_to_all: own.all_to_all,
            ..terms.messages
        },
        ..terms
    }
}
