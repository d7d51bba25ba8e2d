//! States of a scenario as headlines: infeasible, the bottleneck, or the largest batch.

use crate::case::Evaluated;
use crate::theme::Role;
use crate::words::headline::{Headline, Limit, Remedy};
use crate::words::names::{self, part_name};
use model_core::bottleneck::{Bottleneck, Resource};
use model_core::evaluate::{Evaluation, evaluate};
use model_core::levers::{is_feasible, served};
use model_core::limits::NoBatch;
use model_core::ops::OperatorRole;
use model_core::plan::Overlap;
use model_core::scenario::Scenario;

/// Returns the headline of an infeasible scenario, which is the same in every view; `None` if the scenario is
/// feasible.
pub fn trouble(case: &Evaluated) -> Option<Headline> {
    let memory = &case.evaluation.memory;
    let workload = &case.scenario.workload;
    let least = case.scenario.plan.micro_batches();
    if !memory.fits() {
        let room = Some(case.limits.b_cap).filter(|room| *room >= least);
        let slo = workload.slo.filter(|_| room.is_some());
        return Some(Headline::DoesNotFit {
            batch: workload.batch,
            gib: [memory.most().as_gib(), memory.usable.as_gib()],
            fits: match slo {
                Some(_) => case.largest.ok().map(|largest| largest.batch),
                None => room,
            },
            slo,
        });
    }
    let slo = workload
        .slo
        .filter(|slo| case.evaluation.tokens_per_user < *slo)?;
    Some(Headline::MissesSlo {
        rate: [case.evaluation.tokens_per_user, slo],
        limit: limits(&Bottleneck::of(&case.scenario, &case.evaluation))[0],
        remedy: remedy(case),
    })
}

/// Returns the cheapest change that meets the SLO. Another overlap schedule is preferred, as it costs nothing; a
/// smaller batch costs throughput.
fn remedy(case: &Evaluated) -> Option<Remedy> {
    let meets = |overlap: &Overlap| {
        let scheduled = case.inputs.scheduled(*overlap).scenario();
        scheduled.is_ok_and(|scenario| {
            evaluate(&scenario).is_ok_and(|found| is_feasible(&scenario, &found))
        })
    };
    let spec = case.scenario.plan.spec();
    let mut others = Overlap::ALL.into_iter();
    let overlap = others.find(|other| spec.allows(*other) && meets(other));
    let batch = || Some(Remedy::Batch(case.largest.ok()?.batch));
    overlap.map(Remedy::Overlap).or_else(batch)
}

/// Returns the headline about the resource that limits the time between two tokens. If no resource limits half of
/// that time, the headline names the two largest shares.
pub fn bottleneck(scenario: &Scenario, evaluation: &Evaluation) -> Headline {
    let found = Bottleneck::of(scenario, evaluation);
    let [first, second] = limits(&found);
    let span_s = found.span().get();
    if first.share < 0.5 {
        return Headline::NoBottleneck {
            span_s,
            limits: vec![first, second],
        };
    }
    let breakdown = &evaluation.breakdown;
    let idle = evaluation.step - breakdown.compute() - breakdown.overhead;
    Headline::Limited {
        limit: first,
        next: (second.share >= 0.25).then_some(second),
        most_in: found.most_in(first.resource).map(|of| match of {
            OperatorRole::Attention => part_name(of),
            OperatorRole::Experts => "the experts",
            OperatorRole::Dense => "the dense layers",
            OperatorRole::Head => part_name(of),
        }),
        span_s,
        idle_s: (first.role == Role::Messages && idle / evaluation.step > 0.005)
            .then_some(idle.get()),
    }
}

/// Returns the two resources that limit the largest shares of the time between two tokens, with these shares.
fn limits(found: &Bottleneck) -> [Limit; 2] {
    let [first, second, ..] = found.ranked();
    [first, second].map(|resource| Limit {
        resource,
        share: found.share(resource),
        role: match resource {
            Resource::Hbm | Resource::Compute => {
                found.most_in(resource).map_or(Role::Experts, names::role)
            }
            Resource::ScaleUp | Resource::ScaleOut | Resource::Latency => Role::Messages,
            Resource::Launches => Role::Overhead,
            Resource::Prefill => Role::Prompts,
            Resource::Capacity => Role::Kv,
            Resource::Balance => Role::Experts,
        },
    })
}

/// Returns the headline about the largest batch of the plan, for a feasible scenario.
pub fn reach(case: &Evaluated) -> Headline {
    let slo = case.scenario.workload.slo;
    let most = match case.largest {
        Ok(largest) => largest.batch,
        Err(why) => {
            let room = Some(case.limits.b_cap).filter(|_| why == NoBatch::Memory);
            return Headline::TooFew {
                least: case.scenario.plan.micro_batches(),
                room,
                slo,
            };
        }
    };
    let flat = served(&case.scenario, slo.unwrap_or(0.0)).map(|served| served.batch);
    Headline::Reach {
        batch: most,
        per_gpu: case.whole_per_gpu(most),
        slo,
        flat_from: flat.filter(|flat| flat * 1.05 < most),
    }
}
