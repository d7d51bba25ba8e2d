//! "I measured this": compares a pasted benchmark with the computed scenario.

mod anchored;
mod curve;
mod notes;
mod read;
mod start;
mod strip;
#[cfg(test)]
mod tests;
mod verdict;

pub use anchored::{AnchoredLine, anchored_line};
pub use curve::{BATCH as MEASURED_BATCH, chart as measured_chart};
pub use notes::sentence as note_sentence;
pub use read::{ReadRow, ignored, rows, what};
pub use start::started_from;
pub use strip::Strip;
pub use verdict::{PointRow, SuspectRow, Verdict, throughput, verdict};
