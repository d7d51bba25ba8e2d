//! Measured serving systems, each with links for its scenario.
//!
//! A row is a published run: the measurement, its source, and the scenario as a link. Nothing is fitted to rows. The
//! rules from a publication to a link are the same for all of them:
//!
//! - The mean context is the stated one, else the prompt and half the output.
//! - Where an engine overlaps two batches, or may, the row has both schedules and takes the faster: engines enable
//!   overlap where it helps.
//! - Balancedness is 1 where it was forced, 0.7 where only "over 70 %" is stated, else 0.9 with experts rebalanced.
//! - Tokens per step are the stated ones, the middle of a stated range; the acceptance rate gives as many.
//! - Links and peaks are the accelerator's.
//!
//! A parameter that a publication leaves open is an [`Unknown`] with links at the ends of its range, which are
//! evaluated.

mod absent;
mod band;
mod cloudmatrix;
mod compare;
mod deepseek;
mod inferencex;
mod offline;
mod offline_layers;
mod offline_qwen;
pub mod recent;
mod row;
mod rows;
mod sglang;
mod system;
mod tensorrt;
mod vllm;
mod without;

pub use absent::{ABSENT, Absent, Why};
pub use band::{Band, Bias, Kernels, LoadClass, Region, Residual, Residuals};
pub use compare::{Compared, Edit, Summary, compare, ends, summary};
pub use recent::{Open, RecentCompared, RecentKind, RecentRun, recent};
pub use row::{Measured, Measurement, RunKind, Unknown};
pub use rows::rows;
pub use system::System;
pub use without::{TermLeftOut, WITHOUT};
