//! Requests to be served, and their limits.

use crate::inputs::{Inputs, Number, Prices};
use crate::units::Seconds;
use crate::workload::Pools;

/// Default lengths of a request.
const PROMPT: f64 = 4000.0;
const OUTPUT: f64 = 1000.0;

/// Identical requests: their lengths, and the minimum tok/s/user.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Requests {
    /// Tokens of the prompt, p.
    pub prompt: f64,
    /// Tokens of the output, o.
    pub output: f64,
    /// Share of the prompt in the prefix cache, h.
    pub hit: f64,
    /// Min tok/s/user; 0 without an SLO.
    pub users: f64,
}

impl Requests {
    /// The requests of a link.
    pub fn of(inputs: &Inputs) -> Self {
        let stated = |number, usual| inputs.stated(number).unwrap_or(usual);
        Self {
            prompt: stated(Number::MeanPrompt, PROMPT),
            output: stated(Number::MeanOutput, OUTPUT),
            hit: stated(Number::Hit, 0.0),
            users: inputs.get(Number::Slo).unwrap_or(0.0),
        }
    }

    /// Tokens of a prompt that are computed, n = p (1 − h).
    pub fn computed(&self) -> f64 {
        self.prompt * (1.0 - self.hit)
    }
}

/// Demand for requests: what may change without another search of replicas.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Demand {
    /// Total request rate, λ; `None` for balanced pools.
    pub rate: Option<f64>,
    /// Limit of the mean time to first token.
    pub first_token: Option<Seconds>,
    /// Highest share of its rate that a pool is planned for, ρ.
    pub utilisation: f64,
    /// Pools that may serve.
    pub pools: Pools,
    /// US dollars per GPU-hour of decode and aggregated replicas.
    pub price: Option<f64>,
    /// US dollars per GPU-hour of prefill replicas.
    pub prefill_price: Option<f64>,
}

impl Demand {
    /// The demand of a link.
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

    /// True for a time to first token within the limit.
    pub fn meets(&self, first_token: Option<Seconds>) -> bool {
        match (first_token, self.first_token) {
            (Some(time), Some(limit)) => time <= limit,
            (Some(_), None) => true,
            (None, _) => false,
        }
    }
}

/// Inputs without the demand: rate, limits, prices, pools.
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
