//! The front end of Ridgepoint.

pub mod answer;
pub mod charts;
pub mod format;
pub mod theme;
