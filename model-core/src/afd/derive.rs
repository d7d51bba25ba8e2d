//! Linear latencies derived from the operators of a scenario.

use super::latency::{Halves, Latencies, LatencyLine, LoadSpan};
use crate::apart::LatencySource;
use crate::inputs::{Inputs, Number};
use crate::units::Seconds;

/// Latencies of the scenario's operators, and the loads they were evaluated at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Derived {
    /// The lines.
    pub latencies: Latencies,
    /// Range of tokens T over which attention's line is drawn.
    pub tokens: LoadSpan,
    /// Range of rows rB over which the FFN's line is drawn.
    pub rows: LoadSpan,
    /// Rows between which the FFN's line at small loads is drawn.
    pub few_rows: LoadSpan,
}

/// Linear latencies of a scenario, whose operators are evaluated at two loads each.
///
/// Attention: at half and at all of `tokens`, the load over the horizon. FFN: a chord where it takes as long
/// as attention, and one at few rows; [`Bundle`](super::bundle::Bundle) moves both to the ratio in question. A
/// roofline over rows is concave while more experts are activated, flat while reading them takes longest, then
/// linear: no line is right everywhere, so times at a ratio are the operators' and the lines explain them.
///
/// α_A is the time to read (and score) a token's cache, β_A that of projections and head; α_F is the time per row at
/// the chord, β_F its intercept. All include the calibration, and are per token that a step yields.
///
/// Source: [R] 3.2 and Appendix B (eqs 24–38 are the asymptotes).
///
/// `own`: FFN times are computed by operators, so no chord is searched.
pub fn derive(halves: &Halves, slots: f64, tokens: f64, own: bool) -> Option<Derived> {
    let tokens = tokens.max(1.0);
    let zero = Seconds::ZERO;
    let attention_at = |tokens: f64| halves.attention_time(slots, tokens).unwrap_or(zero);
    let ffn_at = |rows: f64| halves.ffn_time(rows).unwrap_or(zero);
    halves.attention_time(slots, tokens)?;
    halves.ffn_time(slots)?;
    let span = LoadSpan {
        low: tokens / 2.0,
        high: tokens,
    };
    let attention = LatencyLine::through(span, attention_at);
    let balanced = || {
        let goal = attention_at(tokens).max(ffn_at(slots) * 2.0);
        rows_that_take(goal, slots, ffn_at)
    };
    let (rows, few_rows) = around(if own { slots } else { balanced() }, slots);
    Some(Derived {
        latencies: Latencies {
            attention,
            ffn: LatencyLine::through(rows, ffn_at),
            weights: LatencyLine::through(few_rows, ffn_at),
            near: halves.exchange(true),
            far: halves.exchange(false),
            domain: Some(halves.ffn.cluster.domain),
        },
        tokens: span,
        rows,
        few_rows,
    })
}

/// Loads of the FFN's two chords around `rows`.
pub(super) fn around(rows: f64, slots: f64) -> (LoadSpan, LoadSpan) {
    let near = LoadSpan {
        low: 0.9 * rows,
        high: 1.1 * rows,
    };
    let few = LoadSpan {
        low: slots.min(near.low / 2.0),
        high: near.low.max(2.0 * slots.min(near.low / 2.0)),
    };
    (near, few)
}

/// The least rows, from `first` on, for which the FFN takes `goal`.
pub(super) fn rows_that_take(goal: Seconds, first: f64, time: impl Fn(f64) -> Seconds) -> f64 {
    let (mut low, mut high) = (first, first);
    for _ in 0..100 {
        if time(high) >= goal {
            break;
        }
        low = high;
        high *= 2.0;
    }
    while high > low {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if time(middle) >= goal {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

/// The six numbers of linear latencies.
const ENTERED: [Number; 6] = [
    Number::AttentionSlopeMicros,
    Number::AttentionInterceptMicros,
    Number::FfnSlopeMicros,
    Number::FfnInterceptMicros,
    Number::MessageSlopeMicros,
    Number::MessageInterceptMicros,
];

/// True if no latency comes from the scenario's operators: a table gives them, or all six are stated.
pub fn entered_whole(inputs: &Inputs) -> bool {
    inputs.latencies == LatencySource::Table2
        || ENTERED
            .iter()
            .all(|number| inputs.stated(*number).is_some())
}
