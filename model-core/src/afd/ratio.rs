//! The best AFD ratio, in closed form.

use super::bundle::Bundle;
use super::derive::rows_that_take;
use super::latency::{Exchange, Latencies, LatencyLine};
use super::optimum::greatest;
use crate::units::Seconds;

/// The bottleneck of an xAyF unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Regime {
    /// I: attention.
    Attention,
    /// II: communication of an attention rank.
    Communication,
    /// III: the FFN; attention waits for it.
    FeedForward,
    /// Links of the FFN rank, which [R] leaves out.
    FeedForwardLinks,
}

impl Regime {
    /// Identifier in results.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Attention => "attention",
            Self::Communication => "communication",
            Self::FeedForward => "ffn",
            Self::FeedForwardLinks => "ffn_links",
        }
    }
}

/// An xAyF unit at one ratio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatioPoint {
    /// r = x/y.
    pub ratio: f64,
    /// Mean time of attention, t̄_A.
    pub attention: Seconds,
    /// Communication round trip: the longer of either end's.
    pub messages: Seconds,
    /// Time of the FFN, t_F(rB).
    pub ffn: Seconds,
    /// Bottleneck.
    pub regime: Regime,
    /// Cycle in which each sequence of one micro-batch gains a token, τ = max(t̄_A, t_C, t_F).
    pub cycle: Seconds,
    /// TPOT with two micro-batches in flight: 2τ, or a micro-batch's own round where that is longer.
    pub tpot: Seconds,
    /// Tokens per second and rank: rB/((r + 1) τ). Source: [R] eqs 5–6, where communication and waiting always
    /// overlap; [`Self::per_instance_in_flight`] has two micro-batches.
    pub per_instance: f64,
    /// Tokens per second and unit of weight (GPUs where known), maximized by the best ratio.
    pub per_weight: f64,
    /// Tokens per second and rank with two micro-batches in flight, 2rB/((r + 1) TPOT): less than eq 6 where a
    /// micro-batch's own round exceeds 2τ. Used in comparisons with other deployments.
    pub per_instance_in_flight: f64,
    /// Tokens per second and unit of weight with two micro-batches in flight.
    pub per_weight_in_flight: f64,
    /// Share of time that attention is idle, 1 − t̄_A/τ.
    pub idle_attention: f64,
    /// Share of time that the FFN is idle, 1 − t_F/τ.
    pub idle_ffn: f64,
}

/// Result of the closed form.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClosedForm {
    /// Tokens in an attention rank's caches over the horizon, T̄(B; N). Source: [R] eq 13.
    pub token_load: f64,
    /// Cached tokens per attention rank in steady state. Source: [R] eq 14.
    pub token_load_limit: f64,
    /// Ratio at which FFN and attention take equally long, r_A. Source: [R] eq 15.
    pub r_attention: f64,
    /// Ratio at which FFN and communication take equally long, r_C. Source: [R] eq 16.
    pub r_communication: f64,
    /// Ratio at which the FFN rank's links take as long as attention or communication; `None` for entered latencies,
    /// which have no such links.
    pub r_links: Option<f64>,
    /// Ratio at which throughput peaks if the FFN is the bottleneck, r_peak. Source: [R] eq 18.
    pub r_peak: f64,
    /// The best ratio over the horizon. Source: [R] eq 19.
    pub best: RatioPoint,
    /// The best ratio in the long run.
    pub limit: RatioPoint,
    /// The best ratio over the horizon with two micro-batches in flight: beyond [R].
    pub best_in_flight: RatioPoint,
}

impl Bundle {
    /// Tokens in an attention rank's caches over the horizon of N requests.
    pub fn token_load(&self) -> f64 {
        let requests = f64::from(self.requests);
        self.slots * self.lengths.context_over(requests, self.slots)
    }

    /// Cached tokens per attention rank in steady state.
    pub fn token_load_limit(&self) -> f64 {
        self.slots * self.lengths.context()
    }

    /// The unit at ratio `ratio`, averaged over the horizon.
    pub fn at(&self, ratio: f64) -> RatioPoint {
        point(self, self.token_load(), ratio)
    }

    /// The unit at ratio `ratio`, with the attention time over the horizon given.
    pub(super) fn at_known(&self, attention: Seconds, ratio: f64) -> RatioPoint {
        at(self, attention, ratio)
    }

    /// The best ratio over the horizon and in the long run, with the bottleneck.
    ///
    /// r* = max(r_A, r_C, r_peak) for the latencies of [R]. In general throughput is the least of a few curves in r;
    /// it is greatest where two of them cross, where one peaks, or where a unit just fits its scale-up domain, so the
    /// best of those ratios is the optimum. Where the FFN's time is the operators', the optimum is
    /// searched for over r.
    ///
    /// Source: [R] Theorem 4.4 (eqs 15–20).
    pub fn answer(&self) -> ClosedForm {
        let load = self.token_load();
        let best = best(self, load);
        let exchange = self.exchange(best.ratio, self.ffn_instances);
        let attention = self.attention_at(load);
        let messages = exchange.attention.at(self.slots);
        let links = &exchange.ffn;
        ClosedForm {
            token_load: load,
            token_load_limit: self.token_load_limit(),
            r_attention: balance(self, attention),
            r_communication: balance(self, messages),
            r_links: (*links != LatencyLine::ZERO)
                .then(|| reaches(links, self.slots, attention.max(messages))),
            r_peak: peak_of_ffn(self),
            best,
            limit: self::best(self, self.token_load_limit()),
            best_in_flight: self.best_in_flight(),
        }
    }

    /// The best ratio over the horizon with two micro-batches in flight.
    pub fn best_in_flight(&self) -> RatioPoint {
        most(self, self.token_load(), |point| point.per_weight_in_flight)
    }

    /// The stated ratio, else the best.
    pub fn asked(&self) -> RatioPoint {
        match self.ratio {
            Some(ratio) => self.at(ratio),
            None => best(self, self.token_load()),
        }
    }
}

/// Lines over rB of one network: the FFN's two and its links', as far as they exist.
fn lines(bundle: &Bundle, exchange: &Exchange) -> impl Iterator<Item = LatencyLine> + Clone {
    let Latencies { ffn, weights, .. } = bundle.latencies;
    [ffn, weights, exchange.ffn]
        .into_iter()
        .filter(|line| *line != LatencyLine::ZERO)
}

/// (t − β)/(α B): the ratio at which a line over rB takes time t.
fn reaches(line: &LatencyLine, slots: f64, time: Seconds) -> f64 {
    (time - line.intercept) / (line.slope * slots)
}

/// √(w_F β/(w_A α B)): the ratio of peak throughput if this line is the only bottleneck; for equal weights [R] eq
/// 18.
fn peak(bundle: &Bundle, line: &LatencyLine) -> f64 {
    let (w_a, w_f) = bundle.weights();
    (w_f * (line.intercept / (line.slope * bundle.slots)) / w_a).sqrt()
}

/// Ratio at which two lines over rB cross.
fn crossing(slots: f64, one: &LatencyLine, other: &LatencyLine) -> f64 {
    (other.intercept - one.intercept) / ((one.slope - other.slope) * slots)
}

/// Min rows of an FFN that are considered.
fn fewest_rows(bundle: &Bundle) -> f64 {
    bundle.slots / 16_384.0
}

/// The ratio at which the FFN takes `time`; negative where it takes longer at every ratio.
fn balance(bundle: &Bundle, time: Seconds) -> f64 {
    let Latencies { ffn, weights, .. } = &bundle.latencies;
    if bundle.own_ffn {
        let fewest = fewest_rows(bundle);
        let least = bundle.ffn_at(fewest);
        return if time < least {
            (time - least) / (ffn.slope * bundle.slots)
        } else {
            rows_that_take(time, fewest, |rows| bundle.ffn_at(rows)) / bundle.slots
        };
    }
    let first = reaches(ffn, bundle.slots, time);
    if weights.slope > Seconds::ZERO {
        first.min(reaches(weights, bundle.slots, time))
    } else {
        first
    }
}

/// The ratio of peak throughput if the FFN is the only bottleneck.
fn peak_of_ffn(bundle: &Bundle) -> f64 {
    let Latencies { ffn, weights, .. } = &bundle.latencies;
    let (w_a, w_f) = bundle.weights();
    let rate = |ratio: f64| {
        let rows = ratio * bundle.slots;
        rows / ((ratio * w_a + w_f) * bundle.ffn_at(rows).get())
    };
    if bundle.own_ffn {
        return greatest(
            rate,
            fewest_rows(bundle) / bundle.slots,
            MOST_ROWS / bundle.slots,
        );
    }
    let mut best = peak(bundle, ffn);
    for other in [peak(bundle, weights), crossing(bundle.slots, ffn, weights)] {
        let better = rate(other) > rate(best) || best <= 0.0;
        if *weights != LatencyLine::ZERO && other.is_finite() && other > 0.0 && better {
            best = other;
        }
    }
    best
}

/// Rows beyond which every FFN is compute-bound.
const MOST_ROWS: f64 = 16_777_216.0;

/// The ratio that maximizes `rate` of a point, by a search over r.
///
/// Each network is searched separately, as the rate jumps where a unit outgrows its scale-up domain.
fn most(bundle: &Bundle, load: f64, rate: impl Fn(&RatioPoint) -> f64) -> RatioPoint {
    let attention = bundle.attention_at(load);
    let Latencies { near, far, .. } = &bundle.latencies;
    let fewest = fewest_rows(bundle);
    let edge = bundle.ratio_within_domain(bundle.ffn_instances);
    let there = |ratio| at(bundle, attention, ratio);
    let mut best = there(1.0 / f64::from(bundle.ffn_instances));
    let mut consider = |ratio: f64| {
        if ratio.is_finite() && ratio > 0.0 {
            let other = there(ratio);
            if rate(&other) > rate(&best) {
                best = other;
            }
        }
    };
    let first = fewest / bundle.slots;
    let stretches = [
        (near, first, edge),
        (far, first.max(edge.next_up()), f64::INFINITY),
    ];
    for (exchange, low, high) in stretches {
        if high < low {
            continue;
        }
        let pace = attention.max(exchange.attention.at(bundle.slots));
        let balanced = rows_that_take(pace, fewest, |rows| bundle.ffn_at(rows)) / bundle.slots;
        let links = reaches(&exchange.ffn, bundle.slots, pace);
        let far_enough = MOST_ROWS.max(4.0 * balanced.min(1e30) * bundle.slots) / bundle.slots;
        let high = high.min(far_enough.max(2.0 * low));
        for ratio in [low, high, balanced, links] {
            consider(ratio.clamp(low, high));
        }
        consider(greatest(|ratio| rate(&there(ratio)), low, high));
    }
    best
}

fn best(bundle: &Bundle, load: f64) -> RatioPoint {
    if bundle.own_ffn {
        return most(bundle, load, |point| point.per_weight);
    }
    let edge = bundle.ratio_within_domain(bundle.ffn_instances);
    // Where no curve bounds the unit, one attention rank.
    let mut best = point(bundle, load, 1.0 / f64::from(bundle.ffn_instances));
    let mut consider = |ratio: f64| {
        // Rounding past the edge of a domain would use the slower network.
        for ratio in [ratio, ratio.min(edge)] {
            if ratio.is_finite() && ratio > 0.0 {
                let other = point(bundle, load, ratio);
                if other.per_weight > best.per_weight {
                    best = other;
                }
            }
        }
    };
    consider(edge);
    let attention = bundle.attention_at(load);
    for exchange in [&bundle.latencies.near, &bundle.latencies.far] {
        let pace = attention.max(exchange.attention.at(bundle.slots));
        let lines = lines(bundle, exchange);
        for line in lines.clone() {
            consider(reaches(&line, bundle.slots, pace));
            consider(peak(bundle, &line));
            for other in lines.clone() {
                consider(crossing(bundle.slots, &line, &other));
            }
        }
    }
    best
}

fn point(bundle: &Bundle, load: f64, ratio: f64) -> RatioPoint {
    at(bundle, bundle.attention_at(load), ratio)
}

/// The unit at one ratio, with the attention time given.
fn at(bundle: &Bundle, attention: Seconds, ratio: f64) -> RatioPoint {
    let rows = ratio * bundle.slots;
    let exchange = bundle.exchange(ratio, bundle.ffn_instances);
    let own = exchange.attention.at(bundle.slots);
    let links = exchange.ffn.at(rows);
    let ffn = bundle.ffn_at(rows);
    let messages = own.max(links);
    let cycle = attention.max(messages).max(ffn);
    let regime = if attention >= messages && attention >= ffn {
        Regime::Attention
    } else if ffn >= messages {
        Regime::FeedForward
    } else if own >= links {
        Regime::Communication
    } else {
        Regime::FeedForwardLinks
    };
    let (w_a, w_f) = bundle.weights();
    let tpot = (cycle * super::bundle::IN_FLIGHT).max(attention + messages + ffn);
    let rate = rows / cycle.get();
    let in_flight = super::bundle::IN_FLIGHT * rows / tpot.get();
    // Clamped: rounding must not make idle time negative.
    let idle = |work: Seconds| (1.0 - work / cycle).max(0.0);
    RatioPoint {
        ratio,
        attention,
        messages,
        ffn,
        regime,
        cycle,
        tpot,
        per_instance: rate / (ratio + 1.0),
        per_weight: rate / (ratio * w_a + w_f),
        per_instance_in_flight: in_flight / (ratio + 1.0),
        per_weight_in_flight: in_flight / (ratio * w_a + w_f),
        idle_attention: idle(attention),
        idle_ffn: idle(ffn),
    }
}
