//! Serving systems that were measured, each as the links that stand for it.
//!
//! A row is a published run: what was measured and where it is written, and the scenario as a link. Nothing is
//! fitted to rows. The rules by which a publication becomes a link are the same for all of them:
//!
//! - The mean context is the one stated, else the prompt and half of the answer.
//! - Where an engine overlaps two batches, or may, the row has both schedules and takes the faster: engines
//!   switch overlap on where it pays.
//! - Balancedness is 1 where it was forced, 0.7 where only "over 70 %" is stated, else 0.9 with experts
//!   rebalanced.
//! - Tokens a step are those stated, the middle of a stated range; the acceptance is what gives as many.
//! - Links and peaks are the accelerator's.
//!
//! A parameter that a publication leaves open is an [`Unknown`] with the links at its ends, which are evaluated.

mod absent;
mod band;
mod cloudmatrix;
mod compare;
mod deepseek;
mod inferencex;
mod offline;
mod offline_layers;
mod offline_qwen;
mod row;
mod rows;
pub mod runs;
mod sglang;
mod tensorrt;
mod vllm;
mod without;

pub use absent::{ABSENT, Absent, Why};
pub use band::{Band, Bias, Kernels, LoadClass, Region, Residual, Residuals};
pub use compare::{Compared, Edit, Summary, compare, ends, summary};
pub use row::{Measured, Measurement, RunKind, Unknown};
pub use rows::rows;
pub use runs::{Runs, System};
pub use without::{TermLeftOut, WITHOUT};
