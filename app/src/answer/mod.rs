//! Answers about a scenario: texts and chart data made from the model's results.
//!
//! Pure and native: the page draws a [`FirstScreen`]; it never calls the model itself.

pub mod apart;
pub mod around;
mod asked;
mod compare;
mod figures;
pub mod headline;
mod latency;
pub mod levers;
pub mod limits;
mod memory;
pub mod names;
pub mod needs;
pub mod overlay;
pub mod papers;
mod pareto;
pub mod plans;
mod problems;
pub mod ratio;
mod roofline;
pub mod sentence;
pub mod service;
pub mod sharding;
pub mod split;
/// Parts of the scenario that the calibration extrapolates.
pub fn extrapolated(inputs: &Inputs) -> Vec<&'static str> {
    let Ok(case) = Evaluated::new(inputs) else {
        return Vec::new();
    };
    extrapolations(&case.scenario, &case.evaluation)
        .map(Extrapolation::words)
        .collect()
}

/// Reason why figures lie outside the error bands below them.
pub fn biased(inputs: &Inputs) -> Option<&'static str> {
    around::Around::bias(inputs)
}

#[cfg(test)]
mod tests;
mod timeline;
mod waterfall;

use crate::charts::{
    AnyFigure, LatencyData, MemoryData, OperatingPoint, ParetoData, RooflineData, WaterfallData,
};
pub use compare::{difference, in_a_line, in_a_line_of};
pub use figures::{FigureCell, Versus, price_text};
use headline::Headline;
pub use problems::Problem;
pub use sentence::{Sentence, Span, Tone};
pub use timeline::Timelines;

use model_core::compare::Quantity;
use model_core::evaluate::{Evaluation, evaluate, with_batch};
use model_core::extrapolation::{Extrapolation, extrapolations};
use model_core::inputs::Inputs;
use model_core::limits::{Largest, Limits, NoBatch, enough, fullest, largest};
use model_core::permalink::FigureId;
use model_core::refusal::Refusal;
use model_core::scenario::Scenario;
use std::cell::OnceCell;
use std::sync::Arc;

/// Answer of the page about the current inputs and the pinned scenario.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The scenario is valid.
    Possible(Box<FirstScreen>),
    /// The scenario is invalid; shown beside the control that caused it.
    Impossible(Vec<Problem>),
}

/// Everything the first screen says.
#[derive(Debug, Clone, PartialEq)]
pub struct FirstScreen {
    /// The one sentence.
    pub headline: Headline,
    /// The six figures.
    pub figures: [FigureCell; 6],
    /// Everything fits in memory; if not, every figure but memory is "if it fit".
    pub fits: bool,
    /// "Compute or memory?"
    pub roofline: Arc<RooflineData>,
    /// "Where does a step go?"
    pub latency: Arc<LatencyData>,
    /// "Is the batch right?"
    pub pareto: Arc<ParetoData>,
    /// "Does it fit?"
    pub memory: Arc<MemoryData>,
}

/// Charts further down in Explore, a part of their own.
#[derive(Debug, Clone, PartialEq)]
pub struct Below {
    /// "What runs when?", of each kind of layer.
    pub timelines: Timelines,
    /// "What changed since A?", for each quantity in the order of its switch.
    pub changed: [Arc<WaterfallData>; Quantity::ALL.len()],
}

impl FirstScreen {
    /// A chart of it by its identifier.
    pub fn figure(&self, id: FigureId) -> Option<AnyFigure> {
        Some(match id {
            FigureId::Roofline => AnyFigure::of(&self.roofline),
            FigureId::Breakdown => AnyFigure::of(&self.latency),
            FigureId::Pareto => AnyFigure::of(&self.pareto),
            FigureId::Memory => AnyFigure::of(&self.memory),
            _ => return None,
        })
    }
}

/// A scenario with all results of the model that the answer needs.
pub struct Evaluated {
    inputs: Inputs,
    scenario: Scenario,
    evaluation: Evaluation,
    limits: Limits,
    /// The largest batch that fits and meets the SLO.
    largest: Result<Largest, NoBatch>,
    /// Computed when first needed.
    crossing: OnceCell<Option<f64>>,
    enough: OnceCell<Option<f64>>,
}

impl Evaluated {
    fn new(inputs: &Inputs) -> Result<Self, Vec<Refusal>> {
        let scenario = inputs.scenario()?;
        let evaluation = evaluate(&scenario).map_err(|refusal| vec![refusal])?;
        let limits =
            model_core::limits::limits(&scenario).ok_or_else(|| vec![Refusal::NotFinite])?;
        Ok(Self {
            inputs: *inputs,
            scenario,
            evaluation,
            limits,
            largest: largest(&scenario),
            crossing: OnceCell::new(),
            enough: OnceCell::new(),
        })
    }

    /// GPUs in all, N.
    fn gpus(&self) -> f64 {
        f64::from(self.scenario.cluster.gpus)
    }

    /// Sequences per GPU of a batch of the whole deployment.
    fn per_gpu(&self, batch: f64) -> f64 {
        batch / self.gpus()
    }

    /// The current batch in sequences per GPU.
    fn batch_per_gpu(&self) -> f64 {
        self.per_gpu(self.scenario.workload.batch)
    }

    /// Sequences in words: "256 per GPU" where every GPU has whole ones of its own, else "96 sequences".
    fn sequences(&self, batch: f64) -> String {
        let plan = &self.scenario.plan;
        let each = self.per_gpu(batch);
        if plan.group() == 1 && plan.spec().pp == 1 && each >= 1.0 && each.fract() == 0.0 {
            format!("{} per GPU", crate::format::count(each))
        } else {
            names::sequences(batch)
        }
    }

    /// Sequences per GPU, where several GPUs have whole ones of their own.
    fn whole_per_gpu(&self, batch: f64) -> Option<f64> {
        let plan = &self.scenario.plan;
        let own = plan.group() == 1 && plan.spec().pp == 1 && self.gpus() > 1.0;
        let each = self.per_gpu(batch);
        (own && each >= 1.0 && each.fract() == 0.0).then_some(each)
    }

    /// The smallest batch within half a percent of the best throughput.
    fn enough(&self) -> Option<f64> {
        *self.enough.get_or_init(|| {
            let most = fullest(&self.scenario, 0.0).ok()?;
            Some(enough(&self.scenario, most))
        })
    }

    /// [`Self::enough`] where it is below the largest batch: throughput is flat above it, or falls because of the
    /// prefill of other requests.
    fn less_than_largest(&self) -> Option<f64> {
        let largest = self.largest.ok()?.batch;
        self.enough().filter(|enough| *enough < largest)
    }

    /// The largest batch that fits, in sequences per GPU.
    fn capacity_per_gpu(&self) -> Option<f64> {
        (self.limits.b_cap > 0.0).then(|| self.per_gpu(self.limits.b_cap))
    }

    /// The batch per GPU from which communication takes longer than the GPU is busy, up to `end`.
    fn crossing(&self, end: f64) -> Option<f64> {
        let search = || {
            let far = 2.0 * latency::axis_end(self).max(pareto::end(self));
            threshold(far / 4096.0, far, |batch| {
                self.at(batch).is_some_and(|evaluation| {
                    let step = latency::sample(self, &evaluation, batch).step;
                    step.messages_s() >= step.busy_s()
                })
            })
        };
        let crossing = *self.crossing.get_or_init(search);
        crossing.filter(|batch| *batch <= end)
    }

    /// An evaluation at a batch per GPU as a point of a chart.
    fn point(&self, evaluation: &Evaluation, batch_per_gpu: f64) -> OperatingPoint {
        operating_point(evaluation, self.gpus() * batch_per_gpu, self.gpus())
    }

    /// [`Self::point`] for a curve: fewer sequences than groups fit on average, whatever their placement.
    fn curve_point(&self, evaluation: &Evaluation, batch: f64) -> OperatingPoint {
        let point = operating_point(evaluation, batch, self.gpus());
        OperatingPoint {
            fits: point.fits && self.limits.b_cap >= 1.0,
            ..point
        }
    }

    /// The evaluation at another batch, in sequences per GPU.
    fn at(&self, batch_per_gpu: f64) -> Option<Evaluation> {
        with_batch(&self.scenario, batch_per_gpu * self.gpus()).ok()
    }
}

/// Errors of `inputs`, without the answer; empty when they are valid.
pub fn obstacles(inputs: &Inputs) -> Vec<Problem> {
    let refused = match inputs.scenario() {
        Err(refusals) => refusals,
        Ok(scenario) => match evaluate(&scenario) {
            Err(refusal) => vec![refusal],
            Ok(_) if model_core::limits::limits(&scenario).is_none() => vec![Refusal::NotFinite],
            Ok(_) => return Vec::new(),
        },
    };
    problems::problems(inputs, &refused)
}

/// An evaluation of a batch on some GPUs as a point of a chart.
fn operating_point(evaluation: &Evaluation, batch: f64, gpus: f64) -> OperatingPoint {
    OperatingPoint {
        batch,
        gpus,
        tpot_s: 1.0 / evaluation.tokens_per_user,
        per_user: evaluation.tokens_per_user,
        per_gpu: evaluation.tokens_per_gpu,
        fits: evaluation.memory.fits(),
    }
}

/// Answers for `inputs`, compared with `pinned` if it is valid.
pub fn answer(inputs: &Inputs, pinned: Option<&Inputs>) -> Outcome {
    let case = match Evaluated::new(inputs) {
        Ok(case) => case,
        Err(refusals) => return Outcome::Impossible(problems::problems(inputs, &refusals)),
    };
    let pinned = pinned.and_then(|pinned| Evaluated::new(pinned).ok());
    let pinned = pinned.as_ref();
    Outcome::Possible(Box::new(FirstScreen {
        headline: headline_of(&case, pinned),
        figures: figures::cells(&case, pinned),
        fits: case.evaluation.memory.fits(),
        roofline: Arc::new(roofline::data(&case, pinned)),
        latency: Arc::new(latency::data(&case, pinned)),
        pareto: Arc::new(pareto::data(&case, pinned)),
        memory: Arc::new(memory::data(&case, pinned)),
    }))
}

/// The charts further down, compared with `pinned` if it is valid; `None` where `inputs` is not.
pub fn below(inputs: &Inputs, pinned: Option<&Inputs>) -> Option<Below> {
    let case = Evaluated::new(inputs).ok()?;
    let pinned = pinned.and_then(|pinned| Evaluated::new(pinned).ok());
    Some(Below {
        timelines: timeline::data(&case, pinned.as_ref()),
        changed: waterfall::data(&case, pinned.as_ref()),
    })
}

/// Headline: an error, else a preset's answer, else the comparison with A, else the bottleneck.
fn headline_of(case: &Evaluated, pinned: Option<&Evaluated>) -> Headline {
    let compared = || {
        let pinned = pinned?;
        Some(Headline::Compared {
            throughput: case.evaluation.tokens_per_gpu / pinned.evaluation.tokens_per_gpu,
            users: case.evaluation.tokens_per_user / pinned.evaluation.tokens_per_user,
            fits: pinned.evaluation.memory.fits(),
        })
    };
    headline::trouble(case)
        .or_else(|| asked::in_explore(case, pinned).map(Headline::Answer))
        .or_else(compared)
        .unwrap_or_else(|| headline::bottleneck(&case.scenario, &case.evaluation))
}

/// Figures with a lever applied, compared with the present ones.
pub fn preview(now: &Inputs, then: &Inputs) -> Option<[FigureCell; 6]> {
    let (now, then) = (Evaluated::new(now).ok()?, Evaluated::new(then).ok()?);
    Some(figures::cells(&then, Some(&now)))
}

/// Bisection steps: they narrow a range of some thousands to a billionth of it.
const HALVINGS: u32 = 36;

/// The smallest argument in `low..high` for which `holds`, if it holds at `high` but not at `low`.
/// `holds` must not go back once it holds.
fn threshold(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> Option<f64> {
    if holds(low) || !holds(high) {
        return None;
    }
    for _ in 0..HALVINGS {
        let middle = (low * high).sqrt();
        if holds(middle) {
            high = middle
        } else {
            low = middle
        }
    }
    Some(high)
}
