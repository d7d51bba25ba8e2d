//! Limits on the batch: memory, SLO, saturation.
//!
//! [`largest`] returns the largest whole batch that fits and meets the SLO, as evaluated. [`enough`] returns the
//! smallest batch that serves nearly as much. [`map`] varies context and batch, [`curves`] varies the context, and
//! [`growth`] the GPU count. [`instances`] compares one large deployment with several replicas.

pub mod curves;
pub mod growth;
pub mod instances;
pub mod largest;
pub mod map;
pub mod saturation;

pub use largest::{
    FASTER, LEVEL, Largest, NoBatch, Stop, batch_meeting_slo, best_batch, enough, fullest,
    growing_edge, largest, with_room,
};

use crate::correction::Correction;
use crate::cost::engine::pool_band;
use crate::cost::memory::{batch_capacity, memory};
use crate::engine_memory::{Habits, MemoryModel};
use crate::hardware::Peaks;
use crate::scenario::Scenario;
use crate::units::FlopPerSecond;
use crate::workload::Serving;

/// Limits on the batch of the whole deployment, in sequences.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Ridge point for the number format of attention, in FLOP per byte.
    pub ridge_attention: f64,
    /// Ridge point for the number format of the FFN, in FLOP per byte.
    pub ridge_ffn: f64,
    /// Batch at which attention's projections become compute-bound.
    pub b_attn: f64,
    /// Batch at which the experts become compute-bound; `None` for a dense model.
    pub b_moe: Option<f64>,
    /// Batch that saturates compute, B_RP: the larger of B_attn and B_MoE.
    pub b_rp: f64,
    /// Largest batch that fits in memory.
    pub b_cap: f64,
    /// Largest batch that can meet the SLO even in the best case; `None` without an SLO.
    pub b_slo: Option<f64>,
}

/// The first limit that a growing batch reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binding {
    /// Compute is saturated.
    RidgePoint,
    /// Memory is full.
    Capacity,
    /// The SLO is missed.
    Slo,
}

impl Limits {
    /// Returns the binding limit: the smallest of B_RP, B_cap and B_SLO.
    pub fn binding(&self) -> Binding {
        let slo = self.b_slo.unwrap_or(f64::INFINITY);
        if slo < self.b_cap && slo < self.b_rp {
            Binding::Slo
        } else if self.b_cap < self.b_rp {
            Binding::Capacity
        } else {
            Binding::RidgePoint
        }
    }
}

/// Returns the limits of a scenario, which do not depend on its batch.
///
/// A GEMM over b tokens with weights of w bytes each has intensity 2b/w. It reaches the ridge point RP at b = RP·w/2.
/// So B_attn = RP·(w_a/2)·dp, B_moe = RP·(w_f/2)·E/k, and B_RP is the larger of the two. Here, w_a and w_f are the
/// bytes per weight of attention and FFN, and each token uses k of E experts.
///
/// Source: [B] eqs 10–13. Returns `None` if the accelerator does not support a format in use, or if a limit is not
/// finite.
pub fn limits(scenario: &Scenario) -> Option<Limits> {
    let Scenario {
        arch,
        plan,
        cluster,
        precision,
        ..
    } = scenario;
    let ridge_attention = cluster.peaks.of(precision.attention_format)? / cluster.hbm;
    let ridge_ffn = cluster.peaks.of(precision.ffn_format)? / cluster.hbm;
    let b_attn = ridge_attention * (precision.attention_weights / 2.0) * f64::from(plan.spec().dp);
    let b_moe = arch
        .moes()
        .map(|part| {
            let experts = f64::from(part.shape.experts);
            let used = f64::from(part.shape.experts_per_token);
            ridge_ffn * (precision.ffn_weights / 2.0) * experts / used
        })
        .reduce(f64::max);
    let b_rp = b_attn.max(b_moe.unwrap_or(0.0));
    if !(ridge_attention.is_finite() && ridge_ffn.is_finite() && b_rp.is_finite()) {
        return None;
    }
    Some(Limits {
        ridge_attention,
        ridge_ffn,
        b_attn,
        b_moe,
        b_rp,
        b_cap: batch_capacity(scenario),
        b_slo: scenario
            .workload
            .slo
            .map(|slo| batch_for_slo(scenario, slo)),
    })
}

/// Returns the largest batch that fits at each end of the uncertainty band of the KV pool ([`pool_band`]).
///
/// `None` if engine memory is not modeled. Also `None` if the sizes of engine memory and weights are both set, for
/// example from an engine log.
pub fn capacity_band(scenario: &Scenario) -> Option<[f64; 2]> {
    let MemoryModel::Engine(habits) = scenario.memory_model else {
        return None;
    };
    if habits.engine.is_some() && habits.weights.is_some() {
        return None;
    }
    let (engine, band) = (
        memory(scenario, scenario.workload.batch).engine.total,
        pool_band(scenario),
    );
    let with_engine = |engine| {
        let memory_model = MemoryModel::Engine(Habits {
            engine: Some(engine),
            ..habits
        });
        batch_capacity(&Scenario {
            memory_model,
            ..*scenario
        })
    };
    Some([with_engine(engine + band), with_engine(engine - band)])
}

/// Returns the largest batch that could meet `slo` tok/s/user with the shortest possible step; 0 if no batch does.
///
/// The shortest step reads weights, KV and activations at full bandwidth, and communicates as scheduled. It has no
/// compute time, and no overhead that a better kernel or engine could avoid. With a sequential schedule, this is [B]
/// eq 12. With overlap, it remains a bound that no real step can beat.
///
/// Source: [B] eqs 12–13.
pub fn batch_for_slo(scenario: &Scenario, slo: f64) -> f64 {
    const UNBOUNDED: FlopPerSecond = FlopPerSecond::new(f64::MAX);
    let mut least = *scenario;
    least.cluster.peaks = Peaks {
        bf16: Some(UNBOUNDED),
        fp8: Some(UNBOUNDED),
        fp4: Some(UNBOUNDED),
    };
    // A correction that lengthens the step does not describe the hardware, so only shortening corrections are kept.
    let Correction {
        fixed, variable, ..
    } = least.correction;
    least = least.uncorrected();
    if fixed < 1.0 || variable < 1.0 {
        let calibration = &mut least.calibration;
        *calibration = calibration.corrected(fixed.min(1.0), variable.min(1.0));
    }
    least.calibration = least.calibration.without_avoidable();
    least.workload.serving = Serving::Decode;
    batch_meeting_slo(&least, slo)
}

/// Max batch searched, larger than that of any deployment.
const MOST: f64 = 1e12;
