//! Turning points of the verdict between two alternatives: the nearest value of an input at which the other
//! alternative becomes better.
//!
//! [`search`] finds this value for any kind of verdict. It tries values at equal factors around the current value,
//! then bisects. [`contest`] defines the alternatives, decides which is better, and lists the inputs to vary.
//! [`overlapped`] uses the same search to find the bandwidth above which communication is fully overlapped.

pub mod contest;
pub mod overlapped;
mod search;

pub use contest::{Contest, Side, TurnAxis, Turned, Turns, bandwidth, verdict};
pub use overlapped::{Link, overlapped_from};
pub use search::{Range, Turn, TurnSearch, turning};
