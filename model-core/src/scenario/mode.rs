//! The question that is asked of a scenario.

use crate::named::named;

named! {
    /// What is evaluated: one deployment, or attention and feed-forward apart.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Mode {
        /// Every GPU does everything.
        Colocated = "colocated",
        /// Attention and feed-forward instances in the best ratio, in closed form. Source: [R] 4.
        Ratio = "ratio",
        /// The same, simulated request by request. Source: [R] 5.
        Simulate = "simulate",
        /// Attention alone on memory devices, everything else on compute devices. Source: [L].
        Split = "split",
    }
}
