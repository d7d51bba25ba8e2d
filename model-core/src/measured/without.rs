//! Ablations: each evaluates the measured runs without one term of the calibration.

use super::compare::Edit;
use crate::calibration::{Calibration, Starts};
use crate::ops::popularity::Popularity;
use crate::units::Seconds;

/// Ablation that leaves out one term of the calibration.
#[derive(Debug, Clone, Copy)]
pub struct TermLeftOut {
    /// Symbol of the term, as in [`crate::calibration::kernels`].
    pub symbol: &'static str,
    /// Name of the term.
    pub what: &'static str,
    /// Edit that removes the term.
    pub edit: Edit<'static>,
}

const fn term(
    symbol: &'static str,
    what: &'static str,
    calibration: fn(&mut Calibration),
) -> TermLeftOut {
    let edit = Edit {
        keys: "",
        calibration,
    };
    TermLeftOut { symbol, what, edit }
}

/// All ablations, in the order in which their terms occur in a step.
pub const WITHOUT: &[TermLeftOut] = &[
    term("σ_m", "HBM-bandwidth efficiency", |all| all.memory = 1.0),
    term("σ_g", "GEMM FLOP/s efficiency", |all| {
        all.projections = 1.0;
        all.ffn = 1.0;
    }),
    term("σ_a", "attention-kernel FLOP/s efficiency", |all| {
        all.attention = 1.0;
    }),
    term("τ_g, τ_a, τ_x", "kernel launches", |all| {
        all.starts = Starts::uniform(Seconds::ZERO);
    }),
    term("τ_g", "– of GEMMs", |all| {
        all.starts.gemm = Seconds::ZERO;
    }),
    term("τ_a", "– of the attention kernel", |all| {
        all.starts.core = Seconds::ZERO;
    }),
    term("τ_x", "– of routed experts", |all| {
        all.starts.experts = Seconds::ZERO;
    }),
    term("rows", "partially filled tiles", |all| all.tile_rows = 0.0),
    term("s₀", "attention-kernel padding tokens", |all| {
        all.core_tokens = 0.0;
    }),
    term("φ", "expert popularity skew", |all| {
        all.popularity = Popularity::UNIFORM;
    }),
    term("α_c, α_t, α_o", "collective latency", |all| {
        all.messages = all.messages.with_starts_scaled(0.0);
    }),
    term(
        "σ_r, σ_ag, σ_t, σ_o",
        "link-bandwidth efficiency",
        |all| {
            all.messages = all.messages.map(|mut cost| {
                cost.factor = 1.0;
                cost
            });
        },
    ),
    term("κ", "communication slowdown under overlap", |all| {
        all.contention = 1.0;
    }),
    term("o_L", "per-layer overhead", |all| {
        all.layer_overhead = Seconds::ZERO;
    }),
    TermLeftOut {
        symbol: "T_p",
        what: "aggregated prefill",
        edit: Edit::keys("serving=decode"),
    },
];
