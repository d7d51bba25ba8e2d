//! The limit of the time to first token at which the cheaper alternative changes.

use super::answer::ServiceState;
use super::planner::Planner;
use super::traffic::Demand;
use crate::math::ln;
use crate::units::Seconds;
use crate::workload::Pools;

/// The cheaper way over limits of the time to first token.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Crossover {
    /// The cheaper way without a limit.
    pub lenient: Pools,
    /// The minimum TTFT, of idle replicas: no limit below it is met.
    pub soonest: Seconds,
    /// The strictest limit down to which it is the cheaper one; `None` if it is at any limit that can be met.
    pub down_to: Option<Seconds>,
}

/// Limits tried, as multiples of the minimum TTFT; beyond the last, queueing needs no more replicas.
const OVER_SOONEST: [f64; 13] = [
    64.0, 32.0, 16.0, 10.0, 7.0, 5.0, 3.5, 2.5, 2.0, 1.6, 1.3, 1.15, 1.05,
];
/// A limit below any TTFT.
const HOPELESS_S: f64 = 1e-9;
/// Share of a limit to which the change is found.
const WITHIN: f64 = 0.01;

/// The change of the cheaper alternative as the limit becomes stricter; `None` if nothing serves without a limit.
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
    // No replica meets it, which names the soonest of all.
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
