//! The kind of deployment.

use crate::named::named;

named! {
    /// The kind of deployment: colocated, AFD, or Lamina.
    pub enum Mode {
        /// Colocated: every GPU runs every layer.
        Colocated = "colocated",
        /// AFD, attention and FFN ranks in the best ratio, in closed form. Source: [R] 4.
        Ratio = "ratio",
        /// AFD, simulated request by request. Source: [R] 5.
        Simulate = "simulate",
        /// Lamina: attention on memory devices, everything else on compute devices. Source: [L].
        Split = "split",
    }
}
