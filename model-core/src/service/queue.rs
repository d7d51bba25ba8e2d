//! Queueing times of requests that arrive at random.

use crate::math::{bisect, ln, pow};
use crate::units::Seconds;

/// Returns the mean wait in an M/D/q queue with q = `places` servers at utilization u. Each server is busy for s =
/// `service` seconds per request. W = s·u^(√(2(q+1)) − 1)/(2 q (1 − u)); `None` if the servers are too few.
///
/// Source: Sakasegawa 1977, An approximation formula L_q ≃ α·ρ^β/(1 − ρ), for deterministic service. Assumes: Poisson
/// arrivals. Not modeled: percentiles, bursts.
pub fn wait(service: Seconds, places: f64, utilisation: f64) -> Option<Seconds> {
    let exponent = (2.0 * (places + 1.0)).sqrt() - 1.0;
    (utilisation < 1.0)
        .then(|| service * (pow(utilisation, exponent) / (2.0 * places * (1.0 - utilisation))))
}

/// Returns the number of replicas needed for `rate` req/s (λ), if each serves at most `capacity` req/s (μ) and is
/// planned for `utilisation` (ρ). R = max(1, ⌈λ/(ρ μ) − 10⁻⁹⌉).
pub fn replicas_for(rate: f64, capacity: f64, utilisation: f64) -> f64 {
    (rate / (utilisation * capacity) - DUST).ceil().max(1.0)
}

/// Excess over a whole number of replicas that is attributed to rounding, and for which no replica is added.
pub const DUST: f64 = 1e-9;
/// Replica count at which the search for the fewest replicas gives up.
const MOST: f64 = 1e12;

/// Returns the smallest number of replicas, at least `least`, for which `meet` returns true; `None` if there is none.
/// Assumes that `meet` stays true if replicas are added.
pub fn fewest(least: f64, mut meet: impl FnMut(f64) -> bool) -> Option<f64> {
    let (mut low, mut high) = (least - 1.0, least);
    while !meet(high) {
        low = high;
        high *= 2.0;
        if high > MOST {
            return None;
        }
    }
    let [_, first] = bisect(low, high, |servers| !meet(servers));
    Some(first)
}

/// Whole numbers of prefill and decode replicas whose request rates match.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Matched {
    /// Number of prefill replicas in the match, x.
    pub prefill: u32,
    /// Number of decode replicas in the match, y.
    pub decode: u32,
    /// True if the request rates of prefill and decode differ by at most 3%.
    pub within: bool,
}

/// Max total of prefill and decode replicas when their request rates are matched, x + y.
const MOST_MATCHED: u32 = 32;
/// Max relative difference between the request rates of prefill and decode that counts as a match.
const LEVEL: f64 = 0.03;

/// Returns the match xPyD of x prefill and y decode replicas: the fewest replicas with |x μ_p/(y μ_d) − 1| ≤ 3%. Among
/// equal totals, the closest rates win. If no numbers meet 3%, returns those with the smallest |ln(x μ_p/(y μ_d))|,
/// then the smallest total.
pub fn matched(prefill: f64, decode: f64) -> Matched {
    let mut nearest = (1, 1, f64::INFINITY);
    for sum in 2..=MOST_MATCHED {
        let mut closest: Option<(u32, f64)> = None;
        for x in 1..sum {
            let ratio = f64::from(x) * prefill / (f64::from(sum - x) * decode);
            let off = (ratio - 1.0).abs();
            if off <= LEVEL && closest.is_none_or(|(_, known)| off < known) {
                closest = Some((x, off));
            }
            let distance = ln(ratio).abs();
            if distance < nearest.2 {
                nearest = (x, sum - x, distance);
            }
        }
        if let Some((x, _)) = closest {
            return Matched {
                prefill: x,
                decode: sum - x,
                within: true,
            };
        }
    }
    Matched {
        prefill: nearest.0,
        decode: nearest.1,
        within: false,
    }
}
