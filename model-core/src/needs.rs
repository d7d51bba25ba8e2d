//! Finds the smallest change of each number that reaches a target with the same plan and batch.
//!
//! A target is a limit on tok/s/user, on dollars per million tokens or on tokens per second, or the requirement to
//! fit in memory. For each number of [`asked`], the smallest value that reaches the target is found by evaluating. If
//! a larger value never hurts, bisection is used; otherwise, values are tried in ascending order.
//!
//! The value found fits in memory. For a cost or throughput target, it meets the SLO if the scenario already does. If
//! the value changes the number of micro-batches, each micro-batch has at least one sequence. Fitting in memory is
//! also a separate target.

mod fields;
mod solve;

pub use fields::{NeedFields, NeedsFields, fields};

use crate::evaluate::{Evaluation, evaluate};
use crate::inputs::restate::restate;
use crate::inputs::{Inputs, Number, NumberOf};
use crate::levers::is_feasible;
use crate::limits::growth::inputs_on;
use crate::order::sort_numbers;
use crate::precision::{Format, NamedPrecision};
use crate::scenario::Scenario;
use solve::NeedTarget;
pub(crate) use solve::{fewest, four_digits, with};

/// A target that a scenario has to reach.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Target {
    /// The scenario must fit in memory.
    Fits,
    /// Minimum tok/s/user, which is the SLO.
    Speed(f64),
    /// Maximum cost in US dollars per million tokens.
    Cost(f64),
    /// Minimum total throughput in tokens per second.
    Throughput(f64),
}

impl Target {
    /// Returns the targets that the inputs contain, starting with memory.
    pub fn stated(inputs: &Inputs) -> Vec<Self> {
        let stated = [
            inputs.get(Number::Slo).map(Self::Speed),
            inputs.get(Number::TargetCost).map(Self::Cost),
            inputs.get(Number::TargetThroughput).map(Self::Throughput),
        ];
        let numbers = stated.into_iter().flatten();
        [Self::Fits].into_iter().chain(numbers).collect()
    }

    /// Returns the evaluated quantity that the target limits. `None` for memory, and for a cost target if no price is
    /// known.
    pub fn of(&self, evaluation: &Evaluation) -> Option<f64> {
        match self {
            Self::Fits => None,
            Self::Speed(_) => Some(evaluation.tokens_per_user),
            Self::Cost(_) => evaluation.dollars_per_mtok,
            Self::Throughput(_) => Some(evaluation.tokens),
        }
    }

    /// Returns true if the search is for the largest value of `number` that reaches the target, not the smallest.
    pub const fn wants_most(&self, number: Option<Number>) -> bool {
        match number {
            Some(Number::Context) => true,
            Some(Number::Batch) => matches!(self, Self::Fits | Self::Speed(_)),
            _ => false,
        }
    }

    /// Tests whether an evaluation reaches the target.
    pub fn reached(&self, evaluation: &Evaluation) -> bool {
        match self {
            Self::Fits => evaluation.memory.fits(),
            Self::Speed(least) => evaluation.tokens_per_user >= *least,
            Self::Cost(most) => evaluation
                .dollars_per_mtok
                .is_some_and(|cost| cost <= *most),
            Self::Throughput(least) => evaluation.tokens >= *least,
        }
    }
}

/// Returns the numbers to solve for, hardware first; `None` represents the named precision. The peaks of all formats
/// scale alike, so the peak of the FFN's format represents all of them.
pub fn asked(scenario: &Scenario) -> [Option<Number>; 10] {
    let peak = match scenario.precision.ffn_format {
        Format::Bf16 => Number::PeakBf16,
        Format::Fp8 => Number::PeakFp8,
        Format::Fp4 => Number::PeakFp4,
    };
    [
        Some(Number::ScaleOut),
        Some(Number::ScaleUp),
        Some(Number::Hbm),
        Some(Number::Capacity),
        Some(peak),
        Some(Number::Gpus),
        Some(Number::Batch),
        Some(Number::Context),
        Some(Number::Beta),
        None,
    ]
}

/// Reason why no value reaches the target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Why {
    /// No value reaches the target. Holds the value of the target's quantity that is closest to the target, among all
    /// tried values of the number and the current one.
    Beyond(f64),
    /// Every value that reaches the target is out of memory.
    Memory,
    /// Values that reach the target miss the SLO.
    Slo,
    /// The number does not exist in this scenario. For example, there are no experts to balance, or the accelerator
    /// supports no other precision.
    Absent,
    /// The price is not known, so the cost cannot be computed.
    NoPrice,
}

/// Smallest value that reaches a target, or the largest with [`Target::wants_most`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Least {
    /// Every value reaches the target.
    Any,
    /// Value in the unit of its key: no smaller value reaches the target. With [`Target::wants_most`], no larger
    /// value does. Real numbers are rounded to four digits, so that the rounded value still reaches the target.
    Number(f64),
    /// The widest named precision that reaches the target.
    Precision(NamedPrecision),
    /// No value reaches the target; holds the reason.
    None(Why),
}

/// Value of one number that is needed to reach a target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Need {
    /// Numeric input that is varied; `None` for the named precision.
    pub number: Option<Number>,
    /// Current value of the number, in the unit of its key; `None` for the precision.
    pub now: Option<f64>,
    /// Smallest value that reaches the target, or the largest with [`Target::wants_most`].
    pub answer: Least,
}

/// Values of all numbers that are needed to reach one target.
#[derive(Debug, Clone, PartialEq)]
pub struct Needs {
    /// Target to reach.
    pub target: Target,
    /// Current value of the quantity that the target limits.
    pub now: Option<f64>,
    /// True if the scenario already reaches the target.
    pub met: bool,
    /// One entry per number, in the order requested.
    pub by: Vec<Need>,
}

/// Solves for `target` by varying each of `numbers` separately; `None` if the inputs are refused.
pub fn needs(inputs: &Inputs, target: Target, numbers: &[Option<Number>]) -> Option<Needs> {
    let problem = NeedTarget::new(inputs, target)?;
    let by = numbers
        .iter()
        .map(|&number| Need {
            number,
            now: number.and_then(|number| problem.now(number)),
            answer: problem.answer(number),
        })
        .collect();
    Some(Needs {
        target,
        now: target.of(&problem.evaluation),
        met: target.reached(&problem.evaluation),
        by,
    })
}

impl Need {
    /// Returns the inputs with the smallest value that reaches the target. `None` if no value does, or if every value
    /// does.
    pub fn inputs(&self, inputs: &Inputs) -> Option<Inputs> {
        let value = match self.answer {
            Least::Number(value) => value,
            Least::Precision(precision) => {
                return Some(inputs.with_precision(precision).normalized());
            }
            Least::Any | Least::None(_) => return None,
        };
        let number = self.number?;
        if number == Number::Gpus {
            return inputs_on(inputs, value as u32).ok();
        }
        if !number.describes(NumberOf::CustomGpu) {
            let with = match number {
                Number::Batch => inputs.at_batch(value),
                number => inputs.with(number, value),
            };
            return Some(with.normalized());
        }
        let scenario = inputs.scenario().ok()?;
        restate(inputs, &with(&scenario, number, value)?)
    }
}

/// Returns the smallest GPU count on which the inputs are feasible: the batch fits and meets the SLO. The given plan
/// is used if possible. `None` if no common size is feasible: one to eight domains, a power of two, or 1.5 times a
/// power of two.
pub fn fewest_gpus(inputs: &Inputs) -> Option<u32> {
    let enough = enough_gpus(inputs)?;
    let own = inputs.get(Number::Gpus).map(|gpus| gpus as u32);
    fewest(inputs, own, enough, |scenario, fits| {
        fits && evaluate(&scenario).is_ok_and(|found| is_feasible(&scenario, &found))
    })
}

/// Returns the smallest feasible GPU count among commonly bought sizes, as an upper limit for the search.
fn enough_gpus(inputs: &Inputs) -> Option<u32> {
    let most = Number::Gpus.spec().most;
    let domain = inputs.get(Number::Domain).unwrap_or(1.0);
    let powers = (0..=12).map(|power| f64::from(1_u32 << power));
    let domains = (1..=8).map(|count| f64::from(count) * domain);
    let mut counts: Vec<f64> = powers
        .flat_map(|power| [power, 1.5 * power])
        .chain(domains)
        .filter(|count| count.fract() == 0.0 && *count <= most)
        .collect();
    sort_numbers(&mut counts);
    let works = |gpus: &u32| {
        let scenario = inputs_on(inputs, *gpus).ok()?.scenario().ok()?;
        let evaluation = evaluate(&scenario).ok()?;
        Some(is_feasible(&scenario, &evaluation))
    };
    let mut counts = counts.into_iter().map(|count| count as u32);
    counts.find(|gpus| works(gpus) == Some(true))
}
