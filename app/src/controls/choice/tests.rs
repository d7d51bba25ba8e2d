//! Every choice can be made.

use super::*;

#[test]
fn every_option_can_be_chosen() {
    for choice in [
        Choice::Shared,
        Choice::Overlap,
        Choice::Latent,
        Choice::Fusion,
        Choice::Precision,
        Choice::AttentionFormat,
        Choice::FfnFormat,
        Choice::Calibration,
        Choice::Fold,
        Choice::Family,
        Choice::Engine,
        Choice::Partition,
        Choice::QEarly,
        Choice::Trace,
        Choice::Latencies,
        Choice::Lengths,
    ] {
        for option in choice.options() {
            let mut inputs = Inputs::DEFAULT;
            // Kernels follow each other: there is no other fold to choose.
            if choice == Choice::Fold {
                inputs.calibration = NamedCalibration::Ideal;
            }
            choice.choose(&mut inputs, option.id);
            assert_eq!(choice.of(&inputs), option.id);
        }
    }
}
