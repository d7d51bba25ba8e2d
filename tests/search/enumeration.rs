//! Tests the enumeration of candidates: order, number, and outcome.

use model_core::cost::memory::memory;
use model_core::evaluate::evaluate;
use model_core::pareto::Frontier;
use model_core::plan::{Overlap, Plan};
use model_core::scenario::Scenario;
use model_core::sweep::{Exclusion, Exclusions, Space, Strategy, TriedPlan, batch_steps};

use super::{BASES, GPUS, base, fitting, space};

fn rank(strategy: Strategy) -> usize {
    Strategy::ALL
        .iter()
        .position(|other| *other == strategy)
        .expect("a family")
}

/// Checks that candidates are enumerated in nested loops: accelerators (outermost), strategies, GPU counts, and
/// batches (innermost), each list in the order given.
#[test]
fn candidates_come_in_a_fixed_order() {
    for link in BASES {
        let accelerators = ["gb200", "b300"].map(|id| base(&format!("{link}&gpu={id}")));
        let batches = batch_steps(16.0, 2);
        let space = Space::over(accelerators.into(), &Strategy::ALL, &GPUS, batches.clone());
        let keys: Vec<_> = (0..space.len())
            .map(|index| {
                let (strategy, scenario) = space.scenario(index).expect("within the space");
                let accelerator = accelerators
                    .iter()
                    .position(|each| each.cluster.capacity == scenario.cluster.capacity)
                    .expect("one of the two");
                (accelerator, rank(strategy), scenario.cluster.gpus)
            })
            .collect();
        assert!(keys.is_sorted(), "{link}");
        for index in 0..space.len() {
            let (_, scenario) = space.scenario(index).expect("within the space");
            let batch = batches[index % batches.len()];
            assert_eq!(scenario.workload.batch.to_bits(), batch.to_bits());
        }
        assert_eq!(space.scenario(space.len()), None);
        let beyond = TriedPlan::Excluded(Exclusion::NotFinite);
        assert_eq!(space.outcome(space.len()), beyond);
    }
}

/// Checks that a candidate's index always gives the same scenario, even if the strategies are passed in reverse or
/// the candidates are read in reverse.
#[test]
fn an_index_always_means_the_same_scenario() {
    for link in BASES {
        let base = base(link);
        let one = space(&base);
        let mut reversed = Strategy::ALL;
        reversed.reverse();
        let batches = vec![1.0, 3.0, 8.0, 64.0, 1024.0];
        let other = Space::new(&base, &reversed, &GPUS, batches);
        assert_eq!(one.len(), other.len());
        for index in (0..one.len()).rev() {
            assert_eq!(one.scenario(index), other.scenario(index));
            assert_eq!(one.outcome(index), other.outcome(index));
        }
    }
}

#[test]
fn every_candidate_obeys_the_rules_of_plans() {
    for link in BASES {
        let base = base(link);
        let space = space(&base);
        assert!(!space.is_empty());
        let mut plans = Vec::new();
        for index in 0..space.len() {
            let (strategy, scenario) = space.scenario(index).expect("within the space");
            let gpus = scenario.cluster.gpus;
            assert!(GPUS.contains(&gpus));
            let again = Plan::new(*scenario.plan.spec(), &base.arch, gpus);
            assert_eq!(again, Ok(scenario.plan), "{link}");
            plans.push((strategy, scenario.plan));
        }
        let repeats = space.len() / plans.chunk_by(|left, right| left == right).count();
        assert_eq!(repeats, 5, "each plan stands once, with its five batches");
    }
}

/// Checks that merging the frontiers of separate ranges of candidates gives the frontier of all candidates.
#[test]
fn chunks_add_up_to_the_whole() {
    for link in BASES {
        let space = space(&base(link));
        let whole = Frontier::of(fitting(&space));
        for size in [1, 7, 64, space.len()] {
            let mut merged = Frontier::default();
            let starts = (0..space.len()).step_by(size);
            for start in starts {
                let end = (start + size).min(space.len());
                let chunk = (start..end).filter_map(|index| match space.outcome(index) {
                    TriedPlan::Fits(point) => Some(point),
                    _ => None,
                });
                for point in Frontier::of(chunk).points() {
                    merged.insert(*point);
                }
            }
            assert_eq!(merged, whole, "chunks of {size}");
        }
    }
}

/// Returns the rule that excludes a candidate, derived from its evaluation alone; `None` if the candidate is
/// feasible.
fn expected(scenario: &Scenario) -> Option<Exclusion> {
    let spec = scenario.plan.spec();
    let halves = match spec.overlap {
        Overlap::TwoBatch => 2,
        Overlap::Sequential | Overlap::HopB => 1,
    };
    if scenario.workload.batch < f64::from(spec.dp * spec.pp * halves) {
        return Some(Exclusion::TooFewSequences);
    }
    let Ok(evaluation) = evaluate(scenario) else {
        return Some(Exclusion::NotFinite);
    };
    let slo = scenario.workload.slo.unwrap_or(0.0);
    if !memory(scenario, scenario.workload.batch).fits() {
        Some(Exclusion::OutOfMemory)
    } else if evaluation.tokens_per_user < slo {
        Some(Exclusion::MissesSlo)
    } else {
        None
    }
}

#[test]
fn candidates_by_exclusion_rule() {
    for link in BASES {
        let mut base = base(link);
        base.workload.slo = Some(60.0);
        let space = space(&base);
        let mut fitting = 0;
        let mut counts = Exclusions::default();
        for index in 0..space.len() {
            let (strategy, scenario) = space.scenario(index).expect("within the space");
            let excluded = match space.outcome(index) {
                TriedPlan::Fits(point) => {
                    assert_eq!((point.index, point.strategy), (index, strategy));
                    fitting += 1;
                    None
                }
                TriedPlan::MissesSlo(point) => {
                    assert_eq!((point.index, point.strategy), (index, strategy));
                    Some(Exclusion::MissesSlo)
                }
                TriedPlan::Excluded(rule) => Some(rule),
            };
            assert_eq!(excluded, expected(&scenario), "candidate {index}");
            if let Some(rule) = excluded {
                counts.add(rule, 1);
            }
        }
        assert_eq!(fitting + counts.total(), space.len());
        for rule in [
            Exclusion::TooFewSequences,
            Exclusion::OutOfMemory,
            Exclusion::MissesSlo,
        ] {
            assert!(fitting > 0 && counts.of(rule) > 0, "{link}: {counts:?}");
        }
        let most = Exclusion::ALL.map(|rule| counts.of(rule)).into_iter().max();
        assert_eq!(counts.most().map(|(_, count)| count), most);
    }
}

/// Checks the number of shardings that a strategy refuses on 6 GPUs, here always because the attention heads cannot be
/// divided.
#[test]
fn refused_shardings_are_counted() {
    let base = base(BASES[1]);
    // On 6 GPUs, these would split 128 heads by 3 or 6: TP, TP×PP (pp = 2), Medha (tp = 3), Helix twice (tp = 3, 6).
    let strategies = [Strategy::Tensor, Strategy::TensorPipeline, Strategy::Medha];
    let refused = |strategies: &[Strategy]| {
        let space = Space::new(&base, strategies, &[6], vec![1.0]);
        let refused = space.refused();
        assert_eq!(
            refused.of(Exclusion::Heads),
            refused.total(),
            "all by their heads"
        );
        refused.total()
    };
    assert_eq!(refused(&strategies[..1]), 1);
    assert_eq!(refused(&strategies[1..2]), 1);
    assert_eq!(refused(&strategies[2..]), 1);
    assert_eq!(refused(&[Strategy::Helix]), 2);
}

#[test]
fn batch_grid_values() {
    let expected = [1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0];
    assert_eq!(batch_steps(16.0, 2), expected);
    assert_eq!(batch_steps(23.0, 2), expected);
    assert_eq!(batch_steps(1.0, 2), [1.0]);
    assert_eq!(batch_steps(16.0, 1), [1.0, 2.0, 4.0, 8.0, 16.0]);
    let quarters = [
        1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0, 12.0, 14.0, 16.0,
    ];
    assert_eq!(batch_steps(17.0, 4), quarters);
    assert!(batch_steps(0.5, 2).is_empty());
}
