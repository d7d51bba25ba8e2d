//! Defaults of version 3: as a careful engineer starts.
//!
//! They follow the model, the accelerator and set numbers, never a computed time.

use super::{Inputs, Model, Number};
use crate::arch::params::parameters;
use crate::arch::{Ffn, Mixer};
use crate::cost::memory::{batch_capacity, memory};
use crate::engine_memory::Habits;
use crate::plan::{Overlap, PlanSpec, least_experts_placed};
use crate::scenario::Scenario;
use crate::units::Bytes;

/// Share of the memory left by `reserve` that weights may take on several GPUs.
const WEIGHTS: f64 = 0.7;
/// Redundant experts of wide expert parallelism. Source: DeepSeek-V3 technical report, 3.4.2.
const REDUNDANT: u32 = 32;
/// Balancedness of experts over several GPUs.
const BETA: f64 = 0.8;
/// Most sequences of an attention group with experts, and of one without.
const SEQUENCES: (f64, f64) = (256.0, 64.0);
/// Least sequences of an attention group that are worth two micro-batches.
const TWO_BATCHES: f64 = 64.0;

/// Numbers of a plan, each after those that it follows.
const PLAN: [Number; 6] = [
    Number::Gpus,
    Number::Pp,
    Number::Tp,
    Number::Dp,
    Number::Ep,
    Number::FfnTp,
];

/// Numbers of a deployment, its GPUs aside: they follow the model and the accelerator where nobody states them.
const DEPLOYMENT: [Number; 11] = [
    Number::Replicas,
    Number::Beta,
    Number::Redundant,
    Number::Dp,
    Number::Tp,
    Number::Kvp,
    Number::FfnTp,
    Number::Ep,
    Number::Pp,
    Number::Reserve,
    Number::EngineGib,
];

impl Inputs {
    /// The same model, accelerator and workload in a deployment of defaults; `on_gpus`: on the same GPUs. Before
    /// version 3, which has no such defaults, the same inputs.
    #[must_use]
    pub fn restarted(mut self, on_gpus: bool) -> Self {
        if !self.version.starts_as_engines_do() {
            return self;
        }
        let gpus = (!on_gpus).then_some(Number::Gpus);
        for number in DEPLOYMENT.into_iter().chain(gpus) {
            self.state(number, None);
        }
        self.overlap = None;
        self
    }

    /// Default of a number in version 3 where it differs from earlier ones; `None` where it does not.
    pub(super) fn start_of(&self, number: Number) -> Option<f64> {
        match number {
            Number::Gpus => Some(f64::from(self.fewest_gpus())),
            Number::Batch => Some(self.start_batch()),
            Number::Chunk => Some(Habits::pass_tokens(self.accelerator().usable)),
            Number::Beta => Some(if self.get(Number::Ep) == Some(1.0) {
                1.0
            } else {
                BETA
            }),
            Number::Redundant => {
                let ep = self.get(Number::Ep).unwrap_or(1.0) as u32;
                let wide = ep > PlanSpec::NARROW_EP;
                Some(f64::from(if wide { self.redundant_wide() } else { 0 }))
            }
            Number::Pp => Some(f64::from(self.start_stages())),
            Number::Tp => self.start_tp().map(f64::from),
            Number::Dp => self
                .share(&[Number::Tp, Number::Kvp, Number::Pp])
                .map(f64::from),
            Number::Ep => self.start_ep().map(f64::from),
            Number::FfnTp if self.model.arch().is_moe() => {
                self.share(&[Number::Ep, Number::Pp]).map(f64::from)
            }
            _ => None,
        }
    }

    /// The inputs with every default that other numbers follow stated, so that it is computed once.
    #[must_use]
    pub fn settled(&self) -> Self {
        let mut settled = *self;
        if !self.version.starts_as_engines_do() {
            return settled;
        }
        for number in PLAN.into_iter().chain([Number::Batch]) {
            settled.state(number, settled.get(number));
        }
        settled.overlap = Some(settled.schedule());
        settled
    }

    /// True if every number of the plan stays as it is once this one is left to its default, which others may follow.
    pub(super) fn plan_stands_without(&self, number: Number) -> bool {
        let mut without = *self;
        without.state(number, None);
        PLAN.into_iter().all(|of| without.get(of) == self.get(of))
    }

    /// The inputs with the GPUs in force stated, so that they stay whatever else changes.
    #[must_use]
    pub fn on_its_gpus(mut self) -> Self {
        if self.version.starts_as_engines_do() {
            self.state(Number::Gpus, self.get(Number::Gpus));
        }
        self
    }

    /// [`Inputs::on_its_gpus`] with the batch in force stated too.
    #[must_use]
    pub fn with_its_batch(mut self) -> Self {
        if self.version.starts_as_engines_do() {
            self = self.on_its_gpus();
            self.state(Number::Batch, self.get(Number::Batch));
        }
        self
    }

    /// Schedule in force: the stated one, else two micro-batches where all-to-alls leave the scale-up domain and every
    /// group has enough sequences; before version 3 always.
    pub fn schedule(&self) -> Overlap {
        if let Some(stated) = self.overlap {
            return stated;
        }
        if !self.version.starts_as_engines_do() {
            return Overlap::TwoBatch;
        }
        let number = |number| self.get(number).unwrap_or(1.0);
        let spans = number(Number::Ep) > 1.0
            && number(Number::Ep) * number(Number::FfnTp) > number(Number::Domain);
        if spans && number(Number::Batch) / number(Number::Dp) >= TWO_BATCHES {
            Overlap::TwoBatch
        } else {
            Overlap::Sequential
        }
    }

    /// Redundant experts over more than [`PlanSpec::NARROW_EP`] groups, where none are stated.
    pub(super) const fn redundant_wide(&self) -> u32 {
        match self.model {
            Model::Catalog(entry) if entry.redundant => REDUNDANT,
            _ => 0,
        }
    }

    /// β of a plan whose experts are spread over several GPUs.
    pub(super) const fn start_beta() -> f64 {
        BETA
    }

    /// GPUs divided by the product of other factors; `None` where they do not divide.
    fn share(&self, by: &[Number]) -> Option<u32> {
        let mut product = 1;
        for factor in by {
            product *= self.get(*factor)? as u64;
        }
        super::defaults::quotient(self.get(Number::Gpus)? as u32, product)
    }

    /// The fewest GPUs on which weights take at most [`WEIGHTS`] of what `reserve` leaves and one sequence fits; one where
    /// that fits at all. Of 1, 2, 4 … to a scale-up domain, then whole domains.
    ///
    /// Where no number does, the first with a valid plan that the weights alone would not rule out.
    fn fewest_gpus(&self) -> u32 {
        self.start_gpus().unwrap_or_else(|gpus| gpus)
    }

    /// [`Inputs::fewest_gpus`]; an error where nothing fits on them.
    fn start_gpus(&self) -> Result<u32, u32> {
        let most = Number::Gpus.spec().most as u32;
        let domain = (self.get(Number::Domain).unwrap_or(1.0) as u32).clamp(1, most);
        let within = (0..31)
            .map(|power| 1 << power)
            .take_while(move |n| *n < domain);
        let ladder = within.chain((1..=most / domain).map(move |racks| racks * domain));
        let sized = self.unlogged();
        let on = |gpus: u32| sized.with(Number::Gpus, f64::from(gpus)).sizing();
        let holds = |gpus: u32| on(gpus).is_some_and(|scenario| holds(&scenario));
        if holds(1) {
            return Ok(1);
        }
        let least = self.gpus_of_weights();
        let enough = |gpus: &u32| f64::from(*gpus) >= least;
        let counts = || self.stated_gpus().into_iter().chain(ladder.clone());
        let planned = self.is_planned();
        // More GPUs hold no less, but for stated factors.
        if planned || holds(most / domain * domain) {
            let found = counts().find(|gpus| enough(gpus) && holds(*gpus));
            let found = found.or_else(|| counts().find(|gpus| planned && holds(*gpus)));
            if let Some(gpus) = found {
                return Ok(gpus);
            }
        }
        let valid = |gpus: &u32| on(*gpus).is_some();
        let found = counts().find(|gpus| enough(gpus) && valid(gpus));
        Err(found.or_else(|| counts().find(valid)).unwrap_or(1))
    }

    /// Reason why no GPU count fits; `None` if one does, or if it is set.
    pub fn nothing_fits(&self) -> Option<NothingFits> {
        let unstated = self.stated(Number::Gpus).is_none();
        if !self.version.starts_as_engines_do() || !unstated {
            return None;
        }
        let gpus = self.start_gpus().err()?;
        let scenario = self.with(Number::Gpus, f64::from(gpus)).sizing()?;
        let held = memory(&scenario, scenario.workload.batch);
        Some(NothingFits {
            gpu: self.gpu.name(),
            gpus,
            needs: held.most(),
            usable: held.usable,
        })
    }

    /// The product of stated factors that make a number of GPUs; `None` where they do not.
    fn stated_gpus(&self) -> Option<u32> {
        let stated = |number| self.stated(number).unwrap_or(1.0);
        let stages = stated(Number::Pp);
        let attention = stated(Number::Dp) * stated(Number::Tp) * stated(Number::Kvp) * stages;
        let experts = stated(Number::Ep) * stated(Number::FfnTp) * stages;
        let both = attention.max(experts);
        (self.stated(Number::Dp).is_some() && both <= Number::Gpus.spec().most)
            .then_some(both as u32)
    }

    /// GPUs whose memory holds the weights as often as [`WEIGHTS`] asks for, were they divided evenly.
    fn gpus_of_weights(&self) -> f64 {
        let precision = self.precision();
        let arch = self.model.arch();
        let all = parameters(arch);
        let experts: f64 = arch
            .moes()
            .map(|part| {
                let moe = &part.shape;
                let one = f64::from(moe.matrices)
                    * f64::from(moe.working_width(arch.hidden))
                    * f64::from(moe.expert_width);
                f64::from(part.layers) * f64::from(moe.experts) * one
            })
            .sum();
        let dense: f64 = arch
            .ffns()
            .iter()
            .map(|part| match part.shape {
                Ffn::Dense(shape) => {
                    let width = f64::from(shape.width) * f64::from(arch.hidden);
                    f64::from(part.layers) * f64::from(shape.matrices) * width
                }
                Ffn::Moe(_) => 0.0,
            })
            .sum();
        let attention = all.total - all.embeddings - experts - dense;
        let bytes = experts * precision.ffn_weights
            + dense * precision.dense_weights
            + attention * precision.attention_weights
            + all.embeddings * precision.embedding;
        let room = self.accelerator().usable
            * self.get(Number::CapacityScale).unwrap_or(1.0)
            * (1.0 - self.get(Number::Reserve).unwrap_or(0.0));
        bytes / (WEIGHTS * room.get())
    }

    /// The inputs without what a log states of a GPU, which holds for its own plan alone.
    fn unlogged(&self) -> Self {
        self.without(Number::WeightsGib).without(Number::EngineGib)
    }

    /// The scenario with one sequence for each group, to be measured by its memory.
    fn sizing(&self) -> Option<Scenario> {
        let mut inputs = *self;
        inputs.overlap = Some(inputs.overlap.unwrap_or(Overlap::Sequential));
        for number in PLAN {
            inputs.state(number, inputs.get(number));
        }
        inputs.state(Number::Batch, inputs.get(Number::Dp));
        inputs.completed().ok()
    }

    /// Sequences of a start: as many as engines schedule and memory holds, at least one in each group.
    fn start_batch(&self) -> f64 {
        let Some(scenario) = self.sizing() else {
            return 1.0;
        };
        let groups = f64::from(scenario.plan.spec().dp);
        let most = if scenario.plan.has_experts() {
            SEQUENCES.0
        } else {
            SEQUENCES.1
        };
        let each = (batch_capacity(&scenario) / groups).floor();
        groups * each.clamp(1.0, most)
    }

    /// Pipeline stages: of a dense model, the fewest domains that hold the weights; else one.
    fn start_stages(&self) -> u32 {
        let gpus = self.get(Number::Gpus).unwrap_or(1.0) as u32;
        let domain = self.get(Number::Domain).unwrap_or(1.0) as u32;
        let arch = self.model.arch();
        if arch.is_moe() || gpus <= domain {
            return 1;
        }
        let sized = self.unlogged().with(Number::Gpus, f64::from(gpus));
        let holds = |stages: &u32| {
            let inputs = sized.with(Number::Pp, f64::from(*stages));
            let scenario = inputs.sizing();
            scenario.is_some_and(|scenario| {
                let held = memory(&scenario, scenario.workload.batch);
                held.weights() <= held.usable * WEIGHTS && held.fits()
            })
        };
        let mut stages =
            (1..=gpus.min(arch.layers())).filter(|stages| gpus.is_multiple_of(*stages));
        stages.find(holds).unwrap_or(1)
    }

    /// Ways of tensor parallelism: within a scale-up domain the most that divides heads; beyond it, for experts, as few as
    /// hold what every group holds whole.
    fn start_tp(&self) -> Option<u32> {
        let gpus = self.get(Number::Gpus)? as u32;
        let domain = self.get(Number::Domain)? as u32;
        let arch = self.model.arch();
        let kvp = self.get(Number::Kvp)? as u32;
        let groups = self.stated(Number::Dp).map_or(1, |groups| groups as u64);
        let stages = self.get(Number::Pp)? as u64;
        let share = super::defaults::quotient(gpus, u64::from(kvp) * groups * stages)?;
        let divides = |tp: &u32| {
            let group = u64::from(*tp) * u64::from(kvp);
            share.is_multiple_of(*tp)
                && arch.heads_divide(*tp)
                && arch.mixers().iter().all(|part| match part.shape {
                    Mixer::Compressed(shape) => u64::from(shape.out_groups).is_multiple_of(group),
                    _ => true,
                })
        };
        if arch.is_moe() && gpus > domain {
            let sized = self.unlogged().with(Number::Gpus, f64::from(gpus));
            let fits = |tp: &u32| {
                let inputs = sized.with(Number::Tp, f64::from(*tp));
                inputs.sizing().is_some_and(|scenario| holds(&scenario))
            };
            let mut ways = (0..31)
                .map(|power| 1 << power)
                .take_while(|tp| *tp <= domain);
            return Some(ways.find(|tp| divides(tp) && fits(tp)).unwrap_or(1));
        }
        (1..=share.min(domain)).rev().find(divides)
    }

    /// Expert groups: one within a scale-up domain; beyond it the most GPUs with an expert for each.
    fn start_ep(&self) -> Option<u32> {
        let gpus = self.get(Number::Gpus)? as u32;
        let arch = self.model.arch();
        if !arch.is_moe() || gpus <= self.get(Number::Domain)? as u32 {
            return Some(1);
        }
        let stage = self.share(&[Number::Pp])?;
        let redundant = self.stated(Number::Redundant);
        let redundant = redundant.map_or(self.redundant_wide(), |stated| stated as u32);
        let placed = least_experts_placed(arch, self.shared, redundant)?;
        let ways = (1..=stage.min(placed)).rev();
        ways.clone().find(|ep| stage.is_multiple_of(*ep))
    }
}

/// No number of GPUs fits the model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NothingFits {
    /// The accelerator.
    pub gpu: &'static str,
    /// GPUs that would hold the weights, were they divided evenly.
    pub gpus: u32,
    /// Memory that each of them needs with one sequence.
    pub needs: Bytes,
    /// Memory that `reserve` leaves.
    pub usable: Bytes,
}

impl std::fmt::Display for NothingFits {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            out,
            "no GPU count fits: on {} {}, each needs {:.1} GiB for one sequence, and {:.1} GiB are usable; set tp, pp or precision",
            self.gpus,
            self.gpu,
            self.needs.as_gib(),
            self.usable.as_gib()
        )
    }
}

/// True where the batch of the scenario fits.
fn holds(scenario: &Scenario) -> bool {
    memory(scenario, scenario.workload.batch).fits()
}
