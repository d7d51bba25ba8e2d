//! Builds the derivation tree of any result that a permalink opens, and finds the result's sensitivity to each input.

use super::afd::{self, account as account_of_unit};
use super::case::Case;
use super::lamina::{self, account as account_of_lamina};
use super::moves::{Move, moves};
use super::quantity::{Explained, Quantity, Subject};
use super::simulated::{Run, simulated};
use super::tree::{Account, DEEPEST};
use super::{memory, prefill, service, step, tpot};
use crate::afd::decision::ShownUnit;
use crate::afd::simulate::Simulation;
use crate::cost::memory::batch_capacity;
use crate::evaluate::{Evaluation, evaluate, first_token};
use crate::inputs::{Inputs, Number};
use crate::lamina::alternative::user_rate;
use crate::lamina::{Split, SplitSetup, evaluate as evaluate_split, slo};
use crate::ops::OperatorRole;
use crate::scenario::Scenario;
use crate::service::planner::prefill_inputs;
use crate::service::{self as requests, Demand, Planner, Service};
use crate::workload::Pools;

/// Builds the derivation tree of the result that `explained` names; `None` if the inputs have no such result. A
/// quantity implies its deployment, so the permalink's mode does not matter.
pub fn open(inputs: &Inputs, explained: Explained) -> Option<Account> {
    match explained {
        Explained::Quantity(quantity) => match quantity.subject() {
            Subject::Scenario => {
                let scenario = inputs.scenario().ok()?;
                account(inputs, &scenario, &evaluate(&scenario).ok()?, quantity)
            }
            Subject::Service => {
                let service = requests::service(inputs).ok()?;
                account_of_service(inputs, &service, quantity)
            }
            Subject::Afd => {
                let shown = ShownUnit::of(inputs).ok()?;
                match quantity {
                    Quantity::AfdSimulated => simulated(inputs, &shown, &run(&shown)?),
                    _ => account_of_unit(inputs, &shown, quantity),
                }
            }
            Subject::Lamina => {
                let (setup, split) = deployed(inputs)?;
                account_of_lamina(inputs, &setup, &split, quantity)
            }
        },
        Explained::Operator(number) => {
            let scenario = inputs.scenario().ok()?;
            let evaluation = evaluate(&scenario).ok()?;
            operator(inputs, &scenario, &evaluation, usize::from(number))
        }
    }
}

/// Builds the derivation tree of a quantity of whole-request serving, such as TTFT; `None` if `service` has no such
/// quantity.
pub fn account_of_service(
    inputs: &Inputs,
    service: &Service,
    quantity: Quantity,
) -> Option<Account> {
    service::account(service, &prefill_inputs(inputs), quantity)
}

/// Builds the derivation tree of an operator's time. `number` is its index in [`Evaluation::timed`].
pub fn operator(
    inputs: &Inputs,
    scenario: &Scenario,
    evaluation: &Evaluation,
    number: usize,
) -> Option<Account> {
    let settled = inputs.settled();
    step::operator(&Case::new(&settled, scenario, evaluation), number)
}

/// Builds the derivation tree of a colocated deployment's quantity; `None` if the scenario has no such quantity.
pub fn account(
    inputs: &Inputs,
    scenario: &Scenario,
    evaluation: &Evaluation,
    quantity: Quantity,
) -> Option<Account> {
    let settled = inputs.settled();
    let case = &Case::new(&settled, scenario, evaluation);
    match quantity {
        Quantity::Tpot => Some(tpot::tpot(case, DEEPEST)),
        Quantity::PerUser => Some(tpot::per_user(case)),
        Quantity::PerGpu => Some(tpot::per_gpu(case)),
        Quantity::Throughput => Some(tpot::throughput(case)),
        Quantity::Cost => tpot::cost(case),
        Quantity::Memory => Some(memory::most(case)),
        Quantity::Capacity => memory::capacity(case),
        Quantity::Ttft => prefill::ttft(case),
        Quantity::Step => Some(step::step(case, DEEPEST)),
        Quantity::Attention => step::part(case, OperatorRole::Attention),
        Quantity::Dense => step::part(case, OperatorRole::Dense),
        Quantity::Experts => step::part(case, OperatorRole::Experts),
        Quantity::Head => step::part(case, OperatorRole::Head),
        Quantity::Communication => step::communication(case),
        Quantity::Overhead => step::overhead(case),
        Quantity::Overlapped => step::overlapped(case),
        _ => None,
    }
}

/// Returns the value of a colocated deployment's result; `None` if there is no such result.
fn value(
    inputs: &Inputs,
    scenario: &Scenario,
    evaluation: &Evaluation,
    explained: Explained,
) -> Option<f64> {
    let quantity = match explained {
        Explained::Quantity(quantity) => quantity,
        Explained::Operator(number) => {
            let timed = evaluation.timed(scenario).nth(usize::from(number))?;
            return Some(timed.time.get());
        }
    };
    let breakdown = &evaluation.breakdown;
    Some(match quantity {
        Quantity::Tpot => evaluation.tpot.get(),
        Quantity::PerUser => evaluation.tokens_per_user,
        Quantity::PerGpu => evaluation.tokens_per_gpu,
        Quantity::Throughput => evaluation.tokens,
        Quantity::Cost => evaluation.dollars_per_mtok?,
        Quantity::Memory => evaluation.memory.most().get(),
        Quantity::Capacity => batch_capacity(scenario),
        Quantity::Ttft => first_token(inputs, scenario)?.get(),
        Quantity::Step => evaluation.step.get(),
        Quantity::Attention => breakdown.attention.get(),
        Quantity::Dense => breakdown.dense.get(),
        Quantity::Experts => breakdown.experts.get(),
        Quantity::Head => breakdown.head.get(),
        Quantity::Communication => breakdown.messages.get(),
        Quantity::Overhead => breakdown.overhead.get(),
        Quantity::Overlapped => breakdown.hidden.get(),
        _ => return None,
    })
}

/// Simulates the xAyF unit on the scenario’s GPUs; `None` if there is no such unit or the simulation would take too
/// long.
fn run(shown: &ShownUnit) -> Option<Run> {
    let asked = shown.decision.as_ref()?.asked?;
    let setup = shown.bundle.setup(f64::from(asked.instances));
    let allowed = setup.refusal().is_none();
    Some(Run::of(&allowed.then(|| Simulation::run(setup))??))
}

/// Returns the Lamina deployment shown in the Lamina view: the one with the largest batch that fits and meets the
/// minimum interactivity u*. If no batch does, its batch is the requested one or the largest that fits, whichever is
/// smaller.
fn deployed(inputs: &Inputs) -> Option<(SplitSetup, Split)> {
    let setup = slo::served(inputs, user_rate(inputs)).ok()?;
    Some((setup, evaluate_split(&setup).ok()?))
}

/// Returns the effects of a ±1% change of each input on a result; the deployment stays the same. Inputs in bytes per
/// element are varied only for memory results: in other results, they would imply kernels of another format.
pub fn moved(inputs: &Inputs, explained: Explained) -> Vec<Move> {
    let in_memory = Explained::Quantity(Quantity::Memory) == explained
        || Explained::Quantity(Quantity::Capacity) == explained;
    let mut all = all_moved(inputs, explained);
    all.retain(|one| in_memory || !Number::FORMATS.contains(&one.number));
    all
}

fn all_moved(inputs: &Inputs, explained: Explained) -> Vec<Move> {
    let subject = match explained {
        Explained::Quantity(quantity) => Some((quantity, quantity.subject())),
        Explained::Operator(_) => None,
    };
    match subject {
        Some((quantity, Subject::Service)) => of_service(inputs, quantity),
        Some((quantity, Subject::Afd)) => of_unit(inputs, quantity),
        Some((quantity, Subject::Lamina)) => of_lamina(inputs, quantity),
        _ => moves(inputs, |inputs| {
            let scenario = inputs.scenario().ok()?;
            value(inputs, &scenario, &evaluate(&scenario).ok()?, explained)
        }),
    }
}

/// Returns the effects of each input on a result of whole-request serving. The replicas' plans and batches stay the
/// same.
fn of_service(inputs: &Inputs, quantity: Quantity) -> Vec<Move> {
    let Ok(found) = requests::service(inputs) else {
        return Vec::new();
    };
    moves(inputs, |changed| {
        let served = again(changed, &found)?;
        service::value(&served, quantity)
    })
}

/// Recomputes whole-request serving for changed inputs, with the same replicas as in `found`.
fn again(changed: &Inputs, found: &Service) -> Option<Service> {
    let choice = found.choice?;
    let mut inputs = *changed;
    inputs.pools = choice;
    let inputs = match choice {
        Pools::Aggregated => {
            let replica = &found.aggregated.as_ref().ok()?.replica;
            let inputs = inputs.planned(&replica.spec);
            inputs
                .with(Number::Gpus, f64::from(replica.gpus))
                .with(Number::Batch, replica.batch)
                .with(Number::PrefillGpus, 1.0)
                .with(Number::PrefillTp, 1.0)
        }
        _ => {
            let pools = found.disaggregated.as_ref().ok()?;
            let inputs = inputs.planned(&pools.decode.spec);
            inputs
                .with(Number::Gpus, f64::from(pools.decode.gpus))
                .with(Number::Batch, pools.decode.batch)
                .with(Number::PrefillGpus, f64::from(pools.prefill.gpus))
                .with(Number::PrefillTp, f64::from(pools.prefill.tp))
        }
    };
    let mut planner = Planner::new(&inputs).ok()?;
    Some(planner.answer(&Demand::of(&inputs)))
}

/// Returns the effects of each input on a result of an xAyF unit. The unit's ranks and micro-batches stay the same.
fn of_unit(inputs: &Inputs, quantity: Quantity) -> Vec<Move> {
    let Ok(ShownUnit {
        bundle,
        point,
        decision,
    }) = ShownUnit::of(inputs)
    else {
        return Vec::new();
    };
    if quantity == Quantity::AfdColocated {
        let Some(way) = decision.and_then(|decision| decision.colocated) else {
            return Vec::new();
        };
        return moves(inputs, |changed| {
            let inputs = afd::colocated_inputs(&changed.decoding(), &bundle, &way)?;
            Some(evaluate(&inputs.scenario().ok()?).ok()?.tokens_per_gpu)
        });
    }
    let unit = decision.and_then(|decision| decision.asked);
    moves(inputs, |changed| {
        let changed = changed.decoding();
        let (bundle, ratio) = match &unit {
            Some(unit) => (unit.bundle(&changed)?, f64::from(unit.instances)),
            None => {
                let stated = changed
                    .with(Number::Ratio, point.ratio)
                    .with(Number::Slots, bundle.slots);
                (stated.bundle().ok()?, point.ratio)
            }
        };
        let value = afd::value(&bundle, &bundle.at(ratio), quantity)?;
        Some(value).filter(|value| value.is_finite())
    })
}

/// Returns the effects of each input on a result of a Lamina deployment. The deployment's devices and batch stay the
/// same.
fn of_lamina(inputs: &Inputs, quantity: Quantity) -> Vec<Move> {
    let Some((setup, _)) = deployed(inputs) else {
        return Vec::new();
    };
    moves(inputs, |changed| {
        let stated = changed
            .without(Number::Slo)
            .with(Number::ComputeGpus, f64::from(setup.compute_gpus))
            .with(Number::MemoryGpus, f64::from(setup.memory_gpus))
            .with(Number::Batches, f64::from(setup.batches));
        let again = SplitSetup::of(&stated).ok()?.with_batch(setup.batch());
        lamina::value(&evaluate_split(&again).ok()?, quantity)
    })
}
