//! Words: numbers as text, names, sentences, headlines.

pub mod format;
pub mod headline;
pub mod names;
pub mod sentence;
