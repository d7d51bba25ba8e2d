//! Permalink keys whose value is chosen from a list.

use crate::apart::{LatencySource, Partition, QEarly, Scatter};
use crate::arch;
use crate::calibration::{Fold, NamedCalibration};
use crate::engine_memory::Table;
use crate::hardware;
use crate::hardware::Family;
use crate::inputs::{Anchoring, Gpu, Inputs, Mode, Model};
use crate::ops::{Fusion, LatentForm};
use crate::plan::{Overlap, Shared};
use crate::precision::{Format, NamedPrecision};
use crate::trace::{self, Trace};
use crate::workload::{Engine, Pools};

/// Declares the choice keys: enum variant, permalink key, field of [`Inputs`], and the form in which the field stores
/// the choice.
///
/// The form `one` is an enumeration. The form `maybe` is an optional enumeration, whose default follows from the
/// other inputs. The form `by` gives custom functions for the permalink value, the choice, and the list of values.
macro_rules! choices {
    ($($name:ident = $key:literal, $field:ident: $how:ident $what:tt;)+) => {
        /// Permalink key whose value is chosen from a list.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum ChoiceKey { $($name,)+ }

        impl ChoiceKey {
            /// All choice keys, in the order in which a permalink lists them.
            pub const ALL: [Self; [$($key),+].len()] = [$(Self::$name),+];

            /// Returns this choice's key in a permalink.
            pub const fn key(self) -> &'static str {
                match self { $(Self::$name => $key,)+ }
            }

            /// Returns the active choice as written in a permalink; `None` if it is the default.
            pub fn stated(self, inputs: &Inputs) -> Option<&'static str> {
                match self { $(Self::$name => choices!(stated inputs, $field, $how $what),)+ }
            }

            /// Selects the list entry `id` for this key. If the list has no such entry, returns false and changes
            /// nothing. A custom model cannot be chosen here, because it needs a shape.
            pub fn choose(self, inputs: &mut Inputs, id: &str) -> bool {
                match self { $(Self::$name => choices!(choose inputs, id, $field, $how $what),)+ }
            }

            /// Resets this choice to its default.
            pub fn reset(self, inputs: &mut Inputs) {
                match self { $(Self::$name => inputs.$field = Inputs::defaults_of(inputs.version).$field,)+ }
            }

            /// Returns the valid values of this key, as text for a note on an invalid value.
            pub fn offers(self) -> String {
                match self { $(Self::$name => choices!(offers $how $what),)+ }
            }
        }
    };
    (stated $inputs:ident, $field:ident, one $type:ident) => {
        ($inputs.$field != Inputs::defaults_of($inputs.version).$field).then_some($inputs.$field.id())
    };
    (stated $inputs:ident, $field:ident, maybe $type:ident) => {
        $inputs.$field.map($type::id)
    };
    (stated $inputs:ident, $field:ident, by ($stated:expr, $choose:expr, $offers:expr)) => {
        $stated($inputs)
    };
    (choose $inputs:ident, $id:ident, $field:ident, one $type:ident) => {
        set(&mut $inputs.$field, pick($type::ALL, $type::id, $id))
    };
    (choose $inputs:ident, $id:ident, $field:ident, maybe $type:ident) => {
        set(&mut $inputs.$field, pick($type::ALL, $type::id, $id).map(Some))
    };
    (choose $inputs:ident, $id:ident, $field:ident, by ($stated:expr, $choose:expr, $offers:expr)) => {
        set(&mut $inputs.$field, $choose($id))
    };
    (offers by ($stated:expr, $choose:expr, $offers:expr)) => {
        $offers
    };
    (offers $how:ident $type:ident) => {
        $type::ALL.map($type::id).join(", ")
    };
}

choices! {
    Model = "model", model: by (stated_model, |id| arch::catalog::find(id).map(Model::Catalog), OF_CATALOGUE_OR_CUSTOM.into());
    Gpu = "gpu", gpu: by (stated_gpu, find_gpu, OF_CATALOGUE_OR_CUSTOM.into());
    Shared = "shared", shared: one Shared;
    Precision = "precision", precision: one NamedPrecision;
    AttentionFormat = "fmt_attn", attention_format: maybe Format;
    FfnFormat = "fmt_ffn", ffn_format: maybe Format;
    Table = "table", table: one Table;
    Overlap = "overlap", overlap: maybe Overlap;
    Latent = "mla", latent: one LatentForm;
    Fusion = "kernel", fusion: one Fusion;
    Calibration = "calibration", calibration: one NamedCalibration;
    Fold = "fold", fold: maybe Fold;
    Family = "family", family: maybe Family;
    Engine = "serving", engine: one Engine;
    Mode = "mode", mode: one Mode;
    ComputeGpu = "compute_gpu", compute_gpu: by (
        |inputs: &Inputs| inputs.compute_gpu.map(|entry| entry.id),
        |id| hardware::catalog::find(id).map(Some),
        OF_CATALOGUE.into()
    );
    MemoryGpu = "memory_gpu", memory_gpu: by (stated_memory_gpu, hardware::catalog::find, OF_CATALOGUE.into());
    Partition = "partition", partition: maybe Partition;
    QEarly = "q_early", q_early: one QEarly;
    Trace = "trace", trace: by (|inputs: &Inputs| inputs.trace.map(|trace| trace.id), find_trace, traces());
    Latencies = "latencies", latencies: one LatencySource;
    Pools = "pools", pools: one Pools;
    PrefillGpu = "prefill_gpu", prefill_gpu: by (
        |inputs: &Inputs| inputs.prefill_gpu.map(|entry| entry.id),
        |id| hardware::catalog::find(id).map(Some),
        OF_CATALOGUE.into()
    );
    Lengths = "lengths", lengths: by (stated_lengths, Scatter::find, scatters());
    Anchor = "anchor", anchor: one Anchoring;
}

const OF_CATALOGUE: &str = "a catalog id";
const OF_CATALOGUE_OR_CUSTOM: &str = "a catalog id, or custom";

fn stated_model(inputs: &Inputs) -> Option<&'static str> {
    match inputs.model {
        Model::Custom(_) => Some("custom"),
        Model::Catalog(entry) => (inputs.model != Inputs::DEFAULT.model).then_some(entry.id),
    }
}

fn stated_gpu(inputs: &Inputs) -> Option<&'static str> {
    match inputs.gpu {
        Gpu::Custom => Some("custom"),
        Gpu::Catalog(entry) => (inputs.gpu != Inputs::DEFAULT.gpu).then_some(entry.id),
    }
}

fn find_gpu(id: &str) -> Option<Gpu> {
    if id == "custom" {
        return Some(Gpu::Custom);
    }
    hardware::catalog::find(id).map(Gpu::Catalog)
}

fn stated_memory_gpu(inputs: &Inputs) -> Option<&'static str> {
    (inputs.memory_gpu != Inputs::DEFAULT.memory_gpu).then_some(inputs.memory_gpu.id)
}

fn find_trace(id: &str) -> Option<Option<&'static Trace>> {
    if id == NO_TRACE {
        return Some(None);
    }
    trace::find(id).map(Some)
}

fn stated_lengths(inputs: &Inputs) -> Option<&'static str> {
    (inputs.lengths != Inputs::DEFAULT.lengths).then_some(inputs.lengths.id())
}

fn scatters() -> String {
    let all: Vec<&str> = Scatter::all().map(Scatter::id).collect();
    all.join(", ")
}

fn traces() -> String {
    let ids = trace::TRACES.iter().map(|trace| trace.id);
    let all: Vec<&str> = std::iter::once(NO_TRACE).chain(ids).collect();
    all.join(", ")
}

/// Permalink value for "no request trace", which is the default.
pub const NO_TRACE: &str = "none";

/// Returns the entry of `all` that has this identifier.
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
