//! The answers of the mode *Lamina*: attention on memory devices, the rest on compute devices.

mod apart;
mod charts;
mod money;
mod prices;
mod problems;
mod table;

pub use problems::{SplitProblem, SplitRemedy};
pub use table::{COLUMNS, SplitCell, SplitRow};

use std::sync::Arc;

use model_core::disagg::split::alternative::{Homogeneous, homogeneous};
use model_core::disagg::split::bandwidth::minimum_bandwidth;
use model_core::disagg::split::search::budget;
use model_core::disagg::split::{Split, SplitSetup, evaluate, slo};
use model_core::inputs::{Gpu, Inputs};
use model_core::levers::Base;
use model_core::permalink::{FigureId, View};
use model_core::workload::Engine;

use super::asked::preset;
use super::headline::{AfdComparison, Disaggregation, Headline, trouble};
use super::names::short_name;
use super::sentence::{Sentence, Tone};
use crate::charts::AnyFigure;
use crate::charts::ApartData;
use crate::charts::split::{BandwidthData, DegreesData, PartsData, RotationData};
use crate::format;

/// The answer of the mode.
#[derive(Debug, Clone, PartialEq)]
pub enum SplitOutcome {
    /// The split is possible.
    Possible(Box<SplitAnswer>),
    /// The split is invalid; shown beside the control that caused it.
    Impossible(Vec<SplitProblem>),
}

/// Everything the mode shows.
#[derive(Debug, Clone, PartialEq)]
pub struct SplitAnswer {
    /// The comparison at equal user speed.
    pub headline: Headline,
    /// The price basis; `None` without prices.
    pub prices: Option<String>,
    /// Rows of colocated, Lamina, and their ratio.
    pub rows: Vec<SplitRow>,
    /// Both sides fit in memory.
    pub fits: bool,
    /// "Where does the time go?"
    pub parts: Arc<PartsData>,
    /// "How fast must the network be?"
    pub bandwidth: Arc<BandwidthData>,
    /// "Idle time"
    pub rotation: Arc<RotationData>,
    /// "Colocated or disaggregated?"
    pub apart: Arc<ApartData>,
}

impl SplitAnswer {
    /// A chart of it by its identifier.
    pub fn figure(&self, id: FigureId) -> Option<AnyFigure> {
        Some(match id {
            FigureId::SplitTime => AnyFigure::of(&self.parts),
            FigureId::SplitBandwidth => AnyFigure::of(&self.bandwidth),
            FigureId::SplitRotation => AnyFigure::of(&self.rotation),
            FigureId::Apart => AnyFigure::of(&self.apart),
            _ => return None,
        })
    }
}

/// A split with everything the answer asks of the model once, as it serves at u*.
struct SplitCase {
    inputs: Inputs,
    /// The inputs that ask either side for all it serves at u*.
    at_speed: Inputs,
    /// u*.
    users: f64,
    setup: SplitSetup,
    split: Split,
    /// The cluster of about the same price.
    other: Option<Homogeneous>,
    budget: Option<f64>,
    /// The scenario's prefill is aggregated; both sides here only decode.
    prompts: bool,
}

/// Largest price drawn, over the budget.
const BEYOND_BUDGET: f64 = 1.5;

impl SplitCase {
    fn new(inputs: &Inputs) -> Result<Self, Vec<SplitProblem>> {
        let problems = |refusals: &[_]| problems::problems(inputs, refusals);
        let users = Base::of(inputs).users;
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

    /// Tokens per dollar of colocated and of Lamina at u*; `None` where a side is too slow, does not fit or has no
    /// price.
    fn compared(&self) -> [Option<f64>; 2] {
        let other = self.other.as_ref();
        let colocated = other.filter(|other| self.keeps(other.evaluation.tokens_per_user));
        let works = self.split.fits() && self.keeps(self.split.tokens_per_user);
        [
            colocated.map(Homogeneous::tokens_per_dollar),
            self.split.tokens_per_dollar.filter(|_| works),
        ]
    }

    fn headline(&self) -> Headline {
        if preset(&self.inputs, None, View::Disaggregation) == Some("l-figure-4")
            && let Some(network) = self.network()
        {
            return Headline::Answer(network);
        }
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
        })
    }

    /// "16.3 GB/s per device keep 34 sequences’ network below 20 % of a step; it has 50."
    fn network(&self) -> Option<Sentence> {
        let least = minimum_bandwidth(&self.setup)?;
        let has = if least <= self.setup.net {
            "it has"
        } else {
            "it has only"
        };
        Some(
            Sentence::default()
                .then(
                    Tone::Strong,
                    format!("{} GB/s per device", format::sig3(least.as_gb())),
                )
                .say(format!(
                    " for {} sequences slow a step by {}; {has} {}.",
                    format::count(self.setup.batch()),
                    format::share(self.setup.slow_down),
                    format::printed(self.setup.net.as_gb())
                )),
        )
    }

    fn compute_name(&self) -> &'static str {
        short_name(compute_gpu(&self.inputs).name())
    }

    fn memory_name(&self) -> &'static str {
        short_name(self.inputs.memory_gpu.name)
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

/// The compute side's accelerator.
pub fn compute_gpu(inputs: &Inputs) -> Gpu {
    inputs.compute_gpu.map_or(inputs.gpu, Gpu::Catalog)
}

/// Answers for the split that `inputs` state.
pub fn split_answer(inputs: &Inputs) -> SplitOutcome {
    let case = match SplitCase::new(inputs) {
        Ok(case) => case,
        Err(problems) => return SplitOutcome::Impossible(problems),
    };
    SplitOutcome::Possible(Box::new(SplitAnswer {
        headline: case.headline(),
        prices: prices::basis(&case),
        rows: table::rows(&case),
        fits: case.split.fits(),
        parts: Arc::new(charts::parts(&case)),
        bandwidth: Arc::new(charts::bandwidth(&case)),
        rotation: Arc::new(charts::rotation(&case)),
        apart: Arc::new(apart::data(&case)),
    }))
}

/// "What does the budget buy?", which takes a search: the page asks when sliders rest.
pub fn degrees(inputs: &Inputs) -> Option<DegreesData> {
    let case = SplitCase::new(inputs).ok()?;
    Some(money::degrees(&case))
}

/// The headline of an impossible split.
pub fn impossible(problem: &SplitProblem) -> Headline {
    Headline::impossible(&problem.rule)
}

#[cfg(test)]
mod tests;
