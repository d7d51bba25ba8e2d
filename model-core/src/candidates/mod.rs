//! Candidates: accelerators compared for the same users and traffic, each at its best.
//!
//! With a request rate a candidate is a service ([`crate::service`]); without one, the best plan on its GPUs.

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

/// An accelerator to compare.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Candidate {
    /// The accelerator.
    pub gpu: Gpu,
    /// Available GPUs; `None` for the scenario's GPU count, or with a request rate for any count.
    pub limit: Option<Limit>,
    /// Its precision; `None` for the scenario's.
    pub precision: Option<NamedPrecision>,
}

/// Available GPUs of an accelerator.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Limit {
    /// GPUs.
    Gpus(u32),
    /// US dollars per hour.
    Budget(f64),
}

/// Accelerators compared by default, besides the scenario's.
const RIVALS: [&str; 3] = ["b200", "gb200", "mi300x"];

/// The scenario's accelerator and those it is compared with by default.
pub fn rivals(inputs: &Inputs) -> Vec<Gpu> {
    let own = inputs.gpu;
    let rivals = RIVALS.into_iter().filter_map(catalog::find);
    let rivals = rivals.map(Gpu::Catalog).filter(|gpu| *gpu != own);
    std::iter::once(own).chain(rivals).collect()
}

/// The candidates of a link: those stated, else the accelerators or the precisions of its search, else [`rivals`].
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
    /// Max candidates.
    pub const MOST: usize = 5;

    /// An accelerator without limit, in the scenario's precision.
    pub const fn of(gpu: Gpu) -> Self {
        Self {
            gpu,
            limit: None,
            precision: None,
        }
    }

    /// The scenario on this accelerator, plan and batch open. Numbers of the scenario's accelerator, its prefill pool
    /// and its measurements stay with it.
    pub fn inputs(&self, current: &Inputs) -> Inputs {
        let precision = self.precision.unwrap_or(current.precision);
        let mut there = on_another(current, self.gpu, precision).without(Number::Batch);
        if self.gpu == current.gpu {
            return there.like_others();
        }
        there.prefill_gpu = None;
        there.without(Number::PrefillPrice).unmeasured()
    }

    /// GPUs available at a price per GPU-hour. Errors: a budget that buys none.
    pub fn available(&self, price: Option<f64>) -> Result<Option<u32>, CandidateMiss> {
        match (self.limit, price) {
            (None, _) => Ok(None),
            (Some(Limit::Gpus(gpus)), _) => Ok(Some(gpus)),
            (Some(Limit::Budget(_)), None) => Err(CandidateMiss::NoPrice),
            // A free accelerator is available without end.
            (Some(Limit::Budget(_)), Some(price)) if price <= 0.0 => Ok(None),
            (Some(Limit::Budget(dollars)), Some(price)) => match (dollars / price).floor() {
                gpus if gpus >= 1.0 => Ok(Some(gpus.min(Number::Gpus.spec().most) as u32)),
                _ => Err(CandidateMiss::Budget),
            },
        }
    }
}
