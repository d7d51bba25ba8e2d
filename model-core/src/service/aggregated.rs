//! Aggregated replicas, which prefill and decode on the same GPUs.

use super::miss::Miss;
use super::prefill::FirstToken;
use super::queue::{DUST, fewest, replicas_for, wait};
use super::traffic::{Demand, Requests};
use crate::cost::memory::batch_capacity;
use crate::evaluate::{pace_with_batch, prefill_is_modelled, prefill_time};
use crate::inputs::{Inputs, Number};
use crate::levers::{Served, peak};
use crate::limits::growing_edge;
use crate::math::bisect;
use crate::plan::PlanSpec;
use crate::scenario::Scenario;
use crate::schedule::neighbors::PromptShare;
use crate::units::Seconds;
use crate::workload;

/// A plan that prefills and decodes on the same GPUs, at any batch.
///
/// TPOT = step/y + p·f·T_p, with acceptance length y and p·f prompt passes per output token ([`PromptShare`]). T_p is
/// the time of a pass over one whole prompt per attention group, output head excluded.
#[derive(Debug, Clone)]
pub struct AggregatedEngine {
    /// The scenario of the engine's decode steps, without prompts.
    scenario: Scenario,
    requests: Requests,
    /// Time of a prefill pass over one whole prompt per attention group, T_p.
    prefill: Seconds,
    /// Minimum batch of the plan, and max batch that fits in memory.
    batches: (f64, f64),
    /// Decode step time at the smallest batch.
    quickest: Seconds,
}

/// Step time, TPOT and request rate of an aggregated engine at one batch.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Beat {
    step: Seconds,
    tpot: Seconds,
    /// Max requests per second of the engine at this batch, μ_a.
    rate: f64,
}

/// An aggregated replica, which prefills and decodes on the same GPUs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AggregatedReplica {
    /// Number of GPUs of the aggregated replica.
    pub gpus: u32,
    /// Sharding and schedule of the aggregated replica.
    pub spec: PlanSpec,
    /// Concurrent sequences of the aggregated replica (its batch).
    pub batch: f64,
    /// Time of a decode step without prompts.
    pub step: Seconds,
    /// Time of a prefill pass over one whole prompt per attention group, T_p.
    pub prefill: Seconds,
    /// Time per output token of the aggregated replica, prefill of other prompts included.
    pub tpot: Seconds,
    /// Max requests per second of the replica, μ_a = B/(o TPOT), for batch B and o output tokens.
    pub rate: f64,
    /// Fraction of the replica's time that is spent on prefill: 1 − (step/y)/TPOT.
    pub input_share: f64,
}

/// Times and rates of an aggregated replica that determine its queueing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AggregatedTurn {
    /// Time of a decode step without prompts.
    pub step: Seconds,
    /// Time of a prefill pass over one whole prompt per attention group, T_p.
    pub prefill: Seconds,
    /// Max requests per second of the aggregated replica, μ_a.
    pub rate: f64,
    /// Number of data-parallel attention groups in the aggregated replica, dp.
    pub groups: f64,
}

impl AggregatedReplica {
    /// Returns the times and rates that determine the queueing of this aggregated replica.
    pub fn turn(&self) -> AggregatedTurn {
        AggregatedTurn {
            step: self.step,
            prefill: self.prefill,
            rate: self.rate,
            groups: f64::from(self.spec.dp),
        }
    }

    /// Returns the TTFT of an idle aggregated replica.
    pub fn alone(&self) -> Seconds {
        self.turn().alone()
    }

    /// Returns the mean TTFT of `replicas` aggregated replicas at `rate` req/s; see [`AggregatedTurn::first_token`].
    pub fn first_token(&self, rate: f64, replicas: f64) -> Option<FirstToken> {
        self.turn().first_token(rate, replicas)
    }

    /// Returns the number of aggregated replicas that serve the demand; see [`AggregatedTurn::replicas`].
    pub fn replicas(&self, rate: f64, demand: &Demand) -> Option<f64> {
        self.turn().replicas(rate, demand)
    }

    /// Returns `base` as an aggregated deployment with this replica's plan, GPU count and batch.
    pub fn inputs(&self, base: &Inputs) -> Inputs {
        let mut inputs = *base;
        inputs.engine = workload::Engine::Aggregated;
        inputs
            .planned(&self.spec)
            .with(Number::Gpus, f64::from(self.gpus))
            .with(Number::Batch, self.batch)
    }
}

impl AggregatedTurn {
    /// Returns the TTFT of an idle aggregated replica.
    pub fn alone(&self) -> Seconds {
        self.prefill + self.step
    }

    /// Returns the mean TTFT of `replicas` replicas (R_a) at `rate` req/s (λ). TTFT is the sum of the wait for the
    /// running step, queueing, prefill, and the step that produces the token. The wait for the running step is half a
    /// step times utilization. Prompts queue for q = R_a dp groups, each busy with prompts for a share λ T_p/q of the
    /// time. `None` if the replicas cannot sustain the rate, or if their groups cannot sustain the prefill.
    pub fn first_token(&self, rate: f64, replicas: f64) -> Option<FirstToken> {
        let utilisation = rate / (replicas * self.rate);
        let groups = replicas * self.groups;
        let queued = wait(self.prefill, groups, rate * self.prefill.get() / groups)?;
        (utilisation < 1.0).then(|| FirstToken {
            wait: self.step * (utilisation / 2.0) + queued,
            prefill: self.prefill,
            rest: self.step,
        })
    }

    /// Returns the number of aggregated replicas that serve the demand and meet the TTFT limit; `None` if no number
    /// does.
    pub fn replicas(&self, rate: f64, demand: &Demand) -> Option<f64> {
        if demand
            .first_token
            .is_some_and(|limit| limit <= self.alone())
        {
            return None;
        }
        let least = replicas_for(rate, self.rate, demand.utilisation);
        fewest(least, |replicas| {
            let first = self.first_token(rate, replicas);
            demand.meets(first.map(|first| first.total()))
        })
    }
}

impl AggregatedEngine {
    /// Returns the aggregated engine for a decode scenario. The error is the reason why the engine is infeasible:
    /// broken rules, out of memory, or below the required tok/s/user.
    pub fn of(scenario: &Scenario, requests: &Requests) -> Result<Self, Miss> {
        prefill_is_modelled(&scenario.plan).map_err(|refusal| vec![refusal])?;
        let least = scenario.plan.micro_batches();
        let most = batch_capacity(scenario).min(Number::Batch.spec().most);
        if most < least {
            return Err(Miss::NothingFits);
        }
        let prefill = prefill_time(scenario, requests.prompt).map_err(|refusal| vec![refusal])?;
        let mut engine = Self {
            scenario: *scenario,
            requests: *requests,
            prefill,
            batches: (least, most),
            quickest: Seconds::ZERO,
        };
        let first = engine.at(least).ok_or(Miss::NothingFits)?;
        engine.quickest = first.step;
        if !engine.meets(&first) {
            let fastest = 1.0 / first.tpot.get();
            return Err(Miss::Slow { fastest });
        }
        Ok(engine)
    }

    /// Returns the minimum TTFT of the aggregated engine: idle, at the smallest batch.
    pub fn soonest(&self) -> Seconds {
        self.prefill + self.quickest
    }

    fn groups(&self) -> f64 {
        f64::from(self.scenario.plan.spec().dp)
    }

    fn at(&self, batch: f64) -> Option<Beat> {
        let pace = pace_with_batch(&self.scenario, batch).ok()?;
        let share = PromptShare::of(&self.scenario, batch, self.requests.output);
        let tpot = pace.tpot + self.prefill * share.taken;
        Some(Beat {
            step: pace.step,
            tpot,
            rate: batch / (self.requests.output * tpot.get()),
        })
    }

    fn meets(&self, beat: &Beat) -> bool {
        1.0 / beat.tpot.get() >= self.requests.users
    }

    /// Returns an upper bound on the request rate at any batch, computed with the step time of the smallest batch.
    pub fn rate_bound(&self) -> f64 {
        let yielded = self.scenario.workload.speculation.yielded();
        let bound = |batch: f64| {
            let neighbours = (batch / self.groups() - 1.0).max(0.0);
            let each = self.quickest.get() * self.requests.output / yielded;
            batch / (each + neighbours * self.prefill.get())
        };
        bound(self.batches.0).max(bound(self.batches.1))
    }

    /// Returns the aggregated replica with this engine's plan at a given batch.
    pub fn replica(&self, batch: f64) -> Option<AggregatedReplica> {
        let beat = self.at(batch)?;
        let own = beat.step / self.scenario.workload.speculation.yielded();
        Some(AggregatedReplica {
            gpus: self.scenario.cluster.gpus,
            spec: *self.scenario.plan.spec(),
            batch,
            step: beat.step,
            prefill: self.prefill,
            tpot: beat.tpot,
            rate: beat.rate,
            input_share: 1.0 - own / beat.tpot,
        })
    }

    /// Returns the largest batch that meets the required tok/s/user. If `step` is given, the step time must be below
    /// `step` too.
    fn edge(&self, step: Option<Seconds>) -> Option<f64> {
        let (least, most) = self.batches;
        let users = self.requests.users;
        let mut edge = most;
        if users > 0.0 {
            edge = growing_edge(least, edge, 1.0 / users, |batch| {
                let beat = self.at(batch);
                beat.map_or((false, f64::INFINITY), |beat| {
                    (self.meets(&beat), beat.tpot.get())
                })
            })?;
        }
        if let Some(limit) = step {
            edge = growing_edge(least, edge, limit.get(), |batch| {
                let beat = self.at(batch);
                beat.map_or((false, f64::INFINITY), |beat| {
                    (beat.step < limit, beat.step.get())
                })
            })?;
        }
        Some(edge)
    }

    /// Returns two batches: the one with the highest req/s, and the smallest one that comes close to that rate.
    /// `None` if the highest rate is below `known`. `first_token` is the upper limit on the TTFT of an idle replica.
    pub fn most(&self, first_token: Option<Seconds>, known: f64) -> Option<(f64, f64)> {
        let step = first_token.map(|limit| limit - self.prefill);
        let edge = self.edge(step)?;
        let tokens = |rate: f64| rate * self.requests.output;
        let users = |batch: f64| Some(1.0 / self.at(batch)?.tpot.get());
        let (most, least) = peak((self.batches.0, edge), 1.0, tokens(known), users)?;
        let Served { batch, .. } = most;
        (most.tokens_per_gpu >= tokens(known)).then_some((batch, least.batch))
    }

    /// Returns a batch at which R replicas (`replicas`) meet the TTFT limit at request rate λ, if there is one.
    ///
    /// Request rates grow with the batch up to `peak`, the batch with the highest req/s. The smallest batch that
    /// serves λ/R has the shortest step. At larger batches, replicas are less busy and prompts wait less for the
    /// running step, so TTFT has a single minimum over the batch.
    fn reach(&self, replicas: f64, rate: f64, demand: &Demand, peak: f64) -> Option<f64> {
        let share = rate / (demand.utilisation * (replicas + DUST));
        let groups = replicas * self.groups();
        let queued = wait(self.prefill, groups, rate * self.prefill.get() / groups)?;
        let room = demand
            .first_token
            .map_or(f64::INFINITY, |limit| (limit - self.prefill - queued).get());
        let late = |batch: f64| {
            let beat = self.at(batch)?;
            let waits = 1.0 + rate / (replicas * beat.rate) / 2.0;
            (beat.rate >= share).then(|| beat.step.get() * waits - room)
        };
        let (mut low, high) = (self.batches.0, peak);
        if late(low).is_none() {
            late(high)?;
            [_, low] = bisect(low, high, |batch| late(batch).is_none());
        }
        if late(low)? <= 0.0 {
            return Some(low);
        }
        let mut high = peak;
        while high - low > 2.0 {
            let third = ((high - low) / 3.0).ceil();
            let (one, other) = (low + third, high - third);
            let (first, second) = (late(one)?, late(other).unwrap_or(f64::INFINITY));
            if first <= 0.0 {
                return Some(one);
            }
            if first <= second {
                high = other;
            } else {
                low = one;
            }
        }
        None
    }

    /// Returns the fewest replicas of this engine that meet the demand, and their batch. `None` if `below` or more
    /// replicas are needed, or if the TTFT limit cannot be met.
    pub fn fewest(&self, rate: f64, demand: &Demand, below: f64) -> Option<(f64, f64)> {
        if demand
            .first_token
            .is_some_and(|limit| limit <= self.soonest())
        {
            return None;
        }
        let least = replicas_for(rate, self.rate_bound(), demand.utilisation);
        if least >= below {
            return None;
        }
        let (peak, _) = self.most(demand.first_token, 0.0)?;
        let reach = |replicas: f64| self.reach(replicas, rate, demand, peak);
        let replicas = fewest(least, |replicas| {
            replicas >= below || reach(replicas).is_some()
        })?;
        let batch = (replicas < below).then(|| reach(replicas))??;
        Some((replicas, batch))
    }
}

/// Returns the aggregated replica with the plan that the inputs set. Its batch is the one set in the inputs, or else
/// the smallest batch that comes close to the highest req/s within the limits.
pub fn stated(
    inputs: &Inputs,
    requests: &Requests,
    first_token: Option<Seconds>,
) -> Result<AggregatedReplica, Miss> {
    let engine = AggregatedEngine::of(&inputs.scenario()?, requests)?;
    let batch = match inputs.stated(Number::Batch) {
        Some(batch) => batch,
        None => {
            let soonest = engine.soonest();
            let most = engine.most(first_token, 0.0);
            most.ok_or(Miss::FirstToken { soonest })?.1
        }
    };
    let (least, most) = engine.batches;
    let replica = engine.replica(batch).ok_or(Miss::NothingFits)?;
    if batch < least || batch > most {
        return Err(Miss::NothingFits);
    }
    let fastest = 1.0 / replica.tpot.get();
    match fastest >= requests.users {
        true => Ok(replica),
        false => Err(Miss::Slow { fastest }),
    }
}
