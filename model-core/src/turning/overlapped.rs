//! Finds the interconnect bandwidth above which communication is fully overlapped.

use super::contest::bandwidth;
use super::search::{Range, turning};
use crate::evaluate::evaluate;
use crate::inputs::{Inputs, Number};
use crate::needs::{four_digits, with};
use crate::plan::Overlap;
use crate::scenario::Scenario;

/// Factor from the current bandwidth to either end of the searched range. The upper end does not exceed the largest
/// allowed bandwidth.
const REACH: f64 = 1024.0;
/// Factor between consecutive bandwidths tried. The factor may be large, since more bandwidth never exposes
/// communication.
const RING: f64 = 2.0;
/// Relative precision with which the bandwidth is found.
const FINE: f64 = 2e-5;
/// Fraction of the step time up to which exposed communication is attributed to rounding.
const ROUNDING: f64 = 1e-9;

/// The interconnect bandwidth above which communication is fully overlapped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// The bandwidth that is varied: scale-out, or scale-up if all GPUs are in one domain.
    pub number: Number,
    /// The current interconnect bandwidth, in GB/s.
    pub now: f64,
    /// The lowest bandwidth in the searched range at which no communication is exposed, in GB/s; `None` if there is
    /// none.
    pub from: Option<f64>,
}

/// Returns the lowest interconnect bandwidth at which no communication is exposed. `None` for a plan without overlap
/// or without communication.
pub fn overlapped_from(inputs: &Inputs) -> Option<Link> {
    let scenario = inputs.scenario().ok()?;
    let breakdown = evaluate(&scenario).ok()?.breakdown;
    let overlaps = scenario.plan.spec().overlap != Overlap::Sequential;
    if !overlaps || breakdown.messages.get() <= 0.0 {
        return None;
    }
    let number = bandwidth(inputs);
    let now = inputs.get(number)?;
    let spec = number.spec();
    let range = Range {
        now,
        least: now / REACH,
        most: (now * REACH).min(spec.most),
        whole: false,
        ring: RING,
        fine: FINE,
    };
    let covered = |value: f64| is_covered(&with(&scenario, number, value)?);
    let from = match (covered(now), turning(&range, covered)) {
        (Some(true), Some(turn)) => Some(four_digits(turn.before, true)),
        (Some(true), None) => Some(range.least),
        (_, turn) => turn.map(|turn| turn.at),
    };
    Some(Link { number, now, from })
}

/// Returns true if all communication of the scenario is overlapped; `None` if the scenario cannot be evaluated.
fn is_covered(scenario: &Scenario) -> Option<bool> {
    let breakdown = evaluate(scenario).ok()?.breakdown;
    let exposed = breakdown.messages - breakdown.hidden;
    Some(exposed.get() <= ROUNDING * breakdown.step().get())
}
