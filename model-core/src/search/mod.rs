//! The plan search: its settings, candidates and results.

mod best;
mod found;
mod replicas;

pub use best::{BestOnOwn, serving_most, tries};
pub use found::{Found, Group, Scope};
pub use replicas::{own_gpus, replica_sizes, replicas_on};

use crate::inputs::{Gpu, Inputs, Number};
use crate::order::sort_by_key;
use crate::plan::Overlap;
use crate::precision::NamedPrecision;
use crate::sweep::{Exclusion, Exclusions, Space, Strategy, SweepPoint, batch_steps};

/// Settings of a plan search. Settings that are not given follow the scenario.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Search {
    /// Parallelism strategies to search, in the order of [`Strategy::ALL`].
    pub strategies: Vec<Strategy>,
    /// GPU counts of a replica to search, ascending; `None` for the default of [`Search::gpus`].
    pub gpus: Option<Vec<u32>>,
    /// True to search replicas of every sensible size. If false, only identical replicas that use all of the
    /// scenario's GPUs are searched. Has no effect if `gpus` is set.
    pub any_gpus: bool,
    /// Largest batch to search, in sequences over the whole deployment.
    pub most_batch: f64,
    /// Number of batches tried per doubling of the batch: 1, 2 or 4.
    pub steps: u32,
    /// True to search plans both with and without two-batch overlap, whatever the scenario's schedule.
    pub two_batch: bool,
    /// Accelerators to search; if empty, only the scenario's accelerator.
    pub accelerators: Vec<Gpu>,
    /// Precisions to search; if empty, only the scenario's precision.
    pub precisions: Vec<NamedPrecision>,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            strategies: Strategy::ALL.into(),
            gpus: None,
            any_gpus: false,
            most_batch: Self::MOST_BATCH,
            steps: Self::STEPS,
            two_batch: true,
            accelerators: Vec::new(),
            precisions: Vec::new(),
        }
    }
}

impl Search {
    /// Default largest batch, 2¹⁸ sequences: 512 on each of 512 GPUs.
    pub const MOST_BATCH: f64 = 262_144.0;
    /// Default number of batches tried per doubling of the batch.
    pub const STEPS: u32 = 2;
    /// Valid values for the number of batches tried per doubling of the batch.
    pub const ALL_STEPS: [u32; 3] = [1, 2, 4];
    /// Max number of different GPU counts in one search.
    pub const MOST_GPU_COUNTS: usize = 24;

    /// Returns the GPU counts that were searched by default in earlier versions; older permalinks may list them.
    /// These are 8, 16, 32, …, 512, and the scenario's count. If a scale-up domain exceeds 8 GPUs and is not a power
    /// of two, one, two and four domains are added, up to 512 GPUs.
    fn former_gpus(&self, inputs: &Inputs) -> Vec<u32> {
        let own = inputs.get(Number::Gpus).map(|gpus| gpus as u32);
        let mut gpus: Vec<u32> = (3..=9).map(|power| 1 << power).chain(own).collect();
        for gpu in self.accelerators(inputs) {
            let there = on_another(inputs, gpu, inputs.precision);
            let domain = there.get(Number::Domain).map_or(1, |domain| domain as u32);
            let racks = [1, 2, 4].map(|racks: u32| racks.saturating_mul(domain));
            let whole = domain > 8 && !domain.is_power_of_two();
            gpus.extend(racks.into_iter().filter(|gpus| whole && *gpus <= 512));
        }
        sort_by_key(&mut gpus, |count| *count);
        gpus.dedup();
        gpus
    }

    /// Returns the search as run by `ridgepoint`. For permalinks before version 3, it uses the GPU counts that were
    /// the default at the time.
    #[must_use]
    pub fn printed(mut self, inputs: &Inputs) -> Self {
        if self.gpus.is_none() && !inputs.version.starts_as_engines_do() {
            self.gpus = Some(self.former_gpus(inputs));
        }
        self
    }

    /// Returns the GPU counts of a replica to search: those set, or else the sizes of identical replicas that use all
    /// of the scenario's GPUs. If any count is allowed, also includes 1, 2, 4, …, 512, the counts 24, 48, …, 384, and
    /// whole scale-up domains.
    pub fn gpus(&self, inputs: &Inputs) -> Vec<u32> {
        if let Some(stated) = &self.gpus {
            return stated.clone();
        }
        let mut sizes = replica_sizes(own_gpus(inputs));
        if self.any_gpus {
            let thirds = (3..=7).map(|power| 3_u32 << power);
            sizes.extend([1, 2, 4].into_iter().chain(thirds));
            sizes.extend(self.former_gpus(inputs));
            sort_by_key(&mut sizes, |size| *size);
            sizes.dedup();
        }
        sizes
    }

    /// Returns true if the results show only plans that use all of the scenario's GPUs.
    pub fn shows_own(&self, inputs: &Inputs) -> bool {
        let Some(stated) = &self.gpus else {
            return !self.any_gpus;
        };
        let own = [
            Some(own_gpus(inputs)),
            inputs.get(Number::Gpus).map(|gpus| gpus as u32),
        ];
        *stated == self.former_gpus(inputs)
            || stated.len() == 1 && own.contains(&stated.first().copied())
    }

    /// Returns the inputs with the schedule of the search: HOP-B if the inputs set it, else two-batch overlap if
    /// searched, else sequential. Each strategy derives its schedules from this one.
    #[must_use]
    pub const fn scheduled(&self, inputs: &Inputs) -> Inputs {
        let mut scheduled = *inputs;
        scheduled.overlap = Some(match (inputs.overlap, self.two_batch) {
            (Some(Overlap::HopB), _) => Overlap::HopB,
            (_, true) => Overlap::TwoBatch,
            (_, false) => Overlap::Sequential,
        });
        scheduled
    }

    /// Returns the accelerators to search. A custom accelerator is included only if the scenario uses it.
    pub fn accelerators(&self, inputs: &Inputs) -> Vec<Gpu> {
        let there = |gpu: &&Gpu| **gpu != Gpu::Custom || inputs.gpu == Gpu::Custom;
        let stated: Vec<Gpu> = self.accelerators.iter().filter(there).copied().collect();
        or_own(&stated, inputs.gpu)
    }

    /// Returns the inputs with the correction for searched plans: half of the correction measured by the user. If the
    /// search covers other accelerators, no correction applies, because it was measured on only one accelerator.
    #[must_use]
    pub fn compared(&self, inputs: &Inputs) -> Inputs {
        match self
            .accelerators(inputs)
            .iter()
            .all(|gpu| *gpu == inputs.gpu)
        {
            true => inputs.like_others(),
            false => inputs.unmeasured(),
        }
    }

    /// Returns the precisions to search.
    pub fn precisions(&self, inputs: &Inputs) -> Vec<NamedPrecision> {
        or_own(&self.precisions, inputs.precision)
    }

    /// Returns this search without the settings that equal their default.
    #[must_use]
    pub fn normalized(mut self, inputs: &Inputs) -> Self {
        let as_before = |gpus: &Vec<u32>| *gpus == self.former_gpus(inputs);
        if self.gpus.as_ref().is_some_and(as_before) {
            self.gpus = None;
        }
        self.any_gpus &= self.gpus.is_none();
        let accelerators = self.accelerators(inputs);
        self.accelerators = if accelerators == [inputs.gpu] {
            Vec::new()
        } else {
            accelerators
        };
        if self.precisions == [inputs.precision] {
            self.precisions.clear();
        }
        self
    }
}

fn or_own<T: Copy>(stated: &[T], own: T) -> Vec<T> {
    if stated.is_empty() {
        vec![own]
    } else {
        stated.to_vec()
    }
}

/// The candidates of a plan search, accessed by index. Each candidate is a plan at one batch.
#[derive(Debug, Clone)]
pub struct Candidates {
    /// The valid plans to evaluate, each at every searched batch.
    pub space: Space,
    bases: Vec<Inputs>,
    excluded: Exclusions,
    formatless: Vec<(Gpu, NamedPrecision)>,
}

impl Candidates {
    /// Enumerates the candidates of a search. Accelerators form the outermost loop, then precisions, strategies, GPU
    /// counts and batches.
    ///
    /// Ignores the scenario's schedule and tries every schedule of the search, so that results stay the same after a
    /// found plan is opened. For the scenario's accelerator and precision, the values set by the user apply:
    /// interconnects, price, and individual bytes and formats. Other accelerators and precisions have the catalog's
    /// values.
    pub fn new(inputs: &Inputs, search: &Search) -> Self {
        let inputs = &search.compared(inputs);
        let mut formatless = Vec::new();
        let mut bases = Vec::new();
        let mut scenarios = Vec::new();
        for gpu in search.accelerators(inputs) {
            for precision in search.precisions(inputs) {
                let mut base = variant(inputs, gpu, precision);
                base.overlap = search.scheduled(&Inputs::DEFAULT).overlap;
                match base.scenario() {
                    Ok(scenario) => {
                        bases.push(base);
                        scenarios.push(scenario);
                    }
                    // On one GPU, only the compute format can make the scenario invalid.
                    Err(_) => formatless.push((gpu, precision)),
                }
            }
        }
        let (gpus, batches) = (
            search.gpus(inputs),
            batch_steps(search.most_batch, search.steps),
        );
        let size = batches.len();
        let space = Space::over(scenarios, &search.strategies, &gpus, batches);
        let mut excluded = Exclusions::default();
        for rule in Exclusion::ALL {
            excluded.add(rule, space.refused().of(rule) * space.repeats());
        }
        if !formatless.is_empty() {
            // Plans without a compute format are not enumerated, but counted as excluded.
            let plans = match bases.len() {
                0 => plans_of(inputs, search, &gpus),
                bases => space.len() / size.max(1) / bases,
            };
            excluded.add(Exclusion::Format, plans * size * formatless.len());
        }
        Self {
            space,
            bases,
            excluded,
            formatless,
        }
    }

    /// Returns the counts of candidates excluded before evaluation: invalid plans, and plans with a compute format that
    /// the accelerator does not support. Each is counted once per batch, accelerator and precision.
    pub const fn excluded(&self) -> &Exclusions {
        &self.excluded
    }

    /// Returns the searched pairs of accelerator and precision for which the accelerator does not support the compute
    /// format.
    pub fn formatless(&self) -> &[(Gpu, NamedPrecision)] {
        &self.formatless
    }

    /// Returns the accelerator and precision of a candidate.
    pub fn setting(&self, index: usize) -> Option<(Gpu, NamedPrecision)> {
        let base = self.bases.get(self.space.base(index)?)?;
        Some((base.gpu, base.precision))
    }

    /// Returns the scenario's inputs on a single GPU, for each searched pair of accelerator and precision with a
    /// supported compute format.
    pub fn bases(&self) -> &[Inputs] {
        &self.bases
    }

    /// Returns the inputs of a found plan, at the batch of its point. This batch may have been refined to a value
    /// between the searched batches.
    pub fn inputs_of(&self, point: &SweepPoint) -> Option<Inputs> {
        let (_, mut inputs) = self.inputs(point.index)?;
        inputs.state(Number::Batch, Some(point.batch));
        Some(inputs)
    }

    /// Returns the strategy and inputs of a candidate, with all parallelism degrees, GPU count and batch set.
    pub fn inputs(&self, index: usize) -> Option<(Strategy, Inputs)> {
        let mut inputs = *self.bases.get(self.space.base(index)?)?;
        let (strategy, scenario) = self.space.scenario(index)?;
        let spec = scenario.plan.spec();
        inputs.overlap = Some(spec.overlap);
        for (number, value) in [
            (Number::Gpus, f64::from(scenario.cluster.gpus)),
            (Number::Batch, scenario.workload.batch),
            (Number::Dp, f64::from(spec.dp)),
            (Number::Tp, f64::from(spec.tp)),
            (Number::Kvp, f64::from(spec.kvp)),
            (Number::FfnTp, f64::from(spec.ffn_tp)),
            (Number::Ep, f64::from(spec.ep)),
            (Number::Pp, f64::from(spec.pp)),
        ] {
            inputs.state(number, Some(value));
        }
        Some((strategy, inputs))
    }
}

/// Returns the scenario's inputs with another accelerator and precision, on the same GPU count and with the default
/// plan.
pub fn on_another(inputs: &Inputs, gpu: Gpu, precision: NamedPrecision) -> Inputs {
    let gpus = inputs.get(Number::Gpus);
    let mut other = variant(inputs, gpu, precision);
    other.state(Number::Gpus, gpus);
    other
}

/// Returns the scenario's inputs on one GPU, with another accelerator and precision, and with no plan set.
fn variant(inputs: &Inputs, gpu: Gpu, precision: NamedPrecision) -> Inputs {
    let mut base = *inputs;
    if gpu != inputs.gpu {
        base.gpu = gpu;
        for number in [
            Number::Domain,
            Number::ScaleUp,
            Number::ScaleOut,
            Number::Price,
        ] {
            base.state(number, None);
        }
    }
    if precision != inputs.precision {
        base = base.with_precision(precision);
    }
    base.unshard();
    base.state(Number::Gpus, Some(1.0));
    base
}

/// Returns the number of plans to search. They are counted in BF16 on the default accelerator, since the precision
/// does not change their number.
fn plans_of(inputs: &Inputs, search: &Search, gpus: &[u32]) -> usize {
    let plain = NamedPrecision::Bf16;
    let mut stand_in = variant(&inputs.with_precision(plain), Inputs::DEFAULT.gpu, plain);
    stand_in.overlap = search.scheduled(&Inputs::DEFAULT).overlap;
    stand_in.scenario().map_or(0, |scenario| {
        Space::over(vec![scenario], &search.strategies, gpus, vec![1.0]).len()
    })
}
