//! Measured runs, read once.

use std::sync::LazyLock;

use model_core::measured::{Run, Runs};

/// All of them.
pub static RUNS: LazyLock<Runs> = LazyLock::new(Runs::built_in);

/// Runs with links of version 1.
pub fn rows() -> impl Iterator<Item = &'static Run> {
    RUNS.rows()
}

/// Runs published in 2026.
pub fn recent() -> impl Iterator<Item = &'static Run> {
    RUNS.recent()
}

/// Decode steps of an engine that this project measured.
pub fn engine_steps() -> impl Iterator<Item = &'static Run> {
    RUNS.engine_steps()
}
