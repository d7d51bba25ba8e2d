//! The calibration with one of its terms left out, to see what the term is worth.

use super::Edit;
use crate::cost::calibration::{Calibration, MessageCost, Starts};
use crate::ops::ffn::Popularity;
use crate::units::Seconds;

/// A term, and how to leave it out.
#[derive(Debug, Clone, Copy)]
pub struct Term {
    /// Its symbol, as in [`crate::cost::kernels`].
    pub symbol: &'static str,
    /// What is left out.
    pub what: &'static str,
    /// Without it.
    pub edit: Edit<'static>,
}

const fn term(
    symbol: &'static str,
    what: &'static str,
    calibration: fn(Calibration) -> Calibration,
) -> Term {
    let edit = Edit {
        keys: "",
        calibration,
    };
    Term { symbol, what, edit }
}

/// Every term that can be left out, in the order of a step.
pub const WITHOUT: &[Term] = &[
    term("σ_m", "share of memory bandwidth", |all| Calibration {
        memory: 1.0,
        ..all
    }),
    term("σ_g", "share of the peak in matrix products", |all| {
        Calibration {
            projections: 1.0,
            ffn: 1.0,
            ..all
        }
    }),
    term("σ_a", "share of the peak in attention's core", |all| {
        Calibration {
            attention: 1.0,
            ..all
        }
    }),
    term("τ_g, τ_a, τ_x", "starts of kernels", |all| Calibration {
        starts: Starts::uniform(Seconds::ZERO),
        ..all
    }),
    term("τ_g", "– of matrix products", |all| {
        starts(all, |starts| starts.gemm = Seconds::ZERO)
    }),
    term("τ_a", "– of attention's core", |all| {
        starts(all, |starts| starts.core = Seconds::ZERO)
    }),
    term("τ_x", "– of routed experts", |all| {
        starts(all, |starts| starts.experts = Seconds::ZERO)
    }),
    term("rows", "tiles that are not full", |all| Calibration {
        tile_rows: 0.0,
        ..all
    }),
    term("s₀", "tokens that attention's core adds", |all| {
        Calibration {
            core_tokens: 0.0,
            ..all
        }
    }),
    term("φ", "experts of unequal popularity", |all| Calibration {
        popularity: Popularity::UNIFORM,
        ..all
    }),
    term("α_c, α_t, α_o", "starts of messages", |all| {
        messages(all, |cost| MessageCost {
            start: Seconds::ZERO,
            ..cost
        })
    }),
    term("σ_r, σ_ag, σ_t, σ_o", "shares of links", |all| {
        messages(all, |cost| MessageCost {
            factor: 1.0,
            ..cost
        })
    }),
    term("κ", "messages slowed by compute beside them", |all| {
        Calibration {
            contention: 1.0,
            ..all
        }
    }),
    term("o_L", "serving overhead of a layer", |all| Calibration {
        layer_overhead: Seconds::ZERO,
        ..all
    }),
    Term {
        symbol: "T_p",
        what: "prefills in the same engine",
        edit: Edit::keys("serving=decode"),
    },
];

fn starts(mut all: Calibration, change: fn(&mut Starts)) -> Calibration {
    change(&mut all.starts);
    all
}

fn messages(mut all: Calibration, change: fn(MessageCost) -> MessageCost) -> Calibration {
    all.messages = all.messages.map(change);
    all
}
