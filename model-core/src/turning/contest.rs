//! Alternatives, which of them is better, and the inputs over which that may turn.

use super::search::{Range, Turn, TurnSearch};
use crate::afd::decision::Decision;
use crate::evaluate::{Evaluation, evaluate};
use crate::inputs::{Inputs, Number};
use crate::lamina::alternative::compared;
use crate::levers::is_feasible;
use crate::service::{Demand, Planner};
use crate::workload::Pools;

/// Two alternatives.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[allow(
    clippy::large_enum_variant,
    reason = "one exists at a time, in a message or a job"
)]
pub enum Contest {
    /// Two scenarios by dollars per token, or by throughput per GPU where a price is not known.
    Scenarios(Inputs, Inputs),
    /// Two services by dollars per request, or by GPUs where a price is not known.
    Services(Inputs, Inputs),
    /// Separate pools and aggregated replicas of a service.
    Pools(Inputs),
    /// Lamina and a colocated cluster of about the same price, by tokens per dollar.
    Lamina(Inputs),
    /// AFD and colocated on the same GPUs.
    Afd {
        /// The GPUs and the load.
        inputs: Inputs,
        /// Simulated over analytical throughput of AFD; 1 for the closed form.
        throughput: f64,
        /// Simulated over analytical interactivity of AFD; 1 for the closed form.
        interactivity: f64,
    },
}

/// The better alternative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Side {
    /// The current scenario, separate pools, AFD, Lamina.
    First,
    /// The other one, also where both are equal.
    Second,
}

/// An input to vary.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct TurnAxis {
    /// The number, of the first alternative.
    pub number: Number,
    /// Its values.
    pub range: Range,
    /// The value of the second alternative over that of the first; `None` if it has another one.
    pub second: Option<f64>,
}

/// Factor between the current value and the ends of a range, factor between rings, a fourth root of two, and relative
/// width of a change.
const FINE: [f64; 3] = [64.0, 1.189_207_115_002_721, 2e-5];
/// The same where a verdict takes a search of plans, milliseconds instead of microseconds.
const WIDE: [f64; 3] = [16.0, 2.0, 5e-3];
/// Share of a cost that is rounding.
const ROUNDING: f64 = 1e-9;

impl Contest {
    /// The scenario's replicas and one replica on all their GPUs; `None` for a single replica.
    pub fn replicas(inputs: &Inputs) -> Option<Self> {
        let get = |number| inputs.get(number).unwrap_or(1.0);
        let replicas = get(Number::Replicas);
        if replicas < 2.0 {
            return None;
        }
        let mut one = inputs.without(Number::Replicas);
        one.unshard();
        for number in [Number::Gpus, Number::Batch] {
            let all = replicas * get(number);
            if !one.state(number, Some(all)) {
                return None;
            }
        }
        Some(Self::Scenarios(*inputs, one))
    }

    /// Both alternatives.
    const fn sides(&self) -> [&Inputs; 2] {
        match self {
            Self::Scenarios(first, second) | Self::Services(first, second) => [first, second],
            Self::Pools(inputs) | Self::Lamina(inputs) | Self::Afd { inputs, .. } => {
                [inputs, inputs]
            }
        }
    }

    /// The contest with another value of an input; `None` if an alternative does not allow it.
    pub fn at(&self, axis: &TurnAxis, value: f64) -> Option<Self> {
        let with = |inputs: &Inputs, value: f64| {
            let mut with = *inputs;
            with.state(axis.number, Some(value)).then_some(with)
        };
        let second = |inputs: &Inputs| match axis.second {
            Some(over) => with(inputs, value * over),
            None => Some(*inputs),
        };
        Some(match self {
            Self::Scenarios(one, other) => Self::Scenarios(with(one, value)?, second(other)?),
            Self::Services(one, other) => Self::Services(with(one, value)?, second(other)?),
            Self::Pools(inputs) => Self::Pools(with(inputs, value)?),
            Self::Lamina(inputs) => Self::Lamina(with(inputs, value)?),
            Self::Afd {
                inputs,
                throughput,
                interactivity,
            } => Self::Afd {
                inputs: with(inputs, value)?,
                throughput: *throughput,
                interactivity: *interactivity,
            },
        })
    }

    /// Inputs to vary, the cheapest verdicts first: rate, context, batch, price and one bandwidth, where they matter.
    pub fn axes(&self) -> Vec<TurnAxis> {
        let [first, _] = self.sides();
        let numbers: &[Number] = match self {
            Self::Scenarios(..) => &[Number::Context, Number::Batch, Number::Price],
            Self::Services(..) => &[Number::Rate, Number::Price, Number::MeanPrompt],
            // One price of all GPUs changes no verdict.
            Self::Pools(_) if first.prefill_gpu.is_some() => {
                &[Number::Rate, Number::Price, Number::MeanPrompt]
            }
            Self::Pools(_) => &[Number::Rate, Number::MeanPrompt],
            // A trace sets the context.
            Self::Lamina(_) if first.trace.is_some() => &[Number::MemoryPrice],
            Self::Lamina(_) => &[Number::Context, Number::MemoryPrice],
            Self::Afd { .. } => match first.stated(Number::MeanPrompt) {
                Some(_) => &[Number::MeanPrompt, Number::Batch],
                None => &[Number::Context, Number::Batch],
            },
        };
        let bandwidth = match self {
            Self::Lamina(_) => Number::Net,
            _ => bandwidth(first),
        };
        let numbers = numbers.iter().copied().chain([bandwidth]);
        numbers.filter_map(|number| self.axis(number)).collect()
    }

    fn axis(&self, number: Number) -> Option<TurnAxis> {
        let [first, second] = self.sides();
        let now = match number {
            Number::MeanPrompt => crate::service::Requests::of(first).prompt,
            _ => first.get(number)?,
        };
        let shared = match number {
            // As many sequences on both.
            Number::Batch => {
                let all = |inputs: &Inputs| {
                    let replicas = inputs.get(Number::Replicas).unwrap_or(1.0);
                    Some(inputs.get(number)? * replicas)
                };
                let over = second.get(number)? / now;
                (all(first) == all(second)).then_some(over)
            }
            Number::Price => {
                let same = first.gpu == second.gpu && first.get(number) == second.get(number);
                same.then_some(1.0)
            }
            _ => (first.get(number) == second.get(number)).then_some(1.0),
        };
        // One price of both changes no verdict.
        let idle = number == Number::Price && shared.is_some() && !matches!(self, Self::Pools(_));
        // An SLO fills the batch.
        let filled = matches!(self, Self::Afd { .. })
            && number == Number::Batch
            && first.get(Number::Slo).is_some();
        if idle || filled || now <= 0.0 {
            return None;
        }
        let whole = matches!(number, Number::Batch | Number::Context | Number::MeanPrompt);
        let spec = number.spec();
        let searched = match self {
            Self::Scenarios(..) => false,
            Self::Services(..) | Self::Pools(_) => {
                matches!(
                    number,
                    Number::MeanPrompt | Number::ScaleOut | Number::ScaleUp
                )
            }
            Self::Afd { .. } | Self::Lamina(_) => true,
        };
        let [reach, ring, fine] = if searched { WIDE } else { FINE };
        let least = (now / reach).max(spec.least);
        let most = (now * reach).min(spec.most);
        Some(TurnAxis {
            number,
            range: Range {
                now,
                least: if whole { least.ceil() } else { least },
                most: if whole { most.floor() } else { most },
                whole,
                ring,
                fine: if whole && !searched { 0.0 } else { fine },
            },
            second: shared,
        })
    }
}

/// Scale-out bandwidth, or scale-up where the GPUs are in one domain.
pub fn bandwidth(inputs: &Inputs) -> Number {
    let get = |number| inputs.get(number).unwrap_or(1.0);
    match get(Number::Gpus) > get(Number::Domain) {
        true => Number::ScaleOut,
        false => Number::ScaleUp,
    }
}

/// Judges contests, and remembers searched replicas.
#[derive(Debug, Default)]
struct Judge {
    planners: [Option<Planner>; 2],
}

impl Judge {
    /// The better alternative; `None` if neither is feasible.
    fn verdict(&mut self, contest: &Contest) -> Option<Side> {
        let better = |costs: [Option<f64>; 2]| match costs {
            [Some(one), Some(other)] if one < other * (1.0 - ROUNDING) => Some(Side::First),
            [_, Some(_)] => Some(Side::Second),
            [Some(_), None] => Some(Side::First),
            [None, None] => None,
        };
        match contest {
            Contest::Scenarios(one, other) => {
                let found = [one, other].map(feasible);
                let dollars = |of: &Evaluation| of.dollars_per_mtok.filter(|cost| *cost > 0.0);
                let priced = found.iter().flatten().all(|of| dollars(of).is_some());
                better(found.map(|of| {
                    let of = of?;
                    Some(match dollars(&of).filter(|_| priced) {
                        Some(cost) => cost,
                        None => 1.0 / of.tokens_per_gpu,
                    })
                }))
            }
            Contest::Services(one, other) => {
                let price = |inputs: &&Inputs| inputs.get(Number::Price).unwrap_or(0.0);
                let priced = [one, other].iter().all(|inputs| price(inputs) > 0.0);
                let costs = [self.cost(0, one, priced), self.cost(1, other, priced)];
                better(costs)
            }
            Contest::Pools(inputs) => {
                let demand = Demand {
                    pools: Pools::Best,
                    ..Demand::of(inputs)
                };
                let choice = self.planner(0, inputs)?.cheapest(&demand).choice?;
                Some(match choice {
                    Pools::Aggregated => Side::Second,
                    _ => Side::First,
                })
            }
            Contest::Lamina(inputs) => {
                let [colocated, lamina] = compared(inputs)?;
                let cost = |per_dollar: f64| 1.0 / per_dollar;
                better([lamina.map(cost), colocated.map(cost)])
            }
            Contest::Afd {
                inputs,
                throughput,
                interactivity,
            } => {
                let decision = Decision::of(inputs)?;
                let least = decision.users * (1.0 - ROUNDING);
                let shown = decision
                    .afd
                    .filter(|way| way.users * interactivity >= least);
                let afd = shown.or_else(|| decision.sides.afd_at(least / interactivity).copied());
                let cost = |per_gpu: f64| 1.0 / per_gpu;
                better([
                    afd.map(|way| cost(way.per_gpu * throughput)),
                    decision.colocated.map(|way| cost(way.per_gpu)),
                ])
            }
        }
    }

    fn planner(&mut self, place: usize, inputs: &Inputs) -> Option<&mut Planner> {
        let known = &mut self.planners[place];
        if !known.as_ref().is_some_and(|planner| planner.serves(inputs)) {
            *known = Planner::new(inputs).ok();
        }
        known.as_mut()
    }

    /// Dollars an hour or GPUs of a service, per request a second.
    fn cost(&mut self, place: usize, inputs: &Inputs, priced: bool) -> Option<f64> {
        let mut demand = Demand::of(inputs);
        if !priced {
            demand.price = None;
            demand.prefill_price = None;
        }
        let served = self.planner(place, inputs)?.cheapest(&demand);
        Some(1.0 / served.requests_per_cost()?)
    }
}

/// The evaluation of feasible inputs.
fn feasible(inputs: &Inputs) -> Option<Evaluation> {
    let scenario = inputs.scenario().ok()?;
    let evaluation = evaluate(&scenario).ok()?;
    is_feasible(&scenario, &evaluation).then_some(evaluation)
}

/// An input and the nearest value at which the verdict turns.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Turned {
    /// The input.
    pub axis: TurnAxis,
    /// The change; `None` if there is none in range.
    pub turn: Option<Turn>,
}

/// A running search over all inputs of a contest.
#[derive(Debug)]
pub struct Turns {
    contest: Contest,
    judge: Judge,
    /// The better alternative now; `None` if neither is feasible.
    pub now: Option<Side>,
    open: Vec<TurnAxis>,
    running: Option<(TurnAxis, TurnSearch<Side>)>,
    /// The inputs searched so far.
    pub found: Vec<Turned>,
}

impl Turns {
    /// Starts with the verdict now.
    pub fn new(contest: &Contest) -> Self {
        let mut judge = Judge::default();
        let now = judge.verdict(contest);
        let mut open = match now {
            Some(_) => contest.axes(),
            None => Vec::new(),
        };
        open.reverse();
        Self {
            contest: *contest,
            judge,
            now,
            open,
            running: None,
            found: Vec::new(),
        }
    }

    /// Judges at most two values; false at the end.
    pub fn step(&mut self) -> bool {
        let Some(now) = self.now else { return false };
        let next = || Some((*self.open.last()?, now));
        let Some((axis, mut search)) = self
            .running
            .take()
            .or_else(|| next().map(|(axis, now)| (axis, TurnSearch::new(axis.range, now))))
        else {
            return false;
        };
        let more = search.step(|value| {
            let there = self.contest.at(&axis, value)?;
            self.judge.verdict(&there)
        });
        if more {
            self.running = Some((axis, search));
        } else {
            self.open.pop();
            self.found.push(Turned {
                axis,
                turn: search.turn(),
            });
        }
        more || !self.open.is_empty()
    }

    /// All inputs of a contest.
    pub fn of(contest: &Contest) -> Self {
        let mut turns = Self::new(contest);
        while turns.step() {}
        turns
    }
}

/// The better alternative; `None` if neither is feasible.
pub fn verdict(contest: &Contest) -> Option<Side> {
    Judge::default().verdict(contest)
}
