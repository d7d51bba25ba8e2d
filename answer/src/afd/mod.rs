//! The mode *AFD ratio*: attention and FFN on separate GPUs.

mod apart;
mod curve;
pub mod decision;
mod figures;
pub mod progress;
mod rows;
mod simulated;
pub mod steps;

pub use curve::Asks;
pub use rows::{BundleRow, LatencyRow};
pub use simulated::SimulatedSide;

use super::figures::FigureCell;
use super::problems::problems;
use super::{Evaluated as Scenario, Problem};
use crate::chart::Chart;
use crate::explain::OpeningChart;
use crate::states::trouble;
use crate::theme::Role;
use crate::words::headline::{AfdComparison, Disaggregation, Headline, of_pinned};
use crate::words::sentence::Sentence;
use decision::Decision;
use model_core::account::{Explained, Quantity};
use model_core::afd::bundle::Bundle;
use model_core::afd::decision::ShownUnit;
use model_core::afd::ratio::{ClosedForm, RatioPoint as Point};
use model_core::inputs::{Inputs, Number};
use model_core::permalink::FigureId;
use model_core::refusal::Refusal;
use model_core::turning::Contest;
use model_core::workload::Engine;
use std::sync::{Arc, OnceLock};
use worker::simulate::SimulateAnswer;

/// Everything that the mode *AFD ratio* shows.
#[derive(Debug, Clone, PartialEq)]
pub struct RatioView {
    /// The verdict on colocated vs. AFD or, with entered latencies, the best A:F ratio.
    pub headline: Headline,
    /// The five key figures of the mode *AFD ratio*.
    pub figures: [FigureCell; 5],
    /// For each key figure, the quantity that a click on it explains.
    pub figure_opens: [Option<Quantity>; 5],
    /// True if latencies are derived from the user’s GPUs. False if latencies are entered; the GPUs are then unknown.
    pub own: bool,
    /// True if there is an A:F split to draw, list and simulate.
    pub divided: bool,
    /// The chart "Colocated or disaggregated?".
    pub apart: Arc<Chart>,
    /// The chart "Which A:F ratio?".
    pub ratio: Arc<Chart>,
    /// The chart "What happens in a step?".
    pub steps: OpeningChart,
    /// Table rows of the A:F splits near the best one.
    pub bundles: Vec<BundleRow>,
    /// The inputs that a click on each point of the chart *Which A:F ratio?* sets.
    pub asks: Asks,
    /// Table rows with the latencies of attention, communication and the FFN.
    pub latencies: Vec<LatencyRow>,
    /// Assumptions about the request lengths.
    pub lengths: String,
    /// Reason for the gap between simulated and closed-form throughput; empty without a simulation.
    pub gap: String,
    /// The headline sentence of the pinned scenario, based on closed-form results.
    pub pinned: Option<Sentence>,
    /// Simulated and closed-form AFD results and the reason why they differ; `None` unless the headline uses the
    /// simulation.
    pub simulated: Option<String>,
    /// The comparison of colocated with AFD, used to search for its turning points (inputs at which the winner
    /// changes). `None` with entered latencies, or if neither side is feasible.
    pub contest: Option<Contest>,
}

impl RatioView {
    /// Returns the number that a click on hover target `hit` of chart `id` explains; `None` for charts other than
    /// [`FigureId::Steps`].
    pub fn opens(&self, id: FigureId, hit: usize) -> Option<Explained> {
        (id == FigureId::Steps).then(|| self.steps.opens(hit))?
    }

    /// Returns the chart with this identifier; `None` if the mode has no such chart.
    pub fn figure(&self, id: FigureId) -> Option<Arc<Chart>> {
        Some(match id {
            FigureId::Apart => Arc::clone(&self.apart),
            FigureId::Ratio => Arc::clone(&self.ratio),
            FigureId::Steps => Arc::clone(&self.steps.chart),
            _ => return None,
        })
    }
}

/// Inputs to set; `None` resets an input to its default.
pub type Stated = Vec<(Number, Option<f64>)>;

/// An xAyF unit with all computed results that the mode *AFD ratio* needs, except simulations.
#[derive(Debug, Clone, PartialEq)]
pub struct EvaluatedUnit {
    /// The scenario's inputs without prefill, since colocated and AFD are compared in decode only.
    inputs: Inputs,
    /// The scenario's inputs as the user set them, with prefill.
    stated: Inputs,
    /// The A:F split shown or, with entered latencies, the xAyF unit.
    bundle: Bundle,
    /// The closed-form results of the xAyF unit, computed when first needed. They are not needed for splits of the
    /// user’s GPUs.
    answer: OnceLock<ClosedForm>,
    asked: Point,
    /// The comparison of colocated with AFD; `None` unless latencies are derived from the GPUs.
    decision: Option<Decision>,
    /// The headline that explains the problem if neither colocated nor AFD is feasible.
    trouble: Option<Headline>,
    /// True if the scenario has aggregated prefill, which the comparison omits for both colocated and AFD.
    prompts: bool,
}

impl EvaluatedUnit {
    /// Evaluates `inputs` in the mode *AFD ratio*.
    pub fn new(inputs: &Inputs) -> Result<Self, Vec<Problem>> {
        Self::checked(inputs).map_err(|refusals| problems(inputs, &refusals))
    }

    fn checked(stated: &Inputs) -> Result<Self, Vec<Refusal>> {
        let prompts = stated.engine == Engine::Aggregated;
        // If the scenario is invalid with its prefill, return that error instead of evaluating decode alone.
        if prompts {
            stated.scenario()?;
        }
        let ShownUnit {
            bundle,
            point: asked,
            decision,
        } = ShownUnit::of(stated)?;
        let neither = |of: &Decision| of.colocated.is_none() && of.afd.is_none();
        let trouble = { decision.as_ref().filter(|of| neither(of)) }
            .and_then(|_| trouble(&Scenario::new(stated).ok()?));
        Ok(Self {
            inputs: stated.decoding(),
            stated: *stated,
            bundle,
            answer: OnceLock::new(),
            asked,
            decision,
            trouble,
            prompts,
        })
    }

    fn answer(&self) -> &ClosedForm {
        self.answer
            .get_or_init(|| self.bundle.with_lines().answer())
    }

    /// True if ranks consist of known GPUs, so that throughput is counted per GPU.
    const fn per_gpu(&self) -> bool {
        self.bundle.derived.is_some()
    }

    /// True if the A:F ratio shown is within 1% of the best one for the entered latencies.
    fn at_best(&self) -> bool {
        (self.asked.ratio / self.answer().best.ratio - 1.0).abs() < 0.01
    }

    /// True if there is an A:F split to show, which is always so with entered latencies.
    fn has_division(&self) -> bool {
        let decision = self.decision.as_ref();
        decision.is_none_or(|decision| decision.asked.is_some())
    }

    /// For each key figure, returns the quantity that a click on it explains.
    fn opens(&self, simulated: Option<&SimulatedSide>) -> [Option<Quantity>; 5] {
        let unit = |quantity| Some(quantity).filter(|_| self.has_division());
        let [first, second, third] = match &self.decision {
            Some(decision) => [
                decision.colocated.map(|_| Quantity::AfdColocated),
                match simulated {
                    Some(_) => Some(Quantity::AfdSimulated),
                    None => decision.afd.map(|_| Quantity::AfdPerGpu),
                },
                unit(Quantity::AfdRatio),
            ],
            None if self.per_gpu() => [None, Some(Quantity::AfdPerGpu), Some(Quantity::AfdTpot)],
            None => [
                Some(Quantity::AfdBestRatio),
                Some(Quantity::AfdPerRank),
                Some(Quantity::AfdTpot),
            ],
        };
        let idle = [Quantity::AfdIdleAttention, Quantity::AfdIdleFfn].map(unit);
        [first, second, third, idle[0], idle[1]]
    }

    fn headline(&self, simulated: Option<&SimulatedSide>) -> Headline {
        let Some(decision) = &self.decision else {
            return best_ratio(self.answer());
        };
        if let Some(trouble) = &self.trouble {
            return trouble.clone();
        }
        let deployed = decision.asked.map_or_else(
            || "AFD".to_owned(),
            |parts| format!("AFD {}", decision::name(&parts)),
        );
        Headline::Disaggregated(AfdComparison {
            mode: Disaggregation::Afd,
            deployed,
            users: decision.users,
            colocated: decision.colocated.map(|way| way.per_gpu),
            disaggregated: match simulated {
                Some(side) => side.meets.then_some(side.per_gpu),
                None => decision.afd.map(|way| way.per_gpu),
            },
            fits: decision.asked.is_some(),
            simulated: simulated.is_some(),
        })
    }

    /// Returns the comparison in the headline, used to search for its turning points (inputs at which the winner
    /// changes).
    fn contest(&self, simulated: Option<&SimulatedSide>) -> Option<Contest> {
        let open = self.decision.is_some() && self.trouble.is_none();
        open.then(|| Contest::Afd {
            inputs: self.stated,
            throughput: simulated.map_or(1.0, |side| side.throughput),
            interactivity: simulated.map_or(1.0, |side| side.interactivity),
        })
    }

    /// Returns everything that the mode *AFD ratio* shows. `simulated` must be the simulation of exactly these
    /// inputs. The pinned unit is compared in closed form.
    pub fn view(&self, simulated: Option<&SimulateAnswer>, pinned: Option<&Self>) -> RatioView {
        let ratio = curve::ratio(self, simulated);
        let of_asked = simulated.and_then(|answer| answer.points.first());
        let decision = self.decision.as_ref();
        let side = decision.and_then(|decision| SimulatedSide::of(decision, simulated));
        let side = side.as_ref();
        RatioView {
            headline: self.headline(side),
            figures: figures::figures(self, pinned, of_asked, side, ratio.simulated),
            figure_opens: self.opens(side),
            simulated: side.map(|side| side.reason(&self.bundle)),
            contest: self.contest(side),
            own: self.per_gpu(),
            divided: self.has_division(),
            pinned: pinned.map(|pinned| of_pinned(&pinned.headline(None))),
            apart: Arc::new(apart::chart(self, pinned, side.is_some())),
            ratio: Arc::new(ratio.chart),
            steps: steps::steps(self, simulated),
            asks: ratio.asks,
            bundles: rows::bundles(self),
            latencies: rows::latencies(self),
            lengths: rows::lengths(self),
            gap: simulated.map_or_else(String::new, rows::gap),
        }
    }
}

/// Relative difference below which the times of two stages are treated as equal.
const ALIKE: f64 = 0.005;

/// Returns the headline with the best A:F ratio and the stages (attention, communication, FFN) that are the
/// bottleneck at that ratio.
fn best_ratio(answer: &ClosedForm) -> Headline {
    let best = &answer.best;
    let parts = [
        (Role::Attention, "attention", best.attention),
        (Role::Messages, "communication", best.messages),
        (Role::Experts, "FFN", best.ffn),
    ];
    let full = |time: f64| time >= best.cycle.get() * (1.0 - ALIKE);
    Headline::BestRatio {
        ratio: best.ratio,
        pace: parts
            .into_iter()
            .filter(|(.., time)| full(time.get()))
            .map(|(role, name, _)| (role, name))
            .collect(),
        cycle_s: best.cycle.get(),
    }
}

/// Evaluates `inputs` and returns everything that the mode *AFD ratio* shows. `simulated` must be the simulation of
/// exactly these inputs.
pub fn ratio_view(
    inputs: &Inputs,
    simulated: Option<&SimulateAnswer>,
) -> Result<RatioView, Vec<Problem>> {
    Ok(EvaluatedUnit::new(inputs)?.view(simulated, None))
}

#[cfg(test)]
mod tests;
