//! What crosses the network in a layer, how long it takes, and the least bandwidth that will do.

use super::step::{Times, times};
use super::{Partition, Setup};
use crate::arch::Attention;
use crate::ops::LatentForm;
use crate::units::{Bytes, BytesPerSecond, Seconds};

/// Bytes of one batch and layer between the sides, over all devices together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Traffic {
    /// Queries, to the memory devices.
    pub query: Bytes,
    /// New keys and values, to the memory devices.
    pub key_value: Bytes,
    /// Attention's output, back.
    pub output: Bytes,
}

impl Traffic {
    /// Both ways.
    pub fn total(&self) -> Bytes {
        self.query + self.key_value + self.output
    }
}

/// What `batch` sequences send in a layer.
///
/// Grouped attention: n_h d_h query, 2 n_kv d_h key and value, n_h d_h output elements per token;
/// with n_h d_h = d that is (2 + 2/G) e d B. Latent attention, absorbed: n_h (r_kv + d_r),
/// r_kv + d_r, n_h r_kv; as written: n_h (d_h + d_r), r_kv + d_r, n_h d_v. Keys and values travel in
/// the cache's precision, to every device that keeps a copy of them.
///
/// Source: [L] 3.1 for grouped attention; its cut through latent attention is ours.
pub fn traffic(setup: &Setup, batch: f64) -> Traffic {
    let arch = &setup.memory.arch;
    let precision = &setup.memory.precision;
    let tokens = batch * setup.memory.workload.speculation.carried();
    let heads = f64::from(arch.attention.heads());
    let (query, output) = match arch.attention {
        Attention::Grouped { head_dim, .. } => {
            (heads * f64::from(head_dim), heads * f64::from(head_dim))
        }
        Attention::Latent {
            kv_rank,
            head_dim,
            rope_dim,
            value_dim,
            ..
        } => match setup.memory.kernel.latent {
            LatentForm::Absorbed => (
                heads * f64::from(kv_rank + rope_dim),
                heads * f64::from(kv_rank),
            ),
            LatentForm::Plain => (
                heads * f64::from(head_dim + rope_dim),
                heads * f64::from(value_dim),
            ),
        },
    };
    let key_value = match setup.partition {
        Partition::Heads => {
            arch.attention.kv_elements(setup.memory_gpus) * f64::from(setup.memory_gpus)
        }
        Partition::Requests => arch.attention.kv_elements(1),
    };
    Traffic {
        query: Bytes::new(tokens * query * precision.activations),
        key_value: Bytes::new(tokens * key_value * precision.kv),
        output: Bytes::new(tokens * output * precision.activations),
    }
}

/// Devices whose links a batch uses at once: those of the narrower side.
pub fn links(setup: &Setup) -> f64 {
    f64::from(setup.replica_gpus().min(setup.memory_gpus))
}

/// Time of `bytes` over the links of a batch, latency apart.
pub fn sending(setup: &Setup, bytes: Bytes) -> Seconds {
    bytes / (setup.net * links(setup)) * setup.compute.calibration.messages.across.factor
}

/// The least bandwidth of each device, one direction, at which the traffic of one batch takes at
/// most the share α of its computation: W = (2 + 2/G) e d B L / (α (MTIME + ATIME) n), over the n
/// devices of the narrower side.
///
/// [L] prints the same without n. Its Figure 4 says "required network bandwidth" and stays below
/// 30 GB/s for (2,2) and (4,4) alike; the traffic of the whole pool would need twice as much for
/// (4,4) as for (2,2), because its computation takes half the time. So the figure is read as per
/// device. Latency and inefficiency of the network are left out, as there.
///
/// Source: [L] 3.1.
pub fn minimum_bandwidth(setup: &Setup) -> Option<BytesPerSecond> {
    let Times {
        model, attention, ..
    } = times(setup)?;
    let bytes = traffic(setup, setup.batch_each()).total() * f64::from(setup.compute.arch.layers);
    let time = (model + attention) * setup.slow_down;
    Some(BytesPerSecond::new(bytes.get() / time.get() / links(setup)))
}
