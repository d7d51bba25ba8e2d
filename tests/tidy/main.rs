//! Tests that the source satisfies the invariants of ARCHITECTURE.md.
//!
//! They are plain searches of the text, without comments and test modules: they find mistakes, not deliberate
//! evasions. Checks that the compiler or clippy can do are left to these tools (`missing_docs`, `unsafe_code`,
//! `disallowed_methods`); this crate tests that the lints are enabled.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests are tests too"
)]

mod arrows;
mod circles;
mod documented;
mod layers;
mod lints;
mod purity;
mod shape;
mod source;
mod supply;
mod typed;
mod values;
mod words;
