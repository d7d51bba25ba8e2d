//! The input record of the model, and the record a person edits.
//!
//! [`Inputs`] is what a link or a control panel states: most of it is absent and stands for a default that may depend
//! on the rest. [`Inputs::scenario`] completes and checks it; a [`Scenario`] is complete, valid and small enough to
//! copy in a sweep.

pub mod defaults;
pub mod inputs;
pub mod mode;
pub mod number;
pub mod preset;
pub mod refusal;
pub mod remedy;
pub mod restate;

pub use inputs::{Gpu, Inputs, Model};
pub use mode::Mode;
pub use number::Number;

use crate::arch::Arch;
use crate::cost::calibration::Calibration;
use crate::hardware::Cluster;
use crate::ops::kernel::Kernel;
use crate::plan::Plan;
use crate::precision::Precision;
use crate::workload::Workload;

/// Everything an evaluation needs, complete and checked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scenario {
    /// The model's shape.
    pub arch: Arch,
    /// GPUs and links.
    pub cluster: Cluster,
    /// Batch, context, speculation, SLO.
    pub workload: Workload,
    /// Bytes and formats.
    pub precision: Precision,
    /// The sharding.
    pub plan: Plan,
    /// Kernels of attention.
    pub kernel: Kernel,
    /// Inefficiencies and latencies.
    pub calibration: Calibration,
    /// Equal replicas, each of `cluster.gpus` GPUs with `workload.batch` sequences.
    pub replicas: u32,
    /// Share of memory kept free, 0 … 0.9.
    pub reserve: f64,
    /// Price in US dollars per GPU-hour, if known.
    pub dollars_per_hour: Option<f64>,
    /// Board power of a GPU in watts, if known.
    pub board_watts: Option<f64>,
}
