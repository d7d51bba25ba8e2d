//! Finds changes that make an infeasible scenario feasible, so that it has a valid plan, fits in memory and meets its
//! SLO.

use super::best::Plans;
use super::change::{Change, without_redundant};
use super::served::most;
use crate::evaluate::{Evaluation, evaluate};
use crate::inputs::remedy::remedies;
use crate::inputs::{Inputs, Number};
use crate::limits::growth::inputs_on;
use crate::plan::Overlap;
use crate::refusal::Refusal;
use crate::scenario::Scenario;

/// Tests whether a scenario fits in memory, has a sequence for every micro-batch, and meets the SLO.
pub fn is_feasible(scenario: &Scenario, evaluation: &Evaluation) -> bool {
    let workload = &scenario.workload;
    let meets = |slo: f64| evaluation.tokens_per_user >= slo;
    evaluation.memory.fits()
        && workload.batch >= scenario.plan.micro_batches()
        && workload.slo.is_none_or(meets)
}

fn feasible(inputs: Inputs) -> Option<Inputs> {
    let scenario = inputs.scenario().ok()?;
    let evaluation = evaluate(&scenario).ok()?;
    // Check first, then normalize: a search may try a thousand sizes, and few are feasible.
    is_feasible(&scenario, &evaluation).then(|| inputs.normalized())
}

/// Returns the inputs with the feasible batch that has the highest throughput, and the same plan.
pub fn batch(inputs: &Inputs, users: f64) -> Option<Inputs> {
    let most = most(&inputs.scenario().ok()?, users, 0.0)?;
    Some(inputs.at_batch(most.batch).normalized())
}

/// Returns the inputs with the smallest GPU count that makes the stated batch feasible. The counts tried are powers
/// of two below a scale-up domain, then whole domains. If more GPUs are needed than a permalink allows, several
/// replicas share the batch.
pub fn fewest_gpus(inputs: &Inputs) -> Option<Inputs> {
    let most = Number::Gpus.spec().most as u32;
    let domain = inputs.get(Number::Domain)? as u32;
    let below = (0..12)
        .map(|power| 1_u32 << power)
        .filter(|gpus| *gpus < domain.min(most));
    let whole = (1..=most / domain.max(1)).map(|domains| domains * domain);
    let sizes: Vec<u32> = below.chain(whole).collect();
    let on = |inputs: &Inputs| {
        sizes
            .iter()
            .find_map(|gpus| feasible(inputs_on(inputs, *gpus).ok()?))
    };
    if let Some(found) = on(inputs) {
        return Some(found);
    }
    let (asked, replicas) = (inputs.get(Number::Batch)?, inputs.get(Number::Replicas)?);
    let largest = *sizes.last()?;
    let shared = |count: u32| {
        let count = f64::from(count) * replicas;
        let mut with = *inputs;
        let stated = with.state(Number::Replicas, Some(count));
        (stated && with.state(Number::Batch, Some((asked * replicas / count).ceil())))
            .then_some(with)
    };
    let works = |count: &u32| {
        let with = shared(*count)?;
        feasible(inputs_on(&with, largest).ok()?)
    };
    let mut enough = 2;
    while works(&enough).is_none() {
        enough *= 2;
        if f64::from(enough) > Number::Replicas.spec().most {
            return None;
        }
    }
    let fewest = (enough / 2..=enough).find(|count| works(count).is_some())?;
    on(&shared(fewest)?)
}

/// Returns the smallest change other than the batch or GPU count that makes the stated batch feasible. The changes
/// are tried in this order: another schedule, another plan, no redundant experts, weights as released, another named
/// precision.
pub fn other(inputs: &Inputs, plans: &mut Plans) -> Option<Inputs> {
    if let Ok(now) = inputs.scenario() {
        let own = now.plan.spec();
        let schedules = Overlap::ALL
            .into_iter()
            .filter(|overlap| own.allows(*overlap));
        let scheduled = schedules.filter_map(|overlap| feasible(inputs.scheduled(overlap)));
        if let Some(scheduled) = scheduled.reduce(fuller) {
            return Some(scheduled);
        }
    }
    if let Some(sharded) = sharded(inputs, plans) {
        return Some(sharded);
    }
    let with_plan =
        |inputs: Inputs, plans: &mut Plans| feasible(inputs).or_else(|| sharded(&inputs, plans));
    let mut changed = without_redundant(inputs)
        .into_iter()
        .chain(inputs.narrowed())
        .chain(
            inputs
                .version
                .precisions()
                .map(|precision| inputs.with_precision(precision)),
        );
    changed.find_map(|inputs| with_plan(inputs, plans))
}

/// Returns the inputs with the plan of highest throughput, among plans that make the stated batch feasible.
fn sharded(inputs: &Inputs, plans: &mut Plans) -> Option<Inputs> {
    let mut open = *inputs;
    open.unshard();
    let scenario = inputs.scenario().or_else(|_| open.scenario()).ok()?;
    let specs: Vec<_> = plans
        .around(&scenario)
        .iter()
        .map(|plan| *plan.spec())
        .collect();
    specs
        .iter()
        .filter_map(|spec| feasible(inputs.planned(spec)))
        .reduce(fuller)
}

fn fuller(one: Inputs, other: Inputs) -> Inputs {
    let tokens = |inputs: &Inputs| {
        let evaluation = inputs
            .scenario()
            .ok()
            .and_then(|scenario| evaluate(&scenario).ok());
        evaluation.map_or(0.0, |evaluation| evaluation.tokens)
    };
    match tokens(&other) > tokens(&one) {
        true => other,
        false => one,
    }
}

/// Returns changes of a single number that make a refused scenario valid. They are the [`remedies`] of the first
/// refusal.
pub fn values(inputs: &Inputs, refusals: &[Refusal]) -> Vec<(Change, Inputs)> {
    let Some(first) = refusals.first() else {
        return Vec::new();
    };
    remedies(inputs, first, usize::MAX)
        .into_iter()
        .map(|(number, repaired)| (Change::FitValue(number), repaired))
        .collect()
}
