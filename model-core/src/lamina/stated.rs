//! Completes and checks the Lamina deployment that the inputs describe.

use super::SplitSide;
use super::memory::{batch_capacity, shortages};
use super::refusal::SplitRefusal;
use super::setup::SplitSetup;
use crate::apart::Partition;
use crate::arch::{Arch, Mixer};
use crate::inputs::split::{compute_inputs, memory_inputs, replicas};
use crate::inputs::{Inputs, Number};
use crate::units::{BytesPerSecond, Seconds};

impl SplitSetup {
    /// Completes and checks the Lamina deployment of `inputs`. If rules are broken, the error lists all of them.
    ///
    /// With a trace, the context is its [mean](crate::trace::Trace::mean_context) and the batch is the largest that
    /// fits in memory. Without a trace, context and batch are those of the scenario.
    pub fn of(inputs: &Inputs) -> Result<Self, Vec<SplitRefusal>> {
        let whole = |number| inputs.get(number).unwrap_or(1.0) as u32;
        let compute_gpus = whole(Number::ComputeGpus);
        let memory_gpus = whole(Number::MemoryGpus);
        let batches = whole(Number::Batches);
        let replicas = replicas(inputs);
        let partition = inputs
            .partition
            .unwrap_or(Partition::default_of(inputs.model.arch()));
        let mut broken = uncut(inputs.model.arch());
        if !broken.is_empty() {
            return Err(broken);
        }
        if !compute_gpus.is_multiple_of(replicas) {
            broken.push(SplitRefusal::Replicas {
                gpus: compute_gpus,
                replicas,
            });
        }
        let each = (compute_gpus / replicas).max(1);
        let mut side = |side: SplitSide, inputs: Inputs| {
            inputs
                .scenario()
                .map_err(|rules| {
                    broken.extend(
                        rules
                            .into_iter()
                            .map(|rule| SplitRefusal::Plan { side, rule }),
                    );
                })
                .ok()
        };
        let compute = side(SplitSide::Compute, compute_inputs(inputs, each));
        let memory = side(
            SplitSide::Memory,
            memory_inputs(inputs, memory_gpus, partition),
        );
        let (Some(compute), Some(memory)) = (compute, memory) else {
            return Err(broken);
        };
        if !broken.is_empty() {
            return Err(broken);
        }
        let mut setup = Self {
            compute,
            memory,
            compute_gpus,
            memory_gpus,
            batches,
            replicas,
            partition,
            q_early: inputs.q_early,
            net: BytesPerSecond::from_gb(inputs.get(Number::Net).unwrap_or(50.0)),
            round_trip: Seconds::from_micros(inputs.get(Number::NetMicros).unwrap_or(0.0)),
            slow_down: inputs.get(Number::SlowDown).unwrap_or(0.2),
            compute_price: inputs.get(Number::ComputePrice),
            memory_price: inputs.get(Number::MemoryPrice),
            trace: inputs.trace,
            asked: compute.workload.batch,
        };
        if let Some(trace) = inputs.trace {
            setup = setup.with_context(trace.mean_context());
            let room = batch_capacity(&setup);
            let least = f64::from(batches);
            if room < least {
                let shortages = shortages(&setup.with_batch(least));
                return Err(shortages.into_iter().map(SplitRefusal::NoRoom).collect());
            }
            setup = setup.with_batch(room);
        } else if setup.batch() < f64::from(batches) {
            return Err(vec![SplitRefusal::Sequences {
                batch: setup.batch(),
                batches,
            }]);
        }
        Ok(setup)
    }
}

/// Returns a refusal for every mixer that has no defined cut between model and attention.
fn uncut(arch: &Arch) -> Vec<SplitRefusal> {
    let mut found = Vec::new();
    for part in arch.mixers() {
        let defined = match part.shape {
            Mixer::Grouped(shape) => shape.index().is_none(),
            Mixer::Latent(shape) => shape.index.is_none(),
            _ => false,
        };
        let refusal = SplitRefusal::Mixer {
            mixer: part.shape.id(),
        };
        if !defined && !found.contains(&refusal) {
            found.push(refusal);
        }
    }
    found
}
