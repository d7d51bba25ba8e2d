//! "Which GPU count fits?": memory use per GPU as the number of GPUs grows.

mod drawing;

use crate::Evaluated;
use crate::chart::prelude::*;
use crate::words::names::{one_name, sequences};
use model_core::cost::memory::{Memory, memory};
use model_core::inputs::{Inputs, Number};
use model_core::levers;
use model_core::limits::growth::{fewest_idle, gpu_counts, growth, on_gpus};
use model_core::needs::fewest_gpus;

/// Largest GPU count in the chart; a larger current count is drawn as well.
const MOST_GPUS: u32 = 1024;

/// Draws a bar for each power-of-two GPU count, from the first that holds the weights to 1,024, or to the current count
/// if that is larger. The current count also has a bar if it holds the weights.
pub fn chart(case: &Evaluated) -> Chart {
    let growth = growth_of(case);
    let rows = Rows::of(&growth.bars).col("GPUs", "", |bar| bar.gpus);
    let parts = growth.bars.first().into_iter().flat_map(|bar| &bar.parts);
    let rows = parts.enumerate().fold(rows, |rows, (index, (role, _))| {
        rows.col(part_name(*role), "GiB", move |bar| bar.parts[index].1 / GIB)
    });
    let rows = rows
        .col("total", "GiB", Bar::total_gib)
        .col("max batch", "sequences", |bar| bar.capacity_batch)
        .col("max batch under SLO", "sequences", |bar| bar.largest_batch)
        .telling(|bar| growth.tooltip(bar));
    let all = 0..rows.len();
    let inputs = case.inputs.with_its_batch();
    Chart {
        finding: finding(
            &growth,
            fewest_fit(&inputs),
            fewest_gpus(&inputs),
            whole_domains(&inputs),
        ),
        start: growth
            .bars
            .iter()
            .position(|bar| bar.gpus >= growth.now_gpus),
        own: growth.draws().then(|| Own::new(growth, all)),
        rows,
        empty: "weights do not fit at any GPU count".into(),
        ..Chart::default()
    }
}

pub(super) fn growth_of(case: &Evaluated) -> Growth {
    let present = case.scenario.cluster.gpus;
    // Fix the batch: a default batch would depend on the GPU count.
    let inputs = case.inputs.with_its_batch();
    let mut grown = growth(&inputs, &gpu_counts(present, MOST_GPUS.max(present)));
    let first = grown.iter().position(|grown| holds_weights(&grown.memory));
    let undrawn = first.unwrap_or(grown.len());
    let weights_from = first.map(|first| {
        let below = match first {
            0 => 0,
            _ => grown[first - 1].gpus,
        };
        let on = |gpus: &u32| on_gpus(&inputs, *gpus).ok();
        let holds = |gpus: &u32| {
            on(gpus)
                .is_some_and(|scenario| holds_weights(&memory(&scenario, scenario.workload.batch)))
        };
        let fewest = (below + 1..grown[first].gpus).find(holds);
        f64::from(fewest.unwrap_or(grown[first].gpus))
    });
    grown.drain(..undrawn);
    Growth {
        bars: grown
            .into_iter()
            .map(|grown| Bar {
                gpus: f64::from(grown.gpus),
                parts: parts(&grown.memory),
                capacity_batch: grown.b_cap,
                largest_batch: grown.largest,
            })
            .collect(),
        weights_from,
        usable_bytes: case.evaluation.memory.usable.get(),
        accelerator: one_name(&case.inputs),
        now_gpus: case.gpus(),
        batch: case.scenario.workload.batch,
        slo_tokens_per_s_per_user: case.scenario.workload.slo,
    }
}

fn holds_weights(memory: &Memory) -> bool {
    let weights =
        memory.attention_weights + memory.dense_weights + memory.expert_weights + memory.embedding;
    weights <= memory.usable
}

/// Returns the smallest GPU count whose memory holds the batch, whether or not the SLO is met.
pub fn fewest_fit(inputs: &Inputs) -> Option<u32> {
    fewest_gpus(&inputs.without(Number::Slo)).or_else(|| fewest_idle(inputs))
}

/// Returns the smallest GPU count that fits the batch and meets the SLO. Only the counts that levers use are tried:
/// powers of two within a scale-up domain, and whole domains.
fn whole_domains(inputs: &Inputs) -> Option<f64> {
    levers::fewest_gpus(inputs)?.get(Number::Gpus)
}

fn parts(memory: &Memory) -> Vec<(Role, f64)> {
    vec![
        (Role::Attention, memory.attention_weights.get()),
        (Role::Dense, memory.dense_weights.get()),
        (Role::Experts, memory.expert_weights.get()),
        (Role::Head, memory.embedding.get()),
        (Role::Weights, memory.beside.get()),
        (Role::Overhead, memory.engine.total.get()),
        // KV cache and activations of the most loaded GPU, which holds whole sequences.
        (Role::Kv, (memory.kv_cache * memory.whole).get()),
        (Role::Activations, (memory.activations * memory.whole).get()),
    ]
}

fn part_name(role: Role) -> &'static str {
    match role {
        Role::Head => "embedding, head",
        Role::Weights => "other weights",
        Role::Overhead => "engine",
        Role::Kv => "KV cache",
        other => other.name(),
    }
}

/// Returns the chart's one-line finding: "18,432 sequences need ≥ 49 GPUs" or "≥ 49 GPUs, 206 to meet the SLO".
fn finding(
    growth: &Growth,
    fewest_fit: Option<u32>,
    fewest_keep: Option<u32>,
    whole: Option<f64>,
) -> String {
    let batch = sequences(growth.batch);
    let need = if growth.batch > 1.0 { "need" } else { "needs" };
    let Some(least) = fewest_fit else {
        return format!(
            "{batch} do not fit on {} GPUs",
            format::count(f64::from(MOST_GPUS))
        );
    };
    let fits = format!("≥ {} GPUs", format::count(f64::from(least)));
    if growth.slo_tokens_per_s_per_user.is_none() {
        return format!("{batch} {need} {fits}");
    }
    match fewest_keep {
        Some(fewest) if fewest == least => format!("{fits}, also to meet the SLO"),
        Some(fewest) => {
            let whole = whole.filter(|whole| *whole > f64::from(fewest));
            let whole = whole.map_or_else(String::new, |whole| {
                format!(" ({} in whole domains)", format::count(whole))
            });
            let fewest = format::count(f64::from(fewest));
            format!("{fits}, {fewest} to meet the SLO{whole}")
        }
        None => format!("{fits}; no count meets the SLO"),
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Growth {
    /// One bar for each GPU count that has a valid plan and whose memory holds the weights, in ascending order.
    bars: Vec<Bar>,
    /// Smallest GPU count whose memory holds the weights.
    pub(super) weights_from: Option<f64>,
    /// Usable memory per GPU, in bytes.
    usable_bytes: f64,
    accelerator: String,
    now_gpus: f64,
    /// Total batch of the deployment, in sequences; the same for every bar.
    batch: f64,
    slo_tokens_per_s_per_user: Option<f64>,
}

#[derive(Clone, Debug, PartialEq)]
struct Bar {
    gpus: f64,
    /// Bytes stored per GPU for each part of the memory, weights first.
    parts: Vec<(Role, f64)>,
    capacity_batch: f64,
    /// Largest batch that fits and meets the SLO on this GPU count; 0 if there is none.
    largest_batch: f64,
}

impl Bar {
    fn total_bytes(&self) -> f64 {
        self.parts.iter().map(|(_, bytes)| bytes).sum()
    }

    fn total_gib(&self) -> f64 {
        self.total_bytes() / GIB
    }
}

const GIB: f64 = 1_073_741_824.0;

impl Growth {
    fn draws(&self) -> bool {
        self.usable_bytes > 0.0 && self.usable_bytes.is_finite() && !self.bars.is_empty()
    }

    fn fits(&self, bar: &Bar) -> bool {
        bar.total_bytes() <= self.usable_bytes
    }

    fn usable_gib(&self) -> f64 {
        self.usable_bytes / GIB
    }

    fn tooltip(&self, bar: &Bar) -> Tooltip {
        let stored = bar.parts.iter().filter(|(_, bytes)| *bytes > 0.0);
        let part =
            |(role, bytes): &(Role, f64)| TipRow::of(*role, part_name(*role), format::gib(*bytes));
        let total = format::sig3(bar.total_gib());
        let total = format!("{total} of {} GiB", format::printed(self.usable_gib()));
        let batch = |batch: f64| match batch >= 1.0 {
            true => format::sequences(batch),
            false => "none".to_owned(),
        };
        let slo = self.slo_tokens_per_s_per_user;
        let word = if bar.gpus > 1.0 { "GPUs" } else { "GPU" };
        let fits = if self.fits(bar) {
            "fits"
        } else {
            "out of memory"
        };
        let title = format!("{} {word}", format::count(bar.gpus));
        Tooltip::new(title, fits, "same batch on other GPU counts, [B] Figure 8")
            .rows(stored.map(part))
            .row("total", total)
            .row("largest batch", batch(bar.capacity_batch))
            .maybe("under the SLO", slo.map(|_| batch(bar.largest_batch)))
    }
}
