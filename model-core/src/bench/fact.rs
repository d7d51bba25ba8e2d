//! Facts that a paste states about a deployment. Each fact has a permalink key with a typed value, the lines it comes
//! from, and its origin.

use crate::arch::catalog as models;
use crate::hardware::catalog as gpus;
use crate::inputs::{Gpu, Inputs, Model, Number};
use crate::plan::Overlap;
use crate::precision::{KvLayout, NamedPrecision};
use crate::workload::Engine;

/// A permalink key with its typed value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// Value of the key `model`.
    Model(&'static models::Entry),
    /// Value of the key `gpu`.
    Gpu(&'static gpus::Entry),
    /// Value of the key `precision`.
    Precision(NamedPrecision),
    /// Value of the key `overlap`.
    Overlap(Overlap),
    /// Value of the key `serving`.
    Serving(Engine),
    /// Value of the key `kv`, as a KV-cache layout.
    Cache(KvLayout),
    /// A numeric key and its value.
    Number(Number, f64),
}

impl Value {
    /// Returns the key in permalinks.
    pub const fn key(&self) -> &'static str {
        match self {
            Self::Model(_) => "model",
            Self::Gpu(_) => "gpu",
            Self::Precision(_) => "precision",
            Self::Overlap(_) => "overlap",
            Self::Serving(_) => "serving",
            Self::Cache(_) => "kv",
            Self::Number(number, _) => number.spec().key,
        }
    }

    /// Sets this value in a scenario.
    pub fn set(&self, inputs: &mut Inputs) {
        match *self {
            Self::Model(entry) => inputs.choose_model(entry),
            Self::Gpu(entry) => inputs.choose_gpu(entry),
            Self::Precision(precision) => *inputs = inputs.with_precision(precision),
            Self::Overlap(overlap) => inputs.overlap = Some(overlap),
            Self::Serving(engine) => inputs.engine = engine,
            Self::Cache(layout) => {
                inputs.kv_layout = Some(layout);
                inputs.state(Number::KvBytes, None);
            }
            Self::Number(number, value) => {
                if number == Number::KvBytes {
                    inputs.kv_layout = None;
                }
                inputs.state(number, Some(value));
            }
        }
    }

    /// Returns the value that a scenario has for a permalink key. Returns `None` for `overlap`, unknown keys, numbers
    /// that the scenario does not have, and a custom model or accelerator.
    pub fn of(inputs: &Inputs, key: &str) -> Option<Self> {
        match key {
            "model" => match inputs.model {
                Model::Catalog(entry) => Some(Self::Model(entry)),
                Model::Custom(_) => None,
            },
            "gpu" => match inputs.gpu {
                Gpu::Catalog(entry) => Some(Self::Gpu(entry)),
                Gpu::Custom => None,
            },
            "precision" => Some(Self::Precision(inputs.precision)),
            "serving" => Some(Self::Serving(inputs.engine)),
            _ => {
                let number = Number::find(key)?;
                Some(Self::Number(number, inputs.get(number)?))
            }
        }
    }
}

/// Origin of a value read from a pasted benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// The value is read from the paste.
    Read,
    /// The value is computed from numbers in the paste.
    Computed,
    /// The value is not in the paste; it is the engine's default or implied by the benchmark tool.
    Assumed,
    /// The paste does not contain the value; the scenario's value is used unchanged.
    Kept,
}

/// A value that a paste states or implies about a deployment.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// Permalink key and value.
    pub value: Value,
    /// Origin of the value.
    pub how: How,
    /// Lines of the cleaned text that the value comes from, counted from 0.
    pub lines: Vec<u32>,
}

impl Fact {
    /// Creates a fact whose origin is `Read`, or `Assumed` if no lines are given.
    pub fn new(value: Value, lines: Vec<u32>) -> Self {
        let how = if lines.is_empty() {
            How::Assumed
        } else {
            How::Read
        };
        Self { value, how, lines }
    }
}
