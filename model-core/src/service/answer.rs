//! The answer to a demand for whole requests: disaggregated pools, aggregated replicas, and the cheaper of the two.

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
/// Relative difference up to which two costs count as equal, since sums of the same prices can differ by rounding.
const ROUNDING: f64 = 1e-9;

/// The answer to a demand: both ways to serve it, and the chosen one.
#[derive(Debug, Clone)]
pub struct Service {
    /// Lengths and SLO of the requests.
    pub requests: Requests,
    /// The demand: request rate, TTFT limit, prices and allowed pools.
    pub demand: Demand,
    /// Disaggregated serving: a prefill pool and a decode pool.
    pub disaggregated: Result<Disaggregated, Missed>,
    /// Aggregated serving: replicas that prefill and decode.
    pub aggregated: Result<Aggregated, Missed>,
    /// The cheaper of the allowed alternatives that serve the demand; `None` if neither can.
    pub choice: Option<Pools>,
}

/// A pool of identical replicas, sized for a request rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pool {
    /// Number of replicas, R.
    pub replicas: u64,
    /// GPUs of all replicas.
    pub gpus: u64,
    /// Utilization: the share of the replicas' max request rate that is used, u = λ/(R μ).
    pub utilisation: f64,
}

/// Cost of serving, if prices are known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// US dollars per request.
    pub per_request: f64,
    /// US dollars per million uncached prompt tokens.
    pub per_million_new: f64,
    /// US dollars per million output tokens.
    pub per_million_output: f64,
}

/// Costs of both alternatives, in US dollars per hour if prices are known, else in GPUs. Without a request rate,
/// these are costs for each request per second.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct ComparedCosts {
    /// Cost of a prefill pool and a decode pool; `None` if infeasible.
    pub pools: Option<f64>,
    /// Cost of aggregated replicas; `None` if infeasible.
    pub aggregated: Option<f64>,
}

impl ComparedCosts {
    /// Returns the cost of the allowed alternative; if both are allowed, the lower cost.
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

    /// Returns the ratio of the cost of disaggregated pools to the cost of aggregated replicas.
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
    /// Prefill GPUs per decode GPU if both pools have the same request rate.
    pub gpus_ratio: f64,
    /// Whole numbers of prefill and decode replicas whose request rates match.
    pub matched: Matched,
    /// GPUs needed for each request per second, with both pools fully utilized.
    pub gpus_per_rate: f64,
    /// US dollars per hour for each request per second, with both pools fully utilized.
    pub dollars_per_rate: Option<f64>,
    /// Both pools sized for the demand's request rate; `None` without a rate.
    pub loaded: Option<LoadedPools>,
}

/// A prefill pool and a decode pool, sized for a request rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoadedPools {
    /// The prefill pool and its utilization.
    pub prefill: Pool,
    /// The decode pool and its utilization.
    pub decode: Pool,
    /// Mean TTFT and its parts.
    pub first_token: FirstToken,
    /// Cost, if the prices of both pools are known.
    pub cost: Option<Cost>,
}

/// Aggregated serving: replicas that prefill and decode on the same GPUs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aggregated {
    /// The aggregated replica.
    pub replica: AggregatedReplica,
    /// Inputs of this replica as a deployment with aggregated prefill, plan and batch included.
    pub inputs: Inputs,
    /// GPUs needed for each request per second, with replicas fully utilized.
    pub gpus_per_rate: f64,
    /// US dollars per hour for each request per second, with replicas fully utilized.
    pub dollars_per_rate: Option<f64>,
    /// The replicas sized for the demand's request rate; `None` without a rate.
    pub loaded: Option<LoadedReplicas>,
}

/// Aggregated replicas, sized for a request rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LoadedReplicas {
    /// The pool of aggregated replicas.
    pub pool: Pool,
    /// Mean TTFT and its parts.
    pub first_token: FirstToken,
    /// Cost, if the price is known.
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

    /// Returns US dollars per request at a price per GPU-hour and a rate in req/s.
    fn dollars(&self, price: f64, rate: f64) -> f64 {
        price * self.gpus as f64 / (HOUR * rate)
    }
}

impl Disaggregated {
    /// Builds the two pools from the replicas chosen for a demand.
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
    /// Returns the GPUs of both pools.
    pub const fn gpus(&self) -> u64 {
        self.prefill.gpus + self.decode.gpus
    }

    /// Returns the work of the pool with the higher utilization.
    pub fn binds(&self) -> ReplicaWork {
        match self.prefill.utilisation > self.decode.utilisation {
            true => ReplicaWork::Prefill,
            false => ReplicaWork::Decode,
        }
    }
}

impl Aggregated {
    /// Builds the aggregated deployment from the replicas chosen for a demand.
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
    /// Returns the costs that result from the cost of one request's prompt and output. Cached tokens are free: the
    /// storage of the prefix cache is not modeled.
    pub fn of(requests: &Requests, input: f64, output: f64) -> Self {
        Self {
            per_request: input + output,
            per_million_new: input / requests.computed() * 1e6,
            per_million_output: output / requests.output * 1e6,
        }
    }
}

impl Service {
    /// Chooses between both alternatives and returns the answer.
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

    /// Returns the cheaper of both alternatives; aggregated replicas if both cost the same.
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

    /// Returns the cost of disaggregated pools divided by that of aggregated replicas. Costs are US dollars, or GPUs
    /// if a price is not known. Without a request rate, both are fully utilized. `None` if either is infeasible.
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

    /// Returns the requests per second that the chosen deployment serves per dollar-hour, or per GPU if the price is
    /// unknown or zero. Without a request rate, the deployment is fully utilized.
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

    /// Returns the GPUs of the chosen deployment; `None` without a request rate, or if the demand cannot be served.
    pub fn gpus(&self) -> Option<u64> {
        match self.choice? {
            Pools::Aggregated => Some(self.aggregated.as_ref().ok()?.loaded?.pool.gpus),
            _ => Some(self.disaggregated.as_ref().ok()?.loaded?.gpus()),
        }
    }

    /// Returns the mean TTFT of the chosen deployment.
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

    /// Returns the state of the answer, which selects its headline.
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

    /// Returns the reason why the allowed alternatives miss the demand. The closest miss is returned: TTFT first,
    /// then interactivity, then memory.
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

/// Outcomes of a demand for whole requests; each has a separate headline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ServiceState {
    /// Aggregated replicas serve the request rate.
    Aggregated {
        /// Cost of disaggregated pools divided by that of aggregated replicas; `None` if pools are infeasible.
        over: Option<f64>,
    },
    /// A prefill pool and a decode pool serve the request rate.
    Disaggregated {
        /// Cost of disaggregated pools divided by that of aggregated replicas; `None` if aggregated replicas are
        /// infeasible.
        over: Option<f64>,
    },
    /// No request rate is set: the rates of prefill and decode are balanced.
    Matched {
        /// The alternative that costs less for each request per second.
        choice: Pools,
        /// Cost of disaggregated pools divided by that of aggregated replicas; `None` if either is infeasible.
        over: Option<f64>,
    },
    /// No number of replicas meets the TTFT limit.
    FirstTokenMissed {
        /// Minimum TTFT, reached by idle replicas.
        soonest: Seconds,
        /// TTFT limit.
        limit: Seconds,
    },
    /// No replica reaches the required tok/s/user.
    TooSlow {
        /// Interactivity of the fastest replica, tok/s/user.
        fastest: f64,
        /// The required tok/s/user.
        least: f64,
    },
    /// No replica fits in memory.
    NothingFits,
    /// The replica set by the inputs breaks rules.
    Refused,
}
