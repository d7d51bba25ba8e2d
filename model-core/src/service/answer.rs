//! The answer to a demand for serving whole requests: disaggregated pools, aggregated replicas, and the cheaper of
//! the two.

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

/// Seconds per hour, to convert prices per GPU-hour.
pub const HOUR: f64 = 3600.0;
/// Relative difference up to which two costs count as equal, since rounding makes sums of the same prices differ.
const ROUNDING: f64 = 1e-9;

/// The answer to a demand for serving whole requests: both alternatives (aggregated and disaggregated), and the
/// chosen one.
#[derive(Debug, Clone)]
pub struct Service {
    /// Lengths and SLO of the requests.
    pub requests: Requests,
    /// The demand: request rate, TTFT limit, prices and allowed pools.
    pub demand: Demand,
    /// Disaggregated serving, with a prefill pool and a decode pool; or the reason why it is infeasible.
    pub disaggregated: Result<Disaggregated, Missed>,
    /// Aggregated serving, with replicas that prefill and decode; or the reason why it is infeasible.
    pub aggregated: Result<Aggregated, Missed>,
    /// The cheaper of the allowed alternatives that serve the demand; `None` if none of them does.
    pub choice: Option<Pools>,
}

/// A pool of identical replicas, sized for a request rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pool {
    /// Number of replicas in the pool, R.
    pub replicas: u64,
    /// Number of GPUs in the pool, over all replicas.
    pub gpus: u64,
    /// Utilization of the pool: the share of its max request rate that is used, u = λ/(R μ).
    pub utilisation: f64,
}

/// Cost in US dollars of serving whole requests, if prices are known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// Cost in US dollars per request.
    pub per_request: f64,
    /// Cost in US dollars per million uncached prompt tokens.
    pub per_million_new: f64,
    /// Cost in US dollars per million output tokens.
    pub per_million_output: f64,
}

/// Costs of disaggregated pools and of aggregated replicas, in US dollars per hour if prices are known, else in GPUs.
/// Without a request rate, these are costs for each request per second.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct ComparedCosts {
    /// Cost of a prefill pool and a decode pool; `None` if disaggregated serving is infeasible.
    pub pools: Option<f64>,
    /// Cost of aggregated replicas; `None` if aggregated serving is infeasible.
    pub aggregated: Option<f64>,
}

impl ComparedCosts {
    /// Returns the cost of the alternative that `allowed` selects (aggregated or disaggregated). If both are allowed,
    /// returns the lower cost.
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

    /// Returns the cost of disaggregated pools divided by the cost of aggregated replicas.
    pub fn over(&self) -> Option<f64> {
        let (pools, aggregated) = self.pools.zip(self.aggregated)?;
        Some(pools / aggregated)
    }
}

/// Disaggregated serving: a prefill pool and a decode pool.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Disaggregated {
    /// Replica of the prefill pool.
    pub prefill: PrefillReplica,
    /// Replica of the decode pool.
    pub decode: DecodeReplica,
    /// Number of prefill GPUs per decode GPU if both pools have the same request rate.
    pub gpus_ratio: f64,
    /// Whole numbers of prefill and decode replicas whose request rates match.
    pub matched: Matched,
    /// GPUs needed for each request per second, with both pools fully utilized.
    pub gpus_per_rate: f64,
    /// Cost in US dollars per hour for each request per second, with both pools fully utilized.
    pub dollars_per_rate: Option<f64>,
    /// Both pools, sized for the demand's request rate; `None` if the demand has no request rate.
    pub loaded: Option<LoadedPools>,
}

/// A prefill pool and a decode pool, sized for a request rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoadedPools {
    /// The prefill pool and its utilization.
    pub prefill: Pool,
    /// The decode pool and its utilization.
    pub decode: Pool,
    /// Mean TTFT of the pools and its parts.
    pub first_token: FirstToken,
    /// Cost of both pools, if the prices of their GPUs are known.
    pub cost: Option<Cost>,
}

/// Aggregated serving: replicas that prefill and decode on the same GPUs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aggregated {
    /// The aggregated replica.
    pub replica: AggregatedReplica,
    /// Inputs that describe this replica as a deployment with aggregated prefill, with the replica's plan and batch.
    pub inputs: Inputs,
    /// GPUs needed for each request per second, with aggregated replicas fully utilized.
    pub gpus_per_rate: f64,
    /// Cost in US dollars per hour for each request per second, with aggregated replicas fully utilized.
    pub dollars_per_rate: Option<f64>,
    /// The replicas, sized for the demand's request rate; `None` if the demand has no request rate.
    pub loaded: Option<LoadedReplicas>,
}

/// Aggregated replicas, sized for a request rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoadedReplicas {
    /// The pool of aggregated replicas and its utilization.
    pub pool: Pool,
    /// Mean TTFT of the aggregated replicas and its parts.
    pub first_token: FirstToken,
    /// Cost of the aggregated replicas, if the price of their GPUs is known.
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

    /// Returns the cost of the pool in US dollars per request, for a price per GPU-hour and a rate in req/s.
    fn dollars(&self, price: f64, rate: f64) -> f64 {
        price * self.gpus as f64 / (HOUR * rate)
    }
}

impl Disaggregated {
    /// Builds the prefill pool and the decode pool from the replicas chosen for a demand.
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
    /// Returns the total GPUs of both pools.
    pub const fn gpus(&self) -> u64 {
        self.prefill.gpus + self.decode.gpus
    }

    /// Returns the bottleneck: the work (prefill or decode) of the pool with the higher utilization.
    pub fn binds(&self) -> ReplicaWork {
        match self.prefill.utilisation > self.decode.utilisation {
            true => ReplicaWork::Prefill,
            false => ReplicaWork::Decode,
        }
    }
}

impl Aggregated {
    /// Builds the aggregated replicas' deployment from the replica chosen for a demand.
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
    /// Returns the cost per request and per million tokens, given the cost of one request's prompt and that of its
    /// output. Cached tokens are free: the storage of the prefix cache is not modeled.
    pub fn of(requests: &Requests, input: f64, output: f64) -> Self {
        Self {
            per_request: input + output,
            per_million_new: input / requests.computed() * 1e6,
            per_million_output: output / requests.output * 1e6,
        }
    }
}

impl Service {
    /// Chooses between disaggregated and aggregated serving, and returns the answer.
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

    /// Returns the cheaper of disaggregated and aggregated serving; aggregated if both cost the same.
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

    /// Returns the cost of disaggregated pools divided by that of aggregated replicas. Costs are in US dollars, or in
    /// GPUs if a price is not known. Without a request rate, both alternatives are fully utilized. `None` if either
    /// is infeasible.
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

    /// Returns the requests per second that the chosen deployment serves per US dollar of hourly cost. If the price
    /// is unknown or zero, the rate is per GPU. If the demand has no request rate, the deployment is fully utilized.
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

    /// Returns the number of GPUs of the chosen deployment; `None` without a request rate, or if the demand cannot be
    /// served.
    pub fn gpus(&self) -> Option<u64> {
        match self.choice? {
            Pools::Aggregated => Some(self.aggregated.as_ref().ok()?.loaded?.pool.gpus),
            _ => Some(self.disaggregated.as_ref().ok()?.loaded?.gpus()),
        }
    }

    /// Returns the mean TTFT of the chosen deployment and its parts.
    pub fn first_token(&self) -> Option<FirstToken> {
        match self.choice? {
            Pools::Aggregated => Some(self.aggregated.as_ref().ok()?.loaded?.first_token),
            _ => Some(self.disaggregated.as_ref().ok()?.loaded?.first_token),
        }
    }

    /// Returns the time per output token of the chosen deployment.
    pub fn tpot(&self) -> Option<Seconds> {
        match self.choice? {
            Pools::Aggregated => Some(self.aggregated.as_ref().ok()?.replica.tpot),
            _ => Some(self.disaggregated.as_ref().ok()?.decode.tpot),
        }
    }

    /// Returns the cost of the chosen deployment, if its prices are known.
    pub fn cost(&self) -> Option<Cost> {
        match self.choice? {
            Pools::Aggregated => self.aggregated.as_ref().ok()?.loaded?.cost,
            _ => self.disaggregated.as_ref().ok()?.loaded?.cost,
        }
    }

    /// Returns the state of the service, which selects the headline.
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

    /// Returns the state for a demand that no allowed alternative can serve. If the alternatives fail for different
    /// reasons, a missed TTFT limit is reported first, then interactivity, then memory.
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

/// Outcomes for a demand to serve whole requests; each outcome has a separate headline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ServiceState {
    /// Aggregated replicas serve the request rate.
    Aggregated {
        /// Cost of disaggregated pools divided by that of aggregated replicas; `None` if disaggregated pools are
        /// infeasible.
        over: Option<f64>,
    },
    /// A prefill pool and a decode pool serve the request rate.
    Disaggregated {
        /// Cost of disaggregated pools divided by that of aggregated replicas; `None` if aggregated replicas are
        /// infeasible.
        over: Option<f64>,
    },
    /// No request rate is set: prefill and decode are sized for equal rates.
    Matched {
        /// The chosen alternative (aggregated or disaggregated): the user's choice, or else the alternative with the
        /// lower cost per req/s.
        choice: Pools,
        /// Cost of disaggregated pools divided by that of aggregated replicas; `None` if either is infeasible.
        over: Option<f64>,
    },
    /// No number of replicas meets the TTFT limit.
    FirstTokenMissed {
        /// Minimum TTFT that any replica reaches when idle.
        soonest: Seconds,
        /// TTFT limit that is missed.
        limit: Seconds,
    },
    /// No replica reaches the required tok/s/user.
    TooSlow {
        /// Interactivity of the fastest replica, in tok/s/user.
        fastest: f64,
        /// The required interactivity in tok/s/user.
        least: f64,
    },
    /// No replica fits in memory.
    NothingFits,
    /// A replica's plan or size, as set by the inputs, breaks a rule.
    Refused,
}
