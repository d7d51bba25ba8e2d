//! Sensitivity of a result to its inputs: each input changes by ±1% while everything else stays the same.

use crate::inputs::{Inputs, Number};
use crate::number::Notation;

/// Relative change applied to each input in turn (1%).
pub const STEP: f64 = 0.01;

/// Relative effects smaller than this are treated as rounding errors.
const ROUNDING: f64 = 1e-12;

/// Inputs that override several other values. They are varied only if the user set them.
const OVERRIDES: [Number; 12] = [
    Number::MemoryFactor,
    Number::AttentionFactor,
    Number::FfnFactor,
    Number::NetworkFactor,
    Number::LatencyMicros,
    Number::OverheadMicros,
    Number::LayerMicros,
    Number::HostMicros,
    Number::EngineGib,
    Number::WeightsGib,
    Number::MeanPrompt,
    Number::MeanOutput,
];

/// Effect of changing one input on a result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Move {
    /// The input that is changed.
    pub number: Number,
    /// The input's current value, in the units of its permalink key.
    pub now: f64,
    /// Relative changes of the result: first with the input 1% lower, then with the input 1% higher. A change is
    /// `None` if the changed input rounds to its current value, is out of range, or makes the plan invalid.
    pub change: [Option<f64>; 2],
}

impl Move {
    /// Returns the larger of the two effects, as an absolute value.
    pub fn size(&self) -> f64 {
        let sizes = self.change.iter().flatten();
        sizes.map(|change| change.abs()).fold(0.0, f64::max)
    }
}

/// Returns the effect of each active input on a result, largest first. `of` computes the result; it returns `None` if
/// there is no such result. Parallelism factors are excluded because they cannot change by 1%. Small counts are
/// excluded because a 1% change is rounded away.
pub fn moves(inputs: &Inputs, of: impl Fn(&Inputs) -> Option<f64>) -> Vec<Move> {
    let inputs = inputs.settled();
    let Some(now) = of(&inputs) else {
        return Vec::new();
    };
    let planned = inputs.scenario().ok().map(|scenario| *scenario.plan.spec());
    // State the plan, batch and context so that no default changes with the varied input.
    let mut base = planned.map_or(inputs, |spec| inputs.planned(&spec));
    for number in [Number::Batch, Number::Context] {
        base.state(number, inputs.get(number));
    }
    let given = [Number::AcceptLength, Number::AcceptRate];
    let given = given.iter().any(|number| inputs.stated(*number).is_some());
    let counts = |number: &Number| match number {
        Number::Acceptance => !given,
        number => !OVERRIDES.contains(number) || inputs.stated(*number).is_some(),
    };
    let mut found: Vec<Move> = Number::ALL
        .into_iter()
        .filter(|number| !Number::SHARDING.contains(number))
        .filter(counts)
        .filter_map(|number| {
            let value = base.get(number)?;
            let other = |factor: f64| {
                let to = value * factor;
                let to = match number.spec().notation {
                    Notation::Count => to.round(),
                    _ => to,
                };
                if (to - value).abs() <= 0.0 || !number.allows(to) {
                    return None;
                }
                let found = of(&base.with(number, to))?;
                Some(found / now - 1.0)
            };
            let change = [other(1.0 - STEP), other(1.0 + STEP)];
            let own = Move {
                number,
                now: value,
                change,
            };
            (value > 0.0 && own.size() > ROUNDING).then_some(own)
        })
        .collect();
    found.sort_by(|one, other| other.size().total_cmp(&one.size()));
    found
}
