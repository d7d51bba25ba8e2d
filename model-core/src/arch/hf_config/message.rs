//! Errors and caveats of reading a file, as sentences.

use std::fmt::{Display, Formatter, Result};

use crate::arch::ShapeError;

/// Reasons for a refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfigError {
    /// Longer than a `config.json` can be.
    TooLong {
        /// Its length in bytes.
        bytes: usize,
        /// The most that is read.
        most: usize,
    },
    /// No JSON.
    NotJson {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The fault there.
        message: String,
    },
    /// JSON, but not an object.
    NotAnObject,
    /// A required field is absent.
    Missing {
        /// Its name, with its object's.
        field: String,
        /// Its use.
        needed_for: &'static str,
    },
    /// A field has a value that the model cannot express, or an invalid one.
    NotUnderstood {
        /// Its name, with its object's.
        field: String,
        /// Its value as JSON, shortened.
        value: String,
        /// The fault.
        why: String,
    },
    /// The fields are valid, but make an invalid shape.
    Shape(ShapeError),
}

impl ConfigError {
    pub(super) fn not_json(error: serde_json::Error) -> Self {
        let message = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        Self::NotJson {
            line: error.line(),
            column: error.column(),
            message: message.strip_suffix(&place).unwrap_or(&message).to_owned(),
        }
    }
}

impl Display for ConfigError {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        match self {
            Self::TooLong { bytes, most } => {
                write!(out, "The text has {bytes} bytes; the limit is {most}.")
            }
            Self::NotJson {
                line,
                column,
                message,
            } => write!(
                out,
                "Invalid JSON at line {line}, column {column}: {message}."
            ),
            Self::NotAnObject => out.write_str("Expected a JSON object starting with {."),
            Self::Missing { field, needed_for } => {
                write!(out, "Missing {field}, needed for {needed_for}.")
            }
            Self::NotUnderstood { field, value, why } => {
                write!(out, "{field} is {value}: {why}.")
            }
            Self::Shape(error) => write!(out, "Invalid shape: {error}."),
        }
    }
}

impl std::error::Error for ConfigError {}

/// A part that the shape leaves out or approximates, or a value assumed for an absent field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Caveat {
    /// Unknown family; its fields are read by their usual meaning.
    UnknownFamily {
        /// Its name in the file.
        model_type: Option<String>,
    },
    /// Only the language model of a multimodal model is read.
    PartOfModel {
        /// The object that was read, if not the file itself.
        read: Option<&'static str>,
        /// The objects that were left out.
        left_out: Vec<&'static str>,
    },
    /// Some layers have a window, but the file does not say which; all are read as full attention.
    Window {
        /// The kind of window.
        kind: Window,
        /// Its length in tokens, if stated.
        tokens: Option<u32>,
        /// All layers, L.
        of: u32,
    },
    /// Multi-token prediction layers are left out.
    PredictingLayers {
        /// Their number.
        layers: u32,
    },
    /// The limit on expert groups per token is not part of the shape.
    GroupLimitedRouting {
        /// Groups of experts.
        groups: u32,
        /// Groups per token.
        used: u32,
    },
    /// The number format of the weights is not read.
    Quantised {
        /// Its name in the file.
        method: Option<String>,
    },
    /// A dense MLP parallel to the experts is counted as a shared expert.
    ParallelMlp {
        /// Its width.
        width: u32,
    },
    /// A part that costs little, or that no published count includes, is not part of the shape.
    LeftOut {
        /// The part, as the beginning of a sentence.
        what: &'static str,
    },
    /// A value was assumed for an absent field.
    Assumed {
        /// The field.
        field: &'static str,
        /// The value assumed.
        value: u32,
        /// The reason, as the end of a sentence.
        because: &'static str,
    },
}

/// The part of the context that a layer attends to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Window {
    /// The last tokens.
    Sliding,
    /// The tokens of the same chunk.
    Chunked,
}

impl Display for Caveat {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        match self {
            Self::UnknownFamily { model_type } => {
                match model_type {
                    Some(model_type) => write!(out, "Unknown model_type “{model_type}”")?,
                    None => out.write_str("No model_type")?,
                }
                out.write_str("; read as a Llama/DeepSeek config.")
            }
            Self::PartOfModel { read, left_out } => {
                match read {
                    Some(read) => write!(out, "Using the language model in {read}")?,
                    None => out.write_str("Only the language model is used")?,
                }
                match left_out.as_slice() {
                    [] => out.write_str("."),
                    parts => write!(out, "; {} is ignored.", parts.join(", ")),
                }
            }
            Self::Window { kind, tokens, of } => {
                write!(out, "Some of the {of} layers use ")?;
                match (kind, tokens) {
                    (Window::Sliding, Some(tokens)) => write!(out, "a window of {tokens} tokens")?,
                    (Window::Sliding, None) => out.write_str("a window")?,
                    (Window::Chunked, Some(tokens)) => write!(out, "chunks of {tokens} tokens")?,
                    (Window::Chunked, None) => out.write_str("a chunk")?,
                }
                out.write_str(
                    ", but the file does not say which; all layers use full attention here, so KV memory and attention time are overestimated at long context.",
                )
            }
            Self::PredictingLayers { layers } => write!(out, "MTP modules ({layers}) are ignored."),
            Self::GroupLimitedRouting { groups, used } => write!(
                out,
                "Group-limited routing ({used} of {groups} groups) is not part of the shape; set a node limit instead."
            ),
            Self::Quantised { method } => {
                out.write_str("The weights are quantized")?;
                if let Some(method) = method {
                    write!(out, " ({method})")?;
                }
                out.write_str("; set the precision yourself.")
            }
            Self::ParallelMlp { width } => write!(
                out,
                "The dense MLP of width {width} next to the experts is counted as a shared expert."
            ),
            Self::LeftOut { what } => write!(out, "{what} are ignored."),
            Self::Assumed {
                field,
                value,
                because,
            } => write!(out, "{field} is missing; using {value}, {because}."),
        }
    }
}
