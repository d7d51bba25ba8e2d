//! The question that is asked of a scenario.

/// What is evaluated: one deployment, or attention and feed-forward apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Every GPU does everything.
    Colocated,
    /// Attention and feed-forward instances in the best ratio, in closed form. Source: [R] 4.
    Ratio,
    /// The same, simulated request by request. Source: [R] 5.
    Simulate,
    /// Attention alone on memory devices, everything else on compute devices. Source: [L].
    Split,
}

impl Mode {
    /// All modes.
    pub const ALL: [Self; 4] = [Self::Colocated, Self::Ratio, Self::Simulate, Self::Split];

    /// The identifier in links.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Colocated => "colocated",
            Self::Ratio => "ratio",
            Self::Simulate => "simulate",
            Self::Split => "split",
        }
    }
}
