//! xAyF units near the best ratio that consist of whole ranks.

use super::bundle::Bundle;
use super::ratio::RatioPoint;
use crate::order::sort_by;

/// An xAyF unit that consists of whole ranks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Topology {
    /// Number of attention ranks, x.
    pub attention: u32,
    /// Number of FFN ranks, y.
    pub ffn: u32,
    /// GPUs of all ranks combined.
    pub gpus: f64,
    /// Rates and times of the xAyF unit.
    pub point: RatioPoint,
    /// Relative throughput loss vs. the best ratio with one FFN rank.
    pub loss: f64,
    /// Relative throughput loss vs. the best ratio, both evaluated with two micro-batches in flight.
    pub loss_in_flight: f64,
    /// True if the best A:F ratio was rounded so that the unit fills whole scale-up domains.
    pub whole_domains: bool,
}

/// Maximum number of FFN ranks tried.
const FFN: u32 = 4;

impl Bundle {
    /// Returns xAyF units near the best A:F ratio r*, sorted by ratio. For each y from one to four FFN ranks, the
    /// attention ranks are the whole numbers just below and above r*·y. For one FFN rank, the result also includes the
    /// next whole number on either side, and units that fill scale-up domains. Each ratio occurs once, in lowest terms.
    ///
    /// Source: [R] 3.1 (7A–2F is r = 3.5).
    pub fn topologies(&self) -> Vec<Topology> {
        const MOST: f64 = 1e6;
        let mut single = *self;
        single.ffn_instances = 1;
        let answer = single.answer();
        let (best, most) = (answer.best, answer.best_in_flight);
        let mut wanted: Vec<(u32, u32, bool)> = Vec::new();
        let mut want = |attention: f64, ffn: u32, whole: bool| {
            if !(1.0..=MOST).contains(&attention) {
                return;
            }
            let attention = attention as u32;
            if whole || common(attention, ffn) == 1 {
                match wanted
                    .iter_mut()
                    .find(|known| (known.0, known.1) == (attention, ffn))
                {
                    Some(known) => known.2 |= whole,
                    None => wanted.push((attention, ffn, whole)),
                }
            }
        };
        for ffn in 1..=FFN {
            let exact = best.ratio * f64::from(ffn);
            let beyond = if ffn == 1 { 1.0 } else { 0.0 };
            // Limit the attention ranks: larger units differ too little from each other to be useful.
            let (first, last) = (exact.floor() - beyond, exact.ceil() + beyond);
            let last = last.min(MOST) as u32;
            for attention in first.clamp(1.0, MOST) as u32..=last {
                want(f64::from(attention), ffn, false);
            }
        }
        if let Some(domain) = self.latencies.domain {
            let (each, feed_forward) = self.gpus();
            let domain = f64::from(domain);
            let domains = (best.ratio * each + feed_forward) / domain;
            for count in [domains.floor(), domains.ceil()] {
                let attention = (count * domain - feed_forward) / each;
                if attention.fract() == 0.0 {
                    want(attention, 1, true);
                }
            }
        }
        let (each, feed_forward) = self.gpus();
        let mut found: Vec<Topology> = wanted
            .into_iter()
            .map(|(attention, ffn, whole_domains)| {
                let mut bundle = *self;
                bundle.ffn_instances = ffn;
                let point = bundle.at(f64::from(attention) / f64::from(ffn));
                Topology {
                    attention,
                    ffn,
                    gpus: f64::from(attention) * each + f64::from(ffn) * feed_forward,
                    point,
                    loss: 1.0 - point.per_weight / best.per_weight,
                    loss_in_flight: 1.0 - point.per_weight_in_flight / most.per_weight_in_flight,
                    whole_domains,
                }
            })
            .collect();
        sort_by(&mut found, |left, right| {
            left.point.ratio.total_cmp(&right.point.ratio)
        });
        found
    }
}

/// Returns the greatest common divisor.
const fn common(a: u32, b: u32) -> u32 {
    let (mut a, mut b) = (a, b);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}
