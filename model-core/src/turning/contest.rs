//! Pairs of alternatives to compare, the verdict on which of the two is better, and the inputs whose change may
//! reverse the verdict.

use super::search::{Range, Turn, TurnSearch};
use crate::afd::decision::Decision;
use crate::evaluate::{Evaluation, evaluate};
use crate::inputs::{Inputs, Number};
use crate::lamina::alternative::compared;
use crate::levers::is_feasible;
use crate::service::{Demand, Planner};
use crate::workload::Pools;

/// Two alternatives to compare, and the quantity by which they are compared.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[allow(
    clippy::large_enum_variant,
    reason = "only one exists at a time, in a message or job"
)]
pub enum Contest {
    /// Two scenarios, compared by dollars per token, or by tok/s/GPU if a price is not known.
    Scenarios(Inputs, Inputs),
    /// Two services of whole requests, compared by dollars per request, or by GPUs if a price is not known.
    Services(Inputs, Inputs),
    /// Disaggregated pools and aggregated replicas that serve the same demand, compared by their cost.
    Pools(Inputs),
    /// Lamina and a colocated cluster of about the same price, compared by tokens per dollar.
    Lamina(Inputs),
    /// AFD (attention–FFN disaggregation) and a colocated deployment on the same GPUs, compared by throughput.
    Afd {
        /// Inputs that set the GPUs and the load of both deployments.
        inputs: Inputs,
        /// Simulated throughput of AFD divided by its analytical throughput; 1 for the closed form.
        throughput: f64,
        /// Simulated interactivity of AFD divided by its analytical interactivity; 1 for the closed form.
        interactivity: f64,
    },
}

/// The better of two alternatives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Side {
    /// The first alternative: the current scenario, disaggregated pools, AFD or Lamina.
    First,
    /// The second alternative: the other scenario, aggregated replicas, or a colocated deployment. It is the verdict
    /// if both are equal.
    Second,
}

/// An input that is varied to find the value at which the verdict changes.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct TurnAxis {
    /// The input that is varied for the first alternative.
    pub number: Number,
    /// The range of values to try for the first alternative.
    pub range: Range,
    /// If the input is varied for both alternatives, the second alternative's value divided by the first's. `None` if
    /// it is varied only for the first alternative.
    pub second: Option<f64>,
}

/// Search settings for verdicts that are fast to compute. Values: factor from the current value to either end of the
/// range, factor between consecutive values (the fourth root of two), relative precision.
const FINE: [f64; 3] = [64.0, 1.189_207_115_002_721, 2e-5];
/// Search settings like `FINE`, for verdicts that need a plan search and take milliseconds instead of microseconds.
const WIDE: [f64; 3] = [16.0, 2.0, 5e-3];
/// Relative difference up to which two costs count as equal, to allow for rounding.
const ROUNDING: f64 = 1e-9;

impl Contest {
    /// Creates a comparison of the scenario's replicas with a single replica on all their GPUs. `None` if the
    /// scenario has only one replica, or if the single replica's GPU count or batch is out of range.
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

    const fn sides(&self) -> [&Inputs; 2] {
        match self {
            Self::Scenarios(first, second) | Self::Services(first, second) => [first, second],
            Self::Pools(inputs) | Self::Lamina(inputs) | Self::Afd { inputs, .. } => {
                [inputs, inputs]
            }
        }
    }

    /// Returns the comparison with a different value of an input; `None` if an alternative does not allow that value.
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

    /// Returns the inputs to vary: request rate, context or prompt length, batch, price, and one bandwidth, each only
    /// if it can change the verdict. Inputs with verdicts that are fast to compute come first.
    pub fn axes(&self) -> Vec<TurnAxis> {
        let [first, _] = self.sides();
        let numbers: &[Number] = match self {
            Self::Scenarios(..) => &[Number::Context, Number::Batch, Number::Price],
            Self::Services(..) => &[Number::Rate, Number::Price, Number::MeanPrompt],
            // If all GPUs have the same price, the price changes no verdict.
            Self::Pools(_) if first.prefill_gpu.is_some() => {
                &[Number::Rate, Number::Price, Number::MeanPrompt]
            }
            Self::Pools(_) => &[Number::Rate, Number::MeanPrompt],
            // A request trace sets the context, so the context is not varied.
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
            // Both batches are varied if both alternatives have the same total number of sequences.
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
        // A price that applies to both alternatives changes no verdict.
        let idle = number == Number::Price && shared.is_some() && !matches!(self, Self::Pools(_));
        // With an SLO, the batch of AFD follows from the SLO.
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

/// Returns the scale-out bandwidth, or the scale-up bandwidth if all GPUs are in one domain.
pub fn bandwidth(inputs: &Inputs) -> Number {
    let get = |number| inputs.get(number).unwrap_or(1.0);
    match get(Number::Gpus) > get(Number::Domain) {
        true => Number::ScaleOut,
        false => Number::ScaleUp,
    }
}

/// Decides which alternative is better; caches the replicas already searched.
#[derive(Debug, Default)]
struct Judge {
    planners: [Option<Planner>; 2],
}

impl Judge {
    /// Returns the better of two alternatives; `None` if neither is feasible.
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

    /// Returns the cost of a service for each request per second. The cost is in dollars per hour if `priced` is
    /// true, else in GPUs.
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

fn feasible(inputs: &Inputs) -> Option<Evaluation> {
    let scenario = inputs.scenario().ok()?;
    let evaluation = evaluate(&scenario).ok()?;
    is_feasible(&scenario, &evaluation).then_some(evaluation)
}

/// An input, and its nearest value at which the better alternative changes.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Turned {
    /// The input that was varied, with the range of values to try.
    pub axis: TurnAxis,
    /// The nearest change of the verdict; `None` if the verdict does not change in range.
    pub turn: Option<Turn>,
}

/// A step-by-step search over all inputs of a comparison, for the values at which the better alternative changes.
#[derive(Debug)]
pub struct Turns {
    contest: Contest,
    judge: Judge,
    /// The better alternative at the current input values; `None` if neither is feasible.
    pub now: Option<Side>,
    open: Vec<TurnAxis>,
    running: Option<(TurnAxis, TurnSearch<Side>)>,
    /// Results for the inputs that have been searched so far.
    pub found: Vec<Turned>,
}

impl Turns {
    /// Starts the search; first decides which alternative is better at the current values.
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

    /// Finds the better alternative at up to two more values of an input; returns false at the end of the search.
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

    /// Searches all inputs of a comparison for changes of the verdict, in one call.
    pub fn of(contest: &Contest) -> Self {
        let mut turns = Self::new(contest);
        while turns.step() {}
        turns
    }
}

/// Returns the better alternative of a comparison; `None` if neither is feasible.
pub fn verdict(contest: &Contest) -> Option<Side> {
    Judge::default().verdict(contest)
}
