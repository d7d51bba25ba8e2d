//! Tests which plans a strategy contains, by checking every valid plan.
//!
//! The strategies are those of [H] 2 and 3.1; the rules for valid plans are those of `Plan::new`.

use model_core::plan::{Overlap, Plan, PlanSpec};
use model_core::scenario::Scenario;
use model_core::sweep::strategy::kv_heads;
use model_core::sweep::{Space, Strategy};

use ridgepoint_tests::space::every_plan;

use super::{BASES, base};

fn belongs(strategy: Strategy, spec: &PlanSpec, scenario: &Scenario, gpus: u32) -> bool {
    let arch = &scenario.arch;
    // MLA: "Effectively… a single KV head shared across all 128 query heads."
    let kv_heads = kv_heads(arch);
    let dense = !arch.is_moe();
    let stage = gpus / spec.pp;
    let one_stage = spec.pp == 1;
    // Dense layers on all GPUs of a stage; experts on any grid over all of them.
    let whole_pool = spec.ffn_tp * spec.ep == stage;
    match strategy {
        Strategy::Tensor => one_stage && spec.tp == stage && whole_pool,
        Strategy::TensorPipeline => !one_stage && spec.tp == stage && whole_pool,
        // Data-parallel attention with expert-parallel FFNs; dense models have replicas.
        Strategy::DataExpert => {
            one_stage && spec.dp == stage && (whole_pool || (dense && spec.ffn_tp == 1))
        }
        // One tp for attention and FFN; no results for MoE.
        Strategy::Medha => {
            one_stage && dense && spec.dp == 1 && spec.kvp > 1 && spec.ffn_tp == spec.tp
        }
        Strategy::Helix | Strategy::HelixHopB => {
            one_stage && spec.dp == 1 && spec.tp <= kv_heads && whole_pool
        }
    }
}

/// Returns the schedules of a strategy: HOP-B if the strategy's name contains it, otherwise no overlap. If the
/// scenario has two-batch overlap, a strategy without HOP-B has both no overlap and two-batch overlap.
fn schedules(strategy: Strategy, scenario: &Scenario) -> Vec<Overlap> {
    match (strategy, scenario.plan.spec().overlap) {
        (Strategy::HelixHopB, _) => vec![Overlap::HopB],
        (_, Overlap::TwoBatch) => vec![Overlap::Sequential, Overlap::TwoBatch],
        _ => vec![Overlap::Sequential],
    }
}

#[test]
fn strategy_holds_exactly_its_plans() {
    for link in BASES {
        let scenario = base(link);
        for gpus in [1, 2, 6, 8, 12, 16, 64] {
            for strategy in Strategy::ALL {
                let space = Space::new(&scenario, &[strategy], &[gpus], vec![64.0]);
                let found: Vec<Plan> = (0..space.len())
                    .filter_map(|index| space.scenario(index))
                    .map(|(_, scenario)| scenario.plan)
                    .collect();
                let all: Vec<Plan> = schedules(strategy, &scenario)
                    .into_iter()
                    .flat_map(|overlap| every_plan(&scenario, gpus, overlap))
                    .collect();
                let expected = all
                    .iter()
                    .filter(|plan| belongs(strategy, plan.spec(), &scenario, gpus));
                for plan in expected.clone() {
                    assert!(found.contains(plan), "{strategy:?} lacks {plan:?}");
                }
                assert_eq!(
                    found.len(),
                    expected.count(),
                    "{strategy:?} on {gpus} of {link}"
                );
            }
        }
    }
}

/// Checks MLA models in two strategies. Medha has no plans for them, because [H] compares Medha only on dense models.
/// Helix shards their attention only by context, as [H] does.
#[test]
fn latent_attention_in_medha_and_helix() {
    let scenario = base(BASES[0]);
    let medha = Space::new(&scenario, &[Strategy::Medha], &[64], vec![64.0]);
    assert!(medha.is_empty());
    let helix = Space::new(&scenario, &[Strategy::Helix], &[64], vec![64.0]);
    // Seven values of ep from 1 to 64, with ffn_tp = 64/ep, each without and with two-batch overlap.
    assert_eq!(helix.len(), 14);
    for index in 0..helix.len() {
        let (_, scenario) = helix.scenario(index).expect("within the space");
        assert_eq!(scenario.plan.spec().tp, 1);
        assert_eq!(scenario.plan.spec().kvp, 64);
    }
}
