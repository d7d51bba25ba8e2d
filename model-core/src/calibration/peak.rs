//! A calibration with kernels at the hardware's peaks.

use super::terms::Calibration;

impl Calibration {
    /// The same kernels and formats at the full bandwidth and peak of the hardware, no tile partly filled.
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
