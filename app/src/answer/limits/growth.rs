//! Data of "How many GPUs?": memory per GPU as their number grows.

use model_core::advice::{Levers, fewest_gpus};
use model_core::cost::memory::Memory;
use model_core::limits::growth::{fewest_idle, gpu_counts, growth};
use model_core::scenario::{Inputs, Number};

use crate::answer::Evaluated;
use crate::charts::{GrowthBar, GrowthData};
use crate::format;
use crate::theme::Role;

/// The largest deployment that is drawn, unless the present one is larger.
const MOST_GPUS: u32 = 1024;

/// A bar for every power of two and for the present number.
pub fn data(case: &Evaluated) -> GrowthData {
    let present = case.scenario.cluster.gpus;
    let grown = growth(&case.inputs, &gpu_counts(present, MOST_GPUS.max(present)));
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
        usable_bytes: case.evaluation.memory.usable.get(),
        accelerator: crate::answer::split::one_name(case.inputs.gpu),
        now_gpus: case.gpus(),
        batch: case.scenario.workload.batch,
        slo_tokens_per_s_per_user: case.scenario.workload.slo,
        source: "this batch on other numbers of GPUs, [B] Figure 8".into(),
        finding: String::new(),
    };
    let least = fewest_fit(&case.inputs).or_else(|| fewest_idle(&case.inputs).map(f64::from));
    // What costs nothing may do with fewer.
    let levers = (!case.evaluation.memory.fits()).then(|| Levers::of(&case.inputs));
    let first = levers.as_ref().and_then(Levers::first);
    let otherwise = first.is_some_and(|free| !free.changed.only_batch());
    data.finding = finding(&data, least, fewest(&case.inputs), otherwise);
    data
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
        // Of whole sequences, on the GPU that holds most.
        (Role::Kv, (memory.kv_cache * memory.whole).get()),
        (Role::Activations, (memory.activations * memory.whole).get()),
    ]
}

/// What the chart shows, in a few words.
fn finding(
    data: &GrowthData,
    fewest_fit: Option<f64>,
    fewest_keep: Option<f64>,
    otherwise: bool,
) -> String {
    if !data.draws() {
        return "No number of GPUs has a plan".to_owned();
    }
    let one = data.batch < 1.5;
    let batch = match (one, data.slo_tokens_per_s_per_user) {
        (true, _) => "1 sequence".to_owned(),
        (false, None) => format!("{} sequences", format::sequences(data.batch)),
        (false, Some(_)) => format::sequences(data.batch),
    };
    let (fit, need) = if one {
        ("fits", "needs")
    } else {
        ("fit", "need")
    };
    // Drawn, from there on: growth may make a bar fit that a larger one does not.
    let drawn = |works: &dyn Fn(&GrowthBar) -> bool| {
        let last = data.bars.iter().rposition(|bar| !works(bar));
        let first = data.bars.get(last.map_or(0, |last| last + 1))?;
        Some((last.is_none(), first.gpus))
    };
    let slo = data.slo_tokens_per_s_per_user;
    let fits = match (drawn(&|bar| data.fits(bar)), fewest_fit) {
        (Some((true, _)), _) => format!("{batch} {fit} any number"),
        (_, Some(least)) if slo.is_none() && otherwise => {
            format!("{batch} {need} at least {} as now", format::count(least))
        }
        (_, Some(least)) => format!("{batch} {need} at least {}", format::count(least)),
        (Some((_, gpus)), None) => format!("{batch} {fit} on {}", format::count(gpus)),
        (None, None) => return format!("{batch} {fit} on none of these"),
    };
    let Some(slo) = slo else {
        return fits;
    };
    let slo = format::printed(slo);
    let kept = drawn(&|bar| bar.largest_batch >= data.batch);
    match (kept, fewest_keep) {
        (Some((true, _)), _) => format!("{fits}, each keeps {slo} tok/s"),
        (_, Some(least)) if fewest_fit == Some(least) => {
            format!("{fits}, which keep {slo} tok/s")
        }
        // What costs nothing may do with fewer.
        (_, Some(least)) => format!("{fits}, {} for {slo} tok/s as now", format::count(least)),
        (Some((_, gpus)), None) => {
            format!("{fits}, {} for {slo} tok/s as now", format::count(gpus))
        }
        (None, None) => format!("{fits}, none keeps {slo} tok/s as now"),
    }
}
