//! What the page says about a split: attention on memory devices, the rest on compute devices.

mod charts;
mod money;
mod prices;
mod problems;
mod table;
mod verdict;

pub use prices::Basis;
pub use problems::{Repair, SplitProblem};
pub use table::{COLUMNS, SplitCell, SplitRow};

use std::sync::Arc;

use model_core::disagg::split::alternative::{Homogeneous, homogeneous};
use model_core::disagg::split::search::{Found, budget, search};
use model_core::disagg::split::{Setup, Split, evaluate, slo};
use model_core::scenario::{Gpu, Inputs};

use super::ratio::decision::{Winner, winner};
use super::sentence::Sentence;
use crate::charts::ApartData;
use crate::charts::split::{BandwidthData, DegreesData, PartsData, RotationData, TracesData};

/// What the split half shows.
#[derive(Debug, Clone, PartialEq)]
pub enum SplitOutcome {
    /// The split is possible.
    Possible(Box<SplitAnswer>),
    /// It is not; said beside the control that caused it.
    Impossible(Vec<SplitProblem>),
}

/// Everything the split half says.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitAnswer {
    /// Should they live apart, by how much, and why.
    pub verdict: Sentence,
    /// What keeps it from more, and what helps.
    pub advice: Sentence,
    /// Changes that the verdict names, as buttons.
    pub repairs: Vec<Repair>,
    /// What its money is counted in; `None` without prices.
    pub prices: Option<Basis>,
    /// Together, split, and how they compare.
    pub rows: Vec<SplitRow>,
    /// Whether both sides have room.
    pub fits: bool,
    /// "Where does the time go?"
    pub parts: Arc<PartsData>,
    /// "How fast must the network be?"
    pub bandwidth: Arc<BandwidthData>,
    /// "What does the budget buy?"
    pub degrees: Arc<DegreesData>,
    /// "Does it pay for real requests?"
    pub traces: Arc<TracesData>,
    /// "Who waits for whom?"
    pub rotation: Arc<RotationData>,
    /// "Together or apart?"
    pub apart: Arc<ApartData>,
}

/// A split with everything the answer asks of the model once.
struct SplitCase {
    inputs: Inputs,
    setup: Setup,
    split: Split,
    other: Option<Homogeneous>,
    budget: Option<f64>,
    found: Found,
}

/// How much dearer than the budget a deployment may be to be drawn beyond it.
const BEYOND_BUDGET: f64 = 1.5;

impl SplitCase {
    fn new(inputs: &Inputs) -> Result<Self, Vec<SplitProblem>> {
        let problems = |refusals: &[_]| problems::problems(inputs, refusals);
        let setup = slo::setup(inputs).map_err(|refusals| problems(&refusals))?;
        let split = evaluate(&setup).map_err(|refusal| problems(&[refusal]))?;
        let budget = budget(inputs, &setup);
        Ok(Self {
            other: homogeneous(inputs, &setup),
            found: budget.map_or_else(Found::default, |budget| {
                search(inputs, budget * BEYOND_BUDGET)
            }),
            budget,
            inputs: *inputs,
            setup,
            split,
        })
    }

    fn compute_name(&self) -> &'static str {
        short_name(compute_gpu(&self.inputs).name())
    }

    fn memory_name(&self) -> &'static str {
        short_name(self.inputs.memory_gpu.name)
    }

    /// "2 H100 with 4 H20 for attention".
    fn spoken(&self) -> String {
        format!(
            "{} {} with {} {} for attention",
            self.setup.compute_gpus,
            self.compute_name(),
            self.setup.memory_gpus,
            self.memory_name()
        )
    }

    /// "2 × H100 + 4 × H20".
    fn name(&self) -> String {
        self.named(self.setup.compute_gpus, self.setup.memory_gpus)
    }

    fn named(&self, compute: u32, memory: u32) -> String {
        format!(
            "{compute} × {} + {memory} × {}",
            self.compute_name(),
            self.memory_name()
        )
    }

    /// "4 × H100".
    fn other_name(&self) -> Option<String> {
        let gpus = self.other.as_ref()?.scenario.cluster.gpus;
        Some(format!("{gpus} × {}", self.compute_name()))
    }
}

/// What the one comparison of the half comes to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Judged {
    /// Which side has more tokens per dollar at what either serves, and the split's over the other's.
    Compared(Winner, f64),
    /// Only one side keeps the SLO, at any batch.
    Only(Winner),
    /// Neither does.
    Neither,
}

/// The one comparison of the half; `None` without prices, a cluster of about that price, or room.
pub fn judged(setup: &Setup, other: Option<&Homogeneous>) -> Option<Judged> {
    let split = evaluate(setup).ok().filter(Split::fits)?;
    let other = other?;
    let keeps = |users: f64| slo::keeps(setup.compute.workload.slo, users);
    let sides = (
        keeps(split.tokens_per_user),
        keeps(other.evaluation.tokens_per_user),
    );
    let factor = split.tokens_per_dollar? / other.tokens_per_dollar();
    Some(match sides {
        (true, true) => Judged::Compared(winner(factor), factor),
        (true, false) => Judged::Only(Winner::Apart),
        (false, true) => Judged::Only(Winner::Together),
        (false, false) => Judged::Neither,
    })
}

/// The compute side's accelerator.
pub fn compute_gpu(inputs: &Inputs) -> Gpu {
    inputs.compute_gpu.map_or(inputs.gpu, Gpu::Catalog)
}

/// "H100" of "H100 SXM"; a TPU and an Ascend need their second word, and one's own accelerator is none to name.
pub fn short_name(name: &'static str) -> &'static str {
    if name == Gpu::Custom.name() {
        return "custom GPUs";
    }
    let words = if name.starts_with("TPU") || name.starts_with("Ascend") {
        2
    } else {
        1
    };
    let end = name
        .match_indices(' ')
        .nth(words - 1)
        .map_or(name.len(), |(at, _)| at);
    &name[..end]
}

/// The name of one of them: "H100", "custom GPU".
pub fn one_name(gpu: Gpu) -> String {
    match gpu {
        Gpu::Custom => "custom GPU".to_owned(),
        known @ Gpu::Catalog(_) => short_name(known.name()).to_owned(),
    }
}

/// Answers for the split that `inputs` state; `per_dollar` says what the search is drawn by.
pub fn split_answer(inputs: &Inputs, per_dollar: bool) -> SplitOutcome {
    let case = match SplitCase::new(inputs) {
        Ok(case) => case,
        Err(problems) => return SplitOutcome::Impossible(problems),
    };
    let traces = money::served(&case);
    let said = verdict::verdict(&case, per_dollar);
    SplitOutcome::Possible(Box::new(SplitAnswer {
        verdict: said.verdict,
        advice: said.advice,
        repairs: said.repairs,
        prices: prices::basis(&case),
        rows: table::rows(&case, per_dollar),
        fits: case.split.fits(),
        parts: Arc::new(charts::parts(&case)),
        bandwidth: Arc::new(charts::bandwidth(&case)),
        degrees: Arc::new(money::degrees(&case, per_dollar)),
        traces: Arc::new(money::traces(&case, traces, per_dollar)),
        rotation: Arc::new(charts::rotation(&case)),
        apart: Arc::new(super::apart::of_split(
            inputs,
            &case.setup,
            case.other.as_ref(),
            per_dollar,
        )),
    }))
}

#[cfg(test)]
mod tests;
