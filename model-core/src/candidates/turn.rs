//! The request rates at which the cheapest candidate changes.

use crate::math::pow;
use crate::service::{Demand, Planner};

use super::best::CandidateBest;
use crate::inputs::Inputs;

/// Number of rates scanned on each side of the current rate, and the ratio between the outermost rate and the current
/// one.
const STEPS: usize = 24;
const REACH: f64 = 32.0;
/// Max number of parts into which one scan step is divided, to find a change that lasts less than one step. The next
/// constant limits the number of parts of all steps up to the first change.
const PARTS: usize = 6;
const ALL_PARTS: usize = 24;
/// Precision with which a turning point is located, as a ratio of two request rates.
const WITHIN: f64 = 1.005;

/// Costs of all candidates at one request rate.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct RatePoint {
    /// Request rate, in requests per second.
    pub rate: f64,
    /// US dollars per million output tokens, one entry per candidate; `None` if the candidate is infeasible, not
    /// available or without a price.
    pub costs: Vec<Option<f64>>,
}

/// A request rate at which the cheapest candidate changes.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Turn {
    /// Index of the candidate that is cheapest on the far side of the change; `None` if none is feasible there.
    pub to: Option<usize>,
    /// Last request rate tried before the cheapest candidate changes, in requests per second.
    pub until: f64,
    /// Request rate from which candidate `to` is cheapest, in requests per second; within 0.5% of `until`.
    pub rate: f64,
}

/// Changes of the cheapest candidate at rates above the current rate, or at rates below it. Costs rise in steps of
/// whole replicas, so the cheapest candidate may alternate.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Turns {
    /// The change nearest to the current rate. The currently cheapest candidate is the cheapest up to this change.
    pub nearest: Option<Turn>,
    /// The change beyond which one other candidate stays the cheapest at every rate tried.
    pub lasting: Option<Turn>,
}

impl RatePoint {
    /// Returns the index of the cheapest candidate; of equally cheap ones, the first.
    pub fn cheapest(&self) -> Option<usize> {
        let each = self.costs.iter().enumerate();
        let priced = each.filter_map(|(place, cost)| Some((place, (*cost)?)));
        let least = priced.reduce(|one, other| if other.1 < one.1 { other } else { one });
        least.map(|(place, _)| place)
    }
}

/// A candidate's planner, demand, inputs and number of GPUs available; `None` for a candidate without a planner.
pub type Priced = Option<(Planner, Demand, Inputs, Option<u32>)>;

/// Computes the costs of all candidates at one request rate.
pub fn costs_at(planners: &mut [Priced], rate: f64) -> RatePoint {
    let cost = |priced: &mut Priced| {
        let (planner, demand, inputs, available) = priced.as_mut()?;
        let demand = Demand {
            rate: Some(rate),
            ..*demand
        };
        let found = CandidateBest::of_service(&planner.answer(&demand), inputs, *available);
        let found = found.ok().filter(CandidateBest::is_available)?;
        found.dollars_per_mtok
    };
    RatePoint {
        rate,
        costs: planners.iter_mut().map(cost).collect(),
    }
}

/// A scan over request rates, followed by a search for turning points (rates at which the cheapest candidate
/// changes). It is computed in steps.
#[derive(Debug, Clone)]
pub struct RateScan {
    rate: f64,
    /// Costs at the scanned rates, in ascending order of rate.
    pub curve: Vec<RatePoint>,
    /// Changes of the cheapest candidate: first at rates below the current rate, then at rates above it.
    pub turns: [Turns; 2],
}

impl RateScan {
    /// Creates a scan around the current request rate.
    pub fn around(rate: f64) -> Self {
        Self {
            rate,
            curve: Vec::new(),
            turns: [Turns::default(); 2],
        }
    }

    /// Computes the costs at the next rate or, after the last rate, the turning points. Returns false when done.
    pub fn step(&mut self, planners: &mut [Priced]) -> bool {
        let tried = self.curve.len();
        if tried <= 2 * STEPS {
            let share = tried as f64 / STEPS as f64 - 1.0;
            let rate = match tried == STEPS {
                true => self.rate,
                false => self.rate * pow(REACH, share),
            };
            self.curve.push(costs_at(planners, rate));
            return true;
        }
        let lower: Vec<&RatePoint> = self.curve[..=STEPS].iter().rev().collect();
        let higher: Vec<&RatePoint> = self.curve[STEPS..].iter().collect();
        self.turns = [&lower, &higher].map(|line| turns(line, planners));
        false
    }
}

/// Finds changes of the cheapest candidate along a sequence of rates, ordered from the current rate outward.
fn turns(line: &[&RatePoint], planners: &mut [Priced]) -> Turns {
    let leader = |at: usize| line.get(at).and_then(|point| point.cheapest());
    let (Some(first), last) = (leader(0), leader(line.len() - 1)) else {
        return Turns::default();
    };
    let leaves = (1..line.len()).find(|at| leader(*at) != Some(first));
    let Some(leaves) = leaves else {
        return Turns::default();
    };
    let stays = (1..line.len()).rev().find(|at| leader(at - 1) != last);
    let lasting = stays.filter(|_| last.is_some() && last != Some(first));
    Turns {
        nearest: nearest(&line[..=leaves], first, planners),
        lasting: lasting.map(|stays| {
            let change = Turn {
                to: line[stays].cheapest(),
                until: line[stays - 1].rate,
                rate: line[stays].rate,
            };
            narrowed(change, planners, |of| of == last)
        }),
    }
}

/// Finds the first rate at which `first` is not the cheapest candidate. A candidate other than `first` must be
/// cheapest at the last rate in `line`. Costs rise in steps of whole replicas, so a change may last for less than one
/// scan step.
fn nearest(line: &[&RatePoint], first: usize, planners: &mut [Priced]) -> Option<Turn> {
    let parts = (ALL_PARTS / (line.len() - 1)).clamp(1, PARTS);
    let mut until = line[0].rate;
    for (from, to) in line.iter().zip(&line[1..]) {
        for part in 1..=parts {
            let share = part as f64 / parts as f64;
            let (rate, leader) = match part == parts {
                true => (to.rate, to.cheapest()),
                false => {
                    let rate = from.rate * pow(to.rate / from.rate, share);
                    (rate, costs_at(planners, rate).cheapest())
                }
            };
            if leader != Some(first) {
                let change = Turn {
                    to: leader,
                    until,
                    rate,
                };
                return Some(narrowed(change, planners, |of| of != Some(first)));
            }
            until = rate;
        }
    }
    None
}

/// Narrows a change to the rate from which the cheapest candidate satisfies `is`.
fn narrowed(mut turn: Turn, planners: &mut [Priced], is: impl Fn(Option<usize>) -> bool) -> Turn {
    while (turn.until / turn.rate).max(turn.rate / turn.until) > WITHIN {
        let middle = (turn.until * turn.rate).sqrt();
        let leader = costs_at(planners, middle).cheapest();
        match is(leader) {
            true => (turn.rate, turn.to) = (middle, leader),
            false => turn.until = middle,
        }
    }
    turn
}
