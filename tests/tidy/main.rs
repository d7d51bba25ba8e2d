//! The promises of ARCHITECTURE.md about the source, checked in the source.
//!
//! These are plain searches of the text, without comments and without test modules: they find what
//! somebody writes by mistake, not what somebody hides. What the compiler or clippy can check is left
//! to them (`missing_docs`, `unsafe_code`, `disallowed_methods`); that they are asked to is checked here.

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
