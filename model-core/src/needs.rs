//! What it would take: the least of each thing that reaches a target, all else as it is.
//!
//! A target is a number that the scenario has to reach: tokens per second of a user, dollars per million
//! tokens, tokens per second in all, or that it fits the memory. For each [`Lever`] the least value that
//! does is found by evaluating: bisection where the laws say that more never hurts, search over every
//! whole number where they do not. There is no formula here.
//!
//! What is found fits the memory, has a sequence for every micro-batch where it changes their number, and
//! keeps the SLO that the scenario meets already. Whether the memory is enough is judged by itself.

mod fields;
mod solve;

pub use fields::{NeedFields, NeedsFields, fields};

use crate::evaluate::Evaluation;
use crate::limits::growth::inputs_on;
use crate::precision::NamedPrecision;
use crate::scenario::restate::restate;
use crate::scenario::{Inputs, Number, Scenario};
use solve::Problem;
pub(crate) use solve::fewest;

/// What has to be reached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Target {
    /// Everything has room.
    Fits,
    /// At least so many tokens per second for a user: the SLO.
    Speed(f64),
    /// At most so many US dollars per million tokens.
    Cost(f64),
    /// At least so many tokens per second in all.
    Throughput(f64),
}

impl Target {
    /// What the inputs state, the memory first.
    pub fn stated(inputs: &Inputs) -> Vec<Self> {
        let stated = [
            inputs.get(Number::Slo).map(Self::Speed),
            inputs.get(Number::TargetCost).map(Self::Cost),
            inputs.get(Number::TargetThroughput).map(Self::Throughput),
        ];
        let numbers = stated.into_iter().flatten();
        [Self::Fits].into_iter().chain(numbers).collect()
    }

    /// The number it is about; `None` for the memory, and for a cost without a price.
    pub fn of(&self, evaluation: &Evaluation) -> Option<f64> {
        match self {
            Self::Fits => None,
            Self::Speed(_) => Some(evaluation.tokens_per_user),
            Self::Cost(_) => evaluation.dollars_per_mtok,
            Self::Throughput(_) => Some(evaluation.tokens),
        }
    }

    /// Whether an evaluation reaches it.
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

/// Something that can be changed by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lever {
    /// Bandwidth between domains.
    ScaleOut,
    /// Bandwidth inside a domain.
    ScaleUp,
    /// HBM bandwidth.
    Hbm,
    /// HBM capacity.
    Capacity,
    /// Peak arithmetic, every format by the same factor.
    Compute,
    /// GPUs; the sharding follows where it must.
    Gpus,
    /// Sequences in all.
    Batch,
    /// Tokens of context.
    Context,
    /// Expert balancedness.
    Balance,
    /// Named precision, weights and arithmetic together.
    Precision,
}

impl Lever {
    /// All of them, what is bought first.
    pub const ALL: [Self; 10] = [
        Self::ScaleOut,
        Self::ScaleUp,
        Self::Hbm,
        Self::Capacity,
        Self::Compute,
        Self::Gpus,
        Self::Batch,
        Self::Context,
        Self::Balance,
        Self::Precision,
    ];

    /// The numeric key; the format of the feed-forward stands for all peaks. `None` for the precision.
    pub fn number(self, scenario: &Scenario) -> Option<Number> {
        use crate::precision::Format;
        Some(match self {
            Self::ScaleOut => Number::ScaleOut,
            Self::ScaleUp => Number::ScaleUp,
            Self::Hbm => Number::Hbm,
            Self::Capacity => Number::Capacity,
            Self::Compute => match scenario.precision.ffn_format {
                Format::Bf16 => Number::PeakBf16,
                Format::Fp8 => Number::PeakFp8,
                Format::Fp4 => Number::PeakFp4,
            },
            Self::Gpus => Number::Gpus,
            Self::Batch => Number::Batch,
            Self::Context => Number::Context,
            Self::Balance => Number::Beta,
            Self::Precision => return None,
        })
    }

    /// Whether the largest value that still reaches the target is asked for, and not the least.
    pub const fn wants_most(self, target: &Target) -> bool {
        match self {
            Self::Context => true,
            Self::Batch => matches!(target, Target::Fits | Target::Speed(_)),
            _ => false,
        }
    }

    /// Whether memory depends on it.
    const fn takes_memory(self) -> bool {
        !matches!(
            self,
            Self::ScaleOut | Self::ScaleUp | Self::Hbm | Self::Compute
        )
    }
}

/// Why nothing of one thing reaches the target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Why {
    /// Not even the most (or the least) that there can be; what the target's number then comes to at best.
    Beyond(f64),
    /// What would reach it does not fit the memory, and this does not change that.
    Memory,
    /// What would reach it misses the SLO.
    Slo,
    /// There is none of it here: no experts to balance, no other precision that the accelerator has.
    Absent,
    /// No price is known.
    NoPrice,
}

/// The least that reaches a target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Least {
    /// Every value does: it does not matter.
    Any,
    /// This one, in the unit of its key, and none below it; with [`Lever::wants_most`] none above it.
    /// Real numbers have four digits, rounded to the side that reaches.
    Number(f64),
    /// The widest named precision.
    Precision(NamedPrecision),
    /// None.
    None(Why),
}

/// What one thing would have to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Need {
    /// The thing.
    pub lever: Lever,
    /// Its value now, in the unit of its key; `None` for the precision.
    pub now: Option<f64>,
    /// What it would have to be.
    pub answer: Least,
}

/// What it would take to reach one target.
#[derive(Debug, Clone, PartialEq)]
pub struct Needs {
    /// The target.
    pub target: Target,
    /// The number it is about, as it is.
    pub now: Option<f64>,
    /// Whether it is reached.
    pub met: bool,
    /// For each lever in order.
    pub by: Vec<Need>,
}

/// What it would take to reach `target`, for each of `levers`; `None` where the inputs are refused.
pub fn needs(inputs: &Inputs, target: Target, levers: &[Lever]) -> Option<Needs> {
    let problem = Problem::new(inputs, target)?;
    let by = levers
        .iter()
        .map(|&lever| Need {
            lever,
            now: problem.now(lever),
            answer: problem.answer(lever),
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
    /// The inputs that make it so; `None` where nothing does or nothing has to.
    pub fn inputs(&self, inputs: &Inputs) -> Option<Inputs> {
        let value = match self.answer {
            Least::Number(value) => value,
            Least::Precision(precision) => {
                return Some(inputs.with_precision(precision).normalized());
            }
            Least::Any | Least::None(_) => return None,
        };
        let scenario = inputs.scenario().ok()?;
        match self.lever {
            Lever::Gpus => inputs_on(inputs, value as u32).ok(),
            Lever::Hbm | Lever::Capacity | Lever::Compute => {
                restate(inputs, &solve::with(&scenario, self.lever, value)?)
            }
            lever => {
                let number = lever.number(&scenario)?;
                Some(inputs.with(number, value).normalized())
            }
        }
    }
}
