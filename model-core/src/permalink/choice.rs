//! The keys of a link that choose from a list.

use crate::arch;
use crate::cost::calibration::{Family, Fold, NamedCalibration};
use crate::disagg::latency::LatencySource;
use crate::disagg::lengths::Lengths;
use crate::disagg::split::{Partition, QEarly};
use crate::disagg::trace;
use crate::hardware;
use crate::ops::{Fusion, LatentForm};
use crate::plan::{Overlap, Shared};
use crate::precision::{Format, NamedPrecision};
use crate::scenario::{Gpu, Inputs, Mode, Model};
use crate::workload::Engine;

/// A key that chooses from a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    Model,
    Gpu,
    Shared,
    Precision,
    AttentionFormat,
    FfnFormat,
    Overlap,
    Latent,
    Fusion,
    Calibration,
    Fold,
    Family,
    Engine,
    Mode,
    ComputeGpu,
    MemoryGpu,
    Partition,
    QEarly,
    Trace,
    Latencies,
    Lengths,
}

impl Choice {
    /// All of them, in the order a link writes them.
    pub const ALL: [Self; 21] = [
        Self::Model,
        Self::Gpu,
        Self::Shared,
        Self::Precision,
        Self::AttentionFormat,
        Self::FfnFormat,
        Self::Overlap,
        Self::Latent,
        Self::Fusion,
        Self::Calibration,
        Self::Fold,
        Self::Family,
        Self::Engine,
        Self::Mode,
        Self::ComputeGpu,
        Self::MemoryGpu,
        Self::Partition,
        Self::QEarly,
        Self::Trace,
        Self::Latencies,
        Self::Lengths,
    ];

    /// The key in a link.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Gpu => "gpu",
            Self::Shared => "shared",
            Self::Precision => "precision",
            Self::AttentionFormat => "fmt_attn",
            Self::FfnFormat => "fmt_ffn",
            Self::Overlap => "overlap",
            Self::Latent => "mla",
            Self::Fusion => "kernel",
            Self::Calibration => "calibration",
            Self::Fold => "fold",
            Self::Family => "family",
            Self::Engine => "serving",
            Self::Mode => "mode",
            Self::ComputeGpu => "compute_gpu",
            Self::MemoryGpu => "memory_gpu",
            Self::Partition => "partition",
            Self::QEarly => "q_early",
            Self::Trace => "trace",
            Self::Latencies => "latencies",
            Self::Lengths => "lengths",
        }
    }

    /// The choice in force, as a link writes it; `None` where it is the default.
    pub fn stated(self, inputs: &Inputs) -> Option<&'static str> {
        let default = &Inputs::DEFAULT;
        let unless_default = |id: &'static str, same: bool| (!same).then_some(id);
        match self {
            Self::Model => match inputs.model {
                Model::Custom(_) => Some("custom"),
                Model::Catalog(entry) => unless_default(entry.id, inputs.model == default.model),
            },
            Self::Gpu => match inputs.gpu {
                Gpu::Custom => Some("custom"),
                Gpu::Catalog(entry) => unless_default(entry.id, inputs.gpu == default.gpu),
            },
            Self::Shared => unless_default(inputs.shared.id(), inputs.shared == default.shared),
            Self::Precision => {
                unless_default(inputs.precision.id(), inputs.precision == default.precision)
            }
            Self::AttentionFormat => inputs.attention_format.map(Format::id),
            Self::FfnFormat => inputs.ffn_format.map(Format::id),
            Self::Overlap => unless_default(inputs.overlap.id(), inputs.overlap == default.overlap),
            Self::Latent => unless_default(inputs.latent.id(), inputs.latent == default.latent),
            Self::Fusion => unless_default(inputs.fusion.id(), inputs.fusion == default.fusion),
            Self::Calibration => unless_default(
                inputs.calibration.id(),
                inputs.calibration == default.calibration,
            ),
            Self::Fold => inputs.fold.map(Fold::id),
            Self::Family => inputs.family.map(Family::id),
            Self::Engine => unless_default(inputs.engine.id(), inputs.engine == default.engine),
            Self::Mode => unless_default(inputs.mode.id(), inputs.mode == default.mode),
            Self::ComputeGpu => inputs.compute_gpu.map(|entry| entry.id),
            Self::MemoryGpu => unless_default(
                inputs.memory_gpu.id,
                inputs.memory_gpu == default.memory_gpu,
            ),
            Self::Partition => inputs.partition.map(Partition::id),
            Self::QEarly => unless_default(inputs.q_early.id(), inputs.q_early == default.q_early),
            Self::Trace => inputs.trace.map(|trace| trace.id),
            Self::Latencies => {
                unless_default(inputs.latencies.id(), inputs.latencies == default.latencies)
            }
            Self::Lengths => unless_default(inputs.lengths.id(), inputs.lengths == default.lengths),
        }
    }

    /// Chooses `id`; false, and nothing changed, where the list has no such entry. A custom model
    /// is not chosen here: it comes with its shape.
    pub fn choose(self, inputs: &mut Inputs, id: &str) -> bool {
        match self {
            Self::Model => set(
                &mut inputs.model,
                arch::catalog::find(id).map(Model::Catalog),
            ),
            Self::Gpu if id == "custom" => set(&mut inputs.gpu, Some(Gpu::Custom)),
            Self::Gpu => set(
                &mut inputs.gpu,
                hardware::catalog::find(id).map(Gpu::Catalog),
            ),
            Self::Shared => set(&mut inputs.shared, pick(Shared::ALL, Shared::id, id)),
            Self::Precision => set(
                &mut inputs.precision,
                pick(NamedPrecision::ALL, NamedPrecision::id, id),
            ),
            Self::AttentionFormat => set(
                &mut inputs.attention_format,
                pick(Format::ALL, Format::id, id).map(Some),
            ),
            Self::FfnFormat => set(
                &mut inputs.ffn_format,
                pick(Format::ALL, Format::id, id).map(Some),
            ),
            Self::Overlap => set(&mut inputs.overlap, pick(Overlap::ALL, Overlap::id, id)),
            Self::Latent => set(
                &mut inputs.latent,
                pick(LatentForm::ALL, LatentForm::id, id),
            ),
            Self::Fusion => set(&mut inputs.fusion, pick(Fusion::ALL, Fusion::id, id)),
            Self::Calibration => set(
                &mut inputs.calibration,
                pick(NamedCalibration::ALL, NamedCalibration::id, id),
            ),
            Self::Fold => set(&mut inputs.fold, pick(Fold::ALL, Fold::id, id).map(Some)),
            Self::Family => set(
                &mut inputs.family,
                pick(Family::ALL, Family::id, id).map(Some),
            ),
            Self::Engine => set(&mut inputs.engine, pick(Engine::ALL, Engine::id, id)),
            Self::Mode => set(&mut inputs.mode, pick(Mode::ALL, Mode::id, id)),
            Self::ComputeGpu => set(
                &mut inputs.compute_gpu,
                hardware::catalog::find(id).map(Some),
            ),
            Self::MemoryGpu => set(&mut inputs.memory_gpu, hardware::catalog::find(id)),
            Self::Partition => set(
                &mut inputs.partition,
                pick(Partition::ALL, Partition::id, id).map(Some),
            ),
            Self::QEarly => set(&mut inputs.q_early, pick(QEarly::ALL, QEarly::id, id)),
            Self::Trace if id == NO_TRACE => set(&mut inputs.trace, Some(None)),
            Self::Trace => set(&mut inputs.trace, trace::find(id).map(Some)),
            Self::Latencies => set(
                &mut inputs.latencies,
                pick(LatencySource::ALL, LatencySource::id, id),
            ),
            Self::Lengths => set(&mut inputs.lengths, pick(Lengths::ALL, Lengths::id, id)),
        }
    }

    /// Goes back to the default.
    pub fn reset(self, inputs: &mut Inputs) {
        let default = &Inputs::DEFAULT;
        match self {
            Self::Model => inputs.model = default.model,
            Self::Gpu => inputs.gpu = default.gpu,
            Self::Shared => inputs.shared = default.shared,
            Self::Precision => inputs.precision = default.precision,
            Self::AttentionFormat => inputs.attention_format = default.attention_format,
            Self::FfnFormat => inputs.ffn_format = default.ffn_format,
            Self::Overlap => inputs.overlap = default.overlap,
            Self::Latent => inputs.latent = default.latent,
            Self::Fusion => inputs.fusion = default.fusion,
            Self::Calibration => inputs.calibration = default.calibration,
            Self::Fold => inputs.fold = default.fold,
            Self::Family => inputs.family = default.family,
            Self::Engine => inputs.engine = default.engine,
            Self::Mode => inputs.mode = default.mode,
            Self::ComputeGpu => inputs.compute_gpu = default.compute_gpu,
            Self::MemoryGpu => inputs.memory_gpu = default.memory_gpu,
            Self::Partition => inputs.partition = default.partition,
            Self::QEarly => inputs.q_early = default.q_early,
            Self::Trace => inputs.trace = default.trace,
            Self::Latencies => inputs.latencies = default.latencies,
            Self::Lengths => inputs.lengths = default.lengths,
        }
    }

    /// What the list holds, for saying so.
    pub fn offers(self) -> String {
        let join = |ids: Vec<&'static str>| ids.join(", ");
        match self {
            Self::Model | Self::Gpu => "an id of the catalogue or custom".into(),
            Self::Shared => join(Shared::ALL.map(Shared::id).into()),
            Self::Precision => join(NamedPrecision::ALL.map(NamedPrecision::id).into()),
            Self::AttentionFormat | Self::FfnFormat => join(Format::ALL.map(Format::id).into()),
            Self::Overlap => join(Overlap::ALL.map(Overlap::id).into()),
            Self::Latent => join(LatentForm::ALL.map(LatentForm::id).into()),
            Self::Fusion => join(Fusion::ALL.map(Fusion::id).into()),
            Self::Calibration => join(NamedCalibration::ALL.map(NamedCalibration::id).into()),
            Self::Fold => join(Fold::ALL.map(Fold::id).into()),
            Self::Family => join(Family::ALL.map(Family::id).into()),
            Self::Engine => join(Engine::ALL.map(Engine::id).into()),
            Self::Mode => join(Mode::ALL.map(Mode::id).into()),
            Self::ComputeGpu | Self::MemoryGpu => "an id of the catalogue".into(),
            Self::Partition => join(Partition::ALL.map(Partition::id).into()),
            Self::QEarly => join(QEarly::ALL.map(QEarly::id).into()),
            Self::Trace => {
                let traces = trace::TRACES.iter().map(|trace| trace.id);
                join(std::iter::once(NO_TRACE).chain(traces).collect())
            }
            Self::Latencies => join(LatencySource::ALL.map(LatencySource::id).into()),
            Self::Lengths => join(Lengths::ALL.map(Lengths::id).into()),
        }
    }
}

/// Says in a link that no trace is served, which is the default.
pub const NO_TRACE: &str = "none";

/// The entry of `all` with this identifier.
pub fn pick<T: Copy, const N: usize>(
    all: [T; N],
    id_of: impl Fn(T) -> &'static str,
    id: &str,
) -> Option<T> {
    all.into_iter().find(|entry| id_of(*entry) == id)
}

fn set<T>(slot: &mut T, value: Option<T>) -> bool {
    let found = value.is_some();
    if let Some(value) = value {
        *slot = value;
    }
    found
}
