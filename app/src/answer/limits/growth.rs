//! Data of "How many GPUs?": memory per GPU as their number grows.

use model_core::cost::memory::{Memory, memory};
use model_core::inputs::{Inputs, Number};
use model_core::limits::growth::{fewest_idle, gpu_counts, growth, on_gpus};
use model_core::needs::fewest_gpus;

use crate::answer::Evaluated;
use crate::answer::names::{one_name, sequences};
use crate::charts::{GrowthBar, GrowthData};
use crate::format;
use crate::theme::Role;

/// Largest number of GPUs drawn, unless the present one is larger.
const MOST_GPUS: u32 = 1024;

/// A bar for the present number of GPUs and every power of two, from where the weights fit.
pub fn data(case: &Evaluated) -> GrowthData {
    let present = case.scenario.cluster.gpus;
    let mut grown = growth(&case.inputs, &gpu_counts(present, MOST_GPUS.max(present)));
    let first = grown.iter().position(|grown| holds_weights(&grown.memory));
    let undrawn = first.unwrap_or(grown.len());
    let weights_from = first.map(|first| {
        let below = match first {
            0 => 0,
            _ => grown[first - 1].gpus,
        };
        let on = |gpus: &u32| on_gpus(&case.inputs, *gpus).ok();
        let holds = |gpus: &u32| {
            on(gpus)
                .is_some_and(|scenario| holds_weights(&memory(&scenario, scenario.workload.batch)))
        };
        let fewest = (below + 1..grown[first].gpus).find(holds);
        f64::from(fewest.unwrap_or(grown[first].gpus))
    });
    grown.drain(..undrawn);
    let mut data = GrowthData {
        bars: grown
            .into_iter()
            .map(|grown| GrowthBar {
                gpus: f64::from(grown.gpus),
                parts: parts(&grown.memory),
                capacity_batch: grown.b_cap,
                largest_batch: grown.largest,
            })
            .collect(),
        weights_from,
        usable_bytes: case.evaluation.memory.usable.get(),
        accelerator: one_name(case.inputs.gpu),
        now_gpus: case.gpus(),
        batch: case.scenario.workload.batch,
        slo_tokens_per_s_per_user: case.scenario.workload.slo,
        source: "this batch on other numbers of GPUs, [B] Figure 8".into(),
        finding: String::new(),
    };
    data.finding = finding(&data, fewest_fit(&case.inputs), fewest_gpus(&case.inputs));
    data
}

fn holds_weights(memory: &Memory) -> bool {
    let weights =
        memory.attention_weights + memory.dense_weights + memory.expert_weights + memory.embedding;
    weights <= memory.usable
}

/// The fewest GPUs on which the batch fits, whether or not it meets the SLO.
pub fn fewest_fit(inputs: &Inputs) -> Option<u32> {
    fewest_gpus(&inputs.without(Number::Slo)).or_else(|| fewest_idle(inputs))
}

fn parts(memory: &Memory) -> Vec<(Role, f64)> {
    vec![
        (Role::Attention, memory.attention_weights.get()),
        (Role::Dense, memory.dense_weights.get()),
        (Role::Experts, memory.expert_weights.get()),
        (Role::Head, memory.embedding.get()),
        // Of whole sequences, on the GPU that holds most.
        (Role::Kv, (memory.kv_cache * memory.whole).get()),
        (Role::Activations, (memory.activations * memory.whole).get()),
    ]
}

/// "18,432 sequences need at least 49, 206 for 20 tok/s".
fn finding(data: &GrowthData, fewest_fit: Option<u32>, fewest_keep: Option<u32>) -> String {
    let batch = sequences(data.batch);
    let need = if data.batch > 1.0 { "need" } else { "needs" };
    let Some(least) = fewest_fit else {
        return format!(
            "{batch}: too many for {} GPUs",
            format::count(f64::from(MOST_GPUS))
        );
    };
    let fits = format!(
        "{batch} {need} at least {}",
        format::count(f64::from(least))
    );
    let Some(slo) = data.slo_tokens_per_s_per_user.map(format::printed) else {
        return fits;
    };
    match fewest_keep {
        Some(fewest) if fewest == least => format!("{fits}, which keep {slo} tok/s"),
        Some(fewest) => format!(
            "{fits}, {} for {slo} tok/s",
            format::count(f64::from(fewest))
        ),
        None => format!("{fits}, none keeps {slo} tok/s"),
    }
}
