//! Tests of the Pareto frontier and the queries on it, by comparison with results from all pairs of points.

use model_core::evaluate::evaluate;
use model_core::pareto::{Frontier, best, cheapest};
use model_core::sweep::{Space, Strategy, SweepPoint, TriedPlan};
use proptest::prelude::{Strategy as _, prop_assert, prop_assert_eq, proptest};
use proptest::test_runner::{Config, RngSeed};

use super::{BASES, GPUS, base, fitting};

/// Generates points with few distinct values, so that ties of every kind are common; some points have no price.
fn points() -> impl proptest::strategy::Strategy<Value = Vec<SweepPoint>> {
    proptest::collection::vec((1..12_u8, 1..12_u8, 0..5_u8), 0..40).prop_map(|values| {
        let point = |(index, (user, gpu, price)): (usize, (u8, u8, u8))| SweepPoint {
            index,
            strategy: Strategy::Tensor,
            batch: 1.0,
            tokens_per_user: f64::from(user),
            tokens_per_gpu: f64::from(gpu),
            dollars_per_mtok: (price > 0).then(|| f64::from(price)),
        };
        values.into_iter().enumerate().map(point).collect()
    })
}

/// Returns true if `other` is as good as `point` in both interactivity and throughput and better in one, or equal in
/// both and earlier.
fn beats(other: &SweepPoint, point: &SweepPoint) -> bool {
    let as_good = other.tokens_per_user >= point.tokens_per_user
        && other.tokens_per_gpu >= point.tokens_per_gpu;
    let better = other.tokens_per_user > point.tokens_per_user
        || other.tokens_per_gpu > point.tokens_per_gpu;
    as_good && (better || other.index < point.index)
}

/// Returns the Pareto frontier, found by comparing every pair of points; the point with the highest interactivity
/// comes first.
fn unbeaten(points: &[SweepPoint]) -> Vec<SweepPoint> {
    let mut left: Vec<SweepPoint> = points
        .iter()
        .filter(|point| !points.iter().any(|other| beats(other, point)))
        .copied()
        .collect();
    left.sort_by(|one, other| other.tokens_per_user.total_cmp(&one.tokens_per_user));
    left
}

/// Returns the highest throughput per GPU of the points with an interactivity of at least `users` tok/s/user.
fn most(points: &[SweepPoint], users: f64) -> Option<f64> {
    points
        .iter()
        .filter(|point| point.tokens_per_user >= users)
        .map(|point| point.tokens_per_gpu)
        .reduce(f64::max)
}

fn seeded() -> Config {
    Config {
        cases: 4000,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(3),
        ..Config::default()
    }
}

proptest! {
    #![proptest_config(seeded())]

    #[test]
    fn frontier_of_all_pairs(points in points()) {
        let frontier = Frontier::of(points.iter().copied());
        prop_assert_eq!(frontier.points(), unbeaten(&points));
    }

    #[test]
    fn insert_returns_if_kept(points in points()) {
        let mut frontier = Frontier::default();
        for (index, point) in points.iter().enumerate() {
            let beaten = points[..index].iter().any(|other| beats(other, point));
            prop_assert_eq!(frontier.insert(*point), !beaten);
        }
    }

    #[test]
    fn throughput_at_interactivity(points in points()) {
        let frontier = Frontier::of(points.iter().copied());
        for half in 0..26_u8 {
            let users = f64::from(half) / 2.0;
            let found = frontier.at_least(users).map(|point| point.tokens_per_gpu);
            prop_assert_eq!(found, most(&points, users));
        }
    }

    #[test]
    fn gains_over_another_frontier(one in points(), other in points()) {
        let (left, right) = (
            Frontier::of(one.iter().copied()),
            Frontier::of(other.iter().copied()),
        );
        // Frontiers have steps only at whole numbers, so steps of one half miss none.
        let ratios = (1..26_u8).map(|half| f64::from(half) / 2.0).filter_map(|users| {
            Some(most(&one, users)? / most(&other, users)?)
        });
        let found = left.throughput_over(&right);
        prop_assert_eq!(found.map(|(ratio, _)| ratio), ratios.reduce(f64::max));
        if let Some((ratio, users)) = found {
            let there = most(&one, users).zip(most(&other, users));
            prop_assert_eq!(there.map(|(one, other)| one / other), Some(ratio));
        }
        let fastest = |points: &[SweepPoint]| {
            points.iter().map(|point| point.tokens_per_user).reduce(f64::max)
        };
        let gain = fastest(&one).zip(fastest(&other)).map(|(one, other)| one / other);
        prop_assert_eq!(left.interactivity_over(&right), gain);
    }

    #[test]
    fn best_and_cheapest_points(points in points()) {
        let first_most = points.iter().find(|point| {
            points.iter().all(|other| other.tokens_per_gpu <= point.tokens_per_gpu)
        });
        prop_assert_eq!(best(&points), first_most);
        let priced = |point: &&SweepPoint| point.dollars_per_mtok.is_some();
        let first_least = points.iter().filter(priced).find(|point| {
            points.iter().filter(priced).all(|other| other.dollars_per_mtok >= point.dollars_per_mtok)
        });
        prop_assert_eq!(cheapest(&points), first_least);
        prop_assert!(cheapest(&points).is_none_or(|point| point.dollars_per_mtok.is_some()));
    }
}

/// Checks the best and the cheapest plan under an SLO, compared with an evaluation of every candidate.
#[test]
fn best_and_cheapest_under_slo() {
    for link in BASES {
        let mut scenario = base(link);
        scenario.dollars_per_hour = Some(3.3);
        for slo in [1.0, 25.0, 60.0, 1e5] {
            scenario.workload.slo = Some(slo);
            let batches = vec![1.0, 3.0, 8.0, 64.0, 1024.0];
            let space = Space::new(&scenario, &Strategy::ALL, &GPUS, batches);
            let mut most: Option<(usize, f64)> = None;
            let mut least: Option<(usize, f64)> = None;
            for index in 0..space.len() {
                let (_, candidate) = space.scenario(index).expect("within the space");
                let spec = candidate.plan.spec();
                let evaluation = evaluate(&candidate).expect("finite");
                let meets = evaluation.tokens_per_user >= slo
                    && evaluation.memory.fits()
                    && candidate.workload.batch >= f64::from(spec.dp * spec.pp);
                if !meets {
                    continue;
                }
                let dollars = evaluation.dollars_per_mtok.expect("a price was stated");
                if most.is_none_or(|(_, so_far)| evaluation.tokens_per_gpu > so_far) {
                    most = Some((index, evaluation.tokens_per_gpu));
                }
                if least.is_none_or(|(_, so_far)| dollars < so_far) {
                    least = Some((index, dollars));
                }
            }
            let points = fitting(&space);
            let index = |point: Option<&SweepPoint>| point.map(|point| point.index);
            assert_eq!(index(best(&points)), most.map(|(index, _)| index), "{slo}");
            assert_eq!(
                index(cheapest(&points)),
                least.map(|(index, _)| index),
                "{slo}"
            );
            // With one price for all, the most throughput per GPU is the cheapest.
            assert_eq!(index(best(&points)), index(cheapest(&points)));
            assert_eq!(points.is_empty(), slo > 1e4, "{slo}");
        }
    }
}

/// Checks that no candidate of a search beats its frontier, and that the frontier consists of candidates.
#[test]
fn frontier_of_a_search() {
    for link in BASES {
        let space = super::space(&base(link));
        let points = fitting(&space);
        let frontier = Frontier::of(points.iter().copied());
        assert_eq!(frontier.points(), unbeaten(&points));
        for point in frontier.points() {
            assert_eq!(space.outcome(point.index), TriedPlan::Fits(*point));
        }
    }
}
