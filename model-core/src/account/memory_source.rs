//! Source of the constants of engine memory.

use crate::source::Source;

/// Published start-ups of engines.
pub const STARTS: Source = Source::new("28 published start-ups", "tests/golden/memory");
