//! Waits of requests that arrive at random.

use crate::math::{ln, pow};
use crate::units::Seconds;

/// Mean wait in a queue of `places` servers that each take `service` for a request, at utilization u (M/D/q):
/// W = s·u^(√(2(q+1)) − 1)/(2 q (1 − u)); `None` if the servers are too few.
///
/// Source: Sakasegawa 1977, An approximation formula L_q ≃ α·ρ^β/(1 − ρ), for deterministic service. Assumes: Poisson
/// arrivals. Not modeled: percentiles, bursts.
pub fn wait(service: Seconds, places: f64, utilisation: f64) -> Option<Seconds> {
    let exponent = (2.0 * (places + 1.0)).sqrt() - 1.0;
    (utilisation < 1.0)
        .then(|| service * (pow(utilisation, exponent) / (2.0 * places * (1.0 - utilisation))))
}

/// Replicas for `rate` req/s, each planned for the share `utilisation` of `capacity` requests per
/// second: R = max(1, ⌈λ/(ρ μ) − 10⁻⁹⌉).
pub fn replicas_for(rate: f64, capacity: f64, utilisation: f64) -> f64 {
    (rate / (utilisation * capacity) - DUST).ceil().max(1.0)
}

/// Share of a replica that is rounding.
pub const DUST: f64 = 1e-9;
/// Replicas beyond any deployment.
const MOST: f64 = 1e12;

/// The fewest replicas, from `least` on, that `meet`; `None` if no number does. More replicas never miss what fewer
/// meet.
pub fn fewest(least: f64, mut meet: impl FnMut(f64) -> bool) -> Option<f64> {
    let (mut low, mut high) = (least - 1.0, least);
    while !meet(high) {
        low = high;
        high *= 2.0;
        if high > MOST {
            return None;
        }
    }
    while high - low > 1.0 {
        let middle = f64::midpoint(low, high).floor();
        if meet(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}

/// Whole replicas of both pools whose rates match.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Matched {
    /// Prefill replicas, x.
    pub prefill: u32,
    /// Decode replicas, y.
    pub decode: u32,
    /// True if the rates differ by at most 3%.
    pub within: bool,
}

/// Max replicas of a match, x + y.
const MOST_MATCHED: u32 = 32;
/// Max rate difference of a match.
const LEVEL: f64 = 0.03;

/// xPyD: the fewest replicas with |x μ_p/(y μ_d) − 1| ≤ 3%, of as many the closest; if there are none, those with the
/// least |ln|, then the fewest.
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
