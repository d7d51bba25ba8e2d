//! Measured runs, read once and shared by the tests.

use std::sync::LazyLock;

use model_core::measured::{Run, Runs};

/// All measured runs.
pub static RUNS: LazyLock<Runs> = LazyLock::new(Runs::built_in);

/// Returns the measured runs with permalinks of version 1.
pub fn rows() -> impl Iterator<Item = &'static Run> {
    RUNS.rows()
}

/// Returns the measured runs that were published in 2026.
pub fn recent() -> impl Iterator<Item = &'static Run> {
    RUNS.recent()
}

/// Returns the decode steps of an engine that this project measured.
pub fn engine_steps() -> impl Iterator<Item = &'static Run> {
    RUNS.engine_steps()
}
