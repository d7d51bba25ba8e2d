//! Operators that several mixers have in common: a projection, and an attention kernel that reads the cache. Symbols
//! are those of [`super::attention`].

use super::{Kind, Load, Operator, PerToken, Subject};
use crate::precision::Precision;
use crate::units::{Bytes, Flop};

/// Returns the operator of a projection of t tokens with `elements` weights: 2 t FLOP per weight. Its input plus its
/// output have `ends` activation elements per token.
///
/// Source: [A] eqs 8–13, 25–30, 33–34; [B] Table III.
pub(super) fn projection(
    kind: Kind,
    elements: f64,
    ends: f64,
    precision: &Precision,
    tokens: f64,
) -> Operator {
    Operator {
        kind,
        kernel: kind.kernel_class(),
        flop: Flop::new(2.0 * tokens * elements),
        weights: Bytes::new(elements * precision.attention_weights),
        kv: Bytes::ZERO,
        activations: Bytes::new(tokens * ends * precision.activations),
        rows: tokens,
        per_context_token: PerToken::NONE,
    }
}

/// Returns the projection with which a drafter combines a token's embedding with the token's last state (the output
/// of the last layer). The projection maps 2d elements to d/g, where g is the size of the attention group, and counts
/// as an attention operator.
pub fn drafter_projection(kind: Kind, subject: &Subject<'_>, load: &Load) -> Operator {
    let d = f64::from(subject.arch.hidden);
    let columns = d / f64::from(subject.plan.group());
    let t = load.group_tokens;
    let ends = 2.0 * d + columns;
    projection(kind, 2.0 * d * columns, ends, subject.precision, t)
}

/// Returns the added work of an attention kernel if each sequence of the load has one more token. The kernel takes
/// `flop` per query–key pair and reads `bytes` per cached token.
pub(super) fn per_token(flop: f64, bytes: f64, load: &Load) -> PerToken {
    PerToken {
        flop: Flop::new(load.group_tokens * flop),
        kv: Bytes::new(load.sequences * bytes),
    }
}

/// Returns an operator that has no weights, such as the attention kernel.
pub(super) fn core(kind: Kind, flop: f64, cache: f64, activations: f64) -> Operator {
    Operator {
        kind,
        kernel: kind.kernel_class(),
        flop: Flop::new(flop),
        weights: Bytes::ZERO,
        kv: Bytes::new(cache),
        activations: Bytes::new(activations),
        rows: f64::INFINITY,
        per_context_token: PerToken::NONE,
    }
}
