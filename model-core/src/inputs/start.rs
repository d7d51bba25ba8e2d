//! Defaults of permalink version 3: a deployment as a careful engineer would start it.
//!
//! These defaults depend on the model, the accelerator and the numbers that the user set, but not on computed times.

use super::{Inputs, Model, Number};
use crate::arch::params::parameters;
use crate::arch::{Ffn, Mixer};
use crate::cost::memory::{batch_capacity, memory};
use crate::engine_memory::Habits;
use crate::math::{divisors, largest_divisor};
use crate::plan::{Overlap, PlanSpec, least_experts_placed};
use crate::scenario::Scenario;
use crate::units::Bytes;

/// Max share of the memory left by `reserve` that weights may take in a deployment over several GPUs.
const WEIGHTS: f64 = 0.7;
/// Default number of redundant experts with wide expert parallelism. Source: DeepSeek-V3 technical report, 3.4.2.
const REDUNDANT: u32 = 32;
/// Default expert balancedness, for experts over several GPUs.
const BETA: f64 = 0.8;
/// Max default sequences per attention group, for MoE models and for dense models.
const SEQUENCES: (f64, f64) = (256.0, 64.0);
/// Min sequences per attention group at which two micro-batches are the default.
const TWO_BATCHES: f64 = 64.0;

/// Numbers of a plan, each listed after the numbers it depends on.
const PLAN: [Number; 6] = [
    Number::Gpus,
    Number::Pp,
    Number::Tp,
    Number::Dp,
    Number::Ep,
    Number::FfnTp,
];

/// Numeric inputs of a deployment, except its GPU count. Unless the user sets them, they follow the model and the
/// accelerator.
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
    /// Returns the inputs with the same model, accelerator and workload, but a default deployment. With `on_gpus`,
    /// the GPU count stays the same. Before permalink version 3, which introduced these defaults, returns the inputs
    /// unchanged.
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

    /// Returns the default of a numeric input whose default permalink version 3 changed; `None` for all other inputs.
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

    /// Returns the inputs with explicit values for all defaults on which other numbers depend, so that each default is
    /// computed once.
    #[must_use]
    pub fn settled(&self) -> Self {
        if !self.version.starts_as_engines_do() {
            return *self;
        }
        let mut settled = self.with_its_plan();
        settled.state(Number::Batch, settled.get(Number::Batch));
        settled.overlap = Some(settled.schedule());
        settled
    }

    /// Returns the inputs with all numbers of the plan set explicitly.
    fn with_its_plan(&self) -> Self {
        let mut planned = *self;
        for number in PLAN {
            planned.state(number, planned.get(number));
        }
        planned
    }

    /// Returns true if all numbers of the plan stay the same when `number` returns to its default. Defaults outside
    /// the plan may still depend on `number`.
    pub(super) fn plan_stands_without(&self, number: Number) -> bool {
        let without = self.without(number).with_its_plan();
        let with = self.with_its_plan();
        PLAN.into_iter().all(|of| without.get(of) == with.get(of))
    }

    /// Returns the inputs with the GPU count in use set explicitly, so that it does not change with other inputs.
    #[must_use]
    pub fn on_its_gpus(mut self) -> Self {
        if self.version.starts_as_engines_do() {
            self.state(Number::Gpus, self.get(Number::Gpus));
        }
        self
    }

    /// Returns [`Inputs::on_its_gpus`] with the batch in use set explicitly too.
    #[must_use]
    pub fn with_its_batch(mut self) -> Self {
        if self.version.starts_as_engines_do() {
            self = self.on_its_gpus();
            self.state(Number::Batch, self.get(Number::Batch));
        }
        self
    }

    /// Returns the schedule in use: the one that is set, else the default. The default is two micro-batches if
    /// all-to-alls leave the scale-up domain and every group has enough sequences. Before version 3, it is always two
    /// micro-batches.
    pub fn schedule(&self) -> Overlap {
        if let Some(stated) = self.overlap {
            return stated;
        }
        if !self.version.starts_as_engines_do() {
            return Overlap::TwoBatch;
        }
        let planned = self.with_its_plan();
        let number = |number| planned.get(number).unwrap_or(1.0);
        let spans = number(Number::Ep) > 1.0
            && number(Number::Ep) * number(Number::FfnTp) > number(Number::Domain);
        if spans && number(Number::Batch) / number(Number::Dp) >= TWO_BATCHES {
            Overlap::TwoBatch
        } else {
            Overlap::Sequential
        }
    }

    /// Returns the default number of redundant experts for more than [`PlanSpec::NARROW_EP`] expert groups.
    pub(super) const fn redundant_wide(&self) -> u32 {
        match self.model {
            Model::Catalog(entry) if entry.redundant => REDUNDANT,
            _ => 0,
        }
    }

    pub(super) const fn start_beta() -> f64 {
        BETA
    }

    /// Returns the GPU count divided by the product of the factors `by`; `None` if the quotient is not whole.
    fn share(&self, by: &[Number]) -> Option<u32> {
        let mut product = 1;
        for factor in by {
            product *= self.get(*factor)? as u64;
        }
        super::defaults::quotient(self.get(Number::Gpus)? as u32, product)
    }

    /// Returns the fewest GPUs on which one sequence per attention group fits. Weights, if divided evenly, may take at
    /// most [`WEIGHTS`] of the memory that `reserve` leaves. A single GPU is enough if weights and one sequence fit on
    /// it. Tries 1, 2, 4 … up to a scale-up domain, then whole domains.
    ///
    /// If no count meets this, returns the first count that has a valid plan and enough memory for evenly divided
    /// weights.
    fn fewest_gpus(&self) -> u32 {
        self.start_gpus().unwrap_or_else(|gpus| gpus)
    }

    /// Returns [`Inputs::fewest_gpus`], as an error if the weights and one sequence do not fit on them.
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
        // If the largest count does not hold the model, no smaller count does, unless plan factors are set.
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

    /// Returns the reason why no GPU count fits; `None` if a GPU count fits or is set.
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

    /// Returns the GPU count that results from the set factors of the plan; `None` if they do not determine it.
    fn stated_gpus(&self) -> Option<u32> {
        let stated = |number| self.stated(number).unwrap_or(1.0);
        let stages = stated(Number::Pp);
        let attention = stated(Number::Dp) * stated(Number::Tp) * stated(Number::Kvp) * stages;
        let experts = stated(Number::Ep) * stated(Number::FfnTp) * stages;
        let both = attention.max(experts);
        (self.stated(Number::Dp).is_some() && both <= Number::Gpus.spec().most)
            .then_some(both as u32)
    }

    /// Returns the number of GPUs on which evenly divided weights take the [`WEIGHTS`] share of memory.
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

    /// Returns the inputs without numbers read from a GPU's log, which are valid only for the plan they were logged
    /// with.
    fn unlogged(&self) -> Self {
        self.without(Number::WeightsGib).without(Number::EngineGib)
    }

    /// Returns the scenario with one sequence per attention group, used to determine its memory.
    fn sizing(&self) -> Option<Scenario> {
        let mut inputs = *self;
        inputs.overlap = Some(inputs.overlap.unwrap_or(Overlap::Sequential));
        let mut inputs = inputs.with_its_plan();
        inputs.state(Number::Batch, inputs.get(Number::Dp));
        inputs.completed().ok()
    }

    /// Returns the default batch: the most sequences that engines schedule and that fit in memory, at least one per
    /// attention group.
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

    /// Returns the default number of pipeline stages: one, unless a dense model needs several domains. Then it is the
    /// fewest stages at which everything fits and weights take at most [`WEIGHTS`] of the usable memory.
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
        let mut stages = divisors(gpus).take_while(|stages| *stages <= arch.layers());
        stages.find(holds).unwrap_or(1)
    }

    /// Returns the default tp: the largest value within a scale-up domain that divides the heads. For an MoE model on
    /// more GPUs than a domain, it is the smallest power of two at which weights and caches fit in memory.
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

    /// Returns the default number of expert groups. Within a scale-up domain, it is one. Beyond a domain, it is the
    /// largest divisor of a stage's GPU count that leaves at least one expert per group.
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
        largest_divisor(stage, placed)
    }
}

/// Reason why no GPU count fits: the memory that each GPU would need, and the memory that it has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NothingFits {
    /// Name of the accelerator.
    pub gpu: &'static str,
    /// Number of GPUs that would hold evenly divided weights.
    pub gpus: u32,
    /// Memory that each of these GPUs needs to serve one sequence.
    pub needs: Bytes,
    /// Usable memory per GPU: the capacity without the share that `reserve` sets aside.
    pub usable: Bytes,
}

impl std::fmt::Display for NothingFits {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            out,
            "no GPU count fits: on {} {}, each GPU needs {:.1} GiB for one sequence, but {:.1} GiB are usable; set \
                tp, pp or precision",
            self.gpus,
            self.gpu,
            self.needs.as_gib(),
            self.usable.as_gib()
        )
    }
}

fn holds(scenario: &Scenario) -> bool {
    memory(scenario, scenario.workload.batch).fits()
}
