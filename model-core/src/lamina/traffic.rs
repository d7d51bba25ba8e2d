//! Computes the traffic of a layer between compute and memory devices, and the time to send it.

use super::setup::SplitSetup;
use crate::apart::Partition;
use crate::arch::Mixer;
use crate::ops::LatentForm;
use crate::ops::reach::{grouped_row, latent_row};
use crate::units::{Bytes, Seconds};

/// Bytes sent between the two sides of a Lamina deployment for one micro-batch in one layer, over all devices. If
/// layers differ, this is the mean over the layers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Traffic {
    /// Queries, sent to the memory devices.
    pub query: Bytes,
    /// New keys and values, sent to the memory devices.
    pub key_value: Bytes,
    /// Attention outputs, sent to the compute devices.
    pub output: Bytes,
}

impl Traffic {
    /// Returns the total bytes sent in both directions.
    pub fn total(&self) -> Bytes {
        self.query + self.key_value + self.output
    }
}

/// Returns the traffic of `batch` sequences in a layer, averaged over the layers that have a mixer.
pub fn traffic(setup: &SplitSetup, batch: f64) -> Traffic {
    let mut parts = setup.memory.arch.mixers().iter();
    if let (Some(part), None) = (parts.next(), parts.next()) {
        return traffic_of(setup, &part.shape, batch);
    }
    let layers = f64::from(setup.memory.arch.mixer_layers()).max(1.0);
    let mut mean = Traffic {
        query: Bytes::ZERO,
        key_value: Bytes::ZERO,
        output: Bytes::ZERO,
    };
    for part in setup.memory.arch.mixers() {
        let one = traffic_of(setup, &part.shape, batch);
        let share = f64::from(part.layers) / layers;
        mean.query += one.query * share;
        mean.key_value += one.key_value * share;
        mean.output += one.output * share;
    }
    mean
}

/// Returns the traffic of `batch` sequences in a layer with this mixer.
///
/// Elements per token of the query | of key and value | of the output:
///
/// - GQA: n_h d_k | n_kv (d_k + d_v) | n_h d_v. With n_h d_h = d, the total is (2 + 2/G) e d B bytes.
/// - MLA, absorbed: n_h (r_kv + d_r) | r_kv + d_r | n_h r_kv.
/// - MLA, not absorbed: n_h (d_h + d_r) | r_kv + d_r | n_h d_v.
///
/// G is the number of query heads per KV head, e the bytes per element, and B the number of tokens.
///
/// Keys and values are sent in the precision of the KV cache, to every device that holds a copy.
///
/// Source: [L] 3.1 for GQA; the split of MLA is not from a paper.
pub fn traffic_of(setup: &SplitSetup, mixer: &Mixer, batch: f64) -> Traffic {
    let precision = &setup.memory.precision;
    let tokens = batch * setup.memory.workload.speculation.carried();
    let heads = f64::from(mixer.heads().unwrap_or(0));
    // Other mixers have no defined cut; setups with them are refused.
    let (query, output) = match mixer {
        Mixer::Grouped(shape) => (
            heads * f64::from(shape.head_dim),
            heads * f64::from(shape.value_dim),
        ),
        Mixer::Latent(shape) => match setup.memory.kernel.latent {
            LatentForm::Absorbed => (
                heads * f64::from(shape.kv_rank + shape.rope_dim),
                heads * f64::from(shape.kv_rank),
            ),
            LatentForm::Plain => (
                heads * f64::from(shape.head_dim + shape.rope_dim),
                heads * f64::from(shape.value_dim),
            ),
        },
        _ => (0.0, 0.0),
    };
    let row = |tp: u32| kv_elements(mixer, tp);
    let key_value = match setup.partition {
        Partition::Heads => row(setup.memory_gpus) * f64::from(setup.memory_gpus),
        Partition::Requests => row(1),
    };
    Traffic {
        query: Bytes::new(tokens * query * precision.activations),
        key_value: Bytes::new(tokens * key_value * precision.kv),
        output: Bytes::new(tokens * output * precision.activations),
    }
}

/// Returns the KV cache elements per token on a GPU that holds 1/tp of the heads.
pub fn kv_elements(mixer: &Mixer, tp: u32) -> f64 {
    match mixer {
        Mixer::Grouped(shape) => grouped_row(shape, tp),
        Mixer::Latent(shape) => latent_row(shape),
        _ => 0.0,
    }
}

/// Returns the number of links that one micro-batch uses at once: one per device on the side with fewer
/// devices.
pub fn links(setup: &SplitSetup) -> f64 {
    f64::from(setup.replica_gpus().min(setup.memory_gpus))
}

/// Returns the time to send `bytes` over the links of a micro-batch, without latency.
pub fn sending(setup: &SplitSetup, bytes: Bytes) -> Seconds {
    bytes / (setup.net * links(setup)) * setup.compute.calibration.messages.across.factor
}
