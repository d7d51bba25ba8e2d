//! The plans around a scenario: every way to shard and schedule it on the same GPUs.

use crate::cost::memory::batch_capacity;
use crate::plan::{Overlap, Plan, PlanSpec};
use crate::scenario::{Inputs, Number, Scenario};
use crate::sweep::Family;

/// What a base has of its own: the released weights, no copies of experts.
pub const PRECISION: usize = 1;
/// No copies of experts.
pub const COPIES: usize = 2;

/// A precision to serve the scenario in, with its copies of experts or without.
pub struct Base {
    /// What of the scenario it changes: [`PRECISION`], [`COPIES`], 0 for the scenario's own.
    pub index: usize,
    /// The inputs, sharding left to its defaults.
    pub inputs: Inputs,
    /// The same, complete; its plan stands for none.
    pub scenario: Scenario,
}

/// Factors of a sharding.
pub const SHARDING: [Number; 6] = [
    Number::Pp,
    Number::Kvp,
    Number::Tp,
    Number::Dp,
    Number::Ep,
    Number::FfnTp,
];

/// The scenario's own precision, and the released one where the scenario uses a wider one; both without copies of experts,
/// too, where the scenario has room for no batch: elsewhere what they buy is stated, not modelled, and they would always seem a
/// waste.
pub fn bases(inputs: &Inputs) -> Vec<Base> {
    let mut variants = vec![(0, *inputs)];
    if let Some(narrower) = inputs.narrowed() {
        variants.push((PRECISION, narrower));
    }
    if crowded(inputs) {
        for (index, variant) in variants.clone() {
            let bare = variant.with(Number::Redundant, 0.0).normalized();
            variants.push((index | COPIES, bare));
        }
    }
    variants
        .into_iter()
        .filter_map(|(index, variant)| {
            let scenario = variant.scenario().ok().or_else(|| {
                // The plan is replaced: any one that there is will do.
                let mut bare = variant;
                for number in SHARDING {
                    bare.state(number, None);
                }
                bare.scenario().ok()
            })?;
            Some(Base {
                index,
                inputs: variant,
                scenario,
            })
        })
        .collect()
}

/// Whether experts are stored twice, and that leaves the GPUs' usual plan no room for a sequence in each of its
/// micro-batches: whatever plan and batch there are now, so that every view tries the same.
fn crowded(inputs: &Inputs) -> bool {
    let copies = inputs
        .get(Number::Redundant)
        .is_some_and(|copies| copies > 0.0);
    let moe = inputs.model.arch().is_moe();
    let room = |scenario: Scenario| batch_capacity(&scenario) >= scenario.plan.micro_batches();
    let mut bare = *inputs;
    bare.unshard();
    bare.overlap = Inputs::DEFAULT.overlap;
    copies && moe && bare.scenario().is_ok_and(|scenario| !room(scenario))
}

/// A host has eight accelerators, whether or not a scale-up network joins them.
const HOST: u32 = 8;

/// Every possible plan on the scenario's GPUs whose heads are split within a scale-up domain or a host, where its own
/// are: sharded as a family is, or attention in data-parallel groups of several GPUs. What splits the context may span
/// domains, as it does in every search of plans.
pub fn plans(scenario: &Scenario) -> Vec<Plan> {
    let gpus = scenario.cluster.gpus;
    let own = *scenario.plan.spec();
    let widest = scenario.cluster.domain.max(HOST).max(own.tp);
    let mut found = Vec::new();
    let mut take = |spec: PlanSpec| {
        if spec.tp > widest {
            return;
        }
        if let Ok(plan) = Plan::new(spec, &scenario.arch, gpus)
            && !found.contains(&plan)
        {
            found.push(plan);
        }
    };
    for overlap in Overlap::ALL {
        take(PlanSpec { overlap, ..own });
    }
    for family in [
        Family::DataExpert,
        Family::Tensor,
        Family::TensorPipeline,
        Family::Helix,
        Family::HelixHopB,
    ] {
        // Both schedules that a family knows are tried, whichever the scenario has.
        let wanted = PlanSpec {
            overlap: Overlap::TwoBatch,
            ..own
        };
        family.shardings(&scenario.arch, &wanted, gpus, &mut take);
    }
    groups(scenario, widest, &mut take);
    found
}

/// Data-parallel attention groups of several GPUs, experts over all of them.
fn groups(scenario: &Scenario, widest: u32, take: &mut impl FnMut(PlanSpec)) {
    let gpus = scenario.cluster.gpus;
    let own = *scenario.plan.spec();
    let moe = scenario.arch.is_moe();
    for tp in (1..=6).map(|power| 1_u32 << power) {
        if tp > widest || tp >= gpus || !gpus.is_multiple_of(tp) {
            continue;
        }
        let feed_forward: Vec<(u32, u32)> = if moe {
            (1..=gpus)
                .filter(|ep| gpus.is_multiple_of(*ep))
                .map(|ep| (gpus / ep, ep))
                .collect()
        } else {
            vec![(tp, 1)]
        };
        for (ffn_tp, ep) in feed_forward {
            for overlap in [Overlap::Sequential, Overlap::TwoBatch] {
                take(PlanSpec {
                    dp: gpus / tp,
                    tp,
                    kvp: 1,
                    ffn_tp,
                    ep,
                    pp: 1,
                    overlap,
                    ..own
                });
            }
        }
    }
}

/// The inputs that state `scenario`'s plan and batch and keep everything else.
pub fn stated(inputs: &Inputs, scenario: &Scenario) -> Inputs {
    let planned = inputs.planned(scenario.plan.spec());
    planned
        .with(Number::Batch, scenario.workload.batch)
        .normalized()
}
