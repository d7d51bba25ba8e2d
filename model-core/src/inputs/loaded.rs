//! Memory settings of the inputs, and their defaults.

use super::{Inputs, Model, Number};
use crate::arch::Arch;
use crate::cost::memory::{Memory, memory};
use crate::engine_memory::{Habits, MemoryModel, Table};
use crate::precision::NamedPrecision;
use crate::units::Bytes;

impl Inputs {
    /// Returns the model's architecture, with recurrent states of `state_bytes` bytes per element if that number has
    /// a value.
    pub(super) fn shape(&self) -> Arch {
        let arch = self.model.arch();
        match self.get(Number::StateBytes) {
            Some(bytes) => arch.with_state_bytes(bytes as u32),
            None => *arch,
        }
    }

    /// Returns a GPU's memory times the user's capacity multiplier. The memory is the vendor's capacity in permalink
    /// versions 1 and 2 and, from version 3 on, the total that the runtime reports.
    pub fn usable(&self) -> Bytes {
        let accelerator = self.accelerator();
        let memory = match self.version.starts_as_engines_do() {
            true => accelerator.usable,
            false => accelerator.capacity,
        };
        memory * self.real(Number::CapacityScale)
    }

    pub(super) fn memory_model(&self) -> MemoryModel {
        if !self.version.starts_as_engines_do() {
            return MemoryModel::Model;
        }
        let usable = self.usable();
        // A value equal to the default counts as not set, so that setting the default changes nothing.
        let stated = |number| {
            let stated = self.stated(number)?;
            (self.without(number).default_of(number) != Some(stated))
                .then_some(Bytes::from_gib(stated))
        };
        let gib = |number| Bytes::from_gib(self.real(number));
        MemoryModel::Engine(Habits {
            engine: stated(Number::EngineGib),
            weights: stated(Number::WeightsGib),
            encoder: gib(Number::EncoderGib),
            table: match self.table {
                Table::Hbm => gib(Number::TableGib),
                Table::Host => Bytes::ZERO,
            },
            expert_multiple: match (self.precision, self.model) {
                (NamedPrecision::Released, Model::Catalog(entry)) => {
                    entry.released.checkpoint().expert_multiple
                }
                _ => 1,
            },
            ..Habits::of(usable, self.real(Number::Chunk), self.real(Number::Context))
        })
    }

    /// Returns the memory use of the scenario, with `number` computed even if the user set it. `None` before
    /// permalink version 3, or if the scenario is invalid.
    pub(super) fn memory_without(&self, number: Number) -> Option<Memory> {
        if !self.version.starts_as_engines_do() {
            return None;
        }
        let scenario = self.without(number).scenario().ok()?;
        Some(memory(&scenario, scenario.workload.batch))
    }

    /// Returns the size of the checkpoint's encoder on one GPU, in GiB; zero without an encoder. `None` before
    /// permalink version 3.
    pub(super) fn default_encoder(&self) -> Option<f64> {
        let shards = |sharded| match sharded {
            true => self.get(Number::Tp).unwrap_or(1.0),
            false => 1.0,
        };
        let gib = match self.model {
            Model::Catalog(entry) => entry
                .encoder
                .map_or(0.0, |encoder| encoder.gib / shards(encoder.sharded)),
            Model::Custom(_) => 0.0,
        };
        self.version.starts_as_engines_do().then_some(gib)
    }

    /// Returns the size of the model's lookup tables, in GiB; zero without tables. `None` before permalink version 3.
    pub(super) fn default_table(&self) -> Option<f64> {
        let gib = match self.model {
            Model::Catalog(entry) => entry.table_gib,
            Model::Custom(_) => 0.0,
        };
        self.version.starts_as_engines_do().then_some(gib)
    }
}
