//! Linear AFD latencies derived from the operators of a scenario.

use super::latency::{Halves, Latencies, LatencyLine, LoadSpan};
use crate::apart::LatencySource;
use crate::inputs::{Inputs, Number};
use crate::units::Seconds;

/// Latency lines derived from the scenario's operators, and the loads at which the operators were evaluated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Derived {
    /// The derived latency lines.
    pub latencies: Latencies,
    /// The two token loads T (cached tokens of an attention rank) through which the attention line is drawn.
    pub tokens: LoadSpan,
    /// The two row counts rB (sequences of an FFN rank) through which the FFN line is drawn.
    pub rows: LoadSpan,
    /// The two row counts (sequences of an FFN rank) through which the FFN line for small loads is drawn.
    pub few_rows: LoadSpan,
}

/// Derives linear AFD latencies of a scenario by evaluating the operators at two loads per line.
///
/// Attention is evaluated at `tokens`, the mean load over the horizon, and at half of that. The FFN has two chords: one
/// near the row count at which FFN and attention times are equal, and one at few rows.
/// [`Bundle`](super::bundle::Bundle) moves both chords to the A:F ratio shown. As rows grow, FFN time is concave while
/// more experts are activated, then flat while expert reads dominate, and then linear. No line is accurate everywhere,
/// so times at a ratio come from the operators, and the lines only explain them.
///
/// α_A is the time to read (and score) one token's cache. β_A is the time of projections and head. α_F is the FFN
/// time per row on the chord, and β_F the chord's intercept. All include the calibration and are divided by the
/// tokens that a step yields.
///
/// Source: [R] 3.2 and Appendix B (eqs 24–38 are the asymptotes).
///
/// If `own` is true, FFN times come from the operators, so the row count of equal FFN and attention times is not
/// searched for.
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

/// Returns the pairs of loads for the FFN's two chords: one pair close to `rows`, one at fewer rows.
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

/// Returns the smallest number of rows, at least `first`, for which FFN time reaches `goal`.
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

/// The six inputs that define linear AFD latencies: a slope and an intercept each for attention, FFN and
/// communication.
const ENTERED: [Number; 6] = [
    Number::AttentionSlopeMicros,
    Number::AttentionInterceptMicros,
    Number::FfnSlopeMicros,
    Number::FfnInterceptMicros,
    Number::MessageSlopeMicros,
    Number::MessageInterceptMicros,
];

/// True if no AFD latency comes from the scenario's operators: a published table gives all of them, or the user set
/// all six coefficients.
pub fn entered_whole(inputs: &Inputs) -> bool {
    inputs.latencies == LatencySource::Table2
        || ENTERED
            .iter()
            .all(|number| inputs.stated(*number).is_some())
}
