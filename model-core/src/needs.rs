//! The smallest change of each number that reaches a target with the same plan and batch.
//!
//! A target is a bound on tok/s/user, dollars per million tokens or tokens per second, or fitting the
//! memory. For each number of [`asked`] the least value that reaches it is found by evaluating: bisection where more
//! never hurts, else search over every whole number.
//!
//! A value that is found fits the memory, has a sequence for every micro-batch where it changes their number, and
//! meets the SLO if the scenario meets it already. Memory capacity is tested on its own.

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
    /// Fits the memory.
    Fits,
    /// Min tok/s/user: the SLO.
    Speed(f64),
    /// Max US dollars per million tokens.
    Cost(f64),
    /// Min tokens per second, total.
    Throughput(f64),
}

impl Target {
    /// Targets that the inputs state, memory first.
    pub fn stated(inputs: &Inputs) -> Vec<Self> {
        let stated = [
            inputs.get(Number::Slo).map(Self::Speed),
            inputs.get(Number::TargetCost).map(Self::Cost),
            inputs.get(Number::TargetThroughput).map(Self::Throughput),
        ];
        let numbers = stated.into_iter().flatten();
        [Self::Fits].into_iter().chain(numbers).collect()
    }

    /// The target's quantity in an evaluation; `None` for memory, and for a cost without a price.
    pub fn of(&self, evaluation: &Evaluation) -> Option<f64> {
        match self {
            Self::Fits => None,
            Self::Speed(_) => Some(evaluation.tokens_per_user),
            Self::Cost(_) => evaluation.dollars_per_mtok,
            Self::Throughput(_) => Some(evaluation.tokens),
        }
    }

    /// True if the maximum of `number` is sought, not the minimum.
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

/// The numbers to solve for, hardware first; `None` is the named precision. The peak of the FFN's format
/// represents the peaks of all formats, which scale alike.
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

/// The reason why no value reaches the target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Why {
    /// Every value falls short; the target's quantity at best, now included.
    Beyond(f64),
    /// Values that reach the target do not fit the memory, which this number does not change.
    Memory,
    /// Values that reach the target miss the SLO.
    Slo,
    /// The number does not exist here: no experts to balance, no other precision that the accelerator supports.
    Absent,
    /// No price is known.
    NoPrice,
}

/// The least value that reaches a target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Least {
    /// Every value does.
    Any,
    /// In the unit of its key: none below it reaches the target; with [`Target::wants_most`] none above it. Real
    /// numbers have four digits, rounded to the side that reaches.
    Number(f64),
    /// The widest named precision.
    Precision(NamedPrecision),
    /// No value does.
    None(Why),
}

/// The least value of one number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Need {
    /// The number; `None` for the precision.
    pub number: Option<Number>,
    /// Its value now, in the unit of its key; `None` for the precision.
    pub now: Option<f64>,
    /// Min value that reaches the target.
    pub answer: Least,
}

/// Min values of all numbers for one target.
#[derive(Debug, Clone, PartialEq)]
pub struct Needs {
    /// The target.
    pub target: Target,
    /// The target's quantity now.
    pub now: Option<f64>,
    /// True if the scenario reaches the target already.
    pub met: bool,
    /// One entry per number, in order.
    pub by: Vec<Need>,
}

/// Solves for `target` by each of `numbers`; `None` if the inputs are refused.
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
    /// Inputs with the minimum value; `None` if no value or every value reaches the target.
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

/// The smallest GPU count on which the inputs are feasible: the batch fits and meets the SLO, with the given plan where
/// it can be. `None` if no whole number of domains, power of two or half between does.
pub fn fewest_gpus(inputs: &Inputs) -> Option<u32> {
    let enough = enough_gpus(inputs)?;
    let own = inputs.get(Number::Gpus).map(|gpus| gpus as u32);
    fewest(inputs, own, enough, |scenario, fits| {
        fits && evaluate(&scenario).is_ok_and(|found| is_feasible(&scenario, &found))
    })
}

/// The fewest feasible GPUs among the numbers that people buy: an upper end of the search.
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
