//! Converts a calibration so that its kernels run at the hardware's peak rates.

use super::terms::Calibration;

impl Calibration {
    /// Returns this calibration with every decode kernel at full HBM bandwidth and peak FLOP/s, and without partly
    /// filled tiles. Kernel latencies, kernels and formats do not change.
    #[must_use]
    pub fn at_peak(mut self) -> Self {
        self.memory = 1.0;
        self.attention = 1.0;
        self.projections = 1.0;
        self.ffn = 1.0;
        self.tile_rows = 0.0;
        if let Some(terms) = &mut self.operators {
            terms.set_memory(1.0);
            terms.set_attention(1.0);
            terms.set_products(1.0);
        }
        self
    }
}
