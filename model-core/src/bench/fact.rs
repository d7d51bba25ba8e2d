//! Facts that a paste states about a deployment: a typed value of a link key, its lines, and how it is known.

use crate::arch::catalog as models;
use crate::hardware::catalog as gpus;
use crate::inputs::{Gpu, Inputs, Model, Number};
use crate::plan::Overlap;
use crate::precision::{KvLayout, NamedPrecision};
use crate::workload::Engine;

/// A value of a link key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// `model`.
    Model(&'static models::Entry),
    /// `gpu`.
    Gpu(&'static gpus::Entry),
    /// `precision`.
    Precision(NamedPrecision),
    /// `overlap`.
    Overlap(Overlap),
    /// `serving`.
    Serving(Engine),
    /// `kv` as a layout.
    Cache(KvLayout),
    /// A numeric key.
    Number(Number, f64),
}

impl Value {
    /// The key in links.
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

    /// Sets it.
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

    /// The active values of these keys in a scenario; nothing of a custom model or accelerator.
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

/// Origin of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// The paste states it.
    Read,
    /// It follows from numbers of the paste.
    Computed,
    /// Not stated: the default of the engine, or the meaning of its tool.
    Assumed,
    /// Not in the paste: the scenario's.
    Kept,
}

/// A fact.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// Key and value.
    pub value: Value,
    /// Origin.
    pub how: How,
    /// Lines of the cleaned text that it comes from, from 0.
    pub lines: Vec<u32>,
}

impl Fact {
    /// A stated fact; assumed without lines.
    pub fn new(value: Value, lines: Vec<u32>) -> Self {
        let how = if lines.is_empty() {
            How::Assumed
        } else {
            How::Read
        };
        Self { value, how, lines }
    }
}
