//! Answers to a demand: pools, aggregated replicas, the cheaper of both.

use super::aggregated::AggregatedReplica;
use super::chosen::Chosen;
use super::decode::DecodeReplica;
use super::miss::{Miss, Missed, ReplicaWork};
use super::prefill::{FirstToken, PrefillReplica};
use super::queue::{Matched, matched};
use super::traffic::{Demand, Requests};
use crate::inputs::Inputs;
use crate::units::Seconds;
use crate::workload::Pools;

/// Seconds of an hour.
pub const HOUR: f64 = 3600.0;
/// Share of a cost that is rounding: sums of the same prices count as equal.
const ROUNDING: f64 = 1e-9;

/// The answer to a demand.
#[derive(Debug, Clone)]
pub struct Service {
    /// The requests.
    pub requests: Requests,
    /// The demand.
    pub demand: Demand,
    /// A prefill pool and a decode pool.
    pub disaggregated: Result<Disaggregated, Missed>,
    /// Replicas that prefill and decode.
    pub aggregated: Result<Aggregated, Missed>,
    /// The pools that serve: the cheaper of those allowed; `None` if none can.
    pub choice: Option<Pools>,
}

/// Replicas of one kind under a rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pool {
    /// Replicas, R.
    pub replicas: u64,
    /// GPUs of all of them.
    pub gpus: u64,
    /// Share of their rate that is used, u = λ/(R μ).
    pub utilisation: f64,
}

/// Cost of serving, where prices are known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// US dollars per request.
    pub per_request: f64,
    /// US dollars per million tokens of prompts that were not cached.
    pub per_million_new: f64,
    /// US dollars per million tokens of output.
    pub per_million_output: f64,
}

/// Costs of both alternatives: US dollars an hour where prices are known, else GPUs; for each request per second
/// without a rate.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct ComparedCosts {
    /// A prefill pool and a decode pool; `None` if infeasible.
    pub pools: Option<f64>,
    /// Aggregated replicas, likewise.
    pub aggregated: Option<f64>,
}

impl ComparedCosts {
    /// The cost of the pools that are allowed, of the cheaper ones of both.
    pub fn of(&self, allowed: Pools) -> Option<f64> {
        match allowed {
            Pools::Disaggregated => self.pools,
            Pools::Aggregated => self.aggregated,
            Pools::Best => match (self.pools, self.aggregated) {
                (Some(one), Some(other)) => Some(one.min(other)),
                (one, other) => one.or(other),
            },
        }
    }

    /// The cost of pools over that of aggregated replicas.
    pub fn over(&self) -> Option<f64> {
        let (pools, aggregated) = self.pools.zip(self.aggregated)?;
        Some(pools / aggregated)
    }
}

/// A prefill pool and a decode pool.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Disaggregated {
    /// The prefill replica.
    pub prefill: PrefillReplica,
    /// The decode replica.
    pub decode: DecodeReplica,
    /// Prefill GPUs per decode GPU at equal rates.
    pub gpus_ratio: f64,
    /// Whole replicas at equal rates.
    pub matched: Matched,
    /// GPUs for each request per second, both pools fully used.
    pub gpus_per_rate: f64,
    /// US dollars per hour for each request per second, both pools fully used.
    pub dollars_per_rate: Option<f64>,
    /// Both pools under the demand's rate; `None` without one.
    pub loaded: Option<LoadedPools>,
}

/// Both pools under a rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoadedPools {
    /// The prefill pool.
    pub prefill: Pool,
    /// The decode pool.
    pub decode: Pool,
    /// Mean time to first token.
    pub first_token: FirstToken,
    /// Cost, where both prices are known.
    pub cost: Option<Cost>,
}

/// Replicas that prefill and decode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aggregated {
    /// The replica.
    pub replica: AggregatedReplica,
    /// The inputs that state it, plan and batch included, as a deployment with aggregated prefill.
    pub inputs: Inputs,
    /// GPUs for each request per second, fully used.
    pub gpus_per_rate: f64,
    /// US dollars per hour for each request per second, fully used.
    pub dollars_per_rate: Option<f64>,
    /// The replicas under the demand's rate; `None` without one.
    pub loaded: Option<LoadedReplicas>,
}

/// Aggregated replicas under a rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoadedReplicas {
    /// The replicas.
    pub pool: Pool,
    /// Mean time to first token.
    pub first_token: FirstToken,
    /// Cost, where the price is known.
    pub cost: Option<Cost>,
}

impl Pool {
    fn of<T>(chosen: &Chosen<T>, rate: f64, capacity: f64) -> Self {
        Self {
            replicas: chosen.replicas as u64,
            gpus: chosen.total() as u64,
            utilisation: rate / (chosen.replicas * capacity),
        }
    }

    /// US dollars per request at a price per GPU-hour.
    fn dollars(&self, price: f64, rate: f64) -> f64 {
        price * self.gpus as f64 / (HOUR * rate)
    }
}

impl Disaggregated {
    /// Chosen replicas under a demand.
    pub fn of(
        requests: &Requests,
        demand: &Demand,
        prefill: Chosen<PrefillReplica>,
        decode: Chosen<DecodeReplica>,
    ) -> Self {
        let (one, other) = (prefill.replica, decode.replica);
        let each = (
            f64::from(one.gpus) / one.rate(),
            f64::from(other.gpus) / other.rate,
        );
        let prices = demand.prefill_price.zip(demand.price);
        let loaded = demand.rate.and_then(|rate| {
            let pools = (
                Pool::of(&prefill, rate, one.rate()),
                Pool::of(&decode, rate, other.rate),
            );
            Some(LoadedPools {
                prefill: pools.0,
                decode: pools.1,
                first_token: one.first_token(rate, prefill.replicas)?,
                cost: prices.map(|(input, output)| {
                    let paid = (pools.0.dollars(input, rate), pools.1.dollars(output, rate));
                    Cost::of(requests, paid.0, paid.1)
                }),
            })
        });
        Self {
            prefill: one,
            decode: other,
            gpus_ratio: each.0 / each.1,
            matched: matched(one.rate(), other.rate),
            gpus_per_rate: each.0 + each.1,
            dollars_per_rate: prices.map(|(input, output)| each.0 * input + each.1 * output),
            loaded,
        }
    }
}

impl LoadedPools {
    /// GPUs of both pools.
    pub const fn gpus(&self) -> u64 {
        self.prefill.gpus + self.decode.gpus
    }

    /// The fuller pool.
    pub fn binds(&self) -> ReplicaWork {
        match self.prefill.utilisation > self.decode.utilisation {
            true => ReplicaWork::Prefill,
            false => ReplicaWork::Decode,
        }
    }
}

impl Aggregated {
    /// A chosen replica under a demand.
    pub fn of(
        requests: &Requests,
        demand: &Demand,
        base: &Inputs,
        chosen: Chosen<AggregatedReplica>,
    ) -> Self {
        let replica = chosen.replica;
        let each = f64::from(replica.gpus) / replica.rate;
        let loaded = demand.rate.and_then(|rate| {
            let pool = Pool::of(&chosen, rate, replica.rate);
            Some(LoadedReplicas {
                pool,
                first_token: replica.first_token(rate, chosen.replicas)?,
                cost: demand.price.map(|price| {
                    let paid = pool.dollars(price, rate);
                    let input = paid * replica.input_share;
                    Cost::of(requests, input, paid - input)
                }),
            })
        });
        Self {
            replica,
            inputs: replica.inputs(base),
            gpus_per_rate: each,
            dollars_per_rate: demand.price.map(|price| each * price),
            loaded,
        }
    }
}

impl Cost {
    /// Cost of a request from the costs of its prompt and output. Cached tokens cost nothing but what stores them,
    /// which is not modeled.
    pub fn of(requests: &Requests, input: f64, output: f64) -> Self {
        Self {
            per_request: input + output,
            per_million_new: input / requests.computed() * 1e6,
            per_million_output: output / requests.output * 1e6,
        }
    }
}

impl Service {
    /// The answer, from both alternatives.
    pub fn of(
        requests: Requests,
        demand: Demand,
        disaggregated: Result<Disaggregated, Missed>,
        aggregated: Result<Aggregated, Missed>,
    ) -> Self {
        let mut found = Self {
            requests,
            demand,
            disaggregated,
            aggregated,
            choice: None,
        };
        found.choice = match demand.pools {
            Pools::Disaggregated => found.disaggregated.is_ok().then_some(Pools::Disaggregated),
            Pools::Aggregated => found.aggregated.is_ok().then_some(Pools::Aggregated),
            Pools::Best => found.cheaper(),
        };
        found
    }

    /// The cheaper of both alternatives; aggregated replicas where both cost the same.
    fn cheaper(&self) -> Option<Pools> {
        match (&self.disaggregated, &self.aggregated) {
            (Ok(_), Ok(_)) if self.pools_over_aggregated()? < 1.0 - ROUNDING => {
                Some(Pools::Disaggregated)
            }
            (_, Ok(_)) => Some(Pools::Aggregated),
            (Ok(_), _) => Some(Pools::Disaggregated),
            _ => None,
        }
    }

    /// Cost of pools over that of aggregated replicas: US dollars, or GPUs where a price is not known. Without a rate,
    /// both fully used. `None` if either is infeasible.
    pub fn pools_over_aggregated(&self) -> Option<f64> {
        let (pools, together) = (
            self.disaggregated.as_ref().ok()?,
            self.aggregated.as_ref().ok()?,
        );
        match (&pools.loaded, &together.loaded) {
            (Some(pools), Some(together)) => Some(match (&pools.cost, &together.cost) {
                (Some(one), Some(other)) if other.per_request > 0.0 => {
                    one.per_request / other.per_request
                }
                _ => pools.gpus() as f64 / together.pool.gpus as f64,
            }),
            _ => Some(match (pools.dollars_per_rate, together.dollars_per_rate) {
                (Some(one), Some(other)) if other > 0.0 => one / other,
                _ => pools.gpus_per_rate / together.gpus_per_rate,
            }),
        }
    }

    /// Requests per second that the chosen pools serve for a dollar per hour, or for a GPU where a price is not known
    /// or nothing. Without a rate, fully used.
    pub fn requests_per_cost(&self) -> Option<f64> {
        let paid = |dollars: &f64| *dollars > 0.0;
        if let Some(rate) = self.demand.rate {
            let gpus = rate / self.gpus()? as f64;
            let hourly = self.cost().map(|cost| cost.per_request * HOUR * rate);
            return Some(hourly.filter(paid).map_or(gpus, |hourly| rate / hourly));
        }
        let (gpus, dollars) = match self.choice? {
            Pools::Aggregated => {
                let together = self.aggregated.as_ref().ok()?;
                (together.gpus_per_rate, together.dollars_per_rate)
            }
            _ => {
                let pools = self.disaggregated.as_ref().ok()?;
                (pools.gpus_per_rate, pools.dollars_per_rate)
            }
        };
        Some(1.0 / dollars.filter(paid).unwrap_or(gpus))
    }

    /// GPUs of the chosen pools; `None` without a rate, or where nothing serves.
    pub fn gpus(&self) -> Option<u64> {
        match self.choice? {
            Pools::Aggregated => Some(self.aggregated.as_ref().ok()?.loaded?.pool.gpus),
            _ => Some(self.disaggregated.as_ref().ok()?.loaded?.gpus()),
        }
    }

    /// Mean time to first token of the chosen pools.
    pub fn first_token(&self) -> Option<FirstToken> {
        match self.choice? {
            Pools::Aggregated => Some(self.aggregated.as_ref().ok()?.loaded?.first_token),
            _ => Some(self.disaggregated.as_ref().ok()?.loaded?.first_token),
        }
    }

    /// Time per output token of the chosen pools.
    pub fn tpot(&self) -> Option<Seconds> {
        match self.choice? {
            Pools::Aggregated => Some(self.aggregated.as_ref().ok()?.replica.tpot),
            _ => Some(self.disaggregated.as_ref().ok()?.decode.tpot),
        }
    }

    /// Cost of the chosen pools, where it is known.
    pub fn cost(&self) -> Option<Cost> {
        match self.choice? {
            Pools::Aggregated => self.aggregated.as_ref().ok()?.loaded?.cost,
            _ => self.disaggregated.as_ref().ok()?.loaded?.cost,
        }
    }

    /// The state of the answer.
    pub fn state(&self) -> ServiceState {
        let Some(choice) = self.choice else {
            return self.missed();
        };
        let over = self.pools_over_aggregated();
        match (self.demand.rate, choice) {
            (None, _) => ServiceState::Matched { choice, over },
            (Some(_), Pools::Aggregated) => ServiceState::Aggregated { over },
            (Some(_), _) => ServiceState::Disaggregated { over },
        }
    }

    /// The nearest miss of the allowed pools: TTFT, then interactivity, then memory.
    fn missed(&self) -> ServiceState {
        let pools = self.disaggregated.as_ref().err();
        let together = self.aggregated.as_ref().err();
        let wanted = match self.demand.pools {
            Pools::Disaggregated => [pools, None],
            Pools::Aggregated => [together, None],
            Pools::Best => [pools, together],
        };
        let misses = || wanted.into_iter().flatten().map(|missed| &missed.miss);
        let soonest = misses().filter_map(|miss| match miss {
            Miss::FirstToken { soonest } => Some(*soonest),
            _ => None,
        });
        let fastest = misses().filter_map(|miss| match miss {
            Miss::Slow { fastest } => Some(*fastest),
            _ => None,
        });
        let limit = self.demand.first_token;
        if let Some((soonest, limit)) = soonest.reduce(Seconds::min).zip(limit) {
            return ServiceState::FirstTokenMissed { soonest, limit };
        }
        if let Some(fastest) = fastest.reduce(f64::max) {
            let least = self.requests.users;
            return ServiceState::TooSlow { fastest, least };
        }
        match misses().any(|miss| *miss == Miss::NothingFits) {
            true => ServiceState::NothingFits,
            false => ServiceState::Refused,
        }
    }
}

/// States of an answer, each with a headline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ServiceState {
    /// Aggregated replicas serve the rate. `over`: cost of pools over theirs, where pools could.
    Aggregated {
        /// Cost of pools over that of aggregated replicas.
        over: Option<f64>,
    },
    /// Pools serve the rate.
    Disaggregated {
        /// Cost of pools over that of aggregated replicas.
        over: Option<f64>,
    },
    /// No request rate: both pools are balanced.
    Matched {
        /// The cheaper pools for each request per second.
        choice: Pools,
        /// Cost of pools over that of aggregated replicas.
        over: Option<f64>,
    },
    /// No number of replicas meets the limit of the time to first token.
    FirstTokenMissed {
        /// The minimum TTFT, of idle replicas.
        soonest: Seconds,
        /// The limit.
        limit: Seconds,
    },
    /// No replica is fast enough for users.
    TooSlow {
        /// Tokens per second and user of the fastest.
        fastest: f64,
        /// Required tok/s/user.
        least: f64,
    },
    /// No replica fits the memory.
    NothingFits,
    /// A stated replica breaks rules.
    Refused,
}
