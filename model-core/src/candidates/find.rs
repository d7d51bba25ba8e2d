//! The search for a candidate's best configuration.

use super::best::{CandidateBest, CandidateMiss};
use super::row::CandidateRow;
use super::{Candidate, Limit};
use crate::inputs::{Inputs, Mode, Number};
use crate::levers::plans;
use crate::search::{Search, own_gpus, replica_sizes, serving_most};
use crate::service::{Demand, Planner};

/// Creates the planner that searches replicas of any size for a candidate's inputs. Fails if the inputs break a rule.
pub fn planner(inputs: &Inputs) -> Result<Planner, CandidateMiss> {
    let open = inputs.without(Number::Gpus);
    Planner::new(&open).map_err(|_| CandidateMiss::Refused)
}

/// Evaluates a candidate under the scenario's request rate. Also returns the candidate's planner, which can evaluate
/// other rates.
pub fn served(
    candidate: &Candidate,
    current: &Inputs,
) -> (CandidateRow, Option<(Planner, Demand)>) {
    let inputs = candidate.inputs(current);
    let demand = Demand::of(&inputs);
    let opened = inputs.without(Number::Gpus);
    let available = candidate.available(demand.price);
    let planned = available.and_then(|available| Ok((available, planner(&inputs)?)));
    match planned {
        Ok((available, mut planner)) => {
            let service = planner.answer(&demand);
            let found = CandidateBest::of_service(&service, &inputs, available);
            let row = CandidateRow::new(opened, found);
            (row, Some((planner, demand)))
        }
        Err(miss) => (CandidateRow::new(opened, Err(miss)), None),
    }
}

/// Evaluates a candidate without a request rate: finds its best plan on the available GPUs (by default, the
/// scenario's GPU count).
pub fn planned(candidate: &Candidate, current: &Inputs, search: &Search) -> CandidateRow {
    let base = candidate.inputs(current).in_mode(Mode::Colocated);
    let found = candidate
        .available(base.get(Number::Price))
        .and_then(|available| {
            let gpus = available.unwrap_or_else(|| own_gpus(current));
            let sizes = match candidate.limit {
                Some(Limit::Budget(_)) => every_size(search, &base, gpus),
                _ => replica_sizes(gpus),
            };
            let best = best_plan(&base, search, gpus, &sizes)?;
            let found = CandidateBest::of_plan(&best, available).ok_or(CandidateMiss::NoPlan)?;
            Ok((best, found))
        });
    match found {
        Ok((inputs, found)) => CandidateRow::new(inputs, Ok(found)),
        Err(miss) => CandidateRow::new(base, Err(miss)),
    }
}

/// Returns every sensible replica size up to `gpus`. With this choice of sizes, few of the GPUs that a budget buys
/// remain unused.
fn every_size(search: &Search, base: &Inputs, gpus: u32) -> Vec<u32> {
    let any = Search {
        gpus: None,
        any_gpus: true,
        accelerators: Vec::new(),
        ..search.clone()
    };
    let mut sizes = any.gpus(base);
    sizes.retain(|size| *size <= gpus);
    sizes
}

/// Returns the inputs of the plan with the highest total throughput over all replicas.
fn best_plan(
    base: &Inputs,
    search: &Search,
    gpus: u32,
    sizes: &[u32],
) -> Result<Inputs, CandidateMiss> {
    let mut open = base.with(Number::Gpus, 1.0);
    open.unshard();
    open.scenario().map_err(|_| CandidateMiss::Refused)?;
    let mut best: Option<(f64, Inputs)> = None;
    for size in sizes {
        let count = (gpus / size).min(Number::Replicas.spec().most as u32);
        let all = f64::from(size * count);
        let there = open
            .with(Number::Gpus, f64::from(*size))
            .with(Number::Replicas, f64::from(count));
        let Ok(scenario) = there.scenario() else {
            continue;
        };
        let known = best.map_or(0.0, |(tokens, _)| tokens / all);
        if let Some((rate, inputs)) = serving_most(&there, search, &plans(&scenario), known)
            && best.is_none_or(|(tokens, _)| rate * all >= tokens)
        {
            best = Some((rate * all, inputs));
        }
    }
    best.map(|(_, inputs)| inputs).ok_or(CandidateMiss::NoPlan)
}
