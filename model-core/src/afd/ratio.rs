//! The best A:F ratio of an xAyF unit, in closed form.

use super::bundle::Bundle;
use super::derive::rows_that_take;
use super::latency::{Exchange, Latencies, LatencyLine};
use super::optimum::greatest;
use crate::units::Seconds;

/// The resource that limits the throughput of an xAyF unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Regime {
    /// Regime I of [R]: attention is the bottleneck.
    Attention,
    /// Regime II of [R]: communication of an attention rank is the bottleneck.
    Communication,
    /// Regime III of [R]: the FFN is the bottleneck, and attention waits for it.
    FeedForward,
    /// The links of the FFN rank are the bottleneck; [R] does not model them.
    FeedForwardLinks,
}

impl Regime {
    /// Returns the identifier used in JSON results.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Attention => "attention",
            Self::Communication => "communication",
            Self::FeedForward => "ffn",
            Self::FeedForwardLinks => "ffn_links",
        }
    }
}

/// Times and rates of an xAyF unit at one A:F ratio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatioPoint {
    /// A:F ratio r = x/y.
    pub ratio: f64,
    /// Mean attention time of a step, t̄_A.
    pub attention: Seconds,
    /// Communication round trip of a step: the longer of the times at the attention end and at the FFN end.
    pub messages: Seconds,
    /// FFN time of a step, t_F(rB).
    pub ffn: Seconds,
    /// Bottleneck of the xAyF unit at this A:F ratio.
    pub regime: Regime,
    /// Cycle time, in which each sequence of one micro-batch gains a token: τ = max(t̄_A, t_C, t_F).
    pub cycle: Seconds,
    /// TPOT with two micro-batches in flight: 2τ, or one micro-batch's round t̄_A + t_C + t_F if that is longer.
    pub tpot: Seconds,
    /// Tokens per second ÷ ranks: rB/((r + 1) τ). Source: [R] eqs 5–6, which assume that communication and waiting
    /// always overlap. [`Self::per_instance_in_flight`] models two micro-batches instead.
    pub per_instance: f64,
    /// Tokens per second ÷ weight, where the weight is the unit's GPUs, or its ranks if the GPUs are unknown. The
    /// best A:F ratio maximizes this rate.
    pub per_weight: f64,
    /// Tokens per second ÷ ranks with two micro-batches in flight: 2rB/((r + 1) TPOT). It is less than [R] eq 6 if
    /// one micro-batch's round takes longer than 2τ.
    pub per_instance_in_flight: f64,
    /// Tokens per second ÷ weight (the unit's GPUs, or its ranks if the GPUs are unknown), with two micro-batches in
    /// flight. Comparisons of AFD with colocated plans use it.
    pub per_weight_in_flight: f64,
    /// Share of time in which attention ranks are idle, 1 − t̄_A/τ.
    pub idle_attention: f64,
    /// Share of time in which the FFN rank is idle, 1 − t_F/τ.
    pub idle_ffn: f64,
}

/// Result of the closed-form AFD model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClosedForm {
    /// Mean tokens in an attention rank's KV caches over the horizon, T̄(B; N). Source: [R] eq 13.
    pub token_load: f64,
    /// Mean tokens in an attention rank's KV caches in steady state. Source: [R] eq 14.
    pub token_load_limit: f64,
    /// A:F ratio at which FFN and attention take the same time, r_A. Source: [R] eq 15.
    pub r_attention: f64,
    /// A:F ratio at which FFN and communication take the same time, r_C. Source: [R] eq 16.
    pub r_communication: f64,
    /// A:F ratio at which the FFN rank's links take as long as attention or communication, whichever is longer. `None`
    /// if the user entered the communication latency, because an entered latency does not model these links.
    pub r_links: Option<f64>,
    /// A:F ratio r_peak at which throughput peaks if the FFN is the bottleneck. Source: [R] eq 18.
    pub r_peak: f64,
    /// The best A:F ratio over the horizon. Source: [R] eq 19.
    pub best: RatioPoint,
    /// The best A:F ratio in the long run.
    pub limit: RatioPoint,
    /// The best A:F ratio over the horizon with two micro-batches in flight, which [R] does not derive.
    pub best_in_flight: RatioPoint,
}

impl Bundle {
    /// Returns the mean number of tokens in an attention rank's KV caches over the horizon of N requests.
    pub fn token_load(&self) -> f64 {
        let requests = f64::from(self.requests);
        self.slots * self.lengths.context_over(requests, self.slots)
    }

    /// Returns the mean number of tokens in an attention rank's KV caches in steady state.
    pub fn token_load_limit(&self) -> f64 {
        self.slots * self.lengths.context()
    }

    /// Evaluates the xAyF unit at A:F ratio `ratio`, averaged over the horizon.
    pub fn at(&self, ratio: f64) -> RatioPoint {
        point(self, self.token_load(), ratio)
    }

    /// Evaluates the xAyF unit at A:F ratio `ratio`, given the attention time averaged over the horizon.
    pub(super) fn at_known(&self, attention: Seconds, ratio: f64) -> RatioPoint {
        at(self, attention, ratio)
    }

    /// Finds the best A:F ratios over the horizon and in the long run, and the bottleneck at each.
    ///
    /// For the latencies of [R], r* = max(r_A, r_C, r_peak). In general, throughput is the minimum of a few curves in
    /// r. Its maximum is where two curves cross, where one curve peaks, or where a unit just fits in its scale-up
    /// domain. The best of those ratios is therefore the optimum. If FFN time comes from the operators, the optimum
    /// is searched for numerically over r.
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

    /// Finds the best A:F ratio over the horizon with two micro-batches in flight.
    pub fn best_in_flight(&self) -> RatioPoint {
        most(self, self.token_load(), |point| point.per_weight_in_flight)
    }

    /// Evaluates the xAyF unit at the user's A:F ratio if set, otherwise at the best ratio.
    pub fn asked(&self) -> RatioPoint {
        match self.ratio {
            Some(ratio) => self.at(ratio),
            None => best(self, self.token_load()),
        }
    }
}

/// Returns the nonzero latency lines over the rB rows (sequences) of an FFN rank, for one network. They are the two
/// FFN lines and the line of the FFN rank's links.
fn lines(bundle: &Bundle, exchange: &Exchange) -> impl Iterator<Item = LatencyLine> + Clone {
    let Latencies { ffn, weights, .. } = bundle.latencies;
    [ffn, weights, exchange.ffn]
        .into_iter()
        .filter(|line| *line != LatencyLine::ZERO)
}

/// Returns (t − β)/(α B): the A:F ratio at which a latency line with slope α and intercept β reaches time t. The
/// line's load is rB sequences.
fn reaches(line: &LatencyLine, slots: f64, time: Seconds) -> f64 {
    (time - line.intercept) / (line.slope * slots)
}

/// Returns √(w_F β/(w_A α B)): the A:F ratio at peak throughput if this latency line is the only bottleneck. w_F and
/// w_A are the GPUs per FFN rank and per attention rank. For w_F = w_A, this is [R] eq 18.
fn peak(bundle: &Bundle, line: &LatencyLine) -> f64 {
    let (w_a, w_f) = bundle.weights();
    (w_f * (line.intercept / (line.slope * bundle.slots)) / w_a).sqrt()
}

/// Returns the A:F ratio at which two latency lines over rB sequences cross.
fn crossing(slots: f64, one: &LatencyLine, other: &LatencyLine) -> f64 {
    (other.intercept - one.intercept) / ((one.slope - other.slope) * slots)
}

/// Returns the minimum number of FFN rows that the search considers.
fn fewest_rows(bundle: &Bundle) -> f64 {
    bundle.slots / 16_384.0
}

/// Returns the A:F ratio at which the FFN takes `time`; negative if the FFN takes longer at every ratio.
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

/// Returns the A:F ratio at peak throughput if the FFN is the only bottleneck. FFN times come from the operators, or
/// from the latency lines if the user entered them.
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

/// Number of FFN rows above which every model's FFN is compute-bound.
const MOST_ROWS: f64 = 16_777_216.0;

/// Searches for the A:F ratio r that maximizes `rate`.
///
/// Scale-up and scale-out are searched separately, because the rate jumps where a unit outgrows its scale-up domain.
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
    // If no curve bounds the unit, use one attention rank.
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
