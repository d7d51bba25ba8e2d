//! The page in a real browser: what a person does, and what a person reads.
//!
//! `cargo xtask test` builds the page, finds the browser and runs this.

mod smoke;
