//! The answers of the mode *AFD ratio*: attention and feed-forward on GPUs of their own.

mod apart;
mod charts;
pub mod decision;
mod figures;
mod rows;

pub use charts::Asks;
pub use rows::{BundleRow, LatencyRow};

use super::asked::preset;
use super::figures::FigureCell;
use super::headline::{AfdComparison, Disaggregation, Headline, trouble};
use super::problems::problems;
use super::sentence::{Sentence, Tone};
use super::{Evaluated as Scenario, Problem};
use crate::charts::{AnyFigure, ApartData, RatioData, StepsData};
use crate::format;
use crate::theme::Role;
use decision::Decision;
use model_core::disagg::bundle::Bundle;
use model_core::disagg::ratio::{ClosedForm, RatioPoint as Point};
use model_core::inputs::{Inputs, Mode, Number};
use model_core::permalink::{FigureId, View};
use model_core::refusal::Refusal;
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
    /// The visitor's own GPUs are divided; false with entered latencies, whose GPUs are unknown.
    pub own: bool,
    /// There is a division to draw, to list and to simulate.
    pub divided: bool,
    /// "Colocated or AFD?"
    pub apart: Arc<ApartData>,
    /// "How many for each?"
    pub ratio: Arc<RatioData>,
    /// "What happens in a step?"
    pub steps: Arc<StepsData>,
    /// Divisions near the best one, in rows.
    pub bundles: Vec<BundleRow>,
    /// The numbers that a click on the n-th point of *How many for each?* states.
    pub asks: Asks,
    /// The three latencies in words.
    pub latencies: Vec<LatencyRow>,
    /// Assumptions about the lengths.
    pub lengths: String,
    /// Reason for the gap between simulation and closed form; empty without a simulation.
    pub gap: String,
}

impl RatioView {
    /// A chart of it by its identifier.
    pub fn figure(&self, id: FigureId) -> Option<AnyFigure> {
        Some(match id {
            FigureId::Apart => AnyFigure::of(&self.apart),
            FigureId::Ratio => AnyFigure::of(&self.ratio),
            FigureId::Steps => AnyFigure::of(&self.steps),
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
    /// The division shown, else the xAyF unit as stated.
    bundle: Bundle,
    /// Its closed form, computed when first needed: a division of the GPUs does not need it.
    answer: OnceLock<ClosedForm>,
    asked: Point,
    /// Colocated or AFD, where latencies are derived from the GPUs.
    decision: Option<Decision>,
    /// State of both sides where neither works.
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
        let inputs = &stated.decoding();
        let open = inputs.bundle_before_lines()?;
        let decision = open.derived.and_then(|_| Decision::of(stated));
        let own = decision.as_ref().and_then(|decision| {
            let parts = decision.asked?;
            Some((parts.bundle(inputs)?, parts.point))
        });
        let (bundle, asked) = own.unwrap_or_else(|| {
            let open = open.with_lines();
            (open, open.asked())
        });
        if !(asked.per_weight.is_finite() && asked.per_weight > 0.0 && asked.tpot.get().is_finite())
        {
            return Err(vec![Refusal::NotFinite]);
        }
        let neither = |of: &Decision| of.colocated.is_none() && of.afd.is_none();
        let trouble = { decision.as_ref().filter(|of| neither(of)) }
            .and_then(|_| trouble(&Scenario::new(stated).ok()?));
        Ok(Self {
            inputs: *inputs,
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

    /// True if there is a division to show; always with entered latencies.
    fn has_division(&self) -> bool {
        let decision = self.decision.as_ref();
        decision.is_none_or(|decision| decision.asked.is_some())
    }

    fn headline(&self) -> Headline {
        let Some(decision) = &self.decision else {
            return best_ratio(&self.inputs, self.answer());
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
            disaggregated: decision.afd.map(|way| way.per_gpu),
            fits: decision.asked.is_some(),
        })
    }

    /// Everything shown, with what has been simulated of exactly these inputs.
    pub fn view(&self, simulated: Option<&SimulateAnswer>) -> RatioView {
        let charts = charts::charts(self, simulated);
        let of_asked = simulated.and_then(|answer| answer.points.first());
        RatioView {
            headline: self.headline(),
            figures: figures::figures(self, of_asked, charts.ratio.now.simulated.as_ref()),
            own: self.per_gpu(),
            divided: self.has_division(),
            apart: Arc::new(apart::data(
                &self.inputs,
                self.decision.as_ref(),
                self.prompts,
            )),
            ratio: Arc::new(charts.ratio),
            steps: Arc::new(charts.steps),
            asks: charts.asks,
            bundles: rows::bundles(self),
            latencies: rows::latencies(self),
            lengths: rows::lengths(self),
            gap: simulated.map_or_else(String::new, rows::gap),
        }
    }
}

/// Relative difference below which times count as equal.
const ALIKE: f64 = 0.005;

/// The best ratio and its bottleneck parts; for a preset with a question, its answer.
fn best_ratio(inputs: &Inputs, answer: &ClosedForm) -> Headline {
    let best = &answer.best;
    if preset(inputs, None, View::Disaggregation) == Some("r-long-prompts")
        && let Ok(usual) = inputs.without(Number::MeanPrompt).bundle()
    {
        return Headline::Answer(longer_prompts(best.ratio, usual.answer().best.ratio));
    }
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

/// "Yes: 17.3 : 1 instead of 9.32 : 1."
fn longer_prompts(now: f64, usual: f64) -> Sentence {
    let more = now > usual * (1.0 + ALIKE);
    Sentence::default()
        .then(Tone::Strong, if more { "Yes" } else { "No" })
        .say(": ")
        .then(Tone::Strong, format!("{} : 1", format::sig3(now)))
        .say(format!(" instead of {} : 1.", format::sig3(usual)))
}

/// The link whose simulation belongs to these inputs.
pub fn simulated_link(inputs: &Inputs) -> String {
    let mut asked = *inputs;
    asked.mode = Mode::Simulate;
    model_core::permalink::write_inputs(&asked)
}

/// Everything the mode shows of `inputs`, with what has been simulated of exactly these.
pub fn ratio_view(
    inputs: &Inputs,
    simulated: Option<&SimulateAnswer>,
) -> Result<RatioView, Vec<Problem>> {
    Ok(EvaluatedUnit::new(inputs)?.view(simulated))
}

#[cfg(test)]
mod tests;
