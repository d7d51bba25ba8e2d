//! Results of the *Lamina* mode: attention runs on memory devices, everything else on compute devices.

mod apart;
mod bandwidth;
mod degrees;
mod prices;
mod problems;
pub mod rotation;
mod table;
pub mod time;

pub use degrees::{COMPUTE, MEMORY};
pub use problems::{SplitProblem, SplitRemedy};
pub use table::{COLUMNS, SplitCell, SplitRow};

use std::sync::Arc;

use model_core::account::Explained;
use model_core::inputs::{Gpu, Inputs};
use model_core::lamina::alternative::{Homogeneous, homogeneous, per_dollar, user_rate};
use model_core::lamina::search::budget;
use model_core::lamina::{Split, SplitSetup, evaluate, slo};
use model_core::permalink::FigureId;
use model_core::workload::Engine;

use crate::chart::Chart;
use crate::explain::OpeningChart;
use crate::states::trouble;
use crate::words::headline::{AfdComparison, Disaggregation, Headline, of_pinned};
use crate::words::names::short_name;
use crate::words::sentence::Sentence;

/// Result of the Lamina mode.
#[derive(Debug, Clone, PartialEq)]
pub enum SplitOutcome {
    /// The Lamina deployment is valid. Holds everything that the Lamina mode shows.
    Possible(Box<SplitAnswer>),
    /// The Lamina deployment is invalid. Holds the problems, each of which is shown next to the control that caused
    /// it.
    Impossible(Vec<SplitProblem>),
}

/// Everything that the Lamina mode shows.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitAnswer {
    /// Headline: Lamina vs. colocated at equal interactivity.
    pub headline: Headline,
    /// Prices used and their source, as text; `None` if a price is missing.
    pub prices: Option<String>,
    /// Table rows: the colocated cluster, Lamina, their ratios, and the pinned scenario's Lamina deployment. Rows
    /// without values are omitted.
    pub rows: Vec<SplitRow>,
    /// True if the compute side and the memory side of the Lamina deployment both fit in memory.
    pub fits: bool,
    /// Chart "Where does the step time go?"
    pub time: OpeningChart,
    /// Chart "How fast must the network be?"
    pub bandwidth: Arc<Chart>,
    /// Chart "Idle time".
    pub rotation: OpeningChart,
    /// Chart "Colocated or disaggregated?"
    pub apart: Arc<Chart>,
    /// Headline sentence of the pinned scenario.
    pub pinned: Option<Sentence>,
}

impl SplitAnswer {
    /// Returns the quantity whose derivation opens when a mark of a chart is clicked; `hit` is the mark's index.
    pub fn opens(&self, id: FigureId, hit: usize) -> Option<Explained> {
        match id {
            FigureId::SplitTime => self.time.opens(hit),
            FigureId::SplitRotation => self.rotation.opens(hit),
            _ => None,
        }
    }

    /// Returns the chart with this identifier, if the Lamina mode shows it.
    pub fn figure(&self, id: FigureId) -> Option<Arc<Chart>> {
        Some(match id {
            FigureId::SplitTime => Arc::clone(&self.time.chart),
            FigureId::SplitBandwidth => Arc::clone(&self.bandwidth),
            FigureId::SplitRotation => Arc::clone(&self.rotation.chart),
            FigureId::Apart => Arc::clone(&self.apart),
            _ => return None,
        })
    }
}

/// A Lamina deployment, evaluated at interactivity u*, with the colocated cluster that it is compared with.
struct SplitCase {
    inputs: Inputs,
    /// Inputs with the SLO set to u*, so that both deployments are sized for their largest batch at u*.
    at_speed: Inputs,
    /// Interactivity u* at which Lamina and the colocated cluster are compared, in tok/s/user.
    users: f64,
    setup: SplitSetup,
    split: Split,
    /// Colocated cluster of about the same price as the Lamina deployment.
    other: Option<Homogeneous>,
    budget: Option<f64>,
    /// True if the scenario has aggregated prefill, which this comparison ignores: both deployments only decode.
    prompts: bool,
}

/// Highest price in the chart "What does the budget buy?", as a multiple of the budget.
const BEYOND_BUDGET: f64 = 1.5;

impl SplitCase {
    fn new(inputs: &Inputs) -> Result<Self, Vec<SplitProblem>> {
        let problems = |refusals: &[_]| problems::problems(inputs, refusals);
        let users = user_rate(inputs);
        let at_speed = slo::at_speed(inputs, users);
        let setup = slo::served(inputs, users).map_err(|refusals| problems(&refusals))?;
        let split = evaluate(&setup).map_err(|refusal| problems(&[refusal]))?;
        let budget = budget(&at_speed, &setup);
        Ok(Self {
            other: homogeneous(&at_speed, &setup),
            budget,
            inputs: *inputs,
            at_speed,
            users,
            setup,
            split,
            prompts: inputs.engine == Engine::Aggregated,
        })
    }

    fn keeps(&self, users: f64) -> bool {
        slo::keeps(Some(self.users), users)
    }

    /// Returns the tokens per dollar of the colocated and of the Lamina deployment at u*. A value is `None` if its
    /// deployment is too slow, does not fit or has no price.
    fn compared(&self) -> [Option<f64>; 2] {
        per_dollar(self.users, self.other.as_ref(), &self.split)
    }

    fn headline(&self) -> Headline {
        let [colocated, disaggregated] = self.compared();
        if self.setup.dollars_per_hour().is_none() {
            return Headline::Unpriced {
                deployed: self.name(),
                rate: self.split.tokens,
            };
        }
        if colocated.is_none()
            && disaggregated.is_none()
            && let Some(trouble) = super::Evaluated::new(&self.inputs)
                .ok()
                .and_then(|case| trouble(&case))
        {
            return trouble;
        }
        Headline::Disaggregated(AfdComparison {
            mode: Disaggregation::Lamina,
            deployed: self.name(),
            users: self.users,
            colocated,
            disaggregated,
            fits: self.split.fits(),
            simulated: false,
        })
    }

    fn compute_name(&self) -> &'static str {
        short_name(compute_gpu(&self.inputs).name())
    }

    fn memory_name(&self) -> &'static str {
        short_name(self.inputs.memory_gpu.name)
    }

    /// Returns the Lamina deployment's name: "2 × H100 + 4 × H20".
    fn name(&self) -> String {
        self.named(TIMES, self.setup.compute_gpus, self.setup.memory_gpus)
    }

    fn named(&self, times: &str, compute: u32, memory: u32) -> String {
        format!(
            "{compute}{times}{} + {memory}{times}{}",
            self.compute_name(),
            self.memory_name()
        )
    }

    fn other_name(&self) -> Option<String> {
        let gpus = self.other.as_ref()?.scenario.cluster.gpus;
        Some(format!("{gpus} × {}", self.compute_name()))
    }
}

const TIMES: &str = " × ";

/// Returns the accelerator used for Lamina's compute devices.
pub fn compute_gpu(inputs: &Inputs) -> Gpu {
    inputs.compute_gpu.map_or(inputs.gpu, Gpu::Catalog)
}

/// Evaluates the Lamina deployment of `inputs` and compares it with that of `pinned`, if `pinned` is valid.
pub fn split_answer(inputs: &Inputs, pinned: Option<&Inputs>) -> SplitOutcome {
    let case = match SplitCase::new(inputs) {
        Ok(case) => case,
        Err(problems) => return SplitOutcome::Impossible(problems),
    };
    let pinned = pinned.and_then(|pinned| SplitCase::new(pinned).ok());
    let pinned = pinned.as_ref();
    let theirs = pinned.map(table::pinned);
    SplitOutcome::Possible(Box::new(SplitAnswer {
        pinned: pinned.map(|pinned| of_pinned(&pinned.headline())),
        headline: case.headline(),
        prices: prices::basis(&case),
        rows: table::rows(&case).into_iter().chain(theirs).collect(),
        fits: case.split.fits(),
        time: time::chart(&case),
        bandwidth: Arc::new(bandwidth::chart(&case)),
        rotation: rotation::chart(&case),
        apart: Arc::new(apart::chart(&case, pinned)),
    }))
}

/// Draws "What does the budget buy?"; returns `None` if the Lamina deployment is invalid. The chart needs a search,
/// so the page requests it only after sliders stop moving.
pub fn degrees(inputs: &Inputs) -> Option<Chart> {
    let case = SplitCase::new(inputs).ok()?;
    Some(degrees::chart(&case))
}

/// Returns the headline of an invalid Lamina deployment.
pub fn impossible(problem: &SplitProblem) -> Headline {
    Headline::impossible(&problem.rule)
}

#[cfg(test)]
mod tests;
