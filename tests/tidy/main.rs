//! Tests of the invariants of ARCHITECTURE.md in the source.
//!
//! They are plain searches of the text, without comments and test modules: they find mistakes, not evasions. Checks
//! that the compiler or clippy can do are left to them (`missing_docs`, `unsafe_code`, `disallowed_methods`); this
//! crate tests that these lints are enabled.

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
