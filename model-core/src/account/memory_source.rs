//! Source citation for the constants of the engine-memory model.

use crate::source::Source;

/// Published start-up logs of inference engines.
pub const STARTS: Source = Source::new("28 public start-up logs", "tests/golden/memory");
