//! The view *Explore*: what limits a deployment, and what improves it.
//!
//! The page draws a [`FirstScreen`] and never calls Ridgepoint's performance model itself.

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

/// Result of Explore for the current inputs and the pinned scenario.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The scenario is valid; holds the content of the first screen.
    Possible(Box<FirstScreen>),
    /// The scenario is invalid. Each problem is shown next to the control that caused it.
    Impossible(Vec<Problem>),
}

/// Content of Explore's first screen.
#[derive(Debug, Clone, PartialEq)]
pub struct FirstScreen {
    /// One-sentence headline.
    pub headline: Headline,
    /// The four key figures.
    pub figures: [FigureCell; 4],
    /// Notes below the key figures: the TPOT if prefill runs outside CUDA graphs, and a warning if draft tokens slow,
    /// or may slow, decoding.
    pub notes: Vec<String>,
    /// True if everything fits in memory. If not, all figures except memory are marked "if it fit".
    pub fits: bool,
    /// Data of the chart "Where does the step time go?"
    pub latency: Arc<LatencyData>,
}

/// Charts about the best batch, the memory and the roofline. They are computed separately from the first screen.
#[derive(Debug, Clone, PartialEq)]
pub struct Sizing {
    /// Chart "Is the batch size right?"
    pub pareto: Arc<Chart>,
    /// Data of the chart "Does it fit?"
    pub memory: Arc<MemoryData>,
    /// Data of the chart "Compute or memory?"
    pub roofline: Arc<RooflineData>,
}

/// Charts further down in Explore. They are computed separately from the first screen.
#[derive(Debug, Clone, PartialEq)]
pub struct Below {
    /// Charts "What overlaps?", one for each type of layer.
    pub timelines: Timelines,
    /// The "What changed since A?" charts, one per quantity, in the order of the buttons that switch between them.
    pub changed: [Arc<Chart>; Quantity::ALL.len()],
}

impl FirstScreen {
    /// Returns the chart with this identifier, if it is on the first screen.
    pub fn figure(&self, id: FigureId) -> Option<Arc<Chart>> {
        (id == FigureId::Breakdown).then(|| self.latency.chart())
    }

    /// Returns the number that a click in "Where does the step time go?" explains: a part of the step, or TPOT.
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
    /// Returns the number that a click in "Compute or memory?" explains: the time of the clicked operator.
    pub fn opens(&self, hit: usize) -> Option<Explained> {
        let number = self.roofline.operator(hit)?;
        Some(Explained::Operator(u8::try_from(number).ok()?))
    }
}

/// Computes the charts about batch size, memory and the roofline, compared with `pinned` if it is valid. Measured
/// systems are overlaid on the batch-size chart. Returns `None` if `inputs` are invalid.
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

/// Returns the errors in `inputs`, without computing charts; empty if the inputs are valid.
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

/// Computes Explore's first screen for `inputs`, compared with `pinned` if it is valid.
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

/// Computes the charts further down in Explore, compared with `pinned` if it is valid. Returns `None` if `inputs` are
/// invalid.
pub fn below(inputs: &Inputs, pinned: Option<&Inputs>) -> Option<Below> {
    let case = Evaluated::new(inputs).ok()?;
    let pinned = pinned.and_then(|pinned| Evaluated::new(pinned).ok());
    Some(Below {
        timelines: timeline::data(&case, pinned.as_ref()),
        changed: waterfall::charts(&case, pinned.as_ref()),
    })
}

/// Draws throughput with 0 to 4 draft tokens vs. batch size. Returns `None` if `inputs` are invalid. All curves use
/// only half of the correction from measurements, like the table of levers.
pub fn drafts(inputs: &Inputs, pinned: Option<&Inputs>) -> Option<Chart> {
    let pinned = pinned.and_then(|pinned| Evaluated::new(&pinned.like_others()).ok());
    Some(drafts::chart(
        &Evaluated::new(&inputs.like_others()).ok()?,
        pinned.as_ref(),
    ))
}

/// Maximum length, in characters, of the part of a headline that describes how scenario A differs.
const LONGEST_NAME: usize = 20;

/// Returns the headline: an error if any, else the comparison with the pinned scenario A, else the bottleneck.
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

/// Returns a note for aggregated prefill whose host time is not set. Example: "If your engine runs prefill outside
/// CUDA graphs: TPOT 21.4 ms instead of 17.2 ms (prefill_us=1350)".
fn eager(case: &Evaluated) -> Option<String> {
    let [eager, _] = case.evaluation.prefill_ends(&case.scenario)?.eager?;
    Some(format!(
        "If your engine runs prefill outside CUDA graphs: TPOT {} instead of {} (prefill_us={EAGER_PREFILL_MICROS})",
        format::millis(eager.get()),
        format::millis(case.evaluation.tpot.get()),
    ))
}

/// Returns a note if drafts are a loss or may be one: "MTP 3 gains 1.2×, within the error band: it may be a loss".
fn loss(case: &Evaluated) -> Option<String> {
    let gain = Around::draft_gain(&case.inputs, &case.scenario, &case.evaluation)?;
    let depth = case.scenario.workload.speculation.depth;
    let factor = format::factor(gain.factor);
    match gain.factor < 1.0 {
        true => Some(format!(
            "MTP {depth} is a loss: {factor} the throughput without drafts"
        )),
        false => gain.may_be_loss().then(|| {
            format!("MTP {depth} gains {factor}, within the error band: it may be a loss")
        }),
    }
}

/// Evaluates the scenario before and after a change. Both evaluations use half of the correction from measurements,
/// like the table of levers.
fn alike(now: &Inputs, then: &Inputs) -> Option<[Evaluated; 2]> {
    let of = |inputs: &Inputs| Evaluated::new(&inputs.like_others()).ok();
    Some([of(now)?, of(then)?])
}

/// Returns the key figures after a change (a lever), compared with the current ones; `None` if either scenario is
/// invalid.
pub fn preview(now: &Inputs, then: &Inputs) -> Option<Vec<FigureCell>> {
    let [now, then] = alike(now, then)?;
    Some(figures::cells(&then, Some(&now)).into())
}

/// Draws "Where does the step time go?" with the step time after a change as an outline. Returns `None` if either
/// scenario is invalid.
pub fn previewed_step(now: &Inputs, then: &Inputs) -> Option<Arc<Chart>> {
    let [now, then] = alike(now, then)?;
    let mut data = latency::data(&now, Some(&then));
    if let Some(pinned) = &mut data.pinned {
        pinned.previewed = true;
    }
    Some(Arc::new(data).chart())
}

/// Returns the names of the scenario's parts whose performance is extrapolated.
pub fn extrapolated(inputs: &Inputs) -> Vec<&'static str> {
    let Ok(case) = Evaluated::new(inputs) else {
        return Vec::new();
    };
    extrapolations(&case.scenario, &case.evaluation)
        .map(Extrapolation::words)
        .collect()
}

/// True if no kernels and no runs were measured on the accelerator.
pub fn unmeasured(inputs: &Inputs) -> bool {
    let around = |case: Evaluated| Around::of(&case.inputs, &case.scenario, &case.evaluation);
    let around = Evaluated::new(inputs).ok().and_then(around);
    around.is_some_and(|around| around.is_unmeasured())
}

/// Returns the reason why the key figures are at one end of their error bands; `None` if they are not.
pub fn biased(inputs: &Inputs) -> Option<&'static str> {
    Around::bias(inputs)
}
