//! Explore: what limits this deployment, and what helps.
//!
//! The page draws a [`FirstScreen`]; it never calls the model itself.

pub mod bandwidth;
mod drafts;
mod latency;
mod memory;
mod pareto;
mod roofline;
#[cfg(test)]
mod tests;
pub mod timeline;
pub mod waterfall;

use crate::around::Around;
use crate::case::Evaluated;
use crate::chart::Chart;
use crate::charts::{LatencyData, MeasuredMark, MemoryData, RooflineData};
use crate::figures::{self, FigureCell};
use crate::problems::{self, Problem};
use crate::states;
use crate::words::format;
use crate::words::headline::Headline;
pub use drafts::{BATCH as DRAFT_BATCH, DRAFTS};
pub use pareto::BATCH;
pub use timeline::Timelines;

use crate::compare::difference;
use crate::theme::Role;
use model_core::account::{Explained, Quantity as Opens};
use model_core::compare::Quantity;
use model_core::evaluate::{EAGER_PREFILL_MICROS, evaluate};
use model_core::extrapolation::{Extrapolation, extrapolations};
use model_core::inputs::Inputs;
use model_core::permalink::FigureId;
use model_core::refusal::Refusal;
use std::sync::Arc;

/// Answer of the page about the current inputs and the pinned scenario.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The scenario is valid.
    Possible(Box<FirstScreen>),
    /// The scenario is invalid; shown next to the control that caused it.
    Impossible(Vec<Problem>),
}

/// Content of the first screen.
#[derive(Debug, Clone, PartialEq)]
pub struct FirstScreen {
    /// The one sentence.
    pub headline: Headline,
    /// The four figures.
    pub figures: [FigureCell; 4],
    /// Notes below the figures: prompts outside CUDA graphs, drafts that may be a loss.
    pub notes: Vec<String>,
    /// Everything fits in memory; if not, every figure but memory is "if it fit".
    pub fits: bool,
    /// "Where does the step time go?"
    pub latency: Arc<LatencyData>,
}

/// Charts of the batch that fits and the best one, and the roofline, in a separate part.
#[derive(Debug, Clone, PartialEq)]
pub struct Sizing {
    /// "Is the batch size right?"
    pub pareto: Arc<Chart>,
    /// "Does it fit?"
    pub memory: Arc<MemoryData>,
    /// "Compute or memory?"
    pub roofline: Arc<RooflineData>,
}

/// Charts further down in Explore, in a separate part.
#[derive(Debug, Clone, PartialEq)]
pub struct Below {
    /// "What overlaps?", of each kind of layer.
    pub timelines: Timelines,
    /// "What changed since A?", for each quantity in the order of its switch.
    pub changed: [Arc<Chart>; Quantity::ALL.len()],
}

impl FirstScreen {
    /// A chart of it by its identifier.
    pub fn figure(&self, id: FigureId) -> Option<Arc<Chart>> {
        (id == FigureId::Breakdown).then(|| self.latency.chart())
    }

    /// The number that a hit of "Where does the step time go?" opens: a part of the step, or all of it.
    pub fn opens(&self, hit: usize) -> Option<Explained> {
        if self.latency.is_limit(hit) {
            return Some(Explained::Quantity(Opens::Tpot));
        }
        let quantity = match self.latency.part(hit)? {
            Role::Attention => Opens::Attention,
            Role::Dense => Opens::Dense,
            Role::Experts => Opens::Experts,
            Role::Head => Opens::Head,
            Role::Messages => Opens::Communication,
            Role::Overhead => Opens::Overhead,
            Role::Prompts => Opens::Tpot,
            _ => return None,
        };
        Some(Explained::Quantity(quantity))
    }
}

impl Sizing {
    /// The number that a hit of "Compute or memory?" opens: an operator.
    pub fn opens(&self, hit: usize) -> Option<Explained> {
        let number = self.roofline.operator(hit)?;
        Some(Explained::Operator(u8::try_from(number).ok()?))
    }
}

/// The batch's charts, compared with `pinned` if it is valid, with measured systems laid over; `None` where `inputs`
/// is invalid.
pub fn sizing(
    inputs: &Inputs,
    pinned: Option<&Inputs>,
    measured: &[MeasuredMark],
) -> Option<Sizing> {
    let case = Evaluated::new(inputs).ok()?;
    let pinned = pinned.and_then(|pinned| Evaluated::new(pinned).ok());
    Some(Sizing {
        pareto: Arc::new(pareto::chart(&case, pinned.as_ref(), measured)),
        memory: Arc::new(memory::data(&case, pinned.as_ref())),
        roofline: Arc::new(roofline::data(&case, pinned.as_ref())),
    })
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
        notes: eager(&case).into_iter().chain(loss(&case)).collect(),
        fits: case.evaluation.memory.fits(),
        latency: Arc::new(latency::data(&case, pinned)),
    }))
}

/// The charts further down, compared with `pinned` if it is valid; `None` where `inputs` is not.
pub fn below(inputs: &Inputs, pinned: Option<&Inputs>) -> Option<Below> {
    let case = Evaluated::new(inputs).ok()?;
    let pinned = pinned.and_then(|pinned| Evaluated::new(pinned).ok());
    Some(Below {
        timelines: timeline::data(&case, pinned.as_ref()),
        changed: waterfall::charts(&case, pinned.as_ref()),
    })
}

/// Throughput with 0 to 4 draft tokens over the batch; `None` where `inputs` are invalid. Every number of drafts has half
/// of a correction by measurements, as levers do.
pub fn drafts(inputs: &Inputs, pinned: Option<&Inputs>) -> Option<Chart> {
    let pinned = pinned.and_then(|pinned| Evaluated::new(&pinned.like_others()).ok());
    Some(drafts::chart(
        &Evaluated::new(&inputs.like_others()).ok()?,
        pinned.as_ref(),
    ))
}

/// Most characters of A's difference in a headline.
const LONGEST_NAME: usize = 20;

/// Headline: an error, else the comparison with A, else the bottleneck.
fn headline_of(case: &Evaluated, pinned: Option<&Evaluated>) -> Headline {
    let compared = || {
        let pinned = pinned?;
        let named = difference(&case.inputs, &pinned.inputs);
        Some(Headline::Compared {
            pinned: named.filter(|named| named.chars().count() <= LONGEST_NAME),
            throughput: case.evaluation.tokens_per_gpu / pinned.evaluation.tokens_per_gpu,
            users: case.evaluation.tokens_per_user / pinned.evaluation.tokens_per_user,
            fits: pinned.evaluation.memory.fits(),
        })
    };
    states::trouble(case)
        .or_else(compared)
        .unwrap_or_else(|| states::bottleneck(&case.scenario, &case.evaluation))
}

/// Note of aggregated prefill whose host time is not set: "If your engine reads prompts outside CUDA graphs: 21.4 ms
/// instead of 17.2 ms (prefill_us=1350)".
fn eager(case: &Evaluated) -> Option<String> {
    let [eager, _] = case.evaluation.prefill_ends(&case.scenario)?.eager?;
    Some(format!(
        "If your engine reads prompts outside CUDA graphs: {} instead of {} (prefill_us={EAGER_PREFILL_MICROS})",
        format::millis(eager.get()),
        format::millis(case.evaluation.tpot.get()),
    ))
}

/// "MTP 3 gains 1.2×, within the error band: it may be a loss", or that it is one.
fn loss(case: &Evaluated) -> Option<String> {
    let gain = Around::draft_gain(&case.inputs, &case.scenario, &case.evaluation)?;
    let depth = case.scenario.workload.speculation.depth;
    let factor = format::factor(gain.factor);
    match gain.factor < 1.0 {
        true => Some(format!(
            "MTP {depth} is a loss: {factor} throughput than without drafts"
        )),
        false => gain.may_be_loss().then(|| {
            format!("MTP {depth} gains {factor}, within the error band: it may be a loss")
        }),
    }
}

/// The scenario now and after a change, each with half of a correction by measurements, as levers are compared.
fn alike(now: &Inputs, then: &Inputs) -> Option<[Evaluated; 2]> {
    let of = |inputs: &Inputs| Evaluated::new(&inputs.like_others()).ok();
    Some([of(now)?, of(then)?])
}

/// Figures with a lever applied, compared with the present ones.
pub fn preview(now: &Inputs, then: &Inputs) -> Option<Vec<FigureCell>> {
    let [now, then] = alike(now, then)?;
    Some(figures::cells(&then, Some(&now)).into())
}

/// "Where does the step time go?" with the step after a change as an outline; `None` where either is invalid.
pub fn previewed_step(now: &Inputs, then: &Inputs) -> Option<Arc<Chart>> {
    let [now, then] = alike(now, then)?;
    let mut data = latency::data(&now, Some(&then));
    if let Some(pinned) = &mut data.pinned {
        pinned.previewed = true;
    }
    Some(Arc::new(data).chart())
}

/// Extrapolated parts of the scenario.
pub fn extrapolated(inputs: &Inputs) -> Vec<&'static str> {
    let Ok(case) = Evaluated::new(inputs) else {
        return Vec::new();
    };
    extrapolations(&case.scenario, &case.evaluation)
        .map(Extrapolation::words)
        .collect()
}

/// True for an accelerator with neither measured kernels nor runs.
pub fn unmeasured(inputs: &Inputs) -> bool {
    let around = |case: Evaluated| Around::of(&case.inputs, &case.scenario, &case.evaluation);
    let around = Evaluated::new(inputs).ok().and_then(around);
    around.is_some_and(|around| around.is_unmeasured())
}

/// Reason why metrics are at an end of the error bands below them.
pub fn biased(inputs: &Inputs) -> Option<&'static str> {
    Around::bias(inputs)
}
