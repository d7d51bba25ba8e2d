//! The answers of the mode *AFD ratio*: attention and FFN on separate GPUs.

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

/// Everything that the mode shows.
#[derive(Debug, Clone, PartialEq)]
pub struct RatioView {
    /// The comparison, or of entered latencies the best ratio.
    pub headline: Headline,
    /// The five figures.
    pub figures: [FigureCell; 5],
    /// The number that each of the five figures opens.
    pub figure_opens: [Option<Quantity>; 5],
    /// The visitor's own GPUs are divided; false with entered latencies, whose GPUs are unknown.
    pub own: bool,
    /// There is an A:F split to draw, to list and to simulate.
    pub divided: bool,
    /// "Colocated or AFD?"
    pub apart: Arc<Chart>,
    /// "Which A:F ratio?"
    pub ratio: Arc<Chart>,
    /// "What happens in a step?"
    pub steps: OpeningChart,
    /// Divisions near the best one, in rows.
    pub bundles: Vec<BundleRow>,
    /// The numbers that a click on the n-th row of *Which A:F ratio?* states.
    pub asks: Asks,
    /// The three latencies in words.
    pub latencies: Vec<LatencyRow>,
    /// Assumptions about the lengths.
    pub lengths: String,
    /// Reason for the gap between simulation and theory; empty without a simulation.
    pub gap: String,
    /// The sentence of the pinned scenario, in closed form.
    pub pinned: Option<Sentence>,
    /// Both numbers of AFD and the reason, where the headline's is the simulation's.
    pub simulated: Option<String>,
    /// The comparison whose turning points are of interest; `None` with entered latencies, or if neither side serves.
    pub contest: Option<Contest>,
}

impl RatioView {
    /// The number that a hit of a chart opens.
    pub fn opens(&self, id: FigureId, hit: usize) -> Option<Explained> {
        (id == FigureId::Steps).then(|| self.steps.opens(hit))?
    }

    /// A chart of it by its identifier.
    pub fn figure(&self, id: FigureId) -> Option<Arc<Chart>> {
        Some(match id {
            FigureId::Apart => Arc::clone(&self.apart),
            FigureId::Ratio => Arc::clone(&self.ratio),
            FigureId::Steps => Arc::clone(&self.steps.chart),
            _ => return None,
        })
    }
}

/// Numbers to state, `None` for the default.
pub type Stated = Vec<(Number, Option<f64>)>;

/// An xAyF unit with all results of the model that the mode needs, except simulations.
#[derive(Debug, Clone, PartialEq)]
pub struct EvaluatedUnit {
    /// Inputs without prefill, as both sides are compared.
    inputs: Inputs,
    /// The inputs as set.
    stated: Inputs,
    /// The shown A:F split, else the xAyF unit.
    bundle: Bundle,
    /// Its closed form, computed when first needed: a division of the GPUs does not need it.
    answer: OnceLock<ClosedForm>,
    asked: Point,
    /// Colocated or AFD, where latencies are derived from the GPUs.
    decision: Option<Decision>,
    /// State of both sides if neither is feasible.
    trouble: Option<Headline>,
    /// The scenario has aggregated prefill, which neither side has here.
    prompts: bool,
}

impl EvaluatedUnit {
    /// The evaluation of `inputs`.
    pub fn new(inputs: &Inputs) -> Result<Self, Vec<Problem>> {
        Self::checked(inputs).map_err(|refusals| problems(inputs, &refusals))
    }

    fn checked(stated: &Inputs) -> Result<Self, Vec<Refusal>> {
        let prompts = stated.engine == Engine::Aggregated;
        // A scenario that is invalid with its prefill is not evaluated without it.
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

    /// True if ranks are counted in GPUs.
    const fn per_gpu(&self) -> bool {
        self.bundle.derived.is_some()
    }

    /// True if the ratio shown is the best of entered latencies, to a percent.
    fn at_best(&self) -> bool {
        (self.asked.ratio / self.answer().best.ratio - 1.0).abs() < 0.01
    }

    /// True if there is an A:F split to show; always with entered latencies.
    fn has_division(&self) -> bool {
        let decision = self.decision.as_ref();
        decision.is_none_or(|decision| decision.asked.is_some())
    }

    /// The number that each figure opens.
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

    /// The comparison as the headline judges it.
    fn contest(&self, simulated: Option<&SimulatedSide>) -> Option<Contest> {
        let open = self.decision.is_some() && self.trouble.is_none();
        open.then(|| Contest::Afd {
            inputs: self.stated,
            throughput: simulated.map_or(1.0, |side| side.throughput),
            interactivity: simulated.map_or(1.0, |side| side.interactivity),
        })
    }

    /// Everything shown, with what has been simulated of exactly these inputs, compared with a pinned unit in closed
    /// form.
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

/// Relative difference below which times are equal.
const ALIKE: f64 = 0.005;

/// The best ratio and its bottleneck parts.
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

/// Everything the mode shows of `inputs`, with what has been simulated of exactly these.
pub fn ratio_view(
    inputs: &Inputs,
    simulated: Option<&SimulateAnswer>,
) -> Result<RatioView, Vec<Problem>> {
    Ok(EvaluatedUnit::new(inputs)?.view(simulated, None))
}

#[cfg(test)]
mod tests;
