//! Candidates: accelerators compared for the same users and traffic, each in its best configuration.
//!
//! With a request rate, the configuration of a candidate is a service ([`crate::service`]); without one, it is the
//! best plan on the candidate's GPUs.

mod best;
mod find;
mod row;
mod turn;
mod work;

pub use best::{CandidateBest, CandidateMiss, MadeOf};
pub use row::CandidateRow;
pub use turn::{RatePoint, Turn, Turns};
pub use work::{CandidatesFound, CandidatesInProgress};

use crate::hardware::catalog;
use crate::inputs::{Gpu, Inputs, Number};
use crate::precision::NamedPrecision;
use crate::search::{Search, on_another};

/// A candidate accelerator, with its GPU limit and precision.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Candidate {
    /// The candidate's accelerator.
    pub gpu: Gpu,
    /// Limit on the available GPUs. With a request rate, `None` means no limit; without one, it means the scenario's
    /// GPU count.
    pub limit: Option<Limit>,
    /// Precision of the candidate; `None` to use the scenario's precision.
    pub precision: Option<NamedPrecision>,
}

/// Limit on the available GPUs of an accelerator.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Limit {
    /// A number of GPUs.
    Gpus(u32),
    /// A budget in US dollars per hour.
    Budget(f64),
}

/// Accelerators that the scenario's accelerator is compared with by default.
const RIVALS: [&str; 3] = ["b200", "gb200", "mi300x"];

/// Returns the scenario's accelerator, followed by the accelerators with which it is compared by default.
pub fn rivals(inputs: &Inputs) -> Vec<Gpu> {
    let own = inputs.gpu;
    let rivals = RIVALS.into_iter().filter_map(catalog::find);
    let rivals = rivals.map(Gpu::Catalog).filter(|gpu| *gpu != own);
    std::iter::once(own).chain(rivals).collect()
}

/// Returns the candidates to compare: those that a permalink sets. If it sets none, uses the accelerators or precisions
/// of the permalink's search, or else [`rivals`].
pub fn compared(stated: &[Candidate], search: &Search, inputs: &Inputs) -> Vec<Candidate> {
    if !stated.is_empty() {
        return stated.to_vec();
    }
    let (searched, precisions) = (search.accelerators(inputs), search.precisions(inputs));
    let each: Vec<Candidate> = match (searched.len() > 1, precisions.len() > 1) {
        (true, _) => searched.into_iter().map(Candidate::of).collect(),
        (false, false) => rivals(inputs).into_iter().map(Candidate::of).collect(),
        (false, true) => {
            let of = |precision| Candidate {
                precision: Some(precision),
                ..Candidate::of(inputs.gpu)
            };
            precisions.into_iter().map(of).collect()
        }
    };
    each.into_iter().take(Candidate::MOST).collect()
}

impl Candidate {
    /// Max number of candidates in a comparison.
    pub const MOST: usize = 5;

    /// Creates a candidate without a limit, in the scenario's precision.
    pub const fn of(gpu: Gpu) -> Self {
        Self {
            gpu,
            limit: None,
            precision: None,
        }
    }

    /// Returns the scenario with this candidate's accelerator, leaving plan and batch open. The scenario's hardware
    /// settings, prefill pool and measurements are dropped if the accelerator differs.
    pub fn inputs(&self, current: &Inputs) -> Inputs {
        let precision = self.precision.unwrap_or(current.precision);
        let mut there = on_another(current, self.gpu, precision).without(Number::Batch);
        if self.gpu == current.gpu {
            return there.like_others();
        }
        there.prefill_gpu = None;
        there.without(Number::PrefillPrice).unmeasured()
    }

    /// Returns the number of GPUs available at a price per GPU-hour; `None` if unlimited. Fails for a budget if the
    /// price is unknown, or if the budget buys no GPU.
    pub fn available(&self, price: Option<f64>) -> Result<Option<u32>, CandidateMiss> {
        match (self.limit, price) {
            (None, _) => Ok(None),
            (Some(Limit::Gpus(gpus)), _) => Ok(Some(gpus)),
            (Some(Limit::Budget(_)), None) => Err(CandidateMiss::NoPrice),
            // A free accelerator is available in any number.
            (Some(Limit::Budget(_)), Some(price)) if price <= 0.0 => Ok(None),
            (Some(Limit::Budget(dollars)), Some(price)) => match (dollars / price).floor() {
                gpus if gpus >= 1.0 => Ok(Some(gpus.min(Number::Gpus.spec().most) as u32)),
                _ => Err(CandidateMiss::Budget),
            },
        }
    }
}
