//! Tests math functions with identities and known values.

#![allow(clippy::float_cmp, reason = "some values are exact, and meant to be")]

use model_core::math::{exp, ln, log10, pow};

fn near(left: f64, right: f64) -> bool {
    (left - right).abs() <= 1e-14 * left.abs().max(right.abs()).max(1.0)
}

#[test]
fn known_values() {
    assert_eq!(ln(1.0), 0.0);
    assert_eq!(exp(0.0), 1.0);
    assert_eq!(log10(1000.0), 3.0);
    assert_eq!(pow(2.0, 10.0), 1024.0);
    assert!(near(ln(10.0), std::f64::consts::LN_10));
    assert!(near(exp(1.0), std::f64::consts::E));
}

#[test]
fn logarithm_inverts_exponential() {
    for n in 1..2000 {
        let x = f64::from(n) / 100.0;
        assert!(near(ln(exp(x)), x), "{x}");
        assert!(near(log10(pow(10.0, x)), x), "{x}");
    }
}

#[test]
fn the_edges_that_expert_formulas_meet() {
    // Every expert used by every token: (1 − k/E)^B with k = E.
    assert_eq!(pow(0.0, 8.0), 0.0);
    assert_eq!(pow(0.0, 0.5), 0.0);
    // No tokens, and very many.
    assert_eq!(pow(31.0 / 32.0, 0.0), 1.0);
    assert_eq!(pow(31.0 / 32.0, 1e9), 0.0);
    // Half a token.
    assert!(near(pow(0.25, 0.5), 0.5));
}

#[test]
fn undefined_values_are_nan() {
    assert!(ln(-1.0).is_nan());
    assert_eq!(ln(0.0), f64::NEG_INFINITY);
    assert!(pow(-1.0, 0.5).is_nan());
}
