//! Generates the candidates to compare: batches of colocated plans, and A:F splits and micro-batch sizes of AFD.

use super::front::Front;
use super::{AfdUnit, How, Way};
use crate::afd::bundle::Bundle;
use crate::afd::latency::Halves;
use crate::evaluate::pace_with_batch;
use crate::inputs::{Inputs, Number};
use crate::limits::{Largest, largest};
use crate::math;
use crate::order::{sort_by_key, sort_numbers};
use crate::plan::Overlap;
use crate::scenario::Scenario;
use crate::units::Seconds;

/// Number of steps from the smallest to the largest batch tried for a colocated plan; the ratio of consecutive batches
/// is nearly constant.
const BATCHES: u32 = 120;
/// Number of steps from the smallest to the largest micro-batch size tried for AFD; the ratio of consecutive sizes is
/// nearly constant.
const SLOTS: u32 = 32;
/// Maximum number of evenly spaced attention-GPU counts to try; a few smaller counts are added.
const PARTS: u32 = 72;

/// Adds a colocated plan as candidates: batches from one sequence per micro-batch up to the largest batch that fits.
pub(super) fn batched(scenario: &Scenario, front: &mut Front) {
    let mut tried = *scenario;
    tried.workload.slo = None;
    let Ok(Largest { batch: most, .. }) = largest(&tried) else {
        return;
    };
    let spec = *tried.plan.spec();
    let way = |batch: f64| {
        let pace = pace_with_batch(&tried, batch).ok()?;
        Some(Way {
            users: pace.tokens_per_user,
            per_gpu: pace.tokens_per_gpu,
            batch,
            how: How::Colocated(spec),
        })
    };
    let batches = spread(tried.plan.micro_batches(), most, BATCHES);
    // HOP-B may be faster with a larger batch.
    let hop_b = spec.overlap == Overlap::HopB;
    front.take_sizes(batches.len(), &|_, _| hop_b, &mut |index| {
        way(batches[index])
    });
}

/// Returns the numbers of attention GPUs to try: whole attention ranks that leave some GPUs for the FFN.
pub(in crate::afd) fn sizes(gpus: u32, group: u32) -> Vec<u32> {
    let group = group.max(1);
    // Power-of-two steps: other steps leave FFN GPU counts with few divisors, such as 2,329.
    let step = gpus.div_ceil(PARTS * group).next_power_of_two() * group;
    let mut sizes: Vec<u32> = (1..)
        .map(|count| count * step)
        .take_while(|size| *size < gpus)
        .collect();
    // Attention has whole ranks; the FFN has the rest.
    let mut fewest = group;
    while fewest < gpus && fewest < step {
        sizes.push(fewest);
        fewest *= 2;
    }
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// Adds AFD candidates for every number of attention GPUs that [`sizes`] returns; the FFN takes the remaining GPUs. For
/// each A:F split, tries the micro-batch sizes that may be best at `users` tok/s/user or may extend the Pareto front.
pub(super) fn divided(inputs: &Inputs, bundle: &Bundle, users: f64, front: &mut Front) {
    let gpus = inputs.get(Number::Gpus).unwrap_or(1.0) as u32;
    let (group, _) = bundle.gpus();
    let group = group as u32;
    // Attention's time depends on the micro-batch size only.
    let slots: Vec<(f64, Seconds)> = slots_tried(bundle)
        .into_iter()
        .map(|slots| {
            let tried = Bundle { slots, ..*bundle };
            (slots, tried.attention_at(tried.token_load()))
        })
        .collect();
    let any_size = inputs.stated(Number::Slots).is_some();
    let crosses = |kept: &Way, missed: &Way| kept.users >= users && missed.users < users;
    // Try even splits first: they rule out most other splits.
    let mut sizes = sizes(gpus, group);
    sort_by_key(&mut sizes, |attention| attention.abs_diff(gpus / 2));
    for attention in sizes {
        let ffn = gpus - attention;
        let Some(mut tried) = parted(inputs, bundle, ffn) else {
            continue;
        };
        let instances = attention / group;
        let ratio = f64::from(instances);
        let mut fits = |slots: f64| {
            tried.slots = slots;
            tried.ffn_memory(ratio).fits()
        };
        let fitting = match slots.last() {
            Some((most, _)) if fits(*most) => slots.len(),
            _ => slots.partition_point(|(slots, _)| fits(*slots)),
        };
        let mut unit = |index: usize| {
            let (slots, attention_takes) = slots[index];
            tried.slots = slots;
            let unit = AfdUnit {
                attention,
                instances,
                ffn,
                slots,
                point: tried.at_known(attention_takes, ratio),
            };
            Some(unit.way())
        };
        let wanted = |low: &Way, high: &Way| any_size || crosses(low, high);
        let found = front.take_sizes(fitting, &wanted, &mut unit);
        for pair in found.windows(2) {
            let [kept, missed] = [0, 1].map(|end| &front.ways[pair[end]]);
            if crosses(kept, missed)
                && let Some((kept, missed)) = kept.unit().zip(missed.unit())
                && let Some(edge) = edge(&kept, &missed, inputs, bundle, users)
            {
                front.take(edge.way());
            }
        }
    }
}

/// Returns the xAyF unit with the largest micro-batch that meets interactivity `users`. The search is between the
/// size of `kept`, which meets it, and that of `missed`, which does not.
fn edge(
    kept: &AfdUnit,
    missed: &AfdUnit,
    inputs: &Inputs,
    bundle: &Bundle,
    users: f64,
) -> Option<AfdUnit> {
    // If the user entered some coefficients, the derived ones depend on the micro-batch size.
    let mut bundle = match bundle.own_attention && bundle.own_ffn {
        true => parted(inputs, bundle, kept.ffn)?,
        false => kept.bundle(inputs)?,
    };
    let mut edge = None;
    math::bisect(kept.slots, missed.slots, |slots| {
        bundle.slots = slots;
        let point = bundle.at(f64::from(kept.instances));
        let meets = 1.0 / point.tpot.get() >= users;
        if meets {
            edge = Some(AfdUnit {
                slots,
                point,
                ..*kept
            });
        }
        meets
    });
    edge
}

/// Returns the micro-batch sizes to try that fit on an attention GPU. The user's size is included if it fits.
fn slots_tried(bundle: &Bundle) -> Vec<f64> {
    let fits = |slots: f64| {
        let mut tried = *bundle;
        tried.slots = slots;
        tried.attention_memory().fits()
    };
    let ceiling = Number::Slots.spec().most;
    if !fits(1.0) {
        return Vec::new();
    }
    let (mut low, mut high) = (1.0, 2.0);
    while high <= ceiling && fits(high) {
        low = high;
        high *= 2.0;
    }
    let mut most = low;
    let mut over = high.min(ceiling + 1.0);
    while over - most > 1.0 {
        let middle = ((most + over) / 2.0_f64).floor();
        if fits(middle) {
            most = middle;
        } else {
            over = middle;
        }
    }
    let mut slots = spread(1.0, most, SLOTS);
    if fits(bundle.slots) {
        slots.push(bundle.slots);
    }
    sort_numbers(&mut slots);
    slots.dedup();
    slots
}

/// Returns whole numbers from `first` to `last`, without duplicates; the ratio of neighbors is nearly constant.
fn spread(first: f64, last: f64, steps: u32) -> Vec<f64> {
    let ratio = (last / first).max(1.0);
    let mut found: Vec<f64> = (0..=steps)
        .map(|step| first * math::pow(ratio, f64::from(step) / f64::from(steps)))
        .map(|value| value.round().clamp(first, last.max(first)))
        .collect();
    found.dedup();
    found
}

/// Returns the xAyF unit with an FFN rank of `ffn` GPUs in default sharding; `None` if there is no such plan.
pub(super) fn parted(inputs: &Inputs, bundle: &Bundle, ffn: u32) -> Option<Bundle> {
    let mut half = inputs.with_anchored(None);
    for number in [Number::Dp, Number::Ep, Number::FfnTp, Number::Pp] {
        half.state(number, None);
    }
    let alone = half.with(Number::Gpus, f64::from(ffn));
    let scenario = alone.scenario().ok().or_else(|| {
        // Factors of attention need not divide the FFN GPUs.
        let bare = alone.without(Number::Tp).without(Number::Kvp);
        bare.with(Number::Tp, 1.0).scenario().ok()
    })?;
    let mut parted = *bundle;
    parted.halves.ffn = Halves::ffn_of(&scenario).ok()?;
    if parted.latencies.domain.is_some() {
        parted.latencies.near = parted.halves.exchange(true);
        parted.latencies.far = parted.halves.exchange(false);
    }
    (parted.halves.ffn.plan.gpus() == ffn).then_some(parted)
}
