//! Data of "How many GPUs?": memory per GPU as their number grows.

use model_core::advice::fewest_gpus;
use model_core::cost::memory::Memory;
use model_core::limits::growth::{gpu_counts, growth};
use model_core::scenario::{Inputs, Number};

use crate::answer::Case;
use crate::charts::{GrowthBar, GrowthData};
use crate::theme::Role;

/// The largest deployment that is drawn, unless the present one is larger.
const MOST_GPUS: u32 = 1024;

/// A bar for every power of two and for the present number.
pub fn data(case: &Case) -> GrowthData {
    let present = case.scenario.cluster.gpus;
    let grown = growth(&case.inputs, &gpu_counts(present, MOST_GPUS.max(present)));
    GrowthData {
        bars: grown
            .into_iter()
            .map(|grown| GrowthBar {
                gpus: f64::from(grown.gpus),
                parts: parts(&grown.memory),
                capacity_batch: grown.b_cap,
                largest_batch: grown.largest,
            })
            .collect(),
        usable_bytes: case.evaluation.memory.usable.get(),
        accelerator: crate::answer::split::one_name(case.inputs.gpu),
        now_gpus: case.gpus(),
        batch: case.scenario.workload.batch,
        slo_tokens_per_s_per_user: case.scenario.workload.slo,
        fewest_fit: fewest_fit(&case.inputs),
        fewest_keep: fewest(&case.inputs).filter(|_| case.scenario.workload.slo.is_some()),
        source: "this batch on other numbers of GPUs, [B] Figure 8".into(),
    }
}

/// The fewest GPUs on which the batch fits, whether or not it meets the SLO.
pub(in crate::answer) fn fewest_fit(inputs: &Inputs) -> Option<f64> {
    fewest(&inputs.without(Number::Slo))
}

fn fewest(inputs: &Inputs) -> Option<f64> {
    fewest_gpus(inputs)?.get(Number::Gpus)
}

fn parts(memory: &Memory) -> Vec<(Role, f64)> {
    vec![
        (Role::Attention, memory.attention_weights.get()),
        (Role::Dense, memory.dense_weights.get()),
        (Role::Experts, memory.expert_weights.get()),
        (Role::Head, memory.embedding.get()),
        (Role::Kv, memory.kv_cache.get()),
        (Role::Activations, memory.activations.get()),
    ]
}
