//! Effects of inputs on a number: ±1% of each stated input, everything else as it is.

use crate::inputs::{Inputs, Number};
use crate::number::Notation;

/// Relative change of an input.
pub const STEP: f64 = 0.01;

/// Effects below this are rounding.
const ROUNDING: f64 = 1e-12;

/// Numbers that replace several others where they are stated, and count only then.
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

/// Effect of one input on a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Move {
    /// The input.
    pub number: Number,
    /// Its value now, in the notation of its key.
    pub now: f64,
    /// Relative change of the number for 1% less and for 1% more; `None` for a value out of range and for an invalid
    /// plan.
    pub change: [Option<f64>; 2],
}

impl Move {
    /// Size of the larger effect.
    pub fn size(&self) -> f64 {
        let sizes = self.change.iter().flatten();
        sizes.map(|change| change.abs()).fold(0.0, f64::max)
    }
}

/// Effects of all inputs that are in force on a number, the largest first. `of` gives the number, `None` if it does not
/// exist. Factors of the plan are left out: they have no ±1%, and neither has a count below 100.
pub fn moves(inputs: &Inputs, of: impl Fn(&Inputs) -> Option<f64>) -> Vec<Move> {
    let inputs = inputs.settled();
    let Some(now) = of(&inputs) else {
        return Vec::new();
    };
    let planned = inputs.scenario().ok().map(|scenario| *scenario.plan.spec());
    // Everything else as it is: the plan and the schedule are stated, so that no default follows the input.
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
