//! Measured serving systems, each with links for its scenario.
//!
//! A row is a published run: the measurement, its source, and the scenario as a link. Nothing is fitted to rows. The
//! rules from a publication to a link are the same for all of them:
//!
//! - The mean context is the stated one, else the prompt and half the output.
//! - Where an engine overlaps two batches, or may, the row has both schedules and takes the faster: engines enable
//!   overlap where it helps.
//! - Balancedness is 1 if it was forced, 0.7 where only "over 70%" is published, else 0.9 with experts rebalanced.
//! - Tokens per step are the stated ones, the middle of a stated range; the acceptance rate gives as many.
//! - Links and peaks are the accelerator's.
//! - Where the engine chooses the batch by its free memory, it is the largest that fits with a 10% reserve.
//! - TensorRT-LLM's FP4 means 4-bit weights with 8-bit attention and cache; gpt-oss has its released bytes.
//!
//! A parameter that a publication leaves open is an [`Open`] fact with keys at the ends of its range, where one is
//! known; they are evaluated.

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
