//! Quantities that need several evaluations: prefill, the largest batch that fits in memory, and plan searches.

use std::cell::RefCell;
use std::rc::Rc;

use model_core::cost::memory::batch_capacity;
use model_core::evaluate::{evaluate, prefill};
use model_core::inputs::Inputs;
use model_core::limits::instances::{BreakEven, Instances};
use model_core::ops::{Kernel, LatentForm, Load, Operator, OperatorRole, Place};
use model_core::pareto::Frontier;
use model_core::plan::{Overlap, Plan};
use model_core::scenario::Scenario;
use model_core::sweep::{Space, Strategy, TriedPlan};

/// Returns an operator of the prefill of a prompt that is as long as the scenario's context.
pub fn prefill_operator(scenario: &Scenario, kind: &str) -> Option<Operator> {
    let load = Load::prefill(scenario.workload.context, &scenario.plan);
    let subject = scenario.subject();
    Place::all(&scenario.arch).find_map(|place| {
        let operators = subject.operators(place, &load);
        let mut all = operators.as_slice().iter();
        all.find(|operator| operator.kind.id() == kind).copied()
    })
}

/// Returns the attention time of a prefill over all layers, in seconds; the prompt is as long as the scenario's
/// context.
pub fn prefill_attention(scenario: &Scenario) -> Option<f64> {
    let breakdown = prefill(scenario, scenario.workload.context, scenario.kernel.latent).ok()?;
    Some(breakdown.attention.get())
}

/// Returns the scenario with the largest batch that fits in memory.
pub fn at_capacity(scenario: &Scenario) -> Scenario {
    let mut full = *scenario;
    full.workload.batch = batch_capacity(scenario);
    full
}

/// Compares one large deployment with several replicas: returns the relative throughput of the large deployment, or
/// the break-even bandwidth.
pub fn instances(inputs: &Inputs, what: &str) -> Option<f64> {
    let instances = Instances::new(inputs).ok()?;
    match (what, instances.break_even()) {
        ("gain", _) => instances.gain(),
        ("break_even", BreakEven::At(bandwidth)) => Some(bandwidth.get()),
        _ => None,
    }
}

/// Returns the largest speed-up of decode attention from reordering MLA's multiplications (absorbed form). Batches
/// per GPU are powers of two from 1 to 1024, contexts from 2¹⁰ to 2¹⁷ tokens. Only combinations that fit in memory
/// without reordering are considered.
pub fn best_reordering(scenario: &Scenario) -> Option<f64> {
    let attention = |scenario: &Scenario, latent| {
        let mut other = *scenario;
        other.kernel = Kernel {
            latent,
            ..scenario.kernel
        };
        let evaluation = evaluate(&other).ok()?;
        let time = evaluation.breakdown.of(OperatorRole::Attention).get();
        Some((time, evaluation.memory.fits()))
    };
    let mut most: Option<f64> = None;
    for each in powers_of_two(1024) {
        for context in powers_of_two(1 << 17).skip(10) {
            let mut at = *scenario;
            at.workload.batch = each * f64::from(scenario.cluster.gpus);
            at.workload.context = context;
            let (plain, fits) = attention(&at, LatentForm::Plain)?;
            let (absorbed, _) = attention(&at, LatentForm::Absorbed)?;
            if fits {
                most = Some(most.map_or(plain / absorbed, |most| most.max(plain / absorbed)));
            }
        }
    }
    most
}

/// Cache of plan searches.
#[derive(Debug, Default)]
pub struct Searches {
    made: RefCell<Vec<Rc<Search>>>,
}

#[derive(Debug)]
struct Search {
    scenario: Scenario,
    strategies: Vec<Strategy>,
    frontier: Frontier,
    space: Space,
}

impl Searches {
    /// Returns the number of searches in the cache.
    pub fn len(&self) -> usize {
        self.made.borrow().len()
    }

    /// Returns true if the cache has no searches.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Compares Helix with the best baseline as in [H], on 1 to `gpus` GPUs with 1 to `batch` sequences, both in powers
    /// of two.
    ///
    /// `gain` names the result:
    ///
    /// - `interactivity`: the gain in the highest interactivity;
    /// - `throughput`: the largest gain in throughput per GPU at equal interactivity;
    /// - `sequences`: the gain in sequences at the interactivity of the largest throughput gain;
    /// - `hop_b_loss`: the largest loss in tok/s/user when HOP-B is turned off.
    pub fn helix(&self, scenario: &Scenario, gain: &str) -> Option<f64> {
        let helix = self.search(scenario, &[Strategy::HelixHopB]);
        if gain == "hop_b_loss" {
            let plans = helix.frontier.points().iter().map(|point| point.index);
            return plans
                .filter_map(|index| loss_without_hop_b(&helix.space.scenario(index)?.1))
                .reduce(f64::max);
        }
        let others = self.search(scenario, &Strategy::BASELINES);
        let (throughput, users) = helix.frontier.throughput_over(&others.frontier)?;
        match gain {
            "interactivity" => helix.frontier.interactivity_over(&others.frontier),
            "throughput" => Some(throughput),
            "sequences" => {
                let of = |search: &Search| {
                    let index = search.frontier.at_least(users)?.index;
                    let (_, scenario) = search.space.scenario(index)?;
                    Some(scenario.workload.batch)
                };
                Some(of(&helix)? / of(&others)?)
            }
            _ => None,
        }
    }

    /// Returns the Pareto frontier of plans with the given strategies, as pairs of tok/s/user and tok/s/GPU. The
    /// search space is that of [H].
    pub fn frontier(&self, scenario: &Scenario, strategies: &[Strategy]) -> Vec<(f64, f64)> {
        let search = self.search(scenario, strategies);
        let points = search.frontier.points().iter();
        points
            .map(|point| (point.tokens_per_user, point.tokens_per_gpu))
            .collect()
    }

    fn search(&self, scenario: &Scenario, strategies: &[Strategy]) -> Rc<Search> {
        let same = |made: &&Rc<Search>| made.strategies == strategies && made.scenario == *scenario;
        let found = self.made.borrow().iter().find(same).cloned();
        found.unwrap_or_else(|| {
            let made = Rc::new(Search::new(scenario, strategies));
            self.made.borrow_mut().push(Rc::clone(&made));
            made
        })
    }
}

impl Search {
    fn new(scenario: &Scenario, strategies: &[Strategy]) -> Self {
        let gpus: Vec<u32> = powers_of_two(scenario.cluster.gpus)
            .map(|gpus| gpus as u32)
            .collect();
        let batches = powers_of_two(scenario.workload.batch as u32).collect();
        let space = Space::new(scenario, strategies, &gpus, batches);
        let points = (0..space.len()).filter_map(|index| match space.outcome(index) {
            TriedPlan::Fits(point) => Some(point),
            _ => None,
        });
        Self {
            scenario: *scenario,
            strategies: strategies.to_vec(),
            frontier: Frontier::of(points),
            space,
        }
    }
}

/// Returns the share of tok/s/user that a plan loses if HOP-B is turned off at the same batch.
fn loss_without_hop_b(scenario: &Scenario) -> Option<f64> {
    let with = evaluate(scenario).ok()?;
    let mut spec = *scenario.plan.spec();
    spec.overlap = Overlap::Sequential;
    let mut other = *scenario;
    other.plan = Plan::new(spec, &scenario.arch, scenario.cluster.gpus).ok()?;
    let without = evaluate(&other).ok()?;
    Some(1.0 - without.tokens_per_user / with.tokens_per_user)
}

/// Returns the powers of two 1, 2, 4… up to `most`.
fn powers_of_two(most: u32) -> impl Iterator<Item = f64> {
    (0..=most.ilog2()).map(|power| f64::from(1_u32 << power))
}
