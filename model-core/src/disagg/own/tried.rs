//! The ways that are tried on either side: batches together, divisions and slots apart.

use super::{How, Parts, Way};
use crate::disagg::bundle::Bundle;
use crate::disagg::latency::Halves;
use crate::evaluate::{pace_with_batch, with_batch};
use crate::limits::largest;
use crate::math;
use crate::order::sort_numbers;
use crate::plan::{Overlap, Plan, PlanSpec};
use crate::scenario::{Inputs, Number, Scenario};
use crate::units::Seconds;

/// Batches of a curve together.
const BATCHES: u32 = 120;
/// Slots of a curve apart.
const SLOTS: u32 = 32;
/// Numbers of GPUs for the feed-forward that are tried at most.
const PARTS: u32 = 72;

/// Every schedule at batches from one sequence per micro-batch to what fits, the present one among them.
pub(super) fn tried_together(scenario: &Scenario) -> Vec<Way> {
    let own = *scenario.plan.spec();
    let now = scenario.workload.batch;
    let mut overlaps = vec![Overlap::Sequential, Overlap::TwoBatch];
    if !overlaps.contains(&own.overlap) {
        overlaps.push(own.overlap);
    }
    let mut found = Vec::new();
    for overlap in overlaps {
        let spec = PlanSpec { overlap, ..own };
        let Ok(plan) = Plan::new(spec, &scenario.arch, scenario.cluster.gpus) else {
            continue;
        };
        let mut tried = *scenario;
        tried.plan = plan;
        // The present batch belongs to the present schedule; another one may have more micro-batches than that.
        if overlap != own.overlap && now < plan.micro_batches() {
            tried.workload.batch = plan.micro_batches();
        }
        found.extend(batched(&tried, BATCHES));
    }
    found
}

/// One plan at so many batches from one sequence per micro-batch to what fits, its own and the edge of its SLO among them.
pub(super) fn batched(scenario: &Scenario, count: u32) -> Vec<Way> {
    let spec = *scenario.plan.spec();
    let now = scenario.workload.batch;
    let mut tried = *scenario;
    tried.workload.slo = None;
    let Ok(most) = largest(&tried).map(|largest| largest.batch) else {
        return Vec::new();
    };
    let mut batches = spread(scenario.plan.micro_batches(), most, count);
    // The present batch where it fits as it is: its groups may be fuller than those of any that is offered.
    if now <= most || with_batch(&tried, now).is_ok_and(|now| now.memory.fits()) {
        batches.push(now);
    }
    // The edge of the SLO is a way, too: where it is compared there, it is the best there.
    if scenario.workload.slo.is_some() {
        batches.extend(largest(scenario).map(|largest| largest.batch));
    }
    let way = |batch: f64| {
        let pace = pace_with_batch(&tried, batch).ok()?;
        Some(Way {
            users: pace.tokens_per_user,
            per_gpu: pace.tokens_per_gpu,
            batch,
            how: How::Together(spec),
        })
    };
    batches.into_iter().filter_map(way).collect()
}

/// Numbers of GPUs for attention that are tried: whole instances, which leave something for the feed-forward.
pub(in crate::disagg) fn sizes(gpus: u32, group: u32) -> Vec<u32> {
    let group = group.max(1);
    // Steps of 57 would leave numbers that hardly divide: nobody shards a feed-forward over 2,329 GPUs.
    let step = gpus.div_ceil(PARTS * group).next_power_of_two() * group;
    let mut sizes: Vec<u32> = (1..)
        .map(|count| count * step)
        .take_while(|size| *size < gpus)
        .collect();
    // The feed-forward takes what is left: whole instances of attention must remain.
    let mut fewest = group;
    while fewest < gpus && fewest < step {
        sizes.push(fewest);
        fewest *= 2;
    }
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// Every number of GPUs for the feed-forward that leaves whole attention instances, at every number of
/// slots that fits.
pub(super) fn tried_apart(inputs: &Inputs, bundle: &Bundle) -> Vec<Parts> {
    let gpus = inputs.get(Number::Gpus).unwrap_or(1.0) as u32;
    let (group, _) = bundle.gpus();
    let group = group as u32;
    let sizes = sizes(gpus, group);
    // How long attention takes depends on its slots alone, whatever is left to the feed-forward.
    let slots: Vec<(f64, Seconds)> = slots_tried(bundle)
        .into_iter()
        .map(|slots| {
            let tried = Bundle { slots, ..*bundle };
            (slots, tried.attention_at(tried.token_load()))
        })
        .collect();
    let Some((most, _)) = slots.last().copied() else {
        return Vec::new();
    };
    let mut found = Vec::with_capacity(sizes.len() * slots.len());
    for attention in sizes {
        let ffn = gpus - attention;
        let Some(mut tried) = parted(inputs, bundle, ffn) else {
            continue;
        };
        let instances = attention / group;
        let ratio = f64::from(instances);
        // More slots need more memory.
        tried.slots = most;
        let all_fit = tried.ffn_memory(ratio).fits();
        for &(slots, attention_takes) in &slots {
            tried.slots = slots;
            if !all_fit && !tried.ffn_memory(ratio).fits() {
                continue;
            }
            found.push(Parts {
                attention,
                instances,
                ffn,
                slots,
                point: tried.at_known(attention_takes, ratio),
            });
        }
    }
    found
}

/// Adds to every division the most slots with which users still get their tokens: those that are tried lie apart.
pub(super) fn to_the_edge(tried: &mut Vec<Parts>, inputs: &Inputs, bundle: &Bundle, users: f64) {
    let edges: Vec<Parts> = turns(tried, users)
        .filter_map(|(kept, missed)| edge(kept, missed, inputs, bundle, users))
        .collect();
    tried.extend(edges);
}

/// Neighbours in slots of one division between which users begin to wait: a division's slots follow each other, ascending.
fn turns(tried: &[Parts], users: f64) -> impl Iterator<Item = (&Parts, &Parts)> {
    tried
        .windows(2)
        .map(|pair| (&pair[0], &pair[1]))
        .filter(move |(kept, missed)| turn(kept, missed, users))
}

/// Whether users begin to wait between two neighbours.
fn turn(kept: &Parts, missed: &Parts, users: f64) -> bool {
    kept.attention == missed.attention
        && kept.users() >= users
        && missed.users() < users
        && missed.slots - kept.slots > 1.0
}

/// The most slots between those of `kept` and `missed` with which users still get their tokens, of divisions of `bundle`.
fn edge(
    kept: &Parts,
    missed: &Parts,
    inputs: &Inputs,
    bundle: &Bundle,
    users: f64,
) -> Option<Parts> {
    // Entered lines may be a derived one's in part, which was read at the slots.
    let mut bundle = match bundle.own_attention && bundle.own_ffn {
        true => parted(inputs, bundle, kept.ffn)?,
        false => kept.bundle(inputs)?,
    };
    let (mut low, mut high) = (kept.slots, missed.slots);
    let mut edge = None;
    while high - low > 1.0 {
        let middle = ((low + high) / 2.0).floor();
        bundle.slots = middle;
        let point = bundle.at(f64::from(kept.instances));
        if 1.0 / point.tpot.get() >= users {
            low = middle;
            edge = Some(Parts {
                slots: middle,
                point,
                ..*kept
            });
        } else {
            high = middle;
        }
    }
    edge
}

/// The divisions that were tried, on twice a link.
///
/// No time is less than half of what it was. So what serves less than half of the best known, or is less than half as fast
/// as users are to be, is passed over: few are evaluated anew.
pub(super) struct Faster<'a> {
    inputs: &'a Inputs,
    bundle: &'a Bundle,
    grid: &'a [Parts],
    /// How much more they serve at most.
    gain: f64,
    /// What is evaluated, by its place in the grid.
    known: Vec<Option<Parts>>,
    /// The division that was evaluated last.
    parted: Option<(u32, Bundle)>,
    /// How long attention takes, by slots.
    attention: Vec<(f64, Seconds)>,
}

impl<'a> Faster<'a> {
    /// Of `inputs` with the faster link and their `bundle`, which was as it is `before`.
    pub(super) fn of(
        inputs: &'a Inputs,
        before: &Bundle,
        bundle: &'a Bundle,
        grid: &'a [Parts],
    ) -> Self {
        // Another network starts otherwise, and entered lines are no sums of times.
        let starts = |bundle: &Bundle| {
            [bundle.latencies.near, bundle.latencies.far].map(|network| network.attention.intercept)
        };
        let alike = starts(before) == starts(bundle) && bundle.own_attention && bundle.own_ffn;
        Self {
            inputs,
            bundle,
            grid,
            gain: if alike { 2.0 + 1e-6 } else { f64::INFINITY },
            known: vec![None; grid.len()],
            parted: None,
            attention: Vec::new(),
        }
    }

    /// The most of all divisions, with whatever slots, with which users get their tokens.
    pub(super) fn most(mut self, users: f64) -> Option<Parts> {
        let grid = self.grid;
        let rate = |parts: &Parts| parts.point.per_weight_in_flight;
        let kept = |parts: &Parts| parts.users() >= users;
        let first = (0..grid.len()).filter(|index| kept(&grid[*index]));
        let first = first.reduce(|most, next| match rate(&grid[next]) > rate(&grid[most]) {
            true => next,
            false => most,
        });
        let least = first.and_then(|first| self.at(first)).filter(kept);
        let least = least.as_ref().map_or(0.0, rate);
        let mut most: Option<Parts> = None;
        for (index, was) in grid.iter().enumerate() {
            if self.gain * rate(was) < least || self.gain * was.users() < users {
                continue;
            }
            let better = |next: &Parts| most.as_ref().is_none_or(|most| rate(next) > rate(most));
            if let Some(next) = self.at(index).filter(kept).filter(better) {
                most = Some(next);
            }
        }
        let mut most = most?;
        for index in 1..grid.len() {
            let (kept, missed) = (&grid[index - 1], &grid[index]);
            // Between them lies no more than beyond the edge.
            if self.gain * rate(missed) < rate(&most) || self.gain * kept.users() < users {
                continue;
            }
            if let (Some(kept), Some(missed)) = (self.at(index - 1), self.at(index))
                && turn(&kept, &missed, users)
                && rate(&missed) > rate(&most)
                && let Some(found) = edge(&kept, &missed, self.inputs, self.bundle, users)
                && rate(&found) > rate(&most)
            {
                most = found;
            }
        }
        Some(most)
    }

    fn at(&mut self, index: usize) -> Option<Parts> {
        if self.known[index].is_none() {
            let was = self.grid[index];
            let attention = self.attention(was.slots);
            let mut tried = self.division(was.ffn)?;
            tried.slots = was.slots;
            let point = tried.at_known(attention, f64::from(was.instances));
            self.known[index] = Some(Parts { point, ..was });
        }
        self.known[index]
    }

    fn attention(&mut self, slots: f64) -> Seconds {
        let same = |known: &&(f64, Seconds)| known.0.to_bits() == slots.to_bits();
        if let Some((_, time)) = self.attention.iter().find(same) {
            return *time;
        }
        let tried = Bundle {
            slots,
            ..*self.bundle
        };
        let time = tried.attention_at(tried.token_load());
        self.attention.push((slots, time));
        time
    }

    fn division(&mut self, ffn: u32) -> Option<Bundle> {
        if self.parted.is_none_or(|(of, _)| of != ffn) {
            self.parted = Some((ffn, parted(self.inputs, self.bundle, ffn)?));
        }
        self.parted.map(|(_, bundle)| bundle)
    }
}

/// Numbers of slots that an attention GPU has memory for, the stated one among them where it fits.
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

/// Whole numbers from `first` to `last` in about equal factors.
fn spread(first: f64, last: f64, steps: u32) -> Vec<f64> {
    let ratio = (last / first).max(1.0);
    let mut found: Vec<f64> = (0..=steps)
        .map(|step| first * math::pow(ratio, f64::from(step) / f64::from(steps)))
        .map(|value| value.round().clamp(first, last.max(first)))
        .collect();
    found.dedup();
    found
}

/// The bundle with a feed-forward instance of `ffn` GPUs, sharded as that many are by default; `None` where
/// they have no plan.
pub(super) fn parted(inputs: &Inputs, bundle: &Bundle, ffn: u32) -> Option<Bundle> {
    let mut half = *inputs;
    for number in [Number::Dp, Number::Ep, Number::FfnTp, Number::Pp] {
        half.state(number, None);
    }
    let alone = half.with(Number::Gpus, f64::from(ffn));
    let scenario = alone.scenario().ok().or_else(|| {
        // Attention's groups need not divide the GPUs of the other half.
        let bare = alone.without(Number::Tp).without(Number::Kvp);
        bare.with(Number::Tp, 1.0).scenario().ok()
    })?;
    let halves = Halves::of(&scenario).ok()?;
    let mut parted = *bundle;
    parted.halves.ffn = halves.ffn;
    if parted.latencies.domain.is_some() {
        parted.latencies.near = parted.halves.exchange(true);
        parted.latencies.far = parted.halves.exchange(false);
    }
    (parted.halves.ffn.plan.gpus() == ffn).then_some(parted)
}

pub(super) fn way(parts: Parts) -> Way {
    Way {
        users: 1.0 / parts.point.tpot.get(),
        per_gpu: parts.point.per_weight_in_flight,
        batch: 2.0 * parts.slots * f64::from(parts.instances),
        how: How::Apart(parts),
    }
}
