//! The search of replicas in steps, and its answer as numbers.

use crate::levers::{flag, perhaps};
use crate::numbers::Reader;
use crate::steps::Steps;
use model_core::inputs::Inputs;
use model_core::permalink;
use model_core::plan::{Overlap, PlanSpec, Shared};
use model_core::service::known::{KnownReplica, KnownReplicas};
use model_core::service::limit::{Crossover, crossover};
use model_core::service::miss::Miss;
use model_core::service::stairs::{Stair, Stairs};
use model_core::service::{Demand, Planner};
use model_core::units::Seconds;
use model_core::workload::Pools;

/// A running search.
#[derive(Debug)]
pub struct ReplicasJob {
    inputs: Inputs,
    planner: Option<Planner>,
    found: Option<ReplicasAnswer>,
}

impl ReplicasJob {
    /// Starts the search of a link.
    pub fn new(link: &str) -> Self {
        let inputs = permalink::read(link).current;
        Self {
            inputs,
            planner: Planner::new(&inputs).ok(),
            found: None,
        }
    }
}

impl Steps for ReplicasJob {
    /// Replicas first, then what needs other demands.
    fn step(&mut self) -> bool {
        let Some(planner) = &mut self.planner else {
            return false;
        };
        let demand = Demand::of(&self.inputs);
        let Some(found) = &mut self.found else {
            let known = planner.known(&demand);
            let stairs = Stairs::around(&planner.answer(&demand));
            self.found = Some(ReplicasAnswer {
                known,
                stairs,
                limit: None,
            });
            return true;
        };
        let more = found
            .stairs
            .as_mut()
            .is_some_and(|stairs| stairs.step(planner));
        if !more {
            found.limit = crossover(planner, &demand);
        }
        more
    }

    /// For [`ReplicasAnswer::read`].
    fn answer(&self, _: bool, _: f64) -> Vec<f64> {
        let Some(found) = &self.found else {
            return Vec::new();
        };
        let mut numbers = Vec::new();
        push_replica(&mut numbers, &found.known.decode);
        push_replica(&mut numbers, &found.known.aggregated);
        let stairs = found.stairs.as_ref();
        numbers.push(perhaps(stairs.map(|stairs| stairs.first)));
        let steps = stairs.map_or(&[][..], |stairs| &stairs.found);
        numbers.push(steps.len() as f64);
        for step in steps {
            numbers.extend([step.rate, perhaps(step.pools), perhaps(step.aggregated)]);
        }
        numbers.push(flag(found.limit.is_some()));
        if let Some(limit) = &found.limit {
            numbers.extend([
                place(Pools::ALL, limit.lenient),
                limit.soonest.get(),
                perhaps(limit.down_to.map(Seconds::get)),
            ]);
        }
        numbers
    }
}

/// The place of a value among all.
fn place<T: PartialEq, const N: usize>(all: [T; N], of: T) -> f64 {
    all.iter().position(|one| *one == of).unwrap_or_default() as f64
}

fn push_replica(numbers: &mut Vec<f64>, replica: &Result<KnownReplica, Miss>) {
    match replica {
        Ok(one) => {
            let spec = &one.spec;
            numbers.extend([0.0, one.batch, flag(one.extrapolated), spec.beta]);
            let node_limit = spec.node_limit.map(f64::from);
            numbers.extend([
                perhaps(node_limit),
                place(Shared::ALL, spec.shared),
                place(Overlap::ALL, spec.overlap),
            ]);
            let counts = [
                one.gpus,
                spec.dp,
                spec.tp,
                spec.kvp,
                spec.ffn_tp,
                spec.ep,
                spec.pp,
                spec.redundant,
            ];
            numbers.extend(counts.map(f64::from));
        }
        Err(Miss::Slow { fastest }) => numbers.extend([1.0, *fastest]),
        Err(Miss::FirstToken { soonest }) => numbers.extend([2.0, soonest.get()]),
        // Rules are broken by stated replicas alone, which are not searched.
        Err(Miss::NothingFits | Miss::Refused(_)) => numbers.push(3.0),
    }
}

fn replica(reader: &mut Reader<'_>) -> Option<Result<KnownReplica, Miss>> {
    Some(match reader.count()? {
        0 => {
            let (batch, extrapolated) = (reader.number()?, reader.number()? > 0.0);
            let beta = reader.number()?;
            let node_limit = reader.perhaps()?.map(|limit| limit as u32);
            let shared = *Shared::ALL.get(reader.count()?)?;
            let overlap = *Overlap::ALL.get(reader.count()?)?;
            let mut count = || reader.count().map(|count| count as u32);
            Ok(KnownReplica {
                gpus: count()?,
                spec: PlanSpec {
                    dp: count()?,
                    tp: count()?,
                    kvp: count()?,
                    ffn_tp: count()?,
                    ep: count()?,
                    pp: count()?,
                    redundant: count()?,
                    beta,
                    shared,
                    overlap,
                    node_limit,
                },
                batch,
                extrapolated,
            })
        }
        1 => Err(Miss::Slow {
            fastest: reader.number()?,
        }),
        2 => Err(Miss::FirstToken {
            soonest: Seconds::new(reader.number()?),
        }),
        _ => Err(Miss::NothingFits),
    })
}

/// The replicas of a demand, and what other demands say of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplicasAnswer {
    /// The best replicas.
    pub known: KnownReplicas,
    /// GPUs over the rate, as far as they are computed.
    pub stairs: Option<Stairs>,
    /// The limit of the first token at which the cheaper way changes; comes last.
    pub limit: Option<Crossover>,
}

impl ReplicasAnswer {
    /// Reads the numbers of a [`ReplicasJob`] of `link`; `None` if they are invalid, or broken rules leave none.
    pub fn read(reader: &mut Reader<'_>, link: &str) -> Option<Self> {
        let of = permalink::read(link).current.normalized();
        let known = KnownReplicas {
            of,
            decode: replica(reader)?,
            aggregated: replica(reader)?,
        };
        let first = reader.perhaps()?;
        let found = reader.many(|reader| {
            Some(Stair {
                rate: reader.number()?,
                pools: reader.perhaps()?,
                aggregated: reader.perhaps()?,
            })
        })?;
        let demand = Demand {
            rate: None,
            ..Demand::of(&of)
        };
        let limit = match reader.number()? > 0.0 {
            true => Some(Crossover {
                lenient: *Pools::ALL.get(reader.count()?)?,
                soonest: Seconds::new(reader.number()?),
                down_to: reader.perhaps()?.map(Seconds::new),
            }),
            false => None,
        };
        Some(Self {
            known,
            stairs: first.map(|first| Stairs {
                first,
                demand,
                found,
            }),
            limit,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::whole;
    use crate::message::Request;

    #[test]
    fn an_answer_reads_as_it_was_written() {
        for demand in ["&rate=50&ttft=2", "", "&rate=50&ttft=0.001", "&slo=9999"] {
            let link = format!("v=2&model=qwen3-30b-a3b&gpu=h200{demand}");
            let numbers = whole(&Request::Replicas { link: link.clone() });
            let read = |numbers| ReplicasAnswer::read(&mut Reader::new(numbers), &link);
            let mut job = ReplicasJob::new(&link);
            while job.step() {}
            assert_eq!(read(&numbers), job.found, "{link}");
            assert!(job.found.is_some());
            assert!(read(&numbers[..numbers.len() - 1]).is_none());
        }
        let impossible = "v=2&model=qwen3-30b-a3b&gpu=h200&output=0.5";
        let link = impossible.to_owned();
        assert!(whole(&Request::Replicas { link }).is_empty());
    }
}
