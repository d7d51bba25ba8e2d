//! Text of the page: numbers, names, sentences and headlines.

pub mod format;
pub mod headline;
pub mod names;
pub mod sentence;
