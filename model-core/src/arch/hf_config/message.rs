//! Errors and caveats from reading a `config.json`, worded as sentences.

use std::fmt::{Display, Formatter, Result};

use crate::arch::ShapeError;

/// Reasons why a `config.json` is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfigError {
    /// The input is longer than any real `config.json`.
    TooLong {
        /// Length of the input in bytes.
        bytes: usize,
        /// Max length of the input in bytes.
        most: usize,
    },
    /// The input is not valid JSON.
    NotJson {
        /// Line of the syntax error, counted from 1.
        line: usize,
        /// Column of the syntax error, counted from 1.
        column: usize,
        /// Description of the syntax error.
        message: String,
    },
    /// The input is valid JSON, but not an object.
    NotAnObject,
    /// A required field is absent.
    Missing {
        /// Name of the missing field, prefixed with the name of its object.
        field: String,
        /// Purpose for which the field is needed, worded as the end of a sentence.
        needed_for: &'static str,
    },
    /// A field has an invalid value, or one that the shape cannot express.
    NotUnderstood {
        /// Name of the field, prefixed with the name of its object.
        field: String,
        /// Value of the field as JSON, shortened.
        value: String,
        /// Description of the fault, worded as the end of a sentence.
        why: String,
    },
    /// The fields are valid individually, but form an invalid shape.
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

/// A part that the shape leaves out or approximates, or a value assumed for a missing field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Caveat {
    /// The model family is unknown, so the fields are read with their usual meanings.
    UnknownFamily {
        /// Name of the family in the file, if stated.
        model_type: Option<String>,
    },
    /// Only the language model of a multimodal model is read.
    PartOfModel {
        /// Name of the nested object that was read; `None` if the language model is at the file's top level.
        read: Option<&'static str>,
        /// Names of the objects that were left out.
        left_out: Vec<&'static str>,
    },
    /// Some layers attend to a window or chunk, but the file does not state which layers. All layers are therefore
    /// read as full attention.
    Window {
        /// Type of the window: the most recent tokens or a chunk.
        kind: Window,
        /// Window length in tokens, if stated.
        tokens: Option<u32>,
        /// Total number of layers, L.
        of: u32,
    },
    /// Multi-token prediction layers are left out.
    PredictingLayers {
        /// Number of MTP layers.
        layers: u32,
    },
    /// The limit on the number of expert groups per token is ignored, because it is not part of the shape.
    GroupLimitedRouting {
        /// Number of expert groups.
        groups: u32,
        /// Max expert groups that a token uses.
        used: u32,
    },
    /// The weights are quantized, but their number format is not read.
    Quantised {
        /// Name of the quantization method in the file, if stated.
        method: Option<String>,
    },
    /// A dense MLP parallel to the experts is counted as a shared expert.
    ParallelMlp {
        /// Intermediate width of the dense MLP.
        width: u32,
    },
    /// A part of the model is left out of the shape, because it costs little or because no published parameter count
    /// includes it.
    LeftOut {
        /// Name of the part, worded as the subject of a sentence.
        what: &'static str,
    },
    /// A value was assumed for a missing field.
    Assumed {
        /// Name of the field.
        field: &'static str,
        /// The assumed value.
        value: u32,
        /// Reason for assuming this value, worded as the end of a sentence.
        because: &'static str,
    },
}

/// Part of the context that a windowed layer attends to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Window {
    /// The most recent tokens (sliding window).
    Sliding,
    /// The earlier tokens of the same chunk (chunked attention).
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
                out.write_str("; read as a Llama/DeepSeek-style config.")
            }
            Self::PartOfModel { read, left_out } => {
                match read {
                    Some(read) => write!(out, "Using the language model in {read}")?,
                    None => out.write_str("Only the language model is used")?,
                }
                match left_out.as_slice() {
                    [] => out.write_str("."),
                    parts => write!(out, "; ignoring {}.", parts.join(", ")),
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
                "Group-limited routing ({used} of {groups} groups per token) is not part of the shape; set a node \
                    limit instead."
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
