//! Finds the TTFT limit at which the cheaper alternative changes between aggregated and disaggregated serving.

use super::answer::ServiceState;
use super::planner::Planner;
use super::traffic::Demand;
use crate::math::ln;
use crate::units::Seconds;
use crate::workload::Pools;

/// The cheaper of aggregated and disaggregated serving, and the TTFT limit below which the other becomes cheaper.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Crossover {
    /// The cheaper alternative (aggregated or disaggregated) if there is no TTFT limit.
    pub lenient: Pools,
    /// Minimum TTFT of any deployment, reached by idle replicas; no limit below it can be met.
    pub soonest: Seconds,
    /// The strictest TTFT limit at which `lenient` is still the cheaper alternative. `None` if it is cheaper at every
    /// limit that was tried and can be met.
    pub down_to: Option<Seconds>,
}

/// TTFT limits tried, as multiples of the minimum TTFT. Above the largest limit, queueing requires no additional
/// replicas.
const OVER_SOONEST: [f64; 13] = [
    64.0, 32.0, 16.0, 10.0, 7.0, 5.0, 3.5, 2.5, 2.0, 1.6, 1.3, 1.15, 1.05,
];
/// A TTFT limit, in seconds, so strict that no deployment can meet it.
const HOPELESS_S: f64 = 1e-9;
/// Relative precision with which the TTFT limit of the crossover is found.
const WITHIN: f64 = 0.01;

/// Returns the TTFT limit at which the cheaper of aggregated and disaggregated serving changes. `None` if the demand
/// cannot be served even without a limit.
pub fn crossover(planner: &mut Planner, demand: &Demand) -> Option<Crossover> {
    let mut cheaper = |limit: Option<Seconds>| {
        let with = Demand {
            first_token: limit,
            pools: Pools::Best,
            ..*demand
        };
        planner.answer(&with)
    };
    let lenient = cheaper(None).choice?;
    // No replica can meet this limit, so the state contains the minimum TTFT of all replicas.
    let ServiceState::FirstTokenMissed { soonest, .. } =
        cheaper(Some(Seconds::new(HOPELESS_S))).state()
    else {
        return None;
    };
    let mut cheaper = |limit: Seconds| cheaper(Some(limit)).choice;
    let mut held: Option<Seconds> = None;
    for over in OVER_SOONEST {
        let limit = soonest * over;
        match cheaper(limit) {
            Some(choice) if choice != lenient => {
                let (mut strict, mut loose) = (limit, held.unwrap_or(limit * 2.0));
                while ln(loose / strict) > WITHIN {
                    let middle = (strict + loose) / 2.0;
                    if cheaper(middle) == Some(lenient) {
                        loose = middle;
                    } else {
                        strict = middle;
                    }
                }
                return Some(Crossover {
                    lenient,
                    soonest,
                    down_to: Some(loose),
                });
            }
            Some(_) => held = Some(limit),
            None => break,
        }
    }
    Some(Crossover {
        lenient,
        soonest,
        down_to: None,
    })
}
