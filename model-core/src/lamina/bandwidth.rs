//! The least bandwidth between model and attention devices.

use super::setup::SplitSetup;
use super::step::{Times, times};
use super::traffic::{links, traffic};
use crate::units::BytesPerSecond;

/// The least bandwidth of each device, one direction, at which the traffic of one batch takes at
/// most the share α of its computation: W = (2 + 2/G) e d B L / (α (MTIME + ATIME) n), over the n
/// devices of the narrower side.
///
/// [L] prints the same without n. Its Figure 4 shows "required network bandwidth" and stays below
/// 30 GB/s for (2,2) and (4,4) alike; the traffic of the whole pool would need twice as much for
/// (4,4) as for (2,2), because its computation takes half the time. So the figure is read as per
/// device. Latency and inefficiency of the network are left out, as there.
///
/// Source: [L] 3.1.
pub fn minimum_bandwidth(setup: &SplitSetup) -> Option<BytesPerSecond> {
    let Times {
        model, attention, ..
    } = times(setup)?;
    let bytes =
        traffic(setup, setup.batch_each()).total() * f64::from(setup.compute.arch.mixer_layers());
    let time = (model + attention) * setup.slow_down;
    Some(BytesPerSecond::new(bytes.get() / time.get() / links(setup)))
}
