//! Turning points of a verdict between two alternatives: the nearest value of an input at which the other one is better.
//!
//! [`search`] finds the value by rings of equal factors around the current one and bisection; it knows no verdict.
//! [`contest`] names the alternatives, judges them and lists the inputs to vary. [`overlapped`] is the same search for the
//! bandwidth from which communication is fully overlapped.

pub mod contest;
pub mod overlapped;
mod search;

pub use contest::{Contest, Side, TurnAxis, Turned, Turns, bandwidth, verdict};
pub use overlapped::{Link, overlapped_from};
pub use search::{Range, Turn, TurnSearch, turning};
