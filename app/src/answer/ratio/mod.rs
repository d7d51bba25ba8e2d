//! What the page says about attention and feed-forward on GPUs of their own.

mod charts;
mod decided;
pub mod decision;
mod figures;
mod rows;
mod verdict;

pub use charts::Asks;
pub use rows::{BundleRow, LatencyRow, MemoryRow};

use super::advice::{Levers, beyond_measured, offer, offer_of};
use super::apart;
use super::figures::FigureCell;
use super::problems::problems;
use super::sentence::Sentence;
use super::{Offer, Problem};
use crate::charts::{ApartData, RatioData, SimulatedPoint, StepsData};
use decision::Decision;
use model_core::advice::{Changed, Free, Smaller, WORTH, works};
use model_core::disagg::bundle::Bundle;
use model_core::disagg::own::{How, Way};
use model_core::disagg::ratio::{ClosedForm, Point};
use model_core::evaluate::{Evaluation, evaluate};
use model_core::scenario::refusal::Refusal;
use model_core::scenario::{Inputs, Mode, Number, Scenario};
use model_core::workload::Engine;
use std::sync::{Arc, OnceLock};
use worker::simulate::SimulateAnswer;

/// Everything the Ratio half says.
#[derive(Debug, Clone, PartialEq)]
pub struct RatioView {
    /// The decision, or of entered latencies the best ratio and why.
    pub verdict: Sentence,
    /// Why, and what helps.
    pub advice: Vec<Advice>,
    /// What helps, as a button: fewer slots, the best division.
    pub way_out: Option<WayOut>,
    /// What costs nothing and neither side tries, as buttons.
    pub offers: Vec<Offer>,
    /// The five figures.
    pub figures: [FigureCell; 5],
    /// Whether what is asked about has room.
    pub fits: bool,
    /// Whether the visitor's own GPUs are divided: entered latencies do not say what they were measured on.
    pub own: bool,
    /// Whether some division gets users their speed: else there is none to draw, to list or to simulate.
    pub reached: bool,
    /// Whether throughput is counted in tokens per dollar.
    pub per_dollar: bool,
    /// "Together or apart?"
    pub apart: Arc<ApartData>,
    /// "How many for each?"
    pub ratio: Arc<RatioData>,
    /// "Who waits?", its lower half alone.
    pub waits: Arc<RatioData>,
    /// "What happens in a step?"
    pub steps: Arc<StepsData>,
    /// Divisions near the best one, in rows.
    pub bundles: Vec<BundleRow>,
    /// What a click on the n-th point of *How many for each?* states.
    pub asks: Asks,
    /// What the same plan would serve with as many GPUs as it takes; empty of entered latencies.
    pub open: String,
    /// The three latencies in words.
    pub latencies: Vec<LatencyRow>,
    /// What is assumed of the lengths, where it needs saying.
    pub lengths: String,
    /// Why the simulation differs from what is derived; empty until there is one.
    pub gap: String,
}

/// Numbers to state, `None` for the default.
pub type Stated = Vec<(Number, Option<f64>)>;

/// A piece of the line under the verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// What it says.
    pub says: Sentence,
    /// Whether a phone goes without it.
    pub wide: bool,
}

/// A change that helps.
#[derive(Debug, Clone, PartialEq)]
pub struct WayOut {
    /// What to state.
    pub numbers: Stated,
    /// On the button.
    pub words: String,
}

/// A bundle with everything the half asks of the model, asked once: verdict, figures, charts and tables speak of it,
/// whatever is simulated beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluated {
    /// Decoding alone, as both sides are compared.
    inputs: Inputs,
    /// What is asked about: a division of the GPUs, else the open bundle.
    bundle: Bundle,
    /// The bundle that takes as many GPUs as it likes.
    open: Bundle,
    /// Its answer, once it is asked for: a division of the GPUs says nothing of it.
    answer: OnceLock<ClosedForm>,
    /// The ratio at which two of its batches in flight reach most.
    in_flight: Point,
    asked: Point,
    /// The same GPUs together or apart, where latencies are theirs.
    decision: Option<Decision>,
    /// Both sides on twice the link, where messages set the pace.
    doubled: Option<Doubled>,
    /// Dollars per GPU-hour, where that is what counts.
    price: Option<f64>,
    /// Whether the scenario reads prompts in the engine that decodes, which neither side here does.
    prompts: bool,
    /// What costs nothing and serves clearly more than either side, which both keep what it changes: what rests on nothing
    /// first.
    levers: Vec<Free>,
    /// Several instances on the same GPUs, where they serve clearly more than either side.
    smaller: Option<Smaller>,
    /// Tokens per second and GPU of the best plan of a measured kind, which the other views name, where together's is of none.
    measured: Option<f64>,
}

/// What either side would serve if the link that sets the pace were twice as fast.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Doubled {
    together: Option<Way>,
    apart: Option<Way>,
}

impl Evaluated {
    /// Of `inputs`, counted in tokens per dollar, where there is a price, or per second.
    pub fn new(inputs: &Inputs, per_dollar: bool) -> Result<Self, Vec<Problem>> {
        Self::checked(inputs, per_dollar).map_err(|refusals| problems(inputs, &refusals))
    }

    fn checked(inputs: &Inputs, per_dollar: bool) -> Result<Self, Vec<Refusal>> {
        let prompts = inputs.engine == Engine::Aggregated;
        let stated = inputs;
        // What is impossible with its prompts is not answered without.
        if prompts {
            stated.scenario()?;
        }
        let inputs = &inputs.decoding();
        let mut open = inputs.bundle_before_lines()?;
        let decision = open.derived.and_then(|_| Decision::of(inputs));
        let own = decision.as_ref().and_then(|decision| {
            let parts = decision.asked?;
            Some((parts.bundle(inputs)?, parts.point))
        });
        let (bundle, asked) = own.unwrap_or_else(|| {
            open = open.with_lines();
            (open, open.asked())
        });
        let in_flight = open.best_in_flight();
        let finite = |point: &Point| {
            point.per_weight.is_finite() && point.per_weight > 0.0 && point.tpot.get().is_finite()
        };
        if !(finite(&in_flight) && finite(&asked)) {
            return Err(vec![Refusal::NotFinite]);
        }
        // Levers are of the scenario as it is stated: beside sides that read no prompts they have no number.
        let levers = { open.derived }
            .filter(|_| !prompts || decision.is_none())
            .map(|_| Levers::of(stated));
        let priced = inputs.get(Number::Price).filter(|price| *price > 0.0);
        Ok(Self {
            inputs: *inputs,
            bundle,
            open,
            answer: OnceLock::new(),
            in_flight,
            asked,
            price: priced.filter(|_| per_dollar && decision.is_some()),
            doubled: decision
                .as_ref()
                .and_then(|decision| decided::doubled(inputs, &bundle, decision)),
            levers: levers
                .as_ref()
                .map_or_else(Vec::new, |levers| match &decision {
                    Some(of) => levers
                        .iter()
                        .copied()
                        .filter(|free| held(free, of))
                        .collect(),
                    None => levers.first().copied().into_iter().collect(),
                }),
            smaller: { levers.as_ref() }.and_then(|levers| in_instances(levers, decision.as_ref())),
            measured: { levers.as_ref().zip(decision.as_ref()) }
                .and_then(|(levers, decision)| measured(inputs, levers, decision)),
            decision,
            prompts,
        })
    }

    /// The closed form of the open bundle.
    fn answer(&self) -> &ClosedForm {
        self.answer.get_or_init(|| self.open.with_lines().answer())
    }

    /// Whether instances are counted in GPUs.
    const fn per_gpu(&self) -> bool {
        self.open.derived.is_some()
    }

    /// Whether what is asked about is the best there is, of an open bundle to a percent.
    fn at_best(&self) -> bool {
        match &self.decision {
            Some(decision) => decision.at_best(),
            None => (self.asked.ratio / self.answer().best.ratio - 1.0).abs() < 0.01,
        }
    }

    /// Whether the GPUs hold the model neither together nor in any division.
    const fn no_room(&self) -> bool {
        self.per_gpu() && self.decision.is_none()
    }

    /// What apart serves over together once it is simulated, of the best division.
    fn simulated(&self, simulated: Option<&SimulatedPoint>) -> Option<f64> {
        let decision = self.decision.as_ref().filter(|best| best.at_best())?;
        Some(simulated?.rate / self.counted(decision.together?.per_gpu))
    }

    /// Whether some division gets users their speed; of entered latencies none is asked for.
    fn reached(&self) -> bool {
        let decision = self.decision.as_ref();
        decision.is_none_or(|decision| decision.apart.is_some())
    }

    /// Throughput per GPU in what is counted.
    fn counted(&self, per_gpu: f64) -> f64 {
        self.price.map_or(per_gpu, |price| per_gpu * 3600.0 / price)
    }

    /// What the half says, with what has been simulated of exactly these inputs.
    pub fn view(&self, simulated: Option<&SimulateAnswer>) -> RatioView {
        let memory = rows::memory(self);
        let charts = charts::charts(self, simulated);
        let factor = self.simulated(charts.ratio.now.simulated.as_ref());
        RatioView {
            verdict: verdict::sentence(self, &memory, factor),
            advice: verdict::advice(self, &memory)
                .into_iter()
                .chain(decided::straggling(
                    self,
                    charts.ratio.now.simulated.as_ref(),
                ))
                .collect(),
            way_out: verdict::way_out(self, &memory),
            offers: { self.levers.iter().map(offer) }
                .chain(self.smaller.iter().map(offer_of))
                .filter(|_| verdict::told(self, &memory))
                .collect(),
            figures: figures::figures(self, simulated),
            fits: memory.iter().all(|half| half.fits),
            own: self.per_gpu(),
            reached: self.reached(),
            per_dollar: self.price.is_some(),
            apart: Arc::new(apart::of_decision(
                &self.inputs,
                self.decision.as_ref(),
                self.price.is_some(),
                self.prompts,
                factor,
            )),
            ratio: Arc::new(charts.ratio),
            waits: Arc::new(charts.waits),
            steps: Arc::new(charts.steps),
            asks: charts.asks,
            bundles: rows::bundles(self),
            open: rows::open(self),
            latencies: rows::latencies(self),
            lengths: rows::lengths(self),
            gap: simulated.map_or_else(String::new, rows::gap),
        }
    }
}

/// Whether a lever is of what neither side tries – weights as released, a smaller cache, no copies, a draft – and worth a
/// change from both with users as fast as here.
fn held(free: &Free, decision: &Decision) -> bool {
    let Changed {
        draft,
        cache,
        precision,
        copies,
        ..
    } = free.changed;
    let ways = [decision.together, decision.apart].into_iter().flatten();
    let most = ways.fold(0.0, |most: f64, way| most.max(way.per_gpu));
    (draft || cache || precision || copies)
        && free.evaluation.tokens_per_gpu >= WORTH * most
        && free.evaluation.tokens_per_user >= decision.users
}

/// The levers' several instances, where they serve clearly more than either side with users as fast.
fn in_instances(levers: &Levers, decision: Option<&Decision>) -> Option<Smaller> {
    let smaller = levers.smaller?;
    let Evaluation {
        tokens_per_gpu,
        tokens_per_user,
        ..
    } = smaller.each.evaluation;
    let worth = decision.is_none_or(|decision| {
        let ways = [decision.together, decision.apart].into_iter().flatten();
        tokens_per_user >= decision.users
            && ways
                .into_iter()
                .all(|way| tokens_per_gpu >= WORTH * way.per_gpu)
    });
    worth.then_some(smaller)
}

/// What the best plan of a measured kind serves each GPU at the same speed, where together's best is of another kind: as
/// the other views have it, or now.
fn measured(inputs: &Inputs, levers: &Levers, decision: &Decision) -> Option<f64> {
    let sure = |scenario: &Scenario| !beyond_measured(&scenario.calibration, scenario.plan.spec());
    let now = inputs.scenario().ok()?;
    let How::Together(spec) = decision.together?.how else {
        return None;
    };
    if !beyond_measured(&now.calibration, &spec) {
        return None;
    }
    let evaluation = match &levers.free {
        Some(free) if !(free.changed.precision || free.changed.copies) => {
            sure(&free.scenario).then_some(free.evaluation)
        }
        Some(_) => None,
        None => evaluate(&now)
            .ok()
            .filter(|evaluation| sure(&now) && works(&now, evaluation)),
    }?;
    (evaluation.tokens_per_user >= decision.users).then_some(evaluation.tokens_per_gpu)
}

/// The link whose simulation belongs to these inputs.
pub fn simulated_link(inputs: &Inputs) -> String {
    let mut asked = *inputs;
    asked.mode = Mode::Simulate;
    model_core::permalink::write_inputs(&asked)
}

/// What the half says about `inputs`, with what has been simulated of exactly these inputs; counted in tokens
/// per dollar, where there is a price, or per second.
pub fn ratio_view(
    inputs: &Inputs,
    simulated: Option<&SimulateAnswer>,
    per_dollar: bool,
) -> Result<RatioView, Vec<Problem>> {
    Ok(Evaluated::new(inputs, per_dollar)?.view(simulated))
}
