//! The type of deployment.

use crate::named::named;

named! {
    /// The type of deployment: colocated, AFD, or Lamina.
    pub enum Mode {
        /// Colocated: every GPU runs every layer.
        Colocated = "colocated",
        /// AFD in closed form, with attention and FFN ranks in the best ratio. Source: [R] 4.
        Ratio = "ratio",
        /// AFD, simulated request by request. Source: [R] 5.
        Simulate = "simulate",
        /// Lamina: attention on memory devices, everything else on compute devices. Source: [L].
        Split = "split",
    }
}
