//! Measured serving systems, each with permalinks of its scenario.
//!
//! A row is a published run: the measurement, its source, and the scenario as a permalink. Nothing is fitted to
//! published runs; only the engine steps, which this project measured, determine constants of a calibration.
//! The same rules turn every publication into a permalink:
//!
//! - The mean context is as published, or else the prompt length plus half the output length.
//! - If an engine overlaps two batches, or may do so, both schedules are evaluated and the faster one counts: engines
//!   enable overlap where it helps.
//! - Balancedness is 1 if it was forced, 0.7 if only "over 70%" is published, and otherwise 0.9 with rebalanced
//!   experts.
//! - Tokens per step are as published, or the middle of a published range; the acceptance rate is set to match.
//! - Link bandwidths and peak FLOP/s are those of the accelerator.
//! - If the engine fills its free memory, the batch is the largest that fits with a 10% reserve.
//! - TensorRT-LLM's FP4 means 4-bit weights with 8-bit attention and cache; gpt-oss has the bytes of its release.
//!
//! A parameter that a publication omits is an [`Open`] fact. If its range is known, the fact has permalink keys for
//! both ends of the range, which are evaluated too.

mod accuracy;
mod band;
mod compare;
mod drafts;
mod ends;
mod region;
mod run;
mod series;
mod without;

pub use accuracy::{Accuracy, accuracy, is_complete};
pub use band::{Band, Bias, Residual, Residuals};
pub use compare::{Compared, Edit, Summary, compare, ends, summary};
pub use drafts::DraftGain;
pub use region::{Kernels, LoadClass, Region};
pub use run::{OmittedRuns, Open, PublishedFigure, Run, RunKind, Runs, absent};
pub use without::{TermLeftOut, WITHOUT};
