//! Content of the page for a scenario, as plain values: sentences, figures, charts and tables.
//!
//! This crate is pure and does not depend on a browser. Each view of the page has a folder with its results and
//! charts. The modules `words` and `picture` are shared by all views.

pub mod afd;
pub mod apart;
pub mod around;
pub mod benchmark;
pub mod candidates;
mod case;
pub mod chart;
pub mod charts;
pub mod compare;
pub mod controls;
pub mod corrected;
pub mod explain;
pub mod explore;
pub mod figures;
pub mod lamina;
pub mod levers;
pub mod limits;
pub mod overlay;
pub mod own;
pub mod page;
pub mod papers;
pub mod picture;
pub mod plans;
mod problems;
pub mod render;
pub mod runs;
pub mod service;
pub mod setting;
pub mod sharding;
mod states;
pub mod theme;
pub mod turning;
pub mod words;

pub use case::Evaluated;
pub use compare::{difference, in_a_line, in_a_line_of};
pub use explore::*;
pub use figures::{FigureCell, Versus, price_text};
pub use problems::Problem;
pub use words::sentence::{Sentence, Span, Tone};

// Re-exported for the chart modules, which use nothing else of `model_core`.
pub use model_core::order;
