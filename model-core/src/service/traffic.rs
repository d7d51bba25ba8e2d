//! The requests to be served, and the demand for serving them: request rate, limits and prices.

use crate::inputs::{Inputs, Number, Prices};
use crate::units::Seconds;
use crate::workload::Pools;

/// Default prompt length of a request in tokens; `OUTPUT` is the default output length.
const PROMPT: f64 = 4000.0;
const OUTPUT: f64 = 1000.0;

/// Identical requests: their lengths, prefix cache hit rate and required tok/s/user.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Requests {
    /// Prompt tokens of a request, p.
    pub prompt: f64,
    /// Output tokens of a request, o.
    pub output: f64,
    /// Prefix cache hit rate: the cached share of the prompt, h.
    pub hit: f64,
    /// Required interactivity in tok/s/user; 0 without an SLO.
    pub users: f64,
}

impl Requests {
    /// Returns the requests that the inputs describe.
    pub fn of(inputs: &Inputs) -> Self {
        let stated = |number, usual| inputs.stated(number).unwrap_or(usual);
        Self {
            prompt: stated(Number::MeanPrompt, PROMPT),
            output: stated(Number::MeanOutput, OUTPUT),
            hit: stated(Number::Hit, 0.0),
            users: inputs.get(Number::Slo).unwrap_or(0.0),
        }
    }

    /// Returns the number of prompt tokens that are not cached and must be prefilled, n = p (1 − h).
    pub fn computed(&self) -> f64 {
        self.prompt * (1.0 - self.hit)
    }
}

/// Demand for serving requests: everything that may change without a new search of replicas.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Demand {
    /// Total request rate, λ; `None` if no rate is set and prefill is only balanced with decode.
    pub rate: Option<f64>,
    /// Upper limit on the mean TTFT; `None` without a limit.
    pub first_token: Option<Seconds>,
    /// Max planned utilization of a pool, ρ.
    pub utilisation: f64,
    /// The allowed alternatives: aggregated replicas, disaggregated pools, or the cheaper of both.
    pub pools: Pools,
    /// Price of decode and aggregated replicas, in US dollars per GPU-hour.
    pub price: Option<f64>,
    /// Price of prefill replicas, in US dollars per GPU-hour.
    pub prefill_price: Option<f64>,
}

impl Demand {
    /// Returns the demand that the inputs describe.
    pub fn of(inputs: &Inputs) -> Self {
        Self {
            rate: inputs.get(Number::Rate),
            first_token: inputs.get(Number::Ttft).map(Seconds::new),
            utilisation: inputs.get(Number::Util).unwrap_or(1.0),
            pools: inputs.pools,
            price: inputs.get(Number::Price),
            prefill_price: inputs.get(Number::PrefillPrice),
        }
    }

    /// Returns true if the TTFT is within the demand's limit, or if the demand has no limit. Returns false if the TTFT
    /// is `None`.
    pub fn meets(&self, first_token: Option<Seconds>) -> bool {
        match (first_token, self.first_token) {
            (Some(time), Some(limit)) => time <= limit,
            (Some(_), None) => true,
            (None, _) => false,
        }
    }
}

/// Returns the inputs without their demand: rate, TTFT limit, planned utilization, prices and allowed pools.
pub fn without_demand(inputs: &Inputs) -> Inputs {
    let mut rest = *inputs;
    for number in [
        Number::Rate,
        Number::Ttft,
        Number::Util,
        Number::Price,
        Number::PrefillPrice,
    ] {
        rest.state(number, None);
    }
    rest.prices = Prices::NONE;
    rest.pools = Pools::Best;
    rest
}
