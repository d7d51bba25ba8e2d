//! Data of the chart "Max batch and context?": results for a grid of context lengths and batches.

use model_core::cost::memory::{batch_capacity, memory};
use model_core::inputs::{Inputs, Number};
use model_core::limits::curves::{AtContext, curves, greatest_advantage};
use model_core::limits::map::{LimitsCell, cell, map};
use model_core::limits::saturation::saturation;
use model_core::limits::{largest, limits};
use model_core::math::pow;
use model_core::permalink;
use model_core::scenario::Scenario;
use std::sync::Arc;

use crate::charts::{Field, FullLine, MapData, MapMetric, MapPoint, OperatingPoint, PinnedMap};
use crate::theme::Role;
use crate::words::format;

/// The plane of context length and batch: its two ranges, and a scenario without these two inputs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plane {
    inputs: Inputs,
    contexts: (f64, f64),
    batches: (f64, f64),
}

/// Number of columns and rows of the evaluated grid, and number of points on the SLO limit's curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resolution {
    columns: usize,
    rows: usize,
    /// Number of points on the SLO limit's curve. This curve is smooth, and slow to compute.
    samples: usize,
}

impl Resolution {
    /// Resolution used while no slider moves.
    pub const FINE: Self = Self {
        columns: 64,
        rows: 48,
        samples: 49,
    };
    /// Resolution used while the user drags a slider.
    pub const COARSE: Self = Self {
        columns: 32,
        rows: 24,
        samples: 17,
    };
}

/// Number of points on the memory limit's curve, which is a staircase: the batch that fits is a whole number of
/// sequences per attention group.
const STEPS: usize = 385;
/// Lower end and maximum upper end of the context axis, in tokens: 2⁸ and 2²⁰. The axis is extended if the scenario's
/// context is outside it.
const CONTEXTS: (f64, f64) = (256.0, 1_048_576.0);
/// Minimum upper end of the context axis, in tokens.
const LEAST_CONTEXT: f64 = 65_536.0;
/// Minimum upper end of the batch axis, in sequences per GPU.
const BATCHES_PER_GPU: f64 = 16.0;
/// Upper end of the batch axis, as a multiple of the largest batch that fits at the shortest context.
const BEYOND_CAPACITY: f64 = 2.0;

impl Plane {
    /// Returns the plane that contains a scenario's point. Batches range from one sequence per GPU to twice the batch
    /// that fits at the shortest context. Contexts end where neither one sequence per GPU nor the scenario's batch
    /// fits. The ranges stay constant while the point moves within them. If the point is outside, they widen to
    /// powers of two.
    pub fn of(inputs: &Inputs) -> Self {
        let get = |number| inputs.get(number).unwrap_or(1.0);
        let gpus = get(Number::Gpus);
        let (context, batch) = (get(Number::Context), get(Number::Batch));
        // A default schedule may depend on the batch. Use the schedule of the scenario's point on the whole plane.
        let inputs = inputs.scheduled(inputs.schedule());
        let inputs = inputs.without(Number::Batch).without(Number::Context);
        let scenario = inputs.scenario().ok();
        let room = |context: f64| {
            scenario.map_or(0.0, |mut at| {
                at.workload.context = context;
                batch_capacity(&at)
            })
        };
        let few = gpus.min(batch);
        let fits = |context: &f64| *context < CONTEXTS.1 && room(*context) >= few;
        let mut doubled = std::iter::successors(Some(LEAST_CONTEXT), |context| Some(context * 2.0));
        let longest = doubled.find(|context| !fits(context));
        let contexts = (CONTEXTS.0, longest.unwrap_or(CONTEXTS.1));
        let contexts = widened(contexts, context);
        let end = BEYOND_CAPACITY * room(contexts.0) / gpus;
        let (least, most) = widened((1.0, BATCHES_PER_GPU), end);
        let batches = (least * gpus, most * gpus);
        Self {
            inputs,
            contexts,
            batches: match (batches.0..=batches.1).contains(&batch) {
                true => batches,
                false => widened(batches, batch),
            },
        }
    }
}

/// Returns the narrowest range that has powers of two as its ends and contains both the given range and `value`.
fn widened((low, high): (f64, f64), value: f64) -> (f64, f64) {
    let (wanted_low, wanted_high) = (low.min(value), high.max(value));
    let mut low = 1.0;
    while low * 2.0 <= wanted_low {
        low *= 2.0;
    }
    let mut high = low * 2.0;
    while high < wanted_high {
        high *= 2.0;
    }
    (low, high)
}

/// Returns `count` logarithmically spaced values, including both ends of the range.
fn spaced((low, high): (f64, f64), count: usize) -> Vec<f64> {
    let last = (count.max(2) - 1) as f64;
    (0..count)
        .map(|index| low * pow(high / low, index as f64 / last))
        .collect()
}

/// Evaluates every grid point of the plane; `None` if the scenario is invalid.
pub fn field(plane: &Plane, resolution: Resolution) -> Option<Field> {
    let scenario = plane.inputs.scenario().ok()?;
    let found = limits(&scenario)?;
    let points = map(
        &scenario,
        &spaced(plane.contexts, resolution.columns),
        &spaced(plane.batches, resolution.rows),
    );
    let capacity = capacity(&scenario, plane.contexts);
    let along = match scenario.workload.slo {
        Some(_) => curves(&scenario, &spaced(plane.contexts, resolution.samples)),
        None => Vec::new(),
    };
    // Draw the evaluated limit, not [B]'s closed form B_SLO, which ignores compute. Omit it where memory is the tighter
    // limit.
    let slower = |at: &AtContext| at.meets_slo.is_some_and(|most| most < at.b_cap);
    let stretches = along.chunk_by(|one, next| slower(one) == slower(next));
    let kept = stretches.filter(|stretch| stretch.iter().all(slower));
    let kept = kept.map(|stretch| {
        let pairs = stretch.iter();
        pairs
            .filter_map(|at| Some((at.context, at.meets_slo?)))
            .collect()
    });
    // Saturation lines end at the memory limit.
    let level = |batch: f64| -> Vec<(f64, f64)> {
        let room = capacity.iter().filter(|(_, most)| *most >= batch);
        room.map(|(context, _)| (*context, batch)).collect()
    };
    let saturated = saturation(&scenario);
    let ffn = match found.b_moe {
        Some(_) => ("experts saturate", Role::Experts),
        None => ("FFN saturates", Role::Dense),
    };
    let full = [
        ("attention saturates", Role::Attention, saturated.attention),
        (ffn.0, ffn.1, saturated.ffn),
    ];
    let (low, high) = plane.batches;
    let full = full.into_iter().filter_map(|(name, role, batch)| {
        // No line if a single sequence already saturates the GEMM.
        let batch = batch.filter(|batch| *batch > 1.0 && (low..=high).contains(batch))?;
        let line = level(batch);
        (line.len() > 1).then_some(FullLine {
            name,
            role,
            batch,
            line,
        })
    });
    let (kept, full) = (kept.collect(), full.collect());
    Some(Field {
        contexts: plane.contexts,
        batches: plane.batches,
        columns: resolution.columns,
        points: points
            .into_iter()
            .map(|cell| cell.as_ref().map(|cell| point(cell, &scenario)))
            .collect(),
        capacity,
        kept,
        full,
    })
}

fn point(cell: &LimitsCell, scenario: &Scenario) -> MapPoint {
    MapPoint {
        context: cell.context,
        point: OperatingPoint {
            batch: cell.batch,
            gpus: f64::from(scenario.cluster.gpus),
            tpot_s: cell.tpot_s,
            per_user: cell.tokens_per_user,
            per_gpu: cell.tokens_per_gpu,
            fits: cell.fits,
        },
        meets_slo: cell.meets_slo,
    }
}

/// Returns the data of the map, including the current point and the pinned scenario.
pub fn map_data(
    field: Arc<Field>,
    inputs: &Inputs,
    pinned: Option<&Inputs>,
    metric: permalink::Metric,
) -> Option<MapData> {
    let scenario = inputs.scenario().ok()?;
    let now = cell(
        &scenario,
        scenario.workload.context,
        scenario.workload.batch,
    )?;
    let pinned = pinned.and_then(|pinned| pinned.scenario().ok());
    let memory = memory(&scenario, scenario.workload.batch);
    let largest = scenario.workload.slo.and(largest(&scenario).ok());
    let mut data = MapData {
        metric: match metric {
            permalink::Metric::Tpot => MapMetric::Tpot,
            permalink::Metric::PerGpu => MapMetric::PerGpu,
            permalink::Metric::PerUser => MapMetric::PerUser,
        },
        now: point(&now, &scenario),
        slo_tokens_per_s_per_user: scenario.workload.slo,
        capacity_now: batch_capacity(&scenario),
        filled_now: memory.most() / memory.usable,
        largest_now: largest.map(|largest| largest.batch),
        pinned: pinned.map(|other| ghost(&field, &scenario, &other)),
        field,
        finding: String::new(),
        source: "evaluated at every point, [B] Figure 3".into(),
    };
    data.finding = finding(&data);
    Some(data)
}

/// Returns the largest batch that fits in memory at each context length, as (context, batch) pairs.
fn capacity(scenario: &Scenario, contexts: (f64, f64)) -> Vec<(f64, f64)> {
    let mut at = *scenario;
    spaced(contexts, STEPS)
        .into_iter()
        .map(|context| {
            at.workload.context = context;
            (context, batch_capacity(&at))
        })
        .collect()
}

fn ghost(field: &Field, scenario: &Scenario, other: &Scenario) -> PinnedMap {
    let advantage = greatest_advantage(scenario, other, &powers_of_two(field.contexts));
    PinnedMap {
        capacity: capacity(other, field.contexts),
        now: (other.workload.context, other.workload.batch),
        advantage: advantage.map(|found| (found.context, found.throughput)),
    }
}

/// Returns the powers of two within a range. The lower end of the range must be a power of two.
fn powers_of_two((low, high): (f64, f64)) -> Vec<f64> {
    let mut powers = vec![low];
    while let Some(next) = powers
        .last()
        .map(|last| last * 2.0)
        .filter(|next| *next <= high)
    {
        powers.push(next);
    }
    powers
}

fn finding(data: &MapData) -> String {
    if !data.field.draws() {
        return "Nothing to plot".to_owned();
    }
    if data.field.is_full() {
        return "No batch fits at any context".to_owned();
    }
    let advantage = data.pinned.as_ref().and_then(|pinned| pinned.advantage);
    // Skip pinned scenarios of the same deployment and model: the ratio is 1.
    let advantage = advantage.filter(|(_, times)| (times - 1.0).abs() >= 0.005);
    if let Some((context, times)) = advantage {
        let times = format::factor_of(times, "throughput");
        let context = format::tokens(context);
        return format!("Up to {times} vs. A at {context}");
    }
    if !data.now.point.fits {
        let most = format::sequences(data.capacity_now);
        let context = format!("{} tokens", format::tokens(data.now.context));
        return if data.capacity_now < 1.0 {
            format!("No batch fits at {context}")
        } else {
            format!("Max batch {most} at {context}")
        };
    }
    if data.slo_tokens_per_s_per_user.is_some() {
        let Some(largest) = data.largest_now else {
            return "No batch meets the SLO at this context".to_owned();
        };
        let most = format::sequences(largest);
        return match halved(data, largest) {
            Some(context) => format!("Max batch halves at {} tokens", format::si(context)),
            None => format!(
                "Max batch {most} at {} tokens",
                format::tokens(data.now.context)
            ),
        };
    }
    let capacity = data.field.capacity.iter();
    let room = capacity.filter(|(_, batch)| *batch >= data.now.point.batch);
    let room = room.map(|(context, _)| *context).fold(0.0, f64::max);
    // The current context fits, even if neighboring samples do not.
    let room = room.max(data.now.context);
    if room >= data.field.contexts.1 * 0.99 {
        let last = format::tokens(data.field.contexts.1);
        format!("This batch fits at every context up to {last}")
    } else {
        // This context is computed, so it is rounded to three digits.
        format!("This batch fits up to {} tokens", format::si(room))
    }
}

/// Returns the context, longer than the current one, at which the largest batch that meets the SLO falls to half of
/// `largest`.
fn halved(data: &MapData, largest: f64) -> Option<f64> {
    let line = data.field.kept.iter().flatten();
    let later = line.filter(|(context, _)| *context >= data.now.context);
    let mut before = (data.now.context, largest);
    for (context, batch) in later {
        if *batch <= largest / 2.0 {
            let share = (before.1 - largest / 2.0) / (before.1 - batch).max(f64::MIN_POSITIVE);
            return Some(before.0 * pow(context / before.0, share.clamp(0.0, 1.0)));
        }
        before = (*context, *batch);
    }
    None
}
