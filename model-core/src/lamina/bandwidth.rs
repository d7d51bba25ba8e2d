//! The minimum bandwidth between compute and memory devices in a Lamina deployment.

use super::setup::SplitSetup;
use super::step::{Times, times};
use super::traffic::{links, traffic};
use crate::units::BytesPerSecond;

/// Returns the minimum network bandwidth per device, in one direction. At this bandwidth, the traffic of one batch
/// takes at most the share α of the batch's computation time: W = (2 + 2/G) e d B L / (α (MTIME + ATIME) n). Here, n
/// is the number of devices on the smaller side.
///
/// [L] prints the formula without n. Its Figure 4 shows "required network bandwidth" and stays below 30 GB/s for both
/// (2,2) and (4,4). The traffic of the whole pool would need twice as much for (4,4) as for (2,2), because
/// computation takes half the time. The figure is therefore read as bandwidth per device. As in [L], latency and
/// inefficiency of the network are left out.
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
