//! Diagnosis of measured vs. computed times. It finds whether the times are normal, which single term explains a
//! deviation, and what to measure next.

mod load;
mod next;
mod observed;
mod ranges;
mod shape;
mod suspects;
mod terms;
mod verdict;

pub use load::{Waiting, batch_for};
pub use next::Next;
pub use observed::{diagnosed, evidence, evidence_of, running_batch};
pub use ranges::{Evidence, met};
pub use shape::{Mostly, Shape};
pub use suspects::{Impossible, Observed, Suspect};
pub use terms::{Term, Terms};
pub use verdict::{Diagnosis, Judged, Side, diagnose};
