//! What more or less of each resource does to the throughput, always by evaluating again.
//!
//! One resource changes and everything else stays as it is: the other hardware, the plan, the load,
//! the calibration. The exception is the batch: with an SLO it is the largest that fits and meets it,
//! before and after, and [`Resource::Capacity`], which by itself changes no time, makes room for more
//! of it once it fills the memory (see [`changed`]).

mod change;

pub use change::{Compared, changed, improved};

use crate::evaluate::{Evaluation, evaluate};
use crate::order::sort_by;
use crate::scenario::Scenario;
use crate::scenario::refusal::Refusal;

/// Something a deployment can have more of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resource {
    /// Peak arithmetic, all formats.
    Compute,
    /// HBM bandwidth.
    Hbm,
    /// HBM capacity, and with it the batch.
    Capacity,
    /// Bandwidth inside a scale-up domain.
    ScaleUp,
    /// Bandwidth between domains.
    ScaleOut,
    /// GPUs in a scale-up domain.
    Domain,
    /// Expert balancedness β_eb, up to 1.
    Balance,
    /// Redundant copies of experts.
    Redundant,
    /// Starts of collectives and kernels.
    Latency,
    /// Launches and serving around the kernels, and host time.
    Overhead,
}

impl Resource {
    /// Every resource, in the order of rows of equal effect.
    pub const ALL: [Self; 10] = [
        Self::ScaleOut,
        Self::ScaleUp,
        Self::Hbm,
        Self::Compute,
        Self::Capacity,
        Self::Domain,
        Self::Balance,
        Self::Redundant,
        Self::Latency,
        Self::Overhead,
    ];

    /// Those that a step's time is made of: what can bind it. Imbalance is a factor on what does.
    pub const BINDING: [Self; 6] = [
        Self::ScaleOut,
        Self::ScaleUp,
        Self::Hbm,
        Self::Compute,
        Self::Latency,
        Self::Overhead,
    ];

    /// Those of which more, or of fixed times less, may help. What copies of experts buy is stated as β.
    pub const HELPING: [Self; 9] = [
        Self::ScaleOut,
        Self::ScaleUp,
        Self::Hbm,
        Self::Compute,
        Self::Capacity,
        Self::Domain,
        Self::Balance,
        Self::Latency,
        Self::Overhead,
    ];

    /// Whether there is any of it here: a dense model has no experts to balance or to copy, one
    /// group of them is always balanced, and a calibration may know no starts or overhead.
    pub fn exists(self, scenario: &Scenario) -> bool {
        let spec = scenario.plan.spec();
        let experts = scenario.arch.is_moe();
        match self {
            Self::Balance => experts && spec.ep > 1,
            Self::Redundant => experts && spec.redundant > 0,
            Self::Latency => {
                let calibration = &scenario.calibration;
                let starts = calibration.messages.all().map(|cost| cost.start.get());
                calibration.starts.any() || starts.into_iter().any(|start| start > 0.0)
            }
            Self::Overhead => {
                let calibration = &scenario.calibration;
                (calibration.layer_overhead + calibration.host).get() > 0.0
            }
            _ => true,
        }
    }

    /// Whether less of it is better.
    pub const fn less_is_better(self) -> bool {
        matches!(self, Self::Latency | Self::Overhead)
    }
}

/// A change of one resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Twice as much.
    Twice,
    /// Half as much.
    Half,
}

impl Change {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Twice, Self::Half];

    /// What it multiplies by.
    pub const fn factor(self) -> f64 {
        match self {
            Self::Twice => 2.0,
            Self::Half => 0.5,
        }
    }
}

/// Why a resource cannot be changed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Obstacle {
    /// There is none of it, or it is as large or as small as it can be.
    Bound,
    /// The plan does not work with it.
    Impossible(Refusal),
    /// Not even one sequence per group fits.
    NoRoom,
    /// No batch meets the SLO any more.
    MissesSlo,
}

/// What a change comes to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Effect {
    /// Throughput afterwards over that of what it is compared with (see [`Compared`]).
    Throughput(f64),
    /// It cannot be changed.
    Obstacle(Obstacle),
    /// It no longer fits (or, of capacity, still does not).
    OutOfMemory {
        /// What it needs over what a GPU has.
        excess: f64,
    },
}

impl Effect {
    /// The ratio, where it is one.
    pub const fn throughput(self) -> Option<f64> {
        match self {
            Self::Throughput(ratio) => Some(ratio),
            Self::Obstacle(_) | Self::OutOfMemory { .. } => None,
        }
    }
}

/// What twice and half of a resource come to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sensitivity {
    /// The resource.
    pub resource: Resource,
    /// With twice as much.
    pub twice: Effect,
    /// With half as much.
    pub half: Effect,
}

impl Sensitivity {
    /// What a change comes to.
    pub const fn of(&self, change: Change) -> Effect {
        match change {
            Change::Twice => self.twice,
            Change::Half => self.half,
        }
    }
}

/// Every resource that exists here, the most worth having first: by what the better change gains,
/// then by what the worse one loses, each in steps of half a percent so that rows do not change
/// places for nothing.
pub fn sensitivities(scenario: &Scenario, evaluation: &Evaluation) -> Vec<Sensitivity> {
    let compared = Compared::of(scenario, evaluation);
    let of = |resource, change| effect_over(&compared, scenario, resource, change);
    let mut rows: Vec<Sensitivity> = Resource::ALL
        .into_iter()
        .filter(|resource| resource.exists(scenario))
        .map(|resource| Sensitivity {
            resource,
            twice: of(resource, Change::Twice),
            half: of(resource, Change::Half),
        })
        .collect();
    let steps = |ratio: f64| (ratio * 200.0).round();
    let gain = |row: &Sensitivity| {
        let ratios = Change::ALL.map(|change| row.of(change).throughput().unwrap_or(1.0));
        steps(ratios[0].max(ratios[1]))
    };
    // What no longer runs has lost everything; what cannot be changed has lost nothing.
    let loss = |row: &Sensitivity| {
        let ratios = Change::ALL.map(|change| match row.of(change) {
            Effect::Throughput(ratio) => ratio,
            Effect::Obstacle(Obstacle::Bound) => 1.0,
            Effect::Obstacle(_) | Effect::OutOfMemory { .. } => 0.0,
        });
        steps(ratios[0].min(ratios[1]))
    };
    sort_by(&mut rows, |left, right| {
        let by_gain = gain(right).total_cmp(&gain(left));
        by_gain.then(loss(left).total_cmp(&loss(right)))
    });
    rows
}

/// What a change of one resource comes to.
///
/// A scenario that does not fit as it is is compared with itself as if it did, as everywhere else;
/// only the capacity is then judged by whether it makes it fit.
pub fn effect(
    scenario: &Scenario,
    evaluation: &Evaluation,
    resource: Resource,
    change: Change,
) -> Effect {
    effect_over(
        &Compared::of(scenario, evaluation),
        scenario,
        resource,
        change,
    )
}

fn effect_over(
    compared: &Compared,
    scenario: &Scenario,
    resource: Resource,
    change: Change,
) -> Effect {
    let evaluation = &compared.evaluation;
    let other = match changed(scenario, resource, change.factor()) {
        Ok(other) => other,
        Err(obstacle) => return Effect::Obstacle(obstacle),
    };
    match evaluate(&other) {
        Ok(then) => {
            let judged = evaluation.memory.fits() || resource == Resource::Capacity;
            if judged && !then.memory.fits() {
                Effect::OutOfMemory {
                    excess: then.memory.most() / then.memory.usable,
                }
            } else {
                Effect::Throughput(then.tokens / evaluation.tokens)
            }
        }
        Err(refusal) => Effect::Obstacle(Obstacle::Impossible(refusal)),
    }
}

#[cfg(test)]
mod tests {
    #[cfg(target_family = "wasm")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;
    use crate::cost::memory::batch_capacity;
    use crate::permalink;

    /// The default deployment with [A]'s factors and no fixed times.
    const PAPER: &str = "v=1&calibration=aleph-alpha-2025";

    fn rows(link: &str) -> Vec<Sensitivity> {
        let scenario = permalink::read(link).current.scenario().unwrap();
        let evaluation = evaluate(&scenario).unwrap();
        sensitivities(&scenario, &evaluation)
    }

    fn row(link: &str, resource: Resource) -> Sensitivity {
        let all = rows(link);
        *all.iter().find(|row| row.resource == resource).unwrap()
    }

    fn ratio(effect: Effect) -> f64 {
        effect.throughput().unwrap()
    }

    /// Messages fill the step of the default deployment and take 5/4 as long as they would with
    /// balanced experts, so half the link takes twice as long, and four fifths are left with β = 1.
    #[test]
    fn a_link_that_fills_the_step_halves_with_it() {
        let link = row(PAPER, Resource::ScaleOut);
        assert!((ratio(link.half) - 0.5).abs() < 1e-9);
        assert!(ratio(link.twice) > 1.4);
        let balance = row(PAPER, Resource::Balance);
        assert!((ratio(balance.twice) - 1.25).abs() < 1e-9);
        assert!((ratio(balance.half) - 0.5).abs() < 1e-9);
        assert_eq!(rows(PAPER)[0].resource, Resource::ScaleOut);
    }

    #[test]
    fn what_is_not_there_is_no_row() {
        let named =
            |link: &str| -> Vec<Resource> { rows(link).iter().map(|row| row.resource).collect() };
        assert!(!named(PAPER).contains(&Resource::Latency));
        assert!(named("v=1&calibration=aleph-alpha-2025&alpha_us=3").contains(&Resource::Latency));
        let dense =
            named("v=1&calibration=aleph-alpha-2025&model=llama-3-70b&gpus=8&precision=bf16");
        assert!(!dense.contains(&Resource::Balance) && !dense.contains(&Resource::Redundant));
        assert!(
            !named("v=1&calibration=aleph-alpha-2025&redundant=0").contains(&Resource::Redundant)
        );
    }

    #[test]
    fn a_bound_is_not_a_ratio() {
        let bound = Effect::Obstacle(Obstacle::Bound);
        assert_eq!(
            row("v=1&calibration=aleph-alpha-2025&beta=1", Resource::Balance).twice,
            bound
        );
        assert_eq!(
            row(
                "v=1&calibration=aleph-alpha-2025&domain=1",
                Resource::Domain
            )
            .half,
            bound
        );
    }

    /// 320 expert groups need 320 experts: 257 and 63 copies. With 31 of them 32 groups are empty.
    #[test]
    fn too_few_copies_are_refused() {
        let half = row(
            "v=1&calibration=aleph-alpha-2025&gpus=320&redundant=63&ep=320",
            Resource::Redundant,
        )
        .half;
        let Effect::Obstacle(Obstacle::Impossible(refusal)) = half else {
            panic!("{half:?}");
        };
        assert_eq!(
            refusal,
            Refusal::ExpertGroups {
                ep: 320,
                placed: 288
            }
        );
    }

    #[test]
    fn capacity_is_what_a_batch_is_bought_with() {
        // Weights take 25.5 of 80 GiB: in 160 more than twice as many sequences fit, in 40 GiB fewer
        // than half. Messages bind from 144 per GPU on, so little of the lesser batch shows.
        let capacity = row(PAPER, Resource::Capacity);
        assert!((ratio(capacity.twice) - 1.0).abs() < 1e-9);
        assert!(ratio(capacity.half) < 1.0);
        // What is not full has no use for more.
        let scenario = permalink::read(PAPER).current.scenario().unwrap();
        let roomy = changed(&scenario, Resource::Capacity, 2.0).unwrap();
        assert!((roomy.workload.batch - scenario.workload.batch).abs() < 1e-9);
        let scenario = permalink::read("v=1&calibration=aleph-alpha-2025&batch=29880")
            .current
            .scenario()
            .unwrap();
        let twice = changed(&scenario, Resource::Capacity, 2.0).unwrap();
        let share = |s: &Scenario| s.workload.batch / batch_capacity(s);
        assert!((share(&twice) / share(&scenario) - 1.0).abs() < 1e-3);
        // 20 GiB do not hold the weights.
        let quarter = changed(&scenario, Resource::Capacity, 0.25);
        assert_eq!(quarter, Err(Obstacle::NoRoom));
    }

    /// Memory of which a quarter is used under an SLO is not worth having twice; what shortens a step is.
    #[test]
    fn what_the_slo_forbids_is_worth_nothing() {
        let link = "v=1&calibration=aleph-alpha-2025&model=deepseek-r1&gpu=h200&gpus=32&batch=96&context=6000&slo=30";
        let capacity = row(link, Resource::Capacity);
        assert!((ratio(capacity.twice) - 1.0).abs() < 1e-9, "{capacity:?}");
        let hbm = row(link, Resource::Hbm);
        assert!(ratio(hbm.twice) > 1.5, "{hbm:?}");
        assert_eq!(hbm.half, Effect::Obstacle(Obstacle::MissesSlo));
    }

    #[test]
    fn what_does_not_fit_is_made_to_fit_by_capacity_alone() {
        let link = "v=1&calibration=aleph-alpha-2025&batch=36864";
        let capacity = row(link, Resource::Capacity);
        assert!((ratio(capacity.twice) - 1.0).abs() < 1e-9, "{capacity:?}");
        assert!(matches!(capacity.half, Effect::OutOfMemory { excess } if excess > 2.0));
        assert!(ratio(row(link, Resource::ScaleOut).twice) > 1.2);
        // Twice the copies of experts do not fit beside a full cache.
        let copies = row(
            "v=1&calibration=aleph-alpha-2025&batch=27000&redundant=144",
            Resource::Redundant,
        );
        assert!(
            matches!(copies.twice, Effect::OutOfMemory { .. }),
            "{copies:?}"
        );
    }
}
